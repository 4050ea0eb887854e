# SPDX-License-Identifier: Apache-2.0
"""Several processes that change one library, also while they are killed: what succeeded is kept.

Each writer runs commands one after another and notes which of them succeeded. Afterwards, each of these
must have had its effect, and a killed one either all of it or nothing.
"""

import itertools
import json
import os
import random as randoms
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import libraries
import materials
from cases import INPUTS, SECONDS, Case

NAME = "processes"
IS_SERIAL = True


class Writer(threading.Thread):
    """A sequence of commands on a photo of its own and on albums and photos that it adds."""

    def __init__(self, setting, library, number, count, photo):
        super().__init__()
        self.setting, self.library, self.number, self.count = setting, library, number, count
        self.photo, self.problems = photo, []
        self.random = setting.random(f"writer {number}")
        # The values of commands that succeeded, and of those that were killed afterwards.
        self.titles, self.edits = [""], [None]
        self.albums, self.files, self.unsure = [], [], set()
        self.lock, self.process, self.killed, self.done = threading.Lock(), None, 0, 0

    def kill(self):
        """Kills the running command, if there is one."""
        with self.lock:
            if self.process is not None and self.process.poll() is None:
                self.process.kill()
                self.killed += 1

    def command(self, *words):
        """The end of a command: True if it succeeded, None if it was killed, False if it failed."""
        with self.lock:
            self.process = subprocess.Popen(
                [self.setting.program.path, *words, "-q", "--library", self.library.folder],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
        try:
            _, error = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.problems.append(f"{' '.join(words[:2])} hangs")
            return None
        self.done += 1
        if self.process.returncode == -signal.SIGKILL:
            return None
        if self.process.returncode != 0:
            self.problems.append(f"{' '.join(words[:2])} of writer {self.number} ends with "
                                 f"{self.process.returncode}: {error.decode(errors='replace').strip()}")
        return self.process.returncode == 0

    def run(self):
        for step in range(1, self.count + 1):
            kind = self.random.choice(("title", "edit", "album", "import", "revert"))
            if kind == "title":
                self.value(self.titles, f"title {step}", "asset", "set", self.photo, "--title", f"title {step}")
            elif kind == "edit":
                value = f"{step / 1000:g}"
                self.value(self.edits, value, "apply", self.photo, "--update", "--filter", f"exposure:ev={value}")
            elif kind == "revert":
                self.value(self.edits, None, "revert", self.photo)
            elif kind == "album":
                name = f"album {self.number}-{step}"
                self.item(self.albums, name, "album", "create", name, self.photo)
            else:
                name = f"import-{self.number}-{step}.jpg"
                path = os.path.join(self.library.incoming, name)
                materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), path, (self.number + 1) * 10_000 + step)
                self.item(self.files, name, "asset", "import", path)

    def value(self, values, new, *words):
        """Changes a property: a success makes all earlier values impossible."""
        succeeded = self.command(*words)
        if succeeded:
            values[:] = [new]
        elif succeeded is None:
            values.append(new)

    def item(self, items, name, *words):
        succeeded = self.command(*words)
        if succeeded:
            items.append(name)
        elif succeeded is None:
            self.unsure.add(name)

    def check(self, assets, albums, members):
        """The problems of the library, compared with what this writer noted."""
        own = next((asset for asset in assets if asset["identifier"] == self.photo), None)
        if own is None:
            return [f"the photo of writer {self.number} is missing"]
        problems = list(self.problems)
        if (own["title"] or "") not in self.titles:
            problems.append(f"the title is '{own['title']}', not one of {self.titles}")
        shown = self.library.lines("show", self.photo)[0]
        nodes = (shown.get("graph") or {}).get("nodes") or []
        edit = f"{nodes[0]['params']['ev']:g}" if nodes else None
        if edit not in self.edits:
            problems.append(f"the edit is {edit}, not one of {self.edits}")
        if not all(version["asRecorded"] for version in shown["versions"]):
            problems.append("a version is not as recorded")
        for kind, noted, found in (("album", self.albums, albums),
                                   ("photo", self.files, [a["originalFilename"] for a in assets])):  # fmt: skip
            mine = [name for name in found if name.startswith((f"album {self.number}-", f"import-{self.number}-"))]
            if lost := [name for name in noted if name not in mine]:
                problems.append(f"a success was lost: {kind} {lost}")
            if extra := [name for name in mine if name not in noted and name not in self.unsure]:
                problems.append(f"nothing created {kind} {extra}")
            if len({*mine}) != len(mine):
                problems.append(f"a {kind} was created twice")
        for name in self.albums:
            if members.get(name) != [own["originalFilename"]]:
                problems.append(f"{name} has the members {members.get(name)}")
        return problems


class Follower:
    """A process that prints each commit: exactly once, and in the order of the history."""

    def __init__(self, setting, library):
        self.file = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [setting.program.path, "changes", "--follow", "--since", "beginning", "--json", "-L", library.folder],
            stdout=self.file, stderr=subprocess.DEVNULL)  # fmt: skip

    def printed(self):
        self.file.seek(0)
        # The last line may be incomplete.
        lines = [json.loads(line) for line in self.file.read().split(b"\n")[:-1]]
        # A follower that ends says so in a line of its own.
        return [line["token"] for line in lines if "token" in line]

    def problems(self, tokens):
        end = time.monotonic() + SECONDS
        while len(self.printed()) < len(tokens) and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.1)
        is_running = self.process.poll() is None
        self.process.terminate()
        self.process.wait()
        if not is_running:
            return [f"changes --follow ended with {self.process.returncode}"]
        printed = self.printed()
        return [] if printed == tokens else [f"changes --follow printed {len(printed)} commits of {len(tokens)}"]


def backups(setting, library, ends):
    """Backups of a library that changes: each is a sound library."""
    problems = []
    for number in itertools.count():
        folder = os.path.join(library.root, f"backup-{number}")
        result = setting.program.run(["library", "backup", folder, "--no-hardlinks", "-q", "-L", library.folder])
        if result.code != 0:
            problems.append(f"a backup ends with {result.code}: {result.error()}")
        elif setting.program.run(["library", "check", "--deep", "-q", folder]).code != 0:
            problems.append("a backup is not sound")
        shutil.rmtree(folder, ignore_errors=True)
        if ends.is_set():
            return problems


def changed(setting, name, writers, count, is_killed):
    """Writers that run at the same time; with kills, a random one is killed every 100 ms."""
    library = libraries.Library(setting.program.path, setting.folder(name))
    os.makedirs(library.incoming)
    photos = [os.path.join(library.incoming, f"{number}.jpg") for number in range(writers)]
    for number, path in enumerate(photos):
        materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), path, number)
    setting.program.succeed(["library", "create", library.folder, "-q"])
    setting.program.succeed(["asset", "import", *photos, "-q", "-L", library.folder])
    listed = {asset["originalFilename"]: asset["identifier"] for asset in library.lines("asset", "list")}
    threads = [Writer(setting, library, number, count, listed[f"{number}.jpg"]) for number in range(writers)]
    follower, ends, found = Follower(setting, library), threading.Event(), []
    copier = threading.Thread(target=lambda: found.extend(backups(setting, library, ends)))
    for thread in [*threads, copier]:
        thread.start()
    # Which command a kill meets depends on the machine, so a repetition may need several runs.
    random = randoms.Random(setting.seed)
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.1)
        if is_killed:
            random.choice(threads).kill()
    ends.set()
    copier.join()
    assets = library.lines("asset", "list") or []
    albums = library.lines("album", "list") or []
    members = {album["title"]: [member["originalFilename"] for member in
                                library.lines("album", "show", album["identifier"])]
               for album in albums}  # fmt: skip
    problems = [problem for thread in threads
                for problem in thread.check(assets, [album["title"] for album in albums], members)]  # fmt: skip
    tokens = [line["token"] for line in library.lines("changes") or []]
    if len({*tokens}) != len(tokens) or not tokens:
        problems.append("the history has a token twice or is empty")
    problems += found + follower.problems(tokens) + library.findings()
    if is_killed and not any(thread.killed for thread in threads):
        problems.append("no process was killed")
    return problems


def same_photo(setting, name, count):
    """Two edits of one photo that start together: one after the other, or a conflict for one of them."""
    library = libraries.Library(setting.program.path, setting.folder(name))
    os.makedirs(library.incoming)
    setting.program.succeed(["library", "create", library.folder, "-q"])
    setting.program.succeed(["asset", "import", os.path.join(INPUTS, "photo-64.jpg"), "-q", "-L", library.folder])
    photo = library.lines("asset", "list")[0]["identifier"]
    problems = []
    for number in range(count):
        values = [f"{number * 2 + 1 + side}e-3" for side in range(2)]
        running = [subprocess.Popen([setting.program.path, "apply", photo, "--update", "--filter",
                                     f"exposure:ev={value}", "-q", "-L", library.folder],
                                    stderr=subprocess.PIPE) for value in values]  # fmt: skip
        ends = [(process.communicate(timeout=SECONDS)[1], process.returncode) for process in running]
        for error, code in ends:
            # 75: modified by another process.
            if code not in (0, 75):
                problems.append(f"apply ends with {code}: {error.decode(errors='replace').strip()}")
        successes = {float(value) for value, (_, code) in zip(values, ends) if code == 0}
        shown = library.lines("show", photo)[0]
        found = [node["params"]["ev"] for node in (shown.get("graph") or {}).get("nodes") or []]
        if not successes:
            problems.append("both edits failed")
        elif not found or not any(abs(found[-1] - value) < 1e-9 for value in successes):
            problems.append(f"the edit is {found}, and {successes} succeeded")
        if not all(version["asRecorded"] for version in shown["versions"]):
            problems.append("the rendering is not that of the edit")
    return problems + library.findings()


def sidecars(setting, name, count):
    """The same for a photo in a folder, whose edit is in a sidecar."""
    folder = setting.folder(name)
    photo = os.path.join(folder, "photo.jpg")
    materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), photo, 1)
    problems = []
    for number in range(count):
        values = [f"{number * 2 + 1 + side}e-3" for side in range(2)]
        running = [subprocess.Popen([setting.program.path, "apply", photo, "--update", "--filter",
                                     f"exposure:ev={value}", "-q"], stderr=subprocess.PIPE)
                   for value in values]  # fmt: skip
        ends = [(process.communicate(timeout=SECONDS)[1], process.returncode) for process in running]
        problems += [f"apply ends with {code}: {error.decode(errors='replace').strip()}"
                     for error, code in ends if code not in (0, 75)]  # fmt: skip
        shown = setting.program.succeed(["show", photo, "--json"]).stdout
        if b'"asRecorded":false' in shown or all(code != 0 for _, code in ends):
            problems.append(f"the rendering is not that of the edit: {shown!r}")
        if left := [file for file in os.listdir(folder) if file.endswith((".pending", ".part"))]:
            problems.append(f"left over: {left}")
    return problems


def cases(setting):
    # The cases of the gate are among those of a night, so that they can be repeated.
    for writers, count in [(4, 25)] + [(8, 400)] * setting.is_nightly:
        for kind, is_killed in (("writers", False), ("killed-writers", True)):
            name = f"{kind}-{writers}x{count}"
            yield Case(name, changed, setting, name, writers, count, is_killed)
    for count in [25] + [500] * setting.is_nightly:
        yield Case(f"one-photo-{count}", same_photo, setting, f"one-photo-{count}", count)
        yield Case(f"one-sidecar-{count}", sidecars, setting, f"one-sidecar-{count}", count)
