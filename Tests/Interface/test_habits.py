# SPDX-License-Identifier: Apache-2.0
"""What Python programs do with any package: signals, processes, other types, iterators, pickles."""

import asyncio
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

    def test_exceptions_are_pickled(self) -> None:
        for error in (
                errors.WorkerEnded(-24), errors.InputMissingError("a", "missing"),
                errors.FailedInputsError("b")):
            copy = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(copy), str(copy)), (type(error), str(error)))
        self.assertIsInstance(errors.WorkerEnded(-9), photoedit.Error)
        self.assertIn("limit", str(errors.WorkerEnded(-24)))

    def test_the_program_is_that_of_the_installation(self) -> None:
        folder = self.folder / "target"
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "photoedit"
        program.write_text("")
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
            """, folder)
        self.assertEqual(result.stdout.strip(), str(program), result.stderr)


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
        gray = photoedit.Pixels.of_pillow(PIL.Image.new("LA", (1, 1), (0, 0)))
        self.assertEqual((gray.channels, gray.data), (1, b"\xff"))
        cmyk = PIL.Image.new("CMYK", (1, 1))
        self.assertEqual(photoedit.Pixels.of_pillow(cmyk).data, b"\xff\xff\xff")
        cmyk.info["icc_profile"] = b"no profile"
        with self.assertRaisesRegex(photoedit.UsageError, "profile"):
            photoedit.Pixels.of_pillow(cmyk)

    def test_failures_say_what_failed(self) -> None:
        with self.assertRaises(photoedit.FailedInputsError) as raised:
            photoedit.apply(self.photo(), self.folder / "none.jpg", filters="sepia")
        self.assertIn("1 of 2 inputs failed", str(raised.exception))
        self.assertIn("none.jpg", str(raised.exception))
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
    def test_a_worker_without_a_graph_copies_and_is_closed_for_good(self) -> None:
        with photoedit.Worker(program=PROGRAM) as worker:
            answer = worker.render(self.photo(), self.folder / "out.jpg")
            self.assertEqual(answer["status"], "rendered")
        with self.assertRaises(photoedit.UsageError):
            worker.render(self.photo(), self.folder / "again.jpg")
