# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster version operator: accepts or refuses a desired update, and carries an accepted one through.

Copies cluster-version-operator: pkg/validation/validation.go (which updates may be named), pkg/cvo/sync_worker.go
(loadUpdatedPayload: verify, fetch, then preconditions; condition ReleaseAccepted), pkg/cvo/updatepayload.go (a node
must hold the release image or be able to pull it), pkg/payload/precondition/clusterversion (Upgradeable guards minor
versions), pkg/cvo/status.go (history, Progressing, Failing), pkg/cvo/upgradeable.go (gates that an administrator has to
acknowledge). The order of what follows is that of run levels: most ClusterOperators first, machine-config last, which
waits for the pool of the control plane.
Not copied: the payload's manifests, channels, conditional updates.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, now, with_condition
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import ImageRuntime
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

CONFIG = "/apis/config.openshift.io/v1"
VERSION = f"{CONFIG}/clusterversions/version"
POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
OPERATORS_PER_STEP = 5
GATES = "/api/v1/namespaces/openshift-config-managed/configmaps/admin-gates"
ACKS = "/api/v1/namespaces/openshift-config/configmaps/admin-acks"


class ClusterVersionOperator(Actor):
    """Acts on the ClusterVersion.

    ``verify`` says why a release image (``repository@digest``) cannot be verified, or nothing if it can;
    ``version_of`` says which version it is, ``retrieve`` why no node of the control plane can get at it. ``trouble``
    says why an accepted update cannot go on. With ``gates`` it looks after acknowledgements.
    """

    watched = (f"{CONFIG}/clusterversions", f"{CONFIG}/clusteroperators", POOLS)

    def __init__(
        self,
        client: RestClient,
        verify: Callable[[str], str],
        version_of: Callable[[str], str] | None = None,
        retrieve: Callable[[str], str] | None = None,
        trouble: Callable[[], str] | None = None,
        *,
        gates: bool = False,
    ) -> None:
        super().__init__(client)
        self._verify = verify
        self._version_of = version_of
        self._retrieve = retrieve
        self._trouble = trouble
        self._gates = gates

    def step(self) -> None:
        """Decide on a new wish, or go on with an accepted one."""
        if self._gates:
            self._mind_gates(self.client.get(VERSION))
        cluster = self.client.get(VERSION)
        wish, status = cluster["spec"].get("desiredUpdate") or {}, cluster["status"]
        image, fault = _resolve(wish, status)
        if fault:
            return self._say(cluster, ("Invalid", True, "InvalidClusterVersion", fault))
        if image and image != status["desired"]["image"]:
            return self._consider(cluster, wish, image)
        if status["history"][0]["state"] == "Partial":
            return self._carry_on(cluster)
        return None

    def _consider(self, cluster: Json, wish: Json, image: str) -> None:
        version = wish.get("version") or (self._version_of(image) if self._version_of else "")
        subject = f'version="{version}" image="{image}"'
        refusal = self._payload_refusal(wish, image)
        if refusal:
            said = f"Retrieving payload failed {subject} failure: {refusal}"
            return self._say(cluster, ("ReleaseAccepted", False, "RetrievePayload", said))
        found = self._version_of(image) if self._version_of else version
        if found != version:
            failure = f"release image version {found} does not match the expected upstream version {version}"
            said = f"Verifying payload failed {subject} failure={failure}"
            return self._say(cluster, ("ReleaseAccepted", False, "VerifyPayloadVersion", said))
        refusal = "" if wish.get("force") else _precondition(cluster["status"], version)
        if refusal:
            said = (
                f'Preconditions failed for payload loaded {subject}: Precondition "ClusterVersionUpgradeable" failed '
            )
            return self._say(cluster, ("ReleaseAccepted", False, "PreconditionChecks", said + refusal))
        return self._accept(cluster, version, image, verified=not wish.get("force"))

    def _payload_refusal(self, wish: Json, image: str) -> str:
        refusal = "" if wish.get("force") else self._verify(image)
        if refusal:
            return f"The update cannot be verified: {refusal}"
        refusal = self._retrieve(image) if self._retrieve else ""
        return f"Unable to download and prepare the update: {refusal}" if refusal else ""

    def _accept(self, cluster: Json, version: str, image: str, *, verified: bool) -> None:
        status = cluster["status"]
        entry = {"state": "Partial", "version": version, "image": image, "startedTime": now(), "verified": verified}
        conditions = [one for one in status["conditions"] if one["type"] != "Invalid"]
        loaded = f'Payload loaded version="{version}" image="{image}"'
        conditions = with_condition(conditions, "ReleaseAccepted", True, "PayloadLoaded", loaded)
        conditions = with_condition(conditions, "Progressing", True, "", f"Working towards {version}")
        change = {
            "desired": {"version": version, "image": image},
            "history": [{**entry, "completionTime": None}, *status["history"]],
            "observedGeneration": cluster["metadata"]["generation"],
            "conditions": conditions,
        }
        self.client.request("PUT", f"{VERSION}/status", {**cluster, "status": {**status, **change}}, "application/json")

    def _mind_gates(self, cluster: Json) -> None:
        """Say that the cluster is upgradeable only when every gate is acknowledged."""
        acks = self.client.get(ACKS)["data"] if self.client.exists(ACKS) else {}
        closed = {key: text for key, text in self.client.get(GATES)["data"].items() if acks.get(key) != "true"}
        reason = "AdminAckRequired" if closed else "AsExpected"
        said = " ".join(closed[key] for key in sorted(closed))
        conditions = with_condition(cluster["status"]["conditions"], "Upgradeable", not closed, reason, said)
        if sorted(map(repr, conditions)) != sorted(map(repr, cluster["status"]["conditions"])):
            self.client.merge(f"{VERSION}/status", {"status": {"conditions": conditions}})

    def _carry_on(self, cluster: Json) -> None:
        trouble = self._trouble() if self._trouble else ""
        if trouble:
            return self._say(cluster, ("Failing", True, "UpdatePayloadFailed", trouble))
        if any(one["type"] == "Failing" and one["status"] == "True" for one in cluster["status"]["conditions"]):
            return self._say(cluster, ("Failing", False, "", ""))
        return self._go_on(cluster)

    def _go_on(self, cluster: Json) -> None:
        version = cluster["status"]["desired"]["version"]
        operators = self.client.get(f"{CONFIG}/clusteroperators")["items"]
        behind = [one for one in operators if _version(one) != version]
        early = [one for one in behind if one["metadata"]["name"] != "machine-config"]
        for operator in early[:OPERATORS_PER_STEP]:
            self._bring(operator, version)
        if early:
            return
        self._hand_out(version)
        master = self.client.get(f"{POOLS}/master")
        if behind and _has_arrived(master, rendered_name("master", version)):
            self._bring(behind[0], version)
        elif not behind:
            self._complete(cluster, version)

    def _hand_out(self, version: str) -> None:
        """Give every pool the configuration of this version, as the render controller does."""
        for pool in self.client.get(POOLS)["items"]:
            name = pool["metadata"]["name"]
            target = rendered_name(name, version)
            if pool["spec"]["configuration"]["name"] != target:
                self.client.apply_all(machine_configs(name, version)[-1:])
                self.client.merge(f"{POOLS}/{name}", {"spec": {"configuration": {"name": target}}})

    def _bring(self, operator: Json, version: str) -> None:
        path = f"{CONFIG}/clusteroperators/{operator['metadata']['name']}/status"
        self.client.merge(path, {"status": {"versions": [{"name": "operator", "version": version}]}})

    def _complete(self, cluster: Json, version: str) -> None:
        status = cluster["status"]
        done = {**status["history"][0], "state": "Completed", "completionTime": now()}
        conditions = with_condition(status["conditions"], "Progressing", False, "", f"Cluster version is {version}")
        conditions = with_condition(conditions, "Available", True, "", f"Done applying {version}")
        change = {"history": [done, *status["history"][1:]], "conditions": conditions}
        self.client.merge(f"{VERSION}/status", {"status": change})

    def _say(self, cluster: Json, said: tuple[str, bool, str, str]) -> None:
        conditions = cluster["status"]["conditions"]
        wanted = with_condition(conditions, *said)
        if sorted(map(repr, wanted)) != sorted(map(repr, conditions)):
            generation = cluster["metadata"]["generation"]
            change = {"conditions": wanted, "observedGeneration": generation}
            self.client.merge(f"{VERSION}/status", {"status": change})


def retrieval_by(runtime: ImageRuntime) -> Callable[[str], str]:
    """Return what fetches a release image onto a node that lacks it, and says why it cannot."""

    def retrieve(image: str) -> str:
        try:
            if not runtime.holds(image):
                runtime.pull(image)
        except LabError as error:
            return str(error)
        return ""

    return retrieve


def _resolve(wish: Json, status: Json) -> tuple[str, str]:
    """Return the image that is wished for, or why the wish is not a valid one."""
    if not wish or wish.get("image"):
        return wish.get("image", ""), ""
    known = [*(status.get("availableUpdates") or []), *status["history"]]
    images = [one["image"] for one in known if one["version"] == wish.get("version")]
    if images:
        return images[0], ""
    rule = "when image is empty the update must be a previous version or an available update"
    return "", f'spec.desiredUpdate.version: Invalid value: "{wish.get("version")}": {rule}'


def _precondition(status: Json, version: str) -> str:
    """Return why a minor update is not let through; patches always are."""
    if version.split(".")[:2] == status["desired"]["version"].split(".")[:2]:
        return ""
    for one in status["conditions"]:
        if one["type"] == "Upgradeable" and one["status"] == "False":
            return f'because of "{one["reason"]}": {one["message"]}'
    return ""


def _version(operator: Json) -> str:
    versions = operator.get("status", {}).get("versions", [])
    return next((str(one["version"]) for one in versions if one["name"] == "operator"), "")


def _has_arrived(pool: Json, target: str) -> bool:
    updated = any(one["type"] == "Updated" and one["status"] == "True" for one in pool["status"]["conditions"])
    return updated and pool["status"].get("configuration", {}).get("name") == target
