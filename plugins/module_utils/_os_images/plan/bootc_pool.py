# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A pool of bootc-operator and its nodes: who has the image, who has it staged, and what keeps the others from it.

Sources: bootc-operator ``api/v1alpha1``, ``internal/controller/rollout.go`` (classifyNode, findUnhealthySlots),
``internal/daemon/reconciler.go`` (classifyAction), its pull request 167, by which the digest of a list and that of the
node's own manifest both name the image, and 159, by which a node that does not come back is named by the pool alone.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

Object = dict[str, t.Any]

STANDINGS = ("booted", "staged", "staging", "rebooting", "pending", "degraded")
BOOTED, STAGED, STAGING, REBOOTING, PENDING, DEGRADED = STANDINGS
SLOT = "bootc.dev/in-reboot-slot"
"""Annotation of a BootcNode that the operator drains and reboots; it goes away when the node is ready again."""
OF_MACHINE_CONFIG_POOL = "machineconfiguration.openshift.io/machine-config-pool"
"""Label of a pool that the machine-config operator made, with the name of its MachineConfigPool: it keeps it paused."""
_OF_NODES, _OF_SECRET, _OF_SPEC = "NodeDegraded", "SecretError", "InvalidSpec"
"""Reasons of a degraded pool. Nodes say more themselves. Without the pull secret the rollout continues. With an
invalid spec the operator stops before it says which generation it looked at; of the image it names the one meant."""
_FELL_BACK = "it rebooted without the image, and stages it again"
_LATE = "it is not back after the rebootTimeoutSeconds of the pool"


@dataclass(frozen=True)
class PoolNode:
    """One node; ``said`` is what is wrong with it, ``is_stuck`` whether it was started and does not end by itself."""

    name: str
    standing: str
    booted: Mapping[str, t.Any]
    staged: Mapping[str, t.Any]
    is_in_slot: bool
    said: str
    is_stuck: bool

    @classmethod
    def of(cls, node: Mapping[str, t.Any], digest: str, late: Collection[str] = ()) -> PoolNode:
        """Return the progress of a BootcNode to the image with ``digest``.

        ``late`` are the nodes that the pool calls degraded.
        """
        status = node.get("status") or {}
        name, standing = node["metadata"]["name"], _standing(node, digest)
        is_in_slot = SLOT in (node["metadata"].get("annotations") or {})
        degraded = _condition(status, "Degraded")
        # The operator lets a node boot only when it has the image staged, and then it has it until it starts again.
        is_back = standing == STAGING and node["spec"].get("desiredImageState") == "Booted"
        own = str(degraded.get("message", "")) if degraded.get("status") == "True" else ""
        found = _FELL_BACK if is_back else _LATE if standing == REBOOTING and name in late else ""
        return cls(
            name,
            standing,
            status.get("booted") or {},
            status.get("staged") or {},
            is_in_slot,
            own or (found if is_in_slot else ""),
            is_in_slot and (standing == DEGRADED or bool(found)),
        )

    def as_data(self) -> Object:
        """Return it as module results show it."""
        images = {name: _shown(image) for name, image in (("booted", self.booted), ("staged", self.staged))}
        return {
            "name": self.name,
            "standing": self.standing,
            "in_reboot_slot": self.is_in_slot,
            "message": self.said,
            **images,
        }


@dataclass(frozen=True)
class BootcPool:
    """One pool; ``digest`` is that of the image that its nodes must have, empty where none is known.

    ``owner`` is the MachineConfigPool whose operator keeps it, ``said`` what bootc-operator complains of, and
    ``is_fault`` whether that ends the rollout.
    """

    name: str
    image: str
    digest: str
    is_paused: bool
    is_observed: bool
    owner: str
    said: str
    is_fault: bool
    nodes: Sequence[PoolNode]

    @classmethod
    def of(cls, pool: Mapping[str, t.Any], nodes: Sequence[Mapping[str, t.Any]], digest: str = "") -> BootcPool:
        """Return the progress of a BootcNodePool and its BootcNodes to the image with ``digest``.

        Without one it is what the pool names, or what the operator has found under its tag.
        """
        metadata, spec, status = pool["metadata"], pool["spec"], pool.get("status") or {}
        digest = digest or digest_of(spec["image"]["ref"]) or str(status.get("targetDigest", ""))
        is_observed = int(status.get("observedGeneration", 0)) >= int(metadata.get("generation", 0))
        degraded = _condition(status, "Degraded")
        reason = degraded.get("reason") if degraded.get("status") == "True" else ""
        message = str(degraded.get("message", ""))
        is_stopped = reason == _OF_SPEC and ("image ref" not in message or spec["image"]["ref"] in message)
        late = message.partition(": ")[2].split(", ") if reason == _OF_NODES else []
        own = [one for one in nodes if _is_owned(one, metadata)]
        return cls(
            metadata["name"],
            spec["image"]["ref"],
            digest,
            bool((spec.get("rollout") or {}).get("paused")),
            is_observed,
            str((metadata.get("labels") or {}).get(OF_MACHINE_CONFIG_POOL, "")),
            f"{reason}: {message}" if reason not in ("", _OF_NODES) else "",
            (is_observed or is_stopped) and reason not in ("", _OF_NODES, _OF_SECRET),
            sorted((PoolNode.of(one, digest, late) for one in own), key=lambda node: node.name),
        )

    def standing(self, standing: str) -> list[str]:
        """Return the names of the nodes that stand there."""
        return [node.name for node in self.nodes if node.standing == standing]

    @property
    def slots(self) -> list[str]:
        """The names of the nodes that the operator has started, and that are not back."""
        return [node.name for node in self.nodes if node.is_in_slot]

    @property
    def is_staged(self) -> bool:
        """Whether each node has the image, staged or booted; a pool that the operator has not looked at has none."""
        return self._all(BOOTED, STAGED)

    @property
    def is_booted(self) -> bool:
        """Whether each node has booted the image and is back."""
        return self._all(BOOTED) and not self.slots

    @property
    def fault(self) -> str:
        """What stops the operator: of the pool, or of nodes that it has started."""
        if self.is_observed and not self.nodes:
            return "its nodeSelector matches no node"
        broken = [f"{node.name}: {node.said}" for node in self.nodes if node.is_stuck]
        return "; ".join([*([self.said] if self.is_fault else []), *broken])

    @property
    def sentence(self) -> str:
        """Where it stands, in one line."""
        counts = {standing: self.standing(standing) for standing in STANDINGS}
        parts = [f"{len(names)} {standing}" for standing, names in counts.items() if names]
        told = f"pool {self.name}: of {len(self.nodes)} nodes {', '.join(parts) or 'none are known'}"
        paused = "; it is paused" if self.is_paused else ""
        said = f"; {self.said[:200]}" if self.said else ""
        return told + paused + said + "".join(f"; {node.name}: {node.said[:200]}" for node in self.nodes if node.said)

    def as_data(self) -> Object:
        """Return it as module results show it."""
        return {
            "name": self.name,
            "image": self.image,
            "digest": self.digest,
            "paused": self.is_paused,
            "machine_config_pool": self.owner,
            "message": self.said,
            "sentence": self.sentence,
            "nodes": [node.as_data() for node in self.nodes],
        }

    def _all(self, *standings: str) -> bool:
        return self.is_observed and bool(self.nodes) and all(node.standing in standings for node in self.nodes)


def pool_patch(pool: BootcPool, image: str, *, paused: bool) -> Object | None:
    """Return the merge patch by which ``pool`` has the image and is paused or not; None where it is so already.

    Both in one request: a pool that is open would begin with the image at once.
    """
    if (pool.image, pool.is_paused) == (image, paused):
        return None
    return {"spec": {"image": {"ref": image}, "rollout": {"paused": paused}}}


def wanted_image(text: str) -> tuple[str, str]:
    """Return the name by which an image is requested of a pool, and its digest; raise InvalidInputError without one."""
    reference = ImageReference.parse(text)
    if reference.digest is None:
        raise InvalidInputError(
            "assign an OS image to a pool of bootc-operator",
            on=text,
            seen="it is specified by a tag, which the operator resolves again at any time",
            advice="Specify it by digest: name@sha256:...",
        )
    return str(reference.by_digest()), str(reference.digest)


def digest_of(image: str) -> str:
    """Return the digest in the name of an image, empty without one."""
    return image.partition("@")[2]


def _standing(node: Mapping[str, t.Any], digest: str) -> str:
    status = node.get("status") or {}
    is_answered = int(status.get("observedGeneration", 0)) >= int(node["metadata"].get("generation", 0))
    # A condition about an earlier request does not apply to this one.
    is_asked = is_answered and digest_of(node["spec"]["desiredImage"]) == digest
    if is_asked and _condition(status, "Degraded").get("status") == "True":
        return DEGRADED
    if _is_image(status.get("booted"), digest):
        return BOOTED
    idle = _condition(status, "Idle")
    found = str(idle.get("reason", "")).lower()
    is_lost = found == STAGED and not _is_image(status.get("staged"), digest)
    is_on_its_way = is_asked and idle.get("status") == "False" and not is_lost
    return found if is_on_its_way and found in (STAGED, STAGING, REBOOTING) else PENDING


def _is_image(image: Mapping[str, t.Any] | None, digest: str) -> bool:
    """Whether a deployment has the image: bootc keeps the digest of a list in the name, and reports that of its own."""
    if not image or not digest:
        return False
    return digest in (image.get("imageDigest"), digest_of(image.get("image", "")))


def _is_owned(node: Mapping[str, t.Any], pool: Mapping[str, t.Any]) -> bool:
    return any(one.get("uid") == pool.get("uid") for one in node["metadata"].get("ownerReferences") or ())


def _condition(status: Mapping[str, t.Any], kind: str) -> Mapping[str, t.Any]:
    return next((one for one in status.get("conditions") or () if one.get("type") == kind), {})


def _shown(image: Mapping[str, t.Any]) -> Object:
    keys = {"image": "image", "digest": "imageDigest", "version": "version"}
    return {name: image.get(key, "") for name, key in keys.items()}
