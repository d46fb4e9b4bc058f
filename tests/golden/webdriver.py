"""A headless Chromium, through chromedriver: just what the tests of pages need, with the standard library alone."""
import base64
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile

from pseudo_terminal import Failed

# Nothing that asks for a network.
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1200,900"]
KEYS = {"enter": "\ue007", "escape": "\ue00c", "down": "\ue015", "up": "\ue013", "left": "\ue012", "tab": "\ue004", "space": "\ue00d"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="browser-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       start_new_session=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = int(line.rstrip().rstrip(".").rsplit(" ", 1)[1])
                break
        if port is None:
            raise Failed("chromedriver does not start")
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        options = {"binary": shutil.which("chromium"), "args": [*ARGUMENTS, "--user-data-dir=" + self.profile]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def ask(self, method, path, body=None):
        self.connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
        value = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise Failed("%s: %s" % (path, value["message"].splitlines()[0]))
        return value

    def do(self, path, **body):
        return self.ask("POST", self.session + path, body)

    def open(self, path):
        self.do("/url", url="file://" + path)

    def js(self, script, *args):
        """What the script returns; its promise is waited for."""
        return self.do("/execute/async", script="const done = arguments[arguments.length - 1]; const args = arguments;"
                       "(async () => { %s })().then(done, (e) => done('error: ' + e));" % script, args=list(args))

    def keys(self, *keys):
        """Types into what has the focus."""
        actions = [{"type": t, "value": k} for key in keys for k in ([KEYS[key]] if key in KEYS else key) for t in ("keyDown", "keyUp")]
        self.do("/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def click(self, selector):
        element = self.do("/element", using="css selector", value=selector)[ELEMENT]
        self.do("/element/%s/click" % element)

    def cdp(self, command, **params):
        return self.do("/goog/cdp/execute", cmd=command, params=params)

    def messages(self):
        """What the page has complained of."""
        return [m["message"] for m in self.do("/se/log", type="browser")]

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.ask("GET", self.session + "/screenshot")))

    def close(self):
        try:
            self.ask("DELETE", self.session)
        finally:
            os.killpg(self.driver.pid, signal.SIGTERM)
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)
