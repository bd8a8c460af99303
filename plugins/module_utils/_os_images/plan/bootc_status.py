# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of ``bootc status``, of every version since v1 of its schema.

Sources: bootc ``crates/lib/src/spec.rs``, ``docs/src/host-v1.schema.json``, ``docs/src/bootc-via-api.md``. Only
``apiVersion`` and ``kind`` are promised at the top; every other key is defaulted.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import UnknownStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import (
    Backend,
    Entry,
    HostStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import ImageSpec

KNOWN = ("org.containers.bootc/v1", "org.containers.bootc/v1alpha1")

_Json = t.Mapping[str, t.Any]


def read_document(output: str) -> dict[str, t.Any]:
    """Return the status document in the ``output`` of ``bootc status``.

    Text before the first brace is passed over: before v1.12.1 a line about waiting for the lock went to the same
    stream. Raises UnknownStatusError for YAML, and for a document of another schema.
    """
    start = output.find("{")
    looks_like_yaml = output.lstrip().startswith(("apiVersion:", "---", "#"))
    if start < 0 or looks_like_yaml:
        raise _unknown(f"it is not JSON: {output[:200]!r}")
    try:
        document, _end = json.JSONDecoder().raw_decode(output, start)
    except (ValueError, RecursionError) as error:
        raise _unknown(f"it is not JSON ({error}): {output[:200]!r}") from error
    if not isinstance(document, dict) or document.get("kind") != "BootcHost":
        raise _unknown(f"it is not a BootcHost: {output[:200]!r}")
    if document.get("apiVersion") not in KNOWN:
        raise _unknown(f"its apiVersion is {document.get('apiVersion')!r:.100}; supported: {', '.join(KNOWN)}")
    return document


def is_empty(document: Mapping[str, t.Any]) -> bool:
    """Whether bootc knows of no deployment: the host was not booted from one, or bootc believes it is in a container.

    bootc ends with status 0 nevertheless, so this alone is no proof of anything.
    """
    return not _mapping(document, "status").get("booted")


def bootc_status(document: Mapping[str, t.Any]) -> HostStatus:
    """Return what the ``document``, which is not empty, says. Raises UnknownStatusError."""
    status = _mapping(document, "status")
    others = status.get("otherDeployments") or []
    if not isinstance(others, list):
        raise _unknown("status.otherDeployments is not a list")
    booted = _entry(status, "booted")
    if booted is None:
        raise _unknown("status.booted is absent")
    staged, rollback = _entry(status, "staged"), _entry(status, "rollback")
    return HostStatus(
        backend=Backend.BOOTC,
        booted=booted if staged is None else _without_update(booted),
        staged=staged,
        rollback=_without_update(rollback) if rollback is not None else None,
        rollback_queued=status.get("rollbackQueued") is True,
        others=tuple(one for one in (_entry({"other": each}, "other") for each in others) if one is not None),
    )


def _without_update(entry: Entry) -> Entry:
    # bootc keeps an update with the commit and shows it of each deployment that has this commit, whatever its name;
    # it was looked up by the name of the one that is staged, else of the booted one (crates/lib/src/status.rs).
    return replace(entry, cached_digest=None)


def _entry(status: _Json, name: str) -> Entry | None:
    found = status.get(name)
    if found is None:
        return None
    if not isinstance(found, dict):
        raise _unknown(f"status.{name} is not an object")
    image, ostree = _mapping(found, "image"), _mapping(found, "ostree")
    composefs = _mapping(found, "composefs")
    return Entry(
        image=_spec(image),
        digest=_text(image, "imageDigest"),
        version=_text(image, "version"),
        timestamp=_text(image, "timestamp"),
        architecture=_text(image, "architecture"),
        incompatible=found.get("incompatible") is True,
        pinned=found.get("pinned") is True,
        soft_reboot_capable=_flag(found, "softRebootCapable"),
        download_only=_flag(found, "downloadOnly"),
        cached_digest=_text(_mapping(found, "cachedUpdate"), "imageDigest"),
        stateroot=_text(ostree, "stateroot"),
        checksum=_text(ostree, "checksum"),
        serial=ostree.get("deploySerial") if isinstance(ostree.get("deploySerial"), int) else None,
        is_composefs=bool(composefs),
        verity=_text(composefs, "verity"),
    )


def _spec(image: _Json) -> ImageSpec | None:
    if not image:
        return None
    reference = _mapping(image, "image")
    name, transport = _text(reference, "image"), _text(reference, "transport")
    if name is None or transport is None:
        raise _unknown("an image has no name or no transport")
    return ImageSpec(transport, name, _signature(reference.get("signature")))


def _signature(found: t.Any) -> str | None:
    if isinstance(found, dict) and isinstance(found.get("ostreeRemote"), str):
        return f"ostreeRemote:{found['ostreeRemote']}"
    if found is None or isinstance(found, str):
        return found
    raise _unknown(f"signature is {found!r:.100}")


def _mapping(document: _Json, name: str) -> _Json:
    found = document.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _unknown(f"{name} is not an object")
    return found


def _text(document: _Json, name: str) -> str | None:
    found = document.get(name)
    if found is None or isinstance(found, str):
        return found
    raise _unknown(f"{name} is {found!r:.100}, not a string")


def _flag(document: _Json, name: str) -> bool | None:
    found = document.get(name)
    return found if isinstance(found, bool) else None


def _unknown(seen: str) -> UnknownStatusError:
    return UnknownStatusError(
        "read the status of the OS image",
        on="bootc status",
        seen=seen,
        advice="Run 'bootc status --format json --format-version 1' on the host and report the document with the "
        "version "
        "of this collection. Nothing was changed.",
    )
