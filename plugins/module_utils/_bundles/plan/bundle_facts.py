# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a person must know of a bundle, as names and values: identity, signers, size, and the sites it is for."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.digest_words import digest_words
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.trust_sentences import key_name
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

Result = Mapping[str, t.Any]


def bundle_facts(result: Result) -> list[tuple[str, str]]:
    """Return the facts in a result of release_bundle or release_bundle_info, in the order in which they are read.

    A name may be empty: the value then continues the one before it.
    """
    bundle, content = result["bundle"], result["content"]
    node = content["node"]
    about = "about " if node["estimated"] else ""
    return [
        ("Release", ", ".join(f"{one['version']} for {one['architecture']}" for one in bundle["releases"])),
        ("Release image", bundle["release"]),
        ("Index", bundle["index_digest"]),
        *_words(bundle["index_digest"]),
        ("Built", f"{bundle['built']}, serial {bundle['serial']}"),
        ("Index signed by", _index_signers(result)),
        ("Release signed by", _release_signers(result)),
        ("For sites at", _previous(bundle["releases"][0]["previous"])),
        *_path(bundle["update_path"]),
        *([("Requires", f"the bundle {bundle['base']} on the nodes")] if bundle["base"] else []),
        ("Size", f"{format_size(content['size'])}; {format_size(content['shared'])} more without shared blobs"),
        ("On each node", f"{format_size(node['staged'])} staged, {about}{format_size(node['unpacked'])} unpacked"),
        *_state(result),
    ]


def _words(index_digest: str) -> Iterator[tuple[str, str]]:
    try:
        first, second = digest_words(Digest.parse(index_digest))
    except MissingRequirementError as error:
        yield "Words", f"not available. {error.advice}"
        return
    yield "Words, line 1", first
    yield "Words, line 2", second


def _index_signers(result: Result) -> str:
    if result.get("index_signers"):
        return ", ".join(map(key_name, result["index_signers"]))
    return "not verified" if result["bundle"]["signed"] else "not signed"


def _release_signers(result: Result) -> str:
    signers: Sequence[str] = result.get("release_signers") or result.get("signers") or ()
    return ", ".join(map(key_name, signers)) or "not verified"


def _previous(versions: Sequence[str]) -> str:
    """Return the versions that a site may have, by minor release, as the first and the last of each."""
    minors: dict[str, list[str]] = {}
    for version in sorted(versions, key=_order):
        minors.setdefault(".".join(version.split(".")[:2]), []).append(version)
    ranges = [
        f"{found[0]} to {found[-1]} ({len(found)} versions)" if len(found) > 2 else ", ".join(found)
        for found in minors.values()
    ]
    return ", ".join(ranges) or "any version: the release names none"


def _path(edges: Sequence[Mapping[str, t.Any]]) -> Iterator[tuple[str, str]]:
    """Yield the updates that a site passes one after another, and their known risks."""
    if edges:
        yield "Updates", ", ".join(f"{edge['from']} to {edge['to']}" for edge in edges)
    for edge in edges:
        for risk in edge["risks"]:
            yield "Risk", f"{edge['from']} to {edge['to']}: {risk['name']}: {risk['message']}"


def _order(version: str) -> tuple[bool, t.Any]:
    parsed = ReleaseVersion.parse(version)
    return (False, parsed) if parsed is not None else (True, version)


def _state(result: Result) -> Iterator[tuple[str, str]]:
    if "intact" not in result:
        return
    words = {True: "intact, every byte was read", None: "names and sizes are correct, layers were not read"}
    damaged = f"damaged: {len(result['damage'])} of {result['bundle']['blobs']} blobs"
    yield "Content", words.get(result["intact"], damaged)
