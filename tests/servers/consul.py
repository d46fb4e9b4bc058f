#!/usr/bin/env python3
"""A server for tests that speaks Consul: keys and values, transactions, sessions that end and locks with their delay.

It takes the token "secret" (or any, until a test says {"token": "…"}), and user:pass where a request has no token. {"keys":
{"name": text or null}} sets and removes keys, {"hold": {"name": session id}} gives a key to a session, {"end": session id} ends one,
{"limit": bytes} is what a request may have at most.

Usage: consul.py [--port N] [--log FILE] [--stay]
"""
import base64, json, re, threading, time, urllib.parse, uuid

import faulty
from faulty import Refusal


class World(faulty.World):
    def __init__(self):
        super().__init__()
        self.changed = threading.Condition(self.lock)
        self.forget()

    def forget(self):
        super().forget()
        self.keys, self.sessions, self.delayed, self.index = {}, {}, {}, 10
        self.token, self.limit = "", 524288

    def order(self, order):
        self.token, self.limit = order.get("token", self.token), order.get("limit", self.limit)
        for name, text in order.get("keys", {}).items():
            if text is None:
                self.drop(name)
            else:
                self.set(name, text.encode())
        for name, session in order.get("hold", {}).items():
            self.sessions[session] = {"ttl": 3600, "end": time.time() + 3600, "delay": 0, "made": {}}
            self.set(name, b"", flags=3304740253564472344, session=session)
        if "end" in order:
            self.end_session(order["end"])

    def told(self):
        return {"keys": {k: v["value"].decode(errors="replace") for k, v in self.keys.items()}, "sessions": sorted(self.sessions),
                "held": {k: v["session"] for k, v in self.keys.items() if v["session"]}}

    def set(self, name, value, flags=0, session=None):
        self.index += 1
        old = self.keys.get(name)
        self.keys[name] = {"value": value, "flags": flags, "made": old["made"] if old else self.index, "index": self.index,
                           "locks": (old["locks"] if old else 0) + (1 if session and not (old and old["session"]) else 0),
                           "session": old["session"] if old and session is None else session or None}
        self.changed.notify_all()

    def drop(self, name):
        if self.keys.pop(name, None):
            self.index += 1
            self.changed.notify_all()

    def end_session(self, session):
        s = self.sessions.pop(session, None)
        for name, k in self.keys.items():
            if s and k["session"] == session:
                self.index += 1
                k["session"], k["index"] = None, self.index
                self.delayed[name] = time.time() + s["delay"]
        self.changed.notify_all()

    # A session lasts for twice its time: real servers take that long, too.
    def tidy(self):
        for session in [i for i, s in self.sessions.items() if s["end"] < time.time()]:
            self.end_session(session)


def seconds(text):
    m = re.fullmatch(r"([\d.]+)(ms|s|m)", text or "0s")
    return float(m[1]) * {"ms": 0.001, "s": 1, "m": 60}[m[2]]


class Handler(faulty.Handler):
    def serve(self):
        w = self.world
        token = self.headers.get("X-Consul-Token") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        if w.token and token != w.token and token != "Basic dXNlcjpwYXNz":
            raise Refusal(403, "ACL not found" if self.command == "GET" else "Permission denied: token with AccessorID '' lacks permission")
        path = urllib.parse.unquote(self.raw_path)
        with w.lock:
            w.tidy()
            for prefix, what in (("/v1/kv/", self.kv), ("/v1/session/", self.session), ("/v1/txn", self.txn)):
                if path.startswith(prefix):
                    return what(path[len(prefix):])
        raise Refusal(404, "Invalid URL path: not a recognized HTTP API endpoint")

    def json(self, what, status=200):
        text = json.dumps(what)
        return status, {"Content-Type": "application/json", "X-Consul-Index": str(self.world.index)}, text

    def shown(self, name):
        k = self.world.keys[name]
        out = {"LockIndex": k["locks"], "Key": name, "Flags": k["flags"], "Value": base64.b64encode(k["value"]).decode() or None,
               "CreateIndex": k["made"], "ModifyIndex": k["index"]}
        return dict(out, Session=k["session"]) if k["session"] else out

    def kv(self, name):
        w, a = self.world, self.args
        if self.command == "GET":
            return self.read(name)
        if "cas" in a:
            there = w.keys[name]["index"] if name in w.keys else 0
            if int(a["cas"]) != there:
                return self.json(False)
        if self.command == "DELETE":
            for n in [n for n in w.keys if n.startswith(name)] if "recurse" in a else [name]:
                w.drop(n)
            return self.json(True)
        if len(self.body) > w.limit:
            raise Refusal(413, f"Request body(%d bytes) too large, max size: %d bytes. See https://example/limits" % (len(self.body), w.limit))
        session, flags = a.get("acquire") or a.get("release"), int(a.get("flags", 0))
        if "acquire" in a and session not in w.sessions:
            raise Refusal(500, f"invalid session {session!r}")
        holder = w.keys[name]["session"] if name in w.keys else None
        if "acquire" in a:
            if (holder and holder != session) or w.delayed.get(name, 0) > time.time():
                return self.json(False)
            w.set(name, self.body, flags, session)
        elif "release" in a:
            if holder != session:
                return self.json(False)
            w.set(name, self.body, flags, "")
        else:
            w.set(name, self.body, flags)
        return self.json(True)

    def read(self, name):
        w, a = self.world, self.args
        until = time.time() + min(seconds(a.get("wait")) or 300, 300)
        while "index" in a and w.index <= int(a["index"]) and time.time() < until:
            w.changed.wait(0.2)
            w.tidy()
        if "keys" in a:
            found = sorted({n[:n.index(s, len(name)) + 1] if (s := a.get("separator")) and s in n[len(name):] else n
                            for n in w.keys if n.startswith(name)})
            return self.json(found) if found else (404, {"X-Consul-Index": str(w.index)}, "")
        if "raw" in a and name in w.keys:
            return 200, {"Content-Type": "text/plain", "X-Consul-Index": str(w.index)}, w.keys[name]["value"]
        names = sorted(n for n in w.keys if n.startswith(name)) if "recurse" in a else [name] if name in w.keys else []
        return self.json([self.shown(n) for n in names]) if names else (404, {"X-Consul-Index": str(w.index)}, "")

    def txn(self, _):
        w, results, errors, steps = self.world, [], [], []
        if len(self.body) > w.limit:
            raise Refusal(413, f"Request body(%d bytes) too large, max size: %d bytes. See https://example/limits" % (len(self.body), w.limit))
        for i, op in enumerate(json.loads(self.body)):
            kv = op["KV"]
            name, verb, there = kv["Key"], kv["Verb"], w.keys.get(kv["Key"])
            if verb in ("cas", "delete-cas", "check-index") and kv.get("Index", 0) != (there["index"] if there else 0):
                errors.append({"OpIndex": i, "What": f"failed to set key {json.dumps(name)}, index is stale"})
            steps.append((verb, name, base64.b64decode(kv.get("Value") or ""), kv.get("Flags", 0)))
        if errors:
            return self.json({"Results": None, "Errors": errors}, 409)
        for verb, name, value, flags in steps:
            if verb in ("cas", "set"):
                w.set(name, value, flags)
                results.append({"KV": dict(self.shown(name), Value=None)})
            elif verb == "delete-tree":
                for n in [n for n in w.keys if n.startswith(name)]:
                    w.drop(n)
            elif verb in ("delete", "delete-cas"):
                w.drop(name)
        return self.json({"Results": results, "Errors": None})

    def session(self, what):
        w = self.world
        does, _, name = what.partition("/")
        s = w.sessions.get(name)
        if does == "create":
            r, name = json.loads(self.body or b"{}"), str(uuid.uuid4())
            ttl = 2 * seconds(r.get("TTL"))  # which is the least
            w.sessions[name] = {"ttl": ttl, "end": time.time() + ttl, "delay": seconds(r.get("LockDelay", "15s")), "made": r}
            return self.json({"ID": name})
        if does == "destroy":
            w.end_session(name)
            return self.json(True)
        if does == "info":
            return self.json([dict(s["made"], ID=name)] if s else [])
        if does == "renew":
            if not s:
                raise Refusal(404, f"Session id '{name}' not found")
            s["end"] = time.time() + s["ttl"]
            return self.json([dict(s["made"], ID=name)])
        raise Refusal(404, "Invalid URL path: not a recognized HTTP API endpoint")


if __name__ == "__main__":
    faulty.main(__doc__, Handler, World())
