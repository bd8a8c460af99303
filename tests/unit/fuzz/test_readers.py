# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever is read from outside is accepted or refused: a reader raises the errors of the collection and no others.

``python -m tests.gates fuzz`` looks for more of what is in ``tests/fuzz/found``.
"""

from __future__ import annotations

import random

import pytest

from ansible_collections.fieldops.openshift.tests.fuzz.found import found_content
from ansible_collections.fieldops.openshift.tests.fuzz.mutations import mutated
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader
from ansible_collections.fieldops.openshift.tests.fuzz.readers import READERS

SAMPLE = 200
every_reader = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)


@every_reader
def test_examples_are_accepted(reader: Reader) -> None:
    assert [content for content in reader.seeds if not reader.accepts(content)] == []


@every_reader
def test_what_is_nearly_right_is_accepted_or_refused(reader: Reader) -> None:
    draw = random.Random(reader.name)  # noqa: S311 - nothing secret
    for _example in range(SAMPLE):
        reader.accepts(mutated(draw.choice(reader.seeds), reader.seeds, draw))


@pytest.mark.parametrize(("name", "content"), found_content())
def test_what_was_an_error_once_is_accepted_or_refused(name: str, content: bytes) -> None:
    READERS[name].accepts(content)
