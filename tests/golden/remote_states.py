#!/usr/bin/env python3
"""What is said of workspaces, journals and locks of states on servers.

    remote_states.py --xplan BINARY [CASE...]

The mock provider lies beside the binary. The last line is 'N passed, M failed'.
"""
import os
import sys

import case_server
from cases import run_cases
from provider_runs import Failed, Run, typed
from state_servers import StateServer

OUTPUT = 'output "n" {\n  value = 1\n}\n'
CLOUD = """terraform {
  cloud {
    hostname = "app.example.test"
    organization = "acme"
    workspaces {
      %s
    }
  }
}
"""


class Workspaces(Run):
    def __init__(self, xplan, root):
        super().__init__(xplan, root)
        self.root = root
        self.schema(resource_schemas={"mock_thing": typed()})


def expect(what, text, *parts, without=()):
    said = " ".join(text.replace("│", " ").split())
    for part in parts:
        if part not in said:
            raise Failed("%s: %r is not said:\n%s" % (what, part, text))
    for part in without:
        if part in said:
            raise Failed("%s: %r is said:\n%s" % (what, part, text))


def new_workspaces(run):
    """A workspace that the server has exists, whether or not it has a state."""
    with StateServer("hcp", os.path.join(run.root, "server")) as server:
        run.env.update(server.env)
        run.config(CLOUD % 'tags = ["day"]' + OUTPUT)
        run("init", "-input=false", fails=True)  # there is none yet
        open(os.path.join(run.work, ".terraform.lock.hcl"), "w").close()  # or `run` begins with init
        run("workspace", "new", "t1")
        run("init", "-input=false")
        expect("a new one", run("plan", "-input=false"), "Changes to Outputs", without=["does not exist"])


def saved_plans(run):
    """Of another workspace: the advice can be followed in any directory."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        with open(os.path.join(run.work, "main.tf"), "w") as f:  # no providers, which would have to be elsewhere, too
            f.write(server.block("saved") + OUTPUT)
        open(os.path.join(run.work, ".terraform.lock.hcl"), "w").close()
        run("init", "-input=false")
        run("workspace", "new", "w1")
        run("plan", "-input=false", "-out=p.bin")
        run("workspace", "select", "default")
        expect("the wrong one", run("apply", "p.bin", fails=True), 'Set the environment variable TF_WORKSPACE to "w1" for this command',
               '"xplan workspace select w1"')
        elsewhere = os.path.join(run.root, "elsewhere")
        os.makedirs(elsewhere)
        os.rename(os.path.join(run.work, "p.bin"), os.path.join(elsewhere, "p.bin"))
        os.rename(os.path.join(run.work, ".terraform.lock.hcl"), os.path.join(elsewhere, ".terraform.lock.hcl"))
        run.work = elsewhere
        run.env["TF_WORKSPACE"] = "w1"
        expect("elsewhere", run("apply", "p.bin"), "Apply complete!")


def missing_workspaces(run):
    """init does not accept a workspace that does not exist, wherever it is selected."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.config(server.block("missing") + OUTPUT)
        run.env["TF_WORKSPACE"] = "zz"
        expect("TF_WORKSPACE", run("init", "-input=false", fails=True), 'TF_WORKSPACE selects the workspace "zz", which does not exist')
        del run.env["TF_WORKSPACE"]
        run("init", "-input=false")
        run("workspace", "new", "zz")
        run.env["TF_WORKSPACE"] = "zz"
        run("init", "-input=false")
        del run.env["TF_WORKSPACE"]
        with open(os.path.join(run.work, ".terraform", "environment"), "w") as f:
            f.write("gone")
        expect("the selected one", run("init", "-input=false", fails=True), 'The selected workspace "gone" does not exist')


def one_workspace(run):
    """Where the configuration names one workspace, that is the reason why there is no other."""
    with StateServer("hcp", os.path.join(run.root, "server")) as server:
        run.env.update(server.env)
        run.config(CLOUD % 'name = "only"' + OUTPUT)
        run("init", "-input=false")
        for command in (["new", "foo"], ["select", "-or-create", "foo"]):
            expect(" ".join(command), run("workspace", *command, fails=True), "Workspaces are not supported", 'uses the one workspace "only"',
                   without=["TF_WORKSPACE", "is selected"])
        expect("select", run("workspace", "select", "default", fails=True), 'the configuration uses the one workspace "only"', without=["-or-create"])


CASES = [new_workspaces, saved_plans, missing_workspaces, one_workspace]

if __name__ == "__main__":
    try:
        sys.exit(run_cases(__doc__, CASES, Workspaces))
    except case_server.Absent as e:
        print("skipped: %s" % e)
