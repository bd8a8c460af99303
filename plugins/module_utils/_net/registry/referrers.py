# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What refers to an image: signatures, attestations and the like, as registries list them.

Source: OCI distribution specification 1.1, "Listing Referrers" and "Referrers Tag Schema".
"""

from __future__ import annotations

import hashlib
import json
import re
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.authorized_requests import (
    AuthorizedRequests,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.manifests import (
    LARGEST_MANIFEST,
    Manifest,
    media_type_of,
    spoilt,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint

_WITHOUT_API = (400, 404, 405, 406, 501)
"""Statuses with which registries answer a request for referrers when they have none."""

_MOST_PAGES = 16
_NEXT_PAGE = re.compile(r'<[^>?]*\?([^>#\s]+)>\s*;\s*rel="?next"?', re.IGNORECASE)


def referrers(
    requests: AuthorizedRequests, endpoint: Endpoint, subject: Digest, deadline: Deadline, without_api: set[str]
) -> Manifest:
    """Return the image index of all that ``endpoint`` has for ``subject``; its pages become one.

    Of a registry without the API for it, the tag is requested that stands in for it, and its host becomes one of
    ``without_api``, which are not asked again. Raises TransferError with status 404 where nothing refers to the
    subject, and what the requests raise.
    """
    path, found = f"referrers/{subject}", []
    answer = None
    if endpoint.host not in without_api:
        answer = requests.get(endpoint, path, deadline, accept=OCI_INDEX, statuses=(200, *_WITHOUT_API))
        if answer.status != 200 or media_type_of(answer) != OCI_INDEX:
            without_api.add(endpoint.host)
            answer = None
    if answer is None:
        answer = requests.get(endpoint, f"manifests/sha256-{subject.hex}", deadline, accept=OCI_INDEX)
        if media_type_of(answer) != OCI_INDEX:
            raise _nothing(endpoint)
    first = Manifest.checked(answer, None, endpoint)
    document = _index(first.content, endpoint)
    for _page in range(_MOST_PAGES):
        found += _index(answer.body, endpoint)["manifests"]
        following = _NEXT_PAGE.search(answer.headers.get("Link", "")[:4096])
        if following is None:
            break
        answer = requests.get(endpoint, f"{path}?{following.group(1)}", deadline, accept=OCI_INDEX)
    else:
        raise spoilt(endpoint, f"the list of referrers has more than {_MOST_PAGES} pages")
    if not found:
        raise _nothing(endpoint)
    return first if found == document["manifests"] else _joined({**document, "manifests": found}, endpoint)


def _joined(document: dict[str, t.Any], endpoint: Endpoint) -> Manifest:
    content = json.dumps(document).encode("ascii")
    if len(content) > LARGEST_MANIFEST:
        raise spoilt(endpoint, f"the list of referrers has {len(content)} bytes, more than {LARGEST_MANIFEST}")
    return Manifest(Digest(hashlib.sha256(content).hexdigest()), OCI_INDEX, content)


def _index(content: bytes, endpoint: Endpoint) -> dict[str, t.Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise spoilt(endpoint, "the list of referrers is not JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("manifests"), list):
        raise spoilt(endpoint, "the list of referrers is not an image index")
    return document


def _nothing(endpoint: Endpoint) -> TransferError:
    return TransferError(
        "list the referrers",
        on=endpoint.name,
        seen="nothing refers to the image",
        advice="No action is required, unless signatures of the image are expected there.",
        status=404,
    )
