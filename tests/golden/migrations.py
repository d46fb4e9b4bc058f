#!/usr/bin/env python3
"""Moving the states of many workspaces to another backend: several at once, with one client for each side.

    migrations.py --xplan BINARY [CASE...]

The last line is 'N passed, M failed'.
"""
import glob
import json
import os
import signal
import subprocess
import sys
import time

import case_server
from cases import run_cases
from provider_runs import Failed, Run, contains, equal
from state_servers import StateServer

COUNT = 21
NAMES = ["default"] + ["w%02d" % i for i in range(1, COUNT)]  # in their order
KEYS = """terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "sixteen characters${%s}"
      iterations = 200000
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    method "unencrypted" "plain" {}
    state {
      method = method.aes_gcm.m
      fallback {
        method = method.unencrypted.plain
      }
    }
  }
}
"""


def state(name, serial=1):
    return json.dumps({"version": 4, "terraform_version": "1.9.0", "serial": serial, "lineage": "of " + name,
                       "outputs": {"name": {"value": name, "type": "string"}}, "resources": []})


def key(name, at):
    """Where the server has the state of the workspace."""
    return "tfb/%s/state" % at if name == "default" else "tfb/env:/%s/%s/state" % (name, at)


class Moving(Run):
    """A folder whose backend is to be changed, and a server."""

    def __init__(self, xplan, root):
        super().__init__(xplan, root)
        self.root = root

    def on(self, server):
        self.server = server
        self.env.update(server.env)
        return self

    def write(self, text):
        with open(os.path.join(self.work, "main.tf"), "w") as f:
            f.write(text)
        open(os.path.join(self.work, ".terraform.lock.hcl"), "w").close()  # so that nobody initializes

    def local_states(self, names=NAMES):
        for name in names:
            path = "terraform.tfstate" if name == "default" else "terraform.tfstate.d/%s/terraform.tfstate" % name
            os.makedirs(os.path.dirname(os.path.join(self.work, path)), exist_ok=True)
            with open(os.path.join(self.work, path), "w") as f:
                f.write(state(name))

    def move(self, block):
        self.write(block)
        return self("init", "-migrate-state", "-force-copy")

    def moved(self, at, names=NAMES):
        objects = self.server.server.control()["objects"]
        equal("what is there", sorted(k for k in objects if "/%s/" % at in k), sorted(key(n, at) for n in names))
        for name in names:
            equal("the state of " + name, json.loads(objects[key(name, at)])["outputs"]["name"]["value"], name)


def several_at_once(run):
    """States are read and written several at a time, by one client for each side, and told of in their order."""
    with StateServer("s3", run.root) as server:
        run.on(server).local_states()
        server.order({"faults": [{"on": {"method": "PUT", "ends": "/a/state"}, "times": 8, "do": "meet", "name": "writing", "count": 8}]})
        text = run.move(server.block("a"))
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        equal("told", [("w%s" % line.partition("/w")[2][:2]) if "/w" in line else "default" for line in lines], NAMES)
        run.moved("a")
        told = server.server.control()
        equal("at the same time", told["met"], ["writing"])
        equal("clients", sum(r["service"] == "sts" for r in told["log"]), 1)

        # From there, over states that are in the way.
        server.order({"objects": {key(n, "b"): state("former " + n) for n in NAMES}, "faults": [
            {"on": {"method": "GET", "ends": "/a/state"}, "times": 16, "do": "meet", "name": "reading", "count": 16}]})
        before = len(server.server.control()["log"])
        run.move(server.block("b"))
        run.moved("b")
        told = server.server.control()
        equal("at the same time", told["met"], ["writing", "reading"])
        equal("clients", sum(r["service"] == "sts" for r in told["log"][before:]), 2)
        kept = [json.load(open(p))["outputs"]["name"]["value"] for p in glob.glob(os.path.join(run.work, "terraform.tfstate.*.backup"))]
        equal("copies of what was replaced", sorted(kept), ["former " + n for n in NAMES])


def one_of_several(run):
    """Where there is room for one state, that of the selected workspace moves, and a paragraph of its own names those that stay."""
    with StateServer("http", run.root) as server:
        run.on(server).local_states(NAMES[:3])
        text = run.move(server.block("one"))
        paragraph = [p for p in text.split("\n\n") if p.startswith("These states of other workspaces were not migrated")]
        if "\n\n\n" in text or len(paragraph) != 1 or paragraph[0].count("\n  - ") != 2 or "\n\nSuccessfully configured" not in text:
            raise Failed("what stays is not told in a paragraph:\n" + text)


def keys_of_workspaces(run):
    """Where keys depend on the workspace, each state has its own, and there is one client all the same."""
    with StateServer("s3", run.root) as server:
        names = NAMES[:4]
        run.on(server).local_states(names)
        run.move(server.block("a"))
        run.move(server.block("b") + KEYS % "terraform.workspace")
        told = server.server.control()
        equal("clients", sum(r["service"] == "sts" for r in told["log"]), 3)
        for name in names:
            if "encrypted_data" not in told["objects"][key(name, "b")]:
                raise Failed("the state of %s is not encrypted" % name)
            run("workspace", "select", name)
            contains("the state of " + name, run("output", "-no-color"), 'name = "%s"' % name)


def interrupted_copies(run):
    """An interrupt lets the copies that were begun finish, begins no other, and says which there are; the next run copies the rest."""
    with StateServer("s3", run.root) as server:
        run.on(server).local_states()
        server.order({"faults": [{"on": {"method": "PUT", "ends": "/a/state"}, "times": 8, "do": "wait", "seconds": 4}]})
        run.write(server.block("a"))
        p = run.start("init", "-migrate-state", "-force-copy")
        for _ in range(300):
            if sum(k.endswith(".tflock") for k in server.server.control()["objects"]) == 8:
                break
            time.sleep(0.02)
        else:
            p.kill()
            raise Failed("eight copies do not begin: " + p.communicate()[0])
        time.sleep(0.3)  # until they write
        p.send_signal(signal.SIGINT)
        text = p.communicate(timeout=60)[0]
        equal("exit code", p.returncode, 1)
        run.moved("a", NAMES[:8])
        both, _, left = text.partition("These were not copied")
        contains("the interrupt", both, "Initialization was interrupted", "These states were copied, and are in both places:", "- terraform.tfstate.d/w07/")
        contains("the interrupt", left, "and are where they were:", "- terraform.tfstate.d/w08/", "w20", "The new backend is not set up yet", 'Run "xplan init -migrate-state -force-copy" again')
        if "Nothing was changed" in text:
            raise Failed("something was changed:\n" + text)
        if "w08" in both or "w07" in left:
            raise Failed("it is not so:\n" + text)
        run.move(server.block("a"))
        run.moved("a")


def interrupted_locks(run):
    """An interrupt while locks are waited for does not hide that other states were copied."""
    with StateServer("s3", run.root) as server:
        run.on(server).local_states()
        server.order({"faults": [{"on": {"method": "PUT", "ends": ".tflock"}, "skip": 8, "times": 100, "do": "wait", "seconds": 5}]})
        run.write(server.block("a"))
        p = run.start("init", "-migrate-state", "-force-copy")
        told = ""
        while told.count("\n- ") < 8:
            line = p.stdout.readline()
            if not line:
                raise Failed("it has ended:\n" + told)
            told += line
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        text = told + p.communicate(timeout=60)[0]
        equal("exit code", p.returncode, 1)
        contains("the interrupt", text, "Initialization was interrupted", "These states were copied, and are in both places:", "- terraform.tfstate.d/w07/")
        if "Nothing was changed" in text or "No state was" in text:
            raise Failed("something was changed:\n" + text)


def stopped_copies(run):
    """Copies are told of as they are made. A second interrupt names those, the locks that stay, and the command that finishes."""
    with StateServer("s3", run.root) as server:
        run.on(server).local_states()
        server.order({"faults": [{"on": {"method": "PUT", "ends": "/a/state"}, "skip": 8, "times": 100, "do": "wait", "seconds": 60}]})
        run.write(server.block("a"))
        p = run.start("init", "-migrate-state", "-force-copy")
        told = []
        while sum(line.startswith("- ") for line in told) < 8:
            line = p.stdout.readline()
            if not line:
                raise Failed("it has ended:\n" + "".join(told))
            told.append(line)
        # Eight others are being written now, which is not over for a minute.
        def held():
            return {k: json.loads(v)["ID"] for k, v in server.server.control()["objects"].items() if k.endswith(".tflock")}

        for _ in range(300):
            if len(held()) == 8:
                break
            time.sleep(0.05)
        p.send_signal(signal.SIGINT)
        time.sleep(0.5)
        locks = held()  # without those that were only being taken
        p.send_signal(signal.SIGINT)
        text = p.communicate(timeout=30)[0]
        equal("exit code", p.returncode, 1)
        contains("the end", text, "Stopped. These states were copied, and are in both places:", "- terraform.tfstate.d/w07/", "These were not copied",
                 'Run "xplan init -migrate-state -force-copy" again to finish', "These states stay locked")
        if not locks or any('(workspace "%s"): lock ID %s' % (k.split("/")[2], i) not in " ".join(text.split()) for k, i in locks.items()):
            raise Failed("locks %s, and this is said:\n%s" % (locks, text))
        server.order({"faults": []})
        other = run.beside(os.path.join(run.root, "other"))
        other.write(server.block("a"))
        other("init")
        for k, i in locks.items():
            other.env["TF_WORKSPACE"] = k.split("/")[2]
            other("force-unlock", "-force", i)
        run.move(server.block("a"))
        run.moved("a")


def to_a_database(run):
    """Where new workspaces can be locked one after the other alone, they are."""
    with StateServer("pg", run.root) as database, StateServer("s3", run.root) as server:
        run.on(server).env.update(database.env)
        run.local_states()
        run.move(server.block("a"))
        for block in (database.block("first"), database.block("second")):  # from the bucket, and from one schema to another
            run.move(block)
            listed = run("workspace", "list").replace("*", " ").split()
            equal("workspaces", listed, NAMES)
            for name in NAMES[::5]:
                run("workspace", "select", name)
                equal("the state of " + name, json.loads(run("output", "-json"))["name"]["value"], name)


def names_that_are_taken(run):
    """"default" cannot become another workspace that moves, too."""
    with StateServer("hcp", os.path.join(run.root, "server")) as server:
        run.on(server).local_states(["default", "w01"])
        run.write('terraform {\n  cloud {\n    hostname = "app.example.test"\n    organization = "acme"\n'
                  '    workspaces {\n      tags = ["t"]\n    }\n  }\n}\n')
        p = subprocess.run([run.xplan, "init"], cwd=run.work, env=run.env, input="w01\nyes\n", capture_output=True, text=True, timeout=60)
        contains("w01", p.stdout + p.stderr, 'The workspace "default" cannot become "w01", because another workspace has that name', "No state was migrated")
        equal("workspaces", list(server.server.control()["workspaces"]), [])


CASES = [several_at_once, one_of_several, keys_of_workspaces, interrupted_copies, interrupted_locks, stopped_copies, to_a_database, names_that_are_taken]

if __name__ == "__main__":
    try:
        sys.exit(run_cases(__doc__, CASES, Moving))
    except case_server.Absent as e:
        print("skipped: %s" % e)
