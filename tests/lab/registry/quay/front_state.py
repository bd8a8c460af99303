# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the three hosts of the front share: traits, key, account, images."""

from __future__ import annotations

from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.content_network import ContentNetwork
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import TokenKey
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.traits import QuayTraits
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage


@dataclass
class FrontState:
    """``service`` is the registry's host, as tokens name it; ``token_host`` and ``content_host`` are URLs."""

    traits: QuayTraits
    key: TokenKey
    account: Credentials | None
    storage: RegistryStorage
    service: str
    token_host: str
    content_host: str
    content: ContentNetwork = field(init=False)

    def __post_init__(self) -> None:
        self.content = ContentNetwork(self.storage)

    @property
    def realm(self) -> str:
        """Where tokens are to be asked for."""
        return f"{self.token_host}/v2/auth"

    def exists(self, repository: str) -> bool:
        """Whether the registry has a repository of that name."""
        return self.storage.has(repository)

    def is_public(self, repository: str) -> bool:
        """Whether everybody may read a repository."""
        return not self.traits.is_private(repository) and self.exists(repository)

    def blob_address(self, digest: Digest, repository: str) -> str:
        """Return where a blob is to be fetched from now."""
        return self.content_host + self.content.address(digest, repository, self.traits.redirect_seconds)
