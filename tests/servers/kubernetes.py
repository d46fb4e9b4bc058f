#!/usr/bin/env python3
"""A server for tests that speaks Kubernetes: secrets and leases, their labels and versions.

It takes any token until a test says {"token": "…"}; {"secrets": {"name": object or null}} and {"leases": …} set and remove objects,
{"limit": bytes} is what the data of a secret may have at most.

Usage: kubernetes.py [--port N] [--log FILE] [--stay]
"""
import base64, json, re, time, urllib.parse, uuid

import faulty
from faulty import Refusal

KINDS = {"secrets": ("v1", "Secret"), "leases": ("coordination.k8s.io/v1", "Lease")}
NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")


class World(faulty.World):
    def __init__(self):
        super().__init__()
        self.forget()

    def forget(self):
        super().forget()
        self.objects, self.index, self.token, self.limit = {"secrets": {}, "leases": {}}, 100, "", 1048576

    def order(self, order):
        self.token, self.limit = order.get("token", self.token), order.get("limit", self.limit)
        for kind in KINDS:
            for name, o in order.get(kind, {}).items():
                if o is None:
                    self.objects[kind].pop(name, None)
                else:
                    self.keep(kind, "default", name, o)

    def told(self):
        return dict(self.objects, states={n: self.state(o) for n, o in self.objects["secrets"].items()})

    def state(self, o):
        try:
            return base64.b64encode(base64.b64decode((o.get("data") or {}).get("tfstate", ""))).decode()
        except (AttributeError, ValueError):  # a test may set anything
            return ""

    def keep(self, kind, namespace, name, o):
        self.index += 1
        old = self.objects[kind].get(name, {}).get("metadata", {})
        version, kind_name = KINDS[kind]
        o["apiVersion"], o["kind"] = version, kind_name
        if kind == "secrets":
            o.setdefault("type", "Opaque")
        m = o.setdefault("metadata", {})
        m.update(name=name, namespace=namespace, resourceVersion=str(self.index), uid=old.get("uid") or str(uuid.uuid4()),
                 creationTimestamp=old.get("creationTimestamp") or "2026-01-02T03:04:05Z")
        self.objects[kind][name] = o
        return o


class Handler(faulty.Handler):
    def serve(self):
        w = self.world
        said = self.headers.get("Authorization", "")
        if w.token and said not in ("Bearer " + w.token, "Basic dXNlcjpwYXNz"):
            raise Refusal(401, ("Unauthorized", "Unauthorized"))
        m = re.fullmatch(r"(?:/prefix)?/(?:api/v1|apis/coordination\.k8s\.io/v1)/namespaces/([^/]+)/(secrets|leases)(?:/([^/]+))?", self.raw_path)
        if not m:
            raise Refusal(404, ("NotFound", "the server could not find the requested resource"))
        namespace, kind, name = m[1], m[2], urllib.parse.unquote(m[3] or "")
        if namespace == "forbidden":
            raise Refusal(403, ("Forbidden", f'{kind} is forbidden: User "u" cannot use resource "{kind}" in the namespace "forbidden"'))
        with w.lock:
            return self.objects(namespace, kind, name)

    def refused(self, x):
        reason, message = x.text
        return x.status, {"Content-Type": "application/json"}, json.dumps(
            {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "reason": reason, "code": x.status})

    def json(self, o, status=200):
        return status, {"Content-Type": "application/json"}, json.dumps(o)

    def objects(self, namespace, kind, name):
        w = self.world
        all = w.objects[kind]
        if not name and self.command == "GET":
            wanted = dict(p.split("=", 1) for p in self.args.get("labelSelector", "").split(",") if p)
            found = [o for o in all.values() if all_in(wanted, o["metadata"].get("labels") or {})]
            version, kind_name = KINDS[kind]
            return self.json({"apiVersion": version, "kind": kind_name + "List", "metadata": {"resourceVersion": str(w.index)}, "items": found})
        there = all.get(name)
        if self.command in ("GET", "DELETE", "PUT") and there is None:
            raise Refusal(404, ("NotFound", f'{kind} "{name}" not found'))
        if self.command == "GET":
            return self.json(there)
        if self.command == "DELETE":
            wanted = json.loads(self.body or b"{}").get("preconditions", {}).get("resourceVersion")
            if wanted and wanted != there["metadata"]["resourceVersion"]:
                raise Refusal(409, ("Conflict", "the ResourceVersion in the precondition does not match"))
            del all[name]
            return self.json({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"})
        o = json.loads(self.body)
        made = o.get("metadata", {}).get("name", "")
        if self.command == "POST" and made in all:
            raise Refusal(409, ("AlreadyExists", f'{kind} "{made}" already exists'))
        if not NAME.fullmatch(made) or (name and made != name):
            raise Refusal(422, ("Invalid", f'{kind} "{made}" is invalid: metadata.name'))
        sizes = [len(base64.b64decode(v)) for v in (o.get("data") or {}).values()]
        if sum(sizes) > w.limit:
            raise Refusal(422, ("Invalid", f'Secret "{made}" is invalid: data: Too long: may not be more than {w.limit} bytes'))
        wanted = o.get("metadata", {}).get("resourceVersion", "")
        if self.command == "PUT" and wanted and wanted != there["metadata"]["resourceVersion"]:
            raise Refusal(409, ("Conflict", f'Operation cannot be fulfilled on {kind} "{made}": the object has been modified'))
        return self.json(w.keep(kind, namespace, made, o), 201 if self.command == "POST" else 200)


def all_in(wanted, labels):
    return all(labels.get(k) == v for k, v in wanted.items())


if __name__ == "__main__":
    faulty.main(__doc__, Handler, World())
