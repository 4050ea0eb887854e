# SPDX-License-Identifier: Apache-2.0
"""Commands, libraries and the worker of the Python package."""

import json
import threading
from datetime import datetime, timezone

import photoedit
from case import CALLS, GRAPH, PROGRAM, Case, resident


class EditTests(Case):
    def test_an_edit_is_saved_changed_and_reverted(self) -> None:
        photo = self.photo()
        report = photoedit.apply(photo, filters=[("exposure", {"ev": 0.5})])[0]
        self.assertEqual(report["output"], str(self.folder / "photo-64.edited.jpg"))
        self.assertTrue(photoedit.show(photo)["resumable"])
        photoedit.adjust(photo, set=["exposure.ev=0.7"])
        states = photoedit.history(photo)["states"]
        self.assertEqual([state["state"] for state in states], ["undo", "undo", "current"])
        photoedit.undo(photo)
        photoedit.redo(photo)
        photoedit.revert(photo)
        self.assertFalse(photoedit.show(photo)["edited"])

    def test_failed_inputs_are_reported(self) -> None:
        photo = self.photo()
        with self.assertRaises(photoedit.FailedInputsError) as raised:
            photoedit.apply(photo, self.folder / "none.jpg", filters=["sepia"])
        reports = raised.exception.reports
        self.assertEqual(reports[0]["input"], str(photo))
        self.assertEqual(reports[1]["error"]["exit"], 66)
        with self.assertRaises(photoedit.InputMissingError) as missing:
            photoedit.apply(self.folder / "none.jpg", filters=["sepia"])
        self.assertIn("none.jpg", str(missing.exception))

    def test_values_of_filters_have_the_form_of_the_command_line(self) -> None:
        graph = photoedit.apply(self.photo(), filters=[
            ("curves", {"points": [(0, 0), (0.5, 0.6), (1, 1)]}),
            ("grayscale", {"mode": "luma709"}), ("cdl", {"slope": (1.2, 0.9, 1.1)})])
        self.assertEqual(len(graph), 1)


class LibraryTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.library = photoedit.Library.create(self.folder / "Photos")
        self.addCleanup(self.library.close)

    def import_two(self) -> list[photoedit.Asset]:
        self.library.import_(self.photo(), self.photo("photo-landscape.jpg"))
        return list(self.library.assets())

    def test_assets_are_dataclasses(self) -> None:
        assets = self.import_two()
        names = [asset.filename for asset in assets]
        self.assertEqual(names, ["photo-64.jpg", "photo-landscape.jpg"])
        self.assertEqual(assets[0].width, 64)
        date = datetime(2024, 6, 21, 16, 42, 7, tzinfo=timezone.utc)
        self.assertEqual(assets[1].creation_date, date)
        self.library.set(assets[0], title="Harbor", rating=4, favorite=True, keyword=["+boats"])
        found = list(self.library.assets("rating:4..", where="favorite == YES"))
        texts = [(asset.title, asset.keywords) for asset in found]
        self.assertEqual(texts, [("Harbor", ("boats",))])
        self.assertEqual(list(self.library.assets(where="rating == 5")), [])
        with self.assertRaises(photoedit.UsageError):
            list(self.library.assets(where="nosuch == 5"))

    def test_an_iteration_that_ends_early_ends_the_command(self) -> None:
        self.import_two()
        for _ in range(3):
            for asset in self.library.assets():
                self.assertEqual(asset.filename, "photo-64.jpg")
                break
        self.assertEqual([t.name for t in threading.enumerate() if t.name == "photoedit"], [])

    def test_albums(self) -> None:
        assets = self.import_two()
        identifier = self.library.create_album("Lisbon")
        self.library.add(identifier, *assets)
        album = next(self.library.albums())
        self.assertEqual((album.identifier, album.title, album.count), (identifier, "Lisbon", 2))
        listed = list(self.library.assets(album="Lisbon", sort="originalFilename:desc", limit=1))
        self.assertEqual([asset.filename for asset in listed], ["photo-landscape.jpg"])

    def test_edits_of_assets(self) -> None:
        asset = self.import_two()[0]
        self.library.apply(asset, filters=["sepia"])
        self.assertTrue(next(self.library.assets()).edited)

    def test_changes_are_followed(self) -> None:
        following, seen = self.library.changes(follow=True, since="beginning"), []
        assets = self.import_two()
        change = next(following)
        self.assertEqual(set(change.assets.inserted), {asset.identifier for asset in assets})
        self.library.set(assets[0], rating=3)
        seen.append(next(following))
        self.assertEqual(seen[0].assets.updated, (assets[0].identifier,))
        following.close()
        later = [commit.token for commit in self.library.changes(since=change.token)]
        self.assertEqual(later, [seen[0].token])

    def test_a_closed_or_missing_library_is_an_error(self) -> None:
        self.library.close()
        with self.assertRaises(photoedit.UsageError):
            self.library.assets()
        with self.assertRaises(photoedit.InputMissingError):
            photoedit.Library(self.folder / "none")

    def test_memory_does_not_grow(self) -> None:
        self.import_two()

        def work(count: int) -> None:
            for _ in range(count):
                self.library.run("asset list", "--json")
                list(self.library.assets(limit=1))

        work(100)
        before = resident()
        work(CALLS // 2)
        self.assertLess(resident() - before, 2048)


class WorkerTests(Case):
    def worker(self, **options: object) -> photoedit.Worker:
        worker = photoedit.Worker(program=PROGRAM, **options)
        self.addCleanup(worker.close)
        return worker

    def test_the_bytes_are_those_of_this_process(self) -> None:
        photo, output = self.photo(), self.folder / "out.jpg"
        answer = self.worker().render(photo, output, GRAPH, quality=80, strip="all")
        self.assertEqual(answer["width"], 64)
        self.assertEqual(
            output.read_bytes(), photoedit.Image(photo).render(GRAPH, quality=80, strip="all").data)

    def test_bytes_in_memory_are_rendered(self) -> None:
        photo, worker = self.photo("photo-1024.jpg"), self.worker()
        image = photoedit.Image(photo)
        for data in (photo.read_bytes(), bytearray(photo.read_bytes())):
            rendering = worker.render_bytes(data, GRAPH, quality=80)
            self.assertEqual(rendering.data, image.render(GRAPH, quality=80).data)
            self.assertEqual(rendering.size, (1024, 768))
        self.assertEqual(worker.render_bytes(photo.read_bytes()).data, image.render().data)
        process = worker._process
        with self.assertRaises(photoedit.BadDataError):
            worker.render_bytes(b"\n" * 300_000, GRAPH)
        worker.render(photo, self.folder / "next.jpg", GRAPH)
        self.assertIs(worker._process, process)

    def test_bytes_after_a_line_that_cannot_be_read_are_no_requests(self) -> None:
        worker, output = self.worker(), self.folder / "smuggled.jpg"
        request = {"id": 1, "input": str(self.photo()), "output": str(output), "graph": GRAPH}
        data = (b"\n" + json.dumps(request).encode() + b"\n") * 3000
        deep: dict[str, object] = {}
        for _ in range(40):
            deep = {"deep": deep}
        with self.assertRaises(photoedit.UsageError):
            worker.render_bytes(data, {**GRAPH, "ev": float("nan")})
        for graph in (deep, {**GRAPH, "note": "x" * 3_000_000}):
            with self.assertRaises((photoedit.BadDataError, photoedit.WorkerEnded)):
                worker.render_bytes(data, graph)
            self.assertFalse(output.exists())
            self.assertEqual(worker.render_bytes(self.photo().read_bytes(), GRAPH).size, (64, 48))

    def test_failures_are_raised_and_the_process_stays(self) -> None:
        photo, worker = self.photo(), self.worker()
        with self.assertRaises(photoedit.InputMissingError):
            worker.render(self.folder / "none.jpg", self.folder / "a.jpg", GRAPH)
        with self.assertRaises(photoedit.BadDataError) as raised:
            worker.render(photo, self.folder / "a.jpg", GRAPH, max_pixels=10)
        self.assertEqual(raised.exception.code, "limitExceeded")
        process = worker._process
        worker.render(photo, self.folder / "a.jpg", GRAPH)
        self.assertIs(worker._process, process)

    def test_a_process_that_ends_is_noticed_and_replaced(self) -> None:
        photo, worker = self.photo("photo-1024.jpg"), self.worker(max_seconds=1)
        slow = {**GRAPH, "nodes": [
            {"filter": "gaussianBlur", "id": f"n{i}", "params": {"sigma": 30 + i}, "v": 1}
            for i in range(200)]}
        with self.assertRaises(photoedit.WorkerEnded) as raised:
            while True:
                worker.render(photo, self.folder / "slow.jpg", slow)
                (self.folder / "slow.jpg").unlink()
        self.assertLess(raised.exception.returncode, 0)
        worker.render(photo, self.folder / "fast.jpg", GRAPH)

    def test_a_missing_program_is_an_error(self) -> None:
        with self.assertRaises(photoedit.UnavailableError):
            photoedit.Worker(program=self.folder / "none").render("a", "b", GRAPH)

    def test_originals_of_a_library_are_rendered(self) -> None:
        library = photoedit.Library.create(self.folder / "Photos")
        self.addCleanup(library.close)
        photo, output = self.photo(), self.folder / "out.jpg"
        library.import_(photo)
        asset = next(library.assets())
        self.worker().render(
            None, output, GRAPH, library=library.folder, asset=asset.identifier[:8])
        self.assertEqual(output.read_bytes(), photoedit.Image(photo).render(GRAPH).data)
