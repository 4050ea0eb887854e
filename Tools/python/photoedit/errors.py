# SPDX-License-Identifier: Apache-2.0
"""The failures, by the class that the exit code of the command line stands for."""

from __future__ import annotations

import errno
import os
import signal
from typing import Any

#: The `errno` of the exit codes whose class is also an `OSError`.
_ERRNO = {66: errno.ENOENT, 74: errno.EIO, 77: errno.EACCES}


class Error(Exception):
    """A failure, with the exit code, the stable name, and the advice of the command line."""

    exit = 70

    def __init__(
            self, message: str, code: str = "", hint: str | None = None,
            exit_code: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        #: The lines that a command has written with `--json`.
        self.reports: list[dict[str, Any]] = []
        if exit_code is not None:
            self.exit = exit_code
        number = _ERRNO.get(self.exit)
        if number is not None:
            setattr(self, "errno", number)
            setattr(self, "strerror", os.strerror(number))

    def add(self, reports: list[dict[str, Any]]) -> None:
        """Adds the reports, and what the first of the failures was."""
        self.reports = reports
        inputs = [row for row in reports if "input" in row]
        failures = [row for row in inputs if "error" in row or row.get("code")]
        if failures:
            first = failures[0]
            words = first.get("error", {}).get("message") or f"{first['input']}: {first['reason']}"
            if len(inputs) > 1:
                words = f"{len(failures)} of {len(inputs)} inputs failed; the first: {words}"
            self.message = words
            self.args = (words,)

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class FailedInputsError(Error):
    """Some of several inputs failed; `reports` has one line for each input."""

    exit = 1


class UsageError(Error, ValueError):
    """Wrong arguments, or an object that is closed."""

    exit = 64


class BadDataError(Error):
    """Damaged, refused or unsupported data, or a loss that is not allowed."""

    exit = 65


class InputMissingError(Error, FileNotFoundError):
    """An input does not exist."""

    exit = 66


class UnavailableError(Error):
    """A required component is missing."""

    exit = 69


class InternalError(Error):
    """An internal error, or a call in a child that fork() created."""

    exit = 70


class CannotCreateError(Error, OSError):
    """The output cannot be created, or exists."""

    exit = 73


class InputOutputError(Error, OSError):
    """Reading or writing failed, or the disk is full."""

    exit = 74


class BusyError(Error):
    """Busy, or changed by another process; a retry may help."""

    exit = 75


class NoPermissionError(Error, PermissionError):
    """Permission was denied."""

    exit = 77


class ConfigurationError(Error):
    """The configuration is invalid."""

    exit = 78


class CancelledError(Error):
    """A `Cancellation` ended the call."""

    exit = 130


class WorkerEnded(Error):
    """The process of a `Worker` has ended: by a limit, by a crash, or because it took too long."""

    def __init__(self, returncode: int) -> None:
        if returncode >= 0:
            words = f"ended with {returncode}; its reason is on standard error"
        elif -returncode in (signal.SIGXCPU, signal.SIGKILL):
            words = "took too long, or exceeded a limit"
        else:
            words = f"was ended by signal {-returncode}"
        super().__init__(f"the worker {words}", "workerEnded")
        self.returncode = returncode

    def __reduce__(self) -> tuple[type[WorkerEnded], tuple[int]]:
        return WorkerEnded, (self.returncode,)


_CLASSES: dict[int, type[Error]] = {
    kind.exit: kind for kind in (
        FailedInputsError, UsageError, BadDataError, InputMissingError, UnavailableError,
        InternalError, CannotCreateError, InputOutputError, BusyError, NoPermissionError,
        ConfigurationError, CancelledError)}


def failure(exit_code: int, code: str, message: str, hint: str | None) -> Error:
    """The exception of an exit code."""
    if exit_code == CancelledError.exit:
        message = "the call was canceled"
    if code == "forked":
        hint = (
            "start processes before the first call, or with multiprocessing.get_context('spawn')")
    return _CLASSES.get(exit_code, Error)(message, code, hint, exit_code)
