#!/usr/bin/env python3
"""A server for tests that speaks Google Cloud Storage (JSON and XML), OAuth, STS, IAM credentials and the metadata service, on one port.

It checks tokens and the signatures of assertions, compares generations, answers pages of listings, wants the key of whoever encrypted
an object, misbehaves on demand, and keeps what it was asked as lines of JSON. Everything is in memory.

Usage: gcs.py [--port N] [--bucket NAME…] [--log FILE] [--page N]
Prints its URL on a line, and serves until its standard input ends (or, with --stay, until it is ended).

Tokens that it knows: "tok", and what its other services hand out. /_control takes a JSON object by POST: {"faults": [rule…]},
{"forget": true}, {"revoke": true: all tokens but the first}, {"lifetime": seconds}, {"page": n}, {"bare": true: no x-goog- headers in
answers}, {"objects": {"bucket/name": text or null}}, {"generation": after which the next ones come}, {"account": true}, which is
answered with the file of a service account that may sign for tokens; GET /_control tells objects, generations, keys and the log.
Rules are those of s3.py. What is refused has the "headers" of the rule.
"""
import argparse, base64, hashlib, json, re, struct, subprocess, sys, threading, time, urllib.parse

from s3 import Handler as Base, Refusal, Server

SCOPES = {"https://www.googleapis.com/auth/devstorage.full_control", "https://www.googleapis.com/auth/cloud-platform"}
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")  # before the digest in a signature


def crc32c_table():
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ 0x82F63B78 if n & 1 else n >> 1
        yield n


CRC32C = list(crc32c_table())


def crc32c(data):
    n = 0xFFFFFFFF
    for b in data:
        n = CRC32C[(n ^ b) & 255] ^ n >> 8
    return base64.b64encode(struct.pack(">I", n ^ 0xFFFFFFFF)).decode()


class World:
    def __init__(self, args):
        self.lock = threading.RLock()
        self.buckets = {b: {} for b in args.bucket}
        self.tokens = {"tok": None}  # token: end
        self.faults, self.log, self.lifetime, self.bare, self.page = [], [], 3600, False, args.page
        self.log_file = args.log and open(args.log, "a")
        self.count, self.generation, self.key = 0, 1700000000000000, None

    def now(self):
        return time.time()

    def issue(self, kind):
        with self.lock:
            self.count += 1
            token = f"ya29.{kind}-{self.count}"
            self.tokens[token] = time.time() + self.lifetime
            return token

    def account(self):
        """The key of the service account: (PEM, modulus)."""
        with self.lock:
            if not self.key:
                run = lambda *a, text=None: subprocess.run(["openssl", *a], input=text, capture_output=True, text=True, check=True).stdout
                pem = run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
                self.key = pem, int(run("rsa", "-noout", "-modulus", text=pem).split("=")[1], 16)
            return self.key


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class Handler(Base):
    def plain_service(self):
        for prefix, name in (("/computeMetadata/", "machine"), ("/token", "oauth"), ("/sts", "exchange"), ("/v1/projects/-/serviceAccounts/", "iam"),
                             ("/upload/storage/v1/b/", "storage"), ("/storage/v1/b/", "storage")):
            if self.raw_path.startswith(prefix):
                return name
        return "xml"

    def serve_storage(self):
        if self.cut == "say":
            return 200, {}
        return self.serve_upload() if self.raw_path.startswith("/upload/") else self.serve_json()

    def json(self, value, status=200):
        return status, {"Content-Type": "application/json; charset=UTF-8"}, json.dumps(value)

    def refused(self, x):
        more = x.more.get("headers", {})
        if self.service == "xml":
            return x.status, {"Content-Type": "application/xml", **more}, (
                f"<?xml version='1.0' encoding='UTF-8'?><Error><Code>{x.code}</Code><Message>{x.message}</Message></Error>")
        if self.service in ("oauth", "exchange"):
            return x.status, {"Content-Type": "application/json", **more}, json.dumps({"error": x.code, "error_description": x.message})
        return x.status, {"Content-Type": "application/json; charset=UTF-8", **more}, json.dumps({"error": {
            "code": x.status, "message": x.message, "errors": [{"message": x.message, "domain": "global", "reason": x.code}]}})

    def fault(self, f):
        if f["do"] == "refuse":
            raise Refusal(f.get("status", 500), f.get("code", "backendError"), f.get("message", "We encountered an internal error."),
                          headers=f.get("headers", {}))
        if f["do"] == "steal":  # another client is faster
            with self.world.lock:
                b, _, k = f["object"].partition("/")
                self.put(self.world.buckets[b], k, f["text"].encode())
            return False
        return super().fault(f)

    def answer(self, status, headers, body=b""):
        if self.cut == "say":
            f = self.said
            status, headers, body = f.get("status", 200), f.get("headers", {}), f.get("body", "") * f.get("repeat", 1)
        if self.cut == "corrupt":
            body = b"?" * len(body)
        super().answer(status, headers, body)

    # Storage.
    def check_token(self):
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        end = self.world.tokens.get(token, 0)
        if kind != "Bearer" or (end is not None and end < time.time()):
            raise Refusal(401, "authError", "Invalid Credentials")

    def bucket(self, name):
        self.check_token()
        if name not in self.world.buckets:
            raise Refusal(404, "notFound" if self.service != "xml" else "NoSuchBucket", "The specified bucket does not exist.")
        return self.world.buckets[name]

    def put(self, objects, name, body, **more):
        self.world.generation += 7
        objects[name] = {"body": body, "generation": str(self.world.generation), "key": "", "type": "", **more}
        return objects[name]

    def customer_key(self):
        h = self.headers
        if not h.get("x-goog-encryption-algorithm"):
            return ""
        key = base64.b64decode(h.get("x-goog-encryption-key", ""))
        said = base64.b64encode(hashlib.sha256(key).digest()).decode()
        if h["x-goog-encryption-algorithm"] != "AES256" or len(key) != 32 or h.get("x-goog-encryption-key-sha256") != said:
            raise Refusal(400, "customerEncryptionKeyFormatIsInvalid", "Missing or invalid customer encryption key.")
        return said

    def open_object(self, o, xml=False):
        key = self.customer_key()
        if o["key"] != key:
            reason = "resourceIsEncryptedWithCustomerEncryptionKey" if o["key"] else "resourceNotEncryptedWithCustomerEncryptionKey"
            raise Refusal(400, reason, "The target object is encrypted by a customer-supplied encryption key." if o["key"] else
                          "The target object is not encrypted by a customer-supplied encryption key.")

    def meta(self, bucket, name, o, sums=True):
        out = {"kind": "storage#object", "id": f"{bucket}/{name}/{o['generation']}", "name": name, "bucket": bucket,
               "generation": o["generation"], "metageneration": "1", "contentType": o["type"], "size": str(len(o["body"])),
               "storageClass": "STANDARD", "timeCreated": "2026-01-01T00:00:00.000Z", "updated": "2026-01-01T00:00:00.000Z"}
        if sums:
            out.update(md5Hash=base64.b64encode(hashlib.md5(o["body"]).digest()).decode(), crc32c=crc32c(o["body"]))
        if o.get("kms"):
            out["kmsKeyName"] = o["kms"] + "/cryptoKeyVersions/1"
        if o["key"]:
            out["customerEncryption"] = {"encryptionAlgorithm": "AES256", "keySha256": o["key"]}
        return out

    def compare(self, o):
        said = self.args.get("ifGenerationMatch")
        if said is not None and said != (o["generation"] if o else "0"):
            raise Refusal(412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.")

    def media(self, o):
        headers = {"Content-Type": o["type"] or "application/octet-stream", "ETag": '"%s"' % o["generation"]}
        if not self.world.bare:
            headers.update({"X-Goog-Generation": o["generation"], "X-Goog-Metageneration": "1", "X-Goog-Stored-Content-Length": str(len(o["body"])),
                            "X-Goog-Hash": f"crc32c={crc32c(o['body'])},md5={base64.b64encode(hashlib.md5(o['body']).digest()).decode()}"})
        return 200, headers, o["body"]

    def serve_json(self):
        m = re.fullmatch(r"/storage/v1/b/([^/]+)/o(?:/([^/]+))?", self.raw_path)
        if not m:
            raise Refusal(404, "notFound", "Not Found")
        bucket, name = urllib.parse.unquote(m[1]), m[2] and urllib.parse.unquote(m[2])
        with self.world.lock:
            objects = self.bucket(bucket)
            if name is None:
                return self.listing(bucket, objects)
            o = objects.get(name)
            if o is None or self.args.get("generation", o["generation"]) != o["generation"]:
                raise Refusal(404, "notFound", f"No such object: {bucket}/{name}")
            self.compare(o)
            if self.command == "DELETE":
                del objects[name]
                return 204, {}
            if self.args.get("alt") == "media":
                self.open_object(o)
                return self.media(o)
            return self.json(self.meta(bucket, name, o, not o["key"] or self.customer_key() == o["key"]))

    def listing(self, bucket, objects):
        prefix, delimiter = self.args.get("prefix", ""), self.args.get("delimiter", "")
        most = min(int(self.args.get("maxResults", 1000)), self.world.page)
        start = base64.urlsafe_b64decode(self.args.get("pageToken", "")).decode()
        items, prefixes, last = [], [], ""
        for name in sorted(n for n in objects if n.startswith(prefix)):
            at = name.find(delimiter, len(prefix)) if delimiter else -1
            entry = name if at < 0 else name[:at + len(delimiter)]
            if entry <= start or entry in prefixes:
                continue
            if len(items) + len(prefixes) == most:
                return self.json({"kind": "storage#objects", "nextPageToken": base64.urlsafe_b64encode(last.encode()).decode(),
                                  "prefixes": prefixes, "items": items})
            items.append(self.meta(bucket, name, objects[name])) if at < 0 else prefixes.append(entry)
            last = entry
        return self.json({"kind": "storage#objects", **({"prefixes": prefixes} if prefixes else {}), **({"items": items} if items else {})})

    def serve_upload(self):
        m = re.fullmatch(r"/upload/storage/v1/b/([^/]+)/o", self.raw_path)
        if not m or self.command != "POST":
            raise Refusal(404, "notFound", "Not Found")
        bucket, name = urllib.parse.unquote(m[1]), self.args.get("name", "")
        about, kind, body = {}, self.headers.get("Content-Type", ""), self.body
        if self.args.get("uploadType") == "multipart":
            boundary = re.fullmatch(r'multipart/related; ?boundary="?([^"]+)"?', kind)[1].encode()
            parts = (b"\r\n" + self.body).split(b"\r\n--" + boundary)
            if len(parts) != 4 or not parts[3].startswith(b"--"):
                raise Refusal(400, "badContent", "Malformed multipart body.")
            (_, meta), (head, body) = (p.lstrip(b"\r\n").split(b"\r\n\r\n", 1) for p in parts[1:3])
            about = json.loads(meta)
            kind = about.get("contentType") or re.search(rb"(?i)content-type: *([^\r\n]*)", head)[1].decode()
            name = name or about.get("name", "")
        elif self.args.get("uploadType") != "media":
            raise Refusal(400, "invalid", "uploadType")
        with self.world.lock:
            objects = self.bucket(bucket)
            self.compare(objects.get(name))
            for said, made in ((about.get("md5Hash"), base64.b64encode(hashlib.md5(body).digest()).decode()), (about.get("crc32c"), crc32c(body))):
                if said and said != made:
                    raise Refusal(400, "invalid", "Provided hash does not match calculated hash.")
            o = self.put(objects, name, body, key=self.customer_key(), type=kind, kms=self.args.get("kmsKeyName", ""))
            return self.json(self.meta(bucket, name, o))

    def serve_xml(self):
        bucket, _, name = urllib.parse.unquote(self.raw_path)[1:].partition("/")
        with self.world.lock:
            objects = self.bucket(bucket)
            if name not in objects:
                raise Refusal(404, "NoSuchKey", "The specified key does not exist.")
            self.open_object(objects[name])
            return self.media(objects[name])

    # Who gives tokens.
    def token(self, kind):
        return self.json({"access_token": self.world.issue(kind), "expires_in": self.world.lifetime, "token_type": "Bearer"})

    def serve_oauth(self):
        grant = self.form.get("grant_type")
        if grant == "refresh_token":
            if (self.form.get("refresh_token"), self.form.get("client_id"), self.form.get("client_secret")) != ("1//refresh", "id", "client-secret"):
                raise Refusal(400, "invalid_grant", "Bad Request")
            return self.token("user")
        if grant != "urn:ietf:params:oauth:grant-type:jwt-bearer":
            raise Refusal(400, "unsupported_grant_type", "Invalid grant_type")
        text, _, signature = self.form.get("assertion", "").rpartition(".")
        n = self.world.account()[1]
        digest = hashlib.sha256(text.encode()).digest()
        wanted = b"\0\1" + b"\xff" * (256 - 3 - len(SHA256) - 32) + b"\0" + SHA256 + digest
        if pow(int.from_bytes(decoded(signature), "big"), 65537, n).to_bytes(256, "big") != wanted:
            raise Refusal(400, "invalid_grant", "Invalid JWT Signature.")
        claims = json.loads(decoded(text.split(".")[1]))
        now = time.time()
        if claims["iss"] != "robot@project.example" or not claims["aud"].endswith("/token") or not set(claims["scope"].split()) <= SCOPES or \
                not now - 300 < claims["iat"] <= now + 300 or claims["exp"] - claims["iat"] > 3600:
            raise Refusal(400, "invalid_grant", "Invalid JWT: claims")
        return self.token("robot")

    def serve_exchange(self):
        try:
            asked = self.form or json.loads(self.body or b"{}")
        except ValueError:
            asked = {}
        subject = asked.get("subject_token", "")
        if asked.get("grant_type") != "urn:ietf:params:oauth:grant-type:token-exchange" or not asked.get("audience") or subject != "subject":
            raise Refusal(400, "invalid_grant", "The subject token is not valid: " + subject)
        return self.token("federated")

    def serve_iam(self):
        self.check_token()
        account, _, verb = urllib.parse.unquote(self.raw_path).rpartition("/")[2].partition(":")
        if verb != "generateAccessToken" or account == "nobody@project.example":
            raise Refusal(403, "forbidden", "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).")
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.world.lifetime))
        return self.json({"accessToken": self.world.issue("impersonated"), "expireTime": end})

    def serve_machine(self):
        if self.headers.get("Metadata-Flavor") != "Google":
            raise Refusal(403, "forbidden", "Missing Metadata-Flavor:Google header.")
        if self.raw_path == "/computeMetadata/v1/subject":  # for federated identities
            return 200, {"Metadata-Flavor": "Google"}, json.dumps({"value": "subject"})
        if self.raw_path != "/computeMetadata/v1/instance/service-accounts/default/token":
            raise Refusal(404, "notFound", "Not Found")
        status, headers, body = self.token("machine")
        return status, {**headers, "Metadata-Flavor": "Google"}, body

    # What a test tells and asks.
    def control(self):
        w = self.world
        with w.lock:
            order = json.loads(self.body or b"{}")
            if order.get("forget"):
                w.log, w.faults, w.lifetime, w.bare = [], [], 3600, False
                for x in w.buckets.values():
                    x.clear()
            if order.get("revoke"):
                w.tokens = {"tok": None}
            for name in ("faults", "lifetime", "page", "bare"):
                if name in order:
                    setattr(w, name, order[name])
            w.generation = order.get("generation", w.generation)
            for name, text in order.get("objects", {}).items():
                b, _, k = name.partition("/")
                if text is None:
                    w.buckets[b].pop(k, None)
                else:
                    self.put(w.buckets[b], k, text.encode())
            every = {f"{b}/{k}": o for b, os in w.buckets.items() for k, o in os.items()}
            out = {"objects": {k: o["body"].decode(errors="replace") for k, o in every.items()},
                   "generations": {k: o["generation"] for k, o in every.items()},
                   "keys": {k: o["key"] or o.get("kms", "") for k, o in every.items()},
                   "log": w.log if self.command == "GET" else []}
            if order.get("account"):
                out["account"] = {"type": "service_account", "project_id": "project", "private_key_id": "1", "private_key": w.account()[0],
                                  "client_email": "robot@project.example", "token_uri": f"http://{self.headers['Host']}/token"}
        self.cut = None
        self.answer(*self.json(out))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--bucket", nargs="*", default=["tfb"])
    p.add_argument("--log")
    p.add_argument("--page", type=int, default=1000)
    p.add_argument("--stay", action="store_true")
    args = p.parse_args()
    Handler.world = World(args)
    server = Server(("127.0.0.1", args.port), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    if args.stay:
        return server.serve_forever()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
