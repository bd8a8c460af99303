# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is requested of an image store, from the arguments of the module."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import RelaySourceSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_probe import COMMAND
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class StoreRequest:
    """What the module's arguments ask for."""

    order: StagingOrder
    keep_free_percent: int | None = None
    pinned: bool = True
    probe_image: str = ""
    probe_command: tuple[str, ...] = COMMAND

    @classmethod
    def of(cls, params: Mapping[str, t.Any]) -> StoreRequest:
        """Return the request in ``params``; raises InvalidInputError for a digest that is none."""
        order = StagingOrder(
            digest=Digest.parse(params["index_digest"]),
            sources=tuple(RelaySourceSpec(one["url"], one["ca"], one["token"]) for one in params["sources"]),
            src=params["src"],
        )
        command = tuple(params["probe_command"])
        return cls(order, params["keep_free_percent"], params["pin"], params["probe_image"], command)

    def arguments(self) -> dict[str, t.Any]:
        """Return the arguments of the job that may be in a file; the tokens are its secrets."""
        proof = {"pinned": self.pinned, "probe_image": self.probe_image, "probe_command": list(self.probe_command)}
        return {"order": self.order.arguments(), "proof": proof}

    @classmethod
    def read(cls, order: Mapping[str, t.Any], proof: Mapping[str, t.Any], secrets: Mapping[str, str]) -> StoreRequest:
        """Return the request that ``arguments`` and ``secrets`` were made from."""
        command = tuple(proof["probe_command"])
        wanted = StagingOrder.of(order, secrets)
        return cls(wanted, pinned=proof["pinned"], probe_image=proof["probe_image"], probe_command=command)
