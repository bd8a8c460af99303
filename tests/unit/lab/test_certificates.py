# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates of the lab outlast every move of its clock, and OpenSSL accepts them at its strictest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.certificates import Authority


@pytest.mark.parametrize(
    "epoch",
    [pytest.param(347155200, id="1981"), pytest.param(1795244364, id="2026"), pytest.param(3439756800, id="2079")],
)
def test_a_leaf_is_valid_decades_before_and_after_now(tmp_path: Path, epoch: int) -> None:
    authority = Authority.create(tmp_path, "ca")
    leaf = authority.issue("leaf", "somebody", hosts=["198.51.100.1", "api.lab.example"])
    command = ["openssl", "verify", "-x509_strict", "-attime", str(epoch), "-CAfile", str(authority.pair.certificate)]
    done = subprocess.run(
        [*command, "-verify_ip", "198.51.100.1", str(leaf.certificate)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_subjects_are_what_kubernetes_reads_as_user_and_groups(tmp_path: Path) -> None:
    leaf = Authority.create(tmp_path, "ca").issue("leaf", "system:node:a/b", groups=["system:nodes", "second"])
    command = ["openssl", "x509", "-in", str(leaf.certificate), "-noout", "-subject", "-nameopt", "RFC2253"]
    subject = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().partition("=")[2]
    assert set(subject.split(",")) == {"O=system:nodes", "O=second", "CN=system:node:a/b"}


def test_keys_are_private_and_no_books_are_left(tmp_path: Path) -> None:
    leaf = Authority.create(tmp_path, "ca").issue("leaf", "somebody")
    assert leaf.key.stat().st_mode & 0o077 == 0
    assert {path.name for path in tmp_path.iterdir()} == {"ca.crt", "ca.key", "leaf.crt", "leaf.key"}
