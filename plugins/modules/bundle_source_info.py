#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_source_info
short_description: Tell which servers of a bundle answer from a node
version_added: 0.1.0
description:
  - Asks each server for the index of the bundle, from the node that the task runs on and as
    M(fieldops.openshift.node_bundle) asks it later, with the same address, port, certificate and token.
  - So it proves that two nodes reach one another, which no look at routes or at a closed port does.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
options:
  index_digest:
    description:
      - The vetted digest of the bundle's index, C(sha256:...).
    type: str
    required: true
  sources:
    description:
      - The servers, as M(fieldops.openshift.node_bundle) takes them.
    type: list
    elements: dict
    required: true
    suboptions:
      url:
        description: Where C(index.json) is found, such as V(https://192.0.2.11:9700).
        type: str
        required: true
      ca:
        description: The CA certificates of that server as PEM text. Without it those of the system are trusted.
        type: str
        default: ""
      token:
        description: The bearer token that the server asks for.
        type: str
        default: ""
      token_file:
        description:
          - A file on the controller that holds the token, as M(fieldops.openshift.bundle_relay) makes it. The secret is
            then in no variable.
        type: path
  timeout:
    description:
      - How many seconds a server may take to answer.
    type: int
    default: 10
seealso:
  - module: fieldops.openshift.bundle_relay
  - module: fieldops.openshift.node_bundle
"""

EXAMPLES = r"""
- name: See whether a node reaches the relay of its neighbour
  fieldops.openshift.bundle_source_info:
    index_digest: "{{ site_bundle_digest }}"
    sources:
      - url: "{{ neighbour.relay.url }}"
        ca: "{{ neighbour.relay.ca }}"
        token_file: "{{ run_directory }}/relay-token"
  delegate_to: worker-1
  register: reached
"""

RETURN = r"""
sources:
  description: The servers, in the given order.
  type: list
  elements: dict
  returned: success
  contains:
    url:
      description: As it was given.
      type: str
      sample: https://192.0.2.11:9700
    answers:
      description: Whether it serves this bundle to this node. One that has not got the index yet counts as well.
      type: bool
      sample: false
    reason:
      description: Why it does not; empty where it does.
      type: str
      sample: no connection within 5 s
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.probe_sources import sources_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SOURCE = {
    "url": {"type": "str", "required": True},
    "ca": {"type": "str", "default": ""},
    "token": {"type": "str", "default": "", "no_log": True},
    "token_file": {"type": "path", "no_log": False},
}
SPEC = ArgumentSpec(
    options={
        "index_digest": {"type": "str", "required": True},
        "sources": {"type": "list", "elements": "dict", "required": True, "options": SOURCE},
        "timeout": {"type": "int", "default": 10},
    }
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects={"sources": sources_report(this.params, this.clock)}))


if __name__ == "__main__":
    main()
