# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The configuration of Sphinx for the documentation site. Nothing is fetched."""

from __future__ import annotations

import os

project = "fieldops.openshift"
extensions = ["myst_parser", "sphinx_antsibull_ext", "sphinx.ext.intersphinx"]
html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
nitpicky = True
# The few pages of Ansible that generated pages refer to, from an inventory that is written beside the sources.
intersphinx_mapping = {"ansible": ("https://docs.ansible.com/ansible/latest", os.environ["ANSIBLE_INVENTORY_OF_PAGES"])}
