# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A machine that reaches registries, with drives and the files that pages name in its current folder."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import textwrap
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signing import sign_content
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import SiteInventory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.tests.integration.bundles.partner_catalog import PartnerCatalog
from ansible_collections.fieldops.openshift.tests.integration.play_processes import start_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.structure.page_blocks import blocks

Json = dict[str, t.Any]

SOURCES = ("quay.io", "registry.partner.example", "registry.redhat.io")
CATALOG = "registry.redhat.io/redhat/redhat-operator-index:v4.20"
STARTS = ("4.18.20", "4.18.30")
PATH = ("4.19.14", "4.20.3", "4.21.4")
NEXT = "4.21.5"
OPERATORS = {
    "local-storage-operator": ("stable", ("4.19.0", "4.20.0")),
    "odf-operator": ("stable-4.20", ("4.19.6", "4.20.0", "4.20.2", "4.20.3")),
}
UNNAMED = "gateway/debug:1"
"""A related image without a registry, as some catalogs have it."""


class ConnectedMachine:
    """Runs commands as pages show them; ``folder`` is the current one, and has the drives below ``media``."""

    def __init__(self, folder: Path, registry: Registry, factory: ReleaseFactory, keyring: Keyring, ova: str) -> None:
        self.folder = folder
        self._registry = registry
        self._factory = factory
        self._keyring = keyring
        self._store = SignatureStore(folder / "signatures")
        self._key = keyring.create("machine")
        for name in ("usb", "a", "b", "p", "second"):
            (folder / "media" / name).mkdir(parents=True)
        self.releases = self._publish(ova)
        self._write_files()
        self.publish_catalog()

    def run(self, command: str, *words: str, **environment: str) -> tuple[int | None, str]:
        """Return the status and the output, in one line, of a command; ``words`` are added to it."""
        given = shlex.split(self.here(command), comments=True)[1:]
        environment = {"XDG_STATE_HOME": str(self.folder / "state"), **environment}
        found = environment_for(self.folder, environment)
        play = start_ansible_playbook(["-e", "@machine.json", *given, *words], found, self.folder)
        output, _unused = play.communicate(timeout=300)
        return play.returncode, " ".join(output.split())

    def here(self, text: str) -> str:
        """Return ``text`` with the drives of this machine."""
        return text.replace("/media/", f"{self.folder}/media/")

    def drive(self, name: str) -> Path:
        """Return a folder on a drive."""
        return self.folder / "media" / name

    def digest_on(self, drive: str) -> str:
        """Return the digest of the index of the bundle on a drive."""
        return f"sha256:{hashlib.sha256((self.drive(drive) / 'index.json').read_bytes()).hexdigest()}"

    def publish_catalog(self, *unnamed: str) -> None:
        """Publish the catalog of the page about operators; their newest bundles also name the images ``unnamed``."""
        partner = PartnerCatalog(self._factory, self._registry)
        image = str(partner.images["1.0.0"][0].reference.by_digest())
        partner.documents = [
            one for package in OPERATORS for one in _package(package, image, *OPERATORS[package], unnamed)
        ]
        files = {
            f"configs/{package}/catalog.json": b"\n".join(
                json.dumps(one).encode() for one in partner.documents if package in (one["name"], one.get("package"))
            )
            for package in OPERATORS
        }
        partner.publish(files, named=CATALOG)

    def _publish(self, ova: str) -> dict[str, Release]:
        """Publish the releases of the pages, signed; the one with boot images names the file at ``ova``."""
        specs = [ReleaseSpec(version) for version in PATH[:-1]]
        last = ReleaseSpec(PATH[-1], stream=_stream(ova))
        releases = {}
        several = ReleaseSpec(PATH[-1], architectures=("x86_64", "aarch64"))
        for spec in (several, *specs, last, last.next_z_stream(NEXT, share=0.3, keeps=2)):
            releases[spec.version] = release = self._factory.release(spec)
            self._registry.publish(release)
            self._store.sign(self._keyring, self._key, release.reference)
        return releases

    def _write_files(self) -> None:
        registry, secret = self._registry, self._keyring.export_secret(self._key, self.folder / "secret.asc")
        for name in ("bundle-key.asc", "site-key.pub"):
            (self.folder / name).write_text(self._key.public_key)
        shutil.copy(str(registry.pull_secret), self.folder / "pull-secret.json")
        settings = {
            "site_mirrors": [{"source": one, "mirrors": [registry.host], "contact_source": False} for one in SOURCES],
            "site_ca_file": str(registry.ca_file),
            "site_pull_secret": "pull-secret.json",
            "site_release_keys": ["bundle-key.asc"],
            "site_signature_stores": [str(self._store.directory)],
            "site_signing_key": str(secret),
        }
        (self.folder / "machine.json").write_text(json.dumps(settings))
        (self.folder / "graph.json").write_text(json.dumps(self._graph()))
        inventory = SiteInventory("2026-11-26T18:00:00Z", "", PATH[-1], (), {"master-0": frozenset()}).as_bytes()
        (self.folder / "inventory.json").write_bytes(inventory)
        (self.folder / "inventory.json.asc").write_bytes(sign_content(inventory, secret, None, SystemClock()))
        for page, indented in blocks("yaml"):
            text = textwrap.dedent(indented)
            name = text.partition("\n")[0].removeprefix("# ")
            if page == "docs/operators.md" and name in ("operators.yml", "site-a.yml"):
                (self.folder / name).write_text(text)

    def _graph(self) -> Json:
        """Return an update graph of all releases: from each start, one after another."""
        versions = (*STARTS, *PATH)
        start = f"quay.io/openshift-release-dev/ocp-release@sha256:{'0' * 64}"
        payloads = {version: str(one.reference.by_digest()) for version, one in self.releases.items()}
        nodes = [{"version": version, "payload": payloads.get(version, start)} for version in versions]
        return {"version": 1, "nodes": nodes, "edges": [[0, 2], [1, 2], [2, 3], [3, 4]]}


def _stream(ova: str) -> str:
    disk = {"location": ova, "sha256": hashlib.sha256(b"ova").hexdigest()}
    artifacts = {"vmware": {"release": "9.8.20260428-0", "formats": {"ova": {"disk": disk}}}}
    return json.dumps({"stream": "rhcos-4.21", "architectures": {"x86_64": {"artifacts": artifacts}}})


def _package(package: str, image: str, channel: str, versions: tuple[str, ...], unnamed: tuple[str, ...]) -> list[Json]:
    """Return the documents of a package with one channel, whose newest bundle names more images."""
    names = [f"{package}.v{version}" for version in versions]
    entries = [{"name": name, **({"replaces": names[at - 1]} if at else {})} for at, name in enumerate(names)]
    bundles = [
        {
            "schema": "olm.bundle",
            "package": package,
            "name": name,
            "image": image,
            "properties": [{"type": "olm.package", "value": {"packageName": package, "version": version}}],
            "relatedImages": [{"name": "debug", "image": one} for one in unnamed if version == versions[-1]],
        }
        for name, version in zip(names, versions)
    ]
    return [
        {"schema": "olm.package", "name": package, "defaultChannel": channel},
        {"schema": "olm.channel", "package": package, "name": channel, "entries": entries},
        *bundles,
    ]
