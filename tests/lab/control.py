# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a process that keeps a lab is asked to do something with it: a socket in the lab's own, private directory.

One connection carries one request and one answer, each a line of JSON. Requests are done one after another, and who is
allowed to ask is who may enter the directory.
"""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import threading
import typing as t
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

SPEAK_SECONDS = 5.0  # for a request to arrive whole
LONGEST = 65536  # bytes of a request
FIELDS = ("attempted", "on", "seen", "advice")
Answers = t.Callable[..., t.Any]


@contextlib.contextmanager
def control_of(path: Path, verbs: Mapping[str, Callable[..., t.Any]]) -> Iterator[None]:
    """Answer requests at ``path`` until the end of the context, which waits for the one that is being done.

    A request names one of ``verbs`` and its arguments, all of them texts. What the verb returns is sent back as JSON,
    as is the LabError, or any other error, that it raises.
    """

    class Request(socketserver.StreamRequestHandler):
        timeout = SPEAK_SECONDS

        def handle(self) -> None:
            with contextlib.suppress(OSError):  # of one who has gone, or never spoke
                answer = _answer(self.rfile.readline(LONGEST), verbs)
                self.wfile.write(json.dumps(answer).encode() + b"\n")

    with socketserver.UnixStreamServer(str(path), Request) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1})
        serving.start()
        try:
            yield
        finally:
            server.shutdown()
            serving.join()


def ask(path: Path, verb: str, **arguments: str) -> t.Any:
    """Have the keeper do something and return what it says; raise LabError for what it could not do."""
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(str(path))
            asking.sendall(json.dumps({"verb": verb, "arguments": arguments}).encode() + b"\n")
            with asking.makefile("rb") as answers:
                line = answers.readline()
        except OSError as error:
            raise _silence(path, verb, str(error)) from error
    if not line:
        raise _silence(path, verb, "it ended")
    answer = json.loads(line)
    if "error" in answer:
        raise LabError(**answer["error"])
    return answer["said"]


def _answer(line: bytes, verbs: Mapping[str, Callable[..., t.Any]]) -> dict[str, t.Any]:
    try:
        request = json.loads(line)
        verb, arguments = request["verb"], {str(name): str(value) for name, value in request["arguments"].items()}
        work = verbs[verb]
    except (ValueError, KeyError, TypeError, AttributeError):
        return _error("understand a request", "the lab", f"none of {', '.join(verbs)} with its arguments", "")
    try:
        return {"said": work(**arguments)}
    except LabError as error:
        return {"error": {name: getattr(error, name) for name in FIELDS}}
    except Exception as error:
        return _error(verb, ", ".join(arguments.values()), f"{type(error).__name__}: {error}", "See the lab's logs.")


def _error(attempted: str, on: str, seen: str, advice: str) -> dict[str, t.Any]:
    return {"error": dict(zip(FIELDS, (attempted, on, seen, advice), strict=True))}


def _silence(path: Path, verb: str, seen: str) -> LabError:
    return LabError(verb, on=str(path.parent), seen=seen, advice="Is the lab still up? See 'status'.")
