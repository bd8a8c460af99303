# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan is built exactly, or refused with what changed."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.build_plan import (
    MOST_CHANGES,
    plan_changes,
    plan_document,
    require_plan,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledSignature,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    image,
    sample_index,
)

PLANNED = "2026-11-23T14:30:00Z"
INDEX = sample_index()
EXTRA = image("gateway", "extra", "large", tag="1.4")
MOVED = replace(EXTRA, name=replace(EXTRA.name, digest=digest("moved")))


def changes(before: BundleIndex, after: BundleIndex, *, signatures: bool = True) -> tuple[str, ...]:
    kept = json.loads(json.dumps(plan_document(before, PLANNED)))
    return plan_changes(require_plan(kept, on="plan.json"), plan_document(after, ""), signatures=signatures)


def with_images(*images: t.Any) -> BundleIndex:
    return sample_index(images=(*INDEX.images, *images))


OTHER_SIGNATURE = BundledSignature("cosign", digest("release/manifest"), (digest("other"),))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        pytest.param(INDEX, INDEX, [], id="nothing"),
        pytest.param(INDEX, sample_index(built="2027-01-01T00:00:00Z", serial=1), [], id="another time is no change"),
        pytest.param(
            with_images(EXTRA),
            with_images(MOVED),
            [
                f"extra {EXTRA.name.name}:1.4 is {MOVED.name}, and {EXTRA.name} in the plan",
            ],
            id="a tag that moved",
        ),
        pytest.param(
            INDEX,
            with_images(EXTRA),
            [f"extra {EXTRA.name.name}:1.4 {EXTRA.name} is not in the plan"],
            id="an image more",
        ),
        pytest.param(
            INDEX,
            sample_index(images=INDEX.images[:1]),
            [f"component etcd {INDEX.images[1].name} is in the plan only"],
            id="an image less",
        ),
        pytest.param(
            INDEX, sample_index(base=digest("b")), [f"the base is {digest('b')}, and none in the plan"], id="a base"
        ),
        pytest.param(
            INDEX,
            sample_index(signatures=(*INDEX.signatures, OTHER_SIGNATURE)),
            [f"signatures of {digest('release/manifest')}: 1 not in the plan"],
            id="a signature more",
        ),
        pytest.param(
            INDEX,
            sample_index(signatures=(OTHER_SIGNATURE,)),
            [f"signatures of {digest('release/manifest')}: 1 not in the plan, 1 in the plan only"],
            id="another signature",
        ),
    ],
)
def test_what_changed_is_named(before: BundleIndex, after: BundleIndex, said: list[str]) -> None:
    assert list(changes(before, after)) == said


def test_another_release_is_named_first() -> None:
    other = sample_index(releases=(replace(INDEX.releases[0], version="4.21.4"),))
    (said,) = changes(INDEX, other)
    assert said.startswith("the release is 4.21.4 x86_64 (quay.io/")
    assert said.endswith("in the plan")


def test_signatures_do_not_count_before_they_are_known() -> None:
    assert not changes(INDEX, sample_index(signatures=()), signatures=False)


def test_of_many_changes_the_first_are_listed() -> None:
    more = [image(f"x{number}", "extra", tag=f"{number:03d}") for number in range(MOST_CHANGES + 5)]
    said = changes(INDEX, with_images(*more))
    assert (len(said), said[-1]) == (MOST_CHANGES + 1, "5 more changes")


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"kind": "FieldOpsBundle", "schemaVersion": 1}, {"kind": "FieldOpsBundlePlan", "schemaVersion": 9}],
    ids=["nothing", "a list", "empty", "an index", "a later format"],
)
def test_another_file_is_no_plan(document: t.Any) -> None:
    with pytest.raises(InvalidInputError, match="it is not the plan of a bundle"):
        require_plan(document, on="plan.json")
