# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files that are made of others; as a program it prints them by their path, in JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import JOBS, job_manifest
from ansible_collections.fieldops.openshift.tests.structure.metrics_page import metrics_page
from ansible_collections.fieldops.openshift.tests.structure.permissions_page import permissions_page
from ansible_collections.fieldops.openshift.tests.structure.site_page import rendered_page
from ansible_collections.fieldops.openshift.tests.structure.surveys import surveys_file

PAGES: dict[str, Callable[[], str]] = {
    "docs/metrics.md": metrics_page,
    "docs/permissions.md": permissions_page,
    "docs/site-variables.md": lambda: rendered_page(site_contract()),
    "extensions/awx/objects/surveys.yml": lambda: surveys_file(site_contract()),
    **{f"extensions/rbac/jobs/{job}.yml": partial(job_manifest, job) for job in JOBS},
}

if __name__ == "__main__":
    json.dump({name: make() for name, make in PAGES.items()}, sys.stdout)
