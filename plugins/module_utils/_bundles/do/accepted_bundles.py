# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Accepting a bundle on a cluster: what is older than the cluster is refused, and what is accepted is remembered."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    AcceptedBundlesError,
    OlderBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.accepted_document import (
    NAME,
    accepted_bundles,
    accepted_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.freshness import (
    AcceptedBundle,
    RunningRelease,
    last_accepted,
    reasons_against,
    with_bundle,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_config_map import change_config_map
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_VERSION, CONFIG_MAP
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

_CLUSTER = "version"


def read_accepted(client: ClusterClient) -> dict[str, t.Any]:
    """Return the accepted bundles, oldest first, and what the cluster runs. Raises AcceptedBundlesError, ApiError."""
    known = accepted_bundles(client.get(CONFIG_MAP, NAME, NAMESPACE))
    return {"bundles": [one.as_data() for one in known], "running": vars(_running(client))}


def accept_bundle(client: ClusterClient, options: Mapping[str, t.Any]) -> Result:
    """Record the bundle in ``options`` as accepted.

    Raise OlderBundleError, having written nothing, for one that is older than what the cluster runs or has accepted,
    unless ``allow_older`` is set.
    """
    bundle = _asked(options)
    running = _running(client)

    def decide(found: Mapping[str, t.Any] | None) -> tuple[Mapping[str, t.Any] | None, Result]:
        known = accepted_bundles(found)
        reasons = reasons_against(bundle, known, running)
        if reasons and not options["allow_older"]:
            raise _refusal(bundle, reasons)
        last = last_accepted(known, bundle.architecture)
        if last is not None and last.is_same_as(bundle) and (last.older or not reasons):
            return None, _result(last, last, reasons)
        accepted = replace(
            bundle, accepted=timestamp(client.clock.utcnow()), by=who_am_i(client).username, older=bool(reasons)
        )
        return accepted_config_map(with_bundle(known, accepted)), _result(last, accepted, reasons, changed=True)

    return change_config_map(client, NAME, decide, attempted="record the accepted bundle", error=AcceptedBundlesError)


def _result(
    before: AcceptedBundle | None, after: AcceptedBundle, reasons: Sequence[str], *, changed: bool = False
) -> Result:
    """Return the result with the last accepted bundle before and after, and why it is older although permitted."""
    now = after.as_data()
    return Result(
        changed,
        {"bundle": now, "reasons": list(reasons)},
        diff={"before": before.as_data() if before else {}, "after": now},
        warnings=[f"The bundle is older than the cluster and was permitted: {one}." for one in reasons],
    )


def _running(client: ClusterClient) -> RunningRelease:
    """Return what the cluster runs; nothing is known of one that has no releases, such as a plain Kubernetes."""
    if not client.serves(CLUSTER_VERSION):
        return RunningRelease()
    return RunningRelease.of(client.get(CLUSTER_VERSION, _CLUSTER))


def _asked(options: Mapping[str, t.Any]) -> AcceptedBundle:
    digest = str(Digest.parse(options["index_digest"]))
    return AcceptedBundle(digest, options["version"], options["architecture"], options["serial"], options["built"])


def _refusal(bundle: AcceptedBundle, reasons: Sequence[str]) -> OlderBundleError:
    return OlderBundleError(
        "accept the bundle",
        on=bundle.index_digest,
        seen="; ".join(reasons),
        advice="Check that this is the intended bundle. To use an older bundle on the cluster, set allow_older "
        "(site_allow_older_bundle in a play).",
        partial={"reasons": list(reasons)},
    )
