#!/usr/bin/env python3
"""What other tools rely on: testdata/consumers/tools/TOOL.json says which commands a tool runs and what it reads of them.

    consumers.py --xplan BINARY [CASE...]     CASE is a dialect (terraform, opentofu, xplan), links, reference or cannot_pass

A tool has its version, where that was read (`from`, files of its sources) and points. A point has
  run       the command line, in a copy of the situation `in` (consumer_lab.py); the same one runs once for all tools. Without it, only
            files are read
  dialects  those that the point is meant for (all); `why` says why not for the others. `input` is written to standard input
  code      exit codes that the tool takes (0)
  out, err  regular expressions that standard output or error matches somewhere; with "!" before it, nowhere. `both`: of both together
  json      paths into the JSON on standard output (or of the file `reads`; `lines`: one document a line), and what is there:
            types ("string|null"), "= VALUE", "has VALUE" (at least once), "~ REGEX", "nonempty". In a path, [] are elements,
            * any member, ** a module and all below it; a name with ? may be missing, any other one must be everywhere
  text      regular expressions that the file `reads` matches somewhere; check: names of functions below. Colours are taken out of texts
Where a terraform that is not xplan is on PATH, `reference` checks the points on it:
a point that it fails is a wrong point. `cannot_pass` shows that no point holds for a program that does nothing. The last line is
'N passed, M failed'.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

from cases import run_cases
from consumer_lab import DATA, SITUATIONS, Lab
from pseudo_terminal import Failed

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
NAMES = {"terraform": "terraform", "opentofu": "tofu", "xplan": "xplan"}
TYPES = {"string": str, "bool": bool, "object": dict, "array": list, "null": type(None), "integer": int, "number": (int, float)}


def found(values, part):
    """What a part of a path leads to from these values."""
    name, elements = (part[:-2], True) if part.endswith("[]") else (part, False)
    optional, name = name.endswith("?"), name.rstrip("?")
    out = []
    for v in values:
        if name == "**":
            out.append(v)
            for child in v.get("child_modules", ()):
                out += found([child], "**")
        elif not name:
            out.append(v)
        elif name == "*":
            out += v.values() if isinstance(v, dict) else v
        elif isinstance(v, dict) and name in v:
            out.append(v[name])
        elif not optional:
            raise Failed("there is no %s in %s" % (name, json.dumps(v)[:300]))
    return [e for v in out for e in v] if elements else out


def check_json(document, path, what):
    parts = path.split(".") if path else []
    values = walk([document], parts)
    kind, _, given = what.partition(" ")
    if not values and "?" not in path:
        raise Failed("nothing is at %s" % path)
    if kind == "has":
        if json.loads(given) not in values:
            raise Failed("%s is never %s: %s" % (path, given, json.dumps(values)[:300]))
        return
    for v in values:
        ok = (v == json.loads(given) if kind == "=" else isinstance(v, str) and re.search(given, v) if kind == "~" else
              bool(v) if kind == "nonempty" else any(is_type(v, t) for t in kind.split("|")))
        if not ok:
            raise Failed("%s is %s instead of %s" % (path, json.dumps(v)[:300], what))


def walk(values, parts):
    for part in parts:
        values = found(values, part)
    return values


def is_type(v, name):
    return isinstance(v, TYPES[name]) and (name == "bool" or not isinstance(v, bool))


def one_line(p, place):
    """One line of JSON, and nothing beside it."""
    return p.stdout.count("\n") == 1 and p.stdout.endswith("\n") and not p.stderr


def planned_have_changes(p, place):
    plan = json.loads(p.stdout)
    changes = {c["address"] for c in plan["resource_changes"]}
    return {r["address"] for r in walk([plan], "planned_values.root_module.**.resources?[]".split("."))} <= changes


def plan_is_zip(p, place):
    with zipfile.ZipFile(os.path.join(place.work, "tfplan")) as z:
        modules = json.loads(z.read("tfconfig/modules.json"))
        return (isinstance(json.loads(z.read("tfstate"))["serial"], int) and "tfplan" in z.namelist() and
                all(any(n.startswith("tfconfig/m-%s/" % m["Key"]) for n in z.namelist()) for m in modules))


def plan_has_variables(p, place):
    with zipfile.ZipFile(os.path.join(place.work, "tfplan")) as z:
        return b"stage" in z.read("tfplan")


def was_formatted(p, place):
    with open(os.path.join(place.work, "main.tf")) as f:
        return f.read() == "locals {\n  a = 1\n}\n"


def rules_end_sections(p, place):
    """A horizontal rule follows the changes, before what is said of the saved plan."""
    return re.search(r"^Plan: (.*\n)*?─────", COLOURS.sub("", p.stdout), re.M)


def heredocs_end(p, place):
    """In a changed heredoc, marks are two columns right of the terminator, which is where the attribute's name begins (Atlantis)."""
    return re.search(r"^( +)~ \w+ += <<-EOT\n(\1 {6}.*\n)*(\1 {4}[-+] .*\n)+(\1 {6}.*\n)*\1  EOT$", COLOURS.sub("", p.stdout), re.M)


def changed_outside(p, place):
    """The note and its end, whole lines, in this order (tfcmt indexes with -1 otherwise)."""
    return re.search(r"^Note: Objects have changed outside of (Terraform|OpenTofu)$(.*\n)*?^Unless you have made equivalent changes to your "
                     r"configuration", COLOURS.sub("", p.stdout), re.M)


def check(lab, point):
    p, place = lab.run(point)
    if p:
        if p.returncode not in point.get("code", [0]):
            raise Failed("exit code %d\n%s%s" % (p.returncode, p.stdout[:2000], p.stderr[:2000]))
        out, err = COLOURS.sub("", p.stdout), COLOURS.sub("", p.stderr)
        for name, text in (("out", out), ("err", err), ("both", out + err)):
            for pattern in point.get(name, ()):
                hit = re.search(pattern.lstrip("!"), text, re.M)
                if bool(hit) == pattern.startswith("!"):
                    raise Failed("%s %s %s:\n%s" % (name, "has" if hit else "has no", pattern, text[:4000]))
    text = p.stdout if p else ""
    if "reads" in point:
        with open(os.path.join(place.work, point["reads"])) as f:
            text = f.read()
        for pattern in point.get("text", ()):
            if not re.search(pattern, text, re.M):
                raise Failed("there is no %s in\n%s" % (pattern, text))
    if "json" in point:
        document = [json.loads(line) for line in text.splitlines()] if point.get("lines") else json.loads(text)
        for path, what in point["json"].items():
            check_json(document, path, what)
    for name in point.get("check", ()):
        if not globals()[name](p, place):
            raise Failed("not %s:\n%s" % (name, p.stdout[:5000] if p else ""))


def points(dialect):
    for path in sorted(glob.glob(os.path.join(DATA, "tools", "*.json"))):
        with open(path) as f:
            tool = json.load(f)
        for key in ("tool", "version", "from", "points"):
            tool[key]
        for i, point in enumerate(tool["points"]):
            if dialect in point.get("dialects", "terraform opentofu xplan"):
                yield "%s, point %d (%s)" % (tool["tool"], i + 1, point.get("run", point.get("reads", "files"))), point


def failures(lab, dialect):
    out, held = [], 0
    lab.run_all([point for _, point in points(dialect)])
    for name, point in points(dialect):
        try:
            check(lab, point)
            held += 1
        except (Failed, KeyError, ValueError, OSError, TypeError, AttributeError) as e:
            out.append("%s: %s" % (name, e if isinstance(e, Failed) else repr(e)))
    print("%s: %d points hold, %d do not, %d runs" % (dialect, held, len(out), len(lab.done)))
    return out, held


def in_dialect(dialect):
    def case(lab):
        wrong, _ = failures(Lab(lab.xplan, os.path.join(lab.root, "lab"), NAMES[dialect]), dialect)
        if wrong:
            raise Failed("\n".join(wrong))
    case.__name__ = dialect
    return case


def links(lab):
    """The name of the program and XPLAN_DIALECT choose the same."""
    for dialect, name in NAMES.items():
        other = Lab(lab.xplan, os.path.join(lab.root, name), name)
        for line in ("version", "version -json", "-help"):
            place = other.place("configured")
            by_name, by_variable = other.start(place, line).stdout, lab.start(place, line, env={"XPLAN_DIALECT": dialect}).stdout
            if by_name != by_variable:
                raise Failed("%s of %s:\n%s\nwith XPLAN_DIALECT:\n%s" % (line, name, by_name, by_variable))


def reference(lab):
    program = shutil.which("terraform")
    if not program or "xplan_version" in subprocess.run([program, "version", "-json"], capture_output=True, text=True).stdout:
        print("skipped: there is no reference on PATH")
        return
    there = Lab(lab.xplan, os.path.join(lab.root, "lab"))
    there.program = program
    wrong, _ = failures(there, "terraform")
    if wrong:
        raise Failed("\n".join(wrong))


def cannot_pass(lab):
    nothing = Lab(lab.xplan, os.path.join(lab.root, "lab"))
    nothing.program = "/bin/true"
    empty = nothing.copy(None, "empty")
    os.makedirs(empty.work)
    nothing.places = dict.fromkeys(SITUATIONS, empty)
    _, held = failures(nothing, "terraform")
    if held:
        raise Failed("%d points hold for a program that does nothing" % held)


CASES = (in_dialect("terraform"), in_dialect("opentofu"), in_dialect("xplan"), links, reference, cannot_pass)

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Lab))
