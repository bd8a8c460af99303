# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The firmware of a host that boots OSTree deployments: ``firmware.py`` with another root for each boot.

The first entry of the boot loader names the deployment. Its files lie over the host's layers, /usr cannot be written,
/etc is the deployment's own and /var the stateroot's, so that what ostree merges, keeps and brings back is on the disk.
The sysroot is a file system of its own, ``sysroot.img``.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import typing
from pathlib import Path

spec = importlib.util.spec_from_file_location("firmware", Path(__file__).with_name("firmware.py"))
assert spec is not None
assert spec.loader is not None
firmware: typing.Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(firmware)

HERE = Path("/run/node")
SYSROOT = HERE / "sysroot"
STATEROOT = SYSROOT / "ostree/deploy/default"
boot_directory = firmware.boot


def first_deployment() -> Path:
    """Return the directory of the deployment that boots."""
    entries = [path.read_text() for path in (SYSROOT / "boot/loader/entries").glob("*.conf")]
    first = max(entries, key=lambda text: int(text.partition("\nversion ")[2].split()[0]))
    link = next(word for word in first.split() if word.startswith("ostree=/"))
    return (SYSROOT / link[len("ostree=/") :]).resolve()


def boot(settings: dict[str, typing.Any]) -> int:
    """Run the host once from its first deployment."""
    deployment = first_deployment()
    upper, work = (HERE / name / deployment.name for name in ("uppers", "works"))
    for made in (upper, work):
        made.mkdir(parents=True, exist_ok=True)
    subprocess.run(["umount", "--recursive", str(HERE / "root")], stderr=subprocess.DEVNULL, check=False)
    layers = [deployment, *(f"/run/layer{number}" for number in range(len(settings["layers"])))]
    options = f"lowerdir={':'.join(map(str, layers))},upperdir={upper},workdir={work}"
    firmware.mount("-t", "overlay", "-o", options, "lab", str(HERE / "root"))
    (HERE / "booted").write_text(deployment.name)
    (HERE / "empty").touch()
    places = [
        f"--bind={deployment}/etc:/etc",
        f"--bind={STATEROOT}/var:/var",
        f"--bind-ro={HERE}/root/usr:/usr",
        f"--bind-ro={HERE}/booted:/run/fieldops-actor/booted",
        f"--bind-ro={HERE}/empty:/run/ostree-booted",
    ]
    status: int = boot_directory({**settings, "places": places})
    return status


firmware.boot = boot

if __name__ == "__main__":
    sys.exit(firmware.main())
