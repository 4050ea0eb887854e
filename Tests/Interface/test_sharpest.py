# SPDX-License-Identifier: Apache-2.0
"""The example in Python, with numpy and Pillow."""

import importlib.util
import io
import subprocess
import sys
import unittest
from pathlib import Path

import photoedit
from case import EXAMPLES, Case


@unittest.skipUnless(importlib.util.find_spec("numpy") and importlib.util.find_spec("PIL"),
                     "python3-numpy or python3-pil of Debian is not installed")  # fmt: skip
class SharpestTests(Case):
    def run_script(self, *arguments: Path | str) -> subprocess.CompletedProcess[str]:
        script = EXAMPLES / "python" / "sharpest.py"
        return subprocess.run([sys.executable, "-W", "error", script, *arguments],
                              capture_output=True, check=False, text=True, timeout=120)  # fmt: skip

    def test_the_sharpest_photo_is_found_and_improved(self) -> None:
        sharp = self.photo("photo-landscape.jpg", to="sharp.jpg")
        photos = [self.folder / "soft.jpg", sharp, self.folder / "softer.jpg"]
        with photoedit.Image(sharp) as image:
            for path, radius in ((photos[0], 2), (photos[2], 4)):
                image.render(filters=[("gaussianBlur", {"sigma": radius})], output=path)
        sheet = self.folder / "sheet.jpg"
        result = self.run_script("--improve", "--sheet", sheet, *photos)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{sharp}\n", ""))
        edited = [photoedit.show(photo)["edited"] for photo in photos]
        self.assertEqual(edited, [False, True, False])

        from PIL import Image

        with Image.open(io.BytesIO(sheet.read_bytes())) as drawn:
            self.assertEqual(drawn.size, (3 * 256 + 16, 288))
            frames = [drawn.getpixel((16 + 256 * index - 4, 136)) for index in range(3)]
        self.assertEqual([frame[2] < 100 for frame in frames], [False, True, False])

    def test_a_failure_has_the_exit_code(self) -> None:
        result = self.run_script(self.folder / "missing.jpg")
        self.assertEqual((result.returncode, result.stdout), (66, ""))
        self.assertIn("missing.jpg: cannot open", result.stderr)


if __name__ == "__main__":
    unittest.main()
