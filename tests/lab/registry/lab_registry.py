# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The registry of a whole lab: a machine of its own in the lab's network, which a site may be cut off from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.network import PREFIX, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.network_place import NetworkPlace
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.traits import QuayTraits
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import LIKE_QUAY, Registry
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, write_private

ADDRESS = f"{PREFIX}.2"
OTHERS = (f"{PREFIX}.3", f"{PREFIX}.4")  # the token service, and where blobs come from
PORT = 5000
MIRRORED = ("quay.io/openshift-release-dev", "registry.partner.example")


@dataclass(frozen=True)
class RegistrySetup:
    """What a lab's registry holds from the start, and how it behaves; ``quay`` None makes it a plain one."""

    releases: Sequence[ReleaseSpec] = ()
    tls: bool | None = None
    credentials: Credentials | None = None
    quay: QuayTraits | None = LIKE_QUAY


class LabRegistry(Registry):
    """A registry at 198.51.100.2:5000 in the lab's network, with two more hosts beside it.

    ``releases`` are those of the setup, by version, and all are signed by ``signer``. ``factory`` generates more of
    them, and images of partners, for ``publish`` and ``publish_images``.
    """

    def __init__(self, setup: RegistrySetup, *, workspace: Workspace, network: LabNetwork) -> None:
        self._signer: ReleaseSigner | None = None
        self._place = NetworkPlace("registry", ADDRESS, workspace=workspace, network=network, more=OTHERS)
        super().__init__(
            address=ADDRESS,
            port=PORT,
            tls=setup.tls,
            credentials=setup.credentials,
            namespace=self._place.namespace,
            quay=setup.quay,
            others=OTHERS,
        )
        try:
            self.factory = ReleaseFactory(self.directory / "generated")
            self.releases: dict[str, Release] = {}
            for spec in setup.releases:
                self.releases[spec.version] = self.factory.release(spec)
            self.publish(*self.releases.values())
        except BaseException:
            self.close()
            raise

    @property
    def registries_conf(self) -> Path:
        """A registries.conf that finds releases and partners' images under their own names, by digest or tag, here."""
        return write_private(self.directory / "registries.conf", self.mirror_rules(MIRRORED, by_digest_only=False))

    @property
    def addresses(self) -> tuple[str, ...]:
        """All that are gone when it is cut off."""
        return (ADDRESS, *OTHERS)

    @property
    def signer(self) -> ReleaseSigner:
        """The releases' signer, made when it is first asked for."""
        if not self._signer:
            self._signer = ReleaseSigner(self.directory / "signatures")
            for release in self.releases.values():
                self._signer.sign(release.reference)
        return self._signer

    def version_of(self, image: str) -> str:
        """Return the version of a release image by its digest, or nothing if it is none of ours."""
        digest = image.partition("@")[2]
        ours = {str(release.image.digest): version for version, release in self.releases.items()}
        return ours.get(digest, "")

    def close(self) -> None:
        """End everything and remove all files."""
        if self._signer:
            self._signer.close()
        super().close()

    def cut(self) -> None:
        """Cut the registry off: packets to and from it are lost. It goes on running."""
        self._place.plug(False)

    def restore(self) -> None:
        """Connect it again."""
        self._place.plug(True)
