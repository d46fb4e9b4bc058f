#!/usr/bin/env python3
"""Installation end to end: mirrors, registries, caches, lock files, modules, and everything that can go wrong.

Servers run on this machine's loopback and are started here; packages are small scripts, because installing
does not run them. Usage: install.py --xplan PROGRAM [CASE...]
"""
import argparse
import gzip
import hashlib
import http.server
import io
import json
import os
import re
import resource
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile

from pseudo_terminal import Terminal

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "install_data")
MACHINE = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
PLATFORM = "linux_" + MACHINE
CENTRAL = "registry.terraform.io/hashicorp/"


def archive(files):
    """A zip with the same bytes everywhere."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
        for name, text, mode in files:
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = (0o100000 | mode) << 16
            z.writestr(info, text)
    return out.getvalue()


def package(kind, version, platform="any"):
    return archive([("terraform-provider-%s_v%s" % (kind, version), "#!/bin/sh\necho %s %s\n" % (version, platform),
                     0o755), ("LICENSE", "free\n", 0o644)])


def tarball(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as t:
        for name, text, link in files:
            info = tarfile.TarInfo(name)
            info.mode = 0o644
            if link:
                info.type, info.linkname = tarfile.SYMTYPE, link
                t.addfile(info)
            else:
                info.size = len(text)
                t.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Server:
    """https on a free port. pages: path -> bytes, (status, bytes), (bytes, headers), {"cut": bytes} or {"slow": bytes};
    {"turns": [...]}: one after the other, the last one again and again; {"silent": seconds}. Each answer takes
    `delay` seconds; `most`: so many were awaited at once."""

    def __init__(self):
        self.pages, self.asked = {}, []
        self.delay, self.awaited, self.most, self.counting = 0, 0, 0, threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with outer.counting:
                    outer.awaited += 1
                    outer.most = max(outer.most, outer.awaited)
                time.sleep(outer.delay)
                with outer.counting:  # before the answer: whoever has it may ask for the next thing at once
                    outer.awaited -= 1
                self.answer()

            def answer(self):
                path = self.path.split("?")[0]
                outer.asked.append((path, self.headers.get("Authorization")))
                page = outer.pages.get(path, (404, b""))
                status, headers = 200, {}
                if isinstance(page, dict) and "turns" in page:
                    page = page["turns"].pop(0) if len(page["turns"]) > 1 else page["turns"][0]
                if isinstance(page, dict) and "silent" in page:
                    time.sleep(page["silent"])
                    return
                if isinstance(page, dict) and "cut" in page:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(page["cut"]) * 2))
                    self.end_headers()
                    self.wfile.write(page["cut"])
                    return
                if isinstance(page, dict) and "slow" in page:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(page["slow"])))
                    self.end_headers()
                    for i in range(0, len(page["slow"]), 1 << 19):
                        self.wfile.write(page["slow"][i:i + (1 << 19)])
                        time.sleep(0.15)
                    return
                if isinstance(page, (dict, list)):
                    page = json.dumps(page).encode()
                if isinstance(page, tuple):
                    if isinstance(page[0], int):
                        status, page, headers = (*page, {})[:3]
                    else:
                        page, headers = page
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *args):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            request_queue_size = 64  # who comes ninth is not to be turned away for a second

        self.httpd = Listener(("127.0.0.1", 0), Handler)
        self.httpd.handle_error = lambda *about: None  # a client that goes away in the middle is a case, too
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(HERE, "server.pem"))
        self.httpd.socket = context.wrap_socket(self.httpd.socket, server_side=True)
        self.url = "https://localhost:%d" % self.httpd.server_port
        threading.Thread(target=self.httpd.serve_forever, args=(0.02,), daemon=True).start()

    def mirror(self, kind, versions, hashes=True):
        base = "/mirror/" + CENTRAL + kind
        self.pages[base + "/index.json"] = {"versions": {v: {} for v in versions}}
        for v in versions:
            data, name = package(kind, v), "terraform-provider-%s_%s_%s.zip" % (kind, v, PLATFORM)
            self.pages["%s/%s" % (base, name)] = data
            entry = {"url": name}
            if hashes:
                entry["hashes"] = ["zh:" + sha256(data), "other:1"]
            self.pages["%s/%s.json" % (base, v)] = {"archives": {PLATFORM: entry}}

    def registry(self, kind="demo", version="1.0.0"):
        """One provider, signed with a key whose secret half nobody has any more."""
        base = "/v1/providers/acme/" + kind
        self.pages[base + "/versions"] = {"versions": [
            {"version": version, "protocols": ["5.0"]}, {"version": "9.0.0", "protocols": ["4.0"]}]}
        sums = signed_sums(kind, version)
        self.pages["/dl/sums"] = sums
        self.pages["/dl/sums.sig"] = open(os.path.join(HERE, "sums.sig"), "rb").read()
        for platform in ("linux_amd64", "linux_arm64", "darwin_arm64"):
            data, name = package(kind, version, platform), "terraform-provider-%s_%s_%s.zip" % (kind, version, platform)
            self.pages["/dl/" + name] = data
            self.pages["%s/%s/download/%s" % (base, version, platform.replace("_", "/"))] = {
                "protocols": ["5.0"], "os": platform.split("_")[0], "arch": platform.split("_")[1], "filename": name, "shasum": sha256(data), "download_url": "/dl/" + name,
                "shasums_url": "/dl/sums", "shasums_signature_url": self.url + "/dl/sums.sig",
                "signing_keys": {"gpg_public_keys": [
                    {"key_id": "x", "ascii_armor": open(os.path.join(HERE, "key.asc")).read()}]}}


def signed_sums(kind="demo", version="1.0.0"):
    return "".join("%s  terraform-provider-%s_%s_%s.zip\n" % (sha256(package(kind, version, p)), kind, version, p)
                   for p in ("darwin_arm64", "linux_amd64", "linux_arm64")).encode()


class Work:
    def __init__(self, xplan):
        self.xplan = xplan
        self.top = tempfile.mkdtemp(prefix="xplan-install-")
        self.home, self.dir = os.path.join(self.top, "home"), os.path.join(self.top, "w")
        os.makedirs(self.home), os.makedirs(self.dir)
        self.server = Server()
        self.env = {"HOME": self.home, "PATH": os.environ["PATH"], "TF_CLI_CONFIG_FILE": os.path.join(self.top, "rc"),
                    "SSL_CERT_FILE": os.path.join(HERE, "ca.pem"), "XPLAN_DIALECT": "terraform",
                    "TF_REGISTRY_DISCOVERY_RETRY": "0", "GIT_CONFIG_NOSYSTEM": "1"}
        for name in ("LD_LIBRARY_PATH", "TSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]
        self.settings("")

    def path(self, name):
        return os.path.join(self.top, name)

    def settings(self, text):
        with open(self.env["TF_CLI_CONFIG_FILE"], "w") as f:
            f.write(text.replace("@TOP@", self.top).replace("@URL@", self.server.url))

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return path

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def needs(self, **providers):
        lines = "".join('    %s = { source = "%s"%s }\n' % (n, s.split()[0], ', version = "%s"' % " ".join(s.split()[1:])
                                                         if " " in s else "") for n, s in providers.items())
        self.write("w/main.tf", "terraform {\n  required_providers {\n%s  }\n}\n" % lines)

    def folder_mirror(self, kind, versions, packed=True):
        for v in versions:
            base = "mirror/" + CENTRAL + kind
            if packed:
                self.write("%s/terraform-provider-%s_%s_%s.zip" % (base, kind, v, PLATFORM), package(kind, v))
            else:
                program = self.write("%s/%s/%s/terraform-provider-%s_v%s" % (base, v, PLATFORM, kind, v), "#!/bin/sh\n")
                os.chmod(program, 0o755)
        self.settings('provider_installation {\n  filesystem_mirror {\n    path = "@TOP@/mirror"\n  }\n}\n')

    # peak: the most memory that the process took, in KiB.
    def run(self, *args, want=0, says=(), env=None, limit=None, cwd=None):
        def prepare():
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        p = subprocess.Popen([self.xplan] + list(args), cwd=cwd or self.dir, env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=prepare, restore_signals=False)
        late = threading.Timer(100, p.kill)
        late.start()
        with p.stdout:
            text = p.stdout.read().decode()
        status, used = os.wait4(p.pid, 0)[1:]
        late.cancel()
        p.returncode, self.peak = os.waitstatus_to_exitcode(status), used.ru_maxrss
        flat = re.sub(r"[\s│]+", " ", text)
        if p.returncode != want:
            raise AssertionError("%s ended with %d, not %d:\n%s" % (" ".join(args), p.returncode, want, text))
        for s in [says] if isinstance(says, str) else says:
            if s not in flat:
                raise AssertionError("%s does not say %r:\n%s" % (" ".join(args), s, text))
        return text

    def packages(self):
        """What lies below .terraform/providers, to the level of packages."""
        out = []
        base = os.path.join(self.dir, ".terraform/providers")
        for root, dirs, files in os.walk(base):
            depth = len(os.path.relpath(root, base).split("/"))
            if depth == 4:
                out += [os.path.relpath(os.path.join(root, d), base) for d in dirs + files]
                dirs[:] = []
        return sorted(out)

    def lock(self):
        return self.read("w/.terraform.lock.hcl")

    def forget(self, lock=False):
        shutil.rmtree(os.path.join(self.dir, ".terraform"), ignore_errors=True)
        if lock and os.path.exists(os.path.join(self.dir, ".terraform.lock.hcl")):
            os.remove(os.path.join(self.dir, ".terraform.lock.hcl"))

    def close(self):
        self.server.httpd.shutdown()
        shutil.rmtree(self.top, ignore_errors=True)


def equal(got, want):
    if got != want:
        raise AssertionError("got\n%s\nnot\n%s" % (got, want))


def package_hash(kind, version, platform="any"):
    with zipfile.ZipFile(io.BytesIO(package(kind, version, platform))) as z:
        lines = "".join("%s  %s\n" % (sha256(z.read(n)), n) for n in sorted(z.namelist()))
    import base64
    return "h1:" + base64.b64encode(hashlib.sha256(lines.encode()).digest()).decode()


def folders(w):
    w.folder_mirror("null", ["3.0.0", "3.1.0", "3.2.0-beta1"])
    w.folder_mirror("random", ["2.0.0"], packed=False)
    w.needs(null="hashicorp/null ~> 3.0, >= 3.0.0", random="hashicorp/random")
    w.run("init", says=["- Installed hashicorp/null v3.1.0 (unauthenticated)", 'successfully initialized! Run "terraform plan" to see what would change.'])
    equal(w.packages(), [CENTRAL + "null/3.1.0/" + PLATFORM, CENTRAL + "random/2.0.0/" + PLATFORM])
    assert not os.path.islink(w.path("w/.terraform/providers/" + CENTRAL + "null/3.1.0/" + PLATFORM))
    equal(os.readlink(w.path("w/.terraform/providers/" + CENTRAL + "random/2.0.0/" + PLATFORM)),
          w.path("mirror/" + CENTRAL + "random/2.0.0/" + PLATFORM))
    lock = w.lock()
    equal(lock.split("provider ")[1], '''"registry.terraform.io/hashicorp/null" {
  version     = "3.1.0"
  constraints = ">= 3.0.0, ~> 3.0"
  hashes = [
    "%s",
  ]
}

''' % package_hash("null", "3.1.0"))
    w.run("init", says="- Using previously-installed hashicorp/null v3.1.0")
    equal(w.lock(), lock)
    # A changed program may not run; init puts it right.
    program = w.path("w/.terraform/providers/" + CENTRAL + "null/3.1.0/%s/terraform-provider-null_v3.1.0" % PLATFORM)
    with open(program, "a") as f:
        f.write("# changed\n")
    w.run("plan", want=1, says=["Error: Required plugins are not installed", CENTRAL + "null: ", "terraform init"])
    w.run("init", says="- Installed hashicorp/null v3.1.0")
    w.run("version", "-json", says='"registry.terraform.io/hashicorp/null": "3.1.0"')
    # Without a lock file, or with one that does not fit.
    w.forget(lock=True)
    w.run("plan", want=1, says="Error: Inconsistent dependency lock file")
    w.write("w/.terraform.lock.hcl", lock)
    w.run("plan", want=1, says="Error: Required plugins are not installed")
    w.needs(null="hashicorp/null < 3.1")
    w.run("plan", want=1, says=["Error: Inconsistent dependency lock file", "terraform init -upgrade"])
    w.run("init", want=1, says="Failed to query available provider packages")
    w.run("init", "-upgrade", says="v3.0.0")
    assert "random" not in w.lock()


def lock_modes(w):
    w.folder_mirror("null", ["1.0.0", "1.1.0"])
    w.needs(null="hashicorp/null")
    w.run("init", "-lockfile=readonly", want=1, says="Provider dependency changes detected")
    assert not os.path.exists(w.path("w/.terraform.lock.hcl"))
    w.run("init", "-lockfile=readonly", "-upgrade", want=1, says="Incompatible command line options")
    w.run("init")
    w.run("init", "-lockfile=readonly", "-var-file=x", "-ignore-remote-version", says="successfully")
    w.write("w/.terraform.lock.hcl", w.lock().replace("h1:", "h1:x"))
    w.forget()
    w.run("init", want=1, says="does not match any of the checksums that the dependency lock file has")
    equal(w.packages(), [])
    w.write("w/.terraform.lock.hcl", "provider {")
    w.run("init", want=1, says=".terraform.lock.hcl")
    w.run("init", "-plugin-dir=/nonexistent", want=1)


def empty_packages(w):
    w.folder_mirror("null", ["1.0.0"], packed=False)
    os.remove(w.path("mirror/" + CENTRAL + "null/1.0.0/%s/terraform-provider-null_v1.0.0" % PLATFORM))
    w.write("mirror/" + CENTRAL + "null/1.0.0/%s/README" % PLATFORM, "nothing to run\n")
    w.needs(null="hashicorp/null")
    w.run("init", want=1, says=["Error: Failed to install provider", "contains no program named terraform-provider-null"])
    equal(w.packages(), [])


def plugin_folders(w):
    w.folder_mirror("null", ["1.0.0"])
    w.settings("")
    w.needs(null="hashicorp/null")
    w.run("init", "-plugin-dir=" + w.path("mirror"), says="Installed hashicorp/null v1.0.0")
    equal(json.loads(w.read("w/.terraform/plugin_path")), [w.path("mirror")])
    w.run("init", "-plugin-dir=" + w.path("missing"), want=1, says="there is no such directory")  # all that is needed is installed
    assert "backend" not in w.run("init", "-backend=false").split("Initializing provider plugins")[0]
    equal(json.loads(w.read("w/.terraform/plugin_path")), [w.path("mirror")])
    shutil.rmtree(w.path("w/.terraform/providers"))
    w.run("init", says="Installed hashicorp/null v1.0.0")
    # Folders that are looked into without being told.
    w.forget(lock=True)
    shutil.move(w.path("mirror"), w.path("w/terraform.d/plugins"))
    w.run("init", says="Installed hashicorp/null v1.0.0")
    w.forget(lock=True)
    shutil.move(w.path("w/terraform.d/plugins"), w.path("data/terraform/plugins"))
    w.run("init", env={"XDG_DATA_HOME": w.path("data")}, says="Installed hashicorp/null v1.0.0")


def overrides(w):
    w.write("dev/terraform-provider-null", "#!/bin/sh\n")
    w.settings('provider_installation {\n  dev_overrides {\n    "hashicorp/null" = "@TOP@/dev"\n  }\n  direct {}\n}\n')
    w.needs(null="hashicorp/null")
    w.run("init", says=["development overrides are in effect", "successfully"])
    equal(w.packages(), [])
    assert not os.path.exists(w.path("w/.terraform.lock.hcl"))
    os.remove(w.path("dev/terraform-provider-null"))
    w.write("w/main.tf", w.read("w/main.tf") + 'resource "null_x" "a" {}\n')
    w.run("validate", want=1, says="contains no program named terraform-provider-null")


def environment(w):
    w.folder_mirror("null", ["1.0.0"])
    w.needs(null="hashicorp/null")
    w.run("init", env={"TF_CLI_ARGS_init": "'-upgrade"}, want=1, says="is not closed")
    w.run("-chdir=w", "init", cwd=w.top, env={"TF_CLI_CONFIG_FILE": "rc"}, says="Installed hashicorp/null v1.0.0")


def settings(w):
    w.needs()
    rows = [("plugin_cache_dirs = 1", 0, "Did you mean"), ("provider_installation {", 1, "closing brace"),
            ("provider_installation {\n foo {}\n}", 1, "Unknown installation method"),
            ("provider_installation {\n filesystem_mirror {}\n}", 1, "must set its location"),
            ('provider_installation {\n network_mirror { url = "http://x" }\n}', 1, "https"),
            ("provider_installation {}\nprovider_installation {}", 1, "Repeated"),
            ('credentials "bad host" { token = "x" y = 2 }', 1, "not a valid host name"),
            ('{"provider_installation": {"direct": {"include": ["x"]}}}', 1, "not a valid pattern"),
            ('{"credentials": {"a.example": {"token": "secret-1"}}, "nothing": 1}', 0, "nothing"),
            ('credentials "a.example" {\n token = "secret-1\\r\\nEvil: 1"\n}', 1, 'The token for "a.example" contains control characters'),
            ('credentials_helper "x" {}\ncredentials_helper "y" {}', 1, "there can be only one"),
            ('credentials_helper "../x" {}', 1, "the name of the helper"),
            ('# all right\ndisable_checkpoint = true\nhost "a.b" { services = { "modules.v1" = "https://x/" } }', 0, "")]
    for text, code, says in rows:
        w.settings(text)
        out = w.run("init", want=code, says=says)
        assert "secret-1" not in out


def network_mirror(w):
    s = w.server
    s.mirror("mir", ["1.0.0", "1.1.0"])
    s.mirror("plain", ["2.0.0"], hashes=False)
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n'
               'credentials "%s" {\n  token = "tok"\n}\n' % s.url[8:])
    w.needs(mir="hashicorp/mir", plain="hashicorp/plain")
    w.run("init", says=["Installed hashicorp/mir v1.1.0 (verified checksum)",
                        "Installed hashicorp/plain v2.0.0 (unauthenticated)"])
    assert ("/mirror/" + CENTRAL + "mir/index.json", "Bearer tok") in s.asked
    assert '"%s"' % package_hash("mir", "1.1.0") in w.lock()
    page = "/mirror/%smir/terraform-provider-mir_1.1.0_%s.zip" % (CENTRAL, PLATFORM)
    good, w_needs = s.pages[page], w.needs(mir="hashicorp/mir")
    for bad, says in [(package("mir", "1.1.0", "evil"), "does not have the checksum"), ({"cut": good}, "failed to download"),
                      ((423, b""), "423 Locked"), (b"PK\x03\x04 rubbish", "checksum")]:
        w.forget(lock=True)
        s.pages[page] = bad
        w.run("init", want=1, says=["Failed to install provider", says])
        equal(w.packages(), [])
        assert not os.path.exists(w.path("w/.terraform.lock.hcl"))
    s.pages[page] = good
    # Checksums of which one fits, and such as nobody can check; a package that is packed once more on its way.
    listing, full = "/mirror/%smir/1.1.0.json" % CENTRAL, s.pages["/mirror/%smir/1.1.0.json" % CENTRAL]
    entry = full["archives"][PLATFORM]
    s.pages[listing] = {"archives": {PLATFORM: dict(entry, hashes=["zh:" + "0" * 64, package_hash("mir", "1.1.0")])}}
    w.run("init", says="Installed hashicorp/mir v1.1.0 (verified checksum)")
    w.forget(lock=True)
    s.pages[listing] = {"archives": {PLATFORM: dict(entry, hashes=["h9:x"])}}
    w.run("init", want=1, says="only in unknown schemes")
    s.pages[listing] = full
    s.pages[page] = (gzip.compress(good), {"Content-Encoding": "gzip"})
    w.run("init", says="Installed hashicorp/mir v1.1.0 (verified checksum)", env={"HTTPS_PROXY": "http://127.0.0.1:1"})
    s.pages[page] = good
    w.forget(lock=True)
    # A disk that is full, as far as this process is concerned.
    w.run("init", want=1, says="Failed to install provider", limit=16)
    equal(w.packages(), [])
    s.pages["/mirror/" + CENTRAL + "mir/index.json"] = b"no json"
    w.run("init", want=1, says="not a JSON object")
    w.settings('provider_installation {\n  network_mirror {\n    url = "https://localhost:1/"\n  }\n}\n')
    w.run("init", want=1, says=["Failed to query available provider packages", "https://localhost:1/"])
    # A server that is busy says for how long; one that is silent is given up.
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    s.mirror("mir", ["1.0.0", "1.1.0"])
    index = "/mirror/" + CENTRAL + "mir/index.json"
    s.pages[index] = {"turns": [(429, b"", {"Retry-After": "2"}), (503, b""), s.pages[index]]}
    begun = time.time()
    w.run("init", says="Installed hashicorp/mir v1.1.0", env={"TF_REGISTRY_DISCOVERY_RETRY": "2"})
    assert time.time() - begun > 2
    w.forget(lock=True)
    s.pages[index] = {"silent": 8}
    begun = time.time()
    w.run("init", want=1, says="failed to download", env={"TF_REGISTRY_CLIENT_TIMEOUT": "2"})
    assert time.time() - begun < 6
    w.settings("provider_installation {\n}\n")
    w.run("init", want=1, says="no installation method of the CLI configuration applies to this provider")
    # A certificate that nobody vouches for.
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    w.run("init", want=1, says="certificate", env={"SSL_CERT_FILE": "/dev/null"})


def oci_mirror(w):
    """Providers in OCI registries: a repository for each, a tag for each version, a manifest for each platform."""
    s, pages = w.server, w.server.pages
    registry = s.url[8:]
    base = "/v2/providers/hashicorp/null"
    digest = lambda data: "sha256:" + sha256(data)  # noqa: E731

    def manifest(reference, document):
        data = json.dumps({"schemaVersion": 2, **document}).encode()
        for name in (reference, digest(data)):
            pages["%s/manifests/%s" % (base, name)] = data
        return digest(data)

    def publish(version, tag, index_type="application/vnd.opentofu.provider", platform=PLATFORM, layers=1):
        data = package("null", version)
        pages["%s/blobs/%s" % (base, digest(data))] = data
        image = manifest("unused", {"layers": [{"mediaType": "archive/zip", "digest": digest(data), "size": len(data)}] * layers})
        os_name, arch = platform.split("_")
        manifest(tag, {"artifactType": index_type, "manifests": [
            {"artifactType": "application/x", "platform": {"os": os_name, "architecture": arch}, "digest": "sha256:" + "0" * 64},
            {"artifactType": "application/vnd.opentofu.provider-target", "platform": {"os": os_name, "architecture": arch}, "digest": image}]})
        return digest(data)
    publish("1.0.0", "1.0.0")
    blob = publish("1.1.0+x", "1.1.0_x")
    publish("1.0.1", "1.0.1", platform="plan9_mips")
    publish("1.0.2", "1.0.2", index_type="application/vnd.oci.other")
    publish("1.0.3", "1.0.3", layers=2)
    pages[base + "/tags/list"] = {"turns": [(b'{"tags": ["latest", "1.0.0"]}', {"Link": '</v2/providers/hashicorp/null/tags/list?last=1.0.0&n=2>; rel="next"'}),
                                            {"tags": ["1.1.0_x", "1.0.1", "1.0.2", "1.0.3"]}]}
    listing = pages[base + "/tags/list"]["turns"][:]

    def init(versions="", template="%s/providers/${namespace}/${type}" % registry, more='include = ["registry.terraform.io/*/*"]', before="", **kwargs):
        w.settings(before + 'provider_installation {\n  oci_mirror {\n    repository_template = "%s"\n    %s\n  }\n}\n' % (template, more))
        w.forget(lock=True)
        pages[base + "/tags/list"] = {"turns": listing[:]}
        w.needs(null="hashicorp/null" + versions)
        return w.run("init", **kwargs)
    init(says="Installed hashicorp/null v1.1.0+x (verified checksum)")
    assert '"%s"' % package_hash("null", "1.1.0+x") in w.lock(), w.lock()
    init(" 1.0.0", says="Installed hashicorp/null v1.0.0")
    for version, says in (("1.0.1", "has no package for " + PLATFORM), ("1.0.2", "is not a provider"), ("1.0.3", "exactly one layer"), ("2.0.0", "No version")):
        init(" " + version, want=1, says=says)
    for template, says in (("%s/${type}" % registry, "must refer to ${namespace}"), ("%s/${name}" % registry, "can refer to ${hostname}"),
                           ("Nowhere/${namespace}/${type}", "is not a valid OCI repository")):
        init(template=template, want=1, says=says)
    init(more="", want=1, says="must refer to ${hostname}")
    init(template="%s/providers/hashicorp/null" % registry, more='include = ["registry.terraform.io/hashicorp/null"]', says="v1.1.0+x")
    pages["%s/blobs/%s" % (base, blob)] += b"x"
    init(want=1, says="does not have the checksum")
    publish("1.1.0+x", "1.1.0_x")
    # Whoever has to log in does, with what oci_credentials says; and what the registry does not have, others may.
    page = base + "/manifests/1.1.0_x"
    open_to_all = pages[page]
    for credentials, want, says in (("", 1, "requires a user name and a password"),
                                    ('oci_credentials "%s" {\n  username = "u"\n  password = "p"\n}\n' % registry, 0, "Installed hashicorp/null v1.1.0+x")):
        pages[page] = {"turns": [(401, b"{}", {"WWW-Authenticate": 'Basic realm="r"'}), open_to_all]}
        s.asked.clear()
        init(before=credentials, want=want, says=says)
    equal([a for p, a in s.asked if p == "%s/blobs/%s" % (base, blob)], ["Basic dTpw"])
    w.forget(lock=True)
    pages[base + "/tags/list"] = {"turns": listing[1:]}
    w.needs(null="hashicorp/null")
    w.settings("")
    w.run("providers", "lock", "-oci-mirror=%s/providers/${namespace}/${type}" % registry, says="Retrieved hashicorp/null 1.1.0+x")
    w.run("providers", "lock", "-oci-mirror=x/${type}", want=1, says="must refer to ${namespace}")
    w.run("providers", "lock", "-oci-mirror=x/${type}", "-fs-mirror=y", want=1, says="cannot be used together")


def patience(w):
    """How often requests are tried again, and how long they may take: registry_protocols, download_retry_count and the environment."""
    s = w.server
    s.mirror("mir", ["1.0.0"])
    index, page = "/mirror/" + CENTRAL + "mir/index.json", "/mirror/%smir/terraform-provider-mir_1.0.0_%s.zip" % (CENTRAL, PLATFORM)
    good = {p: s.pages[p] for p in (index, page)}
    w.needs(mir="hashicorp/mir")
    again = "Installed hashicorp/mir v1.0.0"
    for where, blocks, method, env, works in (
            (index, "registry_protocols {\n  retry_count = 1\n}\n", "", {}, True),
            (index, "registry_protocols {\n  retry_count = 0\n}\n", "", {}, False),
            (index, "registry_protocols {\n  retry_count = 1\n}\n", "", {"TF_REGISTRY_DISCOVERY_RETRY": "0"}, False),
            (index, "", "", {"TF_PROVIDER_DOWNLOAD_RETRY": "1", "TF_REGISTRY_DISCOVERY_RETRY": "0"}, False),
            (page, "", "", {"TF_PROVIDER_DOWNLOAD_RETRY": "1", "TF_REGISTRY_DISCOVERY_RETRY": "0"}, True),
            (page, "", "download_retry_count = 1", {"TF_REGISTRY_DISCOVERY_RETRY": "0"}, True),
            (page, "", "download_retry_count = 0", {"TF_PROVIDER_DOWNLOAD_RETRY": "1"}, False)):
        w.settings(blocks + 'provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n    %s\n  }\n}\n' % method)
        w.forget(lock=True)
        s.pages.update(good)
        s.pages[where] = {"turns": [(503, b""), good[where]]}
        del w.env["TF_REGISTRY_DISCOVERY_RETRY"]
        w.run("init", want=0 if works else 1, says=again if works else "503", env=env)
        w.env["TF_REGISTRY_DISCOVERY_RETRY"] = "0"
    w.settings("registry_protocols {\n  request_timeout_seconds = 1\n}\n" +
               'provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    w.forget(lock=True)
    s.pages.update(good)
    s.pages[index] = {"silent": 8}
    begun = time.time()
    w.run("init", want=1, says="failed to download")
    assert time.time() - begun < 6
    for text, says in (("retry_count = -1", "whole number"), ('retries = 1', "can only contain retry_count and request_timeout_seconds")):
        w.settings("registry_protocols {\n  %s\n}\n" % text)
        w.run("init", want=1, says=says)


def progress(w):
    w.server.mirror("big", ["1.0.0"])
    data = archive([("terraform-provider-big_v1.0.0", "#!/bin/sh\n" + "x" * (4 << 20), 0o755)])
    base = "/mirror/" + CENTRAL + "big"
    w.server.pages["%s/terraform-provider-big_1.0.0_%s.zip" % (base, PLATFORM)] = {"slow": data}
    w.server.pages[base + "/1.0.0.json"] = {"archives": {PLATFORM: {"url": "terraform-provider-big_1.0.0_%s.zip" % PLATFORM}}}
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    w.needs(big="hashicorp/big")
    w.server.pages["/big.zip"] = {"slow": archive([("main.tf", "", 0o644), ("blob", "x" * (4 << 20), 0o644)])}
    w.write("w/module.tf", 'module "m" {\n  source = "%s/big.zip"\n}\n' % w.server.url)
    for command, said in (("get", "- m in .terraform/modules/m"), ("init", "- Installed hashicorp/big v1.0.0")):
        text = Terminal([w.xplan, command], w.dir, {**w.env, "TERM": "xterm"}).end(0)
        shown = re.findall(r"\r\x1b\[K  ([0-9.]+) of 4\.2 MB", text)
        if len(shown) < 3 or shown != sorted(shown) or "\r\x1b[K" + said not in text:
            raise AssertionError("on a terminal, %s showed\n%r" % (command, text))
    w.forget(lock=True)
    if "MB" in w.run("init"):
        raise AssertionError("a pipe gets progress")


def registry(w):
    s = w.server
    s.registry()
    w.settings('host "reg.example.com" {\n  services = {\n    "providers.v1" = "@URL@/v1/providers/"\n  }\n}\n')
    w.needs(demo="reg.example.com/acme/demo")
    out = w.run("init", says="Installed reg.example.com/acme/demo v1.0.0 (self-signed, key ID ")
    assert "Incomplete lock file" not in out
    hashes = [line.split()[0] for line in signed_sums().decode().splitlines()]
    want = [package_hash("demo", "1.0.0", PLATFORM)] + sorted("zh:" + h for h in hashes)
    equal(re.findall(r'    "(.*)",', w.lock()), want)
    download = "/v1/providers/acme/demo/1.0.0/download/" + PLATFORM.replace("_", "/")
    doc = s.pages[download]
    other = dict(doc, shasum="0" * 64)
    for page, bad, says in [("/dl/sums", signed_sums() + b"\n", "signature"), ("/dl/sums.sig", b"rubbish", "signature"),
                            (download, other, "does not match the one in its signed list"),
                            (download, dict(doc, signing_keys={}), "no key"),
                            (download, dict(doc, filename="x.zip"), "no entry for x.zip"),
                            (download, {}, "has no filename"), (download, dict(doc, os="plan9"), "for another platform"),
                            (download, dict(doc, protocols=["4.0"]), "requires plugin protocol 4.0"),
                            (download, dict(doc, shasums_signature_url=""), "no signed list"),
                            ("/dl/sums", (404, b""), "failed to download its list of checksums"),
                            ("/dl/" + doc["filename"], package("demo", "1.0.0", "evil"), "does not have the checksum"),
                            ("/v1/providers/acme/demo/versions", (401, b""),
                             "a token for this host is missing. Set one in a \"credentials\" block"),
                            ("/v1/providers/acme/demo/versions", (404, b""), "was not found")]:
        w.forget(lock=True)
        good = s.pages[page]
        s.pages[page] = bad
        w.run("init", want=1, says=says)
        equal(w.packages(), [])
        s.pages[page] = good
    # Checksums for other platforms, and a mirror made of the registry.
    w.run("providers", "lock", "-platform=linux_amd64", "-platform=darwin_arm64")
    for p in ("linux_amd64", "darwin_arm64"):
        assert package_hash("demo", "1.0.0", p) in w.lock()
    w.run("providers", "lock", "-net-mirror=http://localhost/", want=1, says="https")
    w.run("providers", "lock", "-platform=windows_amd64", want=1, says="no package of version 1.0.0 for windows_amd64")
    w.run("providers", "mirror", "-platform=linux_amd64", w.path("copy"))
    base = "copy/reg.example.com/acme/demo/"
    equal(json.loads(w.read(base + "index.json")), {"versions": {"1.0.0": {}}})
    equal(json.loads(w.read(base + "1.0.0.json")), {"archives": {"linux_amd64": {
        "hashes": [package_hash("demo", "1.0.0", "linux_amd64")],
        "url": "terraform-provider-demo_1.0.0_linux_amd64.zip"}}})
    w.run("providers", "lock", "-platform=linux_amd64", "-fs-mirror=" + w.path("copy"), says="already")


def signatures(w):
    """What OpenTofu's variables ask for: keys that have expired, a registry without keys, checksums that it states without a signature."""
    s = w.server
    s.registry()
    hosts = 'host "%s" {\n  services = {\n    "providers.v1" = "@URL@/v1/providers/"\n  }\n}\n'
    w.settings(hosts % "reg.example.com" + hosts % "registry.opentofu.org")
    downloads = [p for p in s.pages if "/download/" in p]

    def registry(key, signature, **more):
        for page in downloads:
            keys = [{"ascii_armor": open(os.path.join(HERE, key)).read()}] if key else []
            s.pages[page] = dict(s.pages[page], signing_keys={"gpg_public_keys": keys}, **more)
        s.pages["/dl/sums.sig"] = open(os.path.join(HERE, signature), "rb").read()

    def init(host, dialect="opentofu", **kwargs):
        w.forget(lock=True)
        w.needs(demo=host + "/acme/demo 1.0.0")
        kwargs["env"] = {"XPLAN_DIALECT": dialect, **kwargs.get("env", {})}
        return w.run("init", **kwargs)
    expired, expiry, validation = "(self-signed, key ID 7DBE65919E762643", {"OPENTOFU_ENFORCE_GPG_EXPIRATION": "true"}, {"OPENTOFU_ENFORCE_GPG_VALIDATION": "true"}
    registry("expired.asc", "expired.sig")
    for dialect in ("xplan", "opentofu"):
        init("reg.example.com", dialect, says=expired + ", which has expired)")
        init("reg.example.com", dialect, env=expiry, want=1, says="the key 7DBE65919E762643, which has expired, and OPENTOFU_ENFORCE_GPG_EXPIRATION is set")
        equal(w.packages(), [])
    init("reg.example.com", env={"OPENTOFU_ENFORCE_GPG_EXPIRATION": "1"}, says=expired)
    init("reg.example.com", "terraform", env=expiry, says=expired + ")")
    w.run("providers", "lock", says=expired + ")")
    registry("key.asc", "sums.sig")
    init("reg.example.com", env=expiry, says="(self-signed, key ID F256DE1988D37C2B)")
    # Without keys, but with a list of what there is: of OpenTofu's own registry alone.
    platforms = ("darwin_arm64", "linux_amd64", "linux_arm64")
    zip_hash = {p: "zh:" + sha256(package("demo", "1.0.0", p)) for p in platforms}
    listed = {p: {"hashes": [zip_hash[p], package_hash("demo", "1.0.0", p), "other:1", "h1:\"\n"], "package_size": 1} for p in platforms}
    every, signed = sorted(h for p in platforms for h in listed[p]["hashes"][:2]), sorted([*zip_hash.values(), package_hash("demo", "1.0.0", PLATFORM)])
    locked = lambda: re.findall(r'    "(.*)",', w.lock())  # noqa: E731
    registry(None, "sums.sig", packages=listed)
    for dialect in ("xplan", "opentofu"):
        init("registry.opentofu.org", dialect, says="(not verified, as the registry has no keys)")
        equal(locked(), every)
    init("registry.opentofu.org", env=validation, want=1, says="there is no key to check it with")
    init("registry.opentofu.org", "terraform", want=1, says="there is no key to check it with")
    init("reg.example.com", want=1, says="there is no key to check it with")
    registry("key.asc", "sums.sig", packages=listed)
    for host, env, dialect, want in (("registry.opentofu.org", {}, "opentofu", every), ("registry.opentofu.org", validation, "opentofu", signed),
                                     ("registry.opentofu.org", {}, "terraform", signed), ("reg.example.com", {}, "opentofu", signed)):
        init(host, dialect, env=env, says="self-signed")
        equal(locked(), want)
    # Other platforms can be installed with this lock file; and lists that contradict themselves.
    init("registry.opentofu.org")
    w.run("providers", "lock", "-platform=darwin_arm64", says="already has all of these checksums", env={"XPLAN_DIALECT": "opentofu"})
    wrong = dict(listed, **{PLATFORM: {"hashes": ["zh:" + "0" * 64]}})
    for bad, says in ((wrong, "lists another checksum for " + PLATFORM), ({"plan9_mips": listed[PLATFORM]}, "but none for " + PLATFORM)):
        registry("key.asc", "sums.sig", packages=bad)
        init("reg.example.com", want=1, says=says)
    init("reg.example.com", "terraform")
    registry("key.asc", "sums.sig", packages={PLATFORM: {"hashes": [package_hash("demo", "1.0.0", PLATFORM)]}})  # there need not be one of its archive
    init("reg.example.com", says="self-signed")
    equal(locked(), signed)


def renamed(w):
    """A lock file of Terraform's keeps its versions where another registry is the default one, as OpenTofu has it."""
    w.folder_mirror("one", ["1.0.0", "1.1.0"])
    w.folder_mirror("two", ["1.0.0", "1.1.0"])
    w.needs(one="hashicorp/one", two="hashicorp/two")
    w.run("init")
    w.forget(lock=True)
    w.needs(one="hashicorp/one 1.0.0", two="hashicorp/two 1.0.0")
    w.run("init")
    before = w.lock()
    w.needs(one="hashicorp/one", two="registry.terraform.io/hashicorp/two")
    shutil.copytree(w.path("mirror/registry.terraform.io"), w.path("mirror/registry.opentofu.org"))
    tofu = {"XPLAN_DIALECT": "opentofu", "XPLAN_DEFAULT_REGISTRY": "registry.opentofu.org"}
    for command in (["init"], ["providers", "lock", "-fs-mirror=" + w.path("mirror")]):
        w.write("w/.terraform.lock.hcl", before)
        w.run(*command, env=tofu, says=["Providers in the dependency lock file have new names",
                                        "registry.terraform.io/hashicorp/one: now registry.opentofu.org/hashicorp/one, version 1.0.0 The versions"])
        if command == ["init"]:
            equal(re.findall(r'provider "(.*)"|version *= "(.*)"', w.lock()),
                  [("registry.opentofu.org/hashicorp/one", ""), ("", "1.0.0"), ("registry.terraform.io/hashicorp/two", ""), ("", "1.0.0")])
            assert "new names" not in w.run("init", env=tofu)
    # Neither without another registry, nor in the other dialects.
    w.write("w/.terraform.lock.hcl", before)
    assert "new names" not in w.run("init", env={"XPLAN_DIALECT": "opentofu"})
    w.forget()
    w.write("w/.terraform.lock.hcl", before)
    w.run("init", env=dict(tofu, XPLAN_DIALECT="xplan"), says="Installed hashicorp/one v1.1.0")


def hostile_documents(w):
    """Documents of servers take little memory whatever is in them, and what they say is one line of a message."""
    s = w.server
    s.registry()
    w.settings('host "reg.example.com" {\n  services = {\n    "providers.v1" = "@URL@/v1/providers/"\n  }\n}\n')
    w.needs(demo="reg.example.com/acme/demo")
    versions, download = "/v1/providers/acme/demo/versions", "/v1/providers/acme/demo/1.0.0/download/" + PLATFORM.replace("_", "/")
    packed = {"Content-Encoding": "gzip"}
    good, doc = s.pages[versions], s.pages[download]
    w.run("init")
    ordinary = w.peak
    many = b'{"versions":[' + b"{}," * (7 << 20 >> 2) + b"{}]}"
    for page, says in [((gzip.compress(b" " * (64 << 20)), packed), "larger than 8388608 bytes"),
                       ((gzip.compress(many), packed), "has too many values"), (many, "has too many values"),
                       ((gzip.compress(gzip.compress(many)), {"Content-Encoding": "gzip, gzip"}), "it uses a compression that was not requested"),
                       ((b"x", {"Content-Encoding": "br"}), "it uses a compression that was not requested")]:
        s.pages[versions] = page
        w.forget(lock=True)
        w.run("init", want=1, says=says)
        if w.peak - ordinary > 150 << 10:
            raise AssertionError("%s: it took %d MiB more than an ordinary one" % (says, w.peak - ordinary >> 10))
    s.pages[versions] = good
    for change in ({"download_url": "/dl/x\0.zip"}, {"download_url": "/x\nError: no"}, {"filename": "x" * 9000}):
        s.pages[download] = dict(doc, **change)
        w.forget(lock=True)
        w.run("init", want=1, says="has no filename, shasum or download_url")
    s.pages[download] = dict(doc, os="linux\x1b[2J")
    w.forget(lock=True)
    w.run("init")
    s.pages[download] = doc
    s.pages[versions] = dict(good, warnings=["long " * 600000])
    w.forget(lock=True)
    if len(w.run("init", says="more bytes)")) > 200000:
        raise AssertionError("a warning of 3 MB is shown")


def hosts(w):
    """One host, however it is written, and its token wherever its services are."""
    s = w.server
    s.registry()
    s.pages["/v1/modules/acme/net/aws/versions"] = {"modules": [{"versions": [{"version": "1.0.0"}]}]}
    s.pages["/v1/modules/acme/net/aws/1.0.0/download"] = (b"", {"X-Terraform-Get": "/m/mod.zip"})
    s.pages["/m/mod.zip"] = MODULE
    services = '  services = { "providers.v1" = "@URL@/v1/providers/", "modules.v1" = "@URL@/v1/modules/" }\n'
    w.settings('host "REG.example.com:443" {\n' + services + '}\ncredentials "Reg.Example.com" {\n  token = "tok"\n}\n')
    w.needs(demo="Reg.example.com:443/acme/demo")
    w.write("w/m.tf", 'module "m" {\n  source = "REG.example.com:443/acme/net/aws"\n}\n')
    w.run("init", says="Installed reg.example.com/acme/demo v1.0.0")
    equal(manifest(w)["m"][0], "reg.example.com/acme/net/aws")
    for path, token in s.asked:
        equal((path, token), (path, "Bearer tok" if path.startswith("/v1/") else None))
    s.asked.clear()
    w.forget(lock=True)
    w.run("init", env={"TF_TOKEN_reg_example_com": "other"})
    assert ("/v1/providers/acme/demo/versions", "Bearer other") in s.asked
    # What the registry wants to be known, and what cannot be used.
    page = "/v1/providers/acme/demo/versions"
    s.pages[page] = dict(s.pages[page], warnings=["It is archived."])
    w.forget(lock=True)
    w.run("init", says=["Warning: Additional provider information from registry", "It is archived."])
    s.pages[page] = {"versions": [{"version": "1.0.0", "protocols": ["4.0"]}]}
    w.run("init", "-upgrade", want=1, says="version 1.0.0 requires plugin protocol 4.0, but only 5 and 6 are supported")
    # Patterns of an installation method name hosts, too.
    w.folder_mirror("null", ["1.0.0"])
    w.settings('provider_installation {\n  filesystem_mirror {\n    path = "@TOP@/mirror"\n'
               '    include = ["Registry.Terraform.io:443/HashiCorp/*"]\n  }\n}\n')
    os.remove(w.path("w/m.tf"))
    w.needs(null="hashicorp/null")
    w.run("init", "-upgrade", says="Installed hashicorp/null v1.0.0")
    for source, says in [("xn--mnchen-3ya.de/a/b", "in their own script"), ("terraform.io/builtin/nothing", "nothing"),
                         ("-/null", "legacy provider address")]:
        w.needs(null=source)
        w.run("init", want=1, says=says)
    w.needs(null="hashicorp/missing")
    w.run("init", want=1, says="must set that in its required_providers")


def lock_details(w):
    """What is in a lock file is read strictly, and stays while the selection does."""
    w.folder_mirror("null", ["1.0.0", "1.1.0"])
    w.folder_mirror("un", ["1.0.0"], packed=False)
    w.needs(null="hashicorp/null ~> 1.0")
    w.run("init")
    good = w.lock()
    for bad, says in [(good + 'other "x" {\n}\n', "other"), (good + "a = 1\n", "\"a\""),
                      (good.replace('"1.1.0"', '"v1.1.0"'), "full form"), (good.replace('"1.1.0"', '"1.1"'), "full form"),
                      (good.replace("hashicorp", "-"), "has no versions to select"),
                      (good.replace("registry.terraform.io/hashicorp", "terraform.io/builtin"), "has no versions to select")]:
        w.write("w/.terraform.lock.hcl", bad)
        w.run("init", want=1, says=says)
    good += 'module "x" {\n}\n'  # for what may be locked one day
    w.write("w/.terraform.lock.hcl", good)
    # One that conflicts with the constraints is not a failed download.
    w.needs(null="hashicorp/null < 1.1")
    for command in (["lock", "-fs-mirror=" + w.path("mirror")], ["mirror", w.path("copy")]):
        text = w.run("providers", *command, want=1, says=["Error: Failed to query available provider packages",
                                                          "selects version 1.1.0, but the constraints are now < 1.1"])
        assert "ownload" not in text, text
    # Constraints are notes of the time when something was selected.
    w.needs(null="hashicorp/null >= 1.0")
    for fresh in (False, True):
        if fresh:
            w.forget()
        w.run("init", "-lockfile=readonly", says="successfully")
        w.run("init")
        equal(w.lock(), good)
    w.needs(null="hashicorp/null >= 1.0", un="hashicorp/un")
    w.run("init", "-lockfile=readonly", want=1, says="Provider dependency changes detected")
    w.run("init")
    assert 'constraints = "~> 1.0"' in w.lock()
    # Without the backend, the state still says what is needed; a configuration that no run of a test uses needs nothing.
    state = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [
        {"mode": "managed", "type": "un_x", "name": "a", "provider": 'provider["%sun"]' % CENTRAL, "instances": [{"schema_version": 0, "attributes": {"id": "1"}}]}]}
    w.needs(null="hashicorp/null >= 1.0")
    w.write("w/terraform.tfstate", json.dumps(state))
    w.run("init", "-backend=false")
    assert "/un" in w.lock()
    os.remove(w.path("w/terraform.tfstate"))
    w.write("w/tests/a.tftest.hcl", 'provider "un" {\n}\nrun "r" {\n}\n')
    w.run("init", "-backend=false")
    assert "/un" not in w.lock()
    os.remove(w.path("w/tests/a.tftest.hcl"))
    w.needs(null="hashicorp/null >= 1.0", un="hashicorp/un")
    w.run("init")
    w.write("w/.terraform.lock.hcl", w.lock().replace('"1.1.0"', '"1.5.0"'))
    w.run("init", want=1, says="the dependency lock file selects it, but there is no version that is 1.5.0")
    equal(w.packages(), [CENTRAL + "null/1.1.0/" + PLATFORM, CENTRAL + "un/1.0.0/" + PLATFORM])
    assert not os.path.exists(w.path("w/.terraform/providers/" + CENTRAL + "null/1.5.0"))
    w.write("w/main.tf", w.read("w/main.tf").replace(">= 1.0", ""))
    w.run("init", want=1, says="it is empty")


def cache(w):
    w.folder_mirror("null", ["1.0.0"])
    os.makedirs(w.path("cache"))
    w.needs(null="hashicorp/null")
    env = {"TF_PLUGIN_CACHE_DIR": w.path("cache")}
    w.run("init", env=env, says="Installed hashicorp/null v1.0.0")
    link = "w/.terraform/providers/" + CENTRAL + "null/1.0.0/" + PLATFORM
    equal(os.readlink(w.path(link)), w.path("cache/" + CENTRAL + "null/1.0.0/" + PLATFORM))
    w.forget()
    w.run("init", env=env, says="Using hashicorp/null v1.0.0 from the shared cache directory")
    w.forget(lock=True)
    w.run("init", env=env, says="Installed hashicorp/null v1.0.0")
    w.forget(lock=True)
    w.run("init", env={**env, "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE": "1"}, says="shared cache directory")
    # A damaged cache heals.
    w.write("cache/" + CENTRAL + "null/1.0.0/%s/LICENSE" % PLATFORM, "changed")
    w.forget()
    w.run("init", env=env, says="Installed hashicorp/null v1.0.0")
    # A cache that is not there yet, and one that is the mirror itself, which must stay what it is.
    w.folder_mirror("un", ["1.0.0"], packed=False)
    w.needs(un="hashicorp/un")
    w.forget(lock=True)
    w.run("init", env={"TF_PLUGIN_CACHE_DIR": "../new/cache"})
    link = "w/.terraform/providers/" + CENTRAL + "un/1.0.0/" + PLATFORM
    equal(os.readlink(w.path(link)), w.path("new/cache/" + CENTRAL + "un/1.0.0/" + PLATFORM))
    w.forget(lock=True)
    w.run("init", env={"TF_PLUGIN_CACHE_DIR": w.path("mirror")})
    assert not os.path.islink(w.path("mirror/" + CENTRAL + "un/1.0.0/" + PLATFORM))
    w.forget(lock=True)
    for path in w.write("file", ""), "/proc/none":
        out = w.run("init", env={"TF_PLUGIN_CACHE_DIR": path}, want=1, says="cannot create the directory")
        assert 'the plugin cache directory "%s"' % path in " ".join(out.replace("│", "").split()), out
    w.needs(null="hashicorp/null")
    # Many at once, from nothing.
    w.forget(lock=True)
    shutil.rmtree(w.path("cache"))
    os.makedirs(w.path("cache"))
    running = []
    for i in range(24):
        work = w.path("many/%d" % i)
        os.makedirs(work)
        shutil.copy(w.path("w/main.tf"), work)
        running.append(subprocess.Popen([w.xplan, "init"], cwd=work, env={**w.env, **env}, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT))
    for p in running:
        text = p.communicate(timeout=100)[0].decode()
        assert p.returncode == 0, text
    final = w.path("cache/" + CENTRAL + "null/1.0.0")
    equal(os.listdir(final), [PLATFORM])
    equal(sorted(os.listdir(final + "/" + PLATFORM)), ["LICENSE", "terraform-provider-null_v1.0.0"])


MODULE = archive([("main.tf", 'output "o" {\n  value = "root"\n}\n', 0o644),
                  ("sub/main.tf", 'module "x" {\n  source = "../"\n}\n', 0o644)])


def manifest(w):
    return {m["Key"]: (m["Source"], m.get("Version"), m["Dir"])
            for m in json.loads(w.read("w/.terraform/modules/modules.json"))["Modules"]}


def modules(w):
    s = w.server
    s.pages["/m/mod.zip"] = MODULE
    s.pages["/m/mod.tar.gz"] = tarball([("main.tf", 'output "o" {\n  value = 1\n}\n', None), ("same.txt", "", "main.tf")])
    s.pages["/m/page"] = b'<html><head><meta name="terraform-get" content="/m/flat.zip//sub"></head></html>'
    s.pages["/m/flat.zip"] = archive([("sub/main.tf", "", 0o644)])
    s.pages["/m/header"] = (b"", {"X-Terraform-Get": s.url + "/m/mod.zip"})
    s.pages["/v1/modules/acme/net/aws/versions"] = {"modules": [{"versions": [
        {"version": v} for v in ("1.0.0", "1.2.0", "2.0.0", "2.1.0-rc1")]}]}
    for v in ("1.2.0", "2.0.0", "2.1.0-rc1"):
        s.pages["/v1/modules/acme/net/aws/%s/download" % v] = (b"", {"X-Terraform-Get": "/m/mod.zip//sub?archive=zip"})
    w.settings('host "mods.example.com" {\n  services = {\n    "modules.v1" = "@URL@/v1/modules/"\n  }\n}\n')
    repo = w.path("repo")
    w.write("repo/mods/a/main.tf", 'output "o" {\n  value = 1\n}\n')
    w.write("repo/mods/b/main.tf", 'module "a" {\n  source = "../a"\n}\n')
    git = ["git", "-C", repo, "-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "init.defaultBranch=main"]
    for args in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"], ["tag", "v1"]):
        subprocess.run(git + args, check=True)
    w.write("repo/mods/a/more.tf", "")
    for args in (["add", "."], ["commit", "-qm", "two"]):
        subprocess.run(git + args, check=True)
    calls = {"abs": repo + "/mods/a", "g": "git::file://%s//mods/b?ref=v1" % repo,
             "g2": "git::file://%s?depth=1" % repo, "l": "./l", "page": s.url + "/m/page", "header": s.url + "/m/header",
             "tar": s.url + "/m/mod.tar.gz?checksum=sha256:" + sha256(s.pages["/m/mod.tar.gz"]),
             "file": w.path("mod.tar.gz") + "?checksum=sha256:" + sha256(s.pages["/m/mod.tar.gz"]), "inner": w.path("flat.zip") + "//sub",
             "zip": s.url + "/m/mod.zip//sub", "glob": "https::%s/m/mod.zip//s*" % s.url, "plain": "git::" + repo}
    text = "".join('module "%s" {\n  source = "%s"\n}\n' % c for c in calls.items())
    text += 'module "reg" {\n  source = "mods.example.com/acme/net/aws"\n  version = "~> 1.0"\n}\n'
    text += 'module "top" {\n  source = "mods.example.com/acme/net/aws"\n}\n'
    w.write("w/main.tf", text)
    w.write("w/l/main.tf", "")
    w.write("mod.tar.gz", s.pages["/m/mod.tar.gz"])
    w.write("flat.zip", s.pages["/m/flat.zip"])
    w.run("plan", want=1, says="Module not installed")
    w.run("init", says=["Initializing modules...", "- g.a in .terraform/modules/g/mods/a", "successfully"])
    base = ".terraform/modules/"
    want = {"": ("", None, "."), "abs": ("file://" + calls["abs"], None, base + "abs"),
            "g": (calls["g"], None, base + "g/mods/b"), "g.a": ("../a", None, base + "g/mods/a"),
            "g2": (calls["g2"], None, base + "g2"), "l": ("./l", None, "l"),
            "page": (calls["page"], None, base + "page"), "header": (calls["header"], None, base + "header"),
            "tar": (calls["tar"], None, base + "tar"), "file": ("file://" + calls["file"], None, base + "file"),
            "inner": ("file://" + calls["inner"], None, base + "inner/sub"),
            "glob": (calls["glob"], None, base + "glob/sub"), "glob.x": ("./..", None, base + "glob"),
            "plain": ("git::file://" + repo, None, base + "plain"),
            "zip": (calls["zip"], None, base + "zip/sub"), "zip.x": ("./..", None, base + "zip"),
            "reg": ("mods.example.com/acme/net/aws", "1.2.0", base + "reg/sub"),
            "reg.x": ("./..", None, base + "reg"),
            "top": ("mods.example.com/acme/net/aws", "2.0.0", base + "top/sub"), "top.x": ("./..", None, base + "top")}
    equal(manifest(w), want)
    assert not os.path.exists(w.path("w/%sg/mods/a/more.tf" % base))
    assert os.path.exists(w.path("w/%sg2/mods/a/more.tf" % base))
    s.asked.clear()
    w.run("get")
    equal(s.asked, [])
    listed = json.loads(w.run("modules", "-json"))
    equal(listed["format_version"], "1.0")
    assert {"key": "reg", "source": "mods.example.com/acme/net/aws", "version": "1.2.0"} in listed["modules"]
    w.run("validate", says="Success!")
    w.run("get", "-update")
    assert s.asked
    # What is installed is not what the call says any more.
    for old, new in [(calls["g"], calls["g"].replace("v1", "main")), (calls["zip"], s.url + "/m/flat.zip//sub"),
                     ('"mods.example.com/acme/net/aws"\n  version', '"mods.example.com/acme/net/aws//sub"\n  version')]:
        w.write("w/main.tf", text.replace(old, new, 1))
        w.run("plan", want=1, says="Error: Module source has changed")
    # A link to a module, and what lies beside the module.
    w.write("shared/one/main.tf", 'module "two" {\n  source = "../two"\n}\n')
    w.write("shared/two/main.tf", "")
    os.symlink("../shared/one", w.path("w/link"))
    w.write("w/main.tf", 'module "one" {\n  source = "./link"\n}\n')
    w.run("init")
    equal(manifest(w), {"": ("", None, "."), "one": ("./link", None, "../shared/one"),
                        "one.two": ("../two", None, "../shared/two")})
    w.run("validate", says="Success!")
    # Names in any script; quotes and letters of either kind on a page that leads to a module.
    s.pages["/m/names.zip"] = archive([("main.tf", "", 0o644), ("größe/文.txt", "x", 0o644)])
    s.pages["/m/names.tar.gz"] = tarball([("main.tf", "", None), ("größe/文.txt", "x", None)])
    s.pages["/m/page2"] = b"<HTML><META content='/m/names.zip' NAME='terraform-get'/></HTML>"
    for source in ("/m/names.zip", "/m/names.tar.gz", "/m/page2"):
        w.forget()
        w.write("w/main.tf", 'module "m" {\n  source = "%s"\n}\n' % (s.url + source))
        w.run("init")
        equal(w.read("w/.terraform/modules/m/größe/文.txt"), "x")
    for version, says in [("~> 9.0", "meets the constraints ~> 9.0; the newest one is 2.1.0-rc1"), ("abc", "not a valid version constraint")]:
        w.write("w/main.tf", 'module "top" {\n  source = "mods.example.com/acme/net/aws"\n  version = "%s"\n}\n' % version)
        assert "not installed" not in w.run("init", want=1, says=says)


def modules_of_tests(w):
    """Modules that runs of tests take, from directories and registries, with what they call and the providers that these need."""
    s = w.server
    s.pages["/m/mod.zip"] = archive([("main.tf", 'terraform {\n  required_providers {\n    null = { source = "hashicorp/null" }\n  }\n}\n', 0o644),
                                     ("sub/main.tf", 'module "x" {\n  source = "../"\n}\n', 0o644)])
    s.pages["/v1/modules/acme/net/aws/versions"] = {"modules": [{"versions": [{"version": "1.0.0"}, {"version": "2.0.0"}]}]}
    for v in ("1.0.0", "2.0.0"):
        s.pages["/v1/modules/acme/net/aws/%s/download" % v] = (b"", {"X-Terraform-Get": "/m/mod.zip//sub?archive=zip"})
    w.folder_mirror("null", ["1.0.0"])
    w.settings('host "mods.example.com" {\n  services = {\n    "modules.v1" = "@URL@/v1/modules/"\n  }\n}\n'
               'provider_installation {\n  filesystem_mirror {\n    path = "%s"\n  }\n}\n' % w.path("mirror"))
    run = 'run "%s" {\n  module {\n    source = "%s"\n%s  }\n}\n'
    registry = "mods.example.com/acme/net/aws"
    w.write("w/main.tf", 'resource "terraform_data" "t" {}\n')
    w.write("w/l/main.tf", 'module "deep" {\n  source = "%s"\n}\n' % registry)
    w.write("w/b.tftest.hcl", run % ("one", "./l", ""))
    w.write("w/tests/a.tftest.hcl", run % ("two", "./l", "") + run % ("three", registry, '    version = "~> 1.0"\n'))
    w.run("validate", want=1, says="Module not installed")
    w.run("plan")
    w.run("init", says=["Initializing modules...", "- test.b.one in l", "Installed hashicorp/null v1.0.0", "successfully"])
    base = ".terraform/modules/"
    deep = {"test.%s" % k + d: e for k in ("b.one", "tests.a.two") for d, e in (
        ("", ("./l", None, "l")), (".deep", (registry, "2.0.0", base + "test.%s.deep/sub" % k)),
        (".deep.x", ("./..", None, base + "test.%s.deep" % k)))}
    three = {"test.tests.a.three": (registry, "1.0.0", base + "test.tests.a.three/sub"),
             "test.tests.a.three.x": ("./..", None, base + "test.tests.a.three")}
    equal(manifest(w), {"": ("", None, "."), **deep, **three})
    s.pages["/m/mod.zip"] = MODULE  # without a provider, which would have to be a real one
    w.run("get", "-update")
    w.run("validate", says="Success!")
    s.asked.clear()
    w.run("init")
    w.run("get")
    equal(s.asked, [])
    w.write("w/tests/a.tftest.hcl", run % ("three", registry, '    version = "~> 2.0"\n'))
    w.run("validate", want=1, says="Module not installed")
    w.run("get")
    equal(manifest(w)["test.tests.a.three"][1], "2.0.0")
    w.run("init", "-test-directory=other")
    equal(sorted(manifest(w)), ["", "test.b.one", "test.b.one.deep", "test.b.one.deep.x"])


def bad_modules(w):
    s = w.server
    s.pages["/up.zip"] = archive([("../../../evil", "x", 0o644)])
    s.pages["/abs.zip"] = archive([("/tmp/xplan-evil", "x", 0o644)])
    s.pages["/link.tar.gz"] = tarball([("out", "", "../../../.."), ("main.tf", "", None)])
    s.pages["/through.tar.gz"] = tarball([("d", "", "/"), ("d/x", "text", None)])
    s.pages["/twice.zip"] = archive([("a", "1", 0o644), ("a", "2", 0o644)])
    s.pages["/cut.zip"] = MODULE[:-30]
    s.pages["/not.zip"] = b"<html>"
    s.pages["/mod.zip"] = MODULE
    s.pages["/loop"] = (b"", {"X-Terraform-Get": s.url + "/loop"})
    s.pages["/plain"] = b"nothing"
    s.pages["/out.zip"] = archive([("sub/main.tf", 'module "x" {\n  source = "../../y"\n}\n', 0o644)])
    rows = [("/up.zip", "leads outside of"), ("/abs.zip", "has an absolute name"),
            ("/link.tar.gz", "leads outside of"), ("/through.tar.gz", "absolute path"),
            ("/twice.zip", "more than once"), ("/cut.zip", "damaged"), ("/not.zip", "damaged"), ("/none.zip", "404 Not Found"),
            ("/mod.zip?checksum=sha256:00", "checksum"), ("/mod.zip//nothing", "no directory"), ("/mod.zip//../x", "leads out"),
            ("/loop", "too many times"), ("/plain", "X-Terraform-Get"), ("/out.zip//sub", "leads outside of the package")]
    w.write("up.zip", s.pages["/up.zip"])
    w.write("plain", s.pages["/plain"])
    s.pages["/local"] = (b"", {"X-Terraform-Get": "file://" + w.path("up.zip")})
    # A server must not lead to what lies on this machine.
    w.write("victim/sub/main.tf", "")
    s.pages["/moved"] = (b"", {"X-Terraform-Get": "file://%s//sub" % w.path("victim")})
    s.pages["/whole"] = (b"", {"X-Terraform-Get": "file://%s" % w.path("victim")})
    s.pages["/cloned"] = (b"", {"X-Terraform-Get": "git::file://%s" % w.path("victim")})
    rows += [(path, "must not refer to a path of this machine") for path in ("/moved", "/whole", "/cloned", "/local")]
    rows = [(s.url + path, says) for path, says in rows]
    rows += [("git::file:///nonexistent", "git exited with code"), ("git::ext::sh -c true", "not the address of a git repository"), ("git::ftp://a/b", "Git repositories cannot be downloaded"),
             ("git::file:///x?ref=--upload-pack=x", "not a valid version name"), ("smb::https://x/y", "cannot be downloaded with"),
             ("consul", "./consul"), ("/nonexistent", "no directory"), (w.path("up.zip"), "leads outside of"),
             (w.path("up.zip") + "?checksum=sha256:00", "checksum"), (w.path("plain"), "neither a directory nor an archive"), ("a/b/c", "registry.terraform.io")]
    w.settings('host "registry.terraform.io" {\n  services = { "modules.v1" = "%s/none/" }\n}\n' % s.url)
    for source, says in rows:
        w.write("w/main.tf", 'module "m" {\n  source = "%s"\n}\n' % source)
        w.run("init", want=1, says=["module", says])
        left = os.listdir(w.path("w/.terraform/modules")) if os.path.isdir(w.path("w/.terraform/modules")) else []
        assert set(left) <= {"modules.json"} or "//" in source[8:], (source, left)
        w.forget()
    assert not os.path.exists("/tmp/xplan-evil") and not os.path.exists(w.path("evil"))
    # Modules that call themselves endlessly.
    s.pages["/self.zip"] = archive([("main.tf", 'module "m" {\n  source = "%s/self.zip"\n}\n' % s.url, 0o644)])
    w.write("w/main.tf", 'module "m" {\n  source = "%s/self.zip"\n}\n' % s.url)
    w.run("init", want=1, says="the module calls itself, directly or through others.")
    # A name becomes a part of a path.
    s.pages["/inner.zip"] = archive([("main.tf.json", json.dumps({"module": {"/../../../victim": {"source": s.url + "/mod.zip"}}}), 0o644)])
    for name, source in (("../../victim", "/mod.zip"), ("a", "/inner.zip"), ("modules.json", "/mod.zip")):
        w.write("w/main.tf", 'module "%s" {\n  source = "%s"\n}\n' % (name, s.url + source))
        w.run("init", want=1, says="Invalid name")
    equal(os.listdir(w.path("victim/sub")), ["main.tf"])


def tokens(w):
    """Tokens go to the host that they are for, over https, and nowhere else; messages show no credentials."""
    s, other, seen = w.server, Server(), []
    plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    plain.RequestHandlerClass = type("Plain", (http.server.BaseHTTPRequestHandler,), {
        "do_GET": lambda self: (seen.append((self.path, self.headers.get("Authorization"))), self.send_error(404)),
        "log_message": lambda self, *args: None})
    threading.Thread(target=plain.serve_forever, args=(0.02,), daemon=True).start()
    insecure = "http://localhost:%d" % plain.server_port
    host = s.url[8:]
    give = 'credentials "%s" {\n  token = "tok"\n}\n' % host
    s.registry()
    versions, download = "/v1/providers/acme/demo/versions", "/v1/providers/acme/demo/1.0.0/download/" + PLATFORM.replace("_", "/")
    w.settings(give)
    w.needs(demo=host + "/acme/demo")
    well_known, good = "/.well-known/terraform.json", dict(s.pages[download])

    def tried(want=1, says=()):
        w.forget(lock=True)
        for list_ in (s.asked, other.asked, seen):
            list_.clear()
        return w.run("init", want=want, says=says)

    s.pages[well_known] = {"providers.v1": "/v1/providers/"}
    tried(want=0)
    equal({token for _, token in s.asked}, {"Bearer tok"})
    # The services are elsewhere. The host itself says so, which is for it to decide; or one that it redirects to.
    other.pages[well_known] = {"providers.v1": "/v1/providers/"}
    other.pages[versions] = (401, b"")
    s.pages[well_known] = {"providers.v1": other.url + "/v1/providers/"}
    tried(says='the token for this host was not accepted. Set another one in a "credentials" block')
    equal({token for _, token in other.asked}, {"Bearer tok"})
    s.pages[well_known] = (302, b"", {"Location": other.url + well_known})
    out = tried(says="the token for this host is not sent to other addresses, such as %s%s" % (other.url, versions))
    assert "credentials" not in out, out
    equal({token for _, token in other.asked}, {None})
    # Only a redirect, and the services are at the host itself.
    other.pages[well_known] = {"providers.v1": s.url + "/v1/providers/"}
    tried(want=0)
    equal({token for path, token in s.asked if path == versions}, {"Bearer tok"})
    s.pages[well_known] = {"providers.v1": insecure + "/v1/providers/"}
    tried(says="was not found")
    equal({token for _, token in seen}, {None})
    # Services on this machine that the user names get it without https, too.
    w.settings(give + 'host "%s" {\n  services = { "providers.v1" = "%s/v1/providers/" }\n}\n' % (host, insecure))
    tried(says="was not found")
    equal({token for _, token in seen}, {"Bearer tok"})
    w.settings(give)
    # What cannot be sent.
    s.pages[well_known] = {"providers.v1": "/v1/providers/"}
    variable = "TF_TOKEN_" + host.split(":")[0]
    for env in ({variable: "a\r\nEvil: 1"}, {"TF_APPEND_USER_AGENT": "x\r\nEvil: 1"}):
        w.forget(lock=True)
        s.asked.clear()
        w.run("init", want=1, says=[next(iter(env)), "contains control characters, such as a line break"], env=env)
        equal(s.asked, [])
    w.forget(lock=True)
    w.run("init", env={"TF_APPEND_USER_AGENT": " mine/1 \n"})
    # A token that is nowhere else, from the program that the user has set.
    plugins = os.path.join(w.home, ".terraform.d", "plugins")
    helper = os.path.join(plugins, "terraform-credentials-fake")
    os.makedirs(plugins, exist_ok=True)
    w.settings('credentials_helper "fake" {\n  args = ["--x", "a b"]\n}\n')
    for does, problem in (("echo '{\"token\": \"from-helper\"}'", None), ("echo '{}'", None), ("exit 3", "failed"), ("echo secret-1", "a JSON object")):
        open(helper, "w").write('#!/bin/sh\necho "$@" >"$0.asked"\n%s\n' % does)
        os.chmod(helper, 0o755)
        assert "secret-1" not in tried(want=1 if problem else 0, says=problem or [])
        equal(open(helper + ".asked").read(), "--x a b get %s\n" % host)
        equal({token for _, token in s.asked}, set() if problem else {"Bearer from-helper"} if "from" in does else {None})
    shutil.rmtree(plugins)
    w.settings(give)
    # Redirects: to another host without the token, to no host without https.
    s.pages[well_known] = {"providers.v1": "/v1/providers/"}
    list_of_versions = s.pages[versions]
    other.pages[versions] = list_of_versions
    s.pages[versions] = (302, b"", {"Location": other.url + versions})
    tried(want=0)
    equal(other.asked, [(versions, None)])
    s.pages[versions] = (302, b"", {"Location": insecure + versions})
    tried(says="without https")
    equal(seen, [])
    s.pages[versions] = list_of_versions
    s.pages["/dl/moved"] = (302, b"", {"Location": other.url + good["download_url"]})
    other.pages[good["download_url"]] = s.pages[good["download_url"]]
    s.pages[download] = dict(good, download_url=s.url + "/dl/moved")
    tried(want=0)
    equal(other.asked, [(good["download_url"], None)])
    s.pages[download] = dict(good, download_url=insecure + "/x.zip")
    tried(says="404 Not Found")
    equal(seen, [("/x.zip", None)])
    # A mirror: its own host gets the token, another one or one without https does not.
    s.mirror("mir", ["1.0.0"])
    w.settings(give + 'provider_installation {\n  network_mirror {\n    url = "@URL@/mirror/"\n  }\n}\n')
    w.needs(mir="hashicorp/mir")
    listing = "/mirror/%smir/1.0.0.json" % CENTRAL
    entry = s.pages[listing]["archives"][PLATFORM]
    for url, asked in ((other.url + "/p.zip", other.asked), (insecure + "/p.zip", seen)):
        s.pages[listing] = {"archives": {PLATFORM: dict(entry, url=url)}}
        tried(says="404 Not Found")
        equal(asked, [("/p.zip", None)])
    # Credentials in addresses are not in messages.
    for source in ("https://name:secret-1@localhost:1/x.zip", "git::https://secret-1@localhost:1/x.git",
                   "git::ssh://git:secret-1@localhost:1/x.git?sshkey=c2VjcmV0LTE", "https://localhost:1/x.zip?sshkey=secret-1"):
        w.write("w/main.tf", 'locals {}\n\n\n\n\n\nmodule "m" {\n  source = "%s"\n}\n' % source)
        text = w.run("get", want=1, says="Failed to download module")
        shown = "\n".join(line for line in text.splitlines() if "source =" not in line)  # the user's own line
        if "secret-1" in shown or "c2VjcmV0LTE" in shown:
            raise AssertionError("credentials are shown:\n" + shown)
    w.settings('provider_installation {\n  network_mirror {\n    url = "https://name:secret-1@localhost:1/mirror/"\n  }\n}\n')
    w.needs(mir="hashicorp/mir")
    assert "secret-1" not in tried(says="xxxxx@localhost:1/mirror/")
    other.httpd.shutdown(), plain.shutdown()


def git_sources(w):
    """What a repository holds is data: nothing of it runs, and nothing of this machine comes along with it."""
    ran = w.path("ran")

    def git(where, *args):
        subprocess.run(["git", "-C", where, "-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "protocol.file.allow=always",
                        *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=w.env)

    def repository(name, files):
        os.makedirs(w.path(name))
        git(w.path(name), "init", "-q", "-b", "main")
        for path, text in files.items():
            w.write(name + "/" + path, text)
        git(w.path(name), "add", ".")
        git(w.path(name), "commit", "-qm", "one")

    def get(source, want=0, says=(), env=None):
        w.forget()
        w.write("w/main.tf", 'module "m" {\n  source = "%s"\n}\n' % source)
        w.run("get", want=want, says=says, env=env)
        if os.path.exists(ran):
            raise AssertionError("something of the repository ran: " + source)
        left = os.listdir(w.path("w/.terraform/modules")) if os.path.isdir(w.path("w/.terraform/modules")) else []
        if want and "//" not in source.split("://")[-1]:
            equal(set(left) - {"modules.json"}, set())

    repository("private", {"secret": "s"})
    repository("outer", {"main.tf": ""})
    # A submodule on this machine: the repository has no say about that, even where git's own settings allow it.
    git(w.path("outer"), "submodule", "add", "-q", w.path("private"), "sub")
    git(w.path("outer"), "commit", "-qm", "sub")
    allow = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.file.allow", "GIT_CONFIG_VALUE_0": "always"}
    for env in ({}, allow):
        get("git::file://" + w.path("outer"), want=1, says=["git exited with code", "'file' not allowed"], env=env)
    repository("ext", {"main.tf": "", ".gitmodules": '[submodule "x"]\n  path = x\n  url = ext::sh -c "touch %s"\n' % ran})
    git(w.path("ext"), "update-index", "--add", "--cacheinfo", "160000,%s,x" % ("1" * 40))
    git(w.path("ext"), "commit", "-qm", "sub")
    get("git::file://" + w.path("ext"), want=1, says="git exited with code",
        env={"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.ext.allow", "GIT_CONFIG_VALUE_0": "always"})
    # Hooks and monitors, of the repository and of templates.
    repository("hooked", {"main.tf": "", "sub/main.tf": ""})
    git(w.path("hooked"), "tag", "v1")
    for where in ("hooked/.git/hooks/post-checkout", "template/hooks/post-checkout", "hooked/.git/hooks/reference-transaction"):
        os.chmod(w.write(where, "#!/bin/sh\ntouch %s\n" % ran), 0o755)
    git(w.path("hooked"), "config", "core.fsmonitor", "touch " + ran)
    git(w.path("hooked"), "config", "uploadpack.packObjectsHook", "touch " + ran)
    get("git::file://%s?ref=v1" % w.path("hooked"), env={"GIT_TEMPLATE_DIR": w.path("template")})
    # The repository that one happens to be in, as hooks of git say it, is not touched.
    repository("own", {"main.tf": "own"})
    git(w.path("own"), "tag", "v1")
    before = subprocess.check_output(["git", "-C", w.path("own"), "log", "--all", "--format=%H"])
    get("git::file://%s?ref=v1" % w.path("hooked"), env={"GIT_DIR": w.path("own/.git"), "GIT_WORK_TREE": w.path("own"),
                                                         "GIT_INDEX_FILE": w.path("own/.git/index")})
    assert os.path.exists(w.path("w/.terraform/modules/m/sub/main.tf"))
    equal(w.read("own/main.tf"), "own")
    equal(subprocess.check_output(["git", "-C", w.path("own"), "log", "--all", "--format=%H"]), before)
    # Options where names belong.
    for source, says in (("git::file://%s?ref=--upload-pack=touch+%s" % (w.path("hooked"), ran), "not a valid version name"),
                         ("git::file://%s?ref=-v1" % w.path("hooked"), "not a valid version name"),
                         ("git::file://%s?depth=1%%20--upload-pack=touch" % w.path("hooked"), "not a valid depth"),
                         ("git::--upload-pack=touch", "not the address of a git repository"),
                         ("git::ssh://-oProxyCommand=touch%%20%s/x" % ran, ""), ("git::ssh://host/-oProxyCommand=touch", "")):
        get(source, want=1, says=says)
    # Links: within the package they are what they are, out of it they are not modules.
    repository("linked", {"ok/main.tf": "", "caller/main.tf": 'module "x" {\n  source = "./out"\n}\n'})
    os.symlink("ok", w.path("linked/in"))
    os.symlink(w.path("own"), w.path("linked/out"))
    os.symlink(w.path("own"), w.path("linked/caller/out"))
    git(w.path("linked"), "add", ".")
    git(w.path("linked"), "commit", "-qm", "links")
    get("git::file://%s//in" % w.path("linked"))
    get("git::file://%s//out" % w.path("linked"), want=1, says="leads outside of the package")
    get("git::file://%s//caller" % w.path("linked"), want=1, says="leads outside of the package")


def from_module(w):
    w.server.pages["/mod.zip"] = MODULE
    w.run("init", "-from-module=%s/mod.zip//sub/.." % w.server.url, want=0)
    assert os.path.exists(w.path("w/main.tf"))
    w.run("init", "-from-module=" + w.path("home"), want=1, says="Directory is not empty")
    os.makedirs(w.path("empty"))
    w.run("init", "-from-module=../none", want=1, says='there is no directory "../none"', cwd=w.path("empty"))
    # What was copied before a failure is removed again; the data directory is not, wherever it is.
    w.write("failing/a/main.tf", ""), w.write("failing/a/b/main.tf", ""), w.write("failing/z", "")
    os.mkfifo(w.path("failing/a/pipe"))
    os.makedirs(w.path("deep"))
    w.write("deep/a/b/c/mine", "")
    for data_dir in ("a/b/c", "./a/b/c/", w.path("deep/a/b/c")):
        w.run("init", "-from-module=../failing", want=1, says="cannot copy", cwd=w.path("deep"), env={"TF_DATA_DIR": data_dir})
        equal(sorted(os.listdir(w.path("deep")) + os.listdir(w.path("deep/a")) + os.listdir(w.path("deep/a/b"))), ["a", "b", "c"])
        assert os.path.exists(w.path("deep/a/b/c/mine"))
    os.remove(w.path("failing/a/pipe"))
    w.run("init", "-from-module=../failing", cwd=w.path("deep"), env={"TF_DATA_DIR": "a/b/c"})
    assert os.path.exists(w.path("deep/a/main.tf"))
    w.run("init", "-from-module=../failing", want=1, says="Directory is not empty", cwd=w.path("deep"), env={"TF_DATA_DIR": "a/b/c"})
    # Links are copied as they are, wherever they lead.
    w.write("linked/main.tf", "")
    os.symlink("nowhere", w.path("linked/dangling"))
    os.symlink("loop", w.path("linked/loop"))
    w.run("init", "-from-module=../linked", cwd=w.path("empty"))
    equal([os.readlink(w.path("empty/" + name)) for name in ("dangling", "loop")], ["nowhere", "loop"])


def streams(w):
    w.folder_mirror("null", ["1.0.0"])
    w.needs(null="hashicorp/null")
    kinds = [json.loads(line) for line in w.run("init", "-json").splitlines()]
    equal(kinds[0]["type"], "version")
    assert {"lock_info", "output_init_success_message"} <= {k.get("message_code") for k in kinds}
    equal(kinds[-1].get("message_code"), "output_init_success_cli_message")
    again = w.run("init", "-json", env={"TF_IN_AUTOMATION": "1"}).splitlines()
    equal(json.loads(again[-1]).get("message_code"), "output_init_success_message")
    assert any(k["type"] == "diagnostic" and k["diagnostic"]["severity"] == "warning" for k in kinds)
    w.needs(null="hashicorp/null > 9")
    kinds = [json.loads(line) for line in w.run("init", "-json", want=1).splitlines()]
    equal(kinds[-1]["diagnostic"]["severity"], "error")


def interruption(w):
    """Told to end, an installation ends soon and leaves nothing half-done; the next one goes on."""
    s = w.server
    s.mirror("big", ["1.0.0"])
    name = "/mirror/%sbig/terraform-provider-big_1.0.0_%s.zip" % (CENTRAL, PLATFORM)
    s.pages[name] = {"slow": s.pages[name] + bytes(60 << 20)}
    s.pages["/mod.zip"] = {"slow": bytes(60 << 20)}
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    several = ["a", "b", "c", "d", "e", "f"]
    for kind in several:
        s.mirror(kind, ["1.0.0"])
        s.pages["/mirror/%s%s/terraform-provider-%s_1.0.0_%s.zip" % (CENTRAL, kind, kind, PLATFORM)] = {"slow": bytes(60 << 20)}
    for what in ("provider", "several", "module"):
        w.needs(**{k: "hashicorp/" + k for k in (several if what == "several" else ["big"])})
        if what == "module":
            w.write("w/main.tf", 'module "m" {\n  source = "%s/mod.zip"\n}\n' % s.url)
        s.asked.clear()
        running = subprocess.Popen([w.xplan, "init"], cwd=w.dir, env=w.env, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        while sum(path.endswith(".zip") for path, _ in s.asked) < (6 if what == "several" else 1):
            time.sleep(0.05)
        begun = time.time()
        running.terminate()
        text = running.communicate(timeout=100)[0].decode()
        assert running.returncode == 1 and "Error: Installation interrupted" in text, text
        assert time.time() - begun < 8 and text.count("Error:") == 1, text
        left = [f for _, _, files in os.walk(w.path("w/.terraform")) for f in files if f != "modules.json"]
        equal(left, [])
    # While many files are unpacked, of a provider and of a module, or copied.
    files = [("d%d/f%d" % (i // 1000, i), "", 0o644) for i in range(90000)]
    data = archive([("terraform-provider-big_v1.0.0", "#!/bin/sh\n", 0o755), *files])
    s.pages[name] = data
    s.pages["/mirror/%sbig/1.0.0.json" % CENTRAL] = {"archives": {PLATFORM: {
        "url": os.path.basename(name), "hashes": ["zh:" + sha256(data)]}}}
    s.pages["/many.zip"] = archive([("main.tf", "", 0o644), *files])
    w.write("from/main.tf", "")
    for i in range(20000):
        w.write("from/d%d/f%d" % (i // 1000, i), "")
    for what in ("provider", "module", "from-module"):
        w.forget(lock=True)
        os.remove(w.path("w/main.tf"))
        if what == "provider":
            w.needs(big="hashicorp/big")
        elif what == "module":
            w.write("w/main.tf", 'module "m" {\n  source = "%s/many.zip"\n}\n' % s.url)
        running = subprocess.Popen([w.xplan, "init", *(["-from-module=" + w.path("from")] if what == "from-module" else [])],
                                   cwd=w.dir, env=w.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        deadline = time.time() + 100
        while not any("d1" in dirs for _, dirs, _ in os.walk(w.dir)) and time.time() < deadline:
            time.sleep(0.01)
        running.terminate()
        text = running.communicate(timeout=100)[0].decode()
        assert running.returncode == 1 and "Error: Installation interrupted" in text and text.count("Error:") == 1, text
        left = [f for _, _, files in os.walk(w.dir) for f in files if f not in ("modules.json", "main.tf")]
        equal((what, left[:3]), (what, []))
        equal(os.path.exists(w.path("w/main.tf")), what != "from-module")
        w.write("w/main.tf", "")
    # What a killed one leaves is not kept for ever.
    s.mirror("big", ["1.0.0"])
    w.needs(big="hashicorp/big")
    stale = "w/.terraform/providers/%sbig/1.0.0/.%s.tmp-1-0" % (CENTRAL, PLATFORM)
    os.makedirs(w.path(stale))
    os.utime(w.path(stale), (1, 1))
    w.run("init", says="Installed hashicorp/big v1.0.0")
    equal(w.packages(), [CENTRAL + "big/1.0.0/" + PLATFORM])
    assert not os.path.exists(w.path(stale))


def at_once(w):
    """Servers are asked for several things at once; what is said and recorded has one order all the same."""
    s = w.server
    kinds = ["p%d" % i for i in range(10)]
    for kind in kinds:
        s.mirror(kind, ["1.0.0", "1.2.0"])
        s.pages["/%s.zip" % kind] = archive([("main.tf", 'module "in" {\n  source = "%s/in.zip"\n}\n' % s.url, 0o644)])
    s.pages["/in.zip"] = archive([("main.tf", "", 0o644)])
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    w.needs(**{k: "hashicorp/" + k for k in kinds})
    s.delay = 0.2
    said = [line for line in w.run("init").splitlines() if line.startswith("- ")]
    equal(said, ["- Finding latest version of hashicorp/%s..." % k for k in kinds] +
          [line for k in kinds for line in ("- Installing hashicorp/%s v1.2.0..." % k,
                                            "- Installed hashicorp/%s v1.2.0 (verified checksum)" % k)])
    assert 4 <= s.most <= 8, s.most
    # Some fail, each once and in order; the others are installed, and no empty directories are left.
    w.forget(lock=True)
    del s.pages["/mirror/%sp3/index.json" % CENTRAL]
    s.pages["/mirror/%sp7/index.json" % CENTRAL] = b"x"
    text = w.run("init", want=1, says="not a JSON object")
    equal(re.findall(r"No version of the\W+provider hashicorp/(\w+)", text), ["p3", "p7"])
    for kind in ("p3", "p7"):
        s.mirror(kind, ["1.0.0", "1.2.0"])
    w.forget(lock=True)
    for kind in ("p0", "p5"):
        s.pages["/mirror/%s%s/terraform-provider-%s_1.2.0_%s.zip" % (CENTRAL, kind, kind, PLATFORM)] = b"x"
    equal(re.findall(r"hashicorp/(\w+) v1.2.0 cannot", w.run("init", want=1)), ["p0", "p5"])
    equal(sorted(p.split("/")[2] for p in w.packages()), [k for k in kinds if k not in ("p0", "p5")])
    equal(sorted(os.listdir(w.path("w/.terraform/providers/" + CENTRAL))), [k for k in kinds if k not in ("p0", "p5")])
    # Modules: those of one depth; what many call is downloaded once.
    w.write("w/main.tf", "".join('module "%s" {\n  source = "%s/%s.zip"\n}\n' % (k, s.url, k) for k in reversed(kinds)))
    s.most = 0
    s.asked.clear()
    said = [line for line in w.run("get").splitlines() if line.startswith(("- ", "Downloading"))]
    equal(said, ["%s%s%s" % x for ins, name in (("", "%s"), (".in", "in")) for k in kinds for x in (
        ("Downloading ", s.url + "/" + (name % k if "%" in name else name) + ".zip for ", k + ins + "..."),
        ("- ", k + ins, " in .terraform/modules/" + k + ins))])
    assert 4 <= s.most <= 8, s.most
    equal([path for path, _ in s.asked].count("/in.zip"), 1)


def locks_at_once(w):
    """`providers lock` and `providers mirror` fetch packages at once, and tell of them in one order."""
    s = w.server
    kinds, versions = ["p%d" % i for i in range(6)], ["1.0.0", "1.2.0"]
    platforms = ["linux_amd64", "darwin_arm64"]
    for kind in kinds:
        s.mirror(kind, versions)
        base = "/mirror/" + CENTRAL + kind
        for v in versions:
            entries = {}
            for p in platforms:
                data, name = package(kind, v, p), "terraform-provider-%s_%s_%s.zip" % (kind, v, p)
                s.pages["%s/%s" % (base, name)] = data
                entries[p] = {"url": name, "hashes": ["zh:" + sha256(data)]}
            s.pages["%s/%s.json" % (base, v)] = {"archives": entries}
    s.registry()
    w.settings('host "reg.example.com" {\n  services = {\n    "providers.v1" = "@URL@/v1/providers/"\n  }\n}\n')
    w.needs(**{k: "hashicorp/" + k for k in kinds})
    s.delay = 0.2
    command = ["providers", "lock", "-net-mirror=%s/mirror" % s.url, *("-platform=" + p for p in platforms)]
    said = [line for line in w.run(*command).splitlines() if line.startswith("- ")]
    equal(said, [line for p in platforms for k in kinds for line in (
        "- Fetching hashicorp/%s 1.2.0 for %s..." % (k, p),
        "- Retrieved hashicorp/%s 1.2.0 for %s (verified checksum)" % (k, p))])
    assert 4 <= s.most <= 8, s.most
    lock = w.lock()
    for k in kinds:
        for p in platforms:
            assert '"%s"' % package_hash(k, "1.2.0", p) in lock, (k, p, lock)
        equal([path for path, _ in s.asked].count("/mirror/%s%s/index.json" % (CENTRAL, k)), 2)  # once a platform
    equal([f for f in os.listdir(w.dir) if f not in ("main.tf", ".terraform.lock.hcl")], [])
    w.run(*command, says="already has all of these checksums")
    equal(w.lock(), lock)
    # What fails is told in order, each once, and nothing is recorded.
    for k, p in (("p4", 0), ("p1", 1)):
        s.pages["/mirror/%s%s/terraform-provider-%s_1.2.0_%s.zip" % (CENTRAL, k, k, platforms[p])] = b"x"
    del s.pages["/mirror/%sp2/index.json" % CENTRAL]
    w.forget(lock=True)
    text = re.sub(r"[\s│]+", " ", w.run(*command, want=1, says="does not have the checksum"))
    equal(re.findall(r"Failed to download the package of hashicorp/(\w+) for (\w+):", text),
          [("p4", "linux_amd64"), ("p1", "darwin_arm64")])
    equal(re.findall(r"Error: ([^:]*) (?=No version|Failed to)", text),
          ["Failed to query available provider packages", "Could not retrieve providers", "Could not retrieve providers"])
    assert "No version of the provider hashicorp/p2 can be selected: " in text, text
    assert not os.path.exists(w.path("w/.terraform.lock.hcl"))
    # A mirror, with lists of what is complete.
    w.needs(demo="reg.example.com/acme/demo")
    s.most = 0
    three = ["linux_arm64", "linux_amd64", "darwin_arm64"]
    said = [line for line in w.run("providers", "mirror", *("-platform=" + p for p in three), w.path("copy")).splitlines() if "- " in line]
    signed = re.search(r"\(?(self-signed, key ID \w+)", "\n".join(said)).group(1)
    equal(said, ["- Mirroring reg.example.com/acme/demo...", "  - Selected v1.0.0 with no constraints"] + [line for p in three for line in (
        "  - Downloading package for %s..." % p, "  - Package authenticated: " + signed)])
    assert s.most > 1, s.most
    base = w.path("copy/reg.example.com/acme/demo")
    names = ["terraform-provider-demo_1.0.0_%s.zip" % p for p in sorted(three)]
    equal(sorted(os.listdir(base)), ["1.0.0.json", "index.json"] + names)
    shutil.rmtree(w.path("copy"))
    s.pages["/dl/" + names[1]] = b"x"
    w.run("providers", "mirror", *("-platform=" + p for p in three), w.path("copy"), want=1, says="for linux_amd64: ")
    equal(sorted(os.listdir(base)), [names[0], names[2]])


def downgrades(w):
    """What a server names that was asked over https comes over https, too, or is verified by a checksum."""
    s, seen, pages = w.server, [], {}
    class Plain(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.path)
            page, headers = pages[self.path.split("?")[0]]
            self.send_response(200)
            for name, value in {**headers, "Content-Length": str(len(page))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *args):
            pass
    plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Plain)
    threading.Thread(target=plain.serve_forever, args=(0.02,), daemon=True).start()
    insecure = "http://localhost:%d" % plain.server_port
    data = package("mir", "1.0.0")
    pages["/p.zip"], pages["/m.zip"] = (data, {}), (MODULE, {})
    why = "does not use https, and there is no checksum to verify the package with"
    # Packages of providers: with a checksum of the mirror or of the lock file, or not at all.
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror/"\n  }\n}\n')
    w.needs(mir="hashicorp/mir")
    s.mirror("mir", ["1.0.0"])
    listing = "/mirror/%smir/1.0.0.json" % CENTRAL
    without = {"archives": {PLATFORM: {"url": insecure + "/p.zip"}}}
    s.pages[listing] = without
    for command in (["init"], ["providers", "lock", "-net-mirror=%s/mirror" % s.url]):
        w.run(*command, want=1, says=[insecure + "/p.zip", why])
    equal((seen, w.packages(), os.path.exists(w.path("w/.terraform.lock.hcl"))), ([], [], False))
    s.pages[listing] = {"archives": {PLATFORM: {"url": insecure + "/p.zip", "hashes": ["zh:" + sha256(data)]}}}
    w.run("init", says="Installed hashicorp/mir v1.0.0 (verified checksum)")
    w.forget()
    s.pages[listing] = without
    w.run("init", says="Installed hashicorp/mir v1.0.0 (unauthenticated)")
    w.forget()
    pages["/p.zip"] = (package("mir", "1.0.0", "evil"), {})
    w.run("init", want=1, says="does not match any of the checksums that the dependency lock file has")
    equal(w.packages(), [])
    # Modules, from pages and from a registry; who writes http into the configuration has decided so.
    w.needs()
    w.settings('host "mods.example.com" {\n  services = {\n    "modules.v1" = "@URL@/v1/modules/"\n  }\n}\n'
               'host "plain.example.com" {\n  services = {\n    "modules.v1" = "%s/v1/modules/"\n  }\n}\n' % insecure)
    seen.clear()
    there = insecure + "/m.zip"
    for page in (s.pages, pages):
        page["/v1/modules/acme/net/aws/versions"] = json.dumps({"modules": [{"versions": [{"version": "1.0.0"}]}]}).encode(), {}
        page["/v1/modules/acme/net/aws/1.0.0/download"] = b"", {"X-Terraform-Get": there}
    s.pages["/page"] = b"", {"X-Terraform-Get": there}
    s.pages["/summed"] = b"", {"X-Terraform-Get": there + "?checksum=" + sha256(MODULE)}
    s.pages["/git"] = b"", {"X-Terraform-Get": "git::%s/m.git" % insecure}
    s.pages["/bare"] = b"", {"X-Terraform-Get": "git::git://localhost:%d/m.git" % plain.server_port}
    s.pages["/far"] = b"", {"X-Terraform-Get": insecure + "/far"}
    pages["/near"] = b"", {"X-Terraform-Get": s.url + "/page"}
    pages["/far"] = b"", {"X-Terraform-Get": there}
    for source, refused in ((s.url + "/page", True), (s.url + "/git", True), (s.url + "/bare", True), (s.url + "/far", True), (insecure + "/near", True),
                            ("mods.example.com/acme/net/aws", True), (s.url + "/summed", False), (there, False),
                            (insecure + "/far", False), ("plain.example.com/acme/net/aws", False)):
        w.forget()
        w.write("w/main.tf", 'module "m" {\n  source = "%s"\n}\n' % source)
        w.run("get", want=int(refused), says=why if refused else [])
        equal((source, "/m.zip" in seen), (source, not refused))
        seen.clear()
    # A registry must not name a directory of this machine, for -from-module neither.
    s.pages["/v1/modules/acme/net/aws/1.0.0/download"] = b"", {"X-Terraform-Get": "file://" + w.path("home")}
    os.makedirs(w.path("empty"))
    w.run("init", "-from-module=mods.example.com/acme/net/aws", want=1, cwd=w.path("empty"), says="must not refer to a path of this machine")
    plain.shutdown()


def nothing_needed(w):
    w.write("w/main.tf", 'resource "terraform_data" "a" {}\n')
    w.settings("this { is wrong")
    w.run("validate", says="The configuration is valid")
    w.run("plan", want=1, says="Invalid CLI configuration file")  # it may say what a plan must not do
    w.settings("")
    w.run("plan", says="1 to add")
    w.run("init", says="successfully")
    equal(os.listdir(w.dir), ["main.tf"])


CASES = [folders, empty_packages, lock_modes, plugin_folders, overrides, environment, settings, network_mirror, oci_mirror, patience, progress, registry, signatures, renamed, hostile_documents, hosts, lock_details, cache, modules,
         modules_of_tests, bad_modules, tokens, git_sources, from_module, streams, interruption, at_once, locks_at_once, downgrades,
         nothing_needed]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xplan", required=True)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    if unknown := set(args.cases) - {case.__name__ for case in CASES}:
        parser.error("there is no case " + ", ".join(sorted(unknown)))
    failed = 0
    for case in CASES:
        if args.cases and case.__name__ not in args.cases:
            continue
        w = Work(os.path.abspath(args.xplan))
        try:
            case(w)
            print("ok      " + case.__name__)
        except Exception as e:  # every case is tried
            failed += 1
            print("FAILED  %s: %s: %s" % (case.__name__, type(e).__name__, e))
        finally:
            w.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
