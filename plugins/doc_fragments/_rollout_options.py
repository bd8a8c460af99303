# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the option in module_utils/_rollout/claim.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  rollout:
    description:
      - The rollout that this task is a step of.
      - Each step first renews the lock of the cluster, and does nothing if it is not held any more. In check mode the
        lock is not asked for, because then nobody has taken it.
      - Each step writes what it does into the journal of the rollout.
    type: dict
    suboptions:
      id:
        description:
          - The name of the rollout. Lower-case letters, digits, dashes and dots.
          - Who runs the same rollout again goes on where it stands.
        type: str
        required: true
      target:
        description:
          - What the rollout is for, for example the digest of a bundle. A node that was done for the same target is
            not done again, whatever the rollout is called.
        type: str
        default: ""
      holder:
        description:
          - The identity that holds the lock, as RV(fieldops.openshift.rollout_lock#module:lock.holder).
        type: str
        required: true
"""
