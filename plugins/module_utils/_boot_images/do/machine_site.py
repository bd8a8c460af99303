# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what decides about boot images: the cluster, its streams, its configuration, the machine resources."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError, StreamError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.architecture_of import (
    ClusterArchitecture,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Site
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import cloud_images
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import (
    CLUSTER_API_NAMESPACE,
    CLUSTER_API_VERSIONS,
    TEMPLATES,
    ClusterApiResource,
    cluster_api_kinds,
    resources_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import UPDATE
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_shards import History
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    CONTROL_PLANE_MACHINE_SET,
    MACHINE_API,
    MACHINE_SET,
    MachineResource,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    MACHINE_CONFIGURATION,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.site_images import site_images
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import (
    CONFIG_MAP_NAME,
    CONFIG_MAP_NAMESPACE,
    Stream,
    Streams,
    read_streams,
    streams_of_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    CONFIG_MAP,
    INFRASTRUCTURE,
    NODE,
    ObjectKind,
)

KINDS = {"machinesets": MACHINE_SET, "controlplanemachinesets": CONTROL_PLANE_MACHINE_SET}
_CONTROL_PLANE_LABELS = ("node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane")

FACT_OPTIONS: dict[str, dict[str, t.Any]] = {
    "architecture": {"type": "str"},
    "cloud_images": {"type": "list", "elements": "dict", "default": []},
    "site_images": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "image": {"type": "str", "required": True},
            "release": {"type": "str"},
            "architecture": {"type": "str"},
            "stream": {"type": "str"},
            "names": {"type": "list", "elements": "str", "default": []},
        },
    },
    "stream_document": {"type": "dict"},
    "vouched_images": {"type": "list", "elements": "str", "default": []},
}
"""Options by which a site says what the API does not know; documented in doc_fragments/_boot_image_options.py."""

SELECTION_OPTIONS: dict[str, dict[str, t.Any]] = {
    "names": {"type": "list", "elements": "str", "default": []},
    "labels": {"type": "dict", "default": {}},
}


def read_machine_site(client: ClusterClient, params: Mapping[str, t.Any], history: History) -> Site:
    """Return the cluster with the input of the site; raise ApiError, or InvalidInputError for that input."""
    infrastructure = client.get(INFRASTRUCTURE, "cluster") or {}
    version = client.get(CLUSTER_VERSION, "version") or {}
    streams, flaw = _streams(client, params)
    given = params["architecture"]
    return Site(
        streams=streams,
        flaw=flaw,
        platform=text_at(infrastructure, "status", "platformStatus", "type"),
        version=text_at(version, "status", "desired", "version"),
        architecture=ClusterArchitecture(
            _control_plane_architecture(client), text_at(version, "status", "desired", "architecture") == "Multi"
        ),
        infrastructure=infrastructure,
        configuration=client.get(MACHINE_CONFIGURATION, "cluster", missing_ok=True),
        cloud=cloud_images(params["cloud_images"]),
        site_images=site_images(params["site_images"]),
        vouched=_vouched(streams, history, params["vouched_images"]),
        given_architecture=Architecture.parse(given) if given else None,
        even_if_older=bool(params.get("even_if_older")),
    )


def read_resources(client: ClusterClient, kinds: Sequence[str]) -> list[MachineResource]:
    """Return all resources of ``kinds``, by kind and name; none where the cluster has no machine API."""
    found = [
        resource_of(one) for kind in kinds for one in client.list_objects(KINDS[kind], MACHINE_API, missing_ok=True)
    ]
    return sorted(found, key=lambda one: (one.is_control_plane, one.name))


def read_cluster_api(
    client: ClusterClient, site: Site, machine_sets: Sequence[MachineResource]
) -> list[ClusterApiResource]:
    """Return what the Cluster API makes machines of; nothing where the cluster does not serve it."""
    versions = (cluster_api_kinds(version) for version in CLUSTER_API_VERSIONS)
    kinds = next((kinds for kinds in versions if client.serves(kinds[0])), ())
    found = _of_cluster_api(client, *kinds)
    template = TEMPLATES.get(site.platform)
    templates = _of_cluster_api(client, template) if found and template else []
    mirrored = {one.name for one in machine_sets if one.authority != "ClusterAPI"}
    return resources_of(site.platform, site.infrastructure, found, templates, mirrored)


def _of_cluster_api(client: ClusterClient, *kinds: ObjectKind) -> list[Document]:
    return [one for kind in kinds for one in client.list_objects(kind, CLUSTER_API_NAMESPACE, missing_ok=True)]


def selected(
    resources: Sequence[MachineResource], params: Mapping[str, t.Any], others: Sequence[str] = ()
) -> list[MachineResource]:
    """Return those that names and labels select, all without any.

    Raise InvalidInputError for a name that neither one of them nor one of ``others`` has.
    """
    missing = sorted(set(params["names"]) - {one.name for one in resources} - set(others))
    if missing:
        raise InvalidInputError(
            "select machine resources",
            on="names",
            seen=f"there is no {', '.join(missing)[:300]} in {MACHINE_API}",
            advice="List the resources with boot_image_info. The option kinds selects the kinds.",
        )
    return [one for one in resources if is_selected(one.name, one.labels, params)]


def is_selected(name: str, labels: Mapping[str, t.Any], params: Mapping[str, t.Any]) -> bool:
    """Whether names and labels select an object."""
    names, wanted = params["names"], params["labels"] or {}
    return (not names or name in names) and all(labels.get(str(key)) == str(value) for key, value in wanted.items())


def is_updating(client: ClusterClient) -> bool:
    """Return whether the cluster's release is moving: its newest history entry is not completed."""
    found = mapping_at(client.get(CLUSTER_VERSION, "version"), "status").get("history")
    newest = found[0] if isinstance(found, list) and found else {}
    return text_at(newest, "state") != "Completed"


def _streams(client: ClusterClient, params: Mapping[str, t.Any]) -> tuple[Streams | None, str]:
    """Return the streams, or None and what is wrong with them."""
    if params["stream_document"]:
        return streams_of_document(params["stream_document"]), ""
    try:
        return read_streams(client.get(CONFIG_MAP, CONFIG_MAP_NAME, CONFIG_MAP_NAMESPACE)), ""
    except StreamError as error:
        return None, f"{error.on}: {error.seen}"


def _control_plane_architecture(client: ClusterClient) -> Architecture | None:
    for label in _CONTROL_PLANE_LABELS:
        for node in client.list_objects(NODE, labels=label):
            name = text_at(node, "status", "nodeInfo", "architecture")
            if name:
                return Architecture.parse(name)
    return None


def _vouched(streams: Streams | None, history: History, given: Sequence[str]) -> dict[str, str]:
    """Return the images that count as standard ones, with their releases: of history, of streams, and vouched for."""
    known = dict.fromkeys(given, "")
    # What others had set there before a reversion proves nothing.
    for entry in history.entries:
        if entry.kind == UPDATE:
            known[entry.after.reference] = entry.after.release
            known[entry.before.reference] = entry.before.release or known.get(entry.before.reference, "")
    for stream in streams.every() if streams else ():
        known.update(_amis(stream))
    known.pop("", None)
    return known


def _amis(stream: Stream) -> dict[str, str]:
    try:
        return dict(stream.amis())
    except MalformedError:
        # A user who boots from this stream gets it with its location.
        return {}
