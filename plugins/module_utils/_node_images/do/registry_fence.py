# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The fence around a node written, taken away, and proved by CRI-O."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.container_runtime import (
    CRICTL,
    reload_runtime,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    staged_folder,
    staged_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ContainerRuntimeError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.registry_fence import (
    FENCE_FILE,
    fence_content,
    known_prefixes,
    prefixes_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host

MAIN_FILE = "/etc/containers/registries.conf"
DROP_INS = "/etc/containers/registries.conf.d"
STEP_SECONDS = 120.0

_PROOF_SECONDS = 20.0
_ATTEMPT_SECONDS = 40.0
_NOWHERE = f"sha256:{'0' * 64}"


@dataclass(frozen=True)
class Fence:
    """What was, or in check mode would be, changed."""

    changed: bool
    registries: tuple[str, ...]
    before: str
    after: str
    actions: tuple[Mapping[str, t.Any], ...]


def ensure_fence(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Fence:
    """Bring the fence into the state that the module's ``params`` ask for.

    Raises InvalidInputError, FileAccessError, ContainerRuntimeError.
    """
    deadline = Deadline(STEP_SECONDS, host.clock)
    path = host.path(f"{DROP_INS}/{FENCE_FILE}")
    before = (read_file(path) or b"").decode(errors="replace")
    registries = _registries(host, params) if params["state"] == "present" else ()
    after = fence_content(registries, known_prefixes(_rules(host))) if registries else ""
    changed = before != after
    verb = {"action": "write" if after else "remove", "path": f"{DROP_INS}/{FENCE_FILE}"}
    reload = {"action": "run", "argv": ["systemctl", "reload", "crio.service"]}
    if changed and not check_mode:
        if after:
            write_file(path, after)
        else:
            remove_file(path)
        reload_runtime(host, deadline)
    if after and not check_mode:
        _prove(host, registries[0], deadline)
    return Fence(changed, registries, before, after, (verb, reload) if changed else ())


def read_fence(host: Host) -> dict[str, t.Any]:
    """Return whether there is a fence, and what it blocks."""
    content = read_file(host.path(f"{DROP_INS}/{FENCE_FILE}"))
    blocked = known_prefixes({FENCE_FILE: content.decode(errors="replace")}) if content else set()
    return {"fenced": bool(blocked), "registries": sorted(blocked)}


def _registries(host: Host, params: Mapping[str, t.Any]) -> tuple[str, ...]:
    # As the beginning of a reference, each is checked like one: it becomes part of a file.
    found = {ImageReference.parse(f"{text}/x").name[: -len("/x")] for text in params["registries"]}
    if params["index_digest"]:
        digest = Digest.parse(params["index_digest"])
        index = staged_index(staged_folder(host, digest), digest)
        found |= prefixes_of(image.name for image in index.images)
    if not found:
        raise InvalidInputError(
            "put up a fence",
            on="registries, index_digest",
            seen="neither names a registry",
            advice="Give the registries, or the digest of the index of a staged bundle.",
        )
    return tuple(sorted(found))


def _rules(host: Host) -> dict[str, str]:
    base = host.path(DROP_INS)
    names = sorted(path.name for path in base.glob("*.conf")) if base.is_dir() else []
    paths = [MAIN_FILE, *(f"{DROP_INS}/{name}" for name in names if name != FENCE_FILE)]
    found: dict[str, str] = {}
    for path in paths:
        file = host.path(path)
        with explained("read the file", file):
            if file.exists():
                found[path] = file.read_bytes().decode(errors="replace")
    return found


def _prove(host: Host, registry: str, deadline: Deadline) -> None:
    """Let CRI-O try to pull what exists nowhere: only a fence makes it refuse before it asks anybody."""
    name = f"{registry}/fieldops-openshift/fence@{_NOWHERE}"
    asked = [*CRICTL, "pull", name]
    patience = deadline.within(_PROOF_SECONDS)
    while True:
        said = host.run(asked, deadline=deadline.within(_ATTEMPT_SECONDS), ok=None).stderr
        if "is blocked in" in said:
            return
        if patience.expired:
            raise ContainerRuntimeError(
                "prove the fence",
                on=registry,
                seen=f"CRI-O does not refuse to ask this registry: {said[-500:]}",
                advice=f"Look at the rules in {MAIN_FILE} and {DROP_INS}, and at the journal of crio.",
                partial={"changed": True},
            )
        patience.pause(0.5)
