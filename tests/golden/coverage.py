#!/usr/bin/env python3
"""Checks tests/COVERAGE.md: every line has one of the states, and every test or case that it names exists. Every case that a program
of this folder has must be among the tests, too.

    coverage.py --build DIR     DIR is the build directory, whose tests are listed with `ctest -N`
    coverage.py --tests FILE    FILE has the names of the tests, one a line

A name is that of a test, a folder of testdata/oracle, or another file or folder of testdata.
The last line is 'N lines, M mistakes'; exit status 1 when there are mistakes.
"""
import argparse
import importlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STATES = {"done", "untested", "open", "not ours"}
HEAD = ["what", "state", "shown by", "remark"]


def names_of(options):
    if options.tests:
        return set(open(options.tests).read().splitlines())
    listed = subprocess.run(["ctest", "-N", "--test-dir", options.build], capture_output=True, text=True)
    if listed.returncode:
        sys.exit("ctest cannot list the tests of %s:\n%s" % (options.build, listed.stderr))
    return set(re.findall(r"^ *Test +#\d+: (.*?)(?: \(Disabled\))?$", listed.stdout, re.M))


def exists(name, tests):
    data = os.path.join(ROOT, "testdata")
    if "/" in name:
        path = os.path.normpath(os.path.join(data, name))
        return path.startswith(data + os.sep) and os.path.exists(path)
    return name in tests or os.path.isfile(os.path.join(data, "oracle", name, "case.json"))


def left_out(tests):
    """Cases of programs that no test runs."""
    folder = os.path.join(ROOT, "tests", "golden")
    sys.path.insert(0, folder)
    ends = {name.rsplit(": ", 1)[-1] for name in tests}
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".py") or not re.search("^CASES = ", open(os.path.join(folder, file)).read(), re.M):
            continue
        module = importlib.import_module(file[:-3])
        cases = module.CASES
        if hasattr(module, "AS_ONE"):  # test of all its cases
            continue
        names = cases if isinstance(cases, dict) else [case.__name__ for case in cases]
        yield from ("%s: no test runs the case %s" % (file, name) for name in names if name not in ends)


def mistakes(cells, tests):
    """What is wrong with one line of a table."""
    if len(cells) != len(HEAD):
        return ["%d columns, and not %d" % (len(cells), len(HEAD))]
    what, state, shown, remark = cells
    named = re.findall("`([^`]*)`", shown)
    found = ["no test or case is named %r" % name for name in named if not exists(name, tests)]
    if not what:
        found.append("it does not say what it is about")
    if state not in STATES:
        found.append("%r is not a state; there are: %s" % (state, ", ".join(sorted(STATES))))
    if re.sub("`[^`]*`", "", shown).strip(" ,"):
        found.append("names of tests stand in backquotes, with commas between them: %r" % shown)
    if state == "done" and not named:
        found.append("it is done, but no test is named")
    if state in ("open", "not ours") and not remark:
        found.append("the remark does not say why it is %r" % state)
    if state in ("untested", "not ours") and named:
        found.append("it is %r, but tests are named" % state)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build")
    parser.add_argument("--tests")
    parser.add_argument("--file", default=os.path.join(ROOT, "tests", "COVERAGE.md"))
    options = parser.parse_args()
    if not options.build and not options.tests:
        parser.error("--build or --tests must say which tests there are")
    tests, inside, lines, bad = names_of(options), False, 0, 0
    for number, line in enumerate(open(options.file), 1):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if cells == HEAD or not inside or set(line.strip()) <= set("|-"):
            inside = inside or cells == HEAD  # other tables explain
            continue
        lines += 1
        for text in mistakes(cells, tests):
            bad += 1
            print("COVERAGE.md:%d: %s" % (number, text))
    if not lines:
        bad += 1
        print("COVERAGE.md: there is no table with the columns %s" % ", ".join(HEAD))
    for text in left_out(tests):
        bad += 1
        print(text)
    print("%d lines, %d mistakes" % (lines, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
