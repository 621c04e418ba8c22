"""Our engines as programs for sites that compile uploads: ``honte export --as``.

The program is one file of C++20: the native sources that the engine needs, each pasted once where
it is first included, the trained weights as literals, and a main() that speaks the site's protocol.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import honte
from honte import _processor
from honte.core.contract import Game
from honte.core.descriptor import load
from honte.core.embedded import embedded
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.site_support import SiteEngine, SiteSupport
from honte.core.spec import split
from honte.protocols.botzone import Botzone
from honte.protocols.saiblo import Saiblo
from honte.search.uct import Uct

SITES = {"saiblo": 2.5, "botzone": 1.0}
"""The sites, and the seconds per move that a program plans for."""
MEMORY_MB = 64
"""Memory of a tree; the sites allow 256 MB or more."""
NETS = ("json", "network", "evaluator", "kernel_plain", "kernels")
"""Files of ``native/nets`` that a search needs, with a network or without."""
MAIN = "main.cpp"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
ENUMS = {"selection": "Selection", "final": "Final", "rave_form": "Rave"}
SETTINGS = {
    "c", "ucb_factor", "fpu", "rave_k", "rave_bias", "playout", "priors", "playout_share",
    "temperature", "score_utility", "rave_prior", "fpu_reduction", "progressive_widening", "prune",
    "prune_value", "forced", "threat_depth", "solver", "transpositions", "seed", "memory_mb",
}  # fmt: skip
"""UCT settings with the same name in C++."""


def default_game(site: str) -> str:
    """The usual game of a site."""
    protocols = {"saiblo": Saiblo, "botzone": Botzone}
    return protocols[site].default_game if site in protocols else Saiblo.default_game


def write_package(path: Path, engine: str, game: Game, site: str, seconds: float | None) -> None:
    """Write a zip with the program, or the program alone if the file ends in .cpp."""
    text = source_of(engine, game, site, seconds or SITES[site])
    if path.suffix == ".cpp":
        path.write_text(text, encoding="utf-8")
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MAIN, text)


def source_of(spec: str, game: Game, site: str, seconds: float) -> str:
    """The program of an engine."""
    if site not in SITES:
        raise ValueError(
            Message("there is no site {site}; use saiblo or botzone", site=quote(site))
        )
    ref = game.descriptor.sites
    support: SiteSupport | None = None if ref is None else load(ref)
    if support is None or site not in support.sites:
        raise ValueError(
            Message("{game} is not played on {site}", game=game.name, site=site.capitalize())
        )
    name, settings = split(spec)
    found: SiteEngine | dict[str, object] | None = None
    if name == "uct":
        found = dict(settings)
    elif name == "best" and support.best is not None:
        found = support.best(game, dict(settings))
    if found is None:
        raise ValueError(
            Message("cannot export {name}; best and uct can be exported", name=quote(name))
        )
    if isinstance(found, SiteEngine):
        learned, header, setup = dict(found.learned), found.header, ""
        thinker = found.thinker.format(memory_mb=settings.get("memory_mb", MEMORY_MB))
    else:
        learned, header = {}, support.header
        setup = uct_setup(Uct(game, **{"memory_mb": MEMORY_MB, **found}), support)
        thinker = f"sites::Thinker<{support.state}>(settings)"
    board = "" if site == "saiblo" else f"{support.game(game)}, "
    parts = [f'#include "nets/{one}.cpp"' for one in NETS]
    text = "\n".join([*parts, AVX2, f'#include "{header}"', f'#include "{support.header}"'])
    body = amalgamated(text, sources(), learned)
    return "\n".join(
        [
            f"// Honte {honte.__version__}: {spec} for {game.name} on {site.capitalize()}.",
            "// g++ -O2 -std=c++20 -pthread -o bot main.cpp",
            body,
            "int main() {",
            "    using namespace honte;",
            *(f"    {line}" for line in setup.splitlines()),
            f"    return sites::{site}({board}{seconds:g}, {thinker});",
            "}",
            "",
        ]
    )


def uct_setup(uct: Uct, support: SiteSupport) -> str:
    """Statements that configure a search like ours."""
    native = uct.native_settings
    if uct.evaluator is not None:
        raise ValueError(Message("an engine with a Python evaluator cannot be exported"))
    lines = ["search::Settings settings;"]
    for key, value in sorted(native.items()):
        if key in ENUMS:
            field = "rave" if key == "rave_form" else key
            word = "".join(part.capitalize() for part in str(value).split("_"))
            lines.append(f"settings.{field} = search::{ENUMS[key]}::k{word};")
        elif key in SETTINGS:
            lines.append(f"settings.{key} = {literal(value)};")
    if uct.settings["policy"] != "no" and support.policy is not None:
        numbers = ", ".join(f"{log:.3f}f" for log in support.policy(uct.settings["policy"]))
        lines.append(f"static const std::vector<float> logs = {{{numbers}}};")
        lines.append(f"settings.policy = std::make_shared<const {support.policy_class}>(logs);")
    if (net := uct.settings["net"]) != "no":
        file = support.network if net == "learned" else Path(net)
        assert file is not None, "there is a file, for the network was read from it"
        lines.append("static " + embedded("network", file.read_bytes()))
        lines.append("settings.network = nets::Network::read(honte::embedded(network));")
    return "\n".join(lines)


def literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


# -- one file of many ------------------------------------------------------------------


AVX2 = '#include "AVX2"'
"""Placeholder of the AVX2 kernel: compiled for AVX2, and run if the processor has it."""


def sources() -> Path:
    """The folder of the C++ sources: of a checkout, or installed beside the native core."""
    for root in (Path(honte.__file__).parents[2], Path(_processor.__file__).parent):
        if (root / "native" / "sites" / "program.hpp").is_file():
            return root / "native"
    raise ValueError(Message("the C++ sources are not installed with this honte; install it again"))


def amalgamated(text: str, folder: Path, given: dict[str, str]) -> str:
    """Paste every file of ours into a text where it is first included.

    `given` are files that are not in the folder.
    """
    seen: set[str] = set()

    def paste(found: re.Match[str]) -> str:
        name = found[1]
        if name == "AVX2":
            return avx2_kernel(folder)
        if name in seen:
            return ""
        seen.add(name)
        inner = given[name] if name in given else (folder / name).read_text(encoding="utf-8")
        return INCLUDE.sub(paste, inner.replace("#pragma once", ""))

    head = "#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)\n"
    return f"{head}#define HONTE_KERNEL_AVX2\n#endif\n" + INCLUDE.sub(paste, text)


def avx2_kernel(folder: Path) -> str:
    """The AVX2 kernel for a file that is compiled for any processor.

    It has its own renamed copies of the templates that it shares with the others, so that code
    compiled for AVX2 and for other processors is not mixed.
    """
    parts = [(folder / "nets" / name).read_text("utf-8")
             for name in ("forward.hpp", "x86.hpp", "kernel_avx2.cpp")]  # fmt: skip
    # A pragma comes too late for the macro that guards the file: g++ reads all of it first.
    parts[-1] = parts[-1].replace("#ifdef __AVX2__", "").rstrip().removesuffix("#endif")
    text = INCLUDE.sub("", "\n".join(parts).replace("#pragma once", ""))
    text = re.sub(r"\b(ForwardPass|Lanes4|Lanes8|Lanes16|Tile)\b", r"\1Avx2", text)
    return (
        "#ifdef HONTE_KERNEL_AVX2\n#include <immintrin.h>\n#pragma GCC push_options\n"
        f'#pragma GCC target("avx2")\n{text}\n#pragma GCC pop_options\n#endif'
    )
