# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The choice among media as a play gets it."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.bundle_choice import bundle_choice

BUNDLE = {"path": "/mnt/a", "problem": "", "index_digest": "sha256:aa", "base": None, "version": "4.21.3"}
OTHER = {**BUNDLE, "index_digest": "sha256:bb"}


def test_plain_data() -> None:
    assert bundle_choice({"worker-0": {"bundles": [BUNDLE], "unmounted": []}}, index_digest="sha256:aa") == {
        "index_digest": "sha256:aa",
        "version": "4.21.3",
        "folders": {"worker-0": ["/mnt/a"]},
        "in_parts": False,
        "hints": [],
        "absent": [],
    }


@pytest.mark.parametrize(
    ("media", "message"),
    [
        ({"a": {"bundles": [BUNDLE]}, "b": {"bundles": [OTHER]}}, "different bundles"),
        ({"a": {"bundles": [{}]}}, "results of node_media"),
        ({"a": None}, "results of node_media"),
        ([], "results of node_media"),
    ],
    ids=["two", "no bundle", "no result", "no machines"],
)
def test_what_cannot_be_chosen_from(media: t.Any, message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        bundle_choice(media)
