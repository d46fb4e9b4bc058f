#!/usr/bin/env python3
"""A server for tests that speaks Azure: blobs with leases, access tokens, the management API, a key vault, the metadata and identity services.

Requests reach it through CONNECT, as a proxy, and TLS ends here: the certificate is made at each start, for all the names below.
Plain HTTP is for what is on the machine: the metadata service, identity providers and /_control. Shared Key signatures, SAS tokens,
bearer tokens, leases and conditions are checked. Everything is in memory. It misbehaves on demand, in the ways of s3.py.

Usage: azurerm.py [--port N] [--container NAME…] [--page N] [--certificate FILE] [--blobs HOST:PORT] [--stay]
Prints its URL and the file of its certificate on a line, and serves until its standard input ends (or, with --stay, until it is ended).

The account is tfacct, its key base64 of "secretkey"; SAS tokens are "sig=good…"; the tenant is "tenant", the client "client", its secret
"secret", its assertions "oidc-token" or signed ones. /_control takes a JSON object by POST, with what s3.py understands but conditions:
{"blobs": {"container/key": text or null}}, {"metadata": {"container/key": {name: value}}}, {"lease": {"container/key": id or null}},
{"revoke": true} (all tokens end now); GET /_control tells blobs, metadata, leases, snapshots and the log.
"""
import argparse, base64, email.utils, hashlib, hmac, http.client, http.server, json, os, re, ssl, subprocess, sys, tempfile, threading, time, urllib.parse, uuid
from xml.sax.saxutils import escape

from s3 import Handler as Base, Refusal, Server

ACCOUNT, KEY = "tfacct", base64.b64encode(b"secretkey").decode()
NAMES = ["*.blob.core.windows.net", "*.blob.core.usgovcloudapi.net", "*.blob.core.chinacloudapi.cn", "*.z1.blob.storage.azure.net",
         "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn", "management.azure.com",
         "management.usgovcloudapi.net", "management.chinacloudapi.cn", "metadata.example.com", "vault.vault.azure.net"]


class World:
    def __init__(self, args):
        self.lock = threading.RLock()
        self.page, self.names = args.page, args.container
        self.forget()

    def forget(self):
        self.containers = {c: {} for c in self.names}
        self.faults, self.log, self.clock, self.lifetime, self.log_file = [], [], 0, 3600, None
        self.tokens, self.count, self.snapshots = {}, 0, []

    def now(self):
        return time.time() + self.clock

    def token(self, audience):
        with self.lock:
            self.count += 1
            name = f"token-{self.count}"
            self.tokens[name] = (audience.rstrip("/"), self.now() + self.lifetime)
            return name


def made(body, headers=None):
    headers = {k.lower(): v for k, v in (headers or {}).items()}
    return {"body": body, "etag": '"0x%s"' % uuid.uuid4().hex[:15].upper(), "lease": None, "broken": False,
            "type": headers.get("x-ms-blob-content-type") or headers.get("content-type") or "application/octet-stream",
            "meta": {k[10:]: v for k, v in headers.items() if k.startswith("x-ms-meta-")},
            "key": headers.get("x-ms-encryption-key-sha256"), "scope": headers.get("x-ms-encryption-scope")}


class Handler(Base):
    # A proxy that is the destination itself.
    context = certificate = blobs = None
    secure = False

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        self.connection = self.request = self.context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb", -1), self.connection.makefile("wb", 0)
        self.close_connection, self.secure = False, True

    do_PATCH = Base.do_GET

    def plain_service(self):
        host = (urllib.parse.urlsplit(self.path).hostname if self.path.startswith("http") else None) or self.headers.get("Host", "")
        host = host.split(":")[0]
        if self.secure:
            for part, name in ((".blob.", "blob"), ("login.", "login"), ("management.", "management"), ("metadata.", "metadata"), (".vault.", "vault")):
                if part in host:
                    return name
        for prefix, name in (("/metadata/identity", "imds"), ("/msi", "imds"), ("/oidc", "oidc"), ("/_apis", "oidc")):
            if self.raw_path.startswith(prefix):
                return name
        return "none"

    def serve_none(self):
        raise Refusal(404, "NotFound", "no such service")

    def refused(self, x):
        if self.service == "blob":
            head = {"Content-Type": "application/xml", "x-ms-error-code": x.code, **x.more}
            return x.status, head, "" if self.command == "HEAD" else (
                f'\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>{x.code}</Code><Message>{escape(x.message)}\n'
                f"RequestId:4442587f\nTime:2026-01-01T00:00:00Z</Message></Error>")
        if self.service == "login":
            return x.status, {"Content-Type": "application/json", **x.more}, json.dumps({"error": x.code, "error_description": x.message})
        return x.status, {"Content-Type": "application/json", **x.more}, json.dumps({"error": {"code": x.code, "message": x.message}})

    def fault(self, f):
        if f["do"] == "steal":
            with self.world.lock:
                c, _, k = f["object"].partition("/")
                self.world.containers[c][k] = made(f["text"].encode())
        elif f["do"] == "break":  # whoever has it loses the lease
            with self.world.lock:
                c, _, k = f["object"].partition("/")
                self.world.containers[c][k].update(lease=None, broken=True)
        elif f["do"] == "refuse":
            raise Refusal(f.get("status", 500), f.get("code", "InternalError"), f.get("message", "Something went wrong."), **f.get("headers", {}))
        else:
            return super().fault(f)
        return False

    # Who asks.
    def bearer(self, audience, code=401):
        head = self.headers.get("Authorization", "")
        said, until = self.world.tokens.get(head[7:] if head.startswith("Bearer ") else "", ("", 0))
        if said != audience or self.world.now() >= until:
            raise Refusal(code, "InvalidAuthenticationToken" if self.service == "management" else "InvalidAuthenticationInfo",
                          "The access token is invalid or has expired.")

    def check_blob(self):
        head = self.headers.get("Authorization", "")
        if not self.headers.get("x-ms-version"):
            raise Refusal(400, "MissingRequiredHeader", "x-ms-version")
        if "sig" in self.args:
            if not self.args["sig"].startswith("good"):
                raise Refusal(403, "AuthenticationFailed", "Signature did not match.")
        elif head.startswith("Bearer "):
            self.bearer("https://storage.azure.com")
        else:
            self.check_signature(head)

    def check_signature(self, head):
        host = self.headers.get("Host", "")
        account = host.split(".")[0]
        h = lambda n: self.headers.get(n, "")
        length = h("Content-Length")
        lines = [self.command, h("Content-Encoding"), h("Content-Language"), "" if length == "0" else length, h("Content-MD5"),
                 h("Content-Type"), h("Date"), h("If-Modified-Since"), h("If-Match"), h("If-None-Match"), h("If-Unmodified-Since"), h("Range")]
        extra = sorted((k.lower().strip(), re.sub(r"\s+", " ", v).strip()) for k, v in self.headers.items() if k.lower().startswith("x-ms-"))
        lines += [f"{k}:{v}" for k, v in extra]
        resource = f"/{account}{self.raw_path}"
        for k in sorted(self.args, key=str.lower):
            resource += f"\n{k.lower()}:{self.args[k]}"
        text = "\n".join(lines) + "\n" + resource
        want = base64.b64encode(hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()).decode()
        if head != f"SharedKey {ACCOUNT}:{want}":
            raise Refusal(403, "AuthenticationFailed", "The MAC signature found in the HTTP request is not the same as any computed signature. "
                          "Server used following string to sign: " + repr(text))
        stamp = email.utils.parsedate_to_datetime(h("x-ms-date") or h("Date") or "Thu, 01 Jan 1970 00:00:00 GMT").timestamp()
        if abs(stamp - self.world.now()) > 900:
            raise Refusal(403, "AuthenticationFailed", "Request date header too old.")

    # Blobs.
    def elsewhere(self):
        """The answer of another server, which takes the account from the name of the host."""
        c = http.client.HTTPConnection(self.blobs, timeout=60)
        c.request(self.command, self.path, self.body, {k: v for k, v in self.headers.items() if k.lower() != "connection"})
        r = c.getresponse()
        body = r.read()
        headers = {k: v for k, v in r.getheaders() if k.lower() not in ("connection", "keep-alive", "date", "transfer-encoding", "content-length")}
        if self.command == "HEAD" and r.getheader("Content-Length"):
            headers["Content-Length"] = r.getheader("Content-Length")
        return r.status, headers, body

    def serve_blob(self):
        if self.blobs:
            return self.elsewhere()
        self.check_blob()
        w, account = self.world, self.headers.get("Host", "").split(".")[0]
        with w.lock:
            if self.cut == "say":
                return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
            name, _, key = urllib.parse.unquote(self.raw_path)[1:].partition("/")
            if account != ACCOUNT:
                raise Refusal(400, "InvalidUri", "no such account")
            if self.args.get("restype") == "container" and self.command == "PUT":
                w.containers.setdefault(name, {})
                return 201, {}
            if name not in w.containers:
                raise Refusal(404, "ContainerNotFound", "The specified container does not exist.")
            if not key:
                if self.args.get("comp") != "list":
                    raise Refusal(400, "InvalidQueryParameterValue", "comp")
                return self.listing(w.containers[name])
            blobs = w.containers[name]
            comp = self.args.get("comp", "")
            if self.command == "PUT" and not comp:
                return self.put(blobs, name, key)
            b = blobs.get(key)
            if b is None:
                raise Refusal(404, "BlobNotFound", "The specified blob does not exist.")
            if comp != "lease" and self.command != "DELETE" and self.customer_key() != b["key"]:
                raise Refusal(409, "BlobUsesCustomerSpecifiedEncryption", "The blob is encrypted with customer specified encryption.")
            if self.command == "PUT":
                return getattr(self, "put_" + comp)(blobs, name, key, b)
            if self.command == "DELETE":
                self.condition(b)
                self.lease_fits(b)
                if any(s[0] == f"{name}/{key}" for s in w.snapshots):
                    if not self.headers.get("x-ms-delete-snapshots"):
                        raise Refusal(409, "SnapshotsPresent", "This operation is not permitted because the blob has snapshots.")
                    w.snapshots = [s for s in w.snapshots if s[0] != f"{name}/{key}"]
                del blobs[key]
                return 202, {}
            self.condition(b)
            if self.headers.get("x-ms-lease-id"):
                self.lease_fits(b)
            body = b["body"]
            return 200, {**self.properties(b), **({"Content-Length": str(len(body))} if self.command == "HEAD" else {}),
                         "Content-MD5": base64.b64encode(hashlib.md5(body).digest()).decode()}, body

    def properties(self, b):
        out = {"ETag": b["etag"], "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Content-Type": b["type"], "x-ms-blob-type": "BlockBlob",
               "x-ms-lease-status": "locked" if b["lease"] else "unlocked",
               "x-ms-lease-state": "leased" if b["lease"] else "broken" if b["broken"] else "available"}
        if b["lease"]:
            out["x-ms-lease-duration"] = "infinite"
        return {**out, **{"x-ms-meta-" + k: v for k, v in b["meta"].items()}}

    def listing(self, blobs):
        prefix, start = self.args.get("prefix", ""), self.args.get("marker", "")
        most = min(int(self.args.get("maxresults", 5000)), self.world.page)
        names = [k for k in sorted(blobs) if k.startswith(prefix) and k >= start]
        text = f'\ufeff<?xml version="1.0" encoding="utf-8"?><EnumerationResults ServiceEndpoint="https://x/" ContainerName="c"><Blobs>'
        for k in names[:most]:
            text += f"<Blob><Name>{escape(k)}</Name><Properties><Etag>{escape(blobs[k]['etag'])}</Etag></Properties></Blob>"
        marker = names[most] if len(names) > most else ""
        return 200, {"Content-Type": "application/xml"}, text + f"</Blobs><NextMarker>{escape(marker)}</NextMarker></EnumerationResults>"

    def customer_key(self):
        """The digest of the key that a request brings, if it brings one."""
        key, digest = self.headers.get("x-ms-encryption-key"), self.headers.get("x-ms-encryption-key-sha256")
        if key and (self.headers.get("x-ms-encryption-algorithm") != "AES256" or
                    digest != base64.b64encode(hashlib.sha256(base64.b64decode(key)).digest()).decode()):
            raise Refusal(400, "InvalidHeaderValue", "x-ms-encryption-key")
        return digest

    def condition(self, b):
        match, none = self.headers.get("If-Match"), self.headers.get("If-None-Match")
        if match is not None and (b is None or match not in ("*", b["etag"])):
            raise Refusal(412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.")
        if none == "*" and b is not None:
            raise Refusal(409, "BlobAlreadyExists", "The specified blob already exists.")

    def lease_fits(self, b):
        said = self.headers.get("x-ms-lease-id")
        if b is None:
            if said:
                raise Refusal(412, "LeaseNotPresentWithBlobOperation", "There is currently no lease on the blob.")
        elif b["lease"] and not said:
            raise Refusal(412, "LeaseIdMissing", "There is currently a lease on the blob and no lease ID was specified in the request.")
        elif b["lease"] and said.lower() != b["lease"]:
            raise Refusal(412, "LeaseIdMismatchWithBlobOperation", "The lease ID specified did not match the lease ID for the blob.")
        elif said and not b["lease"]:
            raise Refusal(412, "LeaseLost" if b["broken"] else "LeaseNotPresentWithBlobOperation", "A lease ID was specified, but the lease for the blob has expired.")

    def put(self, blobs, name, key):
        b = blobs.get(key)
        self.condition(b)
        self.lease_fits(b)
        if self.headers.get("x-ms-blob-type") != "BlockBlob":
            raise Refusal(400, "MissingRequiredHeader", "x-ms-blob-type")
        sums = [self.headers.get(n) for n in ("Content-MD5", "x-ms-blob-content-md5") if self.headers.get(n)]
        right = base64.b64encode(hashlib.md5(self.body).digest()).decode()
        if any(s != right for s in sums):
            raise Refusal(400, "Md5Mismatch", "The MD5 value specified in the request did not match.")
        self.customer_key()
        new = made(self.body, dict(self.headers.items()))
        if b:
            new["lease"], new["broken"] = b["lease"], b["broken"]
        blobs[key] = new
        return 201, {"ETag": new["etag"], "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Content-MD5": right}

    def put_metadata(self, blobs, name, key, b):
        self.condition(b)
        self.lease_fits(b)
        b["meta"] = {k.lower()[10:]: v for k, v in self.headers.items() if k.lower().startswith("x-ms-meta-")}
        b["etag"] = made(b"")["etag"]
        return 200, {"ETag": b["etag"]}

    def put_snapshot(self, blobs, name, key, b):
        self.world.snapshots.append([f"{name}/{key}", b["body"].decode(errors="replace")])
        return 201, {"x-ms-snapshot": "2026-01-01T00:00:00.0000000Z", "ETag": b["etag"]}

    def put_lease(self, blobs, name, key, b):
        action, said = self.headers.get("x-ms-lease-action"), self.headers.get("x-ms-lease-id", "").lower()
        self.condition(b)
        if action == "acquire":
            wanted = self.headers.get("x-ms-proposed-lease-id", "").lower() or str(uuid.uuid4())
            if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", wanted):
                raise Refusal(400, "InvalidHeaderValue", "x-ms-proposed-lease-id")
            if b["lease"] and b["lease"] != wanted:
                raise Refusal(409, "LeaseAlreadyPresent", "There is already a lease present.")
            b["lease"], b["broken"] = wanted, False
            return 201, {"ETag": b["etag"], "x-ms-lease-id": wanted}
        if action == "break":
            if not b["lease"]:
                raise Refusal(409, "LeaseNotPresentWithLeaseOperation", "There is currently no lease on the blob.")
            b["lease"], b["broken"] = None, True
            return 202, {"ETag": b["etag"], "x-ms-lease-time": "0"}
        if not b["lease"]:
            raise Refusal(409, "LeaseNotPresentWithLeaseOperation" if not b["broken"] else "LeaseIsBrokenAndCannotBeRenewed", "There is currently no lease on the blob.")
        if b["lease"] != said:
            raise Refusal(409, "LeaseIdMismatchWithLeaseOperation", "The lease ID specified did not match the lease ID for the blob.")
        if action == "release":
            b["lease"] = None
        elif action != "renew":
            raise Refusal(400, "InvalidHeaderValue", "x-ms-lease-action")
        return 200, {"ETag": b["etag"]}

    # Tokens.
    def granted(self, audience, **more):
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        token = self.world.token(audience)
        return 200, {"Content-Type": "application/json"}, json.dumps({"token_type": "Bearer", "access_token": token, **more})

    def serve_login(self):
        if "openid-configuration" in self.raw_path or "discovery" in self.raw_path:
            return self.discovery()
        f, host = self.form, self.headers.get("Host", "")
        if self.raw_path != "/tenant/oauth2/v2.0/token":
            raise Refusal(400, "invalid_request", "AADSTS90002: Tenant not found.")
        if f.get("client_id") != "client" or f.get("grant_type") != "client_credentials":
            raise Refusal(400, "unauthorized_client", "AADSTS700016: Application was not found in the directory.")
        if "client_secret" in f:
            if f["client_secret"] != "secret":
                raise Refusal(401, "invalid_client", "AADSTS7000215: Invalid client secret provided.")
        elif f.get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer":
            raise Refusal(401, "invalid_client", "AADSTS7000216: 'client_assertion' or 'client_secret' is required.")
        elif f.get("client_assertion") != "oidc-token":
            self.check_assertion(f.get("client_assertion", ""), "https://" + host + self.raw_path)
        audience = f.get("scope", "").split(" ")[0]
        return self.granted(audience[:-9] if audience.endswith("/.default") else audience, expires_in=self.world.lifetime, ext_expires_in=self.world.lifetime)

    def check_assertion(self, text, audience):
        try:
            parts = text.split(".")
            head, claims = (json.loads(base64.urlsafe_b64decode(p + "==")) for p in parts[:2])
        except ValueError:
            raise Refusal(401, "invalid_client", "AADSTS50027: JWT token is invalid or malformed.")
        key = os.path.join(os.path.dirname(self.certificate), "client.pub")
        with tempfile.NamedTemporaryFile() as signature:
            signature.write(base64.urlsafe_b64decode(parts[2] + "=="))
            signature.flush()
            good = os.path.exists(key) and subprocess.run(
                ["openssl", "dgst", "-sha256", "-verify", key, "-signature", signature.name], input=".".join(parts[:2]).encode(),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        now = self.world.now()
        good = good and head.get("alg") == "RS256" and (head.get("x5t") or head.get("kid")) and claims.get("aud") == audience and claims.get("iss") == "client" == claims.get("sub")
        if not good or not claims["nbf"] - 60 <= now <= claims["exp"] or not claims.get("jti"):
            raise Refusal(401, "invalid_client", "AADSTS700027: The certificate with identifier used to sign the client assertion is not registered.")

    def discovery(self):
        host = "https://" + self.headers.get("Host", "")
        if self.raw_path.startswith("/common/discovery"):
            return 200, {"Content-Type": "application/json"}, json.dumps({"tenant_discovery_endpoint": host + "/tenant/v2.0/.well-known/openid-configuration", "metadata": []})
        return 200, {"Content-Type": "application/json"}, json.dumps({"token_endpoint": host + "/tenant/oauth2/v2.0/token", "issuer": host + "/tenant/v2.0",
                                                                       "authorization_endpoint": host + "/tenant/oauth2/v2.0/authorize"})

    def serve_imds(self):
        if self.headers.get("Metadata") != "true" and not self.headers.get("X-IDENTITY-HEADER"):
            raise Refusal(400, "invalid_request", "Required metadata header not specified")
        if self.headers.get("X-IDENTITY-HEADER") not in (None, "identity-header"):
            raise Refusal(401, "unauthorized", "wrong X-IDENTITY-HEADER")
        if self.args.get("client_id", "client") != "client":
            raise Refusal(400, "invalid_request", "Identity not found")
        life = self.world.lifetime
        return self.granted(self.args.get("resource", ""), expires_in=str(life), expires_on=str(int(self.world.now() + life)), client_id="client")

    def serve_oidc(self):
        if self.headers.get("Authorization") != "Bearer request-token":
            raise Refusal(401, "Unauthorized", "wrong token")
        if self.raw_path.startswith("/_apis"):
            fine = self.command == "POST" and self.args.get("serviceConnectionId") == "connection" and self.args.get("api-version")
            return (200, {"Content-Type": "application/json"}, json.dumps({"oidcToken": "oidc-token"})) if fine else (400, {}, "")
        if self.args.get("audience") != "api://AzureADTokenExchange":
            raise Refusal(400, "BadRequest", "audience")
        return 200, {"Content-Type": "application/json"}, json.dumps({"value": "oidc-token", "count": 1})

    # The management API, and what a cloud says of itself.
    def serve_management(self):
        if self.raw_path == "/metadata/endpoints":
            return self.serve_metadata()
        self.bearer("https://management.azure.com" if "azure.com" in self.headers.get("Host", "") else "https://" + self.headers.get("Host", ""))
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        account = "/subscriptions/sub/resourceGroups/group/providers/Microsoft.Storage/storageAccounts/" + ACCOUNT
        told = {"id": account, "name": ACCOUNT, "location": "x", "properties": {"primaryEndpoints": {"blob": f"https://{ACCOUNT}.z1.blob.storage.azure.net/"}}}
        path = self.raw_path.lower()
        if self.command == "POST" and path == account.lower() + "/listkeys":
            return 200, {"Content-Type": "application/json"}, json.dumps({"keys": [{"keyName": "key1", "value": KEY, "permissions": "FULL"}]})
        if path == account.lower():
            return 200, {"Content-Type": "application/json"}, json.dumps(told)
        if path == "/subscriptions/sub/providers/microsoft.storage/storageaccounts":
            return 200, {"Content-Type": "application/json"}, json.dumps({"value": [told]})
        raise Refusal(404, "ResourceNotFound", "The Resource was not found.")

    def serve_vault(self):
        self.bearer("https://vault.azure.net")
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        m = re.fullmatch(r"/keys/key/(\w*)/(encrypt|decrypt)", self.raw_path)
        if not m or m[1] not in ("", "v1") or m[2] == "decrypt" and not m[1]:
            raise Refusal(404, "KeyNotFound", "A key with this name was not found in this key vault.")
        asked = json.loads(self.body)
        value, gcm = base64.urlsafe_b64decode(asked["value"] + "=="), asked["alg"] == "A256GCM"
        if m[2] == "encrypt":
            told = {"value": b"enc:" + value, **({"iv": b"\xff\xfe", "tag": b"tag"} if gcm else {})}
        elif not value.startswith(b"enc:") or gcm != (asked.get("tag") == "dGFn" and asked.get("iv") == "__4"):
            raise Refusal(400, "BadParameter", "The parameter is incorrect.")
        else:
            told = {"value": value[4:]}
        told = {k: base64.urlsafe_b64encode(v).decode().rstrip("=") for k, v in told.items()}
        return 200, {"Content-Type": "application/json"}, json.dumps({"kid": "https://vault.vault.azure.net/keys/key/v1", "alg": asked["alg"], **told})

    def serve_metadata(self):
        if self.cut == "say":
            return self.said.get("status", 200), self.said.get("headers", {}), self.said.get("body", "")
        cloud = {"name": "AzureCloud", "portal": "https://portal.azure.com",
                 "authentication": {"loginEndpoint": "https://login.microsoftonline.com/", "tenant": "common", "identityProvider": "AAD",
                                    "audiences": ["https://management.core.windows.net/", "https://management.azure.com/"]},
                 "resourceManager": "https://management.azure.com/", "microsoftGraphResourceId": "https://graph.microsoft.com/", "graph": "https://graph.windows.net/",
                 "batch": "https://batch.core.windows.net/", "media": "https://rest.media.azure.net", "sqlManagement": "https://management.core.windows.net:8443/",
                 "suffixes": {"storage": "core.windows.net", "keyVaultDns": "vault.azure.net", "sqlServerHostname": "database.windows.net"}}
        return 200, {"Content-Type": "application/json"}, json.dumps([cloud] if self.args.get("api-version", "") < "2022" else cloud)

    # What a test tells and asks.
    def control(self):
        w = self.world
        with w.lock:
            order = json.loads(self.body or b"{}")
            if order.get("forget"):
                w.forget()
            if order.get("revoke"):
                w.tokens.clear()
            for name in ("faults", "clock", "lifetime", "page"):
                if name in order:
                    setattr(w, name, order[name])
            for name, text in order.get("blobs", {}).items():
                c, _, k = name.partition("/")
                if text is None:
                    w.containers[c].pop(k, None)
                else:
                    w.containers[c][k] = made(text.encode())
            for what in ("metadata", "lease"):
                for name, value in order.get(what, {}).items():
                    c, _, k = name.partition("/")
                    w.containers[c][k]["meta" if what == "metadata" else what] = value
            all = {f"{c}/{k}": b for c, bs in w.containers.items() for k, b in bs.items()}
            out = json.dumps({"blobs": {k: b["body"].decode(errors="replace") for k, b in all.items()},
                              "metadata": {k: b["meta"] for k, b in all.items()}, "leases": {k: b["lease"] for k, b in all.items()},
                              "types": {k: b["type"] for k, b in all.items()},
                              "scopes": {k: b["scope"] for k, b in all.items() if b["scope"]},
                              "snapshots": w.snapshots, "log": w.log if self.command == "GET" else []})
        self.cut = None
        self.answer(200, {"Content-Type": "application/json"}, out)


def make_certificate(file):
    names = ",".join("DNS:" + n for n in NAMES)
    key = tempfile.NamedTemporaryFile(delete=False).name
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj", "/CN=azure.test",
                    "-addext", "subjectAltName=" + names, "-keyout", key, "-out", file], check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    os.unlink(key)
    return context


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, default=0)
    p.add_argument("--container", nargs="*", default=["tfc"])
    p.add_argument("--page", type=int, default=5000)
    p.add_argument("--certificate", help="where to write it; without this, in a directory that is removed at the end")
    p.add_argument("--blobs", metavar="HOST:PORT", help="another server that has them")
    p.add_argument("--stay", action="store_true")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Handler.certificate = args.certificate or os.path.join(folder, "azure.pem")
        Handler.context = make_certificate(Handler.certificate)
        Handler.world, Handler.blobs = World(args), args.blobs
        server = Server(("127.0.0.1", args.port), Handler)
        print(f"http://127.0.0.1:{server.server_address[1]} {Handler.certificate}", flush=True)
        if args.stay:
            return server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()


if __name__ == "__main__":
    main()
