# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rulebooks in extensions/eda: what happens when a bundle is plugged in and when Alertmanager sends an alert."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.awx.controller_api import (
    TOKEN,
    Controller,
    ControllerServer,
)
from ansible_collections.fieldops.openshift.tests.integration.eda.rulebooks import Rulebook, write_inventory
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import NEW, PhaseSite
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.network import free_port
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

Json = dict[str, t.Any]

DIGEST = f"sha256:{'3f' * 32}"
RULES = ROOT / "extensions/prometheus/change-management.rules.yml"
LOCAL = "127.0.0.1"
SECONDS = 120.0


class Alertmanager:
    """What sends alerts to a rulebook, as Alertmanager does (notify/webhook, Message)."""

    token = "of-alertmanager"

    def __init__(self) -> None:
        self.port = free_port(LOCAL)

    def send(self, *alerts: Json, token: str = token) -> int:
        """Send alerts in one notification, and return the status of the response, 0 if nothing listens yet."""
        message = {"version": "4", "status": "firing", "receiver": "eda", "alerts": list(alerts)}
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection = HTTPConnection(LOCAL, self.port)
        try:
            connection.request("POST", "/alerts", json.dumps(message), headers)
            return connection.getresponse().status
        except ConnectionError:
            return 0
        finally:
            connection.close()


def alert(name: str, kind: str = "MachineConfigPool", status: str = "firing") -> Json:
    """Return an alert of the rules that are shipped."""
    rules = [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
    (severity,) = (rule["labels"]["severity"] for rule in rules if rule.get("alert") == name)
    labels = {"alertname": name, "kind": kind, "object": "worker", "system": "worker-nodes", "severity": severity}
    return {"status": status, "labels": labels, "annotations": {}, "startsAt": "2026-11-21T20:00:00Z"}


@pytest.fixture
def controller() -> Controller:
    """AWX with the templates of a site that rulebooks launch."""
    one = Controller(launched="successful")
    for kind, name in (("job_templates", "update"), ("workflow_job_templates", "update with approval")):
        one.add(kind, name=f"plant-7 {name}", ask_variables_on_launch=True)
    return one


@pytest.fixture
def alertmanager(controller: Controller, tmp_path: Path) -> Iterator[Alertmanager]:
    """Alertmanager, and the rulebook to which it sends alerts."""
    one = Alertmanager()
    settings: Json = {"awx_site": "plant-7", "awx_organization": "Default", "awx_update_digest": DIGEST}
    settings |= {"eda_port": one.port, "eda_token": one.token}
    (tmp_path / "site-a.json").write_text(json.dumps(settings))
    inventory = write_inventory(tmp_path, {})
    with ControllerServer(controller) as server:
        words: list[str | Path] = [
            "--vars",
            tmp_path / "site-a.json",
            "--controller-url",
            server.url,
            "--controller-token",
            TOKEN,
        ]
        with Rulebook("change_alerts", tmp_path, inventory, *words) as rulebook:
            wait_for(lambda: one.send() != 0 or rulebook.says("\0"), SECONDS)
            yield one


def launched(controller: Controller) -> list[tuple[str, str, Json]]:
    """Return the jobs with their variables, without what ansible-rulebook says of itself."""
    jobs = [(kind, job) for kind in ("jobs", "workflow_jobs") for job in controller.objects.get(kind, {}).values()]
    given = [json.loads(job["extra_vars"]) for _kind, job in jobs]
    known = [{name: value for name, value in one.items() if name != "ansible_eda"} for one in given]
    return [(kind, job["name"], one) for (kind, job), one in zip(jobs, known, strict=True)]


def test_alerts_launch_the_jobs_of_the_site(alertmanager: Alertmanager, controller: Controller) -> None:
    known = {"site_bundle_digest": DIGEST}
    assert alertmanager.send(alert("ChangeManagementWindowOpen"), token="of-another") == 401
    alertmanager.send(
        alert("ChangeManagementWindowOpen", status="resolved"),
        alert("ChangeManagementPendingLong", kind="ClusterVersion"),
        alert("ChangeManagementPendingLong"),
    )
    wait_for(lambda: len(launched(controller)) == 1, SECONDS)
    assert launched(controller) == [("workflow_jobs", "plant-7 update with approval", known)]
    # The window of each resource opens, and Alertmanager repeats itself.
    for _time in range(2):
        alertmanager.send(alert("ChangeManagementWindowOpen"), alert("ChangeManagementWindowOpen", "ClusterVersion"))
    alertmanager.send(alert("ChangeManagementPendingLong"))
    wait_for(lambda: len(launched(controller)) == 2, SECONDS)
    assert launched(controller)[0] == ("jobs", "plant-7 update", known)


@pytest.fixture
def bundle(tmp_path: Path) -> WrittenBundle:
    return write_bundle(tmp_path / "bundle", ReleaseFactory(tmp_path / "pool").release(ReleaseSpec(version=NEW)))


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        yield started


def test_a_bundle_that_is_plugged_in_is_verified_and_staged(
    server: ApiServer, bundle: WrittenBundle, tmp_path: Path
) -> None:
    PhaseSite(server, bundle, tmp_path, control_plane=1, workers=1)
    media = tmp_path / "media"
    media.mkdir()
    (media / "documents").mkdir()
    (media / "documents" / "index.json").write_text('{"kind": "Other"}')
    with Keyring() as keyring:
        key = keyring.create("site")
        index = (bundle.folder / "index.json").read_bytes()
        (bundle.folder / "index.json.asc").write_bytes(keyring.sign_detached(key, index))
        (tmp_path / "site.asc").write_text(key.public_key)
    # There are no hosts. What is not skipped is the same with them.
    known = {"site_kubeconfig": str(server.kubeconfig), "site_skip_phases": ["preflight", "images"]}
    inventory = write_inventory(tmp_path, {**known, "site_trusted_keys": [str(tmp_path / "site.asc")]})
    settings = tmp_path / "media.json"
    settings.write_text(json.dumps({"eda_media_paths": [f"{media}/*"], "eda_media_delay": 0.2}))
    with Rulebook("bundle_plugged_in", tmp_path, inventory, "--vars", settings) as rulebook:
        bundle.folder.rename(media / "usb")
        wait_for(lambda: rulebook.says("PLAY RECAP"), 240)
    assert rulebook.says("Verify the index and content of the bundle")
    assert rulebook.says("failed=0")
