# SPDX-License-Identifier: Apache-2.0
"""The Ray engine on clusters of one machine, with killed workers, nodes and drivers."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from case import Case, kill, marked, processes
from ray.cluster_utils import Cluster

MakeCase = Callable[..., Case]
# Ray replaces 127.0.0.1 by an address of the network.
LOOPBACK = "127.0.0.2"


def new_cluster() -> Cluster:
    """A head without cores; all of it stays on the loopback interface."""
    return Cluster(initialize_head=True, head_node_args={
        "num_cpus": 0, "node_ip_address": LOOPBACK, "include_dashboard": False,
        "object_store_memory": 100_000_000})


def add_node(cluster: Cluster, **options: object) -> object:
    return cluster.add_node(
        num_cpus=1, node_ip_address=LOOPBACK, object_store_memory=100_000_000, **options)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = new_cluster()
    add_node(cluster)
    add_node(cluster)
    yield cluster
    cluster.shutdown()


def start(
    case: Case, cluster: Cluster, *arguments: object, run: Path | None = None, lines: int = 30,
) -> "subprocess.Popen[str]":
    """Starts a run in small shards."""
    (case.folder / "manifest.jsonl").exists() or case.write_manifest()
    return case.start(
        "run", case.folder / "manifest.jsonl", "--graph", "look.json", "--out", case.out, "--run",
        run or case.run, "--root", case.folder, "--shard-lines", lines, "--scratch", case.scratch,
        "--address", cluster.address, *arguments)


def finish(process: "subprocess.Popen[str]", code: int = 0) -> str:
    output, errors = process.communicate()
    assert process.returncode == code, output + errors
    return errors


def tasks(cluster: Cluster) -> list[int]:
    """The processes of Ray that run shards of this cluster."""
    nodes = [cluster.head_node, *cluster.worker_nodes]
    raylets = {node.all_processes["raylet"][0].process.pid for node in nodes}
    return [
        process for raylet in raylets for process in processes("ray::shard_task", below=raylet)]


def kill_tree(node: object) -> None:
    """Kills the raylet of a node and all below it, as if the machine was lost."""
    from case import descendants
    raylet = node.all_processes["raylet"][0].process.pid  # type: ignore[attr-defined]
    for process in [raylet, *descendants(raylet)]:
        kill(process)


def test_a_run_is_complete_and_the_next_one_finds_all(
    make_case: MakeCase, cluster: Cluster,
) -> None:
    case = make_case()
    finish(start(case, cluster))
    assert case.verify()["written"] == 300
    again = case.folder / "again"
    finish(start(case, cluster, run=again))
    assert case.verify(run=again)["present"] == 300
    # A complete run is a no-op.
    before = sorted((again / "results").iterdir())
    finish(start(case, cluster, run=again))
    assert sorted((again / "results").iterdir()) == before


@pytest.mark.parametrize("seed", range(5))
def test_a_killed_ray_worker_loses_nothing(
    make_case: MakeCase, cluster: Cluster, seed: int,
) -> None:
    case, numbers = make_case(), random.Random(seed)
    process = start(case, cluster)
    case.wait_for_records(numbers.randrange(1, 200), process)
    victims = tasks(cluster)
    assert victims
    kill(numbers.choice(victims))
    finish(process)
    case.verify(was_killed=True)


@pytest.fixture
def logged(make_case: MakeCase, stand_in: str) -> Iterator[tuple[Case, Cluster]]:
    """A case and a cluster without nodes, whose worker processes log what they render."""
    case, cluster = make_case(program=stand_in), new_cluster()
    os.environ |= {"PHOTOEDIT_TEST_LOG": str(case.folder / "log"), "PHOTOEDIT_REAL": case.real}
    try:
        yield case, cluster
    finally:
        del os.environ["PHOTOEDIT_TEST_LOG"]
        cluster.shutdown()


def test_a_lost_node_is_replaced(logged: tuple[Case, Cluster]) -> None:
    case, cluster = logged
    lost = add_node(cluster)
    add_node(cluster)
    process = start(case, cluster)
    case.wait_for_records(60, process)
    kill_tree(lost)
    lost_at = time.monotonic()
    add_node(cluster)
    finish(process)
    print(f"complete {time.monotonic() - lost_at:.1f} s after a node was lost")
    # What the lost node had published is found, and at most a shard is repeated.
    assert len((case.folder / "log").read_text().split()) <= 330
    case.verify(was_killed=True)


def test_a_killed_driver_is_continued_by_the_same_command(logged: tuple[Case, Cluster]) -> None:
    case, cluster = logged
    add_node(cluster)
    add_node(cluster)
    process = start(case, cluster)
    case.wait_for_records(90, process)
    process.kill()
    process.communicate()
    before = case.records()
    while tasks(cluster) or processes(case.program, " worker "):
        time.sleep(0.05)
    after = case.records()
    assert before <= after < 300
    finish(start(case, cluster))
    report = case.verify(was_killed=True)
    # Only results that were committed before their shard was reported are found again.
    assert report["written"] >= 300 - after
    assert report["written"] + report["present"] == 300
    # Each of the two nodes may have had three photos in work, rendered but not yet published.
    rendered = Counter((case.folder / "log").read_text().split())
    assert len(rendered) == 300 and sum(rendered.values()) <= 306


def test_poison_does_not_stop_a_run(make_case: MakeCase, stand_in: str) -> None:
    case = make_case(60, stand_in)
    case.add("abort", marked(case.base, b"photoedit-test-abort\n"))
    case.add("memory", marked(case.base, b"photoedit-test-memory\n"))
    case.add("damaged", b"\xff\xd8\xff\xe0 no image")
    os.environ["PHOTOEDIT_REAL"] = case.real
    cluster = new_cluster()
    try:
        add_node(cluster)
        finish(start(case, cluster), code=1)
        results = [
            json.loads(line) for path in (case.run / "results").iterdir()
            for line in path.read_text().splitlines()]
        codes = [line["code"] for line in results if line.get("status") == "failed"]
        case.verify(failed={code: 1 for code in codes}, poison=2)
    finally:
        cluster.shutdown()


def test_a_node_with_a_full_disk_gets_no_more_shards(make_case: MakeCase) -> None:
    case = make_case(120)
    cluster = new_cluster()
    full = None
    try:
        add_node(cluster)
        ray = os.path.join(os.path.dirname(sys.executable), "ray")
        full = subprocess.Popen([
            "unshare", "-Urm", "sh", "-c",
            f"mount -t tmpfs -o size=16k none {case.scratch} && exec {ray} start --block "
            f"--address={cluster.address} --node-ip-address={LOOPBACK} --num-cpus=1 "
            "--object-store-memory=100000000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        wait_for_nodes(cluster, 3)
        errors = finish(start(case, cluster))
        assert "gets no more shards" in errors
        assert case.verify()["written"] == 120
    finally:
        if full:
            from case import descendants
            for process in descendants(full.pid):
                kill(process)
            full.kill()
            full.wait()
        cluster.shutdown()


def wait_for_nodes(cluster: Cluster, count: int) -> None:
    while sum(node["Alive"] for node in cluster.global_state.node_table()) < count:
        time.sleep(0.1)


def test_a_mix_of_engines_is_refused(make_case: MakeCase, stand_in: str) -> None:
    case = make_case(30, stand_in)
    os.environ["PHOTOEDIT_REAL"] = case.real
    cluster = new_cluster()
    try:
        add_node(cluster)
        add_node(cluster, env_vars={"PHOTOEDIT_TEST_ENGINE": "999"})
        assert "engine 999" in finish(start(case, cluster), code=78)
        assert case.records() == 0
    finally:
        cluster.shutdown()


def test_an_interrupted_run_stops_and_continues(make_case: MakeCase, cluster: Cluster) -> None:
    case = make_case()
    process = start(case, cluster)
    case.wait_for_records(30, process)
    process.terminate()
    assert "continues the run" in finish(process, code=143)
    assert case.records() < 300
    finish(start(case, cluster))
    case.verify()


def test_ray_starts_on_this_machine_alone(make_case: MakeCase) -> None:
    case = make_case(40)
    case.write_manifest()
    process = case.start(
        "run", "manifest.jsonl", "--graph", "look.json", "--out", "out", "--run", "run",
        "--root", case.folder, "--scratch", case.scratch)
    case.wait_for_records(1, process)
    servers = processes("gcs_server", below=process.pid) + processes("raylet", below=process.pid)
    sockets = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
    finish(process)
    case.verify()
    addresses = {
        line.split()[3].rpartition(":")[0] for line in sockets.splitlines()
        if any(f"pid={server}," in line for server in servers)}
    assert addresses and addresses <= {"127.0.0.1", "[::ffff:127.0.0.1]"}


def test_lost_parts_are_halved_down_to_the_poisonous_line(make_case: MakeCase) -> None:
    from photoedit_cluster.ray_engine import RayEngine, WHOLE, _Task
    from photoedit_cluster.run import Part, Run
    case = make_case(8)
    case.plan()
    run = Run(str(case.run))
    engine = object.__new__(RayEngine)
    engine._run, engine._progress = run, lambda summary: None
    engine._queue = __import__("collections").deque([_Task(Part("0-0", 0, WHOLE))])
    tried = []
    while engine._queue:
        task = engine._queue.popleft()
        part = task.part
        stop = min(part.stop, 8)
        tried.append(stop - part.start)
        if part.start <= 5 < stop:
            engine._lost(task)
    assert tried == [8, 4, 4, 2, 2, 1, 1]
    poison = run.results("0-0")
    assert [line["reason"] for line in poison.values()] == ["lost"]
    assert list(poison) == [run.lines("0-0")[5]["id"]]
