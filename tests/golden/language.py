#!/usr/bin/env python3
"""What newer versions of OpenTofu and of the reference add to the language.

    language.py --xplan BINARY [CASE...]

Each case has a folder with nothing but the built-in provider. The last line is 'N passed, M failed'.
"""
import json
import sys

from cases import run_cases
from opentofu import Tofu
from provider_runs import contains, equal


def functions(run):
    """OpenTofu's functions can be called, but in Terraform's dialect, where they are not listed either."""
    run.write("main.tf", """
resource "terraform_data" "a" { input = "net-1" }
locals {
  id = assumenotnull(assumestringprefix(terraform_data.a.output, "net-"))
}
output "results" {
  value = [
    urldecode("a%2Fb"), base64gunzip(base64gzip("x")), cidrcontains("10.0.0.0/8", "10.1.0.0/16"),
    convert({ a = "1" }, object({ a = number, b = optional(string, "b") })),
    startswith(local.id, "net-"), local.id != null,
  ]
}
""")
    plan = run.plan()
    equal("known when planned", plan["planned_values"]["outputs"]["results"]["value"], ["a/b", "x", True, {"a": 1, "b": "b"}, True, True])
    run("apply", "plan.bin")
    added = ["assumeequal", "assumelistlength", "assumelistlengthmax", "assumelistlengthmin", "assumemaplength", "assumemaplengthmax",
             "assumemaplengthmin", "assumenotnull", "assumesetlength", "assumesetlengthmax", "assumesetlengthmin", "assumestringprefix",
             "base64gunzip", "cidrcontains", "convert", "urldecode"]
    listed = lambda: {n for n in run.json("metadata", "functions", "-json")["function_signatures"] if not n.startswith("core::")}
    tofu = listed()
    run.refused("functions", "main.tf line 8", 'The function "urldecode" is an addition of OpenTofu', 'The function "convert"')
    run.env["XPLAN_DIALECT"] = "terraform"
    equal("only OpenTofu lists", sorted(tofu - listed()), added)
    run.env["XPLAN_DIALECT"] = "opentofu"
    run.write("main.tf", """
resource "terraform_data" "a" { input = "lan-1" }
output "id" {
  value = assumestringprefix(terraform_data.a.output, "net-")
}
""")
    contains("what does not hold", run("apply", "-auto-approve", fails=True), "main.tf line 4", 'it does not begin with "net-"')


def templates(run):
    """A template may render others, as deep as the environment permits."""
    run.write("outer.tftpl", "[${templatefile(\"inner.tftpl\", { n = n })}]")
    run.write("inner.tftpl", "<${n}>")
    run.write("endless.tftpl", "${templatefile(\"endless.tftpl\", {})}")
    config = 'output "text" {\n  value = templatefile("%s.tftpl", { n = 1 })\n}\n'
    run.write("main.tf", config % "outer")
    run("apply", "-auto-approve")
    equal("text", run.outputs(), {"text": "[<1>]"})
    run.env["TF_TEMPLATE_RECURSION_DEPTH"] = "0"
    contains("none", run("plan", fails=True), "main.tf line 2", "a template cannot call templatefile itself")
    run.env["TF_TEMPLATE_RECURSION_DEPTH"] = "few"
    contains("not a number", run("plan", fails=True), "TF_TEMPLATE_RECURSION_DEPTH must be a whole number")
    run.write("main.tf", config % "endless")
    for depth, parts in (("20", ["more than 20 levels deep", "endless.tftpl line 1, column 3"]), ("", ["main.tf line 2"])):
        run.env["TF_TEMPLATE_RECURSION_DEPTH"] = depth
        text = run("plan", fails=True)
        contains("endless", text, *parts)
        equal("a message that can be read", len(text) < 5000, True)
    run.write("main.tf", config % "outer")
    run.refused("in a template", "main.tf line 2", "a template cannot call templatefile itself")


def interfaces(run):
    """Outputs with types, modules without a version, and the product's own name."""
    run.write("main.tf", """
module "m" {
  source  = "./m"
  version = null
}
output "all" { value = [module.m.typed, tofu.workspace, terraform.workspace] }
""")
    run.write("m/main.tf", """
output "typed" {
  value = { a = "1", c = true }
  type  = object({ a = number, b = optional(string, "b") })
}
""")
    run("apply", "-auto-approve")
    equal("value", run.outputs()["all"], [{"a": 1, "b": "b"}, "default", "default"])
    run.write("m/main.tf", 'output "typed" {\n  value = ["x"]\n  type  = list(number)\n}\n')
    contains("another type", run("validate", fails=True), "m/main.tf line 2", 'output "typed" does not match its type: [0]')
    run.write("m/main.tf", 'output "typed" {\n  value = sensitive(["x"])\n  type  = list(number)\n}\n')
    equal("a secret", '"x"' in run("validate", fails=True).replace('sensitive(["x"])', ""), False)
    run.write("m/main.tf", """
resource "terraform_data" "a" {}
output "typed" {
  value = terraform_data.a.output
  type  = list(string)
}
""")
    run.write("main.tf", 'module "m" { source = "./m" }\noutput "n" {\n  value = module.m.typed + 1\n}\n')
    contains("the type of an unknown value", run("validate", fails=True), "main.tf line 3", "number")


def deprecations(run):
    """Whoever sets a deprecated variable or reads a deprecated output is told, once per place."""
    run.write("main.tf", """
module "near" {
  source = "./near"
  old    = "x"
}
output "old" { value = module.near.old }
output "all" { value = module.near.new }
variable "mine" {
  default    = 1
  deprecated = "Nobody is told of this."
}
""")
    run.write("near/main.tf", """
variable "old" {
  default    = null
  deprecated = "Use new instead."
}
output "old" {
  value      = var.old
  deprecated = "Read new instead."
}
output "new" { value = var.old }
""")
    told = ['main.tf line 4', 'has marked the variable "old" as deprecated: Use new instead.',
            'main.tf line 6', 'has marked the output value "old" as deprecated: Read new instead.']
    for command in (["validate"], ["plan"], ["plan", "-deprecation=module:all"], ["plan", "-deprecation=module:local"],
                    ["plan", "-deprecation=module:whatever"]):
        contains(" ".join(command), run(*command), *told)
        equal("how often", [run(*command).count("Deprecated " + what) for what in ("variable", "output value")], [1, 1])
    equal("none", "deprecated" in run("plan", "-deprecation=module:none"), False)
    contains("not a module", run("plan", "-deprecation=all", fails=True), '-deprecation must be module:all, module:local or module:none, not "all"')
    run.refused("deprecated", "main.tf line 10", 'The argument "deprecated" is an addition of OpenTofu and of Terraform from version 1.15 on')


def described(run):
    """The plan's configuration tells what is declared of variables and outputs, and states what is said of outputs."""
    variables = {
        "any": ("", {"required": True}),
        "text": ('type = string\n  description = "d"\n  sensitive = true', {"type": "string", "description": "d", "required": True, "sensitive": True}),
        "rows": ("type = list(object({ a = string, b = optional(number, 1) }))\n  default = []",
                 {"type": ["list", ["object", {"a": "string", "b": "number"}, ["b"]]], "default": []}),
        "pair": ("type = tuple([string, object({ a = optional(any) })])\n  default = null",
                 {"type": ["tuple", ["string", ["object", {"a": "dynamic"}, ["a"]]]], "default": None}),
        "key": ("type = string\n  default = null\n  ephemeral = true\n  nullable = true", {"type": "string", "default": None, "ephemeral": True}),
        "old": ('type = map(number)\n  default = {}\n  deprecated = "Set text."',
                {"type": ["map", "number"], "default": {}, "deprecated": "Set text."}),
    }
    plain = ("default", "description", "sensitive")  # all that Terraform 1.11 tells

    def write(names, said):
        run.write("main.tf", "".join('variable "%s" {\n  %s\n}\n' % (n, variables[n][0]) for n in names) +
                  'output "old" {\n  value = 1\n%s}\noutput "new" { value = %d }\n' % (said and '  deprecated = "%s"\n' % said, len(said)))

    set_all = ["-var=any=1", "-var=text=t"]
    write(variables, "Read new.")
    described = lambda: run.plan(*set_all)["configuration"]["root_module"]
    equal("variables", described()["variables"], {n: told for n, (_, told) in variables.items()})
    equal("output", described()["outputs"]["old"], {"deprecated": "Read new.", "expression": {"constant_value": 1}})
    lines = [json.loads(l) for l in run("apply", "-json", "plan.bin").split("\n") if l]
    for said in "Read new.", "Read it.", "":
        write(variables, said)
        if said != "Read new.":
            run("apply", "-auto-approve", *set_all)
        told = {"deprecated": said} if said else {}
        equal("state", run.state()["outputs"]["old"], {"value": 1, "type": "number", **told})
        equal("output -json", run.json("output", "-json")["old"], {"sensitive": False, "type": "number", "value": 1, **told})
        equal("show -json", run.json("show", "-json")["values"]["outputs"]["old"], {"sensitive": False, "type": "number", "value": 1, **told})
    streamed = [l["outputs"]["old"] for l in lines if l["type"] == "outputs"][-1]
    equal("stream", streamed, {"sensitive": False, "deprecated": "Read new.", "type": "number", "value": 1})

    for dialect in "xplan", "terraform":
        run.env["XPLAN_DIALECT"] = dialect
        write([n for n in variables if n != "old"], "")
        equal("variables, %s" % dialect, described()["variables"],
              {n: {k: v for k, v in told.items() if k in plain} for n, (_, told) in variables.items() if n != "old"})


def moved_modules(run):
    """To OpenTofu, a module that gets a count or loses it is still the same."""
    config = 'module "m" {\n  source = "./m"\n  %s\n}\n%s'
    run.write("m/main.tf", 'resource "terraform_data" "a" { %s }\nmodule "inner" { source = "../inner" }\n' % "")
    run.write("inner/main.tf", 'resource "terraform_data" "b" {}\n')
    run.write("main.tf", config % ("", ""))
    run("apply", "-auto-approve")
    a, b = "terraform_data.a", "module.inner.terraform_data.b"
    moves = lambda: {c["address"]: [c.get("previous_address"), c["change"]["actions"][0]] for c in run.plan()["resource_changes"]}
    run.write("main.tf", config % ("count  = 2", ""))
    equal("a count", moves(), {"module.m[0]." + a: ["module.m." + a, "no-op"], "module.m[0]." + b: ["module.m." + b, "no-op"],
                               "module.m[1]." + a: [None, "create"], "module.m[1]." + b: [None, "create"]})
    run("apply", "plan.bin")
    # The resource inside gets a count at the same time.
    run.write("m/main.tf", 'resource "terraform_data" "a" { count = 1 }\nmodule "inner" { source = "../inner" }\n')
    run.write("main.tf", config % ("", ""))
    equal("no count", moves(), {"module.m." + a + "[0]": ["module.m[0]." + a, "no-op"], "module.m." + b: ["module.m[0]." + b, "no-op"],
                                "module.m[1]." + a + "[0]": ["module.m[1]." + a, "delete"], "module.m[1]." + b: [None, "delete"]})
    run("apply", "plan.bin")
    run.write("main.tf", config % ('for_each = toset(["x"])', ""))
    equal("for_each", sorted(v[1] for v in moves().values()), ["create", "create", "delete", "delete"])
    run.write("main.tf", config % ("count  = 2", "moved {\n  from = module.m\n  to   = module.m[1]\n}\n"))
    equal("a statement", moves()["module.m[1]." + b], ["module.m." + b, "no-op"])
    run.write("main.tf", config % ("count  = 1", ""))
    run.env["XPLAN_DIALECT"] = "terraform"
    equal("Terraform's dialect", sorted(v[1] for v in moves().values()), ["create", "create", "delete", "delete"])


def imports(run):
    """What no id can be is said before anything is planned, as by the reference."""
    run.env["XPLAN_DIALECT"] = "terraform"
    block = 'resource "terraform_data" "a" {\n%s}\nimport {\n%s  to = terraform_data.a%s\n  id = %s\n}\nlocals { empty = "" }\nvariable "v" { default = "" }\n'
    for value in ('""', "local.empty", "null", "sensitive(\"x\")"):
        run.write("main.tf", block % ("", "", "", value))
        contains(value, run("validate", fails=True), "Invalid import id", "main.tf line 5")
    run.write("main.tf", block % ('  for_each = toset(["x"])\n', '  for_each = toset(["x"])\n', "[each.key]", '""'))
    contains("for_each", run("validate", fails=True), "Invalid import id argument", "main.tf line 7")
    for value in ("var.v", "terraform_data.a.id"):
        run.write("main.tf", block % ("", "", "", value))
        run("validate")
    run.write("main.tf", block % ("", "", "", "var.v"))
    contains("when planned", run("plan", fails=True), "Invalid import id argument", "main.tf line 5")
    run.write("main.tf", block % ("", "", "", "terraform_data.b.id") + 'resource "terraform_data" "b" {}\n')
    contains("not known", run("plan", fails=True), "Invalid import id argument", "Use -allow-deferral")


CASES = [functions, templates, interfaces, deprecations, described, moved_modules, imports]

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Tofu))
