# SPDX-License-Identifier: Apache-2.0
"""Runs programs sequentially and measures the cost of each run."""

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
PAGE = os.sysconf("SC_PAGE_SIZE")
# Messages of ffmpeg builds without a required part.
LACKING = ("Unknown encoder", "Unknown decoder", "No such filter", "Encoder not found")


class Failure(Exception):
    """A program could not be run, failed, or wrote no output."""


class Unavailable(Failure):
    """Another program lacks a required part."""


@dataclass(frozen=True)
class Sample:
    """One run: wall time and CPU time including children in seconds, peak and touched memory in bytes.

    The peak is that of the largest single process. The touched memory is what the kernel had to map
    during the run, by minor page faults: a buffer that is freed and allocated again counts twice, and
    a huge page as a small one. Parts of a run have only a wall time.
    """

    wall: float
    cpu: float | None = None
    peak: int | None = None
    touched: int | None = None


class Launcher:
    """Starts programs through launch.c if a compiler is available.

    Otherwise, Python starts them, and peaks below that of Python itself cannot be measured.
    """

    def __init__(self, folder):
        self.compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
        self.folder = folder
        self.program = self.build((HERE / "launch.c").read_text()) if self.compiler else None

    def build(self, source, *options):
        """Compiles a C program or library unless cached by content; returns its path."""
        key = " ".join((self.compiler, *options, source))
        digest = hashlib.sha256(key.encode()).hexdigest()[:12]
        program = self.folder / f"c-{digest}"
        if not program.exists():
            part = program.with_suffix(f".{os.getpid()}")
            subprocess.run(
                [self.compiler, "-O2", *options, "-x", "c", "-", "-o", str(part)],
                input=source.encode(),
                check=True,
            )
            part.replace(program)
        return program

    def run(self, arguments):
        """Runs one program to completion.

        Raises: Failure, with the line of standard error that states the reason.
        """
        with tempfile.TemporaryFile() as errors:
            if self.program:
                sample, status = self.launched(arguments, errors)
            else:
                sample, status = self.spawned(arguments, errors)
            if status != 0:
                errors.seek(0)
                text = errors.read().decode(errors="replace")
                message = reason_in(text)
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
        wall, cpu, peak, faults, status = map(int, launcher.stdout.split())
        return Sample(wall / 1e9, cpu / 1e6, peak * 1024, faults * PAGE), status

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
        cpu = usage.ru_utime + usage.ru_stime
        sample = Sample(wall, cpu, usage.ru_maxrss * 1024, usage.ru_minflt * PAGE)
        code = os.waitstatus_to_exitcode(status)
        return sample, code if code >= 0 else 128 - code


def reason_in(text):
    """The line that states the reason: the first line, or the last line of a Python traceback."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no message"]
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]


class Costs:
    """The costs of the runs of one program; the statistic is their median or minimum."""

    def __init__(self, samples, statistic=statistics.median):
        self.samples = samples
        self.statistic = statistic

    def all(self, quantity):
        return [getattr(sample, quantity) for sample in self.samples]

    def __getitem__(self, quantity):
        return self.statistic(self.all(quantity))


def interleaved(launcher, cases, rounds, has_warm_up, statistic):
    """Runs every case once per round; each round starts with a different case.

    Temporary disturbances then affect all cases. The warm-up is not counted.

    Returns: The costs, the failures and the missing parts of other programs, each by case name.
    """
    samples = {name: [] for case in cases for name in (case.name, *case.parts)}
    failures, lacking = {}, {}
    for round_index in range(-1 if has_warm_up else 0, rounds):
        first = round_index % len(cases)
        for case in cases[first:] + cases[:first]:
            if case.name in failures or case.name in lacking:
                continue
            try:
                case.prepare()
                sample = launcher.run(case.arguments)
                case.check()
                parts = case.measured_parts()
                if round_index >= 0:
                    samples[case.name].append(sample)
                    for name, seconds in parts.items():
                        samples[name] += map(Sample, seconds)
            except Failure as failure:
                # A missing part of photoedit is a failure, because it is built here.
                is_lacking = isinstance(failure, Unavailable) and not case.is_photoedit
                (lacking if is_lacking else failures)[case.name] = str(failure)
    costs = {
        name: Costs(samples[name], statistic)
        for case in cases
        for name in (case.name, *case.parts)
        if case.name not in failures and case.name not in lacking
    }
    return costs, failures, lacking
