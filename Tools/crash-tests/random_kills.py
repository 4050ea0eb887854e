# SPDX-License-Identifier: Apache-2.0
"""Kills random commands in random states at random calls, and verifies that no data is lost.

A block is one subject (files or a library) after a random history; several commands are tested on
it, each first run to completion and then killed a few times. A block is determined by its seed and
number.
"""

import os
import random
import shutil
import tempfile
import time

import random_files
import random_libraries

# Kills per command in one state, and commands per state.
KILLS, COMMANDS = 6, 5


class Safety:
    """The problems found after one kill."""

    def __init__(self, subject, command, old, new, expected):
        self.subject, self.command, self.old, self.new = subject, command, old, new
        # The originals required in the old state and in the new one.
        self.expected = expected
        self.problems = []

    def classify(self, result, is_twice):
        if result.returncode != -9:
            self.problems.append(f"was not killed but ended with {result.returncode}")
        if is_twice:
            # It is unknown which of the two commands completed, so any valid state is accepted.
            self.subject.kill_recovery()
        self.subject.complete_repair(self.command, self.problems)
        found = self.subject.state()
        if found is None:
            self.problems.append(f"does not open: {self.subject.why()}")
        elif not is_twice and not self.command.allows(found, self.old, self.new):
            self.problems.append(f"neither old nor new: {difference(found, self.old, self.new)}")
        # The originals of the state found; those common to both states if it is unknown.
        before, after = self.expected
        is_known = found is not None and not is_twice and not self.command.is_gradual
        expected = before & after if not is_known else before if found == self.old else after
        if lost := expected - self.subject.originals():
            self.problems.append(f"{len(lost)} originals are missing or changed")
        self.problems += self.subject.check_next_command(self.command, found)
        if lost := (before & after) - self.subject.originals():
            self.problems.append(f"{len(lost)} originals are missing or changed after the next command")
        return self.problems


def difference(found, old, new):
    """The keys whose values are neither old nor new, with the values."""
    parts = []
    for key in found:
        if found[key] not in (old.get(key), new.get(key)):
            parts.append(f"{key}: {found[key]}; old {old.get(key)}; new {new.get(key)}")
    return " | ".join(parts)[:1500] or "a mixture of both"


class Block:
    """Some kills that share a history."""

    def __init__(self, work, tool, kinds, seed, number):
        self.work, self.tool, self.kinds = work, tool, kinds
        self.seed, self.number = seed, number
        self.random = random.Random(f"{seed}:{number}")

    def run(self, count):
        """Runs `count` kills; yields the name and the problems of each."""
        with tempfile.TemporaryDirectory(prefix=f"block-{self.number}-", dir=self.work) as work:
            kind = self.random.choice(self.kinds)
            base = kind(self.tool, os.path.join(work, "base"), self.random)
            for _ in range(self.random.randrange(6)):
                # Commands that fail in a state are skipped: there may be nothing to undo.
                base.run(base.command())
            base.refresh()
            old = base.state()
            assert old is not None, f"block {self.number}: {base.why()}"
            left, misses = count, 0
            while left > 0 and misses < 40:
                command = base.command()
                done = base.copied(os.path.join(work, "done"))
                done.prepare(command)
                report = os.path.join(work, "report")
                result = done.run(command, FAULTS_REPORT=report, **self.tool.preload(done.folder))
                calls = read_number(report)
                new = done.state()
                expected = (base.originals(), done.originals())
                shutil.rmtree(done.folder)
                if result.returncode != 0 or calls == 0 or new is None:
                    misses += 1
                    continue
                for _ in range(min(left, KILLS)):
                    call = self.random.randint(1, calls)
                    is_twice = self.random.random() < 0.15
                    yield self.kill(base, os.path.join(work, "killed"), command, call, calls, is_twice,
                                    old, new, expected)
                    left -= 1

    def kill(self, base, folder, command, call, calls, is_twice, old, new, expected):
        subject = base.copied(folder)
        subject.prepare(command)
        result = subject.run(command, FAULTS_AT=str(call), **self.tool.preload(folder))
        if result.returncode == 0 and call > calls - max(3, calls // 20):
            # The number of calls varies slightly between runs, because of timing and threads, so the
            # command completed first.
            result.returncode = -9
        problems = Safety(subject, command, old, new, expected).classify(result, is_twice)
        shutil.rmtree(folder)
        twice = ", and during recovery" if is_twice else ""
        name = (f"block {self.number} of seed {self.seed}: {subject.NAME}, {command.name}, killed at call"
                f" {call} of {calls}{twice}")
        return name, problems


def read_number(path):
    try:
        with open(path) as file:
            return int(file.read())
    except FileNotFoundError:
        return 0


def run(pool, checks, work, tool, count, seed, block=None, has_videos=True):
    """Runs `count` kills on all cores, or one block of a seed to reproduce a failure."""
    print(f"random kills: --seed {seed}", flush=True)
    kinds = random_files.kinds(has_videos) + random_libraries.kinds(tool, work, has_videos)
    size = KILLS * COMMANDS
    numbers = [block] if block is not None else range(-(-count // size))
    begin, commands = time.monotonic(), {}

    def run_block(number):
        expected = size if block is not None else min(size, count - number * size)
        return list(Block(work, tool, kinds, seed, number).run(expected))

    for results in pool.map(run_block, numbers):
        for name, problems in results:
            checks.add(name, problems)
            command = name.split(": ", 1)[1].split(", killed", 1)[0]
            commands[command] = commands.get(command, 0) + 1
    seconds = time.monotonic() - begin
    for command in sorted(commands):
        print(f"  {commands[command]:6} {command}")
    print(f"random kills: {sum(commands.values())} of {len(commands)} commands in {seconds:.0f} s", flush=True)
