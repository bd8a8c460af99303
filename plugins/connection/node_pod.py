# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: node_pod
short_description: Access a node through a privileged pod, without SSH
version_added: 0.1.0
author: fieldops.openshift contributors (@fieldops)
description:
  - Runs commands and modules as root on the host of a node, through a helper pod and the connections of the API
    server and the kubelet. Only the API must be reachable.
  - The helper pod uses an image that the node already holds, by default the image of its machine-config daemon, and
    never pulls an image. It is assigned to the node even if the node is cordoned, has no API credentials, and ends
    after O(lifetime). If the pod is gone, for example after a reboot of the node, the next task creates a new one.
  - All pods of a run share a separate namespace that permits privileged pods. Use the role
    P(fieldops.openshift.reach_nodes#role) or M(fieldops.openshift.helper_pods) to create the pods in advance and to
    remove the namespace. Abandoned namespaces are removed at the next start.
  - Commands run in the namespaces of the host, so that systemctl, bootc, crictl and mounts behave as in a session on
    the host. The variable C(container) is not set for them.
  - Commands and their input are sent in the data stream and not in the request, so they do not appear in audit logs.
notes:
  - Modules require Python on the host. On a host without Python, M(ansible.builtin.raw) and M(ansible.builtin.fetch)
    work. With O(enter=pod), modules are run with the Python of the pod image. In that case, set C(host_root=/host)
    for modules of this collection that work on nodes.
  - Permission to create these pods and to run commands in them is equivalent to root access on every node. The
    required RBAC permissions are in C(extensions/rbac/node-pod.yml).
  - A command ends when its pod ends. Run long work as a job on the host, as the modules of this collection do.
requirements:
  - kubernetes >= 28.1.0, except 36.0.0 and 36.0.1
options:
  node:
    description:
      - The name of the Node object, or the internal address of the node. The default is the inventory name of the
        host, or its C(ansible_host).
    type: str
    vars:
      - name: ansible_node_pod_node
  image:
    description:
      - The image of the helper pod, which must exist on the node. It must contain a shell, C(base64), C(chroot),
        C(head) and C(sleep).
      - The default is the image, by digest, of the machine-config daemon on the node.
    type: str
    default: ""
    vars:
      - name: ansible_node_pod_image
  run:
    description:
      - The name of the run that the pod belongs to, at most 40 lowercase letters, digits and hyphens. The name of the
        namespace is C(fieldops-reach-) followed by this name.
      - By default, each Ansible process has its own run.
    type: str
    default: ""
    vars:
      - name: ansible_node_pod_run
  lifetime:
    description: The time in seconds after which the pod ends and its namespace is considered abandoned.
    type: int
    default: 14400
    vars:
      - name: ansible_node_pod_lifetime
  enter:
    description:
      - Where commands run. V(host) is the host of the node, and V(pod) the helper pod, with the root file system of
        the host in C(/host).
    type: str
    choices: [host, pod]
    default: host
    vars:
      - name: ansible_node_pod_enter
  start_timeout:
    description: The time in seconds to wait for a helper pod to start.
    type: int
    default: 60
    vars:
      - name: ansible_node_pod_start_timeout
  command_timeout:
    description: The time in seconds that a command may take.
    type: int
    default: 3600
    vars:
      - name: ansible_node_pod_command_timeout
  remote_user:
    description: The user on the node, which is always root.
    type: str
    choices: [root]
    default: root
  kubeconfig:
    description: The path of a kubeconfig file, or its content as a dictionary.
    type: raw
    vars:
      - name: ansible_node_pod_kubeconfig
    env:
      - name: K8S_AUTH_KUBECONFIG
  context:
    description: The name of the kubeconfig context to use. The default is the current context.
    type: str
    vars:
      - name: ansible_node_pod_context
    env:
      - name: K8S_AUTH_CONTEXT
  host:
    description: The URL of the API server.
    type: str
    vars:
      - name: ansible_node_pod_host
    env:
      - name: K8S_AUTH_HOST
  api_key:
    description: The bearer token for authentication.
    type: str
    vars:
      - name: ansible_node_pod_api_key
    env:
      - name: K8S_AUTH_API_KEY
  username:
    description: The user name for HTTP basic authentication.
    type: str
    vars:
      - name: ansible_node_pod_username
    env:
      - name: K8S_AUTH_USERNAME
  password:
    description: The password for O(username).
    type: str
    vars:
      - name: ansible_node_pod_password
    env:
      - name: K8S_AUTH_PASSWORD
  validate_certs:
    description: Whether to verify the certificate of the API server.
    type: bool
    vars:
      - name: ansible_node_pod_validate_certs
    env:
      - name: K8S_AUTH_VALIDATE_CERTS
  ca_cert:
    description: The CA certificates for the API server, in PEM format.
    type: path
    vars:
      - name: ansible_node_pod_ca_cert
    env:
      - name: K8S_AUTH_CA_CERT
  client_cert:
    description: The client certificate for authentication, in PEM format.
    type: path
    vars:
      - name: ansible_node_pod_client_cert
    env:
      - name: K8S_AUTH_CLIENT_CERT
  client_key:
    description: The private key of O(client_cert), in PEM format.
    type: path
    vars:
      - name: ansible_node_pod_client_key
    env:
      - name: K8S_AUTH_CLIENT_KEY
  proxy:
    description: The URL of the proxy for connections to the API server.
    type: str
    vars:
      - name: ansible_node_pod_proxy
    env:
      - name: K8S_AUTH_PROXY
  no_proxy:
    description: A comma-separated list of destinations that are accessed without the proxy.
    type: str
    vars:
      - name: ansible_node_pod_no_proxy
    env:
      - name: K8S_AUTH_NO_PROXY
  impersonate_user:
    description: The user to impersonate.
    type: str
    vars:
      - name: ansible_node_pod_impersonate_user
    env:
      - name: K8S_AUTH_IMPERSONATE_USER
  impersonate_groups:
    description: The groups to impersonate.
    type: list
    elements: str
    vars:
      - name: ansible_node_pod_impersonate_groups
    env:
      - name: K8S_AUTH_IMPERSONATE_GROUPS
"""

import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

from ansible.errors import AnsibleConnectionFailure, AnsibleError, AnsibleFileNotFound
from ansible.plugins.connection import ConnectionBase

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.auth_options import AUTH_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.node_session import (
    NO_PYTHON,
    NodeSession,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.pods import HelperPods
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import RunIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._play_process import is_gone, own_run

_BLOCK = 1024 * 1024
_T = t.TypeVar("_T")


class Connection(ConnectionBase):
    """Runs commands on the host of a node as root, through its helper pod."""

    transport = "fieldops.openshift.node_pod"
    has_pipelining = True
    always_pipeline_modules = True
    has_tty = False

    def __init__(self, *args: t.Any, **kwargs: t.Any) -> None:
        super().__init__(*args, **kwargs)
        self._clock = SystemClock()
        self._session: NodeSession | None = None

    def _connect(self) -> Connection:
        if self._session is None:
            self._session = self._guarded(self._open)
            self._connected = True
        return self

    def exec_command(self, cmd: str, in_data: bytes | None = None, sudoable: bool = True) -> tuple[int, bytes, bytes]:  # noqa: ARG002
        """Run a command of the host's shell and return its exit status and output."""
        given = None if in_data is None else (len(in_data), lambda: iter([in_data]))
        status, stdout, stderr = self._guarded(lambda: self._running.run(cmd, given, self._deadline()))
        if status == 127 and b"python" in stderr.lower():
            stderr += NO_PYTHON.encode()
        return status, stdout, stderr

    def put_file(self, in_path: str, out_path: str) -> None:
        """Write a file of the controller to the node, whole or not at all."""
        source = Path(in_path)
        if not source.is_file():
            raise AnsibleFileNotFound(f"there is no file {in_path}")
        size = source.stat().st_size
        self._guarded(lambda: self._running.put(out_path, size, lambda: _blocks(source, size), self._deadline()))

    def fetch_file(self, in_path: str, out_path: str) -> None:
        """Write a file of the node to the controller, whole or not at all."""
        target = Path(out_path)
        with PartialFile.opened(target.with_name(f".{target.name}.fieldops-part")) as part:
            part.restart()
            self._guarded(lambda: self._running.fetch(in_path, part.write, self._deadline()))
            part.publish(target, mode=0o600)

    def reset(self) -> None:
        """Forget the pod, so that the next task looks for it again."""
        self.close()

    def close(self) -> None:
        """Close the connection to the API. The pod stays for the next task."""
        if self._session is not None:
            self._session.close()
        self._session = None
        self._connected = False

    @property
    def _running(self) -> NodeSession:
        self._connect()
        if self._session is None:
            raise AnsibleConnectionFailure("the pod of the node was left while a task was at work")
        return self._session

    def _open(self) -> NodeSession:
        params = {name: self.get_option(name) for name in AUTH_OPTIONS if self.has_option(name)}
        client = cluster_client(ModuleRun(params=params, check_mode=False, clock=self._clock))
        pods = HelperPods(
            client,
            self._run(),
            lifetime=self.get_option("lifetime"),
            image=self.get_option("image"),
            is_gone=is_gone,
        )
        node = self.get_option("node") or self._play_context.remote_addr
        session = NodeSession(client, pods, str(node), in_host=self.get_option("enter") == "host")
        session.open(Deadline(self.get_option("start_timeout"), self._clock))
        return session

    def _run(self) -> RunIdentity:
        """Return the given run, or that of the process whose workers the tasks are."""
        if self.get_option("run"):
            return RunIdentity(self.get_option("run"))
        return own_run()

    def _deadline(self) -> Deadline:
        return Deadline(self.get_option("command_timeout"), self._clock)

    def _guarded(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except FileNotFoundError as error:
            raise AnsibleFileNotFound(str(error)) from error
        except FieldOpsError as error:
            kind = AnsibleConnectionFailure if error.transient or self._session is None else AnsibleError
            raise kind(str(error)) from error


def _blocks(source: Path, size: int) -> Iterator[bytes]:
    """Yield exactly ``size`` bytes of a file, or fewer if it was truncated in the meantime."""
    with source.open("rb") as stream:
        while size > 0:
            block = stream.read(min(_BLOCK, size))
            if not block:
                return
            size -= len(block)
            yield block
