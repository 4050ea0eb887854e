# SPDX-License-Identifier: Apache-2.0
"""The commands that desktops run: a thumbnailer, an application, and an action of file managers."""

import configparser
import os
import shlex
import shutil
import struct
import subprocess
import time
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
    return [values.get(word, word) for word in shlex.split(line)]


def png_side(path: Path) -> int:
    """The longer side of a PNG."""
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return int(max(struct.unpack(">II", head[16:24])))


class Desktop(Case):
    def setUp(self) -> None:
        super().setUp()
        # The program of these tests is the first that is found.
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "photoedit").symlink_to(shutil.which(PROGRAM) or PROGRAM)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def test_a_thumbnail_is_a_png_of_the_size(self) -> None:
        thumbnailer = entry("photoedit.thumbnailer")
        # Clients pass temporary names without a type, which may exist already.
        output = self.folder / "thumbnail"
        output.write_bytes(b"")
        for name in ("photo-landscape.jpg", "raw-portrait.dng"):
            words = command(thumbnailer["Exec"], {
                "%s": "128", "%i": str(self.photo(name)), "%o": str(output)})  # fmt: skip
            with output.open("rb") as opened:
                result = subprocess.run(words, env=self.environment, capture_output=True,
                                        check=False, timeout=60)  # fmt: skip
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))
                # The client may have opened the file before.
                self.assertEqual(opened.read(), output.read_bytes())
            self.assertEqual(png_side(output), 128)

    def test_a_failure_has_an_exit_code(self) -> None:
        paths = {"%i": str(self.folder / "missing.dng"), "%o": str(self.folder / "a")}
        words = command(entry("photoedit.thumbnailer")["Exec"], {"%s": "128", **paths})
        result = subprocess.run(words, env=self.environment, capture_output=True, check=False,
                                timeout=60)  # fmt: skip
        self.assertEqual(result.returncode, 66)

    @unittest.skipUnless(list(Path("/usr/lib").glob("*/tumbler-1/tumblerd")) and
                         shutil.which("dbus-run-session") and shutil.which("gdbus"),
                         "not installed: tumbler, dbus or libglib2.0-bin of Debian")  # fmt: skip
    def test_the_thumbnail_service_of_xfce_calls_it(self) -> None:
        thumbnailers = self.folder / "data" / "thumbnailers"
        thumbnailers.mkdir(parents=True)
        shutil.copy(DEBIAN / "photoedit.thumbnailer", thumbnailers)
        photo, cache = self.photo("raw-bayer.dng", to="a b.dng"), self.folder / "cache"
        service = "org.freedesktop.thumbnails.Thumbnailer1"
        environment = {**self.environment, "XDG_DATA_HOME": str(self.folder / "data"),
                       "XDG_CACHE_HOME": str(cache), "HOME": str(self.folder)}  # fmt: skip
        # The service ends with its bus, which ends with the command, which ends with its input.
        call = ["gdbus", "call", "--session", "-d", service, "-o", "/" + service.replace(".", "/"),
                "-m", f"{service}.Queue", f"['{photo.as_uri()}']", "['image/x-adobe-dng']",
                "normal", "default", "0"]  # fmt: skip
        with subprocess.Popen(
                ["dbus-run-session", "--", "sh", "-c", f"{shlex.join(call)} && cat"],
                env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL) as session:  # fmt: skip
            end = time.monotonic() + 60
            found: list[Path] = []
            while not found and session.poll() is None and time.monotonic() < end:
                time.sleep(0.1)
                found = list(cache.glob("thumbnails/normal/*.png"))
            session.communicate(timeout=60)
        self.assertEqual([png_side(path) for path in found], [128])

    def test_a_photo_and_a_folder_are_opened(self) -> None:
        application = entry("photoedit.desktop")
        for opened in (self.photo(), self.folder):
            words = command(application["Exec"], {"%f": str(opened)})
            # A server with the same port may be running.
            with subprocess.Popen([*words, "--no-open", "--port", "0"], env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True) as server:  # fmt: skip
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
