# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a module's options to a request, the files among them read now: what they say later changes nothing."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    yaml_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.registry_setup import required_text
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.user_paths import (
    auth_files,
    certs_dirs,
    chosen_auth_file,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import (
    BundleRequest,
    MirrorOption,
    RegistryOptions,
    listed_images,
    release_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.image_set_releases import (
    RequestedReleases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.image_set import (
    ImageSet,
    read_image_set,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_request import (
    catalog_requests,
    installed_operators,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.related_images import (
    BlockedImages,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.image_policies import (
    SignaturePolicy,
    policies_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_graph import (
    default_channel,
    graph_address,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_COPIED = ("image_signatures", "attestations", "refresh_tags", "connections")
_LISTS = ("platforms", "only", "exclude")
_PATHS = ("image_references", "base", "signing_key", "plan", "inventory")


def request_from_options(options: Mapping[str, t.Any]) -> BundleRequest:
    """Return the checked request; raise InvalidInputError naming the option that is wrong."""
    named: dict[str, t.Any] = {name: options[name] for name in _COPIED}
    named.update({name: tuple(options[name] or ()) for name in _LISTS})
    named.update({name: _path(options[name]) for name in _PATHS})
    image_set = _image_set(options)
    wanted = _releases(options, image_set)
    architecture, *further = _architectures(options)
    request = BundleRequest(
        release=options["image"] or _release_name(wanted.version, options),
        architecture=architecture,
        further_architectures=tuple(further),
        version=wanted.version,
        extra_images=_extra_images(options, image_set),
        extra_files=tuple(dict.fromkeys(options["extra_files"] or ())),
        boot_images=tuple(sorted(set(options["boot_images"] or ()))),
        boot_image_streams=tuple(sorted(set(options["boot_image_streams"] or ()))),
        policies=tuple(policy for path in options["image_policies"] or () for policy in _policies(path)),
        registry=registry_options(options),
        trusted_keys=_trusted_keys(options["trusted_keys"]),
        signature_stores=tuple(_store(store) for store in options["signature_stores"] or ()),
        source_date_epoch=_source_date_epoch(),
        catalogs=catalog_requests([*(options["operators"] or ()), *image_set.operators]),
        installed=_installed(options),
        blocked_images=tuple(dict.fromkeys([*(options["blocked_images"] or ()), *image_set.blocked_images])),
        update_from=wanted.update_from,
        update_graph=_update_graph(options, wanted),
        inventory_keys=tuple(_absolute(path) for path in options["inventory_keys"] or ()),
        **named,
    )
    request.check()
    return request


def request_warnings(options: Mapping[str, t.Any]) -> list[str]:
    """Return what in ``options`` has no effect although it is written there."""
    image_set = _image_set(options)
    keys = list(image_set.passed_over)
    wanted = {name for one in map(Architecture.parse, _architectures(options)) for name in (one.oci, one.release)}
    if not wanted.issuperset(image_set.architectures):
        keys.append("mirror.platform.architectures")
    differences = list(image_set.differences)
    if image_set.releases.version and not _is_used(options, image_set.releases):
        keys.append("mirror.platform.channels")
        differences = [one for one in differences if one not in image_set.releases.differences]
    on = f"image_set_configuration {options['image_set_configuration']}"
    return [
        *([f"{on}: keys without effect: {', '.join(keys)}"] if keys else []),
        *([f"{on}: unlike oc-mirror: {'; '.join(differences)}"] if differences else []),
    ]


def registry_options(options: Mapping[str, t.Any]) -> RegistryOptions:
    """Return how to reach registries; where nothing is named, as container tools of this user reach them."""
    pull_secret = _path(options["pull_secret"]) or chosen_auth_file(os.environ)
    certs_dir = _path(options["certs_dir"])
    if certs_dir is not None and not Path(certs_dir).is_dir():
        raise InvalidInputError(
            "read certs_dir", on=certs_dir, seen="there is no such directory", advice="Correct certs_dir."
        )
    return RegistryOptions(
        pull_secret=pull_secret,
        auth_files=() if pull_secret else auth_files(os.environ),
        registries_conf=_path(options["registries_conf"]),
        mirrors=tuple(_mirror(mirror) for mirror in options["mirrors"] or ()),
        ca_file=_path(options["ca_file"]),
        certs_dirs=(certs_dir,) if certs_dir else certs_dirs(os.environ),
    )


def _is_used(options: Mapping[str, t.Any], releases: RequestedReleases) -> bool:
    """Whether the releases of the image set configuration are those of the bundle."""
    return not options["image"] and not options["update_from"] and options["version"] in (None, releases.version)


def _releases(options: Mapping[str, t.Any], image_set: ImageSet) -> RequestedReleases:
    """Return the requested releases. What options name replaces those of the image set configuration."""
    if _is_used(options, image_set.releases):
        return replace(image_set.releases, channel=options["update_channel"] or image_set.releases.channel)
    version = options["version"] or (None if options["image"] else image_set.releases.version)
    return RequestedReleases(version, tuple(dict.fromkeys(options["update_from"] or ())), options["update_channel"])


def _architectures(options: Mapping[str, t.Any]) -> list[str]:
    named = list(dict.fromkeys(options["architecture"]))
    if not named:
        raise InvalidInputError(
            "read the request for a bundle", on="architecture", seen="it is empty", advice="Specify an architecture."
        )
    return named


def _update_graph(options: Mapping[str, t.Any], wanted: RequestedReleases) -> str | None:
    """Return where the update graph is: a URL, or the absolute path of a file."""
    place = options["update_graph"]
    if not wanted.update_from:
        if place or options["update_channel"]:
            raise InvalidInputError(
                "read the request for a bundle",
                on="update_graph" if place else "update_channel",
                seen="neither update_from nor image_set_configuration names the version that sites run",
                advice="Set update_from.",
            )
        return None
    if place:
        return str(place) if place.startswith(("http://", "https://")) else _absolute(place)
    return graph_address(wanted.channel or default_channel(wanted.version or ""), _architectures(options))


def _source_date_epoch() -> int | None:
    """Return the time to build with instead of now: reproducible-builds.org, "SOURCE_DATE_EPOCH"."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if text and not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise InvalidInputError(
            "read the time of the build",
            on="SOURCE_DATE_EPOCH",
            seen=f"{text[:40]!r} is not a number of seconds",
            advice="Set it to whole seconds since 1970-01-01, or unset it.",
        )
    return int(text) if text else None


def _trusted_keys(paths: list[str] | None) -> tuple[str, ...] | None:
    """Return the files with keys; None, for the built-in keys, differs from a list without any."""
    return None if paths is None else tuple(_absolute(path) for path in paths)


def _release_name(version: str | None, options: Mapping[str, t.Any]) -> str:
    if version is None:
        raise InvalidInputError(
            "read the request for a bundle",
            on=str(options["image_set_configuration"]),
            seen="mirror.platform.channels do not name one release by maxVersion",
            advice="Specify version or image.",
        )
    return release_name(version, _architectures(options))


def _installed(options: Mapping[str, t.Any]) -> tuple[InstalledOperator, ...]:
    listed = list(options["installed_operators"] or ())
    path = options["installed_operators_file"]
    if path:
        documents = yaml_documents(required_text(path, "installed_operators_file").encode(), on=path)
        found = documents[0] if len(documents) == 1 else None
        if isinstance(found, dict):
            # What is subscribed to need not be installed yet.
            entries = [one for one in found.get("operators") or () if isinstance(one, dict)]
            found = [one for one in entries if one.get("version") or one.get("bundle")]
        if not isinstance(found, list):
            raise InvalidInputError(
                "read the installed operators",
                on=path,
                seen="it is neither a list nor a document with a list named operators",
                advice="List the package and the version of each installed operator.",
            )
        listed += found
    return installed_operators(listed, on=path or "installed_operators")


def _extra_images(options: Mapping[str, t.Any], image_set: ImageSet) -> tuple[str, ...]:
    listed = tuple(options["extra_images"] or ())
    if options["extra_images_file"]:
        listed += listed_images(required_text(options["extra_images_file"], "extra_images_file"))
    blocked = BlockedImages(image_set.blocked_images)
    return tuple(dict.fromkeys([*listed, *(one for one in image_set.extra_images if not blocked.holds(one))]))


def _image_set(options: Mapping[str, t.Any]) -> ImageSet:
    path = options["image_set_configuration"]
    if not path:
        return ImageSet()
    documents = yaml_documents(required_text(path, "image_set_configuration").encode(), on=path)
    return read_image_set(documents[0] if len(documents) == 1 else None, on=path)


def _policies(path: str) -> tuple[SignaturePolicy, ...]:
    return policies_in(yaml_documents(required_text(path, "image_policies").encode(), on=path), on=path)


def _mirror(option: Mapping[str, t.Any]) -> MirrorOption:
    return MirrorOption(option["source"], tuple(option["mirrors"]), option["insecure"], option["contact_source"])


def _store(store: str) -> str:
    if store.startswith(("http://", "https://")):
        return store
    return _absolute(store.removeprefix("file://"))


def _path(path: str | None) -> str | None:
    return _absolute(path) if path else None


def _absolute(path: str) -> str:
    return str(Path(path).absolute())
