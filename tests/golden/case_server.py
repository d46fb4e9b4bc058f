"""Servers of state backends for differential cases: one, or one database of one, for each program and case."""
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Absent(Exception):
    """The server is not installed."""


class Http:
    """Requests are those that change something: method, path, and what there is beside a body."""
    MASK = r"127\.0\.0\.1:\d+"

    def __init__(self, work):
        self.log, port = work + ".requests", work + ".port"
        open(self.log, "w").close()
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", "http_state.py"), "--port-file", port,
                                         "--log", self.log, "--user", "user:pass word"])
        while not os.path.exists(port) or not open(port).read():
            time.sleep(0.02)
        self.address = "http://127.0.0.1:%s/state" % open(port).read()
        self.env = {"TF_HTTP_ADDRESS": self.address + "?b=2&a=1", "TF_HTTP_LOCK_ADDRESS": self.address, "TF_HTTP_UNLOCK_ADDRESS": self.address,
                    "TF_HTTP_USERNAME": "user", "TF_HTTP_PASSWORD": "pass word", "TF_HTTP_RETRY_WAIT_MIN": "1", "STATE_SERVER": self.address[:-6]}
        self.seen = 0

    def state(self, workspace):
        request = urllib.request.Request(self.address, headers={"Authorization": "Basic dXNlcjpwYXNzIHdvcmQ="})
        try:
            return urllib.request.urlopen(request).read().decode()
        except urllib.error.HTTPError:
            return ""

    def requests(self):
        lines = [json.loads(line) for line in open(self.log)]
        new, self.seen = lines[self.seen:], len(lines)
        kept = ("Content-Type", "Content-Length", "Content-Md5", "Transfer-Encoding", "Authorization")
        return ["%s %s %d %s" % (r["method"], r["path"], r["status"],
                                 sorted(h for h in map(str.title, r["headers"]) if h in kept)) for r in new if r["method"] != "GET"]

    def close(self):
        self.process.kill()
        self.process.wait()


class Pg:
    MASK = r"127\.0\.0\.1:\d+/case_[0-9a-f]+"

    def __init__(self, work):
        url = os.environ.get("XPLAN_TEST_PG", "")
        if not url:
            out = subprocess.run([os.path.join(ROOT, "scripts", "servers"), "start", "pg"], stdout=subprocess.PIPE, text=True).stdout
            url = dict(line.split("=", 1) for line in out.splitlines()).get("XPLAN_TEST_PG", "")
        if not url:
            raise Absent("the server \"pg\" is not installed")
        self.server, self.name = url, "case_" + uuid.uuid4().hex
        self.psql(self.server, "CREATE DATABASE %s" % self.name)
        self.url = url.rsplit("/", 1)[0] + "/" + self.name
        self.env = {"PG_CONN_STR": self.url}

    def psql(self, url, sql):
        return subprocess.run(["psql", url, "-qAtc", sql], check=True, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def state(self, workspace):
        try:
            return self.psql(self.url, "SELECT data FROM terraform_remote_state.states WHERE name = '%s'" % workspace)
        except subprocess.CalledProcessError:
            return ""

    def requests(self):
        return []

    def close(self):
        self.psql(self.server, "DROP DATABASE %s WITH (FORCE)" % self.name)


class S3:
    """Requests are those that changed something: method and path. Who reads may ask in ways of its own."""
    MASK = r"127\.0\.0\.1:\d+"

    def __init__(self, work):
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", "s3.py"), "--port", "0", "--stay"],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.env = {"AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secretsecret",
                    "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", "STATE_SERVER": self.url}
        self.seen = 0

    def control(self):
        return json.load(urllib.request.urlopen(self.url + "/_control"))

    def state(self, workspace):
        key = "net/terraform.tfstate" if workspace == "default" else "env:/%s/net/terraform.tfstate" % workspace
        return self.control()["objects"].get("tfb/" + key, "")

    def requests(self):
        log = self.control()["log"]
        new, self.seen = log[self.seen:], len(log)
        return ["%s %s" % (r["method"], r["path"].split("?")[0]) for r in new
                if r["method"] in ("PUT", "DELETE") and r["status"] < 300 and ".journal/" not in r["path"]]

    def close(self):
        self.process.kill()
        self.process.wait()


KINDS = {"http": Http, "pg": Pg, "s3": S3}
