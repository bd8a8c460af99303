# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    GatheredSignature,
    ImageSignatures,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.image_policies import (
    SignaturePolicy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signature_demands import (
    require_demanded,
    unknown_images,
    unknown_sentence,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

LIST, INSTANCE = Digest("a" * 64), Digest("b" * 64)
POLICY = SignaturePolicy("ClusterImagePolicy edge", ("quay.io/edge",))
OTHER = SignaturePolicy("ClusterImagePolicy other", ("quay.io/other",))


def found(
    *signed: tuple[str, Digest], reason: str = "extra", failure: str = "", name: str = "edge/gateway"
) -> ImageSignatures:
    """Return what was found for a list; ``signed`` are kinds and digests."""
    manifests = tuple(Descriptor(digest, 1, "x/y") for digest in (LIST, INSTANCE))
    image = GatheredImage(ImageReference("quay.io", name, digest=LIST), reason, None, None, manifests, ())
    signatures = tuple(GatheredSignature(kind, digest, image.name, ()) for kind, digest in signed)
    error = RegistryError("ask", on=name, seen=failure, advice="") if failure else None
    return ImageSignatures(image, signatures, error)


DEMANDS: dict[str, tuple[ImageSignatures, str]] = {
    "unsigned": (found(), "ClusterImagePolicy edge requires a signature of quay.io/edge/gateway@"),
    "only the list": (found(("cosign", LIST)), "none was found for its instance sha256:bbbb"),
    "only a bundle": (found(("sigstore", INSTANCE)), "a Sigstore bundle of sha256:bbbb"),
    "only an attestation": (found(("attestation", INSTANCE)), "and none was found"),
    "not known": (found(failure="quay.io: status 403"), "is unknown, and ClusterImagePolicy edge requires it"),
    "signed, and yet not known": (found(("cosign", INSTANCE), failure="x: status 500"), "is unknown"),
    "release, not known": (
        found(reason="release", name="openshift/release", failure="x: status 401"),
        "is unknown, and it is the release image: x: status 401",
    ),
}


@pytest.mark.parametrize(("one", "said"), DEMANDS.values(), ids=DEMANDS)
def test_what_is_demanded_and_not_there_ends_the_build(one: ImageSignatures, said: str) -> None:
    with pytest.raises(SignatureError) as refused:
        require_demanded([one], [POLICY, OTHER])
    assert said in refused.value.seen


ACCEPTED: dict[str, ImageSignatures] = {
    "instance signed": found(("cosign", INSTANCE)),
    "list and instance signed": found(("cosign", LIST), ("cosign", INSTANCE)),
    "in no scope": found(name="partner/app"),
    "in no scope, and not known": found(name="partner/app", failure="x: status 403"),
    "release without a signature": found(reason="release", name="openshift/release"),
    "a file": found(reason="file"),
    "a file, not known": found(reason="file", failure="x: status 403"),
}


@pytest.mark.parametrize("one", ACCEPTED.values(), ids=ACCEPTED)
def test_what_is_there_or_not_demanded_is_accepted(one: ImageSignatures) -> None:
    require_demanded([one], [POLICY])


def test_all_that_is_missing_is_told_at_once() -> None:
    with pytest.raises(SignatureError) as refused:
        require_demanded([found(name=f"edge/{number}") for number in range(23)], [POLICY])
    assert refused.value.on == "23 images"
    assert refused.value.seen.count("requires a signature") == 20
    assert refused.value.seen.endswith("and 3 more")


def test_what_is_not_known_is_summed_up() -> None:
    looked = [found(), *(found(failure="quay.io: status 403") for _number in range(2)), found(failure="b.io: timeout")]
    assert unknown_sentence(looked) == ("3 of 4 images: signature unknown (quay.io: status 403; b.io: timeout)")
    assert unknown_images(looked)[2] == {"image": str(looked[3].image.name), "reason": "b.io: timeout"}


def test_many_reasons_are_cut() -> None:
    looked = [found(failure=f"host-{number}: status 403") for number in range(5)]
    assert unknown_sentence(looked).endswith("(host-0: status 403; host-1: status 403; host-2: status 403; ...)")


def test_nothing_is_said_of_what_is_known() -> None:
    assert unknown_sentence([found()]) == ""
    assert unknown_images([found()]) == []
