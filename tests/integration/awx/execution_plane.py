# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The execution plane of AWX 24: receptor on a control node and on execution nodes, with TLS and signed work.

Jobs go through it as in awx/main/tasks/receptor.py: ``ansible-runner transmit`` on the control node, ``ansible-runner
worker`` on an execution node, and ``ansible-runner process`` of what it streams back. Instead of containers, each
execution node has a process namespace, which ends with it and in which nothing is known of other nodes' processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.network import free_port
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, Workspace
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

Json = dict[str, t.Any]
Words = list[str | Path]

CONTROL, EXECUTION = "control", ("execution-1", "execution-2")
TLS = "mesh"
WORK = "ansible-runner"
SECONDS = 300.0
KEY_BITS = "2048"


@dataclass(frozen=True)
class Programs:
    """Where the programs are: receptor itself, and those of the control node and of the execution environment."""

    receptor: Path
    control: Path
    environment: str
    """The PATH of execution nodes."""


@dataclass(frozen=True)
class Job:
    """A job of a job template: ``folder`` is its private data directory on the control node."""

    number: int
    folder: Path
    playbook: str

    @classmethod
    def create(cls, number: int, place: Path, playbook: Path, variables: Mapping[str, t.Any], kubeconfig: Path) -> Job:
        """Write what AWX writes for a job: the project, an inventory, the variables and the credential."""
        job = cls(number, place / f"job-{number}", f"playbooks/{playbook.name}")
        for name in ("env", "inventory"):
            (job.folder / name).mkdir(parents=True)
        shutil.copytree(playbook.parent, job.folder / "project/playbooks")
        shutil.copy(ROOT / "extensions/awx/site.cluster_nodes.yml", job.folder / "inventory")
        (job.folder / "env/kubeconfig").write_text(kubeconfig.read_text())
        given = {"awx_job_id": number, **variables}
        (job.folder / "env/extravars").write_text(json.dumps(given))
        environment = {
            "ANSIBLE_COLLECTIONS_PATH": str(COLLECTIONS),
            "ANSIBLE_HOME": str(job.place_of_work / "ansible"),
            "ANSIBLE_STDOUT_CALLBACK": "fieldops.openshift.site",
            "K8S_AUTH_KUBECONFIG": str(job.place_of_work / "env/kubeconfig"),
            "XDG_CACHE_HOME": str(job.place_of_work / "cache"),
        }
        (job.folder / "env/envvars").write_text(json.dumps(environment))
        return job

    @property
    def place_of_work(self) -> Path:
        """The private data directory on the execution node."""
        return self.folder.with_name(f"work-{self.number}")


@dataclass(frozen=True)
class Ending:
    """How a job ended for AWX; ``artifacts`` are those of ``set_stats``."""

    status: str
    output: str
    artifacts: Json = field(default_factory=dict)


class ExecutionPlane:
    """A control node and execution nodes, as processes of a workspace."""

    def __init__(self, workspace: Workspace, programs: Programs) -> None:
        self._workspace, self._programs, self._folder = workspace, programs, workspace.directory
        self._ports = {node: free_port("127.0.0.1") for node in EXECUTION}
        authority = [f"outcert={self._path('authority.crt')}", f"outkey={self._path('authority.key')}"]
        self._receptor("--cert-init", "commonname=mesh", f"bits={KEY_BITS}", *authority)
        _openssl("genrsa", "-out", self._folder / "signing.key", KEY_BITS)
        _openssl("rsa", "-in", self._folder / "signing.key", "-pubout", "-out", self._folder / "signing.pub")
        self._nodes: dict[str, LeashedProcess] = {}
        for node in EXECUTION:
            self.start(node)
        self._start(CONTROL, self._control_settings(), [])
        wait_for(lambda: self.reached() == set(EXECUTION), 60)

    def start(self, node: str) -> None:
        """Start an execution node, again after it was lost."""
        own = () if os.geteuid() == 0 else ("--map-root-user",)
        alone = ["unshare", *own, "--pid", "--fork", "--kill-child", "--mount-proc"]
        self._start(node, self._execution_settings(node), [*alone, "env", f"PATH={self._programs.environment}"])

    def lose(self, node: str) -> None:
        """Let an execution node lose its power."""
        self._nodes[node].kill()

    @contextlib.contextmanager
    def cut_off(self, node: str) -> t.Iterator[None]:
        """Let no message reach a node or come from it, while its jobs go on."""
        (receptor,) = _children(self._nodes[node].pid)
        os.kill(receptor, signal.SIGSTOP)
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(receptor, signal.SIGCONT)

    def reached(self) -> set[str]:
        """Return the execution nodes to which the control node knows a route."""
        with contextlib.suppress(subprocess.CalledProcessError):
            known = json.loads(self.receptorctl("status", "--json"))
            return set(known["RoutingTable"] or {}) & set(EXECUTION)
        return set()

    def receptorctl(self, *words: str, given: t.IO[bytes] | int = subprocess.DEVNULL) -> str:
        """Run receptorctl on the control node; raise CalledProcessError if it fails."""
        command: Words = [self._programs.control / "receptorctl", "--socket", self._socket(CONTROL), *words]
        done = subprocess.run(command, stdin=given, capture_output=True, text=True, check=True)
        return done.stdout

    def submit(self, node: str, job: Job, *, signed: bool = True) -> str:
        """Transmit a job to an execution node, and return the unit of work that it is there."""
        words: Words = ["transmit", job.folder, "--playbook", job.playbook, "--ident", str(job.number)]
        place = f"params=--private-data-dir={job.place_of_work} --delete"
        options = ["--node", node, "--tls-client", TLS, *(["--signwork"] if signed else []), "--param", place]
        with subprocess.Popen([self._programs.control / WORK, *words], stdout=subprocess.PIPE) as transmitter:
            assert transmitter.stdout
            said = self.receptorctl("work", "submit", WORK, *options, "--payload", "-", given=transmitter.stdout)
        found = re.search(r"Unit ID: (\w+)", said)
        assert found, said
        return found[1]

    def process(self, job: Job, unit: str) -> Ending:
        """Read what an execution node streams back until the job has ended there."""
        stream: Words = [
            self._programs.control / "receptorctl",
            "--socket",
            self._socket(CONTROL),
            "work",
            "results",
            unit,
        ]
        reader: Words = [self._programs.control / WORK, "process", job.folder, "--ident", str(job.number)]
        with subprocess.Popen(stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as streamed:
            try:
                done = subprocess.run(
                    reader, stdin=streamed.stdout, capture_output=True, text=True, timeout=SECONDS, check=False
                )
            finally:
                streamed.kill()
        return _ending(job.folder / "artifacts" / str(job.number), done.stdout + done.stderr)

    def run(self, node: str, job: Job) -> Ending:
        """Run a job to its end."""
        return self.process(job, self.submit(node, job))

    def status(self, unit: str) -> Json:
        """Return what the control node knows of a unit of work."""
        known: Json = json.loads(self.receptorctl("work", "list", "--unit_id", unit))
        return t.cast("Json", known.get(unit, known))

    def _start(self, node: str, settings: Sequence[Json], before: Sequence[str]) -> None:
        path = self._folder / f"{node}.yml"
        path.write_text(json.dumps(settings))
        self._nodes[node] = self._workspace.start(node, [*before, self._programs.receptor, "--config", path])

    def _control_settings(self) -> list[Json]:
        peers = [{"tcp-peer": {"address": f"localhost:{port}", "tls": TLS}} for port in self._ports.values()]
        return [
            *self._node(CONTROL),
            {"tls-client": {"name": TLS, **self._identity(CONTROL), "rootcas": self._path("authority.crt")}},
            {"work-signing": {"privatekey": self._path("signing.key"), "tokenexpiration": "1m"}},
            {"control-service": {"service": "control", "filename": self._socket(CONTROL)}},
            *peers,
        ]

    def _execution_settings(self, node: str) -> list[Json]:
        verified = {"clientcas": self._path("authority.crt"), "requireclientcert": True}
        worker = {"worktype": WORK, "command": WORK, "params": "worker", "allowruntimeparams": True}
        listener = {"bindaddr": "127.0.0.1", "port": self._ports[node], "tls": TLS}
        return [
            *self._node(node),
            {"tls-server": {"name": TLS, **self._identity(node), **verified}},
            {"work-verification": {"publickey": self._path("signing.pub")}},
            {"control-service": {"service": "control", "filename": self._socket(node), "tls": TLS}},
            {"tcp-listener": listener},
            {"work-command": {**worker, "verifysignature": True}},
        ]

    def _node(self, node: str) -> list[Json]:
        return [{"node": {"id": node, "datadir": self._path(f"{node}.data")}}, {"log-level": "info"}]

    def _identity(self, node: str) -> dict[str, str]:
        """Return a certificate for a node with its key, made when it starts for the first time."""
        pair = {"cert": self._path(f"{node}.crt"), "key": self._path(f"{node}.key")}
        if not Path(pair["cert"]).exists():
            names = [f"commonname={node}", "dnsname=localhost", f"nodeid={node}", f"bits={KEY_BITS}"]
            request = self._path(f"{node}.csr")
            self._receptor("--cert-makereq", *names, f"outreq={request}", f"outkey={pair['key']}")
            authority = [f"cacert={self._path('authority.crt')}", f"cakey={self._path('authority.key')}"]
            self._receptor("--cert-signreq", f"req={request}", *authority, f"outcert={pair['cert']}", "verify=yes")
        return pair

    def _receptor(self, *words: str) -> None:
        subprocess.run([self._programs.receptor, *words], capture_output=True, check=True)

    def _path(self, name: str) -> str:
        return str(self._folder / name)

    def _socket(self, node: str) -> str:
        return self._path(f"{node}.sock")


def kill_play(job: Job) -> None:
    """Kill the play of a job on its execution node, as the kernel does when memory runs out."""
    for process in processes_of(job):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def processes_of(job: Job) -> list[int]:
    """Return the processes of the play of a job."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            words = one.read_bytes()
            if b"ansible-playbook" in words and str(job.place_of_work).encode() in words:
                found.append(int(one.parent.name))
    return found


def _ending(folder: Path, output: str) -> Ending:
    events = [json.loads(path.read_text()) for path in (folder / "job_events").glob("*.json")]
    artifacts = [one["event_data"].get("artifact_data", {}) for one in events if one["event"] == "playbook_on_stats"]
    status = folder / "status"
    return Ending(status.read_text() if status.exists() else "error", output, *artifacts)


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *words], capture_output=True, check=True)
