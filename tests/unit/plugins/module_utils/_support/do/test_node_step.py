# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a step does without a job: what it would collect, what is to be removed, and options without sense."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_archive import ARCHIVE, PLACE
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_step import node_support_step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

PARAMS = {"state": "present", "hours": 24, "limit_mib": 64, "timeout": 60}


@pytest.fixture
def node(tmp_path: Path) -> Host:
    return Host(SystemClock(), tmp_path)


def collected(node: Host) -> Path:
    node.path(PLACE).mkdir(parents=True)
    path = node.path(ARCHIVE)
    path.write_bytes(b"archive")
    return path


def test_check_mode_says_what_would_be_made_and_makes_nothing(node: Host) -> None:
    step = node_support_step(node, PARAMS, check_mode=True)
    assert (step.done, step.changed, step.actions) == (False, True, ())
    assert step.diff == {"before": {"archive": ""}, "after": {"archive": ARCHIVE}}
    assert list(node.root.iterdir()) == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_what_was_collected_is_removed(node: Host, check_mode: bool) -> None:
    path = collected(node)
    step = node_support_step(node, {**PARAMS, "state": "absent"}, check_mode=check_mode)
    assert (step.done, step.changed, path.exists()) == (True, True, check_mode)
    assert step.diff == {"before": {"archive": ARCHIVE}, "after": {"archive": ""}}
    again = node_support_step(node, {**PARAMS, "state": "absent"}, check_mode=False)
    assert (again.done, again.changed) == (True, check_mode)
    assert not node.path(PLACE).exists()


@pytest.mark.parametrize(
    "option", [{"hours": 0}, {"hours": 10_000}, {"limit_mib": 0}, {"limit_mib": 2000}, {"timeout": 0}]
)
def test_options_without_sense_are_refused(node: Host, option: dict[str, t.Any]) -> None:
    with pytest.raises(InvalidInputError):
        node_support_step(node, {**PARAMS, **option}, check_mode=True)
