# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a cluster gives to every machine, with our part in it: pull secret, CA bundle, MachineConfigs. Pure.

Source: machine-config-operator ``pkg/operator/sync.go`` (user-ca-bundle is rendered whether or not there is a proxy),
``pkg/daemon/certificate_writer.go`` (only /etc/docker/certs.d is cleaned); containers-certs.d(5),
containers-auth.json(5).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import typing as t
from collections.abc import Collection, Mapping
from urllib.parse import quote, unquote

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL

Object = Mapping[str, t.Any]

OPENSHIFT_CONFIG: t.Final = "openshift-config"
BUNDLE_NAME: t.Final = "user-ca-bundle"
BUNDLE_KEY: t.Final = "ca-bundle.crt"
LOGINS_NAME: t.Final = "pull-secret"
LOGINS_KEY: t.Final = ".dockerconfigjson"
ANCHOR_FILE: t.Final = "/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt"
REGISTRIES_FILE: t.Final = "/etc/containers/registries.conf"
ROLES: t.Final = ("master", "worker")
"""The roles whose MachineConfigs every pool has; that of a custom pool has those of worker."""

_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----\s.*?-----END CERTIFICATE-----", re.DOTALL)


def bundle_with(text: str, ca: str, gone: Collection[str] = ()) -> str:
    """Return a CA bundle that has ``ca`` and none of ``gone``, and all else as it was; ``ca`` may be empty."""
    wanted = _compact(ca)
    obsolete = {_compact(one) for one in gone} - {wanted, ""}
    for found in _CERTIFICATE.findall(text):
        if _compact(found) in obsolete:
            text = text.replace(f"{found}\n", "").replace(found, "")
    if not wanted or wanted in {_compact(found) for found in _CERTIFICATE.findall(text)}:
        return text
    separator = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{separator}{ca.strip()}\n"


def pull_secret_with(secret: Object, registry: str, login: str) -> dict[str, str] | None:
    """Return the ``data`` of the pull secret with a ``login`` (user:password) for ``registry``, None if it has that.

    The same login at any other place is that of a former address, and goes; so it does everywhere with an empty
    ``registry``. Raises JoiningError, which shows nothing of the content, for one that cannot be read.
    """
    document = _auths(secret)
    auths: dict[str, t.Any] = document["auths"]
    ours = {"auth": base64.b64encode(login.encode()).decode()}
    wanted = {key: value for key, value in auths.items() if value != ours and key != registry}
    if registry:
        wanted[registry] = ours
    if wanted == auths:
        return None
    content = json.dumps({**document, "auths": wanted}, separators=(",", ":"))
    return {LOGINS_KEY: base64.b64encode(content.encode()).decode()}


def ca_machine_config(role: str, registry: str, ca: str) -> dict[str, t.Any]:
    """Return the MachineConfig that writes the CA for container tools, for this registry only."""
    contents = {"source": f"data:,{quote(ca.strip() + chr(10))}"}
    file = {"path": certs_file(registry), "mode": 0o644, "overwrite": True, "contents": contents}
    return {
        "metadata": {
            "name": ca_config_name(role),
            "labels": {"machineconfiguration.openshift.io/role": role, PART_OF_LABEL: PART_OF},
        },
        "spec": {"config": {"ignition": {"version": "3.2.0"}, "storage": {"files": [file]}}},
    }


def ca_config_name(role: str) -> str:
    """Return the name of that MachineConfig."""
    return f"99-{role}-fieldops-image-source-ca"


def certs_file(registry: str) -> str:
    """Return the file of that MachineConfig. The machine-config daemon cleans up /etc/docker/certs.d, not this one."""
    return f"/etc/containers/certs.d/{registry}/ca.crt"


def served_configuration(pool: Object) -> str:
    """Return the rendered MachineConfig that a machine of ``pool`` is given when it joins, empty where there is none.

    It is the one that is being rolled out as soon as one machine has it.
    Source: machine-config-operator ``pkg/server/cluster_server.go`` (GetConfig).
    """
    status = pool.get("status") or {}
    given = pool.get("spec") if status.get("updatedMachineCount") else status
    return str(((given or {}).get("configuration") or {}).get("name") or "")


def lacking_in(configuration: Object, registry: str, ca: str) -> list[str]:
    """Return what a rendered MachineConfig, which a machine that joins is given, lacks of ``mirrors`` and ``ca``."""
    files = {
        str(one.get("path")): str((one.get("contents") or {}).get("source") or "")
        for one in ((configuration.get("spec") or {}).get("config") or {}).get("storage", {}).get("files") or ()
    }
    rules = _content(files.get(REGISTRIES_FILE, ""))
    anchors = _content(files.get(ANCHOR_FILE, "")) + _content(files.get(certs_file(registry), ""))
    has_ca = bool(ca) and _compact(ca) in {_compact(found) for found in _CERTIFICATE.findall(anchors)}
    return [*([] if f'"{registry}/' in rules else ["mirrors"]), *([] if has_ca else ["ca"])]


def _auths(secret: Object) -> dict[str, t.Any]:
    try:
        document = json.loads(base64.b64decode((secret.get("data") or {})[LOGINS_KEY], validate=True))
    except (KeyError, ValueError, binascii.Error, RecursionError) as error:
        raise _unreadable(type(error).__name__) from None
    if not isinstance(document, dict) or not isinstance(document.setdefault("auths", {}), dict):
        raise _unreadable("it has no auths")
    return document


def _unreadable(seen: str) -> JoiningError:
    return JoiningError(
        "add the login of the control plane to the pull secret",
        on=f"Secret {OPENSHIFT_CONFIG}/{LOGINS_NAME}",
        seen=f"its {LOGINS_KEY} is not a JSON document with logins: {seen}",
        advice="Restore the pull secret of the cluster first.",
    )


def _compact(certificate: str) -> str:
    return "".join(certificate.split())


def _content(source: str) -> str:
    """Return the text of a data URL (RFC 2397); those that are compressed are not ours to read."""
    head, _comma, body = source.partition(",")
    if head.endswith(";base64"):
        try:
            return base64.b64decode(body).decode("utf-8", "replace")
        except (ValueError, binascii.Error):
            return ""
    return unquote(body)
