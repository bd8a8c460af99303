# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A whole cluster under change management, and the tasks that ask and change it."""

from __future__ import annotations

import json
import typing as t
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.modules import change_enforcement
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

NAMESPACE = "fieldops-openshift"
CONFIG_MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"
WHY = "agreed with the customer"

Json = dict[str, t.Any]


def task(site: ApiServer, module: str, **options: t.Any) -> Json:
    return {f"fieldops.openshift.{module}": {"kubeconfig": str(site.kubeconfig), **options}}


def client_of(site: ApiServer, *, dry_run: bool = False) -> ClusterClient:
    """Return the administrator's client, as a module has it; ``dry_run`` is check mode."""
    access = resolve_access({"kubeconfig": str(site.kubeconfig)}, {"HOME": "/nonexistent"})
    return ClusterClient(access, SystemClock(), dry_run=dry_run)


class WrongClock:
    """The present as somebody's watch has it that is ``ahead`` by some seconds."""

    def __init__(self, client: ClusterClient, ahead: int) -> None:
        self._true = client.clock
        self._ahead = timedelta(seconds=ahead)

    def utcnow(self) -> datetime:
        return self._true.utcnow() + self._ahead

    def monotonic(self) -> float:
        return self._true.monotonic()

    def sleep(self, seconds: float) -> None:
        self._true.sleep(seconds)


def as_user(site: ApiServer, user: str) -> Json:
    return {"kubeconfig": None, "host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of(user)}


def params(spec: ArgumentSpec, /, **given: t.Any) -> Json:
    """Return the arguments of a module as it gets them."""
    return {**{name: option.get("default") for name, option in spec.options.items()}, **given}


def enforce(site: ApiServer, **given: t.Any) -> Json:
    """Enforce change management as the administrator, without a play."""
    with client_of(site) as client:
        outcome = carry_out(client, params(change_enforcement.SPEC, **given))
    return {**outcome.objects, "changed": outcome.changed}


def schedule(start: datetime, hours: int) -> Json:
    """Return a policy with a daily window from ``start``, to the minute."""
    permit = {
        "recurrence": {"frequency": "Daily", "daily": {"interval": 1}},
        "startTime": f"{start:%H:%M}",
        "duration": f"{hours}h",
    }
    return {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}


def open_now() -> Json:
    return schedule(datetime.now(timezone.utc) - timedelta(hours=1), 3)


def closed_now() -> Json:
    return schedule(datetime.now(timezone.utc) + timedelta(hours=2), 3)


def by_policy(name: str) -> Json:
    return {"strategy": "ByPolicy", "byPolicy": {"name": name}}


def assignments(**stanzas: str | Json) -> Json:
    """Return what a cluster keeps of a stanza for each pool, by the pool's name; master has the control plane's.

    A strategy alone makes a stanza.
    """
    keys = {pool: "ClusterVersion.version" if pool == "master" else f"MachineConfigPool.{pool}" for pool in stanzas}
    whole = {pool: {"strategy": one} if isinstance(one, str) else one for pool, one in stanzas.items()}
    entries = {keys[pool]: json.dumps({"changeManagement": one}) for pool, one in whole.items()}
    metadata = {"name": "change-assignments", "namespace": "fieldops-openshift"}
    data = {"schemaVersion": "1", **entries}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
