# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import re
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import parse_contract, site_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_file import site_file
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_settings import settings_for

CONTRACT = parse_contract("""
groups:
  Cluster:
    site_kubeconfig: {meaning: The kubeconfig., type: raw, secret: true, read_by: [a]}
    site_pools: {meaning: "The [pools](pools.md#all) to roll.", type: list, default: [], read_by: [a, b]}
  Other:
    site_token: {meaning: A token., type: str, secret: true, read_by: [b]}
    site_far: {meaning: Of another playbook., type: str, read_by: [c]}
""")
PLAYBOOKS = ["update_site", "prepare_site"]


def test_variables_are_explained_and_only_what_differs_from_the_default_is_set() -> None:
    assert site_file(CONTRACT, ["a", "b"], {"pools": ["infra"], "token": "s3cret"}, ["Cluster x."]).splitlines() == [
        "---",
        "# Variables of the site. Use: ansible-playbook fieldops.openshift.update_site -e @site.yml",
        "# Cluster x.",
        "",
        "# Cluster",
        "",
        "# The kubeconfig.",
        "# site_kubeconfig: secret, not written to this file",
        "",
        "# The pools to roll.",
        "site_pools:",
        "- infra",
        "",
        "# Other",
        "",
        "# A token.",
        "# site_token: secret, not written to this file",
    ]


@pytest.mark.parametrize(
    ("kubeconfig", "expected"),
    [
        ("/home/technician/kubeconfig", {"site_kubeconfig": "/home/technician/kubeconfig"}),
        ("apiVersion: v1\nkind: Config\n", None),
        ("/a\ntoken: s3cret", None),
        ({"kind": "Config"}, None),
        (None, None),
    ],
)
def test_a_kubeconfig_is_written_only_as_a_path(kubeconfig: t.Any, expected: t.Any) -> None:
    assert yaml.safe_load(site_file(CONTRACT, ["a"], {"kubeconfig": kubeconfig}, [])) == expected


def test_lines_about_the_site_stay_comments() -> None:
    text = site_file(CONTRACT, ["b"], {}, ["name\nsite_pools: [evil]", "x" * 300])
    assert yaml.safe_load(text) is None


def test_every_default_of_the_collection_is_accepted_when_it_is_uncommented() -> None:
    contract = site_contract()
    text = site_file(contract, PLAYBOOKS, {"bundle_digest": "sha256:" + "0" * 64}, [])
    given = yaml.safe_load(re.sub(r"^# (?=site_\w+:(?! secret| not set))|^# (?=- )", "", text, flags=re.MULTILINE))
    assert {*given} >= {"site_phases", "site_pools", "site_joining_address"}
    for playbook in PLAYBOOKS:
        assert settings_for(contract, playbook, given, given.__getitem__).problems == []
