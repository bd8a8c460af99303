# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Workers without a copy of the bundle: what update_site refuses before it brings anything."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite


def test_a_site_that_was_not_prepared_is_refused_before_anything_is_brought(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    run = site.update(["images"], site_stage_on="control_plane")
    assert run.returncode != 0, run.stdout
    told = " ".join(run.stdout.split())
    assert "not prepared for it: worker-0. Nothing was staged." in told
    assert "then run fieldops.openshift.prepare_site" in told
    assert "Serve the bundle" not in run.stdout


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"site_stage_on": "workers"}, id="a word that it does not know"),
        pytest.param({"site_stage_on": "control_plane", "site_image_store": True}, id="stores", marks=pytest.mark.long),
    ],
)
def test_what_no_site_can_have_is_refused(make_site: MakeSite, given: dict[str, t.Any]) -> None:
    run = make_site(1, 1).update(["images"], **given)
    assert run.returncode != 0, run.stdout
    assert "must be all" in run.stdout
    assert "Verify the index and content of the bundle" not in run.stdout
