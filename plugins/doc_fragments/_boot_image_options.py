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
      - The resources by name. A name that is not there is an error.
    type: list
    elements: str
    default: []
  labels:
    description:
      - Labels that resources have to have, all of them, besides being named where O(names) is given too.
    type: dict
    default: {}
  architecture:
    description:
      - The architecture of machines for which nothing else says it, as on clusters for several architectures whose
        MachineSets have no annotation. Go's or RHEL's name of it.
    type: str
  cloud_images:
    description:
      - What the cloud says of its images, as C(amazon.aws.ec2_ami_info) returns it under C(images). An image is told by
        C(image_id) or C(name); C(owner_id), C(name), C(description) and C(creation_date) are used, and C(release)
        where one is added.
      - On Amazon's cloud it tells images that Red Hat publishes from those of the marketplace and from a site's own.
        For the marketplace hand in all images of the product.
    type: list
    elements: dict
    default: []
  site_images:
    description:
      - Images that were brought into the site's own cloud, for vSphere (a template), OpenStack, Nutanix, IBM Cloud and
        Power VS. Where several fit a resource, the first one is taken.
    type: list
    elements: dict
    default: []
    suboptions:
      image:
        description: The name that it has there.
        type: str
        required: true
      release:
        description:
          - The release of RHEL CoreOS in it. Where it is given and is not that of the stream, nothing is changed.
        type: str
      architecture:
        description: The architecture that it is for; by default every one.
        type: str
      stream:
        description: The stream that it is for; by default every one.
        type: str
      names:
        description: The resources that it is for; by default all.
        type: list
        elements: str
        default: []
  stream_document:
    description:
      - A stream in place of those that the cluster lists, as C(openshift-install coreos print-stream-json) prints it,
        for example that of the next release.
    type: dict
  vouched_images:
    description:
      - Images that may be replaced although nothing else says that they are standard ones.
    type: list
    elements: str
    default: []
"""
