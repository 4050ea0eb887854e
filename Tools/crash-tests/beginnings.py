# SPDX-License-Identifier: Apache-2.0
"""Kills and failures while a library is created, and while many files are imported."""

import json
import os
import shutil
import subprocess

import materials
from libraries import Library, faults


class Creation:
    """The creation of a library: after any fault, it can be used or created again."""

    def __init__(self, work, preload, binary, images):
        self.work, self.preload, self.binary, self.images = work, preload, binary, images
        self.name = "library: creation"
        done = Library(binary, os.path.join(work, "creation-done"))
        report = os.path.join(work, "creation-report")
        result = self.create(done, LD_PRELOAD=preload, FAULTS_BELOW=done.root,
                             FAULTS_REPORT=report)
        assert result.returncode == 0, (self.name, result.stderr)
        with open(report) as file:
            self.calls = int(file.read())
        assert self.calls >= 8, (self.name, self.calls)

    def create(self, library, **environment):
        os.makedirs(library.incoming, exist_ok=True)
        return subprocess.run([self.binary, "library", "create", library.folder, "-q"],
                              capture_output=True, timeout=60,
                              env={**os.environ, **environment})

    def check(self, call, fault):
        name = f"creation-{fault[0].replace(' ', '-')}-{call}"
        library = Library(self.binary, os.path.join(self.work, name))
        result = self.create(library, **faults(self.preload, library.root, call, fault))
        problems = []
        if fault[1] is None and result.returncode != -9:
            problems.append(f"was not killed but ended with {result.returncode}")
        if fault[1] is not None and result.returncode < 0:
            problems.append(f"died of signal {-result.returncode}")
        exists = library.lines("library", "info") is not None
        if result.returncode == 0 and not exists:
            problems.append("success was reported without a library")
        if not exists:
            again = self.create(library)
            if again.returncode != 0:
                problems.append(f"cannot be created again: {again.stderr.decode().strip()}")
        imported = library.run(["asset", "import", self.images[0], "-q"], {})
        if imported.returncode != 0:
            problems.append(f"the first import fails: {imported.stderr.decode().strip()}")
        problems += library.findings()
        shutil.rmtree(library.root)
        return f"{self.name}, {fault[0]} at call {call} of {self.calls}", problems


class Batches:
    """An import with several commits: each is atomic, and a second run completes the import."""

    COUNT = 103

    def __init__(self, work, preload, binary, images):
        self.work, self.preload, self.binary = work, preload, binary
        self.name = "library: import in batches"
        self.source = os.path.join(work, "batches-source")
        os.makedirs(self.source)
        for number in range(self.COUNT):
            target = os.path.join(self.source, f"{number:03}.jpg")
            materials.numbered(images[0], target, number)
        report = os.path.join(work, "batches-report")
        done = self.library("done")
        result = self.run(done, LD_PRELOAD=preload, FAULTS_BELOW=done.root, FAULTS_REPORT=report)
        assert result.returncode == 0 and len(self.imported(done)) == self.COUNT, result.stderr
        assert len(done.lines("changes")) >= 2, "it was one commit"
        with open(report) as file:
            self.calls = int(file.read())

    def library(self, name):
        library = Library(self.binary, os.path.join(self.work, f"batches-{name}"))
        os.makedirs(library.incoming)
        made = subprocess.run([self.binary, "library", "create", library.folder, "-q"],
                              capture_output=True)
        assert made.returncode == 0, made.stderr
        return library

    def run(self, library, **environment):
        return library.run(["asset", "import", self.source, "-q"], {}, **environment)

    def imported(self, library):
        assets = library.lines("asset", "list")
        return None if assets is None else sorted(asset["originalFilename"] for asset in assets)

    def check(self, call, fault):
        library = self.library(f"{fault[0].replace(' ', '-')}-{call}")
        result = self.run(library, **faults(self.preload, library.root, call, fault))
        problems = []
        if fault[1] is None and result.returncode != -9:
            problems.append(f"was not killed but ended with {result.returncode}")
        found = self.imported(library)
        # An unreadable file is skipped individually; a kill skips entire commits.
        if found is None or (fault[1] is None and len(found) not in (0, 100, self.COUNT)):
            problems.append(f"a partial commit: {found if found is None else len(found)}")
        if result.returncode == 0 and len(found or []) != self.COUNT:
            problems.append("success was reported without the change")
        again = self.run(library)
        if again.returncode != 0 or self.imported(library) != sorted(os.listdir(self.source)):
            problems.append(f"a second run does not complete the import: {again.stderr.decode().strip()}")
        # An unfinished manifest is written by the next maintenance.
        problems += [finding for finding in library.findings() if "'isError': True" in finding]
        shutil.rmtree(library.root)
        return f"{self.name}, {fault[0]} at call {call} of {self.calls}", problems


class Group:
    """Photos edited in one command: each is old or new, and what was reported is edited."""

    COUNT = 9

    def __init__(self, work, preload, binary, images):
        self.work, self.preload, self.binary = work, preload, binary
        self.name = "several photos"
        self.image = images[0]
        # The fewer groups the photos are saved in, the fewer calls a run makes.
        self.calls = min(self.counted(f"done-{number}") for number in range(3)) * 8 // 10

    def counted(self, name):
        """The number of calls of an undisturbed run."""
        report = os.path.join(self.work, "group-report")
        folder = self.folder(name)
        result = self.run(folder, LD_PRELOAD=self.preload, FAULTS_BELOW=folder, FAULTS_REPORT=report)
        assert result.returncode == 0 and len(self.reported(result)) == self.COUNT, result.stderr
        with open(report) as file:
            return int(file.read())

    def folder(self, name):
        folder = os.path.join(self.work, f"group-{name}")
        os.makedirs(folder)
        for number in range(self.COUNT):
            materials.numbered(self.image, os.path.join(folder, f"{number}.jpg"), number)
        return folder

    def run(self, folder, *options, **environment):
        names = [f"{number}.jpg" for number in range(self.COUNT)]
        return subprocess.run(
            [self.binary, "apply", *options, "--filter", "sepia", "--json", *names], cwd=folder,
            capture_output=True, env={**os.environ, **environment})

    def reported(self, result):
        lines = [json.loads(line) for line in result.stdout.splitlines() if line.endswith(b"}")]
        return [line["input"] for line in lines if "error" not in line]

    def is_edited(self, folder, name):
        shown = subprocess.run([self.binary, "show", name, "--json"], cwd=folder,
                               capture_output=True)
        return shown.returncode == 0 and json.loads(shown.stdout)["edited"]

    def check(self, call, fault):
        folder = self.folder(f"{fault[0].replace(' ', '-')}-{call}")
        result = self.run(folder, **faults(self.preload, folder, call, fault))
        problems = []
        if fault[1] is None and result.returncode != -9:
            problems.append(f"was not killed but ended with {result.returncode}")
        names = [f"{number}.jpg" for number in range(self.COUNT)]
        edited = [name for name in names if self.is_edited(folder, name)]
        lost = set(self.reported(result)) - set(edited)
        if lost:
            problems.append(f"reported, but not edited: {sorted(lost)}")
        if result.returncode == 0 and edited != names:
            problems.append("success was reported without the change")
        again = self.run(folder, "--update")
        if again.returncode != 0 or not all(self.is_edited(folder, name) for name in names):
            problems.append(f"a second run does not complete the edits: {again.stderr.decode().strip()}")
        for name in os.listdir(folder):
            if name.startswith(".photoedit-") or name.endswith((".pending", ".part")):
                problems.append(f"left behind: {name}")
        shutil.rmtree(folder)
        return f"{self.name}, {fault[0]} at call {call} of {self.calls}", problems
