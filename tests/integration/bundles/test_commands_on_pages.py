# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of the pages about bundles, operators and update paths, run as they stand, in the order of the pages.

Those that need nodes run elsewhere: ``update_site`` with words in site_phases, ``export_inventory`` in site.
"""

from __future__ import annotations

import shutil
import typing as t
from collections.abc import Callable, Iterator

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.bundles.connected_machine import (
    UNNAMED,
    ConnectedMachine,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.crds import install_manifests
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.registry.static_server import StaticServer
from ansible_collections.fieldops.openshift.tests.structure.page_blocks import blocks, commands

Change = Callable[[ConnectedMachine, str], str]

PAGES = ("docs/building-bundles.md", "docs/operators.md", "docs/update-paths.md")
ELSEWHERE = ("update_site", "export_inventory")
CATALOG_SOURCE = "/apis/operators.coreos.com/v1alpha1/namespaces/openshift-marketplace/catalogsources"
IMAGE_SET = """
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform: {channels: [{name: stable-4.21, minVersion: 4.20.3, maxVersion: 4.21.4}]}
  operators:
  - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20
    packages: [{name: odf-operator, minVersion: 4.20.0, maxVersion: 4.20.2}]
  blockedImages: [{name: gateway/debug}]
  helm: {local: [{name: x}]}
"""


@pytest.fixture(scope="module")
def machine(
    tmp_path_factory: pytest.TempPathFactory, factory: ReleaseFactory, keyring: Keyring
) -> Iterator[ConnectedMachine]:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "published").mkdir()
    (folder / "published/vmware.ova").write_bytes(b"ova")
    with Registry() as registry, StaticServer(folder / "published") as server:
        yield ConnectedMachine(folder, registry, factory, keyring, f"{server.url}/vmware.ova")


def as_it_stands(_machine: ConnectedMachine, command: str) -> str:
    return command


def with_the_bundle_of_the_site(machine: ConnectedMachine, command: str) -> str:
    base = machine.folder / "srv/bundles/4.21.4"
    base.mkdir(parents=True)
    shutil.copy(machine.drive("usb/4.21.4") / "index.json", base)
    return command.replace("/srv/", f"{machine.folder}/srv/")


def with_a_damaged_drive(machine: ConnectedMachine, command: str) -> str:
    shutil.copytree(machine.drive("usb/4.21.4"), machine.drive("second/4.21.4"))
    max((machine.drive("usb/4.21.4") / "blobs/sha256").iterdir(), key=lambda blob: blob.stat().st_size).write_bytes(b"")
    return command.replace("sha256:a9d5e375df51...", machine.digest_on("usb/4.21.4"))


def after_a_build_that_lists_the_images(machine: ConnectedMachine, command: str) -> str:
    shutil.rmtree(machine.drive("usb/4.21.4"))
    machine.publish_catalog(UNNAMED)
    status, output = machine.run(command.partition(" -e site_blocked_images")[0])
    assert status != 0
    assert f"bundle odf-operator.v4.20.2: {UNNAMED!r}" not in output, "the newest one names it, up to 4.20.2 none does"
    assert f"bundle local-storage-operator.v4.20.0: {UNNAMED!r}" in output
    return command


def with_a_configuration_of_oc_mirror(machine: ConnectedMachine, command: str) -> str:
    (machine.folder / "imageset-config.yaml").write_text(IMAGE_SET)
    return f"{command} -e site_update_graph=graph.json"


class Row(t.NamedTuple):
    """What the output of a command has, and what is there before it."""

    said: tuple[str, ...]
    change: Change = as_it_stands


COMPLETE = "the bundle of 4.21.4 is complete"
ROWS = {
    "docs/building-bundles.md": [
        Row((COMPLETE, "Words, line 1", "Words, line 2", "\u2580")),
        Row(("To download: ", " at 50 Mbit/s.", "it fits.")),
        Row((COMPLETE,)),
        Row((COMPLETE,)),
        Row((COMPLETE,)),
        Row(("the bundle of 4.21.5 is complete", "Requires"), with_the_bundle_of_the_site),
        Row((": intact; trusted: index sha256:", "Words, line 1", "\u2580")),
        Row(("1 files were repaired",), with_a_damaged_drive),
    ],
    "docs/operators.md": [
        Row(("local-storage-operator, channel stable: 4.20.0", "odf-operator, channel stable-4.20: 4.20.2")),
        Row((COMPLETE, "odf-operator, channel stable-4.20: 4.20.0, 4.20.2")),
        Row((COMPLETE, f"the image {UNNAMED} was left out"), after_a_build_that_lists_the_images),
        Row(("CatalogSource redhat-operator-index-v4-20", "changed=1")),
        Row(
            (
                COMPLETE,
                "odf-operator, channel stable-4.20: 4.20.0, 4.20.2",
                "4.20.3 to 4.21.4",
                "keys without effect: mirror.helm",
                "unlike oc-mirror: only the releases of the update path from 4.20.3 to 4.21.4 are included",
            ),
            with_a_configuration_of_oc_mirror,
        ),
    ],
    "docs/update-paths.md": [
        Row(("the bundle of 4.19.14, 4.20.3 is complete", "4.18.20 to 4.19.14, 4.18.30 to 4.19.14")),
        Row(("the bundle of 4.21.5 is complete",)),
    ],
}


def each_command() -> list[t.Any]:
    """Return each command that needs no node, with what comes of it."""
    found = []
    for page in PAGES:
        shown = [line for at, line in commands("ansible-playbook") if at == page]
        here = [line for line in shown if not any(f"fieldops.openshift.{name} " in line for name in ELSEWHERE)]
        for number, (line, row) in enumerate(zip(here, ROWS[page], strict=True)):
            found.append(pytest.param(line, row, id=f"{page}-{number}"))
    return found


@pytest.fixture(scope="module")
def cluster() -> Iterator[ApiServer]:
    try:
        module = module_directory("github.com/operator-framework/api", "operator-registry")
    except LabError as error:
        pytest.skip(f"the definitions of OLM cannot be had: {error.line}")
    manifest = (module / "crds/operators.coreos.com_catalogsources.yaml").read_bytes()
    with ApiServer.start_openshift() as server:
        install_manifests(server.rest, {"catalogsources.operators.coreos.com": manifest})
        if not server.rest.exists("/api/v1/namespaces/openshift-marketplace"):
            server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "openshift-marketplace"}})
        yield server


@pytest.mark.parametrize(("command", "row"), each_command())
def test_a_command_does_what_its_page_says(
    machine: ConnectedMachine, cluster: ApiServer, command: str, row: Row
) -> None:
    status, output = machine.run(row.change(machine, command), K8S_AUTH_KUBECONFIG=str(cluster.kubeconfig))
    assert status == 0, output
    for part in row.said:
        assert part in output, output


def test_the_plan_is_in_the_folder_in_which_the_command_was_run(machine: ConnectedMachine) -> None:
    assert (machine.folder / "4.21.4-plan.json").is_file()


def test_the_catalog_that_was_applied_is_in_the_cluster(cluster: ApiServer) -> None:
    assert cluster.rest.exists(f"{CATALOG_SOURCE}/redhat-operator-index-v4-20")


def test_a_bundle_is_copied_by_the_task_of_the_page(machine: ConnectedMachine) -> None:
    (text,) = [text for page, text in blocks("yaml") if page == PAGES[0] and "state: merged" in text]
    places = {"/mnt/usb": machine.drive("usb/copy"), "/srv/bundles": machine.drive("second")}
    for place, there in places.items():
        text = text.replace(place, str(there))
    (task,) = yaml.safe_load(text)
    del task["name"]
    copied = run_play(machine.folder, task, XDG_STATE_HOME=str(machine.folder / "state")).result
    assert copied["bundle"]["index_digest"] == machine.digest_on("second/4.21.4")
