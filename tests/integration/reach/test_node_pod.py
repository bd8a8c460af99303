# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The connection node_pod: real pods of a real kubelet, real commands on the hosts behind them."""

from __future__ import annotations

import hashlib
import typing as t
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import Site, Tasks

RAW = "ansible.builtin.raw"
CANARY = "canary-5d1c9b7e"


def raw(script: str, **fields: t.Any) -> dict[str, t.Any]:
    return {RAW: script, "register": "seen", "failed_when": False, **fields}


def test_a_command_runs_on_the_host_with_its_own_status(site: Site) -> None:
    script = 'hostname; id -u; systemctl is-system-running; cat /proc/1/comm; echo "[$container]"; echo no >&2; exit 9'
    result = site.play([raw(script)]).result
    assert result["stdout_lines"] == ["worker-0", "0", "running", "systemd", "[]"]
    assert (result["rc"], result["stderr"]) == (9, "no\n")


def test_a_module_runs_with_the_python_of_the_host_and_leaves_no_file(site: Site) -> None:
    tasks: Tasks = [
        {"ansible.builtin.command": "readlink /proc/self/ns/mnt", "register": "seen"},
        {RAW: "readlink /proc/1/ns/mnt; find /root/.ansible -type f 2>/dev/null | wc -l", "register": "host"},
        {"ansible.builtin.assert": {"that": ["seen.stdout == host.stdout_lines[0]", "host.stdout_lines[1] == '0'"]}},
    ]
    outcome = site.play(tasks)
    assert outcome.status == 0, outcome.output


def test_files_travel_in_both_directions(site: Site, tmp_path: Path) -> None:
    content = hashlib.shake_256(b"file").digest(5_000_000)
    (tmp_path / "sent").write_bytes(content)
    tasks: Tasks = [
        {"ansible.builtin.copy": {"src": str(tmp_path / "sent"), "dest": "/root/it's here", "mode": "0640"}},
        {"ansible.builtin.fetch": {"src": "/root/it's here", "dest": f"{tmp_path}/", "flat": True}},
        raw("stat -c '%a %s' \"/root/it's here\"; rm \"/root/it's here\""),
    ]
    outcome = site.play(tasks)
    assert outcome.result["stdout"] == "640 5000000\n", outcome.output
    assert (tmp_path / "it's here").read_bytes() == content


def test_a_file_that_is_not_there(site: Site, tmp_path: Path) -> None:
    fetch = {"src": "/root/nothing", "dest": f"{tmp_path}/", "flat": True, "fail_on_missing": True}
    outcome = site.play([{"ansible.builtin.fetch": fetch, "register": "seen", "failed_when": False}])
    assert "does not exist" in outcome.result["msg"]


def test_commands_stand_in_no_audit_log(site: Site) -> None:
    site.play([raw("true")])
    mark = site.lab.api.audit.mark()
    site.play([raw(f"echo {CANARY}"), {"ansible.builtin.command": {"cmd": "cat", "stdin": CANARY}}])
    assert site.lab.api.audit.count(mark, resource="pods/exec") >= 2
    logs = [*site.lab.api.directory.rglob("audit*")]
    assert [log for log in logs if b"pods/node-worker-0/exec?" in log.read_bytes()]
    assert not [log for log in logs if CANARY.encode() in log.read_bytes()]


def test_the_pod_of_a_run_serves_all_its_tasks(site: Site) -> None:
    site.play([raw("true")])
    mark = site.lab.api.audit.mark()
    site.play([raw("true"), raw("true")])
    assert site.lab.api.audit.count(mark, verb="create", resource="pods") == 0


def test_both_workers_at_once(site: Site) -> None:
    tasks: Tasks = [
        {RAW: "hostname", "register": "here"},
        {"ansible.builtin.assert": {"that": "here.stdout_lines == [inventory_hostname]"}},
    ]
    outcome = site.play(tasks, hosts="worker-0,worker-1")
    assert outcome.status == 0, outcome.output


def test_a_cordoned_node_that_has_rebooted_is_reached_again(site: Site) -> None:
    site.play([raw("true")], hosts="worker-1")
    site.lab.api.rest.merge("/api/v1/nodes/worker-1", {"spec": {"unschedulable": True}})
    site.lab.reboot("worker-1")
    site.lab.wait_ready(["worker-1"])
    outcome = site.play([raw("hostname")], hosts="worker-1")
    site.lab.api.rest.merge("/api/v1/nodes/worker-1", {"spec": {"unschedulable": False}})
    assert outcome.result["stdout"] == "worker-1\n", outcome.output


def test_a_host_without_python_is_told_from_other_failures(site: Site) -> None:
    interpreter = {"ansible_python_interpreter": "/usr/bin/python-that-is-not-there"}
    tasks: Tasks = [{"ansible.builtin.ping": {}, "register": "seen", "failed_when": False}]
    outcome = site.play(tasks, "-vvv", **interpreter)
    assert "ansible_node_pod_enter" in outcome.output, outcome.output[-6000:]
    assert site.play([raw("echo works")], **interpreter).result["stdout"] == "works\n"


def test_inside_the_pod_the_host_is_a_folder(site: Site) -> None:
    script = "cat /host/etc/hostname; [ -e /usr/bin/systemctl ] || echo no systemctl here"
    result = site.play([raw(script)], ansible_node_pod_enter="pod").result
    assert result["stdout_lines"] == ["worker-0", "no systemctl here"]


def test_an_address_names_the_node_too(site: Site) -> None:
    address = site.lab.hosts["worker-0"].address
    assert site.play([raw("hostname")], ansible_host=address).result["stdout"] == "worker-0\n"


def test_a_node_that_is_none(site: Site) -> None:
    outcome = site.play([raw("true")], ansible_node_pod_node="worker-9")
    assert "UNREACHABLE" in outcome.output
    assert "no node of this name" in outcome.output


def test_an_image_that_the_node_does_not_hold_is_not_pulled(site: Site) -> None:
    site.run = "other-image"
    outcome = site.play([raw("true")], ansible_node_pod_image="quay.io/example/none@sha256:" + "0" * 64)
    assert "ErrImageNeverPull" in outcome.output
    outcome = site.play([{"fieldops.openshift.helper_pods": closing(site)}], hosts="localhost")
    assert outcome.status == 0, outcome.output


def test_the_shipped_rights_are_enough(site: Site, grant: Callable[[str, str], None]) -> None:
    grant("technician", "node-pod.yml")
    site.run = "technician"
    access = {"ansible_node_pod_kubeconfig": str(site.lab.api.kubeconfig_for("technician"))}
    assert site.play([raw("hostname")], **access).result["stdout"] == "worker-0\n"
    assert site.play([{"fieldops.openshift.helper_pods": closing(site)}], hosts="localhost").status == 0


def test_a_missing_right_is_named(site: Site) -> None:
    site.run = "stranger"
    access = {"ansible_node_pod_kubeconfig": str(site.lab.api.kubeconfig_for("stranger"))}
    outcome = site.play([raw("true")], **access)
    assert "UNREACHABLE" in outcome.output
    assert "stranger" in outcome.output, outcome.output
    assert 'cannot get resource "nodes"' in outcome.output, outcome.output


def closing(site: Site) -> dict[str, t.Any]:
    return {"state": "absent", "run": site.run, "kubeconfig": str(site.lab.api.kubeconfig)}
