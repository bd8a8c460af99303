#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_relay
short_description: Manage a temporary HTTPS relay that serves a bundle to selected nodes
version_added: 0.1.0
author:
  - fieldops.openshift contributors (@fieldops)
description:
  - Starts or stops a relay, a small HTTPS server that serves the index of one bundle and the blobs that the index
    lists. Only clients in O(allowed_addresses) that present the token are served. Nothing else is served.
  - On a node, the relay is a transient systemd service with its own user, without capabilities, with a read-only view
    of the system, and with a firewall that admits only the allowed addresses. On a controller, it is a job of the
    user who runs the play. In both cases the relay continues after the task has ended and stops after O(lifetime).
  - The relay uses a certificate that is created for it and discarded when it ends. The certificate is part of the
    result, so that clients can trust this relay and no other server. On the serving machine, the private key and the
    token are in no file that outlives the start of the relay.
  - A machine runs at most one relay for each bundle. If a relay with the same settings runs, it is left unchanged. If
    the settings differ, it is restarted and clients resume their transfers.
extends_documentation_fragment:
  - fieldops.openshift._attributes
attributes:
  diff_mode:
    details: Shows whether the relay is running.
options:
  state:
    description:
      - V(started) ensures that the relay is running. V(stopped) stops the relay and removes everything that belongs
        to it.
    type: str
    choices: [started, stopped]
    default: started
  index_digest:
    description:
      - The vetted digest of the bundle index, V(sha256:) followed by 64 hexadecimal digits. Only content that is
        listed in this index is served.
    type: str
    required: true
  path:
    description:
      - The bundle folder on the serving machine.
      - The default is the folder below C(/var/lib/fieldops/bundles) in which M(fieldops.openshift.node_bundle) stages
        the bundle.
    type: path
  parts:
    description:
      - Additional folders on the machine, such as other drives, with blobs of the bundle that are missing in O(path).
        Each folder must contain the same C(index.json).
    type: list
    elements: path
    default: []
  filling:
    description:
      - Whether the bundle in O(path) is still being received. The relay then serves the content that has been
        verified so far and follows the transfer, so that a chain of nodes receives the bundle at the speed of a
        single node.
      - If the index does not exist yet, the relay waits for it for up to one minute.
    type: bool
    default: false
  address:
    description:
      - The IP address to listen on and to advertise. Required if O(state=started).
    type: str
  ports:
    description:
      - A port, or a range of ports from which the first free port is used.
      - OpenShift keeps the ports 9000 to 9999 open between its nodes. The default range is not used by OpenShift
        services.
    type: str
    default: 9700-9799
  allowed_addresses:
    description:
      - Addresses or networks that may download. Required if O(state=started).
    type: list
    elements: str
  lifetime:
    description:
      - The time in seconds after which the relay stops, at most one day.
    type: int
    default: 14400
  token:
    description:
      - The secret that clients must present, at least 32 random characters.
      - Either O(token) or O(token_file) is required if O(state=started).
    type: str
  token_file:
    description:
      - A file on the controller that contains the token. If it does not exist, it is created and is readable only by
        its owner.
      - With this option, the secret appears in no variable and no result. Use the same path in
        M(fieldops.openshift.node_bundle).
    type: path
  certificate:
    description:
      - The certificate of the relay, in PEM format. It must be self-signed as its own authority and be valid for
        O(address).
      - By default, a certificate is created on the controller for this relay. In that case, do not set
        O(private_key).
    type: str
  private_key:
    description:
      - The private key of O(certificate), in PEM format.
    type: str
  kept_by:
    description:
      - How the relay is kept running. V(auto) uses a V(service) for root on a machine with systemd, and a V(job)
        otherwise.
    type: str
    choices: [auto, service, job]
    default: auto
  host_root:
    description:
      - The mount point of the machine's root file system, for a helper pod that works on its node.
    type: path
    default: /
requirements:
  - openssl (the command) on the controller
  - Linux, with Python on the serving machine
"""

EXAMPLES = r"""
- name: Serve the bundle from the technician's laptop to the first node
  fieldops.openshift.bundle_relay:
    path: /media/bundle
    index_digest: "{{ site_bundle_digest }}"
    address: 192.0.2.5
    allowed_addresses: [192.0.2.11]
    token_file: "{{ run_directory }}/relay-token"
  delegate_to: localhost
  register: first_relay

- name: Serve the bundle from that node while it is still receiving it
  fieldops.openshift.bundle_relay:
    index_digest: "{{ site_bundle_digest }}"
    filling: true
    address: 192.0.2.11
    allowed_addresses: [192.0.2.12, 192.0.2.13]
    token_file: "{{ run_directory }}/relay-token"
  delegate_to: worker-0
  become: true

- name: Stop the relay
  fieldops.openshift.bundle_relay:
    state: stopped
    index_digest: "{{ site_bundle_digest }}"
  delegate_to: worker-0
  become: true
"""

RETURN = r"""
relay:
  description: The running relay, without any secrets. In check mode only a relay that is already running.
  returned: when O(state=started)
  type: dict
  contains:
    url:
      description: The URL of the relay, with C(index.json) and C(blobs/sha256/<hex>) below it.
      type: str
      sample: https://192.0.2.11:9700
    ca:
      description: The certificate that clients trust, in PEM format.
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
      description: The index digest of the bundle that is served.
      type: str
      sample: sha256:1f0c2d4b...
    path:
      description: The bundle folder.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.7-x86_64-1f0c2d4b9a77
    address:
      description: The address that the relay listens on.
      type: str
      sample: 192.0.2.11
    port:
      description: The port that the relay listens on.
      type: int
      sample: 9700
    allowed_addresses:
      description: The addresses that may download, normalized and sorted.
      type: list
      elements: str
      sample: [192.0.2.12, 192.0.2.13]
    filling:
      description: Whether the relay follows a bundle that is still being received.
      type: bool
      sample: true
    lifetime:
      description: The time in seconds after its start at which the relay stops.
      type: int
      sample: 14400
    started:
      description: When the relay was started, in UTC.
      type: str
      sample: "2026-11-21T22:00:00Z"
    expires:
      description: When the relay stops, in UTC.
      type: str
      sample: "2026-11-22T02:00:00Z"
actions:
  description: The actions that were taken, or that would be taken in check mode.
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
