# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same MachineConfigs to the actor of the render controller and to upstream's: what is rendered of them.

Each row is a pool of its own; all are rendered at the same time, as upstream lets changes settle for five seconds.
"""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_refusals import GENERATED_BY
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_rendering import (
    CONFIGS,
    OVERRIDDEN,
    RenderController,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import infrastructure, release_image
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import ROLE_LABEL

API_VERSION = "machineconfiguration.openshift.io/v1"
ROW_LABEL = "lab.fieldops.example/row"
RELEASE = release_image("4.21.3")
OTHER, ANOTHER = (f"quay.io/example/os@sha256:{digit * 64}" for digit in "12")
KNOWN = "2.2,3.0,3.1,3.2,3.3,3.4,3.5"
BY = 'reconciliation failed between current config "{current}" and base config "50-{pool}": '
PASSWD = BY + "invalid passwd change(s): "
NOTHING: t.Final[Json] = {
    "baseOSExtensionsContainerImage": "",
    "config": {"ignition": {"version": "3.5.0"}},
    "extensions": [],
    "fips": False,
    "kernelArguments": [],
    "kernelType": "default",
    "osImageURL": RELEASE,
}
SECONDS = 30.0


def files(*wanted: tuple[str, str], **options: t.Any) -> Json:
    """An Ignition configuration of files with a path and a content each."""
    made = [{"path": path, "contents": {"source": f"data:,{content}"}, **options} for path, content in wanted]
    return {"ignition": {"version": "3.2.0"}, "storage": {"files": made}}


def rendered_files(*wanted: tuple[str, str]) -> Json:
    """What becomes of them: the latest version, and every file is written over what is there."""
    return {**files(*wanted, overwrite=True), "ignition": {"version": "3.5.0"}}


def storage(**sections: t.Any) -> Json:
    """An Ignition configuration of what is to be on disks."""
    return {"ignition": {"version": "3.2.0"}, "storage": sections}


def passwd(**sections: t.Any) -> Json:
    """An Ignition configuration of users and groups."""
    return {"ignition": {"version": "3.2.0"}, "passwd": sections}


def core(*keys: str) -> Json:
    """An Ignition configuration of the keys of the one user that daemons know."""
    return passwd(users=[{"name": "core", "sshAuthorizedKeys": [*keys]}])


@dataclass(frozen=True)
class Row:
    """MachineConfigs by name, workers' or those of the row's own pool, and what differs from ``NOTHING`` in the end."""

    own: dict[str, Json] = field(default_factory=dict)
    workers: dict[str, Json] = field(default_factory=dict)
    wanted: Json = field(default_factory=dict)


ROWS = {
    "nothing but a name": Row({"00": {}}),
    "an image": Row({"00": {}, "50": {"osImageURL": OTHER}}, wanted={"osImageURL": OTHER}),
    "the last name has the last word": Row(
        {"60": {"osImageURL": OTHER}, "50": {"osImageURL": ANOTHER}, "70": {"osImageURL": ""}},
        wanted={"osImageURL": OTHER},
    ),
    "a pool's own has it over the workers', whatever these are called": Row(
        {"00": {"osImageURL": OTHER}}, {"99": {"osImageURL": ANOTHER}}, {"osImageURL": OTHER}
    ),
    "the release's image is no override": Row({"00": {"osImageURL": RELEASE}}),
    "arguments and extensions are put together in that order": Row(
        {"00": {"kernelArguments": ["b"], "extensions": ["usbguard"]}, "10": {"kernelArguments": ["a", "b"]}},
        {"99": {"kernelArguments": ["c"], "extensions": ["ipsec"]}},
        {"kernelArguments": ["c", "b", "a", "b"], "extensions": ["ipsec", "usbguard"]},
    ),
    "a kernel that is not the default": Row(
        {"00": {"kernelType": "realtime"}, "50": {"kernelType": "default"}}, wanted={"kernelType": "realtime"}
    ),
    "FIPS cannot be taken back": Row({"00": {"fips": True}, "50": {"fips": False}}, wanted={"fips": True}),
    "files": Row(
        {"00": {"config": files(("/etc/a", "1"))}, "50": {"config": files(("/etc/b", "2"))}},
        wanted={"config": rendered_files(("/etc/a", "1"), ("/etc/b", "2"))},
    ),
    "a file that is asked for twice": Row(
        {"00": {"config": files(("/etc/a", "1"), ("/etc/b", "2"))}, "50": {"config": files(("/etc/a", "3"))}},
        wanted={"config": rendered_files(("/etc/a", "3"), ("/etc/b", "2"))},
    ),
    "special bits of modes are lost on the way from versions before 3.4": Row(
        {"00": {}, "50": {"config": files(("/etc/a", "1"), mode=0o4755)}},
        wanted={"config": {**files(("/etc/a", "1"), overwrite=True, mode=0o755), "ignition": {"version": "3.5.0"}}},
    ),
}
EMPTY = "row-empty"
ROWS |= {
    "directories by path, and the keys of a user": Row(
        {
            "00": {"config": storage(directories=[{"path": "/a", "mode": 448}, {"path": "/b"}])},
            "50": {"config": storage(directories=[{"path": "/a", "mode": 493}]) | core("one")},
            "60": {"config": core("two", "one")},
        },
        wanted={
            "config": {
                **storage(directories=[{"path": "/a", "mode": 493}, {"path": "/b"}]),
                **core("one", "two"),
                "ignition": {"version": "3.5.0"},
            }
        },
    ),
}


@dataclass(frozen=True)
class Refused:
    """What a pool's MachineConfigs are at first, which one is added to them, and why nothing is rendered of both."""

    added: Json
    message: str
    before: dict[str, Json] = field(default_factory=lambda: {"00": {}})
    notes: dict[str, str] = field(default_factory=dict)


REFUSED = {
    "an unknown kernel": Refused({"kernelType": "fast"}, "kernelType=fast is invalid"),
    "unknown extensions": Refused({"extensions": ["ipsec", "doom", "quake"]}, "invalid extensions found: [doom quake]"),
    "no version of Ignition": Refused(
        {"config": {"ignition": {}}},
        "parsing Ignition config failed: invalid version. Supported spec versions: " + KNOWN,
    ),
    "a version of Ignition to come": Refused(
        {"config": {"ignition": {"version": "3.9.0"}}},
        "parsing Ignition config failed: unknown version. Supported spec versions: " + KNOWN,
    ),
    "a file that runs as its owner": Refused(
        {"config": files(("/etc/a", "1"), mode=0o4755) | {"ignition": {"version": "3.4.0"}}},
        "invalid mode 04755 for /etc/a, cannot exceed 0777",
    ),
    "what another controller generated": Refused(
        {},
        "Ignoring MC 50-{pool} generated by older version abc (my version: {own})",
        notes={GENERATED_BY: "abc"},
    ),
    "a module that another kernel cannot have": Refused(
        {"extensions": ["kernel-devel"], "kernelType": "realtime"},
        "installing kernel-devel extension is not supported with kernelType: realtime",
    ),
    "FIPS on a machine that runs": Refused(
        {"fips": True}, BY + "detected change to FIPS flag; refusing to modify FIPS on a running cluster"
    ),
    "a directory": Refused(
        {"config": storage(directories=[{"path": "/a"}])}, BY + "ignition directories section contains changes"
    ),
    "a link": Refused(
        {"config": storage(links=[{"path": "/a", "target": "/b"}])}, BY + "ignition links section contains changes"
    ),
    "a disk": Refused(
        {"config": storage(disks=[{"device": "/dev/sdb"}])}, BY + "ignition disks section contains changes"
    ),
    "a file system": Refused(
        {"config": storage(filesystems=[{"device": "/dev/sdb", "format": "xfs", "path": "/var/x"}])},
        BY + "ignition filesystems section contains changes",
    ),
    "a RAID": Refused(
        {"config": storage(raid=[{"name": "md0", "level": "raid1", "devices": ["/dev/sdb", "/dev/sdc"]}])},
        BY + "ignition raid section contains changes",
    ),
    "kernel arguments by Ignition": Refused(
        {"config": {"ignition": {"version": "3.4.0"}, "kernelArguments": {"shouldExist": ["a"]}}},
        BY + "ignition kargs section contains changes",
    ),
    "a file that is added to": Refused(
        {"config": storage(files=[{"path": "/etc/a", "overwrite": False, "append": [{"source": "data:,1"}]}])},
        BY + "ignition file /etc/a includes append",
    ),
    "the file that makes a daemon look away": Refused(
        {"config": files(("/run/machine-config-daemon-force", "1"))},
        BY + "cannot create /run/machine-config-daemon-force via Ignition",
    ),
    "a group": Refused(
        {"config": passwd(groups=[{"name": "a"}])}, PASSWD + "ignition Passwd Groups section contains changes"
    ),
    "another user": Refused(
        {"config": passwd(users=[{"name": "root", "passwordHash": "x"}])},
        PASSWD + "ignition passwd user section contains unsupported changes: non-core user",
    ),
    "a user without a key": Refused(
        {"config": passwd(users=[{"name": "core"}])},
        PASSWD
        + "ignition passwd user section contains unsupported changes: user must be core and have 1 or more sshKeys",
    ),
    "more of a user than keys": Refused(
        {"config": passwd(users=[{"name": "core", "passwordHash": "x", "uid": 7}])},
        PASSWD + "SSH keys and password hash are not reconcilable",
    ),
    "the MachineConfig at fault by the order of names": Refused(
        {"config": storage(directories=[{"path": "/b"}])},
        BY.replace("50-", "00-") + "ignition directories section contains changes",
        before={"00": {}, "99": {"config": storage(directories=[{"path": "/a"}])}},
    ),
}
PEERS: dict[str, t.Callable[[ApiServer], t.ContextManager[t.Any]]] = {
    "actor": lambda server: RenderController(server.rest, RELEASE),
    "real": lambda server: machine_config_controller(server, renders=True),
}


def pool_of(name: str) -> str:
    return f"row-{[*ROWS, *REFUSED].index(name)}"


def prepare(client: RestClient, pool: str, configs: list[tuple[str, str, Json]], **notes: dict[str, str]) -> None:
    """Make a pool and its MachineConfigs: role, name and what is in it."""
    for role, name, spec in configs:
        metadata = {"name": f"{name}-{pool}", "labels": {ROLE_LABEL: role, ROW_LABEL: pool}, **notes}
        made = {"apiVersion": API_VERSION, "kind": "MachineConfig", "metadata": metadata}
        client.apply({**made, "spec": {"config": {"ignition": {"version": "3.2.0"}}, **spec}})
    roles = {"key": ROLE_LABEL, "operator": "In", "values": ["worker", pool]}
    spec = {
        "machineConfigSelector": {"matchLabels": {ROW_LABEL: pool}, "matchExpressions": [roles]},
        "nodeSelector": {"matchLabels": {f"node-role.kubernetes.io/{pool}": ""}},
    }
    kind = {"apiVersion": API_VERSION, "kind": "MachineConfigPool", "metadata": {"name": pool}}
    client.apply({**kind, "spec": spec})


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        server.rest.apply(infrastructure("None"))
        yield server


@pytest.fixture(scope="module", params=PEERS)
def cluster(request: pytest.FixtureRequest, own_server: ApiServer) -> Iterator[RestClient]:
    """All rows, rendered by one peer, which stays at work."""
    client = own_server.rest
    for path in (POOLS, CONFIGS):
        client.delete(path)
    for name, row in ROWS.items():
        pool = pool_of(name)
        own = [(pool, one, spec) for one, spec in row.own.items()]
        prepare(client, pool, [*own, *(("worker", one, spec) for one, spec in row.workers.items())])
    for name, refused in REFUSED.items():
        pool = pool_of(name)
        prepare(client, pool, [(pool, one, spec) for one, spec in refused.before.items()])
    prepare(client, EMPTY, [])
    with contextlib.ExitStack() as running:
        running.enter_context(PEERS[request.param](own_server))
        wait_for(lambda: all(target(client, pool_of(name)) for name in (*ROWS, *REFUSED)), SECONDS)
        yield client


@pytest.fixture(scope="module")
def current(cluster: RestClient) -> dict[str, str]:
    """What pools were rendered before something was added to them that is refused."""
    rendered = {name: target(cluster, pool_of(name)) for name in REFUSED}
    for name, refused in REFUSED.items():
        pool = pool_of(name)
        prepare(cluster, pool, [(pool, "50", refused.added)], annotations=refused.notes)
    return rendered


def degraded(client: RestClient, pool: str) -> tuple[str, str]:
    """Return status and message of a pool's condition RenderDegraded."""
    conditions = client.get(f"{POOLS}/{pool}").get("status", {}).get("conditions", [])
    found: Json = next((one for one in conditions if one["type"] == "RenderDegraded"), {})
    return found.get("status", ""), found.get("message", "")


def target(client: RestClient, pool: str) -> str:
    """Return the name of the configuration that a pool shall have, empty while it has none."""
    return str(client.get(f"{POOLS}/{pool}")["spec"].get("configuration", {}).get("name", ""))


@pytest.mark.parametrize("name", ROWS)
def test_a_pool_is_rendered_as_its_row_says(cluster: RestClient, name: str) -> None:
    row, pool = ROWS[name], cluster.get(f"{POOLS}/{pool_of(name)}")
    rendered = cluster.get(f"{CONFIGS}/{target(cluster, pool_of(name))}")
    assert rendered["spec"] == {**NOTHING, **row.wanted}
    source = [f"{one}-{pool_of(name)}" for one in (*sorted(row.workers), *sorted(row.own))]
    assert [one["name"] for one in pool["spec"]["configuration"]["source"]] == source
    (owner,) = rendered["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["uid"], owner["controller"]) == ("MachineConfigPool", pool["metadata"]["uid"], True)
    overridden = rendered["metadata"].get("annotations", {}).get(OVERRIDDEN)
    assert overridden == ("true" if "osImageURL" in row.wanted else None)


def test_a_pool_without_machine_configs_is_degraded(cluster: RestClient) -> None:
    wait_for(lambda: degraded(cluster, EMPTY)[0] == "True", SECONDS)
    said = f"Failed to render configuration for pool {EMPTY}: no MachineConfigs found"
    assert degraded(cluster, EMPTY)[1].startswith(said)
    assert target(cluster, EMPTY) == ""


def test_what_is_taken_back_has_the_name_of_before(cluster: RestClient) -> None:
    pool, last = pool_of("nothing but a name"), f"{CONFIGS}/90-{pool_of('nothing but a name')}"
    before = target(cluster, pool)
    prepare(cluster, pool, [(pool, "90", {"osImageURL": OTHER})])
    wait_for(lambda: target(cluster, pool) != before, SECONDS)
    cluster.delete(last)
    wait_for(lambda: target(cluster, pool) == before, SECONDS)
    assert [one["name"] for one in cluster.get(f"{POOLS}/{pool}")["spec"]["configuration"]["source"]] == [f"00-{pool}"]


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_rendered_is_refused_in_its_words(
    cluster: RestClient, current: dict[str, str], name: str
) -> None:
    pool = pool_of(name)
    wait_for(lambda: degraded(cluster, pool)[0] == "True", SECONDS)
    own = cluster.get(f"{CONFIGS}/{current[name]}")["metadata"]["annotations"][GENERATED_BY]
    message = REFUSED[name].message.format(pool=pool, current=current[name], own=own)
    assert degraded(cluster, pool)[1].startswith(
        f"Failed to render configuration for pool {pool}: could not generate rendered MachineConfig: {message}"
    )
    assert target(cluster, pool) == current[name]


def test_a_pool_is_degraded_no_more_when_what_was_refused_is_gone(cluster: RestClient, current: dict[str, str]) -> None:
    pool = pool_of("an unknown kernel")
    wait_for(lambda: degraded(cluster, pool)[0] == "True", SECONDS)
    cluster.delete(f"{CONFIGS}/50-{pool}")
    wait_for(lambda: degraded(cluster, pool) == ("False", ""), SECONDS)
    assert target(cluster, pool) == current["an unknown kernel"]
