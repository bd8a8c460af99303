# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive of this collection, small wheels, and a builder of kits."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import tempfile
import typing as t
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.kit.bare_laptop import NOBODY, namespaces_lack
from ansible_collections.fieldops.openshift.tests.integration.kit.small_wheels import small_index
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, finish_play, start_play

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 1200
"""A kit for all laptops has more than a hundred wheels of an index that may be far away."""


@dataclass
class KitBuilder:
    """Builds kits in ``path`` as a user does; ``settings`` are options of the module."""

    folder: Path
    path: Path
    environment: dict[str, str]
    settings: dict[str, t.Any] = field(default_factory=dict)

    @property
    def index(self) -> Path:
        """Return the folder of small wheels."""
        return Path(self.environment["PIP_FIND_LINKS"])

    def build(self, *words: str, **more: t.Any) -> PlayRun:
        """Run the module and return what came of it."""
        self.folder.mkdir(exist_ok=True)
        options = {"path": str(self.path), "wait": True, "wait_timeout": SECONDS, **self.settings, **more}
        play = start_play(self.folder, {"fieldops.openshift.site_kit": options}, *words, **self.environment)
        return finish_play(self.folder, play, SECONDS)

    def made(self, **more: t.Any) -> dict[str, t.Any]:
        """Return the result of a build that has to succeed."""
        run = self.build(**more)
        assert not run.result.get("failed"), run.output
        return run.result


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of this collection."""
    folder = tmp_path_factory.mktemp("archive")
    subprocess.run(
        [BINARIES / "ansible-galaxy", "collection", "build", str(ROOT), "--output-path", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (built,) = folder.glob("*.tar.gz")
    return built


@pytest.fixture
def builder(tmp_path: Path, archive: Path) -> KitBuilder:
    return small_builder(tmp_path, archive)


@pytest.fixture(scope="session")
def small_kit(tmp_path_factory: pytest.TempPathFactory, archive: Path) -> Path:
    """A kit of small wheels, to be copied."""
    builder = small_builder(tmp_path_factory.mktemp("small"), archive)
    builder.made()
    return builder.path


@pytest.fixture
def made_builder(builder: KitBuilder, small_kit: Path) -> KitBuilder:
    """What has built a kit already."""
    shutil.copytree(small_kit, builder.path)
    return builder


def small_builder(folder: Path, archive: Path) -> KitBuilder:
    """Return what builds a kit of small wheels, for one Python on one architecture; the index is in the folder."""
    environment = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(small_index(folder / "index")),
        "XDG_STATE_HOME": str(folder / "state"),
    }
    settings = {"collection": str(archive), "pythons": ["3.12"], "architectures": ["x86_64"]}
    return KitBuilder(folder / "play", folder / "kit", environment, settings)


@pytest.fixture(scope="session")
def public_folder() -> Iterator[Path]:
    """A folder that all users can read: those of pytest belong to the user who runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="kit-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def kit_for(public_folder: Path, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """What builds a kit of real wheels for a Python on this machine, or with "" for all laptops, once."""
    if lack := namespaces_lack():
        pytest.skip(lack)
    made: dict[str, Path] = {}

    def build(python: str) -> Path:
        if python not in made:
            folder = tmp_path_factory.mktemp("real")
            one = {"pythons": [python], "architectures": [platform.machine()]} if python else {}
            path = public_folder / f"kit for {python or 'all'}"
            settings = {"collection": str(archive), **one}
            builder = KitBuilder(folder, path, {"XDG_STATE_HOME": str(folder / "state")}, settings)
            run = builder.build()
            if run.result.get("failed") and re.search("Connection|Could not find a version", run.result["msg"]):
                pytest.skip(f"no package index with wheels can be reached: {run.result['msg'][:300]}")
            assert not run.result.get("failed"), run.output
            made[python] = path
        return made[python]

    return build


@pytest.fixture
def home(public_folder: Path, tmp_path: Path) -> Iterator[Path]:
    home = public_folder / tmp_path.name
    home.mkdir()
    if os.geteuid() == 0:
        os.chown(home, NOBODY, NOBODY)
    yield home
    shutil.rmtree(home)
