# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster whose boot images these tests look at and change, and how they ask it."""

from __future__ import annotations

import base64
import json
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.boot_image_info_task import (
    BOOT_IMAGE_INFO_OPTIONS,
    look,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.boot_image_task import (
    BOOT_IMAGE_OPTIONS,
    change_boot_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster, nodes

Json = dict[str, t.Any]
API = "/api/v1/namespaces"
MACHINE_API = f"{API}/openshift-machine-api"
OWN = f"{API}/fieldops-openshift"
MACHINE_SETS = "/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api/machinesets"
CONTROL_PLANE = "/apis/machine.openshift.io/v1/namespaces/openshift-machine-api/controlplanemachinesets"
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
IMAGES = f"{API}/openshift-machine-config-operator/configmaps/coreos-bootimages"
VERSION = "4.22.5"
VOUCHED: Json = {"vouched_images": [boot_images.ami(boot_images.OLD)]}
RIGHT, OLD = boot_images.ami(boot_images.CURRENT), boot_images.ami(boot_images.OLD)
PATIENCE = 10.0
"""Seconds after which a server that a test has stopped is given up."""


class Door:
    """A guard that permits what it is asked for unless ``closed``; ``asked`` are the pools that it was asked for.

    With a ``fault`` it has no answer.
    """

    def __init__(self) -> None:
        self.closed = False
        self.fault: FieldOpsError | None = None
        self.asked: list[str] = []

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        """Answer as the protocol Guard has it."""
        del estimate
        self.asked.append(pool)
        if self.fault:
            raise self.fault
        return Permission(not self.closed, pool, "change is restricted" if self.closed else "change is permitted")


class Site:
    """A cluster on one API server; ``rest`` is the lab's own client of it."""

    def __init__(self, server: ApiServer) -> None:
        self.server = server
        self.rest: RestClient = server.rest
        self.guard = Door()

    def reset(self, *, platform: str = "AWS", version: str = VERSION) -> None:
        """Make it a cluster at rest without MachineSets and without history."""
        for path in (MACHINE_SETS, CONTROL_PLANE, f"{MACHINE_API}/secrets"):
            self.rest.delete(path)
        for path in (f"{OWN}/configmaps", f"{OWN}/secrets"):
            if self.rest.exists(OWN):
                self.rest.delete(path)
        if self.rest.exists(CONFIGURATION):
            self.rest.delete(CONFIGURATION)
        self.rest.apply(cluster.cluster_version(version))
        self.rest.apply(cluster.infrastructure(platform))
        self.rest.apply(nodes.node("master", 0, version=version))
        self.rest.apply(boot_images.coreos_bootimages(version))
        self.rest.apply(boot_images.user_data("3.2.0"))

    def add(self, *names: str, platform: str = "aws", **changes: t.Any) -> None:
        """Add MachineSets with an old image; ``changes`` are merged into their provider's specification."""
        self.rest.apply_all(self.machine_set(name, platform, **changes) for name in names)

    def machine_set(self, name: str, platform: str = "aws", **changes: t.Any) -> Json:
        """Return a MachineSet with an old image."""
        found = boot_images.machine_set(platform, name, replicas=1)
        found["spec"]["template"]["spec"]["providerSpec"]["value"].update(changes)
        return found

    def provider(self, name: str) -> Json:
        """Return the provider's specification of a MachineSet."""
        found: Json = self.rest.get(f"{MACHINE_SETS}/{name}")["spec"]["template"]["spec"]["providerSpec"]["value"]
        return found

    def images(self) -> dict[str, str]:
        """Return the image of each MachineSet on AWS."""
        found = self.rest.get(MACHINE_SETS)["items"]
        return {
            one["metadata"]["name"]: one["spec"]["template"]["spec"]["providerSpec"]["value"]["ami"]["id"]
            for one in found
        }

    def images_of(self, *names: str) -> list[str]:
        """Return the images of some MachineSets on AWS."""
        return [str(self.provider(name)["ami"]["id"]) for name in names]

    def overwrite(self, name: str, manager: str = "argocd-controller", ami: str = OLD) -> None:
        """Write the image of a MachineSet as somebody else would."""
        value = {"spec": {"template": {"spec": {"providerSpec": {"value": {"ami": {"id": ami}}}}}}}
        self.rest.merge(f"{MACHINE_SETS}/{name}", value, fieldManager=manager)

    def history(self) -> list[Json]:
        """Return all entries of the history, the oldest first."""
        if not self.rest.exists(OWN):
            return []
        maps = self.rest.get(f"{OWN}/configmaps")["items"]
        texts = {
            key: text
            for one in maps
            if one["metadata"]["name"].startswith("boot-image-history-")
            for key, text in one["data"].items()
            if key != "schemaVersion"
        }
        return [json.loads(texts[key]) for key in sorted(texts)]

    def stub(self, name: str = "worker-user-data") -> Json:
        """Return the stub Ignition configuration of a Secret."""
        found: Json = json.loads(self.secret(name)["userData"])
        return found

    def secret(self, name: str, place: str = MACHINE_API) -> dict[str, str]:
        """Return the content of a Secret as text."""
        content = self.rest.get(f"{place}/secrets/{name}")["data"]
        return {key: base64.b64decode(text).decode() for key, text in content.items()}

    def client(
        self, user: str = "", *, dry_run: bool = False, form: type[ClusterClient] = ClusterClient
    ) -> ClusterClient:
        """Return a client of the administrator or of ``user``; ``dry_run`` is check mode."""
        kubeconfig = self.server.kubeconfig_for(user) if user else self.server.kubeconfig
        access = resolve_access({"kubeconfig": str(kubeconfig)}, {"HOME": "/nonexistent"})
        return form(access, SystemClock(), dry_run=dry_run, patience=PATIENCE)

    def change(self, *, client: ClusterClient | None = None, **options: t.Any) -> Result:
        """Do what the module boot_image does, by default for all."""
        chosen = {} if {"names", "labels"} & options.keys() else {"all": True}
        with client or self.client() as used:
            return change_boot_images(used, {**_defaults(BOOT_IMAGE_OPTIONS), **chosen, **options}, self.guard)

    def look(self, user: str = "", **options: t.Any) -> Json:
        """Return what the module boot_image_info returns."""
        with self.client(user) as client:
            return look(client, {**_defaults(BOOT_IMAGE_INFO_OPTIONS), **options})


def outcomes(objects: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Return what became of each resource by name."""
    return {one["name"]: one["outcome"] for one in objects["machine_resources"]}


def codes(objects: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Return the word for why, of each resource by name."""
    return {one["name"]: one["code"] for one in objects["machine_resources"]}


def _defaults(options: t.Mapping[str, t.Mapping[str, t.Any]]) -> Json:
    return {name: option.get("default") for name, option in options.items()}
