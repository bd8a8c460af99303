# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""CRI-O itself empties its storage after an unclean stop, pins or not; the images return from the bundle that stayed.

On a node of OpenShift ``crio-wipe.service`` runs ``crio wipe`` before CRI-O at each boot; the lab's hosts have no such
unit, so one of them gets it here.
"""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, listed
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

WIPE = "[Service]\nExecStartPre=/usr/bin/crio wipe\n"


def test_images_return_from_the_bundle_that_stayed(
    lab: Lab, bundle: WrittenBundle, controller: Controller, fresh_node: Callable[..., NodeHost]
) -> None:
    node = Node(lab, fresh_node(), bundle, controller)
    host = node.host
    node.has_images()
    succeeded(node.pin())
    host.write("/etc/systemd/system/crio.service.d/wipe.conf", WIPE)
    host.lose_power()
    host.power_on()
    lab.wait_ready([host.name])
    assert "suspected unclean shutdown" in host.run("journalctl", "--boot", "--unit", "crio", "--no-pager")
    assert not set(bundle.names) & set(listed(host)), "a pin does not keep an image from being wiped"
    # As a kubelet would have it for a pod that it is to run: nothing was loaded, no play was run, no network is there.
    host.run("crictl", "--timeout", "10s", "pull", node.bundle.names[0])
    assert succeeded(node.stage(src="", sources=[])).result["bundle"]["complete"], "without any source"
    assert succeeded(node.load()).result["changed"] is True
    assert dict.fromkeys(bundle.names, True).items() <= listed(host).items(), "the pins are still in place"
