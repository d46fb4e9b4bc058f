#!/usr/bin/env python3
"""Plans as HTML pages in a browser: filters, diffs, the graph, the keyboard, themes, paper, hostile values, ten thousand changes.

    browser.py --xplan BINARY [CASE...]      with --pictures DIR, pictures of the pages are left there

Times are the processor's, so that a busy machine counts for nothing. Without chromium and chromedriver (scripts/deps --browser) it is
skipped. The last line is 'N passed, M failed'.
"""
import os
import sys

import webdriver
from cases import run_cases
from plan_pages import Plans, hostile, many, small, small_before
from pseudo_terminal import Failed

ROWS = "[...document.querySelectorAll('#changes-list code')].map((c) => c.textContent)"
SHOWN = "document.getElementById('shown').textContent"
# After a filter has settled, and the frame with what it left is drawn.
SETTLED = "await new Promise((r) => setTimeout(r, 150)); await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));"
SECONDS = 2.0
PICTURES = None


def equal(what, a, b):
    if a != b:
        raise Failed("%s: %r, not %r" % (what, a, b))


class Pages(Plans):
    browser = None

    def show(self, *args):
        b = self.browser
        b.cdp("Performance.enable", timeDomain="threadTicks")
        b.open(self.write_page(*args))
        b.js(SETTLED)
        equal("complaints of the browser", b.messages(), [])
        return b

    def filter(self, field, text):
        self.browser.js("const f = document.getElementById('filter-' + args[0]); f.value = args[1];"
                        "f.dispatchEvent(new Event('input', { bubbles: true }));" + SETTLED, field, text)
        return self.browser.js("return %s;" % SHOWN)

    def seconds(self):
        """Of the processor, in all tasks of the page so far."""
        found = {m["name"]: m["value"] for m in self.browser.cdp("Performance.getMetrics")["metrics"]}
        return found["TaskDuration"]

    def picture(self, name):
        if PICTURES:
            self.browser.picture(os.path.join(PICTURES, name + ".png"))


def small_page(pages):
    pages.configure(small_before())
    pages.run("apply", "-auto-approve", "-input=false")
    return pages.show(small())


def ten(pages):
    """The list, its order, each filter, and a diff that is made when it is opened."""
    b = small_page(pages)
    equal("count", b.js("return %s;" % SHOWN), "9 changes")
    equal("the riskiest first", b.js("return %s;" % ROWS)[:2], ["terraform_data.gone", "terraform_data.network"])
    equal("no diff yet", b.js("return document.querySelectorAll('#changes-list pre').length;"), 0)
    for theme in ("automatic", "dark"):
        pages.picture("ten-" + theme)
        b.click("#theme")
    b.click("#theme")  # automatic again, as the browser remembers it
    b.js("document.querySelector('#changes-list summary').click();")
    b.js("document.querySelectorAll('#changes-list details')[1].open = true;" + SETTLED)
    equal("a diff", b.js("return document.querySelectorAll('#changes-list pre')[1].textContent.includes('triggers_replace');"), True)
    equal("in colours", b.js("return document.querySelectorAll('#changes-list pre')[1].querySelectorAll('.r, .g, .y').length > 4;"), True)
    pages.picture("ten-diffs")
    for field, text, count in (("address", "SUBNET[", 3), ("address", "subnet*2", 1), ("address", "", 9), ("text", "echo two", 2),
                               ("text", "no such text", 0), ("text", "", 9), ("order", "address", 9)):
        equal("%s %s" % (field, text), pages.filter(field, text), "%s9 changes" % ("%d of " % count if count < 9 else ""))
    equal("by address", b.js("return %s;" % ROWS)[0], "terraform_data.database")
    b.js("[...document.querySelectorAll('#filter-actions button')].find((x) => x.textContent.startsWith('update')).click();" + SETTLED)
    equal("updates", b.js("return %s;" % SHOWN), "6 of 9 changes")
    equal("the pressed button is told", b.js("return document.querySelectorAll('#filter-actions [aria-pressed=true]').length;"), 1)
    b.js("document.getElementById('filter-reset').click();" + SETTLED)
    equal("reset", b.js("return %s;" % SHOWN), "9 changes")


def graph(pages):
    """Nodes and edges, a chain at a click, what is selected in words, and from there to its diff."""
    b = small_page(pages)
    equal("nodes", b.js("return document.querySelectorAll('.node').length;"), 6)
    equal("edges that say why", b.js("return document.querySelectorAll('.edge.why').length;"), 2)
    b.js("document.querySelector('#graph').scrollIntoView();")
    node = "[...document.querySelectorAll('.node')].find((n) => n.getAttribute('aria-label').startsWith('terraform_data.web'))"
    b.js("%s.dispatchEvent(new MouseEvent('click', { bubbles: true }));%s" % (node, SETTLED))
    equal("chain", b.js("return [...document.querySelectorAll('.node.chain title')].map((t) => t.textContent.split(/[ :]/)[0]).sort();"),
          ["terraform_data.network", "terraform_data.subnet[*]", "terraform_data.web[*]"])
    equal("in words", b.js("return document.querySelector('#graph-panel ul').textContent;"), "terraform_data.subnet[*] (input.subnet)")
    pages.picture("graph")
    before = b.js("return document.getElementById('graph-drawing').getAttribute('viewBox');")
    b.click("#graph-in")
    equal("zoom", b.js("return document.getElementById('graph-drawing').getAttribute('viewBox');") == before, False)
    b.js("[...document.querySelectorAll('#graph-panel button')].find((x) => x.textContent.includes('green')).click();" + SETTLED)
    equal("its diff", b.js("return %s;" % ROWS), ['terraform_data.web["green"]'])
    equal("open", b.js("return document.querySelector('#changes-list details').open && document.activeElement.tagName;"), "SUMMARY")
    b.js("document.querySelector('.in-graph').click();" + SETTLED)
    equal("and back", b.js("return document.querySelector('.node.selected title').textContent.includes('web');"), True)
    b.js("const f = document.getElementById('graph-find'); f.value = 'extra'; f.dispatchEvent(new Event('input'));" + SETTLED)
    equal("found", b.js("return document.querySelectorAll('.node.hit').length;"), 1)


def keyboard(pages):
    """Everything without a mouse; names and states for those who hear the page."""
    b = small_page(pages)
    b.keys("/")
    equal("to the filter", b.js("return document.activeElement.id;"), "filter-address")
    b.keys("subnet")
    b.js(SETTLED)
    equal("typed", b.js("return %s;" % SHOWN), "3 of 9 changes")
    b.keys("escape")
    b.js(SETTLED)
    equal("cleared", b.js("return %s;" % SHOWN), "9 changes")
    b.js("document.querySelector('#changes-list summary').focus();")
    b.keys("down", "down", "up", "enter")
    b.js(SETTLED)
    equal("opened", b.js("return document.activeElement.parentElement.open && document.activeElement.querySelector('code').textContent;"),
          "terraform_data.network")
    b.js("document.querySelector('.node').focus();")
    b.keys("enter")
    equal("selected", b.js("return document.activeElement.getAttribute('aria-pressed');"), "true")
    b.keys("escape")
    equal("not any more", b.js("return document.querySelectorAll('.node.selected').length;"), 0)
    unnamed = b.js("""return [...document.querySelectorAll('button, input, select, summary, .node, svg, section')]
        .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML);""")
    equal("without a name", unnamed, [])
    tree = b.cdp("Accessibility.getFullAXTree")["nodes"]
    roles = {n["role"]["value"] for n in tree if not n.get("ignored")}
    equal("roles", {"banner", "navigation", "main", "search", "status", "list", "heading", "button"} - roles, set())


def themes_and_paper(pages):
    """Both themes by choice or by the system's, with readable contrasts; on paper every diff is open."""
    b = small_page(pages)
    ratio = """const of = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map((x) => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
          return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
        document.querySelectorAll('#changes-list details').forEach((d) => { d.open = true; });""" + SETTLED + """
        const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255,255,255)'; };
        return Math.min(...[...document.querySelectorAll('main :is(p, code, pre, span, button, th, td, label, h2, h3), h1, a')]
          .filter((e) => e.offsetParent).map((e) => { const a = of(getComputedStyle(e).color), g = of(ground(e));
            return (Math.max(a, g) + 0.05) / (Math.min(a, g) + 0.05); }));"""
    grounds = []
    for scheme in ("light", "dark"):
        b.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        grounds.append(b.js("return getComputedStyle(document.body).backgroundColor;"))
        contrast = b.js(ratio)
        equal("contrast in %s of 4.5: %s" % (scheme, contrast), isinstance(contrast, (int, float)) and contrast >= 4.5, True)
    equal("two grounds", len(set(grounds)), 2)
    b.click("#theme")
    b.click("#theme")
    equal("light by choice", b.js("return getComputedStyle(document.body).backgroundColor;"), grounds[0])
    b.click("#theme")
    b.js("document.querySelectorAll('#changes-list details').forEach((d) => { d.open = false; });")
    b.cdp("Page.printToPDF")
    equal("closed again", b.js(SETTLED + "return document.querySelectorAll('#changes-list details[open]').length;"), 0)
    equal("printed", b.js("return document.querySelectorAll('#changes-list pre').length;"), 9)


def hostile_values(pages):
    """What looks like a script or the end of an element is shown, and nothing runs or breaks."""
    b = pages.show(hostile())
    b.js("for (const d of document.querySelectorAll('details')) d.open = true;" + SETTLED)
    equal("nothing ran", b.js("return document.title;"), "Plan: 15 to add, 0 to change, 0 to destroy.")
    equal("no elements of it", b.js("return document.querySelectorAll('img, script').length;"), 2)
    equal("no wider than the window", b.js("return document.documentElement.scrollWidth <= window.innerWidth;"), True)
    equal("complaints of the browser", b.messages(), [])
    pages.picture("hostile")


def large_graph(pages):
    """Of more resources than can be looked at, some; of the selected one its chain; others by their address."""
    chain = {"r%d" % i: {"input": "${terraform_data.r%d.id}" % (i - 1) if i % 100 else "first"} for i in range(1000)}
    b = pages.show({"resource": {"terraform_data": chain}})
    status = "return document.getElementById('graph-status').textContent;"
    equal("overview", b.js(status), "400 of 1,000 resources, riskiest first. Find others by their address.")
    b.js("const f = document.getElementById('graph-find'); f.value = 'r777'; f.dispatchEvent(new Event('input'));" + SETTLED)
    equal("found", b.js(status), "1 of 1,000 resources, riskiest first. Find others by their address. 1 found.")
    b.js("document.querySelector('.node').focus();")
    b.keys("enter")
    equal("its chain", b.js(status), "100 of 1,000 resources, the chain of the selected one: Escape leaves it. 1 found.")
    b.keys("left")
    equal("to the left", b.js("return document.activeElement.getAttribute('aria-label');"), "terraform_data.r776: will be created")
    b.keys("escape")
    equal("left", b.js(status), "1 of 1,000 resources, riskiest first. Find others by their address. 1 found.")


def ten_thousand(pages):
    """Loads within two seconds, and filters within two."""
    b = pages.show(many(10000))
    took = pages.seconds()
    equal("rows in the page", b.js("return document.querySelectorAll('#changes-list li').length;") <= 300, True)
    pages.picture("ten-thousand")
    equal("load takes %.2f s of %s" % (took, SECONDS), took < SECONDS, True)
    for field, text, shown in (("text", "two", "2,500 of 10,000 changes"), ("text", "", "10,000 changes"), ("address", "member[77", "11 of 10,000 changes"),
                               ("text", "nothing has this", "0 of 10,000 changes")):
        before = pages.seconds()
        equal("%s %s" % (field, text), pages.filter(field, text), shown)
        took = pages.seconds() - before
        equal("%s %s takes %.2f s of %s" % (field, text, took, SECONDS), took < SECONDS, True)
    b.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    pages.filter("text", ""), pages.filter("address", "")
    b.js("window.scrollTo(0, document.getElementById('graph').offsetTop);" + SETTLED)
    pages.picture("ten-thousand-graph")


def main():
    global PICTURES
    if "--pictures" in sys.argv:
        at = sys.argv.index("--pictures")
        PICTURES = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    if webdriver.missing():
        print("skipped: %s not installed (scripts/deps --browser)" % " and ".join(webdriver.missing()))
        return 0
    Pages.browser = webdriver.Browser()
    try:
        return run_cases(__doc__, [ten, graph, keyboard, themes_and_paper, hostile_values, large_graph, ten_thousand], Pages)
    finally:
        Pages.browser.close()


if __name__ == "__main__":
    sys.exit(main())
