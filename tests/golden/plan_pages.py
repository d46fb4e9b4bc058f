"""Plans as HTML pages, for the tests of what they contain and of how a browser shows them."""
import base64
import hashlib
import html.parser
import json
import os
import re
import subprocess

from pseudo_terminal import Failed

SECRET = "PLANTED-secret-4711"
# Each ends something that a page is made of, or acts on who looks at it.
HOSTILE = ["</script><script>document.title='owned'</script>", "<!--", "-->", "]]>", "<img src=x onerror=\"document.title='owned'\">",
           "</pre></details></noscript>", "\u202eesrever\u2066", "\x1b[2J\x07\x00", "&lt;&#60;", "'\"`", "{{title}}", "\u2028\u2029", "w" * 20000]
VOID = {"meta", "input", "br", "link"}


class Plans:
    """A working directory; the configurations in it are JSON."""

    def __init__(self, xplan, root):
        self.xplan, self.root = xplan, root
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "XPLAN_"))}
        self.env.update(HOME=root, TF_CLI_CONFIG_FILE="/dev/null")

    def run(self, *args, code=0):
        done = subprocess.run([self.xplan, *args], cwd=self.root, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        if done.returncode != code:
            raise Failed("%s: exit code %d: %s" % (" ".join(args), done.returncode, (done.stderr or done.stdout).decode(errors="replace")[-2000:]))
        return done.stdout

    def configure(self, configuration):
        with open(os.path.join(self.root, "main.tf.json"), "w") as f:
            json.dump(configuration, f)

    def plan(self, configuration, *args):
        """The page of a plan, as bytes; the plan is plan.bin."""
        self.configure(configuration)
        self.run("plan", "-input=false", "-out=plan.bin", *args)
        return self.run("show", "-html", "plan.bin")

    def write_page(self, *args):
        """A file with the page of what has been configured last."""
        path = os.path.join(self.root, "page.html")
        with open(path, "wb") as f:
            f.write(self.plan(*args))
        return path


def small():
    """All actions, with chains of reasons, in two modules' worth of addresses; call small_before() first."""
    return {
        "variable": {"cidr": {"default": "10.1.0.0/16"}, "password": {"default": SECRET + "-new", "sensitive": True}},
        "resource": {"terraform_data": {
            "network": {"input": {"cidr": "${var.cidr}", "zones": ["a", "c"]}, "triggers_replace": "${var.cidr}"},
            "subnet": {"count": 3, "input": {"network": "${terraform_data.network.id}", "number": "${count.index}"}},
            "web": {"for_each": "${toset([\"blue\", \"green\"])}",
                    "input": {"subnet": "${terraform_data.subnet[0].output.network}", "name": "${each.key}", "user_data": "#!/bin/sh\necho two\nexit 0\n"}},
            "database": {"input": {"engine": "two", "size": 20}},
            "extra": {"input": {"name": "new", "password": "${var.password}"}},
        }},
        "check": {"named": {"assert": {"condition": "${terraform_data.extra.input.name == \"old\"}", "error_message": "It is <new>."}}},
        "output": {"network": {"value": "${terraform_data.network.id}"}, "password": {"value": "${var.password}", "sensitive": True}},
    }


def small_before():
    c = small()
    c["variable"]["cidr"]["default"], c["variable"]["password"]["default"] = "10.0.0.0/16", SECRET + "-old"
    data = c["resource"]["terraform_data"]
    del data["extra"], c["check"]
    data["database"]["input"]["engine"] = "one"
    data["gone"] = {"input": "${terraform_data.network.id}"}
    data["web"]["input"]["user_data"] = "#!/bin/sh\necho one\nexit 0\n"
    return c


def many(count):
    """`count` changes, alternating between what is created alone and what depends on it."""
    data = {"group": {"count": count // 4, "input": {"number": "${count.index}", "text": "one ${count.index}\ntwo\nthree\n"}},
            "member": {"count": count - count // 4 - 40, "input": {"group": "${terraform_data.group[count.index % 10].id}", "number": "${count.index}"}}}
    for i in range(40):
        data["single%d" % i] = {"input": "${terraform_data.group[%d].id}" % i if i % 2 else "alone"}
    return {"resource": {"terraform_data": data}}


def hostile():
    return {
        "variable": {"v": {"default": HOSTILE}, "s": {"default": SECRET, "sensitive": True}},
        "resource": {"terraform_data": {
            "list": {"input": "${var.v}"},
            "each": {"for_each": "${{for i, v in var.v : \"${i}${substr(v, 0, 40)}\" => v}}", "input": {"${each.key}": "${each.value}"}},
            "secret": {"input": {"a": "${var.s}", "b": ["${var.s}"], "c": "x${var.s}y", "d": "${base64encode(var.s)}"}},
        }},
        "check": {"c": {"assert": {"condition": "${length(var.v) == 0}", "error_message": "${var.v[0]}${var.v[4]}${var.v[6]}"}}},
        "output": {"all": {"value": "${var.v}"}, "secret": {"value": "${var.s}", "sensitive": True}},
    }


class Page(html.parser.HTMLParser):
    """What a page is made of. Each error in its structure is in `errors`."""

    def __init__(self, data):
        super().__init__(convert_charrefs=True)
        self.text = data.decode()  # an error where it is not UTF-8
        self.errors, self.open, self.ids, self.names, self.attributes, self.scripts, self.styles = [], [], [], [], [], [], []
        self.policy = None
        self.feed(self.text)
        self.close()
        self.errors += ["%s is not closed" % tag for tag in self.open]
        self.data = json.loads(next(text for kind, text in self.scripts if kind == "application/json"))

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.attributes += [(tag, name, value) for name, value in attributes]
        a = dict(attributes)
        self.ids += [a["id"]] if "id" in a else []
        if a.get("http-equiv") == "Content-Security-Policy":
            self.policy = a["content"]
        if tag == "script":
            self.scripts.append((a.get("type", ""), ""))
        if tag == "style":
            self.styles.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.errors.append("</%s> ends %s" % (tag, self.open[-1:]))
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        if self.open[-1:] == ["style"]:
            self.styles[-1] += data

    def rows(self, name="changes"):
        """Addresses, outcomes and texts without colours."""
        return [(row[0], self.data["kinds"][row[1]][3], re.sub("\x01.", "", row[7])) for row in self.data[name]]


def check_page(data, secrets=(SECRET,)):
    """The page, once its structure, its policy and what it must not contain are as promised."""
    page = Page(data)
    a = page.attributes
    problems = list(page.errors)
    problems += ["id %s twice" % i for i in set(page.ids) if page.ids.count(i) > 1]
    for name in ("aria-labelledby", "for"):
        problems += ["%s names no element: %s" % (name, v) for _, n, v in a if n == name and v not in page.ids]
    problems += ["an attribute that runs or styles: %s" % n for _, n, _ in a if n.startswith("on") or n == "style"]
    problems += ["a link that leaves the page: %s" % v for _, n, v in a if n in ("src", "href", "action", "data") and not v.startswith("#")]
    problems += ["a link to nowhere: %s" % v for _, n, v in a if n == "href" and v[1:] not in page.ids]
    problems += ["a tag that loads: %s" % t for t in page.names if t in ("link", "img", "iframe", "object", "embed", "base", "audio", "video")]
    runs = [text for kind, text in page.scripts if not kind]
    for what, texts in (("script", runs), ("style", page.styles)):
        hashes = {"'sha256-%s'" % base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in texts}
        allowed = re.search(r"%s-src ([^;]*)" % what, page.policy).group(1).split()
        problems += ["the policy does not fit the %s: %s" % (what, allowed)] if hashes != set(allowed) else []
    problems += ["the policy allows more: %s" % page.policy] if not page.policy.startswith("default-src 'none'; ") else []
    first = re.search(r"<(style|script)", page.text).start()
    problems += ["the policy comes too late"] if page.text.index("Content-Security-Policy") > first else []
    urls = set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]+[^'\" ]*", "".join(runs + page.styles)))
    problems += ["URLs: %s" % urls] if urls - {"http://www.w3.org/2000/svg"} else []
    for secret in secrets:
        for form in (secret, base64.b64encode(secret.encode()).decode()[:-4]):
            problems += ["a secret is in the page"] if form in page.text else []
    problems += ["a character that acts: %r" % c for c in set(re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", page.text))]
    if problems:
        raise Failed("; ".join(problems[:5]))
    return page
