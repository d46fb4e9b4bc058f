#!/usr/bin/env python3
"""HCP Terraform's API as far as states, workspaces and locks go, for tests of the backend "remote" and the cloud block.

    hcp.py DIR [PORT]

Prints its URL, which is also that of a proxy: what is asked of https://HOST through it is answered here, with the certificate
DIR/cert.pem, whatever the host. The API is at app.example.test; states go to and come from archive.example.test, where a token must never
be sent. Tokens "good" and "other" are accepted, those of two users. The organization is "acme". It ends when its standard input ends.

GET /_control (without a host) tells workspaces, states and the log; POST /_control takes {"set": {"workspace": {attribute: value}}},
{"world": {name: value}} with
  snapshot_interval, old (states come in the request itself), archive (the host of states), api_version, operations (of the organization), tells_reason (of locks),
{"forget": true} to empty the log, and {"faults": [rule…]}. A rule is {"method", "ends", "contains", "skip": n, "times": n} and what happens
to a request that it fits: "status", "headers" and "body" answer instead; "delay" in seconds, "reset" and "truncate": n bytes; "also": it
is carried out all the same; "merge": an object that is laid over the answer's.
"""
import base64, hashlib, http.server, json, os, re, socketserver, ssl, struct, socket, subprocess, sys, threading, time, urllib.parse

TOKENS = {"good": "ann", "other": "bob"}
APP = "app.example.test"


class World:
    def __init__(self):
        self.lock = threading.RLock()
        self.snapshot_interval, self.old, self.archive, self.api_version = None, False, "archive.example.test", "2.6"
        self.operations = self.tells_reason = True
        self.new_workspace = {"execution-mode": "local", "terraform-version": "1.11.4"}
        self.workspaces, self.versions, self.log, self.faults = {}, {}, [], []
        self.projects = {"prj-default": "Default Project", "prj-net": "net"}
        self.ids = 0

    def id(self, kind):
        self.ids += 1
        return "%s-%016d" % (kind, self.ids)

    def named(self, name):
        return next((w for w in self.workspaces.values() if w["attributes"]["name"] == name), None)

    def create(self, attributes, project="prj-default", bindings=None):
        w = {"id": self.id("ws"), "attributes": {"locked": False, "operations": True, "resource-count": 0, "tag-names": [],
             "permissions": dict.fromkeys(("can-update", "can-destroy", "can-queue-run", "can-lock", "can-unlock", "can-force-unlock",
                                           "can-read-settings", "can-read-state-versions"), True), "actions": {"is-destroyable": True},
             **self.new_workspace, **attributes}, "project": project, "bindings": bindings or [], "current": None, "locked-by": None}
        w["attributes"]["operations"] = w["attributes"]["execution-mode"] != "local"
        self.workspaces[w["id"]] = w
        return w


world = World()


class Refusal(Exception):
    def __init__(self, status, title, detail=""):
        self.status, self.body = status, {"errors": [{"status": str(status), "title": title, **({"detail": detail} if detail else {})}]}


def shown_workspace(w):
    out = {"id": w["id"], "type": "workspaces", "attributes": w["attributes"], "relationships": {
        "organization": {"data": {"id": "acme", "type": "organizations"}}, "project": {"data": {"id": w["project"], "type": "projects"}}}}
    if w["locked-by"]:
        out["relationships"]["locked-by"] = {"data": {"id": "user-" + w["locked-by"], "type": "users"}}
    return out


def shown_version(v, fresh=False):
    host, path = "https://" + world.archive, "/object/" + v["id"]
    a = {k: v[k] for k in ("serial", "md5", "lineage", "created-at")}
    a.update({"size": len(v["state"] or b""), "status": "finalized" if v["state"] is not None else "pending", "resources-processed": True,
              "state-version": 4, "terraform-version": "1.11.4",
              "hosted-state-download-url": host + path, "hosted-json-state-download-url": host + path + "/json"})
    if fresh and not world.old:
        a.update({"hosted-state-upload-url": host + path, "hosted-json-state-upload-url": host + path + "/json"})
    return {"id": v["id"], "type": "state-versions", "attributes": a, "relationships": {"outputs": {"data": [
        {"id": "wsout-%s-%s" % (v["id"], name), "type": "state-version-outputs"} for name in sorted(outputs_of(v))]}}}


def outputs_of(v):
    try:
        return json.loads(v["outputs"] or b"{}")
    except ValueError:
        return {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and bodies are written one after the other
    tls_host = None

    def log_message(self, *_):
        pass

    def do_CONNECT(self):
        self.send_response(200, "Connection established")
        self.end_headers()
        self.tls_host = self.path.rsplit(":", 1)[0]
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb", -1), self.connection.makefile("wb", 0)
        self.close_connection = False

    def handle(self):
        try:
            super().handle()
        except (ssl.SSLError, ConnectionError, ValueError):
            pass

    def body_of(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            out = b""
            while n := int(self.rfile.readline().split(b";")[0], 16):
                out += self.rfile.read(n)
                self.rfile.readline()
            self.rfile.readline()
            return out
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_GET(self):
        self.body = self.body_of()
        if not self.tls_host:
            return self.control()
        path, _, query = self.path.partition("?")
        self.query = urllib.parse.parse_qs(query, keep_blank_values=True)
        entry = {"method": self.command, "host": self.tls_host, "path": path, "query": query,
                 "headers": {k.lower(): v for k, v in self.headers.items()}, "body": self.body.decode(errors="replace")}
        rule = self.rule(path)
        if rule and rule.get("delay"):
            time.sleep(rule["delay"])
        status, headers, out = 0, {}, b""
        only_late = rule and not any(k in rule for k in ("status", "reset", "truncate", "body", "headers"))
        if not rule or only_late or rule.get("also"):
            status, headers, out = self.answer(path)
        if rule and "merge" in rule and isinstance(out, dict):
            out = merged(out, rule["merge"])
        if rule and not only_late:
            status, out = rule.get("status", status or 200), rule.get("body", out)
            headers = {**headers, **rule.get("headers", {})}
        entry["status"] = status
        with world.lock:
            world.log.append(entry)
        if rule and rule.get("reset"):
            self.close_connection = True
            return self.connection.close()
        self.send(status, out, headers, rule.get("truncate") if rule else None)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def send(self, status, body, headers=(), cut=None):
        body = b"" if body is None or status == 204 else body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for k, v in dict(headers).items():
            self.send_header(k, v)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if cut is not None:
            self.wfile.write(body[:cut])
            self.close_connection = True
            return self.connection.close()
        self.wfile.write(body)

    def rule(self, path):
        with world.lock:
            for r in world.faults:
                if r.get("method", self.command) != self.command or not path.endswith(r.get("ends", "")) or r.get("contains", "") not in path:
                    continue
                if r.get("skip", 0) > 0:
                    r["skip"] -= 1
                    continue
                if r.get("times", 1) <= 0:
                    continue
                r["times"] = r.get("times", 1) - 1
                return r

    def answer(self, path):
        try:
            with world.lock:
                if self.tls_host == world.archive and path.startswith("/object/"):
                    return self.archive(path[8:])
                if self.tls_host != APP:
                    raise Refusal(404, "no such host")
                if path == "/.well-known/terraform.json":
                    return 200, {"Content-Type": "application/json"}, {"tfe.v2": "/api/v2/", "tfe.v2.1": "/api/v2/", "tfe.v2.2": "/api/v2/",
                                                                       "state.v2": "/api/v2/", "motd.v1": "/api/terraform/motd"}
                if not path.startswith("/api/v2/"):
                    raise Refusal(404, "not found")
                status, body = self.api(path[8:])
                more = {"Content-Type": "application/vnd.api+json", "TFP-API-Version": world.api_version, "TFP-AppName": "HCP Terraform"}
                if world.snapshot_interval:
                    more["x-terraform-snapshot-interval"] = str(world.snapshot_interval)
                return status, more, body
        except Refusal as x:
            return x.status, {"Content-Type": "application/vnd.api+json"}, x.body

    def archive(self, name):
        name, _, form = name.partition("/")
        v = world.versions.get(name)
        if not v:
            raise Refusal(404, "not found")
        if self.command == "PUT":
            if form:
                v["json"] = self.body
            else:
                if hashlib.md5(self.body).hexdigest() != v["md5"]:
                    raise Refusal(400, "the checksum does not fit")
                self.keep(v, self.body)
            return 200, {}, b""
        return (200, {"Content-Type": "application/octet-stream"}, v["json"] if form else v["state"]) if v["state"] is not None else (404, {}, b"")

    def keep(self, v, state):
        v["state"] = state
        w = world.workspaces[v["workspace"]]
        w["current"] = v["id"]
        try:
            w["attributes"]["resource-count"] = len(json.loads(state).get("resources", []))
        except ValueError:
            pass

    def api(self, path):
        self.user = TOKENS.get(self.headers.get("Authorization", "")[len("Bearer "):])
        if path == "ping":
            return 204, None
        if not self.user:
            raise Refusal(401, "unauthorized")
        for method, pattern, serve in ROUTES:
            if self.command == method and (m := re.fullmatch(pattern, path)):
                return serve(self, *map(urllib.parse.unquote, m.groups()))
        raise Refusal(404, "not found")

    def given(self):
        try:
            return json.loads(self.body)["data"]
        except (ValueError, KeyError, TypeError):
            raise Refusal(422, "invalid", "the document is not valid")

    def organization(self, org):
        if org != "acme":
            raise Refusal(404, "not found")

    def entitlements(self, org):
        self.organization(org)
        return 200, {"data": {"id": "org-1", "type": "entitlement-sets", "attributes": {
            "operations": world.operations, "state-storage": True, "teams": True, "private-module-registry": True, "sentinel": False,
            "agents": False, "cost-estimation": False, "vcs-integrations": True}}}

    def find(self, org, name):
        self.organization(org)
        w = world.named(name)
        if not w:
            raise Refusal(404, "not found", "Workspace not found")
        out = {"data": shown_workspace(w)}
        if "locked_by" in self.query.get("include", [""])[0] and w["locked-by"]:
            out["included"] = [{"id": "user-" + w["locked-by"], "type": "users", "attributes": {"username": w["locked-by"]}}]
        return 200, out

    def list(self, org):
        self.organization(org)
        q = {k: v[0] for k, v in self.query.items()}
        all_ = sorted(world.workspaces.values(), key=lambda w: w["attributes"]["name"])
        all_ = [w for w in all_ if q.get("search[name]", "") in w["attributes"]["name"]]
        for tag in filter(None, q.get("search[tags]", "").split(",")):
            all_ = [w for w in all_ if tag in w["attributes"]["tag-names"] + [b["key"] for b in w["bindings"]]]
        if "filter[project][id]" in q:
            all_ = [w for w in all_ if w["project"] == q["filter[project][id]"]]
        i = 0
        while "filter[tagged][%d][key]" % i in q:
            key, value = q["filter[tagged][%d][key]" % i], q.get("filter[tagged][%d][value]" % i)
            all_ = [w for w in all_ if any(b["key"] == key and (not value or b.get("value", "") == value) for b in w["bindings"])]
            i += 1
        return self.page(q, [shown_workspace(w) for w in all_])

    def page(self, q, all_):
        number, size = int(q.get("page[number]", 1)), int(q.get("page[size]", 20))
        pages = max(1, -(-len(all_) // size))
        return 200, {"data": all_[(number - 1) * size:number * size], "meta": {"pagination": {
            "current-page": number, "page-size": size, "prev-page": number - 1 or None, "next-page": number + 1 if number < pages else None,
            "total-pages": pages, "total-count": len(all_)}}}

    def make(self, org):
        self.organization(org)
        d = self.given()
        name = d["attributes"].get("name", "")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,90}", name):
            raise Refusal(422, "invalid attribute", "Name can only include letters, numbers, -, and _.")
        if world.named(name):
            raise Refusal(422, "invalid attribute", "Name has already been taken")
        relations = d.get("relationships", {})
        tags = [t["attributes"]["name"] for t in relations.get("tags", {}).get("data", [])]
        bindings = [b["attributes"] for b in relations.get("tag-bindings", {}).get("data", [])]
        project = (relations.get("project", {}).get("data") or {}).get("id", "prj-default")
        kept = {k: v for k, v in d["attributes"].items() if k in ("name", "execution-mode", "terraform-version", "source-name") and v}
        return 201, {"data": shown_workspace(world.create({**kept, "tag-names": tags}, project, bindings))}

    def workspace(self, id_):
        if id_ not in world.workspaces:
            raise Refusal(404, "not found")
        return world.workspaces[id_]

    def by_id(self, id_):
        return 200, {"data": shown_workspace(self.workspace(id_))}

    def change(self, id_):
        w = self.workspace(id_)
        d = self.given()
        w["attributes"].update({k: v for k, v in d.get("attributes", {}).items() if k in ("name", "execution-mode", "terraform-version")})
        return 200, {"data": shown_workspace(w)}

    def delete(self, id_):
        del world.workspaces[self.workspace(id_)["id"]]
        return 204, None

    def delete_by_name(self, org, name):
        return self.delete(self.find(org, name)[1]["data"]["id"])

    def safe_delete(self, id_):
        if self.workspace(id_)["attributes"]["resource-count"]:
            raise Refusal(409, "conflict", "Cannot safely delete workspace: it has resources under management")
        return self.delete(id_)

    def safe_delete_by_name(self, org, name):
        return self.safe_delete(self.find(org, name)[1]["data"]["id"])

    def acquire(self, id_):
        w = self.workspace(id_)
        if w["attributes"]["locked"]:
            raise Refusal(409, "conflict", "Unable to lock workspace. The workspace is already locked.")
        w["attributes"]["locked"], w["locked-by"] = True, self.user
        try:
            given = json.loads(self.body)
            given = given.get("data", {}).get("attributes", {}) if "data" in given else given
            w["attributes"]["locked-reason"] = given.get("reason", "") if world.tells_reason else None
        except ValueError:
            pass
        return 200, {"data": shown_workspace(w)}

    def release(self, id_, forced=False):
        w = self.workspace(id_)
        if not w["attributes"]["locked"]:
            raise Refusal(409, "conflict", "The workspace is not locked.")
        if not forced and w["locked-by"] != self.user:
            raise Refusal(409, "conflict", "The workspace is locked by another user. Use force-unlock.")
        w["attributes"]["locked"], w["attributes"]["locked-reason"], w["locked-by"] = False, "", None
        return 200, {"data": shown_workspace(w)}

    def add_tags(self, id_):
        w = self.workspace(id_)
        for d in self.given():
            if d["attributes"]["name"] not in w["attributes"]["tag-names"]:
                w["attributes"]["tag-names"].append(d["attributes"]["name"])
        return 204, None

    def bindings(self, id_):
        w = self.workspace(id_)
        if self.command != "GET":
            given = {d["attributes"]["key"]: d["attributes"] for d in self.given()}
            w["bindings"] = [b for b in w["bindings"] if b["key"] not in given] + list(given.values())
        return 200, {"data": [{"id": "tb-%d" % i, "type": "tag-bindings", "attributes": b} for i, b in enumerate(w["bindings"])]}

    def list_projects(self, org):
        self.organization(org)
        names = self.query.get("filter[names]", [""])[0].split(",")
        all_ = [{"id": k, "type": "projects", "attributes": {"name": v}} for k, v in world.projects.items()
                if names == [""] or v in names]
        return self.page({k: v[0] for k, v in self.query.items()}, all_)

    def make_project(self, org):
        self.organization(org)
        id_ = world.id("prj")
        world.projects[id_] = self.given()["attributes"]["name"]
        return 201, {"data": {"id": id_, "type": "projects", "attributes": {"name": world.projects[id_]}}}

    def current(self, id_):
        w = self.workspace(id_)
        if not w["current"]:
            raise Refusal(404, "not found")
        return 200, {"data": shown_version(world.versions[w["current"]]), **self.included(world.versions[w["current"]])}

    def version(self, id_):
        if id_ not in world.versions:
            raise Refusal(404, "not found")
        return 200, {"data": shown_version(world.versions[id_]), **self.included(world.versions[id_])}

    def described_outputs(self, v):
        return [{"id": "wsout-%s-%s" % (v["id"], name), "type": "state-version-outputs", "attributes": {
            "name": name, "sensitive": o.get("sensitive", False), "type": o.get("type"), "detailed-type": o.get("type"),
            "value": None if o.get("sensitive") else o.get("value")}} for name, o in sorted(outputs_of(v).items())]

    def included(self, v):
        return {"included": self.described_outputs(v)} if "outputs" in self.query.get("include", [""])[0] else {}

    def outputs(self, id_):
        w = self.workspace(id_)
        if not w["current"]:
            raise Refusal(404, "not found")
        return 200, {"data": self.described_outputs(world.versions[w["current"]])}

    def output(self, id_, name):
        if id_ not in world.versions or name not in outputs_of(world.versions[id_]):
            raise Refusal(404, "not found")
        o = outputs_of(world.versions[id_])[name]
        return 200, {"data": {"id": "wsout-%s-%s" % (id_, name), "type": "state-version-outputs", "attributes": {
            "name": name, "sensitive": o.get("sensitive", False), "type": o.get("type"), "detailed-type": o.get("type"), "value": o.get("value")}}}

    def push(self, id_):
        w = self.workspace(id_)
        a = self.given()["attributes"]
        if not w["attributes"]["locked"] or w["locked-by"] != self.user:
            raise Refusal(409, "conflict", "The workspace must be locked by you before a state version can be created.")
        there = world.versions.get(w["current"] or "")
        if there and not a.get("force"):
            if a.get("lineage") and a["lineage"] != there["lineage"]:
                raise Refusal(409, "conflict", "The lineage does not fit.")
            if a["serial"] < there["serial"] or (a["serial"] == there["serial"] and a["md5"] != there["md5"]):
                raise Refusal(409, "conflict", "The serial is not greater than that of the current state version.")
        v = {"id": world.id("sv"), "workspace": id_, "serial": a["serial"], "md5": a["md5"], "lineage": a.get("lineage", ""), "state": None,
             "json": base64.b64decode(a.get("json-state") or ""), "outputs": base64.b64decode(a.get("json-state-outputs") or ""),
             "created-at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())}
        if world.old and not a.get("state"):
            raise Refusal(422, "invalid attribute", "state is required")
        world.versions[v["id"]] = v
        if a.get("state"):
            state = base64.b64decode(a["state"])
            if hashlib.md5(state).hexdigest() != v["md5"]:
                raise Refusal(422, "invalid attribute", "the checksum does not fit")
            self.keep(v, state)
        return 201, {"data": shown_version(v, True)}

    def control(self):
        with world.lock:
            if self.command == "POST":
                told = json.loads(self.body)
                for name, attributes in told.get("set", {}).items():
                    w = world.named(name) or world.create({"name": name})
                    state = attributes.pop("state", None)
                    w["locked-by"] = attributes.pop("locked-by", w["locked-by"])
                    w["project"], w["bindings"] = attributes.pop("project", w["project"]), attributes.pop("bindings", w["bindings"])
                    w["attributes"].update(attributes)
                    if state is not None:
                        s = json.loads(state) if state else {}
                        v = {"id": world.id("sv"), "workspace": w["id"], "serial": s.get("serial", 0), "lineage": s.get("lineage", ""), "json": b"", "outputs": b"",
                             "md5": hashlib.md5(state.encode()).hexdigest(), "created-at": "2026-01-01T00:00:00Z"}
                        world.versions[v["id"]] = v
                        self.keep(v, state.encode())
                for name, value in told.get("world", {}).items():
                    setattr(world, name, value)
                world.faults = told.get("faults", world.faults)
                if told.get("forget"):
                    world.log.clear()
            states = {w["attributes"]["name"]: world.versions[w["current"]]["state"].decode(errors="replace")
                      for w in world.workspaces.values() if w["current"]}
            self.send(200, {"workspaces": {w["attributes"]["name"]: w for w in world.workspaces.values()}, "states": states, "log": world.log})


def merged(a, b):
    return {**a, **{k: merged(a[k], v) if isinstance(v, dict) and isinstance(a.get(k), dict) else v for k, v in b.items()}}


ROUTES = [
    ("GET", r"organizations/([^/]+)/entitlement-set", Handler.entitlements),
    ("GET", r"organizations/([^/]+)/workspaces", Handler.list),
    ("POST", r"organizations/([^/]+)/workspaces", Handler.make),
    ("GET", r"organizations/([^/]+)/workspaces/([^/]+)", Handler.find),
    ("DELETE", r"organizations/([^/]+)/workspaces/([^/]+)", Handler.delete_by_name),
    ("POST", r"organizations/([^/]+)/workspaces/([^/]+)/actions/safe-delete", Handler.safe_delete_by_name),
    ("GET", r"organizations/([^/]+)/projects", Handler.list_projects),
    ("POST", r"organizations/([^/]+)/projects", Handler.make_project),
    ("GET", r"workspaces/([^/]+)", Handler.by_id),
    ("PATCH", r"workspaces/([^/]+)", Handler.change),
    ("DELETE", r"workspaces/([^/]+)", Handler.delete),
    ("POST", r"workspaces/([^/]+)/actions/safe-delete", Handler.safe_delete),
    ("POST", r"workspaces/([^/]+)/actions/lock", Handler.acquire),
    ("POST", r"workspaces/([^/]+)/actions/unlock", Handler.release),
    ("POST", r"workspaces/([^/]+)/actions/force-unlock", lambda h, id_: h.release(id_, True)),
    ("POST", r"workspaces/([^/]+)/relationships/tags", Handler.add_tags),
    ("GET", r"workspaces/([^/]+)/(?:effective-)?tag-bindings", Handler.bindings),
    ("PATCH", r"workspaces/([^/]+)/tag-bindings", Handler.bindings),
    ("GET", r"workspaces/([^/]+)/current-state-version", Handler.current),
    ("GET", r"workspaces/([^/]+)/current-state-version-outputs", Handler.outputs),
    ("POST", r"workspaces/([^/]+)/state-versions", Handler.push),
    ("GET", r"state-versions/([^/]+)", Handler.version),
    ("GET", r"state-version-outputs/wsout-(sv-\d+)-(.+)", Handler.output),
]


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def certificate(folder):
    cert, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=example.test", "-addext",
                    "subjectAltName=DNS:*.example.test,DNS:app.terraform.io,DNS:localhost", "-keyout", key, "-out", cert],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return cert, key


if __name__ == "__main__":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(sys.argv[1]))
    server = Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("http://127.0.0.1:%d" % server.server_address[1], flush=True)
    if len(sys.argv) > 2:
        threading.Event().wait()
    sys.stdin.read()
