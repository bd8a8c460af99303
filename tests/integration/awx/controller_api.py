# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A stand-in for the API of AWX 24: objects by kind, their relations, and the checks in ``rules.py``.

Copies awx/api/urls and awx/api/serializers as far as the modules of awx.awx ask. Instead of a Git server it has the
playbooks of this checkout.
"""

from __future__ import annotations

import itertools
import json
import threading
import typing as t
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from ansible_collections.fieldops.openshift.tests.integration.awx.rules import (
    DEFAULTS,
    RefusedError,
    check_credential_type,
    check_launch,
    check_notification,
    check_rrule,
    check_survey,
)
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

Fields = dict[str, t.Any]
Answer = tuple[int, t.Any]

PREFIX = "/api/v2/"
VERSION = "24.6.1"
TOKEN = "a-token"
NOTIFIED = tuple(f"notification_templates_{event}" for event in ("started", "success", "error", "approvals"))
LINKS = ("success_nodes", "failure_nodes", "always_nodes")
RELATIONS: dict[str, tuple[str, ...]] = {
    "inventories": ("instance_groups",),
    "job_templates": ("credentials", "labels", "instance_groups", *NOTIFIED[:3]),
    "workflow_job_templates": ("labels", *NOTIFIED),
    "workflow_job_template_nodes": (*LINKS, "credentials", "labels", "instance_groups"),
    "schedules": ("credentials", "labels", "instance_groups"),
    "projects": NOTIFIED[:3],
    "inventory_sources": NOTIFIED[:3],
}
"""What can be associated with objects of a kind; all else is answered with 404."""
TYPES = {"inventories": "inventory"}
LAUNCHED = ("job_templates", "workflow_job_templates", "projects", "inventory_sources", "workflow_approval_templates")
REFERENCES = {
    **{name: f"{name}s" for name in ("organization", "project", "execution_environment", "credential")},
    "inventory": "inventories",
    "source_project": "projects",
    "default_environment": "execution_environments",
    "workflow_job_template": "workflow_job_templates",
}
UNFILTERED = ("order_by", "page_size")
MATCHES: dict[str, Callable[[str, str], bool]] = {
    "": str.__eq__,
    "endswith": str.endswith,
    "in": lambda value, numbers: value in numbers.split(","),
}
ASKED = tuple(f"ask_{name}_on_launch" for name in ("limit", "inventory", "variables", "labels"))
WITHOUT_NAMES = ("workflow_job_template_nodes",)


class Controller:
    """Objects of AWX by kind and ID; ``changes`` counts the requests that wrote, ``written`` has their fields."""

    def __init__(self, launched: str = "pending") -> None:
        self.launched = launched  # the status of jobs from their beginning: nothing runs them
        self.objects: dict[str, dict[int, Fields]] = {}
        self.related: dict[tuple[str, int, str], list[int]] = {}
        self.changes = 0
        self.written: dict[str, set[str]] = {}
        self._ids = itertools.count(1)

    def add(self, kind: str, /, **fields: t.Any) -> Fields:
        """Create an object without checks, and return it."""
        number = next(self._ids)
        url = f"{PREFIX}{kind}/{number}/"
        parts = ("survey_spec", "launch") if kind.endswith("job_templates") else ()
        related = {part: f"{url}{part}/" for part in parts}
        asked = dict.fromkeys(ASKED if parts else (), False)
        made = {"summary_fields": {}, "scm_revision": "", "related": related, **asked, **fields}
        made |= {"id": number, "type": TYPES.get(kind, kind[:-1]), "url": url}
        self.objects.setdefault(kind, {})[number] = made
        return made

    def named(self, kind: str) -> dict[str, Fields]:
        """Return the objects of a kind by name, or by identifier."""
        return {str(one.get("name", one.get("identifier"))): one for one in self.objects.get(kind, {}).values()}

    def links(self, kind: str, number: int, relation: str) -> list[int]:
        """Return the IDs of what is associated with an object."""
        return self.related.setdefault((kind, number, relation), [])

    def answer(self, method: str, path: str, query: Fields, data: Fields) -> Answer:
        """Return the status and the body of a response."""
        kind, *rest = path.removeprefix(PREFIX).strip("/").split("/")
        if kind == "config":
            return 200, {"version": VERSION}
        if not rest:
            return self._list(kind, query) if method == "GET" else self._create(kind, data)
        one = self._launched(int(rest[0])) if kind == "unified_job_templates" else self._one(kind, int(rest[0]))
        if one is None:
            return 404, {"detail": "Not found."}
        if len(rest) == 1:
            return (200, one) if method == "GET" else self._change(kind, one, data)
        return self._part(method, kind, one, rest[1], data)

    def _one(self, kind: str, number: int) -> Fields | None:
        return self.objects.get(kind, {}).get(number)

    def _launched(self, number: int) -> Fields | None:
        return next((one for one in self._all("unified_job_templates") if one["id"] == number), None)

    def _all(self, kind: str) -> Iterator[Fields]:
        for stored in LAUNCHED if kind == "unified_job_templates" else (kind,):
            yield from self.objects.get(stored, {}).values()

    def _list(self, kind: str, query: Fields) -> Answer:
        wanted = [(key.partition("__"), value) for key, value in query.items() if key not in UNFILTERED]
        found = [
            one
            for one in self._all(kind)
            if all(MATCHES[how](str(one.get(key)), value) for (key, _, how), value in wanted)
        ]
        return 200, {"count": len(found), "next": None, "results": found}

    def _create(self, kind: str, data: Fields) -> Answer:
        self.written.setdefault(kind, set()).update(data)
        same = {key: str(data.get(key)) for key in ("name", "organization", "unified_job_template") if data.get(key)}
        if kind not in WITHOUT_NAMES and self._list(kind, same)[1]["count"]:
            raise RefusedError("__all__", f"{kind} with this Name and Organization already exists.")
        self._check(kind, data)
        self.changes += 1
        return 201, self.add(kind, **data)

    def _change(self, kind: str, one: Fields, data: Fields) -> Answer:
        self.written.setdefault(kind, set()).update(data)
        wanted = {**one, **data}
        self._check(kind, wanted)
        self.changes += wanted != one
        one.update(wanted)
        return 200, one

    def _part(self, method: str, kind: str, one: Fields, part: str, data: Fields) -> Answer:
        if part == "survey_spec" and "survey_spec" in one["related"]:
            return self._survey(method, one, data)
        if part == "launch" and "launch" in one["related"] and method == "POST":
            return self._launch(kind, one, data)
        if part == "create_approval_template" and kind == "workflow_job_template_nodes":
            return self._approval(one, data)
        if part not in RELATIONS.get(kind, ()):
            return 404, {"detail": "Not found."}
        linked = self.links(kind, one["id"], part)
        if method == "GET":
            return 200, {"count": len(linked), "next": None, "results": [{"id": number} for number in linked]}
        self.changes += 1
        if data.get("disassociate"):
            linked.remove(data["id"])
        else:
            self._check_link(kind, one, part, data["id"])
            linked.append(data["id"])
        return 204, {}

    def _survey(self, method: str, one: Fields, data: Fields) -> Answer:
        if method == "POST":
            check_survey(data)
        if method != "GET":
            self.changes += 1
            one["survey"] = data
        return 200, one.get("survey", {})

    def _launch(self, kind: str, template: Fields, data: Fields) -> Answer:
        """``JobTemplateLaunch.post`` and its like for workflows: what AWX would then run is not run here."""
        given = data.get("extra_vars") or {}
        check_launch(template, template.get("survey", {}), given, complete=True)
        fields = {"name": template["name"], "status": self.launched, "finished": None, "extra_vars": json.dumps(given)}
        return 201, self.add("workflow_jobs" if kind == "workflow_job_templates" else "jobs", **fields)

    def _approval(self, node: Fields, data: Fields) -> Answer:
        if "name" not in data:
            raise RefusedError("name", "This field is required.")
        self.changes += 1
        made = self.add("workflow_approval_templates", **{"description": "", "timeout": 0, **data})
        node["unified_job_template"] = made["id"]
        node["related"]["unified_job_template"] = made["url"]
        return 201, made

    def _check(self, kind: str, data: Fields) -> None:
        for field, its in REFERENCES.items():
            if data.get(field) is not None and self._one(its, data[field]) is None:
                raise RefusedError(field, f'Invalid pk "{data[field]}" - object does not exist.')
        check = getattr(self, f"_check_{kind}", None)
        if check:
            check(data)

    def _check_credential_types(self, data: Fields) -> None:
        check_credential_type(data)

    def _check_notification_templates(self, data: Fields) -> None:
        check_notification(data)
        data["notification_configuration"] = {
            **DEFAULTS.get(data["notification_type"], {}),
            **data["notification_configuration"],
        }

    def _check_job_templates(self, data: Fields) -> None:
        """``JobOptionsSerializer.validate``."""
        if data.get("project") is None:
            raise RefusedError("project", "This field is required.")
        if not (ROOT / data["playbook"]).is_file():
            raise RefusedError("playbook", "Playbook not found for project.")
        if data.get("inventory") is None and not data.get("ask_inventory_on_launch"):
            raise RefusedError("inventory", "This field is required.")
        json.loads(data.get("extra_vars") or "{}")

    def _check_inventory_sources(self, data: Fields) -> None:
        """``InventorySourceSerializer.validate``, and the update that follows when the source is read."""
        if data["source"] == "scm" and data.get("source_project") is None:
            raise RefusedError("source_project", "Project required for scm type sources.")
        if not (ROOT / data["source_path"]).is_file():
            raise RefusedError("source_path", "The inventory file was not found in the project.")

    def _check_workflow_job_template_nodes(self, data: Fields) -> None:
        self._check_launch(data, complete=False)

    def _check_schedules(self, data: Fields) -> None:
        check_rrule(data.get("rrule", ""))
        self._check_launch(data, complete=True)

    def _check_launch(self, data: Fields, *, complete: bool) -> None:
        number = data.get("unified_job_template")
        template = self._launched(number) if number is not None else {}
        if template is None:
            raise RefusedError("unified_job_template", f'Invalid pk "{number}" - object does not exist.')
        check_launch(template, template.get("survey", {}), data.get("extra_data") or {}, complete=complete)

    def _check_link(self, kind: str, one: Fields, relation: str, number: int) -> None:
        """``WorkflowJobTemplateNodeChildrenBaseList`` and ``JobTemplateCredentialsList.is_valid_relation``."""
        if relation in LINKS:
            others = [number in self.links(kind, one["id"], other) for other in LINKS if other != relation]
            if any(others):
                raise RefusedError("Error", "Relationship not allowed.")
            if one["id"] in self._following(number):
                raise RefusedError("Error", "Cycle detected.")
        elif self._one("notification_templates" if relation in NOTIFIED else relation, number) is None:
            raise RefusedError("id", "Object does not exist.")
        if relation == "credentials":
            types = [self.objects[relation][its]["credential_type"] for its in self.links(kind, one["id"], relation)]
            if self.objects[relation][number]["credential_type"] in types:
                raise RefusedError("error", "Cannot assign multiple credentials of one type.")

    def _following(self, node: int) -> set[int]:
        found, pending = set(), [node]
        while pending:
            found.add(pending.pop())
            kind = "workflow_job_template_nodes"
            pending += [its for one in found for relation in LINKS for its in self.links(kind, one, relation)]
            pending = [its for its in pending if its not in found]
        return found


class ControllerServer:
    """The API on a port of this machine, for as long as the context lasts."""

    def __init__(self, controller: Controller) -> None:
        class Handler(BaseHTTPRequestHandler):
            def _respond(self) -> None:
                status, body = _answered(controller, self)
                content = b"" if status == 204 else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("X-API-Product-Name", "AWX")
                self.send_header("X-API-Product-Version", VERSION)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = do_DELETE = _respond  # noqa: N815

            def log_message(self, *_words: object) -> None:
                """Stay silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ControllerServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_unused: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _answered(controller: Controller, request: BaseHTTPRequestHandler) -> Answer:
    if request.headers["Authorization"] != f"Bearer {TOKEN}":
        return 401, {"detail": "Authentication credentials were not provided."}
    words = urlsplit(request.path)
    length = int(request.headers["Content-Length"] or 0)
    data = json.loads(request.rfile.read(length) or "{}")
    try:
        return controller.answer(request.command, words.path, dict(parse_qsl(words.query)), data)
    except RefusedError as error:
        return 400, error.answer
