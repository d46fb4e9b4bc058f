#!/usr/bin/env python3
"""Documents of plans, as pipelines ask for them: all forms of one run, GitHub's workflow commands, what is refused.

    documents.py --xplan BINARY [CASE...]

Each case has a folder of its own. The last line is 'N passed, M failed'.
"""
import difflib
import json
import os
import re
import stat
import subprocess
import sys
import xml.etree.ElementTree

from cases import run_cases
from pseudo_terminal import Failed

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FORMS = ("json", "summary", "markdown", "sarif", "junit", "html", "graph")


class Run:
    def __init__(self, xplan, root):
        self.xplan, self.root, self.work = xplan, root, os.path.join(root, "repo", "infra")
        os.makedirs(self.work)
        os.makedirs(os.path.join(root, "repo", ".git"))
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_", "GITHUB_", "CI_", "XDG_"))}
        self.env.update(TF_CLI_CONFIG_FILE="/dev/null", HOME=root, NO_COLOR="1")

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w") as f:
            f.write(text)

    def read(self, name):
        with open(os.path.join(self.work, name), encoding="utf-8") as f:
            return f.read()

    def __call__(self, *args, code=0, **env):
        p = subprocess.run([self.xplan, *args], cwd=self.work, env={**self.env, **env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        check("%s exits with %d instead of %d" % (args, p.returncode, code), p.returncode == code, p.stdout)
        return p.stdout


def check(what, ok, seen=""):
    if not ok:
        raise Failed("%s: %s" % (what, seen))


def example(run, case="release"):
    for name in ("before", "after"):
        with open(os.path.join(ROOT, "testdata", "documents", case, name + ".tf"), encoding="utf-8") as f:
            run.write("main.tf", f.read())
        if name == "before":
            run("apply", "-auto-approve")


def all_forms(run):
    """One run writes every form; each is well-formed, and only the plan JSON has sensitive values."""
    example(run)
    outs = ["-out-%s=plan.%s" % (form, form) for form in FORMS]
    lines = lambda *args: re.sub(r".*Refreshing state.*\n", "", run("plan", *args))
    text, usual = lines("-out=plan.bin", *outs), lines("-out=other.bin").replace("other.bin", "plan.bin")
    check("the plan is shown as ever", text == usual, "\n".join(difflib.unified_diff(usual.split("\n"), text.split("\n"))))
    for form in FORMS:
        check("sensitive values in " + form, ("hunter" in run.read("plan." + form)) == (form == "json"))
    check("the plan JSON is private", stat.S_IMODE(os.stat(os.path.join(run.work, "plan.json")).st_mode) == 0o600)
    check("the plan JSON", run.read("plan.json") == run("show", "-json", "plan.bin"))
    for form in ("markdown", "sarif", "junit", "html", "graph"):
        printed = run("show", "-" + form, "plan.bin")
        check("show prints the same " + form, printed == run.read("plan." + form), printed)
    log = json.loads(run.read("plan.sarif"))
    results, rules = log["runs"][0]["results"], log["runs"][0]["tool"]["driver"]["rules"]
    check("rules", all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in results), results)
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    check("files from the root of the repository", uris == {"infra/main.tf"}, uris)
    prints = [r["partialFingerprints"]["xplanFinding/v1"] for r in results]
    check("fingerprints differ", len(set(prints)) == len(prints), prints)
    run("plan", "-fail-on=destroy", "-out-junit=guarded.xml", code=3)
    suites = xml.etree.ElementTree.parse(os.path.join(run.work, "guarded.xml")).getroot()
    failed = [c.get("name") for c in suites.iter("testcase") if c.find("failure") is not None]
    check("what is forbidden fails", len(failed) == 3 and any("queue" in f for f in failed), failed)
    check("counts", int(suites.get("failures")) == 3 and int(suites.get("tests")) == len(list(suites.iter("testcase"))))
    # Over older ones, also while a plan is applied.
    run("apply", "-out-summary=plan.summary", "-out-markdown=plan.markdown", "plan.bin")
    check("the plan that was applied", "1 destroyed, 1 replaced" in run.read("plan.summary"), run.read("plan.summary"))


def workflow(run):
    """-github: annotations in which nothing else can take part, and the step summary."""
    example(run, "hostile")
    summary = os.path.join(run.root, "summary.md")
    with open(summary, "w") as f:
        f.write("before\n")
    env = {"GITHUB_WORKSPACE": os.path.join(run.root, "repo"), "GITHUB_STEP_SUMMARY": summary}
    text = run("plan", "-github", "-fail-on=update", code=3, **env)
    stopped, commands = None, []
    for line in text.splitlines():
        line = line.lstrip()
        if stopped and line == "::%s::" % stopped:
            stopped = None
        elif not stopped and line.startswith("::stop-commands::"):
            stopped = line[len("::stop-commands::"):]
        elif not stopped:
            commands.append(line)
    check("commands are on again at the end", not stopped, text)
    commands = [c for c in commands if c.strip()]
    check("only annotations command", all(re.match(r"::(error|warning|notice) (file=infra/main.tf,line=\d+,endLine=\d+,)?title=[^:,]*::\S", c)
                                          for c in commands), commands)
    check("the update", any("terraform_data.a will be updated in place" in c and "line=4," in c for c in commands), commands)
    check("what -fail-on forbids", any("title=Plan is not permitted" in c for c in commands), commands)
    with open(summary, encoding="utf-8") as f:
        written = f.read()
    check("the step summary", written.startswith("before\n## Plan: 8 to add, 1 to change"), written)
    run.write("main.tf", "resource \"terraform_data\" \"a\" {\n  inputs = 1\n}\n")
    text = run("plan", "-github", "-out-markdown=failed.md", "-out-junit=failed.xml", "-out-json=failed.json", code=1, **env)
    check("documents of a plan that could not be made", run.read("failed.md").startswith("## Planning failed")
          and "<code>Unsupported argument</code> <code>main.tf&#58;2</code>" in run.read("failed.md"), run.read("failed.md"))
    xml.etree.ElementTree.parse(os.path.join(run.work, "failed.xml"))
    check("there is no plan JSON", not os.path.exists(os.path.join(run.work, "failed.json")))
    check("errors of the configuration", "\n::error file=infra/main.tf,line=2,endLine=2,title=Unsupported argument::" in text, text)


def refused(run):
    example(run)
    run("plan", "-out=plan.bin")
    rows = [(["plan", "-out-markdown=main.tf"], "is the name of a configuration file"),
            (["plan", "-out-markdown=terraform.tfstate"], "is the name of a state file"),
            (["plan", "-out-markdown=plan.bin"], "is a plan file"),
            (["plan", "-out-markdown=none/x"], "is in a directory that does not exist"),
            (["plan", "-out-markdown=x", "-out-sarif=x"], "is also given with another option"),
            (["plan", "-out=new.bin", "-out-markdown=new.bin"], "is also given with another option"),
            (["plan", "-out-markdown=x", "-max-bytes=10"], "must be at least 1000"),
            (["plan", "-out-markdown=x", "-max-bytes=0"], "must be at least 1000"),
            (["plan", "-github", "-json"], "-github and -json cannot be used together"),
            (["show", "-markdown", "-json", "plan.bin"], "-markdown and -json cannot be used together"),
            (["show", "-markdown", "-sarif", "plan.bin"], "-markdown and -sarif cannot be used together"),
            (["show", "-markdown"], "the current state is not a plan"),
            (["show", "-out-junit=x", "terraform.tfstate"], "is not a plan")]
    for args, says in rows:
        text = run(*args, code=1)
        check("%s says %r" % (args, says), says in " ".join(text.replace("│", " ").split()), text)
        check("one error", text.count("Error: ") == 1, text)
    check("nothing is written", not os.path.exists(os.path.join(run.work, "x")) and not os.path.exists(os.path.join(run.work, "new.bin")))
    for option in "-summary", "-explain":
        text = run("plan", option, "-json")
        check("%s with -json" % option, option + " has no effect with -json" in text, text)
    run("show", "-out-markdown=small.md", "-max-bytes=1000", "plan.bin")
    small = run.read("small.md")
    check("the limit", len(small.encode()) <= 1000 and "Shortened to 1,000 bytes" in small, small)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, [all_forms, workflow, refused], Run))
