# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What modules document of their results and no test of a whole run has seen."""

from __future__ import annotations

import json
import shutil

from .workplace import Workplace


def forget_results(place: Workplace) -> None:
    """Begin a run in which nothing was seen."""
    shutil.rmtree(place.seen, ignore_errors=True)
    place.seen.mkdir(parents=True)


def never_seen(place: Workplace) -> list[str]:
    """Return the dotted names that are documented and that no test has seen with a value, in order.

    Each process of integration tests leaves a file (``tests/integration/conftest.py``).
    """
    kept = [json.loads(path.read_text()) for path in place.seen.glob("*.json")]
    return sorted({name for one in kept for name in one["documented"]} - {name for one in kept for name in one["seen"]})
