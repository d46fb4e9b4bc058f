#!/usr/bin/env python3
"""What OpenTofu adds to the language and to commands, which the reference does not know.

    opentofu.py --xplan BINARY [CASE...]

The mock provider lies beside the binary. Each case also shows what becomes of the addition in Terraform's dialect. The last line is
'N passed, M failed'.
"""
import json
import os
import sys

from cases import run_cases
from provider_runs import Run, contains, equal


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
    contains("another place", run("plan", "-var=file=b", fails=True), "The backend block of the configuration has changed")
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


CASES = [early, prevent_destroy]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Tofu))
