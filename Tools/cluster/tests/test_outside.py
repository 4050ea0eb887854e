# SPDX-License-Identifier: Apache-2.0
"""Runs that anyone may have written: no name in them leads out of a folder."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from photoedit_cluster.failure import Failure
from photoedit_cluster.publish import blob_name, record_name
from photoedit_cluster.run import Run
from photoedit_cluster.store import FolderStore, is_beneath, open_store, split_source
from photoedit_cluster.transfer import fetch

LOOK, KEY, RENDERING = "a" * 64, "b" * 64, "c" * 64
OUTSIDE = [
    "../victim/file", "a/../../victim/file", "a/..", "..", ".", "a/./b", "a//b", "a/", "",
    "a\0b"]


def code(action: Callable[[], object]) -> str:
    with pytest.raises(Failure) as failure:
        action()
    assert failure.value.exit == 65
    return failure.value.code


@pytest.fixture
def store(tmp_path: Path) -> FolderStore:
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim/file").write_bytes(b"secret")
    (tmp_path / "store/real").mkdir(parents=True)
    (tmp_path / "store/real/file").write_bytes(b"own")
    return FolderStore(str(tmp_path / "store"))


def unchanged(folder: Path) -> None:
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert (folder / "file").read_bytes() == b"secret"


def operations(store: FolderStore, name: str) -> list[Callable[[], Any]]:
    return [
        lambda: store.get(name, 10), lambda: store.put_once(name, b"x"),
        lambda: store.replace(name, b"x"), lambda: store.delete(name)]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_leads_out_is_refused(
    store: FolderStore, tmp_path: Path, name: str,
) -> None:
    assert not is_beneath(name)
    names = [name] if name else []
    names += [str(tmp_path / "victim/file")]
    for other in names:
        for action in (*operations(store, other), lambda: store.exists(other)):
            assert code(action) == "outside"
    unchanged(tmp_path / "victim")


@pytest.mark.parametrize("depth", range(3))
def test_a_link_is_not_followed_at_any_level(
    store: FolderStore, tmp_path: Path, depth: int,
) -> None:
    name = "/".join([*("abc"[:depth]), "link", "file"])
    (tmp_path / "store" / name).parent.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "store" / name).parent.symlink_to(tmp_path / "victim")
    for action in (*operations(store, name), lambda: store.exists(name), lambda: store.path(name)):
        assert code(action) == "outside"
    assert code(lambda: list(store.list(name.removesuffix("file")))) == "outside"
    # A link to a file is not read, and is removed itself.
    last = name.removesuffix("link/file") + "last"
    (tmp_path / "store" / last).symlink_to(tmp_path / "victim/file")
    assert code(lambda: store.get(last, 10)) == "outside"
    assert store.exists(last) and not store.put_once(last, b"x")
    store.delete(last)
    assert not store.exists(last)
    unchanged(tmp_path / "victim")


def test_a_link_that_replaces_a_folder_meanwhile_is_not_followed(
    store: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = FolderStore._check_link

    def swap(self: FolderStore, name: str, part: str, folder: int) -> None:
        check(self, name, part, folder)
        if part == "real" and not (tmp_path / "moved").exists():
            (tmp_path / "store/real").rename(tmp_path / "moved")
            (tmp_path / "store/real").symlink_to(tmp_path / "victim")

    monkeypatch.setattr(FolderStore, "_check_link", swap)
    with pytest.raises(Failure):
        store.replace("real/file", b"x")
    unchanged(tmp_path / "victim")


@pytest.mark.parametrize("name", ["none/file", "real/file/below", "none"])
def test_a_path_that_cannot_be_checked_is_a_failure(tmp_path: Path, name: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_bytes(b"own")
    root = tmp_path / "none" if name == "none" else tmp_path
    with pytest.raises(Failure):
        FolderStore(str(root)).path(name)


def test_the_names_of_new_folders_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    synced: list[str] = []

    def fsync(file: int) -> None:
        path = os.readlink(f"/proc/self/fd/{file}")
        if os.path.isdir(path):
            synced.append(os.path.relpath(path, tmp_path) + ": " + " ".join(os.listdir(path)))

    monkeypatch.setattr(os, "fsync", fsync)
    store = FolderStore(str(tmp_path / "new/store"))
    assert store.put_once("a/b/file", b"x")
    assert synced == [".: new", "new: store", "new/store: a", "new/store/a: b",
                      "new/store/a/b: file"]
    synced.clear()
    assert store.put_once("a/b/other", b"x") and len(synced) == 1


def test_the_folder_itself_may_be_a_link(store: FolderStore, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "store")
    other = open_store(str(tmp_path / "link"))
    assert other.get("real/file", 3) == b"own" and other.put_once("new/file", b"x")
    assert list(store.list("")) == ["new/file", "real/file"]


@pytest.mark.parametrize("source", ["../x.jpg", "a/../../x.jpg", "a/./x.jpg"])
def test_a_source_stays_below_the_root(source: str, tmp_path: Path) -> None:
    assert code(lambda: split_source(source, str(tmp_path))) == "outside"
    assert code(lambda: split_source(source, "s3://bucket/photos")) == "outside"


def test_an_original_may_be_reached_through_the_users_own_links(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive/x.jpg").write_bytes(b"photo")
    (tmp_path / "photos").symlink_to(tmp_path / "archive")
    url, name = split_source("photos/x.jpg", str(tmp_path))
    assert open_store(url).get(name, 5) == b"photo"


@pytest.mark.parametrize("text", ["", "../../x", "A" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n", 3])
def test_names_of_results_are_made_of_digests_only(text: Any) -> None:
    assert code(lambda: blob_name(text)) == code(lambda: record_name(text)) == "digest"


def write_run(folder: Path, looks: list[str], line: dict[str, Any], result: dict[str, Any]) -> Path:
    run, out = folder / "run", folder / "out"
    for name in ("results", "shards", "levels", "looks"):
        (run / name).mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({
        "engine": 1, "format": 1, "looks": looks, "output": str(out), "root": str(folder),
        "options": {}, "shards": 1}))
    (run / "shards/0-0.jsonl").write_text(json.dumps({"id": "x", "src": "x.jpg"} | line) + "\n")
    (run / "results/0-0.1-x.jsonl").write_text(json.dumps({
        "id": "x", "status": "written", "key": KEY, "rendering": RENDERING, "bytes": 1,
        "original": LOOK} | result) + "\n")
    for name in (blob_name(RENDERING), record_name(KEY), "named/x.jpg"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(b"x")
    return run


def tree(folder: Path) -> list[str]:
    return sorted(
        os.path.relpath(os.path.join(path, name), folder)
        for path, _, names in os.walk(folder) for name in names)


def test_a_run_is_fetched(tmp_path: Path) -> None:
    run = write_run(tmp_path / "card", [LOOK], {"out": "named/x.jpg"}, {})
    fetch(str(run), str(tmp_path / "fetched"), False)
    assert "output/named/x.jpg" in tree(tmp_path / "fetched")
    assert "run.json" in tree(tmp_path / "fetched")


@pytest.mark.parametrize(("line", "result"), [
    ({"out": "../../../victim/new"}, {}), ({"out": "/victim/new"}, {}),
    ({"out": "named/../../../victim/new"}, {}), ({"out": "named/link/new"}, {}),
    ({}, {"rendering": "../../../../victim/new"}), ({}, {"key": "../../../../victim/new"}),
    ({}, {"key": "/victim/new"}), ({}, {"rendering": 7}),
])
def test_a_hostile_run_is_not_fetched(
    tmp_path: Path, line: dict[str, Any], result: dict[str, Any],
) -> None:
    run = write_run(tmp_path / "card", [LOOK], line, result)
    victim = tmp_path / "card/victim"
    victim.mkdir()
    (victim / "new").write_bytes(b"secret")
    (tmp_path / "card/out/named/link").symlink_to(victim)
    before = tree(tmp_path)
    assert code(lambda: fetch(str(run), str(tmp_path / "fetched"), False)) in ("outside", "digest")
    after = [name for name in tree(tmp_path) if not name.startswith("fetched/")]
    assert after == before
    assert not (tmp_path / "fetched/run.json").exists()
    fetched = (tmp_path / "fetched").rglob("*")
    assert all(path.read_bytes() != b"secret" for path in fetched if path.is_file())


def test_links_in_a_run_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    run = write_run(tmp_path / "card", [LOOK], {}, {})
    (run / "looks" / f"{LOOK}.json").symlink_to(tmp_path / "secret")
    assert code(lambda: fetch(str(run), str(tmp_path / "fetched"), False)) == "outside"
    (run / "looks" / f"{LOOK}.json").unlink()
    (run / "results/0-0.1-x.jsonl").unlink()
    (run / "results/0-0.1-x.jsonl").symlink_to(tmp_path / "secret")
    assert code(lambda: Run(str(run)).results("0-0")) == "outside"


def test_looks_are_digests(tmp_path: Path) -> None:
    run = write_run(tmp_path / "card", ["../../x"], {}, {})
    assert code(lambda: Run(str(run))) == "digest"
