# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same commands to the actor bootc and to the real program (FIELDOPS_BOOTC): both say and do the same."""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, fields

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab import real_bootc
from ansible_collections.fieldops.openshift.tests.integration.lab.bootc_rows import (
    AGENT,
    COMPOSEFS_ROWS,
    MOVE,
    POWER_CUT,
    REBOOT,
    RESTART,
    ROWS,
    SOFT_REBOOT,
    Row,
)
from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import REPOSITORY, OsImages
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.virtual import bootc_program

ABOUT_LAYERS = re.compile(r"(layers already present|Pruned images|Total new layers|Removed layers|Added layers):.*")
PROGRESS = re.compile(r"(Deploying|Fetching bound image: .*)\.\.\.done .*")
FOLDER = "usr/lib/bootc/bound-images.d"
PLAIN = Member(f"{FOLDER}/a.image", f"[Image]\nImage={AGENT}\n".encode())
OTHER_KARGS = Member("usr/lib/bootc/kargs.d/10-test.toml", b'kargs = ["example.three=3"]\n')


@dataclass
class Names:
    """Names of images: short ones as the rows have them, whole ones as hosts are asked."""

    digests: dict[str, str]

    def whole(self, text: str) -> str:
        """Return a step with whole names."""
        text = re.sub(r"(?<![/\w])os(?=[:@])", REPOSITORY, text)
        return re.sub(r"@([\w.]+)(?!\S)", lambda found: f"@{self.digests.get(found[1], found[1])}", text)

    def short(self, text: str) -> str:
        """Return what a host says with short names."""
        for name, digest in self.digests.items():
            text = text.replace(digest, name)
        text = re.sub(r"\b[0-9a-f]{64}(?=\.|$)", "COMMIT", text, flags=re.MULTILINE)
        return text.replace(REPOSITORY, "os")


@pytest.fixture(scope="module")
def registry() -> Iterator[Registry]:
    with Registry() as made:
        yield made


@pytest.fixture(scope="module")
def images(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> OsImages:
    return OsImages(tmp_path_factory.mktemp("images"), registry)


def publish(images: OsImages, tag: str, version: str = "", *more: Member, **content: t.Any) -> str:
    return images.publish(tag, version or tag, more=(*real_bootc.ROOT_OF_IMAGE, *more), **content).digest


@pytest.fixture(scope="module")
def names(images: OsImages) -> Names:
    digests = {version: publish(images, version) for version in ("9.1", "9.2", "9.4", "9.6")}
    digests["9.3"] = publish(images, "9.3", "9.3", OTHER_KARGS)
    digests["plain"] = publish(images, "plain", "plain", PLAIN)
    images.publish("1", "1", repository=AGENT.partition(":")[0])
    digests["bound"] = publish(images, "bound", bound=(AGENT,))
    publish(images, "bare", labels=())
    listed, each = images.publish_list("9.5", "9.5", more=real_bootc.ROOT_OF_IMAGE)
    return Names({**digests, "list": listed.digest, "9.5": each["amd64"], "arm64": each["arm64"]})


class Peer:
    """A host that takes steps."""

    def __init__(self, host: ImageHost, names: Names, images: OsImages) -> None:
        self.host, self._names, self._images = host, names, images

    def take(self, step: str) -> Row:
        """Take a step and return what came of it."""
        others = {
            REBOOT: self.host.reboot,
            POWER_CUT: self.host.power_cut,
            RESTART: self.host.finalize,
            SOFT_REBOOT: self.host.soft_reboot,
            MOVE: lambda: publish(self._images, "stable", "9.6"),
        }
        if step in others:
            others[step]()
            return self.row(step)
        ended = self.host.ended(*self._names.whole(step).split())
        said = [line for line in self._names.short(ended.stdout).splitlines() if not ABOUT_LAYERS.fullmatch(line)]
        errors = [line for line in self._names.short(ended.stderr).splitlines() if not PROGRESS.fullmatch(line)]
        is_status = step.startswith("bootc status")
        return self.row(step, ended.returncode, () if is_status else tuple(said), "\n".join(errors))

    def row(self, step: str, status: int = 0, said: tuple[str, ...] = (), error: str = "") -> Row:
        document = json.loads(self.host.run("bootc", "status", "--format", "json", "--format-version", "1"))
        deployments = document["status"]
        staged, booted, rollback = (self._entry(deployments[name]) for name in ("staged", "booted", "rollback"))
        source = deployments["staged"] or deployments["booted"]
        assert document["spec"]["image"] == source["image"]["image"]
        assert document["spec"]["bootOrder"] == ("rollback" if deployments["rollbackQueued"] else "default")
        found = self._names.short(self.host.read("/run/reboot-required") or "")
        mark = found.removeprefix("bootc: Reboot required for image: ")
        queued = deployments["rollbackQueued"]
        return Row(step, staged, booted or "", rollback, queued, mark, status, said, error)

    def _entry(self, entry: dict[str, t.Any] | None) -> str | None:
        if entry is None:
            return None
        version = self._names.short(entry["image"]["imageDigest"])
        words = [f"{entry['image']['image']['image']} = {version}.{entry['ostree']['deploySerial']}"]
        words += [] if entry["softRebootCapable"] else ["hard"]
        words += ["locked"] if entry["downloadOnly"] else []
        words += [f"<- {entry['cachedUpdate']['imageDigest']}"] if entry["cachedUpdate"] else []
        return self._names.short(" ".join(words))


def make(peer: str, registry: Registry, **options: t.Any) -> ImageHost:
    lacking = bootc_program.lacking()
    if peer == "actor":
        return ImageHost(registry, programs=("bootc",), **options)
    if lacking:
        pytest.skip(lacking)
    return real_bootc.RealBootcHost(registry)


def taken(host: ImageHost, names: Names, images: OsImages, rows: tuple[Row, ...]) -> list[Row]:
    publish(images, "stable", "9.1")
    host.install(f"{REPOSITORY}:9.1")
    host.write("/etc/containers/policy.json", '{"default": [{"type": "insecureAcceptAnything"}]}')
    peer = Peer(host, names, images)
    return [peer.take(row.step) for row in rows]


@pytest.fixture(scope="module", params=["actor", "real"])
def seen(request: pytest.FixtureRequest, registry: Registry, images: OsImages, names: Names) -> list[Row]:
    with make(request.param, registry) as host:
        return taken(host, names, images, ROWS)


def require_same(found: Row, wanted: Row) -> None:
    assert re.fullmatch(wanted.error, found.error), found.error
    for one in fields(Row):
        if one.name != "error":
            assert (one.name, getattr(found, one.name)) == (one.name, getattr(wanted, one.name))


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda number: f"{number}: {ROWS[number].step}")
def test_a_host_goes_from_row_to_row(seen: list[Row], number: int) -> None:
    require_same(seen[number], ROWS[number])


def test_a_host_of_composefs_is_rebooted_softly(registry: Registry, images: OsImages, names: Names) -> None:
    with make("actor", registry, composefs=True) as host:
        for found, wanted in zip(taken(host, names, images, COMPOSEFS_ROWS), COMPOSEFS_ROWS, strict=True):
            require_same(found, wanted)
        assert host.ended("mountpoint", "/run/nextroot").returncode
        assert host.run("ls", "-d", "/run/nextroot")


@pytest.fixture(scope="module", params=["actor", "real"])
def outside(request: pytest.FixtureRequest, registry: Registry) -> Iterator[ImageHost]:
    """A machine that boots no deployment."""
    with make(request.param, registry) as host:
        host.boot_without_deployment()
        yield host


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("--version", 0),
        ("nosuch", 2),
        ("status --json", 0),
        ("status --format json --booted", 0),
        ("status --format json --format-version 1", 0),
        ("status --format json --format-version 2", 1),
        ("status --format xml", 2),
        ("switch", 2),
        ("switch a b", 2),
        ("switch --bogus a", 2),
        ("switch --soft a", 2),
        ("switch --soft-reboot=maybe a", 2),
        ("switch a", 1),
        ("upgrade", 1),
        ("update", 1),
        ("upgrade --check --apply", 2),
        ("upgrade --check --download-only", 2),
        ("upgrade --check --from-downloaded", 2),
        ("upgrade --check --soft-reboot=auto", 2),
        ("upgrade --download-only --apply", 2),
        ("upgrade --download-only --from-downloaded", 2),
        ("rollback", 1),
        ("rollback --quiet", 2),
    ],
)
def test_words_are_taken_or_refused(outside: ImageHost, words: str, status: int) -> None:
    ended = outside.ended("bootc", *words.split())
    assert ended.returncode == status, ended.stderr
    assert ended.stderr.startswith("error: ") is (status != 0)


def test_a_machine_without_deployments_is_told_with_nulls(outside: ImageHost) -> None:
    document = json.loads(outside.run("bootc", "status", "--format", "json"))
    assert document == {
        "apiVersion": "org.containers.bootc/v1",
        "kind": "BootcHost",
        "metadata": {"name": "host"},
        "spec": {"bootOrder": "default", "image": None},
        "status": {
            **dict.fromkeys(("booted", "rollback", "staged", "type", "usrOverlay")),
            "readOnly": False,
            "rollbackQueued": False,
        },
    }
