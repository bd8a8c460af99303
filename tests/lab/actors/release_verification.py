# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the cluster version operator finds out whether a release image is signed.

Copies library-go, pkg/verify (verify.go: every key of the verification ConfigMap must be satisfied by some signature,
and what a signature says must fit; store/configmap: signatures are in the ConfigMaps of openshift-config-managed that
carry a label, under keys that begin with the digest). The keys are read from the cluster's copy of the ConfigMap, which
the real one takes from the release that runs. Not copied: stores by URL, and OpenPGP itself, which is GnuPG's.
"""

from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import (
    ATOMIC,
    NAMESPACE,
    SIGNATURES,
    VERIFICATION,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

CONFIG_MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"
KEY_PREFIX = "verifier-public-key-"


class ReleaseVerification:
    """Called with a release image, says why it cannot be verified, or nothing if it can."""

    def __init__(self, client: RestClient) -> None:
        self._client = client

    def __call__(self, image: str) -> str:
        """Return upstream's error for ``repository@digest``, or an empty text."""
        digest = image.partition("@")[2]
        if not digest:
            return "release images that are not accessed via digest cannot be verified"
        keys = self._keys()
        if not keys:
            return "the release verifier is incorrectly configured, unable to verify digests"
        unsatisfied = dict(keys)
        for signature in self._signatures(digest):
            for name, key in [*unsatisfied.items()]:
                if _attests(_content(signature, key), digest):
                    del unsatisfied[name]
        names = ", ".join(unsatisfied)
        return f"unable to verify {digest} against keyrings: {names}" if unsatisfied else ""

    def _keys(self) -> dict[str, str]:
        return {
            name: key
            for one in self._client.get(CONFIG_MAPS)["items"]
            if VERIFICATION in one["metadata"].get("annotations", {})
            for name, key in one.get("data", {}).items()
            if name.startswith(KEY_PREFIX)
        }

    def _signatures(self, digest: str) -> Iterator[bytes]:
        prefix = f"{digest.replace(':', '-')}-"
        for one in self._client.get(CONFIG_MAPS, labelSelector=SIGNATURES)["items"]:
            for name, encoded in sorted(one.get("binaryData", {}).items()):
                if name.startswith(prefix):
                    yield base64.b64decode(encoded)


def _content(signature: bytes, armoured: str) -> bytes:
    """Return what a signed message says, if one of these keys has signed it; nothing otherwise."""
    with tempfile.TemporaryDirectory() as directory:
        home = ["--homedir", directory]
        ring, message, content = (Path(directory, name) for name in ("ring.gpg", "message", "content"))
        message.write_bytes(signature)
        made = subprocess.run(
            [program("gpg"), *home, "--dearmor"], input=armoured.encode(), capture_output=True, check=False
        )
        ring.write_bytes(made.stdout)
        command = [program("gpgv"), *home, "--keyring", str(ring), "--status-fd", "1", "--output", str(content)]
        judged = subprocess.run([*command, str(message)], capture_output=True, check=False)
        return content.read_bytes() if b"[GNUPG:] GOODSIG" in judged.stdout and not judged.returncode else b""


def _attests(content: bytes, digest: str) -> bool:
    """Whether the content is an atomic container signature of this digest."""
    try:
        said = json.loads(content)["critical"]
        named = said["identity"]["docker-reference"]
        return bool(said["type"] == ATOMIC and named and said["image"]["docker-manifest-digest"] == digest)
    except (ValueError, KeyError, TypeError):
        return False
