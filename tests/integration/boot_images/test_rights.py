# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rights that the collection ships are enough for each module, and the reader's let nobody change anything."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import OLD, RIGHT, Site, codes
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images


def test_a_reader_sees_all_and_changes_nothing(site: Site) -> None:
    grant(site.rest, "observer", "boot-image-reader.yml")
    site.add("site-a")
    assert codes(site.look("observer", vouched_images=[OLD])) == {"site-a": "outdated"}
    with pytest.raises((ApiError, BootImageRefusedError)):
        site.change(client=site.client("observer"), vouched_images=[OLD])
    assert site.images() == {"site-a": OLD}


def test_a_manager_goes_there_and_back(site: Site) -> None:
    grant(site.rest, "technician", "boot-image-reader.yml", "boot-image-manager.yml")
    site.rest.apply(boot_images.user_data("2.2.0"))
    site.add("site-a")
    site.change(client=site.client("technician"), vouched_images=[OLD])
    assert site.images() == {"site-a": RIGHT}
    assert site.history()[0]["by"] == "technician"
    site.change(client=site.client("technician"), state="reverted")
    assert (site.images(), site.stub()["ignition"]["version"]) == ({"site-a": OLD}, "2.2.0")
