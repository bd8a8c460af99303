# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An index that nothing proves yet costs little, whatever is in it: removable media are looked through by root."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

MOST_MEMORY = 150 * MIB
READ = """
import sys
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
try:
    read_index(sys.stdin.buffer.read())
except InvalidInputError:
    # The peak of this program alone: that of getrusage includes the one of the process that started it.
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    print(int(status["VmHWM"].split()[0]) * 1024)
"""


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'{"a":[' + b"[]," * 199_000 + b"[]]}", id="lists"),
        pytest.param(b'{"a":[' + b"{}," * 199_000 + b"{}]}", id="mappings"),
        pytest.param(b'{"a":[' + b'"0123456789abcdef",' * 390_000 + b'"x"]}', id="strings"),
        pytest.param(b"{" + b",".join(b'"%d":{}' % number for number in range(190_000)) + b"}", id="keys"),
        pytest.param(b'{"a":' * 100_000, id="depth"),
        pytest.param(b"[]," * (LARGEST_INDEX // 3), id="more values than an index has"),
        pytest.param(b" " * (LARGEST_INDEX + 1), id="more bytes than an index has"),
        pytest.param(b'{"a":"' + b"x" * (LARGEST_INDEX - 8) + b'"}', id="one long string"),
    ],
)
def test_a_hostile_index_is_refused_in_bounded_memory(content: bytes) -> None:
    paths = os.pathsep.join(path for path in sys.path if path)
    ran = subprocess.run(
        [sys.executable, "-c", READ],
        input=content,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        check=True,
        timeout=30,
    )
    assert int(ran.stdout) < MOST_MEMORY
