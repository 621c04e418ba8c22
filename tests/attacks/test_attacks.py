"""What bots reach at each sandbox level, in an arena run by root and by an ordinary user.

Nothing at ``untrusted``. The table in docs/security.md is this one.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from honte.sandbox.confinement import landlock_version
from tests.attacks import arena, attempts
from tests.bots.hosting import available

USERS = ["root", "ordinary"] if os.geteuid() == 0 else ["ordinary"]
DOCS = Path(__file__).parents[2] / "docs" / "security.md"

# What a bot at `careful` may learn: Landlock hides the contents of files, not their existence, and
# all processes of the machine share one namespace.
SEEN_AT_CAREFUL = {"stat_the_store", "see_the_arena"}
SIGNALS = {"signal_the_arena", "signal_through_a_descriptor", "signal_the_opponent"}

# Closed at every level.
NEVER = {
    "inherit_descriptors",
    "inherit_the_environment",
    "read_its_parents_environment",
    "open_its_terminal",
    "write_to_a_standard_terminal",
}

# Attempts that must work at `trusted` on every machine: they show that the others are real.
# Attempts in neither set depend on the kernel's settings and the arena's user.
WORKS_AT_TRUSTED = {
    "read_the_store",
    "open_the_store_for_writing",
    "stat_the_store",
    "set_the_mode_of_the_store",
    "set_the_owner_of_the_store",
    "set_the_times_of_the_store",
    "set_the_mode_of_the_opponents_file",
    "watch_the_store",
    "take_a_handle_of_the_store",
    "read_the_opponents_file",
    "list_the_folder_it_lies_in",
    "list_the_arenas_folder",
    "follow_a_link_out_of_its_folder",
    "climb_out_of_its_folder",
    "open_its_own_file_for_writing",
    "write_beside_itself",
    "write_to_var_tmp",
    "read_a_file_in_tmp",
    "read_passwords",
    "connect_over_tcp",
    "listen_for_tcp",
    "send_over_udp",
    "ask_netlink",
    "connect_to_a_unix_socket",
    "connect_to_an_abstract_socket",
    "reach_a_unix_socket_from_a_pair",
    "see_the_arena",
    "list_processes",
    "signal_the_arena",
    "signal_through_a_descriptor",
    "read_the_arenas_environment",
    "list_the_arenas_descriptors",
    "ask_for_the_arenas_limits",
    "pin_the_arena_to_its_cores",
    "keep_the_arenas_priority",
    "signal_the_opponent",
    "open_the_opponents_input",
    "pin_the_opponent_to_its_cores",
    "read_the_opponents_shared_memory",
    "attach_shared_memory",
    "ask_for_a_semaphore",
    "ask_for_a_message_queue",
    "open_a_posix_message_queue",
    "open_the_arenas_terminal",
    "ask_for_the_clocks_settings",
}


def reached(user: str, level: str) -> dict[str, str]:
    """The attempts that worked, with what they got."""
    available(level)
    found: dict[str, str] = arena.results(user)[level]["reached"]
    assert set(found) == set(attempts.attempts())
    return {name: what for name, what in found.items() if what}


@pytest.mark.parametrize("user", USERS)
def test_an_untrusted_bot_reaches_nothing(user: str) -> None:
    assert reached(user, "untrusted") == {}


@pytest.mark.parametrize("user", USERS)
def test_a_careful_bot_sees_that_things_are_there_and_no_more(user: str) -> None:
    found = reached(user, "careful")
    # Before version 6, Landlock does not keep signals from processes of the same user.
    known = SEEN_AT_CAREFUL | (SIGNALS if user != "root" and landlock_version() < 6 else set())
    assert {name: what for name, what in found.items() if name not in known} == {}


@pytest.mark.parametrize("user", USERS)
def test_the_attempts_are_real(user: str) -> None:
    found = reached(user, "trusted")
    assert WORKS_AT_TRUSTED - set(found) == set()
    assert {name: what for name, what in found.items() if name in NEVER} == {}


@pytest.mark.parametrize("level", ["careful", "untrusted"])
@pytest.mark.parametrize("user", USERS)
def test_a_bot_of_root_is_an_ordinary_user_and_not_its_opponents(user: str, level: str) -> None:
    available(level)
    found: dict[str, Any] = arena.results(user)[level]
    if user == "root":
        assert len({0, found["user"], found["opponents_user"]}) == 3
    else:
        assert found["user"] == found["arenas_user"] != 0


def test_there_are_enough_attempts_and_the_page_lists_every_one() -> None:
    assert len(attempts.attempts()) >= 40
    assert set(attempts.attempts()) >= NEVER | WORKS_AT_TRUSTED | SEEN_AT_CAREFUL
    text = DOCS.read_text(encoding="utf-8").partition("## The attempts")[2]
    listed = re.findall(r"^\| ([a-z0-9 ']+) \| (\w+) \| (\w+) \| (\w+) \|$", text, re.M)
    assert listed == [row(name) for name in attempts.attempts()]


def row(name: str) -> tuple[str, str, str, str]:
    """An attempt and its result at each level, as in the table of the page."""
    trusted = "no" if name in NEVER else "yes" if name in WORKS_AT_TRUSTED else "depends"
    words = re.sub(r"\b(arena|opponent|parent|clock)s\b", r"\1's", name.replace("_", " "))
    return words, trusted, "yes" if name in SEEN_AT_CAREFUL else "no", "no"
