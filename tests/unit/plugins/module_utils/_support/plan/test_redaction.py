# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is taken out of texts and documents before they are handed on: a secret of each form, and what has to stay."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.redaction import Redaction

CANARY = "cAnArY0123456789xYz"
KEY_BODY = "MIIEpAIBAAKCAQEA" + CANARY + "\n" + CANARY + "+/=="
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"

TEXTS = {
    "bearer header": f"Authorization: Bearer {CANARY}",
    "header in a dump of Go": f'Header{{"Authorization":[]string{{"Bearer {CANARY}"}}}}',
    "basic header": f"authorization: Basic {CANARY}==",
    "header of another scheme": f'> GET / Authorization: Digest username="me", response="{CANARY}"',
    "bearer without a header": f"sent the bearer {CANARY} to the relay",
    "proxy header": f"Proxy-Authorization: {CANARY}",
    "cookie": f"> GET / Cookie: first=1; session={CANARY}",
    "token of a service account": f"saw eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4{CANARY}.sig{CANARY}",
    "token of OpenShift": f"logged in with sha256~{CANARY}{CANARY}{CANARY}",
    "password in a URL": f"GET https://admin:{CANARY}@registry.example/v2/",
    "password with an at sign": f"GET https://admin:x@{CANARY}@registry.example/v2/",
    "password with a slash": f"GET https://admin:x/{CANARY}@registry.example/v2/",
    "token for a user in a URL": f"git clone https://{CANARY}@git.example/repo",
    "signed URL": f"GET https://s3.example/x?X-Amz-Signature={CANARY}&X-Amz-Credential={CANARY}",
    "token in a query": f"GET https://cdn.example/x?access_token={CANARY}&y=1",
    "pull secret": json.dumps({"auths": {"quay.io": {"auth": CANARY, "email": f"{CANARY}@example"}}}),
    "pull secret over lines": json.dumps({"auths": {"quay.io": {"email": CANARY}}}, indent=2),
    "pull secret in JSON in JSON": json.dumps({"data": json.dumps({"auths": {"quay.io": {"email": CANARY}}})}),
    "pull secret that was cut": f'{{"auths": {{"quay.io": {{"email": "{CANARY}", ',
    "identity token": f'"identitytoken": "{CANARY}"',
    "private key": f"{BEGIN}\n{KEY_BODY}\n{END}",
    "private key of SSH": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY_BODY}\n-----END OPENSSH PRIVATE KEY-----",
    "private key of PGP": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{KEY_BODY}\n-----END PGP PRIVATE KEY BLOCK-----",
    "private key in JSON": json.dumps({"tls.key": f"{BEGIN}\n{KEY_BODY}\n{END}"}),
    "private key in lines of a journal": "\n".join(f"Nov 25 host unit[1]: {x}" for x in [BEGIN, CANARY, CANARY, END]),
    "private key without its end": f"{BEGIN}\n{KEY_BODY}",
    "private key without its beginning": f"[300 bytes cut]\n{KEY_BODY}\n{END}",
    "key data of a kubeconfig": f"    client-key-data: {CANARY}\n",
    "token of a kubeconfig": f"    token: {CANARY}\n",
    "PEM in base64": f"ca: LS0tLS1CRUdJTiBSU0Eg{CANARY}=",
    "password of YAML": f"password: {CANARY}\n",
    "password of several words": f"  password: correct horse {CANARY}\n",
    "password in quotes of YAML": f"  - password: 'it''s {CANARY}'\n",
    "block of YAML": f"  pull-secret: |\n    first\n\n    {CANARY}\n  next: 1\n",
    "password of JSON": json.dumps({"adminPassword": f'a"b\\{CANARY}'}),
    "password of JSON in JSON": json.dumps({"x": json.dumps({"password": f'a"{CANARY}'})}),
    "list of tokens": f'"tokens": ["a", "{CANARY}"]',
    "variable": f"Environment=REGISTRY_PASSWORD={CANARY}",
    "variable in quotes": f'Environment="API_KEY={CANARY}"',
    "quoted value of a variable": f"export AWS_SECRET_ACCESS_KEY='a {CANARY}'",
    "variable of a container": f'{{"name":"DB_PASSWORD","value":"{CANARY}"}}',
    "variable of a container in YAML": f"- name: DB_PASSWORD\n  value: {CANARY}\n",
    "option": f"podman login --password {CANARY} registry.example",
    "option with an equals sign": f"podman login --password={CANARY} registry.example",
    "credentials of skopeo": f"skopeo copy --src-creds user:{CANARY} docker://a docker://b",
    "login of curl": f"curl -u user:{CANARY} https://registry.example",
    "hash of a password": f"core:$6$salt${CANARY}:19000::",
    "hash in Ignition": f'"passwordHash": "{CANARY}"',
    "content in Ignition": f'"source": "data:text/plain;charset=utf-8;base64,{CANARY}"',
    "plain content in Ignition": f'"source": "data:,{CANARY}%0A"',
    "key of AWS": "key AKIACANARY0123456789",
    "token of a forge": f"ghp_{CANARY}{CANARY}",
    "list that is not closed": f'"tokens": ["a", "{CANARY}"',
    "list that was cut": f'"tokens": ["a", "{CANARY}\n[300 bytes cut]\n',
    "list of lists": f'tokens=[["a", "{CANARY}"], ["{CANARY}"]]',
    "list in Go": f"&{{Tokens:[a b {CANARY}] Retries:3}}",
    "list of YAML": f"tokens:\n- a\n- {CANARY}\nnext: 1\n",
    "deeper list of YAML": f"  tokens:\n    - a\n    - {CANARY}\n  next: 1\n",
    "value on the next line": f"password:\n  {CANARY}\n",
    "password that begins with a brace": f"password={{{CANARY}",
    "password that begins with a bracket": f"password: [{CANARY}",
    "field of a structure in Go": f"&{{User:me Password:{CANARY} Retries:3}}",
    "short name of a password": f"DB_PASS={CANARY}",
    "password that begins with a known one": f"password: first{CANARY}",
    "value that is not closed": f'"token": "{CANARY}',
    "client secret": f"client_secret={CANARY}",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_no_secret_is_left_in_a_text(text: str) -> None:
    said = Redaction(["first"]).text(f"before\n{text}\nafter it all\n")
    assert CANARY not in said
    assert "AKIACANARY" not in said
    assert "********" in said
    assert said.startswith("before\n") or "cut]" in text


KEPT = {
    "image": "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "ab" * 32,
    "image with its transport": "docker://quay.io:443/openshift@sha256:" + "ab" * 32,
    "address": "https://192.0.2.11:9700/v2/",
    "line of a journal": "2026-11-21T22:01:07+0000 worker-0 crio[812]: Pulled image in 3.2 s, status=200",
    "time to live": "tokenTTL=30s retries=3 key=value",
    "file of a token": "reading /var/lib/fieldops/token-file, bearer of news",
    "name of a secret": "secretName: pull-secret-of-site",
    "certificate": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "words": "failed to authenticate: authentication required, the password was wrong",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_what_is_no_secret_stays(text: str) -> None:
    assert Redaction().text(text) == text


def test_what_follows_a_secret_stays() -> None:
    said = Redaction().text(f"{BEGIN}\n{KEY_BODY}\n{END}\npassword: x{CANARY}\nstatus: ready\n")
    assert said == "********\npassword: ********\nstatus: ready\n"


@pytest.mark.parametrize(
    "form",
    [
        "pa55/w\u00f6rd+1",
        "pa55%2Fw%C3%B6rd%2B1",
        json.dumps("pa55/w\u00f6rd+1")[1:-1],
        "cGE1NS93w7ZyZCsx",
        "dXNlcjpwYTU1L3fDtnJkKzE=",
    ],
    ids=["as it is", "in a URL", "in JSON", "in base64", "with its user in base64"],
)
def test_what_is_known_goes_in_every_form(form: str) -> None:
    assert form not in Redaction(["pa55/w\u00f6rd+1", "user:pa55/w\u00f6rd+1"]).text(f"it said {form} and no more")


DOCUMENTS: dict[str, tuple[t.Any, t.Any]] = {
    "password": ({"spec": {"password": CANARY}}, {"spec": {"password": "********"}}),
    "number for a password": ({"pin": 7, "password": 1234}, {"pin": 7, "password": "********"}),
    "auths": ({"auths": {"quay.io": {"auth": CANARY, "email": "a@b"}}}, {"auths": "********"}),
    "list of tokens": ({"tokens": [CANARY, {"id": CANARY}]}, {"tokens": ["********", {"id": "********"}]}),
    "reference to a secret": ({"pullSecret": {"name": "x"}}, {"pullSecret": {"name": "x"}}),
    "variable": (
        [{"name": "MY_TOKEN", "value": CANARY}, {"name": "HOME", "value": "/"}],
        [{"name": "MY_TOKEN", "value": "********"}, {"name": "HOME", "value": "/"}],
    ),
    "words of a command": (["login", "--password", CANARY, "host"], ["login", "--password", "********", "host"]),
    "text in a document": ({"message": f"token={CANARY}"}, {"message": "token=********"}),
    "document in a text": (
        {"config.json": json.dumps({"auths": {"quay.io": {"auth": CANARY}}, "kept": 1})},
        {"config.json": json.dumps({"auths": "********", "kept": 1})},
    ),
    "key of a document": ({f"https://u:{CANARY}@h/": 1}, {"https://********@h/": 1}),
    "what is none": ({"replicas": 3, "ready": True, "at": None}, {"replicas": 3, "ready": True, "at": None}),
}


@pytest.mark.parametrize(("document", "expected"), DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_no_secret_is_left_in_a_document(document: t.Any, expected: t.Any) -> None:
    assert Redaction().document(document) == expected


def test_much_text_takes_little_time_in_each_form() -> None:
    awkward = [
        "a" * 20_000,
        '"' * 20_000,
        "\\" * 20_000,
        "://" * 7_000,
        "auths{" * 3_000,
        "token " * 3_000,
        BEGIN * 600,
    ]
    said = Redaction().text("\n".join(awkward))
    assert "a" * 20_000 in said
