# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files that configure CRI-O on a host."""

from __future__ import annotations

import shutil
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins import pin_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_images import (
    LOCK,
    pin,
    read_drop_ins,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import BUNDLES
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import PinError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pins import MAIN_FILE, effective
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import RuntimeImages
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import (
    SETTINGS_FILE,
    settings_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    InvalidInputError,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium


@pytest.fixture
def drop_ins(host: Host) -> Path:
    folder = host.root / "etc/crio/crio.conf.d"
    folder.mkdir(parents=True)
    return folder


def pinning(*images: str) -> str:
    return f"[crio.image]\npinned_images = {list(images)!r}\n"


def test_a_host_without_configuration_pins_nothing(host: Host) -> None:
    (main,) = read_drop_ins(host)
    assert (main.name, main.pinned) == (MAIN_FILE, None)


def test_every_file_counts_whatever_its_name_and_folder(host: Host, drop_ins: Path) -> None:
    (drop_ins.parent / "crio.conf").write_text(pinning("main"))
    (drop_ins / "50-pinned-images").write_text(pinning("operator"))
    (drop_ins / "60-site").mkdir()
    (drop_ins / "60-site/old.bak").write_text(pinning("backup"))
    found = {file.name: file.pinned for file in read_drop_ins(host)}
    assert found == {MAIN_FILE: ("main",), "50-pinned-images": ("operator",), "60-site/old.bak": ("backup",)}
    assert effective(read_drop_ins(host)) == ("backup",)


def test_links_are_followed_as_crio_does(host: Host, drop_ins: Path) -> None:
    (host.root / "run").mkdir()
    (host.root / "run/pins").write_text(pinning("linked"))
    (drop_ins / "70-link").symlink_to("../../../run/pins")
    assert effective(read_drop_ins(host)) == ("linked",)


def test_a_link_to_nothing_is_told_because_crio_will_not_start_with_it(host: Host, drop_ins: Path) -> None:
    (drop_ins / "70-link").symlink_to("../gone")
    with pytest.raises(FileAccessError) as told:
        read_drop_ins(host)
    assert told.value.on.endswith("70-link")


def test_half_a_file_is_told_with_its_name_and_line(host: Host, drop_ins: Path) -> None:
    (drop_ins / "50-pinned-images").write_text('[crio.image]\npinned_images = ["quay.io/a')
    with pytest.raises(InvalidInputError) as told:
        read_drop_ins(host)
    assert told.value.on == "50-pinned-images, line 2"


def test_an_image_that_the_node_serves_to_itself_may_be_pinned_before_it_is_pulled(
    host: Host, drop_ins: Path, medium: Medium, seconds: Callable[[float], Deadline], monkeypatch: pytest.MonkeyPatch
) -> None:
    unserved: list[str] = []
    monkeypatch.setattr(pin_images, "lacking_images", lambda *_unused: unserved)
    shutil.copytree(medium.folder, host.path(f"{BUNDLES}/{medium.index.folder_name}"))
    names = [str(image.name) for image in medium.index.images]
    options: dict[str, t.Any] = {"exclusive": False, "check_mode": True, "deadline": seconds(5)}
    with pytest.raises(PinError, match="are not on this node"):
        pin(host, names, present=RuntimeImages({}), **options)
    host.path(SETTINGS_FILE).parent.mkdir(parents=True)
    host.path(SETTINGS_FILE).write_bytes(settings_document(MirrorSettings(9700, ())))
    assert pin(host, names, present=RuntimeImages({}), **options).changed
    with pytest.raises(PinError, match="1 of "):
        pin(host, [*names, "quay.io/a@sha256:0"], present=RuntimeImages({}), **options)
    # A bundle that is staged for some of its images alone.
    unserved.append(names[0])
    with pytest.raises(PinError, match="1 of "):
        pin(host, names, present=RuntimeImages({}), **options)
    assert list(drop_ins.iterdir()) == []


def test_images_that_nothing_pins_can_be_left_out(
    host: Host, drop_ins: Path, seconds: Callable[[float], Deadline]
) -> None:
    """Ours are a (absent now) and one of an earlier release; the machine-config operator pins b; nothing pins c."""
    a, b, c, earlier = (f"quay.io/{name}" for name in ("a", "b", "c", "earlier"))
    options: dict[str, t.Any] = {"exclusive": True, "check_mode": True, "deadline": seconds(5)}
    written = pin(host, [a, earlier], present=RuntimeImages({a: False, earlier: False}), **options)
    (drop_ins / "99-fieldops-pinned-images").write_text(written.after)
    present = RuntimeImages({b: True, c: False, earlier: True})
    assert pin(host, [a, b, c], only_pinned=True, present=present, **options).document["own"] == [a, b]
    with pytest.raises(PinError, match="1 of 3 images are not on this node"):
        pin(host, [a, b, c], present=present, **options)


def test_somebody_who_changes_the_list_is_waited_for(
    host: Host, drop_ins: Path, seconds: Callable[[float], Deadline]
) -> None:
    (host.root / "run").mkdir()
    present = RuntimeImages({"quay.io/a": False})
    with locked(host.path(LOCK), seconds(5)), pytest.raises(DeadlineExceededError) as told:
        pin(host, ["quay.io/a"], exclusive=False, check_mode=False, deadline=seconds(0.1), present=present)
    assert told.value.on == str(host.path(LOCK))
    assert list(drop_ins.iterdir()) == []


def test_check_mode_waits_for_nobody(host: Host, drop_ins: Path, seconds: Callable[[float], Deadline]) -> None:
    (host.root / "run").mkdir()
    present = RuntimeImages({"quay.io/a": False})
    with locked(host.path(LOCK), seconds(5)):
        told = pin(host, ["quay.io/a"], exclusive=False, check_mode=True, deadline=seconds(0.1), present=present)
    assert (told.changed, list(drop_ins.iterdir())) == (True, [])
