# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of all variables of a site, made of ``meta/site_variables.yml``."""

from __future__ import annotations

import json
from itertools import groupby

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import OWN, SiteContract, SiteVariable

HEAD = """<!--
SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
SPDX-License-Identifier: GPL-3.0-or-later
-->

<!-- Made of meta/site_variables.yml by "make pages": change that file. -->

# Site variables

One file with the variables of a site serves all playbooks, as `-e @site.yml`. See the [example](examples/site.yml). A
playbook ignores variables that it does not read.

The first task of each playbook checks the variables before it contacts anything. It refuses

- a variable that begins with `site_` and is not listed here, also from the inventory; the error names the most similar
  variable. List variables of your own in `site_own_variables`
- a value of the wrong type, or one that is not a listed choice
- a missing required variable.

Survey answers are text and are converted: a list as words separated by commas or line breaks, or in JSON or YAML; a
mapping in JSON or YAML; a number; `true`, `yes`, `on` or `1` and their opposites. An empty text counts as not set.

Errors never show the value of a variable that is marked as secret. If a variable has no default, it is not set, or its
meaning describes the effect.

## By playbook

| Playbook | Required | Optional |
| --- | --- | --- |
"""
COLUMNS = """| Variable | Meaning | Type | Default |
| --- | --- | --- | --- |
"""


def rendered_page(contract: SiteContract) -> str:
    """Return the page."""
    groups = [(title, list(some)) for title, some in groupby(contract.variables.values(), lambda one: one.group)]
    text = HEAD + "".join(_playbook_row(contract, name) for name in contract.playbooks)
    for title, variables in groups:
        text += f"\n## {title}\n\n{COLUMNS}" + "".join(map(_variable_row, variables))
    return text


def _playbook_row(contract: SiteContract, playbook: str) -> str:
    needed = [f"`{one.name}`" for one in contract.read_by(playbook) if playbook in one.required_by]
    others = [
        f"`{one.name}`" for one in contract.read_by(playbook) if playbook not in one.required_by and one.name != OWN
    ]
    return f"| `{playbook}` | {', '.join(needed) or 'none'} | {', '.join(others)} |\n"


def _variable_row(variable: SiteVariable) -> str:
    cells = [f"`{variable.name}`", variable.meaning.strip(), _kind(variable), _default(variable)]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _kind(variable: SiteVariable) -> str:
    kind = {"raw": "any", "percent": "percent"}.get(variable.type, variable.type)
    if variable.type == "list":
        kind = f"list of {variable.elements}"
    if variable.choices:
        kind += f": {', '.join(f'`{one}`' for one in variable.choices)}"
    return f"{kind}, secret" if variable.secret else kind


def _default(variable: SiteVariable) -> str:
    """Return what stands for the default; nothing does where the meaning says what happens without a value."""
    if variable.default in (None, "", [], {}):
        return ""
    if variable.type == "list" and list(variable.choices) == variable.default:
        return "all"
    shown = variable.default if isinstance(variable.default, str) else json.dumps(variable.default)
    return f"`{shown}`"
