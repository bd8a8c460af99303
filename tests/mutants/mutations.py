# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The mutants of a source text: what cosmic-ray's operators make of it, without those that change nothing."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

COMPARISONS = (
    *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_GtE", "Gt_LtE"),
    *("LtE_Gt", "GtE_Lt"),
)
OPERATORS = (
    *(f"ReplaceComparisonOperator_{name}" for name in COMPARISONS),
    *(f"ReplaceBinaryOperator_{name}" for name in ("Add_Sub", "Sub_Add", "Mul_Div", "FloorDiv_Mul", "Mod_Add")),
    *("ReplaceAndWithOr", "ReplaceOrWithAnd", "AddNot", "ReplaceUnaryOperator_Delete_Not", "NumberReplacer"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ZeroIterationForLoop", "ReplaceContinueWithBreak"),
)

NO_DECISIONS = ("TYPE_CHECKING", "@dataclass", "*,")
"""What a line contains that says how code is written, and not what it decides."""


@dataclass(frozen=True)
class Mutant:
    """A source text that differs from the original in ``line``, which ``was`` one text and ``became`` another."""

    source: str
    line: int
    was: str
    became: str


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield each mutant of ``source`` once."""
    seen = {source}
    for name in OPERATORS:
        operator = get_operator(f"core/{name}")()
        for occurrence in range(_count(source, operator)):
            mutated = mutate_code(source, operator, occurrence)
            mutant = _mutant(source, mutated) if mutated and mutated not in seen else None
            if mutant and not any(word in mutant.was for word in NO_DECISIONS):
                seen.add(mutant.source)
                yield mutant


def _count(source: str, operator: t.Any) -> int:
    return sum(1 for node in ast_nodes(get_ast(source)) for _position in operator.mutation_positions(node))


def _mutant(source: str, mutated: str) -> Mutant:
    pairs = list(zip(source.splitlines(), mutated.splitlines()))
    number = next(index for index, (old, new) in enumerate(pairs) if old != new)
    return Mutant(mutated, number + 1, pairs[number][0].strip(), pairs[number][1].strip())
