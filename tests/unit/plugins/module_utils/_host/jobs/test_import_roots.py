# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The code of a job outlives the archive from which its module ran."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs import import_roots
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.import_roots import (
    extra_import_path,
    function_name,
    import_root,
    kept_roots,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.conftest import Pipe

TREE = import_root(import_roots.__name__)


class TestFunctionName:
    def test_of_a_function_and_a_static_method(self) -> None:
        assert function_name(sample_work.add) == f"{sample_work.__name__}:add"
        assert function_name(zipfile.ZipFile.open) == "zipfile:ZipFile.open"

    def test_of_what_another_process_could_not_import(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def inner() -> None:
            pass

        def moved() -> None:
            pass

        moved.__module__, moved.__qualname__ = "__main__", "moved"
        monkeypatch.setattr(sys.modules["__main__"], "moved", moved, raising=False)
        for function in (inner, moved, lambda: None):
            with pytest.raises(InvalidInputError, match="defined at the top of a module"):
                function_name(function)


def test_a_tree_is_used_where_it_is(tmp_path: Path) -> None:
    assert kept_roots([import_roots.__name__, sample_work.__name__], tmp_path / "code") == (TREE,)
    assert not (tmp_path / "code").exists()


def test_of_a_package_the_directory_above_it_counts() -> None:
    assert import_root("email") == import_root("email.message")


def test_an_archive_is_copied_privately(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "payload.zip", "w") as archive:
        archive.writestr("zipped_probe/__init__.py", "")
        archive.writestr("zipped_probe/work.py", "")
    monkeypatch.syspath_prepend(tmp_path / "payload.zip")
    (copy,) = kept_roots(["zipped_probe.work"], tmp_path / "code")
    assert copy.read_bytes() == (tmp_path / "payload.zip").read_bytes()
    assert (copy.stat().st_mode & 0o777, copy.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert import_root("zipped_probe") == tmp_path / "payload.zip"


def test_an_archive_that_is_gone_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "payload.zip", "w") as archive:
        archive.writestr("zipped_and_gone.py", "")
    monkeypatch.syspath_prepend(tmp_path / "payload.zip")
    assert import_root("zipped_and_gone") == tmp_path / "payload.zip"
    (tmp_path / "payload.zip").unlink()
    with pytest.raises(FileAccessError, match="copy the program of the job"):
        kept_roots(["zipped_and_gone"], tmp_path / "code")


def test_only_existing_directories_are_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", "relative", str(tmp_path), str(tmp_path / "gone"), str(tmp_path / "a.zip")])
    assert extra_import_path() == (str(tmp_path),)


MODULE = """
import sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._probe.work import Deadline, Host, SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._probe.work import wait_and_import
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
base, pipe, late = sys.argv[1:]
clock = SystemClock()
work = FunctionWork.of(wait_and_import, pipe=pipe, module=late)
status = Jobs(Host(clock), Path(base), systemd=False).start("job", work, deadline=Deadline(30, clock))
print(sys.modules[Jobs.__module__].__file__, status.state.value)
"""


def payload(path: Path) -> None:
    """Build what AnsiballZ builds: packages of regular modules from the tree, and nothing else of the collection."""
    util = Path("ansible_collections/fieldops/openshift/plugins/module_utils")
    rooms = (util / "_host", util / "_host/jobs", util / "_terms")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in (util / "_probe", *list((util / "_probe").parents)[:-1], *rooms):
            archive.writestr(f"{package}/__init__.py", "")
        for room in rooms:
            for source in (TREE / room).glob("*.py"):
                archive.write(source, room / source.name)
        archive.writestr(f"{util}/_probe/work.py", Path(sample_work.__file__).read_text())


def test_a_job_of_a_module_outlives_the_module_and_its_archive(
    jobs: Jobs, seconds: Callable[[float], Deadline], base: Path, tmp_path: Path, pipe: Pipe
) -> None:
    """The module runs from an archive only, its directory is removed at its end, and the job imports after that."""
    directory = tmp_path / "ansible_probe_payload"
    directory.mkdir()
    archive = directory / "ansible_probe_payload.zip"
    payload(archive)
    late = "ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space"
    start = f"import sys; sys.path.insert(0, {str(archive)!r})\n{MODULE}"
    argv = [sys.executable, "-I", "-c", start, str(base), pipe.path, late]
    said = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said.startswith(str(archive))
    shutil.rmtree(directory)
    pipe.release()
    status = jobs.wait("job", deadline=seconds(20))
    assert status is not None
    assert status.require_success() == os.fspath(
        base / "job/code/code-0.zip/ansible_collections/fieldops/openshift/plugins/module_utils/_host/free_space.py"
    )
    assert jobs.collect("job", deadline=seconds(20)) == status
    assert list(base.iterdir()) == []
