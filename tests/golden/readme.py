#!/usr/bin/env python3
"""Runs the examples of the READMEs as they stand there, and compares what they print.

    readme.py --xplan BINARY [--cannot-pass]

A fenced block of configuration (json, hcl) begins an example: it is the configuration of an empty directory. One that begins with the
name of a test file, as a comment, is that file of the example before it. The transcript behind it
("$ xplan …" and what that prints, up to the next "$") is run there, after `xplan init`; an example without one is planned, applied and
destroyed. "…" alone on a line stands for any lines, within a line for anything; an id that is cut off by it is any id. The three lines at
the head of README.md run in the first example's directory, too. Of the kit's README, the settings of the command line and the provider
that the build made of its C++ example are used. With --cannot-pass, every word of the expected output is changed, and all must fail.
The last line is 'N passed, M failed'.
"""
import argparse
import os
import re
import sys
import tempfile

from journeys import Failed, environment, needs, run

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
NOTE = 'resource "notes_note" "n" {\n  title = "milk"\n}\n'


def examples(text):
    """Of each: the name and text of the configuration, its transcript (empty: none), and its test files."""
    out = []
    for m in FENCE.finditer(text):
        kind, body = m.groups()
        if kind in ("json", "hcl"):
            more = re.match(r"# (\S+\.tftest\.hcl)\n", body)
            if more:
                out[-1][3][more.group(1)] = body
            else:
                out.append(["main.tf.json" if kind == "json" else "main.tf", body, "", {}])
        elif not kind and body.startswith("$ "):
            out[-1][2] += body
    return out


def pattern(expected):
    """The regular expression of an expected output."""
    out = ""
    for line in expected.rstrip("\n").split("\n"):
        if line == "…" or line.strip() == "…":
            out += r"(?:.*\n)*?"
            continue
        line = re.sub(r"\[id=[0-9a-f]+…\]", "[id=…]", line)
        out += r"[^\n]*".join(map(re.escape, line.rstrip().split("…"))) + r" *\n"
    return re.compile(r"\n*" + out + r"\n*")


def commands(transcript):
    for part in re.split(r"^\$ ", transcript, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        yield command.split(), expected


class Readme:
    def __init__(self, xplan, change):
        self.xplan, self.change = xplan, change

    def begin(self, root, name, text):
        work = os.path.join(root, "work")
        os.makedirs(work)
        with open(os.path.join(work, name), "w") as f:
            f.write(text)
        return work, environment(root, self.xplan, [])

    def call(self, command, work, env, expected=None):
        needs(command[0] == "xplan", "a command of another program: " + " ".join(command))
        out = run(self.xplan, command[1:], work, env, code=0)
        if expected is not None:
            if self.change:
                expected = re.sub(r"[a-z]{4,}", "changed", expected)
            needs(pattern(expected).fullmatch(out), "%s printed\n%s\ninstead of\n%s" % (" ".join(command), out, expected))

    def example(self, root, name, text, transcript, tests, head):
        work, env = self.begin(root, name, text)
        for path, body in tests.items():
            os.makedirs(os.path.dirname(os.path.join(work, path)), exist_ok=True)
            with open(os.path.join(work, path), "w") as f:
                f.write(body)
        self.call(["xplan", "init"], work, env)
        if not transcript:
            self.call(["xplan", "apply", "-auto-approve"], work, env, "…\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.")
        for command, expected in commands(transcript):
            self.call(command, work, env, expected)
        self.call(["xplan", "destroy", "-auto-approve"], work, env)
        for command in head:
            self.call(command, work, env)

    def settings(self, root, text):
        """The kit's README: the provider of its C++ example, found by the settings that stand there."""
        body = FENCE.search(text[text.index("```hcl"):]).group(2)
        address, folder = re.search(r'"(\S+)" = "(\S+)"', body).groups()
        config = 'terraform {\n  required_providers {\n    notes = { source = "%s" }\n  }\n}\n%s' % (address, NOTE)
        work, env = self.begin(root, "main.tf", config)
        with open(env["TF_CLI_CONFIG_FILE"], "w") as f:
            f.write(body.replace(folder, os.path.dirname(self.xplan)))
        self.call(["xplan", "apply", "-auto-approve"], work, env,
                  "…\nnotes_note.n: Creation complete after 0s [id=42]\n…\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.")
        self.call(["xplan", "show"], work, env, '…\n    color = "yellow"\n    id    = "42"\n    title = "milk"\n}')
        self.call(["xplan", "destroy", "-auto-approve"], work, env)


def read(path):
    with open(os.path.join(ROOT, path)) as f:
        return f.read()


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--xplan", required=True)
    arguments.add_argument("--cannot-pass", action="store_true")
    a = arguments.parse_args()
    text, kit = read("README.md"), read("core/provider/kit/README.md")
    found, r = examples(text), Readme(os.path.abspath(a.xplan), a.cannot_pass)
    head = [line.split("#")[0].split() for line in re.findall(r"^    (xplan .*)$", text, re.M)]
    needs(len(found) >= 3 and sum(bool(t) for _, _, t, _ in found) >= 2 and len(head) >= 3, "README.md has lost its examples")
    runs = [lambda root, e=e, i=i: r.example(root, *e, head if i == 0 else []) for i, e in enumerate(found)]
    runs.append(lambda root: r.settings(root, kit))
    failed = 0
    for one in runs:
        with tempfile.TemporaryDirectory() as root:
            try:
                one(root)
            except Failed as e:
                failed += 1
                if not a.cannot_pass:
                    print("FAILED", e)
    print("%d passed, %d failed" % (len(runs) - failed, failed))
    return failed != len(runs) if a.cannot_pass else failed != 0


if __name__ == "__main__":
    sys.exit(main())
