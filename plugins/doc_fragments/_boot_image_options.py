# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options in module_utils/_boot_images/do/machine_site.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  names:
    description:
      - The names of the resources. The module fails if a resource does not exist.
    type: list
    elements: str
    default: []
  labels:
    description:
      - Labels that a resource must have, all of them. If O(names) is also set, both must match.
    type: dict
    default: {}
  architecture:
    description:
      - The architecture of machines for which it cannot be determined, as on clusters with several architectures
        whose MachineSets have no annotation. Names of both Go and RHEL are supported.
    type: str
  cloud_images:
    description:
      - Image metadata from the cloud, in the format of C(images) as returned by C(amazon.aws.ec2_ami_info). Images
        are identified by C(image_id) or C(name). C(owner_id), C(name), C(description) and C(creation_date) are used,
        and C(release) if it is added.
      - On AWS, the metadata is used to distinguish images that Red Hat publishes from marketplace images and from
        images of the site. For the marketplace, pass all images of the product.
    type: list
    elements: dict
    default: []
  site_images:
    description:
      - Images that were imported into the site's own cloud, for vSphere (a template), OpenStack, Nutanix, IBM Cloud
        and Power VS. If several images match a resource, the first one is used.
    type: list
    elements: dict
    default: []
    suboptions:
      image:
        description: The name of the image in the cloud.
        type: str
        required: true
      release:
        description:
          - The release of RHEL CoreOS in the image. If it is set and differs from the release of the stream, nothing
            is changed.
        type: str
      architecture:
        description: The architecture that the image applies to. By default, it applies to all architectures.
        type: str
      stream:
        description: The stream that the image applies to. By default, it applies to all streams.
        type: str
      names:
        description: The resources that the image applies to. By default, it applies to all resources.
        type: list
        elements: str
        default: []
  stream_document:
    description:
      - A stream that replaces the streams of the cluster, as printed by C(openshift-install coreos
        print-stream-json), for example the stream of the next release.
    type: dict
  vouched_images:
    description:
      - Images that may be replaced although they cannot be identified as standard images.
    type: list
    elements: str
    default: []
"""
