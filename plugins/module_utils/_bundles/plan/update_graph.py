# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The update graph: which releases can be updated to which others, and which risks are known of an update.

Sources: openshift/cincinnati ``docs/design/cincinnati.md``; openshift/enhancements
``enhancements/update/targeted-update-edge-blocking.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import MULTI, Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import RiskRule, UpdateRisk

UPDATE_SERVICE = "https://api.openshift.com/api/upgrades_info/v1/graph"
"""Source: openshift/cluster-version-operator ``pkg/cvo/cvo.go``, default of ``spec.upstream``."""
MOST_VALUES = 1_000_000
FORMAT_VERSION = 1


@dataclass(frozen=True)
class UpdateGraph:
    """``payloads`` are release images by version; ``edges`` the risks of each update, by where it leads from and to.

    An update without a known risk has no risks there.
    """

    payloads: Mapping[str, ImageReference]
    edges: Mapping[str, Mapping[str, tuple[UpdateRisk, ...]]]


def graph_address(channel: str, architectures: Sequence[str]) -> str:
    """Return the URL of a channel's graph at the update service of Red Hat, for nodes of ``architectures``."""
    name = MULTI if len(architectures) > 1 else Architecture.parse(architectures[0]).oci
    return f"{UPDATE_SERVICE}?{urlencode({'channel': channel, 'arch': name})}"


def default_channel(version: str) -> str:
    """Return the channel of a version that also has the releases before it; raise InvalidInputError for no version.

    Even minor versions have an extended update support, and their channel has the two minor versions before them.
    """
    parsed = ReleaseVersion.parse(version)
    if parsed is None:
        raise InvalidInputError(
            "choose the update channel",
            on="version",
            seen=f"{version[:60]!r} is not a version",
            advice="Set version to a version such as 4.20.3.",
        )
    return f"{'stable' if parsed.minor % 2 else 'eus'}-{parsed.minor_name}"


def parse_graph(content: bytes, *, on: str) -> UpdateGraph:
    """Return the graph in a Cincinnati document; raise PayloadError where it is wrong.

    An update that is listed as conditional and as unconditional counts as conditional.
    """
    document = PayloadDocument.parse(content, on=on, most_values=MOST_VALUES)
    version = document.get("version")
    if version is not None and version.number(1 << 16) != FORMAT_VERSION:
        raise document.broken(f"its format has version {version.value}, and only {FORMAT_VERSION} is supported")
    nodes = document["nodes"].entries()
    versions = [node["version"].text() for node in nodes]
    payloads = {name: _payload(node["payload"]) for name, node in zip(versions, nodes)}
    if len(payloads) != len(nodes):
        raise document.broken("a release is listed twice")
    edges: dict[str, dict[str, tuple[UpdateRisk, ...]]] = {}
    for pair in document["edges"].entries():
        start, end = (_version_at(entry, versions) for entry in _pair(pair))
        edges.setdefault(start, {})[end] = ()
    conditional = document.get("conditionalEdges")
    for group in conditional.entries() if conditional is not None else ():
        risks = tuple(_risk(entry) for entry in group["risks"].entries())
        for edge in group["edges"].entries():
            known = edges.setdefault(edge["from"].text(), {})
            end = edge["to"].text()
            known[end] = tuple(dict.fromkeys((*known.get(end, ()), *risks)))
    return UpdateGraph(payloads, edges)


def _pair(entry: PayloadDocument) -> tuple[PayloadDocument, PayloadDocument]:
    ends = entry.entries()
    if len(ends) != 2:
        raise entry.broken(f"an edge has {len(ends)} ends")
    return ends[0], ends[1]


def _version_at(entry: PayloadDocument, versions: list[str]) -> str:
    return versions[entry.number(len(versions) - 1)]


def _payload(entry: PayloadDocument) -> ImageReference:
    try:
        image = ImageReference.parse(entry.text())
    except InvalidInputError as error:
        raise entry.broken(error.seen) from error
    if not image.is_pinned:
        raise entry.broken(f"{entry.text()[:200]!r} is not named by digest")
    return image.by_digest()


def _risk(entry: PayloadDocument) -> UpdateRisk:
    rules = tuple(_rule(rule) for rule in entry["matchingRules"].entries())
    return UpdateRisk(entry["name"].text(), entry["message"].text(), entry.text(default="", key="url"), rules)


def _rule(entry: PayloadDocument) -> RiskRule:
    kind = entry["type"].text()
    return RiskRule(kind, entry["promql"]["promql"].text() if kind == "PromQL" else "")
