# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which stores the role use_image_store takes for those of earlier releases, in check mode.

The node is this machine with slots of its own below /var/lib and an empty CRI-O. That stores are really unmounted, and
kept while something runs from them, is tested on hosts in tests/integration/image_stores.
"""

from __future__ import annotations

import json
import re
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for

NODE_PYTHON = """#!/bin/sh
export PATH="{folder}/bin:$PATH"
exec unshare --mount sh -c 'mount -t overlay overlay -o lowerdir={folder}/lib:/var/lib /var/lib && exec "$@"' \\
  node {python} "$@"
"""
# As crictl answers where CRI-O has no image.
CRICTL = """#!/bin/sh
echo '{"images": []}'
"""
OLD, BASE, DELTA, AGAIN = (f"sha256:{digit * 64}" for digit in "1234")
FILES = {one: f"sha256:{one[-1] * 4}{'f' * 60}" for one in (OLD, BASE, DELTA, AGAIN)}
# Bundle, its version, the bundle whose store it is a delta over.
STORES = [(OLD, "4.20.9", ""), (BASE, "4.21.3", ""), (DELTA, "4.21.4", BASE), (AGAIN, "4.21.4", "")]


def record(bundle: str, version: str, base: str) -> dict[str, t.Any]:
    delta = {"base": FILES[base] if base else None, "depth": 1 if base else 0}
    kind = {"filesystem": "squashfs", "compression": "zstd", "unpacked_size": 9, "images": [], "proved": ""}
    return {"schemaVersion": 1, "index_digest": bundle, "version": version, "digest": FILES[bundle], "size": 9} | {
        **kind,
        **delta,
    }


def taken(folder: Path, **variables: t.Any) -> tuple[int, list[str], str]:
    """Return the status, the bundles whose stores would be removed, in their order, and what was said."""
    texts = {"bin/crictl": CRICTL, "bin/python": NODE_PYTHON.format(folder=folder, python=sys.executable)}
    for number, store in enumerate(STORES, 1):
        texts[f"lib/fieldops/stores/slot{number}.json"] = json.dumps(record(*store))
    role = {"name": "fieldops.openshift.use_image_store", "tasks_from": "remove_earlier"}
    given = {"use_image_store_nodes": ["worker-0"], "ansible_become": False, **variables}
    texts["play.yml"] = json.dumps(
        [{"hosts": "localhost", "gather_facts": False, "tasks": [{"include_role": role, "vars": given}]}]
    )
    node = {"ansible_connection": "local", "ansible_python_interpreter": str(folder / "bin/python")}
    texts["hosts.json"] = json.dumps({"all": {"hosts": {"worker-0": node}}})
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    command = ["--check", "-i", str(folder / "hosts.json"), str(folder / "play.yml")]
    done = run_ansible_playbook(command, environment_for(folder, {}))
    return done.returncode, re.findall(r"^changed: .*\(item=(sha256:\S+)\)", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("variables", "gone"),
    [
        pytest.param({"use_image_store_left_versions": ["4.20.9"]}, [OLD], id="one that was left"),
        pytest.param({"use_image_store_left_versions": ["4.20.9", "4.21.3"]}, [OLD], id="a delta lies over the other"),
        pytest.param({"use_image_store_left_versions": ["4.19.1"]}, [], id="one that is not there"),
        pytest.param({"use_image_store_index_digest": DELTA}, [OLD, AGAIN], id="all but a delta and its base"),
    ],
)
def test_which_stores_go(tmp_path: Path, variables: dict[str, t.Any], gone: list[str]) -> None:
    status, found, output = taken(tmp_path, **variables)
    assert (status, found) == (0, gone), output


@pytest.mark.long
def test_what_a_store_that_still_counts_as_mounted_lies_under_is_named_and_stays(tmp_path: Path) -> None:
    # In check mode the delta is still there when its base is looked at.
    status, found, output = taken(tmp_path, use_image_store_index_digest=AGAIN)
    assert (status, sorted(found)) == (0, [OLD, DELTA]), output
    assert "worker-0: " in output
    assert "the delta store of 4.21.4 use it" in output


def test_without_a_word_about_what_stays_nothing_goes(tmp_path: Path) -> None:
    status, found, output = taken(tmp_path)
    assert (status, found) == (2, []), output
    assert "Set the versions of earlier releases" in output
