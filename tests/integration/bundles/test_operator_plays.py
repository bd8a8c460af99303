# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of the page about operators, run against a registry."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import SOURCES, Builder
from ansible_collections.fieldops.openshift.tests.integration.bundles.partner_catalog import (
    CATALOG,
    PartnerCatalog,
    catalog_documents,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import start_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for

if t.TYPE_CHECKING:
    from pathlib import Path

OPERATORS = f"""
site_operators:
  - catalog: {CATALOG}
    packages:
      - name: gateway
        channel: stable
        max_version: 1.10.0
"""
IMAGE_SET = f"""
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform: {{channels: [{{name: stable-4.21, maxVersion: 4.21.3}}]}}
  operators: [{{catalog: "{CATALOG}", packages: [{{name: gateway, maxVersion: 1.2.0}}]}}]
  blockedImages: [{{name: gateway/debug}}]
  helm: {{local: [{{name: x}}]}}
"""


@pytest.fixture
def commands(builder: Builder, catalog: PartnerCatalog, tmp_path: Path) -> Commands:
    """Commands on a machine with files of a site, and a catalog that has an image without a registry."""
    catalog.documents[-1]["relatedImages"].append({"name": "debug", "image": "gateway/debug:1"})
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    (tmp_path / "operators.yml").write_text(OPERATORS)
    (tmp_path / "site-a.yml").write_text("- {package: gateway, version: 1.0.0}\n")
    (tmp_path / "imageset-config.yaml").write_text(IMAGE_SET)
    return Commands(builder, tmp_path)


class Commands:
    """Runs create_bundle as a page shows it."""

    def __init__(self, builder: Builder, folder: Path) -> None:
        self.builder = builder
        self._folder = folder
        registry = builder.registry
        mirrors = [{"source": one, "mirrors": [registry.host], "contact_source": False} for one in SOURCES]
        settings = {
            "site_bundle": str(builder.path),
            "site_release": "4.21.3",
            "site_mirrors": mirrors,
            "site_ca_file": str(registry.ca_file),
            "site_pull_secret": str(registry.pull_secret),
            "site_release_keys": [builder.trusted_key],
            "site_signature_stores": [builder.store],
        }
        (folder / "machine.json").write_text(json.dumps(settings))

    def run(self, *words: str) -> tuple[int | None, str]:
        """Return the status and the output of the playbook."""
        command = ["fieldops.openshift.create_bundle", "-e", f"@{self._folder}/machine.json", *words]
        play = start_ansible_playbook(command, environment_for(self._folder, {}))
        output, _unused = play.communicate(timeout=300)
        return play.returncode, output

    def of(self, name: str) -> str:
        """Return the path of a file of the site."""
        return str(self._folder / name)


def test_updates_from_what_a_site_runs_are_included(commands: Commands) -> None:
    given = [
        "-e",
        f"@{commands.of('operators.yml')}",
        "-e",
        f"site_installed_operators_file={commands.of('site-a.yml')}",
    ]
    status, output = commands.run(*given)
    assert status != 0
    assert "gateway/debug:1" in output
    given += ["-e", "site_blocked_images=gateway/debug"]
    status, output = commands.run(*given, "--check")
    assert status == 0, output
    assert "gateway, channel stable: 1.2.0, 1.10.0" in output
    assert commands.builder.folder.last_index() is None
    status, output = commands.run(*given)
    assert status == 0, output
    assert "gateway, channel stable: 1.2.0, 1.10.0" in output
    assert "gateway.v1.10.0: the image gateway/debug:1 was left out" in output
    assert [one["name"] for one in catalog_documents(commands.builder)] == [
        "gateway",
        "stable",
        "gateway.v1.10.0",
        "gateway.v1.2.0",
    ]


def test_a_configuration_of_oc_mirror_is_used(commands: Commands) -> None:
    status, output = commands.run("-e", f"site_image_set_configuration={commands.of('imageset-config.yaml')}")
    assert status == 0, output
    assert "gateway, channel stable: 1.2.0" in output
    assert "keys without effect: mirror.helm" in " ".join(output.split())
