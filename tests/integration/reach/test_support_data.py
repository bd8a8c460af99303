# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Support data of a node that is reached through its helper pod."""

from __future__ import annotations

import json
import tarfile
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import upper
from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import Site

NODE = "worker-0"
ROLE = "fieldops.openshift.gather_support_data"


def test_a_node_is_collected_through_its_pod_and_keeps_nothing(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "support"
    folder.mkdir()
    options = {"gather_support_data_nodes": [NODE], "gather_support_data_path": str(folder)}
    access = {"group/fieldops.openshift.cluster": {"kubeconfig": str(site.lab.api.kubeconfig)}}
    gather = {"ansible.builtin.include_role": {"name": ROLE}, "vars": options}
    done = site.play([{"block": [gather], "module_defaults": access}], hosts="localhost")
    assert done.status == 0, done.output
    (path,) = folder.iterdir()
    with tarfile.open(path) as archive:
        found = {one.name.partition("/")[2]: archive.extractfile(one) for one in archive}
        manifest = json.loads(t.cast("t.IO[bytes]", found["manifest.json"]).read())
    assert "cluster/Node.json" in found
    states = {part["name"]: part["state"] for part in manifest["parts"]}
    assert states[f"nodes/{NODE}/journal/crio.log"] == "collected"
    assert f"nodes/{NODE}/commands/crictl-images.json" in found
    assert not (upper(site.lab.hosts[NODE]) / "run/fieldops-openshift/support").exists()
