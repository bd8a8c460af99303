# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The stories that matter: an update that goes through, a closed window, a lost node, a power cut."""

from __future__ import annotations

import typing as t
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage, StoryError
from ansible_collections.fieldops.openshift.tests.lab.faults import API_STOPPED, WITHOUT_POWER, during

WIPE = "[Service]\nExecStartPre=/usr/bin/crio wipe\n"
"""What crio-wipe.service of OpenShift's nodes does at each boot; the lab's hosts have no such unit."""
READY_SECONDS = 45  # how long the failing story waits for a node that will not come back


def success(stage: Stage) -> None:
    """Build a bundle, cut the registry off, update the site from the bundle, and show that a second run has no work."""
    _bundle(stage)
    stage.tell("On site: the update, from the USB drive, in an open window")
    before = stage.boots()
    stage.require(stage.play("update_site", stage.update_site()) == 0, "The update of the site failed.")
    _show_images(stage)
    _show_release(stage)
    after = stage.boots()
    stage.require(all(after[name] != before[name] for name in before), "Not every node was rebooted.")
    stage.tell("The same command again: everything is as it should be, so nothing is done")
    stage.require(stage.play("update_site", stage.update_site()) == 0, "The second run failed.")
    stage.require(stage.boots() == after, "The second run rebooted a node.")
    stage.tell("Done: every node holds the release, pinned, and went through the roll; no registry was asked")


def closed_window(stage: Stage) -> None:
    """Stage, load and pin; then stop before the first node is touched, and say when it may go on."""
    _bundle(stage)
    stage.tell("On site: the update, while the window is closed")
    before = stage.boots()
    policy, opening = _closed_policy(datetime.now(timezone.utc))
    status = stage.play("update_site", {**stage.update_site(), **policy})
    stage.require(status != 0, "The nodes are not at the release, and the play did not say so.")
    stage.require(stage.boots() == before, "A node was rebooted although the window is closed.")
    _show_images(stage)
    stage.tell(f"Done: the images wait on the nodes, no node was touched; the window opens at {opening}")


def failing_node(stage: Stage, wanted: str) -> None:
    """Let one node not come back: the roll stops there. Repair it, run the same command again: it goes on."""
    _bundle(stage)
    order = sorted(stage.lab.hosts)
    name = order[int(wanted[4:]) - 1] if wanted.startswith("node") and wanted[4:].isdigit() else wanted
    if name not in stage.lab.hosts:
        raise StoryError(f"There is no node {wanted}; take one of {', '.join(order)}.")
    stage.tell(f"Damage: the kubelet of {name} will not start after its next boot")
    stage.lab.hosts[name].run("systemctl", "disable", "kubelet")
    stage.tell("On site: the update, from the USB drive, in an open window")
    site = {**stage.update_site(), "site_node_ready_timeout": READY_SECONDS}
    stage.require(stage.play("update_site", site) != 0, "A node did not come back and the play did not say so.")
    stage.tell(f"Repair: a technician follows the advice and starts the kubelet of {name}")
    stage.lab.hosts[name].run("systemctl", "enable", "--now", "kubelet")
    stage.tell("The same command again: it finishes that node first, then goes on with the others")
    stage.require(stage.play("update_site", site) == 0, "The run after the repair failed.")
    _show_images(stage)
    _show_release(stage)
    stage.tell("Done: the roll stopped at the node that did not come back, and went on after the repair")


def power_cut(stage: Stage) -> None:
    """Unplug the whole site in the middle of the update and plug it in: it comes back, the same command goes on."""
    _bundle(stage)
    stage.tell("On site: the update, from the USB drive, in an open window")
    wiped = min(stage.lab.hosts)
    stage.lab.hosts[wiped].write("/etc/systemd/system/crio.service.d/wipe.conf", WIPE)
    cut = stage.play_until("update_site", stage.update_site(), stage.worker_went_down)
    stage.require(cut, "The update ended before a worker was rebooted.")
    stage.tell("The power of the whole site is cut: nodes, API and laptop")
    with during(WITHOUT_POWER, *stage.lab.hosts.values()), during(API_STOPPED, stage.lab):
        cut_at = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    stage.tell(f"Power is back. CRI-O of {wiped} finds that it was not shut down, and empties its container storage")
    seconds = stage.wait_for_pods(wiped, cut_at)
    wipe = stage.lab.hosts[wiped].run("journalctl", "--boot", "--unit", "crio", "--no-pager")
    stage.require("suspected unclean shutdown" in wipe, f"The container storage of {wiped} was not emptied.")
    stage.tell(f"The pods of {wiped} run again {seconds:.0f} s later, from the bundle on its own disk: no play was run")
    stage.tell("The same command again: it goes on where the power was cut")
    stage.require(stage.play("update_site", stage.update_site()) == 0, "The run after the power cut failed.")
    _show_images(stage)
    _show_release(stage)
    stage.tell("Done: a site without a registry came back by itself, and its update was finished")


def _bundle(stage: Stage) -> None:
    stage.tell("The lab is up. On the connected side: a bundle from the registry")
    stage.require(stage.play("create_bundle", stage.create_bundle()) == 0, "The bundle was not built.")
    stage.tell("Cutting the registry off: from here on there is none")
    stage.lab.cut_registry()


def _closed_policy(now: datetime) -> tuple[dict[str, t.Any], str]:
    """Return a weekly window that opens in two days, as variables of the site, and when it opens."""
    opening = (now + timedelta(days=2)).replace(hour=22, minute=0, second=0, microsecond=0)
    weekly = {"frequency": "Weekly", "weekly": {"daysOfWeek": [f"{opening:%A}"], "interval": 1}}
    schedule = {"permit": {"recurrence": weekly, "startTime": "22:00", "duration": "4h"}}
    policies = {"night": {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": schedule}}}
    stanza = {"strategy": "ByPolicy", "byPolicy": {"name": "night"}}
    return {"site_change_policies": policies, "site_change_stanza": stanza}, f"{opening:%Y-%m-%d %H:%M} UTC"


def _show_images(stage: Stage) -> None:
    """End the story if a node lacks images of the release or their pins by crictl; otherwise say that none does."""
    wanted = stage.image_names
    stage.tell("What crictl says on each node")
    for node in stage.lab.hosts:
        held = stage.images_on(node)
        pinned = sum(held.get(name, False) for name in wanted)
        stage.require(pinned == len(wanted), f"Node {node} has {pinned} of {len(wanted)} images held and pinned.")
    print(f"    {', '.join(stage.lab.hosts)}: {len(wanted)} images held by repo@digest and pinned", flush=True)


def _show_release(stage: Stage) -> None:
    """Show what the version operator says and runs from; end the story unless it has verified and applied all."""
    stage.tell("What the cluster-version-operator says, which came with the release")
    last, image = stage.last_update(), str(stage.release.reference.by_digest())
    print(f"    {last['version']} {last['state']}, verified: {last['verified']}, {last['image']}", flush=True)
    stage.require((last["state"], last["image"], last["verified"]) == ("Completed", image, True), "It is not done.")
    stage.require(stage.version_operator_image() == image, "The version operator is not that of the release.")
