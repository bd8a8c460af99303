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
      - Each step first renews the lock of the cluster, and fails without a change if the lock is no longer held. In
        check mode the lock is not checked, because it was not acquired.
      - Each step records its work in the journal of the rollout.
    type: dict
    suboptions:
      id:
        description:
          - The name of the rollout, with lowercase letters, digits, hyphens and dots.
          - Use the same name to continue an interrupted rollout.
        type: str
        required: true
      target:
        description:
          - The purpose of the rollout, for example the digest of a bundle. A node that was done for the same target
            is not processed again, even in a rollout with a different name.
        type: str
        default: ""
      holder:
        description:
          - The identity of the lock holder, as returned in RV(fieldops.openshift.rollout_lock#module:lock.holder).
        type: str
        required: true
"""
