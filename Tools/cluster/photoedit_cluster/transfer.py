# SPDX-License-Identifier: Apache-2.0
"""Runs in S3 for the commands of photoedit, which know folders only."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from .document import DOCUMENT, LINES, LOOK, PHOTO, Line
from .failure import BAD_DATA, CANNOT_CREATE, MISSING, UNAVAILABLE, Failure, repeated
from .publish import blob_name, has_bytes, read_record, record_name
from .run import Run, canonical
from .store import (
    LOCAL_FILES, FolderStore, Store, check_conditional_writes, is_beneath, open_store,
    split_source)

# The files that complete a plan come last.
_LAST = ("run.json", "levels/")
_LINES = ("shards/", "results/")


def call(program: str, *arguments: str) -> int:
    """The exit code of a command of photoedit."""
    try:
        return subprocess.run([program, *arguments], check=False).returncode
    except OSError as error:
        raise Failure(UNAVAILABLE, "noProgram", f"{program}: {error.strerror}") from error


def copy(source: Store, target: Store, prefixes: tuple[str, ...]) -> None:
    """Copies the files that the target does not have."""
    names = [
        name for prefix in prefixes for name in repeated(lambda: list(source.list(prefix)))]

    def copy_file(name: str) -> None:
        if not repeated(lambda: target.exists(name)):
            limit = LINES if name.startswith(_LINES) else LOOK
            data = repeated(lambda: source.get(name, limit))
            repeated(lambda: target.put_once(name, data))

    with ThreadPoolExecutor(16) as pool:
        first = [name for name in names if not name.startswith(_LAST)]
        list(pool.map(copy_file, first))
        list(pool.map(copy_file, [name for name in names if name.startswith(_LAST)]))


def plan(
    program: str, manifest: str | None, run: str, output: str | None, arguments: list[str],
) -> int:
    """Calls `photoedit plan`; a run in S3 is planned in a local folder and uploaded."""
    with tempfile.TemporaryDirectory(prefix=".photoedit-plan-") as folder:
        store = open_store(run)
        options = list(arguments)
        if manifest is not None:
            options = [local_manifest(manifest, folder), *options]
            if not any(option.startswith("--shard-bytes") for option in arguments):
                # A shard of a few large photos would take no longer than its start.
                options += ["--shard-bytes", "4G"]
        if output is not None:
            check_conditional_writes(open_store(output))
            options += ["--output", output]
        if path := store.path(""):
            return call(program, "plan", *options, "--run", path)
        if manifest is not None and repeated(lambda: store.exists("run.json")):
            raise Failure(CANNOT_CREATE, "runExists", f"{run}: there is a run; use another name")
        check_conditional_writes(store)
        local = FolderStore(os.path.join(folder, "run"))
        if manifest is None:
            copy(store, local, ("",))
        code = call(program, "plan", *options, "--run", local.url)
        if code == 0:
            copy(local, store, ("",))
        return code


def download(store: Store, name: str, path: str) -> None:
    """Copies a file to a local path."""
    def read() -> None:
        with open(path, "wb") as file:
            for block in store.blocks(name, 1 << 40):
                file.write(block)

    repeated(read)


def local_manifest(manifest: str, folder: str) -> str:
    """The path of a manifest as JSON Lines; Parquet is converted, S3 is downloaded."""
    local = manifest if "://" in manifest else os.path.abspath(manifest)
    url, name = split_source(local, "")
    store = open_store(url)
    path = store.path(name)
    if path is None:
        path = os.path.join(folder, os.path.basename(name))
        download(store, name, path)
    if not path.endswith(".parquet"):
        return path
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise Failure(
            UNAVAILABLE, "noParquet",
            "pyarrow is missing; install photoedit-cluster[parquet]") from error
    lines = os.path.join(folder, "manifest.jsonl")
    with open(lines, "w", encoding="utf-8") as text:
        for batch in ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                text.write(canonical(
                    {name: value for name, value in row.items() if value is not None}) + "\n")
    return lines


def collect(program: str, url: str, arguments: list[str], report: Callable[[str], None]) -> int:
    """Calls `photoedit collect`; checks records and blobs itself if they are in S3."""
    run = Run(url)
    is_remote = run.output.path("") is None
    checks = "--check" in arguments and is_remote
    if checks:
        arguments = [argument for argument in arguments if argument != "--check"]
    code: int
    if path := run.store.path(""):
        code = call(program, "collect", path, *arguments)
    else:
        with tempfile.TemporaryDirectory(prefix=".photoedit-collect-") as folder:
            local = FolderStore(folder)
            copy(run.store, local, ("run.json", "levels/", "shards/", "results/"))
            code = call(program, "collect", folder, *arguments)
            if local.exists("report.json"):
                data = local.get("report.json", LOOK)
                repeated(lambda: run.store.replace("report.json", data))
    if checks:
        with ThreadPoolExecutor(16) as pool:
            findings = [text for text in pool.map(lambda item: _finding(run, *item), _done(run))
                        if text]
        for text in findings:
            report(text)
        if findings:
            return BAD_DATA
    return code


def _done(run: Run) -> Iterator[tuple[Line, Line]]:
    """The lines of a run that have a rendering, with their results."""
    for shard, results in run.all_results():
        if not results:
            continue
        for line in run.lines(shard):
            result = results.get(line["id"])
            if result and result["status"] in ("written", "present"):
                yield line, result


def _files(line: Line, result: Line) -> list[str]:
    """The files of a result; the record comes last."""
    names = [blob_name(result["rendering"]), line.get("out"), record_name(result["key"])]
    return [name for name in names if name]


def _finding(run: Run, line: Line, result: Line) -> str | None:
    """What is wrong with a result."""
    *files, record_file = _files(line, result)
    try:
        record = read_record(run.output, result["key"])
        if any(record.get(name) != result.get(name) for name in ("key", "original", "rendering")):
            return f"{record_file}: does not match the result"
        for file in files:
            if not has_bytes(run.output, file, record["rendering"], record["bytes"]):
                return f"{file}: has other bytes than its record states"
    except Failure as failure:
        if failure.exit not in (BAD_DATA, MISSING):
            raise
        return failure.message
    return None


def fetch(url: str, folder: str, with_originals: bool) -> None:
    """Copies a run with its records and renderings to a folder, for use without S3."""
    run, local = Run(url), FolderStore(folder)
    copy(run.store, local, ("looks/", "shards/", "levels/", "results/", "report.json"))
    target = FolderStore(os.path.join(folder, "output"))

    def fetch_result(item: tuple[Line, Line]) -> None:
        for name in _files(*item):
            if not target.exists(name):
                limit = max(DOCUMENT, item[1].get("bytes", PHOTO))
                target.put_once(name, repeated(partial(run.output.get, name, limit)))
        if with_originals:
            _fetch_original(run, item[0]["src"], folder)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(fetch_result, _done(run)))
    data = {**run.data, "output": target.url}
    if with_originals:
        data["root"] = os.path.join(os.path.abspath(folder), "originals")
    local.put_once("run.json", canonical(data).encode())


def _fetch_original(run: Run, source: str, folder: str) -> None:
    """Copies an original of S3 under its key."""
    url, name = split_source(source, run.root)
    if url == LOCAL_FILES:
        return
    target = FolderStore(os.path.join(folder, "originals"))
    if not is_beneath(name):
        print(
            f"photoedit-cluster: {source}: not copied, its key is not a name beneath a folder",
            file=sys.stderr)
    elif not target.exists(name):
        data = repeated(lambda: open_store(url).get(name, PHOTO))
        target.put_once(name, data)
