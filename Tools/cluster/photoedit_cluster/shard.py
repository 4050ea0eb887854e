# SPDX-License-Identifier: Apache-2.0
"""One shard on one node: worker processes, prefetch, publishing and classes of failures."""

import contextlib
import os
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from .child import Child, Limits
from .document import Line
from .failure import BAD_DATA, BUSY, ELSEWHERE, FINAL, INTERNAL, Failure
from .publish import Photo, Publisher
from .run import Part, Run
from .scratch import Budget, scratch_folder

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Settings:
    """What a caller chooses for all shards of a run."""

    cores: int = 1
    scratch: str | None = None
    limits: Limits = Limits()
    replaces_names: bool = False
    retries_failed: bool = False
    max_failures: float = 0.05
    max_rate: float = 0


@dataclass(frozen=True)
class Summary:
    """The counts of one task; lines that are left have no result."""

    counts: dict[str, int]
    cpu_ms: float = 0
    bytes_in: int = 0
    bytes_out: int = 0
    left: int = 0
    is_unfit: bool = False
    reason: str = ""
    node: str = ""


def run_shard(
    run: Run, part: Part, settings: Settings, attempt: int = 1, is_last: bool = False,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Summary:
    """Gives each line of a part a result; a line that fails here is never the end of the shard."""
    lines = run.lines(part.shard)
    done = {
        name for name, line in run.results(part.shard).items()
        if not (settings.retries_failed and line["status"] in ("failed", "poison"))}
    photos = [
        Photo(number, lines[number]) for number in range(part.start, min(part.stop, len(lines)))
        if lines[number]["id"] not in done]
    if not photos:
        return Summary({}, node=os.uname().nodename)
    limits = replace(settings.limits, arguments=tuple(run.worker_arguments()))
    settings = replace(settings, limits=limits)
    try:
        with scratch_folder(settings.scratch) as folder:
            work = _ShardWork(run, photos, settings, folder, attempt, is_last)
            return work.perform(part.shard, is_stopped)
    except Failure as failure:
        if failure.exit not in ELSEWHERE:
            raise
        return Summary(
            {}, left=len(photos), is_unfit=True, reason=failure.message,
            node=os.uname().nodename)


class _ShardWork:
    """The state of one call of `run_shard`."""

    def __init__(
        self, run: Run, photos: list[Photo], settings: Settings, folder: str, attempt: int,
        is_last: bool,
    ) -> None:
        self._run, self._photos, self._settings, self._folder = run, photos, settings, folder
        self._attempt, self._is_last = attempt, is_last
        self._publisher = Publisher(run, settings.replaces_names)
        self._looks = run.copy_looks(folder)
        self._ready: queue.PriorityQueue[tuple[int, Photo | None]] = queue.PriorityQueue()
        self._lock = threading.Condition()
        self._open = len(photos)
        self._results: list[Line] = []
        self._counts: Counter[str] = Counter()
        self._in = self._out = self._left = self._in_a_row = 0
        self._cpu = 0.0
        self._slots = threading.Semaphore(3 * settings.cores)
        self._budget = Budget(64 * MEBIBYTE * settings.cores)
        self._stop: Failure | None = None
        self._is_unfit = False
        self._components: object = None

    def perform(self, shard: str, is_stopped: Callable[[], bool]) -> Summary:
        cores = self._settings.cores
        threads = [
            threading.Thread(target=self._guarded(self._serve_child), daemon=True)
            for _ in range(min(cores, len(self._photos)))]
        with ThreadPoolExecutor(2 * cores) as self._pool:
            for thread in threads:
                thread.start()
            self._feed(is_stopped)
            with self._lock:
                self._lock.wait_for(lambda: self._open == 0 or self._stop is not None)
            for number in range(len(threads)):
                self._ready.put(((1 << 62) + number, None))
            for thread in threads:
                thread.join()
        node = os.uname().nodename
        if self._results:
            self._run.put_results(shard, self._attempt, [
                {"results": 1, "node": node, "engine": self._run.engine,
                 "components": self._components}, *self._results])
        if self._stop is not None and not self._is_unfit and self._stop.exit != BUSY:
            raise self._stop
        return Summary(
            dict(self._counts), self._cpu, self._in, self._out, self._open + self._left,
            self._is_unfit,
            self._stop.message if self._stop else "", node)

    def _feed(self, is_stopped: Callable[[], bool]) -> None:
        """Starts the reading of photos, as many as there is space for."""
        interval = 1 / self._settings.max_rate if self._settings.max_rate else 0
        due = time.monotonic()
        for photo in self._photos:
            self._slots.acquire()
            size = 2 * int(photo.line.get("bytes") or 4 * MEBIBYTE)
            self._budget.acquire(photo.number, size)
            if is_stopped():
                self._end(Failure(BUSY, "stopped", "stopped"))
            if self._stop is not None:
                return
            time.sleep(max(0, due - time.monotonic()))
            due = max(due, time.monotonic() - interval) + interval
            photo.output = os.path.join(self._folder, f"{photo.number}.jpg")
            self._pool.submit(self._guarded(partial(self._prepare, photo)))

    def _guarded(self, action: Callable[[], None]) -> Callable[[], None]:
        """An action whose failure ends the shard instead of being lost in a thread."""
        def guarded() -> None:
            try:
                action()
            except Failure as failure:
                self._end(failure)
            except BaseException as error:
                self._end(Failure(INTERNAL, "internal", f"internal error: {error!r}"))
        return guarded

    def _end(self, failure: Failure) -> None:
        with self._lock:
            self._stop = self._stop or failure
            self._is_unfit = self._is_unfit or failure.exit in ELSEWHERE
            self._lock.notify_all()
        self._slots.release()
        self._budget.stop()

    def _prepare(self, photo: Photo) -> None:
        if self._stop is not None:
            return
        try:
            result = self._publisher.prepare(photo, self._folder)
        except Failure as failure:
            return self._fail(photo, failure)
        if result:
            self._finish(photo, result)
        else:
            self._ready.put((photo.number, photo))

    # --- Worker processes ----------------------------------------------------------------------

    def _serve_child(self) -> None:
        """Keeps one process busy: one photo in work, and one that waits."""
        child: Child | None = None
        sent: list[Photo] = []
        try:
            while self._stop is None:
                while len(sent) < 2:
                    try:
                        _, photo = self._ready.get(block=not sent)
                    except queue.Empty:
                        break
                    if photo is None:
                        return
                    if child is None:
                        child = self._start()
                    child.ask(self._request(photo))
                    sent.append(photo)
                if child is None:
                    continue
                photo = sent[0]
                reason, answer = _await(child)
                if answer is None or answer.get("exit") == INTERNAL:
                    for other in sent[1:]:
                        self._ready.put((other.number, other))
                    sent.clear()
                    if answer is not None:
                        child.close()
                        reason = {"exit": INTERNAL}
                    child = self._repeat_alone(photo, reason)
                else:
                    del sent[0]
                    self._accept(photo, answer)
        finally:
            if child is not None:
                child.close()

    def _start(self) -> Child:
        child = Child(self._settings.limits)
        child.check_engine(self._run.engine)
        self._components = child.hello.get("components")
        return child

    def _request(self, photo: Photo) -> Line:
        return {
            "id": photo.line["id"], "input": photo.input, "output": photo.output,
            "look": os.path.join(self._looks, f"{photo.look}.json")}

    def _repeat_alone(self, photo: Photo, reason: Line) -> Child | None:
        """Processes a photo that ended its process alone in a new one; twice is poison."""
        photo.attempts += 1
        with contextlib.suppress(FileNotFoundError):
            os.unlink(photo.output)
        if photo.attempts == 2:
            self._finish(photo, {
                "id": photo.line["id"], "status": "poison", **reason, "attempts": 2})
            return None
        child = self._start()
        child.ask(self._request(photo))
        reason, answer = _await(child)
        if answer is None or answer.get("exit") == INTERNAL:
            if answer is not None:
                child.close()
                reason = {"exit": INTERNAL}
            return self._repeat_alone(photo, reason)
        self._accept(photo, answer)
        return child

    def _accept(self, photo: Photo, answer: Line) -> None:
        if answer.get("id") != photo.line["id"]:
            raise Failure(INTERNAL, "order", "the worker answered another line")
        if answer.get("status") == "rendered":
            self._pool.submit(self._guarded(lambda: self._publish(photo, answer)))
        else:
            self._fail(photo, Failure(
                int(answer.get("exit", INTERNAL)), str(answer.get("code", "")),
                str(answer.get("message", ""))))

    def _publish(self, photo: Photo, answer: Line) -> None:
        try:
            result = self._publisher.publish(photo, answer, self._components)
        except Failure as failure:
            return self._fail(photo, failure)
        self._finish(photo, result)

    # --- Results -------------------------------------------------------------------------------

    def _fail(self, photo: Photo, failure: Failure) -> None:
        """Reports a failure, or leaves the line to another node or to a later attempt."""
        if failure.exit in FINAL or self._is_last:
            return self._finish(photo, {
                "id": photo.line["id"], "status": "failed", "exit": failure.exit,
                "code": failure.code, "message": failure.message})
        self._remove_files(photo)
        with self._lock:
            # The line stays without a result; the shard continues with the others.
            self._left += 1
            self._open -= 1
            self._in_a_row += 1
            if self._in_a_row >= (2 if failure.exit in ELSEWHERE else 10):
                self._is_unfit = failure.exit in ELSEWHERE
                self._stop = self._stop or Failure(
                    failure.exit if self._is_unfit else BUSY, failure.code, failure.message)
                self._budget.stop()
            self._lock.notify_all()
        self._slots.release()

    def _finish(self, photo: Photo, result: Line) -> None:
        self._remove_files(photo)
        if result["status"] != "poison":
            result["attempt"] = self._attempt + photo.attempts
        with self._lock:
            self._results.append(result)
            self._counts[result["status"]] += 1
            self._cpu += result.get("cpuMs", 0)
            self._in += photo.bytes_in
            self._out += int(result["bytes"]) if result["status"] == "written" else 0
            self._open -= 1
            if result["status"] in ("written", "present"):
                self._in_a_row = 0
            failed = self._counts["failed"]
            if len(self._results) >= 1000 and (
                    failed > self._settings.max_failures * len(self._results)):
                self._stop = self._stop or Failure(
                    BAD_DATA, "maxFailures",
                    f"{failed} of {len(self._results)} photos failed; the cause is probably the "
                    "look or the credentials (see --max-failures)")
            self._lock.notify_all()
        self._slots.release()

    def _remove_files(self, photo: Photo) -> None:
        for path in (photo.input, photo.output):
            # An original of this machine is elsewhere.
            if os.path.dirname(path) == self._folder:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
        self._budget.release(photo.number)


def _await(child: Child) -> tuple[Line, Line | None]:
    """The answer of a process, or the reason why there is no answer."""
    try:
        answer = child.answer()
    except TimeoutError:
        return {"reason": "time"}, None
    return ({}, answer) if answer is not None else (child.reason(), None)
