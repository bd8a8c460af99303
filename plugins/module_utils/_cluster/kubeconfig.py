# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kubeconfigs and the service account of a pod, read into the client library's configuration."""

from __future__ import annotations

import logging
import re
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.libraries import require_kubernetes
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

DEFAULT_KUBECONFIG = "~/.kube/config"

_ADVICE = "Correct it, or set host and credentials as options."


def default_kubeconfig(environment: Mapping[str, str]) -> str | None:
    """Return the kubeconfig that applies when none is named: KUBECONFIG, a list of files, or the file in the home.

    None when neither exists. An empty KUBECONFIG counts as not set, as in client-go (tools/clientcmd/loader.go).
    """
    named = environment.get("KUBECONFIG")
    if named:
        return named
    home = environment.get("HOME")
    path = DEFAULT_KUBECONFIG.replace("~", home) if home else DEFAULT_KUBECONFIG
    return path if Path(path).expanduser().exists() else None


def load_kubeconfig(source: str | Mapping[str, t.Any], *, context: str | None, persist: bool) -> t.Any:
    """Return a Configuration of the client library from a kubeconfig: its content, a file, or a list of files.

    ``persist`` lets the library write refreshed tokens back to the file. Raise InvalidInputError when the kubeconfig,
    or the context, is unusable; its words name the place but quote nothing of the content.
    """
    require_kubernetes()
    from kubernetes.client import Configuration
    from kubernetes.config import load_kube_config, load_kube_config_from_dict
    from kubernetes.config.config_exception import ConfigException
    from yaml import YAMLError

    place = _place(source)
    if not isinstance(source, (str, dict)):
        raise _unusable(place, f"a {type(source).__name__} is neither a path nor a dictionary")
    configuration = Configuration()
    arguments = {"context": context, "client_configuration": configuration, "persist_config": persist}
    complaints = _Complaints()
    logging.getLogger().addHandler(complaints)
    try:
        if isinstance(source, str):
            load_kube_config(config_file=source, **arguments)
        else:
            load_kube_config_from_dict(config_dict=source, **arguments)
    except ConfigException as error:
        raise _unusable(place, _without_content(str(error), context)) from None
    except (YAMLError, UnicodeDecodeError):
        raise _unusable(place, "it is not YAML") from None
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise _unusable(place, f"it does not have the form of a kubeconfig ({type(error).__name__})") from None
    except OSError as error:
        raise _unusable(place, f"it, or a file that it refers to, cannot be read: {error.strerror}") from None
    finally:
        logging.getLogger().removeHandler(complaints)
    if complaints.heard and not configuration.api_key and not configuration.cert_file:
        raise _unusable(
            place, "its credential plugin returned no credentials; run the command under users/exec manually"
        )
    _require_server(configuration, place)
    return configuration


def load_service_account() -> t.Any | None:
    """Return a Configuration from the service account of the pod that this runs in, None outside of a pod."""
    require_kubernetes()
    from kubernetes.client import Configuration
    from kubernetes.config import load_incluster_config
    from kubernetes.config.config_exception import ConfigException

    configuration = Configuration()
    try:
        load_incluster_config(client_configuration=configuration)
    except ConfigException:
        return None
    return configuration


class _Complaints(logging.Handler):
    """Notes that the library complained: it logs the failure of a credential plugin and continues without credentials.

    What the plugin printed is not kept, it may hold credentials.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard = False

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of an error."""
        self.heard = self.heard or record.levelno >= logging.ERROR


def _place(source: str | Mapping[str, t.Any]) -> str:
    return f"the kubeconfig {source}" if isinstance(source, str) else "the kubeconfig given as an option"


def _without_content(text: str, context: str | None) -> str:
    """Return the library's complaint in our words: its own repeat whole entries of the file, tokens included."""
    if "Expected object with name" in text and context and context in text:
        return f"it has no context named {context}"
    if "No configuration found" in text:
        return "there is no such file, or it is empty"
    missing = re.search(r"Expected key ([\w-]+) in |File does not exist: ([^\n]+)", text)
    if missing:
        return f"the key {missing[1]} is missing" if missing[1] else f"there is no file {missing[2]}"
    return "the client library does not accept it"


def _require_server(configuration: t.Any, place: str) -> None:
    if configuration.host in ("", "http://localhost"):
        raise _unusable(place, "the cluster of its context has no server")


def _unusable(place: str, seen: str) -> InvalidInputError:
    return InvalidInputError("load the credentials", on=place, seen=seen, advice=_ADVICE)
