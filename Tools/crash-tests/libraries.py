# SPDX-License-Identifier: Apache-2.0
"""Kills and failures during changes of a photo library."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess

import materials

SEPIA = ["apply", "{photo}", "--filter", "sepia:amount=0.5", "-q"]
INVERT = ["apply", "{photo}", "--filter", "invert", "-q"]
OTHER = [
    "apply", "{photo}", "--filter", "exposure:ev=0.5", "-q",
    "--format-identifier", "com.example.other",
]  # fmt: skip
ALBUM = ["album", "create", "Lisbon", "{photo}"]

FOLDER = ["folder", "create", "Trips"]
INSIDE = ["album", "create", "Lisbon", "{photo}", "{second}", "--folder", "Trips"]

# name, preceding commands, tested command; words in braces represent identifiers and paths
SCENARIOS = [
    ("import", [], ["asset", "import", "{new}", "-q"]),
    ("import that moves", [], ["asset", "import", "--move", "{incoming}", "-q"]),
    ("first edit", [], SEPIA),
    ("edit over another program's", [SEPIA, OTHER], INVERT),
    ("revert", [SEPIA, OTHER], ["revert", "{photo}", "-q"]),
    ("undo", [SEPIA, INVERT], ["undo", "{photo}", "-q"]),
    ("album with a photo", [], ALBUM),
    ("photo into an album", [ALBUM], ["album", "add", "Lisbon", "{second}", "-q"]),
    ("move in an album", [FOLDER, INSIDE], ["album", "move", "Lisbon", "{second}", "-q"]),
    ("album deletion", [ALBUM], ["album", "delete", "Lisbon", "--yes", "-q"]),
    ("folder deletion", [FOLDER, INSIDE], ["folder", "delete", "Trips", "--yes", "-q"]),
    ("delete", [ALBUM, SEPIA], ["asset", "delete", "{photo}", "--yes", "-q"]),
    ("purge", [SEPIA, ["asset", "delete", "{photo}", "--yes", "-q"]],
     ["asset", "purge", "--all", "--yes", "-q"]),
    ("import that restores", [ALBUM, ["asset", "delete", "{photo}", "--yes", "-q"]],
     ["asset", "import", "--restore-trashed", "{photofile}", "-q"]),
    ("import into an older index", [["asset", "set", "{second}", "--title", "서울여행", "-q"]],
     ["asset", "import", "{new}", "-q"]),
]  # fmt: skip

# Makes the full-text index one of form 2, in which words of Korean have no parts.
OLDER_INDEX = """
    INSERT INTO asset_text (asset_text) VALUES ('delete-all');
    INSERT INTO asset_text (rowid, title, filename)
      SELECT id, title, originalFilename FROM asset WHERE state < 2;
    UPDATE property SET value = '2' WHERE key = 'searchForm';
"""


def edit(asset, name):
    return ["apply", asset, "--filter", name, "-q"]


# The same with videos and Live Photos, which take longer and require ffmpeg.
MEDIA = [
    ("import of a video", [], ["asset", "import", "{newclip}", "-q"]),
    ("import of a Live Photo", [], ["asset", "import", "{newlive}", "{newlivemovie}", "-q"]),
    ("edit of a video", [], edit("{clip}", "invert")),
    ("edit of a Live Photo", [], edit("{live}", "invert")),
    ("edit of an edited Live Photo", [edit("{live}", "invert")], edit("{live}", "sepia")),
    ("edit of a Live Photo over another program's",
     [edit("{live}", "invert") + ["--format-identifier", "com.example.other"]],
     edit("{live}", "sepia")),
    ("revert of a video", [edit("{clip}", "invert")], ["revert", "{clip}", "-q"]),
    ("revert of a Live Photo", [edit("{live}", "invert")], ["revert", "{live}", "-q"]),
    ("undo of a Live Photo", [edit("{live}", "invert"), edit("{live}", "sepia")],
     ["undo", "{live}", "-q"]),
]  # fmt: skip

# Scenarios run without --long, and the interval between tested calls.
QUICK = {
    "import": 1, "first edit": 1, "revert": 1, "photo into an album": 1,
    "import that moves": 8, "import that restores": 6, "import into an older index": 4,
    "folder deletion": 10, "import of a Live Photo": 12,
    "edit of a Live Photo over another program's": 10, "revert of a Live Photo": 12,
}  # fmt: skip


class Library:
    """A library in a folder, next to a folder of files to import."""

    def __init__(self, binary, root):
        self.binary, self.root = binary, root
        self.folder = os.path.join(root, "library")
        self.incoming = os.path.join(root, "incoming")

    def run(self, arguments, names, **environment):
        words = [word.format(incoming=self.incoming, **names) for word in arguments]
        return subprocess.run(
            [self.binary, *words, "--library", self.folder],
            capture_output=True,
            timeout=120,
            env={**os.environ, **environment},
        )

    def lines(self, *arguments):
        result = self.run([*arguments, "--json"], {})
        # A check with findings ends with 1 and lists them.
        if result.returncode not in (0, 1):
            return None
        return [json.loads(line) for line in result.stdout.splitlines()]

    def state(self):
        """The visible contents of the library, without values that vary between runs."""
        assets = self.lines("asset", "list", "--include-hidden", "--include-bursts")
        trash = self.lines("asset", "list", "--trashed")
        albums = self.lines("album", "list")
        folders = self.lines("folder", "list")
        if assets is None or trash is None or albums is None or folders is None:
            return None
        facts = {"assets": [], "albums": {}, "folders": [folder["title"] for folder in folders]}
        # One process for all assets, because a start takes longer than the work.
        names = [asset["identifier"] for asset in assets]
        details = self.lines("asset", "show", *names) if names else []
        if details is None or len(details) != len(names):
            return None
        files_of = {asset["identifier"]: sorted(file["type"] for file in asset["files"])
                    for asset in details}
        for asset in assets + trash:
            edit = None
            if asset["trashedDate"] is None:
                shown = self.lines("show", asset["identifier"])
                if not shown:
                    return None
                edit = shown[0]
                if not all(version["asRecorded"] for version in edit["versions"]):
                    return None
            facts["assets"].append(
                {
                    "name": asset["originalFilename"],
                    "isTrashed": asset["trashedDate"] is not None,
                    "isEdited": asset["hasAdjustments"],
                    "style": asset["playbackStyle"],
                    # The existing versions: both the still image and the video of each, or neither.
                    "files": files_of.get(asset["identifier"]),
                    "graph": edit and edit.get("graph"),
                    "journal": edit and (edit["undoable"], edit["redoable"]),
                    "format": edit and edit.get("formatIdentifier"),
                }
            )
        facts["assets"].sort(key=lambda fact: fact["name"])
        for album in albums:
            members = self.lines("album", "show", album["identifier"])
            facts["albums"][album["title"]] = [member["originalFilename"] for member in members]
        return facts

    def token(self):
        """The current change token."""
        return self.lines("changes")[-1]["token"]

    def changes_since(self, token):
        """The number of changed objects per commit since a token, by class and kind of change."""
        lines = self.lines("changes", "--since", token)
        if lines is None:
            return None
        return [
            {
                kind: {what: len(names) for what, names in line[kind].items()}
                for kind in ("assets", "albums", "folders")
            }
            for line in lines
        ]

    def findings(self):
        """The findings of `library check`, except for manifests that are temporarily out of date."""
        lines = self.lines("library", "check", "--deep")
        if not lines:
            return ["the check fails"]
        found = lines[0]["findings"]
        return [f"check: {f}" for f in found if f["kind"] != "staleManifest"]

    def differences_after_rebuild(self):
        """The differences after the database is rebuilt from the files."""
        before = self.state()
        for ending in ("", "-wal", "-shm"):
            path = os.path.join(self.folder, "library.db" + ending)
            if os.path.exists(path):
                os.remove(path)
        repaired = self.run(["library", "repair", "-q"], {})
        if repaired.returncode not in (0, 1):
            return [f"the repair fails: {repaired.stderr.decode().strip()}"]
        after = self.state()
        return [] if after == before else [f"rebuilt from files: {after} instead of {before}"]

    def originals(self):
        """The digests of all originals, in the library or to be imported."""
        found = {digest(os.path.join(self.incoming, name)) for name in os.listdir(self.incoming)}
        for root, _, files in os.walk(os.path.join(self.folder, "assets")):
            for name in files:
                if name.startswith(("photo-", "video-", "pairedVideo-")):
                    found.add(digest(os.path.join(root, name)))
        return found


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def faults(preload, root, call, fault):
    """The environment that makes a call in a folder fail, or kills the program before it."""
    _, code, is_persistent = fault
    environment = {"LD_PRELOAD": preload, "FAULTS_BELOW": root, "FAULTS_AT": str(call)}
    if code is not None:
        environment["FAULTS_ERRNO"] = str(code)
    if is_persistent:
        environment["FAULTS_ON"] = "1"
    return environment


def calls_in(report):
    """The number of calls made by a program that ran to completion."""
    with open(report) as file:
        return int(file.read())


class Scenario:
    """A library change that is killed or fails at each of its calls."""

    def __init__(self, work, preload, binary, images, name, before, command, media=None):
        self.work, self.preload, self.binary = work, preload, binary
        self.name, self.command = f"library: {name}", command
        self.base = os.path.join(work, "library-" + name.replace(" ", "-").replace("'", ""))
        library = Library(binary, self.base)
        os.makedirs(library.incoming)
        materials.numbered(images[0], os.path.join(library.incoming, "moved.jpg"), 1)
        made = subprocess.run([binary, "library", "create", library.folder], capture_output=True)
        assert made.returncode == 0, (name, made.stderr)
        self.names = {"new": images[2], "photofile": images[0]}
        self.has_older_index = name == "import into an older index"
        files = {"photo": images[0], "second": images[1]}
        if media:
            for key, file in (("newlive", "newlive.jpg"), ("newlivemovie", "newlive.mov"),
                              ("newclip", "newclip.mov")):
                self.names[key] = os.path.join(media, file)
            files |= {"live": os.path.join(media, "live.jpg"),
                      "clip": os.path.join(media, "clip.mov")}
        further = [os.path.join(media, "live.mov")] if media else []
        imported = library.run(["asset", "import", *files.values(), *further, "-q"], {})
        assert imported.returncode == 0, (name, imported.stderr)
        assets = {a["originalFilename"]: a["identifier"] for a in library.lines("asset", "list")}
        assert len(assets) == len(files), (name, assets)
        for key, path in files.items():
            self.names[key] = assets[os.path.basename(path)]
        for arguments in before:
            result = library.run(arguments, self.names)
            assert result.returncode == 0, (name, arguments, result.stderr)
        self.old = library.state()
        self.token = library.token()
        done = self.copy("done")
        report = os.path.join(work, "library-report")
        result = done.run(
            command, self.names, LD_PRELOAD=preload, FAULTS_BELOW=done.root, FAULTS_REPORT=report
        )
        assert result.returncode == 0, (name, command, result.stderr)
        self.new = done.state()
        self.changes = done.changes_since(self.token)
        assert self.changes, name
        assert self.old is not None and self.new is not None and self.new != self.old, name
        self.calls = calls_in(report)
        # A preloaded library that intercepts no calls would prove nothing.
        assert self.calls >= 8, (name, self.calls)
        self.is_pair = "{newlive}" in command
        self.can_remove_originals = command[:2] == ["asset", "purge"]
        shutil.rmtree(done.root)

    def copy(self, name):
        folder = f"{self.base}-{name}"
        shutil.copytree(self.base, folder)
        library = Library(self.binary, folder)
        if self.has_older_index:
            database = sqlite3.connect(os.path.join(library.folder, "library.db"))
            database.executescript(OLDER_INDEX)
            database.close()
        return library

    def check(self, call, fault):
        fault_name, code, _ = fault
        library = self.copy(f"{fault_name.replace(' ', '-')}-{call}")
        before = library.originals()
        environment = faults(self.preload, library.root, call, fault)
        report = os.path.join(self.work, "report-" + os.path.basename(library.root))
        result = library.run(self.command, self.names, FAULTS_REPORT=report, **environment)
        # If syncing the log fails, the result of the commit is unknown, and the program reports that;
        # also that a source whose copy was imported could not be removed.
        is_open = any(reason in result.stderr for reason in (
            b"reopen the library to see whether the change was saved", b"the source is still there"))
        # Two files are read in parallel, so a run may make fewer calls than the counted one; then no
        # fault occurred.
        is_kill = code is None and not (result.returncode == 0 and calls_in(report) < call)
        problems = self.problems(library, before, call, result.returncode, is_kill, is_open)
        shutil.rmtree(library.root)
        return f"{self.name}, {fault_name} at call {call} of {self.calls}", problems

    def problems(self, library, before, call, code, is_kill, is_open):
        problems = []
        if is_kill and code != -9:
            problems.append(f"was not killed but ended with {code}")
        if not is_kill and code < 0:
            problems.append(f"died of signal {-code}")
        found = library.state()
        # If one file of a pair cannot be read, the other is imported and the failure is reported; a
        # repeated import pairs them.
        if self.is_pair and code > 0 and found not in (self.old, self.new):
            repeated = library.run(self.command, self.names)
            if repeated.returncode != 0:
                problems.append(f"cannot be repeated: {repeated.stderr.decode().strip()}")
            if library.state() != self.new:
                problems.append(f"a repeat does not lead to the new state: {library.state()}")
            return problems + library.findings()
        if found not in (self.old, self.new):
            problems.append(f"neither the old nor the new state: {found}")
        if not is_kill and code == 0 and found != self.new:
            problems.append("success was reported without the change")
        if not is_kill and code > 0 and not is_open and found != self.old:
            problems.append(f"failure {code} was reported, and the change was made")
        # The history contains the change exactly once if it was made, and nothing else.
        changes = library.changes_since(self.token)
        if changes != (self.changes if found == self.new else []):
            problems.append(f"the history contains {changes}")
        # The next change must work, and clean up what the failure left.
        change = library.run(["asset", "set", "{second}", "--favorite", "yes", "-q"], self.names)
        if change.returncode != 0:
            problems.append(f"the next change fails: {change.stderr.decode().strip()}")
        problems += library.findings()
        # Rebuilding the library is slow, and the state after a kill differs little between calls.
        if call % 10 == 0:
            problems += library.differences_after_rebuild()
        if not self.can_remove_originals and not before <= library.originals():
            problems.append("an original is missing or changed")
        return problems
