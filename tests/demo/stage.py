# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the stories take place: a lab with OpenShift's operators, a signed release, and a folder for site files."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import typing as t
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import DEPLOYMENT, VERSION
from ansible_collections.fieldops.openshift.tests.lab.operated import FOLLOWING, operated_lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

PODS_SECONDS = 300.0
COLLECTION = Path(__file__).resolve().parents[2]
VIEW = {"ANSIBLE_CONFIG": str(COLLECTION / "docs" / "examples" / "ansible.cfg")}
"""What makes a play look as it does for a technician."""


class StoryError(Exception):
    """A story did not go as it should; the text says where."""


@dataclass(frozen=True)
class Command:
    """A command and its whole environment."""

    argv: list[str]
    env: dict[str, str]


class Stage:
    """A lab with what both sides of the main job need: ``control_plane`` and ``workers`` nodes, a registry, keys.

    With ``hosted`` the control-plane nodes serve the API themselves.
    """

    def __init__(self, control_plane: int = 3, workers: int = 2, *, hosted: bool = False) -> None:
        self._control_plane, self._workers, self._hosted = control_plane, workers, hosted
        self._started = time.monotonic()
        self._closing = ExitStack()

    def __enter__(self) -> Stage:
        try:
            operated = operated_lab(control_plane=self._control_plane, workers=self._workers, hosted=self._hosted)
            self._operated = self._closing.enter_context(operated)
            self.lab, self.release = self._operated.lab, self._operated.releases[FOLLOWING]
            self.folder = self.lab.workspace.directory / "site"
            self.folder.mkdir()
        except BaseException:
            self._closing.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @property
    def releases(self) -> Mapping[str, Release]:
        """The releases in the registry, by version."""
        return self._operated.releases

    def publish(self, version: str) -> None:
        """Put one more release into the registry, which follows the newest one."""
        self._operated.publish(version)

    def tell(self, sentence: str) -> None:
        """Say what comes next, with the time since the start."""
        print(f"\n==> [{time.monotonic() - self._started:5.0f} s] {sentence}", flush=True)

    def command(self, playbook: str, variables: Mapping[str, t.Any]) -> Command:
        """Return the command by which a technician runs a playbook of the collection; it takes its time."""
        given = self.folder / f"{playbook}.json"
        given.write_text(json.dumps(variables, indent=1))
        program = str(Path(sys.executable).parent / "ansible-playbook")
        words = [program, f"fieldops.openshift.{playbook}", "-e", f"@{given}"]
        own = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "K8S_AUTH_"))}
        environment = {
            **own,
            **self.lab.environment,
            "ANSIBLE_COLLECTIONS_PATH": str(COLLECTION.parents[2]),
            "ANSIBLE_HOME": str(self.folder / "ansible"),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_DISPLAY_SKIPPED_HOSTS": "false",
            "ANSIBLE_NOCOLOR": "true",
            # On a machine with much to do, sudo takes longer than the default of 10 s.
            "ANSIBLE_TIMEOUT": "120",
        }
        return Command(self.lab.command(words), environment)

    def play(self, playbook: str, variables: Mapping[str, t.Any]) -> int:
        """Run a playbook in observation and return its exit status."""
        command = self.command(playbook, variables)
        print(f"    $ ansible-playbook fieldops.openshift.{playbook} -e @{playbook}.json", flush=True)
        environment = {**command.env, **VIEW}
        return subprocess.run(command.argv, env=environment, stdin=subprocess.DEVNULL, check=False).returncode

    def play_until(self, playbook: str, variables: Mapping[str, t.Any], has_come: Callable[[], bool]) -> bool:
        """Run a playbook in observation until a moment has come, and kill it there; return whether it came."""
        command = self.command(playbook, variables)
        environment = {**command.env, **VIEW}
        process = subprocess.Popen(command.argv, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None:
            if has_come():
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return True
            time.sleep(0.2)
        return False

    def worker_went_down(self) -> bool:
        """Whether a worker has gone down for its reboot."""
        return any(host.boots for host in self.lab.hosts.values() if host.identity.role == "worker")

    def wait_for_pods(self, node: str, since: str) -> float:
        """Wait until all nodes are ready and the pods of one were started anew; return how many seconds that took."""
        began = time.monotonic()
        self.lab.wait_ready(self.lab.hosts)
        while waiting := [one for one in self._pods(node) if not _runs_since(one, since)]:
            names = ", ".join(one["metadata"]["name"] for one in waiting)
            self.require(time.monotonic() - began < PODS_SECONDS, f"Pods of {node} do not run: {names}")
            time.sleep(0.2)
        return time.monotonic() - began

    def _pods(self, node: str) -> list[Json]:
        found: list[Json] = self.lab.api.rest.get("/api/v1/pods", fieldSelector=f"spec.nodeName={node}")["items"]
        return found

    def create_bundle(self) -> dict[str, t.Any]:
        """Return the variables of the connected side."""
        return {
            "site_bundle": str(self.folder / "usb"),
            "site_release": str(self.release.reference),
            "site_bundle_architecture": "x86_64",
            **self._operated.site_files,
        }

    def update_site(self, bundle: Path | None = None) -> dict[str, t.Any]:
        """Return what the technician was given: the USB drive, and by telephone the digest of its index."""
        drive = bundle or self.folder / "usb"
        index = (drive / INDEX_FILE).read_bytes()
        return {
            "site_bundle": str(drive),
            "site_bundle_digest": f"sha256:{hashlib.sha256(index).hexdigest()}",
            "site_pools": ["master", "worker"],
            "site_trusted_keys": [str(self._operated.trusted_key)],
            # The hosts' disk is this machine's, of which others may have taken more than a node's owner would allow.
            "site_keep_free_percent": 2,
        }

    def require(self, condition: bool, otherwise: str) -> None:
        """End the story unless ``condition`` holds."""
        if not condition:
            raise StoryError(otherwise)

    def images_on(self, node: str) -> dict[str, bool]:
        """Return the images in a node's container storage by ``repo@digest``, each with whether it is pinned."""
        listed = json.loads(self.lab.hosts[node].run("crictl", "images", "-o", "json"))
        return {name: image["pinned"] for image in listed["images"] for name in image["repoDigests"]}

    @property
    def image_names(self) -> list[str]:
        """The images of the release by the names that they must have on nodes."""
        return [str(one.reference.by_digest()) for one in self.release.images]

    def boots(self) -> dict[str, str]:
        """Return the boot that each host is in."""
        path = "/proc/sys/kernel/random/boot_id"
        return {name: host.run("cat", path).strip() for name, host in self.lab.hosts.items()}

    def rollout_journal(self) -> dict[str, str]:
        """Return the entries of the rollout's journal, by node."""
        found = self.lab.api.rest.get("/api/v1/namespaces/fieldops-openshift/configmaps")["items"]
        (journal,) = (one for one in found if one["metadata"]["name"].startswith("rollout-"))
        return {name: journal["data"][name] for name in self.lab.hosts if name in journal["data"]}

    def last_update(self) -> Json:
        """Return the newest entry of the cluster's history."""
        newest: Json = self.lab.api.rest.get(VERSION)["status"]["history"][0]
        return newest

    def version_operator_image(self) -> str:
        """Return the image that the version operator runs from."""
        image: str = self.lab.api.rest.get(DEPLOYMENT)["spec"]["template"]["spec"]["containers"][0]["image"]
        return image


def _runs_since(pod: Json, since: str) -> bool:
    """Whether a pod has ended, or all of its containers were started after an instant."""
    status = pod["status"]
    started = [one["state"].get("running", {}).get("startedAt", "") for one in status.get("containerStatuses", ())]
    return status["phase"] == "Succeeded" or (bool(started) and min(started) >= since)
