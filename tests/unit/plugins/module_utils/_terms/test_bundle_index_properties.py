# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Laws of the index, whatever it holds and whatever somebody made of it."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import ARCHITECTURES
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    PREFIX_STEP,
    BundledRelease,
    BundledSignature,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    image,
    sample_index,
)

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

words = st.text(alphabet="abcdefghij0123456789", min_size=1, max_size=8)
sizes = st.one_of(
    st.integers(0, 5 * PREFIX_STEP), st.sampled_from([0, 1, PREFIX_STEP - 1, PREFIX_STEP, PREFIX_STEP + 1])
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just([]), st.just({}))
SAMPLE = sample_index().as_bytes()


@st.composite
def indexes(draw: st.DrawFn) -> BundleIndex:
    layers = draw(st.lists(words, min_size=1, max_size=5, unique=True))
    names = draw(st.lists(words, max_size=4, unique=True))
    images = [image("release", "release", draw(st.sampled_from(layers)))]
    for name in names:
        reason = draw(st.sampled_from(["component", "os_image", "extra", "catalog", "operator"]))
        images.append(image(f"i-{name}", reason, *draw(st.lists(st.sampled_from(layers), unique=True)), component=name))
    needed = {one for each in images for one in each.blobs()}
    known = {digest(layer): layer for layer in layers}
    blobs = [replace(blob(known.get(one, "x"), draw(sizes)), digest=one) for one in sorted(needed)]
    index = sample_index(
        releases=(
            BundledRelease(
                "4.21.3",
                draw(st.sampled_from(ARCHITECTURES)),
                images[0].name,
                tuple(draw(st.lists(words, max_size=3))),
            ),
        ),
        serial=draw(st.integers(0, 1 << 53)),
        images=tuple(images),
        signatures=(BundledSignature("gpg", images[0].manifests[0], (blobs[0].digest,)),),
        blobs=blobs_by_digest(*blobs),
    )
    is_delta = draw(st.booleans())
    return replace(index, base=digest("base bundle"), blobs=blobs_by_digest(*blobs[1:])) if is_delta else index


def paths(value: t.Any, path: tuple[t.Any, ...] = ()) -> t.Iterator[tuple[t.Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        yield from paths(entry, (*path, key))


@given(indexes())
def test_every_index_is_read_as_it_was_written(index: BundleIndex) -> None:
    assert read_index(index.as_bytes()) == index


@given(indexes(), st.data())
def test_a_value_put_in_anywhere_is_refused_or_makes_another_bundle(index: BundleIndex, data: st.DataObject) -> None:
    document = index.as_document()
    path = data.draw(st.sampled_from(list(paths(document))[1:]))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    before, after = holder[path[-1]], data.draw(scalars)
    holder[path[-1]] = after
    content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    try:
        found = read_index(content)
    except InvalidInputError:
        return
    assert found.as_bytes() == content
    assert (type(before), before) == (type(after), after) or found.digest != index.digest


@given(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255), st.integers(0, 3))
def test_bytes_exchanged_or_lost_never_pass_for_the_same_bundle(at: int, value: int, lost: int) -> None:
    content = SAMPLE[:at] + bytes([value]) + SAMPLE[at + 1 + lost :]
    try:
        found = read_index(content)
    except InvalidInputError:
        return
    assert found.as_bytes() == content


@given(st.binary(max_size=200))
def test_noise_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInputError):
        read_index(content)
