# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the registry says that a name means now, for check mode; nothing is fetched but the manifest."""

from __future__ import annotations

import hashlib
import json
import os

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.registry_access import AUTH_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import remote_manifest_command
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_content import instance_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import ImageSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

_SECONDS = 60.0


def named_digests(host: Host, image: ImageSpec, deadline: Deadline) -> frozenset[str]:
    """Return the digests of what ``image`` names at its registry: the outermost manifest's, and this architecture's.

    Empty where the registry or skopeo does not answer.
    """
    auth = AUTH_FILE if host.path(AUTH_FILE).exists() else None
    try:
        ended = host.run(remote_manifest_command(image, auth), deadline=deadline.within(_SECONDS), ok=None)
    except MissingRequirementError:
        return frozenset()
    if ended.rc or ended.stdout_cut:
        return frozenset()
    outermost = f"sha256:{hashlib.sha256(ended.stdout.encode()).hexdigest()}"
    try:
        inner = instance_digest(json.loads(ended.stdout), os.uname().machine)
    except ValueError:
        return frozenset()
    return frozenset(digest for digest in (outermost, inner) if digest)
