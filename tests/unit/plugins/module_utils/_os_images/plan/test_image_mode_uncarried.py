# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an image cannot carry, named before it is built."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_uncarried import (
    Uncarried,
    instructions,
    is_in_var,
    sentence_of,
    uncarried_of_config,
    uncarried_of_parts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    ContainerfilePart,
)


def lost(content: str) -> list[tuple[str, str]]:
    found = uncarried_of_parts([ContainerfilePart("NoArch", f"FROM configs AS final\n{content}\n")])
    assert all(one.lost and one.source == "containerfile NoArch" for one in found)
    return [(one.kind, one.subject) for one in found]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("COPY site.conf /etc/site.conf", []),
        ("COPY site.conf /var/lib/site/site.conf", [("file", "/var/lib/site/site.conf")]),
        ("COPY --chown=0:0 --from=tools /tool /usr/local/bin/tool", [("file", "/usr/local/bin/tool")]),
        ('ADD ["a", "b", "/opt/vendor/"]', [("file", "/opt/vendor/")]),
        ("COPY keys /home/core/.ssh/authorized_keys", [("ssh_keys", "/home/core/.ssh/authorized_keys")]),
        ("COPY keys /root/.ssh/authorized_keys.d/ops", [("ssh_keys", "/root/.ssh/authorized_keys.d/ops")]),
        ("RUN dnf install -y tcpdump && ostree container commit", []),
        ("RUN echo x > /var/lib/mark", [("file", "/var/lib/mark")]),
        ("RUN echo x >>/srv/mark; true", [("file", "/srv/mark")]),
        ("RUN mkdir -p /opt/vendor && touch /opt/vendor/x", [("file", "/opt/vendor"), ("file", "/opt/vendor/x")]),
        ("RUN echo x | tee -a /var/home/core/x", [("file", "/var/home/core/x")]),
        ("RUN rm -rf /var/cache/dnf && echo > /var/log/x && mkdir /var/tmp/y", []),
        ("RUN cat /var/lib/x > /etc/y", []),
        ("RUN echo /variable > /variable", []),
        ("RUN echo a \\\n  # why\n  > /var/lib/mark", [("file", "/var/lib/mark")]),
        ("RUN <<EOF\necho x > /var/lib/mark\nEOF", [("file", "/var/lib/mark")]),
        ("COPY <<EOF /etc/x\n> /var/lib/mark\nEOF", []),
        ("# COPY x /var/lib/x", []),
        ("COPY", []),
    ],
)
def test_what_a_part_puts_where_no_image_carries_it(content: str, found: list[tuple[str, str]]) -> None:
    assert lost(content) == found


def test_the_same_path_is_named_once_and_with_its_architecture() -> None:
    twice = "FROM configs AS final\nCOPY a /opt/a\nCOPY b /opt/a\n"
    found = uncarried_of_parts([ContainerfilePart("ARM64", twice), ContainerfilePart("AMD64", twice)])
    assert [one.source for one in found] == ["containerfile ARM64", "containerfile AMD64"]


def test_of_a_machine_config_the_daemon_writes_what_an_image_lacks() -> None:
    config = {
        "metadata": {"name": "rendered-worker-1"},
        "spec": {
            "config": {
                "storage": {
                    "files": [{"path": "/etc/site.conf"}, {"path": "/var/lib/kubelet/config.json"}],
                    "directories": [{"path": "/var/lib/site"}],
                    "links": [{"path": "/opt/vendor"}],
                },
                "passwd": {
                    "users": [
                        {"name": "core", "sshAuthorizedKeys": ["ssh-ed25519 AAAA"], "passwordHash": "$6$"},
                        {"name": "other"},
                    ]
                },
            }
        },
    }
    found = uncarried_of_config(config)
    assert [(one.kind, one.subject, one.lost) for one in found] == [
        ("directory", "/var/lib/site", False),
        ("file", "/var/lib/kubelet/config.json", False),
        ("link", "/opt/vendor", False),
        ("password", "core", False),
        ("ssh_keys", "core", False),
    ]
    assert sentence_of(found) == ""


@pytest.mark.parametrize("spec", [{}, {"config": None}, {"config": {"storage": None, "passwd": None}}])
def test_a_config_without_content_has_nothing(spec: dict[str, object]) -> None:
    assert uncarried_of_config({"metadata": {"name": "x"}, "spec": spec}) == []


@pytest.mark.parametrize(
    ("path", "inside"),
    [("/var", True), ("/opt/x", True), ("/usr/local/bin", True), ("/usr/lib", False), ("/variable", False)],
)
def test_what_lies_in_var(path: str, inside: bool) -> None:
    assert is_in_var(path) is inside


def test_what_is_lost_is_said_in_one_line() -> None:
    found = [
        Uncarried("file", "/opt/x", "containerfile NoArch", True),
        Uncarried("ssh_keys", "core", "rendered", False),
    ]
    assert sentence_of(found) == "an image cannot contain /opt/x (containerfile NoArch)"


@pytest.mark.parametrize("content", ["RUN <<EOF\nnever ends", "RUN a \\", "\\\n\\\n", "run " + "\\\n" * 5000])
def test_text_that_ends_too_early_is_no_fault(content: str) -> None:
    assert isinstance(instructions(content), list)
