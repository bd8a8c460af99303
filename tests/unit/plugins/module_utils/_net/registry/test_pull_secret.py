# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import json
import threading
import traceback
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.auth_file import AuthFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    secret_of,
)

CANARY = "kanarienvogel"


def pair(user: str, password: str) -> str:
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def user_for(logins: dict[str, str], name: str) -> str | None:
    auths = {place: {"auth": pair(user, "x")} for place, user in logins.items()}
    login = secret_of(json.dumps({"auths": auths})).login_for(name)
    return login.user if login else None


@pytest.mark.parametrize(
    ("logins", "name", "user"),
    [
        ({"quay.io": "a"}, "quay.io/team/tool", "a"),
        ({"quay.io": "a", "quay.io/team": "b"}, "quay.io/team/tool", "b"),
        ({"quay.io": "a", "quay.io/team/tool": "c"}, "quay.io/team/tool", "c"),
        ({"quay.io/team": "b"}, "quay.io/teammates/tool", None),
        ({"quay.io": "a"}, "quay.io.evil.example/tool", None),
        ({"registry:5000": "d"}, "registry:5000/tool", "d"),
        ({"registry:5000": "d"}, "registry/tool", None),
        ({"https://quay.io": "e"}, "quay.io/tool", "e"),
        ({"https://quay.io/": "e"}, "quay.io/tool", "e"),
        ({"https://registry:5000/v1/": "e"}, "registry:5000/tool", "e"),
        ({"http://registry:5000/v2": "e"}, "registry:5000/tool", "e"),
        ({"https://index.docker.io/v1/": "f"}, "docker.io/library/busybox", "f"),
        ({"index.docker.io": "f"}, "docker.io/library/busybox", "f"),
        ({"docker.io": "f"}, "index.docker.io/library/busybox", "f"),
        ({"Quay.io": "g"}, "quay.io/tool", "g"),
        ({"quay.io": "g"}, "Quay.IO/tool", "g"),
        ({"quay.io/Team": "g"}, "quay.io/team/tool", None),
        ({"quay.io:443": "h"}, "quay.io/tool", "h"),
        ({"quay.io": "h"}, "quay.io:443/tool", "h"),
        ({"https://quay.io:443/v1/": "h"}, "quay.io/tool", "h"),
        ({"quay.io:4430": "h"}, "quay.io/tool", None),
        ({"https://quay.io/v1/": "i", "quay.io": "j", "QUAY.io": "k"}, "quay.io/tool", "j"),
        ({"quay.io/team/v2": "l"}, "quay.io/team/tool", None),
        ({" quay.io": "m"}, "quay.io/tool", "m"),
    ],
)
def test_the_longest_key_that_is_a_whole_prefix_decides(logins: dict[str, str], name: str, user: str | None) -> None:
    assert user_for(logins, name) == user


WRAPPED = "\n".join(pair("robot", "p" * 80)[at : at + 60] for at in range(0, 120, 60))


@pytest.mark.parametrize(
    ("entry", "login"),
    [
        pytest.param({"auth": pair("u", "a:b:c")}, Login("u", "a:b:c"), id="colons in the password"),
        pytest.param({"auth": f" {WRAPPED}\n"}, Login("robot", "p" * 80), id="wrapped base64"),
        pytest.param({"auth": pair("us", "x").rstrip("=")}, Login("us", "x"), id="no padding"),
        pytest.param({"auth": pair("u", "x\0\0")}, Login("u", "x"), id="padded password"),
        pytest.param({"username": "u", "password": "x"}, Login("u", "x"), id="name and password"),
        pytest.param({"username": "u", "password": "x", "auth": pair("u", "x")}, Login("u", "x"), id="both"),
        pytest.param({"username": "u", "password": "x", "auth": "!"}, Login("u", "x"), id="both, one spoilt"),
        pytest.param({"auth": pair("u", "x"), "email": "e@example"}, Login("u", "x"), id="with an address"),
        pytest.param(
            {"auth": pair("<token>", ""), "identitytoken": "refresh"}, Login("<token>", "", "refresh"), id="identity"
        ),
        pytest.param({"identitytoken": "refresh"}, Login(identity_token="refresh"), id="identity alone"),
        pytest.param({"registrytoken": "bearer"}, Login(registry_token="bearer"), id="registry token"),
        pytest.param({"email": "e@example"}, None, id="an address only"),
        pytest.param({"auth": "", "email": "e@example"}, None, id="an empty login"),
        pytest.param({}, None, id="empty"),
    ],
)
def test_entries_are_read_as_container_tools_write_them(entry: dict[str, str], login: Login | None) -> None:
    assert secret_of(json.dumps({"auths": {"quay.io": entry}})).login_for("quay.io/x") == login


def test_an_entry_without_a_login_leaves_it_to_a_shorter_one() -> None:
    auths = {"quay.io": {"auth": pair("u", "x")}, "quay.io/team": {"email": "e@example"}}
    login = secret_of(json.dumps({"auths": auths})).login_for("quay.io/team/tool")
    assert login == Login("u", "x")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufeff" + json.dumps({"auths": {"quay.io": {"auth": pair("u", "x")}}}), id="byte order mark"),
        pytest.param(json.dumps({"auths": {"quay.io": {"auth": pair("u", "x")}}, "HttpHeaders": {}}), id="Docker's"),
    ],
)
def test_files_of_other_tools_are_accepted(text: str) -> None:
    assert secret_of(text).login_for("quay.io/x") == Login("u", "x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(CANARY, "not JSON", id="a bare token"),
        pytest.param('["kanarienvogel"]', "no mapping 'auths'", id="a list"),
        pytest.param('{"quay.io":{"auth":"a2FuYXJpZW52b2dlbA=="}}', "no mapping 'auths'", id="no auths"),
        pytest.param('{"auths":["kanarienvogel"]}', "no mapping 'auths'", id="auths are a list"),
        pytest.param('{"credHelpers":"kanarienvogel"}', "no mapping 'credHelpers'", id="helpers are text"),
        pytest.param("[" * 100_000, "not JSON", id="nested without end"),
    ],
)
def test_other_documents_are_refused_without_a_word_of_them(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said) as caught:
        secret_of(text, on="/home/engineer/pull-secret.json")
    assert CANARY not in "".join(traceback.format_exception(type(caught.value), caught.value, None))
    assert caught.value.on == "/home/engineer/pull-secret.json"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        pytest.param(CANARY, "is not a mapping", id="text"),
        pytest.param({"auth": f"{CANARY}!"}, "not base64", id="no base64"),
        pytest.param(
            {"auth": base64.b64encode(CANARY.encode()).decode()}, "not base64 of name:password", id="no colon"
        ),
        pytest.param({"auth": base64.b64encode(b"\xff:" + CANARY.encode()).decode()}, "not base64", id="no text"),
        pytest.param({"auth": 17, "username": CANARY}, "no usable 'auth'", id="a number"),
        pytest.param({"registrytoken": f"{CANARY}\r\nX: y"}, "no header can carry", id="a header more"),
    ],
)
def test_an_unusable_entry_harms_its_own_registry_only(entry: t.Any, said: str) -> None:
    text = json.dumps({"auths": {"quay.io": entry, "good.example": {"auth": pair("u", "x")}}})
    parsed = secret_of(text, on="/home/engineer/pull-secret.json")
    assert parsed.login_for("good.example/tool") == Login("u", "x")
    with pytest.raises(LoginRefusedError, match=said) as caught:
        parsed.login_for("quay.io/team/tool")
    assert "the entry 'quay.io' of /home/engineer/pull-secret.json" in caught.value.seen
    shown = "".join(traceback.format_exception(type(caught.value), caught.value, None))
    assert CANARY not in shown
    assert base64.b64encode(CANARY.encode()).decode() not in shown


@pytest.mark.parametrize(
    "document", [{"credHelpers": {"quay.io": [CANARY]}}, {"credsStore": [CANARY]}], ids=["helper", "store"]
)
def test_a_helper_without_a_name_harms_what_it_is_for_only(document: dict[str, t.Any]) -> None:
    document["auths"] = {"good.example": {"auth": pair("u", "x")}}
    parsed = secret_of(json.dumps(document), on="auth.json")
    assert parsed.login_for("good.example/tool") == Login("u", "x")
    with pytest.raises(LoginRefusedError, match=r"auth\.json has for 'quay.io' is not a name") as caught:
        parsed.login_for("quay.io/tool")
    assert CANARY not in str(caught.value)


class Helpers:
    """A credential helper in memory, which notes what it is asked."""

    def __init__(self, **logins: Login | LoginRefusedError) -> None:
        self.asked: list[tuple[str, str]] = []
        self._logins = {name.replace("_", "."): login for name, login in logins.items()}

    def __call__(self, helper: str, host: str) -> Login | None:
        self.asked.append((helper, host))
        found = self._logins.get(host)
        if isinstance(found, LoginRefusedError):
            raise found
        return found


OWN, KEPT = {"auth": pair("own", "x")}, Login("kept", "x")


@pytest.mark.parametrize(
    ("document", "name", "user", "asked"),
    [
        pytest.param({"credHelpers": {"quay.io": "pass"}}, "quay.io/x", "kept", [("pass", "quay.io")], id="by host"),
        pytest.param({"credHelpers": {"Quay.io:443": "pass"}}, "quay.io/x", "kept", [("pass", "quay.io")], id="case"),
        pytest.param({"credHelpers": {"quay.io": "pass"}}, "other.example/x", None, [], id="of another host"),
        pytest.param({"credHelpers": {"quay.io": ""}}, "quay.io/x", None, [], id="no helper"),
        pytest.param(
            {"auths": {"quay.io": OWN}, "credHelpers": {"quay.io": "pass"}},
            "quay.io/x",
            "kept",
            [("pass", "quay.io")],
            id="before an entry",
        ),
        pytest.param(
            {"auths": {"none.example": OWN}, "credHelpers": {"none.example": "pass"}},
            "none.example/x",
            None,
            [("pass", "none.example")],
            id="in place of an entry",
        ),
        pytest.param(
            {"auths": {"quay.io": {}}, "credsStore": "desktop.exe"},
            "quay.io/x",
            "kept",
            [("desktop.exe", "quay.io")],
            id="store",
        ),
        pytest.param({"auths": {"quay.io": OWN}, "credsStore": "pass"}, "quay.io/x", "own", [], id="entry, then store"),
        pytest.param({"credsStore": "pass"}, "none.example/x", None, [("pass", "none.example")], id="store has none"),
        pytest.param(
            {"credHelpers": {"quay.io": "ecr-login"}, "credsStore": "pass"},
            "quay.io/x",
            "kept",
            [("ecr-login", "quay.io")],
            id="helper, then store",
        ),
    ],
)
def test_credential_helpers_are_asked_where_a_file_names_them(
    document: dict[str, t.Any], name: str, user: str | None, asked: list[tuple[str, str]]
) -> None:
    helpers = Helpers(quay_io=KEPT)
    login = PullSecret((AuthFile.parse(json.dumps(document), on="f"),), ask_helper=helpers).login_for(name)
    assert (login.user if login else None) == user
    assert helpers.asked == asked


def test_a_helper_is_asked_once_for_a_host_by_all_threads_and_never_before() -> None:
    refused = LoginRefusedError("log in", on="bad.example", seen="it is locked", advice="Unlock it.")
    helpers = Helpers(quay_io=KEPT, bad_example=refused)
    parsed = PullSecret((AuthFile("f", store="pass"),), ask_helper=helpers)
    assert helpers.asked == []
    threads = [threading.Thread(target=parsed.login_for, args=(f"quay.io/team/tool-{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _attempt in range(2):
        with pytest.raises(LoginRefusedError, match="it is locked"):
            parsed.login_for("bad.example/tool")
        assert parsed.login_for("none.example/tool") is None
    assert helpers.asked == [("pass", "quay.io"), ("pass", "bad.example"), ("pass", "none.example")]


def test_the_first_file_with_a_login_counts_and_helpers_of_the_system_come_last() -> None:
    files = [
        AuthFile.parse('{"auths":{"a.example":{}}}', on="first"),
        AuthFile.parse(json.dumps({"auths": {"a.example": OWN}}), on="second"),
        AuthFile("third", problem="it is not JSON"),
    ]
    parsed = PullSecret(files, ask_helper=Helpers(quay_io=KEPT), helpers=("pass",))
    assert parsed.login_for("a.example/x") == Login("own", "x")
    with pytest.raises(LoginRefusedError, match="third cannot be used: it is not JSON"):
        parsed.login_for("quay.io/x")
    assert PullSecret(files[:2], ask_helper=Helpers(quay_io=KEPT), helpers=("pass",)).login_for("quay.io/x") == KEPT


def test_a_helper_that_cannot_be_asked_is_told() -> None:
    with pytest.raises(LoginRefusedError, match="credential helper 'pass'"):
        secret_of('{"credsStore":"pass"}').login_for("quay.io/x")


def test_the_older_file_of_docker_has_entries_only() -> None:
    parsed = PullSecret((AuthFile.parse(json.dumps({"https://quay.io/v1/": OWN}), on=".dockercfg", legacy=True),))
    assert parsed.login_for("quay.io/x") == Login("own", "x")


def test_nothing_of_it_is_in_a_representation() -> None:
    entries = {
        "quay.io": {"auth": pair(CANARY, CANARY), "identitytoken": CANARY},
        "token.example": {"registrytoken": CANARY},
    }
    file = AuthFile.parse(json.dumps({"auths": entries}), on="f")
    parsed = PullSecret((file,))
    logins = [parsed.login_for("quay.io/x"), parsed.login_for("token.example/x")]
    assert CANARY not in f"{file!r} {parsed!r} {logins!r}"
    assert pair(CANARY, CANARY) not in f"{file!r} {parsed!r} {logins!r}"
