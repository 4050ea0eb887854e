# SPDX-License-Identifier: Apache-2.0
"""Stores of files under names: folders and S3 buckets. Names are written once and whole."""

import contextlib
import os
import stat
import uuid
from collections.abc import Iterator
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from .failure import BAD_DATA, UNAVAILABLE, USAGE, Failure, from_os_error, repeated

BLOCK = 1 << 20
# The store of originals that are on this machine, by absolute paths.
LOCAL_FILES = "/"


class Store(Protocol):
    """Files under names, below one prefix. Every method raises Failure."""

    url: str

    def get(self, name: str, limit: int) -> bytes:
        """The bytes of a file; fails if there are more than the limit."""

    def blocks(self, name: str, limit: int) -> Iterator[bytes]:
        """The bytes of a file, in blocks; fails if there are more than the limit."""

    def put_once(self, name: str, data: bytes) -> bool:
        """Writes a file unless the name exists; returns whether this call wrote it."""

    def replace(self, name: str, data: bytes) -> None:
        """Writes a file, or replaces it atomically."""

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""

    def list(self, prefix: str) -> Iterator[str]:
        """The names that begin with a prefix, in order, without temporary files."""

    def delete(self, name: str) -> None:
        """Removes a file; a missing one is no failure."""

    def path(self, name: str) -> str | None:
        """The local path of a file, if the store is a folder."""


def check_size(name: str, size: int, limit: int) -> None:
    """Fails if a file has more bytes than the limit."""
    if size > limit:
        raise Failure(BAD_DATA, "size", f"{name}: has {size} bytes or more (maximum: {limit})")


def is_beneath(name: str) -> bool:
    """Whether a name can lead only to items beneath a folder, links aside."""
    return not any(part in ("", ".", "..") or "\0" in part for part in name.split("/"))


def _create_folder(name: str, parent: int) -> None:
    """Creates a folder; a new name must survive a crash before anything is written below it."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, dir_fd=parent)
        os.fsync(parent)


def _create_folders(path: str) -> None:
    """Creates a folder and those that are missing above it."""
    if os.path.isdir(path):
        return
    parent, name = os.path.split(path)
    _create_folders(parent)
    folder = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _create_folder(name, folder)
    finally:
        os.close(folder)


class FolderStore:
    """A folder; files are synced before they get their names with link(2).

    Names come from runs, which anyone can write: they are resolved beneath the folder, and no part
    of them may be a symbolic link. The folder itself may be one.
    """

    def __init__(self, path: str) -> None:
        self.url = self._root = os.path.abspath(path)

    def path(self, name: str) -> str:
        if name:
            try:
                with self._parent(name) as (folder, last):
                    self._check_link(name, last, folder)
            except OSError as error:
                raise from_os_error(error, name) from error
        return os.path.join(self._root, name)

    # --- Resolution ------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _folder(self, name: str, creates: bool = False) -> Iterator[int]:
        """A descriptor of a folder beneath the root, or of the root; raises OSError."""
        if name and not is_beneath(name):
            raise self._outside(name, f"leads out of {self._root}")
        if creates:
            _create_folders(self._root)
        folder = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in name.split("/") if name else []:
                if creates:
                    _create_folder(part, folder)
                self._check_link(name, part, folder)
                # A link that replaces the folder meanwhile is refused as well.
                below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = below
            yield folder
        finally:
            os.close(folder)

    @contextlib.contextmanager
    def _parent(self, name: str, creates: bool = False) -> Iterator[tuple[int, str]]:
        """A descriptor of the folder of a file, and the last part of the name; raises OSError."""
        if not is_beneath(name):
            raise self._outside(name, f"leads out of {self._root}")
        parent, _, last = name.rpartition("/")
        with self._folder(parent, creates) as folder:
            yield folder, last

    def _check_link(self, name: str, part: str, folder: int) -> None:
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
                raise self._outside(
                    name, "is a symbolic link or is reached through one, which is not followed")

    def _outside(self, name: str, reason: str) -> Failure:
        return Failure(BAD_DATA, "outside", f"{self._root}: {name}: {reason}")

    def _open(self, name: str) -> int:
        with self._parent(name) as (folder, last):
            self._check_link(name, last, folder)
            return os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)

    # --- Files -----------------------------------------------------------------------------------

    def get(self, name: str, limit: int) -> bytes:
        return b"".join(self.blocks(name, limit))

    def blocks(self, name: str, limit: int) -> Iterator[bytes]:
        try:
            with open(self._open(name), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise Failure(BAD_DATA, "notRegular", f"{name}: not a file")
                check_size(name, status.st_size, limit)
                size = 0
                while block := file.read(BLOCK):
                    size += len(block)
                    check_size(name, size, limit)
                    yield block
        except OSError as error:
            raise from_os_error(error, name) from error

    def put_once(self, name: str, data: bytes) -> bool:
        return self._write(name, data, replaces=False)

    def replace(self, name: str, data: bytes) -> None:
        self._write(name, data, replaces=True)

    def _write(self, name: str, data: bytes, replaces: bool) -> bool:
        temporary = f".photoedit-{uuid.uuid4().hex}"
        try:
            if not replaces and self.exists(name):
                return False
            with self._parent(name, creates=True) as (folder, last):
                try:
                    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
                    with open(os.open(temporary, flags, 0o666, dir_fd=folder), "wb") as file:
                        file.write(data)
                        file.flush()
                        os.fsync(file.fileno())
                    if replaces:
                        os.replace(temporary, last, src_dir_fd=folder, dst_dir_fd=folder)
                        is_new = True
                    else:
                        is_new = self._link(temporary, last, folder)
                finally:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(temporary, dir_fd=folder)
                os.fsync(folder)
            return is_new
        except OSError as error:
            raise from_os_error(error, name) from error

    @staticmethod
    def _link(temporary: str, last: str, folder: int) -> bool:
        try:
            os.link(temporary, last, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            return True
        except FileExistsError:
            # A network file system may repeat a request that succeeded.
            return os.stat(temporary, dir_fd=folder, follow_symlinks=False).st_nlink == 2

    def exists(self, name: str) -> bool:
        try:
            with self._parent(name) as (folder, last):
                os.stat(last, dir_fd=folder, follow_symlinks=False)
            return True
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise from_os_error(error, name) from error

    def list(self, prefix: str) -> Iterator[str]:
        parent = prefix.rpartition("/")[0]
        try:
            with self._folder(parent) as folder, os.scandir(folder) as found:
                entries = sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False)) for entry in found)
        except FileNotFoundError:
            return
        except OSError as error:
            raise from_os_error(error, parent) from error
        for last, is_folder in entries:
            name = f"{parent}/{last}" if parent else last
            if last.startswith(".photoedit-") or not name.startswith(prefix):
                continue
            if is_folder:
                yield from self.list(name + "/")
            else:
                yield name

    def delete(self, name: str) -> None:
        try:
            with self._parent(name) as (folder, last):
                os.unlink(last, dir_fd=folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise from_os_error(error, name) from error


class OriginalFiles(FolderStore):
    """The files of this machine, where the user's own manifest and folders may lead through links.

    Originals are only read.
    """

    def path(self, name: str) -> str:
        return os.path.join(self._root, name)

    def _open(self, name: str) -> int:
        return os.open(self.path(name), os.O_RDONLY)


def open_store(url: str) -> Store:
    """The store at `s3://BUCKET/PREFIX`, `file:///PATH` or a path."""
    parts = _split(url)
    if parts.scheme == "s3":
        try:
            from .s3 import S3Store
        except ImportError as error:
            raise Failure(
                UNAVAILABLE, "noS3", "boto3 is missing; install photoedit-cluster[s3]"
            ) from error
        return S3Store(parts.netloc, parts.path.strip("/"))
    if url == LOCAL_FILES:
        return OriginalFiles(url)
    return FolderStore(local_path(url))


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError as error:
        raise Failure(USAGE, "scheme", f"{url}: not a URL or path: {error}") from error


def local_path(url: str) -> str:
    """The path of a file URL or a path."""
    parts = _split(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return url.removeprefix("file://").removeprefix("localhost")
    if "://" in url:
        raise Failure(USAGE, "scheme", f"{url}: unknown scheme (allowed: s3, file, or a path)")
    return url


def split_source(source: str, root: str) -> tuple[str, str]:
    """The store and the name of an original."""
    if "://" not in source and not source.startswith("/"):
        if not is_beneath(source):
            raise Failure(BAD_DATA, "outside", f"{source}: leads out of the root {root}")
        source = f"{root.rstrip('/')}/{source}" if root else source
    if source.startswith("s3://"):
        bucket, _, key = source.removeprefix("s3://").partition("/")
        return f"s3://{bucket}", key
    path = os.path.abspath(local_path(source))
    return LOCAL_FILES, path.lstrip("/")


def check_conditional_writes(store: Store) -> None:
    """Writes one name twice; fails with 69 if the store does not refuse the second write."""
    name = f"trials/{uuid.uuid4().hex}"
    try:
        first = repeated(lambda: store.put_once(name, b"1"))
        second = repeated(lambda: store.put_once(name, b"2"))
        kept = repeated(lambda: store.get(name, 1))
    finally:
        repeated(lambda: store.delete(name))
    if not first or second or kept != b"1":
        raise Failure(
            UNAVAILABLE, "noConditionalWrites",
            f"{store.url}: the store replaces existing names although asked not to; use a store "
            "with conditional writes (If-None-Match)")

