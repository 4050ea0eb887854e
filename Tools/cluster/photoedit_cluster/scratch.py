# SPDX-License-Identifier: Apache-2.0
"""The scratch folder of a shard and the space in it."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator

from .failure import from_os_error

_PREFIX = ".photoedit-shard-"


@contextlib.contextmanager
def scratch_folder(parent: str | None) -> Iterator[str]:
    """A folder that is locked while it is used; unlocked ones of ended processes are removed."""
    parent = parent or tempfile.gettempdir()
    try:
        _remove_abandoned(parent)
        folder, lock = _locked_folder(parent)
    except OSError as error:
        raise from_os_error(error, parent) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(parent: str) -> tuple[str, int]:
    while True:
        folder = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
        # Another process may remove the folder before it is locked.
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.isdir(folder):
            return folder, lock
        os.close(lock)


def _remove_abandoned(parent: str) -> None:
    for entry in os.scandir(parent):
        if not entry.name.startswith(_PREFIX):
            continue
        # Another process may remove it at the same time.
        with contextlib.suppress(OSError):
            if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
                continue
            lock = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(entry.path, ignore_errors=True)
            finally:
                os.close(lock)


class Budget:
    """Bytes that photos in work may occupy; one photo always fits."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[int, int] = {}
        self._changed = threading.Condition()
        self._is_stopped = False

    def acquire(self, number: int, size: int) -> None:
        """Waits until a photo fits."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or not self._held or (
                sum(self._held.values()) + size <= self._limit))
            self._held[number] = size

    def release(self, number: int) -> None:
        """Gives back the space of a photo."""
        with self._changed:
            self._held.pop(number, None)
            self._changed.notify_all()

    def stop(self) -> None:
        """Lets all waiting callers continue."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
