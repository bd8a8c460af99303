# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Argument specs as values: options and the rules between them, merged from parts that several modules share."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ansible.module_utils.basic import AnsibleModule, _load_params

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class ArgumentSpec:
    """What AnsibleModule takes to validate a module's arguments, with the same meanings.

    Every part that several modules share has a twin among the documentation fragments under the same file name;
    tests/structure/test_documented_options.py compares them.
    """

    options: Mapping[str, Mapping[str, t.Any]] = field(default_factory=dict)
    mutually_exclusive: Sequence[Sequence[str]] = ()
    required_together: Sequence[Sequence[str]] = ()
    required_one_of: Sequence[Sequence[str]] = ()
    required_if: Sequence[Sequence[t.Any]] = ()
    required_by: Mapping[str, Sequence[str]] = field(default_factory=dict)
    secrets_within: Sequence[Callable[[Mapping[str, t.Any]], Iterable[str]]] = ()
    """Functions that find credentials nested in the arguments, where ``no_log`` of an option does not reach."""
    never_null: Sequence[tuple[str, ...]] = ()
    """Options, each with those it is in, for which null is no other word for not given."""

    def merged(self, *others: ArgumentSpec) -> ArgumentSpec:
        """Return a spec with the options and rules of all; raise InvalidInputError when two define one option."""
        merged = self
        for other in others:
            twice = sorted(set(merged.options) & set(other.options))
            if twice:
                raise InvalidInputError(
                    "merge argument specs",
                    on=", ".join(twice),
                    seen="two parts define the same option",
                    advice="Rename one of them.",
                )
            merged = ArgumentSpec(
                options={**merged.options, **other.options},
                mutually_exclusive=[*merged.mutually_exclusive, *other.mutually_exclusive],
                required_together=[*merged.required_together, *other.required_together],
                required_one_of=[*merged.required_one_of, *other.required_one_of],
                required_if=[*merged.required_if, *other.required_if],
                required_by={**merged.required_by, **other.required_by},
                secrets_within=[*merged.secrets_within, *other.secrets_within],
                never_null=[*merged.never_null, *other.never_null],
            )
        return merged

    def create_module(self) -> AnsibleModule:
        """Return the module of the running process; every module of this collection supports check mode."""
        module = AnsibleModule(
            argument_spec={name: dict(option) for name, option in self.options.items()},
            mutually_exclusive=list(self.mutually_exclusive),
            required_together=list(self.required_together),
            required_one_of=list(self.required_one_of),
            required_if=list(self.required_if),
            required_by=dict(self.required_by),
            supports_check_mode=True,
        )
        for secrets_in in self.secrets_within:
            module.no_log_values.update(secrets_in(module.params))
        # Validated parameters have None for what is null and for what is not there.
        nulls = nulls_in(_load_params(), self.never_null)
        if nulls:
            module.fail_json(msg=f"{', '.join(nulls)} is null. Omit it, or set a value.")
        return module


def nulls_in(given: object, paths: Sequence[tuple[str, ...]]) -> list[str]:
    """Return those options of ``paths`` that are there and null in ``given``."""
    return [".".join(path) for path in paths if _is_null(given, path)]


def _is_null(given: object, path: tuple[str, ...]) -> bool:
    for name in path:
        if not isinstance(given, dict) or name not in given:
            return False
        given = given[name]
    return given is None
