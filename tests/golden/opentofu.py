#!/usr/bin/env python3
"""What OpenTofu adds to the language and to commands, which the reference does not know.

    opentofu.py --xplan BINARY [CASE...]

The mock provider lies beside the binary. Each case also shows what becomes of the addition in Terraform's dialect. The last line is
'N passed, M failed'.
"""
import json
import os
import shutil
import sys

from cases import run_cases
from provider_runs import HEAD, STRING, Run, contains, equal, typed


class Tofu(Run):
    """A folder for configurations with nothing but the built-in provider, in OpenTofu's dialect."""

    def __init__(self, xplan, root):
        super().__init__(xplan, root)
        self.env["XPLAN_DIALECT"] = "opentofu"
        self.write(".terraform.lock.hcl", "")  # nothing is initialized unasked

    def write(self, name, text):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def refused(self, what, *parts):
        """By Terraform's dialect."""
        self.env["XPLAN_DIALECT"] = "terraform"
        contains(what + " in Terraform's dialect", self("validate", fails=True), *parts)
        self.env["XPLAN_DIALECT"] = "opentofu"

    def outputs(self):
        return {k: v["value"] for k, v in self.json("output", "-json").items()}

    def actions(self, plan):
        return {c["address"]: "/".join(c["change"]["actions"]) for c in plan["resource_changes"]}


def early(run):
    """Sources of modules and the backend follow variables, which decide before anything is planned."""
    run.write("main.tf", """
variable "place" { default = "one" }
variable "file" {}
locals { modules = "./modules" }
terraform {
  backend "local" { path = "${var.file}.tfstate" }
}
module "m" {
  source = "${local.modules}/${var.place}"
  below  = "../${var.place}/deep"
}
output "is" { value = module.m.is }
""")
    for place in ("one", "two"):
        run.write("modules/%s/main.tf" % place, """
variable "below" {}
module "deep" { source = var.below }
output "is" { value = module.deep.is }
""")
        run.write("modules/%s/deep/main.tf" % place, 'output "is" { value = "%s" }\n' % place)
    contains("init without a value", run("init", fails=True), "main.tf line 6", 'The input variable "file" has no value')
    run("init", "-var=file=a")
    equal("installed", sorted(m["Dir"] for m in json.load(open(os.path.join(run.work, ".terraform/modules/modules.json")))["Modules"]),
          [".", "modules/one", "modules/one/deep"])
    run("apply", "-auto-approve", "-var=file=a")
    equal("state", os.path.exists(os.path.join(run.work, "a.tfstate")), True)
    contains("another place", run("plan", "-var=file=b", fails=True), "The backend block of the configuration has changed",
             '- var.file, which was "a" when this working directory was initialized, and is "b" now', "-var=file=a", "init -migrate-state")
    contains("commands that only need the state", run("state", "list", "-var=file=b", fails=True), "has changed")
    run.write("terraform.tfvars", 'file = "a"\n')
    equal("outputs", run.outputs(), {"is": "one"})
    # What the plan was made with counts when it is applied and shown.
    run("get", "-var=place=two")
    plan = run.plan("-var=place=two")
    calls = plan["configuration"]["root_module"]["module_calls"]
    equal("sources", [calls["m"]["source"], calls["m"]["module"]["module_calls"]["deep"]["source"]], ["./modules/two", "../two/deep"])
    run("apply", "plan.bin")
    equal("outputs of the plan", run.outputs(), {"is": "two"})
    contains("modules", run("modules", "-var=place=two"), "./modules/two")
    contains("modules that are not installed", run("modules", "-var=place=one"), '"m"[./modules/one]', '"deep"[../one/deep]')
    run("validate", "-var=place=two")
    contains("validate", run("validate", "-var=place=three", fails=True), '"modules/three"')
    run.write("main.tf", """
terraform {
  backend "local" { path = var.file }
}
variable "file" {
  default   = "secret.tfstate"
  sensitive = true
}
""")
    contains("a secret", run("init", "-reconfigure", "-var=file=secret.tfstate"), 'The argument "path" is derived from a sensitive value')
    run.write("main.tf", 'module "m" {\n  source = "./${var.dir}"\n}\nvariable "dir" { default = "modules" }\n')
    run.refused("a source", "main.tf line 2", '"var.dir" refers to another object')


def early_mistakes(run):
    """What is wrong with what the backend block uses is told to every command, and none of them leads to another state."""
    config = """
variable "env" { default = "dev" }
variable "n" {
  type    = number
  default = 1
}
locals { %s }
terraform {
  backend "local" { path = %s }
}
module "m" { source = "./m${var.n}" }
"""
    run.write("m1/main.tf", "")
    looks = (["state", "list"], ["state", "pull"], ["output"], ["show"], ["workspace", "list"])

    def all_say(what, *parts):
        for args in (["plan"], *looks):
            text = " ".join(run(*args, fails=True).replace("│", " ").split())
            contains("%s: %s" % (what, " ".join(args)), text, *parts)
            equal("%s: %s: values" % (what, " ".join(args)), "known only after apply" in text, False)
            equal("%s: %s: migration" % (what, " ".join(args)), "-migrate-state" in text, "init -migrate-state" in parts)

    # The value of a variable that is used for a module first.
    run.write("main.tf", config % ('x = 1', '"${var.env}-${var.n}.tfstate"'))
    run("init")
    run.write("terraform.tfvars", 'n = "abc"\n')
    all_say("a wrong value", "terraform.tfvars line 1", "a number is required")
    os.remove(os.path.join(run.work, "terraform.tfvars"))
    # Another value than init had.
    run("init", "-reconfigure", "-var=env=prod")
    run("apply", "-auto-approve", "-var=env=prod")
    all_say("another value", '- var.env, which was "prod" when this working directory was initialized, and is "dev" now',
            "set it as before, for example with -var=env=prod.", "init -migrate-state")
    contains("init", run("init", fails=True), '- var.env, which was "prod"', "-var=env=prod")
    run("plan", "-var=env=prod")
    # What has no value yet, or never has one there.
    for name, local, value, parts in (
            ("unknown", "x = timestamp()", '"${local.x}.tfstate"', ['The argument "path" has a value that is known only after apply', "main.tf line 9"]),
            ("broken", "x = var.none", '"${local.x}${local.x}.tfstate"', ['no input variable "none"', "main.tf line 7"]),
            ("workspace", "x = 1", '"${terraform.workspace}.tfstate"', ["Invalid reference in the backend block", "cannot depend on the selected one"])):
        run.write("main.tf", config % (local, value))
        text = run("init", "-reconfigure", fails=True)
        contains(name, text, *parts)
        equal(name + ": values", "is known only after apply\n" in text or "local.x is" in text, False)


def constants(run):
    """The user gives the values of constant variables of the root module to every command that needs more than this module."""
    run.write("main.tf", 'variable "a" {\n  type = number\n}\nvariable "c" {\n  type  = number\n  const = true\n}\noutput "c" { value = var.c }\n')
    for command in (["init"], ["validate"], ["plan", "-input=false", "-var=a=1"]):
        contains(" ".join(command), run(*command, fails=True), "No value for constant variable", "main.tf line 4", '"c" is declared with const = true', "TF_VAR_c")
    contains("another type", run("validate", "-var=c=x", fails=True), "a number is required")
    for command in (["init", "-var=c=1"], ["validate", "-var=c=1"], ["apply", "-auto-approve", "-var=a=1", "-var=c=1"], ["state", "list"], ["output"]):
        run(*command)
    run.env["TF_VAR_c"] = "2"
    run("validate")
    run.plan("-var=a=1")
    del run.env["TF_VAR_c"]
    contains("a saved plan", run("apply", "plan.bin"), "c = 2")
    run.refused("const", "main.tf line 6", '"const" is an addition')


def prevent_destroy(run):
    """Whether objects may go is decided by expressions."""
    config = """
variable "protected" { default = true }
variable "by" { default = 1 }
resource "terraform_data" "guard" { input = "x" }
resource "terraform_data" "x" {
  input            = 1
  triggers_replace = var.by
  lifecycle { prevent_destroy = var.protected }
}
"""
    run.write("main.tf", config)
    run("apply", "-auto-approve")
    contains("destroy", run("destroy", "-auto-approve", fails=True), "main.tf line 8", "has lifecycle.prevent_destroy set")
    contains("replace", run("plan", "-var=by=2", fails=True), "main.tf line 8", "would have to destroy it in order to replace it")
    equal("permitted", run.actions(run.plan("-var=by=2", "-var=protected=false"))["terraform_data.x"], "delete/create")
    for value, parts in (("tobool(null)", ["is null"]), ("sensitive(true)", ["is sensitive"]), ('tostring("maybe")', ["bool"]),
                         ("terraform_data.guard.id == var.by", [])):
        run.write("main.tf", config.replace("= var.protected", "= " + value))
        if parts:
            contains(value, run("plan", "-var=by=2", fails=True), "main.tf line 8", *parts)
        else:
            run("plan", "-var=by=2")
    run.write("main.tf", config.replace('input = "x"', 'triggers_replace = var.by').replace("= var.protected", "= terraform_data.guard.id != null"))
    run("apply", "-auto-approve")
    run.write("main.tf", config.replace('input = "x"', 'triggers_replace = var.by').replace("= var.protected", '= terraform_data.guard.id == "1"'))
    contains("unknown", run("plan", "-var=by=2", fails=True), "main.tf line 8", "only known after apply", "-exclude")
    run.refused("an expression", "main.tf line 8", "refers to another object")
    run.write("main.tf", config)
    run("destroy", "-auto-approve", "-var=protected=false")
    # An instance of a module that is gone has no values that could tell.
    run.write("m/main.tf", 'variable "protect" {}\nresource "terraform_data" "x" {\n  lifecycle { prevent_destroy = var.protect }\n}\n')
    calls = 'module "m" {\n  source   = "./m"\n  for_each = {%s}\n  protect  = each.value\n}\n'
    run.write("main.tf", calls % "a = true, b = false")
    run("init")
    run("apply", "-auto-approve")
    run.write("main.tf", calls % "a = true")
    contains("an instance that is gone", run("plan", fails=True), 'module.m["b"] is no longer declared', "declare it again",
             "destroy -target='module.m[\"b\"]'")
    run.write("main.tf", calls % "a = true, b = false")
    run("destroy", "-auto-approve", '-target=module.m["b"]')
    run.write("main.tf", calls % "a = true")
    contains("as advised", run("plan"), "No changes.")


def enabled(run):
    """A resource or a module without count and for_each can be left out."""
    config = """
variable "on" { default = true }
variable "count_it" { default = false }
resource "terraform_data" "x" {
  input = "x"
  lifecycle { enabled = var.on }
}
module "m" {
  source = "./m"
  of     = terraform_data.x != null ? terraform_data.x.output : "nothing"
  lifecycle { enabled = var.on }
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "other.tfstate" }
  lifecycle { enabled = !var.on }
}
output "x" { value = terraform_data.x == null ? "none" : terraform_data.x.output }
output "m" { value = try(module.m.of, "none") }
output "d" { value = data.terraform_remote_state.d == null }
"""
    run.write("m/main.tf", 'variable "of" {}\nresource "terraform_data" "y" { input = var.of }\noutput "of" { value = terraform_data.y.output }\n')
    run.write("main.tf", config.replace("lifecycle { enabled = var.on }", "count = var.on ? 1 : 0", 1).replace("terraform_data.x.", "terraform_data.x[0]."))
    run("apply", "-auto-approve")
    run.write("main.tf", config)
    plan = run.plan()
    equal("from count", {c["address"]: [c.get("previous_address"), c["change"]["actions"]] for c in plan["resource_changes"]},
          {"terraform_data.x": ["terraform_data.x[0]", ["no-op"]], "module.m.terraform_data.y": [None, ["no-op"]]})
    run("apply", "plan.bin")
    equal("on", run.outputs(), {"x": "x", "m": "x", "d": True})
    plan = run.plan("-var=on=false", "-target=terraform_data.x", "-target=module.m")
    equal("off", {c["address"]: [c["change"]["actions"], c["action_reason"]] for c in plan["resource_changes"]},
          {"terraform_data.x": [["delete"], "delete_because_enabled_false"],
           "module.m.terraform_data.y": [["delete"], "delete_because_no_module"]})
    contains("plan", run("show", "plan.bin"), "(because enabled is false)", "(because module.m is not in configuration)")
    contains("explain", run("explain", "plan.bin", "terraform_data.x"), "lifecycle.enabled is false now", "enabled is false (main.tf:6:25)")
    contains("explain", run("explain", "plan.bin", "module.m.terraform_data.y"), "enabled of module.m is false (main.tf:11:25)")
    run("apply", "plan.bin")
    data = config.index("data ")
    run.write("main.tf", config[:data] + config[config.index('output "x"'):config.index('output "d"')])
    run("apply", "-auto-approve", "-var=on=false")
    equal("off", run.outputs(), {"x": "none", "m": "none"})
    equal("left", run("state", "list").split(), [])
    base = 'resource "terraform_data" "g" { input = 1 }\nresource "terraform_data" "x" {\n  lifecycle { enabled = %s }\n}\n'
    for value, parts in (("null", ["value is null"]), ("sensitive(true)", ["sensitive"]), ('"maybe"', ["bool"]),
                         ('terraform_data.g.id == "x"', ["only known after apply"])):
        run.write("main.tf", base % value)
        contains(value, run("plan", fails=True), "main.tf line 3", *parts)
    run.write("main.tf", base % "false" + 'output "id" { value = terraform_data.x.id }\n')
    contains("its attributes", run("plan", fails=True), "main.tf line 5", "null")
    run.refused("enabled", "main.tf line 3", 'The lifecycle argument "enabled" is an addition of OpenTofu')
    run.write("main.tf", 'module "m" {\n  source = "./m"\n  of = 1\n  lifecycle { enabled = true }\n}\n')
    run.refused("enabled", "main.tf line 4", "addition of OpenTofu")


PROVIDERS = HEAD + """
variable "regions" {
  type    = map(string)
  default = { eu = "eu-1", us = "us-1" }
}
locals { all = { for k, v in var.regions : k => v if k != "none" } }
provider "mock" {
  alias    = "by"
  for_each = local.all
  name     = each.key
  text     = each.value
}
"""
RESOURCE = """
resource "mock_a" "x" {
  for_each = %s
  provider = mock.by[each.key]
  name     = each.key
}
"""
MODULE = """
module "m" {
  source    = "./m"
  for_each  = %s
  providers = { mock = mock.by[each.value] }
}
"""


def providers(run):
    """Each instance of a resource or module may have another instance of its provider."""
    run.schema(provider={"block": {"attributes": {"name": STRING, "text": STRING}}}, resource_schemas={"mock_a": typed()})
    os.remove(os.path.join(run.work, ".terraform.lock.hcl"))
    run.write("m/main.tf", HEAD + 'resource "mock_a" "y" {\n  name = "in module"\n}\n')
    run.write("main.tf", PROVIDERS + RESOURCE % 'toset(["eu", "us"])' + MODULE % '{ first = "us" }')

    def used():
        """Who created or destroyed what: the configuration of the process that was called."""
        names, out = {}, {}
        for c in run.calls():
            if c["call"] == "configure":
                names[c["process"]] = c["config"]["name"] + "/" + c["config"]["text"]
            if c["call"] == "apply":
                value = c.get("planned") or c["prior"]
                out[value["name"]] = names[c["process"]]
        return out

    run.env["XPLAN_MOCK_LOG_PROCESS"] = "1"
    run("apply", "-auto-approve")
    equal("who created", used(), {"eu": "eu/eu-1", "us": "us/us-1", "in module": "us/us-1"})
    state = {(r.get("module", ""), r["name"]): [r.get("provider"), {i.get("index_key"): i.get("provider") for i in r["instances"]}]
             for r in run.state()["resources"]}
    by = 'provider["registry.terraform.io/xplan/mock"].by'
    equal("state", [state[("", "x")], state[('module.m["first"]', "y")]],
          [[None, {"eu": by + '["eu"]', "us": by + '["us"]'}], [None, {None: by + '["us"]'}]])
    equal("again", sorted({c["change"]["actions"][0] for c in run.plan()["resource_changes"]}), ["no-op"])
    equal("configuration", run.plan()["configuration"]["root_module"]["resources"][0]["provider_config_key"], "mock.by")
    contains("graph", run("graph", "-type=plan"), '"[root] mock_a.x (expand)" -> "[root] provider[\\"registry.terraform.io/xplan/mock\\"].by[\\"eu\\"]"')
    # What is no longer declared is destroyed by the instance that made it, which must still be there.
    run.write("main.tf", PROVIDERS + RESOURCE % 'toset(["us"])' + MODULE % "{}")
    contains("too early", run("plan", "-var=regions={us=\"us-1\"}", fails=True), 'mock_a.x["eu"] must be destroyed with', by + '["eu"]', "main.tf line 14")
    run("apply", "-auto-approve")
    equal("who destroyed", used(), {"eu": "eu/eu-1", "in module": "us/us-1"})
    equal("left", run("state", "list").split(), ['mock_a.x["us"]'])
    run("plan", "-var=regions={us=\"us-1\"}")
    run("destroy", "-auto-approve")
    for what, text, parts in (
            ("no such instance", RESOURCE % 'toset(["asia"])', ['has no instance ["asia"]', '- ["eu"]', "main.tf line 21"]),
            ("no key", 'resource "mock_a" "x" {\n  provider = mock.by\n  name = "x"\n}\n', ["Missing provider instance key", "main.tf line 19"]),
            ("unknown", 'resource "mock_a" "g" {\n  provider = mock.by["eu"]\n  name = "g"\n}\nresource "mock_a" "x" {\n  provider = mock.by[mock_a.g.id]\n  name = "x"\n}\n',
             ["only known after apply", "main.tf line 23"]),
            ("needless key", 'provider "mock" {\n  alias = "one"\n}\nresource "mock_a" "x" {\n  provider = mock.one["eu"]\n  name = "x"\n}\n',
             ["Unexpected provider instance key", "main.tf line 22"])):
        run.write("main.tf", PROVIDERS + text)
        contains(what, run("plan", fails=True), *parts)
    run.write("main.tf", PROVIDERS)
    run.refused("for_each", "main.tf line 14", 'The argument "for_each" of a provider block is an addition of OpenTofu')
    run.write("main.tf", HEAD + 'provider "mock" {\n  for_each = toset(["a"])\n}\n')
    contains("no alias", run("validate", fails=True), "Missing alias", "main.tf line 7")


def lost_providers(run):
    """Provider blocks that change beneath the objects of their instances: nothing is left out without a word."""
    run.schema(provider={"block": {"attributes": {"name": STRING, "text": STRING}}}, resource_schemas={"mock_a": typed()})
    os.remove(os.path.join(run.work, ".terraform.lock.hcl"))
    run.env["XPLAN_MOCK_LOG_PROCESS"] = "1"
    both = RESOURCE % 'toset(["eu", "us"])'
    other = 'provider "mock" {\n  alias = "one"\n  name = "one"\n}\n'
    single = other + 'resource "mock_a" "y" {\n  for_each = toset(["k"])\n  provider = mock.one\n  name = "y-${each.key}"\n}\n'
    keys = lambda name: {i["index_key"]: i.get("provider", "")[-4:] for r in run.state()["resources"] if r["name"] == name for i in r["instances"]}
    run.write("main.tf", PROVIDERS + both + single)
    run("apply", "-auto-approve")
    start = run.state()
    # The block has no instances any more, and nothing else knows the objects.
    plain = 'provider "mock" {\n  alias = "by"\n}\n'
    run.write("main.tf", HEAD + plain + single)
    for command in (["plan"], ["destroy", "-auto-approve"], ["destroy", "-auto-approve", "-refresh=false"]):
        contains(" ".join(command), run(*command, fails=True), "Provider instance not present",
                 'mock_a.x["eu"] must be destroyed with', '.by["eu"], which', 'mock_a.x["us"] must be destroyed with', "main.tf line 6")
        equal("still there", keys("x"), {"eu": 'eu"]', "us": 'us"]'})
    # A plan made before an object got another instance does not hold any more.
    run.write("main.tf", PROVIDERS + both.replace("= each.key\n", '= "${each.key}!"\n') + single)
    run("plan", "-out=plan.bin")

    def exchanged(r, i):
        if i.get("index_key") == "eu":
            i["provider"] = i["provider"].replace("eu", "us")
    run.edit_state(exchanged)
    contains("rebase", run("apply", "-rebase", "plan.bin", fails=True), "mock_a.x now has a different provider configuration")
    with open(os.path.join(run.work, "terraform.tfstate"), "w") as f:
        json.dump(start, f)
    run.write("main.tf", HEAD + plain + single)
    # An object of an instance beside objects of a block without any.
    contains("state mv", run("state", "mv", 'mock_a.x["eu"]', 'mock_a.y["eu"]', fails=True), "Objects cannot be moved",
             'belongs to provider["registry.terraform.io/xplan/mock"].by["eu"]', 'belong to provider["registry.terraform.io/xplan/mock"].one.')
    contains("state mv there", run("state", "mv", 'mock_a.y["k"]', 'mock_a.x["k"]', fails=True), "Objects cannot be moved")
    run("state", "mv", 'mock_a.x["eu"]', 'mock_a.z["eu"]')
    run("state", "mv", 'mock_a.z["eu"]', 'mock_a.x["eu"]')
    equal("there and back", keys("x"), {"eu": 'eu"]', "us": 'us"]'})
    # A moved block takes the object to another block, whether its address is declared or not.
    for target, left in (("k", {"k": ""}), ("eu", {"eu": "", "k": ""})):
        run.write("main.tf", PROVIDERS + RESOURCE % 'toset(["us"])' + single.replace('"k"', '"k", "%s"' % target) +
                  'moved {\n  from = mock_a.x["eu"]\n  to   = mock_a.y["eu"]\n}\n')
        run("apply", "-auto-approve")
        equal("moved to " + target, [keys("x"), keys("y")], [{"us": 'us"]'}, left])
        with open(os.path.join(run.work, "terraform.tfstate"), "w") as f:
            json.dump(start, f)
    # Destroying takes the block that the resource names now.
    run.write("main.tf", (PROVIDERS + both).replace("mock.by[", "mock.by2[") + single + PROVIDERS[PROVIDERS.index('provider "mock"'):].replace('"by"', '"by2"'))
    contains("destroy", run("destroy", "-auto-approve", "-refresh=false"), "Resources: 3 destroyed")
    equal("left", run("state", "list"), "")


def options(run):
    """Options of commands: -show-sensitive, -json-into, -consolidate-warnings and -consolidate-errors."""
    run.write("main.tf", """
variable "secret" {
  default   = "hunter2-hunter2"
  sensitive = true
}
resource "terraform_data" "x" { input = var.secret }
output "o" {
  value     = var.secret
  sensitive = true
}
""")
    for args, hidden, shown in ((["plan", "-out=plan.bin"], "input = (sensitive value)", 'input = "hunter2-hunter2"'),
                                (["show", "plan.bin"], "input = (sensitive value)", 'input = "hunter2-hunter2"'),
                                (["apply", "-auto-approve"], "", 'o = "hunter2-hunter2"'),
                                (["output"], "o = <sensitive>", 'o = "hunter2-hunter2"'),
                                (["show"], "o = (sensitive value)", 'o = "hunter2-hunter2"'),
                                (["state", "show", "terraform_data.x"], "input = (sensitive value)", 'input = "hunter2-hunter2"'),
                                (["plan", "-destroy"], "input = (sensitive value)", 'input = "hunter2-hunter2"'),
                                (["destroy", "-auto-approve"], "", 'input = "hunter2-hunter2"')):
        if hidden:
            contains("without the option", run(*args), hidden)
        contains(args[0], run(*args, "-show-sensitive"), shown)
    into = os.path.join(run.work, "messages")
    text = run("apply", "-auto-approve", "-json-into=messages")
    contains("what is shown", text, "terraform_data.x: Creation complete", "Apply complete! Resources: 1 added")
    equal("mode", oct(os.stat(into).st_mode & 0o777), "0o600")
    with open(into) as f:
        messages = [json.loads(line) for line in f]
    equal("messages", [m["type"] for m in messages],
          ["version", "planned_change", "change_summary", "outputs", "apply_start", "apply_complete", "change_summary", "outputs"])
    equal("module", sorted({m["@module"] for m in messages}), ["tofu.ui"])
    equal("secrets", "hunter2" in json.dumps(messages), False)
    run("init", "-json-into=messages")
    with open(into) as f:
        equal("init", sorted({json.loads(line)["type"] for line in f}), ["init_output", "log", "version"])
    contains("with -json", run("plan", "-json", "-json-into=messages", fails=True), "-json and -json-into cannot be used together")
    contains("no such directory", run("plan", "-json-into=none/messages", fails=True), "none/messages")
    run("plan", "-out=plan.bin")
    shutil.copy(os.path.join(run.work, "terraform.tfstate"), os.path.join(run.work, "kept"))
    for name in ("terraform.tfstate", "main.tf", "kept", "plan.bin", "."):  # none of these is emptied
        path = os.path.join(run.work, name)
        before = os.path.isfile(path) and open(path, "rb").read()
        contains("over " + name, run("plan", "-json-into=" + name, fails=True), "Invalid document path", '"%s"' % name, "for -json-into.")
        equal("content of " + name, os.path.isfile(path) and open(path, "rb").read(), before)
        if name != "main.tf":
            contains("a document over " + name, run("show", "-json-into=" + name, fails=True), "Invalid document path", '"%s"' % name)
            equal("content of " + name, os.path.isfile(path) and open(path, "rb").read(), before)
    run("output", "-json-into=document")
    run("show", "-json-into=document")
    os.chmod(into, 0o644)
    run("plan", "-json-into=messages")
    equal("mode of an older file", oct(os.stat(into).st_mode & 0o777), "0o600")
    run.write("main.tf", "".join('resource "terraform_data" "%s" { depends_on = ["terraform_data.a"] }\n' % n for n in "bcd") +
              'resource "terraform_data" "a" {}\n')
    count = lambda text: text.count("Quoted reference")
    equal("warnings", [count(run("validate")), count(run("validate", "-consolidate-warnings=false"))], [1, 3])
    run.write("main.tf", "".join('resource "terraform_data" "%s" { input = var.none }\n' % n for n in "bcd"))
    count = lambda text: text.count("Undeclared")
    equal("errors", [count(run("validate", fails=True)), count(run("validate", "-consolidate-errors", fails=True))], [3, 1])
    contains("note", run("validate", "-consolidate-errors", fails=True), "(and 2 more similar errors elsewhere)")


def forgotten(run):
    """lifecycle.destroy = false: what would be destroyed is forgotten, also when there is no configuration left."""
    config = """
variable "by" { default = 1 }
resource "terraform_data" "kept" {
  count            = %d
  triggers_replace = var.by
  lifecycle { destroy = %s }
}
resource "terraform_data" "other" { input = terraform_data.kept[*].id }
"""
    run.write("main.tf", config % (2, "false"))
    run("apply", "-auto-approve")
    equal("state", [i.get("skip_destroy") for i in run.state()["resources"][0]["instances"]], [True, True])
    equal("again", sorted({c["change"]["actions"][0] for c in run.plan()["resource_changes"]}), ["no-op"])
    # A replacement leaves the old object alone.
    plan = run.plan("-var=by=2", "-target=terraform_data.kept[0]")
    equal("replaced", [[c["change"]["actions"], c["action_reason"]] for c in plan["resource_changes"]],
          [[["forget", "create"], "replace_because_cannot_update"]])
    contains("text", run("show", "plan.bin"), "./+ forget and then create replacement", "must be replaced; the old object will not be destroyed",
             "Plan: 1 to add, 0 to change, 0 to destroy, 1 to forget.")
    run("show", "plan.bin", "-fail-on=destroy")
    run.env["TF_LOG"] = "trace"
    contains("the log", run("plan", "-var=by=2", "-target=terraform_data.kept[0]"),
             "planned terraform_data.kept[0]: action forget, then create, replace_because_cannot_update")
    del run.env["TF_LOG"]
    contains("applied", run("apply", "plan.bin"), "1 added, 0 changed, 0 destroyed, 1 forgotten")
    # An instance less, or no block at all.
    run.write("main.tf", config % (1, "false"))
    plan = run.plan()
    gone = [c for c in plan["resource_changes"] if c["address"] == "terraform_data.kept[1]"][0]
    equal("reason", [gone["change"]["actions"], gone["action_reason"]], [["forget"], "forgot_because_lifecycle_destroy_in_config"])
    contains("explained", run("explain", "plan.bin", "terraform_data.kept[1]"), "lifecycle.destroy is false")
    run("apply", "plan.bin")
    run.write("main.tf", "")
    equal("without a block", {c["address"]: [c["change"]["actions"], c["action_reason"]] for c in run.plan()["resource_changes"]},
          {"terraform_data.kept[0]": [["forget"], "forgot_because_lifecycle_destroy_in_state"],
           "terraform_data.other": [["delete"], "delete_because_no_resource_config"]})
    removed = 'removed {\n  from = terraform_data.kept\n  lifecycle { destroy = %s }\n}\n'
    run.write("main.tf", removed % "true")
    equal("a removed block", run.actions(run.plan())["terraform_data.kept[0]"], "delete")
    run.write("main.tf", removed.replace("  lifecycle { destroy = %s }\n", ""))
    contains("no lifecycle", run("plan"), "Removed block does not say what becomes of the object", "main.tf line 1",
             "will be removed from the OpenTofu state", "because terraform_data.kept is not in configuration")
    # Everything is to be destroyed.
    run.write("main.tf", config % (1, "true"))
    equal("permitted again", sorted(set(run.actions(run.plan("-destroy")).values())), ["delete"])
    run.write("main.tf", config % (1, "false"))
    contains("left behind", run("destroy", "-auto-approve", fails=True), "1 destroyed, 1 forgotten", "Some objects were not destroyed")
    equal("state", run("state", "list"), "")
    run("apply", "-auto-approve")
    run("destroy", "-auto-approve", "-suppress-forget-errors")
    run.write("main.tf", config % (1, "var.by == 1"))
    contains("not constant", run("validate", fails=True), "main.tf line 6")
    run.write("main.tf", config % (1, "false"))
    run.refused("destroy", "main.tf line 6", 'The lifecycle argument "destroy" is an addition of OpenTofu')


CASES = [early, early_mistakes, constants, prevent_destroy, enabled, providers, lost_providers, options, forgotten]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Tofu))
