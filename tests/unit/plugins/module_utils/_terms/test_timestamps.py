# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Instants as they are written."""

from __future__ import annotations

from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp


def test_instants_are_written_in_utc_to_the_second() -> None:
    assert timestamp(datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=timezone.utc)) == "2026-01-02T03:04:05Z"
