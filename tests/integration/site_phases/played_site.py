# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site without hosts as its technician has it: the plays that are run, and what the objects of its cluster say."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import typing as t
from collections.abc import Iterator, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play, start_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

PLAYBOOKS = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks"
CONFIG = "/apis/config.openshift.io/v1"
VERSION = f"{CONFIG}/clusterversions/version"
MACHINE_CONFIGURATION = "/apis/machineconfiguration.openshift.io/v1"
POOLS = f"{MACHINE_CONFIGURATION}/machineconfigpools"
NODES = "/api/v1/nodes"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/fieldops-openshift/leases"
CONFIG_MAPS = "/api/v1/namespaces/fieldops-openshift/configmaps"
RECORDS = frozenset(
    f"/api/v1/configmaps fieldops-openshift {name}" for name in ("accepted-bundles", "release-readiness")
)
"""What plays write down of what they saw, which changes nothing of the cluster."""
OPEN = {"strategy": "RestrictiveUntil", "restrictiveUntil": "2020-01-01T00:00:00Z"}
CLOSED = {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00Z"}
SHOWN = {"ANSIBLE_SHOW_CUSTOM_STATS": "true"}
"""What a play has set for workflows is part of its output."""
SECONDS = 900.0


class PlayedSite:
    """A cluster and its technician, who has a bundle of the next release."""

    def __init__(self, server: ApiServer, bundle: WrittenBundle, folder: Path) -> None:
        self._server, self._folder, self._bundle = server, folder, bundle
        self.rest = server.rest
        self._playbook = "fieldops.openshift.update_site"
        self._words: list[str] = []
        release = bundle.index.releases[0]
        self.request = {"image": str(release.image), "version": release.version}

    def cordon(self, node: str, *, cordoned: bool = True) -> None:
        """Let a person cordon a node, or uncordon it."""
        self.rest.merge(f"{NODES}/{node}", {"spec": {"unschedulable": cordoned or None}})

    def take_this_machine_for(self, node: str, connection: str = "local") -> None:
        """Let what is delegated to a node run here, as who runs the test, or say that another connection is used."""
        reached = {
            "ansible_connection": connection,
            "ansible_become": False,
            "ansible_python_interpreter": sys.executable,
        }
        path = self._folder / "inventory.json"
        path.write_text(json.dumps({"all": {"hosts": {node: reached}}}))
        self._words = ["-i", str(path)]

    def take_images_as_proved(self, **said: t.Any) -> None:
        """Let the update believe that nodes hold the images: there are no hosts to ask.

        With ``said``, such as ``serving``, all nodes answer with it, in the words of node_info.
        """
        shutil.copytree(PLAYBOOKS, self._folder / "playbooks", dirs_exist_ok=True)
        held = {"staged": True, "ready": True, "lacking": [], "unserved": [], "unpinned": [], **said}
        names = [one["metadata"]["name"] for one in self.rest.get(NODES)["items"]] if said else []
        answers = [{"ansible_loop_var": "load_images_node", "load_images_node": name, **held} for name in names]
        known = {"name": "Take the images as proved", "ansible.builtin.set_fact": {"load_images_answers": answers}}
        (self._folder / "playbooks/tasks/prove_images.yml").write_text(json.dumps([known]))
        self._playbook = str(self._folder / "playbooks/update_site.yml")

    def take_images_as_brought(self, **said: t.Any) -> None:
        """Let the update only say to which nodes it would bring the images, and believe that they hold them."""
        self.take_images_as_proved(**said)
        told = {"name": "Say it", "ansible.builtin.debug": {"msg": "images for {{ play_node_names | join(' ') }}"}}
        (self._folder / "playbooks/tasks/bring_images.yml").write_text(json.dumps([told]))

    def abort(self) -> subprocess.CompletedProcess[str]:
        """Abort the update of the site."""
        return finish(self.start_abort())

    def start_abort(self) -> Play:
        """Start to abort the update of the site."""
        known = {"site_rollout": self.rollout, "site_kubeconfig": str(self._server.kubeconfig)}
        return self._play("fieldops.openshift.abort_rollout", known)

    @property
    def rollout(self) -> str:
        """The name that the update has as a rollout."""
        return f"update-{self.request['version']}-{self._bundle.index.digest.short}"

    def start(self, phases: Sequence[str], **variables: t.Any) -> Play:
        """Start the update of the site, these phases of it alone; ``variables`` that are None are not given."""
        known = {"site_kubeconfig": str(self._server.kubeconfig), **self.variables(phases), **variables}
        return self._play(self._playbook, {name: value for name, value in known.items() if value is not None})

    def variables(self, phases: Sequence[str]) -> Json:
        """Return what an update of the site with these phases is given."""
        return {
            "site_bundle": str(self._bundle.folder),
            "site_bundle_digest": str(self._bundle.index.digest),
            "site_phases": list(phases),
            "site_change_stanza": OPEN,
            "roll_nodes_settle": "never",
        }

    def rehearse(self, phases: Sequence[str], **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Run the update in check mode."""
        with self.check_mode():
            return self.update(phases, **variables)

    @contextlib.contextmanager
    def check_mode(self) -> Iterator[None]:
        """Run what is started meanwhile in check mode."""
        self._words.append("--check")
        try:
            yield
        finally:
            self._words.remove("--check")

    def prepare(self, **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Prepare the site, and write its variables to site.yml in the folder of its technician."""
        known = {"site_kubeconfig": str(self._server.kubeconfig), "site_file": self.site_file, **variables}
        return finish(self._play("fieldops.openshift.prepare_site", known))

    def rehearse_update(self, **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Forecast the update of the site."""
        known = {"site_kubeconfig": str(self._server.kubeconfig), **variables}
        return finish(self._play("fieldops.openshift.rehearse_site", known))

    @property
    def site_file(self) -> str:
        """The path of the file with the variables of the site."""
        return str(self._folder / "site.yml")

    def _play(self, playbook: str, known: Json) -> Play:
        command = [*self._words, playbook, "-e", json.dumps(known)]
        return start_ansible_playbook(command, environment_for(self._folder, SHOWN), self._folder)

    def update(self, phases: Sequence[str], **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Update the site, these phases of it alone, to their end."""
        return finish(self.start(phases, **variables))

    def node(self, name: str) -> Json:
        """Return a Node object."""
        return self.rest.get(f"{NODES}/{name}")

    def recorded(self, name: str) -> NodeRecord:
        """Return the record that the last rollout has left on a node."""
        record = NodeRecord.of(self.node(name))
        assert record is not None, f"{name} was not taken"
        return record

    def requested(self) -> Json:
        """Return which release the cluster is asked for."""
        request: Json = self.rest.get(VERSION)["spec"].get("desiredUpdate") or {}
        return request

    def is_paused(self, pool: str) -> bool:
        """Whether a pool is paused."""
        return bool(self.rest.get(f"{POOLS}/{pool}")["spec"].get("paused"))

    def pools(self) -> dict[str, tuple[bool, Json]]:
        """Return of each pool whether it is paused, and its annotations."""
        found = self.rest.get(POOLS)["items"]
        return {
            one["metadata"]["name"]: (one["spec"].get("paused", False), one["metadata"].get("annotations") or {})
            for one in found
        }

    def times_locked(self) -> int:
        """Return how often the lock of the cluster has been taken."""
        leases = self.rest.get(LEASES)["items"]
        return sum(1 + one["spec"].get("leaseTransitions", 0) for one in leases)

    def is_locked(self) -> bool:
        """Whether a job holds the lock of the cluster."""
        return any(one["spec"].get("holderIdentity") for one in self.rest.get(LEASES)["items"])

    def proved(self) -> dict[str, str]:
        """Return the phases of the nodes that the journal of the update has."""
        entries = {name: text for one in self.journals() for name, text in one["data"].items()}
        nodes = [one["metadata"]["name"] for one in self.rest.get(NODES)["items"]]
        return {name: json.loads(entries[name])["phase"] for name in nodes if name in entries}

    def journals(self) -> list[Json]:
        """Return the journals that the cluster keeps of rollouts."""
        found: list[Json] = self.rest.get(CONFIG_MAPS)["items"]
        return [one for one in found if one["metadata"]["name"].startswith("rollout-")]


def kill(process: Play) -> None:
    """Kill a started play with all that it has started, as a power cut does."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def finish(process: Play) -> subprocess.CompletedProcess[str]:
    """Wait for a started play."""
    try:
        output, _unused = process.communicate(timeout=SECONDS)
    finally:
        kill(process)
    return subprocess.CompletedProcess(process.args, process.returncode or 0, output)


def last_lines(run: subprocess.CompletedProcess[str], task: str = "Show the summary") -> list[str]:
    """Return what a play says at its end, in a task of that name, and print it for who reads the test's report."""
    return lines_shown(run.stdout, task)


def lines_shown(output: str, task: str) -> list[str]:
    """Return the same of the output of a play."""
    said = output.rpartition(f"{task}]")[2]
    shown, _end = json.JSONDecoder().raw_decode(said, said.index("{"))
    lines: list[str] = shown["msg"]
    print("\n".join(lines))
    return lines
