# SPDX-License-Identifier: Apache-2.0
"""Images: files, bytes and pixels, also those of numpy and Pillow."""

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
import unittest

import photoedit
from case import GRAPH, INPUTS, RENDERINGS, Case, resident

try:
    import numpy
except ImportError:
    numpy = None
try:
    import PIL.Image
except ImportError:
    PIL = None

PHOTO = INPUTS / "photo-64.jpg"
P3 = INPUTS / "jpeg-display-p3.jpg"


class ImageTests(Case):
    def test_a_rendering_is_that_of_the_program(self) -> None:
        with photoedit.Image(PHOTO) as image:
            rendering = image.render(filters=["sepia", ("exposure", {"ev": 0.5})], quality=80)
        output = photoedit.run(
            "render", PHOTO, "--filter", "sepia", "--filter", "exposure:ev=0.5", "--quality=80",
            "-o", "-").output
        self.assertEqual(rendering.data, output)
        self.assertEqual(rendering.size, (rendering.report["width"], rendering.report["height"]))
        self.assertEqual(rendering.losses, [])

    def test_a_graph_is_a_dictionary_or_its_json(self) -> None:
        image = photoedit.Image(PHOTO)
        ways = [image.render(GRAPH), image.render(json.dumps(GRAPH)),
                image.render(json.dumps(GRAPH).encode())]
        self.assertEqual(len({way.data for way in ways}), 1)
        self.assertNotEqual(ways[0].data, image.render().data)

    def test_bytes_are_opened(self) -> None:
        file, data = photoedit.Image(PHOTO), photoedit.Image.of_bytes(PHOTO.read_bytes())
        self.assertEqual(file.render(GRAPH).data, data.render(GRAPH).data)
        self.assertEqual(file.inspect()["digest"], data.inspect()["digest"])

    def test_a_file_is_written_and_never_replaced(self) -> None:
        image, path = photoedit.Image(self.photo()), self.folder / "copy.jpg"
        rendering = image.render(GRAPH, output=path)
        self.assertEqual(rendering.data, b"")
        self.assertEqual(path.read_bytes(), image.render(GRAPH).data)
        with self.assertRaises(photoedit.CannotCreateError) as raised:
            image.render(GRAPH, output=path)
        self.assertEqual((raised.exception.code, raised.exception.exit), ("exists", 73))
        image.render(output=path, force=True)
        with self.assertRaises(photoedit.CannotCreateError):
            image.render(output=self.folder / "photo-64.jpg", force=True)

    def test_thumbnails(self) -> None:
        thumbnail = photoedit.Image(PHOTO).thumbnail(size="16x8", fill=True, format="png")
        self.assertTrue(thumbnail.data.startswith(b"\x89PNG"))
        self.assertEqual(thumbnail.size, (16, 8))

    def test_pixels_have_the_size_the_type_and_the_profile_of_the_rendering(self) -> None:
        image = photoedit.Image(P3)
        for sample, size in ((8, 1), (16, 2), (32, 4)):
            pixels = image.pixels(sample=sample, fit=20)
            self.assertEqual(max(pixels.width, pixels.height), 20)
            self.assertEqual(len(pixels.data), pixels.width * pixels.height * 3 * size)
            self.assertIsNotNone(pixels.icc)
        self.assertIsNone(photoedit.Image(P3).pixels(srgb=True).icc)
        self.assertIsNone(photoedit.Image(PHOTO).pixels().icc)

    def test_pixels_are_encoded_with_the_metadata_of_the_image(self) -> None:
        photo = self.photo("photo-landscape.jpg")
        image = photoedit.Image(photo)
        pixels = image.pixels(sample=16)
        dark = photoedit.Pixels(
            pixels.width, pixels.height, 3, 16, bytes(len(pixels.data)), pixels.icc)
        rendering = image.encode(dark)
        copy = photoedit.Image.of_bytes(rendering.data)
        for name in ("caption", "latitude", "dateTimeOriginal", "lens", "keywords"):
            self.assertEqual(copy.inspect()["summary"][name], image.inspect()["summary"][name])
        self.assertLess(max(copy.pixels().data), 3)

    def test_pixels_of_another_space_are_refused(self) -> None:
        pixels = photoedit.Image(P3).pixels()
        with self.assertRaises(photoedit.BadDataError) as raised:
            photoedit.Image(PHOTO).encode(pixels)
        self.assertIn("color space", str(raised.exception))

    def test_descriptions_of_pixels_are_checked(self) -> None:
        for arguments in (
                (2, 2, 4, 8, bytes(16)), (2, 2, 3, 9, bytes(12)), (2, 2, 3, 8, bytes(11)),
                (0, 2, 3, 8, b""), (2, -2, 3, 8, bytes(12))):
            with self.assertRaises(photoedit.UsageError):
                photoedit.Pixels(*arguments)

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_arrays_go_in_and_out(self) -> None:
        ramp = numpy.linspace(0, 1, 64 * 48 * 3, dtype=numpy.float32).reshape(48, 64, 3)
        for array in (
                (ramp * 255).astype(numpy.uint8), (ramp * 65535).astype(numpy.uint16),
                (ramp * 255).astype(numpy.uint8)[:, :, 0], (ramp * 255).astype(numpy.uint8)[::-1],
                (ramp * 65535).astype(numpy.dtype(">u2"))):
            pixels = photoedit.Pixels.of_array(array)
            back = photoedit.Image.of_pixels(pixels).pixels(sample=pixels.sample).numpy()
            self.assertTrue(numpy.array_equal(back, array))
        floats = photoedit.Image.of_pixels(photoedit.Pixels.of_array(ramp.astype(float)))
        self.assertLess(abs(floats.pixels(sample=32).numpy() - ramp).max(), 1e-4)
        for bad in (numpy.zeros((2, 2), complex), numpy.zeros(4, numpy.uint8),
                    numpy.zeros((2, 2, 4), numpy.uint8), numpy.zeros((0, 2), numpy.uint8)):
            with self.assertRaises(photoedit.UsageError):
                photoedit.Pixels.of_array(bad)

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_a_filter_has_the_values_of_its_formula(self) -> None:
        array = numpy.full((8, 8, 3), 100, numpy.uint8)
        image = photoedit.Image.of_pixels(photoedit.Pixels.of_array(array))
        self.assertTrue((image.pixels(filters=["invert"]).numpy() == 155).all())

    @unittest.skipUnless(PIL, "Pillow is not installed")
    def test_pillow_goes_in_and_out(self) -> None:
        image = photoedit.Image(P3)
        pillow = image.pixels().pillow()
        decoded = PIL.Image.open(io.BytesIO(image.render().data))
        self.assertEqual(pillow.size, decoded.size)
        self.assertEqual(pillow.info["icc_profile"], image.pixels().icc)
        pixels = photoedit.Pixels.of_pillow(pillow)
        again = photoedit.Image.of_pixels(pixels)
        self.assertEqual(again.pixels(), pixels)
        for mode in ("RGBA", "P", "1", "CMYK"):
            pixels = photoedit.Pixels.of_pillow(PIL.Image.new(mode, (4, 4)))
            self.assertEqual((pixels.channels, pixels.sample), (3, 8))
        with self.assertRaises(photoedit.UsageError):
            image.pixels(sample=16).pillow()

    def test_closed_images_and_wrong_arguments_are_errors(self) -> None:
        image = photoedit.Image(PHOTO)
        image.close()
        image.close()
        with self.assertRaises(photoedit.UsageError) as raised:
            image.render()
        self.assertEqual(raised.exception.code, "handle")
        image = photoedit.Image(PHOTO)
        cases = {
            photoedit.UsageError: [
                lambda: image.render(quality=101), lambda: image.render(no_such=1),
                lambda: image.render(filters=["nosuch"]), lambda: image.pixels(sample=12),
                lambda: image.pixels(output="a.jpg"), lambda: image.render(strip="a\0b"),
                lambda: photoedit.Image("a\0b"), lambda: image.thumbnail(size=0)],
            photoedit.BadDataError: [
                lambda: image.render("{"), lambda: image.render(b"\xff"),
                lambda: photoedit.Image.of_bytes(b"noise"), lambda: photoedit.Image.of_bytes(b""),
                lambda: photoedit.Image(PHOTO, max_pixels=10)],
            photoedit.InputMissingError: [lambda: photoedit.Image("none.jpg")],
        }
        for kind, calls in cases.items():
            for number, call in enumerate(calls):
                with self.subTest(kind=kind.__name__, number=number), self.assertRaises(kind):
                    call()
        with self.assertRaises(FileNotFoundError):
            photoedit.Image("none.jpg")

    def test_a_cancellation_ends_a_rendering(self) -> None:
        image, cancellation = photoedit.Image(INPUTS / "photo-1024.jpg"), photoedit.Cancellation()
        slow = [("gaussianBlur", {"sigma": 30 + i}) for i in range(60)]
        threading.Timer(0.2, cancellation.cancel).start()
        with self.assertRaises(photoedit.CancelledError):
            while True:
                image.render(filters=slow, cancellation=cancellation)
        with self.assertRaises(photoedit.CancelledError):
            image.pixels(cancellation=cancellation)

    def test_a_call_runs_beside_an_event_loop_and_ends_with_its_task(self) -> None:
        image = photoedit.Image(INPUTS / "photo-1024.jpg")
        slow = [("gaussianBlur", {"sigma": 30 + i}) for i in range(60)]

        async def main() -> None:
            rendering = await photoedit.background(image.render, GRAPH, quality=80)
            self.assertEqual(rendering.data, image.render(GRAPH, quality=80).data)
            with self.assertRaises(photoedit.BadDataError):
                await photoedit.background(image.render, "{")
            task = asyncio.ensure_future(photoedit.background(image.render, filters=slow))
            await asyncio.sleep(0.1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(main())

    def test_threads_share_an_image(self) -> None:
        image = photoedit.Image(PHOTO)
        expected, results = image.render(GRAPH).data, []

        def work() -> None:
            for _ in range(5):
                results.append(image.render(GRAPH).data == expected)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [True] * 20)

    def test_a_child_of_fork_gets_an_error(self) -> None:
        image = photoedit.Image(PHOTO)
        child = os.fork()
        if child == 0:
            try:
                image.inspect()
            except photoedit.InternalError as error:
                os._exit(0 if error.code == "forked" else 1)
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        # Another program can always be started.
        again = [sys.executable, "-c", "import photoedit; print(photoedit.version())"]
        output = subprocess.run(again, check=True, capture_output=True, text=True).stdout
        self.assertEqual(output.strip(), photoedit.version())

    def test_memory_does_not_grow(self) -> None:
        def work(count: int) -> None:
            for _ in range(count):
                with photoedit.Image(PHOTO) as image:
                    image.render(GRAPH)
                    image.pixels(GRAPH, sample=32)
                    try:
                        image.render("{")
                    except photoedit.Error:
                        pass

        work(50)
        before = resident()
        work(RENDERINGS)
        self.assertLess(resident() - before, 2048)
