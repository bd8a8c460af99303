# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Protect images from removal: write or remove our drop-in of CRI-O, and verify it with CRI-O."""

from __future__ import annotations

import contextlib
import os
import typing as t
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import move_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    reload_runtime,
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import staged_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import PinError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pins import (
    MAIN_FILE,
    DropIn,
    PinPlan,
    effective,
    pins_document,
    plan_pins,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.served import lacking_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import read_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

CONFIGURATION = "/etc/crio"
DROP_INS = f"{CONFIGURATION}/crio.conf.d"
UNFINISHED = f"{CONFIGURATION}/fieldops-pinned-images.new"
"""Our file before it is moved: CRI-O reads every file among the drop-ins, also half of one after a power cut."""
LOCK = "/run/fieldops-pinned-images.lock"
"""Held from the reading of our list to its writing: of two plays at once, each adds to what the other has written."""

PROOF_SECONDS = 30.0
_LOOK_AGAIN = 0.1


@dataclass(frozen=True)
class Pinning:
    """What was, or in check mode would be, changed."""

    changed: bool
    document: Mapping[str, t.Any]
    before: str
    after: str
    actions: tuple[Mapping[str, t.Any], ...]

    def as_result(self) -> Result:
        """Return what the module returns."""
        return Result(self.changed, {"pins": self.document}, self.actions, {"before": self.before, "after": self.after})


def read_drop_ins(host: Host) -> tuple[DropIn, ...]:
    """Return every file that configures CRI-O; raises InvalidInputError for one that is not TOML, FileAccessError."""
    base = host.path(DROP_INS)
    names = [str(Path(at, name).relative_to(base)) for at, _folders, files in os.walk(base) for name in files]
    files = (DropIn.read(name, _text(host, f"{DROP_INS}/{name}")) for name in sorted(names))
    return (DropIn.read(MAIN_FILE, _text(host, f"{CONFIGURATION}/crio.conf")), *files)


def pin(
    host: Host,
    add: Collection[str],
    *,
    exclusive: bool,
    check_mode: bool,
    deadline: Deadline,
    only_pinned: bool = False,
    present: RuntimeImages | None = None,
) -> Pinning:
    """Pin the images ``add`` in addition to all pinned images, and verify it; raises PinError.

    With ``exclusive`` our own list holds these alone afterwards. With ``only_pinned`` those that nothing pins yet do
    not count. ``present`` is what CRI-O has just listed.

    An image that the node neither has nor serves to itself is refused before anything is written: its pin would protect
    nothing. One that it pulls from its own bundle is kept from then on.
    """
    present = present if present is not None else runtime_images(host, deadline)
    if not only_pinned:
        _require_available(host, present, add, deadline)
    with _alone(host, check_mode=check_mode, deadline=deadline) as interrupted:
        if only_pinned:
            own = {one for file in read_drop_ins(host) for one in file.own or ()}
            add = [name for name in add if name in own or present.pinned.get(name)]
        plan = plan_pins(read_drop_ins(host), add, None if exclusive else ())
        pinning = _apply(host, plan, check_mode=check_mode, deadline=deadline, interrupted=interrupted)
    if check_mode or not (pinning.changed or present.unpinned(add)):
        return pinning
    if not pinning.changed:
        reload_runtime(host, deadline)
    _prove(
        host, lambda images: images.unpinned(add), "pin the images", "CRI-O does not report them as pinned", deadline
    )
    return pinning


def unpin(host: Host, remove: Collection[str] | None, *, check_mode: bool, deadline: Deadline) -> Pinning:
    """Remove ``remove``, or all, from our list; what other files pin stays pinned. Raises PinError."""
    with _alone(host, check_mode=check_mode, deadline=deadline) as interrupted:
        files = read_drop_ins(host)
        ours = {one for file in files for one in file.own or ()}
        plan = plan_pins(files, (), remove)
        pinning = _apply(host, plan, check_mode=check_mode, deadline=deadline, interrupted=interrupted)
    gone = (ours if remove is None else ours & set(remove)) - set(effective(read_drop_ins(host)))
    if pinning.changed and not check_mode:
        seen = "CRI-O still reports them as pinned; before 1.29.7 and 1.30.4, only a restart empties the list"
        _prove(host, lambda images: tuple(sorted(n for n in gone if images.pinned.get(n))), "unpin", seen, deadline)
    return pinning


@contextlib.contextmanager
def _alone(host: Host, *, check_mode: bool, deadline: Deadline) -> Iterator[bool]:
    """Lock our list, and return whether a process may have been killed between its change and the reload of CRI-O.

    Raises DeadlineExceededError while another process changes it.
    """
    if check_mode:
        yield False
        return
    gate = host.path(LOCK)
    interrupted = gate.exists()
    with locked(gate, deadline):
        try:
            yield interrupted
        finally:
            # Those who wait for the lock notice that its file is another one and start again.
            remove_file(gate)


def _require_available(host: Host, present: RuntimeImages, names: Collection[str], deadline: Deadline) -> None:
    lacking = set(present.lacking(names))
    settings = read_settings(host) if lacking else None
    if settings is not None:
        staged = {str(image.name): image for image in staged_images(host) if str(image.name) in lacking}
        lacking -= staged.keys() - set(lacking_images(host, settings, list(staged.values()), deadline))
    if lacking:
        raise PinError(
            "pin the images",
            on=listed(sorted(lacking)),
            seen=f"{len(lacking)} of {len(names)} images are not on this node",
            advice="Load them first, or serve the bundle that contains them. Nothing was changed.",
            partial={"lacking": sorted(lacking)},
        )


def _apply(host: Host, plan: PinPlan, *, check_mode: bool, deadline: Deadline, interrupted: bool) -> Pinning:
    target = host.path(f"{DROP_INS}/{plan.name}") if plan.name else None
    ours = [name for name in (plan.name, *plan.obsolete) if name and host.path(f"{DROP_INS}/{name}").exists()]
    before = _text(host, f"{DROP_INS}/{ours[0]}") if ours else ""
    changed = before != plan.content or bool(plan.obsolete)
    actions: list[Mapping[str, t.Any]] = []
    if changed:
        written = [{"action": "write", "path": f"{DROP_INS}/{plan.name}"}] if plan.name else []
        removed = [{"action": "remove", "path": f"{DROP_INS}/{name}"} for name in plan.obsolete]
        actions = [*written, *removed, {"action": "run", "argv": ["systemctl", "reload", "crio.service"]}]
    if changed and not check_mode:
        if target is not None:
            write_file(host.path(UNFINISHED), plan.content, mode=0o644)
            move_file(host.path(UNFINISHED), target)
        for name in plan.obsolete:
            remove_file(host.path(f"{DROP_INS}/{name}"))
    if (changed or interrupted) and not check_mode:
        reload_runtime(host, deadline)
    document = {**pins_document(read_drop_ins(host)), **({"own": list(plan.own)} if check_mode else {})}
    return Pinning(changed, document, before, plan.content, tuple(actions))


def _prove(
    host: Host,
    wrong: t.Callable[[RuntimeImages], Collection[str]],
    attempted: str,
    seen: str,
    deadline: Deadline,
) -> None:
    """Wait until CRI-O reports the requested state: its reload is asynchronous."""
    patience = deadline.within(PROOF_SECONDS)
    while True:
        # It validates its runtimes again before it looks at the pins.
        patience.pause(_LOOK_AGAIN)
        left = wrong(runtime_images(host, deadline))
        if not left or patience.expired:
            break
    if left:
        raise PinError(
            attempted,
            on=listed(left),
            seen=f"the file is in place and crio was reloaded, but {seen}",
            advice="Check the journal of crio and its other drop-in files.",
            partial={"changed": True, "wrong": sorted(left)},
        )


def _text(host: Host, path: str) -> str:
    found = host.path(path)
    with explained("read the file", found):
        # Links are followed, as CRI-O does; a main file may be absent.
        content = found.read_bytes() if found.exists() or path.startswith(DROP_INS) else b""
    return content.decode(errors="surrogateescape")
