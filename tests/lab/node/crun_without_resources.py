# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""crun for a machine whose cgroup v2 tree has no controllers: resource limits are taken out before it sees them."""

import json
import os
import pathlib
import sys

if "create" in sys.argv:
    bundle = sys.argv[sys.argv.index("--bundle") + 1] if "--bundle" in sys.argv else "."
    config = pathlib.Path(bundle, "config.json")
    document = json.loads(config.read_text())
    document["linux"].pop("resources", None)
    config.write_text(json.dumps(document))
os.execv("/usr/bin/crun", ["crun", *sys.argv[1:]])
