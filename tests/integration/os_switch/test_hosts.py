# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab host boots real OSTree deployments: what ostree keeps, merges and brings back is on its disk."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import MARK, REPOSITORY, SwitchSite
from ansible_collections.fieldops.openshift.tests.lab.node.ostree_sysroot import BASE_DIGEST
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member

HOST = "worker-1"


def test_switch_reboot_and_rollback_happen_on_disk(site: SwitchSite) -> None:
    host = site.host(HOST)
    first = host.booted
    digest = site.publish("spike", Member("usr/etc/from-image", b"image\n"))
    assert site.status(HOST)["booted"]["image"]["imageDigest"] == BASE_DIGEST
    host.run("sh", "-c", "echo mine > /etc/mine; echo kept > /var/lib/kept")
    host.run("bootc", "switch", f"{REPOSITORY}@{digest}")
    assert site.status(HOST)["staged"]["image"]["imageDigest"] == digest
    site.lab.reboot(HOST)
    site.lab.wait_ready([HOST])
    assert (host.booted != first, site.status(HOST)["booted"]["image"]["imageDigest"]) == (True, digest)
    found = host.run("cat", f"/{MARK}", "/etc/from-image", "/etc/mine", "/var/lib/kept").split()
    assert found == ["spike", "image", "mine", "kept"]
    host.run("sh", "-c", "echo later > /etc/later")
    host.run("bootc", "rollback")
    site.lab.reboot(HOST)
    site.lab.wait_ready([HOST])
    assert (host.booted, site.status(HOST)["booted"]["image"]["imageDigest"]) == (first, BASE_DIGEST)
    assert host.run("sh", "-c", "ls /etc/later /etc/from-image; cat /etc/mine /var/lib/kept", check=False).split() == [
        "mine",
        "kept",
    ]


@pytest.mark.long
def test_the_image_cannot_be_written(site: SwitchSite) -> None:
    said = site.host(HOST).run("sh", "-c", "touch /usr/lib/x 2>&1 || true")
    assert "Read-only file system" in said
