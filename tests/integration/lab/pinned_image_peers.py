# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor ``pinned_images`` and upstream's manager of PinnedImageSets, for one node over the same played CRI-O."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import tomllib  # type: ignore[import-not-found]

from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import Limits, PinnedImages
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import program

DROP_IN = "crio/crio.conf.d/50-pinned-images"
PODMAN = """#!/bin/sh
for image; do :; done
exec cat "{directory}/manifests/$(echo "$image" | tr /:@ ___)"
"""


class Images:
    """CRI-O's images as files of a directory (see playedRuntime in the component), and podman's answers beside them."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "manifests").mkdir(parents=True)

    def add(self, file: str, *images: str) -> None:
        """Add images to "available" or "held"."""
        with (self.directory / file).open("a") as names:
            names.writelines(f"{image}\n" for image in images)

    def describe(self, image: str, size: int) -> None:
        """Let podman find a manifest with one layer of ``size`` bytes."""
        layer = {"mediaType": "application/x", "digest": image.partition("@")[2], "size": size}
        place = self.directory / "manifests" / image.translate(str.maketrans("/:@", "___"))
        place.write_text(json.dumps({"schemaVersion": 2, "layers": [layer]}))

    def listed(self, file: str) -> list[str]:
        """Return the names in a file."""
        place = self.directory / file
        return place.read_text().split() if place.exists() else []

    # What follows is what the actor asks of a node.
    def holds(self, image: str) -> bool:
        self.add("looks", image)
        return image in self.listed("held")

    def size(self, image: str) -> int:
        place = self.directory / "manifests" / image.translate(str.maketrans("/:@", "___"))
        if not place.exists():
            seen = f'failed to execute podman manifest inspect for "{image}": exit status 1'
            raise LabError("size up", on=image, seen=seen, advice="None.")
        return sum(layer["size"] for layer in json.loads(place.read_text())["layers"])

    def pull(self, image: str) -> None:
        self.add("pulls", image)
        if image not in self.listed("available"):
            raise LabError("pull", on=image, seen=f"reading manifest of {image}: manifest unknown", advice="None.")
        self.add("held", image)

    def pin(self, images: Sequence[str]) -> None:
        place = self.directory / "etc" / DROP_IN
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"[crio.image]\npinned_images = {json.dumps([*images])}\n")

    def pinned(self) -> list[str]:
        """Return what the drop-in file of CRI-O pins."""
        place = self.directory / "etc" / DROP_IN
        if not place.exists():
            return []
        found: list[str] = tomllib.loads(place.read_text())["crio"]["image"]["pinned_images"]
        return found


@contextlib.contextmanager
def actor(server: ApiServer, node: str, images: Images, seconds: float) -> Iterator[None]:
    """Run the actor for a node; ``seconds`` are those of a round."""
    with PinnedImages(server.rest, node, images, Limits(round=seconds)):
        yield


@contextlib.contextmanager
def real(server: ApiServer, node: str, images: Images, seconds: float) -> Iterator[None]:
    """Run upstream's manager for a node, where /etc, podman and systemctl are not this machine's."""
    here = images.directory
    for name in ("etc", "work", "bin"):
        (here / name).mkdir(exist_ok=True)
    for name, script in {"podman": PODMAN.format(directory=here), "systemctl": "#!/bin/sh\n"}.items():
        (here / "bin" / name).write_text(script)
        (here / "bin" / name).chmod(0o755)
    (here / "auth.json").write_text('{"auths": {}}')
    (here / "registries.conf").write_text("")
    (here / "crio.sock").unlink(missing_ok=True)
    flags = {"kubeconfig": server.kubeconfig, "node": node, "images": here, "timeout": f"{round(seconds * 1000)}ms"}
    flags |= {"auth": here / "auth.json", "registries": here / "registries.conf"}
    words = " ".join(f"--{flag}={value}" for flag, value in flags.items())
    script = (
        f"mount -t overlay overlay -o lowerdir=/etc,upperdir={here}/etc,workdir={here}/work /etc\n"
        f"exec env PATH={here}/bin:$PATH {program('daemon-parts')} pinned-image-sets {words}"
    )
    process = server.workspace.start(f"pinned-{node}", ["unshare", "--mount", "sh", "-ec", script])
    try:
        yield
        process.require_running()
    finally:
        process.kill()
