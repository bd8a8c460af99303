# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an image cannot carry to a node, found before it is built.

``/var`` belongs to the host: what an image has there reaches a host only when that is installed, never by an update.
Home directories, ``/opt``, ``/srv`` and ``/usr/local`` are links into it on RHEL CoreOS.

Sources: bootc ``docs/src/filesystem.md``; enhancement "Bootc Support for OpenShift Nodes"; machine-config-operator
``pkg/daemon/update.go`` (updateFiles, updateSSHKeys), which writes a MachineConfig's files and keys on each node.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    ContainerfilePart,
)

IN_VAR = ("/var", "/home", "/root", "/opt", "/srv", "/mnt", "/usr/local")

_PATH = r"(?:/(?:var|home|root|opt|srv|mnt|usr/local)(?:/[^\s;&|<>\"')]*)?)(?=[\s;&|<>\"')]|$)"
_WRITTEN = re.compile(rf"(?:>>?\s*|\b(?:tee(?:\s+-a)?|touch|mkdir(?:\s+-\S+)*)\s+)[\"']?(?P<path>{_PATH})")
_KEYS = re.compile(r"\S*\.ssh/authorized_keys\S*")
_SCRATCH = ("/var/tmp", "/var/cache", "/var/log", "/var/lib/dnf", "/var/lib/rpm")  # noqa: S108, named to be left out


@dataclass(frozen=True)
class Uncarried:
    """One thing that an image cannot carry.

    ``kind`` is file, directory, link, ssh_keys or password. With ``lost`` it will not be on the nodes; else the
    machine-config daemon writes it there itself, and a host that boots the image alone lacks it.
    """

    kind: str
    subject: str
    source: str
    lost: bool

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return dict(vars(self))


def uncarried_of_config(machine_config: Mapping[str, t.Any]) -> list[Uncarried]:
    """Return what of a MachineConfig no image carries, sorted."""
    name = str(machine_config["metadata"]["name"])
    ignition = (machine_config.get("spec") or {}).get("config") or {}
    storage = ignition.get("storage") or {}
    found = [
        Uncarried(kind, str(one.get("path")), name, lost=False)
        for kind, entries in (("file", "files"), ("directory", "directories"), ("link", "links"))
        for one in storage.get(entries) or ()
        if is_in_var(str(one.get("path")))
    ]
    for user in (ignition.get("passwd") or {}).get("users") or ():
        if user.get("sshAuthorizedKeys"):
            found.append(Uncarried("ssh_keys", str(user.get("name")), name, lost=False))
        if user.get("passwordHash"):
            found.append(Uncarried("password", str(user.get("name")), name, lost=False))
    return sorted(found, key=lambda one: (one.kind, one.subject))


def uncarried_of_parts(parts: Iterable[ContainerfilePart]) -> list[Uncarried]:
    """Return what the parts of a Containerfile put where no image carries it, in their order.

    Seen are the targets of COPY and ADD, and what RUN creates by redirection, tee, touch or mkdir; no more than that
    can be known without running it.
    """
    found: dict[Uncarried, None] = {}
    for part in parts:
        for keyword, words in instructions(part.content):
            for path in _targets(keyword, words):
                kind = "ssh_keys" if _KEYS.fullmatch(path) else "file"
                found[Uncarried(kind, path, f"containerfile {part.architecture}", lost=True)] = None
    return list(found)


def instructions(content: str) -> list[tuple[str, str]]:
    """Return keyword and arguments of each instruction, continued lines joined, the lines of a heredoc with it.

    Source: containers/common ``docs/Containerfile.5.md``.
    """
    found: list[tuple[str, str]] = []
    lines = iter(content.splitlines())
    for line in lines:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        while text.endswith("\\"):
            following = next(lines, "").strip()
            text = text[:-1] if following.startswith("#") else f"{text[:-1]} {following}"
            if following.startswith("#"):
                text += "\\"
        keyword, _unused, words = text.partition(" ")
        for mark in re.findall(r"<<-?[\"']?(\w+)[\"']?", words):
            body: list[str] = []
            for inner in lines:
                if inner.strip() == mark:
                    break
                body.append(inner)
            if keyword.upper() == "RUN":
                words = "\n".join([words, *body])
        found.append((keyword.upper(), words.strip()))
    return found


def is_in_var(path: str) -> bool:
    """Whether a path is in /var, also through a link that RHEL CoreOS has."""
    return any(path == place or path.startswith(f"{place}/") for place in IN_VAR)


def sentence_of(found: Iterable[Uncarried]) -> str:
    """Return what is lost, in one line; empty when nothing is."""
    lost = [f"{one.subject} ({one.source})" for one in found if one.lost]
    return f"an image cannot contain {', '.join(lost)}" if lost else ""


def _targets(keyword: str, words: str) -> list[str]:
    if keyword in ("COPY", "ADD"):
        named = [word.strip("[]\",'") for word in words.split() if not word.startswith(("--", "<<"))]
        return [named[-1]] if named and is_in_var(named[-1].rstrip("/") or "/") else []
    if keyword == "RUN":
        paths = [match["path"] for match in _WRITTEN.finditer(words)]
        return [path for path in paths if not any(path == one or path.startswith(f"{one}/") for one in _SCRATCH)]
    return []
