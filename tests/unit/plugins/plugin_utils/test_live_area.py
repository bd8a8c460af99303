# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.plugin_utils._live_area import LiveArea


class Paper:
    """A terminal that keeps what is written, and may change its width."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.written: list[str] = []

    def take(self) -> str:
        """Return what was written since the last time."""
        text = "".join(self.written)
        self.written.clear()
        return text


def area_on(paper: Paper) -> LiveArea:
    return LiveArea(paper.written.append, lambda: paper.columns)


def test_an_area_replaces_the_one_before() -> None:
    paper = Paper(20)
    area = area_on(paper)
    area.paint(["one", "two"], [3, 3])
    assert paper.take() == "one\ntwo\n"
    area.paint(["three"], [5])
    assert paper.take() == "\r\x1b[2A\x1b[Jthree\n"
    area.clear()
    assert paper.take() == "\r\x1b[1A\x1b[J"
    area.clear()
    assert paper.take() == "", "there is none any more"


def test_the_same_area_is_not_painted_again() -> None:
    paper = Paper(20)
    area = area_on(paper)
    area.paint(["one"], [3])
    paper.take()
    area.paint(["one"], [3])
    assert paper.take() == ""


def test_in_a_terminal_that_has_become_too_narrow_nothing_is_cleared_that_may_not_be_its_own() -> None:
    paper = Paper(20)
    area = area_on(paper)
    area.paint(["a line of 18 signs"], [18])
    paper.take()
    paper.columns = 10
    area.paint(["a line"], [6])
    assert paper.take() == "a line\n"
    paper.columns = 100
    area.clear()
    assert paper.take() == "\r\x1b[1A\x1b[J"
