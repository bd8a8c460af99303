# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What AWX 24 refuses, as the functions that are named here. ``test_rules.py`` has AWX's own cases."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping

from dateutil.rrule import rrulestr  # type: ignore[import-untyped,import-not-found,unused-ignore]
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

Fields = Mapping[str, t.Any]


class RefusedError(Exception):
    """AWX answers 400 with this object."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.answer = {field: [text]}


# awx/api/views, JobTemplateSurveySpec
QUESTIONS = {
    "text": str,
    "textarea": str,
    "password": str,
    "multiplechoice": str,
    "multiselect": str,
    "integer": int,
    "float": float,
}


def check_survey(spec: Fields) -> None:
    """``JobTemplateSurveySpec._validate_spec_data``."""
    for field, kind in (("name", str), ("description", str), ("spec", list)):
        if not isinstance(spec.get(field), kind):
            raise RefusedError("error", f"Field '{field}' is missing from survey spec, or of another type.")
    if not spec["spec"]:
        raise RefusedError("error", "'spec' doesn't contain any items.")
    variables = [question.get("variable") for question in spec["spec"]]
    for index, question in enumerate(spec["spec"]):
        _check_question(index, question)
        if variables.index(question["variable"]) != index:
            raise RefusedError("error", f"'variable' '{question['variable']}' duplicated in survey question {index}.")


def _check_question(index: int, question: Fields) -> None:
    for field, kind in (("type", str), ("question_name", str), ("variable", str), ("required", bool)):
        if not isinstance(question.get(field), kind):
            raise RefusedError("error", f"'{field}' missing from survey question {index}, or of another type.")
    wanted = QUESTIONS.get(question["type"])
    if wanted is None:
        raise RefusedError("error", f"'{question['type']}' in survey question {index} is no allowed question type.")
    default = question.get("default", "")
    if default != "" and not isinstance(default, wanted):
        raise RefusedError("error", f"Default value {default} in survey question {index} expected to be {wanted}.")
    if question["type"] in ("multiplechoice", "multiselect"):
        _check_choices(index, question)


def _check_choices(index: int, question: Fields) -> None:
    if "choices" not in question:
        raise RefusedError("error", f"Survey question {index} must specify choices.")
    chosen = str(question.get("default", "")).splitlines()
    if question["type"] == "multiplechoice" and len(chosen) > 1:
        raise RefusedError("error", "Multiple Choice (Single Select) can only have one default value.")
    if any(one not in question["choices"] for one in chosen):
        raise RefusedError("error", "Default choice must be answered from the choices listed.")


# awx/api/serializers, SchedulePreviewSerializer.validate_rrule
REFUSED_IN_RULES = (
    (r"TZID=", "TZID is not known here."),
    (r"SECONDLY", "SECONDLY is not supported."),
    (r"BYMONTHDAY=[0-9]+,-*[0-9]+", "Multiple BYMONTHDAYs not supported."),
    (r"BYMONTH=[0-9]+,[0-9]+", "Multiple BYMONTHs not supported."),
    (r"BYDAY=[0-9]+[A-Z]{2}", "BYDAY with numeric prefix not supported."),
    (r"BYYEARDAY", "BYYEARDAY not supported."),
    (r"BYWEEKNO", "BYWEEKNO not supported."),
    (r"COUNT=[0-9]{4,}", "COUNT > 999 is unsupported."),
    (r"COUNT=.*UNTIL=|UNTIL=.*COUNT=", "RRULE may not contain both COUNT and UNTIL"),
)


def check_rrule(rrule: str) -> None:
    """``validate_rrule``."""
    starts = re.findall(r"DTSTART:\d{8}T\d{6}Z", rrule)
    rules = re.findall(r"RRULE:\S*", rrule)
    if not starts or len(re.findall("DTSTART", rrule)) > 1:
        raise RefusedError("rrule", "Valid DTSTART required in rrule.")
    if not rules:
        raise RefusedError("rrule", "One or more rule required in rrule.")
    for rule in rules:
        if "INTERVAL" not in rule:
            raise RefusedError("rrule", "INTERVAL required in rrule.")
        for pattern, text in REFUSED_IN_RULES:
            if re.search(pattern, rule):
                raise RefusedError("rrule", text)
    try:
        rrulestr(rrule.replace(" ", "\n"), forceset=True)
    except ValueError as error:
        raise RefusedError("rrule", f"rrule parsing failed validation: {error}") from error


# awx/main/fields, CredentialTypeInputField and CredentialTypeInjectorField
INPUT_KEYS = {
    *("id", "label", "type", "choices", "help_text"),
    *("multiline", "secret", "ask_at_runtime", "default", "format"),
}
NAME = r"[a-zA-Z_]\w*\Z"
INJECTOR_KEYS = {"file": r"template(\.[a-zA-Z_]\w*)?\Z", "env": NAME, "extra_vars": NAME}


def check_credential_type(fields: Fields) -> None:
    """``CredentialTypeSerializer.validate`` and the fields of the model."""
    if fields["kind"] not in ("cloud", "net"):
        raise RefusedError("kind", "Must be 'cloud' or 'net'")
    inputs, injectors = fields["inputs"], fields["injectors"]
    if inputs.keys() - {"fields", "required"} or injectors.keys() - INJECTOR_KEYS.keys():
        raise RefusedError("inputs", "Additional properties are not allowed")
    names = [one.get("id") for one in inputs["fields"]]
    for one in inputs["fields"]:
        if one.keys() - INPUT_KEYS or not {"id", "label"} <= one.keys() or one["id"] == "tower":
            raise RefusedError("inputs", f"invalid field {one}")
    if len(set(names)) != len(names) or set(inputs.get("required", [])) - set(names):
        raise RefusedError("inputs", "field IDs must be unique, and required fields must be defined")
    for kind, injected in injectors.items():
        for key in injected:
            if not re.match(INJECTOR_KEYS[kind], key):
                raise RefusedError("injectors", f"{key} is no valid key of {kind}")
    _check_templates(names, injectors)


def _check_templates(names: list[t.Any], injectors: Fields) -> None:
    files = {key.partition(".")[2]: "EXAMPLE_FILENAME" for key in injectors.get("file", {})}
    known = {**dict.fromkeys(names, "EXAMPLE"), "tower": {"filename": files}}
    for injected in injectors.values():
        for text in injected.values():
            _render("injectors", text, known)


def _render(field: str, text: str, known: Fields) -> str:
    try:
        return ImmutableSandboxedEnvironment(undefined=StrictUndefined).from_string(text).render(known)
    except TemplateError as error:
        raise RefusedError(field, f"{text} uses an undefined field ({error})") from error


# awx/api/serializers, NotificationTemplateSerializer; JobNotificationMixin.context_stub
JOB = {"id": 42, "name": "Stub Job", "status": "running", "url": "/api/v2/jobs/13", "failed": False, "elapsed": 0.4}
MESSAGE_CONTEXT = {
    "job": JOB,
    "job_friendly_name": "Job",
    "url": "https://awx.example/#/jobs/playbook/13",
    "approval_status": "approved",
    "approval_node_name": "Approve Me",
    "workflow_url": "https://awx.example/#/jobs/workflow/14",
    "job_metadata": "{}",
}
CONFIGURATIONS: dict[str, dict[str, type]] = {
    "webhook": {"url": str, "headers": dict},
    "slack": {"token": str, "channels": list},
    "email": {"host": str, "port": int, "sender": str, "recipients": list, "use_tls": bool, "use_ssl": bool},
}
DEFAULTS = {"webhook": {"http_method": "POST", "username": "", "password": "", "disable_ssl_verification": False}}
APPROVAL_EVENTS = ("running", "approved", "timed_out", "denied")


def check_notification(fields: Fields) -> None:
    """``NotificationTemplateSerializer.validate`` and ``validate_messages``."""
    configuration = fields["notification_configuration"]
    for name, kind in CONFIGURATIONS[fields["notification_type"]].items():
        if not isinstance(configuration.get(name), kind):
            raise RefusedError("__all__", f"Missing required fields for Notification Configuration: {name}.")
    if str(configuration.get("http_method", "POST")).lower() not in ("put", "post"):
        raise RefusedError("__all__", "HTTP method must be either 'POST' or 'PUT'.")
    for event, texts in (fields.get("messages") or {}).items():
        if event not in ("started", "success", "error", "workflow_approval"):
            raise RefusedError("messages", f"Event '{event}' invalid")
        for one in texts.values() if event == "workflow_approval" else [texts]:
            _check_texts(one)
        if event == "workflow_approval" and texts.keys() - set(APPROVAL_EVENTS):
            raise RefusedError("messages", "Workflow Approval event invalid")


def _check_texts(texts: Fields) -> None:
    for kind, text in texts.items():
        if kind not in ("message", "body") or not isinstance(text, str):
            raise RefusedError("messages", f"Message type '{kind}' invalid, must be either 'message' or 'body'")
        if kind == "message" and "\n" in text:
            raise RefusedError("messages", "Messages cannot contain newlines")
        _render("messages", text, MESSAGE_CONTEXT)


def check_launch(template: Fields, survey: Fields, extra_data: Fields, *, complete: bool) -> None:
    """``SurveyJobTemplateMixin._accept_or_ignore_variables``; ``complete`` unless answers can follow at launch."""
    questions = survey.get("spec", []) if template.get("survey_enabled") else []
    asked = {question["variable"] for question in questions}
    if not template.get("ask_variables_on_launch") and extra_data.keys() - asked:
        raise RefusedError("extra_vars", f"Variables {sorted(extra_data.keys() - asked)} are not allowed on launch.")
    required = {question["variable"] for question in questions if question["required"]}
    if complete and required - extra_data.keys():
        raise RefusedError("variables_needed_to_start", f"{sorted(required - extra_data.keys())} value missing")
