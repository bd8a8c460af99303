# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ImageDigestMirrorSet for machines that join: what is added, what stays, what is refused."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.mirror_set import (
    ALLOW,
    NEVER,
    MirrorEntry,
    MirrorRequest,
    entries_of,
    planned_entries,
    repositories_of,
    set_body,
)

HERE = "192.0.2.5:9701"
ART = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
RELEASE = "quay.io/openshift-release-dev/ocp-release"
PARTNER = "registry.partner.example:5000/edge/gateway"


def ours(source: str, policy: str = NEVER, registry: str = HERE) -> MirrorEntry:
    return MirrorEntry(source, (f"{registry}/{source.partition('/')[2]}",), policy)


def other(source: str, *mirrors: str, policy: str = ALLOW, by_digest: bool = True) -> MirrorEntry:
    return MirrorEntry(source, mirrors, policy, "ImageDigestMirrorSet site", by_digest)


def planned(
    own: t.Sequence[MirrorEntry] = (), others: t.Sequence[MirrorEntry] = (), *repositories: str, **request: t.Any
) -> tuple[MirrorEntry, ...]:
    return planned_entries(own, others, MirrorRequest(HERE, repositories, **request))


def test_each_repository_gets_an_entry_that_asks_the_control_plane_alone() -> None:
    assert planned((), (), PARTNER, RELEASE) == (ours(RELEASE), ours(PARTNER))
    assert ours(PARTNER).as_data() == {
        "source": PARTNER,
        "mirrors": [f"{HERE}/edge/gateway"],
        "mirrorSourcePolicy": "NeverContactSource",
    }


def test_repositories_of_a_later_bundle_are_added_and_those_of_an_earlier_one_stay() -> None:
    assert planned([ours(RELEASE)], (), ART) == (ours(RELEASE), ours(ART))
    assert planned([ours(RELEASE)], ()) == (ours(RELEASE),)


@pytest.mark.parametrize(
    ("own", "policy", "expected"),
    [
        pytest.param((), None, NEVER, id="new"),
        pytest.param((), ALLOW, ALLOW, id="new, chosen"),
        pytest.param((ours(RELEASE, ALLOW),), None, ALLOW, id="as the set has it"),
        pytest.param((ours(RELEASE, ALLOW),), ALLOW, ALLOW, id="the same"),
    ],
)
def test_the_policy_of_a_new_entry(own: tuple[MirrorEntry, ...], policy: str | None, expected: str) -> None:
    assert planned(own, (), ART, policy=policy)[-1] == ours(ART, expected)


@pytest.mark.parametrize(
    ("own", "policy", "said"),
    [
        pytest.param((ours(RELEASE, ALLOW),), NEVER, f"{RELEASE} has {ALLOW} and would have {NEVER}", id="policy"),
        pytest.param(
            (ours(RELEASE, registry="192.0.2.4:9701"),),
            None,
            f"{RELEASE} has 192.0.2.4:9701/openshift-release-dev/ocp-release and would have {HERE}/",
            id="address",
        ),
    ],
)
def test_what_drains_every_node_needs_a_word(own: tuple[MirrorEntry, ...], policy: str | None, said: str) -> None:
    with pytest.raises(JoiningError) as refused:
        planned(own, (), policy=policy)
    assert said in str(refused.value)
    assert "drain every node" in str(refused.value)
    expected = policy or own[0].policy
    assert planned(own, (), policy=policy, allow_drain=True) == (ours(RELEASE, expected),)


def test_a_mirror_that_others_added_to_an_entry_stays() -> None:
    own = MirrorEntry(RELEASE, (*ours(RELEASE).mirrors, "mirror.example/ocp"), NEVER)
    assert planned([own]) == (own,)


def test_mirrors_of_the_namespace_follow_since_the_entry_hides_them() -> None:
    others = [
        other("quay.io", "far.example/quay"),
        other("quay.io/openshift-release-dev", "mirror.example/ocp", "second.example/ocp"),
        other("quay.io/openshift-release-dev", "tags.example/ocp", by_digest=False),
        other("quay.io/openshift", "else.example/o"),
    ]
    (entry,) = planned((), others, RELEASE)
    assert entry.mirrors == (
        f"{HERE}/openshift-release-dev/ocp-release",
        "mirror.example/ocp/ocp-release",
        "second.example/ocp/ocp-release",
    )


@pytest.mark.parametrize(
    ("policy", "theirs"), [pytest.param(NEVER, ALLOW, id="allow"), pytest.param(ALLOW, NEVER, id="never")]
)
def test_another_policy_elsewhere_is_a_conflict_whatever_is_permitted(policy: str, theirs: str) -> None:
    with pytest.raises(JoiningError) as refused:
        planned((), [other(RELEASE, "mirror.example/r", policy=theirs)], RELEASE, policy=policy, allow_drain=True)
    assert f"ImageDigestMirrorSet site has {theirs} for {RELEASE} instead of {policy}" in str(refused.value)


def test_the_same_policy_elsewhere_is_none() -> None:
    assert planned((), [other(RELEASE, "mirror.example/r", policy=NEVER)], RELEASE) == (ours(RELEASE),)


@pytest.mark.parametrize(
    ("kind", "key", "policy", "by_digest"),
    [
        ("ImageDigestMirrorSet", "imageDigestMirrors", NEVER, True),
        ("ImageTagMirrorSet", "imageTagMirrors", NEVER, False),
        ("ImageContentSourcePolicy", "repositoryDigestMirrors", None, True),
    ],
)
def test_entries_of_each_kind(kind: str, key: str, policy: str | None, by_digest: bool) -> None:
    entry: dict[str, t.Any] = {"source": RELEASE, "mirrors": ["mirror.example/r"]}
    if policy:
        entry["mirrorSourcePolicy"] = policy
    found = {"metadata": {"name": "site"}, "spec": {key: [entry, {"source": ART}]}}
    assert entries_of(found, kind) == (
        MirrorEntry(RELEASE, ("mirror.example/r",), policy or ALLOW, f"{kind} site", by_digest),
    )


def test_repositories_of_images() -> None:
    names = [f"{ART}@sha256:{'a' * 64}", f"{ART}@sha256:{'b' * 64}", f"{PARTNER}:v1", RELEASE, ""]
    assert repositories_of(names) == (RELEASE, ART, PARTNER)


def test_what_is_written() -> None:
    body = set_body([ours(RELEASE)])
    assert body["metadata"]["name"] == "fieldops-image-source"
    assert body["spec"] == {"imageDigestMirrors": [ours(RELEASE).as_data()]}
