# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook that a technician runs: a bundle on every node, loaded and pinned, without any registry."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    JOBS,
    Controller,
    Ended,
    forget_everything,
    listed,
    plug_in,
    run_pod,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

PLAYBOOK = "fieldops.openshift.stage_bundle"
SOURCE = "fieldops-image-source"
NODES = ["master-0", "worker-0"]


@dataclass(frozen=True)
class Played:
    """The playbook in check mode, for the first time, and again; ``since`` is when it began."""

    checked: Ended
    listed_after_check: dict[str, bool]
    first: Ended
    again: Ended
    since: str


@pytest.fixture(scope="module")
def played(lab: Lab, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A site whose registry is away and whose nodes have a drive each."""
    controller = Controller(lab, tmp_path_factory.mktemp("controller"))
    variables: dict[str, t.Any] = {
        "site_nodes": NODES,
        "site_bundle_digest": str(bundle.index.digest),
        "site_bundle_src_by_node": {name: plug_in(lab, name, bundle) for name in NODES},
        "site_keep_free_percent": 1,
    }
    since = lab.hosts["worker-0"].run("date", "+%Y-%m-%d %H:%M:%S").strip()
    lab.cut_registry()
    checked = controller.play(PLAYBOOK, "--check", **variables)
    before = listed(lab.hosts["worker-0"])
    yield Played(checked, before, controller.play(PLAYBOOK, **variables), controller.play(PLAYBOOK, **variables), since)
    lab.restore_registry()
    for name in NODES:
        forget_everything(lab.hosts[name], bundle.names)


def test_check_mode_changes_nothing(played: Played, bundle: WrittenBundle) -> None:
    assert played.checked.rc == 0, played.checked.output
    assert not set(bundle.names) & set(played.listed_after_check)


@pytest.mark.parametrize("name", NODES)
def test_every_image_is_there_under_its_name_and_pinned(
    lab: Lab, bundle: WrittenBundle, played: Played, name: str
) -> None:
    assert played.first.rc == 0, played.first.output
    assert dict.fromkeys(bundle.names, True).items() <= listed(lab.hosts[name]).items()


def test_a_person_sees_which_node_is_how_far(played: Played) -> None:
    for name in NODES:
        assert f"  {name}: " in played.first.output
    assert "10 of 10 images are loaded" in played.first.output


def test_run_again_it_changes_nothing_and_says_so(played: Played) -> None:
    assert (played.again.rc, played.again.changed) == (0, 0), played.again.output


@pytest.mark.parametrize("name", NODES)
def test_each_node_serves_what_it_holds(lab: Lab, bundle: WrittenBundle, played: Played, name: str) -> None:
    del played
    url = f"http://127.0.0.1:9700/v2/any/manifests/{bundle.index.release.digest}"
    asked = f"curl --silent --head --output /dev/null --write-out '%{{http_code}}' {url}"
    assert lab.hosts[name].run("sh", "-c", asked) == "200"


@pytest.mark.parametrize("name", NODES)
def test_nothing_is_left_running_or_lying_about(lab: Lab, played: Played, name: str) -> None:
    del played
    host = lab.hosts[name]
    assert host.run("ls", "-A", JOBS) == ""
    assert host.run("sh", "-c", "ls /var/lib/fieldops/bundles/*").split() == ["blobs", "index.json", "proofs.json"]
    units = host.run("systemctl", "list-units", "--all", "--no-legend", "--plain", "fieldops-*").splitlines()
    assert {line.split()[0].partition(".")[0] for line in units} == {SOURCE, f"{SOURCE}-mirrors"}
    assert host.run("sh", "-c", "ls -A /run/fieldops-openshift 2>/dev/null || true") == ""
    assert host.run("sh", "-c", "ls -A /var/tmp | grep -v systemd-private || true") == ""


def test_crio_asked_the_node_itself_for_all_images(lab: Lab, played: Played) -> None:
    journal = lab.hosts["worker-0"].run("journalctl", "--unit", "crio", "--since", played.since, "--no-pager")
    asked = re.findall(r'Trying to access \\"([^/]+)/', journal)
    assert set(asked) == {"127.0.0.1:9700"}


def test_a_pod_starts_from_an_image_that_no_registry_has(lab: Lab, bundle: WrittenBundle, played: Played) -> None:
    del played
    etcd = next(str(image.name) for image in bundle.index.images if image.component == "etcd")
    run_pod(lab, "worker-0", "from-bundle", etcd)
