"""Servers of state backends for differential cases: one, or one database of one, for each program and case."""
import base64
import gzip
import json
import os
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Absent(Exception):
    """The server is not installed."""


class Http:
    """Requests are those that change something: method, path, and what there is beside a body."""
    MASK = r"127\.0\.0\.1:\d+"

    def __init__(self, work, scheme="http", options=()):
        self.log, port = work + ".requests", work + ".port"
        open(self.log, "w").close()
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", "http_state.py"), "--port-file", port,
                                         "--log", self.log, "--user", "user:pass word", *options])
        while not os.path.exists(port) or not open(port).read():
            time.sleep(0.02)
        self.address = "%s://127.0.0.1:%s/state" % (scheme, open(port).read())
        self.env = {"TF_HTTP_ADDRESS": self.address + "?b=2&a=1", "TF_HTTP_LOCK_ADDRESS": self.address, "TF_HTTP_UNLOCK_ADDRESS": self.address,
                    "TF_HTTP_USERNAME": "user", "TF_HTTP_PASSWORD": "pass word", "TF_HTTP_RETRY_WAIT_MIN": "1", "STATE_SERVER": self.address[:-6]}
        self.seen = 0

    def state(self, workspace):
        request = urllib.request.Request(self.address, headers={"Authorization": "Basic dXNlcjpwYXNzIHdvcmQ="})
        try:
            return urllib.request.urlopen(request, context=ssl._create_unverified_context()).read().decode()
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


class Https(Http):
    """With a certificate that nobody vouches for, and methods of other servers."""

    def __init__(self, work):
        pem = os.path.join(ROOT, "tests", "golden", "install_data", "server.pem")
        super().__init__(work, "https", ["--tls", pem, pem])
        self.env.update(TF_HTTP_LOCK_ADDRESS=self.address + "/lock", TF_HTTP_UNLOCK_ADDRESS=self.address + "/lock", TF_HTTP_UPDATE_METHOD="PUT",
                        TF_HTTP_LOCK_METHOD="POST", TF_HTTP_UNLOCK_METHOD="DELETE")


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


class Gcs:
    """Requests are those that changed something: method, and the name of the object. Who reads may ask in ways of its own."""
    MASK = r"127\.0\.0\.1:\d+|170000000000\d{4}"  # generations, too

    def __init__(self, work):
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", "gcs.py"), "--port", "0", "--stay"],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.env = {"GOOGLE_STORAGE_CUSTOM_ENDPOINT": self.url + "/storage/v1/", "GOOGLE_OAUTH_ACCESS_TOKEN": "tok", "STATE_SERVER": self.url}
        self.seen = 0

    def control(self):
        return json.load(urllib.request.urlopen(self.url + "/_control"))

    def state(self, workspace):
        return self.control()["objects"].get("tfb/net/%s.tfstate" % workspace, "")

    def requests(self):
        log = self.control()["log"]
        new, self.seen = log[self.seen:], len(log)
        out = []
        for r in new:
            path, _, query = r["path"].partition("?")
            if r["method"] in ("POST", "DELETE") and r["status"] < 300 and ".journal" not in r["path"]:
                name = urllib.parse.parse_qs(query).get("name", [""])[0] or urllib.parse.unquote(path.rpartition("/")[2])
                out.append("%s %s%s" % (r["method"], name, " if absent" if name.endswith(".tflock") and "ifGenerationMatch=0" in query.split("&") else ""))
        return out

    def close(self):
        self.process.kill()
        self.process.wait()


class Azurerm:
    """Requests are those that changed something: method, path and what of the blob. Who reads may ask in ways of its own."""
    MASK = r"127\.0\.0\.1:\d+"

    def __init__(self, work):
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", "azurerm.py"), "--stay",
                                         "--certificate", work + ".certificate.pem"], stdout=subprocess.PIPE, text=True)
        self.url, certificate = self.process.stdout.readline().split()
        self.env = {"HTTPS_PROXY": self.url, "SSL_CERT_FILE": certificate, "ARM_ACCESS_KEY": "c2VjcmV0a2V5", "STATE_SERVER": self.url}
        self.seen = 0

    def control(self):
        return json.load(urllib.request.urlopen(self.url + "/_control"))

    def state(self, workspace):
        return self.control()["blobs"].get("tfc/net/terraform.tfstate" + ("" if workspace == "default" else "env:" + workspace), "")

    def requests(self):
        log = self.control()["log"]
        new, self.seen = log[self.seen:], len(log)
        return ["%s %s" % (r["method"], urllib.parse.unquote(r["path"])) for r in new
                if r["method"] in ("PUT", "DELETE") and r["status"] < 300 and ".journal/" not in r["path"]]

    def close(self):
        self.process.kill()
        self.process.wait()


class Controlled:
    """A server that tests/servers/faulty.py is under. Requests are those that changed something."""
    MASK = r"127\.0\.0\.1:\d+"

    def __init__(self, program):
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", program), "--stay"],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.seen = 0

    def control(self, order=None):
        return json.load(urllib.request.urlopen(self.url + "/_control", data=order and json.dumps(order).encode()))

    def changed(self, r):
        return True

    def requests(self):
        log = self.control()["log"]
        new, self.seen = log[self.seen:], len(log)
        return ["%s %s" % (r["method"], urllib.parse.unquote(r["path"].split("?")[0])) for r in new
                if r["method"] != "GET" and r["status"] < 300 and self.changed(r)]

    def close(self):
        self.process.kill()
        self.process.wait()


class Consul(Controlled):
    """Sessions end by themselves, so not everybody ends them, and not everybody looks before asking for a lock."""

    def __init__(self, work):
        super().__init__("consul.py")
        self.control({"token": "secret"})
        self.env = {"CONSUL_HTTP_ADDR": self.url, "CONSUL_HTTP_TOKEN": "secret", "STATE_SERVER": self.url}

    def state(self, workspace):
        return self.control()["keys"].get("full/path" if workspace == "default" else "full/path-env:" + workspace, "")

    def changed(self, r):
        return "/v1/session/" not in r["path"] and r["answer"] != "false"


class Proxied:
    """Requests are those that changed something: method and path, or the action of another service."""
    MASK = r"127\.0\.0\.1:\d+"

    def __init__(self, work):
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", self.PROGRAM), "--stay",
                                         "--certificate", work + ".certificate.pem"], stdout=subprocess.PIPE, text=True)
        self.url, certificate = self.process.stdout.readline().split()
        self.env = {"HTTPS_PROXY": self.url, "SSL_CERT_FILE": certificate, "STATE_SERVER": self.url, **self.ENV}
        self.seen = 0

    def control(self):
        return json.load(urllib.request.urlopen(self.url + "/_control"))

    def state(self, workspace):
        return self.control()["objects"].get(self.STATE % ("" if workspace == "default" else workspace + "/"), "")

    def requests(self):
        log = self.control()["log"]
        new, self.seen = log[self.seen:], len(log)
        return [r["action"] or "%s %s" % (r["method"], urllib.parse.unquote(r["path"].split("?")[0])) for r in new
                if (r["method"] in ("PUT", "DELETE") or r["action"] in self.ACTIONS) and r["status"] < 300 and ".journal/" not in r["path"]]

    def close(self):
        self.process.kill()
        self.process.wait()


class Cos(Proxied):
    PROGRAM, STATE, ACTIONS = "cos.py", "tfb-125/net/%sterraform.tfstate", ("CreateTag", "DeleteTag")
    ENV = {"TENCENTCLOUD_SECRET_ID": "AKIDTEST", "TENCENTCLOUD_SECRET_KEY": "secretsecret", "TENCENTCLOUD_REGION": "ap-beijing"}


class Oss(Proxied):
    """Nobody reaches the table by a proxy."""
    PROGRAM, STATE, ACTIONS = "oss.py", "tfb/net/%sterraform.tfstate", ("PutRow", "DeleteRow")
    ENV = {"ALICLOUD_ACCESS_KEY": "AKTEST", "ALICLOUD_SECRET_KEY": "secretsecret", "ALICLOUD_REGION": "cn-beijing"}

    def __init__(self, work):
        super().__init__(work)
        self.env["ALICLOUD_TABLESTORE_ENDPOINT"] = self.url


class Kubernetes(Controlled):
    """Who writes a secret for the first time may create it empty, so creations do not count."""

    def __init__(self, work):
        super().__init__("kubernetes.py")
        self.control({"token": "secret"})
        with open(work + ".kubeconfig", "w") as f:
            f.write(json.dumps({"apiVersion": "v1", "kind": "Config", "current-context": "c",
                                "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
                                "clusters": [{"name": "k", "cluster": {"server": self.url}}], "users": [{"name": "u", "user": {}}]}))
        self.env = {"KUBE_CONFIG_PATH": work + ".kubeconfig", "KUBE_TOKEN": "secret", "STATE_SERVER": self.url}

    def state(self, workspace):
        try:
            return gzip.decompress(base64.b64decode(self.control()["states"]["tfstate-%s-state" % workspace])).decode()
        except (KeyError, EOFError, OSError):
            return ""

    def changed(self, r):
        return "/secrets" not in r["path"] or r["method"] != "POST"


class Hcp:
    """Requests are those that changed something: method and path. IDs have numbers of their own in each run. `shown` are the JSON
    forms of states that were sent beside them, in whatever order."""
    MASK = r"127\.0\.0\.1:\d+|(?:ws|sv)-\d+"

    def __init__(self, work):
        os.makedirs(work + ".hcp")
        self.process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "servers", "hcp.py"), work + ".hcp"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.env = {"HTTPS_PROXY": self.url, "https_proxy": self.url, "SSL_CERT_FILE": os.path.join(work + ".hcp", "cert.pem"),
                    "TF_TOKEN_app_example_test": "good", "STATE_SERVER": self.url}
        self.seen = self.seen_shown = 0

    def control(self):
        return json.load(urllib.request.urlopen(self.url + "/_control"))

    def shown(self):
        log = self.control()["log"]
        new, self.seen_shown = log[self.seen_shown:], len(log)
        return [r["body"] for r in new if r["method"] == "PUT" and r["path"].endswith("/json")]

    def state(self, workspace):
        states = self.control()["states"]
        return states.get({"default": "net"}.get(workspace, workspace), states.get("net-" + workspace, ""))

    def requests(self):
        log = self.control()["log"]
        new, self.seen = log[self.seen:], len(log)
        return ["%s %s" % (r["method"], r["path"]) for r in new if r["method"] != "GET" and r["status"] < 300 and not r["path"].endswith("/json")]

    def close(self):
        self.process.kill()
        self.process.wait()


KINDS = {"azurerm": Azurerm, "consul": Consul, "cos": Cos, "gcs": Gcs, "hcp": Hcp, "http": Http, "https": Https, "kubernetes": Kubernetes, "oss": Oss,
         "pg": Pg, "s3": S3}
