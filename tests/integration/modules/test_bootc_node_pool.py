# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pools of bootc-operator on the real API; what the operator and its daemons would write is written by the test."""

from __future__ import annotations

import json
import threading
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, run_play
from ansible_collections.fieldops.openshift.tests.lab import crds
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GROUP, VERSION = "node.bootc.dev", "v1alpha1"
API = f"/apis/{GROUP}/{VERSION}"
POOL, NODES = f"{API}/bootcnodepools/workers", ("worker-0", "worker-1")
BEFORE, LIST, OWN = (f"sha256:{64 * one}" for one in "abc")
IMAGE = "quay.io/example/os"
OPEN, CLOSED = {"strategy": "Permissive"}, {"strategy": "Restrictive"}
Json = dict[str, t.Any]


def definition(kind: str) -> Json:
    """Return the form of a kind as far as this collection relies on it: a status of its own, and generations."""
    names = {"kind": kind, "plural": f"{kind.lower()}s"}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{names['plural']}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            "names": names,
            "versions": [{**version, "subresources": {"status": {}}}],
        },
    }


class Operator:
    """Acts as bootc-operator does: daemons stage what the pool names, and an open pool has one node boot at a time."""

    def __init__(self, site: ApiServer) -> None:
        self._rest = site.rest
        self.refuses = ""
        self.begun: list[str] = []

    def look(self) -> None:
        """Bring each node one step on."""
        pool = self._rest.get(POOL)
        spec = pool["spec"]
        is_open = not spec.get("rollout", {}).get("paused")
        is_busy = False
        for name in NODES:
            node = self._wished(name, spec["image"]["ref"])
            status = node.get("status", {})
            if status.get("booted", {}).get("image") == spec["image"]["ref"]:
                self._hold_slot(name, held=False)
                self._tell(node, idle="Idle")
            elif status.get("staged", {}).get("image") != spec["image"]["ref"]:
                self._tell(node, idle="Staged", staged=_image(spec["image"]["ref"]))
            elif is_open and not is_busy:
                is_busy = True
                self._boot(node)
        seen = {"status": {"observedGeneration": pool["metadata"]["generation"], "nodeCount": len(NODES)}}
        self._rest.merge(f"{POOL}/status", seen)

    def _wished(self, name: str, image: str) -> Json:
        path = f"{API}/bootcnodes/{name}"
        if self._rest.get(path)["spec"]["desiredImage"] != image:
            self._rest.merge(path, {"spec": {"desiredImage": image}})
        return self._rest.get(path)

    def _boot(self, node: Json) -> None:
        self.begun.append(node["metadata"]["name"])
        self._hold_slot(node["metadata"]["name"], held=True)
        if node["metadata"]["name"] == self.refuses:
            self._tell(node, idle="Idle", degraded="it came back with the image of before")
        else:
            self._tell(node, idle="Idle", booted=node["status"]["staged"], staged=None)

    def _hold_slot(self, name: str, *, held: bool) -> None:
        slot = {"bootc.dev/in-reboot-slot": "" if held else None}
        self._rest.merge(f"{API}/bootcnodes/{name}", {"metadata": {"annotations": slot}})

    def _tell(self, node: Json, *, idle: str, degraded: str = "", **images: t.Any) -> None:
        conditions = [
            {"type": "Idle", "status": str(idle == "Idle"), "reason": idle},
            {"type": "Degraded", "status": str(bool(degraded)), "reason": "Error", "message": degraded},
        ]
        status = {"observedGeneration": node["metadata"]["generation"], "conditions": conditions, **images}
        self._rest.merge(f"{API}/bootcnodes/{node['metadata']['name']}/status", {"status": status})


def _image(name: str) -> Json:
    """Return what bootc tells of an image: its own manifest where the name is that of a list."""
    digest = name.partition("@")[2]
    return {"image": name, "imageDigest": OWN if digest == LIST else digest}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    folder = tmp_path_factory.mktemp("definitions")
    kinds = [definition(kind) for kind in ("BootcNodePool", "BootcNode")]
    for one in kinds:
        (folder / one["metadata"]["name"]).write_text(json.dumps(one))
    with ApiServer.start_openshift() as started:
        crds.install(started.rest, [crds.Definition(one.name, one) for one in folder.iterdir()])
        yield started


@pytest.fixture
def operator(server: ApiServer) -> Operator:
    """An operator that has brought an image onto both nodes of an open pool."""
    for plural in ("bootcnodes", "bootcnodepools"):
        server.rest.delete(f"{API}/{plural}")
    about = {"apiVersion": f"{GROUP}/{VERSION}", "kind": "BootcNodePool", "metadata": {"name": "workers"}}
    pool = server.rest.apply({**about, "spec": {"nodeSelector": {}, "image": {"ref": f"{IMAGE}@{BEFORE}"}}})
    owner = {
        "apiVersion": about["apiVersion"],
        "kind": about["kind"],
        "name": "workers",
        "uid": pool["metadata"]["uid"],
    }
    for name in NODES:
        wish = {"desiredImage": f"{IMAGE}@{BEFORE}", "desiredImageState": "Staged"}
        metadata = {"name": name, "ownerReferences": [{**owner, "controller": True}]}
        server.rest.apply({**about, "kind": "BootcNode", "metadata": metadata, "spec": wish})
    made = Operator(server)
    for _staged_booted_and_back in range(4):
        made.look()
    made.begun = []
    return made


@pytest.fixture
def working(operator: Operator) -> Iterator[Operator]:
    """The same operator at work beside the test."""
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(0.2):
            operator.look()

    thread = threading.Thread(target=work)
    thread.start()
    yield operator
    ended.set()
    thread.join()


def run(server: ApiServer, folder: Path, *words: str, **options: t.Any) -> Json:
    known = {"name": "workers", "image": f"{IMAGE}:9.6@{LIST}", "guard": {"stanza": OPEN}, **options}
    task = {"fieldops.openshift.bootc_node_pool": {"kubeconfig": str(server.kubeconfig), **known}}
    return run_play(folder, task, *words).result


def standings(result: Json) -> set[str]:
    return {node["standing"] for node in result["pool"]["nodes"]}


def test_an_image_is_staged_in_a_pool_that_is_paused_with_it(
    server: ApiServer, working: Operator, tmp_path: Path
) -> None:
    staged = run(server, tmp_path, wait=True, wait_timeout=60)
    assert (staged["changed"], staged["pool"]["paused"], standings(staged)) == (True, True, {"staged"})
    assert (server.rest.get(POOL)["spec"]["image"]["ref"], working.begun) == (f"{IMAGE}@{LIST}", [])
    assert (staged["permission"], staged["pool"]["nodes"][0]["staged"]["digest"]) == (None, OWN)
    again = run(server, tmp_path, wait=True, wait_timeout=60)
    assert (again["changed"], again["actions"]) == (False, [])


def test_nodes_boot_it_while_change_is_permitted_and_the_pool_is_left_paused(
    server: ApiServer, working: Operator, tmp_path: Path
) -> None:
    booted = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert (standings(booted), booted["pool"]["paused"], booted["ended"]) == ({"booted"}, True, None)
    assert working.begun == list(NODES)
    assert {node["booted"]["digest"] for node in booted["pool"]["nodes"]} == {OWN}
    again = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert (again["changed"], again["permission"]) == (False, None)


def test_where_change_is_restricted_no_node_is_begun(server: ApiServer, working: Operator, tmp_path: Path) -> None:
    ended = run(server, tmp_path, state="booted", guard={"stanza": CLOSED}, wait=True, wait_timeout=60)
    assert (ended["ended"]["outcome"], ended["pool"]["paused"], working.begun) == ("restricted", True, [])


def test_a_node_that_does_not_come_back_with_it_ends_the_rollout(
    server: ApiServer, working: Operator, tmp_path: Path
) -> None:
    working.refuses = NODES[0]
    failed = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert failed["error"]["kind"] == "bootc_pool"
    assert f"{NODES[0]}: it came back with the image of before" in failed["msg"]
    assert (server.rest.get(POOL)["spec"]["rollout"]["paused"], set(working.begun)) == (True, {NODES[0]})
    # The image of before is another wish, of which nothing was said yet.
    working.refuses = ""
    back = run(server, tmp_path, image=f"{IMAGE}@{BEFORE}", state="booted", wait=True, wait_timeout=60)
    assert (back.get("msg"), standings(back)) == (None, {"booted"})


def test_check_mode_names_the_change_and_makes_none(server: ApiServer, operator: Operator, tmp_path: Path) -> None:
    operator.look()
    before = server.rest.get(POOL)["spec"]
    tried = run(server, tmp_path, "--check", state="booted", wait=True)
    assert (tried["changed"], server.rest.get(POOL)["spec"]) == (True, before)
    assert tried["diff"]["after"] == {"image": {"ref": f"{IMAGE}@{LIST}"}, "rollout": {"paused": False}}


def test_pools_are_told(server: ApiServer, operator: Operator, tmp_path: Path) -> None:
    operator.look()
    task = {"fieldops.openshift.bootc_node_pool_info": {"kubeconfig": str(server.kubeconfig)}}
    (told,) = run_play(tmp_path, task).result["pools"]
    assert (told["name"], told["digest"], told["paused"]) == ("workers", BEFORE, False)
    assert told["sentence"] == "pool workers: of 2 nodes 2 booted"


@pytest.mark.parametrize(("stanza", "outcome"), [(CLOSED, "restricted"), (OPEN, "done")])
def test_the_role_stages_at_any_time_and_boots_when_it_may(
    server: ApiServer, working: Operator, tmp_path: Path, stanza: Json, outcome: str
) -> None:
    variables = {
        "switch_bootc_pool_name": "workers",
        "switch_bootc_pool_image": f"{IMAGE}@{LIST}",
        "switch_bootc_pool_guard": {"stanza": stanza},
    }
    role = {"name": "Switch", "ansible.builtin.include_role": {"name": "fieldops.openshift.switch_bootc_pool"}}
    told = {"name": "Tell", "ansible.builtin.debug": {"var": "switch_bootc_pool_result"}}
    play = {"hosts": "localhost", "gather_facts": False, "vars": variables, "tasks": [role, told]}
    path = tmp_path / "role.json"
    path.write_text(json.dumps([play]))
    environment = environment_for(tmp_path, {"K8S_AUTH_KUBECONFIG": str(server.kubeconfig)})
    done = run_ansible_playbook([str(path)], environment, seconds=120)
    assert done.returncode == 0, done.stdout
    assert f'"outcome": "{outcome}"' in done.stdout
    assert working.begun == (list(NODES) if outcome == "done" else [])
    assert server.rest.get(POOL)["spec"]["rollout"]["paused"]
