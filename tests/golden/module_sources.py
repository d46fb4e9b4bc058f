#!/usr/bin/env python3
"""Modules from Mercurial, S3, Google Cloud Storage and OCI registries, from servers on this machine.

Usage: module_sources.py --xplan PROGRAM [CASE...]. A case whose program or server is not installed is skipped.
"""
import argparse
import base64
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import threading

import case_server
from install import Server, Work, archive, equal, sha256, tarball
from state_servers import Radosgw, started

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "servers"))
import proxy  # noqa: E402

MODULE = 'output "o" {\n  value = "%s"\n}\n'
ZIP = archive([("main.tf", MODULE % "zip", 0o644), ("sub/main.tf", MODULE % "sub", 0o644)])


class Modules:
    """Gets one module after the other."""

    def __init__(self, w):
        self.w = w

    def get(self, source, want=0, says=(), file="main.tf", env=None, keep=False):
        """The text of a file of the module."""
        if not keep:
            self.w.forget()
        self.w.write("w/main.tf", 'module "m" {\n  source = "%s"\n}\n' % source)
        out = self.w.run("get", want=want, says=says, env=env)
        if want:
            left = os.listdir(self.w.path("w/.terraform/modules")) if os.path.isdir(self.w.path("w/.terraform/modules")) else []
            if "//" not in source.split("://")[-1]:
                equal(set(left) - {"modules.json"}, set())
            return out
        return self.w.read("w/.terraform/modules/m/" + file)

    def listed(self):
        return {m["Key"]: m["Source"] for m in json.loads(self.w.read("w/.terraform/modules/modules.json"))["Modules"]}["m"]


def mercurial(w):
    """Revisions, and what a repository must not do."""
    if not shutil.which("hg"):
        raise case_server.Absent("hg is not installed")
    ran, m = w.path("ran"), Modules(w)

    def hg(where, *args):
        subprocess.run(["hg", "--cwd", where, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=w.env)

    def repository(name, files):
        os.makedirs(w.path(name))
        hg(w.path(name), "init")
        for path, text in files.items():
            w.write(name + "/" + path, text)
        hg(w.path(name), "commit", "-A", "-u", "a", "-m", "one")
        return w.path(name)

    repo = repository("repo", {"main.tf": MODULE % "one", "sub/main.tf": MODULE % "sub"})
    hg(repo, "tag", "-u", "a", "v1")
    w.write("repo/main.tf", MODULE % "two")
    hg(repo, "commit", "-u", "a", "-m", "two")
    equal(m.get("hg::" + repo), MODULE % "two")
    equal(m.listed(), "hg::file://" + repo)
    equal(m.get("hg::file://%s?rev=v1" % repo), MODULE % "one")
    equal(m.get("hg::file://%s//sub?ref=v1" % repo, file="sub/main.tf"), MODULE % "sub")
    serving = subprocess.Popen(["hg", "--cwd", repo, "serve", "--address", "127.0.0.1", "--port", "0", "--print-url"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, env=w.env)
    try:
        url = serving.stdout.readline().strip()
        url = "http://127.0.0.1:" + re.search(r":(\d+)/?$", url)[1]
        equal(m.get("hg::%s?rev=v1" % url), MODULE % "one")
        m.get("hg::%s?rev=none" % url, want=1, says=["hg exited with code", "none"])
    finally:
        serving.kill()
        serving.wait()
    # Options where names belong.
    m.get("hg::%s?rev=--config=hooks.update=touch+%s" % (repo, ran), want=1, says="is not a valid revision")
    m.get("hg::ssh://-oProxyCommand=touch%%20%s/x" % ran, want=1, says="hg exited with code")
    m.get("hg::--config=hooks.x=touch", want=1, says="is not the URL of a Mercurial repository")
    # What the repository's own settings say is not done, and others do not come along with it.
    w.write("repo/.hg/hgrc", "[hooks]\n" + "".join("%s = touch %s\n" % (h, ran) for h in ("outgoing", "preoutgoing", "update", "changegroup")))
    m.get("hg::" + repo)
    private = repository("private", {"secret": "s"})
    outer = repository("outer", {"main.tf": ""})
    shutil.copytree(private, outer + "/in")
    w.write("outer/.hgsub", "in = %s\n" % private)
    hg(outer, "add", ".hgsub")
    hg(outer, "commit", "-S", "-u", "a", "-m", "sub")
    m.get("hg::" + outer, want=1, says=["hg exited with code", "subrepos not enabled"])
    # A link out of it is no way.
    linked = repository("linked", {"main.tf": ""})
    os.symlink(w.path("private"), linked + "/out")
    hg(linked, "commit", "-A", "-u", "a", "-m", "link")
    m.get("hg::%s//out" % linked, want=1, says="leads outside of the package")
    assert not os.path.exists(ran), "something of the repository ran"
    # A server must not lead to a repository of this machine.
    w.server.pages["/hg"] = (b"", {"X-Terraform-Get": "hg::file://" + repo})
    m.get(w.server.url + "/hg", want=1, says="must not refer to a path of this machine")
    w.server.pages["/hg"] = (b"", {"X-Terraform-Get": "hg::http://127.0.0.1:9/x"})
    m.get(w.server.url + "/hg", want=1, says="hg::http://127.0.0.1:9/x")


def s3(w):
    """Signed requests, directories, versions of keys, and what goes wrong; against a server that checks signatures."""
    server, m = case_server.S3(w.path("s3")), Modules(w)
    try:
        def put(name, data, kind="s3"):
            path = w.write("object", data)
            subprocess.run(["curl", "-sf", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "AKIATEST:secretsecret", "-H",
                            "x-amz-content-sha256: " + sha256(data if isinstance(data, bytes) else data.encode()), "-T", path,
                            server.url + "/tfb/" + name], check=True, stdout=subprocess.DEVNULL)

        def control(**what):
            subprocess.run(["curl", "-sf", "-d", json.dumps(what), server.url + "/_control"], check=True, stdout=subprocess.DEVNULL)

        keys = {k: v for k, v in server.env.items() if k != "AWS_ENDPOINT_URL"}
        base = "s3::%s/tfb/" % server.url
        put("m/mod.zip", ZIP)
        put("m/mod.tar.gz", tarball([("main.tf", MODULE % "tar", None)]))
        put("m/plain", ZIP)
        for name in ("main.tf", "a%20b/more.tf", "sub/main.tf"):
            put("m/dir/" + name, MODULE % name)
        put("m/directory.tf", "")
        equal(m.get(base + "m/mod.zip", env=keys), MODULE % "zip")
        equal(m.listed(), base + "m/mod.zip")
        equal(m.get(base + "m/mod.zip//sub", env=keys, file="sub/main.tf"), MODULE % "sub")
        equal(m.get(base + "m/mod.tar.gz", env=keys), MODULE % "tar")
        equal(m.get(base + "m/plain?archive=zip&checksum=sha256:" + sha256(ZIP), env=keys), MODULE % "zip")
        m.get(base + "m/mod.zip?checksum=md5:0", want=1, says="its md5 checksum is", env=keys)
        # All that is below a path, and nothing beside it.
        equal(m.get(base + "m/dir", env=keys), MODULE % "main.tf")
        have = sorted(os.path.relpath(os.path.join(d, f), w.path("w/.terraform/modules/m"))
                      for d, _, files in os.walk(w.path("w/.terraform/modules/m")) for f in files)
        equal(have, ["a b/more.tf", "main.tf", "sub/main.tf"])
        m.get(base + "m/dir//sub", env=keys, file="sub/main.tf")
        # Hosts of Amazon's own go where the environment says that it is; which bucket and which region, the host says.
        equal(m.get("tfb.s3.us-east-1.amazonaws.com/m/mod.zip", env=server.env), MODULE % "zip")
        equal(m.listed(), "s3::https://s3.us-east-1.amazonaws.com/tfb/m/mod.zip")
        m.get("s3::https://s3.amazonaws.com/tfb/m/dir", env=server.env)
        # Keys of the source, which no message shows; without any, what was tried.
        none = {"AWS_EC2_METADATA_DISABLED": "true"}
        m.get(base + "m/mod.zip?aws_access_key_id=AKIATEST&aws_access_key_secret=secretsecret&region=us-east-1", env=none)
        told = m.get(base + "m/mod.zip?aws_access_key_id=AKIATEST&aws_access_key_secret=verysecret", want=1, env=none,
                     says="SignatureDoesNotMatch")
        assert "verysecret" not in told, told
        m.get(base + "m/mod.zip", want=1, env=none, says="AWS_ACCESS_KEY_ID")
        m.get(base + "m/mod.zip?aws_access_key_id=AKIATEST", want=1, env=keys, says="must be set together")
        w.write("home/.aws/credentials", "[team]\naws_access_key_id = AKIATEST\naws_secret_access_key = secretsecret\n")
        m.get(base + "m/mod.zip?aws_profile=team", env=none)
        # What is not there.
        m.get(base + "m/none.zip", want=1, env=keys, says=['failed to read "s3://tfb/m/none.zip"', "NoSuchKey"])
        m.get(base + "m/none", want=1, env=keys, says="has no objects below")
        m.get("s3::%s/none/x" % server.url, want=1, env=keys, says="NoSuchBucket")
        # Names that lead out, and what is no archive.
        control(objects={"tfb/evil/../../../out.tf": "x"})
        m.get(base + "evil", want=1, env=keys, says="leads outside of the directory")
        control(objects={"tfb/evil/../../../out.tf": None, "tfb/evil/a": "x", "tfb/evil/a/b": "y"})
        m.get(base + "evil", want=1, env=keys, says="is below an entry that is not a directory")
        control(objects={"tfb/m/broken.zip": "no zip"})
        m.get(base + "m/broken.zip", want=1, env=keys, says="the archive")
        # Nobody is followed elsewhere with a signature.
        control(faults=[{"on": {"method": "GET", "ends": "mod.zip"}, "do": "say", "status": 301, "headers": {"Location": w.server.url + "/x"}}])
        asked = len(w.server.asked)
        m.get(base + "m/mod.zip", want=1, env=keys, says="301")
        equal(len(w.server.asked), asked)
    finally:
        server.close()


def s3_gateway(w):
    """The same from Ceph's gateway."""
    server, m = Radosgw(w.path("rgw")), Modules(w)
    for name, data in (("mod.zip", ZIP), ("dir/main.tf", (MODULE % "dir").encode())):
        path = w.write("object", data)
        subprocess.run(["curl", "-sf", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "AKIATEST:secretsecret", "-H",
                        "x-amz-content-sha256: " + sha256(data), "-T", path, "%s/%s/%s" % (server.url, server.bucket, name)], check=True)
    env = {k: v for k, v in server.env.items() if k != "AWS_ENDPOINT_URL_S3"}
    equal(m.get("s3::%s/%s/mod.zip" % (server.url, server.bucket), env=env), MODULE % "zip")
    equal(m.get("s3::%s/%s/dir" % (server.url, server.bucket), env=env), MODULE % "dir")
    equal(m.get("%s.s3.amazonaws.com/dir" % server.bucket, env=server.env), MODULE % "dir")
    m.get("s3::%s/%s/none.zip" % (server.url, server.bucket), want=1, env=env, says="NoSuchKey")


class Google(threading.Thread):
    """A proxy that takes the place of the hosts that it is asked to connect to."""

    def __init__(self, w, server):
        super().__init__(daemon=True)
        self.to, self.connected = server.url.split("//")[1].split(":"), []
        self.certificate = w.path("google.pem")
        self.context = proxy.make_certificate(self.certificate, ["storage.googleapis.com"])
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                client = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(4096)
        self.connected.append(head.split()[1].decode())
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            with self.context.wrap_socket(client, server_side=True) as inside, socket.create_connection(self.to) as out:
                back = threading.Thread(target=self.copy, args=(out, inside), daemon=True)
                back.start()
                self.copy(inside, out)
                back.join(5)
        except OSError:
            pass

    def copy(self, a, b):
        try:
            while data := a.recv(65536):
                b.sendall(data)
            b.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def gcs(w):
    server, m = case_server.Gcs(w.path("gcs")), Modules(w)
    google = Google(w, server)
    try:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as t:
            info = tarfile.TarInfo("main.tf")
            info.size = len(MODULE % "tar")
            t.addfile(info, io.BytesIO((MODULE % "tar").encode()))

        def control(**what):
            path = w.write("control", json.dumps(what))
            subprocess.run(["curl", "-sf", "-d", "@" + path, server.url + "/_control"], check=True, stdout=subprocess.DEVNULL)

        control(objects={"tfb/m/mod.tar": out.getvalue().decode(), "tfb/m/dir/main.tf": MODULE % "dir", "tfb/m/dir/a b/x.tf": "",
                         "tfb/m/directory": "", "tfb/m/broken.zip": "no zip"}, page=1)
        env = {"HTTPS_PROXY": google.url, "SSL_CERT_FILE": google.certificate, "GOOGLE_OAUTH_ACCESS_TOKEN": "tok"}
        base = "gcs::https://www.googleapis.com/storage/v1/tfb/"
        equal(m.get(base + "m/mod.tar", env=env), MODULE % "tar")
        equal(m.listed(), base + "m/mod.tar")
        equal(m.get("www.googleapis.com/storage/v1/tfb/m/dir", env=env), MODULE % "dir")
        equal(m.listed(), base + "m/dir")
        assert os.path.exists(w.path("w/.terraform/modules/m/a b/x.tf"))
        assert not os.path.exists(w.path("w/.terraform/modules/m/ectory"))
        generation = server.control()["generations"]["tfb/m/mod.tar"] if "generations" in server.control() else ""
        if generation:
            m.get(base + "m/mod.tar#%s" % generation, env=env)
        m.get(base + "m/mod.tar#1", want=1, env=env, says="No such object")
        m.get(base + "m/none.zip", want=1, env=env, says=['failed to read "gs://tfb/m/none.zip"', "No such object"])
        m.get(base + "m/none", want=1, env=env, says="has no objects below")
        m.get(base + "m/broken.zip", want=1, env=env, says="the archive")
        m.get(base + "m/mod.tar", want=1, env={**env, "GOOGLE_OAUTH_ACCESS_TOKEN": "other"}, says="401")
        # The token is Google's: it goes to no other host.
        equal(set(google.connected), {"storage.googleapis.com:443"})
        m.get("gcs::%s/storage/v1/tfb/m/mod.tar" % server.url, want=1, env=env, says="is not the URL of an object in Cloud Storage")
        # Without credentials, what was tried.
        m.get(base + "m/mod.tar", want=1, env={**env, "GOOGLE_OAUTH_ACCESS_TOKEN": "", "GCE_METADATA_HOST": "127.0.0.1:9"}, says="GOOGLE_APPLICATION_CREDENTIALS")
    finally:
        google.socket.close()
        server.close()


class Registry:
    """An OCI registry with tokens, on a server of install.py: one module package for each tag."""

    def __init__(self, w):
        self.w, self.server, self.pages = w, w.server, w.server.pages
        self.name = w.server.url.split("//")[1]
        self.repository = "team/net"

    def blob(self, data):
        self.pages["/v2/%s/blobs/sha256:%s" % (self.repository, sha256(data))] = data
        return {"mediaType": "archive/zip", "digest": "sha256:" + sha256(data), "size": len(data)}

    def manifest(self, tag, layers, **more):
        data = json.dumps({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                           "artifactType": "application/vnd.opentofu.modulepkg", "layers": layers, **more}).encode()
        for reference in (tag, "sha256:" + sha256(data)):
            self.pages["/v2/%s/manifests/%s" % (self.repository, reference)] = data
        return "sha256:" + sha256(data)

    def source(self, more=""):
        return "oci://%s/%s%s" % (self.name, self.repository, more)


def oci(w):
    """Tags and digests, and registries that are not what they should be."""
    r, m = Registry(w), Modules(w)
    layer = r.blob(ZIP)
    digest = r.manifest("latest", [layer])
    other = archive([("main.tf", MODULE % "one", 0o644)])
    r.manifest("1.0.0", [{"mediaType": "text/plain", "digest": "sha256:" + "0" * 64, "size": 1}, r.blob(other)])
    equal(m.get(r.source()), MODULE % "zip")
    equal(m.listed(), r.source())
    equal(m.get(r.source("//sub"), file="sub/main.tf"), MODULE % "sub")
    equal(m.get(r.source("?tag=1.0.0")), MODULE % "one")
    equal(m.listed(), r.source("?tag=1.0.0"))
    equal(m.get(r.source("?digest=" + digest)), MODULE % "zip")
    # One download for all calls of the same package.
    w.forget()
    w.write("w/main.tf", "".join('module "m%d" {\n  source = "%s"\n}\n' % (i, r.source("//sub" if i else "")) for i in range(4)))
    before = len(w.server.asked)
    w.run("get")
    equal(len(w.server.asked) - before, 2)
    # What no registry has to be asked for.
    for source, says in ((r.source("?tag=1&digest=" + digest), "tag and digest cannot be used together"), (r.source("?tag="), "is not a valid tag"),
                         (r.source("?tag=a/b"), "is not a valid tag"), (r.source("?digest=sha256:0"), "is not a valid digest"),
                         (r.source("?ref=v1"), "is not a valid argument of a module source in an OCI registry"),
                         ("oci://%s/Team" % r.name, "in lower case"), ("oci://%s/a/../b" % r.name, "in lower case"), ("oci://a@b/c", "in lower case")):
        m.get(source, want=1, says=says)
    equal(len(w.server.asked) - before, 2)
    # Answers that are wrong.
    m.get(r.source("?tag=none"), want=1, says='does not have the tag "none"')
    r.manifest("image", [layer], artifactType="application/x")
    m.get(r.source("?tag=image"), want=1, says=["is not that of a module", 'not "application/x"'])
    r.manifest("two", [layer, layer])
    m.get(r.source("?tag=two"), want=1, says="exactly one layer")
    r.manifest("none", [])
    m.get(r.source("?tag=none"), want=1, says="exactly one layer")
    r.manifest("bad", [{**layer, "digest": "sha256:../../x"}])
    m.get(r.source("?tag=bad"), want=1, says="has no valid digest and size")
    r.manifest("large", [{**layer, "size": 1 << 40}])
    m.get(r.source("?tag=large"), want=1, says="larger than 2 GiB")
    r.manifest("short", [{**layer, "size": 10}])
    m.get(r.source("?tag=short"), want=1, says="is larger than")
    latest = "/v2/team/net/manifests/latest"
    for told, code, says in (("sha256:" + "0" * 64, 1, "of its header Docker-Content-Digest"), (digest, 0, "")):
        r.pages[latest] = (r.pages["/v2/team/net/manifests/" + digest], {"Docker-Content-Digest": told})
        m.get(r.source("?tag=latest"), want=code, says=says)
    r.pages["/v2/team/net/manifests/" + digest] += b" "
    m.get(r.source("?digest=" + digest), want=1, says="does not have the digest")
    r.pages["/v2/team/net/blobs/" + layer["digest"]] = other
    m.get(r.source(), want=1, says="does not have the digest that its manifest says")
    r.pages["/v2/team/net/manifests/json"] = b"<html>"
    m.get(r.source("?tag=json"), want=1, says="the manifest")
    out = r.blob(archive([("../out.tf", "x", 0o644)]))
    r.manifest("out", [out])
    m.get(r.source("?tag=out"), want=1, says="leads outside of the directory")
    # A server may name one.
    w.server.pages["/page"] = (b"", {"X-Terraform-Get": r.source("?tag=1.0.0")})
    equal(m.get(w.server.url + "/page"), MODULE % "one")


def oci_credentials(w):
    """Where credentials come from, and where they go."""
    r, m = Registry(w), Modules(w)
    layer = r.blob(ZIP)
    r.manifest("latest", [layer])
    manifest, blob = "/v2/team/net/manifests/latest", "/v2/team/net/blobs/" + layer["digest"]
    pages = {p: w.server.pages[p] for p in (manifest, blob)}
    basic = lambda user, password: "Basic " + base64.b64encode(("%s:%s" % (user, password)).encode()).decode()  # noqa: E731
    asked = lambda: [a for p, a in w.server.asked if p.startswith("/v2/")]  # noqa: E731

    def protect(*challenges):
        """The manifest is refused so often, each time with the next challenge."""
        w.server.asked.clear()
        w.server.pages[manifest] = {"turns": [(401, b"{}", {"WWW-Authenticate": c}) for c in challenges] + [pages[manifest]]}

    def docker(**auths):
        w.write("home/.docker/config.json", json.dumps({"auths": {k.replace("HOST", r.name): {"auth": base64.b64encode(v.encode()).decode()}
                                                                  for k, v in auths.items()}}))

    m_basic = 'Basic realm="registry"'
    bearer = 'Bearer realm="%s/token",service="reg, istry",scope="repository:team/net:pull"' % w.server.url
    w.server.pages["/token"] = {"token": "T"}
    # Nobody has any.
    protect(m_basic)
    m.get(r.source(), want=1, says="requires a user name and a password, but none are configured")
    protect(bearer)
    equal(m.get(r.source()), MODULE % "zip")  # a token for everybody
    equal(asked(), [None, "Bearer T", "Bearer T"])
    equal([a for p, a in w.server.asked if p == "/token"], [None])
    # Of docker-style files, the most specific entry; it goes where the registry says, the token to the registry.
    docker(**{"HOST": "a:1", "https://HOST/team/": "b:2:3", "HOST/team/network": "c:4", "other.example.com": "d:5"})
    protect(m_basic)
    m.get(r.source())
    equal(asked(), [None, basic("b", "2:3"), basic("b", "2:3")])
    protect(bearer)
    m.get(r.source())
    equal([a for p, a in w.server.asked if p == "/token"], [basic("b", "2:3")])
    equal(asked(), [None, "Bearer T", "Bearer T"])
    # The CLI configuration comes first.
    w.settings('oci_credentials "%s/team" {\n  username = "u"\n  password = "p"\n}\n' % r.name)
    protect(m_basic)
    m.get(r.source())
    equal(asked()[1], basic("u", "p"))
    w.settings('oci_credentials "%s/team" {\n  access_token = "AT"\n}\n' % r.name)
    protect(bearer)
    m.get(r.source())
    equal(asked()[1], "Bearer AT")
    w.settings("oci_default_credentials {\n  discover_ambient_credentials = false\n}\n")
    protect(m_basic)
    m.get(r.source(), want=1, says="but none are configured")
    file = w.write("auth.json", json.dumps({"auths": {r.name: {"auth": base64.b64encode(b"f:9").decode()}}}))
    w.settings('oci_default_credentials {\n  docker_style_config_files = ["%s"]\n}\n' % file)
    protect(m_basic)
    m.get(r.source())
    equal(asked()[1], basic("f", "9"))
    # Programs.
    helper = w.write("bin/docker-credential-test", '#!/bin/sh\nread host\ncase $1$host in\n  get%s) echo "{\\"Username\\":\\"h\\",\\"Secret\\":\\"s\\"}" ;;\n'
                     "  *) echo credentials not found in native keychain; exit 1 ;;\nesac\n" % r.name)
    os.chmod(helper, 0o755)
    path = {"PATH": w.path("bin") + ":" + w.env["PATH"]}
    for settings in ('oci_credentials "%s" {\n  docker_credentials_helper = "test"\n}\n' % r.name,
                     'oci_default_credentials {\n  discover_ambient_credentials = false\n  docker_credentials_helper = "test"\n}\n'):
        w.settings(settings)
        os.remove(w.path("home/.docker/config.json")) if os.path.exists(w.path("home/.docker/config.json")) else None
        protect(m_basic)
        m.get(r.source(), env=path)
        equal(asked()[1], basic("h", "s"))
    w.settings("")
    for config in ({"credHelpers": {r.name: "test"}}, {"credsStore": "test"}):
        w.write("home/.docker/config.json", json.dumps(config))
        protect(m_basic)
        m.get(r.source(), env=path)
        equal(asked()[1], basic("h", "s"))
    w.write("home/.docker/config.json", json.dumps({"credsStore": "../../evil"}))
    protect(m_basic)
    m.get(r.source(), want=1, env=path, says="cannot be the name of a credentials helper")
    w.write("home/.docker/config.json", json.dumps({"credsStore": "absent"}))
    protect(m_basic)
    m.get(r.source(), want=1, env=path, says='the credentials helper "docker-credential-absent" cannot be started')
    # What is not understood, or does not work; no message has a secret.
    docker(HOST="user:topsecret")
    protect(m_basic, m_basic)
    out = m.get(r.source(), want=1, says="401")
    assert "topsecret" not in out, out
    protect("Negotiate")
    m.get(r.source(), want=1, says="the supported methods are Basic and Bearer")
    protect('Bearer realm="http://localhost:1/token"')
    m.get(r.source(), want=1, says="names a token service that does not use https")
    w.server.pages["/token"] = (401, b"")
    protect(bearer)
    m.get(r.source(), want=1, says="does not accept the credentials")
    w.server.pages["/token"] = {"token": "T\r\nX: y"}
    protect(bearer)
    m.get(r.source(), want=1, says="did not return a token")
    w.write("home/.docker/config.json", "{")
    protect(m_basic)
    m.get(r.source(), want=1, says="the file with credentials of OCI registries")
    # No credentials go to a host that asks for them where the registry redirects to it.
    other = Server()
    other.pages["/other"] = (401, b"{}", {"WWW-Authenticate": 'Bearer realm="%s/take",service="s"' % other.url})
    other.pages["/take"] = {"token": "T"}
    w.settings('oci_credentials "%s/team" {\n  username = "u"\n  password = "p"\n}\n' % r.name)
    w.server.pages[manifest] = (302, b"", {"Location": other.url + "/other"})
    m.get(r.source(), want=1, says="which requires credentials")
    equal([a for _, a in other.asked], [None])
    w.settings("")
    # A blob may be at another host, which gets no token.
    docker(HOST="a:1")
    elsewhere = Server()
    try:
        elsewhere.pages["/blob"] = ZIP
        w.server.pages["/token"] = {"access_token": "T"}
        w.server.pages[blob] = (307, b"", {"Location": elsewhere.url + "/blob"})
        protect(bearer)
        equal(m.get(r.source()), MODULE % "zip")
        equal(elsewhere.asked, [("/blob", None)])
    finally:
        elsewhere.httpd.shutdown()
    for settings, says in (('oci_credentials "x" {\n  username = "u"\n}\n', "Invalid oci_credentials block"),
                           ('oci_credentials {\n}\n', "must have one label"),
                           ('oci_credentials "x" {\n  docker_credentials_helper = "../x"\n}\n', "(the NAME in docker-credential-NAME)"),
                           ('oci_default_credentials {\n  x = 1\n}\n', "is not an argument of oci_default_credentials")):
        w.settings(settings)
        m.get(r.source(), want=1, says=says)


CASES = [mercurial, s3, s3_gateway, gcs, oci, oci_credentials]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xplan", required=True)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    failed = 0
    for case in CASES:
        if args.cases and case.__name__ not in args.cases:
            continue
        w = Work(os.path.abspath(args.xplan))
        try:
            case(w)
            print("ok      " + case.__name__)
        except case_server.Absent as e:
            print("skipped: %s" % e)
        except Exception as e:  # every case is tried
            failed += 1
            print("FAILED  %s: %s: %s" % (case.__name__, type(e).__name__, e))
        finally:
            w.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
