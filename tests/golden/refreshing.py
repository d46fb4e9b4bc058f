#!/usr/bin/env python3
"""What a plan reads again: -refresh=minimal, none and stale>TIME, and the clock of verified objects.

    refreshing.py --xplan BINARY [CASE...]      The last line is 'N passed, M failed'.
"""
import json
import os
import sys

from cases import run_cases
from provider_runs import Run, contains, equal, resource, typed
from pseudo_terminal import Failed


def three(run, text="1"):
    run.config(resource("thing", "a", text='"%s"' % text) + resource("thing", "b") + resource("thing", "c", text="mock_thing.a.text"))


def read(run):
    """How many objects the last command read."""
    return sum(c["call"] == "read" for c in run.calls())


def setup(run):
    run.schema(resource_schemas={"mock_thing": typed()})
    three(run)
    run("apply", "-auto-approve")


def verified(run):
    with open(os.path.join(run.work, ".terraform", "verified", "default.json")) as f:
        return {a: t for t, names in json.load(f)["verified"].items() for a in names}


def minimal(run):
    """Only what changes is read, with what follows from that; the plan says what was not, in all its forms."""
    setup(run)
    text = run("plan", "-refresh=minimal")
    contains("nothing to do", text, "3 of 3 objects were not refreshed; the plan relies on what the state has of them.")
    equal("read", read(run), 0)
    run("plan")
    equal("read otherwise", read(run), 3)
    three(run, "2")
    run("plan", "-refresh=minimal")
    equal("read of what changes", read(run), 2)
    plan = run.plan("-refresh=minimal")
    equal("unverified", {c["address"]: c.get("unverified", False) for c in plan["resource_changes"]},
          {"mock_thing.a": False, "mock_thing.b": True, "mock_thing.c": False})
    contains("the saved plan", run("show", "plan.bin"), "1 of 3 objects were not refreshed")
    contains("the summary", run("show", "-summary", "plan.bin"), "1 object not refreshed")
    run("apply", "plan.bin")
    contains("afterwards", run("plan"), "No changes.")
    contains("a replacement", run("plan", "-refresh=minimal", "-replace=mock_thing.b"), "2 of 3 objects were not refreshed")
    for args in ["-refresh=some"], ["-refresh=stale>x"], ["-refresh=minimal", "-destroy"], ["-refresh=minimal", "-refresh-only"]:
        run("plan", *args, fails=True)
    if "not refreshed" in run("plan", "-refresh=minimal", "-refresh=true"):
        raise Failed("the last -refresh does not count")


def stale(run):
    """The clock begins when it is asked for; plans and applies keep it, and what is gone leaves it."""
    setup(run)
    if os.path.exists(os.path.join(run.work, ".terraform", "verified")):
        raise Failed("a clock that nobody asked for")
    contains("first", run("plan", "-refresh=stale>1h"), "No changes.")
    equal("verified", sorted(verified(run)), ["mock_thing.a", "mock_thing.b", "mock_thing.c"])
    contains("second", run("plan", "-refresh=stale>1h"), "3 of 3 objects were not refreshed")
    path = os.path.join(run.work, ".terraform", "verified", "default.json")
    equal("mode", os.stat(path).st_mode & 0o777, 0o600)
    with open(path) as f:
        clock = json.load(f)
    for time in ("2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "no time"):  # old, and impossible
        with open(path, "w") as f:
            json.dump({**clock, "verified": {time: ["mock_thing.b", 5, "nonsense["]}}, f)
        if "not refreshed" in run("plan", "-refresh=stale>1h"):
            raise Failed("%s is trusted" % time)
    for damaged in "", "{", "[]", '{"format_version":"1.0","lineage":"x","verified":{"%s":["mock_thing.b"]}}' % max(verified(run).values()):
        with open(path, "w") as f:
            f.write(damaged)
        if "not refreshed" in run("plan", "-refresh=stale>1h"):
            raise Failed("a damaged clock is trusted: %s" % damaged)
    run.config(resource("thing", "a", text='"3"'))
    run("apply", "-auto-approve", "-refresh=stale>1h")
    equal("left", sorted(verified(run)), ["mock_thing.a"])
    contains("after the apply", run("plan", "-refresh=stale>1h"), "1 of 1 objects were not refreshed")
    # What is found to have changed is looked at again until the state has it.
    run.edit_state(lambda r, i: i["attributes"].update(text="drifted"))
    with open(path, "w") as f:
        json.dump({**clock, "verified": {}}, f)
    for n in range(2):
        contains("drift, plan %d" % n, run("plan", "-refresh=stale>1h"), "mock_thing.a")
    run("apply", "-auto-approve", "-refresh=stale>1h")
    contains("after it is repaired", run("plan", "-refresh=stale>1h"), "No changes.")


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, [minimal, stale], lambda xplan, root: Run(xplan, root)))
