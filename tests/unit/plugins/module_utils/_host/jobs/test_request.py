# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a job is asked to do."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork, JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work

FUNCTION = FunctionWork.of(sample_work.add, a=1, b=[2, {"c": None}])
REQUEST = JobRequest("job", "run", FUNCTION, 60.0, "detached", ("password",), ("/usr/lib/python",))


def test_what_is_written_is_read() -> None:
    assert JobRequest.from_document(json.loads(json.dumps(REQUEST.to_document()))) == REQUEST


def test_arguments_are_taken_as_json_would_bring_them() -> None:
    assert FunctionWork.of(sample_work.add, a=(1, 2)).arguments == {"a": [1, 2]}


@pytest.mark.parametrize("value", [{1}, b"x", float("inf"), object], ids=["set", "bytes", "infinite", "class"])
def test_arguments_that_are_no_json_are_refused(value: t.Any) -> None:
    with pytest.raises(InvalidInputError, match="strings, numbers, booleans"):
        FunctionWork.of(sample_work.add, a=value)


@pytest.mark.parametrize(
    ("change", "same"),
    [
        pytest.param({"run_id": "other", "max_seconds": 1.0, "import_path": ()}, True, id="another-run"),
        pytest.param({"backend": "systemd"}, True, id="another-place"),
        pytest.param({"secret_names": ("token",)}, False, id="other-secrets"),
        pytest.param({"work": FunctionWork.of(sample_work.add, a=2)}, False, id="other-arguments"),
        pytest.param({"work": FunctionWork.of(sample_work.crash)}, False, id="other-work"),
    ],
)
def test_what_makes_a_request_the_same(change: dict[str, t.Any], same: bool) -> None:
    assert REQUEST.is_same_as(replace(REQUEST, **change)) is same


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {**REQUEST.to_document(), "work": {}}, {**REQUEST.to_document(), "maxSeconds": "soon"}],
    ids=["none", "list", "empty", "no-work", "no-number"],
)
def test_a_damaged_request_is_said_to_be_one(document: t.Any) -> None:
    with pytest.raises(JobStatusError, match=r"request\.json"):
        JobRequest.from_document(document)
