# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a command gets from the exec request into the host, without standing in the request. Pure.

The words of an exec request are part of its URL, which API servers keep in their audit logs. So the request always has
the same words, and the command itself is the first line of its standard input.
"""

from __future__ import annotations

import base64
import shlex

HOST_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_READ = 'IFS= read -r line && script=$(printf %s "$line" | base64 -d) || exit 125'
_ENVIRONMENT = f"env -i PATH={HOST_PATH} HOME=/root LANG=C.UTF-8 LC_ALL=C.UTF-8"
# Through the root of process 1 the host's own nsenter is found: the image needs no more than chroot. The variable
# "container", by which bootc thinks that it is in one, stays behind.
_IN_HOST = (
    f"chroot /proc/1/root /usr/bin/{_ENVIRONMENT} "
    '/usr/bin/nsenter --target 1 --mount --uts --ipc --net --pid -- /bin/sh -c "$script"'
)
_IN_POD = 'env -u container /bin/sh -c "$script"'


def exec_words(size: int | None, *, in_host: bool) -> list[str]:
    """Return the words of an exec request whose command gets ``size`` bytes of standard input, None for nothing.

    The protocol cannot signal the end of the stream, so the command's input ends with its size.
    """
    entered = _IN_HOST if in_host else _IN_POD
    if size is None:
        return ["/bin/sh", "-c", f"{_READ}; {entered} </dev/null"]
    # What the command leaves unread is taken off the stream: a stream without a reader ends as an error of the kubelet
    # in place of the command's own status.
    taken = f"{{ {entered}; status=$?; cat >/dev/null; exit $status; }}"
    return ["/bin/sh", "-c", f'{_READ}; head -c "$1" | {taken}', "sh", str(size)]


def command_line(script: str) -> bytes:
    """Return the first line of the input: ``script`` for the host's shell."""
    return base64.b64encode(script.encode("utf-8", "surrogateescape")) + b"\n"


def receive_script(path: str, size: int) -> str:
    """Return the script that makes the file ``path`` from its input, whole or not at all."""
    target, part = shlex.quote(path), shlex.quote(f"{path}.fieldops-part")
    return (
        f'umask 077; cat > {part} && [ "$(wc -c < {part})" -eq {size} ] && mv -f {part} {target} '
        f"|| {{ rm -f {part}; exit 1; }}"
    )


def send_script(path: str) -> str:
    """Return the script that prints the regular file ``path``; exit status 66 says that there is none."""
    target = shlex.quote(path)
    return f"[ -f {target} ] || exit 66; exec cat < {target}"
