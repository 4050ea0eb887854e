# SPDX-License-Identifier: Apache-2.0
"""Chromium's canvas: CSS filters, SVG filters, blend modes and gradients, at 8 bits."""

import http.server
import json
import subprocess
import tempfile
import threading
import zlib
from dataclasses import dataclass, field

import numpy

import references
from harness import images
from harness.rows import reference

PAGE = """<!doctype html><meta charset="utf-8"><body><script>
async function load(path) {
  const image = new Image();
  image.src = path;
  await image.decode();
  return image;
}
async function main() {
  const jobs = await (await fetch('/jobs')).json();
  for (let i = 0; i < jobs.length; i++) {
    const job = jobs[i];
    const images = [];
    for (let k = 0; k < job.pictures; k++) images.push(await load(`/picture/${i}/${k}`));
    document.body.insertAdjacentHTML('beforeend', job.markup);
    const canvas = document.createElement('canvas');
    const [width, height] = [images[0].naturalWidth, images[0].naturalHeight];
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d', {willReadFrequently: true, colorSpace: 'srgb'});
    new Function('context', 'images', 'width', 'height', job.script)(
      context, images, width, height);
    const data = context.getImageData(0, 0, width, height).data;
    await fetch(`/result/${i}`, {method: 'POST', body: data});
  }
  await fetch('/done', {method: 'POST', body: ''});
}
main().catch(error => fetch('/failed', {method: 'POST', body: String(error)}));
</script>"""


@dataclass
class Job:
    """A script for one canvas; the result is set when all jobs are run together."""

    images: list
    script: str
    markup: str = ""
    result: numpy.ndarray | None = field(default=None, compare=False)


@reference("chromium")
def css(image, filter):
    """canvas 2d: context.filter, drawImage"""
    draw = "context.drawImage(images[0],0,0);"
    return Job([image], f"context.filter={json.dumps(filter)};{draw}")


@reference("chromium")
def css_on_white(image, filter):
    """canvas 2d on white: context.filter, drawImage"""
    white = "context.fillStyle='#fff';context.fillRect(0,0,width,height);"
    return Job([image], white + css(image, filter).script)


@reference("chromium")
def svg(image, primitive):
    """canvas 2d: context.filter = url(#…), an SVG filter with color-interpolation-filters=sRGB"""
    # Names must be unique, because all jobs share one page.
    name = f"f{zlib.crc32(primitive.encode())}"
    markup = (
        '<svg width="0" height="0"><filter id="%s" color-interpolation-filters="sRGB" '
        'x="0" y="0" width="1" height="1">%s</filter></svg>' % (name, primitive)
    )
    draw = f"context.filter='url(#{name})';context.drawImage(images[0],0,0);"
    return Job([image], draw, markup)


@reference("chromium")
def composite(image, above, mode, alpha=1):
    """canvas 2d: drawImage(below), globalCompositeOperation, globalAlpha, drawImage(above)"""
    script = (
        "context.drawImage(images[0],0,0);"
        f"context.globalCompositeOperation={json.dumps(mode)};context.globalAlpha={alpha};"
        "context.drawImage(images[1],0,0);"
    )
    return Job([image, above(image)], script)


@reference("chromium")
def gradient(image, script):
    """canvas 2d: fillRect with a gradient from black to white"""
    fill = "context.fillStyle=g;context.fillRect(0,0,width,height);"
    return Job([image], script + fill)


def run(jobs, seconds=240):
    """Runs all jobs in one browser and sets their results."""
    if not jobs:
        return
    server = _Server(jobs)
    with tempfile.TemporaryDirectory(prefix="oracles-chromium-") as profile:
        browser = subprocess.Popen(
            [
                references.program("chromium"),
                *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"),
                *("--force-color-profile=srgb", "--disable-background-networking"),
                *(f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            finished = server.finished.wait(seconds)
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
            server.server_close()
    if not finished or server.failure:
        raise RuntimeError(f"chromium: {server.failure or 'no answer in time'}")


class _Server(http.server.ThreadingHTTPServer):
    def __init__(self, jobs):
        self.jobs = jobs
        self.finished = threading.Event()
        self.failure = None
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        jobs = self.server.jobs
        parts = self.path.strip("/").split("/")
        if parts[0] == "jobs":
            listing = [
                {"pictures": len(job.images), "script": job.script, "markup": job.markup}
                for job in jobs
            ]
            self._answer(json.dumps(listing).encode(), "application/json")
        elif parts[0] == "picture":
            data = images.png(jobs[int(parts[1])].images[int(parts[2])])
            self._answer(data, "image/png")
        else:
            self._answer(PAGE.encode(), "text/html")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = self.path.strip("/").split("/")
        if parts[0] == "result":
            job = self.server.jobs[int(parts[1])]
            height, width = job.images[0].shape[:2]
            rgba = numpy.frombuffer(body, numpy.uint8).reshape(height, width, 4)
            job.result = rgba[:, :, :3].copy()
        else:
            if parts[0] == "failed":
                self.server.failure = body.decode()
            self.server.finished.set()
        self._answer(b"", "text/plain")

    def _answer(self, data, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass
