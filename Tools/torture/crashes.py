# SPDX-License-Identifier: Apache-2.0
"""The crash tests and the fuzz targets, which are programs of their own."""

import os
import re
import shlex
import subprocess

from cases import CRASH_TESTS, ROOT, Case, Counts, Skip

RUN = os.path.join(CRASH_TESTS, "run")
# The programs that end with this one.
running = []


def crash_tests(setting, *options):
    """Runs the crash tests, whose findings name their calls and blocks."""
    process = subprocess.Popen([RUN, *options], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "PHOTOEDIT": setting.program.path})  # fmt: skip
    running.append(process)
    counts = None
    for line in process.stdout:
        counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped\n", line) or counts
        if counts is None or counts.string != line:
            print("  " + line.rstrip("\n"), flush=True)
        if finding := re.match(r"FAILED block (\d+) of seed (\d+)", line):
            print(f"    repeat: Tools/crash-tests/run --random {options[1]} --seed {finding[2]}"
                  f" --block {finding[1]}", flush=True)  # fmt: skip
        elif finding := re.match(r"FAILED (.*? at call \d+ of)", line):
            print(f"    repeat: Tools/crash-tests/run {options[0]} --only {shlex.quote(finding[1])}", flush=True)
        elif line.startswith("FAILED"):
            print(f"    repeat: Tools/crash-tests/run {options[0]}", flush=True)
    process.wait()
    running.remove(process)
    if counts is None:
        return [f"the crash tests end with {process.returncode}"]
    return Counts(*map(int, counts.groups()))


class Crashes:
    """Kills and failures at each call that changes files, and full disks."""

    NAME = "crashes"
    IS_SERIAL = True

    @staticmethod
    def cases(setting):
        for level in ["quick"] + ["long"] * setting.is_nightly:
            yield Case(level, crash_tests, setting, "--" + level)


class Random:
    """Random commands in random states, killed at random calls."""

    NAME = "random"
    IS_SERIAL = True

    @staticmethod
    def cases(setting):
        for count in [60] + [2000] * setting.is_nightly:
            yield Case(f"kills-{count}", crash_tests, setting, "--random", str(count), "--seed", str(setting.seed))


class Fuzz:
    """The fuzz targets, each for some seconds; only with --nightly."""

    NAME = "fuzz"
    IS_SERIAL = True
    IS_NIGHTLY = True

    @classmethod
    def cases(cls, setting):
        with open(os.path.join(ROOT, "Tools", "fuzz", "run")) as file:
            # The targets are those that the usage names.
            targets = re.search(r"^# usage: Tools/fuzz/run (\S+) SECONDS", file.read(), re.MULTILINE)[1]
        for target in targets.split("|"):
            yield Case(target, cls.fuzz, setting, target)

    @staticmethod
    def fuzz(setting, target):
        run = os.path.join(ROOT, "Tools", "fuzz", "run")
        result = subprocess.run([run, target, str(setting.fuzz_seconds), f"-seed={setting.seed}"],
                                capture_output=True, text=True, errors="replace")  # fmt: skip
        if result.returncode == 69:
            raise Skip(result.stderr.strip().splitlines()[-1])
        if result.returncode == 0:
            return []
        path = re.search(r"Test unit written to (\S+)", result.stderr)
        if path is None:
            return [f"ends with {result.returncode}: {result.stderr[-400:]}"]
        name = os.path.join(os.path.relpath(ROOT), ".build", "fuzz", target, path[1])
        return [f"Tools/fuzz/run {target} {os.path.normpath(name)}"]
