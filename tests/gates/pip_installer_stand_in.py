# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Installs pip from the interpreter's own copy, called as pip's installer script would be."""

from __future__ import annotations

import subprocess
import sys

wanted = [word for word in sys.argv[1:] if not word.startswith("--no-")]
subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], check=True)
