# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Additional images out of an ImageSetConfiguration of oc-mirror, so that one list serves both tools.

Source: openshift/oc-mirror ``docs/reference/image-set-configuration-v1alpha2.yaml`` and ``v2``.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_HEAD = ("apiVersion", "kind", "metadata", "mirror")
_IMAGES = "additionalImages"


def additional_images(document: t.Any, *, on: str) -> tuple[str, ...]:
    """Return ``mirror.additionalImages`` by name; see ``keys_passed_over`` for the rest of the configuration."""
    if not isinstance(document, dict) or document.get("kind") != "ImageSetConfiguration":
        raise _refusal(on, "it is not an ImageSetConfiguration")
    mirror = document.get("mirror")
    listed = mirror.get(_IMAGES) if isinstance(mirror, dict) else None
    if listed is None:
        return ()
    if not isinstance(listed, list):
        raise _refusal(on, "mirror.additionalImages is not a list")
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in listed]
    if not all(isinstance(name, str) for name in names):
        raise _refusal(on, "an entry of mirror.additionalImages has no name")
    return tuple(str(name) for name in names)


def keys_passed_over(document: t.Any) -> tuple[str, ...]:
    """Return the dotted names of the keys with a value that ``additional_images`` makes no use of, in their order."""
    if not isinstance(document, dict):
        return ()
    found = [str(key) for key, value in document.items() if value and key not in _HEAD]
    mirror = document.get("mirror")
    if isinstance(mirror, dict):
        found += [f"mirror.{key}" for key, value in mirror.items() if value and key != _IMAGES]
        listed = mirror.get(_IMAGES)
        entries = listed if isinstance(listed, list) else []
        found += [
            f"mirror.{_IMAGES}[].{key}"
            for entry in entries
            if isinstance(entry, dict)
            for key, value in entry.items()
            if value and key != "name"
        ]
    return tuple(key[:100] for key in dict.fromkeys(found))


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the image set configuration", on=on, seen=seen, advice="Use the format of the oc-mirror documentation."
    )
