#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of other origins, and photos with markup in their properties, in a real browser.

Usage: isolation.py [WORD...]   run the tests whose name contains a word (default: all)
"""

import functools
import http.server
import json
import sys
import threading

from browser import Page, require
from harness import Checks, Client, equal, until
from library import identifiers, library

check = Checks()

MARKUP = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>'
# Right-to-left override, and a character that ends an attribute.
NAMES = [MARKUP, '"><svg onload=window.ran=1>', "\u202egpj.cod", "${window.ran=1}", "{{7*7}}"]
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
# Everything that a page can send to another origin without the help of its server.
ATTACK = """
const [target, routes, done] = arguments;
const wait = (promise) => Promise.race([promise, new Promise((end) => setTimeout(end, 1500, 'late'))]);
const element = (name, fields) => new Promise((end) => {
  const made = Object.assign(document.createElement(name), fields);
  made.onload = () => end('loaded');
  made.onerror = () => end('failed');
  document.body.append(made);
});
const read = async (url, options) => {
  try { return (await (await fetch(url, options)).text()).length; } catch { return 'blocked'; }
};
(async () => {
  const results = [];
  for (const { method, path } of routes) {
    const url = target + path;
    const body = method === 'GET' ? undefined : '{}';
    const outcomes = {
      simple: await wait(read(url, { method: method === 'GET' ? 'GET' : 'POST', mode: 'no-cors', credentials: 'include', body })),
      exact: await wait(read(url, { method, credentials: 'include', body,
        headers: { 'X-Photoedit': '1', 'Content-Type': 'application/json', 'If-Match': '"none:"' } })),
    };
    if (method === 'GET') {
      outcomes.image = await wait(element('img', { src: url }));
      outcomes.script = await wait(element('script', { src: url }));
    } else {
      const frame = document.createElement('iframe');
      frame.name = 'f' + results.length;
      const form = Object.assign(document.createElement('form'), {
        method: 'POST', action: url, target: frame.name, enctype: 'text/plain' });
      document.body.append(frame, form);
      form.submit();
    }
    results.push({ method, path, outcomes });
  }
  done(results);
})();
"""


class Recorder(http.server.SimpleHTTPRequestHandler):
    """The server of another origin; it records the fields that it receives."""

    received = []

    def do_GET(self):
        self.received.append(str(self.headers))
        content = b"<!doctype html><title>elsewhere</title><body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, *_):
        pass


def elsewhere(address, port=0):
    """Starts a server of another origin; returns it and its records."""
    records = []
    handler = functools.partial(type("Handler", (Recorder,), {"received": records}))
    server = http.server.ThreadingHTTPServer((address, port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, records


def routes(client, asset):
    description = client.get("/web/openapi.json").json()
    for path, item in description["paths"].items():
        for method in item:
            if method in ("get", "post", "put", "patch", "delete"):
                target = path.replace("{asset}", asset).replace("{", "").replace("}", "")
                yield {"method": method.upper(), "path": target}


def state(work, client, path, asset):
    """Everything that an attack could change."""
    return [client.get(f"/api/assets/{asset}/history").json(),
            client.get("/api/albums").json(), client.get("/api/presets").json(),
            work.run("asset", "list", "-L", path, "--json"),
            work.run("album", "list", "-L", path, "--json")]


@check("a page of another origin reads nothing and changes nothing, even with the user's cookie")
def _(work):
    path = library(work)
    asset = identifiers(work, path)[0].split("/")[0]
    server = work.serve("--library", path)
    with Page(work) as page:
        page.driver.set_script_timeout(300)
        page.open(server.link)
        page.one(".tile")
        client = Client(server, logs_in=False)
        client.cookie = page.cookie(server)
        before = state(work, client, path, asset)
        # The second address is the same site; only the path of the cookie keeps it from there.
        for address in ("127.0.0.1", server.host):
            other, records = elsewhere(address)
            origin = f"http://{address}:{other.server_address[1]}"
            page.open(origin + "/")
            page.driver.get_log("performance")
            for result in page.run_async(ATTACK, server.origin, list(routes(client, asset))):
                outcomes = result["outcomes"]
                if result["path"] == "/" or result["path"].startswith("/web/"):
                    # Files without private data; they cannot be read either.
                    outcomes.pop("script", None)
                read = {name: value for name, value in outcomes.items()
                        if value not in ("blocked", "failed", "late", 0)}
                equal(read, {}, f"{origin} reads {result['method']} {result['path']}")
            statuses = [
                message["params"]["statusCode"]
                for message in (json.loads(entry["message"])["message"]
                                for entry in page.driver.get_log("performance"))
                if message["method"] == "Network.responseReceivedExtraInfo"]
            accepted = [status for status in statuses if 200 <= status < 300]
            assert statuses.count(403) > 50, f"refused requests: {statuses.count(403)}"
            assert len(accepted) <= 4, f"accepted requests: {accepted}"
            other.shutdown()
            cookies = [text for text in records if "cookie:" in text.lower()]
            equal((bool(records), cookies), (True, []), "cookies that another server received")
        equal(state(work, client, path, asset), before, "state")


@check("a server that takes the place of one that has ended gets no login of the next one")
def _(work):
    photo = work.photo()
    first = work.serve(photo)
    with Page(work) as page:
        page.open(first.link)
        page.one(".editor")
        first.stop()
        # Another user's server at the address of the first one; the tab that is still open is
        # loaded again, and what this server leaves in the browser stays there.
        other, records = elsewhere(first.host, first.port)
        page.open(f"http://{first.host}:{first.port}/")
        next_ = work.serve(photo)
        assert next_.host != first.host, "the address of an earlier start is used again"
        page.open(next_.link)
        page.one(".editor")
        page.open(f"http://{first.host}:{first.port}/")
        page.run_async("fetch('/api/events').finally(arguments[0])")
        other.shutdown()
        stolen = page.cookie(next_)
        equal([text for text in records if stolen.split("=")[1] in text], [], "received logins")
        client = Client(next_, logs_in=False)
        for text in records:
            for line in text.splitlines():
                if line.lower().startswith("cookie:"):
                    client.cookie = line.split(":", 1)[1].strip()
                    equal(client.get("/api/service").status, 401, f"a session with {line}")
        client.cookie = stolen
        equal(client.get("/api/service").status, 200, "the session of the page")


@check("the page cannot be embedded, and no other page holds a reference to it")
def _(work):
    server = work.serve(work.photo())
    other, _ = elsewhere("127.0.0.1")
    with Page(work) as page:
        page.open(server.link)
        page.one(".editor")
        page.open(f"http://127.0.0.1:{other.server_address[1]}/")
        page.run("""const frame = document.createElement('iframe');
          frame.src = arguments[0]; document.body.append(frame);
          window.opened = window.open(arguments[0]);""", server.origin + "/")

        until(lambda: page.run("return window.opened.closed"), "the reference is severed")
        page.driver.switch_to.frame(page.one("iframe"))
        until(lambda: page.run("return location.protocol") == "chrome-error:", "no page is embedded")
    other.shutdown()


@check("markup in names, titles, captions, metadata and albums is shown as text")
def _(work):
    from PIL import Image
    from selenium.webdriver.common.keys import Keys
    path = library(work, ())
    for index, name in enumerate(NAMES):
        photo = work.path / (name.replace("/", "\u2215") + ".jpg")
        image = Image.new("RGB", (64 + index, 48), (40 * index, 90, 120))
        exif = image.getexif()
        exif[0x010F], exif[0x0110], exif[0x010E] = name, name, name
        image.save(photo, exif=exif)
        work.run("asset", "import", "-L", path, photo)
    assets = identifiers(work, path)
    for asset, name in zip(assets, NAMES):
        work.run("asset", "set", "-L", path, asset, "--title", name, "--caption", name,
                 "--keyword", "+" + name.replace("/", "-"))
        work.run("album", "create", "-L", path, name)
    server = work.serve("--library", path)
    with Page(work) as page:
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        page.open(server.link)
        page.one(".tile[data-loaded]")
        labels = page.run("return [...document.querySelectorAll('.tile')]"
                          ".map((tile) => tile.getAttribute('aria-label')).join('\\n')")
        albums = page.run("return document.querySelector('.sidebar').textContent")
        for name in NAMES:
            # A direction mark is shown as text.
            name = name.replace("\u202e", "\\u{202e}")
            assert name in labels, f"{name!r} in {labels!r}"
            assert name in albums, f"{name!r} in {albums!r}"
        page.keys(Keys.HOME, Keys.ENTER)
        for _ in NAMES:
            until(lambda: page.text(".viewer h1"), "the viewer")
            page.keys("i", Keys.ARROW_RIGHT)
        page.keys("e")
        page.one(".editor")
        page.run("location.hash = ''")
        page.open(server.origin + "/")
        page.one(".tile[data-loaded]")
        page.keys("/")
        page.keys(MARKUP, Keys.ENTER)
        until(lambda: page.text(".search-problem"), "a problem")
        equal(page.run("return window.ran ?? 0"), 0, "scripts that ran")
        equal(page.run("return window.violations"), [], "violations of the policy")
        equal(page.errors(), [], "console errors")


@check("a file that is also a page is sent as a download that cannot run")
def _(work):
    photo = work.photo("photo-1024.jpg", to="page.html.jpg")
    data = photo.read_bytes()
    comment = b"<!doctype html><script>window.ran=1</script>"
    photo.write_bytes(data[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
                      + data[2:])
    path = library(work, ())
    work.run("asset", "import", "-L", path, photo)
    asset = identifiers(work, path)[0].split("/")[0]
    server = work.serve("--library", path)
    client = Client(server)
    answer = client.get(f"/api/assets/{asset}/file")
    equal(answer.status, 200)
    assert answer.body.startswith(b"\xff\xd8") and comment in answer.body
    equal(answer.headers["X-Content-Type-Options"], "nosniff")
    equal(answer.headers["Content-Type"], "image/jpeg")
    assert answer.headers["Content-Disposition"].startswith("attachment"), str(answer.headers)
    assert "sandbox" in answer.headers["Content-Security-Policy"], str(answer.headers)
    with Page(work) as page:
        page.open(server.origin + f"/api/assets/{asset}/file")
        equal(page.run("return window.ran ?? 0"), 0, "scripts that ran")


if __name__ == "__main__":
    require()
    sys.exit(check.run(sys.argv[1:]))
