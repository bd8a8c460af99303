# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What systemd, CRI-O and curl do on a node below a temporary folder, kept in one file of it.

Sources: systemctl(1), systemd.mount(5), systemd.socket(5), cri-tools ``cmd/crictl``, CRI-O ``server/reload.go`` (what a
reload reads), ``image_pull.go`` (an image that is there is asked for again).
"""

from __future__ import annotations

import copy
import hashlib
import json
import typing as t
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError, CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import Mount, parse_mountinfo
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_images import read_drop_ins
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    record_path,
    storage_conf,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pins import effective
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import listed_stores
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import SLOT_PATHS, SLOTS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_units import UNITS, mount_unit
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import (
    DROP_INS,
    MIRRORS_PATH,
    SERVICE,
    SOCKET,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._node_images.do import kill_points

STATE = "/run/played-programs.json"
SERVED = ("/var/lib/fieldops/image-source/program.zip", "/var/lib/fieldops/image-source/settings.json")
LINKS = f"{UNITS}/multi-user.target.wants"
CRICTL_VERBS = ("images", "ps", "inspect", "pull", "rm")
NEW: dict[str, t.Any] = {
    "images": [],
    "pulls": {},
    "pinned": [],
    "stores": [],
    "mirrors": "",
    "units": {},
    "active": {},
    "mounts": {},
}


def host_run(
    host: Host, argv: Sequence[str], *, ok: Sequence[int] | None = (0,), stdin: bytes = b"", **_options: object
) -> CommandResult:
    """Do what ``Host.run`` does."""
    status, output = _Programs(host, stdin.decode()).run(argv)
    result = CommandResult(tuple(argv), status, output, "", 0.0)
    if ok is not None and status not in ok:
        raise CommandError(result)
    return result


def mounts_of(host: Host) -> tuple[Mount, ...]:
    """Do what ``read_mounts`` does."""
    mounted = _Programs(host, "").state["mounts"]
    lines = [
        f"{36 + number} 35 0:{number} / {target} ro - squashfs /dev/loop0 ro" for number, target in enumerate(mounted)
    ]
    return parse_mountinfo("\n".join(lines).encode())


@dataclass(frozen=True)
class _Programs:
    host: Host
    stdin: str

    @property
    def state(self) -> dict[str, t.Any]:
        path = self.host.path(STATE)
        found: dict[str, t.Any] = json.loads(path.read_text()) if path.exists() else copy.deepcopy(NEW)
        return found

    def run(self, argv: Sequence[str]) -> tuple[int, str]:
        state = self.state
        if MIRRORS_PATH in state["active"] and state["mirrors"] != self._mirrors():
            self._change(lambda state: self._configure(state, is_started=False))
        words = [word for word in argv[1:] if not word.startswith("-")]
        if argv[0] == "systemctl":
            return self._systemctl(argv, words[0], words[1:])
        if argv[0] == "crictl":
            return self._crictl(next(word for word in words if word in CRICTL_VERBS), words[-1])
        if argv[0] == "curl":
            return self._curl()
        if argv[0] == "umount":
            return self._change(lambda state: state["mounts"].pop(words[-1]))
        assert argv[0] in ("journalctl", "crio"), argv
        return 0, "Version: 1.34.0\n" if argv[0] == "crio" else ""

    def _change(self, change: Callable[[dict[str, t.Any]], object]) -> tuple[int, str]:
        with kill_points.program():
            state = self.state
            change(state)
            self.host.path(STATE).write_text(json.dumps(state, sort_keys=True))
        return 0, ""

    def _crictl(self, verb: str, name: str) -> tuple[int, str]:
        state = self.state
        if verb == "images":
            inside = [one for target, images in state["mounts"].items() if target in state["stores"] for one in images]
            names = sorted({*state["images"], *inside})
            return 0, json.dumps(
                {"images": [{"repoDigests": [one], "pinned": one in state["pinned"]} for one in names]}
            )
        if verb == "ps":
            pods = [path.stem for path in self.host.path("/etc/kubernetes/manifests").glob("*.json")]
            return 0, json.dumps({"containers": [_ended(pod) for pod in pods]})
        if verb == "inspect":
            return 0, json.dumps({"status": {"exitCode": 0}})
        return self._change(lambda state: _pull(state, name)) if verb == "pull" else (0, "")

    def _systemctl(self, argv: Sequence[str], verb: str, units: list[str]) -> tuple[int, str]:
        if verb == "is-active":
            return (0, "active") if units[0] in self.state["active"] else (3, "inactive")
        if verb == "show":
            return 0, self._shown(next(word for word in argv if word.startswith("--property=")), units)
        if verb == "reset-failed":
            return 0, ""
        return self._change(lambda state: self._do(state, verb, units, is_now="--now" in argv))

    def _do(self, state: dict[str, t.Any], verb: str, units: list[str], *, is_now: bool) -> None:
        if verb == "daemon-reload":
            state["units"] = self._files()
        for unit in units:
            if verb in ("enable", "disable"):
                self._link(unit, is_there=verb == "enable")
            if unit == "crio.service":
                self._configure(state, is_started=verb == "restart")
            elif verb == "start" or (verb == "enable" and is_now):
                self._start(state, unit)
            if verb == "stop" or (verb == "disable" and is_now):
                state["active"].pop(unit, None)
                state["mounts"].pop(_place(unit), None)

    def _start(self, state: dict[str, t.Any], unit: str) -> None:
        if _place(unit):
            record = json.loads(self.host.path(record_path(SLOT_PATHS.index(_place(unit)) + 1)).read_text())
            state["mounts"][_place(unit)] = record["images"]
        else:
            state["active"].setdefault(unit, state["units"][unit])

    def _configure(self, state: dict[str, t.Any], *, is_started: bool) -> None:
        state["pinned"] = sorted(effective(read_drop_ins(self.host)))
        state["mirrors"] = self._mirrors()
        if is_started:
            path, text = storage_conf(self.host)
            state["stores"] = list(listed_stores(text, path))

    def _mirrors(self) -> str:
        return "".join(sorted(one.read_text() for one in self.host.path(DROP_INS).glob("*.conf")))

    def _link(self, unit: str, *, is_there: bool) -> None:
        link = self.host.path(f"{LINKS}/{unit}")
        link.unlink(missing_ok=True)
        if is_there:
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(f"../{unit}")

    def _shown(self, asked: str, units: list[str]) -> str:
        if asked != "--property=LoadState,NeedDaemonReload,FragmentPath":
            return "inactive" if asked.endswith("ActiveState") else "Result=success"
        known, files = self.state["units"], self._files()
        said = [
            ("loaded", "no" if known.get(unit, files.get(unit)) == files.get(unit) else "yes", unit) for unit in units
        ]
        return "\n\n".join(f"LoadState={a}\nNeedDaemonReload={b}\nFragmentPath={UNITS}/{c}" for a, b, c in said)

    def _files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.host.path(UNITS).iterdir() if path.is_file()}

    def _curl(self) -> tuple[int, str]:
        """Answer as the image source, which the first client starts."""
        state = self.state
        if SOCKET not in state["active"]:
            return 7, ""
        if SERVICE not in state["active"]:
            files = hashlib.sha256(b"".join(self.host.path(path).read_bytes() for path in SERVED)).hexdigest()
            self._change(lambda state: state["active"].update({SERVICE: state["units"][SERVICE] + files}))
        return 0, "200\n" * self.stdin.count("url =") or "{}"


def _place(unit: str) -> str:
    return next((SLOT_PATHS[number - 1] for number in SLOTS if unit == mount_unit(number)), "")


def _pull(state: dict[str, t.Any], name: str) -> None:
    state["images"] = sorted({*state["images"], name})
    state["pulls"][name] = state["pulls"].get(name, 0) + 1


def _ended(pod: str) -> dict[str, t.Any]:
    return {"id": pod, "state": "CONTAINER_EXITED", "labels": {"io.kubernetes.pod.name": f"{pod}-node"}}
