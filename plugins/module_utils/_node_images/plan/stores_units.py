# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The units that verify a store's file and mount it at every boot, ordered before those that read from it.

Sources: systemd.unit(5), systemd.mount(5), mount(8), sha256sum(1).
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    SKELETON,
    SKELETON_FOLDERS,
    SLOT_PATHS,
    STORES,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import StoreRecord

UNITS = "/etc/systemd/system"
READERS = "crio.service crio-wipe.service kubelet.service"
SHA256SUM = "/usr/bin/sha256sum"
PYTHON = "/usr/bin/python3"
VERIFY_PROGRAM = """\
import hashlib, sys
wanted, path = open(sys.argv[1]).read().split()
found = hashlib.sha256()
with open(path, 'rb', 0) as file:
    for piece in iter(lambda: file.read(1 << 20), b''):
        found.update(piece)
sys.exit(found.hexdigest() != wanted and path + ': FAILED')
"""
"""Does what ``sha256sum --check`` does, for hosts where that is several times slower than Python's hashlib.

One of both is in the unit, so that the very check that a boot relies on is the one that the first mount has proved.
``openssl dgst`` is not used: it prints a digest and compares nothing, and a unit has no shell to do so.
"""

SELINUX_CONTEXT = "system_u:object_r:container_ro_file_t:s0"
LONGEST_VERIFICATION = 1800
"""Seconds; 20 GB take a minute and a half on a disk that gives 200 MB/s."""


def verify_unit(number: int) -> str:
    """Return the name of the unit that verifies the file of a slot."""
    return f"fieldops-store-verify-slot{number}.service"


def mount_unit(number: int) -> str:
    """Return the name of the unit that mounts it, which follows from the place: systemd-escape(1)."""
    return f"{STORES.strip('/').replace('/', '-')}-slot{number}.mount"


def checksum_file(number: int) -> str:
    """Return the path of the file that says what the slot's store must be."""
    return f"{STORES}/slot{number}.sha256"


def unit_files(
    number: int, record: StoreRecord, base: int | None, *, selinux: bool, by_python: bool = False
) -> dict[str, str]:
    """Return the files that a slot needs, by path; ``base`` is the slot of a delta's base.

    With ``by_python`` it is Python that verifies, else sha256sum.
    """
    return {
        checksum_file(number): f"{record.store.digest.hex}  {record.file}\n",
        f"{UNITS}/{verify_unit(number)}": _verify_text(number, record, by_python=by_python),
        f"{UNITS}/{mount_unit(number)}": _mount_text(number, record, base, selinux=selinux),
    }


def tmpfiles_text() -> str:
    """Return a tmpfiles.d(5) file that makes the empty slots."""
    lines = [f"d {STORES} 0755 root root -"]
    for path in SLOT_PATHS:
        lines.append(f"d {path} 0755 root root -")
        lines += [f"d {path}/{folder} 0755 root root -" for folder in SKELETON_FOLDERS]
        lines += [f"f {path}/{name} 0644 root root - {text.strip()}".rstrip() for name, text in SKELETON.items()]
    return "\n".join(lines) + "\n"


def _verify_text(number: int, record: StoreRecord, *, by_python: bool) -> str:
    in_python = f'{PYTHON} -I -S -c "{_quoted(VERIFY_PROGRAM)}"'
    check = in_python if by_python else f"{SHA256SUM} --check --strict --quiet"
    return f"""\
[Unit]
Description=Verify the image store of {record.version} in slot {number}
DefaultDependencies=no
RequiresMountsFor={STORES}
Conflicts=shutdown.target
Before=shutdown.target

[Service]
Type=oneshot
ExecStart={check} {checksum_file(number)}
TimeoutStartSec={LONGEST_VERIFICATION}
"""


def _quoted(program: str) -> str:
    """Return the program as it stands within double quotes of a unit: systemd.service(5), "Command lines"."""
    return program.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$").replace("\n", "\\n")


def _mount_text(number: int, record: StoreRecord, base: int | None, *, selinux: bool) -> str:
    below = f"Requires={mount_unit(base)}\nAfter={mount_unit(base)}\n" if base is not None else ""
    context = f",context={SELINUX_CONTEXT}" if selinux else ""
    return f"""\
[Unit]
Description=Image store of {record.version} in slot {number}
DefaultDependencies=no
Requires={verify_unit(number)}
After={verify_unit(number)} systemd-tmpfiles-setup-dev.service systemd-modules-load.service
{below}Conflicts=umount.target
Before=umount.target {READERS}

[Mount]
What={record.file}
Where={STORES}/slot{number}
Type={record.store.filesystem}
Options=ro,nodev,nosuid{context}

[Install]
WantedBy=multi-user.target crio.service
"""
