# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guide to failures names each kind of error with its meaning and what is advised."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ansible_collections.fieldops.openshift.tests.gates.error_page import HEAD, error_page

if TYPE_CHECKING:
    from pathlib import Path

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
        ('class Report:\n    """No error."""\n\n    kind = "report"\n', ""),
    ],
    ids=[
        "meaning",
        "advice",
        "advice from elsewhere",
        "advice by a function",
        "action of the class",
        "kind by name",
        "no error",
    ],
)
def test_a_row_is_made_of_class_and_advice(tmp_path: Path, code: str, rows: str) -> None:
    (tmp_path / "errors.py").write_text(code)
    assert error_page(tmp_path) == HEAD + rows
