# SPDX-License-Identifier: Apache-2.0
"""A proxy before an S3 server that answers badly, or ignores conditions."""

import http.client
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Proxy(ThreadingHTTPServer):
    """Forwards requests; faults happen with the given probabilities."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, target: str, seed: int = 0, faults: dict[str, float] | None = None,
                 ignores_conditions: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = urlsplit(target)
        self.numbers, self.faults = random.Random(seed), faults or {}
        self.ignores_conditions = ignores_conditions
        self.counts: dict[str, int] = {}
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def fault(self) -> str | None:
        """The fault of the next request."""
        with self.lock:
            number = self.numbers.random()
            for name, probability in self.faults.items():
                if number < probability:
                    self.counts[name] = self.counts.get(name, 0) + 1
                    return name
                number -= probability
        return None

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that went away are expected."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def log_message(self, *arguments: object) -> None:
        """Logs nothing."""

    def _forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fault = self.server.fault()
        if fault in ("503", "409"):
            return self._answer(int(fault), [], b"")
        if fault == "cut":
            self.close_connection = True
            return self.connection.close()
        headers = dict(self.headers)
        if self.server.ignores_conditions:
            headers.pop("If-None-Match", None)
        target = http.client.HTTPConnection(
            self.server.target.hostname or "", self.server.target.port)
        target.request(self.command, self.path, body, headers)
        response = target.getresponse()
        data = response.read()
        target.close()
        if fault == "cut after":
            self.close_connection = True
            return self.connection.close()
        self._answer(response.status, response.getheaders(), data)

    def _answer(self, status: int, headers: list[tuple[str, str]], data: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        length = dict((name.lower(), value) for name, value in headers).get("content-length")
        is_head = self.command == "HEAD" and length is not None
        self.send_header("Content-Length", str(length) if is_head else str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _forward
