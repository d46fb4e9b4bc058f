"""Exit codes: each row of scripts/docs/exit-codes.md is seen in a run, and each command of the program ends with 0 and with 1.

A case of pages.py. The situations are those of consumer_lab.py.
"""
import os
import re
import signal
import subprocess

from consumer_lab import Lab
from pseudo_terminal import Failed

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "docs", "exit-codes.md")
ROW = re.compile(r"^\| `([^`|]+)` \| (\d+) \| .+ \|$", re.M)
ABROAD = "mock_thing.kept"

# Runs of the rows: the situation, commands before it, and the command itself.
SEEN = {
    ("plan -detailed-exitcode", 0): ("applied", "plan -detailed-exitcode"),
    ("plan -detailed-exitcode", 1): ("mistake", "plan -detailed-exitcode"),
    ("plan -detailed-exitcode", 2): ("changed", "plan -detailed-exitcode"),
    ("diff -detailed-exitcode", 0): ("changed plan", "diff -detailed-exitcode tfplan tfplan"),
    ("diff -detailed-exitcode", 2): ("changed plan", "plan -out=other", "diff -detailed-exitcode tfplan other"),
    ("plan -fail-on", 3): ("changed", "plan -fail-on=destroy"),
    ("apply -fail-on", 3): ("changed", "apply -auto-approve -fail-on=destroy"),
    ("destroy -fail-on", 3): ("applied", "destroy -auto-approve -fail-on=destroy>3"),
    ("show -fail-on", 3): ("changed plan", "show -fail-on=destroy tfplan"),
    ("apply -expect", 4): ("changed plan", "apply -expect=tfplan"),
    ("apply -rebase", 4): ("changed plan", "taint mock_thing.updated", "apply -rebase tfplan"),
    ("apply FILE", 1): ("changed plan", "untaint mock_thing.tainted", "apply tfplan"),
    ("apply", 1): ("apply that fails", "apply -auto-approve"),
    ("validate", 1): ("mistake", "validate"),
    ("test", 1): ("tests that fail", "test"),
    ("fmt -check", 3): ("bad format", "fmt -check"),
    ("fmt", 2): ("bad format", "fmt missing.tf"),
    ("state", 1): ("applied", "state"),
}

# A run of every command that ends with 0, except login, which needs a server.
GOOD = {
    "init": ("configured", "init"), "validate": ("applied", "validate"), "plan": ("changed", "plan"), "apply": ("changed", "apply -auto-approve"),
    "destroy": ("applied", "destroy -auto-approve"), "show": ("applied", "show"), "diff": ("changed plan", "diff tfplan tfplan"),
    "explain": ("changed plan", "explain tfplan"), "graph": ("applied", "graph"), "fmt": ("bad format", "fmt"), "output": ("applied", "output kept"),
    "test": ("tests", "test"), "console": ("applied", "console"), "refresh": ("applied", "refresh"),
    "import": ("import", "import mock_thing.more outside-7"), "taint": ("applied", "taint " + ABROAD), "untaint": ("changed", "untaint mock_thing.tainted"),
    "state": ("applied", "state list"), "refactor": ("applied", "refactor suggest"), "workspace": ("applied", "workspace list"),
    "providers": ("applied", "providers"), "get": ("configured", "get"), "logout": ("configured", "logout example.com"),
    "metadata": ("configured", "metadata functions -json"), "modules": ("applied", "modules"), "version": ("configured", "version"),
    "help": ("configured", "help plan"),
}
BAD = {"help": "help nothing", "metadata": "metadata nothing", "force-unlock": "force-unlock -force 1", "login": "login -wrong"}


def run(lab, situation, lines, fresh):
    place = lab.copy(situation, "exit-%d" % next(fresh))
    for line in lines[:-1]:
        lab.prepare(place, line)
    p = lab.start(place, lines[-1])
    return p.returncode, p.stdout + p.stderr


def without_command(lab):
    place = lab.place("configured")
    p = subprocess.run([lab.program], cwd=place.work, env=lab.env, capture_output=True)
    return p.returncode


def closed_pipe(lab):
    """Nobody reads what is printed."""
    place = lab.place("applied")
    read, write = os.pipe()
    os.close(read)
    p = subprocess.Popen([lab.program, "state", "list"], cwd=place.work, env=lab.env, stdout=write, stderr=subprocess.DEVNULL)
    os.close(write)
    return p.wait()


def exit_codes(reader):
    reader.page("exit-codes.md")
    lab, fresh = Lab(reader.xplan, os.path.join(reader.root, "exits")), iter(range(1000))
    with open(PAGE) as f:
        text = f.read()
    rows = {(command, int(code)) for command, code in ROW.findall(text)}
    everywhere = ((127, without_command), (128 + signal.SIGPIPE, closed_pipe))
    if rows != set(SEEN):
        raise Failed("the page and exit_codes.py differ: %s" % sorted(rows ^ set(SEEN)))
    for (command, code), (situation, *lines) in sorted(SEEN.items()):
        got, out = run(lab, situation, lines, fresh)
        if got != code:
            raise Failed("%s: %s ends with %d\n%s" % (command, lines[-1], got, out))
    for code, look in everywhere:
        if look(lab) != code or "| %d |" % code not in text:
            raise Failed("%s: %d is not seen, or not on the page" % (look.__name__, code))
    tofu = Lab(reader.xplan, os.path.join(reader.root, "tofu"), "tofu")
    if tofu.start(tofu.place("configured"), "state", allowed=127).returncode != 127:
        raise Failed("a group of commands alone does not end with 127 under OpenTofu's name")
    help_text = lab.start(lab.place("configured"), "-help").stdout
    commands = re.findall(r"^  ([a-z-]+) +[A-Z]", help_text.partition("Options before")[0], re.M)
    for command in commands:
        if command in GOOD and (seen := run(lab, GOOD[command][0], GOOD[command][1:], fresh))[0] != 0:
            raise Failed("%s ends with %d\n%s" % (GOOD[command][1], *seen))
        bad = BAD.get(command, command + " -no-such-option")
        if (seen := run(lab, "applied", [bad], fresh))[0] != 1:
            raise Failed("%s ends with %d\n%s" % (bad, *seen))
    if missing := set(commands) - set(GOOD) - {"login", "force-unlock"}:
        raise Failed("no run of %s ends with 0" % ", ".join(sorted(missing)))
