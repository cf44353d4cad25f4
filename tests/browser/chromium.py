"""A real browser without a window, moved by Chromium's own protocol through a pipe."""

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
"""Where the browser is; Debian's package is called ``chromium``."""

OPTIONS = (
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu-sandbox",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--no-first-run",
    "--disable-extensions", "--disable-background-networking",
)  # fmt: skip

WIRED = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts the browser, which reads commands from file 3 and answers into file 4."""


class Page:
    """One page in a browser of its own.

    Attributes:
        errors: What its console called an error or a warning, and exceptions that nobody caught.
    """

    def __init__(self, folder: Path, width: int = 1280, height: int = 800) -> None:
        to_browser, from_us = os.pipe()
        to_us, from_browser = os.pipe()
        size, profile = f"--window-size={width},{height}", f"--user-data-dir={folder}"
        command = [str(PROGRAM), *OPTIONS, size, profile, "about:blank"]
        ends = str(to_browser), str(from_browser)
        self._process = subprocess.Popen(
            [sys.executable, "-c", WIRED, *ends, *command],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._write, self._read, self._rest, self._count = from_us, to_us, b"", 0
        self.errors: list[str] = []
        targets = self._command("Target.getTargets", session=False)["targetInfos"]
        target = next(item["targetId"] for item in targets if item["type"] == "page")
        attached = self._command(
            "Target.attachToTarget", session=False, targetId=target, flatten=True
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._command(f"{domain}.enable")
        view = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._command("Emulation.setDeviceMetricsOverride", **view)

    def open(self, address: str) -> None:
        """Open a page and wait until it has drawn some pictures."""
        self._command("Page.navigate", url=address)
        self.wait("window.poinsot && window.poinsot.pictures > 2")

    def run(self, script: str) -> object:
        """Return the value of an expression, waiting for promises."""
        answer = self._command(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = 30.0) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"{condition} is still false; console: {self.errors}"
            time.sleep(0.05)

    def picture(self, path: Path) -> None:
        """Write what is seen to a PNG file."""
        shot = self._command("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """End the browser."""
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _command(self, method: str, *, session: bool = True, **parameters: object) -> dict:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]
            self._note(answer)

    def _next(self) -> dict:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 16)
            assert piece, "the browser has ended"
            self._rest += piece
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def _note(self, event: dict) -> None:
        method, told = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(told["exceptionDetails"]))
        if method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.errors.append(str(told["args"]))
        if method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.errors.append(told["entry"]["text"])
