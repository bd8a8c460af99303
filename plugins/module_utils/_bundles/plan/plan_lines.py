# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan of a build for the person who decides about it: what is downloaded, how long that takes, where it fits."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.content_table import (
    table_cells,
    table_lines,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

MOST_REMEDIES = 8
_BITS = 1_000_000 / 8


def plan_lines(forecast: Mapping[str, t.Any], bandwidth: float) -> list[str]:
    """Return a ``forecast`` of release_bundle in lines; ``bandwidth`` is in Mbit/s."""
    content, node = forecast["content"], forecast["content"]["node"]
    about = "about " if node["estimated"] else ""
    seconds = round(content["missing"] / (bandwidth * _BITS))
    return [
        f"Plan for {forecast['version']}: {len(forecast['images'])} images, release image {forecast['release']}",
        *table_lines(table_cells(content, missing=True)),
        f"Shared by several images and stored once: {format_size(content['shared'])}.",
        f"To download: {format_size(content['missing'])}, {describe_seconds(seconds)} at {bandwidth:g} Mbit/s.",
        f"On each node: {format_size(node['staged'])} staged, {about}{format_size(node['unpacked'])} unpacked.",
        *_fit(forecast),
    ]


def _fit(forecast: Mapping[str, t.Any]) -> Iterator[str]:
    space = forecast["space"]
    places = ", ".join(f"{one['path']} ({format_size(one['free'])} free)" for one in space["media"])
    yield f"On the media: {format_size(forecast['content']['size'])} in {places}: {_verdict(space)}"
    if space["fits"]:
        return
    if space["lacking"]:
        yield f"- Free {format_size(space['lacking'])} there, use larger drives, or add a drive."
    if space["obsolete"]:
        yield f"- Remove the bundle that is there before the build: frees {format_size(space['obsolete'])}."
    for one in forecast["remedies"][:MOST_REMEDIES]:
        enough = "is enough" if one["enough"] else "is not enough alone"
        saves = format_size(one["saves"])
        yield f"- Leave out {one['leave_out']} ({one['option']}): saves at least {saves}, which {enough}."
    if forecast["plan"]["base"] is None:
        yield "- Build a delta to a bundle that all nodes of the site hold (base)."


def _verdict(space: Mapping[str, t.Any]) -> str:
    if space["fits"]:
        return "it fits."
    if space["lacking"]:
        return f"it does not fit, {format_size(space['lacking'])} are lacking."
    return "it does not fit. A blob is not divided, and drives that are read-only or take too few files are not used."
