"""Where the commands of other tools are run: situations, each made once by the program under test, and runs in copies of them.

Used by consumers.py. Objects are those of the mock provider, which lies beside the program.
"""
import concurrent.futures
import contextlib
import http.server
import itertools
import json
import os
import shutil
import subprocess
import threading

from journeys import environment
from pseudo_terminal import Failed

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata")
DATA = os.path.join(ROOT, "consumers")


class Place:
    """A situation: a directory with a configuration and a state, and the objects that the mock provider has."""

    def __init__(self, path):
        self.path, self.work, self.objects = path, os.path.join(path, "work"), os.path.join(path, "objects")

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w") as f:
            f.write(text)

    def configure(self, name):
        shutil.copytree(os.path.join(DATA, "configuration", name), self.work, dirs_exist_ok=True)


def configured(lab, place):
    os.makedirs(place.objects)
    place.configure("before")


def changed(lab, place):
    """Somebody changes an object and makes another one; the configuration changes so that there is every action."""
    lab.prepare(place, "taint mock_thing.tainted")
    for name in os.listdir(place.objects):
        path = os.path.join(place.objects, name)
        with open(path) as f:
            there = json.load(f)
        if there["name"] == "drifted":
            with open(path, "w") as f:
                json.dump(dict(there, text="by hand"), f)
    outside(place)
    place.configure("after")


def outside(place):
    """An object that no state has."""
    with open(os.path.join(place.objects, "mock_thing.outside-7.json"), "w") as f:
        json.dump({"disk": [], "id": "outside-7", "name": "imported", "password": None, "revision": "of outside-7", "size": 7, "tags": None,
                   "text": None}, f)


def runs(*lines):
    return lambda lab, place: [lab.prepare(place, line) for line in lines]


def adds(text, name="more.tf"):
    return lambda lab, place: place.write(name, text)


def imports(lab, place):
    place.write("more.tf", 'resource "mock_thing" "more" { name = "imported" }\n')
    outside(place)


def formatted_badly(lab, place):
    shutil.rmtree(place.work)
    os.makedirs(place.work)
    place.write("main.tf", "locals {\n    a=1\n}\n")


class ProviderCache(http.server.BaseHTTPRequestHandler):
    """A server that caches providers for many runs, as Terragrunt starts one: who asks for a package is told to come back (423)."""

    def do_GET(self):
        body = b"{}"
        if self.headers.get("Authorization") != "Bearer x-api-key:secret":
            self.send_response(401)
        elif self.path.endswith("/versions"):
            body = json.dumps({"versions": [{"version": "1.0.0", "protocols": ["5.0"], "platforms": [{"os": "linux", "arch": a} for a in
                                                                                                     ("amd64", "arm64")]}]}).encode()
            self.send_response(200)
        else:
            self.send_response(423)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def behind_a_cache(lab, place):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ProviderCache)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    os.makedirs(place.work)
    place.write("main.tf", 'terraform {\n  required_providers {\n    thing = { source = "acme/thing" }\n  }\n}\n')
    place.write("cache.rc", 'host "registry.terraform.io" {\n  services = { "providers.v1" = "http://127.0.0.1:%d/v1/providers/" }\n}\n'
                % server.server_port)


TEST = """run "kept" {
  assert {
    condition     = length(output.names) == 2
    error_message = "other names"
  }
}
"""

SITUATIONS = {
    "configured": (None, configured),
    "initialized": ("configured", runs("init -input=false")),
    "first plan": ("initialized", runs("plan -input=false -out=tfplan")),
    "applied": ("initialized", runs("apply -input=false -auto-approve")),
    "two workspaces": ("applied", runs("workspace new other", "workspace select default")),
    "changed": ("applied", changed),
    "changed plan": ("changed", runs("plan -input=false -out=tfplan -replace=mock_thing.requested -var stage=live")),
    "another output": ("applied", adds('output "more" { value = 1 }\n')),
    "apply that fails": ("applied", adds('resource "mock_thing" "broken" { name = "broken" }\n')),
    "mistake": ("applied", adds('output "wrong" { value = mock_thing.missing.id }\n')),
    "variable without a value": ("applied", adds('variable "needed" {}\n')),
    "new module": ("applied", adds('module "new" { source = "git::https://example.invalid/new.git" }\n')),
    "no providers": ("applied", lambda lab, place: shutil.rmtree(os.path.join(place.work, ".terraform", "providers"))),
    "no lock file": ("applied", lambda lab, place: os.remove(os.path.join(place.work, ".terraform.lock.hcl"))),
    "another workspace": ("two workspaces", runs("workspace select other")),
    "import": ("applied", imports),
    "new backend": ("applied", adds('terraform {\n  backend "local" { path = "other.tfstate" }\n}\n')),
    "tests": ("initialized", adds(TEST, "main.tftest.hcl")),
    "tests that fail": ("initialized", adds(TEST.replace("== 2", "== 3"), "main.tftest.hcl")),
    "provider cache": (None, behind_a_cache),
    "bad format": ("configured", formatted_badly),
}


def same(point):
    """What makes one run of points that have it in common."""
    return json.dumps([point["in"], point.get("run"), point.get("input"), point.get("env")])


class Lab:
    """One program under test, in one dialect; situations and runs are made once."""

    def __init__(self, xplan, root, name=None):
        self.root, self.places, self.done, self.numbers = root, {}, {}, itertools.count()
        self.env = environment(root, xplan, ["mock"])
        self.env.update(XPLAN_MOCK_SCHEMA=os.path.join(ROOT, "journeys", "schema.json"))
        self.env.pop("NO_COLOR", None)
        self.xplan = self.program = xplan
        if name:
            os.makedirs(os.path.join(root, "bin"))
            self.program = os.path.join(root, "bin", name)
            os.symlink(xplan, self.program)

    def start(self, place, line, given="", env=None, allowed=None):
        words = line.format(mirror=os.path.join(self.root, "mirror")).split()
        p = subprocess.run([self.program, *words], cwd=place.work, env=dict(self.env, XPLAN_MOCK_DIR=place.objects, **(env or {})),
                           input=given, text=True, capture_output=True, timeout=300)
        if (p.returncode < 0 or p.returncode > 125) and p.returncode != allowed:
            raise Failed("%s ended with %d\n%s" % (line, p.returncode, p.stderr))
        return p

    def prepare(self, place, line):
        p = self.start(place, line)
        if p.returncode:
            raise Failed("%s: %s%s" % (line, p.stdout, p.stderr))

    def copy(self, name, to):
        place = Place(os.path.join(self.root, "places", to))
        base = self.place(name) if name else None
        if base:
            shutil.copytree(base.path, place.path, symlinks=True)
        else:
            os.makedirs(place.path)
        return place

    def place(self, name):
        if name not in self.places:
            base, make = SITUATIONS[name]
            place = self.copy(base, name.replace(" ", "_"))
            make(self, place)
            self.places[name] = place
        return self.places[name]

    def run(self, point):
        """The run of a point, or the one of another point that is the same, and where it ran."""
        key = same(point)
        if key not in self.done:
            place = self.copy(point["in"], "run-%d" % next(self.numbers))
            p = self.start(place, point["run"], point.get("input", ""), point.get("env")) if "run" in point else None
            self.done[key] = p, place
        return self.done[key]

    def run_all(self, points):
        """All runs of these points, several at a time; one that fails is made again when it is asked for."""
        for point in points:
            self.place(point["in"])
        different = {same(point): point for point in points}

        def run(point):
            with contextlib.suppress(Failed, OSError):
                self.run(point)

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            list(pool.map(run, different.values()))
