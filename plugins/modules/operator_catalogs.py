#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: operator_catalogs
short_description: Manage the operator catalogs and mirror sets of a bundle in a cluster
version_added: 0.1.0
description:
  - Applies the objects through which OLM finds the operators of a bundle, and mirror sets for a registry of the site.
  - Only objects with the label C(app.kubernetes.io/part-of=fieldops-openshift) are changed or removed. If another
    object has the same name, the module fails before anything is changed.
  - Mirror sets change the configuration of all nodes. Apply them in a maintenance window.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
options:
  objects:
    description:
      - Objects of the kinds CatalogSource, ClusterCatalog, ImageDigestMirrorSet and ImageTagMirrorSet, as returned in
        RV(fieldops.openshift.release_bundle_info#module:catalog_sources),
        RV(fieldops.openshift.release_bundle_info#module:cluster_catalogs) and
        RV(fieldops.openshift.release_bundle_info#module:mirror_sets). Any other object is rejected.
    type: list
    elements: dict
    required: true
  state:
    description: Whether the objects exist.
    type: str
    choices: [present, absent]
    default: present
  prune:
    description:
      - Whether to remove catalogs of other bundles, which are those of the kinds in O(objects) with the label
        C(app.kubernetes.io/part-of=fieldops-openshift). Mirror sets are not removed.
      - A CatalogSource to which a Subscription refers is kept and listed in RV(in_use).
    type: bool
    default: false
notes:
  - The required RBAC permissions are in C(extensions/rbac/operator-catalogs.yml) of this collection.
seealso:
  - module: fieldops.openshift.release_bundle_info
"""

EXAMPLES = r"""
- name: Read the bundle
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
  register: found

- name: Let OLM find the operators of the bundle
  fieldops.openshift.operator_catalogs:
    objects: "{{ found.catalog_sources }}"
    prune: true
"""

RETURN = r"""
objects:
  description: The objects that exist.
  type: list
  elements: str
  returned: success
  sample: [CatalogSource openshift-marketplace/redhat-operator-index-v4-20]
in_use:
  description: Catalogs of other bundles that O(prune) did not remove, because a Subscription refers to them.
  type: list
  elements: str
  returned: success
  sample: [CatalogSource openshift-marketplace/redhat-operator-index-v4-19]
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: apply, kind: CatalogSource, namespace: openshift-marketplace, name: redhat-operator-index-v4-20,
       dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.operator_catalogs import (
    ensure_catalogs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "objects": {"type": "list", "elements": "dict", "required": True},
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "prune": {"type": "bool", "default": False},
        }
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_catalogs(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
