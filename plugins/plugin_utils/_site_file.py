# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file of a site: every variable of its playbooks with its meaning, and its value where it is not the default."""

from __future__ import annotations

import re
import textwrap
import typing as t
from collections.abc import Collection, Iterable, Iterator, Mapping

import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import SiteContract, SiteVariable
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import plain

WIDTH = 118
KUBECONFIG = "site_kubeconfig"
"""Secret where it is the content of a kubeconfig; the path of one may be shown."""
USE = "ansible-playbook fieldops.openshift.update_site -e @site.yml"
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def site_file(
    contract: SiteContract, playbooks: Collection[str], values: Mapping[str, t.Any], found: Iterable[str]
) -> str:
    """Return the file, in YAML, for the variables that the ``playbooks`` read.

    ``values`` are those of the site by names without prefix; ``found`` are lines about the site for its head. Secret
    values are left out.
    """
    lines = ["---", *_comment([f"Variables of the site. Use: {USE}", *found])]
    group = ""
    for variable in contract.variables.values():
        if not {*variable.read_by} & {*playbooks}:
            continue
        if variable.group != group:
            group = variable.group
            lines += ["", f"# {group}"]
        lines += ["", *_comment([_LINK.sub(r"\1", variable.meaning)]), *_stated(variable, values)]
    return "\n".join([*lines, ""])


def _stated(variable: SiteVariable, values: Mapping[str, t.Any]) -> Iterator[str]:
    """Yield the lines of a value, or of the default in comments."""
    value = plain(values.get(variable.key, variable.default))
    if variable.secret and not _is_path(variable, value):
        yield f"# {variable.name}: secret, not written to this file"
    elif value is None:
        yield f"# {variable.name}: not set"
    elif value == variable.default:
        yield from (f"# {line}" for line in _yaml_lines(variable.name, value))
    else:
        yield from _yaml_lines(variable.name, value)


def _is_path(variable: SiteVariable, value: t.Any) -> bool:
    return variable.name == KUBECONFIG and isinstance(value, str) and value.startswith("/") and "\n" not in value


def _yaml_lines(name: str, value: t.Any) -> list[str]:
    return yaml.safe_dump({name: value}, width=WIDTH, sort_keys=False, allow_unicode=True).splitlines()


def _comment(paragraphs: Iterable[str]) -> list[str]:
    return [f"# {line}" for text in paragraphs for line in textwrap.wrap(" ".join(text.split()), WIDTH)]
