#!/usr/bin/env python3
"""What the effects of a plan consist of: pairs of configurations and states that have the same digest, or must not, and what -rebase looks at.

    effects.py --xplan BINARY [CASE...]

The word GOOD stands for what is approved, and is replaced by another one in what is planned instead of it.
The last line is 'N passed, M failed'.
"""
import os
import re
import shutil
import subprocess
import sys

from approval import command, plain
from cases import run_cases
from provider_runs import HEAD, Run, contains, equal

TEXT = {"type": "string", "optional": True}
COMPUTED = {"type": "string", "computed": True, "behaviour": {"use_state_for_unknown": True}}


def block(**attributes):
    return {"version": 0, "block": {"attributes": attributes}}


def result_of(name):
    return {"type": "string", "computed": True, "behaviour": {"value_from": name}}


SCHEMA = {
    "provider": block(endpoint=TEXT), "provider_meta": block(tag=TEXT),
    "resource_schemas": {
        "mock_thing": {"version": 0, "block": {
            "attributes": {"id": COMPUTED, "a": TEXT, "b": TEXT, "out": result_of("b"), "wo": {**TEXT, "write_only": True}},
            "block_types": {"set": {"nesting_mode": "list", "block": {"attributes": {"v": TEXT}}}}}},
        "mock_unnamed": block(a=TEXT, name=TEXT),
        "mock_numbered": block(id={"type": "number", "optional": True}, a=TEXT)},
    "data_source_schemas": {"mock_d": block(q=TEXT, r=result_of("q"))},
    "ephemeral_resource_schemas": {"mock_e": block(q=TEXT, r=result_of("q"))},
}
NEW = 'resource "terraform_data" "new" {}\n'


def reader(value):
    """Its value is not known before the apply, if that of NEW is in it."""
    return NEW + 'resource "terraform_data" "reader" {\n  input = %s\n}\n' % value


def running(value, when="create"):
    return 'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    when    = %s\n    command = %s\n  }\n}\n' % (when, value)


def thing(content="", name="x"):
    return 'resource "mock_thing" "%s" {\n%s}\n' % (name, content)


CALL = 'module "m" {\n  source = "./m"\n%s}\n'
META = 'terraform {\n  required_providers {\n    mock = { source = "xplan/mock" }\n  }\n%s}\n'
PROVIDER = 'provider "mock" {\n  endpoint = %s\n}\n'

FILES = {
    **{"unknown argument: " + f.split("(")[0]: {"main.tf": reader('[terraform_data.new.id, %s]' % f), "f.txt": "GOOD", "more/GOOD.txt": ""} for f in (
        'file("f.txt")', 'filebase64("f.txt")', 'filesha256("f.txt")', 'fileset("more", "*.txt")', 'fileexists("more/good.txt")',
        'try(terraform_data.new.id, file("f.txt"))')},
    "template": {"main.tf": reader('templatefile("f.txt", { id = terraform_data.new.id })'), "f.txt": "${id} GOOD"},
    "template without known arguments": {"main.tf": reader('templatefile("f.txt", { for k in split(",", terraform_data.new.id) : k => k })'), "f.txt": "GOOD"},
    "file of a loop that does not run yet": {"main.tf": reader('[for x in split(",", terraform_data.new.id) : file("f.txt")]'), "f.txt": "GOOD"},
    "template of a module": {"main.tf": NEW + CALL % "  v = terraform_data.new.id\n", "m/f.txt": "${id} GOOD", "m/main.tf":
                             'variable "v" {}\nresource "terraform_data" "p" {\n  input = templatefile("${path.module}/f.txt", { id = var.v })\n}\n'},
    "local value of a file": {"main.tf": 'locals { f = file("f.txt") }\n' + reader('"${terraform_data.new.id}${local.f}"'), "f.txt": "GOOD"},
    "output": {"main.tf": NEW + 'output "o" { value = "${terraform_data.new.id}${file("f.txt")}" }\n', "f.txt": "GOOD"},
    "command": {"main.tf": running('file("f.txt")'), "f.txt": "echo GOOD"},
    "command of a local value": {"main.tf": 'locals { c = file("f.txt") }\n' + running("local.c"), "f.txt": "echo GOOD"},
    "command of an instance": {"main.tf": running('file("${each.key}.txt")').replace("{\n", '{\n  for_each = toset(["f"])\n', 1), "f.txt": "echo GOOD"},
    "command of a module's argument": {"main.tf": CALL % '  v = trimspace(file("f.txt"))\n', "f.txt": "echo GOOD", "m/main.tf": 'variable "v" {}\n' + running("var.v")},
    "JSON": {"main.tf.json": '{"resource": {"terraform_data": {"new": {}, "p": {"input": "${terraform_data.new.id}${file(\\"f.txt\\")}"}}}}', "f.txt": "GOOD"},
    "provider": {"main.tf": PROVIDER % 'trimspace(file("f.txt"))' + thing(), "f.txt": "GOOD"},
    "provider and local value": {"main.tf": 'locals { c = yamldecode(file("f.txt")) }\n' + PROVIDER % "local.c.e" + thing(), "f.txt": "e: GOOD"},
}
OBJECT = "  a = \"%d\"\n  b = \"GOOD\"\n"
STATES = {  # applied first, then planned
    "command of an object that is updated": (thing(OBJECT % 1), thing(OBJECT % 2) + running("mock_thing.x.b")),
    "computed attribute": (thing(OBJECT % 1), thing(OBJECT % 2) + running("mock_thing.x.out")),
    "object as a whole": (thing(OBJECT % 1), thing(OBJECT % 2) + running("jsonencode(mock_thing.x)")),
    "unknown argument": (thing(OBJECT % 1), thing(OBJECT % 2) + reader('"${terraform_data.new.id}${mock_thing.x.b}"')),
    "object that moves": (thing(OBJECT % 1), thing(OBJECT % 1, "y") + "moved {\n  from = mock_thing.x\n  to = mock_thing.y\n}\n" + running("mock_thing.y.b")),
    "object that stays": (thing(OBJECT % 1), thing(OBJECT % 1) + running("mock_thing.x.b")),
    "what it was at its end": ('resource "terraform_data" "a" { input = "GOOD" }\n',
                               'removed {\n  from = terraform_data.a\n  lifecycle { destroy = true }\n  provisioner "local-exec" {\n    when = destroy\n    command = self.input\n  }\n}\n'),
    "deletion without an id": ('resource "mock_unnamed" "x" { name = "GOOD" }\n', ""),
    "update without an id": ('resource "mock_unnamed" "x" {\n  name = "GOOD"\n  a = 1\n}\n', 'resource "mock_unnamed" "x" {\n  name = "GOOD"\n  a = 2\n}\n'),
    "deletion with a number as the id": ('resource "mock_numbered" "x" { id = length("GOOD") }\n', ""),
}
DYNAMIC = '  dynamic "set" {\n    for_each = %s\n    content {\n      v = %s\n    }\n  }\n'
SENSITIVE = NEW + CALL % "  v = terraform_data.new.id\n" + 'output "o" { value = nonsensitive(module.m.o) }\n'
CODE = {
    "block": {"main.tf": NEW + thing('  set {\n    v = "${terraform_data.new.id} GOOD"\n  }\n')},
    "dynamic block": {"main.tf": NEW + thing(DYNAMIC % ("[1]", '"${terraform_data.new.id} GOOD"'))},
    "unknown number of blocks": {"main.tf": NEW + thing(DYNAMIC % ('toset(["${terraform_data.new.id} GOOD"])', "set.value"))},
    "dynamic block of a local value": {"main.tf": 'locals { s = ["${terraform_data.new.id} GOOD"] }\n' + NEW + thing(DYNAMIC % ("local.s", "set.value"))},
    "dynamic block in JSON": {"main.tf.json": '{"resource": {"terraform_data": {"new": {}}, "mock_thing": {"x": {"dynamic": {"set": {"for_each": [1], "content": '
                                              '{"v": "${terraform_data.new.id} GOOD"}}}}}}}'},
    "override of a provider": {"main.tf": PROVIDER % '"x"' + thing(), "o_override.tf": PROVIDER % '"GOOD"'},
    "override of an empty provider": {"main.tf": 'provider "mock" {}\n' + thing(), "o_override.tf": PROVIDER % '"GOOD"'},
    "override of a provider in JSON": {"main.tf": PROVIDER % '"x"' + thing(), "o_override.tf.json": '{"provider": {"mock": {"endpoint": "GOOD"}}}'},
    "override of a module's provider": {"main.tf": CALL % "", "m/main.tf": META % "" + PROVIDER % '"x"' + thing(), "m/override.tf": PROVIDER % '"GOOD"'},
    "for_each of a provider": {"main.tf": 'locals { e = { a = "GOOD" } }\nprovider "mock" {\n  alias = "m"\n  for_each = local.e\n  endpoint = each.value\n}\n'
                                          + thing('  provider = mock.m["a"]\n')},
    "for_each of a provider by a variable": {"main.tf": 'variable "e" { default = { a = "GOOD" } }\nprovider "mock" {\n  alias = "m"\n  for_each = var.e\n'
                                                        '  endpoint = each.value\n}\n' + thing('  provider = mock.m["a"]\n')},
    "write-only argument": {"main.tf": thing('  wo = "GOOD"\n')},
    "write-only argument by a variable": {"main.tf": 'variable "s" { default = "GOOD" }\n' + thing("  wo = var.s\n")},
    "ephemeral resource": {"main.tf": 'ephemeral "mock_e" "e" { q = "GOOD" }\n' + running("ephemeral.mock_e.e.r")},
    "ephemeral resource that nobody reads": {"main.tf": 'ephemeral "mock_e" "e" { q = "GOOD" }\n' + thing()},
    "provider of an ephemeral resource": {"main.tf": PROVIDER % '"GOOD"' + 'ephemeral "mock_e" "e" {}\n' + NEW},
    "default of an ephemeral variable": {"main.tf": 'variable "v" {\n  ephemeral = true\n  default = "echo GOOD"\n}\n' + running("var.v")},
    "default of a module's ephemeral variable": {"main.tf": CALL % "", "m/main.tf": 'variable "v" {\n  ephemeral = true\n  default = "echo GOOD"\n}\n' + running("var.v")},
    "default of a provider's sensitive variable": {"main.tf": 'variable "e" {\n  sensitive = true\n  default = "GOOD"\n}\n' + PROVIDER % "var.e" + thing()},
    "default of a module's sensitive variable": {"main.tf": CALL % "", "m/main.tf": META % "" + 'variable "e" {\n  sensitive = true\n  default = "GOOD"\n}\n'
                                                 + PROVIDER % "var.e" + thing()},
    "metadata of a provider": {"main.tf": 'terraform {\n  provider_meta "mock" {\n    tag = "GOOD"\n  }\n}\n' + thing()},
    "sensitive output": {"main.tf": NEW + 'output "o" {\n  sensitive = TRUE\n  value = terraform_data.new.id\n}\n'},
    "sensitive variable": {"main.tf": SENSITIVE, "m/main.tf": 'variable "v" { sensitive = TRUE }\nresource "terraform_data" "p" { input = var.v }\n'
                                                              'output "o" {\n  value = var.v\n  sensitive = true\n}\n'},
    "keys of modules": {"main.tf": 'module "m" {\n  source = "./m"\n  for_each = toset(["GOOD"])\n}\n' + running('join(" ", keys(module.m))'), "m/main.tf": 'output "o" { value = 1 }\n'},
    "place of the state": {"main.tf": 'terraform {\n  backend "local" { path = "GOOD.tfstate" }\n}\n' + NEW},
    "encryption": {"main.tf": 'terraform {\n  encryption {\n    key_provider "pbkdf2" "k" { passphrase = "GOOD GOOD GOOD GOOD" }\n    method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }\n'
                              '    method "unencrypted" "u" {}\n    state { method = method.aes_gcm.m }\n  }\n}\n' + NEW},
    "passphrase of a local value": {"main.tf": 'locals { p = "GOOD GOOD GOOD GOOD" }\nterraform {\n  encryption {\n    key_provider "pbkdf2" "k" { passphrase = local.p }\n'
                                               '    method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }\n    state { method = method.aes_gcm.m }\n  }\n}\n' + NEW},
    **{"type: " + a: {"main.tf": 'resource "terraform_data" "p" { input = TYPED }\noutput "o" { value = TYPED }\n', "as": (a, b)} for a, b in (
        ('tolist(["a"])', '["a"]'), ('toset(["a"])', 'tolist(["a"])'), ('tomap({ a = "b" })', '{ a = "b" }'), ("tostring(null)", "tonumber(null)"))},
}


def write(run, files, word):
    for name in os.listdir(run.work):
        path = os.path.join(run.work, name)
        if name in (".terraform.lock.hcl", ".terraform", "terraform.tfstate") or name.endswith(".bin"):
            continue
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    variants = files.get("as", ())
    for name, text in files.items():
        if name == "as":
            continue
        path = os.path.join(run.work, name.replace("GOOD", word))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if variants:
            text = text.replace("TYPED", variants[word != "good"])
        if name == "main.tf" or name == "main.tf.json" and not os.path.exists(os.path.join(run.work, "head.tf")):
            with open(os.path.join(run.work, "head.tf"), "w") as f:
                f.write(HEAD)
        with open(path, "w") as f:
            f.write(text.replace("GOOD", word).replace("TRUE", "true" if word == "good" else "false"))


def digest(run, out):
    code, text, err = command(run, "plan", "-digest", "-out=" + out)
    equal("a plan" + err, code, 0)
    return re.findall(r"\b[0-9a-f]{64}\b", text)[-1]


def prepared(run, files, word):
    write(run, files, word)
    if any("/main.tf" in name or "encryption" in text or "backend" in text for name, text in files.items() if name != "as"):
        command(run, "init", "-reconfigure")


def must_differ(run, pairs):
    run.schema(**SCHEMA)
    write(run, {"main.tf": ""}, "good")
    run("init")
    for name, files in pairs.items():
        found = []
        for word in ("good", "other"):
            prepared(run, files, word)
            found.append(digest(run, word + ".bin"))
            equal(name + ": a saved plan", command(run, "show", "-digest", word + ".bin")[1].strip(), found[-1])
        equal(name + ": length", len(found[0]), 64)
        equal(name + ": the same digest", found[0] == found[1], False)
        equal(name + ": diff", command(run, "diff", "-detailed-exitcode", "good.bin", "other.bin")[0], 2)
        equal(name + ": expect", command(run, "apply", "-expect=" + found[0], "other.bin")[0], 4)


def effects_of_files(run):
    """What functions read counts, wherever only the apply evaluates it."""
    must_differ(run, FILES)


def effects_of_code(run):
    """Whatever is evaluated by the apply counts with the text of what it is made of."""
    must_differ(run, CODE)


def effects_of_states(run):
    """What code reads of objects counts, whether the plan changes them or not."""
    run.schema(**SCHEMA)
    write(run, {"main.tf": ""}, "good")
    run("init")
    state = os.path.join(run.work, "terraform.tfstate")
    for name, (before, text) in STATES.items():
        found = []
        for word in ("good", "other"):
            for path in (state, state + ".backup"):
                if os.path.exists(path):
                    os.remove(path)
            write(run, {"main.tf": before}, word)
            run("apply", "-auto-approve")
            run.edit_state(lambda r, i: i["attributes"].update({"id": "same"} if r["type"] in ("mock_thing", "terraform_data") else {}))
            write(run, {"main.tf": text}, word)
            found.append(digest(run, word + ".bin"))
        equal(name + ": the same digest", found[0] == found[1], False)


def effects_that_are_equal(run):
    """Another directory, other machines' credentials and files that no code reads make no other effects."""
    run.schema(**SCHEMA)
    files = {"main.tf": 'variable "token" {\n  sensitive = true\n  default = "d"\n}\n' + PROVIDER % "var.token" + thing('  wo = "w"\n') + reader(
        'templatefile("${path.module}/f.txt", { id = terraform_data.new.id })') + 'output "o" { value = abspath("f.txt") != file(abspath("f.txt")) }\n', "f.txt": "${id}"}
    write(run, files, "good")
    run("init")
    first = digest(run, "a.bin")
    equal("once more", digest(run, "b.bin"), first)
    equal("another token", command(run, "plan", "-digest", "-var=token=t")[1].split()[-1], first)
    elsewhere = os.path.join(run.work, "elsewhere")
    shutil.copytree(run.work, elsewhere, ignore=shutil.ignore_patterns("elsewhere"), symlinks=True)
    p = subprocess.run([run.xplan, "plan", "-digest"], cwd=elsewhere, env=run.env, capture_output=True, text=True)
    contains("another directory" + p.stderr, p.stdout, first)
    shutil.rmtree(elsewhere)
    plain_files = {"main.tf": 'locals { all = yamldecode(file("f.yaml")) }\nresource "terraform_data" "a" { input = local.all }\n', "f.yaml": "a: 1\n"}
    write(run, plain_files, "good")
    first = digest(run, "a.bin")
    write(run, {**plain_files, "f.yaml": "# a comment\na: 1\n"}, "good")
    equal("a file whose values are known", digest(run, "b.bin"), first)


def changed_files(run):
    """A saved plan is not applied as approved when the files that it was made of have changed."""
    run.schema(**SCHEMA)
    write(run, {"main.tf": running('file("f.txt")'), "f.txt": "echo"}, "good")
    run("init")
    approved = digest(run, "a.bin")
    write(run, {"main.tf": running('file("f.txt")'), "f.txt": "touch PWN"}, "good")
    code, out, err = command(run, "apply", "-expect=" + approved, "a.bin")
    equal("exit code", code, 4)
    contains("why", plain(out + err), 'no longer as they were when the plan was made: - "f.txt" Nothing was changed.')
    equal("what ran", os.path.exists(os.path.join(run.work, "PWN")), False)




def hashes_of_packages(run):
    """One more hash in the lock file lets another package in."""
    run.schema(**SCHEMA)
    write(run, {"main.tf": thing()}, "good")
    run("init")
    lock = os.path.join(run.work, ".terraform.lock.hcl")
    first = digest(run, "a.bin")
    with open(lock) as f:
        text = f.read()
    with open(lock, "w") as f:
        f.write(text.replace("hashes = [", 'hashes = [\n    "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",'))
    equal("the same digest", digest(run, "b.bin") == first, False)


B = 'resource "terraform_data" "b" { input = "GOOD" }\n'
A = 'resource "terraform_data" "a" { input = data.mock_d.d.r }\n'
REBASED = {  # the plan; and the configuration that is applied meanwhile, or a file that is written
    "data source": (B + 'data "mock_d" "d" { q = terraform_data.b.output }\n' + A, B),
    "command of a data source": (B + 'data "mock_d" "d" { q = terraform_data.b.output }\n' + running('"echo ${data.mock_d.d.r}"'), B),
    "output of a data source": (B + 'data "mock_d" "d" { q = terraform_data.b.output }\noutput "o" { value = data.mock_d.d.r }\n', B),
    "data source that waits": (B + 'data "mock_d" "d" {\n  q = "x"\n  depends_on = [terraform_data.b]\n}\n' + A, B),
    "import": ('import {\n  to = terraform_data.i\n  id = "x"\n}\nresource "terraform_data" "i" {}\n', 'import {\n  to = terraform_data.q\n  id = "x"\n}\nresource "terraform_data" "q" {}\n'),
    "file of a command": (running('file("f.txt")'), None),
}


def rebased_reads(run):
    """A plan is refused when what it has read through data sources and provisioners, or imports, is another one."""
    run.schema(**SCHEMA)
    write(run, {"main.tf": B}, "good")
    run("init")
    state = os.path.join(run.work, "terraform.tfstate")
    for name, (text, meanwhile) in REBASED.items():
        if os.path.exists(state):
            os.remove(state)
        write(run, {"main.tf": B}, "good")
        run("apply", "-auto-approve")
        write(run, {"main.tf": text if B in text else B + text, "f.txt": "echo"}, "good")
        run("plan", "-out=p.bin")
        write(run, {"main.tf": meanwhile if meanwhile == B else B + (meanwhile or NEW), "f.txt": "echo GOOD"}, "good" if meanwhile != B else "other")
        run("apply", "-auto-approve")
        write(run, {"main.tf": text if B in text else B + text, "f.txt": "echo GOOD" if meanwhile is None else "echo"}, "good")
        code, out, err = command(run, "apply", "-rebase", "p.bin")
        equal(name + out + err, code, 4)


CASES = [effects_of_files, effects_of_code, effects_of_states, effects_that_are_equal, changed_files, hashes_of_packages, rebased_reads]


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
