"""The main function of programs that consist of cases.

    PROGRAM --xplan BINARY [CASE...]

Each case is called with a run in a folder of its own. The last line is 'N passed, M failed'.
"""
import argparse
import os
import subprocess
import tempfile

from pseudo_terminal import Failed


def run_cases(about, cases, make_run):
    """`about` is the program's help; make_run(xplan, root) makes what a case is called with. The exit code."""
    ap = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--xplan", required=True)
    ap.add_argument("cases", nargs="*")
    opt = ap.parse_args()
    if unknown := set(opt.cases) - {case.__name__ for case in cases}:
        ap.error("there is no case " + ", ".join(sorted(unknown)))
    good = bad = 0
    for case in cases:
        if opt.cases and case.__name__ not in opt.cases:
            continue
        with tempfile.TemporaryDirectory(prefix="case-") as root:
            try:
                case(make_run(os.path.abspath(opt.xplan), root))
                good += 1
            except (Failed, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as e:
                bad += 1
                print("%s: %s" % (case.__name__, e if isinstance(e, Failed) else repr(e)), flush=True)
    print("%d passed, %d failed" % (good, bad))
    return 1 if bad else 0
