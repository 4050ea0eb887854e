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
from typing import Any

from .failure import BAD_DATA, BUSY, CONFIGURATION, FINAL, USAGE, Failure, repeated
from .store import open_store

Line = dict[str, Any]
_ORDER = {"written": 0, "present": 0, "failed": 1, "poison": 2}


def canonical(value: object) -> str:
    """JSON with sorted keys and without spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def check_digest(text: object) -> str:
    """A digest, from which names of files are made; fails for any other value."""
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        raise Failure(
            BAD_DATA, "digest", f"'{text}': expected 64 lowercase hexadecimal digits")
    return text


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
        self.data: Line = json.loads(repeated(lambda: self.store.get("run.json")))
        if self.data.get("format") != 1:
            raise Failure(
                CONFIGURATION, "format",
                f"{url}: the run has format {self.data.get('format')} (allowed: 1)")
        self.engine = int(self.data["engine"])
        self.output = open_store(str(self.data["output"]))
        self.root = str(self.data.get("root") or "")
        options = self.data.get("options", {})
        self.options = options if isinstance(options, str) else canonical(options)
        self.looks = [check_digest(look) for look in self.data["looks"]]

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
        if "workerArguments" in self.data:
            return [str(argument) for argument in self.data["workerArguments"]]
        arguments: list[str] = []
        for name, value in sorted(json.loads(self.options).items()):
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
            data = self._get(name)
            with open(os.path.join(folder, "looks", os.path.basename(name)), "wb") as file:
                file.write(data)
        return os.path.join(folder, "looks")

    def _get(self, name: str) -> bytes:
        return repeated(lambda: self.store.get(name))

    def levels(self) -> dict[int, int]:
        """The number of shards of each level; the highest one is the current level."""
        counts = {0: int(self.data["shards"])}
        for name in repeated(lambda: list(self.store.list("levels/"))):
            if name.endswith(".json"):
                level = json.loads(self._get(name))
                counts[int(level["level"])] = int(level["shards"])
        return counts

    def current(self) -> list[str]:
        """The shards of the current level."""
        level, count = max(self.levels().items())
        return [f"{level}-{number}" for number in range(count)]

    def lines(self, shard: str) -> list[Line]:
        """The lines of the manifest in a shard."""
        return list(_parsed_lines(self._get(f"shards/{shard}.jsonl")))

    def all_results(self) -> Iterator[tuple[str, dict[str, Line]]]:
        """All shards, each with its results so far."""
        names: dict[str, list[str]] = defaultdict(list)
        for name in repeated(lambda: list(self.store.list("results/"))):
            names[name.removeprefix("results/").partition(".")[0]].append(name)
        for level, count in self.levels().items():
            for number in range(count):
                shard = f"{level}-{number}"
                yield shard, self._best(names[shard])

    def results(self, shard: str) -> dict[str, Line]:
        """The best result of each line of a shard so far."""
        return self._best(repeated(lambda: list(self.store.list(f"results/{shard}."))))

    def _best(self, names: list[str]) -> dict[str, Line]:
        best: dict[str, Line] = {}
        for name in names:
            for line in result_lines(name, self._get(name)):
                if "id" not in line or is_open(line):
                    continue
                old = best.get(line["id"])
                if old is None or _ORDER[line["status"]] < _ORDER[old["status"]]:
                    best[line["id"]] = line
        return best

    def put_results(self, shard: str, attempt: int, lines: Iterable[Line]) -> None:
        """Writes results under a name that no other process uses."""
        text = "".join(canonical(line) + "\n" for line in lines)
        name = f"results/{shard}.{attempt}-{uuid.uuid4().hex[:12]}.jsonl"
        if text and not repeated(lambda: self.store.put_once(name, text.encode())):
            raise Failure(BUSY, "results", f"{self.url}/{name}: exists")


def is_open(result: Line) -> bool:
    """Whether a result is a failure that another attempt may not have."""
    return result["status"] == "failed" and result["exit"] not in FINAL


def result_lines(name: str, data: bytes) -> Iterator[Line]:
    """The lines of a result file, without one that was torn when its writer was killed."""
    whole, _, last = data.rpartition(b"\n")
    yield from _parsed_lines(whole)
    try:
        yield from _parsed_lines(last)
    except ValueError:
        print(f"photoedit-cluster: {name}: the last line is incomplete and is left out",
              file=sys.stderr)


def _parsed_lines(data: bytes) -> Iterator[Line]:
    for text in data.splitlines():
        yield json.loads(text)
