# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options in module_utils/_cluster/auth_options.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  kubeconfig:
    description:
      - The path of a kubeconfig file, several paths joined by colons as in E(KUBECONFIG), or the content of a
        kubeconfig as a dictionary.
      - Credentials within a dictionary are kept out of results and logs.
      - Without this option, and unless O(host) comes with credentials, the files of E(KUBECONFIG) are read, else
        C(~/.kube/config), else the service account of the pod in which the module runs.
      - If this option is not set, the value of E(K8S_AUTH_KUBECONFIG) is used.
    type: raw
  context:
    description:
      - The name of the kubeconfig's context to use instead of its current one.
      - If this option is not set, the value of E(K8S_AUTH_CONTEXT) is used.
    type: str
  host:
    description:
      - The URL of the API server, for example V(https://api.site.example:6443).
      - Together with O(api_key), with O(username) and O(password), or with O(client_cert) and O(client_key), no
        kubeconfig is read.
      - If this option is not set, the value of E(K8S_AUTH_HOST) is used.
    type: str
  api_key:
    description:
      - The bearer token that authenticates the user. It replaces credentials that a kubeconfig holds.
      - If this option is not set, the value of E(K8S_AUTH_API_KEY) is used.
    type: str
  username:
    description:
      - The name of the user for HTTP basic authentication.
      - Kubernetes itself has no basic authentication any more, so this helps only where a proxy before the API server
        asks for it. On OpenShift log in first and give the token as O(api_key).
      - If this option is not set, the value of E(K8S_AUTH_USERNAME) is used.
    type: str
  password:
    description:
      - The password that belongs to O(username).
      - If this option is not set, the value of E(K8S_AUTH_PASSWORD) is used.
    type: str
  validate_certs:
    description:
      - Whether the certificate of the API server must be valid. By default it must, unless the kubeconfig says
        otherwise.
      - If this option is not set, the value of E(K8S_AUTH_VALIDATE_CERTS) or E(K8S_AUTH_VERIFY_SSL) is used, where
        V(0), V(false), V(no) and V(off) mean V(false).
    type: bool
    aliases: [verify_ssl]
  ca_cert:
    description:
      - The path of a file with the certificates, in PEM, of the authorities that the API server's certificate may be
        signed by. Intermediate authorities belong into it as well.
      - If this option is not set, the value of E(K8S_AUTH_CA_CERT) or E(K8S_AUTH_SSL_CA_CERT) is used.
    type: path
    aliases: [ssl_ca_cert]
  client_cert:
    description:
      - The path of the client certificate, in PEM, that authenticates the user. It replaces credentials that a
        kubeconfig holds.
      - If this option is not set, the value of E(K8S_AUTH_CLIENT_CERT) or E(K8S_AUTH_CERT_FILE) is used.
    type: path
    aliases: [cert_file]
  client_key:
    description:
      - The path of the private key, in PEM, that belongs to O(client_cert).
      - If this option is not set, the value of E(K8S_AUTH_CLIENT_KEY) or E(K8S_AUTH_KEY_FILE) is used.
    type: path
    aliases: [key_file]
  proxy:
    description:
      - The URL of the proxy through which the API server is reached. It may hold a user name and a password.
      - If this option is not set, the value of E(K8S_AUTH_PROXY) is used. Without either, the Kubernetes client
        library decides; it reads E(HTTPS_PROXY) and the like.
    type: str
  no_proxy:
    description:
      - A comma separated list of host names, domains, addresses and networks that are reached without the proxy.
      - If this option is not set, the value of E(K8S_AUTH_NO_PROXY) is used.
    type: str
  proxy_headers:
    description:
      - Headers for the proxy.
    type: dict
    suboptions:
      proxy_basic_auth:
        description:
          - User name and password for the proxy, joined by a colon.
          - If this option is not set, the value of E(K8S_AUTH_PROXY_HEADERS_PROXY_BASIC_AUTH) is used.
        type: str
      basic_auth:
        description:
          - User name and password for an C(Authorization) header to the proxy, joined by a colon.
          - If this option is not set, the value of E(K8S_AUTH_PROXY_HEADERS_BASIC_AUTH) is used.
        type: str
      user_agent:
        description:
          - How the client names itself to the proxy.
          - If this option is not set, the value of E(K8S_AUTH_PROXY_HEADERS_USER_AGENT) is used.
        type: str
  persist_config:
    description:
      - Whether tokens that had to be refreshed are written back to the kubeconfig file. By default they are not.
      - If this option is not set, the value of E(K8S_AUTH_PERSIST_CONFIG) is used.
    type: bool
  impersonate_user:
    description:
      - The user as whom the requests are made. The authenticated user needs the permission to impersonate.
      - If this option is not set, the value of E(K8S_AUTH_IMPERSONATE_USER) is used.
    type: str
  impersonate_groups:
    description:
      - The groups that the impersonated user belongs to; only together with O(impersonate_user).
      - If this option is not set, the value of E(K8S_AUTH_IMPERSONATE_GROUPS) is used, a comma separated list.
    type: list
    elements: str
  api_patience:
    description:
      - For how many seconds a request is tried again while the API server is away or overloaded. What may not be sent
        twice is tried again only while no connection can be made.
      - The only API server of a single node is away for minutes, at its restarts and while its node reboots.
      - A module that waits goes on until its own deadline, whatever this is.
    type: int
    default: 30
requirements:
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The Python package C(openshift) is used where it is installed. It needs nothing that C(kubernetes) lacks.
  - Names, aliases and environment variables of the options that describe the connection are those of the collection
    C(kubernetes.core), so that C(module_defaults) and the credentials of an automation platform fit both.
"""
