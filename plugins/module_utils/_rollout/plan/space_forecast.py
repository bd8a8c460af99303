# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a bundle and its images fit on the nodes, of what each node has answered in check mode."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

MOST_NAMED = 10
_BYTES = ("free", "reserve", "needed", "lacking")


@dataclass(frozen=True)
class NodeSpace:
    """A file system of a node: bytes that are free, must stay free, are needed at most, and are lacking."""

    node: str
    path: str
    free: int
    reserve: int
    needed: int
    lacking: int

    def as_data(self) -> dict[str, t.Any]:
        """Return it as module results show it."""
        return {"node": self.node, "path": self.path, **{name: getattr(self, name) for name in _BYTES}}


@dataclass(frozen=True)
class SpaceForecast:
    """The file systems of the nodes that were ``asked``, and why others did not answer."""

    asked: tuple[str, ...] = ()
    places: tuple[NodeSpace, ...] = ()
    unknown: tuple[tuple[str, str], ...] = ()

    @property
    def sentence(self) -> str:
        """Return it as a part of the sentence of a forecast."""
        if not self.asked:
            return "space was not compared"
        lacking = [f"{one.node} lacks {format_size(one.lacking)} on {one.path}" for one in self.places if one.lacking]
        told = [*lacking, *(f"the space on {name} is unknown: {reason}" for name, reason in self.unknown)]
        if not told:
            return f"space is sufficient on {len(self.asked)} nodes"
        more = [f"and {len(told) - MOST_NAMED} more"] if len(told) > MOST_NAMED else []
        return "; ".join([*told[:MOST_NAMED], *more])

    def as_data(self) -> dict[str, t.Any]:
        """Return it as module results show it."""
        return {"sentence": self.sentence, "file_systems": [one.as_data() for one in self.places]}


NOT_COMPARED = SpaceForecast()


def space_forecast(answers: Mapping[str, Mapping[str, t.Any]]) -> SpaceForecast:
    """Return the forecast of what nodes answered, by name: results of node_bundle or node_images in check mode.

    A node that needs nothing more answers without a forecast.
    """
    places = tuple(place for node, answer in answers.items() for place in _places(node, answer))
    unknown = tuple(
        (node, str(answer.get("msg") or "it did not answer"))
        for node, answer in answers.items()
        if "forecast" not in answer and not (answer.get("progress") or {}).get("done")
    )
    return SpaceForecast(tuple(answers), places, unknown)


def _places(node: str, answer: Mapping[str, t.Any]) -> Iterator[NodeSpace]:
    for one in answer.get("forecast") or ():
        yield NodeSpace(node, str(one["path"]), *(int(one[name]) for name in _BYTES))
