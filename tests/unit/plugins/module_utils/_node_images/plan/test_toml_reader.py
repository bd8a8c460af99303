# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""TOML as nodes have it, read without a library."""

from __future__ import annotations

import importlib
import sys
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import (
    read_toml,
    toml_string,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

MACHINE_CONFIG_OPERATOR = """\
[crio]
  [crio.image]
    pinned_images = ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0123", "quay.io/x/y@sha256:4567"]
"""
# What CRI-O itself prints with "crio config", shortened.
PRINTED = """\
# The CRI-O configuration file.
[crio]

# root = "/var/lib/containers/storage"

version_file = "/var/run/crio/version"
internal_wipe = true

[crio.runtime]
default_ulimits = [
]
conmon_env = [
  "PATH=/usr/local/sbin:/usr/bin", # where it looks
  "A=b",
]
pids_limit = -1
log_size_max = -1
[crio.runtime.runtimes.crun]
allowed_annotations = ["io.containers.trace-syscall",]
[crio.image]
pause_image = 'registry.k8s.io/pause:3.10'
pinned_images = [
]
"""
STORAGE = """\
[storage]
driver = "overlay"
[storage.options]
additionalimagestores = [ "/var/lib/shared", ]
pull_options = {enable_partial_images = "true", use_hard_links = "false", ostree_repos=""}
"""


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        (MACHINE_CONFIG_OPERATOR, "crio.image.pinned_images", 2),
        (PRINTED, "crio.runtime.conmon_env", ["PATH=/usr/local/sbin:/usr/bin", "A=b"]),
        (PRINTED, "crio.runtime.default_ulimits", []),
        (PRINTED, "crio.runtime.pids_limit", "-1"),
        (PRINTED, "crio.image.pause_image", "registry.k8s.io/pause:3.10"),
        (PRINTED, "crio.internal_wipe", "true"),
        (STORAGE, "storage.options.pull_options.use_hard_links", "false"),
        ('crio.image.pinned_images = ["a"]', "crio.image.pinned_images", ["a"]),
        ('crio = {image = {pinned_images = ["a"]}}', "crio.image.pinned_images", ["a"]),
        ('"crio" . "image".pinned_images = ["a"]', "crio.image.pinned_images", ["a"]),
        ('[ crio . image ]\r\npinned_images = ["a"]\r\n', "crio.image.pinned_images", ["a"]),
        ('a = "quote \\" hash # bracket ] \\u00e4 \\U0001F600"', "a", 'quote " hash # bracket ] ä 😀'),
        ("a = 'raw \\n # ]'", "a", "raw \\n # ]"),
        ('a = """\ntwo\nlines "quoted" \\\n   folded"""', "a", 'two\nlines "quoted" folded'),
        ('a = """ends in quotes\\"""""', "a", 'ends in quotes""'),
        ("a = '''\nraw ''two'' \\'''", "a", "raw ''two'' \\"),
        ("a = 1979-05-27 07:32:00Z # a date", "a", "1979-05-27 07:32:00Z"),
        ('a = [[1, 2], ["x", {b = "c"}]]', "a", [["1", "2"], ["x", {"b": "c"}]]),
        ("[[r]]\nx = 1\n[[r]]\nx = 2\n[r.sub]\ny = 3", "r", [{"x": "1"}, {"x": "2", "sub": {"y": "3"}}]),
        ("", "", {}),
        ("# only a comment", "", {}),
    ],
)
def test_reading(text: str, path: str, value: t.Any) -> None:
    found: t.Any = read_toml(text, "file")
    for key in filter(None, path.split(".")):
        found = found[key]
    assert (len(found) if isinstance(value, int) else found) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a = "open', 1),
        ('\n\na = "x" b = "y"', 3),
        ("a = [1, 2", 1),
        ("a", 1),
        ("a =", 1),
        ("[a", 1),
        ("= 1", 1),
        ("a = 1\na = 2", 2),
        ("a = 1\n[a]\nb = 2", 2),
        ('a = "\\q"', 1),
        ('a = "\\ud800"', 1),
        ("a = " + "[" * 200 + "]" * 200, 1),
        ("a = {b = 1", 1),
        ("[[a]]\nx=1\n[[a.b]]\n[a]\nb = 1", 5),
    ],
)
def test_what_is_no_toml_names_file_and_line(text: str, line: int) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read_toml(text, "50-file")
    assert refused.value.on == f"50-file, line {line}"


@given(st.text())
def test_any_text_comes_back_from_its_string(text: str) -> None:
    assert read_toml(f"a = {toml_string(text)}\nb = 'end'", "file") == {"a": text, "b": "end"}


@given(st.text(max_size=200))
def test_no_input_makes_it_fail_otherwise(text: str) -> None:
    try:
        read_toml(text, "file")
    except InvalidInputError:
        return


TOML_VALUES = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcXYZ_-09", min_size=1), inner, max_size=4),
    max_leaves=10,
)


def written(value: t.Any) -> str:
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return "{" + ", ".join(f"{key} = {written(one)}" for key, one in value.items()) + "}"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib exists since Python 3.11")
@given(st.dictionaries(st.text("abcXYZ_-09", min_size=1), TOML_VALUES, max_size=4))
def test_the_standard_library_reads_the_same(document: dict[str, t.Any]) -> None:
    tomllib = importlib.import_module("tomllib")

    text = "\n".join(f"{key} = {written(value)}" for key, value in document.items())
    assert read_toml(text, "file") == tomllib.loads(text) == document
