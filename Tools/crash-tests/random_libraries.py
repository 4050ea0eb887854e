# SPDX-License-Identifier: Apache-2.0
"""Libraries with photos, videos and Live Photos in random states, for the random kills."""

import contextlib
import json
import os
import shutil
import sqlite3

import materials
from random_files import Command, digest

# Values of `asset show` that vary between runs: identifiers, paths and times.
VOLATILE = {"identifier", "localIdentifier", "addedDate", "modificationDate", "contentModificationDate",
            "trashedDate", "schemaVersion", "albums"}  # fmt: skip


class Library:
    """A library, files to import, and a folder for exports."""

    NAME = "library"
    seeds = {}

    def __init__(self, tool, folder, random):
        self.tool, self.folder, self.random = tool, folder, random
        shutil.copytree(self.seeds[tool], folder)
        self.assets, self.trash, self.collections = [], [], {"album": [], "folder": []}
        shutil.copy(os.path.join(folder, "library", "library.db"), os.path.join(folder, "older.db"))
        self.refresh()

    @classmethod
    def make_seed(cls, tool, work):
        """Creates a library with three photos, a video and a Live Photo, and files to import."""
        folder = cls.seeds[tool] = os.path.join(work, "seed")
        incoming = os.path.join(folder, "incoming")
        for name in ("incoming", "out", "incoming/more", "many"):
            os.makedirs(os.path.join(folder, name))
        for number in range(3):
            path = os.path.join(incoming, "more", f"new-{number}.jpg")
            materials.numbered(tool.inputs[0], path, number)
        for number in range(103):
            path = os.path.join(folder, "many", f"many-{number:03}.jpg")
            materials.numbered(tool.inputs[0], path, 100 + number)
        seed = [os.path.realpath(path) for path in tool.inputs]
        if tool.media:
            seed += [os.path.join(tool.media, name) for name in ("clip.mov", "live.jpg", "live.mov")]
            for name in ("newlive.jpg", "newlive.mov", "newclip.mov", "motion.jpg"):
                shutil.copy(os.path.join(tool.media, name), incoming)
        library = os.path.join(folder, "library")
        for words in (["library", "create", library],
                      ["asset", "import", *seed, "-L", library],
                      ["folder", "create", "Trips", "-L", library],
                      ["album", "create", "Seed", "-L", library]):  # fmt: skip
            result = tool.run([*words, "-q"], folder)
            assert result.returncode == 0, (words, result.stderr)

    def copied(self, folder):
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, folder=folder)
        shutil.copytree(self.folder, folder, symlinks=True)
        return other

    def lines(self, *words):
        result = self.tool.run([*words, "--json", "-L", self.library], self.folder)
        self.output = (result.stderr + result.stdout).decode()[:600]
        # A check with findings ends with 1 and lists them.
        if result.returncode not in (0, 1):
            return None
        return [json.loads(line) for line in result.stdout.splitlines()]

    @property
    def library(self):
        return os.path.join(self.folder, "library")

    def refresh(self):
        """Reads the identifiers of the existing objects."""
        self.assets = [a["identifier"] for a in self.lines("asset", "list", "--include-hidden") or []]
        self.trash = [a["identifier"] for a in self.lines("asset", "list", "--trashed") or []]
        for kind in ("album", "folder"):
            found = self.lines(kind, "list") or []
            self.collections[kind] = [
                c["identifier"] for c in found if kind == "album" or c.get("kindName") == "folder"
            ]

    def run(self, command, **environment):
        words = [w.replace("{}", self.folder) for w in command.words]
        if command.words[:2] != ["library", "create"]:
            words += ["-L", self.library]
        return self.tool.run(words, self.folder, **environment)

    def prepare(self, command):
        """Damages the database for a repair: removes it, or replaces it with garbage or an older one."""
        path = os.path.join(self.library, "library.db")
        if command.damage:
            for ending in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(path + ending)
        if command.damage == "broken":
            with open(path, "wb") as file:
                file.write(self.random.randbytes(20_000))
        if command.damage == "older":
            shutil.copy(os.path.join(self.folder, "older.db"), path)

    def some(self, names, count=1):
        return self.random.sample(names, min(count, len(names))) or ["none"]

    def command(self):
        make, pick = self.random.choice, self.some
        asset, album, folder = (pick(n)[0] for n in
                                (self.assets, self.collections["album"], self.collections["folder"]))  # fmt: skip
        several = pick(self.assets, self.random.randint(1, 3))
        filters = ["--filter", make(["sepia", "invert", "rotate90", "flip", "exposure:ev=0.2"]), "-q"]
        quick = ["--video-preset", "ultrafast"]
        new = [f"{{}}/incoming/{n}" for n in ("newlive.jpg", "newlive.mov", "newclip.mov", "motion.jpg")
               if os.path.exists(os.path.join(self.folder, "incoming", n))]  # fmt: skip
        title = f"T{self.random.randrange(1000)}"
        change = make([["--favorite", make(["yes", "no"])], ["--hidden", make(["yes", "no"])],
                       ["--title", title], ["--caption", title], ["--location", "38.7,-9.1"],
                       ["--date", "2019-05-01T10:00:00Z"]])  # fmt: skip
        to_album = ["album", make(["add", "remove", "move", "insert"]), album, *several, "-q"]
        to_folder = ["folder", make(["add", "remove"]), folder, album, "-q"]
        damage = make(["", "", "gone", "broken", "older"])
        choices = [
            ("apply", ["apply", asset, *filters, *quick]), ("apply", ["apply", asset, *filters, *quick]),
            ("apply as another program",
             ["apply", asset, *filters, *quick, "--format-identifier", "com.example.other"]),
            ("adjust", ["adjust", asset, make(["--disable", "--enable", "--remove"]), "n1", "-q"]),
            ("revert", ["revert", asset, "-q"]), ("undo", ["undo", asset, "-q"]),
            ("redo", ["redo", asset, "-q"]),
            ("asset set", ["asset", "set", *several, *change, "-q"]),
            ("asset delete", ["asset", "delete", *several, "--yes", "-q"]),
            ("asset restore", ["asset", "restore", *pick(self.trash, 2), "-q"]),
            ("asset purge", ["asset", "purge", make(["--all", pick(self.trash)[0]]), "--yes", "-q"]),
            ("asset export", ["asset", "export", *several, "-f", "-o", "{}/out", "-q", "--variant",
                              make(["current", "original", "all"])]),
            ("asset import", ["asset", "import", "{}/incoming/more", "-q"]),
            ("asset import --move", ["asset", "import", "--move", "{}/incoming", "-q"]),
            ("asset import of all", ["asset", "import", "{}/incoming", "-q"]),
            ("album create", ["album", "create", title, *several, "-q"]),
            ("album rename", ["album", "rename", album, title, "-q"]),
            ("album delete", ["album", "delete", album, "--yes", "-q"]),
            (" ".join(to_album[:2]), to_album), (" ".join(to_folder[:2]), to_folder),
            ("folder create", ["folder", "create", title, "-q"]),
            ("folder rename", ["folder", "rename", folder, title, "-q"]),
            ("folder delete", ["folder", "delete", folder, "--yes", "-q"]),
            ("library create", ["library", "create", "{}/another", "-q"]),
            ("library check", ["library", "check", *make([[], ["--deep"]]), "-q"]),
            ("library backup", ["library", "backup", "{}/another", *make([[], ["--no-hardlinks"]]), "-q"]),
            (f"library repair {damage}".strip(), ["library", "repair", "-q"]),
        ]  # fmt: skip
        if new:
            file = make([new[:2], new[2:3], new[3:], new])
            choices += [("asset import of videos", ["asset", "import", *file, "-q"])] * 2
        if self.random.random() < 0.01:
            choices = [("asset import in batches", ["asset", "import", "{}/many", "-q"])]
        name, words = make(choices)
        return Command(name, words, damage=damage if name.startswith("library repair") else "",
                    is_gradual=name in ("asset import in batches", "asset import --move"))  # fmt: skip

    def state(self):
        """The visible contents of the library, without values that vary between runs."""
        listed = [self.lines("asset", "list", "--include-hidden", "--include-bursts"),
                  self.lines("asset", "list", "--trashed"),
                  self.lines("album", "list"), self.lines("folder", "list")]  # fmt: skip
        if any(lines is None for lines in listed):
            return None
        assets, trash, albums, folders = listed
        facts = {"assets": {}, "albums": [], "folders": folders_by_title(folders)}
        names = [asset["identifier"] for asset in assets]
        shown = self.lines("asset", "show", *names) if names else []
        if shown is None or len(shown) != len(names):
            return None
        for asset in shown + trash:
            fact = {key: value for key, value in asset.items() if key not in VOLATILE}
            # The files of trashed assets are shown after they are restored.
            files = asset.get("files", [])
            fact["files"] = sorted((file["type"], file["digest"]) for file in files)
            fact["isTrashed"] = asset["trashedDate"] is not None
            for file in files:
                if not os.path.exists(file["path"]) or digest(file["path"]) not in file["digest"]:
                    self.output = f"{file['path']} does not match the database row"
                    return None
            if not fact["isTrashed"] and asset["hasAdjustments"]:
                edit = self.lines("show", asset["identifier"])
                if not edit or not all(version["asRecorded"] for version in edit[0]["versions"]):
                    return None
                keys = ("graph", "undoable", "redoable", "formatIdentifier")
                fact["edit"] = {key: edit[0].get(key) for key in keys}
            # Adjustment data contains its creation time.
            fact["files"] = [file for file in fact["files"] if file[0] != 7]
            originals = [file[1] for file in fact["files"] if file[0] in (1, 2)]
            facts["assets"][f"{asset['originalFilename']} {originals}"] = fact
        for album in albums:
            members = self.lines("album", "show", album["identifier"])
            if members is None:
                return None
            facts["albums"].append((album["title"], [m["originalFilename"] for m in members]))
        facts["albums"].sort()
        return facts

    def why(self):
        return self.output

    def originals(self):
        """The digests of all originals in the library and in the import folder."""
        kinds = ("photo-", "video-", "pairedVideo-")
        found = set()
        for root in (self.library, os.path.join(self.folder, "incoming")):
            for folder, _, files in os.walk(root):
                is_library = root == self.library
                found |= {digest(os.path.join(folder, name)) for name in files
                          if not is_library or name.startswith(kinds)}  # fmt: skip
        return found

    def kill_recovery(self):
        call = str(self.random.randint(1, 12))
        self.run(Command("", ["album", "create", "Recovery", "-q"]), FAULTS_AT=call,
                 **self.tool.preload(self.folder))  # fmt: skip

    def complete_repair(self, command, problems):
        """Repeats a killed repair if the database had been lost before it."""
        another = os.path.join(self.folder, "another")
        if command.words[:2] == ["library", "repair"]:
            opens = self.lines("library", "info") is not None
            if not opens and command.damage in ("", "older"):
                problems.append(f"the repair leaves a library that does not open: {self.output}")
            if not opens or command.damage:
                again = self.run(Command("", ["library", "repair", "-q"]))
                if again.returncode not in (0, 1):
                    problems.append(f"a second repair fails: {again.stderr.decode().strip()}")
        elif command.words[1] == "backup" and os.path.exists(os.path.join(another, "library.db")):
            checked = self.tool.run(["library", "check", "--deep", "-L", another], self.folder)
            opened = self.tool.run(["library", "info", "-L", another], self.folder)
            if opened.returncode == 0 and checked.returncode != 0:
                problems.append(f"the backup opens but is incomplete: {checked.stdout.decode()[:300]}")
        elif command.words[:2] == ["library", "create"]:
            self.tool.run(["library", "create", another, "-q"], self.folder)
            made = self.tool.run(["asset", "import", self.tool.inputs[0], "-q", "-L", another],
                                 self.folder)  # fmt: skip
            if made.returncode != 0:
                problems.append(f"the library cannot be created again: {made.stderr.decode().strip()}")

    def check_next_command(self, command, found):
        """The next change and edit must succeed, and checks and a rebuild must find no problems."""
        problems = []
        steps = [["album", "create", "Next", "-q"]]
        live = [a["identifier"] for a in self.lines("asset", "list") or [] if not a["duration"]]
        if live and self.random.random() < 0.4:
            steps.append(["apply", live[0], "--filter", "flip", "-q"])
        for words in steps:
            result = self.run(Command("", words))
            if result.returncode != 0:
                problems.append(f"the next {words[0]} fails: {result.stderr.decode().strip()}")
        checked = self.lines("library", "check", "--deep")
        problems += [f"check: {f}" for f in (checked or [{"findings": ["it fails"]}])[0]["findings"]
                     if "staleManifest" not in str(f)]  # fmt: skip
        try:
            path = os.path.join(self.library, "library.db")
            with contextlib.closing(sqlite3.connect(path)) as database:
                for pragma, expected in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
                    if (rows := database.execute(f"PRAGMA {pragma}").fetchall()) != expected:
                        problems.append(f"{pragma}: {rows[:3]}")
        except sqlite3.Error as error:
            problems.append(f"the database cannot be read: {error}")
        out = os.path.join(self.folder, "out")
        problems += [f"partially exported: {name}" for name in os.listdir(out)
                     if not is_whole(os.path.join(out, name))]  # fmt: skip
        if self.random.random() < 0.1 and not problems:
            problems += self.differences_after_rebuild()
        return problems

    def differences_after_rebuild(self):
        before = self.state()
        self.prepare(Command("", [], damage="gone"))
        repaired = self.run(Command("", ["library", "repair", "-q"]))
        if repaired.returncode not in (0, 1):
            return [f"the repair fails: {repaired.stderr.decode().strip()}"]
        after = self.state()
        return [] if after == before else [f"rebuilt from files: {after} instead of {before}"]


def folders_by_title(lines):
    return sorted(str({k: line.get(k) for k in ("title", "kind", "depth", "count")}) for line in lines)


def is_whole(path):
    """Whether an exported file is complete; hidden files are removed by the next export."""
    name = os.path.basename(path)
    if name.startswith("."):
        return True
    with open(path, "rb") as file:
        data = file.read()
    if name.endswith(".jpg") and b"ftyp" not in data:
        return data.endswith(b"\xff\xd9")
    return len(data) > 0


def kinds(tool, work, has_videos):
    Library.make_seed(tool, work)
    return [Library] * 5
