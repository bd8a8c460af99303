# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What programs for OS images print, and what images say of themselves."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_status import (
    bootc_status,
    read_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_keeping import Record
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_content import (
    bound_image,
    instance_digest,
    kernel_arguments,
    listed_paths,
    stored_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_uncarried import (
    instructions,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import parse_wanted
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.own_kernel_arguments import (
    newest_entry,
    staged_arguments,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import (
    bootc_version,
    rpm_ostree_version,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.rpm_ostree_status import (
    rpm_ostree_status,
)
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader, as_text, seed

DIGEST = "sha256:" + "b" * 64
BOOTED = {
    "image": {
        "image": {"image": "quay.io/os/image:9.6", "transport": "registry"},
        "version": "9.6.1",
        "timestamp": "2026-11-01T10:00:00Z",
        "imageDigest": DIGEST,
        "architecture": "amd64",
    },
    "cachedUpdate": None,
    "incompatible": False,
    "pinned": False,
    "store": "ostreeContainer",
    "ostree": {"stateroot": "default", "checksum": "c" * 64, "deploySerial": 0},
}
BOOTC = {
    "apiVersion": "org.containers.bootc/v1",
    "kind": "BootcHost",
    "metadata": {"name": "host"},
    "spec": {"image": {"image": "quay.io/os/image:9.6", "transport": "registry"}, "bootOrder": "default"},
    "status": {"staged": None, "booted": BOOTED, "rollback": BOOTED, "rollbackQueued": False, "type": "bootcHost"},
}
DEPLOYMENT = {
    "booted": True,
    "staged": False,
    "pinned": False,
    "osname": "rhcos",
    "checksum": "c" * 64,
    "timestamp": 1_790_000_000,
    "version": "9.6.1",
    "container-image-reference": f"ostree-unverified-registry:quay.io/os/image@{DIGEST}",
    "container-image-reference-digest": DIGEST,
    "requested-packages": [],
}
RPM_OSTREE = {"deployments": [DEPLOYMENT, {**DEPLOYMENT, "booted": False}], "transaction": None, "cached-update": None}
LIST = {"schemaVersion": 2, "manifests": [{"digest": DIGEST, "platform": {"architecture": "amd64", "os": "linux"}}]}
ENTRY = b"title a\nversion 2\noptions root=UUID=1 rw lab.one=1\nx-options-source-fieldops lab.one=1\n"
STAGED = b"kargs\0\0\0rw\0lab.one=1\0\x03\x0d\0as\x06x-options-source-fieldops\0lab.one=1\0\0s"
LISTING = b"-00644 0 0 31 /usr/lib/bootc/kargs.d/10.toml\nl00777 0 0 0 /usr/lib/a -> b\n"


def _bootc(content: bytes) -> object:
    return bootc_status(read_document(as_text(content)))


def _rpm_ostree(content: bytes) -> object:
    return rpm_ostree_status(_output(content))


def _output(content: bytes) -> t.Any:
    return CommandResult(("program",), 0, as_text(content), "", 0.0).json()


def _names(content: bytes) -> object:
    return stored_names(_output(content))


def _instance(content: bytes) -> object:
    return instance_digest(_output(content), "x86_64")


def _arguments(content: bytes) -> object:
    return kernel_arguments([as_text(content)], "x86_64")


def _listing(content: bytes) -> object:
    return listed_paths(as_text(content))


def _quadlet(content: bytes) -> object:
    return bound_image(as_text(content))


def _versions(content: bytes) -> object:
    return bootc_version(as_text(content)), rpm_ostree_version(as_text(content))


def _record(content: bytes) -> object:
    return Record.from_document(_output(content))


def _containerfile(content: bytes) -> object:
    return instructions(as_text(content))


def _loader_entry(content: bytes) -> object:
    return newest_entry([as_text(content), "version 1\noptions a"])


def _image(content: bytes) -> object:
    return parse_wanted(as_text(content))


READERS = (
    Reader("bootc_status", _bootc, (seed(BOOTC),)),
    Reader("rpm_ostree_status", _rpm_ostree, (seed(RPM_OSTREE),)),
    Reader("images_json", _names, (seed([{"id": "1", "names": ["quay.io/a/b:1"]}]),)),
    Reader("manifest_list", _instance, (seed(LIST),)),
    Reader("kernel_arguments", _arguments, (b'match-architectures = ["x86_64"]\nkargs = ["a=b", \'c\']\n',)),
    Reader("ostree_ls", _listing, (LISTING,)),
    Reader("quadlet", _quadlet, (b"[Image]\nImage=quay.io/a/b:1\n",)),
    Reader("program_versions", _versions, (b"bootc 1.16.9\n", b"rpm-ostree:\n Version: '2025.7'\n")),
    Reader("host_record", _record, (seed({}),)),
    Reader("containerfile", _containerfile, (b"FROM a\nRUN a \\\n  b\nCOPY <<E /etc/x\nc\nE\n",)),
    Reader("loader_entry", _loader_entry, (ENTRY, b"version 2.1\noptions quiet")),
    Reader("staged_deployment", staged_arguments, (STAGED,)),
    Reader("os_image_name", _image, (b"quay.io/os/image:9.6@" + DIGEST.encode(), b"oci:/path", b"docker://quay.io/a")),
)
