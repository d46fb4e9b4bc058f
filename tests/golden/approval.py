#!/usr/bin/env python3
"""Approving a plan: its effect digest, what another plan does otherwise, rebasing, guards, and what policies read.

    approval.py --xplan BINARY [CASE...]

The last line is 'N passed, M failed'.
"""
import json
import os
import re
import shutil
import subprocess
import sys

from cases import run_cases
from provider_runs import Run, contains, equal

BASE = """
variable "release" { default = "1.0" }
variable "password" {
  default   = "hunter2"
  sensitive = true
}
resource "terraform_data" "net" { input = { cidr = "10.0.0.0/8", note = "n" } }
resource "terraform_data" "app" { input = { release = var.release, cidr = terraform_data.net.input.cidr, password = var.password } }
resource "terraform_data" "db" { triggers_replace = var.release }
output "release" { value = var.release }
"""


def command(run, *args):
    """Exit code, standard output and standard error."""
    p = subprocess.run([run.xplan, *args], cwd=run.work, env=run.env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout, p.stderr


def plain(text):
    return " ".join(text.replace("│", " ").replace("╷", " ").replace("╵", " ").split())


def config(run, text):
    with open(os.path.join(run.work, "main.tf"), "w") as f:
        f.write(text)


def applied(run, text=BASE):
    config(run, text)
    run("init")
    run("apply", "-auto-approve")


def state(run):
    with open(os.path.join(run.work, "terraform.tfstate")) as f:
        return f.read()


def digests(run):
    """One digest from every command that tells it; nothing unasked in pipes."""
    applied(run)
    code, out, _ = command(run, "plan", "-var=release=1.1", "-out=p.bin", "-digest")
    equal("plan", code, 0)
    short, full = re.search(r"^Effect digest: ([0-9a-f]{12})\n +([0-9a-f]{64})\n", out, re.M).groups()
    equal("the short form", full[:12], short)
    equal("show -digest", command(run, "show", "-digest", "p.bin"), (0, full + "\n", ""))
    equal("the summary", json.loads(command(run, "show", "-summary", "-json", "p.bin")[1])["effect_digest"], full)
    contains("a re-plan", command(run, "plan", "-var=release=1.1", "-digest", "-parallelism=1")[1], full)
    contains("JSON lines", command(run, "plan", "-var=release=1.1", "-digest", "-json")[1], full)
    equal("unasked", "digest" in command(run, "plan", "-var=release=1.1")[1], False)
    equal("another release", full in command(run, "plan", "-var=release=1.2", "-digest")[1], False)
    equal("another password", full in command(run, "plan", "-var=release=1.1", "-var=password=x", "-digest")[1], False)
    elsewhere = os.path.join(run.work, "elsewhere")
    os.mkdir(elsewhere)
    for name in ("main.tf", "terraform.tfstate"):
        shutil.copy(os.path.join(run.work, name), elsewhere)
    p = subprocess.run([run.xplan, "plan", "-var=release=1.1", "-digest"], cwd=elsewhere, env=run.env, capture_output=True, text=True)
    contains("another directory", p.stdout, full)
    for args in (["show", "-digest"], ["show", "-digest", "-json", "p.bin"]):
        contains(" ".join(args), plain(command(run, *args)[2]), "Incompatible command line options")


def expectations(run):
    """What is expected is applied without a question; anything else is left alone, with the exit code 4."""
    applied(run)
    run("plan", "-var=release=1.1", "-out=p.bin")
    full = command(run, "show", "-digest", "p.bin")[1].strip()
    before = state(run)
    for args, said in (
            (["apply", "-var=release=1.2", "-expect=" + full], "has the digest"),
            (["apply", "-var=release=1.2", "-expect=p.bin"], "terraform_data.app"),
            (["apply", "-var=release=1.2", "-auto-approve", "-expect=" + full[:32]], "Nothing was changed."),
            (["apply", "-expect=" + full[:31] + "g" * 2], "takes a saved plan, or an effect digest"),
            (["apply", "-var=release=1.1", "-expect=" + full[:31]], "effect digest (32 to 64 hexadecimal digits"),
            (["apply", "-expect=nope.bin"], 'There is no file "nope.bin".'),
            (["apply", "-var=release=1.1", "-expect=p.bin", "-var=password=other"], "terraform_data.app"),
            (["apply", "-expect=" + "0" * 32, "p.bin"], "has the digest")):
        code, out, err = command(run, *args)
        equal(" ".join(args), code, 1 if "effect digest" in said or "no file" in said else 4)
        contains(" ".join(args), plain(out + err), said)
        equal("secrets", "hunter2" in out.partition("Comparison:")[2] + err, False)
        equal("the state", state(run), before)
    code, out, err = command(run, "apply", "-var=release=1.2", "-expect=p.bin")
    contains("the difference", plain(out), "release: approved \"1.0\" -> \"1.1\", current \"1.0\" -> \"1.2\"")
    equal("by its beginning", command(run, "apply", "-var=release=1.1", "-expect=" + full[:32].upper())[0], 0)
    contains("what it did", state(run), '"release": "1.1"')


def differences(run):
    """xplan diff: as text and as JSON, both ways, without secrets."""
    applied(run)
    run("plan", "-var=release=1.1", "-out=a.bin")
    run("plan", "-var=release=1.2", "-var=password=hunter3", "-out=b.bin")
    run("plan", "-var=release=1.1", "-out=c.bin")
    equal("the same", command(run, "diff", "-detailed-exitcode", "a.bin", "c.bin"), (0, "Comparison: both plans have the same effects.\n", ""))
    code, out, err = command(run, "diff", "-detailed-exitcode", "a.bin", "b.bin")
    equal("other effects", (code, err), (2, ""))
    for said in ("Comparison: 3 planned differently.", "-/+ terraform_data.db", "triggers_replace: older \"1.1\", newer \"1.2\"",
                 "~ terraform_data.app", "input.release: older \"1.0\" -> \"1.1\", newer \"1.0\" -> \"1.2\"", "output.release",
                 "What the newer plan sets, compared with the older plan:", "# terraform_data.app has changed"):
        contains("text", out, said)
    code, text, err = command(run, "diff", "-json", "a.bin", "b.bin")
    equal("secrets", "hunter" in out + text, False)
    document = json.loads(text)
    equal("version", (document["format_version"], document["same_effects"]), ("1.0", False))
    equal("digests", [document[which]["effect_digest"] for which in ("older", "newer")],
          [command(run, "show", "-digest", name)[1].strip() for name in ("a.bin", "b.bin")])
    by_name = {d.get("address", d.get("name")): d for d in document["differences"]}
    equal("which", sorted(by_name), ["release", "terraform_data.app", "terraform_data.db"])
    attributes = {a["path"]: a for a in by_name["terraform_data.app"]["attributes"]}
    equal("a value", attributes["input.release"]["newer"], {"before": "1.0", "after": "1.2"})
    equal("a secret", attributes["input.password"]["newer"]["after_sensitive"], True)
    equal("not a plan", command(run, "diff", "a.bin", "main.tf")[0], 1)


def rebasing(run):
    """A plan whose state has moved on elsewhere is applied with -rebase, and not where it has read what has changed."""
    applied(run)
    run("plan", "-var=release=1.1", "-out=p.bin")
    with open(os.path.join(run.work, "terraform.tfstate"), "rb") as f:
        start = f.read()
    other = BASE + 'resource "terraform_data" "more" {}\n'
    for text, code, said in ((other.replace('note = "n"', 'note = "m"'), 0, "Apply complete!"),
                             (other.replace("10.0.0.0/8", "11.0.0.0/8"), 4,
                              'terraform_data.net.input.cidr was "10.0.0.0/8" when the plan read it, and is now "11.0.0.0/8"')):
        with open(os.path.join(run.work, "terraform.tfstate"), "wb") as f:
            f.write(start)
        config(run, text)
        run("apply", "-auto-approve")
        before = state(run)
        got, out, err = command(run, "apply", "p.bin")
        equal("without -rebase", got, 1)
        contains("without -rebase", plain(out + err), "or use -rebase to apply this one if nothing that it reads or changes")
        equal("the state", state(run), before)
        got, out, err = command(run, "apply", "-rebase", "p.bin")
        contains("with -rebase", plain(out + err), said)
        equal("with -rebase", got, code)
        if code:
            equal("the state", state(run), before)
            continue
        resources = {r["name"]: r["instances"][0]["attributes"] for r in json.loads(state(run))["resources"]}
        equal("others' changes", (resources["net"]["input"]["value"]["note"], "more" in resources), ("m", True))
        equal("the plan's changes", resources["app"]["input"]["value"]["release"], "1.1")
    contains("without a file", plain(command(run, "apply", "-rebase")[2]), "The option -rebase requires a saved plan")


def rebasing_files(run):
    """What functions read of files when the plan was made must be the same when it is moved on."""
    def write(name, text):
        with open(os.path.join(run.work, name), "w") as f:
            f.write(text)

    os.makedirs(os.path.join(run.work, "more"))
    write("note.txt", "first"), write("more/a.txt", ""), write("digest.txt", "first"), write("template.txt", "${v}")
    own = """resource "terraform_data" "reader" {
  input = [file("note.txt"), fileexists("flag"), fileset("more", "*.txt"), filesha1("digest.txt"), templatefile("template.txt", {v = 1}), try(file("no"), 0)]
}
"""
    config(run, "")
    run("init")
    run("apply", "-auto-approve")
    config(run, own)
    run("plan", "-out=p.bin")
    config(run, 'resource "terraform_data" "more" {}\n')
    run("apply", "-auto-approve")
    before = state(run)
    for name, text, said in (("note.txt", "other", 'the file "note.txt" has changed since then'), ("flag", "", 'the file "flag" was created since then'),
                             ("more/b.txt", "", 'the files that match "more/*.txt" are not the same as before'),
                             ("digest.txt", "other", 'the file "digest.txt" has changed since then'),
                             ("template.txt", "${v}!", 'the file "template.txt" has changed since then'), ("no", "", 'the file "no" was created since then')):
        path = os.path.join(run.work, name)
        former = open(path).read() if os.path.exists(path) else None
        write(name, text)
        got, out, err = command(run, "apply", "-rebase", "p.bin")
        contains(name, plain(out + err), "What this plan reads or changes is no longer as it was when the plan was made: - " + said)
        equal(name, (got, state(run)), (4, before))
        if former is None:
            os.remove(path)
        else:
            write(name, former)
    equal("all as it was", command(run, "apply", "-rebase", "p.bin")[0], 0)


def configured_guards(run):
    """Guards of the CLI configuration file hold for plan and apply; options can allow addresses, and add to them."""
    applied(run)
    run("plan", "-var=release=1.1", "-out=p.bin")
    path = os.path.join(run.work, "cli.tfrc")
    rows = (
        ('fail_on = ["replace"]', [], 3, "The setting fail_on of the CLI configuration file (replace) forbids"),
        ('fail_on = ["replace>1"]', [], 0, "Plan: 1 to add"),
        ('fail_on = ["replace"]', ["-allow=terraform_data.db"], 0, "Plan: 1 to add"),
        ('fail_on = ["replace"]\n  allow = ["terraform_data.db"]', [], 0, "Plan: 1 to add"),
        ('fail_on = ["replace>1"]', ["-fail-on=update"], 3, "The option -fail-on (update) forbids"),
        ('fail_on = ["no-such"]', [], 1, "is not a valid kind. The kinds are create"),
        ('failon = ["replace"]', [], 1, "can only contain fail_on, allow and data_types"),
        ('fail_on = "replace"', [], 1, "must be a list of strings"),
    )
    for rules, options, code, said in rows:
        with open(path, "w") as f:
            f.write("review {\n  %s\n}\n" % rules)
        run.env["TF_CLI_CONFIG_FILE"] = path
        got, out, err = command(run, "plan", "-var=release=1.1", *options)
        contains(rules, plain(out + err), said)
        equal(rules, got, code)
    equal("what only shows", command(run, "show", "p.bin")[0], 0)
    with open(path, "w") as f:
        f.write('review {\n  fail_on = ["replace"]\n}\n')
    before = state(run)
    equal("a saved plan", command(run, "apply", "p.bin")[0], 3)
    equal("an apply", command(run, "apply", "-auto-approve", "-var=release=1.1")[0], 3)
    equal("the state", state(run), before)


def policies(run):
    """What the policy in README.md reads is there: the paths of its rules, in the JSON of a plan that they deny."""
    applied(run)
    run("plan", "-var=release=1.1", "-out=p.bin")
    plan = run.json("show", "-json", "p.bin")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")) as f:
        policy = re.search(r"```rego\n(.*?)```", f.read(), re.S).group(1)
    paths = {p for p in re.findall(r"(?:input|change)\.[a-z_.]+", policy)}
    equal("paths", paths, {"input.resource_changes", "change.type", "change.address", "change.change.actions"})
    for change in plan["resource_changes"]:
        equal("members", all(k in change for k in ("type", "address")) and isinstance(change["change"]["actions"], list), True)
    denied = [c["address"] for c in plan["resource_changes"] if "delete" in c["change"]["actions"]]
    equal("what the policy denies", denied, ["terraform_data.db"])


MODULE = """
%s
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = %s
  }
}
"""
CALL = 'module "m" {\n  source = "./m"\n%s}\n'
# What the root module and the module are, and what is approved and applied instead of it.
EVALUATED_LATER = {
    "default of a module's variable": (CALL % "", MODULE % ('variable "v" { default = "true" }', "var.v"), '"true"', '"touch other"'),
    "default of an optional attribute": (CALL % "  v = {}\n", MODULE % ('variable "v" { type = object({ c = optional(string, "true") }) }', "var.v.c"),
                                         '"true"', '"touch other"'),
    "default in the place of null": (CALL % "  v = null\n", MODULE % ('variable "v" {\n  default  = "true"\n  nullable = false\n}', "var.v"),
                                     '"true"', '"touch other"'),
    "type of a variable": (CALL % "  v = \"01\"\n", MODULE % ('variable "v" { type = string }', '"echo ${var.v}"'), "string", "number"),
    "unknown argument": ('resource "terraform_data" "b" {}\nresource "terraform_data" "p" { input = jsonencode({ id = terraform_data.b.id, may = "read" }) }\n',
                         "", '"read"', '"*"'),
    "unknown argument through a local": ('locals { all = ["read"] }\nresource "terraform_data" "b" {}\n'
                                         'resource "terraform_data" "p" { input = [terraform_data.b.id, local.all] }\n', "", '"read"', '"*"'),
    "unknown output": ('resource "terraform_data" "b" {}\noutput "o" { value = "${terraform_data.b.id}-x" }\n', "", "-x", "-y"),
}


def evaluated_later(run):
    """What only the apply evaluates counts with the text of what it is made of."""
    os.mkdir(os.path.join(run.work, "m"))
    for name, (root, module, approved, other) in EVALUATED_LATER.items():
        for text in (root, module):
            equal(name + ": the case", text.count(approved) in (0, 1), True)
        found = []
        for old, new in ((approved, approved), (approved, other)):
            config(run, root.replace(old, new))
            with open(os.path.join(run.work, "m", "main.tf"), "w") as f:
                f.write(module.replace(old, new))
            run("init")
            found.append(command(run, "plan", "-out=%d.bin" % len(found), "-digest")[1].split()[-1])
        equal(name, (len(found[0]), found[0] == found[1]), (64, False))
        equal(name + ": diff", command(run, "diff", "-detailed-exitcode", "0.bin", "1.bin")[0], 2)
        equal(name + ": expect", command(run, "apply", "-expect=0.bin", "1.bin")[0], 4)
    equal("nothing was made", os.path.exists(os.path.join(run.work, "terraform.tfstate")), False)


def rebasing_imports(run):
    """What an import block reads must be the same when the plan is moved on."""
    text = 'variable "id" { default = "orig" }\nresource "terraform_data" "b" { input = var.id }\n'
    late = text + 'resource "terraform_data" "i" {}\nimport {\n  to = terraform_data.i\n  id = terraform_data.b.output\n}\n'
    applied(run, text)
    config(run, late)
    run("plan", "-out=p.bin")
    config(run, text)
    run("apply", "-auto-approve", "-var=id=other")
    before = state(run)
    config(run, late)
    code, out, err = command(run, "apply", "-rebase", "p.bin")
    equal("exit code", code, 4)
    contains("why", plain(out + err), 'terraform_data.b.output was "orig" when the plan read it, and is now "other"')
    equal("the state", state(run), before)


CASES = [digests, expectations, differences, rebasing, rebasing_files, rebasing_imports, evaluated_later, configured_guards, policies]


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
