# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What became of the OS image that a pool was asked to have: built, failed, rolled out, and as results show it."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config_log import (
    read_build_log,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.pool_observation import (
    PoolObservation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_base import (
    base_verdict,
    stream_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_history import (
    ImageHistory,
    revision_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_nodes import (
    has_arrived,
    node_standings,
    pool_sentence,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_uncarried import (
    Uncarried,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import PoolImage
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config_builds import (
    BuildVerdict,
    build_verdict,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG_NODE,
    MACHINE_CONFIG_POOL,
    NODE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState


class BuildFailedError(FieldOpsError):
    """The cluster could not build the requested image."""

    kind = "os_image_build_failed"


class ImageOverriddenError(FieldOpsError):
    """Another MachineConfig overrides the base image of the pool."""

    kind = "os_image_overridden"


@dataclass(frozen=True)
class Outcome:
    """What became of the order: ``image`` is what its nodes must run, empty until it is known."""

    ready: bool
    sentence: str
    image: str
    verdict: BuildVerdict | None

    @property
    def build(self) -> dict[str, str]:
        """The build as results show it, empty where there is none."""
        return self.verdict.build.as_document() if self.verdict and self.verdict.build else {}

    @property
    def failed_build(self) -> str:
        """The name of the build that came to nothing, empty if none did."""
        verdict = self.verdict
        is_lost = verdict is not None and verdict.phase in ("failed", "interrupted")
        return verdict.build.name if verdict and verdict.build and is_lost else ""


def outcome_of(observation: PoolObservation, wanted: PoolImage) -> Outcome:
    """Return what became of ``wanted``; raise ImageOverriddenError where no waiting will bring it about."""
    base = base_verdict(observation.pool, observation.rendered, wanted.os_image_url)
    if base.overridden:
        raise ImageOverriddenError(
            "assign an OS image to a pool",
            on=f"pool {observation.name}",
            seen=f"{base.sentence}; after this one sorts {', '.join(base.overriding)}",
            advice="Remove the MachineConfig that sets it and whose name sorts after the one of this collection.",
        )
    if not base.ready:
        return Outcome(False, base.sentence, "", None)
    if wanted.build is None:
        if observation.machine_os_config is not None:
            return Outcome(False, f"MachineOSConfig {observation.name} is being deleted", "", None)
        return Outcome(True, "", base.os_image_url, None)
    if observation.machine_os_config is None:
        return Outcome(False, "the build is not requested yet", "", None)
    verdict = build_verdict(observation.machine_os_config, observation.builds, observation.rendered_name)
    return Outcome(verdict.phase == "built", verdict.sentence, verdict.image, verdict)


def require_no_failure(client: ClusterClient, observation: PoolObservation, outcome: Outcome) -> None:
    """Raise BuildFailedError, with the last lines of the log in its partial result, where a build came to nothing."""
    if not outcome.failed_build:
        return
    log = read_build_log(client, outcome.failed_build)
    told = f"; last line of {log.container}: {log.last_line}" if log.last_line else ""
    unseen = f"; its log is not available: {log.missing}" if log.missing else ""
    raise BuildFailedError(
        "build the OS image",
        on=f"pool {observation.name}",
        seen=outcome.sentence + (told or unseen),
        advice="Correct the Containerfile, or build it again with a different value of rebuild.",
        partial={"build": outcome.build, "log": log.as_document()},
    )


def pool_work(
    client: ClusterClient,
    observation: PoolObservation,
    outcome: Outcome,
    history: ImageHistory,
    uncarried: Sequence[Uncarried],
    *,
    rolled_out: bool,
) -> Step:
    """Return where the pool stands; with ``rolled_out`` it is done when every node has arrived."""
    layered = outcome.image if outcome.verdict else ""
    pool = PoolState.of(client.get(MACHINE_CONFIG_POOL, observation.name) or observation.pool)
    nodes = node_standings(
        observation.name,
        observation.rendered_name,
        layered,
        client.list_objects(NODE),
        client.list_objects(MACHINE_CONFIG_NODE),
    )
    objects = {
        "machine_os_config": _report(observation, outcome, history, paused=pool.paused),
        "build": outcome.build,
        "nodes": [one.as_document() for one in nodes],
        "uncarried": [one.as_document() for one in uncarried],
        "history": [revision_document(one) for one in history.revisions],
    }
    arrived = outcome.ready and has_arrived(pool, nodes)
    sentence = pool_sentence(pool, nodes, outcome.image) if outcome.ready else _waiting(pool, outcome)
    return Step(sentence, arrived if rolled_out else outcome.ready, objects=objects)


def _waiting(pool: PoolState, outcome: Outcome) -> str:
    # The operator begins no build for a degraded pool, and says so in its own log only.
    if pool.degraded and outcome.verdict and outcome.verdict.phase == "waiting":
        return f"{outcome.sentence}: the pool is degraded: {pool.degraded_reason or 'it reports no reason'}"
    return outcome.sentence


def _report(observation: PoolObservation, outcome: Outcome, history: ImageHistory, *, paused: bool) -> dict[str, t.Any]:
    twin = history.twin if history.left is not None else None
    return {
        "pool": observation.name,
        "image": outcome.image,
        "digest": outcome.image.partition("@")[2],
        "stream": stream_of(observation.pool),
        "built": outcome.ready,
        "paused": paused,
        "wanted": revision_document(history.current),
        "previous": revision_document(history.previous),
        "rolled_back": history.left is not None,
        "image_as_before": bool(twin and outcome.image and twin.image == outcome.image),
    }
