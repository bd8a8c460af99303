# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The installer of a kit: verifies all of it, then installs it into a folder, without network and without root.

It is the entry of ``install.pyz``, which holds all modules that it imports. Nothing of the kit is executed or unpacked
before its checksums, and the proofs that were given, are right.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.installation import Installation
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_folder import (
    EXECUTION_ENVIRONMENT,
    PAGES,
    KitFolder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.laptop_python import find_python
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitLock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

FIND_PYTHON = """\
import shutil, subprocess
if sys.version_info < (3, 9):
    for minor in range(20, 8, -1):
        found = shutil.which("python3.%d" % minor)
        if found and subprocess.call([found, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            os.execv(found, [found] + sys.argv)
    sys.exit("This is Python %d.%d. Install Python 3.10 or later, and run the installer again." % sys.version_info[:2])
"""
"""What the installer runs first: even an old Python can, and leaves the work to a newer one."""
DEFAULT_FOLDER = "~/fieldops-openshift"
PREPARE_AND_UPDATE = (
    "venv/bin/ansible-playbook fieldops.openshift.prepare_site fieldops.openshift.update_site -e site_report=reports"
)
NO_PROOF = (
    "Neither --digest nor --key was given: the kit was compared with its own checksums only. Use it only if you trust "
    "the drive."
)


def main() -> None:
    """Install as the arguments say; end with status 1 and one sentence where that fails."""
    arguments = _arguments(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGHUP):
        # As for Ctrl+C: the program that runs now ends with the installer.
        signal.signal(number, signal.default_int_handler)
    try:
        _install(arguments)
    except FieldOpsError as error:
        raise SystemExit(str(error)) from error
    except KeyboardInterrupt as error:
        raise SystemExit("Interrupted. Run the same command again to continue.") from error


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="install.pyz",
        description="Install fieldops.openshift with ansible-core from this kit, without network and without root.",
        epilog="Run it again to repair an installation, or to update it from a newer kit.",
    )
    parser.add_argument("folder", nargs="?", default=DEFAULT_FOLDER, help="where to install; default: %(default)s")
    parser.add_argument("--digest", help="the digest of the kit that you received, sha256:...")
    parser.add_argument("--key", action="append", default=[], help="a file with a public key that signed the kit")
    parser.add_argument("--python", help="the Python to use; default: the newest one that the kit supports")
    return parser.parse_args(words)


def _install(arguments: argparse.Namespace) -> None:
    clock = SystemClock()
    kit = KitFolder(Path(sys.argv[0]).absolute().parent)
    digest = Digest.parse(arguments.digest) if arguments.digest else None
    keys = TrustedKeys.read(arguments.key)
    _say(f"Verifying the kit in {kit.path}")
    sums = kit.proved(digest, keys, clock)
    if digest is None and not keys:
        _say(NO_PROOF)
    installation = Installation(kit, sums, Path(arguments.folder).expanduser().absolute(), clock)
    lock = KitLock.from_document(installation.verified_lock())
    python = find_python(lock.targets, arguments.python, clock)
    with installation.held():
        if installation.is_complete(python):
            _say(f"{installation.folder} is already installed from this kit.")
        else:
            _say(f"Installing into {installation.folder} with {python}")
            installation.install(python, lock)
    _say(closing_words(installation.folder, kit.path, sums))


def closing_words(folder: Path, kit: Path, sums: t.Mapping[str, str]) -> str:
    """Return what to say in the end: the one command to go on with, and what else the kit holds."""
    lines = [
        "Continue with:",
        f"  cd {shlex.quote(str(folder))} && {PREPARE_AND_UPDATE}",
        "This uses the kubeconfig in KUBECONFIG or ~/.kube/config. To use another, add -e site_kubeconfig=FILE.",
    ]
    if f"{PAGES}/index.html" in sums:
        lines.append(f"Documentation: {kit / PAGES / 'index.html'}")
    if EXECUTION_ENVIRONMENT in sums:
        lines.append(f"Execution environment: podman load -i {shlex.quote(str(kit / EXECUTION_ENVIRONMENT))}")
    return "\n".join(lines)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
