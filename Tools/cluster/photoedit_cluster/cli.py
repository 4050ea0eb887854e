# SPDX-License-Identifier: Apache-2.0
"""The command photoedit-cluster."""

import argparse
import logging
import os
import signal
import sys
from types import FrameType
from typing import Any

from .child import Limits
from .failure import BUSY, UNAVAILABLE, USAGE, Failure, repeated
from .run import Part, Run
from .shard import Settings, run_shard
from .status import Progress, described, status
from .store import check_conditional_writes, open_store
from .transfer import collect, fetch, plan


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        self.print_usage(sys.stderr)
        raise Failure(USAGE, "usage", message)


class _Stops:
    """The signals to stop that were received."""

    def __init__(self) -> None:
        self.count, self.signal = 0, 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._receive)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.count, self.signal = self.count + 1, number


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit code, which has the meaning of photoedit's."""
    try:
        known, others = _parser().parse_known_args(arguments)
        if others and known.command not in ("plan", "run", "collect"):
            raise Failure(USAGE, "usage", f"unknown argument '{others[0]}'")
        code: int = known.perform(known, others)
        return code
    except Failure as failure:
        print(f"photoedit-cluster: {failure.message}", file=sys.stderr)
        return failure.exit


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="photoedit-cluster", description="Render photos with photoedit on many machines.")
    parser.add_argument(
        "--photoedit", default=os.environ.get("PHOTOEDIT", "photoedit"), metavar="PROGRAM",
        help="the program photoedit (default: $PHOTOEDIT, or photoedit in PATH)")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)

    def command(name: str, perform: Any, text: str) -> argparse.ArgumentParser:
        child = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        child.set_defaults(perform=perform)
        return child

    def add_plan(child: argparse.ArgumentParser) -> None:
        child.add_argument("--out", "-o", "--output", metavar="OUT", help="s3://… or a folder")

    def add_work(child: argparse.ArgumentParser) -> None:
        child.add_argument("--cores", type=int, help="cores for each shard")
        child.add_argument("--scratch", help="folder for temporary files (default: $TMPDIR)")
        child.add_argument("--max-seconds", type=int, default=120, help="time limit per photo")
        child.add_argument("--max-memory", default="2G", help="memory limit per photo")
        child.add_argument(
            "--max-failures", type=float, default=5, help="failures that end the run, in percent")
        child.add_argument(
            "--max-rate", type=float, default=0, help="photos per second (0: no limit)")
        child.add_argument("--replace-names", action="store_true", help="replace existing names")
        child.add_argument(
            "--retry-failed", action="store_true", help="repeat lines that failed before")

    child = command("run", _run, "Plan if needed, run all shards with Ray, and collect.")
    child.add_argument("manifest", nargs="?", help="JSON Lines or Parquet; omit to continue")
    child.add_argument("--run", required=True, metavar="RUN", help="s3://… or a folder")
    child.add_argument("--address", help="the Ray cluster (default: $RAY_ADDRESS, or this machine)")
    child.add_argument("--grace", type=float, default=30, help="seconds to wait after Ctrl-C")
    child.add_argument("--metrics", type=int, metavar="PORT", help="port for Prometheus")
    child.add_argument("--quiet", "-q", action="store_true", help="print no progress")
    add_plan(child)
    add_work(child)
    child = command("plan", _plan, "Divide a manifest into shards, like photoedit plan.")
    child.add_argument("manifest", nargs="?", help="JSON Lines or Parquet; omit with --resume")
    child.add_argument("--run", required=True, metavar="RUN", help="s3://… or a folder")
    add_plan(child)
    child = command("shard", _shard, "Run one shard in this process, for any engine.")
    child.add_argument("run")
    child.add_argument("number", help="the number in the current level, or LEVEL-NUMBER")
    add_work(child)
    child = command("status", _status, "Print the state of a run, read from its folder only.")
    child.add_argument("run")
    child.add_argument(
        "--shards", action="store_true", help="print only the number of shards to run")
    child = command("collect", _collect, "Write the report, like photoedit collect.")
    child.add_argument("run")
    child = command("fetch", _fetch, "Copy a run with its results to a folder.")
    child.add_argument("run")
    child.add_argument("--to", required=True, metavar="DIR")
    child.add_argument("--originals", action="store_true", help="also copy the originals in S3")
    return parser


def _settings(known: argparse.Namespace) -> Settings:
    return Settings(
        cores=known.cores or len(os.sched_getaffinity(0)), scratch=known.scratch,
        limits=Limits(known.photoedit, known.max_seconds, known.max_memory),
        replaces_names=known.replace_names, retries_failed=known.retry_failed,
        max_failures=known.max_failures / 100, max_rate=known.max_rate)


def _plan(known: argparse.Namespace, others: list[str]) -> int:
    return plan(known.photoedit, known.manifest, known.run, known.out, others)


def _shard(known: argparse.Namespace, others: list[str]) -> int:
    run, stops = Run(known.run), _Stops()
    if "-" in known.number:
        shard = known.number
    elif not known.number.isdecimal():
        raise Failure(USAGE, "shard", f"{known.number}: not the number of a shard")
    else:
        level, count = run.current()
        if len(known.number) > 16 or int(known.number) >= count:
            print(f"photoedit-cluster: no shard {known.number}; nothing to do", file=sys.stderr)
            return 0
        shard = f"{level}-{int(known.number)}"
    summary = run_shard(
        run, Part(shard, 0, 1 << 40), _settings(known), is_stopped=lambda: stops.count > 0)
    if stops.signal:
        return 128 + stops.signal
    if summary.left:
        raise Failure(
            BUSY, "left",
            f"shard {shard}: {summary.left} lines are left"
            f"{': ' * bool(summary.reason)}{summary.reason}; try again, or on another machine")
    return 0


def _status(known: argparse.Namespace, others: list[str]) -> int:
    run = Run(known.run)
    if known.shards:
        print(run.current()[1])
        return 0
    counts = status(run)
    print(described(counts))
    if counts["missing"] > 0:
        return BUSY
    return 1 if counts["failed"] or counts["poison"] else 0


def _collect(known: argparse.Namespace, others: list[str]) -> int:
    return collect(
        known.photoedit, known.run, others, lambda text: print(text, file=sys.stderr))


def _fetch(known: argparse.Namespace, others: list[str]) -> int:
    fetch(known.run, known.to, known.originals)
    return 0


def _run(known: argparse.Namespace, others: list[str]) -> int:
    store = open_store(known.run)
    if not repeated(lambda: store.exists("run.json")):
        if known.manifest is None:
            raise Failure(USAGE, "usage", f"{known.run}: not a run; specify a manifest")
        code = plan(known.photoedit, known.manifest, known.run, known.out, others)
        if code:
            return code
    run = Run(known.run)
    check_conditional_writes(run.output)
    _perform(run, known)
    return collect(known.photoedit, known.run, [], lambda text: print(text, file=sys.stderr))


def _perform(run: Run, known: argparse.Namespace) -> None:
    address = known.address or os.environ.get("RAY_ADDRESS")
    if not address:
        # With the second one, Ray keeps 127.0.0.1 and does not listen on other interfaces.
        os.environ |= {"RAY_worker_niceness": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
    try:
        import ray
        from .ray_engine import RayEngine
    except ImportError as error:
        raise Failure(
            UNAVAILABLE, "noRay", "Ray is missing; install photoedit-cluster[ray]") from error
    options: dict[str, Any] = {"address": address} if address else {
        "address": "local", "include_dashboard": False, "object_store_memory": 100_000_000,
        "_node_ip_address": "127.0.0.1", "_metrics_export_port": known.metrics}
    ray.init(log_to_driver=False, logging_level=logging.WARNING, **options)
    stops, progress = _Stops(), Progress(
        run.line_count, known.quiet)
    try:
        engine = RayEngine(
            run, _settings(known), known.cores, known.grace, progress.add,
            lambda text: print(f"photoedit-cluster: warning: {text}", file=sys.stderr),
            lambda: stops.count)
        engine.check_nodes()
        engine.perform()
    finally:
        ray.shutdown()
    if stops.count:
        raise Failure(
            128 + stops.signal, "stopped", "stopped; the same command continues the run")
