# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OpenPGP keys made on the spot, good ones and bad ones, and messages signed with them by GnuPG."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

ED25519 = "ed25519"  # 10 ms
RSA2048 = "rsa2048"  # a few hundred milliseconds; release keys are RSA
FOREVER = "never"
BORN = "20200101T000000"  # of keys that are expired today
IN_USE = "20200101T120000"


@dataclass(frozen=True)
class SigningKey:
    """A key of a keyring; ``public_key`` is armoured. ``signs_at`` is the pretended time of its signatures, if any."""

    name: str
    fingerprint: str
    public_key: str
    signs_at: str = ""


class Keyring:
    """A GnuPG home of its own; a context manager. It goes, with its agent, when the owning process does."""

    def __init__(self) -> None:
        self.workspace = Workspace("keys")  # below /tmp: the agent's socket has to have a short path
        self.directory = self.workspace.directory / "gnupg"
        self.directory.mkdir(mode=0o700)

    def create(self, name: str, algorithm: str = ED25519) -> SigningKey:
        """Make a good key. A foreign key is one whose public half nobody is given."""
        return self._create(name, algorithm, FOREVER)

    def create_expired(self, name: str) -> SigningKey:
        """Make a key that was valid for two days years ago, when all its signatures are made."""
        return self._create(name, ED25519, "2d", born=BORN, signs_at=IN_USE)

    def create_revoked(self, name: str) -> SigningKey:
        """Make a key whose public half says that it is revoked; it can still sign, as with a thief."""
        key = self._create(name, ED25519, FOREVER)
        certificate = (self.directory / f"openpgp-revocs.d/{key.fingerprint}.rev").read_text()
        elsewhere = self.workspace.directory / f"revoked-{key.fingerprint}"
        elsewhere.mkdir(mode=0o700)
        # A colon keeps the certificate that GnuPG prepares with each key from being used by accident.
        usable = certificate.replace(":-----BEGIN", "-----BEGIN")
        self._gpg(["--import"], f"{key.public_key}\n{usable}".encode(), home=elsewhere)
        revoked = self._gpg(["--armor", "--export", key.fingerprint], home=elsewhere).decode()
        return replace(key, public_key=revoked)

    def sign(self, key: SigningKey, message: bytes) -> bytes:
        """Return the message inside a binary signed OpenPGP message, as ``gpg --sign`` writes it."""
        pretended = ["--faked-system-time", f"{key.signs_at}!"] if key.signs_at else []
        return self._gpg([*pretended, "--local-user", key.fingerprint, "--sign"], message)

    def sign_detached(self, key: SigningKey, message: bytes) -> bytes:
        """Return an armored signature of the message, as it lies beside an index."""
        return self._gpg(["--local-user", key.fingerprint, "--armor", "--detach-sign"], message)

    def export_secret(self, key: SigningKey, path: Path) -> Path:
        """Write a secret key to a file, as its owner would, and return the file."""
        path.write_bytes(self._gpg(["--armor", "--export-secret-keys", key.fingerprint]))
        return path

    def close(self) -> None:
        """End the agent and remove all keys."""
        if self.directory.exists():
            subprocess.run([program("gpgconf"), "--homedir", str(self.directory), "--kill", "all"], check=False)
        self.workspace.close()

    def __enter__(self) -> Keyring:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _create(self, name: str, algorithm: str, lifetime: str, born: str = "", signs_at: str = "") -> SigningKey:
        pretended = ["--faked-system-time", f"{born}!"] if born else []
        user = f"{name} <{name}@lab.example>"
        new = ["--status-fd", "1", "--passphrase", "", "--quick-generate-key", user, algorithm, "sign", lifetime]
        status = self._gpg([*pretended, *new]).decode()
        fingerprint = status.partition("KEY_CREATED")[2].split()[1]
        public_key = self._gpg(["--armor", "--export", fingerprint]).decode()
        return SigningKey(name, fingerprint, public_key, signs_at)

    def _gpg(self, arguments: Sequence[str], content: bytes = b"", home: Path | None = None) -> bytes:
        command = [program("gpg"), "--homedir", str(home or self.directory), "--batch", "--quiet", "--no-tty"]
        command += ["--pinentry-mode", "loopback", "--trust-model", "always", *arguments]
        done = subprocess.run(command, input=content, capture_output=True, check=False)
        if done.returncode:
            seen = done.stderr.decode(errors="replace").strip()
            raise LabError("run gpg", on=str(self.directory), seen=seen, advice="GnuPG 2.2 or later is needed.")
        return done.stdout
