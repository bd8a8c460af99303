# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Catalogs that are made here, held to opm: it validates, renders and serves them as it does the published ones."""

from __future__ import annotations

import contextlib
import json
import subprocess
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.catalog_files import CatalogFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChannelRequest,
    ChosenPackage,
    PackageRequest,
    choose_package,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.version_ranges import (
    VersionRange,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.integration.bundles.partner_catalog import (
    CATALOG,
    OTHER,
    PartnerCatalog,
    documents_by_catalog,
    installed,
    request,
)
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.network import free_port

Json = dict[str, t.Any]


class Opm:
    """The programs: opm, and a client that asks as OLM does."""

    def __init__(self, opm: Path, client: Path) -> None:
        self._opm = opm
        self._client = client

    def run(self, *words: t.Any) -> str:
        done = subprocess.run([self._opm, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def rendered(self, folder: Path) -> list[Json]:
        return objects_in(self.run("render", folder, "-o", "json"))

    def ask(self, *words: t.Any, given: t.Any = None) -> t.Any:
        done = subprocess.run(
            [self._client, *words], input=json.dumps(given), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @contextlib.contextmanager
    def served(self, folder: Path, cache: Path) -> Iterator[str]:
        """Serve a catalog as OLM's pods do where there is no cache; yield the address."""
        port = free_port("127.0.0.1")
        command = [str(self._opm), "serve", str(folder), "--port", str(port), "--termination-log", str(cache / "log")]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={"TMPDIR": str(cache)}) as server:
            lines = []
            for line in server.stderr or ():
                lines.append(line)
                if "serving registry" in line:
                    break
            else:
                pytest.fail("".join(lines))
            try:
                yield f"127.0.0.1:{port}"
            finally:
                server.kill()


def objects_in(text: str) -> list[Json]:
    found, at, decoder = [], 0, json.JSONDecoder()
    while at < len(text.rstrip()):
        document, at = decoder.raw_decode(text, at)
        found.append(document)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


@pytest.fixture(scope="module")
def opm() -> Opm:
    try:
        return Opm(program("opm"), program("catalog-client"))
    except LabError as error:
        pytest.skip(f"opm cannot be had: {error.line}")


def bundle(package: str, version: str) -> Json:
    """Return a bundle as opm writes it, its related images in the order of their names."""
    related = {"operand": f"quay.io/{package}/operand:v{version}", "debug": f"{package}/debug:{version}"}
    return {
        "schema": "olm.bundle",
        "name": f"{package}.v{version}",
        "package": package,
        "image": f"quay.io/{package}/bundle:v{version}",
        "properties": [
            {"type": "olm.gvk", "value": {"group": f"{package}.example", "kind": "Gateway", "version": "v1"}},
            {"type": "olm.package", "value": {"packageName": package, "version": version}},
            {"type": "olm.maxOpenShiftVersion", "value": "4.22"},
            {"type": "olm.csv.metadata", "value": {"displayName": f"{package} Größe <&>", "maturity": "stable"}},
        ],
        "relatedImages": [
            {"name": name, "image": related[name]} for name in sorted(related, key=lambda one: related[one])
        ],
    }


def channel(package: str, name: str, *entries: Json) -> Json:
    return {"schema": "olm.channel", "name": name, "package": package, "entries": list(entries)}


def entry(package: str, version: str, replaces: str = "", skips: t.Iterable[str] = (), skip_range: str = "") -> Json:
    found: Json = {"name": f"{package}.v{version}"}
    found.update({"replaces": f"{package}.v{replaces}"} if replaces else {})
    found.update({"skips": [f"{package}.v{one}" for one in skips]} if skips else {})
    return {**found, **({"skipRange": skip_range} if skip_range else {})}


CHAIN = [entry("gateway", f"1.{n}.0", f"1.{n - 1}.0" if n else "") for n in range(8)]
SKIPS = [
    entry("gateway", "1.4.0"),
    entry("gateway", "1.5.0", "1.4.0"),
    entry("gateway", "1.6.0", "1.4.0", ["1.5.0"]),
    entry("gateway", "1.7.0", "1.6.0"),
]
RANGES = [
    entry("storage", f"4.{n}.0", f"4.{n - 1}.0" if n > 17 else "", skip_range=f">=4.{n - 2}.0-0 <4.{n}.0")
    for n in range(17, 23)
]
DOCUMENTS: list[Json] = [
    {
        "schema": "olm.package",
        "name": "gateway",
        "defaultChannel": "all",
        "icon": {"base64data": "PHN2Zy8+", "mediatype": "image/svg+xml"},
    },
    channel("gateway", "all", *CHAIN),
    channel("gateway", "z-stream", *SKIPS),
    *(bundle("gateway", f"1.{n}.0") for n in range(8)),
    {"schema": "example.lifecycle", "name": "x", "package": "gateway", "until": 2030},
    {
        "schema": "olm.deprecations",
        "package": "gateway",
        "entries": [
            {"reference": {"schema": "olm.package"}, "message": "use another one"},
            {"reference": {"schema": "olm.channel", "name": "all"}, "message": "use z-stream"},
            {"reference": {"schema": "olm.bundle", "name": "gateway.v1.2.0"}, "message": "broken"},
            {"reference": {"schema": "olm.bundle", "name": "gateway.v1.6.0"}, "message": "old"},
        ],
    },
    {"schema": "olm.package", "name": "storage", "defaultChannel": "stable"},
    channel("storage", "stable", *RANGES),
    *(bundle("storage", f"4.{n}.0") for n in range(17, 23)),
]


class Selection(t.NamedTuple):
    """What is chosen of the catalog, from what is installed."""

    package: str
    channels: tuple[ChannelRequest, ...]
    installed: tuple[str, ...] = ()


SELECTIONS = {
    "head": Selection("gateway", (ChannelRequest(),)),
    "version": Selection("gateway", (ChannelRequest("all", version="1.3.0"),)),
    "range": Selection("gateway", (ChannelRequest("all", min_version="1.2.0", max_version="1.6.0"),)),
    "chain from 1.3": Selection("gateway", (ChannelRequest("all"),), ("1.3.0",)),
    "skips from 1.4": Selection("gateway", (ChannelRequest("z-stream"),), ("1.4.0",)),
    "skips from a skipped one": Selection("gateway", (ChannelRequest("z-stream"),), ("1.5.0",)),
    "two channels": Selection("gateway", (ChannelRequest("all"), ChannelRequest("z-stream")), ("1.5.0",)),
    "ranges from 4.17": Selection("storage", (ChannelRequest(),), ("4.17.0",)),
    "ranges from a version in between": Selection("storage", (ChannelRequest(),), ("4.18.7",)),
    "ranges from two versions": Selection("storage", (ChannelRequest(),), ("4.17.0", "4.18.0")),
    "all ranges": Selection("storage", (ChannelRequest(min_version="4.17.0"),)),
}


class Made(t.NamedTuple):
    """A published catalog, and what was made of it."""

    published: Path
    filtered: Path
    chosen: ChosenPackage

    @property
    def documents(self) -> list[Json]:
        (file,) = self.filtered.rglob("*.json")
        return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture(params=list(SELECTIONS.values()), ids=list(SELECTIONS))
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Made:
    selection: Selection = request.param
    published = tmp_path / "published"
    published.mkdir()
    (published / "catalog.json").write_text("\n".join(json.dumps(one, indent=2) for one in DOCUMENTS))
    files = CatalogFiles("catalog", {"catalog.json": published / "catalog.json"})
    running = [InstalledOperator(selection.package, version) for version in selection.installed]
    wanted = PackageRequest(selection.package, selection.channels)
    chosen = choose_package(files.records(frozenset({selection.package})), wanted, running)
    filtered = tmp_path / "filtered"
    for name, content in files.filtered({chosen.name: chosen}).items():
        (filtered / name).mkdir(parents=True)
        (filtered / name / "catalog.json").write_bytes(content)
    return Made(published, filtered, chosen)


def test_the_published_catalog_is_a_valid_one(opm: Opm, made: Made) -> None:
    opm.run("validate", made.published)


def test_a_catalog_of_a_selection_is_valid(opm: Opm, made: Made) -> None:
    opm.run("validate", made.filtered)


def test_opm_renders_it_as_it_is_written(opm: Opm, made: Made) -> None:
    assert opm.rendered(made.filtered) == made.documents


def test_what_opm_renders_of_the_published_one_differs_only_in_what_was_left_out(opm: Opm, made: Made) -> None:
    ours = {key_of(one): comparable(one) for one in made.documents}
    theirs = {key_of(one): comparable(left_of(one, made)) for one in opm.rendered(made.published)}
    assert ours == {key: theirs[key] for key in ours}


def key_of(document: Json) -> tuple[str, str, str]:
    return document["schema"], document.get("package", ""), document.get("name", "")


def left_of(document: Json, made: Made) -> Json:
    """Return a published document as the selection leaves it."""
    names = {one.name for one in made.chosen.bundles}
    if document["schema"] == "olm.package" and document["name"] == made.chosen.name:
        return {**document, "defaultChannel": made.chosen.default_channel}
    if document["schema"] == "olm.channel":
        return {**document, "entries": [one for one in document["entries"] if one["name"] in names]}
    if document["schema"] == "olm.deprecations":
        there = {"", *names, *made.chosen.channels}
        left = [one for one in document["entries"] if one["reference"].get("name", "") in there]
        return {**document, "entries": left}
    return document


def comparable(document: Json) -> Json:
    """Return a document without the skips, to which a selection adds some."""
    if document["schema"] != "olm.channel":
        return document
    entries = [{key: value for key, value in one.items() if key != "skips"} for one in document["entries"]]
    return {**document, "entries": entries}


def test_olm_finds_in_it_every_update_that_was_promised(opm: Opm, made: Made, tmp_path: Path) -> None:
    with opm.served(made.filtered, tmp_path) as address:
        served = {(one["channel"], one["name"]): one for one in opm.ask("bundles", address)}
        assert {name for _channel, name in served} == {one.name for one in made.chosen.bundles}
        for row in made.chosen.as_data():
            for update in row["updates"]:
                versions = [update["installed"], *update["versions"]]
                for before, after in zip(versions, versions[1:]):
                    found = served[row["channel"], f"{row['package']}.v{after}"]
                    assert takes_the_place(opm, found, f"{row['package']}.v{before}", before)


def takes_the_place(opm: Opm, found: Json, name: str, version: str) -> bool:
    """Whether OLM updates the bundle ``name`` to the one that is served."""
    named = found["replaces"] == name or name in (found["skips"] or ())
    return bool(named or (found["skipRange"] and opm.ask("ranges", given=[[found["skipRange"], version]])[0]))


@pytest.mark.parametrize("made", [SELECTIONS["chain from 1.3"]], ids=["chain"], indirect=True)
def test_the_server_leads_from_one_version_to_the_next(opm: Opm, made: Made, tmp_path: Path) -> None:
    name, found = "gateway.v1.3.0", []
    with opm.served(made.filtered, tmp_path) as address:
        for _version in made.chosen.bundles:
            name = opm.ask("successor", address, "gateway", "all", name)["name"]
            found.append(name)
    assert found == [one.name for one in made.chosen.bundles]


def test_all_catalogs_in_a_bundle_are_valid_and_served(
    opm: Opm, builder: Builder, catalog: PartnerCatalog, tmp_path: Path
) -> None:
    head = catalog.documents[-1]
    head["relatedImages"].insert(0, {"name": "debug", "image": "gateway/debug:1"})
    head["properties"].append({"type": "olm.csv.metadata", "value": {"displayName": "Gateway", "maturity": "alpha"}})
    reference = {"schema": "olm.bundle", "name": "gateway.v1.2.0"}
    catalog.documents.append(
        {
            "schema": "olm.deprecations",
            "package": "gateway",
            "entries": [{"reference": reference, "message": "update soon"}],
        }
    )
    for name in (CATALOG, OTHER):
        catalog.publish({"configs/gateway/catalog.json": catalog.as_json()}, named=name)
    (first,) = request()["catalogs"]
    (second,) = request(version="1.2.0")["catalogs"]
    given = {"blocked_images": ["gateway/debug"], **installed("1.0.0")}
    builder.build(catalogs=[first, {**second, "catalog": OTHER}], **given)
    found = documents_by_catalog(builder)
    assert {
        name: [one["name"] for one in documents if one["schema"] == "olm.bundle"] for name, documents in found.items()
    } == {
        "partner-operator-index": ["gateway.v1.10.0", "gateway.v1.2.0"],
        "second-index": ["gateway.v1.2.0"],
    }
    for name, documents in found.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "catalog.json").write_text("\n".join(map(json.dumps, documents)))
        opm.run("validate", folder)
        assert opm.rendered(folder) == documents
        with opm.served(folder, tmp_path) as address:
            served = {one["name"] for one in opm.ask("bundles", address)}
        assert served == {one["name"] for one in documents if one["schema"] == "olm.bundle"}
        assert [one["schema"] for one in documents][-1] == "olm.deprecations"


RANGE_TEXTS = [
    *(
        f"{sign}{version}"
        for sign in ("", "=", "==", "!", "!=", "<", "<=", ">", ">=", "~", "=>")
        for version in ("1.2.3", "1.2.x", "1.x", "1.2.3-rc.1")
    ),
    ">=1.2.0 <1.3.0",
    ">= 1.2.0  < 1.3.0",
    "<1.0.0 || >=1.2.3 <2.0.0",
    "<1.0.0||>=1.2.3",
    ">=4.18.0-0 <4.18.5",
    "1.2",
    "",
    "nonsense",
    "|| 1.2.3",
    "1.2.3 ||",
]
RANGE_VERSIONS = [
    "0.9.9",
    "1.1.9",
    "1.2.0",
    "1.2.3-rc.1",
    "1.2.3-rc.2",
    "1.2.3",
    "1.2.9",
    "1.3.0",
    "2.0.0",
    "4.18.0-1",
    "4.18.4",
    "4.18.5",
]


def test_ranges_hold_what_they_hold_for_olm(opm: Opm) -> None:
    pairs = [[text, version] for text in RANGE_TEXTS for version in RANGE_VERSIONS]
    ours = []
    for text, version in pairs:
        found, parsed = VersionRange.parse(text), ReleaseVersion.parse(version)
        assert parsed is not None
        ours.append(None if found is None else found.holds(parsed))
    theirs = opm.ask("ranges", given=pairs)
    assert [(pair, our, their) for pair, our, their in zip(pairs, ours, theirs) if our != their] == []
