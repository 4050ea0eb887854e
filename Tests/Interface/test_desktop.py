# SPDX-License-Identifier: Apache-2.0
"""The commands that desktops run: a thumbnailer, an application, and an action of file managers."""

import configparser
import os
import shlex
import struct
import subprocess
import unittest
from pathlib import Path

from case import PROGRAM, Case

DEBIAN = Path(__file__).resolve().parents[2] / "Tools" / "debian"


def entry(name: str) -> configparser.SectionProxy:
    """The only group of a file."""
    parser = configparser.RawConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEBIAN / name, encoding="utf-8")
    (group,) = parser.sections()
    return parser[group]


def command(line: str, values: dict[str, str]) -> list[str]:
    """The words of a line, with the values of its field codes."""
    words = [values.get(word, word) for word in shlex.split(line)]
    assert words[0] == "photoedit"
    return [PROGRAM, *words[1:]]


class Desktop(Case):
    def test_a_thumbnail_is_a_png_of_the_size(self) -> None:
        thumbnailer = entry("photoedit.thumbnailer")
        # Clients pass temporary names without a type, which may exist already.
        output = self.folder / "thumbnail"
        output.write_bytes(b"")
        for name in ("photo-landscape.jpg", "raw-portrait.dng"):
            words = command(thumbnailer["Exec"], {
                "%s": "128", "%i": str(self.photo(name)), "%o": str(output)})  # fmt: skip
            result = subprocess.run(words, capture_output=True, check=False, timeout=60)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))
            head = output.read_bytes()[:24]
            self.assertTrue(head.startswith(b"\x89PNG"))
            self.assertEqual(max(struct.unpack(">II", head[16:24])), 128)

    def test_a_photo_and_a_folder_are_opened(self) -> None:
        application = entry("photoedit.desktop")
        for opened in (self.photo(), self.folder):
            words = command(application["Exec"], {"%f": str(opened)})
            # A server with the same port may be running.
            with subprocess.Popen([*words, "--no-open", "--port", "0"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True) as server:  # fmt: skip
                assert server.stdout is not None
                try:
                    lines = iter(server.stdout.readline, "")
                    self.assertTrue(any("http://127." in line for line in lines))
                finally:
                    server.terminate()

    def test_an_action_improves_the_selected_photos(self) -> None:
        action = DEBIAN.parent / "examples" / "file-manager" / "improve-photos"
        names = ["-a b.jpg", "c*.jpg", "d.jpg"]
        photos = [str(self.photo(to=name)) for name in names]
        unselected = self.photo(to="cd.jpg")
        for variable, arguments in (
            ({"NAUTILUS_SCRIPT_SELECTED_FILE_PATHS": "".join(f"{one}\n" for one in photos[:2])}, []),
            ({}, photos[2:]), ({}, []),
        ):  # fmt: skip
            environment = {**os.environ, **variable, "PHOTOEDIT_PROGRAM": PROGRAM}
            result = subprocess.run([action, *arguments], env=environment, capture_output=True,
                                    check=False, text=True, timeout=60)  # fmt: skip
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        edited = {path.name for path in self.folder.glob("*.edited.jpg")}
        self.assertEqual(edited, {"-a b.edited.jpg", "c*.edited.jpg", "d.edited.jpg"})
        self.assertTrue(unselected.exists())

    def test_what_has_thumbnails_can_be_opened(self) -> None:
        kinds = [set(entry(name)["MimeType"].rstrip(";").split(";"))
                 for name in ("photoedit.thumbnailer", "photoedit.desktop")]  # fmt: skip
        self.assertLess(kinds[0], kinds[1])


if __name__ == "__main__":
    unittest.main()
