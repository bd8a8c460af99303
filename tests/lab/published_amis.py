# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes the ids of images that Red Hat has published in Amazon's cloud into the collection.

    python -m ansible_collections.fieldops.openshift.tests.lab.published_amis [CLONE]

Sources: the list of the pinned machine-config-operator (``AllowedAMIs`` of its controller of boot images), which has
ids alone; the versions of the installer's streams in ``published_streams.py``, which have releases too; and with a
CLONE of github.com/openshift/installer every version of them.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.published_streams import recorded

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).resolve().parents[2]
WRITTEN = HERE / "plugins/module_utils/_boot_images/plan/platforms/aws_published_ids.py"
OPERATOR = "github.com/openshift/machine-config-operator"
STREAMS = ("data/data/coreos/rhcos.json", "data/data/coreos/coreos-rhel-9.json", "data/data/coreos/coreos-rhel-10.json")
_ALLOWED = re.compile(r'"ami-0([0-9a-f]{16})"', re.ASCII)
_LISTED = re.compile(r"ami-0([0-9a-f]{16})", re.ASCII)
_WIDTH = 100
_HEAD = '''# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Written by tests/lab/published_amis.py, which names the sources. Do not edit.

Ids of images by release, which is empty where it is not known: eight bytes each, in Base64.
"""

from __future__ import annotations

IDS = {
'''


def allowed(source: str) -> dict[str, str]:
    """Return the ids in the operator's list; it has no releases."""
    return dict.fromkeys(_ALLOWED.findall(source), "")


def listed(stream: Mapping[str, t.Any]) -> dict[str, str]:
    """Return the ids in one version of a stream with their releases, those with a licence of Windows as well."""
    found = {}
    for content in stream.get("architectures", {}).values():
        groups = (content.get("images", {}).get("aws"), content.get("rhel-coreos-extensions", {}).get("aws-winli"))
        for group in groups:
            for region in ((group or {}).get("regions") or {}).values():
                match = _LISTED.fullmatch(str(region.get("image")))
                if match:
                    found[match.group(1)] = str(region.get("release") or "")
    return found


def history_of(clone: Path) -> Iterator[dict[str, str]]:
    """Yield the ids in each version of each stream of a clone of the installer, the oldest first."""
    for path in STREAMS:
        for commit in _git(clone, "log", "--all", "--reverse", "--format=%H", "--diff-filter=AM", "--", path).split():
            yield listed(json.loads(_git(clone, "show", f"{commit}:{path}")))


def rendered(releases: Mapping[str, str]) -> str:
    """Return the file that holds these ids."""
    groups: dict[str, list[str]] = {}
    for key, release in releases.items():
        groups.setdefault(release, []).append(key)
    lines = []
    for release, keys in sorted(groups.items()):
        packed = base64.b64encode(b"".join(bytes.fromhex(key) for key in sorted(keys))).decode()
        parts = [packed[start : start + _WIDTH] for start in range(0, len(packed), _WIDTH)]
        lines += [f'    "{release}": (', *(f'        "{part}"' for part in parts), "    ),"]
    return "\n".join([_HEAD.rstrip("\n"), *lines, "}", ""])


def collected(operator: Path, clone: Path | None = None) -> dict[str, str]:
    """Return all ids that the sources have, with releases where one of them says it."""
    found: dict[str, str] = {}
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
