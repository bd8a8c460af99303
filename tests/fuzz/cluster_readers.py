# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What others may have written to the cluster where no schema of the API guards it: records, policies, templates."""

from __future__ import annotations

import base64
import json
import types
import typing as t
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.aleph import aleph_data
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import assess
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import read_entry
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import converted
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import read_stub
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import resource_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import read_note
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import read_records
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import read_streams
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.accepted_document import (
    accepted_bundles,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    ASSIGNMENTS,
    POLICIES,
    read_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import validate
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pause_record import (
    ANNOTATION as PAUSE_ANNOTATION,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pause_record import PauseRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    recorded_releases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.signature_document import (
    checked_signature,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.do.read_kubeconfig import read_kubeconfig
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.awx_jobs import last_updates
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_history import history_of
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import recorded_runs
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.certificate_request import (
    DamagedRequestError,
    read_certificate_request,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import (
    HEAD_KEY,
    journal_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.kured import (
    LOCK_ANNOTATION,
    kured_obstacle,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import SCHEMA_VERSION_KEY
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader, as_json, as_text, seed
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan import (
    ignition_stubs,
    image_samples,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.plan import certificate_requests

NOW = datetime(2026, 11, 21, 22, tzinfo=timezone.utc)
HEX = "f" * 64
DIGEST = f"sha256:{HEX}"
RELEASE = ReleaseRequest.of(f"quay.io/a/b@{DIGEST}", "4.21.5")
PLATFORMS = {"aws": "AWS", "azure": "Azure", "gcp": "GCP", "vsphere": "VSphere", "baremetal": "BareMetal"}
RECORD = {SCHEMA_VERSION_KEY: 1, "phase": "drained", "since": "2026-11-21T22:00:00.000000Z", "times": {"a": "b"}}
POLICY = {
    "spec": {
        "strategy": "MaintenanceSchedule",
        "maintenanceSchedule": {
            "permit": {
                "recurrence": {"frequency": "Weekly", "weekly": {"daysOfWeek": ["Saturday"]}},
                "startTime": "20:00",
                "duration": "4h",
            },
            "exclude": [{"from": "2026-12-20", "until": "2027-01-06", "reason": "peak"}],
        },
    }
}
ACCEPTED = {
    "index_digest": DIGEST,
    "version": "4.21.5",
    "architecture": "x86_64",
    "serial": 7,
    "built": "2026-11-20T10:00:00Z",
    "accepted": "2026-11-21T10:00:00Z",
    "by": "u",
    "older": False,
}
RUN = {
    **dict.fromkeys(("by", "sentence", "next_permitted", "rollout", "version", "digest"), ""),
    "ended": "2026-11-21T22:00:00Z",
    "status": "done",
    "bundle_bytes": 7,
    "remaining": ["n"],
    "remaining_count": 1,
}
CONDITION = {"type": "Present", "status": "True", "message": "", "lastTransitionTime": "2026-11-21T22:00:00Z"}
READINESS = {
    "digest": DIGEST,
    "version": "4.21.5",
    "checked": "2026-11-21T22:00:00Z",
    "nodes": [{"name": "n", "conditions": [CONDITION], "staged_bytes": 7, "staged": ""}],
}
REVISIONS = {
    "left": None,
    "list": [{"number": 0, "at": "", "image": "", "wanted": {"os_image_url": "", "build": None}}],
}
PAUSED_FIELD = {"path": ["spec"], "was": 1, "paused": 2}
PAUSE = {SCHEMA_VERSION_KEY: 1, "by": "u", "at": "", "reason": "", "fields": [PAUSED_FIELD]}
SIGNATURE = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {
        "name": f"sha256-{HEX}",
        "namespace": "openshift-config-managed",
        "labels": {"release.openshift.io/verification-signatures": ""},
    },
    "binaryData": {f"sha256-{HEX}-1": "Zm9v"},
}
ENTRY = {
    "id": "20261121T220030.000000Z-0123456789",
    "resource": "machineset/a",
    "kind": "update",
    "at": "2026-11-21T22:00:30Z",
    "by": "u",
    "changes": [{"path": ["ami", "id"], "before": "ami-0", "after": "ami-1"}],
    "before": {"image": "ami-0", "release": ""},
    "after": {"image": "ami-1", "release": ""},
    "applied": True,
}
TEXTS = dict.fromkeys(("began", "by", "template", "machine", "node", "reason", "ended", "machine_set"), "x")
NOTE = {SCHEMA_VERSION_KEY: "1", "replicas": 1, "machines": ["m"], "phase": "growing", **TEXTS}


def _config_map(**data: str) -> dict[str, t.Any]:
    return {"metadata": {"name": "x", "resourceVersion": "1"}, "data": {SCHEMA_VERSION_KEY: "1", **data}}


def _node_record(content: bytes) -> object:
    return NodeRecord.from_text(as_text(content), on="Node n")


def _journal(content: bytes) -> object:
    head, _end, record = as_text(content).partition("\n")
    return journal_of(_config_map(**{HEAD_KEY: head, "node-1": record}), "r")


def _policy(content: bytes) -> object:
    return validate(as_json(content), 1_795_000_000)


def _changes(content: bytes) -> object:
    return [read_entries(name, _config_map(key=as_text(content))) for name in (POLICIES, ASSIGNMENTS)]


def _accepted(content: bytes) -> object:
    return accepted_bundles(_config_map(bundles=as_text(content)))


def _runs(content: bytes) -> object:
    return recorded_runs(_config_map(runs=as_text(content)))


def _readiness(content: bytes) -> object:
    return recorded_releases(_config_map(**{f"sha256-{HEX}": as_text(content)}))


def _revisions(content: bytes) -> object:
    return history_of(_config_map(revisions=as_text(content)), "worker")


def _pause(content: bytes) -> object:
    annotations = {PAUSE_ANNOTATION: as_text(content)}
    return PauseRecord.on({"kind": "ClusterAutoscaler", "metadata": {"name": "default", "annotations": annotations}})


def _kured(content: bytes) -> object:
    metadata = {"name": "kured", "namespace": "kured", "annotations": {LOCK_ANNOTATION: as_text(content)}}
    return kured_obstacle([{"metadata": metadata}], NOW)


def _signature(content: bytes) -> object:
    document = as_json(content)
    return checked_signature(document if isinstance(document, dict) else {}, RELEASE)


def _machine_set(content: bytes, platform: str) -> object:
    provider = as_json(content)
    return assess(image_samples.machine_set(provider), image_samples.site(platform))


def _resource(content: bytes) -> object:
    found = as_json(content)
    return resource_of({**(found if isinstance(found, dict) else {}), "kind": "MachineSet"})


def _streams(content: bytes) -> object:
    return read_streams({"data": {"stream": as_text(content)}})


def _stub(content: bytes) -> object:
    found = read_stub("s", {"metadata": {}, "data": {"userData": base64.b64encode(content).decode()}})
    return converted(found.document, "s") if found.needs_conversion else found


def _entry(content: bytes) -> object:
    return read_entry(as_text(content))


def _note(content: bytes) -> object:
    return read_note(as_text(content))


def _records(content: bytes) -> object:
    return read_records(_config_map(a=as_text(content)))


def _kubeconfig(content: bytes) -> object:
    secret = {"data": {"kubeconfig": base64.b64encode(content).decode()}}
    client = t.cast("ClusterClient", types.SimpleNamespace(get=lambda *_words: secret))
    return read_kubeconfig(client, {"namespace": "site-a", "name": "x", "key": "kubeconfig"})


def _awx_job(content: bytes) -> object:
    return last_updates([{"id": 1, "status": "successful", "extra_vars": as_text(content)}], "4.21.5")


def _aleph(content: bytes) -> object:
    return aleph_data("n", as_text(content))


def _der(pem: bytes) -> bytes:
    return base64.b64decode(b"".join(pem.splitlines()[1:-1]))


def _certificate(content: bytes) -> object:
    mark = b"CERTIFICATE REQUEST-----\n"
    body = base64.encodebytes(content)
    return read_certificate_request(b"-----BEGIN " + mark + body + b"-----END " + mark)


def _provider(platform: str) -> bytes:
    spec = boot_images.machine_set(platform)["spec"]["template"]["spec"]
    return seed(spec["providerSpec"]["value"])


def _machine_set_reader(platform: str, name: str) -> Reader:
    def read(content: bytes) -> object:
        return _machine_set(content, name)

    return Reader(f"provider_{platform}", read, (_provider(platform),))


READERS = (
    Reader("node_record", _node_record, (seed(RECORD),)),
    Reader("journal", _journal, (seed({"target": "4.21.5"}) + b"\n" + seed(RECORD),)),
    Reader("change_policy", _policy, (seed(POLICY), seed(POLICY["spec"]))),
    Reader("change_store", _changes, (seed({"spec": POLICY["spec"], "changes": []}),)),
    Reader("accepted_bundles", _accepted, (seed([ACCEPTED]),)),
    Reader("run_history", _runs, (seed([RUN]),)),
    Reader("release_readiness", _readiness, (seed(READINESS),)),
    Reader("os_image_history", _revisions, (seed(REVISIONS),)),
    Reader("pause_record", _pause, (seed(PAUSE),)),
    Reader("kured_lock", _kured, (seed({"nodeID": "n", "created": "2026-11-21T22:00:00Z", "TTL": 0}),)),
    Reader("signature_config_map", _signature, (seed(SIGNATURE),)),
    Reader("certificate_request", _certificate, (_der(certificate_requests.SERVING),), (DamagedRequestError,)),
    Reader("machine_set", _resource, (seed(boot_images.machine_set("aws")),)),
    Reader("boot_image_streams", _streams, (json.dumps(image_samples.stream_document()).encode(),)),
    Reader("ignition_stub", _stub, (seed(ignition_stubs.installed(ignition_stubs.SOURCE)),)),
    Reader("boot_image_history", _entry, (seed(ENTRY),)),
    Reader("proof_note", _note, (seed(NOTE),)),
    Reader("proof_records", _records, (seed(NOTE),)),
    Reader("cluster_kubeconfig", _kubeconfig, (b"clusters: []\nusers: [{name: a, since: 2026-02-03}]\n",)),
    Reader("awx_job", _awx_job, (seed({"fleet_cluster": "site-a", "fleet_release": "4.21.5"}),)),
    Reader("aleph_version", _aleph, (seed({"build": "9.6.20251023-0", "ref": "x", "imgid": "y.qcow2"}),)),
    *(_machine_set_reader(platform, name) for platform, name in PLATFORMS.items()),
)
