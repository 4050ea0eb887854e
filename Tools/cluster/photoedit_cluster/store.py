# SPDX-License-Identifier: Apache-2.0
"""Stores of files under names: folders and S3 buckets. Names are written once and whole."""

import os
import uuid
from collections.abc import Iterator
from typing import Protocol
from urllib.parse import urlsplit

from .failure import UNAVAILABLE, USAGE, Failure, from_os_error, repeated

BLOCK = 1 << 20


class Store(Protocol):
    """Files under names, below one prefix. Every method raises Failure."""

    url: str

    def get(self, name: str) -> bytes:
        """The bytes of a file."""

    def blocks(self, name: str) -> Iterator[bytes]:
        """The bytes of a file, in blocks."""

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


class FolderStore:
    """A folder; files are synced before they get their names with link(2)."""

    def __init__(self, path: str) -> None:
        self.url = self._root = os.path.abspath(path)

    def path(self, name: str) -> str:
        return os.path.join(self._root, name)

    def get(self, name: str) -> bytes:
        return b"".join(self.blocks(name))

    def blocks(self, name: str) -> Iterator[bytes]:
        try:
            with open(self.path(name), "rb") as file:
                while block := file.read(BLOCK):
                    yield block
        except OSError as error:
            raise from_os_error(error, name) from error

    def put_once(self, name: str, data: bytes) -> bool:
        return self._write(name, data, replaces=False)

    def replace(self, name: str, data: bytes) -> None:
        self._write(name, data, replaces=True)

    def _write(self, name: str, data: bytes, replaces: bool) -> bool:
        path = self.path(name)
        folder = os.path.dirname(path)
        temporary = os.path.join(folder, f".photoedit-{uuid.uuid4().hex}")
        try:
            if not replaces and os.path.lexists(path):
                return False
            os.makedirs(folder, exist_ok=True)
            try:
                with open(temporary, "xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                if replaces:
                    os.replace(temporary, path)
                    is_new = True
                else:
                    is_new = self._link(temporary, path)
            finally:
                if os.path.lexists(temporary):
                    os.unlink(temporary)
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            return is_new
        except OSError as error:
            raise from_os_error(error, name) from error

    @staticmethod
    def _link(temporary: str, path: str) -> bool:
        try:
            os.link(temporary, path)
            return True
        except FileExistsError:
            # A network file system may repeat a request that succeeded.
            return os.stat(temporary).st_nlink == 2

    def exists(self, name: str) -> bool:
        try:
            os.lstat(self.path(name))
            return True
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise from_os_error(error, name) from error

    def list(self, prefix: str) -> Iterator[str]:
        folder = prefix.rpartition("/")[0]
        try:
            entries = sorted(os.scandir(self.path(folder)), key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise from_os_error(error, folder) from error
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith(".photoedit-") or not name.startswith(prefix):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from self.list(name + "/")
            else:
                yield name

    def delete(self, name: str) -> None:
        try:
            os.unlink(self.path(name))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise from_os_error(error, name) from error


def open_store(url: str) -> Store:
    """The store at `s3://BUCKET/PREFIX`, `file:///PATH` or a path."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        try:
            from .s3 import S3Store
        except ImportError as error:
            raise Failure(
                UNAVAILABLE, "noS3", "boto3 is missing; install photoedit-cluster[s3]"
            ) from error
        return S3Store(parts.netloc, parts.path.strip("/"))
    return FolderStore(local_path(url))


def local_path(url: str) -> str:
    """The path of a file URL or a path."""
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return url.removeprefix("file://").removeprefix("localhost")
    if "://" in url:
        raise Failure(USAGE, "scheme", f"{url}: unknown scheme (allowed: s3, file, or a path)")
    return url


def split_source(source: str, root: str) -> tuple[str, str]:
    """The store and the name of an original."""
    if "://" not in source and not source.startswith("/"):
        source = f"{root.rstrip('/')}/{source}" if root else source
    if source.startswith("s3://"):
        bucket, _, key = source.removeprefix("s3://").partition("/")
        return f"s3://{bucket}", key
    path = os.path.abspath(local_path(source))
    return "/", path.lstrip("/")


def check_conditional_writes(store: Store) -> None:
    """Writes one name twice; fails with 69 if the store does not refuse the second write."""
    name = f"trials/{uuid.uuid4().hex}"
    try:
        first = repeated(lambda: store.put_once(name, b"1"))
        second = repeated(lambda: store.put_once(name, b"2"))
        kept = repeated(lambda: store.get(name))
    finally:
        repeated(lambda: store.delete(name))
    if not first or second or kept != b"1":
        raise Failure(
            UNAVAILABLE, "noConditionalWrites",
            f"{store.url}: the store replaces existing names although asked not to; use a store "
            "with conditional writes (If-None-Match)")

