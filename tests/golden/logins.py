#!/usr/bin/env python3
"""login and logout: a browser that is sent back, tokens that are pasted, where they are kept, and hosts and browsers that lie.

    logins.py --xplan BINARY [CASE...]      The last line is 'N passed, M failed'."""
import argparse
import base64
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
import urllib.parse

from install import Work, equal

# Stands for a browser in which somebody logs in: goes back to where it is told, with what its second line changes.
BROWSER = """#!%s
import re, socket, sys, urllib.parse, urllib.request
page = urllib.parse.urlparse(sys.argv[1])
asked = dict(urllib.parse.parse_qsl(page.query))
back = asked["redirect_uri"].replace("localhost", "127.0.0.1")
open("%s", "w").write(repr(asked))
answer = {"code": "c0de", "state": asked["state"]}
port = urllib.parse.urlparse(back).port
early = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]  # browsers open more than they use
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
def go(path, **more):
    try:
        return opener.open(path + "?" + urllib.parse.urlencode({**answer, **more}), timeout=10).read()
    except urllib.error.HTTPError as e:
        return e.code
assert go(back.replace("/login", "/favicon.ico")) == 404
assert go(back, state="other") == 404  # some other page
early[0].sendall(b"POST /login HTTP/1.1\\r\\n\\r\\n")
early[1].sendall(b"G" * 20000)
%s
"""


class Login(Work):
    def __init__(self, xplan):
        super().__init__(xplan)
        del self.env["TF_CLI_CONFIG_FILE"]
        self.host = self.server.url[8:]
        self.file = os.path.join(self.home, ".terraform.d/credentials.tfrc.json")
        self.offer = {"client": "cli", "grant_types": ["authz_code"], "authz": "/authz?x=1", "token": "/token", "scopes": ["a", "b"]}
        self.posted = []
        outer = self

        def do_POST(handler):
            body = handler.rfile.read(int(handler.headers["Content-Length"])).decode()
            outer.posted.append(dict(urllib.parse.parse_qsl(body)))
            handler.answer()
        self.server.httpd.RequestHandlerClass.do_POST = do_POST
        self.answer({"access_token": "t0ken", "token_type": "bearer"})

    def answer(self, token):
        self.server.pages["/token"] = token
        self.server.pages["/.well-known/terraform.json"] = {"login.v1": self.offer}

    def browser(self, then="go(back)"):
        path = self.write("browser", BROWSER % (sys.executable, self.path("asked"), then))
        os.chmod(path, 0o755)
        self.env["BROWSER"] = path

    def tell(self, *args, input="yes\n", want=0, says=()):
        p = subprocess.run([self.xplan, *args, "-no-color"], cwd=self.dir, env=self.env, input=input, text=True, capture_output=True,
                           timeout=60)
        text = p.stdout + p.stderr
        flat = re.sub(r"\s+", " ", text)
        if p.returncode != want:
            raise AssertionError("%s ended with %d, not %d:\n%s" % (args, p.returncode, want, text))
        for s in [says] if isinstance(says, str) else says:
            if s not in flat:
                raise AssertionError("%s does not say %r:\n%s" % (args, s, text))
        for secret in ("t0ken", "c0de", "pasted"):
            if secret in text:
                raise AssertionError("%s shows %s:\n%s" % (args, secret, text))
        return text

    def kept(self):
        return json.load(open(self.file))


def browser(w):
    """The whole way: approval, browser, code, proof, token, file; and back."""
    w.browser()
    w.write("home/.terraform.d/credentials.tfrc.json", '{"credentials": {"b.example": {"token": "b"}}, "more": [1]}')
    w.tell("login", w.host, says=["Do you want to proceed?", "The token for %s was saved in the file" % w.host])
    equal(w.kept(), {"credentials": {"b.example": {"token": "b"}, w.host: {"token": "t0ken"}}, "more": [1]})
    asked, posted = eval(open(w.path("asked")).read()), w.posted[0]
    equal({k: asked[k] for k in ("client_id", "response_type", "code_challenge_method", "scope", "x")},
          {"client_id": "cli", "response_type": "code", "code_challenge_method": "S256", "scope": "a b", "x": "1"})
    equal({k: posted[k] for k in ("client_id", "code", "grant_type", "redirect_uri")},
          {"client_id": "cli", "code": "c0de", "grant_type": "authorization_code", "redirect_uri": asked["redirect_uri"]})
    proof = base64.urlsafe_b64encode(hashlib.sha256(posted["code_verifier"].encode()).digest()).decode().rstrip("=")
    equal(proof, asked["code_challenge"])
    if len(posted["code_verifier"]) < 43:
        raise AssertionError("a verifier of %d characters" % len(posted["code_verifier"]))
    w.tell("login", w.host)  # again: the token is replaced
    equal(len(w.posted), 2)
    w.tell("logout", w.host, input="", says="was removed from the file")
    equal(w.kept(), {"credentials": {"b.example": {"token": "b"}}, "more": [1]})
    w.tell("logout", w.host, input="", says="No token for %s is stored" % w.host)
    os.remove(w.file)
    w.tell("login", w.host)
    equal(stat.S_IMODE(os.stat(w.file).st_mode), 0o600)


def refusals(w):
    """What hosts, browsers and people may do instead; nothing is kept then."""
    w.browser()
    w.tell("login", w.host, input="no\n", want=1, says="was not approved")
    w.tell("login", w.host, input="", want=1, says="Standard input ended")
    w.tell("login", "bad_host!", want=1, says="Invalid host name")
    w.browser('go(back, error="access_denied", error_description="not you", code="")')
    w.tell("login", w.host, want=1, says="refused the login: not you")
    w.browser('go(back, code="")')
    w.tell("login", w.host, want=1, says="did not return an authorization code")
    w.browser()
    w.answer((400, b'{"error": "invalid_grant", "error_description": "too late"}'))
    w.tell("login", w.host, want=1, says="answered 400 Bad Request: too late")
    w.answer((200, b"<html>"))
    w.tell("login", w.host, want=1, says="and no token")
    for change, says in (({"token": "http://x/token"}, "its login URLs do not use https"), ({"authz": "javascript:1"}, "its login URLs do not use https"),
                         ({"client": 5}, "does not name a client"), ({"grant_types": ["password"]}, "authorization codes"),
                         ({"ports": [80, 90]}, "its port range is not between"), ({"ports": [9000, "x"]}, "its port range is not between")):
        w.server.pages["/.well-known/terraform.json"] = {"login.v1": {**w.offer, **change}}
        w.tell("login", w.host, want=1, says=says)
    w.server.pages["/.well-known/terraform.json"] = {"modules.v1": "/"}
    w.tell("login", w.host, want=1, says="does not offer a login service")
    if os.path.exists(w.file):
        raise AssertionError("something was kept: %s" % w.kept())
    w.answer({"access_token": "t0ken"})
    w.write("home/.terraform.d/credentials.tfrc.json", "{")
    w.tell("login", w.host, want=1, says="is not valid JSON")
    w.tell("logout", w.host, want=1, says="is not valid JSON")
    equal(open(w.file).read(), "{")


def pasted(w):
    """A token that was made on a page of the host, which is asked whose it is."""
    w.server.pages["/.well-known/terraform.json"] = {"tfe.v2": "/api/v2/"}
    w.server.pages["/api/v2/account/details"] = {"data": {"attributes": {"username": "ann"}}}
    w.tell("login", w.host, input="yes\npasted\n", says=["/app/settings/tokens?source=terraform-login", "belongs to the user ann"])
    equal(w.server.asked[-1], ("/api/v2/account/details", "Bearer pasted"))
    equal(w.kept(), {"credentials": {w.host: {"token": "pasted"}}})
    w.server.pages["/api/v2/account/details"] = (401, b"")
    w.tell("login", w.host, input="yes\npasted2\n", want=1, says="it answered 401")
    w.tell("login", w.host, input="yes\n", want=1, says="No token was entered")
    equal(w.kept(), {"credentials": {w.host: {"token": "pasted"}}})


def elsewhere(w):
    """Tokens of settings and helpers."""
    w.browser()
    w.env["TF_TOKEN_localhost"] = "x"
    w.write("home/.terraformrc", 'credentials "%s" {\n  token = "x"\n}\n' % w.host)
    w.tell("login", w.host, want=1, says="Token is already set")
    w.tell("logout", w.host, says="is still used")
    w.write("home/.terraformrc", 'credentials_helper "demo" {\n  args = ["one"]\n}\n')
    helper = w.write("home/.terraform.d/plugins/terraform-credentials-demo",
                     '#!/bin/sh\necho "$@ $(cat)" >> {0}\ncase $2 in\nstore) touch {1} ;;\nforget) rm -f {1} ;;\n'
                     'get) if [ -e {1} ]; then echo \'{{"token":"t0ken"}}\'; else echo "{{}}"; fi ;;\nesac\nprintf "\\033]0;PWN\\007" >&2\n[ ! -e {2} ]\n'.format(
                         w.path("calls"), w.path("has"), w.path("broken")))
    os.chmod(helper, 0o755)
    told = w.tell("login", w.host, says=['the credentials helper "demo"', r"\u001b]0;PWN\u0007"])
    if "\x1b" in told:
        raise AssertionError("what the helper said is not filtered: %r" % told)
    w.tell("logout", w.host, says='was removed from the credentials helper "demo"')
    equal([line for line in open(w.path("calls")).read().splitlines() if " get " not in line],
          ['one store %s {"token":"t0ken"}' % w.host, "one forget %s " % w.host])
    w.tell("logout", w.host, says='is stored in the credentials helper "demo"')
    w.write("home/.terraformrc", 'credentials "%s" {\n  token = "x"\n}\ncredentials_helper "demo" {\n  args = ["one"]\n}\n' % w.host)
    w.tell("logout", w.host, says=['is stored in the credentials helper "demo"', "is still used"])
    if os.path.exists(w.file):
        raise AssertionError("kept twice")
    w.write("broken", "")
    w.tell("logout", w.host, want=1, says="failed")


CASES = [browser, refusals, pasted, elsewhere]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xplan", required=True)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    passed = failed = 0
    for case in CASES:
        if args.cases and case.__name__ not in args.cases:
            continue
        w = Login(os.path.abspath(args.xplan))
        try:
            case(w)
            passed += 1
        except Exception as e:  # every case is tried
            failed += 1
            print("FAILED  %s: %s: %s" % (case.__name__, type(e).__name__, e))
        finally:
            w.close()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
