"""The check of a bot submitted as sources: it can be rebuilt with sanitizers.

The compiler can put a watch on arrays and pointers. A bot that was built so stops at the faulty
line and names it; it is slower, so the other tests and the games do not use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from honte.check import Check, Finding
from honte.core.contract import Game
from honte.submissions import compiler
from honte.submissions.versions import SOURCE, Version

SECONDS = 4.0
LIBRARY = "watched.so"


def findings(version: Version, rules: Game, seconds: float, budget: float) -> Iterator[Finding]:
    """The findings of the check and, if the bot dies or seems fine, of a watched build.

    An index past the end of an array often does no harm here, and loses a game elsewhere.
    """
    looked, closer, well = False, None, True
    for finding in Check(version.spec, rules, seconds=seconds, budget=budget).run():
        if finding.kind == "fault":
            well = False
            if dies(finding):
                if closer is not None:
                    continue  # one more death of the same cause
                if not looked:
                    looked, closer = True, why(version, rules, seconds)
                finding = closer or finding
        yield finding
    if well:
        with watched(version, rules, seconds) as check:
            found = check.play() if check is not None else iter(())
            yield from filter(names_a_line, found)


def why(version: Version, rules: Game, seconds: float) -> Finding | None:
    """Why a bot dies, more exactly than its signal tells."""
    with watched(version, rules, seconds) as check:
        found = check.run() if check is not None else iter(())
        return next(filter(names_a_line, found), None)


@contextmanager
def watched(version: Version, rules: Game, seconds: float) -> Iterator[Check | None]:
    """A check of a watched build; None if there is none."""
    library = version.folder / LIBRARY
    try:
        if version.source.kind == "cpp":
            build = compiler.compile_bot(version.folder / SOURCE, watched=True)
            library.write_bytes(build.library)
            library.chmod(0o755)
            if build.ok:
                yield Check(f"getpoint:{library}", rules, seconds=seconds, budget=SECONDS)
                return
        yield None
    finally:
        library.unlink(missing_ok=True)


def dies(finding: Finding) -> bool:
    return "it died by" in finding.seen.lower() or finding.name == "overrun"


def names_a_line(finding: Finding) -> bool:
    by_line = re.search(r", line \d+: ", finding.seen) is not None
    return finding.kind == "fault" and (by_line or finding.name == "overrun")
