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
import uuid

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
    "s3": ['bucket = "%(bucket)s"', 'key = "%(name)s/state"', "use_lockfile = true", "use_path_style = true"],
}
# Where the objects of a state are: the member of what the server tells, what their names begin with, and the state itself.
OBJECTS = {"azurerm": ("blobs", "tfc/%s/", "state"), "consul": ("keys", "%s/", "state"), "cos": ("objects", "tfb-125/%s/", "terraform.tfstate"),
           "gcs": ("objects", "tfb/%s/", "default.tfstate"), "s3": ("objects", "tfb/%s/", "state")}


class StateServer:
    """One server, and states on it by name."""

    def __init__(self, kind, work):
        self.kind, self.backend = kind, {"azurite": "azurerm", "hcp": "remote", "radosgw": "s3"}.get(kind, kind)
        self.server = {"azurite": Azurite, "radosgw": Radosgw, **case_server.KINDS}[kind](work)
        self.env = {k: v for k, v in self.server.env.items() if not k.endswith("_ADDRESS")}  # which is in the block
        self.url = self.server.address[:-len("/state")] if kind == "http" else self.server.url

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()

    def block(self, name, url=None, more=()):
        told = {"name": name, "url": url or self.url, "bucket": getattr(self.server, "bucket", "tfb")}
        lines = [line % told for line in BLOCKS[self.backend] + getattr(self.server, "block", [])] + list(more)
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
        if self.kind == "radosgw":
            return [k for k in self.server.objects(name + "/") if k != name + "/state"] + self.server.locks(name + "/")
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


def started(name):
    """What scripts/servers says of a server that others use, too."""
    out = subprocess.run([os.path.join(case_server.ROOT, "scripts", "servers"), "start", name], stdout=subprocess.PIPE, text=True).stdout
    if not out:
        raise case_server.Absent("the server \"%s\" is not installed" % name)
    return dict(line.split("=", 1) for line in out.splitlines())


class Radosgw:
    """Ceph's gateway, with a bucket of its own, and with locks in Dynalite's table as well where that is installed."""

    def __init__(self, work):
        self.url, self.bucket, self.block, self.table = started("radosgw")["XPLAN_TEST_RADOSGW"], "b-" + uuid.uuid4().hex, [], None
        self.env = {"AWS_ENDPOINT_URL_S3": self.url, "AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secretsecret",
                    "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}
        self.block += ["skip_credentials_validation = true", "skip_requesting_account_id = true"]
        try:
            self.table = self.env["AWS_ENDPOINT_URL_DYNAMODB"] = started("dynalite")["XPLAN_TEST_DYNALITE"]
            self.block += ['dynamodb_table = "locks"']
        except case_server.Absent as e:
            print("not tested: %s" % e)
        self.ask("s3", "-X", "PUT", self.url + "/" + self.bucket)

    def ask(self, service, *request):
        """What it answers; the request is signed."""
        empty = [] if service != "s3" else ["-H", "x-amz-content-sha256: " + hashlib.sha256().hexdigest()]
        return subprocess.run(["curl", "-sf", "--aws-sigv4", "aws:amz:us-east-1:" + service, "--user", "AKIATEST:secretsecret", *empty, *request],
                              check=True, stdout=subprocess.PIPE, text=True).stdout

    def objects(self, prefix):
        found = self.ask("s3", "%s/%s?list-type=2&prefix=%s" % (self.url, self.bucket, urllib.parse.quote(prefix, safe="")))
        return re.findall(r"<Key>([^<]*)</Key>", found)

    def locks(self, prefix):
        """The items of the table, without the digests of states."""
        if not self.table:
            return []
        found = json.loads(self.ask("dynamodb", "-H", "Content-Type: application/x-amz-json-1.0", "-H", "X-Amz-Target: DynamoDB_20120810.Scan",
                                    "-d", '{"TableName": "locks"}', self.table + "/"))
        names = [item["LockID"]["S"] for item in found["Items"]]
        return [n for n in names if n.startswith(self.bucket + "/" + prefix) and not n.endswith("-md5")]

    def close(self):
        pass  # others use it, too


class Azurite(case_server.Azurerm):
    """The maker's own server of blobs, behind azurerm.py."""

    def __init__(self, work):
        told = started("azurite")
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
