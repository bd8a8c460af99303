# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: bundle_page
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Describe a bundle, or the plan of one, on one page
description:
  - Converts the result of M(fieldops.openshift.release_bundle) or M(fieldops.openshift.release_bundle_info) to a page
    for people, which reports the release, the digest of the index, the signers, the sizes by part, and the versions
    from which a site can be updated.
  - The digest is also shown as words, which can be passed on by telephone, and as a QR code.
  - For the result of a build in check mode, the page reports what would be downloaded, with the sizes by part, what
    parts share, the time that takes, the space on the medium and on each node, and what to leave out if the medium is
    too small.
requirements:
  - mnemonic, for the words
  - segno, for the QR code
options:
  _input:
    description: The result of the module.
    type: dict
    required: true
  html:
    description: Whether to return an HTML page instead of lines for a terminal. Plans are returned as lines only.
    type: bool
    default: false
  bandwidth:
    description: The bandwidth of the connection to the registries in Mbit/s, for a plan.
    type: float
    default: 100
"""

EXAMPLES = r"""
- name: Gather the content of the bundle on the disk
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
  register: found

- name: Show the bundle
  ansible.builtin.debug:
    msg: "{{ found | fieldops.openshift.bundle_page }}"

- name: Plan a bundle
  fieldops.openshift.release_bundle:
    path: /mnt/disk/4.20.2
    version: 4.20.2
  check_mode: true
  register: planned

- name: Show the plan
  ansible.builtin.debug:
    msg: "{{ planned | fieldops.openshift.bundle_page(bandwidth=50) }}"
"""

RETURN = r"""
_value:
  description: The lines of the page, or the HTML page as one string.
  type: raw
  sample:
    - "Release        4.20.1 for x86_64"
    - "Index          sha256:3f2a1b0c..."
"""

import typing as t
from collections.abc import Callable, Mapping

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_page import (
    bundle_html,
    bundle_lines,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.plan_lines import plan_lines
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("a result of release_bundle or release_bundle_info is needed")
def bundle_page(result: Mapping[str, t.Any], html: bool = False, bandwidth: float = 100) -> list[str] | str:
    """Return the page in lines, or as HTML."""
    if not 0 < float(bandwidth) < float("inf"):
        raise AnsibleFilterError(f"bundle_page: bandwidth must be greater than 0, and is {bandwidth}")
    if "forecast" in result:
        return plan_lines(result["forecast"], float(bandwidth))
    return bundle_html(result) if html else bundle_lines(result)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"bundle_page": bundle_page}
