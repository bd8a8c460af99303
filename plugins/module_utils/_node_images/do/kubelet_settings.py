# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The settings of the kubelet of this node for removing images and evicting pods.

Source: openshift/machine-config-operator ``templates/worker/01-worker-kubelet/_base`` (--config and --config-dir),
kubernetes ``cmd/kubelet/app/server.go``, mergeKubeletConfigurations (files ending in .conf are merged key by
key, the last one counts).
"""

from __future__ import annotations

import contextlib
import os
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import (
    EvictionThreshold,
    evictions_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import (
    ImageGc,
    threshold_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.kubelet_file import settings_in
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

KUBELET_CONFIG = "/etc/kubernetes/kubelet.conf"
DROP_INS = "/etc/openshift/kubelet.conf.d"
"""Newer releases configure it for the kubelets of workers; it contains no other files."""

_LARGEST = MIB
_MOST_FILES = 100


@dataclass(frozen=True)
class KubeletSettings:
    """The disk usage at which the kubelet removes images, and the eviction thresholds that its files set."""

    gc: ImageGc
    evictions: tuple[EvictionThreshold, ...]

    def of_signal(self, signal: str) -> tuple[EvictionThreshold, ...]:
        """Return the thresholds of one signal."""
        return tuple(one for one in self.evictions if one.signal == signal)


def kubelet_settings(host: Host) -> KubeletSettings:
    """Return the settings of the kubelet of the host.

    A file that cannot be read or understood, or a value that is no threshold, does not count: the result is what the
    others say, at last the kubelet's default, with the file and what is wrong with it as ``gc.problem``.
    """
    gc, drop_ins = ImageGc(), t.cast("list[str]", [])
    problems: list[str] = []
    evictions: dict[tuple[str, str], EvictionThreshold] = {}
    with _noted(problems, DROP_INS):
        drop_ins = _drop_ins(host)
    for path in (KUBELET_CONFIG, *drop_ins):
        settings: dict[str, t.Any] = {}
        with _noted(problems, path):
            settings = _settings(host, path)
        with _noted(problems, path):
            evictions.update({(one.setting, one.signal): one for one in evictions_of(settings, path)})
        with _noted(problems, path):
            threshold = threshold_of(settings, path)
            gc = ImageGc(threshold, path) if threshold is not None else gc
    return KubeletSettings(replace(gc, problem="; ".join(problems[:3])), tuple(evictions.values()))


@contextlib.contextmanager
def _noted(problems: list[str], path: str) -> Iterator[None]:
    try:
        yield
    except FieldOpsError as error:
        problems.append(f"{path}: {error.seen}")


def _settings(host: Host, path: str) -> dict[str, t.Any]:
    content = read_file(host.path(path), limit=_LARGEST)
    return settings_in(content, path) if content is not None else {}


def _drop_ins(host: Host) -> list[str]:
    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    folder = host.path(DROP_INS)
    with explained("list the directory", folder):
        found = [
            Path(place, name)
            for place, _folders, names in os.walk(folder, onerror=refuse)
            for name in names
            if name.endswith(".conf")
        ]
    # By parts: that is how the kubelet walks through folders within the folder.
    return [host.as_seen_by_host(path) for path in sorted(found, key=lambda path: path.parts)[-_MOST_FILES:]]
