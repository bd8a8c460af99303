# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The load balancer before the API servers of control-plane hosts, in the lab's network.

``python -I -S balancer.py --listen ADDRESS:PORT --target ADDRESS:PORT ...``. A connection goes to the next target that
accepts one; a connection whose target has lost power is broken after a few seconds, as a health check would do it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import socket
import struct
import time

CHUNK = 1 << 16
CONNECT_SECONDS = 1.0
AVOID_SECONDS = 2.0  # how long a target that failed is asked last
KEEPALIVE = {socket.TCP_KEEPIDLE: 2, socket.TCP_KEEPINTVL: 1, socket.TCP_KEEPCNT: 2, socket.TCP_USER_TIMEOUT: 4000}


class Balancer:
    """Chooses a target for each connection, in turn."""

    def __init__(self, targets: list[tuple[str, int]]) -> None:
        self._turn = itertools.cycle(range(len(targets)))
        self._targets = targets
        self._failed: dict[tuple[str, int], float] = {}

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        for target in self._candidates():
            try:
                far = await asyncio.wait_for(asyncio.open_connection(*target), CONNECT_SECONDS)
            except (OSError, asyncio.TimeoutError):
                self._failed[target] = time.monotonic()
                continue
            keep_alive(far[1])
            await asyncio.gather(pump(reader, far[1]), pump(far[0], writer))
            return
        reset(writer)

    def _candidates(self) -> list[tuple[str, int]]:
        first = next(self._turn)
        ordered = self._targets[first:] + self._targets[:first]
        limit = time.monotonic() - AVOID_SECONDS
        return sorted(ordered, key=lambda target: self._failed.get(target, 0.0) > limit)


async def serve(listen: tuple[str, int], targets: list[tuple[str, int]]) -> None:
    """Serve until killed."""
    server = await asyncio.start_server(Balancer(targets).forward, *listen, backlog=128)
    async with server:
        await server.serve_forever()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy until the end, then say the end to the other side; a broken side breaks the other."""
    try:
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
    except OSError:
        reset(writer)


def keep_alive(writer: asyncio.StreamWriter) -> None:
    """Let the kernel notice that a target has gone."""
    made = writer.get_extra_info("socket")
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE.items():
        made.setsockopt(socket.IPPROTO_TCP, option, value)


def reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection so that its other end sees a reset."""
    made = writer.get_extra_info("socket")
    if made is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.close()


def address(text: str) -> tuple[str, int]:
    """Read ``ADDRESS:PORT``."""
    host, _colon, port = text.rpartition(":")
    return host, int(port)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen", type=address, required=True)
    parser.add_argument("--target", type=address, action="append", required=True)
    options = parser.parse_args()
    asyncio.run(serve(options.listen, options.target))


if __name__ == "__main__":
    main()
