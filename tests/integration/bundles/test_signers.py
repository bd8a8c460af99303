# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who signed an index, with keys and signatures that GnuPG made, judged by gpgv."""

from __future__ import annotations

import subprocess
import tempfile
import typing as t
from collections.abc import Callable, Sequence

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.bundle_trust import (
    NO_INDEX_KEY,
    NOTHING_VOUCHES,
    IndexTrust,
    judge_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import RSA2048, Keyring, SigningKey

CONTENT = b"the index\n"
OTHER = b"last year's index\n"
THIS = Digest("d1bb70ce9da8c9a3a6a9ba0aa9f1f1e8a3a40e8c9f7f0c3bb1b3b46ab4a9e1c5")
DETACHED = "--detach-sign"


class Signers:
    """Keys of the site and of others, and signatures by them."""

    def __init__(self, keyring: Keyring) -> None:
        self.keyring = keyring
        self.mary = keyring.create("mary")
        self.john = keyring.create("john", RSA2048)
        self.stranger = keyring.create("signer whom nobody here trusts")
        self.expired = keyring.create_expired("expired-signer")
        self.revoked = keyring.create_revoked("revoked-signer")
        self.outdated = self.outdated_key()

    def outdated_key(self) -> SigningKey:
        """Return a key that certifies itself with SHA-1 alone, as keys from before 2014 do."""
        with tempfile.TemporaryDirectory() as home:
            base = ["gpg", "--homedir", home, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
            new = ["--cert-digest-algo", "SHA1", "--quick-generate-key", "outdated", RSA2048, "sign", "never"]
            subprocess.run([*base, *new], check=True)
            secret = subprocess.run([*base, "--export-secret-keys"], capture_output=True, check=True).stdout
            public = subprocess.run([*base, "--armor", "--export"], capture_output=True, check=True).stdout
            listed = subprocess.run([*base, "--with-colons", "--list-keys"], capture_output=True, text=True, check=True)
            subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=True)
        own = ["gpg", "--homedir", str(self.keyring.directory), "--batch", "--quiet", "--import"]
        subprocess.run(own, input=secret, check=True)
        fingerprint = listed.stdout.partition("fpr:::::::::")[2].partition(":")[0]
        return SigningKey("outdated", fingerprint, public.decode())

    def make(self, *keys: SigningKey, content: bytes = CONTENT, how: str = DETACHED, digest: str = "SHA256") -> bytes:
        """Return the signature of ``content`` by ``keys``, in one file."""
        command = ["gpg", "--homedir", str(self.keyring.directory), "--batch", "--quiet", "--no-tty", "--trust-model"]
        command += ["always", "--pinentry-mode", "loopback", "--passphrase", "", "--digest-algo", digest]
        command += ["--faked-system-time", f"{keys[0].signs_at}!"] if keys[0].signs_at else []
        command += [word for key in keys for word in ("--local-user", key.fingerprint)]
        return subprocess.run([*command, how], input=content, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def signers(keyring: Keyring) -> Signers:
    return Signers(keyring)


def ring(*keys: SigningKey) -> TrustedKeys:
    return TrustedKeys.parse("\n".join(key.public_key for key in keys).encode(), on="test")


def judged(signature: bytes | None, keys: TrustedKeys, vetted: Digest | None = None) -> IndexTrust:
    wanted = VettedDigest(vetted.hex) if vetted else None
    return judge_index(CONTENT, signature, vetted=wanted, keys=keys, clock=SystemClock())


Case = t.Callable[[Signers], tuple[bytes, t.Sequence[SigningKey], t.Sequence[SigningKey]]]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(lambda s: (s.make(s.mary), [s.mary], [s.mary]), id="one, trusted"),
        pytest.param(lambda s: (s.make(s.mary, s.john), [s.mary], [s.mary]), id="two, one of them trusted"),
        pytest.param(lambda s: (s.make(s.john, s.mary), [s.mary], [s.mary]), id="two, the second of them trusted"),
        pytest.param(lambda s: (s.make(s.mary, s.john), [s.mary, s.john], [s.mary, s.john]), id="two, both trusted"),
        pytest.param(
            lambda s: (s.make(s.mary) + s.make(s.expired), [s.mary, s.expired], [s.mary]), id="trusted and expired"
        ),
        pytest.param(
            lambda s: (s.make(s.revoked) + s.make(s.mary), [s.mary, s.revoked], [s.mary]), id="revoked and trusted"
        ),
        pytest.param(
            lambda s: (s.make(s.john, digest="SHA1") + s.make(s.mary), [s.mary, s.john], [s.mary]), id="weak and good"
        ),
        pytest.param(lambda s: (s.make(s.mary, digest="SHA512"), [s.mary], [s.mary]), id="SHA-512"),
        pytest.param(
            lambda s: (s.make(s.stranger, content=OTHER) + s.make(s.mary), [s.mary], [s.mary]),
            id="of other content by a stranger, and trusted",
        ),
    ],
)
def test_one_good_signature_by_a_trusted_key_is_enough(signers: Signers, case: Case) -> None:
    signature, trusted, expected = case(signers)
    found = judged(signature, ring(*trusted))
    assert (found.trusted, found.by) == (True, "index_signature")
    assert set(found.signers) == {key.fingerprint for key in expected}


@pytest.mark.parametrize(
    ("case", "said"),
    [
        pytest.param(lambda s: (s.make(s.stranger), [s.mary]), "not among the trusted ones", id="a stranger"),
        pytest.param(
            lambda s: (s.make(s.stranger, s.john), [s.mary]), "not among the trusted ones", id="two strangers"
        ),
        pytest.param(
            lambda s: (s.make(s.mary) + s.make(s.john, content=OTHER), [s.mary, s.john]), "does not match", id="one bad"
        ),
        pytest.param(lambda s: (s.make(s.mary, content=OTHER), [s.mary]), "does not match", id="of other content"),
        pytest.param(lambda s: (s.make(s.expired), [s.expired]), "key has expired", id="expired"),
        pytest.param(lambda s: (s.make(s.revoked), [s.revoked]), "key was revoked", id="revoked"),
        pytest.param(
            lambda s: (s.make(s.expired) + s.make(s.revoked), [s.expired, s.revoked]),
            "revoked",
            id="none of two counts",
        ),
        pytest.param(lambda s: (s.make(s.mary, digest="SHA1"), [s.mary]), "hash SHA-1 is too weak", id="SHA-1"),
        pytest.param(lambda s: (s.make(s.outdated), [s.outdated]), "self-signature uses SHA-1", id="an old key"),
        pytest.param(
            lambda s: (s.make(s.john, digest="RIPEMD160"), [s.john]), "hash RIPEMD-160 is too weak", id="RIPEMD-160"
        ),
        pytest.param(lambda s: (s.make(s.mary, how="--sign"), [s.mary]), "is not valid", id="a message of its own"),
        pytest.param(lambda s: (s.make(s.mary, how="--clear-sign"), [s.mary]), "is not valid", id="clearsigned"),
        pytest.param(
            lambda s: (s.make(s.mary, how="--sign", content=OTHER), [s.mary]), "is not valid", id="another message"
        ),
        pytest.param(lambda s: (s.make(s.mary) + b"noise" * 20, [s.mary]), "is not valid", id="noise behind"),
        pytest.param(lambda _s: (b"", [_s.mary]), "is not valid", id="empty"),
        pytest.param(lambda _s: (b"\0" * 99, [_s.mary]), "is not valid", id="noise"),
        pytest.param(lambda _s: (None, [_s.mary]), "its index is not signed", id="no signature"),
    ],
)
def test_anything_else_is_refused_with_the_reason(
    signers: Signers, case: Callable[[Signers], tuple[bytes | None, Sequence[SigningKey]]], said: str
) -> None:
    signature, trusted = case(signers)
    found = judged(signature, ring(*trusted))
    assert (found.trusted, found.by, found.signers) == (False, "", ())
    assert said in found.trust_problem


def test_the_reason_names_every_signer(signers: Signers) -> None:
    reason = judged(signers.make(signers.stranger) + signers.make(signers.expired), ring(signers.expired)).trust_problem
    assert signers.stranger.fingerprint in reason
    assert signers.expired.fingerprint in reason


@pytest.mark.parametrize(("algorithm", "said"), [("rsa1024", "RSA key of 1024 bits"), ("dsa1024", "algorithm DSA")])
def test_a_weak_key_is_refused_when_it_is_read(keyring: Keyring, algorithm: str, said: str) -> None:
    weak = keyring.create(f"weak-{algorithm}", algorithm)
    with pytest.raises(InvalidInputError, match=said):
        ring(weak)


class TestVettedDigests:
    """A given digest is a demand, and signatures add to it."""

    def digest(self) -> Digest:
        found = judged(None, TrustedKeys())
        assert found.trusted is None
        return found.digest

    def test_no_signature_overrules_another_digest(self, signers: Signers) -> None:
        found = judged(signers.make(signers.mary), ring(signers.mary), THIS)
        assert (found.trusted, found.by) == (False, "")
        assert found.trust_problem == f"its index has the digest {self.digest()}, not {THIS}"
        assert found.signers == (signers.mary.fingerprint,), "who signed it is still of interest"

    def test_the_digest_alone_is_enough(self) -> None:
        found = judged(None, TrustedKeys(), self.digest())
        assert (found.trusted, found.by, found.signers, found.warnings) == (True, "index_digest", (), ())

    def test_with_the_digest_signers_are_told(self, signers: Signers) -> None:
        found = judged(signers.make(signers.mary, signers.stranger), ring(signers.mary), self.digest())
        assert (found.trusted, found.signers, found.warnings) == (True, (signers.mary.fingerprint,), ())

    @pytest.mark.parametrize(
        ("sign", "said"),
        [
            pytest.param(lambda _s: None, "Its index is not signed. It is verified by its digest only.", id="missing"),
            pytest.param(
                lambda s: s.make(s.stranger),
                "not among the trusted ones. It is verified by its digest",
                id="a stranger's",
            ),
            pytest.param(
                lambda s: s.make(s.mary, content=OTHER),
                "does not match the message. It is verified by its digest",
                id="bad",
            ),
        ],
    )
    def test_a_signature_that_does_not_count_beside_it_is_a_warning(
        self, signers: Signers, sign: Callable[[Signers], bytes | None], said: str
    ) -> None:
        found = judged(sign(signers), ring(signers.mary), self.digest())
        assert (found.trusted, found.by, found.signers) == (True, "index_digest", ())
        assert said in "".join(found.warnings)

    def test_without_a_digest_and_keys_nothing_vouches_for_it(self, signers: Signers) -> None:
        found = judged(signers.make(signers.mary), TrustedKeys())
        assert (found.trusted, found.trust_problem, found.warnings) == (None, "", (NOTHING_VOUCHES,))

    def test_keys_for_images_prove_no_index(self, signers: Signers) -> None:
        found = judged(signers.make(signers.mary), TrustedKeys(pem=(b"a key",)))
        assert (found.trusted, found.warnings) == (None, (NO_INDEX_KEY,))


@pytest.mark.parametrize("extra", ["john", "stranger"])
def test_a_message_may_be_signed_by_several(signers: Signers, extra: str) -> None:
    message = signers.make(signers.mary, getattr(signers, extra), how="--sign")
    opened = Gpgv(ring(signers.mary).ring, SystemClock()).open_message(message)
    assert (opened.verdict.signers, opened.text) == ((signers.mary.fingerprint,), CONTENT.decode())
    assert len(opened.verdict.others) == 1
