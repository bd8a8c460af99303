# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same PinnedImageSets to the actor and to upstream's manager, with upstream's own limits in both.

Each row is a node in a pool of its own; all are at work at the same time, as tries and pauses take seconds.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab import pinned_image_peers as peers
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import SEE_LIST, SETS, WORKERS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import machine_configs, nodes
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

QUAY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:"
GIB = 2**30
SECONDS = 60.0
PLACES = 256
KNOWN = 2
"""How often it is seen whether an image is there that is remembered from then on: before it is sized up and pulled."""
PROGRESSING, DEGRADED = "PinnedImageSetsProgressing", "PinnedImageSetsDegraded"
SIZING = 'failed to execute podman manifest inspect for "IMAGE": exit status 1'
PULLING = 'failed to pull image "IMAGE" \\(4 tries\\): timed out waiting for the condition: .*manifest unknown.*'
REMOVED = "failed to pull image: image removed during sync: IMAGE"
TOO_SHORT = "requeue: prefetching images incomplete after timeout: 10s"
FORGETFUL = "more images than it remembers, and a round that is too short"


@dataclass(frozen=True)
class Row:
    """A set of ``count`` images for one node; ``error`` is a pattern of its fault, "" where it is pinned at last.

    ``held`` images are on the node, ``sized`` ones are known to podman with ``size`` bytes, ``available`` ones can be
    pulled. ``tries`` is how often images were asked for, ``looks`` how often the first one was looked for, ``seconds``
    how long it takes at least.
    """

    count: int
    held: int = 0
    sized: bool = True
    available: bool = True
    size: int = 1
    storage: str | None = "120Gi"
    is_master: bool = False
    round: float = 120.0
    error: str = ""
    tries: int = 0
    looks: int = 0
    seconds: float = 0.0


ROWS = {
    "images that the registry has": Row(2, tries=2),
    "images that are there, whatever podman knows": Row(2, held=2, sized=False),
    "an image that podman cannot size up": Row(1, sized=False, error=SIZING),
    "an image that cannot be pulled": Row(1, available=False, error=PULLING, tries=4, seconds=15),
    "no ephemeral storage": Row(1, held=1, storage=None, error='node "NODE" has no ephemeral storage capacity'),
    "less than 16 GiB of storage": Row(
        1,
        held=1,
        storage="15Gi",
        error=f"storage available is less than minimum required capacity: {15 * GIB}, required: {16 * GIB}",
    ),
    "as much as leaves just less than 16 GiB": Row(
        1, size=GIB // 2, storage="17Gi", error="storage available is less than minimum required"
    ),
    "as much as leaves 16 GiB": Row(1, size=GIB // 2 - 1, storage="17Gi", tries=1),
    "a pause after each image, also one that is there": Row(11, held=11, seconds=2),
    # So many that also a machine that is slow to look sees none pinned: each further round remembers some more.
    "one worker on the control plane and a round that is too short": Row(
        90,
        held=90,
        is_master=True,
        round=0.5,
        error="requeue: prefetching images incomplete after timeout: 500ms",
        seconds=0.5,
    ),
    FORGETFUL: Row(400, round=10, error=TOO_SHORT, tries=10, looks=KNOWN + 1),
}


@dataclass
class Seen:
    """What became of a row."""

    images: peers.Images
    names: list[str]
    node: str
    conditions: dict[str, Json] = field(default_factory=dict)
    told: Json = field(default_factory=dict)
    errors: set[str] = field(default_factory=set)
    seconds: float = 0.0


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        yield server


PEERS = {"actor": peers.actor, "real": peers.real}


@pytest.fixture(scope="module", params=PEERS)
def cluster(request: pytest.FixtureRequest, own_server: ApiServer) -> tuple[ApiServer, t.Any]:
    if request.param == "real" and os.geteuid():
        pytest.skip("upstream's manager needs root, to have an /etc of its own")
    for path in (POOLS, NODES, SETS, "/api/v1/nodes"):
        own_server.rest.delete(path)
    plant(own_server.rest, healthy_cluster("4.21.3", control_plane=1, workers=0))
    return own_server, PEERS[request.param]


def names_of(number: int, count: int) -> list[str]:
    return sorted(f"{QUAY}{number:032x}{one:032x}" for one in range(count))


def prepare(client: RestClient, number: int, row: Row, images: peers.Images) -> Seen:
    """Make the row's node, its pool with the set, and what CRI-O and podman know."""
    pool = "master" if row.is_master else f"row-{number}"
    names = names_of(number, row.count)
    images.add("held", *names[: row.held])
    images.add("available", *(names if row.available else []))
    for name in names if row.sized else []:
        images.describe(name, row.size)
    client.apply(machine_configs.pinned_image_set(f"set-{number}", pool, names))
    if row.is_master:
        node = "master-0"
    else:
        node = nodes.node_name("worker", number)
        made = nodes.node("worker", number, pool=pool)
        made["status"]["allocatable"].pop("ephemeral-storage")
        if row.storage:
            made["status"]["allocatable"] = {**made["status"]["allocatable"], "ephemeral-storage": row.storage}
        pools = [machine_configs.machine_config_pool(pool, 1, "4.21.3")]
        plant(client, [*pools, made, machine_configs.machine_config_node(node, pool)])
    client.merge(f"{POOLS}/{pool}", {"spec": {"pinnedImageSets": [{"name": f"set-{number}"}]}})
    return Seen(images, names, node)


def look(client: RestClient, row: Row, seen: Seen, generation: int = 1) -> bool:
    """Look at a row's MachineConfigNode; whether it has come to its end with that generation of its set."""
    status = client.get(f"{NODES}/{seen.node}")["status"]
    seen.conditions = {one["type"]: one for one in status["conditions"]}
    (seen.told,) = status.get("pinnedImageSets") or [{}]
    error = seen.told.get("lastFailedGenerationError", "").replace(seen.names[0], "IMAGE").replace(seen.node, "NODE")
    seen.errors |= {error} if error else set()
    if seen.images.listed("looks").count(seen.names[0]) < row.looks:
        return False
    if row.error:
        return any(re.fullmatch(row.error, one) for one in seen.errors)
    # Upstream may begin once more after it has come to the end: for a pool, a node and a set that it sees one by one.
    at_rest = all(seen.conditions[kind]["reason"] == "AsExpected" for kind in (PROGRESSING, DEGRADED))
    return at_rest and seen.told.get("currentGeneration") == generation


@pytest.fixture(scope="module")
def seen(cluster: tuple[ApiServer, t.Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    server, peer = cluster
    found = {
        name: prepare(server.rest, number, row, peers.Images(tmp_path_factory.mktemp("node") / "images"))
        for number, (name, row) in enumerate(ROWS.items())
    }
    come_to_their_ends(server, peer, ROWS, found, SECONDS)
    return found


def come_to_their_ends(
    server: ApiServer, peer: t.Any, rows: Mapping[str, Row], found: Mapping[str, Seen], most_seconds: float
) -> None:
    """Let the managers of all rows work until each has come to its end."""
    with contextlib.ExitStack() as running:
        begun = time.monotonic()
        for name, one in found.items():
            running.enter_context(peer(server, one.node, one.images, rows[name].round))
        left = {*rows}
        while left and time.monotonic() < begun + most_seconds:
            for name in [*left]:
                if look(server.rest, rows[name], found[name]):
                    found[name].seconds = time.monotonic() - begun
                    left.remove(name)
            time.sleep(0.1)
    assert not left, {name: (found[name].errors, found[name].told) for name in left}


@pytest.mark.parametrize("name", ROWS)
def test_a_node_comes_to_the_end_of_its_row(seen: dict[str, Seen], name: str) -> None:
    row, found = ROWS[name], seen[name]
    assert found.seconds >= row.seconds
    assert found.images.pinned() == ([] if row.error else found.names)
    assert len(found.images.listed("pulls")) >= row.tries
    if row.error:
        assert (found.told["desiredGeneration"], found.told.get("currentGeneration")) == (1, None)
        return
    assert found.told == {"name": found.told["name"], "desiredGeneration": 1, "currentGeneration": 1}
    said = {kind: (one["status"], one["reason"], one["message"]) for kind, one in found.conditions.items()}
    assert said[PROGRESSING] == ("False", "AsExpected", "All pinned image sets complete")
    assert said[DEGRADED] == ("False", "AsExpected", "All is good")


def test_a_fault_leaves_the_node_progressing_and_degraded(seen: dict[str, Seen]) -> None:
    found = seen["an image that podman cannot size up"]
    said = {kind: (one["status"], one["reason"], one["message"]) for kind, one in found.conditions.items()}
    assert said[PROGRESSING] == ("True", "ImagePrefetch", f"node is prefetching images: {found.node}")
    assert said[DEGRADED] == ("True", "PrefetchFailed", SEE_LIST)
    assert found.images.listed("pulls") == []


def test_images_that_it_sizes_up_push_out_those_that_it_has_pulled(seen: dict[str, Seen]) -> None:
    """Both take one of 256 places: however few were pulled, the next round begins with the first image again."""
    found = seen[FORGETFUL].images
    assert found.listed("looks").count(seen[FORGETFUL].names[0]) > KNOWN
    assert len(found.listed("pulls")) < PLACES


@pytest.mark.long
def test_images_that_are_all_there_push_each_other_out(cluster: tuple[ApiServer, t.Any], tmp_path: Path) -> None:
    """They are never pinned: a second release beside the first is enough for that on nodes with short rounds."""
    server, peer = cluster
    # A round of ten seconds that is cut short may save each worker its last pause.
    seconds = PLACES / WORKERS * 0.9
    rows = {"held": Row(400, held=400, round=10, error=TOO_SHORT, looks=KNOWN + 1, seconds=seconds)}
    found = {"held": prepare(server.rest, len(ROWS), rows["held"], peers.Images(tmp_path / "images"))}
    come_to_their_ends(server, peer, rows, found, 2 * SECONDS)
    assert found["held"].seconds >= rows["held"].seconds, "before that it has places left"
    assert (found["held"].images.pinned(), found["held"].images.listed("pulls")) == ([], [])


def test_started_again_it_has_forgotten_what_was_complete(
    cluster: tuple[ApiServer, t.Any], seen: dict[str, Seen]
) -> None:
    server, peer = cluster
    found = seen["a pause after each image, also one that is there"]
    row = ROWS["a pause after each image, also one that is there"]
    with peer(server, found.node, found.images, row.round):
        wait_for(lambda: not look(server.rest, row, found) and "currentGeneration" not in found.told)
        wait_for(lambda: look(server.rest, row, found))


def test_other_images_under_the_same_name_take_the_place_of_those_before(
    cluster: tuple[ApiServer, t.Any], tmp_path: Path
) -> None:
    """As the set of a site's next bundle does, whether the daemon runs meanwhile or is started again."""
    server, peer = cluster
    number, row = len(ROWS) + 1, Row(5, held=5)
    found = prepare(server.rest, number, row, peers.Images(tmp_path / "images"))

    def replace(generation: int) -> None:
        found.names = names_of(number + generation, row.count)
        found.images.add("held", *found.names)
        images = [{"name": name} for name in found.names]
        server.rest.merge(f"{SETS}/set-{number}", {"spec": {"pinnedImages": images}})

    with peer(server, found.node, found.images, row.round):
        wait_for(lambda: look(server.rest, row, found))
        replace(2)
        wait_for(lambda: look(server.rest, row, found, 2))
        assert found.images.pinned() == found.names
    replace(3)
    with peer(server, found.node, found.images, row.round):
        wait_for(lambda: look(server.rest, row, found, 3))
    assert found.images.pinned() == found.names
    # A daemon breaks off what it asks CRI-O when it is ended, or given another set, and says so until it is done.
    errors = {error for error in found.errors if not error.endswith("context canceled")}
    assert (errors, found.images.listed("pulls")) == (set(), [])
