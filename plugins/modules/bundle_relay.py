#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_relay
short_description: Let a machine serve a bundle to chosen nodes for a while
version_added: 0.1.0
author:
  - fieldops.openshift contributors (@fieldops)
description:
  - Starts or stops a relay, a small HTTPS server that gives the index of one bundle and the blobs that the index lists
    to the addresses in O(allowed_addresses), if they know the token, and nothing else to anyone.
  - On a node the relay is a transient systemd service with a user of its own, without capabilities, with a read-only
    view of the system and with a firewall that lets only the allowed addresses through. On a controller it is a job of
    the user who runs the play. Either outlives the task that started it and ends by itself after O(lifetime).
  - The relay proves itself with a certificate that is made for it and thrown away with it. The certificate is in the
    result, so that clients trust this one relay and nobody else. On the machine that serves, its key and the token lie
    in no file that outlives the start of the relay.
  - A machine has at most one relay for each bundle. Asked for again as it is, it is left alone; asked for otherwise, it
    is started anew and clients go on where they stood.
extends_documentation_fragment:
  - fieldops.openshift._attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Shows whether the relay runs.
  idempotent:
    support: full
options:
  state:
    description:
      - V(started) sees to it that the relay runs, V(stopped) that nothing is left of it.
    type: str
    choices: [started, stopped]
    default: started
  index_digest:
    description:
      - The vetted digest of the bundle's index, C(sha256:) and 64 hexadecimal digits. Only what this index lists is
        served.
    type: str
    required: true
  path:
    description:
      - The folder of the bundle on the machine that serves.
      - By default it is the one below C(/var/lib/fieldops/bundles) in which M(fieldops.openshift.node_bundle) stages
        the bundle.
    type: path
  parts:
    description:
      - Further folders on the machine, such as other drives, that have blobs of the bundle which O(path) has not. Each
        has the same C(index.json).
    type: list
    elements: path
    default: []
  filling:
    description:
      - Whether the bundle at O(path) is still being received. The relay then serves what of it is already proved and
        follows its growth, so that a chain of nodes fetches at the pace of one.
      - Where the index is not there yet, it is waited for up to a minute.
    type: bool
    default: false
  address:
    description:
      - The IP address to listen on and to be reached at. Required when O(state=started).
    type: str
  ports:
    description:
      - A port, or a range of ports of which the first free one is taken.
      - OpenShift keeps the ports 9000 to 9999 open between its nodes; the default lies where none of its own services
        is.
    type: str
    default: 9700-9799
  allowed_addresses:
    description:
      - Addresses or networks that may fetch. Required when O(state=started).
    type: list
    elements: str
  lifetime:
    description:
      - The seconds after which the relay ends by itself, at most a day.
    type: int
    default: 14400
  token:
    description:
      - The secret that clients have to know, at least 32 random characters.
      - O(token) or O(token_file) is required when O(state=started).
    type: str
  token_file:
    description:
      - A file on the controller that holds the token. It is made, readable for its owner alone, where there is none.
      - With this option the secret is in no variable and no result. Give the same path to
        M(fieldops.openshift.node_bundle).
    type: path
  certificate:
    description:
      - The certificate, in PEM, with which the relay proves itself. It must be its own authority and name O(address).
      - By default one is made for this relay on the controller; then O(private_key) is not given either.
    type: str
  private_key:
    description:
      - The private key, in PEM, that belongs to O(certificate).
    type: str
  kept_by:
    description:
      - What keeps the relay running. V(auto) is a V(service) for root on a machine with systemd, else a V(job).
    type: str
    choices: [auto, service, job]
    default: auto
  host_root:
    description:
      - Where the root of the machine is mounted, for a helper pod that works on its node.
    type: path
    default: /
requirements:
  - openssl (the command), on the controller
  - Linux, with Python on the serving machine itself
"""

EXAMPLES = r"""
- name: Serve the bundle on the technician's laptop to the first node
  fieldops.openshift.bundle_relay:
    path: /media/bundle
    index_digest: "{{ site_bundle_digest }}"
    address: 192.0.2.5
    allowed_addresses: [192.0.2.11]
    token_file: "{{ run_directory }}/relay-token"
  delegate_to: localhost
  register: first_relay

- name: Let that node serve its neighbours while it still receives
  fieldops.openshift.bundle_relay:
    index_digest: "{{ site_bundle_digest }}"
    filling: true
    address: 192.0.2.11
    allowed_addresses: [192.0.2.12, 192.0.2.13]
    token_file: "{{ run_directory }}/relay-token"
  delegate_to: worker-0
  become: true

- name: Leave nothing behind
  fieldops.openshift.bundle_relay:
    state: stopped
    index_digest: "{{ site_bundle_digest }}"
  delegate_to: worker-0
  become: true
"""

RETURN = r"""
relay:
  description: The running relay. Nothing in it is secret. In check mode only one that runs already.
  returned: when O(state=started)
  type: dict
  contains:
    url:
      description: Where clients find it; C(index.json) and C(blobs/sha256/<hex>) lie below.
      type: str
      sample: https://192.0.2.11:9700
    ca:
      description: The certificate that clients trust, in PEM.
      type: str
      sample: "-----BEGIN CERTIFICATE-----..."
    state:
      description: Always V(started).
      type: str
      sample: started
    kept_by:
      description: V(service) or V(job).
      type: str
      sample: service
    index_digest:
      description: The bundle that it serves.
      type: str
      sample: sha256:1f0c2d4b...
    path:
      description: Where the bundle lies.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.7-x86_64-1f0c2d4b9a77
    address:
      description: The address on which it listens.
      type: str
      sample: 192.0.2.11
    port:
      description: The port that it took.
      type: int
      sample: 9700
    allowed_addresses:
      description: Who may fetch, in normal form and order.
      type: list
      elements: str
      sample: [192.0.2.12, 192.0.2.13]
    filling:
      description: Whether it follows a bundle that is still being received.
      type: bool
      sample: true
    lifetime:
      description: The seconds after its start at which it ends.
      type: int
      sample: 14400
    started:
      description: When it was started, in UTC.
      type: str
      sample: "2026-11-21T22:00:00Z"
    expires:
      description: When it ends by itself, in UTC.
      type: str
      sample: "2026-11-22T02:00:00Z"
actions:
  description: What was done, or in check mode would be done.
  returned: success
  type: list
  elements: dict
  sample: [{"verb": "start", "relay": "relay-1f0c2d4b9a77", "kept_by": "service"}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.ensure_relay import ensure_relay
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["started", "stopped"], "default": "started"},
        "index_digest": {"type": "str", "required": True},
        "path": {"type": "path"},
        "parts": {"type": "list", "elements": "path", "default": []},
        "filling": {"type": "bool", "default": False},
        "address": {"type": "str"},
        "ports": {"type": "str", "default": "9700-9799"},
        "allowed_addresses": {"type": "list", "elements": "str"},
        "lifetime": {"type": "int", "default": 14400},
        "token": {"type": "str", "no_log": True},
        "token_file": {"type": "path", "no_log": False},
        "certificate": {"type": "str"},
        "private_key": {"type": "str", "no_log": True},
        "kept_by": {"type": "str", "choices": ["auto", "service", "job"], "default": "auto"},
        "host_root": {"type": "path", "default": "/"},
    },
    required_together=[("certificate", "private_key")],
    required_if=[
        ("state", "started", ["address", "allowed_addresses"]),
        ("state", "started", ["token", "token_file"], True),
    ],
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_relay(this.params, this.clock, check_mode=this.check_mode))


if __name__ == "__main__":
    main()
