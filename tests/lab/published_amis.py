# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes the ids of images that Red Hat has published in Amazon's cloud into the collection.

    python -m ansible_collections.fieldops.openshift.tests.lab.published_amis [CLONE]

Sources: the list of the pinned machine-config-operator (``AllowedAMIs`` of its controller of boot images), which has
ids alone; the versions of the installer's streams in ``published_streams.py``, which have releases and architectures
too; and with a CLONE of github.com/openshift/installer every version of them since 4.1, of all its branches.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import typing as t
from collections.abc import Iterator, Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.published_streams import Origin, recorded

HERE = Path(__file__).resolve().parents[2]
WRITTEN = HERE / "plugins/module_utils/_boot_images/plan/platforms/aws_published_ids.py"
OPERATOR = "github.com/openshift/machine-config-operator"
STREAMS = (
    "data/data/rhcos-stream.json",
    "data/data/coreos/rhcos.json",
    "data/data/coreos/coreos-rhel-9.json",
    "data/data/coreos/coreos-rhel-10.json",
)
BUILDS = {
    "data/data/rhcos.json": "x86_64",
    "data/data/rhcos-amd64.json": "x86_64",
    "data/data/rhcos-aarch64.json": "aarch64",
}
"""Before there were streams: the description of a build, of one architecture."""

_ALLOWED = re.compile(r'"ami-0([0-9a-f]{16})"', re.ASCII)
_LISTED = re.compile(r"ami-0([0-9a-f]{16})", re.ASCII)
_RHCOS_BUILD = re.compile(r"4\d{1,2}\.\d{1,2}\.\d{8,12}[.-]\d+", re.ASCII)
"""Branches for OKD have builds of Fedora in the same files."""

_WIDTH = 100
_HEAD = '''# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Written by tests/lab/published_amis.py, which names the sources. Do not edit.

Ids of images by release and architecture, empty where these are not known: eight bytes each, in Base64.
"""

from __future__ import annotations

IDS = {
'''


def allowed(source: str) -> dict[str, Origin]:
    """Return the ids in the operator's list, which says no more of them."""
    return dict.fromkeys(_ALLOWED.findall(source), Origin())


def in_stream(stream: Mapping[str, t.Any]) -> dict[str, Origin]:
    """Return the ids in one version of a stream, those with a licence of Windows as well."""
    found = {}
    for architecture, content in stream.get("architectures", {}).items():
        groups = (content.get("images", {}).get("aws"), content.get("rhel-coreos-extensions", {}).get("aws-winli"))
        for group in groups:
            for region in ((group or {}).get("regions") or {}).values():
                match = _LISTED.fullmatch(str(region.get("image")))
                if match:
                    found[match.group(1)] = Origin(str(region.get("release") or ""), architecture)
    return found


def in_build(build: Mapping[str, t.Any], architecture: str) -> dict[str, Origin]:
    """Return the ids in the description of a build of RHEL CoreOS."""
    release = str(build.get("buildid", ""))
    if not _RHCOS_BUILD.fullmatch(release):
        return {}
    matches = (_LISTED.fullmatch(str(region.get("hvm"))) for region in build.get("amis", {}).values())
    return {match.group(1): Origin(release, architecture) for match in matches if match}


def history_of(clone: Path) -> Iterator[dict[str, Origin]]:
    """Yield the ids in each version of each file of a clone of the installer, the oldest first."""
    for path, architecture in BUILDS.items():
        for build in _versions(clone, path):
            yield in_build(build, architecture)
    for path in STREAMS:
        for stream in _versions(clone, path):
            yield in_stream(stream)


def _versions(clone: Path, path: str) -> Iterator[Mapping[str, t.Any]]:
    for commit in _git(clone, "log", "--all", "--reverse", "--format=%H", "--diff-filter=AM", "--", path).split():
        yield json.loads(_git(clone, "show", f"{commit}:{path}"))


def rendered(origins: Mapping[str, Origin]) -> str:
    """Return the file that holds these ids."""
    groups: dict[Origin, list[str]] = {}
    for key, origin in origins.items():
        groups.setdefault(origin, []).append(key)
    lines = []
    for origin, keys in sorted(groups.items()):
        packed = base64.b64encode(b"".join(bytes.fromhex(key) for key in sorted(keys))).decode()
        parts = [packed[start : start + _WIDTH] for start in range(0, len(packed), _WIDTH)]
        lines += [f'    "{" ".join(origin).strip()}": (', *(f'        "{part}"' for part in parts), "    ),"]
    return "\n".join([_HEAD.rstrip("\n"), *lines, "}", ""])


def collected(operator: Path, clone: Path | None = None) -> dict[str, Origin]:
    """Return all ids that the sources have, with what one of them says of it."""
    found: dict[str, Origin] = {}
    for path in sorted(operator.glob("pkg/controller/*/ami.go")):
        found.update(allowed(path.read_text()))
    for version in (*recorded(), *(history_of(clone) if clone else ())):
        found.update(version)
    return found


def _git(clone: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(clone), *words], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    from ansible_collections.fieldops.openshift.tests.lab.go import module_directory

    place = module_directory(OPERATOR, "machine-config-operator")
    WRITTEN.write_text(rendered(collected(place, Path(sys.argv[1]) if len(sys.argv) > 1 else None)))
