# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What gpgv says of a signed message, read from its status lines.

Source: GnuPG ``doc/DETAILS``, "Format of the --status-fd output". The exit status alone is not enough: gpgv succeeds
for a signature whose key has expired.
"""

from __future__ import annotations

from dataclasses import dataclass

_MARK = "[GNUPG:] "
_PROBLEMS = {
    "EXPKEYSIG": "its key has expired",
    "EXPSIG": "the signature itself has expired",
    "REVKEYSIG": "its key was revoked",
    "BADSIG": "the signature does not fit the message",
    "ERRSIG": "it is by a key that is not among the trusted ones, or of an unknown kind",
    "FAILURE": "gpgv failed",
    "NODATA": "it is no OpenPGP message",
    "UNEXPECTED": "it is no signed OpenPGP message",
}


@dataclass(frozen=True)
class GpgVerdict:
    """``signers`` are the primary fingerprints of the keys that signed; ``problem`` is empty if all is well."""

    signers: tuple[str, ...]
    problem: str

    @property
    def is_good(self) -> bool:
        """Whether there is a valid signature and nothing against any of them."""
        return bool(self.signers) and not self.problem


def gpg_verdict(status: str) -> GpgVerdict:
    """Return the verdict in the status lines ``status``."""
    lines = [line[len(_MARK) :].split() for line in status.splitlines() if line.startswith(_MARK)]
    words = [line[0] for line in lines if line]
    problems = [text for word, text in _PROBLEMS.items() if word in words]
    # VALIDSIG ends in the primary key's fingerprint; signatures of subkeys are good through it.
    signers = tuple(dict.fromkeys(line[-1] for line in lines if line and line[0] == "VALIDSIG" and len(line) >= 11))
    if not problems and words.count("GOODSIG") != words.count("VALIDSIG"):
        problems.append("gpgv did not find every signature in it good")
    if not problems and not signers:
        problems.append("it carries no signature")
    return GpgVerdict(() if problems else signers, "; ".join(problems))
