# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How quickly a bundle is planned: a release of 190 images and operators from three catalogs, in an empty folder.

The registry is on the same machine and takes its share of it. A catalog has 200 packages in 37 MB.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.benchmarks.bundle_build import IMAGES, spec_of
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import Series, measured, ratio
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, NamedImage, write_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member, skeleton, write_layer
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CATALOGS = 3
PACKAGES = 200
LABEL = "operators.operatorframework.io.index.configs.v1"
MOST_SECONDS = 10

PLAN = """
import json, sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import BuildWork
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.plan_lines import plan_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock

request = BundleRequest.from_document(json.loads(sys.argv[1]))
seen = BuildWork(request, BundleFolder(Path(sys.argv[2])), SystemClock(), NoProgress()).forecast()
print("\\n".join(plan_lines(seen, 100)), file=sys.stderr)
"""


def publish_catalog(factory: ReleaseFactory, registry: Registry, number: int) -> dict[str, t.Any]:
    """Publish a catalog and the images of its first package; return the option that chooses that package."""
    operand = factory.partner_image(PartnerSpec(f"registry.partner.example/operand/{number}:v1", layers=(4096,)))
    registry.storage.publish(factory.pool, [operand])
    image = str(operand.reference.by_digest())
    members = [Member(f"configs/p{at}/catalog.json", _package(f"p{at}", image)) for at in range(PACKAGES)]
    layers = [write_layer(factory.pool, [*skeleton()]), write_layer(factory.pool, members)]
    catalog = write_image(factory.pool, OCI, Architecture.parse("x86_64"), layers, {"Labels": {LABEL: "/configs"}})
    reference = ImageReference.parse(f"registry.partner.example/catalog/index-{number}:v4.21")
    registry.storage.publish(factory.pool, [NamedImage(reference, catalog)])
    channel = dict.fromkeys(("name", "version", "min_version", "max_version"))
    package = {"name": "p0", "channels": [channel], "default_channel": None}
    return {"catalog": str(reference), "packages": [package], "complete": False}


def _package(name: str, image: str) -> bytes:
    versions = [f"1.{minor}.0" for minor in range(20)]
    entries = [{"name": f"{name}.v{version}"} for version in versions]
    documents: list[dict[str, t.Any]] = [
        {"schema": "olm.package", "name": name, "defaultChannel": "stable", "description": "x" * 1000},
        {"schema": "olm.channel", "package": name, "name": "stable", "entries": entries},
    ]
    documents += [
        {
            "schema": "olm.bundle",
            "package": name,
            "name": f"{name}.v{version}",
            "image": image,
            "properties": [
                {"type": "olm.package", "value": {"packageName": name, "version": version}},
                {"type": "olm.csv.metadata", "value": {"description": "y" * 9000}},
            ],
            "relatedImages": [{"name": "", "image": image}],
        }
        for version in versions
    ]
    for entry, before in zip(entries[1:], entries):
        entry["replaces"] = before["name"]
    return "\n".join(json.dumps(document) for document in documents).encode()


def request_of(release: Release, registry: Registry, operators: list[dict[str, t.Any]]) -> dict[str, t.Any]:
    """Return the request for the release and the operators, all in ``registry``."""
    return {
        "release": str(release.reference),
        "architecture": "x86_64",
        "catalogs": operators,
        "registry": {
            "mirrors": [
                {"source": source, "mirrors": [registry.host], "contact_source": False}
                for source in ("quay.io", "registry.partner.example")
            ],
            "ca_file": str(registry.ca_file),
            "pull_secret": str(registry.pull_secret),
        },
        "signature_stores": ["/nonexistent"],
        "trusted_keys": [],
    }


def main() -> None:
    """Plan some times and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=IMAGES)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Registry() as registry:
        scratch = Path(folder)
        factory = ReleaseFactory(scratch / "pool")
        release = factory.release(spec_of(chosen.images))
        registry.publish(release)
        operators = [publish_catalog(factory, registry, number) for number in range(CATALOGS)]
        request = request_of(release, registry, operators)
        series = Series("plan of a bundle", release.size)
        for _round in range(chosen.rounds):
            series.runs.append(measured([sys.executable, "-c", PLAN, json.dumps(request), scratch / "bundle"]))
        print(series.line())
        ratio("CPU seconds, without waiting for the registry", series.cpu, f"below {MOST_SECONDS}")
        ratio("seconds, with the answers of the registry", series.wall)


if __name__ == "__main__":
    main()
