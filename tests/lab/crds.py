# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OpenShift's CustomResourceDefinitions, those of a self-managed, highly available cluster of feature set Default.

HyperShift's are there too, as on a cluster that hosts others.

Source: github.com/openshift/api, ``*/*/zz_generated.crd-manifests``; chosen by their annotations as the cluster version
operator does (library-go, pkg/manifest/manifest.go, ``Include``: profile, feature set, feature gate).
"""

from __future__ import annotations

import contextlib
import re
import typing as t
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import PARALLEL, RestClient

ROOT = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
PROFILE = "include.release.openshift.io/self-managed-high-availability"
FEATURE_SET = "release.openshift.io/feature-set"
FEATURE_GATE = "release.openshift.io/feature-gate"
_STABILITY = re.compile(r"^v(\d+)(?:(alpha|beta)(\d+))?$")


@dataclass(frozen=True)
class Definition:
    """One CustomResourceDefinition: its name (``plural.group``) and its YAML file."""

    name: str
    file: Path

    @property
    def manifest(self) -> bytes:
        """The file without the mark of an intermediate one, an annotation whose empty name no API server takes."""
        return re.sub(rb"(?m)^ +feature-gate\.release\.openshift\.io/: .*\n", b"", self.file.read_bytes())


def definitions(api_module: Path) -> list[Definition]:
    """Return the definitions to install from an unpacked ``github.com/openshift/api``, sorted by name.

    A definition that several versions of a group generate, each with itself only, is taken from the most stable one,
    as the payload does (hack/update-payload-crds.sh).
    """
    chosen: dict[str, Path] = {}
    files = api_module.glob("*/*/zz_generated.crd-manifests/*.yaml")
    for file in sorted(files, key=lambda file: _stability(file.parent.parent.name)):
        header = file.read_text().partition("\nspec:")[0]
        if file.relative_to(api_module).parts[0] != "example" and is_included(header):
            chosen.setdefault(_value(header, "name"), file)
    return [Definition(name, file) for name, file in sorted(chosen.items())]


def hypershift_definitions(api_module: Path) -> list[Definition]:
    """Return HyperShift's definitions from an unpacked ``github.com/openshift/hypershift/api``, sorted by name.

    Those without any feature gate, which the operator's bundled ones are made from; NodePool's scale sub-resource,
    which is merged in from a file of its own there, is not in them.
    """
    files = api_module.glob("hypershift/*/zz_generated.featuregated-crd-manifests/*/AAA_ungated.yaml")
    return [Definition(file.parent.name, file) for file in sorted(files)]


def is_included(header: str) -> bool:
    """Whether the metadata of a manifest lets it into a self-managed cluster of feature set Default."""
    feature_set = _value(header, FEATURE_SET)
    return (
        _value(header, PROFILE) == "true"
        and (not feature_set or "Default" in feature_set.split(","))
        and not _value(header, FEATURE_GATE)
    )


def install(client: RestClient, wanted: Iterable[Definition]) -> None:
    """Apply definitions in parallel and return when the API serves all of them."""
    install_manifests(client, {definition.name: definition.manifest for definition in wanted})


def install_manifests(client: RestClient, waiting: Mapping[str, bytes]) -> None:
    """Do the same with manifests by name."""

    def apply(item: tuple[str, bytes]) -> None:
        client.apply_text(f"{ROOT}/{item[0]}", item[1])

    with ThreadPoolExecutor(PARALLEL) as pool:
        list(pool.map(apply, waiting.items()))
    names = set(waiting)
    events = client.watch(ROOT)
    for event in events:
        if _is_established(event["object"]):
            names.discard(event["object"]["metadata"]["name"])
        if not names:
            break
    events.close()  # type: ignore[attr-defined]


def served(client: RestClient) -> set[str]:
    """Return the names (``plural.group``) of all resources in groups that a server lists, as it serves them now."""
    found = set()
    for group in client.get("/apis")["groups"]:
        for version in group["versions"]:
            with contextlib.suppress(LabApiError):
                resources = client.get(f"/apis/{version['groupVersion']}")["resources"]
                found |= {f"{one['name']}.{group['name']}" for one in resources}
    return found


def _is_established(definition: dict[str, t.Any]) -> bool:
    conditions = (definition.get("status") or {}).get("conditions") or []
    return any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions)


def _value(header: str, key: str) -> str:
    """Return the value of ``key`` in the metadata of a generated manifest, whose form is always the same."""
    found = re.search(rf"^ +{re.escape(key)}: *(.*)$", header, re.MULTILINE)
    return found.group(1).strip("\"'") if found else ""


def _stability(version: str) -> tuple[int, int, int]:
    """Sort key by which v2 comes before v1, v1 before v1beta1, v1beta1 before v1alpha2."""
    found = _STABILITY.match(version)
    if not found:
        return (9, 0, 0)
    rank = {"": 0, "beta": 1, "alpha": 2}[found.group(2) or ""]
    return (rank, -int(found.group(1)), -int(found.group(3) or 0))
