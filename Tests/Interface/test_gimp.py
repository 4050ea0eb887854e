# SPDX-License-Identifier: Apache-2.0
"""The plug-in for GIMP, in GIMP without windows."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import photoedit
from case import EXAMPLES, Case, compile_c, has_package

GIMP = shutil.which("gimp-console-2.10")
NAME = "photoedit-gimp"

# What the scripts of the tests share.
BEGINNING = """
(define (open path) (car (plug-in-photoedit-open RUN-NONINTERACTIVE path)))
(define (save image) (plug-in-photoedit-save RUN-NONINTERACTIVE image))
(define (active image) (car (gimp-image-get-active-layer image)))
(define (photo image) (car (gimp-image-get-layer-by-name image "photo.jpg")))
(define (select image x y width height)
  (gimp-image-select-rectangle image CHANNEL-OP-REPLACE x y width height))
(define (fill image layer color x y width height)
  (select image x y width height)
  (gimp-context-set-foreground color)
  (gimp-drawable-edit-fill layer FILL-FOREGROUND))
(define (write-seen image path)
  (let ((copy (car (gimp-image-duplicate image))))
    (gimp-file-save RUN-NONINTERACTIVE copy (car (gimp-image-flatten copy)) path path)
    (gimp-image-delete copy)))
"""


@unittest.skipIf(GIMP is None, "GIMP 2.10 is not installed (Debian package gimp)")
@unittest.skipUnless(has_package("gimpui-2.0"),
                     "the headers of GIMP 2.10 are not installed (libgimp2.0-dev)")  # fmt: skip
class GimpTests(Case):
    settings: Path

    @classmethod
    def setUpClass(cls) -> None:
        # GIMP asks all of its plug-ins for their procedures only when it starts first.
        cls.settings = Path(tempfile.mkdtemp(prefix="photoedit-gimp-"))
        cls.addClassCleanup(shutil.rmtree, cls.settings)
        plug_in = cls.settings / "gimp" / "plug-ins" / NAME / NAME
        plug_in.parent.mkdir(parents=True)
        compile_c(EXAMPLES / "gimp" / f"{NAME}.c", plug_in, "gimpui-2.0")

    def gimp(self, script: str, *, succeeds: bool = True) -> str:
        """What GIMP writes while it runs a script, in which PHOTO is the path of the photo."""
        script = BEGINNING + script.replace("PHOTO", f'"{self.folder}/photo.jpg"')
        script = script.replace("FOLDER", str(self.folder))
        environment = {**os.environ, "HOME": str(self.settings),
                       "GIMP2_DIRECTORY": str(self.settings / "gimp")}  # fmt: skip
        result = subprocess.run(
            [str(GIMP), "--no-interface", "--no-data", "--no-fonts", "--batch", f"(begin {script})",
             "--batch", "(gimp-quit 1)"],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, text=True, timeout=120)  # fmt: skip
        self.assertEqual("executed successfully" in result.stdout, succeeds, result.stdout)
        return result.stdout

    def pixel(self, x: int, y: int, name: str = "photo.edited.jpg") -> tuple[int, ...]:
        with photoedit.Image(self.folder / name) as image:
            pixels = image.pixels()
        start = (y * pixels.width + x) * 3
        return tuple(pixels.data[start : start + 3])

    def filters(self) -> list[str]:
        edit = photoedit.show(self.folder / "photo.jpg")
        return [node["filter"] for node in edit["graph"]["nodes"]] if edit["edited"] else []

    def assert_close(self, one: tuple[int, ...], other: tuple[int, ...], within: int = 12) -> None:
        self.assertTrue(all(abs(a - b) <= within for a, b in zip(one, other, strict=True)),
                        f"{one} is not {other}")  # fmt: skip

    def assert_saved(self, name: str) -> None:
        """The filters of the photo give the pixels that GIMP has written, within a level."""
        preset = self.folder / "preset.json"
        photoedit.run("preset", self.folder / "photo.jpg", "-o", preset, "--force")
        with photoedit.Image(self.folder / "photo.jpg") as photo:
            pixels = photo.pixels(preset=preset)
        with photoedit.Image(self.folder / name) as image:
            seen = image.pixels()
        self.assertEqual((pixels.width, pixels.height), (seen.width, seen.height))
        difference = max(abs(a - b) for a, b in zip(pixels.data, seen.data, strict=True))
        self.assertLessEqual(difference, 1)

    def test_a_painting_is_a_filter_that_is_edited_again(self) -> None:
        photo = self.photo("photo-landscape.jpg", to="photo.jpg")
        original = photo.read_bytes()
        photoedit.apply(photo, filters=[("exposure", {"ev": 0.5})])
        shutil.copy(self.folder / "photo.edited.jpg", self.folder / "before.jpg")

        output = self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 0 0) 100 50 64 48)
              (save image)
              (fill image (active image) '(0 255 0) 200 50 64 48)
              (save image)
              (save image)
              (write-seen image "FOLDER/seen.png"))""")
        self.assertEqual(photo.read_bytes(), original)
        self.assertEqual(photoedit.show(photo)["undoable"], 3)
        self.assertEqual(self.filters(), ["exposure", "overlay"])
        self.assert_close(self.pixel(132, 74), (255, 0, 0))
        self.assert_close(self.pixel(232, 74), (0, 255, 0))
        self.assert_saved("seen.png")
        for x, y in ((20, 20), (300, 200), (400, 350)):
            self.assert_close(self.pixel(x, y), self.pixel(x, y, "before.jpg"), 3)

        output = self.gimp("""
            (let ((image (open PHOTO)))
              (select image 200 50 64 48)
              (gimp-drawable-edit-clear (active image))
              (write-seen image "FOLDER/cleared.png")
              (fill image (active image) '(0 0 255) 300 50 64 48)
              (save image))""")
        self.assertEqual(self.filters(), ["exposure", "overlay"])
        self.assert_close(self.pixel(132, 74), (255, 0, 0))
        self.assert_close(self.pixel(232, 74), self.pixel(232, 74, "before.jpg"))
        # The photo below a painting is the photo without it.
        self.assert_close(self.pixel(232, 74, "cleared.png"), self.pixel(232, 74, "before.jpg"))
        self.assert_close(self.pixel(332, 74), (0, 0, 255))

        photoedit.adjust(photo, set=["exposure.ev=-1"])
        self.assert_close(self.pixel(132, 74), (255, 0, 0))
        for _ in range(2):
            photoedit.undo(photo)
        self.assert_close(self.pixel(232, 74), (0, 255, 0))
        photoedit.revert(photo)
        self.assertEqual(self.filters(), [])
        self.assertEqual(photo.read_bytes(), original)

    def test_what_no_transparent_layer_shows_hides_the_photo(self) -> None:
        self.photo("photo-landscape.jpg", to="photo.jpg")
        # Noise is more than what is embedded in a graph.
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (select image 32 32 256 192)
              (gimp-drawable-invert (photo image) FALSE)
              (plug-in-rgb-noise RUN-NONINTERACTIVE image (photo image) TRUE FALSE 0.5 0.5 0.5 0)
              (gimp-selection-none image)
              (gimp-layer-set-mode (active image) LAYER-MODE-MULTIPLY)
              (fill image (active image) '(255 255 0) 352 32 64 64)
              (save image)
              (write-seen image "FOLDER/seen.png"))""")
        self.assertRegex(output, r"5[0-9]{4} pixels now hide the photo")
        self.assertEqual(self.filters(), ["overlay"])
        self.assert_saved("seen.png")
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (write-seen image "FOLDER/again.png")
              (save image))""")
        self.assertNotIn("hide the photo", output)
        self.assertEqual(self.filters(), ["overlay"])
        self.assert_saved("again.png")

    def test_soft_strokes_and_profiles_are_exact(self) -> None:
        self.photo("jpeg-display-p3.jpg", to="photo.jpg")
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 0 0) 8 8 32 32)
              (gimp-layer-set-opacity (active image) 50)
              (save image)
              (write-seen image "FOLDER/seen.png"))""")
        self.assertNotIn("hide the photo", output)
        self.assert_saved("seen.png")
        self.assert_close(self.pixel(24, 24), self.pixel(24, 24, "seen.png"))

    def test_a_gray_photo_gets_colors(self) -> None:
        self.photo("jpeg-gray.jpg", to="photo.jpg")
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 0 0) 16 16 32 32)
              (save image)
              (write-seen image "FOLDER/seen.png"))""")
        self.assert_close(self.pixel(32, 32), (255, 0, 0))
        self.assert_saved("seen.png")

    def test_filters_after_a_painting_stay(self) -> None:
        photo = self.photo("photo-landscape.jpg", to="photo.jpg")
        self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 0 0) 100 50 64 48)
              (save image))""")
        photoedit.apply(photo, filters=["crop:x=0,y=0,w=0.5,h=0.5", "grayscale"])
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 255 255) 100 50 64 48)
              (save image))""")
        self.assertIn("Filters after the painting are not shown, but stay in the edit: 2.", output)
        self.assertEqual(self.filters(), ["overlay", "crop", "grayscale"])
        self.assert_close(self.pixel(132, 74), (255, 255, 255))
        # A painting that was changed since is part of the photo.
        photoedit.adjust(photo, set=["n1.opacity=0.5"])
        self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(0 0 0) 100 50 64 48)
              (save image))""")
        self.assertEqual(self.filters(), ["overlay", "crop", "grayscale", "overlay"])

    def test_an_erased_painting_is_removed(self) -> None:
        photo = self.photo("photo-landscape.jpg", to="photo.jpg")
        photoedit.apply(photo, filters=["sepia"])
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 0 0) 100 50 64 48)
              (save image)
              (gimp-drawable-edit-clear (active image))
              (save image)
              (save image))""", succeeds=False)  # fmt: skip
        self.assertIn("Nothing is painted.", output)
        self.assertEqual(self.filters(), ["sepia"])

    def test_failures_are_explained(self) -> None:
        photo = self.photo("photo-landscape.jpg", to="photo.jpg")
        output = self.gimp('(open "FOLDER/missing.jpg")', succeeds=False)
        self.assertIn("(missing)", output)
        output = self.gimp("(save (car (gimp-image-new 8 8 RGB)))", succeeds=False)
        self.assertIn("Open the photo with File", output)
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (gimp-image-resize image 9 9 0 0)
              (save image))""", succeeds=False)  # fmt: skip
        self.assertIn("another size than the photo", output)
        self.assertEqual(self.filters(), [])
        output = self.gimp("""
            (let ((image (open PHOTO)))
              (fill image (active image) '(255 0 0) 100 50 64 48)
              (gimp-xcf-save RUN-NONINTERACTIVE image (active image)
                             "FOLDER/photo.xcf" "photo.xcf"))""")
        photoedit.apply(photo, filters=["sepia"])
        reopened = '(car (gimp-file-load RUN-NONINTERACTIVE "FOLDER/photo.xcf" "photo.xcf"))'
        output = self.gimp(f"(save {reopened})", succeeds=False)
        self.assertIn("was changed since", output)
        photoedit.revert(photo)
        self.gimp(f"(save {reopened})")
        self.assert_close(self.pixel(132, 74), (255, 0, 0))


if __name__ == "__main__":
    unittest.main()
