#!/usr/bin/env python3
"""What is said of workspaces, journals and locks of states on servers.

    remote_states.py --xplan BINARY [CASE...]

The mock provider lies beside the binary. The last line is 'N passed, M failed'.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

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


def many_data_sources(run):
    """Those in one bucket have one client, wherever in it their states are: credentials are asked for once, and so is the account."""
    with StateServer("s3", run.root) as server:
        run.env.update({k: v for k, v in server.env.items() if not k.startswith("AWS_ACCESS") and not k.startswith("AWS_SECRET")},
                       AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/container")
        state = {"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "resources": []}
        server.order({"objects": {"tfb/%s%d/state" % (at, i): json.dumps({**state, "outputs": {"n": {"value": i, "type": "number"}}})
                                  for i in range(10) for at in ("net", "env:/w1/net")}})
        run.config("""data "terraform_remote_state" "net" {
  count     = 20
  backend   = "s3"
  workspace = count.index % 2 == 0 ? "default" : "w1"
  config = {
    bucket         = "tfb"
    key            = "net${floor(count.index / 2)}/state"
    use_path_style = true
  }
}
output "sum" {
  value = sum([for s in data.terraform_remote_state.net : s.outputs.n])
}
""")
        run("init", "-input=false")
        expect("their values", run("plan", "-input=false"), "sum = 90")
        log = server.server.control()["log"]
        for service in ("container", "sts"):
            if sum(r["service"] == service for r in log) != 1:
                raise Failed("%d requests to %s" % (sum(r["service"] == service for r in log), service))


def empty_settings(run):
    """What an unset variable of a pipeline would turn off is an error, at the line of its argument, or of the block where an option says it."""
    run.config("""terraform {
  backend "http" {
    address      = "http://127.0.0.1:9/state"
    lock_address = ""
  }
}
""")
    expect("in the block", run("init", "-input=false", fails=True), "Invalid backend configuration", ': lock_address = ""',
           "The argument \"lock_address\" must not be empty")
    run.config('terraform {\n  backend "http" {\n    address = "http://127.0.0.1:9/state"\n  }\n}\n')
    expect("an option", run("init", "-input=false", "-backend-config=unlock_address=", fails=True), ': backend "http" {',
           "The argument \"unlock_address\" must not be empty")


def forbidden_journals(run):
    """With permission for the state alone: what reads goes on with a warning, an apply says what is missing, and journals can be kept here."""
    advice = "set the environment variable XPLAN_REMOTE_JOURNAL to off"
    with StateServer("s3", os.path.join(run.root, "server")) as server:
        run.env.update(server.env)
        run.config(server.block("own") + OUTPUT)

        def forbid(method):
            server.order({"faults": [{"do": "refuse", "status": 403, "code": "AccessDenied", "times": 9999, "on": {"method": method, "has": ".journal"}}]})

        forbid("GET")
        run("init", "-input=false")
        expect("plan", run("plan"), "Changes to Outputs:", "Warning: Journals cannot be looked for", "403 Forbidden", "permission", advice)
        expect("apply", run("apply", "-auto-approve", fails=True), "Failed to start the journal", "403 Forbidden", advice, "Nothing was changed.")
        run.env["XPLAN_REMOTE_JOURNAL"] = "off"
        run("apply", "-auto-approve")
        expect("afterwards", run("plan"), "No changes.", without=("Warning",))
        del run.env["XPLAN_REMOTE_JOURNAL"]
        expect("state list", run("state", "list"), "Warning: Journals cannot be looked for")
        forbid("PUT")
        run.config(server.block("own") + OUTPUT.replace("1", "2"))
        expect("no segments", run("apply", "-auto-approve", fails=True), "Failed to start the journal", "403 Forbidden", advice)
        run("apply", "-auto-approve", "-remote-journal=off")


def silent_servers(run):
    """The first interrupt ends the wait for a server that does not answer, and is told of once."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        run.config("""data "terraform_remote_state" "net" {
  count   = 3
  backend = "http"
  config = {
    address = "http://127.0.0.1:%d/state${count.index}"
  }
}
""" % silent.getsockname()[1])
        run("init", "-input=false")
        p = run.start("plan", "-input=false")
        waiting = [silent.accept() for _ in range(3)]
        start = time.monotonic()
        p.send_signal(signal.SIGINT)
        try:
            text = p.communicate(timeout=30)[0]
        except subprocess.TimeoutExpired:
            p.kill()
            raise Failed("the interrupt is not heard:\n" + p.communicate()[0])
        if time.monotonic() - start > 8 or p.returncode != 1:
            raise Failed("it ended with %d after %.1f s:\n%s" % (p.returncode, time.monotonic() - start, text))
        expect("the interrupt", text, "Loading state was interrupted", "Planning was interrupted")
        if text.count("The run was stopped before the state was read") != 1:
            raise Failed("it is told more than once:\n" + text)
        for connection, _ in waiting:
            connection.close()


def silent_release(run):
    """A run that nobody has approved waits ten seconds at most for a server that is to release its lock."""
    with StateServer("s3", os.path.join(run.root, "server")) as server:
        run.env.update(server.env)
        run.config(server.block("own") + OUTPUT)
        run("init", "-input=false")
        p = subprocess.Popen([run.xplan, "apply", "-no-color"], cwd=run.work, env=run.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, start_new_session=True)
        text = ""
        while "Enter a value:" not in text:
            text += p.stdout.read(1)
        server.order({"faults": [{"do": "wait", "seconds": 100, "times": 99, "on": {"ends": ".tflock"}}]})
        start = time.monotonic()
        p.send_signal(signal.SIGINT)
        try:
            text += p.communicate(timeout=60)[0]
        except subprocess.TimeoutExpired:
            p.kill()
            raise Failed("it waits:\n" + text + p.communicate()[0])
        if not 5 < time.monotonic() - start < 25:
            raise Failed("it ended after %.1f s:\n%s" % (time.monotonic() - start, text))
        expect("the interrupt", text, "Approval interrupted", "Error releasing the state lock", "It was interrupted. The state may stay locked, with the lock ID")


def named(text, *headings):
    """What is listed below these headings, with what is said of each."""
    out = []
    for heading in headings:
        below = re.split(r"\s+".join(map(re.escape, heading.split())), text.replace("│", " "))
        for part in below[1:]:
            for line in part.split("\n")[1:]:
                if not line.strip().startswith("- "):
                    break
                out.append(line.strip()[2:])
    return sorted(out)


def doubted(text):
    """The creations of which a run does not know the outcome."""
    return sorted(set(named(text, "Creations:") + re.findall(r"creation of (\S+) may have begun", " ".join(text.replace("│", " ").split()))))


def changes_in_doubt(run):
    """Of a second interrupt soon after the first: what is told at the end is what the next run doubts, and no more than the provider was asked for."""
    for kind in ("s3", "http"):
        with StateServer(kind, os.path.join(run.root, kind)) as server:
            run.env.update(server.env)
            run.schema(resource_schemas={"mock_thing": typed(behaviour={"apply": {"delay_ms": 20000, "deaf": True}})})
            run.config(server.block("doubt") + 'resource "mock_thing" "a" {\n  count = 12\n  name  = "n${count.index}"\n}\n')
            run("init", "-input=false", "-reconfigure")
            p = run.start("apply", "-auto-approve", "-input=false", "-parallelism=4")
            run.wait_for("apply", 4)
            time.sleep(0.5)
            p.send_signal(signal.SIGINT)
            time.sleep(1)
            p.send_signal(signal.SIGINT)
            text = p.communicate(timeout=60)[0]
            ended = [line.split(":")[0] for line in named(text, "and their outcome is not known:", "their outcome is unknown, too:")]
            expect(kind, text, "Stopped. Finished operations are recorded", without=["errored.tfstate", "Nothing came of"])
            run("force-unlock", "-force", re.search(r"force-unlock (\S+)", text).group(1))
            told = run("plan", "-input=false")
            if len(ended) != 4 or doubted(told) != ended:
                raise Failed("%s: told at the end: %s; told by the next run: %s\n%s\n%s" % (kind, ended, doubted(told), text, told))


def unrecorded_changes(run):
    """Of a second interrupt, while a server is silent: what was made is kept on this machine, and every change is told as it is."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_thing": typed(behaviour={"apply": {"delay_ms": 1500}})})
        run.config(server.block("unrecorded") + 'resource "mock_thing" "a" {\n  count = 12\n  name  = "n${count.index}"\n}\n')
        run("init", "-input=false")
        p = run.start("apply", "-auto-approve", "-input=false", "-parallelism=4")
        run.wait_for("apply", 4)
        server.order({"faults": [{"on": {"method": "PUT", "has": ".journal/"}, "times": 1000, "do": "wait", "seconds": 600}]})
        time.sleep(3)
        asked = sum(c["call"] == "apply" for c in run.calls())
        p.send_signal(signal.SIGINT)
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        start = time.monotonic()
        text = p.communicate(timeout=60)[0]
        if p.returncode != 1 or time.monotonic() - start > 10:
            raise Failed("it ended with %d after %.1f s:\n%s" % (p.returncode, time.monotonic() - start, text))
        made = named(text, "did not record these in time:")
        if len(made) != asked or not all(re.fullmatch(r"mock_thing\.a\[\d+\]: created \[id=\S+\]", line) for line in made):
            raise Failed("the provider has made %d objects, and these are told:\n%s\n%s" % (asked, made, text))
        expect("the end", text, 'written to "errored.tfstate" instead', "xplan state push errored.tfstate", "xplan force-unlock",
               without=["these operations were still in progress", "waiting for"])
        idle = [line.split(":")[0] for line in named(text, "the next run may say that their outcome is unknown, too:")]
        server.order({"faults": []})
        run("force-unlock", "-force", re.search(r"force-unlock (\S+)", text).group(1))
        expect("a plan", run("plan", "-input=false", fails=True), "state push errored.tfstate")
        told = run("state", "push", "errored.tfstate") + run("plan", "-input=false")
        if not set(doubted(told)) <= set(idle):
            raise Failed("told at the end: %s; told by the next run: %s\n%s\n%s" % (idle, doubted(told), text, told))
        run("apply", "-auto-approve", "-input=false")
        again = sum(c["call"] == "apply" for c in run.calls())
        if asked + again != 12:
            raise Failed("made %d objects, and then %d" % (asked, again))


CASES = [new_workspaces, saved_plans, missing_workspaces, one_workspace, many_data_sources, empty_settings, forbidden_journals, silent_servers, silent_release, changes_in_doubt, unrecorded_changes]

if __name__ == "__main__":
    try:
        sys.exit(run_cases(__doc__, CASES, Workspaces))
    except case_server.Absent as e:
        print("skipped: %s" % e)
