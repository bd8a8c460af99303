# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures of an index, or of the checksums of a kit: detached OpenPGP signatures by a key of the builder's own."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

SECONDS = 60.0


def sign_content(content: bytes, key: Path, passphrase: str | None, clock: Clock) -> bytes:
    """Return the armoured signature of ``content`` by the secret key in the file ``key``.

    The key is imported into a private directory that is removed again; the user's own keyring is not touched. Raises
    SignatureError for a key that cannot sign, MissingRequirementError without gpg.
    """
    secret = read_file(key)
    if secret is None:
        raise _refusal(key, "there is no such file")
    host, deadline = Host(clock), Deadline(SECONDS, clock)
    with scratch_directory() as scratch:
        document, signature = scratch / "content", scratch / "content.asc"
        write_file(document, content, mode=0o600, durable=False)
        base = ["gpg", "--homedir", str(scratch), "--batch", "--quiet", "--no-tty", "--pinentry-mode", "loopback"]
        secrets = (passphrase,) if passphrase else ()
        try:
            host.run([*base, "--import"], deadline=deadline, stdin=secret)
            host.run(
                [*base, "--passphrase-fd", "0", "--armor", "--output", str(signature), "--detach-sign", str(document)],
                deadline=deadline,
                stdin=f"{passphrase or ''}\n".encode(),
                secrets=secrets,
            )
        except CommandError as error:
            raise _refusal(key, error.stderr or f"gpg ended with status {error.rc}") from error
        finally:
            host.run(["gpgconf", "--homedir", str(scratch), "--kill", "all"], deadline=deadline, ok=None)
        made = read_file(signature)
    if not made:
        raise _refusal(key, "gpg created no signature")
    return made


def _refusal(key: Path, seen: str) -> SignatureError:
    return SignatureError(
        "make a signature",
        on=str(key),
        seen=seen,
        advice="Specify a file with one secret signing key from 'gpg --armor --export-secret-keys', and "
        "its passphrase where it has one.",
    )
