# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""From the options of a request to the registries it may ask."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import (
    Mirror,
    MirrorRule,
    MirrorRules,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistrySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import (
        MirrorOption,
        RegistryOptions,
    )


def registry_settings(options: RegistryOptions) -> RegistrySettings:
    """Return how registries are asked as ``options`` say; raise InvalidInputError for a file that cannot be used."""
    return RegistrySettings(
        pull_secret=_pull_secret(options.pull_secret),
        rules=_mirror_rules(options),
        tls=TlsSettings(ca_file=options.ca_file),
        proxies=ProxySettings.from_environment(os.environ),
    )


def required_text(path: str, option: str) -> str:
    """Return the text of the file that ``option`` names."""
    content = read_file(Path(path))
    if content is None:
        raise InvalidInputError(f"read {option}", on=path, seen="there is no such file", advice=f"Correct {option}.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InvalidInputError(
            f"read {option}", on=path, seen="it is not UTF-8 text", advice=f"Correct {option}."
        ) from error


def _pull_secret(path: str | None) -> PullSecret:
    return PullSecret() if path is None else PullSecret.parse(required_text(path, "pull_secret"), on=path)


def _mirror_rules(options: RegistryOptions) -> MirrorRules:
    rules = MirrorRules()
    if options.registries_conf is not None:
        text = required_text(options.registries_conf, "registries_conf")
        rules = MirrorRules.parse(text, on=options.registries_conf)
    return rules.joined(MirrorRules(tuple(_rule(option) for option in options.mirrors)))


def _rule(option: MirrorOption) -> MirrorRule:
    mirrors = tuple(Mirror(location.rstrip("/"), option.insecure) for location in option.mirrors)
    source = option.source.rstrip("/")
    return MirrorRule(prefix=source, location=source, blocked=not option.contact_source, mirrors=mirrors)
