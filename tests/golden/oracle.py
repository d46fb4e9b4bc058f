#!/usr/bin/env python3
"""Runs differential cases: what xplan does in each step against what the reference was seen to do.

    oracle.py --xplan BINARY CASE...              compare with the recorded answers (CASE/expected.json)
    oracle.py --xplan BINARY --live CASE...       compare with a reference binary (`terraform` on PATH) in the same run
    oracle.py --record CASE...                    ask the reference and write CASE/expected.json

A case is a folder with case.json: {"about": …, "mask": [regex…], "steps": [step…]}. A step plans (and applies the saved plan),
runs any other command, compares a -json stream, or evaluates console expressions; see testdata/oracle/README.md. Random values (UUIDs, deposed keys,
timestamps of today) are renamed before comparing; sentences of errors are never compared. A case may hold deviations.json,
{"step.facet": "reason"}: these facets differ on purpose, and it is a failure when they no longer do.
The last line is 'N passed, M failed'; exit status 1 when a case failed.
"""
import argparse
import datetime
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import case_server

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)")
DEPOSED = re.compile(r"(deposed object )[0-9a-f]{8}")
LEGEND = re.compile(r"^ {0,2}[-+~<=/.]{1,3} [A-Za-z][A-Za-z ()-]*$")
BOX = re.compile(r"(?ms)^ *╷.*?^ *╵[^\n]*\n?")
BODY = re.compile(r"^(  | # | \. |-/\+ |\+/- | <= |Plan: |Changes to Outputs:|No changes\.)")
# What `test` prints, and with -verbose: plans, states and outputs; without sentences.
TEST_LINE = re.compile(r'^(  |# |resource "|data "|\}|\S+ += |Outputs:|Plan: |Changes to Outputs:|No changes\.|Success!|Failure!|\S+\.(tf|tofu)test\.(hcl|json)\.\.\. )')
# What is told while a run is at work: "ADDRESS: Creating...", "ADDRESS: Creation complete after 0s [id=x]", "ADDRESS (local-exec): text".
PROGRESS = re.compile(r"^\S.*?(: (Preparing import|Refreshing state|Provisioning with |[A-Z][a-z]+ing\.\.\.|[A-Z][a-z]+ complete\b)|"
                      r" \(local-exec\): )")
VOLATILE = {"terraform_version", "xplan_version", "timestamp", "lineage", "serial"}
UNORDERED = {"relevant_attributes", "resource_changes", "resource_drift", "resources", "instances", "checks", "replace_paths",
             "depends_on", "dependencies", "check_results", "objects", "sensitive_attributes", "child_modules", "diagnostics"}
OPERATIONS = {"plan", "apply", "destroy", "refresh", "import"}
KEPT = ("terraform.tfstate", ".terraform", "plan.bin", "keep.", "errored.")


def recent(match):
    if len(match.group(1) or "") > 6:
        return "<time>"
    try:
        then = datetime.datetime.fromisoformat(match.group(0).replace("Z", "+00:00"))
        if abs(then - datetime.datetime.now(datetime.timezone.utc)) < datetime.timedelta(hours=36):
            return "<time>"
    except ValueError:
        pass
    return match.group(0)


def load(text):
    try:
        return json.loads(text, parse_int=lambda d: {"number": d}, parse_float=lambda d: {"number": d})
    except ValueError:
        return None


class Engine:
    def __init__(self, binary, work, mask, case, spec, providers):
        self.binary, self.work, self.mask = binary, work, mask
        os.makedirs(work)
        self.names, self.initialized = {}, False
        self.plans_stand_alone = False  # whether a saved plan is to be shown without the provider, too
        rc = os.path.join(work + ".rc")
        open(rc, "w").write('provider_installation {\n  filesystem_mirror {\n    path = "%s"\n  }\n}\n' % (work + ".mirror"))
        os.makedirs(work + ".mirror", exist_ok=True)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
        self.env.update(TF_CLI_CONFIG_FILE=rc, TF_IN_AUTOMATION="1", CHECKPOINT_DISABLE="1", NO_COLOR="1", HOME=work,
                        XPLAN_DIALECT="terraform")  # the product name is part of some headers
        for name in spec.get("providers", ()):
            self.offer(case, name, providers)
        self.server = case_server.KINDS[spec["server"]](work) if "server" in spec else None
        if self.server:
            self.env.update(self.server.env)
            self.mask = re.compile("|".join(filter(None, (mask and mask.pattern, self.server.MASK))))
        self.env.update(spec.get("env", {}))

    def close(self):
        if self.server:
            self.server.close()

    def offer(self, case, name, providers):
        """A provider program as a package of the mirror; the mock's schema is the case's, its objects lie beside the work.
        NAMESPACE/NAME is the mock under another name."""
        namespace, _, name = name.rpartition("/")
        program = "mock" if namespace else name
        folder = os.path.join(self.work + ".mirror", "registry.terraform.io", namespace or "xplan", name, "1.0.0", "linux_amd64")
        os.makedirs(folder)
        shutil.copy(os.path.join(providers, "terraform-provider-" + program), os.path.join(folder, "terraform-provider-%s_v1.0.0" % name))
        if program == "mock" and "XPLAN_MOCK_DIR" not in self.env:
            self.env.update(XPLAN_MOCK_SCHEMA=os.path.abspath(os.path.join(case, "schema.json")), XPLAN_MOCK_DIR=self.work + ".objects")
            os.makedirs(self.env["XPLAN_MOCK_DIR"])

    def run(self, args, env=None, text=None, cwd=None):
        try:
            p = subprocess.run([self.binary, *args], cwd=cwd or self.work, env={**self.env, **(env or {})}, input=text, text=True,
                               stdin=subprocess.DEVNULL if text is None else None, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, timeout=120)
        except subprocess.TimeoutExpired:
            return 124, "", "timed out"
        return p.returncode, re.sub(r"\x1b\[[0-9;]*m", "", p.stdout), re.sub(r"\x1b\[[0-9;]*m", "", p.stderr)

    def place(self, folder):
        for name in os.listdir(self.work):
            if not name.startswith(KEPT):
                path = os.path.join(self.work, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        shutil.copytree(folder, self.work, dirs_exist_ok=True)

    def workspace(self):
        try:
            return open(os.path.join(self.work, ".terraform", "environment")).read().strip() or "default"
        except OSError:
            return "default"

    def state_path(self):
        ws = self.workspace()
        parts = [] if ws == "default" else ["terraform.tfstate.d", ws]
        return os.path.join(self.work, *parts, "terraform.tfstate")

    def state_texts(self):
        for path in (self.state_path(), self.state_path() + ".backup"):
            if os.path.exists(path):
                yield open(path).read()
        if self.server:
            yield self.server.state(self.workspace())

    def learn(self):
        """Names each random id after the address that owns it."""
        for text in self.state_texts():
            try:
                state = json.loads(text)
            except ValueError:
                continue
            for r in state.get("resources", []):
                for i in r.get("instances", []):
                    v = (i.get("attributes") or {}).get("id")
                    if not isinstance(v, str) or not UUID.fullmatch(v) or v in self.names:
                        continue
                    key = ".".join(filter(None, [r.get("module"), r["mode"], r["type"], r["name"]]))
                    key += "[%s]" % json.dumps(i["index_key"]) if "index_key" in i else ""
                    nth = sum(n.startswith("<id %s#" % key) for n in self.names.values())
                    self.names[v] = "<id %s#%d>" % (key, nth)

    def clean(self, text):
        text = UUID.sub(lambda m: self.names.get(m.group(0), "<uuid>"), text)
        if self.mask:
            text = self.mask.sub("<masked>", text)
        return DEPOSED.sub(r"\1<key>", STAMP.sub(recent, text))

    def tidy(self, v, path=()):
        if isinstance(v, dict):
            out = {}
            for k, x in v.items():
                if (k in VOLATILE and path in ((), ("prior_state",))) or (
                        "diagnostics" in path and k in ("summary", "detail", "snippet")) or (
                        "function_signatures" in path and k == "description" and isinstance(x, str)):
                    continue
                key = UUID.sub(lambda m: self.names.get(m.group(0), "<uuid>"), k)
                out[key] = "<key>" if k in ("deposed", "deposed_key") and isinstance(x, str) else self.tidy(x, path + (k,))
            return out
        if isinstance(v, list):
            out = [self.tidy(x, path + ("[]",)) for x in v]
            return sorted(out, key=lambda x: json.dumps(x, sort_keys=True)) if path and path[-1] in UNORDERED else out
        return self.clean(v) if isinstance(v, str) else v

    def state(self):
        text = self.server.state(self.workspace()) if self.server else None
        if not text:
            try:
                text = open(self.state_path()).read()
            except OSError:
                return None
        state = self.tidy(load(text) or {})
        return {k: state.get(k) for k in ("version", "outputs", "resources", "check_results")}

    def body(self, text):
        out = []
        for line in map(str.rstrip, self.clean(text).splitlines()):
            if not LEGEND.match(line) and not line.lstrip().startswith(("│", "╷", "╵")) and BODY.match(line):
                out.append(re.sub(r"^(No changes\.).*", r"\1", line))
        return out

    def progress(self, text):
        """The lines of progress. What runs at once may be told in any order; seconds depend on the machine."""
        lines = filter(PROGRESS.match, self.clean(text).splitlines())
        return sorted(re.sub(r" after (\d+m)?\d+s\b", " after <seconds>", line.rstrip()) for line in lines)

    def told_of_tests(self, lines):
        return [re.sub(r"^(No changes\.).*", r"\1", line) for line in lines if TEST_LINE.match(line) and not LEGEND.match(line)]

    def problems(self, text):
        """Where the problems are that were told, each with the names whose values were listed."""
        out = []
        for line in map(str.strip, self.clean(text).splitlines()):
            if m := re.match(r"on (\S+ line \d+)", line):
                out.append([m.group(1)])
            elif (m := re.match("│ (.*?) (is|has|will|begins) ", line)) and out:
                out[-1].append(m.group(1))
        return sorted(" ".join(p) for p in out)

    def message(self, line, places, advice):
        """A line of a -json stream without what may differ: times, versions, sentences. The order of members is kept."""
        m = json.loads(line)
        del m["@timestamp"]
        if m["type"] == "version":
            m = {k: m[k] for k in ("@level", "@module", "type", "ui")}
        if m["type"] == "diagnostic":
            del m["@message"]
            d = m["diagnostic"]
            m["diagnostic"] = {"severity": d["severity"], "address": d.get("address"),
                               "place": [d["range"]["filename"], d["range"]["start"]["line"]] if "range" in d else None}
            if d["severity"] == "warning" and ("range" not in d or not places) and not advice:
                return None  # general advice, of which each program has its own
            if not places:
                m["diagnostic"] = {"severity": d["severity"]}
        for made in (m.get("test_plan"), m.get("test_state")):
            if made and "provider_schemas" in made:  # other cases are about what is in schemas
                made["provider_schemas"] = sorted(made["provider_schemas"])
        if "elapsed_seconds" in m.get("hook", {}):
            m["hook"]["elapsed_seconds"] = "<seconds>"
            m["@message"] = re.sub(r"after (\d+m)?\d+s", "after <seconds>", m["@message"])
        if not places:  # its sentence says it all
            m = {k: m[k] for k in ("@level", "@message", "type", "diagnostic", "outputs") if k in m}
        return json.dumps(self.tidy(m))

    def calls(self):
        """What the mock was asked about its types in this step, by type and in order. Validation may happen any number of
        times, and so may upgrades of objects that have the present version."""
        out, types = {}, load(open(self.env["XPLAN_MOCK_SCHEMA"]).read())["resource_schemas"]
        for line in open(self.log).read().splitlines() if os.path.exists(self.log) else ():
            call = json.loads(line)
            name, of = call.pop("call"), call.pop("type", "")
            version = types.get(of, {}).get("version", {"number": "0"})["number"]
            if not of or name.startswith("validate") or (name == "upgrade" and not call["flat"] and str(call["version"]) == version):
                continue
            out.setdefault(of, []).append(self.clean("%s %s" % (name, json.dumps(call, sort_keys=True))))
        return out

    def show_elsewhere(self, env):
        """The same plan as JSON and text in a folder that has nothing but the plan."""
        elsewhere = os.path.join(self.work, "keep.elsewhere")
        os.makedirs(elsewhere)
        try:
            shutil.copy(os.path.join(self.work, "plan.bin"), elsewhere)
            env = {**(env or {}), "HOME": elsewhere}
            doc = load(self.run(["show", "-json", "plan.bin"], env, cwd=elsewhere)[1])
            return doc, self.run(["show", "-no-color", "plan.bin"], env, cwd=elsewhere)[1]
        finally:
            shutil.rmtree(elsewhere)

    def step(self, case, step):
        self.log = self.work + ".calls"
        if os.path.exists(self.log):
            os.remove(self.log)
        out = self.answer(case, step)
        if step.get("calls"):
            out["calls"] = self.calls()
            if step["calls"] == "sorted":
                out["calls"] = {of: sorted(calls) for of, calls in out["calls"].items()}
        if "read" in step:
            path = os.path.join(self.work, step["read"])
            lines = self.clean(open(path).read()).splitlines() if os.path.exists(path) else []
            out["file"] = [line for line in lines if line and not line.startswith("#")]
        if self.server and (requests := self.server.requests()):
            out["requests"] = [self.clean(r) for r in requests]
        if shown := getattr(self.server, "shown", list)():
            out["shown"] = [self.tidy(load(text)) for text in shown]
        return {k: v for k, v in out.items() if k in step.get("only", out)}

    def verdict(self, files):
        """What init and validate say of a configuration: exit code, and where errors are."""
        cwd, out = os.path.join(self.work, "one"), {}
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(cwd, path)), exist_ok=True)
            open(os.path.join(cwd, path), "w").write(text)
        for args in (["init", "-backend=false", "-json"], ["validate", "-json"]):
            rc, o, _ = self.run(args, cwd=cwd)
            found = [m.get("diagnostic") or {} for m in map(json.loads, o.splitlines())] if args[0] == "init" else json.loads(o)["diagnostics"]
            places = {"%s:%d" % (d["range"]["filename"], d["range"]["start"]["line"])
                      for d in found if d.get("severity") == "error" and "range" in d}
            out[args[0]] = [rc, *sorted(places)]
        shutil.rmtree(cwd)
        return out

    def answer(self, case, step):
        out, env = {}, dict(step.get("env", {}))
        if "verdicts" in step:
            return {name: self.verdict(files) for name, files in configurations(os.path.join(case, step["verdicts"])).items()}
        if step.get("calls"):
            env.update(XPLAN_MOCK_LOG=self.log, XPLAN_MOCK_LOG_VALUES="1")
        if "files" in step:
            self.place(os.path.join(case, step["files"]))
        if "drift" in step:
            subprocess.run(["sh", "-c", step["drift"]], cwd=self.work, check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, **(self.server.env if self.server else {})})
        if "console" in step:
            answers = []
            for expression in step["console"]:
                rc, o, _ = self.run(["console"], env, expression + "\n")
                answers.append("%s  =>  %s" % (expression, "error" if rc else self.clean(o).strip()))
            return {"stdout": answers}
        if "stream" in step:
            if not self.initialized:
                self.initialized = self.run(["init", "-input=false", "-no-color"], env)[0] == 0
            rc, o, e = self.run(step["stream"], env)
            self.last = e or o
            self.learn()
            out["exit"] = rc
            places = step.get("places", True)
            messages = list(filter(None, (self.message(line, places, step.get("advice")) for line in o.splitlines())))
            if step["stream"][0] == "test":
                out["stream"] = [m for m, before in zip(messages, [None, *messages]) if m != before]  # the reference repeats some problems
            else:
                out["stream"] = sorted(messages if places else set(messages))
            return out
        if "run" in step:
            text = step.get("input")
            if isinstance(text, dict):
                with open(os.path.join(case, text["file"]), newline="", encoding="utf-8") as f:
                    text = f.read()
            rc, o, e = self.run(step["run"], env, text)
            command = step["run"][0] if step["run"] else ""
            self.last, doc = e or o, load(o)
            out["exit"] = rc
            if command in OPERATIONS and rc == 0:
                out["progress"] = self.progress(o)
            text = [line for line in BOX.sub("", self.clean(o)).strip().splitlines() if "progress" not in out or not PROGRESS.match(line)]
            if command == "test":
                text = self.told_of_tests(text)
            out["stdout"] = self.tidy(doc) if doc is not None else text if rc == 0 or command in ("fmt", "test") else []
            if step.get("any_order"):
                out["stdout"] = sorted(map(str.strip, out["stdout"]))
            self.learn()
            out["state"] = self.state()
            return out
        if not self.initialized or step.get("init"):
            rc, o, e = self.run(["init", "-input=false", "-no-color"], env)
            self.initialized, self.last = rc == 0, e or o
            if rc:
                return {"exit": "init failed"}
        rc, o, e = self.run(["plan", "-input=false", "-no-color", "-detailed-exitcode", "-out=plan.bin", *step.get("args", [])], env)
        out["exit"], self.last = rc, e or o
        self.learn()
        if rc == 1 and step.get("told"):
            out["text"], out["problems"] = self.body(o), self.problems(e)
        if rc in (0, 2):  # with errors, how far each part came before is nobody's promise
            out["progress"] = self.progress(o)
            doc = load(self.run(["show", "-json", "plan.bin"], env)[1])
            out["json"] = self.tidy(doc) if doc is not None else None
            text = self.run(["show", "-no-color", "plan.bin"], env)[1]
            out["text"] = self.body(text)
            if self.plans_stand_alone and self.show_elsewhere(env) != (doc, text):
                out["text"] = ["the plan shows something else where its providers are not installed"]
            if step.get("apply", True):
                rc, o, e = self.run(["apply", "-input=false", "-no-color", "plan.bin"], env)
                out["exit"], self.last = "%s then apply %s" % (out["exit"], rc), e or o
                self.learn()
                out["state"], out["applied"] = self.state(), self.progress(o)
        return out


def layout(v, depth=0):
    """JSON in which everything that fits a line is on one."""
    line = json.dumps(v, sort_keys=True, ensure_ascii=False)
    if depth and len(line) + depth <= 140 or not v or not isinstance(v, (dict, list)):
        return line
    items = [json.dumps(k, ensure_ascii=False) + ": " + layout(v[k], depth + 1) for k in sorted(v)] if isinstance(v, dict) else [
        layout(x, depth + 1) for x in v]
    pad = "\n" + " " * (depth + 1)
    return "[{"[isinstance(v, dict)] + pad + ("," + pad).join(items) + pad[:-1] + "]}"[isinstance(v, dict)]


def differences(a, b, path="$"):
    short = lambda v: (lambda s: s if len(s) < 120 else s[:117] + "...")(json.dumps(v))
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted(a.keys() | b.keys()):
            if k not in b:
                yield "%s.%s: missing (expected %s)" % (path, k, short(a[k]))
            elif k not in a:
                yield "%s.%s: not expected (%s)" % (path, k, short(b[k]))
            else:
                yield from differences(a[k], b[k], "%s.%s" % (path, k))
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield "%s: expected %d elements, got %d" % (path, len(a), len(b))
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, "%s[%d]" % (path, i))
    elif a != b:
        yield "%s: expected %s, got %s" % (path, short(a), short(b))


def configurations(path):
    """Many small configurations in one file: "== NAME" begins one, "-- PATH" a file of it; without that it is main.tf."""
    out, files, at = {}, None, None
    for line in open(path):
        if line.startswith("== "):
            files = out.setdefault(line[3:].strip(), {})
            at = "main.tf"
        elif line.startswith("-- "):
            at = line[3:].strip()
            files[at] = ""
        elif files is not None:
            files[at] = files.get(at, "") + line
    return out


def agree(expected, got):
    """Of a verdict: the same exit codes, and errors wherever the reference has them; more places are not a difference."""
    if not isinstance(expected, dict) or "validate" not in expected:
        return expected == got
    return all(got[k][0] == v[0] and set(v) <= set(got[k]) for k, v in expected.items())


def compare(case, opt):
    spec = json.load(open(os.path.join(case, "case.json")))
    mask = re.compile("|".join(spec["mask"])) if spec.get("mask") else None
    on_purpose = {}
    if os.path.exists(os.path.join(case, "deviations.json")):
        on_purpose = json.load(open(os.path.join(case, "deviations.json")))
    root, reference, subject = tempfile.mkdtemp(prefix="case-"), None, None
    try:
        live = opt.record or opt.live
        reference = Engine(opt.reference, os.path.join(root, "reference"), mask, case, spec, opt.providers) if live else None
        subject = None if opt.record else Engine(opt.xplan, os.path.join(root, "xplan"), mask, case, spec, opt.providers)
        if subject and spec.get("providers"):
            subject.plans_stand_alone = True
        recorded = None if live else json.load(open(os.path.join(case, "expected.json")))
        problems, answers = [], []
        for n, step in enumerate(spec["steps"]):
            expected = reference.step(case, step) if live else recorded[n]
            answers.append(expected)
            if subject is None:
                continue
            got = subject.step(case, step)
            for facet in expected:
                x, y, name = expected[facet], got.get(facet), "%d.%s" % (n + 1, facet)
                if agree(x, y) == (name not in on_purpose):
                    continue
                if agree(x, y):
                    problems.append("step %s: no longer differs; remove it from deviations.json" % name)
                    continue
                lines = (list(difflib.unified_diff(x, y or [], "expected", "got", lineterm="", n=1))
                         if isinstance(x, list) and all(isinstance(s, str) for s in x) else list(differences(x, y)))
                if facet == "exit":
                    lines.append("xplan said: " + " ".join(getattr(subject, "last", "").split())[:400])
                problems.append("step %s:\n      " % name + "\n      ".join(lines[:opt.show]))
        if opt.record:
            with open(os.path.join(case, "expected.json"), "w") as f:
                f.write(layout(answers) + "\n")
        return problems
    finally:
        for engine in filter(None, (reference, subject)):
            engine.close()
        shutil.rmtree(root, ignore_errors=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cases", nargs="+")
    ap.add_argument("--xplan", default="xplan")
    ap.add_argument("--reference", default=shutil.which("terraform"))
    ap.add_argument("--providers", help="folder of the provider programs; beside the binary when not given")
    ap.add_argument("--live", action="store_true")
    ap.add_argument("--record", action="store_true")
    ap.add_argument("--show", type=int, default=20)
    opt = ap.parse_args()
    if (opt.live or opt.record) and not opt.reference:
        print("skipped: there is no terraform on PATH")
        return 0
    opt.xplan = os.path.abspath(opt.xplan) if os.sep in opt.xplan else opt.xplan
    opt.providers = opt.providers or os.path.dirname(opt.xplan)
    good = bad = 0
    for case in opt.cases:
        case = case.rstrip("/")
        if not os.path.isfile(os.path.join(case, "case.json")):
            continue
        try:
            problems = compare(case, opt)
        except case_server.Absent as e:
            print("skipped: %s: %s" % (os.path.basename(case), e))
            continue
        good, bad = good + (not problems), bad + bool(problems)
        print("%s %s" % ("differs" if problems else "same   ", os.path.basename(case)))
        for p in problems:
            print("    " + p)
        sys.stdout.flush()
    print("%d passed, %d failed" % (good, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
