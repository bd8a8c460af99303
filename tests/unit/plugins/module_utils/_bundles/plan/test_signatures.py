# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gpg_verdict import gpg_verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.signature_config_map import (
    signature_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.signed_statement import (
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
VALID = f"[GNUPG:] VALIDSIG 0123 2024-02-26 1708999999 0 4 0 1 8 00 {PRIMARY}"
GOOD = "[GNUPG:] GOODSIG 199E2F91FD431D51 Red Hat, Inc. (release key 2) <security@redhat.com>"
IMAGE = Digest("a" * 64)


@pytest.mark.parametrize(
    ("lines", "signers", "problem"),
    [
        pytest.param([GOOD, VALID], (PRIMARY,), "", id="good"),
        pytest.param(["gpgv: Signature made", "[GNUPG:] NEWSIG", GOOD, VALID], (PRIMARY,), "", id="with chatter"),
        pytest.param([GOOD, VALID, GOOD, VALID], (PRIMARY,), "", id="twice by one"),
        pytest.param([], (), "no signature", id="nothing said"),
        pytest.param([GOOD], (), "did not find every signature", id="good but not valid"),
        pytest.param([VALID], (), "did not find every signature", id="valid but not good"),
        pytest.param([f"gpgv: {GOOD}", f"gpgv: {VALID}"], (), "no signature", id="words of a log are no status"),
        pytest.param(["[GNUPG:] EXPKEYSIG 1 x", VALID], (), "key has expired", id="expired key"),
        pytest.param(["[GNUPG:] EXPSIG 1 x", VALID], (), "signature itself has expired", id="expired signature"),
        pytest.param(["[GNUPG:] REVKEYSIG 1 x", VALID], (), "was revoked", id="revoked"),
        pytest.param(["[GNUPG:] BADSIG 1 x"], (), "does not fit", id="bad"),
        pytest.param(["[GNUPG:] ERRSIG 1 1 8 00 1 9 -"], (), "not among the trusted", id="unknown key"),
        pytest.param([GOOD, VALID, "[GNUPG:] BADSIG 1 x"], (), "does not fit", id="one good, one bad"),
        pytest.param(["[GNUPG:] NODATA 1"], (), "no OpenPGP", id="noise"),
        pytest.param([GOOD, "[GNUPG:] VALIDSIG 0123"], (), "did not find every|no signature", id="cut line"),
    ],
)
def test_the_status_lines_decide(lines: list[str], signers: tuple[str, ...], problem: str) -> None:
    verdict = gpg_verdict("\n".join(lines))
    assert verdict.signers == signers
    assert verdict.is_good is bool(signers)
    assert any(part in verdict.problem for part in problem.split("|"))


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
        pytest.param(statement(image={"docker-manifest-digest": f"sha256:{'b' * 64}"}), "not about", id="other digest"),
        pytest.param(statement(identity={"docker-reference": ""}), "names no image", id="no identity"),
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
