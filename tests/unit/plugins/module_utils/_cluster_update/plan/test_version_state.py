# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState

PARTIAL = {
    "state": "Partial",
    "version": "4.20.2",
    "image": "b",
    "startedTime": "2026-11-21T22:00:00Z",
    "verified": True,
}
COMPLETED = {"state": "Completed", "version": "4.20.1", "image": "a", "startedTime": "s", "completionTime": "c"}


def test_the_current_version_is_the_last_completed_one() -> None:
    state = VersionState.of({"status": {"history": [PARTIAL, COMPLETED], "desired": {"version": "4.20.2"}}})
    assert (state.current_version, state.desired_version) == ("4.20.1", "4.20.2")


def test_a_cluster_being_installed_has_no_current_version() -> None:
    assert VersionState.of({"status": {"history": [PARTIAL]}}).current_version == ""


def test_history_keeps_whether_a_release_was_verified() -> None:
    state = VersionState.of({"status": {"history": [PARTIAL, COMPLETED]}})
    assert [(entry.completed, entry.verified) for entry in state.history] == [("", True), ("c", False)]


def test_conditions_that_were_never_reported_are_unknown() -> None:
    assert VersionState.of({}).failing.status == "Unknown"
