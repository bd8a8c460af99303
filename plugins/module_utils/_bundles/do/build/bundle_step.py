# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step towards the requested state of a bundle."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    is_there,
    refuse_foreign,
    remove_bundle,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import BuildWork, build
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import (
    space_forecast,
    space_sentence,
    spread_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.bundle_jobs import BundleJobs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.merge_bundles import (
    merge,
    planned_merge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.request_options import (
    registry_options,
    request_from_options,
    request_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import (
    NoProgress,
    bundle_objects,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.repair_bundle import repair
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import (
    Damage,
    look_at,
    on_other_drives,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_report import named_releases
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.trust_sentences import (
    release_proof,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import risk_sentences

_RETURNED = (
    "fetched",
    "kept",
    "copied",
    "repaired",
    "signers",
    "signatures_unknown",
    "trust_warnings",
    "operators",
    "images_left_out",
    "operator_warnings",
    "always_pulled",
)


def step_to_state(options: Mapping[str, t.Any], clock: Clock, *, check_mode: bool) -> Step:
    """Take a step towards the state in ``options``; check mode says what would be done and writes nothing."""
    folder = spread_folder(str(Path(options["path"]).absolute()), **_spread(options))
    steps: dict[str, tuple[Callable[..., Step], Callable[..., Step]]] = {
        "present": (_present, _would_be_present),
        "merged": (_merged, _would_be_merged),
        "repaired": (_repaired, _would_be_repaired),
        "absent": (_absent, _would_be_absent),
    }
    step, forecast = steps[options["state"]]
    taken = forecast(options, folder, clock) if check_mode else step(options, folder, clock)
    warnings = request_warnings(options) if options["state"] == "present" else []
    return replace(taken, warnings=[*taken.warnings, *warnings])


def _present(options: Mapping[str, t.Any], folder: BundleFolder, clock: Clock) -> Step:
    request = request_from_options(options)
    work = FunctionWork.of(build, request=request.as_document(), path=str(folder.path), **_spread(options))
    passphrase = options["signing_passphrase"]
    return _job(folder, clock, work, "build", {"signing_passphrase": passphrase} if passphrase else None)


def _would_be_present(options: Mapping[str, t.Any], folder: BundleFolder, clock: Clock) -> Step:
    seen = BuildWork(request_from_options(options), folder, clock, NoProgress()).forecast()
    said = f"{len(seen['images'])} images of {seen['version']} would be in the bundle: {space_sentence(seen['space'])}"
    said = ", ".join(filter(None, (said, release_proof(seen["signers"], seen["trust_warnings"]))))
    return _forecast(folder, said, seen, seen["changed"], "build")


def _merged(options: Mapping[str, t.Any], folder: BundleFolder, clock: Clock) -> Step:
    work = FunctionWork.of(merge, path=str(folder.path), sources=_sources(options), **_spread(options))
    return _job(folder, clock, work, "merge", None)


def _would_be_merged(options: Mapping[str, t.Any], folder: BundleFolder, _clock: Clock) -> Step:
    there = folder.last_index()
    index = planned_merge([BundleFolder(Path(source)) for source in _sources(options)], there)
    space = space_forecast(folder, [Descriptor.of(blob) for blob in index.blobs.values()])
    changed = there is None or there.digest != index.digest or bool(space["missing"])
    seen = {"version": index.version, "index_digest": str(index.digest), "copied": space["missing"], "space": space}
    return _forecast(folder, f"the bundle would be {index.digest}: {space_sentence(space)}", seen, changed, "merge")


def _repaired(options: Mapping[str, t.Any], folder: BundleFolder, clock: Clock) -> Step:
    work = FunctionWork.of(
        repair,
        path=str(folder.path),
        sources=_sources(options),
        index_digest=options["index_digest"],
        registry_options=asdict(registry_options(options)),
        **_spread(options),
    )
    return _job(folder, clock, work, "repair", None)


def _would_be_repaired(_options: Mapping[str, t.Any], folder: BundleFolder, _clock: Clock) -> Step:
    index = folder.last_index()
    damages = _damages(folder, index) if index is not None else []
    seen = {"damaged": [str(damage.blob.digest) for damage in damages]}
    said = f"{len(damages)} blobs would be repaired, according to their sizes"
    return _forecast(folder, said, seen, index is None or bool(damages), "repair")


def _absent(_options: Mapping[str, t.Any], folder: BundleFolder, clock: Clock) -> Step:
    removed = remove_bundle(folder, clock)
    said = f"{'removed' if removed else 'there is'} {'the' if removed else 'no'} bundle in {folder.path}"
    actions = [{"remove": str(folder.path)}] if removed else []
    return Step(said, True, removed, actions=actions, diff=_difference({"path": str(folder.path)}, {}, removed))


def _would_be_absent(_options: Mapping[str, t.Any], folder: BundleFolder, _clock: Clock) -> Step:
    there = is_there(folder)
    if there:
        refuse_foreign(folder)
    return _forecast(folder, "the bundle would be removed" if there else "there is no bundle", {}, there, "remove")


def _job(
    folder: BundleFolder, clock: Clock, work: FunctionWork, action: str, secrets: Mapping[str, str] | None
) -> Step:
    step = BundleJobs(clock).step(
        "bundle", folder.path.resolve(), work, is_current=lambda result: _is_still(folder, result), secrets=secrets
    )
    if step.result is None:
        return Step(step.sentence, done=False, next_delay=step.next_delay, warnings=step.warnings)
    index, result = folder.require_index(), step.result
    returned = {name: result[name] for name in _RETURNED if name in result}
    proof = release_proof(result.get("signers", ()), result.get("trust_warnings", ()))
    said = f"the bundle of {named_releases(index)} is complete: {len(index.images)} images, index {index.digest}"
    return Step(
        ", ".join(filter(None, (said, proof))) + _unknown(result),
        done=True,
        changed=result["changed"],
        objects={**bundle_objects(folder, index), **returned},
        actions=[_action(folder, result, action)] if result["changed"] else [],
        diff=_difference(*_identities(result.get("before"), result["index_digest"], result), result["changed"]),
        warnings=(*step.warnings, *_warnings(result), *risk_sentences(index.path)),
    )


def _unknown(result: Mapping[str, t.Any]) -> str:
    images = result.get("signatures_unknown") or ()
    return f"; signatures of {len(images)} images unknown" if images else ""


def _warnings(result: Mapping[str, t.Any]) -> tuple[str, ...]:
    return (*result.get("trust_warnings", ()), *result.get("operator_warnings", ()))


def _forecast(folder: BundleFolder, sentence: str, seen: Mapping[str, t.Any], changed: bool, action: str) -> Step:
    actions = [_action(folder, seen, action)] if changed else []
    objects, warnings = {"forecast": seen}, (*_warnings(seen), *seen.get("risks", ()))
    before = folder.last_index()
    diff = _difference(*_identities(str(before.digest) if before else None, seen.get("index_digest"), seen), changed)
    return Step(sentence, not changed, changed, objects, actions, diff, warnings=warnings)


def _identities(
    before: str | None, after: str | None, seen: Mapping[str, t.Any]
) -> tuple[dict[str, t.Any], dict[str, t.Any]]:
    """Return which bundle was there and which is, with what was repaired in it; only work that is done has a digest."""
    repaired = {"repaired": list(names)} if (names := seen.get("repaired") or seen.get("damaged")) else {}
    return {"index_digest": before}, {"index_digest": after or "not known yet", **repaired}


def _difference(before: Mapping[str, t.Any], after: Mapping[str, t.Any], changed: bool) -> dict[str, t.Any] | None:
    return {"before": dict(before), "after": dict(after)} if changed else None


def _action(folder: BundleFolder, result: Mapping[str, t.Any], action: str) -> dict[str, t.Any]:
    amounts = {name: result[name] for name in ("fetched", "kept", "copied", "repaired") if name in result}
    return {action: str(folder.path), **amounts}


def _sources(options: Mapping[str, t.Any]) -> list[str]:
    return [str(Path(source).absolute()) for source in options["sources"] or ()]


def _spread(options: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the other folders of a bundle on several drives, as arguments of a job."""
    parts = [str(Path(part).absolute()) for part in options["parts"] or ()]
    return {"parts": parts, "parity": str(Path(options["parity"]).absolute()) if options["parity"] else None}


def _is_still(folder: BundleFolder, result: Mapping[str, t.Any]) -> bool:
    index = folder.last_index()
    return index is not None and str(index.digest) == result.get("index_digest") and not _damages(folder, index)


def _damages(folder: BundleFolder, index: BundleIndex) -> list[Damage]:
    """Return what a quick check finds; one drive of several has its part only."""
    return look_at(folder, index, on_other_drives(folder, index) if len(folder.members) == 1 else ())
