# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options of every module that talks to the API; the twin of the documentation fragment ``_cluster_options``."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.auth_options import (
    AUTH_OPTIONS,
    option_secrets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec

PATIENCE_OPTION = "api_patience"

CLUSTER_OPTIONS = ArgumentSpec(
    options={**AUTH_OPTIONS, PATIENCE_OPTION: {"type": "int", "default": 30}}, secrets_within=[option_secrets]
)
