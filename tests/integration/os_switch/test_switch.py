# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site of three hosts is switched; one does not come back, is rolled back, and a better image ends it."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import NEVER_READY, REPOSITORY

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import SwitchSite

MASTER, FIRST, SECOND = "master-0", "worker-0", "worker-1"
WORKERS: t.Final = [FIRST, SECOND]


def test_outside_the_window_nothing_is_armed(site: SwitchSite) -> None:
    digest, before, boots = site.publish("later"), site.digests(), site.boots()
    closed = {"strategy": "Restrictive"}
    run = site.play("switch_os_image", site_os_image=REPOSITORY, site_os_image_digest=digest, site_change_stanza=closed)
    assert run.returncode == 0, run.stdout
    assert (site.digests(), site.boots()) == (before, boots)
    assert {name: site.status(name)["staged"] for name in before} == dict.fromkeys(before)


def test_a_host_that_never_gets_ready_is_rolled_back_and_a_good_image_completes(site: SwitchSite) -> None:
    bad, good = site.publish("bad", NEVER_READY), site.publish("good")
    before, boots = site.digests(), site.boots()
    failed = site.play(
        "switch_os_image",
        site_os_image=REPOSITORY,
        site_os_image_digest=bad,
        site_nodes=WORKERS,
        site_node_ready_timeout=90,
    )
    assert failed.returncode != 0
    assert f'"{FIRST}"' in failed.stdout
    assert (site.digests(), site.schedulable()) == (before, dict.fromkeys(before, True)), failed.stdout
    gone = {name: count - boots[name] for name, count in site.boots().items()}
    assert gone == {MASTER: 0, FIRST: 2, SECOND: 0}
    done = site.play("switch_os_image", site_os_image=REPOSITORY, site_os_image_digest=good)
    assert done.returncode == 0, done.stdout
    assert site.digests() == dict.fromkeys(before, good)
    again = site.play("switch_os_image", site_os_image=REPOSITORY, site_os_image_digest=good)
    assert (again.returncode, "changed=0" in again.stdout) == (0, True), again.stdout
    back = site.play("roll_back_os_image", site_os_image_digest=good, site_nodes=WORKERS)
    assert back.returncode == 0, back.stdout
    assert site.digests() == {**before, MASTER: good}
