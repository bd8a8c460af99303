# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.
"""Logins that a credential helper keeps: the programs ``docker-credential-<name>``, asked as Docker and podman do.

Source: docker/docker-credential-helpers, ``credentials`` and ``client``. What a helper prints is secret even when it
fails, so none of it is in any error.
"""

from __future__ import annotations

import json
import re

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

PATIENCE = 30.0
"""Seconds for one answer. A helper that waits for a passphrase never gets one."""

LARGEST_ANSWER = 64 * 1024

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_NOT_FOUND = "credentials not found"
_IDENTITY = "<token>"
_SERVERS = {"docker.io": ("https://index.docker.io/v1/", "docker.io")}
"""Docker and podman keep the login at Docker Hub under different names."""


class CredentialHelpers:
    """Asks credential helpers on this machine, with the environment of a command that ``Host`` runs."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def login(self, helper: str, host: str) -> Login | None:
        """Return the login that ``helper`` keeps for ``host``, None if it has none; raise LoginRefusedError."""
        if not _NAME.fullmatch(helper):
            raise _refusal(
                helper,
                host,
                "it is not the name of a credential helper",
                "Set credHelpers or credsStore to the part of the program's name that follows 'docker-credential-'.",
            )
        for server in _SERVERS.get(host, (host,)):
            login = self._ask(helper, host, server)
            if login is not None:
                return login
        return None

    def _ask(self, helper: str, host: str, server: str) -> Login | None:
        program = f"docker-credential-{helper}"
        by_hand = f'Run "printf {server} | {program} get" as this user and correct what it reports.'
        try:
            result = Host(self._clock).run(
                [program, "get"],
                deadline=Deadline(PATIENCE, self._clock),
                stdin=server.encode(),
                ok=None,
                limit=LARGEST_ANSWER,
            )
        except DeadlineExceededError:
            raise _refusal(helper, host, f"it did not answer within {PATIENCE:.0f} s", by_hand) from None
        except MissingRequirementError as error:
            raise _refusal(helper, host, f"it cannot be started: {error.seen}", error.advice) from None
        except FieldOpsError:
            raise _refusal(helper, host, "it cannot be run", by_hand) from None
        if result.rc != 0:
            if _NOT_FOUND in f"{result.stdout} {result.stderr}".lower():
                return None
            raise _refusal(helper, host, f"it ended with status {result.rc}", by_hand)
        return _login(result, helper, host, by_hand)


def _login(result: CommandResult, helper: str, host: str, by_hand: str) -> Login | None:
    try:
        answer = json.loads(result.stdout)
        user, secret = answer["Username"], answer["Secret"]
    except (ValueError, KeyError, TypeError, RecursionError):
        user = secret = None
    if result.stdout_cut or not isinstance(user, str) or not isinstance(secret, str):
        raise _refusal(helper, host, "its answer is not a JSON object with Username and Secret", by_hand)
    if not user and not secret:
        return None
    return Login(user, "", secret) if user == _IDENTITY else Login(user, secret)


def _refusal(helper: str, host: str, seen: str, advice: str) -> LoginRefusedError:
    told = f"the credential helper {f'docker-credential-{helper}'[:100]!r}, queried for {host[:100]!r}: {seen}"
    return LoginRefusedError("log in", on=host, seen=told, advice=advice, statuses=(401,))
