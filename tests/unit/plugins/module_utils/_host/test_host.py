# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One host, whether it is this machine or the one whose root is mounted in a helper pod."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host import host as host_module
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import ENTER_HOST, Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="namespaces are root's")


def mounted(root: Path) -> Host:
    return Host(SystemClock(), root)


class TestPath:
    def test_on_this_machine_a_path_is_itself(self, host: Host) -> None:
        assert host.path("/etc/os-release") == Path("/etc/os-release")

    def test_of_a_mounted_host_it_lies_below_the_root(self, tmp_path: Path) -> None:
        path = mounted(tmp_path).path("/etc/os-release")
        assert path == tmp_path / "etc/os-release"
        assert mounted(tmp_path).as_seen_by_host(path) == "/etc/os-release"

    @pytest.mark.parametrize("path", ["etc/passwd", "", "/etc/../boot", "/a/..", "/a\0b"])
    def test_what_is_no_plain_absolute_path_is_refused(self, host: Host, path: str) -> None:
        with pytest.raises(InvalidInputError, match=r"absolute path|'\.\.'"):
            host.path(path)

    def test_a_link_that_would_lead_into_the_pod_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "var").symlink_to("/data")
        with pytest.raises(InvalidInputError, match="symbolic link in it leads outside"):
            mounted(tmp_path).path("/var/lib/fieldops")

    def test_a_link_within_the_root_is_fine(self, tmp_path: Path) -> None:
        (tmp_path / "sysroot").mkdir()
        (tmp_path / "ostree").symlink_to("sysroot")
        assert mounted(tmp_path).path("/ostree/repo") == tmp_path / "ostree/repo"


class TestEnvironment:
    def test_of_this_machine(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in {
            "PATH": "/opt/bin:/usr/bin",
            "container": "oci",
            "HTTPS_PROXY": "http://p:1",
            "SHLVL": "7",
            "PASSWORD_STORE_DIR": "/srv/passwords",
        }.items():
            monkeypatch.setenv(name, value)
        seen = host.environment({"REGISTRY_AUTH_FILE": "/a"})
        assert seen["PATH"] == "/opt/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin"
        assert (seen["HTTPS_PROXY"], seen["REGISTRY_AUTH_FILE"], seen["LC_ALL"]) == ("http://p:1", "/a", "C.UTF-8")
        assert seen["PASSWORD_STORE_DIR"] == "/srv/passwords"
        assert not {"container", "SHLVL"} & set(seen)

    def test_of_a_mounted_host_knows_nothing_of_the_pod(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in {"PATH": "/pod/bin", "HOME": "/pod", "TMPDIR": "/pod/tmp", "no_proxy": ".svc"}.items():
            monkeypatch.setenv(name, value)
        seen = mounted(tmp_path).environment()
        assert (seen["PATH"], seen["HOME"], seen["no_proxy"]) == (
            host_module.SYSTEM_PATH,
            pwd.getpwuid(os.geteuid()).pw_dir,
            ".svc",
        )
        assert "TMPDIR" not in seen

    @pytest.mark.parametrize("name", ["container", "LC_ALL"])
    def test_nobody_can_bring_back_what_breaks_commands(self, host: Host, name: str) -> None:
        assert host.environment({name: "oci"}).get(name) in (None, "C.UTF-8")


class TestRun:
    def test_the_result_is_returned(self, host: Host, seconds: Callable[[float], Deadline]) -> None:
        assert host.run(["echo", "hello"], deadline=seconds(10)).stdout == "hello\n"

    def test_bootc_would_not_take_it_for_a_container(
        self, host: Host, seconds: Callable[[float], Deadline], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("container", "oci")
        listed = host.run(["env"], deadline=seconds(10), env={"container": "podman"}).stdout
        assert "container=" not in listed

    def test_a_bad_status_is_an_error(self, host: Host, seconds: Callable[[float], Deadline]) -> None:
        with pytest.raises(
            CommandError, match="on this host: it ended with status 4, with the error output: no"
        ) as caught:
            host.run(["sh", "-c", "echo no >&2; exit 4"], deadline=seconds(10))
        assert caught.value.rc == 4

    @pytest.mark.parametrize("ok", [(0, 77), None], ids=["listed", "any"])
    def test_an_accepted_status_is_none(
        self, host: Host, seconds: Callable[[float], Deadline], ok: tuple[int, ...] | None
    ) -> None:
        assert host.run(["sh", "-c", "exit 77"], deadline=seconds(10), ok=ok).rc == 77

    def test_a_secret_reaches_the_command_but_no_error(self, host: Host, seconds: Callable[[float], Deadline]) -> None:
        with pytest.raises(CommandError) as caught:
            host.run(
                ["sh", "-c", "cat >&2; exit 1"], deadline=seconds(10), stdin=b"is canary-pw", secrets=["canary-pw"]
            )
        assert caught.value.stderr == "is ********"
        assert "canary" not in f"{caught.value} {caught.value.partial}"

    def test_a_secret_in_the_words_is_refused(self, host: Host, seconds: Callable[[float], Deadline]) -> None:
        with pytest.raises(InvalidInputError) as caught:
            host.run(["skopeo", "--creds=u:canary-pw"], deadline=seconds(10), secrets=["canary-pw"])
        assert "canary" not in str(caught.value)


INSIDE_A_POD = """
import sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
clock = SystemClock()
root, covered = Path(sys.argv[1]), sys.argv[2]
host = Host(clock, root)
assert not Path(covered, "marker").exists(), "the pod must not see it"
assert host.path(covered + "/marker").read_text() == "of the host"
print(host.run(["cat", covered + "/marker"], deadline=Deadline(10, clock)).stdout)
print(any(mount.mount_point == covered for mount in read_mounts(host)))
try:
    host.run(["fieldops-no-such-program"], deadline=Deadline(10, clock))
except FieldOpsError as error:
    print(error.kind, "|", error)
"""


HOST = 'unshare --mount --propagation private sh -c "$0" pod "$@"; exit $?'
POD = 'mount --rbind / "$1" && mount -t tmpfs none "$2" && shift 2 && exec "$@"'


@as_root
def test_from_a_pod_commands_enter_the_namespaces_of_the_host(tmp_path: Path) -> None:
    """Process 1 of a new pid namespace plays the host; the pod shares its pids, hides a directory, has its root."""
    root, covered = tmp_path / "host", tmp_path / "covered"
    root.mkdir()
    covered.mkdir()
    (covered / "marker").write_text("of the host")
    new_host = ["unshare", "--mount", "--uts", "--ipc", "--net", "--pid", "--fork", "--mount-proc"]
    python = [sys.executable, "-c", INSIDE_A_POD, str(root), str(covered)]
    done = subprocess.run(
        [*new_host, "sh", "-c", HOST, POD, str(root), str(covered), *python],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    said, own_mounts, missing = done.stdout.splitlines()
    assert (said, own_mounts) == ("of the host", "False")
    assert missing.startswith("missing_requirement | Could not start fieldops-no-such-program on the host mounted at")


def test_commands_of_a_mounted_host_are_prefixed_and_shown_without_the_prefix(
    tmp_path: Path, seconds: Callable[[float], Deadline], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter = tmp_path / "nsenter"
    enter.write_text('#!/bin/sh\necho "$@"\nexit 5\n')
    enter.chmod(0o755)
    monkeypatch.setattr(host_module, "SYSTEM_PATH", f"{tmp_path}:/usr/bin:/bin")
    result = mounted(tmp_path).run(["crictl", "images"], deadline=seconds(10), ok=None)
    assert result.argv == ("crictl", "images")
    assert result.stdout.split() == [*ENTER_HOST[1:], "crictl", "images"]


def test_a_pod_without_nsenter_is_told_so(
    tmp_path: Path, seconds: Callable[[float], Deadline], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "SYSTEM_PATH", str(tmp_path))
    with pytest.raises(MissingRequirementError, match="provides nsenter"):
        mounted(tmp_path).run(["crictl"], deadline=seconds(10))
