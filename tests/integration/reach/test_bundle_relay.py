# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""bundle_relay on a node: a confined service, reached by the one neighbour that may, and gone without a trace."""

from __future__ import annotations

import tarfile
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import PlayOutcome, Site
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    LAYER,
    digest_of,
    write_bundle,
)

pytestmark = pytest.mark.long

LAYER_PATH = f"blobs/sha256/{digest_of(LAYER).hex}"
RAW = "ansible.builtin.raw"


class Relayed:
    """A bundle on worker-0, and its relay for worker-1."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.index = write_bundle(folder / "bundle")
        self.place = f"/var/lib/fieldops/bundles/{self.index.folder_name}"
        self.unit = f"fieldops-relay-{self.index.digest.short}.service"
        self.token_file = folder / "run" / "token"
        self.addresses = {name: host.address for name, host in site.lab.hosts.items()}
        with tarfile.open(folder / "bundle.tar", "w") as archive:
            archive.add(folder / "bundle", ".")
        copy = {"src": str(folder / "bundle.tar"), "dest": "/root/bundle.tar", "mode": "0600"}
        unpack = f"rm -rf {self.place}; mkdir -p {self.place}; tar -xof /root/bundle.tar -C {self.place}"
        outcome = site.play([{"ansible.builtin.copy": copy}, {RAW: unpack}])
        assert outcome.status == 0, outcome.output

    def relay(self, *words: str, **changes: t.Any) -> PlayOutcome:
        options = {
            "index_digest": str(self.index.digest),
            "address": self.addresses["worker-0"],
            "allowed_addresses": [self.addresses["worker-1"]],
            "token_file": str(self.token_file),
            "lifetime": 300,
            **changes,
        }
        task = {"fieldops.openshift.bundle_relay": options, "register": "seen", "ignore_errors": True}
        return self.site.play([task], *words)

    def on(self, host: str, script: str) -> str:
        task = {RAW: script, "register": "seen", "failed_when": False, "no_log": False}
        return str(self.site.play([task], hosts=host).result["stdout"])

    def status_for(self, host: str, port: int, path: str, token: str) -> str:
        url = f"https://{self.addresses['worker-0']}:{port}/{path}"
        format_ = "%{http_code} %{size_download}"
        return self.on(host, f"curl -sk -m 5 -o /dev/null -w '{format_}' -H 'Authorization: Bearer {token}' {url}")


@pytest.fixture
def relayed(site: Site, tmp_path: Path) -> t.Iterator[Relayed]:
    prepared = Relayed(site, tmp_path)
    yield prepared
    prepared.relay(state="stopped")


def test_from_start_to_stop(relayed: Relayed) -> None:
    assert relayed.relay("--check").result["changed"] is True
    started = relayed.relay("-vvv", "--diff")
    relay, token = started.result["relay"], relayed.token_file.read_text().strip()
    assert (started.result["changed"], relay["kept_by"], relay["path"]) == (True, "service", relayed.place)
    assert token not in started.output, "the token is shown at no verbosity"
    assert "PRIVATE KEY" not in started.output

    assert relayed.status_for("worker-1", relay["port"], LAYER_PATH, token) == f"200 {len(LAYER)}"
    assert relayed.status_for("worker-1", relay["port"], LAYER_PATH, "0" * 64) == "401 0"
    assert relayed.status_for("worker-0", relay["port"], LAYER_PATH, token) == "000 0", "its own address is not allowed"

    again = relayed.relay().result
    assert (again["changed"], again["relay"]) == (False, relay)

    shown = relayed.on("worker-0", f"systemctl show {relayed.unit} -p DynamicUser,IPAddressDeny,CapabilityBoundingSet")
    confined = {frozenset(line.partition("=")[::2]) for line in shown.splitlines()}
    assert {frozenset({"DynamicUser", "yes"}), frozenset({"CapabilityBoundingSet", ""})} <= confined
    assert "0.0.0.0/0" in shown
    assert "::/0" in shown
    search = f"grep -rlF '{token}' /run /var/lib/fieldops /etc /tmp /root 2>/dev/null | grep -v ^/run/credentials/"
    process = f"/proc/$(systemctl show -P MainPID {relayed.unit})"
    found = relayed.on("worker-0", f"{search}; grep -lF '{token}' {process}/cmdline {process}/environ")
    assert found == "", "outside the service's own memory the token is nowhere"

    assert relayed.relay(state="stopped").result["changed"] is True
    assert (
        relayed.on("worker-0", "ls /run/fieldops-relay; systemctl list-units --all --no-legend 'fieldops-relay*'") == ""
    )
    assert relayed.relay(state="stopped").result["changed"] is False


def test_one_that_was_killed_is_started_anew(relayed: Relayed) -> None:
    relayed.relay()
    relayed.on("worker-0", f"systemctl kill --signal=SIGKILL {relayed.unit}; sleep 1")
    started = relayed.relay().result
    token = relayed.token_file.read_text().strip()
    assert started["changed"] is True
    assert relayed.status_for("worker-1", started["relay"]["port"], "index.json", token).startswith("200")


def test_its_time_ends_without_anybody(relayed: Relayed) -> None:
    relayed.relay(lifetime=1)
    ended = f"timeout 20 sh -c 'while systemctl is-active -q {relayed.unit}; do sleep 0.2; done'"
    left = relayed.on("worker-0", f"{ended}; find /run/fieldops-relay -type f")
    assert "program.zip" not in left
    assert "relay.json" not in left


def test_a_bundle_that_only_root_may_read_is_told(relayed: Relayed) -> None:
    relayed.on("worker-0", f"chmod 0700 {relayed.place}")
    failed = relayed.relay().result
    assert failed["error"]["kind"] == "relay"
    assert "Permission denied" in failed["msg"]


def test_what_is_still_received_is_served_as_far_as_it_is_there(relayed: Relayed) -> None:
    relayed.on("worker-0", f"mv {relayed.place}/{LAYER_PATH} /root/layer")
    relay = relayed.relay(filling=True).result["relay"]
    token = relayed.token_file.read_text().strip()
    assert relayed.status_for("worker-1", relay["port"], "index.json", token).startswith("200")
    assert relayed.status_for("worker-1", relay["port"], LAYER_PATH, token) == "503 0"
    relayed.on("worker-0", f"mv /root/layer {relayed.place}/{LAYER_PATH}")
    assert relayed.status_for("worker-1", relay["port"], LAYER_PATH, token) == f"200 {len(LAYER)}"
