#!/usr/bin/env python3
"""Provisioners that work on another machine, against a real sshd on this one.

    ssh.py --xplan BINARY [CASE...]

Without sshd (scripts/deps --servers) everything is skipped. Keys, configuration and the server's files are made in the case's folder.
Passwords need root: the server then gets a list of passwords of its own. The last line is 'N passed, M failed'.
"""
import json
import os
import select
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from cases import run_cases
from pseudo_terminal import Failed

SSHD = "/usr/sbin/sshd"
PASSWORD = "correct horse"


def check(what, ok, seen=""):
    if not ok:
        raise Failed("%s: %s" % (what, seen))


def has(what, text, *parts):
    flat = " ".join(re.sub("[╷│╵]", "", text).split())
    for part in parts:
        check(what, " ".join(part.split()) in flat, "%r is not in\n%s" % (part, text))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Run:
    """One folder with a server, its keys, and a configuration."""

    def __init__(self, xplan, root):
        self.xplan, self.root, self.work, self.there = xplan, root, os.path.join(root, "work"), os.path.join(root, "there")
        for d in (self.work, self.there):
            os.mkdir(d)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_", "SSH_"))}
        self.env.update(HOME=root, NO_COLOR="1", TF_IN_AUTOMATION="1")
        self.user = subprocess.check_output(["id", "-un"], text=True).strip()
        for kind in ("ed25519", "ecdsa", "rsa"):
            for name in ("host", "user"):
                self.keygen("-t", kind, "-N", "", "-f", self.path("%s_%s" % (name, kind)))
        self.keygen("-t", "ed25519", "-N", "", "-f", self.path("stranger"))
        self.keygen("-t", "ed25519", "-N", "", "-f", self.path("authority"))
        with open(self.path("authorized"), "w") as f:
            f.writelines(self.text("user_%s.pub" % kind) for kind in ("ed25519", "ecdsa", "rsa"))
        self.port, self.server, self.options = free_port(), None, []

    def path(self, name):
        return os.path.join(self.root, name)

    def text(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def put(self, name, text, mode=0o644):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)

    def keygen(self, *args):
        subprocess.run(["ssh-keygen", "-q", *args], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def start(self, *options):
        lines = ["Port %d" % self.port, "ListenAddress 127.0.0.1", "AuthorizedKeysFile " + self.path("authorized"), "PidFile none",
                 "UsePAM no", "StrictModes no", "PermitRootLogin yes", "TrustedUserCAKeys " + self.path("authority.pub"),
                 *["HostKey " + self.path("host_" + kind) for kind in ("ed25519", "ecdsa", "rsa")], *options]
        with open(self.path("sshd_config"), "w") as f:
            f.write("\n".join(lines) + "\n")
        args = [SSHD, "-D", "-e", "-f", self.path("sshd_config")]
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
            if "PasswordAuthentication yes" in options:
                args = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/shadow && exec "$@"', self.path("shadow"), *args]
        self.log = open(self.path("log"), "w")
        self.server = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.1)
        raise Failed("sshd did not start: " + self.text("log"))

    def __del__(self):
        if self.server:
            os.killpg(self.server.pid, signal.SIGTERM)
            self.server.wait()

    def connection(self, key="user_ed25519", **more):
        args = {"host": "127.0.0.1", "port": self.port, "user": self.user, "timeout": "20s"}
        if key:
            args["private_key"] = self.text(key)
        args.update(more)
        return "  connection {\n%s  }\n" % "".join("    %s = %s\n" % (k, json.dumps(v)) for k, v in args.items() if v is not None)

    def config(self, *provisioners, connection=None, more=""):
        blocks = "".join('  provisioner "%s" {\n%s  }\n' % p for p in provisioners)
        self.put("main.tf", 'resource "terraform_data" "t" {\n  input = "in"\n%s%s}\n%s'
                 % (self.connection() if connection is None else connection, blocks, more))

    def __call__(self, *args, code=0, program=None, **env):
        p = subprocess.run([program or self.xplan, *args], cwd=self.work, env={**self.env, **env}, text=True, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        check(" ".join(args), p.returncode == code, "code %d\n%s" % (p.returncode, p.stdout))
        return p.stdout

    def apply(self, code=0, **env):
        return self("apply", "-auto-approve", code=code, **env)

    def status(self):
        with open(os.path.join(self.work, "terraform.tfstate")) as f:
            resources = json.load(f)["resources"]
        return [i.get("status", "ready") for r in resources for i in r["instances"]]

    def fresh(self):
        for name in os.listdir(self.work):
            if name.startswith("terraform.tfstate"):
                os.unlink(os.path.join(self.work, name))

    def tree(self, under):
        found = {}
        for d, _, names in os.walk(os.path.join(self.there, under)):
            for n in names:
                with open(os.path.join(d, n)) as f:
                    found[os.path.relpath(os.path.join(d, n), self.there)] = f.read()
        return found


def lines_of(text, kind="remote-exec"):
    return re.findall(r"^terraform_data\.t \(%s\): (.*?)\s*$" % kind, text, re.M)


def remote(text):
    return ("remote-exec", text)


def upload(source, destination):
    return ("file", "    source = %s\n    destination = %s\n" % (json.dumps(source), json.dumps(destination)))


def inline(*commands, more=""):
    return remote("    inline = %s\n%s" % (json.dumps(commands), more))


def uploads(run):
    """Files, contents and directories, with the rule of the slash at the end."""
    run.start()
    run.put("src/a.txt", "a\n")
    run.put("src/sub dir/it's $HOME", "b\n")
    run.put("src/big", "x" * 5_000_000)
    os.symlink("a.txt", os.path.join(run.work, "src/link"))
    os.makedirs(os.path.join(run.work, "src/empty"))
    for d in ("whole", "inside", "into"):
        os.mkdir(os.path.join(run.there, d))
    t = run.there
    run.config(upload("src", t + "/whole"), upload("src/", t + "/inside"), upload("src/a.txt", t + "/one's file.txt"), upload("src/a.txt", t + "/into/"),
               ("file", '    content = "c ${self.output}"\n    destination = %s\n' % json.dumps(t + "/-content")))
    text = run.apply()
    check("uploads say nothing", lines_of(text, "file") == [], text)
    inside = {"a.txt": "a\n", "link": "a\n", "sub dir/it's $HOME": "b\n", "big": "x" * 5_000_000}
    for where in ("whole/src", "inside"):
        check(where, run.tree(where) == {"%s/%s" % (where, k): v for k, v in inside.items()}, str(list(run.tree(where))))
    check("empty directories", os.path.isdir(t + "/inside/empty") and os.path.isdir(t + "/whole/src/empty"))
    for name, want in (("one's file.txt", "a\n"), ("into/a.txt", "a\n"), ("-content", "c in")):
        with open(os.path.join(t, name)) as f:
            check(name, f.read() == want)
    check("the mode of a file", os.stat(t + "/into/a.txt").st_mode & 0o777 == 0o644)
    for source, destination, *want in (
            ("src/a.txt", t + "/missing/x", "The upload to", "failed: ", "No such file or directory"),
            ("src/", t + "/missing", "No such file or directory"),
            ("absent", t, 'There is no file or directory "absent" to upload.')):
        run.fresh()
        run.config(upload(source, destination))
        has("an upload that fails", run.apply(code=1), "file provisioner error", *want)
    os.symlink("..", os.path.join(run.work, "src/loop"))
    run.fresh()
    run.config(upload("src", t + "/whole"))
    has("a circle of links", run.apply(code=1), "leads back to a directory that contains it")


def scripts(run):
    """What scripts print, in order, as it comes; where they are, and that they are gone afterwards."""
    run.start()
    run.put("one.sh", "#!/bin/bash\necho one ${BASH_VERSION:+bash}\n")
    run.put("two.sh", "#!/bin/sh\necho two\n")
    pattern = run.there + "/s-%RAND%.sh"
    run.config(inline("echo first; echo second >&2", "printf '\\033[31mred\\033[0m\\rover\\n\\n'", "ls -l $0 | cut -c1-10", "printf 'no end'"),
               remote('    script = "one.sh"\n'), remote('    scripts = ["one.sh", "two.sh"]\n'), inline("#!/bin/bash", "[ $BASH_VERSION ] && echo bash $0"),
               connection=run.connection(script_path=pattern))
    text = run.apply()
    got = lines_of(text)
    start = ["Connecting to remote host via SSH...", "  Host: 127.0.0.1", "  User: " + run.user, "  Password: false", "  Private key: true",
             "  Certificate: false", "  SSH Agent: false", "  Checking Host Key: false", "  Target Platform: unix", "Connected!"]
    own = got[-1][len("bash "):]
    check("lines", got == start + ["first", "second", "\x1b[31mred\x1b[0m", "over", "", "-rwx------", "no end"] + start + ["one bash"]
          + start + ["one bash", "two"] + start + ["bash " + own], "\n".join(got))
    check("the script's path", re.fullmatch(re.escape(run.there) + r"/s-\d+\.sh", own), own)
    check("scripts are removed", os.listdir(run.there) == [], str(os.listdir(run.there)))
    run.fresh()
    run.config(inline('echo ${var.s}', "exit 3"), more='variable "s" {\n  default = "hunter22"\n  sensitive = true\n}\n')
    text = run.apply(code=1)
    check("nothing of a secret", "hunter22" not in text, text)
    check("suppressed lines", set(lines_of(text)) == {"(output suppressed due to sensitive value in config)"}, text)
    has("why it failed", text, "A script failed: it exited with code 3. Its output is not shown")


def failures(run):
    """Exit codes and signals; the object is tainted, what comes after does not run, on_failure = continue goes on."""
    run.start()
    run.config(inline("echo before", "exit 7"), upload("main.tf", run.there + "/later"), connection=run.connection(script_path=run.there + "/s.sh"))
    text = run.apply(code=1)
    has("an exit code", text, "remote-exec provisioner error", 'The script of "inline" failed: it exited with code 7. Output: before')
    check("tainted", run.status() == ["tainted"], str(run.status()))
    check("nothing comes after, nothing is left", os.listdir(run.there) == [], str(os.listdir(run.there)))
    has("replaced by the next plan", run("plan"), "is tainted, so must be replaced")
    run.config(inline("kill -9 $$"))
    has("a signal", run.apply(code=1), "it was terminated by signal KILL")
    run.config(inline("exit 7", more="    on_failure = continue\n"), upload("main.tf", run.there + "/later"))
    has("continue", run.apply(), "Warning: remote-exec provisioner error", "it exited with code 7")
    check("ready", run.status() == ["ready"] and os.path.exists(run.there + "/later"))
    run.fresh()
    run.config(remote('    script = "absent.sh"\n'))
    has("a missing script", run.apply(code=1), '"absent.sh"')


def destroy_time(run):
    """Provisioners of destruction see self; one that fails keeps the object."""
    run.start()
    when = "    when = destroy\n"
    connection = run.connection().replace('"127.0.0.1"', 'self.output.host')
    config = 'resource "terraform_data" "t" {\n  input = { host = "127.0.0.1" }\n%s  provisioner "remote-exec" {\n    inline = [%s]\n%s  }\n}\n'
    run.put("main.tf", config % (connection, '"exit 4"', when))
    run.apply()
    has("a failure", run("destroy", "-auto-approve", code=1), "it exited with code 4")
    check("the object stays", run.status() == ["ready"], str(run.status()))
    run.put("main.tf", config % (connection, '"echo bye ${self.output.host}"', when))
    has("it runs", run("destroy", "-auto-approve"), "terraform_data.t (remote-exec): bye 127.0.0.1")
    run.put("main.tf", config % (connection, '"true"', when))
    run.apply()
    run.put("main.tf", "removed {\n  from = terraform_data.t\n  lifecycle {\n    destroy = true\n  }\n"
            + '  provisioner "remote-exec" {\n    inline = ["echo removed"]\n' + when + connection + "  }\n}\n")
    has("of a removed block", run.apply(), "terraform_data.t (remote-exec): removed")


def host_keys(run):
    """A key that is given must be the server's; without one, any is accepted."""
    run.start()
    for kind in ("ed25519", "ecdsa", "rsa"):
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(host_key=run.text("host_%s.pub" % kind)))
        has("the key " + kind, run.apply(), "Checking Host Key: true", "(remote-exec): in")
    for key, *want in (("stranger.pub", "the host key of 127.0.0.1 does not match host_key", "SHA256:", "Another machine may be answering"),
                       ("stranger", "host_key is not a public key")):
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(host_key=run.text(key), timeout="2s"))
        text = run.apply(code=1)
        has("a wrong key", text, "remote-exec provisioner error", *want)
        check("nothing ran", "(remote-exec): in" not in text, text)
    run.server.terminate()
    run.server.wait()
    # A server whose key an authority has signed: its own key counts, that of the authority does not.
    run.keygen("-s", run.path("authority"), "-I", "id", "-h", "-n", "127.0.0.1", run.path("host_ed25519.pub"))
    run.start("HostCertificate " + run.path("host_ed25519-cert.pub"))
    for key, code, *want in (("host_ed25519.pub", 0, "(remote-exec): in"), ("authority.pub", 1, "does not match host_key", "Certificates of hosts are not supported"),
                             ("host_ed25519-cert.pub", 1, "host_key cannot be used. Certificates of hosts are not supported")):
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(host_key=run.text(key), timeout="2s"))
        has("with a certificate: " + key, run.apply(code=code), *want)
    run.server.terminate()
    run.server.wait()
    run.start("HostKeyAlgorithms ssh-ed25519")
    run.fresh()
    run.config(inline("echo in"), connection=run.connection(host_key=run.text("host_rsa.pub"), timeout="2s"))
    has("no key of that type", run.apply(code=1), "127.0.0.1 does not offer a host key of the type ssh-rsa, as host_key requires")


def logins(run):
    """Private keys of all kinds, certificates, agents, passwords; and what is told when none is accepted."""
    passwords = os.getuid() == 0 and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0
    if passwords:
        word = subprocess.check_output(["openssl", "passwd", "-6", PASSWORD], text=True).strip()
        with open(run.path("shadow"), "w") as f:
            f.write("%s:%s:19000:0:99999:7:::\n" % (run.user, word))
    run.start("PasswordAuthentication " + ("yes" if passwords else "no"), "KbdInteractiveAuthentication no", "MaxAuthTries 3")

    def good(what, connection, **env):
        run.fresh()
        run.config(inline("echo in"), connection=connection)
        has(what, run.apply(**env), "terraform_data.t (remote-exec): in")

    def bad(what, connection, *want, **env):
        run.fresh()
        run.config(inline("echo in"), connection=connection)
        text = run.apply(code=1, **env)
        has(what, text, *want)
        check("no secrets", PASSWORD not in text and "PRIVATE KEY" not in text, text)

    for kind in ("ed25519", "ecdsa", "rsa"):
        good("a key " + kind, run.connection("user_" + kind))
    bad("a strange key", run.connection("stranger", timeout="3s"), "No connection was established within 3s: 127.0.0.1 rejected the login of the user",
        "with the private key; it accepts keys")
    bad("no key", run.connection("stranger", private_key="nonsense"), "private_key cannot be read")
    run.keygen("-s", run.path("authority"), "-I", "id", "-n", run.user, run.path("stranger.pub"))
    good("a certificate", run.connection("stranger", certificate=run.text("stranger-cert.pub")))
    bad("a certificate of another key", run.connection("user_rsa", certificate=run.text("stranger-cert.pub"), timeout="2s"), "provisioner error")
    bad("an agent that is not there", run.connection(agent=True), "SSH_AUTH_SOCK is not set")
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", run.path("agent")], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if os.path.exists(run.path("agent")):
                break
            time.sleep(0.05)
        env = {"SSH_AUTH_SOCK": run.path("agent")}
        for i in range(6):
            run.keygen("-t", "ed25519", "-N", "", "-C", "other", "-f", run.path("other%d" % i))
            subprocess.run(["ssh-add", "-q", run.path("other%d" % i)], env={**run.env, **env}, check=True)
        subprocess.run(["ssh-add", "-q", run.path("user_ed25519")], env={**run.env, **env}, check=True)
        bad("too many keys", run.connection(None, timeout="2s"), "provisioner error", **env)
        good("the preferred key, by its file", run.connection(None, agent_identity=run.path("user_ed25519")), **env)
        good("the preferred key, as it is", run.connection(None, agent_identity=run.text("user_ed25519.pub")), **env)
    finally:
        agent.kill()
        agent.wait()
    with socket.socket(socket.AF_UNIX) as silent:  # accepts questions, and begins answers
        silent.bind(run.path("silent"))
        silent.listen()
        for part in (b"", b"\0\0\0\x20", b"\0\0\0\x20\x0c\0\0"):
            kept = []
            thread = threading.Thread(target=lambda: (kept.append(silent.accept()[0]), kept[0].recv(100), kept[0].send(part)))
            thread.start()
            bad("an agent that stops after %d bytes" % len(part), run.connection(None, agent=True, timeout="3s"), "provisioner error",
                SSH_AUTH_SOCK=run.path("silent"))
            thread.join()
            kept[0].close()
    if not passwords:
        return print("skipped: passwords need root")
    good("a password", run.connection(None, password=PASSWORD))
    bad("a wrong password", run.connection(None, password="wrong", timeout="3s"), "with the password; it accepts keys and passwords")


def bastions(run):
    """By way of the same server, with logins of its own or the target's."""
    run.start("AllowTcpForwarding yes")
    run.put("big", "y" * 3_000_000)
    run.config(upload("big", run.there + "/big"), inline("echo in; seq 20000 | tail -1; echo $SSH_CONNECTION"), connection=run.connection(bastion_host="localhost"))
    text = run.apply()
    has("by a bastion", text, "Using configured bastion host...", "Host: localhost", "Connected!", "(remote-exec): in", "(remote-exec): 20000")
    check("an upload", os.path.getsize(run.there + "/big") == 3_000_000)
    for more, *want in (({"bastion_private_key": run.text("stranger")}, "bastion host: 127.0.0.1 rejected the login of the user"),
                        ({"bastion_host_key": run.text("stranger.pub")}, "bastion host: the host key of 127.0.0.1 does not match host_key"),
                        ({"host": "127.0.0.1", "port": 1, "bastion_port": run.port}, "the bastion host did not connect to 127.0.0.1 on port 1")):
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(bastion_host="127.0.0.1", **{"timeout": "3s", **more}))
        has("a bastion that fails", run.apply(code=1), *want)


class Proxy(threading.Thread):
    """Of HTTP or SOCKS, for a user "u" with the password "p:w"."""

    def __init__(self, kind, answer=None):
        super().__init__(daemon=True)
        self.kind, self.answer, self.asked = kind, answer, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            to = (self.http if self.kind == "http" else self.socks)(client)
            if not to:
                return
            with socket.create_connection(to) as server:
                ends = {client: server, server: client}
                while True:
                    for one in select.select(list(ends), [], [])[0]:
                        data = one.recv(65536)
                        if not data:
                            return
                        ends[one].sendall(data)

    def http(self, client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1)
        self.asked.append(head.decode())
        if self.answer or b"Proxy-Authorization: Basic dTpwOnc=\r\n" not in head:
            client.sendall(self.answer or b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            return None
        host, port = head.split()[1].decode().rsplit(":", 1)
        client.sendall(b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n")
        return host, int(port)

    def socks(self, client):
        take = lambda n: b"".join(client.recv(1) for _ in range(n))  # noqa: E731
        methods = take(take(2)[1])
        if self.answer or 2 not in methods:
            client.sendall(self.answer or b"\x05\xff")
            return None
        client.sendall(b"\x05\x02")
        take(1)
        login = take(take(1)[0]), take(take(1)[0])
        self.asked.append(login)
        client.sendall(b"\x01" + (b"\x00" if login == (b"u", b"p:w") else b"\x01"))
        if login != (b"u", b"p:w"):
            return None
        take(4)
        host, port = take(take(1)[0]).decode(), int.from_bytes(take(2), "big")
        if port == 1:
            client.sendall(b"\x05\x05\x00\x01" + bytes(6))
            return None
        client.sendall(b"\x05\x00\x00\x03\x04host\x00\x16")
        return host, port


def proxies(run):
    """By way of proxies, to the target and to a bastion."""
    run.start("AllowTcpForwarding yes")
    login = {"proxy_user_name": "u", "proxy_user_password": "p:w"}
    for kind, scheme in (("http", {}), ("http", {"proxy_scheme": "http"}), ("socks", {"proxy_scheme": "socks5"})):
        proxy = Proxy(kind)
        by = {"proxy_host": "127.0.0.1", "proxy_port": proxy.port, "timeout": "3s", **scheme}
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(**by, **login))
        has("by a proxy", run.apply(), "Using configured proxy host...", "ProxyPort: %d" % proxy.port, "ProxyUserPassword: true", "(remote-exec): in")
        check("asked", len(proxy.asked) == 1, proxy.asked)
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(bastion_host="localhost", **by, **login))
        has("to a bastion", run.apply(), "(remote-exec): in")
        for more, *want in (({}, "it requires"), ({**login, "proxy_user_password": "hush"}, "it requires another" if kind == "http" else "it does not accept"),
                            ({**login, "proxy_port": 1}, "proxy: failed to connect"), ({**login, "host": "a b"}, "spaces or control characters")):
            run.fresh()
            run.config(inline("echo in"), connection=run.connection(**{**by, **more}))
            text = run.apply(code=1)
            has("a proxy that does not", text, *want)
            check("no secret", "hush" not in text, text)
    for kind, answer, *want in (("http", b"nonsense\r\n\r\n", "does not speak HTTP"), ("http", b"HTTP/1.1 503 No\r\n\r\n", "the status 503"),
                                ("http", b"x" * 20000, "has no end"), ("socks", b"HT", "does not speak version 5")):
        proxy = Proxy(kind, answer)
        run.fresh()
        run.config(inline("echo in"), connection=run.connection(proxy_host="127.0.0.1", proxy_port=proxy.port, timeout="2s", **login,
                                                                proxy_scheme="socks5" if kind == "socks" else "http"))
        has("a proxy that is none", run.apply(code=1), *want)
    proxy = Proxy("socks")
    run.fresh()
    run.config(inline("echo in"), connection=run.connection(proxy_host="127.0.0.1", proxy_port=proxy.port, proxy_scheme="socks5", port=1, timeout="2s", **login))
    has("refused behind it", run.apply(code=1), "the connection was refused")
    run.fresh()
    run.config(inline("echo in"), connection=run.connection(proxy_host="127.0.0.1", proxy_scheme="https"))
    has("TLS", run.apply(code=1), 'must be "http" or "socks5"')


def patience(run):
    """Servers that are not there yet, say nothing, or nonsense."""
    run.config(inline("echo in"), connection=run.connection(timeout="2s"))
    started = time.time()
    has("nobody there", run.apply(code=1), "No connection was established within 2s: failed to connect to 127.0.0.1 on port", "connection refused")
    check("in time", time.time() - started < 10)
    later = threading.Timer(3, run.start)
    later.start()
    run.config(inline("echo in"))
    text = run.apply()
    later.join()
    has("a server that comes later", text, "Not connected yet: failed to connect", "(remote-exec): in")
    check("a reason is told once", text.count("Not connected yet") == 1, text)
    for what, says, *want in (("silence", None, "does not answer as an SSH server"), ("nonsense", b"x" * 4096, "the SSH handshake with 127.0.0.1 failed"),
                              ("another protocol", b"HTTP/1.1 400 Bad Request\r\n\r\n", "127.0.0.1"),
                              ("a bad handshake", b"SSH-2.0-x\r\n" + b"\xff" * 65536, "the SSH handshake with 127.0.0.1 failed")):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                kept = []
                try:
                    while True:
                        c, _ = listener.accept()
                        kept.append(c)
                        if says:
                            c.sendall(says)
                except OSError:
                    pass
            threading.Thread(target=serve, daemon=True).start()
            run.fresh()
            run.config(inline("echo in"), connection=run.connection(port=listener.getsockname()[1], timeout="2s"))
            started = time.time()
            has(what, run.apply(code=1), "No connection was established within 2s", *want)
            check("in time: " + what, time.time() - started < 15)


def validation(run):
    """Mistakes that are found before anything is made."""
    conn = run.connection()
    for what, blocks, connection, *want in (
            ("two", [remote('    inline = ["a"]\n    script = "b"\n')], conn, 'Only one of the arguments "inline", "script" and "scripts" can be set'),
            ("none", [remote("")], conn, 'One of the arguments "inline", "script" and "scripts" must be set.'),
            ("no commands", [remote("    inline = []\n")], conn, '"inline" is an empty list'),
            ("null", [remote('    inline = [null, "x"]\n')], conn, 'Element 0 of "inline" is null'),
            ("both", [("file", '    source = "a"\n    content = "b"\n    destination = "c"\n')], conn, 'Only one of the arguments "source" and "content"'),
            ("neither", [("file", '    destination = "c"\n')], conn, 'One of the arguments "source" and "content" must be set.'),
            ("no destination", [("file", '    content = "c"\n')], conn, 'The argument "destination" is required'),
            ("an unknown argument", [remote('    inlin = ["a"]\n')], conn, 'An argument named "inlin" is not expected here'),
            ("no host", [inline("a")], '  connection {\n    user = "x"\n  }\n', "The connection has no host"),
            ("winrm", [inline("a")], run.connection(type="winrm"), '"winrm" is not supported as the type', "use the OpenSSH server instead of WinRM"),
            ("a platform", [inline("a")], run.connection(target_platform="amiga"), 'It must be "unix" or "windows".'),
            ("a proxy", [inline("a")], run.connection(proxy_host="p", proxy_scheme="ftp"), 'must be "http" or "socks5"'),
            ("a duration", [inline("a")], run.connection(timeout="5 parsecs"), '"5 parsecs" is not a valid duration'),
            ("a port", [inline("a")], run.connection(port=70000), "port must be a whole number from 1 to 65535"),
            ("a secret", [inline("a")], run.connection().replace('"20s"', 'sensitive("5 parsecs")'), "A sensitive value is not a valid duration")):
        run.config(*blocks, connection=connection)
        text = run("validate", code=1)
        has(what, text, *want)
        check("one error: " + what, text.count("Error: ") == 1, text)
        has(what + " in a plan", run("plan", code=1), *want)
    run.config(inline("a"), connection="")
    has("no connection", run("plan", code=1), 'neither it nor its resource has a connection block')
    run.config(remote('    inline = ["a"]\n    connection {\n      host = "127.0.0.1"\n    }\n'), connection='  connection {\n    user = "u"\n  }\n')
    run("validate")


def interruption(run):
    """An interrupt goes to the script; the object is tainted, and the run ends soon."""
    run.start()
    run.config(inline("trap 'echo stopped > %s/stopped; exit 1' INT" % run.there, "echo ready", "sleep 300 & wait"))
    p = subprocess.Popen([run.xplan, "apply", "-auto-approve"], cwd=run.work, env=run.env, text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seen = ""
    for line in p.stdout:
        seen += line
        if "(remote-exec): ready" in line:
            break
    started = time.time()
    p.send_signal(signal.SIGINT)
    seen += p.communicate(timeout=60)[0]
    check("soon", time.time() - started < 15, "%.1f s" % (time.time() - started))
    check("an error", p.returncode == 1, seen)
    has("the reason", seen, "after the run was interrupted")
    check("the script heard it", os.path.exists(run.there + "/stopped"))
    check("tainted", run.status() == ["tainted"], str(run.status()))
    run.fresh()
    run.config(inline("echo in"), connection=run.connection(port=free_port(), timeout="5m"))
    p = subprocess.Popen([run.xplan, "apply", "-auto-approve"], cwd=run.work, env=run.env, text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in p.stdout:
        if "Not connected yet" in line:
            break
    started = time.time()
    p.send_signal(signal.SIGINT)
    text = p.communicate(timeout=60)[0]
    check("while connecting", time.time() - started < 10 and p.returncode == 1, text)
    has("while connecting", text, "The run was interrupted before a connection was established.")


def crowds(run):
    """Many objects at once; much output; a connection that is lost, and a server without scp."""
    run.start("MaxStartups 100")
    run.put("main.tf", 'resource "terraform_data" "t" {\n  count = 12\n%s  provisioner "file" {\n    content = "n${count.index}"\n    destination = "%s/${count.index}"\n'
            '  }\n  provisioner "remote-exec" {\n    inline = ["echo n ${count.index}"]\n  }\n}\n' % (run.connection(), run.there))
    text = run.apply()
    check("each has said its line", sorted(re.findall(r"remote-exec\): n (\d+)", text), key=int) == [str(i) for i in range(12)], text)
    check("each has its file", run.tree(".") == {str(i): "n%d" % i for i in range(12)}, str(run.tree(".")))
    run.fresh()
    run.config(inline("seq 200000", "head -c 5000000 /dev/zero | tr '\\0' x"))
    text = run.apply()
    check("all lines", [l for l in lines_of(text) if l.isdigit()] == [str(i + 1) for i in range(200000)])
    check("all of one line", text.count("x" * 1000) >= 4900)
    run.fresh()
    run.config(inline("kill -9 $PPID; sleep 60"), connection=run.connection(script_path=run.path("lost.sh")))
    has("a lost connection", run.apply(code=1), "the connection was lost before it ended")
    run.server.terminate()
    run.server.wait()
    run.start("ForceCommand PATH=/nonexistent; eval \"$SSH_ORIGINAL_COMMAND\"")
    run.fresh()
    run.config(inline("true"))
    has("no scp", run.apply(code=1), "the script was not uploaded to", "the program scp on the server failed: it exited with code 127", "scp")


def reference(run):
    """The same outcome as the reference's, and the lines that users know."""
    terraform = shutil.which("terraform")
    if not terraform:
        return print("skipped: there is no terraform on PATH")
    run.start()
    run.put("src/a.txt", "a\n")
    run.put("src/sub/b.txt", "b\n")
    seen = {}
    for name, program in (("reference", terraform), ("own", run.xplan)):
        out = os.path.join(run.there, name)
        os.makedirs(out + "/whole")
        os.makedirs(out + "/inside")
        outcomes = []
        for blocks in ([upload("src", out + "/whole"), upload("src/", out + "/inside"), inline("echo one", "echo two >&2")],
                       [inline("false", "echo went on")], [inline("exit 9")], [inline("exit 9", more="    on_failure = continue\n")],
                       [upload("absent", out)], [("file", '    content = "x"\n    destination = "%s/content"\n' % out)]):
            run.fresh()
            run.config(*blocks, connection=run.connection(bastion_host="localhost", script_path=run.path("s-%RAND%.sh")))
            subprocess.run([terraform, "init"], cwd=run.work, env=run.env, stdout=subprocess.DEVNULL, check=True)
            p = subprocess.run([program, "apply", "-auto-approve", "-no-color"], cwd=run.work, env=run.env, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            outcomes.append((p.returncode, run.status(), lines_of(p.stdout), re.findall(r"Error: .*", p.stdout)))
        seen[name] = (outcomes, {k.split("/", 1)[1]: v for k, v in run.tree(name).items()})
    check("files", seen["own"][1] == seen["reference"][1], str(seen))
    for own, other in zip(seen["own"][0], seen["reference"][0]):
        check("an outcome", own == other, "\n%s\n%s" % (own, other))


if __name__ == "__main__":
    if not os.path.exists(SSHD):
        print("skipped: sshd is not installed (scripts/deps --servers)")
        sys.exit(0)
    sys.exit(run_cases(__doc__, [uploads, scripts, failures, destroy_time, host_keys, logins, bastions, proxies, patience, validation, interruption, crowds, reference], Run))
