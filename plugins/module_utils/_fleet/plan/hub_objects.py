# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which objects of a hub describe the same cluster."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Object = t.Mapping[str, t.Any]


@dataclass(frozen=True)
class ClusterObjects:
    """What a hub has of one cluster; an object that it does not have is empty."""

    name: str
    managed: Object
    deployment: Object
    install: Object
    instance: Object


@dataclass(frozen=True)
class HubObjects:
    """Lists of ManagedClusters, ClusterDeployments, AgentClusterInstalls and ClusterInstances."""

    managed: Sequence[Object] = ()
    deployments: Sequence[Object] = ()
    installs: Sequence[Object] = ()
    instances: Sequence[Object] = ()

    def only_managed(self) -> HubObjects:
        """Return the objects of clusters that have a ManagedCluster."""
        names = {_name(one) for one in self.managed}
        return replace(
            self,
            deployments=[one for one in self.deployments if _name(one) in names],
            instances=[one for one in self.instances if _instance_name(one) in names],
        )

    def by_cluster(self) -> list[ClusterObjects]:
        """Return the clusters in the order of their names.

        Cluster management requires that a ManagedCluster and its ClusterDeployment have the same name. SiteConfig
        names both after ``clusterName``. An AgentClusterInstall names the ClusterDeployment in its namespace. Sources:
        managedcluster-import-controller, pkg/controller/clusterdeployment; siteconfig, templates of ClusterInstance;
        assisted-service, AgentClusterInstallSpec.

        Raise InvalidInputError for a name that two objects of one kind have.
        """
        managed = _by_name("ManagedCluster", self.managed, _name)
        deployments = _by_name("ClusterDeployment", self.deployments, _name)
        instances = _by_name("ClusterInstance", self.instances, _instance_name)
        installs = {_installed(one): one for one in self.installs}
        none: Object = {}
        return [
            ClusterObjects(
                name,
                managed.get(name, none),
                deployments.get(name, none),
                installs.get(_place(deployments[name]), none) if name in deployments else none,
                instances.get(name, none),
            )
            for name in sorted({*managed, *deployments, *instances})
        ]


def _by_name(kind: str, objects: Iterable[Object], name_of: t.Callable[[Object], str]) -> Mapping[str, Object]:
    found: dict[str, Object] = {}
    for one in objects:
        name = name_of(one)
        if name in found:
            raise InvalidInputError(
                "list clusters",
                on=f"{kind} {name}",
                seen=f"it exists in the namespaces {_place(found[name])[0]} and {_place(one)[0]}",
                advice="Give each cluster of the hub a name of its own.",
            )
        found[name] = one
    return found


def _name(one: Object) -> str:
    return str(one["metadata"]["name"])


def _place(one: Object) -> tuple[str, str]:
    return (one["metadata"].get("namespace", ""), _name(one))


def _instance_name(instance: Object) -> str:
    return str(instance["spec"]["clusterName"])


def _installed(install: Object) -> tuple[str, str]:
    return (install["metadata"].get("namespace", ""), str(install["spec"]["clusterDeploymentRef"]["name"]))
