# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PIECE_SIZE, blobs_by_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import (
    LARGEST_INDEX,
    read_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    index_with_store,
    sample_index,
)

INDEX = sample_index()
Json = dict[str, t.Any]


def canonical(document: t.Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"


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
        pytest.param(b"[]\n", "index.schemaVersion", id="a list"),
        pytest.param(b"null\n", "index.schemaVersion", id="null"),
        pytest.param(INDEX.as_bytes()[:-1], "canonical", id="no line end"),
        pytest.param(INDEX.as_bytes() + b"\n", "canonical", id="one line end too many"),
        pytest.param(json.dumps(INDEX.as_document(), indent=1).encode(), "canonical", id="pretty printed"),
        pytest.param(INDEX.as_bytes().replace(b"{", b'{"kind":"X",', 1), "canonical", id="a key twice"),
        pytest.param(b" " * (LARGEST_INDEX + 1), "more than", id="absurdly large"),
    ],
)
def test_other_documents_are_refused(content: bytes, said: str) -> None:
    assert said in str(complaint(content))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param(lambda d: d.update(schemaVersion=2), "index.schemaVersion", id="unknown format version"),
        pytest.param(lambda d: d.update(schemaVersion=True), "index.schemaVersion", id="version that is no number"),
        pytest.param(lambda d: d.update(kind="OciLayout"), "index.kind", id="another kind"),
        pytest.param(lambda d: d.update(surplus=1), "index", id="an unknown key"),
        pytest.param(lambda d: d["release"].update(version="../4"), "index.release.version", id="version as a path"),
        pytest.param(lambda d: d["release"].update(architecture="vax"), "index.release.architecture", id="machine"),
        pytest.param(lambda d: d["release"].update(image="quay.io/a/b:4"), "index.release.image", id="tag only"),
        pytest.param(lambda d: d["release"].update(previous="4.20"), "index.release.previous", id="no list"),
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
        pytest.param(lambda d: d["blobs"][str(digest("large"))]["pieces"].pop(), "pieces", id="a piece too few"),
        pytest.param(
            lambda d: d["blobs"][str(digest("large"))]["pieces"].__setitem__(0, "A" * 64), "pieces", id="capitals"
        ),
        pytest.param(lambda d: d["blobs"][str(digest("base"))].update(pieces=["0" * 64]), "pieces", id="too many"),
        pytest.param(lambda d: d["blobs"].update({"sha1:00": {}}), "index.blobs.sha1:00", id="another algorithm"),
        pytest.param(lambda d: d.update(base="sha256:0"), "index.base", id="a base that is no digest"),
    ],
)
def test_every_broken_field_is_named(change: t.Callable[[Json], object], field: str) -> None:
    assert field in complaint(changed(change)).on


@pytest.mark.parametrize("key", sorted(INDEX.as_document()))
def test_no_key_may_be_missing(key: str) -> None:
    assert complaint(changed(lambda document: document.pop(key))).on == f"index.{key}"


def test_a_blob_of_exactly_one_piece_lists_none() -> None:
    others = [one for one in INDEX.blobs.values() if one.digest != digest("large")]
    index = replace(INDEX, blobs=blobs_by_digest(*others, blob("large", PIECE_SIZE)))
    assert read_index(index.as_bytes()).blobs[digest("large")].pieces == ()


def test_the_error_never_repeats_a_long_value() -> None:
    error = complaint(changed(lambda document: document["release"].update(version="x" * 100_000)))
    assert len(str(error)) < 1000


def test_stores_are_read_as_they_were_written() -> None:
    for index in (index_with_store(), index_with_store(base=digest("base store"), depth=1)):
        assert read_index(index.as_bytes()) == index


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param(lambda d: d.update(stores=[]), "index", id="an empty list"),
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
