#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: site_report
short_description: Write a report of an update as a self-contained HTML page and as JSON
version_added: 0.1.0
description:
  - Reads from the cluster what was requested and by whom, how the last run ended, when each node was drained, rebooted
    and done, the change windows, what remains and when it can continue, the releases before and after, free space,
    boot images, and findings with remedies.
  - Writes C(site-report-<rollout>.html), a page without scripts that needs no network, and
    C(site-report-<rollout>.json) with the same data. Without a rollout, the names are C(site-report.html) and
    C(site-report.json).
  - With O(run), first records in the cluster how a run ended. The last 20 runs are kept, in at most 256 KiB, and
    listed in each report.
  - A part that cannot be read is listed in RV(report.missing) with the reason.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    details: The report is returned, and no file is written.
  diff_mode:
    details: The difference is the paths of the files and the run.
  idempotent:
    support: none
    details: Each run writes the report of its time.
options:
  path:
    description: The folder on this machine for the report. It is created if it does not exist.
    type: path
    required: true
  rollout:
    description:
      - The ID of the rollout to report. By default, the rollout of the last run, or one that was started after it.
    type: str
    default: ""
  run:
    description: A run that ends now, to record in the cluster.
    type: dict
    suboptions:
      status:
        description: The ending, as returned by P(fieldops.openshift.site_ending#filter).
        type: str
        choices: [done, nothing_to_do, waits_for_window, needs_person]
        required: true
      sentence:
        description: The ending as a message.
        type: str
        required: true
      next_permitted:
        description: When change is permitted again, if that is known.
        type: str
        default: ""
      remaining:
        description: The names of the nodes that remain. The first 50 are kept.
        type: list
        elements: str
        default: []
      rollout:
        description: The ID of the rollout.
        type: str
        default: ""
      version:
        description: The version of the release.
        type: str
        default: ""
      digest:
        description: The digest of the bundle index.
        type: str
        default: ""
      bundle_bytes:
        description: The total size of the blobs of the bundle in bytes, if known.
        type: int
        default: 0
notes:
  - The required RBAC permissions are in C(extensions/rbac/site-report.yml) of this collection. With fewer permissions,
    more parts are missing. Free space is read only if the permissions in C(extensions/rbac/cluster-health-checks.yml)
    include kubelets.
  - Past change windows are computed from the present policies.
seealso:
  - module: fieldops.openshift.rollout_info
  - module: fieldops.openshift.cluster_health_info
  - module: fieldops.openshift.support_archive
"""

EXAMPLES = r"""
- name: Write a report of the last update
  fieldops.openshift.site_report:
    path: /home/technician/reports
  register: site_written

- name: Record how a run ended, and write its report
  fieldops.openshift.site_report:
    path: /home/technician/reports
    run:
      status: waits_for_window
      sentence: Stopped, because the maintenance schedule is closed.
      next_permitted: "2026-11-28T20:00:00Z"
      remaining: [worker-1]
      rollout: update-4.21.5-6a27f17afcd2
      version: 4.21.5
"""

RETURN = r"""
files:
  description: The paths of the files as C(html) and C(json).
  type: dict
  returned: success
  sample:
    html: /home/technician/reports/site-report-update-4.21.5-6a27f17afcd2.html
    json: /home/technician/reports/site-report-update-4.21.5-6a27f17afcd2.json
report:
  description: The report, as in the JSON file. Texts are cut after 600 characters, lists after 1000 entries.
  type: dict
  returned: success
  contains:
    schemaVersion:
      description: The version of this format.
      type: int
      sample: 1
    read:
      description: When the cluster was read.
      type: str
      sample: "2026-11-21T23:14:02Z"
    read_by:
      description: The user that read it.
      type: str
      sample: system:admin
    cluster_id:
      description: The ID of the cluster.
      type: str
      sample: 0d1b2c3a-6d5e-4f60-8a7b-1c2d3e4f5a6b
    asked:
      description: The requested release, its bundle, who accepted it, and the rollout.
      type: dict
      sample: {rollout: update-4.21.5-6a27f17afcd2, version: 4.21.5, accepted_by: system:admin}
    outcome:
      description: >-
        The ending of the last run as C(status), C(sentence), C(next_permitted), C(remaining), C(ended) and C(by). In
        addition to the endings in O(run.status), the status can be V(running), V(none) if no update is recorded, and
        V(unknown) if the records cannot be read. If a run did not record its ending, it is computed from the nodes.
      type: dict
      sample: {status: waits_for_window, next_permitted: "2026-11-28T20:00:00Z", remaining: [worker-1]}
    versions:
      description: The releases C(before), C(now), C(desired) and C(target), and the C(history) of the cluster.
      type: dict
      sample: {before: 4.21.3, now: 4.21.3, desired: 4.21.5, target: 4.21.5}
    nodes:
      description: >-
        The nodes with their C(standing), when and with how many bytes the bundle was C(staged), when the images were
        C(loaded), and the C(segments) of their passage. A segment is V(drain), V(change), V(reboot) or V(failed), with
        its start and end.
      type: list
      elements: dict
      sample:
        - name: worker-0
          standing: done
          staged: "2026-11-21T20:02:41Z"
          staged_bytes: 18253611008
          loaded: "2026-11-21T20:14:00Z"
          segments: [{phase: drain, start: "2026-11-21T22:00:31Z", end: "2026-11-21T22:04:12Z"}]
    estimate:
      description: The estimate, as in RV(fieldops.openshift.rollout_info#module:estimate).
      type: dict
      sample: {node_seconds: 840.0, remaining_seconds: 840.0}
    changes:
      description: The governed resources, whether change is permitted, and their windows since the rollout started.
      type: list
      elements: dict
      sample: [{kind: MachineConfigPool, name: worker, permitted: false, next_permitted: "2026-11-28T20:00:00Z"}]
    space:
      description: The file systems of nodes in bytes, if they can be read.
      type: list
      elements: dict
      sample: [{node: worker-0, filesystem: root, free: 85899345920, size: 128849018880, percent: 66}]
    boot_images:
      description: The boot images of machine resources.
      type: dict
      sample: {sentence: "of 1 machine resources, 1 boot the correct image", resources: []}
    findings:
      description: The findings of the health check, each with its C(remedy).
      type: list
      elements: dict
      sample: [{severity: fault, object: Node worker-1, seen: it is not ready, remedy: Check its kubelet.}]
    runs:
      description: The recorded runs, the last run first.
      type: list
      elements: dict
      sample: [{ended: "2026-11-21T23:13:55Z", status: waits_for_window, by: system:admin}]
    missing:
      description: The parts that could not be read, with the reason.
      type: list
      elements: dict
      sample: []
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: site-runs, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.boot_image_info_task import (
    BOOT_IMAGE_INFO_OPTIONS,
    look,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.accepted_bundles import read_accepted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import GUARD_NEVER_NULL, GUARD_OPTION
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_windows import read_windows
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import (
    HEALTH_OPTIONS,
    read_health,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_space import read_space
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_readiness import (
    read_readiness,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.do.site_report import Readers, site_report
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_passages import (
    read_passages,
    read_rollout_heads,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.ending_status import ENDINGS

HEALTH = {name: option["default"] for name, option in HEALTH_OPTIONS.items()}
# Stub Ignition is in Secrets, and the report needs none of them.
BOOT_IMAGES = {name: option.get("default") for name, option in BOOT_IMAGE_INFO_OPTIONS.items()} | {"user_data": False}
READERS = Readers(
    read_rollout_heads,
    read_passages,
    {
        "accepted": lambda client, _about: read_accepted(client),
        "readiness": lambda client, _about: [one.as_data() for one in read_readiness(client)],
        "changes": lambda client, about: read_windows(client, about.guard, about.started),
        "health": lambda client, _about: read_health(client, HEALTH).objects,
        "boot_images": lambda client, _about: look(client, BOOT_IMAGES),
        "space": lambda client, _about: read_space(client),
    },
)
_RUN: dict[str, dict[str, t.Any]] = {
    "status": {"type": "str", "choices": list(ENDINGS), "required": True},
    "sentence": {"type": "str", "required": True},
    "next_permitted": {"type": "str", "default": ""},
    "remaining": {"type": "list", "elements": "str", "default": []},
    "rollout": {"type": "str", "default": ""},
    "version": {"type": "str", "default": ""},
    "digest": {"type": "str", "default": ""},
    "bundle_bytes": {"type": "int", "default": 0},
}
SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "path": {"type": "path", "required": True},
            "rollout": {"type": "str", "default": ""},
            "run": {"type": "dict", "options": _RUN},
            "guard": GUARD_OPTION,
        },
        never_null=GUARD_NEVER_NULL,
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: site_report(cluster_client(this), this.params, READERS, check_mode=this.check_mode))


if __name__ == "__main__":
    main()
