# SPDX-License-Identifier: Apache-2.0
"""Shards without an engine: results, classes of failures, killed processes, races."""

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from case import Case, kill, marked, processes
from photoedit_cluster.document import Line
from photoedit_cluster.failure import Failure
from photoedit_cluster.publish import Photo, Publisher
from photoedit_cluster.run import Run, canonical, result_lines

MakeCase = Callable[..., Case]


def run_all(case: Case, *arguments: object, run: Path | None = None) -> None:
    for number in range(case.shards(run)):
        case.shard(number, *arguments, run=run)


def test_all_photos_are_rendered_once_and_found_by_the_next_run(make_case: MakeCase) -> None:
    case = make_case()
    case.plan("--shard-lines", 100)
    run_all(case)
    report = case.verify()
    assert (report["written"], report["present"]) == (300, 0)
    rendered = case.folder / "rendered.jpg"
    for line in case.lines:
        subprocess.run(
            [case.real, "render", "-q", "-f", "--graph", case.folder / "look.json", "-o", rendered,
             case.folder / line["src"]], check=True)
        assert rendered.read_bytes() == (case.out / line["out"]).read_bytes(), line["id"]

    again = case.folder / "again"
    case.plan(run=again)
    log = case.folder / "log"
    run_all(case, run=again)
    assert not log.exists()
    assert case.verify(run=again)["present"] == 300
    # A shard that is done is a no-op.
    results = sorted((again / "results").iterdir())
    run_all(case, run=again)
    assert sorted((again / "results").iterdir()) == results


@pytest.mark.parametrize("seed", range(5))
def test_a_killed_worker_process_costs_nothing(make_case: MakeCase, seed: int) -> None:
    case, numbers = make_case(), random.Random(seed)
    case.plan()
    process = case.start("shard", case.run, 0, "--cores", 2, "--scratch", case.scratch)
    case.wait_for_records(numbers.randrange(1, 200), process)
    kill(numbers.choice(processes(case.program, " worker ")))
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    report = case.verify()
    assert report["written"] == 300
    attempts = [line["attempt"] for line in Run(str(case.run)).results("0-0").values()]
    assert sorted(attempts)[-2:] == [1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_shard_continues(make_case: MakeCase, seed: int) -> None:
    case = make_case()
    case.plan()
    process = case.start("shard", case.run, 0, "--cores", 2, "--scratch", case.scratch)
    case.wait_for_records(random.Random(seed).randrange(1, 200), process)
    process.kill()
    process.communicate()
    before = case.records()
    assert "incomplete: 300 lines" in case.call("status", case.run, code=75)
    case.shard(0)
    report = case.verify(was_killed=True)
    assert report["present"] >= before and report["written"] == 300 - report["present"]


def test_a_poisonous_photo_is_isolated(make_case: MakeCase, stand_in: str) -> None:
    case = make_case(57, stand_in)
    for action in (b"abort", b"sleep", b"memory"):
        case.add(action.decode(), marked(case.base, b"photoedit-test-%s\n" % action))
    case.plan()
    case.shard(0, "--max-seconds", 1)
    case.verify(poison=3)
    results = Run(str(case.run)).results("0-0")
    poison = {name: line for name, line in results.items() if line["status"] == "poison"}
    assert {line["attempts"] for line in poison.values()} == {2}
    assert poison["abort"]["signal"] == 6
    assert poison["sleep"]["reason"] == "time"
    assert poison["memory"]["exit"] == 70


def test_failures_of_single_lines_are_reported_and_not_repeated(make_case: MakeCase) -> None:
    case = make_case(40)
    case.add("damaged", b"\xff\xd8\xff\xe0 no image")
    case.add("missing", None)
    case.add("forbidden", marked(case.base, b"forbidden"))
    case.add("changed", marked(case.base, b"changed"), sha256="0" * 64)
    os.chmod(case.folder / "in/forbidden.jpg", 0)
    case.plan()
    # Root ignores permissions unless these capabilities are dropped.
    dropped = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    command = [
        *(dropped if os.geteuid() == 0 else []), sys.executable, "-m", "photoedit_cluster",
        "shard", case.run, "0", "--scratch", case.scratch]
    subprocess.run(command, env=case.environment, check=True)
    os.chmod(case.folder / "in/forbidden.jpg", 0o600)
    results = Run(str(case.run)).results("0-0")
    failed = {
        name: line["exit"] for name, line in results.items() if line["status"] == "failed"}
    assert failed == {"damaged": 65, "missing": 66, "forbidden": 77, "changed": 65}
    assert {results[name]["attempt"] for name in failed} == {1}
    codes = [results[name]["code"] for name in failed]
    case.verify(failed={code: codes.count(code) for code in codes})
    before = sorted((case.run / "results").iterdir())
    case.shard(0)
    assert sorted((case.run / "results").iterdir()) == before


def test_repeated_lines_are_collapsed(make_case: MakeCase) -> None:
    case = make_case(60)
    case.lines += case.lines[:20]
    # Another name of equal bytes.
    case.add("twin", (case.folder / "in/p0000.jpg").read_bytes())
    case.plan()
    case.shard(0)
    report = case.verify()
    assert report["written"] + report["present"] == 61
    assert case.records() == 60
    case.lines.append(case.lines[0] | {"src": "in/p0001.jpg"})
    errors = case.plan(run=case.folder / "other", code=65)
    assert "line 1," in errors and "manifest.jsonl:82" in errors


def test_a_full_scratch_disk_leaves_the_lines_to_others(make_case: MakeCase) -> None:
    case = make_case(60)
    case.plan()
    script = f"mount -t tmpfs -o size=16k none {case.scratch} && exec " + " ".join([
        sys.executable, "-m", "photoedit_cluster", "shard", str(case.run), "0", "--scratch",
        str(case.scratch)])
    full = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", script], env=case.environment, text=True,
        capture_output=True, check=False)
    assert full.returncode == 75, full.stderr
    assert case.records() == 0
    assert "incomplete" in case.call("status", case.run, code=75)
    case.shard(0)
    assert case.verify()["written"] == 60


def test_two_runs_at_the_same_time_share_their_results(make_case: MakeCase) -> None:
    case = make_case()
    other = case.folder / "other"
    case.plan()
    case.plan(run=other)
    running = [
        case.start("shard", run, 0, "--cores", 1, "--scratch", case.scratch)
        for run in (case.run, other)]
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    reports = [case.verify(), case.verify(run=other)]
    assert sum(report["written"] for report in reports) == 300
    assert sum(report["present"] for report in reports) == 300


def test_the_first_record_of_a_key_is_kept(make_case: MakeCase) -> None:
    case = make_case(1)
    case.plan()
    publisher = Publisher(Run(str(case.run)))
    statuses = []
    for number, data in enumerate((b"bytes of one library", b"bytes of another library")):
        photo = Photo(number, case.lines[0])
        assert publisher.prepare(Photo(9, case.lines[0]), str(case.scratch)) is None or number
        photo.original = case.originals[str(case.folder / "in/p0000.jpg")]
        photo.look = publisher.run.looks[0]
        photo.key = publisher.run.key(photo.original, photo.look)
        photo.output = str(case.folder / f"output-{number}")
        Path(photo.output).write_bytes(data)
        rendering = hashlib.sha256(data).hexdigest()
        result = publisher.publish(photo, {
            "key": photo.key, "original": photo.original, "rendering": rendering,
            "bytes": len(data)}, None)
        statuses.append(result["status"])
    assert statuses == ["written", "present"]
    assert case.records() == 1
    assert (case.out / "named/p0000.jpg").read_bytes() == b"bytes of one library"


def test_a_name_with_other_bytes_is_not_replaced(make_case: MakeCase) -> None:
    case = make_case(3)
    (case.out / "named").mkdir(parents=True)
    (case.out / "named/p0001.jpg").write_bytes(b"of another program")
    case.plan()
    case.shard(0)
    results = Run(str(case.run)).results("0-0")
    assert results["p0001"]["exit"] == 73
    assert (case.out / "named/p0001.jpg").read_bytes() == b"of another program"
    assert case.records() == 2
    case.shard(0, "--retry-failed", "--replace-names")
    assert case.verify()["written"] == 3


def test_another_engine_is_refused_before_the_first_photo(
    make_case: MakeCase, stand_in: str,
) -> None:
    case = make_case(5, stand_in)
    case.plan()
    case.environment["PHOTOEDIT_TEST_ENGINE"] = "999"
    assert "engine 999" in case.shard(0, code=78)
    assert case.records() == 0


def test_many_failures_stop_a_shard(make_case: MakeCase) -> None:
    case = make_case(950)
    for number in range(100):
        case.add(f"d{number}", None)
    case.plan("--shard-lines", 2000)
    assert "photos failed" in case.shard(0, code=65)


def test_a_node_without_the_program_is_unfit(make_case: MakeCase) -> None:
    case = make_case(5)
    case.plan()
    case.environment["PHOTOEDIT"] = str(case.folder / "nothing")
    assert "5 lines are left" in case.shard(0, code=75)


def test_wrong_usage_is_refused(make_case: MakeCase) -> None:
    case = make_case(1)
    case.call("shard", case.run, code=64)
    case.call("shard", case.run, 0, code=66)
    case.plan()
    case.call("shard", case.run, "x", code=64)
    case.call("shard", case.run, 0, "--unknown", code=64)
    assert "nothing to do" in case.call("shard", case.run, 7)


def test_a_line_left_behind_is_resumed(make_case: MakeCase) -> None:
    case = make_case(50)
    case.plan()
    process = case.start("shard", case.run, 0, "--cores", 1, "--scratch", case.scratch)
    case.wait_for_records(5, process)
    process.kill()
    process.communicate()
    case.call("plan", "--resume", "--run", case.run)
    assert case.shards() >= 1
    run_all(case)
    # A level is complete although the first one was not.
    assert case.verify(was_killed=True)["unique"] == 50


def test_failure_survives_serialization() -> None:
    import pickle
    failure = pickle.loads(pickle.dumps(Failure(74, "diskFull", "no space")))
    assert (failure.exit, failure.code, failure.message) == (74, "diskFull", "no space")
    assert json.dumps(str(failure)) == '"no space"'


def test_an_incomplete_last_line_of_results_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"id": name, "status": "poison"} for name in "ab"]
    data = "".join(canonical(line) + "\n" for line in lines).encode()
    def read(data: bytes) -> list[Line]:
        return list(result_lines("0-0.1.jsonl", iter([data[:7], data[7:]])))

    assert read(data) == lines
    # Only the line feed is missing.
    assert read(data[:-1]) == lines
    assert not capsys.readouterr().err
    for end in range(len(data) // 2 + 1, len(data) - 1):
        assert read(data[:end]) == lines[:1]
        assert "0-0.1.jsonl: the last line is incomplete" in capsys.readouterr().err
    with pytest.raises(Failure, match="0-0.1.jsonl:1: not JSON"):
        read(b"{\n" + data)
