# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The OS image of a pool by the means of the cluster: ordered, built, rolled out by its operator, rolled back."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config_log import (
    read_build_log,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config_order import (
    place_order,
    require_own,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config_outcome import (
    outcome_of,
    pool_work,
    require_no_failure,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.pool_observation import (
    PoolObservation,
    begun_history,
    read_observation,
    require_image_mode,
    write_history,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_history import (
    ImageHistory,
    asked,
    rolled_back,
    with_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_uncarried import (
    Uncarried,
    sentence_of,
    uncarried_of_config,
    uncarried_of_parts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    OPERATOR_NAMESPACE,
    REBUILD_WORD,
    PoolImage,
    asked_image,
    image_in_cluster,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import MACHINE_CONFIG_POOL, SECRET
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

_PART: Mapping[str, t.Any] = {
    "architecture": {"type": "str", "choices": ["NoArch", "AMD64", "ARM64", "PPC64LE", "S390X"], "default": "NoArch"},
    "content": {"type": "str", "required": True},
}
OS_CONFIG_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "pool": {"type": "str", "required": True},
    "state": {"type": "str", "choices": ["present", "absent", "rolled_back"], "default": "present"},
    "os_image_url": {"type": "str"},
    "push_spec": {"type": "str"},
    "push_secret": {"type": "str", "no_log": False},
    "pull_secret": {"type": "str", "no_log": False},
    "containerfiles": {"type": "list", "elements": "dict", "default": [], "options": _PART},
    "accept_uncarried": {"type": "bool", "default": False},
    "rebuild": {"type": "str"},
    "take_over": {"type": "bool", "default": False},
    "wait_for": {"type": "str", "choices": ["built", "rolled_out"], "default": "built"},
}


def machine_os_config_step(client: ClusterClient, params: Mapping[str, t.Any]) -> Step:
    """Bring a pool one step nearer to the OS image that it is asked to have, and say where it stands.

    Raises MissingRequirementError, InvalidInputError, ImageHistoryError, BuildFailedError with the last lines of the
    log in its partial result, ImageOverriddenError, ApiError.
    """
    require_image_mode(client)
    observation = read_observation(client, params["pool"])
    history = _requested(client, observation, params)
    wanted = _wanted(history)
    uncarried = _uncarried(observation, wanted)
    _refuse_what_cannot_work(client, observation, params, wanted, uncarried)
    first = observation
    changed = write_history(client, observation, history)
    changed |= place_order(client, observation, wanted, params)
    if changed and not client.dry_run:
        observation = read_observation(client, observation.name)
    outcome = outcome_of(observation, wanted)
    if not client.dry_run:
        require_no_failure(client, observation, outcome)
    if outcome.ready and not (changed and client.dry_run):
        history = with_image(observation.history if observation.history.current else history, outcome.image)
        changed |= write_history(client, observation, history)
    work = pool_work(client, observation, outcome, history, uncarried, rolled_out=params["wait_for"] == "rolled_out")
    before = _shown(image_in_cluster(first.machine_os_config, first.machine_config), first.history, _rebuilt(first))
    after = _shown(wanted, history, params["rebuild"] or _rebuilt(first))
    difference = {"before": before, "after": after} if changed else None
    return replace(work, changed=changed, actions=tuple(client.actions.as_data()), diff=difference)


def _shown(image: PoolImage, history: ImageHistory, rebuilt: str) -> dict[str, t.Any]:
    """Return what a diff shows of a pool: what it is asked to have, its last revision, and the word of a rebuild."""
    current = history.current
    revision = {"revision": current.number, "image": current.image} if current else {"revision": None, "image": ""}
    return {**image.as_document(), **revision, "rebuild": rebuilt}


def _rebuilt(observation: PoolObservation) -> str:
    metadata = (observation.machine_os_config or {}).get("metadata") or {}
    return str((metadata.get("annotations") or {}).get(REBUILD_WORD, ""))


def read_pool_images(client: ClusterClient, params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return where each pool of the cluster stands with its OS image, or only each of ``names``."""
    require_image_mode(client)
    known = sorted(str(one["metadata"]["name"]) for one in client.list_objects(MACHINE_CONFIG_POOL))
    return [_read_pool_image(client, pool) for pool in params["names"] or known]


def _read_pool_image(client: ClusterClient, pool: str) -> dict[str, t.Any]:
    observation = read_observation(client, pool)
    history = begun_history(observation, client)
    wanted = image_in_cluster(observation.machine_os_config, observation.machine_config)
    outcome = outcome_of(observation, wanted)
    work = pool_work(client, observation, outcome, history, _uncarried(observation, wanted), rolled_out=True)
    log = {"log": read_build_log(client, outcome.failed_build).as_document()} if outcome.failed_build else {}
    return {**work.objects, "sentence": work.sentence, "rolled_out": work.done, **log}


def _requested(client: ClusterClient, observation: PoolObservation, params: Mapping[str, t.Any]) -> ImageHistory:
    history = begun_history(observation, client)
    now = timestamp(client.clock.utcnow())
    if params["state"] == "rolled_back":
        return rolled_back(history, observation.name, now)
    return asked(history, PoolImage() if params["state"] == "absent" else asked_image(params), now)


def _wanted(history: ImageHistory) -> PoolImage:
    return history.current.wanted if history.current else PoolImage()


def _uncarried(observation: PoolObservation, wanted: PoolImage) -> list[Uncarried]:
    """Return what no image carries; a pool that has the release's own image is of no concern."""
    if wanted.is_release:
        return []
    parts = uncarried_of_parts(wanted.build.parts) if wanted.build else []
    return [*parts, *(uncarried_of_config(observation.rendered) if observation.rendered else [])]


def _refuse_what_cannot_work(
    client: ClusterClient,
    observation: PoolObservation,
    params: Mapping[str, t.Any],
    wanted: PoolImage,
    uncarried: list[Uncarried],
) -> None:
    lost = sentence_of(uncarried)
    if lost and not params["accept_uncarried"] and params["state"] == "present":
        raise InvalidInputError(
            "request an OS image",
            on=f"pool {observation.name}",
            seen=lost,
            advice="Create these files with a MachineConfig or systemd-tmpfiles, or accept the loss with "
            "accept_uncarried.",
            partial={"uncarried": [one.as_document() for one in uncarried]},
        )
    require_own(observation, wanted, take_over=params["take_over"])
    if wanted.build:
        for option, name in (("push_secret", wanted.build.push_secret), ("pull_secret", wanted.build.pull_secret)):
            _require_secret(client, option, name)


def _require_secret(client: ClusterClient, option: str, name: str) -> None:
    """The operator does not begin a build without its secrets and says so in its own log only."""
    if not name:
        return
    try:
        if client.get(SECRET, name, OPERATOR_NAMESPACE) is not None:
            return
    except ApiError as error:
        # A user who may not read secrets may order a build nevertheless.
        if error.status == 403:
            return
        raise
    raise MissingRequirementError(
        "request an OS image",
        on=f"{option}: {name}",
        seen=f"the secret does not exist in namespace {OPERATOR_NAMESPACE}",
        advice="Create it there, of type kubernetes.io/dockerconfigjson.",
    )
