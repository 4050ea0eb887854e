# SPDX-License-Identifier: Apache-2.0
"""The state of a run, from its folder alone, and the progress of a running one."""

import sys
import time
from collections import Counter

from .run import Run
from .shard import Summary

STATES = ("written", "present", "failed", "poison")


def status(run: Run) -> Counter[str]:
    """The counts of results, of lines without one, and of lines."""
    counts: Counter[str] = Counter()
    for _, results in run.all_results():
        counts.update(result["status"] for result in results.values())
    counts["lines"] = run.line_count
    counts["missing"] = counts["lines"] - sum(counts[state] for state in STATES)
    return counts


def described(counts: Counter[str]) -> str:
    """Counts as a line for people."""
    state = "incomplete" if counts["missing"] > 0 else "complete"
    parts = ", ".join(f"{counts[name]} {name}" for name in (*STATES, "missing"))
    return f"{state}: {counts['lines']} lines, {parts}"


class Progress:
    """One line each second on a terminal, else one each minute."""

    def __init__(self, lines: int, is_quiet: bool = False) -> None:
        self._lines, self._is_quiet = lines, is_quiet
        self._is_terminal = sys.stderr.isatty()
        self._counts: Counter[str] = Counter()
        self._bytes = 0
        self._started = self._shown = time.monotonic()

    def add(self, summary: Summary) -> None:
        """Adds the counts of a task and prints them if it is time."""
        self._counts.update(summary.counts)
        self._bytes += summary.bytes_in + summary.bytes_out
        now = time.monotonic()
        if not self._is_quiet and now - self._shown >= (1 if self._is_terminal else 60):
            self._shown = now
            self.show()

    def show(self) -> None:
        """Prints the line."""
        seconds = max(0.001, time.monotonic() - self._started)
        done = sum(self._counts.values())
        left = (self._lines - done) * seconds / done if done else 0
        text = (
            f"{done} of {self._lines} done, {self._counts['failed'] + self._counts['poison']} "
            f"failed, {done / seconds:.1f} photos/s, {self._bytes / seconds / 1e6:.1f} MB/s, "
            f"{int(left // 60)} min {int(left % 60)} s left")
        print(text, file=sys.stderr, end="\r" if self._is_terminal else "\n", flush=True)
