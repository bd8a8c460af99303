# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the options of a task and the environment of its user to the registries that a job asks."""

from __future__ import annotations

import base64
import json
import os
import traceback
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.request_options import (
    registry_options,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.registry_setup import (
    registry_settings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import RegistryOptions
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import (
    RegistrySettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.modules.release_bundle import SPEC

CANARY = "kanarienvogel"
DIGEST = "sha256:" + "a" * 64
VARIABLES = ("REGISTRY_AUTH_FILE", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "DOCKER_CONFIG")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the user an empty home and none of the variables that lead elsewhere, but a runtime directory."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return home


def chosen(**options: t.Any) -> RegistryOptions:
    """Return the options as the job gets them: after a way through JSON."""
    given = {name: option.get("default") for name, option in SPEC.options.items()}
    document = json.loads(json.dumps(registry_options({**given, **options}).__dict__, default=vars))
    return RegistryOptions.from_document(document)


def settings(**options: t.Any) -> RegistrySettings:
    return registry_settings(chosen(**options), SystemClock())


def auth(user: str) -> dict[str, str]:
    return {"auth": base64.b64encode(f"{user}:{CANARY}".encode()).decode()}


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def user_for(name: str, **options: t.Any) -> str | None:
    login = settings(**options).pull_secret.login_for(name)
    return login.user if login else None


class TestDefaultLogins:
    @pytest.mark.parametrize(
        ("path", "variables"),
        [
            ("run/containers/auth.json", {}),
            ("home/.config/containers/auth.json", {}),
            ("config/containers/auth.json", {"XDG_CONFIG_HOME": "config"}),
            ("home/.docker/config.json", {}),
            ("docker/config.json", {"DOCKER_CONFIG": "docker"}),
            ("chosen.json", {"REGISTRY_AUTH_FILE": "chosen.json"}),
        ],
    )
    def test_without_a_pull_secret_the_files_of_container_tools_are_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, variables: dict[str, str]
    ) -> None:
        for name, value in variables.items():
            monkeypatch.setenv(name, str(tmp_path / value))
        write(tmp_path / path, {"auths": {"quay.io": auth("found")}})
        assert user_for("quay.io/a/b") == "found"

    def test_the_oldest_file_of_docker_has_another_form(self, home: Path) -> None:
        write(home / ".dockercfg", {"https://quay.io/v1/": auth("found")})
        assert user_for("quay.io/a/b") == "found"

    def test_the_first_file_with_a_login_for_the_registry_counts(self, tmp_path: Path, home: Path) -> None:
        write(tmp_path / "run/containers/auth.json", {"auths": {"a.example": auth("run")}})
        write(home / ".config/containers/auth.json", {"auths": {"a.example": auth("config"), "b.example": {}}})
        write(home / ".docker/config.json", {"auths": {"a.example": auth("docker"), "b.example": auth("docker")}})
        assert [user_for(f"{host}.example/x") for host in "abc"] == ["run", "docker", None]

    def test_a_damaged_file_is_told_only_where_a_login_is_looked_for_in_it(self, tmp_path: Path, home: Path) -> None:
        write(tmp_path / "run/containers/auth.json", {"auths": {"a.example": auth("run")}})
        damaged = write(home / ".docker/config.json", f'{{"auths": "{CANARY}')
        assert user_for("a.example/x") == "run"
        with pytest.raises(LoginRefusedError, match="not JSON") as caught:
            user_for("b.example/x")
        assert str(damaged) in caught.value.seen

    def test_they_are_not_read_beside_a_pull_secret_or_a_chosen_file(
        self, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(home / ".docker/config.json", {"auths": {"quay.io": auth("docker")}})
        own = write(tmp_path / "own.json", {"auths": {"own.example": auth("own")}})
        assert user_for("quay.io/x", pull_secret=str(own)) is None
        monkeypatch.setenv("REGISTRY_AUTH_FILE", str(own))
        assert (user_for("quay.io/x"), user_for("own.example/x")) == (None, "own")

    def test_a_chosen_file_has_to_be_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REGISTRY_AUTH_FILE", str(tmp_path / "absent.json"))
        with pytest.raises(InvalidInputError, match=r"REGISTRY_AUTH_FILE.*absent\.json: there is no such file"):
            chosen()

    def test_paths_are_those_of_the_task_and_not_of_the_job(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(home / ".docker/config.json", {"auths": {"quay.io": auth("found")}})
        options = chosen()
        for name in ("HOME", *VARIABLES):
            monkeypatch.delenv(name, raising=False)
        login = registry_settings(options, SystemClock()).pull_secret.login_for("quay.io/x")
        assert login is not None
        assert login.user == "found"

    def test_without_a_runtime_directory_the_user_number_leads_to_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("XDG_RUNTIME_DIR")
        user = os.getuid()
        assert chosen().auth_files[:2] == (
            f"/run/containers/{user}/auth.json",
            f"/run/user/{user}/containers/auth.json",
        )


def test_a_pull_secret_may_be_a_link_and_have_a_byte_order_mark(tmp_path: Path) -> None:
    write(tmp_path / "..data/pull-secret", "\ufeff" + json.dumps({"auths": {"quay.io": auth("found")}}))
    (tmp_path / "pull-secret").symlink_to("..data/pull-secret")
    assert user_for("quay.io/x", pull_secret=str(tmp_path / "pull-secret")) == "found"


CONF = '[[registry]]\nlocation = "{}"\n[[registry.mirror]]\nlocation = "{}"\n'


def endpoints(reference: str, **options: t.Any) -> list[str]:
    return [endpoint.name for endpoint in settings(**options).rules.endpoints(ImageReference.parse(reference))]


class TestMirrors:
    def test_files_in_the_folder_beside_registries_conf_replace_earlier_rules(self, tmp_path: Path) -> None:
        conf = write(tmp_path / "registries.conf", CONF.format("a.example", "m0") + CONF.format("b.example", "m0"))
        folder = tmp_path / "registries.conf.d"
        write(folder / "20-later.conf", CONF.format("b.example", "m20"))
        write(folder / "10-earlier.conf", CONF.format("b.example", "m10") + CONF.format("c.example", "m10"))
        write(folder / "30-other.txt", CONF.format("b.example", "m30"))
        (folder / "40-folder.conf").mkdir()
        found = [endpoints(f"{host}.example/x:1", registries_conf=str(conf))[0] for host in "abc"]
        assert found == ["m0/x", "m20/x", "m10/x"]

    def test_a_file_of_another_name_stands_alone(self, tmp_path: Path) -> None:
        conf = write(tmp_path / "mirrors.conf", CONF.format("a.example", "m0"))
        write(tmp_path / "mirrors.conf.d/10.conf", CONF.format("a.example", "m10"))
        assert endpoints("a.example/x:1", registries_conf=str(conf)) == ["m0/x", "a.example/x"]

    def test_a_mistake_in_such_a_folder_is_told_by_file(self, tmp_path: Path) -> None:
        conf = write(tmp_path / "registries.conf", "")
        later = write(tmp_path / "registries.conf.d/10.conf", "[[registry")
        with pytest.raises(InvalidInputError, match="not TOML") as caught:
            settings(registries_conf=str(conf))
        assert caught.value.on == str(later)

    @pytest.mark.parametrize("name", ["registries.conf", "idms.yaml", "mirrors"])
    @pytest.mark.parametrize("form", ["yaml", "json"])
    def test_the_mirror_sets_of_a_cluster_are_known_by_content(self, tmp_path: Path, name: str, form: str) -> None:
        document = {
            "apiVersion": "config.openshift.io/v1",
            "kind": "ImageDigestMirrorSet",
            "spec": {"imageDigestMirrors": [{"source": "quay.io", "mirrors": ["m.example/q"]}]},
        }
        lines = "apiVersion: config.openshift.io/v1\nkind: ImageDigestMirrorSet\nspec:\n  imageDigestMirrors:\n"
        text = json.dumps(document) if form == "json" else f"{lines}  - {{source: quay.io, mirrors: [m.example/q]}}\n"
        path = write(tmp_path / name, text)
        assert endpoints(f"quay.io/x@{DIGEST}", registries_conf=str(path)) == ["m.example/q/x", "quay.io/x"]
        assert endpoints("quay.io/x:1", registries_conf=str(path)) == ["quay.io/x"]

    def test_a_manifest_that_cannot_be_used_is_told_by_file(self, tmp_path: Path) -> None:
        path = write(tmp_path / "mirrors.yaml", "kind: ConfigMap\n")
        with pytest.raises(InvalidInputError, match="ConfigMap") as caught:
            settings(registries_conf=str(path))
        assert caught.value.on == f"{path}: document 1, kind"

    def test_mirrors_given_as_options_may_be_urls(self) -> None:
        mirror = {"source": "https://quay.io/", "mirrors": ["https://m.example/q/"], "insecure": False}
        assert endpoints("quay.io/x:1", mirrors=[{**mirror, "contact_source": True}]) == ["m.example/q/x", "quay.io/x"]
        plain = {**mirror, "mirrors": ["http://m.example"], "contact_source": True}
        with pytest.raises(InvalidInputError, match="starts with http://"):
            settings(mirrors=[plain])
        assert endpoints("quay.io/x:1", mirrors=[{**plain, "insecure": True}]) == ["m.example/x", "quay.io/x"]


class TestCertificates:
    def test_by_default_the_folders_of_container_tools_are_read(self, home: Path) -> None:
        assert settings().certificate_folders == (
            str(home / ".config/containers/certs.d"),
            "/etc/containers/certs.d",
            "/etc/docker/certs.d",
        )

    def test_a_given_folder_counts_alone_and_has_to_be_there(self, tmp_path: Path) -> None:
        assert settings(certs_dir=str(tmp_path)).certificate_folders == (str(tmp_path),)
        with pytest.raises(InvalidInputError, match=r"certs_dir on .*absent: there is no such directory"):
            settings(certs_dir=str(tmp_path / "absent"))


HELPER = """#!/bin/sh
server=$(cat)
echo "$server" >> "$HOME/asked"
echo '{"ServerURL":"","Username":"helped","Secret":"kanarienvogel"}'
"""


@pytest.fixture
def helper(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a credential helper; return the file in which it notes what it was asked."""
    program = write(tmp_path / "bin/docker-credential-test", HELPER)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return home / "asked"


class TestCredentialHelpers:
    def test_a_helper_is_asked_when_its_host_is_needed_and_once(self, helper: Path, home: Path) -> None:
        write(home / ".docker/config.json", {"credHelpers": {"quay.io": "test"}})
        pull_secret = settings().pull_secret
        assert pull_secret.login_for("other.example/x") is None
        assert not helper.exists()
        logins = [pull_secret.login_for(f"quay.io/a/{name}") for name in "bcd"]
        assert [login.user for login in logins if login] == ["helped"] * 3
        assert helper.read_text() == "quay.io\n"

    def test_registries_conf_may_name_helpers_for_the_rest(self, helper: Path, tmp_path: Path) -> None:
        conf = write(tmp_path / "registries.conf", 'credential-helpers = ["containers-auth.json", "test"]\n')
        own = write(tmp_path / "own.json", {"auths": {"own.example": auth("own")}})
        given = {"registries_conf": str(conf), "pull_secret": str(own)}
        assert [user_for(f"{host}.example/x", **given) for host in ("own", "rest")] == ["own", "helped"]
        assert helper.read_text() == "rest.example\n"


LOUD = f"#!/bin/sh\necho {CANARY}; echo {CANARY} >&2; exit 1\n"
TWICE = base64.b64encode(f"{CANARY}{CANARY}".encode()).decode()


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"auths": {"quay.io": {"auth": f"{CANARY}!"}}}, id="no base64"),
        pytest.param({"auths": {"quay.io": {"auth": TWICE}}}, id="no colon"),
        pytest.param({"auths": {"quay.io": CANARY}}, id="no mapping"),
        pytest.param({"auths": {"quay.io": {"registrytoken": f"{CANARY}\n"}}}, id="token"),
        pytest.param({"credHelpers": {"quay.io": "loud"}}, id="helper fails"),
        pytest.param({"credsStore": "loud"}, id="store fails"),
        pytest.param(CANARY, id="no JSON"),
    ],
)
def test_no_source_that_cannot_be_used_shows_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: object
) -> None:
    write(tmp_path / "bin/docker-credential-loud", LOUD).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    options = chosen(pull_secret=str(write(tmp_path / "pull-secret.json", document)))
    with pytest.raises(FieldOpsError) as caught:
        registry_settings(options, SystemClock()).pull_secret.login_for("quay.io/x")
    error = caught.value
    shown = f"{''.join(traceback.format_exception(type(error), error, None))} {error.as_data()!r} {options!r}"
    assert CANARY not in shown
    assert TWICE not in shown


def test_what_a_job_is_given_and_what_is_set_up_shows_no_secret(helper: Path, tmp_path: Path, home: Path) -> None:
    entries = {"quay.io": auth(CANARY), "token.example": {"registrytoken": CANARY}}
    write(tmp_path / "run/containers/auth.json", {"auths": entries})
    write(home / ".docker/config.json", {"credsStore": "test"})
    options = chosen()
    made = registry_settings(options, SystemClock())
    logins = [made.pull_secret.login_for(f"{host}/x") for host in ("quay.io", "token.example", "kept.example")]
    assert all(logins)
    assert helper.exists()
    assert CANARY not in f"{options!r} {made!r} {made.pull_secret!r} {logins!r}"
    assert auth(CANARY)["auth"] not in f"{options!r} {made!r} {logins!r}"
