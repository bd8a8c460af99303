# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: bundle_choice
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Tell which bundle the media of a site hold
description:
  - Takes what M(fieldops.openshift.node_media) found on several machines and names the one bundle that all media
    hold, with the folder on each machine.
  - Fails when media hold different bundles, or another one than the vetted one. A delta and the bundle that it is a
    delta to are no contradiction; then the delta is chosen.
  - Media with parts of one bundle are used side by side where none has all of it.
options:
  _input:
    description: The results of M(fieldops.openshift.node_media), by the name of the machine.
    type: dict
    required: true
  index_digest:
    description: The vetted digest of the bundle's index, C(sha256:...), where it is known.
    type: str
    default: ""
seealso:
  - plugin: fieldops.openshift.relay_plan
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Look for media on all nodes
  fieldops.openshift.node_media:
  delegate_to: "{{ item }}"
  become: true
  loop: "{{ site_nodes }}"
  register: media

- name: Stop if two different bundles were plugged in
  ansible.builtin.set_fact:
    choice: >-
      {{ dict(site_nodes | zip(media.results)) | fieldops.openshift.bundle_choice(index_digest=site_bundle_digest) }}
"""

RETURN = r"""
_value:
  description: The bundle, and where it lies.
  type: dict
  contains:
    index_digest:
      description: The digest of its index, empty where no medium holds a bundle that can be used.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The release.
      type: str
      sample: 4.21.3
    folders:
      description: The folders on each machine that has any, by the name of the machine. One is enough, unless
        RV(_value.in_parts).
      type: dict
      sample: {"master-0": [/run/media/usb/4.21.3-x86_64]}
    in_parts:
      description: Whether no medium has all of the bundle, so that all folders are needed.
      type: bool
      sample: false
    hints:
      description: What was found and cannot be used, and why.
      type: list
      elements: str
      sample:
        - "worker-0: /dev/sdb1 (exfat): it could not be mounted: unknown filesystem type 'exfat'."
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media_choice import choose_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def bundle_choice(media: Mapping[str, Mapping[str, t.Any]], index_digest: str = "") -> dict[str, t.Any]:
    """Return the choice as plain data."""
    try:
        return choose_bundle(media, index_digest).as_document()
    except FieldOpsError as error:
        raise AnsibleFilterError(f"bundle_choice: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise AnsibleFilterError(
            f"bundle_choice: results of node_media by machine are needed: {type(error).__name__}: {error}"
        ) from error


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"bundle_choice": bundle_choice}
