# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Label selectors of the API, matched here as the server would."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    list_at,
    mapping_at,
    text_at,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping


def selects(selector: Mapping[str, t.Any], labels: Mapping[str, str]) -> bool:
    """Return whether a LabelSelector matches; an empty one matches all.

    Source: k8s.io/apimachinery, pkg/apis/meta/v1/helpers.go, LabelSelectorAsSelector.
    """
    wanted = mapping_at(selector, "matchLabels")
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    return all(_holds(one, labels) for one in list_at(selector, "matchExpressions"))


def _holds(requirement: object, labels: Mapping[str, str]) -> bool:
    key, operator = text_at(requirement, "key"), text_at(requirement, "operator")
    values = list_at(requirement, "values")
    if operator == "In":
        return key in labels and labels[key] in values
    if operator == "NotIn":
        return labels.get(key) not in values
    return (key in labels) == (operator == "Exists")
