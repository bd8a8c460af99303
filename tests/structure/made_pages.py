# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pages below ``docs`` that are made of other files; as a program it prints them by name, in JSON."""

from __future__ import annotations

import json
import sys

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.tests.structure.metrics_page import metrics_page
from ansible_collections.fieldops.openshift.tests.structure.permissions_page import permissions_page
from ansible_collections.fieldops.openshift.tests.structure.site_page import rendered_page

PAGES = {
    "metrics.md": metrics_page,
    "permissions.md": permissions_page,
    "site-variables.md": lambda: rendered_page(site_contract()),
}

if __name__ == "__main__":
    json.dump({name: make() for name, make in PAGES.items()}, sys.stdout)
