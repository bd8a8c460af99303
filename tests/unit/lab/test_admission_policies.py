# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The policy that tells when all are enforced is installed after the others."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.admission_policies import policy_files

SHIPPED = ("custom-machine-config-pool-selector", "machineconfiguration-guards", "update-bootimages")


def test_the_policy_that_is_waited_for_comes_last(tmp_path: Path) -> None:
    manifests = tmp_path / "manifests/machineconfigcontroller"
    manifests.mkdir(parents=True)
    for name in SHIPPED:
        for kind in ("policy", "policybinding"):
            (manifests / f"{name}-validatingadmission{kind}.yaml").touch()
    names = [file.name.rsplit("-", 1)[0] for file in policy_files(tmp_path)]
    assert names == [SHIPPED[number] for number in (0, 0, 2, 2, 1, 1)]
