#!/usr/bin/env python3
"""What people see and type at a terminal: every command runs on a pseudo terminal.

    terminal.py --xplan BINARY [CASE...]

Each case has a folder of its own. The last line is 'N passed, M failed'.
"""
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time

import provider_runs
from cases import run_cases
from pseudo_terminal import Failed, Terminal

CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH, UP = "\x03", "\x04", "\x1a", "\x1c", "\x1b[A"
# What must not reach a terminal as it is, in the notation of the configuration language. The colours are other ones than our own.
EVIL = r"\u001b[35mcolour\u001b]0;title\u0007 \u009b2Jcsi \rover \u0008\u007f \u202eright\u202c \u2066isolate\u2069 \u200e\u200f\u061c\u2028"
OWN_CODES = re.compile(r"\x1b\[(?:(?:0|1|4|3[1236]|90)m|\d+A|[JK])")
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")


class Run:
    def __init__(self, xplan, root):
        self.xplan, self.root, self.work = xplan, root, os.path.join(root, "work")
        os.makedirs(self.work)
        open(os.path.join(root, "rc"), "w").close()
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_", "XDG_")) and k != "NO_COLOR"}
        self.env.update(TF_CLI_CONFIG_FILE=os.path.join(root, "rc"), HOME=root, TERM="xterm", LC_ALL="C")

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w") as f:
            f.write(text)

    def start(self, *args):
        return Terminal([self.xplan, *args], self.work, self.env)

    def __call__(self, *args, code=0):
        return self.start(*args).end(code)

    def state(self):
        with open(os.path.join(self.work, "terraform.tfstate")) as f:
            return json.load(f)


def check(what, ok, seen=""):
    if not ok:
        raise Failed("%s: %s" % (what, seen))


# --- what others say

def harmless(what, text):
    m = HARMFUL.search(OWN_CODES.sub("", text))
    check("%s shows %r" % (what, m and m.group()), not m, repr(text[-2000:]))


def hostile(run):
    """Every command over values, names, files and messages that would take over the terminal."""
    name = "evil\u202e\x9b.tf"
    run.write(name, """variable "v" {
  description = "%(evil)s"
  default     = "%(evil)s"
  validation {
    condition     = length(var.v) > 1
    error_message = "Wrong: ${var.v}."
  }
}
resource "terraform_data" "a" {
  input = { text = var.v, lines = "first\\n${var.v}\\nlast" }
  provisioner "local-exec" {
    command = "printf 'raw \\\\033[35m \\\\302\\\\233 \\\\233 \\\\r over \\\\342\\\\200\\\\256 \\\\377\\\\n'"
  }
}
resource "terraform_data" "keyed" {
  for_each = toset([var.v])
  input    = each.key
}
output "o" { value = var.v }
check "c" {
  assert {
    condition     = var.v == ""
    error_message = "Still ${var.v}"
  }
}
""" % {"evil": EVIL})
    for args in (["init"], ["validate"], ["plan", "-out=p"], ["show", "p"], ["show", "-json", "p"], ["explain", "p"], ["apply", "p"],
                 ["plan", "-var=v=xy"], ["plan", "-json", "-var=v=xy"], ["show"], ["show", "-json"], ["output"], ["output", "o"],
                 ["output", "-raw", "o"], ["output", "-json"], ["state", "list"], ["state", "show", "terraform_data.a"], ["state", "pull"],
                 ["refresh"], ["providers"], ["modules"], ["version"], ["workspace", "list"], ["taint", "terraform_data.a"],
                 ["untaint", "terraform_data.a"], ["taint", "terraform_data.a"], ["apply", "-auto-approve"]):
        harmless(" ".join(args), run(*args))
    text = run("output", "-raw", "o")
    check("what is dropped is shown instead", "\\u001b[35mcolour" in text and "\\u202eright" in text and "\u2028" in text, repr(text))
    evil = json.loads('"%s"' % EVIL)
    for args in (["plan", "-var=v=%s" % evil[:1]], ["state", "show", "terraform_data." + evil], ["taint", evil], ["apply", evil],
                 ["plan", "-" + evil], ["workspace", "new", evil], ["import", evil, evil], [evil], ["-chdir=" + evil, "plan"],
                 ["force-unlock", evil], ["plan", "-target=" + evil], ["plan", "-var-file=" + evil]):
        harmless(" ".join(args), run(*args, code=127 if len(args) == 0 else 1))
    run.write("wrong\x1b[35m.tf", 'resource "x" "%s" {\n  y = "\x1b[35m \x1b]0;t\x07 \u202e" \x9b + $\n}\nmodule "m" {\n  source = "./%s"\n}\n' % (EVIL, EVIL))
    for args in (["init"], ["validate"], ["plan"], ["validate", "-json"]):
        harmless("wrong: " + " ".join(args), run(*args, code=1))
    os.remove(os.path.join(run.work, "wrong\x1b[35m.tf"))
    run.env["TF_LOG"] = "trace"
    harmless("log", run("plan"))
    del run.env["TF_LOG"]
    harmless("destroy", run("destroy", "-auto-approve"))


def long_messages(run):
    """What commands say fits the terminal."""
    run.write("main.tf", 'resource "terraform_data" "a" {}\n')
    run("apply", "-auto-approve")
    state = run.state()
    state["serial"] += 1
    state["outputs"] = {"o": {"value": 1, "type": "number"}}
    run.write("other", json.dumps(state))
    text = Terminal([run.xplan, "state", "push", "other"], run.work, run.env, columns=40).end(0)
    check("the message", "The state was written to" in text and max(len(line) for line in text.splitlines()) <= 40, repr(text))


def colours(run):
    run.write("main.tf", 'resource "terraform_data" "a" {}\n')
    text = run("plan")
    check("our own codes come through", "\x1b[32m+\x1b[0m" in text and "\xff" not in text, repr(text))
    check("not with -no-color", "\x1b" not in run("plan", "-no-color"))
    piped = lambda line: os.popen("cd %s && env TF_CLI_CONFIG_FILE=%s %s 2>&1" %
                                  (run.work, run.env["TF_CLI_CONFIG_FILE"], line % run.xplan)).read()
    check("nor in a pipe", "\x1b" not in piped("%s plan"))
    for force in ("FORCE_COLOR=1", "CLICOLOR_FORCE=1", "CLICOLOR=0 FORCE_COLOR=1"):
        for command, code in (("plan", "\x1b[32m+\x1b[0m"), ("nope", "\x1b[1m\x1b[31mError: ")):
            text = piped(force + " %s " + command)
            check(force + " is heard by " + command, code in text and "\xff" not in text, repr(text))
    for none in ("FORCE_COLOR=1 NO_COLOR=1 %s plan", "FORCE_COLOR=0 %s plan", "FORCE_COLOR=1 %s plan -no-color"):
        check(none, "\x1b" not in piped(none), piped(none))
    check("values stay values", "\x1b" not in piped("FORCE_COLOR=1 %s plan -json"))
    run.env["CLICOLOR"] = "0"
    check("CLICOLOR=0", "\x1b" not in run("plan"))
    run.env["FORCE_COLOR"] = "1"
    check("FORCE_COLOR comes first", "\x1b[32m" in run("plan"))
    del run.env["CLICOLOR"], run.env["FORCE_COLOR"]


def diffs(run):
    """Changes have their readable form on a terminal; elsewhere, and with -no-color, the one that tools expect, unless -diff says otherwise."""
    run.write("main.tf", 'variable "x" {}\nresource "terraform_data" "a" {\n  input = jsonencode({ one = var.x, two = 2 })\n}\n')
    run("apply", "-auto-approve", "-var=x=1")
    smart, compat = '\n          ~ one = "1" -> "2"', '\n              ~ one = "1" -> "2"'
    run.env["NO_COLOR"] = "1"
    plan = lambda *options: run("plan", "-var=x=2", "-out=p", *options)
    piped = lambda *options: subprocess.run([run.xplan, *options], cwd=run.work, env=run.env, stdout=subprocess.PIPE, text=True).stdout
    rows = [("a terminal", plan(), smart), ("-no-color", plan("-no-color"), compat), ("-diff=compat", plan("-diff=compat"), compat),
            ("-no-color and -diff", plan("-no-color", "-diff=smart"), smart), ("show", run("show", "p"), smart),
            ("a pipe", piped("plan", "-var=x=2"), compat), ("a pipe and -diff", piped("plan", "-var=x=2", "-diff=smart"), smart),
            ("show in a pipe", piped("show", "p"), compat), ("show in a pipe and -diff", piped("show", "-diff=smart", "p"), smart)]
    for what, text, expected in rows:
        check(what, expected in text.replace("\r\n", "\n"), text)
    check("another word", "is not a valid value for the option -diff" in run("plan", "-diff=short", code=1), "")


# --- questions

SECRET = 'variable "secret" {\n  sensitive = true\n}\nvariable "open" {}\nresource "terraform_data" "a" {\n  input = var.open\n}\n'


def hidden_typing(run):
    run.write("main.tf", SECRET)
    t = run.start("plan").expect("var.open").expect("Enter a value: ")
    check("what is typed is shown", t.echoes())
    t.type("shown\n").expect("var.secret").expect("Enter a value: ")
    check("nothing is echoed at a sensitive variable", not t.echoes())
    text = t.type("hunter2\n").end(0)
    check("what was typed is not shown", "hunter2" not in text and 'input  = "shown"' in text, text)
    # Both answers at once, as pasted: none is lost.
    check("pasted", 'input  = "both"' in run.start("plan").expect("Enter a value: ").type("both\nhunter3\n").end(0))
    for key, code in ((CTRL_C, 1), (CTRL_BACKSLASH, -signal.SIGQUIT)):
        t = run.start("plan", "-var=open=x").expect("Enter a value: ").type("hunt" + key)
        text = t.end(code)
        check("an interrupt", "hunt" not in text and ("Input interrupted" in text) == (code == 1), text)
    text = run.start("plan").expect("Enter a value: ").type(CTRL_D).end(1)
    check("what follows the end of the input has lines of its own", text.split("Enter a value: ")[1].startswith(("\n", "\r\n")), text)
    t = run.start("plan", "-var=open=x").expect("Enter a value: ")
    os.kill(t.pid, signal.SIGTERM)
    t.end(1)


def entered_values(run):
    run.write("main.tf", 'variable "n" {\n  type = number\n}\noutput "n" {\n  value = var.n\n}\n')
    text = run.start("plan").expect("Enter a value: ").type("\n").end(1)
    check("an empty line", "No value was entered for var.n, which must be a number." in " ".join(text.split()), text)
    # What a backend cannot do without.
    run.write("main.tf", 'terraform {\n  backend "s3" {\n    region = "us-east-1"\n  }\n}\n')
    t = run.start("init").expect("bucket\r\n  The S3 bucket").expect("Enter a value: ").type("\n")
    text = t.expect("key\r\n").expect("Enter a value: ").type(CTRL_D).end(1)
    check("nothing entered", 'The arguments "bucket" and "key" are required' in " ".join(text.split()), text)
    text = run.start("init").expect("Enter a value: ").type(CTRL_C).end(1)
    check("an interrupt", "Input interrupted" in text and "The backend is not set up" in text, text)
    for kind, name in (("kubernetes", "secret_suffix"), ("remote", "organization")):
        run.write("main.tf", 'terraform {\n  backend "%s" {}\n}\n' % kind)
        text = run.start("init").expect(name + "\r\n").expect("Enter a value: ").type(CTRL_D).end(1)
        check("nothing entered", 'argument "%s" is required' % name in " ".join(text.split()), text)
    run.write("main.tf", 'terraform {\n  backend "s3" {\n    region = "us-east-1"\n  }\n}\n')
    def piped(*args):
        p = subprocess.run([run.xplan, "init", *args], cwd=run.work, env=run.env, input="b\nk\n", capture_output=True, text=True, timeout=60)
        return p.stdout + p.stderr
    check("a pipe is not asked", "Enter a value" not in piped() and piped("-input=true", "-backend-config=region=x").count("Enter a value") == 2)
    for args in (["-input=false"], ["-backend-config=bucket=b", "-backend-config=key=/k"]):
        text = run.start("init", *args).end(1)
        check("nothing is asked", "Enter a value" not in text and "Invalid backend configuration" in text, text)


# A shell with one job: says when it is stopped, and continues it after a line of input.
SHELL = """import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
while os.WIFSTOPPED(status := os.waitpid(job, os.WUNTRACED)[1]):
    os.tcsetpgrp(0, os.getpgrp())
    print("[stopped]", flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, job)
    os.kill(job, signal.SIGCONT)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def stopped_at_a_question(run):
    """Ctrl-Z at a hidden question: the terminal is in order meanwhile, and nothing is shown afterwards either."""
    run.write("main.tf", SECRET)
    t = Terminal([sys.executable, "-c", SHELL, run.xplan, "plan", "-var=open=x"], run.work, run.env).expect("Enter a value: ")
    for _ in range(2):
        check("nothing is echoed", not t.echoes())
        t.type("hunt" + CTRL_Z).expect("[stopped]")
        check("what is typed is shown while it is stopped", t.echoes())
        t.type("fg\n").expect("fg")
        end = time.monotonic() + 20
        while t.echoes() and time.monotonic() < end:
            t.read(0.05)
    text = t.type("hunter2\n").end(0)
    check("what was typed is not shown", "hunt" not in text and "1 to add" in text, text)


def prose(text):
    """Without colours, boxes and line breaks."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m|[│╷╵]", " ", text).split())


def approval(run):
    run.write("main.tf", 'resource "terraform_data" "a" {}\n')
    text = run.start("apply").expect("Enter a value: ").type("ye" + CTRL_C).end(1)
    check("an interrupt at the question", "Nothing was changed." in prose(text) and "-auto-approve" not in text and "in progress" not in text and "Interrupt received" not in text, text)
    check("no state", not os.path.exists(os.path.join(run.work, "terraform.tfstate")))
    check("any other answer", "Apply cancelled." in run.start("apply").expect("Enter a value: ").type("y\n").end(1))
    check("the end of the input", "Apply cancelled." in run.start("apply").expect("Enter a value: ").type(CTRL_D).end(1))
    run.start("apply").expect("Enter a value: ").type("yes\n").expect("1 added").end(0)
    text = run.start("destroy").expect("Enter a value: ").type(CTRL_C).end(1)
    check("destroy", "Nothing was changed." in prose(text) and len(run.state()["resources"]) == 1, text)


# --- interrupts

def interrupts(run):
    run.write("main.tf", """resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "trap 'echo caught; exit 0' INT; echo begun; while :; do sleep 0.1; done"
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
""")
    text = run.start("apply", "-auto-approve").expect("begun").type(CTRL_C).end(1)
    check("the first interrupt", "Interrupt received" in text and "ending provisioners" in text and "caught" in text, text)
    check("a provisioner that was ended is not finished", "Creation complete" not in text and "interrupted" in text, text)
    states = {r["name"]: r["instances"][0].get("status") for r in run.state()["resources"]}
    check("the object is tainted", states == {"a": "tainted"}, states)
    run.write("main.tf", """resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "trap 'echo caught' INT; echo begun; while :; do sleep 0.1; done"
  }
}
""")
    t = run.start("apply", "-auto-approve").expect("begun").type(CTRL_C).expect("caught")
    start = time.monotonic()
    text = t.type(CTRL_C).end(1)
    check("the second interrupt ends at once", "Stopped. Finished operations are recorded" in text and time.monotonic() - start < 3, text)
    told = text[text.index("Interrupt received"):]
    check("no line is too long", max(len(line) for line in told.splitlines()) <= 80, told)
    check("the next run takes up what was recorded", "tainted" in run("plan"))


def interrupted_plan(run):
    mock = provider_runs.Run(run.xplan, os.path.join(run.root, "mock"))
    slow = {"plan": {"delay_ms": 100000, "deaf": True}}
    mock.schema(resource_schemas={"mock_a": provider_runs.typed(behaviour=slow)})
    mock.config(provider_runs.resource("a"))
    mock("init")
    t = Terminal([run.xplan, "plan"], mock.work, mock.env)
    mock.wait_for("plan")
    t.type(CTRL_C).expect("Interrupt received. Stopping")
    check("nothing is said of changes", "saved" not in t.text and "provisioners" not in t.text, t.text)
    check("the second one", "Stopped." in t.type(CTRL_C).end(1))
    # What was planned until then is not shown.
    mock.schema(resource_schemas={"mock_a": provider_runs.typed(behaviour={"plan": {"delay_ms": 100000}}), "mock_b": provider_runs.typed()})
    os.remove(mock.calls_file)
    mock.config('resource "terraform_data" "t" {\n  count = 500\n}\n' + provider_runs.resource("a"))
    t = Terminal([run.xplan, "plan"], mock.work, mock.env)
    mock.wait_for("plan")
    text = t.type(CTRL_C).end(1)
    check("no part of the plan", "will be created" not in text and text.count("Planning failed.") == 1 and "interrupted" in text, text)


# --- the console

def console(run):
    run.write("main.tf", 'variable "v" {\n  default = "x"\n}\n')
    t = run.start("console").expect("> ").type('length("日本")\n').expect("\n2").expect("> ")
    t.type('"größe é"\n').expect('\n"größe é"').expect("> ")
    t.type("1 + (2").expect("1 + (2").type(CTRL_C).expect("> ").type("1 + 5\n").expect("\n6").expect("> ")
    t.type("[1,\n").expect(": ").type(CTRL_C).expect("> ").type("7 * 6\n").expect("\n42").expect("> ")
    t.type(' "hunter" + "2"\n').expect("> ")
    t.type("var.v\n").expect('\n"x"').expect("> ").type(CTRL_D).end()
    path = os.path.join(run.root, ".local/state/xplan/console_history")
    check("nobody else can read the history", stat.S_IMODE(os.stat(path).st_mode) == 0o600, oct(os.stat(path).st_mode))
    check("nor its folder", stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700)
    lines = open(path).read().split("\n")
    check("what was typed is kept", lines == ['length("日本")', '"größe é"', "1 + 5", "[1,", "7 * 6", "var.v", ""], lines)
    t = run.start("console").expect("> ").type(UP + UP + "\n").expect("\n42").expect("> ").type("exit\n")
    t.end(0)
    run.start("console").expect("> ").type(CTRL_C).end(0)  # at an empty prompt it ends the console
    run.start("console").expect("> ").type("1 +").expect("1 +").type(CTRL_C).expect("> ").type(CTRL_C).end(0)
    run.env["XPLAN_CONSOLE_HISTORY"] = ""
    run.start("console").expect("> ").type("40 + 2\n").expect("\n42").expect("> ").type("exit\n").end(0)
    check("it can be switched off", "40 + 2" not in open(path).read())


# --- progress

def concise(run):
    run.write("main.tf", 'resource "terraform_data" "a" {\n  input = 1\n}\ndata "terraform_remote_state" "r" {\n  backend = "local"\n'
                         '  config  = { path = "x" }\n}\n')
    run.write("x", '{"version":4,"serial":1,"lineage":"a","outputs":{},"resources":[]}')
    for args in (["apply", "-auto-approve"], ["plan"], ["refresh"], ["destroy", "-auto-approve"]):
        whole, short = r"Creating\.\.\.|Refreshing state\.\.\.|Reading\.\.\.|Destroying\.\.\.|Read complete", r"(Creation|Destruction) complete"
        brief = run(*args, "-concise")
        check("-concise: " + " ".join(args), not re.search(whole, brief), brief)
        if "-auto-approve" in args:
            check("what was done: " + " ".join(args), re.search(short, brief), brief)
            run("apply" if args[0] == "destroy" else "destroy", "-auto-approve")
        text = run(*args)
        check("all of it: " + " ".join(args), re.search(whole, text), text)


# --- addresses that nothing has, objects that are given up

UNMATCHED = """resource "terraform_data" "web" {
  count = 2
}
resource "terraform_data" "single" {}
module "m" {
  source   = "./m"
  for_each = toset(["a"])
}
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "x" }
}
"""


def addresses(run):
    run.write("main.tf", UNMATCHED)
    run.write("x", '{"version":4,"serial":1,"lineage":"a","outputs":{},"resources":[]}')
    os.mkdir(os.path.join(run.work, "m"))
    run.write("m/main.tf", 'resource "terraform_data" "in" {}\n')
    run("init")
    none = []
    rows = [("target", "terraform_data.web", none), ("target", "terraform_data.web[1]", none), ("target", "module.m", none),
            ("target", 'module.m["a"]', none), ("target", 'module.m["a"].terraform_data.in', none),
            ("target", "data.terraform_remote_state.r", none), ("exclude", "terraform_data.web[0]", none),
            ("exclude", "module.m", none), ("replace", "terraform_data.single", none), ("replace", "terraform_data.web[1]", none),
            ("target", "terraform_data.wbe", ["Target not found", "Did you mean terraform_data.web?"]),
            ("target", "terraform_data.web[2]", ["Target not found", "Did you mean terraform_data.web["]),
            ("target", 'module.m["b"].terraform_data.in', ["Target not found", 'Did you mean module.m["a"].terraform_data.in?']),
            ("target", "module.n", ["Target not found", "Did you mean module.m?"]),
            ("exclude", "terraform_data.singel", ["Exclusion not found", "Did you mean terraform_data.single?"]),
            ("exclude", "terraform_data.web[2]", ["Exclusion not found", "Did you mean terraform_data.web["]),
            ("exclude", "module.m.terraform_data.typo", ["Exclusion not found"]),
            ("exclude", 'module.m["a"].terraform_data.typo', ["Exclusion not found"]),
            ("exclude", 'module.m["b"].terraform_data.in', ["Exclusion not found", 'Did you mean module.m["a"].terraform_data.in?']),
            ("exclude", 'module.m["b"]', ["Exclusion not found", 'Did you mean module.m["a"]?']),
            ("exclude", 'module.m["a"].terraform_data.in', none), ("exclude", 'module.m["a"]', none),
            ("exclude", "module.m.terraform_data.in", none),
            ("replace", "module.m.terraform_data.in", ["Instance to replace is ambiguous", "-replace='module.m[\"a\"].terraform_data.in'"]),
            ("replace", "terraform_data.singl", ["Instance to replace not found", "Did you mean terraform_data.single?"]),
            ("replace", "terraform_data.web[7]", ["Instance to replace not found", "terraform_data.web["]),
            ("replace", "terraform_data.web", ["Instance to replace is ambiguous", "-replace='terraform_data.web[0]'", "-replace='terraform_data.web[1]'"])]
    for applied in (False, True):
        if applied:
            run("apply", "-auto-approve")
        for option, address, says in rows:
            text = " ".join(run("plan", "-no-color", "-%s=%s" % (option, address)).split())
            said = [s for s in ("not found", "is ambiguous") if s in text]
            check("-%s=%s" % (option, address), all(s in text for s in says) and bool(said) == bool(says), text)
    for options in (["-target=module.m", "-replace=terraform_data.single"], ["-exclude=terraform_data.web", "-replace=terraform_data.web[1]"]):
        text = " ".join(run("plan", "-no-color", *options).split())
        check(" ".join(options), "Instance to replace not selected" in text and options[1] + " has no effect" in text, text)
    text = run("plan", "-no-color", "-target=terraform_data.single", "-replace=terraform_data.single")
    check("what is selected is replaced", "not selected" not in text and "as requested" in text, text)
    move = 'moved {\n  from = terraform_data.single\n  to   = terraform_data.new["a b"]\n}\n'
    run.write("main.tf", UNMATCHED.replace('"single" {}', '"new" {\n  for_each = toset(["a b"])\n}') + move)
    text = " ".join(run("plan", "-no-color", "-replace=terraform_data.single").split())
    check("what was moved", "was moved to terraform_data.new[\"a b\"]. Use -replace='terraform_data.new[\"a b\"]'." in text, text)
    run.write("main.tf", UNMATCHED + 'moved {\n  from = terraform_data.single\n  to   = terraform_data.other\n}\n'
                                     'resource "terraform_data" "other" {}\n')
    for _ in "no object at the new address", "one":
        text = run("plan", "-no-color", code=1)
        check("moved, but still declared", text.count("Error: ") == 1 and "Moved object still exists" in text and "Unresolved" not in text, text)
        run.write("other.tf", "")
        run.write("main.tf", UNMATCHED + 'resource "terraform_data" "other" {}\n')
        run("apply", "-auto-approve")
        run.write("main.tf", UNMATCHED + 'moved {\n  from = terraform_data.single\n  to   = terraform_data.other\n}\n'
                                         'resource "terraform_data" "other" {}\n')
    run.write("main.tf", UNMATCHED.replace('resource "terraform_data" "web" {\n  count = 2\n}',
                                           'removed {\n  from = terraform_data.web\n  lifecycle {\n    destroy = false\n  }\n}'))
    text = run("plan", "-no-color")
    check("what is given up", "Warning: Some objects will no longer be managed" in text and "  - terraform_data.web[1]" in text, text)


INSTANCES = """
resource "terraform_data" "a" { for_each = toset(["staging", "b", "c", "d", "e", "f", "g"]) }
resource "terraform_data" "n" { count = 3 }
resource "terraform_data" "none" { count = 0 }
module "m" {
  source   = "./m"
  for_each = toset(["prod", "test"])
}
module "c" {
  source = "./m"
  count  = 1
}
locals { k = "stagin" }
"""


def missing_instances(run):
    """An instance that is not there is reported as that, with those that are."""
    os.mkdir(os.path.join(run.work, "m"))
    run.write("m/main.tf", 'output "o" { value = 1 }\n')
    near = 'Its instances are "staging", "b", "c", "d", "e" and 2 more. Did you mean "staging"?'
    rows = [('terraform_data.a["stagin"].id', 'terraform_data.a has no instance "stagin". ' + near),
            ("terraform_data.a[local.k].id", 'terraform_data.a has no instance "stagin". ' + near),
            ("terraform_data.a[3]", 'terraform_data.a has no instance 3. Its instances are "b", "c", "d", "e", "f" and 2 more.'),
            ('[for k in ["zz"] : terraform_data.a[k]]', 'terraform_data.a has no instance "zz". Its instances are "b",'),
            ("terraform_data.a[sensitive(local.k)].id", 'terraform_data.a has no instance with this key. Its instances are "b",'),
            ("terraform_data.n[3].id", "terraform_data.n has no instance 3. Its instances are 0 to 2."),
            ('terraform_data.n["x"].id', 'terraform_data.n has no instance "x". Its instances are 0 to 2.'),
            ("terraform_data.n[length(local.k)].id", "terraform_data.n has no instance 6. Its instances are 0 to 2."),
            ("terraform_data.none[0].id", "terraform_data.none has no instances, so there is no instance 0."),
            ('module.m["prd"]', 'module.m has no instance "prd". Its instances are "prod" and "test". Did you mean "prod"?'),
            ('module.m["prd"].o', 'module.m has no instance "prd". Its instances are "prod" and "test". Did you mean "prod"?'),
            ("module.m[local.k].o", 'module.m has no instance "stagin". Its instances are "prod" and "test".'),
            ("module.c[1].o", "module.c has no instance 1. Its only instance is 0.")]
    run.write("main.tf", INSTANCES)
    run("init")
    for expression, says in rows:
        run.write("main.tf", INSTANCES + 'output "o" {\n  sensitive = true\n  value = %s\n}\n' % expression)
        text = " ".join(run("plan", "-no-color", code=1).split())
        check(expression, says in text and "Error: Invalid index" in text and " is an object" not in text and " is a tuple" not in text, text)


LONG = """terraform {
  required_providers {
    fs = { source = "terraform.io/builtin/fs" }
  }
}
variable "zone" { default = "a" }
resource "terraform_data" "network" { input = var.zone }
resource "terraform_data" "service" {
  count            = %(count)d
  input            = "service ${terraform_data.network.output} ${count.index}"
  triggers_replace = [terraform_data.network.output, var.zone]
}
output "o" { value = terraform_data.network.output }
"""


def widths(run):
    """What people read as sentences fits the terminal, and goes on below where it began."""
    run.write("main.tf", LONG % {"count": 2})
    run("apply", "-auto-approve")
    rows = [("No changes", LONG % {"count": 2}, ["plan"], []),
            ("reasons", LONG % {"count": 1}, ["plan", "-explain", "-var=zone=b", "-out=plan.bin"],
             ["  # (because index [1] is out of range for count)", "  # why: "]),
            ("explain", LONG % {"count": 1}, ["explain", "plan.bin"], ["     because "]),
            ("a cycle", "locals {\n" + "".join("  name_%d = local.name_%d\n" % (i, (i + 1) % 4) for i in range(4)) + "}\n", ["plan"],
             ["│   - local.name_0 (main.tf:2:3) depends on"])]
    for columns in (80, 50):
        for what, text, args, lines in rows:
            run.write("main.tf", text)
            t = Terminal([run.xplan, *args], run.work, {**run.env, "NO_COLOR": "1"}, columns)
            text = t.end()
            for line in text.splitlines():  # not of values and headers
                check("%s at %d columns" % (what, columns),
                      len(line) <= columns or "[id=" in line or re.match("      |.* (will|must) be ", line), line)
            for line in lines:
                check("%s at %d columns shows %r" % (what, columns, line), any(l.startswith(line[:columns - 12]) for l in text.splitlines()), text)
    check("a reason goes on below its first word", "\n  #      " in run_at(run, 50, "plan", "-explain", "-var=zone=b", LONG % {"count": 1}), "")


def run_at(run, columns, *args):
    run.write("main.tf", args[-1])
    return Terminal([run.xplan, *args[:-1]], run.work, {**run.env, "NO_COLOR": "1"}, columns).end()


CASES = [hostile, long_messages, colours, diffs, hidden_typing, entered_values, stopped_at_a_question, approval, interrupts, interrupted_plan, console, concise, addresses, missing_instances, widths]


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
