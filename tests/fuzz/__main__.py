# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Looks for content that makes one reader fail, guided by which lines of the collection it reaches.

``python -m ansible_collections.fieldops.openshift.tests.fuzz READER SECONDS FOLDER``: examples are taken from FOLDER
and added to it, and what makes the reader fail is written there as ``crash-*``, ``timeout-*`` or ``oom-*``.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ansible_collections.fieldops.openshift.plugins"]):
    from ansible_collections.fieldops.openshift.tests.fuzz.readers import READERS

from ansible_collections.fieldops.openshift.tests.fuzz.mutations import mutated

SLOWEST = 20
"""Seconds that a reader may take for content of at most ``LARGEST`` bytes."""
LARGEST = 16 * 1024
MOST_MEMORY = 1024
"""MiB of the whole process."""


def main(name: str, seconds: str, folder: str) -> None:
    """Look for ``seconds``; libFuzzer ends the process, with status 0 if nothing was found."""
    reader = READERS[name]
    corpus = Path(folder) / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(reader.seeds):
        (corpus / f"seed-{number}").write_bytes(content)

    def read(content: bytes) -> None:
        reader.accepts(content)

    def mutate(content: bytes, most: int, seed: int) -> bytes:
        if seed % 2:
            return bytes(atheris.Mutate(content, most))
        return mutated(content, reader.seeds, random.Random(seed))[:most]  # noqa: S311 - nothing secret

    limits = [f"-max_len={LARGEST}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MOST_MEMORY}"]
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={folder}/", "-print_final_stats=1", *limits]
    atheris.Setup([sys.argv[0], *options, str(corpus)], read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
