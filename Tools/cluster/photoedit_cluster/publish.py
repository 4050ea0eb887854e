# SPDX-License-Identifier: Apache-2.0
"""Originals in, results out: reading, lookup of records, and publishing once."""

import hashlib
import os
import time
from dataclasses import dataclass
from typing import Any

from .document import DOCUMENT, PHOTO, Line, check, checked, digest, parsed, whole
from .failure import (
    BAD_DATA, CANNOT_CREATE, CONFIGURATION, INPUT_OUTPUT, MISSING, Failure, from_os_error,
    repeated)
from .run import Run, canonical
from .store import Store, open_store, split_source

RECORD_FIELDS = (
    "key", "original", "look", "engine", "rendering", "bytes", "width", "height", "path",
    "losses", "components")


@dataclass
class Photo:
    """A line in work: its original, its key, and what was measured."""

    number: int
    line: Line
    input: str = ""
    output: str = ""
    original: str = ""
    look: str = ""
    key: str = ""
    attempts: int = 0
    read_ms: int = 0
    bytes_in: int = 0


def blob_name(rendering: str) -> str:
    """The name of a rendering with this digest."""
    check("digest", rendering, digest)
    return f"blobs/{rendering[:2]}/{rendering}.jpg"


def record_name(key: str) -> str:
    """The name of the record of a result."""
    check("digest", key, digest)
    return f"records/{key[:2]}/{key}.json"


def read_record(output: Store, key: str) -> Line:
    """The record of a result."""
    name = record_name(key)
    record = parsed(name, repeated(lambda: output.get(name, DOCUMENT)))
    return checked(name, record, {"rendering": digest, "bytes": whole}, {})


def has_bytes(store: Store, name: str, expected: str, size: int) -> bool:
    """Whether a file has a digest, and no more bytes than the size."""
    def read() -> bool:
        sha256 = hashlib.sha256()
        try:
            for block in store.blocks(name, size):
                sha256.update(block)
        except Failure as failure:
            if failure.code == "size":
                return False
            raise
        return sha256.hexdigest() == expected

    return repeated(read)


class Publisher:
    """Reads originals and publishes results for one run."""

    def __init__(self, run: Run, replaces_names: bool = False) -> None:
        self.run, self._replaces = run, replaces_names
        self._sources: dict[str, Store] = {}

    def prepare(self, photo: Photo, folder: str) -> Line | None:
        """Finds the result of a photo, or reads its original; returns the result if it exists."""
        photo.look = self.run.look(photo.line)
        hint = photo.line.get("sha256")
        if hint:
            photo.original = str(hint)
            photo.key = self.run.key(photo.original, photo.look)
            if record := self.record(photo.key):
                return self._present(photo, record)
        started = time.monotonic()
        original = self._read(photo, folder)
        photo.read_ms = round(1000 * (time.monotonic() - started))
        if hint and original != hint:
            raise Failure(
                BAD_DATA, "changed",
                f"{photo.line['src']}: has digest {original[:12]}…, the manifest states "
                f"{hint[:12]}…")
        if hint:
            return None
        photo.original, photo.key = original, self.run.key(original, photo.look)
        record = self.record(photo.key)
        return self._present(photo, record) if record else None

    def _read(self, photo: Photo, folder: str) -> str:
        url, name = split_source(str(photo.line["src"]), self.run.root)
        if url not in self._sources:
            self._sources[url] = open_store(url)
        source = self._sources[url]
        path = source.path(name)
        photo.input = path or os.path.join(folder, f"{photo.number}.in")

        def read() -> str:
            sha256, photo.bytes_in = hashlib.sha256(), 0
            try:
                with open(os.devnull if path else photo.input, "wb") as file:
                    for block in source.blocks(name, PHOTO):
                        sha256.update(block)
                        photo.bytes_in += len(block)
                        file.write(block)
            except OSError as error:
                raise from_os_error(error, photo.input) from error
            return sha256.hexdigest()

        return repeated(read)

    def record(self, key: str) -> Line | None:
        """The record of a result."""
        try:
            return read_record(self.run.output, key)
        except Failure as failure:
            if failure.exit == MISSING:
                return None
            raise

    def _present(self, photo: Photo, record: Line) -> Line:
        name = photo.line.get("out")
        if name and not repeated(lambda: self.run.output.exists(name)):
            blob = repeated(
                lambda: self.run.output.get(blob_name(record["rendering"]), record["bytes"]))
            self._put_name(name, blob)
        return self._result(photo, "present", record)

    def publish(self, photo: Photo, answer: Line, components: Any) -> Line:
        """Publishes blob, name and record, in this order; the record commits the result."""
        if answer["key"] != photo.key or answer["original"] != photo.original:
            raise Failure(
                BAD_DATA if answer["original"] != photo.original else CONFIGURATION, "changed",
                f"{photo.line['src']}: changed while it was processed")
        started = time.monotonic()
        try:
            with open(photo.output, "rb") as file:
                data = file.read()
        except OSError as error:
            raise from_os_error(error, photo.output) from error
        if hashlib.sha256(data).hexdigest() != answer["rendering"]:
            raise Failure(INPUT_OUTPUT, "scratch", f"{photo.output}: changed after it was written")
        record = {
            **{name: answer.get(name) for name in RECORD_FIELDS},
            "look": photo.look, "engine": self.run.engine, "components": components}
        output = self.run.output
        repeated(lambda: output.put_once(blob_name(answer["rendering"]), data))
        if name := photo.line.get("out"):
            try:
                self._put_name(str(name), data)
            except Failure:
                # Another process with other components may have committed other bytes.
                if other := self.record(photo.key):
                    return self._present(photo, other)
                raise
        text = canonical(record).encode()
        is_new = repeated(lambda: output.put_once(record_name(photo.key), text))
        if not is_new:
            record = self.record(photo.key) or record
        result = self._result(photo, "written" if is_new else "present", record)
        result["cpuMs"] = answer.get("cpuMs", 0)
        result["writeMs"] = round(1000 * (time.monotonic() - started))
        return result

    def _put_name(self, name: str, data: bytes) -> None:
        output = self.run.output
        if repeated(lambda: output.put_once(name, data)):
            return
        if has_bytes(output, name, hashlib.sha256(data).hexdigest(), len(data)):
            return
        if not self._replaces:
            raise Failure(
                CANNOT_CREATE, "nameExists",
                f"{name}: exists with other bytes; use --replace-names, or another name")
        repeated(lambda: output.replace(name, data))

    @staticmethod
    def _result(photo: Photo, status: str, record: Line) -> Line:
        return {
            "id": photo.line["id"], "status": status, "key": photo.key,
            "original": photo.original, "rendering": record["rendering"],
            "bytes": record["bytes"], "readMs": photo.read_ms}
