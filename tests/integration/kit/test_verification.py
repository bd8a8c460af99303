# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The installer refuses a kit that is not as it was made, before anything is executed, unpacked or written."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.kit.conftest import KitBuilder
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring

OTHER = f"sha256:{'0' * 64}"


@pytest.fixture
def kit(made_builder: KitBuilder) -> Path:
    """A kit of the test's own."""
    return made_builder.path


@pytest.fixture
def keyring() -> Iterator[Keyring]:
    with Keyring() as keyring:
        yield keyring


def install(kit: Path, *words: str) -> subprocess.CompletedProcess[str]:
    target = kit.parent / "target folder"
    return subprocess.run(
        [sys.executable, str(kit / "install.pyz"), str(target), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def assert_refused(kit: Path, *words: str, message: str) -> None:
    ended = install(kit, *words)
    assert ended.returncode == 1, ended.stdout
    assert message in ended.stdout
    assert "Traceback" not in ended.stdout
    assert not (kit.parent / "target folder").exists()


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def link_elsewhere(path: Path) -> None:
    elsewhere = path.parents[2] / path.name
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


WHEEL = "wheels/netaddr-40.0-py3-none-any.whl"
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a damaged wheel": (lambda kit: damage(kit / WHEEL), f"{WHEEL} is damaged"),
    "a missing wheel": (lambda kit: (kit / WHEEL).unlink(), f"{WHEEL} is missing"),
    "an additional wheel": (lambda kit: (kit / "wheels" / "a.whl").touch(), "wheels/a.whl does not belong to it"),
    "an additional file": (lambda kit: (kit / "autorun.inf").touch(), "autorun.inf does not belong to it"),
    "a hidden file": (lambda kit: (kit / ".hidden").touch(), ".hidden does not belong to it"),
    "a link in place of a wheel": (lambda kit: link_elsewhere(kit / WHEEL), f"{WHEEL} is not a regular file"),
    "a damaged lock": (lambda kit: damage(kit / "kit.json"), "kit.json is damaged"),
    "a damaged archive": (lambda kit: damage(next(kit.glob("*.tar.gz"))), ".tar.gz is damaged"),
    "no checksums": (lambda kit: (kit / "SHA256SUMS").unlink(), "it has no SHA256SUMS"),
    "checksums of something else": (
        lambda kit: (kit / "SHA256SUMS").write_text(f"{'0' * 64}  ../outside\n"),
        "a line of SHA256SUMS is no checksum",
    ),
    "no lines in the checksums": (
        lambda kit: (kit / "SHA256SUMS").write_text(""),
        "install.pyz does not belong to it",
    ),
}


@pytest.mark.parametrize(("change", "message"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_kit_that_is_not_as_it_was_made_is_refused(kit: Path, change: Callable[[Path], object], message: str) -> None:
    change(kit)
    assert_refused(kit, message=message)


def test_another_digest_is_refused(kit: Path) -> None:
    assert_refused(kit, "--digest", OTHER, message=f"not {OTHER}")


def test_what_is_no_digest_is_refused(kit: Path) -> None:
    assert_refused(kit, "--digest", "3f2a1b", message="it is not 'sha256:'")


def test_with_a_key_an_unsigned_kit_is_refused(kit: Path, keyring: Keyring, tmp_path: Path) -> None:
    (tmp_path / "key.asc").write_text(keyring.create("site").public_key)
    assert_refused(kit, "--key", str(tmp_path / "key.asc"), message="it is not signed")


def test_a_signature_is_proof_for_its_key_alone(made_builder: KitBuilder, keyring: Keyring, tmp_path: Path) -> None:
    key, other = keyring.create("site"), keyring.create("other")
    for one in (key, other):
        (tmp_path / f"{one.name}.asc").write_text(one.public_key)
    secret = str(keyring.export_secret(key, tmp_path / "secret.asc"))
    kit = made_builder.made(signing_key=secret)["kit"]
    assert kit["signed"]
    assert not made_builder.made(signing_key=secret)["changed"]
    assert_refused(made_builder.path, "--key", str(tmp_path / "other.asc"), message="not among the trusted ones")
    proofs = ["--key", str(tmp_path / "site.asc"), "--digest", kit["digest"]]
    assert_refused(made_builder.path, *proofs, "--python", "/nowhere/python", message="Could not find a Python")
    damage(made_builder.path / "SHA256SUMS.asc")
    assert_refused(made_builder.path, *proofs, message="signature of its SHA256SUMS")


def test_a_folder_of_something_else_is_left_alone(kit: Path) -> None:
    target = kit.parent / "target folder"
    target.mkdir()
    (target / "thesis.odt").touch()
    ended = install(kit)
    assert ended.returncode == 1
    assert "the folder contains files of something else" in ended.stdout
    assert [path.name for path in target.iterdir()] == ["thesis.odt"]


def test_without_a_usable_python_the_reason_for_each_is_named(builder: KitBuilder) -> None:
    builder.made(pythons=["3.10"], architectures=["aarch64"])
    ended = install(builder.path, "--python", sys.executable)
    assert ended.returncode == 1
    assert f"at {sys.executable}: the kit has wheels for Python 3.10 on aarch64, not for " in ended.stdout


def test_an_error_is_one_sentence_and_no_trace(kit: Path) -> None:
    ended = install(kit, "--key", "/nowhere/key.asc")
    assert ended.stdout.splitlines()[0].startswith("Could not read a trusted key on /nowhere/key.asc")
