# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of a bundle: what is in it, for whom, signed by whom, how large, and what a site must be at."""

from __future__ import annotations

import sys
import typing as t
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_facts import bundle_facts
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_page import (
    bundle_html,
    bundle_lines,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_report import bundle_report
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.content_report import content_report
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.digest_words import vetted_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import (
    PathEdge,
    RiskRule,
    UpdateRisk,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    sample_index,
)

INDEX = sample_index()
KEY = "567E347AD0044ADE55BA8A5F199E2F91FD431D51"


def result(*, signed: bool = True, **more: t.Any) -> dict[str, t.Any]:
    index = more.pop("index", INDEX)
    report = bundle_report(index, "/mnt/disk", signed=signed)
    return {"bundle": {**report, **more.pop("bundle", {})}, "content": content_report(index, {}), **more}


def from_versions(*versions: str) -> BundleIndex:
    """Return an index whose release can be reached from these versions."""
    return sample_index(releases=(replace(INDEX.releases[0], previous=versions),))


RISK = UpdateRisk("SlowBoot", "Nodes boot slowly.", "", (RiskRule("Always"),))
PATH = (PathEdge("4.18.3", "4.19.9"), PathEdge("4.19.9", "4.20.1", (RISK,)))


def fact(name: str, of: dict[str, t.Any]) -> str | None:
    return dict(bundle_facts(of)).get(name)


@pytest.mark.parametrize(
    ("name", "of", "value"),
    [
        pytest.param("Release", result(), "4.21.3 for x86_64", id="the release"),
        pytest.param("Index", result(), str(INDEX.digest), id="the digest"),
        pytest.param("Built", result(), "2026-11-23T14:30:00Z, serial 1795444200", id="when"),
        pytest.param("Index signed by", result(), "not verified", id="nobody was asked to verify"),
        pytest.param("Index signed by", result(signed=False), "not signed", id="no signature"),
        pytest.param("Index signed by", result(index_signers=[KEY]), KEY[-16:], id="a trusted key"),
        pytest.param("Release signed by", result(signers=[KEY]), KEY[-16:], id="as a build says it"),
        pytest.param("Release signed by", result(release_signers=[]), "not verified", id="no signer"),
        pytest.param("For sites at", result(), "4.20.12, 4.21.1", id="few versions"),
        pytest.param(
            "For sites at",
            result(index=from_versions("4.20.10", "4.20.9", "4.21.0", "4.20.11")),
            "4.20.9 to 4.20.11 (3 versions), 4.21.0",
            id="many versions",
        ),
        pytest.param(
            "For sites at", result(index=from_versions()), "any version: the release names none", id="none named"
        ),
        pytest.param("Updates", result(), None, id="one update needs no path"),
        pytest.param(
            "Updates", result(index=sample_index(path=PATH)), "4.18.3 to 4.19.9, 4.19.9 to 4.20.1", id="an update path"
        ),
        pytest.param(
            "Risk", result(index=sample_index(path=PATH)), "4.19.9 to 4.20.1: SlowBoot: Nodes boot slowly.", id="a risk"
        ),
        pytest.param("Requires", result(), None, id="no base"),
        pytest.param(
            "Requires",
            result(index=sample_index(base=digest("b"))),
            f"the bundle {digest('b')} on the nodes",
            id="a base",
        ),
        pytest.param("Content", result(), None, id="a build does not read it again"),
        pytest.param("Content", result(intact=True, damage=[]), "intact, every byte was read", id="all was read"),
        pytest.param(
            "Content", result(intact=None, damage=[]), "names and sizes are correct, layers were not read", id="quick"
        ),
        pytest.param("Content", result(intact=False, damage=[{}]), "damaged: 1 of 8 blobs", id="damaged"),
    ],
)
def test_what_a_person_must_know(name: str, of: dict[str, t.Any], value: str | None) -> None:
    assert fact(name, of) == value


def test_the_words_are_those_of_the_digest() -> None:
    pytest.importorskip("mnemonic")
    words = [str(fact(f"Words, line {number}", result())) for number in (1, 2)]
    assert vetted_digest(" ".join(words)) == str(INDEX.digest)
    assert str(INDEX.digest).startswith(vetted_digest(words[0]))


def test_without_the_libraries_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mnemonic", "segno"):
        monkeypatch.setitem(sys.modules, name, None)
    lines = bundle_lines(result())
    assert any("not available. Install the Python package mnemonic" in line for line in lines)
    assert lines[-1].startswith("all, each blob once")
    assert "<svg" not in bundle_html(result())


def test_it_is_one_page() -> None:
    lines = bundle_lines(result(intact=True, damage=[]))
    assert len(lines) < 45


class TestQrCode:
    """The QR code holds the digest, also as it is drawn."""

    def test_the_blocks_of_the_terminal_are_the_modules(self) -> None:
        segno = pytest.importorskip("segno")
        drawn = [line for line in bundle_lines(result()) if line and set(line) <= set(" \u2580\u2584\u2588")]
        light = [[char in pair for char in line] for line in drawn for pair in ("\u2580\u2588", "\u2584\u2588")]
        code = segno.make_qr(str(INDEX.digest), error="l")
        modules = [[not dark for dark in row] for row in code.matrix_iter(border=2)]
        assert light[: len(modules)] == modules

    def test_the_page_has_it_without_other_files(self) -> None:
        pytest.importorskip("segno")
        page = bundle_html(result())
        assert "<svg" in page
        assert "href=" not in page


class Tags(HTMLParser):
    """Notes what is open."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: t.Any) -> None:  # noqa: ARG002
        self.names.append(tag)


def test_what_comes_from_outside_is_escaped() -> None:
    hostile = "<script>alert(1)</script>"
    page = bundle_html(
        result(bundle={"release": hostile, "version": hostile, "built": hostile}, trust_warnings=[hostile])
    )
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.names
    assert tags.names.count("h1") == 1
