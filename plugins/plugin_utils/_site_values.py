# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a site gave for its variables, as playbooks use it; also where a survey gave it as text."""

from __future__ import annotations

import datetime
import re
import typing as t
from collections.abc import Callable
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.digest_words import vetted_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import SiteVariable

TRUE = frozenset({"yes", "true", "on", "1", "y", "t"})
FALSE = frozenset({"no", "false", "off", "0", "n", "f"})
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
WORDS = re.compile(r"[^\s,]+")
SPACED_WORDS = re.compile(r"\S+")
YAML_LIST = re.compile(r"\s*(\[|- )")
SHOWN = 60
"""Characters of a value that an error shows."""


class ValueRefusalError(Exception):
    """A value that is none of its variable; the text ends the sentence "VARIABLE ...", and shows no secret."""


def plain(value: t.Any) -> t.Any:
    """Return a value without what Ansible and YAML add to the types of JSON; times become text."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(one) for one in value]
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return str(value)


def is_given(value: t.Any) -> bool:
    """Whether a value decides anything: surveys give an empty text for a question without an answer."""
    return value is not None and not (isinstance(value, str) and not value.strip())


def converted(variable: SiteVariable, value: t.Any) -> t.Any:
    """Return a plain and given value as the playbooks use it.

    Raises ValueRefusalError.
    """
    try:
        found = _CONVERSIONS[variable.type](variable, value)
        _require_choices(variable, found)
    except _WrongValueError as error:
        raise ValueRefusalError(_sentence(variable, value, str(error))) from None
    return found


class _WrongValueError(Exception):
    """A value is not of its type; the text says what it must be."""


def _sentence(variable: SiteVariable, value: t.Any, wanted: str) -> str:
    is_short = isinstance(value, (str, int, float))
    if variable.secret or not is_short:
        return f"must be {wanted}"
    shown = str(value) if len(str(value)) <= SHOWN else f"{str(value)[:SHOWN]}..."
    return f"is {shown}, and must be {wanted}"


def _require_choices(variable: SiteVariable, found: t.Any) -> None:
    chosen = found if isinstance(found, list) else [found]
    if not variable.choices or all(one in variable.choices for one in chosen):
        return
    *others, last = variable.choices
    allowed = f"{', '.join(others)} or {last}" if others else last
    wrong = [str(one) for one in chosen if one not in variable.choices]
    raise _WrongValueError(f"a list of {allowed}, without {', '.join(wrong)}" if isinstance(found, list) else allowed)


def _text(_variable: SiteVariable, value: t.Any) -> str:
    if isinstance(value, (bool, float)):
        raise _WrongValueError("text: write it in quotes, because YAML reads it as something else")
    if isinstance(value, (list, dict)):
        raise _WrongValueError("text")
    return str(value).strip()


def _path(variable: SiteVariable, value: t.Any) -> str:
    text = _text(variable, value)
    # Ansible runs local tasks in the folder of the playbook, which is that of the installed collection.
    return str(Path(text).expanduser().absolute()) if variable.written and text else text


def _digest(variable: SiteVariable, value: t.Any) -> str:
    try:
        return vetted_digest(_text(variable, value))
    except FieldOpsError as error:
        raise ValueRefusalError(f"cannot be used: {error.seen}. {error.advice.rstrip('.')}") from error


def _number(_variable: SiteVariable, value: t.Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and WHOLE_NUMBER.match(value.strip()):
        return int(value)
    raise _WrongValueError("a whole number")


def _percent(variable: SiteVariable, value: t.Any) -> str:
    try:
        number = _number(variable, value)
    except _WrongValueError:
        number = -1
    if not 0 <= number <= 100:
        raise _WrongValueError("a whole number from 0 to 100")
    return str(number)


def _truth(_variable: SiteVariable, value: t.Any) -> bool:
    word = str(value).strip().lower()
    if isinstance(value, (bool, int, str)) and word in TRUE | FALSE:
        return word in TRUE
    raise _WrongValueError("true or false")


def _list(variable: SiteVariable, value: t.Any) -> list[t.Any]:
    items = value
    if isinstance(value, str):
        if variable.elements == "dict" or YAML_LIST.match(value):
            items = _read_yaml(value, "a list")
        else:
            items = (SPACED_WORDS if variable.spaced else WORDS).findall(value)
    if not isinstance(items, list):
        raise _WrongValueError("a list")
    wrong: list[type] = [bool, float, list, dict, type(None)] if variable.elements != "dict" else []
    if any(isinstance(one, tuple(wrong)) for one in items):
        raise _WrongValueError("a list of texts")
    if variable.elements == "dict" and not all(isinstance(one, dict) for one in items):
        raise _WrongValueError("a list of mappings")
    return [one if isinstance(one, dict) else str(one) for one in items]


def _mapping(_variable: SiteVariable, value: t.Any) -> dict[str, t.Any]:
    found = _read_yaml(value, "a mapping") if isinstance(value, str) else value
    if not isinstance(found, dict):
        raise _WrongValueError("a mapping")
    return found


def _read_yaml(text: str, wanted: str) -> t.Any:
    try:
        return plain(yaml.safe_load(text))
    except (yaml.YAMLError, ValueError, RecursionError):  # a date that no calendar has is a ValueError
        raise _WrongValueError(f"{wanted} in JSON or YAML") from None


_CONVERSIONS: dict[str, Callable[[SiteVariable, t.Any], t.Any]] = {
    "str": _text,
    "path": _path,
    "digest": _digest,
    "int": _number,
    "percent": _percent,
    "bool": _truth,
    "list": _list,
    "dict": _mapping,
    "raw": lambda _variable, value: value,
}
