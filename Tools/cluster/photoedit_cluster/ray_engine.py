# SPDX-License-Identifier: Apache-2.0
"""The shards of a run as tasks of Ray."""

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import ray
from ray.exceptions import (
    LocalRayletDiedError, NodeDiedError, ObjectLostError, OutOfMemoryError, WorkerCrashedError)

from .child import Child, Limits
from .document import Line
from .failure import CONFIGURATION, UNAVAILABLE, Failure
from .run import Part, Run
from .shard import Settings, Summary, run_shard

LOST = (
    LocalRayletDiedError, NodeDiedError, ObjectLostError, OutOfMemoryError, WorkerCrashedError)
NODE_LABEL = "ray.io/node-id"
WHOLE = 1 << 40


@ray.remote(max_retries=2, retry_exceptions=False, scheduling_strategy="SPREAD")
def shard_task(
    url: str, part: Part, settings: Settings, attempt: int, is_last: bool, delay: float,
) -> tuple[str, Summary | Failure]:
    """One part of a shard; returns the node and the counts, or the failure that ends the run."""
    time.sleep(delay)
    node = ray.get_runtime_context().get_node_id()
    try:
        summary = run_shard(Run(url), part, settings, attempt, is_last)
    except Failure as failure:
        return node, failure
    _count(summary)
    return node, summary


@ray.remote(num_cpus=0, max_retries=1)
def probe_task(limits: Limits) -> tuple[Line | Failure, int]:
    """The first line of `photoedit worker` on a node, and the niceness of Ray's workers there."""
    try:
        child = Child(limits)
    except Failure as failure:
        return failure, os.nice(0)
    child.close()
    return child.hello, os.nice(0)


_counters: dict[str, Any] = {}


def _count(summary: Summary) -> None:
    """Adds to the counters that Ray exports for Prometheus."""
    from ray.util.metrics import Counter
    if not _counters:
        _counters["photos"] = Counter("photoedit_photos_total", tag_keys=("status",))
        _counters["cpu"] = Counter("photoedit_cpu_seconds_total")
        _counters["bytes"] = Counter("photoedit_bytes_total", tag_keys=("direction",))
    for status, count in summary.counts.items():
        _counters["photos"].inc(count, {"status": status})
    if summary.cpu_ms:
        _counters["cpu"].inc(summary.cpu_ms / 1000)
    for direction, count in (("in", summary.bytes_in), ("out", summary.bytes_out)):
        if count:
            _counters["bytes"].inc(count, {"direction": direction})


@dataclass(frozen=True)
class _Task:
    part: Part
    attempt: int = 1
    tried: frozenset[str] = field(default=frozenset())


class RayEngine:
    """Keeps two tasks for each slot of the cluster submitted until no line is left."""

    def __init__(
        self, run: Run, settings: Settings, cores: int | None, grace: float,
        progress: Callable[[Summary], None], warn: Callable[[str], None],
        stops: Callable[[], int],
    ) -> None:
        self._run, self._settings, self._grace = run, settings, grace
        self._progress, self._warn, self._stops = progress, warn, stops
        self._unfit: set[str] = set()
        sizes = [cpus for cpus in self._nodes().values() if cpus >= 1]
        if not sizes:
            raise Failure(UNAVAILABLE, "noNodes", "the cluster has no node with a free core")
        self._cores = min(cores or 16, int(min(sizes))) if cores is None else cores
        self._settings = replace(settings, cores=self._cores)
        level, self._left = run.current()
        self._shards = (f"{level}-{number}" for number in range(self._left))
        self._queue: deque[_Task] = deque()
        self._pending: dict[ray.ObjectRef[Any], _Task] = {}
        self._submitted = 0
        self._average = max(1, run.line_count // max(1, run.data["shards"]))

    @staticmethod
    def _nodes() -> dict[str, float]:
        """The cores of the living nodes."""
        return {
            node["NodeID"]: node["Resources"].get("CPU", 0)
            for node in ray.nodes()  # type: ignore[no-untyped-call]
            if node["Alive"]}

    def _slots(self) -> int:
        return sum(
            int(cpus // self._cores) for node, cpus in self._nodes().items()
            if node not in self._unfit)

    def check_nodes(self) -> None:
        """Asks each node for its photoedit; fails with 78 if one has another engine."""
        asked = {
            node: probe_task.options(label_selector={NODE_LABEL: node}).remote(
                self._settings.limits)
            for node, cpus in self._nodes().items() if cpus >= self._cores}
        components = []
        for node, ref in asked.items():
            try:
                hello, niceness = ray.get(ref, timeout=60)
            except (*LOST, ray.exceptions.GetTimeoutError, ray.exceptions.TaskUnschedulableError):
                continue
            if isinstance(hello, Failure):
                self._exclude(node, hello.message)
            elif hello.get("engine") != self._run.engine:
                raise Failure(
                    CONFIGURATION, "engine",
                    f"node {node[:8]} has engine {hello.get('engine')}, the run requires "
                    f"{self._run.engine}; install the same photoedit on all nodes")
            else:
                components.append(hello.get("components"))
            if niceness > 0:
                self._warn(
                    f"node {node[:8]}: workers have niceness {niceness}; start Ray with "
                    "RAY_worker_niceness=0 on machines that do nothing else")
        if any(other != components[0] for other in components):
            self._warn("nodes have different libraries; results may differ in their bytes")

    def _exclude(self, node: str, reason: str) -> None:
        if node not in self._unfit:
            self._unfit.add(node)
            self._warn(f"node {node[:8]} gets no more shards: {reason}")
        if not any(
            cpus >= self._cores and other not in self._unfit
            for other, cpus in self._nodes().items()
        ):
            raise Failure(UNAVAILABLE, "noNodes", f"no node is left; the last one: {reason}")

    def perform(self) -> None:
        """Runs all shards of the current level, or raises the failure that ends the run."""
        stopped_at: float | None = None
        try:
            while self._pending or (stopped_at is None and (self._queue or self._left)):
                if stopped_at is None and self._stops():
                    stopped_at = time.monotonic()
                if stopped_at is None:
                    self._submit()
                elif self._stops() > 1 or time.monotonic() > stopped_at + self._grace:
                    break
                done, _ = ray.wait(list(self._pending), timeout=1) if self._pending else ([], [])
                for ref in done:
                    self._take(ref)
                if not self._pending and not done:
                    time.sleep(1)
        finally:
            for ref in self._pending:
                ray.cancel(ref, force=True)

    def _submit(self) -> None:
        slots = self._slots()
        while len(self._pending) < 2 * slots and (self._queue or self._left):
            task = self._next(slots)
            nodes = self._nodes()
            is_last = task.attempt >= 5 or len(task.tried) >= min(3, len(
                [node for node, cpus in nodes.items() if cpus >= self._cores]))
            # A store needs time to spread many first requests.
            delay = 30 * self._submitted / slots if slots > 50 and self._submitted < slots else 0
            options: dict[str, Any] = {"num_cpus": self._cores}
            if self._unfit:
                options["label_selector"] = {NODE_LABEL: f"!in({','.join(sorted(self._unfit))})"}
            rate = self._settings.max_rate / slots
            ref = shard_task.options(**options).remote(
                self._run.url, task.part, replace(self._settings, max_rate=rate), task.attempt,
                is_last, delay)
            self._pending[ref] = task
            self._submitted += 1

    def _next(self, slots: int) -> _Task:
        """The next task; towards the end, parts become smaller."""
        if self._queue:
            task = self._queue.popleft()
        else:
            task, self._left = _Task(Part(next(self._shards), 0, WHOLE)), self._left - 1
        rest = self._left * self._average + sum(
            min(len(other.part), self._average) for other in self._queue)
        limit = min(1000, max(160, rest // (3 * slots)))
        if min(len(task.part), self._average) > limit:
            part = task.part
            if part.stop == WHOLE:
                part = replace(part, stop=len(self._run.lines(part.shard)))
            while len(part) > limit:
                part, other = part.halves()
                self._queue.appendleft(replace(task, part=other))
            task = replace(task, part=part)
        return task

    def _take(self, ref: "ray.ObjectRef[Any]") -> None:
        task = self._pending.pop(ref)
        try:
            node, result = ray.get(ref)
        except LOST:
            return self._lost(task)
        if isinstance(result, Failure):
            raise result
        self._progress(result)
        if result.left:
            tried = task.tried | {node} if node not in self._unfit else task.tried
            self._queue.append(replace(task, attempt=task.attempt + 1, tried=tried))
        if result.is_unfit:
            self._exclude(node, result.reason)

    def _lost(self, task: _Task) -> None:
        """Cuts a part that Ray started three times in vain; a single line is poison."""
        part = task.part
        if part.stop == WHOLE:
            part = replace(part, stop=len(self._run.lines(part.shard)))
        if len(part) > 1:
            self._queue.extend(replace(task, part=half) for half in part.halves())
            return
        line = self._run.lines(part.shard)[part.start]
        self._run.put_results(part.shard, task.attempt, [
            {"id": line["id"], "status": "poison", "reason": "lost", "attempts": 3}])
        self._progress(Summary({"poison": 1}))
