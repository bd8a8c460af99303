# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a look at the boot images of 1000 MachineSets takes, and an update of them beside kubernetes.core.k8s.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.boot_images``. A real API server with
OpenShift's definitions. The peer is a loop of kubernetes.core.k8s over a sample, as playbooks do it today: it patches
an image that it was told, and neither finds the right one nor notes what was there; ours does both. Both are whole
plays; the start of ansible-playbook itself is measured too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import OLD, RIGHT, Site
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.peer_packages import peer_package
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images

MACHINE_SETS, SAMPLE = 1000, 50
ROUNDS = 5
GOAL_SECONDS, GOAL_TIMES = 3, 20


def main() -> None:
    """Print the look, its requests, and the seconds of an update for each MachineSet, ours and the peer's."""
    with ApiServer.start_openshift() as server, tempfile.TemporaryDirectory() as folder:
        server.rest.apply_all(boot_images.namespaces())
        site = Site(server)
        site.reset()
        site.add(*names(MACHINE_SETS // 10))
        few = _requests(site)
        site.add(*names(MACHINE_SETS))
        many = _requests(site)
        looks = [_look(site) for _round in range(ROUNDS)]
        print(f"a look at {MACHINE_SETS} MachineSets: {min(looks):.2f} s (goal: below {GOAL_SECONDS} s)")
        print(f"requests of a look: {few} at {MACHINE_SETS // 10}, {many} at {MACHINE_SETS} MachineSets")
        start = _play(site, Path(folder))
        theirs = (_play(site, Path(folder), **peer_task(site)) - start) / SAMPLE
        _require(site, SAMPLE)
        site.rest.apply_all(site.machine_set(name) for name in names(SAMPLE))
        ours = (_play(site, Path(folder), **our_task(site)) - start) / MACHINE_SETS
        _require(site, MACHINE_SETS)
    print(f"an ansible-playbook of no tasks: {start:.2f} s, left out of what follows")
    print(f"an update of one MachineSet: {ours * 1000:.1f} ms of {MACHINE_SETS}, with history")
    print(f"the same with kubernetes.core.k8s in a loop: {theirs * 1000:.1f} ms of {SAMPLE}, without")
    print(f"times faster: {theirs / ours:.0f} (goal: at least {GOAL_TIMES})")


def names(count: int) -> list[str]:
    """Return the names of so many MachineSets."""
    return [f"site-worker-{number:04}" for number in range(count)]


def our_task(site: Site) -> dict[str, t.Any]:
    """Return the task that brings all MachineSets to the right image."""
    options = {"kubeconfig": str(site.server.kubeconfig), "all": True, "vouched_images": [OLD]}
    return {"fieldops.openshift.boot_image": options}


def peer_task(site: Site) -> dict[str, t.Any]:
    """Return the task that patches the image of a sample, one call of the module for each."""
    value = {"ami": {"id": RIGHT}}
    definition = {"spec": {"template": {"spec": {"providerSpec": {"value": value}}}}}
    options = {
        "kubeconfig": str(site.server.kubeconfig),
        "state": "patched",
        "api_version": "machine.openshift.io/v1beta1",
        "kind": "MachineSet",
        "namespace": boot_images.MACHINE_API,
        "name": "{{ item }}",
        "definition": definition,
        "merge_type": ["merge"],
    }
    return {"kubernetes.core.k8s": options, "loop": names(SAMPLE)}


def _look(site: Site) -> float:
    """Return the seconds of one look with a client of its own, as a module has it."""
    began = time.perf_counter()
    found = site.look(vouched_images=[OLD])
    if found["summary"]["would_update"] != MACHINE_SETS:
        raise SystemExit("not everything was judged: these figures would say nothing")
    seconds = time.perf_counter() - began
    sys.stderr.write(f"a look: {seconds:.2f} s\n")
    return seconds


def _requests(site: Site) -> int:
    site.look()
    mark = site.server.audit.mark()
    site.look()
    return site.server.audit.count(mark)


def _require(site: Site, count: int) -> None:
    done = sum(image == RIGHT for image in site.images().values())
    if done != count:
        raise SystemExit(f"{done} of {count} were updated: these figures would say nothing")


def _play(site: Site, folder: Path, **task: t.Any) -> float:
    """Return the seconds of a play of one task, or of none."""
    tasks = [{"name": "Task", **task}] if task else []
    play = {"hosts": "localhost", "gather_facts": False, "connection": "local", "tasks": tasks}
    play["vars"] = {"ansible_python_interpreter": sys.executable}
    path = folder / "play.json"
    path.write_text(json.dumps([play]))
    collections = os.pathsep.join([str(COLLECTIONS), str(peer_package("kubernetes.core"))])
    environment = environment_for(folder, {"ANSIBLE_COLLECTIONS_PATH": collections})
    began = time.perf_counter()
    words = [str(BINARIES / "ansible-playbook"), "-i", "localhost,", str(path)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}")
    sys.stderr.write(f"{', '.join(task) or 'nothing'} on {site.server.url}: {seconds:.2f} s\n")
    return seconds


if __name__ == "__main__":
    main()
