# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A Kubernetes API in memory: objects with versions and writers of fields, and one clock that requests move on.

It copies what jobs of a rollout depend on: optimistic concurrency, merge patches, times of managedFields in whole
seconds, namespaces that must exist. Source: kubernetes.io/docs/reference/using-api/api-concepts, server-side-apply.
"""

from __future__ import annotations

import itertools
import typing as t
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NAMESPACE

Json = dict[str, t.Any]
Key = tuple[str, str, str]
Path = tuple[str, ...]

REQUEST_SECONDS = 0.02


class MemoryCluster:
    """All objects by kind, namespace and name. They are never changed in place, so that what was read stays."""

    def __init__(self) -> None:
        self.objects: dict[Key, Json] = {}
        self.now = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
        self._versions = itertools.count(1)
        self._writers: dict[Key, dict[Path, tuple[str, str]]] = {}

    # What tests do

    def plant(self, objects: Iterable[Json]) -> None:
        for one in objects:
            self._store(_key(one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"]), one, "plant")

    def all_of(self, kind: str) -> list[Json]:
        return [one for (found, _namespace, _name), one in self.objects.items() if found == kind]

    def find(self, kind: str, name: str) -> Json:
        return next(one for one in self.all_of(kind) if one["metadata"]["name"] == name)

    def write(self, kind: str, name: str, patch: Json, writer: str = "kubectl") -> None:
        one = self.find(kind, name)
        self._store(_key(kind, one["metadata"].get("namespace"), name), one, writer, patch)

    def remove(self, *kinds: str) -> None:
        for key in [key for key in self.objects if key[0] in kinds]:
            self._forget(key)

    def forget(self, kind: str, name: str) -> None:
        self._forget(_key(kind, self.find(kind, name)["metadata"].get("namespace"), name))

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    # What the API answers

    def answer(self, call: Call) -> Answer:
        self.pass_time(REQUEST_SECONDS)
        if call.kind.kind == "SelfSubjectReview":
            stamp = {"metadata": {"creationTimestamp": self.stamp}, "status": {"userInfo": {"username": "system:job"}}}
            return Answer(201, stamp)
        verbs = {"get": self._get, "list": self._list, "create": self._create, "patch": self._patch}
        return verbs.get(call.verb, self._delete)(call)

    @property
    def stamp(self) -> str:
        """The present in whole seconds."""
        return f"{self.now:%Y-%m-%dT%H:%M:%SZ}"

    def _get(self, call: Call) -> Answer:
        found = self.objects.get(_key_of(call))
        return _absent(call) if found is None else Answer(200, found)

    def _list(self, call: Call) -> Answer:
        wanted = dict(call.query)
        labels = _pairs(wanted.get("labelSelector", ""))
        fields = _pairs(wanted.get("fieldSelector", ""))
        items = [
            one
            for (kind, namespace, _name), one in self.objects.items()
            if kind == call.kind.kind and call.namespace in (None, namespace) and _matches(one, labels, fields)
        ]
        return Answer(200, {"items": items})

    def _create(self, call: Call) -> Answer:
        if call.subresource == "eviction":
            return self._delete(call)
        key = _key_of(call)
        if call.namespace and _key(NAMESPACE.kind, None, call.namespace) not in self.objects:
            return _refusal(404, "NotFound", f'namespaces "{call.namespace}" not found')
        if key in self.objects:
            return _refusal(409, "AlreadyExists", "it exists")
        return Answer(201, self._store(key, call.body, _writer(call)))

    def _patch(self, call: Call) -> Answer:
        found = self.objects.get(_key_of(call))
        if found is None:
            return _absent(call)
        version = (call.body.get("metadata") or {}).get("resourceVersion")
        if version not in (None, found["metadata"]["resourceVersion"]):
            return _refusal(409, "Conflict", "the object has been modified")
        return Answer(200, self._store(_key_of(call), found, _writer(call), call.body))

    def _delete(self, call: Call) -> Answer:
        key = _key_of(call)
        if key not in self.objects:
            return _absent(call)
        options = call.body.get("deleteOptions") or call.body
        wanted = (options.get("preconditions") or {}).get("uid", "")
        if wanted not in ("", self.objects[key]["metadata"]["uid"]):
            return _refusal(409, "Conflict", "the UID in the precondition is another one")
        self._forget(key)
        return Answer(200, {"kind": "Status"})

    def _forget(self, key: Key) -> None:
        del self.objects[key]
        self._writers.pop(key, None)

    def _store(self, key: Key, one: Json, writer: str, patch: Json | None = None) -> Json:
        merged = one if patch is None else _merged(one, patch)
        if key in self.objects and _without_version(merged) == _without_version(self.objects[key]):
            return self.objects[key]
        owned = self._writers.setdefault(key, {})
        owned.update(dict.fromkeys(_leaves(merged if patch is None else patch), (writer, self.stamp)))
        metadata = {
            "creationTimestamp": self.stamp,
            "uid": f"{'/'.join(key)} {self.stamp}",
            **merged["metadata"],
            "resourceVersion": str(next(self._versions)),
            "managedFields": [_field_entry(path, *by) for path, by in owned.items()],
        }
        self.objects[key] = {**merged, "metadata": metadata}
        return self.objects[key]


def _key(kind: str, namespace: str | None, name: str) -> Key:
    return (kind, namespace or "", name)


def _key_of(call: Call) -> Key:
    return _key(call.kind.kind, call.namespace, call.name or "")


def _writer(call: Call) -> str:
    return dict(call.query).get("fieldManager", "")


def _absent(call: Call) -> Answer:
    return Answer(404, {"details": {"name": call.name}}, "NotFound", f"{call.target} not found")


def _refusal(status: int, reason: str, message: str) -> Answer:
    return Answer(status, {"kind": "Status"}, reason, message)


def _pairs(selector: str) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in selector.split(",") if part)


def _matches(one: Json, labels: Mapping[str, str], fields: Mapping[str, str]) -> bool:
    own = one["metadata"].get("labels") or {}
    if any(name not in own or own[name] != (value or own[name]) for name, value in labels.items()):
        return False
    return all(_value(one, name.split(".")) == value for name, value in fields.items())


def _value(one: t.Any, path: Iterable[str]) -> t.Any:
    for part in path:
        one = (one or {}).get(part)
    return one


def _merged(one: t.Any, patch: t.Any) -> t.Any:
    """Apply a merge patch (RFC 7386) without touching ``one``."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(one) if isinstance(one, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = _merged(merged.get(name), value)
    return merged


def _leaves(value: t.Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict) and value:
        for name, below in value.items():
            yield from _leaves(below, (*path, f"f:{name}"))
    elif path:
        yield path


def _field_entry(path: Path, writer: str, at: str) -> Json:
    owned: Json = {}
    for part in reversed(path):
        owned = {part: owned}
    return {"manager": writer, "operation": "Update", "time": at, "fieldsV1": owned}


def _without_version(one: Json) -> Json:
    left_out = ("resourceVersion", "managedFields", "creationTimestamp", "uid")
    return {**one, "metadata": {name: value for name, value in one["metadata"].items() if name not in left_out}}
