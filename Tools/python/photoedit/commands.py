# SPDX-License-Identifier: Apache-2.0
"""The commands of `photoedit`, in this process."""

from __future__ import annotations

import ctypes
import os
import queue
import threading
from collections.abc import Iterable, Iterator
from ctypes import byref
from dataclasses import dataclass
from typing import Any

from ._native import OUTPUT, CBytes, CError, library
from .errors import Error, FailedInputsError
from .native import (
    Cancellation, Filter, Option, PathLike, buffer, check, filter_words, handle_of, json_line,
    option_words, strings, take)

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
    code = library.photoedit_run(
        strings(os.fspath(word) for word in arguments), address, size, handle_of(cancellation),
        _NO_OUTPUT, None, byref(output), byref(messages), byref(error))
    outcome = Outcome(take(output), take(messages).decode("utf-8", "replace"))
    try:
        check(code, error)
    except FailedInputsError as failed:
        if "--json" in arguments:
            failed.reports = outcome.reports
        raise
    return outcome


def stream(*arguments: str, limit: int = 256) -> Iterator[dict[str, Any]]:
    """The lines of a command with `--json` while it runs, with at most `limit` of them in memory.

    Ending the iteration ends the command.
    """
    lines: queue.Queue[bytes | None] = queue.Queue(limit)
    stopped = threading.Event()
    failures: list[Error] = []
    cancellation = Cancellation()

    def receive(_context: Any, data: Any, size: int) -> int:
        block = ctypes.string_at(data, size)
        while not stopped.is_set():
            try:
                lines.put(block, timeout=0.1)
                return 0
            except queue.Full:
                continue
        return 1

    receiver = OUTPUT(receive)

    def work() -> None:
        error = CError()
        code = library.photoedit_run(
            strings(arguments), None, 0, cancellation.handle, receiver, None, None, None,
            byref(error))
        try:
            check(code, error)
        except Error as failed:
            failures.append(failed)
        while not stopped.is_set():
            try:
                lines.put(None, timeout=0.1)
                return
            except queue.Full:
                continue

    thread = threading.Thread(target=work, name="photoedit", daemon=True)
    thread.start()
    try:
        rest = b""
        while (block := lines.get()) is not None:
            *whole, rest = (rest + block).split(b"\n")
            rows = (json_line(line) for line in whole if line)
            # The line of the failure that is raised at the end.
            yield from (row for row in rows if "error" not in row)
        thread.join()
        if failures:
            raise failures[0]
    finally:
        stopped.set()
        cancellation.cancel()
        thread.join()


def _edit(
        command: str, inputs: Iterable[PathLike], words: list[str],
        cancellation: Cancellation | None) -> list[dict[str, Any]]:
    names = [os.fspath(name) for name in inputs]
    return run(command, "--json", *words, "--", *names, cancellation=cancellation).reports


def apply(
        *inputs: PathLike, filters: Iterable[Filter] = (),
        cancellation: Cancellation | None = None, **options: Option) -> list[dict[str, Any]]:
    """Edits photos; the edit is saved next to each photo. One report for each of them."""
    words = filter_words(filters) + option_words(options)
    return _edit("apply", inputs, words, cancellation)


def adjust(
        input: PathLike, *, cancellation: Cancellation | None = None,
        **options: Option) -> dict[str, Any]:
    """Changes the saved edit: `adjust("photo.jpg", set=["exposure.ev=0.7"])`."""
    return _edit("adjust", [input], option_words(options), cancellation)[0]


def revert(*inputs: PathLike, **options: Option) -> list[dict[str, Any]]:
    """Reverts photos to their originals, which can be undone."""
    return _edit("revert", inputs, option_words(options), None)


def undo(input: PathLike, **options: Option) -> dict[str, Any]:
    """Returns to the state before the last change, or to the state `to`."""
    return _edit("undo", [input], option_words(options), None)[0]


def redo(input: PathLike, **options: Option) -> dict[str, Any]:
    """Repeats the change that was undone last."""
    return _edit("redo", [input], option_words(options), None)[0]


def show(input: PathLike, **options: Option) -> dict[str, Any]:
    """The versions of a photo, and its edit."""
    return _edit("show", [input], option_words(options), None)[0]


def history(input: PathLike, **options: Option) -> dict[str, Any]:
    """The states of the edit of a photo."""
    return _edit("history", [input], option_words(options), None)[0]
