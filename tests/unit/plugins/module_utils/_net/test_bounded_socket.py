# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What wakes a receiver: every packet, or only many bytes of a body of which much is to come."""

from __future__ import annotations

import contextlib
import select
import socket
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.bounded_socket import BoundedSocket
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

MUCH, LITTLE = 1024 * 1024, 1024


class Ends(t.NamedTuple):
    """Both ends of a connection, and one of them bounded."""

    sender: socket.socket
    receiver: socket.socket
    bounded: BoundedSocket


@pytest.fixture
def ends() -> Iterator[Ends]:
    with socket.create_server(("127.0.0.1", 0)) as listener, contextlib.ExitStack() as closing:
        sender = closing.enter_context(socket.create_connection(listener.getsockname()))
        receiver = closing.enter_context(listener.accept()[0])
        yield Ends(sender, receiver, BoundedSocket(receiver, 30.0, Deadline(60.0, SystemClock())))


def wakes(receiver: socket.socket, milliseconds: int) -> bool:
    poll = select.poll()
    poll.register(receiver, select.POLLIN)
    return bool(poll.poll(milliseconds))


def test_little_of_much_does_not_wake(ends: Ends) -> None:
    ends.bounded.expect(MUCH)
    ends.sender.sendall(bytes(LITTLE))
    assert not wakes(ends.receiver, 200)
    ends.sender.sendall(bytes(64 * 1024))
    assert wakes(ends.receiver, 10_000)


@pytest.mark.parametrize("left", [0, LITTLE, 127 * 1024])
def test_towards_the_end_every_byte_wakes(ends: Ends, left: int) -> None:
    ends.bounded.expect(MUCH)
    ends.bounded.expect(left)
    ends.sender.sendall(b"x")
    assert wakes(ends.receiver, 10_000)


def test_little_is_taken_when_no_more_comes(ends: Ends) -> None:
    ends.bounded.expect(MUCH)
    ends.sender.sendall(bytes(LITTLE))
    assert ends.bounded.receive_into(memoryview(bytearray(MUCH))) == LITTLE


def test_the_end_of_the_connection_wakes(ends: Ends) -> None:
    ends.bounded.expect(MUCH)
    ends.sender.close()
    assert ends.bounded.receive_into(memoryview(bytearray(MUCH))) == 0
