# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.certificate_request import (
    DamagedRequestError,
    read_certificate_request,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.signing_requests import (
    CLIENT,
    SERVING,
    pending_requests,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.plan import certificate_requests

NODE, USER = "worker-0", "system:node:worker-0"
ADDRESSES = ["10.0.0.7", "fd00::7", "worker-0"]
BOOTSTRAPPER = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper"
SERVING_USAGES = ["digital signature", "server auth"]
CLIENT_USAGES = ["digital signature", "client auth"]


def signing_request(pem: bytes, signer: str = SERVING, username: str = USER, **more: t.Any) -> dict[str, t.Any]:
    usages = SERVING_USAGES if signer == SERVING else CLIENT_USAGES
    return {
        "metadata": {"name": "csr-1", "creationTimestamp": "2026-11-21T22:00:00Z"},
        "spec": {
            "signerName": signer,
            "username": username,
            "groups": more.get("groups", ["system:nodes", "system:authenticated"]),
            "usages": more.get("usages", usages),
            "request": more.get("request", base64.b64encode(pem).decode()),
        },
        "status": {"conditions": more.get("conditions", [])},
    }


@pytest.mark.parametrize(
    ("found", "obstacle"),
    [
        pytest.param(signing_request(certificate_requests.SERVING), "", id="to serve under its own addresses"),
        pytest.param(signing_request(certificate_requests.CLIENT, CLIENT), "", id="to call under its own name"),
        pytest.param(
            signing_request(certificate_requests.FOREIGN_NAME), "it is for api.example.com", id="a name of others"
        ),
        pytest.param(signing_request(certificate_requests.CLIENT), "it is for no address", id="to serve under no name"),
        pytest.param(
            signing_request(certificate_requests.MAIL),
            "names that a node must not request",
            id="a name that is no host's",
        ),
        pytest.param(
            signing_request(certificate_requests.SERVING, CLIENT),
            "names that a node must not request",
            id="a client with addresses",
        ),
        pytest.param(
            signing_request(certificate_requests.MASTERS, CLIENT), "of system:masters", id="into another group"
        ),
        pytest.param(
            signing_request(certificate_requests.OTHER_NODE, CLIENT), "subject is system:node:worker-1", id="as another"
        ),
        pytest.param(signing_request(certificate_requests.TWO_NAMES, CLIENT), "several common names", id="two names"),
        pytest.param(
            signing_request(certificate_requests.CLIENT, CLIENT, BOOTSTRAPPER),
            "not requested by the node itself",
            id="bootstrap",
        ),
        pytest.param(
            signing_request(certificate_requests.SERVING, groups=["system:authenticated"]), "not requested", id="groups"
        ),
        pytest.param(
            signing_request(certificate_requests.SERVING, usages=[*SERVING_USAGES, "client auth"]),
            "client auth",
            id="uses",
        ),
        pytest.param(signing_request(b"", request="%%%"), "it cannot be read", id="no base64"),
        pytest.param(signing_request(b"hello"), "it cannot be read: it is not a single PEM block", id="no PEM"),
    ],
)
def test_what_is_granted_and_what_waits_for_a_person(found: dict[str, t.Any], obstacle: str) -> None:
    (one,) = pending_requests(NODE, ADDRESSES, [found])
    assert obstacle in one.obstacle
    assert (one.obstacle == "") is (obstacle == "")


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(
            signing_request(certificate_requests.SERVING, conditions=[{"type": kind, "status": "True"}]), id=kind
        )
        for kind in ("Approved", "Denied", "Failed")
    ]
    + [
        pytest.param(signing_request(certificate_requests.SERVING, "example.com/other"), id="of another signer"),
        pytest.param(
            signing_request(certificate_requests.OTHER_NODE, CLIENT, "system:node:worker-1"), id="of another node"
        ),
        pytest.param(
            signing_request(certificate_requests.OTHER_NODE, CLIENT, BOOTSTRAPPER), id="bootstrap of another node"
        ),
    ],
)
def test_what_is_no_concern(found: dict[str, t.Any]) -> None:
    assert pending_requests(NODE, ADDRESSES, [found]) == []


def test_names_and_addresses_are_read() -> None:
    seen = read_certificate_request(certificate_requests.SERVING)
    assert (seen.common_name, seen.organizations) == (USER, ("system:nodes",))
    assert (set(seen.names), seen.other_names) == (set(ADDRESSES), False)


def _cut(place: int) -> bytes:
    lines = certificate_requests.SERVING.split(b"\n")
    der = base64.b64decode(b"".join(lines[1:-2]))[:place]
    return b"\n".join([lines[0], base64.encodebytes(der).strip(), lines[-2], b""])


@pytest.mark.parametrize(
    "pem",
    [
        pytest.param(certificate_requests.SERVING * 2, id="two of them"),
        pytest.param(b"x" * 70000, id="far too long"),
        *(pytest.param(_cut(place), id=f"cut off at {place}") for place in (1, 2, 3, 40, 150, 280)),
    ],
)
def test_what_is_damaged_is_refused(pem: bytes) -> None:
    with pytest.raises(DamagedRequestError):
        read_certificate_request(pem)
