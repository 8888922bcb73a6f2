"""A browser for tests: chromium, driven through chromedriver's JSON protocol (W3C WebDriver). Needs nothing but the standard library."""

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars=false",
]
# What WebDriver calls keys that have no character.
KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "ArrowDown": "\ue015", "ArrowUp": "\ue013", "End": "\ue010", "Home": "\ue011", "PageDown": "\ue00f"}


def available():
    """Whether there is a browser, and a driver for it."""
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


class Browser:
    """A browser with a new profile. Everything that its console says is kept by it."""

    def __init__(self, width=1400, height=900):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.profile = tempfile.TemporaryDirectory(prefix="propcov-browser-", ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}", "--silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        arguments = FLAGS + [f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]
        wanted = {"goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")}, "goog:loggingPrefs": {"browser": "ALL"}}
        for _ in range(100):
            try:
                self.session = self.request("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        else:
            raise RuntimeError("chromedriver does not answer")

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:2000]}") from None

    def call(self, method, path, body=None):
        return self.request(method, f"/session/{self.session}{path}", body)

    def command(self, name, **parameters):
        """A command of the developer tools."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """What a script returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=10):
        """Waits until a script returns something true, and returns that."""
        end = time.time() + seconds
        while time.time() < end:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"never true: {script}")

    def click(self, selector):
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{list(element.values())[0]}/click", {})

    def keys(self, *keys):
        """Presses keys, one after the other, wherever the focus is."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def size(self, width, height):
        """The size of the page itself, however small."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        """What the system prefers: light or dark."""
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def pdf(self):
        return base64.b64decode(self.call("POST", "/print", {}))

    def console(self):
        """What the console has said since it was asked last."""
        return [entry for entry in self.call("POST", "/se/log", {"type": "browser"}) if entry["level"] not in ("DEBUG",)]

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
