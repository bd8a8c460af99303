# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A function that reads bytes from outside, and what it may do with them: return something, or refuse."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class UnreachableError(Exception):
    """Content that the collection never hands to a reader: what comes before it has refused it."""


@dataclass(frozen=True)
class Reader:
    """``read`` takes content from outside. ``seeds`` are examples that it accepts.

    ``refuses`` are the errors that its docstring names, besides those of the collection.
    """

    name: str
    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    refuses: tuple[type[Exception], ...] = ()

    def accepts(self, content: bytes) -> bool:
        """Return whether ``content`` is accepted; any error but a refusal is raised."""
        try:
            self.read(content)
        except (FieldOpsError, UnreachableError):
            return False
        except self.refuses:
            return False
        return True


def as_text(content: bytes) -> str:
    """Return what a program wrote as commands of the collection return it."""
    return content.decode("utf-8", "replace")


def as_json(content: bytes) -> t.Any:
    """Return a JSON document as the client of an API or of a command returns it."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnreachableError from error


def seed(document: object) -> bytes:
    """Return ``document`` as an example in JSON."""
    return json.dumps(document).encode()
