# SPDX-License-Identifier: Apache-2.0
"""What Python programs do with any package: signals, processes, other types, iterators, pickles."""

import asyncio
import copy
import datetime
import decimal
import enum
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from pathlib import Path

import photoedit
from case import PROGRAM, Case
from photoedit import _native, errors

SLOW = [("denoiseNLM", {"patch": 7, "search": 21})]


def python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True, text=True, timeout=100, check=False)


class ProcessTests(Case):
    def test_a_child_of_fork_can_be_the_first_that_uses_the_library(self) -> None:
        result = python("""
            import os, sys, photoedit
            child = os.fork()
            if child == 0:
                os._exit(0 if photoedit.Image(sys.argv[1]).render(fit=9).data else 1)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """, self.photo())
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_later_child_of_fork_is_told_what_to_do(self) -> None:
        error = errors.failure(70, "forked", "the library was used before fork()", "x")
        self.assertIn("get_context('spawn')", str(error))

    def test_ctrl_c_ends_a_call(self) -> None:
        photo = self.photo("photo-landscape.jpg")
        started = time.monotonic()
        with photoedit.Image(photo) as image:
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                for _ in range(2000):
                    image.render(filters=SLOW)
            timer.join()
            self.assertLess(time.monotonic() - started, 60)
            # The next call is not canceled.
            self.assertTrue(image.render(filters="sepia").data)

    def test_ctrl_c_at_the_start_of_a_call_ends_it(self) -> None:
        photo = self.photo()
        sidecar = photo.with_name(photo.name + ".aae")

        def count() -> int:
            return len(photoedit.history(photo)["states"]) if sidecar.exists() else 0

        interrupted = 0
        for delay in range(24):
            timer = threading.Timer(delay / 8000, os.kill, (os.getpid(), signal.SIGINT))
            try:
                timer.start()
                photoedit.apply(photo, filters=[("exposure", {"ev": 0.01 * (delay + 1)})])
                timer.join()
            except KeyboardInterrupt:
                # Either the edit was complete, or nothing of it follows.
                interrupted += 1
                states = count()
                time.sleep(0.2)
                self.assertEqual(count(), states, f"after {delay}")
                timer.join()
        self.assertGreater(interrupted, 0)

    def test_calls_while_the_interpreter_ends_return(self) -> None:
        result = python("""
            import sys, photoedit
            class Late:
                image = photoedit.Image(sys.argv[1])
                def __del__(self):
                    print(len(self.image.render(fit=9).data) > 0)
            late = Late()
            """, self.photo())
        self.assertEqual((result.returncode, result.stdout), (0, "True\n"), result.stderr)

    def test_a_cancellation_is_not_copied(self) -> None:
        for copying in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaises(TypeError):
                copying(photoedit.Cancellation())

    def test_exceptions_are_pickled(self) -> None:
        for error in (
                errors.WorkerEnded(-24), errors.InputMissingError("a", "missing"),
                errors.FailedInputsError("b")):
            other = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(other), str(other)), (type(error), str(error)))
        self.assertIsInstance(errors.WorkerEnded(-9), photoedit.Error)
        self.assertIn("limit", str(errors.WorkerEnded(-24)))

    def test_the_program_is_that_of_the_installation(self) -> None:
        folder = self.folder / "target"
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "photoedit"
        program.write_text("")
        program.chmod(0o755)
        source = Path(_native.__file__).parent
        (folder / "photoedit").symlink_to(source)
        result = python("""
            import sys
            sys.path.insert(0, sys.argv[1])
            import photoedit._native as native
            native.__file__ = sys.argv[1] + "/photoedit/_native.py"
            native.sys.executable = "/nowhere/python3"
            native.sysconfig.get_path = lambda name: "/nowhere"
            native.site.getuserbase = lambda: "/nowhere"
            print(native.own_program())
            # A file that cannot be executed is no program.
            import os
            os.chmod(native.own_program(), 0o644)
            print(native.own_program())
            """, folder)
        self.assertEqual(result.stdout.split(), [str(program), "None"], result.stderr)


class ValueTests(Case):
    def test_other_types_are_converted_or_refused(self) -> None:
        photo = self.photo()
        with photoedit.Image(os.fsencode(photo)) as image:
            output = os.fsencode(self.folder / "out.jpg")
            image.render(output=output, quality=b"90")
            self.assertTrue(os.path.exists(output))
            for wrong in ({"fit": object()}, {"fit": {1}}, {"strip": [object()]}):
                with self.assertRaises(photoedit.UsageError):
                    image.render(**wrong)  # type: ignore[arg-type]
            for filters in ([3], [("exposure",)], [("exposure", 3)]):
                with self.assertRaises(photoedit.UsageError):
                    image.render(filters=filters)  # type: ignore[arg-type]
            one = image.render(filters=("exposure", {"ev": 1}))
            self.assertEqual(one.data, image.render(filters=[("exposure", {"ev": 1})]).data)
            self.assertEqual(
                image.render(filters="sepia").data, image.render(filters=["sepia"]).data)
            self.assertNotIn("\\x", repr(one))
            hash(one)
        with self.assertRaisesRegex(photoedit.UsageError, "closed"):
            image.render()
        with self.assertRaises(photoedit.UsageError):
            photoedit.Image.of_bytes("photo.jpg")  # type: ignore[arg-type]

    def test_values_keep_their_meaning(self) -> None:
        class Kind(str, enum.Enum):
            LOCATION = "location"

        with photoedit.Image(self.photo()) as image:
            for size in (32, 32.0, decimal.Decimal(32)):
                self.assertEqual(max(image.render(fit=size).size), 32)  # type: ignore[arg-type]
            self.assertEqual(
                image.render(strip=Kind.LOCATION).data, image.render(strip="location").data)
            pixels = image.pixels()
            for options in ({"fit": 9}, {"filter": "sepia"}, {"srgb": True}):
                with self.assertRaises(photoedit.UsageError):
                    image.encode(pixels, **options)  # type: ignore[arg-type]
            self.assertLessEqual(len(image.encode(pixels, max_bytes="5k").data), 5000)
            for call in (
                    lambda: image.pixels(sample="8"), lambda: image.encode(pixels.data),
                    lambda: image.render(cancellation=threading.Event()),
                    lambda: photoedit.run(3), lambda: photoedit.Image.of_pixels(pixels.data)):
                with self.assertRaises(photoedit.UsageError):
                    call()  # type: ignore[no-untyped-call]
            again = photoedit.Pixels(
                pixels.width, pixels.height, 3, 8, bytearray(pixels.data))  # type: ignore
            self.assertEqual(again, pixels)

    def test_a_canceled_call_beside_an_event_loop_ends(self) -> None:
        own = photoedit.Cancellation()
        own.cancel()

        async def work() -> None:
            with photoedit.Image(self.photo()) as image:
                await photoedit.background(image.render, cancellation=own)

        with self.assertRaisesRegex(photoedit.CancelledError, "canceled"):
            asyncio.run(work())

    def test_numbers_of_numpy_are_numbers(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        with photoedit.Image(self.photo()) as image:
            self.assertEqual(max(image.render(fit=numpy.int64(32)).size), 32)  # type: ignore
            pixels = image.pixels(sample=16)
            self.assertEqual(numpy.asarray(pixels).shape, (48, 64, 3))
        self.assertEqual(photoedit.Pixels.of_array(numpy.zeros((2, 3), "uint8")).width, 3)

    def test_a_list_of_metadata_to_remove_removes_all_of_it(self) -> None:
        photo = self.photo("photo-landscape.jpg")
        with photoedit.Image(photo) as image:
            both = image.render(strip=["location", "device", "dates"])
            self.assertEqual(both.data, image.render(strip="dates,device,location").data)
            self.assertNotEqual(both.data, image.render(strip="dates").data)
            self.assertEqual(image.render(strip=["all", "none"]).data, image.render().data)

    def test_options_of_opening_hold_for_renderings(self) -> None:
        photo = self.photo("photo-landscape.jpg")
        with photoedit.Image(photo, max_memory="100k") as image:
            with self.assertRaises(photoedit.BadDataError):
                image.render(filters="sepia")
        content = photo.read_bytes()
        damaged = self.folder / "damaged.jpg"
        damaged.write_bytes(content[:len(content) // 2])
        with photoedit.Image(damaged, lenient=True) as image:
            self.assertTrue(image.render(filters="sepia").data)
        with photoedit.Image(damaged) as image, self.assertRaises(photoedit.BadDataError):
            image.render(filters="sepia")

    def test_a_confined_process_is_required_where_it_is_asked_for(self) -> None:
        tiff = self.folder / "photo.tif"
        with photoedit.Image(self.photo()) as image:
            try:
                image.pixels().pillow().save(tiff)
            except ImportError:
                self.skipTest("Pillow is not installed")
        # No program is set as the decoder of the library under test.
        with self.assertRaises(photoedit.UnavailableError):
            photoedit.Image(tiff, sandbox="require")
        with photoedit.Image(tiff, sandbox="off") as image:
            self.assertTrue(image.render(fit=9).data)
            with self.assertRaises(photoedit.UnavailableError):
                image.render(fit=9, sandbox="require")

    def test_a_decoder_that_was_named_and_is_none_is_not_replaced(self) -> None:
        raw = self.photo("raw-portrait.dng")
        self.addCleanup(_native.library.photoedit_set_decoder, None, None)
        for name in (b"/missing/photoedit", b"/bin/true"):
            self.assertEqual(_native.library.photoedit_set_decoder(name, None), 0)
            with self.assertRaisesRegex(photoedit.UnavailableError, name.decode()):
                photoedit.Image(raw)
            with photoedit.Image(raw, sandbox="off") as image:
                self.assertEqual(image.inspect()["format"], "raw")
        self.assertEqual(
            _native.library.photoedit_set_decoder(os.path.abspath(PROGRAM).encode(), None), 0)
        with photoedit.Image(raw) as image:
            self.assertEqual(image.inspect()["format"], "raw")

    def test_a_rendering_in_a_folder_is_named_after_the_photo(self) -> None:
        folder = self.folder / "out"
        folder.mkdir()
        with photoedit.Image(self.photo()) as image:
            image.render(output=f"{folder}/")
        with photoedit.Image.of_bytes(self.photo().read_bytes()) as image:
            image.render(output=folder)
        self.assertEqual(sorted(os.listdir(folder)), ["bytes.edited.jpg", "photo-64.edited.jpg"])

    def test_images_of_pillow_keep_their_depth(self) -> None:
        try:
            import PIL.Image
        except ImportError:
            self.skipTest("Pillow is not installed")
        deep = PIL.Image.new("I;16", (2, 1))
        deep.putpixel((0, 0), 300)
        deep.putpixel((1, 0), 65_535)
        pixels = photoedit.Pixels.of_pillow(deep)
        samples = memoryview(pixels.data).cast("H").tolist()
        self.assertEqual((pixels.sample, samples), (16, [300, 65_535]))
        with self.assertRaises(photoedit.UsageError):
            photoedit.Pixels.of_pillow(PIL.Image.new("I", (1, 1), 70_000))
        bright = photoedit.Pixels.of_pillow(PIL.Image.new("F", (1, 1), 0.5))
        self.assertEqual((bright.sample, memoryview(bright.data).cast("f").tolist()), (32, [0.5]))
        clear = photoedit.Pixels.of_pillow(PIL.Image.new("RGBA", (1, 1), (255, 0, 0, 0)))
        self.assertEqual((clear.channels, clear.data), (3, b"\xff\xff\xff"))
        profile = b"0" * 16 + b"RGB " + b"0" * 108
        left_out = PIL.Image.new("L", (1, 1))
        left_out.info["icc_profile"] = profile
        self.assertIsNone(photoedit.Pixels.of_pillow(left_out).icc)
        kept = PIL.Image.new("RGB", (1, 1))
        kept.info["icc_profile"] = profile
        self.assertEqual(photoedit.Pixels.of_pillow(kept).icc, profile)
        gray = photoedit.Pixels.of_pillow(PIL.Image.new("LA", (1, 1), (0, 0)))
        self.assertEqual((gray.channels, gray.data), (1, b"\xff"))
        cmyk = PIL.Image.new("CMYK", (1, 1))
        self.assertEqual(photoedit.Pixels.of_pillow(cmyk).data, b"\xff\xff\xff")
        cmyk.info["icc_profile"] = b"0" * 16 + b"CMYK" + b"no profile"
        with self.assertRaisesRegex(photoedit.UsageError, "profile"):
            photoedit.Pixels.of_pillow(cmyk)

    def test_failures_say_what_failed(self) -> None:
        with self.assertRaises(photoedit.FailedInputsError) as raised:
            photoedit.apply(self.photo(), self.folder / "none.jpg", filters="sepia")
        self.assertIn("1 of 2 inputs failed", str(raised.exception))
        self.assertIn("none.jpg", str(raised.exception))
        with photoedit.Library.create(self.folder / "Photos") as library:
            with self.assertRaisesRegex(photoedit.InputMissingError, "none.jpg"):
                library.import_(self.folder / "none.jpg")
        with self.assertRaises(FileNotFoundError) as missing:
            photoedit.Image(self.folder / "none.jpg")
        self.assertEqual(missing.exception.errno, 2)
        with self.assertRaisesRegex(photoedit.UsageError, "--json"):
            _ = photoedit.run("version").reports

    def test_calls_without_a_cancellation_run_beside_an_event_loop(self) -> None:
        photo = self.photo()
        photoedit.apply(photo, filters="sepia")

        async def work() -> tuple[object, object]:
            with photoedit.Image(photo) as image:
                return await asyncio.gather(
                    photoedit.background(photoedit.show, photo),
                    photoedit.background(image.inspect))

        shown, report = asyncio.run(work())
        self.assertTrue(shown and report)


class IteratorTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.library = photoedit.Library.create(self.folder / "Photos")
        self.addCleanup(self.library.close)
        self.asset = self.library.import_(self.photo())[0]["asset"]

    def test_a_follower_is_stopped_by_closing_it_or_the_library(self) -> None:
        for stop in ("close", "library"):
            library = photoedit.Library(self.folder / "Photos")
            follower = library.changes(follow=True)
            seen: list[photoedit.Change] = []
            thread = threading.Thread(target=lambda: seen.extend(follower))
            thread.start()
            (follower if stop == "close" else library).close()
            thread.join(30)
            self.assertFalse(thread.is_alive(), stop)
            library.close()

    def test_followers_are_iterated_beside_an_event_loop(self) -> None:
        async def work() -> list[photoedit.Change]:
            found = []
            with self.library.changes(since="beginning", follow=True) as follower:
                async for change in follower:
                    found.append(change)
                    if len(found) == 1:
                        break
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(follower.__anext__(), 0.5)
            return found

        self.assertEqual(len(asyncio.run(asyncio.wait_for(work(), 60))), 1)

    def test_an_empty_selection_is_nothing_to_do(self) -> None:
        self.library.set([], rating=3)
        self.library.delete([])
        self.assertEqual(self.library.export(self.folder, []), [])
        self.assertEqual(self.library.apply([], filters="sepia"), [])
        self.assertEqual(self.library.import_([]), [])
        with self.assertRaises(photoedit.UsageError):
            self.library.set(rating=3)

    def test_a_library_and_its_values_keep_their_place(self) -> None:
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            library = photoedit.Library("Photos")
            os.chdir("/")
            self.assertEqual(len(list(library.assets())), 1)
            library.close()
        finally:
            os.chdir(before)
        self.library.set(self.asset, location=(38.7, -9.1))
        zone = datetime.timezone.utc
        self.library.set(self.asset, date=datetime.datetime(2020, 1, 2, tzinfo=zone))
        with self.assertRaisesRegex(photoedit.UsageError, "time zone"):
            self.library.set(self.asset, date=datetime.datetime(2020, 1, 2))
        album = self.library.create_album("Lisbon")
        self.library.add(next(iter(self.library.albums())), self.asset)
        self.assertEqual([album.count for album in self.library.albums()], [1])
        self.assertTrue(album)

    def test_terms_are_not_options(self) -> None:
        self.library.set(self.asset, title="harbor", keywords=["boat", "sea"])
        self.assertEqual([asset.keywords for asset in self.library.assets("harbor")],
                         [("boat", "sea")])
        for term in ("-harbor", "-hill harbor", "-Lisbon", "--trashed"):
            self.assertIsInstance(list(self.library.assets(term)), list)
        self.assertEqual(list(self.library.assets("-harbor")), [])
        self.assertEqual(len(list(self.library.assets("-Lisbon"))), 1)
        with self.assertRaises(photoedit.UsageError):
            self.library.set(self.asset, keywords=["a,b"])
        with self.assertRaises(photoedit.UsageError):
            list(self.library.assets(group="month"))

    def test_an_asset_is_edited_opened_exported_and_restored(self) -> None:
        original = Path(self.library.path(self.asset)).read_bytes()
        self.library.apply(self.asset, filters="sepia")
        self.library.undo(self.asset)
        self.library.redo(self.asset)
        states = self.library.history(self.asset)["states"]
        self.assertEqual([state["state"] for state in states], ["undo", "current"])
        with self.library.image(self.asset) as edited:
            with self.library.image(self.asset, original=True) as first:
                self.assertNotEqual(edited.pixels().data, first.pixels().data)
        self.assertEqual(
            Path(self.library.path(self.asset, original=True)).read_bytes(), original)
        folder = self.folder / "out"
        folder.mkdir()
        report = self.library.export(folder, self.asset, fit=32)[0]
        self.assertEqual(os.listdir(folder), ["photo-64.jpg"])
        self.assertEqual(report["asset"], self.asset)
        self.library.revert(self.asset)
        self.assertFalse(self.library.show(self.asset)["hasAdjustments"])
        self.library.delete(self.asset)
        self.assertEqual(list(self.library.assets()), [])
        self.library.restore([self.asset])
        self.assertEqual(len(list(self.library.assets())), 1)
        with self.assertRaises(photoedit.Error):
            self.library.export(self.folder / "missing", self.asset)

    def test_several_assets_may_be_a_list(self) -> None:
        self.library.set(list(self.library.assets()), rating=3)
        self.assertEqual([asset.rating for asset in self.library.assets()], [3])
        self.assertIn("Photos", repr(self.library))


class WorkerTests(Case):
    def test_an_interrupted_worker_gives_no_answer_of_before(self) -> None:
        photo = self.photo("photo-landscape.jpg")
        slow = photoedit.Image(photo)
        slow.close()
        graph = {
            "format": "org.photoedit.filter-graph", "version": "1.0", "nodes": [
                {"filter": "denoiseNLM", "id": "n1", "v": 1,
                 "params": {"patch": 7, "search": 21, "h": 0.1}}]}
        with photoedit.Worker(program=PROGRAM) as worker:
            worker.render(photo, self.folder / "warm.jpg")
            timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
            with self.assertRaises(KeyboardInterrupt):
                timer.start()
                for index in range(100):
                    worker.render(photo, self.folder / f"{index}.jpg", graph)
            with self.assertRaises(photoedit.InputMissingError):
                worker.render(self.folder / "none.jpg", self.folder / "b.jpg")
            cancellation = photoedit.Cancellation()
            cancellation.cancel()
            with self.assertRaises(photoedit.CancelledError):
                worker.render(photo, self.folder / "c.jpg", graph, cancellation=cancellation)
            worker.render(photo, self.folder / "d.jpg", quality=80, strip=["location", "dates"])

    def test_wrong_settings_of_a_worker_are_refused(self) -> None:
        for options in ({"max_seconds": 0}, {"max_seconds": 1.5}):
            with self.assertRaises(photoedit.UsageError):
                photoedit.Worker(program=PROGRAM, **options)  # type: ignore[arg-type]
        with photoedit.Worker(program="/bin/echo") as worker:
            with self.assertRaises(photoedit.UnavailableError):
                worker.render(self.photo(), self.folder / "out.jpg")
        with photoedit.Worker(program=PROGRAM) as worker, self.assertRaises(photoedit.UsageError):
            worker.render(self.photo(), self.folder / "out.jpg", [1])  # type: ignore[arg-type]

    def test_a_worker_without_a_graph_copies_and_is_closed_for_good(self) -> None:
        with photoedit.Worker(program=PROGRAM) as worker:
            answer = worker.render(self.photo(), self.folder / "out.jpg")
            self.assertEqual(answer["status"], "rendered")
        with self.assertRaises(photoedit.UsageError):
            worker.render(self.photo(), self.folder / "again.jpg")
