# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a node finds images by its own mirror rules: skopeo requests the manifest, as rpm-ostree does.

skopeo reads registries.conf and the CAs again for each call. The server of a control-plane node answers a manifest only
while it has every blob of the image.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

LOGINS = "/var/lib/kubelet/config.json"
"""The pull secret of the cluster on each node, which CRI-O and machine-config-daemon-pull.service use as well."""
_ASK_SECONDS = 45.0
"""Longer than a name server and a mirror that do not respond take together before the next mirror is used."""
_AT_A_TIME = 8


def unpullable(host: Host, names: Sequence[str], deadline: Deadline) -> list[dict[str, str]]:
    """Return those of the images ``names`` that the node does not find, with the error; nothing is pulled.

    Raises InvalidInputError for an invalid name.
    """
    references = [str(ImageReference.parse(name)) for name in names]
    logins = ("--authfile", LOGINS) if host.path(LOGINS).is_file() else ()

    def ask(name: str) -> str:
        words = ["skopeo", "inspect", "--raw", *logins, f"docker://{name}"]
        try:
            host.run(words, deadline=deadline.within(_ASK_SECONDS))
        except CommandError as error:
            return error.stderr[-500:] or error.seen
        except FieldOpsError as error:
            return error.seen
        return ""

    if not references:
        return []
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        answers = zip(references, pool.map(ask, references))
        return [{"name": name, "seen": seen} for name, seen in answers if seen]
