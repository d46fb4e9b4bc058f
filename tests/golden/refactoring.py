#!/usr/bin/env python3
"""refactor suggest: from a plan that destroys and creates, over moved blocks, to one that moves.

    refactoring.py --xplan BINARY [CASE...]      The last line is 'N passed, M failed'.
"""
import json
import os
import re
import subprocess
import sys

from cases import run_cases
from pseudo_terminal import Failed
from state_moves import Run, contains, equal, flat

BEFORE = """resource "terraform_data" "web" {
  count = 3
  input = { name = "web-${count.index}", size = "small" }
}
resource "terraform_data" "database" {
  input            = { engine = "postgres" }
  triggers_replace = "1"
}
resource "terraform_data" "cache" {
  for_each = toset(["eu", "us"])
  input    = "cache in ${each.key}"
}
resource "terraform_data" "same" {
  count = 2
}
module "net" { source = "./m" }
"""
AFTER = """resource "terraform_data" "web" {
  for_each = toset(["web-2", "web-0", "web-1"])
  input    = { name = each.key, size = "small" }
}
module "db" { source = "./db" }
resource "terraform_data" "regional_cache" {
  for_each = toset(["eu", "us"])
  input    = "cache in ${each.key}"
}
resource "terraform_data" "same" {
  for_each = toset(["a", "b"])
}
module "network" { source = "./m" }
"""
DB = """resource "terraform_data" "main" {
  input            = { engine = "postgres" }
  triggers_replace = "1"
}
"""
NET = """resource "terraform_data" "subnet" {
  count = 2
  input = "10.0.${count.index}.0/24"
}
resource "terraform_data" "gateway" { input = terraform_data.subnet[0].input }
"""
BLOCKS = {("terraform_data.cache", "terraform_data.regional_cache"), ("terraform_data.database", "module.db.terraform_data.main"),
          ("module.net", "module.network"), *(("terraform_data.web[%d]" % i, 'terraform_data.web["web-%d"]' % i) for i in range(3))}


def setup(run):
    os.makedirs(os.path.join(run.work, "db"))
    run.write("main.tf", BEFORE)
    run.write("m/main.tf", NET)
    run.write("db/main.tf", DB)
    run("init")
    run("apply", "-auto-approve")
    run.write("main.tf", AFTER)
    run("init")


def blocks_in(run, name):
    with open(os.path.join(run.work, name), newline="") as f:
        text = f.read()
    return set(re.findall(r"moved \{\s+from = (\S+)\s+to   = (\S+)\s+\}", text)), text


def end_to_end(run):
    setup(run)
    contains("before", run("plan"), "Plan: 11 to add, 0 to change, 11 to destroy.")
    text = run("refactor", "suggest", "-auto-approve")
    contains("what is told", text, "Likely moved (9)", "terraform_data.database -> module.db.terraform_data.main",
             "same: input, triggers_replace", "Ambiguous, so not suggested", 'terraform_data.same["a"] could be:', "6 moved blocks were added to moved.tf")
    found, text = blocks_in(run, "moved.tf")
    equal("the blocks", found, BLOCKS)
    run("fmt", "-check")
    text = run("plan", "-out=plan.bin")
    contains("after", text, "Plan: 2 to add, 0 to change, 2 to destroy.", "terraform_data.web[0] has moved to terraform_data.web[\"web-0\"]",
             "module.net.terraform_data.gateway has moved to module.network.terraform_data.gateway")
    text = run("refactor", "suggest")
    contains("only ambiguous ones", text, "Ambiguous, so not suggested")
    if "No object looks like" in text:
        raise Failed("it says that there are none:\n" + text)
    run("apply", "plan.bin")
    contains("what is left to do", run("refactor", "suggest"), "No object looks like one that was moved.")
    contains("in the end", run("plan"), "No changes.")


def saved_plans(run):
    setup(run)
    run("plan", "-out=plan.bin")
    run("refactor", "suggest", "-out=moves.tf", "plan.bin")
    equal("the blocks", blocks_in(run, "moves.tf")[0], BLOCKS)
    contains("after", run("plan"), "Plan: 2 to add, 0 to change, 2 to destroy.")


def files(run):
    """What a file has already stays as it is, with its line breaks; nothing is written that would be wrong."""
    setup(run)
    kept = '# Kept   as it is.\r\nlocals   {\r\n x="y"\r\n}  # no line break follows'
    with open(os.path.join(run.work, "moved.tf"), "w", newline="") as f:
        f.write(kept)
    run("refactor", "suggest", "-auto-approve")
    found, text = blocks_in(run, "moved.tf")
    equal("the blocks", found, BLOCKS)
    if not text.startswith(kept + "\r\n\r\nmoved {\r\n") or re.search(r"[^\r]\n", text):
        raise Failed("the file is not as it was: %r" % text)
    for name, part in (("sub/moved.tf", "not in the directory of the root module"), ("moved.txt", 'does not end in ".tf"'),
                       ("x_override.tf", "override file")):
        os.remove(os.path.join(run.work, "moved.tf"))
        contains(name, run("refactor", "suggest", "-out=" + name, code=1), part)
        run.write("moved.tf", "")
    run.write("broken.txt", "")
    run.write("moved.tf", "locals {\n")
    contains("a broken file", run("refactor", "suggest", "-auto-approve", code=1), "Error:")
    run.write("moved.tf", "")
    run("plan", "-out=plan.bin")
    # Blocks that contradict others are told of, and not written.
    run.write("other.tf", "moved {\n  from = terraform_data.database\n  to   = terraform_data.elsewhere\n}\n")
    contains("a contradiction", run("refactor", "suggest", "-auto-approve", "plan.bin", code=1), "so nothing was written")
    equal("the file", blocks_in(run, "moved.tf")[1], "")


def asking(run):
    setup(run)

    def answer(word):
        p = subprocess.run([run.xplan, "refactor", "suggest"], cwd=run.work, env=run.env, input=word, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=120)
        return p.returncode, flat(p.stdout)

    code, text = answer("no\n")
    equal("no", code, 0)
    contains("no", text, "Do you want to add 6 moved blocks to moved.tf?", "Nothing was written.")
    code, text = answer("")
    equal("nobody", code, 1)
    contains("nobody", text, "-auto-approve")
    if os.path.exists(os.path.join(run.work, "moved.tf")):
        raise Failed("it was written")
    equal("yes", answer("yes\n")[0], 0)
    equal("the blocks", blocks_in(run, "moved.tf")[0], BLOCKS)
    contains("a threshold", run("refactor", "suggest", "-threshold=101", code=1), "from 0 to 100")
    contains("the group", run("refactor", code=1), "suggest")


def json_output(run):
    setup(run)
    p = run.start("refactor", "suggest", "-json")
    found = json.loads(p.stdout)
    equal("the pairs", len(found["suggested"]), 9)
    one = {s["to"]: s for s in found["suggested"]}["module.db.terraform_data.main"]
    equal("one of them", (one["from"], one["equal"], one["different"], one["same_key"]),
          ("terraform_data.database", ["input", "triggers_replace"], [], True))
    equal("the blocks", {(b["from"], b["to"]) for b in found["moved"]}, BLOCKS)
    equal("objects", sum(b["objects"] for b in found["moved"]), 9)
    equal("ambiguous", {a["to"] for a in found["ambiguous"]}, {'terraform_data.same["a"]', 'terraform_data.same["b"]'})
    if "file" in found or os.path.exists(os.path.join(run.work, "moved.tf")):
        raise Failed("it was written")
    found = json.loads(run.start("refactor", "suggest", "-json", "-out=moved.tf").stdout)
    equal("the file", found["file"], "moved.tf")
    equal("the blocks in it", blocks_in(run, "moved.tf")[0], BLOCKS)


def renamed_modules(run):
    """A module with instances that are alike but for their keys goes along as a whole, by one block."""
    before = """module "svc" {
  source   = "./m"
  for_each = toset(["eu/api", "eu/web", "us/api"])
}
module "kept" {
  source = "./m"
  count  = 2
}
"""
    run.write("main.tf", before)
    run.write("m/main.tf", 'resource "terraform_data" "task" {\n  count = 2\n  input = "alike"\n}\nresource "terraform_data" "role" { input = 1 }\n')
    run("init")
    run("apply", "-auto-approve")
    run.write("main.tf", before.replace('"svc" {', '"service" {'))
    run("init")
    text = run("refactor", "suggest", "-auto-approve")
    contains("what is told", text, "Likely moved (9)", "keys of modules")
    equal("the block", blocks_in(run, "moved.tf")[0], {("module.svc", "module.service")})
    contains("after", run("plan"), "Plan: 0 to add, 0 to change, 0 to destroy.")
    # One instance is left where it is: those that go are moved one by one.
    run.write("moved.tf", "")
    run.write("main.tf", before.replace('"eu/web", ', "") + 'module "service" {\n  source   = "./m"\n  for_each = toset(["eu/web"])\n}\n')
    run("init")
    run("refactor", "suggest", "-auto-approve")
    equal("the blocks", blocks_in(run, "moved.tf")[0], {('module.svc["eu/web"]', 'module.service["eu/web"]')})


json_output.__name__ = "json"
CASES = (end_to_end, saved_plans, files, asking, json_output, renamed_modules)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
