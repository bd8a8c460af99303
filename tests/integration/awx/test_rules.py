# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The stand-in for AWX refuses what AWX refuses: cases of AWX's own tests, which it therefore is no kinder than.

Sources: awx/main/tests/functional/api/test_schedules.py (test_invalid_rrules),
awx/main/tests/unit/api/test_views.py (TestJobTemplateSurveySpec), awx/main/tests/functional/test_credential.py,
awx/main/tests/functional/api/test_notifications.py.
"""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.awx.rules import (
    RefusedError,
    check_credential_type,
    check_launch,
    check_notification,
    check_rrule,
    check_survey,
)

START = "DTSTART:20300308T050000Z"


@pytest.mark.parametrize(
    ("rrule", "error"),
    [
        ("", "Valid DTSTART required"),
        ("DTSTART:NONSENSE", "Valid DTSTART required"),
        (f"{START} DTSTART:20310308T050000", "Valid DTSTART required"),
        (START, "rule required in rrule"),
        (f"{START} RRULE:NONSENSE", "INTERVAL required"),
        (f"{START} RRULE:FREQ=SECONDLY;INTERVAL=5;COUNT=6", "SECONDLY is not supported"),
        (f"{START} RRULE:FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=3,4", "Multiple BYMONTHDAYs not supported"),
        (f"{START} RRULE:FREQ=YEARLY;INTERVAL=1;BYMONTH=1,2", "Multiple BYMONTHs not supported"),
        (f"{START} RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=5MO", "BYDAY with numeric prefix not supported"),
        (f"{START} RRULE:FREQ=YEARLY;INTERVAL=1;BYYEARDAY=100", "BYYEARDAY not supported"),
        (f"{START} RRULE:FREQ=YEARLY;INTERVAL=1;BYWEEKNO=20", "BYWEEKNO not supported"),
        (f"{START} RRULE:FREQ=DAILY;INTERVAL=1;COUNT=2000", "COUNT > 999 is unsupported"),
        (f"{START} RRULE:FREQ=REGULARLY;INTERVAL=1", "rrule parsing failed validation"),
        (f"{START} RRULE:FREQ=DAILY;INTERVAL=10;COUNT=500;UNTIL=20400925T104941Z", "both COUNT and UNTIL"),
    ],
)
def test_rules_of_schedules(rrule: str, error: str) -> None:
    with pytest.raises(RefusedError, match=error):
        check_rrule(rrule)


QUESTION = {"question_name": "foo", "variable": "foo", "type": "text", "required": False, "default": ""}
CHOICE = {**QUESTION, "type": "multiplechoice", "choices": ["a", "b"]}


@pytest.mark.parametrize(
    ("questions", "error"),
    [
        ([], "contain any items"),
        ([QUESTION, QUESTION], "duplicated in survey question 1"),
        ([{**QUESTION, "required": "no"}], "'required' missing"),
        ([{key: value for key, value in QUESTION.items() if key != "type"}], "'type' missing"),
        ([{**QUESTION, "type": "stringy"}], "no allowed question type"),
        ([{**QUESTION, "default": 4}], "Default value 4"),
        ([{**QUESTION, "type": "integer", "default": "4"}], "Default value 4"),
        ([{**QUESTION, "type": "multiselect"}], "must specify choices"),
        ([{**CHOICE, "default": "a\nb"}], "only have one default"),
        ([{**CHOICE, "default": "c"}], "from the choices listed"),
    ],
)
def test_surveys(questions: list[t.Any], error: str) -> None:
    with pytest.raises(RefusedError, match=error):
        check_survey({"name": "", "description": "", "spec": questions})


INPUTS = {"fields": [{"id": "token", "label": "Token"}]}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"kind": "ssh"}, "Must be"),
        ({"inputs": {**INPUTS, "colour": "red"}}, "Additional properties"),
        ({"inputs": {"fields": [{"id": "tower", "label": "Tower"}]}}, "invalid field"),
        ({"inputs": {"fields": INPUTS["fields"] * 2}}, "unique"),
        ({"injectors": {"env": {"0TOKEN": "{{ token }}"}}}, "no valid key"),
        ({"injectors": {"env": {"TOKEN": "{{ secret }}"}}}, "undefined field"),
        ({"injectors": {"file": {"template.a": "1"}, "env": {"A": "{{ tower.filename.b }}"}}}, "undefined field"),
    ],
)
def test_credential_types(fields: dict[str, t.Any], error: str) -> None:
    with pytest.raises(RefusedError, match=error):
        check_credential_type({"kind": "cloud", "inputs": INPUTS, "injectors": {}, **fields})


HOOK: dict[str, t.Any] = {"url": "https://hooks.example", "headers": {}}


@pytest.mark.parametrize(
    ("configuration", "messages", "error"),
    [
        ({"headers": {}}, {}, "Missing required fields.*url"),
        ({**HOOK, "http_method": "GET"}, {}, "HTTP method"),
        (HOOK, {"finished": {}}, "Event 'finished' invalid"),
        (HOOK, {"error": {"subject": "x"}}, "Message type 'subject' invalid"),
        (HOOK, {"error": {"message": "a\nb"}}, "newlines"),
        (HOOK, {"error": {"message": "{{ job.secret }}"}}, "undefined field"),
        (HOOK, {"workflow_approval": {"waiting": {}}}, "Workflow Approval event invalid"),
    ],
)
def test_notifications(configuration: dict[str, t.Any], messages: dict[str, t.Any], error: str) -> None:
    with pytest.raises(RefusedError, match=error):
        check_notification(
            {"notification_type": "webhook", "notification_configuration": configuration, "messages": messages}
        )


@pytest.mark.parametrize(
    ("template", "given", "error"),
    [
        ({}, {"foo": 1}, "not allowed on launch"),
        ({"survey_enabled": True}, {"foo": 1, "bar": 1}, "not allowed on launch"),
        ({"survey_enabled": True, "ask_variables_on_launch": True}, {"bar": 1}, "value missing"),
    ],
)
def test_variables_of_launches(template: dict[str, t.Any], given: dict[str, t.Any], error: str) -> None:
    with pytest.raises(RefusedError, match=error):
        check_launch(template, {"spec": [{**QUESTION, "required": True}]}, given, complete=True)
