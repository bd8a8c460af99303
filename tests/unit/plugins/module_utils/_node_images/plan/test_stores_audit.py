# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The books of a storage and the recorded archives, as an audit reads them; and which image a probe starts."""

from __future__ import annotations

import base64
import json

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_audit import (
    AuditError,
    Piece,
    diff_ids,
    layer_chain,
    parents,
    pieces,
    stored_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_probe import (
    Probe,
    choose_probe,
    probe_container,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledImage
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    index_with_store,
)

INDEX = index_with_store()
STORE = INDEX.stores[0]


def line(**entry: object) -> bytes:
    return json.dumps(entry).encode()


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_an_archive_is_literal_bytes_and_files() -> None:
    lines = [
        line(type=2, payload=encoded(b"header"), position=0),
        line(type=1, name="./etc/passwd", size=7, payload="crc", position=1),
        line(type=1, name="./etc/", payload=None, position=2),
        line(type=1, name_raw=encoded(b"./caf\xe9"), size=3, payload="crc", position=3),
        line(type=2, payload=encoded(b"\0\0"), position=4),
    ]
    assert list(pieces(lines)) == [
        Piece(literal=b"header"),
        Piece(name=b"./etc/passwd", size=7),
        Piece(name=b"./caf\xe9", size=3),
        Piece(literal=b"\0\0"),
    ]


@pytest.mark.parametrize("bad", [b"", b"[]", b"{}", line(type=3), line(type=2, payload="*"), line(type=1, size=4)])
def test_a_line_that_is_none_is_told(bad: bytes) -> None:
    with pytest.raises(AuditError, match="tar-split"):
        list(pieces([bad]))


def test_the_config_names_the_layers_lowest_first() -> None:
    config = json.dumps({"rootfs": {"type": "layers", "diff_ids": [str(digest("a")), str(digest("b"))]}}).encode()
    assert diff_ids(config, digest("config")) == (digest("a"), digest("b"))
    for bad in (b"no", b"{}", b'{"rootfs": {"diff_ids": ["sha256:short"]}}'):
        with pytest.raises(AuditError, match="names no layers"):
            diff_ids(bad, digest("config"))


def test_the_books_of_a_storage() -> None:
    book = [{"id": "abc", "names": ["a@sha256:1"], "layer": "top"}, {"id": "def"}]
    assert [(one.image_id, one.names, one.layer) for one in stored_images(json.dumps(book).encode())] == [
        ("abc", ("a@sha256:1",), "top"),
        ("def", (), ""),
    ]
    assert stored_images(b"") == ()
    assert parents(b'[{"id": "top", "parent": "low"}, {"id": "low"}]') == {"top": "low", "low": ""}
    for bad in (b"{}", b"[1]", b"[", b"[{}]"):
        with pytest.raises(AuditError):
            stored_images(bad)


def test_a_chain_of_layers_has_an_end() -> None:
    assert layer_chain("c", {"c": "b", "b": "a", "a": ""}, 3) == ["a", "b", "c"]
    with pytest.raises(AuditError, match="more than 3 layers"):
        layer_chain("a", {"a": "b", "b": "a"}, 3)
    with pytest.raises(AuditError, match="layer b is in none of the stores"):
        layer_chain("a", {"a": "b"}, 3)


class TestProbe:
    """Which image a container is started from, and what CRI-O is asked for."""

    def test_an_image_with_a_shell_comes_first(self) -> None:
        chosen = choose_probe(INDEX, STORE, ())
        assert chosen in STORE.images

    def test_of_a_delta_an_image_that_its_base_lacks(self) -> None:
        first, *others = STORE.images
        assert choose_probe(INDEX, STORE, others) == first

    @pytest.mark.parametrize("image", [one for one in INDEX.images if one.component])
    def test_a_request_is_a_component_or_a_name(self, image: BundledImage) -> None:
        name, component = str(image.name), str(image.component)
        assert choose_probe(INDEX, STORE, (), name) == name
        assert choose_probe(INDEX, STORE, (), component) == name

    def test_the_pod_may_write_nothing_takes_no_address_and_pulls_nothing(self) -> None:
        pod = Probe("quay.io/a/b@sha256:1", ("/usr/bin/true",)).pod("probe-1")
        (container,) = pod["spec"]["containers"]
        assert (pod["spec"]["hostNetwork"], pod["spec"]["restartPolicy"]) == (True, "Never")
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert (container["image"], container["imagePullPolicy"]) == ("quay.io/a/b@sha256:1", "Never")
        assert container["command"] == ["/usr/bin/true"]

    @pytest.mark.parametrize(
        ("listed", "found"),
        [
            ({}, ("", "")),
            (None, ("", "")),
            ({"containers": None}, ("", "")),
            ({"containers": [{"id": "a", "labels": {"io.kubernetes.pod.name": "etcd-master-0"}}]}, ("", "")),
            (
                {
                    "containers": [
                        {"id": "a", "state": "CONTAINER_EXITED"},
                        {
                            "id": "b",
                            "state": "CONTAINER_RUNNING",
                            "labels": {"io.kubernetes.pod.name": "probe-1-worker-0"},
                        },
                    ]
                },
                ("b", "CONTAINER_RUNNING"),
            ),
        ],
    )
    def test_its_container_is_found_among_all(self, listed: object, found: tuple[str, str]) -> None:
        assert probe_container(listed, "probe-1") == found
