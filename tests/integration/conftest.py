# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What tests of several folders use; and RETURN is held.

Every result of a module that a test's play comes to is compared with the module's RETURN when the test has ended.
"""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.documented_results import (
    Comparison,
    compare_diffs,
    documented_names,
    new_records,
    subjects_of,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import NEW
from ansible_collections.fieldops.openshift.tests.lab.browser import Browser, browser_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

SEEN: set[str] = set()


@pytest.fixture(scope="session", autouse=True)
def recorded_results() -> Iterator[Path]:
    """The folder in which plays record results; in the end $FIELDOPS_SEEN gets what was seen, for the gates."""
    with tempfile.TemporaryDirectory(prefix="results-") as folder:
        os.environ["FIELDOPS_RESULTS"] = folder
        yield Path(folder)
        del os.environ["FIELDOPS_RESULTS"]
    if "FIELDOPS_SEEN" in os.environ:
        kept = {"seen": sorted(SEEN), "documented": sorted(documented_names())}
        (Path(os.environ["FIELDOPS_SEEN"]) / f"{uuid.uuid4().hex}.json").write_text(json.dumps(kept))


@pytest.fixture(autouse=True)
def results_are_documented(recorded_results: Path) -> Iterator[None]:
    """Fail a test whose plays returned what RETURN says nothing of, or not what it promises."""
    yield
    records = new_records(recorded_results)
    compared = [
        Comparison(one["module"], one["result"], subjects_of(one["module"], one["arguments"])) for one in records
    ]
    SEEN.update(name for one in compared for name in one.seen)
    problems = {problem for one in compared for problem in one.problems} | {*compare_diffs(records)}
    if problems:
        pytest.fail("\n".join(["Correct the module or its documentation:", *sorted(problems)]))


@pytest.fixture(scope="session")
def root_with_browser() -> Path:
    """The root with Debian's Chromium; tests are skipped where it cannot be had."""
    try:
        return browser_root()
    except LabError as error:
        pytest.skip(f"Debian's Chromium cannot be had: {error.line}")


@pytest.fixture
def browser(root_with_browser: Path, tmp_path: Path) -> Browser:
    """A browser that sees the folder of the test."""
    return Browser(root_with_browser, tmp_path)


@pytest.fixture(scope="session")
def factory(tmp_path_factory: pytest.TempPathFactory) -> ReleaseFactory:
    return ReleaseFactory(tmp_path_factory.mktemp("releases"))


@pytest.fixture(scope="session")
def bundle(factory: ReleaseFactory, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """A bundle of the next release."""
    return write_bundle(tmp_path_factory.mktemp("bundle") / "media", factory.release(ReleaseSpec(version=NEW)))


@pytest.fixture(scope="session")
def keyring() -> Iterator[Keyring]:
    with Keyring() as keyring:
        yield keyring


@pytest.fixture(scope="session")
def key(keyring: Keyring) -> SigningKey:
    return keyring.create("release")
