#!/usr/bin/env python3
"""state mv between two states: files, workspaces, a file and a backend; killed at every point where it changes a file.

    state_moves.py --xplan BINARY [CASE...]      The last line is 'N passed, M failed'.

XPLAN_KILL_AT names the library that kills (tests/support/kill_at.cc); without it, the cases that need it are skipped.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import zlib

from cases import run_cases
from pseudo_terminal import Failed
from state_servers import StateServer

CONFIG = """resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" { input = terraform_data.a.id }
resource "terraform_data" "many" {
  for_each = toset(["x", "y"])
  input    = each.key
}
module "m" { source = "./m" }
"""
MODULE = 'resource "terraform_data" "inner" { input = "inner" }\n'
ALL = {"terraform_data.a", "terraform_data.b", 'terraform_data.many["x"]', 'terraform_data.many["y"]', "module.m.terraform_data.inner"}
# Source, destination, and what that moves.
MOVES = [("terraform_data.a", "terraform_data.moved", {"terraform_data.a": "terraform_data.moved"}),
         ("terraform_data.many", "terraform_data.many",
          {'terraform_data.many["x"]': 'terraform_data.many["x"]', 'terraform_data.many["y"]': 'terraform_data.many["y"]'}),
         ('terraform_data.many["x"]', "terraform_data.one", {'terraform_data.many["x"]': "terraform_data.one"}),
         ("module.m", "module.m", {"module.m.terraform_data.inner": "module.m.terraform_data.inner"}),
         ("module.m", "module.other", {"module.m.terraform_data.inner": "module.other.terraform_data.inner"})]


def flat(text):
    """Without line breaks, and the box around messages."""
    return re.sub(r"[\s│╷╵]+", " ", text)


class Run:
    def __init__(self, xplan, root):
        self.xplan, self.root, self.work = xplan, root, os.path.join(root, "work")
        os.makedirs(os.path.join(self.work, "m"))
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
        self.env.update(HOME=root, NO_COLOR="1", TF_IN_AUTOMATION="1")
        self.env.pop("XDG_CACHE_HOME", None)
        self.write("main.tf", CONFIG)
        self.write("m/main.tf", MODULE)

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w") as f:
            f.write(text)

    def start(self, *args, kill_at=None):
        env = dict(self.env)
        if kill_at:
            env.update(LD_PRELOAD=os.environ["XPLAN_KILL_AT"], XPLAN_TEST_KILL_AT=str(kill_at),
                       ASAN_OPTIONS="verify_asan_link_order=0:" + env.get("ASAN_OPTIONS", ""))
        return subprocess.run([self.xplan, *args], cwd=self.work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)

    def __call__(self, *args, code=0):
        p = self.start(*args)
        if p.returncode != code:
            raise Failed("%s ended with %d:\n%s" % (" ".join(args), p.returncode, p.stdout))
        return flat(p.stdout)

    def objects(self, state):
        """Addresses and IDs, as the file has them."""
        path = os.path.join(self.work, state)
        if not os.path.exists(path) or not os.path.getsize(path):
            return {}
        with open(path) as f:
            return self.objects_in(json.load(f))

    @staticmethod
    def objects_in(state):
        return {"%s%s.%s%s" % (r["module"] + "." if "module" in r else "", r["type"], r["name"],
                               "[%s]" % json.dumps(i["index_key"]) if "index_key" in i else ""): i["attributes"]["id"]
                for r in state["resources"] for i in r["instances"]}

    def files(self):
        """All files by name, with their texts, but for what is only cached."""
        found = {}
        for folder, _, names in os.walk(self.work):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    found[path] = f.read()
        return found

    def restore(self, files):
        shutil.rmtree(self.work)
        for path, text in files.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(text)


def equal(what, found, wanted):
    if found != wanted:
        raise Failed("%s: %r instead of %r" % (what, found, wanted))


def contains(what, text, *parts):
    for part in parts:
        if part not in text:
            raise Failed("%s: there is no %r in\n%s" % (what, part, text))


def setup(run):
    run("init")
    run("apply", "-auto-approve")


def moved(run, before, moves, source, destination):
    equal("the source", run.objects(source), {a: i for a, i in before.items() if a not in moves})
    equal("the destination", run.objects(destination), {to: before[a] for a, to in moves.items()})


def files(run):
    """All kinds of addresses, from a file into another one that is not there yet, and into one that is."""
    setup(run)
    start, before = run.files(), run.objects("terraform.tfstate")
    for source, to, moves in MOVES:
        run.restore(start)
        text = run("state", "mv", "-dry-run", "-state-out=other.tfstate", source, to)
        contains("a dry run", text, "Would move")
        if source == to:
            contains("where it goes", text, ' to the state "other.tfstate"')
        equal("after a dry run", run.objects("other.tfstate"), {})
        contains("the move", run("state", "mv", "-state-out=other.tfstate", source, to), "Successfully moved")
        moved(run, before, moves, "terraform.tfstate", "other.tfstate")
        run("state", "mv", "-state-out=other.tfstate", source, to, code=1)  # not there any more
        back = {to: a for a, to in moves.items()}
        run("state", "mv", "-state=other.tfstate", "-state-out=terraform.tfstate", to, source)
        equal("back again", run.objects("terraform.tfstate"), before)
        equal("nothing is left", run.objects("other.tfstate"), {})
    contains("something is there", run("state", "mv", "-state-out=other.tfstate", "terraform_data.none", "terraform_data.x", code=1),
             "No such object in the state")


def into_itself(run):
    """The destination is the source under another name, with or without locks."""
    setup(run)
    run("workspace", "new", "second")
    run("apply", "-auto-approve")
    there = "terraform.tfstate.d/second/terraform.tfstate"
    os.symlink(there, os.path.join(run.work, "link"))
    os.link(os.path.join(run.work, there), os.path.join(run.work, "hard"))
    start = run.files()
    for lock in ([], ["-lock=false"]):
        for option in ("-state-out=./" + there, "-state-out=" + os.path.join(run.work, there), "-state-out=link", "-state-out=hard"):
            contains(option, run("state", "mv", *lock, option, "terraform_data.a", "terraform_data.moved", code=1), "Same state",
                     option[1:].split("=")[0] + " leads to the state")
        contains("a workspace", run("state", "mv", *lock, "-state=" + there, "-workspace-out=second", "terraform_data.a", "terraform_data.moved", code=1),
                 "Same state", "-workspace-out leads to the state")
    equal("nothing has changed", run.files(), start)


def unwritable(run):
    """What cannot be written to the destination is not kept for a command that would write it to the source."""
    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        run.write("backend.tf", server.block("source"))
        setup(run)
        run("workspace", "new", "second")
        run("workspace", "select", "default")
        server.order({"faults": [{"on": {"method": "PUT", "ends": "/second/source/state"}, "do": "reset", "times": 100}]})
        text = run("state", "mv", "-workspace-out=second", "terraform_data.a", "terraform_data.a", code=1)
        contains("the advice", text, "The state could not be written", "run the command again to finish the move")
        equal("push", "state push" in text or os.path.exists(os.path.join(run.work, "errored.tfstate")), False)
        server.order({"faults": []})
        contains("again", run("state", "mv", "-workspace-out=second", "terraform_data.a", "terraform_data.a"), "Successfully moved 1 object")


def workspaces(run):
    setup(run)
    run("workspace", "new", "second")
    run("workspace", "select", "default")
    before = run.objects("terraform.tfstate")
    there = "terraform.tfstate.d/second/terraform.tfstate"
    contains("no workspace", run("state", "mv", "-workspace-out=secnod", "terraform_data.a", "terraform_data.a", code=1),
             "There is no workspace", 'Did you mean "second"?')
    contains("the same one", run("state", "mv", "-workspace-out=default", "terraform_data.a", "terraform_data.b", code=1), "Same workspace")
    contains("both", run("state", "mv", "-workspace-out=second", "-state-out=x", "terraform_data.a", "terraform_data.b", code=1),
             "cannot be used together")
    run("state", "mv", "-workspace-out=second", "module.m", "module.m")
    moved(run, before, {"module.m.terraform_data.inner": "module.m.terraform_data.inner"}, "terraform.tfstate", there)
    run("workspace", "select", "second")
    contains("the plan there", run("plan"), "4 to add, 0 to change, 0 to destroy")
    run("state", "mv", "-workspace-out=default", "module.m", "module.m")
    equal("back again", run.objects("terraform.tfstate"), before)


def into_a_backend(run):
    """From a file of this machine into the workspace of a backend."""
    setup(run)
    run("workspace", "new", "second")
    run("state", "mv", "-state=terraform.tfstate", "-workspace-out=second", "terraform_data.a", "terraform_data.a")
    equal("there", set(run.objects("terraform.tfstate.d/second/terraform.tfstate")), {"terraform_data.a"})
    equal("here", set(run.objects("terraform.tfstate")), ALL - {"terraform_data.a"})


def at_every_point(run, command, moves, source, destination):
    """Kills the command at each point, and lets it finish. How many points there were; what was in both states."""
    start, before = run.files(), run.objects(source)
    points = both = 0
    while True:
        run.restore(start)
        p = run.start(*command, kill_at=points + 1)
        if p.returncode == 0:
            break
        points += 1
        equal("point %d: %s" % (points, p.stdout), p.returncode, -9)
        here, there = run.objects(source), run.objects(destination)
        for a, to in moves.items():
            if here.get(a) != before[a] and there.get(to) != before[a]:
                raise Failed("killed at point %d, %s is in neither state: %s, %s" % (points, a, here, there))
        twice = [a for a, to in moves.items() if a in here and to in there]
        both += bool(twice)
        # Whoever looks at the first state hears of it, and nothing else changes it.
        if twice:
            contains("point %d, a look" % points, run("state", "list"), "Unfinished move to another state", *twice)
            contains("point %d, a plan" % points, run("plan", code=1), "Failed to load state", "To finish the move, run", *twice)
        last = run.start(*command)
        text = flat(last.stdout)
        if last.returncode != 0:  # all was done already
            contains("point %d, once more" % points, text, "No such object in the state")
            equal("point %d, what was in both" % points, twice, [])
        moved(run, before, moves, source, destination)
        run("plan")
        left = [n for n in run.files() if n.endswith(".journal")]
        equal("point %d, journals" % points, left, [])
    moved(run, before, moves, source, destination)
    return points, both


def needs_killer(run):
    if not os.environ.get("XPLAN_KILL_AT"):
        print("skipped: XPLAN_KILL_AT names no library")
        return False
    return True


def killed(run):
    if not needs_killer(run):
        return
    setup(run)
    start = run.files()
    for source, to, moves in MOVES:
        run.restore(start)
        points, both = at_every_point(run, ["state", "mv", "-state-out=other.tfstate", source, to], moves, "terraform.tfstate", "other.tfstate")
        if points < 6 or not both:
            raise Failed("%d points, %d with objects in both states: too few to mean anything" % (points, both))


def killed_between_workspaces(run):
    if not needs_killer(run):
        return
    setup(run)
    run("workspace", "new", "second")
    run("apply", "-auto-approve", "-target=module.m")
    run("workspace", "select", "default")
    run("state", "rm", "module.m")
    there = "terraform.tfstate.d/second/terraform.tfstate"
    start, before, others = run.files(), run.objects("terraform.tfstate"), run.objects(there)
    moves = {"terraform_data.a": "terraform_data.a"}
    points = 0
    while True:
        run.restore(start)
        p = run.start("state", "mv", "-workspace-out=second", "terraform_data.a", "terraform_data.a", kill_at=points + 1)
        if p.returncode == 0:
            break
        points += 1
        here, now = run.objects("terraform.tfstate"), run.objects(there)
        if "terraform_data.a" not in here and "terraform_data.a" not in now:
            raise Failed("killed at point %d, the object is in neither state" % points)
        run.start("state", "mv", "-workspace-out=second", "terraform_data.a", "terraform_data.a")
        equal("the source", run.objects("terraform.tfstate"), {a: i for a, i in before.items() if a not in moves})
        equal("the destination", run.objects(there), {**others, "terraform_data.a": before["terraform_data.a"]})
    if points < 6:
        raise Failed("only %d points" % points)


def killed_on_a_server(run):
    """From a state on a server, whose journal is there as well, into another workspace and into a file. Locks stay behind."""
    if not needs_killer(run):
        return

    def of(workspace, *args):
        run.env["TF_WORKSPACE"] = workspace
        p = run.start(*args)
        del run.env["TF_WORKSPACE"]
        return p

    def objects(workspace):
        return run.objects_in(json.loads(of(workspace, "state", "pull").stdout)) if workspace else run.objects("other.tfstate")

    with StateServer("s3", run.root) as server:
        run.env.update(server.env)
        setup(run)
        before = run.objects("terraform.tfstate")
        os.rename(os.path.join(run.work, "terraform.tfstate"), os.path.join(run.work, "saved"))
        start = run.files()
        for option, there in (("-workspace-out=second", "second"), ("-state-out=other.tfstate", "")):
            command = ["state", "mv", option, "terraform_data.a", "terraform_data.a"]
            points = both = 0
            while True:
                run.restore(start)
                run.write("backend.tf", server.block("moves-%s-%d" % (there, points)))
                run("init")
                run("state", "push", "saved")
                run("workspace", "new", "second")
                run("workspace", "select", "default")
                p = run.start(*command, kill_at=points + 1)
                if p.returncode == 0:
                    break
                points += 1
                equal("point %d: %s" % (points, p.stdout), p.returncode, -9)
                for workspace in ("second", "default"):
                    if held := re.search(r"force-unlock (\S+)", of(workspace, "plan").stdout):
                        equal("unlocking", of(workspace, "force-unlock", "-force", held.group(1)).returncode, 0)
                looked = run.start("state", "list").stdout
                both += "Unfinished move" in looked and "terraform_data.a" in objects(there)
                again = run.start(*command)
                if again.returncode:  # all was done already
                    contains("point %d, once more" % points, flat(again.stdout), "No such object in the state")
                equal("point %d, the source" % points, objects("default"), {a: i for a, i in before.items() if a != "terraform_data.a"})
                equal("point %d, the destination" % points, objects(there), {"terraform_data.a": before["terraform_data.a"]})
            if points < 8 or not both:
                raise Failed("%s: %d points, %d with the object in both states: too few to mean anything" % (option, points, both))


def unfinished(run, wanted):
    """Leaves a move unfinished, before or after the other state was written."""
    start = run.files()
    for point in range(1, 100):
        run.restore(start)
        p = run.start("state", "mv", "-state-out=other.tfstate", "terraform_data.a", "terraform_data.moved", kill_at=point)
        if p.returncode == 0:
            break
        journal = any(n.endswith("terraform.tfstate.journal") for n in run.files())
        written = "terraform_data.moved" in run.objects("other.tfstate")
        if journal and written == (wanted == "written") and "Unfinished move" in run("state", "list"):
            return
    raise Failed("no point leaves it " + wanted)


def others_are_kept_out(run):
    """Another move has to wait, an apply too; what others did to the second state meanwhile is noticed."""
    if not needs_killer(run):
        return
    setup(run)
    before = run.objects("terraform.tfstate")
    unfinished(run, "written")
    files_then = run.files()
    for args in (["apply", "-auto-approve"], ["state", "rm", "terraform_data.b"], ["state", "mv", "terraform_data.b", "terraform_data.c"],
                 ["taint", "terraform_data.b"]):
        contains(" ".join(args), run(*args, code=1), "may be in both states", "state mv -state-out=other.tfstate terraform_data.a")
    contains("another move", run("state", "mv", "-state-out=other.tfstate", "terraform_data.b", "terraform_data.b", code=1),
             "Unfinished move to another state", "Nothing was changed.")
    contains("the journal", run("state", "journal"), "is being moved to terraform_data.moved in the state \"other.tfstate\"")
    # The other state lost it, as by a destroy there.
    run("state", "rm", "-state=other.tfstate", "terraform_data.moved")
    contains("it is gone", run("state", "mv", "-state-out=other.tfstate", "terraform_data.a", "terraform_data.moved", code=1),
             "Move cannot be finished", "- terraform_data.moved")
    equal("nothing is lost", run.objects("terraform.tfstate"), before)
    run.restore(files_then)
    contains("finished", run("state", "mv", "-state-out=other.tfstate", "terraform_data.a", "terraform_data.moved"),
             "Finish moving \"terraform_data.a\" to \"terraform_data.moved\"", "Successfully moved 1 object")
    moved(run, before, {"terraform_data.a": "terraform_data.moved"}, "terraform.tfstate", "other.tfstate")


def rewritten(path, change):
    """The journal with another record of the move: its lines say how long they are, and their checksums."""
    with open(path, "rb") as f:
        lines = f.read().decode().splitlines()
    out = ""
    for line in lines:
        record = json.loads(line[18:])
        if record.get("kind") == "moving":
            change(record)
        text = json.dumps(record, separators=(",", ":")).encode()
        out += "%08x %08x %s\n" % (len(text), zlib.crc32(text), text.decode())
    with open(path, "w") as f:
        f.write(out)


def forged(run):
    """A journal whose command is not that of the move that it lists, or cannot be of this state, advises to run nothing."""
    if not needs_killer(run):
        return
    setup(run)
    run("state", "mv", "-state-out=other.tfstate", "terraform_data.b", "terraform_data.b")
    unfinished(run, "written")
    start, command = run.files(), "state mv -state-out=other.tfstate terraform_data.a terraform_data.moved"
    path = os.path.join(run.work, "terraform.tfstate.journal")
    rewritten(path, lambda record: None)
    contains("as it was", run("state", "list"), "To finish the move, run: ", command)
    for change, why in (({"command": command + "; rm -rf x"}, "is not that of a move"),
                        ({"command": "destroy -auto-approve"}, "is not that of a move"),
                        ({"command": command.replace("=other", "=$(id)")}, "is not that of a move"),
                        ({"command": command.replace("terraform_data.moved", "module.m")}, "is not that of a move"),
                        ({"command": command.replace("mv ", "mv -state=else.tfstate ")}, "is about another state, \"else.tfstate\""),
                        ({"command": command.replace("other", "else")}, "another destination"),
                        ({"command": command.replace("terraform_data.a ", "terraform_data.many ")}, "would not move terraform_data.a to"),
                        ({"command": command.replace("other", "else"), "action": 'the state "else.tfstate"'}, "does not exist"),
                        ({"lineage": "another"}, "\"other.tfstate\" is not the state"), ({"moves": []}, "does not list any objects")):
        run.restore(start)
        rewritten(path, lambda record: record.update(change))
        for args, code in (["state", "list"], 0), (["plan"], 1), (["state", "journal"], 0):
            text = run(*args, code=code)
            contains("%s: %s" % (" ".join(args), change), text, "That cannot be so: ", why, "do not run")
            if "To finish the move" in text:
                raise Failed("%s: %s advises to run it: %s" % (" ".join(args), change, text))
        before = [run.objects(state) for state in ("terraform.tfstate", "other.tfstate")]
        contains("it is not finished: %s" % change, run("state", "mv", "-state-out=other.tfstate", "terraform_data.a", "terraform_data.moved", code=1),
                 "That cannot be so: ", why, "Nothing was changed.")
        equal("objects", [run.objects(state) for state in ("terraform.tfstate", "other.tfstate")], before)
    run("state", "journal", "-discard", "-auto-approve")
    contains("a plan", run("plan"), "terraform_data.b")


def given_up(run):
    """A move that was begun can be given up: both states stay as they are."""
    if not needs_killer(run):
        return
    setup(run)
    before = run.objects("terraform.tfstate")
    unfinished(run, "begun")
    run("state", "journal", "-discard", "-auto-approve")
    equal("the state", run.objects("terraform.tfstate"), before)
    contains("a plan", run("plan"), "No changes.")


def bad_places(run):
    """Where objects or backups would be lost: refused before anything is changed."""
    setup(run)
    run("state", "mv", "-state-out=o.tfstate", "terraform_data.b", "terraform_data.b")
    os.symlink("o.tfstate", os.path.join(run.work, "link"))
    os.symlink("/dev/null", os.path.join(run.work, "nothing"))
    move = ["terraform_data.a", "terraform_data.moved"]
    backup, states = "Invalid backup path", run.objects("terraform.tfstate")
    for args, said in ((["-state-out=/dev/null"], "which is a device and not a file"), (["-state-out=nothing"], "which is a device and not a file"),
                       (["-backup=o.tfstate", "-state-out=o.tfstate"], "is the state"), (["-backup=link", "-state-out=o.tfstate"], "is the state"),
                       (["-backup-out=terraform.tfstate", "-state-out=o.tfstate"], "is the state"),
                       (["-backup=b", "-backup-out=./b", "-state-out=o.tfstate"], "cannot both be kept"),
                       (["-backup=terraform.tfstate.journal"], "is the journal"), (["-backup=.terraform.tfstate.lock.info"], "is the lock file")):
        before = run.files()
        text = run("state", "mv", *args, *move, code=1)
        contains(" ".join(args), text, said, "Invalid ")
        if "Successfully" in text:
            raise Failed(" ".join(args) + " says that it has moved it: " + text)
        equal("files after " + " ".join(args), run.files(), before)
    for args in ["-backup=.terraform.tfstate.lock.info"], ["-backup=terraform.tfstate.journal"]:
        contains("apply " + args[0], run("apply", "-auto-approve", *args, code=1), backup)
    run("apply", "-auto-approve", "-state=o.tfstate", "-state-out=new", "-backup=new", "-target=terraform_data.a")
    run("state", "mv", "-backup=terraform.tfstate", *move)
    equal("moved", set(run.objects("terraform.tfstate")), set(states) - {move[0]} | {move[1]})


def forced_push(run):
    """A plan that was saved for a state that was replaced by force is stale, whatever the serial of the other one was."""
    run("init")
    run("apply", "-auto-approve", "-target=terraform_data.a")
    shutil.copy(os.path.join(run.work, "terraform.tfstate"), os.path.join(run.work, "other.json"))
    run("apply", "-auto-approve")
    for serial, written in (1, 3), (4, 5):  # less than, and as that of the state
        with open(os.path.join(run.work, "other.json")) as f:
            other = json.load(f)
        with open(os.path.join(run.work, "other.json"), "w") as f:
            json.dump({**other, "serial": serial}, f)
        shutil.copy(os.path.join(run.work, "terraform.tfstate"), os.path.join(run.work, "whole.json"))
        run("plan", "-destroy", "-out=p.bin")
        contains("forced", run("state", "push", "-force", "other.json"), "(serial %d)" % written)
        contains("apply", run("apply", "p.bin", code=1), "Saved plan is stale")
        run("state", "push", "-force", "whole.json")


CASES = (forced_push, files, into_itself, unwritable, workspaces, into_a_backend, killed, killed_between_workspaces, killed_on_a_server, others_are_kept_out, forged, given_up, bad_places)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Run))
