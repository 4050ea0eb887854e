# SPDX-License-Identifier: Apache-2.0
"""The parts that the browser and API tests share: a server with its own state, and a list of checks."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "TestImages" / "inputs"


def program(name):
    """Returns the path of a built program: from the environment, or the newest build."""
    folder = os.environ.get("PHOTOEDIT_BUILD")
    folders = [pathlib.Path(folder)] if folder else [ROOT / ".build/release", ROOT / ".build/debug"]
    found = [path / name for path in folders if (path / name).exists()]
    if not found:
        sys.exit(f"{name}: not built; run 'swift build --product {name}'")
    return str(max(found, key=lambda path: path.stat().st_mtime))


class Workspace:
    """A temporary folder with the state folders of a server and of the command line."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="photoedit-web-"))
        self.servers = []
        self.environment = {
            **os.environ,
            "XDG_STATE_HOME": str(self.folder("state")),
            "XDG_RUNTIME_DIR": str(self.folder("runtime")),
            "XDG_CACHE_HOME": str(self.folder("cache")),
            "HOME": str(self.folder("home")),
            "LC_ALL": "C.UTF-8",
        }
        os.chmod(self.path / "runtime", 0o700)

    def folder(self, name):
        path = self.path / name
        path.mkdir(exist_ok=True)
        return path

    def photo(self, name="photo-1024.jpg", to=None):
        target = self.path / (to or name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(IMAGES / name, target)
        return target

    def run(self, *arguments, check=True):
        """Runs the command line and returns its standard output."""
        done = subprocess.run(
            [program("photoedit"), *map(str, arguments)], env=self.environment, cwd=self.path,
            capture_output=True, text=True)
        if check and done.returncode != 0:
            raise AssertionError(f"photoedit {arguments[0]}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def serve(self, *arguments, **options):
        server = Server(self, arguments, **options)
        self.servers.append(server)
        return server

    def close(self):
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.path, ignore_errors=True)


def description():
    """Returns the API description that a server writes from its routes."""
    work = Workspace()
    try:
        client = Client(work.serve(work.photo()), logs_in=False)
        return client.get("/web/openapi.json").json()
    finally:
        work.close()


class Server:
    """A running photoedit-serve; only this process is ended by `stop` and `kill`."""

    def __init__(self, workspace, arguments, port=0, name="photoedit-serve"):
        self.workspace = workspace
        self.arguments = arguments
        command = [program(name), "serve", *map(str, arguments), "--no-open",
                   "--port", str(port)]
        folder = os.environ.get("PHOTOEDIT_WEB_FOLDER")
        if folder:
            command += ["--web-folder", folder]
        self.log = open(workspace.path / f"server-{len(workspace.servers)}.log", "w+b")
        self.process = subprocess.Popen(
            command, env=workspace.environment, cwd=workspace.path, stdout=self.log,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        self.link = self.wait_for_link()
        parts = urllib.parse.urlsplit(self.link)
        self.host, self.port = parts.hostname, parts.port
        self.origin = f"{parts.scheme}://{self.host}:{self.port}"
        self.code = parts.fragment.removeprefix("code=")

    def text(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def wait_for_link(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            match = re.search(r"https?://[0-9.:\[\]a-z-]+/#\S+", self.text())
            if match:
                return match.group()
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"photoedit-serve printed no link: {self.text()}")

    def kill(self):
        """Ends the server like a crash does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()

    def memory(self):
        """The resident memory in bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0


class Client:
    """An HTTP client that is logged in to a server."""

    def __init__(self, server, logs_in=True):
        self.server = server
        self.cookie = None
        if logs_in:
            answer = self.post("/api/session", {"code": server.code})
            assert answer.status == 204, f"login: {answer.status} {answer.body[:200]}"
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def connection(self):
        return http.client.HTTPConnection(self.server.host, self.server.port, timeout=60)

    def request(self, method, path, body=None, headers=None, sends_marker=True):
        connection = self.connection()
        fields = dict(headers or {})
        if method not in ("GET", "HEAD") and sends_marker:
            fields.setdefault("X-Photoedit", "1")
        if self.cookie:
            fields.setdefault("Cookie", self.cookie)
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            fields.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, body=None, **options):
        return self.request("POST", path, {} if body is None else body, **options)

    def put(self, path, body, **options):
        return self.request("PUT", path, body, **options)

    def delete(self, path, **options):
        return self.request("DELETE", path, **options)

    def finish(self, answer):
        """Waits for the job of an answer and returns it when it has ended."""
        job = answer.json()
        deadline = time.monotonic() + 60
        while job["state"] not in ("done", "failed", "cancelled", "canceled"):
            assert time.monotonic() < deadline, f"the job does not end: {job}"
            job = self.get(f"/api/jobs/{job['job']}?wait=1").json()
        return job


class Answer:
    """An HTTP response that was read to its end."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    @property
    def word(self):
        """The word of a problem, such as `stale-edit`."""
        return self.json()["type"].removeprefix("urn:photoedit:")


class Skipped(Exception):
    """The reason why a test cannot run on this machine."""


class Checks:
    """A list of named tests; the last line printed is the number of passed and failed ones."""

    def __init__(self):
        self.tests = []

    def __call__(self, name):
        def add(function):
            self.tests.append((name, function))
            return function
        return add

    def run(self, words=()):
        names = [name.lower() for name, _ in self.tests]
        unknown = [word for word in words if not any(word.lower() in name for name in names)]
        if unknown:
            print(f"no test has a name with {', '.join(unknown)}", file=sys.stderr)
            return 64
        passed, failures, skipped = 0, [], []
        for name, function in self.tests:
            if words and not any(word.lower() in name.lower() for word in words):
                continue
            started = time.monotonic()
            workspace = Workspace()
            try:
                function(workspace)
                passed += 1
                print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)
            except Skipped as reason:
                skipped.append(f"SKIPPED: {name}: {reason}")
            except Exception as error:
                failures.append(name)
                print(f"FAIL  {name}\n      {type(error).__name__}: {error}", flush=True)
                if os.environ.get("PHOTOEDIT_WEB_TRACE"):
                    traceback.print_exc()
            finally:
                workspace.close()
        for line in skipped:
            print(line)
        print(f"{passed} passed, {len(failures)} failed"
              + (f", {len(skipped)} skipped" if skipped else ""), flush=True)
        return 1 if failures else 0


def until(condition, what, seconds=20):
    """Waits until a condition holds and returns its value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def equal(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")
