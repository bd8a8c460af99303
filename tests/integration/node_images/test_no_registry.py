# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the medium to the pod that runs, no node asks a registry, also not one that would be there."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.decoy import decoy
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    listed,
    plug_in,
    run_pod,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost


def test_nobody_knocks_where_the_registries_would_be(
    lab: Lab, host: NodeHost, bundle: WrittenBundle, controller: Controller, tmp_path: Path
) -> None:
    registries = sorted({name.partition("/")[0] for name in bundle.names})
    variables: dict[str, t.Any] = {
        "site_nodes": [host.name],
        "site_bundle_digest": str(bundle.index.digest),
        "site_bundle_src_by_node": {host.name: plug_in(lab, host.name, bundle)},
        "site_keep_free_percent": 1,
        "site_block_registries": "always",
    }
    with decoy(lab, [host], registries, tmp_path) as seen:
        ended = controller.play("fieldops.openshift.stage_bundle", **variables)
        assert ended.rc == 0, ended.output
        assert dict.fromkeys(bundle.names, True).items() <= listed(host).items()
        since = host.run("date", "+%Y-%m-%d %H:%M:%S.%N").strip()
        run_pod(
            lab,
            host.name,
            "asks-nobody",
            next(str(image.name) for image in bundle.index.images if image.component == "etcd"),
        )
        assert seen.callers == []
        journal = host.run("journalctl", "--unit", "crio", "--since", since, "--no-pager")
        assert "Pulled image" not in journal
        assert controller.task(host.name, "image_source", block_registries="never").rc == 0
        # What is asked for would have been seen.
        nowhere = f"{registries[0]}/openshift-release-dev/ocp-v4.0-art-dev@sha256:{'0' * 64}"
        host.run("crictl", "--timeout", "30s", "pull", nowhere, check=False)
        assert seen.callers != []
        assert {line.split()[0] for line in seen.callers} == {host.address}
