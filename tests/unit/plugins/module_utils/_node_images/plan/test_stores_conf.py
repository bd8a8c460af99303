# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The slots are put into storage.conf, and nothing else in it changes."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import (
    DEFAULT,
    is_configured,
    listed_stores,
    with_slots,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import SLOT_PATHS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import read_toml
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

SHIPPED = """\
# This file is the configuration of containers/storage.
[storage]
driver = "overlay"
graphroot = "/var/lib/containers/storage"

[storage.options]
# additionalimagestores = ["/not/this/one"]
additionalimagestores = [
]
pull_options = {enable_partial_images = "true"}

[storage.options.overlay]
mountopt = "nodev,metacopy=on"
"""


@pytest.mark.parametrize(
    ("text", "others"),
    [
        pytest.param(DEFAULT, [], id="no options"),
        pytest.param("", [], id="an empty file"),
        pytest.param(SHIPPED, [], id="as RHEL ships it"),
        pytest.param(SHIPPED.replace("[\n]", '["/a", "/b"]'), ["/a", "/b"], id="other stores stay, behind"),
        pytest.param(SHIPPED.replace("[\n]", "[\n  '/a', # why\n]  # all"), ["/a"], id="over several lines"),
        pytest.param("[ storage.options ]\nx = 1\n", [], id="a header with blanks"),
        pytest.param("[storage.options.overlay]\nsize = '1'\n", [], id="only a table below it"),
    ],
)
def test_the_slots_come_first_and_the_rest_stays(text: str, others: list[str]) -> None:
    changed = with_slots(text, "storage.conf")
    assert listed_stores(changed, "storage.conf") == (*SLOT_PATHS, *others)
    before, after = read_toml(text, ""), read_toml(changed, "")
    before.setdefault("storage", {}).setdefault("options", {}).pop("additionalimagestores", None)
    del after["storage"]["options"]["additionalimagestores"]
    assert before == after
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        line for line in changed.splitlines() if line.startswith("# ")
    ]
    assert with_slots(changed, "storage.conf") == changed


def test_a_list_in_another_order_is_not_what_is_wanted() -> None:
    assert is_configured(SLOT_PATHS)
    assert is_configured((*SLOT_PATHS, "/more"))
    assert not is_configured(tuple(reversed(SLOT_PATHS)))
    assert not is_configured(SLOT_PATHS[:3])


def test_a_form_that_is_not_known_is_left_to_a_person() -> None:
    text = 'storage = {driver = "overlay", options = {additionalimagestores = ["/a"]}}\n'
    with pytest.raises((ImageStoreError, InvalidInputError)) as caught:
        with_slots(text, "/etc/containers/storage.conf")
    assert "/etc/containers/storage.conf" in str(caught.value)


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        with_slots("[storage\n", "/etc/containers/storage.conf")
