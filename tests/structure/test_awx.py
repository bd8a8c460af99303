# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""extensions/awx: the data has the names that others read, and all of it is applied and described."""

from __future__ import annotations

import re
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

AWX = ROOT / "extensions" / "awx"
CONTROLLER = "controller_"
OF_INFRA = {
    *("labels", "credential_types", "notifications", "projects", "execution_environments", "inventories"),
    *("inventory_sources", "templates", "workflows", "schedules"),
}
"""infra.aap_configuration, roles/dispatch/defaults/main.yml."""


class _Loader(yaml.SafeLoader):
    """Reads the tag of text that Ansible does not template."""


_Loader.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(node))  # type: ignore[arg-type]


def load(path: t.Any) -> t.Any:
    """Return a document."""
    return yaml.load(path.read_text(), Loader=_Loader)  # noqa: S506


(PLAY,) = load(AWX / "apply.yml")
TASKS = load(AWX / "tasks.yml")
DATA: dict[str, t.Any] = {}
for file in PLAY["vars_files"]:
    DATA |= load(AWX / file)
TEMPLATES = DATA["controller_templates"]


def test_the_data_has_the_names_of_infra_aap_configuration() -> None:
    assert {name.removeprefix(CONTROLLER) for name in DATA if name.startswith(CONTROLLER)} == OF_INFRA


def test_each_file_is_applied() -> None:
    assert {f"objects/{path.name}" for path in (AWX / "objects").glob("*.yml")} == set(PLAY["vars_files"][1:])


def items_of(name: str) -> list[dict[str, t.Any]]:
    """Return the objects of a kind; the schedules are made of two other variables."""
    return [*DATA["fieldops_schedules"], DATA["fieldops_window"]] if name == "controller_schedules" else DATA[name]


@pytest.mark.parametrize("name", sorted(name for name in DATA if name.startswith(CONTROLLER)))
def test_all_that_the_data_says_is_applied(name: str) -> None:
    tasks = [str(task) for task in TASKS if name in task["loop"]]
    read = {key for task in tasks for key in re.findall(r"item(?:\.0)?\.(\w+)", task)}
    given = {key for one in items_of(name) for key in one} - {"simplified_workflow_nodes"}
    assert given - read == set()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one["name"].partition(" }} ")[2])
def test_a_template_asks_what_its_playbook_reads(template: dict[str, t.Any]) -> None:
    playbook = template["playbook"].removeprefix("playbooks/").removesuffix(".yml")
    known = {one.name for one in site_contract().read_by(playbook)}
    survey = template.get("survey_spec", "")
    assert survey in ("", "{{ fieldops_override_survey }}", f"{{{{ fieldops_surveys.{playbook} }}}}")
    assert (playbook in DATA["fieldops_surveys"]) == ("fieldops_surveys" in survey)
    assert set(template.get("extra_vars", {})) <= known


@pytest.mark.parametrize("playbook", ["permit_changes", "stop_changes"])
def test_the_survey_of_overrides_asks_for_what_the_playbooks_read(playbook: str) -> None:
    asked = {one["variable"] for one in DATA["fieldops_override_survey"]["spec"]}
    assert asked == set(site_contract().words[playbook])


def test_each_setting_is_read() -> None:
    text = "".join(path.read_text() for path in (AWX / "objects").glob("*.yml"))
    assert [name for name in load(AWX / "settings.yml") if name not in text] == []


def test_the_page_describes_each_template_and_credential_type() -> None:
    page = (ROOT / "docs" / "awx.md").read_text()
    jobs = [one["name"].partition(" }} ")[2] for one in TEMPLATES]
    table = page.partition("## Jobs")[2].partition("\n- ")[0]
    assert [job for job in jobs if not re.search(rf"[|,] {job}[ ,]", table)] == []
    assert [one["name"] for one in DATA["controller_credential_types"] if f"`{one['name']}`" not in page] == []
