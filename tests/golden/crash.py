#!/usr/bin/env python3
"""Kills an apply at many moments and checks that no finished operation is lost.

    crash.py --xplan BINARY [--runs N] [--encrypted]

Each object of the configuration writes a line to a log when it has been made (a provisioner that runs after the provider answered).
Whatever the moment of SIGKILL: every logged object is in the state afterwards, the state is readable, and a further apply completes
with every object made exactly once more or not at all. SIGINT: the run ends with exit code 1, everything that was started is in the
state. With --encrypted, no file ever has a value of the state in it. The last line is 'N passed, M failed'.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CONFIG = """
resource "terraform_data" "first" {
  count = 40
  input = "first-${count.index}"
  provisioner "local-exec" {
    command = "echo first ${self.id} >> made.log"
  }
}
resource "terraform_data" "second" {
  for_each = { for i in range(40) : "k${i}" => i }
  input    = terraform_data.first[each.value].id
  provisioner "local-exec" {
    command = "echo second ${self.id} >> made.log"
  }
}
"""

ENCRYPTION = """
terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "correct-horse-battery-staple"
      iterations = 200000
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    state {
      method   = method.aes_gcm.m
      enforced = true
    }
  }
}
"""


def leaks(folder):
    """Files that have values of the state in them."""
    files = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name != "main.tf"]
    return [f for f in files if b"first-" in open(f, "rb").read()]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--xplan", required=True)
    ap.add_argument("--runs", type=int, default=12)
    ap.add_argument("--encrypted", action="store_true")
    o = ap.parse_args()
    config = CONFIG + (ENCRYPTION if o.encrypted else "")
    xplan = os.path.abspath(o.xplan)
    good = bad = 0

    def run(*args, cwd):
        return subprocess.run([xplan, *args], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    start = time.perf_counter()
    probe = tempfile.mkdtemp(prefix="crash-")
    open(os.path.join(probe, "main.tf"), "w").write(config)
    run("apply", "-auto-approve", cwd=probe)
    whole = time.perf_counter() - start
    shutil.rmtree(probe)
    for n in range(o.runs):
        sig = signal.SIGINT if n % 4 == 3 else signal.SIGKILL
        folder = tempfile.mkdtemp(prefix="crash-")
        try:
            open(os.path.join(folder, "main.tf"), "w").write(config)
            p = subprocess.Popen([xplan, "apply", "-auto-approve"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
            time.sleep(whole * (n + 1) / (o.runs + 2))
            p.send_signal(sig)
            out = p.communicate(timeout=60)[0].decode()
            found = leaks(folder) if o.encrypted else []
            log = os.path.join(folder, "made.log")
            made = [line.split()[1] for line in open(log)] if os.path.exists(log) else []
            pulled = run("state", "pull", cwd=folder)
            ids = set()
            if pulled.stdout.strip():
                for r in json.loads(pulled.stdout)["resources"]:
                    ids |= {i["attributes"]["id"] for i in r["instances"]}
            problems = ["in plain: %s" % f for f in found]
            lost = [i for i in made if i not in ids]
            if pulled.returncode or lost:
                problems.append("lost %d of %d finished objects (%s)" % (len(lost), len(made), pulled.stderr.strip()[-200:]))
            if sig == signal.SIGINT and p.returncode not in (0, 1):
                problems.append("SIGINT ended with %s: %s" % (p.returncode, out[-300:]))
            again = run("apply", "-auto-approve", cwd=folder)
            if again.returncode:
                problems.append("the next apply failed: " + (again.stderr or again.stdout)[-400:])
            quiet = run("plan", "-detailed-exitcode", cwd=folder)
            if quiet.returncode != 0:
                problems.append("a plan afterwards is not empty")
            state = json.loads(run("state", "pull", cwd=folder).stdout)
            if o.encrypted:
                problems += ["in plain at the end: %s" % f for f in leaks(folder)]
            if sum(len(r["instances"]) for r in state["resources"]) != 80:
                problems.append("not 80 objects at the end")
            for f in os.listdir(folder):
                if "journal" in f:
                    problems.append("a journal is left: " + f)
            good, bad = good + (not problems), bad + bool(problems)
            print("%s %s after %.0f ms, %d finished" % ("failed" if problems else "ok    ", sig.name, whole * (n + 1) / (o.runs + 2) * 1000, len(made)))
            for problem in problems:
                print("    " + problem)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (good, bad))
    return 1 if bad else 0


sys.exit(main())
