# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which slot a store gets, over which store a delta may lie, the records, and the units that mount."""

from __future__ import annotations

import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_documents import documents
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    SLOT_PATHS,
    StoreRecord,
    choose_slot,
    dependents,
    require_base,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_units import (
    checksum_file,
    mount_unit,
    tmpfiles_text,
    unit_files,
    verify_unit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    index_with_store,
)

INDEX = index_with_store()
STORE = INDEX.stores[0]
RECORD = StoreRecord.of(INDEX, STORE)
UNIT_FOLDER = "/etc/systemd/system"


def record(name: str, base: str | None = None) -> StoreRecord:
    store = replace(STORE, digest=digest(name), base=digest(base) if base else None, depth=1 if base else 0)
    return replace(RECORD, store=store)


@pytest.mark.parametrize(
    ("taken", "covered", "chosen"),
    [
        pytest.param((), (), 4, id="the first store leaves room before it"),
        pytest.param((4,), (), 3, id="the next one is found before it"),
        pytest.param((4, 3), (), 2, id="and the next"),
        pytest.param((2, 1), (), 4, id="no room before: behind"),
        pytest.param((2,), (), 1, id="before the oldest"),
        pytest.param((), (4,), 3, id="not where somebody else mounted something"),
    ],
)
def test_which_slot_a_store_gets(taken: tuple[int, ...], covered: tuple[int, ...], chosen: int) -> None:
    records = {number: record(f"other-{number}") for number in taken}
    assert choose_slot(records, STORE, covered) == chosen


def test_a_store_keeps_its_slot() -> None:
    assert choose_slot({1: record("a"), 2: RECORD}, STORE) == 2


def test_a_fifth_store_is_refused_with_what_lies_there() -> None:
    with pytest.raises(ImageStoreError, match=r"in use, by stores of 4\.21\.3"):
        choose_slot({number: record(f"other-{number}") for number in (1, 2, 3, 4)}, STORE)


@pytest.mark.parametrize(
    ("records", "mounted"),
    [
        pytest.param({}, (), id="nothing is there"),
        pytest.param({4: record("another")}, (4,), id="another store, even of the same images"),
        pytest.param({4: record("base")}, (), id="it is not mounted"),
    ],
)
def test_a_delta_over_another_base_is_refused(records: dict[int, StoreRecord], mounted: tuple[int, ...]) -> None:
    with pytest.raises(ImageStoreError, match=str(digest("base"))):
        require_base(records, mounted, record("delta", base="base").store)


def test_a_delta_over_its_own_base_is_welcome() -> None:
    require_base({4: record("base")}, (4,), record("delta", base="base").store)
    require_base({}, (), STORE)


def test_what_lies_over_a_store_is_known() -> None:
    delta = record("delta", base="base")
    assert dependents({3: delta, 4: record("base")}, digest("base")) == (delta,)


class TestRecords:
    """What is noted of a slot is read back as it was written, and nothing else is believed."""

    def test_a_record_is_read_as_it_was_written(self) -> None:
        for one in (RECORD, record("delta", base="base"), replace(RECORD, proved="6.18.44")):
            assert StoreRecord.read(one.as_document(), "slot1.json") == one

    @pytest.mark.parametrize(
        "document",
        [
            None,
            [],
            {},
            {**RECORD.as_document(), "schemaVersion": 2},
            {**RECORD.as_document(), "digest": "sha256:../../etc"},
            {**RECORD.as_document(), "size": "much"},
            {**RECORD.as_document(), "images": None},
        ],
    )
    def test_anything_else_is_refused(self, document: t.Any) -> None:
        with pytest.raises(InvalidInputError, match="it is not a valid record"):
            StoreRecord.read(document, "slot1.json")

    def test_results_show_no_schema_version(self) -> None:
        assert set(RECORD.as_document()) - set(RECORD.shown()) == {"schemaVersion"}


class TestUnits:
    """systemd verifies the file before each mount, and mounts before anything can read."""

    def files(self, one: StoreRecord = RECORD, base: int | None = None, *, selinux: bool = False) -> dict[str, str]:
        return unit_files(3, one, base, selinux=selinux)

    def test_the_digest_is_checked_before_each_mount(self) -> None:
        files = self.files()
        assert files[checksum_file(3)] == f"{STORE.digest.hex}  {RECORD.file}\n"
        assert f"sha256sum --check --strict --quiet {checksum_file(3)}" in files[f"{UNIT_FOLDER}/{verify_unit(3)}"]
        mount = files[f"{UNIT_FOLDER}/{mount_unit(3)}"]
        assert f"Requires={verify_unit(3)}\nAfter={verify_unit(3)} " in mount

    def test_the_unit_has_the_name_that_systemd_gives_the_place(self) -> None:
        assert mount_unit(3) == "var-lib-fieldops-stores-slot3.mount"
        assert f"Where={SLOT_PATHS[2]}\n" in self.files()[f"{UNIT_FOLDER}/{mount_unit(3)}"]

    def test_it_is_read_only_and_comes_before_what_runs_images_without_failing_the_boot(self) -> None:
        mount = self.files()[f"{UNIT_FOLDER}/{mount_unit(3)}"]
        assert "Options=ro,nodev,nosuid\n" in mount
        before = next(line for line in mount.splitlines() if line.startswith("Before=")).split()[1:]
        assert {"crio.service", "crio-wipe.service", "kubelet.service"} < set(before)
        assert {"nodeip-configuration.service", "kubelet-dependencies.target"} < set(before), "podman runs images there"
        assert "WantedBy=multi-user.target crio.service\n" in mount
        assert "RequiredBy" not in mount

    def test_with_selinux_containers_may_read_it(self) -> None:
        mount = self.files(selinux=True)[f"{UNIT_FOLDER}/{mount_unit(3)}"]
        assert "Options=ro,nodev,nosuid,context=system_u:object_r:container_ro_file_t:s0\n" in mount

    def test_a_delta_is_mounted_only_after_its_base(self) -> None:
        mount = self.files(record("delta", base="base"), base=4)[f"{UNIT_FOLDER}/{mount_unit(3)}"]
        assert f"Requires={mount_unit(4)}\nAfter={mount_unit(4)}\n" in mount


def test_documents_for_a_machine_config_operator_list_the_slots_and_make_them() -> None:
    alone, slots, runtime = documents("worker", '[storage]\ndriver = "overlay"\n')
    assert [one["path"] for one in alone["spec"]["config"]["storage"]["files"]] == [
        "/etc/containers/storage.conf",
        "/etc/tmpfiles.d/fieldops-image-stores.conf",
    ]
    assert alone["metadata"]["labels"]["machineconfiguration.openshift.io/role"] == "worker"
    assert [one["path"] for one in slots["spec"]["config"]["storage"]["files"]] == [
        "/etc/tmpfiles.d/fieldops-image-stores.conf"
    ]
    stores = runtime["spec"]["containerRuntimeConfig"]["additionalImageStores"]
    assert [one["path"] for one in stores] == list(SLOT_PATHS)
    assert len(stores) <= 10


def test_an_empty_slot_is_a_storage_that_holds_nothing() -> None:
    lines = tmpfiles_text().splitlines()
    assert f"f {SLOT_PATHS[0]}/overlay-images/images.json 0644 root root - []" in lines
    assert f"f {SLOT_PATHS[0]}/overlay-layers/layers.lock 0644 root root -" in lines
    assert f"d {SLOT_PATHS[3]}/overlay/l 0755 root root -" in lines
