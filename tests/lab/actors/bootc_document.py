# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of ``bootc status`` (crates/lib/src/spec.rs, docs/src/host-v1.schema.json), for the actor bootc.

Keys appear with the version that brought them. It runs on hosts of the lab beside ``bootc.py``, with Python's standard
library alone.
"""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

if t.TYPE_CHECKING or __package__:
    from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import (
        Deployment,
        Machine,
        Staged,
        has_local_changes,
        origin_value,
        reference_of,
    )
else:
    from bootc_machine import Deployment, Machine, Staged, has_local_changes, origin_value, reference_of

Json = dict[str, t.Any]


class StatusDocument:
    """Makes the document."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def document(self) -> Json:
        """Return the status document, keys as ``version`` has them."""
        machine = self.machine
        spec: Json = {"image": None, "bootOrder": "default"}
        status: Json = {"staged": None, "booted": None, "rollback": None, "rollbackQueued": False, "type": None}
        booted = None if machine.looks_like_container() else machine.booted()
        if booted is not None:
            self._fill(spec, status, booted)
        if machine.version >= (1, 9, 0):
            status["usrOverlay"] = None
        if machine.version >= (1, 15, 0):
            status["readOnly"] = False
        names = {"apiVersion": "org.containers.bootc/v1", "kind": "BootcHost", "metadata": {"name": "host"}}
        return {**names, "spec": spec, "status": status}

    def _fill(self, spec: Json, status: Json, booted: Deployment) -> None:
        staged, queued = self.machine.staged(), self.machine.is_rollback_queued()
        others = [one for one in self.machine.deployments() if one.name != booted.name]
        same = [one for one in others if one.stateroot == booted.stateroot]
        status["booted"] = self.entry(booted, booted)
        status["staged"] = self.entry(staged, booted) if staged else None
        status["rollback"] = self.entry(same[0], booted) if same else None
        status["rollbackQueued"] = queued
        rest = [self.entry(one, booted) for one in others if one not in same[:1]]
        if rest and self.machine.version >= (1, 3, 0):
            status["otherDeployments"] = rest
        source = status["staged"] or status["booted"]
        spec["image"] = source["image"] and source["image"]["image"]
        spec["bootOrder"] = "rollback" if queued else "default"
        status["type"] = "bootcHost" if status["booted"]["image"] else None

    def entry(self, one: Deployment | Staged, booted: Deployment) -> Json:
        """Return the BootEntry of a deployment."""
        incompatible = has_local_changes(one.origin)
        refspec = origin_value(one.origin, "container-image-reference")
        record = self.machine.image(one.checksum) if refspec and not incompatible else None
        image = None
        if refspec and record:
            image = {
                "image": reference_of(refspec),
                "version": record["version"],
                "timestamp": record["timestamp"],
                "imageDigest": record["digest"],
                "architecture": record["architecture"],
            }
        found: Json = {
            "image": image,
            "cachedUpdate": self._cached(one, image),
            "incompatible": incompatible,
            "pinned": False,
            "store": "ostreeContainer" if image else None,
            "ostree": {"stateroot": one.stateroot, "checksum": one.checksum, "deploySerial": one.serial},
            "composefs": None,
        }
        if self.machine.version >= (1, 7, 0):
            found["softRebootCapable"] = self.can_soft_reboot(one, booted)
        if self.machine.version >= (1, 12, 0):
            found["downloadOnly"] = isinstance(one, Staged) and one.locked
        return found

    def _cached(self, one: Deployment | Staged, image: Json | None) -> Json | None:
        """Return the update that was seen, which is kept with the commit and shown under each entry's own name."""
        seen = self._update_of(one.checksum)
        if image is None or not seen.exists():
            return None
        return {**json.loads(seen.read_text()), "image": image["image"]}

    def keep_update(self, checksum: str, update: Json | None) -> None:
        """Keep what the registry has instead of a commit, None for nothing newer."""
        path = self._update_of(checksum)
        path.parent.mkdir(parents=True, exist_ok=True)
        if update is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(json.dumps(update))

    def _update_of(self, checksum: str) -> Path:
        return self.machine.sysroot / "ostree/bootc" / f"update-of-{checksum}.json"

    def can_soft_reboot(self, one: Deployment | Staged, booted: Deployment) -> bool:
        """Whether kernel and kernel arguments are the same; whether the host can do it at all is not asked."""
        repo = f"--repo={self.machine.repo}"
        kernels = [
            self.machine.ostree(repo, "ls", "-R", "-C", checksum, "/usr/lib/modules", check=False)
            for checksum in (one.checksum, booted.checksum)
        ]
        return kernels[0] == kernels[1] and sorted(one.kargs) == sorted(booted.kargs)
