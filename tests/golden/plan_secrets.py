#!/usr/bin/env python3
"""Secrets of plans: the review half, in which there are none, and plan files behind a passphrase.

    plan_secrets.py --xplan BINARY [CASE...]

The last line is 'N passed, M failed'.
"""
import json
import os
import resource
import signal
import subprocess
import sys
import time
import zipfile

from approval import command, config, plain
from cases import run_cases
from provider_runs import Run, STRING, contains, equal, typed
from pseudo_terminal import Failed

SECRETS = ["hunter2-default", "given-on-the-line", "literal-in-file", "from-a-comment", "my-user:my-token", "second line"]
CONFIG = """
# made for from-a-comment
terraform {
  required_providers { fs = { source = "terraform.io/builtin/fs" } }
}
variable "password" {
  default   = "hunter2-default"
  sensitive = true
}
variable "release" { default = "1.0" }
variable "key" {
  default   = "first line\\nsecond line of it"
  sensitive = true
}
locals {
  address = "https://my-user:my-token@example.com/"
}
resource "terraform_data" "app" {
  input = { password = var.password, release = var.release, both = [var.key, var.password], where = local.address }
}
resource "terraform_data" "text" { input = "in front ${var.password} behind" }
resource "fs_file" "secret" {
  path              = "secret.txt"
  sensitive_content = "literal-in-file"
}
output "password" {
  value     = terraform_data.text.output
  sensitive = true
}
"""
# Where secrets stand and where they get to without a mark: arguments that are write-only, numbers, map keys, arguments of modules,
# outputs of modules, keys of instances, checks.
PLANTED = """
variable "pin" {
  type      = number
  sensitive = true
  default   = 86753091
}
variable "tokens" {
  type      = map(string)
  sensitive = true
  default   = { "planted-map-key" = "planted-map-value" }
}
variable "word" {
  sensitive = true
  default   = "planted-word"
}
variable "passing" {
  ephemeral = true
  default   = "planted-ephemeral"
}
locals {
  unused = sensitive("planted-literal")
  named  = sensitive({ planted-name = "x", planted-other-name = "y" })
}
module "m" {
  source = "./m"
  given  = "planted-argument"
}
resource "mock_thing" "a" {
  name    = "n"
  hidden  = "planted-write-only"
  pin     = 77665544
}
resource "terraform_data" "t" { input = { pin = var.pin, tokens = var.tokens, word = var.word } }
resource "terraform_data" "k" {
  for_each = terraform_data.t.output == null ? toset([]) : toset([terraform_data.t.output.word])
  input    = each.key
}
resource "terraform_data" "again" { input = terraform_data.t.output }
check "word" {
  assert {
    condition     = terraform_data.t.output.word == "never"
    error_message = "The word is ${terraform_data.t.output.word}."
  }
}
output "lit" {
  value     = "planted-output"
  sensitive = true
}
"""
PLANTED_MODULE = {"variable": {"given": {"sensitive": True}, "code": {"sensitive": True, "type": "number", "default": 44556677}},
                  "locals": {"x": '${sensitive("planted-in-json")}', "y": '${sensitive({planted-json-name = 1})}'},
                  "output": {"z": {"value": "planted-module-output", "sensitive": True}}}
PLANTED_SECRETS = ["86753091", "77665544", "44556677"] + ["planted-" + what for what in (
    "map-key", "map-value", "word", "ephemeral", "literal", "argument", "write-only", "output", "in-json", "module-output",
    "name", "other-name", "json-name")]
VIEWS = [["show"], ["show", "-json"], ["show", "-summary"], ["show", "-summary", "-json"], ["show", "-diff=smart"], ["show", "-markdown"],
         ["show", "-html"], ["show", "-sarif"], ["show", "-junit"], ["show", "-graph"], ["show", "-digest"], ["explain"],
         ["explain", "-all"], ["explain", "-json"]]


# Ways of a secret through a configuration of its own: SECRET is another one in the second plan of each.
WAY = """
variable "s" {
  sensitive = true
  default   = "SECRET"
}
"""
WAYS = {
    "attribute": 'resource "terraform_data" "a" { input = var.s }',
    "text": 'resource "terraform_data" "a" { input = "in front ${var.s} behind" }',
    "heredoc": 'resource "terraform_data" "a" {\n  input = <<-EOT\n    first\n    ${var.s}\n    last\n  EOT\n}',
    "list": 'resource "terraform_data" "a" { input = ["x", var.s] }',
    "map value": 'resource "terraform_data" "a" { input = { k = var.s, other = 1 } }',
    "map key": 'resource "terraform_data" "a" { input = { (var.s) = 1 } }',
    "map keys in a list": 'resource "terraform_data" "a" { input = tolist([{ (var.s) = 1 }]) }\n'
                          'resource "terraform_data" "b" { input = terraform_data.a.output }',
    "map keys that have nothing": 'resource "terraform_data" "a" { input = { (var.s) = null } }\n'
                                  'resource "terraform_data" "b" { input = [for x in [terraform_data.a.output] : x if false] }',
    "set": 'resource "terraform_data" "a" { input = toset([var.s, "x"]) }',
    "nested": 'resource "terraform_data" "a" { input = [{ a = { b = [var.s] } }] }',
    "json": 'resource "terraform_data" "a" { input = jsonencode({ k = var.s, other = [1, 2] }) }',
    "yaml": 'resource "terraform_data" "a" { input = yamlencode({ k = var.s, other = [1, 2] }) }',
    "json in a list": 'resource "terraform_data" "a" { input = [jsonencode([var.s])] }',
    "other letters": 'resource "terraform_data" "a" { input = upper(var.s) }',
    "a part": 'resource "terraform_data" "a" { input = substr(var.s, 0, 9) }',
    "other characters": 'resource "terraform_data" "a" { input = replace(var.s, "-", "_") }',
    "joined": 'resource "terraform_data" "a" { input = join("/", ["x", var.s, "y"]) }',
    "format": 'resource "terraform_data" "a" { input = format("%s-%d", var.s, 3) }',
    "condition": 'resource "terraform_data" "a" { input = var.s == "" ? "none" : var.s }',
    "for": 'resource "terraform_data" "a" { input = [for x in [var.s] : "<${x}>"] }',
    "for object": 'resource "terraform_data" "a" { input = { for x in [var.s] : x => "v" } }',
    "declared open": 'resource "terraform_data" "a" { input = nonsensitive(var.s) }',
    "trigger": 'resource "terraform_data" "a" { triggers_replace = var.s }',
    "trigger and read": 'resource "terraform_data" "a" { triggers_replace = var.s }\nresource "terraform_data" "b" { input = terraform_data.a.id }',
    "returned": 'resource "terraform_data" "a" { input = var.s }\nresource "terraform_data" "b" { input = terraform_data.a.output }',
    "returned in a map": 'resource "terraform_data" "a" { input = { k = var.s } }\nresource "terraform_data" "b" { input = terraform_data.a.output.k }',
    "returned keys": 'resource "terraform_data" "a" { input = { (var.s) = 1 } }\n'
                     'resource "terraform_data" "b" { input = terraform_data.a.output }',
    "instance key": 'resource "terraform_data" "a" {\n  for_each = nonsensitive(toset([var.s]))\n  input    = 1\n}',
    "module key": 'module "m" {\n  source   = "./m"\n  for_each = nonsensitive(toset([var.s]))\n}',
    "module argument": 'module "m" {\n  source = "./m"\n  given  = "SECRET"\n}',
    "argument from a variable": 'module "m" {\n  source = "./m"\n  given  = var.s\n}',
    "module output": 'module "m" {\n  source = "./m"\n  given  = var.s\n}\nresource "terraform_data" "a" { input = module.m.z }',
    "local": 'locals { l = "x${var.s}" }\nresource "terraform_data" "a" { input = local.l }',
    "literal": 'resource "terraform_data" "a" { input = sensitive("SECRET") }',
    "literal in a list": 'resource "terraform_data" "a" { input = sensitive(["SECRET", "y"]) }',
    "literal key": 'locals { l = sensitive({ SECRET = "x" }) }\nresource "terraform_data" "a" { input = "y" }',
    "literal keys of a default": 'variable "d" {\n  type      = map(string)\n  sensitive = true\n  default   = { SECRET = "x", other = "x" }\n}\n'
                                 'resource "terraform_data" "a" { input = "y" }',
    "output": 'output "o" {\n  value     = var.s\n  sensitive = true\n}',
    "literal output": 'output "o" {\n  value     = { k = ["SECRET"] }\n  sensitive = true\n}',
    "check": 'check "c" {\n  assert {\n    condition     = var.s == ""\n    error_message = "It is ${nonsensitive(var.s)}."\n  }\n}\n'
             'resource "terraform_data" "a" { input = 1 }',
    "comment": '# SECRET\nresource "terraform_data" "a" { input = 1 /* SECRET */ }',
    "lines": 'resource "terraform_data" "a" { input = "1\\n2\\n${var.s}\\n4\\n5" }',
    "address of a person": 'resource "terraform_data" "a" { input = "https://user:SECRET@example.com/x" }',
    "file": 'resource "fs_file" "a" {\n  path    = "a.txt"\n  content = var.s\n}',
    "sensitive argument": 'resource "fs_file" "a" {\n  path              = "a.txt"\n  sensitive_content = "SECRET"\n}',
    "written only": 'resource "mock_thing" "a" {\n  name   = "n"\n  hidden = var.s\n}',
    "sensitive in the schema": 'resource "mock_thing" "a" {\n  name = "n"\n  word = "SECRET"\n}',
    "provisioner": 'resource "terraform_data" "a" {\n  input = var.s\n  provisioner "local-exec" { command = "echo ${self.input}" }\n}',
}
# Mistakes with a secret in their middle: what is wrong with it is told, and never what it is.
MISTAKES = [
    "tonumber(var.s)", "{ a = 1 }[var.s]", "[1][var.s]", "regex(\"^x\", var.s)", "regex(var.s, \"(\")", "file(var.s)", "filesha256(var.s)",
    "timeadd(var.s, \"1h\")", "jsondecode(var.s)", "yamldecode(\"{${var.s}\")", "base64decode(\"${var.s}!\")", "cidrsubnet(var.s, 1, 1)",
    "{ for x in [var.s, var.s] : x => 1 }", "templatefile(var.s, {})", "formatdate(var.s, \"now\")", "parseint(var.s, 10)", "tobool(var.s)",
    "urlencode([var.s])", "element([], length(var.s))", "lookup({}, var.s)", "merge(var.s, {})", "var.s.attribute", "-var.s", "var.s && true",
    "zipmap([var.s], [1, 2])", "one([var.s, \"b\"])", "substr(var.s, 0, \"x${var.s}\")", "uuidv5(\"${var.s}?\", \"n\")", "format(\"%d\", var.s)",
    "csvdecode(\"a,b\\n${var.s}\\n\\\"\")", "index([\"a\"], var.s)", "tomap({ a = var.s, b = [] })", "timecmp(var.s, var.s)", "indent(var.s, \"a\")",
    "rsadecrypt(var.s, var.s)", "bcrypt(\"a\", var.s)", "setproduct(var.s)", "range(var.s)", "alltrue([var.s])", "sum([var.s])", "max(var.s)",
    "[for x in var.s : x]", "var.s[0]", "var.s[*].name.more", "\"${[var.s]}\"", "strrev([var.s])", "transpose({ a = var.s })", "chunklist([1], var.s)",
]
FAILING = {  # blocks around a secret that end in an error
    "for_each": 'resource "terraform_data" "f" { for_each = toset([var.s]) }',
    "count": 'resource "terraform_data" "f" { count = var.s }',
    "validation": 'variable "t" {\n  default = "x"\n  validation {\n    condition     = var.t == var.s\n    error_message = "Not ${var.s}."\n  }\n}',
    "precondition": 'resource "terraform_data" "f" {\n  lifecycle {\n    precondition {\n      condition     = var.s == ""\n'
                    '      error_message = "It is ${var.s}."\n    }\n  }\n}',
    "postcondition": 'resource "terraform_data" "f" {\n  input = var.s\n  lifecycle {\n    postcondition {\n      condition     = self.input == ""\n'
                     '      error_message = "It is ${self.input}."\n    }\n  }\n}',
    "output not marked": 'output "f" { value = var.s }',
    "provisioner": 'resource "terraform_data" "f" {\n  provisioner "local-exec" { command = "echo ${var.s} >&2; exit 3" }\n}',
    "wrong type": 'module "m" {\n  source = "./m"\n  code   = var.s\n}',
    "import": 'import {\n  to = terraform_data.f["x"]\n  id = var.s\n}\nresource "terraform_data" "f" {}',
}
WAY_MODULE = {"variable": {"given": {"sensitive": True, "default": "none"}},
              "resource": {"terraform_data": {"in": {"input": "${var.given}"}}},
              "output": {"z": {"value": "${var.given}", "sensitive": True}}}


def clean(what, data, secrets=SECRETS):
    for secret in secrets:
        if secret.encode() in data:
            raise Failed("%s has the secret %r" % (what, secret))


def without_secrets(run, path, secrets=SECRETS, views=VIEWS):
    file = os.path.join(run.work, path)
    equal("the mode of " + path, oct(os.stat(file).st_mode & 0o777), oct(0o600))
    with zipfile.ZipFile(file) as z:
        for name in z.namelist():
            clean(path + ", " + name, z.read(name), secrets)
    for view in views:
        code, out, err = command(run, *view, path)
        equal(" ".join(view) + " ends with", (code, err), (0, ""))
        clean(" ".join(view), out.encode(), secrets)
        if not out:
            raise Failed(" ".join(view) + " of the review half is empty")


def review_halves(run):
    """No secret in them or in what is made of them; they say the same, and cannot be applied."""
    config(run, CONFIG)
    run("init")
    run("plan", "-out=first.bin", "-review-out=first.review")
    without_secrets(run, "first.review")
    run("apply", "first.bin")
    run("plan", "-var=password=given-on-the-line", "-var=release=1.1", "-out=p.bin", "-review-out=p.review")
    without_secrets(run, "p.review")
    for view in ["show", "-digest"], ["show"]:
        whole, half = (command(run, *view, name)[1] for name in ("p.bin", "p.review"))
        if view == ["show"]:  # texts that lost their marks have tokens
            whole, half = ([line for line in text.splitlines() if line.startswith(("  #", "Plan:"))] for text in (whole, half))
        equal(" ".join(view), half, whole)
    for view in ["show"], ["show", "-json"], ["show", "-markdown"], ["show", "-summary"]:
        shown = command(run, *view, "-review", "p.bin")
        equal(" ".join(view) + " -review ends with", shown[0], 0)
        clean(" ".join(view) + " -review", (shown[1] + shown[2]).encode())
    run("show", "-review-out=later.review", "p.bin")
    without_secrets(run, "later.review")
    code, _, err = command(run, "apply", "p.review")
    equal("apply of a review half ends with", code, 1)
    contains("its error", plain(err), "review half of a plan, without its secrets, so it cannot be applied")
    for args in ["diff", "p.bin", "p.review"], ["show", "-review-out=p.bin/x", "p.bin"], ["plan", "-out=x", "-review-out=x"], ["plan", "-out=x", "-timings=x"], \
            ["plan", "-out=x", "-review-out=y", "-out-html=./y"], ["show", "-review-out=x"], ["show", "-review"]:
        equal(" ".join(args) + " ends with", command(run, *args)[0], 1)


def planted(run):
    """Neither before the first apply, nor between, nor at the end; nor in what is kept beside the state."""
    run.schema(resource_schemas={"mock_thing": typed({"hidden": {**STRING, "write_only": True},
                                                      "pin": {"type": "number", "optional": True, "sensitive": True}})})
    os.makedirs(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf.json"), "w") as f:
        json.dump(PLANTED_MODULE, f)
    run.config(PLANTED)
    run("init")
    for n, args in enumerate(([], [], [], ["-destroy"])):
        run("plan", "-allow-deferral", "-out=p.bin", "-review-out=p%d.review" % n, *args)
        without_secrets(run, "p%d.review" % n, PLANTED_SECRETS)
        run("apply", "p.bin")
        for folder, _, files in os.walk(os.path.join(run.work, ".terraform", "last_apply")):
            for name in files:
                with open(os.path.join(folder, name), "rb") as f:
                    clean("the note of the apply", f.read(), PLANTED_SECRETS)


def ways(run):
    """Each way that a secret can take through a configuration: created, changed, and changed behind the program's back."""
    os.makedirs(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf.json"), "w") as f:
        json.dump(WAY_MODULE, f)
    fs = 'terraform {\n  required_providers {\n    fs   = { source = "terraform.io/builtin/fs" }\n' \
         '    mock = { source = "xplan/mock" }\n  }\n}\n'
    def secrets(*words):
        return [s for word in words for s in ("planted-" + word, "PLANTED-" + word.upper(), "planted_" + word, "planted-" + word[0])]

    run.schema(resource_schemas={"mock_thing": typed({"hidden": {**STRING, "write_only": True}, "word": {**STRING, "sensitive": True}})})
    config(run, fs + 'module "m" { source = "./m" }\nresource "mock_thing" "a" { name = "n" }\n')
    run("init")
    for way, text in WAYS.items():
        for path in "terraform.tfstate", "a.txt":
            if os.path.exists(os.path.join(run.work, path)):
                os.remove(os.path.join(run.work, path))
        for word in "one", "two":
            config(run, fs + (WAY + text).replace("SECRET", "planted-" + word))
            run("plan", "-out=p.bin", "-review-out=p.review")
            try:
                # What nonsensitive() has let out before is not known to be a secret.
                known = secrets(*({word} if "nonsensitive(" in text else ("one", "two")))
                without_secrets(run, "p.review", known, VIEWS if word == "two" else [])
            except Failed as e:
                raise Failed("%s, %s: %s" % (way, word, e))
            if word == "one":
                run("apply", "p.bin")


def told(run):
    """What commands print, stream and log about each of these ways, and about mistakes with secrets."""
    os.makedirs(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf.json"), "w") as f:
        json.dump({**WAY_MODULE, "variable": {**WAY_MODULE["variable"], "code": {"type": "number", "default": 1}}}, f)
    run.schema(resource_schemas={"mock_thing": typed({"hidden": {**STRING, "write_only": True}, "word": {**STRING, "sensitive": True}})})
    head = 'terraform {\n  required_providers {\n    fs   = { source = "terraform.io/builtin/fs" }\n    mock = { source = "xplan/mock" }\n  }\n}\n'
    config(run, head + 'module "m" { source = "./m" }\nresource "mock_thing" "a" { name = "n" }\n')
    run("init")
    log = os.path.join(run.work, "log")

    def tell(what, secret, text, *commands, fails=False):
        config(run, head + (WAY + text).replace("SECRET", secret))
        for args in commands:
            for logged in ({"TF_LOG": "trace", "TF_LOG_PATH": log}, {"TF_LOG": "trace"}) if args[0] == "apply" else ({},):
                run.env.update(logged)
                code, out, err = command(run, *args)
                for name in logged:
                    del run.env[name]
                if fails is not None and fails != (code != 0):
                    raise Failed("%s: %s ends with %d:\n%s%s" % (what, " ".join(args), code, out, err))
                known = (secret, secret.upper(), secret.replace("-", "_"))
                clean("%s: %s" % (what, " ".join(args)), (out + err).encode(), known)
        if os.path.exists(log):
            with open(log, "rb") as f:
                clean(what + ": the log", f.read(), known)
            os.remove(log)

    number = 0
    for way, text in WAYS.items():
        if "nonsensitive(" in text or way == "address of a person":  # nothing says that it is a secret
            continue
        for word in "one", "two":
            number += 1
            shown = [("plan",), ("plan", "-json"), ("plan", "-summary", "-diff=smart"), ("plan", "-explain")]
            secret = "planted-%s-%d" % (word, number)
            if way in ("literal key", "literal keys of a default", "literal", "literal in a list", "literal output", "module argument", "comment"):
                shown = shown[:2]  # and never a line of the source
            tell(way, secret, text, *shown, ("apply", "-auto-approve", "-json") if word == "one" else ("apply", "-auto-approve"))
    for number, mistake in enumerate(MISTAKES):
        tell(mistake, "planted-%d-word" % number, 'output "m" {\n  value     = %s\n  sensitive = true\n}' % mistake,
             ("plan",), ("plan", "-json"), ("validate",), fails=None)
    for number, (name, text) in enumerate(FAILING.items()):
        tell(name, "planted-%d-thing" % number, text, ("apply", "-auto-approve"), ("apply", "-auto-approve", "-json"), fails=True)


def documents(run):
    """In what is meant for comments, a value that lost its mark on the way through a provider is hidden, too."""
    secrets = ["hunter2-default", "given-on-the-line"]
    config(run, CONFIG + 'resource "terraform_data" "copy" { input = terraform_data.app.output.password }\n'
                         'output "copy" { value = terraform_data.app.output }\n')
    run("init")
    run("apply", "-auto-approve")
    forms = ["markdown", "html", "sarif", "junit", "graph", "summary"]
    out = run("plan", "-out=p.bin", "-var=password=given-on-the-line", "-summary", *("-out-%s=doc.%s" % (f, f) for f in forms))
    clean("plan -summary", out.encode(), secrets)
    contains("plan -summary", out, "terraform_data.copy", "(sensitive value)")
    for form in forms:
        with open(os.path.join(run.work, "doc." + form), "rb") as f:
            text = f.read()
        clean("-out-" + form, text, secrets)
        shown = run("show", "-" + form, "p.bin")
        clean("show -" + form, shown.encode(), secrets)
        if form in ("markdown", "html"):
            contains("show -" + form, shown, "terraform_data.copy", "(sensitive value)")
            if "no longer be marked" in shown:
                raise Failed("show -%s says that something will no longer be sensitive" % form)
    clean("show -summary -json", run("show", "-summary", "-json", "p.bin").encode(), secrets)


def killed(run):
    """An apply that ends by a signal leaves no secret behind but in the state and its journal."""
    config(run, 'variable "s" {\n  sensitive = true\n  default   = "planted-secret"\n}\nresource "terraform_data" "a" {\n  input = var.s\n'
                '  provisioner "local-exec" { command = "echo ready > ready; while [ ! -e done ]; do sleep 0.2; done" }\n}\n')
    run("init")
    for number in signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS:
        for name in os.listdir(run.work):  # a provider may return what it was told without a mark
            if "tfstate" in name:
                os.remove(os.path.join(run.work, name))
        p = subprocess.Popen([run.xplan, "apply", "-auto-approve"], cwd=run.work, env=run.env, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
        ready = os.path.join(run.work, "ready")
        while not os.path.exists(ready):
            if p.poll() is not None:
                raise Failed("the apply ended by itself: " + p.communicate()[0])
            time.sleep(0.05)
        with open("/proc/%d/coredump_filter" % p.pid):  # it lives
            pass
        p.send_signal(number)
        p.wait(60)
        open(os.path.join(run.work, "done"), "w").close()  # the command ends, and with it who holds the pipes
        out, err = p.communicate(timeout=60)
        os.remove(os.path.join(run.work, "done"))
        clean("the output of %s, %s" % (number, out + err), (out + err).encode(), ["planted-secret"])
        os.remove(ready)
        for folder, _, files in os.walk(run.work):
            for name in files:
                with open(os.path.join(folder, name), "rb") as f:
                    if name != "main.tf" and not name.startswith((".terraform.tfstate", "terraform.tfstate")):
                        clean(name, f.read(), ["planted-secret"])


def passphrases(run):
    """From a file and from the environment; every wrong one is one error, and nothing is in the clear."""
    config(run, CONFIG)
    run("init")
    for name, text in ("key", "correct horse battery staple\n"), ("other", "incorrect horse battery staple"), ("short", "short"):
        with open(os.path.join(run.work, name), "w") as f:
            f.write(text)
    run("plan", "-plan-key-file=key", "-out=p.bin")
    with open(os.path.join(run.work, "p.bin"), "rb") as f:
        whole = f.read()
    clean("the plan file", whole)
    with open(os.path.join(run.work, "cut.bin"), "wb") as f:
        f.write(whole[:len(whole) // 2])
    at = len(whole) * 3 // 4
    with open(os.path.join(run.work, "changed.bin"), "wb") as f:
        f.write(whole[:at] + (b"A" if whole[at:at + 1] != b"A" else b"B") + whole[at + 1:])
    run("plan", "-out=plain.bin")
    rows = [(["show", "p.bin"], "it is encrypted, but no encryption is configured"),
            (["show", "-plan-key-file=other", "p.bin"], "cannot be decrypted with the passphrase of -plan-key-file"),
            (["show", "-plan-key-file=short", "p.bin"], "must have at least 16 bytes"),
            (["show", "-plan-key-file=none", "p.bin"], "cannot be read"),
            (["show", "-plan-key-file=key", "cut.bin"], "Failed to load plan file"),
            (["show", "-plan-key-file=key", "changed.bin"], "Failed to load plan file"),
            (["show", "-plan-key-file=key", "plain.bin"], "is not encrypted"),
            (["plan", "-plan-key-file=short", "-out=q.bin"], "must have at least 16 bytes")]
    for args, message in rows:
        code, _, err = command(run, *args)
        equal(" ".join(args) + " ends with", code, 1)
        equal("errors of " + " ".join(args), err.count("Error: "), 1)
        contains(" ".join(args), plain(err), message)
    contains("show", run("show", "-plan-key-file=key", "p.bin"), "terraform_data.app")
    contains("diff", run("diff", "-plan-key-file=key", "p.bin", "p.bin"), "same")
    contains("diff with a plain one", run("diff", "-plan-key-file=key", "plain.bin", "p.bin"), "Warning: Plan file is not encrypted", "same")
    contains("graph", run("graph", "-plan-key-file=key", "-plan=p.bin"), "terraform_data.app")
    run.env["XPLAN_PLAN_PASSPHRASE"] = "correct horse battery staple"
    contains("show with the variable", run("show", "p.bin"), "terraform_data.app")
    contains("explain with it", run("explain", "p.bin"), "terraform_data.app")
    contains("apply with it", run("apply", "p.bin"), "Apply complete!")


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, [review_halves, planted, ways, told, documents, killed, passphrases], lambda xplan, root: Run(xplan, root)))
