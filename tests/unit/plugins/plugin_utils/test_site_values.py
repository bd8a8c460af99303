# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a site may give for a variable of each type, as YAML reads it or as a survey gives it, and what is refused."""

from __future__ import annotations

import datetime
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import SiteVariable
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import (
    ValueRefusalError,
    converted,
    is_given,
    plain,
)

NOON = datetime.datetime(2026, 11, 28, 12, tzinfo=datetime.timezone.utc)


def variable(kind: str, **facts: t.Any) -> SiteVariable:
    return SiteVariable("site_it", "A group", "It.", kind, ("play",), **facts)


TEXT, NUMBER, TRUTH, PERCENT = variable("str"), variable("int"), variable("bool"), variable("percent")
WORDS, SPACED, OBJECTS = variable("list"), variable("list", spaced=True), variable("list", elements="dict")
MAPPING, ANY = variable("dict"), variable("raw")
CHOICE = variable("str", choices=("node", "pool"))
PHASES = variable("list", choices=("images", "release", "nodes"))


@pytest.mark.parametrize(
    ("of", "value", "becomes"),
    [
        pytest.param(TEXT, " 4.21.4\n", "4.21.4", id="a text with a line break"),
        pytest.param(TEXT, 5, "5", id="a number that is a name"),
        pytest.param(NUMBER, 1800, 1800, id="a number"),
        pytest.param(NUMBER, " 1800 ", 1800, id="a number as text"),
        pytest.param(NUMBER, "-1", -1, id="a negative number as text"),
        pytest.param(PERCENT, 0, "0", id="no percent at all"),
        pytest.param(PERCENT, "20", "20", id="percent as text"),
        pytest.param(TRUTH, True, True, id="true"),
        *(pytest.param(TRUTH, word, True, id=word) for word in ("yes", "True", "on", "1")),
        *(pytest.param(TRUTH, word, False, id=word) for word in ("no", "FALSE", "off", "0")),
        pytest.param(WORDS, ["a", 2], ["a", "2"], id="a list"),
        pytest.param(WORDS, [], [], id="an empty list"),
        pytest.param(WORDS, "a, b,c\nd\n", ["a", "b", "c", "d"], id="words with commas and line breaks"),
        pytest.param(WORDS, '["a b", "c"]', ["a b", "c"], id="a list in JSON"),
        pytest.param(WORDS, "- a b\n- c\n", ["a b", "c"], id="a list in YAML"),
        pytest.param(SPACED, "console=ttyS0,115200 quiet", ["console=ttyS0,115200", "quiet"], id="items with commas"),
        pytest.param(OBJECTS, [{"a": 1}], [{"a": 1}], id="a list of mappings"),
        pytest.param(OBJECTS, '[{"a": 1}]', [{"a": 1}], id="mappings in JSON"),
        pytest.param(OBJECTS, "- a: 1\n", [{"a": 1}], id="mappings in YAML"),
        pytest.param(MAPPING, {"a": [1]}, {"a": [1]}, id="a mapping"),
        pytest.param(MAPPING, '{"a": [1]}', {"a": [1]}, id="a mapping in JSON"),
        pytest.param(MAPPING, "until: 2026-11-28T12:00:00Z", {"until": NOON.isoformat()}, id="a mapping in YAML"),
        pytest.param(ANY, {"a": 1}, {"a": 1}, id="anything"),
        pytest.param(CHOICE, "pool", "pool", id="a choice"),
        pytest.param(PHASES, "release,nodes", ["release", "nodes"], id="some choices as text"),
    ],
)
def test_it_becomes_what_playbooks_use(of: SiteVariable, value: t.Any, becomes: t.Any) -> None:
    found = converted(of, value)
    assert (found, type(found)) == (becomes, type(becomes))


@pytest.mark.parametrize(
    ("of", "value", "seen"),
    [
        pytest.param(TEXT, 4.2, "is 4.2, and must be text: write it in quotes", id="a version that YAML reads"),
        pytest.param(TEXT, False, "is False, and must be text: write it in quotes", id="a word that YAML reads"),
        pytest.param(TEXT, ["a"], "must be text", id="a list for a text"),
        pytest.param(NUMBER, "soon", "is soon, and must be a whole number", id="no number"),
        pytest.param(NUMBER, True, "is True, and must be a whole number", id="true for a number"),
        pytest.param(NUMBER, 1.5, "is 1.5, and must be a whole number", id="half a number"),
        pytest.param(PERCENT, 101, "is 101, and must be a whole number from 0 to 100", id="too many percent"),
        pytest.param(TRUTH, "perhaps", "is perhaps, and must be true or false", id="no truth value"),
        pytest.param(TRUTH, 2, "is 2, and must be true or false", id="a number for a truth value"),
        pytest.param(WORDS, {"a": 1}, "must be a list", id="a mapping for a list"),
        pytest.param(WORDS, [["a"]], "must be a list of texts", id="a list of lists"),
        pytest.param(WORDS, "[a", "is [a, and must be a list in JSON or YAML", id="half a list"),
        pytest.param(
            WORDS,
            "[2026-02-30]",
            "is [2026-02-30], and must be a list in JSON or YAML",
            id="a date that no calendar has",
        ),
        pytest.param(WORDS, "[" * 5000, "is [[[", id="nested without end"),
        pytest.param(OBJECTS, ["a"], "must be a list of mappings", id="words for mappings"),
        pytest.param(OBJECTS, "a: 1", "is a: 1, and must be a list", id="a mapping for a list of them"),
        pytest.param(MAPPING, "worker", "is worker, and must be a mapping", id="a word for a mapping"),
        pytest.param(MAPPING, ["a"], "must be a mapping", id="a list for a mapping"),
        pytest.param(CHOICE, "direct", "is direct, and must be node or pool", id="no choice"),
        pytest.param(
            PHASES,
            "images,node",
            "is images,node, and must be a list of images, release or nodes, without node",
            id="?",
        ),
    ],
)
def test_what_is_none_of_its_type_is_refused(of: SiteVariable, value: t.Any, seen: str) -> None:
    with pytest.raises(ValueRefusalError) as refused:
        converted(of, value)
    assert str(refused.value).startswith(seen)


@pytest.mark.parametrize(
    ("value", "becomes"),
    [
        pytest.param(f"sha256:{'a' * 64}", f"sha256:{'a' * 64}", id="a digest"),
        pytest.param(" " + "abandon " * 11 + "about", f"sha256:{'0' * 32}", id="words"),
    ],
)
def test_a_digest_may_be_given_as_words(value: str, becomes: str) -> None:
    pytest.importorskip("mnemonic")
    assert converted(variable("digest"), value) == becomes


def test_a_word_too_few_is_a_problem_of_the_variable() -> None:
    with pytest.raises(ValueRefusalError, match=r"cannot be used: it has 11 words\. Enter the 12 words"):
        converted(variable("digest"), "abandon " * 11)


@pytest.mark.parametrize("value", ["canary-7f3a", ["canary-7f3a"], 7.25])
@pytest.mark.parametrize("kind", ["int", "bool", "dict", "percent"])
def test_no_refusal_shows_a_secret(kind: str, value: t.Any) -> None:
    with pytest.raises(ValueRefusalError) as refused:
        converted(variable(kind, secret=True), value)
    assert not [part for part in ("canary", "7.25") if part in str(refused.value)]


def test_a_long_value_is_cut() -> None:
    with pytest.raises(ValueRefusalError) as refused:
        converted(NUMBER, "x" * 5000)
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize(("value", "decides"), [(None, False), ("", False), (" \n", False), ([], True), (False, True)])
def test_an_unanswered_question_decides_nothing(value: t.Any, decides: bool) -> None:
    assert is_given(value) is decides


def test_times_and_tuples_become_what_json_has() -> None:
    assert plain({"at": NOON, "on": NOON.date(), "of": ("a", None)}) == {
        "at": "2026-11-28T12:00:00+00:00",
        "on": "2026-11-28",
        "of": ["a", None],
    }


@pytest.mark.parametrize(
    ("value", "shown"), [("plan.json", "{here}/plan.json"), ("/srv/plan.json", "/srv/plan.json"), ("", "")]
)
def test_a_file_that_is_written_is_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, shown: str
) -> None:
    monkeypatch.chdir(tmp_path)
    variable = SiteVariable("site_plan", "All", "The plan.", "path", ("build",), written=True)
    assert converted(variable, value) == shown.format(here=tmp_path)
