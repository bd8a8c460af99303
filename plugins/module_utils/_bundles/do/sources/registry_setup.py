# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the options of a request to the registries it may ask."""

from __future__ import annotations

import os
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    yaml_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.credential_helpers import (
    CredentialHelpers,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import (
    MirrorOption,
    RegistryOptions,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.auth_file import AuthFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_sets import (
    is_manifest,
    mirror_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistrySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    Mirror,
    MirrorRule,
    MirrorRules,
    location_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.registries_conf import RegistriesConf

_REGISTRIES_CONF = "registries.conf"


def registry_settings(options: RegistryOptions, clock: Clock) -> RegistrySettings:
    """Return how registries are asked as ``options`` say; raise InvalidInputError for a file that cannot be used."""
    conf = _registries_conf(options)
    helpers = CredentialHelpers(clock)
    return RegistrySettings(
        pull_secret=PullSecret(_auth_files(options), ask_helper=helpers.login, helpers=conf.credential_helpers),
        rules=conf.rules.joined(MirrorRules(tuple(_rule(option) for option in options.mirrors))),
        tls=TlsSettings(ca_file=options.ca_file),
        proxies=ProxySettings.from_environment(os.environ),
        certificate_folders=options.certs_dirs,
    )


def required_text(path: str, option: str) -> str:
    """Return the text of the file that ``option`` names, which may be a link."""
    text = _text(path, option)
    if text is None:
        raise InvalidInputError(f"read {option}", on=path, seen="there is no such file", advice=f"Correct {option}.")
    return text


def _text(path: str, option: str) -> str | None:
    # Files that a container platform mounts are links, and so are those of some people's home.
    content = read_file(Path(os.path.realpath(path)))
    try:
        return None if content is None else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # That error has the content of the file, which may be secret.
        raise InvalidInputError(
            f"read {option}", on=path, seen="it is not UTF-8 text", advice=f"Correct {option}."
        ) from None


def _auth_files(options: RegistryOptions) -> list[AuthFile]:
    if options.pull_secret is not None:
        text = required_text(options.pull_secret, "pull_secret")
        return [AuthFile.parse(text, on=options.pull_secret)]
    found = (_default_auth_file(path) for path in options.auth_files)
    return [file for file in found if file is not None]


def _default_auth_file(path: str) -> AuthFile | None:
    # The user has not named this file: a problem with it is reported when a login is looked up in it.
    try:
        text = _text(path, "pull_secret")
        return None if text is None else AuthFile.parse(text, on=path, legacy=Path(path).name == ".dockercfg")
    except (InvalidInputError, FileAccessError) as error:
        return AuthFile(path, problem=error.seen)


def _registries_conf(options: RegistryOptions) -> RegistriesConf:
    path = options.registries_conf
    if path is None:
        return RegistriesConf(MirrorRules())
    text = required_text(path, "registries_conf")
    if is_manifest(text):
        return RegistriesConf(mirror_sets(yaml_documents(text.encode(), on=path), on=path))
    conf = RegistriesConf.parse(text, on=path)
    for later in _drop_ins(Path(path)):
        conf = conf.joined(RegistriesConf.parse(required_text(str(later), "registries_conf"), on=str(later)))
    return conf


def _drop_ins(path: Path) -> list[Path]:
    """Return the files of containers-registries.conf.d(5) next to a registries.conf, in their order."""
    folder = path.with_name(f"{path.name}.d")
    if path.name != _REGISTRIES_CONF or not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.suffix == ".conf" and file.is_file())


def _rule(option: MirrorOption) -> MirrorRule:
    def location(text: str) -> str:
        return location_in(text, insecure=option.insecure, on="mirrors")

    mirrors = tuple(Mirror(location(mirror), option.insecure) for mirror in option.mirrors)
    return MirrorRule(location(option.source), blocked=not option.contact_source, mirrors=mirrors)
