# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a playbook gets of a site's variables, and the sentences about those that are unknown, missing or wrong."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import parse_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_settings import SiteSettings, settings_for
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import ValueRefusalError

CONTRACT = parse_contract("""
words: {stop: [for, until, pools]}
groups:
  All:
    site_bundle: {meaning: The folder of the bundle. It moves., type: path, read_by: [up, see], required_by: [up]}
    site_digest: {meaning: Its digest., type: str, default: "", read_by: [up]}
    site_trusted_keys: {meaning: Keys., type: list, elements: path, default: [], read_by: [up]}
    site_timeout: {meaning: Seconds., type: int, default: 1800, read_by: [up]}
    site_change_stanza: {meaning: The stanza., type: dict, read_by: [up]}
    site_change_policies: {meaning: Its policies., type: dict, default: {}, read_by: [up]}
    site_passphrase: {meaning: The passphrase., type: int, secret: true, read_by: [up]}
    site_days: {meaning: Days., type: int, default: 28, read_by: [see]}
    site_own_variables: {meaning: Others., type: list, default: [], read_by: [up, see, stop]}
""")
GOOD = {"site_bundle": "/media/usb", "site_digest": "sha256:0"}
OWN = "List your own variables in site_own_variables."


def settings(given: dict[str, t.Any], playbook: str = "up") -> SiteSettings:
    return settings_for(CONTRACT, playbook, given, given.__getitem__)


def test_it_gets_what_is_given_and_defaults_of_all_else_that_it_reads() -> None:
    found = settings({**GOOD, "site_timeout": "60", "ansible_host": "elsewhere"})
    assert (found.values, found.problems) == (
        {
            "bundle": "/media/usb",
            "digest": "sha256:0",
            "trusted_keys": [],
            "timeout": 60,
            "change_stanza": None,
            "change_policies": {},
            "passphrase": None,
            "own_variables": [],
        },
        [],
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        pytest.param({"site_bundle": ""}, "up needs site_bundle: the folder of the bundle.", id="missing"),
        pytest.param({"site_timeout": "soon"}, "site_timeout is soon, and must be a whole number.", id="wrong"),
        pytest.param({"site_passphrase": "canary"}, "site_passphrase must be a whole number.", id="a wrong secret"),
        pytest.param(
            {"site_change_stanzas": {}},
            f"There is no variable site_change_stanzas; the nearest one is site_change_stanza. {OWN}",
            id="misspelt",
        ),
        pytest.param(
            {"site_change_stanza": None},
            "site_change_stanza is set but empty. Omit it, or set a value.",
            id="a stanza of null",
        ),
        pytest.param(
            {"site_change_policies": ""},
            "site_change_policies is set but empty. Omit it, or set a value.",
            id="policies of nothing",
        ),
        pytest.param({"site_9": 1}, f"There is no variable site_9. {OWN}", id="unlike any"),
    ],
)
def test_what_is_wrong_is_one_sentence(given: dict[str, t.Any], sentence: str) -> None:
    assert settings({**GOOD, **given}).problems == [sentence]


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = settings({"site_timeout": "soon", "site_bundel": "/media/usb"})
    assert [sentence.split(" ")[-1] for sentence in found.problems[:2]] == ["bundle.", "number."]
    assert "site_bundel; the nearest one is site_bundle." in found.problems[2]
    assert found.values["timeout"] == 1800


def test_what_another_playbook_reads_is_left_alone() -> None:
    found = settings({**GOOD, "site_days": "not read here"})
    assert (found.problems, "days" in found.values) == ([], False)


def test_names_of_the_sites_own_are_left_alone() -> None:
    assert (
        settings({**GOOD, "site_own_variables": "site_code, site_name", "site_code": 7, "site_name": 8}).problems == []
    )


def test_a_value_that_cannot_be_had_is_a_problem() -> None:
    def value_of(name: str) -> t.Any:
        if name == "site_timeout":
            raise ValueRefusalError("cannot be read: 'x' is undefined")
        return GOOD[name]

    found = settings_for(CONTRACT, "up", [*GOOD, "site_timeout"], value_of)
    assert found.problems == ["site_timeout cannot be read: 'x' is undefined."]


def test_one_run_does_not_change_the_defaults_of_the_next() -> None:
    settings(GOOD).values["trusted_keys"].append("theirs")
    assert settings(GOOD).values["trusted_keys"] == []


@pytest.mark.parametrize(
    ("given", "guard"),
    [
        pytest.param({}, {}, id="what the cluster keeps"),
        pytest.param({"site_change_policies": {"night": {}}}, {}, id="policies alone"),
        pytest.param(
            {"site_change_stanza": '{"strategy": "Restrictive"}'},
            {"stanza": {"strategy": "Restrictive"}, "policies": {}},
            id="a stanza that a survey gave",
        ),
    ],
)
def test_the_stanza_becomes_the_guard_of_modules(given: dict[str, t.Any], guard: dict[str, t.Any]) -> None:
    assert settings({**GOOD, **given}).guard == guard


@pytest.mark.parametrize(
    ("extra", "problems"),
    [
        pytest.param(["for", "pools", "site_own_variables"], [], id="all known"),
        pytest.param(
            ["untill"],
            [f"There is no variable untill of stop; the nearest one is until. {OWN}"],
            id="a restriction that would not end",
        ),
        pytest.param(
            ["ppols"], [f"There is no variable ppols of stop; the nearest one is pools. {OWN}"], id="all pools"
        ),
        pytest.param(["ansible_user", "awx_job_id", "tower_job_id"], [], id="set by platforms"),
        pytest.param(["environment_name"], [], id="the site's own"),
    ],
)
def test_words_on_the_command_line_are_those_that_the_playbook_reads(extra: list[str], problems: list[str]) -> None:
    given = {"site_own_variables": ["environment_name"]}
    found = settings_for(CONTRACT, "stop", given, given.__getitem__, extra)
    assert found.problems == problems


def test_other_playbooks_do_not_look_at_words() -> None:
    assert settings_for(CONTRACT, "see", GOOD, GOOD.__getitem__, ["untill"]).problems == []
