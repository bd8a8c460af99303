# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the arguments of the module for a kit to one step of its work."""

from __future__ import annotations

import json
import os
import typing as t
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.bundle_jobs import BundleJobs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.build_kit import (
    PASSPHRASE,
    PIP,
    KitContent,
    KitOrder,
    build_kit,
    refuse_foreign,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_folder import KitFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.wheels import pip_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitLock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_PATHS = ("path", "collection", "documentation", "execution_environment", "signing_key")
_OTHERS = ("pythons", "architectures", "refresh_wheels")


def step_to_kit(options: Mapping[str, t.Any], clock: Clock, *, check_mode: bool) -> Step:
    """Take a step towards the kit that ``options`` describe; check mode writes nothing and downloads nothing."""
    paths = {name: str(Path(options[name]).absolute()) if options[name] else None for name in _PATHS}
    order = KitOrder(**t.cast("t.Any", {**paths, **{name: options[name] for name in _OTHERS}}))
    folder = KitFolder(Path(order.path))
    content = KitContent.of(order)
    if check_mode:
        return _forecast(order, content, folder)
    secrets = {PIP: json.dumps(pip_settings(os.environ))}
    if options["signing_passphrase"]:
        secrets[PASSPHRASE] = options["signing_passphrase"]
    step = BundleJobs(clock).step(
        "kit",
        folder.path.resolve(),
        FunctionWork.of(build_kit, order=asdict(order)),
        is_current=lambda result: folder.path.exists() and folder.state() == result.get("after"),
        secrets=secrets,
    )
    if step.result is None:
        return Step(step.sentence, done=False, next_delay=step.next_delay, warnings=step.warnings)
    kit, diff = _described(folder, content, folder.lock()), step.result
    changed = diff["before"] != diff["after"]
    return Step(
        f"the kit of fieldops.openshift {kit['collection']} is complete: {kit['wheels']} wheels for Python "
        f"{', '.join(kit['pythons'])} on {', '.join(kit['architectures'])}, digest {kit['digest']}",
        done=True,
        changed=changed,
        objects={"kit": kit},
        actions=[{"build": str(folder.path)}] if changed else [],
        diff=diff if changed else None,
        warnings=step.warnings,
    )


def _forecast(order: KitOrder, content: KitContent, folder: KitFolder) -> Step:
    if folder.path.exists():
        refuse_foreign(folder.path)
    before = folder.state()
    is_there = folder.path.exists() and not order.refresh_wheels and content.is_in(order, folder)
    return Step(
        "the kit exists" if is_there else "the kit would be built",
        done=is_there,
        changed=not is_there,
        actions=[] if is_there else [{"build": str(folder.path)}],
        diff=None if is_there else {"before": before, "after": {**before, "digest": "not known yet", "damaged": []}},
    )


def _described(folder: KitFolder, content: KitContent, lock: KitLock | None) -> dict[str, t.Any]:
    targets = lock.targets if lock else ()
    return {
        "path": str(folder.path),
        "digest": folder.digest,
        "collection": content.archive.version,
        "pythons": list(dict.fromkeys(target.python for target in targets)),
        "architectures": list(dict.fromkeys(target.machine for target in targets)),
        "wheels": len(lock.wheels) if lock else 0,
        "signed": folder.signature() is not None,
    }
