#!/usr/bin/env python3
"""Commands as OpenTofu has them: other names, results as messages and documents, what show shows; and the files that all commands read.

    commands.py --xplan BINARY [CASE...]

The mock provider lies beside the binary. The last line is 'N passed, M failed'.
"""
import json
import os
import subprocess
import sys
import zipfile

from cases import run_cases
from opentofu import Tofu
from provider_runs import HEAD, contains, equal

PLANS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../testdata/planfile")
CONFIG = """
resource "terraform_data" "a" {
  count = 2
  input = "x"
}
output "o" { value = "y" }
"""


def messages(text):
    out = [json.loads(line) for line in text.splitlines()]
    equal("first message", [out[0]["type"], out[0]["@module"]], ["version", "tofu.ui"])
    return out[1:]


def told(text):
    """Messages without a type, as most of these are."""
    return [m["@message"] for m in messages(text) if "type" not in m]


def names(run):
    run.write("main.tf", CONFIG)
    run("apply", "-auto-approve")
    equal("ls", run("state", "ls"), run("state", "list"))
    run("state", "move", "terraform_data.a[0]", "terraform_data.b")
    run("state", "remove", "terraform_data.a[1]")
    equal("left", run("state", "ls"), "terraform_data.b\n")
    contains("help", run("state", "-help"), "ls", "move", "remove")
    for dialect, code in (("opentofu", 127), ("terraform", 1), ("xplan", 1)):
        run.env["XPLAN_DIALECT"] = dialect
        for group in ("state", "workspace", "metadata"):
            p = run.start(group)
            contains(group, p.communicate(timeout=60)[0], "Commands:")
            equal("%s with %s" % (group, dialect), p.returncode, code)
        version = run.json("version", "-json")
        equal("version", "terraform_outdated" in version, dialect != "opentofu")
        equal("format of the version", version.get("format_version"), "1.0" if dialect == "xplan" else None)


def streams(run):
    """-json and -json-into of commands whose results people read."""
    run.write("main.tf", CONFIG)
    run("apply", "-auto-approve")
    both = lambda *args: (run(*args, "-json-into=messages"), open(os.path.join(run.work, "messages")).read())
    text, file = both("state", "list")
    equal("list", text, "terraform_data.a[0]\nterraform_data.a[1]\n")
    addresses = [["terraform_data.a[0]", "resource_address"], ["terraform_data.a[1]", "resource_address"]]
    for stream in (file, run("state", "list", "-json")):
        equal("list", [[m["@message"], m["type"]] for m in messages(stream)], addresses)
    equal("mv", told(run("state", "mv", "-json", "terraform_data.a[0]", "terraform_data.b")),
          ['Move "terraform_data.a[0]" to "terraform_data.b"', "Successfully moved 1 object(s)."])
    equal("taint", told(run("taint", "-json", "terraform_data.b")), ["Resource instance terraform_data.b has been marked as tainted."])
    text, file = both("untaint", "terraform_data.b")
    equal("untaint", [text], [m + "\n" for m in told(file)])
    equal("rm", told(run("state", "rm", "-json", "terraform_data.b")),
          ["Removed terraform_data.b", "Successfully removed 1 resource instance(s)."])
    run.write("old.tfstate", json.dumps({**run.state(), "serial": 99}))
    contains("push", told(run("state", "push", "-json", "old.tfstate"))[0], "(serial 99)")
    equal("nothing new is pushed", run("state", "push", "old.tfstate"), "")
    replace = ["state", "replace-provider", "-json", "terraform.io/builtin/terraform", "acme/other"]
    found = messages(run(*replace, fails=True))
    equal("replace-provider", [found[0][k] for k in ("type", "from", "to", "resources")],
          ["replace_provider", "terraform.io/builtin/terraform", "registry.terraform.io/acme/other", ["terraform_data.a"]])
    contains("unasked", found[-1]["diagnostic"]["detail"], "With -json, nobody can be asked", "-auto-approve")
    equal("not replaced", run.state()["serial"], 99)
    contains("replaced", told(run(*replace, "-auto-approve"))[-1], "1 resource")
    contains("unlock", messages(run("force-unlock", "-json", "-force", "x", fails=True))[-1]["diagnostic"]["summary"], "unlock")
    contains("an error", messages(run("state", "rm", "-json", "terraform_data.none", fails=True))[-1]["@message"], "Error: ")
    contains("misuse", messages(run("state", "rm", "-json", fails=True))[-1]["@message"], "Error: Missing argument")
    contains("logout", told(run("logout", "-json", "example.com"))[0], "example.com")
    # Workspaces.
    contains("new", told(run("workspace", "new", "-json", "w"))[0], 'Created and switched to workspace "w"')
    found = messages(run("workspace", "list", "-json"))
    equal("list", [found[0][k] for k in ("type", "workspaces", "current_workspace")], ["workspace_list", ["default", "w"], "w"])
    equal("show", told(run("workspace", "show", "-json")), ["w"])
    equal("select", told(run("workspace", "select", "-json", "default")), ['Switched to workspace "default".'])
    text, file = both("workspace", "delete", "w")
    equal("delete", [text], [m + "\n" for m in told(file)])
    # Installation.
    os.remove(os.path.join(run.work, "terraform.tfstate"))
    run.write("m/main.tf", "")
    run.write("main.tf", HEAD + 'module "m" { source = "./m" }\n')
    equal("get", told(run("get", "-json")), ["m in m"])
    equal("lock", ["Fetching" in told(run("providers", "lock", "-json", "-fs-mirror=../mirror"))[0], run("providers", "lock", "-fs-mirror=../mirror")[:10]],
          [True, "- Fetching"])
    p = run.start("providers", "mirror", "-json", "copies")  # this one is not an archive
    found = messages(p.communicate(timeout=60)[0])
    contains("mirror", found[0]["@message"], "Mirroring")
    equal("mirror", found[-1]["type"], "diagnostic")


def imports(run):
    run.schema(resource_schemas={"mock_a": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": True}}}}})
    os.remove(os.path.join(run.work, ".terraform.lock.hcl"))
    run.write("main.tf", HEAD + 'resource "mock_a" "x" {}\n')
    found = messages(run("import", "-json", "-show-sensitive", "mock_a.x", "i-1"))
    equal("types", [m.get("type") for m in found], [None, "refresh_start", "refresh_complete", None])
    contains("begin", found[0]["@message"], 'Importing from ID "i-1"')
    contains("end", found[-1]["@message"], "Import successful!")
    equal("state", run("state", "list"), "mock_a.x\n")


def documents(run):
    """-json-into of commands that have a document for -json."""
    run.write("main.tf", CONFIG)
    run("apply", "-auto-approve")
    run("plan", "-out=plan.bin")
    run.write("tests/a.tftest.hcl", 'run "r" {\n  assert {\n    condition     = output.o == "y"\n    error_message = "no"\n  }\n}\n')
    file = lambda: open(os.path.join(run.work, "doc")).read()
    for command in (["show"], ["show", "plan.bin"], ["output"], ["output", "o"], ["version"], ["validate"], ["modules"]):
        shown = run(*command)
        equal(command[0], run(*command, "-json-into=doc"), shown)
        document, printed = json.loads(file()), run.json(*command, "-json")
        if command != ["show", "plan.bin"]:
            equal(" ".join(command), document, printed)
        else:
            equal("plan", document["resource_changes"], printed["resource_changes"])
    for command in (["metadata", "functions"], ["providers", "schema"]):
        equal(command[0], run(*command, "-json-into=doc"), "")
        equal(" ".join(command), json.loads(file()), run.json(*command, "-json"))
    contains("both", run("show", "-json", "-json-into=doc", fails=True), "cannot be used together")
    for command in ("plan",), ("apply", "-auto-approve"), ("validate",):
        contains("no room for %s" % command[0], run(*command, "-json-into=/dev/full", fails=True), "could not be written")
    contains("test", run("test", "-json-into=doc"), "1 passed")
    found = messages(file())
    equal("test", [m["type"] for m in found], ["test_abstract", "test_run", "test_file", "test_summary"])
    equal("forms", [found[1]["test_run"], found[2]["test_file"]],
          [{"path": "tests/a.tftest.hcl", "run": "r", "status": "pass"}, {"path": "tests/a.tftest.hcl", "status": "pass"}])
    run.write("tests/a.tftest.hcl", 'run "r" {\n  assert {\n    condition     = output.o == "z"\n    error_message = "no"\n  }\n}\n')
    run("test", "-json-into=doc", fails=True)
    equal("diagnostics", [m["type"] for m in messages(file())].count("diagnostic"), 1)
    run.env["XPLAN_DIALECT"] = "terraform"
    text = run("state", "show", "-json", "terraform_data.a[1]")
    run.env["XPLAN_DIALECT"] = "opentofu"
    alone = json.loads(text)
    equal("state show", [r["address"] for r in alone["values"]["root_module"]["resources"]], ["terraform_data.a[1]"])
    lines = run("state", "show", "-json", "terraform_data.a[1]").splitlines()
    equal("state show of OpenTofu", [json.loads(lines[0])["type"], json.loads(lines[1])], ["version", alone])
    contains("state show", run("state", "show", "-json-into=doc", "terraform_data.a[1]"), "terraform_data.a[1]")
    equal("state show", file().splitlines()[1], lines[1])


def subjects(run):
    """What show shows: -state, -plan, -config, -module."""
    run.write("m/main.tf", 'variable "v" { default = 1 }\nresource "terraform_data" "b" { input = var.v }\n'
                           'module "n" {\n  source  = "example.com/a/b/c"\n  version = "~> 1.0"\n}\noutput "o" { value = 1 }\n')
    run.write("main.tf", CONFIG)
    run("apply", "-auto-approve")
    plan = run.plan()
    equal("state", run("show", "-state"), run("show"))
    equal("plan", run("show", "-plan=plan.bin"), run("show", "plan.bin"))
    equal("plan", run.json("show", "-json", "-plan=plan.bin")["resource_changes"], plan["resource_changes"])
    equal("config", run.json("show", "-config", "-json"), plan["configuration"])
    module = run.json("show", "-module=m", "-json")["root_module"]
    equal("module", module, {
        "outputs": {"o": {}},
        "resources": [{"address": "terraform_data.b", "mode": "managed", "type": "terraform_data", "name": "b", "provider_config_key": "terraform"}],
        "module_calls": {"n": {"source": "example.com/a/b/c", "version_constraint": "~> 1.0"}},
        "variables": {"v": {"default": 1}}})
    for args, part in ((["-config"], "only as JSON"), (["-module=m"], "only as JSON"), (["-state", "-plan=plan.bin"], "cannot be used together"),
                       (["-state", "plan.bin"], "one too many"), (["-module=none", "-json"], 'There is no directory "none"'),
                       (["-plan=main.tf"], "is not a plan file"), (["-module=.terraform", "-json"], "")):
        contains(" ".join(args), run("show", *args, fails=True), part)


def scopes(run):
    """console -scope and graph -format."""
    run.write("m/main.tf", 'variable "v" {}\nresource "terraform_data" "b" { input = var.v }\n')
    run.write("main.tf", 'module "m" {\n  source = "./m"\n  for_each = toset(["x", "y"])\n  v = each.key\n}\n'
                         'resource "terraform_data" "a" { input = module.m }\n')
    run("apply", "-auto-approve")

    def console(scope, expression, fails=False):
        p = subprocess.run([run.xplan, "console", "-scope=" + scope], cwd=run.work, env=run.env, input=expression + "\n", text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        equal("%s in %s: %s" % (expression, scope, p.stdout), p.returncode != 0, fails)
        return p.stdout

    equal("variable", console('module.m["y"]', "var.v"), '"y"\n')
    equal("object", console('module.m["x"]', "terraform_data.b.output"), '"x"\n')
    contains("no such", console('module.m["z"]', "var.v", fails=True), 'no module instance module.m["z"]')
    contains("no address", console("m[", "var.v", fails=True), "Invalid scope")
    equal("graph", run("graph", "-format=mermaid"), 'flowchart RL\n  n0["terraform_data.a"]\n  subgraph m0 ["module.m"]\n    n1["terraform_data.b"]\n'
                                                    "  end\n  n0 --> n1\n")
    contains("plan", run("graph", "-format=mermaid", "-type=plan"), "flowchart LR", '["module.m.terraform_data.b (expand)"]')
    contains("format", run("graph", "-format=x", fails=True), "dot or mermaid")


def events(run):
    """Names of messages that are OpenTofu's alone."""
    run.schema(resource_schemas={"mock_a": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": True}}}}},
               ephemeral_resource_schemas={"mock_e": {"version": 0, "block": {"attributes": {"text": {"type": "string", "computed": True}}}}})
    os.remove(os.path.join(run.work, ".terraform.lock.hcl"))
    run.write("main.tf", HEAD + 'ephemeral "mock_e" "e" {}\nresource "terraform_data" "x" {\n  lifecycle { destroy = false }\n}\n'
                                'provider "mock" {\n  alias = "by"\n}\nresource "mock_a" "a" {}\n'
                                'check "c" {\n  assert {\n    condition     = ephemeral.mock_e.e != null\n    error_message = "x"\n  }\n}\n')
    found = messages(run("apply", "-auto-approve", "-json"))
    ephemeral = [m for m in found if m["type"].startswith("ephemeral")]
    equal("types", sorted({m["type"] for m in ephemeral}), ["ephemeral_action_complete", "ephemeral_action_started"])
    equal("members", [sorted(m["hook"]) for m in ephemeral[:1]], [["Msg", "resource"]])
    equal("words", {m["hook"]["Msg"] for m in ephemeral}, {"Opening...", "Open complete", "Closing...", "Close complete"})
    run.write("main.tf", HEAD)
    summary = [m for m in messages(run("apply", "-auto-approve", "-json")) if m["type"] == "change_summary"]
    equal("forgotten", [m["changes"]["forget"] for m in summary], [1, 1])
    equal("sentences", [m["@message"] for m in summary],
          ["Plan: 0 to add, 0 to change, 1 to destroy, 1 to forget.", "Apply complete! Resources: 0 added, 0 changed, 1 destroyed, 1 forgotten."])


def user_files(run):
    """Which CLI configuration files count, and that all commands tell of one that is not there."""
    home, xdg = run.env["HOME"], os.path.join(run.env["HOME"], "xdg")
    run.write("main.tf", CONFIG)
    run.env["TF_CLI_CONFIG_FILE"] = os.path.join(home, "none.rc")
    for command in (["version"], ["state", "list"], ["fmt"], ["init"], ["validate"], ["-help"], ["plan", "-help"], ["workspace", "show"]):
        p = run.start(*command)
        text = p.communicate(timeout=60)[0]
        equal(" ".join(command), [text.count("Missing CLI configuration file"), text.count("Correct the variable or unset it")], [1, 1])
    del run.env["TF_CLI_CONFIG_FILE"]

    def rc(path, word):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write("%s = 1\n" % word)  # which init does not know, and says so

    def seen():
        out = []
        for dialect in ("opentofu", "terraform", "xplan"):
            run.env["XPLAN_DIALECT"] = dialect
            text = run("init", "-consolidate-warnings=false")
            out.append("+".join(w for w in ("tofu_rc", "terraform_rc", "xdg_rc", "xdg_dir", "home_dir") if w in text))
        return out
    equal("nothing", seen(), ["", "", ""])
    run.env["XDG_CONFIG_HOME"] = xdg
    rc(os.path.join(xdg, "opentofu/tofurc"), "xdg_rc")
    rc(os.path.join(xdg, "opentofu/a.tfrc"), "xdg_dir")
    equal("XDG_CONFIG_HOME", seen(), ["xdg_rc+xdg_dir", "", "xdg_rc+xdg_dir"])
    rc(os.path.join(home, ".terraformrc"), "terraform_rc")
    equal("terraformrc", seen(), ["terraform_rc+xdg_dir", "terraform_rc", "terraform_rc+xdg_dir"])
    rc(os.path.join(home, ".tofurc"), "tofu_rc")
    rc(os.path.join(home, ".terraform.d/a.tfrc"), "home_dir")
    equal("tofurc", seen(), ["tofu_rc+home_dir", "terraform_rc+home_dir", "terraform_rc+home_dir"])
    # Providers in directories that are looked into without being told.
    for name in (".tofurc", ".terraformrc", ".terraform.d/a.tfrc"):
        os.remove(os.path.join(home, name))
    del run.env["XDG_CONFIG_HOME"]
    run.env["XDG_DATA_HOME"] = os.path.join(home, "data")
    os.makedirs(os.path.join(home, "data/opentofu"))
    os.rename(os.path.join(home, "mirror"), os.path.join(home, "data/opentofu/plugins"))
    run.write("main.tf", HEAD + 'resource "mock_a" "x" {}\n')
    run.env["XPLAN_DIALECT"] = "opentofu"
    contains("XDG_DATA_HOME", run("init"), "Installed xplan/mock v1.0.0")


def registries(run):
    """Providers in states that were written for Terraform's registry."""
    run.schema(resource_schemas={"mock_a": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": True}}}}})
    lock, mirror = os.path.join(run.work, ".terraform.lock.hcl"), os.path.join(run.env["HOME"], "mirror")
    os.remove(lock)
    run.write("main.tf", HEAD + 'resource "mock_a" "x" {}\n')
    run("apply", "-auto-approve")
    os.remove(lock)
    os.rename(os.path.join(mirror, "registry.terraform.io"), os.path.join(mirror, "registry.opentofu.org"))
    run.env["XPLAN_DEFAULT_REGISTRY"] = "registry.opentofu.org"
    run.env["OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION"] = "0"
    contains("untranslated", run("init", fails=True), "registry.terraform.io/xplan/mock")
    del run.env["OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION"]
    run("init")
    plan = run.plan()
    equal("plan", [[c["provider_name"], c["change"]["actions"]] for c in plan["resource_changes"]],
          [["registry.opentofu.org/xplan/mock", ["no-op"]]])
    run("apply", "-auto-approve")
    equal("state", run.state()["resources"][0]["provider"], 'provider["registry.opentofu.org/xplan/mock"]')



def plans_of_the_reference(run):
    """They do not say what is created before it is destroyed; the state that results does, and the order is the reference's."""
    run.env["XPLAN_DIALECT"] = "terraform"
    state = os.path.join(run.work, "terraform.tfstate")

    def apply(nth):
        plan = os.path.join(PLANS, "create-before-destroy-%d.plan" % nth)
        if nth > 1:
            with zipfile.ZipFile(plan) as z:
                run.write("terraform.tfstate", z.read("tfstate").decode())
        text = run("apply", plan)
        with open(state, encoding="utf-8") as f:
            recorded = {r["name"]: [i.get("create_before_destroy", False) for i in r["instances"]] for r in json.load(f)["resources"]}
        return recorded, [line.split(" [")[0] for line in text.splitlines() if line.split(" [")[0].endswith("ing...")]

    equal("created", apply(1)[0], {"base": [True, True], "gone": [True], "inside": [True], "top": [True], "reader": [False]})
    recorded, order = apply(2)
    equal("changed", recorded, {"base": [True, True], "inside": [True], "top": [True], "reader": [False]})
    equal("order", order, ['terraform_data.top["x"]: Modifying...', "terraform_data.reader: Modifying...", "terraform_data.gone: Destroying..."])


CASES = [names, streams, imports, documents, subjects, scopes, events, user_files, registries, plans_of_the_reference]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Tofu))
