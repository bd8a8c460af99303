# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site that demands a recent backup of etcd begins no release without one; this machine is its control plane."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import everything
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import CLOSED, RECORDS


@pytest.fixture
def site(make_site: MakeSite) -> PhaseSite:
    """A site at rest whose nodes hold the images of the next release."""
    made = make_site(1, 1)
    made.take_images_as_proved()
    made.take_this_machine_for("master-0")
    made.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fieldops-openshift"}})
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the site keeps its backups."""
    made = tmp_path / "backup"
    made.mkdir(mode=0o700)
    return made


def plant(folder: Path, age: timedelta) -> None:
    """Let there be a backup of that age."""
    stamp = (datetime.now(timezone.utc) - age).strftime("%Y-%m-%d_%H%M%S")
    (folder / f"snapshot_{stamp}.db").write_bytes(b"\0" * 4128)
    (folder / f"static_kuberesources_{stamp}.tar.gz").write_bytes(b"\x1f\x8b")


def objects(site: PhaseSite) -> dict[str, str]:
    """Return the versions of all objects but the record of bundles, which is none of the release."""
    return {name: version for name, version in everything(site.rest).items() if name not in RECORDS}


@pytest.mark.parametrize(
    ("demand", "seen"),
    [
        pytest.param("require", "master-0 has one from", id="it is too old"),
        pytest.param(
            "make",
            "there is no program /usr/local/bin/cluster-backup.sh",
            id="it cannot be made",
            marks=pytest.mark.long,
        ),
        pytest.param("always", "must be require, make or ignore", id="no such demand", marks=pytest.mark.long),
    ],
)
def test_without_a_recent_backup_nothing_is_changed(site: PhaseSite, folder: Path, demand: str, seen: str) -> None:
    plant(folder, timedelta(hours=2))
    before = objects(site)
    run = site.update(["release"], site_etcd_backup=demand, site_etcd_backup_path=str(folder))
    assert run.returncode != 0, run.stdout
    assert seen in run.stdout
    assert objects(site) == before


def test_where_change_is_restricted_no_backup_is_made(site: PhaseSite, folder: Path) -> None:
    """This machine could not even make one: it would fail the play."""
    demand = {"site_etcd_backup": "make", "site_etcd_backup_path": str(folder)}
    run = site.update(["release"], **demand, site_change_stanza=CLOSED)
    assert run.returncode != 0, run.stdout
    assert "master-0 creates one before the release is requested" in run.stdout
    assert "It can continue at 2099-01-01 00:00:00 UTC" in run.stdout
