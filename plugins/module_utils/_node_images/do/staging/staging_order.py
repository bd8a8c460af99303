# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What to stage and from where, in a form that a job can be given."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import (
    FolderSource,
    IndexSource,
    RelaySource,
    RelaySourceSpec,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class StagingOrder:
    """What to stage and from where; ``images`` chooses some of them, none means all.

    ``parts`` are folders of this host besides ``src`` that have other blobs of the bundle.
    """

    digest: Digest
    images: tuple[str, ...] = ()
    sources: tuple[RelaySourceSpec, ...] = ()
    src: str = ""
    parts: tuple[str, ...] = ()

    @property
    def job_id(self) -> str:
        """Return the id of the job, one for each bundle."""
        return f"stage-{self.digest.short}"

    def folders(self, host: Host) -> list[BundleFolder]:
        """Return the folders of this host that have blobs of the bundle."""
        return [BundleFolder(host.path(one)) for one in (self.src, *self.parts) if one]

    def open_sources(self, host: Host) -> list[IndexSource]:
        """Return the sources, local ones first."""
        local: list[IndexSource] = [FolderSource(one.path) for one in self.folders(host)]
        return [*local, *(RelaySource(spec, host.clock) for spec in self.sources)]

    def arguments(self) -> dict[str, t.Any]:
        """Return the arguments of the job that may be in a file; the tokens are its secrets."""
        return {
            "index_digest": str(self.digest),
            "images": list(self.images),
            "sources": [{"url": spec.url, "ca": spec.ca} for spec in self.sources],
            "src": self.src,
            "parts": list(self.parts),
        }

    def secrets(self) -> dict[str, str]:
        """Return the tokens, by the numbers of their sources."""
        return {f"token-{number}": spec.token for number, spec in enumerate(self.sources) if spec.token}

    @classmethod
    def of(cls, arguments: Mapping[str, t.Any], secrets: Mapping[str, str]) -> StagingOrder:
        """Return the order that ``arguments`` and ``secrets`` were made from."""
        return cls(
            digest=Digest.parse(arguments["index_digest"]),
            images=tuple(arguments["images"]),
            sources=tuple(
                RelaySourceSpec(source["url"], source["ca"], secrets.get(f"token-{number}", ""))
                for number, source in enumerate(arguments["sources"])
            ),
            src=arguments["src"],
            parts=tuple(arguments["parts"]),
        )
