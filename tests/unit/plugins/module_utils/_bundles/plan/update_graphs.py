# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documents as the update service answers for a channel such as eus-4.20."""

from __future__ import annotations

import hashlib
import json
import typing as t

REPOSITORY = "quay.io/openshift-release-dev/ocp-release"
PROMQL = 'group(cluster_operator_conditions{_id="",name="aro"})\nor\n0 * group(cluster_operator_conditions{_id=""})'
Json = dict[str, t.Any]


def image_of(version: str) -> str:
    return f"{REPOSITORY}@sha256:{hashlib.sha256(version.encode()).hexdigest()}"


def node(version: str, **changes: t.Any) -> Json:
    metadata = {
        "io.openshift.upgrades.graph.release.channels": "eus-4.20,stable-4.20",
        "io.openshift.upgrades.graph.release.manifestref": image_of(version).partition("@")[2],
        "url": "https://access.redhat.com/errata/RHSA-2025:0000",
    }
    return {"version": version, "payload": image_of(version), "metadata": metadata, **changes}


def risk(name: str, *, rule: Json | None = None, message: str = "Pods may not start.") -> Json:
    return {
        "url": f"https://issues.redhat.com/browse/{name}",
        "name": name,
        "message": message,
        "matchingRules": [rule or {"type": "PromQL", "promql": {"promql": PROMQL}}],
    }


ALWAYS = {"type": "Always"}


def conditional(edges: list[tuple[str, str]], *risks: Json) -> Json:
    return {"edges": [{"from": start, "to": end} for start, end in edges], "risks": list(risks)}


def document(versions: list[str], updates: list[tuple[str, str]], *conditionals: Json, **changes: t.Any) -> bytes:
    pairs = [[versions.index(start), versions.index(end)] for start, end in updates]
    whole = {
        "version": 1,
        "nodes": [node(version) for version in versions],
        "edges": pairs,
        "conditionalEdges": list(conditionals),
    }
    return json.dumps({**whole, **changes}).encode()
