# SPDX-License-Identifier: Apache-2.0
"""The examples in the documentation of the Python package."""

import os
import re
import sys
from pathlib import Path

from case import PROGRAM, Case

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "Sources/PhotoEdit/PhotoEdit.docc/UseFromCAndPython.md", "Tools/python/README.md")


class ExampleTests(Case):
    def test_the_examples_run(self) -> None:
        count = 0
        for page in PAGES:
            text = (ROOT / page).read_text()
            for example in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
                count += 1
                with self.subTest(page=page, example=example):
                    self.run_example(example, count)
        self.assertEqual(count, 4)

    def run_example(self, example: str, number: int) -> None:
        """Runs an example in a folder with the files that it names."""
        folder = self.folder / str(number)
        folder.mkdir()
        self.photo("photo-1024.jpg", to=f"{number}/photo.jpg")
        if "Library(" in example:
            example = example.replace("Library(", "Library.create(")
        example = example.replace(
            "Worker(", f"Worker(program={os.path.abspath(PROGRAM)!r}, ")
        current, output = os.getcwd(), sys.stdout
        try:
            os.chdir(folder)
            with open(os.devnull, "w", encoding="utf-8") as sys.stdout:
                exec(compile(example, "example", "exec"), {})
        finally:
            os.chdir(current)
            sys.stdout = output
