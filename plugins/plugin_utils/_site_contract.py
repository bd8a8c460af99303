# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The variables that a site sets for the playbooks, as ``meta/site_variables.yml`` declares them."""

from __future__ import annotations

import functools
import typing as t
from dataclasses import dataclass
from pathlib import Path

import yaml

PREFIX = "site_"
OWN = "site_own_variables"
"""The variable that names those of the site that are none of the collection's."""
CONTRACT = Path(__file__).resolve().parents[2] / "meta" / "site_variables.yml"


@dataclass(frozen=True)
class SiteVariable:
    """One variable; ``group`` is the subject it belongs to, ``meaning`` a text in Markdown.

    In a text that is a list its items are words with commas or white space between them, or white space alone where
    ``spaced``: then items may hold commas. A ``written`` file is one that a playbook writes on the controller.
    """

    name: str
    group: str
    meaning: str
    type: str
    read_by: tuple[str, ...]
    required_by: tuple[str, ...] = ()
    asked_by: tuple[str, ...] = ()
    default: t.Any = None
    choices: tuple[str, ...] = ()
    elements: str = "str"
    spaced: bool = False
    secret: bool = False
    written: bool = False

    @property
    def key(self) -> str:
        """The name under which playbooks read it."""
        return self.name[len(PREFIX) :]


@dataclass(frozen=True)
class SiteContract:
    """All variables by name, and by playbook the ``words`` that it reads from the command line."""

    variables: t.Mapping[str, SiteVariable]
    words: t.Mapping[str, tuple[str, ...]]

    @property
    def playbooks(self) -> list[str]:
        """The playbooks that read any variable."""
        return sorted({playbook for one in self.variables.values() for playbook in one.read_by})

    def read_by(self, playbook: str) -> list[SiteVariable]:
        """Return the variables that a playbook reads."""
        return [one for one in self.variables.values() if playbook in one.read_by]


def parse_contract(text: str) -> SiteContract:
    """Return the contract that a text in YAML declares."""
    stated = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    variables: dict[str, SiteVariable] = {}
    for group, named in stated["groups"].items():
        variables |= {name: _variable(name, group, facts) for name, facts in named.items()}
    words = {playbook: tuple(names) for playbook, names in stated.get("words", {}).items()}
    return SiteContract(variables, words)


@functools.cache
def site_contract() -> SiteContract:
    """Return the contract of this collection."""
    return parse_contract(CONTRACT.read_text(encoding="utf-8"))


def _variable(name: str, group: str, facts: dict[str, t.Any]) -> SiteVariable:
    lists: dict[str, t.Any] = {
        fact: tuple(facts[fact]) for fact in ("read_by", "required_by", "asked_by", "choices") if fact in facts
    }
    return SiteVariable(name, group, **{**facts, **lists})
