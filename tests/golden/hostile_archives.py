#!/usr/bin/env python3
"""Archives that were made to do harm, as modules and as packages of providers: refused, and nothing of them stays.

Each row is an archive that is made here, and what is said about it. Nothing outside of the directory that it belongs
to may be there, gone or changed afterwards, and nothing half-written in it.
Usage: hostile_archives.py --xplan PROGRAM [ROW...]
"""
import argparse
import bz2
import gzip
import hashlib
import io
import lzma
import os
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

from install import CENTRAL, PLATFORM, Work

MAIN = ("main.tf", b"")
OUT = "leads outside of the directory it is unpacked to"
CLASH = "conflicts with another entry, or is below an entry that is not a directory"


def zipped(*entries, method=zipfile.ZIP_STORED):
    """Entries: (name, content[, mode with the type of file])."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, content, *mode in entries:
            info = zipfile.ZipInfo("x", (2020, 1, 1, 0, 0, 0))
            info.filename, info.create_system, info.compress_type = name, 3, method
            info.external_attr = (mode[0] if mode else 0o100644) << 16
            z.writestr(info, content)
    return out.getvalue()


def entry(name, content=b"", kind=tarfile.REGTYPE, link="", mode=0o644, **more):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode, info.size = kind, link, mode, len(content)
    for key, value in more.items():
        setattr(info, key, value)
    return info, content


def file(name, content=b"x", **more):
    return entry(name, content, **more)


def link(name, to):
    return entry(name, kind=tarfile.SYMTYPE, link=to)


def hard(name, to):
    return entry(name, kind=tarfile.LNKTYPE, link=to)


def directory(name):
    return entry(name, kind=tarfile.DIRTYPE, mode=0o755)


def tarred(*entries, form=tarfile.GNU_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as t:
        for info, content in entries:
            t.addfile(info, io.BytesIO(content))
    return out.getvalue()


def tgz(*entries):
    return gzip.compress(tarred(file("main.tf", b""), *entries), 1)


def encrypted():
    data = bytearray(zipped(("main.tf", b"secret")))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def wrong_size():
    data = bytearray(zipped(("main.tf", b"x" * 100)))
    for mark, at in ((b"PK\3\4", 18), (b"PK\1\2", 20)):
        at += data.index(mark)
        data[at:at + 8] = struct.pack("<II", 1 << 30, 1 << 30)
    return bytes(data)


def changed(mark, at, value):
    """A zip whose one entry has other bytes in its header (PK 3 4) or in the directory (PK 1 2)."""
    data = bytearray(zipped(("main.tf", b"content")))
    at += data.index(mark)
    data[at:at + len(value)] = value
    return bytes(data)


def overlapping():
    """Two entries of the directory lead to one header."""
    data = zipped(("main.tf", b"content"))
    begin, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    directory = data[begin:end] * 2
    return data[:begin] + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2, 2, len(directory), begin, 0)


def local(name, content, flags=0, later=False):
    """Header and content of an entry; later: what the header says of the content stands behind it."""
    about = (0, 0, 0) if later else (zlib.crc32(content), len(content), len(content))
    return struct.pack("<4sHHHHHIIIHH", LOCAL, 20, flags, 0, 0, 0, *about, len(name), 0) + name + content


def central(name, content, at, flags=0, comment=b""):
    return struct.pack("<4sBBHHHHHIIIHHHHHII", CENTRAL_ENTRY, 20, 3, 20, flags, 0, 0, 0, zlib.crc32(content), len(content),
                       len(content), len(name), 0, len(comment), 0, 0, 0o100644 << 16, at) + name + comment


def end(count, size, at, comment=b""):
    return struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, size, at, len(comment)) + comment


def large_end(count, size, at, here, disk=0):
    """The end record for large files, which stands at `here`, and its locator."""
    return (struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, disk, 0, count, count, size, at) +
            struct.pack("<4sIQI", b"PK\6\7", 0, here, 1))


def two_directories():
    """The comment of an entry is another directory, with the locator that most tools follow."""
    good, evil = b"# good\n", b"# evil\n"
    first, second = local(b"main.tf", good), local(b"main.tf", evil)
    at = len(first + second)
    inner_at, inner = at + len(central(b"main.tf", good, 0)), central(b"main.tf", evil, len(first))
    directory = central(b"main.tf", good, 0, comment=inner + large_end(1, len(inner), inner_at, inner_at + len(inner)))
    return first + second + directory + end(1, len(directory), at)


def large(record=lambda size, at: end(1, size, at), content=b"", **more):
    """A zip with both end records."""
    data, directory = local(b"main.tf", content), central(b"main.tf", content, 0)
    here = len(data + directory)
    return data + directory + large_end(1, len(directory), len(data), here, **more) + record(len(directory), len(data))


def with_gap(front=b"", between=b"", behind=b"", flags=0):
    """Bytes that the directory does not tell of, before, between and behind two entries."""
    first = front + local(b"main.tf", b"# good\n", flags)
    second = between + local(b"b.tf", b"# b\n", flags)
    at = len(first + second + behind)
    directory = central(b"main.tf", b"# good\n", len(front), flags) + central(b"b.tf", b"# b\n", len(first + between), flags)
    return first + second + behind + directory + end(2, len(directory), at)


def with_descriptors(form, mark=b"", other=0):
    """Entries whose sizes stand behind them, in one of the forms that there are; other: what the first one is wrong by."""
    data, directory = b"", b""
    for name, content, wrong in ((b"b.tf", b"# b\n", other), (b"main.tf", b"# good\n", 0)):
        directory = central(name, content, len(data), 8) + directory  # in another order than the entries
        data += local(name, content, 8, later=True) + mark + struct.pack(form, zlib.crc32(content), len(content), len(content) + wrong)
    return data + directory + end(2, len(directory), len(data))


LOCAL, CENTRAL_ENTRY, HEADER, ONES = b"PK\3\4", b"PK\1\2", "in its local header", 0xffffffff
GAP = "contains data that belongs to none of its entries, at byte "
# name, ending, archive, what is said
ROWS = [
    ("zip_up", "zip", lambda: zipped(MAIN, ("../../../../evil", b"x")), OUT),
    ("zip_up_inside", "zip", lambda: zipped(MAIN, ("a/../b", b"x")), OUT),
    ("zip_up_late", "zip", lambda: zipped(MAIN, ("a/b/../../../../../../evil", b"x")), OUT),
    ("zip_absolute", "zip", lambda top: zipped(MAIN, (top + "/evil", b"x")), "has an absolute name"),
    ("zip_backslash", "zip", lambda: zipped(MAIN, ("..\\..\\evil", b"x")), OUT),
    ("tar_backslash", "tar.gz", lambda: tgz(file("..\\..\\evil")), "has a backslash in its name"),
    ("zip_control", "zip", lambda: zipped(MAIN, ("a\x1b[31m", b"x")), r'its entry "a\x1b[31m" has control characters'),
    ("zip_bidi", "zip", lambda: zipped(MAIN, ("a\u202eft.nim", b"x")), "has control characters"),
    ("zip_nul", "zip", lambda: zipped(MAIN, ("a\0b", b"x"), ("a\0c", b"y")), "has a different name in the central directory"),
    ("zip_no_name", "zip", lambda: zipped(MAIN, (".", b"x")), "has no name"),
    ("zip_twice", "zip", lambda: zipped(MAIN, ("a", b"1"), ("a", b"2")), "occurs more than once"),
    ("zip_file_below_file", "zip", lambda: zipped(MAIN, ("a", b"1"), ("a/b", b"2")), CLASH),
    ("zip_long", "zip", lambda: zipped(MAIN, ("n" * 300, b"x")), "has a name that is too long"),
    ("zip_long_path", "zip", lambda: zipped(MAIN, ("/".join(["n" * 100] * 12), b"x")), "has a name that is too long"),
    ("zip_deep", "zip", lambda: zipped(MAIN, ("d/" * 300 + "x", b"x")), "is nested too deeply"),
    ("zip_link_up", "zip", lambda: zipped(MAIN, ("up", b"../../../..", 0o120777)), OUT),
    ("zip_link_absolute", "zip", lambda: zipped(MAIN, ("up", b"/etc", 0o120777)), "a link to an absolute path"),
    ("zip_link_and_file", "zip", lambda: zipped(MAIN, ("up", b"../../..", 0o120777), ("up/evil", b"x")), OUT),
    ("zip_bomb", "zip", lambda: zipped(MAIN, ("b", bytes(200 << 20)), method=zipfile.ZIP_DEFLATED), "unpacks to more than"),
    ("zip_marks", "zip", lambda: zipped(MAIN, ("a\u200eb", b"x")), "has control characters"),
    ("zip_marks_rtl", "zip", lambda: zipped(MAIN, ("a\u200fb", b"x")), "has control characters"),
    ("zip_marks_alm", "zip", lambda: zipped(MAIN, ("a\u061cb", b"x")), "has control characters"),
    ("zip_fifo", "zip", lambda: zipped(MAIN, ("f", b"", 0o010644)), "is neither a file nor a directory"),
    ("zip_device", "zip", lambda: zipped(MAIN, ("f", b"x", 0o020644)), "is neither a file nor a directory"),
    ("zip_socket", "zip", lambda: zipped(MAIN, ("f", b"x", 0o140644)), "is neither a file nor a directory"),
    ("zip_local_name", "zip", lambda: changed(LOCAL, 30, b"evil.tf"), "has a different name in its local header"),
    ("zip_central_name", "zip", lambda: changed(CENTRAL_ENTRY, 46, b"evil.tf"), "has a different name in its local header"),
    ("zip_local_sum", "zip", lambda: changed(LOCAL, 14, b"1234"), HEADER),
    ("zip_central_sum", "zip", lambda: changed(CENTRAL_ENTRY, 16, b"1234"), HEADER),
    ("zip_local_size", "zip", lambda: changed(LOCAL, 22, b"\6"), HEADER),
    ("zip_local_packed", "zip", lambda: changed(LOCAL, 18, b"\6"), HEADER),
    ("zip_central_size", "zip", lambda: changed(CENTRAL_ENTRY, 24, b"\6"), HEADER),
    ("zip_local_method", "zip", lambda: changed(LOCAL, 8, b"\x08"), HEADER),
    ("zip_overlap", "zip", overlapping, "overlaps with the one before it"),
    ("zip_two_directories", "zip", two_directories, "it has two central directories"),
    ("zip_large_other_size", "zip", lambda: large(lambda size, at: end(1, size + 1, at)), "it has two central directories"),
    ("zip_large_other_count", "zip", lambda: large(lambda size, at: end(2, ONES, at)), "it has two central directories"),
    ("zip_large_part", "zip", lambda: large(lambda size, at: end(1, ONES, at), disk=1), "it is one part of several"),
    ("zip_large_absent", "zip", lambda: zipped(MAIN)[:-10] + struct.pack("<IIH", ONES, ONES, 0), "end of its central directory is incomplete"),
    ("zip_hidden_entry", "zip", lambda: with_gap(local(b"main.tf", b"# evil\n")), GAP + "0"),
    ("zip_hidden_entry_between", "zip", lambda: with_gap(between=local(b"main.tf", b"# evil\n")), GAP + "44"),
    ("zip_hidden_entry_last", "zip", lambda: with_gap(behind=local(b"main.tf", b"# evil\n")), GAP + "82"),
    ("zip_hidden_byte", "zip", lambda: with_gap(between=b"x"), GAP + "44"),
    ("zip_hidden_descriptor", "zip", lambda: with_gap(between=b"x" * 16, flags=8), GAP + "44"),
    ("zip_descriptor_unasked", "zip", lambda: with_gap(
        between=struct.pack("<III", zlib.crc32(b"# good\n"), 7, 7)), GAP + "44"),
    ("zip_descriptor_other_size", "zip", lambda: with_descriptors("<III", other=1), GAP + "38"),
    ("zip_more_behind", "zip", lambda: zipped(MAIN) + b"x", "it does not end as a zip file does"),
    ("zip_in_front", "zip", lambda: b"x" + zipped(MAIN), "its central directory is not at the recorded position"),
    ("zip_encrypted", "zip", encrypted, "is encrypted"),
    ("zip_wrong_size", "zip", wrong_size, "the archive is damaged"),
    ("zip_cut", "zip", lambda: zipped(MAIN, ("a", b"x" * 999))[:-40], "the archive is damaged"),
    ("zip_empty", "zip", lambda: zipped(), "the archive is damaged"),
    ("zip_as_tar", "tar.gz", lambda: zipped(MAIN), "the archive is damaged"),
    ("tar_as_zip", "zip", lambda: tarred(file("main.tf")), "the archive is damaged"),
    ("tgz_as_zip", "zip", lambda: tgz(), "the archive is damaged"),
    ("tgz_as_tar", "tar", lambda: tgz(), "the archive is damaged"),
    ("tgz_as_xz", "tar.xz", lambda: tgz(), "the archive is damaged"),
    ("tgz_twice", "tar.gz", lambda: gzip.compress(tgz()), "its compression does not match its name"),
    ("tar_link_up_and_hard_link", "tar.gz", lambda: tgz(link("up", "../../.."), hard("up/evil", "main.tf")), OUT),
    ("tar_link_up_and_file", "tar.gz", lambda: tgz(link("up", "../../.."), file("up/evil")), OUT),
    ("tar_file_and_link_up", "tar.gz", lambda: tgz(file("up/evil"), link("up", "../../..")), OUT),
    ("tar_link_and_file", "tar.gz", lambda: tgz(directory("d"), link("up", "d"), file("up/x")), "occurs more than once"),
    ("tar_link_absolute", "tar.gz", lambda: tgz(link("etc", "/etc")), "a link to an absolute path"),
    ("tar_link_up_behind_a_link", "tar.gz",
     lambda: tgz(file("x/y/f"), link("x/y/l", "../.."), link("e", "x/y/l/../evil")), OUT),
    ("tar_links_behind_links", "tar.xz",
     lambda: lzma.compress(tarred(file("main.tf"), link("a", "b"), link("b", "c/.."), link("c", ".."))), OUT),
    ("tar_links_in_a_circle", "tar.bz2", lambda: bz2.compress(tarred(link("a", "b"), link("b", "a"))), "is part of a cycle of links"),
    ("tar_link_in_the_place_of_a_directory", "tar.gz", lambda: tgz(directory("d"), link("d", "main.tf")), "occurs more than once"),
    ("tar_link_twice", "tar.gz", lambda: tgz(link("l", "main.tf"), link("l", "main.tf")), "occurs more than once"),
    ("tar_many_links", "tar.gz", lambda: tgz(*[link("l%d" % i, "main.tf") for i in range(10001)]), "more than 10000 links"),
    ("tar_hard_link_up", "tar.gz", lambda: tgz(hard("h", "../../../w/main.tf")), OUT),
    ("tar_hard_link_absolute", "tar.gz", lambda: tgz(hard("h", "/etc/passwd")), OUT),
    ("tar_hard_link_to_nothing", "tar.gz", lambda: tgz(hard("h", "none")), "a file that does not precede it in the archive"),
    ("tar_hard_link_to_a_link", "tar.gz", lambda: tgz(link("l", "main.tf"), hard("h", "l")), "does not precede it in the archive"),
    ("tar_hard_link_to_a_directory", "tar.gz", lambda: tgz(directory("d"), hard("h", "d")), "does not precede it in the archive"),
    ("tar_fifo", "tar.gz", lambda: tgz(entry("p", kind=tarfile.FIFOTYPE)), "is neither a file nor a directory"),
    ("tar_device", "tar.gz", lambda: tgz(entry("c", kind=tarfile.CHRTYPE, devmajor=1, devminor=5)), "is neither a file nor"),
    ("tar_disk", "tar.gz", lambda: tgz(entry("b", kind=tarfile.BLKTYPE, devmajor=8)), "is neither a file nor"),
    ("tar_bomb", "tar.gz", lambda: tgz(file("b", bytes(200 << 20))), "unpacks to more than"),
    ("tar_many", "tar.gz", lambda: gzip.compress(tarred(directory("d"))[:512] * 100001, 1), "more than 100000 entries"),
]


def snapshot(w):
    """All that is there, but for what the run may write."""
    out = {}
    for root, dirs, files in os.walk(w.top):
        for name in dirs + files:
            path = os.path.join(root, name)
            seen = os.lstat(path)
            what = os.readlink(path) if stat.S_ISLNK(seen.st_mode) else ""
            if stat.S_ISREG(seen.st_mode):
                with open(path, "rb") as f:
                    what = hashlib.sha256(f.read()).hexdigest()
            out[os.path.relpath(path, w.top)] = (seen.st_mode, 0 if stat.S_ISDIR(seen.st_mode) else seen.st_nlink, what)
    return {k: v for k, v in out.items() if k.split("/")[:2] not in (["w", "main.tf"], ["w", ".terraform"])}


def left_behind(w):
    return [os.path.join(root, name) for root, dirs, files in os.walk(w.path("w/.terraform"), followlinks=False)
            for name in files + [d for d in dirs if os.path.islink(os.path.join(root, d)) or d.startswith(".")]
            if name != "modules.json"]


def check(w, before, what):
    if (after := snapshot(w)) != before:
        raise AssertionError("%s: changed outside: %s" % (what, sorted(set(after.items()) ^ set(before.items()))[:5]))


def as_module(w, row):
    name, ending, make, says = row
    w.server.pages["/%s.%s" % (name, ending)] = make(w.top) if make.__code__.co_argcount else make()
    w.write("w/main.tf", 'module "m" {\n  source = "%s/%s.%s"\n}\n' % (w.server.url, name, ending))
    before = snapshot(w)
    try:
        w.run("get", want=1, says=["Failed to download module", says])
    finally:
        check(w, before, name)
    if left := left_behind(w):
        raise AssertionError("%s: left behind: %s" % (name, left[:5]))
    w.forget()


def harmless(w):
    """What looks odd and is not: it is unpacked, and stays inside."""
    w.server.pages["/odd.tar.gz"] = tgz(
        entry("setuid", b"x", mode=0o6777), file("README"), file("readme"), directory("./d/"), file("./d//f"),
        link("inside", "d/../d/f"), link("nothing", "d/none"), link("d/top", ".."), hard("hard", "d/f"),
        file(".git/config", b"[core]\nfsmonitor = evil\n"), link("d/.GIT", "f"), file("d/.Git/hooks/post-checkout"), file(".gitignore"))
    w.write("w/main.tf", 'module "m" {\n  source = "%s/odd.tar.gz"\n}\n' % w.server.url)
    before = snapshot(w)
    os.umask(0)
    w.run("get")
    check(w, before, "harmless")
    base = w.path("w/.terraform/modules/m/")
    mode = stat.S_IMODE(os.stat(base + "setuid").st_mode)
    if mode != 0o755 or stat.S_IMODE(os.stat(base + "README").st_mode) != 0o644:
        raise AssertionError("modes: %o" % mode)
    names = sorted(os.listdir(base))
    if names != [".gitignore", "README", "d", "hard", "inside", "main.tf", "readme", "setuid"]:
        raise AssertionError("unpacked: %s" % names)
    if sorted(os.listdir(base + "d")) != ["f", "top"]:
        raise AssertionError("unpacked: %s" % os.listdir(base + "d"))
    if not os.path.samefile(base + "hard", base + "inside") or os.readlink(base + "d/top") != "..":
        raise AssertionError("links")


class Pipe(io.RawIOBase):
    """What can only be written from its beginning to its end."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def by_python(to, **more):
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("main.tf", "# good\n")
        z.writestr("d/", "")
        with z.open("d/f", "w", **more) as f:
            f.write(b"f" * 5000)
    return to.data if isinstance(to, Pipe) else to.getvalue()


def by_program(*command):
    """As the program zip writes it to x.zip, or to its output."""
    def make():
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "d"))
            for name in ("main.tf", "d/f"):
                with open(os.path.join(folder, name), "w") as f:
                    f.write("# good\n" * 999)
            with open(os.path.join(folder, "main.tf")) as f:
                done = subprocess.run(["zip", "-q", *command], cwd=folder, stdin=f, stdout=subprocess.PIPE, check=True)
            if done.stdout:
                return done.stdout
            with open(os.path.join(folder, "x.zip"), "rb") as f:
                return f.read()
    return make


DECOMPOSED = "e\u0301.tf"


def many():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for i in range(66000):
            z.writestr("f%d" % i, b"")
    return out.getvalue()


def good_zips(w):
    """What tools write is unpacked, whichever of the ways that the format leaves they choose."""
    rows = [("descriptors %s %s" % row, lambda row=row: with_descriptors(*row), "main.tf", b"# good\n")
            for row in (("<III", b""), ("<III", b"PK\7\x08"), ("<IQQ", b""), ("<IQQ", b"PK\7\x08"))]
    rows += [("flag without a descriptor", lambda: with_gap(flags=8), "main.tf", b"# good\n"),
             ("both ends, which say the same", lambda: large(content=b"# good\n"), "main.tf", b"# good\n"),
             ("the large end", lambda: large(lambda size, at: end(0xffff, ONES, ONES), content=b"# x\n"), "main.tf", b"# x\n"),
             ("a comment", lambda: large(lambda size, at: end(1, size, ONES, b"comment")), "main.tf", b""),
             ("many", many, "f65999", b""),
             ("decomposed", lambda: zipped(MAIN, (DECOMPOSED, b"# x\n")), DECOMPOSED, b"# x\n"),
             ("python", lambda: by_python(io.BytesIO()), "d/f", b"f" * 5000),
             ("python, large", lambda: by_python(io.BytesIO(), force_zip64=True), "d/f", b"f" * 5000),
             ("python to a pipe", lambda: by_python(Pipe()), "d/f", b"f" * 5000),
             ("python to a pipe, large", lambda: by_python(Pipe(), force_zip64=True), "d/f", b"f" * 5000)]
    if shutil.which("zip"):
        text = b"# good\n" * 999
        rows += [("zip", by_program("-r", "x.zip", "."), "d/f", text), ("zip, large", by_program("-fz", "-r", "x.zip", "."), "d/f", text),
                 ("zip, descriptors", by_program("-fd", "-r", "x.zip", "."), "d/f", text),
                 ("zip to a pipe", by_program("-r", "-", "."), "d/f", text),
                 ("zip from its input", by_program("x.zip", "-"), "-", text),
                 ("zip from its input to a pipe", by_program("-", "-"), "-", text)]
    for name, make, file, content in rows:
        w.server.pages["/good.zip"] = make()
        w.write("w/main.tf", 'module "m" {\n  source = "%s/good.zip"\n}\n' % w.server.url)
        try:
            w.run("get")
            with open(w.path("w/.terraform/modules/m/" + file), "rb") as f:
                if f.read() != content:
                    raise AssertionError("%s has other content" % file)
        except Exception as e:
            raise AssertionError("%s: %s" % (name, e))
        w.forget()


def providers(w):
    """Packages of providers: no links, no other format, and no look inside before the checksum."""
    base = "/mirror/%sx" % CENTRAL
    archive_page, listing = "%s/p.zip" % base, "%s/1.0.0.json" % base
    w.server.pages[base + "/index.json"] = {"versions": {"1.0.0": {}}}
    w.settings('provider_installation {\n  network_mirror {\n    url = "@URL@/mirror"\n  }\n}\n')
    w.needs(x="hashicorp/x")
    program = ("terraform-provider-x_v1.0.0", b"#!/bin/sh\n", 0o100755)
    linked = zipped(program, ("l", b"terraform-provider-x_v1.0.0", 0o120777))
    rows = [("a link", linked, [], "is a link, which provider packages must not contain"),
            ("a tar", tarred(file("terraform-provider-x_v1.0.0")), [], "the archive is damaged"),
            ("up", zipped(program, ("../../../../../../../evil", b"x")), [], OUT),
            ("up, and the wrong archive", zipped(program, ("../evil", b"x")), ["zh:" + "0" * 64], "does not have the checksum"),
            ("up, and the wrong files", zipped(program, ("../evil", b"x")), ["h1:" + "0" * 43 + "="], OUT),
            ("the wrong files", zipped(program), ["h1:" + "0" * 43 + "="], "does not have the checksum"),
            ("a bomb, and the wrong archive", zipped(program, ("b", bytes(99 << 20)), method=zipfile.ZIP_DEFLATED),
             ["zh:" + "0" * 64], "does not have the checksum"),
            ("a bomb", zipped(program, ("b", bytes(99 << 20)), method=zipfile.ZIP_DEFLATED), [], "unpacks to more than")]
    before = snapshot(w)
    for name, data, hashes, says in rows:
        w.server.pages[archive_page] = data
        w.server.pages[listing] = {"archives": {PLATFORM: {"url": "p.zip", "hashes": hashes}}}
        w.run("init", want=1, says=["Failed to install provider", says])
        check(w, before, name)
        if left := left_behind(w):
            raise AssertionError("%s: left behind: %s" % (name, left[:5]))
        w.run("providers", "lock", "-net-mirror=%s/mirror" % w.server.url, want=1, says=says)
        if left := left_behind(w) or os.path.exists(w.path("w/.terraform.lock.hcl")):
            raise AssertionError("%s: left behind by providers lock: %s" % (name, left))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xplan", required=True)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    parts = {row[0]: lambda w, row=row: as_module(w, row) for row in ROWS}
    parts.update(harmless=harmless, good_zips=good_zips, providers=providers)
    if unknown := set(args.rows) - set(parts):
        parser.error("there is no row " + ", ".join(sorted(unknown)))
    failed, w = 0, Work(os.path.abspath(args.xplan))
    for name, part in parts.items():
        if args.rows and name not in args.rows:
            continue
        try:
            part(w)
        except Exception as e:  # every row is tried
            failed += 1
            print("FAILED  %s: %s: %s" % (name, type(e).__name__, e))
        w.forget(lock=True)
    w.close()
    print("%d rows, %d failed" % (len(args.rows or parts), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
