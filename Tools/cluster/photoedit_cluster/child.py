# SPDX-License-Identifier: Apache-2.0
"""A process of `photoedit worker`, which answers JSON lines with JSON lines."""

import json
import select
import subprocess
import time
from dataclasses import dataclass, field

from .document import Line
from .failure import CONFIGURATION, UNAVAILABLE, Failure
from .run import canonical


@dataclass(frozen=True)
class Limits:
    """The program, and the limits of each photo."""

    program: str = "photoedit"
    max_seconds: int = 120
    max_memory: str = "2G"
    arguments: tuple[str, ...] = field(default=())

    @property
    def command(self) -> list[str]:
        return [
            self.program, "worker", "--threads", "1", "--max-memory", self.max_memory,
            "--max-seconds", str(self.max_seconds), *self.arguments]

    @property
    def wall_seconds(self) -> float:
        """The longest wait for one answer; the process limits its own processor time."""
        return 2.0 * self.max_seconds + 2


class Child:
    """One process. The thread that starts it must outlive it, for it ends with its parent."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buffer = b""
        try:
            self._process = subprocess.Popen(
                limits.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                # Ctrl-C is for the caller, which lets photos in work finish.
                start_new_session=True)
        except OSError as error:
            raise Failure(
                UNAVAILABLE, "noProgram", f"{limits.program}: {error.strerror}") from error
        try:
            hello = self.answer(30)
        except TimeoutError:
            hello = None
        if hello is None or hello.get("worker") != 1:
            self.kill()
            raise Failure(
                UNAVAILABLE, "noWorker", f"{limits.program} worker: does not start")
        self.hello: Line = hello

    def check_engine(self, engine: int) -> None:
        """Fails with 78 unless the process has the engine of the run."""
        if self.hello.get("engine") != engine:
            self.kill()
            raise Failure(
                CONFIGURATION, "engine",
                f"this node has engine {self.hello.get('engine')}, the run requires {engine}; "
                "install the same photoedit on all nodes")

    def ask(self, request: Line) -> None:
        """Sends a line; that the process has ended is noticed by `answer`."""
        stream = self._process.stdin
        try:
            if stream is not None:
                stream.write(canonical(request).encode() + b"\n")
        except BrokenPipeError:
            pass

    def answer(self, seconds: float | None = None) -> Line | None:
        """The next answer; nil at the end of the process. Raises TimeoutError."""
        stream = self._process.stdout
        if stream is None:
            return None
        end = time.monotonic() + (self._limits.wall_seconds if seconds is None else seconds)
        while b"\n" not in self._buffer:
            poll = select.poll()
            poll.register(stream, select.POLLIN)
            if not poll.poll(max(0, 1000 * (end - time.monotonic()))):
                self.kill()
                raise TimeoutError
            block = stream.read(1 << 16)
            if not block:
                return None
            self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.kill()
            return None
        return answer

    def close(self) -> None:
        """Ends the process by the end of its input."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._process.stdout:
            self._process.stdout.close()

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()
        self.reason()

    def reason(self) -> Line:
        """Why the process ended: its signal, or its exit code."""
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        return {"signal": -code} if code < 0 else {"exit": code}
