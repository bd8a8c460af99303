# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.
"""The folders with certificates for single registries: containers-certs.d(5).

The first folder with a subfolder for a registry counts, as in containers/image (``docker/docker_client.go``,
``pkg/tlsclientconfig``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError


def settings_for(host: str, folders: Sequence[str], common: TlsSettings) -> TlsSettings:
    """Return the ``common`` settings with what ``folders`` have for ``host``; raise TlsError for half a pair.

    Certificate authorities are trusted besides the common ones. Both hold as well where the host redirects to.
    """
    found = next((found for found in (_files(folder, host) for folder in folders) if found is not None), None)
    if found is None:
        return common
    folder, names = found
    authorities = tuple(str(folder / name) for name in names if name.endswith(".crt"))
    client = _client_certificate(folder, names)
    if client is not None:
        common = replace(common, client_certificate=str(client), client_key=str(client.with_suffix(".key")))
    return replace(common, additional_ca_files=(*common.additional_ca_files, *authorities)) if authorities else common


def _files(folder: str, host: str) -> tuple[Path, list[str]] | None:
    """Return the subfolder for ``host`` and what is in it; None where there is none, or none that may be read."""
    for name in _names(host):
        path = Path(folder) / name
        try:
            return path, sorted(entry.name for entry in path.iterdir())
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
    return None


def _names(host: str) -> tuple[str, ...]:
    """Return the names that a subfolder for ``host`` may have: port 443 may be written or not."""
    if host in ("", ".", "..") or "/" in host:
        return ()
    bare = host.removesuffix(":443")
    has_port = ":" in bare.rpartition("]")[2]
    return (host,) if has_port else (host, f"{bare}:443" if bare == host else bare)


def _client_certificate(folder: Path, names: Sequence[str]) -> Path | None:
    for name in names:
        stem, suffix = Path(name).stem, Path(name).suffix
        partner = {".cert": f"{stem}.key", ".key": f"{stem}.cert"}.get(suffix)
        if partner is not None and partner not in names:
            raise _refusal(
                folder,
                f"{name} exists without {partner}",
                "Store the certificate and its key there under one name. The certificate of an authority ends in .crt.",
            )
    certificates = [name for name in names if name.endswith(".cert")]
    if len(certificates) > 1:
        seen = f"{len(certificates)} client certificates exist there: {', '.join(certificates)[:200]}"
        raise _refusal(folder, seen, "Keep only the one that the registry accepts.")
    return folder / certificates[0] if certificates else None


def _refusal(folder: Path, seen: str, advice: str) -> TlsError:
    return TlsError("set up TLS", on=f"the certificates for {folder.name}", seen=f"in {folder}: {seen}", advice=advice)
