# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter as a play uses it; its rules are tested with the plan."""

from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.oldest_boot_image import FilterModule

oldest_boot_image = FilterModule().filters()["oldest_boot_image"]


def test_the_version_of_the_oldest_image() -> None:
    current = {"kind": "MachineSet", "name": "w", "standing": "current", "current": {"release": "9.6.20260112-0"}}
    older = {**current, "name": "x", "standing": "outdated", "current": {"release": "418.94.202501221327-0"}}
    assert oldest_boot_image({"machine_resources": [current, older]}) == {
        "ocp_version": "",
        "rhcos_version": "418.94.202501221327-0",
        "reason": "",
    }


def test_what_no_module_has_returned_is_an_error_of_the_play() -> None:
    with pytest.raises(AnsibleFilterError, match=r"fieldops\.openshift\.boot_image_info"):
        oldest_boot_image({"failed": True})
