# SPDX-License-Identifier: Apache-2.0
"""The failures, by the class that the exit code of the command line stands for."""

from __future__ import annotations


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
        if exit_code is not None:
            self.exit = exit_code

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class FailedInputsError(Error):
    """Some of several inputs failed; `reports` has one line for each input."""

    exit = 1

    def __init__(
            self, message: str, code: str = "", hint: str | None = None,
            exit_code: int | None = None) -> None:
        super().__init__(message, code, hint, exit_code)
        self.reports: list[dict[str, object]] = []


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


class CannotCreateError(Error):
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


_CLASSES: dict[int, type[Error]] = {
    kind.exit: kind for kind in (
        FailedInputsError, UsageError, BadDataError, InputMissingError, UnavailableError,
        InternalError, CannotCreateError, InputOutputError, BusyError, NoPermissionError,
        ConfigurationError, CancelledError)}


def failure(exit_code: int, code: str, message: str, hint: str | None) -> Error:
    """The exception of an exit code."""
    return _CLASSES.get(exit_code, Error)(message, code, hint, exit_code)
