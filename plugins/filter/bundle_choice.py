# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: bundle_choice
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Select the bundle on the removable media of a site
description:
  - Takes the results of M(fieldops.openshift.node_media) from several machines and returns the one bundle that all
    media contain, with its folder on each machine.
  - Fails if the media contain different bundles, or a bundle other than the vetted one. A delta and its base bundle
    can be present together. In that case, the delta is selected.
  - If no medium contains the complete bundle, media with parts of the bundle are used together.
options:
  _input:
    description: The results of M(fieldops.openshift.node_media) by machine name.
    type: dict
    required: true
  index_digest:
    description: The vetted digest of the bundle index, C(sha256:...), or at least its first 32 digits, if known.
    type: str
    default: ""
seealso:
  - plugin: fieldops.openshift.relay_plan
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Search for media on all nodes
  fieldops.openshift.node_media:
  delegate_to: "{{ item }}"
  become: true
  loop: "{{ site_nodes }}"
  register: media

- name: Stop if different bundles were found
  ansible.builtin.set_fact:
    choice: >-
      {{ dict(site_nodes | zip(media.results)) | fieldops.openshift.bundle_choice(index_digest=site_bundle_digest) }}
"""

RETURN = r"""
_value:
  description: The selected bundle and its folders.
  type: dict
  contains:
    index_digest:
      description: The digest of the bundle index. Empty if no medium contains a usable bundle.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The version of the release.
      type: str
      sample: 4.21.3
    folders:
      description: The folders by machine name, for each machine that has any. A single folder is sufficient unless
        RV(_value.in_parts).
      type: dict
      sample: {"master-0": [/run/media/usb/4.21.3-x86_64]}
    in_parts:
      description: Whether no medium contains the complete bundle, so that all folders are needed.
      type: bool
      sample: false
    absent:
      description: If RV(_value.in_parts), the drives of the bundle that are not connected, except the drive with the
        parity, as far as the connected drives list them. Nodes may already hold their content.
      type: list
      elements: str
      sample: [drive B (label FIELDOPS-2)]
    hints:
      description: The bundles and devices that were found but cannot be used, with the reason.
      type: list
      elements: str
      sample:
        - "worker-0: /dev/sdb1 (exfat): it could not be mounted: unknown filesystem type 'exfat'."
"""

import typing as t
from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media_choice import choose_bundle
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("results of node_media by machine are needed")
def bundle_choice(media: Mapping[str, Mapping[str, t.Any]], index_digest: str = "") -> dict[str, t.Any]:
    """Return the choice as plain data."""
    return choose_bundle(media, index_digest).as_document()


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"bundle_choice": bundle_choice}
