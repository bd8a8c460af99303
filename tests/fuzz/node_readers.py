# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What nodes hold and what programs on them print."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import parse_mountinfo
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import evictions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.fsync_latency import flush_buckets
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import threshold_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.kubelet_file import settings_in
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import devices_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pins import DropIn
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
    used_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_audit import (
    AuditError,
    diff_ids,
    parents,
    pieces,
    stored_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import with_slots
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import read_toml
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader, as_text, seed

LAYER = "sha256:" + "a" * 64
MOUNTS = b"""22 1 253:0 / / rw,relatime shared:1 - xfs /dev/vda4 rw,seclabel
23 22 0:21 / /proc rw,nosuid shared:5 - proc proc rw
24 22 8:17 / /run/media/a\\040drive ro,nosuid - vfat /dev/sdb1 ro,utf8
"""
DEVICES = {
    "blockdevices": [
        {
            "kname": "sdb",
            "type": "disk",
            "rm": True,
            "hotplug": True,
            "size": 64,
            "fstype": None,
            "label": None,
            "uuid": None,
            "mountpoint": None,
            "children": [{"kname": "sdb1", "type": "part", "fstype": "xfs", "mountpoint": "/mnt"}],
        }
    ]
}
IMAGES = {
    "images": [
        {"id": "1", "repoTags": ["quay.io/a/b:1"], "repoDigests": [f"quay.io/a/b@{LAYER}"], "size": "7", "pinned": True}
    ]
}
CONTAINERS = {"containers": [{"id": "1", "image": {"image": LAYER}, "imageRef": LAYER, "imageId": "2"}]}
STATUS = {
    "schemaVersion": 1,
    "id": "stage",
    "runId": "1",
    "state": "running",
    "sentence": "3 of 7",
    "backend": "systemd",
    "unit": "stage.service",
    "created": "2026-11-21T22:00:00Z",
    "updated": "2026-11-21T22:00:00Z",
    "started": "2026-11-21T22:00:00Z",
    "finished": None,
    "progress": {"done": 3, "total": 7, "unit": "blobs"},
    "pid": 17,
    "pidStartTicks": 4,
    "bootId": "b",
    "result": None,
    "error": None,
}
KUBELET = b"""apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
evictionHard:
  imagefs.available: 15%
  nodefs.available: "10%" # of all
imageGCHighThresholdPercent: 85
clusterDNS:
- 172.30.0.10
"""
STORAGE = b"""[storage]
driver = "overlay"
[storage.options]
additionalimagestores = [ "/usr/lib/containers/storage", ]
"""
METRICS = b"""# TYPE etcd_disk_wal_fsync_duration_seconds histogram
etcd_disk_wal_fsync_duration_seconds_bucket{le="0.001"} 3
etcd_disk_wal_fsync_duration_seconds_bucket{le="+Inf"} 1.2e+02
"""


def _output(content: bytes) -> t.Any:
    return CommandResult(("program",), 0, as_text(content), "", 0.0).json()


def _runtime(content: bytes) -> object:
    return RuntimeImages.of(_output(content))


def _containers(content: bytes) -> object:
    return used_names(_output(content))


def _devices(content: bytes) -> object:
    return devices_of(_output(content))


def _job(content: bytes) -> object:
    return JobStatus.from_document(_output(content))


def _kubelet(content: bytes) -> object:
    settings = settings_in(content, "kubelet.conf")
    return [*evictions_of(settings, "kubelet.conf"), threshold_of(settings, "kubelet.conf")]


def _toml(content: bytes) -> object:
    return read_toml(as_text(content), "file.toml")


def _slots(content: bytes) -> object:
    return with_slots(as_text(content), "storage.conf")


def _pins(content: bytes) -> object:
    return DropIn.read("50-pins.conf", as_text(content))


def _books(content: bytes) -> object:
    images, _mark, layers = content.partition(b"\n--\n")
    return StoredImages.of(images, layers)


def _audited_books(content: bytes) -> object:
    images, _mark, layers = content.partition(b"\n--\n")
    return stored_images(images), parents(layers)


def _tar_split(content: bytes) -> object:
    return [*pieces(content.splitlines())]


def _layers(content: bytes) -> object:
    return diff_ids(content, Digest("a" * 64))


def _latency(content: bytes) -> object:
    return flush_buckets(as_text(content))


BOOKS = seed([{"id": "1", "names": ["quay.io/a/b:1"], "layer": "2"}]) + b"\n--\n"
BOOKS += seed([{"id": "2", "compressed-diff-digest": LAYER, "compressed-size": 3, "diff-digest": LAYER}])
READERS = (
    Reader("lsblk", _devices, (seed(DEVICES),)),
    Reader("crictl_images", _runtime, (seed(IMAGES), seed({"images": []}))),
    Reader("crictl_containers", _containers, (seed(CONTAINERS),)),
    Reader("job_status", _job, (seed(STATUS),)),
    Reader("mountinfo", parse_mountinfo, (MOUNTS,)),
    Reader(
        "kubelet_configuration",
        _kubelet,
        (KUBELET, seed({"kind": "KubeletConfiguration", "evictionHard": {"nodefs.available": "1Gi"}})),
    ),
    Reader("toml", _toml, (STORAGE, b'a.b = [1, \'x\']\n[[c]]\nd = """\ne"""\n')),
    Reader("storage_conf", _slots, (STORAGE, b"")),
    Reader("crio_drop_in", _pins, (b'[crio.image]\npinned_images = ["quay.io/a/b@' + LAYER.encode() + b'"]\n',)),
    Reader("container_storage", _books, (BOOKS,)),
    Reader("audited_storage", _audited_books, (BOOKS,), (AuditError,)),
    Reader("tar_split", _tar_split, (seed({"type": 1, "name": "a", "size": 3, "payload": None}),), (AuditError,)),
    Reader("image_config", _layers, (seed({"rootfs": {"type": "layers", "diff_ids": [LAYER]}}),), (AuditError,)),
    Reader("etcd_metrics", _latency, (METRICS,)),
)
