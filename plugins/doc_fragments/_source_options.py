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
      - Servers that hold the bundle or are being filled with it. Those that answer at once are asked in this order, the
        others after them.
      - One that is away, or says that a blob is still on its way to it, is asked again later. One that gives wrong
        bytes is not asked again.
    type: list
    elements: dict
    default: []
    suboptions:
      url:
        description: Where C(index.json) and C(blobs/sha256) are found, such as V(https://192.0.2.11:9443).
        type: str
        required: true
      ca:
        description: The CA certificates of that server as PEM text. Without it those of the system are trusted.
        type: str
        default: ""
      token:
        description: The bearer token that the server asks for.
        type: str
        default: ""
      token_file:
        description:
          - A file on the controller that holds the token, as M(fieldops.openshift.bundle_relay) makes it. The secret is
            then in no variable.
        type: path
"""
