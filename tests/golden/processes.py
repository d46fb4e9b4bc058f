#!/usr/bin/env python3
"""Programs that a run starts: what they get, when they end, and that an interrupt is heard whatever is waited for.

    processes.py --xplan BINARY [CASE...]

The mock provider lies beside the binary; a script around it stands for providers with programs of their own. The last line is
'N passed, M failed'.
"""
import fcntl
import glob
import http.server
import json
import os
import re
import resource as resource_limits
import shutil
import signal
import subprocess
import sys
import threading
import time

from cases import run_cases
from provider_runs import Failed, Run, contains, equal, gone, resource, typed
from pseudo_terminal import Terminal


def provider_script(run, text):
    """The provider of the mirror becomes a script; @MOCK@ is the real one."""
    mock = os.path.join(os.path.dirname(run.xplan), "terraform-provider-mock")
    with open(run.program, "w") as f:
        f.write("#!/bin/sh\n" + text.replace("@MOCK@", mock).replace("@WORK@", run.work) + "\n")


def read(run, name, lines=1):
    path = os.path.join(run.work, name)
    for _ in range(100):
        if os.path.exists(path):
            with open(path) as f:
                text = f.read()
            if text.count("\n") >= lines:
                return text
        time.sleep(0.1)
    raise Failed("%s was never written" % name)


def ended(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def wait_until(what, condition, seconds=5.0):
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            raise Failed("not within %s seconds: %s" % (seconds, what))
        time.sleep(0.02)


def interrupt(run, p, seconds=20.0):
    """One SIGINT; the run has to end soon, with exit code 1."""
    start = time.time()
    p.send_signal(signal.SIGINT)
    try:
        text = p.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        p.kill()
        raise Failed("the interrupt is not heard:\n" + p.communicate()[0])
    if time.time() - start > seconds:
        raise Failed("the interrupt is heard after %.1f seconds:\n%s" % (time.time() - start, text))
    equal("exit code", p.returncode, 1)
    return text


LIST = "ls -l /proc/$$/fd"  # of the shell itself; where it runs a script, that is open too


def descriptors_of(text):
    return sorted(int(n) for n, to in re.findall(r" (\d+) -> (.*)", text) if "terraform-provider-mock" not in to and
                  not to.endswith("/tools/git"))


def descriptors(run):
    """Programs get standard input, output and error, and nothing else of what is open here."""
    run.schema(resource_schemas={"mock_a": typed()})
    provider_script(run, "(%s) > @WORK@/seen 2>/dev/null\nexec @MOCK@" % LIST)
    run.config(resource("a") + 'resource "terraform_data" "t" {\n  depends_on = [mock_a.x]\n  provisioner "local-exec" {\n'
               '    command = "%s"\n  }\n}\n' % LIST)
    run.env.update(TF_LOG="TRACE", TF_LOG_PATH=os.path.join(run.work, "log"))
    text = run("apply", "-auto-approve")
    equal("descriptors of local-exec", descriptors_of("\n".join(l for l in text.splitlines() if " -> " in l)), [0, 1, 2])
    equal("descriptors of a provider", descriptors_of(read(run, "seen", 3)), [0, 1, 2])
    tools = os.path.join(run.work, "tools")
    os.mkdir(tools)
    with open(os.path.join(tools, "git"), "w") as f:
        f.write("#!/bin/sh\n(%s) > %s/git-seen\nexit 1\n" % (LIST, run.work))
    os.chmod(os.path.join(tools, "git"), 0o755)
    run.config('module "m" {\n  source = "git::https://localhost:1/x.git"\n}\n')
    run.env["PATH"] = tools + ":" + run.env["PATH"]
    run("get", fails=True)
    equal("descriptors of git", descriptors_of(read(run, "git-seen", 3)), [0, 1, 2])


def without_standard_descriptors(run):
    """Files that are opened do not become standard output where that is closed."""
    run.schema(resource_schemas={"mock_a": typed()})
    run.config('resource "terraform_data" "t" {\n  provisioner "local-exec" {\n    command = "echo from the command"\n  }\n}\n')
    run("init")
    code = subprocess.call(["/bin/sh", "-c", 'exec "$0" apply -auto-approve <&- >&- 2>&-', run.xplan], cwd=run.work, env=run.env)
    equal("exit code", code, 0)
    equal("the state", [r["type"] for r in run.state()["resources"]], ["terraform_data"])


def grandchildren(run):
    """What a provider has started ends with it, and with the run, however that ends."""
    run.config(resource("a"))
    start = "sleep 86401 & echo $! $$ $(ps -o pgid= -p $$) >> @WORK@/pids\nexec @MOCK@"
    provider_script(run, start)
    long = {"delay_ms": 100000, "deaf": True}
    for how in ("end", "kill", "second interrupt"):
        run.schema(resource_schemas={"mock_a": typed(behaviour={} if how == "end" else {"plan": long})})
        if os.path.exists(os.path.join(run.work, "pids")):
            os.remove(os.path.join(run.work, "pids"))
        if how == "end":
            run("plan")
        else:
            p = run.start("plan")
            run.wait_for("plan")
            if how == "kill":
                p.kill()
            else:
                p.send_signal(signal.SIGINT)
                time.sleep(0.3)
                p.send_signal(signal.SIGINT)
            p.communicate(timeout=60)
        for line in read(run, "pids").splitlines():
            child, provider, group = map(int, line.split())
            equal("the provider leads a group of its own (%s)" % how, provider, group)
            wait_until("the provider is gone after " + how, lambda: ended(provider))
            wait_until("what the provider has started is gone after " + how, lambda: ended(child))


def command_of_killed_run(run):
    """A local-exec command and what it has started end with a run that is killed."""
    run.schema(resource_schemas={"mock_a": typed()})
    run.config('resource "terraform_data" "t" {\n  provisioner "local-exec" {\n'
               '    command = "sleep 86402 & echo $! $$ > pids; wait"\n  }\n}\n')
    run("init")
    p = run.start("apply", "-auto-approve")
    pids = list(map(int, read(run, "pids").split()))
    p.kill()
    p.communicate(timeout=60)
    for pid in pids:
        wait_until("%d is gone" % pid, lambda: ended(pid))
    # What a command leaves in the background on purpose stays.
    run.config('resource "terraform_data" "u" {\n  provisioner "local-exec" {\n    command = "sleep 86403 >/dev/null 2>&1 & '
               'echo $! > left"\n  }\n}\n')
    run("apply", "-auto-approve")
    left = int(read(run, "left"))
    time.sleep(0.3)
    if ended(left):
        raise Failed("what a command left in the background is gone")
    os.kill(left, signal.SIGKILL)


def terminal(run):
    """Ctrl-C of a terminal asks the provider to stop; no signal reaches it or its programs."""
    run.schema(resource_schemas={"mock_a": typed(behaviour={"apply": {"delay_ms": 100000}})})
    run.config(resource("a"))
    provider_script(run, "sh -c 'trap \"echo interrupted >> @WORK@/signals\" INT; echo ready > @WORK@/ready; while :; do sleep 0.1; done' "
                         "&\nexec @MOCK@")
    run("init")
    t = Terminal([run.xplan, "apply", "-auto-approve"], run.work, {**run.env, "TERM": "xterm"})
    run.wait_for("apply")
    read(run, "ready")
    t.type("\x03").end(1)
    equal("told to stop", [c["call"] for c in run.calls()].count("stop"), 1)
    equal("signals", os.path.exists(os.path.join(run.work, "signals")), False)
    gone(run)


def waiting_for_a_handshake(run):
    run.schema(resource_schemas={"mock_a": typed()})
    run.config(resource("a"))
    provider_script(run, "echo $$ > @WORK@/pid\nexec sleep 86404")
    run("init")
    for command in (["plan"], ["apply", "-auto-approve"], ["validate"], ["providers", "schema", "-json"]):
        if os.path.exists(os.path.join(run.work, "pid")):
            os.remove(os.path.join(run.work, "pid"))
        before = sorted(os.listdir(run.work))
        p = run.start(*command)
        pid = int(read(run, "pid"))
        text = interrupt(run, p)
        # While loading still goes on beside the program's start, it is the loading that is interrupted.
        contains(" ".join(command), text, "was interrupted")
        wait_until("the provider is gone", lambda: ended(pid))
        equal("left behind", sorted(set(os.listdir(run.work)) - {"pid"}), sorted(set(before) - {"pid"}))


FLOOD = """#!/usr/bin/env python3
# Speaks HTTP/2 as far as that it floods whoever connects with frames of one kind, and reads none of the answers.
import os, socket
frame = {"settings": b"\\0\\0\\0\\4\\0\\0\\0\\0\\0", "ping": b"\\0\\0\\x08\\6\\0\\0\\0\\0\\0" + b"x" * 8}[open("@WORK@/kind").read()]
s = socket.create_server(("127.0.0.1", 0))
print("1|6|tcp|127.0.0.1:%d|grpc|" % s.getsockname()[1], flush=True)
c = s.accept()[0]
open("@WORK@/connected", "w").write("%d\\n" % os.getpid())
c.sendall(b"\\0\\0\\0\\4\\0\\0\\0\\0\\0")
while True:
    c.sendall(frame * 4096)
"""


def flooding(run):
    """A provider that floods the connection does not keep a run from ending at the first interrupt."""
    run.schema(resource_schemas={"mock_a": typed()})
    run.config(resource("a"))
    with open(run.program, "w") as f:
        f.write(FLOOD.replace("@WORK@", run.work))
    run("init")
    for kind in ("settings", "ping"):
        with open(os.path.join(run.work, "kind"), "w") as f:
            f.write(kind)
        for command in (["plan"], ["validate"], ["providers", "schema", "-json"]):
            p = run.start(*command)
            pid = int(read(run, "connected"))
            time.sleep(0.5)
            interrupt(run, p, 40.0)
            os.remove(os.path.join(run.work, "connected"))
            wait_until("the provider is gone", lambda: ended(pid))


def frozen(run):
    """A provider that is stopped while it plans does not keep a run from ending; one that makes a change is waited for."""
    run.config(resource("a"))
    run.env["TMPDIR"] = os.path.join(run.work, "tmp")
    os.mkdir(run.env["TMPDIR"])
    for call in ("plan", "validate", "apply"):
        run.schema(resource_schemas={"mock_a": typed(behaviour={call: {"delay_ms": 3000 if call == "apply" else 100000}})})
        run("init")
        p = run.start("apply", "-auto-approve")
        run.wait_for(call)
        pids = run.alive()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        if call != "apply":
            # Only from planning on are providers told to stop.
            contains(call, interrupt(run, p, 40.0), "did not respond to the request to stop, so it was killed" if call == "plan" else
                     "had not yet responded, so it was stopped")
            gone(run)
            equal("what a killed plugin leaves", os.listdir(run.env["TMPDIR"]), [])
            continue
        p.send_signal(signal.SIGINT)
        time.sleep(7)
        equal("the run waits for a change", p.poll(), None)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        p.communicate(timeout=60)
        equal("the change is in the state", list(run.instances()), ["mock_a.x"])
        gone(run)


def waiting_for_a_lock(run):
    run.schema(resource_schemas={"mock_a": typed()})
    run.config('resource "terraform_data" "t" {}\n')
    run("init")
    run("apply", "-auto-approve")
    with open(os.path.join(run.work, "terraform.tfstate"), "r+") as f:
        fcntl.lockf(f, fcntl.LOCK_EX)
        before = sorted(os.listdir(run.work))
        wait = "-lock-timeout=30m"
        for command in (["plan", wait], ["apply", wait, "-auto-approve"], ["refresh", wait], ["taint", wait, "terraform_data.t"],
                        ["state", "rm", wait, "terraform_data.t"], ["destroy", wait, "-auto-approve"]):
            p = run.start(*command)
            time.sleep(1)
            contains(" ".join(command), interrupt(run, p), "Error acquiring the state lock", "waiting for it was interrupted")
            equal("left behind", sorted(os.listdir(run.work)), before)
    run("plan", "-detailed-exitcode")


def telling_of_a_lock(run):
    """A wait for the lock is told of; what is said of a lock that a process holds fits a lock that ends with its process."""
    run.schema()
    run.config('resource "terraform_data" "t" {}\n')
    run("init")
    run("apply", "-auto-approve")
    with open(os.path.join(run.work, "terraform.tfstate"), "r+") as f:
        fcntl.lockf(f, fcntl.LOCK_EX)
        with open(os.path.join(run.work, ".terraform.tfstate.lock.info"), "w") as info:
            info.write('{"ID":"held","Operation":"OperationTypeApply","Who":"a@b","Created":"2026-01-02T03:04:05Z"}')
        text = run("plan", "-lock-timeout=700ms", fails=True)
        contains("plan", text, "Acquiring state lock. This may take a few moments...", "The state \"terraform.tfstate\" is locked")
        if "\n\n\n" in text.split("Lock Info")[1] or "force-unlock" in text or "Acquiring" in run("plan", fails=True):
            raise Failed("the problem with the lock is told in another form:\n" + text)
        lines = [json.loads(line) for line in run("plan", "-json", "-lock-timeout=700ms", fails=True).splitlines()]
        equal("types", [line["type"] for line in lines], ["version", "state_lock_acquire", "diagnostic"])
        text = run("force-unlock", "-force", "other", fails=True)
        contains("force-unlock", text, "the ID of its lock is held, not other", "cannot be released by another one")
        if re.search(r"^\W*\.$", text, re.M):
            raise Failed("a full stop stands alone:\n" + text)


def migrating_a_locked_state(run):
    """Moving a state waits for its lock as long as it may, tells of that, and takes none with -lock=false."""
    run.schema()
    backend = 'terraform {\n  backend "local" {\n    path = "%s.tfstate"\n  }\n}\nresource "terraform_data" "t" {}\n'
    run.config(backend % "old")
    run("init")
    run("apply", "-auto-approve")
    run.config(backend % "new")
    migrate, new = ["init", "-migrate-state", "-force-copy"], os.path.join(run.work, "new.tfstate")
    with open(os.path.join(run.work, "old.tfstate"), "r+") as f:
        fcntl.lockf(f, fcntl.LOCK_EX)
        contains("at once", run(*migrate, fails=True), "Error acquiring the state lock")
        text = run(*migrate, "-lock-timeout=700ms", fails=True)
        contains("after a while", text, "Acquiring state lock. This may take a few moments...", "Error acquiring the state lock")
        equal("moved", os.path.exists(new), False)
        run(*migrate, "-lock=false")
        equal("moved", os.path.exists(new), True)
    run("plan", "-detailed-exitcode")


def answers_of_servers(run):
    """What a server answers that is no state; what stops init, how often it asks, and what such a backend does not have."""
    pages = {"/page": ("text/html; charset=utf-8", "<!DOCTYPE html>\n<html>Log in</html>"), "/text": ("text/plain", "It works!"),
             "/later": ("application/json", '{"version": 9}')}
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            asked.append(self.path)
            if self.path == "/slow":
                time.sleep(30)
            kind, body = pages.get(self.path, ("text/plain", ""))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = "http://127.0.0.1:%d" % server.server_address[1]

    def words(text):
        return " ".join(text.replace("│", " ").split())

    def init(path, *args, fails=True):
        shutil.rmtree(os.path.join(run.work, ".terraform"), ignore_errors=True)
        run.config('terraform {\n  backend "http" {\n    address = "%s%s"\n    retry_max = 0\n  }\n}\n' % (root, path))
        return words(run("init", *args, fails=fails))

    run.schema()
    contains("a page", init("/page"), 'There is a web page at "%s/page" instead of a state (Content-Type: text/html)' % root,
             'begins with "<!DOCTYPE html>"', "Check that this is the address")
    contains("a text", init("/text"), "There is a document at", 'begins with "It works!"')
    text = init("/later")
    contains("a later format", text, "format version 9, which is newer")
    equal("advice for damage", "damaged" in text, False)
    contains("a near argument", init("/none", "-backend-config=adress=x"),
             'The backend "http" has no argument "adress", which is given with -backend-config. Did you mean "address"?')
    del asked[:]
    init("/none", fails=False)
    equal("asked", len(asked), 2)
    for command in (["list"], ["new", "x"]):
        contains("workspaces", words(run("workspace", *command, fails=True)), "Workspaces are not supported", "keeps a single state")
    run.config('terraform {\n  backend "http" {\n    address = "%s/slow"\n  }\n}\n' % root)
    p = run.start("init", "-reconfigure")
    time.sleep(1)
    contains("interrupted", words(interrupt(run, p)), "Initialization was interrupted", "No state was changed", "is not set up yet")
    server.shutdown()


def answering_init(run):
    """What becomes of the states when the backend changes: "yes" moves them, "no" leaves one where it is and aborts with several, and
    nothing is recorded without an answer."""
    shutil.rmtree(run.work)
    resource = 'resource "terraform_data" "t" { input = "%s" }\n'

    def backend(path):
        return 'terraform {\n  backend "local" {\n    path = "%s"\n  }\n}\n' % path

    def file(name):
        return os.path.join(run.work, name)

    def init(answer, *args, code=0):
        p = subprocess.run([run.xplan, "init", *args], cwd=run.work, env=run.env, input=answer, capture_output=True, text=True, timeout=60)
        text = " ".join((p.stdout + p.stderr).replace("│", " ").split())
        equal("exit code after %r:\n%s" % (answer, text), p.returncode, code)
        return text

    def apply(what, path=""):
        with open(file("main.tf"), "w") as f:
            f.write((backend(path) if path else "") + resource % what)
        if not path or not os.path.exists(file(path)):
            init("", "-reconfigure")
        run("apply", "-auto-approve")

    def change(path):
        with open(file("main.tf"), "w") as f:
            f.write((backend(path) if path else "") + resource % "x")

    def again():
        shutil.rmtree(run.work, ignore_errors=True)
        os.makedirs(run.work)
        open(file(".terraform.lock.hcl"), "w").close()  # so that nobody initializes

    def recorded():
        try:
            with open(file(".terraform/terraform.tfstate")) as f:
                return json.load(f)["backend"]["config"]["path"]
        except (OSError, KeyError):
            return None

    # The first backend block.
    again()
    apply("old")
    change("d/s.tfstate")
    for answer, why in (("", "Standard input ended before the question was answered."), ("maybe\n", "Standard input ended"),
                        ("y\ny\ny\ny\n", 'The answer must be "yes" or "no".')):
        contains("without an answer", init(answer, code=1), "Error asking for confirmation", why, "the new backend was not recorded")
        equal("recorded", [recorded(), os.path.exists(file("d/s.tfstate"))], [None, False])
    contains("-input=false", init("", "-input=false", code=1), "Approval required", '"terraform.tfstate" to "d/s.tfstate"', "-force-copy")
    run.env["TF_INPUT"] = "false"
    contains("TF_INPUT", init("yes\n", code=1), "Approval required", "because TF_INPUT=false is set")
    del run.env["TF_INPUT"]
    text = init("no\n")
    contains("no", text, 'or "no" to leave it where it is and start with an empty state at "d/s.tfstate"', 'Successfully configured',
             'The state at "terraform.tfstate" was not migrated. It stays where it is', "xplan state push terraform.tfstate")
    equal("recorded", [recorded(), os.path.exists(file("terraform.tfstate"))], ["d/s.tfstate", True])
    contains("a plan without the state", run("plan"), "1 to add")
    run("state", "push", "terraform.tfstate")
    contains("as advised", run("plan"), "1 to change")

    again()
    apply("old")
    change("d/s.tfstate")
    contains("yes", init("yes\n"), "- terraform.tfstate -> d/s.tfstate")
    equal("moved", [recorded(), os.path.exists(file("terraform.tfstate"))], ["d/s.tfstate", False])

    # -reconfigure forgets what was set up, so what is in the default location is asked about, as the first time.
    again()
    apply("old")
    change("d/s.tfstate")
    text = init("no\n", "-reconfigure")
    contains("reconfigured", text, "Do you want to copy existing state to the new backend?", 'The state at "terraform.tfstate" was not migrated.')
    equal("recorded", [recorded(), os.path.exists(file("terraform.tfstate"))], ["d/s.tfstate", True])
    contains("once more", init("yes\n", "-reconfigure"), "- terraform.tfstate -> d/s.tfstate")
    equal("moved", os.path.exists(file("terraform.tfstate")), False)
    contains("nothing is left", init("", "-reconfigure"), "Successfully configured")

    # Another state is in the way.
    for answer, code, now in (("", 1, "a.tfstate"), ("no\n", 0, "b.tfstate"), ("yes\n", 0, "b.tfstate")):
        again()
        apply("second", "b.tfstate")
        apply("first", "a.tfstate")
        change("b.tfstate")
        text = init(answer, "-migrate-state", code=code)
        contains("the question", text, 'A different state already exists at "b.tfstate".', 'continue with the one at "b.tfstate"')
        equal("recorded after %r" % answer, recorded(), now)
        if answer == "no\n":
            contains("no", text, 'The state at "a.tfstate" was not migrated.', "xplan state push -force a.tfstate")
        if code == 0:
            contains("the state", run("state", "pull"), "first" if answer == "yes\n" else "second")
        with open(file("b.tfstate.backup" if answer == "yes\n" else "b.tfstate")) as f:
            contains("what was there", f.read(), "second")

    # Several workspaces.
    again()
    apply("old")
    run("workspace", "new", "w")
    run("apply", "-auto-approve")
    change("d/s.tfstate")
    contains("no", init("no\n", code=1), '- "terraform.tfstate" to "d/s.tfstate"', 'or "no" to abort', "Migration aborted", "init -reconfigure")
    equal("recorded", recorded(), None)
    contains("yes", init("yes\n"), "- terraform.tfstate -> d/s.tfstate")
    equal("recorded", recorded(), "d/s.tfstate")


def advice(run):
    """What messages advise can be done, and helps."""
    state = '{"version": %d, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": []}'
    fs = 'terraform {\n  required_providers {\n    fs = { source = "terraform.io/builtin/fs" }\n  }\n}\n'
    backend = 'terraform {\n  backend "local" {\n    path = "x.tfstate"\n  }\n}\n'
    imports = fs + 'import {\n  to = %s\n  %s\n}\n'
    call = 'module "m" {\n  source = "%s"\n%s}\n'
    mock = 'terraform {\n  required_providers {\n    mock = { source = "xplan/mock" }\n  }\n}\nresource "mock_a" "a" {}\n'
    rows = [  # configuration, command, parts, what must not be there
        (imports % ("fs_file.g", 'id = "main.tf"'), "plan", ["generate one by planning with -generate-config-out=FILE"], []),
        (imports % ('fs_file.g["k"]', 'id = "main.tf"'), "plan", ['Add a resource block for it, with "count" or "for_each"'], ["-generate-config-out"]),
        (imports % ("fs_file.g[each.key]", 'id = each.key\n  for_each = toset(["main.tf"])'), "plan", ["with \"count\" or \"for_each\""],
         ["-generate-config-out"]),
        ("", "workspace delete default", ['The workspace "default" always exists, so it cannot be deleted.'], ["Select another"]),
        ("", "workspace delete -force default", ['The workspace "default" always exists, so it cannot be deleted.'], []),
        (None, "import a.b c", ["No configuration files", 'resource "a" "b" {'], ["destroy"]),
        (None, "plan", ["No configuration files", "would destroy everything"], []),
        ("", "plan -state=dir", ["is a directory", "The path of a state must be that of a file."], ["-lock=false"]),
        ("", "plan -state=new", ["it has format version 5", "Use the version of the program that wrote it, or a later one."], []),
        ("", "query", ['The command "query" searches for objects', "xplan does not support", "from version 1.14 on"], ["Unknown"]),
        ("", "validate -query", ["The option -query validates files with the ending .tfquery.hcl", "does not support"], ["has no option"]),
        ("", "plan -invoke=action.a.b", ["The option -invoke runs an action of a provider", "does not support"], ["has no option"]),
        ("", "apply -invoke=action.a.b", ["The option -invoke runs an action of a provider"], []),
        ("", "import -bogus", ['Run "xplan import -help"'], []),
        ("", "state mv -bogus", ['Run "xplan state mv -help"'], []),
        ("", "plan -out=/dev/null", ["it exists but is not a regular file. Choose another path"], ["directory exists"]),
        ("", "state pull extra", ['The command takes no arguments, but "extra" was given.'], ["-chdir"]),
        ("", "plan dir", ["use the option -chdir"], []),
        ("", "providers mirror", ["The command requires a target directory."], []),
        ("", "show main.tf", ['"main.tf" is neither a plan file nor a state file'], []),
        ("", "show cut.bin", ["the file is incomplete or damaged"], ["zip archive", "Zip archive"]),
        (call % ("./m", '  version = "1.0"\n'), "init", ["remove the argument"], ["Invalid version constraint"]),
        (call % ("./m", '  version = "zz"\n'), "init", ["remove the argument"], ["Invalid version constraint"]),
        (call % ("nope", ""), "init", ["Invalid module source", '"nope" is not a valid module source. For a local directory, write "./nope".'],
         ["could not be downloaded"]),
        ('resource "fs_file" "a" {\n  path = "x"\n}\n', "init", ['fs = { source = "terraform.io/builtin/fs" }'], []),
        (backend, "plan", ["xplan init"], ["-migrate-state"]),
        ("", "providers schema", ["-json"], []),
        ("", "plan -chdir=dir", ["The option -chdir must come before the name of the command: xplan -chdir=DIR plan."], []),
        ("", "destroy plan.bin", ['run "xplan apply FILE".'], []),
        ("", "plan plan.bin", ['run "xplan show FILE".'], []),
        ("", "explain main.tf", ['"main.tf" is not a plan file.'], ["damaged"]),
        ("", "explain nope", ['There is no file "nope".'], []),
        ('output "o" {\n  value = path\n}\n', "validate", ["are path.module, path.root and path.cwd."], []),
        ('output "o" {\n  value = timestamp\n}\n', "validate", ['"timestamp" is a function. To call it, add parentheses: timestamp().'],
         ["resource type"]),
        ('output "o" {\n  value = yamldecode("a: [1")\n}\n', "plan", ["line 1, column 4 of the YAML string: the list that begins here is not closed"],
         ["indentation"]),
        ('output "o" {\n  value = yamldecode("{a: 1")\n}\n', "plan", ["line 1, column 1 of the YAML string: the mapping that begins here is not closed"],
         ["indentation"]),
        (call % ("ftp://x/y.zip", ""), "init", ['Modules cannot be downloaded with "ftp"'], ["./ftp"]),
        ("", "state push nope", ['Cannot open "nope": no such file or directory.'], ["not a valid state file"]),
        ("", "plan -var =1", ['In "=1", the name is missing.'], ["undeclared"]),
        ("", "plan -replace=a", ["Invalid instance to replace"], []),
        ("", "apply", ["Standard input ended before the question was answered. Nothing was changed.", "use -auto-approve"], ["cancelled"]),
        ("", "workspace new a/b", ['The workspace name "a/b" is not valid'], ["It comes from"]),
        ('output "a" {\n  value = 1 / 0\n}\n', "plan", ["Division by zero is a common cause."], []),
        (mock, "plan", ["there is no dependency lock file (.terraform.lock.hcl):"], ["does not match"]),
        ('resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "true"\n    working_dir = "nope"\n  }\n}\n',
         "apply -auto-approve -state=exec.tfstate", ['its working directory "nope" does not exist.'], ["failed to start"]),
    ]
    environment = [  # variable, value, parts, what must not be there; of a plan that needs a provider
        ("TF_REATTACH_PROVIDERS", "x", ["The value of TF_REATTACH_PROVIDERS cannot be used: it is not JSON"], ["xplan init"]),
        ("TF_CLI_CONFIG_FILE", "nope", ["TF_CLI_CONFIG_FILE names this file. Correct the variable or unset it"], []),
        ("TF_CLI_CONFIG_FILE", "overrides", ["dev_overrides, but their programs are not there:", 'the directory "/nope" does not exist'], ["xplan init"]),
        ("XPLAN_DIALECT", "foo", ['XPLAN_DIALECT must be terraform, opentofu or xplan, not "foo".'], []),
    ]
    run.env["TF_CLI_CONFIG_FILE"] = "/dev/null"
    run.schema()
    run.config('resource "terraform_data" "a" {}\n')

    def file(name):
        return os.path.join(run.work, name)

    def fails(command):
        p = run.start(*command.split())
        text = " ".join(p.communicate(timeout=60)[0].replace("│", " ").split())
        equal("%s ends with\n%s" % (command, text), p.returncode, 1)
        return text

    def write(name, text):
        with open(file(name), "w") as f:
            f.write(text)

    for name in ("dir", "m"):
        os.mkdir(file(name))
    write("main.tf", 'resource "terraform_data" "a" {}\n')
    p = run.start("plan", "-out=plan.bin")
    text = p.communicate(timeout=60)[0]
    equal(text, p.returncode, 0)
    with open(file("plan.bin"), "rb") as f, open(file("cut.bin"), "wb") as cut:
        cut.write(f.read()[:1000])
    write("new", state % 5)
    for config, command, parts, never in rows:
        os.path.exists(file("main.tf")) and os.remove(file("main.tf"))
        if config is not None:
            write("main.tf", config or 'resource "terraform_data" "a" {}\n')
        text = fails(command)
        contains(command, text, *parts)
        for part in never:
            if part in text:
                raise Failed("%s has %r:\n%s" % (command, part, text))
    contains("a name that fmt does not know", run("fmt", "cut.bin", fails=True),
             "must end with .tf, .tfvars, .tftest.hcl, .tfmock.hcl, .tofu, .tofutest.hcl or .tofumock.hcl.")
    # After init, the backend block goes away.
    write("main.tf", backend)
    equal("init", run.start("init").wait(60), 0)
    for config in (backend.replace("x.tf", "y.tf"), 'output "a" { value = null }\n'):
        write("main.tf", config)
        contains("another backend", fails("plan"), "xplan init -migrate-state", "xplan init -reconfigure")
    equal("init", run.start("init", "-reconfigure").wait(60), 0)
    write("main.tf", 'output "a" { value = null }\noutput "b" { value = 1 }\n')
    equal("apply", run.start("apply", "-auto-approve").wait(60), 0)
    contains("output", fails("output a"), "except for those whose value is null")
    write("overrides", 'provider_installation {\n  dev_overrides {\n    "xplan/mock" = "/nope"\n  }\n}\n')
    write("main.tf", mock)
    for name, value, parts, never in environment:
        before = dict(run.env)
        run.env[name] = value
        text = fails("plan")
        contains("%s=%s" % (name, value), text, *parts)
        for part in never:
            if part in text:
                raise Failed("%s=%s has %r:\n%s" % (name, value, part, text))
        run.env = before
    write("main.tf", 'resource "terraform_data" "a" {}\n')
    run.env["TF_REATTACH_PROVIDERS"] = "x"
    contains("where nothing would use the variable", fails("validate"), "The value of TF_REATTACH_PROVIDERS cannot be used")
    del run.env["TF_REATTACH_PROVIDERS"]
    write("main.tf", 'output "a" { value = 1 }\n')
    run.env["TF_WORKSPACE"] = "a b"
    contains("a name that is not valid", fails("plan"), '"a b" is not valid', "It comes from the environment variable TF_WORKSPACE.")
    run.env["TF_WORKSPACE"] = "nope"
    p = subprocess.run([run.xplan, "plan"], cwd=run.work, env=run.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    contains("a workspace without a state", " ".join(p.stderr.split()), 'Note: TF_WORKSPACE selects the workspace "nope", which has no state yet.')
    if "Note:" in p.stdout:
        raise Failed("the note is on standard output:\n" + p.stdout)
    del run.env["TF_WORKSPACE"]
    os.makedirs(os.path.join(run.work, ".terraform"), exist_ok=True)
    for name, select, noted in (("nope", lambda: write(".terraform/environment", "nope"), True),
                                ("fresh", lambda: run("workspace", "new", "fresh"), False), ("default", lambda: run("workspace", "select", "default"), False)):
        shutil.rmtree(os.path.join(run.work, "terraform.tfstate.d"), ignore_errors=True)
        select()
        p = subprocess.run([run.xplan, "plan"], cwd=run.work, env=run.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if ('Note: The selected workspace "%s" does not exist' % name in " ".join(p.stderr.split())) != noted:
            raise Failed("the note on the workspace %s:\n%s" % (name, p.stderr))
    # A refused push leaves a state with the objects of the run that was killed.
    write("main.tf", 'resource "terraform_data" "b" {\n  provisioner "local-exec" {\n    command = "kill -9 $PPID"\n  }\n}\n')
    write("other.tfstate", state % 4)
    for forced in (["-force"], []):
        for path in glob.glob(os.path.join(run.work, "terraform.tfstate*")):
            if os.path.isfile(path):
                os.remove(path)
        run.start("apply", "-auto-approve").communicate(timeout=60)
        said = run("state", "push", *forced, "other.tfstate", fails=not forced)
        if ("so it is tainted" in " ".join(said.split())) == bool(forced):
            raise Failed("a push with %s:\n%s" % (forced, said))


def beside_a_run(run):
    """Whoever changes a state without its lock hears of the run that does, and deleting a workspace tells of what a dead run has left."""
    run.schema()
    run.config('resource "terraform_data" "t" {\n  provisioner "local-exec" {\n'
               '    command = "touch begun; while [ ! -e go ]; do sleep 0.1; done"\n  }\n}\n')
    run("init")
    run("workspace", "new", "w")
    p = run.start("apply", "-auto-approve")
    wait_until("the apply is at work", lambda: os.path.exists(os.path.join(run.work, "begun")))
    try:
        text = run("apply", "-auto-approve", "-lock=false", fails=True)
    finally:
        p.kill()
        open(os.path.join(run.work, "go"), "w").close()
        p.communicate()
    contains("without the lock", text, "Another run is changing the state", "do not delete the journal")
    run("workspace", "select", "default")
    contains("a refusal", run("workspace", "delete", "w", fails=True), "still manages these objects: - terraform_data.t")
    text = run("workspace", "delete", "-force", "w")
    contains("deleting", text, 'Deleted workspace "w"!', 'These objects of workspace "w" still exist, but are no longer tracked: - terraform_data.t')
    if "next plan" in text:
        raise Failed("there is no next plan of it:\n" + text)


def telling_of_interrupts(run):
    """What an interrupt means is said where the progress is: with -json in the stream. The second one tells what was under way."""
    run.schema(resource_schemas={"mock_a": typed(behaviour={"apply": {"delay_ms": 100000, "deaf": True}})})
    run.config(resource("a"))
    run("init")
    for stream in (False, True):
        p = run.start("apply", "-auto-approve", *(["-json"] if stream else []))
        run.wait_for("apply")
        p.send_signal(signal.SIGINT)
        time.sleep(1)
        p.send_signal(signal.SIGINT)
        text = p.communicate(timeout=60)[0]
        equal("exit code of " + text, p.returncode, 1)
        if stream:
            told = [m["@message"] for m in map(json.loads, text.splitlines()) if m["type"] == "log"]
            equal("messages", len(told), 2)
            text = "\n".join(told)
        contains("the messages", text, "Interrupt received. Finishing operations in progress", "Stopped. Finished operations",
                 "- mock_a.x: creating for ")
        gone(run)
        run("state", "list")  # takes the journal up
    with open(os.path.join(run.work, "terraform.tfstate"), "r+") as f:
        fcntl.lockf(f, fcntl.LOCK_EX)
        p = run.start("plan", "-json", "-lock-timeout=30m")
        time.sleep(2.5)
        types = [json.loads(line)["type"] for line in interrupt(run, p).splitlines()]
        equal("types", types, ["version", "state_lock_acquire", "log", "diagnostic"])


def bounded_input(run):
    """Inputs without an end, lists of any length, names and IDs that pretend to be lines, manifests that say nothing."""
    run.schema()
    run.config('variable "v" {}\noutput "o" { value = var.v }\n')
    run("init")
    p = subprocess.run([run.xplan, "apply"], cwd=run.work, env=run.env, input="x" * (3 << 20), capture_output=True, text=True, timeout=60)
    equal("an answer without an end", p.returncode, 1)
    if len(p.stdout + p.stderr) > 1 << 20:
        raise Failed("the answer was taken")
    run.config("".join('provider "mock" {\n  alias = "a%d"\n}\n' % i for i in range(10010)))
    said = " ".join(run("validate", fails=True).replace("│", "").split())
    equal("errors of many providers", said.count("There can be at most 10000 of them."), 1)
    os.makedirs(os.path.join(run.work, ".terraform", "modules"), exist_ok=True)
    run.config('module "m" { source = "example.com/a/b/c" }\n')
    for directory in '""', "5":
        with open(os.path.join(run.work, ".terraform", "modules", "modules.json"), "w") as f:
            f.write('{"Modules":[{"Key":"m","Source":"example.com/a/b/c","Version":"1.0.0","Dir":%s}]}' % directory)
        contains("a module nowhere", " ".join(run("validate", fails=True).replace("│", "").split()), "init")
    run.config('resource "terraform_data" "a" {}\n')
    with open(os.path.join(run.work, "terraform.tfstate"), "w") as f:
        json.dump({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l",
                   "outputs": {"o\nPlan: 0 to add": {"value": "v", "type": "string"}},
                   "resources": [{"mode": "managed", "type": "terraform_data", "name": "a",
                                  "provider": 'provider["terraform.io/builtin/terraform"]',
                                  "instances": [{"schema_version": 0, "attributes": {"id": "i\nPlan: 1 to add", "input": None, "output": None,
                                                                                     "triggers_replace": None}}]}]}, f)
    equal("the name of an output", run("output"), '"o\\nPlan: 0 to add" = "v"\n')
    contains("an ID", run("plan"), 'Refreshing state... [id="i\\nPlan: 1 to add"]')


def piped_answers(run):
    """Values of variables can be piped in, a line each; without any, each missing one is told."""
    run.schema()
    run.config('variable "a" {}\nvariable "b" { type = number }\noutput "o" { value = "${var.a}/${var.b}" }\n')
    run("init")
    for args, answers, code, said in (((), "x\n7\n", 0, '+ o = "x/7"'), ((), "x\n7", 0, '+ o = "x/7"'), ((), "x\n", 1, 'input variable "b" is not set and has no default value'),
                                      ((), "", 1, 'input variable "a" is not set and has no default value'), (("-input=false",), "x\n7\n", 1, 'input variable "a" is not set and has no default value')):
        p = subprocess.run([run.xplan, "plan", *args], cwd=run.work, env=run.env, input=answers, capture_output=True, text=True, timeout=60)
        contains("with %r" % answers, p.stdout + p.stderr, said)
        equal("exit code with %r" % answers, p.returncode, code)
        if code and ("Enter a value" in p.stdout) != (answers == "x\n" and not args):
            raise Failed("with %r: %s" % (answers, p.stdout))


def unasked_approval(run):
    """TF_INPUT keeps an apply from asking for approval, as -input=false does: whoever pipes an answer is not heard."""
    run.schema()
    run.config('resource "terraform_data" "a" {}\n')
    run("init")
    for command in "apply", "destroy":
        for args, env, by in ((["-input=false"], {}, "-input=false"), ([], {"TF_INPUT": "0"}, "TF_INPUT=0"),
                              ([], {"TF_INPUT": "false"}, "TF_INPUT=false")):
            p = subprocess.run([run.xplan, command, *args], cwd=run.work, env={**run.env, **env}, input="yes\n", capture_output=True, text=True,
                               timeout=60)
            equal("exit code with " + by, p.returncode, 1)
            contains("with " + by, p.stderr, "Approval required", by + " is set")
            if "Enter a value" in p.stdout:
                raise Failed("with %s, somebody is asked: %s" % (by, p.stdout))
        equal(command + " with TF_INPUT=1", subprocess.run([run.xplan, command], cwd=run.work, env={**run.env, "TF_INPUT": "1"}, input="yes\n",
                                                           capture_output=True, text=True, timeout=60).returncode, 0)


def completion_of_modules(run):
    """Instances of modules are offered where an address may name them, and variables by their names."""
    os.makedirs(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf"), "w") as f:
        f.write('resource "terraform_data" "in" {}\n')
    run.schema()
    run.config('module "m" {\n  source   = "./m"\n  for_each = toset(["x"])\n}\nvariable "size" { default = 1 }\n')
    run("init")
    run("apply", "-auto-approve")
    inside = 'module.m["x"].terraform_data.in'
    for line, expected in (
            ("xplan plan -target=mod", ["-target=" + a for a in ("module.m", "module.m.terraform_data.in", 'module.m["x"]', inside)]),
            ("xplan apply -exclude 'module.m[", ['module.m["x"]', inside]), ("xplan state mv module.", ['module.m["x"]', inside]),
            ("xplan state rm module.", ['module.m["x"]', inside]), ("xplan state show module.", [inside]), ("xplan taint module.", [inside]),
            ("xplan console -scope=", ['-scope=module.m["x"]']), ("xplan plan -var=", ["-var=size="]), ("xplan apply -var s", ["size="]),
            ("xplan help -", [])):
        p = subprocess.run([run.xplan], cwd=run.work, env={**run.env, "COMP_LINE": line}, capture_output=True, text=True, timeout=60)
        equal("completing %r" % line, (p.stdout.splitlines(), p.stderr, p.returncode), (expected, "", 0))


def completion(run):
    """Shells learn what a word may become, and nothing is done; setting that up changes lines of its own only."""
    os.makedirs(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf"), "w") as f:
        f.write('resource "terraform_data" "in" {}\n')
    run.schema()
    run.config('resource "terraform_data" "a" {}\nresource "terraform_data" "b" { for_each = toset(["x y"]) }\nmodule "m" {\n  source = "./m"\n'
               '  count  = 0\n}\noutput "o" { value = 1 }\n')
    run("init")
    run("apply", "-auto-approve")
    run("workspace", "new", "other")
    run("workspace", "select", "default")

    def completed(line, *arguments, **env):
        p = subprocess.run([run.xplan, *arguments], cwd=run.work, env={**run.env, "COMP_LINE": line, **env}, capture_output=True, text=True, timeout=60)
        equal("completing %r" % line, (p.returncode, p.stderr), (0, ""))
        return p.stdout.splitlines()

    names = ["terraform_data.a", 'terraform_data.b["x y"]']
    for line, expected in (
            ("xplan pla", ["plan"]), ("xplan -chdir=m sta", ["state"]), ("xplan -chdir=x sta", []), ("xplan state m", ["move", "mv"]), ("xplan plan -dest", ["-destroy"]),
            ("xplan plan --dest", ["--destroy"]), ("xplan plan -json -deta", ["-detailed-exitcode"]), ("xplan state show -no", ["-no-color"]),
            ("xplan plan x", []), ("xplan nope -", []), ("xplan -unin", ["-uninstall-autocomplete"]), ("xplan show 'a b", []),
            ("xplan plan -diff=", ["-diff=smart", "-diff=compat"]), ("xplan plan -diff c", ["compat"]), ("xplan graph -type=plan-r", ["-type=plan-refresh-only"]),
            ("xplan apply ", []),
            ("xplan plan -out=", ["-out=m/", "-out=main.tf", "-out=terraform.tfstate", "-out=terraform.tfstate.d/"]), ("xplan plan -out ", []),
            ("xplan -chdir=", ["-chdir=m/", "-chdir=terraform.tfstate.d/"]), ("xplan -chdir=m plan -var-file=", ["-var-file=main.tf"]),
            ("xplan -chdir=m plan -var-file ma", ["main.tf"]), ("xplan -chdir=m taint terraform_data.", []), ("xplan -chdir=m/.. taint terraform_data.a", names[:1]),
            ("xplan plan -fail-on=de", ["-fail-on=deferred", "-fail-on=destroy"]), ("xplan plan -fail-on=replace,des", ["-fail-on=replace,destroy"]),
            ("xplan state show 'terraform_data.b[", names[1:]), ("xplan plan -replace='terraform_data.b[\"x y", ['-replace=terraform_data.b["x y"]']),
            ("xplan providers s", ["schema"]), ("xplan help sta", ["state"]), ("xplan help state m", ["move", "mv"]),
            ("xplan state show ", names), ("xplan state mv terraform_data.a ", []), ("xplan taint terraform_data.a", names[:1]), ("xplan output ", ["o"]),
            ("xplan workspace select o", ["other"]), ("xplan workspace new o", []), ("xplan state rm x ", names),
            ("xplan plan -replace=terraform_data.b", ["-replace=terraform_data.b", '-replace=terraform_data.b["x y"]']),
            ("xplan plan -target module", ["module.m", "module.m.terraform_data.in"])):
        equal("completing %r" % line, completed(line), expected)
    for line in "", "xplan ":
        equal("the first of all", completed(line)[:2], ["init", "validate"])
    # bash replaces what follows a "=", and takes words as they would be typed.
    for line, word, before, expected in (("xplan pla", "pla", "xplan", ["plan "]), ("xplan plan -diff=s", "s", "=", ["smart "]), ("xplan plan -out=x -revi", "-revi", "-out=x", ["-review-out="]),
                                         ("xplan taint terraform_data.b", "terraform_data.b", "taint", ['terraform_data.b[\\"x\\ y\\"] ']),
                                         ("xplan taint 'terraform_data.b[", "terraform_data.b[", "taint", ['terraform_data.b["x y"]']),
                                         ('xplan plan -replace="terraform_data.b[', "terraform_data.b[", "=", ['terraform_data.b[\\"x y\\"]'])):
        equal("bash, %r" % line, completed(line, "xplan", word, before, COMP_POINT=str(len(line))), expected)
    equal("up to the cursor", completed("xplan apply rest", COMP_POINT="9"), ["apply "])
    home = run.env["HOME"]
    contains("without a shell", run("-install-autocomplete", fails=True), "No shell found")
    start = os.path.join(home, ".bashrc")
    with open(start, "w") as f:
        f.write("alias ll='ls -l'")
    os.chmod(start, 0o600)
    run("-install-autocomplete")
    equal("lines", open(start).read(), "alias ll='ls -l'\ncomplete -o default -o nospace -C '%s' xplan\n" % os.path.realpath(run.xplan))
    equal("mode", os.stat(start).st_mode & 0o777, 0o600)
    contains("again", run("-install-autocomplete", fails=True), "already set up")
    p = subprocess.run(["bash", "--noprofile", "--rcfile", start, "-i", "-c", "complete -p xplan"],
                       env=run.env, capture_output=True, text=True, timeout=60)
    contains("bash knows", p.stdout, "-C '%s' xplan" % os.path.realpath(run.xplan))
    run("-uninstall-autocomplete")
    equal("what is left", open(start).read(), "alias ll='ls -l'\n")
    contains("and again", run("-uninstall-autocomplete", fails=True), "is not set up")


TYPED = (  # what is typed, and what it becomes in bash and in zsh
    ("xplan pla", "xplan plan ", "xplan plan "),
    ("xplan -chdir=sub plan -dest", "xplan -chdir=sub plan -destroy ", "xplan -chdir=sub plan -destroy "),
    ("xplan state show terraform_data.x", 'xplan state show terraform_data.x[\\"a\\ b\\"] ', 'xplan state show terraform_data.x\\[\\"a\\ b\\"\\] '),
    ("xplan state show 'terraform_data.x[", "xplan state show 'terraform_data.x[\"a b\"]'", "xplan state show 'terraform_data.x[\"a b\"]' "),
    ("xplan plan -target='terraform_data.x[", "xplan plan -target='terraform_data.x[\"a b\"]'", 'xplan plan -target=terraform_data.x\\[\\"a\\ b\\"\\] '),
    ("xplan plan -var-file=on", "xplan plan -var-file=one.tfvars", "xplan plan -var-file=one.tfvars "),
    ("xplan plan -fail-on=dest", "xplan plan -fail-on=destroy ", "xplan plan -fail-on=destroy "),
    ("xplan -chdir=su", "xplan -chdir=sub/", "xplan -chdir=sub/"),
    ("xplan -chdir=sub plan -var-file=t", "xplan -chdir=sub plan -var-file=two.tfvars ", "xplan -chdir=sub plan -var-file=two.tfvars "),
    ("xplan show on", "xplan show one.tfvars", "xplan show one.tfvars "))


def completed_in(run, shell, typed):
    """What the line becomes after a TAB, in a shell on a terminal that an account without other settings starts."""
    dump = os.path.join(run.env["HOME"], "line")
    whole = ">%(at)s.new && mv %(at)s.new %(at)s" % {"at": dump}  # never a part of a line
    tell = {"bash": "bind -x '\"\\C-x\\C-d\": printf %%s \"$READLINE_LINE\" %s'\nPS1='READY> '\n",
            "zsh": "_tell() { print -rn -- \"$BUFFER\" %s }\nzle -N _tell\nbindkey '^X^D' _tell\nPS1='READY> '\n"}[shell] % whole
    start = os.path.join(run.env["HOME"], {"bash": ".bashrc", "zsh": ".zshrc"}[shell])
    if "READY" not in open(start).read():
        with open(start, "a") as f:
            f.write(tell)
    args = {"bash": ["--noprofile", "--rcfile", start, "-i"], "zsh": ["-d", "-i"]}[shell]
    terminal = Terminal([shutil.which(shell), *args], run.work, {**run.env, "ZDOTDIR": run.env["HOME"], "TERM": "dumb", "PATH": os.environ["PATH"]})
    try:
        terminal.expect("READY> ").type(typed + "\t")
        line = typed
        for _ in range(200):  # it answers one key after the other
            terminal.type("\x18\x04").read(0.1)
            line = open(dump).read() if os.path.exists(dump) else ""
            if line not in ("", typed):
                break
        # What closes a quote or ends a word may come a moment later.
        terminal.read(0.5)
        os.remove(dump)
        terminal.type("\x18\x04")
        while not os.path.exists(dump) or not os.path.getsize(dump):  # the test ends in time
            terminal.read(0.05)
        return open(dump).read()
    finally:
        terminal.kill()
        if os.path.exists(dump):
            os.remove(dump)


FISH = (("xplan pla", ["plan"]), ("xplan -chdir=", ["-chdir=sub/"]), ("xplan -chdir=sub plan -dest", ["-destroy"]),
        ("xplan state show 'terraform_data.x[", ['terraform_data.x["a b"]']), ("xplan plan -target='terraform_data.x[", ['-target=terraform_data.x["a b"]']),
        ("xplan plan -var-file=on", ["-var-file=one.tfvars"]), ("xplan plan -fail-on=des", ["-fail-on=destroy"]))


def completion_in(shell):
    def case(run):
        """What the shell makes of what -install-autocomplete writes for it."""
        if not shutil.which(shell):
            return print("skipped: %s is not installed" % shell)
        for name in "sub/two.tfvars", "one.tfvars":
            os.makedirs(os.path.dirname(os.path.join(run.work, name)), exist_ok=True)
            open(os.path.join(run.work, name), "w").close()
        run.schema()
        run.config('resource "terraform_data" "x" { for_each = toset(["a b"]) }\n')
        run("init")
        run("apply", "-auto-approve")
        start = os.path.join(run.env["HOME"], {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}[shell])
        os.makedirs(os.path.dirname(start), exist_ok=True)
        open(start, "w").close()
        run("-install-autocomplete")
        path = os.path.dirname(run.xplan) + ":" + os.environ["PATH"]  # fish asks about programs that there are
        for row in TYPED if shell != "fish" else ():
            equal(row[0], completed_in(run, shell, row[0]), row[{"bash": 1, "zsh": 2}[shell]])
        for typed, offered in FISH if shell == "fish" else ():
            p = subprocess.run(["fish", "-c", "complete -C $TYPED"], cwd=run.work, env={**run.env, "PATH": path, "TYPED": typed},
                               capture_output=True, text=True, timeout=60)
            equal(typed, [line.split("\t")[0] for line in p.stdout.splitlines()], offered)
        run("-uninstall-autocomplete")
        equal("lines are left", "xplan" in open(start).read(), False)
    case.__name__ = "completion_in_" + shell
    return case


def command_lines(run):
    """A mistake in a command line looks like every other problem, and help fits a terminal of 80 columns."""
    run.schema()
    run.config("")
    run("init")
    for args in (["nope"], ["plan", "-nope"], ["plan", "-out"], ["plan", "x"], ["state", "nope"], ["state", "mv"], ["login", "a", "b"],
                 ["-chdir=missing", "plan"], ["workspace", "new"]):
        text = run(*args, fails=True)
        if not text.startswith("╷\n│ Error: ") or not text.endswith("\n╵\n"):
            raise Failed("%s: %s" % (args, text))
    if not run("plan", "-nope", "-no-color", fails=True).startswith("\nError: Unknown option\n\nThis command"):
        raise Failed("-no-color is not heard")
    commands = re.findall("^  ([a-z-]+) ", run("-help"), re.M)
    for group in ("state", "workspace"):
        commands += [group + " " + c for c in re.findall("^  ([a-z-]+) ", run(group, "-help"), re.M)]
    commands += ["providers " + c for c in ("lock", "mirror", "schema")]
    commands = [c for c in commands if not c.startswith("-")]
    if len(commands) < 30:
        raise Failed("commands are missing: %s" % commands)
    for command in commands:
        text = run(*command.split(), "-help")
        for line in text.splitlines():
            if len(line) > 80:
                raise Failed("%s -help is too wide: %s" % (command, line))
        if not command.startswith("help"):
            equal("help " + command, run("help", *command.split()), text)
    contains("help lists commands below", run("help", "providers"), "mirror Copy provider packages")
    contains("help lists variables", run("-help"), "TF_CLI_ARGS Options for every command")
    for args, near in ((["plna"], '"plan"'), (["state", "lsit"], '"list"'), (["workspace", "slect"], '"select"'), (["plan", "-otu=x"], "-out"),
                       (["-chidr=x", "plan"], "-chdir"), (["-jsno", "plan"], "-help"), (["apply", "-auto-aprpove"], "-auto-approve")):
        text = " ".join(run(*args, fails=True).replace("│", "").split())
        contains(" ".join(args), text, "Run \"" if near == "-help" else "Did you mean %s?" % near)
    for args, where in ((["plan", "-autoapprove"], '-auto-approve is an option of "xplan apply"'),
                        (["apply", "-out=x"], '-out is an option of "xplan plan"')):
        contains(" ".join(args), " ".join(run(*args, fails=True).replace("│", "").split()), where)
    for args in (["-chdir"], ["-chdir", "plan"], ["-chdir=", "plan"]):
        contains(" ".join(args), run(*args, fails=True), "requires a directory: -chdir=DIR")
    equal("help help", run("help", "help"), run("-help"))
    equal("the last line of help", run("-help").splitlines()[-1], 'Run "xplan help COMMAND" for details of a command.')
    for args in (["help", "plann"], ["plann"]):
        contains(" ".join(args), run(*args, fails=True), 'Did you mean "plan"?')
    contains("an option in the place of a command", run("state", "-no-color", "list", fails=True),
             "The name of a command is missing: xplan state COMMAND [options].")
    contains("help in a group", run("help", "state", "lst", fails=True), 'Did you mean "list"?')
    contains("a near option", run("plan", "-refrsh=false", fails=True), "Did you mean -refresh?")
    run.config('output "o" { value = 1 }\n')
    said = " ".join(run("plan", "-out=").replace("│", "").split())
    contains("no file to save to", said, "-out was given without a file name, so this plan is not saved. Write -out=FILE.")
    if "You did not use -out" in said:
        raise Failed("-out was used:\n" + said)
    run.config("")
    # Values of options, with one dash or two.
    for args, takes in ((["plan", "--parallelism=abc"], "whole number"), (["plan", "-parallelism=-3"], "non-negative"),
                        (["apply", "-parallelism=1.5"], "whole number"), (["import", "-lock-timeout=5", "a.b", "c"], "a duration"),
                        (["destroy", "-parallelism=99999999999999999999"], "at most 2147483647"),
                        (["plan", "-lock-timeout", "abc"], "a duration"), (["plan", "-lock-timeout=999999999999999999h"], "a duration"),
                        (["plan", "-refresh=maybe"], "true, false, minimal"), (["show", "-json=yes"], "true or false"),
                        (["init", "-lockfile=abc"], "readonly"), (["console", "-parallelism=x"], "whole number")):
        text = " ".join(run(*args, fails=True).replace("│", "").split())
        option = re.match("-+([a-z-]+)", next(a for a in args if a.startswith("-"))).group(1)
        contains(" ".join(args), text, "Error: Invalid option value")
        contains(" ".join(args), text, "the option -%s" % option)
        contains(" ".join(args), text, takes)
    for value in ("1", "t", "TRUE", "false", "0"):
        run("plan", "-refresh=" + value, "-parallelism", "3", "-lock-timeout=1m30s")


def pipes_and_devices(run):
    """Files that the user names may be pipes, and /dev/null; files that a configuration names are never waited for."""
    run.schema()
    run.config('variable "v" { default = "none" }\noutput "o" { value = var.v }\n')
    run("init")

    def shell(line, **env):
        p = subprocess.run(["bash", "-c", line], cwd=run.work, env={**run.env, "X": run.xplan, **env}, capture_output=True, text=True,
                           timeout=60)
        equal(line + "\n" + p.stdout + p.stderr, p.returncode, 0)
        return p.stdout

    contains("substitution", shell("$X plan -var-file=<(echo 'v=\"piped\"')"), '"piped"')
    contains("JSON", shell("$X plan -var-file=<(echo ' {\"v\":\"json\"}')"), '"json"')
    contains("standard input", shell("echo 'v=\"piped\"' | $X plan -var-file=/dev/stdin"), '"piped"')
    contains("a named pipe", shell("mkfifo p; (sleep 0.3; echo 'v=\"late\"' >p) & $X plan -var-file=p; rm p"), '"late"')
    equal("a last line without an end", shell("printf 'a=1' | $X fmt -"), "a = 1\n")
    contains("nothing", shell("$X plan -var-file=/dev/null"), '"none"')
    for closed in "apply", "console", "plan":  # a question is not asked of whatever is opened first
        shell("echo 'variable \"asked\" {}' >asked.tf; timeout 30 $X %s <&-; [ $? = %d ]; rm asked.tf" % (closed, closed != "console"))
    shell("timeout 30 $X apply <&-; [ $? = 1 ]")
    shell("$X plan -out=closed.bin <&- && $X show closed.bin | grep none")
    contains("a state of nothing", shell("$X plan -state=/dev/null"), '"none"')
    shell("$X plan -out=/dev/null; [ -c /dev/null ]")
    shell("$X apply -auto-approve")
    contains("show", shell("$X show <(cat terraform.tfstate)"), '"none"')
    shell("$X state push <(sed 's/\"serial\": 1/\"serial\": 7/' terraform.tfstate)")
    contains("state pull", shell("$X state pull"), '"serial": 7')
    contains("apply to nothing", run("apply", "-auto-approve", "-var=v=x", "-state=/dev/null", fails=True), "is a device")
    os.mkfifo(os.path.join(run.work, "p"))
    p = run.start("plan", "-var-file=p")
    time.sleep(0.5)
    contains("waiting for a pipe", interrupt(run, p), "was interrupted")
    run.config('output "o" { value = file("p") }\n')
    contains("file()", run("plan", fails=True), "p")


def output_without_readers(run):
    """Whoever stops reading hears no more of it; who cannot be printed to at all is told, where printing is all there is to do."""
    run.schema()
    run.config('resource "terraform_data" "a" {\n  count = 2000\n  input = "%s"\n}\noutput "list" { value = [1, 2] }\n' % ("x" * 100) +
               'output "object" { value = { a = 1 } }\n')
    run("init")

    def shell(line):
        p = subprocess.run(["bash", "-c", line], cwd=run.work, env={**run.env, "X": run.xplan}, capture_output=True, text=True, timeout=60)
        return p.stdout, " ".join(p.stderr.replace("│", "").split())

    equal("who reads only the beginning", shell("$X plan | head -1; echo ${PIPESTATUS[@]}"), ("\n141 0\n", ""))
    run("apply", "-auto-approve")
    for command in ("output -json", "output list", "state pull", "state list", "show", "version", "validate", "workspace list"):
        text, error = shell("$X %s >&-; echo $?" % command)
        equal("exit code of %s" % command, text, "1\n")
        contains(command, error, "Standard output cannot be written: it is closed.")
    equal("what changes something", shell("$X apply -auto-approve >&-; echo $?"), ("0\n", ""))
    contains("what is done", shell("$X apply -auto-approve -replace=terraform_data.a[0] >/dev/full; echo $? >&2")[1], "no space left on device",
             "all changes that the command made are saved, so it does not have to be run again. ╵ 1")
    contains("what is not", shell("$X plan >/dev/full")[1], "Fix the cause and run the command again.")
    for name, kind in (("list", "a tuple"), ("object", "an object")):
        contains("-raw of a value that is " + kind, " ".join(run("output", "-raw", name, fails=True).replace("│", "").split()),
                 "this output is %s." % kind)


def errors_in_json(run):
    """With -json every problem of a command that prints JSON lines is one of them, and nothing else is printed."""
    run.schema()
    good = 'resource "terraform_data" "a" { input = 1 }\n'
    run.config(good)
    run("init")
    run("apply", "-auto-approve")
    run("plan", "-destroy", "-out=good.bin")
    with open(os.path.join(run.work, "good.bin"), "rb") as f:
        plan = f.read()
    with open(os.path.join(run.work, "bad.bin"), "wb") as f:
        f.write(plan + b"more")
    run.config("locals {\n  a = \n}\n")
    p = subprocess.run([run.xplan, "validate", "-json"], cwd=run.work, env=run.env, capture_output=True, text=True, timeout=60)
    snippet = json.loads(p.stdout)["diagnostics"][0]["snippet"]
    equal("there is something to underline", (snippet["highlight_start_offset"], snippet["highlight_end_offset"]), (6, 7))
    held = None
    for situation in ("unknown option", "broken configuration", "locked state", "damaged plan", "nothing there"):
        run.config(good + ("resource {" if situation == "broken configuration" else ""))
        commands = {"unknown option": ["plan -nope", "apply -nope", "destroy -nope", "refresh -nope", "init -nope", "plan extra"],
                    "damaged plan": ["apply bad.bin"], "nothing there": ["apply none.bin"],
                    "broken configuration": ["plan", "apply -auto-approve", "destroy -auto-approve", "refresh", "init"],
                    "locked state": ["plan", "apply -auto-approve", "destroy -auto-approve", "refresh", "apply good.bin"]}[situation]
        if situation == "locked state":
            held = open(os.path.join(run.work, "terraform.tfstate"), "r+")
            fcntl.lockf(held, fcntl.LOCK_EX)
        for command in commands:
            p = subprocess.run([run.xplan, *command.split(), "-json"], cwd=run.work, env=run.env, capture_output=True, text=True, timeout=60)
            what = "%s -json, %s" % (command, situation)
            equal("exit code of " + what, p.returncode, 1)
            equal("standard error of " + what, p.stderr, "")
            lines = [json.loads(line) for line in p.stdout.splitlines()]
            if not any(l["type"] == "diagnostic" and l["@level"] == "error" for l in lines):
                raise Failed("%s: no diagnostic in %s" % (what, p.stdout))
        if held:
            held.close()
            held = None
    run.config("resource {")
    p = subprocess.run([run.xplan, "validate", "-json"], cwd=run.work, env=run.env, capture_output=True, text=True)
    equal("validate -json", (p.returncode, json.loads(p.stdout)["valid"], p.stderr), (1, False, ""))
    equal("output of one that there is not", run("output", "-json", "none", fails=True).count("Error: Output not found"), 1)


def plans_over_other_files(run):
    """A plan is not written over a state, a configuration or anything else that is not a plan, nor under their names."""
    run.schema()
    run.config('output "o" { value = 1 }\n')
    run("init")
    run("apply", "-auto-approve")
    with open(os.path.join(run.work, "notes"), "w") as f:
        f.write("not a plan\n")
    before = {name: open(os.path.join(run.work, name), "rb").read() for name in os.listdir(run.work)
              if os.path.isfile(os.path.join(run.work, name))}
    for name in ("terraform.tfstate", "main.tf", "notes", ".terraform.lock.hcl", "new.tf.json", "x.auto.tfvars", "other.tfstate",
                 "terraform.tfstate.journal", "./main.tf", "absent/plan.bin"):
        contains("-out=" + name, run("plan", "-out=" + name, fails=True), "Invalid plan file path")
    for name, content in before.items():
        with open(os.path.join(run.work, name), "rb") as f:
            equal(name, f.read(), content)
    open(os.path.join(run.work, "empty"), "w").close()
    for name in ("plan.bin", "plan.bin", "empty"):
        run("plan", "-out=" + name)


def explaining(run):
    """An address may be that of an instance, of all instances of a resource, or of a module."""
    run.schema()
    os.mkdir(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf"), "w") as f:
        f.write('resource "terraform_data" "in" {}\n')
    run.config('resource "terraform_data" "web" {\n  for_each = toset(["a b", "c"])\n}\nmodule "m" {\n  source = "./m"\n}\n')
    run("init")
    run("plan", "-out=p.bin")
    for address, named in (("terraform_data.web", ['web["a b"] will', 'web["c"] will']), ('terraform_data.web["c"]', ['web["c"] will']),
                           ("module.m", ["module.m.terraform_data.in will"])):
        text = run("explain", "p.bin", address)
        equal("changes below " + address, text.count(" will be created"), len(named))
        for name in named:
            contains(address, text, name)
        equal("JSON of " + address, len(run.json("explain", "-json", "p.bin", address)["changes"]), len(named))
    for address, near in (('terraform_data.wbe["a b"]', "'terraform_data.web[\"a b\"]'"), ("module.n", "")):
        text = " ".join(run("explain", "p.bin", address, fails=True).replace("│", "").split())
        contains(address, text, "The plan does not change %s." % address)
        contains(address, text, "Did you mean %s?" % near if near else "all changes. ╵")
    # What the last apply had is kept beside what init keeps, for its owner, without secrets; a damaged note is none.
    run.config('variable "v" { default = "one" }\nvariable "s" {\n  default   = "hush"\n  sensitive = true\n}\n'
               'locals { both = [var.v, var.s] }\nresource "terraform_data" "a" { input = local.both }\n')
    run("apply", "-auto-approve")
    note = os.path.join(run.work, ".terraform", "last_apply", "default.json")
    with open(note) as f:
        text = f.read()
    contains("the note", text, '"one"')
    equal("a secret in the note, and its mode", ["hush" in text, os.stat(note).st_mode & 0o777], [False, 0o600])
    for damage, says in (("", 'var.v "one" -> "two", set by the option -var (main.tf:6:1)'), ("{", 'var.v = "two", set by the option -var')):
        if damage:
            with open(note, "w") as f:
                f.write(damage)
        run("plan", "-var=v=two", "-out=p.bin")
        contains("a note with " + repr(damage), run("explain", "p.bin"), says)


def names_in_pipes(run):
    """Nothing in keys of maps and names of outputs acts on whatever shows the text later, in a pipe either."""
    run.schema()
    odd = '${jsondecode("\\"k\\\\u001b[31m\\\\u0007\\\\u0085\\\\u202ek\\"")}'
    run.config('variable "v" { default = "one" }\nresource "terraform_data" "a" {\n  input = { "%s" = var.v }\n}\n'
               'output "o" {\n  value = { "%s" = var.v }\n}\n' % (odd, odd))
    run("init")
    run("apply", "-auto-approve")
    path = os.path.join(run.work, "terraform.tfstate")
    with open(path) as f:
        state = json.load(f)
    state["outputs"]["x\x1b[31m\x07\u202ey"] = {"value": "gone", "type": "string"}
    with open(path, "w") as f:
        json.dump(state, f)
    run("plan", "-var=v=three", "-out=p.bin")
    run("plan", "-var=v=two", "-out=q.bin")
    for args, shows in ((["show"], r"x\u001b[31m\u0007\u202ey = "), (["output"], "gone"), (["explain", "q.bin"], r"output.x\u001b[31m"),
                        (["explain", "-all", "q.bin", "terraform_data.a"], r"input.k\u001b[31m\u0007\u0085\u202ek"), (["plan", "-var=v=two", "-explain"], "# why: "),
                        (["show", "-summary", "q.bin"], r"input.k\u001b[31m\u0007\u0085\u202ek"), (["diff", "p.bin", "q.bin"], r"k\u001b[31m"),
                        (["show", "q.bin"], "terraform_data.a")):
        text = run(*args)
        contains(" ".join(args), text, shows)
        equal(" ".join(args), re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), [])


def warnings_of_an_approved_apply(run):
    run.schema()
    run.config('variable "v" { default = 1 }\ncheck "c" {\n  assert {\n    condition = var.v == 2\n    error_message = "bad"\n  }\n}\n'
               'resource "terraform_data" "t" {}\n')
    run("init")
    equal("times", run("apply", "-auto-approve").count("Check block assertion failed"), 1)
    run.config('resource "terraform_data" "t" {}\n'
               'resource "terraform_data" "u" {}\n'
               'check "c" {\n  assert {\n    condition = terraform_data.u.id == "a"\n    error_message = "bad"\n  }\n}\n')
    contains("a plan", run("plan"), "Check block assertion known after apply")
    said = run("apply", "-auto-approve")
    equal("times", [said.count("Check block assertion " + how) for how in ("failed", "known")], [1, 0])


FILES = """
terraform {
  required_providers { fs = { source = "terraform.io/builtin/fs" } }
}
resource "fs_directory" "d" { path = "d" }
resource "fs_file" "f" {
  count   = 5000
  path    = "${fs_directory.d.path}/f${count.index}"
  content = count.index
}
"""


def files_of_a_killed_run(run):
    """A run that is killed leaves whole files and no others; what keeps a directory from being removed is named."""
    def config(text):
        with open(os.path.join(run.work, "main.tf"), "w") as f:
            f.write(text)

    run.schema()
    config(FILES)
    run("init")
    d = os.path.join(run.work, "d")
    run("plan", "-out=plan.bin")
    p = run.start("apply", "plan.bin")
    wait_until("files are written", lambda: os.path.isdir(d) and len(os.listdir(d)) > 50, 120.0)
    os.kill(p.pid, signal.SIGKILL)
    p.communicate()
    try:
        os.close(os.open(d, os.O_TMPFILE | os.O_WRONLY, 0o600))
        equal("other files", [name for name in os.listdir(d) if not re.fullmatch("f[0-9]+", name)], [])
    except OSError:
        pass  # there are no files without names here
    config(FILES.split('resource "fs_file"')[0])
    run("apply", "-auto-approve")
    for name in os.listdir(d):
        os.remove(os.path.join(d, name))
    for i in range(12):
        open(os.path.join(d, "left%02d" % i), "w").close()
    said = " ".join(run("destroy", "-auto-approve", fails=True).replace("│", " ").split())
    contains("ten of them", said, '"left00", "left01", ')
    contains("the others", said, '"left09" and 2 more.')


LONG = 'length([for i in range(%s) : [for j in range(%s) : [for k in range(14) : length(format("%%d %%d", j, k))]]])'


def evaluating(run):
    """An interrupt ends what is evaluated, however long that takes, and whatever evaluates it."""
    run.schema()
    run.config('variable "n" { default = 1000 }\n')
    run("init")
    module = os.path.join(run.work, "m")
    os.mkdir(module)
    with open(os.path.join(module, "main.tf"), "w") as f:
        f.write('variable "i" {}\nlocals {\n  a = [for i in range(1000) : i + var.i]\n}\n'
                'resource "terraform_data" "t" {\n  count = 10\n  input = length([for a in local.a : [for b in range(100) : a]])\n}\n')
    modules = 'module "m" {\n  source = "./m"\n  count = 3000\n  i = count.index\n}\n'
    head = 'variable "n" { default = 1000 }\n'
    for command, text in (("validate", 'output "o" { value = %s }\n' % LONG % (1000, 1000)),
                          ("plan", head + 'output "o" { value = %s }\n' % LONG % ("var.n", "var.n")),
                          ("plan", head + 'output "o" { value = can(%s) }\n' % LONG % ("var.n", "var.n")),
                          ("plan", head + 'resource "terraform_data" "t" {\n  count = 3000\n'
                           '  input = length([for a in range(var.n) : [for b in range(100) : count.index]])\n}\n'),
                          ("plan", head + modules), ("apply -auto-approve", 'resource "terraform_data" "t" {\n'
                                                     '  input = bcrypt("a", 31)\n}\n')):
        run.config(text)
        if "module" in text:
            run("get")
        p = run.start(*command.split())
        time.sleep(1.5)
        if p.poll() is not None:
            raise Failed("%s has ended before it could be interrupted:\n%s" % (command, p.communicate()[0]))
        contains(command + "\n" + text, interrupt(run, p), "Interrupt received", "was interrupted")
    equal("nothing is left running", [], run.alive())


def inside(folder):
    """Processes that are in the folder, whatever their program is."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/cwd" % pid).startswith(folder):
                found.append(int(pid))
        except OSError:
            pass
    return found


def killed_while_evaluating(run):
    """What calculates for a run ends with it, however that ends, and holds nothing of it."""
    run.schema()
    run.config('resource "terraform_data" "slow" {\n  input = bcrypt("a", 31)\n}\nresource "terraform_data" "other" {\n'
               '  provisioner "local-exec" {\n    command = "exec sleep 300"\n  }\n}\n')
    run("init")
    for signals in ((signal.SIGKILL,), (signal.SIGHUP,), (signal.SIGINT, signal.SIGINT)):
        p = run.start("apply", "-auto-approve")
        time.sleep(2.5)
        before = inside(run.work)
        if len(before) < 3:  # the program, what hashes, the command
            raise Failed("too little is running: %s" % before)
        for s in signals:
            p.send_signal(s)
            time.sleep(0.05)
        p.communicate(timeout=60)
        wait_until("nothing is left running", lambda: not inside(run.work))
        run("state", "list")
        run("apply", "-refresh-only", "-auto-approve", "-lock-timeout=0s")  # nobody holds the lock


def evaluating_in_the_console(run):
    """There it ends the line, and not the console."""
    run.schema()
    run.config("")
    run("init")
    t = Terminal([run.xplan, "console"], run.work, {**run.env, "TERM": "xterm"})
    for text in (LONG % (1000, 1000), 'bcrypt("a", 31)'):
        t.expect("> ").type(text + "\n")
        time.sleep(1)
        t.type("\x03").expect("Interrupt received").expect("Evaluation was interrupted", 10)
        t.expect("> ").type("40 + 2\n").expect("\n42")
    t.expect("> ").type("exit\n").end(0)
    p = subprocess.Popen([run.xplan, "console"], cwd=run.work, env=run.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    p.stdin.write('"loaded"\nbcrypt("a", 31)\n1 + 1\n')
    p.stdin.flush()
    equal("what comes first", p.stdout.readline(), '"loaded"\n')
    time.sleep(1)
    contains("from a pipe", interrupt(run, p), "Evaluation was interrupted")


def memory_of(p):
    with open("/proc/%d/status" % p.pid) as f:
        return int(re.search(r"VmSize:\s+(\d+) kB", f.read()).group(1)) * 1024


def memory_ends(run):
    """When no more memory is to be had, what is under way is finished, and the state saved."""
    run.schema()
    count = 30000
    run.config('resource "terraform_data" "first" {\n  provisioner "local-exec" {\n'
               '    command = "touch begun; while [ ! -e go ]; do sleep 0.1; done"\n  }\n}\n'
               'resource "terraform_data" "t" {\n  count = %d\n  input = [for i in range(20) : "${terraform_data.first.id} ${i}"]\n}\n' % count)
    run("plan", "-out=plan.bin")
    p = run.start("apply", "-concise", "plan.bin")
    wait_until("the first object is made", lambda: os.path.exists(os.path.join(run.work, "begun")), 100)
    size = memory_of(p)
    if size > 1 << 40:  # under a sanitizer, which takes as much as there are addresses
        p.kill()
        p.communicate()
        return
    resource_limits.prlimit(p.pid, resource_limits.RLIMIT_AS, (size, size))
    open(os.path.join(run.work, "go"), "w").close()
    text = p.communicate(timeout=200)[0]
    equal("exit code", p.returncode, 1)
    contains("what it says", text, "Out of memory")
    made = sum(len(r["instances"]) for r in run.state()["resources"])
    if not 1 <= made < count:  # the first one at least
        raise Failed("%d objects are in the state:\n%s" % (made, text[-2000:]))
    # Memory may have ended between the answer of a provider and its record.
    equal("a journal is left", os.path.exists(os.path.join(run.work, "terraform.tfstate.journal")), "outcome is unknown" in text)
    contains("the next apply", run("apply", "-auto-approve", "-concise"), "%d added, 0 changed, 0 destroyed" % (count + 1 - made))


def memory_that_does_not_suffice(run):
    """With hardly any memory a command says so and fails; it is never ended by a signal."""
    run.schema(resource_schemas={"mock_a": typed()})
    run.config('resource "terraform_data" "a" {}\n')
    run("init")
    for size in range(30, 90, 4):
        p = subprocess.run([run.xplan, "plan"], cwd=run.work, env=run.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                           preexec_fn=lambda: resource_limits.setrlimit(resource_limits.RLIMIT_AS, (size << 20, size << 20)))
        if p.returncode == 127 or "Sanitizer" in p.stderr:  # its libraries do not fit, or what a sanitizer needs
            continue
        if p.returncode not in (0, 1) or (p.returncode and "Error: " not in p.stderr) or "Internal error" in p.stderr:
            raise Failed("with %d MiB: %d\n%s" % (size, p.returncode, p.stderr))


CASES = (descriptors, without_standard_descriptors, grandchildren, command_of_killed_run, terminal, waiting_for_a_handshake, flooding, frozen,
         waiting_for_a_lock, telling_of_a_lock, migrating_a_locked_state, answers_of_servers, answering_init, advice, beside_a_run, telling_of_interrupts, bounded_input, piped_answers, unasked_approval, completion_of_modules, completion, completion_in("bash"), completion_in("fish"),
         completion_in("zsh"), command_lines,
         pipes_and_devices, output_without_readers, errors_in_json, plans_over_other_files, explaining, names_in_pipes, warnings_of_an_approved_apply, files_of_a_killed_run,
         evaluating, killed_while_evaluating, evaluating_in_the_console, memory_ends,
         memory_that_does_not_suffice)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
