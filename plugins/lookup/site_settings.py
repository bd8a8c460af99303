# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: site_settings
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Validate and convert the C(site_*) variables of a playbook
description:
  - Returns the values of all variables that a playbook of this collection reads, with their defaults, converted to
    their types. Strings, as entered in surveys, are accepted for lists, dictionaries, numbers and booleans. An empty
    string is treated as not set.
  - The variables, their types, defaults and choices are declared in C(meta/site_variables.yml) of the collection and
    documented in C(docs/site-variables.md).
options:
  _terms:
    description: The name of the playbook, without the namespace of the collection.
    type: list
    elements: str
    required: true
"""

EXAMPLES = r"""
- name: Show which nodes would be rolled
  ansible.builtin.debug:
    msg: "{{ site_settings.nodes }}"
  vars:
    site_settings: "{{ lookup('fieldops.openshift.site_settings', 'roll_nodes') }}"
"""

RETURN = r"""
_raw:
  description:
    - One dictionary for each playbook. In addition to the values, by variable name without C(site_), it contains
      C(problems), a list of messages about variables that are unknown, missing or invalid, and C(guard), the value
      for the option C(guard) of modules, made of C(site_change_stanza) and C(site_change_policies).
    - Invalid and missing variables have their default value. C(problems) never contains the value of a secret
      variable.
  type: list
  elements: dict
"""

import functools
import typing as t

from ansible.errors import AnsibleError, AnsibleLookupError
from ansible.plugins.lookup import LookupBase
from ansible.utils.vars import load_extra_vars

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import PREFIX, site_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_settings import settings_for
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import ValueRefusalError

SETTINGS = "site_settings"
"""The variable in which playbooks keep what this returns: it is no variable of the site."""


_kept: dict[str, tuple[dict[str, t.Any], dict[str, t.Any]]] = {}
"""For each playbook the variables that its settings were made of, and the settings.

A loop over sixty nodes asks for them a thousand times, and makes them of the same variables each time.
"""


class LookupModule(LookupBase):
    """The lookup as ansible-core finds it."""

    def run(
        self, terms: list[str], variables: dict[str, t.Any] | None = None, **kwargs: t.Any
    ) -> list[dict[str, t.Any]]:
        """Return what each of the playbooks reads."""
        self.set_options(var_options=variables, direct=kwargs)
        known = variables or {}
        return [self._settings(str(term), known) for term in terms]

    def _settings(self, playbook: str, known: dict[str, t.Any]) -> dict[str, t.Any]:
        contract = site_contract()
        if playbook not in contract.playbooks:
            playbooks = ", ".join(contract.playbooks)
            raise AnsibleLookupError(f"there is no playbook {playbook}; the playbooks are {playbooks}")
        names = [str(name) for name in known if name != SETTINGS]
        given = {name: known[name] for name in names if name in contract.variables or name.startswith(PREFIX)}
        made_of, kept = _kept.get(playbook, ({}, {}))
        if kept and _are_the_same(given, made_of):
            return {**kept}
        extra = load_extra_vars(t.cast("t.Any", self._loader)) if playbook in contract.words else {}
        found = settings_for(contract, playbook, names, functools.partial(self._value_of, known), extra)
        settings = {**found.values, "guard": found.guard, "problems": found.problems}
        if not any(_has_template(value) for value in given.values()):
            _kept[playbook] = (given, settings)
        return {**settings}

    def _value_of(self, known: dict[str, t.Any], name: str) -> t.Any:
        """Return the value of a variable, with what its templates say."""
        try:
            return self._templar.template(known[name])  # type: ignore[union-attr]  # lookups of a play have one
        except AnsibleError as error:
            seen = "" if site_contract().variables[name].secret else f": {error.message}"
            raise ValueRefusalError(f"cannot be read{seen}") from error


def _are_the_same(given: dict[str, t.Any], kept: dict[str, t.Any]) -> bool:
    """Whether these are the very objects: to compare what they hold would take as long as to read them."""
    return given.keys() == kept.keys() and all(value is kept[name] for name, value in given.items())


def _has_template(value: t.Any) -> bool:
    """Whether a value may be another one the next time."""
    if isinstance(value, dict):
        return any(_has_template(one) for pair in value.items() for one in pair)
    if isinstance(value, (list, tuple)):
        return any(map(_has_template, value))
    return isinstance(value, str) and ("{{" in value or "{%" in value)
