# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The play that switches hosts is killed before and after each of its commands, and each time run again."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import REPOSITORY, SwitchSite

HOST = "worker-1"
COMMANDS: t.Final = [
    "Download the image to the host",
    "Acquire the lock",
    "Drain the node",
    "Record the start of the change",
    "Stage the image",
    "Record that the node reboots",
    "Reboot the host",
    "Wait until the node is back",
    "Gather the booted image of the host",
]
"""In the order in which a host passes them; what comes after is ``ENDS``."""

MOMENTS: t.Final = [f"{moment} {name}" for name in COMMANDS for moment in ("before", "after")]
ENDS: t.Final = ["before Uncordon the node", "after Uncordon the node"]


def request(digest: str) -> dict[str, t.Any]:
    """Return what is asked of one host."""
    return {"site_os_image": REPOSITORY, "site_os_image_digest": digest, "site_nodes": [HOST]}


@pytest.mark.long
def test_however_often_it_is_killed_it_goes_on_and_reboots_once(site: SwitchSite) -> None:
    digest, boots = site.publish("killed"), site.boots()[HOST]
    for moment in [*MOMENTS, *ENDS]:
        killed = site.play("switch_os_image", killed=moment, **request(digest))
        assert killed.status < 0, f"it ended before the moment {moment!r}:\n{killed.output}"
    ended = site.play("switch_os_image", **request(digest))
    assert ended.status == 0, ended.output
    assert (site.digests()[HOST], site.boots()[HOST] - boots) == (digest, 1)
    assert (site.schedulable()[HOST], site.staged()) == (True, set())


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("after Stage the image", marks=pytest.mark.long),
        "before Reboot the host",
        pytest.param("after Reboot the host", marks=pytest.mark.long),
    ],
)
def test_one_more_run_is_enough(site: SwitchSite, moment: str) -> None:
    digest, boots = site.publish(moment.replace(" ", "-")), site.boots()[HOST]
    killed = site.play("switch_os_image", killed=moment, **request(digest))
    assert killed.status < 0, killed.output
    ended = site.play("switch_os_image", **request(digest))
    assert ended.status == 0, ended.output
    assert (site.digests()[HOST], site.boots()[HOST] - boots) == (digest, 1)
    assert (site.schedulable()[HOST], site.staged(), site.holder()) == (True, set(), "")
