# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of a fleet: counts, causes first, and nothing of a hub as markup."""

from __future__ import annotations

import re
import typing as t
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.fleet_page import fleet_html, fleet_lines

NOW = int(datetime(2026, 11, 27, 12, tzinfo=timezone.utc).timestamp())
KEYS = ("state", "version", "window", "ring", "hardware", "platform")


def cluster(name: str, *blocks: str, **changed: str) -> dict[str, t.Any]:
    values = {**dict.fromkeys(KEYS, ""), "state": "available", "version": "4.21.5", **changed}
    return {"cluster_name": name, "cluster_blocks": [*blocks], **{f"cluster_{key}": it for key, it in values.items()}}


FLEET = [
    cluster("a", window="saturday"),
    cluster("b", "The hub cannot reach it. <b>x</b>.", state="unavailable", version="4.21.3"),
    cluster("c", "AgentClusterInstall: no disk.", state="install_failed", version=""),
    cluster("d", window="saturday"),
]


def cells(page: str, heading: str) -> list[list[str]]:
    body = page.partition(f"<h2>{heading}</h2>")[2].partition("</table>")[0].partition("<tbody>")[2]
    return [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in body.split("<tr>")[1:]]


def test_clusters_are_counted() -> None:
    page = fleet_html(FLEET, NOW)
    assert cells(page, "By state") == [
        ["available", "2", "50.0%"],
        ["install_failed", "1", "25.0%"],
        ["unavailable", "1", "25.0%"],
    ]
    assert cells(page, "By release") == [["4.21.5", "2", "50.0%"], ["4.21.3", "1", "25.0%"], ["none", "1", "25.0%"]]
    assert cells(page, "By window") == [["none", "2", "50.0%"], ["saturday", "2", "50.0%"]]
    assert "4 clusters, read from the hub. Written at 2026-11-27T12:00:00Z." in page


def test_failed_installations_come_first_and_texts_are_escaped() -> None:
    page = fleet_html(FLEET, NOW)
    assert cells(page, "What prevents updates") == [
        ["c", "install failed", "", "AgentClusterInstall: no disk."],
        ["b", "unavailable", "4.21.3", "The hub cannot reach it. &lt;b&gt;x&lt;/b&gt;."],
    ]
    assert [row[0] for row in cells(page, "All clusters")] == ["b", "c", "a", "d"]


def test_a_fleet_without_clusters_says_so() -> None:
    assert "The inventory has no group managed_clusters." in fleet_html([], NOW)


def test_a_terminal_shows_twenty_causes() -> None:
    lines = fleet_lines([*FLEET, *(cluster(f"x{number:02}", "Off.", state="unavailable") for number in range(30))])
    assert lines[:3] == ["34 clusters", "State: 31 unavailable, 2 available, 1 install_failed", lines[2]]
    assert len(lines) == 1 + 5 + 20 + 1
    assert lines[-1] == "and 12 more clusters that cannot be updated"
