"""``honte doctor``: what is installed and what is missing."""

from __future__ import annotations

import json
import os
import platform
import sys
from typing import Annotated

import typer

EXTRAS = {
    "tui": ["textual"],
    "tune": ["cma", "optuna"],
    "plots": ["matplotlib"],
    "cluster": ["ray"],
}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show what is installed, how the native core was built, and what is missing."""
    findings = examine()
    if as_json:
        typer.echo(json.dumps(findings))
        return
    for name, finding in findings.items():
        typer.echo(f"{name:<10} {finding}")


def examine() -> dict[str, str]:
    """One line for each thing worth knowing."""
    from honte import __version__
    from honte._native import build_info
    from honte.sandbox.levels import describe as describe_sandbox

    build = build_info()
    findings = {
        "honte": __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "native": f"{build['build']} build, {build['vectors']}, compiler {build['compiler']}",
    }
    for extra, packages in EXTRAS.items():
        missing = [package for package in packages if _version(package) is None]
        found = ", ".join(f"{package} {_version(package)}" for package in packages)
        findings[extra] = (
            f"missing {', '.join(missing)}; pip install 'honte[{extra}]'" if missing else found
        )
    findings["sandbox"] = describe_sandbox()
    return findings


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # slow, and only needed here

    try:
        return version(package)
    except PackageNotFoundError:
        return None
