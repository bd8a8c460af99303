# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import subprocess
import sys
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import (
    KitLock,
    KitTarget,
    LockedWheel,
    pip_requirements,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_python import (
    PROBE,
    Interpreter,
    best,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

X86, ARM = KitTarget("3.12", "x86_64"), KitTarget("3.12", "aarch64")
NEWER = KitTarget("3.13", "x86_64")
PURE = LockedWheel("netaddr", "1.3.0", "netaddr-1.3.0-py3-none-any.whl", "a" * 64, (X86, ARM))
BINARY = LockedWheel("cffi", "2.1", "cffi-2.1-cp312-cp312-manylinux_2_28_x86_64.whl", "b" * 64, (X86,))
LOCK = KitLock(("cffi", "netaddr"), (X86, ARM), (BINARY, PURE))
SEEN: dict[str, t.Any] = {
    "python": "3.12",
    "version": "3.12.1",
    "machine": "x86_64",
    "implementation": "cpython",
    "free_threaded": False,
    "venv": True,
    "bits": 64,
}


def test_a_lock_is_read_as_it_was_written() -> None:
    assert KitLock.from_document(json.loads(json.dumps(LOCK.as_document()))) == LOCK


def test_a_lock_names_the_wheels_of_a_target() -> None:
    assert (LOCK.of(X86), LOCK.of(ARM)) == ([BINARY, PURE], [PURE])


def test_pip_gets_versions_and_digests() -> None:
    assert pip_requirements([PURE]) == f"netaddr==1.3.0 --hash=sha256:{'a' * 64}\n"


WRONG_LOCKS: dict[str, t.Any] = {
    "nothing": None,
    "a list": [],
    "another kind": {**LOCK.as_document(), "kind": "FieldOpsBundle"},
    "a later version": {**LOCK.as_document(), "schemaVersion": 2},
    "a wheel elsewhere": {
        **LOCK.as_document(),
        "wheels": [{**LOCK.as_document()["wheels"][0], "file": "../cffi-2.1-py3-none-any.whl"}],
    },
    "a file that is no wheel": {
        **LOCK.as_document(),
        "wheels": [{**LOCK.as_document()["wheels"][0], "file": "setup.py"}],
    },
}


@pytest.mark.parametrize("document", WRONG_LOCKS.values(), ids=WRONG_LOCKS.keys())
def test_what_is_no_lock_is_refused(document: t.Any) -> None:
    with pytest.raises(InvalidInputError, match=r"kit\.json"):
        KitLock.from_document(document)


OBJECTIONS = {
    "one with wheels": ({}, ""),
    "an older Python": ({"python": "3.9"}, "wheels for Python 3.12 on x86_64, aarch64, not for 3.9 on x86_64"),
    "another architecture": ({"machine": "ppc64le"}, "not for 3.12 on ppc64le"),
    "PyPy": ({"implementation": "pypy"}, "CPython"),
    "free-threaded": ({"free_threaded": True}, "global interpreter lock"),
    "32 bits on a kernel of 64": ({"bits": 32}, "64-bit"),
    "Debian's without its package for venv": ({"venv": False}, "venv is not installed"),
}


@pytest.mark.parametrize(("differs", "expected"), OBJECTIONS.values(), ids=OBJECTIONS.keys())
def test_an_interpreter_has_to_fit_the_wheels(differs: dict[str, t.Any], expected: str) -> None:
    one = Interpreter.judged("/usr/bin/python3", json.dumps({**SEEN, **differs}), [X86, ARM])
    assert (expected in one.objection) if expected else (one.objection == "")


@pytest.mark.parametrize("answer", ["", "pyenv: python3.12: command not found", "[]", "{}"])
def test_a_name_that_does_not_start_is_no_interpreter(answer: str) -> None:
    assert Interpreter.judged("/shims/python3.12", answer, [X86]).objection == "it does not start"


def test_this_interpreter_answers_the_question() -> None:
    answer = subprocess.run([sys.executable, "-I", "-c", PROBE], capture_output=True, text=True, check=True).stdout
    assert json.loads(answer).keys() == SEEN.keys()


def test_the_newest_is_used_and_the_first_of_equals() -> None:
    newer = Interpreter("/b", "3.13.0", NEWER)
    found = [
        Interpreter("/a", "3.12.1", X86),
        newer,
        Interpreter("/c", "3.13.1", NEWER),
        Interpreter("/d", "3.14.0", KitTarget("3.14", "x86_64"), "no wheels"),
    ]
    assert best(found) == newer
    assert best(found[3:]) is None
