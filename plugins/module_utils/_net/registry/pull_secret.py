# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pull secret: who we are to which registry, from files and from the credential helpers that they name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.auth_file import (
    ADVICE,
    AuthFile,
    normal_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError

AskHelper = Callable[[str, str], "Login | None"]
"""Asks the credential helper with a name for the login at a host; raises LoginRefusedError."""


class PullSecret:
    """Logins from ``files``, the first that has one counts, and at last from the ``helpers`` by name.

    A credential helper is asked by ``ask_helper`` when its host is needed for the first time, and once for each host.
    Threads share it.
    """

    def __init__(
        self, files: Sequence[AuthFile] = (), *, ask_helper: AskHelper | None = None, helpers: Sequence[str] = ()
    ) -> None:
        self._files = tuple(files)
        self._helpers = tuple(helpers)
        self._ask_helper = ask_helper or _refuse_helper
        self._questions: dict[tuple[str, str], _Question] = {}
        self._lock = threading.Lock()

    def login_for(self, name: str) -> Login | None:
        """Return the login for ``registry/repository``, None where none is known.

        Raises LoginRefusedError for an entry, a file or a helper that would have to know it and cannot be used.
        """
        return next(self._logins(normal_name(name)), None)

    def _logins(self, name: str) -> Iterator[Login]:
        host = name.partition("/")[0]
        for file in self._files:
            login = self._in_file(file, name, host)
            if login is not None:
                yield login
        for helper in self._helpers:
            login = self._asked(helper, host)
            if login is not None:
                yield login

    def _in_file(self, file: AuthFile, name: str, host: str) -> Login | None:
        if file.problem:
            raise LoginRefusedError(
                "log in", on=host, seen=f"{file.on} cannot be used: {file.problem}", advice=ADVICE, statuses=(401,)
            )
        own = file.helper_for(host)
        if own is not None:
            return self._asked(own, host)
        login = file.login_for(name)
        others = file.helper_for_others(host) if login is None else None
        return login if others is None else self._asked(others, host)

    def _asked(self, helper: str, host: str) -> Login | None:
        with self._lock:
            question = self._questions.setdefault((helper, host), _Question())
        return question.answer(lambda: self._ask_helper(helper, host))


class _Question:
    """The answer of a credential helper, or its error."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_answered = False
        self._login: Login | None = None
        self._refusal: LoginRefusedError | None = None

    def answer(self, ask: Callable[[], Login | None]) -> Login | None:
        with self._lock:
            if not self._is_answered:
                try:
                    self._login = ask()
                except LoginRefusedError as error:
                    self._refusal = error
                self._is_answered = True
        if self._refusal is not None:
            raise self._refusal
        return self._login


def _refuse_helper(helper: str, host: str) -> Login | None:
    raise LoginRefusedError(
        "log in",
        on=host,
        seen=f"its login is stored by the credential helper {helper[:100]!r}, which is not available here",
        advice=ADVICE,
        statuses=(401,),
    )
