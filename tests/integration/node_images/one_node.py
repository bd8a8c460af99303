# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work on one host, module by module, and how a task of it ended."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    Ended,
    listed,
    plug_in,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

KEEP = {"keep_free_percent": 1}


class Node:
    """One host and the modules that are run for it with one bundle."""

    def __init__(self, lab: Lab, host: NodeHost, bundle: WrittenBundle, controller: Controller) -> None:
        self.lab = lab
        self.host = host
        self.bundle = bundle
        self.controller = controller
        self.medium = plug_in(lab, host.name, bundle)

    def stage(self, **options: t.Any) -> Ended:
        """Stage the bundle, from the medium unless ``options`` say otherwise, and wait for it."""
        return self._run("node_bundle", **{"src": self.medium, **options})

    def serve_staged(self) -> None:
        """Let the node serve what is staged to itself."""
        succeeded(self.controller.task(self.host.name, "image_source", block_registries="always"))

    def load(self, **options: t.Any) -> Ended:
        """Load the images and wait for it."""
        return self._run("node_images", **options)

    def has_images(self) -> None:
        """Stage the bundle, serve it and load its images."""
        succeeded(self.stage())
        self.serve_staged()
        succeeded(self.load())

    def pin(self, **options: t.Any) -> Ended:
        """Pin the images."""
        given = {"index_digest": str(self.bundle.index.digest), **options}
        return self.controller.task(self.host.name, "crio_pinned_images", **given)

    def has_everything(self) -> bool:
        """Whether CRI-O lists every image of the bundle."""
        return set(self.bundle.names) <= set(listed(self.host))

    def _run(self, module: str, **options: t.Any) -> Ended:
        given = {"index_digest": str(self.bundle.index.digest), "wait": True, "wait_timeout": 240, **KEEP, **options}
        return self.controller.task(self.host.name, module, **given)


def succeeded(ended: Ended) -> Ended:
    """Require that a task ended well."""
    assert ended.rc == 0, ended.output
    return ended


def failed(ended: Ended, kind: str) -> dict[str, t.Any]:
    """Require that a task ended in an error of ``kind`` and return its result."""
    assert ended.rc == 2, ended.output
    assert ended.result["error"]["kind"] == kind, ended.result
    return ended.result
