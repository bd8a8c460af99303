# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a play hands from the cluster to the control plane lies in a file that this user alone can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.credentials_file import (
    read_credentials,
    write_credentials,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

GIVEN = {
    "port": 9701,
    "networks": ["192.0.2.0/24"],
    "address": "192.0.2.5",
    "ca": "ca",
    "certificate": "certificate",
    "key": "topsecret",
    "password": "topsecret" * 8,
}


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "private" / "credentials"
    write_credentials(path, {**GIVEN, "ca_key": "never"})
    assert read_credentials(path) == GIVEN
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert "never" not in path.read_text()


def test_a_file_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "credentials"
    write_credentials(path, GIVEN)
    path.chmod(0o640)
    with pytest.raises(FieldOpsError):
        read_credentials(path)


@pytest.mark.parametrize("content", ["topsecret", "[]", '{"key": "topsecret"}'])
def test_a_file_that_lacks_something_is_refused_and_not_shown(tmp_path: Path, content: str) -> None:
    path = tmp_path / "credentials"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(FieldOpsError) as refused:
        read_credentials(path)
    assert "topsecret" not in str(refused.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FieldOpsError):
        read_credentials(tmp_path / "credentials")
