#!/usr/bin/env python3
"""Plans as HTML pages: their structure, what they say, and what must not be in them. How a browser shows them: browser.py.

    html_page.py --xplan BINARY [CASE...]

The last line is 'N passed, M failed'.
"""
import re
import sys

from cases import run_cases
from plan_pages import HOSTILE, Plans, check_page, hostile, many, small, small_before
from pseudo_terminal import Failed


def equal(what, a, b):
    if a != b:
        raise Failed("%s: %r, not %r" % (what, a, b))


def contains(what, text, part):
    if part not in text:
        raise Failed("%s: %r is missing" % (what, part))


def actions(plans):
    """Diffs and outcomes as on a terminal, each cause, the graph, outputs and checks."""
    plans.configure(small_before())
    plans.run("apply", "-auto-approve", "-input=false")
    page = check_page(plans.plan(small()))
    shown = plans.run("show", "-no-color", "-diff=smart", "plan.bin").decode()
    outcomes = {}
    for address, outcome, text in page.rows():
        outcomes[address] = outcome
        diff = "".join(line for line in text.splitlines(True) if not line.startswith(("  # why:", "  #      ")))
        contains("the terminal's text of " + address, shown, diff)
    equal("outcomes", outcomes, {
        "terraform_data.gone": "will be destroyed", "terraform_data.network": "will be replaced",
        **{"terraform_data.subnet[%d]" % i: "will be updated in place" for i in range(3)},
        **{"terraform_data.web[\"%s\"]" % key: "will be updated in place" for key in ("blue", "green")},
        "terraform_data.database": "will be updated in place", "terraform_data.extra": "will be created"})
    nodes = [n[0] for n in page.data["graph"]["nodes"]]
    edges = {(nodes[e[0]], nodes[e[1]]): e[2:] for e in page.data["graph"]["edges"]}
    equal("why the subnets change", edges["terraform_data.subnet[*]", "terraform_data.network"], [1, "input.network"])
    equal("the webs follow from the subnets", edges["terraform_data.web[*]", "terraform_data.subnet[*]"], [1, "input.subnet"])
    equal("what is destroyed knows its dependency", edges["terraform_data.gone", "terraform_data.network"], [0])
    for part in ("1 destroyed, 1 replaced, 6 updated, 1 created", "It is &lt;new&gt;.", "id=\"outputs\"", "Of these, 1 is replaced"):
        contains("the page", page.text, part)


def forms(plans):
    """Every kind of plan has a page: without changes, for outputs alone, drift, everything destroyed, incomplete."""
    configuration = {"output": {"o": {"value": 1}}}
    contains("outputs alone", plans.plan(configuration).decode(), "<h1>Plan: only outputs change</h1>")
    plans.run("apply", "-auto-approve")
    page = check_page(plans.plan(configuration))
    contains("nothing", page.text, "<h1>Plan: no changes</h1>")
    equal("no rows", page.rows(), [])
    configuration["resource"] = {"terraform_data": {"a": {"input": "x"}, "b": {"count": "${terraform_data.a.id == \"\" ? 1 : 2}"}}}
    page = check_page(plans.plan(configuration, "-allow-deferral"))
    equal("deferred", [r[:2] for r in page.rows("deferred")], [("terraform_data.b[*]", "is deferred")])
    contains("incomplete", page.text, "This plan is not complete")
    plans.run("apply", "-auto-approve", "-allow-deferral")
    page = check_page(plans.plan(configuration, "-destroy"))
    equal("destroyed", [r[:2] for r in page.rows()], [("terraform_data.a", "will be destroyed")])
    contains("the mode", page.text, "<dd>destroys everything</dd>")


def hostile_values(plans):
    """Values that are scripts, ends of elements, control characters or very long stay text; secrets stay out."""
    page = check_page(plans.plan(hostile()))
    equal("elements", sorted(set(page.names) & {"script", "img"}), ["script"])
    equal("scripts", len(page.scripts), 2)
    text = next(t for a, _, t in page.rows() if a == "terraform_data.list")
    for value in HOSTILE[:4]:
        contains("the list", text, value)
    contains("what reorders text", text, "\\u202eesrever\\u2066")
    contains("long words are whole", text, HOSTILE[-1])
    equal("sensitive", len(re.findall(r"\(sensitive value\)", page.text)) > 4, True)


def misuse(plans):
    plans.configure({"output": {"o": {"value": 1}}})
    plans.run("plan", "-out=plan.bin")
    for args in (["-html"], ["-html", "-json", "plan.bin"], ["-html", "-graph", "plan.bin"], ["-html", "main.tf.json"], ["-graph"]):
        equal("standard output of " + " ".join(args), plans.run("show", *args, code=1), b"")


def graphs(plans):
    """What changes and why, as DOT."""
    plans.configure(small_before())
    plans.run("apply", "-auto-approve", "-input=false")
    plans.configure(small())
    plans.run("plan", "-out=plan.bin")
    lines = plans.run("show", "-graph", "plan.bin").decode().splitlines()
    for line in ("  \"~ terraform_data.subnet[*] (3 instances)\" -> \"-/+ terraform_data.network\" [style = bold, label = \"input.network\"];",
                 "  \"- terraform_data.gone\" -> \"-/+ terraform_data.network\" [style = dashed];"):
        equal(line, line in lines, True)


def a_thousand(plans):
    page = check_page(plans.plan(many(1000)))
    equal("rows", len(page.rows()), 1000)
    equal("texts without a script", page.names.count("pre"), 200)
    equal("told alone", "Of 1000 changes, the first 200 follow" in page.text, True)


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, [actions, forms, hostile_values, misuse, graphs, a_thousand], Plans))
