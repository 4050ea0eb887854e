# SPDX-License-Identifier: Apache-2.0
"""A run with one result, rendered by a worker and published as an engine does it."""

import hashlib
import json
import os
import subprocess

LOOK = {"format": "org.photoedit.filter-graph", "version": "1.0",
        "nodes": [{"id": "n1", "filter": "sepia", "v": 1, "params": {"amount": 1}}]}  # fmt: skip


def prepare(binary, folder):
    """Plans a run of the photo in a folder, and publishes its result next to it."""
    path = lambda *names: os.path.join(folder, *names)
    write(path("look.json"), json.dumps(LOOK))
    write(path("manifest.jsonl"), json.dumps({"id": "photo.jpg", "src": "photo.jpg"}) + "\n")
    planned = subprocess.run(
        [binary, "plan", path("manifest.jsonl"), "--graph", path("look.json"), "-o", path("out"),
         "--run", path("run"), "--root", folder, "-q"], capture_output=True)  # fmt: skip
    assert planned.returncode == 0, planned.stderr
    with open(path("run", "run.json")) as file:
        run = json.load(file)
    request = {"id": "photo.jpg", "input": path("photo.jpg"), "output": path("rendered.jpg"),
               "look": path("run", "looks", run["looks"][0] + ".json")}  # fmt: skip
    worker = subprocess.run([binary, "worker", *run["workerArguments"]], capture_output=True,
                            input=json.dumps(request).encode() + b"\n")  # fmt: skip
    answer = json.loads(worker.stdout.splitlines()[1])
    assert answer["status"] == "rendered", answer
    key, rendering = answer["key"], answer["rendering"]
    blob = path("out", "blobs", rendering[:2], rendering + ".jpg")
    os.makedirs(os.path.dirname(blob))
    os.rename(path("rendered.jpg"), blob)
    with open(blob, "rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() == rendering
    write(path("out", "records", key[:2], key + ".json"), json.dumps(answer | {
        "format": 1, "engine": run["engine"], "options": run["options"]}))  # fmt: skip
    write(path("run", "results", "0-0.1.jsonl"), json.dumps({
        "id": "photo.jpg", "status": "written", "key": key, "rendering": rendering,
        "bytes": answer["bytes"], "cpuMs": 1}) + "\n")  # fmt: skip


def write(path, text):
    """Writes a file, and creates its folder."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
