# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work of a job, in a form that can be kept, compared and carried out by another process."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.import_roots import function_name
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class FunctionWork:
    """A call ``function(**arguments, progress=...)``, with ``secrets=...`` if the job has secrets."""

    function: str
    arguments: Mapping[str, t.Any]

    @classmethod
    def of(cls, function: Callable[..., t.Any], **arguments: t.Any) -> FunctionWork:
        """Return the work of calling ``function``; raises InvalidInputError unless it and ``arguments`` can travel."""
        return cls(function_name(function), _as_json(arguments, "the arguments of the job"))

    def to_document(self) -> dict[str, t.Any]:
        """Return the JSON document of this work."""
        return {"function": self.function, "arguments": dict(self.arguments)}


@dataclass(frozen=True)
class JobRequest:
    """The work of a job with its bound in seconds, who runs it, the names of its secrets, and how it finds its code."""

    job_id: str
    run_id: str
    work: FunctionWork
    max_seconds: float
    backend: str
    secret_names: tuple[str, ...] = ()
    import_path: tuple[str, ...] = ()

    def is_same_as(self, other: JobRequest) -> bool:
        """Whether both request the same: work and names of secrets, not the times, places and run that serve it."""
        return (self.work, self.secret_names) == (other.work, other.secret_names)

    def to_document(self) -> dict[str, t.Any]:
        """Return the JSON document of this request."""
        return {
            "schemaVersion": 1,
            "id": self.job_id,
            "runId": self.run_id,
            "work": self.work.to_document(),
            "maxSeconds": self.max_seconds,
            "backend": self.backend,
            "secretNames": list(self.secret_names),
            "importPath": list(self.import_path),
        }

    @classmethod
    def from_document(cls, document: t.Any) -> JobRequest:
        """Return the request in ``document``; raises JobStatusError for anything else."""
        try:
            return cls(
                job_id=document["id"],
                run_id=document["runId"],
                work=FunctionWork(document["work"]["function"], document["work"]["arguments"]),
                max_seconds=float(document["maxSeconds"]),
                backend=document["backend"],
                secret_names=tuple(document["secretNames"]),
                import_path=tuple(document["importPath"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise JobStatusError(
                "read the request of a job",
                on="request.json",
                seen=f"{type(error).__name__}: {error}",
                advice="Start the job again. It continues from what it has finished.",
            ) from error


def _as_json(document: t.Any, name: str) -> t.Any:
    try:
        return json.loads(json.dumps(document, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(
            "start a job", on=name, seen=str(error), advice="Use strings, numbers, booleans, lists and mappings only."
        ) from error
