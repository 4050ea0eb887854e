# SPDX-License-Identifier: Apache-2.0
"""The types of options are those of the program and of the library."""

import os
import subprocess
from pathlib import Path

import photoedit
from case import INPUTS, PROGRAM, Case
from photoedit import options

GENERATOR = Path(__file__).resolve().parents[2] / "Tools" / "python" / "make-options"


class OptionTests(Case):
    def test_types_are_those_that_the_program_describes(self) -> None:
        subprocess.run([GENERATOR, "--check", PROGRAM], check=True)

    def test_the_library_knows_each_option_of_an_image(self) -> None:
        # A file may have such a name.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        photo = INPUTS / "photo-64.jpg"
        image = photoedit.Image(photo)
        pixels = image.pixels()
        for of, call in (
                (options.OpenOptions, lambda given: photoedit.Image(photo, **given)),
                (options.PixelOptions, lambda given: image.pixels(**given)),
                (options.RenderOptions, lambda given: image.render(**given)),
                (options.EncodeOptions, lambda given: image.encode(pixels, **given)),
                (options.ThumbnailOptions, lambda given: image.thumbnail(**given))):
            names = set(of.__annotations__)
            for name in sorted(names | {"qualty"}):
                # No option has such a value, so that each is refused for its value or its name.
                with self.subTest(of=of.__name__, name=name):
                    message = ""
                    try:
                        call({name: "\u2205"})
                    except photoedit.Error as error:
                        message = str(error)
                    self.assertEqual("unknown option" in message, name not in names, message)

