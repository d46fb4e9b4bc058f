#!/usr/bin/env python3
"""Runs with the mock provider as a plugin program, of what the reference does not know or does not survive.

    provider_runs.py --xplan BINARY [CASE...]

The mock lies beside the binary. Each case has a folder, a schema for the mock and configurations of its own. The last line is
'N passed, M failed'.
"""
import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from cases import run_cases
from pseudo_terminal import Failed

HEAD = """terraform {
  required_providers {
    mock = { source = "xplan/mock" }
  }
}
"""
STRING = {"type": "string", "optional": True}
NAME = {"type": "string", "required": True}
ID = {"type": "string", "computed": True, "behaviour": {"use_state_for_unknown": True}}


def typed(attributes=None, behaviour=None, version=0):
    t = {"version": version, "block": {"attributes": {"id": ID, "name": NAME, "text": STRING, **(attributes or {})}}}
    return {**t, "behaviour": behaviour} if behaviour else t


def resource(kind, name="x", **arguments):
    lines = "".join("  %s = %s\n" % (k, v) for k, v in {"name": json.dumps(name), **arguments}.items())
    return 'resource "mock_%s" "%s" {\n%s}\n' % (kind, name, lines)


class Run:
    """One folder with the mock installed from a mirror."""

    def __init__(self, xplan, root):
        self.xplan, self.work = xplan, os.path.join(root, "work")
        self.calls_file, self.schema_file = os.path.join(root, "calls"), os.path.join(root, "schema.json")
        mirror = os.path.join(root, "mirror", "registry.terraform.io", "xplan", "mock", "1.0.0", "linux_amd64")
        self.program = os.path.join(mirror, "terraform-provider-mock_v1.0.0")
        os.makedirs(mirror)
        os.makedirs(self.work)
        shutil.copy(os.path.join(os.path.dirname(xplan), "terraform-provider-mock"), self.program)
        with open(os.path.join(root, "rc"), "w") as f:
            f.write('provider_installation {\n  filesystem_mirror {\n    path = "%s"\n  }\n}\n' % os.path.join(root, "mirror"))
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
        self.env.update(TF_CLI_CONFIG_FILE=os.path.join(root, "rc"), HOME=root, NO_COLOR="1", TF_IN_AUTOMATION="1",
                        XPLAN_MOCK_SCHEMA=self.schema_file, XPLAN_MOCK_LOG=self.calls_file, XPLAN_MOCK_LOG_VALUES="1")
        self.env.pop("XDG_CACHE_HOME", None)

    def beside(self, root):
        """A folder of its own, with the same programs."""
        other = copy.copy(self)
        other.work, other.calls_file = os.path.join(root, "work"), os.path.join(root, "calls")
        os.makedirs(other.work)
        other.env = {**self.env, "HOME": root, "XPLAN_MOCK_LOG": other.calls_file}
        return other

    def schema(self, **parts):
        with open(self.schema_file, "w") as f:
            json.dump(parts, f)

    def config(self, text):
        with open(os.path.join(self.work, "main.tf"), "w") as f:
            f.write(HEAD + text)

    def start(self, *args):
        if os.path.exists(self.calls_file):
            os.remove(self.calls_file)
        return subprocess.Popen([self.xplan, *args], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __call__(self, *args, fails=False):
        if not os.path.exists(os.path.join(self.work, ".terraform.lock.hcl")) and args[0] != "init":
            self("init")
        p = self.start(*args)
        text = p.communicate(timeout=120)[0]
        if (p.returncode != 0) != fails:
            raise Failed("%s ended with %d:\n%s" % (" ".join(args), p.returncode, text))
        return text

    def json(self, *args):
        return json.loads(self(*args))

    def calls(self):
        if not os.path.exists(self.calls_file):
            return []
        with open(self.calls_file) as f:
            return [json.loads(line) for line in f.read().split("\n")[:-1]]  # read at once: the last one may be being written

    def state(self):
        with open(os.path.join(self.work, "terraform.tfstate")) as f:
            return json.load(f)

    def instances(self):
        return {r["type"] + "." + r["name"]: i for r in self.state()["resources"] for i in r["instances"]}

    def edit_state(self, change):
        state = self.state()
        for r in state["resources"]:
            for i in r["instances"]:
                change(r, i)
        with open(os.path.join(self.work, "terraform.tfstate"), "w") as f:
            json.dump(state, f)

    def plan(self, *args):
        self("plan", "-out=plan.bin", *args)
        return self.json("show", "-json", "plan.bin")

    def alive(self):
        """Processes of this folder's provider program."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink("/proc/%s/exe" % pid).startswith(os.path.dirname(self.program)) or \
                        os.path.join(self.work, ".terraform") in os.readlink("/proc/%s/exe" % pid):
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def wait_for(self, call, count=1):
        """Until the mock was called so."""
        for _ in range(300):
            if sum(c["call"] == call for c in self.calls()) >= count:
                return
            time.sleep(0.1)
        raise Failed("the mock was never called: %s" % call)


def equal(what, found, wanted):
    if found != wanted:
        raise Failed("%s:\n  found  %s\n  wanted %s" % (what, json.dumps(found), json.dumps(wanted)))


def contains(what, text, *parts):
    for part in parts:
        if part not in " ".join(text.replace("│", " ").split()):
            raise Failed("%s has no %r:\n%s" % (what, part, text))


def gone(run):
    for _ in range(50):
        if not run.alive():
            return
        time.sleep(0.1)
    raise Failed("processes of the provider are left behind: %s" % run.alive())


# --- identities

WHO = {"account": {"type": "string", "required_for_import": True}, "id": {"type": "string", "required_for_import": True},
       "zone": {"type": "string", "optional_for_import": True}}
ACCOUNT = {"type": "string", "optional": True, "computed": True, "behaviour": {"value": "acme", "known_at_plan": True}}


def who(version=1, **scripts):
    return {"resource_schemas": {"mock_a": typed({"account": ACCOUNT, "zone": STRING}, scripts)},
            "resource_identity_schemas": {"mock_a": {"version": version, "attributes": WHO}}}


def change_of(plan, index=0):
    return plan["resource_changes"][index]["change"]


def identities(run):
    run.schema(**who())
    run.config(resource("a"))
    plan = run.plan()
    equal("before_identity", change_of(plan).get("before_identity"), None)
    equal("after_identity", change_of(plan)["after_identity"], {"account": "acme", "zone": None})
    run("apply", "plan.bin")
    named = {"account": "acme", "id": "mock_a-1", "zone": None}
    made = run.instances()["mock_a.x"]
    equal("identity in the state", [made["identity"], made["identity_schema_version"]], [named, 1])
    equal("planned identity", run.calls()[-1]["identity"], {"account": "acme", "id": {"unknown": True}, "zone": None})

    run.config(resource("a", text='"new"'))
    plan = run.plan()
    equal("identities of an update", [change_of(plan)["before_identity"], change_of(plan)["after_identity"]], [named] * 2)
    run("apply", "plan.bin")
    equal("identity after an update", run.instances()["mock_a.x"]["identity"], named)
    equal("the calls know it", [c.get("identity") for c in run.calls() if c["call"] in ("plan", "apply")], [named] * 2)

    run("state", "mv", "mock_a.x", "mock_a.y")
    equal("identity after a move", run.instances()["mock_a.y"]["identity"], named)
    run("state", "mv", "mock_a.y", "mock_a.x")
    values = run.json("show", "-json")["values"]["root_module"]["resources"][0]
    equal("identity in show", [values["identity"], values["identity_schema_version"]], [named, 1])
    schemas = run.json("providers", "schema", "-json")["provider_schemas"]["registry.terraform.io/xplan/mock"]
    equal("schema of the identity", schemas["resource_identity_schemas"], {"mock_a": {"version": 1, "attributes": WHO}})

    # A state of an older program has none: the refresh brings it, and there is nothing to decide about.
    run.edit_state(lambda r, i: (i.pop("identity"), i.pop("identity_schema_version")))
    equal("nothing to do", run.plan()["applyable"], False)
    run("apply", "-auto-approve", "-refresh-only")
    equal("identity after a refresh", run.instances()["mock_a.x"]["identity"], named)
    # A provider that does not know identities (any more) does not take them away.
    run.schema(resource_schemas=who()["resource_schemas"])
    shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"))
    run.config(resource("a", text='"newer"'))
    run("apply", "-auto-approve")
    equal("identity without a schema", run.instances()["mock_a.x"]["identity"], named)


def identity_versions(run):
    run.schema(**who())
    run.config(resource("a"))
    run("apply", "-auto-approve")
    run.schema(**who(version=3))
    run("plan", "-refresh-only")  # the schema that was kept is found out, and planning starts over
    run("apply", "-auto-approve", "-refresh-only")
    upgrade = [c for c in run.calls() if c["call"] == "upgrade_identity"]
    equal("upgrades", [(c["version"], json.loads(c["json"])["account"]) for c in upgrade[:1]], [(1, "acme")])
    equal("version", run.instances()["mock_a.x"]["identity_schema_version"], 3)
    run.schema(**who(version=2))
    run("plan", fails=True)
    contains("a newer identity", run("plan", fails=True), "was recorded with version 3 of its schema")
    for script, why in [({"error": "not that one"}, "not that one"), ({"identity": None}, "is null")]:
        run.schema(**who(version=4, upgrade_identity=script))
        shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"))
        contains("a failed upgrade", run("plan", fails=True), why)


def identity_contract(run):
    run.schema(**who())
    run.config(resource("a"))
    run("apply", "-auto-approve")
    other = {"account": "other", "id": "mock_a-1"}
    for call, again in [("read", "when it read the object"), ("plan", "when it planned")]:
        run.schema(**who(**{call: {"identity": other}}))
        run.config(resource("a", text=json.dumps(call)))
        contains("another identity at " + call, run("plan", fails=True), "Provider produced invalid identity", again,
                 '"account":"acme"', '"account":"other"')
    run.schema(**who(apply={"identity": other}))
    contains("another identity at apply", run("apply", "-auto-approve", fails=True), "when it applied the change")
    kept = run.instances()["mock_a.x"]
    equal("the identity stays, the change is recorded", [kept["identity"]["account"], kept["attributes"]["text"]], ["acme", "plan"])
    run.schema(**who(plan={"on": "create", "identity": {"account": "planned", "id": "p"}}))
    run.config(resource("a", text='"plan"') + resource("a", "y"))
    contains("a creation that keeps not to it", run("apply", "-auto-approve", fails=True), "when it applied the change",
             '"account":"planned"')
    equal("it is tainted", run.instances()["mock_a.y"].get("status"), "tainted")


def import_by_identity(run):
    block = "import {\n  to = mock_a.x\n  identity = %s\n}\n"
    run.schema(**who())
    run.config(block % '{ account = "acme", id = "a1" }' + resource("a"))
    plan = run.plan()
    equal("importing", change_of(plan)["importing"], {"identity": {"account": "acme", "id": "a1"}})
    contains("the text", run("show", "plan.bin"), '(imported by its identity {"account":"acme","id":"a1"})')
    run("plan", "-out=plan.bin")
    equal("asked by identity", [(c["id"], c["identity"]["id"]) for c in run.calls() if c["call"] == "import"], [("", "a1")])
    run("apply", "plan.bin")
    equal("identity", run.instances()["mock_a.x"]["identity"], {"account": "acme", "id": "a1", "zone": None})
    for given, why in [('{ account = "acme" }', 'requires the attribute "id"'), ('{ account = "a", id = "b", colour = "c" }', "has only these attributes"),
                       ('"a1"', "must be an object"), ("null", "is null"), ('{ account = [], id = "b" }', 'attribute "account"'),
                       ('sensitive({ account = "a", id = "b" })', "is sensitive"),
                       ('{ account = "a", id = terraform_data.t.id }', "only known after apply"),
                       ('{ account = "a", id = "b" }\n  id = "b"', "each of them identifies")]:
        run.config(block % given + resource("a") + 'resource "terraform_data" "t" {}\n')
        run("state", "rm", "mock_a.x") if "mock_a.x" in run.instances() else None
        contains("identity = " + given, run("plan", fails=True), why)
    run.schema(resource_schemas=who()["resource_schemas"])
    shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"))
    run.config(block % '{ account = "a", id = "b" }' + resource("a"))
    contains("a type without", run("plan", fails=True), 'does not support identities for objects of type "mock_a"')
    run.schema(**who(read={"override": {"name": "n", "account": "acme"}}))
    shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"))
    run.config(block % '{ account = "acme", id = "g1" }')
    run("plan", "-generate-config-out=made.tf", "-out=plan.bin")
    with open(os.path.join(run.work, "made.tf")) as f:
        contains("generated configuration", f.read(), 'from {"account":"acme","id":"g1"}', 'name = "n"')
    run("apply", "plan.bin")
    equal("the generated object", run.instances()["mock_a.x"]["identity"]["id"], "g1")


def move_identity(run):
    parts = who()
    parts["resource_schemas"]["mock_b"] = typed({"account": ACCOUNT})
    parts["resource_identity_schemas"]["mock_b"] = {"version": 0, "attributes": {"account": {"type": "string"}}}
    run.schema(**parts)
    run.config(resource("a"))
    run("apply", "-auto-approve")
    run.config(resource("b") + "moved {\n  from = mock_a.x\n  to   = mock_b.x\n}\n")
    run("plan", "-out=plan.bin")
    moved = [c for c in run.calls() if c["call"] == "move"]
    equal("identity of the source", json.loads(moved[0]["identity"]), {"account": "acme", "id": "mock_a-1", "zone": None})
    run("apply", "plan.bin")
    equal("identity of the target", run.instances()["mock_b.x"]["identity"], {"account": "acme"})


# --- schemas that were kept from an earlier run

def outdated_schema(run):
    run.schema(resource_schemas={"mock_a": typed()})
    run.config(resource("a"))
    run("apply", "-auto-approve")
    # Another environment, another schema: what does not fit the one that was kept fits the present one.
    run.schema(resource_schemas={"mock_a": typed({"more": STRING}), "mock_b": typed()}, functions={
        "same": {"parameters": [{"name": "v", "type": "string"}], "return_type": "string"}})
    run.config(resource("a", more='provider::mock::same("m")') + resource("b"))
    text = run("validate")
    contains("validation", text, "Success")
    contains("a plan", run("plan"), "1 to add, 1 to change, 0 to destroy")
    # What fits neither is said once, of the present schema.
    run.schema(resource_schemas={"mock_a": typed({"other": STRING})})
    text = run("validate", fails=True)
    equal("problems", text.count("Error:"), 2)
    # Both fit, but values would be sent in the wrong shape. Whether the provider wants to be asked each time, or says that its
    # schema may be kept though it is another: every command works with the present one at once.
    def begin(text):
        shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"))
        run.schema(resource_schemas={"mock_a": typed()})
        run.config(text)
        run("apply", "-auto-approve")
        run.schema(resource_schemas={"mock_a": typed({"hidden": {**STRING, "computed": True, "behaviour": {"value": "now"}}})})

    for fixed in ("", "yes"):
        run.env["XPLAN_MOCK_FIXED_SCHEMA"] = fixed
        for command in (["plan"], ["plan", "-refresh-only"], ["refresh"], ["validate"], ["apply", "-auto-approve"], ["destroy", "-auto-approve"]):
            begin(resource("a"))
            run(*command)
        # What only the state names.
        begin(resource("a"))
        run.config("")
        contains("an object that is not declared", run("plan"), "0 to add, 0 to change, 1 to destroy")
        contains("its end", run("apply", "-auto-approve"), "1 destroyed")
        # A plan of the schema before.
        begin(resource("a"))
        run.schema(resource_schemas={"mock_a": typed()})
        run.config(resource("a", text='"new"'))
        shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"))
        run("plan", "-out=p.bin")
        run.schema(resource_schemas={"mock_a": typed({"hidden": STRING})})
        contains("a saved plan", run("show", "p.bin"), "1 to change")
        run("destroy", "-auto-approve")


def outdated_schema_and_more(run):
    """Planned again by the present schema: with what was generated, wherever it lies, and with every warning once."""
    with open(run.env["TF_CLI_CONFIG_FILE"]) as f:
        mirror = f.read()
    override = '  dev_overrides {\n    "xplan/mock" = "%s"\n  }\n' % os.path.dirname(run.program)
    hidden = {"hidden": {**STRING, "computed": True, "behaviour": {"value": "now"}}}
    read = {"read": {"override": {"name": "n"}}}
    made = os.path.join(os.path.dirname(run.work), "made.txt")

    def begin(overridden=False):
        with open(run.env["TF_CLI_CONFIG_FILE"], "w") as f:
            f.write(mirror)
        shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"), ignore_errors=True)
        run.schema(resource_schemas={"mock_a": typed(), "mock_b": typed(behaviour=read)})
        run.config(resource("a"))
        if overridden:
            with open(run.env["TF_CLI_CONFIG_FILE"], "w") as f:
                f.write(mirror.replace("provider_installation {\n", "provider_installation {\n" + override))
        run("apply", "-auto-approve")

    for fixed in ("", "yes"):
        run.env["XPLAN_MOCK_FIXED_SCHEMA"] = fixed
        begin()
        run.schema(resource_schemas={"mock_a": typed(hidden), "mock_b": typed(behaviour=read)})
        run.config(resource("a") + 'import {\n  to = mock_b.x\n  id = "b1"\n}\n')
        contains("a plan with generated configuration", run("plan", "-generate-config-out=" + made),
                 "1 to import, 0 to add, ")
        os.remove(made)
        for command in (["plan"], ["validate"], ["plan", "-json"], ["validate", "-json"]):
            begin(overridden=True)
            run.schema(resource_schemas={"mock_a": typed(hidden), "mock_b": typed()})
            run.config(resource("a"))
            text = run(*command)
            equal(" ".join(command), text.count("Provider development overrides are in effect"), 2 if command == ["plan", "-json"] else 1)


def saved_plans_are_shown(run):
    """A plan that was written is shown in every form, whatever it failed for, and whatever else the state holds."""
    def after(before, now, config, *options, exists=True):
        run.env["XPLAN_MOCK_FIXED_SCHEMA"] = ""
        run.schema(resource_schemas=before)
        run.config("".join(resource(t[5:]) for t in before))
        run("apply", "-auto-approve")
        run.schema(resource_schemas=now)
        run.config(config)
        text = run("plan", "-out=p.bin", *options, fails=not options)
        contains("the plan of %s" % now, text, "Plan:" if options else "Error:")
        shown = json.loads(next(line for line in run("show", "-json", "p.bin").splitlines() if line.startswith("{")))
        equal("errored", shown["errored"], not options)
        run("show", "p.bin")
        run("explain", "p.bin")
        os.remove(os.path.join(run.work, "p.bin"))
        run.schema(resource_schemas=before)
        run("state", "rm", *("%s.x" % t for t in before))
        return shown

    number = {"type": "number", "optional": True}
    after({"mock_a": typed(version=2)}, {"mock_a": typed(version=1)}, resource("a"))
    after({"mock_a": typed({"n": {**STRING, "computed": True, "behaviour": {"value": "x"}}}, version=1)},
          {"mock_a": typed({"n": number}, version=1)}, resource("a"))
    after({"mock_a": typed(version=1)}, {"mock_a": typed({"n": number}, {"upgrade": {"error": "no way"}}, version=2)}, resource("a"))
    after({"mock_a": typed(), "mock_b": typed()}, {"mock_a": typed()}, resource("a"))
    # No error, for what is unreadable is not part of the plan.
    shown = after({"mock_a": typed(), "mock_b": typed()}, {"mock_a": typed()}, resource("a", text='"new"'), "-target=mock_a.x")
    equal("objects", [r["address"] for r in shown["prior_state"]["values"]["root_module"]["resources"]], ["mock_a.x"])


# --- providers that do not answer

def interrupted(run, args, call, deaf):
    p = run.start(*args)
    run.wait_for(call)
    time.sleep(0.2)
    p.send_signal(signal.SIGINT)
    if deaf:
        time.sleep(1)
        if p.poll() is not None:
            raise Failed("it did not wait for what was under way:\n" + p.stdout.read())
        p.send_signal(signal.SIGINT)
    start = time.monotonic()
    text = p.communicate(timeout=60)[0]
    took = time.monotonic() - start
    equal("exit code of " + text, p.returncode, 1)
    if took > 10:
        raise Failed("it took %.1f s to end:\n%s" % (took, text))
    gone(run)
    return text


def stopping(run):
    run.config(resource("a"))
    long = {"delay_ms": 100000}
    for call, args in [("plan", ["plan"]), ("apply", ["apply", "-auto-approve"]), ("configure", ["plan"])]:
        for deaf in (False, True):
            script = {call: {**long, "deaf": deaf}}
            run.schema(resource_schemas={"mock_a": typed(behaviour={} if call == "configure" else script)},
                       behaviour=script if call == "configure" else {})
            if not os.path.exists(os.path.join(run.work, ".terraform")):
                run("init")
            interrupted(run, args, call, deaf)
            equal("the provider was told to stop " + call, [c["call"] for c in run.calls()].count("stop"), 1)
            if call == "apply":
                if deaf:
                    contains("the run after", run("state", "list"), "Outcome of changes is unknown")
                else:
                    contains("what was finished", run("state", "rm", "mock_a.x"), "mock_a.x")


def on_error(run):
    """What a failure stops: nothing but what reads it, everything that has not begun, or also what has."""
    fails = {"apply": {"error": "Refused", "when": {"name": "bad"}}}
    run.schema(resource_schemas={"mock_a": typed(behaviour=fails), "mock_slow": typed(behaviour={"apply": {"delay_ms": 1000}})})
    run.config('resource "mock_a" "a" {\n  for_each = toset(["bad", "good"])\n  name = each.key\n}\n'
               'resource "mock_a" "b" {\n  for_each = toset(["bad", "good"])\n  name = "of ${each.key}"\n  text = mock_a.a[each.key].id\n}\n'
               + "".join(resource("slow", "s%d" % i) for i in range(4)))
    run("init")
    counts = re.compile(r"^Apply incomplete! (\d+) done, (\d+) failed(?:, (\d+) not started)?\.$", re.M)
    for how in ("continue", "drain", "stop"):
        text = run("apply", "-auto-approve", "-parallelism=2", "-on-error=" + how, fails=True)
        if not (found := counts.search(text)):
            raise Failed("there is no closing line:\n" + text)
        done, failed, left = (int(n or 0) for n in found.groups())
        equal("all with " + how, (done + failed + left, failed), (8, 1))
        equal("what was made with " + how, len([n for n in run("state", "list").split() if n.startswith("mock_")]), done)
        equal("what was told with " + how, text.count("Creation complete"), done)
        if how == "continue":
            equal("what reads the failure", re.findall(r"^│   - (.*)$", text, re.M), ['mock_a.b["bad"]'])
            run("destroy", "-auto-approve")
            continue
        contains("why the rest is left", re.sub(r"[\s│]+", " ", text), "Nothing more was started after the first failure")
        if run("state", "list"):
            run("destroy", "-auto-approve")
    # Providers are told to end what they do.
    for how, told in (("drain", 0), ("stop", 1)):
        run("apply", "-auto-approve", "-on-error=" + how, fails=True)
        equal("stops with " + how, [c["call"] for c in run.calls()].count("stop"), told)
        if run("state", "list"):
            run("destroy", "-auto-approve")
    # Of a stream, nothing is new.
    lines = [json.loads(line) for line in run("apply", "-auto-approve", "-json", "-on-error=drain", fails=True).splitlines()]
    if any("incomplete" in line["@message"] for line in lines):
        raise Failed("the stream has a closing line")
    contains("a wrong word", run("apply", "-on-error=panic", fails=True), "continue, drain or stop")


def killed(run):
    run.schema(resource_schemas={"mock_a": typed(behaviour={"apply": {"delay_ms": 100000, "deaf": True}})})
    run.config(resource("a"))
    run("init")
    p = run.start("apply", "-auto-approve")
    run.wait_for("apply")
    p.kill()
    p.communicate()
    gone(run)
    contains("the run after", run("plan"), "1 to add")


def hanging_start(run):
    run.schema(resource_schemas={"mock_a": typed()})
    run.config(resource("a"))
    with open(run.program, "w") as f:
        f.write("#!/bin/sh\necho starting >&2\nexec sleep 1000\n")
    run("init")
    p = run.start("plan")
    time.sleep(1)
    p.send_signal(signal.SIGINT)
    text = p.communicate(timeout=10)[0]
    equal("exit code", p.returncode, 1)
    if subprocess.run(["pgrep", "-f", run.work], capture_output=True).stdout:
        raise Failed("the provider's process is left behind")
    contains("the text", text, "Interrupt received")


# --- ephemeral resources

EPHEMERAL = 'ephemeral "mock_e" "e" {\n  name = "e"\n}\n'


def with_ephemeral(resources=None, **scripts):
    return {"resource_schemas": {"mock_a": typed({"pw": {**STRING, "write_only": True}}, resources or {})},
            "ephemeral_resource_schemas": {"mock_e": {"block": {"attributes": {"name": NAME}}, "behaviour": scripts}}}


def order(run, *names):
    return [c["call"] for c in run.calls() if c["call"] in names]


def renewals(run):
    run.config(EPHEMERAL + resource("a", pw="ephemeral.mock_e.e.name"))
    run.schema(**with_ephemeral({"apply": {"delay_ms": 3500}}, open={"renew_in_s": 1}, renew={"renew_in_s": 1}))
    run("init")
    run("apply", "-auto-approve")
    seen = order(run, "open", "renew", "close", "apply")  # planning, too, renews where it takes its time
    equal("calls", ([c for c in seen if c != "renew"], seen[-1], "renew" in seen[seen.index("apply"):]),
          (["open", "close", "open", "apply", "close"], "close", True))
    equal("what was not said to be renewed again is not", [c["private"] for c in run.calls() if c["call"] == "renew"][0],
          '{"opened":"yes"}')
    run("apply", "-destroy", "-auto-approve")
    # A renewal that fails does not end what is under way, but the run fails.
    run.schema(**with_ephemeral({"apply": {"delay_ms": 5000}}, open={"renew_in_s": 3}, renew={"error": "expired"}))
    contains("a renewal that fails", run("apply", "-auto-approve", fails=True), "expired", "ephemeral.mock_e.e")
    equal("renewed once, closed", order(run, "renew", "close")[-2:], ["renew", "close"])
    equal("the object is there", list(run.instances()), ["mock_a.x"])


def exclusions(run):
    """What is excluded is left as it is, and so are the other instances of its modules."""
    module = os.path.join(run.work, "m")
    os.mkdir(module)
    with open(os.path.join(module, "main.tf"), "w") as f:
        f.write('resource "terraform_data" "y" {\n  input = 1\n}\nresource "terraform_data" "z" {\n  input = terraform_data.y.id\n}\n')
    run.schema()
    run.config('module "m" {\n  source = "./m"\n  count = 2\n}\n')
    run("init")
    run("apply", "-auto-approve", "-exclude=module.m[1]")
    equal("created", run("state", "list").split(), ["module.m[0].terraform_data.y", "module.m[0].terraform_data.z"])
    run("apply", "-auto-approve")
    for excluded in ("module.m[1]", "module.m[7]", "module.m[1].terraform_data.y", "module.m[0].terraform_data.z", "module.m",
                     "module.m.terraform_data.y"):
        equal("changes with " + excluded, [c["address"] for c in run.plan("-exclude=" + excluded).get("resource_changes", [])
                                           if c["change"]["actions"] != ["no-op"]], [])
    # The same from files.
    addresses = os.path.join(run.work, "addresses")

    def lines(text):
        with open(addresses, "w") as f:
            f.write(text)

    lines("# what is to stay\n\n  module.m[1].terraform_data.z\r\nmodule.m[0].terraform_data.z")
    for option, destroyed in (("-target-file", ["module.m[0].terraform_data.z", "module.m[1].terraform_data.z"]), ("-exclude-file", [])):
        plan = run.plan(option + "=" + addresses, "-destroy")
        equal("destroyed with " + option, [c["address"] for c in plan.get("resource_changes", []) if c["change"]["actions"] == ["delete"]],
              destroyed)
    contains("both", run("plan", "-target-file=" + addresses, "-exclude=module.m", fails=True), "cannot be used together")
    lines("module.m\n1 + 1\n")
    contains("a wrong line", run("plan", "-target-file=" + addresses, fails=True), '"1 + 1" on line 2 of')
    lines("# nothing\n")
    contains("no line", run("plan", "-target-file=" + addresses, fails=True), "contains no address")
    contains("no file", run("plan", "-exclude-file=" + addresses + "x", fails=True), "cannot be read")
    run("destroy", "-auto-approve", "-exclude=module.m[1]")
    equal("left", run("state", "list").split(), ["module.m[1].terraform_data.y", "module.m[1].terraform_data.z"])


def tofu_files(run):
    """Files of OpenTofu's count in its dialect alone, each instead of the one with the same name."""
    def write(name, text):
        with open(os.path.join(run.work, name), "w") as f:
            f.write(text)

    write("main.tf", 'output "from" {\n  value = "tf"\n}\n')
    write("main.tofu", 'output "from" {\n  value = "tofu"\n}\n')
    write("more.tofu.json", '{"output": {"more": {"value": "tofu"}}}')
    write("more.tf.json", '{"output": {"more": {"value": "tf"}}}')
    write("x_override.tofu", 'output "more" {\n  value = "overridden"\n}\n')
    for dialect, outputs in (("terraform", {"from": "tf", "more": "tf"}), ("opentofu", {"from": "tofu", "more": "overridden"})):
        run.env["XPLAN_DIALECT"] = dialect
        run("init")
        run("apply", "-auto-approve")
        equal("outputs for " + dialect, {k: v["value"] for k, v in json.loads(run("output", "-json")).items()}, outputs)
        # A saved plan has the files that it was made from.
        run("plan", "-out=p.bin", "-refresh=false")
        run("apply", "p.bin")
    run("destroy", "-auto-approve")


def generated_config(run):
    """A provider that says so is asked what configuration makes an imported object, and believed, but not blindly."""
    def schema(offered=True, **script):
        kind = typed({"id": {**ID, "optional": True}, "made": {"type": "string", "computed": True},
                      "old": {"type": "string", "optional": True, "computed": True, "deprecated": True},
                      "either": {"type": "string", "optional": True, "computed": True}},
                     {"import": {"override": {"name": "n", "old": "o", "either": "e", "made": "m"}},
                      **({"generate_config": script} if script else {})})
        run.schema(resource_schemas={"mock_a": kind}, behaviour={"generate_config": offered})

    def made(**how):
        path = os.path.join(run.work, "made.tf")
        if os.path.exists(path):
            os.remove(path)
        text = run("plan", "-generate-config-out=made.tf", **how)
        with open(path) if not how else open(os.devnull) as f:
            return text, f.read().split("\n\n")[-1].strip()

    asked = lambda: [c["state"]["name"] for c in run.calls() if c["call"] == "generate_config"]
    run.config('import {\n  to = mock_a.x\n  id = "i-1"\n}\n')
    for protocol in "5", "6":
        run.env["XPLAN_MOCK_PROTOCOL"] = protocol
        schema(False)
        equal("guessed", made()[1].split("\n", 1)[1], """resource "mock_a" "x" {
  either = "e"
  name   = "n"
  text   = null
}""")
        equal("not asked", asked(), [])
        schema(override={"either": None, "id": "i-1"}, warning={"summary": "Look at it", "detail": "It says."})
        text, block = made()
        equal("as the provider says", block.split("\n", 1)[1], """resource "mock_a" "x" {
  either = null
  id     = "i-1"
  name   = "n"
  old    = "o"
  text   = null
}""")
        equal("asked", asked(), ["n"])
        contains("its warning", text, "Warning: Look at it", "on main.tf line 6", "It says.")
    for script, problem in (({"error": "No idea"}, ["Error: No idea", "on main.tf line 6"]),
                            ({"null": True}, ["GenerateResourceConfig for type mock_a is not valid: the configuration is null"]),
                            ({"unknown": ["name"]}, ["when it generated configuration for mock_a.x: .name: the value is unknown"]),
                            ({"wrong_type": True}, ["GenerateResourceConfig for type mock_a is not valid"]),
                            ({"malformed": True}, ["GenerateResourceConfig for type mock_a is not valid"])):
        schema(**script)
        contains(str(script), " ".join(made(fails=True)[0].replace("│", " ").split()), *problem)


def deprecations(run):
    """Providers say in words of their own what is deprecated, in either protocol; of blocks, Terraform 1.11 says nothing."""
    kind = typed({"old": {**STRING, "deprecated": True, "deprecation_message": "Use text."}, "older": {**STRING, "deprecated": True}})
    kind["block"]["block_types"] = {"rule": {"nesting_mode": "list", "block": {
        "deprecated": True, "deprecation_message": "Use rules.", "attributes": {"port": STRING}}}}
    run.schema(resource_schemas={"mock_a": kind})
    run.config(resource("a") + 'output "o" {\n  value = [mock_a.x.old, mock_a.x.older, mock_a.x.rule]\n}\n')
    for protocol in "5", "6":
        run.env["XPLAN_MOCK_PROTOCOL"] = protocol
        for dialect in "xplan", "opentofu", "terraform":
            run.env["XPLAN_DIALECT"] = dialect
            told = [(d["summary"], d["detail"].split(".")[0]) for d in run.json("validate", "-json")["diagnostics"]]
            equal("references", told, [("Deprecated attribute", "Use text"), ("Deprecated attribute", 'The attribute "older" is deprecated')] +
                  [("Deprecated block", "Use rules")] * (dialect != "terraform"))
            block = run.json("providers", "schema", "-json")["provider_schemas"]["registry.terraform.io/xplan/mock"]["resource_schemas"]["mock_a"]["block"]
            told = [d.get("deprecation_message") for d in (block["attributes"]["old"], block["block_types"]["rule"]["block"])]
            equal("schemas", told, [None] * 2 if dialect == "terraform" else ["Use text.", "Use rules."])
    del run.env["XPLAN_DIALECT"]


def closing(run):
    run.config(EPHEMERAL + resource("a", pw="ephemeral.mock_e.e.name"))
    for call, args in [("plan", ["plan"]), ("apply", ["apply", "-auto-approve"])]:
        run.schema(**with_ephemeral({call: {"error": "no"}}))
        run(*args, fails=True)
        opened = order(run, "open", "close")
        equal("open and close when %s fails" % call, opened, ["open", "close"] * (len(opened) // 2 or 1))
    run.schema(**with_ephemeral({"apply": {"delay_ms": 100000}}))
    interrupted(run, ["apply", "-auto-approve"], "apply", False)
    equal("after an interrupt", order(run, "open", "close")[-2:], ["open", "close"])
    run.schema(**with_ephemeral(close={"error": "stuck"}))
    contains("a closing that fails", run("plan", fails=True), "stuck", "ephemeral.mock_e.e")


# --- deferred by the provider

def deferral(run):
    run.schema(resource_schemas={
        "mock_a": typed(behaviour={"plan": {"on": "create", "times": 1, "deferred": "absent_prereq"}}),
        "mock_r": typed(behaviour={"read": {"when": {"text": "old"}, "deferred": "resource_config_unknown"}}), "mock_b": typed()},
        data_source_schemas={"mock_d": {"block": {"attributes": {"name": NAME, "made": {"type": "string", "computed": True}}},
                                        "behaviour": {"read": {"times": 1, "deferred": "absent_prereq"}}}})
    objects = os.path.join(os.path.dirname(run.work), "objects")
    os.makedirs(objects)
    run.env["XPLAN_MOCK_DIR"] = objects  # counts calls over all runs
    run.config(resource("r", text='"old"') + resource("b"))
    run("apply", "-auto-approve")
    run.config(resource("a") + resource("b", text="mock_a.x.id") + resource("r", text='"new"') +
               'data "mock_d" "d" {\n  name = "d"\n}\nresource "mock_b" "reads" {\n  name = data.mock_d.d.made\n}\nresource "mock_b" "free" {\n  name = "free"\n}\n')
    contains("not allowed", run("plan", fails=True), "deferred the object")
    for name in os.listdir(objects):
        if name.startswith(".calls"):
            os.remove(os.path.join(objects, name))
    plan = run.plan("-allow-deferral")
    equal("reasons", {d["resource_change"]["address"]: d["reason"] for d in plan["deferred_changes"]},
          {"data.mock_d.d": "absent_prereq", "mock_a.x": "absent_prereq", "mock_b.reads": "deferred_prereq",
           "mock_b.x": "deferred_prereq", "mock_r.x": "resource_config_unknown"})
    equal("the rest", {c["address"]: c["change"]["actions"] for c in plan["resource_changes"]}, {"mock_b.free": ["create"]})
    equal("complete, applyable", [plan["complete"], plan["applyable"]], [False, True])
    run("apply", "plan.bin")
    equal("objects", sorted(run("state", "list").split()), ["mock_b.free", "mock_b.x", "mock_r.x"])
    with open(os.path.join(objects, "mock_r.mock_r-1.json")) as f:
        drifted = json.load(f)
    with open(os.path.join(objects, "mock_r.mock_r-1.json"), "w") as f:
        json.dump({**drifted, "text": "drifted"}, f)
    run.edit_state(lambda r, i: i["attributes"].update(text="drifted") if r["type"] == "mock_r" else None)
    plan = run.plan("-allow-deferral")
    equal("nothing is left to defer", plan.get("deferred_changes", []), [])
    run("apply", "plan.bin")
    contains("then nothing is left to do", run("plan"), "No changes")


# --- many calls at once

MODULE = HEAD + 'variable "name" {}\n' + 'resource "mock_a" "in" {\n  for_each = toset(["p", "q"])\n  name = "${var.name}-${each.key}"\n}\n' \
    'output "ids" {\n  value = [for r in mock_a.in : r.id]\n}\n'
AT_ONCE = '''
provider "mock" {
}
provider "mock" {
  alias = "two"
  name  = "two"
}
data "mock_d" "d" {
  count = 4
  name  = "d${count.index}"
}
resource "mock_a" "many" {
  for_each = toset([for i in range(12) : "k${i}"])
  name     = each.key
  text     = %s
}
resource "mock_a" "other" {
  count    = 6
  provider = mock.two
  name     = "${data.mock_d.d[count.index %% 4].name}-${count.index}"
}
module "m" {
  source   = "./m"
  for_each = toset(["x", "y", "z"])
  name     = "${each.key}-${mock_a.many["k0"].id}"
}
output "ids" {
  value = [for k, m in module.m : m.ids]
}
'''


def at_once(run):
    """Modules, instances, data sources and two configurations of a provider, at once, over both protocols."""
    os.makedirs(os.path.join(run.work, "m"))
    with open(os.path.join(run.work, "m", "main.tf"), "w") as f:
        f.write(MODULE)
    quick = {"delay_ms": 5}
    run.schema(provider={"block": {"attributes": {"name": STRING}}}, behaviour={"configure": {"delay_ms": 20}},
               resource_schemas={"mock_a": typed(behaviour={call: quick for call in ("validate", "plan", "apply", "read", "upgrade")})},
               data_source_schemas={"mock_d": {"block": {"attributes": {"name": NAME}}, "behaviour": {"read": quick}}})
    for protocol in ("5", "6"):
        run.env["XPLAN_MOCK_PROTOCOL"] = protocol
        shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"), ignore_errors=True)
        run.config(AT_ONCE % '"old"')
        contains("creation", run("apply", "-auto-approve", "-parallelism=8"), "24 added, 0 changed, 0 destroyed")
        run.config(AT_ONCE % '"new"')
        run("plan", "-out=plan.bin", "-parallelism=8")
        contains("update", run("apply", "-parallelism=8", "plan.bin"), "0 added, 12 changed, 0 destroyed")
        contains("nothing left", run("plan", "-parallelism=8"), "No changes")
        contains("the end", run("destroy", "-auto-approve", "-parallelism=8"), "24 destroyed")


# --- a saved plan, and a provider that is another one by then

def changed_between(run):
    """The schema changes between plan and apply: the plan is carried out as it stands, or refused; no value goes astray."""
    number, old = {"type": "number", "optional": True}, typed({"size": STRING})
    rows = [("an attribute more", typed({"size": STRING, "more": STRING})), ("an attribute less", typed()),
            ("another type", typed({"size": number})), ("a version more", typed({"size": STRING}, version=1)), ("no type", None)]
    for what, new in rows:
        forget = lambda: shutil.rmtree(os.path.join(os.path.dirname(run.work), ".cache"), ignore_errors=True)
        forget()
        run.schema(resource_schemas={"mock_a": old})
        run.config(resource("a", size='"1"'))
        run("apply", "-auto-approve")
        run.config(resource("a", size='"2"', text='"t"') + resource("a", "y", size='"3"'))
        run("plan", "-out=plan.bin")
        before = run.instances()
        run.schema(resource_schemas={"mock_a": new} if new else {"mock_b": typed()})
        text = run("apply", "plan.bin", fails=True)
        # What the configuration itself does not fit any more is said first.
        if "Unsupported argument" not in text and "Invalid resource type" not in text and "has no resource type" not in text:
            contains(what, text, "Saved plan is stale", "mock_a of provider xplan/mock")
            equal("errors of %s:\n%s" % (what, text), text.count("Error:"), 1)
        equal("nothing is applied: " + what, [[c for c in run.calls() if c["call"] == "apply"], run.instances()], [[], before])
        run.schema(resource_schemas={"mock_a": old})
        forget()
        contains("the schema of the plan again", run("apply", "plan.bin"), "1 added, 1 changed")
        run("destroy", "-auto-approve")


# --- numbers that no state can hold

def infinite_numbers(run):
    number = {"type": "number", "optional": True, "computed": True}
    for call in ("read", "apply"):
        run.schema(resource_schemas={"mock_a": typed({"n": number})})
        run.config(resource("a", n="1"))
        run("apply", "-auto-approve")
        run.schema(resource_schemas={"mock_a": typed({"n": number}, {call: {"override": {"n": "1e999999999"}}})})
        run.config(resource("a", n="2"))
        text = run("apply", "-auto-approve", fails=True)
        contains("an infinite number from " + call, text, "xplan/mock", ".n: ")
        equal("the number in the state", run.instances()["mock_a.x"]["attributes"]["n"] in (1, 2), True)
        run.schema(resource_schemas={"mock_a": typed({"n": number})})
        run("destroy", "-auto-approve")
    # What was created is not lost.
    run.schema(resource_schemas={"mock_a": typed({"n": number}, {"apply": {"override": {"n": "-1e999999999"}}})})
    run.config(resource("a", n="1", text='"t"'))
    contains("an infinite number in a new object", run("apply", "-auto-approve", fails=True), "the number is infinite", "recorded without this number")
    kept = run.instances()["mock_a.x"]
    equal("the new object", (kept["status"], kept["attributes"]["n"], kept["attributes"]["text"], bool(kept["attributes"]["id"])), ("tainted", None, "t", True))
    run.schema(resource_schemas={"mock_a": typed({"n": number})})
    contains("its replacement", run("apply", "-auto-approve"), "1 added, 0 changed, 1 destroyed")


# --- secrets that providers and commands repeat

SECRET = "hunter2-secret"


def secrets(run):
    """Who is told a secret may repeat it in what it says: that is not shown."""
    run.env["TF_VAR_s"] = SECRET
    head = 'variable "s" {\n  sensitive = true\n}\n'
    said = {"summary": "No access with %s" % SECRET, "detail": "The key %s is not valid." % SECRET}

    def told(what, command, config, schema):
        run.schema(**schema)
        run.config(head + config)
        for form in ((), ("-json",)):
            text = run(*command, *form, fails=True)
            equal("%s %s: the secret is shown:\n%s" % (what, form, text), SECRET in text, False)
            equal("%s %s: what stands for it:\n%s" % (what, form, text), "(sensitive value)" in text, True)

    plan, apply, validate = ("plan",), ("apply", "-auto-approve"), ("validate",)
    data = {"block": {"attributes": {"name": NAME}}}
    for attribute, value in (("text", "var.s"), ("key", json.dumps(SECRET))):  # the configuration's secret, and the schema's
        key = {"key": {"type": "string", "optional": True, "sensitive": True}}
        for call, commands in (("validate", (validate, plan)), ("plan", (plan,)), ("apply", (apply,))):
            if attribute == "text" and call == "validate":
                continue  # variables have no values then
            for command in commands:
                told(call, command, resource("a", **{attribute: value}), {"resource_schemas": {"mock_a": typed(key, {call: {"error": said}})}})
    told("read", plan, 'data "mock_d" "d" {\n  name = var.s\n}\n', {"data_source_schemas": {"mock_d": {**data, "behaviour": {"read": {"error": said}}}}})
    provider = {"block": {"attributes": {"token": STRING}}}
    told("configure", plan, 'provider "mock" {\n  token = var.s\n}\n' + resource("a"),
         {"provider": provider, "resource_schemas": {"mock_a": typed()}, "behaviour": {"configure": {"error": said}}})
    run.schema(resource_schemas={"mock_a": typed()})
    run.config(head + resource("a", text="var.s"))
    run("apply", "-auto-approve")
    run.schema(resource_schemas={"mock_a": typed(None, {"read": {"error": said}, "apply": {"error": said, "on": "delete"}})})
    for command in (("plan",), ("refresh",), ("destroy", "-auto-approve", "-refresh=false")):
        text = run(*command, fails=True)
        equal("the secret in an object, %s:\n%s" % (command, text), (SECRET in text, "(sensitive value)" in text), (False, True))
    run("state", "rm", "mock_a.x")
    # What is built in.
    for what, command, config in (
            ("backend", plan, 'data "terraform_remote_state" "r" {\n  backend = var.s\n}\n'),
            ("state", plan, 'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = { path = var.s }\n}\n'),
            ("directory", apply, 'resource "terraform_data" "d" {\n  provisioner "local-exec" {\n    command = "true"\n    working_dir = var.s\n  }\n}\n'),
            ("program", apply, 'resource "terraform_data" "p" {\n  provisioner "local-exec" {\n    command = "true"\n    interpreter = [var.s]\n  }\n}\n')):
        told(what, command, config, {})
    # Nor does it act on the terminal of whoever looks at a document.
    run.schema(resource_schemas={"mock_a": typed(None, {"plan": {"error": {"summary": "no\x1b[2J\u202e", "detail": ""}}})})
    os.remove(os.path.join(run.work, "terraform.tfstate"))
    run.config(resource("a"))
    run("plan", "-out-summary=summary", fails=True)
    with open(os.path.join(run.work, "summary"), encoding="utf-8") as f:
        equal("the summary", re.findall("[\x1b\u202e]|u001b|u202e", f.read()), ["u001b", "u202e"])


def function_results(run):
    """What functions of a provider return when a plan is applied must be what they returned when it was made."""
    def functions(echo, secret="s"):
        returns = lambda v: {"return_type": "string", "parameters": [{"name": "a", "type": "string"}], "behaviour": {"result": v}}
        run.schema(resource_schemas={"mock_a": typed()}, functions={"echo": returns(echo), "secret": returns(secret)})
    functions("one")
    run.config("""
resource "terraform_data" "a" { input = provider::mock::echo("x") }
resource "mock_a" "b" {
  name = provider::mock::echo("x")
  text = provider::mock::secret(sensitive("hunter2"))
}
output "o" { value = provider::mock::echo(terraform_data.a.output) }
""")
    run("plan", "-out=plan.bin")
    functions("two")
    text = run("apply", "plan.bin", fails=True)
    contains("a different result", text, "main.tf line 7", "main.tf line 9", "Function call failed",
             "now returns something else for these arguments than it did when the plan was made", "Make a new plan")
    equal("what was changed", run.instances(), {})
    functions("one")
    run("plan", "-out=plan.bin")
    functions("one", "other")
    text = run("apply", "plan.bin", fails=True)
    contains("a result that is secret", text, "main.tf line 10", "the reason is not shown, because an argument is sensitive")
    equal("the secret", "hunter2" in text.replace('sensitive("hunter2")', ""), False)
    functions("one")
    run("plan", "-out=plan.bin")
    run("apply", "plan.bin")
    equal("what was planned", run.json("output", "-json")["o"]["value"], "one")


CASES = (at_once, changed_between, infinite_numbers, secrets, identities, identity_versions, identity_contract, import_by_identity, move_identity, outdated_schema, outdated_schema_and_more, saved_plans_are_shown, stopping, on_error, killed,
         hanging_start, renewals, exclusions, tofu_files, closing, deferral, generated_config, deprecations, function_results)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
