# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Builds that last longer than a registry like quay.io leaves things as they are: its tokens, addresses and moods."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, access_to
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.traits import QuayTraits
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CONNECTIONS = 2
PRIVATE = "openshift-release-dev/ocp-v4.0-art-dev"
PATIENCE_SECONDS = 60.0


def stretch(registry: Registry, release: Release, seconds: float) -> None:
    """Let the blobs of the release take at least so long over all connections."""
    registry.front.change(bytes_per_second=int(release.size / CONNECTIONS / seconds))


def wait_until(holds: Callable[[], bool], work: Future[t.Any]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert not work.done(), "the build ended first"
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("says_expiry", [False, True], ids=["as quay.io", "as registry.redhat.io"])
def test_a_build_outlasts_many_tokens(
    builder: Builder, registry: Registry, release: Release, says_expiry: bool
) -> None:
    lifetime = 2
    registry.front.change(token_seconds=lifetime, token_leeway=0, says_expiry=says_expiry)
    stretch(registry, release, 3.5 * lifetime)
    mark = registry.access.mark()
    begun = time.monotonic()
    builder.build(connections=CONNECTIONS)
    assert time.monotonic() - begun > 3 * lifetime, "it was to last longer than three tokens"
    assert registry.access.count(mark, kind="tokens") >= 3
    assert not builder.damages()


def test_a_build_that_is_resumed_asks_for_blobs_first(builder: Builder, registry: Registry) -> None:
    builder.build(image_signatures=False)
    for blob in sorted(builder.index.blobs.values(), key=lambda blob: blob.size)[-3:]:
        builder.folder.blob(blob.digest).unlink()
    mark = registry.access.mark()
    builder.build(image_signatures=False)
    assert "manifests" not in {one.kind for one in registry.access.requests(mark)}
    assert not builder.damages()


def test_a_revocation_in_the_middle_costs_another_login(builder: Builder, registry: Registry, release: Release) -> None:
    stretch(registry, release, 4)
    mark = registry.access.mark()
    with ThreadPoolExecutor(1) as thread:
        work = thread.submit(builder.build, connections=CONNECTIONS)
        wait_until(lambda: blobs_of(registry, mark) > 2, work)
        revoked = registry.access.mark()
        registry.front.revoke_tokens()
        work.result(PATIENCE_SECONDS)
    after = registry.access.requests(revoked)
    assert 401 in {one.status for one in after}, "the old token was refused"
    assert "tokens" in {one.kind for one in after}
    assert not builder.damages()


def test_a_stale_mirror_falls_back_to_the_source_that_wants_a_login(
    builder: Builder, registry: Registry, release: Release
) -> None:
    with Registry(quay=QuayTraits(private=())) as stale:
        stale.publish(release)
        for image in release.components.values():
            faults.lose_layers(stale.storage, image)
        builder.build(registry=access_to(stale, registry))
        missed = {one.name for one in stale.access.requests(kind="blobs") if one.status == 404}
        assert missed
        assert missed == {one.name for one in registry.access.requests(kind="blobs")}
    assert not builder.damages()


@pytest.mark.parametrize("fault", ["untrusted", "expired"])
def test_a_mirror_whose_certificate_is_not_good_gives_way(
    builder: Builder, registry: Registry, release: Release, fault: str
) -> None:
    with Registry(quay=QuayTraits(private=()), expired=fault == "expired") as mirror:
        mirror.publish(release)
        options = access_to(mirror, registry)
        if fault == "untrusted":
            options["ca_file"] = str(registry.ca_file)
        builder.build(registry=options, image_signatures=False)
        assert not mirror.access.requests()
    assert not builder.damages()


@pytest.mark.long  # a minute: the patience that a build has
def test_a_mirror_that_only_drips_gives_way(builder: Builder, registry: Registry, release: Release) -> None:
    large = {str(layer.digest) for one in release.images for layer in one.image.blobs if layer.size > 100 * KIB}
    with Registry(quay=QuayTraits(private=(), bytes_per_second=HttpLimits.slowest_rate // 4)) as mirror:
        mirror.publish(release)
        builder.build(registry=access_to(mirror, registry), image_signatures=False)
        tried = {one.name for one in mirror.access.requests(kind="blobs")}
    fetched = {one.name for one in registry.access.requests(kind="blobs")}
    assert tried & fetched, "the mirror was asked first, and what it is too slow for comes from the source"
    assert large <= fetched, "the others come from the source at once"
    assert not builder.damages()


def test_too_many_requests_are_made_again_later(builder: Builder, registry: Registry) -> None:
    registry.front.change(requests_per_second=25.0, burst=5, retry_after=1)
    mark = registry.access.mark()
    builder.build(connections=CONNECTIONS)
    assert 429 in {one.status for one in registry.access.requests(mark)}
    assert not builder.damages()


def test_a_blob_that_breaks_off_is_continued_at_a_new_address(
    builder: Builder, registry: Registry, release: Release
) -> None:
    layer = max((layer for one in release.images for layer in one.image.blobs), key=lambda blob: blob.size)
    cut = layer.size // 2
    assert cut > 100 * KIB
    # Each address has ended when the transfer from it breaks off.
    registry.front.change(redirect_seconds=2, cut_after=cut, bytes_per_second=cut // 2)
    mark = registry.access.mark()
    builder.build(connections=12)
    parts = registry.access.requests(mark, kind="blobs", name=str(layer.digest))
    assert [one.status for one in parts][:2] == [200, 206]
    assert sum(one.size for one in parts) == layer.size
    assert len({one.path for one in parts}) == len(parts), "no address served twice"
    assert not builder.damages()


def blobs_of(registry: Registry, mark: int) -> int:
    """Return how many blobs of the private repository have been fetched."""
    return sum(one.repository == PRIVATE for one in registry.access.requests(mark, kind="blobs"))


@pytest.mark.parametrize("code", ["MANIFEST_UNKNOWN", "NAME_UNKNOWN"])
def test_signatures_that_are_missing_are_none(builder: Builder, registry: Registry, code: str) -> None:
    registry.front.change(missing_tag=code)
    builder.build()
    assert [one.kind for one in builder.index.signatures] == ["gpg"]
