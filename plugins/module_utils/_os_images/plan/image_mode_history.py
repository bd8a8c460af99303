# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a pool was asked to have, one after another, and what image each of that came to: what a rollback goes back to.

The cluster keeps no such history: the machine-config daemon removes the rollback deployment of each node (``rpm-ostree
cleanup -r``), and a MachineOSConfig knows its present image only. So a rollback is another roll forward, to what is
kept here. It names the revision that it leaves, and so is no toggle: a second identical request does nothing.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    PoolImage,
    pool_image_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

SCHEMA_VERSION = "1"
MOST_REVISIONS = 12
_KEY = "revisions"


class ImageHistoryError(FieldOpsError):
    """The history of a pool's images cannot be read, or has no earlier image."""

    kind = "image_history"


@dataclass(frozen=True)
class Revision:
    """What was requested at an instant, and the image by digest that came of it, empty until that is known."""

    number: int
    at: str
    wanted: PoolImage
    image: str = ""


@dataclass(frozen=True)
class ImageHistory:
    """All revisions that are kept, oldest first; ``left`` is the one that a rollback left, until something is asked."""

    revisions: tuple[Revision, ...] = ()
    left: int | None = None

    @property
    def current(self) -> Revision | None:
        """What is requested now."""
        return self.revisions[-1] if self.revisions else None

    @property
    def twin(self) -> Revision | None:
        """The newest earlier revision with the same request as the current one."""
        return next((one for one in self.revisions[-2::-1] if one.wanted == self.revisions[-1].wanted), None)

    @property
    def previous(self) -> Revision | None:
        """The goal of a rollback: the newest revision before the current one with another request."""
        return next((one for one in self.revisions[-2::-1] if one.wanted != self.revisions[-1].wanted), None)


def begun(found: PoolImage, image: str, at: str) -> ImageHistory:
    """Return a history that begins with what the cluster has."""
    return ImageHistory((Revision(0, at, found, image),))


def asked(history: ImageHistory, wanted: PoolImage, at: str) -> ImageHistory:
    """Return the history in which ``wanted`` is the current revision."""
    if history.current and history.current.wanted == wanted:
        return replace(history, left=None)
    return replace(_with(history, wanted, "", at), left=None)


def rolled_back(history: ImageHistory, pool: str, at: str) -> ImageHistory:
    """Return the history in which what was before the current revision is requested again.

    After a rollback, until something else is requested, this changes nothing. Raise ImageHistoryError where there is
    nothing to go back to.
    """
    if history.left is not None:
        return history
    current, previous = history.current, history.previous
    if current is None or previous is None:
        raise ImageHistoryError(
            "roll back the OS image",
            on=f"pool {pool}",
            seen="no earlier image of the pool is known",
            advice="Request the required image, or use state: absent for the image of the release.",
        )
    return replace(_with(history, previous.wanted, previous.image, at), left=current.number)


def with_image(history: ImageHistory, image: str) -> ImageHistory:
    """Return the history in which the current revision came to ``image``."""
    current = history.current
    if current is None or not image or current.image == image:
        return history
    return replace(history, revisions=(*history.revisions[:-1], replace(current, image=image)))


def history_name(pool: str) -> str:
    """Return the name of the ConfigMap of a pool's history."""
    return f"os-images-{pool}"


def history_of(config_map: Mapping[str, t.Any] | None, pool: str) -> ImageHistory:
    """Return the history that a ConfigMap holds, an empty one if there is none; raise ImageHistoryError for damage."""
    if config_map is None:
        return ImageHistory()
    content = config_map.get("data") or {}
    try:
        if content[SCHEMA_VERSION_KEY] != SCHEMA_VERSION:
            raise ValueError(f"its {SCHEMA_VERSION_KEY} is {content[SCHEMA_VERSION_KEY]!r}")
        kept = json.loads(content[_KEY])
        revisions = tuple(
            Revision(int(one["number"]), str(one["at"]), pool_image_of(one["wanted"]), str(one["image"]))
            for one in kept["list"]
        )
        left = kept["left"]
        return ImageHistory(revisions, None if left is None else int(left))
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ImageHistoryError(
            "read the history of OS images",
            on=f"ConfigMap {NAMESPACE}/{history_name(pool)}",
            seen=f"{type(error).__name__}: {str(error)[:200]}",
            advice="Correct it, or delete it. The history then starts with the current state of the cluster.",
        ) from error


def history_document(history: ImageHistory, pool: str) -> dict[str, t.Any]:
    """Return the ConfigMap that holds ``history``."""
    kept = [{**vars(one), "wanted": one.wanted.as_document()} for one in history.revisions]
    text = json.dumps({"left": history.left, "list": kept}, sort_keys=True)
    return {
        "apiVersion": CONFIG_MAP.api_version,
        "kind": CONFIG_MAP.kind,
        "metadata": {"name": history_name(pool), "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "data": {SCHEMA_VERSION_KEY: SCHEMA_VERSION, _KEY: text},
    }


def revision_document(revision: Revision | None) -> dict[str, t.Any]:
    """Return a revision as results show it, an empty one for none."""
    if revision is None:
        return {}
    return {
        "revision": revision.number,
        "at": revision.at,
        "image": revision.image,
        "is_release": revision.wanted.is_release,
        **revision.wanted.as_document(),
    }


def _with(history: ImageHistory, wanted: PoolImage, image: str, at: str) -> ImageHistory:
    number = history.revisions[-1].number + 1 if history.revisions else 0
    kept = (*history.revisions, Revision(number, at, wanted, image))
    return ImageHistory(kept[-MOST_REVISIONS:], history.left)
