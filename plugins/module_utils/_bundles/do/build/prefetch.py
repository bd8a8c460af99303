# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Blobs that are fetched while something else is found out: over a long line, hundreds of small requests take time."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import (
    BlobFetcher,
    wanted_blobs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import require_space
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import Contents
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

SMALL = 4096
"""Bytes up to which a blob may belong to signatures as well, such as an empty config: those are fetched later."""


class Prefetch:
    """Fetches the large blobs of ``contents`` during its block; ``blobs`` are what it brought.

    Without ``fetcher`` it does nothing. An error in the block ends the fetching; what was brought is kept.
    Raises DiskFullError where it would not fit, and what ``BlobFetcher.fetch`` raises.
    """

    def __init__(self, fetcher: BlobFetcher | None, contents: Contents) -> None:
        self._fetcher = fetcher
        self._contents = contents
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="prefetch")
        self._future: Future[Mapping[Digest, Blob]] | None = None
        self.blobs: Mapping[Digest, Blob] = {}

    def __enter__(self) -> Prefetch:
        if self._fetcher is not None:
            everything = wanted_blobs(self._contents)
            wanted = [one for one in everything if one.blob.size > SMALL]
            require_space(self._fetcher.folder, [one.blob for one in everything])
            images = [[blob.digest for blob in image.blobs] for image in self._contents.images]
            self._fetcher.progress.expect(sum(one.blob.size for one in everything), images)
            self._receiver = self._fetcher.receiver(wanted)
            self._future = self._pool.submit(self._receiver.receive, [one.blob.as_blob() for one in wanted])
        return self

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        if self._future is not None and kind is not None:
            self._receiver.stop()
        self._pool.shutdown()
        if self._future is not None and kind is None:
            self.blobs = self._future.result()
