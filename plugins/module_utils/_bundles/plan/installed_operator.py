# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An operator that a site runs, as its Subscription, the inventory of the site or a request for a bundle names it."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

# The name of a ClusterServiceVersion, which usually ends in its version.
_NAME = re.compile(r"[A-Za-z][^/\s]*?(?:\.v?([0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]*)?))?", re.ASCII)


@dataclass(frozen=True, order=True)
class InstalledOperator:
    """``bundle`` is the name of its ClusterServiceVersion; ``version`` is empty where only a name without one is known.

    The other fields are where a site has it; a request does without them.
    """

    package: str
    version: str = ""
    bundle: str = ""
    namespace: str = ""
    channel: str = ""
    catalog: str = ""

    @classmethod
    def named(cls, package: str, bundle: str, **where: str) -> InstalledOperator:
        """Return the operator whose ClusterServiceVersion is ``bundle``, and the version that this name ends in."""
        found = _NAME.fullmatch(bundle)
        return cls(package, found[1] or "" if found is not None else "", bundle, **where)

    @classmethod
    def of(cls, subscription: Mapping[str, t.Any]) -> InstalledOperator:
        """Return the operator of a Subscription object. Before it is installed, it has no version and no bundle."""
        spec, status = subscription.get("spec") or {}, subscription.get("status") or {}
        return cls.named(
            str(spec.get("name") or ""),
            str(status.get("installedCSV") or ""),
            namespace=str(subscription["metadata"].get("namespace") or ""),
            channel=str(spec.get("channel") or ""),
            catalog=f"{spec.get('sourceNamespace') or ''}/{spec.get('source') or ''}",
        )

    @classmethod
    def from_document(cls, document: Document) -> InstalledOperator:
        """Return what ``as_data`` gave; raises the error of the document for anything else."""
        return cls(**{field.name: document[field.name].text() for field in fields(cls)})

    def as_data(self) -> dict[str, str]:
        """Return the operator as files and results show it."""
        return asdict(self)

    @property
    def semantic_version(self) -> ReleaseVersion | None:
        """Return the version in a form that can be compared."""
        return ReleaseVersion.parse(self.version)

    @property
    def label(self) -> str:
        """Return what results call it."""
        return self.version or self.bundle


def names_a_bundle(text: str) -> bool:
    """Whether ``text`` can be the name of a ClusterServiceVersion."""
    return _NAME.fullmatch(text) is not None
