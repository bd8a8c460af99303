# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each action as a command of bootc, rpm-ostree, ostree or skopeo; success is never read from what they print.

Sources: bootc ``crates/lib/src/cli.rs``, rpm-ostree ``src/app/rpmostree-builtin-*.cxx``, ostree-admin-undeploy(1).
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import OsImageChangeError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal, SoftReboot, read_with
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import Backend
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import (
    CONTAINER_STORAGE,
    REGISTRY,
    ImageSpec,
    refspec_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import (
    Action,
    Kind,
    Seen,
    lacking_kargs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.own_kernel_arguments import SOURCE
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Trait, written

UNCHANGED = 77
"""The exit status of rpm-ostree for an unchanged system, where that was requested."""

BOOTC_STATUS = ("bootc", "status", "--format", "json", "--format-version", "1")
OLD_BOOTC_STATUS = ("bootc", "status", "--json")
RPM_OSTREE_STATUS = ("rpm-ostree", "status", "--json")
BOOTC_VERSION = ("bootc", "--version")
RPM_OSTREE_VERSION = ("rpm-ostree", "--version")
RPM_OSTREE_KARGS = ("rpm-ostree", "kargs")
REPOSITORY = "/sysroot/ostree/repo"
WRITABLE_REPOSITORY = "/run/fieldops-openshift/ostree-repo"
"""Where ``do/writable_repository.py`` mounts it for a download."""
PULLED = "ostree/container/image"
"""Where refs to pulled images begin (ostree-ext ``container/store.rs``, IMAGE_PREFIX)."""

Argv = tuple[str, ...]


def command_for(action: Action, seen: Seen, goal: Goal, *, auth_file: str | None = None) -> Argv:
    """Return the command that does ``action``; raises OsImageChangeError where there is none for this host."""
    makers: dict[Kind, t.Callable[[], Argv]] = {
        Kind.SWITCH: lambda: _switch(action, seen, goal),
        Kind.UPGRADE: lambda: _upgrade(seen, goal),
        Kind.UNLOCK: lambda: ("bootc", "upgrade", "--from-downloaded"),
        Kind.DISCARD: lambda: _discard(seen),
        Kind.ROLLBACK: lambda: _rollback(seen),
        Kind.DOWNLOAD: lambda: _download(seen, goal, auth_file),
        Kind.KERNEL_ARGUMENTS: lambda: _kernel_arguments(seen, goal),
    }
    return makers[action.kind]()


def stored_digest_command(image: ImageSpec) -> Argv:
    """Return the command that prints the digest of the image in the container storage, or fails."""
    return ("skopeo", "inspect", "--format", "{{.Digest}}", _stored(image))


def pulled_digest_command(image: ImageSpec) -> Argv:
    """Return the command that prints, in quotes, the digest of the image in the repository of ostree, or fails."""
    # ostree-ext, refescape.rs
    escaped = re.sub(
        r"//|[^0-9A-Za-z/]",
        lambda found: "".join(f"_{ord(one):02X}_" for one in found[0]),
        f"docker://{_without_tag_beside_digest(image)}",
    )
    return (
        "ostree",
        f"--repo={REPOSITORY}",
        "show",
        "--print-metadata-key=ostree.manifest-digest",
        f"{PULLED}/{escaped}",
    )


def pulls(seen: Seen, goal: Goal) -> bool:
    """Whether an image is downloaded into the repository of ostree, which takes what is new alone."""
    status = seen.status
    has_repository = status.backend is Backend.BOOTC and not status.booted.is_composefs
    return has_repository and goal.source != "container_storage" and seen.programs.can(Trait.PULL)


def remote_manifest_command(image: ImageSpec, auth_file: str | None) -> Argv:
    """Return the command that prints the manifest of the image as its registry has it."""
    auth = (f"--authfile={auth_file}",) if auth_file else ()
    return ("skopeo", "inspect", "--raw", *auth, f"docker://{_without_tag_beside_digest(image)}")


def manifest_commands(digest: str, repositories: Sequence[str], auth_file: str | None) -> list[Argv]:
    """Return the commands that print the manifest with ``digest``, of the container storage and of registries."""
    auth = (f"--authfile={auth_file}",) if auth_file else ()
    inspect = ("skopeo", "inspect", "--raw")
    stored = [(*inspect, f"{CONTAINER_STORAGE}:{name}@{digest}") for name in repositories]
    return stored + [(*inspect, *auth, f"docker://{name}@{digest}") for name in repositories]


def _switch(action: Action, seen: Seen, goal: Goal) -> Argv:
    image = read_with(_image(goal), action.transport)
    if seen.status.backend is Backend.RPM_OSTREE:
        return _rebase(image, seen)
    words = ["bootc", "switch"]
    if image.transport != REGISTRY:
        words += ["--transport", image.transport]
    if image.verifies:
        words.append("--enforce-container-sigpolicy")
    # Trait.TAG_BESIDE_DIGEST: bootc before 1.2 hands the name to containers/image as it is.
    return (*words, *_soft(seen, goal), _without_tag_beside_digest(image))


def _rebase(image: ImageSpec, seen: Seen) -> Argv:
    words = ["rpm-ostree", "rebase", "--experimental"]
    words += ["--bypass-driver"] if seen.status.update_driver else []
    # Trait.DIGEST_AS_REVISION would keep the tag, but rpm-ostree before 2025.7 refuses it.
    return (*words, refspec_of(replace(image, name=_without_tag_beside_digest(image))))


def _upgrade(seen: Seen, goal: Goal) -> Argv:
    if seen.status.backend is Backend.RPM_OSTREE:
        driver = ("--bypass-driver",) if seen.status.update_driver else ()
        return ("rpm-ostree", "upgrade", *driver, "--unchanged-exit-77")
    return ("bootc", "upgrade", *_soft(seen, goal))


def _soft(seen: Seen, goal: Goal) -> Argv:
    # Never "required": that fails after having staged, and without composefs "auto" does so too.
    # Nor for other kernel arguments, which are set afterwards and require another start of the kernel.
    is_capable = seen.status.booted.soft_reboot_capable is not None and seen.is_composefs
    is_possible = is_capable and not lacking_kargs(seen.kargs, goal)
    return ("--soft-reboot=auto",) if is_possible and goal.soft_reboot is not SoftReboot.NEVER else ()


def _discard(seen: Seen) -> Argv:
    staged = seen.status.staged
    # For rpm-ostree a queued rollback is pending as well, and would be removed together with what is staged.
    if seen.has_rpm_ostree and not seen.status.rollback_queued:
        return ("rpm-ostree", "cleanup", "-p")
    if staged is not None and staged.is_composefs:
        if staged.verity is not None and seen.programs.can(Trait.DELETE_DEPLOYMENT):
            return ("bootc", "delete-deployment", staged.verity)
        raise OsImageChangeError(
            "discard the staged deployment",
            on=str(staged.image),
            seen="the host stores its deployments with composefs, where this bootc "
            f"({written(seen.programs.bootc) or 'of an unknown version'}) has no command for this",
            advice="Switch to the booted image, which replaces the staged one.",
            partial={"os_image": seen.status.as_document()},
        )
    return ("ostree", "admin", "undeploy", "0")


def _rollback(seen: Seen) -> Argv:
    rollback = seen.status.rollback
    is_plain = rollback is not None and rollback.image is None
    if seen.status.backend is Backend.RPM_OSTREE or (is_plain and seen.has_rpm_ostree):
        return ("rpm-ostree", "rollback")
    return ("bootc", "rollback")


def _download(seen: Seen, goal: Goal, auth_file: str | None) -> Argv:
    image = _image(goal)
    auth = (f"--authfile={auth_file}",) if auth_file else ()
    if pulls(seen, goal):
        refspec = refspec_of(replace(image, name=_without_tag_beside_digest(image)))
        return ("bootc", "internals", "ostree-container", "image", "pull", *auth, WRITABLE_REPOSITORY, refspec)
    source = f"docker://{_without_tag_beside_digest(image)}"
    return ("skopeo", "copy", "--quiet", "--preserve-digests", *auth, source, _stored(image))


def _stored(image: ImageSpec) -> str:
    return f"{CONTAINER_STORAGE}:{_without_tag_beside_digest(image)}"


def _without_tag_beside_digest(image: ImageSpec) -> str:
    # containers/image refuses a reference with both.
    reference = image.reference
    if reference is None:
        return image.name
    return str(replace(reference, tag=None) if reference.digest else reference)


def _kernel_arguments(seen: Seen, goal: Goal) -> Argv:
    if not seen.has_rpm_ostree:
        kept = [word for word in seen.own_kargs if word not in goal.kargs_absent]
        words = [*kept, *(word for word in goal.kargs_present if word not in (seen.kargs or ()))]
        options = ("--options", " ".join(words)) if words else ()
        return ("bootc", "loader-entries", "set-options-for-source", "--source", SOURCE, *options)
    added = [f"--append-if-missing={word}" for word in goal.kargs_present]
    removed = [f"--delete-if-present={word}" for word in goal.kargs_absent]
    return ("rpm-ostree", "kargs", "--unchanged-exit-77", *added, *removed)


def _image(goal: Goal) -> ImageSpec:
    if goal.image is None:
        raise OsImageChangeError(
            "switch the OS image", on="image", seen="no image is set", advice="Set the image.", partial={}
        )
    return goal.image
