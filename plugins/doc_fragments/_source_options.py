# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options in module_utils/_run/source_options.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  sources:
    description:
      - Servers that hold or are receiving the bundle. Servers that respond immediately are used in this order,
        followed by the others.
      - A server that is unavailable, or that has not received a blob yet, is tried again later. A server that sends
        wrong data is not used again.
    type: list
    elements: dict
    default: []
    suboptions:
      url:
        description: The URL below which C(index.json) and C(blobs/sha256) are located, such as
          V(https://192.0.2.11:9443).
        type: str
        required: true
      ca:
        description: The CA certificates of the server, as PEM text. By default, the system CA certificates are used.
        type: str
        default: ""
      token:
        description: The bearer token for the server.
        type: str
        default: ""
      token_file:
        description:
          - A file on the controller that contains the token, as created by M(fieldops.openshift.bundle_relay). The
            secret then appears in no variable.
        type: path
"""
