# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files by which container tools of a node find a bundle's images at the node's image source. Pure.

All of them find an image under its own name: a drop-in of registries.conf names the source as the first mirror of each
repository. As a drop-in replaces the whole entry that another file has for the same or a shorter prefix, the mirrors
of the site follow ours. Only pulls by digest are answered.

Source: containers-registries.conf(5), containers-registries.conf.d(5), containers-registries.d(5); containers/image
``pkg/sysregistriesv2``: a prefix without a location is refused, and so is every other file then.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import (
    read_toml,
    toml_string,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    ALL,
    BY_DIGEST,
    Mirror,
    MirrorRule,
    MirrorRules,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.registries_conf import RegistriesConf

DROP_IN_FILE: t.Final = "zz-fieldops-image-source.conf"
"""Sorts after the files of container tools, because the last one applies to a prefix."""
SIGNATURES_FILE: t.Final = "zz-fieldops-image-source.yaml"
MARK: t.Final = "# fieldops.openshift image source"

_FLAGS = ("insecure", "blocked", "mirror-by-digest-only")
_HEAD = f"""{MARK}: written again when another file about registries changes, removed with it.
# It repeats the mirrors that the other files give these repositories.
"""


@dataclass(frozen=True)
class MirrorSettings:
    """``port`` of the source on the loopback address; ``blocked`` are registries that are not asked any more."""

    port: int
    blocked: tuple[str, ...] = ()

    @property
    def location(self) -> str:
        """Return where the source listens."""
        return f"127.0.0.1:{self.port}"


def site_rules(files: Mapping[str, str]) -> MirrorRules:
    """Return what the ``files`` say, contents by path in the order in which they count; raises InvalidInputError."""
    joined = RegistriesConf(MirrorRules())
    for path, text in files.items():
        joined = joined.joined(RegistriesConf.of(_with_flags(read_toml(text.lstrip("\ufeff"), path)), on=path))
    return joined.rules


def drop_in(repositories: Iterable[str], rules: MirrorRules, settings: MirrorSettings) -> str:
    """Return the drop-in for ``repositories``, each with its exact name, over the ``rules`` of the site."""
    entries = [_entry(name, rules.rule_for(name), settings) for name in sorted(set(repositories))]
    return "\n".join([_HEAD, *(_text(entry) for entry in entries)]) if entries else ""


def signature_lookup(settings: MirrorSettings) -> str:
    """Return the file by which signatures that are attached to images are requested at the source."""
    return f"{MARK}\ndocker:\n  {settings.location}:\n    use-sigstore-attachments: true\n"


def with_hosts(text: str, names: Collection[str]) -> str:
    """Return the text of a hosts file in which ``names``, and no other of ours, are the machine itself.

    CRI-O up to 1.34 asks for the address of an image's own registry at each pull, for ten seconds where no name server
    answers. The address is ::1: for one in 127.0.0.0/8 those releases also skip TLS verification.
    Source: cri-o ``internal/storage/image.go`` (isSecureIndex).
    """
    kept = [line for line in text.splitlines() if not line.endswith(MARK)]
    ours = [f"::1 {name} {MARK}" for name in sorted(names)]
    lines = [*kept, *ours]
    return "\n".join(lines) + "\n" if lines else ""


def asks_for_addresses(version: str) -> bool:
    """Whether CRI-O of ``version``, such as 1.34.0, looks up the registry of an image at each pull."""
    numbers = version.strip().split(".")
    try:
        return (int(numbers[0]), int(numbers[1])) < (1, 35)
    except (IndexError, ValueError):
        return True


def _with_flags(value: t.Any) -> t.Any:
    """Return a document of our reader, which leaves flags as the words that they are written as, with flags."""
    if isinstance(value, list):
        return [_with_flags(one) for one in value]
    if not isinstance(value, dict):
        return value
    words = {"true": True, "false": False}
    return {
        key: words.get(one, one) if key in _FLAGS and isinstance(one, str) else _with_flags(one)
        for key, one in value.items()
    }


def _entry(name: str, rule: MirrorRule | None, settings: MirrorSettings) -> MirrorRule:
    own = Mirror(f"{settings.location}/{name.partition('/')[2]}", insecure=True, pulls=BY_DIGEST)
    if rule is None:
        return MirrorRule(name, name, blocked=_is_blocked(name, settings), mirrors=(own,))
    rest = name[len(rule.matched(name) or "") :]
    location = f"{rule.location}{rest}" if rule.location else name
    others = [
        Mirror(mirror.location + rest, mirror.insecure, mirror.pulls)
        for mirror in rule.mirrors
        if mirror.location.partition("/")[0] != settings.location
    ]
    blocked = rule.blocked or _is_blocked(location, settings)
    return MirrorRule(name, location, rule.insecure, blocked, (own, *others))


def _is_blocked(location: str, settings: MirrorSettings) -> bool:
    return location.partition("/")[0] in settings.blocked


def _text(rule: MirrorRule) -> str:
    lines = ["[[registry]]", f"location = {toml_string(rule.location)}"]
    if rule.location != rule.prefix:
        lines.insert(1, f"prefix = {toml_string(rule.prefix)}")
    lines += [f"{flag} = true" for flag in ("insecure", "blocked") if getattr(rule, flag)]
    for mirror in rule.mirrors:
        lines += ["", "[[registry.mirror]]", f"location = {toml_string(mirror.location)}"]
        lines += ["insecure = true"] if mirror.insecure else []
        lines += [f"pull-from-mirror = {toml_string(mirror.pulls)}"] if mirror.pulls != ALL else []
    return "\n".join(lines) + "\n"
