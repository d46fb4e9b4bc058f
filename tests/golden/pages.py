#!/usr/bin/env python3
"""Runs what the pages of scripts/docs show, and compares the pages with the program and its sources.

    pages.py --xplan BINARY [CASE...]      CASE is the name of a page with _ for -, links, or cannot_pass

Fenced blocks of a page, in their order:
  json, hcl          the configuration (main.tf.json, main.tf) of an empty directory, in which what follows is done
  any with a name    in a comment at its head ("# tests/a.tftest.hcl", "// main.js"): that file of the directory
  yaml, sh           the command lines in it that begin with xplan, terraform or tofu are run, after each other; each must end with 0, or with
                     -detailed-exitcode with 0 or 2
  none, "$ …"        a transcript: commands for a shell and what they print, with "…" as in readme.py
xplan, terraform and tofu are the program under those names; on the page coming-from-terraform, terraform is the reference if it is on PATH. Where
there is no jq, commands are run up to it.
The last line is 'N passed, M failed'.
"""
import os
import re
import shutil
import subprocess
import sys

from cases import run_cases
from exit_codes import exit_codes
from journeys import environment
from pseudo_terminal import Failed
from readme import pattern
from variables import environment_variables

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DOCS = os.path.join(TOP, "scripts", "docs")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
NAMED = re.compile(r"(?:#|//) ([\w.-]+(?:/[\w.-]+)*\.\w+)\n")
LOCAL = re.compile(r"^\s*(?:- )?(?:run: |command: |\"|')*((?:[A-Z_a-z0-9]+=\S+ )*(?:xplan|terraform|tofu) [a-z-].*?)[\"']?$", re.M)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# What the runner of a pipeline sets.
RUNNER = {"PLANFILE": "plan.bin", "SHOWFILE": "plan.json"}


def read(name):
    with open(os.path.join(DOCS, name)) as f:
        return f.read()


class Reader:
    """Somebody who does what a page says."""

    def __init__(self, xplan, root):
        self.xplan, self.root, self.work, self.done, self.change = xplan, root, None, 0, False
        self.env = dict(environment(root, xplan, ["mock"]), **RUNNER)
        self.env["PATH"] = os.path.join(root, "bin") + ":" + self.env["PATH"]
        os.makedirs(os.path.join(root, "bin"))
        for name in ("xplan", "terraform", "tofu"):
            os.symlink(xplan, os.path.join(root, "bin", name))

    def begin(self, name, text):
        self.work = os.path.join(self.root, "work-%d" % len(os.listdir(self.root)))
        os.makedirs(self.work)
        self.write(name, text)

    def write(self, name, text):
        if not self.work:
            return self.begin(name, text)
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        return None

    def call(self, command, codes=None):
        if not self.work:
            raise Failed("%s: there is no configuration above it" % command)
        if not shutil.which("jq"):
            command = command.partition(" | jq ")[0]
        p = subprocess.run(["sh", "-c", command], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=300)
        if codes is not None and p.returncode not in codes:
            raise Failed("%s: exit code %d\n%s" % (command, p.returncode, p.stdout))
        self.done += 1
        return COLOURS.sub("", p.stdout)

    def transcript(self, text):
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            out = self.call(command)
            if self.change:
                expected = re.sub(r"[a-z]{4,}", "changed", expected)
            if not pattern(expected).fullmatch(out):
                raise Failed("%s printed\n%s\ninstead of\n%s" % (command, out, expected))

    def page(self, name):
        whole = read(name)
        if "XPLAN_PLAN_PASSPHRASE" in whole:
            self.env["XPLAN_PLAN_PASSPHRASE"] = "correct horse battery staple"
        for kind, text in FENCE.findall(whole):
            named = NAMED.match(text)
            if named:
                self.write(named.group(1), text)
            elif kind in ("json", "hcl"):
                self.begin("main.tf.json" if kind == "json" else "main.tf", text)
            if kind in ("yaml", "sh"):
                for command in LOCAL.findall(text):
                    self.call(command, (0, 2) if "-detailed-exitcode" in command else (0,))
            elif not kind and text.startswith("$ "):
                self.transcript(text)
        if not self.done:
            raise Failed("%s has no commands" % name)


def page(name):
    def case(run):
        run.page(name)
    case.__name__ = name.removesuffix(".md").replace("-", "_")
    return case


def coming_from_terraform(run):
    reference = shutil.which("terraform")
    if reference and "xplan_version" not in subprocess.run([reference, "version", "-json"], capture_output=True, text=True).stdout:
        os.remove(os.path.join(run.root, "bin", "terraform"))
        os.symlink(reference, os.path.join(run.root, "bin", "terraform"))
    run.page("coming-from-terraform.md")


def links(run):
    """Every page is in the index, and what pages link to is there: files, and headings of pages."""
    names = sorted(os.listdir(DOCS))
    index = read("README.md")
    for name in names:
        if name != "README.md" and "(%s)" % name not in index:
            raise Failed("the index does not have %s" % name)
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", read(name), flags=re.S)):
            path, _, heading = target.partition("#")
            if "://" in path:
                continue
            full = os.path.normpath(os.path.join(DOCS, path or name))
            if not os.path.exists(full):
                raise Failed("%s links to %s, which is not there" % (name, target))
            if heading:
                with open(full) as f:
                    heads = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", f.read(), re.M)]
                if heading not in heads:
                    raise Failed("%s links to %s, which has no such heading" % (name, target))


def scripts(run):
    """Every program in scripts tells its usage when asked, and does nothing else."""
    folder = os.path.join(TOP, "scripts")
    programs = [n for n in sorted(os.listdir(folder)) if os.path.isfile(os.path.join(folder, n)) and os.access(os.path.join(folder, n), os.X_OK)]
    for name, option in [(n, "--help") for n in programs] + [("servers", "-help"), ("servers", "-h")]:
        p = subprocess.run([os.path.join(folder, name), option], cwd=run.root, env=run.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if p.returncode or p.stderr or not re.search(r"usage: (scripts/)?%s\b" % re.escape(name), p.stdout, re.I):
            raise Failed("scripts/%s %s ended with %d:\n%s%s" % (name, option, p.returncode, p.stdout, p.stderr))
    if "servers" not in programs:
        raise Failed("there are no programs in %s" % folder)


def cannot_pass(run):
    """Other output fails."""
    run.change = True
    try:
        run.page("coming-from-opentofu.md")
    except Failed as e:
        if "instead of" in str(e):
            return
        raise
    raise Failed("changed words were not noticed")


PAGES = ("coming-from-opentofu.md", "github-actions.md", "gitlab-ci.md", "atlantis.md", "terragrunt.md", "cdktf.md")
CASES = (coming_from_terraform, *map(page, PAGES), exit_codes, environment_variables, links, scripts, cannot_pass)

if __name__ == "__main__":
    sys.exit(run_cases(__doc__, CASES, Reader))
