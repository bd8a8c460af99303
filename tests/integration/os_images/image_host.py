# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One host that boots OSTree deployments, without systemd: a root of its own, in namespaces of its own.

Everything below the module is real but the programs bootc and rpm-ostree, which are actors over the real ostree and
the real skopeo. A reboot is what it is to them: what is staged is finalized, /run is empty, there is another boot ID,
and the first deployment is the booted one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import typing as t
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.modules.os_image import SPEC
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_install import PROGRAMS, install
from ansible_collections.fieldops.openshift.tests.lab.cache import cache_root, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

START_SECONDS = 30.0
BIND = "mount --bind"
INSIDE = "/collections/ansible_collections/fieldops/openshift/tests/integration/os_images/in_host.py"
BYTECODE = "var/cache/python"
"""Where Python on a host keeps its bytecode: the same folder for every host, as Python starts hundreds of times."""
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "PYTHONPATH": "/collections",
    "PYTHONPYCACHEPREFIX": f"/{BYTECODE}",
}

DEFAULTS: dict[str, t.Any] = {name: option.get("default") for name, option in SPEC.options.items()}


def shared_bytecode() -> Path:
    """Return the folder of bytecode for hosts that see this checkout: bytecode names neither machine nor checkout."""
    folder = cache_root() / f"host-bytecode-{key_of([str(COLLECTIONS)])}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def copy_tree(source: Path, target: Path) -> None:
    """Copy a sysroot with its hard links and attributes."""
    target.mkdir(exist_ok=True)
    subprocess.run(["cp", "-a", f"{source}/.", str(target)], check=True)


@dataclass(frozen=True)
class Answer:
    """What a run of the module came to: the last step, or the error."""

    sentence: str = ""
    done: bool = False
    changed: bool = False
    objects: dict[str, t.Any] = field(default_factory=dict)
    actions: list[dict[str, t.Any]] = field(default_factory=list)
    diff: dict[str, t.Any] | None = None
    error: dict[str, t.Any] = field(default_factory=dict)

    @property
    def kinds(self) -> list[str]:
        """What was done to the deployments, the host's mark for a reboot and its timers left out."""
        return [one["action"] for one in self.actions if "reason" in one]

    @property
    def image(self) -> dict[str, t.Any]:
        """The deployments; an error is none of the answers that a test asks this of."""
        assert not self.error, self.error
        found: dict[str, t.Any] = self.objects["os_image"]
        return found


class ImageHost:
    """The host; a context manager. ``programs`` are the backends that it has, ``lower`` is the tree of its system.

    ``composefs`` names its root as composefs is named, which is what a soft reboot needs.
    """

    def __init__(
        self,
        registry: Registry,
        *,
        programs: tuple[str, ...] = ("bootc", "rpm-ostree"),
        lower: Path | None = None,
        composefs: bool = False,
    ) -> None:
        self._boots = 0
        self._root_source = "composefs" if composefs else "overlay"
        self._lower = lower or node_root()
        self._workspace = Workspace("os-image")
        self.folder = self._workspace.directory
        for name in ("upper", "work", "root", "sysroot", "containers", "shared"):
            (self.folder / name).mkdir()
        self.upper = self.folder / "upper"
        install(self.upper, bootc="bootc" in programs, rpm_ostree="rpm-ostree" in programs)
        rules = registry.mirror_rules(["quay.io"], by_digest_only=False)
        for path, content in {**registry.host_files, "/etc/containers/registries.conf.d/000-lab.conf": rules}.items():
            self.write(path, content)

    inside = INSIDE

    def __enter__(self) -> ImageHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the host and remove it."""
        self._workspace.close()

    def install(self, image: str) -> None:
        """Make the sysroot and boot the host for the first time."""
        self.boot_without_deployment()
        self.make_sysroot()
        self.run(f"/{PROGRAMS}/bootc.py", "internals", "install", image, interpreter="/usr/bin/python3")
        self.power_cut()

    def boot_without_deployment(self) -> None:
        """Boot what is no host of OSTree, as an installer does."""
        self._boot(None)

    def make_sysroot(self) -> None:
        """Make the empty sysroot."""
        for words in ("init-fs /sysroot", "os-init default"):
            self.run("/usr/bin/ostree", "admin", *words.split(), OSTREE_SYSROOT="/sysroot")
        self.run("/usr/bin/ostree", "--repo=/sysroot/ostree/repo", "config", "set", "sysroot.bootloader", "none")

    def first_boot(self) -> None:
        """Boot a host whose sysroot was put into its folder."""
        self._boot(self._first_deployment())

    def reboot(self) -> None:
        """Shut down cleanly and boot."""
        self.finalize()
        self.power_cut()

    def finalize(self) -> None:
        """Do what ostree-finalize-staged.service does at the shutdown."""
        self.run(f"/{PROGRAMS}/bootc.py", "internals", "finalize-staged", interpreter="python3", check=False)

    def soft_reboot(self) -> None:
        """Restart userspace in the root that was prepared: /run stays, the place where it was mounted too, empty."""
        self.finalize()
        self.run("umount", "/run/nextroot")
        self.write("/run/fieldops-actor/booted", self._first_deployment())

    def power_cut(self) -> None:
        """Lose what runs and what is in memory, and boot."""
        self._process.kill()
        self._boot(self._first_deployment())

    def run(self, *words: str, check: bool = True, stdin: str = "", interpreter: str = "", **environment: str) -> str:
        """Run a command on the host and return what it prints."""
        ended = self.ended(*([interpreter] if interpreter else []), *words, stdin=stdin, **environment)
        assert not check or ended.returncode == 0, f"{words}: {ended.stdout}{ended.stderr}"
        return ended.stdout

    def ended(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command on the host to its end, whatever that is."""
        started = self.started(*words, **environment)
        output, errors = started.communicate(stdin, timeout=120)
        return subprocess.CompletedProcess(words, started.returncode, output, errors)

    def started(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """Start a command on the host."""
        return subprocess.Popen(
            [*self.entrance(**environment), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def entrance(self, **environment: str) -> list[str]:
        """Return the words before a command that is to run on the host."""
        variables = [f"{name}={value}" for name, value in {**ENVIRONMENT, **environment}.items()]
        enter = [program("nsenter"), f"--target={self._pid}", "--mount", "--pid", "--root", "--wdns=/", "--"]
        return [*enter, "/usr/bin/env", "-i", *variables]

    def ask(self, *, check: bool = False, seconds: float = 120.0, once: bool = False, **options: t.Any) -> Answer:
        """Do what the module does with these options, step by step to its end."""
        order = self.order(check=check, seconds=seconds, once=once, **options)
        return Answer(**json.loads(self.run("python3", INSIDE, stdin=order)))

    @staticmethod
    def order(*, check: bool = False, seconds: float = 120.0, once: bool = False, **options: t.Any) -> str:
        """Return what ``in_host.py`` is told to do as the module does."""
        return json.dumps({"params": {**DEFAULTS, **options}, "check": check, "seconds": seconds, "once": once})

    def info(self, **options: t.Any) -> dict[str, t.Any]:
        """Do what the info module does."""
        order = {"info": {"backend": "auto", "details": True, "digest": None, **options}}
        found: dict[str, t.Any] = json.loads(self.run("python3", INSIDE, stdin=json.dumps(order)))
        return found

    def configure(self, **settings: t.Any) -> None:
        """Have the actors be of another version, or fail: see their configuration file."""
        self.write("/var/lib/fieldops-actor/config.json", json.dumps(settings))

    def write(self, path: str, content: str, mode: int = 0o644) -> None:
        """Put a file onto the host, as long as it is not running or the path is not in memory."""
        target = self._visible(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
        target.chmod(mode)

    def read(self, path: str) -> str | None:
        """Return the content of a file of the host, None without one."""
        found = self._visible(path)
        return found.read_text() if found.exists() else None

    def _visible(self, path: str) -> Path:
        root = Path(f"/proc/{self._pid}/root") if self._boots else self.upper
        return root / path.lstrip("/")

    @property
    def _pid(self) -> int:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return int(children[0])

    def _boot(self, deployment: str | None) -> None:
        self._boots += 1
        shared = self.folder / "shared"
        shutil.rmtree(shared)
        shared.mkdir()
        (shared / "boot_id").write_text(f"{uuid.uuid4()}\n")
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", self._script(deployment)]
        self._process = self._workspace.start(f"boot-{self._boots}", command)
        deadline = time.monotonic() + START_SECONDS
        while not (shared / "ready").exists():
            self._process.require_running()
            assert time.monotonic() < deadline, "the host did not start"
            time.sleep(0.01)

    def _script(self, deployment: str | None) -> str:
        here, root = self.folder, self.folder / "root"
        layers = f"lowerdir={self._lower},upperdir={self.upper},workdir={here}/work"
        lines = [
            f"mount -t overlay {self._root_source} -o {layers} {root}",
            f"mkdir -p {root}/sysroot {root}/collections {root}/var/lib/containers {root}/{BYTECODE}",
            f"{BIND} {here}/sysroot {root}/sysroot",
            f"rm -rf {root}/boot",
            f"ln -s sysroot/boot {root}/boot",
            f"{BIND} {here}/containers {root}/var/lib/containers",
            f"{BIND} -o ro {COLLECTIONS} {root}/collections",
            f"{BIND} {shared_bytecode()} {root}/{BYTECODE}",
            f"mount -t proc proc {root}/proc",
            f"mount --rbind /dev {root}/dev",
            f"mount -t tmpfs tmpfs {root}/run",
            f"{BIND} {here}/shared/boot_id {root}/proc/sys/kernel/random/boot_id",
            f"mkdir -p {root}/run/lab {root}/run/fieldops-actor",
            f"{BIND} {here}/shared {root}/run/lab",
        ]
        if deployment is not None:
            lines += [f"echo {deployment} > {root}/run/fieldops-actor/booted", f"touch {root}/run/ostree-booted"]
        return "\n".join([*lines, f"exec chroot {root} sh -c 'touch /run/lab/ready; exec sleep infinity'"])

    def _first_deployment(self) -> str:
        entries = [path.read_text() for path in (self.folder / "sysroot/boot/loader/entries").glob("*.conf")]
        first = max(entries, key=lambda text: int(text.partition("\nversion ")[2].split()[0]))
        link = next(word for word in first.split() if word.startswith("ostree=/"))
        return (self.folder / "sysroot" / link.removeprefix("ostree=/")).resolve().name
