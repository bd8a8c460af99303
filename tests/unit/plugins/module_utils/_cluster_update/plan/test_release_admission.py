# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The admission policy for releases is the same from the module and from the shipped manifest."""

from __future__ import annotations

from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_admission import (
    admission_binding,
    admission_policy,
)

MANIFEST = Path(__file__).parents[6] / "extensions/rbac/release-admission.yml"


def test_the_shipped_manifest_has_the_same_policy() -> None:
    objects = {one["kind"]: one for one in yaml.safe_load(MANIFEST.read_text())["items"]}
    assert objects["ValidatingAdmissionPolicy"] == admission_policy()
    assert objects["ValidatingAdmissionPolicyBinding"] == admission_binding()
