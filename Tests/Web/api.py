#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every route and status of the API description, over HTTP, and what the command line finds.

Usage: api.py [WORD...]   run the tests whose name contains a word (default: all)
"""

import email
import http.client
import io
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import zipfile

from harness import ROOT, Answer, Checks, Client, Skipped, description, equal, program, until

test = Checks()
ROUTES = [(method.upper(), template, sorted(operation["responses"]))
          for template, methods in description()["paths"].items()
          for method, operation in methods.items() if "responses" in operation]
SEEN = set()
# Statuses that depend on the time of other requests; their tests are in the Swift suite.
TIMED = {"503", "507"}
# Statuses of requests that are refused before their route is known.
UNROUTED = ["405", "411", "413", "414", "415", "431"]
# Documented answers that these tests do not reach: they need a video, or a file that vanishes or
# is not the one that the sidecar names.
UNREACHED = {
    *(("GET", "/api/assets/{asset}/movie", status) for status in ("200", "206", "416")),
    ("GET", "/api/assets/{asset}/picture/{digest}", "409"), ("GET", "/api/changes", "410"),
    ("POST", "/api/trash", "404"),
    ("GET", "/api/editing/{session}/statistics/{preview}", "409"),
    ("GET", "/api/editing/{session}/clipping/{preview}", "409"),
    *(("GET", f"/api/assets/{{asset}}/{part}", "409") for part in ("file", "movie", "info", "trim")),
    ("POST", "/api/assets/{asset}/revert", "409"), ("POST", "/api/assets/{asset}/editing", "409"),
    # libarchive is not installed.
    ("POST", "/api/downloads", "409"),
}


def graph(*nodes):
    return {"format": "org.photoedit.filter-graph", "version": "1.0", "nodes": [
        {"id": f"n{index + 1}", "filter": name, "v": 1, "params": params}
        for index, (name, params) in enumerate(nodes)]}


EXPOSURE = graph(("exposure", {"ev": 0.5, "black": 0}))


class API(Client):
    """A client that records which routes answered with which status."""

    def request(self, method, path, *arguments, **options):
        answer = super().request(method, path, *arguments, **options)
        record(method, path, answer.status)
        if path != "/" and not path.startswith("/web/") and path != "/api/filters":
            equal(answer.headers["Cache-Control"], "no-store", f"storage of {path}")
        return answer


def record(method, path, status):
    path = path.split("?")[0]
    for known, template, _ in ROUTES:
        pattern = re.sub(r"\\\{[a-z]+\\\}", "[^/]+", re.escape(template))
        if template == "/web/{file}":
            pattern = "/web/.+"
        if method == known and re.fullmatch(pattern, path):
            SEEN.add((method, template, str(status)))
            return


class Photo:
    """A served photo with a client and an editing session."""

    def __init__(self, work, *options, name="photo-1024.jpg"):
        self.work, self.photo = work, work.photo(name)
        self.server = work.serve(self.photo, *options)
        self.client = API(self.server)
        self.asset = self.client.get("/api/service").json()["asset"]

    def begin(self):
        answer = self.client.post(f"/api/assets/{self.asset}/editing")
        equal(answer.status, 201, "begin")
        self.session = answer.json()
        return self.session

    @property
    def path(self):
        return f"/api/editing/{self.session['session']}"

    def preview(self, edit=EXPOSURE, sequence=1, client=None, **more):
        return (client or self.client).post(f"{self.path}/preview", {
            "graph": edit, "width": 400, "height": 300, "sequence": sequence, "purpose": "still",
            **more})

    def save(self, edit=EXPOSURE, revision=None):
        headers = {"If-Match": f'"{revision or self.session["revision"]}"'}
        return self.client.post(f"{self.path}/save", {"graph": edit}, headers=headers)

    def saved(self, edit=EXPOSURE):
        job = self.client.finish(self.save(edit))
        equal(job["state"], "done", "save")
        self.session["revision"] = job["result"]["revision"]
        return job["result"]


def raw(server, method, target, headers, length="0"):
    """Sends a request with exactly these header lines."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
    try:
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        if length is not None:
            connection.putheader("Content-Length", length)
        connection.endheaders()
        response = connection.getresponse()
        record(method, target, response.status)
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


@test("the page and its modules are served without a login and revalidate")
def _(work):
    photo = Photo(work)
    stranger = API(photo.server, logs_in=False)
    page = stranger.get("/")
    equal(page.status, 200, "page")
    assert b"photoedit" in page.body and b"<script" in page.body
    names = re.findall(rb'(?:src|href)="(/web/[^"]+)"', page.body)
    assert len(names) > 4, names
    for name in [*(name.decode() for name in names), "/web/openapi.json"]:
        answer = stranger.get(name)
        equal(answer.status, 200, name)
        equal(answer.headers["X-Content-Type-Options"], "nosniff", name)
        again = stranger.get(name, headers={"If-None-Match": answer.headers["ETag"]})
        equal(again.status, 304, f"{name} with its ETag")
    tag = page.headers["ETag"]
    equal(stranger.get("/", headers={"If-None-Match": tag}).status, 304, "page with its ETag")
    for name in ["/web/none.js", "/web/../harness.py", "/web/%2e%2e/%2e%2e/Package.swift"]:
        assert stranger.get(name).status in (400, 401, 404), name
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy, policy


@test("the modules that the browser gets have no comments, and pass the unit tests of those in the folder")
def _(work):
    if not shutil.which("node"):
        raise Skipped("no node, which runs the unit tests")
    web = ROOT / "Sources" / "PhotoEditServer" / "Web"
    # Those of a folder are sent one by one, by debug builds alone.
    server = ROOT / ".build" / "debug" / "photoedit-serve"
    if not server.exists():
        raise Skipped("no debug build, which serves a folder")
    client = API(work.serve("--web-folder", web, work.photo(), name=server), logs_in=False)
    folder = work.folder("served")
    sizes = [0, 0]
    for source in sorted(path for path in web.rglob("*") if path.is_file()):
        name = source.relative_to(web)
        answer = client.get(f"/web/{name}")
        equal(answer.status, 200, f"{name}")
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(answer.body)
        if source.suffix == ".js":
            text = source.read_bytes()
            equal(answer.body.count(b"\n"), text.count(b"\n"), f"the lines of {name}")
            sizes = [sizes[0] + len(answer.body), sizes[1] + len(text)]
    assert sizes[0] < 0.8 * sizes[1], f"bytes with and without comments: {sizes}"
    shutil.copytree(ROOT / "Tests" / "Web" / "unit", folder / "unit")
    shutil.copy(ROOT / "Tools" / "reference-parts" / "filters.json", folder)
    shutil.copy(ROOT / "Sources" / "PhotoEditFilters" / "Text" / "TextField.swift", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(["node", "--test", f"{folder}/unit/"], capture_output=True, text=True)
    equal(done.returncode, 0, done.stdout[-2000:])


@test("bundles and all other scripts are valid, and import what the others export")
def _(work):
    if not shutil.which("node"):
        raise Skipped("no node, which checks scripts")
    client = API(work.serve(work.photo()), logs_in=False)
    web = ROOT / "Sources" / "PhotoEditServer" / "Web"
    names = [str(path.relative_to(web)) for path in web.rglob("*.js")]
    scripts = {name: client.get(f"/web/{name}").body.decode() for name in names}
    for screen in ("common", "editor", "timeline"):
        scripts[f"js/bundle-{screen}.js"] = client.get(f"/web/js/bundle-{screen}.js").body.decode()
    folder = work.folder("scripts")
    (folder / "package.json").write_text('{"type": "module"}')
    exports, bundled = {}, 0
    for name, text in scripts.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        done = subprocess.run(["node", "--check", target], capture_output=True, text=True)
        equal(done.returncode, 0, f"{name}: {done.stderr[-500:]}")
        exports[target.resolve()] = set(re.findall(
            r"^export (?:async )?(?:function|class|const) ([\w$]+)", text, re.MULTILINE))
        for names_of in re.findall(r"^export \{([^}]*)\}", text, re.MULTILINE):
            exports[target.resolve()] |= {name.split()[-1] for name in names_of.split(",") if name.strip()}
    for name, text in scripts.items():
        for names_of, path in re.findall(r"^(?:im|ex)port \{([^}]*)\} from '([^']+)'", text, re.MULTILINE):
            other = ((folder / name).parent / path).resolve()
            missing = {name.split()[0] for name in names_of.split(",") if name.strip()} - exports[other]
            equal(missing, set(), f"{name} from {path}")
            bundled += "bundle-" in path
    assert bundled > 100, bundled


@test("every route refuses other hosts, other origins, and a request without a cookie")
def _(work):
    photo = Photo(work)
    photo.begin()
    host = f"{photo.server.host}:{photo.server.port}"
    for method, template, statuses in ROUTES:
        target = template.replace("{asset}", photo.asset).replace(
            "{session}", photo.session["session"]).replace("{file}", "js/app.js")
        target = re.sub(r"\{[a-z]+\}", "none", target)
        base = [("X-Photoedit", "1"), ("Content-Type", "application/json"),
                ("Cookie", photo.client.cookie)]
        for status, headers in {
            "421": [("Host", "evil.example"), *base],
            "400": [("Host", host), ("Host", host), *base],
            "403": [("Host", host), ("Origin", "http://evil.example"), *base],
            "401": [("Host", host), *base[:2]],
        }.items():
            if status not in statuses:
                continue
            if template == "/api/session" and method == "POST" and status == "401":
                continue
            answer = raw(photo.server, method, target, headers)
            equal(str(answer.status), status, f"{method} {template}")
            equal(answer.headers.get("Access-Control-Allow-Origin"), None, "CORS header")


@test("a launch code works once, and eleven wrong ones in a minute are refused")
def _(work):
    photo = Photo(work)
    other = API(photo.server, logs_in=False)
    again = other.post("/api/session", {"code": photo.server.code})
    equal((again.status, again.word), (401, "unauthorized"), "second use")
    statuses = [other.post("/api/session", {"code": f"{n:032x}"}).status for n in range(12)]
    equal(statuses[-1], 429, f"statuses {statuses}")


@test("the cookie is only sent beneath a path that the login names")
def _(work):
    photo = Photo(work)
    login = API(photo.server, logs_in=False)
    link = work.run("serve", "--link", photo.photo)
    answer = login.post("/api/session", {"code": link.split("code=")[1].strip()})
    prefix = answer.headers["X-Photoedit-Path"]
    attributes = answer.headers["Set-Cookie"].split("; ")
    assert re.fullmatch("/s/[0-9a-f]{32}", prefix), prefix
    equal(sorted(attributes[1:]), ["HttpOnly", f"Path={prefix}", "SameSite=Strict"], "cookie")
    login.cookie = attributes[0]
    equal(login.get(f"{prefix}/api/service").status, 200, "with the path")
    equal(login.get(f"/s/{'0' * 32}/api/service").status, 401, "with another path")
    equal(photo.client.get(f"{prefix}/api/service").status, 401, "with another cookie")
    equal(API(photo.server, logs_in=False).get(f"{prefix}/api/service").status, 401, "no cookie")
    equal(login.get(f"{prefix}/web/js/app.js").status, 404, "only the API has such paths")
    ended = login.delete(f"{prefix}/api/session")
    assert f"Path={prefix}" in ended.headers["Set-Cookie"], ended.headers["Set-Cookie"]
    equal(login.get(f"{prefix}/api/service").status, 401, "after the end of the login")


@test("the end of a login ends its cookie")
def _(work):
    photo = Photo(work)
    equal(photo.client.delete("/api/session").status, 204, "log out")
    equal(photo.client.get("/api/service").status, 401, "after that")


@test("the filters are those of the command line, with an ETag")
def _(work):
    photo = Photo(work)
    answer = photo.client.get("/api/filters")
    equal(answer.json()["filters"], json.loads(work.run("filters", "--json"))["filters"], "schema")
    tag = answer.headers["ETag"]
    equal(photo.client.get("/api/filters", headers={"If-None-Match": tag}).status, 304, "304")


@test("the service names its mode and no path")
def _(work):
    photo = Photo(work)
    service = photo.client.get("/api/service")
    equal((service.json()["mode"], service.json()["readOnly"]), ("photo", False), "mode")
    assert str(work.path).encode() not in service.body, "a path is in the answer"
    begun = photo.client.post(f"/api/assets/{photo.asset}/editing")
    assert str(work.path).encode() not in begun.body, "a path is in the answer"


@test("a preview is a JPEG of the size asked for, with statistics and an overlay")
def _(work):
    photo = Photo(work)
    photo.begin()
    answer = photo.preview(graph(("exposure", {"ev": 4})))
    equal(answer.status, 200, "preview")
    equal(answer.body[:3], b"\xff\xd8\xff", "JPEG")
    equal(float(answer.headers["X-Photoedit-Scale"]), 0.390625, "scale of 400 pixels of 1024")
    name = answer.headers["X-Photoedit-Preview"]
    levels = photo.client.get(f"{photo.path}/statistics/{name}").json()
    for channel in ("r", "g", "b", "luma"):
        equal(sum(levels["levels"][channel]), 400 * 300, f"samples of {channel}")
    assert levels["clipped"]["highlights"] > 0.2, levels["clipped"]
    overlay = photo.client.get(f"{photo.path}/clipping/{name}.png")
    equal(overlay.body[:4], b"\x89PNG", "overlay")
    for path in (f"{photo.path}/statistics/none", f"{photo.path}/clipping/none.png"):
        equal(photo.client.get(path).status, 404, path)
    for purpose in ("original", "compare", "drag"):
        equal(photo.preview(sequence=2, purpose=purpose).status, 200, purpose)


def parts(answer):
    """The parts of a form, by their names."""
    head = f"Content-Type: {answer.headers['Content-Type']}\r\n\r\n".encode()
    return {part.get_param("name", header="Content-Disposition"): part.get_payload(decode=True)
            for part in email.message_from_bytes(head + answer.body).get_payload()}


@test("a preview brings its statistics; neither they nor the overlay cancel previews")
def _(work):
    photo = Photo(work)
    photo.begin()
    names, refused = [], []

    def follow():
        for path in ("statistics/{}", "clipping/{}.png"):
            for _ in range(10):
                answer = photo.client.get(f"{photo.path}/{path.format(names[-1])}")
                if answer.status != 200:
                    refused.append((path, answer.status, answer.body[:200]))

    def drag(step):
        answer = photo.preview(graph(("exposure", {"ev": step / 20})), step, purpose="drag",
                               statistics=True)
        equal(answer.status, 200, f"preview {step}")
        form = parts(answer)
        equal(form["image"][:3], b"\xff\xd8\xff", "JPEG")
        levels = json.loads(form["statistics"])
        equal(sum(levels["levels"]["luma"]), 400 * 300, "counted pixels")
        names.append(levels["preview"])
        equal(names[-1], answer.headers["X-Photoedit-Preview"], "name of the preview")

    drag(0)
    followers = [threading.Thread(target=follow) for _ in range(3)]
    for thread in followers:
        thread.start()
    step = 0
    while any(thread.is_alive() for thread in followers):
        step += 1
        drag(step)
    equal(refused, [], f"refused during {step} previews")


@test("an invalid graph is refused with the sentence of the library")
def _(work):
    photo = Photo(work)
    photo.begin()
    wrong = graph(("exposure", {"ev": "much"}))
    for answer in (photo.preview(wrong), photo.client.put(f"{photo.path}/draft", {"graph": {}}),
                   photo.save({"nodes": 3})):
        equal(answer.status, 422, answer.body[:200])
        equal(answer.headers["Content-Type"], "application/problem+json", "type")
        assert answer.json()["detail"], "no sentence"
    equal(photo.preview(more=1).status, 400, "unknown key")
    equal(photo.preview(width=0).status, 400, "no width")
    body = b'{"graph":' + b"[" * 200 + b"]" * 200 + b"}"
    answer = photo.client.put(f"{photo.path}/draft", body,
                              headers={"Content-Type": "application/json"})
    assert answer.status in (400, 422), answer.status


@test("a newer preview supersedes an older one, and the newest is always answered")
def _(work):
    photo = Photo(work)
    photo.begin()
    slow = graph(("denoiseNLM", {"patch": 5, "search": 21, "h": 0.1, "sigma": 0}))
    answers = {}

    def send(sequence):
        answers[sequence] = photo.preview(slow, sequence, width=1024, height=768)

    for attempt in range(6):
        first = attempt * 10
        threads = [threading.Thread(target=send, args=(first + n,)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        statuses = [answers[first + n].status for n in range(1, 5)]
        assert 200 in statuses, statuses
        assert set(statuses) <= {200, 409, 503}, statuses
        if 409 in statuses:
            break
    refused = [answer for answer in answers.values() if answer.status == 409]
    assert refused, "no preview was superseded"
    equal(refused[0].word, "superseded", "word")


@test("save commits what the command line shows, and answers with a job")
def _(work):
    photo = Photo(work)
    equal(photo.begin()["graph"]["nodes"], [], "graph of an unedited photo")
    result = photo.saved()
    equal(result["graph"]["nodes"][0]["params"]["ev"], 0.5, "result")
    shown = work.json("show", photo.photo)
    equal(shown["graph"]["nodes"], result["graph"]["nodes"], "stored graph")
    equal(photo.client.get("/api/jobs/none").status, 404, "a job that does not exist")
    job = photo.save(graph(("sepia", {"amount": 1}))).json()
    equal(photo.client.finish(Answer(202, {}, json.dumps(job).encode()))["state"], "done", "again")
    assert photo.client.delete(f"/api/jobs/{job['job']}").status == 204


@test("clients that wait for a job get its state when the server ends")
def _(work):
    photo = Photo(work)
    photo.begin()
    slow = {"patch": 5, "search": 21, "h": 0.1, "sigma": 0}
    job = photo.save(graph(*[("denoiseNLM", slow)] * 6)).json()
    answers = []

    def wait():
        try:
            answers.append(photo.client.get(f"/api/jobs/{job['job']}?wait=1"))
        except OSError as error:
            answers.append(error)

    # As many as may wait, and one that gets the state at once when all others wait.
    threads = [threading.Thread(target=wait) for _ in range(33)]
    for thread in threads:
        thread.start()
    until(lambda: answers, "the state for one of them")
    equal(len(answers), 1, "answers before the end")
    photo.server.process.send_signal(signal.SIGTERM)
    for thread in threads:
        thread.join()
    equal({str(answer.json()["state"]) for answer in answers}, {"running"}, "states")


@test("a write without If-Match, or with an older one, changes nothing")
def _(work):
    photo = Photo(work)
    photo.begin()
    old = photo.session["revision"]
    photo.saved()
    for path, body in ((f"{photo.path}/save", {"graph": EXPOSURE}),
                       *((f"/api/assets/{photo.asset}/{name}", {})
                         for name in ("revert", "undo", "redo"))):
        equal(photo.client.post(path, body).status, 428, f"{path} without If-Match")
        stale = photo.client.post(path, body, headers={"If-Match": f'"{old}"'})
        equal((stale.status, stale.word), (412, "stale-edit"), path)
        equal(stale.json()["state"]["revision"], photo.session["revision"], "current state")
    equal(len(work.json("history", photo.photo)["states"]), 2, "states")


@test("of two saves with the same ETag exactly one is carried out")
def _(work):
    photo = Photo(work)
    photo.begin()
    jobs = []

    def send(amount):
        answer = photo.save(graph(("sepia", {"amount": amount})))
        jobs.append(photo.client.finish(answer)["state"] if answer.status == 202 else answer.status)

    threads = [threading.Thread(target=send, args=(amount,)) for amount in (0.2, 0.4, 0.6, 0.8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(jobs.count("done"), 1, f"outcomes {jobs}")
    equal(len(work.json("history", photo.photo)["states"]), 2, "states")


@test("a change by the command line makes the ETag stale")
def _(work):
    photo = Photo(work)
    photo.begin()
    work.run("apply", "--filter", "sepia", photo.photo)
    answer = photo.save()
    equal(answer.status, 412, "save")
    equal(answer.json()["state"]["graph"]["nodes"][0]["filter"], "sepia", "their graph")


@test("revert, undo and redo move through the journal with its values")
def _(work):
    photo = Photo(work)
    photo.begin()
    photo.saved()
    photo.saved(graph(("exposure", {"ev": 1, "black": 0})))

    def change(name, steps=None):
        answer = photo.client.post(f"/api/assets/{photo.asset}/{name}",
                                   {"steps": steps} if steps else {},
                                   headers={"If-Match": f'"{photo.session["revision"]}"'})
        if answer.status == 200:
            photo.session["revision"] = answer.json()["revision"]
        return answer

    history = photo.client.get(f"/api/assets/{photo.asset}/history").json()
    equal([state["n"] for state in history["states"]], [0, 1, 2], "states")
    values = [(c["filter"], c["key"], c["from"], c["to"])
              for c in history["states"][2]["changes"]]
    equal(values, [("exposure", "ev", 0.5, 1)], "values")
    equal(change("undo", 3).status, 409, "more steps than states")
    equal(change("undo", 2).status, 200, "undo")
    equal(work.json("show", photo.photo)["edited"], False, "edited")
    equal(change("undo").status, 409, "undo without a state")
    equal(change("redo", 2).status, 200, "redo")
    equal(change("redo").status, 409, "redo without a state")
    equal(work.json("show", photo.photo)["graph"]["nodes"][0]["params"]["ev"], 1, "after redo")
    equal(change("revert").status, 200, "revert")
    equal(work.json("show", photo.photo)["edited"], False, "reverted")


@test("a draft is kept for the next session and readable by its owner alone")
def _(work):
    photo = Photo(work)
    photo.begin()
    equal(photo.client.put(f"{photo.path}/draft", {"graph": EXPOSURE}).status, 204, "draft")
    equal(photo.client.delete(f"{photo.path}?draft=keep").status, 204, "end")
    equal(photo.client.get(f"{photo.path}/statistics/p1").status, 404, "the session has ended")
    draft = photo.begin()["draft"]["graph"]
    equal(draft["nodes"][0]["params"]["ev"], 0.5, "draft")
    files = [path for path in (work.path / "state").rglob("drafts/*") if path.is_file()]
    equal([path.stat().st_mode & 0o077 for path in files], [0], "mode")
    equal(photo.client.delete(f"{photo.path}?draft=discard").status, 204, "discard")
    equal(photo.begin()["draft"], None, "after discarding")
    equal(photo.client.delete(f"{photo.path}?draft=perhaps").status, 400, "draft=perhaps")


@test("a file for a filter is sent, kept with the draft, and saved as the command line saves it")
def _(work):
    cube = work.path / "warm.cube"
    work.run("bake", "--filter", "sepia", "-o", cube)
    twin = work.photo(to="twin.jpg")
    work.run("apply", "--filter", f"lut3d:file={cube}", twin)
    expected = work.json("show", twin)["graph"]
    photo = Photo(work)
    photo.begin()
    raw_type = {"Content-Type": "application/octet-stream"}

    def send(body, name="warm.cube"):
        return photo.client.put(f"/api/uploads/{name}", body, headers=raw_type).json()["upload"]

    def attach(upload, name="lut3d", edit=graph()):
        return photo.client.post(f"{photo.path}/attachments",
                                 {"upload": upload, "filter": name, "graph": edit})

    added = attach(send(cube.read_bytes()))
    equal(added.status, 201, added.body[:200])
    equal(added.json(), {"asset": "warm", "assets": expected["assets"]}, "attachment")
    edit = {**graph(), "nodes": expected["nodes"], "assets": added.json()["assets"]}
    equal(attach(send(cube.read_bytes(), "again.cube"), edit=edit).json(), added.json(), "once")
    small = b"LUT_3D_SIZE 2\n" + b"0 0 0\n" * 8
    two = attach(send(small), edit=edit).json()
    equal((two["asset"], sorted(two["assets"])), ("warm-2", ["warm", "warm-2"]), "another file")
    equal("data" in two["assets"]["warm-2"], True, "a small file is embedded")
    for answer, status in ((attach(send(b"no table")), 422), (attach("none"), 404),
                           (attach(send(small), "exposure"), 400),
                           (attach(send(b"x" * ((16 << 20) + 1))), 413)):
        equal(answer.status, status, answer.body[:200])
    assert str(work.path).encode() not in attach(send(b"no table")).body, "a path is in the answer"
    rendered = photo.preview(edit)
    equal(rendered.status, 200, rendered.body[:200])
    assert rendered.body != photo.preview(graph()).body, "the file has no effect"
    equal(photo.client.put(f"{photo.path}/draft", {"graph": edit}).status, 204, "draft")
    equal(photo.client.post("/api/editing/none/attachments", {}).status, 404, "no session")

    photo.server.kill()
    photo.server = work.serve(photo.photo)
    photo.client = API(photo.server)
    photo.asset = photo.client.get("/api/service").json()["asset"]
    edit = photo.begin()["draft"]["graph"]
    equal(photo.preview(edit).body, rendered.body, "preview of the draft after a crash")
    photo.saved(edit)
    stored = work.json("show", photo.photo)["graph"]
    equal((stored["nodes"], stored["assets"]), (expected["nodes"], expected["assets"]), "graph")
    equal(photo.photo.with_suffix(".edited.jpg").read_bytes(),
          twin.with_suffix(".edited.jpg").read_bytes(), "rendering")
    left = [path for path in (work.path / "state").rglob("drafts/**/*") if path.is_file()]
    equal(left, [], "files of drafts")
    cube.unlink()
    equal(photo.client.put("/api/presets/warm", {"graph": edit}).status, 201, "preset")
    other = Photo(work, name="photo-portrait.jpg")
    other.begin()
    equal(other.preview(edit).status, 200, "a file of a preset")
    presets = next((work.path / "home").rglob("presets"))
    equal(len(list(presets.iterdir())), 2, "files of the preset")
    work.run("apply", "--preset", presets / "warm.json", other.photo)
    equal(work.json("show", other.photo)["graph"]["assets"], expected["assets"], "by its preset")
    equal(photo.client.delete("/api/presets/warm").status, 204, "delete the preset")
    equal(list(presets.iterdir()), [], "files of the preset")
    photo.saved(graph(("exposure", {"ev": 1, "black": 0})))
    equal(photo.preview(edit).body, rendered.body, "an earlier state of the history")
    work.run("undo", photo.photo)
    equal(work.json("show", photo.photo)["graph"]["assets"], expected["assets"], "after undo")


@test("what does not exist is 404")
def _(work):
    photo = Photo(work)
    tag = {"If-Match": '"r0"'}
    for method, path, body in (
        ("POST", "/api/assets/none/editing", {}), ("GET", "/api/assets/none/history", None),
        ("POST", "/api/assets/none/revert", {}), ("POST", "/api/assets/none/undo", {}),
        ("POST", "/api/assets/none/redo", {}), ("DELETE", "/api/jobs/none", None),
        ("POST", "/api/editing/none/save", {"graph": EXPOSURE}),
        ("PUT", "/api/editing/none/draft", {"graph": EXPOSURE}),
        ("POST", "/api/editing/none/preview",
         {"graph": EXPOSURE, "width": 9, "height": 9, "sequence": 1, "purpose": "still"}),
        ("DELETE", "/api/editing/none", None), ("GET", "/api/nothing", None),
        ("GET", "/web/nothing.js", None),
    ):
        answer = photo.client.request(method, path, body, headers=dict(tag))
        equal(answer.status, 404, f"{method} {path}: {answer.body[:120]}")


@test("a photo whose bytes are damaged is a problem and not the end of the server")
def _(work):
    photo = Photo(work)
    photo.photo.write_bytes(photo.photo.read_bytes()[:300])
    answer = photo.client.post(f"/api/assets/{photo.asset}/editing")
    assert answer.status in (409, 422), answer.body[:200]
    equal(photo.client.get("/api/service").status, 200, "service after that")


@test("photoedit serve becomes the server, and without it ends with 69 and a sentence")
def _(work):
    photo = work.photo()
    server = work.serve(photo, name="photoedit")
    equal(API(server).get("/api/service").status, 200, "service")
    running = pathlib.Path(f"/proc/{server.process.pid}/exe").resolve()
    equal(running.name, "photoedit-serve", "program of the process")
    alone = work.folder("alone") / "photoedit"
    shutil.copy(program("photoedit"), alone)
    done = subprocess.run([alone, "serve", photo, "--no-open"], env=work.environment,
                          capture_output=True, text=True)
    equal(done.returncode, 69, done.stderr)
    assert f"{alone}-serve: is missing" in done.stderr, done.stderr
    assert "install photoedit again" in done.stderr, done.stderr
    equal(done.stdout, "", "standard output")


@test("a read-only server has no writing route")
def _(work):
    photo = Photo(work, "--read-only")
    equal(photo.client.get("/api/service").json()["readOnly"], True, "readOnly")
    photo.begin()
    equal(photo.preview().status, 200, "preview")
    for answer in (photo.save(), photo.client.put(f"{photo.path}/draft", {"graph": EXPOSURE}),
                   photo.client.post(f"/api/assets/{photo.asset}/revert", {},
                                     headers={"If-Match": '"r0"'})):
        assert answer.status in (403, 404, 405), answer.status
    equal(photo.photo.with_suffix(".edited.jpg").exists(), False, "nothing was written")


class Served:
    """A served library with a client."""

    def __init__(self, work, *options, photos=("photo-1024.jpg", "photo-landscape.jpg")):
        self.path = work.path / "library"
        work.run("library", "create", self.path)
        work.run("asset", "import", "-L", self.path, *(work.photo(name) for name in photos))
        self.server = work.serve("--library", self.path, *options)
        self.client = API(self.server)
        self.open()

    def open(self, **more):
        answer = self.client.post("/api/views", {"source": "all", "sections": "none", **more})
        equal(answer.status, 201, answer.body[:200])
        self.view = answer.json()
        items = self.client.get(f"{self.name}/items?at={self.view['token']}&from=0&count=500")
        self.items = items.json()["items"]
        return self.view

    @property
    def name(self):
        return f"/api/views/{self.view['view']}"

    @property
    def ids(self):
        return [item["id"] for item in self.items]

    def change(self, method, path, body=None, **headers):
        return self.client.request(method, path, body, headers=headers)


@test("a view has shapes and items, and refuses an older token")
def _(work):
    served = Served(work)
    shapes = served.client.get(f"{served.name}/shapes?at={served.view['token']}")
    equal(list(shapes.body), [142, 142], "one byte for each asset: 48 ln(4/3) above 128")
    at = f"at={served.view['token']}"
    equal(served.client.get(f"{served.name}/items?{at}&from=9&count=1").status, 416, "outside")
    for part in ("shapes?at=v9-9", "items?at=v9-9&from=0&count=1"):
        answer = served.client.get(f"{served.name}/{part}")
        equal((answer.status, answer.word), (409, "stale-view"), part)
    place = served.client.get(f"{served.name}/index?asset={served.ids[1]}").json()["index"]
    equal(place, 1, "index")
    equal(served.client.get(f"{served.name}/index?asset=none").status, 404, "index of none")
    wrong = served.client.post("/api/views", {"source": "all", "predicate": "favorite == "})
    equal(wrong.status, 400, "predicate")
    assert wrong.json()["position"] > 0, wrong.body
    equal(served.client.post("/api/views", {"source": "album:none"}).status, 404, "no album")
    equal(served.client.delete(served.name).status, 204, "close")
    for method, part in (("GET", "/shapes?at=x"), ("GET", "/items?at=x&from=0&count=1"),
                         ("GET", "/index?asset=x"), ("DELETE", "")):
        equal(served.client.request(method, served.name + part).status, 404, part)


@test("an image has the size asked for, and files have ranges of bytes")
def _(work):
    served = Served(work)
    item = served.items[0]
    address = f"/api/assets/{item['id']}/picture/{item['picture']}?w=256&h=256&fit=inside"
    image = served.client.get(address)
    equal((image.status, image.body[:3]), (200, b"\xff\xd8\xff"), "image")
    equal(served.client.get(f"/api/assets/{item['id']}/picture/0").status, 404, "digest")
    path = f"/api/assets/{item['id']}/file?version=original"
    whole = served.client.get(path)
    equal(whole.status, 200, "file")
    assert whole.headers["Content-Disposition"].startswith("attachment"), "attachment"
    for field, status, body in (
        ("bytes=0-9", 206, whole.body[:10]), ("bytes=10-", 206, whole.body[10:]),
        ("bytes=-7", 206, whole.body[-7:]), ("bytes=99999999-", 416, None),
        ("bytes=0-1,4-5", 200, whole.body),
    ):
        answer = served.client.get(path, headers={"Range": field})
        equal(answer.status, status, field)
        if body is not None:
            equal(answer.body == body, True, f"bytes of {field}")
    for path in ("/api/assets/none/file", "/api/assets/none/movie", "/api/assets/none",
                 "/api/assets/none/info", "/api/assets/none/picture/0"):
        equal(served.client.get(path).status, 404, path)


@test("properties change with If-Match, and the command line sees them")
def _(work):
    served = Served(work)
    path = f"/api/assets/{served.ids[0]}"
    tag = served.client.get(path).headers["ETag"]
    equal(served.change("PATCH", path, {"favorite": True}).status, 428, "without If-Match")
    answer = served.change("PATCH", path, {"favorite": True}, **{"If-Match": tag})
    equal(answer.status, 200, answer.body[:200])
    stale = served.change("PATCH", path, {"favorite": False}, **{"If-Match": tag})
    equal((stale.status, stale.word), (412, "stale-edit"), "older ETag")
    listed = [json.loads(line) for line in work.run(
        "asset", "list", "-L", served.path, "--json").splitlines()]
    equal([asset["favorite"] for asset in listed if served.ids[0] in asset["identifier"]],
          [True], "favorite")
    changes = {"keywords": ["Trips/Lisbon", "sea"], "people": ["Ann"], "rating": 4,
               "label": "green", "caption": "B"}
    changed = served.change("PATCH", path, changes, **{"If-Match": "*"})
    equal(changed.status, 200, changed.body[:200])
    shown = work.json("asset", "show", "-L", served.path, served.ids[0])
    for name in (*changes, "place", "camera", "lens", "iso", "fNumber", "focalLength", "fileSize",
                 "localDate", "regions"):
        equal(changed.json()[name], shown[name], name)
        equal(shown[name], changes.get(name, shown[name]), name)
    for refused in ({"rating": 6}, {"label": "pink"}, {"keywords": [""]}, {"people": "Ann"}):
        answer = served.change("PATCH", path, refused, **{"If-Match": "*"})
        equal(answer.status, 400, f"{refused}: {answer.body[:200]}")
    missing = served.change("PATCH", "/api/assets/none", {"favorite": True}, **{"If-Match": "*"})
    equal(missing.status, 404, "no such asset")
    info = served.client.get(f"{path}/info").json()
    assert info["width"] > 0 and "losses" in info, info


@test("albums, the trash and their problems")
def _(work):
    served = Served(work)
    made = served.client.post("/api/albums", {"title": "Lisbon"})
    equal(made.status, 201, "create")
    album = f"/api/albums/{made.json()['id']}"
    members = f"{album}/members"
    equal(served.client.post(members, {"add": served.ids}).status, 200, "add")
    move = {"move": {"ids": [served.ids[1]], "before": served.ids[0]}}
    equal(served.client.post(members, move).status, 200, "move")
    order = served.client.post("/api/views", {"source": f"album:{made.json()['id']}"}).json()
    items = served.client.get(
        f"/api/views/{order['view']}/items?at={order['token']}&from=0&count=9").json()["items"]
    equal([item["id"] for item in items], served.ids[::-1], "order")
    equal(served.client.post(members, {"remove": served.ids[:1]}).status, 200, "remove")
    equal(served.client.get("/api/albums").json()["albums"][0]["count"], 1, "count")
    equal(served.change("PATCH", album, {"title": "Lisboa"}).status, 204, "rename")
    for answer in (served.client.post("/api/albums/none/members", {"add": served.ids}),
                   served.change("PATCH", "/api/albums/none", {"title": "x"}),
                   served.client.delete("/api/albums/none"),
                   served.client.post("/api/trash", {"ids": ["none"]}),
                   served.client.post("/api/restore", {"ids": ["none"]}),
                   served.client.post("/api/purge", {"ids": ["none"]})):
        assert answer.status in (400, 404), answer.body[:200]
    equal(served.client.delete(album).status, 204, "delete")
    equal(served.client.post("/api/trash", {"ids": served.ids[:1]}).status, 200, "trash")
    equal(served.open()["count"], 1, "after the trash")
    trashed = trash(served)[0]
    view = served.client.post("/api/views", {"source": "trash"}).json()["view"]
    found = served.client.get(f"/api/views/{view}/index?asset={trashed}")
    equal((found.status, found.json().get("index")), (200, 0), "the index of a photo of the trash")
    equal(served.client.post("/api/restore", {"ids": trash(served)}).status, 200, "restore")
    equal(served.open()["count"], 2, "after restoring")
    equal(served.client.post("/api/purge", {"ids": served.ids[:1]}).status, 404, "not in the trash")
    equal(served.client.post("/api/trash", {"ids": served.ids[:1]}).status, 200, "trash again")
    equal(served.client.post("/api/purge", {"ids": served.ids[:1]}).status, 200, "purge")
    equal(trash(served), [], "trash after the purge")
    equal(served.open()["count"], 1, "after the purge")


@test("settings of the page are kept for the next server, bounded, and not changed by a read-only one")
def _(work):
    photo = Photo(work)
    client = photo.client
    equal(client.get("/api/settings").json(), {"settings": {}}, "none yet")
    given = {"theme": "light", "section.Black & white": True, "ownRatios": [["2", "2 : 1"]], "tileSize": 2}
    equal(client.put("/api/settings", {"settings": given}).status, 204, "stored")
    equal(client.put("/api/settings", {"settings": {"theme": None, "language": "de"}}).status, 204, "changed")
    given = {**{name: value for name, value in given.items() if name != "theme"}, "language": "de"}
    equal(client.get("/api/settings").json(), {"settings": given}, "after the change")
    file = work.path / "state/photoedit/page.json"
    equal(oct(file.stat().st_mode & 0o777), "0o600", "the mode of the file")
    for wrong in ({}, {"settings": 1}, {"settings": {"": 1}}, {"settings": {"a/b": 1}}, {"settings": {"a" * 65: 1}},
                  {"settings": {"a": "x" * 5000}}, {"settings": {f"a{n}": n for n in range(257)}},
                  {"settings": {f"a{n}": "x" * 1000 for n in range(100)}}, {"settings": {"a": 1}, "b": 2}):
        answer = client.put("/api/settings", wrong)
        equal((answer.status, answer.word), (400, "bad-request"), f"{str(wrong)[:60]}")
    equal(client.get("/api/settings").json(), {"settings": given}, "after what was refused")
    photo.server.kill()
    other = API(work.serve(work.photo("jpeg-444.jpg"), "--read-only"))
    equal(other.get("/api/settings").json(), {"settings": given}, "on another server")
    equal(other.put("/api/settings", {"settings": {"theme": "dark"}}).status, 405, "with --read-only")
    equal(other.get("/api/settings").json(), {"settings": given}, "with --read-only")
    # Settings that somebody damaged are none.
    file.write_text("{")
    equal(other.get("/api/settings").json(), {"settings": {}}, "a damaged file")


@test("the trim of a video begins at a key frame")
def _(work):
    from library import clip
    folder = work.folder("videos")
    clip(work, "short.mp4", seconds=3)
    # Each second has a key frame.
    subprocess.run(["ffmpeg", "-v", "error", "-i", work.path / "short.mp4", "-g", "25", "-sc_threshold", "0",
                    folder / "clip.mp4"], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-i", folder / "clip.mp4", "-c", "copy", folder / "clip.mkv"], check=True)
    work.photo("jpeg-444.jpg", to="videos/photo.jpg")
    client = API(work.serve(folder))
    view = client.post("/api/views", {}).json()
    items = client.get(f"/api/views/{view['view']}/items?from=0&count=9").json()["items"]
    ids = {item["title"]: item["id"] for item in items}

    def trim(name, query):
        return client.get(f"/api/assets/{ids[name]}/trim?{query}")

    for start, kept in ((0, 0), (0.9, 0), (1, 1), (1.7, 1), (2.5, 2)):
        found = trim("clip.mp4", f"start={start}").json()
        equal((round(found["start"], 3), round(found["end"], 3)), (kept, 3), f"from {start}")
    found = trim("clip.mp4", "start=1.5&end=2.2").json()
    equal((round(found["start"], 3), round(found["end"], 3)), (1, 2.2), "with an end")
    equal(trim("clip.mkv", "start=1").json(), {"start": None, "end": None}, "only packets tell")
    equal(trim("clip.mp4", "start=7").status, 422, "after the end")
    equal(trim("clip.mp4", "start=2&end=1").status, 422, "an end before the start")
    for wrong in ("start=-1", "start=x", "start=nan", "end=1e99"):
        equal(trim("clip.mp4", wrong).status, 400, wrong)
    equal(trim("photo.jpg", "start=1").status, 404, "a photo")


@test("words and terms are searched, and every example of the vocabulary is valid")
def _(work):
    served = Served(work)
    words = served.client.get("/api/search").json()
    for list_name, member in (("terms", "search"), ("conditions", "predicate")):
        for word in words[list_name]:
            answer = served.client.post("/api/views", {member: word["example"]})
            equal(answer.status, 201, f"{word['example']}: {answer.body[:200]}")
    equal(served.client.post("/api/views", {"search": "photo"}).json()["count"], 2, "a word")
    unknown = served.client.post("/api/views", {"search": "-camara:red"})
    equal((unknown.status, unknown.json()["term"]), (400, "camara:red"), "an unknown key")
    assert {"camera:", "is:"} <= set(unknown.json()["allowed"]), unknown.json()
    unknown = served.client.post("/api/views", {"search": "photo is:red"})
    equal(unknown.json()["term"], "is:red", "an unknown property")
    assert {"is:edited", "is:live"} <= set(unknown.json()["allowed"]), unknown.json()
    # What is proposed in place of an invalid value is valid.
    for search in ("boat rating:many", "date:2019-13", "added:soon", "camera:", "2020..2019", "?!"):
        other = served.client.post("/api/views", {"search": search}).json()
        equal((other["status"], other["term"]), (400, search.removeprefix("boat ")), "an invalid value")
        for term in other["allowed"]:
            equal(served.client.post("/api/views", {"search": term}).status, 201, term)


@test("a measurement proposes filters for a graph")
def _(work):
    photo = Photo(work)
    photo.begin()
    path = f"{photo.path}/auto"
    found = photo.client.post(path, {"graph": EXPOSURE})
    equal(found.status, 200, found.body[:200])
    equal(found.json()["graph"]["nodes"][0]["filter"], "exposure", "the node before")
    equal(photo.client.post(path, {"graph": {}}).status, 422, "no graph")
    equal(photo.client.post("/api/editing/none/auto", {"graph": EXPOSURE}).status, 404, "no session")


@test("what needs a library is refused for a single photo")
def _(work):
    photo = Photo(work)
    for method, path, body in (
        ("POST", "/api/albums", {"title": "x"}), ("PATCH", "/api/albums/x", {"title": "x"}),
        ("DELETE", "/api/albums/x", None), ("POST", "/api/albums/x/members", {"add": ["x"]}),
        ("POST", "/api/trash", {"ids": ["x"]}), ("POST", "/api/restore", {"ids": ["x"]}),
        ("POST", "/api/purge", {"ids": ["x"]}), ("PATCH", f"/api/assets/{photo.asset}", {"favorite": True}),
        ("POST", "/api/imports", {"root": "x"}), ("POST", "/api/exports", {"ids": ["x"]}),
    ):
        answer = photo.client.request(method, path, body, headers={"If-Match": "*"})
        equal((answer.status, answer.word), (409, "not-editable"), f"{method} {path}")
    equal(photo.client.get("/api/changes?since=x").status, 404, "changes")


def trash(served):
    view = served.client.post("/api/views", {"source": "trash"}).json()
    items = served.client.get(
        f"/api/views/{view['view']}/items?at={view['token']}&from=0&count=9").json()["items"]
    return [item["id"] for item in items]


@test("a batch is planned, then run; presets have names and nothing else")
def _(work):
    served = Served(work)
    equal(served.client.put("/api/presets/warm", {"graph": EXPOSURE}).status, 201, "new preset")
    equal(served.client.put("/api/presets/warm", {"graph": EXPOSURE}).status, 200, "again")
    equal([preset["name"] for preset in served.client.get("/api/presets").json()["presets"]],
          ["warm"], "presets")
    equal(served.client.put("/api/presets/x", {"graph": {}}).status, 422, "no graph")
    assert served.client.put("/api/presets/..%2Fx", {"graph": EXPOSURE}).status in (400, 404, 422)
    job = served.client.finish(
        served.client.post("/api/batches", {"ids": served.ids, "preset": "warm"}))
    plan = job["result"]
    equal([row["effect"] for row in plan["rows"]], ["first", "first"], "effects")
    ran = served.client.finish(served.client.post(
        f"/api/batches/{plan['plan']}/run", {"ids": served.ids[:1]}))
    equal([row["outcome"] for row in ran["result"]["results"]], ["applied"], "outcome")
    assert "revision" in ran["result"]["results"][0], ran
    again = served.client.finish(served.client.post(
        "/api/batches", {"ids": served.ids[:1], "preset": "warm", "mode": "replace"}))["result"]
    ran = served.client.finish(served.client.post(f"/api/batches/{again['plan']}/run", {}))
    # There is nothing to undo for a photo that has the edit already.
    equal(ran["result"]["results"], [{"id": served.ids[0], "outcome": "applied"}], "repeated")
    edited = [work.json("show", "-L", served.path, name)["edited"] for name in served.ids]
    equal(edited, [True, False], "edited")
    for answer in (served.client.post("/api/batches/none/run", {}),
                   served.client.post("/api/batches", {"ids": served.ids, "preset": "none"}),
                   served.client.delete("/api/presets/none")):
        equal(answer.status, 404, answer.body[:200])
    bad = served.client.post("/api/batches", {"ids": served.ids, "graph": {}})
    equal(bad.status, 422, "graph")
    equal(served.client.delete("/api/presets/warm").status, 204, "delete")


@test("an edit with a file is copied to other photos with the file")
def _(work):
    served = Served(work)
    work.run("bake", "--filter", "sepia", "-o", work.path / "warm.cube")
    work.run("apply", "-L", served.path, "--filter", "lut3d:file=warm.cube", served.ids[0])
    (work.path / "warm.cube").unlink()
    edit = work.json("show", "-L", served.path, served.ids[0])["graph"]
    batch = {"ids": served.ids[1:], "graph": edit}
    equal(served.client.post("/api/batches", batch).status, 422, "without the photo")
    planned = served.client.finish(
        served.client.post("/api/batches", {**batch, "from": served.ids[0]}))["result"]
    ran = served.client.finish(
        served.client.post(f"/api/batches/{planned['plan']}/run", {"ids": served.ids[1:]}))
    equal([result["outcome"] for result in ran["result"]["results"]], ["applied"], "outcome")
    equal(work.json("show", "-L", served.path, served.ids[1])["graph"]["assets"], edit["assets"],
          "attachments")


@test("files are sent, planned and imported; photos are exported into a folder")
def _(work):
    card, out = work.folder("card"), work.folder("out")
    served = Served(work, "--import-from", card, "--export-to", out)
    client = served.client
    service = client.get("/api/service").json()
    equal(service["roots"], {"import": ["card"], "export": ["out"]}, "roots")
    photo = work.photo("jpeg-progressive.jpg", to="card/new.jpg")
    work.photo("photo-1024.jpg", to="card/known.jpg")
    (card / "notes.txt").write_text("no photo")
    raw_type = {"Content-Type": "application/octet-stream"}
    sent = client.put("/api/uploads/sent%20%C3%A9.jpg", photo.read_bytes() + b"1" * 600_000,
                      headers=raw_type)
    equal((sent.status, sent.json()["name"]), (201, "sent é.jpg"), "upload in several parts")
    plan = client.finish(client.post("/api/imports", {"uploads": [sent.json()["upload"]]}))
    group = plan["result"]["groups"][0]
    equal((group["files"], group["kind"]), (["sent é.jpg"], "photo"), "group of the upload")
    where = f"/api/imports/{plan['result']['plan']}"
    unused = client.put("/api/uploads/unused.jpg", b"x", headers=raw_type).json()["upload"]
    equal([client.delete(f"/api/uploads/{unused}").status for _ in range(2)], [204, 404],
          "a sent file is removed")
    image = client.get(f"{where}/picture/{group['key']}")
    equal((image.status, image.body[:3]), (200, b"\xff\xd8\xff"), "thumbnail")
    equal(client.get(f"{where}/picture/none").status, 404, "no such group")
    ran = client.finish(client.post(f"{where}/run", {"groups": [group["key"]]}))
    equal(ran["result"]["assets"], 1, "assets")
    plan = client.finish(client.post("/api/imports", {"root": "card"}))["result"]
    equal({group["files"][0]: group["kind"] for group in plan["groups"]},
          {"new.jpg": "photo", "known.jpg": "duplicate", "notes.txt": "rejected"}, "groups")
    assert str(work.path) not in json.dumps(plan), "a path is in the answer"
    where = f"/api/imports/{plan['plan']}"
    equal(client.post(f"{where}/run", {"groups": []}).status, 400, "no groups")
    (card / "new.jpg").write_bytes(b"damaged")
    key = next(group["key"] for group in plan["groups"] if group["files"] == ["new.jpg"])
    equal(client.get(f"{where}/picture/{key}").status, 409, "thumbnail of damaged bytes")
    equal(client.delete(where).status, 204, "discard")
    for answer in (client.delete(where), client.get(f"{where}/picture/{key}"),
                   client.post(f"{where}/run", {"groups": [key]}),
                   client.post("/api/imports", {"root": "out"}),
                   client.post("/api/imports", {"uploads": ["none"]}),
                   client.post("/api/exports", {"ids": served.ids, "root": "card"}),
                   client.post("/api/exports", {"ids": ["none"], "root": "out"})):
        equal(answer.status, 404, answer.body[:200])
    both = client.post("/api/imports", {"root": "card", "uploads": ["x"]})
    equal(both.status, 400, "two sources")
    for name, body, headers, status in (
        (".hidden", b"x", raw_type, 400), ("a.jpg", b"x", {"Content-Type": "text/plain"}, 415),
        ("a.jpg", b"", raw_type, 400),
        ("a.jpg", b"x", {**raw_type, "Content-Length": str(5 << 30)}, 413),
    ):
        answer = client.put(f"/api/uploads/{name}", body, headers=headers)
        equal(answer.status, status, f"{name}: {answer.body[:120]}")
    chunked = [("Host", f"{served.server.host}:{served.server.port}"), ("X-Photoedit", "1"),
               ("Cookie", client.cookie), ("Content-Type", "application/octet-stream"),
               ("Transfer-Encoding", "chunked")]
    equal(raw(served.server, "PUT", "/api/uploads/a.jpg", chunked, length=None).status, 411,
          "no length")
    exported = client.finish(client.post("/api/exports", {"ids": served.ids, "root": "out"}))
    equal(sorted(path.name for path in out.iterdir()), ["photo-1024.jpg", "photo-landscape.jpg"],
          "exported files")
    equal(exported["result"]["count"], 2, "count")
    served.change("PATCH", f"/api/assets/{served.ids[0]}", {"title": "Lisbon"}, **{"If-Match": "*"})
    plain = {path.name: path.read_bytes() for path in out.iterdir()}
    for metadata, differ in ((False, 0), (True, 1)):
        job = client.finish(client.post("/api/exports", {
            "ids": served.ids, "root": "out", "replace": True, "metadata": metadata}))
        changed = [path for path in out.iterdir() if path.read_bytes() != plain[path.name]]
        equal(len(changed), differ, f"files with metadata: {metadata}")
    assert b"Lisbon" in changed[0].read_bytes(), "the title is in the copy"
    equal(job["result"]["notes"], [], "notes")
    client.finish(client.post("/api/exports", {
        "ids": served.ids, "root": "out", "replace": True, "fit": 100, "onlyCopyright": True}))
    assert b"Lisbon" not in changed[0].read_bytes(), "the title is in the copy without metadata"
    equal(client.post("/api/exports", {
        "ids": served.ids, "root": "out", "fit": 100, "version": "all"}).status, 400, "originals")
    for answer in (client.post("/api/exports", {"ids": [], "root": "out"}),
                   client.post("/api/exports", {"ids": served.ids, "root": "out", "quality": 80}),
                   client.post("/api/exports", {"ids": served.ids, "root": "out", "strip": "all"}),
                   client.post("/api/exports", {"ids": served.ids, "root": "out", "version": "x"})):
        equal(answer.status, 400, answer.body[:200])


@test("several photos are sent as one ZIP file")
def _(work):
    served = Served(work)
    begun = served.client.post("/api/downloads", {"ids": served.ids, "version": "original"})
    equal(begun.status, 201, begun.body[:200])
    equal(begun.json()["count"], len(served.ids), "count")
    for _attempt in range(2):
        sent = served.client.get(f"/api/downloads/{begun.json()['download']}")
        equal(sent.status, 200, sent.body[:200])
        with zipfile.ZipFile(io.BytesIO(sent.body)) as files:
            equal(files.testzip(), None, "a damaged entry")
            equal(len(files.namelist()), len(served.ids), "files")
    copies = served.client.post("/api/downloads", {"ids": served.ids, "side": 64}).json()
    sent = served.client.get(f"/api/downloads/{copies['download']}")
    with zipfile.ZipFile(io.BytesIO(sent.body)) as files:
        equal(files.testzip(), None, "a damaged entry")
        equal(len(files.namelist()), len(served.ids), "copies")
        assert all(name.endswith("-64.jpg") for name in files.namelist()), files.namelist()
    equal(served.client.post("/api/downloads", {"ids": served.ids, "side": 0}).status, 400, "no side")
    equal(served.client.get("/api/downloads/none").status, 404, "an unknown download")
    equal(served.client.post("/api/downloads", {"ids": ["none"]}).status, 404, "an unknown photo")
    equal(served.client.post("/api/downloads", {"ids": []}).status, 400, "no photos")


@test("events name the commit, and a new stream continues after it")
def _(work):
    served = Served(work)
    token = served.client.get("/api/service").json()["token"]
    equal(served.client.get(f"/api/changes?since={token}").status, 200, "changes")
    assert served.client.get("/api/changes?since=wrong").status in (400, 404, 410)

    def events(after, count):
        connection = http.client.HTTPConnection(served.server.host, served.server.port, timeout=30)
        connection.request("GET", f"/api/events?views={served.view['view']}&after={after}",
                           headers={"Cookie": served.client.cookie})
        response = connection.getresponse()
        record("GET", "/api/events", response.status)
        equal(response.headers["Content-Type"].split(";")[0], "text/event-stream", "type")
        found, fields = [], {}
        while len(found) < count:
            line = response.readline().decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "event" in fields:
                found.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
                fields = {}
        connection.close()
        return found

    work.run("asset", "import", "-L", served.path, work.photo("photo-portrait.jpg"))
    first = events(token, 2)
    equal([name for name, _, _ in first], ["view", "commit"], "order of the events")
    equal([index for index, _ in first[0][2]["inserted"]], [0], "inserted index")
    equal(first[0][2]["count"], 3, "count")
    identifier = first[1][1]
    equal(first[1][2]["token"], identifier, "the id is the token")
    work.run("asset", "import", "-L", served.path, work.photo("jpeg-422.jpg"))
    second = events(identifier, 2)
    equal(second[0][2]["from"], first[0][2]["to"], "the second view continues the first")
    again = events(token, 4)
    equal([event[2].get("to") for event in again if event[0] == "view"],
          [first[0][2]["to"], second[0][2]["to"]], "both are delivered again")


@test("every documented route answered with every documented status")
def _(_work):
    missing = [f"{method} {template} {status}" for method, template, statuses in ROUTES
               for status in statuses
               if status not in TIMED and (method, template, status) not in SEEN | UNREACHED]
    equal(missing, [], "never seen")
    statuses = {(method, template): statuses for method, template, statuses in ROUTES}
    unknown = [seen for seen in sorted(SEEN) if seen[2] not in statuses[seen[:2]] + UNROUTED]
    equal(unknown, [], "not documented")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words:
        test.tests.pop()
    sys.exit(test.run(words))
