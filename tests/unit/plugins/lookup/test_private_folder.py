# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A folder for secrets, which is ours alone or an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ansible.errors import AnsibleLookupError

from ansible_collections.fieldops.openshift.plugins.lookup import private_folder


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(private_folder, "MEMORY", tmp_path)
    return tmp_path


def paths_of(*names: str, **options: str) -> list[str]:
    return private_folder.LookupModule().run([*names], None, **options)


def path_of(name: str) -> str:
    return paths_of(name)[0]


def test_it_is_entered_by_this_user_alone_and_the_same_again(memory: Path) -> None:
    first = Path(path_of("serve-6a27f17afcd2"))
    (first / "token").write_text("secret")
    assert (first.parent, first.stat().st_mode & 0o777) == (memory, 0o700)
    assert path_of("serve-6a27f17afcd2") == str(first)
    assert (first / "token").exists()


def test_it_is_removed_with_what_is_in_it(memory: Path) -> None:
    first = Path(path_of("serve"))
    (first / "token").write_text("secret")
    assert paths_of("serve", "stage", state="absent") == [str(first), f"{first.parent}/fieldops-{os.geteuid()}-stage"]
    assert list(memory.iterdir()) == []


def test_a_play_does_not_remove_it_from_another(memory: Path) -> None:
    """Plays are processes: this one and the worker's, which is its own where nothing made it a worker."""
    script = f"""
import sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
from {private_folder.__name__} import LookupModule
import {private_folder.__name__} as lookup
lookup.MEMORY = Path({str(memory)!r})
print(LookupModule().run(["serve"]), flush=True)
input()
"""
    path = path_of("serve")
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == f"{[path]}\n"
        assert paths_of("serve", state="absent") == []
        assert Path(path).is_dir()
        other.communicate("\n")
    assert paths_of("serve", state="absent") == [path]


def test_a_link_of_that_name_is_refused_and_not_followed(memory: Path) -> None:
    (memory / "elsewhere").mkdir(mode=0o755)
    (memory / f"fieldops-{os.geteuid()}-serve").symlink_to(memory / "elsewhere")
    with pytest.raises(AnsibleLookupError, match="private_folder"):
        path_of("serve")
    assert (memory / "elsewhere").stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
def test_a_folder_of_another_user_is_refused(memory: Path) -> None:
    planted = memory / f"fieldops-{os.geteuid()}-serve"
    planted.mkdir()
    os.chown(planted, 65534, -1)
    with pytest.raises(AnsibleLookupError, match="it is owned by user 65534"):
        path_of("serve")


def test_there_are_two_states(memory: Path) -> None:
    with pytest.raises(AnsibleLookupError, match="state is 'gone', not present or absent"):
        paths_of("serve", state="gone")
    assert list(memory.iterdir()) == []


@pytest.mark.parametrize("name", ["", "../serve", "a/b", "a b"])
def test_a_name_is_no_path(memory: Path, name: str) -> None:
    with pytest.raises(AnsibleLookupError, match="is not a name"):
        path_of(name)
    assert list(memory.iterdir()) == []
