# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which components of a release travel: all, or those of the wanted platforms and names."""

from __future__ import annotations

import fnmatch
import typing as t
from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.release_payload import Component
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

PLATFORM_MARKS: t.Final[dict[str, tuple[str, ...]]] = {
    "alibaba": ("alibaba-*",),
    "aws": ("aws-*",),
    "azure": ("azure-*", "azure-stack-*"),
    "baremetal": ("baremetal-*", "ironic*", "machine-os-images", "metal3-*"),
    "gcp": ("gcp-*",),
    "ibmcloud": ("ibm-*", "ibmcloud-*"),
    "kubevirt": ("kubevirt-*",),
    "libvirt": ("libvirt-*",),
    "nutanix": ("nutanix-*",),
    "openstack": ("openstack-*",),
    "ovirt": ("ovirt-*",),
    "powervs": ("powervs-*",),
    "vsphere": ("vsphere-*", "vmware-*"),
}
"""Names of components that only one platform uses, by the platform's name in ``infrastructure.config.openshift.io``."""


@dataclass(frozen=True)
class Selection:
    """``platforms``: leave out what only other ones need (empty: keep all). ``only`` and ``exclude`` are patterns.

    A component named by ``only`` is kept whatever its platform; ``exclude`` has the last word.
    """

    platforms: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        unknown = sorted(set(self.platforms) - set(PLATFORM_MARKS) - {"none"})
        if unknown:
            raise _refusal("platforms", f"{', '.join(unknown)} is unknown", f"Use {', '.join(PLATFORM_MARKS)}, none.")

    def chosen(self, components: Iterable[Component]) -> tuple[Component, ...]:
        """Return the components that travel; raise InvalidInputError for a pattern that matches none."""
        known = tuple(components)
        for pattern in (*self.only, *self.exclude):
            if not any(fnmatch.fnmatchcase(component.name, pattern) for component in known):
                raise _refusal(
                    "only and exclude", f"no component matches {pattern!r}", "Check the names in image-references."
                )
        return tuple(component for component in known if self._takes(component.name))

    def _takes(self, name: str) -> bool:
        if _matches(name, self.exclude):
            return False
        return _matches(name, self.only) if self.only else not self._is_foreign(name)

    def _is_foreign(self, name: str) -> bool:
        owners = platforms_of(name)
        return bool(self.platforms and owners) and not set(owners) & set(self.platforms)


def platforms_of(component: str) -> tuple[str, ...]:
    """Return the platforms that alone use a component; none for one that all use."""
    return tuple(platform for platform, marks in PLATFORM_MARKS.items() if _matches(component, marks))


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _refusal(on: str, seen: str, advice: str) -> InvalidInputError:
    return InvalidInputError("choose the components of a release", on=on, seen=seen, advice=advice)
