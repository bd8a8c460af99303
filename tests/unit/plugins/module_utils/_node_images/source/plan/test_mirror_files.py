# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files by which container tools find a bundle's images at the node's image source."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MARK,
    MirrorSettings,
    asks_for_addresses,
    drop_in,
    signature_lookup,
    site_rules,
    with_hosts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

RELEASE = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
# What the machine-config operator makes of an ImageDigestMirrorSet, and what podman ships.
RENDERED = """\
unqualified-search-registries = ["registry.access.redhat.com", "docker.io"]
short-name-mode = ""

[[registry]]
  prefix = ""
  location = "quay.io/openshift-release-dev"

  [[registry.mirror]]
    location = "mirror.site.example:5000/ocp"
    pull-from-mirror = "digest-only"

[[registry]]
  prefix = ""
  location = "registry.partner.example/app"
  blocked = true

  [[registry.mirror]]
    location = "mirror.site.example:5000/app"
    insecure = true
"""
SETTINGS = MirrorSettings(9700)
OURS = """
[[registry.mirror]]
location = "127.0.0.1:9700/{repository}"
insecure = true
pull-from-mirror = "digest-only"
"""


def entries(*names: str, site: str = RENDERED, settings: MirrorSettings = SETTINGS) -> str:
    text = drop_in(names, site_rules({"registries.conf": site}), settings)
    return text[text.index("[[registry]]") :]


def test_a_repository_without_a_rule() -> None:
    assert entries("quay.io/a/b", site="") == (
        '[[registry]]\nlocation = "quay.io/a/b"\n' + OURS.format(repository="a/b")
    )


def test_a_repository_below_a_rule_of_the_site_keeps_its_mirrors() -> None:
    assert entries(RELEASE) == (
        f'[[registry]]\nlocation = "{RELEASE}"\n'
        + OURS.format(repository="openshift-release-dev/ocp-v4.0-art-dev")
        + '\n[[registry.mirror]]\nlocation = "mirror.site.example:5000/ocp/ocp-v4.0-art-dev"\n'
        + 'pull-from-mirror = "digest-only"\n'
    )


def test_flags_of_the_site_stay() -> None:
    assert entries("registry.partner.example/app") == (
        '[[registry]]\nlocation = "registry.partner.example/app"\nblocked = true\n'
        + OURS.format(repository="app")
        + '\n[[registry.mirror]]\nlocation = "mirror.site.example:5000/app"\ninsecure = true\n'
    )


def test_a_rule_that_leads_elsewhere_still_does() -> None:
    site = '[[registry]]\nprefix = "quay.io"\nlocation = "inner.example/quay"\ninsecure = true\n'
    assert entries("quay.io/a/b", site=site).startswith(
        '[[registry]]\nprefix = "quay.io/a/b"\nlocation = "inner.example/quay/a/b"\ninsecure = true\n'
    )


def test_a_wildcard_of_the_site_counts_for_what_is_below() -> None:
    site = '[[registry]]\nprefix = "*.partner.example"\n[[registry.mirror]]\nlocation = "mirror.example/all"\n'
    text = entries("registry.partner.example/app", site=site)
    assert text.startswith('[[registry]]\nlocation = "registry.partner.example/app"\n')
    assert text.endswith('[[registry.mirror]]\nlocation = "mirror.example/all/app"\n')


def test_a_registry_that_is_not_asked_any_more() -> None:
    settings = MirrorSettings(9700, ("quay.io",))
    text = entries("quay.io/a/b", "registry.example:5000/c", site="", settings=settings)
    assert text.startswith('[[registry]]\nlocation = "quay.io/a/b"\nblocked = true\n')
    assert '[[registry]]\nlocation = "registry.example:5000/c"\n\n' in text


def test_the_source_itself_is_named_once() -> None:
    site = (
        f'[[registry]]\nlocation = "{RELEASE}"\nblocked = true\n'
        f'[[registry.mirror]]\nlocation = "127.0.0.1:9700/x"\npull-from-mirror = "digest-only"\n'
        f'[[registry.mirror]]\nlocation = "192.0.2.5:9701/x"\npull-from-mirror = "digest-only"\n'
    )
    text = entries(RELEASE, site=site)
    assert text.count("127.0.0.1") == 1
    assert '"192.0.2.5:9701/x"' in text


def test_a_later_file_counts() -> None:
    later = f'[[registry]]\nlocation = "{RELEASE}"\n[[registry.mirror]]\nlocation = "later.example/x"\n'
    rules = site_rules({"registries.conf": RENDERED, "50-site.conf": later})
    text = drop_in([RELEASE], rules, SETTINGS)
    assert "later.example/x" in text
    assert "mirror.site.example" not in text


def test_without_repositories_there_is_no_file() -> None:
    assert drop_in([], site_rules({"registries.conf": RENDERED}), SETTINGS) == ""


def test_what_is_written_reads_back_the_same() -> None:
    once = drop_in([RELEASE, "registry.partner.example/app"], site_rules({"a": RENDERED}), SETTINGS)
    again = drop_in([RELEASE, "registry.partner.example/app"], site_rules({"a": RENDERED, "zz": once}), SETTINGS)
    assert again == once


@pytest.mark.parametrize(
    "content",
    ["registry = 3", "registry = [1]", "[[registry]\n", '[[registry]]\nlocation = "a b"\n', "[[registry]]\n"],
)
def test_a_file_that_cannot_be_read_is_refused(content: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        site_rules({"/etc/containers/registries.conf.d/50-bad.conf": content})
    assert "50-bad.conf" in str(refused.value)


def test_signatures_are_looked_for_at_the_source() -> None:
    assert signature_lookup(MirrorSettings(9711)) == (
        f"{MARK}\ndocker:\n  127.0.0.1:9711:\n    use-sigstore-attachments: true\n"
    )


@pytest.mark.parametrize(
    ("before", "names", "after"),
    [
        ("", [], ""),
        ("127.0.0.1 localhost\n", [], "127.0.0.1 localhost\n"),
        ("127.0.0.1 localhost", ["b", "a"], f"127.0.0.1 localhost\n::1 a {MARK}\n::1 b {MARK}\n"),
        (f"127.0.0.1 localhost\n::1 old {MARK}\n10.0.0.1 mine\n", [], "127.0.0.1 localhost\n10.0.0.1 mine\n"),
        (f"::1 a {MARK}\n", ["a"], f"::1 a {MARK}\n"),
    ],
)
def test_the_hosts_file(before: str, names: list[str], after: str) -> None:
    assert with_hosts(before, names) == after


@pytest.mark.parametrize(
    ("version", "asks"),
    [("1.27.8", True), ("1.34.0", True), ("1.35.0", False), ("1.36.1-rc.1", False), ("2.0.0", False), ("", True)],
)
def test_which_releases_ask_for_addresses(version: str, asks: bool) -> None:
    """Read in cri-o's branches release-1.27 to main."""
    assert asks_for_addresses(version) is asks
