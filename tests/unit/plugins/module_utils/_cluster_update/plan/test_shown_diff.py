# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes of several objects as one diff that Ansible can show."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.shown_diff import diff_of

VERSION: dict[str, t.Any] = {"kind": "ClusterVersion", "metadata": {"name": "version"}, "spec": {}}
SIGNATURE: dict[str, t.Any] = {"kind": "ConfigMap", "metadata": {"name": "sha256-1", "namespace": "managed"}}


def test_objects_are_told_apart_by_kind_and_name() -> None:
    requested = {**VERSION, "spec": {"desiredUpdate": {"version": "4.21.5"}}}
    shown = diff_of([{"before": {}, "after": SIGNATURE}, {"before": VERSION, "after": requested}])
    assert shown == {
        "before": {"ConfigMap managed/sha256-1": {}, "ClusterVersion version": VERSION},
        "after": {"ConfigMap managed/sha256-1": SIGNATURE, "ClusterVersion version": requested},
    }


def test_a_status_is_not_what_was_changed() -> None:
    shown = diff_of([{"before": {**VERSION, "status": {"a": 1}}, "after": {**VERSION, "status": {"a": 2}}}])
    assert shown == {"before": {"ClusterVersion version": VERSION}, "after": {"ClusterVersion version": VERSION}}


def test_nothing_changed_has_no_diff() -> None:
    assert diff_of([]) is None
