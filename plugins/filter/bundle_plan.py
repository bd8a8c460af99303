# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: bundle_plan
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Describe what a build of a bundle would download
description:
  - Converts RV(fieldops.openshift.release_bundle#module:forecast), which the module returns in check mode, to lines
    for people. They report the sizes by part, what parts share, the bytes to download, the time that takes, the space
    on the medium and on each node, and what to leave out if the medium is too small.
options:
  _input:
    description: The forecast.
    type: dict
    required: true
  bandwidth:
    description: The bandwidth of the connection to the registries in Mbit/s.
    type: float
    default: 100
"""

EXAMPLES = r"""
- name: Plan the bundle
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.1
    version: 4.20.1
  check_mode: true
  register: planned

- name: Show the plan
  ansible.builtin.debug:
    msg: "{{ planned.forecast | fieldops.openshift.bundle_plan(bandwidth=50) }}"
"""

RETURN = r"""
_value:
  description: The lines.
  type: list
  elements: str
  sample:
    - "To download: 14.2 GiB, 20m 20s at 100 Mbit/s."
    - "On each node: 16.2 GiB staged, about 40.5 GiB unpacked."
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.plan_lines import plan_lines

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def bundle_plan(forecast: Mapping[str, t.Any], bandwidth: float = 100) -> list[str]:
    """Return the plan in lines."""
    if not 0 < float(bandwidth) < float("inf"):
        raise AnsibleFilterError(f"bundle_plan: bandwidth must be greater than 0, and is {bandwidth}")
    try:
        return plan_lines(forecast, float(bandwidth))
    except (KeyError, TypeError, AttributeError) as error:
        raise AnsibleFilterError(
            f"bundle_plan: a forecast of release_bundle is needed: {type(error).__name__}: {error}"
        ) from error


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"bundle_plan": bundle_plan}
