# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import json

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

CANARY = "kanarienvogel"


def pair(user: str, password: str) -> str:
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def user_for(logins: dict[str, str], name: str) -> str | None:
    auths = {place: {"auth": pair(user, "x")} for place, user in logins.items()}
    login = PullSecret.parse(json.dumps({"auths": auths})).login_for(name)
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
        ({"https://index.docker.io/v1/": "f"}, "docker.io/library/busybox", "f"),
    ],
)
def test_the_longest_place_that_is_a_whole_prefix_decides(logins: dict[str, str], name: str, user: str | None) -> None:
    assert user_for(logins, name) == user


def test_passwords_may_hold_colons() -> None:
    login = PullSecret.parse(json.dumps({"auths": {"quay.io": {"auth": pair("u", "a:b:c")}}})).login_for("quay.io/x")
    assert login is not None
    assert login.password == "a:b:c"


def test_identity_tokens_are_kept() -> None:
    entry = {"auth": pair("<token>", ""), "identitytoken": "refresh"}
    login = PullSecret.parse(json.dumps({"auths": {"quay.io": entry}})).login_for("quay.io/x")
    assert login is not None
    assert login.identity_token == "refresh"


def test_entries_whose_login_a_helper_keeps_are_passed_over() -> None:
    assert PullSecret.parse('{"auths":{"quay.io":{}}}').login_for("quay.io/x") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(CANARY, "not JSON", id="a bare token"),
        pytest.param('["kanarienvogel"]', "no mapping 'auths'", id="a list"),
        pytest.param('{"quay.io":{"auth":"a2FuYXJpZW52b2dlbA=="}}', "no mapping 'auths'", id="no auths"),
        pytest.param('{"auths":{"quay.io":"kanarienvogel"}}', "not a mapping", id="entry"),
        pytest.param('{"auths":{"quay.io":{"auth":"kanarienvogel!"}}}', "not base64", id="no base64"),
        pytest.param(
            json.dumps({"auths": {"quay.io": {"auth": base64.b64encode(CANARY.encode()).decode()}}}),
            "no usable 'auth'",
            id="no colon",
        ),
        pytest.param('{"auths":{"quay.io":{"auth":17}}}', "no usable 'auth'", id="a number"),
        pytest.param("[" * 100_000, "not JSON", id="nested without end"),
    ],
)
def test_other_documents_are_refused_without_a_word_of_them(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said) as caught:
        PullSecret.parse(text, on="/home/engineer/pull-secret.json")
    assert CANARY not in str(caught.value)
    assert base64.b64encode(CANARY.encode()).decode() not in str(caught.value)
    assert caught.value.on == "/home/engineer/pull-secret.json"


def test_nothing_of_it_is_in_a_representation() -> None:
    parsed = PullSecret.parse(json.dumps({"auths": {"quay.io": {"auth": pair(CANARY, CANARY)}}}))
    assert CANARY not in repr(parsed)
    assert CANARY not in repr(parsed.login_for("quay.io/x"))


def test_every_form_of_a_password_counts_as_secret() -> None:
    parsed = PullSecret.parse(json.dumps({"auths": {"quay.io": {"auth": pair("u", "pass"), "identitytoken": "id"}}}))
    assert set(parsed.secrets()) == {"pass", "id", pair("u", "pass")}
