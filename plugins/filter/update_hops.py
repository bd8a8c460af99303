# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: update_hops
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Determine the updates of a bundle that a cluster still has to take
description:
  - Returns the updates that lead from the release of the cluster to the target of the bundle, in their order. For a
    bundle of one release this is one update.
  - Fails if a bundle of several releases has no path from the release of the cluster.
options:
  _input:
    description: The bundle, as in RV(fieldops.openshift.release_bundle_info#module:bundle).
    type: dict
    required: true
  history:
    description: The update history of the cluster, as in
      RV(fieldops.openshift.cluster_health_info#module:cluster_version.history).
    type: list
    elements: dict
    required: true
  accepted_risks:
    description: The names of the risks that the site accepts.
    type: list
    elements: str
    default: []
seealso:
  - module: fieldops.openshift.release_bundle
  - module: fieldops.openshift.cluster_update
"""

EXAMPLES = r"""
- name: Show the versions that the cluster passes
  ansible.builtin.debug:
    msg: "{{ found.bundle | fieldops.openshift.update_hops(site.cluster_version.history) | map(attribute='version') }}"
"""

RETURN = r"""
_value:
  description: The updates.
  type: list
  elements: dict
  contains:
    version:
      description: The version after the update.
      type: str
      sample: 4.19.14
    release:
      description: The release image by digest.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    target:
      description: A digest that distinguishes the update from the other updates of the bundle.
      type: str
      sample: "sha256:9e2e4cf1..."
    holds_workers:
      description: Whether the worker pools can stay paused until a later update, because their kubelets are supported
        by the next release.
      type: bool
      sample: true
    unaccepted:
      description: Messages about known risks of the update that are not in O(accepted_risks).
      type: list
      elements: str
      sample: []
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_hops import (
    update_hops as find_hops,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates

Facts = Mapping[str, t.Any]


@in_templates()
def update_hops(bundle: Facts, history: Sequence[Facts], accepted_risks: Sequence[str] = ()) -> list[dict[str, t.Any]]:
    """Return the updates as plain data."""
    return [hop.as_data() for hop in find_hops(bundle, history, accepted_risks)]


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, Callable[..., object]]:
        """Return the filter."""
        return {"update_hops": update_hops}
