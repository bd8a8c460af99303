# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nothing of a release is read before somebody trusted has vouched for it, and the index carries the builder's word."""

from __future__ import annotations

import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.bundle_trust import (
    image_signers,
    judge_index,
    judge_release,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, access_to, tree_digest
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import CosignKey, cosign_signature
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import RSA2048, Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import (
    SignatureStore,
    signed_message,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.registry.static_server import StaticServer


@pytest.fixture
def empty_store(tmp_path: Path) -> SignatureStore:
    return SignatureStore(tmp_path / "other-signatures")


class TestReleases:
    def test_the_signer_is_told(self, builder: Builder, key: SigningKey) -> None:
        assert builder.build()["signers"] == [key.fingerprint]

    def test_a_store_may_be_a_server(
        self, builder: Builder, signatures: SignatureStore, release: Release, key: SigningKey
    ) -> None:
        with StaticServer(signatures.directory) as server:
            assert builder.build(signature_stores=[server.url])["signers"] == [key.fingerprint]
            folder = f"/sha256={release.image.digest.hex}"
            assert server.requests == [f"{folder}/signature-1", f"{folder}/signature-2"]

    def test_a_store_that_is_away_does_no_harm_while_another_has_the_signature(
        self, builder: Builder, signatures: SignatureStore
    ) -> None:
        with StaticServer(signatures.directory) as server:
            url = server.url
        result = builder.build(signature_stores=[url, str(signatures.directory)])
        assert result["signers"]

    def test_keys_of_every_kind_count(
        self, builder: Builder, keyring: Keyring, release: Release, empty_store: SignatureStore, tmp_path: Path
    ) -> None:
        rsa = keyring.create("rsa", RSA2048)
        empty_store.sign(keyring, rsa, release.reference)
        (tmp_path / "rsa.asc").write_text(rsa.public_key)
        keys = [builder.trusted_key, str(tmp_path / "rsa.asc")]
        result = builder.build(signature_stores=[str(empty_store.directory)], trusted_keys=keys)
        assert result["signers"] == [rsa.fingerprint]

    def test_all_signatures_travel_whoever_made_them(
        self, builder: Builder, keyring: Keyring, release: Release, signatures: SignatureStore
    ) -> None:
        signatures.sign(keyring, keyring.create("second"), release.reference)
        builder.build()
        carried = [one for one in builder.index.signatures if one.kind == "gpg"]
        assert len(carried) == 2

    def test_an_empty_list_of_keys_switches_the_verification_off_with_a_warning(self, builder: Builder) -> None:
        result = builder.build(trusted_keys=[])
        assert result["signers"] == []
        assert result["trust_warnings"] == [
            "trusted_keys is empty: the signature of quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64 was not "
            "verified."
        ]
        assert [one.kind for one in builder.index.signatures] == ["gpg"]

    @pytest.mark.parametrize("check", [False, True], ids=["for real", "check mode"])
    def test_without_keys_the_built_in_key_decides_before_the_payload_is_read(
        self, builder: Builder, registry: Registry, check: bool
    ) -> None:
        mark = registry.access.mark()
        with pytest.raises(SignatureError, match="not among the trusted ones"):
            builder.forecast(trusted_keys=None) if check else builder.build(trusted_keys=None)
        assert not registry.access.requests(mark, kind="blobs")

    def test_without_keys_other_repositories_are_not_judged_and_that_is_told(
        self, builder: Builder, registry: Registry, release: Release
    ) -> None:
        name = f"releases.lab.example/{release.reference.repository}@{release.image.digest}"
        access = access_to(registry)
        access["mirrors"].append({**access["mirrors"][0], "source": "releases.lab.example"})
        result = builder.build(release=name, trusted_keys=None, registry=access)
        assert result["signers"] == []
        assert result["trust_warnings"] == [
            f"No key was specified and none is built in for {name}: its signature was not verified."
        ]

    @pytest.mark.parametrize("sort", ["absent", "foreign", "expired", "revoked", "other digest", "damaged", "noise"])
    def test_any_other_signature_ends_the_build_before_the_payload_is_read(
        self,
        builder: Builder,
        keyring: Keyring,
        key: SigningKey,
        release: Release,
        empty_store: SignatureStore,
        tmp_path: Path,
        registry: Registry,
        sort: str,
    ) -> None:
        said, trusted = self._spoil(sort, keyring, key, release, empty_store, tmp_path)
        mark = registry.access.mark()
        with pytest.raises(SignatureError, match=said) as caught:
            builder.build(signature_stores=[str(empty_store.directory)], trusted_keys=[trusted or builder.trusted_key])
        assert str(release.reference.by_digest()) in caught.value.on
        assert not registry.access.requests(mark, kind="blobs")

    def _spoil(
        self, sort: str, keyring: Keyring, key: SigningKey, release: Release, store: SignatureStore, tmp_path: Path
    ) -> tuple[str, str]:
        digest, message = release.image.digest, signed_message(release.reference)
        makers: dict[str, t.Callable[[], SigningKey]] = {
            "foreign": lambda: keyring.create("foreign"),
            "expired": lambda: keyring.create_expired("expired"),
            "revoked": lambda: keyring.create_revoked("revoked"),
        }
        said = {
            "absent": "no signature store has a signature",
            "foreign": "not among the trusted ones",
            "expired": "key has expired",
            "revoked": "key was revoked",
            "other digest": f"it is for {faults.NOWHERE}",
            "damaged": "signature 1",
            "noise": "signature 1",
        }[sort]
        if sort in makers:
            maker = makers[sort]()
            store.add(digest, keyring.sign(maker, message))
            trusted = tmp_path / f"{sort}.asc"
            trusted.write_text(maker.public_key)
            return said, "" if sort == "foreign" else str(trusted)
        if sort == "other digest":
            faults.sign_another_digest(store, keyring, key, release)
        elif sort == "damaged":
            signature = bytearray(keyring.sign(key, message))
            signature[-20] ^= 0xFF
            store.add(digest, bytes(signature))
        elif sort == "noise":
            store.add(digest, b"\0" * 1000)
        return said, ""

    def test_a_message_that_unpacks_without_end_fills_no_disk(
        self, builder: Builder, keyring: Keyring, key: SigningKey, release: Release, empty_store: SignatureStore
    ) -> None:
        empty_store.add(release.image.digest, keyring.sign(key, b" " * 30_000_000))
        with pytest.raises(SignatureError, match="longer than"):
            builder.build(signature_stores=[str(empty_store.directory)])

    def test_a_file_without_a_key_is_a_mistake(self, builder: Builder, tmp_path: Path) -> None:
        (tmp_path / "notes").write_text("ask Mary for the key")
        with pytest.raises(InvalidInputError, match="neither an OpenPGP public key nor"):
            builder.build(trusted_keys=[str(tmp_path / "notes")])

    def test_trust_is_asked_again_of_a_bundle_that_is_there(
        self, builder: Builder, keyring: Keyring, tmp_path: Path
    ) -> None:
        builder.build()
        digest = builder.index.digest
        other = tmp_path / "other.asc"
        other.write_text(keyring.create("nobody").public_key)
        with pytest.raises(SignatureError):
            builder.build(trusted_keys=[str(other)])
        assert builder.index.digest == digest
        assert not builder.damages()


class TestCosign:
    @pytest.fixture
    def cosign_key(self, tmp_path: Path) -> CosignKey:
        return CosignKey.create(tmp_path)

    def test_attached_signatures_travel_and_are_judged(
        self, builder: Builder, registry: Registry, release: Release, cosign_key: CosignKey
    ) -> None:
        signed = [release.reference, release.reference_of("etcd")]
        for reference in signed:
            registry.storage.publish(release.pool, [cosign_signature(release.pool, cosign_key, reference)])
        builder.build()
        carried = [one for one in builder.index.signatures if one.kind == "cosign"]
        assert {one.image for one in carried} == {reference.digest for reference in signed}
        assert not builder.damages()
        keys = TrustedKeys.read([str(cosign_key.public)])
        assert [len(one["signers"]) for one in image_signers(builder.folder, builder.index, keys)] == [1, 1]

    def test_a_pem_key_may_be_all_that_is_trusted(
        self, builder: Builder, registry: Registry, release: Release, cosign_key: CosignKey
    ) -> None:
        trusted = [str(cosign_key.public)]
        with pytest.raises(SignatureError):
            builder.build(trusted_keys=trusted)
        registry.storage.publish(release.pool, [cosign_signature(release.pool, cosign_key, release.reference)])
        (signer,) = builder.build(trusted_keys=trusted)["signers"]
        assert signer.startswith("sha256:")

    def test_a_signature_for_another_digest_does_not_count(
        self, builder: Builder, registry: Registry, release: Release, cosign_key: CosignKey
    ) -> None:
        other = cosign_signature(release.pool, cosign_key, release.reference, faults.NOWHERE)
        registry.storage.publish(release.pool, [other])
        with pytest.raises(SignatureError):
            builder.build(trusted_keys=[str(cosign_key.public)])

    def test_a_signature_of_another_key_does_not_count(
        self, builder: Builder, registry: Registry, release: Release, cosign_key: CosignKey, tmp_path: Path
    ) -> None:
        foreign = CosignKey.create(tmp_path, "foreign")
        registry.storage.publish(release.pool, [cosign_signature(release.pool, foreign, release.reference)])
        with pytest.raises(SignatureError):
            builder.build(trusted_keys=[str(cosign_key.public)])

    def test_they_stay_at_home_if_nobody_wants_them(
        self, builder: Builder, registry: Registry, release: Release, cosign_key: CosignKey
    ) -> None:
        registry.storage.publish(release.pool, [cosign_signature(release.pool, cosign_key, release.reference)])
        builder.build(image_signatures=False)
        assert not [one for one in builder.index.signatures if one.kind == "cosign"]


@pytest.fixture(scope="module")
def builder_key(keyring: Keyring) -> SigningKey:
    return keyring.create("builder")


class TestIndexes:
    @pytest.fixture
    def signed(
        self, builder: Builder, keyring: Keyring, builder_key: SigningKey, tmp_path: Path
    ) -> tuple[Builder, SigningKey]:
        builder.settings["signing_key"] = str(keyring.export_secret(builder_key, tmp_path / "builder-secret.asc"))
        builder.build()
        return builder, builder_key

    def judged(self, builder: Builder, *public_keys: str, vetted: Digest | None = None) -> t.Any:
        keys = TrustedKeys.parse("\n".join(public_keys).encode(), on="test") if public_keys else TrustedKeys()
        content, signature = builder.folder.require_index_bytes(), builder.folder.index_signature()
        wanted = VettedDigest(vetted.hex) if vetted else None
        return judge_index(content, signature, vetted=wanted, keys=keys, clock=SystemClock())

    def test_the_builders_signature_proves_the_index(self, signed: tuple[Builder, SigningKey]) -> None:
        builder, key = signed
        by_key = self.judged(builder, key.public_key)
        assert (by_key.trusted, by_key.by, by_key.signers) == (True, "index_signature", (key.fingerprint,))
        assert self.judged(builder, vetted=builder.index.digest).by == "index_digest"

    def test_an_older_bundle_of_the_same_signer_is_not_the_vetted_one(self, signed: tuple[Builder, SigningKey]) -> None:
        builder, key = signed
        vetted = builder.index.digest
        builder.build(exclude=["etcd"])
        replayed = self.judged(builder, key.public_key, vetted=vetted)
        assert (replayed.trusted, replayed.by) == (False, "")
        assert replayed.trust_problem == f"its index has the digest {builder.index.digest}, not {vetted}"

    def test_distrust_says_why(self, signed: tuple[Builder, SigningKey], keyring: Keyring) -> None:
        builder, key = signed
        assert "not among the trusted" in self.judged(builder, keyring.create("stranger").public_key).trust_problem
        assert "not sha256:000" in self.judged(builder, vetted=Digest("0" * 64)).trust_problem
        builder.folder.write_index_signature(None)
        assert "not signed" in self.judged(builder, key.public_key).trust_problem

    def test_a_signature_of_another_index_does_not_count(self, signed: tuple[Builder, SigningKey]) -> None:
        builder, key = signed
        signature = builder.folder.index_signature()
        builder.build(exclude=["etcd"], signing_key=None)
        assert builder.folder.index_signature() is None, "a signature of what is gone goes too"
        builder.folder.write_index_signature(signature)
        assert self.judged(builder, key.public_key).trusted is False

    def test_a_second_run_keeps_the_signature(self, signed: tuple[Builder, SigningKey]) -> None:
        builder, _key = signed
        before = tree_digest(builder.path)
        assert builder.build()["changed"] is False
        assert tree_digest(builder.path) == before

    def test_gpg_alone_can_verify_it(self, signed: tuple[Builder, SigningKey], tmp_path: Path) -> None:
        builder, key = signed
        ring = TrustedKeys.parse(key.public_key.encode(), on="test").ring
        (tmp_path / "ring.gpg").write_bytes(ring)
        files = [builder.path / "index.json.asc", builder.path / "index.json"]
        done = subprocess.run(["gpgv", "--keyring", tmp_path / "ring.gpg", *files], capture_output=True, check=False)
        assert done.returncode == 0

    def test_a_key_that_is_none_is_told_before_the_index_is_named(self, builder: Builder, tmp_path: Path) -> None:
        (tmp_path / "no-key").write_text("nothing")
        with pytest.raises(SignatureError, match="make a signature"):
            builder.build(signing_key=str(tmp_path / "no-key"))
        assert not builder.folder.index_path.exists()

    def test_the_release_inside_is_judged_from_the_folder_alone(
        self, signed: tuple[Builder, SigningKey], key: SigningKey, registry: Registry
    ) -> None:
        registry.stop()
        builder, _builder_key = signed
        keys = TrustedKeys.parse(key.public_key.encode(), on="test")
        assert judge_release(builder.folder, builder.index, keys, SystemClock()).fingerprints == (key.fingerprint,)


def test_a_passphrase_opens_the_signing_key_and_is_nowhere_afterwards(
    builder: Builder, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    canary = "kanarienvogel"
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    base = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", canary]
    subprocess.run([*base, "--quick-generate-key", "builder", "ed25519", "sign", "never"], check=True)
    exported = subprocess.run([*base, "--armor", "--export-secret-keys"], capture_output=True, check=True).stdout
    subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=True)
    (tmp_path / "secret.asc").write_bytes(exported)
    with pytest.raises(SignatureError) as caught:
        builder.build(signing_key=str(tmp_path / "secret.asc"), passphrase="wrong-passphrase")
    assert "wrong-passphrase" not in str(caught.value)
    builder.build(signing_key=str(tmp_path / "secret.asc"), passphrase=canary)
    assert builder.folder.index_signature()
    assert canary not in "".join(capfd.readouterr())
    assert not [path for path in builder.path.rglob("*") if path.is_file() and canary.encode() in path.read_bytes()]
