# SPDX-License-Identifier: Apache-2.0
"""The declarations of photoedit.h and the keys of the JSON that programs depend on.

Both are compared with records that say for which version they were made. What was added is recorded
by PHOTOEDIT_ACCEPT=1; what was removed or changed, only after the version has moved.
"""

import ctypes
import json
import os
import re
import subprocess
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from case import GRAPH, INPUTS, PROGRAM, Case
from photoedit import _native

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER = ROOT / "Sources" / "CPhotoEditInterface" / "include" / "photoedit.h"
SWIFT = ROOT / "Sources" / "PhotoEditInterface" / "Interface.swift"
ARTICLES = ROOT / "Sources" / "PhotoEdit" / "PhotoEdit.docc"

Record = dict[str, set[str]]


def check_record(
        test: unittest.TestCase, path: Path, version: int, found: Record,
        read: Callable[[str], tuple[int, Record]], text: str) -> None:
    """Compares with a record, or replaces it if nothing was removed without another version."""
    old, known = read(path.read_text() if path.exists() else "")
    removed = sorted(f"{name}: removed" for name in known if name not in found)
    changed = sorted(
        f"{name}: {' '.join(sorted(kinds - known[name]))}" for name, kinds in found.items()
        if name in known and kinds - known[name] - {"null"})
    if removed or changed:
        test.assertGreater(
            version, old, f"{path.name}: programs depend on what was removed or changed; restore it, "
            "or move the version:\n" + "\n".join(removed + changed))
    if os.environ.get("PHOTOEDIT_ACCEPT"):
        path.write_text(text)
    test.assertEqual(
        path.read_text() if path.exists() else "", text,
        f"{path.name} is out of date; PHOTOEDIT_ACCEPT=1 Tests/Interface/run records it")


class DeclarationTests(unittest.TestCase):
    def setUp(self) -> None:
        header = re.sub(r"//[^\n]*", "", HEADER.read_text())
        match = re.search(r"PHOTOEDIT_ABI_VERSION (\d+)\n", header)
        assert match is not None
        self.version = int(match[1])
        body = header[match.end():header.index("#ifdef __cplusplus\n}")]
        self.declarations = [" ".join(part.split()) for part in re.findall(
            r"(?:[^;{}]|\{[^{}]*\})+;", body)]  # fmt: skip
        self.types = {
            "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "size_t": ctypes.c_size_t,
            "char *": ctypes.c_char_p, "const char *": ctypes.c_char_p, "uint8_t *": ctypes.c_void_p,
            "const void *": ctypes.c_void_p,
            "void *": ctypes.c_void_p, "void": None, "photoedit_output": _native.OUTPUT,
            "const char *const *": _native._STRINGS, "photoedit_error *": _native._ERROR,
            "photoedit_bytes *": _native._BYTES, "photoedit_pixels *": _native._PIXELS,
            "const photoedit_pixels *": _native._PIXELS}
        self.handles = ["image", "library", "cancellation"]
        for name in self.handles:
            self.types[f"photoedit_{name}"] = ctypes.c_uint64
            self.types[f"photoedit_{name} *"] = _native._HANDLE

    def functions(self) -> dict[str, tuple[str, list[str]]]:
        """The result and the types of the parameters of each function."""
        found = {}
        for declaration in self.declarations:
            match = re.fullmatch(r"((?:const )?\w+ \*?)(photoedit_\w+)\((.*)\);", declaration)
            if match is not None:
                words = [re.sub(r"\w+$", "", word.strip()).strip() for word in match[3].split(",")]
                found[match[2]] = (match[1].strip(), [] if match[3] == "void" else words)
        self.assertGreater(len(found), 15)
        return found

    def test_the_header_is_that_of_its_version(self) -> None:
        def read(text: str) -> tuple[int, Record]:
            first, *lines = text.splitlines() or ["0"]
            return int(first.split()[-1]), {line: set() for line in lines}

        check_record(
            self, HERE / "declarations.txt", self.version,
            {line: set() for line in self.declarations}, read,
            "\n".join([f"PHOTOEDIT_ABI_VERSION {self.version}", *self.declarations]) + "\n")

    def test_the_functions_of_python_are_those_of_the_header(self) -> None:
        declared = {
            name: (self.types[result], [self.types[word] for word in words])
            for name, (result, words) in self.functions().items()}
        self.assertEqual(declared, _native.FUNCTIONS)
        self.assertEqual(self.version, _native.ABI_VERSION)

    def test_the_structures_of_python_are_those_of_the_header(self) -> None:
        found = {}
        for declaration in self.declarations:
            match = re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1;", declaration)
            if match is None:
                continue
            found[match[1]] = [
                (name.strip(), self.types[kind.strip()])
                for kind, names in re.findall(r"(\w+ \*?)([^;]+);", match[2])
                for name in names.split(",")]
        self.assertEqual(
            found, {f"photoedit_{name}": structure._fields_ for name, structure in (
                ("error", _native.CError), ("bytes", _native.CBytes),
                ("pixels", _native.CPixels))})

    def test_the_functions_of_swift_are_those_of_the_header(self) -> None:
        c = {
            "Int32": "int32_t", "UInt32": "uint32_t", "UInt64": "handle", "Int": "size_t",
            "UnsafePointer<CChar>?": "const char *", "UnsafePointer<CChar>": "const char *",
            "UnsafeRawPointer?": "const void *", "UnsafeMutableRawPointer?": "void *",
            "UnsafePointer<UnsafePointer<CChar>?>?": "const char *const *",
            "UnsafeMutablePointer<UInt64>?": "handle *",
            "(@convention(c)(UnsafeMutableRawPointer?,UnsafePointer<UInt8>?,Int)->Int32)?":
                "photoedit_output"}
        for name in ("error", "bytes", "pixels"):
            c[f"UnsafeMutablePointer<photoedit_{name}>?"] = f"photoedit_{name} *"
            c[f"UnsafePointer<photoedit_{name}>?"] = f"const photoedit_{name} *"
        found = {}
        for name, parameters, result in re.findall(
                r'@_cdecl\("(\w+)"\)\npublic func \w+\((.*?)\)(?: -> (\S+))? \{',
                SWIFT.read_text(), re.DOTALL):  # fmt: skip
            text = re.sub(r"\s", "", parameters)
            kinds = re.split(r",?_\w+:", text)[1:]
            found[name] = (c[result] if result else "void", [c[kind] for kind in kinds])
        names = {f"photoedit_{name}{end}": f"handle{end}" for name in self.handles
                 for end in ("", " *")}  # fmt: skip
        self.assertEqual(found, {
            name: (names.get(result, result), [names.get(word, word) for word in words])
            for name, (result, words) in self.functions().items()})


#: Commands whose reports have the same keys.
TOGETHER = (
    ("apply", "adjust", "render"), ("revert", "undo", "redo"),
    ("asset list", "asset set", "asset show", "album show"), ("album list", "folder list"),
    ("album create", "folder create"))
#: Values that depend on the filter, on the build or on the photo.
ANY = re.compile(
    r".*\.params|.*\.changes\[\]\.(from|to)|graph\.assets|.*\.(argument|default|neutral)"
    r"|components|optional|jpeg\.tables")


def shapes(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The paths of all values with their types."""
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", dict: "object",
             list: "array"}  # fmt: skip
    if ANY.fullmatch(path):
        yield path, "any"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from shapes(item, f"{path}.{key}" if path else key)
    else:
        yield path, kinds.get(type(value), "null")
        for item in value if isinstance(value, list) else []:
            yield from shapes(item, path + "[]")


class ShapeTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.found: dict[str, Record] = {}

    def report(
            self, command: str, *words: object, exit: int = 0,
            title: str | None = None) -> list[dict[str, Any]]:
        """Runs a command and notes the keys of its reports."""
        done = subprocess.run(
            [PROGRAM, *command.split(" "), "--json", *map(str, words)], capture_output=True,
            check=False)
        self.assertEqual(done.returncode, exit, done.stderr.decode())
        reports = [json.loads(line) for line in done.stdout.splitlines()]
        together = next((", ".join(names) for names in TOGETHER if command in names), command)
        self.note(title or together, reports)
        return reports

    def note(self, title: str, reports: list[dict[str, Any]]) -> None:
        for report in reports:
            keys = self.found.setdefault("Failures" if "error" in report else title, {})
            for path, kind in shapes(report):
                keys.setdefault(path, set()).add(kind)

    def photos(self) -> None:
        """Runs the commands for files."""
        photo, raw = self.photo("photo-landscape.jpg"), self.photo("raw-portrait.dng")
        cube = self.folder / "plain.cube"
        corners = [f"{r} {g} {b}" for b in (0, 1) for g in (0, 1) for r in (0, 1)]
        cube.write_text("LUT_3D_SIZE 2\n" + "\n".join(corners) + "\n")
        (self.folder / "out").mkdir()
        rendered = self.folder / "render.jpg"
        self.report("apply", "--filter", "exposure:ev=0.5", "--filter", f"lut3d:file={cube}", photo)
        self.report("apply", "--auto", "--no-sidecar", "-o", self.folder / "auto.jpg", raw)
        self.report("apply", "--filter", "grayscale", self.folder / "missing.jpg",
                    INPUTS / "png-rgba-8.png", "-o", self.folder / "out", "--strip", "all",
                    exit=1)  # fmt: skip
        self.report("adjust", "--set", "exposure.ev=0.7", photo)
        self.report("apply", "--filter", "text:text=today,size=0.1", photo)
        self.report("history", photo)
        self.report("undo", photo)
        self.report("redo", photo)
        self.report("show", photo)
        self.report("render", "--filter", "sharpen", "-o", rendered, photo)
        for image, name in ((photo, "rotate90"), (raw, "sepia")):
            self.report("render", "--plan", "--filter", name, image, title="render --plan")
        self.report("inspect", photo, raw, INPUTS / "png-text.png", INPUTS / "jpeg-display-p3.jpg")
        self.report("compare", photo, rendered, exit=1)
        self.report("compare", photo, photo)
        self.report("thumbnail", "-o", self.folder / "thumbnail.jpg", photo)
        self.report("filters")
        self.report("version")
        self.report("revert", photo)
        lines = [{"id": 2}, {"id": 3, "input": "missing", "output": "x", "look": "y"}, {"ping": 1},
                 {"id": 1, "input": str(photo), "output": "-", "graph": GRAPH}]  # fmt: skip
        # The bytes follow the last line.
        answers = subprocess.run(
            [PROGRAM, "worker"], input="".join(json.dumps(line) + "\n" for line in lines).encode(),
            stdout=subprocess.PIPE, check=True).stdout.split(b"\n", len(lines) + 1)  # fmt: skip
        self.note("worker", [json.loads(line) for line in answers[:-1]])

    def library(self) -> None:
        """Runs the commands for libraries."""
        photos, library = self.folder / "photos", ("--library", self.folder / "library")
        photos.mkdir()
        for name in ("photo-64.jpg", "photo-landscape.jpg", "photo-portrait.jpg", "png-text.png"):
            self.photo(name, to=f"photos/{name}")
        self.photo("photo-64.jpg", to="photos/again.jpg")
        (photos / "notes.txt").write_text("notes")
        self.report("library create", self.folder / "library")
        self.report("asset import", *library, photos)
        found = self.report("asset list", *library)
        first, second, *_ = (row["identifier"] for row in found)
        self.report("asset set", *library, "--title", "Harbor", "--keywords", "a,b", "--rating", "4",
                    "--location", "47.5,9.7", first)  # fmt: skip
        self.report("apply", *library, "--filter", "sepia", first)
        self.report("asset show", *library, first)
        self.report("asset list", *library)
        self.report("asset duplicates", *library)
        (self.folder / "export").mkdir()
        self.report("asset export", *library, "--all", "-o", self.folder / "export")
        album = self.report("album create", *library, "Lisbon")[0]["identifier"]
        self.report("album add", *library, album, first)
        self.report("folder create", *library, "Travels")
        self.report("album list", *library)
        self.report("album show", *library, album)
        self.report("folder list", *library)
        self.report("moment list", *library)
        self.report("asset delete", *library, "--yes", second)
        self.report("changes", *library)
        self.report("library info", *library)
        self.report("library check", *library)

    def test_reports_have_the_recorded_keys(self) -> None:
        self.photos()
        self.library()

        def read(text: str) -> tuple[int, Record]:
            match = re.search(r"`schemaVersion` (\d+)", text)
            return int(match[1]) if match else 0, {
                f"{title}: {line.split()[0]}": set(line.split()[1].split("|"))
                for title, lines in re.findall(r"^## ([^\n]+)\n\n```\n(.*?)\n```$", text,
                                               re.MULTILINE | re.DOTALL)  # fmt: skip
                for line in lines.splitlines()}

        record: Record = {}
        sections = []
        for title, keys in sorted(self.found.items()):
            width = max(map(len, keys)) + 1
            sections.append("\n".join([
                f"## {title}", "", "```",
                *(f"{path:{width}}{'|'.join(sorted(kinds))}"
                  for path, kinds in sorted(keys.items())), "```"]))  # fmt: skip
            record |= {f"{title}: {path}": kinds for path, kinds in keys.items()}
        text = KEYS + "\n\n".join(sections) + "\n"
        check_record(self, ARTICLES / "JSONKeys.md", 1, record, read, text)


KEYS = """# Keys of JSON reports

The keys that the reports of `--json` have, with the types of their values, as recorded from the program.

## Overview

This is `schemaVersion` 1. Keys may be added to it; a key is removed, or gets values of another type, only
with another version. A dot leads into an object and `[]` into an array, `any` depends on the filter, the
photo or the build, and a key that a report leaves out is absent or null in others. <doc:JSONReports> says
what the keys mean.

"""
