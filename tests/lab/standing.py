# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Labs that stand until they are told to go: each is kept by a process of its own, and found by its name.

The keeper holds a lock on the file for as long as it lives, so that what the file says is never believed after it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import typing as t
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.actors.guard_controller import GuardController
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cache import cache_root, say
from ansible_collections.fieldops.openshift.tests.lab.control import ask, control_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.faults import BUNDLES
from ansible_collections.fieldops.openshift.tests.lab.interventions import Interventions
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.operated import OperatedLab, operated_lab
from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import RegistrySetup
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, workloads
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.workspace import sweep_abandoned

PROFILES = {"api": (3, 2), "default": (3, 2), "ha": (3, 2), "openshift": (1, 1), "single": (1, 0)}
"""Control-plane nodes and workers; ``openshift`` has its own operators, a registry and releases."""
HOSTED = ("ha", "single")  # profiles whose API goes where its hosts go
OPERATED = "openshift"
MODULE = "ansible_collections.fieldops.openshift.tests.lab"
NAME = "standing"
ABOVE = Path(__file__).absolute().parents[5]  # of ansible_collections
READY = "ready"
CONTROL = "control"


@dataclass(frozen=True)
class Shape:
    """What kind of lab: a profile and its numbers of nodes, with or without a registry that holds a small release.

    ``disk`` gives each host a file system of so many MiB for bundles, which can be full; with 0 it is the machine's.
    """

    profile: str
    control_plane: int
    workers: int
    registry: bool = False
    disk: int = 0

    @classmethod
    def of(
        cls, profile: str, control_plane: int | None, workers: int | None, *, registry: bool = False, disk: int = 0
    ) -> Shape:
        """Return a profile's shape, with other numbers where they are given."""
        usual = PROFILES[profile]
        return cls(
            profile,
            usual[0] if control_plane is None else control_plane,
            usual[1] if workers is None else workers,
            registry,
            disk,
        )

    @property
    def words(self) -> list[str]:
        """The shape as the command line has it."""
        words = [f"--{key.replace('_', '-')}={value}" for key, value in asdict(self).items() if key != "registry"]
        return [*words, *(["--registry"] if self.registry else [])]

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of hosts' own disks, in bytes."""
        return {BUNDLES: self.disk << 20} if self.disk else {}


@dataclass(frozen=True)
class Kept:
    """What a keeper keeps: a cluster, as far as it has them its hosts, and its releases."""

    cluster: ApiServer | Lab
    operated: OperatedLab | None = None


def up(shape: Shape, name: str = NAME) -> int:
    """Start a keeper in the background and return when its lab is ready."""
    command = [sys.executable, "-m", MODULE, "keep", f"--name={name}", *shape.words]
    keeper = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
    assert keeper.stdout
    if keeper.stdout.readline().decode().strip() != READY:
        return keeper.wait()
    print("\n".join(explanation(_standing(name))))
    return 0


def keep(shape: Shape, name: str = NAME) -> int:
    """Start a lab, say so, and keep it until SIGTERM."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    with _claim(name) as file:
        found = {"name": name, "pid": os.getpid(), "profile": shape.profile}
        _write(file, found)
        with _started(shape) as kept, _controlled(kept):
            _write(file, {**found, **_description(kept)})
            print(READY, flush=True)
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (1, 2):
                os.dup2(quiet, stream)
            signal.sigwait({signal.SIGTERM, signal.SIGINT})
        _file(name).unlink()
    return 0


def down(name: str = NAME) -> int:
    """End the standing lab, also one that is still starting; remove what is left of labs whose keepers were killed."""
    found = _standing(name)
    if found:
        keeper = os.pidfd_open(found["pid"])
        signal.pidfd_send_signal(keeper, signal.SIGTERM)
        select.select([keeper], [], [])
        os.close(keeper)
    swept = sweep_abandoned()
    _forget_killed()
    say(f"down{f', {len(swept)} abandoned labs removed' if swept else ''}" if found or swept else "nothing was up")
    return 0


def status(name: str = NAME) -> int:
    """Print what stands."""
    found = _standing(name)
    if "control" in found:
        found |= ask(Path(found["control"]), "state")
    print(json.dumps(found, indent=1))
    return 0 if found else 1


def run(words: Sequence[str], name: str = NAME, environment: Mapping[str, str] | None = None) -> t.NoReturn:
    """Become a command in the lab's network, which finds cluster, hosts and registry by its environment."""
    found = with_hosts(name)
    command = [*found["command"], *words]
    os.execvpe(command[0], command, {**os.environ, **found["environment"], **(environment or {})})


def tell(name: str, verb: str, **arguments: str) -> int:
    """Have the keeper of a lab do something, and print what it says."""
    print("\n".join(ask(Path(with_hosts(name)["control"]), verb, **arguments)))
    return 0


def with_hosts(name: str) -> dict[str, t.Any]:
    """Return what a lab's keeper wrote of it; raise LabError unless the lab is up and has hosts."""
    found = _standing(name)
    if "command" not in found:
        raise LabError("find a lab", on=name, seen="no lab with hosts is up", advice="Start one with 'up'.")
    return found


def explanation(found: dict[str, t.Any]) -> list[str]:
    """Return how to look around in a lab that is up: what follows the first line can be pasted into a shell."""
    lines = [f"lab '{found['name']}' is up at {found['url']}; it is left alone until it is taken down"]
    lines += [f"  export KUBECONFIG={found['kubeconfig']}", f"  {kubectl()} get nodes"]
    if "releases" in found:
        lines.append(f"  {kubectl()} get clusterversion,clusteroperators,machineconfigpools")
        lines.append(f"  # releases in the registry: {', '.join(found['releases'])}; it runs the first")
    for host in list(found.get("hosts", {}))[-1:]:
        login = shlex.join(["ssh", "-F", found["ssh_config"], host])
        lines += [f"  {login}", f"  {login} sudo crictl ps"]
    itself = f"PYTHONPATH={shlex.quote(str(ABOVE))} {shlex.join([sys.executable, '-m', MODULE])}"
    if "command" in found:
        lines.append(f"  {itself} run --name={found['name']} -- bash  # for plays: finds cluster, hosts and registry")
        lines.append(f"  {itself} --help  # to play, publish, break, repair, open a window; docs/lab.md says how")
    ending = "make lab-down" if found["name"] == NAME else f"{itself} down --name={found['name']}"
    return [*lines, f"  {ending}"]


@contextlib.contextmanager
def _started(shape: Shape) -> Iterator[Kept]:
    with contextlib.ExitStack() as started:
        if shape.profile == "api":
            server = started.enter_context(ApiServer.start_openshift())
            plant(server.rest, healthy_cluster(control_plane=shape.control_plane, workers=shape.workers))
            _furnish(server.rest)
            yield Kept(server)
            return
        kept = _with_hosts(started, shape)
        lab = t.cast("Lab", kept.cluster)
        masters = [name for name, host in lab.hosts.items() if host.identity.role == "master"]
        _furnish(lab.api.rest)
        workloads.plant(lab.api.rest, workloads.everyday(masters, pause_image().name))
        started.enter_context(GuardController(lab.api.rest, pause_image().name))
        yield kept


def _with_hosts(started: contextlib.ExitStack, shape: Shape) -> Kept:
    control_plane, workers, sizes = shape.control_plane, shape.workers, shape.sizes
    if shape.profile == OPERATED:
        operated = started.enter_context(operated_lab(control_plane=control_plane, workers=workers, sizes=sizes))
        return Kept(operated.lab, operated)
    registry = RegistrySetup(releases=[ReleaseSpec()]) if shape.registry else None
    hosted = shape.profile in HOSTED
    lab = Lab(control_plane=control_plane, workers=workers, hosted=hosted, registry=registry, sizes=sizes)
    return Kept(started.enter_context(lab))


@contextlib.contextmanager
def _controlled(kept: Kept) -> Iterator[None]:
    """Let other processes ask for interventions, where there are hosts."""
    if isinstance(kept.cluster, Lab):
        verbs = Interventions(kept.cluster, kept.operated).verbs
        with control_of(kept.cluster.workspace.directory / CONTROL, verbs):
            yield
    else:
        yield


def _furnish(client: RestClient) -> None:
    """Plant what a cluster has besides its nodes, so that there is something to look at."""
    client.apply_all(boot_images.namespaces())
    client.apply_all(
        [boot_images.coreos_bootimages(), boot_images.user_data(), boot_images.machine_set("baremetal", replicas=0)]
    )


def _description(kept: Kept) -> dict[str, t.Any]:
    lab = kept.cluster
    server = lab if isinstance(lab, ApiServer) else lab.api
    found: dict[str, t.Any] = {
        "url": server.url,
        "kubeconfig": str(server.kubeconfig),
        "directory": str(server.directory),
    }
    if isinstance(lab, Lab):
        found["ssh_config"] = str(lab.ssh_config)
        found["inventory"] = str(lab.inventory)
        found["control"] = str(lab.workspace.directory / CONTROL)
        found["hosts"] = {host.name: host.address for host in lab.hosts.values()}
        found |= {"command": lab.command([]), "environment": lab.environment}
    if kept.operated:
        found |= {"releases": kept.operated.names, "site": kept.operated.site_files}
    return found


def _file(name: str) -> Path:
    return cache_root() / f"{name}.lab.json"


def _claim(name: str) -> t.TextIO:
    """Open and lock the file of a lab that is to be."""
    path = _file(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        file = path.open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            advice = "Take it down first, use it, or give yours another --name."
            raise LabError("start a lab", on=name, seen="it is up", advice=advice) from error
        if path.exists() and path.samefile(f"/proc/self/fd/{file.fileno()}"):
            return file
        file.close()  # somebody has removed it in between


def _forget_killed() -> None:
    """Remove the files of keepers that were killed."""
    for path in cache_root().glob("*.lab.json"):
        with path.open() as file, contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _write(file: t.TextIO, found: dict[str, t.Any]) -> None:
    file.truncate(0)
    file.write(json.dumps(found))
    file.flush()


def _standing(name: str) -> dict[str, t.Any]:
    """Return what the keeper wrote, or nothing when there is no keeper."""
    try:
        file = _file(name).open()
    except FileNotFoundError:
        return {}
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            found: dict[str, t.Any] = json.loads(file.read() or "{}")
            return found
    return {}
