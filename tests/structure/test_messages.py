# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Messages that pages quote are those that the collection prints: ``text`` blocks, and code in running text.

Diagrams and commands are blocks of another language.
"""

from __future__ import annotations

import re

import pytest

from ansible_collections.fieldops.openshift.tests.structure.messages import Texts, printed_texts
from ansible_collections.fieldops.openshift.tests.structure.test_page_commands import BLOCK, PAGES, blocks

FRAME = re.compile(r"TASK \[.*?\] \*+|ok: \[\w+\] =>|fatal: \[\w+\]: FAILED! =>|\[ERROR\]: Task failed: Module failed:")
"""What Ansible prints around a message."""
SPAN = re.compile(r"`([^`]+)`")
COMMAND = re.compile(r"(?:RUN|ansible|bootc|curl|git|gpgv|kubectl|make|oc|podman|python|rpm-ostree|skopeo)\b")
SENTENCE = re.compile(r"[A-Za-z][a-z]+ [a-z]+ [a-z]+(?![\w/-])")
"""Three words in a row: what is shorter is a name, an option or a value as often as a message."""
OF_OTHERS = ("Kubelet stopped posting node status",)
"""What other programs say, and messages of the collection quote."""


def quoted() -> list[tuple[str, str]]:
    """Return what pages quote, with the page."""
    found = blocks("text")
    for page in PAGES:
        spans = SPAN.findall(BLOCK.sub("", page.read_text()))
        found += [(page.name, one) for one in spans if SENTENCE.search(one) and not COMMAND.match(one)]
    return found


@pytest.mark.parametrize(("page", "message"), quoted())
def test_a_quoted_message_is_made_of_texts_in_the_code(page: str, message: str) -> None:
    text = FRAME.sub("", message)
    for one in OF_OTHERS:
        text = text.replace(one, "...")
    assert printed_texts().unknown_in(text) == [], page


@pytest.mark.parametrize("text", OF_OTHERS)
def test_what_others_say_is_quoted(text: str) -> None:
    assert any(text in message for _page, message in quoted())


@pytest.mark.parametrize(
    ("message", "unknown"),
    [
        ("worker-1 is not ready: no drain would pass", []),
        ("worker-1 is not well", ["is not well"]),
        ("the node worker-1 failed while rebooting", []),
        ("the node worker-1 failed while sleeping", ["failed while sleeping"]),
        ("is not\nready", []),
        ("Ready", []),
    ],
    ids=["as it is printed", "another word", "filled in", "another text filled in", "a wrapped line", "one word"],
)
def test_what_is_unknown_of_a_message(message: str, unknown: list[str]) -> None:
    texts = Texts.of(["{} is not ready: no drain would pass", "the node {} failed while {}", "rebooting"])
    assert texts.unknown_in(message) == unknown
