# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""release_bundle and release_bundle_info as a user runs them, and the playbooks over them, against a real registry."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.red_hat_release_key import ARMOURED
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import (
    PlayRun,
    environment_for,
    run_play,
    start_play,
)
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CANARY = "kanarienvogel"
OPENPGP_KEY = ARMOURED.decode()


@dataclass(frozen=True)
class Source:
    """A registry with a signed release."""

    registry: Registry
    release: Release
    key: SigningKey
    store: Path


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return ReleaseFactory(tmp_path_factory.mktemp("releases")).release()


@pytest.fixture
def source(release: Release, tmp_path: Path) -> Iterator[Source]:
    with Registry() as registry, Keyring() as keyring:
        registry.publish(release)
        key = keyring.create("release")
        store = SignatureStore(tmp_path / "signatures")
        store.sign(keyring, key, release.reference)
        (tmp_path / "release.asc").write_text(key.public_key)
        yield Source(registry, release, key, store.directory)


def options(source: Source, folder: Path, **more: t.Any) -> dict[str, t.Any]:
    mirror = {"source": "quay.io", "mirrors": [source.registry.host], "contact_source": False}
    return {
        "path": str(folder / "bundle"),
        "version": "4.21.3",
        "trusted_keys": [str(folder / "release.asc")],
        "signature_stores": [str(source.store)],
        "mirrors": [mirror],
        "ca_file": str(source.registry.ca_file),
        "pull_secret": str(source.registry.pull_secret),
        "wait": True,
        "wait_timeout": 100,
        **more,
    }


def run(folder: Path, module: str, arguments: dict[str, t.Any], *words: str) -> PlayRun:
    task = {f"fieldops.openshift.{module}": arguments}
    return run_play(folder, task, *words, XDG_STATE_HOME=str(folder / "state"))


def test_a_bundle_is_built_shown_and_left_alone_the_second_time(source: Source, tmp_path: Path) -> None:
    first = run(tmp_path, "release_bundle", options(source, tmp_path))
    assert (first.result["changed"], first.result["progress"]["done"]) == (True, True)
    assert first.result["bundle"]["version"] == "4.21.3"
    assert len(first.result["bundle"]["images"]) == len(source.release.images)
    assert first.result["signature_config_map"]["kind"] == "ConfigMap"
    assert first.result["signers"] == [source.key.fingerprint]
    assert first.result["actions"][0]["build"] == str(tmp_path / "bundle")
    assert "is complete: 9 images, index sha256:" in first.output
    assert f", release signed by {source.key.fingerprint[-16:]}" in first.result["progress"]["sentence"]
    assert all(entry["sentence"] in first.output for entry in first.result["timeline"])
    second = run(tmp_path, "release_bundle", options(source, tmp_path))
    assert (second.result["changed"], second.result["actions"], second.result["fetched"]) == (False, [], 0)
    assert second.result["bundle"] == first.result["bundle"]


def test_check_mode_tells_and_writes_nothing(source: Source, tmp_path: Path) -> None:
    seen = run(tmp_path, "release_bundle", options(source, tmp_path), "--check").result
    assert (seen["changed"], seen["forecast"]["version"]) == (True, "4.21.3")
    assert not (tmp_path / "bundle").exists()


def test_without_waiting_it_is_begun_and_looked_at(source: Source, tmp_path: Path) -> None:
    first = run(tmp_path, "release_bundle", options(source, tmp_path, wait=False)).result
    assert first["changed"] is False
    deadline = time.monotonic() + 60
    while not first["progress"]["done"] and time.monotonic() < deadline:
        first = run(tmp_path, "release_bundle", options(source, tmp_path, wait=False)).result
    assert (first["changed"], first["bundle"]["version"]) == (True, "4.21.3")


def test_an_error_says_what_and_where_and_the_next_run_tries_again(source: Source, tmp_path: Path) -> None:
    blob = source.release.components["etcd"].instances[0].layers[-1].blob
    faults.flip_byte(source.registry.storage, blob.digest)
    seen = run(tmp_path, "release_bundle", options(source, tmp_path)).result
    assert (seen["failed"], seen["error"]["transient"]) == (True, False)
    assert str(blob.digest) in seen["msg"]
    assert seen["error"]["on"] == str(source.release.reference_of("etcd"))
    source.registry.storage.overwrite(blob.digest, source.release.pool.read(blob.digest))
    assert run(tmp_path, "release_bundle", options(source, tmp_path)).result["changed"] is True


def test_what_is_inside_is_told_and_verified(source: Source, tmp_path: Path) -> None:
    built = run(tmp_path, "release_bundle", options(source, tmp_path)).result
    question = {"path": str(tmp_path / "bundle"), "index_digest": built["bundle"]["index_digest"]}
    quick = run(tmp_path, "release_bundle_info", question).result
    assert (quick["intact"], quick["trusted"], quick["trusted_by"]) == (None, True, "index_digest")
    blob = Path(tmp_path / "bundle/blobs/sha256" / source.release.image.digest.hex)
    blob.write_bytes(blob.read_bytes().replace(b"2", b"3", 1))
    assert run(tmp_path, "release_bundle_info", question).result["intact"] is False, "manifests are read each time"
    full = run(tmp_path, "release_bundle_info", {**question, "verification": "full", "wait": True}).result
    assert (full["intact"], len(full["damage"])) == (False, 1)
    assert full["damage"][0]["images"] == [str(source.release.reference.by_digest())]
    assert "blobs damaged" in full["progress"]["sentence"]


def test_a_release_that_is_not_verified_is_warned_about(source: Source, tmp_path: Path) -> None:
    task = {"fieldops.openshift.release_bundle": options(source, tmp_path, trusted_keys=[])}
    output, _unused = start_play(tmp_path, task, XDG_STATE_HOME=str(tmp_path / "state")).communicate(timeout=120)
    name = "quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64"
    assert f"[WARNING]: trusted_keys is empty: the signature of {name} was not verified." in output
    assert ", release not verified" in output


def test_without_keys_only_red_hats_own_key_counts_for_red_hats_repository(source: Source, tmp_path: Path) -> None:
    wanted = options(source, tmp_path)
    del wanted["trusted_keys"]
    seen = run(tmp_path, "release_bundle", wanted).result
    assert (seen["failed"], seen["error"]["kind"]) == (True, "signature")
    assert f"{source.key.fingerprint}: its key is not among the trusted ones" in seen["msg"]


def test_without_a_digest_and_keys_nothing_vouches_for_it(source: Source, tmp_path: Path) -> None:
    built = run(tmp_path, "release_bundle", options(source, tmp_path)).result["bundle"]
    seen = run(tmp_path, "release_bundle_info", {"path": str(tmp_path / "bundle")}).result
    assert (seen["trusted"], seen["index_digest"], seen["bundle"]) == (None, built["index_digest"], built)
    assert seen["trust_warnings"] == ["No digest and no key was specified: this bundle is not verified."]
    assert seen["progress"]["sentence"].endswith(f"; index {built['index_digest']}, not verified")


@pytest.mark.parametrize("proof", ["index_digest", "trusted_keys"])
@pytest.mark.parametrize("content", [b'{"a":[[', b"\0" * 1000, b""])
@pytest.mark.parametrize("verification", [pytest.param("quick", marks=pytest.mark.long), "full"])
def test_an_index_that_is_not_proved_is_not_parsed(
    tmp_path: Path, proof: str, content: bytes, verification: str
) -> None:
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle/index.json").write_bytes(content)
    (tmp_path / "key.asc").write_text(OPENPGP_KEY)
    proofs = {"index_digest": f"sha256:{'0' * 64}", "trusted_keys": [str(tmp_path / "key.asc")]}
    question = {"path": str(tmp_path / "bundle"), "verification": verification, proof: proofs[proof], "wait": True}
    seen = run(tmp_path, "release_bundle_info", question).result
    digest = hashlib.sha256(content).hexdigest()
    assert (seen["failed"], seen["trusted"], seen["index_digest"]) == (False, False, f"sha256:{digest}")
    assert "bundle" not in seen
    assert seen["trust_problem"] in seen["progress"]["sentence"]


@pytest.mark.long
def test_a_bundle_goes_and_stays_away(source: Source, tmp_path: Path) -> None:
    run(tmp_path, "release_bundle", options(source, tmp_path))
    gone = {"path": str(tmp_path / "bundle"), "state": "absent"}
    assert run(tmp_path, "release_bundle", gone, "--check").result["changed"] is True
    assert (tmp_path / "bundle/index.json").exists()
    assert run(tmp_path, "release_bundle", gone).result["changed"] is True
    assert not (tmp_path / "bundle").exists()
    assert run(tmp_path, "release_bundle", gone).result["changed"] is False


@pytest.mark.long
def test_a_bundle_is_copied_and_repaired_from_its_copy(source: Source, tmp_path: Path) -> None:
    built = run(tmp_path, "release_bundle", options(source, tmp_path)).result
    wanted = {"path": str(tmp_path / "site"), "state": "merged", "sources": [str(tmp_path / "bundle")], "wait": True}
    assert run(tmp_path, "release_bundle", wanted, "--check").result["changed"] is True
    copied = run(tmp_path, "release_bundle", wanted).result
    assert copied["bundle"]["index_digest"] == built["bundle"]["index_digest"]
    assert run(tmp_path, "release_bundle", wanted).result["changed"] is False
    repaired = {**wanted, "state": "repaired"}
    assert run(tmp_path, "release_bundle", repaired).result["repaired"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "/x"}, "state is present but any of the following are missing: version, image"),
        ({"path": "/x", "state": "merged"}, "state is merged but all of the following are missing: sources"),
        ({"path": "/x", "version": "4.21.3", "signing_passphrase": CANARY}, "missing parameter(s) required by"),
        ({"path": "/x", "image": "ocp-release:4"}, "registry host"),
        ({"path": "/x", "version": "4.21.3", "extra_images": ["busybox"]}, "registry host"),
    ],
)
def test_mistakes_are_told_at_once(tmp_path: Path, arguments: dict[str, t.Any], said: str) -> None:
    seen = run(tmp_path, "release_bundle", arguments)
    assert said in seen.result["msg"]
    assert CANARY not in seen.output


def test_a_controller_that_dies_leaves_the_work_to_go_on(source: Source, tmp_path: Path) -> None:
    run(tmp_path, "release_bundle", options(source, tmp_path, wait=False))
    deadline = time.monotonic() + 60
    while not (tmp_path / "bundle/index.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    seen = run(tmp_path, "release_bundle", options(source, tmp_path)).result
    assert (seen["changed"], seen["progress"]["done"]) == (True, True), (
        "what the work did is told by whoever comes for it"
    )


IMAGE_SET = """
kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  operators: [{catalog: registry.redhat.io/redhat/redhat-operator-index:v4.20}]
  additionalImages: []
"""


@pytest.mark.parametrize("words", [(), ("--check",)], ids=["built", "check mode"])
def test_keys_of_an_image_set_configuration_without_effect_are_warned_of_once(
    source: Source, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "isc.yaml").write_text(IMAGE_SET)
    arguments = options(source, tmp_path, image_set_configuration=str(tmp_path / "isc.yaml"))
    task = {"fieldops.openshift.release_bundle": arguments}
    output, _unused = start_play(tmp_path, task, *words, XDG_STATE_HOME=str(tmp_path / "state")).communicate(
        timeout=200
    )
    result = json.loads((tmp_path / "result.json").read_text())
    assert [("mirror.operators" in str(warning)) for warning in result["warnings"]] == [True], output
    assert output.count("keys without effect") == 1


HELPER = """#!/bin/sh
echo '{"ServerURL":"","Username":"lab","Secret":"kanarienvogel"}'
"""


def test_a_login_is_found_where_docker_keeps_it_and_is_nowhere_in_the_job(source: Source, tmp_path: Path) -> None:
    with Registry(credentials=Credentials("lab", CANARY)) as registry:
        registry.publish(source.release)
        for path, content in {
            "bin/docker-credential-lab": HELPER,
            "home/.docker/config.json": json.dumps({"credHelpers": {registry.host: "lab"}}),
        }.items():
            (tmp_path / path).parent.mkdir(parents=True)
            (tmp_path / path).write_text(content)
        (tmp_path / "bin/docker-credential-lab").chmod(0o755)
        mirror = {"source": "quay.io", "mirrors": [registry.host], "insecure": True, "contact_source": False}
        wanted = options(source, tmp_path, mirrors=[mirror], wait=False, ca_file=None, pull_secret=None)
        task = {"fieldops.openshift.release_bundle": {key: value for key, value in wanted.items() if value is not None}}
        user = {
            "HOME": str(tmp_path / "home"),
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            "XDG_STATE_HOME": str(tmp_path / "state"),
        }
        seen = run_play(tmp_path, task, **user)
        jobs = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
        assert jobs
        written = b"".join(path.read_bytes() for path in jobs)
        deadline = time.monotonic() + 60
        while not seen.result["progress"]["done"] and time.monotonic() < deadline:
            seen = run_play(tmp_path, task, **user)
        assert seen.result["bundle"]["version"] == "4.21.3"
        assert CANARY.encode() not in written
        assert CANARY not in seen.output


def play(folder: Path, name: str, variables: dict[str, t.Any], *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "variables.json").write_text(json.dumps(variables))
    words = ("-e", "ansible_python_interpreter={{ansible_playbook_python}}", *words)
    command = ["-i", "localhost,", "-e", f"@{folder}/variables.json", *words, name]
    return run_ansible_playbook(command, environment_for(folder, {"XDG_STATE_HOME": str(folder / "state")}))


def last_message(output: str) -> str:
    """Return the last line that a play shows of its own before the recap."""
    shown = [line for line in output.partition("PLAY RECAP")[0].splitlines() if '"msg": ' in line]
    return shown[-1]


@pytest.fixture
def survey(source: Source, tmp_path: Path) -> dict[str, t.Any]:
    """What a survey gives for the release of ``source``."""
    rules = tmp_path / "registries.conf"
    rules.write_text(source.registry.mirror_rules(["quay.io"], by_digest_only=False))
    return {
        "site_bundle": str(tmp_path / "bundle"),
        "site_release": "4.21.3",
        "site_registries_conf": str(rules),
        "site_ca_file": str(source.registry.ca_file),
        "site_pull_secret": str(source.registry.pull_secret),
        "site_release_keys": f"{tmp_path}/release.asc\n",
        "site_signature_stores": str(source.store),
    }


def test_the_playbook_builds_from_what_a_survey_gives(source: Source, survey: dict[str, t.Any], tmp_path: Path) -> None:
    built = play(tmp_path, "fieldops.openshift.create_bundle", survey)
    assert built.returncode == 0, built.stdout
    assert "changed=1" in built.stdout
    assert "openshift-console/downloads: container downloads has the pull policy Always" in built.stdout
    left_out = play(tmp_path, "fieldops.openshift.create_bundle", {**survey, "site_release_keys": ""})
    assert left_out.returncode != 0
    assert f"{source.key.fingerprint}: its key is not among the trusted ones" in left_out.stdout
    opted_out = play(tmp_path, "fieldops.openshift.create_bundle", {**survey, "site_release_keys": []}, "--check")
    assert opted_out.returncode == 0, opted_out.stdout
    assert "trusted_keys is empty" in opted_out.stdout
    again = play(tmp_path, "fieldops.openshift.create_bundle", survey)
    assert "changed=0" in again.stdout
    assert f", release signed by {source.key.fingerprint[-16:]}" in last_message(built.stdout)


def test_the_playbook_plans_and_builds_exactly_the_plan(survey: dict[str, t.Any], tmp_path: Path) -> None:
    plan, page = tmp_path / "plan.json", tmp_path / "bundle.html"
    given = {**survey, "site_bundle_plan": str(plan), "site_bundle_page": str(page), "site_bandwidth": 8}
    planned = play(tmp_path, "fieldops.openshift.create_bundle", given, "--check")
    assert planned.returncode == 0, planned.stdout
    for part in ("components of aws", "To download: ", " at 8 Mbit/s.", " free): it fits."):
        assert part in planned.stdout
    assert (plan.is_file(), page.exists(), (tmp_path / "bundle").exists()) == (True, False, False)
    refused = play(tmp_path, "fieldops.openshift.create_bundle", {**given, "site_exclude": "etcd"})
    assert refused.returncode != 0
    assert "is in the plan only" in refused.stdout
    built = play(tmp_path, "fieldops.openshift.create_bundle", given)
    assert built.returncode == 0, built.stdout
    digest = hashlib.sha256((tmp_path / "bundle/index.json").read_bytes()).hexdigest()
    assert f"sha256:{digest}" in page.read_text()


def test_words_stand_for_the_digest(survey: dict[str, t.Any], tmp_path: Path) -> None:
    book = pytest.importorskip("mnemonic").Mnemonic("english")
    pytest.importorskip("segno")
    page = tmp_path / "bundle.html"
    built = play(tmp_path, "fieldops.openshift.create_bundle", {**survey, "site_bundle_page": str(page)})
    assert built.returncode == 0, built.stdout
    digest = hashlib.sha256((tmp_path / "bundle/index.json").read_bytes()).digest()
    for line in (digest[:16], digest[16:]):
        assert book.to_mnemonic(line) in built.stdout
        assert book.to_mnemonic(line) in page.read_text()
    assert ("\u2580" in built.stdout, "<svg" in page.read_text()) == (True, True), "the QR code"
    given = {**survey, "site_trusted_keys": "", "site_bundle_digest": book.to_mnemonic(digest[:16])}
    vetted = play(tmp_path, "fieldops.openshift.inspect_bundle", given)
    assert f": intact; trusted: index sha256:{digest.hex()}" in last_message(vetted.stdout)
    for line in (digest[:16], digest[16:]):
        assert book.to_mnemonic(line) in vetted.stdout
    other = {**given, "site_bundle_digest": book.to_mnemonic(digest[16:])}
    refused = play(tmp_path, "fieldops.openshift.inspect_bundle", other)
    assert "is not trusted: its index has the digest" in " ".join(refused.stdout.split())


@pytest.mark.parametrize(
    ("variable", "named"),
    [
        ("site_release", "quay.io/hotfixes/release:4.21.3"),
        ("site_extra_files", "quay.io/charts/gateway:1"),
        ("site_image_policies", "/nonexistent/policy.yaml"),
    ],
)
def test_the_playbook_passes_on_what_else_shall_travel(
    survey: dict[str, t.Any], tmp_path: Path, variable: str, named: str
) -> None:
    refused = play(tmp_path, "fieldops.openshift.create_bundle", {**survey, variable: f"{named}\n"})
    assert refused.returncode != 0
    assert named in refused.stdout


@pytest.mark.long
def test_the_playbook_inspects_what_a_survey_gives(survey: dict[str, t.Any], tmp_path: Path) -> None:
    assert play(tmp_path, "fieldops.openshift.create_bundle", survey).returncode == 0
    inspected = play(tmp_path, "fieldops.openshift.inspect_bundle", {**survey, "site_trusted_keys": ""})
    assert inspected.returncode == 0, inspected.stdout
    digest = f"sha256:{hashlib.sha256((tmp_path / 'bundle/index.json').read_bytes()).hexdigest()}"
    assert f": intact; index {digest}, not verified" in last_message(inspected.stdout)
    assert "No digest and no key was specified: this bundle is not verified." in inspected.stdout
    vetted = play(
        tmp_path,
        "fieldops.openshift.inspect_bundle",
        {**survey, "site_trusted_keys": "", "site_bundle_digest": digest},
    )
    assert f": intact; trusted: index {digest}" in last_message(vetted.stdout)
    refused = play(
        tmp_path, "fieldops.openshift.inspect_bundle", {**survey, "site_bundle_digest": f"sha256:{'0' * 64}"}
    )
    assert refused.returncode != 0
    assert "not trusted" in refused.stdout


@pytest.mark.long
def test_the_playbooks_use_several_drives(survey: dict[str, t.Any], tmp_path: Path) -> None:
    drives = {"site_media": str(tmp_path / "b"), "site_parity": str(tmp_path / "p")}
    given = {**survey, **drives, "site_trusted_keys": ""}
    built = play(tmp_path, "fieldops.openshift.create_bundle", given)
    assert built.returncode == 0, built.stdout
    assert "changed=0" in play(tmp_path, "fieldops.openshift.create_bundle", given).stdout
    intact = play(tmp_path, "fieldops.openshift.inspect_bundle", given)
    assert intact.returncode == 0, intact.stdout
    one = play(tmp_path, "fieldops.openshift.inspect_bundle", {**survey, "site_trusted_keys": ""})
    assert one.returncode != 0
    assert "still needs drive B with" in " ".join(one.stdout.split())
    shutil.rmtree(tmp_path / "b")
    repaired = play(tmp_path, "fieldops.openshift.repair_bundle", given)
    assert repaired.returncode == 0, repaired.stdout
    assert play(tmp_path, "fieldops.openshift.inspect_bundle", given).returncode == 0


class TestVerifyBundle:
    """The role that accepts a bundle at the site."""

    @pytest.fixture
    def years(self, source: Source, tmp_path: Path) -> dict[str, str]:
        """Two bundles by one builder: the index digest of each by the name of its folder."""
        with Keyring() as keyring:
            key = keyring.create("builder")
            (tmp_path / "builder.asc").write_text(key.public_key)
            command = ["gpg", "--homedir", str(keyring.directory), "--batch", "--armor", "--export-secret-keys"]
            secret = subprocess.run(command, capture_output=True, check=True).stdout
            (tmp_path / "secret.asc").write_bytes(secret)
        digests = {}
        for name, more in (("old", {"exclude": ["etcd"]}), ("new", {})):
            wanted = options(
                source, tmp_path, path=str(tmp_path / name), signing_key=str(tmp_path / "secret.asc"), **more
            )
            digests[name] = run(tmp_path, "release_bundle", wanted).result["bundle"]["index_digest"]
        return digests

    def verify(self, folder: Path, name: str, **given: t.Any) -> subprocess.CompletedProcess[str]:
        variables = {"verify_bundle_path": str(folder / name), **given}
        role = {"name": "Verify", "ansible.builtin.include_role": {"name": "fieldops.openshift.verify_bundle"}}
        end = {"name": "End", "ansible.builtin.debug": {"msg": "accepted {{ verify_bundle_result.index_digest }}"}}
        whole = {"hosts": "localhost", "connection": "local", "gather_facts": False, "tasks": [role, end]}
        (folder / "verify.yml").write_text(json.dumps([whole]))
        return play(folder, str(folder / "verify.yml"), variables)

    def test_an_older_bundle_by_the_same_key_is_not_the_one_that_was_vetted(
        self, years: dict[str, str], tmp_path: Path
    ) -> None:
        keys = [str(tmp_path / "builder.asc")]
        replayed = self.verify(
            tmp_path, "old", verify_bundle_index_digest=years["new"], verify_bundle_trusted_keys=keys
        )
        assert replayed.returncode != 0
        assert f"its index has the digest {years['old']}, not {years['new']}" in replayed.stdout
        assert "accepted" not in replayed.stdout
        vetted = self.verify(tmp_path, "new", verify_bundle_index_digest=years["new"], verify_bundle_trusted_keys=keys)
        assert vetted.returncode == 0, vetted.stdout
        assert f"accepted {years['new']}" in vetted.stdout

    def test_without_a_digest_a_trusted_signature_is_needed(self, years: dict[str, str], tmp_path: Path) -> None:
        signed = self.verify(tmp_path, "old", verify_bundle_trusted_keys=[str(tmp_path / "builder.asc")])
        assert f"accepted {years['old']}" in signed.stdout
        foreign = self.verify(tmp_path, "old", verify_bundle_trusted_keys=[str(tmp_path / "release.asc")])
        assert foreign.returncode != 0
        assert "not among the trusted ones" in foreign.stdout
        unasked = self.verify(tmp_path, "old")
        assert unasked.returncode != 0
        assert "No digest and no key was specified: this bundle is not verified." in unasked.stdout
