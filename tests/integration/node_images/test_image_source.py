# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A node whose network swallows every packet pulls every image of its staged bundle, by every client, at once."""

from __future__ import annotations

import subprocess
import time
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    listed,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, failed, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.first_boot_host import BLACK_HOLE

AT_ONCE = 4.0
"""Seconds above which a pull has waited for a network that is not there: one lookup of a name alone takes five."""
SERVICE = "fieldops-image-source.service"
DROP_IN = "/etc/containers/registries.conf.d/zz-fieldops-image-source.conf"
NOWHERE = f"sha256:{'0' * 64}"
HOLE = f"""
set -e
{BLACK_HOLE}
cp /etc/resolv.conf /etc/resolv.conf.real 2>/dev/null || true
echo 'nameserver 203.0.113.53' > /etc/resolv.conf
"""
FILLED = "ip link del hole; mv /etc/resolv.conf.real /etc/resolv.conf 2>/dev/null || rm -f /etc/resolv.conf"
CONFIGURATION = "find /etc/containers /etc/systemd/system /etc/hosts -type f -o -type l | sort | xargs sha256sum"


class Offline(Node):
    """A host whose packets vanish, with a staged bundle that it serves to itself; ``before`` is what it was like."""

    before = ""

    def source(self, **options: t.Any) -> dict[str, t.Any]:
        """Set the image source up and return the module's result."""
        return succeeded(self.controller.task(self.host.name, "image_source", **options)).result

    def served(self) -> dict[str, t.Any]:
        """Return what the info module says of this bundle, and of damage."""
        told = succeeded(self.controller.task(self.host.name, "node_info", gather=["image_source"])).result
        seen = told["image_source"]
        (bundle,) = [one for one in seen["bundles"] if one["index_digest"] == str(self.bundle.index.digest)]
        return {**bundle, "damaged": seen["damaged"]}

    def seconds(self, *words: str, check: bool = True) -> tuple[float, str]:
        """Run a command on the host; return how long it took and all that it said."""
        began = time.monotonic()
        said = self.host.run("sh", "-c", f"{' '.join(words)} 2>&1", check=check)
        return time.monotonic() - began, said

    def most_memory(self) -> int:
        """Return the bytes of memory that the server's process has had at most."""
        process = self.host.run("systemctl", "show", SERVICE, "--property=MainPID", "--value").strip()
        (line,) = [one for one in self.host.run("cat", f"/proc/{process}/status").splitlines() if "VmHWM" in one]
        return int(line.split()[1]) << 10

    def image(self, component: str) -> str:
        """Return the name of an image of the bundle."""
        return next(str(image.name) for image in self.bundle.index.images if image.component == component)


@pytest.fixture(scope="module")
def node(lab: Lab, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Offline]:
    host = lab.hosts["worker-1"]
    offline = Offline(lab, host, bundle, Controller(lab, tmp_path_factory.mktemp("plays")))
    offline.before = host.run("sh", "-c", CONFIGURATION)
    host.run("sh", "-c", HOLE)
    try:
        succeeded(offline.stage())
        offline.source()
        yield offline
    finally:
        offline.controller.task(host.name, "image_source", state="absent")
        host.run("sh", "-c", f"{FILLED}; rm -rf /var/lib/fieldops/*")


@pytest.fixture(autouse=True)
def emptied(node: Offline) -> Iterator[None]:
    yield
    present = [name for name in node.bundle.names if name in listed(node.host)]
    if present:
        node.host.run("crictl", "--timeout", "2m", "rmi", *present)


def test_the_registry_was_seen_to_be_unreachable(node: Offline) -> None:
    assert node.source()["blocked"] == sorted({name.partition("/")[0] for name in node.bundle.names})


def test_it_is_set_up_once(node: Offline) -> None:
    again = node.source()
    assert again["changed"] is False, again
    assert (again["files"], again["actions"]) == ([], [])


@pytest.mark.parametrize(
    ("words", "which"),
    [
        pytest.param(("crictl", "--timeout", "30s", "pull"), "etcd", id="CRI-O"),
        pytest.param(("podman", "pull", "--quiet"), "etcd", id="podman"),
        pytest.param(("skopeo", "inspect", "--raw"), "etcd", id="skopeo"),
    ],
)
def test_a_client_finds_an_image_under_its_own_name(node: Offline, words: tuple[str, ...], which: str) -> None:
    name = node.image(which)
    took, said = node.seconds(*words, f"docker://{name}" if words[0] == "skopeo" else name)
    assert took < AT_ONCE, said
    if words[0] != "skopeo":
        assert name in listed(node.host)


def test_crio_finds_all(node: Offline) -> None:
    """OCI and Docker manifests, and a list of two architectures under another registry's name."""
    for name in node.bundle.names:
        took, said = node.seconds("crictl", "--timeout", "30s", "pull", name)
        assert took < AT_ONCE, said
    assert set(node.bundle.names) <= set(listed(node.host))
    assert node.most_memory() < 30 << 20


@pytest.mark.parametrize("client", ["crictl --timeout 30s pull", "podman pull --quiet"])
@pytest.mark.parametrize(
    ("reference", "said"),
    [
        pytest.param(f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@{NOWHERE}", "manifest unknown", id="digest"),
        pytest.param("quay.io/openshift-release-dev/ocp-v4.0-art-dev:latest", "is blocked", id="tag"),
    ],
)
def test_what_is_not_in_the_bundle_is_refused_at_once(node: Offline, client: str, reference: str, said: str) -> None:
    took, output = node.seconds(client, reference, check=False)
    assert took < AT_ONCE, output
    assert said in output


def test_pulls_survive_that_the_server_is_killed(node: Offline) -> None:
    kill = f"while systemctl kill --signal=KILL {SERVICE}; do sleep 0.6; done"
    killer = f"systemd-run --quiet --unit=killer sh -c '{kill}'"
    node.host.run("sh", "-c", killer)
    try:
        for name in node.bundle.names:
            # One that is killed between a question and its answer fails; a kubelet asks again and again.
            pull = f"crictl --timeout 60s pull {name}"
            node.host.run("sh", "-c", f"for n in 1 2 3 4 5; do {pull} && exit 0; done; exit 1")
    finally:
        node.host.run("systemctl", "stop", "killer")
    assert set(node.bundle.names) <= set(listed(node.host))
    restarts = int(node.host.run("systemctl", "show", SERVICE, "--property=NRestarts", "--value"))
    assert restarts > 0, "it was killed"


def test_a_blob_that_has_changed_takes_its_images_away_and_no_other(node: Offline) -> None:
    name = node.image("etcd")
    digest = next(image for image in node.bundle.index.images if image.component == "etcd").content[-1]
    folder = upper(node.host) / node.served()["folder"].lstrip("/")
    path = folder / "blobs/sha256" / digest.hex
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    try:
        seen = node.served()
        assert name in seen["lacking"]
        assert seen["damaged"] == [str(digest)]
        assert seen["servable"] > 0
        _took, output = node.seconds("crictl", "--timeout", "30s", "pull", name, check=False)
        assert "manifest unknown" in output
        journal = node.host.run("journalctl", "--unit", SERVICE, "--no-pager")
        assert f"{digest} is damaged" in journal
    finally:
        path.write_bytes(content)
    wait_for(lambda: node.served()["lacking"] == [], "what was put right is served again")


def test_a_bundle_that_goes_while_it_is_served_is_not_served_any_more(node: Offline) -> None:
    digest = str(node.bundle.index.digest)
    succeeded(node.controller.task(node.host.name, "node_bundle", index_digest=digest, state="absent"))
    _took, output = node.seconds("crictl", "--timeout", "30s", "pull", node.image("etcd"), check=False)
    assert "manifest unknown" in output
    node.source()
    assert node.host.run("sh", "-c", CONFIGURATION) == node.before, "with nothing to serve there is no source"
    succeeded(node.stage())
    node.source()
    wait_for(lambda: node.served()["lacking"] == [], "the bundle that came back is served")


def test_mirrors_of_the_site_follow_ours_also_when_they_change(node: Offline) -> None:
    """As the machine-config operator renders an ImageDigestMirrorSet that comes later."""
    main = "/etc/containers/registries.conf"
    known = node.host.run("sh", "-c", f"cat {main} 2>/dev/null || true")
    mirror = (
        '\n[[registry]]\n  prefix = ""\n  location = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"\n'
        '\n  [[registry.mirror]]\n    location = "mirror.site.example/ocp"\n    pull-from-mirror = "digest-only"\n'
    )
    try:
        node.host.write(main, known + mirror)
        wait_for(lambda: "mirror.site.example/ocp" in node.host.run("cat", DROP_IN), "both are joined")
        assert "127.0.0.1:9700" in node.host.run("cat", DROP_IN)
        node.host.run("crictl", "--timeout", "30s", "pull", node.image("etcd"))
        node.host.write(main, "[[registry]\n")
        ended = node.controller.task(node.host.name, "image_source")
        failed(ended, "invalid_input")
        assert "mirror.site.example/ocp" in node.host.run("cat", DROP_IN), "what was joined stays"
    finally:
        node.host.write(main, known) if known else node.host.run("rm", "-f", main)
    wait_for(lambda: "mirror.site.example" not in node.host.run("cat", DROP_IN), "the site's mirror is gone again")


def test_crio_is_told_also_if_a_play_was_killed_before_it_could(node: Offline) -> None:
    """The path unit sees what the play has written, in one piece as it writes it."""
    unit, kept = "fieldops-image-source-mirrors.path", "/etc/containers/kept"
    node.host.run("systemctl", "stop", unit)
    node.host.run("sh", "-c", f"mv {DROP_IN} {kept} && systemctl reload crio")
    tag = "timeout 2 crictl pull quay.io/openshift-release-dev/ocp-release:latest 2>&1 || true"
    wait_for(lambda: "is blocked" not in node.host.run("sh", "-c", tag), "CRI-O has forgotten the rules")
    node.host.run("sh", "-c", f"systemctl start {unit} && mv {kept} {DROP_IN}")
    pull = f"timeout 5 crictl --timeout 4s pull {node.image('etcd')} && echo done || true"
    wait_for(lambda: "done" in node.host.run("sh", "-c", pull), "CRI-O asks the source", 20)


def test_a_thousand_silent_connections_do_not_keep_a_pull_away(node: Offline) -> None:
    program = (
        "import socket, time; held = []\n"
        "for n in range(1000):\n"
        "    held.append(socket.create_connection(('127.0.0.1', 9700), 5))\n"
        "print('held', flush=True); time.sleep(600)"
    )
    node.host.write("/root/silent.py", program)
    node.host.run("sh", "-c", "systemd-run --quiet --unit=silent --property=LimitNOFILE=4096 python3 /root/silent.py")
    try:
        wait_for(lambda: "held" in node.host.run("journalctl", "--unit", "silent", "--no-pager"), "all are open")
        node.host.run("crictl", "--timeout", "30s", "pull", node.image("etcd"))
        assert node.host.run("systemctl", "is-active", "silent").strip() == "active", "their holder has not ended"
    finally:
        node.host.run("systemctl", "stop", "silent")
    assert node.most_memory() < 60 << 20


def test_a_client_from_outside_finds_no_port(lab: Lab, node: Offline) -> None:
    url = f"http://{node.host.address}:9700/v2/"
    asked = subprocess.run(
        lab.command(["curl", "--silent", "--max-time", "5", url]), capture_output=True, text=True, check=False
    )
    assert (asked.returncode, asked.stdout) == (7, ""), "the connection is refused"


def test_nothing_is_left_of_it(node: Offline) -> None:
    dry = node.controller.task(node.host.name, "image_source", "--check", state="absent")
    assert succeeded(dry).result["changed"] is True
    node.source(state="absent")
    assert node.host.run("sh", "-c", CONFIGURATION) == node.before
    assert "fieldops-image" not in node.host.run("systemctl", "list-units", "--all", "--no-legend")
    assert not (upper(node.host) / "var/lib/fieldops/image-source").exists()
    assert node.source(state="absent")["changed"] is False
    node.source()
    wait_for(lambda: node.served()["lacking"] == [], "and it comes back")
