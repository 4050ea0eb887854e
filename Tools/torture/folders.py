# SPDX-License-Identifier: Apache-2.0
"""Hostile names, links and special files: nothing is written outside of the named folders.

Each case has a folder of its own with a destination. Everything else in it, and what links lead to,
must have the same inventory afterwards.
"""

import json
import os
import shutil
import socket
import sqlite3
import threading
import zipfile

import materials
from cases import INPUTS, Case, differences, inventory

NAME = "folders"
PHOTO = os.path.join(INPUTS, "photo-64.jpg")

# Names of files, albums and folders; those that no file can have come through the database.
NAMES = [
    "..", ".", "../escaped", "../../escaped", "a/../../escaped", "/escaped", "//escaped", "~", "~/escaped",
    "-rf", "--output=escaped", "@file", "|escaped", "$(touch escaped)", "`touch escaped`", "a\nb", "a\rb",
    "a\tb", "a\x1b[31mb", "a\x07b", "a\u202egpj.exe", "\u2066a", "a.", "a ", " a", "", "   ", "...", "CON",
    "con.jpg", "NUL", "COM1.txt", "a:b", "a\\..\\..\\escaped", "a*?", "<a>", "\"a\"", "'a'", "%2e%2e%2fescaped",
    "..%00escaped", "e\u0301", "\u00e9", "A", "a", "\u0130", "\ufb01", "x" * 255, "x" * 256, "x" * 4096,
    "\u6f22" * 85, "\U0001f600" * 63, ".photoedit", ".photoedit-export.json", "library.db", "{created.year}",
    "{title}/..", "{", "}", "%n%s%d", "\ud7ff", "\ufeff", "\u0000a", "a\u0000/../escaped", "\u200b", "a/b/c",
    "/dev/null", "/proc/self/mem", "staging", "photo.jpg/..", "NaN", "null", "1e400", "'; DROP TABLE asset;--",
]  # fmt: skip
PIECES = ["..", "/", ".", "\\", "\x1b[2J", "\n", " ", "a", "~", "-", "é", "e\u0301", "\u202e", "\u0000", "%2f",
          "{title}", "$HOME", "CON", "x" * 100, ":"]  # fmt: skip


class Place:
    """The folder of a case with the folder of results, and all else that must stay as it is."""

    def __init__(self, setting, name):
        self.setting, self.root = setting, setting.folder(name)
        self.out = self.path("destination")
        self.library = self.path("library")
        for part in ("all", "t"):
            os.makedirs(os.path.join(self.out, part))
        os.makedirs(self.path("beside"))
        shutil.copy(PHOTO, self.path("beside", "kept.jpg"))
        self.problems = []
        self.written = {self.out, self.library}

    def path(self, *names):
        return os.path.join(self.root, *names)

    def run(self, *words, folder=None, codes=None):
        result = self.setting.program.run(words, folder or self.path("beside"))
        self.problems += result.problems()
        if codes is not None and result.code not in codes:
            self.problems.append(f"{' '.join(words[:2])} ends with {result.code}: {result.error()}")
        return result

    def create_library(self, *photos):
        self.run("library", "create", self.library, "-q", codes=(0,))
        if photos:
            self.run("asset", "import", *photos, "-q", "-L", self.library, codes=(0, 1))

    def expect_files(self):
        """An export that writes nothing would prove nothing."""
        if not any(files for _, _, files in os.walk(self.out)):
            self.problems.append("nothing was written to the destination")

    def note(self):
        """Notes everything outside of the folders that commands may write to."""
        self.before = inventory(self.root, self.written)

    def end(self):
        """The problems of the commands and with all files since `note`."""
        # The folders themselves may be created, and links in them lead nowhere.
        after = inventory(self.root, self.written)
        for path in self.written:
            self.before.pop(path, None)
            after.pop(path, None)
        changed = differences(self.before, after)
        escaped = [self.path("..", name) for name in ("escaped", "escaped.jpg")]
        changed += [f"{path} was created" for path in escaped if os.path.lexists(path)]
        shutil.rmtree(self.root)
        return self.problems + changed


def names_in_database(setting, name, texts):
    """Names that were put into the database: exports keep them below the destination."""
    place = Place(setting, name)
    photos = []
    for number in range(len(texts)):
        photos.append(place.path("beside", f"{number}.jpg"))
        materials.numbered(PHOTO, photos[-1], number)
    place.create_library(*photos)
    base = sqlite3.connect(place.library + "/library.db")
    for number, text in enumerate(texts):
        base.execute("UPDATE asset SET originalFilename = ?, title = ? WHERE originalFilename = ?",
                     (text, text, f"{number}.jpg"))  # fmt: skip
    base.commit()
    base.close()
    place.note()
    place.run("asset", "list", "-L", place.library)
    place.run("asset", "export", "--all", "-o", place.out, "-q", "-L", place.library)
    place.run("asset", "export", "--all", "--variant", "all", "-o", place.out + "/all", "-q", "-L", place.library)
    for template in ("{title}", "{title}/{name}", "{original}", "{title|name}/x"):
        place.run("asset", "export", "--all", "--template", template, "-o", place.out + "/t", "-q", "-L",
                  place.library)  # fmt: skip
    place.expect_files()
    place.run("library", "backup", place.out + "/backup", "-q", "-L", place.library)
    return place.end()


def names_of_albums(setting, name, texts):
    """Titles of albums and folders, given as arguments."""
    place = Place(setting, name)
    place.create_library(PHOTO)
    listed = place.run("asset", "list", "--json", "-L", place.library, codes=(0,))
    photo = json.loads(listed.stdout)["identifier"]
    place.note()
    for text in texts:
        if "\0" not in text and text:
            place.run("album", "create", "-L", place.library, "-q", "--", text, photo)
            place.run("folder", "create", "-L", place.library, "-q", "--", text)
    place.run("album", "list", "-L", place.library, codes=(0,))
    place.run("folder", "list", "-L", place.library, codes=(0,))
    place.run("asset", "export", "--all", "--template", "{album,none}/{name}", "-o", place.out, "-q", "-L",
              place.library)  # fmt: skip
    place.expect_files()
    return place.end()


def names_of_files(setting, name, texts):
    """Names of files that are imported, edited and exported."""
    place = Place(setting, name)
    source = place.path("source")
    os.makedirs(source)
    for number, text in enumerate(texts):
        raw = text.encode() if isinstance(text, str) else text
        raw = raw.replace(b"\0", b"").replace(b"/", b"_")[:250] + b".jpg"
        materials.numbered(PHOTO, os.path.join(source.encode(), raw), number)
    place.create_library()
    place.note()
    files = [os.path.join(b"source", file) for file in os.listdir(source.encode())]
    place.run("asset", "import", source, "-q", "-L", place.library)
    place.run("asset", "list", "-L", place.library, codes=(0,))
    place.run("asset", "export", "--all", "-o", place.out, "-q", "-L", place.library)
    place.expect_files()
    place.run("thumbnail", *[os.fsdecode(file) for file in files], "-o", place.out + "/thumbnails/", "-q",
              folder=place.root)  # fmt: skip
    place.run("render", "-r", source, "--filter", "invert", "-o", place.out + "/rendered/", "-q")
    return place.end()


def links_in_folders(setting, name):
    """Links in a folder that is imported are not followed, wherever they lead."""
    place = Place(setting, name)
    source, secret = place.path("source"), place.path("beside", "kept.jpg")
    os.makedirs(source)
    os.symlink(secret, source + "/a.jpg")
    os.symlink(place.path("beside"), source + "/folder")
    os.symlink(source, source + "/loop")
    os.symlink("nowhere", source + "/nowhere.jpg")
    os.symlink("/dev/zero", source + "/zero.jpg")
    os.symlink("/proc/self/mem", source + "/mem.jpg")
    place.create_library()
    place.note()
    place.run("asset", "import", source, "-q", "-L", place.library)
    listed = place.run("asset", "list", "--json", "-L", place.library, codes=(0,))
    if listed.stdout:
        place.problems.append("a link was followed")
    place.run("render", "-r", source, "--filter", "invert", "-o", place.out + "/", "-q")
    return place.end()


def links_at_destinations(setting, name):
    """Links where results are written: what they lead to is kept."""
    place = Place(setting, name)
    kept = place.path("beside", "kept.jpg")
    photo = place.path("photo.jpg")
    materials.numbered(PHOTO, photo, 7)
    place.create_library(photo)
    place.written |= {place.path("photo.edited.jpg"), place.path("photo.jpg.aae"), place.path(".photoedit")}
    for link in ("out.jpg", "photo.jpg", "photo.thumb.jpg", "photo.edited.jpg"):
        os.symlink(kept, os.path.join(place.out, link))
    place.note()
    for force in ([], ["--force"]):
        place.run("render", photo, "--filter", "invert", "-o", place.out + "/out.jpg", "-q", *force)
        place.run("thumbnail", photo, "-o", place.out + "/out.jpg", "-q", *force)
        place.run("asset", "export", "--all", "-o", place.out, "-q", "-L", place.library, *force)
        place.run("apply", photo, "--filter", "invert", "-o", place.out + "/", "-q", *force)
    return place.end()


def links_in_libraries(setting, name):
    """Folders of a library that were replaced by links: changes do not follow them."""
    place = Place(setting, name)
    place.create_library(PHOTO)
    for part in ("assets", "staging", "collections"):
        shutil.move(place.path("library", part), place.path("moved-" + part))
        os.symlink(place.path("moved-" + part), place.path("library", part))
    other = place.path("other.jpg")
    materials.numbered(PHOTO, other, 3)
    place.note()
    place.run("asset", "import", other, "-q", "-L", place.library)
    place.run("album", "create", "A", "-q", "-L", place.library)
    place.run("library", "repair", "-q", place.library)
    place.run("library", "check", "-q", place.library)
    return place.end()


def special_files(setting, name):
    """Pipes, sockets, devices, folders and huge sparse files with the names of photos."""
    place = Place(setting, name)
    source = place.path("source")
    os.makedirs(source + "/folder.jpg")
    os.mkfifo(source + "/pipe.jpg")
    os.mkfifo(source + "/pipe.aae")
    # The path of a socket is limited to 108 bytes.
    listener = socket.socket(socket.AF_UNIX)
    here = os.open(source, os.O_RDONLY)
    listener.bind(f"/proc/self/fd/{here}/socket.jpg")
    os.close(here)
    with open(source + "/sparse.jpg", "wb") as file:
        file.truncate(1 << 40)
    with open(source + "/sparse.mov", "wb") as file:
        file.write(b"\0\0\0\x14ftypqt  ")
        file.truncate(1 << 40)
    open(source + "/empty.jpg", "wb").close()
    place.create_library()
    place.note()
    place.run("asset", "import", source, "-q", "-L", place.library)
    named = [os.path.join(source, file) for file in sorted(os.listdir(source)) if file != "folder.jpg"]
    named += ["/dev/zero", "/dev/full", "/proc/self/mem", "/proc/self/environ", "/dev/null"]
    for path in named:
        place.run("asset", "import", path, "-q", "-L", place.library)
        place.run("inspect", path)
        place.run("render", path, "--filter", "invert", "-o", place.out + "/out.jpg", "-q", "--force")
    listed = place.run("asset", "list", "--json", "-L", place.library, codes=(0,))
    if listed.stdout:
        place.problems.append("a special file was imported")
    listener.close()
    return place.end()


def archives(setting, name):
    """Archives whose entries leave their folder, are links, or have names that others have."""
    place = Place(setting, name)
    path = place.path("source.zip")
    with open(PHOTO, "rb") as file:
        photo = file.read()
    with zipfile.ZipFile(path, "w") as archive:
        for entry in NAMES + ["../" * 12 + "tmp/escaped.jpg", "a.jpg", "A.JPG", "b.jpg/c.jpg", "b.jpg"]:
            if "\0" not in entry:
                archive.writestr(entry + ".jpg", photo)
        for entry, target in (("link.jpg", "/etc/passwd"), ("away", "../beside"), ("away/x.jpg", "kept.jpg")):
            link = zipfile.ZipInfo(entry)
            link.external_attr = 0o120777 << 16
            archive.writestr(link, target)
        archive.writestr("away/kept.jpg", b"other")
    place.create_library()
    place.note()
    place.run("asset", "import", path, "-q", "-L", place.library)
    checked = place.run("library", "check", "--deep", "-L", place.library, codes=(0,))
    if checked.code == 0 and not place.run("asset", "list", "--json", "-L", place.library).stdout:
        place.problems.append("no photo of the archive was imported")
    return place.end()


def swapped(setting, name, count):
    """A file that becomes a link, grows and shrinks while it is imported: never a part, never the target."""
    place = Place(setting, name)
    source, secret = place.path("source"), place.path("beside", "secret.jpg")
    os.makedirs(source)
    materials.numbered(os.path.join(INPUTS, "photo-1024.jpg"), secret, 99)
    with open(os.path.join(INPUTS, "photo-1024.jpg"), "rb") as file:
        photo = file.read()
    place.written.add(source)
    place.create_library()
    place.note()
    path, ends = os.path.join(source, "a.jpg"), threading.Event()

    def race():
        random = setting.random(name)
        while not ends.is_set():
            kind = random.randrange(3)
            try:
                if kind == 0:
                    os.symlink(secret, path + "-")
                else:
                    with open(path + "-", "wb") as file:
                        file.write(photo if kind == 1 else photo[:random.randrange(len(photo))])
                os.rename(path + "-", path)
                # In place, which would be SIGBUS in mapped memory.
                with open(path, "r+b", opener=lambda p, f: os.open(p, f | os.O_NOFOLLOW)) as file:
                    file.truncate(random.randrange(len(photo)))
            except OSError:
                pass

    racer = threading.Thread(target=race)
    racer.start()
    try:
        for _ in range(count):
            place.run("asset", "import", source, "-q", "-L", place.library)
            place.run("inspect", path)
    finally:
        ends.set()
        racer.join()
    place.run("library", "check", "--deep", "-L", place.library, codes=(0,))
    with open(secret, "rb") as file:
        hidden = file.read()
    for root, _, files in os.walk(place.library):
        for file in files:
            with open(os.path.join(root, file), "rb") as opened:
                if opened.read() == hidden:
                    place.problems.append("a link was followed during an import")
    return place.end()


def chunks(items, size):
    return [items[start:start + size] for start in range(0, len(items), size)]


def cases(setting):
    for number, texts in enumerate(chunks(NAMES, 12)):
        for function in (names_in_database, names_of_albums, names_of_files):
            name = f"{function.__name__.replace('_', '-')}-{number}"
            yield Case(name, function, setting, name, texts)
    for number in range(setting.count(4, 200)):
        random = setting.random(f"names-{number}")
        texts = ["".join(random.choices(PIECES, k=random.randrange(1, 6))) for _ in range(12)]
        kind = (names_in_database, names_of_albums, names_of_files)[number % 3]
        yield Case(f"random-names-{number}", kind, setting, f"random-names-{number}", texts)
    texts = [bytes([first, 0x80 | first & 0x3F]) for first in range(0xC0, 0x100, 8)] + [b"\xff", b"a\x1b[31m"]
    yield Case("names-that-are-not-text", names_of_files, setting, "names-that-are-not-text", texts)
    for function in (links_in_folders, links_at_destinations, links_in_libraries, special_files, archives):
        name = function.__name__.replace("_", "-")
        yield Case(name, function, setting, name)
    for number in range(setting.count(2, 20)):
        yield Case(f"swapped-{number}", swapped, setting, f"swapped-{number}", 20)
