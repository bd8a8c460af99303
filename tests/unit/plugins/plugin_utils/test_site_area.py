# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_area import area_lines, cut
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import NodeState, Now

LOADING = Now(
    play="Update the site",
    began=0,
    phase="Load",
    phase_began=600,
    step=("Load",),
    task="Wait until images are loaded",
    task_began=630,
    nodes={
        "master-0": NodeState("image 3 of 17, 1.2 GiB of 18 GiB, 90 MiB/s, about 3 min left", "03:30:00", 0),
        "w": NodeState("17 of 17 images are loaded", "03:30:00", 0),
    },
    upcoming=("Roll", "Clean", "Unmount"),
    nodes_done="2 of 5 nodes are done",
    node="worker-1",
    window="change is permitted for 3h 10m",
    problem=("Could not drain the node on worker-0: shop/web stays.", "What to do: Raise its budget."),
)


def shown(now: Now, columns: int = 80, rows: int = 40, at: float = 724.0) -> list[str]:
    return [line.text for line in area_lines(now, at, columns, rows)]


def test_all_that_goes_on_is_shown() -> None:
    assert shown(LOADING) == [
        "-- Update the site, 12 min 4 s, 2 of 5 nodes are done, now worker-1",
        "> Load, 2 min 4 s: Wait until images are loaded",
        "  master-0  image 3 of 17, 1.2 GiB of 18 GiB, 90 MiB/s, about 3 min left",
        "  w         17 of 17 images are loaded",
        "  Last problem: Could not drain the node on worker-0: shop/web stays.",
        "  What to do: Raise its budget.",
        "  Window: change is permitted for 3h 10m",
        "  Next: Roll, Clean, and 1 more",
    ]


def test_a_task_outside_of_phases_shows_its_own_time() -> None:
    alone = Now(play="Build", began=0, task="Pack", task_began=700, attempt="attempt 2 of 30")
    assert shown(alone) == ["-- Build, 12 min 4 s", "> Pack, 24 s (attempt 2 of 30)"]


@pytest.mark.parametrize("columns", [20, 40, 79, 80, 200])
def test_no_line_is_as_wide_as_the_terminal(columns: int) -> None:
    assert max(len(line) for line in shown(LOADING, columns)) < columns


@pytest.mark.parametrize(("rows", "most"), [(3, 0), (4, 2), (10, 5), (24, 8)])
def test_the_area_takes_half_of_the_rows_at_most(rows: int, most: int) -> None:
    assert len(shown(LOADING, rows=rows)) == most


def test_there_is_no_area_while_nothing_runs() -> None:
    assert shown(Now()) == []


def test_of_many_nodes_some_are_counted_only() -> None:
    many = Now(play="Load", task="Wait", nodes={f"worker-{n:02}": NodeState("9 of 17", "", 0) for n in range(20)})
    assert [line for line in shown(many, rows=60) if "more" in line] == ["  and 8 more nodes"]


@pytest.mark.parametrize(
    ("text", "columns", "kept"),
    [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abc..."), ("", 6, "")],
)
def test_what_does_not_fit_ends_with_dots(text: str, columns: int, kept: str) -> None:
    assert cut(text, columns) == kept


def test_wide_letters_take_two_columns() -> None:
    def measure(text: str) -> int:
        return sum(1 if letter.isascii() else 2 for letter in text)

    assert cut("ああああ", 7, measure) == "ああ..."
    assert cut("ああああ", 8, measure) == "ああああ"
