"""Environment variables: those of scripts/docs/environment-variables.md are exactly those that the sources read.

A case of pages.py. In the sources, a name is a string of its own, or several with spaces between them (tables of arguments).
"""
import os
import re
import subprocess

from pseudo_terminal import Failed

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDERS = ("core", "cmd/xplan", "planfile", "render")
# The kit reads what engines tell plugins: its README has that.
NOT_THESE = ("core/provider/kit/",)
WORDS = re.compile(r'"([A-Za-z0-9_]+(?: [A-Za-z0-9_]+)* ?)"')
NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
CALLED = re.compile(r'\b(?:getenv|env|variable|environment|environment_or)\("([A-Z][A-Z0-9]+)"|for \(const char\* name : \{([^}]*)\}|in_environment\(\{([^}]*)\}')
# Names that are written, but not read: for other programs, or no variables at all.
OTHER = {
    "for git and hg": "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE"
                      " GIT_ALLOW_PROTOCOL GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_SHALLOW_FILE GIT_TEMPLATE_DIR GIT_TERMINAL_PROMPT GIT_WORK_TREE GIT_SSH_COMMAND",
    "for plugins": "PLUGIN_CLIENT_CERT PLUGIN_MAX_PORT PLUGIN_MIN_PORT PLUGIN_PROTOCOL_VERSIONS TF_PLUGIN_MAGIC_COOKIE",
    "for programs that give credentials": "KUBERNETES_EXEC_INFO",
    "of other protocols": "AES_128 AES_256 OS_ARCH",
}
# What the sources put together: names that anybody may choose, and parts of the log.
MADE = {"TF_VAR_NAME", "TF_CLI_ARGS_COMMAND", "TF_TOKEN_HOST", "TF_LOG_CORE", "TF_LOG_PROVIDER", "TF_LOG_CLOUD", "XPLAN_LOG_CORE", "XPLAN_LOG_PROVIDER",
        "XPLAN_LOG_CLOUD", "XPLAN_LOG_PATH"}
# Read by libcurl.
LINKED = {"HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"}


def read_by_sources():
    names = set()
    for folder in FOLDERS:
        for where, _, files in os.walk(os.path.join(TOP, folder)):
            for name in files:
                path = os.path.join(where, name)
                if not name.endswith((".cc", ".h")) or os.path.relpath(path, TOP).startswith(NOT_THESE):
                    continue
                with open(path) as f:
                    text = f.read()
                for words in WORDS.findall(text):
                    names |= {w for w in words.split(" ") if NAME.match(w)}
                for one, *several in CALLED.findall(text):
                    names |= {one, *re.findall(r'"([A-Z]+)"', "".join(several))} - {""}
    return names - {n for v in OTHER.values() for n in v.split()}


def named_on_page(text):
    return set(re.findall(r"`([A-Z][A-Z0-9_]+)(?:=[^`]*)?`", "\n".join(line.rpartition(" | ")[0] for line in text.splitlines() if line.startswith("|"))))


def environment_variables(reader):
    with open(os.path.join(TOP, "scripts", "docs", "environment-variables.md")) as f:
        text = f.read()
    page, sources = named_on_page(text), read_by_sources() | MADE | LINKED
    if page != sources:
        raise Failed("only the sources have %s; only the page has %s" % (sorted(sources - page), sorted(page - sources)))
    helped = subprocess.run([reader.xplan, "-help"], env=reader.env, capture_output=True, text=True).stdout.partition("Environment variables:")[2]
    unknown = set(re.findall(r"^  ([A-Z][A-Z0-9_]+)", helped, re.M)) - page
    if unknown:
        raise Failed("the help names %s, which the page does not have" % sorted(unknown))
    # The proxy for requests without TLS, under both names.
    reader.begin("main.tf", 'terraform {\n  backend "http" { address = "http://state.invalid/" }\n}\n')
    for name in ("HTTP_PROXY", "http_proxy"):
        out = reader.call("%s=http://127.0.0.1:9 xplan init" % name, (1,))
        if "127.0.0.1 port 9" not in out:
            raise Failed("%s is not used:\n%s" % (name, out))
