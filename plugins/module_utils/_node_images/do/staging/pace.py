# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much of the disk of a node a job may use, so that it does not slow down etcd."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

STORAGE = "/var/lib/fieldops"


@dataclass(frozen=True)
class Pace:
    """``etcd_limit``: seconds that 99 of 100 flushes of etcd may take before the job pauses, 0 for no pauses."""

    etcd_limit: float = 0.0
    limits: IoLimits | None = None

    @classmethod
    def of(cls, params: Mapping[str, t.Any]) -> Pace:
        """Return the pace in the options of a module; raises InvalidInputError for a negative one."""
        names = ("etcd_fsync_limit", "read_bandwidth", "write_bandwidth")
        for name in names:
            if params.get(name, 0) < 0:
                raise InvalidInputError(
                    "limit the job",
                    on=name,
                    seen=f"it is {params[name]}",
                    advice="Set 0 for no limit, or a positive number.",
                )
        limit, read, write = (params.get(name, 0) for name in names)
        return cls(limit / 1000, IoLimits(STORAGE, read, write))


UNLIMITED = Pace()
