"""``honte doctor``: what is installed and what is missing."""

from __future__ import annotations

import json
import os
import platform
import sys
from pathlib import Path
from typing import Annotated

import typer

from honte.core.language import Message, tr

EXTRAS = {
    "tui": ["textual"],
    "tune": ["cma", "optuna"],
    "plots": ["matplotlib"],
    "cluster": ["ray"],
    "train": ["jax", "mctx"],
    "rl": ["pettingzoo", "gymnasium"],
    "openspiel": ["open_spiel"],
}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help=tr("One JSON object."))] = False,
) -> None:
    """Show what is installed, which build of the native core runs here, and what is missing."""
    findings = examine()
    if as_json:
        typer.echo(json.dumps(findings))
        return
    for name, finding in findings.items():
        typer.echo(f"{name:<10} {tr(finding)}")


def examine() -> dict[str, str]:
    """One line for each thing worth knowing."""
    from honte import __version__
    from honte._native import build_info, network_kernels
    from honte.core import processor

    build, kernels = build_info(), network_kernels()
    findings = {
        "honte": __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "machine": Message(
            "{system} {machine}, {cores} cores",
            system=platform.system(),
            machine=platform.machine(),
            cores=os.cpu_count(),
        ),
        "native": Message("{build} build, {vectors}, compiler {compiler}", **build),
        "processor": Message(
            "level {level}; the processor runs {levels}, installed: {installed}",
            level=build["level"],
            levels=", ".join(processor.levels()),
            installed=", ".join(sorted(processor.installed(), reverse=True)),
        ),
        "networks": Message(
            "kernel {kernel}; the processor runs {kernels}",
            kernel=os.environ.get("HONTE_KERNEL") or kernels[0],
            kernels=", ".join(kernels),
        ),
    }
    for extra, packages in EXTRAS.items():
        missing = [package for package in packages if _version(package) is None]
        found = ", ".join(f"{package} {_version(package)}" for package in packages)
        findings[extra] = found
        if missing:
            findings[extra] = Message(
                "missing {packages}; pip install 'honte[{extra}]'",
                packages=", ".join(missing),
                extra=extra,
            )
    findings["sandbox"] = _sandbox()
    findings["data"] = Message("{folder} (books, weights, networks)", folder=_package())
    findings["bots"] = _bots()
    return findings


def _sandbox() -> str:
    if sys.platform == "win32":
        from honte.sandbox import names

        return names.NO_BOTS
    from honte.sandbox.levels import describe

    return describe()


def _package() -> Path:
    import honte

    return Path(honte.__file__).parent


def _bots() -> str:
    """The file that names bots, and the names in it."""
    from honte.sandbox import names

    try:
        known = ", ".join(names.bots())
    except ValueError as error:
        return str(error)
    file = Path(os.environ.get(names.VARIABLE) or names.FILE).resolve()
    if not file.is_file():
        return Message("no {file} here", file=names.FILE)
    return Message("{file} ({bots})", file=file, bots=known or Message("none"))


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # slow, and only needed here

    try:
        return version(package)
    except PackageNotFoundError:
        return None
