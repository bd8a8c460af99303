# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The bundle on the media of a site, if all of them contain the same one.

Two different USB drives are the mistake that enhancement #1432 notices only after the first one is on every node
(openshift/enhancements, ``update/upgrade-without-registry.md``, the comparison of metadata). Here it ends the work
before a byte is copied. A delta and the bundle that it is a delta to may be there together: they are one delivery.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import PARITY_NAME, Volume
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class FoundBundle:
    """A bundle that can be used, in the folder ``path`` of the machine ``holder``."""

    holder: str
    path: str
    digest: str
    base: str
    version: str
    volume: Mapping[str, t.Any] | None = None

    def __str__(self) -> str:
        return f"{self.version or 'another bundle'} ({self.digest}) on {self.holder} in {self.path}"


@dataclass(frozen=True)
class MediaChoice:
    """The one bundle, and in which folders of which machine it is; ``hints`` are for users who find nothing.

    Where ``in_parts``, no folder has the whole bundle, and ``absent`` are its drives that are not connected, as far as
    the others say.
    """

    digest: str
    version: str
    folders: Mapping[str, Sequence[str]]
    in_parts: bool
    hints: tuple[str, ...]
    absent: tuple[str, ...] = ()

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {
            "index_digest": self.digest,
            "version": self.version,
            "folders": {holder: list(paths) for holder, paths in self.folders.items()},
            "in_parts": self.in_parts,
            "hints": list(self.hints),
            "absent": list(self.absent),
        }


def choose_bundle(media: Mapping[str, Mapping[str, t.Any]], wanted: str = "") -> MediaChoice:
    """Return the bundle on the media of all machines; ``media`` is what each of them reported, by its name.

    Where no medium has all of a bundle, those that have parts of one are used together. Without any, the digest is
    empty and the hints say what was found instead. Raises InvalidInputError for two different bundles, and for another
    one than that of the vetted digest ``wanted``, or of its beginning.
    """
    usable = list(_usable(media, "whole"))
    in_parts = not usable
    usable = usable or list(_usable(media, "part"))
    bases = {one.base for one in usable}
    offered = [one for one in usable if one.digest not in bases]
    if len({one.digest for one in offered}) > 1:
        raise _refusal("these media hold different bundles", offered, "Connect only the media with one of them.")
    if not all(one.digest.startswith(wanted) for one in offered):
        advice = "Connect only the medium with the vetted bundle, or check its digest again."
        raise _refusal(f"they contain another bundle than the vetted bundle {wanted}", offered, advice)
    folders: dict[str, list[str]] = {}
    for one in offered:
        if in_parts or one.holder not in folders:
            folders.setdefault(one.holder, []).append(one.path)
    digest, version = (offered[0].digest, offered[0].version) if offered else ("", "")
    absent = _absent(offered) if in_parts else ()
    return MediaChoice(digest, version, folders, in_parts and bool(offered), _hints(media), absent)


def _usable(media: Mapping[str, Mapping[str, t.Any]], kind: str) -> Iterable[FoundBundle]:
    for holder, report in media.items():
        for one in report.get("bundles") or ():
            if one["is_part"] if kind == "part" else not one["problem"]:
                base, path, digest = str(one.get("base") or ""), str(one["path"]), str(one["index_digest"])
                yield FoundBundle(holder, path, digest, base, str(one["version"]), one.get("volume"))


def _absent(offered: Sequence[FoundBundle]) -> tuple[str, ...]:
    """Return the drives that others name and that are not connected; that with the parity is not needed."""
    told = [one.volume for one in offered if one.volume is not None]
    here = {name for volume in told for name in volume["names"]} | {PARITY_NAME}
    others = {other["name"]: Volume(other["name"], other["label"]) for volume in told for other in volume["others"]}
    return tuple(str(others[name]) for name in sorted(others) if name not in here)


def _hints(media: Mapping[str, Mapping[str, t.Any]]) -> tuple[str, ...]:
    hints = []
    for holder, report in media.items():
        hints += [f"{holder}: {one['path']}: {one['problem']}" for one in report.get("bundles") or () if one["problem"]]
        hints += [
            f"{holder}: {one['device']} ({one['fs_type'] or 'unknown file system'}): {one['problem']}"
            for one in report.get("unmounted") or ()
        ]
    return tuple(hints)


def _refusal(seen: str, offered: Sequence[FoundBundle], advice: str) -> InvalidInputError:
    return InvalidInputError(
        "select the bundle",
        on="the media of the site",
        seen=f"{seen}: {'; '.join(dict.fromkeys(map(str, offered)))}",
        advice=f"{advice} Nothing was copied.",
    )
