# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a build must remember from its first sitting to its end: when it began, and what tags led to."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_FILE = "build.json"
_INSTANT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class BuildRecord:
    """``started`` is an instant in RFC 3339 form, in UTC; ``tags`` are digests by ``repository:tag``."""

    started: str
    tags: Mapping[str, Digest] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: BundleFolder, now: datetime) -> BuildRecord:
        """Return what an unfinished build recorded; a damaged record counts for nothing, and tags are asked again."""
        try:
            document = read_json(folder.build_folder / _FILE) or {}
            tags = {str(name): Digest.parse(str(text)) for name, text in document["tags"].items()}
            datetime.strptime(document["started"], _INSTANT)
            return cls(document["started"], tags)
        except (FileContentError, InvalidInputError, KeyError, AttributeError, TypeError, ValueError):
            return cls(now.astimezone(timezone.utc).strftime(_INSTANT))

    @property
    def serial(self) -> int:
        """Return the number that orders this bundle among others: the start in seconds since 1970."""
        return calendar.timegm(datetime.strptime(self.started, _INSTANT).timetuple())

    def keep(self, folder: BundleFolder) -> None:
        """Write it down for the next sitting."""
        tags = {name: str(digest) for name, digest in self.tags.items()}
        write_json(folder.build_folder / _FILE, {"schemaVersion": 1, "started": self.started, "tags": tags})
