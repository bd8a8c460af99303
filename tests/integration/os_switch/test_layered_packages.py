# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Packages that are layered on hosts are removed node by node; a run that is killed goes on, a node that fails has its
packages back."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import SwitchRun, SwitchSite

HOSTS: t.Final = ["worker-0", "worker-1"]
DROP_IN = "/etc/systemd/system/kubelet.service.d/needs-tcpdump.conf"
NEEDS_TCPDUMP = """\
[Service]
ExecStartPre=/usr/bin/python3 -c "import json, subprocess; \\
  found = json.loads(subprocess.check_output(['rpm-ostree', 'status', '--json']))['deployments']; \\
  exit('tcpdump' not in next(one for one in found if one['booted'])['requested-packages'])"
"""
"""What keeps the kubelet from starting where the package is gone."""


def layer(site: SwitchSite, name: str) -> None:
    """Have two packages layered on a host, in all of its deployments."""
    edit = "sed -i '/^.packages./,$d' $one; printf '[packages]\\nrequested=tcpdump;strace;\\n' >> $one"
    site.host(name).run("mount", "-o", "remount,rw", "/sysroot", check=False)
    site.host(name).run("sh", "-c", f"for one in /sysroot/ostree/deploy/default/deploy/*.origin; do {edit}; done")


def layered(site: SwitchSite, name: str) -> tuple[list[str], bool]:
    """Return the packages that are layered on the booted deployment, and whether another one is staged."""
    found = json.loads(site.host(name).run("rpm-ostree", "status", "--json"))["deployments"]
    booted = next(one for one in found if one["booted"])
    return sorted(booted["requested-packages"]), any(one.get("staged") for one in found)


def remove(site: SwitchSite, folder: Path, *, killed: str = "", **options: t.Any) -> SwitchRun:
    """Run the role for one of the packages."""
    known = {"packages": ["tcpdump"], "nodes": HOSTS, "guard": {"stanza": {"strategy": "Permissive"}}, **options}
    role = {"name": "fieldops.openshift.unlayer_packages"}
    given = {f"unlayer_packages_{name}": value for name, value in known.items()}
    task = {"name": "Remove", "ansible.builtin.include_role": role, "vars": given}
    path = folder / "remove.yml"
    path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [task]}]))
    return site.play(str(path), killed=killed)


@pytest.mark.long
def test_they_are_removed_node_by_node_however_the_run_is_killed(site: SwitchSite, tmp_path: Path) -> None:
    boots = site.boots()
    for name in HOSTS:
        layer(site, name)
    killed = remove(site, tmp_path, killed="before Reboot the host")
    assert killed.status < 0, killed.output
    assert layered(site, HOSTS[0]) == (["strace", "tcpdump"], True)
    ended = remove(site, tmp_path)
    assert ended.status == 0, ended.output
    assert [layered(site, name) for name in HOSTS] == [(["strace"], False)] * 2
    assert [site.boots()[name] - boots[name] for name in HOSTS] == [1, 1]
    assert [site.schedulable()[name] for name in HOSTS] == [True, True]
    again = remove(site, tmp_path)
    assert (again.status, again.changed) == (0, 0), again.output


@pytest.mark.long
def test_a_node_that_fails_has_its_packages_back(site: SwitchSite, tmp_path: Path) -> None:
    for name in HOSTS:
        layer(site, name)
    boots = site.boots()
    site.host(HOSTS[0]).run("mkdir", "-p", str(Path(DROP_IN).parent))
    site.host(HOSTS[0]).write(DROP_IN, NEEDS_TCPDUMP)
    failed = remove(site, tmp_path, ready_timeout=60, attempt="again")
    site.host(HOSTS[0]).run("rm", DROP_IN)
    assert failed.status > 0, failed.output
    assert [layered(site, name) for name in HOSTS] == [(["strace", "tcpdump"], False)] * 2
    assert [site.boots()[name] - boots[name] for name in HOSTS] == [2, 0]
    assert (site.schedulable()[HOSTS[0]], site.holder()) == (True, "")
