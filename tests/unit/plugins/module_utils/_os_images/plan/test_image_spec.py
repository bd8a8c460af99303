# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names of OS images: how they are written, and when two of them mean the same."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import (
    POLICY,
    ImageSpec,
    demanded_digest,
    parse_refspec,
    parse_wanted,
    refspec_of,
    with_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NEW,
    OLD,
)


@pytest.mark.parametrize(
    ("text", "transport", "name"),
    [
        ("quay.io/os/image:9", "registry", "quay.io/os/image:9"),
        ("registry:quay.io/os/image:9", "registry", "quay.io/os/image:9"),
        ("docker://quay.io/os/image:9", "registry", "quay.io/os/image:9"),
        ("containers-storage:quay.io/os/image:9", "containers-storage", "quay.io/os/image:9"),
        ("oci:/srv/image", "oci", "/srv/image"),
        ("oci-archive:/srv/image.tar", "oci-archive", "/srv/image.tar"),
        ("dir:/srv/image", "dir", "/srv/image"),
        ("registry:5000/os/image", "registry", "registry:5000/os/image"),
        ("ostree-unverified-registry:quay.io/os/image:9", "registry", "quay.io/os/image:9"),
        ("ostree-unverified-image:docker://quay.io/os/image", "registry", "quay.io/os/image"),
        ("ostree-unverified-image:oci:/srv/image", "oci", "/srv/image"),
    ],
)
def test_each_way_to_write_an_image_is_understood(text: str, transport: str, name: str) -> None:
    spec = parse_wanted(text)
    assert (spec.transport, spec.name) == (transport, name)


AMBIGUOUS = ["", "image", "os/image:9", "oci:srv/image", "dir:", "quay.io/os/image:", "quay.io/os/image@sha256:12"]
HOSTILE = ["quay.io/Os", "quay.io/os/image --apply", "--apply", "quay.io/os;reboot", "ostree-unverified-image:oci:here"]


@pytest.mark.parametrize("text", AMBIGUOUS + HOSTILE)
def test_a_name_that_could_be_read_in_two_ways_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_wanted(text)


SAME = [
    ("quay.io/os/image:9", "registry:quay.io/os/image:9"),
    ("quay.io/os/image", "quay.io/os/image:latest"),
    ("QUAY.io/os/image:9", "quay.io/os/image:9"),
    (f"quay.io/os/image:9@{OLD}", f"quay.io/os/image@{OLD}"),
    (f"quay.io/os/image:9@{OLD}", f"quay.io/os/image:8@{OLD}"),
    ("docker.io/library/os:1", "index.docker.io/os:1"),
    ("containers-storage:quay.io/os/image:9", "quay.io/os/image:9"),
    ("oci:/srv//image", "oci:/srv/image"),
]
DIFFERENT = [
    ("quay.io/os/image:9", "quay.io/os/image:8"),
    (f"quay.io/os/image@{OLD}", f"quay.io/os/image@{NEW}"),
    (f"quay.io/os/image:9@{OLD}", "quay.io/os/image:9"),
    ("quay.io/os/image:9", "quay.io/other/image:9"),
    ("oci:/srv/image", "dir:/srv/image"),
    ("oci:/srv/image:a", "oci:/srv/image:b"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_of_one_image_are_the_same(one: str, other: str) -> None:
    assert parse_wanted(one).names_same(parse_wanted(other))
    assert parse_wanted(other).names_same(parse_wanted(one))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_of_two_images_differ(one: str, other: str) -> None:
    assert not parse_wanted(one).names_same(parse_wanted(other))


@pytest.mark.parametrize(
    ("refspec", "spec"),
    [
        ("ostree-unverified-registry:quay.io/os:9", ImageSpec("registry", "quay.io/os:9")),
        ("ostree-image-signed:registry:quay.io/os:9", ImageSpec("registry", "quay.io/os:9", POLICY)),
        ("ostree-unverified-image:containers-storage:quay.io/os:9", ImageSpec("containers-storage", "quay.io/os:9")),
        ("ostree-unverified-image:oci:/srv/os", ImageSpec("oci", "/srv/os")),
    ],
)
def test_what_is_given_to_rpm_ostree_is_what_it_shows(refspec: str, spec: ImageSpec) -> None:
    assert refspec_of(spec) == refspec
    assert parse_refspec(refspec) == spec


@pytest.mark.parametrize(
    ("refspec", "signature"),
    [
        ("ostree-remote-registry:site:quay.io/os:9", "ostreeRemote:site"),
        ("ostree-remote-image:site:docker://quay.io/os:9", "ostreeRemote:site"),
    ],
)
def test_images_that_a_remote_signs_are_read(refspec: str, signature: str) -> None:
    assert parse_refspec(refspec) == ImageSpec("registry", "quay.io/os:9", signature)


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("quay.io/os:9", None, None),
        ("quay.io/os:9", OLD, OLD),
        (f"quay.io/os@{OLD}", None, OLD),
        (f"quay.io/os@{OLD}", OLD, OLD),
        ("oci:/srv/os", OLD, OLD),
    ],
)
def test_a_digest_may_stand_in_the_name_or_beside_it(text: str, given: str | None, expected: str | None) -> None:
    assert demanded_digest(parse_wanted(text), given) == expected


def test_two_digests_that_differ_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="the option digest"):
        demanded_digest(parse_wanted(f"quay.io/os@{OLD}"), NEW)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quay.io/os:9", f"quay.io/os:9@{OLD}"),
        (f"quay.io/os@{NEW}", f"quay.io/os@{NEW}"),
        ("oci:/srv/os", "oci:/srv/os"),
    ],
)
def test_a_digest_becomes_a_part_of_the_name_that_keeps_its_tag(text: str, expected: str) -> None:
    assert str(with_digest(parse_wanted(text), OLD)) == expected
