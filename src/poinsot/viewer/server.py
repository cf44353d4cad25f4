"""A small web server for one page, on this machine only unless told otherwise.

It answers to whoever knows the token in the page's address: other pages in the same browser, which
may send requests to this machine too, do not.  On this machine it answers to its own names only, so
that a page from elsewhere cannot become one of this machine by a change of its name's address (DNS
rebinding), and to no request that says it comes from a page of another origin.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from poinsot.errors import PoinsotError
from poinsot.model.model_warnings import warn

__all__ = ["Viewer"]

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
MOST_BYTES: Final = 1 << 20
"""Of a request."""
CLOSING: Final = 0.05
"""Time that it may take to close [s]."""
SILENT: Final = 60.0
"""Time after which a connection without requests is closed [s]."""
MISTAKES: Final = (
    PoinsotError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
    RecursionError,
)  # fmt: skip
"""What nonsense in a request raises."""

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""What a request of the page gives: JSON to JSON."""


class Viewer:
    """A page that a browser shows while this process runs.

    Attributes:
        url: Its address.
    """

    def __init__(
        self, page: str, answers: Mapping[str, Answer], host: str = "127.0.0.1", port: int = 0
    ) -> None:
        """Start to serve a page.

        Args:
            page: The page.
            answers: What its requests give, by name.
            host: The address to listen at; others than this machine's can be reached by others.
            port: The port; 0: any that is free.
        """
        if not isinstance(host, str) or isinstance(port, bool) or not isinstance(port, int):
            raise PoinsotError(
                "viewer: host must be an address, e.g. '127.0.0.1', and port a whole number, got "
                f"host={host!r}, port={port!r}"
            )
        if host not in LOOPBACK:
            warn(
                f"viewer: at {host!r} whoever reaches this machine and knows the address can see "
                "and move the model; leave host out to serve this machine only"
            )
        token = secrets.token_urlsafe(16)
        server = _Server6 if ":" in host else ThreadingHTTPServer
        try:
            self._server = server((host, port), _handler(page, answers, token, host in LOOPBACK))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise PoinsotError(
                f"viewer: cannot listen at {host}:{port} ({why}); choose another port, "
                "or port=0 for any that is free"
            ) from None
        self._server.daemon_threads = True
        shown = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        shown = f"[{shown}]" if ":" in shown else shown
        self.url = f"http://{shown}:{self._server.server_address[1]}/{token}/"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(CLOSING,), daemon=True
        )
        self._thread.start()

    def open(self) -> None:
        """Show it in the user's browser."""
        webbrowser.open(self.url)

    def wait(self) -> None:
        """Serve until Ctrl-C."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.5)
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def __repr__(self) -> str:
        return f"Viewer({self.url!r})"


class _Server6(ThreadingHTTPServer):
    """A server at an address of IPv6."""

    address_family = socket.AF_INET6


def _handler(
    page: str, answers: Mapping[str, Answer], token: str, is_local: bool
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = SILENT

        def do_GET(self) -> None:
            name = self._name()
            if name is None:
                self._send(404, b"not found", "text/plain")
            elif name == "":
                self._send(200, page.encode("utf-8"), "text/html; charset=utf-8")
            else:
                self._send(204, b"", "text/plain")  # an icon of the page

        def do_POST(self) -> None:
            name, told = self._name(), self.headers.get("Content-Length") or ""
            length = int(told) if told.isascii() and told.isdigit() and len(told) < 10 else 0
            if name is None or name not in answers or not 0 < length <= MOST_BYTES:
                self.close_connection = True  # its body is not read, and is no next request
                self._send(404, b"not found", "text/plain")
                return
            try:
                given = json.loads(self.rfile.read(length))
                answer = json.dumps(answers[name](given), allow_nan=False)
            except MISTAKES as error:
                answer = json.dumps({"error": str(error) or type(error).__name__})
            self._send(200, answer.encode("utf-8"), "application/json")

        def _name(self) -> str | None:
            """Return what is asked for, or None where the token is another, or who asks."""
            if not self._is_own():
                return None
            parts = self.path.split("?")[0].split("/")
            if len(parts) == 3 and hmac.compare_digest(parts[1].encode(), token.encode()):
                return parts[2]
            return None

        def _is_own(self) -> bool:
            """Whether the request is for this machine by its names, and from this page."""
            host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
            name = host.rpartition(":")[0].strip("[]")
            is_ours = not is_local or name in LOOPBACK
            return is_ours and (origin is None or origin == f"http://{host}")

        def _send(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if self.close_connection:
                self.send_header("Connection", "close")
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing: the terminal is the user's."""

    return Handler
