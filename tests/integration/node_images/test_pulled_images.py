# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A worker whose packets vanish holds no bundle and gets all images from the control plane: pulled, kept, proved."""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_gate import release_gate
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.site_authority import (
    new_authority,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.cluster_history import came_to
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    forget_everything,
    listed,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import KEEP, Node, failed, succeeded
from ansible_collections.fieldops.openshift.tests.integration.node_images.test_image_source import FILLED, HOLE, NOWHERE
from ansible_collections.fieldops.openshift.tests.integration.node_images.test_other_machines import (
    CERTS,
    DAY,
    PASSWORD,
    Source,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.network import PREFIX
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import Rebuild, ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import PULL_SECRET

pytestmark = pytest.mark.long

PLAYBOOKS = Path(__file__).parents[3] / "playbooks"
RULES = "/etc/containers/registries.conf"


class Puller(Node):
    """The worker; ``before`` are the files by which it is sent to the control plane, as they were."""

    before: t.Mapping[str, str]

    @property
    def index(self) -> str:
        return base64.b64encode((self.bundle.folder / "index.json").read_bytes()).decode()

    def pull(self, *words: str, **options: t.Any) -> Ended:
        given = {"index_digest": str(self.bundle.index.digest), "index": self.index, "parallel": 4, **KEEP, **options}
        waiting = {} if words else {"wait": True, "wait_timeout": 240}
        return self.controller.task(self.host.name, "node_images", *words, **{**waiting, **given})

    def seen(self, **options: t.Any) -> dict[str, t.Any]:
        return succeeded(self.controller.task(self.host.name, "node_info", **options)).result

    def send_to(self, source: Source) -> None:
        """Do what the machine-config daemon does for an ImageDigestMirrorSet, a CA and a login of the pull secret."""
        repositories = sorted({name.partition("@")[0] for name in self.bundle.names})
        rules = "\n".join(
            f'[[registry]]\nprefix = ""\nlocation = "{name}"\nblocked = true\n[[registry.mirror]]\n'
            f'location = "{source.registry}/{name.partition("/")[2]}"\npull-from-mirror = "digest-only"\n'
            for name in repositories
        )
        logins = json.loads(self.before[PULL_SECRET] or '{"auths": {}}')
        logins["auths"][source.registry] = {"auth": base64.b64encode(f"fieldops:{PASSWORD}".encode()).decode()}
        self.host.write(RULES, rules)
        self.host.write(PULL_SECRET, json.dumps(logins))
        self.host.run("mkdir", "--parents", f"{CERTS}/{source.registry}")
        self.host.write(f"{CERTS}/{source.registry}/ca.crt", source.authority.certificate)
        self.host.run("systemctl", "reload", "crio")

    def send_nowhere(self) -> None:
        for path, content in self.before.items():
            self.host.write(path, content)
        self.host.run("rm", "-rf", CERTS)
        self.host.run("systemctl", "reload", "crio")


@pytest.fixture(scope="module")
def source(lab: Lab, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    host, folder = lab.hosts["master-0"], tmp_path_factory.mktemp("source")
    made = Source(lab, host, bundle, Controller(lab, folder))
    here = Host(SystemClock())
    made.authority = new_authority(here, (f"{PREFIX}.0/24", "api-int.lab.example"), DAY, Deadline(60, here.clock))
    made.file = folder / "credentials"
    made.issue()
    try:
        succeeded(made.stage())
        made.serve()
        yield made
    finally:
        forget_everything(host, bundle.names)


@pytest.fixture
def worker(lab: Lab, source: Source, controller: Controller) -> Iterator[Puller]:
    made = Puller(lab, lab.hosts["worker-1"], source.bundle, controller)
    made.host.run("rm", "-rf", made.medium)
    read = "cat {} 2>/dev/null || true"
    made.before = {path: made.host.run("sh", "-c", read.format(path)) for path in (RULES, PULL_SECRET)}
    made.host.run("sh", "-c", HOLE)
    try:
        made.send_to(source)
        yield made
    finally:
        made.host.run("sh", "-c", FILLED)
        made.send_nowhere()
        forget_everything(made.host, made.bundle.names)


def staged(host: NodeHost) -> str:
    return host.run("sh", "-c", f"ls -A {BUNDLES} 2>/dev/null || true")


def roles(worker: Puller, source: Source, **more: t.Any) -> list[dict[str, t.Any]]:
    """Return what update_site does of it: the master loads what it has, the worker pulls; both pin; both are proved.

    ``more`` are further variables of loading.
    """
    nodes = [source.host.name, worker.host.name]
    images = [
        {"name": str(one.name), "component": one.component, "reason": one.reason} for one in worker.bundle.index.images
    ]
    common = {"nodes": nodes, "index_digest": str(worker.bundle.index.digest), "bundle_images": images}
    pulling = {**common, "pulling_nodes": [worker.host.name]}
    loading = {
        **pulling,
        "index": worker.index,
        "keep_free_percent": "1",
        "mirrors_timeout": 30,
        **more,
    }

    def role(name: str, given: dict[str, t.Any], **entry: str) -> dict[str, t.Any]:
        included = {"name": f"fieldops.openshift.{name}", **entry}
        given = {f"{name}_{key}": value for key, value in given.items()}
        return {"name": f"{name} {entry}", "ansible.builtin.include_role": included, "vars": given}

    forecast = {key: value for key, value in loading.items() if key not in ("nodes", "bundle_images")}
    del forecast["mirrors_timeout"]
    return [
        role("load_images", forecast, tasks_from="forecast"),
        role("load_images", loading),
        role("pin_images", pulling),
        role("load_images", pulling, tasks_from="prove"),
        {
            "name": "Keep the answers",
            "changed_when": False,
            "ansible.builtin.copy": {
                "content": "{{ load_images_answers | to_json }}",
                "dest": str(worker.bundle.folder.parent / "answers.json"),
                "mode": "0600",
            },
        },
    ]


def test_a_worker_without_the_bundle_is_made_ready_and_proved(worker: Puller, source: Source) -> None:
    play = str(worker.controller.play_of(roles(worker, source)))
    ended = succeeded(worker.controller.play(play))
    assert dict.fromkeys(worker.bundle.names, True).items() <= listed(worker.host).items()
    assert staged(worker.host) == ""
    assert "10 of 10 images are loaded" in ended.output

    answers = json.loads((worker.bundle.folder.parent / "answers.json").read_text())
    seen: dict[str, t.Any] = {
        "rollout": {"nodes": [], "pools": []},
        "health": {"findings": []},
        "images": answers,
        "backup": {"demand": "ignore"},
        "version": "4.18.3",
        "trial": {"progress": {}},
    }
    gate = release_gate(seen)
    assert gate["refused"] == [], gate["lines"]
    assert any("1 nodes without a copy pull it from the control plane" in line for line in gate["lines"])

    again = succeeded(worker.controller.play(str(worker.controller.play_of(roles(worker, source)))))
    assert again.changed == 0, again.output


def test_check_mode_says_what_would_be_pulled_and_what_it_takes(worker: Puller) -> None:
    told = succeeded(worker.pull("--check")).result
    assert told["changed"] is True
    assert [one["action"] for one in told["actions"]] == ["pull"]
    assert set(told["lacking"]) == set(worker.bundle.names)
    needs = {need["purpose"] for place in told["forecast"] for need in place["needs"]}
    assert needs == {"images in the container storage", "layers while they are loaded"}, "no copy of the bundle"
    assert not set(worker.bundle.names) & set(listed(worker.host))


def test_what_does_not_fit_is_not_begun(worker: Puller) -> None:
    failed(worker.pull(keep_free_percent=100), "not_enough_space")
    assert not set(worker.bundle.names) & set(listed(worker.host))


@pytest.mark.parametrize(
    ("index", "kind"),
    [
        pytest.param("%", "invalid_input", id="no base64"),
        pytest.param(base64.b64encode(b"{}").decode(), "wrong_content", id="another index"),
    ],
)
def test_an_index_is_believed_by_its_digest_alone(worker: Puller, index: str, kind: str) -> None:
    failed(worker.pull(index=index), kind)


def test_an_image_that_the_control_plane_does_not_have_is_named(worker: Puller, source: Source) -> None:
    """Two of its images are there already; what was pulled stays."""
    succeeded(worker.pull(images=["cli"]))
    lost = source.image("etcd")
    digest = next(image for image in source.bundle.index.images if image.component == "etcd").content[-1]
    path = f"{BUNDLES}/{source.bundle.index.folder_name}/blobs/sha256/{digest.hex}"
    source.host.run("mv", path, "/root/kept")
    try:
        seen = worker.seen(names=worker.bundle.names, pullable=[lost])
        assert (seen["ready"], [one["name"] for one in seen["unpullable"]]) == (False, [lost])
        told = failed(worker.pull(images=["etcd", "cli"]), "image_load")
        assert told["error"]["on"] == lost
        assert "manifest unknown" in told["error"]["seen"]
        assert source.image("cli") in listed(worker.host)
    finally:
        source.host.run("mv", "/root/kept", path)


def test_what_no_mirror_has_is_told_without_pulling(worker: Puller) -> None:
    nowhere = f"{worker.bundle.names[0].partition('@')[0]}@{NOWHERE}"
    seen = worker.seen(pullable=[nowhere, *worker.bundle.names])
    assert [one["name"] for one in seen["unpullable"]] == [nowhere]
    assert "manifest unknown" in seen["unpullable"][0]["seen"]
    assert not set(worker.bundle.names) & set(listed(worker.host))


def test_a_worker_that_is_sent_nowhere_pulls_nothing_and_says_why(worker: Puller, source: Source) -> None:
    worker.send_nowhere()
    play = [one for one in roles(worker, source) if one["name"].startswith("load_images {}")]
    play[0]["vars"]["load_images_mirrors_timeout"] = 0
    ended = worker.controller.play(str(worker.controller.play_of(play)))
    assert ended.rc == 2, ended.output
    assert f"{worker.host.name} cannot find" in ended.output
    assert "Run fieldops.openshift.prepare_site" in ended.output
    assert not set(worker.bundle.names) & set(listed(worker.host))


@pytest.fixture(scope="module")
def earlier(factory: ReleaseFactory, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """The release before that of the bundle; most of its images are other ones."""
    rebuilds = (Rebuild(0.8, keeps=1, including=("etcd", "cli")),)
    made = factory.release(ReleaseSpec(version="4.21.2", runnable=True, rebuilds=rebuilds))
    return write_bundle(tmp_path_factory.mktemp("earlier") / "bundle", made)


@pytest.fixture
def updated(lab: Lab, worker: Puller, earlier: WrittenBundle) -> Iterator[Puller]:
    """The worker with the images of the release before, and no bundle of it; the cluster has come from there."""
    before = Node(lab, worker.host, earlier, worker.controller)
    before.has_images()
    for module in ("node_bundle", "image_source"):
        given = {"index_digest": str(earlier.index.digest)} if module == "node_bundle" else {}
        succeeded(worker.controller.task(worker.host.name, module, state="absent", **given))
    with came_to(lab, worker.bundle.index, earlier.index):
        yield worker
    forget_everything(worker.host, earlier.names)


def test_room_is_made_on_a_worker_before_it_pulls(updated: Puller, source: Source, earlier: WrittenBundle) -> None:
    """The images of the earlier release are known by its release image alone, those of the present one elsewhere."""
    nodes = [
        {"name": source.host.name, "is_control_plane": True},
        {"name": updated.host.name, "is_control_plane": False},
    ]
    of_bundle = {"images": [{"name": name} for name in updated.bundle.names], "base": None}
    plan = {
        "name": "Plan",
        "ansible.builtin.include_tasks": str(PLAYBOOKS / "tasks/plan_reclaim.yml"),
        "vars": {
            "play_nodes_found": {"nodes": nodes},
            "verify_bundle_result": {"bundle": of_bundle},
        },
    }
    left = set(earlier.names) - set(updated.bundle.names)
    assert left <= set(listed(updated.host))
    play = str(updated.controller.play_of([plan, *roles(updated, source, reclaim="{{ play_reclaim }}")]))
    done = succeeded(updated.controller.play(play, site_reclaim=True, site_bundle_digest=str(earlier.index.digest)))
    assert f"{updated.host.name} removes " in done.output
    held = listed(updated.host)
    assert not left & set(held)
    assert dict.fromkeys(updated.bundle.names, True).items() <= held.items()
