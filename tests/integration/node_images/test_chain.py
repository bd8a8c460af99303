# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle passed on from node to node by the role: from one drive, past a node that dies, and round closed ways."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    forget_everything,
    plug_in,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory

pytestmark = pytest.mark.long

MIB = 1 << 20
NODES = ["master-0", "worker-0", "worker-1"]
PLACES_OF_SECRETS = ("/dev/shm", "/tmp")


@pytest.fixture(scope="module")
def bundle(factory: ReleaseFactory, release: Release, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """A bundle with one layer of 48 MiB, which takes some seconds over a slow link."""
    large = factory.partner_image(PartnerSpec("registry.partner.example/large:2", layers=(48 * MIB,)))
    return write_bundle(tmp_path_factory.mktemp("chain") / "bundle", release, extra=[large])


class Chain:
    """Plays of the role over all three hosts."""

    def __init__(self, lab: Lab, controller: Controller, bundle: WrittenBundle) -> None:
        self.lab = lab
        self.controller = controller
        self.bundle = bundle
        self.addresses = {name: [lab.hosts[name].address] for name in NODES}

    def play(self, *, served: bool = True, **changes: t.Any) -> Path:
        """Write a play of the role, with the controller as the source of all if it is ``served``, and what it left."""
        digest = str(self.bundle.index.digest)
        given = {
            "stage_bundle_nodes": NODES,
            "stage_bundle_index_digest": digest,
            "stage_bundle_addresses": self.addresses,
            "stage_bundle_keep_free_percent": 1,
            "stage_bundle_away_timeout": 4,
            "stage_bundle_chain_from": 0,
            **changes,
        }
        role = "fieldops.openshift.serve_bundle"
        serving: dict[str, t.Any] = {"serve_bundle_index_digest": digest, "serve_bundle_path": str(self.bundle.folder)}
        serving["serve_bundle_allowed_addresses"] = [address for (address,) in self.addresses.values()]
        source = {
            "url": "{{ serve_bundle_relay.url }}",
            "ca": "{{ serve_bundle_relay.ca }}",
            "token_file": "{{ serve_bundle_token_file }}",
        }
        stage = {"ansible.builtin.include_role": {"name": "fieldops.openshift.stage_bundle"}, "vars": given}
        told = {"name": "Task under test", "ansible.builtin.debug": {"msg": "{{ stage_bundle_received }}"}}
        if not served:
            return self.controller.play_of([stage, told])
        given["stage_bundle_sources"] = [source]
        begin = {"ansible.builtin.include_role": {"name": role}, "vars": serving}
        end = {"ansible.builtin.include_role": {"name": role, "tasks_from": "stop"}, "vars": serving}
        return self.controller.play_of([{"block": [begin, stage, told], "always": [end]}])

    def run(self, *words: str, served: bool = True, **changes: t.Any) -> Ended:
        return self.controller.play(str(self.play(served=served, **changes)), *words)

    def is_complete(self, name: str) -> bool:
        blobs = self.lab.hosts[name].run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256 2>/dev/null || true").split()
        return {digest.hex for digest in self.bundle.index.blobs} == set(blobs)

    def has_begun(self, name: str) -> bool:
        return self.lab.hosts[name].run("sh", "-c", f"ls {BUNDLES} 2>/dev/null || true") != ""

    def start(self) -> subprocess.Popen[str]:
        """Start a play and return when the last of the nodes receives from the one before it."""
        process = self.controller.start(self.play())
        wait_for(lambda: process.poll() is not None or self._is_passing(), "the last node receives", 150)
        assert process.poll() is None, process.communicate()[0]
        return process

    def _is_passing(self) -> bool:
        unit = f"fieldops-relay-{self.bundle.index.digest.short}.service"
        status = self.lab.hosts[NODES[-2]].run("systemctl", "show", unit, "-P", "StatusText").strip()
        received = json.loads(status or "{}").get("bytes", 0) > len(self.bundle.index.as_bytes()) * 2
        begun = self.lab.hosts[NODES[-1]].run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256 2>/dev/null || true")
        return received and ".part" in begun

    def by_source(self, ended: Ended, name: str) -> dict[str, int]:
        """Return what a node received, by the name of the node or ``controller``."""
        owners = {address: node for node, (address,) in self.addresses.items()}
        sources = ended.result["msg"][name]["by_source"].items()
        return {owners.get(url.split("/")[2].split(":")[0], "controller"): size for url, size in sources}

    def require_nothing_left(self) -> None:
        for name in NODES:
            host = self.lab.hosts[name]
            assert host.run("systemctl", "list-units", "--all", "--no-legend", "fieldops-*") == "", name
            assert host.run("sh", "-c", "find /run/fieldops-relay -type f 2>/dev/null || true") == "", name
        assert secrets_of(self.bundle) == []


def secrets_of(bundle: WrittenBundle) -> list[Path]:
    """Return the secrets of relays of this bundle on this machine; plays of others may keep theirs beside them."""
    name = f"fieldops-*-{bundle.index.digest.short}/token"
    return [path for place in PLACES_OF_SECRETS for path in Path(place).glob(name)]


@pytest.fixture
def chain(lab: Lab, controller: Controller, bundle: WrittenBundle) -> Iterator[Chain]:
    for token in secrets_of(bundle):
        token.unlink()
    yield Chain(lab, controller, bundle)
    for name in NODES:
        forget_everything(lab.hosts[name], [])


@contextlib.contextmanager
def closed_way(lab: Lab, name: str, *others: str) -> Iterator[None]:
    """Let a host lose all packets to others, as between two networks with a firewall in between."""
    host, ways = lab.hosts[name], [f"{lab.hosts[other].address}/32" for other in others]
    for way in ways:
        host.run("ip", "route", "add", "blackhole", way)
    try:
        yield
    finally:
        for way in ways:
            host.run("ip", "route", "delete", "blackhole", way)


def test_one_drive_in_one_node_is_enough_for_all(lab: Lab, chain: Chain) -> None:
    drive = {"master-0": plug_in(lab, "master-0", chain.bundle)}
    trial = chain.run("--check", served=False, stage_bundle_src_by_node=drive)
    assert trial.rc == 0, trial.output
    assert not any(chain.has_begun(name) for name in NODES)
    chain.require_nothing_left()
    ended = chain.run(served=False, stage_bundle_src_by_node=drive)
    assert ended.rc == 0, ended.output
    assert all(chain.is_complete(name) for name in NODES)
    assert chain.by_source(ended, "worker-0").keys() == {"master-0"}
    assert chain.by_source(ended, "worker-1")["worker-0"] > chain.bundle.index.size / 2
    chain.require_nothing_left()
    again = chain.run(served=False, stage_bundle_src_by_node=drive)
    assert (again.rc, again.changed) == (0, 0), again.output
    chain.require_nothing_left()


def test_those_that_hold_it_are_source_enough_for_one_that_comes_later(chain: Chain) -> None:
    first = chain.run(stage_bundle_nodes=NODES[:2])
    assert first.rc == 0, first.output
    late = chain.run(served=False)
    assert late.rc == 0, late.output
    assert chain.is_complete("worker-1")
    assert chain.by_source(late, "worker-1").keys() <= {"master-0", "worker-0"}
    chain.require_nothing_left()


def test_a_node_that_dies_is_routed_round_and_comes_later(lab: Lab, chain: Chain) -> None:
    # All comes through the first node's link, so that nobody is complete when the second one dies.
    with lab.faults.slow_link("master-0", 16_000_000):
        process = chain.start()
        lab.hosts["worker-0"].lose_power()
        ended = chain.controller.finish(process)
    assert ended.rc == 2, ended.output
    assert "Could not follow the job on worker-0: the host has not been reachable for" in " ".join(ended.output.split())
    assert chain.is_complete("master-0")
    assert chain.is_complete("worker-1")
    lab.hosts["worker-0"].power_on()
    lab.wait_ready(["worker-0"])
    chain.require_nothing_left()
    late = chain.run()
    assert late.rc == 0, late.output
    assert chain.is_complete("worker-0")
    assert chain.by_source(late, "worker-0").keys() <= {"master-0", "worker-1"}, "from those that hold it"
    chain.require_nothing_left()


def test_who_reaches_no_other_node_fetches_from_the_source_of_all(lab: Lab, chain: Chain) -> None:
    with closed_way(lab, "worker-1", "master-0", "worker-0"):
        refused = chain.run(stage_bundle_method="chain")
        assert refused.rc == 2, refused.output
        assert "worker-1 cannot reach any of the nodes before it" in refused.output
        assert not chain.is_complete("worker-1")
        chain.require_nothing_left()
        ended = chain.run()
    assert ended.rc == 0, ended.output
    assert chain.by_source(ended, "worker-1").keys() == {"controller"}
    chain.require_nothing_left()


def test_what_a_killed_play_left_goes_at_the_next_start(lab: Lab, chain: Chain) -> None:
    with lab.faults.slow_link("worker-1", 40_000_000):
        process = chain.start()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    ended = chain.run()
    assert ended.rc == 0, ended.output
    assert all(chain.is_complete(name) for name in NODES)
    for name in NODES:
        assert lab.hosts[name].run("systemctl", "list-units", "--all", "--no-legend", "fieldops-relay*") == "", name


def test_wrong_bytes_of_a_neighbour_are_found_out_and_go_no_further(lab: Lab, chain: Chain) -> None:
    first = chain.run(stage_bundle_nodes=NODES[:1])
    assert first.rc == 0, first.output
    index = chain.bundle.index
    lost = max(index.blobs, key=lambda digest: index.blobs[digest].size)
    place = f"{BUNDLES}/{index.folder_name}/blobs/sha256/{lost.hex}"
    middle = index.blobs[lost].size // 2
    lab.hosts["master-0"].run("sh", "-c", f"printf x | dd of={place} bs=1 seek={middle} conv=notrunc 2>/dev/null")
    ended = chain.run(stage_bundle_method="chain")
    assert ended.rc == 0, ended.output
    for name in NODES[1:]:
        assert chain.is_complete(name)
        assert lab.hosts[name].run("sha256sum", place).split()[0] == lost.hex
    assert chain.by_source(ended, "worker-0").keys() == {"master-0", "controller"}, "what is wrong comes from elsewhere"
    assert "controller" not in chain.by_source(ended, "worker-1"), "what is passed on was verified"
    chain.require_nothing_left()
