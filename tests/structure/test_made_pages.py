# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pages that are made of other files are as these make them, and these files name each other."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.structure.made_pages import PAGES
from ansible_collections.fieldops.openshift.tests.structure.metrics_page import LABELS, RULES, metrics
from ansible_collections.fieldops.openshift.tests.structure.permissions import (
    MANIFESTS,
    plugins_that_name,
    required_by_playbook,
    required_by_task,
)
from ansible_collections.fieldops.openshift.tests.structure.permissions_page import ROLES, Manifest
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

FILES = sorted(MANIFESTS.glob("*.yml"))
PUBLIC = ("*.md", "docs/*.md", "roles/**/*.md", "roles/**/*.yml", "playbooks/**/*.yml", "plugins/**/*.py")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_it_is_made(name: str) -> None:
    assert (ROOT / name).read_text() == PAGES[name](), 'run "make pages"'


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_permissions_are_named_by_what_requires_them(path: Path) -> None:
    grants = any(one["kind"] in ROLES for one in Manifest(path).objects)
    assert bool(plugins_that_name(path.name)) == grants


def named_files() -> list[tuple[str, str]]:
    """Return the files of permissions that anything public names, or another such file."""
    paths = [path for glob in PUBLIC for path in ROOT.glob(glob)]
    found = {(str(path.relative_to(ROOT)), name) for path in paths for name in _named(path, "extensions/rbac/")}
    return sorted(found | {(path.name, name) for path in FILES for name in _named(path, "")})


def _named(path: Path, prefix: str) -> list[str]:
    return re.findall(rf"{prefix}([a-z][a-z-]+\.yml)\b", path.read_text())


@pytest.mark.parametrize(("where", "name"), named_files())
def test_a_file_of_permissions_that_is_named_exists(where: str, name: str) -> None:
    assert (MANIFESTS / name).exists(), where


@pytest.mark.parametrize(
    ("module", "options", "files"),
    [
        ("node_drain", {}, {"rollout.yml"}),
        ("cluster_health_info", {}, {"cluster-health-reader.yml"}),
        ("cluster_health_info", {"checks": []}, {"cluster-health-reader.yml", "cluster-health-checks.yml"}),
        ("cluster_health_info", {"gather": ["joining_machines"]}, {"joining-machines.yml"}),
        ("cluster_update_info", {"gather": "{{ ['update'] }}"}, {"cluster-update-reader.yml"}),
        ("rollout_next", {"guard": "{{ its }}"}, {"rollout.yml", "change-management-reader.yml"}),
        ("node_images", {}, set()),
    ],
    ids=["always", "by default", "an option", "a value alone", "a template", "the guard", "on the node"],
)
def test_what_a_task_requires(module: str, options: dict[str, t.Any], files: set[str]) -> None:
    assert required_by_task(module, options) == files


@pytest.mark.parametrize(
    ("playbook", "file"),
    [
        ("abort_rollout", "cluster-update.yml"),
        ("enforce_changes", "change-enforcer.yml"),
        ("update_site", "cluster-update.yml"),
        ("update_site", "additional-image-stores.yml"),
        ("update_boot_images", "change-management-reader.yml"),
    ],
)
def test_a_playbook_requires_what_its_roles_and_files_do(playbook: str, file: str) -> None:
    assert file in required_by_playbook(playbook)


def test_a_site_is_prepared_with_the_permissions_that_its_updates_require() -> None:
    """All but those for image stores, PinnedImageSets, helper pods and reports, which a site has to choose."""
    (play,) = yaml.safe_load((ROOT / "playbooks" / "prepare_site.yml").read_text())
    required = required_by_playbook("update_site") | required_by_playbook("prepare_site")
    by_choice = {"additional-image-stores.yml", "node-pod.yml", "pinned-image-sets.yml", "site-report.yml"}
    checked = play["vars"]["play_manifests"] + play["vars"]["play_boot_image_manifests"]
    assert {f"{name}.yml" for name in checked} == required - by_choice


def test_metrics_come_from_one_file() -> None:
    found = [path.name for path in (ROOT / "plugins").rglob("*.py") if "# TYPE " in path.read_text()]
    assert found == ["exposition.py"]


def test_each_label_of_a_metric_is_described() -> None:
    assert {label for one in metrics() for label in one.labels} == LABELS.keys()


def test_rules_read_metrics_that_are_written() -> None:
    rules = [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
    read = {name for rule in rules for name in re.findall(r"change_management_\w+", rule["expr"])}
    assert read <= {one.name for one in metrics()}
