# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A fence around a node: rules under which no registry is asked for the images of a bundle, nor any mirror of it.

Source: containers-registries.conf(5) and containers-registries.conf.d(5): the longest prefix decides, and a later file
replaces the rule that an earlier one has for the same prefix.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import (
    read_toml,
    toml_string,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FENCE_FILE = "zz-fieldops-fence.conf"
"""Sorts behind the files of the machine-config operator (99-) and of container tools."""

MARK = "# Written by fieldops.openshift.registry_fence. While it is here, no registry below is asked for anything."


def prefixes_of(images: Iterable[ImageReference]) -> set[str]:
    """Return the registries of ``images`` and, because the longest prefix decides, their repositories."""
    return {prefix for image in images for prefix in (image.registry, image.name)}


def known_prefixes(files: Mapping[str, str]) -> set[str]:
    """Return the prefixes that the ``files``, contents by name, have rules for; raises InvalidInputError."""
    found: set[str] = set()
    for name, content in files.items():
        rules = read_toml(content, name).get("registry", [])
        if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
            raise InvalidInputError(
                "read the rules for registries",
                on=name,
                seen="registry is not an array of tables",
                advice="Correct the file; nothing was changed.",
            )
        found.update(str(rule.get("prefix") or rule.get("location") or "") for rule in rules)
    return found - {""}


def fence_content(registries: Iterable[str], known: Iterable[str]) -> str:
    """Return the file that blocks ``registries`` with all that lies below them, and what is ``known`` below them."""
    blocked = set(registries)
    blocked |= {prefix for prefix in known if any(_is_below(prefix, registry) for registry in blocked)}
    return "\n".join([MARK, *(_rule(prefix) for prefix in sorted(blocked))])


def _rule(prefix: str) -> str:
    text = toml_string(prefix)
    return f"[[registry]]\nprefix = {text}\nlocation = {text}\nblocked = true\n"


def _is_below(prefix: str, registry: str) -> bool:
    return prefix == registry or prefix.startswith((f"{registry}/", f"{registry}:"))
