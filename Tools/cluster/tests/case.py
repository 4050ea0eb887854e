# SPDX-License-Identifier: Apache-2.0
"""A run in a temporary folder, and the oracle that inspects what it left."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from photoedit_cluster.scratch import scratch_folder

COM = b"\xff\xfe"
LOOK = {
    "format": "org.photoedit.filter-graph", "version": "1.0", "nodes": [
        {"filter": "exposure", "id": "n1", "params": {"ev": 0.3}, "v": 1},
        {"filter": "contrast", "id": "n2", "params": {"amount": 1.1}, "v": 1}]}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def marked(photo: bytes, text: bytes) -> bytes:
    """A JPEG with a comment, which makes its bytes distinct and its pixels no different."""
    return photo[:2] + COM + (len(text) + 2).to_bytes(2, "big") + text + photo[2:]


def descendants(root: int) -> set[int]:
    """The processes below a process."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found, rest = set(), [root]
    while rest:
        children = parents.get(rest.pop(), [])
        found.update(children)
        rest += children
    return found


def command_line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def processes(*parts: str, below: int | None = None) -> list[int]:
    """The processes whose command line has all parts, the youngest last."""
    candidates = descendants(below) if below else {
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()}
    return sorted(
        process for process in candidates
        if all(part in command_line(process) for part in parts))


def kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Case:
    """A manifest, a look, an output and a run."""

    def __init__(self, folder: Path, base: bytes, count: int, program: str, real: str) -> None:
        self.folder, self.program, self.real = folder, program, real
        self.out, self.run, self.scratch = folder / "out", folder / "run", folder / "scratch"
        self.environment = {**os.environ, "PHOTOEDIT": program, "PHOTOEDIT_REAL": real}
        (folder / "in").mkdir()
        self.scratch.mkdir()
        self.base = base
        self.lines: list[dict[str, Any]] = []
        self.originals: dict[str, str] = {}
        for number in range(count):
            self.add(f"p{number:04}", marked(base, b"number %d\n" % number))
        (folder / "look.json").write_text(json.dumps(LOOK))

    def add(self, name: str, data: bytes | None, **fields: Any) -> None:
        """Adds an original and its line."""
        path = self.folder / "in" / f"{name}.jpg"
        if data is not None:
            path.write_bytes(data)
            self.originals[str(path)] = digest(data)
        self.lines.append(
            {"id": name, "src": f"in/{name}.jpg", "out": f"named/{name}.jpg"} | fields)

    def write_manifest(self) -> Path:
        path = self.folder / "manifest.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path

    def start(self, *arguments: Any, **options: Any) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "photoedit_cluster", *map(str, arguments)],
            cwd=self.folder, env=self.environment | options.pop("env", {}),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def call(self, *arguments: Any, code: int | None = 0, **options: Any) -> str:
        """The output of a command, whose exit code must be the given one."""
        process = self.start(*arguments, **options)
        output, errors = process.communicate()
        assert code is None or process.returncode == code, (arguments, output, errors)
        return output + errors

    def plan(self, *arguments: Any, code: int = 0, run: Any = None, out: Any = None) -> str:
        return self.call(
            "plan", self.write_manifest(), "--graph", "look.json", "--out", out or self.out,
            "--run", run or self.run, "--root", self.folder, *arguments, code=code)

    def shards(self, run: Any = None) -> int:
        return int(self.call("status", "--shards", run or self.run))

    def shard(self, number: int, *arguments: Any, code: int | None = 0, run: Any = None) -> str:
        return self.call(
            "shard", run or self.run, number, "--cores", 2, "--scratch", self.scratch, *arguments,
            code=code)

    def records(self) -> int:
        """The number of results so far."""
        return sum(1 for _ in (self.out / "records").glob("*/[!.]*.json"))

    def wait_for_records(self, count: int, process: "subprocess.Popen[str]") -> None:
        """Returns when there are as many results, or the process has ended."""
        while process.poll() is None and self.records() < count:
            time.sleep(0.005)

    def verify(
        self, failed: dict[str, int] | None = None, poison: int = 0, run: Path | None = None,
        was_killed: bool = False,
    ) -> dict[str, Any]:
        """The oracle: complete, lost 0, doubled 0, partial 0, exact report, untouched originals."""
        failed = failed or {}
        failures = sum(failed.values()) + poison
        run = run or self.run
        self.call("collect", run, "--check", code=1 if failures else 0)
        report: dict[str, Any] = json.loads((run / "report.json").read_text())
        unique = {line["id"]: line for line in self.lines}
        assert report["complete"] is True and report["missing"] == 0
        assert report["lines"] == len(self.lines) and report["unique"] == len(unique)
        assert report["failed"] == failed and report["poison"] == poison
        assert report["failures"] == sum(failed.values()) and report["unknown"] == 0
        assert report["written"] + report["present"] == len(unique) - failures
        self._verify_output(run, len(unique) - failures)
        for path, expected in self.originals.items():
            if os.path.exists(path):
                assert digest(Path(path).read_bytes()) == expected, path
        if was_killed:
            # Temporary files of a killed process may stay, and are no results.
            with scratch_folder(str(self.scratch)):
                pass
        else:
            assert not [path for path in self.out.rglob(".photoedit-*")]
        assert list(self.scratch.iterdir()) == []
        assert processes(self.program, " worker ") == []
        return report

    def _verify_output(self, run: Path, done: int) -> None:
        description = json.loads((run / "run.json").read_text())
        options = json.dumps(description["options"], sort_keys=True, separators=(",", ":"))
        look = description["looks"][0]
        records = {
            path.stem: json.loads(path.read_text())
            for path in (self.out / "records").glob("*/[!.]*.json")}
        blobs = {path.stem: path for path in (self.out / "blobs").glob("*/[!.]*")}
        for name, path in blobs.items():
            assert digest(path.read_bytes()) == name, f"partial: {path}"
        found = 0
        for line in {line["id"]: line for line in self.lines}.values():
            original = self.originals.get(str(self.folder / "in" / f"{line['id']}.jpg"))
            key = digest(
                f"photoedit-result 1\n{original}\n{look}\n{description['engine']}\n{options}\n"
                .encode())
            named = self.out / line["out"]
            if key not in records:
                assert not named.exists()
                continue
            found += 1
            assert records[key]["original"] == original and records[key]["key"] == key
            assert named.read_bytes() == blobs[records[key]["rendering"]].read_bytes()
        assert found == done, f"lost: {done - found}"
