# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Boot images travel as the stream in the release image lists them, from the server that it names."""

from __future__ import annotations

import contextlib
import hashlib
import json
import subprocess
import threading
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import BlobProofs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.image_endpoint import ImageEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.registry.static_server import StaticServer

METAL = {
    "live.iso": ("iso", "disk"),
    "kernel": ("pxe", "kernel"),
    "initramfs.img": ("pxe", "initramfs"),
    "rootfs.img": ("pxe", "rootfs"),
    "metal.raw.gz": ("raw.gz", "disk"),
    "metal4k.raw.gz": ("4k.raw.gz", "disk"),
}
PLATFORMS = {"metal": METAL, "vmware": {"vmware.ova": ("ova", "disk")}}
FILES = {name: f"{name} of 9.8".encode() * 5000 for files in PLATFORMS.values() for name in files}
TRAVELS = {"metal": [name for name in METAL if name != "metal4k.raw.gz"], "vmware": ["vmware.ova"]}
TITLE = "org.opencontainers.image.title"


def stream(url: str, **changed: str) -> str:
    """Return a stream whose files are at ``url``, with the digests that some have in place of their own."""
    artifacts: dict[str, t.Any] = {}
    for platform, files in PLATFORMS.items():
        formats: dict[str, t.Any] = {}
        for name, (kind, part) in files.items():
            digest = changed.get(name.partition(".")[0], hashlib.sha256(FILES[name]).hexdigest())
            formats.setdefault(kind, {})[part] = {"location": f"{url}/9.8/{name}", "sha256": digest}
        artifacts[platform] = {"release": "9.8.20260428-0", "formats": formats}
    return json.dumps({"stream": "rhcos-4.21", "architectures": {"x86_64": {"artifacts": artifacts}}})


@dataclass
class Site:
    """A server with boot images, and how a release is built whose stream lists them."""

    server: StaticServer
    files: Path
    make: t.Callable[[str], Builder]


@pytest.fixture
def site(tmp_path: Path, factory: ReleaseFactory, keyring: Keyring, key: SigningKey) -> Iterator[Site]:
    files = tmp_path / "published" / "9.8"
    files.mkdir(parents=True)
    for name, content in FILES.items():
        (files / name).write_bytes(content)
    trusted = tmp_path / "release-key.asc"
    trusted.write_text(key.public_key)
    with StaticServer(files.parent) as server, Registry() as registry:

        def make(text: str) -> Builder:
            release = factory.release(ReleaseSpec(stream=text))
            registry.publish(release)
            store = SignatureStore(tmp_path / "signatures")
            store.sign(keyring, key, release.reference)
            settings = {"boot_images": ["metal", "vmware"]}
            return Builder(tmp_path / "bundle", registry, str(store.directory), str(trusted), settings)

        yield Site(server, files, make)


def carried(builder: Builder) -> dict[str, dict[str, bytes]]:
    """Return the files of each platform in the bundle, by name, as the manifests in it tell."""
    found = {}
    for image in builder.index.images:
        if image.name.registry == "boot-images.fieldops.invalid":
            assert (image.reason, image.component, image.tag) == ("file", None, None)
            manifest = json.loads(builder.folder.blob(image.manifests[0]).read_bytes())
            layers = {one["annotations"][TITLE]: one["digest"].partition(":")[2] for one in manifest["layers"]}
            content = {name: (builder.path / "blobs/sha256" / digest).read_bytes() for name, digest in layers.items()}
            found[image.name.repository] = content
    return found


def test_the_files_of_the_stream_travel(site: Site) -> None:
    builder = site.make(stream(site.server.url))
    builder.build()
    wanted = {platform: {name: FILES[name] for name in names} for platform, names in TRAVELS.items()}
    assert (carried(builder), builder.damages()) == (wanted, [])
    assert not any("4k" in path for path in site.server.requests)
    assert builder.index.signatures_unknown == ()


def test_a_second_run_asks_nobody_and_what_is_damaged_is_fetched_anew(site: Site) -> None:
    builder = site.make(stream(site.server.url))
    builder.build()
    before = tree_digest(builder.path)
    site.server.requests.clear()
    again = builder.build()
    assert (again["changed"], site.server.requests, tree_digest(builder.path)) == (False, [], before)
    (builder.path / "blobs/sha256" / hashlib.sha256(FILES["vmware.ova"]).hexdigest()).write_bytes(b"damaged")
    assert builder.build()["changed"]
    assert (site.server.requests, tree_digest(builder.path)) == (["/9.8/vmware.ova"], before)


def test_one_platform_alone(site: Site) -> None:
    builder = site.make(stream(site.server.url))
    builder.build(boot_images=["vmware"])
    assert set(carried(builder)) == {"vmware"}
    builder.build(boot_images=[])
    assert carried(builder) == {}


@contextlib.contextmanager
def served(builder: Builder) -> Iterator[str]:
    """Serve a bundle as the image source of a node does, and yield where."""
    clock = SystemClock()
    endpoint = ImageEndpoint([BundleEndpoint(builder.path, builder.index.digest)], BlobProofs(clock, {}))
    server = RelayServer(endpoint, None, AllowedPeers.parse(["127.0.0.1"]), Deadline(120, clock))
    port = server.listen("127.0.0.1", [0])
    serving = threading.Thread(target=server.serve)
    serving.start()
    yield f"http://127.0.0.1:{port}/boot-images"
    server.stop()
    serving.join(10)
    endpoint.close()


def curl(*words: str) -> bytes:
    return subprocess.run(
        ["curl", "--silent", "--fail", "--noproxy", "*", *words], check=True, capture_output=True
    ).stdout


def test_an_image_source_lists_them_and_gives_them_whole_or_by_ranges(site: Site) -> None:
    builder = site.make(stream(site.server.url))
    builder.build()
    with served(builder) as url:
        listed = {one["name"]: one["size"] for one in json.loads(curl(f"{url}/"))["files"]}
        assert listed == {name: len(FILES[name]) for names in TRAVELS.values() for name in names}
        assert curl(f"{url}/live.iso") == FILES["live.iso"]
        assert curl("--range", "5000-5999", f"{url}/vmware.ova") == FILES["vmware.ova"][5000:6000]
        with pytest.raises(subprocess.CalledProcessError):
            curl(f"{url}/metal4k.raw.gz")


def test_a_delta_leaves_out_the_files_of_its_base(site: Site, tmp_path: Path) -> None:
    builder = site.make(stream(site.server.url))
    builder.build(boot_images=["metal"])
    delta = builder.elsewhere(tmp_path / "delta")
    delta.build(base=str(builder.path))
    sizes = {blob.size for blob in delta.index.blobs.values()}
    assert (len(FILES["vmware.ova"]) in sizes, len(FILES["live.iso"]) in sizes) == (True, False)


def test_check_mode_counts_them_and_fetches_none(site: Site) -> None:
    builder = site.make(stream(site.server.url))
    told = builder.forecast()
    assert told["fetched"] > sum(len(FILES[name]) for names in TRAVELS.values() for name in names)
    assert not builder.path.exists()


def test_a_file_that_is_not_what_the_stream_says_does_not_travel(site: Site) -> None:
    builder = site.make(stream(site.server.url, live="0" * 64))
    with pytest.raises(NoSourceError):
        builder.build()
    assert builder.folder.last_index() is None


def test_a_file_that_is_not_published_is_named(site: Site) -> None:
    builder = site.make(stream(site.server.url))
    (site.files / "vmware.ova").unlink()
    with pytest.raises(TransferError, match=r"vmware\.ova.*status 404"):
        builder.build()


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", "the boot images of its machines are unknown"),
        (json.dumps({"architectures": {"x86_64": {"artifacts": {}}}}), "metal"),
        (json.dumps({"architectures": {}}), "x86_64"),
        ("no stream", "stream"),
    ],
    ids=["no stream", "not on this platform", "not for these machines", "not JSON"],
)
def test_a_release_that_does_not_list_them_is_refused(site: Site, text: str, seen: str) -> None:
    with pytest.raises(PayloadError, match=seen):
        site.make(text).build()
