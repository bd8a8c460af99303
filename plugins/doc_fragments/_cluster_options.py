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
      - The path of a kubeconfig file, several paths separated by colons as in E(KUBECONFIG), or the content of a
        kubeconfig as a dictionary.
      - Credentials in a dictionary are hidden in results and logs.
      - Without this option, and unless O(host) is set with credentials, the module uses the files in E(KUBECONFIG),
        then C(~/.kube/config), then the service account of the pod in which it runs.
      - If this option is not set, the value of E(K8S_AUTH_KUBECONFIG) is used.
    type: raw
  context:
    description:
      - The name of the kubeconfig context to use. The default is the current context.
      - If this option is not set, the value of E(K8S_AUTH_CONTEXT) is used.
    type: str
  host:
    description:
      - The URL of the API server, for example V(https://api.site.example:6443).
      - If it is set together with O(api_key), with O(username) and O(password), or with O(client_cert) and
        O(client_key), no kubeconfig is read.
      - If this option is not set, the value of E(K8S_AUTH_HOST) is used.
    type: str
  api_key:
    description:
      - The bearer token for authentication. It replaces the credentials in the kubeconfig.
      - If this option is not set, the value of E(K8S_AUTH_API_KEY) is used.
    type: str
  username:
    description:
      - The user name for HTTP basic authentication.
      - Kubernetes no longer supports basic authentication, so this option is useful only with a proxy in front of the
        API server that requires it. On OpenShift, log in first and use the token as O(api_key).
      - If this option is not set, the value of E(K8S_AUTH_USERNAME) is used.
    type: str
  password:
    description:
      - The password for O(username).
      - If this option is not set, the value of E(K8S_AUTH_PASSWORD) is used.
    type: str
  validate_certs:
    description:
      - Whether to verify the certificate of the API server. The default is V(true), unless the kubeconfig specifies
        otherwise.
      - If this option is not set, the value of E(K8S_AUTH_VALIDATE_CERTS) or E(K8S_AUTH_VERIFY_SSL) is used, where
        V(0), V(false), V(no) and V(off) mean V(false).
    type: bool
    aliases: [verify_ssl]
  ca_cert:
    description:
      - The path of a file with the CA certificates for the API server, in PEM format. Include intermediate
        certificates.
      - If this option is not set, the value of E(K8S_AUTH_CA_CERT) or E(K8S_AUTH_SSL_CA_CERT) is used.
    type: path
    aliases: [ssl_ca_cert]
  client_cert:
    description:
      - The path of a client certificate for authentication, in PEM format. It replaces the credentials in the
        kubeconfig.
      - If this option is not set, the value of E(K8S_AUTH_CLIENT_CERT) or E(K8S_AUTH_CERT_FILE) is used.
    type: path
    aliases: [cert_file]
  client_key:
    description:
      - The path of the private key of O(client_cert), in PEM format.
      - If this option is not set, the value of E(K8S_AUTH_CLIENT_KEY) or E(K8S_AUTH_KEY_FILE) is used.
    type: path
    aliases: [key_file]
  proxy:
    description:
      - The URL of the proxy for connections to the API server. It can contain a user name and a password.
      - If this option is not set, the value of E(K8S_AUTH_PROXY) is used. Otherwise, the Kubernetes client library
        uses E(HTTPS_PROXY) and related variables.
    type: str
  no_proxy:
    description:
      - A comma-separated list of host names, domains, addresses and networks that are accessed without the proxy.
      - If this option is not set, the value of E(K8S_AUTH_NO_PROXY) is used.
    type: str
  proxy_headers:
    description:
      - HTTP headers to send to the proxy.
    type: dict
    suboptions:
      proxy_basic_auth:
        description:
          - The user name and password for the proxy, separated by a colon.
          - If this option is not set, the value of E(K8S_AUTH_PROXY_HEADERS_PROXY_BASIC_AUTH) is used.
        type: str
      basic_auth:
        description:
          - The user name and password for an C(Authorization) header to the proxy, separated by a colon.
          - If this option is not set, the value of E(K8S_AUTH_PROXY_HEADERS_BASIC_AUTH) is used.
        type: str
      user_agent:
        description:
          - The user agent to send to the proxy.
          - If this option is not set, the value of E(K8S_AUTH_PROXY_HEADERS_USER_AGENT) is used.
        type: str
  persist_config:
    description:
      - Whether to write refreshed tokens back to the kubeconfig file. The default is V(false).
      - If this option is not set, the value of E(K8S_AUTH_PERSIST_CONFIG) is used.
    type: bool
  impersonate_user:
    description:
      - The user to impersonate. The authenticated user needs permission to impersonate users.
      - If this option is not set, the value of E(K8S_AUTH_IMPERSONATE_USER) is used.
    type: str
  impersonate_groups:
    description:
      - The groups to impersonate. Requires O(impersonate_user).
      - If this option is not set, the value of E(K8S_AUTH_IMPERSONATE_GROUPS) is used, a comma separated list.
    type: list
    elements: str
  api_patience:
    description:
      - The time in seconds for which requests are retried while the API server is unavailable or overloaded. Requests
        that must not be sent twice are retried only if no connection could be established.
      - An answer that is not complete in this time is an error as well. Allow more for large lists on slow networks.
      - On a single-node cluster, the API server is unavailable for several minutes when it restarts and when the node
        reboots.
      - A module that waits retries until its own timeout, regardless of this option.
    type: int
    default: 30
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, except 36.0.0 and 36.0.1
notes:
  - The Python package C(openshift) is used if it is installed, but it is not required.
  - The names, aliases and environment variables of connection options are the same as in the collection
    C(kubernetes.core), so that C(module_defaults) and credentials of an automation platform work for both.
"""
