# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kinds of API objects that only this room reads or writes."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

IMAGE_DIGEST_MIRROR_SET = ObjectKind("config.openshift.io/v1", "ImageDigestMirrorSet")
IMAGE_TAG_MIRROR_SET = ObjectKind("config.openshift.io/v1", "ImageTagMirrorSet")
IMAGE_CONTENT_SOURCE_POLICY = ObjectKind("operator.openshift.io/v1alpha1", "ImageContentSourcePolicy")
