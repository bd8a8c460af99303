# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work of the job that builds a bundle: it owns everything that a build needs and leaves a document behind."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    prepare,
    worked_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PlanChangedError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.boot_artifacts import BootArtifacts
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import (
    BlobFetcher,
    complete_bundle,
    publish_bundle,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_record import BuildRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import (
    missing_by_blob,
    space_forecast,
    spread_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.delta_base import open_base
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.image_gathering import (
    ImageGatherer,
    KnownTags,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import StopSign
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.contents_reader import (
    ContentsReader,
    ReadContents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.operator_images import (
    operator_results,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.release_signatures import (
    OFFICIAL_STORES,
    SignatureStores,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signing import (
    sign_content,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.pull_policies import always_pulled
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.registry_setup import (
    registry_settings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.update_paths import requested_path
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import Contents, assemble
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.build_plan import (
    plan_changes,
    plan_document,
    require_plan,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.content_report import content_report
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.medium_fit import remedies
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_bases import (
    as_before,
    with_stores_of,
    without_stores,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.trust_sentences import (
    release_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import (
    RegistrySettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock, ProgressReporter
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import risk_sentences


def build(
    request: Mapping[str, t.Any],
    path: str,
    progress: ProgressReporter,
    secrets: Mapping[str, str] | None = None,
    parts: Sequence[str] = (),
    parity: str | None = None,
) -> dict[str, t.Any]:
    """Build what ``request`` wants in the folder ``path`` and return what came of it as plain data.

    With ``parts``, it is spread over these folders as well, and ``parity`` replaces any one of them. ``secrets`` may
    hold ``signing_passphrase``. What is in the folders already is verified and kept.
    """
    folder = spread_folder(path, parts, parity)
    work = BuildWork(BundleRequest.from_document(request), folder, SystemClock(), progress)
    return work.perform((secrets or {}).get("signing_passphrase"))


@dataclass(frozen=True)
class BuildWork:
    """One build of one request in one folder."""

    request: BundleRequest
    folder: BundleFolder
    clock: Clock
    reporter: ProgressReporter

    def perform(self, passphrase: str | None = None) -> dict[str, t.Any]:
        """Build the bundle and return what came of it."""
        with worked_in(self.folder, self.clock):
            progress = TransferProgress(self.reporter, self.clock, "fetched")
            settings = registry_settings(self.request.registry, self.clock)
            with self._asking(settings, progress) as (registry, client):
                read, fetcher = self._read(client, registry, progress, self.folder, writes=True)
                self._require_planned(read.contents, signatures=True)
                made = complete_bundle(read.contents, fetcher, self._record(), read.blobs)
            previous = self.folder.last_index()
            index = as_before(with_stores_of(made, previous, self.folder.blob_digests()), previous)
            progress.say(f"writing the index of {index.version}")
            signed = self._signature(index, passphrase)
            changed = publish_bundle(self.folder, index, self.reporter)
            changed = self.folder.write_index_signature(signed) or changed
            return {
                "changed": changed or progress.received > 0,
                "before": str(previous.digest) if previous else None,
                "index_digest": str(index.digest),
                "fetched": progress.received,
                "kept": index.size - progress.received,
                "signers": list(read.trust.fingerprints),
                "signatures_unknown": read.signatures_unknown,
                "trust_warnings": self._trust_warnings(),
                **operator_results(read.operators, self.request.installed),
                "always_pulled": always_pulled(self.folder, index),
            }

    def forecast(self) -> dict[str, t.Any]:
        """Return what ``perform`` would do, having written nothing to the folder."""
        progress = TransferProgress(self.reporter, self.clock, "fetched")
        settings = registry_settings(self.request.registry, self.clock)
        with scratch_directory() as scratch, self._asking(settings, progress) as (registry, client):
            elsewhere = BundleFolder(scratch)
            prepare(elsewhere)
            read, _fetcher = self._read(client, registry, progress, elsewhere, writes=False)
        self._require_planned(read.contents, signatures=True)
        contents = read.contents
        blobs = contents.blobs
        index = self.folder.last_index()
        is_there = index is not None and set(without_stores(index).blobs) == set(blobs) and _same_images(index, read)
        space = space_forecast(self.folder, list(blobs.values()))
        missing = space["missing"]
        draft = self._draft(contents, index)
        content = content_report(draft, missing_by_blob(self.folder, list(blobs.values())))
        return {
            "changed": bool(missing) or not is_there,
            "fetched": missing,
            "kept": sum(blob.size for blob in blobs.values()) - missing,
            "space": space,
            "content": content,
            "remedies": remedies(content["rows"], space["lacking"]),
            "plan": plan_document(draft, timestamp(self.clock.utcnow())),
            "signers": list(read.trust.fingerprints),
            "signatures_unknown": read.signatures_unknown,
            "trust_warnings": self._trust_warnings(),
            **operator_results(read.operators, self.request.installed),
            "version": contents.releases[-1].version,
            "release": str(contents.releases[-1].image),
            "risks": risk_sentences(contents.path),
            "images": [str(image.name) for image in contents.images],
        }

    def _read(
        self,
        client: HttpClient,
        registry: RegistryClient,
        progress: TransferProgress,
        layers: BundleFolder,
        *,
        writes: bool,
    ) -> tuple[ReadContents, BlobFetcher]:
        deadline = Deadline(LONGEST, self.clock)
        previous = self.folder.last_index()
        tags = KnownTags() if self.request.refresh_tags else KnownTags.of(previous, self._record().tags)
        fetcher = BlobFetcher(layers, registry, client, progress, StopSign(), self.request.connections, deadline)
        gatherer = ImageGatherer(
            self.folder,
            registry,
            self.request.machine,
            tags,
            previous=previous,
            base=open_base(self.request.base),
            writes=writes,
            deadline=deadline,
        )
        stores = SignatureStores(self.request.signature_stores or OFFICIAL_STORES, client)
        keys = TrustedKeys.of_release(self.request.trusted_keys, self.request.release_reference.name)
        keep = partial(self._resolved, tags if writes else None)
        boot = BootArtifacts(self.request, client, previous, deadline)
        path = requested_path(self.request, previous, client, deadline)
        reader = ContentsReader(
            self.request, gatherer, stores, keys, fetcher, boot, previous, self.clock, writes, keep, path
        )
        return reader.read(), fetcher

    @contextlib.contextmanager
    def _asking(
        self, settings: RegistrySettings, progress: TransferProgress
    ) -> Iterator[tuple[RegistryClient, HttpClient]]:
        """Yield the client of registries, and the client of all other servers."""
        with contextlib.ExitStack() as closing:
            registry = closing.enter_context(
                RegistryClient(settings, self.clock, notice=progress.say, asked=progress.asks)
            )
            client = closing.enter_context(HttpClient(self.clock, tls=settings.tls, proxies=settings.proxies))
            yield registry, client

    def _resolved(self, tags: KnownTags | None, contents: Contents) -> None:
        """Refuse what was not planned, and write down what tags led to, before the work that takes long.

        A tag may move until it continues. Without ``tags``, nothing is written.
        """
        self._require_planned(contents, signatures=False)
        if tags is not None:
            replace(self._record(), tags=tags.digests).keep(self.folder)

    def _require_planned(self, contents: Contents, *, signatures: bool) -> None:
        path = self.request.plan
        if path is None:
            return
        plan = require_plan(read_json(Path(path)), on=path)
        changes = plan_changes(plan, plan_document(self._draft(contents, None), ""), signatures=signatures)
        if changes:
            raise PlanChangedError(
                "build the planned bundle",
                on=path,
                seen="; ".join(changes),
                advice="Run create_bundle in check mode to write a new plan, and compare it before you build it.",
            )

    def _draft(self, contents: Contents, previous: BundleIndex | None) -> BundleIndex:
        """Return the index as far as it is known before the blobs are there."""
        known = previous.blobs if previous is not None else {}
        blobs = {digest: known.get(digest) or blob.as_blob() for digest, blob in contents.blobs.items()}
        record = self._record()
        return assemble(contents, blobs, built=record.started, serial=record.serial)

    def _record(self) -> BuildRecord:
        epoch = self.request.source_date_epoch
        now = self.clock.utcnow() if epoch is None else datetime.fromtimestamp(epoch, timezone.utc)
        return BuildRecord.of(self.folder, now)

    def _trust_warnings(self) -> list[str]:
        request = self.request
        built_in = TrustedKeys.of_release(None, request.release_reference.name)
        return list(release_warnings(request.trusted_keys, request.release, has_built_in_key=bool(built_in)))

    def _signature(self, index: BundleIndex, passphrase: str | None) -> bytes | None:
        if self.request.signing_key is None:
            return None
        known = self.folder.index_signature()
        if known is not None and self.folder.index_bytes() == index.as_bytes():
            return known
        return sign_content(index.as_bytes(), Path(self.request.signing_key), passphrase, self.clock)


def _same_images(index: BundleIndex, read: ReadContents) -> bool:
    return [str(image.name) for image in index.images] == [str(image.name) for image in read.contents.images]
