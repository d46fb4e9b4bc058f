#!/usr/bin/env python3
"""Provider programs as programs: how they start, what they say on the handshake line, and that they leave. And the built-in fs.

    provider_programs.py --xplan BINARY --fs BINARY --mock BINARY

The last line is 'N passed, M failed'.
"""
import argparse
import base64
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

COOKIE = {"TF_PLUGIN_MAGIC_COOKIE": "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"}
# Of a client, with a P-521 key; only the certificate, which is all that a server gets to see.
CERTIFICATE = """-----BEGIN CERTIFICATE-----
MIICHTCCAX6gAwIBAgIULnXdM5dTGT1xzvXmWh2rNla6Q60wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5NDQyN1oYDzIxMjYxMDI4
MDk0NDI3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwgZswEAYHKoZIzj0CAQYFK4EE
ACMDgYYABAHztdMTsw4sFJSH7A/OqLeqFQgRBWKZp7TfJ/ckvJAWPPPrXr+5wqpv
4yo/9Pk1OluKtBcXCdPeprOKq4GpZFfGqwGvQLkvDPhOd5ECXCME+2e7m4kdgVcE
TODjOo0LpRD0wnRbmvDdIfkJYmc7zxzV47pz3fX8vXPWwuSUbt6JsRmRkqNpMGcw
HQYDVR0OBBYEFPXdecIX5azmz64eqtkZYBmqV7CnMB8GA1UdIwQYMBaAFPXdecIX
5azmz64eqtkZYBmqV7CnMA8GA1UdEwEB/wQFMAMBAf8wFAYDVR0RBA0wC4IJbG9j
YWxob3N0MAoGCCqGSM49BAMCA4GMADCBiAJCAWbaSmBzrXBDju4L+8EbO7M1Vffu
mSSX83ObTu9KNErU8nexAknlrr1RZWBZEqDKUhQV/ViBbxtFBTNAT83HUCbeAkIB
9L1Tlhv2KEFggnhVJ0DajFirAqKCUhFelJekx88jieTGoo4HMUqCeh0HQ5/HGs2s
ry+VpSbCGh8dr6M7v6LjCZI=
-----END CERTIFICATE-----
"""
FS = """
terraform {
  required_providers { fs = { source = "terraform.io/builtin/fs" } }
}
provider "fs" { root = "out" }
resource "fs_directory" "d" { path = "dir" }
resource "fs_file" "a" {
  path    = "${fs_directory.d.path}/a"
  content = "hello"
}
data "fs_directory" "all" {
  path       = "."
  pattern    = "**"
  depends_on = [fs_file.a]
}
output "files" { value = data.fs_directory.all.files }
"""
UNKNOWN = """
terraform {
  required_providers { fs = { source = "terraform.io/builtin/fs" } }
}
resource "terraform_data" "t" { input = "x" }
resource "fs_file" "one" {
  path              = "one"
  content           = "known"
  sensitive_content = terraform_data.t.output == "" ? "x" : null
}
resource "fs_file" "other" {
  path           = "other"
  content        = terraform_data.t.output == "" ? "x" : null
  content_base64 = terraform_data.t.output == "" ? null : "eA=="
}
resource "fs_file" "secret" {
  path              = "secret"
  sensitive_content = "hunter2"
}
output "described" {
  value = [for f in [fs_file.one, fs_file.secret] : f.size == null && f.sha256 == null]
}
"""
SECRET = ("f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7", "hunter2")
passed = failed = 0


def check(what, ok, seen=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}\n  {seen}")


def refused(program, env):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PLUGIN_"))}
    run = subprocess.run([program], env={**clean, **env}, capture_output=True, text=True, timeout=30)
    return run.returncode == 1 and run.stdout == "", run.stderr


class Running:
    """A provider program that was started as a client would, and its handshake line."""

    def __init__(self, program, folder, env):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PLUGIN_"))}
        self.process = subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**clean, **COOKIE, "TMPDIR": folder, **env})
        self.line = self.process.stdout.readline()
        self.parts = self.line.rstrip("\n").split("|")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def starting(a, folder):
    check("run by hand", *(lambda r: (r[0] and "not meant to be run directly" in r[1], r[1]))(refused(a.fs, {})))
    check("no protocol in common", *refused(a.fs, {**COOKIE, "PLUGIN_PROTOCOL_VERSIONS": "4"}))
    check("a schema of nested attributes is not offered in protocol 5",
          *refused(a.fs, {**COOKIE, "PLUGIN_PROTOCOL_VERSIONS": "5"}))
    schema = os.path.join(folder, "bad.json")
    with open(schema, "w") as f:
        f.write('{"resource_schemas":{"mock_x":{"block":{"attributes":{"a":{"type":"strin"},"b":{}}},'
                '"behaviour":{"plan":{"erorr":"x"}}}}}')
    ok, err = refused(a.mock, {**COOKIE, "XPLAN_MOCK_SCHEMA": schema})
    check("every problem of a schema file is told", ok and len(err.splitlines()) == 3, err)

    for offered, chosen in [("5,6", "6"), ("6,5", "6"), ("5", "5"), ("4,5,7", "5"), ("6", "6")]:
        with Running(a.mock, folder, {"PLUGIN_PROTOCOL_VERSIONS": offered}) as p:
            ok = (len(p.parts) == 6 and p.parts[:3] == ["1", chosen, "unix"] and p.parts[4:] == ["grpc", ""] and
                  p.parts[3].startswith(folder) and os.path.exists(p.parts[3]))
            check(f"versions {offered}", ok, p.line)
    with Running(a.mock, folder, {"PLUGIN_PROTOCOL_VERSIONS": "5,6", "PLUGIN_CLIENT_CERT": CERTIFICATE}) as p:
        text = p.parts[-1]
        der = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        check("a certificate for a certificate", len(p.parts) == 6 and "=" not in text and der[:1] == b"\x30" and
              b"localhost" in der, p.line)
        folder_of_socket = os.path.dirname(p.parts[3])
        check("nobody else gets at the socket", os.stat(folder_of_socket).st_mode & 0o77 == 0)
        p.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        check("the client decides about an interrupt", p.process.poll() is None)


def leaving(a, folder):
    # A client that is gone without a word: the shell leaves, the provider has another parent.
    own = os.path.join(folder, "leaving")
    os.mkdir(own)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PLUGIN_"))}
    run = subprocess.run(["sh", "-c", '"$0" >"$1/line" 2>/dev/null & echo $!; until [ -s "$1/line" ]; do sleep 0.1; done; kill -9 $$', a.mock, own],
                         capture_output=True, text=True,
                         env={**clean, **COOKIE, "TMPDIR": own, "PLUGIN_PROTOCOL_VERSIONS": "6"})
    pid = int(run.stdout)
    with open(os.path.join(own, "line")) as f:
        socket = f.read().split("|")[3]
    what_stays = lambda: [p for p in (os.path.dirname(socket), f"/proc/{pid}/exe") if os.path.exists(p)]
    for _ in range(100):
        if not what_stays():
            break
        time.sleep(0.1)
    check("a program without a client leaves, and takes its socket with it", not what_stays(), what_stays())
    if os.path.exists(f"/proc/{pid}/exe"):
        os.kill(pid, signal.SIGKILL)


def built_in_fs(a, folder):
    work = os.path.join(folder, "work")
    os.makedirs(os.path.join(work, "out"))
    with open(os.path.join(work, "main.tf"), "w") as f:
        f.write(FS)
    clean = {k: v for k, v in os.environ.items() if not k.startswith("TF_")}

    def xplan(*args):
        run = subprocess.run([a.xplan, *args, "-no-color"], cwd=work, capture_output=True, text=True, env=clean,
                             timeout=60)
        return run.returncode, run.stdout + run.stderr

    file = os.path.join(work, "out", "dir", "a")
    code, text = xplan("apply", "-auto-approve")
    check("files are made without any installation", code == 0 and os.path.exists(file), text)
    check("the listing sees them", '"dir/a",' in text, text)
    check("then nothing is left to do", xplan("plan", "-detailed-exitcode")[0] == 0)
    with open(file, "w") as f:
        f.write("edited")
    code, text = xplan("plan", "-detailed-exitcode")
    check("an edited file shows", code == 2 and re.search(r'~ content +=.*"edited" -> "hello"', text), text)
    os.remove(file)
    code, text = xplan("plan", "-detailed-exitcode")
    check("a removed file is made again", code == 2 and "1 to add, 0 to change, 0 to destroy" in text, text)
    code, text = xplan("apply", "-auto-approve")
    check("and is there again", code == 0 and open(file).read() == "hello", text)
    xplan("state", "rm", "fs_file.a")
    code, text = xplan("import", "fs_file.a", "dir/a")
    check("a file can be imported", code == 0, text)
    check("as it is", xplan("plan", "-detailed-exitcode")[0] == 0)
    xplan("apply", "-auto-approve")
    code, text = xplan("destroy", "-auto-approve")
    check("everything goes", code == 0 and os.listdir(os.path.join(work, "out")) == [], text)


def fs_contents(a, folder):
    work = os.path.join(folder, "contents")
    os.makedirs(work)

    def write(text):
        with open(os.path.join(work, "main.tf"), "w") as f:
            f.write(text)

    def xplan(*args):
        run = subprocess.run([a.xplan, *args, "-no-color"], cwd=work, capture_output=True, text=True, timeout=60,
                             env={k: v for k, v in os.environ.items() if not k.startswith("TF_")})
        return run.returncode, run.stdout + run.stderr

    write(UNKNOWN)
    for args in (["validate"], ["plan", "-out=p"], ["show", "p"], ["apply", "-auto-approve"], ["show"], ["plan", "-detailed-exitcode"]):
        code, text = xplan(*args)
        check("what is not known may be null: " + " ".join(args), code == 0, text)
        check("nothing tells of a secret: " + " ".join(args), not any(s in text for s in SECRET), text)
    code, text = xplan("output", "-json", "described")
    check("neither size nor hash of a secret", text.split() == ["[false,true]"], text)
    check("the file is written", open(os.path.join(work, "secret")).read() == "hunter2")
    with open(os.path.join(work, "terraform.tfstate")) as f:
        check("no hash in the state", SECRET[0] not in f.read())
    with open(os.path.join(work, "secret"), "w") as f:
        f.write("edited")
    code, text = xplan("plan", "-detailed-exitcode")
    check("an edited secret is put right", code == 2 and "~ sensitive_content = (sensitive value)" in text, text)
    # Of content that comes from a sensitive value, what is calculated from it is not shown either.
    write(UNKNOWN + 'variable "v" {\n  default   = "hunter2"\n  sensitive = true\n}\n'
                    'resource "fs_file" "marked" {\n  path    = "marked"\n  content = var.v\n}\n')
    shown = ""
    for command in (["plan"], ["apply", "-auto-approve"], ["state", "show", "fs_file.marked"], ["plan"], ["show"]):
        code, text = xplan(*command)
        check("a marked content: " + " ".join(command), code == 0, text)
        shown += text
    check("what is calculated from marked content", not any(s in shown for s in SECRET) and "size           = (sensitive value)" in shown
          and "sha256         = (sensitive value)" in shown, shown)
    for two in ('content = "a"\n  sensitive_content = "b"', ""):
        write(UNKNOWN + 'resource "fs_file" "bad" {\n  path = "bad"\n  %s\n}\n' % two)
        code, text = xplan("validate")
        check("exactly one content: " + two, code == 1 and "Invalid file content" in text, text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("xplan", "fs", "mock"):
        parser.add_argument("--" + name, required=True)
    a = parser.parse_args()
    for name in ("xplan", "fs", "mock"):
        setattr(a, name, os.path.abspath(getattr(a, name)))
    with tempfile.TemporaryDirectory() as folder:
        for part in (starting, leaving, built_in_fs, fs_contents):
            part(a, folder)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
