# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What ``make bench`` finds to run."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.gates.benchmarks import benchmark_names


def test_a_benchmark_is_a_file_that_runs_as_a_program(tmp_path: Path) -> None:
    (tmp_path / "z_second.py").write_text('def main() -> None: ...\n\n\nif __name__ == "__main__":\n    main()\n')
    (tmp_path / "a_first.py").write_text('if __name__ == "__main__":\n    print(1)\n')
    (tmp_path / "shared.py").write_text("SHARED = 1\n")
    assert benchmark_names(tmp_path) == ["a_first", "z_second"]
