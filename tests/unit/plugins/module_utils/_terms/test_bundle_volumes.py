# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document on each drive, and the sentence that says which drive comes next."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    Volume,
    VolumeSet,
    needed_volumes,
    needs_sentence,
    read_volumes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

ONE, TWO, THREE = (Blob(Digest(letter * 64), size * MIB, "layer") for letter, size in (("1", 1), ("2", 2), ("3", 4)))
BLOBS = (ONE, TWO, THREE)
TOTAL = sum(blob.size for blob in BLOBS)
PLAIN = VolumeSet(
    Digest("a" * 64),
    (
        Volume("A", "FIELDOPS-1", (ONE.digest,)),
        Volume("B", "FIELDOPS-2", (TWO.digest,)),
        Volume("C", "", (ONE.digest, THREE.digest)),
    ),
)
WITH_PARITY = VolumeSet(PLAIN.index_digest, PLAIN.volumes, Volume("P", "SPARE"), Digest("b" * 64))


@pytest.mark.parametrize("volumes", [PLAIN, WITH_PARITY], ids=["plain", "parity"])
def test_it_comes_out_as_it_went_in(volumes: VolumeSet) -> None:
    assert read_volumes(volumes.document("B"), on="drive") == ("B", volumes)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda d: d.update(kind="FieldOpsBundle"), id="another kind"),
        pytest.param(lambda d: d.update(schemaVersion=2), id="a later version"),
        pytest.param(lambda d: d.update(volumes=[]), id="no volumes"),
        pytest.param(lambda d: d.update(volumes=d["volumes"] * 9), id="too many volumes"),
        pytest.param(lambda d: d["volumes"][0].update(blobs=["../../etc/shadow"]), id="a path"),
        pytest.param(lambda d: d.pop("index"), id="no index"),
        pytest.param(lambda d: d["parity"].pop("digest"), id="parity without digest"),
    ],
)
def test_anything_else_is_refused(change: t.Callable[[dict[str, t.Any]], object]) -> None:
    document = json.loads(WITH_PARITY.document("A"))
    change(document)
    with pytest.raises(InvalidInputError):
        read_volumes(json.dumps(document).encode(), on="drive")


def test_labels_are_what_can_be_printed() -> None:
    volumes = VolumeSet(PLAIN.index_digest, (Volume("A", "\x1b[31mred\n" + "x" * 99),))
    _name, found = read_volumes(volumes.document("A"), on="drive")
    assert found.volumes[0].label == ("[31mred" + "x" * 99)[:64]


@pytest.mark.parametrize(
    ("missing", "connected", "expected"),
    [
        ((TWO, THREE), "A", [("B", TWO.size), ("C", THREE.size)]),
        ((TWO,), "AC", [("B", TWO.size)]),
        ((TWO,), "ABC", []),
        # A copy of what is damaged here.
        ((ONE,), "A", [("C", ONE.size)]),
        ((), "", []),
    ],
)
def test_which_drives_are_needed(missing: tuple[Blob, ...], connected: str, expected: list[tuple[str, int]]) -> None:
    found = needed_volumes(missing, PLAIN, connected)
    assert [(one.volume.name, one.size) for one in found] == expected


@pytest.mark.parametrize(
    ("volumes", "missing", "connected", "expected"),
    [
        (
            PLAIN,
            [TWO],
            "AC",
            "5.0 MiB of 7.0 MiB are there; still needs drive B (label FIELDOPS-2) with 2.0 MiB",
        ),
        (
            PLAIN,
            [TWO, THREE],
            "A",
            "1.0 MiB of 7.0 MiB are there; still needs drive B (label FIELDOPS-2) with 2.0 MiB "
            "and drive C with 4.0 MiB",
        ),
        (
            WITH_PARITY,
            [TWO],
            "AC",
            "5.0 MiB of 7.0 MiB are there; still needs drive B (label FIELDOPS-2) with 2.0 MiB, or drive P "
            "(label SPARE), which replaces any one drive",
        ),
        (
            PLAIN,
            [TWO, THREE],
            "BA",
            "1.0 MiB of 7.0 MiB are there; still needs drive C with 4.0 MiB; 2.0 MiB are damaged or missing on "
            "connected drives",
        ),
    ],
)
def test_the_sentence(volumes: VolumeSet, missing: list[Blob], connected: str, expected: str) -> None:
    assert needs_sentence(missing, TOTAL, needed_volumes(missing, volumes, connected), volumes) == expected
