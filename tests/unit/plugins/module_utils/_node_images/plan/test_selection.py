# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images of a bundle are meant."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_images
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._node_images.indexes import simple_bundle

INDEX, _STORED = simple_bundle({"release": b"r", "etcd": b"e", "cli": b"c"})
RELEASE, ETCD, CLI = INDEX.images


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        pytest.param((), (RELEASE, ETCD, CLI), id="nothing named means all"),
        pytest.param(("etcd",), (ETCD,), id="by component"),
        pytest.param((str(CLI.name),), (CLI,), id="by name"),
        pytest.param(("cli", "etcd", str(ETCD.name)), (ETCD, CLI), id="each once, in the order of the index"),
    ],
)
def test_selection(wanted: tuple[str, ...], chosen: tuple[object, ...]) -> None:
    assert select_images(INDEX, wanted) == chosen


@pytest.mark.parametrize("word", ["", "ETCD", "quay.io/other@sha256:" + "0" * 64, "etc*"])
def test_a_name_that_the_bundle_does_not_have_is_refused(word: str) -> None:
    with pytest.raises(InvalidInputError, match="has no image of that name") as refused:
        select_images(INDEX, ("etcd", word))
    assert word in refused.value.on
