# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    PREFIX_STEP,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import (
    LARGEST_INDEX,
    read_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    index_with_store,
    path_index,
    sample_index,
)

INDEX = sample_index()
Json = dict[str, t.Any]


def canonical(document: t.Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def release_of(document: Json) -> Json:
    release: Json = document["releases"][0]
    return release


def complaint(content: bytes) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        read_index(content)
    return caught.value


def changed(change: t.Callable[[Json], object]) -> bytes:
    document = INDEX.as_document()
    change(document)
    return canonical(document)


def test_what_was_written_is_read_again() -> None:
    assert read_index(INDEX.as_bytes()) == INDEX


def test_several_releases_are_read_again() -> None:
    index = path_index()
    assert read_index(index.as_bytes()) == index
    assert (index.version, [release.version for release in index.releases]) == ("4.20.3", ["4.19.14", "4.20.3"])


def for_several_machines(*names: str, version: str = "4.20.3") -> BundleIndex:
    """Return the index of a path whose releases of one or all versions are for these machines."""
    index = path_index()
    return replace(
        index,
        releases=tuple(
            replace(release, architecture=Architecture.parse(name))
            for release in index.releases
            for name in (names if version in ("", release.version) else names[:1])
        ),
    )


def test_releases_for_several_architectures_are_read_again() -> None:
    index = for_several_machines("aarch64", "x86_64", version="")
    assert read_index(index.as_bytes()) == index
    assert [str(machine) for machine in index.architectures] == ["aarch64", "x86_64"]
    assert str(index.architecture) == "x86_64"
    assert index.images_of(index.releases[0]) == path_index().images_of(path_index().releases[0])


@pytest.mark.parametrize(
    "index",
    [
        pytest.param(for_several_machines("x86_64", "x86_64", version=""), id="one architecture twice"),
        pytest.param(for_several_machines("aarch64", "x86_64"), id="another number in another version"),
        pytest.param(
            replace(
                (mixed := for_several_machines("aarch64", "x86_64", version="")),
                releases=(mixed.releases[1], mixed.releases[0], *mixed.releases[2:]),
            ),
            id="another order in another version",
        ),
    ],
)
def test_releases_for_other_architectures_in_each_version_are_refused(index: BundleIndex) -> None:
    assert "index.releases" in f"{complaint(index.as_bytes())}"


def test_one_release_has_neither_a_path_nor_a_list_of_images() -> None:
    document = INDEX.as_document()
    assert "path" not in document
    assert "images" not in release_of(document)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        pytest.param(lambda d: d["releases"].reverse(), "index.releases", id="order of versions"),
        pytest.param(lambda d: d["releases"][0].update(architecture="aarch64"), "index.releases", id="machines"),
        pytest.param(lambda d: d["releases"][0].pop("images"), "index.releases", id="no images"),
        pytest.param(lambda d: d["releases"][0]["images"].pop(0), "index.releases", id="not its own image"),
        pytest.param(lambda d: d["releases"][0]["images"].append(str(digest("x"))), "index.releases", id="foreign"),
        pytest.param(lambda d: d["releases"][0].update(image=d["images"][2]["name"]), "index.", id="a component"),
        pytest.param(lambda d: d["path"].append(d["path"][0]), "index.path", id="two updates from one version"),
        pytest.param(lambda d: d["path"].pop(), "index.path", id="not to the target"),
        pytest.param(lambda d: d["path"][1].update(to="4.20.9"), "index.path", id="to a release that is not here"),
        pytest.param(lambda d: d["path"][1]["risks"][0].pop("rules"), "index.path[1].risks[0].rules", id="no rules"),
        pytest.param(lambda d: d.update(path=[]), "canonical", id="an empty path"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(change: t.Callable[[Json], object], path: str) -> None:
    document = path_index().as_document()
    change(document)
    assert path in f"{complaint(canonical(document))}"


def test_a_delta_may_leave_blobs_to_its_base() -> None:
    kept = [one for one in INDEX.blobs.values() if one.digest != digest("base")]
    delta = replace(INDEX, blobs=blobs_by_digest(*kept), base=digest("base bundle"))
    assert read_index(delta.as_bytes()) == delta


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "not JSON", id="empty"),
        pytest.param(b"\xff\xfe", "not JSON", id="binary"),
        pytest.param(b'{"a":\xc3\xbc}', "not JSON", id="not ASCII"),
        pytest.param(b"[" * 100_000, "not JSON", id="nested without end"),
        pytest.param(b'{"schemaVersion":' + b"9" * 5000 + b"}", "", id="a number without end"),
        pytest.param(b"[]\n", "is not a mapping", id="a list"),
        pytest.param(b"null\n", "is not a mapping", id="null"),
        pytest.param(b'{"a":[' + b"[]," * 2_000_000 + b"[]]}", "more than", id="lists without number"),
        pytest.param(INDEX.as_bytes()[:-1], "canonical", id="no line end"),
        pytest.param(INDEX.as_bytes() + b"\n", "canonical", id="one line end too many"),
        pytest.param(json.dumps(INDEX.as_document(), indent=1).encode(), "canonical", id="pretty printed"),
        pytest.param(INDEX.as_bytes().replace(b"{", b'{"kind":"X",', 1), "given twice", id="a key twice"),
        pytest.param(b" " * (LARGEST_INDEX + 1), "more than", id="absurdly large"),
    ],
)
def test_other_documents_are_refused(content: bytes, said: str) -> None:
    assert said in str(complaint(content))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param(lambda d: d.update(schemaVersion=1), "index.schemaVersion", id="unknown format version"),
        pytest.param(lambda d: d.update(schemaVersion=True), "index.schemaVersion", id="version that is no number"),
        pytest.param(lambda d: d.update(kind="OciLayout"), "index.kind", id="another kind"),
        pytest.param(lambda d: d.update(surplus=1), "index", id="an unknown key"),
        pytest.param(
            lambda d: d["releases"][0].update(version="../4"), "index.releases[0].version", id="version as a path"
        ),
        pytest.param(
            lambda d: d["releases"][0].update(architecture="vax"), "index.releases[0].architecture", id="machine"
        ),
        pytest.param(
            lambda d: d["releases"][0].update(image="quay.io/a/b:4"), "index.releases[0].image", id="tag only"
        ),
        pytest.param(lambda d: release_of(d).update(previous="4.20"), "index.releases[0].previous", id="no list"),
        pytest.param(lambda d: d["releases"].clear(), "index.releases", id="no release"),
        pytest.param(lambda d: d["releases"].append(d["releases"][0]), "index.releases", id="two releases"),
        pytest.param(lambda d: d.update(volumes=[{}]), "index.volumes", id="several media"),
        pytest.param(lambda d: d.update(built="yesterday"), "index.built", id="a time that is none"),
        pytest.param(lambda d: d.update(built="2026-13-45T30:00:00Z"), "index.built", id="no day of any calendar"),
        pytest.param(lambda d: d.update(serial=-1), "index.serial", id="a negative serial"),
        pytest.param(lambda d: d.update(serial=1 << 60), "index.serial", id="a serial beyond all numbers"),
        pytest.param(lambda d: d["images"].pop(0), "index.images", id="no release image"),
        pytest.param(lambda d: d["images"].append(d["images"][1]), "index.images", id="an image twice"),
        pytest.param(
            lambda d: d["images"][1].update(name=f"quay.io/../b@{digest('etcd/manifest')}"),
            "index.images[1].name",
            id="a name that leads upwards",
        ),
        pytest.param(lambda d: d["images"][1].update(reason="because"), "index.images[1].reason", id="no reason"),
        pytest.param(
            lambda d: d["images"][1].update(component="../../etc/cron.d/x"), "index.images[1].component", id="path"
        ),
        pytest.param(lambda d: d["images"][1].update(manifests=[]), "index.images[1].manifests", id="no manifest"),
        pytest.param(
            lambda d: d["images"][1]["manifests"].insert(0, str(digest("x"))),
            "index.images[1].manifests",
            id="a first manifest that is not the name's",
        ),
        pytest.param(
            lambda d: d["images"][1]["content"].append(str(digest("nowhere"))), "index.blobs", id="missing blob"
        ),
        pytest.param(lambda d: d["signatures"][0].update(kind="pgp"), "index.signatures[0].kind", id="other kind"),
        pytest.param(lambda d: d["signatures"][0].update(blobs=[]), "index.signatures[0].blobs", id="empty one"),
        pytest.param(
            lambda d: d["signatures"][0].update(image=str(digest("elsewhere"))), "index.signatures", id="foreign one"
        ),
        pytest.param(
            lambda d: d["blobs"].update({str(digest("foreign")): d["blobs"][str(digest("base"))]}),
            "index.blobs",
            id="a blob that nobody needs",
        ),
        pytest.param(lambda d: d["blobs"][str(digest("base"))].update(size=-1), "size", id="negative size"),
        pytest.param(lambda d: d["blobs"][str(digest("base"))].update(size=1 << 60), "size", id="absurd size"),
        pytest.param(lambda d: d["blobs"][str(digest("base"))].update(size=4096.0), "size", id="size as a fraction"),
        pytest.param(lambda d: d["blobs"][str(digest("base"))].update(mediaType="a b\n"), "mediaType", id="type"),
        pytest.param(lambda d: d["blobs"][str(digest("large"))]["prefixes"].pop(), "prefixes", id="a prefix too few"),
        pytest.param(
            lambda d: d["blobs"][str(digest("large"))]["prefixes"].__setitem__(0, "A" * 64), "prefixes", id="capitals"
        ),
        pytest.param(lambda d: d["blobs"][str(digest("base"))].update(prefixes=["0" * 64]), "prefixes", id="too many"),
        pytest.param(lambda d: d["blobs"].update({"sha1:00": {}}), "index.blobs.sha1:00", id="another algorithm"),
        pytest.param(lambda d: d.update(base="sha256:0"), "index.base", id="a base that is no digest"),
    ],
)
def test_every_broken_field_is_named(change: t.Callable[[Json], object], field: str) -> None:
    assert field in complaint(changed(change)).on


@pytest.mark.parametrize("key", sorted(INDEX.as_document()))
def test_no_key_may_be_missing(key: str) -> None:
    assert complaint(changed(lambda document: document.pop(key))).on == f"index.{key}"


def test_a_blob_of_exactly_one_step_lists_no_prefix() -> None:
    others = [one for one in INDEX.blobs.values() if one.digest != digest("large")]
    index = replace(INDEX, blobs=blobs_by_digest(*others, blob("large", PREFIX_STEP)))
    assert read_index(index.as_bytes()).blobs[digest("large")].prefixes == ()


def test_the_error_never_repeats_a_long_value() -> None:
    error = complaint(changed(lambda document: document["releases"][0].update(version="x" * 100_000)))
    assert len(str(error)) < 1000


def test_stores_are_read_as_they_were_written() -> None:
    for index in (index_with_store(), index_with_store(base=digest("base store"), depth=1)):
        assert read_index(index.as_bytes()) == index


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param(lambda d: d.update(stores={}), "index.stores", id="no list"),
        pytest.param(lambda d: d["stores"].append(d["stores"][0]), "index.stores", id="one twice"),
        pytest.param(lambda d: d["stores"][0].update(filesystem="ext4"), "index.stores[0].filesystem", id="ext4"),
        pytest.param(lambda d: d["stores"][0].update(filesystem="erofs"), "index.stores", id="other than its blob"),
        pytest.param(lambda d: d["stores"][0].update(compression="xz"), "index.stores[0].compression", id="xz"),
        pytest.param(lambda d: d["stores"][0].update(images=[]), "index.stores", id="without images"),
        pytest.param(
            lambda d: d["stores"][0].update(images=[f"quay.io/a/b@{digest('b')}"]), "index.stores", id="foreign image"
        ),
        pytest.param(lambda d: d["stores"][0].update(depth=1), "index.stores[0].depth", id="deep without a base"),
        pytest.param(
            lambda d: d["stores"][0].update(base=str(digest("b"))), "index.stores[0].depth", id="base without depth"
        ),
        pytest.param(
            lambda d: d["stores"][0].update(base=str(digest("b")), depth=3), "index.stores[0].depth", id="a third delta"
        ),
        pytest.param(
            lambda d: d["stores"][0].update(base=str(digest("store")), depth=1), "index.stores", id="its own base"
        ),
        pytest.param(lambda d: d["stores"][0].update(digest=str(digest("base"))), "index.", id="a layer as a store"),
        pytest.param(lambda d: d["stores"][0].update(more=1), "index", id="an unknown key"),
        pytest.param(lambda d: d["blobs"].pop(str(digest("store"))), "index.", id="no such blob"),
    ],
)
def test_stores_that_cannot_be_are_refused(change: t.Callable[[Json], object], field: str) -> None:
    document = index_with_store().as_document()
    change(document)
    assert complaint(canonical(document)).on.startswith(field)


def test_what_is_not_known_of_signatures_is_read() -> None:
    plain = sample_index()
    unknown = replace(plain, signatures_unknown=(plain.images[0].manifests[0],))
    assert read_index(unknown.as_bytes()) == unknown
