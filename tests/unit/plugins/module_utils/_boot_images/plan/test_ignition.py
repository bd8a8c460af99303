# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stub Ignition: read, and turned from specification 2 into 3; the rows follow ign-converter's v24tov31."""

from __future__ import annotations

import base64
import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import UserDataError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import converted
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import (
    encoded_stub,
    read_stub,
    user_data_secret,
)

Json = dict[str, t.Any]
SOURCE = "https://api-int.site.example:22623/config/worker"
CA = {"source": "data:text/plain;charset=utf-8;base64,Q0E=", "verification": {}}


def ignition(**parts: t.Any) -> Json:
    return {"ignition": {"version": "2.2.0", **parts}}


def secret(raw: bytes) -> Json:
    return {"metadata": {"resourceVersion": "7"}, "data": {"userData": base64.b64encode(raw).decode()}}


# What the installers of 4.1 to 4.5 wrote, null and empty parts included.
INSTALLED: Json = {
    "ignition": {
        "config": {"append": [{"source": SOURCE, "verification": {}}]},
        "security": {"tls": {"certificateAuthorities": [CA]}},
        "timeouts": {},
        "version": "2.2.0",
    },
    "networkd": {},
    "passwd": {},
    "storage": {},
    "systemd": {},
}


def test_the_installer_s_stub() -> None:
    assert converted(INSTALLED, "worker-user-data") == {
        "ignition": {
            "version": "3.2.0",
            "config": {"merge": [{"source": SOURCE}]},
            "security": {"tls": {"certificateAuthorities": [{"source": CA["source"]}]}},
        }
    }


CORE = {"name": "core", "sshAuthorizedKeys": ["ssh-ed25519 A"]}
FILE = {"filesystem": "root", "path": "/etc/site", "mode": 420, "contents": {"source": "data:,x"}}
UNIT = {"name": "site.service", "enable": True, "contents": "[Unit]"}

CERTIFIED = {"security": {"tls": {"certificateAuthorities": [CA, CA]}}}

PARTS: dict[str, tuple[Json, Json]] = {
    "what replaces the whole": (
        ignition(config={"replace": {"source": SOURCE}}),
        {"config": {"replace": {"source": SOURCE}}},
    ),
    "what is verified": (
        ignition(config={"append": [{"source": SOURCE, "verification": {"hash": "sha512-ab"}}]}),
        {"config": {"merge": [{"source": SOURCE, "verification": {"hash": "sha512-ab"}}]}},
    ),
    "an authority that is named twice": (
        ignition(**CERTIFIED),
        {"security": {"tls": {"certificateAuthorities": [{"source": CA["source"]}]}}},
    ),
    "timeouts": (ignition(timeouts={"httpTotal": 5}), {"timeouts": {"httpTotal": 5}}),
}


@pytest.mark.parametrize(("given", "wanted"), PARTS.values(), ids=PARTS)
def test_parts(given: Json, wanted: Json) -> None:
    assert converted(given, "worker-user-data") == {"ignition": {"version": "3.2.0", **wanted}}


CUSTOMISED: dict[str, tuple[Json, str]] = {
    "networks": ({**ignition(), "networkd": {"units": [{"name": "eth0.network"}]}}, "networkd"),
    "disks": ({**ignition(), "storage": {"disks": [{"device": "/dev/sda"}]}}, "storage.disks"),
    "a file": ({**ignition(), "storage": {"files": [FILE]}}, "storage.files"),
    "a link": ({**ignition(), "storage": {"links": [{"path": "/etc/a", "target": "b"}]}}, "storage.links"),
    "a unit": ({**ignition(), "systemd": {"units": [UNIT]}}, "systemd.units"),
    "a user": ({**ignition(), "passwd": {"users": [CORE]}}, "passwd.users"),
    "a user named twice, of whom both entries counted": (
        {**ignition(), "passwd": {"users": [CORE, {"name": "core", "passwordHash": "x"}]}},
        "passwd.users",
    ),
    "a proxy": (ignition(proxy={"httpsProxy": "https://proxy.example"}), "ignition.proxy"),
    "something unknown": ({**ignition(), "site": {"x": 1}}, "site"),
    "specification 1": ({"ignition": {"version": "1.0.0"}}, "ignition.version"),
    "a source of another type": (ignition(config={"append": [{"source": 5}]}), "ignition.config.append.source"),
    "a list of another type": (ignition(config={"append": {"source": SOURCE}}), "append"),
}


@pytest.mark.parametrize(("given", "place"), CUSTOMISED.values(), ids=CUSTOMISED)
def test_what_is_not_known_to_mean_the_same_is_left_alone(given: Json, place: str) -> None:
    with pytest.raises(UserDataError) as caught:
        converted(given, "worker-user-data")
    assert place in caught.value.seen
    assert "worker-user-data" in caught.value.on


def test_what_is_converted_is_not_changed_itself() -> None:
    given = json.loads(json.dumps(INSTALLED))
    converted(given, "worker-user-data")
    assert given == INSTALLED


@pytest.mark.parametrize(("version", "needed"), [("2.2.0", True), ("3.0.0", False), ("3.5.0-experimental", False)])
def test_a_stub_says_whether_current_images_know_it(version: str, needed: bool) -> None:
    stub = read_stub("worker-user-data", secret(encoded_stub({"ignition": {"version": version}})))
    assert (stub.version, stub.needs_conversion, stub.resource_version) == (version, needed, "7")


BROKEN: dict[str, Json | None] = {
    "no Secret": None,
    "no content": {"metadata": {}},
    "no userData": {"data": {"disableTemplating": "dHJ1ZQ=="}},
    "another type": {"data": {"userData": 5}},
    "no base64": {"data": {"userData": "%%%"}},
    "empty": secret(b""),
    "no JSON": secret(b"#cloud-config\npassword: canary-secret\n"),
    "not a document": secret(b"[]"),
    "no version": secret(b'{"ignition": {"note": "canary-secret"}}'),
    "a version that is none": secret(b'{"ignition": {"version": "canary-secret"}}'),
    "nested beyond measure": secret(b"[" * 100000),
}


@pytest.mark.parametrize("found", BROKEN.values(), ids=BROKEN)
def test_what_is_no_stub_is_named_without_its_content(found: Json | None) -> None:
    with pytest.raises(UserDataError) as caught:
        read_stub("worker-user-data", found)
    assert "worker-user-data" in str(caught.value)
    assert "canary-secret" not in str(caught.value)
    assert caught.value.__cause__ is None or "canary-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "name"),
    [({"userDataSecret": {"name": "x"}}, "x"), ({}, ""), (None, ""), ({"userDataSecret": "x"}, "")],
)
def test_the_secret_that_a_specification_names(provider: Json | None, name: str) -> None:
    assert user_data_secret(provider) == name
