#!/usr/bin/env python3
"""Programs that a run starts: what they get, when they end, and that an interrupt is heard whatever is waited for.

    processes.py --xplan BINARY [CASE...]

The mock provider lies beside the binary; a script around it stands for providers with programs of their own. The last line is
'N passed, M failed'.
"""
import argparse
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

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


def interrupt(run, p, seconds=5.0):
    """One SIGINT; the run has to end soon, with exit code 1."""
    start = time.time()
    p.send_signal(signal.SIGINT)
    try:
        text = p.communicate(timeout=20)[0]
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
            p.communicate(timeout=20)
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
    p.communicate(timeout=20)
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
        contains(" ".join(command), text, "the run was interrupted before it reported its address")
        wait_until("the provider is gone", lambda: ended(pid))
        equal("left behind", sorted(set(os.listdir(run.work)) - {"pid"}), sorted(set(before) - {"pid"}))


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
        text = p.communicate(timeout=20)[0]
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


def command_lines(run):
    """A mistake in a command line looks like every other problem, and help fits a terminal of 80 columns."""
    run.schema()
    run.config("")
    run("init")
    for args in (["nope"], ["plan", "-nope"], ["plan", "-out"], ["plan", "x"], ["state", "nope"], ["state", "mv"], ["fmt"],
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
    if len(commands) < 30:
        raise Failed("commands are missing: %s" % commands)
    for command in commands:
        for line in run(*command.split(), "-help").splitlines():
            if len(line) > 80:
                raise Failed("%s -help is too wide: %s" % (command, line))


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
    contains("standard input", shell("echo 'v=\"piped\"' | $X plan -var-file=/dev/stdin"), '"piped"')
    contains("a named pipe", shell("mkfifo p; (sleep 0.3; echo 'v=\"late\"' >p) & $X plan -var-file=p; rm p"), '"late"')
    contains("nothing", shell("$X plan -var-file=/dev/null"), '"none"')
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


def warnings_of_an_approved_apply(run):
    run.schema()
    run.config('variable "v" { default = 1 }\ncheck "c" {\n  assert {\n    condition = var.v == 2\n    error_message = "bad"\n  }\n}\n'
               'resource "terraform_data" "t" {}\n')
    run("init")
    equal("times", run("apply", "-auto-approve").count("Check block assertion failed"), 1)


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
        p.communicate(timeout=20)
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
    p.stdin.write('bcrypt("a", 31)\n1 + 1\n')
    p.stdin.flush()
    time.sleep(1)
    contains("from a pipe", interrupt(run, p), "Evaluation was interrupted")


CASES = (descriptors, without_standard_descriptors, grandchildren, command_of_killed_run, terminal, waiting_for_a_handshake,
         waiting_for_a_lock, telling_of_a_lock, migrating_a_locked_state, telling_of_interrupts, command_lines,
         pipes_and_devices, warnings_of_an_approved_apply,
         evaluating, killed_while_evaluating, evaluating_in_the_console)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--xplan", required=True)
    ap.add_argument("cases", nargs="*")
    opt = ap.parse_args()
    good = bad = 0
    for case in CASES:
        if opt.cases and case.__name__ not in opt.cases:
            continue
        with tempfile.TemporaryDirectory(prefix="processes-") as root:
            try:
                case(Run(os.path.abspath(opt.xplan), root))
                good += 1
            except (Failed, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as e:
                bad += 1
                print("%s: %s" % (case.__name__, e if isinstance(e, Failed) else repr(e)))
    print("%d passed, %d failed" % (good, bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
