# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What stands in the way of a release, seen right before it is asked for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_gate import (
    MOST_NAMED,
    release_gate,
)

Facts = dict[str, t.Any]


def node(name: str, **others: t.Any) -> Facts:
    known = {"standing": "pending", "reason": "", "is_control_plane": name.startswith("master"), "ready": True}
    known["current_config"] = f"rendered-{name.partition('-')[0]}-1"
    return {"name": name, "roles": [name.partition("-")[0]], **known, **others}


def pool(name: str, **others: t.Any) -> Facts:
    known = {
        "required": name == "master",
        "paused": False,
        "paused_by": "",
        "record": {},
        "degraded": [],
        "blocked": "",
    }
    return {"name": name, **known, **others}


def answer(loop_var: str, name: str, **others: t.Any) -> Facts:
    return {"ansible_loop_var": loop_var, loop_var: name, **others}


def images(
    name: str, *lacking: str, staged: bool = True, serving: bool = True, unserved: t.Sequence[str] = ()
) -> Facts:
    return answer(
        "load_images_node",
        name,
        staged=staged,
        ready=staged and (serving or not lacking) and not unserved,
        lacking=list(lacking),
        serving=serving,
        unserved=list(unserved),
    )


def pulling(name: str, *lacking: str, unpinned: t.Sequence[str] = (), seen: str = "", **others: t.Any) -> Facts:
    """A node without a copy of the bundle; ``seen`` is what was said where it did not find the OS image."""
    found = images(name, *lacking, serving=False)
    unpullable = [{"name": "os", "seen": seen}] if seen else []
    kept = {"ready": not (lacking or unpinned), "unpinned": [*lacking, *unpinned]}
    return {**found, **kept, "pullable": True, "unpullable": unpullable, **others}


def in_set(name: str, state: str = "pinned") -> Facts:
    return {"node": name, "pool": name.partition("-")[0], "state": state, "reason": ""}


def backups(name: str, *ages: int, problem: str = "") -> Facts:
    found = [{"age_seconds": age, "made_at": f"{22 - age // 3600}:00:00Z"} for age in ages]
    return answer("play_backup_node", name, etcd_backups={"backups": found, "problem": problem})


def unreachable(loop_var: str, name: str) -> Facts:
    return answer(loop_var, name, unreachable=True, msg="no route to host")


def budget(severity: str = "fault", *, allowed: bool = False, code: str = "budget_impossible") -> Facts:
    seen = "lets no pod go"
    return {
        "code": code,
        "severity": severity,
        "allowed": allowed,
        "namespace": "shop",
        "name": "web",
        "seen": seen,
    }


def site(**others: t.Any) -> Facts:
    """Return what is seen of a site that nothing stands in the way of."""
    known: Facts = {
        "rollout": {"nodes": [node("master-0"), node("worker-0")], "pools": [pool("master"), pool("worker")]},
        "health": {"findings": []},
        "images": [images("master-0"), images("worker-0")],
        "version": "4.18.9",
        "backups": [],
        "backup": {"demand": "ignore", "path": "/home/core/assets/backup", "max_age": "3600"},
        "trial": {"progress": {}, "permission": {"sentence": "change is permitted"}, "ended": None},
    }
    return {**known, **others}


def demanding(demand: str, *seen: Facts, nodes: t.Sequence[Facts] = ()) -> Facts:
    known = site()
    rollout = {**known["rollout"], "nodes": list(nodes) or known["rollout"]["nodes"]}
    return {**known, "rollout": rollout, "backups": list(seen), "backup": {**known["backup"], "demand": demand}}


def rolling(*nodes: Facts, pools: t.Sequence[Facts] = ()) -> Facts:
    return site(rollout={"nodes": list(nodes), "pools": list(pools)})


def seen_by(check: str, gate: Facts) -> str:
    found: str = next(row["seen"] for row in gate["rows"] if row["check"] == check)
    return found


def test_where_nothing_stands_in_the_way_each_check_says_what_was_seen() -> None:
    gate = release_gate(site())
    assert (gate["refused"], gate["sentence"], gate["backup_on"]) == ([], "", "")
    assert gate["lines"] == [
        "passed   nodes     2 nodes, none of them held back",
        "passed   pools     no pool that the update opens or requires is paused by another user",
        "passed   budgets   no disruption budget blocks a drain permanently",
        "passed   images    2 nodes have the images that they need",
        "passed   OS image  each node that holds the bundle serves the OS image to itself",
        "passed   release   the cluster accepts the release",
        "passed   window    change is permitted",
    ]


@pytest.mark.parametrize(
    ("seen", "check", "told"),
    [
        pytest.param(
            rolling(node("worker-0", standing="held_back", reason="it was cordoned by others")),
            *("nodes", "these nodes would not be updated: worker-0: it was cordoned by others"),
            id="a node is held back",
        ),
        pytest.param(
            rolling(pools=[pool("master", paused=True, paused_by="paused by jdoe")]),
            *("pools", "the update opens or requires a pool that is paused: master is paused by jdoe"),
            id="a required pool is paused by others",
        ),
        pytest.param(
            {**rolling(pools=[pool("worker", paused=True, paused_by="paused by jdoe")]), "method": "pool"},
            *("pools", "the update opens or requires a pool that is paused: worker is paused by jdoe"),
            id="a pool that would be opened is paused by others",
        ),
        pytest.param(
            rolling(pools=[pool("worker", blocked="1 of 3 nodes may be unavailable, and worker-0 is")]),
            *(
                "pools",
                "no node of these pools could be started: worker: 1 of 3 nodes may be unavailable, and worker-0",
            ),
            id="too many nodes of a pool are away already",
        ),
        pytest.param(
            rolling(node("worker-0"), pools=[pool("worker", degraded=["worker-0"])]),
            *("nodes", "these nodes would not be updated: worker-0: its machine-config daemon is degraded"),
            id="the daemon of a node is degraded",
        ),
        pytest.param(
            rolling(node("worker-0", current_config="")),
            *("nodes", "these nodes would not be updated: worker-0: it is not managed by a machine-config daemon"),
            id="a node without a daemon",
        ),
        pytest.param(
            site(health={"findings": [budget()]}),
            *("budgets", "these budgets block drains: shop/web lets no pod go"),
            id="a budget lets no pod go",
        ),
        pytest.param(
            site(images=[images("worker-0", "etcd", "cli", serving=False), images("master-0")], version="4.23.1"),
            *("images", "worker-0 lacks etcd, cli"),
            id="a node lacks images",
        ),
        pytest.param(
            site(images=[images("worker-0", unserved=["etcd"])]),
            *("images", "worker-0 does not serve etcd"),
            id="a node does not serve an image",
        ),
        pytest.param(
            site(images=[images("worker-0", serving=False), images("master-0")], version="4.18.20"),
            *("OS image", "the machine-config daemon of 4.18.20 pulls the OS image from a registry only: worker-0"),
            id="a node of an earlier release that serves nothing",
        ),
        pytest.param(
            site(images=[images("worker-0", serving=False), images("worker-1", serving=False)], version="4.21.3"),
            *("OS image", "from a registry only where its pool has no PinnedImageSet: worker-0; worker-1"),
            id="nodes that serve nothing and have no set",
        ),
        pytest.param(
            site(images=[images("worker-0", serving=False)], version="4.21.3", sets=[in_set("worker-0", "failed")]),
            *("OS image", "has no PinnedImageSet: worker-0"),
            id="a node whose set is not complete",
        ),
        pytest.param(
            site(images=[images("worker-0", serving=False)], version="4.18.9", sets=[in_set("worker-0")]),
            *("OS image", "of 4.18.9 pulls the OS image from a registry only: worker-0"),
            id="a set that its daemon does not go by",
        ),
        pytest.param(
            site(images=[images("master-0"), pulling("worker-0", "etcd")]),
            *("images", "worker-0 lacks etcd"),
            id="a node without a copy lacks an image",
        ),
        pytest.param(
            site(images=[images("master-0"), pulling("worker-0", unpinned=["etcd"])], version="4.23.0"),
            *("images", "worker-0 has no copy of the bundle and has not pinned etcd"),
            id="a node without a copy may lose an image",
        ),
        pytest.param(
            site(images=[images("master-0"), pulling("worker-0", seen="quay.io is blocked")], version="4.21.3"),
            *(
                "OS image",
                "has no PinnedImageSet: worker-0 does not find it (quay.io is blocked). Serve it to these nodes",
            ),
            id="the control plane does not have the OS image for it",
        ),
        pytest.param(
            site(images=[pulling("worker-0", seen="is blocked", serving=True)], version="4.18.3"),
            *("OS image", "from a registry only: worker-0 does not find it (is blocked)"),
            id="what it serves of an earlier bundle does not count",
        ),
        pytest.param(
            site(images=[images("worker-0", staged=False)]),
            *("images", "worker-0 does not have the bundle"),
            id="a node without the bundle",
        ),
        pytest.param(
            site(images=[unreachable("load_images_node", "worker-0")]),
            *("images", "worker-0 did not answer"),
            id="a node that is away",
        ),
        pytest.param(
            site(
                trial={"failed": False, "msg": "x", "error": {"seen": "it waits for an acknowledgement", "advice": ""}}
            ),
            *("release", "it waits for an acknowledgement"),
            id="the cluster refuses it",
        ),
        pytest.param(
            site(trial={"failed": False, "msg": "the module crashed"}),
            *("release", "the module crashed"),
            id="the trial came to nothing",
        ),
        pytest.param(
            demanding("require", backups("master-0", 7200), backups("master-1"), backups("master-2", problem="a link")),
            "etcd backup",
            "no backup of etcd in /home/core/assets/backup started less than 3600 seconds ago: master-0 has one from "
            "20:00:00Z; master-1 has no complete one; master-2 has an untrusted folder (a link)",
            id="no recent backup",
        ),
        pytest.param(
            demanding("make", unreachable("play_backup_node", "master-0"), nodes=[node("master-0", ready=False)]),
            *("etcd backup", "master-0 did not answer"),
            id="no node that could make one",
        ),
        pytest.param(
            demanding("make", nodes=[node("master-0", roles=["arbiter"])]),
            *("etcd backup", "no backup of etcd"),
            id="an arbiter cannot make one",
        ),
    ],
)
def test_each_thing_that_stands_in_the_way_is_named(seen: Facts, check: str, told: str) -> None:
    gate = release_gate(seen)
    assert gate["refused"] == [check]
    assert told in gate["sentence"]


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(rolling(node("worker-0", standing="skipped", reason="left out")), id="a node that was left out"),
        pytest.param(
            rolling(
                node("worker-0", standing="skipped", current_config=""), pools=[pool("worker", degraded=["worker-0"])]
            ),
            id="a node that was left out for its daemon",
        ),
        pytest.param(rolling(pools=[pool("worker", paused=True)]), id="a pool of workers is paused"),
        pytest.param(
            rolling(pools=[pool("master", paused=True, record={"paused": True, "rollout": "an earlier one"})]),
            id="we have paused it ourselves",
        ),
        pytest.param(site(health={"findings": [budget("notice")]}), id="a budget lets none go just now"),
        pytest.param(site(health={"findings": [budget(allowed=True)]}), id="a budget that the site lives with"),
        pytest.param(site(health={"findings": [budget(code="alert")]}), id="what the budgets have nothing to do with"),
        pytest.param(demanding("require", backups("master-0", 7200), backups("master-1", 60)), id="a recent backup"),
        pytest.param(demanding("ignore", backups("master-0")), id="no backup is demanded"),
        pytest.param(
            site(images=[images("worker-0", serving=False)], version="4.21.3", sets=[in_set("worker-0")]),
            id="a node that keeps its OS image by a set",
        ),
        pytest.param(
            site(images=[images("worker-0", serving=False)], version="4.23.0"), id="a release that looks there"
        ),
        pytest.param(
            site(images=[pulling("worker-0", seen="away")], version="4.23.0"), id="no copy, and it looks there"
        ),
        pytest.param(
            site(images=[images("master-0"), pulling("worker-0")], version="4.18.3"), id="it finds it elsewhere"
        ),
    ],
)
def test_what_does_not_stand_in_the_way(seen: Facts) -> None:
    assert release_gate(seen)["refused"] == []


def test_all_that_stands_in_the_way_is_said_at_once() -> None:
    held = [node(f"worker-{number}", standing="held_back", reason="cordoned") for number in range(MOST_NAMED + 3)]
    seen = {**rolling(*held), "health": {"findings": [budget()]}}
    gate = release_gate(seen)
    assert gate["refused"] == ["nodes", "budgets"]
    assert "and 3 more" in gate["sentence"]
    both = release_gate(rolling(pools=[pool("master", paused=True, paused_by="paused by jdoe", blocked="m1 is away")]))
    assert ("master is paused by jdoe" in both["sentence"], "master: m1 is away" in both["sentence"]) == (True, True)


def test_what_a_node_pulls_from_its_own_bundle_is_counted_and_no_refusal() -> None:
    gate = release_gate(site(images=[images("worker-0", "etcd", "cli"), images("master-0")]))
    seen = "2 nodes have the images that they need, of which these are pulled from the node's own bundle: worker-0 2"
    assert (gate["refused"], seen_by("images", gate)) == ([], seen)


def test_nodes_that_find_the_os_image_at_the_control_plane_are_counted() -> None:
    gate = release_gate(site(images=[images("master-0"), pulling("worker-0"), pulling("worker-1")], version="4.18.3"))
    assert seen_by("OS image", gate).endswith("; 2 nodes without a copy pull it from the control plane")


def test_a_closed_window_is_no_refusal() -> None:
    gate = release_gate(
        site(trial={"progress": {}, "ended": {"outcome": "restricted", "reason": "change is restricted"}})
    )
    assert (gate["refused"], gate["lines"][-1]) == ([], "later    window    change is restricted")


def test_a_backup_is_made_on_the_first_node_of_the_control_plane_that_is_ready() -> None:
    nodes = [node("master-2"), node("master-0", ready=False), node("master-1"), node("worker-0")]
    gate = release_gate(demanding("make", backups("master-1", 7200), nodes=nodes))
    assert (gate["refused"], gate["backup_on"]) == ([], "master-1")
    assert release_gate(demanding("make", backups("master-1", 60), nodes=nodes))["backup_on"] == ""
