# SPDX-License-Identifier: Apache-2.0
"""The folder of a run: its description, looks, shards and results."""

import hashlib
import json
import os
import re
import sys
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .document import (
    DOCUMENT, LINES, LOOK, MOST_LINES, Line, check, checked, digest, parsed, path, split_lines,
    text, whole)
from .failure import BAD_DATA, BUSY, CONFIGURATION, FINAL, USAGE, Failure, repeated
from .store import open_store

_ORDER = {"written": 0, "present": 0, "failed": 1, "poison": 2}


def canonical(value: object) -> str:
    """JSON with sorted keys and without spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Part:
    """Lines of a shard, from `start` up to and without `stop`."""

    shard: str
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def halves(self, first: int = 0) -> tuple["Part", "Part"]:
        """Two parts; the first one has the given number of lines, or half of them."""
        middle = self.start + (first or (len(self) + 1) // 2)
        return Part(self.shard, self.start, middle), Part(self.shard, middle, self.stop)


class Run:
    """A run in a store. Its files are written once; only `collect` replaces the report."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.store = open_store(url)
        where = f"{url}/run.json"
        self.data = parsed(where, self._get("run.json", DOCUMENT))
        if self.data.get("format") != 1:
            raise Failure(
                CONFIGURATION, "format",
                f"{url}: the run has format {self.data.get('format')} (allowed: 1)")
        checked(
            where, self.data,
            {"engine": whole, "output": path, "shards": whole, "looks": _is_looks},
            {"root": path, "options": _is_options, "workerArguments": _is_texts,
             "manifest": _is_counts})
        self.engine: int = self.data["engine"]
        self.output = open_store(self.data["output"])
        self.root: str = self.data.get("root") or ""
        options = self.data.get("options") or {}
        self.options = options if isinstance(options, str) else canonical(options)
        self.looks: list[str] = self.data["looks"]
        for look in self.looks:
            check(f"{where}: looks", look, digest)
        # The number of different lines of the manifest, or 0 if it is not known.
        self.line_count: int = (self.data.get("manifest") or {}).get("unique", 0)

    def key(self, original: str, look: str) -> str:
        """The digest of all that determines a rendering."""
        text = f"photoedit-result 1\n{original}\n{look}\n{self.engine}\n{self.options}\n"
        return hashlib.sha256(text.encode()).hexdigest()

    def look(self, line: Line) -> str:
        """The digest of the look of a line."""
        if look := line.get("edit"):
            if look not in self.looks:
                raise Failure(USAGE, "look", f"look {look} is not one of the run's")
            return str(look)
        return self.looks[0]

    def worker_arguments(self) -> list[str]:
        """The options of `photoedit worker` that change bytes."""
        if (given := self.data.get("workerArguments")) is not None:
            return list(given)
        arguments: list[str] = []
        options = parsed(f"{self.url}/run.json: options", self.options.encode())
        for name, value in sorted(options.items()):
            if value is True:
                arguments.append(f"--{name}")
            elif value is not False and value is not None:
                arguments += [f"--{name}", str(value)]
        return arguments

    def copy_looks(self, folder: str) -> str:
        """A local folder with the looks of the run."""
        if path := self.store.path("looks"):
            return path
        os.makedirs(os.path.join(folder, "looks"), exist_ok=True)
        for name in repeated(lambda: list(self.store.list("looks/"))):
            data = self._get(name, LOOK)
            with open(os.path.join(folder, "looks", os.path.basename(name)), "wb") as file:
                file.write(data)
        return os.path.join(folder, "looks")

    def _get(self, name: str, limit: int) -> bytes:
        return repeated(lambda: self.store.get(name, limit))

    def levels(self) -> dict[int, int]:
        """The number of shards of each level; the highest one is the current level.

        A run may state any number: what is done for each shard must begin with a file of it.
        """
        counts: dict[int, int] = {0: self.data["shards"]}
        for name in repeated(lambda: list(self.store.list("levels/"))):
            if name.endswith(".json"):
                level = checked(
                    name, parsed(name, self._get(name, DOCUMENT)),
                    {"level": whole, "shards": whole}, {})
                counts[level["level"]] = level["shards"]
        return counts

    def current(self) -> tuple[int, int]:
        """The current level, and the number of its shards."""
        return max(self.levels().items())

    def lines(self, shard: str) -> list[Line]:
        """The lines of the manifest in a shard."""
        name = f"shards/{shard}.jsonl"

        def read() -> list[Line]:
            lines: list[Line] = []
            for where, line, _ in split_lines(name, self.store.blocks(name, LINES)):
                if len(lines) == MOST_LINES:
                    raise Failure(
                        BAD_DATA, "lines", f"{name}: has more than {MOST_LINES} lines")
                lines.append(checked(
                    where, parsed(where, line), {"id": text, "src": path},
                    {"out": path, "edit": digest, "sha256": digest, "bytes": whole}))
            return lines

        return repeated(read)

    def all_results(self) -> Iterator[tuple[str, dict[str, Line]]]:
        """The shards that have results, each with those so far."""
        names: dict[tuple[int, int], list[str]] = defaultdict(list)
        levels = self.levels()
        for name in repeated(lambda: list(self.store.list("results/"))):
            shard = re.match(r"results/(\d{1,16})-(\d{1,16})\.", name)
            if shard and int(shard[2]) < levels.get(int(shard[1]), 0):
                names[int(shard[1]), int(shard[2])].append(name)
        for (level, number), files in sorted(names.items()):
            yield f"{level}-{number}", self._best(files)

    def results(self, shard: str) -> dict[str, Line]:
        """The best result of each line of a shard so far."""
        return self._best(repeated(lambda: list(self.store.list(f"results/{shard}."))))

    def _best(self, names: list[str]) -> dict[str, Line]:
        best: dict[str, Line] = {}
        for name in names:
            for line in repeated(lambda: list(self._result_lines(name))):
                if is_open(line):
                    continue
                old = best.get(line["id"])
                if old is None or _ORDER[line["status"]] < _ORDER[old["status"]]:
                    best[line["id"]] = line
        return best

    def _result_lines(self, name: str) -> Iterator[Line]:
        return result_lines(name, self.store.blocks(name, LINES))

    def put_results(self, shard: str, attempt: int, lines: Iterable[Line]) -> None:
        """Writes results under a name that no other process uses."""
        text = "".join(canonical(line) + "\n" for line in lines)
        name = f"results/{shard}.{attempt}-{uuid.uuid4().hex[:12]}.jsonl"
        if text and not repeated(lambda: self.store.put_once(name, text.encode())):
            raise Failure(BUSY, "results", f"{self.url}/{name}: exists")


def is_open(result: Line) -> bool:
    """Whether a result is a failure that another attempt may not have."""
    return result["status"] == "failed" and result.get("exit") not in FINAL


def result_lines(name: str, blocks: Iterator[bytes]) -> Iterator[Line]:
    """The results in a file, without one that was torn when its writer was killed."""
    for where, data, is_whole in split_lines(name, blocks):
        try:
            line = parsed(where, data)
        except Failure:
            if is_whole:
                raise
            print(f"photoedit-cluster: {name}: the last line is incomplete and is left out",
                  file=sys.stderr)
            return
        # The first line describes the node.
        if "results" not in line:
            digests = {"key": digest, "rendering": digest}
            is_done = line.get("status") in ("written", "present")
            yield checked(
                where, line, {"id": text, "status": _is_status} | (digests if is_done else {}),
                {"exit": whole, "bytes": whole, "original": digest})


def _is_status(value: object) -> bool:
    """written, present, failed or poison"""
    return isinstance(value, str) and value in _ORDER


def _is_looks(value: object) -> bool:
    """a list of digests, at least one"""
    return isinstance(value, list) and bool(value)


def _is_texts(value: object) -> bool:
    """a list of texts"""
    return isinstance(value, list) and all(path(item) for item in value)


def _is_options(value: object) -> bool:
    """an object"""
    return isinstance(value, dict) or text(value)


def _is_counts(value: object) -> bool:
    """an object with counts"""
    return isinstance(value, dict) and whole(value.get("unique", 0))
