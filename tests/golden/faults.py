#!/usr/bin/env python3
"""Applies to states on servers that fail in every way, through tests/servers/proxy.py.

    faults.py --xplan BINARY [KIND... | GROUP...]

For each kind of server, each row of ROWS is an apply of 20 objects while the server fails as the row says, and what people do then: the
server works again, the commands that the messages name are run, and a plan shows what is left. Whatever happened, what was said to be
complete is in the state, what the provider was asked to make is in the state or is named, nothing is made twice, no lock stays that was
not named together with the command that releases it, and in the end a plan has no changes. XPLAN_TEST_ROWS=NAME,… runs some rows;
XPLAN_TEST_SHOW=1 shows what was said. The last line is 'N passed, M failed'.
"""
import concurrent.futures
import dataclasses
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse

import case_server
from cases import run_cases
from provider_runs import Failed, Run, typed
from runners import names_in, things
from state_servers import StateServer

sys.path.insert(0, os.path.join(case_server.ROOT, "tests", "servers"))
import proxy

OBJECTS, ALWAYS = 20, 10**6
AT_ONCE = int(os.environ.get("XPLAN_TEST_AT_ONCE", 8))
# The requests that write the state, and those that release the lock.
WRITES = {"azurerm": r"^PUT \S*/state HTTP", "consul": r"^PUT /v1/txn|^PUT /v1/kv/\S*/state\?", "cos": r"^PUT \S*terraform.tfstate HTTP",
          "gcs": r"^POST \S*name=\S*default.tfstate&", "hcp": r"^POST \S*state-versions", "http": r"^POST ", "kubernetes": r"^PUT \S*/secrets/",
          "pg": r"(INSERT INTO|UPDATE) \S*states", "s3": r"^PUT \S*/state "}
UNLOCKS = {"azurerm": r"x-ms-lease-action: release", "consul": r"^PUT /v1/session/destroy|release=", "cos": r"^DELETE \S*tflock",
           "gcs": r"^DELETE \S*tflock", "hcp": r"actions/unlock", "http": r"^UNLOCK ", "kubernetes": r'^PUT \S*/leases/(?!.*holderIdentity":")',
           "pg": r"pg_advisory_unlock", "s3": r"^DELETE \S*tflock"}


@dataclasses.dataclass
class Row:
    name: str
    faults: list
    at: str = "start"  # of the apply, or its middle
    ends: object = 0   # how it ends; None: one way or another
    only: tuple = ()
    without: tuple = ()
    skew: int = 0
    env: dict = dataclasses.field(default_factory=dict)  # None: without this variable
    does: object = None  # to the server itself: a function of the attempt, and whether it begins or ends
    clock: int = 0       # seconds that a server of its own is ahead


def always(do, **more):
    return {"do": do, "times": ALWAYS, **more}


def end_credentials(attempt, begins):
    if begins:
        attempt.server.order({"expire": True, "revoke": True})


def fill_disk(attempt, begins):
    """After a few rows, what PostgreSQL says where there is no room."""
    sql = """CREATE SEQUENCE written; CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('public.written') > 5 THEN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END IF;
        RETURN NEW; END $$;""" if begins else ""
    for table in ("states", "xplan_journal_segments"):
        sql += ("CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION no_room();" if begins else
                "DROP TRIGGER full_disk ON %s;") % (attempt.name + "." + table)
    attempt.server.server.psql(attempt.server.url, sql)


ROWS = [
    Row("latency", [always("wait", seconds=0.2)]),
    Row("resets", [always("reset", every=3)], without=("pg",)),
    Row("cut_requests", [always("cut_request", every=3)], without=("pg",)),
    Row("lost_answers", [always("lost", every=3)], without=("pg",)),
    Row("cut_answers", [always("cut_answer", every=3)], without=("pg",)),
    Row("truncated_answers", [always("truncate", every=3)], without=("pg",)),
    Row("cut_heads", [always("cut_head", every=3)], without=("pg",)),
    Row("some_503", [always("answer", every=3, status=503)], without=("pg",)),
    Row("throttled", [{"do": "answer", "times": 6, "every": 5, "status": 429, "headers": {"Retry-After": "1"}}], without=("pg",)),
    Row("damaged_answers", [always("damage", every=4)], ends=None, without=("pg",)),
    Row("damaged_requests", [always("damage_request", every=7)], ends=None, without=("pg",)),
    Row("another_time", [], skew=7200, without=("pg",)),
    Row("down_when_planning", [{"do": "down", "seconds": 1, "skip": 1}], without=("pg",)),
    Row("session_lost_when_planning", [{"do": "down", "seconds": 1, "skip": 1}], ends=1, only=("pg",)),
    Row("down_in_the_middle", [{"do": "down", "seconds": 1}], at="middle"),
    Row("down_when_unlocking", [{"do": "down", "seconds": 1, "when": "UNLOCKS"}], at="middle"),
    Row("gone_in_the_middle", [{"do": "down"}], at="middle", ends=1),
    Row("gone_when_writing", [{"do": "down", "when": "WRITES"}], at="middle", ends=1),
    Row("gone_when_unlocking", [{"do": "down", "when": "UNLOCKS"}], at="middle", ends=None),
    Row("always_500", [always("answer", status=500)], at="middle", ends=1, without=("pg",)),
    Row("full", [always("answer", status=507, when="^(PUT|POST) ")], at="middle", ends=1, without=("pg",)),
    Row("full_disk", [], ends=1, only=("pg",), does=fill_disk),
    Row("ended_container_keys", [], at="middle", only=("s3",), does=end_credentials,
        env={"AWS_ACCESS_KEY_ID": None, "AWS_SECRET_ACCESS_KEY": None, "AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container"}),
    Row("ended_machine_tokens", [], at="middle", only=("gcs",), does=end_credentials, env={"GOOGLE_OAUTH_ACCESS_TOKEN": None, "GCE_METADATA_HOST": "HOST"}),
    Row("ended_application_tokens", [], at="middle", only=("azurerm",), does=end_credentials,
        env={"ARM_ACCESS_KEY": None, "ARM_USE_AZUREAD": "true", "ARM_TENANT_ID": "tenant", "ARM_CLIENT_ID": "client", "ARM_CLIENT_SECRET": "secret",
             "ARM_SUBSCRIPTION_ID": "sub"}),
    Row("clock_behind", [], only=("azurerm", "s3"), clock=3600),
    Row("forbidden", [always("answer", status=403)], at="middle", ends=1, without=("pg",)),
    Row("unauthorized", [always("answer", status=401)], at="middle", ends=1, without=("pg",)),
]


class Fault(Run):
    """Makes the folders of the rows."""

    def __init__(self, xplan, root):
        super().__init__(xplan, root)
        self.root = root
        self.schema(resource_schemas={"mock_thing": typed(behaviour={"apply": {"delay_ms": 100}})})


class TooLate(Failed):
    """The apply was over before the fault began, as it can be on a busy machine."""


class Attempt:
    """One row on one server."""

    def __init__(self, case, server, row, context, number):
        self.row, self.server, self.name = row, server, "%s-%s" % (row.name.replace("_", "-"), "xyz"[number])
        if server.kind == "pg":
            self.name = self.name.replace("-", "_")
        host, port = re.search(r"(127\.0\.0\.1):(\d+)", server.url).groups()
        self.proxy = proxy.Proxy((host, int(port)), tcp=server.kind == "pg", context=context)
        self.run = case.beside(os.path.join(case.root, self.name))
        self.run.env["TF_CLI_ARGS_state_push"] = "-lock-timeout=60s"  # Consul keeps a lock for a while whose session has ended
        self.run.env.update({k: v.replace("%s:%s" % (host, port), self.proxy.address) for k, v in server.env.items()})
        if "SSL_CERT_FILE" in server.env:
            self.run.env["SSL_CERT_FILE"] = os.path.join(case.root, "proxy.pem")
        if server.kind == "pg":
            self.run.env["PG_CONN_STR"] += "?sslmode=disable"
        for k, v in row.env.items():
            self.run.env.pop(k, None)
            if v is not None:
                self.run.env[k] = v.replace("URL", "http://" + self.proxy.address).replace("HOST", self.proxy.address)
        self.block = server.block(self.name, server.url.replace("%s:%s" % (host, port), self.proxy.address))
        self.told = []

    def tell(self, text):
        """Without what every run says."""
        text = re.sub(r"(?s)\n(?:mock_thing[^\n]*\n)*\nxplan made the following plan.*?\nPlan: ", "\n…\nPlan: ", text)
        self.told.append(re.sub(r"(?m)^mock_thing\S* (?:Creat|Refresh)ing.*\n|(?s:Initializing the backend.*?initialized!\n)", "", text))

    def fail(self, why, *texts, kind=Failed):
        raise kind("%s: %s\n%s" % (self.row.name, why, "\n".join(texts or self.told)))

    def command(self, *args):
        """The code and the output."""
        p = self.run.start(*args, *(["-input=false"] if args[0] in ("init", "plan", "apply") else []))
        text = p.communicate(timeout=200)[0]
        if args[0] != "state" or args[1] != "pull":
            self.tell("$ xplan %s\n%s-> %d" % (" ".join(args), text, p.returncode))
        return p.returncode, text

    def must(self, *args):
        code, text = self.command(*args)
        if code:
            self.fail("%s ended with %d" % (args[0], code))
        return text

    def begin(self):
        faults = [dict(f, when={"WRITES": WRITES, "UNLOCKS": UNLOCKS}[f["when"]][self.server.kind]) if f.get("when") in ("WRITES", "UNLOCKS") else f
                  for f in self.row.faults]
        self.proxy.set(*faults)
        self.proxy.skew = self.row.skew
        if self.row.does:
            self.row.does(self, True)

    def calls(self):
        return [c["planned"]["name"] for c in self.run.calls() if c["call"] == "apply"]

    def apply(self):
        if self.row.at == "start":
            self.begin()
        p = self.run.start("apply", "-auto-approve", "-input=false")
        while self.row.at == "middle" and p.poll() is None and len(self.calls()) < OBJECTS * 3 // 5:
            time.sleep(0.005)
        if self.row.at == "middle":
            self.begin()
        began = time.monotonic()
        text = p.communicate(timeout=200)[0]
        self.tell("$ xplan apply\n%s-> %d after %.1f s" % (text, p.returncode, time.monotonic() - began))
        self.proxy.heal()
        if self.row.does:
            self.row.does(self, False)
        return p.returncode, text

    def advised(self, text):
        """Commands that a message names, in the order in which they help."""
        said = " ".join(re.sub("[│╷╵]", " ", text).split())
        unlock = re.findall(r"xplan (force-unlock [\w./-]+)", said)
        push = re.findall(r"xplan (state push [-\w ]*errored\.tfstate)", said)
        return [c.split() for c in unlock[:1] + push[:1]]

    def whole(self):
        self.run.config(self.block + things("x", 1))
        self.must("init")
        self.must("apply", "-auto-approve")
        self.run.config(self.block + things("x", 1) + things("a", OBJECTS // 2) + things("b", OBJECTS // 2, "mock_thing.a[count.index].id"))
        code, text = self.apply()
        if self.row.faults and not any(does for _, does in self.proxy.requests):
            self.fail("the server did not fail", kind=TooLate if self.row.at == "middle" and not code else Failed)
        if self.row.ends is not None and code != self.row.ends:
            self.fail("it ended with %d" % code)
        if code and "Error:" not in text:
            self.fail("it says nothing of an error")
        begun = set(self.calls())
        complete = {g + i for g, i in re.findall(r"mock_thing\.([ab])\[(\d+)\]: Creation complete", text)}
        for command in self.advised(text):
            if command[0] == "force-unlock":
                self.command("force-unlock", "-force", *command[1:])
            else:
                self.must(*command)
        if os.path.exists(os.path.join(self.run.work, "errored.tfstate")) and "state push" not in text:
            self.fail("nothing is said of errored.tfstate")
        code, told = self.command("plan", "-detailed-exitcode")
        if code == 1:
            self.fail("the next plan failed")
        if code == 2 and not self.told[-3:-1][-1].startswith("$ xplan state push") and self.row.ends == 0:
            self.fail("there are changes left")
        self.compare(begun, complete, text + told)
        if code == 2:
            there = self.names()
            self.must("apply", "-auto-approve")
            if twice := there & set(self.calls()):
                self.fail("made twice: %s" % sorted(twice))
            self.must("plan", "-detailed-exitcode")
        if len(self.names()) != OBJECTS + 1:
            self.fail("%d objects in the end" % len(self.names()))
        if left := self.server.beside(self.name):
            self.fail("left on the server: %s" % left)

    def names(self):
        return names_in(self.must("state", "pull"))

    def compare(self, begun, complete, told):
        there = self.names()
        named = {g + i for g, i in re.findall(r"mock_thing\.([ab])\[(\d+)\]", "".join(re.findall(r"(?s)Outcome of [^╵]*", told)))}
        if lost := complete - there:
            self.fail("complete, but not in the state: %s" % sorted(lost))
        if lost := begun - there - named:
            self.fail("begun, but neither in the state nor named: %s" % sorted(lost))


def of_kind(kind):
    def case(run):
        wanted = os.environ.get("XPLAN_TEST_ROWS", "").split(",")
        rows = [r for r in ROWS if (kind in r.only or not r.only) and kind not in r.without and (wanted == [""] or r.name in wanted)]
        context = proxy.make_certificate(os.path.join(run.root, "proxy.pem"), proxy.NAMES)
        failures = []
        with StateServer(kind, run.root + "/server") as shared, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            def one(row):
                # The lock of first states is one for a whole database.
                server = StateServer(kind, os.path.join(run.root, row.name)) if kind == "pg" or row.clock else shared
                if row.clock:
                    server.order({"clock": row.clock})
                began = time.monotonic()
                for number in range(3):
                    attempt = Attempt(run, server, row, context, number)
                    try:
                        attempt.whole()
                    except (Failed, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as e:
                        if isinstance(e, TooLate) and number < 2:
                            continue
                        failures.append(str(e) if isinstance(e, Failed) else "%s: %r\n%s" % (row.name, e, "\n".join(attempt.told)))
                    finally:
                        attempt.proxy.close()
                    break
                if server is not shared:
                    server.server.close()
                if os.environ.get("XPLAN_TEST_SHOW"):
                    print("== %s, %s: %.1f s\n%s" % (kind, row.name, time.monotonic() - began, "\n".join(attempt.told)), flush=True)
            list(pool.map(one, rows))
        if failures:
            raise Failed("\n".join(failures))
    case.__name__ = kind
    return case


def at_once(kinds):
    """Several kinds, which all wait for most of their time."""
    def case(run):
        def one(kind):
            try:
                of_kind(kind)(Fault(run.xplan, os.path.join(run.root, kind)))
            except (Failed, OSError) as e:
                return "%s: %s" % (kind, e)
            except case_server.Absent as e:
                print("not tested: %s" % e)
        with concurrent.futures.ThreadPoolExecutor(len(kinds)) as pool:
            if failures := list(filter(None, pool.map(one, kinds))):
                raise Failed("\n".join(failures))
    case.__name__ = "_".join(kinds)
    return case


GROUPS = [at_once(kinds) for kinds in (("azurerm", "http", "pg"), ("consul", "hcp", "s3"), ("cos", "gcs", "kubernetes"))]

if __name__ == "__main__":
    cases = GROUPS + [c for c in map(of_kind, sorted(WRITES)) if c.__name__ in sys.argv]
    try:
        sys.exit(run_cases(__doc__, cases, Fault))
    except case_server.Absent as e:
        print("skipped: %s" % e)
