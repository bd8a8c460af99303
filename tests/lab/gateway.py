# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A door from the machine's loopback, or from standard input and output, to one address in the lab's network.

``python -I -S gateway.py --namespace /proc/PID/ns/net --target ADDRESS:PORT (--port-file FILE | --stdio)``.
The listening socket is made before the lab's network namespace is entered (setns(2)), the connections after.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import os
import socket
import struct
import sys
from pathlib import Path

CLONE_NEWNET = 0x40000000
CHUNK = 1 << 16


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--namespace", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--port-file")
    parser.add_argument("--stdio", action="store_true")
    options = parser.parse_args()
    host, _colon, port = options.target.rpartition(":")
    listener = None if options.stdio else socket.create_server(("127.0.0.1", 0), backlog=128)
    enter(options.namespace)
    if listener is None:
        asyncio.run(connect_standard_streams(host, int(port)))
        return
    unfinished = Path(f"{options.port_file}.unfinished")
    unfinished.write_text(str(listener.getsockname()[1]))
    unfinished.rename(options.port_file)
    asyncio.run(serve(listener, host, int(port)))


def enter(namespace: str) -> None:
    """Enter a network namespace; sockets that are already open stay where they were made."""
    descriptor = os.open(namespace, os.O_RDONLY | os.O_CLOEXEC)
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), f"setns {namespace}")
    os.close(descriptor)


async def serve(listener: socket.socket, host: str, port: int) -> None:
    """Forward every connection until killed."""

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection(host, port)
        except OSError:
            reset(writer)
            return
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    server = await asyncio.start_server(forward, sock=listener)
    async with server:
        await server.serve_forever()


async def connect_standard_streams(host: str, port: int) -> None:
    """Connect standard input and output with the target."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
    writer = asyncio.StreamWriter(transport, protocol, None, loop)
    far_reader, far_writer = await asyncio.open_connection(host, port)
    forth = asyncio.ensure_future(pump(reader, far_writer))
    await pump(far_reader, writer)
    forth.cancel()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy until the end, then say the end to the other side; a broken side breaks the other."""
    try:
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
        else:
            writer.close()
    except OSError:
        reset(writer)


def reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection so that its other end sees a reset, as with a server that has died."""
    made = writer.get_extra_info("socket")
    if made is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.close()


if __name__ == "__main__":
    main()
