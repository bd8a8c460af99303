# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""YAML from outside, by the library that ansible-core brings along."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError


def yaml_documents(content: bytes, *, on: str) -> list[t.Any]:
    """Return the documents in ``content``, JSON being YAML too; raise PayloadError for anything else."""
    try:
        import yaml
    except ImportError as error:
        raise MissingRequirementError(
            "read a YAML document",
            on="this Python",
            seen=str(error),
            advice="Install the Python package PyYAML for the interpreter that runs the modules.",
        ) from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return list(yaml.load_all(content, Loader=loader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise PayloadError(
            "read a YAML document",
            on=on,
            seen=str(error)[:500],
            advice="Correct the document; if it is part of an image, report it to whoever publishes that.",
        ) from error
