# SPDX-License-Identifier: Apache-2.0
"""The commands of `photoedit`, in this process."""

from __future__ import annotations

import contextlib
import ctypes
import queue
import sys
import threading
from collections import deque
from collections.abc import Sequence
from ctypes import byref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._native import OUTPUT, CBytes, CError, library
from .errors import Error, UsageError
from .native import (
    Cancellation, Filters, PathLike, buffer, check, filter_words, flattened, interruptible,
    json_line, option_words, strings, take)

if TYPE_CHECKING:
    from typing import Unpack

    from .options import (
        AdjustOptions, ApplyOptions, HistoryOptions, RedoOptions, RevertOptions, ShowOptions,
        UndoOptions)

_NO_OUTPUT = OUTPUT()


@dataclass(frozen=True)
class Outcome:
    """What a command has written."""

    output: bytes
    messages: str

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The lines of `--json`."""
        return [json_line(line) for line in self.output.splitlines() if line]


def run(
        *arguments: PathLike, input: bytes | None = None,
        cancellation: Cancellation | None = None) -> Outcome:
    """Runs a command and waits for its end: `run("apply", "photo.jpg", "--filter", "sepia")`.

    Raises an `Error` of the class of the exit code.
    """
    output, messages, error = CBytes(), CBytes(), CError()
    address, size = buffer(input)
    words = strings(arguments)
    code = interruptible(
        lambda handle: library.photoedit_run(
            words, address, size, handle, _NO_OUTPUT, None, byref(output), byref(messages),
            byref(error)), cancellation)
    outcome = Outcome(take(output), take(messages).decode("utf-8", "replace"))
    try:
        check(code, error)
    except Error as failed:
        if "--json" in arguments:
            with contextlib.suppress(UsageError):
                failed.add(outcome.reports)
        raise
    return outcome


class Lines:
    """The lines of a command with `--json` while it runs: an iterator of their objects.

    The command begins at once, and at most `limit` of its blocks are in memory. `close`, from any
    thread, ends it and the iteration, as the end of this object does.
    """

    def __init__(self, *arguments: PathLike, limit: int = 256) -> None:
        self._blocks: queue.Queue[bytes | None] = queue.Queue(limit)
        self._stopped = threading.Event()
        self._cancellation = Cancellation()
        self._failures: list[Error] = []
        self._rows: deque[dict[str, Any]] = deque()
        self._rest = b""
        # The thread must not keep this object.
        blocks, stopped, failures = self._blocks, self._stopped, self._failures
        cancellation, words = self._cancellation, strings(arguments)

        def put(block: bytes | None) -> int:
            while not stopped.is_set():
                try:
                    blocks.put(block, timeout=0.1)
                    return 0
                except queue.Full:
                    continue
            return 1

        def receive(_context: Any, data: Any, size: int) -> int:
            return put(ctypes.string_at(data, size))

        receiver = OUTPUT(receive)

        def work() -> None:
            error = CError()
            code = library.photoedit_run(
                words, None, 0, cancellation.handle, receiver, None, None, None, byref(error))
            try:
                check(code, error)
            except Error as failed:
                failures.append(failed)
            put(None)

        if sys.is_finalizing():
            raise UsageError("no thread starts while the interpreter ends", "argument")
        thread = threading.Thread(target=work, name="photoedit", daemon=True)
        try:
            thread.start()
        except BaseException:
            stopped.set()
            cancellation.cancel()
            raise
        self._thread = thread

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> dict[str, Any]:
        while not self._rows:
            block = None if self._stopped.is_set() else self._blocks.get()
            if block is None:
                self._end()
            else:
                *whole, self._rest = (self._rest + block).split(b"\n")
                rows = (json_line(line) for line in whole if line)
                # The line of the failure that is raised at the end.
                self._rows.extend(row for row in rows if "error" not in row)
        return self._rows.popleft()

    def _end(self) -> None:
        """Ends the iteration, with the failure of the command unless it was closed."""
        if not self._stopped.is_set():
            self._stopped.set()
            self._thread.join()
            if self._failures:
                raise self._failures[0]
        raise StopIteration

    def close(self) -> None:
        """Ends the command and the iteration, also on another thread that waits for a line."""
        self._stopped.set()
        self._cancellation.cancel()
        with contextlib.suppress(queue.Full):
            self._blocks.put_nowait(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def __del__(self) -> None:
        if hasattr(self, "_thread"):
            self.close()


def _edit(
        command: str, inputs: Sequence[PathLike], words: list[str],
        cancellation: Cancellation | None) -> list[dict[str, Any]]:
    names = flattened(inputs)
    if inputs and not names:
        return []
    return run(command, "--json", *words, "--", *names, cancellation=cancellation).reports


def apply(
        *inputs: PathLike, filters: Filters = (),
        cancellation: Cancellation | None = None,
        **options: Unpack[ApplyOptions]) -> list[dict[str, Any]]:
    """Edits photos; the edit is saved next to each photo. One report for each of them."""
    words = filter_words(filters) + option_words(options)
    return _edit("apply", inputs, words, cancellation)


def adjust(
        input: PathLike, *, cancellation: Cancellation | None = None,
        **options: Unpack[AdjustOptions]) -> dict[str, Any]:
    """Changes the saved edit: `adjust("photo.jpg", set={"exposure.ev": 0.7})`."""
    return _edit("adjust", [input], option_words(options), cancellation)[0]


def revert(
        *inputs: PathLike, cancellation: Cancellation | None = None,
        **options: Unpack[RevertOptions]) -> list[dict[str, Any]]:
    """Reverts photos to their originals, which can be undone."""
    return _edit("revert", inputs, option_words(options), cancellation)


def undo(
        input: PathLike, *, cancellation: Cancellation | None = None,
        **options: Unpack[UndoOptions]) -> dict[str, Any]:
    """Returns to the state before the last change, or to the state `to`."""
    return _edit("undo", [input], option_words(options), cancellation)[0]


def redo(
        input: PathLike, *, cancellation: Cancellation | None = None,
        **options: Unpack[RedoOptions]) -> dict[str, Any]:
    """Repeats the change that was undone last."""
    return _edit("redo", [input], option_words(options), cancellation)[0]


def show(
        input: PathLike, *, cancellation: Cancellation | None = None,
        **options: Unpack[ShowOptions]) -> dict[str, Any]:
    """The versions of a photo, and its edit."""
    return _edit("show", [input], option_words(options), cancellation)[0]


def history(
        input: PathLike, *, cancellation: Cancellation | None = None,
        **options: Unpack[HistoryOptions]) -> dict[str, Any]:
    """The states of the edit of a photo."""
    return _edit("history", [input], option_words(options), cancellation)[0]
