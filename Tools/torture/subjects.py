# SPDX-License-Identifier: Apache-2.0
"""A small library with everything that a library keeps, of which each case has a copy."""

import os
import shutil

import libraries
import materials
from cases import INPUTS, digest

COUNT = 4


class Library(libraries.Library):
    """A library in a folder, whose commands are examined for crashes, hangs and memory."""

    def __init__(self, setting, root):
        super().__init__(setting.program.path, root)
        self.setting, self.problems = setting, []

    def run(self, arguments, names, limits=(), may_be_killed=False, **environment):
        words = [word.format(incoming=self.incoming, **names) for word in arguments]
        result = self.setting.program.run(
            [*words, "--library", self.folder], environment=environment, limits=limits)
        self.problems += result.problems(may_be_killed)
        result.returncode = result.code
        return result

    def do(self, *words):
        """Runs a command that must succeed."""
        result = self.run(words, {})
        if result.code != 0:
            self.problems.append(f"{' '.join(words[:2])} ends with {result.code}: {result.error()}")
        return result

    def kept(self):
        """The digests of all files that are not of the database."""
        return {digest(os.path.join(root, name)) for root, _, names in os.walk(self.folder) for name in names
                if name.startswith(("photo-", "video-", "pairedVideo-"))}  # fmt: skip

    def end(self):
        shutil.rmtree(self.root)
        return self.problems


def prepared(setting, name="base"):
    """A library with an edited photo, an album in a folder, texts, and a photo in the trash."""
    library = Library(setting, setting.folder(name))
    os.makedirs(library.incoming)
    photos = [os.path.join(library.incoming, f"{number}.jpg") for number in range(COUNT)]
    for number, path in enumerate(photos):
        materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), path, number)
    materials.numbered(os.path.join(INPUTS, "photo-64.jpg"), os.path.join(library.incoming, "new.jpg"), 77)
    library.do("library", "create", library.folder, "-q")
    library.do("asset", "import", *photos, "-q")
    listed = {asset["originalFilename"]: asset["identifier"] for asset in library.lines("asset", "list")}
    library.names = [listed[f"{number}.jpg"] for number in range(COUNT)]
    library.do("apply", library.names[0], "--filter", "sepia:amount=0.5", "-q")
    library.do("folder", "create", "Trips", "-q")
    library.do("album", "create", "Lisbon", *library.names[:2], "--folder", "Trips", "-q")
    library.do("asset", "set", library.names[1], "--title", "A title", "--keywords", "a,b", "-q")
    library.do("asset", "delete", library.names[3], "--yes", "-q")
    if library.problems:
        raise AssertionError("; ".join(library.problems))
    library.expected = library.state()
    library.originals_before = library.kept()
    return library


def copied(base, name):
    """A copy of a prepared library."""
    root = os.path.join(os.path.dirname(base.root), name)
    shutil.copytree(base.root, root)
    library = Library(base.setting, root)
    library.names, library.expected = base.names, base.expected
    library.originals_before = base.originals_before
    return library
