# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Slots, what stands on a store, and an audit, on the files of a host below a temporary folder."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import typing as t
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.audit import StoreAudit
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.request import StoreRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    ensure_slots,
    forget_store,
    is_managed,
    lists_slots,
    read_slots,
    storage_conf,
    write_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.use import (
    images_over,
    layers_over,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import with_slots
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    SLOT_PATHS,
    StoreRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledImage, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    index_with_store,
)

INDEX = index_with_store()
RECORD = StoreRecord.of(INDEX, INDEX.stores[0])
STORAGE = "/var/lib/containers/storage"


def write(host: Host, path: str, content: bytes | str) -> Path:
    target = host.path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return target


class TestSlots:
    """What a node says of its slots."""

    def test_slots_are_made_once(self, host: Host) -> None:
        assert ensure_slots(host) is True
        assert ensure_slots(host) is False
        assert [slot.state for slot in read_slots(host)] == ["empty"] * 4
        assert host.path(f"{SLOT_PATHS[0]}/overlay-images/images.json").read_text() == "[]\n"

    def test_a_record_lies_beside_the_index_that_vouches_for_it(self, host: Host) -> None:
        assert write_record(host, 2, RECORD, INDEX.as_bytes()) is True
        assert write_record(host, 2, RECORD, INDEX.as_bytes()) is False
        slot = read_slots(host)[1]
        assert (slot.record, slot.state) == (RECORD, "lost")
        write(host, RECORD.file, bytes(RECORD.size))
        assert read_slots(host)[1].state == "unmounted"
        write(host, RECORD.file, bytes(RECORD.size - 1))
        assert read_slots(host)[1].state == "lost"
        forget_store(host, 2, RECORD)
        assert read_slots(host)[1].state == "empty"
        assert not host.path(RECORD.file).exists()

    def test_whether_storage_conf_lists_them(self, host: Host) -> None:
        assert not lists_slots(host)
        path, text = storage_conf(host)
        write(host, path, with_slots(text, path))
        assert lists_slots(host)

    def test_whether_a_machine_config_daemon_owns_it(self, host: Host) -> None:
        assert not is_managed(host)
        write(host, "/etc/machine-config-daemon/currentconfig", "{}")
        assert is_managed(host)


class TestWhatStandsOnAStore:
    """Containers, loaded images and deltas name the links of the layers below them."""

    @pytest.fixture
    def store(self, host: Host) -> Host:
        ensure_slots(host)
        for name in ("AAA", "BBB"):
            write(host, f"{SLOT_PATHS[3]}/overlay/l/{name}", "")
        write(host, f"{SLOT_PATHS[3]}/overlay-layers/layers.json", json.dumps([{"id": "inside"}]))
        return host

    def test_nothing_stands_on_an_empty_slot(self, host: Host) -> None:
        ensure_slots(host)
        write(host, f"{STORAGE}/overlay/container/lower", "l/AAA")
        assert layers_over(host, 4) == ()

    @pytest.mark.parametrize(
        ("lower", "stands"),
        [("l/CCC:l/AAA", True), ("l/BBB\n", True), ("l/CCC", False), ("", False), ("l/AAAA", False)],
    )
    def test_a_container_stands_on_the_layers_it_names(self, store: Host, lower: str, stands: bool) -> None:
        write(store, f"{STORAGE}/overlay/container/lower", lower)
        assert layers_over(store, 4) == (("container",) if stands else ())

    def test_a_delta_in_another_slot_stands_on_it_too(self, store: Host) -> None:
        write(store, f"{SLOT_PATHS[2]}/overlay/delta/lower", "l/BBB")
        assert layers_over(store, 4) == ("delta",)
        assert layers_over(store, 3) == ()

    def test_an_image_that_was_tagged_on_the_node_stands_on_it(self, store: Host) -> None:
        images = [
            {"id": "a", "names": ["x/y:tag"], "layer": "inside"},
            {"id": "b", "names": [], "layer": "inside"},
            {"id": "c", "names": ["x/z:tag"], "layer": "own"},
        ]
        write(store, f"{STORAGE}/overlay-images/images.json", json.dumps(images))
        write(store, f"{STORAGE}/overlay-layers/layers.json", json.dumps([{"id": "own"}]))
        assert images_over(store, 4) == ("x/y:tag", "b")

    def test_a_book_that_is_damaged_is_told(self, store: Host) -> None:
        write(store, f"{STORAGE}/overlay-images/images.json", "{")
        with pytest.raises(ImageStoreError, match="Repair the container storage"):
            images_over(store, 4)


class TestAudit:
    """One image of one layer with one file, as containers/storage keeps it."""

    CONTENT = b"the file"
    ARCHIVE = (b"header", CONTENT, b"\0" * 8)

    def store(self, host: Host, **changes: t.Any) -> BundleIndex:
        """Write the store into slot 4 and return the index that vouches for it."""
        diff_id = hashlib.sha256(b"".join(self.ARCHIVE)).hexdigest()
        config = json.dumps({"rootfs": {"diff_ids": [f"sha256:{diff_id}"]}}).encode()
        image_id = hashlib.sha256(config).hexdigest()
        image = replace(INDEX.images[0], content=(Digest(image_id),))
        lines = [
            {"type": 2, "payload": base64.b64encode(self.ARCHIVE[0]).decode()},
            {"type": 1, "name": changes.get("name", "dir/file"), "size": len(self.CONTENT), "payload": "x"},
            {"type": 2, "payload": base64.b64encode(self.ARCHIVE[2]).decode()},
        ]
        slot = SLOT_PATHS[3]
        key = base64.b64encode(f"sha256:{image_id}".encode()).decode()
        record = gzip.compress("\n".join(json.dumps(line) for line in lines).encode())
        book = [{"id": image_id, "names": [str(image.name)], "layer": changes.get("layer", "top")}]
        write(host, f"{slot}/overlay-images/images.json", json.dumps(book))
        write(host, f"{slot}/overlay-images/{image_id}/={key}", changes.get("config", config))
        write(host, f"{slot}/overlay-layers/layers.json", json.dumps([{"id": "top"}]))
        write(host, f"{slot}/overlay-layers/top.tar-split.gz", changes.get("record", record))
        write(host, f"{slot}/overlay/top/diff/dir/file", changes.get("content", self.CONTENT))
        return replace(INDEX, images=(image,))

    def problems(self, host: Host, index: BundleIndex) -> list[str]:
        return [one["problem"] for one in StoreAudit(host, 4, index).damage()]

    def test_what_is_as_it_was_has_no_damage(self, host: Host) -> None:
        assert self.problems(host, self.store(host)) == []

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"content": b"The file"}, "its config lists"),
            ({"content": b"the fil"}, "shorter than recorded"),
            ({"content": b"the file!"}, "longer than recorded"),
            ({"config": b"{}"}, "missing or does not match its digest"),
            ({"layer": "lost"}, "layer lost is in none of the stores"),
            ({"record": b"no gzip"}, "it cannot be read"),
            ({"record": gzip.compress(b"[]")}, "tar-split data has an invalid line"),
            ({"name": "../../../secret"}, "refers to a path outside of it"),
            ({"name": "dir/none"}, "it cannot be read"),
        ],
    )
    def test_what_is_not_is_told(self, host: Host, changes: dict[str, t.Any], problem: str) -> None:
        (found,) = self.problems(host, self.store(host, **changes))
        assert problem in found

    def test_an_image_that_the_store_lacks_is_told(self, host: Host) -> None:
        index = self.store(host)
        more: tuple[BundledImage, ...] = (*index.images, INDEX.images[1])
        assert self.problems(host, replace(index, images=more)) == ["it is not in the store"]


def test_what_the_job_is_told_is_what_was_asked_for_and_its_secrets_travel_apart() -> None:
    params = {
        "index_digest": str(INDEX.digest),
        "sources": [{"url": "https://192.0.2.11:9700", "ca": "CA", "token": "canary"}],
        "src": "/srv/drive",
        "keep_free_percent": None,
        "pin": False,
        "probe_image": "etcd",
        "probe_command": ["/usr/bin/true"],
    }
    asked = StoreRequest.of(params)
    told = json.loads(json.dumps(asked.arguments()))
    assert "canary" not in json.dumps(told)
    assert StoreRequest.read(told["order"], told["proof"], asked.order.secrets()) == asked
