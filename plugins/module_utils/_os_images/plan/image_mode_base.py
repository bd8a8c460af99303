# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The base image of a pool: whether the operator has rendered the MachineConfig that asks for it.

Source: machine-config-operator ``pkg/controller/common/helpers.go`` (MergeMachineConfigs): of all MachineConfigs of a
pool that name an image the last one in the order of names wins.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import config_name

Object = Mapping[str, t.Any]


@dataclass(frozen=True)
class BaseVerdict:
    """``ready`` when the pool's rendered configuration says what was requested; else ``sentence`` says what is missing.

    ``overriding`` are the MachineConfigs that sort behind ours where one of them has the last word, which no waiting
    will change.
    """

    ready: bool
    sentence: str
    os_image_url: str
    overriding: tuple[str, ...] = ()

    @property
    def overridden(self) -> bool:
        """Whether another MachineConfig has the last word."""
        return bool(self.overriding)


def base_verdict(pool: Object, rendered: Object | None, wanted: str) -> BaseVerdict:
    """Return whether ``wanted``, an image by digest or empty for the release's own, is what ``pool`` must have.

    ``rendered`` is the MachineConfig that the pool's specification names.
    """
    name = str(pool["metadata"]["name"])
    configuration = (pool.get("spec") or {}).get("configuration") or {}
    sources = {str(one.get("name")) for one in configuration.get("source") or ()}
    url = str(((rendered or {}).get("spec") or {}).get("osImageURL") or "")
    if rendered is None or (config_name(name) in sources) != bool(wanted):
        return BaseVerdict(False, f"the configuration of pool {name} is being rendered", url)
    if wanted and url != wanted:
        overriding = tuple(sorted(one for one in sources if one > config_name(name)))
        seen = f"the configuration of pool {name} requires {url or 'no image'}{_from_stream(pool, url)}"
        return BaseVerdict(False, seen, url, overriding)
    return BaseVerdict(True, "", url)


def stream_of(pool: Object) -> str:
    """Return the OS image stream that a pool asks for, empty for the cluster's own.

    Source: openshift/api, machineconfiguration/v1 ``MachineConfigPoolSpec.osImageStream``: where no MachineConfig names
    an image, the pool has the one of this stream.
    """
    return str(((pool.get("spec") or {}).get("osImageStream") or {}).get("name") or "")


def _from_stream(pool: Object, url: str) -> str:
    stream = stream_of(pool)
    return f"; it requires stream {stream}, which applies if no MachineConfig sets an image" if stream and url else ""
