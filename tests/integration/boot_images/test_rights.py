# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rights that the collection ships are enough for each module, and the reader's let nobody change anything."""

from __future__ import annotations

import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import OLD, RIGHT, Site, codes
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images

RBAC = COLLECTIONS / "ansible_collections/fieldops/openshift/extensions/rbac"
API = "rbac.authorization.k8s.io/v1"


def grant(site: Site, user: str, *files: str) -> None:
    """Apply what is shipped and bind every role in it to a user."""
    for file in files:
        for item in yaml.safe_load((RBAC / file).read_text())["items"]:
            site.rest.apply(item)
            if item["kind"] in ("Role", "ClusterRole"):
                site.rest.apply(binding(item, user))


def binding(role: dict[str, t.Any], user: str) -> dict[str, t.Any]:
    metadata = role["metadata"]
    place = {"namespace": metadata["namespace"]} if "namespace" in metadata else {}
    return {
        "apiVersion": API,
        "kind": f"{role['kind']}Binding",
        "metadata": {"name": f"{metadata['name']}-{user}", **place},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": role["kind"], "name": metadata["name"]},
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user}],
    }


def test_a_reader_sees_all_and_changes_nothing(site: Site) -> None:
    grant(site, "observer", "boot-image-reader.yml")
    site.add("site-a")
    assert codes(site.look("observer", vouched_images=[OLD])) == {"site-a": "outdated"}
    with pytest.raises((ApiError, BootImageRefusedError)):
        site.change(client=site.client("observer"), vouched_images=[OLD])
    assert site.images() == {"site-a": OLD}


def test_a_manager_goes_there_and_back(site: Site) -> None:
    grant(site, "technician", "boot-image-reader.yml", "boot-image-manager.yml")
    site.rest.apply(boot_images.user_data("2.2.0"))
    site.add("site-a")
    site.change(client=site.client("technician"), vouched_images=[OLD])
    assert site.images() == {"site-a": RIGHT}
    assert site.history()[0]["by"] == "technician"
    site.change(client=site.client("technician"), state="reverted")
    assert (site.images(), site.stub()["ignition"]["version"]) == ({"site-a": OLD}, "2.2.0")
