# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan of a build: every image and signature by digest. A later run builds exactly that or names what changed.

The manifest that a digest names pins everything else of an image, so the plan need not list it.
"""

from __future__ import annotations

import typing as t
from collections import Counter
from collections.abc import Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

KIND, VERSION = "FieldOpsBundlePlan", 1
MOST_CHANGES = 20
"""Changes that an error lists."""

Document = t.Mapping[str, t.Any]


def plan_document(index: BundleIndex, planned: str) -> dict[str, t.Any]:
    """Return the plan of the bundle that ``index`` describes, made at the instant ``planned``."""
    document = index.as_document()
    return {
        "kind": KIND,
        "schemaVersion": VERSION,
        "planned": planned,
        "releases": document["releases"],
        "base": document["base"],
        "size": index.size,
        "images": [{key: image[key] for key in ("name", "reason", "component", "tag")} for image in document["images"]],
        "signatures": [{"image": one["image"], "blob": one["blobs"][0]} for one in document["signatures"]],
    }


def require_plan(document: t.Any, *, on: str) -> Document:
    """Return what a file says if it is a plan; raise InvalidInputError otherwise."""
    if not isinstance(document, dict) or (document.get("kind"), document.get("schemaVersion")) != (KIND, VERSION):
        raise InvalidInputError(
            "read the plan",
            on=on,
            seen="it is not the plan of a bundle in a format that is known here",
            advice="Write it again with create_bundle in check mode.",
        )
    return document


def plan_changes(plan: Document, now: Document, *, signatures: bool) -> tuple[str, ...]:
    """Return in words how what registries say ``now`` differs from ``plan``; both as ``plan_document`` makes them.

    ``signatures`` is whether they are known already.
    """
    changes = [*_release_changes(plan, now), *_image_changes(plan, now)]
    if signatures:
        changes += _signature_changes(plan, now)
    rest = len(changes) - MOST_CHANGES
    return (*changes[:MOST_CHANGES], *([f"{rest} more changes"] if rest > 0 else ()))


def _release_changes(plan: Document, now: Document) -> Iterator[str]:
    for key, name in (("releases", "release"), ("base", "base")):
        if plan[key] != now[key]:
            yield f"the {name} is {_words(now[key])}, and {_words(plan[key])} in the plan"


def _words(value: t.Any) -> str:
    if isinstance(value, list):
        return ", ".join(f"{one['version']} {one['architecture']} ({one['image']})" for one in value)
    return value or "none"


def _image_changes(plan: Document, now: Document) -> Iterator[str]:
    before, after = _by_purpose(plan), _by_purpose(now)
    for purpose in sorted(before.keys() | after.keys()):
        old, new = before.get(purpose, Counter()), after.get(purpose, Counter())
        gone, came = sorted((old - new).elements()), sorted((new - old).elements())
        if len(gone) == len(came) == 1:
            yield f"{purpose} is {came[0]}, and {gone[0]} in the plan"
            continue
        yield from (f"{purpose} {name} is not in the plan" for name in came)
        yield from (f"{purpose} {name} is in the plan only" for name in gone)


def _by_purpose(plan: Document) -> Mapping[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for image in plan["images"]:
        repository = image["name"].partition("@")[0]
        what = image["component"] or (f"{repository}:{image['tag']}" if image["tag"] else repository)
        found.setdefault(f"{image['reason']} {what}".replace("_", " "), Counter())[image["name"]] += 1
    return found


def _signature_changes(plan: Document, now: Document) -> Iterator[str]:
    before, after = (Counter((one["image"], one["blob"]) for one in of["signatures"]) for of in (plan, now))
    for image in sorted({image for image, _blob in (before - after) + (after - before)}):
        came = sum(count for (name, _blob), count in (after - before).items() if name == image)
        gone = sum(count for (name, _blob), count in (before - after).items() if name == image)
        words = [f"{came} not in the plan"] * bool(came) + [f"{gone} in the plan only"] * bool(gone)
        yield f"signatures of {image}: {', '.join(words)}"
