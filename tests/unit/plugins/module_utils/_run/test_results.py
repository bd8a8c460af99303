# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result, Step


def test_a_result_is_data() -> None:
    result = Result(
        changed=True, objects={"nodes": ["n1"]}, actions=[{"verb": "patch"}], diff={"before": 1, "after": 2}
    )
    assert result.as_data(with_diff=True) == {
        "changed": True,
        "nodes": ["n1"],
        "actions": [{"verb": "patch"}],
        "diff": {"before": 1, "after": 2},
    }


def test_a_diff_is_shown_on_request_only() -> None:
    assert "diff" not in Result(diff={"before": 1, "after": 2}).as_data(with_diff=False)


@pytest.mark.parametrize("name", ["changed", "failed", "msg", "invocation", "rc", "diff"])
def test_names_that_ansible_gives_a_meaning_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Result(objects={name: 1})
    with pytest.raises(ValueError, match=name):
        Step("done", True, objects={name: 1})


def test_a_failure_has_one_sentence_its_parts_and_what_was_achieved() -> None:
    error = InvalidInputError(
        "read a size", on="'1 GB'", seen="no unit", advice="Write GiB.", partial={"nodes": ["n1"]}
    )
    assert failure_data(error) == {
        "changed": False,
        "nodes": ["n1"],
        "msg": "Could not read a size on '1 GB': no unit. Write GiB.",
        "error": {
            "kind": "invalid_input",
            "attempted": "read a size",
            "on": "'1 GB'",
            "seen": "no unit",
            "advice": "Write GiB.",
            "transient": False,
        },
    }


def test_a_failure_after_a_change_says_changed() -> None:
    error = InvalidInputError("go on", on="x", seen="y", advice="Z.", partial={"changed": True})
    assert failure_data(error)["changed"] is True
