# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the playbook stage_bundle takes for many nodes beyond their bytes, with nodes that answer as real ones do.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.many_nodes``, or with [NODES] [SECONDS]
[EARLIER] behind it. SECONDS are what a node over ssh needs for an answer. What is measured is the work of this machine
and the order of the questions. EARLIER is a folder with another version of the collection, to be measured as well.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.integration.node_images.fake_site import FakeSite

DEFAULTS = ("60", "1.0")
GOAL = 60.0


def brought(site: FakeSite, collections: str) -> float:
    """Return the seconds that the playbook of a version took."""
    began = time.monotonic()
    site.bring(collections)
    return time.monotonic() - began


def main(count: int, seconds: float, earlier: str) -> None:
    """Measure this version, and an earlier one where there is one."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder:
        site = FakeSite(Path(folder), count, seconds)
        taken = brought(site, str(Path(__file__).parents[5]))
        print(f"{count} nodes that answer in {seconds} s: {taken:.1f} s")
        ratio("seconds of the whole play beyond the bytes", taken, f"below {GOAL:.0f}")
        if earlier:
            before = brought(site, earlier)
            print(f"the version in {Path(earlier).name}: {before:.1f} s")
            ratio("the earlier version beside this one", before / taken)


if __name__ == "__main__":
    given = [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]]
    main(int(given[0]), float(given[1]), given[2] if len(given) > 2 else "")
