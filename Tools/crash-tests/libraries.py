# SPDX-License-Identifier: Apache-2.0
"""Kills and failures in the middle of changes of a photo library."""

import hashlib
import json
import os
import shutil
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

# name, what was done before, what is killed; words in braces stand for identifiers and paths
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
]  # fmt: skip


def edit(asset, name):
    return ["apply", asset, "--filter", name, "-q"]


# The same with movies and Live Photos, which take longer; they need ffmpeg.
MEDIA = [
    ("import of a movie", [], ["asset", "import", "{newclip}", "-q"]),
    ("import of a Live Photo", [], ["asset", "import", "{newlive}", "{newlivemovie}", "-q"]),
    ("edit of a movie", [], edit("{clip}", "invert")),
    ("edit of a Live Photo", [], edit("{live}", "invert")),
    ("edit of an edited Live Photo", [edit("{live}", "invert")], edit("{live}", "sepia")),
    ("edit of a Live Photo over another program's",
     [edit("{live}", "invert") + ["--format-identifier", "com.example.other"]],
     edit("{live}", "sepia")),
    ("revert of a movie", [edit("{clip}", "invert")], ["revert", "{clip}", "-q"]),
    ("revert of a Live Photo", [edit("{live}", "invert")], ["revert", "{live}", "-q"]),
    ("undo of a Live Photo", [edit("{live}", "invert"), edit("{live}", "sepia")],
     ["undo", "{live}", "-q"]),
]  # fmt: skip

# What the quick tiers go through, and every how many calls.
QUICK = {
    "import": 1, "first edit": 1, "revert": 1, "photo into an album": 1,
    "import that moves": 8, "folder deletion": 10, "import of a Live Photo": 12,
    "edit of a Live Photo over another program's": 10, "revert of a Live Photo": 12,
}  # fmt: skip


class Library:
    """A library in a folder, with files that are to be moved into it beside it."""

    def __init__(self, binary, place):
        self.binary, self.place = binary, place
        self.folder = os.path.join(place, "library")
        self.incoming = os.path.join(place, "incoming")

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
        # A check that finds something ends with 1 and says what.
        if result.returncode not in (0, 1):
            return None
        return [json.loads(line) for line in result.stdout.splitlines()]

    def state(self):
        """What people see of the library, without what differs from run to run."""
        assets = self.lines("asset", "list", "--hidden", "--bursts")
        trash = self.lines("asset", "list", "--trash")
        albums = self.lines("album", "list")
        folders = self.lines("folder", "list")
        if assets is None or trash is None or albums is None or folders is None:
            return None
        facts = {"assets": [], "albums": {}, "folders": [folder["title"] for folder in folders]}
        for asset in assets + trash:
            edit = files = None
            if asset["trashedDate"] is None:
                shown = self.lines("show", asset["identifier"])
                if not shown:
                    return None
                edit = shown[0]
                if not all(version["asRecorded"] for version in edit["versions"]):
                    return None
                files = self.lines("asset", "show", asset["identifier"])
                if not files:
                    return None
                files = sorted(file["type"] for file in files[0]["files"])
            facts["assets"].append(
                {
                    "name": asset["originalFilename"],
                    "isTrashed": asset["trashedDate"] is not None,
                    "isEdited": asset["hasAdjustments"],
                    "style": asset["playbackStyle"],
                    # Which versions there are: still and movie of each, or neither.
                    "files": files,
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
        """Where the history is now."""
        return self.lines("changes")[-1]["token"]

    def told(self, token):
        """How many objects of each class each commit since a token touched, by what became of them."""
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
        """What the program's own check complains of; manifests may be behind for a while."""
        lines = self.lines("library", "check", "--deep")
        if not lines:
            return ["the check fails"]
        found = lines[0]["findings"]
        return [f"check: {f}" for f in found if f["kind"] != "staleManifest"]

    def rebuilt_differently(self):
        """What a library says otherwise that was made again from its files without its database."""
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
        """The digests of every original there is, in the library or on its way."""
        found = {digest(os.path.join(self.incoming, name)) for name in os.listdir(self.incoming)}
        for place, _, files in os.walk(os.path.join(self.folder, "assets")):
            for name in files:
                if name.startswith(("photo-", "video-", "pairedVideo-")):
                    found.add(digest(os.path.join(place, name)))
        return found


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def faults(preload, place, call, fault):
    """What makes a call below a place fail, or kills the program before it."""
    _, code, goes_on = fault
    environment = {"LD_PRELOAD": preload, "FAULTS_BELOW": place, "FAULTS_AT": str(call)}
    if code is not None:
        environment["FAULTS_ERRNO"] = str(code)
    if goes_on:
        environment["FAULTS_ON"] = "1"
    return environment


def calls_in(report):
    """The number of calls that a program made which came to its end."""
    with open(report) as file:
        return int(file.read())


class Scenario:
    """One change of a library that is killed or made to fail at each of its calls."""

    def __init__(self, work, preload, binary, images, name, before, command, media=None):
        self.work, self.preload, self.binary = work, preload, binary
        self.name, self.command = f"library: {name}", command
        self.base = os.path.join(work, "library-" + name.replace(" ", "-").replace("'", ""))
        library = Library(binary, self.base)
        os.makedirs(library.incoming)
        materials.numbered(images[0], os.path.join(library.incoming, "moved.jpg"), 1)
        made = subprocess.run([binary, "library", "create", library.folder], capture_output=True)
        assert made.returncode == 0, (name, made.stderr)
        self.names = {"new": images[2]}
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
            command, self.names, LD_PRELOAD=preload, FAULTS_BELOW=done.place, FAULTS_REPORT=report
        )
        assert result.returncode == 0, (name, command, result.stderr)
        self.new = done.state()
        self.told = done.told(self.token)
        assert self.told, name
        assert self.old is not None and self.new is not None and self.new != self.old, name
        self.calls = calls_in(report)
        # A preloaded library that catches nothing would prove nothing.
        assert self.calls >= 8, (name, self.calls)
        self.is_pair = "{newlive}" in command
        self.can_lose_originals = command[:2] == ["asset", "purge"]
        shutil.rmtree(done.place)

    def copy(self, name):
        folder = f"{self.base}-{name}"
        shutil.copytree(self.base, folder)
        return Library(self.binary, folder)

    def check(self, call, fault):
        fault_name, code, _ = fault
        library = self.copy(f"{fault_name.replace(' ', '-')}-{call}")
        before = library.originals()
        environment = faults(self.preload, library.place, call, fault)
        report = os.path.join(self.work, "report-" + os.path.basename(library.place))
        result = library.run(self.command, self.names, FAULTS_REPORT=report, **environment)
        # A disk that fails to say that the log is durable leaves the outcome open, and the program
        # says that it does not know.
        is_open = b"reopen the library to see whether the change was saved" in result.stderr
        # Two files are read at the same time, so a run may make a call less than the one that was
        # counted; then nothing was in its way.
        is_kill = code is None and not (result.returncode == 0 and calls_in(report) < call)
        problems = self.problems(library, before, call, result.returncode, is_kill, is_open)
        shutil.rmtree(library.place)
        return f"{self.name}, {fault_name} at call {call} of {self.calls}", problems

    def problems(self, library, before, call, code, is_kill, is_open):
        problems = []
        if is_kill and code != -9:
            problems.append(f"was not killed but ended with {code}")
        if not is_kill and code < 0:
            problems.append(f"died of signal {-code}")
        found = library.state()
        # A half that cannot be read does not hold up the other one, and the failure is reported; a
        # repeated import joins the two.
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
        # The history tells of the change when it was made, once, and of nothing else.
        told = library.told(self.token)
        if told != (self.told if found == self.new else []):
            problems.append(f"the history tells {told}")
        # The next change must work, and clean up what the failure left.
        change = library.run(["asset", "set", "{second}", "--favorite", "yes", "-q"], self.names)
        if change.returncode != 0:
            problems.append(f"the next change fails: {change.stderr.decode().strip()}")
        problems += library.findings()
        # Building the library again takes long, and what a kill leaves differs little from call to call.
        if call % 10 == 0:
            problems += library.rebuilt_differently()
        if not self.can_lose_originals and not before <= library.originals():
            problems.append("an original is gone or changed")
        return problems
