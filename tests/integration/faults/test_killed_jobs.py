# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A job that updates a site is killed at each of its writes: the next job ends as if nothing had happened."""

from __future__ import annotations

import contextlib
import random
import threading
import typing as t
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    AUTOMATION,
    automation,
    plant_automation,
)
from ansible_collections.fieldops.openshift.tests.integration.faults.write_points import BEFORE, DURING, WritePoints
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CONFIG_MAPS,
    LEASES,
    NODES,
    finish,
    kill,
)
from ansible_collections.fieldops.openshift.tests.lab import kubeconfig
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

USER = "technician"
MEMBERS = ("master-0", "worker-0", "worker-1")
SAMPLE, SEED = 1, 33
"""How many of all points are tried for each change, and which."""
PHASES = ("release", "nodes")
LOOK_SECONDS = 0.1


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={USER: ["system:masters"]}) as started:
        # It is created once only, and would be a write of the first job alone.
        started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fieldops-openshift"}})
        yield started


@pytest.fixture(scope="module")
def points(server: ApiServer) -> Iterator[WritePoints]:
    with WritePoints(server, USER) as watching:
        yield watching


class Operators:
    """What OpenShift does by itself while a site is updated; ``reboots`` are counted by node. A context manager."""

    def __init__(self, server: ApiServer, site: PhaseSite) -> None:
        self._site = site
        self._over = threading.Event()
        self._steps = iter((self._begins, self._renders, self._completes))
        self._step = next(self._steps)
        self._thread = threading.Thread(target=self._work)
        self._reboot = reboot_objects(site.rest)
        self._controller = machine_config_operator(server, self._rebooted)
        self._running = contextlib.ExitStack()
        self.reboots: Counter[str] = Counter()

    def __enter__(self) -> Operators:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._running.close()

    def _work(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            if self._step():
                self._step = next(self._steps, bool)

    def _begins(self) -> bool:
        asked = bool(self._site.requested())
        if asked:
            self._site.begin_release()
        return asked

    def _renders(self) -> bool:
        paused = self._site.is_paused("worker")
        if paused:
            self._running.enter_context(self._controller)
            self._site.render("master", "worker")
        return paused

    def _completes(self) -> bool:
        done = all(map(self._site.is_done, MEMBERS))
        if done:
            self._site.complete()
        return done

    def _rebooted(self, node: str) -> None:
        self.reboots[node] += 1
        self._reboot(node)


class Story:
    """A site, its operators, and the jobs of its technician one after another."""

    def __init__(self, server: ApiServer, bundle: WrittenBundle, folder: Path) -> None:
        self._server = server
        self.site = PhaseSite(server, bundle, folder, control_plane=1, workers=2)
        for kept in (LEASES, CONFIG_MAPS):
            self.site.rest.delete(kept)
        self.site.take_images_as_proved()
        access = folder / "technician.kubeconfig"
        token = server.token_of(USER)
        self._access = str(kubeconfig.with_token(access, server.url, server.ca_file, token))

    def job(self) -> Play:
        return self.site.start(PHASES, site_kubeconfig=self._access, site_release_timeout=120)

    @contextlib.contextmanager
    def operators(self) -> Iterator[Operators]:
        plant_automation(self.site.rest)
        try:
            with Operators(self._server, self.site) as working:
                yield working
        finally:
            for path in AUTOMATION:
                self.site.rest.delete(path)

    def end(self, reboots: Counter[str]) -> Json:
        """Return what counts of the site once all jobs have ended, without what is different in each run."""
        rest = self.site.rest
        nodes = rest.get(NODES)["items"]
        own = rest.get(CONFIG_MAPS)["items"]
        return {
            "cordoned": [one["metadata"]["name"] for one in nodes if one["spec"].get("unschedulable")],
            "proved": self.site.proved(),
            "pools": {name: (paused, sorted(notes)) for name, (paused, notes) in self.site.pools().items()},
            "automation": automation(rest),
            "locked": self.site.is_locked(),
            "release": self.site.requested(),
            "reboots": dict(reboots),
            "records": sorted(one["metadata"]["name"] for one in own),
        }


class Undisturbed(t.NamedTuple):
    writes: list[str]
    end: Json


@pytest.fixture(scope="module")
def undisturbed(
    server: ApiServer, bundle: WrittenBundle, points: WritePoints, tmp_path_factory: pytest.TempPathFactory
) -> Undisturbed:
    story = Story(server, bundle, tmp_path_factory.mktemp("undisturbed"))
    with story.operators() as operators:
        points.begin()
        run = finish(story.job())
        assert run.returncode == 0, run.stdout
        return Undisturbed(points.seen, story.end(operators.reboots))


def killed_at(story: Story, points: WritePoints, number: int, when: str) -> None:
    """Run a job that is killed at its write ``number``, then another one to its end."""
    jobs: list[Play] = []
    points.begin(number, when, lambda: kill(jobs[0]))
    jobs.append(story.job())
    first = finish(jobs[0])
    output, struck = first.stdout, points.seen[number - 1 :][:1]
    assert struck, f"the job ended before its write {number}:\n{output}"
    # What is carried out while the job is killed may be its last write.
    assert first.returncode < 0 or when == DURING, output
    points.begin()
    run = finish(story.job())
    assert run.returncode == 0, f"killed {when} {struck}:\n{output}\n{'-' * 80}\n{run.stdout}"


def every_point(writes: list[str]) -> list[tuple[int, str]]:
    return [(number, when) for number in range(1, len(writes) + 1) for when in (BEFORE, DURING)]


class Faults:
    """Kills jobs of a new site each time, and says where the next job came to another end."""

    def __init__(self, server: ApiServer, bundle: WrittenBundle, points: WritePoints, undisturbed: Undisturbed) -> None:
        self._server, self._bundle, self._points, self._undisturbed = server, bundle, points, undisturbed

    def lost(self, folder: Path, chosen: list[tuple[int, str]]) -> dict[str, Json]:
        """Return by point what is not as it is after the undisturbed job."""
        lost = {}
        for number, when in chosen:
            name = f"{number} {when} {self._undisturbed.writes[number - 1]}"
            place = folder / f"{number}-{when}"
            place.mkdir()
            end = self._end(place, number, when)
            other = {key: value for key, value in end.items() if value != self._undisturbed.end[key]}
            print(name, other or "nothing lost", flush=True)
            if other:
                lost[name] = other
        return lost

    def _end(self, folder: Path, number: int, when: str) -> Json:
        story = Story(self._server, self._bundle, folder)
        with story.operators() as operators:
            killed_at(story, self._points, number, when)
            return story.end(operators.reboots)


@pytest.fixture
def faults(server: ApiServer, bundle: WrittenBundle, points: WritePoints, undisturbed: Undisturbed) -> Faults:
    return Faults(server, bundle, points, undisturbed)


def test_killed_at_some_points_nothing_is_lost(faults: Faults, undisturbed: Undisturbed, tmp_path: Path) -> None:
    every = every_point(undisturbed.writes)
    assert faults.lost(tmp_path, random.Random(SEED).sample(every, SAMPLE)) == {}  # noqa: S311 - nothing secret


@pytest.mark.long
def test_killed_at_every_point_nothing_is_lost(faults: Faults, undisturbed: Undisturbed, tmp_path: Path) -> None:
    every = every_point(undisturbed.writes)
    print(f"{len(every)} fault points")
    assert faults.lost(tmp_path, every) == {}
