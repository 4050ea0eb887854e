#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The server behind nginx with TLS and a password, configured as the documentation says.

Usage: proxy.py [WORD...]   run the tests whose name contains a word (default: all)
"""

import base64
import hashlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys

from browser import available
from harness import IMAGES, ROOT, Checks, Client, equal, program, until
from library import Grid, identifiers, library

check = Checks()

PAGE = ROOT / "Sources/PhotoEdit/PhotoEdit.docc/EditInTheBrowser.md"
NAME = "photos.example"
PASSWORD = "Basic " + base64.b64encode(b"anna:secret").decode()
# The parts of nginx that are not in the recipe: its own folders, and one process.
CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{server}
}}
"""


def nginx():
    """Returns the path of nginx: the one that Tools/setup has unpacked, or an installed one."""
    unpacked = ROOT / ".build/nginx/usr/sbin/nginx"
    if unpacked.exists():
        return str(unpacked)
    return shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


def documented():
    """Returns the configuration in the documentation, and the line for a local socket."""
    text = PAGE.read_text()
    block = next(block for block in text.split("```")[1::2] if "proxy_pass" in block)
    line = next(part for part in text.split("`") if part.startswith("proxy_pass http://unix:"))
    return block.strip("\n"), line


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """An nginx process and the server behind it."""

    def __init__(self, work, *arguments, way="listen"):
        self.work, self.folder, self.port = work, work.folder("nginx"), free_port()
        self.arguments = [*arguments, "--origin", f"https://{NAME}:{self.port}"]
        self.certificate = self.folder / "certificate.pem"
        key, passwords = self.folder / "key.pem", self.folder / "passwords"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        passwords.write_text("anna:{PLAIN}secret\n")
        block, local = documented()
        replacements = {
            "listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;",
            "/etc/ssl/photos.pem;": f"{self.certificate};",
            "/etc/ssl/private/photos.key;": f"{key};",
            "/etc/nginx/photos.users;": f"{passwords};",
        }
        backend = "proxy_pass http://127.0.0.1:8737;"
        if way == "listen":
            address = f"127.0.0.1:{free_port()}"
            replacements[backend] = f"proxy_pass http://{address};"
            self.arguments += ["--listen", address]
        else:
            self.socket = work.path / "photos.sock"
            equal(local.count("/run/photos.sock"), 1, "path in the line for a local socket")
            replacements[backend] = local.replace("/run/photos.sock", str(self.socket))
            self.arguments += ["--socket", self.socket]
        for shown, used in replacements.items():
            equal(block.count(shown), 1, f"'{shown}' in the recipe")
            block = block.replace(shown, used)
        (self.folder / "nginx.conf").write_text(
            CONFIGURATION.format(folder=self.folder, server=block))
        self.server = work.serve(*self.arguments)
        self.process = subprocess.Popen(
            [nginx(), "-p", self.folder, "-e", "stderr", "-c", self.folder / "nginx.conf"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "errors", "wb"))
        until(self.answers, (self.folder / "errors").read_text() or "nginx accepts connections")

    def answers(self):
        assert self.process.poll() is None, (self.folder / "errors").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


class Connection(http.client.HTTPSConnection):
    """A connection to the proxy, whose name needs no name server; the certificate is checked."""

    def __init__(self, proxy):
        context = ssl.create_default_context(cafile=proxy.certificate)
        super().__init__(NAME, proxy.port, timeout=60, context=context)

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)


class Visitor(Client):
    """A client with the password of the proxy, logged in to the server behind it."""

    def __init__(self, proxy, logs_in=True):
        self.proxy, self.login = proxy, None
        super().__init__(proxy.server, logs_in=False)
        if logs_in:
            self.login = self.post("/api/session", {"code": proxy.server.code})
            equal(self.login.status, 204, f"login: {self.login.body[:200]}")
            self.cookie = self.login.headers["Set-Cookie"].split(";")[0]

    def connection(self):
        return Connection(self.proxy)

    def request(self, method, path, body=None, headers=None, **options):
        return super().request(
            method, path, body, {"Authorization": PASSWORD, **(headers or {})}, **options)


def events(visitor, view, after):
    """Reads the events of a stream that stays open, until a commit."""
    connection = visitor.connection()
    connection.request("GET", f"/api/events?views={view}&after={after}",
                       headers={"Authorization": PASSWORD, "Cookie": visitor.cookie})
    response = connection.getresponse()
    equal(response.status, 200, "event stream")
    connection.sock.settimeout(10)
    names = []
    while "commit" not in names:
        line = response.readline().decode().strip()
        if line.startswith("event: "):
            names.append(line.removeprefix("event: "))
    connection.close()
    return names


def works(work, way):
    card = work.folder("card")
    path = library(work)
    photo = IMAGES / "photo-1024.jpg"
    # Several megabytes that no photo of the library has.
    large = photo.read_bytes() + hashlib.shake_128(b"photoedit").digest(5 << 20)
    with Proxy(work, "--library", path, "--import-from", card, way=way) as proxy:
        visitor = Visitor(proxy)
        attributes = [part.strip() for part in visitor.login.headers["Set-Cookie"].split(";")]
        assert attributes[0].startswith("__Host-photoedit="), attributes
        equal(sorted(attributes[1:]), ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"], "cookie")
        stranger = Visitor(proxy, logs_in=False)
        equal(stranger.get("/api/service").status, 401, "without a cookie")
        equal(stranger.get("/").status, 200, "the page")
        refused = Client.request(visitor, "GET", "/api/service")
        equal((refused.status, "WWW-Authenticate" in refused.headers), (401, True),
              "without the password of the proxy")

        for headers, status in (({"Host": "evil.example"}, 421), ({"Host": NAME}, 421),
                                ({"Origin": "https://evil.example"}, 403),
                                ({"Origin": f"http://{NAME}:{proxy.port}"}, 403),
                                ({"Sec-Fetch-Site": "cross-site"}, 403)):
            equal(visitor.get("/api/service", headers=headers).status, status, f"{headers}")
        own = visitor.get("/api/service", headers={"Origin": f"https://{NAME}:{proxy.port}"})
        equal(own.status, 200, "own origin")

        sent = visitor.put("/api/uploads/large.jpg", large,
                           headers={"Content-Type": "application/octet-stream"})
        equal(sent.status, 201, sent.body[:200])
        plan = visitor.finish(
            visitor.post("/api/imports", {"uploads": [sent.json()["upload"]]}))["result"]
        view = visitor.post("/api/views", {"source": "all", "sections": "none"}).json()
        token = visitor.get("/api/service").json()["token"]
        before = set(identifiers(work, path))
        job = visitor.post(f"/api/imports/{plan['plan']}/run", {
            "groups": [group["key"] for group in plan["groups"]]})
        names = events(visitor, view["view"], token)
        equal(visitor.finish(job)["result"]["assets"], 1, "imported")
        assert names[-2:] == ["view", "commit"], names

        asset = (set(identifiers(work, path)) - before).pop().split("/")[0]
        address = f"/api/assets/{asset}/file?version=original"
        equal(visitor.get(address).body == large, True, "the file is what was sent")
        for field, part in (("bytes=0-9", large[:10]), ("bytes=3000000-", large[3_000_000:]),
                            ("bytes=-7", large[-7:])):
            answer = visitor.get(address, headers={"Range": field})
            equal((answer.status, answer.body == part), (206, True), field)
        equal(visitor.get(address, headers={"Range": "bytes=99999999-"}).status, 416, "outside")
        tag = visitor.get("/").headers["ETag"]
        equal(visitor.get("/", headers={"If-None-Match": tag}).status, 304, "with its ETag")

        equal(visitor.delete("/api/session").status, 204, "log out")
        equal(visitor.get("/api/service").status, 401, "after that")
        yield proxy


@check("the recipe works with --listen: login, ranges, events, uploads, refusals")
def _(work):
    list(works(work, "listen"))


@check("the recipe works with --socket, whose file only its owner can use")
def _(work):
    for proxy in works(work, "socket"):
        equal(oct(proxy.socket.stat().st_mode & 0o777), "0o600", "mode of the socket")
        # A server that was killed leaves the file; the next one takes its place.
        proxy.server.kill()
        equal(proxy.socket.exists(), True, "the file is left")
        proxy.server = work.serve(*proxy.arguments)
        equal(Visitor(proxy).get("/api/service").status, 200, "after a restart")
        second = subprocess.run(
            [program("photoedit-serve"), "serve", *map(str, proxy.arguments), "--no-open"],
            env=work.environment, capture_output=True, text=True)
        equal(second.returncode, 69, f"a second server: {second.stderr}")
        equal(Visitor(proxy, logs_in=False).get("/").status, 200, "the first one still answers")
        proxy.server.stop()
        equal(proxy.socket.exists(), False, "the file after Ctrl-C")


@check("the page works through the proxy: login, tiles, live changes, an edit")
def _(work):
    if not available():
        print("SKIPPED: no chromium (apt-get install chromium chromium-driver python3-selenium)")
        return
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    with Proxy(work, "--library", path) as proxy:
        switches = (f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--ignore-certificate-errors")
        with Grid(work, switches=switches) as page:
            # The password that a person would type.
            page.driver.execute_cdp_cmd("Network.enable", {})
            page.driver.execute_cdp_cmd(
                "Network.setExtraHTTPHeaders", {"headers": {"Authorization": PASSWORD}})
            page.open(proxy.server.link)
            cookie = page.driver.get_cookies()[0]
            equal((cookie["name"], cookie["secure"]), ("__Host-photoedit", True), "cookie")
            work.run("asset", "import", "-L", path, work.photo("jpeg-progressive.jpg"))
            page.applied()
            until(lambda: len(page.names) == 5, "the new tile")
            page.keys(Keys.HOME, "]")
            until(lambda: any(work.json("show", "-L", path, asset)["edited"]
                              for asset in identifiers(work, path)), "the rotation is saved")
            equal(page.errors(), [], "console errors")


@check("a server for other machines needs an origin, and an origin such a server")
def _(work):
    photo = work.photo()
    for arguments, word in ((["--listen", "127.0.0.1:0"], "--origin: missing"),
                            (["--socket", work.path / "s"], "--origin: missing"),
                            (["--origin", f"https://{NAME}"], "needs --listen or --socket"),
                            (["--listen", "127.0.0.1:0", "--origin", NAME], "is not an origin"),
                            (["--listen", "8737", "--origin", f"https://{NAME}"],
                             "is not ADDRESS:PORT")):
        done = subprocess.run(
            [program("photoedit-serve"), "serve", photo, "--no-open", *arguments],
            env=work.environment, capture_output=True, text=True)
        equal(done.returncode, 64, f"{arguments}: {done.stderr}")
        assert word in done.stderr, done.stderr
    equal(pathlib.Path(work.path / "s").exists(), False, "a socket was made")


if __name__ == "__main__":
    if not nginx():
        print("SKIPPED: no nginx (Tools/setup --proxy)")
        sys.exit(1 if os.environ.get("PHOTOEDIT_REQUIRE_BROWSER") == "1" else 0)
    sys.exit(check.run(sys.argv[1:]))
