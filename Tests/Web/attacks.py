#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attack the server of `photoedit serve` over raw sockets.

usage: Tests/Web/attacks.py [--long] PROGRAM PHOTO
  --long   also hold connections with slow bodies and unread responses, which takes two minutes
  PROGRAM  the built photoedit-serve
  PHOTO    a JPEG; a copy of it is served

Every check states a threat; the first failure of each is printed, and the exit code is then 1.
"""
import glob
import http.cookiejar
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAPH = {
    "format": "org.photoedit.filter-graph",
    "version": "1.0",
    "nodes": [{"id": "n1", "filter": "exposure", "v": 1, "params": {"ev": 0.5}}],
}


class Server:
    """A running server with its own state folders, and a client that has logged in."""

    def __init__(self, program, photo, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="photoedit-web-"))
        self.photo = self.folder / "photo.jpg"
        shutil.copyfile(photo, self.photo)
        os.mkdir(self.folder / "run", 0o700)
        self.environment = dict(
            os.environ,
            XDG_STATE_HOME=str(self.folder / "state"),
            XDG_RUNTIME_DIR=str(self.folder / "run"),
        )
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "PHOTOEDIT_STATE", "PHOTOEDIT_LIBRARY"]:
            self.environment.pop(name, None)
        self.log = open(self.folder / "log", "wb")
        self.program = program
        self.process = subprocess.Popen(
            [program, "serve", str(self.photo), "--no-open", "--port", "0", "--log", *options],
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=self.environment,
            text=True,
        )
        lines = [self.process.stdout.readline() for _ in range(2)]
        self.host = re.search(r"http://(127\.[\d.]+:\d+)/", lines[0]).group(1)
        self.code = re.search(r"#code=(\w+)", lines[1]).group(1)
        address, port = self.host.split(":")
        self.address = (address, int(port))
        self.cookie = ""

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)

    def connect(self, timeout=10):
        return socket.create_connection(self.address, timeout)

    def raw(self, data, timeout=10):
        """Send bytes on a new connection; return everything until it is closed or idle."""
        with self.connect(timeout) as connection:
            received = b""
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The server closed the connection; its response may have arrived.
            try:
                while True:
                    part = connection.recv(65536)
                    if not part:
                        break
                    received += part
                    if complete(received):
                        break
            except (TimeoutError, ConnectionResetError):
                pass
            return received

    def request(self, method, path, body=None, fields=(), host=None, timeout=10):
        """Send a request as a browser does; return status, header text and body."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        names = {name.lower() for name, _ in fields}
        lines = [f"{method} {path} HTTP/1.1"]
        if "host" not in names:
            lines.append(f"Host: {host or self.host}")
        if self.cookie and "cookie" not in names:
            lines.append(f"Cookie: {self.cookie}")
        if method not in ("GET", "HEAD") and "x-photoedit" not in names:
            lines.append("X-Photoedit: 1")
        if data is not None:
            if "content-type" not in names:
                lines.append("Content-Type: application/json")
            lines.append(f"Content-Length: {len(data)}")
        lines += [f"{name}: {value}" for name, value in fields if value is not None]
        head = "\r\n".join(lines) + "\r\n\r\n"
        answer = self.raw(head.encode("latin-1") + (data or b""), timeout)
        return split(answer)

    def log_in(self):
        status, head, _ = self.request("POST", "/api/session", {"code": self.code})
        assert status == 204, status
        self.cookie = re.search(r"Set-Cookie: ([^;]+)", head).group(1)
        return head

    def json(self, method, path, body=None, fields=()):
        status, _, content = self.request(method, path, body, fields)
        return status, json.loads(content) if content else None

    def revision(self, asset):
        return self.json("GET", f"/api/assets/{asset}/history")[1]["revision"]


def complete(received):
    head, _, body = received.partition(b"\r\n\r\n")
    if not _:
        return False
    length = re.search(rb"(?i)content-length: (\d+)", head)
    status = head[9:12]
    if status in (b"204", b"304"):
        return True
    return length is not None and len(body) >= int(length.group(1))


def split(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head:
        return 0, "", b""
    return int(head[9:12]), head.decode("latin-1"), body


failures = []
count = 0


def check(what, condition, detail=""):
    global count
    count += 1
    if not condition:
        failures.append(what)
        print(f"FAILED: {what} {detail}", flush=True)


def routes(server):
    document = server.json("GET", "/web/openapi.json")[1]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield method.upper(), path, operation


def rebinding(server):
    for host in ["evil.example", "localhost:%d" % server.address[1], server.address[0], ""]:
        for path in ["/", "/api/service", "/web/openapi.json"]:
            status, head, body = server.request("GET", path, host=host or " ")
            check("a foreign Host gets no data", status in (400, 421) and b"photo.jpg" not in body, (host, status))
    for text in [
        f"GET /api/service HTTP/1.1\r\nHost: {server.host}\r\nHost: evil.example\r\n",
        "GET /api/service HTTP/1.1\r\n",
        "GET /api/service HTTP/1.0\r\n",
        f"GET http://{server.host}/api/service HTTP/1.1\r\nHost: {server.host}\r\n",
        f"GET /api/service%00 HTTP/1.1\r\nHost: {server.host}\r\n",
    ]:
        answer = server.raw((text + f"Cookie: {server.cookie}\r\n\r\n").encode())
        status, _, body = split(answer)
        check("an ambiguous request is refused", status in (400, 421) and b"photo.jpg" not in body, (text, status))


def other_origins(server, asset):
    revision = server.revision(asset)
    for fields in [
        [("Origin", "http://evil.example")],
        [("Origin", "null")],
        [("Origin", f"http://{server.address[0]}:1")],
        [("Origin", "http://127.0.0.1:%d" % server.address[1])],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")],
    ]:
        for method, path, _ in routes(server):
            if path == "/" and method == "GET" and fields[0][0] == "Sec-Fetch-Site" and len(fields) == 1:
                continue
            target = path.replace("{asset}", asset).replace("{", "").replace("}", "")
            body = None if method == "GET" else {}
            status, head, _ = server.request(method, target, body, fields)
            check("a request of another origin is refused", status == 403, (method, path, fields, status))
            check("no CORS header is sent", "access-control" not in head.lower(), path)
    for method, path, _ in routes(server):
        if method == "GET":
            continue
        target = path.replace("{asset}", asset).replace("{", "").replace("}", "")
        status, _, _ = server.request(method, target, b"{}", [("X-Photoedit", None)])
        check("a change without the header of the page is refused", status == 403, (method, path, status))
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]:
            status, _, _ = server.request(method, target, b"a=1", [("Content-Type", kind)])
            check("a form is refused", status == 415, (method, path, status))
        status, head, _ = server.request("OPTIONS", target, None, [("Origin", "http://evil.example")])
        check("a preflight is refused", status in (403, 405), (path, status))
    check("nothing was changed", server.revision(asset) == revision)


def without_login(server):
    cookie, server.cookie = server.cookie, ""
    for value in ["", "photoedit=1", cookie.split("=")[0] + "=" + "0" * 64]:
        for method, path, operation in routes(server):
            if operation["security"] == []:
                continue
            target = path.replace("{", "").replace("}", "")
            fields = [("Cookie", value)] if value else []
            if method == "PUT" and path.startswith("/api/uploads"):
                fields.append(("Content-Type", "application/octet-stream"))
            status, _, body = server.request(method, target, None if method == "GET" else {}, fields)
            check("a route needs a login", status == 401 and b"photo.jpg" not in body, (method, path, status))
    status, _, _ = server.request("GET", "/api/unknown")
    check("an unknown path needs a login", status == 401, status)
    server.cookie = cookie


def codes(program, photo):
    server = Server(program, photo)
    try:
        words = b""
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                words += pathlib.Path(path).read_bytes()
            except OSError:
                pass
        check("the code is in no process list", server.code.encode() not in words)
        head = server.log_in()
        check("the cookie is protected",
              re.search(r"; HttpOnly; SameSite=Strict; Path=/s/[0-9a-f]{32}\r", head), head)
        check("the cookie's name contains the port", f"photoedit-{server.address[1]}=" in head, head)
        first = server.cookie
        server.cookie = ""
        status, _, _ = server.request("POST", "/api/session", {"code": server.code})
        check("a code works once", status == 401, status)
        link = subprocess.run(
            [program, "serve", "--link", str(server.photo)], env=server.environment, capture_output=True, text=True
        ).stdout
        second = re.search(r"#code=(\w+)", link)
        check("serve --link prints another link", second is not None, link)
        if second:
            status, head, _ = server.request(
                "POST", "/api/session", {"code": second.group(1)}, [("Cookie", "fixed=1; " + first)]
            )
            cookie = re.search(r"Set-Cookie: ([^;]+)", head)
            check("a login creates a new cookie", status == 204 and cookie and cookie.group(1) != first, head)
        statuses = [server.request("POST", "/api/session", {"code": "0" * 32})[0] for _ in range(12)]
        check("guessing codes is limited", statuses[-1] == 429 and statuses[0] == 401, statuses)
        sockets = glob.glob(str(server.folder / "run" / "photoedit" / "*.sock"))
        check("the control socket is private", sockets and os.stat(sockets[0]).st_mode & 0o777 == 0o600, sockets)
        mode = os.stat(server.folder / "run" / "photoedit").st_mode & 0o777
        check("the folder of the control socket is private", mode == 0o700, oct(mode))
        server.log.flush()
        log = (server.folder / "log").read_text()
        check("the log has routes", "POST /api/session 204" in log, log[:200])
        secrets = [server.code, first.split("=")[1], str(server.photo)]
        check("the log has no secrets", not any(secret in log for secret in secrets))
    finally:
        server.close()


def other_ports(program, photo):
    """Another user's server on another port of the address, and in the place of one that has ended."""
    before = Server(program, photo)
    before.log_in()
    before.close()
    server = Server(program, photo)
    spy = socket.create_server((server.address[0], 0))
    try:
        check("no address is used again", server.address[0] != before.address[0])
        # A client that handles cookies as a browser does: for all ports of an address.
        jar = http.cookiejar.CookieJar()
        client = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        code = json.dumps({"code": server.code}).encode()
        fields = {"X-Photoedit": "1", "Content-Type": "application/json"}
        with client.open(urllib.request.Request(f"http://{server.host}/api/session", code, fields)) as answer:
            path = answer.headers["X-Photoedit-Path"]
        with client.open(f"http://{server.host}{path}/api/service") as answer:
            check("the page is logged in", answer.status == 200)
        received = []

        def listen():
            for _ in range(3):
                connection = spy.accept()[0]
                received.append(connection.recv(65536).decode("latin-1").lower())
                connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        for target in ["/", "/api/events", f"/s/{'0' * 32}/api/events"]:
            client.open(f"http://{server.address[0]}:{spy.getsockname()[1]}{target}").close()
        thread.join()
        check("another port of the address gets no cookie", not any("cookie:" in text for text in received), received)
        server.cookie = before.cookie
        check("a cookie of an earlier start is no login", server.request("GET", "/api/service")[0] == 401)
    finally:
        spy.close()
        server.close()


def paths(server, asset):
    for part in ["..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%00", "a%00b", "%ff", "%c0%ae", "\\", "%5c", ".", "%2f"]:
        for template in ["/web/{}", "/web/js/{}", "/api/assets/{}/history", "/api/editing/{}/statistics/p1", "/api/jobs/{}", "/{}"]:
            status, _, body = server.request("GET", template.format(part))
            check("a path names nothing else", status in (400, 404) and b"root:" not in body, (template, part, status))
    for name in ["Package.swift", "../Package.swift", "openapi.json.bak", "js"]:
        status, _, _ = server.request("GET", f"/web/{name}")
        check("only the page's files are served", status in (400, 404), (name, status))


def smuggling(server):
    second = f"GET /api/service HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.cookie}\r\n\r\n"
    common = f"Host: {server.host}\r\nCookie: {server.cookie}\r\nX-Photoedit: 1\r\nContent-Type: application/json\r\n"
    for what, text in {
        "length and chunks": "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "two lengths": "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
        "equal lengths": "Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
        "chunks": "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "a folded field": "X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n",
        "blank before the colon": "X-A : b\r\nContent-Length: 0\r\n\r\n",
        "a signed length": "Content-Length: +4\r\n\r\nabcd",
    }.items():
        with server.connect(3) as connection:
            connection.sendall(("POST /api/session HTTP/1.1\r\n" + common + text + second).encode())
            received = b""
            try:
                while part := connection.recv(65536):
                    received += part
            except (TimeoutError, ConnectionResetError):
                pass
        statuses = re.findall(rb"HTTP/1\.1 (\d+)", received)
        check(f"{what}: refused", statuses[:1] in ([b"400"], [b"411"]), (what, statuses))
        check(f"{what}: the second request gets no response", b"200" not in statuses, (what, statuses))


def sizes(server, asset):
    status, session = server.json("POST", f"/api/assets/{asset}/editing")
    check("an editing session begins", status == 201, status)
    preview = f"/api/editing/{session['session']}/preview"
    body = {"graph": GRAPH, "width": 64, "height": 64, "sequence": 1, "purpose": "drag"}
    check("a preview is rendered", server.request("POST", preview, body)[0] == 200)
    for what, data, allowed in [
        ("a deep body", b"[" * 100000 + b"]" * 100000, (400,)),
        ("a deep graph", b'{"graph":' + b"[" * 60 + b"]" * 60 + b"}", (400, 422)),
        ("a large body", b'{"graph":"' + b"x" * (3 << 20) + b'"}', (413,)),
        ("many nodes", json.dumps(dict(body, graph=dict(GRAPH, nodes=GRAPH["nodes"] * 600))).encode(), (422,)),
        ("a huge preview", json.dumps(dict(body, width=1 << 30)).encode(), (400,)),
        ("no JSON", b"\xff\xfe{}", (400,)),
        ("a repeated name", b'{"graph":1,"graph":2}', (400,)),
        ("an unknown member", json.dumps(dict(body, more=1)).encode(), (400,)),
    ]:
        status, head, _ = server.request("POST", preview, data)
        check(f"{what} is refused", status in allowed, (what, status))
    with server.connect(5) as connection:
        connection.sendall(
            f"POST {preview} HTTP/1.1\r\nHost: {server.host}\r\nX-Photoedit: 1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {3 << 20}\r\n\r\n".encode()
        )
        answer = b""
        try:
            for _ in range(3):
                time.sleep(0.1)
                connection.sendall(b"x" * (1 << 20))
            answer = connection.recv(4096)
        except (BrokenPipeError, ConnectionResetError):
            pass
        check("a client that still sends its body gets the response", b" 413 " in answer, answer)
    with server.connect(5) as connection:
        connection.sendall(
            f"POST {preview} HTTP/1.1\r\nHost: {server.host}\r\nX-Photoedit: 1\r\n"
            f"Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n".encode()
        )
        check("a length over the limit is refused before the body", b" 413 " in connection.recv(4096))
    status, _, _ = server.request("GET", "/?" + "a" * 5000)
    check("a long target is refused", status == 414, status)
    status, _, _ = server.request("GET", "/", None, [("X-Long", "a" * 40000)])
    check("large fields are refused", status == 431, status)
    check("memory stays below 400 MB", high_water(server) < 400000, high_water(server))


def uploads(server):
    """Files that are sent: refused before their contents are read, streamed to disk, and removed."""
    folder = server.folder / "state" / "photoedit" / "uploads"
    kind = [("Content-Type", "application/octet-stream")]

    def stored():
        return [path for path in folder.rglob("*") if path.is_file()]

    def head(name, length, *fields):
        """Send only the head of an upload; return the status, 0 if the body is awaited."""
        lines = [f"PUT /api/uploads/{name} HTTP/1.1", f"Host: {server.host}", "X-Photoedit: 1",
                 "Content-Type: application/octet-stream", f"Content-Length: {length}", *fields]
        with server.connect(1) as connection:
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            try:
                return int(connection.recv(4096)[9:12] or b"0")
            except TimeoutError:
                return 0

    cookie = f"Cookie: {server.cookie}"
    check("an upload without a login is refused before its contents", head("a.jpg", 1 << 30) == 401)
    check("an upload over the limit is refused before its contents", head("a.jpg", 5 << 30, cookie) == 413)
    for name in ["..", ".", "%2e%2e", "..%2fa", "%2fetc%2fpasswd", "a%5cb", "a%00b", "a%0ab", "%ff", ".hidden",
                 "a" * 256, "a/b", ""]:
        status, _, _ = server.request("PUT", f"/api/uploads/{name}", b"x", kind)
        check("a name of an upload is only a name", status in (400, 404), (name, status))
    check("nothing of a refused upload is stored", stored() == [], stored())
    # Memory does not depend on the size of a file, and a file that ends early does not stay.
    status = pathlib.Path(f"/proc/{server.process.pid}/status")
    before = int(re.search(r"VmRSS:\s+(\d+)", status.read_text()).group(1))
    with server.connect(30) as connection:
        lines = [f"PUT /api/uploads/large.jpg HTTP/1.1", f"Host: {server.host}", "X-Photoedit: 1", cookie,
                 "Content-Type: application/octet-stream", f"Content-Length: {1 << 30}"]
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        part = b"x" * (1 << 20)
        for _ in range(100):
            connection.sendall(part)
        after = int(re.search(r"VmRSS:\s+(\d+)", status.read_text()).group(1))
        check("an upload is not kept in memory", after - before < 30000, (before, after))
        check("an upload is stored while it is received", sum(path.stat().st_size for path in stored()) > 50 << 20)
    deadline = time.monotonic() + 10
    while stored() and time.monotonic() < deadline:
        time.sleep(0.05)
    check("an upload that ends early does not stay", stored() == [], stored())
    code, _, content = server.request("PUT", "/api/uploads/<img src=x>.jpg".replace(" ", "%20").replace("<", "%3C").replace(">", "%3E"), b"x" * 300000, kind)
    check("a file is stored under a name of the server", code == 201 and [len(path.name) for path in stored()] == [24], (code, stored()))
    modes = {oct(path.stat().st_mode & 0o077) for path in folder.rglob("*")}
    check("sent files are accessible to their owner only", modes == {"0o0"}, modes)
    check("a photo is not imported without a library", server.json("POST", "/api/imports", {"uploads": [json.loads(content)["upload"]]})[0] == 409)


def stale_writes(server, asset):
    _, session = server.json("POST", f"/api/assets/{asset}/editing")
    revision, results = session["revision"], []

    def save(ev):
        graph = dict(GRAPH, nodes=[dict(GRAPH["nodes"][0], params={"ev": ev})])
        path = f"/api/editing/{session['session']}/save"
        status, job = server.json("POST", path, {"graph": graph}, [("If-Match", f'"{revision}"')])
        if status == 202:
            job = server.json("GET", f"/api/jobs/{job['job']}?wait=1")[1]
            status = 200 if job["state"] == "done" else job["problem"]["status"]
        results.append(status)

    threads = [threading.Thread(target=save, args=(0.1 * n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("of several writers with one revision one succeeds", sorted(results) == [200, 412, 412, 412], results)


def hold(server, head, trickled, what, limit):
    """Occupies every connection; a logged-in client is served within a number of seconds."""
    held = []
    for number in range(64):
        try:
            connection = socket.create_connection(server.address, 2)
            connection.sendall(head)
            held.append(connection)
        except OSError:
            break
    check("many connections are possible", len(held) >= 32, len(held))
    start = time.monotonic()
    stop = threading.Event()

    def trickle():
        while not stop.wait(0.7):
            for connection in held if trickled else []:
                try:
                    connection.sendall(trickled)
                except OSError:
                    pass

    thread = threading.Thread(target=trickle)
    thread.start()
    status = 0
    while time.monotonic() - start < limit + 10 and status != 200:
        try:
            status = server.request("GET", "/api/service", timeout=2)[0]
        except OSError:
            time.sleep(0.2)
    elapsed = time.monotonic() - start
    stop.set()
    thread.join()
    for connection in held:
        connection.close()
    check(f"{what} are disconnected", status == 200 and elapsed < limit, (status, elapsed))


def flood(server):
    """A stranger that opens connections without end does not keep out a client that has logged in."""
    held, stop = [], threading.Event()

    def occupy():
        while not stop.is_set():
            try:
                held.append(socket.create_connection(server.address, 1))
                if len(held) > 400:
                    held.pop(0).close()
            except OSError:
                pass

    threads = [threading.Thread(target=occupy) for _ in range(2)]
    for thread in threads:
        thread.start()
    while len(held) < 400:
        time.sleep(0.01)
    statuses = []
    for _ in range(20):
        try:
            statuses.append(server.request("GET", "/api/service", timeout=5)[0])
        except OSError:
            statuses.append(0)
    stop.set()
    for thread in threads:
        thread.join()
    for connection in held:
        connection.close()
    # A new connection belongs to a stranger until its request has arrived, and may be ended before.
    check("a flood of connections does not keep users out", statuses.count(200) >= 15, statuses)


def waiting(server, asset):
    """Requests that wait for a job leave every other request its turn."""
    _, session = server.json("POST", f"/api/assets/{asset}/editing")
    slow = {"id": "n1", "filter": "denoiseNLM", "v": 1, "params": {"patch": 5, "search": 21, "h": 0.1, "sigma": 0}}
    path = f"/api/editing/{session['session']}/save"
    graph = dict(GRAPH, nodes=[dict(slow, id=f"n{number}") for number in range(1, 7)])
    _, job = server.json("POST", path, {"graph": graph}, [("If-Match", f'"{session["revision"]}"')])
    address = f"/api/jobs/{job['job']}"
    head = f"GET {address}?wait=1 HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.cookie}\r\n\r\n"
    waiting = [server.connect(120) for _ in range(30)]
    for connection in waiting:
        connection.sendall(head.encode())
    statuses = [server.request("GET", "/api/service", timeout=60)[0] for _ in range(5)]
    state = server.json("GET", address)[1]["state"]
    check("other requests have their turn while 30 wait for a job", (statuses, state) == ([200] * 5, "running"), (statuses, state))
    ended = []
    for connection in waiting:
        answer = b""
        while not complete(answer):
            answer += connection.recv(65536)
        ended.append(json.loads(split(answer)[2])["state"])
        connection.close()
    check("everyone who waits gets the result", set(ended) == {"done"}, ended)


def slow_clients(server):
    """Clients that send a byte of the header now and then."""
    hold(server, b"GET / HTTP/1.1\r\nHost: ", b"a", "clients with slow headers", 13)


def high_water(server):
    """The largest resident memory of the server in kB."""
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", text).group(1))


def bombs(program, photo):
    """Small files that announce large images."""
    data = pathlib.Path(photo).read_bytes()
    # The last frame: the first one may be that of the embedded thumbnail.
    frame = [found.end() for found in re.finditer(rb"\xff[\xc0-\xc2]\x00.\x08", data, re.DOTALL)][-1]
    size = (65500).to_bytes(2, "big") * 2
    with tempfile.TemporaryDirectory() as folder:
        bomb = pathlib.Path(folder, "bomb.jpg")
        bomb.write_bytes(data[:frame] + size + data[frame + 4:])
        server = Server(program, str(bomb))
        try:
            server.log_in()
            asset = server.json("GET", "/api/service")[1]["asset"]
            for path in [f"/api/assets/{asset}", f"/api/assets/{asset}/info"]:
                status, _, _ = server.request("GET", path)
                check("a bomb is described or refused", status in (200, 409, 413, 422), (path, status))
            status, _, body = server.request("POST", f"/api/assets/{asset}/editing", {})
            check("a bomb is not edited", status in (409, 413, 422), (status, body[:300]))
            check("a bomb costs no memory", high_water(server) < 200000, high_water(server))
            check("a bomb does not end the server", server.process.poll() is None)
        finally:
            server.close()


def crashing_decoder(program):
    """A file whose decoder crashes: a library takes the place of giflib."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("SKIPPED: no C compiler for a decoder that crashes")
        return
    names = ["DGifCloseFile", "DGifExtensionToGCB", "DGifGetExtension", "DGifGetExtensionNext",
             "DGifGetImageHeader", "DGifGetLine", "DGifGetRecordType", "GifErrorString"]
    source = "".join(f"int {name}() {{ return 0; }}\n" for name in names)
    source += "void *DGifOpen() { *(volatile int *)8 = 1; return 0; }\n"
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "libgif.so.7")
        subprocess.run([compiler, "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", library],
                       input=source.encode(), check=True)
        crafted = pathlib.Path(folder, "crafted.gif")
        pixel = "47494638396101000100800000000000ffffff2c00000000010001000002024401003b"
        crafted.write_bytes(bytes.fromhex(pixel))
        before = os.environ.get("LD_LIBRARY_PATH")
        os.environ["LD_LIBRARY_PATH"] = folder
        try:
            server = Server(program, str(crafted))
        finally:
            del os.environ["LD_LIBRARY_PATH"]
            if before is not None:
                os.environ["LD_LIBRARY_PATH"] = before
        try:
            server.log_in()
            asset = server.json("GET", "/api/service")[1]["asset"]
            for _ in range(3):
                status, _, body = server.request("POST", f"/api/assets/{asset}/editing", {})
                check("a decoder that crashes refuses the photo", status == 422 or status == 409,
                      (status, body[:300]))
                check("and the reason is given", b"its decoder crashed" in body, body[:300])
            check("a decoder that crashes does not end the server", server.process.poll() is None)
        finally:
            server.close()


def slow_bodies(server):
    """Clients that announce a body and send a byte now and then."""
    head = (f"POST /api/session HTTP/1.1\r\nHost: {server.host}\r\nX-Photoedit: 1\r\n"
            "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n").encode()
    hold(server, head, b" ", "clients with slow bodies", 40)


def slow_readers(server, asset):
    """Clients that request more than a socket holds and do not read it."""
    head = (f"GET /api/assets/{asset}/file HTTP/1.1\r\nHost: {server.host}\r\n"
            f"Cookie: {server.cookie}\r\n\r\n").encode()
    hold(server, head, b"", "clients that do not read", 75)


def responses(server):
    status, head, _ = server.request("GET", "/")
    check("the page is served", status == 200, status)
    for field in [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin",
    ]:
        check("the security fields are sent", field in head, field)
    status, head, body = server.request("GET", "/api/service")
    check("data is not stored", "Cache-Control: no-store" in head, head)
    check("paths are not sent", str(server.folder).encode() not in body, body)
    check("only loopback is used", server.address[0].startswith("127.") and server.address[0] != "127.0.0.1")
    table = pathlib.Path("/proc/net/tcp").read_text()
    port = "%04X" % server.address[1]
    listening = [line.split()[1] for line in table.splitlines()[1:] if line.split()[3] == "0A"]
    mine = [entry for entry in listening if entry.endswith(":" + port)]
    check("no other address listens", all(not entry.startswith("00000000") for entry in mine), mine)


def read_only(program, photo):
    server = Server(program, photo, "--read-only")
    try:
        server.log_in()
        asset = server.json("GET", "/api/service")[1]["asset"]
        _, session = server.json("POST", f"/api/assets/{asset}/editing")
        for method, path in [
            ("POST", f"/api/editing/{session['session']}/save"),
            ("PUT", f"/api/editing/{session['session']}/draft"),
            ("POST", f"/api/assets/{asset}/revert"),
            ("POST", f"/api/assets/{asset}/undo"),
        ]:
            status, _, _ = server.request(method, path, {"graph": GRAPH}, [("If-Match", '"none:"')])
            check("a read-only server has no such route", status in (404, 405), (path, status))
    finally:
        server.close()


def arguments(program, photo):
    for words in [
        ["--address", "0.0.0.0"],
        ["--address", "192.0.2.1"],
        ["--listen", "127.0.0.1:0"],
        ["--origin", "https://name"],
        ["--listen", "127.0.0.1:0", "--origin", "name"],
    ]:
        result = subprocess.run([program, "serve", photo, *words], capture_output=True, timeout=20)
        check("an address beyond loopback needs a proxy", result.returncode == 64, (words, result.returncode))


def main():
    is_long = "--long" in sys.argv
    program, photo = [word for word in sys.argv[1:] if word != "--long"]
    codes(program, photo)
    other_ports(program, photo)
    arguments(program, photo)
    read_only(program, photo)
    bombs(program, photo)
    crashing_decoder(program)
    server = Server(program, photo)
    try:
        server.log_in()
        asset = server.json("GET", "/api/service")[1]["asset"]
        responses(server)
        rebinding(server)
        without_login(server)
        other_origins(server, asset)
        paths(server, asset)
        smuggling(server)
        sizes(server, asset)
        uploads(server)
        stale_writes(server, asset)
        slow_clients(server)
        flood(server)
        waiting(server, asset)
        if is_long:
            slow_bodies(server)
            slow_readers(server, asset)
        check("the server still runs", server.process.poll() is None)
        server.process.terminate()
        server.process.wait(10)
        left = [path for path in (server.folder / "state" / "photoedit" / "uploads").rglob("*") if path.is_file()]
        check("sent files are removed with the end of the server", left == [], left)
    finally:
        server.close()
    print(f"attacks: {count} checks, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
