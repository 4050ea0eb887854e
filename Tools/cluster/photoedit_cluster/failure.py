# SPDX-License-Identifier: Apache-2.0
"""Failures with exit codes, and repetition of those that pass."""

import errno
import random
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

USAGE, BAD_DATA, MISSING, UNAVAILABLE, INTERNAL = 64, 65, 66, 69, 70
CANNOT_CREATE, INPUT_OUTPUT, BUSY, NO_PERMISSION, CONFIGURATION = 73, 74, 75, 77, 78

# A line with one of these codes is reported and not repeated.
FINAL = {USAGE, BAD_DATA, MISSING, CANNOT_CREATE, NO_PERMISSION, CONFIGURATION}
# A line with one of these codes is processed on another node.
ELSEWHERE = {INPUT_OUTPUT, UNAVAILABLE}

_ERRORS = {
    errno.ENOENT: (MISSING, "missing"),
    errno.ENOTDIR: (MISSING, "missing"),
    errno.EACCES: (NO_PERMISSION, "noPermission"),
    errno.EPERM: (NO_PERMISSION, "noPermission"),
    errno.EROFS: (NO_PERMISSION, "readOnly"),
    errno.EISDIR: (BAD_DATA, "folder"),
    errno.EAGAIN: (BUSY, "busy"),
    errno.ESTALE: (BUSY, "stale"),
    errno.ETIMEDOUT: (BUSY, "timeout"),
    errno.ENOSPC: (INPUT_OUTPUT, "diskFull"),
    errno.EDQUOT: (INPUT_OUTPUT, "diskFull"),
}


class Failure(Exception):
    """A failure with an exit code of photoedit, a short code, and a message."""

    def __init__(self, exit_code: int, code: str, message: str) -> None:
        super().__init__(exit_code, code, message)
        self.exit, self.code, self.message = exit_code, code, message

    def __str__(self) -> str:
        return self.message


def from_os_error(error: OSError, name: str) -> Failure:
    """The failure for an error of the operating system at a file."""
    exit_code, code = _ERRORS.get(error.errno or 0, (INPUT_OUTPUT, "inputOutput"))
    return Failure(exit_code, code, f"{name}: {(error.strerror or str(error)).lower()}")


def repeated(action: Callable[[], Result], tries: int = 5, longest: float = 20) -> Result:
    """Calls an action until it does not fail with 75, waiting with full jitter in between."""
    for attempt in range(tries - 1):
        try:
            return action()
        except Failure as failure:
            if failure.exit != BUSY:
                raise
        time.sleep(random.uniform(0, min(longest, 0.2 * 2 ** (attempt + 1))))
    return action()
