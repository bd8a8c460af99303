# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options of a request in module_utils/_cluster_update/do/update_step.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  image:
    description:
      - The release image as C(repository@sha256:...), as returned in
        RV(fieldops.openshift.release_bundle_info#module:bundle.release).
      - It must use the name under which the nodes hold, pin and mirror the image.
    type: str
  version:
    description:
      - The version of the release. The cluster rejects the request if O(image) has a different version.
      - Without this option, the checks for new minor versions are left to the cluster version operator, unless the
        cluster already knows the image.
    type: str
    default: ""
  nodes_without_images:
    description:
      - The names of nodes that do not have all images of the release pinned. If the list is not empty, the update is
        not requested.
    type: list
    elements: str
    default: []
  accepted_risks:
    description:
      - The names of the conditional update risks that the site accepts for this update.
    type: list
    elements: str
    default: []
  replace_running_update:
    description:
      - Whether to replace another update that is still in progress with this one.
    type: bool
    default: false
"""
