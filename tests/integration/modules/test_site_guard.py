# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What update_site makes of the site's own stanza: the option guard of modules, on every supported core."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import run_play


@pytest.mark.parametrize(
    ("given", "guard"),
    [
        pytest.param("{}", {}, id="what the cluster keeps"),
        pytest.param(
            "site_change_stanza: {strategy: Restrictive}",
            {"stanza": {"strategy": "Restrictive"}, "policies": {}},
            id="a stanza",
        ),
        pytest.param(
            "site_change_stanza: {strategy: RestrictiveUntil, restrictiveUntil: 2099-01-01T00:00:00Z}",
            {
                "stanza": {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00+00:00"},
                "policies": {},
            },
            id="a time that YAML reads as one",
        ),
        pytest.param(
            "{site_change_stanza: {strategy: ByPolicy, byPolicy: {name: night}}, site_change_policies: {night: {}}}",
            {"stanza": {"strategy": "ByPolicy", "byPolicy": {"name": "night"}}, "policies": {"night": {}}},
            id="a policy of the site",
        ),
    ],
)
def test_the_stanza_of_the_site_becomes_the_guard(tmp_path: Path, given: str, guard: dict[str, t.Any]) -> None:
    (tmp_path / "site.yml").write_text(given)
    shown = {
        "ansible.builtin.debug": {"msg": "{{ site_settings.guard }}"},
        "vars": {"site_settings": "{{ lookup('fieldops.openshift.site_settings', 'update_site') }}"},
    }
    assert run_play(tmp_path, shown, "-e", f"@{tmp_path / 'site.yml'}").result["msg"] == guard
