# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is told about options before any work."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.request_options import (
    request_from_options,
    request_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.modules.release_bundle import SPEC

IMAGE_SET = """
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
archiveSize: 4
mirror:
  platform: {channels: [{name: stable-4.20}]}
  operators: [{catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20}]
  additionalImages:
  - {name: quay.io/a/b:1, targetTag: x}
  - {name: quay.io/a/c:1}
  blockedImages: [{name: quay.io/a/d}]
  helm: {}
"""


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        pytest.param(
            IMAGE_SET,
            "archiveSize, mirror.platform, mirror.operators, mirror.blockedImages, mirror.additionalImages[].targetTag",
            id="all",
        ),
        pytest.param(
            "kind: ImageSetConfiguration\nmirror: {additionalImages: [{name: quay.io/a/b:1}]}\n", "", id="none"
        ),
        pytest.param("kind: ImageSetConfiguration\n", "", id="nothing in it"),
    ],
)
def test_keys_of_an_image_set_configuration_without_effect_are_named(tmp_path: Path, text: str, keys: str) -> None:
    path = tmp_path / "isc.yaml"
    path.write_text(text)
    told = request_warnings({"image_set_configuration": str(path)})
    assert [warning.partition("Ignored: ")[2] for warning in told] == ([keys] if keys else [])
    assert all(str(path) in warning for warning in told)
    assert request_warnings({"image_set_configuration": None}) == []


def options(**given: t.Any) -> dict[str, t.Any]:
    """Return the options of release_bundle with their defaults."""
    defaults = {name: option.get("default") for name, option in SPEC.options.items()}
    return {**defaults, "path": "/mnt/disk", "version": "4.20.3", **given}


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
            {"update_from": ["4.20.9"], "version": "4.21.1", "architecture": "aarch64"},
            "https://api.openshift.com/api/upgrades_info/v1/graph?channel=stable-4.21&arch=arm64",
            id="odd-minor",
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
    assert request_from_options(options(**given)).update_graph == graph


def test_a_path_to_what_is_no_version_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="is not a version"):
        request_from_options(options(update_from=["4.18.20"], version="latest"))
