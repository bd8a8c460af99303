# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Playbooks and modules of this checkout on a lab that stands: as they are now, nothing is built or installed."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
import typing as t
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.tests.lab import standing
from ansible_collections.fieldops.openshift.tests.lab.cache import say
from ansible_collections.fieldops.openshift.tests.lab.control import ask
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private

PLAYBOOKS = Path(__file__).absolute().parents[2] / "playbooks"
WINDOWS = ("open", "closed", "none")
WINDOW = "lab-window"
HOURS = 4
GOVERNED = ("ClusterVersion.version", "MachineConfigPool.worker")


def play(playbook: str, words: Sequence[str], name: str = standing.NAME) -> t.NoReturn:
    """Become ``ansible-playbook`` with one of the collection's playbooks, or with a file, in a lab's network.

    Variables that follow from the lab come first: what is given in ``words`` has the last word.
    """
    found = standing.with_hosts(name)
    found |= ask(Path(found["control"]), "state")
    known = sorted(path.stem for path in PLAYBOOKS.glob("*.yml"))
    if playbook not in known and not Path(playbook).is_file():
        raise LabError("play", on=playbook, seen="no such file", advice=f"The collection has {', '.join(known)}.")
    chosen = f"fieldops.openshift.{playbook}" if playbook in known else playbook
    _ansible(found, "ansible-playbook", [chosen, *_given(found, playbook), *words])


def set_window(state: str, name: str = standing.NAME) -> t.NoReturn:
    """Let the cluster keep a policy whose window is ``open`` for hours, ``closed`` for days, or no policy: ``none``."""
    arguments = json.dumps(window(state, datetime.now(timezone.utc)))
    module = ["-m", "fieldops.openshift.change_policy", "-a", arguments]
    _ansible(standing.with_hosts(name), "ansible", ["localhost", *module])


def window(state: str, now: datetime) -> Json:
    """Return the arguments of the module ``change_policy`` for a state of the window."""
    asked: Json = {"name": WINDOW, "reason": f"the lab was asked for: {state}"}
    if state == "none":
        return {**asked, "state": "absent", "assignments": dict.fromkeys(GOVERNED)}
    later = (now + timedelta(days=2)).replace(hour=22, minute=0)
    opening = now - timedelta(minutes=1) if state == "open" else later
    weekly = {"frequency": "Weekly", "weekly": {"daysOfWeek": [f"{opening:%A}"], "interval": 1}}
    permit = {"recurrence": weekly, "startTime": f"{opening:%H:%M}", "duration": f"{HOURS}h"}
    stanza = {"strategy": "ByPolicy", "byPolicy": {"name": WINDOW}}
    spec = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
    return {**asked, "spec": spec, "assignments": dict.fromkeys(GOVERNED, stanza)}


def site_variables(found: Json, playbook: str) -> Json:
    """Return what a playbook of the main job needs to know of a lab: its newest release, and the bundle of that."""
    if "releases" not in found or playbook not in ("create_bundle", "update_site"):
        return {}
    version, release = [*found["releases"].items()][-1]
    bundle = Path(found["directory"]) / f"bundle-{version}"
    if playbook == "create_bundle":
        return {**found["site"], "site_bundle": str(bundle), "site_release": release}
    index = bundle / INDEX_FILE
    proof = {"site_bundle_digest": f"sha256:{hashlib.sha256(index.read_bytes()).hexdigest()}"} if index.exists() else {}
    # The hosts' disk is this machine's, of which others may have taken more than a node's owner would allow.
    trusted = {"site_trusted_keys": found["site"]["site_release_keys"]}
    return {"site_bundle": str(bundle), **trusted, "site_keep_free_percent": 2, **proof}


def _given(found: Json, playbook: str) -> list[str]:
    variables = site_variables(found, playbook)
    if not variables:
        return []
    file = Path(found["directory"]) / f"{playbook}.json"
    return ["-e", f"@{write_private(file, json.dumps(variables, indent=1))}"]


def _ansible(found: Json, program: str, words: Sequence[str]) -> t.NoReturn:
    say(shlex.join([program, *words]))
    environment = {
        "ANSIBLE_COLLECTIONS_PATH": str(standing.ABOVE),
        "ANSIBLE_HOME": str(Path(found["directory"]) / "ansible"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
    }
    standing.run([str(Path(sys.executable).with_name(program)), *words], found["name"], environment)
