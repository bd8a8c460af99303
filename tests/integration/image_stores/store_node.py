# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host of the lab with slots for image stores, the modules that are run for it, and pods on it."""

from __future__ import annotations

import json
import shutil
import typing as t

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    OURS,
    Controller,
    Ended,
    listed,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

STORES = "/var/lib/fieldops/stores"
LOOP_DEVICES = 64
Json = dict[str, t.Any]


class StoreNode:
    """The host ``name``. Bundles are plugged in as sticks, each at a place of its own."""

    def __init__(self, lab: Lab, name: str, controller: Controller | None) -> None:
        self.lab = lab
        self.host = lab.hosts[name]
        self._controller = controller

    def give_loop_devices(self) -> None:
        """Give the host what a machine has and a container lacks, now and at every boot."""
        lines = ["c+ /dev/loop-control 0600 root root - 10:237"]
        lines += [f"b+ /dev/loop{number} 0600 root root - 7:{number}" for number in range(LOOP_DEVICES)]
        self.host.write("/etc/tmpfiles.d/lab-loop.conf", "\n".join(lines) + "\n")
        self.host.run("systemd-tmpfiles", "--create", "/etc/tmpfiles.d/lab-loop.conf")

    def plug_in(self, bundle: WrittenBundle) -> str:
        """Put a copy of the bundle where a mounted stick would be and return its folder on the host."""
        place = f"/srv/{bundle.index.digest.short}"
        target = upper(self.host) / place.lstrip("/")
        if not target.exists():
            shutil.copytree(bundle.folder, target)
        return place

    def unplug(self, bundle: WrittenBundle) -> None:
        """Take the stick away."""
        self.host.run("rm", "-rf", f"/srv/{bundle.index.digest.short}")

    def run(self, module: str, *words: str, **options: t.Any) -> Ended:
        """Run a module for the host."""
        assert self._controller is not None
        return self._controller.task(self.host.name, module, *words, **options)

    def ok(self, module: str, *words: str, **options: t.Any) -> Json:
        """Run a module that has to succeed and return its result."""
        ended = self.run(module, *words, **options)
        assert ended.rc == 0, ended.output
        return ended.result

    def refused(self, kind: str, module: str, **options: t.Any) -> Json:
        """Run a module that has to fail with an error of ``kind`` and return its result."""
        ended = self.run(module, **options)
        assert ended.rc == 2, ended.output
        assert ended.result["error"]["kind"] == kind, ended.result
        return ended.result

    def wanted(self, bundle: WrittenBundle, **options: t.Any) -> Json:
        """Return the options that mount the store of a bundle from its stick."""
        chosen = {"index_digest": str(bundle.index.digest), "keep_free_percent": 1, "src": self.plug_in(bundle)}
        return {**chosen, "wait": True, "wait_timeout": 240, **options}

    def mount(self, bundle: WrittenBundle, **options: t.Any) -> Json:
        """Mount the store of a bundle, or come to a decision."""
        return self.ok("node_image_store", **self.wanted(bundle, **options))

    def remove(self, bundle: WrittenBundle) -> Json:
        """Remove the store of a bundle."""
        return self.ok("node_image_store", state="absent", index_digest=str(bundle.index.digest))

    def slots(self, **options: t.Any) -> list[Json]:
        """Return what the host says of its slots that are not empty."""
        slots = self.ok("node_info", gather=["image_stores"], **options)["image_stores"]["slots"]
        return [slot for slot in slots if slot["state"] != "empty"]

    def file_of(self, bundle: WrittenBundle) -> str:
        """Return where the file of a bundle's store lies on the host."""
        (store,) = bundle.index.stores
        return f"{STORES}/{store.digest.hex}.{store.filesystem}"

    def has(self, bundle: WrittenBundle) -> bool:
        """Whether CRI-O lists all images of the bundle."""
        return set(bundle.names) <= set(listed(self.host))

    def start_pod(self, name: str, image: str, namespace: str) -> None:
        """Start a pod that sleeps, on this host, and wait until it runs."""
        container = {
            "name": "sleep",
            "image": image,
            "imagePullPolicy": "Never",
            "command": ["/usr/bin/sleep", "100000"],
        }
        spec = {"nodeName": self.host.name, "terminationGracePeriodSeconds": 1, "containers": [container]}
        metadata = {"name": name, "namespace": namespace}
        self.lab.api.rest.apply({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
        self.await_running(name, namespace)

    def await_running(self, name: str, namespace: str) -> None:
        """Wait until the pod runs."""

        def runs() -> bool:
            status = self.lab.api.rest.get(f"/api/v1/namespaces/{namespace}/pods/{name}").get("status", {})
            states = status.get("containerStatuses") or [{}]
            return bool(states[0].get("ready"))

        wait_for(runs, f"pod {name} runs", 120)

    def delete_pod(self, name: str, namespace: str) -> None:
        """Delete the pod and wait until nothing of it is left on the host."""
        self.lab.api.rest.delete(f"/api/v1/namespaces/{namespace}/pods/{name}", gracePeriodSeconds="1")

        def is_gone() -> bool:
            asked = ["crictl", "ps", "--all", "--quiet", "--label", f"io.kubernetes.pod.name={name}"]
            return not self.host.run(*asked).strip()

        wait_for(is_gone, f"pod {name} is gone", 120)

    def forget(self) -> None:
        """Bring the host back to where it was: slots, but nothing in them, no images of releases, no sticks."""
        self.host.run("sh", "-c", "systemctl stop 'fieldops-*' 2>/dev/null; true")
        for number in (1, 2, 3, 4):
            self.host.run("sh", "-c", f"while umount {STORES}/slot{number} 2>/dev/null; do :; done; true")
        units = "/etc/systemd/system/*fieldops*stor*"
        gone = f"{STORES}/*.json {STORES}/*.sha256 {STORES}/*.squashfs {STORES}/*.erofs {units}"
        wants = "/etc/systemd/system/*.wants/*fieldops*"
        self.host.run(
            "sh", "-c", f"rm -rf {gone} {wants} /srv/* /var/lib/fieldops/bundles /var/lib/fieldops/jobs {OURS}"
        )
        self.host.run("systemctl", "daemon-reload")
        self.host.run("systemctl", "restart", "crio")
        wait_for(lambda: "images" in self._images(), "CRI-O answers")
        present = [name for name in listed(self.host) if name != pause_image().name]
        if present:
            self.host.run("crictl", "--timeout", "2m", "rmi", *present, check=False)

    def _images(self) -> Json:
        answer = self.host.run("crictl", "--timeout", "1m", "images", "-o", "json", check=False)
        found: Json = json.loads(answer or "{}")
        return found
