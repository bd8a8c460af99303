# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the option that says what releases have left behind, judged in _node_images/plan/reclaim.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  reclaim:
    description:
      - The releases that the cluster has left behind. Their images and staged bundles can be removed from the node.
      - An image is kept if it is part of the present release, of any other staged bundle or of O(reclaim.keep), if a
        running or exited container uses it, if it is mounted, if any configuration file of CRI-O pins it, or if it has
        a name that is not a name of these releases. Images that the site has added to a bundle are kept. All images are
        kept while the images of the present release are unknown.
    type: dict
    suboptions:
      present:
        description: The release image of the cluster, or its digest.
        type: str
        required: true
      left_behind:
        description:
          - The release images, or their digests, of releases that no node needs any more, as returned in
            RV(fieldops.openshift.cluster_health_info#module:cluster_version.left_behind).
        type: list
        elements: str
        default: []
      known:
        description:
          - The images of releases, as other nodes return them in
            RV(fieldops.openshift.node_info#module:release_images). A node knows the images of a release from its staged
            bundles and from the release images that it holds.
          - Images are removed only in repositories of releases that the node itself knows.
        type: list
        elements: dict
        default: []
        suboptions:
          release:
            description: The release image, or its digest.
            type: str
            required: true
          version:
            description: The release.
            type: str
            default: ""
          images:
            description: Its images.
            type: list
            elements: dict
            required: true
            suboptions:
              name:
                description: The name of the image (C(repository@digest)).
                type: str
                required: true
              component:
                description: Its name in the release.
                type: str
                default: ""
      keep:
        description:
          - Names of additional images to keep, such as those of the next release, and index digests of bundles to keep.
        type: list
        elements: str
        default: []
      carry_out:
        description: Whether to remove the content. If false, the module only returns it.
        type: bool
        default: true
"""
