#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: site_kit
short_description: Build a kit that installs this collection on laptops without a network
version_added: 0.1.0
description:
  - Writes all that a laptop needs to update a site to a folder that can be carried next to a bundle, which is the
    archive of this collection, wheels of ansible-core and of the packages in C(requirements.txt) for several versions
    of Python and both architectures, and C(install.pyz), an installer that requires neither a network nor root.
  - For each version of Python, the newest ansible-core that supports it is included.
  - The file C(kit.json) pins each wheel by its digest. Later runs keep these wheels, and download only what is missing
    or damaged, until the requirements change or O(refresh_wheels) is set.
  - C(SHA256SUMS) lists every other file. Its digest identifies the kit. The installer refuses a kit with a damaged,
    missing or additional file.
  - Wheels are downloaded with pip from the package index that the user has configured for pip, in its configuration
    files or with C(PIP_*) variables.
  - A separate process does the work and continues after the module has ended. Without O(wait), the module starts the
    process or reports its progress. The call that finds it finished returns the kit.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Nothing is downloaded or written.
  diff_mode:
    details: Shows the digest of the kit, whether it is signed, and repaired files.
requirements:
  - python >= 3.10
  - pip, for the Python that runs the module
  - packaging, which ansible-core requires
  - gpg, if O(signing_key) is set
options:
  path:
    description:
      - The folder of the kit. It can be on the drive that is carried to the site.
      - A folder with other content is rejected.
    type: path
    required: true
  collection:
    description:
      - The archive of this collection, or the folder in which it is installed with C(ansible-galaxy).
      - A folder of a source tree is rejected. Build an archive of it.
    type: path
    required: true
  pythons:
    description: The versions of Python that laptops can have.
    type: list
    elements: str
    choices: ['3.10', '3.11', '3.12', '3.13', '3.14']
    default: ['3.10', '3.11', '3.12', '3.13', '3.14']
  architectures:
    description: The architectures that laptops can have. Wheels are for glibc 2.28 or later.
    type: list
    elements: str
    choices: [x86_64, aarch64]
    default: [x86_64, aarch64]
  documentation:
    description: The folder of a documentation site to include.
    type: path
  execution_environment:
    description: The archive of an execution environment to include, as C(podman save) creates it.
    type: path
  signing_key:
    description: The path of a file with an OpenPGP private key that signs C(SHA256SUMS).
    type: path
  signing_passphrase:
    description: The passphrase for O(signing_key).
    type: str
  refresh_wheels:
    description: Whether to replace the wheels with the newest ones. The kit can then change in every run.
    type: bool
    default: false
seealso:
  - module: fieldops.openshift.release_bundle
"""

EXAMPLES = r"""
- name: Build a kit next to a bundle
  fieldops.openshift.site_kit:
    path: /mnt/disk/kit
    collection: /home/engineer/fieldops-openshift-0.1.0.tar.gz
    wait: true
    wait_timeout: 3600

- name: Build a signed kit for laptops of one kind
  fieldops.openshift.site_kit:
    path: /mnt/disk/kit
    collection: /home/engineer/.ansible/collections/ansible_collections/fieldops/openshift
    pythons: ['3.12']
    architectures: [x86_64]
    signing_key: /home/engineer/bundle-key.asc
    wait: true
"""

RETURN = r"""
kit:
  description: The kit, after it is complete.
  type: dict
  returned: when the kit is complete
  contains:
    path:
      description: The folder of the kit.
      type: str
      sample: /mnt/disk/kit
    digest:
      description: The digest of C(SHA256SUMS), which identifies the kit.
      type: str
      sample: sha256:3f2a1b0c...
    collection:
      description: The version of this collection in the kit.
      type: str
      sample: 0.1.0
    pythons:
      description: The versions of Python for which the kit has wheels.
      type: list
      elements: str
      sample: ['3.11', '3.12']
    architectures:
      description: The architectures for which the kit has wheels.
      type: list
      elements: str
      sample: [x86_64, aarch64]
    wheels:
      description: The number of wheels.
      type: int
      sample: 184
    signed:
      description: Whether C(SHA256SUMS) is signed.
      type: bool
      sample: true
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{build: /mnt/disk/kit}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 2 of 10 platforms, downloading wheels for Python 3.11 on x86_64
    done: false
    next_delay: 10.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: downloading wheels for Python 3.10 on x86_64}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit.kit_step import step_to_kit
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
ARCHITECTURES = ["x86_64", "aarch64"]
SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "collection": {"type": "path", "required": True},
        "pythons": {"type": "list", "elements": "str", "choices": PYTHONS, "default": PYTHONS},
        "architectures": {"type": "list", "elements": "str", "choices": ARCHITECTURES, "default": ARCHITECTURES},
        "documentation": {"type": "path"},
        "execution_environment": {"type": "path"},
        "signing_key": {"type": "path", "no_log": False},
        "signing_passphrase": {"type": "str", "no_log": True},
        "refresh_wheels": {"type": "bool", "default": False},
    },
    required_by={"signing_passphrase": ["signing_key"]},
).merged(WAIT_OPTIONS)
WAITING = Waiting("the kit is complete", on="the folder of the kit")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_kit(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
