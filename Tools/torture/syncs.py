# SPDX-License-Identifier: Apache-2.0
"""Losses of power: a file and its name are on the disk before the commit that refers to it, and at the end.

A preloaded library notes the calls of a command. Their order decides what a loss of power can leave;
the rules are those of the storage: first the content, then the name, then the commit, then removals.
"""

import os
import shutil

import materials
import subjects
from cases import INPUTS, Case, shim

NAME = "syncs"
# Files of the database that it restores itself, and those that nothing refers to.
DATABASE = ("library.db-shm", "library.db-wal", "library.db", "library.db-journal")

SEPIA = ["apply", "photo.jpg", "--filter", "sepia", "-q"]
# The last command of each is examined.
FILES = {
    "edit": [SEPIA],
    "second-edit": [SEPIA, ["apply", "photo.jpg", "--filter", "invert", "-q"]],
    "undo": [SEPIA, ["undo", "photo.jpg", "-q"]],
    "revert": [SEPIA, ["revert", "photo.jpg", "-q"]],
    "adjust": [SEPIA, ["adjust", "photo.jpg", "--set", "sepia.amount=0.2", "-q"]],
    "elsewhere": [[*SEPIA, "-o", "out/"]],
    "state-folder": [[*SEPIA, "--state-dir", "states/new"]],
    "render": [["render", "photo.jpg", "--filter", "sepia", "-q", "-o", "out/"]],
    "render-to-new-folder": [["render", "photo.jpg", "--filter", "sepia", "-q", "-o", "new/"]],
    "thumbnail": [["thumbnail", "photo.jpg", "-q", "-o", "out/"]],
}  # fmt: skip
ASSETS = {
    "import": ["asset", "import", "{incoming}/new.jpg", "-q"],
    "import-that-moves": ["asset", "import", "--move", "{incoming}/new.jpg", "-q"],
    "first-edit": ["apply", "{1}", "--filter", "invert", "-q"],
    "second-edit": ["apply", "{0}", "--filter", "invert", "-q"],
    "undo": ["undo", "{0}", "-q"],
    "revert": ["revert", "{0}", "-q"],
    "album": ["album", "create", "Porto", "{2}", "-q"],
    "folder": ["folder", "create", "More", "-q"],
    "title": ["asset", "set", "{2}", "--title", "T", "-q"],
    "delete": ["asset", "delete", "{0}", "--yes", "-q"],
    "restore": ["asset", "restore", "{3}", "-q"],
    "purge": ["asset", "purge", "--all", "--yes", "-q"],
    "export": ["asset", "export", "--all", "-o", "{incoming}/out", "-q"],
    "backup": ["library", "backup", "{incoming}/backup", "--no-hardlinks", "-q"],
}


class Disk:
    """What is on the disk for certain, according to the noted calls."""

    def __init__(self, root, existing):
        self.root, self.existing, self.problems = root, existing, []
        # The inodes whose content, and the paths whose names, are not on the disk.
        self.dirty, self.unsynced, self.inodes = set(), {}, {}
        self.is_logged = False
        self.commits = self.calls = 0

    def read(self, path):
        with open(path, errors="surrogateescape") as file:
            for line in file:
                self.calls += 1
                kind, *rest = line.rstrip("\n").split(" ", 2 if not line.startswith("remove") else 1)
                getattr(self, kind.replace("-", "_"))(*rest)

    def write(self, inode, path):
        self.dirty.add(inode)
        self.is_logged |= path.endswith("library.db-wal")

    def sync(self, inode, path):
        self.dirty.discard(inode)
        path = os.path.normpath(path)
        for name in [name for name in self.unsynced if os.path.dirname(name) == path]:
            del self.unsynced[name]
        if path.endswith("library.db-wal") and self.is_logged:
            self.is_logged = False
            self.commits += 1
            self.examine("before a commit", lambda name: "/assets/" in name and not (
                name.endswith((".json", ".json.new")) or "/staging/" in name))  # fmt: skip

    def sync_all(self, *_):
        self.dirty.clear()
        self.unsynced.clear()

    def name(self, inode, path):
        path = os.path.normpath(path)
        self.unsynced[path] = self.inodes[path] = inode

    def remove(self, path):
        path = os.path.normpath(path)
        inode = self.inodes.pop(path, None)
        is_renamed = inode in self.inodes.values()
        self.unsynced.pop(path, None)
        for table in (self.unsynced, self.inodes):
            for name in [name for name in table if name.startswith(path + "/")]:
                own = table.pop(name)
                for new in [new for new, other in self.inodes.items() if other == inode and is_renamed]:
                    table[new + name[len(path):]] = own
        if path in self.existing and "/assets/" in path and not is_renamed and not self.commits:
            self.problems.append(f"{self.short(path)} is removed before the commit")

    def short(self, path):
        return os.path.relpath(path, self.root)

    def examine(self, when, is_examined):
        for path, inode in self.inodes.items():
            if not is_examined(path) or os.path.basename(path) in DATABASE:
                continue
            if inode in self.dirty:
                self.problems.append(f"the content of {self.short(path)} is not synced {when}")
            parents = [path]
            while parents[-1] not in (self.root, "/"):
                parents.append(os.path.dirname(parents[-1]))
            if lost := [name for name in parents if name in self.unsynced]:
                self.problems.append(f"the name {self.short(lost[0])} is not synced {when}")


def traced(setting, preload, root, run):
    """Runs a command with the preloaded library; the problems of its calls."""
    existing = {os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names}
    log = root + ".calls"
    result = run({"LD_PRELOAD": preload, "ORDER_BELOW": root, "ORDER_LOG": log})
    problems = result.problems()
    if result.code != 0:
        problems.append(f"ends with {result.code}: {result.error()}")
    disk = Disk(root, existing)
    disk.read(log)
    os.remove(log)
    # A library that notes no calls would prove nothing.
    if disk.calls < 3:
        problems.append(f"only {disk.calls} calls were noted")
    disk.examine("at the end", lambda name: os.path.lexists(name))
    shutil.rmtree(root)
    return problems + sorted({*disk.problems})


def of_files(setting, preload, name, commands):
    root = setting.folder(name)
    for folder in ("states", "out"):
        os.makedirs(os.path.join(root, folder))
    materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), os.path.join(root, "photo.jpg"), 1)
    for words in commands[:-1]:
        setting.program.succeed(words, root)
    return traced(setting, preload, root,
                  lambda environment: setting.program.run(commands[-1], root, environment))  # fmt: skip


def of_library(setting, preload, base, name, words):
    library = subjects.copied(base, name)
    os.makedirs(library.incoming + "/out")
    words = [word.format(*library.names, incoming=library.incoming) for word in words]
    return traced(setting, preload, library.root, lambda environment: setting.program.run(
        [*words, "--library", library.folder], environment=environment))  # fmt: skip


def of_creation(setting, preload):
    root = setting.folder("creation")
    return traced(setting, preload, root, lambda environment: setting.program.run(
        ["library", "create", root + "/library", "-q"], environment=environment))  # fmt: skip


def cases(setting):
    preload = shim(setting, "order")
    for name, commands in FILES.items():
        yield Case(f"file-{name}", of_files, setting, preload, f"file-{name}", commands)
    yield Case("creation", of_creation, setting, preload)
    base = subjects.prepared(setting)
    for name, words in ASSETS.items():
        yield Case(name, of_library, setting, preload, base, name, words)
