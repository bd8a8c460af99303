# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Results of modules beside what their RETURN documents: what is returned is documented, and what is documented is."""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import re
import typing as t
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.tests.structure.source_tree import PREFIX, ROOT

Described = Mapping[str, t.Any]

TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "list": (list,),
    "dict": (dict,),
}
OF_ANSIBLE = frozenset(
    {
        *("changed", "failed", "msg", "error", "diff", "warnings", "deprecations", "exception", "invocation"),
        *("attempts", "retries", "item", "failed_when_result", "ansible_facts", "skipped"),
        *("ansible_job_id", "results_file", "started", "finished"),
    }
)
"""What results hold whose module documents nothing of it."""
OF_JOB = ("stdout", "stdout_lines", "stderr", "stderr_lines")
"""What a task with ``async`` adds."""
OF_PATH = ("gid", "group", "mode", "owner", "secontext", "size", "state", "uid")
"""What ansible-core adds to a result that has a path."""
_SAME_AS = re.compile(r"\bas\s(?:an\sentry\sof\s)?RV\(fieldops\.openshift\.(\w+)#module:([\w.\[\]]+)\)")
_OF_CORE = re.compile(r"_?ansible_|(failed|changed)_when_")


@functools.cache
def documented(module: str) -> Described:
    """Return what the RETURN of a module describes."""
    text = importlib.import_module(f"{PREFIX}plugins.modules.{module}").RETURN
    found: Described = yaml.safe_load(text) or {}
    return found


def subjects_of(module: str, arguments: Mapping[str, t.Any]) -> list[str]:
    """Return what a task has gathered; nothing where the module gathers all or the task says it by an expression."""
    option = importlib.import_module(f"{PREFIX}plugins.modules.{module}").SPEC.options.get("gather", {})
    gather = arguments.get("gather", option.get("default", []))
    return gather if isinstance(gather, list) else []


def documented_names() -> set[str]:
    """Return the dotted names of all that is documented of all modules."""
    modules = sorted(path.stem for path in (ROOT / "plugins" / "modules").glob("*.py"))
    return {f"{module}.{name}" for module in modules for name in _names(documented(module))}


def _names(described: Described, above: str = "") -> Iterator[str]:
    for name, one in described.items():
        yield above + name
        yield from _names(one.get("contains") or {}, f"{above}{name}.")


class Comparison:
    """A result beside its documentation: ``problems`` are sentences, ``seen`` dotted names that had a value.

    Of ``subjects``, what the option ``gather`` named, all that is documented has to be returned.
    """

    def __init__(self, module: str, result: Mapping[str, t.Any], subjects: Collection[str] = ()) -> None:
        self._promised = {"success", *(f"with O(gather={one})" for one in subjects)}
        self.problems: list[str] = []
        self.seen: set[str] = set()
        failed = any(result.get(one) for one in ("failed", "unreachable", "error")) or result.get("finished") is False
        if failed and (result.get("error") or {}).get("kind") in (None, "host_away"):
            return  # a module that was not reached, refused its arguments or broke: nothing of it is the module's
        of_job = OF_JOB if "ansible_job_id" in result else ()
        of_path = OF_PATH if "path" in result else ()
        foreign = {*OF_ANSIBLE, *of_job, *of_path, result.get("ansible_loop_var"), result.get("ansible_index_var")}
        own = {name: one for name, one in result.items() if name not in foreign and not _OF_CORE.match(name)}
        self._compare_all(documented(module), own, f"{module}.", failed=failed)

    def _compare_all(self, described: Described, found: Mapping[str, t.Any], above: str, *, failed: bool) -> None:
        # A failure brings along what was achieved or seen, which its error is about.
        for name in [] if failed else sorted(found.keys() - described.keys()):
            self.problems.append(f"{above}{name} is returned and not documented")
        for name, one in described.items():
            if name in found:
                self._compare(one, found[name], above + name)
            elif one.get("returned", "success") == "always" or (
                not failed and one.get("returned", "success") in self._promised
            ):
                self.problems.append(f"{above}{name} is documented and not returned")

    def _compare(self, described: Described, value: t.Any, name: str) -> None:
        if value is None:
            return
        self.seen.add(name)
        kind = described["type"]
        if not _is(value, kind):
            self.problems.append(f"{name} is documented as {kind}, and is {value!r}")
            return
        items = value if kind == "list" else [value]
        for item in items:
            if kind == "list" and not _is(item, described.get("elements", "str")):
                self.problems.append(f"{name} is documented as a list of {described.get('elements')}, has {item!r}")
            elif item and (contents := _contents(described)):  # nothing is said of what is not there
                self._compare_all(contents, item, f"{name}.", failed=False)


def _contents(described: Described) -> dict[str, t.Any]:
    """Return what a result contains: what it says itself, and what the result has that it is said to be as.

    One that says something itself may have less than the other.
    """
    own = described.get("contains", {})
    found: dict[str, t.Any] = {}
    for module, path in _SAME_AS.findall(str(described.get("description"))):
        found |= _inside(documented(module), path.replace("[]", "").split("."))
    return {**{key: {**one, "returned": "as there"} if own else one for key, one in found.items()}, **own}


def _inside(described: Described, path: list[str]) -> Described:
    """Return what the result at a path contains."""
    for name in path:
        described = described[name].get("contains", {})
    return described


def _is(value: t.Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "bool" or not isinstance(value, bool))


def compare_diffs(records: list[dict[str, t.Any]]) -> Iterator[str]:
    """Yield where a diff is no data, does not show that something changed, or is another one in check mode."""
    for record in records:
        name, result = record["module"], record["result"]
        for diff in _diffs(result):
            if diff.keys() < {"before", "after"} or (result["changed"] and diff["before"] == diff["after"]):
                yield f"{name} changed something, and the diff is {diff!r}"
    for first, second in itertools.pairwise(records):
        same = all(first[key] == second[key] for key in ("module", "arguments"))
        both = all(record["result"].get("changed") for record in (first, second))
        if same and both and first["check_mode"] and not second["check_mode"]:
            would, did = _whole(_diffs(first["result"])), _whole(_diffs(second["result"]))
            if would != did and not _is_unknown(would):
                yield f"{first['module']} would change {would!r}, and changed {did!r}"


def _diffs(result: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return the diffs of a result, one for each step that made one."""
    diff = result.get("diff")
    return diff if isinstance(diff, list) else [diff] if diff else []


def _whole(diffs: list[dict[str, t.Any]]) -> t.Any:
    """Return what all steps changed together, but for instants, certificates and processes: no two runs share them."""
    whole = {"before": diffs[0]["before"], "after": diffs[-1]["after"]} if diffs else {}
    text = re.sub(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", "a certificate", json.dumps(whole))
    return json.loads(re.sub(r"\d+(?=[^\"]*\"[,}\]])", "0", text))


def _is_unknown(diff: Mapping[str, t.Any]) -> bool:
    """Whether only the real run can know what comes of it, such as the digest of what it makes."""
    return "not known yet" in json.dumps(diff)


def new_records(folder: Path) -> list[dict[str, t.Any]]:
    """Return what ``callback/record_results.py`` has recorded, once; a play that was killed has left half a line."""
    found = []
    for path in sorted(folder.glob("*.jsonl"), key=lambda one: one.stat().st_mtime_ns):
        found += [json.loads(line) for line in path.read_text().split("\n")[:-1]]
        path.unlink()
    return found
