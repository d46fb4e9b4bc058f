#!/usr/bin/env python3
"""Machines that apply to one state on a server: some vanish in the middle, and some come at the same time.

    runners.py --xplan BINARY [CASE...]

vanishing_KIND: an apply of 100 objects is killed at 10 moments (XPLAN_TEST_MOMENTS), its directory with everything in it is deleted, and another
directory goes on. Whatever the moment: what was said to be complete is in the state, whatever the provider was asked to make is in
the state or is named, and in the end there are 100 objects, a plan without changes and nothing on the server but the state.
journals_elsewhere, stopped_at_once, errored_states, errored_files, logged_requests, overtaken_journals, forced_pushes, replaced_states, unreadable_journals, releasing_locks, locks_of_workspaces, kept_locks, slow_records, stolen_KIND, released_KIND, recorded_secrets,
overwritten_file, late_approvals, deleted_workspaces: see there.
crowd_KIND: 20 processes (XPLAN_TEST_PROCESSES) apply parts of one configuration at once. Who succeeded has his part in the state, who did not wait was
refused. The mock provider lies beside the binary. The last line is 'N passed, M failed'.
"""
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import case_server
from cases import run_cases
from provider_runs import Failed, Run, typed
from state_servers import StateServer

EMPTY = '{"version": 4, "terraform_version": "1.11.4", "serial": 0, "lineage": "other", "outputs": {}, "resources": [], "check_results": null}'
MOMENTS = int(os.environ.get("XPLAN_TEST_MOMENTS", 10))
OBJECTS = 100
PROCESSES = int(os.environ.get("XPLAN_TEST_PROCESSES", 20))


class Machine(Run):
    """A provider that takes a while, and directories that come and go."""

    def __init__(self, xplan, root):
        super().__init__(xplan, root)
        self.root = root
        self.schema(resource_schemas={"mock_thing": typed(behaviour={"apply": {"delay_ms": 15}})})

    def anew(self, text):
        shutil.rmtree(self.work)
        os.makedirs(self.work)
        self.config(text)
        self("init", "-input=false")

    def names(self):
        p = subprocess.run([self.xplan, "state", "pull"], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, timeout=60)
        if p.returncode:
            raise Failed("state pull ended with %d:\n%s" % (p.returncode, p.stderr))
        return names_in(p.stdout)


def names_in(text):
    """Of the things in what state pull prints."""
    state = json.loads(text) if text.strip() else {"resources": []}
    if state.get("lineage") == "" and (state["resources"] or state["serial"]):  # there is none yet
        raise Failed("state pull prints a state that nobody wrote")
    return {i["attributes"]["name"] for r in state["resources"] for i in r["instances"]}


def unlocked(run):
    """What a plan says, after the lock of the dead was broken where it stays."""
    p = run.start("plan", "-input=false")
    text = p.communicate(timeout=120)[0]
    if p.returncode and (held := re.search(r"ID: +(\S+)", text)):
        run("force-unlock", "-force", held.group(1))
        return run("plan", "-input=false")
    if p.returncode:
        raise Failed("the next plan failed:\n" + text)
    return text


def things(group, count, text='"t"'):
    return 'resource "mock_thing" "%s" {\n  count = %d\n  name  = "%s${count.index}"\n  text  = %s\n}\n' % (group, count, group, text)


CONFIG = things("a", OBJECTS // 2) + things("b", OBJECTS // 2, "mock_thing.a[count.index].id")


def vanish(run, server, n, calls):
    """Killed as soon as the provider was asked to make so many objects: moments of the apply, however busy the machine is."""
    where = "moment %d (%d calls)" % (n, calls)
    text = server.block("m%d" % n) + CONFIG
    run.anew(text)
    p = run.start("apply", "-auto-approve", "-input=false")
    deadline = time.monotonic() + 240
    while p.poll() is None and time.monotonic() < deadline and sum(c["call"] == "apply" for c in run.calls()) < calls:
        time.sleep(0.005)
    if not calls:
        time.sleep(0.01 * n)
    p.send_signal(signal.SIGKILL)
    out = p.communicate(timeout=60)[0]
    time.sleep(0.03)  # its provider ends, too
    begun = {c["planned"]["name"] for c in run.calls() if c["call"] == "apply"}
    complete = {g + i for g, i in re.findall(r"mock_thing\.([ab])\[(\d+)\]: Creation complete", out)}
    run.anew(text)
    told = unlocked(run)
    named = {g + i for g, i in re.findall(r"mock_thing\.([ab])\[(\d+)\]", "".join(re.findall(r"(?s)Outcome of [^╵]*", told)))}
    there = run.names()
    if lost := complete - there:
        raise Failed("%s: complete, but not in the state: %s" % (where, sorted(lost)))
    if lost := begun - there - named:
        raise Failed("%s: begun, but neither in the state nor named: %s\n%s" % (where, sorted(lost), told[-3000:]))
    run("apply", "-auto-approve", "-input=false")
    if len(run.names()) != OBJECTS:
        raise Failed("%s: %d objects in the end" % (where, len(run.names())))
    run("plan", "-input=false", "-detailed-exitcode")
    if left := server.beside("m%d" % n):
        raise Failed("%s: left on the server: %s" % (where, left))
    return len(complete), len(begun), len(named)


def in_the_middle(seen):
    """Whether some of the applies had finished a part, and some had something under way."""
    return any(0 < complete < OBJECTS for complete, _, _ in seen) and any(named for _, _, named in seen)


def vanishing(kind):
    def case(run):
        with StateServer(kind, run.root) as server:
            run.env.update(server.env)
            seen = []
            # Once more, at other moments, when none of them was in the middle.
            for n in range(2 * MOMENTS):
                if n >= MOMENTS and in_the_middle(seen):
                    break
                seen.append(vanish(run, server, n, OBJECTS * (n % MOMENTS) // MOMENTS + n // MOMENTS))
        if not in_the_middle(seen):
            raise Failed("no apply was killed in the middle: %s" % seen)
    case.__name__ = "vanishing_" + kind
    return case


def crowd(kind):
    def case(run):
        with StateServer(kind, run.root) as server:
            run.env.update(server.env)
            text = server.block("crowd") + things("x", PROCESSES)
            run.anew(text)
            run("apply", "-auto-approve", "-input=false", "-target=mock_thing.x[0]")
            folders = [os.path.join(run.root, "p%d" % i) for i in range(1, PROCESSES)]
            for f in folders:
                shutil.copytree(run.work, f, symlinks=True)
            # Every other one waits for its turn.
            running = [subprocess.Popen([run.xplan, "apply", "-auto-approve", "-input=false", "-target=mock_thing.x[%d]" % i,
                                         *(["-lock-timeout=120s"] if i % 2 else [])],
                                        cwd=f, env=run.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True) for i, f in enumerate(folders, 1)]
            expected = {"x0"}
            for i, p in enumerate(running, 1):
                out = p.communicate(timeout=240)[0]
                if p.returncode == 0:
                    expected.add("x%d" % i)
                elif i % 2 or "Error acquiring the state lock" not in out:
                    raise Failed("process %d ended with %d:\n%s" % (i, p.returncode, out))
            there = run.names()
            if there != expected:
                raise Failed("in the state: %s; of those that succeeded: %s" % (sorted(there), sorted(expected)))
            if left := server.beside("crowd") + glob.glob(os.path.join(run.root, "p*", "errored.tfstate")):
                raise Failed("left: %s" % left)
    case.__name__ = "crowd_" + kind
    return case


def calling(run, kind):
    """Once the provider was asked to make one of this type."""
    for _ in range(600):
        if [c for c in run.calls() if c["call"] == "apply" and c["type"] == kind]:
            return
        time.sleep(0.05)
    raise Failed("no %s was begun" % kind)


def killed(run, server, name, *options):
    """An apply that is killed when a has been made and the other is being made."""
    text = server.block(name) + things("a", 1) + '''resource "mock_slow" "b" {
  name = mock_thing.a[0].name
}
'''
    run.schema(resource_schemas={"mock_thing": typed(), "mock_slow": typed(behaviour={"apply": {"delay_ms": 60000}})})
    run.anew(text)
    p = run.start("apply", "-auto-approve", "-input=false", *options)
    calling(run, "mock_slow")
    p.send_signal(signal.SIGKILL)
    p.communicate(timeout=60)
    return text


def journals_elsewhere(run):
    """Where a journal is does not matter to who finds it: on this machine or beside the state."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        for name, first, then in (("there", [], ["-remote-journal=off"]), ("here", ["-remote-journal=off"], [])):
            killed(run, server, name, *first)
            told = unlocked(run)
            if "Interrupted run" not in told or "mock_slow.b" not in told:
                raise Failed("%s: the plan says nothing of the run before:\n%s" % (name, told))
            run.schema(resource_schemas={"mock_thing": typed(), "mock_slow": typed()})
            p = run.start("apply", "-auto-approve", "-input=false", *then)
            out = p.communicate(timeout=120)[0]
            made = [c["type"] for c in run.calls() if c["call"] == "apply"]
            if p.returncode or made != ["mock_slow"]:
                raise Failed("%s: it ended with %d, and made %s:\n%s" % (name, p.returncode, made, out))
            if left := server.beside(name) + glob.glob(os.path.join(run.work, ".terraform", "*.journal")):
                raise Failed("%s: left: %s" % (name, left))


def stopped_at_once(run):
    """A second interrupt leaves the lock, and says how it is released; what the lock says leads to a journal on this machine."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        for name, options in (("there", []), ("here", ["-remote-journal=off"])):
            run.schema(resource_schemas={"mock_thing": typed()})
            run.anew(server.block(name) + things("a", 1) + """resource "terraform_data" "b" {
  input = mock_thing.a[0].name
  provisioner "local-exec" {
    command = "trap '' INT TERM; touch begun; for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done"
  }
}
""")
            p = run.start("apply", "-auto-approve", "-input=false", *options)
            for _ in range(600):
                if os.path.exists(os.path.join(run.work, "begun")):
                    break
                time.sleep(0.05)
            p.send_signal(signal.SIGINT)
            time.sleep(0.5)
            p.send_signal(signal.SIGINT)
            out = p.communicate(timeout=60)[0]
            held = re.search(r"xplan force-unlock (\S+)", out)
            if "The state stays locked" not in out or not held:
                raise Failed("%s: it does not say that the lock is left:\n%s" % (name, out))
            locked = run("plan", "-input=false", fails=True)
            said = " ".join(locked.split())
            if (os.path.join(run.work, ".terraform", "state-") in said) != (name == "here") or ("keeps its journal in this directory" in said) != (name == "here"):
                raise Failed("%s: the lock says another thing of the journal:\n%s" % (name, locked))
            run("force-unlock", "-force", held.group(1))
            told = run("plan", "-input=false")
            if not 0 <= told.find("Interrupted run") < told.find("Plan:"):
                raise Failed("%s: what was interrupted is not told before the plan:\n%s" % (name, told))


def errored_states(run):
    """What could not be written is taken back by the command that the message names, whatever became of the state."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_thing": typed(), "mock_slow": typed(behaviour={"apply": {"delay_ms": 1500}})})
        for name, before, fault in (("first", False, "reset"), ("later", True, "reset"), ("taken", True, "steal"), ("taken_first", False, "steal")):
            head = server.block(name)
            run.anew(head + (things("x", 1) if before else ""))
            if before:
                run("apply", "-auto-approve", "-input=false")
            run.config(head + (things("x", 1) if before else "") + 'resource "mock_slow" "b" {\n  name = "b"\n}\n')
            p = run.start("apply", "-auto-approve", "-input=false")
            for _ in range(600):
                if [c for c in run.calls() if c["call"] == "apply" and c["type"] == "mock_slow"]:
                    break
                time.sleep(0.05)
            key = "tfb/%s/state" % name
            if fault == "reset":  # nothing answers any more
                server.order({"faults": [{"on": {"service": "s3"}, "do": "reset", "times": 1000000}]})
            else:  # somebody else writes
                state = json.loads(server.server.control()["objects"].get(key) or EMPTY)
                state["serial"] += 1
                state["outputs"] = {"other": {"value": "1", "type": "string"}}
                server.order({"objects": {key: json.dumps(state)}})
            out = p.communicate(timeout=240)[0]
            server.order({"faults": []})
            if not p.returncode or not os.path.exists(os.path.join(run.work, "errored.tfstate")):
                raise Failed("%s: it ended with %d:\n%s" % (name, p.returncode, out))
            said = " ".join(re.sub("[│╷╵]", " ", out).split())
            advice = re.search(r'run "xplan (state push [^"]*errored.tfstate)"|with "xplan (state push [^"]*errored.tfstate)"', said)
            if not advice:
                raise Failed("%s: it does not say what to do:\n%s" % (name, out))
            locked = run.start("plan", "-input=false")
            text = locked.communicate(timeout=120)[0]
            if held := re.search(r"ID: +(\S+)", text):
                run("force-unlock", "-force", held.group(1))
            told = run(*(advice.group(1) or advice.group(2)).split())
            there = run.names()
            if there != ({"x0", "b"} if before else {"b"}):
                raise Failed("%s: in the state: %s\n%s" % (name, there, told))
            run("plan", "-input=false", "-detailed-exitcode")
            if left := server.beside(name):
                raise Failed("%s: left: %s" % (name, left))


def errored_files(run):
    """What could not be written to a file that -state or -state-out names is taken back there, and not to the workspace's state."""
    config = things("x", 1) + 'resource "terraform_data" "gone" {\n  depends_on = [mock_thing.x]\n  provisioner "local-exec" {\n    command = "mv \'its own\' away"\n  }\n}\n'
    for option in ("-state", "-state-out"):
        run.anew(things("x", 1))
        place = os.path.join(run.work, "its own")
        os.mkdir(place)
        if option == "-state":
            run("apply", "-auto-approve", "-input=false", "-state=its own/s.tfstate")
        run.config(config)
        out = run("apply", "-auto-approve", "-input=false", option + "=its own/s.tfstate", fails=True)
        said = " ".join(re.sub("[│╷╵]", " ", out).split())
        advice = re.search(r"restore it with \"xplan (state push -state='[^']*/its own/s.tfstate' errored.tfstate)\"", said)
        if not advice:
            raise Failed("%s: it does not say what to do:\n%s" % (option, out))
        os.rename(os.path.join(run.work, "away"), place)
        if option == "-state":  # without the journal, nothing is planned before
            os.remove(os.path.join(place, "s.tfstate.journal"))
            refusal = " ".join(re.sub("[│╷╵]", " ", run("plan", "-input=false", "-state=its own/s.tfstate", fails=True)).split())
            if advice.group(1) not in refusal:
                raise Failed("%s: the next plan does not say it again:\n%s" % (option, refusal))
        run(*shlex.split(advice.group(1)))
        run("plan", "-input=false", "-detailed-exitcode", "-state=its own/s.tfstate")
        if os.path.exists(os.path.join(run.work, "terraform.tfstate")):
            raise Failed("%s: there is a state in the usual place" % option)


def logged_requests(run):
    """Requests to HCP and servers like it are logged at a level of their own, without the addresses of contents."""
    with StateServer("hcp", os.path.join(run.root, "server")) as server:
        run.env.update(server.env)
        run.config(server.block("logged") + things("x", 1))
        run("init", "-input=false")
        for level, there in (("debug", True), ("info", False)):
            run.env.update(TF_LOG_CLOUD=level)
            lines = [line for line in run("apply", "-auto-approve", "-input=false").splitlines() if "[DEBUG]" in line]
            if any(" cloud: " not in line for line in lines) or bool(lines) != there:
                raise Failed("with %s: %s" % (level, lines))
            if there and not any(re.search(r"cloud: POST https://\S+/state-versions: status 201$", line) for line in lines):
                raise Failed("a new version is not logged: %s" % lines)


def overtaken_journals(run):
    """Somebody writes the state after a run was killed: who reads goes on, who changes something is told what only the journal has,
    and there is a command that shows it and one that sets it aside."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        for name, options in (("there", []), ("here", ["-remote-journal=off"])):
            killed(run, server, name, *options)
            held = re.search(r"ID: +(\S+)", run("plan", "-input=false", fails=True))
            run("force-unlock", "-force", held.group(1))
            key = "tfb/%s/state" % name
            state = json.loads(server.server.control()["objects"].get(key) or EMPTY)
            state["serial"] += 5
            state["resources"] = []
            state["outputs"] = {"other": {"value": "1", "type": "string"}}
            server.order({"objects": {key: json.dumps(state)}})
            for command in (["state", "list"], ["state", "pull"], ["output"], ["show"], ["plan", "-lock=false", "-input=false"], ["init", "-input=false"]):
                told = run(*command)
                if told.count("Journal does not fit the state") != 1:
                    raise Failed("%s: %s does not warn once:\n%s" % (name, command, told))
            for command in (["plan"], ["apply", "-auto-approve"], ["apply", "-auto-approve", "-lock=false"], ["state", "rm", "-lock=false", "mock_thing.a"]):
                told = run(*command, fails=True)
                if command[0] != "state" and not all(part in told for part in ("mock_thing.a[0] (ID", "mock_slow.b (its creation", "xplan state journal -discard")):
                    raise Failed("%s: %s does not say what is where:\n%s" % (name, command, told))
                if [c for c in run.calls() if c["call"] == "apply"]:
                    raise Failed("%s: %s changes something" % (name, command))
            shown, records = run("state", "journal"), run.json("state", "journal", "-json")
            if "mock_slow.b: create was announced" not in shown or records["status"] != "does_not_fit" or len(records["records"]) < 3:
                raise Failed("%s: the journal has:\n%s\n%s" % (name, shown, records))
            run("state", "journal", "-discard", fails=True)  # nobody answers
            kept = re.search(r"terraform\.tfstate\.\d+\.journal", run("state", "journal", "-discard", "-auto-approve")).group()
            if run("state", "journal", kept) not in shown:
                raise Failed("%s: the copy has something else" % name)
            if "No interrupted run" not in run("state", "journal") or "mock_thing.a[0] will be created" not in run("plan", "-input=false"):
                raise Failed("%s: the journal is there still" % name)


def forced_pushes(run):
    """What only the replaced state had is listed, and kept on this machine."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_thing": typed()})
        run.anew(server.block("forced") + things("a", 2))
        if json.loads(run("state", "pull"))["terraform_version"] != "1.11.4":
            raise Failed("where there is no state, the state that is printed has no version")
        run("apply", "-auto-approve", "-input=false")
        before = run("state", "pull")
        other = json.loads(before)
        other["serial"], other["resources"][0]["instances"] = 1, other["resources"][0]["instances"][:1]
        with open(os.path.join(run.work, "other"), "w") as f:
            json.dump(other, f)
        run("state", "push", "other", fails=True)
        told = run("state", "push", "-force", "other")
        kept = re.search(r"terraform\.tfstate\.\d+\.backup", told)
        if "The state was written to" not in told or "mock_thing.a[1] (ID" not in told or "mock_thing.a[0]" in told or not kept:
            raise Failed("it does not say what is lost:\n" + told)
        if json.load(open(os.path.join(run.work, kept.group()))) != json.loads(before):
            raise Failed("the copy is another state")
        expect("nothing is lost", run("state", "push", "-force", kept.group()), 'A copy of the state that was replaced is in "terraform.tfstate.', without=["Objects are no longer managed"])


def said_in(text):
    """A message without its frame."""
    return " ".join(re.sub("[│╷╵]", " ", text).split())


def expect(where, text, *parts, without=()):
    said = said_in(text)
    if missing := [part for part in parts if part not in said]:
        raise Failed("%s: it does not say %s:\n%s" % (where, missing, text))
    if there := [part for part in without if part in said]:
        raise Failed("%s: it says %s:\n%s" % (where, there, text))


def replaced_states(run):
    """A migration over another state tells before and afterwards what only that one had, and keeps a copy of it on this machine."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_thing": typed()})
        old = 'terraform {\n  backend "local" {\n    path = "old.tfstate"\n  }\n}\n'
        for answer in ("", "yes\n", None):
            name = "replaced-%s" % (answer or answer is None and "forced" or "unanswered").strip()
            run.anew(server.block(name) + things("a", 1) + things("b", 2))
            expect("before there is one", run("state", "list", fails=True), "Apply the configuration first", without=["-state"])
            run("apply", "-auto-approve", "-input=false")
            before = run("state", "pull")
            run.anew(old + things("a", 1))
            run("apply", "-auto-approve", "-input=false")
            run.config(server.block(name) + things("a", 1))
            p = subprocess.run([run.xplan, "init", "-migrate-state", *(["-force-copy"] if answer is None else [])], cwd=run.work, env=run.env, input=answer,
                               stdin=subprocess.DEVNULL if answer is None else None, capture_output=True, text=True, timeout=60)
            text = p.stdout + p.stderr
            if answer is not None:
                expect(name, text, "It has 3 objects, serial 1 and lineage", 'at "old.tfstate", which has 1 object, serial 1', "These objects are only in the state at",
                       "- mock_thing.b[1] (ID", "(a backup will be kept)")
            kept = glob.glob(os.path.join(run.work, "terraform.tfstate.*.backup"))
            if answer == "":
                expect(name, text, "No state was migrated", without=["Objects are no longer managed"])
                expect(name, run("init", "-migrate-state", "-input=false", fails=True), "which has a different state: 3 objects, serial 1", "- mock_thing.b[0] (ID")
                if kept or p.returncode != 1:
                    raise Failed("%s: it ended with %d and left %s" % (name, p.returncode, kept))
                continue
            if p.returncode or len(kept) != 1 or json.load(open(kept[0])) != json.loads(before):
                raise Failed("%s: it ended with %d and left %s:\n%s" % (name, p.returncode, kept, text))
            expect(name, text, "Objects are no longer managed", "that was replaced (serial 1)", "- mock_thing.b[0] (ID", "- mock_thing.b[1] (ID",
                   'A copy of that state is in "%s".' % os.path.basename(kept[0]))


def unreadable_journals(run):
    """A journal that nobody can read does not keep a new directory from being set up, so that it can be discarded there."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        for name, applied in (("first", False), ("later", True)):
            if applied:
                run.schema(resource_schemas={"mock_thing": typed()})
                run.anew(server.block(name) + things("a", 1))
                run("apply", "-auto-approve", "-input=false")
            text = killed(run, server, name)
            unlocked(run)
            segments = [k for k in server.server.control()["objects"] if k.startswith("tfb/%s/state" % name) and "journal" in k]
            server.order({"objects": {k: "of a lost key" for k in segments}})
            shutil.rmtree(run.work)
            os.makedirs(run.work)
            run.config(text)
            told = run("init", "-input=false")
            expect(name, told, "Warning: Journal cannot be used", "Successfully configured")
            if told.count("Journal cannot be used") != 1:
                raise Failed("%s: it warns more than once:\n%s" % (name, told))
            expect(name, run("plan", "-input=false", fails=True), "cannot be used", "xplan state journal -discard")
            run("state", "journal", "-discard", "-auto-approve")
            run("plan", "-input=false")
            if left := server.beside(name):
                raise Failed("%s: left: %s" % (name, left))


def releasing_locks(run):
    """What is said of a lock fits what is known of its run; who releases it without being asked hears of its journal, too."""
    with StateServer("consul", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_thing": typed(), "mock_slow": typed(behaviour={"apply": {"delay_ms": 60000}})})
        run.anew(server.block("held") + things("a", 1))
        run("apply", "-auto-approve", "-input=false")
        run.config(server.block("held") + things("a", 1) + 'resource "mock_slow" "b" {\n  name = "b"\n}\n')
        p = run.start("apply", "-auto-approve", "-input=false")
        calling(run, "mock_slow")
        journal = "The run keeps its journal in this directory"
        text = run("plan", "-input=false", fails=True)
        answered = lambda lock: subprocess.run([run.xplan, "force-unlock", lock], cwd=run.work, env=run.env, input="no\n", capture_output=True, text=True, timeout=60).stdout
        expect("the question at work", answered(re.search(r" ID: +(\S+)", text).group(1)), " acquired it ", "on this machine, in process %d, which is still running." % p.pid,
               "That run is still in progress, and another one can then change the state at the same time.", "The lock was not released.")
        expect("at work", text, "which is still running. It may be changing the state: wait until it has finished, or use -lock-timeout", without=["force-unlock", journal])
        if not re.search(r"^│ +Info: +consul session: \S+\n│ +process \d+ of \S+\n│ +journal: /", text, re.M):
            raise Failed("the notes of the lock are not on lines of their own:\n" + text)
        waiting = subprocess.Popen([run.xplan, "plan", "-input=false", "-lock-timeout=30m"], cwd=run.work, env=run.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        waiting.stdout.readline()  # it waits
        waiting.send_signal(signal.SIGINT)
        expect("interrupted", waiting.communicate(timeout=60)[0], "waiting for the lock was interrupted", "wait until it has finished.", without=["-lock-timeout"])
        p.send_signal(signal.SIGKILL)
        p.communicate(timeout=60)
        text = run("plan", "-input=false", fails=True)
        expect("ended", text, "which has ended. That run ended without releasing the lock. Release the lock with: xplan force-unlock", journal,
               without=["wait", "Otherwise", "Another run"])
        held = re.search(r"xplan force-unlock (\S+)", text).group(1)
        with open(os.path.join(run.work, "main.tf")) as f:
            own = f.read()
        run.config('terraform {\n  backend "local" {}\n}\n')
        migrating = run("init", "-migrate-state", "-force-copy", "-input=false", fails=True)
        expect("a migration", migrating, "xplan force-unlock " + held, "so that must be run in another directory", journal)
        if migrating.count("force-unlock") != 1 or migrating.count("│ Error:") != 1:
            raise Failed("a migration says more than once what to do:\n" + migrating)
        with open(os.path.join(run.work, "main.tf"), "w") as f:
            f.write(own)
        asked = answered(held)
        expect("the question", asked, journal, "in process %d, which has ended. That run ended without releasing it." % p.pid, without=["another one"])
        other = run.beside(os.path.join(run.root, "other"))
        other.config(server.block("held") + things("a", 1))
        other("init", "-input=false")
        expect("in another directory", other("plan", "-input=false", fails=True), "The run keeps its journal on its own machine", "must be in the directory of that run")
        if any(len(line) > 90 and journal in line for line in asked.splitlines()):
            raise Failed("the question is not wrapped:\n" + asked)
        expect("released", run("force-unlock", "-force", held), "was released", journal, "must be in this directory.")
        for options in ([], ["-force"]):  # without being asked in any case
            expect("again", run("force-unlock", *options, held, fails=True), 'The state "%s' % server.url, "is not locked.", 'It is that of the workspace "default".', "TF_WORKSPACE",
                   without=["The lock is gone", "Enter a value"])


def locks_of_workspaces(run):
    """What is advised of a lock names the workspace, where another one would be selected; and whoever finds no lock hears which one was looked at."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_thing": typed(), "mock_slow": typed(behaviour={"apply": {"delay_ms": 60000}})})
        run.anew(server.block("held") + things("a", 1))
        run("workspace", "new", "w1")
        run("apply", "-auto-approve", "-input=false")
        run.config(server.block("held") + things("a", 1) + 'resource "mock_slow" "b" {\n  name = "b"\n}\n')
        p = run.start("apply", "-auto-approve", "-input=false")
        calling(run, "mock_slow")
        p.send_signal(signal.SIGKILL)
        p.communicate(timeout=60)
        run.config('terraform {\n  backend "local" {}\n}\n')
        expect("a migration", run("init", "-migrate-state", "-force-copy", "-input=false", fails=True), "Release the lock with: xplan force-unlock",
               'with the backend block of "s3://tfb/env:/w1/held/state" and the environment variable TF_WORKSPACE set to "w1", after "xplan init" there.')
        run.config(server.block("held"))
        run("workspace", "select", "default")
        expect("another workspace", run("force-unlock", "-force", "x", fails=True), 'The state "s3://tfb/held/state" is not locked. It is that of the workspace "default".')


def faults(server, rules):
    request = urllib.request.Request(server.url + "/.faults", data=json.dumps(rules).encode(), method="PUT",
                                     headers={"Authorization": "Basic dXNlcjpwYXNzIHdvcmQ="})
    urllib.request.urlopen(request).read()


def kept_locks(run):
    """Whoever cannot release its lock says so, however a run ends that changes nothing."""
    with StateServer("http", run.root) as server:
        run.env.update(server.env)
        things_of = server.block("kept") + things("a", 1)
        run.anew(things_of)
        refusal = [{"method": "UNLOCK", "path": "/kept", "times": 9, "status": 500, "body": ""}]
        failing = things_of + 'variable "v" {\n  default = 1\n}\noutput "o" {\n  value = 1\n  precondition {\n    condition     = var.v > 1\n' \
            '    error_message = "It is small."\n  }\n}\n'
        for what, text, options in (("cancelled", things_of, []), ("nobody to ask", things_of, ["-input=false"]), ("a failed plan", failing, ["-auto-approve"])):
            run.config(text)
            faults(server, refusal)
            p = subprocess.run([run.xplan, "apply", *options], cwd=run.work, env=dict(run.env, TF_HTTP_RETRY_MAX="0"), input="no\n", stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=60)
            if p.returncode != 1:
                raise Failed("%s: exit code %d:\n%s" % (what, p.returncode, p.stdout))
            expect(what, p.stdout, "Error releasing the state lock", "xplan force-unlock")
            faults(server, [])
            run("force-unlock", "-force", re.search(r"xplan force-unlock (\S+)", p.stdout).group(1))


def slow_records(run):
    """Whoever waits for the server of the state, and no longer for a provider, is told so."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_slow": typed(behaviour={"apply": {"delay_ms": 1500}})})
        run.anew(server.block("slow") + 'resource "mock_slow" "b" {\n  name = "b"\n}\n')
        p = run.start("apply", "-auto-approve", "-input=false")
        calling(run, "mock_slow")
        server.order({"faults": [{"on": {"method": "PUT"}, "do": "wait", "seconds": 13, "times": 1}]})
        out = p.communicate(timeout=120)[0]
        if p.returncode:
            raise Failed("it ended with %d:\n%s" % (p.returncode, out))
        expect("apply", out, "mock_slow.b: Still waiting for s3://tfb/slow/state to record it... [10s elapsed]", "mock_slow.b: Creation complete after 1")
        run.anew(server.block("several") + things("s", 3).replace("mock_thing", "mock_slow"))
        p = run.start("apply", "-auto-approve", "-input=false")
        calling(run, "mock_slow")
        server.order({"faults": [{"on": {"method": "PUT"}, "do": "wait", "seconds": 13, "times": 3}]})
        out = p.communicate(timeout=120)[0]
        expect("several", out, "3 operations: Still waiting for s3://tfb/several/state to record them... [10s elapsed]", without=["mock_slow.s[0]: Still"])


def stolen(kind):
    def case(run):
        """The lock is taken away from an apply, and another one changes the state: nothing more begins, and nothing is overwritten."""
        with StateServer(kind, run.root) as server:
            run.env.update(server.env)
            run.schema(resource_schemas={"mock_thing": typed(behaviour={"apply": {"delay_ms": 15}}), "mock_slow": typed(behaviour={"apply": {"delay_ms": 2000}})})
            head = server.block("stolen")
            run.anew(head + things("a", 1))
            run("apply", "-auto-approve", "-input=false")
            other = run.beside(os.path.join(run.root, "other"))
            other.config(head + things("a", 1) + things("b", 1))
            other("init", "-input=false")
            run.config(head + things("a", 1) + things("s", 12).replace("mock_thing", "mock_slow"))
            p = run.start("apply", "-auto-approve", "-input=false", "-parallelism=1")
            calling(run, "mock_slow")
            held = re.search(r" ID: +(\S+)", other("plan", "-input=false", fails=True))
            other("force-unlock", "-force", held.group(1))
            other("apply", "-auto-approve", "-input=false", "-target=mock_thing.b", "-lock-timeout=60s")
            out = p.communicate(timeout=120)[0]
            made = len([c for c in run.calls() if c["call"] == "apply"])
            expect(kind, out, "State lock lost", "It was written to \"errored.tfstate\" instead. Compare that with the state", "which lacks the changes of this run",
                   without=["after fixing the cause, restore it with"])
            if p.returncode != 1 or made == 12:
                raise Failed("it ended with %d after %d calls:\n%s" % (p.returncode, made, out))
            expect(kind, other("state", "list"), "mock_thing.b[0]")
    case.__name__ = "stolen_" + kind
    return case


def late_approvals(run):
    """While a plan waits for its approval without a lock, somebody else changes the state: nothing begins."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        text = server.block("late") + things("a", 2)
        run.anew(text)
        other = run.beside(os.path.join(run.root, "other"))
        other.config(text)
        other("init", "-input=false")
        p = subprocess.Popen([run.xplan, "apply", "-lock=false"], cwd=run.work, env=run.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        said = ""
        while "Enter a value" not in said:
            said += p.stdout.read(1) or sys.exit("it does not ask:\n" + said)
        other("apply", "-auto-approve", "-input=false")
        out = p.communicate("yes\n", timeout=120)[0]
        expect("late", out, "Plan is stale", "was changed by something else since it was planned. Create a new plan. Nothing was changed.")
        made = len([c for c in run.calls() if c["call"] == "apply"])
        if p.returncode != 1 or made:
            raise Failed("it ended with %d after %d calls:\n%s" % (p.returncode, made, out))


def deleted_workspaces(run):
    """A workspace in which a run without a lock is at work is not deleted, forced or not."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.schema(resource_schemas={"mock_slow": typed(behaviour={"apply": {"delay_ms": 4000}})})
        text = server.block("deleted") + things("s", 1).replace("mock_thing", "mock_slow")
        run.anew(text)
        run("workspace", "new", "w1")
        other = run.beside(os.path.join(run.root, "other"))
        other.config(text)
        other("init", "-input=false")
        p = run.start("apply", "-auto-approve", "-input=false", "-lock=false")
        calling(run, "mock_slow")
        for force in ([], ["-force"]):
            out = other("workspace", "delete", "-lock=false", *force, "w1", fails=True)
            expect("beside it", out, "Failed to delete workspace", "nother run is changing the state", "Wait until it has finished", "Nothing was deleted.")
        out = p.communicate(timeout=120)[0]
        if p.returncode or run.names() != {"s0"}:
            raise Failed("it ended with %d:\n%s" % (p.returncode, out))
        expect("with objects", other("workspace", "delete", "-lock=false", "w1", fails=True), "Workspace is not empty")
        other("workspace", "delete", "-lock=false", "-force", "w1")


def released(kind):
    def case(run):
        """The lock is taken away from an apply, and nobody else comes: nothing more begins all the same, and what was done is in the state."""
        with StateServer(kind, run.root) as server:
            run.env.update(server.env)
            run.schema(resource_schemas={"mock_slow": typed(behaviour={"apply": {"delay_ms": 1000}})})
            text = server.block("released") + things("s", 25).replace("mock_thing", "mock_slow")
            run.anew(text)
            p = run.start("apply", "-auto-approve", "-input=false", "-parallelism=1")
            calling(run, "mock_slow")
            other = run.beside(os.path.join(run.root, "other"))
            other.config(text)
            other("init", "-input=false")
            held = re.search(r" ID: +(\S+)", other("plan", "-input=false", fails=True))
            other("force-unlock", "-force", held.group(1))
            out = p.communicate(timeout=120)[0]
            made = len([c for c in run.calls() if c["call"] == "apply"])
            expect(kind, out, "State lock lost")
            if p.returncode != 1 or not 0 < made < 25 or len(run.names()) != made:
                raise Failed("it ended with %d after %d calls, with %d in the state:\n%s" % (p.returncode, made, len(run.names()), out))
    case.__name__ = "released_" + kind
    return case


def recorded_secrets(run):
    """Of secrets that are recorded there is a warning, which does not say what they are; of those in the environment there is none."""
    with StateServer("http", run.root) as server:
        run.env.update(server.env)
        more = ['password = "pass word"']
        for block, warned in ((server.block("plain"), False), (server.block("secret", more=more), True)):
            run.anew(block)
            for command, kind in ((["init", "-input=false"], "backend configuration"), (["plan"], None), (["plan", "-out=p"], "plan file")):
                told = run(*command)
                expected = kind if warned else None
                if ("Secrets in the %s" % kind in told and 'argument "password"' in told) != bool(expected) or told.count("Warning:") != bool(expected):
                    raise Failed("%s says:\n%s" % (command, told))
                if "pass word" in told:
                    raise Failed("%s shows the password" % command)


def overwritten_file(run):
    """A local state that something else writes during an apply stays, and ours is taken back by the command that the message names."""
    state = os.path.join(run.work, "terraform.tfstate")
    run.schema(resource_schemas={"mock_thing": typed(), "mock_slow": typed(behaviour={"apply": {"delay_ms": 1500}})})
    for before in (True, False):
        run.anew(things("x", 1) if before else "")
        if before:
            run("apply", "-auto-approve", "-input=false")
        run.config((things("x", 1) if before else "") + 'resource "mock_slow" "b" {\n  name = "b"\n}\n')
        p = run.start("apply", "-auto-approve", "-input=false")
        for _ in range(600):
            if [c for c in run.calls() if c["call"] == "apply" and c["type"] == "mock_slow"]:
                break
            time.sleep(0.05)
        other = json.loads((open(state).read() if before else "") or EMPTY)
        other["serial"] += 1
        other["outputs"] = {"other": {"value": "1", "type": "string"}}
        with open(state, "w") as f:  # as an editor does, or a copy
            json.dump(other, f)
        out = p.communicate(timeout=60)[0]
        if p.returncode != 1 or json.load(open(state)) != other:
            raise Failed("it ended with %d, and the state is now %s:\n%s" % (p.returncode, open(state).read(), out))
        said = " ".join(re.sub("[│╷╵]", " ", out).split())
        if "something else has changed the state" not in said or '"xplan state push -force errored.tfstate"' not in said:
            raise Failed("it does not say what happened and what to do:\n" + out)
        run("state", "push", "-force", "errored.tfstate")
        there = run.names()
        if there != ({"x0", "b"} if before else {"b"}):
            raise Failed("in the state: %s" % there)
        run("plan", "-input=false", "-detailed-exitcode")


CASES = [journals_elsewhere, stopped_at_once, errored_states, errored_files, overtaken_journals, forced_pushes, replaced_states, unreadable_journals, releasing_locks, locks_of_workspaces, kept_locks,
         logged_requests, slow_records, recorded_secrets, overwritten_file, late_approvals,
         deleted_workspaces] + [make(kind) for make, kinds in (
    (stolen, ("consul", "pg", "s3")), (released, ("consul", "pg", "s3")),
    (vanishing, ("azurerm", "azurite", "cos", "gcs", "pg", "radosgw", "s3")),
    (crowd, ("azurerm", "gcs", "pg", "radosgw", "s3"))) for kind in kinds]

if __name__ == "__main__":
    try:
        sys.exit(run_cases(__doc__, CASES, Machine))
    except case_server.Absent as e:
        print("skipped: %s" % e)
