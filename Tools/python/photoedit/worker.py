# SPDX-License-Identifier: Apache-2.0
"""A process of its own for untrusted files, which limits and their crashes end alone."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import select
import subprocess
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._native import find_program
from .errors import UnavailableError, UsageError, WorkerEnded, failure
from .image import Rendering
from .library import Asset
from .native import Cancellation, Graph, Option, PathLike, option_words

if TYPE_CHECKING:
    from typing import Unpack

    from .options import WorkerOptions


class Worker:
    """A process of `photoedit worker`. Use it with `with`, or call `close`.

    Not to be used by several threads at once. After `WorkerEnded`, the next call starts another
    process. The thread that starts it must outlive it.
    """

    def __init__(
            self, *, program: PathLike | None = None, max_seconds: int = 120,
            max_memory: str = "2G", **options: Unpack[WorkerOptions]) -> None:
        """The limits apply to each image; the options are those of `photoedit worker`."""
        if not isinstance(max_seconds, int) or max_seconds < 1:
            raise UsageError(f"max_seconds: {max_seconds!r} is not a whole number of seconds")
        self._command = [
            find_program() if program is None else os.fsdecode(program), "worker",
            f"--max-seconds={max_seconds}", f"--max-memory={max_memory}", *option_words(options)]
        self._wait = 2.0 * max_seconds + 2
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._buffer = bytearray()
        self._count = 0
        #: The description of the process, with its version, engine and options.
        self.hello: dict[str, Any] = {}

    def render(
            self, input: PathLike | None = None, output: PathLike = "", graph: Graph = None, *,
            look: PathLike | None = None, library: PathLike | None = None,
            asset: Asset | str | None = None, sha256: str | None = None,
            cancellation: Cancellation | None = None, **options: Option) -> dict[str, Any]:
        """Renders a file, or the original of an asset, to a path where nothing is.

        The graph is given itself, or in the file `look`; without either, no filter is applied.
        Returns the answer; raises an `Error` of the class of its exit code, or `WorkerEnded`. A
        cancellation ends the process.
        """
        if isinstance(asset, Asset):
            asset = asset.identifier
        request = _request(
            graph, options, input=input, output=output, look=look, library=library, asset=asset,
            sha256=sha256)
        return self._render(request, None, cancellation).report

    def render_bytes(
            self, data: bytes | bytearray | memoryview, graph: Graph = None, *,
            look: PathLike | None = None, sha256: str | None = None,
            cancellation: Cancellation | None = None, **options: Option) -> Rendering:
        """Renders a file in memory; without a graph, no filter is applied.

        Raises as `render` does.
        """
        data = memoryview(data).cast("B")
        request = _request(
            graph, options, input="-", output="-", look=look, sha256=sha256) | {
                "payload": data.nbytes}
        return self._render(request, data, cancellation)

    def _render(
            self, request: dict[str, Any], payload: memoryview | None,
            cancellation: Cancellation | None) -> Rendering:
        answer, data = self._exchange(request, payload, cancellation)
        if answer.get("status") != "rendered":
            raise failure(
                answer.get("exit", 70), answer.get("code", ""), answer.get("message", ""), None)
        return Rendering(data, answer)

    def request(
            self, fields: Mapping[str, Any], *,
            cancellation: Cancellation | None = None) -> dict[str, Any]:
        """Sends a request as the protocol has it; returns the answer without the bytes after it."""
        return self._exchange(fields, None, cancellation)[0]

    def _exchange(
            self, fields: Mapping[str, Any], payload: memoryview | None,
            cancellation: Cancellation | None) -> tuple[dict[str, Any], bytes]:
        process = self._running()
        self._count += 1
        try:
            line = json.dumps({"id": self._count, **fields}, allow_nan=False).encode() + b"\n"
        except ValueError as error:
            raise UsageError(f"request: {error}") from error
        if process.stdin is None:
            raise self._end()
        ending = contextlib.nullcontext() if cancellation is None else (
            cancellation.ending(process.kill))
        try:
            with ending:
                if cancellation is not None and cancellation.is_canceled:
                    process.kill()
                is_sent = self._send(process, line) and (
                    payload is None or self._send(process, payload))
                answer = self._answer(self._wait)
                data = self._take(answer.get("payload", 0), self._wait)
                if not is_sent or "id" not in answer:
                    # The request was not read, and what follows it may be taken for another one.
                    process.kill()
                    self._stop()
                return answer, data
        except WorkerEnded:
            if cancellation is not None and cancellation.is_canceled:
                raise failure(130, "canceled", "", None) from None
            raise
        except BaseException:
            # The answer to this request must not be that to the next one.
            process.kill()
            self._stop()
            raise

    def __repr__(self) -> str:
        return f"<photoedit.Worker {self._command[0]!r}{', closed' if self._is_closed else ''}>"

    def close(self) -> None:
        """Ends the process; later calls raise `UsageError`."""
        self._is_closed = True
        self._stop()

    def _stop(self) -> None:
        """Ends the process."""
        process, self._process, self._buffer = self._process, None, bytearray()
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None):
            self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._is_closed:
            raise UsageError("the worker is closed", "handle")
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._stop()
        try:
            # Ctrl-C is for the caller, which lets an image in work finish.
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                start_new_session=True)
        except OSError as error:
            raise UnavailableError(
                f"{self._command[0]}: {error.strerror}", "noProgram",
                "install photoedit, or name the program") from error
        try:
            self.hello = self._answer(30)
        except WorkerEnded as ended:
            raise failure(
                ended.returncode if ended.returncode > 0 else 69, "worker",
                "the worker does not start; its reason is on standard error", None) from None
        except ValueError:
            self._process.kill()
            self._stop()
            self.hello = {}
        if self.hello.get("worker") != 1:
            raise UnavailableError(f"{self._command[0]} worker: does not start", "noWorker")
        return self._process

    def _send(self, process: subprocess.Popen[bytes], data: bytes | memoryview) -> bool:
        """Writes data; returns False if the process answers or ends before it has read it all."""
        if process.stdin is None or process.stdout is None:
            raise self._end()
        poll = select.poll()
        poll.register(process.stdin, select.POLLOUT)
        poll.register(process.stdout, select.POLLIN)
        rest = memoryview(data)
        while rest:
            events = dict(poll.poll(1000 * self._wait))
            if not events:
                process.kill()
                raise self._end()
            if process.stdout.fileno() in events:
                return False
            try:
                # A pipe that is ready takes so much without waiting.
                rest = rest[process.stdin.write(rest[:select.PIPE_BUF]):]
            except BrokenPipeError:
                return False
        return True

    def _answer(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while (length := self._buffer.find(b"\n")) < 0:
            self._read(end)
        answer: dict[str, Any] = json.loads(self._take(length + 1, seconds))
        return answer

    def _take(self, count: int, seconds: float) -> bytes:
        """The next bytes of the output."""
        end = time.monotonic() + seconds
        while len(self._buffer) < count:
            self._read(end)
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _read(self, end: float) -> None:
        process = self._process
        if process is None or process.stdout is None:
            raise self._end()
        poll = select.poll()
        poll.register(process.stdout, select.POLLIN)
        if not poll.poll(max(0.0, 1000 * (end - time.monotonic()))):
            process.kill()
            raise self._end()
        block = process.stdout.read(1 << 16)
        if not block:
            raise self._end()
        self._buffer += block

    def _end(self) -> WorkerEnded:
        process = self._process
        code = 0
        if process is not None:
            if process.stdin:
                process.stdin.close()
            try:
                code = process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
        self._stop()
        return WorkerEnded(code)


def _request(graph: Graph, options: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A request as the protocol has it."""
    request = {
        name: value if name in ("asset", "sha256") else os.fsdecode(value)
        for name, value in fields.items() if value is not None}
    if isinstance(graph, (str, bytes)):
        request["graph"] = json.loads(graph)
    elif isinstance(graph, Mapping):
        request["graph"] = dict(graph)
    elif graph is not None:
        raise UsageError(
            f"graph: {type(graph).__name__} is not a filter graph", "argument",
            "give a dictionary, or its JSON")
    elif "look" not in request:
        request["graph"] = {"format": "org.photoedit.filter-graph", "version": "1.0", "nodes": []}
    given = {
        name.replace("_", "-"): _json_value(value)
        for name, value in options.items() if value is not None}
    return request | ({"options": given} if given else {})


def _json_value(value: Any) -> Any:
    """A value of an option as the protocol has it: a list is a text with commas."""
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    if isinstance(value, (bytes, os.PathLike)):
        return os.fsdecode(value)
    if not isinstance(value, (bool, int, float, str)) and hasattr(value, "__index__"):
        return operator.index(value)
    return value
