# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The door to the Kubernetes API: plain dictionaries in and out, by kind, name and namespace."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.actions import ActionLog
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED, Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import ClusterAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import (
    APPLY_TYPE,
    PATCH_TYPES,
    WRITE_VERBS,
    Call,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.listings import (
    Object,
    list_call,
    whole_listing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import PATIENCE, persist
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.transport import READ_TIMEOUT, Transport
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import FIELD_MANAGER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import POD, ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


class ClusterClient:
    """Reads and writes objects of one cluster.

    ``dry_run`` makes every write a trial on the server (``dryRun=All``): it is admitted and validated, nothing is
    kept. ``cache_directory`` must be private; without one the client remembers the API's kinds for itself, see
    ``discovery_cache.py``. Methods raise ApiError when the server does not grant a request; ``attempt`` alone returns
    it as data. Reads are tried again while the failure is transient and ``deadline``, by default ``patience``
    seconds, has time left; writes for as long as no connection is made.
    """

    def __init__(
        self,
        access: ClusterAccess,
        clock: Clock,
        *,
        dry_run: bool = False,
        cache_directory: Path | None = None,
        patience: float = PATIENCE,
        transport: Transport | None = None,
    ) -> None:
        self.access = access
        self.clock = clock
        self.dry_run = dry_run
        self._patience = patience
        self.actions = ActionLog()
        self.transport = transport or Transport(access, cache_directory, clock)

    def __enter__(self) -> ClusterClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that are kept; the client stays usable."""
        self.transport.close()

    def patience(self) -> Deadline:
        """Return until when a request is tried again unless its caller says otherwise."""
        return Deadline(self._patience, self.clock)

    def attempt(self, call: Call, *, dry_run: bool | None = None, at_most: float = READ_TIMEOUT) -> Answer:
        """Send ``call`` once and return the answer, whatever it is; no status and no outage raises.

        ``at_most`` is in seconds. Raise InvalidInputError for a name that is none and for a missing namespace, and
        MissingRequirementError without a usable client library.
        """
        trial = self.dry_run if dry_run is None else dry_run
        if call.verb not in WRITE_VERBS:
            return self.transport.send(call, at_most=at_most)
        answer = self.transport.send(_on_trial(call) if trial else call, at_most=at_most)
        if answer.ok:
            self.actions.record(call, answer.body, dry_run=trial)
        return answer

    def get(
        self,
        kind: ObjectKind,
        name: str,
        namespace: str | None = None,
        *,
        missing_ok: bool = False,
        deadline: Deadline | None = None,
    ) -> Object | None:
        """Return the object, None when there is none of this name; with ``missing_ok`` also where none is served."""
        call = Call("get", kind, name, namespace)
        answer = self._persist(call, deadline)
        if answer.absent or (missing_ok and answer.reason == KIND_NOT_SERVED):
            return None
        return self._granted(call, answer)

    def list_objects(
        self,
        kind: ObjectKind,
        namespace: str | None = None,
        *,
        labels: str = "",
        fields: str = "",
        missing_ok: bool = False,
        deadline: Deadline | None = None,
    ) -> list[Object]:
        """Return all objects of a kind, of one namespace or of all, that match the selectors.

        With ``missing_ok`` there are none where the cluster does not serve the kind.
        """
        call = list_call(kind, namespace, labels=labels, fields=fields)
        try:
            return self.listing(call, deadline=deadline)
        except ApiError as error:
            if not (missing_ok and error.reason == KIND_NOT_SERVED):
                raise
            return []

    def listing(self, call: Call, *, deadline: Deadline | None = None, once: bool = False) -> list[Object]:
        """Return all objects that ``call``, a ``list_call``, asks for.

        Read in pages; one request for each, which with ``once`` is sent only once. See ``listings.whole_listing``.
        """
        return whole_listing(call, lambda page: self._granted(page, self._persist(page, deadline, once=once)))

    def create(self, kind: ObjectKind, body: Mapping[str, t.Any]) -> Object:
        """Create an object and return what came of it.

        Never sent twice: after an outage that came after it, look whether it is there.
        """
        metadata = body.get("metadata") or {}
        call = Call(
            "create",
            kind,
            metadata.get("name"),
            metadata.get("namespace"),
            body={"apiVersion": kind.api_version, "kind": kind.kind, **body},
            query=(("fieldManager", FIELD_MANAGER),),
        )
        return self._granted(call, self._send(call))

    def apply(self, body: Mapping[str, t.Any], *, force: bool = False) -> Object:
        """Apply the fields in ``body`` as field manager FIELD_MANAGER on the server and return the whole object.

        Fields that another manager owns are a conflict: ApiError of status 409 whose ``owners`` names them;
        ``force`` takes them over. Tried again like a read, since applying twice is applying once.
        """
        metadata = {name: value for name, value in body["metadata"].items() if name != "managedFields"}
        call = Call(
            "apply",
            ObjectKind(body["apiVersion"], body["kind"]),
            metadata["name"],
            metadata.get("namespace"),
            body={**body, "metadata": metadata},
            query=(("fieldManager", FIELD_MANAGER), ("force", "true" if force else "false")),
            content_type=APPLY_TYPE,
        )
        return self._granted(call, self._persist(call, None))

    def patch(
        self,
        kind: ObjectKind,
        name: str,
        body: Mapping[str, t.Any] | Sequence[Mapping[str, t.Any]],
        namespace: str | None = None,
        *,
        patch_type: str = "merge",
        resource_version: str | None = None,
        subresource: str | None = None,
        dry_run: bool | None = None,
    ) -> Object:
        """Patch an object and return it; ``patch_type`` is ``merge`` or ``json`` (a list of operations).

        ``dry_run`` takes the place of that of the client.
        With ``resource_version`` the patch is refused with status 409 if the object is no longer at that version, or
        with 422 if it is ``json`` and its operations no longer fit.
        """
        call = Call(
            "patch",
            kind,
            name,
            namespace,
            subresource,
            body=_with_precondition(body, resource_version),
            query=(("fieldManager", FIELD_MANAGER),),
            content_type=PATCH_TYPES[patch_type],
        )
        return self._granted(call, self._send(call, dry_run))

    def delete(
        self,
        kind: ObjectKind,
        name: str,
        namespace: str | None = None,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        grace_period: int | None = None,
    ) -> bool:
        """Delete an object; return False when there was none.

        ``grace_period`` is in seconds. With ``uid`` or ``resource_version`` only that very object is deleted, else the
        answer is status 409. Only with ``uid`` is a request sent twice: without one, a successor of the same name
        could be hit. False may also mean that the first of several attempts deleted it and its answer was lost.
        """
        call = Call("delete", kind, name, namespace, body=_delete_options(uid, resource_version, grace_period))
        answer = self._persist(call, None) if uid else self._send(call)
        if answer.absent:
            return False
        self._granted(call, answer)
        return True

    def evict(self, name: str, namespace: str, *, uid: str | None = None, grace_period: int | None = None) -> Answer:
        """Ask once for the eviction of a pod and return the answer.

        Status 429 with a cause of reason ``DisruptionBudget`` is a budget's veto, without one it is rate limiting;
        a dry run asks the budgets without using them up.
        """
        body = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": name, "namespace": namespace},
            "deleteOptions": _delete_options(uid, None, grace_period),
        }
        return self.attempt(Call("create", POD, name, namespace, "eviction", body=body))

    def serves(self, kind: ObjectKind) -> bool:
        """Return whether the cluster has the API of ``kind``."""
        answer = persist(lambda left: self.transport.lookup(kind, at_most=left), self.patience())
        if answer.reason == KIND_NOT_SERVED:
            return False
        self._granted(Call("list", kind), answer)
        return True

    def _persist(self, call: Call, deadline: Deadline | None, *, once: bool = False) -> Answer:
        return persist(lambda left: self.attempt(call, at_most=left), deadline or self.patience(), once=once)

    def _send(self, call: Call, dry_run: bool | None = None) -> Answer:
        """Send a write once; as long as no connection is made it is not sent."""
        return persist(lambda left: self.attempt(call, dry_run=dry_run, at_most=left), self.patience(), unsent=True)

    def _granted(self, call: Call, answer: Answer) -> Object:
        if not answer.ok or answer.body is None:
            raise ApiError(call, answer, server=self.access.server)
        return answer.body


def _on_trial(call: Call) -> Call:
    # The server takes options of a deletion from the body alone when there is one, and those of an eviction from both.
    if call.verb == "delete":
        return replace(call, body={**call.body, "dryRun": ["All"]})
    return replace(call, query=(*call.query, ("dryRun", "All")))


def _with_precondition(body: t.Any, resource_version: str | None) -> t.Any:
    if resource_version is None:
        return body
    if isinstance(body, list):
        return [{"op": "replace", "path": "/metadata/resourceVersion", "value": resource_version}, *body]
    return {**body, "metadata": {**body.get("metadata", {}), "resourceVersion": resource_version}}


def _delete_options(uid: str | None, resource_version: str | None, grace_period: int | None) -> Object:
    preconditions = {"uid": uid, "resourceVersion": resource_version}
    options: Object = {"apiVersion": "v1", "kind": "DeleteOptions"}
    known = {name: value for name, value in preconditions.items() if value is not None}
    if known:
        options["preconditions"] = known
    if grace_period is not None:
        options["gracePeriodSeconds"] = grace_period
    return options
