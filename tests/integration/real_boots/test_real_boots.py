# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real bootc on a machine that really boots, switched and rolled back by the playbooks over ssh.

Each test begins with what the one before has left booted, and asks the machine what that is.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.real_boots.virtual_site import VirtualSite
from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import UP_SECONDS, VirtualLab
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY

pytestmark = pytest.mark.long

LAYER_BYTES = 1 << 20
"""More than the one layer takes in which two versions differ, and far less than what they share."""
WAITING: t.Final = {"wait": True, "wait_timeout": 600}


@pytest.fixture
def site(lab: VirtualLab, tmp_path: Path) -> VirtualSite:
    return VirtualSite(lab, tmp_path)


def commands(result: dict[str, t.Any]) -> list[str]:
    """Return what bootc had to do; what it writes to have the host rebooted is removed as well."""
    return [one["action"] for one in result["actions"] if one["action"] != "remove"]


def require_given_back(site: VirtualSite) -> None:
    """Require that nothing is staged, and that node and lock are free."""
    assert (site.staged(), site.schedulable(), site.holder()) == (set(), {site.name: True}, "")


def test_a_machine_that_bootc_installed_is_reported_over_ssh(lab: VirtualLab, site: VirtualSite) -> None:
    found = site.module("os_image_info")
    assert (found["os_image"]["backend"], found["os_image"]["booted"]["digest"]) == ("bootc", lab.first)
    assert found["os_image"]["booted"]["image"] == f"{REPOSITORY}:9.1"
    assert (found["reboot_needed"], found["soft_reboot_prepared"], found["finalized"]) == (False, False, False)


def test_it_is_switched_and_rolled_back(site: VirtualSite) -> None:
    before, boots, digest = site.booted, site.machine.boots, site.publish("9.2")
    switched = site.play("switch_os_image", **site.request(digest), site_soft_reboot="never")
    assert switched.status == 0, switched.output
    assert (switched.result["outcome"], site.booted, site.machine.boots) == ("done", digest, boots + 1)
    require_given_back(site)
    again = site.play("switch_os_image", **site.request(digest), site_soft_reboot="never")
    assert (again.status, again.changed) == (0, 0), again.output
    back = site.play("roll_back_os_image", site_os_image_digest=digest)
    assert back.status == 0, back.output
    assert (site.booted, site.machine.boots) == (before, boots + 2)
    require_given_back(site)


def test_a_list_is_switched_to_by_a_soft_reboot_and_rolled_back(site: VirtualSite) -> None:
    before, boot = site.booted, site.boot_id
    listed, own = site.publish_list("9.3")
    switched = site.play("switch_os_image", **site.request(listed), site_soft_reboot="required")
    assert switched.status == 0, switched.output
    assert (site.booted, site.boot_id) == (own, boot)
    # What the soft reboot left behind is no prepared one.
    assert site.module("os_image_info")["soft_reboot_prepared"] is False
    require_given_back(site)
    back = site.play("roll_back_os_image", site_os_image_digest=listed)
    assert back.status == 0, back.output
    assert site.booted == before
    require_given_back(site)


def test_a_power_cut_loses_what_was_staged_and_the_next_run_ends_well(site: VirtualSite, lab: VirtualLab) -> None:
    digest, before, boot = site.publish("9.4"), site.booted, lab.boot
    killed = site.play("switch_os_image", killed="before Reboot the host", **site.request(digest))
    assert killed.status < 0, killed.output
    assert site.staged() == {digest}
    site.machine.power_cut()
    lab.wait_booted(boot)
    assert (site.booted, site.staged()) == (before, set())
    ended = site.play("switch_os_image", **site.request(digest))
    assert ended.status == 0, ended.output
    assert site.booted == digest
    require_given_back(site)


def test_what_is_downloaded_ahead_is_only_what_is_new_and_arms_nothing(site: VirtualSite, lab: VirtualLab) -> None:
    digest, mark = site.publish("9.5"), lab.registry.access.mark()
    options = {"image": f"{REPOSITORY}:9.5@{digest}", "state": "downloaded", **WAITING}
    found = site.module("os_image", **options)
    assert found["changed"] is True
    fetched = lab.registry.access.requests(mark, kind="blobs", method="GET")
    assert 0 < sum(one.size for one in fetched) < LAYER_BYTES
    assert site.staged() == set()
    assert site.module("os_image", **options)["changed"] is False


def test_a_tag_that_moves_is_followed_by_an_upgrade(site: VirtualSite) -> None:
    options = {"image": f"{REPOSITORY}:moving", "follow_tag": True, **WAITING}
    first = site.publish("9.6", tag="moving")
    switched = site.module("os_image", **options)
    assert (commands(switched), site.staged()) == (["switch"], {first})
    second = site.publish("9.7", tag="moving")
    upgraded = site.module("os_image", **options)
    assert (commands(upgraded), site.staged()) == (["upgrade"], {second})
    assert site.module("os_image", state="unstaged", **WAITING)["changed"] is True
    assert site.staged() == set()


def test_kernel_arguments_come_with_the_next_boot_and_stay(site: VirtualSite, lab: VirtualLab) -> None:
    first, second = site.publish("9.10"), site.publish("9.11")
    options = {"image": f"{REPOSITORY}@{first}", "kernel_arguments": ["lab.one=1", "lab.two=2"], **WAITING}
    staged = site.module("os_image", **options)
    assert (commands(staged), site.staged()) == (["switch", "kernel_arguments"], {first})
    assert site.module("os_image", **options)["changed"] is False
    boot = lab.boot
    site.machine.run("systemctl", "reboot", check=False)
    lab.wait_booted(boot)
    assert {"lab.one=1", "lab.two=2"} <= set(site.machine.run("cat", "/proc/cmdline").split())
    assert site.module("os_image", **options)["changed"] is False
    site.module("os_image", image=f"{REPOSITORY}@{second}", kernel_arguments_absent=["lab.one=1"], **WAITING)
    left = site.module("os_image_info")["kernel_arguments"]["next_boot"]
    assert (site.staged(), "lab.one=1" in left, "lab.two=2" in left) == ({second}, False, True)
    assert site.module("os_image", state="unstaged", **WAITING)["changed"] is True


def test_without_composefs_an_image_waits_for_a_full_reboot(site: VirtualSite, lab: VirtualLab) -> None:
    site.machine.arguments, boot = "", lab.boot
    site.machine.power_cut()
    lab.wait_booted(boot)
    digest = site.publish("9.8")
    options = {"image": f"{REPOSITORY}@{digest}", "soft_reboot": "auto", **WAITING}
    staged = site.module("os_image", **options)
    assert (staged["changed"], staged["soft_reboot_prepared"], site.staged()) == (True, False, {digest})
    # Userspace restarts in the same root, and bootc shows what was staged like a requested rollback.
    site.machine.run("systemctl", "soft-reboot", check=False)
    wait_for(lambda: site.soft_reboots == "1", UP_SECONDS)
    found = site.module("os_image_info")
    assert (found["os_image"]["next_boot"], found["finalized"], site.staged()) == ("rollback", True, set())
    assert site.module("os_image", **options)["changed"] is False
    boot = lab.boot
    site.machine.run("systemctl", "reboot", check=False)
    lab.wait_booted(boot)
    assert (site.booted, site.module("os_image_info")["finalized"]) == (digest, False)


def test_an_update_is_reported_for_the_tag_that_was_looked_up(site: VirtualSite) -> None:
    # Another name of the booted image: both deployments have one commit, with which bootc stores the update.
    same = site.publish(site.version, tag="looked-up")
    site.module("os_image", image=f"{REPOSITORY}:looked-up", follow_tag=True, **WAITING)
    assert (site.staged(), site.booted) == ({same}, same)
    update = site.publish("9.9", tag="looked-up")
    site.machine.run("bootc", "upgrade", "--check")
    told = {name: one["cachedUpdate"] for name, one in site.status(site.name).items() if name in ("booted", "staged")}
    assert [one["imageDigest"] for one in told.values()] == [update, update]
    found = site.module("os_image_info")["os_image"]
    assert [found[name]["cached_update_digest"] for name in ("staged", "booted")] == [update, None]
    assert site.module("os_image", state="unstaged", **WAITING)["changed"] is True
