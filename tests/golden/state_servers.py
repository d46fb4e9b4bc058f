"""Servers of states for tests that take many states on one server: the backend block of each, and what is beside it."""
import base64
import datetime
import hashlib
import hmac
import json
import os
import re
import ssl
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import case_server

BLOCKS = {
    "azurerm": ['storage_account_name = "tfacct"', 'container_name = "tfc"', 'key = "%(name)s/state"'],
    "consul": ['path = "%(name)s/state"'],
    "cos": ['bucket = "tfb-125"', 'prefix = "%(name)s"'],
    "gcs": ['bucket = "tfb"', 'prefix = "%(name)s"'],
    "http": ['address = "%(url)s/%(name)s"', 'lock_address = "%(url)s/%(name)s"', 'unlock_address = "%(url)s/%(name)s"'],
    "kubernetes": ['secret_suffix = "%(name)s"', 'host = "%(url)s"', 'token = "secret"'],
    "pg": ['schema_name = "%(name)s"'],
    "remote": ['hostname = "app.example.test"', 'organization = "acme"', 'workspaces {\n      name = "%(name)s"\n    }'],
    "s3": ['bucket = "tfb"', 'key = "%(name)s/state"', "use_lockfile = true", "use_path_style = true"],
}
# Where the objects of a state are: the member of what the server tells, what their names begin with, and the state itself.
OBJECTS = {"azurerm": ("blobs", "tfc/%s/", "state"), "consul": ("keys", "%s/", "state"), "cos": ("objects", "tfb-125/%s/", "terraform.tfstate"),
           "gcs": ("objects", "tfb/%s/", "default.tfstate"), "s3": ("objects", "tfb/%s/", "state")}


class StateServer:
    """One server, and states on it by name."""

    def __init__(self, kind, work):
        self.kind, self.backend = kind, {"azurite": "azurerm", "hcp": "remote"}.get(kind, kind)
        self.server = Azurite(work) if kind == "azurite" else case_server.KINDS[kind](work)
        self.env = {k: v for k, v in self.server.env.items() if not k.endswith("_ADDRESS")}  # which is in the block
        self.url = self.server.address[:-len("/state")] if kind == "http" else self.server.url

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()

    def block(self, name, url=None, more=()):
        lines = [line % {"name": name, "url": url or self.url} for line in BLOCKS[self.backend]] + list(more)
        return "terraform {\n  backend \"%s\" {\n%s  }\n}\n" % (self.backend, "".join("    %s\n" % line for line in lines))

    def order(self, what):
        urllib.request.urlopen(urllib.request.Request(self.server.url + "/_control", data=json.dumps(what).encode())).read()

    def beside(self, name):
        """What there is beside the state; locks that are held, too."""
        if self.kind == "pg":
            tables = self.server.psql(self.server.url, "SELECT table_name FROM information_schema.tables WHERE table_schema = '%s'" % name).split()
            return [t for t in tables if t != "states" and self.server.psql(self.server.url, "SELECT 1 FROM %s.%s LIMIT 1" % (name, t)).strip()]
        if self.kind == "azurite":
            return [k for k in self.server.blobs(name + "/") if k != name + "/state"]
        if self.kind == "http":
            return []
        told = self.server.control()
        if self.kind == "kubernetes":
            return [k for k, o in told["leases"].items() if k.endswith("-" + name) and o.get("spec", {}).get("holderIdentity")]
        if self.kind == "hcp":
            return ["a lock"] if told["workspaces"][name]["attributes"]["locked"] else []
        member, prefix, state = (p % name if "%s" in p else p for p in OBJECTS[self.kind])
        return [k for k in told[member] if k.startswith(prefix) and k != prefix + state] + \
               [k for k, lease in told.get("leases", {}).items() if k.startswith(prefix) and lease]


class Azurite(case_server.Azurerm):
    """The maker's own server of blobs, behind azurerm.py."""

    def __init__(self, work):
        out = subprocess.run([os.path.join(case_server.ROOT, "scripts", "servers"), "start", "azurite"], stdout=subprocess.PIPE, text=True).stdout
        told = dict(line.split("=", 1) for line in out.splitlines())
        if not told:
            raise case_server.Absent("the server \"azurite\" is not installed")
        self.url, certificate = told["XPLAN_TEST_AZURITE"], told["XPLAN_TEST_AZURITE_CERTIFICATE"]
        self.env = {"HTTPS_PROXY": self.url, "SSL_CERT_FILE": certificate, "ARM_ACCESS_KEY": "c2VjcmV0a2V5"}
        try:
            self.ask("PUT", {"restype": "container"})
        except urllib.error.HTTPError as e:
            if e.code != 409:  # it exists
                raise

    def ask(self, method, query):
        """What it answers about the container; the request is signed with the key of the account."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT")
        headers = {"x-ms-date": now, "x-ms-version": "2023-11-03"}
        text = method + "\n" * 12 + "".join("%s:%s\n" % h for h in sorted(headers.items())) + "/tfacct/tfc" + \
            "".join("\n%s:%s" % q for q in sorted(query.items()))
        mac = hmac.new(b"secretkey", text.encode(), hashlib.sha256).digest()
        headers["Authorization"] = "SharedKey tfacct:" + base64.b64encode(mac).decode()
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"https": self.url}),
                                             urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=self.env["SSL_CERT_FILE"])))
        url = "https://tfacct.blob.core.windows.net/tfc?" + urllib.parse.urlencode(query)
        return opener.open(urllib.request.Request(url, method=method, headers=headers)).read().decode()

    def blobs(self, prefix):
        return re.findall(r"<Name>([^<]*)</Name>", self.ask("GET", {"comp": "list", "prefix": prefix, "restype": "container"}))

    def close(self):
        pass  # others use it, too
