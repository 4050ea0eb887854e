# SPDX-License-Identifier: Apache-2.0
"""Photos that are developed by darktable."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

import photoedit
from case import EXAMPLES, PROGRAM, Case

# As darktable writes it: date, rating, title, keyword, and the module "exposure" with +2 EV.
SIDECAR = """<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:darktable="http://darktable.sf.net/" exif:DateTimeOriginal="2024:05:06 07:08:09"
    xmp:Rating="4" darktable:xmp_version="4" darktable:auto_presets_applied="1"
    darktable:history_end="1">
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A lake</rdf:li></rdf:Alt></dc:title>
   <dc:subject><rdf:Bag><rdf:li>holiday</rdf:li></rdf:Bag></dc:subject>
   <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure"
     darktable:enabled="1" darktable:modversion="6"
     darktable:params="00000000000000000000004000004842000080c000000000" darktable:multi_name=""
     darktable:multi_priority="0"/></rdf:Seq></darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
"""


@unittest.skipIf(shutil.which("darktable-cli") is None,
                 "darktable is not installed (Debian package darktable)")  # fmt: skip
class DarktableTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.library = self.folder / "library"
        photoedit.Library.create(self.library).close()

    def developed(self, name: str, to: str, sidecar: str | None) -> Path:
        photo = self.photo(name, to=to)
        if sidecar:
            (self.folder / f"{to}.xmp").write_text(sidecar, encoding="utf-8")
        return photo

    def develop(self, *photos: Path) -> subprocess.CompletedProcess[str]:
        """The result of the script for photos."""
        environment = {**os.environ, "HOME": str(self.folder), "PHOTOEDIT_PROGRAM": PROGRAM}
        return subprocess.run(
            [EXAMPLES / "darktable" / "develop", self.library, *photos], env=environment,
            capture_output=True, check=False, text=True, timeout=300)

    def mean(self, library: photoedit.Library, asset: photoedit.Asset) -> float:
        with library.image(asset) as image:
            data = image.pixels().data
        return sum(data) / len(data)

    def test_an_edit_continues_what_darktable_developed(self) -> None:
        photos = [self.developed("raw-bayer.dng", "a b.dng", SIDECAR),
                  self.developed("photo-landscape.jpg", "photo.jpg", None)]  # fmt: skip
        kept = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        result = self.develop(*photos, self.folder / "missing.dng")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("missing.dng", result.stderr)
        self.assertEqual({path: path.read_bytes() for path in kept}, kept)

        with photoedit.Library(self.library) as library:
            assets = {asset.filename: asset for asset in library.assets()}
            self.assertEqual(set(assets), {"a b.dng", "photo.jpg"})
            raw = assets["a b.dng"]
            self.assertEqual((raw.title, raw.rating, raw.keywords), ("A lake", 4, ("holiday",)))
            original = Path(library.path(raw, original=True))
            self.assertEqual(original.read_bytes(), photos[0].read_bytes())
            with library.image(raw) as image:
                self.assertEqual(image.inspect()["bitsPerSample"], 16)

            developed = self.mean(library, raw)
            library.apply(raw, filters=[("exposure", {"ev": -1})])
            self.assertLess(self.mean(library, raw), developed - 10)
            library.undo(raw)
            self.assertAlmostEqual(self.mean(library, raw), developed, delta=2)
            library.revert(raw)
            found = library.assets("filename:a b.dng")
            self.assertEqual([asset.edited for asset in found], [False])

    def test_what_was_developed_is_in_the_result(self) -> None:
        for index, sidecar in enumerate((None, SIDECAR)):
            photo = self.developed("photo-landscape.jpg", f"{index}.jpg", sidecar)
            self.assertEqual(self.develop(photo).returncode, 0)
        with photoedit.Library(self.library) as library:
            means = [self.mean(library, asset) for asset in library.assets(sort="originalFilename")]
        self.assertGreater(means[1], means[0] + 20)

    def test_a_photo_that_cannot_be_developed_is_not_imported(self) -> None:
        photo = self.folder / "damaged.dng"
        photo.write_bytes(b"II*\0")
        result = self.develop(photo)
        self.assertEqual(result.returncode, 1)
        self.assertIn("darktable cannot develop it", result.stderr)
        self.assertEqual(photoedit.run("asset", "list", "-L", self.library).output, b"")


class SidecarTests(Case):
    def test_the_sidecar_of_darktable_is_not_changed(self) -> None:
        for name, to in (("photo-64.jpg", "photo.jpg"), ("raw-bayer.dng", "raw.dng")):
            photo, sidecar = self.photo(name, to=to), self.folder / f"{to}.xmp"
            sidecar.write_text(SIDECAR, encoding="utf-8")
            photoedit.apply(photo, filters=["sepia"])
            photoedit.adjust(photo, set=["sepia.amount=0.5"])
            photoedit.undo(photo)
            photoedit.revert(photo)
            self.assertEqual(sidecar.read_text(encoding="utf-8"), SIDECAR)


if __name__ == "__main__":
    unittest.main()
