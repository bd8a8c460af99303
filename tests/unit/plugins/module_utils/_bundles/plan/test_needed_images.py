# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images of a bundle a site needs, and that none that it needs is left out."""

from __future__ import annotations

import json
import sys
import typing as t
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.needed_images import mentions_in
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.needed_images import (
    CAPABILITY,
    PLATFORMS,
    Mention,
    SiteFacts,
    lacking_by_pool,
    mention_in,
    needed_images,
    used_components,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import simple_bundle
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import Entry, layer

COMPONENTS = (
    "etcd",
    "aws-ebs-csi-driver",
    "aws-machine-controllers",
    "csi-driver-manila-operator",
    "ibm-vpc-block-csi-driver",
    "vsphere-csi-driver",
    "baremetal-operator",
    "console",
    "insights-operator",
    "hypershift",
)
INDEX, _CONTENT = simple_bundle({"release": b"r" * 9, **{name: name.encode() for name in COMPONENTS}})
DIGESTS = {image.component: str(image.name.digest) for image in INDEX.images}
NAME_OF = {image.component: str(image.name) for image in INDEX.images}
CONSOLE = ("Console",)


def named(*components: str, capabilities: tuple[str, ...] = ()) -> Mention:
    return Mention(frozenset(DIGESTS[one] for one in components), capabilities)


EVERYTHING = named(*(one for one in COMPONENTS if one not in ("hypershift", "console", "insights-operator")))
MENTIONS = (EVERYTHING, named("console", capabilities=CONSOLE), named("insights-operator", capabilities=("Insights",)))


def site(platform: str = "BareMetal", **more: t.Any) -> SiteFacts:
    facts: dict[str, t.Any] = {
        "enabled": frozenset({"Insights"}),
        "known": frozenset({"Console", "Insights"}),
        "used": frozenset({"etcd"}),
    }
    return SiteFacts(platform, **{**facts, **more})


def reasons(facts: SiteFacts, mentions: tuple[Mention, ...] = MENTIONS) -> dict[str | None, str]:
    return {one.image.component: one.reason for one in needed_images(INDEX, mentions, facts).left_out}


def test_what_is_left_out_has_a_reason() -> None:
    assert reasons(site()) == {
        "aws-ebs-csi-driver": "for platform AWS",
        "aws-machine-controllers": "for platform AWS",
        "csi-driver-manila-operator": "for platform OpenStack",
        "ibm-vpc-block-csi-driver": "for platform IBMCloud and PowerVS",
        "vsphere-csi-driver": "for platform VSphere",
        "console": "only for capability Console, which is disabled",
        "hypershift": "no manifest contains it",
    }


@pytest.mark.parametrize(
    ("facts", "kept"),
    [
        pytest.param(site("AWS"), {"aws-ebs-csi-driver", "aws-machine-controllers"}, id="its own platform"),
        pytest.param(site("PowerVS"), {"ibm-vpc-block-csi-driver"}, id="a platform that shares them"),
        pytest.param(
            site(used=frozenset({"vsphere-csi-driver", "hypershift", "console"})),
            {"vsphere-csi-driver", "hypershift", "console"},
            id="what runs now, whatever it is for",
        ),
        pytest.param(site(known=frozenset({"Insights"})), {"console"}, id="a capability that the next release brings"),
        pytest.param(site(enabled=frozenset({"Insights", "Console"})), {"console"}, id="a capability that is on"),
        pytest.param(
            site("External"),
            {one for one in COMPONENTS if one.partition("-")[0] in {*PLATFORMS, "csi"}},
            id="all platforms where nothing is known of the own one",
        ),
    ],
)
def test_what_is_needed(facts: SiteFacts, kept: set[str]) -> None:
    assert set(reasons(site())) - set(reasons(facts)) == kept


def test_one_manifest_that_is_applied_is_enough() -> None:
    assert "console" not in reasons(site(), (*MENTIONS, named("console")))


def test_the_bytes_that_are_saved_are_those_of_no_other_image() -> None:
    found = needed_images(INDEX, MENTIONS, site())
    kept = {digest for image in found.images for digest in image.blobs()}
    assert found.saved == sum(blob.size for digest, blob in INDEX.blobs.items() if digest not in kept)
    assert found.as_document()["left_out"][0]["component"] == "aws-ebs-csi-driver"


@pytest.mark.parametrize(
    ("mentions", "facts", "said"),
    [
        pytest.param((), site(), "has no readable manifests", id="without manifests"),
        pytest.param(MENTIONS, site(problem="it is not known"), "it is not known", id="without the present release"),
    ],
)
def test_where_nothing_can_be_told_all_are_needed(mentions: tuple[Mention, ...], facts: SiteFacts, said: str) -> None:
    found = needed_images(INDEX, mentions, facts)
    assert (found.images, found.saved, said in found.problem) == (INDEX.images, 0, True)


NAMES = st.frozensets(st.sampled_from(COMPONENTS))


@given(
    used=NAMES,
    mentions=st.lists(st.tuples(NAMES, st.sampled_from([(), CONSOLE, ("Insights",), ("New",)])), min_size=1),
    platform=st.sampled_from(["None", "BareMetal", "AWS", "External", ""]),
)
def test_no_set_is_too_small(used: frozenset[str], mentions: list[t.Any], platform: str) -> None:
    facts = site(platform, used=used)
    given_mentions = tuple(named(*names, capabilities=capabilities) for names, capabilities in mentions)
    kept = {image.component for image in needed_images(INDEX, given_mentions, facts).images}
    foreign = {one for one, reason in reasons(facts, given_mentions).items() if reason.startswith("for platform")}
    applied = {one for names, wants in mentions if not wants or wants[0] != "Console" for one in names}
    assert used <= kept
    assert applied - foreign <= kept


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        pytest.param(["etcd", "console"], {}, id="by component"),
        pytest.param([NAME_OF["etcd"], "console"], {}, id="by name"),
        pytest.param(["console"], {"worker": ("etcd",)}, id="one that runs is not in it"),
        pytest.param(["hypershift"], {"worker": ("console", "etcd")}, id="two"),
        pytest.param([], {}, id="an empty list means all"),
    ],
)
def test_lists_of_a_site(words: list[str], lacking: dict[str, tuple[str, ...]]) -> None:
    used = {"worker": {"etcd", "console", "of an earlier release"}, "master": set(COMPONENTS)}
    assert lacking_by_pool(INDEX, {"worker": words, "infra": ["etcd"]}, used) == lacking


def test_what_runs_is_told_by_digest() -> None:
    present = {f"quay.io/a/b@sha256:{'1' * 64}": "etcd", f"quay.io/a/b@sha256:{'2' * 64}": "cli"}
    assert used_components([f"registry.site/mirror@sha256:{'1' * 64}", "quay.io/a/b:latest"], present) == {"etcd"}


def manifest(capabilities: str = "", **data: str) -> bytes:
    annotations = {CAPABILITY: capabilities} if capabilities else {}
    return json.dumps({"kind": "ConfigMap", "metadata": {"annotations": annotations}, "data": data}).encode()


ONE, TWO = f"sha256:{'1' * 64}", f"sha256:{'2' * 64}"


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        pytest.param(
            ("release-manifests/a.yaml", manifest("A+B", images=f'{{"x": "quay.io/a/b@{ONE}"}}')),
            [Mention(frozenset({ONE}), ("A", "B"))],
            id="in the text of a ConfigMap",
        ),
        pytest.param(
            ("manifests/a.json", manifest(x=f"quay.io/a/b@{ONE}") + b"\n---\n" + manifest("A", x=TWO)),
            [Mention(frozenset({ONE})), Mention(frozenset({TWO}), ("A",))],
            id="each document by itself",
        ),
        pytest.param(
            ("manifests/a.yaml", f"a: &x {ONE}\nmetadata: {{annotations: {{{CAPABILITY}: A}}}}".encode()),
            [Mention(frozenset({ONE}))],
            id="one that cannot be read counts as applied",
        ),
        pytest.param(("manifests/a.yaml", manifest("A", x="nothing")), [], id="none that contains no image"),
        pytest.param(("release-manifests/image-references", manifest(x=ONE)), [], id="not the list of all"),
        pytest.param(("release-manifests/image-references.yaml", manifest(x=ONE)), [], id="whatever its ending"),
    ],
)
def test_manifests(tmp_path: Path, entry: Entry, found: list[Mention]) -> None:
    assert list(mentions_in([layer(tmp_path / "layer", entry)], on="release")) == found


def test_without_the_library_every_manifest_counts_as_applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    content = manifest("A", x=ONE) + b"\n---\n" + manifest(x=TWO)
    found = mentions_in([layer(tmp_path / "layer", ("manifests/a.yaml", content))], on="release")
    assert found == (Mention(frozenset({ONE, TWO})),)


def test_a_manifest_that_is_too_long_is_no_reason_to_leave_images_out(tmp_path: Path) -> None:
    long = b"a: " + b"x" * (8 << 20)
    with pytest.raises(PayloadError, match="is larger than"):
        mentions_in([layer(tmp_path / "layer", ("manifests/a.yaml", long))], on="release")


@pytest.mark.parametrize(
    "document", [None, [], "text", {"metadata": []}, {"metadata": {"annotations": {CAPABILITY: 1}}}]
)
def test_documents_of_other_shapes_name_nothing(document: t.Any) -> None:
    assert mention_in(document) == Mention(frozenset())
