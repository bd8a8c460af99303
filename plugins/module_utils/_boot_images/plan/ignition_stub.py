# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The stub that machines boot with: a few lines of Ignition that fetch the rest from the machine config server."""

from __future__ import annotations

import base64
import binascii
import json
import re
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import (
    MalformedError,
    UserDataError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)

USER_DATA_KEY = "userData"
_VERSION = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}(-[a-z]+)?", re.ASCII)


@dataclass(frozen=True)
class Stub:
    """``version`` is that of Ignition's specification, ``raw`` what the Secret holds and must never be shown."""

    secret: str
    version: str
    document: Document = field(repr=False)
    raw: bytes = field(repr=False)
    resource_version: str = ""

    @property
    def needs_conversion(self) -> bool:
        """Whether images since 4.6, which know specification 3 alone, cannot boot with it."""
        return not self.version.startswith("3.")


def user_data_secret(provider: Document | None) -> str:
    """Return the name of the Secret that a provider's specification takes user data from, empty without one."""
    try:
        return text_at(provider, "userDataSecret", "name")
    except MalformedError:
        return ""


def read_stub(name: str, secret: Document | None) -> Stub:
    """Return the stub in a Secret; raise UserDataError where there is none."""
    if secret is None:
        raise no_stub(name, "it does not exist", "Set userDataSecret to the correct Secret, or create this one.")
    try:
        encoded = text_at(secret, "data", USER_DATA_KEY)
        raw = base64.b64decode(encoded, validate=True)
        document = json.loads(raw)
        version = text_at(document, "ignition", "version")
    except (MalformedError, binascii.Error, ValueError, RecursionError) as error:
        # What was read stays out of the message: it may be secret.
        raise no_stub(name, f"its key {USER_DATA_KEY} contains no JSON document of Ignition") from error
    if not encoded or not _VERSION.fullmatch(version):
        raise no_stub(name, f"its key {USER_DATA_KEY} contains no ignition.version")
    resource_version = text_at(mapping_at(secret, "metadata"), "resourceVersion")
    return Stub(name, version, mapping_at(document), raw, resource_version)


def encoded_stub(document: t.Mapping[str, t.Any]) -> bytes:
    """Return a stub as a Secret holds it, before base64."""
    return json.dumps(document, separators=(",", ":")).encode()


def no_stub(name: str, seen: str, advice: str = "") -> UserDataError:
    """Return the error for user data that is no stub."""
    return UserDataError(
        "read the stub Ignition configuration",
        on=f"Secret {name}",
        seen=seen,
        advice=advice or "Store the user data of the pool in it, in the format of Secret worker-user-data-managed.",
    )
