# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stubs of Ignition's specification 2: what ours are converted to, and which are refused by what place.

``differs`` says why upstream's converter comes to something else: it converts what is refused here, or the other way
round. It is asked in ``tests/integration/boot_images/test_ignition_conformance.py``.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

Json = dict[str, t.Any]
SOURCE = "https://api-int.site.example:22623/config/worker"
BY_ADDRESS = "https://192.0.2.5:22623/config/worker"
CA = {"source": "data:text/plain;charset=utf-8;base64,Q0E=", "verification": {}}
OTHER_CA = {"source": "data:text/plain;charset=utf-8;base64,Q0Ey"}
HASH = {"hash": f"sha512-{'ab' * 64}"}
EMPTY: Json = {"networkd": {}, "passwd": {}, "storage": {}, "systemd": {}}
"""Parts that Ignition's own types write in any case (installer, ``json.Marshal`` of its pointerIgnitionConfig)."""
CORE = {"name": "core", "sshAuthorizedKeys": ["ssh-ed25519 A"]}
FILE = {"filesystem": "root", "path": "/etc/site", "mode": 420, "contents": {"source": "data:,x"}}
LINK = {"filesystem": "root", "path": "/etc/a", "target": "b"}
BELONGS = "it was customised: its additions belong in a MachineConfig, which existing nodes get as well"
ONE_VARIABLE = "upstream takes the last one for each (a loop variable of Go before 1.22) and refuses the duplicate"
LOST = "upstream drops what this version of the specification does not know"


def ignition(version: str = "2.2.0", **parts: t.Any) -> Json:
    return {"ignition": {"version": version, **parts}}


def installed(source: str, version: str = "2.2.0") -> Json:
    """Return what the installers of 4.1 to 4.5 wrote, empty parts included."""
    config = {"append": [{"source": source, "verification": {}}]}
    tls = {"certificateAuthorities": [CA]}
    return {**ignition(version, config=config, security={"tls": tls}, timeouts={}), **EMPTY}


def trusting(*authorities: Json, version: str = "2.2.0") -> Json:
    return ignition(version, security={"tls": {"certificateAuthorities": [*authorities]}})


def appending(**resource: t.Any) -> Json:
    return ignition(config={"append": [resource]})


@dataclass(frozen=True)
class Converted:
    """``wanted`` is the part ``ignition`` of the result, without its version."""

    stub: Json
    wanted: Json
    differs: str = ""


@dataclass(frozen=True)
class Refused:
    """``place`` is what the error names."""

    stub: Json
    place: str
    differs: str = ""


TRUST = {"security": {"tls": {"certificateAuthorities": [{"source": CA["source"]}]}}}
BOTH_TRUSTED = {"security": {"tls": {"certificateAuthorities": [{"source": CA["source"]}, OTHER_CA]}}}

CONVERTED = {
    "the installer's": Converted(installed(SOURCE), {"config": {"merge": [{"source": SOURCE}]}, **TRUST}),
    "the installer's, on bare metal": Converted(
        installed(BY_ADDRESS), {"config": {"merge": [{"source": BY_ADDRESS}]}, **TRUST}
    ),
    "the installer's, of specification 2.3": Converted(
        installed(SOURCE, "2.3.0"), {"config": {"merge": [{"source": SOURCE}]}, **TRUST}
    ),
    "the installer's, of specification 2.4": Converted(
        installed(SOURCE, "2.4.0"), {"config": {"merge": [{"source": SOURCE}]}, **TRUST}
    ),
    "null parts": Converted(
        {**ignition(config={"append": None, "replace": None}, timeouts=None), "storage": {"files": None}}, {}
    ),
    "what replaces the whole": Converted(
        ignition(config={"replace": {"source": SOURCE}}), {"config": {"replace": {"source": SOURCE}}}
    ),
    "two sources": Converted(
        ignition(config={"append": [{"source": SOURCE}, {"source": BY_ADDRESS}]}),
        {"config": {"merge": [{"source": SOURCE}, {"source": BY_ADDRESS}]}},
        ONE_VARIABLE,
    ),
    "what is verified": Converted(
        appending(source=SOURCE, verification=HASH), {"config": {"merge": [{"source": SOURCE, "verification": HASH}]}}
    ),
    "two authorities": Converted(trusting(CA, OTHER_CA), BOTH_TRUSTED, ONE_VARIABLE),
    "an authority that is named twice": Converted(
        trusting(CA, CA), TRUST, "upstream refuses the second one, which means nothing more than the first"
    ),
    "timeouts": Converted(ignition(timeouts={"httpTotal": 5}), {"timeouts": {"httpTotal": 5}}),
}

REFUSED = {
    "networks": Refused({**ignition(), "networkd": {"units": [{"name": "eth0.network"}]}}, "networkd"),
    "disks": Refused({**ignition(), "storage": {"disks": [{"device": "/dev/sda"}]}}, "storage.disks", BELONGS),
    "a file": Refused({**ignition(), "storage": {"files": [FILE]}}, "storage.files", BELONGS),
    "a link": Refused({**ignition(), "storage": {"links": [LINK]}}, "storage.links", BELONGS),
    "a file and a link of one path": Refused(
        {**ignition(), "storage": {"files": [FILE], "links": [{**LINK, "path": FILE["path"]}]}}, "storage.files"
    ),
    "a relative path": Refused({**ignition(), "storage": {"files": [{**FILE, "path": "site"}]}}, "storage.files"),
    "a unit": Refused(
        {**ignition(), "systemd": {"units": [{"name": "site.service", "enabled": True, "contents": "[Unit]"}]}},
        "systemd.units",
        BELONGS,
    ),
    "a user": Refused({**ignition(), "passwd": {"users": [CORE]}}, "passwd.users", BELONGS),
    "a user named twice, of whom both entries counted": Refused(
        {**ignition(), "passwd": {"users": [CORE, {"name": "core", "passwordHash": "x"}]}}, "passwd.users"
    ),
    "a proxy": Refused(ignition("2.4.0", proxy={"httpsProxy": "https://proxy.example"}), "ignition.proxy", BELONGS),
    "headers": Refused(
        ignition("2.4.0", config={"append": [{"source": SOURCE, "httpHeaders": [{"name": "A", "value": "b"}]}]}),
        "ignition.config.append.httpHeaders",
        BELONGS,
    ),
    "a proxy that this specification does not know": Refused(
        ignition(proxy={"httpsProxy": "https://proxy.example"}), "ignition.proxy", LOST
    ),
    "something unknown": Refused({**ignition(), "site": {"x": 1}}, "site", LOST),
    "a typing error": Refused(ignition(config={"appendd": [{"source": SOURCE}]}), "ignition.config.appendd", LOST),
    "authorities before they were known": Refused(trusting(CA, version="2.1.0"), "ignition.version", LOST),
    "specification 1": Refused({"ignition": {"version": "1.0.0"}}, "ignition.version"),
    "a later specification 2": Refused(ignition("2.9.0"), "ignition.version"),
    "a source of another type": Refused(appending(source=5), "ignition.config.append.source"),
    "no source": Refused(appending(verification=HASH), "ignition.config.append.source"),
    "a source without a scheme": Refused(appending(source="site.example"), "ignition.config.append.source"),
    "a source of the provider": Refused(appending(source="oem:///x"), "ignition.config.append.source"),
    "a hash of another length": Refused(
        appending(source=SOURCE, verification={"hash": "sha512-ab"}), "ignition.config.append.verification.hash"
    ),
    "a hash of another function": Refused(
        appending(source=SOURCE, verification={"hash": "md5-ab"}), "ignition.config.append.verification.hash"
    ),
    "a list of another type": Refused(ignition(config={"append": {"source": SOURCE}}), "append"),
    "a timeout of another type": Refused(ignition(timeouts={"httpTotal": "5s"}), "ignition.timeouts.httpTotal"),
}
