# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures that must be there, and those of which it is not known whether they are.

Of the release image and of what a policy names the registry must answer; what a policy names must be signed as well.
Elsewhere signatures are optional: registries of partners do not all answer such questions.
"""

from __future__ import annotations

from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredSignature,
    ImageSignatures,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.attached_signatures import (
    COSIGN,
    SIGSTORE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.image_policies import (
    SignaturePolicy,
)

MOST_TOLD = 20
MOST_REASONS = 3


def require_demanded(found: Sequence[ImageSignatures], policies: Sequence[SignaturePolicy]) -> None:
    """Raise SignatureError naming every image whose signatures are demanded and not there, or not known."""
    problems = [problem for one in found for problem in _problems(one, policies)]
    if not problems:
        return
    told = problems[:MOST_TOLD]
    if len(problems) > MOST_TOLD:
        told.append(f"and {len(problems) - MOST_TOLD} more")
    raise SignatureError(
        "collect the required signatures",
        on=f"{len(problems)} {'image' if len(problems) == 1 else 'images'}",
        seen="; ".join(told),
        advice="Sign the image with cosign in the format that container runtimes read, give the pull secret access to "
        "its signatures, or correct the policy.",
    )


def unknown_sentence(found: Sequence[ImageSignatures]) -> str:
    """Return how many images have signatures that are not known, and why; empty if there is none."""
    reasons = [_reason(one) for one in found if one.failure is not None]
    if not reasons:
        return ""
    different = list(dict.fromkeys(reasons))
    told = "; ".join(different[:MOST_REASONS]) + ("; ..." if len(different) > MOST_REASONS else "")
    return f"{len(reasons)} of {len(found)} images: signature unknown ({told})"


def unknown_images(found: Sequence[ImageSignatures]) -> list[dict[str, str]]:
    """Return the images whose signatures are not known, as they stand in results."""
    return [{"image": str(one.image.name), "reason": _reason(one)} for one in found if one.failure is not None]


def _problems(one: ImageSignatures, policies: Sequence[SignaturePolicy]) -> list[str]:
    """Return what is wrong; container runtimes verify the instance that they run, so that is what must be signed."""
    demanding = [policy.name for policy in policies if one.image.is_image and policy.names(one.image.name)]
    if one.failure is not None and (demanding or one.image.reason == "release"):
        whose = f"{demanding[0]} requires it" if demanding else "it is the release image"
        return [f"the signature of {one.image.name} is unknown, and {whose}: {_reason(one)}"]
    if one.image.instances == {signature.image for signature in _own(one) if signature.kind == COSIGN}:
        return []
    return [
        f"{policy} requires a signature of {one.image.name}, and none was found{_beside(one)}" for policy in demanding
    ]


def _beside(one: ImageSignatures) -> str:
    signed = {signature.image for signature in _own(one) if signature.kind == COSIGN}
    instance = min(one.image.instances - signed)
    if any((signature.kind, signature.image) == (SIGSTORE, instance) for signature in one.signatures):
        return f" but a Sigstore bundle of {instance}, which container runtimes do not read"
    if any(signature.kind == COSIGN for signature in one.signatures):
        return f" for its instance {instance}, only for the list"
    return ""


def _own(one: ImageSignatures) -> list[GatheredSignature]:
    return [signature for signature in one.signatures if signature.image in one.image.instances]


def _reason(one: ImageSignatures) -> str:
    return one.failure.seen[:300] if one.failure is not None else ""
