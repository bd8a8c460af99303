# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole way of a new user: a drive with a kit and a bundle, a bare laptop at a site, and the commands it prints.

The tests build on one another.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.gates.interpreters import find_interpreter
from ansible_collections.fieldops.openshift.tests.integration.kit.bare_laptop import (
    DRIVE,
    NOBODY,
    Plugged,
    laptop_command,
    laptop_environment,
    run_on_laptop,
)
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run
from ansible_collections.fieldops.openshift.tests.integration.terminal import Screen, Terminal, run_in_terminal
from ansible_collections.fieldops.openshift.tests.lab import kubeconfig
from ansible_collections.fieldops.openshift.tests.lab.browser import DARK, DESK, PHONE, Browser
from ansible_collections.fieldops.openshift.tests.lab.network import BRIDGE, PREFIX

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")]
VERSION = "3.12"
SECONDS = 1200.0
ECHO = re.compile(r"\x1b\[(?![\d;?]*[A-Za-z])|\x1b\[K")
"""What Ansible writes of the key that ends an answer; a terminal shows nothing of it."""
QUESTION = "person who built it:"
LAB = "-e site_keep_free_percent=2"
"""The disk of the hosts is that of this machine, of which others may have taken more than an owner would allow."""

DISK = "the kubelet removes images"
"""The warning that follows from that."""


@dataclass(frozen=True)
class Laptop:
    """A laptop that is plugged in at the site, with the drive."""

    python: Path
    home: Path
    plugged: Plugged

    def install(self, digest: str) -> str:
        """Run the installer of the kit on the drive, and return what it prints."""
        words = ["python3", str(DRIVE / "kit" / "install.pyz"), "--digest", digest]
        ended = run_on_laptop(self.python, self.home, words, plugged=self.plugged)
        assert ended.returncode == 0, ended.stdout
        return ended.stdout

    def type(self, line: str, size: tuple[int, int], digest: str, kept: Path) -> tuple[int, Screen, str]:
        """Run a line of the shell in a terminal, and enter the digest when that is asked for."""
        command = laptop_command(self.python, ["sh", "-c", line], self.home, self.plugged)
        environment = {**laptop_environment(self.python, self.home), "TERM": "xterm-256color"}
        typed = [0.0]

        def answer(text: str, terminal: Terminal) -> None:
            _before, asked, after = text.partition(QUESTION)
            # Ansible shows the question before it discards what was typed earlier: a person may have to type again.
            if asked and "> " not in after and time.monotonic() > typed[-1] + 2:
                typed.append(time.monotonic())
                terminal.type(f"{digest}\r")

        status, text = run_in_terminal(command, environment, self.home, size, answer, SECONDS)
        kept.write_text(text)
        screen = Screen(size[0])
        screen.write(ECHO.sub("", text))
        return status, screen, text


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage(control_plane=1, workers=1) as stage:
        yield stage


@pytest.fixture(scope="module")
def drive(stage: Stage, kit_for: Callable[[str], Path], public_folder: Path) -> Path:
    """A drive with a kit and a bundle, and nothing else; all can read it, as one that is formatted for all systems."""
    drive = public_folder / "drive"
    shutil.copytree(kit_for(VERSION), drive / "kit")
    built = run(stage.command("create_bundle", stage.create_bundle()))
    assert built.status == 0, built.output
    shutil.move(stage.folder / "usb", drive / stage.release.spec.version)
    subprocess.run(["chmod", "-R", "a+rX", drive], check=True)
    stage.lab.cut_registry()
    return drive


@pytest.fixture(scope="module")
def laptop(stage: Stage, drive: Path, public_folder: Path) -> Laptop:
    """A laptop whose user has got a kubeconfig."""
    python = find_interpreter(VERSION)
    assert python is not None
    home = public_folder / "technician"
    (home / ".kube").mkdir(parents=True)
    api = stage.lab.api
    kubeconfig.with_token(home / ".kube" / "config", api.inner_url, api.ca_file, api.admin_token)
    for path in (home, *home.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    network = str(stage.lab.network.namespace)
    return Laptop(python, home, Plugged(network, BRIDGE, f"{PREFIX}.200", str(drive), str(home)))


def digest_of(path: Path) -> str:
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


@pytest.fixture(scope="module")
def bundle_digest(stage: Stage, drive: Path) -> str:
    return digest_of(drive / stage.release.spec.version / INDEX_FILE)


def assert_readable(screen: Screen, text: str) -> None:
    """Assert that nothing stands in a terminal that only a programmer understands, and that no row is too long."""
    assert not re.findall(r"Traceback|TASK \[|PLAY \[|fatal:|\{'|\w\(\w+=|DEPRECATION", text), text
    assert [row for row in screen.rows if row.startswith("[WARNING]") and DISK not in row] == []
    assert [row for row in screen.overflows if row.startswith(("-- ", "> ", "  "))] == []


def test_what_the_installer_prints_updates_the_site(
    stage: Stage, laptop: Laptop, drive: Path, bundle_digest: str, tmp_path: Path
) -> None:
    before = stage.boots()
    printed = laptop.install(digest_of(drive / "kit" / "SHA256SUMS")).splitlines()
    line = printed[printed.index("Continue with:") + 1].strip()
    status, screen, text = laptop.type(f"{line} {LAB}", (80, 24), bundle_digest, tmp_path / "80")
    assert status == 0, text
    left = [row for row in screen.rows if row]
    assert "Nothing remains." in left
    assert left[-1].endswith(": done")
    assert_readable(screen, text)
    last = stage.last_update()
    assert (last["state"], last["image"]) == ("Completed", str(stage.release.reference.by_digest()))
    assert all(before[name] != boot for name, boot in stage.boots().items())


def test_the_report_can_be_read(laptop: Laptop, browser: Browser, tmp_path: Path) -> None:
    (page,) = (laptop.home / "fieldops-openshift" / "reports").glob("site-report-*.html")
    text = page.read_text()
    shutil.copy(page, tmp_path)
    assert [browser.measure(text, width) for width in (DESK, PHONE)] == [DESK, PHONE]
    assert [browser.violations(text), browser.violations(text, *DARK)] == [[], []]


def test_the_file_of_the_site_is_enough_for_the_next_run(laptop: Laptop, bundle_digest: str, tmp_path: Path) -> None:
    line = "cd fieldops-openshift && venv/bin/ansible-playbook fieldops.openshift.update_site -e @site.yml"
    status, screen, text = laptop.type(f"{line} {LAB}", (100, 30), bundle_digest, tmp_path / "100")
    assert status == 0, text
    assert "Everything is up to date; nothing was changed." in screen.rows
    assert_readable(screen, text)
