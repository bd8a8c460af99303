# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""When the kubelet begins to remove images, and what its configuration says of that.

Source: kubernetes ``pkg/kubelet/images/image_gc_manager.go`` (when), ``pkg/kubelet/apis/config`` (which values there
are: ``v1beta1/defaults.go``, ``validation/validation.go``).
"""

from __future__ import annotations

import json
import re
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Iterator

SETTING = "imageGCHighThresholdPercent"
DEFAULT_THRESHOLD = 85
NEVER = 100
"""The threshold that switches this garbage collection off (``pkg/kubelet/kubelet.go``)."""

_KIND = "KubeletConfiguration"
_PERCENT = re.compile(r"[1-9][0-9]?|100")
_PAIR = re.compile(r"""(["']?)([A-Za-z]\w*)\1[ \t]*:(?:[ \t]+(.*))?$""", re.ASCII | re.DOTALL)
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_LONGEST_WORDS = 80


@dataclass(frozen=True)
class ImageGc:
    """The share of use, in percent of the images' file system, from which on the kubelet removes images.

    ``read_from`` is the file that sets it, empty for the kubelet's default; ``problem`` says what of the kubelet's
    configuration could not be understood.
    """

    threshold: int = DEFAULT_THRESHOLD
    read_from: str = ""
    problem: str = ""

    def reserve(self, total: int) -> int:
        """Return how many bytes of ``total`` must be free so that no image is removed.

        The kubelet rounds the use up to whole percents, so that one percent more than the threshold leaves is needed.
        """
        return -(-total * (101 - self.threshold) // 100) if self.threshold < NEVER else 0

    @property
    def sentence(self) -> str:
        """Say from where on images are removed and who says so; continues a sentence."""
        origin = f"{SETTING} in {self.read_from}" if self.read_from else f"its default, no file sets {SETTING}"
        doubt = f"; not understood: {self.problem}" if self.problem else ""
        if self.threshold >= NEVER:
            return f"the kubelet never removes images for want of space ({origin}{doubt})"
        return f"the kubelet removes images from {self.threshold} % use on ({origin}{doubt})"


def threshold_in(content: bytes, name: str) -> int | None:
    """Return the threshold that the configuration ``content`` of the file ``name`` sets, None when it leaves it open.

    JSON and YAML are known, of YAML what a mapping in block style is written with, which is how the machine-config
    operator and people write it. Raises InvalidInputError for anything else, and for a value that is no threshold.
    """
    settings = _settings(_text(content, name), name)
    if settings.get("kind") != _KIND:
        raise _unclear(name, f"it is no {_KIND}")
    value = settings.get(SETTING)
    if value is None:
        return None
    if not isinstance(value, _Plain) or not _PERCENT.fullmatch(value):
        raise _unclear(name, f"{SETTING} is {_shown(value)}, not a whole number from 1 to 100")
    return int(value)


class _Plain(str):
    """A value that is not quoted, such as a number, as it was written."""


def _text(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unclear(name, "it is not text") from error
    if _NO_TEXT.search(text):
        raise _unclear(name, "it is not text")
    return text


def _settings(text: str, name: str) -> dict[str, t.Any]:
    if not text.lstrip().startswith("{"):
        return {key: _scalar(words) for key, words in _pairs(text)}
    try:
        # Numbers stay as they are written: a long one takes Python 3.9 minutes to convert.
        found = json.loads(text, parse_int=_Plain, parse_float=_Plain, parse_constant=_Plain)
    except (ValueError, RecursionError) as error:
        raise _unclear(name, f"it is no JSON: {error!s:.100}") from error
    return found if isinstance(found, dict) else {}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of the outermost mapping of the first document in ``text`` with what is written after each."""
    depth, key, words = -1, "", ""
    for line in (_COMMENT.sub("", line).rstrip() for line in text.split("\n")):
        bare = line.lstrip(" ")
        if not bare or (depth < 0 and line.startswith(("---", "%"))):
            continue
        if line.startswith(("---", "...")):
            break
        depth = len(line) - len(bare) if depth < 0 else depth
        pair = _PAIR.fullmatch(bare) if len(line) - len(bare) == depth else None
        if pair:
            yield key, words
            key, words = pair[2], pair[3] or ""
        elif len(words) < _LONGEST_WORDS:
            words += f" {bare}"
    yield key, words


def _scalar(words: str) -> str | None:
    value = words.strip()
    if value[:1] in ("'", '"') and value[-1:] == value[:1]:
        return value[1:-1]
    return None if value in _NULLS else _Plain(value)


def _shown(value: t.Any) -> str:
    if isinstance(value, _Plain):
        return value[:40]
    return f"{value!r:.40}" if isinstance(value, str) else f"a {type(value).__name__}"


def _unclear(name: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read when the kubelet removes images",
        on=name,
        seen=seen,
        advice="Correct the file: the kubelet does not start with it.",
    )
