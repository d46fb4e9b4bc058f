#!/usr/bin/env python3
"""A server for tests that speaks Alibaba Cloud's object storage (OSS), TableStore, STS, endpoint lookup and metadata, on one port.

Requests reach it through a proxy's methods: plain ones as they are, others through CONNECT, where TLS ends here: the certificate is made
at each start, for all the names below. Signatures of all kinds are checked (HMAC-SHA1 of OSS, of TableStore and of the RPC services), and
the checksums of rows, too. Everything is in memory. It misbehaves on demand, in the ways of s3.py.

Usage: oss.py [--port N] [--bucket NAME…] [--table NAME…] [--page N] [--certificate FILE] [--stay]
Prints its URL and the file of its certificate on a line, and serves until its standard input ends (or, with --stay, until it is ended).

Keys that it knows: AKTEST/secretsecret, and what its STS and metadata service hand out. Instances of TableStore share their tables.
/_control takes a JSON object by POST: {"faults": [rule…]}, {"forget": true}, {"lifetime": seconds}, {"objects": {"bucket/key": text or
null}}, {"rows": {"table/key": {column: text} or null}}; GET /_control tells objects, rows and the log.
"""
import argparse, base64, email.utils, hashlib, hmac, json, os, struct, sys, tempfile, threading, time, urllib.parse
from xml.sax.saxutils import escape

from cos import crc64, make_certificate
from s3 import Handler as Base, Refusal, Server

NAMES = ["*.oss-cn-beijing.aliyuncs.com", "*.oss-accelerate.aliyuncs.com", "*.cn-beijing.ots.aliyuncs.com", "sts.aliyuncs.com", "sts.cn-beijing.aliyuncs.com",
         "*.aliyuncs.com"]
ACTIONS = ("/GetRow", "/PutRow", "/DeleteRow", "/DescribeTable")
SIGNED = {"acl", "uploads", "location", "uploadId", "partNumber", "security-token", "versions", "versionId", "continuation-token",
          "encryption", "tagging", "objectMeta", "delete", "append"}  # arguments that are part of what is signed, of those in use


def sha1_mac(key, text):
    return base64.b64encode(hmac.new(key.encode(), text.encode(), hashlib.sha1).digest()).decode()


# Protocol Buffers: lists of (number, value); values are integers or bytes.
def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def message(*fields):
    out = b""
    for number, value in fields:
        value = value.encode() if isinstance(value, str) else value
        out += varint(number << 3) + varint(value) if isinstance(value, int) else varint(number << 3 | 2) + varint(len(value)) + value
    return out


def fields(data):
    at, out = 0, []

    def number():
        nonlocal at
        n = shift = 0
        while True:
            b, at = data[at], at + 1
            n, shift = n | (b & 127) << shift, shift + 7
            if b < 128:
                return n

    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            out.append((tag >> 3, number()))
        elif tag & 7 == 2:
            size = number()
            out.append((tag >> 3, data[at:at + size]))
            at += size
        else:
            raise ValueError("wire type %d" % (tag & 7))
    return out


# Rows in TableStore's own form: tags, lengths in four bytes, and CRC-8 (polynomial 7) of each cell and of the row.
def crc8(data, crc=0):
    for b in data:
        crc ^= b
        for _ in range(8):
            crc = (crc << 1 ^ 7 if crc & 128 else crc << 1) & 255
    return crc


def cell(name, text, stamp=None):
    name, text = name.encode(), text.encode()
    value = b"\3" + struct.pack("<I", len(text)) + text
    when = b"" if stamp is None else struct.pack("<q", stamp)
    check = crc8(name + value + when)
    return b"\3\4" + struct.pack("<I", len(name)) + name + b"\5" + struct.pack("<I", len(value)) + value + (b"\7" + when if when else b"") + \
        b"\x0a" + bytes([check]), check


def row_of(key, columns):
    keys, rest = [cell("LockID", key)], [cell(k, v, 1700000000000) for k, v in columns.items()]
    check = crc8(bytes(c for _, c in keys + rest) + b"\0")
    return struct.pack("<I", 0x75) + b"\1" + b"".join(b for b, _ in keys) + (b"\2" + b"".join(b for b, _ in rest) if rest else b"") + \
        b"\x09" + bytes([check])


def read_row(data):
    """The cells of the primary key and of the rest."""
    at, parts, checks = 4, {1: {}, 2: {}}, []

    def take(form):
        nonlocal at
        at += struct.calcsize(form)
        return struct.unpack_from(form, data, at - struct.calcsize(form))[0]

    if data[:4] != struct.pack("<I", 0x75):
        raise Refusal(400, "OTSParameterInvalid", "Invalid header of plain buffer.")
    tag = take("<B")
    while tag in (1, 2):
        part, tag = parts[tag], take("<B")
        while tag == 3:
            if take("<B") != 4:
                raise Refusal(400, "OTSParameterInvalid", "The cell has no name.")
            size = take("<I")
            name, at = data[at:at + size], at + size
            if take("<B") != 5:
                raise Refusal(400, "OTSParameterInvalid", "The cell has no value.")
            size = take("<I")
            value, at = data[at:at + size], at + size
            if value[:1] != b"\3" or struct.unpack_from("<I", value, 1)[0] != len(value) - 5:
                raise Refusal(400, "OTSParameterInvalid", "The value is not a string.")
            tag = take("<B")
            if tag != 10 or take("<B") != crc8(name + value):
                raise Refusal(400, "OTSParameterInvalid", "Checksum mismatch of cell.")
            checks.append(crc8(name + value))
            part[name.decode()], tag = value[5:].decode(), take("<B")
    gone = tag == 8  # the mark of a row that is to be deleted
    tag = take("<B") if gone else tag
    if tag != 9 or take("<B") != crc8(bytes(checks) + bytes([gone])) or at != len(data):
        raise Refusal(400, "OTSParameterInvalid", "Checksum mismatch of row.")
    return parts[1], parts[2]


class World:
    def __init__(self, args):
        self.lock, self.page, self.names, self.table_names = threading.RLock(), args.page, args.bucket, args.table
        self.keys, self.count, self.log_file = {"AKTEST": ("secretsecret", "", None)}, 0, None  # key: secret, token, end
        self.forget()

    def forget(self):
        self.buckets, self.tables = {b: {} for b in self.names}, {t: {} for t in self.table_names}
        self.faults, self.log, self.lifetime = [], [], 3600

    def now(self):
        return time.time()

    def issue(self):
        with self.lock:
            self.count += 1
            access, secret, token = f"STS.{self.count}", f"secret{self.count}", f"token/{self.count}+="
            end = time.time() + self.lifetime
            self.keys[access] = (secret, token, end)
        return {"AccessKeyId": access, "AccessKeySecret": secret, "SecurityToken": token,
                "Expiration": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end))}


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
        self.action = self.args.get("Action", "")
        if self.raw_path in ACTIONS and self.headers.get("x-ots-instancename"):
            self.action = self.raw_path[1:]
            return "tablestore"
        if self.raw_path.startswith("/latest/meta-data/ram/"):
            return "metadata"
        return "location" if host.startswith("location") else "sts" if self.action else "oss"

    def refused(self, x):
        if self.service == "tablestore":
            return x.status, {"x-ots-requestid": "r"}, message((1, x.code), (2, x.message))
        if self.service != "oss":
            return x.status, {"Content-Type": "application/json"}, json.dumps({"RequestId": "r", "Code": x.code, "Message": x.message})
        return x.status, {"Content-Type": "application/xml", "x-oss-request-id": "r"}, "" if self.command == "HEAD" else (
            f"<?xml version='1.0' encoding='UTF-8'?>\n<Error><Code>{x.code}</Code><Message>{escape(x.message)}</Message></Error>")

    def answer(self, status, headers, body=b""):
        if self.cut == "say":
            status, headers, body = self.told.get("status", 200), self.told.get("headers", {}), self.told.get("body", "")
            body = bytes.fromhex(self.told["hex"]) if "hex" in self.told else body
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
        if f["do"] == "steal row":
            with self.world.lock:
                t, _, k = f["row"].partition("/")
                self.world.tables[t][k] = f["columns"]
            return False
        return super().fault(f)

    def secret(self, access, token, code="SecurityTokenExpired"):
        secret, wanted, end = self.world.keys.get(access) or (None, None, None)
        if secret is None:
            raise Refusal(403, "InvalidAccessKeyId", "The OSS Access Key Id you provided does not exist in our records.")
        if token != wanted or (end is not None and time.time() > end):
            raise Refusal(403, code, "The security token you provided has expired.")
        return secret

    # OSS.
    def check_oss(self, bucket, key):
        kind, _, rest = self.headers.get("Authorization", "").partition(" ")
        access, _, signature = rest.partition(":")
        if kind != "OSS":
            raise Refusal(403, "AccessDenied", "Anonymous access is forbidden for this operation.")
        secret = self.secret(access, self.headers.get("x-oss-security-token", ""))
        sent = email.utils.parsedate_to_datetime(self.headers["Date"]).timestamp()
        if abs(sent - time.time()) > 900:
            raise Refusal(403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large.")
        own = sorted((k.lower(), v.strip()) for k, v in self.headers.items() if k.lower().startswith("x-oss-"))
        extra = sorted((k, v) for k, v in self.args.items() if k in SIGNED or k.startswith("x-oss-"))
        resource = f"/{bucket}/{key}" + ("?" if extra else "") + "&".join(k + ("=" + v if v else "") for k, v in extra)
        text = "\n".join([self.command, self.headers.get("Content-MD5", ""), self.headers.get("Content-Type", ""), self.headers["Date"]] +
                         [f"{k}:{v}" for k, v in own] + [resource])
        if sha1_mac(secret, text) != signature:
            raise Refusal(403, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided: " + text)

    def serve_oss(self):
        w, path = self.world, urllib.parse.unquote(self.raw_path)[1:]
        host = self.headers["Host"].split(":")[0]
        bucket, key = (host.split(".")[0], path) if host.endswith(".aliyuncs.com") else path.partition("/")[::2]
        self.check_oss(bucket, key)
        if self.cut == "say":
            return 200, {}
        with w.lock:
            if bucket not in w.buckets:
                raise Refusal(404, "NoSuchBucket", "The specified bucket does not exist.")
            objects = w.buckets[bucket]
            if not key:
                return self.listing(bucket, objects)
            if self.command == "PUT":
                if "acl" in self.args:
                    if key not in objects:
                        raise Refusal(404, "NoSuchKey", "The specified key does not exist.")
                    objects[key]["acl"] = self.headers.get("x-oss-object-acl", "")
                    return 200, {}
                md5 = self.headers.get("Content-MD5")
                if md5 and md5 != base64.b64encode(hashlib.md5(self.body).digest()).decode():
                    raise Refusal(400, "InvalidDigest", "The Content-MD5 you specified is not valid.")
                if self.headers.get("x-oss-forbid-overwrite") == "true" and key in objects:
                    raise Refusal(409, "FileAlreadyExists", "The object you specified already exists and can not be overwritten.")
                objects[key] = {"body": self.body, "headers": {k: v for k, v in self.headers.items() if k.lower().startswith("content-type")},
                                "encrypted": self.headers.get("x-oss-server-side-encryption", ""), "acl": self.headers.get("x-oss-object-acl", "")}
                return 200, {"ETag": '"%s"' % hashlib.md5(self.body).hexdigest().upper(), "x-oss-hash-crc64ecma": crc64(self.body)}
            if self.command == "DELETE":
                objects.pop(key, None)
                return 204, {}
            if key not in objects:
                raise Refusal(404, "NoSuchKey", "The specified key does not exist.")
            o = objects[key]
            md5 = hashlib.md5(o["body"])
            out = {**o["headers"], "ETag": '"%s"' % md5.hexdigest().upper(), "Content-Length": str(len(o["body"])),
                   "x-oss-hash-crc64ecma": crc64(o["body"]), "Content-MD5": base64.b64encode(md5.digest()).decode(),
                   "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
            return 200, out, o["body"]

    def listing(self, bucket, objects):
        if self.command != "GET":
            raise Refusal(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")
        prefix, marker = self.args.get("prefix", ""), self.args.get("marker", "")
        most = min(int(self.args.get("max-keys", 100)), self.world.page)
        names = [k for k in sorted(objects) if k.startswith(prefix) and k > marker]
        more = len(names) > most
        url = self.args.get("encoding-type") == "url"
        show = (lambda s: urllib.parse.quote(s, safe="")) if url else escape
        text = f"<?xml version='1.0' encoding='UTF-8'?>\n<ListBucketResult><Name>{bucket}</Name><Prefix>{show(prefix)}</Prefix>"
        text += f"<Marker>{show(marker)}</Marker><MaxKeys>{most}</MaxKeys>" + ("<EncodingType>url</EncodingType>" if url else "")
        text += f"<IsTruncated>{str(more).lower()}</IsTruncated>" + (f"<NextMarker>{show(names[most - 1])}</NextMarker>" if more else "")
        for k in names[:most]:
            text += f"<Contents><Key>{show(k)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>{len(objects[k]['body'])}</Size></Contents>"
        return 200, {"Content-Type": "application/xml"}, text + "</ListBucketResult>"

    # TableStore.
    def serve_tablestore(self):
        heads = {k.lower(): v.strip() for k, v in self.headers.items() if k.lower().startswith("x-ots-")}
        missing = [n for n in ("date", "apiversion", "accesskeyid", "contentmd5", "instancename", "signature") if "x-ots-" + n not in heads]
        if missing:
            raise Refusal(400, "OTSParameterInvalid", "Missing header: x-ots-" + missing[0])
        try:
            secret = self.secret(heads["x-ots-accesskeyid"], heads.get("x-ots-ststoken", ""), "OTSAuthFailed")
        except Refusal as x:
            raise Refusal(403, "OTSAuthFailed", "The AccessKeyID does not exist." if x.code == "InvalidAccessKeyId" else x.message)
        text = self.raw_path + "\nPOST\n\n" + "".join(f"{k}:{v}\n" for k, v in sorted(heads.items()) if k != "x-ots-signature")
        if sha1_mac(secret, text) != heads["x-ots-signature"]:
            raise Refusal(403, "OTSAuthFailed", "Signature mismatch: " + text)
        if heads["x-ots-contentmd5"] != base64.b64encode(hashlib.md5(self.body).digest()).decode():
            raise Refusal(403, "OTSAuthFailed", "Mismatch between MD5 value of request body and x-ots-contentmd5 in header.")
        if self.cut == "say":
            return 200, {}
        asked = fields(self.body)
        one = lambda n: next((v for m, v in asked if m == n), None)
        table = self.world.tables.get(one(1).decode())
        if table is None:
            raise Refusal(404, "OTSObjectNotExist", "Requested table does not exist.")
        with self.world.lock:
            return 200, {"x-ots-requestid": "r"}, getattr(self, "row_" + self.action)(table, asked, one)

    def expect(self, there, condition):
        wanted = dict(fields(condition)).get(1)
        if wanted == 1 and there is None or wanted == 2 and there is not None:
            raise Refusal(403, "OTSConditionCheckFail", "Condition check failed.")
        compared = dict(fields(condition)).get(2)
        if compared is not None:  # a filter: one column equals a value
            one = dict(fields(dict(fields(compared))[2]))
            value = one[3]
            if one[1] != 1 or value[0] != 3:
                raise Refusal(400, "OTSParameterInvalid", "Unsupported filter.")
            found = (there or {}).get(one[2].decode())
            if found is None and one[4] or found is not None and found.encode() != value[5:]:
                raise Refusal(403, "OTSConditionCheckFail", "Condition check failed.")

    def key(self, data):
        keys, rest = read_row(data)
        if list(keys) != ["LockID"]:
            raise Refusal(400, "OTSInvalidPK", "Primary key schema mismatch.")
        return keys["LockID"], rest

    def row_DescribeTable(self, table, asked, one):
        meta = message((1, one(1)), (2, message((1, "LockID"), (2, 2))))
        return message((1, meta), (2, message((1, message((1, 0), (2, 0))), (2, 1))), (3, message((1, 2**32 - 1), (2, 1), (5, 86400))), (4, 1))

    def row_PutRow(self, table, asked, one):
        key, columns = self.key(one(2))
        self.expect(table.get(key), one(3))
        table[key] = columns
        return message((1, message((1, message((1, 0), (2, 1))))))

    def row_DeleteRow(self, table, asked, one):
        key, _ = self.key(one(2))
        self.expect(table.get(key), one(3))
        table.pop(key, None)
        return message((1, message((1, message((1, 0), (2, 1))))))

    def row_GetRow(self, table, asked, one):
        key, _ = self.key(one(2))
        wanted = [v.decode() for n, v in asked if n == 3]
        found = table.get(key)
        row = b"" if found is None else row_of(key, {k: v for k, v in sorted(found.items()) if not wanted or k in wanted})
        return message((1, message((1, message((1, 1), (2, 0))))), (2, row))

    # The RPC services.
    def check_rpc(self):
        args = {**self.args, **self.form}
        signature = args.pop("Signature", "")
        secret = self.secret(args.get("AccessKeyId", ""), args.get("SecurityToken", ""), "InvalidSecurityToken.Expired")
        quote = lambda s: urllib.parse.quote(s, safe="-_.~")
        text = self.command + "&%2F&" + quote("&".join(quote(k) + "=" + quote(v) for k, v in sorted(args.items())))
        if sha1_mac(secret + "&", text) != signature:
            raise Refusal(400, "SignatureDoesNotMatch", "Specified signature is not matched with our calculation. server string to sign is:" + text)
        return args

    def serve_sts(self):
        args = self.check_rpc()
        if self.action != "AssumeRole" or not args.get("RoleArn", "").startswith("acs:ram::"):
            raise Refusal(400, "InvalidParameter.RoleArn", "The parameter RoleArn is wrongly formed.")
        return 200, {"Content-Type": "application/json"}, json.dumps({
            "RequestId": "r", "AssumedRoleUser": {"Arn": args["RoleArn"], "AssumedRoleId": "1"}, "Credentials": self.world.issue()})

    def serve_location(self):
        args = self.check_rpc()
        at = [{"Endpoint": f"oss-{args['Id']}.aliyuncs.com", "Id": args["Id"], "Namespace": "", "SerivceCode": "oss", "Type": "openAPI",
               "Protocols": {"Protocols": ["HTTPS"]}}]
        return 200, {"Content-Type": "application/json"}, json.dumps({"RequestId": "r", "Success": True, "Endpoints": {"Endpoint": at}})

    def serve_metadata(self):
        if not self.raw_path.endswith("/security-credentials/machine-role"):
            raise Refusal(404, "NotFound", "no such role")
        return 200, {"Content-Type": "application/json"}, json.dumps({**self.world.issue(), "Code": "Success", "LastUpdated": "2026-01-01T00:00:00Z"})

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
                w.buckets[b].pop(k, None) if text is None else w.buckets[b].update({k: {"body": text.encode(), "headers": {}}})
            for name, columns in order.get("rows", {}).items():
                t, _, k = name.partition("/")
                w.tables[t].pop(k, None) if columns is None else w.tables[t].update({k: columns})
            every = {f"{b}/{k}": o for b, os in w.buckets.items() for k, o in os.items()}
            out = json.dumps({"objects": {k: o["body"].decode(errors="replace") for k, o in every.items()},
                              "rows": {f"{t}/{k}": r for t, rows in w.tables.items() for k, r in rows.items()},
                              "headers": {k: [o["headers"], o.get("encrypted", ""), o.get("acl", "")] for k, o in every.items()},
                              "log": w.log if self.command == "GET" else []})
        self.cut = None
        self.answer(200, {"Content-Type": "application/json"}, out)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--bucket", nargs="*", default=["tfb"])
    p.add_argument("--table", nargs="*", default=["locks"])
    p.add_argument("--page", type=int, default=1000)
    p.add_argument("--certificate", help="where to write it; without this, in a directory that is removed at the end")
    p.add_argument("--stay", action="store_true")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        certificate = args.certificate or os.path.join(folder, "oss.pem")
        Handler.context, Handler.world = make_certificate(certificate, NAMES), World(args)
        server = Server(("127.0.0.1", args.port), Handler)
        print(f"http://127.0.0.1:{server.server_address[1]} {certificate}", flush=True)
        if args.stay:
            return server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()


if __name__ == "__main__":
    main()
