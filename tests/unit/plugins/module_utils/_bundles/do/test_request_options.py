# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is told about options before any work."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.request_options import request_warnings

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
