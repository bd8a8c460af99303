# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import ARCHITECTURES, Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@pytest.mark.parametrize("known", ARCHITECTURES, ids=str)
def test_every_name_of_an_architecture_finds_it(known: Architecture) -> None:
    assert {Architecture.parse(name) for name in (known.release, known.oci, known.machine_config)} == {known}


@pytest.mark.parametrize("text", ["multi", "i386", "X86_64", "", "x86_64 "])
def test_other_names_are_refused_with_those_that_exist(text: str) -> None:
    with pytest.raises(InvalidInputError, match="x86_64, aarch64, ppc64le, s390x"):
        Architecture.parse(text)
