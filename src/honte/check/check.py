"""Try a bot, and say in words what is wrong with it and how to fix it: `honte check`.

The bot is asked for its first move and for an answer to one, then about positions in which bots
go wrong; then it plays whole games against weak opponents, in one process as far as its protocol
allows. What fails in a second game is tried again in a fresh process, to tell a bot that forgets
to reset from one that cannot handle the position.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from honte.check.advice import Finding, explain, fault, fix_for, inside, sentence
from honte.check.measures import busy, heavy, leak, speed
from honte.check.observed import InProcess, Observed
from honte.check.startup import missing_file
from honte.core.check_support import Race, Situation, support_of
from honte.core.contract import Game, State
from honte.core.fault import Fault
from honte.core.language import Message, plural
from honte.core.players import player as make_player
from honte.core.request import Limit, Request
from honte.protocols.protocol import shown
from honte.sandbox.player import BotPlayer

SECONDS = 3.0
BUDGET = 60.0
GAMES = 16
GAMES_SECONDS = 4.0
"""After this many seconds, no more than one game on each board with each side."""
PLAIN = ("illegal move", "crash", "NULL", "off the board")
"""Names of faults that say what happened but not why; the situation may explain it."""
FATAL = ("does not start", "does not read", "buffering", "framing", "refuses a command")


class Pairing(NamedTuple):
    """One game to play: the board, the bot's side and the opponent."""

    game: Game
    side: int
    fills: bool
    """The opponent fills the board without winning."""
    seed: int


class Check:
    """One examination of one bot."""

    def __init__(
        self,
        spec: str,
        game: Game,
        *,
        seconds: float = SECONDS,
        budget: float = BUDGET,
        games: int = GAMES,
        on_progress: Callable[[str], None] | None = None,
        **settings: object,
    ) -> None:
        self.spec = spec
        self.game = game
        self.limit = Limit(seconds=seconds)
        self.seconds = seconds
        self.budget = budget
        self.games = games
        self.settings = settings
        self.faults: Counter[str] = Counter()
        self.times: list[float] = []
        """Seconds of each move except the first of a process."""
        self.firsts: list[float] = []
        self.results: Counter[int] = Counter()
        self.played = 0
        self.memory: list[int] = []
        """Resident bytes at the first move of each game of the current process."""
        self.cut = False
        self._say = on_progress or (lambda words: None)
        self._began = time.monotonic()
        self._bot: Any = None
        self._fresh = True

    def run(self) -> Iterator[Finding]:
        """Yield all findings as they are made."""
        if (finding := self._prepare()) is not None:
            yield self._count(finding)
            return
        try:
            yield from self._examine()
        finally:
            self._bot.close()

    def play(self) -> Iterator[Finding]:
        """Yield what goes wrong in whole games, for a bot that was examined before."""
        if self._prepare() is not None:
            return
        try:
            field = support_of(self.game).boards(self.game, self._bot.protocol.varies_boards)
            found = self._games(field, {0, 1})
            yield from (finding for finding in found if finding.kind == "fault")
        finally:
            self._bot.close()

    def _examine(self) -> Iterator[Finding]:
        sides: set[int] = set()
        for finding, side in self._beginnings():
            if finding.kind == "fault":
                self._count(finding)
            else:
                sides.add(side)
            yield finding
        if not sides:
            return
        field = support_of(self.game).boards(self.game, self._bot.protocol.varies_boards)
        if 1 in sides:  # else it fails in any position that has pieces already
            special = [one for game in field for one in support_of(game).situations(game)]
            yield from self._situations(special)
            yield from self._pieces()
        yield from self._games(field, sides)
        yield from self._afterwards()

    def _prepare(self) -> Finding | None:
        """Get the bot ready for requests; returns a finding if that is not possible."""

        def make(game: Game) -> Any:
            return make_player(self.spec, game, **self.settings)

        try:
            player = make(self.game)
        except ValueError as error:
            if (finding := missing_file(self.spec, self.settings, error)) is not None:
                return finding
            raise
        if isinstance(player, BotPlayer):
            self._bot = Observed.of(player)
            self._bot.patience = min(max(2 * self.seconds, 1.0), 5.0)
        else:
            self._bot = InProcess(make, self.game)
        return None

    def _count(self, finding: Finding) -> Finding:
        if finding.kind == "fault":
            self.faults[finding.name] += 1
        return finding

    @property
    def _late(self) -> bool:
        """Whether the check takes too long already."""
        self.cut = self.cut or time.monotonic() - self._began > self.budget
        return self.cut

    # -- one question ------------------------------------------------------------------

    def _begin(self, game: Game, fresh: bool = False) -> None:
        if fresh or not self._bot.keeps_process:
            self.memory.clear()
        self._fresh = fresh
        self._bot.take_game(game, fresh)

    def _ask(self, state: State, moves: Sequence[int] | None = None) -> int:
        history = None if moves is None else tuple(moves)
        report = self._bot.choose(Request(state, history=history, limit=self.limit))
        (self.firsts if self._fresh else self.times).append(report.seconds)
        self._fresh = False
        return int(report.move)

    def _try(self, situation: Situation) -> Finding | int:
        """Ask a fresh process about a situation; returns its move, or what went wrong."""
        self._say(situation.name)
        state = situation.state()
        self._begin(situation.game, fresh=True)
        try:
            return self._ask(state, situation.moves)
        except Fault as error:
            if error.reason == "resign":
                return -1
            return explain(error, self._bot, state, self.seconds)

    # -- the parts of the examination --------------------------------------------------

    def _beginnings(self) -> Iterator[tuple[Finding, int]]:
        """The first move of a game, and the answer to one."""
        first, second = beginnings(self.game)
        one = self._try(first)
        if isinstance(one, Finding) and one.name in FATAL:
            yield one, 0
            return
        two = self._try(second)
        if isinstance(one, int) and isinstance(two, int):
            seconds = max(self.firsts)
            seen = Message(
                "It starts, and moves first and second; its first answer took {seconds:.2f} s.",
                seconds=seconds,
            )
            yield Finding("ok", "start", seen), 0
            yield Finding("ok", "first move", self._same(first, one)), 1
            return
        both = isinstance(one, Finding) and isinstance(two, Finding)
        if both and one.name == two.name:  # type: ignore[union-attr]
            yield one, 0  # type: ignore[misc]
            return
        for side, (answer, situation) in enumerate(((one, first), (two, second))):
            if isinstance(answer, Finding):
                yield (answer if both else self._because(answer, situation)), side
            else:
                good = Message("It starts, and plays legally {name}.", name=situation.name)
                yield Finding("ok", "start", good), side

    def _same(self, situation: Situation, move: int) -> str:
        """Whether a fresh process plays the same again; neither is wrong."""
        again = self._try(situation)
        if again == move:
            return Message("Asked again in a fresh process, it plays the same first move.")
        return Message(
            "Asked again in a fresh process, it plays another first move: it uses chance."
        )

    def _because(self, finding: Finding, situation: Situation) -> Finding:
        """A finding with the situation's name, where its own does not say more."""
        words = Message("{where}: {seen}", where=situation.name, seen=inside(finding.seen))
        seen = sentence(words)
        if finding.name not in PLAIN:
            return finding._replace(seen=seen)
        fix = fix_for(situation.kind, self._bot)
        return finding._replace(
            name=situation.kind, seen=seen, fix=sentence(fix) if fix else finding.fix
        )

    def _situations(self, situations: list[Situation]) -> Iterator[Finding]:
        """Try the positions in which bots go wrong."""
        good: Counter[str] = Counter()
        bad: Counter[str] = Counter()
        plain: dict[str, str] = {}
        for situation in situations:
            if self._late:
                break
            if bad[situation.kind] >= 2:
                continue
            answer = self._try(situation)
            if isinstance(answer, int):
                good[situation.kind] += 1
                continue
            finding = self._because(answer, situation)
            bad[situation.kind] += 1
            # What fails alike in several kinds of position has the first one's reason.
            if plain.setdefault(answer.name, situation.kind) != situation.kind:
                continue
            if finding.name not in self.faults:
                yield finding
            self._count(finding)
        for kind, count in good.items():
            if not bad[kind]:
                seen = plural(
                    "Its moves are legal in one position made to look for trouble with that.",
                    "Its moves are legal in {n} positions made to look for trouble with that.",
                    count,
                )
                yield Finding("ok", kind, seen)

    def _pieces(self) -> Iterator[Finding]:
        """Whether it knows its own pieces: where both sides could win at once, it should win."""
        stopped: dict[int, State] = {}
        races = support_of(self.game).races(self.game)
        for side in (0, 1):
            mine = [race for race in races if race.state().to_move == side]
            if mine and all(map(self._mistakes_pieces, mine)):
                stopped[side] = mine[0].state()
        if not stopped:
            return
        seen: str = Message(
            "where it could win at once it stopped the opponent instead, each time: it seems to "
            "take the opponent's pieces for its own"
        )
        if 1 not in stopped:
            seen = Message(
                "where it could win at once it stopped the opponent instead, whenever it had moved "
                "first: it seems to take the first player's number for its own"
            )
        name = Message("piece codes")
        yield self._count(fault(name, seen, fix_for(name, self._bot), next(iter(stopped.values()))))

    def _mistakes_pieces(self, race: Race) -> bool:
        """Whether it plays as if the opponent's pieces were its own."""
        if self._late:
            return False
        self._say(Message("where both sides could win"))
        self._begin(race.game, fresh=True)
        try:
            answer = self._ask(race.state(), race.moves)
        except Fault:  # the games will show it
            return False
        return answer == (race.win if race.stop is None else race.stop)

    def _games(self, field: list[Game], sides: set[int]) -> Iterator[Finding]:
        """Whole games, in one process where the protocol allows."""
        began = time.monotonic()
        alike = 0
        before: Pairing | None = None
        for number, play in enumerate(self._schedule(field, sides)):
            enough = number >= 2 * len(field) and time.monotonic() - began > GAMES_SECONDS
            if self._late or enough or alike >= 3:
                break
            self._say(Message("game {n} on {game}", n=number + 1, game=play.game.spec))
            finding = self._play(play, fresh=before is None)
            if finding is None:
                before, alike = play, 0
                continue
            if before is not None and self._bot.lasts:
                finding = self._compare(finding, play, before)
            alike += 1
            before = None
            if finding.name not in self.faults:
                yield finding
            self._count(finding)
        yield from self._result(alike)

    def _schedule(self, field: list[Game], sides: set[int]) -> Iterator[Pairing]:
        for number in range(self.games):
            game = field[number // 2 % len(field)]
            side = number % 2
            fills = (number + number // 2) % 2 == 1 and support_of(game).filler is not None
            if side in sides:
                yield Pairing(game, side, fills, number)

    def _play(self, play: Pairing, fresh: bool) -> Finding | None:
        """Play one game; returns what went wrong in it."""
        self._begin(play.game, fresh)
        draw = random.Random(play.seed)
        state: Any = play.game.start()
        moves: list[int] = []
        support = support_of(play.game)
        opponent = (support.filler if play.fills else None) or support.opponent
        asked = 0
        while not state.is_over and len(moves) < support.max_plies:
            if state.to_move != play.side:
                moves.append(opponent(state, draw))
            else:
                try:
                    moves.append(self._ask(state, moves))
                except Fault as error:
                    if error.reason == "resign":
                        return None
                    finding = explain(error, self._bot, state, self.seconds)
                    return self._after_pass(finding, state)
                if not asked:
                    self.memory.append(self._bot.resident())
                asked += 1
                if self._late:
                    return None
            state = state.play(moves[-1])
        self.played += 1
        if state.is_over and not play.fills:
            self.results[0 if state.winner is None else 1 if state.winner == play.side else -1] += 1
        return None

    def _after_pass(self, finding: Finding, state: State) -> Finding:
        """A finding with the pass before it as its cause, where its own name says none."""
        passes = state.game.descriptor.pass_move
        passed = passes is not None and state.last_move == passes(state.game)
        if finding.name not in PLAIN or not passed:
            return finding
        fix = sentence(fix_for("pass", self._bot)) or finding.fix
        return finding._replace(
            name="pass", seen=Message("After a pass: {seen}", seen=finding.seen), fix=fix
        )

    def _compare(self, finding: Finding, play: Pairing, before: Pairing) -> Finding:
        """Whether a game fails because of the game before it."""
        if self._play(play, fresh=True) or self._play(play, fresh=True):
            return finding  # it fails by itself as well
        if finding.name == "memory":
            return finding._replace(name="leaks memory")
        name = Message("forgets to reset")
        seen = Message(
            "after another game in the same process, {seen}; in a fresh process the same game "
            "goes well",
            seen=inside(finding.seen),
        )
        if play.game != before.game:
            other = play._replace(side=before.side, fills=before.fills, seed=before.seed)
            if not (self._play(other, fresh=True) or self._play(play, fresh=False)):
                name = Message("board size")
                seen = Message(
                    "after a game on {game} in the same process, {seen}; in a fresh process the "
                    "same game goes well",
                    game=before.game.spec,
                    seen=inside(finding.seen),
                )
        return finding._replace(
            name=name, seen=sentence(seen), fix=sentence(fix_for(name, self._bot))
        )

    def _result(self, alike: int) -> Iterator[Finding]:
        won, drawn, lost = (self.results[key] for key in (1, 0, -1))
        games = won + drawn + lost
        if alike >= 3:
            seen = Message("Three games in a row failed alike, so no more were played.")
            yield Finding("warning", "games", seen, Message("Fix the fault above and check again."))
        elif games >= 4 and lost > games / 2:
            seen = Message(
                "It lost {lost} of {games} games against random moves.", lost=lost, games=games
            )
            yield Finding("warning", "weak", seen, sentence(fix_for("weak", self._bot)))
        elif games:
            seen = Message(
                "Against random moves it won {won}, drew {drawn} and lost {lost} games.",
                won=won,
                drawn=drawn,
                lost=lost,
            )
            yield Finding("ok", "games", seen)
        elif self.played:
            seen = Message(
                "It played {played} games against random moves, legally throughout.",
                played=self.played,
            )
            yield Finding("ok", "games", seen)
        if self.cut:
            seen = Message(
                "It thinks long, so the check ended after {budget:g} s with less tried.",
                budget=self.budget,
            )
            fix = Message("Give the check more time with --budget, or the bot less with --seconds.")
            yield Finding("warning", "cut short", seen, fix)

    # -- what the whole shows ----------------------------------------------------------

    def _afterwards(self) -> Iterator[Finding]:
        finding = leak(self.memory)
        if finding is None or finding.kind == "ok":
            first = max(self.firsts, default=0.0)
            finding = heavy(self.memory, self._bot.memory_mb, first) or finding
        if finding is not None:
            yield self._count(finding)
        if (said := self._bot.printed) and (fix := fix_for("prints", self._bot)):
            words = Message("It prints while it plays, like {said}.", said=shown(said))
            yield Finding("warning", "prints", words, sentence(fix))
        if self.times:
            finding = speed(self.times, self.firsts, self.seconds, busy())
            if finding.name not in self.faults:
                yield finding
            self._count(finding)


def beginnings(game: Game) -> tuple[Situation, Situation]:
    """The first move of a game, and the answer to one."""
    legal = game.start().legal_moves()
    return (
        Situation(Message("at the first move of the game"), "first move", game, []),
        Situation(
            Message("answering the first move"), "first move", game, [legal[len(legal) // 2]]
        ),
    )
