#!/usr/bin/env python3
"""Plans that defer what cannot be planned yet, from the first partial plan to the one with nothing left to do.

    deferral.py --xplan BINARY

Each case is a sequence of steps in one working directory; a step may replace the configuration, makes a plan, compares what it
does and what it defers, applies the saved plan, and compares which objects exist then. The last line is 'N passed, M failed'.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

COUNT = """
resource "terraform_data" "n" { input = %s }
resource "terraform_data" "many" {
  count = terraform_data.n.output
  input = "item ${count.index}"
  %s
}
resource "terraform_data" "reader" { input = terraform_data.many[*].id }
resource "terraform_data" "free" { input = "free" }
output "inputs" { value = terraform_data.many[*].input }
output "free" { value = terraform_data.free.input }
"""
EACH = """
resource "terraform_data" "names" { input = toset(%s) }
resource "terraform_data" "per" {
  for_each = terraform_data.names.output
  input    = each.key
}
"""
MODULE = """
resource "terraform_data" "n" { input = %s }
module "m" {
  source = "./m"
  count  = terraform_data.n.output
  name   = "m${count.index}"
}
resource "terraform_data" "last" { input = module.m[*].made }
output "made" { value = module.m[*].made }
check "named" {
  assert {
    condition     = length(module.m) < 10
    error_message = "too many"
  }
}
"""
INSIDE = """
variable "name" {
  type = string
  validation {
    condition     = var.name != ""
    error_message = "no name"
  }
}
resource "terraform_data" "a" { input = var.name }
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.input
}
module "deep" {
  source = "./deep"
  value  = var.name
}
output "made" { value = terraform_data.a.input }
"""
DEEP = """
variable "value" {}
resource "terraform_data" "d" { input = var.value }
"""
ENABLED = """
resource "terraform_data" "n" { input = %s }
resource "terraform_data" "maybe" {
  input = 1
  lifecycle { enabled = terraform_data.n.output }
}
module "m" {
  source = "./m"
  value  = 1
  lifecycle { enabled = terraform_data.n.output }
}
"""
CHAIN = """
resource "terraform_data" "n" { input = 1 }
resource "terraform_data" "first" {
  count = terraform_data.n.output
  input = 1
}
resource "terraform_data" "second" {
  count = length(terraform_data.first) > 0 ? terraform_data.first[0].output : 0
  input = "second"
}
resource "terraform_data" "third" { triggers_replace = [for s in terraform_data.second : s.id] }
"""
CREATE, UPDATE, DELETE, NOOP = "create", "update", "delete", "no-op"
UNKNOWN, PREREQ = "instance_count_unknown", "deferred_prereq"


def step(config=None, does=None, deferred=None, state=None, outputs=None, flags=("-allow-deferral",), text=(), applied_text=(),
         error=None):
    return locals()


AS_ONE = True
CASES = {
    "an unknown count": [
        step({"main.tf": COUNT % ("2", "")}, error="Invalid count argument", flags=()),
        step(does={"terraform_data.n": CREATE, "terraform_data.free": CREATE},
             deferred={"terraform_data.many[*]": (UNKNOWN, CREATE), "terraform_data.reader": (PREREQ, CREATE)},
             state=["terraform_data.free", "terraform_data.n"], outputs={"free": "free"},
             text=["# terraform_data.many[*] is deferred", "Plan: 2 to add, 0 to change, 0 to destroy."],
             applied_text=["Some changes were deferred"]),
        step(does={"terraform_data.many[0]": CREATE, "terraform_data.many[1]": CREATE, "terraform_data.reader": CREATE,
                   "terraform_data.n": NOOP, "terraform_data.free": NOOP}, deferred={},
             state=["terraform_data.free", "terraform_data.many[0]", "terraform_data.many[1]", "terraform_data.n",
                    "terraform_data.reader"],
             outputs={"free": "free", "inputs": ["item 0", "item 1"]}),
        step(does={a: NOOP for a in ("terraform_data.free", "terraform_data.many[0]", "terraform_data.many[1]",
                                     "terraform_data.n", "terraform_data.reader")}, deferred={}, flags=(),
             text=["No changes."]),
        # What exists is left alone while nobody knows how many there are to be.
        step({"main.tf": COUNT % ("1", "")}, does={"terraform_data.n": UPDATE, "terraform_data.free": NOOP},
             deferred={"terraform_data.many[*]": (UNKNOWN, CREATE), "terraform_data.reader": (PREREQ, UPDATE)},
             state=["terraform_data.free", "terraform_data.many[0]", "terraform_data.many[1]", "terraform_data.n",
                    "terraform_data.reader"],
             outputs={"free": "free", "inputs": ["item 0", "item 1"]}),
        step(does={"terraform_data.many[0]": NOOP, "terraform_data.many[1]": DELETE, "terraform_data.reader": UPDATE,
                   "terraform_data.n": NOOP, "terraform_data.free": NOOP}, deferred={}, flags=(),
             state=["terraform_data.free", "terraform_data.many[0]", "terraform_data.n", "terraform_data.reader"],
             outputs={"free": "free", "inputs": ["item 0"]}),
    ],
    "an orphan that something deferred still needs": [
        step({"main.tf": 'resource "terraform_data" "old" {}\n' + COUNT % ("1", "depends_on = [terraform_data.old]")},
             does={"terraform_data.n": CREATE, "terraform_data.free": CREATE, "terraform_data.old": CREATE},
             deferred={"terraform_data.many[*]": (UNKNOWN, CREATE), "terraform_data.reader": (PREREQ, CREATE)}),
        step(does=None, deferred={}),
        step({"main.tf": COUNT % ("2", "")}, does={"terraform_data.n": UPDATE, "terraform_data.free": NOOP},
             deferred={"terraform_data.many[*]": (UNKNOWN, CREATE), "terraform_data.old": (PREREQ, DELETE),
                       "terraform_data.reader": (PREREQ, UPDATE)},
             state=["terraform_data.free", "terraform_data.many[0]", "terraform_data.n", "terraform_data.old",
                    "terraform_data.reader"]),
        step(does={"terraform_data.n": NOOP, "terraform_data.free": NOOP, "terraform_data.many[0]": NOOP,
                   "terraform_data.many[1]": CREATE, "terraform_data.old": DELETE, "terraform_data.reader": UPDATE},
             deferred={}, flags=(),
             state=["terraform_data.free", "terraform_data.many[0]", "terraform_data.many[1]", "terraform_data.n",
                    "terraform_data.reader"]),
    ],
    "unknown keys": [
        step({"main.tf": EACH % '["x", "y"]'}, does={"terraform_data.names": CREATE},
             deferred={"terraform_data.per[*]": (UNKNOWN, CREATE)}, state=["terraform_data.names"]),
        step(does={"terraform_data.names": NOOP, 'terraform_data.per["x"]': CREATE, 'terraform_data.per["y"]': CREATE},
             deferred={}),
        step(does={"terraform_data.names": NOOP, 'terraform_data.per["x"]': NOOP, 'terraform_data.per["y"]': NOOP},
             deferred={}, flags=()),
    ],
    "an unknown enabled": [
        step({"main.tf": ENABLED % "true", "m/main.tf": DEEP}, error="Invalid enabled argument", flags=()),
        step(does={"terraform_data.n": CREATE}, state=["terraform_data.n"],
             deferred={"module.m[*].terraform_data.d": (UNKNOWN, CREATE), "terraform_data.maybe[*]": (UNKNOWN, CREATE)}),
        step(does={"terraform_data.n": NOOP, "terraform_data.maybe": CREATE, "module.m.terraform_data.d": CREATE}, deferred={}),
        # What exists stays while nobody knows whether it is to.
        step({"main.tf": ENABLED % "false"}, does={"terraform_data.n": UPDATE},
             deferred={"module.m[*].terraform_data.d": (UNKNOWN, CREATE), "terraform_data.maybe[*]": (UNKNOWN, CREATE)},
             state=["module.m.terraform_data.d", "terraform_data.maybe", "terraform_data.n"]),
        step(does={"terraform_data.n": NOOP, "terraform_data.maybe": DELETE, "module.m.terraform_data.d": DELETE}, deferred={}, flags=(),
             state=["terraform_data.n"]),
    ],
    "modules nobody can count yet": [
        step({"main.tf": MODULE % 1, "m/main.tf": INSIDE, "m/deep/main.tf": DEEP}, does={"terraform_data.n": CREATE},
             deferred={"module.m[*].terraform_data.a": (UNKNOWN, CREATE), "module.m[*].terraform_data.b[*]": (UNKNOWN, CREATE),
                       "module.m[*].module.deep.terraform_data.d": (UNKNOWN, CREATE), "terraform_data.last": (PREREQ, CREATE)},
             state=["terraform_data.n"], outputs={}),
        step(does={"terraform_data.n": NOOP, "module.m[0].terraform_data.a": CREATE, "module.m[0].terraform_data.b[0]": CREATE,
                   "module.m[0].terraform_data.b[1]": CREATE, "module.m[0].module.deep.terraform_data.d": CREATE,
                   "terraform_data.last": CREATE}, deferred={}, outputs={"made": ["m0"]}),
        step({"main.tf": MODULE % 0}, does={"terraform_data.n": UPDATE},
             deferred={"module.m[*].terraform_data.a": (UNKNOWN, CREATE), "module.m[*].terraform_data.b[*]": (UNKNOWN, CREATE),
                       "module.m[*].module.deep.terraform_data.d": (UNKNOWN, CREATE), "terraform_data.last": (PREREQ, UPDATE)},
             state=["module.m[0].module.deep.terraform_data.d", "module.m[0].terraform_data.a",
                    "module.m[0].terraform_data.b[0]", "module.m[0].terraform_data.b[1]", "terraform_data.last",
                    "terraform_data.n"], outputs={"made": ["m0"]}),
        step(does=None, deferred={}, state=["terraform_data.last", "terraform_data.n"], outputs={"made": []}, flags=()),
    ],
    "a chain that takes several plans": [
        step({"main.tf": CHAIN}, does={"terraform_data.n": CREATE},
             deferred={"terraform_data.first[*]": (UNKNOWN, CREATE), "terraform_data.second[*]": (UNKNOWN, CREATE),
                       "terraform_data.third": (PREREQ, CREATE)}),
        step(does={"terraform_data.n": NOOP, "terraform_data.first[0]": CREATE},
             deferred={"terraform_data.second[*]": (UNKNOWN, CREATE), "terraform_data.third": (PREREQ, CREATE)}),
        step(does={"terraform_data.n": NOOP, "terraform_data.first[0]": NOOP, "terraform_data.second[0]": CREATE,
                   "terraform_data.third": CREATE}, deferred={}),
        step(does={"terraform_data.n": NOOP, "terraform_data.first[0]": NOOP, "terraform_data.second[0]": NOOP,
                   "terraform_data.third": NOOP}, deferred={}, flags=(), text=["No changes."]),
        step(does={a: DELETE for a in ("terraform_data.n", "terraform_data.first[0]", "terraform_data.second[0]",
                                       "terraform_data.third")}, deferred={}, flags=("-destroy", "-allow-deferral"), state=[]),
    ],
}


class Case:
    def __init__(self, binary, work):
        self.binary, self.work, self.problems = binary, work, []
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
        self.env.update(TF_IN_AUTOMATION="1", NO_COLOR="1", HOME=work)

    def run(self, *args):
        p = subprocess.run([self.binary, *args], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        return p.returncode, p.stdout

    def equal(self, what, found, wanted):
        if wanted is not None and found != wanted:
            self.problems.append("%s:\n  found  %s\n  wanted %s" % (what, json.dumps(found), json.dumps(wanted)))

    def contains(self, what, text, parts):
        for part in parts:
            if part not in " ".join(text.split()) and part not in text:
                self.problems.append("%s has no %r:\n%s" % (what, part, text))

    def step(self, s):
        for name, content in (s["config"] or {}).items():
            path = os.path.join(self.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").write(content)
        if s["config"]:
            self.run("init")
        status, text = self.run("plan", "-out=p", *s["flags"])
        if s["error"]:
            self.equal("exit status of plan", status, 1)
            return self.contains("the plan's text", text, [s["error"]])
        self.equal("exit status of plan", status, 0)
        if status:
            return self.problems.append(text)
        self.contains("the plan's text", text, s["text"])
        _, stream = self.run("plan", "-json", *s["flags"])
        told = [json.loads(line) for line in stream.splitlines()]
        _, shown = self.run("show", "-json", "p")
        plan = json.loads(shown)

        def actions(c):
            return "/".join(c["change"]["actions"])
        deferred = plan.get("deferred_changes", [])
        self.equal("changes", {c["address"]: actions(c) for c in plan.get("resource_changes", [])},
                   s["does"] and dict(sorted(s["does"].items(), key=lambda i: i[0])))
        self.equal("deferred changes",
                   {d["resource_change"]["address"]: [d["reason"], actions(d["resource_change"])] for d in deferred},
                   {a: list(v) for a, v in s["deferred"].items()})
        self.equal("complete", plan["complete"], not deferred)
        self.equal("deferred changes in the stream",
                   {m["change"]["resource"]["addr"]: m["change"]["reason"] for m in told if m["type"] == "deferred_change"},
                   {a: v[0] for a, v in s["deferred"].items()})
        for d in deferred:
            c = d["resource_change"]
            self.equal("index_unknown of " + c["address"], c.get("index_unknown", False), "[*]" in c["address"])
        status, text = self.run("apply", "p")
        self.equal("exit status of apply", status, 0)
        if status:
            self.problems.append(text)
        self.contains("the apply's text", text, s["applied_text"])
        _, listed = self.run("state", "list")
        self.equal("objects", sorted(listed.split()), s["state"] and sorted(s["state"]))
        _, outputs = self.run("output", "-json")
        self.equal("outputs", {k: v["value"] for k, v in json.loads(outputs or "{}").items()}, s["outputs"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xplan", required=True)
    binary = os.path.abspath(parser.parse_args().xplan)
    failed = 0
    for about, steps in CASES.items():
        with tempfile.TemporaryDirectory() as work:
            case = Case(binary, work)
            for number, s in enumerate(steps, 1):
                before = len(case.problems)
                case.step(s)
                if len(case.problems) > before:
                    print("%s, step %d:" % (about, number))
                    print("\n".join(case.problems[before:]))
                    break
            failed += bool(case.problems)
    print("%d passed, %d failed" % (len(CASES) - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
