# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""crun for a machine whose cgroup v2 tree has no controllers: resource limits are taken out before it sees them.

A privileged container asks for every capability; those that the machine itself lacks are left out.
"""

import json
import os
import pathlib
import sys

SOMETIMES_ABSENT = {"CAP_SYS_RESOURCE": 24}  # by their numbers in linux/capability.h


def limit(process: dict) -> None:
    """Leave out of a process's capabilities those that the machine lacks, and what would need them."""
    status = pathlib.Path("/proc/self/status").read_text()
    present = int(next(line.split()[1] for line in status.splitlines() if line.startswith("CapBnd:")), 16)
    absent = {name for name, number in SOMETIMES_ABSENT.items() if not present >> number & 1}
    if "CAP_SYS_RESOURCE" in absent:
        process.pop("oomScoreAdj", None)
    for kind, names in (process.get("capabilities") or {}).items():
        process["capabilities"][kind] = [name for name in names if name not in absent]


if "create" in sys.argv:
    bundle = sys.argv[sys.argv.index("--bundle") + 1] if "--bundle" in sys.argv else "."
    config = pathlib.Path(bundle, "config.json")
    document = json.loads(config.read_text())
    document["linux"].pop("resources", None)
    limit(document["process"])
    config.write_text(json.dumps(document))
elif "exec" in sys.argv and "--process" in sys.argv:
    config = pathlib.Path(sys.argv[sys.argv.index("--process") + 1])
    document = json.loads(config.read_text())
    limit(document)
    config.write_text(json.dumps(document))
os.execv("/usr/bin/crun", ["crun", *sys.argv[1:]])
