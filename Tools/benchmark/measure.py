# SPDX-License-Identifier: Apache-2.0
"""Runs programs one after the other and says what each run cost."""

import hashlib
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What ffmpeg says when it was built without a part.
LACKING = ("Unknown encoder", "Unknown decoder", "No such filter", "Encoder not found")


class Failure(Exception):
    """A program that could not be run, ended badly, or wrote nothing."""


class Unavailable(Failure):
    """A program of others that lacks what it was asked for."""


@dataclass(frozen=True)
class Sample:
    """One run: seconds of wall time, seconds of CPU time of the process and its children, bytes.

    The peak is that of the largest single process.
    """

    wall: float
    cpu: float
    peak: int


class Launcher:
    """Starts programs by their argument vectors; through launch.c where there is a compiler.

    Without one, Python starts them, and peaks below that of Python itself cannot be seen.
    """

    def __init__(self, folder):
        self.compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
        self.folder = folder
        self.program = self.build((HERE / "launch.c").read_text()) if self.compiler else None

    def build(self, source):
        """Compiles a C program once for each content; gives its path."""
        digest = hashlib.sha256((self.compiler + source).encode()).hexdigest()[:12]
        program = self.folder / f"c-{digest}"
        if not program.exists():
            part = program.with_suffix(f".{os.getpid()}")
            subprocess.run(
                [self.compiler, "-O2", "-x", "c", "-", "-o", str(part)],
                input=source.encode(),
                check=True,
            )
            part.replace(program)
        return program

    def run(self, arguments):
        """Runs one program to its end.

        Raises: Failure, with the line of standard error that says why.
        """
        with tempfile.TemporaryFile() as errors:
            if self.program:
                sample, status = self.launched(arguments, errors)
            else:
                sample, status = self.spawned(arguments, errors)
            if status != 0:
                errors.seek(0)
                text = errors.read().decode(errors="replace")
                message = said(text)
                if status == 69 or any(words in text for words in LACKING):
                    raise Unavailable(message)
                raise Failure(f"{Path(arguments[0]).name} ended with {status}: {message}")
            return sample

    def launched(self, arguments, errors):
        launcher = subprocess.run(
            [self.program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        if launcher.returncode != 0:
            return None, launcher.returncode
        wall, cpu, peak, status = map(int, launcher.stdout.split())
        return Sample(wall / 1e9, cpu / 1e6, peak * 1024), status

    @staticmethod
    def spawned(arguments, errors):
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        begin = time.perf_counter()
        try:
            child = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=actions)
        except OSError as error:
            raise Failure(f"{Path(arguments[0]).name} ended with 127: {error.strerror}") from None
        _, status, usage = os.wait4(child, 0)
        wall = time.perf_counter() - begin
        sample = Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
        code = os.waitstatus_to_exitcode(status)
        return sample, code if code >= 0 else 128 - code


def said(text):
    """The line that says why: the first, but the last one of what Python traces."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no message"]
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]


class Costs:
    """What the runs of one program cost; the statistic is the median or the least of them."""

    def __init__(self, samples, statistic=statistics.median):
        self.samples = samples
        self.statistic = statistic

    def all(self, quantity):
        return [getattr(sample, quantity) for sample in self.samples]

    def __getitem__(self, quantity):
        return self.statistic(self.all(quantity))


def interleaved(launcher, cases, rounds, has_warm_up, statistic):
    """Runs every case once a round, each round beginning with another one.

    What disturbs the machine for a while then disturbs all of them. The warm-up is not counted.

    Returns: The costs, the failures and what others lack, each by name of the case.
    """
    samples = {case.name: [] for case in cases}
    failures, lacking = {}, {}
    for turn in range(-1 if has_warm_up else 0, rounds):
        first = turn % len(cases)
        for case in cases[first:] + cases[:first]:
            if case.name in failures or case.name in lacking:
                continue
            try:
                case.prepare()
                sample = launcher.run(case.arguments)
                case.check()
                if turn >= 0:
                    samples[case.name].append(sample)
            except Failure as failure:
                # What ours lacks is a failure, for it is built here.
                is_lacking = isinstance(failure, Unavailable) and not case.is_ours
                (lacking if is_lacking else failures)[case.name] = str(failure)
    costs = {
        name: Costs(taken, statistic)
        for name, taken in samples.items()
        if name not in failures and name not in lacking
    }
    return costs, failures, lacking
