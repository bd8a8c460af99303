# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The contract of each module, documented as attributes. A module states only what differs and details."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
attributes:
  check_mode:
    description: Can run in check mode and report the changes that it would make, without making them.
    support: full
  diff_mode:
    description: Can show the differences that it makes or would make.
    support: full
  idempotent:
    description: Makes no change when it is run again without other changes in between.
    support: full
"""

    INFO = r"""
attributes:
  check_mode:
    description: Can run in check mode and report the changes that it would make, without making them.
    support: full
    details: This module never changes anything.
  diff_mode:
    description: Can show the differences that it makes or would make.
    support: none
    details: This module never changes anything.
  idempotent:
    description: Makes no change when it is run again without other changes in between.
    support: full
    details: This module never changes anything.
"""

    CLUSTER = r"""
attributes:
  action_group:
    description: Takes the defaults given for this group in C(module_defaults).
    support: full
    membership:
      - fieldops.openshift.cluster
      - cluster
"""
