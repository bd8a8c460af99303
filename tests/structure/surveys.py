# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The surveys of job templates in AWX, made of ``meta/site_variables.yml``: what each playbook's ``asked_by`` names.

Types of questions: awx/api/views, JobTemplateSurveySpec.
"""

from __future__ import annotations

import re
import typing as t

import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import SiteContract, SiteVariable

HEAD = """---
# SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Made of meta/site_variables.yml by "make pages": change asked_by there.
"""
_REFERENCE, _LINK = re.compile(r":\s+\[[^\]]+\]\([^)]+\)\."), re.compile(r"\[([^\]]+)\]\([^)]+\)")
"""What a meaning ends with, and a link within it."""


def surveys_file(contract: SiteContract) -> str:
    """Return the file."""
    playbooks = sorted({playbook for one in contract.variables.values() for playbook in one.asked_by})
    surveys = {playbook: survey(contract, playbook) for playbook in playbooks}
    return HEAD + yaml.dump(
        {"fieldops_surveys": surveys}, Dumper=Indented, width=110, sort_keys=False, allow_unicode=True
    )


def survey(contract: SiteContract, playbook: str) -> dict[str, t.Any]:
    """Return the survey of a playbook as AWX takes it."""
    asked = [one for one in contract.variables.values() if playbook in one.asked_by]
    return {"name": "", "description": "", "spec": [_question(one, playbook) for one in asked]}


def _question(variable: SiteVariable, playbook: str) -> dict[str, t.Any]:
    return {
        "question_name": variable.key.replace("_", " ").capitalize(),
        "question_description": _plain(variable.meaning),
        "variable": variable.name,
        "required": playbook in variable.required_by,
        **_answer(variable),
    }


def _plain(meaning: str) -> str:
    """Return a text without Markdown."""
    return " ".join(_LINK.sub(r"\1", _REFERENCE.sub(".", meaning)).replace("`", "").split())


def _answer(variable: SiteVariable) -> dict[str, t.Any]:
    default = variable.default
    if variable.type == "bool":
        return {"type": "multiplechoice", "choices": ["true", "false"], "default": str(default).lower()}
    if variable.type == "list":
        kind: dict[str, t.Any] = {"type": "multiselect", "choices": list(variable.choices)}
        return {**(kind if variable.choices else {"type": "textarea"}), "default": "\n".join(default or [])}
    if variable.choices:
        return {"type": "multiplechoice", "choices": list(variable.choices), "default": default}
    if variable.type == "int":
        return {"type": "integer", "default": default}
    return {"type": "password" if variable.secret else "text", "default": default or ""}


class Indented(yaml.SafeDumper):
    """Writes lists to the right of their key, and everything as often as it occurs."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        """Indent lists too."""
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: t.Any) -> bool:  # noqa: ARG002
        """Write no aliases."""
        return True
