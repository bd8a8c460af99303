# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of ``rpm-ostree status --json``: deployments in boot order, of which the first boots next.

Source: coreos/rpm-ostree, ``rust/src/client.rs`` and ``src/daemon/rpmostreed-deployment-utils.cxx``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import UnknownStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import (
    Backend,
    Entry,
    HostStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import (
    ImageSpec,
    parse_refspec,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

_PACKAGES = ("requested-packages", "requested-local-packages")
_CHANGES = (
    *_PACKAGES,
    "requested-base-removals",
    "requested-base-local-replacements",
    "regenerate-initramfs",
    "initramfs-args",
)


def rpm_ostree_status(document: t.Any) -> HostStatus:
    """Return what the ``document`` says; the rollback deployment is the first later one of the booted stateroot.

    Raises UnknownStatusError, also on a host without a booted deployment.
    """
    deployments = document.get("deployments") if isinstance(document, dict) else None
    if not isinstance(deployments, list) or not all(isinstance(one, dict) for one in deployments):
        raise _unknown("it has no list of deployments")
    booted = next((one for one in deployments if one.get("booted") is True), None)
    if booted is None:
        raise _unknown("none of its deployments is booted")
    staged = next((one for one in deployments if one.get("staged") is True), None)
    if staged is booted:
        raise _unknown("its booted deployment is staged")
    settled = [one for one in deployments if one is not staged]
    others = [one for one in settled if one is not booted]
    rollback = next((one for one in others if one.get("osname") == booted.get("osname")), None)
    driver, transaction = document.get("update-driver"), document.get("transaction")
    return HostStatus(
        backend=Backend.RPM_OSTREE,
        booted=_entry(booted),
        staged=_entry(staged) if staged else None,
        rollback=_entry(rollback) if rollback else None,
        rollback_queued=settled[0] is not booted,
        others=tuple(_entry(one) for one in others if one is not rollback),
        update_driver=str(driver) if driver else None,
        transaction=str(transaction) if transaction else None,
    )


def _entry(found: Mapping[str, t.Any]) -> Entry:
    refspec = found.get("container-image-reference")
    serial = found.get("serial")
    is_image = isinstance(refspec, str) and bool(refspec)
    return Entry(
        image=_spec(str(refspec)) if is_image else None,
        digest=_text(found, "container-image-reference-digest"),
        version=_text(found, "version"),
        timestamp=_moment(found.get("timestamp")),
        incompatible=any(found.get(name) for name in _CHANGES),
        layered=tuple(_packages(found)),
        pinned=found.get("pinned") is True,
        download_only=found.get("finalization-locked") is True if found.get("staged") else None,
        stateroot=_text(found, "osname"),
        checksum=_text(found, "checksum"),
        serial=serial if isinstance(serial, int) else None,
    )


def _spec(refspec: str) -> ImageSpec:
    try:
        return parse_refspec(refspec)
    except InvalidInputError as error:
        raise _unknown(f"container-image-reference is {refspec!r:.200}: {error.seen}") from error


def _packages(found: Mapping[str, t.Any]) -> list[str]:
    lists = [found.get(name) for name in _PACKAGES]
    return [str(one) for some in lists if isinstance(some, list) for one in some]


def _moment(seconds: t.Any) -> str | None:
    if isinstance(seconds, bool) or not isinstance(seconds, int) or seconds <= 0:
        return None
    try:
        return timestamp(datetime.fromtimestamp(seconds, timezone.utc))
    except (OverflowError, ValueError, OSError):
        return None


def _text(document: Mapping[str, t.Any], name: str) -> str | None:
    found = document.get(name)
    return found if isinstance(found, str) else None


def _unknown(seen: str) -> UnknownStatusError:
    return UnknownStatusError(
        "read the status of the OS image",
        on="rpm-ostree status",
        seen=seen,
        advice="Run 'rpm-ostree status --json' on the host and report the document with the version of this "
        "collection. "
        "Nothing was changed.",
    )
