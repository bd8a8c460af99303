# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates and keys of the API's client, read once into memory, so that none has to stay in a file."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

# CERT_NONE and CERT_REQUIRED of the standard library's ssl, which only the door to the network may import.
_NOT_VERIFIED, _VERIFIED = 0, 2


@contextlib.contextmanager
def removing_files_of_the_library() -> Iterator[None]:
    """Let the client library remove the files that it writes in between.

    What a kubeconfig holds inline, private keys too, it writes to files of the temporary directory, and removes them
    when Python ends (kubernetes/config/kube_config.py). A worker of a play never comes there, nor does a process that
    is killed.
    """
    from kubernetes.config import kube_config

    try:
        yield
    finally:
        kube_config._cleanup_temp_files()


def take_certificates(configuration: t.Any, origin: str) -> t.Any:
    """Return the SSLContext that ``configuration`` of the client library asks for, and leave no path to a file in it.

    Raise InvalidInputError when a file holds no certificate or not the key of one; ``origin`` says where they come
    from.
    """
    try:
        context = _verifying_context(configuration)
        if configuration.cert_file:
            # Without a password OpenSSL would ask the terminal for that of an encrypted key.
            context.load_cert_chain(configuration.cert_file, configuration.key_file, password="")
        # Newer versions of the library have a context of its own for a proxy that is itself reached by TLS.
        if configuration.proxy and hasattr(configuration, "proxy_ssl_context"):
            configuration.proxy_ssl_context = _verifying_context(configuration)
    except (OSError, ValueError) as error:
        raise _unusable(origin, error) from None
    configuration.ssl_ca_cert = configuration.cert_file = configuration.key_file = None
    return context


def _verifying_context(configuration: t.Any) -> t.Any:
    from urllib3.util.ssl_ import create_urllib3_context

    context = create_urllib3_context(cert_reqs=_VERIFIED if configuration.verify_ssl else _NOT_VERIFIED)
    if configuration.assert_hostname is False:
        context.check_hostname = False
    if configuration.verify_ssl and configuration.ssl_ca_cert:
        context.load_verify_locations(configuration.ssl_ca_cert)
    elif configuration.verify_ssl:
        context.load_default_certs()
    return context


def _unusable(origin: str, error: Exception) -> InvalidInputError:
    # An SSLError names its reason; its text repeats it between numbers of OpenSSL.
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or type(error).__name__
    return InvalidInputError(
        "read the certificates for the Kubernetes API",
        on=f"the certificates of {origin}",
        seen=str(reason).replace("_", " ").lower(),
        advice="Specify ca_cert, client_cert and client_key as PEM. The key must belong to the certificate and have "
        "no password.",
    )
