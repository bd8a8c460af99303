# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Configure container tools of a node to use its image source for the images of bundles, or remove that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    reload_runtime,
    runtime_version,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import staged_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    DROP_IN_FILE,
    SIGNATURES_FILE,
    MirrorSettings,
    asks_for_addresses,
    drop_in,
    signature_lookup,
    site_rules,
    with_hosts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import (
    DROP_INS,
    MAIN_FILE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

HOSTS_FILE = "/etc/hosts"
SIGNATURES = "/etc/containers/registries.d"
PROXY_FILE = "/etc/mco/proxy.env"
"""What the machine-config operator writes for CRI-O and the kubelet of a cluster behind a proxy."""
SELINUX = "/sys/fs/selinux/enforce"

_PROBE_SECONDS = "5"
_UNREACHABLE = (5, 6, 7, 28)
"""Exit statuses of curl: neither proxy nor host has an address, no connection, no answer in time. Source: curl(1)."""
_AT_ONCE = 8


@dataclass(frozen=True)
class FileChange:
    """A file of the node as it was and as it is, or in check mode would be; None where it is absent."""

    path: str
    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        """Whether there is a difference."""
        return self.before != self.after


def repositories(host: Host) -> tuple[str, ...]:
    """Return the repositories of all images in the node's staged bundles; a damaged bundle has none."""
    return tuple(sorted({image.name.name for image in staged_images(host)}))


def unreachable_registries(host: Host, names: Iterable[str], deadline: Deadline) -> tuple[str, ...]:
    """Return those registries of the repositories ``names`` to which the node gets no connection now.

    A certificate that curl does not trust, or any answer, counts as one that is reached.
    """
    registries = sorted({name.partition("/")[0] for name in names})
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        probe = partial(_is_unreachable, host, environment=_proxy(host), deadline=deadline)
        away = list(pool.map(probe, registries))
    return tuple(registry for registry, is_away in zip(registries, away) if is_away)


def planned(host: Host, settings: MirrorSettings | None, deadline: Deadline) -> list[FileChange]:
    """Return what to write for ``settings``, or with None removed.

    Raises InvalidInputError for a file of the site that cannot be read, FileAccessError.
    """
    names = repositories(host) if settings is not None else ()
    rules = drop_in(names, site_rules(_site_files(host)), settings) if settings is not None else ""
    lookup = signature_lookup(settings) if settings is not None and names else ""
    hosts = _text(host, HOSTS_FILE)
    own_names = _names_to_answer(host, names, settings, deadline) if settings is not None else set()
    after_hosts = with_hosts(hosts or "", own_names)
    return [
        FileChange(f"{SIGNATURES}/{SIGNATURES_FILE}", _text(host, f"{SIGNATURES}/{SIGNATURES_FILE}"), lookup or None),
        FileChange(HOSTS_FILE, hosts, after_hosts if hosts is not None or own_names else None),
        FileChange(f"{DROP_INS}/{DROP_IN_FILE}", _text(host, f"{DROP_INS}/{DROP_IN_FILE}"), rules or None),
    ]


def apply(host: Host, changes: Sequence[FileChange], deadline: Deadline) -> None:
    """Write or remove the files and let CRI-O read them; the rules of registries come last, when all else is there."""
    for change in changes:
        if change.changed and change.after is None:
            remove_file(host.path(change.path))
        elif change.changed and change.after is not None:
            ensure_directory(host.path(change.path).parent)
            write_file(host.path(change.path), change.after, mode=0o644)
    # A renamed file has the label of its folder, not the one that the policy has for /etc/hosts.
    written = [change.path for change in changes if change.changed and change.after is not None]
    if written and host.path(SELINUX).exists():
        host.run(["restorecon", *written], deadline=deadline, ok=None)
    reload_runtime(host, deadline)


def _names_to_answer(host: Host, names: Iterable[str], settings: MirrorSettings, deadline: Deadline) -> set[str]:
    registries = {name.partition("/")[0] for name in names} & set(settings.blocked)
    if not registries or not asks_for_addresses(runtime_version(host, deadline)):
        return set()
    return {registry.partition(":")[0] for registry in registries}


def _is_unreachable(host: Host, registry: str, *, environment: Mapping[str, str], deadline: Deadline) -> bool:
    asked = ["curl", "--silent", "--output", "/dev/null", "--max-time", _PROBE_SECONDS, f"https://{registry}/v2/"]
    return host.run(asked, deadline=deadline, env=environment, ok=None).rc in _UNREACHABLE


def _proxy(host: Host) -> dict[str, str]:
    pairs = (line.strip().partition("=") for line in (_text(host, PROXY_FILE) or "").splitlines())
    names = ("HTTPS_PROXY", "NO_PROXY")
    return {name.lower(): value.strip("\"'") for name, _equals, value in pairs if name in names and value}


def _site_files(host: Host) -> dict[str, str]:
    base = host.path(DROP_INS)
    with explained("list the directory", base):
        names = sorted(path.name for path in base.glob("*.conf")) if base.is_dir() else []
    paths = [MAIN_FILE, *(f"{DROP_INS}/{name}" for name in names if name != DROP_IN_FILE)]
    found = {path: _text(host, path) for path in paths}
    return {path: text for path, text in found.items() if text is not None}


def _text(host: Host, path: str) -> str | None:
    content = read_file(host.path(path))
    return None if content is None else content.decode(errors="surrogateescape")
