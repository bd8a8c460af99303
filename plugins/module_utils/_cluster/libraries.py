# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Python packages behind the door: which are there, and which versions must not be used."""

from __future__ import annotations

import re
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

OLDEST_KUBERNETES = (28, 1, 0)
"""The generation of Kubernetes 1.28, in which SelfSubjectReview became v1; the oldest release this is tested with."""

BROKEN_KUBERNETES = frozenset({(36, 0, 0), (36, 0, 1)})
"""They keep the bearer token under one name and look for it under another, so that every request is sent without
credentials and the server sees system:anonymous (kubernetes-client/python#2592, repaired by #2604 in 36.0.2)."""

_WITHOUT_GETHEADERS_FROM = (37, 0, 0)


class DynamicClientClass(t.NamedTuple):
    """A DynamicClient class and the package it came from."""

    cls: type
    package: str
    version: str


def require_kubernetes() -> str:
    """Import the ``kubernetes`` package and return its version; raise MissingRequirementError if it cannot be used."""
    try:
        import kubernetes
        import urllib3
    except ImportError as error:
        raise MissingRequirementError(
            "connect to the Kubernetes API",
            on="this machine",
            seen=f"the Python package {error.name or 'kubernetes'} cannot be imported",
            advice=f"Install the package kubernetes, version {_words(OLDEST_KUBERNETES)} or newer, for the Python "
            "interpreter that runs the module.",
        ) from error
    version = str(kubernetes.__version__)
    objection = objection_to(version, old_response_methods=hasattr(urllib3.HTTPResponse, "getheaders"))
    if objection:
        raise MissingRequirementError(
            "connect to the Kubernetes API",
            on="this machine",
            seen=f"the Python package kubernetes {version} {objection}",
            advice="Install another version of it, 36.0.2 or newer if possible.",
        )
    return version


def objection_to(version: str, *, old_response_methods: bool = True) -> str:
    """Return why ``version`` of the kubernetes package must not be used, or an empty string.

    ``old_response_methods`` is whether the installed urllib3 still has ``HTTPResponse.getheaders``, which urllib3
    2.6.0 lacked and releases of the client before 37 call for every error (kubernetes-client/python#2477).
    """
    numbers = _numbers(version)
    if numbers < OLDEST_KUBERNETES:
        return f"is older than {_words(OLDEST_KUBERNETES)}"
    if numbers in BROKEN_KUBERNETES and re.fullmatch(r"[\d.]+", version):
        return "sends every request without credentials"
    if numbers < _WITHOUT_GETHEADERS_FROM and not old_response_methods:
        return "does not work with the installed version of urllib3"
    return ""


def dynamic_client_class() -> DynamicClientClass:
    """Return the DynamicClient of the ``openshift`` package where it is installed, else that of ``kubernetes``."""
    kubernetes_version = require_kubernetes()
    try:
        import openshift
        from openshift.dynamic import DynamicClient
    except ImportError:
        from kubernetes.dynamic import DynamicClient

        return DynamicClientClass(DynamicClient, "kubernetes", kubernetes_version)
    return DynamicClientClass(DynamicClient, "openshift", f"{openshift.__version__}+{kubernetes_version}")


def _numbers(version: str) -> tuple[int, int, int]:
    found = [int(number) for number in re.findall(r"\d+", version)[:3]]
    major, minor, patch = [*found, 0, 0, 0][:3]
    return major, minor, patch


def _words(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
