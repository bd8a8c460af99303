# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Credentials and a mirror for the time of one pull: whatever ends it, the host is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.registry_access import (
    AUTH_FILE,
    MIRROR_FILE,
    has_leftovers,
    registry_access,
    take_away,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    goal,
)

OURS, THEIRS = '{"auths": {"ours": {}}}', '{"auths": {"theirs": {}}}'
PLAIN = goal(image=f"{NAME}:9")
MIRRORED = goal(image=f"{NAME}:9", mirror="192.0.2.7:5000/os/image", mirror_insecure=True)


class KilledError(BaseException):
    """Stands for a signal that leaves no time to clean up."""


@pytest.fixture
def host(tmp_path: Path) -> Host:
    for folder in ("run/ostree", "etc/containers/registries.conf.d"):
        (tmp_path / folder).mkdir(parents=True)
    return Host(SystemClock(), tmp_path)


def killed_within(host: Host, auth: str) -> None:
    """Leave what a run leaves that is killed in the middle of a pull."""
    access = registry_access(host, MIRRORED, auth)
    access.__enter__()
    files = {path: path.read_bytes() for path in host.root.rglob("*") if path.is_file()}
    access.__exit__(None, None, None)
    for path, content in files.items():
        path.write_bytes(content)


@pytest.mark.parametrize("ending", [None, KilledError])
def test_credentials_are_gone_afterwards(host: Host, ending: type[BaseException] | None) -> None:
    try:
        with registry_access(host, PLAIN, OURS) as auth_file:
            assert auth_file == AUTH_FILE
            assert host.path(AUTH_FILE).read_text() == OURS
            assert host.path(AUTH_FILE).stat().st_mode & 0o777 == 0o600
            if ending:
                raise ending
    except KilledError:
        pass
    assert not host.path(AUTH_FILE).exists()
    assert not has_leftovers(host)


def test_credentials_of_the_host_come_back(host: Host) -> None:
    host.path(AUTH_FILE).write_text(THEIRS)
    with registry_access(host, PLAIN, OURS):
        assert host.path(AUTH_FILE).read_text() == OURS
    assert host.path(AUTH_FILE).read_text() == THEIRS


def test_a_link_to_credentials_comes_back_as_a_link(host: Host) -> None:
    host.path(AUTH_FILE).symlink_to("../elsewhere.json")
    with registry_access(host, PLAIN, OURS):
        assert not host.path(AUTH_FILE).is_symlink()
    assert str(host.path(AUTH_FILE).readlink()) == "../elsewhere.json"


def test_without_credentials_those_of_the_host_are_used(host: Host) -> None:
    with registry_access(host, PLAIN, None) as auth_file:
        assert auth_file is None
    host.path(AUTH_FILE).write_text(THEIRS)
    with registry_access(host, PLAIN, None) as auth_file:
        assert auth_file == AUTH_FILE
    assert host.path(AUTH_FILE).read_text() == THEIRS


@pytest.mark.parametrize("before", [None, THEIRS])
def test_what_a_killed_run_left_is_put_right_by_the_next(host: Host, before: str | None) -> None:
    if before:
        host.path(AUTH_FILE).write_text(before)
    killed_within(host, OURS)
    assert has_leftovers(host)
    take_away(host)
    assert not has_leftovers(host)
    assert (host.path(AUTH_FILE).read_text() if host.path(AUTH_FILE).exists() else None) == before
    take_away(host)


def test_a_mirror_stands_in_meanwhile_only(host: Host) -> None:
    with registry_access(host, MIRRORED, None):
        rule = host.path(MIRROR_FILE).read_text()
    assert f'prefix = "{NAME}"\nlocation = "{NAME}"\n' in rule
    assert 'location = "192.0.2.7:5000/os/image"\ninsecure = true\n' in rule
    assert not host.path(MIRROR_FILE).exists()


@pytest.mark.parametrize("auth", ["secret", "[]", '{"auths": "secret"}', '"secret"'])
def test_credentials_of_another_form_are_refused_without_a_word_of_them(host: Host, auth: str) -> None:
    with pytest.raises(InvalidInputError) as refused, registry_access(host, PLAIN, auth):
        pass
    assert "secret" not in str(refused.value)
    assert not host.path(AUTH_FILE).exists()
