# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole real machine-config operator on a lab's hosts: its controller, daemons and server run there as pods.

The operator itself is a process of this machine. It rolls out its Deployment and DaemonSets, the lab's kubelets run
them. A new node is first given the files of its configuration, which on a real one Ignition writes before the first
boot; from then on everything on it is the daemon's work.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import urlsplit

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, pools_of
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import (
    configuration_of,
    settle_node,
    wait_rendered,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.image import operator_image, proxy_image
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import VERSION, seed, start_operator
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import files_of, pool_is, units_of
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import LoadableImage
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG
from ansible_collections.fieldops.openshift.tests.lab.seed.operator_settings import secret

PODS = f"/api/v1/namespaces/{MACHINE_CONFIG}/pods"
CERTIFICATES = ("mcc-proxy-tls", "proxy-tls", "mco-proxy-tls", "machine-config-server-tls")
INFRASTRUCTURE = "/apis/config.openshift.io/v1/infrastructures/cluster"
UPDATED_SECONDS = 300.0
REPOSITORY = "/sysroot/ostree/repo"
PULL_SECRET = "config.json"
KUBELET = "/var/lib/kubelet/kubeconfig"
PARALLEL = 4


@contextlib.contextmanager
def operator_on_hosts(
    lab: Lab,
    version: str = VERSION,
    os_image: str = "",
    *,
    drains: bool = True,
    operator: LoadableImage | None = None,
) -> Iterator[None]:
    """Run the operator of ``version`` for as long as the context lasts; at its begin all pools are updated.

    ``os_image`` is what pools shall boot; the daemon of a host that boots no deployments leaves it alone. Of a cluster
    with one control-plane node the daemons drain nothing; with ``drains`` it says to have more. Then its pool of
    masters must not be updated: the drain would evict the controller that does it. ``operator`` is another image of it.
    """
    chosen = operator or operator_image()
    server = lab.api
    if drains:
        server.rest.merge(f"{INFRASTRUCTURE}/status", {"status": {"controlPlaneTopology": "HighlyAvailable"}})
    with hosts_prepared(lab, (chosen, proxy_image())):
        seed(server, version, os_image)
        server.rest.apply_all(certificates(server))
    running = start_operator(server, version, chosen.name, proxy_image().name)
    try:
        begin_hosts(lab)
        wait_updated(server.rest)
        yield
        running.require_running()
    finally:
        running.stop()


def programs_on_hosts() -> tuple[LoadableImage, LoadableImage]:
    """Return the images whose containers the operator runs; a lab may have its hosts hold them from the start."""
    return operator_image(), proxy_image()


@contextlib.contextmanager
def hosts_prepared(lab: Lab, programs: Sequence[LoadableImage] = ()) -> Iterator[None]:
    """Prepare all hosts beside what is done in the context; it ends when both are done."""
    lacking = [one for one in programs or programs_on_hosts() if one not in lab.images]
    with ThreadPoolExecutor(PARALLEL) as pool:
        prepared = [pool.submit(prepare_host, host, lacking) for host in lab.hosts.values()]
        yield
        for one in prepared:
            one.result()


def prepare_host(host: NodeHost, lacking: Sequence[LoadableImage]) -> None:
    """Give a running host what its daemon expects: images, the kubelet's identity, a pull secret, OSTree's repository.

    Source: pkg/daemon/daemon.go (New, PerformPostConfigChangeAction), pkg/daemon/update.go (setOSTreeFsync).
    """
    for image in lacking:
        image.load(host)
    host.run("sh", "-c", f"test -e {KUBELET} || cp /etc/kubernetes/kubeconfig {KUBELET}")
    if not host.run("find", "/var/lib/kubelet", "-maxdepth", "1", "-name", PULL_SECRET):
        host.write(f"/var/lib/kubelet/{PULL_SECRET}", '{"auths":{}}')
    host.run("mkdir", "--parents", REPOSITORY)
    host.run("ostree", f"--repo={REPOSITORY}", "init", "--mode=bare")


def begin_hosts(lab: Lab) -> None:
    """Wait until the controller has rendered, and let all hosts begin with that."""
    wait_rendered(lab.api.rest)
    with ThreadPoolExecutor(PARALLEL) as pool:
        list(pool.map(partial(install_first_state, lab.api), lab.hosts.values()))


def install_first_state(server: ApiAccess, host: NodeHost) -> None:
    """Lay the files of its pool's configuration on a host as Ignition does, and let its daemon start anew on them."""
    client = server.rest
    node = client.get(f"/api/v1/nodes/{host.name}")
    configuration = configuration_of(client, pools_of(node, client.get(POOLS)["items"])[0])
    for one in files_of(configuration):
        host.write(one.path, one.content.decode())
        host.run("chmod", f"{one.mode:o}", one.path)
    for path, text in units_of(configuration["spec"]["config"]):
        host.write(path, text)
    settle_node(client, host.name, configuration["metadata"]["name"])
    chosen = {"labelSelector": "k8s-app=machine-config-daemon", "fieldSelector": f"spec.nodeName={host.name}"}
    for pod in client.get(PODS, **chosen)["items"]:
        client.delete(f"{PODS}/{pod['metadata']['name']}", gracePeriodSeconds="0")


def wait_updated(client: RestClient) -> None:
    """Wait until the daemons have found their nodes as they should be, and the controller has counted them."""
    deadline = time.monotonic() + UPDATED_SECONDS
    while lacking := [one for one in ("master", "worker") if not pool_is(client, one, "Updated")]:
        if time.monotonic() > deadline:
            seen = str({name: client.get(f"{POOLS}/{name}")["status"]["conditions"] for name in lacking})
            raise LabError("settle", on=", ".join(lacking), seen=seen, advice="See the daemons' pods.")
        time.sleep(0.1)


def certificates(server: ApiAccess) -> Iterator[Json]:
    """Yield what the operator's pods mount of certificates, for the names by which new machines reach its server."""
    status = server.rest.get(INFRASTRUCTURE)["status"]
    internal = urlsplit(status["apiServerInternalURI"]).hostname
    addresses = status["platformStatus"].get("baremetal", {}).get("apiServerInternalIPs", [])
    return (_certificate(server, name, ["localhost", str(internal), *addresses]) for name in CERTIFICATES)


def _certificate(server: ApiAccess, name: str, hosts: Sequence[str]) -> Json:
    """Return the Secret in which the service CA or the installer would have put a certificate."""
    pair = server.authority.issue(name, name, hosts=hosts)
    content = {"tls.crt": pair.certificate.read_text(), "tls.key": pair.key.read_text()}
    return secret(MACHINE_CONFIG, name, "kubernetes.io/tls", content)
