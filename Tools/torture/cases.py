# SPDX-License-Identifier: Apache-2.0
"""What the sections share: cases, the program under test, its limits, and the tally of outcomes."""

import dataclasses
import hashlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INPUTS = os.path.join(ROOT, "TestImages", "inputs")
CRASH_TESTS = os.path.join(ROOT, "Tools", "crash-tests")

# A program that computes or waits for longer hangs.
PROCESSOR_SECONDS, SECONDS = 20, 120
# The most memory of a command on the small files of the tests, in KiB.
MEMORY = 1 << 20

# The crash tests have generators of videos and a reader of libraries.
sys.path.insert(0, CRASH_TESTS)


class Skip(Exception):
    """Why a case or a section cannot run here."""


class Case:
    """One test: a name without spaces, and a function that returns a list of problems."""

    def __init__(self, name, check, *arguments):
        self.name, self.check, self.arguments = name, check, arguments

    def outcome(self):
        try:
            return self.check(*self.arguments)
        except Skip as reason:
            return reason
        except Exception as error:  # noqa: BLE001 - anything unexpected is a finding
            return [f"{type(error).__name__}: {error}"]


class Setting:
    """The folder, program, seed and level of a section."""

    def __init__(self, work, program, seed, is_nightly):
        self.work, self.program, self.seed, self.is_nightly = work, program, seed, is_nightly

    def random(self, name):
        """Random numbers that depend on the seed and the case alone."""
        return random.Random(f"{self.seed}:{name}")

    def count(self, gate, nightly):
        return nightly if self.is_nightly else gate

    def folder(self, name):
        path = os.path.join(self.work, name)
        os.makedirs(path)
        return path


class Tally:
    """The numbers of outcomes, and the lines of findings."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def counts(self):
        return self.passed, self.failed, self.skipped

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped: {name}: {reason}", flush=True)

    def add(self, section, seed, case, outcome):
        if isinstance(outcome, Skip):
            self.skip(f"{section} {case.name}", outcome)
        elif isinstance(outcome, Counts):
            self.passed += outcome.passed
            self.failed += outcome.failed
            self.skipped += outcome.skipped
        elif outcome and all(is_known(f"{section} {case.name}", problem) for problem in outcome):
            self.skip(f"{section} {case.name}", "known: " + printable("; ".join(outcome)))
        elif outcome:
            self.failed += 1
            text = "; ".join(outcome)
            print(f"FAILED {section} {case.name}: {printable(text)}")
            print(f"  repeat: Tools/torture/run --repeat {section}:{seed}:{case.name}", flush=True)
        else:
            self.passed += 1


# Findings that are not mended yet: patterns of the section and case, and of the problem.
KNOWN: dict[str, str] = {}


def is_known(name, problem):
    return any(re.fullmatch(case, name) and re.fullmatch(pattern, problem, re.DOTALL)
               for case, pattern in KNOWN.items())  # fmt: skip


@dataclasses.dataclass
class Counts:
    """The outcomes of a program that has printed its own findings."""

    passed: int
    failed: int
    skipped: int


@dataclasses.dataclass
class Result:
    """The end of a command; the code is negative after a signal, and the peak is in KiB."""

    words: list
    code: int
    stdout: bytes
    stderr: bytes
    peak: int
    hung: bool

    def problems(self, may_be_killed=False):
        """The problems that no input may cause."""
        # The name of the command and its subcommand say enough.
        name = " ".join(word for word in self.words[:2] if "/" not in word)
        if self.hung:
            return [f"{name} hangs"]
        found = []
        if self.code < 0 and not may_be_killed:
            found.append(f"{name} died of {signal.Signals(-self.code).name}: {self.error()}")
        if self.code == 70:
            found.append(f"{name} reports an internal error: {self.error()}")
        if self.peak > MEMORY:
            found.append(f"{name} used {self.peak >> 10} MiB of memory")
        if b"\x1b" in self.stdout + self.stderr:
            found.append(f"{name} prints an escape character")
        return found

    def error(self):
        return printable(self.stderr.decode(errors="replace").strip()[-400:])


class Program:
    """The program under test."""

    def __init__(self, path, seconds=SECONDS):
        self.path, self.seconds = path, seconds

    def run(self, words, folder=None, environment=None, limits=(), input=None):
        """Runs a command to its end; `limits` are options of prlimit."""
        command = [self.path, *words]
        if limits:
            command = ["prlimit", *limits, "--", *command]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                command, cwd=folder, stdout=out, stderr=err,
                stdin=subprocess.DEVNULL if input is None else input,
                env={**os.environ, **(environment or {})})  # fmt: skip
            # A descriptor, because the number of an ended process may be that of another one.
            descriptor = os.pidfd_open(process.pid)
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1))
            hung = threading.Event()

            def stop():
                hung.set()
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)

            timer = threading.Timer(self.seconds, stop)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            timer.join()
            os.close(descriptor)
            process.returncode = os.waitstatus_to_exitcode(status)
            is_busy = process.returncode == -signal.SIGXCPU
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read())
        return Result(list(words), process.returncode, *texts, usage.ru_maxrss, hung.is_set() or is_busy)

    def succeed(self, words, folder=None, **others):
        """Runs a command of a preparation, which must succeed."""
        result = self.run(words, folder, **others)
        if result.code != 0:
            raise AssertionError(f"{' '.join(words)} ends with {result.code}: {result.error()}")
        return result


def binary():
    """The path of the program to test."""
    if "PHOTOEDIT" in os.environ:
        return os.environ["PHOTOEDIT"]
    subprocess.run([os.path.join(ROOT, "Tools", "photoedit"), "version"], check=True,
                   stdout=subprocess.DEVNULL)
    return os.path.join(ROOT, ".build", "release", "photoedit")


def printable(text):
    """A text on one line, without characters that control a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def inventory(folder, without=()):
    """Each path below a folder with its kind and content; folders named in `without` are left out."""
    found = {}
    for root, names, files in os.walk(folder):
        names[:] = [name for name in names if os.path.join(root, name) not in without]
        for name in names + files:
            path = os.path.join(root, name)
            status = os.lstat(path)
            fact = (status.st_mode, status.st_ino)
            if os.path.islink(path):
                fact += (os.readlink(path),)
            elif os.path.isfile(path):
                # Content of large files is told by their size: they are sparse.
                fact += (status.st_size, status.st_mtime_ns,
                         digest(path) if status.st_size < 1 << 24 else "")
            found[path] = fact
    return found


def differences(before, after):
    """The paths that were created, removed or changed."""
    named = [f"{printable(path)} was {what}" for what, paths in (
        ("created", after.keys() - before.keys()), ("removed", before.keys() - after.keys()),
        ("changed", {path for path in before.keys() & after.keys() if before[path] != after[path]}),
    ) for path in sorted(paths)]  # fmt: skip
    return named[:5]


def shim(setting, name):
    """Compiles a library that is preloaded into the program."""
    path = os.path.join(setting.work, name + ".so")
    try:
        subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", path,
                        os.path.join(HERE, name + ".c"), "-ldl"], check=True)
    except FileNotFoundError:
        raise Skip("there is no C compiler; install the Debian package gcc") from None
    return path
