# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""YAML from outside, one document at a time, by the library that ansible-core brings along.

One rule for whatever is read, files of users and files of images alike: documents are what JSON could say as well.
There are no anchors, aliases or merge keys, no tags but those of YAML's own core, no key twice in one mapping, and
bounds on size, on the number of values and on nesting.
"""

from __future__ import annotations

import io
import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

LARGEST_DOCUMENT = 8 * MIB
MOST_VALUES = 300_000
DEEPEST = 100

_CORE = "tag:yaml.org,2002:"
_TAGS = (None, "!", f"{_CORE}str", f"{_CORE}map", f"{_CORE}seq")
# A number or an instant with more characters than this stays text.
_LONGEST_NUMBER = 40


def yaml_documents(content: bytes, *, on: str) -> list[t.Any]:
    """Return the documents in ``content``, JSON being YAML too; raise PayloadError for anything else."""
    return list(yaml_stream(io.BytesIO(content), on=on))


def yaml_stream(stream: Readable, *, on: str) -> Iterator[t.Any]:
    """Yield the documents in ``stream`` as they are read: mappings, lists, text, numbers, true, false and null.

    Instants stay text. Raises PayloadError for what breaks the rule above.
    """
    yaml = _library()
    bounded = _BoundedStream(stream)
    try:
        events = yaml.parse(bounded, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for event in events:
            if isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent)):
                continue
            if isinstance(event, (yaml.DocumentStartEvent, yaml.DocumentEndEvent)):
                bounded.count = 0
                continue
            yield _Composer(yaml, events).value(event, 0)
    except (yaml.YAMLError, _RuleError, RecursionError, ValueError) as error:
        raise PayloadError(
            "read a YAML document",
            on=on[:200],
            seen=str(error)[:300],
            advice="Correct the document. If it is part of an image, report it to the publisher of the image.",
        ) from error


def _library() -> t.Any:
    try:
        import yaml
    except ImportError as error:
        raise MissingRequirementError(
            "read a YAML document",
            on="this Python",
            seen=str(error),
            advice="Install the Python package PyYAML for the interpreter that runs the modules.",
        ) from error
    return yaml


class _RuleError(Exception):
    pass


class _BoundedStream:
    """Ends the reading of a document that is too large, before the library has all of it in memory."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self.count = 0

    def read(self, size: int) -> bytes:
        chunk = self._stream.read(size)
        self.count += len(chunk)
        if self.count > LARGEST_DOCUMENT:
            raise _RuleError(f"a document is larger than {LARGEST_DOCUMENT} bytes")
        return chunk


class _Composer:
    """Makes one document out of the library's events; its own composer knows no bounds."""

    def __init__(self, yaml: t.Any, events: Iterator[t.Any]) -> None:
        self._yaml = yaml
        self._events = events
        self._resolver = yaml.SafeLoader("")
        self._values = 0

    def value(self, event: t.Any, depth: int) -> t.Any:
        """Return the value that begins with ``event``."""
        self._check(event, depth)
        if isinstance(event, self._yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, self._yaml.SequenceStartEvent):
            return [self.value(inner, depth + 1) for inner in self._until(self._yaml.SequenceEndEvent)]
        found: dict[t.Any, t.Any] = {}
        for inner in self._until(self._yaml.MappingEndEvent):
            key = self._key(inner, depth + 1)
            if key in found:
                raise _RuleError(f"the key {str(key)[:100]!r} occurs twice in one mapping{_at(inner)}")
            found[key] = self.value(next(self._events), depth + 1)
        return found

    def _until(self, end: type) -> Iterator[t.Any]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _check(self, event: t.Any, depth: int) -> None:
        self._values += 1
        if isinstance(event, self._yaml.AliasEvent) or event.anchor is not None:
            raise _RuleError(f"it uses an anchor or an alias, which are not supported{_at(event)}")
        if event.tag not in _TAGS:
            raise _RuleError(f"it uses the tag {event.tag[:100]!r}, which is not supported{_at(event)}")
        if depth > DEEPEST:
            raise _RuleError(f"it is nested deeper than {DEEPEST} levels{_at(event)}")
        if self._values > MOST_VALUES:
            raise _RuleError(f"a document has more than {MOST_VALUES} values")

    def _key(self, event: t.Any, depth: int) -> t.Any:
        if not isinstance(event, (self._yaml.ScalarEvent, self._yaml.AliasEvent)):
            raise _RuleError(f"the key of a mapping is not a scalar{_at(event)}")
        self._check(event, depth)
        if event.implicit[0] and event.value == "<<":
            raise _RuleError(f"it uses a merge key, which is not supported{_at(event)}")
        return self._scalar(event)

    def _scalar(self, event: t.Any) -> t.Any:
        value, is_plain = event.value, event.implicit[0] and event.tag is None
        if not is_plain or len(value) > _LONGEST_NUMBER:
            return value
        kind = self._resolver.resolve(self._yaml.ScalarNode, value, (True, False))[len(_CORE) :]
        if kind == "null":
            return None
        if kind not in ("bool", "int", "float"):
            return value
        return getattr(self._resolver, f"construct_yaml_{kind}")(self._yaml.ScalarNode(kind, value))


def _at(event: t.Any) -> str:
    mark = event.start_mark
    return f" (line {mark.line + 1})" if mark is not None else ""
