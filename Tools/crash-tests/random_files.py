# SPDX-License-Identifier: Apache-2.0
"""Photos and videos as files, with random edits, for the random kills."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass


@dataclass
class Command:
    """A command, with the damage to inflict before it."""

    name: str
    words: list
    # Damage to the database, or ""; see Library.prepare.
    damage: str = ""
    # Whether partial completion is allowed: files are imported one by one.
    is_gradual: bool = False

    def allows(self, found, old, new):
        """Whether a state is the old or the new one, or between them if files are imported one by one."""
        if self.is_gradual:
            return old["assets"].items() <= found["assets"].items() <= new["assets"].items() and all(
                found[key] in (old[key], new[key]) for key in found if key != "assets"
            )
        return found == old or without_new_digests(found, old) == without_new_digests(new, old)


def without_new_digests(state, old):
    """A state without the digests of new files.

    Renderings vary between runs: they contain the time, and an edited Live Photo gets a new
    identifier. A rendering outside of the edit may happen to equal one in it.
    """
    pattern = r"[0-9a-f]{64}"
    known = set(re.findall(pattern, json.dumps(old)))
    if state.get("out") != old.get("out"):
        state = {**state, "out": "new"}
    text = json.dumps(state, sort_keys=True)
    return re.sub(pattern, lambda m: m[0] if m[0] in known else "new", text)


class Tool:
    """The program, and the environment in which it runs."""

    def __init__(self, binary, library, inputs, media):
        self.binary, self.library, self.inputs, self.media = binary, library, inputs, media

    def preload(self, folder):
        return {"LD_PRELOAD": self.library, "FAULTS_BELOW": folder}

    def run(self, words, folder, **environment):
        return subprocess.run(
            [self.binary, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=120, env={**os.environ, **environment})  # fmt: skip


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Files:
    """A folder with a photo, a video and a Live Photo, one of which is edited."""

    SUBJECT, NAME, IS_VIDEO = "photo.jpg", "photo", False
    SEED = ("photo.jpg", "clip.mov", "live.jpg", "live.mov")

    def __init__(self, tool, folder, random):
        self.tool, self.folder, self.random = tool, folder, random
        os.makedirs(os.path.join(folder, "away"))
        shutil.copy(tool.inputs[0], os.path.join(folder, "photo.jpg"))
        for name in self.SEED[1:] if tool.media else ():
            shutil.copy(os.path.join(tool.media, name), folder)

    def copied(self, folder):
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, folder=folder)
        shutil.copytree(self.folder, folder)
        return other

    def refresh(self):
        pass

    def prepare(self, command):
        pass

    def complete_repair(self, command, problems):
        pass

    def run(self, command, **environment):
        # The preloaded library counts only paths that start with the folder.
        words = [w.replace("{}", self.folder) for w in command.words]
        return self.tool.run(words, self.folder, **environment)

    def filter(self):
        if self.IS_VIDEO:
            return self.random.choice(
                ["mute", "rotate90", "flip", "volume:gain=0.5", "trim:start=0.1", "sepia", "invert",
                 "location:latitude=38,longitude=-9"])  # fmt: skip
        return self.random.choice(
            ["sepia", "invert", "exposure:ev=0.25", "rotate90", "flip", "resize:width=40",
             "crop:x=0,y=0,w=0.5,h=0.5", "grayscale"])  # fmt: skip

    def command(self):
        path = "{}/" + self.SUBJECT
        made = "mov" if self.IS_VIDEO else "jpg"
        edit = ["--filter", self.filter(), "-q"]
        if self.IS_VIDEO:
            edit += ["--video-preset", "ultrafast"]
        other = ["--format-identifier", "com.example.other"]
        name, words = self.random.choice([
            ("apply", ["apply", path, *edit]),
            ("apply", ["apply", path, *edit]),
            ("apply --replace", ["apply", path, "--replace", *edit]),
            ("apply as another program", ["apply", path, *edit, *other]),
            ("apply elsewhere", ["apply", path, *edit, "-o", "{}/away/"]),
            ("adjust", ["adjust", path, "--disable", "n1", "-q"]),
            ("adjust", ["adjust", path, "--enable", "n1", "-q"]),
            ("adjust", ["adjust", path, "--remove", "n1", "-q"]),
            ("revert", ["revert", path, "-q"]),
            ("undo", ["undo", path, "-q"]),
            ("undo", ["undo", path, "-q"]),
            ("redo", ["redo", path, "-q"]),
            ("render", ["apply", path, "--no-sidecar", *edit, "-f", "-o", "{}/out." + made]),
        ])  # fmt: skip
        return Command(name, words)

    def state(self):
        """The edit as reported by `show`; None if that fails or a version is not as recorded."""
        result = self.tool.run(["show", self.SUBJECT, "--json"], self.folder)
        if result.returncode != 0:
            return None
        shown = json.loads(result.stdout)
        if not all(version["asRecorded"] for version in shown["versions"]):
            return None
        outside = os.path.join(self.folder, "out.mov" if self.IS_VIDEO else "out.jpg")
        return {
            "edited": shown["edited"],
            "graph": shown.get("graph"),
            "versions": {v["name"]: v["digest"] for v in shown["versions"]},
            "journal": (shown["undoable"], shown["redoable"]),
            "format": shown.get("formatIdentifier"),
            "out": digest(outside) if os.path.exists(outside) else None,
        }

    def why(self):
        result = self.tool.run(["show", self.SUBJECT, "--json"], self.folder)
        return (result.stderr + result.stdout).decode()[:600]

    def originals(self):
        """The originals with their digests, modes, link counts and modification times."""
        found = set()
        for name in self.SEED:
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                status = os.stat(path)
                found.add((name, digest(path), status.st_mode, status.st_nlink, status.st_mtime_ns))
        return found

    def kill_recovery(self):
        call = str(self.random.randint(1, 12))
        self.run(Command("", ["apply", "{}/" + self.SUBJECT, "--filter", "flip", "-q"]), FAULTS_AT=call,
                 **self.tool.preload(self.folder))  # fmt: skip

    def check_next_command(self, command, found):
        """The next edit must succeed, and no temporary files may remain."""
        words = ["apply", "{}/" + self.SUBJECT, "--filter", "flip", "-q"]
        away = ["-o", "{}/away/"]
        # Another output folder is cleaned up only by a command that writes to it.
        result = self.run(Command("", words + (away if command.name == "apply elsewhere" else [])))
        if b"is only changed if specified" in result.stderr:
            result = self.run(Command("", words + away))
        if result.returncode != 0:
            return [f"the next edit fails: {result.stderr.decode().strip()}"]
        if self.state() is None:
            return [f"the next edit is incomplete: {self.why()}"]
        left = []
        for root, folders, files in os.walk(self.folder):
            left += [os.path.join(root, name) for name in folders + files
                     if name.startswith(".photoedit-") or name.endswith((".pending", ".part"))]
        # Temporary files of `render` are removed by its next run with the same output.
        return [f"left behind: {[os.path.relpath(p, self.folder) for p in left]}"] if left else []


class Clip(Files):
    SUBJECT, NAME, IS_VIDEO = "clip.mov", "video", True


class LiveStill(Files):
    SUBJECT, NAME, IS_VIDEO = "live.jpg", "still image of a Live Photo", False


class LiveVideo(Files):
    SUBJECT, NAME, IS_VIDEO = "live.mov", "video of a Live Photo", True


def kinds(has_videos):
    return [Files, Files, Clip, LiveStill, LiveVideo] if has_videos else [Files]
