# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is built once appears complete, and only once."""

from __future__ import annotations

import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.cache import cache_root, cached, key_of


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDOPS_CACHE", str(tmp_path))


def test_the_second_caller_gets_what_the_first_has_built() -> None:
    built: list[Path] = []

    def build(directory: Path) -> None:
        built.append(directory)
        (directory / "program").write_text("x")

    with ThreadPoolExecutor(4) as pool:
        entries = set(pool.map(lambda _: cached("thing", "0123", build), range(4)))
    assert entries == {cache_root() / "thing-0123"}
    assert len(built) == 1


def test_a_build_that_fails_leaves_no_entry_and_the_next_one_starts_afresh() -> None:
    def fail(directory: Path) -> None:
        (directory / "half").write_text("x")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cached("thing", "0123", fail)

    def succeed(directory: Path) -> None:
        (directory / "whole").write_text("x")

    entry = cached("thing", "0123", succeed)
    assert [path.name for path in entry.iterdir()] == ["whole"]


def test_building_says_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    cached("thing", "0123", lambda _: None)
    assert "building thing: done in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(["ab", "c"], ["a", "bc"], id="where a text ends"),
        pytest.param(["a", "b"], ["b", "a"], id="order"),
        pytest.param(["a"], ["a", ""], id="an empty part"),
    ],
)
def test_the_key_tells_apart(first: list[str], second: list[str]) -> None:
    assert key_of(first) != key_of(second)


def test_the_key_of_a_file_is_its_name_and_content(tmp_path: Path) -> None:
    def key(name: str, content: str) -> str:
        path = tmp_path / name
        path.write_text(content)
        return key_of(t.cast("list[str | bytes | Path]", [path]))

    assert len({key("go.mod", "1"), key("go.mod", "2"), key("go.sum", "1")}) == 3
