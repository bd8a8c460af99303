# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site of three hosts is switched; the second does not come back, is rolled back, and a better image ends it."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import (
    REPOSITORY,
    TIMER,
    SwitchSite,
    never_ready_on,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member

FIRST, SECOND, THIRD = "master-0", "worker-0", "worker-1"
WORKERS: t.Final = [SECOND, THIRD]
CLOSED: t.Final = {"strategy": "Restrictive"}
CANARY = "Y2FuYXJ5OmNhbmFyeQ=="


def test_outside_the_window_nothing_is_armed(site: SwitchSite) -> None:
    digest, before, boots = site.publish("later"), site.digests(), site.boots()
    run = site.play("switch_os_image", site_os_image=REPOSITORY, site_os_image_digest=digest, site_change_stanza=CLOSED)
    assert run.status == 0, run.output
    assert (run.result["outcome"], run.result["booted"], site.digests()) == ("restricted", before, before)
    assert (site.boots(), site.staged()) == (boots, set())
    pulled = site.host(SECOND).run("ostree", "--repo=/sysroot/ostree/repo", "refs", "--list", "ostree/container/image")
    assert digest.partition(":")[2] in pulled
    assert "/ostree-repo " not in site.host(SECOND).run("cat", "/proc/1/mountinfo")


@pytest.mark.long
def test_a_host_that_never_gets_ready_is_rolled_back_and_a_good_image_completes(site: SwitchSite) -> None:
    bad = site.publish("bad", never_ready_on(SECOND))
    # A list, as registries show it, of which each host has its own architecture's image.
    listed, good = site.publish_list("good")
    before, boots = site.digests(), site.boots()
    request: dict[str, t.Any] = {"site_os_image": REPOSITORY, "site_node_ready_timeout": 90}
    failed = site.play("switch_os_image", **request, site_os_image_digest=bad)
    assert failed.status > 0, failed.output
    result = failed.result
    assert (result["outcome"], result["failed"], result["rolled_back"]) == ("failed", [SECOND], [SECOND])
    assert SECOND in result["reason"]
    assert THIRD in result["remaining"]
    assert result["booted"] == site.digests() == {FIRST: bad, SECOND: before[SECOND], THIRD: before[THIRD]}
    assert {name: count - boots[name] for name, count in site.boots().items()} == {FIRST: 1, SECOND: 2, THIRD: 0}
    assert (site.schedulable(), site.staged(), site.holder()) == (dict.fromkeys(before, True), set(), "")
    done = site.play("switch_os_image", **request, site_os_image_digest=listed)
    assert done.status == 0, done.output
    assert done.result["booted"] == site.digests() == dict.fromkeys(before, good)
    again = site.play("switch_os_image", **request, site_os_image_digest=listed)
    assert (again.status, again.changed) == (0, 0), again.output
    back = site.play("roll_back_os_image", site_os_image_digest=listed, site_nodes=WORKERS)
    assert back.status == 0, back.output
    assert site.digests() == {**before, FIRST: good}


@pytest.mark.long
def test_what_belongs_to_the_machine_comes_along(site: SwitchSite, tmp_path: Path) -> None:
    host, present = site.host(THIRD), site.digests()[THIRD]
    earlier: dict[str, t.Any] = {"site_os_image": REPOSITORY, "site_os_image_digest": present, "site_nodes": [THIRD]}
    unmasked = site.play("switch_os_image", **earlier, site_timers="restored")
    assert unmasked.status == 0, unmasked.output
    digest = site.publish("whole")
    (tmp_path / "auth.json").write_text(json.dumps({"auths": {"quay.io": {"auth": CANARY}}}))
    host.run("systemctl", "enable", "--now", TIMER)
    request: dict[str, t.Any] = {**earlier, "site_os_image_digest": digest}
    request |= {"site_kernel_arguments": ["nosmt"], "site_registry_auth_file": str(tmp_path / "auth.json")}
    waiting = site.play("switch_os_image", "-vvv", **request, site_timers="restored", site_change_stanza=CLOSED)
    assert waiting.status == 0, waiting.output
    assert host.run("systemctl", "is-enabled", TIMER, check=False).strip() == "masked"
    done = site.play("switch_os_image", "-vvv", **request, site_timers="restored")
    assert done.status == 0, done.output
    assert site.digests()[THIRD] == digest
    assert "nosmt" in host.run("rpm-ostree", "kargs").split()
    assert host.run("systemctl", "is-enabled", TIMER).strip() == "enabled"
    assert CANARY not in waiting.output + done.output
    again = site.play("switch_os_image", **request, site_timers="restored")
    assert (again.status, again.changed) == (0, 0), again.output


@pytest.mark.long
def test_a_host_that_cannot_keep_its_kernel_is_left_with_nothing_armed(site: SwitchSite) -> None:
    boots = site.boots()
    digest = site.publish("kernel", Member("usr/lib/modules/6.13.0-1/vmlinuz", b"another\n"))
    request: dict[str, t.Any] = {"site_os_image": REPOSITORY, "site_os_image_digest": digest, "site_nodes": [SECOND]}
    refused = site.play("switch_os_image", **request, site_soft_reboot="required")
    assert refused.status > 0, refused.output
    assert "composefs" in refused.result["reason"]
    assert (site.staged(), site.boots(), site.schedulable()[SECOND]) == (set(), boots, True)


def test_a_host_of_bootc_operator_is_refused_by_name_and_left_alone(site: SwitchSite) -> None:
    digest, before = site.publish("refused"), site.digests()
    path = f"/api/v1/nodes/{THIRD}"
    site.lab.api.rest.merge(path, {"metadata": {"labels": {"bootc.dev/managed": ""}}})
    try:
        refused = site.play("switch_os_image", site_os_image=REPOSITORY, site_os_image_digest=digest)
    finally:
        site.lab.api.rest.merge(path, {"metadata": {"labels": {"bootc.dev/managed": None}}})
    assert refused.status > 0, refused.output
    assert f"bootc-operator manages the OS image of {THIRD}" in refused.output
    assert "switch_bootc_pool" in refused.output
    assert (site.digests(), site.staged()) == (before, set())
