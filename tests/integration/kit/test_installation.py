# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the drive to a play on a bare laptop: the real wheels, no route, no root, on every Python that is there."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitLock, KitTarget
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.tests.gates.interpreters import find_interpreter
from ansible_collections.fieldops.openshift.tests.integration.kit.bare_laptop import prefix_of, run_on_laptop
from ansible_collections.fieldops.openshift.tests.integration.kit.debian_laptop import HOME, KIT, DebianLaptop
from ansible_collections.fieldops.openshift.tests.lab.debian import suite_root

FIRST = "3.12"
PYTHONS = [FIRST, *(pytest.param(f"3.{minor}", marks=pytest.mark.long) for minor in (10, 11, 13, 14))]
LAST_CORE = {"3.10": "2.17.", "3.11": "2.19."}
"""The series of ansible-core that were the last ones for a Python; what is newest for the others moves on."""
PLAY = ["venv/bin/ansible-playbook", "fieldops.openshift.update_site", "--syntax-check"]
KILLS_THE_INSTALLER = """\
#!{python}
import os, signal, sys
if "venv" in sys.argv:
    os.makedirs(os.path.join(sys.argv[-1], "bin"))
    with open({pid!r}, "w") as file:
        file.write(str(os.getpid()))
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()
os.execv({python!r}, [{python!r}, *sys.argv[1:]])
"""


@dataclass(frozen=True)
class Laptop:
    """A laptop with one Python and a kit, and the folder of its user."""

    python: Path
    kit: Path
    home: Path

    @property
    def folder(self) -> Path:
        """Return where the kit is installed."""
        return self.home / "site of the customer"

    def install(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the installer of the kit."""
        return run_on_laptop(self.python, self.home, ["python3", self.kit / "install.pyz", self.folder, *words])

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder of the installation."""
        return run_on_laptop(self.python, self.home, words, cwd=self.folder)


@pytest.fixture
def laptop(kit_for: Callable[[str], Path], home: Path) -> Laptop:
    return laptop_with(FIRST, kit_for, home)


def laptop_with(version: str, kit_for: Callable[[str], Path], home: Path) -> Laptop:
    python = find_interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not on this machine")
    return Laptop(python, kit_for(version), home)


@pytest.mark.parametrize("version", PYTHONS)
def test_a_bare_laptop_runs_a_play_after_one_command(version: str, kit_for: Callable[[str], Path], home: Path) -> None:
    laptop = laptop_with(version, kit_for, home)
    ended = laptop.install()
    assert ended.returncode == 0, ended.stdout
    assert f"cd '{laptop.folder}' && venv/bin/ansible-playbook fieldops.openshift.prepare_site" in ended.stdout
    checked = laptop.run(*PLAY)
    assert checked.returncode == 0, checked.stdout
    assert "The inventory contains no nodes. Could not find credentials" in checked.stdout
    assert checked.stdout.splitlines()[-1] == (
        f"playbook: {laptop.folder}/collections/ansible_collections/fieldops/openshift/playbooks/update_site.yml"
    )
    lock = KitLock.from_document(json.loads((laptop.kit / "kit.json").read_text()))
    (core,) = (one for one in lock.of(KitTarget(version, platform.machine())) if one.name == "ansible-core")
    assert core.version.startswith(LAST_CORE.get(version, "2."))
    shown = laptop.run("venv/bin/ansible-playbook", "--version").stdout
    assert f"[core {core.version}]" in shown
    assert f"python version = {version}." in shown
    assert_second_run_changes_nothing(laptop)


@pytest.mark.long
def test_a_laptop_with_a_newer_python_than_this_machine(kit_for: Callable[[str], Path], tmp_path: Path) -> None:
    version = "3.14"
    laptop = DebianLaptop(suite_root("forky", (f"python{version}", f"python{version}-venv")))
    kit = kit_for(version)
    ended = laptop.run(kit, tmp_path, f"python{version}", f"{KIT}/install.pyz", f"{HOME}/site")
    assert ended.returncode == 0, ended.stdout
    run = "cd site && venv/bin/ansible-playbook --version && venv/bin/ansible-playbook"
    checked = laptop.run(kit, tmp_path, "sh", "-c", f"{run} fieldops.openshift.update_site --syntax-check")
    assert checked.returncode == 0, checked.stdout
    assert f"python version = {version}." in checked.stdout
    # The wheels that hold code of the machine.
    program = "import platform, yaml, cryptography, kubernetes; print(platform.machine(), yaml.__with_libyaml__)"
    seen = laptop.run(kit, tmp_path, "site/venv/bin/python", "-c", program)
    assert seen.stdout.split() == [platform.machine(), "True"], seen.stdout


def assert_second_run_changes_nothing(laptop: Laptop) -> None:
    (laptop.folder / "site.cluster_nodes.yml").write_text("all: {}\n")
    before = times_of(laptop.folder)
    again = laptop.install()
    assert again.returncode == 0
    assert "is already installed from this kit" in again.stdout
    assert times_of(laptop.folder) == before


@pytest.mark.long
def test_a_play_that_reads_the_cluster_begins_in_the_view_of_the_site(laptop: Laptop) -> None:
    """The configuration of the installation is found, and with it the callback; all libraries can be imported."""
    assert laptop.install().returncode == 0
    play = laptop.run("venv/bin/ansible-playbook", "fieldops.openshift.show_site_status")
    assert "TASK [" not in play.stdout
    assert "Could not find credentials for the Kubernetes API" in play.stdout
    assert "Ended after" in play.stdout


@pytest.mark.long
def test_what_was_removed_from_an_installation_is_there_again(laptop: Laptop) -> None:
    assert laptop.install().returncode == 0
    (laptop.folder / "ansible.cfg").write_text("[defaults]\ncollections_path = collections\nforks = 7\n")
    for package in laptop.folder.glob("venv/lib/python*/site-packages/ansible"):
        shutil.rmtree(package)
    again = laptop.install()
    assert again.returncode == 0, again.stdout
    assert "Installing into" in again.stdout
    assert laptop.run(*PLAY).returncode == 0
    assert "forks = 7" in (laptop.folder / "ansible.cfg").read_text()


@pytest.mark.long
def test_an_installation_that_was_killed_is_repaired_by_running_it_again(laptop: Laptop) -> None:
    wrapper = laptop.home / "python-that-kills"
    real, pid = f"{prefix_of(laptop.python)}/bin/python{FIRST}", laptop.home / "pid"
    wrapper.write_text(KILLS_THE_INSTALLER.format(python=real, pid=str(pid)))
    wrapper.chmod(0o755)
    killed = laptop.install("--python", str(wrapper))
    assert killed.returncode == -signal.SIGKILL
    assert (laptop.folder / "venv" / "bin").is_dir()
    assert not (laptop.folder / "installed.json").exists()
    left = ProcessIdentity.of(int(pid.read_text()))
    assert left.is_alive
    try:
        again = laptop.install()
        assert not left.is_alive
    finally:
        if left.is_alive:
            os.kill(left.pid, signal.SIGKILL)
    assert again.returncode == 0, again.stdout
    assert laptop.run(*PLAY).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.6", "3.7", "3.8", "3.9"])
def test_an_old_python_leaves_the_work_to_a_newer_one(version: str, kit_for: Callable[[str], Path], home: Path) -> None:
    """Without a newer one, it says what to install; it never ends with a trace."""
    python = find_interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not on this machine")
    laptop = Laptop(python, kit_for(FIRST), home)
    ended = laptop.install("--python", str(python))
    assert ended.returncode == 1
    assert "Traceback" not in ended.stdout
    assert re.search(r"Install Python 3\.10 or later|not for 3\.\d+ on|it does not start", ended.stdout)


def times_of(folder: Path) -> dict[str, int]:
    """Return when each file was last written, but for what Ansible keeps for itself and the lock."""
    own = {".ansible", ".kit.lock", "__pycache__"}
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() and not own & set(path.relative_to(folder).parts)
    }
