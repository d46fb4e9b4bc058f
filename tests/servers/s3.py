#!/usr/bin/env python3
"""A server for tests that speaks S3, DynamoDB, STS, IAM, SSO with its OIDC, KMS and the two metadata services, on one port.

It checks signatures (SigV4), honours conditions of requests, answers pages of listings, misbehaves on demand, and keeps what it
was asked as lines of JSON. Everything is in memory; times and keys are fixed where they can be.

Usage: s3.py [--port N] [--bucket NAME…] [--table NAME…] [--log FILE] [--conditions honour|ignore|unimplemented|bare] [--page N]
Prints its URL on a line, and serves until its standard input ends (or, with --stay, until it is ended).

SSO knows the token sso-token until {"sign_on": [token…]} says otherwise; OIDC gives others for the token refresh-0, and each time another
one for the next time. KMS has the key alias/state. Keys that it knows: AKIATEST/secretsecret (account 123456789012), and what its STS, SSO and metadata services hand out.
/_control takes a JSON object by POST: {"faults": [rule…]}, {"forget": true}, {"conditions": "…"}, {"clock": seconds},
{"lifetime": seconds}, {"expire": true} (temporary keys end now), {"sign_on": [token…]}, {"objects": {"bucket/key": text or null}}; GET /_control tells objects, items and the log.
A rule is {"on": {"method", "service", "ends", "query", "has", "action"}, "skip": n, "times": n, "do": NAME, …}: see fault().
"""
import argparse, base64, collections, datetime, hashlib, hmac, http.server, json, os, re, socket, socketserver, struct, sys, threading
import time, urllib.parse, zlib
from xml.sax.saxutils import escape, unescape

ACCOUNT = "123456789012"
NS = ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'


class World:
    def __init__(self, args):
        self.lock = threading.RLock()
        self.buckets = {b: {} for b in args.bucket}
        self.tables = {t: {} for t in args.table}
        self.keys = {"AKIATEST": ("secretsecret", "", None)}  # access key: secret, token, end
        self.faults, self.log, self.clock, self.lifetime = [], [], 0, 3600
        self.conditions, self.page, self.log_file = args.conditions, args.page, args.log and open(args.log, "a")
        self.count = 0
        self.sign_on, self.refresh = {"sso-token"}, 0  # tokens, and the number of the next refresh token
        self.meetings, self.met = {}, []  # barriers by rule, and the rules whose requests were there at the same time

    def now(self):
        return time.time() + self.clock

    def issue(self, prefix, who=""):
        """A temporary key of this kind, as the services hand them out."""
        with self.lock:
            self.count += 1
            access, secret, token = f"ASIA{prefix}{self.count}", f"secret{self.count}", f"token/{prefix}+{self.count}="
            end = self.now() + self.lifetime
            self.keys[access] = (secret, token, end)
            stamp = datetime.datetime.fromtimestamp(end, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            return access, secret, token, stamp, int(end * 1000)


class Refusal(Exception):
    def __init__(self, status, code, message, **more):
        self.status, self.code, self.message, self.more = status, code, message, more


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def check_signature(world, r):
    """Raises Refusal unless the request is signed as AWS wants it."""
    head = r.headers.get("Authorization", "")
    m = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, ?"
                     r"SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})", head)
    if not m:
        raise Refusal(403, "AccessDenied", "the request is not signed" if not head else "bad Authorization: " + head)
    access, day, region, service, names, signature = m.groups()
    secret, token, end = world.keys.get(access) or (None, None, None)
    if secret is None:
        raise Refusal(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
    if r.headers.get("X-Amz-Security-Token", "") != token:
        raise Refusal(403, "InvalidToken", "The provided token is malformed or otherwise invalid.")
    if end is not None and world.now() > end:
        raise Refusal(400, "ExpiredToken", "The provided token has expired.")
    stamp = r.headers.get("X-Amz-Date", "")
    sent = datetime.datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc).timestamp()
    if abs(sent - world.now()) > 900:
        code = "RequestTimeTooSkewed" if service == "s3" else "SignatureDoesNotMatch"
        raise Refusal(403, code, "Signature expired: the difference between the request time and the current time is too large.")
    signed = names.split(";")
    for name in r.headers:
        low = name.lower()
        if (low.startswith("x-amz-") or low in ("host", "content-md5")) and low not in signed:
            raise Refusal(403, "AccessDenied", f"There were headers present in the request which were not signed: {low}")
    if signed != sorted(set(signed)) or stamp[:8] != day or service not in ("s3", "dynamodb", "sts", "iam", "kms"):
        raise Refusal(403, "AuthorizationHeaderMalformed", "scope or order of headers")
    body = hashlib.sha256(r.body).hexdigest()
    said = r.headers.get("X-Amz-Content-Sha256", "")
    if service == "s3" and not said:
        raise Refusal(400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256")
    if said and said not in (body, "UNSIGNED-PAYLOAD"):
        raise Refusal(400, "XAmzContentSHA256Mismatch", "The provided 'x-amz-content-sha256' header does not match.")
    path = r.raw_path if service == "s3" else urllib.parse.quote(r.raw_path, safe="/-_.~")
    query = sorted((urllib.parse.quote(k, safe="-_.~"), urllib.parse.quote(v, safe="-_.~"))
                   for k, v in urllib.parse.parse_qsl(r.query, keep_blank_values=True))
    canonical = "\n".join([
        r.command, path, "&".join(f"{k}={v}" for k, v in query),
        "".join(f"{n}:{re.sub(' +', ' ', ','.join(r.headers.get_all(n, [''])).strip())}\n" for n in signed),
        names, said or body])
    scope = f"{day}/{region}/{service}/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n" + hashlib.sha256(canonical.encode()).hexdigest()
    key = mac(mac(mac(mac(b"AWS4" + secret.encode(), day), region), service), "aws4_request")
    if not hmac.compare_digest(mac(key, text).hex(), signature):
        raise Refusal(403, "SignatureDoesNotMatch", "The request signature we calculated does not match: " + canonical)
    return service


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and bodies are written one after the other
    world = None

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return super().date_time_string(self.world.now())

    # What is common to all requests.
    def handle_any(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            self.body = b""
            while n := int(self.rfile.readline().split(b";")[0], 16):
                self.body += self.rfile.read(n)
                self.rfile.readline()
            self.rfile.readline()
        else:
            self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("http://"):  # as to a proxy
            self.path = "/" + self.path.split("/", 3)[3]
        self.raw_path, _, self.query = self.path.partition("?")
        self.args = dict(urllib.parse.parse_qsl(self.query, keep_blank_values=True))
        self.form = {}
        if self.headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded"):
            self.form = dict(urllib.parse.parse_qsl(self.body.decode(), keep_blank_values=True))
        target = self.headers.get("X-Amz-Target", "")
        self.action = target.rpartition(".")[2] or self.form.get("Action", "")
        self.service = "kms" if target.startswith("TrentService.") else "dynamodb" if target else "sts" if self.action else self.plain_service() or "s3"
        if self.raw_path == "/_control":
            return self.control()
        entry = {"method": self.command, "path": self.path, "service": self.service, "action": self.action,
                 "headers": [[k, v] for k, v in self.headers.items()], "form": self.form,
                 "body": self.body.decode(errors="replace")}
        self.cut = None
        rule = self.rule()
        try:
            if rule and self.fault(rule):
                answer = None
            else:
                answer = getattr(self, "serve_" + self.service)()
        except Refusal as x:
            answer = self.refused(x)
        except (ValueError, KeyError) as x:
            answer = self.refused(Refusal(400, "MalformedRequest", repr(x)))
        if self.cut == "after":
            answer = None
        entry["status"] = answer[0] if answer else 0
        with self.world.lock:
            self.world.log.append(entry)
            if self.world.log_file:
                print(json.dumps(entry), file=self.world.log_file, flush=True)
        if answer is None:
            self.reset()
        else:
            self.answer(*answer)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_any

    def plain_service(self):
        for prefix, name in (("/latest/", "imds"), ("/federation/", "sso"), ("/token", "oidc"), ("/container", "container")):
            if self.raw_path.startswith(prefix):
                return name

    def reset(self):
        self.close_connection = True
        try:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        except OSError:
            pass

    def answer(self, status, headers, body=b""):
        body = body.encode() if isinstance(body, str) else body
        shown = len(body)
        if self.cut == "truncate":
            body = body[:len(body) // 2]
            self.close_connection = True
        try:
            self.send_response(status)
            for k, v in headers.items():
                self.send_header(k, v)
            self.send_header("x-amz-request-id", "4442587FB7D0A2F9")
            if status != 204 and "Content-Length" not in headers:
                self.send_header("Content-Length", str(shown))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
                self.wfile.flush()
        except OSError:
            self.close_connection = True

    def refused(self, x):
        if self.service == "s3":
            more = "".join(f"<{k}>{escape(v)}</{k}>" for k, v in x.more.items())
            return x.status, {"Content-Type": "application/xml"}, (
                f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{x.code}</Code><Message>{escape(x.message)}</Message>'
                f"{more}<RequestId>4442587FB7D0A2F9</RequestId><HostId>host</HostId></Error>") if x.status != 304 else ""
        if self.service == "kms":
            return x.status, {"Content-Type": "application/x-amz-json-1.1"}, json.dumps({"__type": x.code, "message": x.message})
        if self.service == "dynamodb":
            return x.status, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps(
                {"__type": "com.amazonaws.dynamodb.v20120810#" + x.code, "message": x.message})
        if self.service == "sts":
            return x.status, {"Content-Type": "text/xml"}, (
                f'<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>{x.code}</Code>'
                f"<Message>{escape(x.message)}</Message></Error><RequestId>r</RequestId></ErrorResponse>")
        if self.service == "oidc":
            return x.status, {"Content-Type": "application/json", "x-amzn-ErrorType": x.code}, json.dumps(
                {"error": "invalid", "error_description": x.message})
        return x.status, {"Content-Type": "application/json"}, json.dumps({"code": x.code, "message": x.message})

    # Faults.
    def rule(self):
        with self.world.lock:
            for f in self.world.faults:
                on = f.get("on", {})
                if on.get("method") not in (None, self.command) or on.get("service") not in (None, self.service):
                    continue
                if on.get("action") not in (None, self.action) or not self.raw_path.endswith(on.get("ends", "")):
                    continue
                if not self.path.endswith(on.get("query", "")) or on.get("has", "") not in self.path:  # the path with its arguments
                    continue
                if f.get("skip", 0) > 0:
                    f["skip"] -= 1
                    continue
                if f.get("times", 1) <= 0:
                    continue
                f["times"] = f.get("times", 1) - 1
                return f

    def fault(self, f):
        """True: the connection is reset without an answer."""
        what = f["do"]
        if what == "wait":
            time.sleep(f["seconds"])
        elif what == "meet":  # is answered when that many are there at the same time
            with self.world.lock:
                barrier = self.world.meetings.setdefault(f["name"], threading.Barrier(f["count"], lambda: self.world.met.append(f["name"])))
            try:
                barrier.wait(10)
            except threading.BrokenBarrierError:
                pass
        elif what == "reset":
            return True
        elif what in ("after", "truncate", "corrupt"):  # done, but the answer is lost, cut, or differs
            self.cut = what
        elif what == "refuse":
            raise Refusal(f.get("status", 500), f.get("code", "InternalError"), f.get("message", "We encountered an internal error."))
        elif what == "slow":
            raise Refusal(503, "SlowDown", "Please reduce your request rate.")
        elif what == "steal":  # another client is faster
            with self.world.lock:
                b, _, k = f["object"].partition("/")
                self.world.buckets[b][k] = self.made(f["text"].encode(), {})
        elif what == "say":  # whatever it is
            self.cut = "say"
            self.said = f
        return False

    # S3.
    def made(self, body, headers):
        headers = {k.lower(): v for k, v in headers.items()}
        ssec = headers.get("x-amz-server-side-encryption-customer-key-md5", "")
        return {"body": body, "etag": '"%s"' % hashlib.md5(body + ssec.encode()).hexdigest(), "ssec": ssec,
                "headers": {k: v for k, v in headers.items() if k.startswith(("x-amz-", "content-type"))},
                "time": self.world.now()}

    def serve_s3(self):
        w = self.world
        check_signature(w, self)
        path = urllib.parse.unquote(self.raw_path)[1:]
        host = self.headers.get("Host", "").split(":")[0]
        if host.split(".")[0] in w.buckets:
            path = host.split(".")[0] + "/" + path
        bucket, _, key = path.partition("/")
        with w.lock:
            if bucket not in w.buckets:
                raise Refusal(404, "NoSuchBucket", "The specified bucket does not exist", BucketName=bucket)
            if self.cut == "say":
                return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
            if not key and self.command == "POST" and "delete" in self.args:
                return self.delete_many(w.buckets[bucket])
            if not key:
                return self.listing(w.buckets[bucket], bucket)
            return getattr(self, "object_" + self.command)(w.buckets[bucket], key)

    def listing(self, objects, bucket):
        if self.command != "GET" or self.args.get("list-type") != "2":
            raise Refusal(501, "NotImplemented", "A header you provided implies functionality that is not implemented.")
        prefix, url = self.args.get("prefix", ""), self.args.get("encoding-type") == "url"
        most = min(int(self.args.get("max-keys", 1000)), self.world.page)
        start = base64.b64decode(self.args.get("continuation-token", "")).decode()
        names = [k for k in sorted(objects) if k.startswith(prefix) and k > start]
        show = (lambda s: urllib.parse.quote(s)) if url else escape
        more = len(names) > most
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult{NS}><Name>{bucket}</Name><Prefix>{show(prefix)}</Prefix>'
        text += f"<KeyCount>{min(most, len(names))}</KeyCount><MaxKeys>{most}</MaxKeys><IsTruncated>{str(more).lower()}</IsTruncated>"
        if more:
            text += f"<NextContinuationToken>{base64.b64encode(names[most - 1].encode()).decode()}</NextContinuationToken>"
        for k in names[:most]:
            o = objects[k]
            text += (f"<Contents><Key>{show(k)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>{escape(o['etag'])}</ETag>"
                     f"<Size>{len(o['body'])}</Size><StorageClass>STANDARD</StorageClass></Contents>")
        return 200, {"Content-Type": "application/xml"}, text + "</ListBucketResult>"

    def conditions(self, o):
        match, none = self.headers.get("If-Match"), self.headers.get("If-None-Match")
        if match is None and none is None or self.world.conditions == "ignore":
            return
        if self.world.conditions == "unimplemented":
            raise Refusal(501, "NotImplemented", "A header you provided implies functionality that is not implemented.", Header="If-Match")
        if match is not None and o is None and self.command == "PUT":
            raise Refusal(404, "NoSuchKey", "The specified key does not exist.")
        if self.world.conditions == "bare":  # as radosgw compares
            match = match and '"' + match + '"'
        else:
            match = match and '"' + match.strip('"') + '"'
        if match is not None and (o is None or match != o["etag"]):
            raise Refusal(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold", Condition="If-Match")
        if none is not None and o is not None:
            raise Refusal(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold", Condition="If-None-Match")

    def object_PUT(self, objects, key):
        self.conditions(objects.get(key))
        h = {k: v for k, v in self.headers.items()}
        for name, made in (("sha256", hashlib.sha256(self.body).digest()), ("crc32", struct.pack(">I", zlib.crc32(self.body)))):
            said = self.headers.get("x-amz-checksum-" + name)
            if said and said != base64.b64encode(made).decode():
                raise Refusal(400, "BadDigest", "The checksum you specified did not match the calculated checksum.")
        objects[key] = self.made(self.body, h)
        out = {"ETag": objects[key]["etag"]}
        for name in ("x-amz-checksum-sha256", "x-amz-server-side-encryption"):
            if self.headers.get(name):
                out[name] = self.headers[name]
        return 200, out

    def object_GET(self, objects, key):
        o = objects.get(key)
        if o is None:
            raise Refusal(404, "NoSuchKey", "The specified key does not exist.", Key=key)
        if o["ssec"] != self.headers.get("x-amz-server-side-encryption-customer-key-MD5", ""):
            raise Refusal(400, "InvalidRequest", "The object was stored using a form of Server Side Encryption.")
        if self.headers.get("If-None-Match") == o["etag"]:
            raise Refusal(304, "NotModified", "")
        body = o["body"]
        out = {"ETag": o["etag"], "Content-Type": "application/json", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
        if self.headers.get("x-amz-checksum-mode", "").upper() == "ENABLED":
            out.update({k: v for k, v in o["headers"].items() if re.fullmatch("x-amz-checksum-(sha256|crc32)", k)})
        if self.cut == "corrupt":
            body = body[:-1] + bytes([body[-1] ^ 1]) if body else b"x"
        return 200, {**out, **({"Content-Length": str(len(body))} if self.command == "HEAD" else {})}, body

    def object_HEAD(self, objects, key):
        try:
            return self.object_GET(objects, key)
        except Refusal as x:
            return x.status, {"Content-Type": "application/xml"}, ""

    def object_DELETE(self, objects, key):
        if key in objects:
            self.conditions(objects[key])
            del objects[key]
        return 204, {}

    def delete_many(self, objects):
        if self.headers.get("Content-MD5") != base64.b64encode(hashlib.md5(self.body).digest()).decode():
            raise Refusal(400, "InvalidRequest", "Missing required header for this request: Content-MD5")
        keys = [unescape(k) for k in re.findall("<Key>(.*?)</Key>", self.body.decode())]
        if not 0 < len(keys) <= 1000:
            raise Refusal(400, "MalformedXML", "The XML you provided was not well-formed or did not validate against our published schema")
        for k in keys:
            objects.pop(k, None)
        return 200, {"Content-Type": "application/xml"}, f"<DeleteResult{NS}></DeleteResult>"

    # DynamoDB.
    def serve_dynamodb(self):
        check_signature(self.world, self)
        try:
            r = json.loads(self.body)
        except ValueError:
            raise Refusal(400, "SerializationException", "")
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        table = self.world.tables.get(r.get("TableName"))
        if table is None:
            raise Refusal(400, "ResourceNotFoundException", "Requested resource not found")
        key = (r.get("Key") or r.get("Item"))["LockID"]["S"]
        with self.world.lock:
            there, condition, out = table.get(key), r.get("ConditionExpression", ""), {}
            if condition == "attribute_not_exists(LockID)":
                holds = there is None
            elif m := re.fullmatch(r"(\w+) = (:\w+)", condition):
                holds = there is not None and there.get(m[1]) == r["ExpressionAttributeValues"][m[2]]
            else:
                holds = not condition
            if not holds:
                raise Refusal(400, "ConditionalCheckFailedException", "The conditional request failed")
            if self.action == "PutItem":
                table[key] = r["Item"]
            elif self.action == "DeleteItem":
                table.pop(key, None)
            elif self.action == "GetItem":
                wanted = [n.strip() for n in r.get("ProjectionExpression", "").split(",") if n.strip()]
                if there is not None:
                    out = {"Item": {k: v for k, v in there.items() if not wanted or k in wanted}}
            else:
                raise Refusal(400, "UnknownOperationException", "")
        return 200, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps(out)

    def serve_kms(self):
        check_signature(self.world, self)
        r = json.loads(self.body)
        if r.get("KeyId") != "alias/state":
            raise Refusal(400, "NotFoundException", "Key '%s' does not exist" % r.get("KeyId"))
        context = r.get("EncryptionContext", {})
        if self.action == "GenerateDataKey":
            key = os.urandom({"AES_256": 32, "AES_128": 16}[r["KeySpec"]])
            blob = json.dumps({"context": context, "key": bytes(b ^ 0xA5 for b in key).hex()}).encode()
            out = {"KeyId": r["KeyId"], "Plaintext": base64.b64encode(key).decode(), "CiphertextBlob": base64.b64encode(blob).decode()}
        elif self.action == "Decrypt":
            blob = json.loads(base64.b64decode(r["CiphertextBlob"]))
            if blob["context"] != context:
                raise Refusal(400, "InvalidCiphertextException", "")
            out = {"KeyId": r["KeyId"], "Plaintext": base64.b64encode(bytes(b ^ 0xA5 for b in bytes.fromhex(blob["key"]))).decode()}
        else:
            raise Refusal(400, "UnknownOperationException", "")
        return 200, {"Content-Type": "application/x-amz-json-1.1"}, json.dumps(out)

    # Credentials.
    def serve_sts(self):
        ns = ' xmlns="https://sts.amazonaws.com/doc/2011-06-15/"'
        if self.action != "AssumeRoleWithWebIdentity":
            check_signature(self.world, self)
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        if self.action == "GetCallerIdentity":
            inner = f"<UserId>AIDATEST</UserId><Account>{ACCOUNT}</Account><Arn>arn:aws:iam::{ACCOUNT}:user/test</Arn>"
        elif self.action == "GetUser":
            inner = f"<User><UserName>test</UserName><Arn>arn:aws:iam::{ACCOUNT}:user/test</Arn></User>"
        elif self.action in ("AssumeRole", "AssumeRoleWithWebIdentity"):
            access, secret, token, stamp, _ = self.world.issue("ROLE" if self.action == "AssumeRole" else "WEB")
            inner = (f"<Credentials><AccessKeyId>{access}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey>"
                     f"<SessionToken>{escape(token)}</SessionToken><Expiration>{stamp}</Expiration></Credentials>"
                     f"<AssumedRoleUser><Arn>{escape(self.form.get('RoleArn', ''))}</Arn><AssumedRoleId>ARO:x</AssumedRoleId></AssumedRoleUser>")
        else:
            raise Refusal(400, "InvalidAction", "Could not find operation " + self.action)
        return 200, {"Content-Type": "text/xml"}, (
            f"<{self.action}Response{ns}><{self.action}Result>{inner}</{self.action}Result>"
            f"<ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></{self.action}Response>")

    def serve_sso(self):
        if self.headers.get("x-amz-sso_bearer_token") not in self.world.sign_on:
            raise Refusal(401, "UnauthorizedException", "Session token not found or invalid")
        access, secret, token, _, millis = self.world.issue("SSO")
        return 200, {"Content-Type": "application/json"}, json.dumps({"roleCredentials": {
            "accessKeyId": access, "secretAccessKey": secret, "sessionToken": token, "expiration": millis}})

    def serve_oidc(self):
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        asked = json.loads(self.body)
        if asked.get("clientId") != "client" or asked.get("clientSecret") != "client-secret":
            raise Refusal(401, "InvalidClientException", "Invalid client")
        with self.world.lock:
            if asked.get("grantType") != "refresh_token" or asked.get("refreshToken") != "refresh-%d" % self.world.refresh:
                raise Refusal(400, "InvalidGrantException", "Invalid refresh token provided")
            self.world.refresh += 1
            token = "sso-token-%d" % self.world.refresh
            self.world.sign_on.add(token)
            return 200, {"Content-Type": "application/json"}, json.dumps({
                "accessToken": token, "tokenType": "Bearer", "expiresIn": self.world.lifetime, "refreshToken": "refresh-%d" % self.world.refresh})

    def issued(self, prefix):
        access, secret, token, stamp, _ = self.world.issue(prefix)
        return 200, {"Content-Type": "application/json"}, json.dumps({
            "Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": access, "SecretAccessKey": secret, "Token": token,
            "Expiration": stamp, "LastUpdated": "2026-01-01T00:00:00Z"})

    def serve_container(self):
        if self.headers.get("Authorization", "") not in ("", "container-token"):
            raise Refusal(403, "AccessDenied", "wrong token")
        return self.issued("CONTAINER")

    def serve_imds(self):
        path = self.raw_path
        if path == "/latest/api/token" and self.command == "PUT" and self.headers.get("x-aws-ec2-metadata-token-ttl-seconds"):
            return 200, {"Content-Type": "text/plain", "x-aws-ec2-metadata-token-ttl-seconds": "300"}, "imds-token"
        if self.headers.get("x-aws-ec2-metadata-token") != "imds-token":
            raise Refusal(401, "Unauthorized", "")
        if path == "/latest/meta-data/iam/security-credentials/":
            return 200, {"Content-Type": "text/plain"}, "machine-role"
        if path == "/latest/meta-data/iam/security-credentials/machine-role":
            return self.issued("MACHINE")
        if path == "/latest/dynamic/instance-identity/document":
            return 200, {"Content-Type": "text/plain"}, json.dumps({"region": "us-east-1", "accountId": ACCOUNT})
        raise Refusal(404, "NotFound", "")

    # What a test tells and asks.
    def control(self):
        w = self.world
        with w.lock:
            order = json.loads(self.body or b"{}")
            if order.get("forget"):
                w.log, w.faults, w.clock, w.lifetime = [], [], 0, 3600
                for x in (*w.buckets.values(), *w.tables.values()):
                    x.clear()
            if order.get("expire"):
                w.keys = {k: (secret, token, end and 1) for k, (secret, token, end) in w.keys.items()}
            for name in ("faults", "clock", "lifetime", "conditions", "page"):
                if name in order:
                    setattr(w, name, order[name])
            if "sign_on" in order:
                w.sign_on = set(order["sign_on"])
            for name, text in order.get("objects", {}).items():
                b, _, k = name.partition("/")
                if text is None:
                    w.buckets[b].pop(k, None)
                else:
                    w.buckets[b][k] = self.made(text.encode(), {})
            out = json.dumps({
                "objects": {f"{b}/{k}": o["body"].decode(errors="replace") for b, os in w.buckets.items() for k, o in os.items()},
                "items": {f"{t}/{k}": i for t, items in w.tables.items() for k, i in items.items()}, "met": w.met,
                "log": w.log if self.command == "GET" else []})
        self.cut = None
        self.answer(200, {"Content-Type": "application/json"}, out)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--bucket", nargs="*", default=["tfb"])
    p.add_argument("--table", nargs="*", default=["locks"])
    p.add_argument("--log")
    p.add_argument("--conditions", default="honour", choices=["honour", "ignore", "unimplemented", "bare"])
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
