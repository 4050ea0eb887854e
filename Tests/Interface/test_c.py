# SPDX-License-Identifier: Apache-2.0
"""The example in C, with AddressSanitizer and LeakSanitizer where they are installed."""

import os
import signal
import subprocess
import unittest
from pathlib import Path

import photoedit
from case import EXAMPLES, Case, compile_c


class CopiesTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.program = self.folder / "copies"
        source = EXAMPLES / "c" / "copies.c"
        try:
            compile_c(source, self.program, options=["-pthread", "-fsanitize=address"])
        except subprocess.CalledProcessError:
            compile_c(source, self.program, options=["-pthread"])
        self.copies = self.folder / "web"

    def run_copies(self, *photos: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.program, self.copies, *photos], capture_output=True,
                              check=False, text=True, timeout=120)  # fmt: skip

    def test_copies_have_their_edits_and_no_location(self) -> None:
        photos = [self.photo(to="plain.jpg"), self.photo("photo-landscape.jpg", to="edited.jpg")]
        photoedit.apply(photos[1], filters=["grayscale"])
        result = self.run_copies(*photos)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("2 of 2", result.stdout)
        self.assertEqual({path.name for path in self.copies.iterdir()}, {"plain.jpg", "edited.jpg"})
        with photoedit.Image(self.copies / "edited.jpg") as image:
            pixels, summary = image.pixels(), image.inspect()["summary"]
        self.assertNotIn("latitude", summary)
        self.assertEqual(summary["title"], "Lake and balloons")
        data = pixels.data
        self.assertTrue(all(abs(a - b) < 3 for a, b in zip(data[::3], data[1::3], strict=True)))

    def test_failures_name_their_photos(self) -> None:
        photo, missing = self.photo(), self.folder / "missing.jpg"
        result = self.run_copies(photo, missing)
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing.jpg: cannot open", result.stderr)
        self.assertTrue((self.copies / photo.name).exists())
        self.assertEqual(self.run_copies(photo).returncode, 73)
        usage = subprocess.run([self.program], capture_output=True, check=False)
        self.assertEqual((usage.returncode, usage.stderr[:6]), (64, b"usage:"))

    def test_an_interruption_ends_it(self) -> None:
        photo = self.photo("photo-1024.jpg")
        photos = [self.folder / f"{index}.jpg" for index in range(300)]
        for path in photos:
            os.link(photo, path)
        with subprocess.Popen([self.program, self.copies, *photos], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as running:  # fmt: skip
            assert running.stdout is not None
            running.stdout.read(1)
            running.send_signal(signal.SIGINT)
            self.assertIn(b"canceled", running.communicate(timeout=60)[1])
        self.assertEqual(running.returncode, 130)
        self.assertLess(len(list(self.copies.iterdir())), len(photos))


if __name__ == "__main__":
    unittest.main()
