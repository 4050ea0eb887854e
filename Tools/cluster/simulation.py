#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model of large runs with a fixed seed; prints the simulated table of the guide.

usage: simulation.py
"""

import heapq
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

CORES, NETWORK = 16, 1.25e9  # of a node; bytes per second
TASKS_PER_SECOND, SHARD_OVERHEAD = 350, 0.25
SLOW_NODES, SLOWNESS, SPREAD = 0.02, 3.0, 0.6
LOSSES_PER_SECOND, NOTICED, REPLACED = 0.02 / 3600, 15.0, 60.0
POINT_FILTERS, BLUR = 0.125, 0.364  # core seconds for 12 megapixels
BYTES = 4.32e6  # each way


@dataclass(frozen=True)
class Outcome:
    """The duration of a run, and its efficiency against the sum of the nodes' speeds."""

    seconds: float
    efficiency: float


def simulate(photos: int, nodes: int, cost: float, seed: int = 1) -> Outcome:
    """One run, shard by shard; shards become smaller towards its end."""
    numbers = random.Random(seed)
    rate = min(CORES / cost, NETWORK / BYTES)
    slow = set(numbers.sample(range(nodes), round(SLOW_NODES * nodes)))
    speeds = [rate / SLOWNESS if node in slow else rate for node in range(nodes)]
    variance = math.exp(SPREAD ** 2) - 1
    free = [(0.0, node) for node in range(nodes)]
    heapq.heapify(free)
    rest, dispatched, end = photos, 0.0, 0.0
    repeated: list[tuple[float, int]] = []  # shards of lost nodes, and when that is noticed
    while rest or repeated:
        ready, node = heapq.heappop(free)
        if repeated and (repeated[0][0] <= ready or not rest):
            noticed, size = heapq.heappop(repeated)
            ready = max(ready, noticed)
        else:
            size = min(rest, min(1000, max(160, rest // (3 * nodes))))
            rest -= size
        # The scheduler starts one task after the other.
        dispatched = max(dispatched, ready) + 1 / TASKS_PER_SECOND
        mean = size / speeds[node]
        work = max(0.0, numbers.gauss(mean, mean * math.sqrt(variance / size)))
        finish = dispatched + SHARD_OVERHEAD + work
        lost = numbers.expovariate(LOSSES_PER_SECOND)
        if dispatched + lost < finish:
            heapq.heappush(repeated, (dispatched + lost + NOTICED, size))
            heapq.heappush(free, (dispatched + lost + NOTICED + REPLACED, node))
            continue
        end = max(end, finish)
        heapq.heappush(free, (finish, node))
    return Outcome(end, photos / sum(speeds) / end)


def duration(seconds: float) -> str:
    """A duration for people."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    if minutes < 10:
        return f"{minutes:.1f} min"
    if minutes < 100:
        return f"{minutes:.0f} min"
    return f"{int(minutes // 60)} h {int(minutes % 60)} min"


def rows() -> Iterator[str]:
    """The table."""
    yield "| photos | nodes × 16 cores | point filters | efficiency | with blur | efficiency |"
    yield "|---|---|---|---|---|---|"
    for photos, nodes in (
        (1_000_000, 1), (1_000_000, 10), (1_000_000, 100), (1_000_000, 1000),
        (20_000_000, 100), (20_000_000, 1000),
    ):
        point, blur = simulate(photos, nodes, POINT_FILTERS), simulate(photos, nodes, BLUR)
        yield (
            f"| {photos // 1_000_000} million | {nodes:,} | {duration(point.seconds)} | "
            f"{point.efficiency:.2f} | {duration(blur.seconds)} | {blur.efficiency:.2f} |")


if __name__ == "__main__":
    print("\n".join(rows()))
