# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: chosen_images
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Select images of a bundle by name or component
description:
  - Returns the names of the selected images, in the order of the bundle.
  - Fails if the bundle does not contain a selected name or component, and reports it.
options:
  _input:
    description:
      - The images, as returned in RV(fieldops.openshift.release_bundle_info#module:bundle.images) or by
        M(fieldops.openshift.node_info), or a list of names. From a list of names, images cannot be selected by
        component.
    type: list
    elements: raw
    required: true
  choice:
    description:
      - A list of names (C(repository@digest)) and components to select. An empty list selects all images.
      - Alternatively a dictionary of such lists, for example by pool name. The result is then a dictionary of lists.
    type: raw
    required: true
seealso:
  - plugin: fieldops.openshift.images_by_node
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Determine the images for the nodes of each pool
  ansible.builtin.set_fact:
    chosen: "{{ bundle.images | fieldops.openshift.chosen_images({'worker': ['cli', 'rhel-coreos']}) }}"
"""

RETURN = r"""
_value:
  description: The names of the selected images, or a dictionary of such lists.
  type: raw
  sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_names
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("images and lists of names are needed")
def chosen_images(
    images: Sequence[Mapping[str, t.Any] | str], choice: Mapping[str, Sequence[str]] | Sequence[str]
) -> dict[str, list[str]] | list[str]:
    """Return the names as plain data."""
    if isinstance(choice, Mapping):
        return {str(key): _names(images, words) for key, words in choice.items()}
    return _names(images, choice)


def _names(images: Sequence[Mapping[str, t.Any] | str], words: Sequence[str]) -> list[str]:
    if isinstance(words, str):
        raise TypeError(f"{words[:100]!r} is not a list")
    return list(select_names(images, [str(word) for word in words]))


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"chosen_images": chosen_images}
