# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From options to a request, and what is told about them before any work."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.request_options import (
    request_from_options,
    request_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChannelRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import SiteInventory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.modules.release_bundle import SPEC

CATALOG = "registry.redhat.io/redhat/redhat-operator-index:v4.20"
V1 = """
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v1alpha2
storageConfig: {local: {path: /data}}
mirror:
  platform:
    architectures: [amd64]
    graph: true
    channels: [{name: stable-4.20, type: ocp, minVersion: 4.20.3, maxVersion: 4.20.3, shortestPath: true}]
  operators:
  - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20
    targetName: mine
    packages:
    - name: odf-operator
      minVersion: 4.19.0
      channels: [{name: stable-4.19}, {name: stable-4.20, maxVersion: 4.20.2}]
      defaultChannel: stable-4.20
    - {name: lvms-operator}
  - {catalog: registry.redhat.io/redhat/certified-operator-index:v4.20, full: true}
  additionalImages: [{name: quay.io/a/b:1}, {name: quay.io/a/d:1}]
  blockedImages: [{name: quay.io/a/d}]
  helm: {repositories: [{name: x, url: https://charts.example}]}
  samples: [{name: httpd}]
"""
V2 = """
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
archiveSize: 4
mirror:
  platform:
    channels: [{name: stable-4.20, minVersion: 4.20.1, maxVersion: 4.20.3, full: true}]
    kubeVirtContainer: true
  operators:
  - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20
    targetCatalogSourceTemplate: /x.yaml
    packages: [{name: odf-operator, minBundle: x}]
  additionalImages:
  - {name: quay.io/a/b:1, targetTag: x}
  helm: {}
"""


def options(**changes: t.Any) -> dict[str, t.Any]:
    """Return options as Ansible completes them."""
    return {**completed(SPEC.options), **changes}


def completed(options: t.Mapping[str, t.Any], **given: t.Any) -> dict[str, t.Any]:
    return {**{name: one.get("default") for name, one in options.items()}, **given}


def operators(*packages: dict[str, t.Any], catalog: str = CATALOG, complete: bool = False) -> dict[str, t.Any]:
    spec = SPEC.options["operators"]["options"]["packages"]["options"]
    return {"catalog": catalog, "packages": [completed(spec, **one) for one in packages], "complete": complete}


def image_set(path: Path, text: str) -> str:
    (path / "isc.yaml").write_text(text)
    return str(path / "isc.yaml")


def test_an_image_set_configuration_is_a_request(tmp_path: Path) -> None:
    request = request_from_options(options(image_set_configuration=image_set(tmp_path, V1)))
    assert request.release == "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64"
    assert request.version == "4.20.3"
    (catalog,) = request.catalogs
    odf, lvms = catalog.packages
    assert odf.channels == (
        ChannelRequest("stable-4.19", None, "4.19.0", None),
        ChannelRequest("stable-4.20", None, "4.19.0", "4.20.2"),
    )
    assert (odf.default_channel, lvms.channels) == ("stable-4.20", (ChannelRequest(),))
    assert request.extra_images == ("quay.io/a/b:1",)
    assert request.blocked_images == ("quay.io/a/d",)


@pytest.mark.parametrize(
    ("text", "given", "keys"),
    [
        pytest.param(
            V1,
            {},
            "storageConfig, mirror.platform.graph, "
            "mirror.operators[].targetName, mirror.operators[].full, mirror.helm, mirror.samples, "
            "mirror.operators[1] without packages",
            id="v1alpha2",
        ),
        pytest.param(
            V2,
            {},
            "archiveSize, mirror.platform.channels[].full, mirror.platform.kubeVirtContainer, "
            "mirror.operators[].targetCatalogSourceTemplate, mirror.operators[].packages[].minBundle, "
            "mirror.additionalImages[].targetTag",
            id="v2alpha1",
        ),
        pytest.param(
            V2.replace("full: true", "type: ocp").replace("archiveSize: 4", ""),
            {"version": "4.20.4"},
            "mirror.platform.kubeVirtContainer, mirror.operators[].targetCatalogSourceTemplate, "
            "mirror.operators[].packages[].minBundle, mirror.additionalImages[].targetTag, mirror.platform.channels",
            id="another version",
        ),
        pytest.param(
            "kind: ImageSetConfiguration\nmirror: {platform: {channels: [{name: x, minVersion: 4.20.1, "
            "maxVersion: 4.20.3}]}}\n",
            {"version": "4.20.3", "update_from": ["4.19.2"]},
            "mirror.platform.channels",
            id="another path",
        ),
        pytest.param(
            "kind: ImageSetConfiguration\nmirror: {platform: {architectures: [arm64], channels: [{name: x}]}}\n",
            {},
            "mirror.platform.channels[0] without maxVersion, mirror.platform.architectures",
            id="another architecture, and no version",
        ),
        pytest.param(
            "kind: ImageSetConfiguration\nmirror: {additionalImages: [{name: quay.io/a/b:1}]}\n", {}, "", id="none"
        ),
        pytest.param("kind: ImageSetConfiguration\n", {}, "", id="nothing in it"),
    ],
)
def test_keys_of_an_image_set_configuration_without_effect_are_named(
    tmp_path: Path, text: str, given: dict[str, t.Any], keys: str
) -> None:
    path = image_set(tmp_path, text)
    told = request_warnings(options(image_set_configuration=path, **given))
    found = [warning.partition("keys without effect: ")[2] for warning in told if " without effect: " in warning]
    assert found == ([keys] if keys else [])
    assert all(path in warning for warning in told)


RANGE = "minVersion: 4.20.1, maxVersion: 4.20.3"
PATH = f"kind: ImageSetConfiguration\nmirror: {{platform: {{channels: [{{name: fast-4.20, {RANGE}}}]}}}}\n"


@pytest.mark.parametrize(
    ("given", "start", "graph"),
    [
        pytest.param({}, ("4.20.1",), "graph?channel=fast-4.20&arch=amd64", id="the configuration alone"),
        pytest.param({"version": "4.20.3"}, ("4.20.1",), "graph?channel=fast-4.20&arch=amd64", id="the same version"),
        pytest.param(
            {"update_channel": "stable-4.20"}, ("4.20.1",), "graph?channel=stable-4.20&arch=amd64", id="channel"
        ),
        pytest.param({"update_graph": "/srv/g.json"}, ("4.20.1",), "/srv/g.json", id="file"),
        pytest.param(
            {"version": "4.20.3", "update_from": ["4.19.2"]},
            ("4.19.2",),
            "graph?channel=eus-4.20&arch=amd64",
            id="another path",
        ),
        pytest.param({"version": "4.20.4"}, (), None, id="another version"),
        pytest.param({"image": "quay.io/a/b:1"}, (), None, id="an image"),
    ],
)
def test_a_range_of_an_image_set_configuration_is_an_update_path(
    tmp_path: Path, given: dict[str, t.Any], start: tuple[str, ...], graph: str | None
) -> None:
    request = request_from_options(options(image_set_configuration=image_set(tmp_path, PATH), **given))
    assert request.update_from == start
    assert (request.update_graph or "").endswith(graph or "")
    assert (request.update_graph is None) == (graph is None)


@pytest.mark.parametrize(
    ("text", "given", "differences"),
    [
        pytest.param(
            PATH,
            {},
            [
                "only the releases of the update path from 4.20.1 to 4.20.3 are included",
                "the release 4.20.1 is not included, because sites run it",
            ],
            id="a range of releases",
        ),
        pytest.param(PATH, {"version": "4.20.4"}, [], id="a range that has no effect"),
        pytest.param(
            "kind: ImageSetConfiguration\nmirror: {operators: [{catalog: quay.io/a/b:1, packages: [{name: odf, "
            "channels: [{name: a, maxVersion: 1.0.0}]}]}]}\n",
            {"version": "4.20.4"},
            [
                "mirror.operators[0]: of a range with maxVersion and without minVersion, only the newest version is "
                "included"
            ],
            id="an open range of an operator",
        ),
    ],
)
def test_what_else_oc_mirror_would_include_is_told(
    tmp_path: Path, text: str, given: dict[str, t.Any], differences: list[str]
) -> None:
    told = request_warnings(options(image_set_configuration=image_set(tmp_path, text), **given))
    found = [one for warning in told for one in warning.partition("unlike oc-mirror: ")[2].split("; ") if one]
    assert found == differences


@pytest.mark.parametrize("given", [{"update_channel": "eus-4.20"}, {"update_graph": "/srv/g.json"}])
def test_a_graph_without_a_start_is_refused(given: dict[str, t.Any]) -> None:
    with pytest.raises(InvalidInputError, match="the version that sites run"):
        request_from_options(options(version="4.20.3", **given))


def test_without_an_image_set_configuration_nothing_is_told() -> None:
    assert request_warnings(options()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: DeleteImageSetConfiguration\n", "not an ImageSetConfiguration"),
        ("kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v3\n", "apiVersion"),
        ("kind: ImageSetConfiguration\nmirror: [1]\n", "mirror is not a mapping"),
        ("kind: ImageSetConfiguration\nmirror: {operators: {a: 1}}\n", "mirror.operators is not a list"),
        ("kind: ImageSetConfiguration\nmirror: {blockedImages: [a]}\n", "an entry of mirror.blockedImages"),
        ("kind: ImageSetConfiguration\nmirror: {additionalImages: [{name: ''}]}\n", "an entry has no name"),
        ("kind: ImageSetConfiguration\nmirror: {operators: [{packages: [{name: a}]}]}\n", "it has no catalog"),
        ("kind: ImageSetConfiguration\nmirror: {platform: {channels: [{name: a}]}}\n", "do not name one release"),
        ("kind: ImageSetConfiguration\n---\nkind: ImageSetConfiguration\n", "not an ImageSetConfiguration"),
    ],
)
def test_another_document_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        request_from_options(options(image_set_configuration=image_set(tmp_path, text)))
    assert said in caught.value.seen


def test_entries_of_one_catalog_are_one_request() -> None:
    wanted = [
        operators({"name": "odf"}),
        operators({"name": "lvms"}),
        operators({"name": "a"}, catalog="quay.io/b/c:1"),
    ]
    request = request_from_options(options(version="4.20.3", operators=wanted))
    assert [[one.name for one in catalog.packages] for catalog in request.catalogs] == [["odf", "lvms"], ["a"]]


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        ([{"name": "odf"}, {"name": "odf"}], "odf is requested twice"),
        ([{"name": "odf", "version": "new"}], "'new' is not a version"),
        ([{"name": "odf", "version": "1.0.0", "max_version": "1.0.0"}], "version and max_version"),
        ([{"name": "odf", "min_version": "2.0.0", "max_version": "1.0.0"}], "min_version 2.0.0 is above"),
        ([{"name": "odf", "channel": "a", "channels": [{"name": "b"}]}], "channels, and channel or version"),
        ([{"name": "odf", "channels": [{"name": "b"}, {"name": "b"}]}], "b is requested twice"),
    ],
)
def test_a_request_for_operators_that_cannot_be_meant_is_refused(packages: list[dict[str, t.Any]], said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        request_from_options(options(version="4.20.3", operators=[operators(*packages)]))
    assert said in caught.value.seen


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("- {package: odf, version: 4.19.6, bundle: odf.x}\n", id="list"),
        pytest.param('{"operators": [{"package": "odf", "version": "4.19.6", "bundle": "odf.x"}]}', id="document"),
    ],
)
def test_installed_operators_come_from_a_list_and_a_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "site.yml").write_text(content)
    listed = [{"package": "acm", "version": "2.0.0", "bundle": None}]
    request = request_from_options(
        options(version="4.20.3", installed_operators=listed, installed_operators_file=str(tmp_path / "site.yml"))
    )
    assert request.installed == (InstalledOperator("acm", "2.0.0"), InstalledOperator("odf", "4.19.6", "odf.x"))


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("odf-operator.v4.19.6-rhodf", "4.19.6-rhodf"),
        ("gateway.1.2.3", "1.2.3"),
        ("v.v1.v2.0.0+x.1", "2.0.0+x.1"),
        ("etcdoperator", ""),
    ],
)
def test_an_inventory_names_what_is_installed_by_its_cluster_service_version(
    tmp_path: Path, name: str, version: str
) -> None:
    subscriptions = [
        {"metadata": {"namespace": "x"}, "spec": {"name": package, "channel": "stable"}, "status": status}
        for package, status in (("a", {"installedCSV": name}), ("b", {}))
    ]
    inventory = SiteInventory("", "", "", tuple(map(InstalledOperator.of, subscriptions)), {})
    (tmp_path / "inventory.json").write_bytes(inventory.as_bytes())
    request = request_from_options(options(version="4.20.3", installed_operators_file=str(tmp_path / "inventory.json")))
    assert request.installed == (InstalledOperator("a", version, name, channel="stable"),)


def test_a_version_may_be_the_name_of_a_cluster_service_version() -> None:
    listed = [{"package": "odf", "version": "odf-operator.v4.19.6", "bundle": None}]
    request = request_from_options(options(version="4.20.3", installed_operators=listed))
    assert request.installed == (InstalledOperator("odf", "4.19.6", "odf-operator.v4.19.6"),)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("7\n", "neither a list"),
        ("- {version: 1.0.0}\n", "has no package"),
        ("- {package: odf}\n", "is not a version"),
        ("- {package: odf, version: 4.19}\n", "is not a version"),
    ],
)
def test_installed_operators_that_cannot_be_meant_are_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "site.yml").write_text(content)
    with pytest.raises(InvalidInputError) as caught:
        request_from_options(options(version="4.20.3", installed_operators_file=str(tmp_path / "site.yml")))
    assert said in caught.value.seen


def test_a_request_survives_its_way_to_the_job() -> None:
    wanted = options(
        version="4.20.3",
        operators=[operators({"name": "odf", "channels": [{"name": "b", "min_version": "1.0.0"}]})],
        installed_operators=[{"package": "odf", "version": "1.0.0", "bundle": None}],
        blocked_images=["quay.io/a/b"],
    )
    request = request_from_options(wanted)
    assert type(request).from_document(json.loads(json.dumps(request.as_document()))) == request


@pytest.mark.parametrize(
    ("given", "graph"),
    [
        pytest.param({}, None, id="one-release"),
        pytest.param(
            {"update_from": ["4.18.20"]},
            "https://api.openshift.com/api/upgrades_info/v1/graph?channel=eus-4.20&arch=amd64",
            id="even-minor",
        ),
        pytest.param(
            {"update_from": ["4.20.9"], "version": "4.21.1", "architecture": ["aarch64"]},
            "https://api.openshift.com/api/upgrades_info/v1/graph?channel=stable-4.21&arch=arm64",
            id="odd-minor",
        ),
        pytest.param(
            {"update_from": ["4.18.20"], "architecture": ["x86_64", "aarch64"]},
            "https://api.openshift.com/api/upgrades_info/v1/graph?channel=eus-4.20&arch=multi",
            id="several architectures",
        ),
        pytest.param(
            {"update_from": ["4.18.20"], "update_channel": "fast-4.20"},
            "https://api.openshift.com/api/upgrades_info/v1/graph?channel=fast-4.20&arch=amd64",
            id="channel",
        ),
        pytest.param(
            {"update_from": ["4.18.20"], "update_graph": "https://updates.example/graph"},
            "https://updates.example/graph",
            id="address",
        ),
        pytest.param({"update_from": ["4.18.20"], "update_graph": "/srv/g.json"}, "/srv/g.json", id="file"),
    ],
)
def test_where_the_update_graph_is(given: dict[str, t.Any], graph: str | None) -> None:
    assert request_from_options(options(**{"version": "4.20.3", **given})).update_graph == graph


def test_several_architectures_are_those_of_one_release() -> None:
    request = request_from_options(options(version="4.20.3", architecture=["aarch64", "x86_64", "aarch64"]))
    assert request.release == "quay.io/openshift-release-dev/ocp-release:4.20.3-multi"
    assert [machine.release for machine in request.machines] == ["aarch64", "x86_64"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"architecture": []}, "it is empty"),
        ({"architecture": ["x86_64", "aarch64"], "boot_images": ["vmware"]}, "for one architecture only"),
    ],
)
def test_architectures_that_cannot_be_built_are_refused(given: dict[str, t.Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        request_from_options(options(version="4.20.3", **given))


def test_a_path_to_what_is_no_version_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="is not a version"):
        request_from_options(options(update_from=["4.18.20"], version="latest"))
