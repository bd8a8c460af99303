# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The execution environment has what jobs need: its definition, what it is resolved to, and jobs that run in it.

An image cannot be built here. Instead of it, an environment has the oldest ansible-core, ansible-runner and the
packages that the collection names, and nothing else. It gets jobs as AWX does: the project, an inventory and survey
answers.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.gates.virtual_environments import virtual_environment
from ansible_collections.fieldops.openshift.tests.gates.workplace import Workplace
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT, plugin_files

DEFINITION = ROOT / "extensions" / "awx" / "execution-environment.yml"
OWN = {"ansible", "ansible_collections", "__future__"}
WITHOUT_NODES = {"site_support_path": ".", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
"""The nodes cannot be reached. Before that is an error, ansible-core warns that it cannot discover their Python."""
PROGRAMS = ("gpgv", "openssl", "skopeo", "zstd")


@pytest.fixture(scope="module")
def builder() -> Path:
    return virtual_environment(Workplace.here(), "builder") / "bin"


@pytest.fixture(scope="module")
def environment() -> Path:
    return virtual_environment(Workplace.here(), "execution-environment") / "bin"


def called(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lines_of(name: str) -> list[str]:
    """Return the lines of a file without comments."""
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines()]
    return [line for line in lines if line]


def test_the_collection_is_resolved_to_what_it_names(builder: Path) -> None:
    found = yaml.safe_load(called(builder / "ansible-builder", "introspect", COLLECTIONS))
    resolved = {kind: [one.partition("#")[0].strip() for one in found[kind]] for kind in ("python", "system")}
    assert resolved == {"python": lines_of("requirements.txt"), "system": lines_of("bindep.txt")}


def test_the_programs_are_packages_of_this_system(builder: Path) -> None:
    listed = called(builder / "bindep", "-f", ROOT / "bindep.txt", "--list_all", "newline")
    assert tuple(listed.split()) == PROGRAMS


def test_the_definition_is_one_that_the_builder_takes(builder: Path, tmp_path: Path) -> None:
    definition = yaml.safe_load(DEFINITION.read_text())
    (archive,) = definition["additional_build_files"]
    version = yaml.safe_load((ROOT / "galaxy.yml").read_text())["version"]
    assert archive["src"] == f"fieldops-openshift-{version}.tar.gz"
    shutil.copy(DEFINITION, tmp_path)
    (tmp_path / archive["src"]).touch()
    called(builder / "ansible-builder", "create", "--output-filename", "Containerfile", cwd=tmp_path)
    context = tmp_path / "context" / "_build"
    (collection,) = yaml.safe_load((context / "requirements.yml").read_text())["collections"]
    assert (context / collection["name"]).exists()
    base = definition["images"]["base_image"]["name"]
    assert f'ARG EE_BASE_IMAGE="{base}"' in (context.parent / "Containerfile").read_text()
    assert f"`{base.removesuffix(':latest')}`" in (ROOT / "docs" / "awx.md").read_text()


def test_the_environment_has_all_that_plugins_import(environment: Path) -> None:
    found = {name for source in plugin_files() for name in imported(source.tree)}
    others = sorted(found - OWN - sys.stdlib_module_names)
    assert {"kubernetes", "openshift", "jmespath", "netaddr"} <= set(others)
    called(environment / "python", "-c", f"import {', '.join(others)}")


def imported(tree: ast.Module) -> set[str]:
    """Return the packages that a file imports anywhere in it."""
    nodes = list(ast.walk(tree))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in plain | froms}


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        yield server


@pytest.mark.parametrize(
    ("playbook", "answers", "shown"),
    [
        ("show_site_status", {"site_health_wait": "false", "site_rollout": ""}, "healthy"),
        ("show_maintenance_calendar", {"site_calendar_days": 28}, "Show the maintenance windows"),
        ("check_site", {"site_target_version": ""}, "Check the cluster"),
        pytest.param("enforce_changes", {}, "Pause and unpause", marks=pytest.mark.long),
        pytest.param("gather_support_data", WITHOUT_NODES, "Created .*Missing parts: [1-9]", marks=pytest.mark.long),
        pytest.param("report_site", {"site_report": "."}, "Wrote", marks=pytest.mark.long),
        pytest.param("stop_changes", {"reason": "agreed"}, "Restrict changes", marks=pytest.mark.long),
    ],
)
def test_a_job_as_awx_runs_it(
    environment: Path, site: ApiServer, tmp_path: Path, playbook: str, answers: dict[str, t.Any], shown: str
) -> None:
    job = tmp_path / "job"
    (job / "inventory").mkdir(parents=True)
    shutil.copy(ROOT / "extensions" / "awx" / "site.cluster_nodes.yml", job / "inventory")
    (job / "env").mkdir()
    (job / "env" / "extravars").write_text(json.dumps(answers))
    # What a job writes belongs to its project.
    (job / "project").mkdir()
    (job / "project" / "playbooks").symlink_to(ROOT / "playbooks")
    variables = environment_for(tmp_path, {"K8S_AUTH_KUBECONFIG": str(site.kubeconfig)})
    variables["PATH"] = path_of_jobs(environment, tmp_path)
    variables.pop("PYTHONPATH", None)
    variables.pop("ANSIBLE_CALLBACK_PLUGINS")
    words = ["run", str(job), "--playbook", f"playbooks/{playbook}.yml", "--ident", "1"]
    command = [str(environment / "ansible-runner"), *words]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(shown, done.stdout)
    assert "WARNING" not in done.stdout
    assert (job / "artifacts" / "1" / "status").read_text() == "successful"


def path_of_jobs(environment: Path, folder: Path) -> str:
    """Return the PATH of jobs: the environment, the programs of a base image and those in bindep.txt, if here."""
    home = folder / "programs"
    home.mkdir()
    for name in (*PROGRAMS, "sh", "bash", "env", "ssh", "git", "locale", "uname"):
        found = shutil.which(name)
        if found:
            (home / name).symlink_to(found)
    return os.pathsep.join([str(environment), str(home)])
