# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guide to failures names each kind of error with its meaning and what is advised."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates.error_page import HEAD, error_page

CLASS = 'class DiskFullError(Exception):\n    """No space\n    is left.\n\n    More."""\n\n    kind = "disk_full"\n'


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        (CLASS, "| `disk_full` |  | No space is left. |  |\n"),
        (
            f'{CLASS}raise DiskFullError("write", advice=f"Free {{n}} bytes.")\n'
            'raise errors.DiskFullError(advice="Or | not.")\n',
            "| `disk_full` | Could not write ... | No space is left. | Free ... bytes.<br>Or \\| not. |\n",
        ),
        (CLASS + "raise DiskFullError(advice=text)\n", "| `disk_full` |  | No space is left. |  |\n"),
        (
            CLASS + "def full(seen, advice):\n    return DiskFullError(WRITE, seen=seen, advice=advice)\n\n\n"
            "WRITE = 'write'\nraise full('no space', 'Free some.')\nraise full(seen='none', advice='Free more.')\n",
            "| `disk_full` | Could not write ... | No space is left. | Free more.<br>Free some. |\n",
        ),
        (
            CLASS.replace("More.", "Action: Free\n    some."),
            "| `disk_full` |  | No space is left. | Free some. |\n",
        ),
        (
            CLASS.replace('"disk_full"', "FULL") + 'FULL = "full"\n',
            "| `full` |  | No space is left. |  |\n",
        ),
        (
            CLASS + "    def __init__(self, field):\n        super().__init__('write', on=field)\n\n\n"
            "raise DiskFullError('spec.path')\n",
            "| `disk_full` | Could not write ... | No space is left. |  |\n",
        ),
        (
            CLASS + "raise DiskFullError(f'{what}', advice=f'{first}...')\n",
            "| `disk_full` |  | No space is left. |  |\n",
        ),
        ('class Report:\n    """No error."""\n\n    kind = "report"\n', ""),
    ],
    ids=[
        "meaning",
        "advice",
        "advice from elsewhere",
        "advice by a function",
        "action of the class",
        "kind by name",
        "attempt of the class",
        "only filled in",
        "no error",
    ],
)
def test_a_row_is_made_of_class_and_advice(tmp_path: Path, code: str, rows: str) -> None:
    (tmp_path / "errors.py").write_text(code)
    assert error_page(tmp_path) == HEAD + rows


def test_functions_and_constants_of_one_name_belong_to_their_files(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(
            f'class {name.title()}Error(Exception):\n    """Of the {name}."""\n\n    kind = "{name}"\n\n\n'
            f"def refused(advice):\n    return {name.title()}Error(advice=advice)\n\n\n"
            f"_WAIT = 'Wait for the {name}.'\nraise refused(_WAIT)\n"
        )
    (tmp_path / "third.py").write_text("from a.module_utils.first import refused\n\nraise refused('Run it again.')\n")
    assert error_page(tmp_path) == HEAD + (
        "| `first` |  | Of the first. | Run it again.<br>Wait for the first. |\n"
        "| `second` |  | Of the second. | Wait for the second. |\n"
    )
