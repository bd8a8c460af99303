# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of all unit tests."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes says nothing on a machine that runs several gates at once.
settings.register_profile("gates", deadline=None)
settings.load_profile("gates")
