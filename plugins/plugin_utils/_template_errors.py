# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of filters and tests, as the template that uses one gets them."""

from __future__ import annotations

import functools
import typing as t
from collections.abc import Callable

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

_Function = t.TypeVar("_Function", bound="Callable[..., t.Any]")


def in_templates(needs: str = "") -> Callable[[_Function], _Function]:
    """Let the errors of a function name it, and say what it ``needs`` where its input has another structure."""

    def decorate(function: _Function) -> _Function:
        name = function.__name__

        @functools.wraps(function)
        def answer(*given: t.Any, **options: t.Any) -> t.Any:
            try:
                return function(*given, **options)
            except FieldOpsError as error:
                raise AnsibleFilterError(f"{name}: {error}") from error
            except (KeyError, TypeError, AttributeError) as error:
                if not needs:
                    raise
                raise AnsibleFilterError(f"{name}: {needs}: {type(error).__name__}: {error}") from error

        return t.cast("_Function", answer)

    return decorate
