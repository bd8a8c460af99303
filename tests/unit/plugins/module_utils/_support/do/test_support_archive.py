# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive of a site: no secret of any source is in it, and what cannot be had costs that part alone."""

from __future__ import annotations

import gzip
import io
import json
import stat
import tarfile
import typing as t
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED, Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do import support_archive as made
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.support_archive import support_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.cluster_sources import OBJECTS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

NOW = datetime(2026, 11, 21, 22, 0, 0, tzinfo=timezone.utc)
TOP = "fieldops-support-20261121T220000Z"
CANARY = "cAnArY0123456789xYz"
IN_USE = "credential-in-use"
Found = dict[str, str]


class Api:
    """A client that has one object of each kind, with secrets, or answers some kinds otherwise."""

    def __init__(self, last_seen: str = "2026-11-21T21:00:00Z", **answers: Answer) -> None:
        self._last_seen = last_seen
        self.access = SimpleNamespace(secrets=frozenset({IN_USE}), server="https://api.example:6443")
        self.asked: list[str] = []
        self._answers = answers

    def listing(self, call: Call, *, once: bool) -> list[dict[str, t.Any]]:
        assert once
        kind = call.kind.kind
        self.asked.append(kind)
        answer = self._answers.get(kind)
        if answer is not None:
            raise ApiError(call, answer, server=self.access.server)
        return [{**leaky(kind), "lastTimestamp": self._last_seen}]


def leaky(kind: str) -> dict[str, t.Any]:
    applied = {"kubectl.kubernetes.io/last-applied-configuration": CANARY, "kept": f"saw {IN_USE}"}
    return {
        "kind": kind,
        "metadata": {"name": "one", "annotations": applied, "managedFields": [CANARY]},
        "spec": {"config": {"storage": {"files": [f"data:,{CANARY}"]}}, "password": CANARY, "osImageURL": "q/os"},
        "data": {"script": f"curl -H 'Authorization: Bearer {CANARY}'", "auths": {"q": CANARY}},
    }


def make(path: Path, api: Api | None = None, **options: t.Any) -> t.Any:
    params = {"path": str(path), "hours": 24, "limit_mib": 1, "nodes": [], "archives": {}, "reports": {}, "reasons": {}}

    def connect() -> t.Any:
        if api is None:
            raise InvalidInputError(
                "reach the API", on="kubeconfig", seen=f"token={CANARY} is none", advice="Give one."
            )
        return api

    given = {**params, "forecasts": {}, **options}
    check = given.pop("check_mode", False)
    return support_archive(given, FakeClock(), connect, {"collection": "0.1.0"}, check_mode=check)


def unpacked(path: Path) -> Found:
    with tarfile.open(path) as archive:
        found = {}
        for member in archive:
            assert member.isreg()
            assert member.name.startswith(f"{TOP}/")
            found[member.name[len(TOP) + 1 :]] = t.cast("t.IO[bytes]", archive.extractfile(member)).read().decode()
        return found


def states(found: Found) -> dict[str, tuple[str, str]]:
    return {part["name"]: (part["state"], part["reason"]) for part in json.loads(found["manifest.json"])["parts"]}


def node_archive(path: Path, *members: tuple[tarfile.TarInfo, bytes], manifest: t.Any = None) -> str:
    told = json.dumps({"parts": manifest or []}).encode()
    with tarfile.open(path, "w:gz") as archive:
        for member, content in (*members, (tarfile.TarInfo("manifest.json"), told)):
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return str(path)


def member(name: str, **more: t.Any) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    for key, value in more.items():
        setattr(made, key, value)
    return made


def test_no_secret_of_any_source_is_in_it(tmp_path: Path) -> None:
    brought = node_archive(tmp_path / "0", (member("journal/crio.log"), f"it used {IN_USE} here".encode()))
    result = make(
        tmp_path,
        Api(),
        nodes=["a", "b"],
        archives={"a": brought},
        reports={"a": {"bundles": [f"https://u:{CANARY}@h/"], "token": CANARY}},
        forecasts={"b": {"msg": f"password={CANARY}"}},
        reasons={"b": f"login with --password {CANARY}, then {IN_USE}"},
    )
    found = unpacked(Path(result.objects["archive"]["path"]))
    for name, text in {**found, "the result": json.dumps(result.objects)}.items():
        assert CANARY not in text, name
        assert IN_USE not in text, name
    assert {source.name for source in OBJECTS} <= found.keys()
    assert all('"osImageURL": "q/os"' in found[source.name] for source in OBJECTS)
    assert found["nodes/a/journal/crio.log"] == "it used ******** here"
    assert [part["name"] for part in result.objects["missing"]] == ["nodes/b"]


def test_it_is_whole_at_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    result = make(tmp_path, Api())
    path = Path(result.objects["archive"]["path"])
    assert path == tmp_path / f"{TOP}.tar.gz"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert result.objects["archive"]["size"] == path.stat().st_size
    manifest = json.loads(unpacked(path)["manifest.json"])
    assert (manifest["versions"], manifest["hours"], manifest["made"]) == (
        {"collection": "0.1.0"},
        24,
        "2026-11-21T22:00:00Z",
    )


def test_what_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "reached", lambda _connect: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        make(tmp_path, Api())
    assert list(tmp_path.iterdir()) == []


def test_check_mode_asks_nothing_and_writes_nothing(tmp_path: Path) -> None:
    api = Api()
    trial = make(tmp_path, api, check_mode=True)
    assert (trial.changed, api.asked, list(tmp_path.iterdir())) == (True, [], [])
    assert trial.objects["archive"]["path"] == str(tmp_path / f"{TOP}.tar.gz")
    assert make(tmp_path, api).diff == trial.diff


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        make(tmp_path / "none", Api())


@pytest.mark.parametrize("option", [{"hours": 0}, {"limit_mib": 0}, {"limit_mib": 4096}])
def test_options_without_sense_are_refused(tmp_path: Path, option: dict[str, int]) -> None:
    with pytest.raises(InvalidInputError):
        make(tmp_path, Api(), **option)


@pytest.mark.parametrize(
    ("answer", "state", "said"),
    [
        (Answer(403, reason="Forbidden", message="no"), "refused", "Forbidden"),
        (Answer(401, reason="Unauthorized", message="no"), "refused", "Unauthorized"),
        (Answer(404, reason=KIND_NOT_SERVED, message="not served"), "absent", "not served"),
        (Answer(500, reason="InternalError", message=f"token={CANARY}"), "failed", "InternalError"),
    ],
    ids=["forbidden", "unauthorized", "not served", "broken"],
)
def test_a_kind_that_is_not_granted_costs_that_kind_alone(
    tmp_path: Path, answer: Answer, state: str, said: str
) -> None:
    result = make(tmp_path, Api(Node=answer))
    found = unpacked(Path(result.objects["archive"]["path"]))
    told = states(found)
    assert told["cluster/Node.json"][0] == state
    assert said in told["cluster/Node.json"][1]
    assert CANARY not in found["manifest.json"]
    assert {name for name, (seen, _reason) in told.items() if seen != "collected"} == {"cluster/Node.json"}


def test_an_api_that_goes_away_is_asked_no_more_and_nodes_are_there(tmp_path: Path) -> None:
    api = Api(ClusterOperator=Answer(None, reason="ConnectionRefused", message="refused", transient=True))
    brought = node_archive(tmp_path / "0", (member("journal/crio.log"), b"pulled"))
    found = unpacked(Path(make(tmp_path, api, nodes=["a"], archives={"a": brought}).objects["archive"]["path"]))
    assert api.asked == ["ClusterVersion", "ClusterOperator"]
    told = states(found)
    assert {name: state for name, (state, _reason) in told.items() if name.startswith("cluster")} == {
        "cluster/ClusterVersion.config.openshift.io.json": "collected",
        "cluster": "away",
    }
    named = json.loads(found["manifest.json"])["parts"][1]["source"]
    assert all(source.source in named for source in OBJECTS[1:])
    assert OBJECTS[0].source not in named
    assert found["nodes/a/journal/crio.log"] == "pulled"


def test_without_any_access_nodes_are_there(tmp_path: Path) -> None:
    brought = node_archive(tmp_path / "0", (member("journal/crio.log"), b"pulled"))
    found = unpacked(Path(make(tmp_path, None, nodes=["a"], archives={"a": brought}).objects["archive"]["path"]))
    assert set(found) == {"nodes/a/journal/crio.log", "manifest.json"}
    assert states(found)["cluster"][0] == "away"
    assert CANARY not in found["manifest.json"]


@pytest.mark.parametrize(("last_seen", "kept"), [("2026-11-21T21:00:00Z", 1), ("2026-11-21T20:59:59Z", 0)])
def test_events_before_the_time_span_are_left_out(tmp_path: Path, last_seen: str, kept: int) -> None:
    found = unpacked(Path(make(tmp_path, Api(last_seen), hours=1).objects["archive"]["path"]))
    assert len(json.loads(found["cluster/default/Event.json"])) == kept
    assert len(json.loads(found["cluster/Node.json"])) == 1


def test_the_manifest_of_a_node_says_what_its_parts_are(tmp_path: Path) -> None:
    told = [
        {"name": "journal/crio.log", "source": "journalctl", "state": "cut", "size": 6, "reason": "long"},
        {"name": "commands/x", "source": "x", "state": "failed", "size": 0, "reason": "it ended with status 1"},
    ]
    brought = node_archive(tmp_path / "0", (member("journal/crio.log"), b"pulled"), manifest=told)
    result = make(tmp_path, Api(), nodes=["a"], archives={"a": brought})
    seen = states(unpacked(Path(result.objects["archive"]["path"])))
    assert seen["nodes/a/journal/crio.log"] == ("cut", "long")
    assert [(part["name"], part["source"]) for part in result.objects["missing"]] == [
        ("nodes/a/commands/x", "node a: x")
    ]


HOSTILE = {
    "way out": (member("../../etc/passwd"), "nodes/_../a/_../_../etc/passwd"),
    "absolute": (member("/etc/passwd"), "nodes/_../a/etc/passwd"),
    "letters": (member("a\u202eb\nc"), "nodes/_../a/a_b_c"),
}


@pytest.mark.parametrize(("hostile", "name"), HOSTILE.values(), ids=HOSTILE.keys())
def test_names_of_a_node_are_made_safe(tmp_path: Path, hostile: tarfile.TarInfo, name: str) -> None:
    brought = node_archive(tmp_path / "0", (hostile, b"content"))
    found = unpacked(Path(make(tmp_path, Api(), nodes=["../a"], archives={"../a": brought}).objects["archive"]["path"]))
    assert found[name.replace("_../a/", "_.._a/", 1)] == "content"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_nothing_but_files_is_taken_over(tmp_path: Path, kind: bytes) -> None:
    brought = node_archive(tmp_path / "0", (member("x", type=kind, linkname="/etc/passwd"), b""))
    found = unpacked(Path(make(tmp_path, Api(), nodes=["a"], archives={"a": brought}).objects["archive"]["path"]))
    assert not [name for name in found if name.startswith("nodes/")]


def bomb(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        huge = member("x", size=32 * 1024 * 1024)
        archive.addfile(huge, io.BytesIO(bytes(huge.size)))


def many(path: Path) -> None:
    node_archive(path, *[(member(f"x{number}"), b"") for number in range(5001)])


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_bytes(b"no archive"), "gzip"),
        (lambda path: path.write_bytes(gzip.compress(b"no archive" * 100)), ""),
        (lambda path: path.write_bytes(path.read_bytes()[:-30]), "end-of-stream"),
        (bomb, "unpacks to more"),
        (many, "more than 5000 members"),
        (lambda path: path.unlink(), "does not exist"),
    ],
    ids=["no gzip", "no tar", "cut off", "bomb", "many members", "gone"],
)
def test_an_archive_that_is_none_costs_that_node_alone(tmp_path: Path, spoil: t.Any, said: str) -> None:
    whole = node_archive(tmp_path / "1", (member("journal/crio.log"), b"pulled"))
    spoilt = tmp_path / "0"
    node_archive(spoilt, (member("journal/crio.log"), b"pulled" * 100))
    spoil(spoilt)
    result = make(tmp_path, Api(), nodes=["a", "b"], archives={"a": str(spoilt), "b": whole})
    found = unpacked(Path(result.objects["archive"]["path"]))
    state, reason = states(found)["nodes/a"]
    assert (state, found["nodes/b/journal/crio.log"]) == ("failed", "pulled")
    assert said in reason
