# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What the kubelet of this node was told about removing images.

Source: openshift/machine-config-operator ``templates/worker/01-worker-kubelet/_base`` (--config and --config-dir),
kubernetes ``cmd/kubelet/app/server.go``, mergeKubeletConfigurations (files ending in .conf, the last one counts).
"""

from __future__ import annotations

import os
import typing as t
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import (
    ImageGc,
    threshold_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host

KUBELET_CONFIG = "/etc/kubernetes/kubelet.conf"
DROP_INS = "/etc/openshift/kubelet.conf.d"
"""Newer releases give it to the kubelets of workers; nobody puts a file there that the kubelet is not to read."""

_LARGEST = MIB
_MOST_FILES = 100


def image_gc(host: Host) -> ImageGc:
    """Return from where on the host's kubelet removes images.

    A file that cannot be read or understood, or a value that is no threshold, does not count: the result is what the
    others say, at last the kubelet's default, with the file and what is wrong with it as ``problem``.
    """
    found, problems = ImageGc(), []
    try:
        drop_ins = _drop_ins(host)
    except FieldOpsError as error:
        drop_ins, problems = [], [f"{DROP_INS}: {error.seen}"]
    for path in (KUBELET_CONFIG, *drop_ins):
        try:
            threshold = _threshold(host, path)
        except FieldOpsError as error:
            problems.append(f"{path}: {error.seen}")
            continue
        if threshold is not None:
            found = ImageGc(threshold, path)
    return replace(found, problem="; ".join(problems[:3]))


def _threshold(host: Host, path: str) -> int | None:
    content = read_file(host.path(path), limit=_LARGEST)
    return threshold_in(content, path) if content is not None else None


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
