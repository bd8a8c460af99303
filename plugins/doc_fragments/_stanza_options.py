# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of what filters and tests evaluate that ask whether change is permitted."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  _input:
    description:
      - The C(changeManagement) stanza of a resource, or the complete resource. For a resource without a stanza,
        change is permitted.
      - V(none) and any input that is not a stanza restrict change.
    type: dict
    required: true
  policies:
    description:
      - The policies that stanzas can reference, as a dictionary by name or as a list of API objects.
      - A dictionary entry is an API object, a dictionary with C(spec) and optionally C(ready), or the content of
        C(spec).
    type: raw
    default: {}
  now:
    description:
      - The time of the evaluation, in RFC 3339 format with any UTC offset. The default is the current time.
      - Use it for previews and tests. Modules always use the current time.
    type: str
"""
