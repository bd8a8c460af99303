# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run came to, in lines that a person understands who does not know OpenShift."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.site_ending import (
    MOST_NAMED,
    clock,
    ending_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.ending_status import NOTHING_TO_DO
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

Facts = Mapping[str, t.Any]


NOT_STARTED = "not started"
MOST_NOT_STARTED = 10
"""Nodes that are not started have a line each up to this number; more share one."""


def summary_lines(outcome: Facts) -> list[str]:
    """Return the summary of a run of the whole update.

    ``outcome`` holds what the phases left: ``update`` (version, digest, images), ``loaded`` (numbers of images by
    node), ``release`` (the summary of role update_cluster), ``rollout`` (that of role roll_nodes), ``boot_images``
    (the result of role update_boot_images), ``pending_before`` (names of nodes that had yet to be rolled when the run
    began) and ``completed`` (whether no task has failed). Phases that were not reached are empty.
    """
    ending = ending_of(outcome)
    if not outcome.get("update"):
        return [ending.sentence]
    rollout = outcome.get("rollout") or {}
    release, boot_images = outcome.get("release") or {}, outcome.get("boot_images") or {}
    return [
        *_images(outcome),
        *_release(release),
        *(_nodes(rollout) if ending.status != NOTHING_TO_DO else ()),
        *_broken(rollout),
        *_boot_images(boot_images),
        ending.sentence,
    ]


def _images(outcome: Facts) -> Iterator[str]:
    update, loaded = outcome["update"], outcome.get("loaded") or {}
    name = f"Release {update['version']}, bundle {update['digest'][:19]}"
    if loaded:
        yield f"{name}: {_amount(loaded, update['images'])} are loaded and pinned on {_count(len(loaded), 'node')}."
    else:
        yield f"{name}: this run staged no images on nodes."


def _amount(loaded: Mapping[str, int], of_all: int) -> str:
    """Return how many images each node has, where pools may need different ones."""
    low, high = min(loaded.values()), max(loaded.values())
    if low == of_all:
        return f"{of_all} images"
    return f"{low} of {of_all} images" if low == high else f"{low} to {high} of {of_all} images"


def _release(release: Facts) -> Iterator[str]:
    if release.get("outcome") not in (None, "restricted"):
        sentence = release["sentence"]
        yield f"{sentence[:1].upper()}{sentence[1:]}."


def _nodes(rollout: Facts) -> Iterator[str]:
    stories = {node["name"]: _story(node) for node in rollout.get("nodes") or []}
    waiting = [name for name, story in stories.items() if story == NOT_STARTED]
    shared = set(waiting) if len(waiting) > MOST_NOT_STARTED else set()
    shown = {name: story for name, story in stories.items() if name not in shared}
    width = max(map(len, shown), default=0)
    for name, story in shown.items():
        yield f"{name:{width}}  {story}"
    if shared:
        yield f"{_count(len(waiting), 'node')} {NOT_STARTED}: {listed(waiting, MOST_NOT_STARTED)}"


def _broken(rollout: Facts) -> Iterator[str]:
    broken = rollout.get("broken_before") or []
    if broken:
        yield f"Already broken before nodes were started: {listed(broken, MOST_NAMED)}."


def _boot_images(result: Facts) -> Iterator[str]:
    if result and (result["outcome"] != "done" or result.get("updated")):
        yield f"Boot images of new machines: {result['sentence']}."


def _story(node: Facts) -> str:
    record = node.get("record") or {}
    times = record.get("times") or {}
    if node["standing"] == "done":
        started, ended = times.get("draining", ""), times.get("done", "")
        broken = f"; already broken before: {', '.join(record['broken'])}" if record.get("broken") else ""
        return f"done, away from {clock(started)} to {clock(ended)}{broken}" if started and ended else f"done{broken}"
    if record.get("phase") == "failed":
        return f"FAILED at {clock(record['since'])} while {record.get('failed_in', '')}: {record.get('reason', '')}"
    if node["standing"] == "in_progress":
        return f"started, {record.get('phase', '')} since {clock(record.get('since', ''))}"
    if node["standing"] == "pending":
        return NOT_STARTED
    return f"{node['standing'].replace('_', ' ')}: {node.get('reason', '')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
