# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: vetted_digest
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Convert the words of a digest to the digest of a bundle
description:
  - Takes the digest of the index of a bundle as a person entered it, and returns it in the form that modules accept.
  - The 12 words of the first line stand for the first 128 bits of the digest, the 24 words of both lines for all 256.
    The words are those of BIP-39 in English. Each line contains a checksum of 4 bits. Words can be abbreviated to
    four letters. Other numbers of words are rejected.
  - A digest is returned as it is.
requirements:
  - mnemonic, to convert words
options:
  _input:
    description: The digest, C(sha256:...), or the words.
    type: str
    required: true
"""

EXAMPLES = r"""
- name: Verify the bundle by the words that were received by telephone
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
    index_digest: >-
      {{ 'double crop marriage crisp nasty junior actual lottery coast monitor tooth finger'
         | fieldops.openshift.vetted_digest }}
"""

RETURN = r"""
_value:
  description: The digest, or its first 32 digits. Empty if the input is empty.
  type: str
  sample: "sha256:3f2a1b0c9d8e7f60415263748596a7b8"
"""

import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.digest_words import (
    vetted_digest as read_digest,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates()
def vetted_digest(text: str) -> str:
    """Return the digest, or its beginning."""
    return read_digest(str(text))


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"vetted_digest": vetted_digest}
