# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Set up the image source of a node, or remove it completely."""

from __future__ import annotations

import sys
import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    read_file,
    remove_file,
    write_file,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.program_archive import program_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import BUNDLES
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source import mirrors
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.other_machines import (
    CA_FILE,
    CREDENTIALS_FILE,
    OtherMachines,
    read_other_machines,
    require_site_answer,
    site_files,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import (
    ENABLED,
    MIRRORS_PATH,
    MIRRORS_SERVICE,
    SERVICE,
    SITE_SERVICE,
    SITE_SOCKET,
    SOCKET,
    units,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.program import main
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.served import is_listening
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import (
    SETTINGS_FILE,
    settings_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

PLACE = "/var/lib/fieldops/image-source"
PROGRAM = f"{PLACE}/program.zip"
PENDING = f"{PLACE}/restart-pending"
"""Exists from before the first file is written until all units were started with the files."""

UNITS = "/etc/systemd/system"
STEP_SECONDS = 120.0

_PYTHON = "/usr/bin/python3"
_SITE_UNITS = (SITE_SOCKET, SITE_SERVICE)
_ALL_UNITS = (SOCKET, SERVICE, MIRRORS_PATH, MIRRORS_SERVICE, *_SITE_UNITS)
_SECRET_FILES = (CREDENTIALS_FILE,)
_RELOAD = {"action": "run", "argv": ["systemctl", "reload", "crio.service"]}


def ensure_source(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Result:
    """Bring the image source into the state that the module's ``params`` ask for; without bundles there is none.

    Raises InvalidInputError, FileAccessError, CommandError, ContainerRuntimeError, ImageSourceError.
    """
    deadline = Deadline(STEP_SECONDS, host.clock)
    names = mirrors.repositories(host)
    if params["state"] == "absent" or not names:
        return _remove(host, deadline, check_mode=check_mode)
    settings = _settings(host, names, params, deadline)
    # Whatever cannot be read or planned is refused before anything is written.
    changes = mirrors.planned(host, settings, deadline)
    others = _others(host, params["other_machines"])
    enabled = (*ENABLED, SITE_SOCKET) if others is not None else ENABLED
    own = _own_files(host, settings, others)
    is_cut_off = host.path(PENDING).exists()
    outdated = [path for path, content in own.items() if is_cut_off or read_file(host.path(path)) != content]
    left = [] if others is not None else _site_side(host)
    is_on = is_listening(host, deadline, enabled)
    changed = bool(outdated or left) or not is_on or any(change.changed for change in changes)
    if changed and not check_mode:
        _remove_site_side(host, left, deadline)
        _start(host, {path: own[path] for path in outdated}, enabled, deadline)
        _require_answer(host, settings, deadline)
        if others is not None:
            require_site_answer(host, others, deadline)
        mirrors.apply(host, changes, deadline)
    files = tuple(change for change in changes if change.changed)
    actions = (*_removals(left), *_actions(outdated, is_on, enabled, files))
    objects = _objects(files, settings.blocked, names, serves_others=others is not None)
    diff = _difference(files, {path: own[path] for path in outdated}, left, listens=(is_on, True))
    return Result(changed, objects, actions, diff if changed else None)


def _settings(host: Host, names: Sequence[str], params: Mapping[str, t.Any], deadline: Deadline) -> MirrorSettings:
    blocked: tuple[str, ...] = ()
    if params["block_registries"] == "always":
        blocked = tuple(sorted({name.partition("/")[0] for name in names}))
    elif params["block_registries"] == "unreachable":
        blocked = mirrors.unreachable_registries(host, names, deadline)
    return MirrorSettings(params["port"], blocked)


def _others(host: Host, option: Mapping[str, t.Any] | None) -> OtherMachines | None:
    """Return who else must be served: without the option those that are served now."""
    if option is None:
        return read_other_machines(host)
    return OtherMachines.of(option) if option["state"] == "present" else None


def _own_files(host: Host, settings: MirrorSettings, others: OtherMachines | None) -> dict[str, bytes]:
    python = _PYTHON if host.is_mounted else sys.executable
    texts = units(python=python, program=PROGRAM, bundles=BUNDLES, port=settings.port)
    found = {
        PROGRAM: program_archive(main),
        SETTINGS_FILE: settings_document(settings),
        **{name: text.encode() for name, text in texts.items()},
        **(site_files(others, python=python, program=PROGRAM, bundles=BUNDLES) if others is not None else {}),
    }
    return {path if path.startswith("/") else f"{UNITS}/{path}": content for path, content in found.items()}


def _start(host: Host, outdated: Mapping[str, bytes], enabled: Sequence[str], deadline: Deadline) -> None:
    ensure_directory(host.path(PLACE))
    write_file(host.path(PENDING), "")
    for path, content in outdated.items():
        write_file(host.path(path), content, mode=0o600 if path in _SECRET_FILES else 0o644)
    _systemctl(host, "daemon-reload", deadline=deadline)
    for socket, service in ((SOCKET, SERVICE), _SITE_UNITS):
        if f"{UNITS}/{socket}" in outdated:
            _systemctl(host, "stop", service, socket, deadline=deadline, ok=None)
        elif outdated:
            _systemctl(host, "stop", service, deadline=deadline, ok=None)
    _systemctl(host, "enable", "--now", *enabled, deadline=deadline)
    remove_file(host.path(PENDING))


def _site_side(host: Host) -> list[str]:
    """Return what the node has of the side for other machines."""
    paths = (*(f"{UNITS}/{name}" for name in _SITE_UNITS), CREDENTIALS_FILE, CA_FILE)
    return [path for path in paths if host.path(path).exists()]


def _remove_site_side(host: Host, left: Sequence[str], deadline: Deadline) -> None:
    if not left:
        return
    _systemctl(host, "disable", "--now", *_SITE_UNITS, deadline=deadline, ok=None)
    for path in left:
        remove_file(host.path(path))
    _systemctl(host, "daemon-reload", deadline=deadline)
    _systemctl(host, "reset-failed", SITE_SERVICE, deadline=deadline, ok=None)


def _remove(host: Host, deadline: Deadline, *, check_mode: bool) -> Result:
    """First remove what sends clients to the source, then the source itself."""
    changes = [change for change in mirrors.planned(host, None, deadline) if change.changed]
    paths = [f"{UNITS}/{name}" for name in _ALL_UNITS]
    left = [path for path in (*paths, PLACE) if host.path(path).exists()]
    if (changes or left) and not check_mode:
        if left:
            _systemctl(host, "disable", "--now", MIRRORS_PATH, deadline=deadline, ok=None)
        mirrors.apply(host, changes, deadline)
        if left:
            _systemctl(host, "disable", "--now", SOCKET, SERVICE, *_SITE_UNITS, deadline=deadline, ok=None)
        for path in paths:
            remove_file(host.path(path))
        remove_tree(host.path(PLACE))
        if left:
            _systemctl(host, "daemon-reload", deadline=deadline)
            _systemctl(host, "reset-failed", SERVICE, MIRRORS_SERVICE, SITE_SERVICE, deadline=deadline, ok=None)
    changed = bool(changes or left)
    actions = (*_file_actions(tuple(changes)), *((_RELOAD,) if changed else ()), *_removals(left))
    diff = _difference(changes, {}, left, listens=(bool(left), False))
    return Result(changed, _objects(changes), actions, diff if changed else None)


def _objects(
    files: Sequence[mirrors.FileChange],
    blocked: Sequence[str] = (),
    repositories: Sequence[str] = (),
    *,
    serves_others: bool = False,
) -> dict[str, t.Any]:
    return {
        "blocked": list(blocked),
        "files": [one.path for one in files],
        "repositories": list(repositories),
        "serves_other_machines": serves_others,
    }


def _difference(
    files: Sequence[mirrors.FileChange],
    written: Mapping[str, bytes],
    removed: Sequence[str],
    *,
    listens: tuple[bool, bool],
) -> dict[str, t.Any]:
    """Return what changes of others' files, and which of our own are written again or removed: some hold keys."""
    before: dict[str, t.Any] = {one.path: one.before for one in files}
    after: dict[str, t.Any] = {one.path: one.after for one in files}
    for path in written:
        before[path], after[path] = "absent or different", "as requested"
    for path in removed:
        before[path], after[path] = "present", "absent"
    return {"before": {**before, "listens": listens[0]}, "after": {**after, "listens": listens[1]}}


def _require_answer(host: Host, settings: MirrorSettings, deadline: Deadline) -> None:
    """Verify that the source responds before any client is sent to it."""
    url = f"http://{settings.location}/v2/"
    asked = ["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--max-time", "30", url]
    ended = host.run(asked, deadline=deadline, ok=None)
    if ended.rc == 0 and ended.stdout == "{}":
        return
    journal = ["journalctl", f"--unit={SERVICE}", "--output=cat", "--no-pager", "--lines=12", "--no-hostname"]
    said = host.run(journal, deadline=deadline, ok=None).stdout.strip()
    seen = ended.stderr.strip() or repr(ended.stdout[:200])
    raise ImageSourceError(
        "start the image source",
        on=f"{url} on {host}",
        seen=f"it does not answer: {seen}; its journal: {said[-600:] or 'empty'}",
        advice=f"Free port {settings.port} or choose another one; 'systemctl status {SOCKET} {SERVICE}' shows more.",
    )


def _systemctl(host: Host, *words: str, deadline: Deadline, ok: tuple[int, ...] | None = (0,)) -> None:
    host.run(["systemctl", *words], deadline=deadline, ok=ok)


def _actions(
    outdated: list[str], is_on: bool, enabled: Sequence[str], files: tuple[mirrors.FileChange, ...]
) -> tuple[Mapping[str, t.Any], ...]:
    written = tuple({"action": "write", "path": path} for path in outdated)
    start = {"action": "run", "argv": ["systemctl", "enable", "--now", *enabled]}
    started = (start,) if outdated or not is_on else ()
    return (*written, *started, *_file_actions(files), *((_RELOAD,) if files else ()))


def _removals(paths: Sequence[str]) -> tuple[Mapping[str, t.Any], ...]:
    return tuple({"action": "remove", "path": path} for path in paths)


def _file_actions(files: tuple[mirrors.FileChange, ...]) -> tuple[Mapping[str, t.Any], ...]:
    return tuple({"action": "write" if one.after is not None else "remove", "path": one.path} for one in files)
