# SPDX-License-Identifier: Apache-2.0
"""Runs, originals and results in S3: moto's server, and a proxy that answers badly."""

import json
import uuid
from collections.abc import Callable
from pathlib import Path

import boto3
import pytest
from case import Case, digest
from photoedit_cluster.failure import Failure
from photoedit_cluster.run import Run
from photoedit_cluster.store import check_conditional_writes, open_store
from proxy import Proxy

MakeCase = Callable[..., Case]
FAULTS = {"503": 0.04, "409": 0.02, "cut": 0.02, "cut after": 0.04}


class Bucket:
    """A case whose originals, run and results are in S3."""

    def __init__(self, case: Case, endpoint: str, through: str | None = None) -> None:
        self.case, self.prefix = case, uuid.uuid4().hex
        self.client = boto3.client("s3", endpoint_url=endpoint)
        self.run = f"s3://photos/{self.prefix}/run"
        self.out = f"s3://photos/{self.prefix}/out"
        case.environment["AWS_ENDPOINT_URL"] = through or endpoint
        for line in case.lines:
            name = f"{self.prefix}/{line['src']}"
            path = case.folder / line["src"]
            if path.exists():
                self.client.put_object(Bucket="photos", Key=name, Body=path.read_bytes())
            line["src"] = f"s3://photos/{name}"

    def objects(self, prefix: str) -> dict[str, bytes]:
        """The objects below a prefix."""
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket="photos", Prefix=f"{self.prefix}/{prefix}")
        return {
            entry["Key"].removeprefix(f"{self.prefix}/{prefix}"):
                self.client.get_object(Bucket="photos", Key=entry["Key"])["Body"].read()
            for page in pages for entry in page.get("Contents", [])}

    def verify(self, failed: dict[str, int] | None = None) -> dict[str, object]:
        """The oracle for S3."""
        self.case.call("collect", self.run, "--check", code=1 if failed else 0)
        report: dict[str, object] = json.loads(self.objects("run/report.json")[""])
        unique = {line["id"]: line for line in self.case.lines}
        done = len(unique) - sum((failed or {}).values())
        assert report["complete"] is True and report["missing"] == 0
        assert report["failed"] == (failed or {}) and report["poison"] == 0
        assert int(str(report["written"])) + int(str(report["present"])) == done
        blobs, names = self.objects("out/blobs/"), self.objects("out/named/")
        records = {
            name: json.loads(data) for name, data in self.objects("out/records/").items()}
        assert len(names) == done
        for name, data in blobs.items():
            assert name == f"{digest(data)[:2]}/{digest(data)}.jpg"
        renderings = {record["original"]: record["rendering"] for record in records.values()}
        for name, data in names.items():
            original = self.case.originals[str(self.case.folder / "in" / name)]
            assert renderings[original] == digest(data), name
        assert self.objects("out/trials/") == {}
        assert list(self.case.scratch.iterdir()) == []
        return report


def test_a_run_in_s3_is_complete(make_case: MakeCase, bucket: str) -> None:
    case = make_case(60)
    case.add("missing", None)
    case.add("twin", (case.folder / "in/p0000.jpg").read_bytes())
    store = Bucket(case, bucket)
    case.plan("--shard-lines", 40, run=store.run, out=store.out)
    for number in range(case.shards(store.run)):
        case.shard(number, run=store.run)
    report = store.verify(failed={"missing": 1})
    assert report["written"] == 61 or report["present"] == 1
    assert "run" in case.plan(run=store.run, out=store.out, code=73)

    # Without S3: the same run, results and originals in a folder.
    fetched = case.folder / "fetched"
    case.call("fetch", store.run, "--to", fetched, "--originals")
    case.call("collect", fetched, "--check", code=1)
    assert len(list((fetched / "originals").rglob("*.jpg"))) == 61


def test_a_store_that_answers_badly_changes_no_result(make_case: MakeCase, bucket: str) -> None:
    case = make_case()
    proxy = Proxy(bucket, seed=1, faults=FAULTS)
    store = Bucket(case, bucket, through=proxy.url)
    case.plan(run=store.run, out=store.out)
    case.shard(0, run=store.run, code=None)
    while "incomplete" in case.call("status", store.run, code=None):
        case.shard(0, run=store.run, code=None)
    case.environment["AWS_ENDPOINT_URL"] = bucket
    report = store.verify()
    assert report["present"] == 0
    assert set(proxy.counts) == set(FAULTS)
    proxy.shutdown()


def test_a_store_without_conditional_writes_is_refused(make_case: MakeCase, bucket: str) -> None:
    case = make_case(3)
    proxy = Proxy(bucket, ignores_conditions=True)
    store = Bucket(case, bucket, through=proxy.url)
    assert "conditional writes" in case.plan(run=store.run, out=store.out, code=69)
    assert store.objects("run/") == {} and store.objects("out/") == {}
    proxy.shutdown()


def test_a_store_keeps_the_first_of_many_writers(
    tmp_path: Path, bucket: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    from concurrent.futures import ThreadPoolExecutor
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket)
    for url in (str(tmp_path), f"file://{tmp_path}/b", f"s3://photos/{uuid.uuid4().hex}"):
        store = open_store(url)
        check_conditional_writes(store)
        for number in range(10):
            name = f"a/{number}"
            with ThreadPoolExecutor(8) as pool:
                won = list(pool.map(
                    lambda writer: store.put_once(name, b"%d" % writer), range(8)))
            assert won.count(True) == 1
            assert store.get(name, 10) == b"%d" % won.index(True)
        assert list(store.list("a/")) == sorted(f"a/{number}" for number in range(10))
        assert store.exists("a/1") and not store.exists("a/x")
        store.replace("a/1", b"new")
        assert store.get("a/1", 3) == b"new"
        with pytest.raises(Failure) as failure:
            store.get("a/x", 3)
        assert failure.value.exit == 66
    with pytest.raises(Failure) as failure:
        open_store("ftp://host/x")
    assert failure.value.exit == 64


def test_a_lost_answer_to_a_write_is_no_other_writer(
    bucket: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    proxy = Proxy(bucket, seed=3, faults={"cut after": 0.4})
    monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.url)
    store = open_store(f"s3://photos/{uuid.uuid4().hex}")
    written = 0
    for number in range(10):
        try:
            written += store.put_once(str(number), b"data")
        except Failure as failure:
            assert failure.exit == 75
    assert written >= 8
    proxy.shutdown()


def test_a_manifest_in_parquet_is_a_manifest(make_case: MakeCase) -> None:
    import pyarrow
    from pyarrow.parquet import write_table
    case = make_case(10)
    case.lines[3]["bytes"] = len(case.base)
    manifest = case.folder / "manifest.parquet"
    write_table(pyarrow.Table.from_pylist(
        [{"bytes": None} | line for line in case.lines]), manifest)
    case.call(
        "plan", manifest, "--graph", "look.json", "--out", case.out, "--run", case.run, "--root",
        case.folder)
    case.shard(0)
    case.verify()
    assert sorted(line["id"] for line in Run(str(case.run)).lines("0-0")) == [
        line["id"] for line in case.lines]
