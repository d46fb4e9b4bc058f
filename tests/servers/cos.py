#!/usr/bin/env python3
"""A server for tests that speaks Tencent Cloud's object storage (COS), its tag service and STS, on one port.

Requests reach it through CONNECT, as a proxy, and TLS ends here: the certificate is made at each start, for all the names below.
Signatures of both kinds are checked (sha1 of COS, TC3-HMAC-SHA256 of the others). Everything is in memory. It misbehaves on demand, in
the ways of s3.py.

Usage: cos.py [--port N] [--bucket NAME…] [--page N] [--certificate FILE] [--stay]
Prints its URL and the file of its certificate on a line, and serves until its standard input ends (or, with --stay, until it is ended).

Keys that it knows: AKIDTEST/secretsecret, and what its STS hands out. /_control takes a JSON object by POST: {"faults": [rule…]},
{"forget": true}, {"lifetime": seconds}, {"objects": {"bucket/key": text or null}}, {"tags": {key: value or null}}; GET /_control tells
objects, tags and the log.
"""
import argparse, hashlib, hmac, json, os, ssl, subprocess, sys, tempfile, threading, time, urllib.parse
from xml.sax.saxutils import escape

from s3 import Handler as Base, Refusal, Server

NAMES = ["*.cos.ap-beijing.myqcloud.com", "*.cos.accelerate.myqcloud.com", "*.cos-internal.ap-beijing.tencentcos.cn", "tag.tencentcloudapi.com",
         "tag.internal.tencentcloudapi.com", "sts.tencentcloudapi.com"]
quote = lambda s: urllib.parse.quote(s, safe="-_.~")


def mac(key, text, kind=hashlib.sha256):
    return hmac.new(key if isinstance(key, bytes) else key.encode(), text.encode(), kind)


def crc64_table():
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ 0xC96C5795D7870F42 if n & 1 else n >> 1
        yield n


CRC64 = list(crc64_table())


def crc64(data):
    n = 2**64 - 1
    for b in data:
        n = CRC64[(n ^ b) & 255] ^ n >> 8
    return str(n ^ 2**64 - 1)


class World:
    def __init__(self, args):
        self.lock, self.page, self.names = threading.RLock(), args.page, args.bucket
        self.keys, self.count, self.log_file = {"AKIDTEST": ("secretsecret", "", None)}, 0, None  # key: secret, token, end
        self.forget()

    def forget(self):
        self.buckets, self.tags = {b: {} for b in self.names}, {}
        self.faults, self.log, self.lifetime = [], [], 7200

    def now(self):
        return time.time()


class Handler(Base):
    secure = False

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        self.connection = self.request = self.context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb", -1), self.connection.makefile("wb", 0)
        self.close_connection, self.secure = False, True

    def plain_service(self):
        host = self.headers.get("Host", "").split(":")[0]
        self.action = self.headers.get("X-TC-Action", "")
        return host.split(".")[0] if host in NAMES else "cos" if ".cos" in host else "none"

    def serve_none(self):
        raise Refusal(404, "NotFound", "no such service")

    def refused(self, x):
        if self.service in ("tag", "sts"):
            return self.said({"Error": {"Code": x.code, "Message": x.message}})
        return x.status, {"Content-Type": "application/xml", "x-cos-request-id": "r"}, "" if self.command == "HEAD" else (
            f"<?xml version='1.0' encoding='utf-8' ?>\n<Error><Code>{x.code}</Code><Message>{escape(x.message)}</Message></Error>")

    def said(self, response):
        return 200, {"Content-Type": "application/json"}, json.dumps({"Response": {**response, "RequestId": "r"}})

    def answer(self, status, headers, body=b""):
        if self.cut == "say":
            status, headers, body = self.told.get("status", 200), self.told.get("headers", {}), self.told.get("body", "")
        if self.cut == "corrupt":
            body = b"?" * len(body)
        super().answer(status, headers, body)

    def fault(self, f):
        if f["do"] == "say":
            self.cut, self.told = "say", f
            return False
        if f["do"] == "steal":
            with self.world.lock:
                b, _, k = f["object"].partition("/")
                self.world.buckets[b][k] = {"body": f["text"].encode(), "headers": {}}
            return False
        return super().fault(f)

    def secret(self, access, token):
        secret, wanted, end = self.world.keys.get(access) or (None, None, None)
        if secret is None:
            raise Refusal(403, "InvalidAccessKeyId", "The Access Key Id you provided does not exist in our records")
        if token != wanted or (end is not None and time.time() > end):
            raise Refusal(403, "ExpiredToken", "The security token you provided has expired")
        return secret

    # COS.
    def check_cos(self):
        said = dict(p.partition("=")[::2] for p in self.headers.get("Authorization", "").split("&"))
        if said.get("q-sign-algorithm") != "sha1":
            raise Refusal(403, "AccessDenied", "Access Denied.")
        secret = self.secret(said["q-ak"], self.headers.get("x-cos-security-token", ""))
        begin, end = map(int, said["q-sign-time"].split(";"))
        if not begin <= time.time() + 60 or time.time() > end:
            raise Refusal(403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large")
        low = {quote(k).lower(): v for k, v in urllib.parse.parse_qsl(self.query, keep_blank_values=True)}
        heads = {k.lower(): v for k, v in self.headers.items()}
        pick = lambda names, of: "&".join(f"{n}={quote(of.get(n, ''))}" for n in said[names].split(";") if n)
        for name in heads:
            if name.startswith("x-cos-") and name != "x-cos-security-token" and name not in said["q-header-list"].split(";"):
                raise Refusal(403, "AccessDenied", "not signed: " + name)
        text = "\n".join([self.command.lower(), urllib.parse.unquote(self.raw_path), pick("q-url-param-list", low), pick("q-header-list", heads), ""])
        key = mac(secret, said["q-key-time"], hashlib.sha1).hexdigest()
        made = mac(key, "sha1\n%s\n%s\n" % (said["q-sign-time"], hashlib.sha1(text.encode()).hexdigest()), hashlib.sha1).hexdigest()
        if made != said.get("q-signature"):
            raise Refusal(403, "SignatureDoesNotMatch", "The Signature you specified is invalid: " + text)

    def serve_cos(self):
        self.check_cos()
        if self.cut == "say":
            return 200, {}
        w, key = self.world, urllib.parse.unquote(self.raw_path)[1:]
        bucket = self.headers["Host"].split(".")[0]
        with w.lock:
            if bucket not in w.buckets:
                raise Refusal(404, "NoSuchBucket", "The specified bucket does not exist.")
            objects = w.buckets[bucket]
            if not key:
                return self.listing(bucket, objects)
            if self.command == "PUT":
                md5 = self.headers.get("Content-MD5")
                if md5 and md5 != __import__("base64").b64encode(hashlib.md5(self.body).digest()).decode():
                    raise Refusal(400, "InvalidDigest", "The Content-MD5 you specified is not valid.")
                objects[key] = {"body": self.body, "headers": {k: v for k, v in self.headers.items() if k.lower().startswith(("x-cos-meta", "content-type"))},
                                "encrypted": self.headers.get("x-cos-server-side-encryption", ""), "acl": self.headers.get("x-cos-acl", "")}
                return 200, {"ETag": '"%s"' % hashlib.md5(self.body).hexdigest(), "x-cos-hash-crc64ecma": crc64(self.body)}
            if self.command == "DELETE":
                objects.pop(key, None)
                return 204, {}
            if key not in objects:
                raise Refusal(404, "NoSuchKey", "The specified key does not exist.")
            o = objects[key]
            return 200, {**o["headers"], "ETag": '"%s"' % hashlib.md5(o["body"]).hexdigest(), "Content-Length": str(len(o["body"])),
                         "x-cos-hash-crc64ecma": crc64(o["body"])}, o["body"]

    def listing(self, bucket, objects):
        prefix, marker = self.args.get("prefix", ""), self.args.get("marker", "")
        most = min(int(self.args.get("max-keys", 1000)), self.world.page)
        names = [k for k in sorted(objects) if k.startswith(prefix) and k > marker]
        more = len(names) > most
        url = self.args.get("encoding-type") == "url"
        show = (lambda s: urllib.parse.quote(s)) if url else escape
        text = f"<?xml version='1.0' encoding='utf-8' ?>\n<ListBucketResult><Name>{bucket}</Name><Prefix>{show(prefix)}</Prefix>"
        text += f"<IsTruncated>{str(more).lower()}</IsTruncated>" + (f"<NextMarker>{show(names[most - 1])}</NextMarker>" if more else "")
        for k in names[:most]:
            text += f"<Contents><Key>{show(k)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>{len(objects[k]['body'])}</Size></Contents>"
        return 200, {"Content-Type": "application/xml"}, text + "</ListBucketResult>"

    # Tags and STS.
    def check_tc3(self):
        kind, _, rest = self.headers.get("Authorization", "").partition(" ")
        said = dict(p.strip().partition("=")[::2] for p in rest.split(","))
        if kind != "TC3-HMAC-SHA256":
            raise Refusal(200, "AuthFailure.InvalidAuthorization", "no signature")
        access, day, service, _ = said["Credential"].split("/")
        secret = self.secret(access, self.headers.get("X-TC-Token", ""))
        stamp, names = self.headers["X-TC-Timestamp"], said["SignedHeaders"].split(";")
        heads = {k.lower(): v for k, v in self.headers.items()}
        heads["x-tc-action"] = heads["x-tc-action"].lower()
        text = "\n".join([self.command, "/", self.query, "".join(f"{n}:{heads[n].strip()}\n" for n in names), ";".join(names),
                          hashlib.sha256(self.body).hexdigest()])
        text = f"TC3-HMAC-SHA256\n{stamp}\n{day}/{service}/tc3_request\n" + hashlib.sha256(text.encode()).hexdigest()
        key = mac(mac(mac("TC3" + secret, day).digest(), service).digest(), "tc3_request").digest()
        if mac(key, text).hexdigest() != said["Signature"] or service != self.service or abs(time.time() - int(stamp)) > 300 or \
                time.strftime("%Y-%m-%d", time.gmtime(int(stamp))) != day:
            raise Refusal(200, "AuthFailure.SignatureFailure", "The provided credentials could not be validated.")
        return json.loads(self.body or b"{}")

    def serve_tag(self):
        asked = self.check_tc3()
        if self.cut == "say":
            return 200, {}
        tags, key = self.world.tags, f"{asked.get('TagKey')}={asked.get('TagValue')}"
        with self.world.lock:
            if self.action == "CreateTag":
                if key in tags:
                    raise Refusal(200, "ResourceInUse.TagDuplicate", "tag is duplicate")
                tags[key] = time.time()
            elif self.action == "DeleteTag":
                if key not in tags:
                    raise Refusal(200, "ResourceNotFound.TagNonExist", "tag is not existed")
                del tags[key]
            elif self.action == "DescribeTags":
                found = [{"TagKey": asked.get("TagKey"), "TagValue": asked.get("TagValue"), "CanDelete": 1}] if key in tags else []
                return self.said({"TotalCount": len(found), "Offset": 0, "Limit": 15, "Tags": found})
            else:
                raise Refusal(200, "InvalidAction", "The request action is invalid or not found.")
        return self.said({})

    def serve_sts(self):
        asked = self.check_tc3()
        with self.world.lock:
            self.world.count += 1
            access, secret, token = f"AKIDROLE{self.world.count}", f"secret{self.world.count}", f"token{self.world.count}"
            self.world.keys[access] = (secret, token, time.time() + self.world.lifetime)
        if self.action != "AssumeRole" or not asked.get("RoleArn"):
            raise Refusal(200, "InvalidParameter", "RoleArn")
        return self.said({"Credentials": {"Token": token, "TmpSecretId": access, "TmpSecretKey": secret},
                          "ExpiredTime": int(time.time() + self.world.lifetime)})

    def control(self):
        w = self.world
        with w.lock:
            order = json.loads(self.body or b"{}")
            if order.get("forget"):
                w.forget()
            for name in ("faults", "lifetime", "page"):
                if name in order:
                    setattr(w, name, order[name])
            for name, text in order.get("objects", {}).items():
                b, _, k = name.partition("/")
                if text is None:
                    w.buckets[b].pop(k, None)
                else:
                    w.buckets[b][k] = {"body": text.encode(), "headers": {"x-cos-meta-md5": hashlib.md5(text.encode()).hexdigest()}}
            for key, value in order.get("tags", {}).items():
                w.tags.pop(key, None) if value is None else w.tags.update({key: value})
            every = {f"{b}/{k}": o for b, os in w.buckets.items() for k, o in os.items()}
            out = json.dumps({"objects": {k: o["body"].decode(errors="replace") for k, o in every.items()}, "tags": list(w.tags),
                              "headers": {k: [o["headers"], o.get("encrypted", ""), o.get("acl", "")] for k, o in every.items()},
                              "log": w.log if self.command == "GET" else []})
        self.cut = None
        self.answer(200, {"Content-Type": "application/json"}, out)


def make_certificate(file, hosts=NAMES):
    names = ",".join("DNS:" + n for n in hosts)
    key = tempfile.NamedTemporaryFile(delete=False).name
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj", "/CN=cos.test",
                    "-addext", "subjectAltName=" + names, "-keyout", key, "-out", file], check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    os.unlink(key)
    return context


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--bucket", nargs="*", default=["tfb-125"])
    p.add_argument("--page", type=int, default=1000)
    p.add_argument("--certificate", help="where to write it; without this, in a directory that is removed at the end")
    p.add_argument("--stay", action="store_true")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        certificate = args.certificate or os.path.join(folder, "cos.pem")
        Handler.context, Handler.world = make_certificate(certificate), World(args)
        server = Server(("127.0.0.1", args.port), Handler)
        print(f"http://127.0.0.1:{server.server_address[1]} {certificate}", flush=True)
        if args.stay:
            return server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()


if __name__ == "__main__":
    main()
