# SPDX-License-Identifier: Apache-2.0
"""Kills random verbs in random states at random calls, and looks whether everything is safe.

A block is one place (files, or a library) after a random history; several verbs are tried in it,
each first to its end and then killed a few times. A block follows from its seed and number alone.
"""

import os
import random
import shutil
import tempfile
import time

import random_files
import random_libraries

# How often one verb is killed in one state, and how many verbs a state is used for.
KILLS, VERBS = 6, 5


class Safety:
    """What one kill left behind: problems as words."""

    def __init__(self, place, verb, old, new, wanted):
        self.place, self.verb, self.old, self.new = place, verb, old, new
        # The originals that there must be in the old state, in the new one, and in any.
        self.wanted = wanted
        self.problems = []

    def judge(self, result, is_twice):
        if result.returncode != -9:
            self.problems.append(f"was not killed but ended with {result.returncode}")
        if is_twice:
            # Nobody says which of the two commands happened, so any whole state will do.
            self.place.kill_recovery()
        self.place.before_looking(self.verb, self.problems)
        found = self.place.state()
        if found is None:
            self.problems.append(f"does not open: {self.place.why()}")
        elif not is_twice and not self.verb.allows(found, self.old, self.new):
            self.problems.append(f"neither old nor new: {difference(found, self.old, self.new)}")
        # The originals of the state that it is in; of both where that is not known.
        before, after = self.wanted
        is_known = found is not None and not is_twice and not self.verb.is_gradual
        wanted = before & after if not is_known else before if found == self.old else after
        if lost := wanted - self.place.originals():
            self.problems.append(f"{len(lost)} originals are gone or changed")
        self.problems += self.place.goes_on(self.verb, found)
        if lost := (before & after) - self.place.originals():
            self.problems.append(f"{len(lost)} originals are gone or changed by the next command")
        return self.problems


def difference(found, old, new):
    """The keys in which a state is neither the old nor the new one, with the values."""
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
        """Carries out so many kills; yields the name and the problems of each."""
        with tempfile.TemporaryDirectory(prefix=f"block-{self.number}-", dir=self.work) as work:
            kind = self.random.choice(self.kinds)
            base = kind(self.tool, os.path.join(work, "base"), self.random)
            for _ in range(self.random.randrange(6)):
                # What cannot be done in a state is passed over: there may be nothing to undo.
                base.run(base.verb())
            base.settle()
            old = base.state()
            assert old is not None, f"block {self.number}: {base.why()}"
            left, misses = count, 0
            while left > 0 and misses < 40:
                verb = base.verb()
                done = base.copied(os.path.join(work, "done"))
                done.prepare(verb)
                report = os.path.join(work, "report")
                result = done.run(verb, FAULTS_REPORT=report, **self.tool.preload(done.folder))
                calls = read_number(report)
                new = done.state()
                wanted = (base.originals(), done.originals())
                shutil.rmtree(done.folder)
                if result.returncode != 0 or calls == 0 or new is None:
                    misses += 1
                    continue
                for _ in range(min(left, KILLS)):
                    call = self.random.randint(1, calls)
                    is_twice = self.random.random() < 0.15
                    yield self.kill(base, os.path.join(work, "killed"), verb, call, calls, is_twice,
                                    old, new, wanted)
                    left -= 1

    def kill(self, base, folder, verb, call, calls, is_twice, old, new, wanted):
        place = base.copied(folder)
        place.prepare(verb)
        result = place.run(verb, FAULTS_AT=str(call), **self.tool.preload(folder))
        if result.returncode == 0 and call > calls - max(3, calls // 20):
            # The number of calls differs a little from run to run, with what waits for time or for
            # another thread the more, so the end was reached before.
            result.returncode = -9
        problems = Safety(place, verb, old, new, wanted).judge(result, is_twice)
        shutil.rmtree(folder)
        twice = ", and in what came next" if is_twice else ""
        name = (f"block {self.number} of seed {self.seed}: {place.NAME}, {verb.name}, killed at call"
                f" {call} of {calls}{twice}")
        return name, problems


def read_number(path):
    try:
        with open(path) as file:
            return int(file.read())
    except FileNotFoundError:
        return 0


def run(pool, checks, work, tool, count, seed, block=None, has_movies=True):
    """Carries out a number of kills, on all cores; a block of a seed alone repeats a failure."""
    print(f"random kills: --seed {seed}", flush=True)
    kinds = random_files.kinds(has_movies) + random_libraries.kinds(tool, work, has_movies)
    size = KILLS * VERBS
    numbers = [block] if block is not None else range(-(-count // size))
    begin, verbs = time.monotonic(), {}

    def carry_out(number):
        wanted = size if block is not None else min(size, count - number * size)
        return list(Block(work, tool, kinds, seed, number).run(wanted))

    for results in pool.map(carry_out, numbers):
        for name, problems in results:
            checks.add(name, problems)
            verb = name.split(": ", 1)[1].split(", killed", 1)[0]
            verbs[verb] = verbs.get(verb, 0) + 1
    seconds = time.monotonic() - begin
    for verb in sorted(verbs):
        print(f"  {verbs[verb]:6} {verb}")
    print(f"random kills: {sum(verbs.values())} of {len(verbs)} verbs in {seconds:.0f} s", flush=True)
