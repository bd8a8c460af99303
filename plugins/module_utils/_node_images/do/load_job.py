# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The job that loads a bundle's images into the container storage of the node."""

from __future__ import annotations

import hashlib
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_facts import proved_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import write_symlinks
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    READ_LIMIT,
    read_file,
    remove_file,
    write_file,
    write_json,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.container_runtime import runtime_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.load_progress import (
    FULL,
    ImageProgress,
    require_loaded,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    staged_folder,
    staged_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    ImageLoadError,
    NotEnoughSpaceError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_signatures import (
    signature_files,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_view import (
    POLICY,
    VERSION,
    VERSION_FILE,
    VIEW_FOLDER,
    copy_command,
    view_links,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_images
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
        Blob,
        BundledImage,
        BundleIndex,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

POLICY_FILE = "load-policy.json"


def load_images(
    *, host_root: str, index_digest: str, images: Sequence[str], parallel: int, progress: ProgressReporter
) -> dict[str, t.Any]:
    """Load what the node lacks of the chosen ``images`` and prove that it has all of them: the work of the job.

    Raises ImageLoadError, WrongContentError, NotEnoughSpaceError, ContainerRuntimeError; what was loaded stays.
    """
    host = Host(SystemClock(), Path(host_root))
    deadline = Deadline(LONGEST, host.clock)
    digest = Digest.parse(index_digest)
    folder = staged_folder(host, digest)
    index = staged_index(folder, digest)
    chosen = select_images(index, images)
    lacking = set(runtime_images(host, deadline).lacking(str(image.name) for image in chosen))
    loader = ImageLoader(host, folder, index, deadline, ImageProgress(progress, len(chosen), len(lacking)))
    loader.load([image for image in chosen if str(image.name) in lacking], parallel)
    require_loaded(host, [str(image.name) for image in chosen], deadline)
    return {"images": len(lacking), "seconds": round(deadline.elapsed, 1)}


class ImageLoader:
    """Loads images of one bundle, one skopeo for each."""

    def __init__(
        self, host: Host, folder: BundleFolder, index: BundleIndex, deadline: Deadline, progress: ImageProgress
    ) -> None:
        self._host = host
        self._folder = folder
        self._index = index
        self._deadline = deadline
        self._progress = progress
        self._stopped = False

    def load(self, images: Sequence[BundledImage], parallel: int) -> None:
        """Load ``images``, at most ``parallel`` at a time; the first failure ends it."""
        views, policy = self._folder.path / VIEW_FOLDER, self._folder.path / POLICY_FILE
        remove_tree(views)
        ensure_directory(views)
        write_json(policy, POLICY)
        try:
            with ThreadPoolExecutor(parallel) as pool:
                for done in [pool.submit(self._load_one, image, policy) for image in images]:
                    done.result()
        finally:
            remove_tree(views)
            remove_file(policy)

    def _load_one(self, image: BundledImage, policy: Path) -> None:
        if self._stopped:
            return
        view = self._folder.path / VIEW_FOLDER / image.manifests[0].hex
        try:
            self._progress.begins(image.component or str(image.name))
            ensure_directory(view)
            write_file(view / VERSION_FILE, VERSION, durable=False)
            write_symlinks(view, view_links(image))
            for name, content in signature_files(image, self._index.signatures, self._content).items():
                write_file(view / name, content, durable=False)
            seen = [self._host.as_seen_by_host(path) for path in (view, policy)]
            self._host.run(copy_command(seen[0], image, seen[1]), deadline=self._deadline)
            self._progress.ended()
        except CommandError as error:
            self._stopped = True
            raise self._explained(image, error) from error
        except BaseException:
            self._stopped = True
            raise
        remove_tree(view)

    def _explained(self, image: BundledImage, error: CommandError) -> FieldOpsError:
        """Return what the failure of skopeo means; blobs that have become wrong are removed, so that they are fetched.

        A disk does lose bytes, and staging believes a name.
        """
        attempted, on, partial = "load the image", str(image.name), self._progress.partial()
        if FULL in error.stderr:
            advice = "Free space for the container storage and for /var/tmp on the node, then run it again."
            return NotEnoughSpaceError(attempted, on=on, seen=error.stderr[-600:], advice=advice, partial=partial)
        damaged = [blob for blob in self._blobs(image) if not self._is_right(blob)]
        for blob in damaged:
            remove_file(self._folder.blob(blob.digest))
        if damaged:
            names = ", ".join(str(blob.digest) for blob in damaged)
            advice = (
                "They were removed: stage the bundle again, which fetches them alone, and look at the disk (dmesg)."
            )
            seen = f"the staged blobs {names} are missing or not what they were when they were verified"
            return WrongContentError(attempted, on=on, seen=seen, advice=advice, partial=partial)
        seen = f"skopeo ended with status {error.rc}, saying: {error.stderr[-1000:] or 'nothing'}"
        advice = "Read what skopeo said; what was loaded before stays."
        return ImageLoadError(attempted, on=on, seen=seen, advice=advice, partial=partial)

    def _content(self, digest: Digest) -> bytes | None:
        """Return a blob of a signature; a delta may rely on its base for it, whose images are loaded with theirs."""
        blob = self._index.blobs.get(digest)
        content = read_file(self._folder.blob(blob.digest)) if blob is not None and blob.size <= READ_LIMIT else None
        if blob is None or content is None or hashlib.sha256(content).hexdigest() == digest.hex:
            return content
        remove_file(self._folder.blob(blob.digest))
        raise WrongContentError(
            "load the image",
            on=f"its signature {digest}",
            seen="the staged blob is not what it was when it was verified",
            advice="It was removed: stage the bundle again, which fetches it alone, and look at the disk (dmesg).",
            partial=self._progress.partial(),
        )

    def _blobs(self, image: BundledImage) -> list[Blob]:
        return [self._index.blobs[digest] for digest in image.blobs() if digest in self._index.blobs]

    def _is_right(self, blob: Blob) -> bool:
        return proved_blob(self._folder.blob(blob.digest), blob, lambda _count: None) is not None
