# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules do on a host, without Ansible around it: an order on standard input, the answer on the output."""

from __future__ import annotations

import json
import sys
import time
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.os_image_step import os_image_step
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.report import os_image_report
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

Json = dict[str, t.Any]


def answer(order: Json) -> Json:
    """Return what the order comes to."""
    host = Host(SystemClock())
    if "info" in order:
        return os_image_report(host, order["info"])
    deadline = time.monotonic() + order["seconds"]
    while True:
        try:
            state = os_image_step(host, order["params"], check_mode=order["check"])
        except FieldOpsError as error:
            if not error.transient or time.monotonic() > deadline:
                return {"error": error.as_data()}
        else:
            if state.done or order["check"] or order["once"] or time.monotonic() > deadline:
                found = {**vars(state), "actions": list(state.actions or ())}
                return {name: found[name] for name in ("sentence", "done", "changed", "objects", "actions", "diff")}
        time.sleep(0.2)


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
