# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The relays of one machine by their names and places: enough to say whether there is one, without its server."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import user_cache
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import is_in_charge
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.unit_state import PROPERTIES, parse_unit
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import relay_id
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

PLACE = "/run/fieldops-relay"
"""Where relays keep what they are made of: memory, not disk."""


class RelayPresence(t.Protocol):
    """A relay that may be there; ``place`` is its folder."""

    name: str
    place: Path

    def is_alive(self, deadline: Deadline) -> bool:
        """Whether it runs."""


class ServicePresence:
    """The relay for one bundle as a service of the systemd of ``host``."""

    name = "service"

    def __init__(self, host: Host, digest: Digest) -> None:
        self._host = host
        self._unit = f"fieldops-{relay_id(digest)}.service"
        self.place = host.path(PLACE) / relay_id(digest)

    def is_alive(self, deadline: Deadline) -> bool:
        """Whether the service runs."""
        asked = ["systemctl", "show", self._unit, f"--property={','.join(PROPERTIES)}"]
        return parse_unit(self._host.run(asked, deadline=deadline).stdout).is_alive


class JobPresence:
    """The relay for one bundle as a job below the private folder ``base``."""

    name = "job"

    def __init__(self, host: Host, base: Path, digest: Digest) -> None:
        self._jobs = Jobs(host, base / "jobs")
        self._id = relay_id(digest)
        self.place = base / self._id

    def is_alive(self, deadline: Deadline) -> bool:
        """Whether the job runs."""
        status = self._jobs.poll(self._id, deadline=deadline)
        return status is not None and not status.is_finished


def private_base() -> Path:
    """Return the folder in which this user's relays are kept."""
    return user_cache("relays")


def is_kept_as_service(host: Host, kept_by: str) -> bool:
    """Whether ``kept_by`` means a service, as ``auto`` does if this host can have one; raises RelayError."""
    can_serve = os.geteuid() == 0 and is_in_charge(host)
    if kept_by == ServicePresence.name and not can_serve:
        raise RelayError(
            "keep the relay as a service",
            on=str(host),
            seen="this user is not root, or the host was not booted with systemd",
            advice="Run as root (become: true), or keep it as a job.",
        )
    if can_serve and kept_by != JobPresence.name:
        return True
    if host.is_mounted:
        raise RelayError(
            "keep the relay as a job",
            on=str(host),
            seen="a job would run in the helper pod and end with it",
            advice="Keep it as a service of the host.",
        )
    return False


def is_left(relay: RelayPresence, deadline: Deadline) -> bool:
    """Whether there is anything of the relay."""
    return relay.place.exists() or relay.is_alive(deadline)


def is_relaying(host: Host, digest: Digest, deadline: Deadline, kept_by: str = "auto") -> bool:
    """Whether there is anything on the host that ``stop_relay`` would end for the bundle with this index."""
    try:
        as_service = is_kept_as_service(host, kept_by)
    except RelayError:  # no relay can be kept here
        return False
    relay: RelayPresence = ServicePresence(host, digest) if as_service else JobPresence(host, private_base(), digest)
    return is_left(relay, deadline)
