# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked of the OS image of a host."""

from __future__ import annotations

import enum
import re
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.asked_digest import AskedDigest
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import Entry
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import (
    POLICY,
    REGISTRY,
    ImageSpec,
    demanded_digest,
    parse_wanted,
    with_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_MIRROR = re.compile(r"[A-Za-z0-9\[][A-Za-z0-9.:\[\]_-]*(/[a-z0-9._-]+)*", re.ASCII)
_KARG = re.compile(r"[!-~]+", re.ASCII)


class State(str, enum.Enum):
    """The states that a play can ask for."""

    BOOTED = "booted"
    STAGED = "staged"
    DOWNLOADED = "downloaded"
    ROLLED_BACK = "rolled_back"
    UNSTAGED = "unstaged"

    @property
    def stages(self) -> bool:
        """Whether it wants the image to be booted, now or next."""
        return self in (State.BOOTED, State.STAGED)


class SoftReboot(str, enum.Enum):
    """Whether to prepare a reboot that keeps the kernel."""

    NEVER = "never"
    AUTO = "auto"
    REQUIRED = "required"


@dataclass(frozen=True)
class Goal:
    """One request. ``digest`` is the digest that the image must have, also the one that its name carries.

    ``leave_digest`` is the image that a rollback must get away from. ``manifests`` has, for either that is the digest
    of a manifest list, the digest of this architecture's manifest. ``source`` is where its content is read:
    "auto", "registry" or "container_storage". ``mirror`` stands in for the image's repository for that time.
    """

    state: State
    image: ImageSpec | None = None
    digest: str | None = None
    leave_digest: str | None = None
    follow_tag: bool = False
    soft_reboot: SoftReboot = SoftReboot.NEVER
    source: str = "auto"
    mirror: str | None = None
    mirror_insecure: bool = False
    kargs_present: tuple[str, ...] = ()
    kargs_absent: tuple[str, ...] = ()
    manifests: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, options: Mapping[str, t.Any]) -> Goal:
        """Return what the module's ``options`` ask for; raises InvalidInputError for what cannot be done."""
        state = State(options["state"])
        image = parse_wanted(options["image"]) if options.get("image") else None
        if image is not None and options.get("enforce_signatures"):
            image = ImageSpec(image.transport, image.name, POLICY)
        leave = options.get("leave_digest")
        digest = demanded_digest(image, options.get("digest"))
        goal = cls(
            state=state,
            image=with_digest(image, digest) if image is not None else None,
            digest=digest,
            leave_digest=str(Digest.parse(leave)) if leave else None,
            follow_tag=bool(options.get("follow_tag")),
            soft_reboot=SoftReboot(options.get("soft_reboot") or "never"),
            source=options.get("source") or "auto",
            mirror=options.get("mirror"),
            mirror_insecure=bool(options.get("mirror_insecure")),
            kargs_present=_kargs(options.get("kernel_arguments") or ()),
            kargs_absent=_kargs(options.get("kernel_arguments_absent") or ()),
        )
        _check(goal)
        return goal

    @property
    def follows(self) -> bool:
        """Whether to resolve a tag again."""
        return self.follow_tag and self.digest is None and self.image is not None and self.image.reference is not None

    def names(self, entry: Entry | None) -> bool:
        """Whether ``entry`` carries the wanted name and keeps the wanted policy on signatures."""
        if entry is None or self.image is None or entry.image is None:
            return False
        if self.image.verifies and not entry.image.verifies:
            return False
        if self.image.names_same(entry.image):
            return True
        repository, asked = self.image.repository, self.asked
        is_same = asked.is_of(entry) if asked is not None else entry.digest is None
        return repository is not None and repository == entry.image.repository and is_same

    def is_met_by(self, entry: Entry | None) -> bool:
        """Whether ``entry`` is the wanted image: the name, and the digest where one is demanded."""
        return self.names(entry) and (self.asked is None or self.asked.is_of(entry))

    def is_arrived_at(self, booted: Entry) -> bool:
        """Whether a rollback to ``booted`` has happened already."""
        if self.image is not None:
            return self.is_met_by(booted)
        return not self.leaves(booted)

    def leaves(self, entry: Entry) -> bool:
        """Whether ``entry`` is the image that a rollback must get away from."""
        left = self._asked(self.leave_digest)
        return left is not None and left.is_of(entry)

    @property
    def asked(self) -> AskedDigest | None:
        """The digest that the image must have."""
        return self._asked(self.digest)

    @property
    def every_asked(self) -> tuple[AskedDigest, ...]:
        """The digests of the image and of the one to leave."""
        found = (self.asked, self._asked(self.leave_digest))
        return tuple(one for one in found if one is not None)

    def knowing(self, asked: Sequence[AskedDigest]) -> Goal:
        """Return the same goal with what is known of its digests."""
        found = {one.digest: one.manifest for one in asked if one.manifest is not None}
        return replace(self, manifests=tuple({**dict(self.manifests), **found}.items()))

    def _asked(self, digest: str | None) -> AskedDigest | None:
        return AskedDigest(digest, dict(self.manifests).get(digest)) if digest is not None else None


def _check(goal: Goal) -> None:
    def wrong(on: str, seen: str, advice: str) -> InvalidInputError:
        return InvalidInputError("determine the requested OS image", on=on, seen=seen, advice=advice)

    if (goal.state.stages or goal.state is State.DOWNLOADED) and goal.image is None:
        raise wrong("image", f"state {goal.state.value} requires one", "Set the image.")
    if goal.state is State.ROLLED_BACK and goal.image is None and goal.leave_digest is None:
        advice = "Set image, the image to roll back to, or leave_digest, the image to roll back from."
        raise wrong("image, leave_digest", "a rollback toggles, so a repeated run would undo it", advice)
    by_name = goal.image is not None and goal.image.reference is not None
    if goal.state is State.DOWNLOADED and not by_name:
        raise wrong("image", "it is already a path on the host", "Set state staged in the window.")
    if goal.mirror is not None and (not by_name or not _MIRROR.fullmatch(goal.mirror)):
        raise wrong(
            "mirror",
            f"{goal.mirror[:200]!r} is not of the form host/repository",
            "Use the form 192.0.2.7:5000/os/image.",
        )
    if goal.source == "container_storage" and not by_name:
        raise wrong("source", "the image has no registry and repository", "Omit source.")
    twice = sorted(set(goal.kargs_present) & set(goal.kargs_absent))
    if twice:
        raise wrong(
            "kernel_arguments", f"{twice[0]!r} cannot be both present and absent", "Remove it from one of the options."
        )


def _kargs(words: Sequence[str]) -> tuple[str, ...]:
    for word in words:
        if not _KARG.fullmatch(word) or word.partition("=")[0] == "ostree":
            raise InvalidInputError(
                "read the kernel arguments",
                on=repr(word[:100]),
                seen="it is empty, contains spaces or characters that are not printable ASCII, or is managed by ostree",
                advice="Specify each argument as one word, such as nosmt or console=ttyS0.",
            )
    return tuple(dict.fromkeys(words))


def read_with(spec: ImageSpec, transport: str | None) -> ImageSpec:
    """Return ``spec`` as it must be read: by ``transport`` where its name allows that."""
    return spec.by(transport) if transport is not None and spec.transport == REGISTRY else spec
