# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""site_kit with real pip and small wheels: what is in a kit, and what a second run makes of it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.kit.conftest import KitBuilder
from ansible_collections.fieldops.openshift.tests.integration.kit.small_wheels import small_wheel


def lock_of(kit: Path) -> dict[str, t.Any]:
    document: dict[str, t.Any] = json.loads((kit / "kit.json").read_text())
    return document


def versions(kit: Path, target: str) -> dict[str, str]:
    return {one["name"]: one["version"] for one in lock_of(kit)["wheels"] if target in one["targets"]}


def contents(kit: Path) -> dict[str, bytes]:
    return {str(path.relative_to(kit)): path.read_bytes() for path in kit.rglob("*") if path.is_file()}


def test_a_kit_holds_for_each_python_the_newest_wheels_that_fit_together(builder: KitBuilder) -> None:
    kit = builder.made(pythons=["3.10", "3.12"], architectures=["x86_64", "aarch64"])["kit"]
    others = dict.fromkeys(("jmespath", "kubernetes", "mnemonic", "netaddr", "openshift", "pip", "segno"), "40.0")
    for machine in ("x86_64", "aarch64"):
        old, new = (versions(builder.path, f"{python}-{machine}") for python in ("3.10", "3.12"))
        assert old == {**others, "ansible-core": "2.17.1", "cffi": "2.1", "resolvelib": "1.0"}
        assert new == {**others, "ansible-core": "2.21.1", "cffi": "2.1"}
    assert {one.name for one in (builder.path / "wheels").iterdir()} == {
        one["file"] for one in lock_of(builder.path)["wheels"]
    }
    assert (kit["pythons"], kit["architectures"]) == (["3.10", "3.12"], ["x86_64", "aarch64"])
    assert kit["wheels"] == len(lock_of(builder.path)["wheels"]) == 14
    assert_checksums_are_complete(builder.path, kit["digest"])


def assert_checksums_are_complete(kit: Path, digest: str) -> None:
    sums = (kit / "SHA256SUMS").read_bytes()
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=kit, check=True)
    named = {line.split("  ", 1)[1] for line in sums.decode().splitlines()}
    assert named == contents(kit).keys() - {"SHA256SUMS"}
    assert digest == f"sha256:{hashlib.sha256(sums).hexdigest()}"


def test_check_mode_and_later_runs_change_nothing(builder: KitBuilder) -> None:
    """The order of CONTRIBUTING: check mode, the same, check mode again, the same again."""
    planned = builder.build("--check").result
    assert planned["changed"]
    nothing: dict[str, t.Any] = {"digest": None, "signed": False, "damaged": []}
    assert planned["diff"] == {"before": nothing, "after": {**nothing, "digest": "not known yet"}}
    assert not builder.path.exists()
    first = builder.made()
    assert first["changed"]
    before = contents(builder.path)
    assert not builder.build("--check").result["changed"]
    second = builder.made()
    assert not second["changed"]
    assert second["kit"] == first["kit"]
    assert contents(builder.path) == before


def test_wheels_stay_as_they_are_pinned_until_they_are_refreshed(made_builder: KitBuilder) -> None:
    small_wheel(made_builder.index, "netaddr", "41.0")
    assert not made_builder.made()["changed"]
    refreshed = made_builder.made(refresh_wheels=True)
    assert refreshed["changed"]
    assert versions(made_builder.path, "3.12-x86_64")["netaddr"] == "41.0"
    assert not list((made_builder.path / "wheels").glob("netaddr-40*"))


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_what_is_missing_or_damaged_is_restored(made_builder: KitBuilder, damage: str) -> None:
    before = contents(made_builder.path)
    (wheel,) = (made_builder.path / "wheels").glob("cffi-*")
    for path in (wheel, made_builder.path / "install.pyz"):
        path.unlink() if damage == "missing" else path.write_bytes(b"damaged")
    assert made_builder.build("--check").result["changed"]
    (diff,) = made_builder.made()["diff"]
    assert (diff["before"]["damaged"], diff["after"]["damaged"]) == (["install.pyz", f"wheels/{wheel.name}"], [])
    assert contents(made_builder.path) == before


def test_a_wheel_that_the_index_has_changed_is_not_accepted(made_builder: KitBuilder) -> None:
    (made_builder.path / "wheels" / "netaddr-40.0-py3-none-any.whl").unlink()
    small_wheel(made_builder.index, "netaddr", "40.0", ["another"])
    run = made_builder.build()
    assert "no file of this name with the pinned digest" in run.result["msg"]


def test_requirements_that_do_not_fit_together_are_an_error(builder: KitBuilder) -> None:
    small_wheel(builder.index, "netaddr", "50.0", ["cffi<2"])
    run = builder.build()
    assert run.result["error"]["kind"] == "command_failed"
    assert "cffi" in run.result["msg"]


def test_a_package_without_a_wheel_is_an_error(builder: KitBuilder) -> None:
    for wheel in builder.index.glob("cffi-*aarch64*"):
        wheel.unlink()
    assert "cffi" in builder.build(architectures=["aarch64"]).result["msg"]


def test_a_folder_with_other_files_is_refused(builder: KitBuilder) -> None:
    builder.path.mkdir()
    (builder.path / "index.json").touch()
    run = builder.build()
    assert "the folder contains index.json" in run.result["msg"]
    assert [path.name for path in builder.path.iterdir()] == ["index.json"]


def test_documentation_and_an_execution_environment_are_included_on_request(
    made_builder: KitBuilder, tmp_path: Path
) -> None:
    (tmp_path / "html" / "docs").mkdir(parents=True)
    (tmp_path / "html" / "docs" / "page.html").write_text("page")
    (tmp_path / "environment.tar").write_bytes(b"image")
    more = {"documentation": str(tmp_path / "html"), "execution_environment": str(tmp_path / "environment.tar")}
    assert made_builder.made(**more)["changed"]
    assert not made_builder.made(**more)["changed"]
    kept = contents(made_builder.path)
    assert (kept["documentation/docs/page.html"], kept["execution-environment.tar"]) == (b"page", b"image")
    assert made_builder.made()["changed"]
    assert not [name for name in contents(made_builder.path) if name.startswith(("documentation", "execution"))]


def test_an_installed_collection_becomes_the_same_archive_each_time(
    made_builder: KitBuilder, archive: Path, tmp_path: Path
) -> None:
    """create_kit packs the collection that it belongs to, where no archive is given."""
    galaxy = [
        "ansible-galaxy",
        "collection",
        "install",
        str(archive),
        "--offline",
        "--no-deps",
        "--force",
        "-p",
        "installed",
    ]
    subprocess.run(galaxy, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    installed = tmp_path / "installed" / "ansible_collections" / "fieldops" / "openshift"
    assert made_builder.made(collection=str(installed))["changed"]
    assert not made_builder.made(collection=str(installed))["changed"]
    again = [*galaxy[:3], str(made_builder.path / archive.name), *galaxy[4:-1], "again"]
    subprocess.run(again, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert contents(tmp_path / "again") == contents(tmp_path / "installed")
    (installed / "README.md").write_text("changed")
    assert "README.md was changed after the installation" in made_builder.build(collection=str(installed)).result["msg"]


def test_a_source_tree_is_no_installed_collection(builder: KitBuilder) -> None:
    run = builder.build(collection=str(builder.folder))
    assert "it has no MANIFEST.json" in run.result["msg"]
    assert "ansible-galaxy collection build" in run.result["msg"]
