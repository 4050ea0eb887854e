# SPDX-License-Identifier: Apache-2.0
"""Truncated and changed images, videos, archives, sidecars and graphs: refused, and never a crash.

Each case is a few mutants of one file. All commands that read files of the kind read all of them; if
one crashes, hangs or needs much memory, they are repeated for each mutant to name it.
"""

import os
import shutil
import struct
import subprocess
import zipfile
import zlib

import materials
from cases import INPUTS, Case, Skip, differences, inventory

NAME = "mutations"
# Mutants of a case.
GROUP = 8
IMAGES = ("photo-64.jpg", "orientation-6.jpg", "jpeg-progressive.jpg", "jpeg-restart.jpg", "jpeg-cmyk.jpg",
          "jpeg-arithmetic.jpg", "jpeg-display-p3.jpg", "png-rgb-8.png", "png-interlaced.png", "png-text.png",
          "png-palette-trns.png", "raw-portrait.dng")  # fmt: skip
INTERESTING = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
GRAPH = """{"format":"org.photoedit.filter-graph","version":"1.0","nodes":[
{"id":"n1","filter":"sepia","v":1,"params":{"amount":0.5}},
{"id":"n2","filter":"crop","v":1,"params":{"x":8,"y":8,"width":32,"height":24}},
{"id":"n3","filter":"exposure","v":1,"params":{"ev":0.5}}]}"""
TAKEOUT = """{"title":"photo.jpg","description":"d","photoTakenTime":{"timestamp":"1560000000"},
"geoData":{"latitude":38.7,"longitude":-9.1,"altitude":0.0},"people":[{"name":"A"}],"favorited":true}"""
PACKET = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">T</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>a</rdf:li><rdf:li>b</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


def mutant(data, random):
    """A damaged copy of a file."""
    data = bytearray(data)
    # Headers decide more than samples.
    position = lambda: random.randrange(min(len(data), 512) if random.random() < 0.6 else len(data))
    kind = random.choice(("truncated", "bits", "bits", "number", "number", "zeros", "repeated", "removed"))
    if kind == "truncated":
        del data[position():]
    elif kind == "bits":
        for _ in range(random.choice((1, 1, 2, 8, 32))):
            data[position()] ^= 1 << random.randrange(8)
    elif kind == "number":
        size = random.choice((1, 2, 4))
        number = random.choice(INTERESTING) & ((1 << 8 * size) - 1)
        start = position()
        data[start:start + size] = number.to_bytes(size, random.choice(("big", "little")))
    else:
        start = position()
        length = random.choice((1, 4, 16, 300))
        part = bytes(data[start:start + length])
        new = {"zeros": bytes(len(part)), "repeated": part * random.choice((2, 3, 50)), "removed": b""}[kind]
        data[start:start + length] = new
    if data[:4] == b"\x89PNG" and random.random() < 0.7:
        mend_checksums(data)
    return bytes(data)


def mend_checksums(data):
    """Makes the checksums of the chunks of a PNG right, so that their contents are read."""
    position = 8
    while position + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        end = position + 8 + length
        if end + 4 > len(data):
            return
        struct.pack_into(">I", data, end, zlib.crc32(data[position + 4:end]))
        position = end + 4


def encoded(folder):
    """Files of the formats that have no test images; a reason for each that cannot be written."""
    path = lambda name: os.path.join(folder, name)
    missing = []
    source = ["-f", "lavfi", "-i", "testsrc=size=48x32:rate=5:duration=1"]
    further = {
        "lossy.webp": ["-frames:v", "1", "-c:v", "libwebp"],
        "animation.webp": ["-c:v", "libwebp_anim"],
        "lzw.tif": ["-frames:v", "1", "-compression_algo", "lzw"],
        "deflate.tif": ["-frames:v", "1", "-pix_fmt", "rgba64le", "-compression_algo", "deflate"],
        "chroma.tif": ["-frames:v", "1", "-pix_fmt", "yuv420p"],
        "animation.gif": [],
        "frames.avi": ["-c:v", "mjpeg"],
        "ordered.mp4": ["-c:v", "mpeg4", "-g", "2", "-bf", "1", "-movflags", "+faststart"],
        "frames.mkv": ["-c:v", "mpeg4"],
    }
    if shutil.which("ffmpeg") is None:
        return ["WebP, TIFF, GIF and videos, because the Debian package ffmpeg is missing"]
    for name, words in further.items():
        command = ["ffmpeg", "-v", "error", "-y", *source, *words, path(name)]
        if subprocess.run(command, capture_output=True).returncode != 0:
            missing.append(f"{name}, which this ffmpeg does not encode")
    if materials.is_possible():
        made = materials.make(path("made"), os.path.join(INPUTS, "photo-64.jpg"))
        for name in ("live.mov", "motion.jpg"):
            os.rename(os.path.join(made, name), path(name))
        shutil.rmtree(made)
    else:
        missing.append("Live Photos, because this ffmpeg has no libx264")
    return missing + heif(path)


def heif(path):
    """HEIC and AVIF, with the encoders that are installed."""
    source = os.path.join(INPUTS, "png-rgb-8.png")
    missing = []
    words = ["ffmpeg", "-v", "error", "-y", "-i", source, "-c:v", "libaom-av1", "-still-picture", "1"]
    if subprocess.run([*words, path("still.avif")], capture_output=True).returncode != 0:
        missing.append("still.avif, which this ffmpeg does not encode")
    if shutil.which("heif-enc") is None:
        return [*missing, "still.heic, because the Debian package libheif-examples is missing"]
    subprocess.run(["heif-enc", "-o", path("still.heic"), source], capture_output=True)
    return missing


def documents(setting, folder):
    """Sidecars, graphs and archives."""
    path = lambda name: os.path.join(folder, name)
    for name, text in (("graph.json", GRAPH), ("photo.jpg.json", TAKEOUT), ("photo.xmp", PACKET)):
        with open(path(name), "w") as file:
            file.write(text)
    photo = os.path.join(setting.folder("edited"), "photo.jpg")
    shutil.copy(os.path.join(INPUTS, "photo-64.jpg"), photo)
    setting.program.succeed(["apply", photo, "--filter", "sepia", "-q"])
    shutil.copy(photo + ".aae", path("photo.jpg.aae"))
    with zipfile.ZipFile(path("photos.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(photo, "a/photo.jpg")
        archive.writestr("a/photo.xmp", PACKET)


class Group:
    """Some mutants of one file."""

    def __init__(self, setting, source, number):
        self.setting, self.source = setting, source
        self.base = os.path.basename(source)
        self.suffix = self.base.split(".", 1)[1]
        self.name = f"{self.base}-{number}"

    def check(self):
        folder = self.setting.folder(self.name)
        random = self.setting.random(self.name)
        with open(self.source, "rb") as file:
            data = file.read()
        names = [f"m{number}" for number in range(GROUP)]
        for name in names:
            if self.suffix in ("jpg.json", "xmp", "jpg.aae"):
                photo = os.path.join(folder, name + ".jpg")
                materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), photo, int(name[1:]))
            with open(os.path.join(folder, f"{name}.{self.suffix}"), "wb") as file:
                file.write(mutant(data, random))
        before = inventory(folder)
        problems = self.run(folder, names, "all")
        if problems:
            each = [(name, self.run(folder, [name], name)) for name in names]
            named = [f"mutant {name}: {problem}" for name, own in each for problem in own]
            problems = named or problems
        problems += differences(before, inventory(folder))
        shutil.rmtree(folder)
        return problems

    def run(self, folder, names, label):
        """The problems of the commands with some of the mutants."""
        files = [f"{name}.{self.suffix}" for name in names]
        out = self.setting.folder(f"{self.name}-{label}")
        library = os.path.join(out, "library")
        self.setting.program.succeed(["library", "create", library, "-q"])
        problems = []

        def check(*words):
            result = self.setting.program.run(words, folder)
            problems.extend(result.problems())
            # The confined process is the program, too; its end refuses the file.
            if b"its decoder" in result.stderr:
                problems.extend(self.in_process(words, folder, out, result))
            return result

        if self.suffix == "json":
            for file in files:
                check("render", os.path.join(INPUTS, "photo-64.jpg"), "--graph", file, "-q", "-o",
                      f"{out}/{file}.jpg")  # fmt: skip
        elif self.suffix == "jpg.aae":
            # Copies, because these commands write next to the photo.
            photos = [os.path.join(out, "copies", name + ".jpg") for name in names]
            shutil.copytree(folder, os.path.join(out, "copies"))
            check("show", *photos, "--json")
            check("apply", *photos, "--filter", "invert", "-q")
            check("undo", *photos, "-q")
            check("revert", *photos, "-q")
        elif self.suffix not in ("jpg.json", "xmp", "zip"):
            check("inspect", *files, "--json")
            check("thumbnail", *files, "-q", "-o", f"{out}/thumbnails/")
            if self.suffix in ("mov", "mp4", "avi", "mkv"):
                check("apply", *files, "--filter", "invert", "-q", "--no-sidecar",
                      "-o", f"{out}/edited/")  # fmt: skip
            else:
                check("render", *files, "--filter", "invert", "--lenient", "-q", "-o", f"{out}/rendered/")
        if self.suffix != "json":
            sources = files
            if self.suffix in ("jpg.json", "xmp", "jpg.aae"):
                sources = [file for name in names for file in (name + ".jpg", f"{name}.{self.suffix}")]
            check("asset", "import", *sources, "-q", "-L", library)
        checked = check("library", "check", "--deep", "-L", library)
        if checked.code != 0:
            problems.append(f"the library is not sound after the import: {checked.stdout!r}")
        shutil.rmtree(out)
        return problems


    def in_process(self, words, folder, out, result):
        """The problems of decoders that end, if they are not refusals for a lack of memory."""
        # LibRaw 0.20 writes past its tables for some tags of a DNG; it is confined for that.
        if self.suffix == "dng" and b"its decoder crashed (SIGSEGV)" in result.stderr:
            return []
        if b"its decoder stopped" not in result.stderr:
            return [f"{words[0]}: {result.error()}"]
        again = [word.replace(out, out + "/again") for word in words if word != "asset"]
        if words[0] == "asset":
            return []
        os.makedirs(out + "/again", exist_ok=True)
        return self.setting.program.run([*again, "--sandbox", "off"], folder).problems()


def cases(setting):
    base = setting.folder("base")
    for reason in encoded(base):
        yield Case("encoder-of-" + reason.split(",")[0].replace(" ", "-"), skipped, reason)
    documents(setting, base)
    sources = [os.path.join(INPUTS, name) for name in IMAGES]
    sources += [os.path.join(base, name) for name in sorted(os.listdir(base))]
    for number in range(setting.count(5, 100)):
        for source in sources:
            group = Group(setting, source, number)
            yield Case(group.name, group.check)


def skipped(reason):
    raise Skip(reason)
