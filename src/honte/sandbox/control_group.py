"""The control groups of one bot: limits that the kernel enforces, and its CPU time.

`cgroups` finds where they can be created, in the arena. The fork server's bare interpreter imports
this module: standard library only.
"""

from __future__ import annotations

import os
import time
from typing import Any


class ControlGroup:
    """The groups of one bot, one for each controller or one for all."""

    NAME = "honte-bot-"

    def __init__(
        self, places: dict[str, tuple[str, int]], memory: int, tasks: int, name: str = ""
    ) -> None:
        self._folders: dict[str, tuple[str, int]] = {}
        for controller, (parent, version) in places.items():
            folder = f"{parent}/{self.NAME}{name or os.getpid()}"
            self._folders[controller] = (folder, version)
            try:
                os.makedirs(folder, exist_ok=True)
                if controller == "cpu":
                    continue  # counted, not limited
                if controller == "pids":
                    self._write("pids", "pids.max", tasks)
                elif version == 2:
                    self._write("memory", "memory.max", memory)
                    self._try("memory.swap.max", 0)
                    self._try("memory.oom.group", 1)
                else:
                    self._write("memory", "memory.limit_in_bytes", memory)
                    self._try("memory.memsw.limit_in_bytes", memory)
            except OSError:
                self.remove()
                raise

    @property
    def controllers(self) -> list[str]:
        return list(self._folders)

    def add(self, pid: int = 0) -> None:
        """Add a process, by default this one."""
        for folder in {folder for folder, _ in self._folders.values()}:
            with open(f"{folder}/cgroup.procs", "w") as file:
                file.write(str(pid))

    def _write(self, controller: str, name: str, value: int) -> None:
        with open(f"{self._folders[controller][0]}/{name}", "w") as file:
            file.write(str(value))

    def _try(self, name: str, value: int) -> None:
        try:
            self._write("memory", name, value)
        except OSError:
            return  # a kernel without swap accounting

    def _count(self, controller: str, names: tuple[str, str], word: bytes) -> int:
        if controller not in self._folders:
            return 0
        folder, version = self._folders[controller]
        try:
            with open(f"{folder}/{names[version - 1]}", "rb") as file:
                lines = file.read().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[-1]) for line in lines if line.startswith(word))

    def exceeded(self) -> str:
        """Which limit has been hit: ``memory``, ``processes`` or none."""
        if self._count("memory", ("memory.oom_control", "memory.events"), b"oom_kill "):
            return "memory"
        if self._count("pids", ("pids.events", "pids.events"), b"max "):
            return "processes"
        return ""

    def peak(self) -> int:
        """Its peak memory, if the kernel records it."""
        return self._count("memory", ("memory.max_usage_in_bytes", "memory.peak"), b"")

    def remove(self) -> None:
        for folder in {folder for folder, _ in self._folders.values()}:
            for _ in range(50):
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.002)  # its processes are still being reaped
        self._folders = {}


def control_group(config: dict[str, Any]) -> ControlGroup | None:
    """A control group for a bot; None if none is available."""
    try:
        cgroup = ControlGroup(config["cgroup"], config["memory"], config["tasks"])
    except OSError:
        return None
    return cgroup if cgroup.controllers else None
