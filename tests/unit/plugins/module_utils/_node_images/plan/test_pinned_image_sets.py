# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster's own way of keeping images on nodes."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pinned_image_sets import (
    NodeVerdict,
    node_verdicts,
    pools_without,
    require_room,
    sentence_of,
    sentence_of_pools,
    wanted_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

REPOSITORY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
IMAGE = f"{REPOSITORY}@sha256:{'a' * 64}"


def images(count: int, first: int = 0) -> list[str]:
    return [f"{REPOSITORY}@sha256:{first + number:064x}" for number in range(count)]


def test_each_pool_has_a_set_that_its_selector_finds() -> None:
    master, worker = wanted_sets("fieldops", {"worker": [IMAGE], "master": [IMAGE]})
    assert worker["metadata"]["name"] == "fieldops-worker"
    assert worker["metadata"]["labels"] == {
        "machineconfiguration.openshift.io/role": "worker",
        "fieldops-openshift/pinned-image-set": "fieldops",
        "app.kubernetes.io/part-of": "fieldops-openshift",
    }
    assert worker["spec"] == {"pinnedImages": [{"name": IMAGE}]}
    assert master["metadata"]["name"] == "fieldops-master"


@pytest.mark.parametrize("count", [0, 501])
def test_a_set_holds_no_more_than_the_api_takes(count: int) -> None:
    with pytest.raises(InvalidInputError, match=f"they are {count}, and a set takes 1 to 500"):
        wanted_sets("release", {"worker": images(count)})


def test_an_image_that_is_named_twice_is_pinned_once() -> None:
    (made,) = wanted_sets("release", {"worker": [IMAGE, IMAGE]})
    assert made["spec"]["pinnedImages"] == [{"name": IMAGE}]


@pytest.mark.parametrize(
    "image",
    [
        pytest.param("quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64", id="by tag"),
        pytest.param(f"registry.example/a/b/c@sha256:{'0' * 64}", id="deeper than the API takes"),
        pytest.param("busybox", id="unqualified"),
    ],
)
def test_images_that_the_api_does_not_take_are_refused(image: str) -> None:
    with pytest.raises(InvalidInputError):
        wanted_sets("release", {"worker": [IMAGE, image]})


@pytest.mark.parametrize("name", ["", "Release", "a b", "-a", "a" * 64, "a/b"])
def test_a_name_that_no_object_can_have_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError):
        wanted_sets(name, {"worker": [IMAGE]})


@pytest.mark.parametrize(
    ("existing", "version", "seen"),
    [
        pytest.param([], "4.20.1", "", id="nothing else"),
        pytest.param([("site", images(190))], "4.20.1", "", id="beside a set of others"),
        pytest.param([("fieldops", images(250, 500))], "4.20.1", "", id="in place of one of ours"),
        pytest.param([("site", images(250, 500))], "4.20.1", "keep 260 images of 2", id="more than is remembered"),
        pytest.param([("site", images(250, 500))], "4.22.1", "", id="as much as 4.22 remembers"),
        pytest.param([("site", images(250, 500))], "", "keep 260 images of 2", id="a release that is not known"),
    ],
)
def test_sets_are_made_only_where_daemons_complete_them(
    existing: list[tuple[str, list[str]]], version: str, seen: str
) -> None:
    wanted = wanted_sets("fieldops", {"worker": images(10)})
    there = [one for name, held in existing for one in wanted_sets(name, {"worker": held})]
    if not seen:
        require_room(wanted, there, version)
        return
    with pytest.raises(InvalidInputError, match=seen):
        require_room(wanted, there, version)


def test_a_set_of_others_is_not_taken_over() -> None:
    wanted = wanted_sets("fieldops", {"worker": [IMAGE]})
    others = {"metadata": {"name": "fieldops-worker", "labels": {}}, "spec": {}}
    with pytest.raises(InvalidInputError, match="was not created by this collection under this name"):
        require_room(wanted, [others], "4.21.3")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        pytest.param(
            {"master": [], "worker": ["fieldops-worker"]},
            "1 of 2 pools have their PinnedImageSet; pool master does not have it yet",
            id="one waits",
        ),
        pytest.param(
            {"master": None, "worker": None}, "0 of 2 pools have their PinnedImageSet; pool master", id="both"
        ),
        pytest.param(
            {"master": ["site", "fieldops-master"], "worker": ["fieldops-worker"]},
            "2 of 2 pools have their PinnedImageSet",
            id="none waits",
        ),
    ],
)
def test_pools_have_their_sets_when_their_specs_name_them(given: dict[str, t.Any], sentence: str) -> None:
    sets = wanted_sets("fieldops", {"master": [IMAGE], "worker": [IMAGE]})
    pools = [
        {"metadata": {"name": pool}, "spec": {"pinnedImageSets": names and [{"name": one} for one in names]}}
        for pool, names in given.items()
    ]
    assert sentence_of_pools(sets, pools_without(sets, pools)).startswith(sentence)


def in_cluster(name: str, pool: str, generation: int) -> dict[str, t.Any]:
    labels = {"machineconfiguration.openshift.io/role": pool}
    return {"metadata": {"name": name, "labels": labels, "generation": generation}, "spec": {}}


def machine_config_node(name: str, pool: str, *told: dict[str, t.Any], **conditions: str) -> dict[str, t.Any]:
    return {
        "metadata": {"name": name},
        "spec": {"pool": {"name": pool}},
        "status": {
            "pinnedImageSets": list(told),
            "conditions": [{"type": kind, "status": "True", "message": text} for kind, text in conditions.items()],
        },
    }


SET = in_cluster("release-worker", "worker", 3)


@pytest.mark.parametrize(
    ("told", "conditions", "state", "reason"),
    [
        pytest.param({"currentGeneration": 3, "desiredGeneration": 3}, {}, "pinned", "", id="has reached it"),
        pytest.param(
            {"currentGeneration": 3, "lastFailedGeneration": 3, "lastFailedGenerationError": "once"},
            {},
            "pinned",
            "",
            id="has reached it after a failure",
        ),
        pytest.param(
            {"currentGeneration": 2, "desiredGeneration": 3},
            {"PinnedImageSetsProgressing": "node is prefetching images"},
            "progressing",
            "node is prefetching images",
            id="is at an earlier one",
        ),
        pytest.param({}, {}, "progressing", "it has not reported on release-worker yet", id="says nothing"),
        pytest.param(
            {"desiredGeneration": 3, "lastFailedGeneration": 3, "lastFailedGenerationError": "no such host"},
            {},
            "failed",
            "no such host",
            id="has failed",
        ),
        pytest.param(
            {"desiredGeneration": 3},
            {"PinnedImageSetsProgressing": "node is prefetching images", "PinnedImageSetsDegraded": "see the list"},
            "failed",
            "see the list",
            id="has failed and tries again",
        ),
        pytest.param(
            {"desiredGeneration": 2},
            {"PinnedImageSetsDegraded": "see the list"},
            "progressing",
            "see the list",
            id="has failed with an earlier one and does not know this one yet",
        ),
        pytest.param(
            {"desiredGeneration": 3, "lastFailedGeneration": 2, "lastFailedGenerationError": "no such host"},
            {},
            "progressing",
            "it has not reported on release-worker yet",
            id="has failed with what is no longer wanted",
        ),
    ],
)
def test_what_a_node_says(told: dict[str, t.Any], conditions: dict[str, str], state: str, reason: str) -> None:
    entries = [{"name": "release-worker", **told}] if told else []
    (verdict,) = node_verdicts([SET], [machine_config_node("worker-0", "worker", *entries, **conditions)])
    assert verdict == NodeVerdict("worker-0", "worker", state, reason)


def test_nodes_of_other_pools_do_not_count() -> None:
    assert node_verdicts([SET], [machine_config_node("master-0", "master")]) == []


def test_every_set_of_the_pool_has_to_be_reached() -> None:
    second = in_cluster("release-worker-2", "worker", 1)
    node = machine_config_node("worker-0", "worker", {"name": "release-worker", "currentGeneration": 3})
    (verdict,) = node_verdicts([SET, second], [node])
    assert verdict.reason == "it has not reported on release-worker-2 yet"


@pytest.mark.parametrize(
    ("states", "missing", "sentence"),
    [
        pytest.param(["pinned", "pinned"], 0, "2 of 2 nodes have and keep all images", id="all"),
        pytest.param(["pinned", "progressing"], 1, "1 of 3 nodes have and keep all images", id="some say nothing"),
        pytest.param(
            ["pinned", "failed"], 0, "1 of 2 nodes have and keep all images; node-1: no such host", id="one failed"
        ),
        pytest.param(
            ["failed", "failed", "failed"],
            0,
            "0 of 3 nodes have and keep all images; node-0: no such host, and 2 more nodes failed",
            id="several failed",
        ),
    ],
)
def test_where_all_stand(states: list[str], missing: int, sentence: str) -> None:
    verdicts = [
        NodeVerdict(f"node-{number}", "worker", state, "no such host" if state == "failed" else "")
        for number, state in enumerate(states)
    ]
    assert sentence_of(verdicts, missing) == sentence
