# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The managed machine: this one, or the one whose root is mounted in a privileged helper pod."""

from __future__ import annotations

import os
import pwd
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError, CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.commands import OUTPUT_LIMIT, run_command
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

RUN_MARKER = "FIELDOPS_JOB_RUN"
"""Variable that every process of a job run carries, so that all of them can be found (see processes.py)."""

ENTER_HOST = ("nsenter", "--target", "1", "--mount", "--uts", "--ipc", "--net", "--pid", "--")

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")
_INHERITED = (RUN_MARKER, *_PROXIES, *(name.upper() for name in _PROXIES))
_INHERITED_LOCALLY = (
    *("HOME", "LOGNAME", "USER", "TMPDIR", "XDG_RUNTIME_DIR", "SSL_CERT_DIR", "SSL_CERT_FILE"),
    # Where credential helpers of container tools find what they keep.
    *("DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME", "PASSWORD_STORE_DIR", "AWS_PROFILE", "AWS_CONFIG_FILE"),
    *("AWS_SHARED_CREDENTIALS_FILE", "CLOUDSDK_CONFIG", "GOOGLE_APPLICATION_CREDENTIALS", "AZURE_CONFIG_DIR"),
)


@dataclass(frozen=True)
class Host:
    """The one object through which a room touches a machine.

    With ``root`` other than "/" this process runs in a privileged pod with hostPID that has the host's root mounted at
    ``root``: files are found below it and commands enter the namespaces of the host's process 1.
    """

    clock: Clock
    root: Path = Path("/")

    @property
    def is_mounted(self) -> bool:
        """Whether the host is the root of another system, seen from a helper pod."""
        return self.root != Path("/")

    def __str__(self) -> str:
        return f"the host mounted at {self.root}" if self.is_mounted else "this host"

    def path(self, absolute: str | PurePosixPath) -> Path:
        """Return where the host's file ``absolute`` is found from here.

        Raises InvalidInputError for a relative path, for "..", and for a path that leaves a mounted root through an
        absolute symbolic link, since that would silently become a path of the pod.
        """
        wanted = PurePosixPath(absolute)
        if not wanted.is_absolute() or ".." in wanted.parts or "\0" in str(wanted):
            raise InvalidInputError(
                "find a file",
                on=f"{absolute!s:.200}",
                seen="it is relative or contains '..'",
                advice="Specify an absolute path.",
            )
        found = self.root.joinpath(*wanted.parts[1:])
        if self.is_mounted and not _is_below(found, self.root):
            raise InvalidInputError(
                "find a file",
                on=str(wanted),
                seen=f"a symbolic link in it leads outside of {self.root}",
                advice="Specify the path of the link's target on the host.",
            )
        return found

    def as_seen_by_host(self, path: Path) -> str:
        """Return ``path``, found by ``Host.path``, as the host's own commands name it."""
        return str(PurePosixPath("/") / path.relative_to(self.root))

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the whole environment of a command: a fixed base, proxies, ``extra``; never ``container``.

        bootc takes that variable for a proof of running in a container (see its ``container_utils.rs``).
        """
        names = _INHERITED if self.is_mounted else _INHERITED + _INHERITED_LOCALLY
        base = {"HOME": _home(), **{name: os.environ[name] for name in names if name in os.environ}}
        base["PATH"] = SYSTEM_PATH if self.is_mounted else _with_system_path(os.environ.get("PATH", ""))
        return {
            key: value for key, value in {**base, **(extra or {}), "LC_ALL": "C.UTF-8"}.items() if key != "container"
        }

    def run(
        self,
        argv: Sequence[str],
        *,
        deadline: Deadline,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        ok: Sequence[int] | None = (0,),
        limit: int = OUTPUT_LIMIT,
        secrets: Sequence[str] = (),
        tee: t.Callable[[bytes], object] | None = None,
    ) -> CommandResult:
        """Run ``argv`` on the host and return how it ended.

        An exit status not in ``ok`` is a CommandError (None accepts each). ``secrets`` are the values that ``stdin`` or
        ``env`` hand over: they are kept out of errors and refused in ``argv``. See ``run_command`` for the rest.

        Raises CommandError, MissingRequirementError, DeadlineExceededError, InvalidInputError.
        """
        mask = Mask(secrets)
        if any(mask.text(word) != word for word in argv):
            raise InvalidInputError(
                f"run {argv[0]}",
                on="argv",
                seen="one of its arguments contains a secret, which every process of the host can read",
                advice="Pass secrets in standard input, the environment or a private file.",
            )
        prefix = ENTER_HOST if self.is_mounted else ()
        ended = run_command(
            [*prefix, *argv],
            deadline=deadline,
            environment=self.environment(env),
            stdin=stdin,
            limit=limit,
            tee=tee,
            mask=mask,
        )
        result = _without_prefix(ended, len(prefix))
        if prefix and _program_was_missing(result):
            raise MissingRequirementError(
                f"start {argv[0]}", on=str(self), seen=result.stderr.strip(), advice=f"Install {argv[0]} on the host."
            )
        if ok is not None and result.rc not in ok:
            raise CommandError(result, on=str(self), mask=mask)
        return result


def _home() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        # The arbitrary user of a container platform has no entry and no home.
        return "/"


def _is_below(path: Path, root: Path) -> bool:
    real, base = (Path(os.path.realpath(each)) for each in (path, root))
    return real == base or base in real.parents


def _with_system_path(path: str) -> str:
    # A session that is not a login often lacks the sbin directories.
    known = [part for part in path.split(":") if part]
    return ":".join([*known, *(part for part in SYSTEM_PATH.split(":") if part not in known)])


def _without_prefix(result: CommandResult, words: int) -> CommandResult:
    return replace(result, argv=result.argv[words:])


def _program_was_missing(result: CommandResult) -> bool:
    # EX_EXEC_ENOENT and the text of errexec() in util-linux include/c.h and include/exitcodes.h.
    return result.rc == 127 and result.stderr.startswith("nsenter: failed to execute")
