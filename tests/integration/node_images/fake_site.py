# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site of stand-ins: playbooks and roles run as they are, and their nodes are programs that answer for them.

A node is a stand-in for its Python interpreter: it takes the module that Ansible sends, waits, and answers as a node
does that holds nothing, stages in no time and loads in no time. So there may be any number of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import typing as t
from collections.abc import Mapping
from pathlib import Path

DIGEST = "sha256:" + "6a27f1" * 10 + "0000"
NODE = """\
#!/bin/sh
here=$(dirname "$0")
asked=$(grep -ao -e 'plugins[./]modules[./][a-z_]*' -e '_ansible_check_mode[^a-z]*true' -e 'start[^a-z]*false' \\
  -e 'state[^a-z]*stopped')
module=${{asked%%
*}}
module=${{module##*[./]}}
sleep {seconds}
answer=$module
case $module-$asked in
  *_ansible_check_mode*) answer=$module-begun ;;
  *start*false*) answer=$module-begun ;;
  *stopped*) answer=stopped ;;
  node_bundle-*|node_images-*)
    [ -e "$here/$module-seen" ] || answer=$module-begun
    : > "$here/$module-seen" ;;
esac
cat "{answers}/$answer" || cat "{answers}/stopped"
"""
RELAY = {"url": "https://192.0.2.1:9700/", "ca": "certificate"}
BEGUN = {"progress": {"sentence": "begun", "done": False, "next_delay": 0.1}, "relaying": False}
DONE = {"progress": {"sentence": "complete", "done": True, "next_delay": 0.1}, "relaying": False}
ANSWERS: Mapping[str, Mapping[str, object]] = {
    "node_bundle-begun": {**BEGUN, "changed": True, "forecast": [{"needed": 10**10}]},
    "node_bundle": {**DONE, "bundle": {"complete": True}, "received": {"seconds": 0.1, "by_source": {}}},
    "node_images-begun": {**BEGUN, "changed": True},
    "node_images": {**DONE, "reclaim": {"sentence": ""}, "images": [{"name": "one"}], "lacking": []},
    "bundle_relay": {"changed": True, "relay": RELAY},
    "node_info": {"bundles": [], "bundle_sources": [{"url": RELAY["url"], "answers": True, "reason": ""}]},
    "stopped": {"changed": False},
}


class FakeSite:
    """Stand-ins for the nodes of a site, and the playbook that brings a bundle to them."""

    def __init__(self, folder: Path, count: int, seconds: float) -> None:
        self.names = [
            *(f"master-{number}" for number in range(3)),
            *(f"worker-{number}" for number in range(count - 3)),
        ]
        self._folder = folder
        answers = folder / "answers"
        answers.mkdir()
        for name, answer in ANSWERS.items():
            (answers / name).write_text(json.dumps({"changed": False, "actions": [], **answer}))
        hosts = {name: self._node(name, answers, seconds) for name in self.names}
        (folder / "inventory.json").write_text(json.dumps({"all": {"hosts": hosts}}))
        self._variables = {
            "site_nodes": self.names,
            "site_bundle_digest": DIGEST,
            "site_bundle_src_by_node": {self.names[0]: "/run/media/bundle"},
            "site_addresses_by_node": {name: [f"192.0.2.{number + 1}"] for number, name in enumerate(self.names)},
            "site_pools_by_node": {name: name.partition("-")[0] for name in self.names},
            "site_pin_method": "node",
        }

    def bring(self, collections: str, **variables: t.Any) -> str:
        """Run the playbook stage_bundle with these further ``variables`` of the site and return its output."""
        return self.play("fieldops.openshift.stage_bundle", collections, **{**self._variables, **variables})

    def play(self, playbook: str, collections: str, **variables: t.Any) -> str:
        """Run a playbook with these variables and return its output."""
        for seen in self._folder.glob("*/*-seen"):
            seen.unlink()
        environment = {**os.environ, "ANSIBLE_COLLECTIONS_PATH": collections, "ANSIBLE_LOCALHOST_WARNING": "false"}
        inventory, known = str(self._folder / "inventory.json"), json.dumps(variables)
        command = ["ansible-playbook", "-i", inventory, "-e", known, playbook]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise SystemExit(ended.stdout[-4000:] + ended.stderr[-1000:])
        return ended.stdout

    def _node(self, name: str, answers: Path, seconds: float) -> dict[str, str]:
        interpreter = self._folder / name / "python3"
        interpreter.parent.mkdir()
        interpreter.write_text(NODE.format(seconds=seconds, answers=answers))
        interpreter.chmod(0o755)
        return {
            "ansible_connection": "local",
            "ansible_python_interpreter": str(interpreter),
            "ansible_become": "false",
        }
