#!/usr/bin/env python3
"""`xplan test` as a program: runs at once, interrupts, what is left behind, reports.

    testing.py --xplan BINARY [CASE...]

The last line is 'N passed, M failed'.
"""
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

from cases import run_cases
from provider_runs import Failed, contains, equal

# Each object writes its beginning and its end; `hold` keeps it from being finished until that file is there.
MAIN = """
variable "name" { default = "x" }
variable "hold" { default = "" }
resource "terraform_data" "first" {}
resource "terraform_data" "r" {
  input = [var.name, terraform_data.first.id]
  provisioner "local-exec" {
    command = <<-END
      echo begin ${var.name} >> log
      touch ${var.name}
      i=0
      while test -n "${var.hold}" && ! test -e "${var.hold}"; do
        i=$((i + 1)); test $i -lt 100 || exit 1
        sleep 0.1
      done
      echo end ${var.name} >> log
    END
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo destroy ${self.input[0]} >> log; test ${self.input[0]} != stays"
  }
}
resource "terraform_data" "last" { input = terraform_data.r.id }
output "name" { value = var.name }
"""


class Tests:
    def __init__(self, xplan, root):
        self.xplan, self.work = xplan, os.path.join(root, "work")
        os.makedirs(self.work)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
        self.env.update(HOME=root, NO_COLOR="1")
        self.write("main.tf", MAIN)

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.work, name)), exist_ok=True)
        with open(os.path.join(self.work, name), "w") as f:
            f.write(text)

    def log(self):
        """What has happened so far, which is forgotten."""
        path = os.path.join(self.work, "log")
        if not os.path.exists(path):
            return []
        with open(path) as f:
            lines = f.read().splitlines()
        os.remove(path)
        return lines

    def start(self, *args):
        return subprocess.Popen([self.xplan, "test", *args], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __call__(self, *args, code=0):
        p = self.start(*args)
        text = p.communicate(timeout=120)[0]
        equal("exit code of %s:\n%s" % (args, text), p.returncode, code)
        for name in ("terraform.tfstate", ".terraform.tfstate.lock.info"):
            if os.path.exists(os.path.join(self.work, name)):
                raise Failed("a test has written " + name)
        return text

    def wait_for(self, name):
        for _ in range(200):
            if os.path.exists(os.path.join(self.work, name)):
                return
            time.sleep(0.05)
        raise Failed("there is never a file " + name)

    def forget(self, *names):
        for name in names:
            os.remove(os.path.join(self.work, name))


def run_block(run_name, *lines, **variables):
    inside = "".join("    %s = %s\n" % (k, v if v.startswith("run.") else json.dumps(v)) for k, v in variables.items())
    return 'run "%s" {\n%s  variables {\n%s  }\n}\n' % (run_name, "".join("  %s\n" % line for line in lines), inside)


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def beside_each_other(run):
    """Two runs of which each ends only when the other one has begun."""
    run.write("a.tftest.hcl", "test {\n  parallel = true\n}\n" + run_block("a", 'state_key = "a"', name="a", hold="b") +
              run_block("b", 'state_key = "b"', name="b", hold="a"))
    contains("the tests", run(), 'run "a"... pass', 'run "b"... pass', "Success! 2 passed, 0 failed.")
    equal("what was destroyed, the last first", [line for line in run.log() if line.startswith("destroy")], ["destroy b", "destroy a"])
    run.forget("a", "b")
    p = run.start("-parallelism=1")
    run.wait_for("a")
    time.sleep(1)
    equal("with -parallelism=1 the other one is there", os.path.exists(os.path.join(run.work, "b")), False)
    run.write("b", "")
    equal("exit code:\n" + p.communicate(timeout=60)[0], p.returncode, 0)


def waiting_for_each_other(run):
    """Parallel runs wait for what they need: a state, outputs, runs that are not parallel. Failures of one do not end another."""
    run.write("a.tftest.hcl", run_block("one", "parallel = true", 'state_key = "s"', name="one") +
              run_block("two", "parallel = true", 'state_key = "s"', name="two") +
              run_block("three", "parallel = true", 'state_key = "t"', name="run.two.name") +
              run_block("four", name="four") +
              run_block("five", "parallel = true", 'state_key = "u"', "expect_failures = [output.none]", name="five") +
              run_block("six", "parallel = true", 'state_key = "v"', name="six"))
    text = run("-json", code=1)
    of = {m["@testrun"]: m["test_run"]["status"] for m in lines_of(text) if m["type"] == "test_run" and "status" in m["test_run"]}
    equal("results", of, {"one": "pass", "two": "pass", "three": "pass", "four": "pass", "five": "error", "six": "pass"})
    order = [(m["@testrun"], m["test_run"]["progress"]) for m in lines_of(text) if m["type"] == "test_run"]
    for before, after in (("one", "two"), ("two", "three"), ("three", "four"), ("four", "five"), ("four", "six")):
        if order.index((before, "complete")) > order.index((after, "starting")):
            raise Failed("%s does not wait for %s: %s" % (after, before, order))


def interrupted_once(run):
    """The run in progress is finished, the others are skipped, and what was created is destroyed; that is no success."""
    for stream in (False, True):
        run.write("a.tftest.hcl", run_block("slow", name="slow", hold="go") + run_block("later", name="later"))
        run.write("b.tftest.hcl", run_block("other", name="other"))
        p = run.start(*(["-json"] if stream else []))
        run.wait_for("slow")
        p.send_signal(signal.SIGINT)
        time.sleep(0.5)
        run.write("go", "")
        text = p.communicate(timeout=60)[0]
        equal("exit code:\n" + text, p.returncode, 1)
        equal("log", run.log(), ["begin slow", "end slow", "destroy slow"])
        if stream:
            summary = [m["test_summary"] for m in lines_of(text) if m["type"] == "test_summary"]
            equal("summary", summary, [{"status": "error", "passed": 1, "failed": 0, "errored": 0, "skipped": 2}])
        else:
            contains("the text", text, "Interrupt received. Finishing the run block in progress", 'run "slow"... pass',
                     'run "later"... skip', 'run "other"... skip', "Failure! 1 passed, 0 failed, 2 skipped.", "Error: Tests were interrupted",
                     "2 run blocks were not started")
        run.forget("slow", "go")


def interrupted_twice(run):
    """What exists is named, by the run that created it; what is being created, too."""
    run.write("child/main.tf", 'resource "terraform_data" "c" {}\n')
    run.write("a.tftest.hcl", 'run "child" {\n  module { source = "./child" }\n}\n' + run_block("slow", name="slow", hold="never"))
    for stream in (False, True):
        p = run.start(*(["-json"] if stream else []))
        run.wait_for("slow")
        time.sleep(0.3)
        p.send_signal(signal.SIGINT)
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        text = p.communicate(timeout=60)[0]
        equal("exit code:\n" + text, p.returncode, 1)
        run.forget("slow")
        if not stream:
            contains("the text", text, "Stopped.",
                     "left behind by a.tftest.hcl/child, and must be cleaned up manually: - terraform_data.c",
                     "left behind by a.tftest.hcl/slow, and must be cleaned up manually: - terraform_data.first - terraform_data.r")
            continue
        found = [m for m in lines_of(text) if m["type"] == "test_interrupt"]
        equal("messages", len(found), 1)
        equal("what it is about", found[0]["@testfile"], "a.tftest.hcl")
        equal("what is left", found[0]["test_interrupt"],
              {"state": [{"instance": "terraform_data.first"}, {"instance": "terraform_data.r"}],
               "states": {"child": [{"instance": "terraform_data.c"}]}, "planned": []})


def left_behind(run):
    """Objects that cannot be destroyed are named, and those they depend on; the others go."""
    run.write("a.tftest.hcl", run_block("stays", name="stays") + run_block("goes", 'state_key = "g"', name="goes"))
    text = run(code=1)
    contains("the text", text, 'run "stays"... pass', "error destroying resources created while executing a.tftest.hcl/stays",
             "a.tftest.hcl/stays, and they need to be cleaned up manually: - terraform_data.first - terraform_data.r",
             "a.tftest.hcl... fail", "Failure! 2 passed, 0 failed.")
    equal("log", run.log()[-2:], ["destroy goes", "destroy stays"])
    left = [m for m in lines_of(run("-json", code=1)) if m["type"] == "test_cleanup"]
    equal("what is left", [m["test_cleanup"] for m in left],
          [{"failed_resources": [{"instance": "terraform_data.first"}, {"instance": "terraform_data.r"}]}])


def telling_of_slow_runs(run):
    """Every two seconds the stream says that a run is still at work."""
    run.write("a.tftest.hcl", run_block("slow", name="slow", hold="go"))
    p = run.start("-json")
    run.wait_for("slow")
    time.sleep(4.5)
    run.write("go", "")
    text = p.communicate(timeout=60)[0]
    equal("exit code:\n" + text, p.returncode, 0)
    ticks = [m["test_run"] for m in lines_of(text) if m["type"] == "test_run" and m["test_run"]["progress"] == "running"]
    equal("ticks", [t["elapsed"] // 1000 for t in ticks], [2, 4])
    equal("tick", {k: v for k, v in ticks[0].items() if k != "elapsed"}, {"path": "a.tftest.hcl", "run": "slow", "progress": "running"})


def junit(run):
    """The report is well-formed whatever the messages are, and counts what the summary counts."""
    hard = "<a> & \\\"b\\\" ]]> \\u0007"
    failing = 'assert {\n    condition     = output.name == "y"\n    error_message = "%s"\n  }' % hard
    run.write("a.tftest.hcl", run_block("good", name="x") + run_block("bad", failing, failing, name="x") +
              run_block("broken", "expect_failures = [output.name]", name="x") + run_block("skipped", name="x"))
    run.write("tests/b.tftest.hcl", run_block("good", name="b"))
    text = run("-junit-xml=report.xml", code=1)
    contains("the text", text, "Failure! 2 passed, 2 failed, 1 skipped.")
    root = xml.parse(os.path.join(run.work, "report.xml")).getroot()
    equal("suites", [dict(s.attrib) for s in root],
          [{"name": "a.tftest.hcl", "tests": "4", "skipped": "1", "failures": "1", "errors": "1"},
           {"name": "tests/b.tftest.hcl", "tests": "1", "skipped": "0", "failures": "0", "errors": "0"}])
    cases = [c for s in root for c in s]
    equal("cases", [(c.get("name"), [e.tag for e in c]) for c in cases],
          [("good", []), ("bad", ["failure"]), ("broken", ["error"]), ("skipped", ["skipped"]), ("good", [])])
    contains("the failure", cases[1][0].get("message"), "2 of 2 assertions failed, including: <a> & \"b\" ]]>")
    for c in cases:
        equal("time of " + c.get("name"), c.get("time") is not None, c.get("name") != "skipped")
    contains("a report that cannot be written", run("-junit-xml=no/such/dir.xml", code=1), "is in a directory that does not exist")


def declared_variables(run):
    """Variables that a test file declares have a type and a default, and values as all others."""
    test = """
variable "size" {
  type    = number
  default = 2
}
variable "who" { type = object({ name = optional(string, "nobody") }) }
variables { who = {} }
%s
run "a" {
  variables { name = "${var.who.name}${var.size + 1}" }
  assert {
    condition     = output.name == "%s"
    error_message = "it is ${output.name}"
  }
}
"""
    run.write("a.tftest.hcl", test % ("", "nobody3"))
    run()
    run.write("a.tftest.hcl", test % ("", "nobody8"))
    run("-var=size=7")
    run.env["TF_VAR_size"] = "7"
    run()
    del run.env["TF_VAR_size"]
    contains("not of the type", run("-var=size=many", code=1), "size", "number")
    run.write("a.tftest.hcl", test % ('variable "size" {}\n', "x"))
    contains("twice", run(code=1), "a.tftest.hcl line 8", "is already declared at a.tftest.hcl:2:1")
    run.write("a.tftest.hcl", test % ('variable "b" {\n  validation {\n    condition     = var.b != null\n    error_message = "x"\n  }\n}\n', "x"))
    contains("validation", run(code=1), "a.tftest.hcl line 9", "is not validated")


def compared_values(run):
    """-json tells both sides of an assertion that compares."""
    run.write("a.tftest.hcl", run_block("a", 'assert {\n    condition     = output.name == 1\n    error_message = "x"\n  }',
                                        'assert {\n    condition     = (sensitive(output.name) != "x")\n    error_message = "y"\n  }',
                                        'assert {\n    condition     = contains([], output.name)\n    error_message = "z"\n  }', name="x"))
    found = [m["diagnostic"]["snippet"] for m in lines_of(run("-json", code=1)) if m.get("type") == "diagnostic"]
    equal("sides", [s.get("test_assertion_expr") for s in found],
          [{"lhs": '"x"', "rhs": "1", "warning": "The two sides have different types: a string and a number.", "show_verbose": False},
           {"lhs": "(sensitive value)", "rhs": '"x"', "warning": "", "show_verbose": False}, None])
    run.env["XPLAN_DIALECT"] = "terraform"
    equal("Terraform's dialect", "test_assertion_expr" in run("-json", code=1), False)


SEEN = """
variable "token" {
  default   = "t"
  ephemeral = true
}
resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "b" { count = 2 }
module "m" { source = "./m" }
output "both" { value = { id = terraform_data.a.id, name = "n" } }
"""


def what_assertions_see(run):
    """What is not known yet, or left out, is no value that a condition could be about."""
    run.write("main.tf", SEEN)
    run.write("m/main.tf", 'resource "terraform_data" "x" { input = "x" }\noutput "x" { value = terraform_data.x.output }\n')

    def check(condition, before="", code=0):
        run.write("a.tftest.hcl", 'run "a" {\n  %s\n  assert {\n    condition     = %s\n    error_message = "no"\n  }\n}\n' % (before, condition))
        return run("-filter=./a.tftest.hcl", code=code)

    contains("a known part", check('output.both.name == "n"', "command = plan"), "1 passed")
    contains("an unknown part", check('output.both.id != "x"', "command = plan", code=1), "Unknown condition value", "output.both.id is a string")
    only_a = "plan_options { target = [terraform_data.a] }"
    contains("left out", check("length(terraform_data.b) == 0", only_a, code=1), "Unknown condition value", "terraform_data.b")
    contains("taken in", check('terraform_data.a.output == "x"', only_a), "1 passed")
    contains("a module's output", check('module.m.x == "x"', "plan_options { target = [module.m] }"), "1 passed")
    contains("an ephemeral variable", check('var.token == "t"'), "1 passed")
    contains("not a condition", check("var.token", code=1), "Invalid condition result", "var.token has an ephemeral value")
    contains("nor this one", check("output.both.name", code=1), "Invalid condition result", 'output.both.name is "n"')


CASES = (beside_each_other, waiting_for_each_other, interrupted_once, interrupted_twice, left_behind, telling_of_slow_runs, junit, declared_variables,
         compared_values, what_assertions_see)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Tests))
