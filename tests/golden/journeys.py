#!/usr/bin/env python3
"""Journeys: every kind of provider through every command that touches a schema, from an empty directory to an empty state.

    journeys.py --xplan BINARY KIND...          KIND is one of KINDS
    journeys.py --xplan BINARY --cannot-pass    the same with a program that does nothing: every kind must fail

A journey is the table STEPS with the words of the kind put in. A step is a command, the exit code that it must have, and what
its output must and must not contain ("!" before it). Any run that a signal or a sanitizer ended fails, whatever was expected.
The configurations are testdata/journeys/*.tf; provider programs lie beside the binary. The last line is 'N passed, M failed'.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "journeys")
TROUBLE = re.compile(r"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error:|Segmentation fault|terminate called"
                     r"|INTERNAL|Internal error")

# What differs between the kinds. `id`: the attribute by which an object is imported; `drift`: how it is changed behind the back.
KINDS = {
    "terraform_data": dict(file="data.tf", type="terraform_data", source=None, id="id", version=0, said="hunter2", of="triggers_replace"),
    "fs": dict(file="fs.tf", type="fs_file", source="terraform.io/builtin/fs", id="path", version=0, said="hunter2", of="path",
               drift="file"),
    "fs-program": dict(file="fs.tf", type="fs_file", source="xplan/fs", program="fs", id="path", version=0, said="hunter2", of="path",
                       drift="file"),
    "mock-5": dict(file="mock.tf", type="mock_thing", source="xplan/mock", program="mock", id="id", version=2, said="hunter2", of="name",
                   drift="object", env={"XPLAN_MOCK_PROTOCOL": "5"}),
    "mock-6": dict(file="mock.tf", type="mock_thing", source="xplan/mock", program="mock", id="id", version=2, said="hunter2", of="name",
                   drift="object", env={"XPLAN_MOCK_PROTOCOL": "6"}),
}

START, UPDATED = dict(name="first", text="one"), dict(name="first", text="two")
REPLACED = dict(name="second", text="two")
FAILING, WRONG = dict(REPLACED, fail=True), dict(REPLACED, wrong=True)
QUIET = "!{said}"  # the secret of every configuration, in what people see

SHOWN = [  # a plan that was saved, in every form and without the configuration's help
    ("show p.bin", 0, ["{shows}", QUIET]),
    ("show -json p.bin", 0, ["json:plan"]),
    ("explain p.bin", 0, ["{what}", QUIET]),
    ("explain p.bin {what}", 0, ["{what}", QUIET]),
]
STATE = [  # the state, in every form
    ("show", 0, ["# {a}:", 'resource "{type}" "b"', QUIET]),
    ("show -json", 0, ["json:state"]),
    ("show terraform.tfstate", 0, ["# {a}:"]),
    ("state list", 0, ["{a}\n", '{type}.b["x"]\n', '{type}.b["y"]\n']),
    ("state show {a}", 0, ["# {a}:", "id ", QUIET]),
    ('state show {type}.b["y"]', 0, ['# {type}.b["y"]:']),
    ("state pull", 0, ['"lineage"', '"{type}"']),
    ("output", 0, ["told = ", "secret = <sensitive>", QUIET]),
    ("output -json", 0, ['"told"', "{said}"]),
    ("output -raw secret", 0, ["{said}"]),
    ("console < {a}.id", 0, ['"']),
    ("console < nonsensitive({type}.b)", 0, ['"x" = ']),
    ("refresh", 0, ["told = ", QUIET]),
    ("plan -refresh-only -detailed-exitcode", 0, ["No changes"]),
    ("plan -detailed-exitcode", 0, ["No changes"]),
]


def saved(shows, what="{a}"):
    fill = lambda text: text.replace("{shows}", shows).replace("{what}", what)
    return [(fill(command), code, [fill(w) for w in wanted]) for command, code, wanted in SHOWN]


STEPS = [
    ("set", START),
    ("init", 0, ["initialized"]),
    ("validate", 0, ["valid"]),
    ("validate -json", 0, ['"valid"']),
    ("providers", 0, ["provider["]),
    ("providers schema -json", 0, ["json:schema"]),
    ("state list", 1, ["No state file"]),
    ("show", 0, ["No state"]),
    ("plan", 0, ["# {a} will be created", "Plan: {first} to add, 0 to change, 0 to destroy.", QUIET]),
    ("plan -json", 0, ['"planned_change"', QUIET]),
    ("plan -detailed-exitcode -explain", 2, ["Plan: {first} to add", QUIET]),
    ("plan -out=p.bin", 0, ["xplan apply p.bin"]),
    *saved("# {a} will be created"),
    ("apply p.bin", 0, ["Apply complete! Resources: {first} added, 0 changed, 0 destroyed.", QUIET]),
    ("apply p.bin", 1, ["stale"]),
    *STATE,
    # An update.
    ("set", UPDATED),
    ("plan -out=p.bin -detailed-exitcode", 2, ["# {a} will be updated in-place", "one", "two", QUIET]),
    *saved("# {a} will be updated in-place"),
    ("apply p.bin", 0, ["0 added, 3 changed, 0 destroyed.", QUIET]),
    *STATE,
    # A replacement.
    ("set", REPLACED),
    ("plan -out=p.bin", 0, ["# {a} must be replaced", "-/+ resource", QUIET]),
    *saved("# {a} must be replaced"),
    ("apply p.bin", 0, ["1 added, 0 changed, 1 destroyed.", QUIET]),
    *STATE,
    ("plan -replace={a} -out=p.bin", 0, ["as requested"]),
    *saved("# {a} will be replaced, as requested"),
    ("apply -auto-approve -replace={a}", 0, ["1 added, 0 changed, 1 destroyed."]),
    # Somebody changes an object behind the back.
    ("drift",),
    ("plan -refresh-only -detailed-exitcode -out=p.bin", 2, ["drifted", QUIET]),
    ("show p.bin", 0, ["has changed", "drifted"]),
    ("show -json p.bin", 0, ["json:drift"]),
    ("explain p.bin", 0, []),
    ("apply p.bin", 0, ["0 added, 0 changed, 0 destroyed."]),
    ("state show {a}", 0, ["drifted"]),
    ("drift",),
    ("plan -out=p.bin", 0, ["{a}", "drifted", QUIET]),
    *saved("{a}"),
    ("apply p.bin", 0, [r"re:Resources: (0 added, 1 changed|1 added, 0 changed), 0 destroyed\."]),
    ("undrifted",),
    *STATE,
    # Marks and addresses in the state.
    ("taint {a}", 0, ["tainted"]),
    ("show", 0, ["# {a}: (tainted)"]),
    ("plan -out=p.bin", 0, ["# {a} is tainted, so must be replaced", QUIET]),
    *saved("is tainted"),
    ("untaint {a}", 0, ["successfully untainted"]),
    ('state mv {type}.b["x"] {type}.moved', 0, ["Successfully moved 1 object"]),
    ("state list", 0, ["{type}.moved\n", '!{type}.b["x"]']),
    ("plan -out=p.bin", 0, ["# {type}.moved"]),
    *saved("# {type}.moved", "{type}.moved"),
    ('state mv {type}.moved {type}.b["x"]', 0, ["Successfully moved 1 object"]),
    ("plan -detailed-exitcode", 0, ["No changes"]),
    ("state pull > s.tfstate", 0, []),
    ("state push s.tfstate", 0, []),
    ('state rm {type}.b["y"]', 0, ["Successfully removed 1"]),
    ("state list", 0, ['!{type}.b["y"]']),
    ('import {type}.b["y"] {id_of_y}', 0, ["Import successful", QUIET]),
    ('state show {type}.b["y"]', 0, ['# {type}.b["y"]:']),
    ("apply -auto-approve", 0, [r"re:Resources: 0 added, [01] changed, 0 destroyed\."]),
    *STATE,
    # A plan that fails, and one whose apply fails.
    ("set", WRONG),
    ("plan -out=p.bin", 1, ["The text is two."]),
    ("show p.bin", 0, ["re:(?i)planning failed|Plan:"]),
    ("show -json p.bin", 0, ["json:errored"]),
    ("explain p.bin", 0, []),
    ("apply p.bin", 1, ["error"]),
    ("set", FAILING),
    ("plan -out=p.bin", 0, ["# {type}.broken[0] will be created", QUIET]),
    *saved("# {type}.broken[0] will be created", "{type}.broken[0]"),
    ("apply p.bin", 1, ["{type}.broken[0]", "!Apply complete", QUIET]),
    ("state list", 0, ["{a}\n"]),
    ("show", 0, ["# {a}:"]),
    ("show -json", 0, ["json:state"]),
    ("plan -out=p.bin", 0, ["{type}.broken[0]"]),
    *saved("{type}.broken[0]", "{type}.broken[0]"),
    ("apply -auto-approve", 1, ["{type}.broken[0]"]),
    ("set", REPLACED),
    ("apply -auto-approve", 0, ["Apply complete!"]),
    *STATE,
    # The end.
    ("plan -destroy -out=p.bin", 0, ["# {a} will be destroyed", "to destroy.", QUIET]),
    *saved("# {a} will be destroyed"),
    ("plan -destroy -target={type}.b", 0, ["2 to destroy."]),
    ("destroy -auto-approve -target={type}.b", 0, ["Destroy complete! Resources: 2 destroyed."]),
    ("destroy -auto-approve", 0, ["Destroy complete! Resources: {left} destroyed.", QUIET]),
    ("state list", 0, ["!{a}"]),
    ("show", 0, ["empty"]),
    ("show -json", 0, ["json:empty"]),
    ("plan -destroy -detailed-exitcode", 0, ["No changes"]),
    ("empty",),
]


class Failed(Exception):
    pass


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        raise Failed("this is not JSON:\n" + text[:2000])


def needs(truth, what):
    if not truth:
        raise Failed(what)


class Journey:
    def __init__(self, xplan, name, root):
        self.kind, self.xplan, self.work, self.root = KINDS[name], xplan, os.path.join(root, "work"), root
        os.makedirs(self.work)
        for f in ("other.tfstate", "greeting.txt"):
            shutil.copy(os.path.join(DATA, f), self.work)
        shutil.copy(os.path.join(DATA, self.kind["file"]), os.path.join(self.work, "main.tf"))
        if self.kind["source"]:
            local = self.kind["source"].rpartition("/")[2]
            with open(os.path.join(self.work, "providers.tf"), "w") as f:
                f.write('terraform {\n  required_providers {\n    %s = { source = "%s" }\n  }\n}\n' % (local, self.kind["source"]))
        self.env = environment(root, xplan, [self.kind["program"]] if "program" in self.kind else [])
        self.env.update(XPLAN_MOCK_SCHEMA=os.path.join(DATA, "schema.json"), XPLAN_MOCK_DIR=os.path.join(root, "objects"),
                        **self.kind.get("env", {}))
        os.makedirs(self.env["XPLAN_MOCK_DIR"])
        files = self.kind["type"] == "fs_file"
        self.words = dict(self.kind, a=self.kind["type"] + ".a", first="4" if files else "3", left="2" if files else "1")

    def object_of(self, address):
        with open(os.path.join(self.work, "terraform.tfstate")) as f:
            for r in json.load(f)["resources"]:
                for i in r["instances"]:
                    key = "[%s]" % json.dumps(i["index_key"]) if "index_key" in i else ""
                    if r["mode"] == "managed" and "%s.%s%s" % (r["type"], r["name"], key) == address:
                        return i["attributes"]
        raise Failed("the state has no " + address)

    def set(self, values):
        with open(os.path.join(self.work, "terraform.tfvars.json"), "w") as f:
            json.dump(values, f)

    def place_of_a(self):
        a = self.object_of(self.words["a"])
        if self.kind["drift"] == "file":
            return os.path.join(self.work, a["path"])
        return os.path.join(self.env["XPLAN_MOCK_DIR"], "mock_thing.%s.json" % a["id"])

    def drift(self):
        path = self.place_of_a()
        with open(path) as f:
            text = f.read()
        changed = json.dumps(dict(json.loads(text), text="drifted")) if self.kind["drift"] == "object" else "drifted"
        with open(path, "w") as f:
            f.write(changed)

    def undrifted(self):
        with open(self.place_of_a()) as f:
            needs("drifted" not in f.read(), "the object is still as it was changed behind the back")

    def empty(self):
        with open(os.path.join(self.work, "terraform.tfstate")) as f:
            needs(json.load(f)["resources"] == [], "the state is not empty at the end")
        left = os.listdir(self.env["XPLAN_MOCK_DIR"])
        needs(not [n for n in left if n.startswith("mock_thing.")], "objects are left: %s" % left)
        out = os.path.join(self.work, "out")
        needs(not os.path.isdir(out) or not os.listdir(out), "files are left: %s" % out)

    def step(self, command, code, wanted):
        words = dict(self.words)
        if "{id_of_y}" in command:
            words["id_of_y"] = self.ids["y"]
        elif "state rm" in command:
            self.ids = {"y": self.object_of(self.kind["type"] + '.b["y"]')[self.kind["id"]]}
        fill = lambda text: re.sub(r"\{(\w+)\}", lambda m: str(words[m.group(1)]), text)
        command, _, given = fill(command).partition(" < ")
        command, _, into = command.partition(" > ")
        out = run(self.xplan, command.split(), self.work, self.env, given + "\n" if given else None, code)
        if into:
            with open(os.path.join(self.work, into), "w") as f:
                f.write(out)
        for w in map(fill, wanted):
            if w.startswith("json:"):
                getattr(self, "json_" + w[5:])(parsed(out))
            elif w.startswith("re:"):
                needs(re.search(w[3:], out), "the output has nothing like %s:\n%s" % (w[3:], out))
            elif w.startswith("!"):
                needs(w[1:] not in out, "the output has %s:\n%s" % (w[1:], out))
            else:
                needs(w in re.sub(r"\s+", " ", out) or w in out, "the output has no %s:\n%s" % (w, out))

    # What a document must say: objects with all attributes, the schema's version, the drift.
    def json_plan(self, plan):
        changes = {c["address"]: c for c in plan["resource_changes"]}
        needs(self.words["a"] in changes or self.kind["type"] + ".moved" in changes, "the plan has no change of " + self.words["a"])
        needs(not plan["errored"], "the plan is errored")
        for c in changes.values():
            values = c["change"]["after"] or c["change"]["before"]
            needs(set(values) | set(c["change"]["after_unknown"] or ()) >= {self.kind["of"]}, "values are missing: " + str(c))
        resources = plan["configuration"]["root_module"]["resources"]
        needs({r["schema_version"] for r in resources if r["type"] == self.kind["type"] and r["mode"] == "managed"} ==
              {self.kind["version"]}, "schema_version in the configuration: %s" % resources)
        planned = plan["planned_values"].get("root_module", {}).get("resources", ())
        needs(all(r["schema_version"] == self.kind["version"] for r in planned if r["mode"] == "managed"), "schema_version: " + str(planned))

    def json_drift(self, plan):
        drift = plan["resource_drift"]
        needs([d["address"] for d in drift] == [self.words["a"]], "resource_drift: %s" % drift)

    def json_errored(self, plan):
        needs(plan["errored"], "the plan is not errored")

    def json_state(self, state):
        resources = {r["address"]: r for r in state["values"]["root_module"]["resources"]}
        a = resources[self.words["a"]]
        needs(a["schema_version"] == self.kind["version"] and a["values"]["id"], "the state's object: %s" % a)
        needs(self.kind["said"] in json.dumps(state), "the sensitive value is missing in JSON")

    def json_empty(self, state):
        needs("values" not in state or "root_module" not in state["values"] or not state["values"]["root_module"].get("resources"),
              "the state is not empty: %s" % state)

    def json_schema(self, document):
        schemas = document.get("provider_schemas", {})
        found = [s["resource_schemas"][self.kind["type"]] for s in schemas.values() if self.kind["type"] in s.get("resource_schemas", {})]
        needs(len(found) == 1 and found[0]["version"] == self.kind["version"] and "id" in found[0]["block"]["attributes"],
              "the schema of %s: %s" % (self.kind["type"], json.dumps(document)[:500]))

    def go(self):
        skipping = False
        for step in STEPS:
            if step[0] == "drift" and "drift" not in self.kind:
                skipping = True
            elif step == ("undrifted",):
                if not skipping:
                    self.undrifted()
                skipping = False
                continue
            if skipping:
                continue
            try:
                {"set": self.set, "drift": self.drift, "empty": self.empty}.get(step[0], lambda *rest: self.step(step[0], *rest))(*step[1:])
            except (Failed, KeyError, TypeError, OSError, ValueError) as e:
                raise Failed("%s: %s%s" % (step[0], "" if isinstance(e, Failed) else type(e).__name__ + ": ", e))


def environment(root, xplan, programs):
    """A home of its own, and a mirror with these provider programs, which lie beside xplan."""
    mirror = os.path.join(root, "mirror")
    for name in programs:
        folder = os.path.join(mirror, "registry.terraform.io", "xplan", name, "1.0.0", "linux_amd64")
        os.makedirs(folder)
        shutil.copy(os.path.join(os.path.dirname(xplan), "terraform-provider-" + name),
                    os.path.join(folder, "terraform-provider-%s_v1.0.0" % name))
    os.makedirs(mirror, exist_ok=True)
    rc = os.path.join(root, "rc")
    with open(rc, "w") as f:
        f.write('provider_installation {\n  filesystem_mirror {\n    path = "%s"\n  }\n}\n' % mirror)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
    env.update(TF_CLI_CONFIG_FILE=rc, HOME=root, NO_COLOR="1", CHECKPOINT_DISABLE="1")
    env.pop("XDG_CACHE_HOME", None)
    return env


def run(xplan, args, cwd, env, given=None, code=None):
    """Standard output and error of a run that must end by itself, with this exit code."""
    p = subprocess.run([xplan, *args], cwd=cwd, env=env, input=given, stdin=subprocess.DEVNULL if given is None else None, text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    both = p.stdout + p.stderr
    needs(p.returncode >= 0 and p.returncode < 126, "ended by signal %d\n%s" % (p.returncode, both))
    needs(not TROUBLE.search(both), both)
    needs(code is None or p.returncode == code, "exit code %d instead of %s\n%s" % (p.returncode, code, both))
    return p.stdout if code == 0 and "-json" in args or "pull" in args else both


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--xplan", required=True)
    arguments.add_argument("--cannot-pass", action="store_true")
    arguments.add_argument("kinds", nargs="*")
    a = arguments.parse_args()
    failed = []
    kinds = a.kinds or sorted(KINDS)
    for name in kinds:
        with tempfile.TemporaryDirectory() as root:
            xplan = os.path.abspath(a.xplan)
            if a.cannot_pass:
                for program in {k["program"] for k in KINDS.values() if "program" in k}:
                    shutil.copy("/bin/true", os.path.join(root, "terraform-provider-" + program))
                xplan = shutil.copy("/bin/true", os.path.join(root, "xplan"))
            try:
                Journey(xplan, name, root).go()
            except Failed as e:
                failed.append(name)
                if not a.cannot_pass:
                    print("FAILED %s: %s" % (name, e))
    print("%d passed, %d failed" % (len(kinds) - len(failed), len(failed)))
    return (len(failed) != len(kinds)) if a.cannot_pass else bool(failed)


if __name__ == "__main__":
    sys.exit(main())
