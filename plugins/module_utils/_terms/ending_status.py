# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The statuses with which a run of an update or a rollout ends."""

from __future__ import annotations

DONE, NOTHING_TO_DO = "done", "nothing_to_do"
WAITS, NEEDS_PERSON = "waits_for_window", "needs_person"
ENDINGS = (DONE, NOTHING_TO_DO, WAITS, NEEDS_PERSON)
GREEN = (DONE, NOTHING_TO_DO)
"""With any other status the run fails: what it was started for is not reached."""
