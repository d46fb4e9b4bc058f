#!/usr/bin/env python3
"""Changes that are shown live on a terminal: what stands on its screen meanwhile and afterwards, and traces of calls.

    live.py --xplan BINARY [CASE...]

The mock lies beside the binary. A screen of 80 columns and 24 lines is kept as a terminal would. Each case has a folder of its own.
The last line is 'N passed, M failed'.
"""
import fcntl
import json
import os
import re
import signal
import struct
import sys
import termios
import time

import provider_runs
from cases import run_cases
from pseudo_terminal import Failed, Terminal


def check(what, ok, seen=""):
    if not ok:
        raise Failed("%s: %s" % (what, seen))


class Screen:
    """The lines of a terminal; those that have left it at the top are `history`. Anything but the codes that xplan may use is an error."""

    def __init__(self, columns=80, rows=24):
        self.columns, self.rows = columns, rows
        self.lines, self.history, self.row, self.column, self.wrapped = [""], [], 0, 0, []
        self.rest = ""

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.scroll()

    def down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")
        self.scroll()

    def scroll(self):
        while len(self.lines) > self.rows:
            self.history.append(self.lines.pop(0))
            self.row -= 1

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        i = 0
        while i < len(text):
            c = text[i]
            if c == "\x1b":
                m = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])").match(text, i)
                if not m:
                    check("a known code", len(text) - i < 10, repr(text[i:i + 20]))
                    self.rest = text[i:]
                    return
                self.code(m.group(1), m.group(2))
                i = m.end()
                continue
            i += 1
            if c == "\n":
                self.down()
            elif c == "\r":
                self.column = 0
            else:
                check("no control characters", c == "\t" or ord(c) >= 32, repr(text[max(0, i - 40):i + 20]))
                if self.column >= self.columns:
                    self.wrapped.append(self.lines[self.row])
                    self.down()
                    self.column = 0
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[:self.column] + c + line[self.column + 1:]
                self.column += 1

    def code(self, number, letter):
        if letter == "A":
            self.row = max(self.row - int(number or 1), 0)
        elif letter == "K":
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif letter == "J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            del self.lines[self.row + 1:]
        else:
            check("a known code", letter == "m", letter)

    def text(self):
        return "\n".join(self.lines)


class Live:
    """A program on a terminal, and its screen."""

    def __init__(self, run, *args, **env):
        self.t = Terminal([run.xplan, *args], run.work, {**run.env, "TERM": "xterm", **env}, 80)
        self.screen, self.fed = Screen(), 0

    def resize(self, columns, rows):
        fcntl.ioctl(self.t.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.t.pid, signal.SIGWINCH)
        self.screen.resize(columns, rows)

    def look(self):
        self.screen.feed(self.t.text[self.fed:])
        self.fed = len(self.t.text)
        return self.screen.text()

    def until(self, pattern, seconds=60):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.look()):
            check("the screen shows %r" % pattern, time.monotonic() < end and self.t.status is None, self.screen.text())
            self.t.read(0.02)
        return self.screen.text()

    def end(self, code):
        self.t.end(code)
        return self.look()


class Run(provider_runs.Run):
    def __init__(self, xplan, root):
        super().__init__(xplan, root)
        del self.env["TF_IN_AUTOMATION"]
        self.env["LC_ALL"] = "C"

    def objects(self, count, apply, name="each.key"):
        self.schema(resource_schemas={"mock_a": provider_runs.typed(behaviour={"apply": apply})})
        self.config('resource "mock_a" "x" {\n  for_each = toset([for i in range(%d) : format("%%04d", i)])\n  name     = %s\n}\n' % (count, name))
        self("init")


TOTAL = r"\d+ of 90 done"


def screen(run):
    run.objects(90, [{"when": {"name": "0003"}, "error": {"summary": "Quota exceeded", "detail": "No more of these."}},
                     {"when": {"name": "0004"}, "error": {"summary": "Quota exceeded", "detail": "No more of these."}},
                     {"when": {"name": "0005"}, "error": "Other trouble"}, {"delay_ms": 400}])
    live = Live(run, "apply", "-auto-approve", "-parallelism=8", "-timings=trace.json")
    text = live.until(r'\n  mock_a.x\["00\d\d"\]: creating, 0s\n(.*\n)*.*%s' % TOTAL)
    check("what was done stays in sight", len(text.split("\n")) <= 24 and text.count("creating, ") <= 16, text)
    text = live.until(r"  failed: mock_a.x\[.000[345].\]: creating, after 0s\n(.*\n)*.*3 failed")
    live.until(r"about \d+s left")
    live.screen.wrapped.clear()
    live.resize(50, 12)
    time.sleep(0.15)
    live.until(TOTAL)
    for _ in range(10):
        live.t.read(0.05)
        live.look()
    check("no live line is wrapped", not [l for l in live.screen.wrapped if "creating, " in l or " done" in l], live.screen.wrapped)
    live.resize(80, 24)
    text = live.end(1)
    check("the live lines are gone", "creating, " not in text and not re.search(TOTAL, text), text)
    check("the causes", re.search(r"Failures by cause:\n +2 ×  Quota exceeded \(main.tf:\d+\)\n +No more of these.\n +mock_a.x\[.000[34].\], ", text), text)
    check("what to do", "They were not created. Correct the cause, then apply again" in " ".join(text.split()), text)
    check("the whole", re.search(r"Apply incomplete! 87 done, 3 failed, in \d+s\.", text), text)
    everything = "\n".join(live.screen.history + live.screen.lines)
    check("what was done stays", everything.count("Creation complete after") == 87, everything)
    trace = json.load(open(os.path.join(run.work, "trace.json")))["traceEvents"]
    applies = [e for e in trace if e["cat"] == "apply"]
    check("a record of every call", len(applies) == 90 == len({e["args"]["address"] for e in applies}), len(applies))
    check("which failed", sum("failed" in e["args"] for e in applies) == 3)
    check("how long they took", all(e["dur"] >= 400000 for e in applies), applies)
    check("of plans, too", sum(e["cat"] == "plan" for e in trace) >= 90 and any(e["name"] == "configure" for e in trace))
    ends = {}
    for e in trace:
        check("calls of one thread follow one another", e["ts"] >= ends.get(e["tid"], 0), e)
        ends[e["tid"]] = e["ts"] + e["dur"]


def one_among_many(run):
    """A failure is on the last screen, whatever else happened."""
    run.objects(600, [{"when": {"name": "0444"}, "error": {"summary": "Broken", "detail": "It does not work."}}])
    live = Live(run, "apply", "-auto-approve")
    text = live.end(1)
    check("the failure", "Broken" in text and 'mock_a.x["0444"]' in text and "Apply incomplete! 599 done, 1 failed" in text, text)


def longest(run):
    """What took long is told after success, too."""
    run.objects(4, [{"when": {"name": "0002"}, "delay_ms": 5100}, {"delay_ms": 10}])
    text = Live(run, "apply", "-auto-approve").end(0)
    check("what took long", re.search(r'Longest operations:\n +5s  mock_a.x\["0002"\]: creating\n +0s  mock_a.x', text), text)
    check("the whole", "Apply complete! Resources: 4 added" in text and "incomplete" not in text, text)


def slow_terminal(run):
    """Nobody reads what the terminal shows, and everything is done nevertheless."""
    run.objects(150, [{"delay_ms": 10}], '"${each.key}-%s"' % ("x" * 100))
    run("plan", "-out=plan.bin")
    os.remove(run.calls_file)
    live = Live(run, "apply", "plan.bin")
    run.wait_for("apply", 150)
    path, end = os.path.join(run.work, "terraform.tfstate"), time.monotonic() + 30
    while not (os.path.exists(path) and os.path.getsize(path)) and time.monotonic() < end:  # empty while it is locked
        time.sleep(0.05)
    check("the state is written", len(run.state()["resources"][0]["instances"]) == 150)
    check("the end", "Apply complete! Resources: 150 added" in live.end(0))


def plain(run):
    run.objects(3, [{"delay_ms": 1}])
    piped = run("apply", "-auto-approve")
    check("a line each in pipes", piped.count(": Creating...") == 3 and piped.count(": Creation complete after 0s [id=") == 3, piped)
    check("no report in pipes", "\x1b" not in piped and "Longest" not in piped)
    run("destroy", "-auto-approve")
    text = Live(run, "apply", "-auto-approve", "-progress=plain").end(0)
    check("a line each if asked for", text.count(": Creating...") == 3, text)
    for args, env in ((["-destroy"], {"TERM": "dumb"}), ([], {"TF_IN_AUTOMATION": "1"})):
        live = Live(run, "apply", "-auto-approve", *args, **env)
        live.end(0)
        check("nothing moves the cursor with %s" % env, not re.search(r"\x1b\[\d*[AJK]", live.t.text), live.t.text)
    for how, says in (("live", "only be shown live on a terminal"), ("x", "is not a valid value for the option -progress")):
        check("-progress=" + how, says in " ".join(run("apply", "-progress=" + how, fails=True).replace("│", " ").split()))
    check("a trace over a state", "is the name of a state file" in run("plan", "-timings=terraform.tfstate", fails=True).replace("\n│ ", " "))


def hostile(run):
    evil = "\\u001b[2J\\u202e\\u009b1A \\r\\n" + "x" * 200
    run.schema(resource_schemas={"mock_a": provider_runs.typed(behaviour={"apply": [
        {"when": {"name": "bad"}, "error": {"summary": "\x1b[2J bad \x1b[5A", "detail": "\r\x1b]0;t\x07"}}, {"delay_ms": 300}]})})
    run.config('resource "mock_a" "x" {\n  for_each = toset(["%s", "bad"])\n  name     = each.key\n}\n' % evil)
    run("init")
    live = Live(run, "apply", "-auto-approve")
    live.until(r"x{20}\"\]: creating, 0s")
    check("a long name is cut in its middle", re.search(r"\n  mock_a\.x\[\"\S*.*…x+\"\]: creating, 0s\n", live.screen.text()), live.screen.text())
    live.end(1)


def interrupted(run):
    run.objects(20, [{"delay_ms": 30000}])
    live = Live(run, "apply", "-auto-approve")
    live.until("creating, 0s")
    run.wait_for("apply", 10)
    live.t.type("\x03")
    live.end(1)
    text = "\n".join(live.screen.history + live.screen.lines)
    check("what it means is told", "Interrupt received. Finishing operations" in text and "execution halted" in text, text)
    check("the rest is counted", re.search(r"Apply incomplete! 10 done, 10 not started, in \d+s\.", text), text)
    text = live.screen.text()
    check("the live lines are gone", "creating, " not in text and " of 20 done" not in text, text)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, [screen, one_among_many, longest, slow_terminal, plain, hostile, interrupted], Run))
