# SPDX-License-Identifier: Apache-2.0
"""Runs that anyone may have written: what is in them is bounded, and refused by name."""

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from photoedit_cluster.cli import main
from photoedit_cluster.document import LINE, LINES
from photoedit_cluster.failure import Failure
from photoedit_cluster.run import Run
from photoedit_cluster.transfer import fetch

DIGEST = "a" * 64
LINE_OF_RUN = {"id": "x", "src": "x.jpg"}
RESULT = {"id": "x", "status": "written", "key": DIGEST, "rendering": DIGEST, "original": DIGEST}


class Files:
    """A run whose files are replaced one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("shards", "results", "levels", "looks"):
            (folder / name).mkdir(parents=True)
        self.describe()
        self.write("shards/0-0.jsonl", json.dumps(LINE_OF_RUN) + "\n")
        self.write("results/0-0.1-x.jsonl", json.dumps(RESULT) + "\n")

    def write(self, name: str, text: str | bytes) -> None:
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def describe(self, **fields: Any) -> None:
        self.write("run.json", json.dumps({
            "engine": 1, "format": 1, "looks": [DIGEST], "output": str(self.folder / "out"),
            "root": "", "options": {}, "shards": 1} | fields))

    def sparse(self, name: str) -> None:
        with open(self.folder / name, "wb") as file:
            file.truncate(1 << 40)

    def run(self) -> Run:
        return Run(str(self.folder))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "run")


def refusal(action: Callable[[], object]) -> str:
    """The message of a refusal with little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(Failure) as failure:
            action()
        assert failure.value.exit == 65, failure.value.message
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()
    return failure.value.message


@pytest.mark.parametrize(("field", "value"), [
    ("engine", None), ("engine", "1"), ("engine", -1), ("engine", 1.5), ("engine", True),
    ("engine", 1 << 62), ("shards", "x"), ("shards", -1), ("shards", [1]), ("output", 7),
    ("output", "a\0b"), ("output", "\ud800"), ("root", []), ("looks", []), ("looks", "x"),
    ("looks", [7]), ("options", 7), ("workerArguments", [1]), ("workerArguments", "x"),
    ("manifest", {"unique": -1}), ("manifest", [])])
def test_a_field_of_another_kind_is_named(files: Files, field: str, value: Any) -> None:
    files.describe(**{field: value})
    assert f"run.json: {field}: " in refusal(files.run)


@pytest.mark.parametrize("text", [
    b"", b"x", b"[]", b"7", b"[" * 100_000, b'{"engine": NaN}', b'{"engine": 1e999}',
    b'{"engine": ' + b"9" * 5000 + b"}", b'{"a": "\xff"}', b"{" * 100_000])
def test_what_is_not_an_object_is_refused(files: Files, text: bytes) -> None:
    files.write("run.json", text)
    assert "run.json: not " in refusal(files.run)
    files.describe()
    files.write("levels/1.json", text)
    assert "levels/1.json: not " in refusal(lambda: files.run().levels())
    if text:
        files.write("shards/0-0.jsonl", text + b"\n")
        assert "shards/0-0.jsonl:1: " in refusal(lambda: files.run().lines("0-0"))
        files.write("results/0-0.1-x.jsonl", text + b"\n")
        assert "results/0-0.1-x.jsonl:1: " in refusal(lambda: files.run().results("0-0"))


@pytest.mark.parametrize("name", [
    "run.json", "levels/1.json", "shards/0-0.jsonl", "results/0-0.1-x.jsonl", "looks/x.json"])
def test_a_file_that_is_a_hole_is_refused_by_its_size(files: Files, name: str) -> None:
    files.sparse(name)
    target = files.folder.parent / "fetched"

    def read() -> None:
        run = files.run()
        run.levels()
        run.lines("0-0")
        run.results("0-0")
        fetch(str(files.folder), str(target), False)

    assert f"{name}: has {1 << 40} bytes" in refusal(read)


def test_a_record_and_a_rendering_that_are_holes_are_refused(files: Files) -> None:
    for name in (f"blobs/aa/{DIGEST}.jpg", f"records/aa/{DIGEST}.json"):
        (files.folder / "out" / name).parent.mkdir(parents=True)
        files.sparse(f"out/{name}")
    target = files.folder.parent / "fetched"
    files.write("results/0-0.1-x.jsonl", json.dumps(RESULT | {"bytes": 10}) + "\n")
    assert f"{DIGEST}" in refusal(lambda: fetch(str(files.folder), str(target), False))
    files.write("results/0-0.1-x.jsonl", json.dumps(RESULT) + "\n")
    assert f"{DIGEST}" in refusal(lambda: fetch(str(files.folder), str(target), False))


def test_lines_are_bounded(files: Files) -> None:
    files.write("shards/0-0.jsonl", json.dumps(LINE_OF_RUN | {"id": "x" * LINE}) + "\n")
    assert f"longer than {LINE}" in refusal(lambda: files.run().lines("0-0"))
    # A file of zeros of a permitted size has one line.
    with open(files.folder / "shards/0-0.jsonl", "wb") as file:
        file.truncate(LINES)
    assert f"longer than {LINE}" in refusal(lambda: files.run().lines("0-0"))


@pytest.mark.parametrize("line", [
    {}, {"id": 7}, {"src": None}, {"src": "a\0b"}, {"out": 7}, {"edit": "x"}, {"sha256": "../x"},
    {"bytes": "x"}, {"bytes": -1}, {"bytes": 1e300}])
def test_a_line_of_another_kind_is_refused(files: Files, line: dict[str, Any]) -> None:
    text = json.dumps(LINE_OF_RUN | line if line else {})
    files.write("shards/0-0.jsonl", json.dumps(LINE_OF_RUN) + "\n" + text + "\n")
    assert "shards/0-0.jsonl:2: " in refusal(lambda: files.run().lines("0-0"))


@pytest.mark.parametrize("result", [
    {"id": None}, {"status": "x"}, {"status": []}, {"key": 7}, {"rendering": "x"}, {"bytes": []},
    {"status": "failed", "exit": "x"}, {"original": 1}])
def test_a_result_of_another_kind_is_refused(files: Files, result: dict[str, Any]) -> None:
    files.write("results/0-0.1-x.jsonl", json.dumps(RESULT | result) + "\n")
    assert "results/0-0.1-x.jsonl:1: " in refusal(lambda: files.run().results("0-0"))


@pytest.mark.parametrize("shards", [10**7, (1 << 53) - 1])
def test_a_number_of_shards_costs_nothing(
    files: Files, shards: int, capsys: pytest.CaptureFixture[str],
) -> None:
    files.describe(shards=shards, manifest={"unique": 1})
    run = str(files.folder)
    assert main(["status", run]) == 0 and "complete: 1 lines, 1 written" in capsys.readouterr().out
    assert main(["status", run, "--shards"]) == 0 and str(shards) in capsys.readouterr().out
    assert main(["shard", run, "9" * 5000]) == 0
    assert "nothing to do" in capsys.readouterr().err
    # A shard that is stated but not there ends the command.
    assert main(["shard", run, str(shards - 1)]) == 66
    assert os.path.basename(f"shards/0-{shards - 1}.jsonl") in capsys.readouterr().err


def test_results_of_shards_that_the_run_does_not_have_are_left_out(files: Files) -> None:
    for shard in ("0-1", "1-0", "x-0", "0-" + "9" * 200):
        files.write(f"results/{shard}.1-x.jsonl", json.dumps(RESULT | {"id": shard}) + "\n")
    assert [shard for shard, _ in files.run().all_results()] == ["0-0"]
