# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What there is to know of a bundle: contents, trust, damage; and the job that reads every byte for it."""

from __future__ import annotations

import hashlib
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import spread_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.bundle_jobs import BundleJobs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.delta_base import read_base
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.needed_images import needed_at
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import (
    bundle_objects,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.bundle_trust import (
    IndexTrust,
    image_signers,
    judge_index,
    judge_release,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import (
    damage_report,
    look_at,
    on_other_drives,
    verify_all,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_report import (
    comparison,
    named_releases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_objects import (
    mirror_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.trust_sentences import (
    proof_sentence,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import open_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import needs_sentence
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest

PATIENCE = 2.0
"""Seconds in which a small bundle is read in the step that begins with it."""


def verify(path: str, index_digest: str, progress: ProgressReporter, parts: Sequence[str] = ()) -> dict[str, t.Any]:
    """Read every byte of the bundle in ``path`` and ``parts``; the work of a job.

    Its index has the digest ``index_digest``.
    """
    source = spread_folder(path, parts)
    content = source.require_index_bytes()
    seen = Digest(hashlib.sha256(content).hexdigest())
    if str(seen) != index_digest:
        return {"index_digest": str(seen), "asked": index_digest, "damage": []}
    index = read_index(content)
    watched = TransferProgress(progress, SystemClock(), "verified", index.size)
    # An open folder keeps removable media from being unmounted between two of its files.
    with open_directory(source.path):
        damages = verify_all(source, index, on_other_drives(source, index), counted=watched.arrived)
    connected = ConnectedVolumes.of(source.members, index)
    return {
        "index_digest": str(index.digest),
        "asked": index_digest,
        "damage": damage_report(index, damages),
        "parity": connected.parity_is_intact() if connected is not None else None,
    }


def step_to_inspection(options: Mapping[str, t.Any], clock: Clock, *, check_mode: bool) -> Step:
    """Take a step of the inspection that ``options`` describe; a quick one, as in check mode, needs only this one."""
    parts = [str(Path(part).absolute()) for part in options["parts"]]
    source = spread_folder(options["path"], parts)
    keys = TrustedKeys.read(options["trusted_keys"] or ())
    vetted = VettedDigest.parse(options["index_digest"]) if options["index_digest"] else None
    content = _same_index(source)
    trust = judge_index(content, source.index_signature(), vetted=vetted, keys=keys, clock=clock)
    if trust.trusted is False:
        # What an index says that was refused is of no interest, and parsing it is a risk.
        return Step(f"not trusted: {trust.trust_problem}", done=True, objects=trust.as_data())
    index = read_index(content)
    objects = {
        **bundle_objects(source, index),
        **trust.as_data(),
        "release_signers": list(judge_release(source, index, keys, clock).fingerprints),
        "image_signers": image_signers(source, index, keys),
    }
    if options["mirror_registry"]:
        objects["mirror_sets"] = mirror_sets(index, options["mirror_registry"])
    base = read_base(options["base"])
    if base is not None:
        objects["added"] = comparison(index, base)
    if options["site"]:
        objects["needed"] = needed_at(source, index, options["site"]).as_document()
    if check_mode or options["verification"] == "quick":
        damage = damage_report(index, look_at(source, index, on_other_drives(source, index)))
        return _judged(source, index, trust, {"damage": damage}, objects, is_quick=True)
    path = source.path.resolve()
    step = BundleJobs(clock).step(
        "verify",
        path,
        FunctionWork.of(verify, path=str(path), index_digest=str(index.digest), parts=parts),
        is_current=lambda result: result.get("index_digest") == str(index.digest),
        patience=PATIENCE,
    )
    if step.result is None:
        return Step(step.sentence, done=False, objects=objects, next_delay=step.next_delay, warnings=step.warnings)
    return replace(_judged(source, index, trust, step.result, objects), warnings=step.warnings)


def _same_index(source: BundleFolder) -> bytes:
    """Return the bytes of the index, which nothing proves yet and which all folders of the bundle share."""
    content = source.require_index_bytes()
    for member in source.members:
        if member.require_index_bytes() != content:
            raise WrongContentError(
                "read the bundle",
                on=", ".join(str(one.path) for one in source.members),
                seen="the folders contain different bundles",
                advice="Specify only the folders of one bundle.",
            )
    return content


def _judged(
    source: BundleFolder,
    index: BundleIndex,
    trust: IndexTrust,
    result: Mapping[str, t.Any],
    objects: dict[str, t.Any],
    *,
    is_quick: bool = False,
) -> Step:
    damage, parity = result["damage"], result.get("parity")
    connected = ConnectedVolumes.of(source.members, index)
    missing = source.lacking(index.blobs.values()) if connected is not None else []
    needed = connected.needed(missing) if connected is not None else []
    machines = ", ".join(map(str, index.architectures))
    said = f"bundle of {named_releases(index)} {machines}, {len(index.images)} images, {format_size(index.size)}"
    undamaged = "names and sizes are correct, layers were not read" if is_quick else "intact"
    said += f": {len(damage)} of {len(index.blobs)} blobs damaged" if damage else f": {undamaged}"
    said += "; the parity is damaged" if parity is False else ""
    said += f"; {needs_sentence(missing, index.size, needed, connected.volumes)}" if connected and needed else ""
    intact = False if damage or parity is False else None if is_quick or needed else True
    said = f"{said}; {proof_sentence(str(index.digest), trust.trusted, trust.signers)}"
    found = {"intact": intact, "damage": damage, "needed_volumes": [one.as_document() for one in needed]}
    return Step(said, done=True, objects={**objects, **found})
