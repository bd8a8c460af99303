# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive that is made of the files of an installed collection."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.collection_archive import (
    CollectionArchive,
)

FILES = {"requirements.txt": b"kubernetes\n", "common.py": b"code\n", "action.py": b"code\n"}


def test_links_of_a_collection_that_was_built_of_a_checkout_become_files(tmp_path: Path) -> None:
    """ansible-galaxy keeps links within a collection when it builds and installs it."""
    for name in ("requirements.txt", "common.py"):
        (tmp_path / name).write_bytes(FILES[name])
    (tmp_path / "action.py").symlink_to("common.py")
    entries = [
        {"name": name, "ftype": "file", "chksum_sha256": hashlib.sha256(content).hexdigest()}
        for name, content in FILES.items()
    ]
    listed = json.dumps({"files": [{"name": ".", "ftype": "dir"}, *entries]}).encode()
    info = {"namespace": "fieldops", "name": "openshift", "version": "0.1.0"}
    digest = hashlib.sha256(listed).hexdigest()
    manifest = {"collection_info": info, "file_manifest_file": {"name": "FILES.json", "chksum_sha256": digest}}
    (tmp_path / "FILES.json").write_bytes(listed)
    (tmp_path / "MANIFEST.json").write_text(json.dumps(manifest))
    made = CollectionArchive.of(tmp_path)
    with tarfile.open(fileobj=io.BytesIO(made.content), mode="r:gz") as archive:
        member = archive.getmember("action.py")
        content = archive.extractfile(member)
        assert content is not None
        assert (member.isreg(), content.read()) == (True, FILES["action.py"])
