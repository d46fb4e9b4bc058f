#!/usr/bin/env python3
"""What people install: manual pages of every command, and a package that has what it should.

    package.py --xplan BINARY [CASE...]

The binary lies in a build directory. The last line is 'N passed, M failed'.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from cases import run_cases
from provider_runs import Failed, Run, contains, equal

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def manuals(run):
    """One page for each command, with each of its options."""
    pages = os.path.join(run.work, "man")
    subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "man"), run.xplan, pages], check=True, timeout=120)
    names = {os.path.basename(p)[:-2] for p in glob.glob(pages + "/*.1")}
    for words in (["plan"], ["apply"], ["state", "mv"], ["workspace", "new"], ["providers", "lock"]):
        name = "-".join(["xplan", *words])
        equal("there is " + name, name in names, True)
        options = re.findall(r"^  (-\S+)", run(*words, "-help"), re.M)
        text = open(os.path.join(pages, name + ".1")).read()
        for option in options:
            contains(name, text, ".B " + option.replace("\\", "\\e").replace("-", "\\-"))
    commands = re.findall(r"^  ([a-z-]+) ", run("-help").split("\n\n")[2], re.M)
    equal("pages of commands", [c for c in commands if c != "help" and "xplan-" + c not in names], [])
    for page in glob.glob(pages + "/*.1"):
        text = open(page).read()
        if not re.match(r"\.TH .*\n\.SH NAME\nxplan.* \\- \S.*\n\.SH SYNOPSIS\nxplan.*\n\.SH DESCRIPTION\n", text):
            raise Failed("%s begins with\n%s" % (page, text[:300]))


def deb(run):
    """A package that can be unpacked, whose program runs, and that is the same when it is made again."""
    if not shutil.which("cpack") or not shutil.which("dpkg-shlibdeps"):
        print("skipped: there is no dpkg-shlibdeps (scripts/deps --packages)")
        return
    packages = []
    for n in ("1", "2"):
        to = os.path.join(run.work, n)
        p = subprocess.run(["cpack", "--config", os.path.join(os.path.dirname(run.xplan), "CPackConfig.cmake"), "-B", to], capture_output=True,
                           text=True, timeout=240, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
        if p.returncode:
            raise Failed(p.stdout + p.stderr)
        packages += glob.glob(to + "/*.deb")
    equal("packages", len(packages), 2)
    equal("the same bytes", open(packages[0], "rb").read() == open(packages[1], "rb").read(), True)
    there = os.path.join(run.work, "there")
    subprocess.run(["dpkg-deb", "-x", packages[0], there], check=True)
    for path in ("usr/bin/xplan", "usr/share/bash-completion/completions/xplan", "usr/share/doc/xplan/copyright"):
        equal("there is " + path, os.path.isfile(os.path.join(there, path)), True)
    contains("depends", subprocess.run(["dpkg-deb", "-f", packages[0], "Depends"], capture_output=True, text=True).stdout, "libcurl4")
    p = subprocess.run([there + "/usr/bin/xplan", "version"], capture_output=True, text=True, timeout=60)
    equal("it runs", p.returncode, 0)


def anywhere(run):
    """Nothing in the program tells where it was built: the same sources give the same bytes."""
    program = open(run.xplan, "rb").read()
    if b"\0.debug_info\0" in program:
        print("skipped: what debuggers read names the sources")
        return
    for path in (os.path.realpath(ROOT), os.path.dirname(os.path.realpath(run.xplan))):
        found = re.findall(rb"(?<![\w./-])" + re.escape(path.encode()) + rb"/[ -~]*", program)
        equal("paths in the program", sorted({f.decode() for f in found}), [])


def installed(run):
    """`cmake --install` to a directory: the program works from there, under all of its names, and all of it can be removed."""
    build, there = os.path.dirname(run.xplan), os.path.join(run.work, "there")
    manifest = os.path.join(build, "install_manifest.txt")
    p = subprocess.run(["cmake", "--install", build, "--prefix", there], capture_output=True, text=True, timeout=120)
    equal("installed", (p.returncode, p.stderr), (0, ""))
    files = open(manifest).read().split("\n")
    env = {k: v for k, v in run.env.items() if k != "LD_LIBRARY_PATH"}
    for name, product in (("bin/xplan", "xplan v"), ("libexec/xplan/terraform", "Terraform v"), ("libexec/xplan/tofu", "OpenTofu v")):
        path = os.path.join(there, name)
        equal("%s is in the list" % name, path in files, True)
        p = subprocess.run([path, "version"], capture_output=True, text=True, timeout=60, env=env, cwd=run.work)
        equal("%s says what it is" % name, p.stdout[:len(product)], product)
    for name in files:
        os.remove(name)
    equal("what is left", [names for _, _, names in os.walk(there) if names], [])


def kit(run):
    """The kit's README, followed to the letter outside of the tree: a provider is built with what was installed, and works."""
    build, prefix, outside = os.path.dirname(os.path.abspath(run.xplan)), os.path.join(run.work, "prefix"), os.path.join(run.work, "outside")
    def must(*command):
        p = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if p.returncode:
            raise Failed("%s\n%s%s" % (" ".join(command), p.stdout, p.stderr))
        return p.stdout
    must("cmake", "--install", build, "--component", "kit", "--prefix", prefix)
    text = open(os.path.join(ROOT, "core", "provider", "kit", "README.md")).read()
    os.makedirs(outside)
    for name, body in re.findall(r"```cpp\n// (\S+)\n(.*?)```", text, re.S):
        open(os.path.join(outside, name), "w").write(body)
    open(os.path.join(outside, "CMakeLists.txt"), "w").write(re.search(r"```cmake\n(.*?)```", text, re.S).group(1))
    made = os.path.join(outside, "build")
    must("cmake", "-S", outside, "-B", made, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_BUILD_TYPE=")
    must("cmake", "--build", made)
    program = os.path.join(made, "terraform-provider-notes")
    must(program, "-docs", run.work)
    contains("a page", open(os.path.join(run.work, "docs", "resources", "note.md")).read(), "- `title` (String) What it is about.")
    with open(os.path.join(run.work, "cli.tfrc"), "w") as f:
        f.write('provider_installation {\n  dev_overrides { "example.org/me/notes" = "%s" }\n  direct {}\n}\n' % made)
    log = os.path.join(run.work, "log")
    run.env.update(TF_CLI_CONFIG_FILE=os.path.join(run.work, "cli.tfrc"), TF_LOG_PROVIDER="INFO", TF_LOG_PATH=log)
    with open(os.path.join(run.work, "main.tf"), "w") as f:
        f.write('terraform {\n  required_providers {\n    notes = { source = "example.org/me/notes" }\n  }\n}\n'
                'resource "notes_note" "a" {\n  title = "Milk"\n}\noutput "o" {\n  value = provider::notes::initials("Ada Lovelace")\n}\n')
    open(os.path.join(run.work, ".terraform.lock.hcl"), "w").close()  # nothing is to be installed
    out = run("apply", "-auto-approve")
    contains("applied", out, "Apply complete! Resources: 1 added", '"AL"')
    contains("logged", open(log).read(), 'created resource_type="notes_note" rpc="create" id="42"')
    # An interrupt reaches the call that is running.
    with open(os.path.join(run.work, "main.tf"), "w") as f:
        f.write('terraform {\n  required_providers {\n    notes = { source = "example.org/me/notes" }\n  }\n}\n'
                'resource "notes_note" "slow" {\n  title = "slow"\n}\n')
    os.remove(log)
    p = run.start("apply", "-auto-approve")
    while p.poll() is None and not (os.path.exists(log) and "created" in open(log).read()):
        time.sleep(0.05)
    p.send_signal(signal.SIGINT)
    text = p.communicate(timeout=120)[0]
    contains("interrupted", text, "Operation interrupted", "The provider was told to stop while creating notes_note.")


MISTAKES = [  # what is wrong in the README's provider, and what the compiler says
    ('        {"id", &Note::id, kit::computed().modify(kit::use_state_for_unknown())},\n', "", "every member of the struct needs one row"),
    ('"title", &Note::title', '"Title", &Note::title', "a name consists of lower-case letters"),
    ("std::string title;", "std::map<int, int> title;", "this member has a type that no attribute can have"),
    ("return Note{.title = old.subject, .id = old.id};", "return old;", "each step must take what the step before gives"),
    ('note.id = "42"', 'note.ID = "42"', "no member named"),
]


def kit_mistakes(run):
    """Mistakes in a mapping of the kit do not compile, and say what is wrong."""
    compiler = shutil.which("c++")
    if not compiler:
        print("skipped: there is no c++")
        return
    text = open(os.path.join(ROOT, "core", "provider", "kit", "README.md")).read()
    notes = re.search(r"```cpp\n// notes.h\n(.*?)```", text, re.S).group(1)
    for old, new, said in MISTAKES:
        equal("the README has " + old, notes.count(old), 1)
        path = os.path.join(run.work, "notes.cc")
        with open(path, "w") as f:
            f.write(notes.replace(old, new))
        p = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", ROOT, path], capture_output=True, text=True, timeout=300)
        equal("it compiles", p.returncode != 0, True)
        contains(said, p.stderr, said)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, (manuals, deb, anywhere, installed, kit, kit_mistakes), Run))
