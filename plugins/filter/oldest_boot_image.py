# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: oldest_boot_image
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Tell which boot image version has to be recorded
description:
  - Tells the version of the oldest boot image that MachineSets of a cluster have, as its administrator has to record it
    with M(fieldops.openshift.boot_image_policy).
  - MachineSets of Windows and the control plane do not count, as with what the operator records itself.
options:
  _input:
    description: What M(fieldops.openshift.boot_image_info) returned for all MachineSets.
    type: dict
    required: true
"""

EXAMPLES = r"""
- name: See what all MachineSets have
  fieldops.openshift.boot_image_info:
  register: site_boot_images

- name: Record it
  fieldops.openshift.boot_image_policy:
    skew_enforcement:
      mode: Manual
      rhcos_version: "{{ (site_boot_images | fieldops.openshift.oldest_boot_image).rhcos_version }}"
"""

RETURN = r"""
_value:
  description: V(rhcos_version) where the image of each MachineSet is known, V(ocp_version) where all of them have the
    stream's image, the other one being empty. Where neither is so, both are empty and V(reason) says why.
  type: dict
  sample: {"ocp_version": "", "rhcos_version": 9.6.20251023-0, "reason": ""}
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew import record
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


def oldest_boot_image(found: object) -> dict[str, str]:
    """Return the version to record; see DOCUMENTATION."""
    try:
        return record.oldest_boot_image(found)
    except FieldOpsError as error:
        raise AnsibleFilterError(str(error)) from error


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"oldest_boot_image": oldest_boot_image}
