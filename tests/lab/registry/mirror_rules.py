# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules that lead image names to the lab's registry, as an ImageDigestMirrorSet becomes on a node.

Source: containers-registries.conf(5).
"""

from __future__ import annotations

from collections.abc import Iterable


def mirror_rules(host: str, prefixes: Iterable[str], *, insecure: bool, by_digest_only: bool = True) -> str:
    """Return a registries.conf that finds ``registry/path`` at ``host/path``.

    The sources are blocked: the mirror is asked all the same, and nothing ever leaves the lab.
    """
    return "\n".join(_rule(host, prefix, insecure, by_digest_only) for prefix in prefixes)


def _rule(host: str, prefix: str, insecure: bool, by_digest_only: bool) -> str:
    path = prefix.partition("/")[2]
    return f"""\
[[registry]]
prefix = "{prefix}"
location = "{prefix}"
mirror-by-digest-only = {str(by_digest_only).lower()}
blocked = true
[[registry.mirror]]
location = "{host}{path and f"/{path}"}"
insecure = {str(insecure).lower()}
"""
