# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.gpg_verdict import gpg_verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signature_config_map import (
    signature_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signed_statement import (
    ATOMIC,
    COSIGN,
    statement_problem,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    sample_index,
)

PRIMARY = "567E347AD0044ADE55BA8A5F199E2F91FD431D51"
OTHER = "B08B659EE86AF623BC90E8DB938A80CAF21541EB"
GOOD = "[GNUPG:] GOODSIG 199E2F91FD431D51 Red Hat, Inc. (release key 2) <security@redhat.com>"
IMAGE = Digest("a" * 64)


def valid(algorithm: int = 1, digest: int = 8, primary: str = PRIMARY) -> str:
    return f"[GNUPG:] VALIDSIG 0123 2024-02-26 1708999999 0 4 0 {algorithm} {digest} 00 {primary}"


VALID = valid()
UNKNOWN = f"[GNUPG:] ERRSIG 938A80CAF21541EB 1 8 00 1 9 {OTHER}"
SHA1 = f"[GNUPG:] ERRSIG 938A80CAF21541EB 1 2 00 1 5 {OTHER}"
EXPIRED = ["[GNUPG:] EXPKEYSIG 938A80CAF21541EB x", valid(primary=OTHER)]
SECOND = ["[GNUPG:] GOODSIG 938A80CAF21541EB x", valid(primary=OTHER)]


@pytest.mark.parametrize(
    ("lines", "signers", "problem"),
    [
        pytest.param([GOOD, VALID], (PRIMARY,), "", id="good"),
        pytest.param(["gpgv: Signature made", "[GNUPG:] NEWSIG", GOOD, VALID], (PRIMARY,), "", id="with chatter"),
        pytest.param([GOOD, VALID, GOOD, VALID], (PRIMARY,), "", id="twice by one"),
        pytest.param([GOOD, VALID, *SECOND], (PRIMARY, OTHER), "", id="by two"),
        pytest.param([GOOD, valid(digest=12)], (PRIMARY,), "", id="SHA3-256"),
        pytest.param([], (), "no signature", id="nothing said"),
        pytest.param([GOOD], (), "did not report it as valid", id="good but not valid"),
        pytest.param([VALID], (), "no signature", id="valid but not good"),
        pytest.param([f"gpgv: {GOOD}", f"gpgv: {VALID}"], (), "no signature", id="words of a log are no status"),
        pytest.param(EXPIRED, (), f"{OTHER}: its key has expired", id="expired key"),
        pytest.param(["[GNUPG:] EXPSIG 1 x", VALID], (), "signature itself has expired", id="expired signature"),
        pytest.param(["[GNUPG:] REVKEYSIG 1 x", VALID], (), "was revoked", id="revoked"),
        pytest.param(["[GNUPG:] BADSIG 1 x"], (), "does not match", id="bad"),
        pytest.param([UNKNOWN], (), f"{OTHER}: its key is not among the trusted", id="unknown key"),
        pytest.param([SHA1], (), "its hash SHA-1 is too weak", id="SHA-1"),
        pytest.param(
            ["[GNUPG:] ERRSIG AB 99 8 00 1 4 -"], (), "AB: gpgv cannot verify it (code '4')", id="unknown kind"
        ),
        pytest.param([GOOD, valid(digest=2)], (), "its hash SHA-1 is too weak", id="SHA-1 that gpgv took"),
        pytest.param([GOOD, valid(digest=1)], (), "its hash MD5 is too weak", id="MD5"),
        pytest.param([GOOD, valid(digest=99)], (), "its hash algorithm '99' is too weak", id="unknown hash"),
        pytest.param([GOOD, valid(algorithm=17)], (), "algorithm DSA, which is too weak", id="DSA"),
        pytest.param([GOOD, valid(algorithm=16)], (), "algorithm ElGamal, which is too weak", id="ElGamal"),
        pytest.param([GOOD, VALID, "[GNUPG:] BADSIG 1 x"], (), "does not match", id="one good, one bad"),
        pytest.param([GOOD, VALID, UNKNOWN], (PRIMARY,), "", id="one good, one by an unknown key"),
        pytest.param([UNKNOWN, GOOD, VALID], (PRIMARY,), "", id="one by an unknown key, one good"),
        pytest.param([GOOD, VALID, *EXPIRED], (PRIMARY,), "", id="one good, one expired"),
        pytest.param([*EXPIRED, UNKNOWN], (), "expired; ", id="none good"),
        pytest.param([GOOD, VALID, SHA1], (PRIMARY,), "", id="one good, one weak"),
        pytest.param([GOOD, VALID, "[GNUPG:] NODATA 3"], (), "additional data", id="noise behind a good one"),
        pytest.param(["[GNUPG:] NODATA 1"], (), "not an OpenPGP", id="noise"),
        pytest.param([GOOD, "[GNUPG:] VALIDSIG 0123"], (), "did not report it as valid", id="cut line"),
        pytest.param([GOOD, UNKNOWN, VALID], (), "not report it as valid", id="validity of another signature"),
    ],
)
def test_the_status_lines_decide(lines: list[str], signers: tuple[str, ...], problem: str) -> None:
    verdict = gpg_verdict("\n".join(lines))
    assert verdict.signers == signers
    assert verdict.is_good is bool(signers)
    assert problem in verdict.problem


def test_every_signature_that_does_not_count_is_named() -> None:
    verdict = gpg_verdict("\n".join([GOOD, VALID, UNKNOWN, *EXPIRED]))
    assert verdict.others == (f"{OTHER}: its key is not among the trusted ones", f"{OTHER}: its key has expired")


def test_a_detached_signature_brings_no_message() -> None:
    lines = "\n".join(["[GNUPG:] PLAINTEXT 62 1 x", GOOD, VALID])
    assert gpg_verdict(lines).is_good
    assert "not a detached signature" in gpg_verdict(lines, detached=True).problem


def statement(**critical: t.Any) -> dict[str, t.Any]:
    plain = {
        "type": ATOMIC,
        "image": {"docker-manifest-digest": str(IMAGE)},
        "identity": {"docker-reference": "quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64"},
    }
    return {"critical": {**plain, **critical}, "optional": {"creator": "x"}}


def test_a_statement_about_the_image_has_no_problem() -> None:
    assert statement_problem(json.dumps(statement()).encode(), ATOMIC, IMAGE) == ""


@pytest.mark.parametrize(
    ("document", "said"),
    [
        pytest.param(statement(type=COSIGN), "not 'atomic container signature'", id="type"),
        pytest.param(statement(image={"docker-manifest-digest": f"sha256:{'b' * 64}"}), "not for", id="other digest"),
        pytest.param(statement(identity={"docker-reference": ""}), "contains no image", id="no identity"),
        pytest.param(statement(extra=1), "unknown fields: extra", id="unknown critical field"),
        pytest.param({**statement(), "more": 1}, "unknown fields: more", id="unknown field"),
    ],
)
def test_other_statements_say_what_is_wrong(document: dict[str, t.Any], said: str) -> None:
    assert said in statement_problem(json.dumps(document).encode(), ATOMIC, IMAGE)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"critical":[]}', b'{"critical":{"type":1}}'])
def test_other_documents_are_no_statements(content: bytes) -> None:
    with pytest.raises(PayloadError):
        statement_problem(content, ATOMIC, IMAGE)


def test_the_config_map_carries_the_releases_signatures() -> None:
    index = sample_index()
    document = signature_config_map(index, lambda wanted: b"signed" if wanted == digest("signature") else b"")
    name = f"sha256-{digest('release/manifest').hex}"
    assert document is not None
    assert document["metadata"]["name"] == name
    assert document["metadata"]["labels"]["release.openshift.io/verification-signatures"] == ""
    assert document["binaryData"] == {f"{name}-1": "c2lnbmVk"}


def test_without_signatures_there_is_nothing_to_apply() -> None:
    assert signature_config_map(sample_index(signatures=()), lambda _digest: b"") is None
