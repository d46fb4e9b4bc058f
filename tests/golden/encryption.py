#!/usr/bin/env python3
"""Encrypted plan files and states, checked by an implementation that shares nothing with the program: Python's hashlib and the openssl command.

    encryption.py --xplan BINARY [CASE...]

The program decrypts what is encrypted here, and the other way round; and what is wrong with a file, a key or a configuration is one
error. The last line is 'N passed, M failed'.
"""
import argparse
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

PASSPHRASE = "correct-horse-battery-staple"
PLAN = """
  plan {
    method = method.aes_gcm.m
    %s
  }"""
CONFIG = """
variable "pass" {
  type      = string
  sensitive = true
}
terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = var.pass
      iterations = 200000
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    method "unencrypted" "u" {}
    %s
  }
}
resource "terraform_data" "a" {
  input = "told to nobody"
}
"""
UNENCRYPTED = "fallback {\n method = method.unencrypted.u\n }"


def openssl(cipher, key, data, iv=None):
    command = ["openssl", "enc", "-aes-%d-%s" % (len(key) * 8, cipher), "-K", key.hex(), "-nopad"]
    return subprocess.run(command + (["-iv", iv.hex()] if iv else []), input=data, capture_output=True, check=True).stdout


def multiply(x, y):  # in the field of GCM
    z = 0
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= y
        y = (y >> 1) ^ (0xE1 << 120 if y & 1 else 0)
    return z


def tag(key, nonce, ciphertext):
    h = int.from_bytes(openssl("ecb", key, bytes(16)), "big")
    y = 0
    padded = ciphertext + bytes(-len(ciphertext) % 16) + bytes(8) + (len(ciphertext) * 8).to_bytes(8, "big")
    for i in range(0, len(padded), 16):
        y = multiply(y ^ int.from_bytes(padded[i:i + 16], "big"), h)
    mask = openssl("ecb", key, nonce + b"\0\0\0\1")
    return bytes(a ^ b for a, b in zip(y.to_bytes(16, "big"), mask))


def seal(key, plain):
    nonce = os.urandom(12)
    ciphertext = openssl("ctr", key, plain, nonce + b"\0\0\0\2")
    return nonce + ciphertext + tag(key, nonce, ciphertext)


def unseal(key, data):
    nonce, ciphertext = data[:12], data[12:-16]
    assert tag(key, nonce, ciphertext) == data[-16:], "the tag is another one"
    return openssl("ctr", key, ciphertext, nonce + b"\0\0\0\2")


def key_of(meta, passphrase=PASSPHRASE):
    return hashlib.pbkdf2_hmac(meta["hash_function"], passphrase.encode(), base64.b64decode(meta["salt"]), meta["iterations"],
                               meta["key_length"])


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def unwrap(text, passphrase=PASSPHRASE):
    e = json.loads(text)
    assert text == compact(e), "the envelope is compact"
    assert list(e) == ["meta", "encrypted_data", "encryption_version"], "the members in their order"
    assert e["encryption_version"] == "v0" and list(e["meta"]) == ["key_provider.pbkdf2.k"]
    meta = base64.b64decode(e["meta"]["key_provider.pbkdf2.k"]).decode()
    assert meta == compact(json.loads(meta)) and list(json.loads(meta)) == ["salt", "iterations", "hash_function", "key_length"]
    return unseal(key_of(json.loads(meta), passphrase), base64.b64decode(e["encrypted_data"]))


def wrap(plain, passphrase=PASSPHRASE, **other):
    meta = dict(salt=base64.b64encode(os.urandom(32)).decode(), iterations=1000, hash_function="sha512", key_length=32)
    meta.update(other)
    return compact({"meta": {"key_provider.pbkdf2.k": base64.b64encode(compact(meta).encode()).decode()},
                    "encrypted_data": base64.b64encode(seal(key_of(meta, passphrase), plain)).decode(), "encryption_version": "v0"})


class Place:
    def __init__(self, xplan, plan_block=PLAN % ""):
        self.xplan = xplan
        self.folder = tempfile.TemporaryDirectory()
        self.write("main.tf", CONFIG % plan_block)
        self.run("init", 0)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def run(self, command, code, *expected, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith("TF_")}
        env.update({"TF_VAR_pass": PASSPHRASE, **environment})
        env = {k: v for k, v in env.items() if v is not None}
        p = subprocess.run([self.xplan] + command.split(), cwd=self.folder.name, env=env, capture_output=True, text=True)
        said = " ".join((p.stdout + p.stderr).replace("│", " ").split())
        assert p.returncode == code, "%s: exit code %d\n%s" % (command, p.returncode, p.stdout + p.stderr)
        for e in expected:
            absent = e.startswith("!")
            assert (e.lstrip("!") in said) != absent, "%s: %r\n%s" % (command, e, said)
        if code:
            assert said.count("Error: ") == 1, "%s: one error\n%s" % (command, said)
        return p.stdout


def there_and_back(xplan):
    p = Place(xplan)
    p.run("plan -out=p.bin", 0)
    text = p.read("p.bin").decode()
    plain = unwrap(text)
    assert plain.startswith(b"PK") and b"told to nobody" not in text.encode()
    assert os.stat(p.path("p.bin")).st_mode & 0o777 == 0o600
    p.write("mine.bin", wrap(plain, hash_function="sha256", key_length=16))
    for command in "show p.bin", "show mine.bin", "explain p.bin":
        p.run(command, 0, "terraform_data.a")
    p.run("show -json mine.bin", 0, '"told to nobody"')
    p.run("plan -out=p.bin", 0)  # over an encrypted one
    assert unwrap(p.read("p.bin").decode()).startswith(b"PK")
    p.run("apply mine.bin", 0, "1 added")
    assert sorted(os.listdir(p.folder.name)) == [".terraform", "main.tf", "mine.bin", "p.bin", "terraform.tfstate"] or \
        sorted(os.listdir(p.folder.name)) == ["main.tf", "mine.bin", "p.bin", "terraform.tfstate"], os.listdir(p.folder.name)


def wrong_files(xplan):
    p = Place(xplan)
    p.run("plan -out=p.bin", 0)
    text = p.read("p.bin").decode()
    plain = unwrap(text)
    wrong = "either the key is wrong, or the data was changed after it was encrypted."
    at = text.index('"encrypted_data":"') + 40
    other = dict(wrong_key=(wrap(plain, "another passphrase"), wrong),
                 tampered=(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1:], wrong),
                 truncated=(text[:len(text) // 2], "it is encrypted, but incomplete or damaged"),
                 not_even_a_tag=(compact(dict(json.loads(text), encrypted_data="AAAA")), "the encrypted data is incomplete"),
                 foreign=(text.replace("key_provider.pbkdf2.k", "key_provider.gcp_kms.k"), "it was encrypted with other key providers"),
                 version=(text.replace('"v0"', '"v9"'), 'its version is not "v0"'),
                 plain=(plain, "encountered unencrypted payload without unencrypted method configured"),
                 garbage=(wrap(b"PK no zip"), "incomplete or damaged"),
                 damaged_inside=(wrap(plain[:900] + b"x" + plain[901:]), "cannot be read"))
    for name, (content, said) in other.items():
        p.write("x.bin", content)
        for command in "show x.bin", "apply x.bin", "explain x.bin":
            p.run(command, 1, "Failed to load plan file", said, "!" + PASSPHRASE)
    p.run("show p.bin", 1, wrong, TF_VAR_pass="correct-horse-battery-stapler")
    p.run("show p.bin", 1, 'The input variable "pass" has no value', TF_VAR_pass=None)
    p.run("apply -auto-approve p.bin", 1, 'The input variable "pass" has no value', TF_VAR_pass=None)
    p.run("apply -var=pass=%s p.bin" % PASSPHRASE, 0, "1 added", TF_VAR_pass=None)


def migration(xplan):
    p = Place(xplan, "")
    p.run("plan -out=plain.bin", 0)
    assert p.read("plain.bin").startswith(b"PK")
    p.write("main.tf", CONFIG % (PLAN % UNENCRYPTED))
    p.run("show plain.bin", 0, "terraform_data.a")
    p.run("plan -out=p.bin", 0, "Unencrypted method configured")
    unwrap(p.read("p.bin").decode())
    p.write("main.tf", CONFIG % (PLAN % ("enforced = true\n" + UNENCRYPTED)))
    p.run("plan -out=q.bin", 1, "Unencrypted method where encryption is enforced")
    assert not os.path.exists(p.path("q.bin"))
    p.write("main.tf", CONFIG % "")
    p.run("show p.bin", 1, "it is encrypted, but no encryption is configured")
    block = 'key_provider "pbkdf2" "k" { passphrase = "%s" }\nplan { method = method.aes_gcm.m }' % PASSPHRASE
    p.run("show p.bin", 0, "terraform_data.a", TF_ENCRYPTION=block)
    p.run("show p.bin", 1, "In the environment variable TF_ENCRYPTION, line 2", "!" + PASSPHRASE, TF_ENCRYPTION=block.replace("_gcm.m", "_gcm.n"))


def a_program_gives_keys(xplan):
    p = Place(xplan, "")
    p.write("keys.sh", """#!/bin/sh
echo '{"magic":"OpenTofu-External-Key-Provider","version":1}'
cat > asked
printf '{"keys":{"encryption_key":"%s=","decryption_key":"%s="},"meta":{"external_data":{"n":1}}}'
""" % ("A" * 43, "A" * 43))
    os.chmod(p.path("keys.sh"), 0o755)
    block = compact({"key_provider": {"external": {"x": {"command": ["./keys.sh"]}}},
                     "method": {"aes_gcm": {"x": {"keys": "key_provider.external.x"}}}, "plan": {"method": "method.aes_gcm.x", "enforced": True}})
    p.run("plan -out=p.bin", 0, TF_ENCRYPTION=block)
    assert p.read("asked") == b"null"
    e = json.loads(p.read("p.bin"))
    assert base64.b64decode(e["meta"]["key_provider.external.x"]) == b'{"external_data":{"n":1}}', e["meta"]
    assert unseal(bytes(32), base64.b64decode(e["encrypted_data"])).startswith(b"PK")
    p.run("apply p.bin", 0, "1 added", TF_ENCRYPTION=block)
    assert p.read("asked") == b'{"external_data":{"n":1}}'
    p.write("keys.sh", "#!/bin/sh\nexit 7\n")
    p.run("show p.bin", 1, 'the program "./keys.sh" failed: it exited with code 7', TF_ENCRYPTION=block)


def state_text(serial, lineage, secret, outputs=None):
    instance = {"schema_version": 0, "attributes": {"id": "x", "input": {"type": "string", "value": secret}, "output": {"type": "string", "value": secret},
                                                    "triggers_replace": None}, "sensitive_attributes": []}
    resource = {"mode": "managed", "type": "terraform_data", "name": "a", "provider": 'provider["terraform.io/builtin/terraform"]', "instances": [instance]}
    return compact({"version": 4, "terraform_version": "1.10.0", "serial": serial, "lineage": lineage, "outputs": outputs or {},
                    "resources": [resource], "check_results": None})


STATE = PLAN.replace("plan {", "state {")
SECRET = "told to nobody"


class States(Place):
    def __init__(self, xplan, block=STATE % ""):
        super().__init__(xplan, block)

    def leaks(self, *but):
        """Files that have the secret in them; where it is part of the configuration, that does not count."""
        out = []
        for folder, _, names in os.walk(self.folder.name):
            for name in names:
                if name not in but + ("main.tf",) and SECRET.encode() in open(os.path.join(folder, name), "rb").read():
                    out.append(name)
        assert not out, "the secret is in %s" % out

    def state(self, name="terraform.tfstate", passphrase=PASSPHRASE):
        text = self.read(name).decode()
        e = json.loads(text)
        plain = unwrap_state(text, passphrase)
        assert (e["serial"], e["lineage"]) == (plain["serial"], plain["lineage"])
        return plain


def unwrap_state(text, passphrase=PASSPHRASE):
    e = json.loads(text)
    assert text == compact(e), "the envelope is compact"
    assert list(e) == ["serial", "lineage", "meta", "encrypted_data", "encryption_version"], "the members in their order"
    return json.loads(unwrap(compact({k: v for k, v in e.items() if k not in ("serial", "lineage")}), passphrase))


def wrap_state(plain, passphrase=PASSPHRASE):
    s = json.loads(plain)
    e = {"serial": s["serial"], "lineage": s["lineage"]}
    e.update(json.loads(wrap(plain.encode(), passphrase)))
    return compact(e)


def states(xplan):
    p = States(xplan)
    p.run("apply -auto-approve", 0, "1 added")
    assert p.state()["serial"] == 1 and SECRET in compact(p.state())
    p.leaks()
    assert SECRET in p.run("state pull", 0) and json.loads(p.run("state pull", 0)) == p.state()
    lineage = p.state()["lineage"]
    mine = state_text(7, lineage, SECRET, {"o": {"value": SECRET, "type": "string"}})
    p.write("terraform.tfstate", wrap_state(mine))
    for command, said in (("state list", "terraform_data.a"), ("state show terraform_data.a", SECRET), ("show", SECRET), ("output", SECRET),
                          ("output -raw o", SECRET), ("show terraform.tfstate", SECRET), ("state list -state=terraform.tfstate", "terraform_data.a"),
                          ("output -state=terraform.tfstate", SECRET), ("providers", "terraform.io/builtin/terraform"), ("plan", "o = ")):
        p.run(command, 0, said)
    p.run("state list", 1, 'The input variable "pass" has no value', TF_VAR_pass=None)
    p.run("state list -var=pass=" + PASSPHRASE, 0, "terraform_data.a", TF_VAR_pass=None)
    for n, (command, said) in enumerate([
            ("taint terraform_data.a", "tainted"), ("untaint terraform_data.a", "untainted"), ("state mv terraform_data.a terraform_data.b", "moved"),
            ("state mv terraform_data.b terraform_data.a", "moved"), ("state rm terraform_data.a", "removed"),
            ("import terraform_data.a imported", "imported"), ("apply -auto-approve", "Apply complete!"), ("refresh", ""), ("apply -auto-approve -replace=terraform_data.a", "1 destroyed")]):
        p.run(command, 0, said)
        assert p.state()["lineage"] == lineage and p.state()["serial"] >= 7, command
        p.leaks()
    assert any(n.endswith(".backup") for n in os.listdir(p.folder.name))
    p.write("in", "terraform_data.a.input\n")
    with open(p.path("in")) as f:
        env = dict(os.environ, TF_VAR_pass=PASSPHRASE)
        assert SECRET in subprocess.run([xplan, "console"], cwd=p.folder.name, env=env, stdin=f, capture_output=True, text=True).stdout
    # What is pushed may be plain or encrypted; what is kept is encrypted.
    serial = p.state()["serial"]
    p.write("plain.tfstate", state_text(serial + 5, lineage, SECRET))
    p.run("state push plain.tfstate", 0)
    assert p.state()["serial"] == serial + 5
    p.write("mine.tfstate", wrap_state(state_text(serial + 6, lineage, SECRET)))
    p.run("state push mine.tfstate", 0)
    assert p.state()["serial"] == serial + 6
    p.write("mine.tfstate", wrap_state(state_text(serial + 7, lineage, SECRET), "another passphrase"))
    p.run("state push mine.tfstate", 1, "Failed to read state file", "either the key is wrong")
    p.leaks("plain.tfstate")
    p.run("plan -out=p.bin", 0, "Plan file is not encrypted")
    p.run("apply p.bin", 0)
    p.run("plan -destroy -out=p.bin", 0)
    p.run("apply p.bin", 0, "1 destroyed")
    assert p.state()["resources"] == []
    os.remove(p.path("p.bin"))  # plan files are not encrypted here
    p.leaks("plain.tfstate")


def workspaces(xplan):
    p = States(xplan)
    p.run("apply -auto-approve", 0)
    p.run("state pull", 0)
    p.write("plain.tfstate", state_text(3, "l", SECRET))
    p.run("workspace new -state=plain.tfstate w", 0, "Created")
    assert SECRET in compact(p.state("terraform.tfstate.d/w/terraform.tfstate"))
    p.run("workspace new -state=terraform.tfstate v", 0, "Created")
    assert SECRET in compact(p.state("terraform.tfstate.d/v/terraform.tfstate"))
    p.leaks("plain.tfstate")
    p.run("workspace list", 0, "* v", TF_VAR_pass=None)
    p.run("workspace select w", 0, TF_VAR_pass=None)
    p.run("workspace delete v", 1, "Workspace is not empty")
    p.run("workspace delete v", 1, 'The input variable "pass" has no value', TF_VAR_pass=None)
    p.run("workspace delete -force v", 0)
    p.run("force-unlock -force x", 1, "nobody holds the lock", TF_VAR_pass=None)


def wrong_states(xplan):
    p = States(xplan)
    p.run("apply -auto-approve", 0)
    text = p.read("terraform.tfstate").decode()
    plain = compact(p.state())
    wrong = "either the key is wrong, or the data was changed after it was encrypted."
    where = "method.aes_gcm.m (main.tf:18:14) and the key of key_provider.pbkdf2.k (main.tf:8:5): "
    at = text.index('"encrypted_data":"') + 40
    other = dict(wrong_key=(wrap_state(plain, "another passphrase"), where + wrong),
                 tampered=(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1:], where + wrong),
                 truncated=(text[:len(text) // 2], "it is encrypted, but incomplete or damaged"),
                 serial=(text.replace('"serial":1', '"serial":2'), "the serial and lineage around it are not those of the state"),
                 plain=(plain, "encountered unencrypted payload without unencrypted method configured), but the method at main.tf:18:14 requires encryption"),
                 garbage=("PK no state", "it is neither a state nor an encrypted state"))
    for name, (content, said) in other.items():
        p.write("terraform.tfstate", content)
        for command in "plan", "apply -auto-approve", "state list", "state rm terraform_data.a", "output", "import terraform_data.b x":
            p.run(command, 1, said, "!" + PASSPHRASE, "!" + SECRET)
        assert p.read("terraform.tfstate").decode() == content, name
    p.write("terraform.tfstate", text)
    p.run("plan", 1, wrong, TF_VAR_pass="correct-horse-battery-stapler")
    p.write("main.tf", CONFIG % "")
    p.run("plan", 1, "it is encrypted, but no encryption is configured for it. The encryption block has no block for states: add \"state")
    p.write("main.tf", CONFIG % (STATE % "") + "\nresource {")
    p.run("state list", 1, "Encryption block cannot be read")


def migrating_states(xplan):
    p = States(xplan, "")
    p.run("apply -auto-approve", 0, "1 added")
    p.write("main.tf", CONFIG % (STATE % UNENCRYPTED))
    p.run("plan", 0, "Unencrypted method configured")
    assert SECRET in p.read("terraform.tfstate").decode()
    p.run("apply -auto-approve", 0, "0 added, 0 changed")  # written anew, although nothing differs
    p.leaks()
    serial = p.state()["serial"]
    p.run("apply -auto-approve", 0)
    assert p.state()["serial"] == serial
    block = CONFIG.replace('key_provider "pbkdf2" "k"', 'key_provider "pbkdf2" "old"').replace("pbkdf2.k", "pbkdf2.old").replace('"m"', '"old"')
    new = 'key_provider "pbkdf2" "k" {\n passphrase = "another passphrase"\n}\nmethod "aes_gcm" "m" {\n keys = key_provider.pbkdf2.k\n}\n'
    p.write("main.tf", block.replace("\n    %s", "\n" + new + "%s") % (STATE % "fallback {\n method = method.aes_gcm.old\n }"))
    # A name that was another key's: as OpenTofu does, by the name of the provider in the metadata.
    p.run("plan", 1, "it was encrypted with other key providers")
    p.write("main.tf", (CONFIG % (STATE % "fallback {\n method = method.aes_gcm.m\n }")).replace(
        "method = method.aes_gcm.m", "method = method.aes_gcm.n", 1).replace(
        'method "unencrypted"', new.replace('"k"', '"n"').replace('"m"', '"n"').replace("pbkdf2.k", "pbkdf2.n") + 'method "unencrypted"'))
    p.run("apply -auto-approve", 0)
    assert "key_provider.pbkdf2.n" in json.loads(p.read("terraform.tfstate"))["meta"]
    p.leaks()


def remote_states(xplan):
    p = States(xplan)
    p.write("main.tf", CONFIG % (STATE % "") + 'output "o" {\n value = terraform_data.a.output\n}\n')
    p.run("apply -auto-approve", 0)
    reader = States(xplan, "")
    data = 'data "terraform_remote_state" "net" {\n backend = "local"\n config = { path = "%s" }\n}\noutput "o" {\n value = data.terraform_remote_state.net.outputs.o\n}\n'
    data %= p.path("terraform.tfstate")
    reader.write("main.tf", CONFIG % "" + data)
    reader.run("plan", 1, 'Add the block "remote_state_data_sources"')
    for block in ('default {\n method = method.aes_gcm.m\n }', 'remote_state_data_source "net" {\n method = method.aes_gcm.m\n }'):
        reader.write("main.tf", CONFIG % ("remote_state_data_sources {\n%s\n}" % block) + data)
        reader.run("plan", 0, 'o = "%s"' % SECRET)
    reader.run("plan", 1, "either the key is wrong", TF_VAR_pass="correct-horse-battery-stapler")
    reader.write("main.tf", CONFIG % ('remote_state_data_sources {\nremote_state_data_source "other" {\n method = method.aes_gcm.m\n }\n}') + data)
    reader.run("plan", 1, "it is encrypted, but no encryption is configured for it")
    # Read during the apply, because what it depends on is created first.
    reader.write("main.tf", CONFIG % ("remote_state_data_sources {\ndefault {\n method = method.aes_gcm.m\n }\n}")
                 + data.replace('backend = "local"', 'backend = "local"\n depends_on = [terraform_data.a]'))
    reader.run("apply -auto-approve", 0, 'o = "%s"' % SECRET)


def keys_that_fail_are_named(xplan):
    p = States(xplan)
    p.write("main.tf", """terraform {
  encryption {
    key_provider "external" "k" {
      command = ["sh", "-c", "echo junk; echo vault sealed >&2; exit 1"]
    }
    method "aes_gcm" "m" {
      keys = key_provider.external.k
    }
    state {
      method = method.aes_gcm.m
    }
    plan {
      method = method.aes_gcm.m
    }
  }
}
resource "terraform_data" "a" {}
""")
    why = 'key_provider.external.k (main.tf:3:5) did not provide a key: the program "sh" failed: it exited with code 1. Its output: "vault sealed".'
    p.run("plan -out=p.bin", 1, "cannot be encrypted: " + why)
    p.run("apply -auto-approve", 1, "Failed to start the journal", "cannot be encrypted: " + why + " Nothing was changed.")


# The block may be in a file that cannot be read, so nothing is written as plain text.
def unreadable_files(xplan):
    p = States(xplan, "")
    p.write("main.tf", 'resource "terraform_data" "a" {\n  input = "x"\n}\n')
    p.run("apply -auto-approve", 0)
    os.symlink("block.tf", p.path("block.tf"))
    for command in ("state push -force terraform.tfstate", "workspace new -state=terraform.tfstate w"):
        p.run(command, 1, "Encryption block cannot be read")
    os.remove(p.path("block.tf"))
    p.run("state push -force terraform.tfstate", 0)


def keys_of_workspaces(xplan):
    whole = (CONFIG % (STATE % "")).replace("passphrase = var.pass", 'passphrase = "${var.pass}${terraform.workspace}"')
    assert whole.count("terraform.workspace") == 1
    local = States(xplan)
    local.write("main.tf", whole)
    for name in ("b", "c"):
        local.run("workspace new " + name, 0)
        local.run("apply -auto-approve", 0)
    local.run("workspace select default", 0)
    local.run("apply -auto-approve", 0)
    local.write("main.tf", whole + 'terraform {\n backend "local" {\n path = "new/x.tfstate"\n workspace_dir = "new/d"\n }\n}\n')
    local.run("init -force-copy", 0, "Successfully configured")
    for name in ("b", "c", "default"):
        path = "new/x.tfstate" if name == "default" else "new/d/%s/x.tfstate" % name
        if name != "default" and not os.path.exists(local.path(path)):
            path = "new/d/%s/terraform.tfstate" % name
        assert SECRET in compact(local.state(path, PASSPHRASE + name)), name
        local.run("workspace select " + name, 0)
        local.run("plan", 0, "No changes")


def moving_between_backends(xplan):
    p = States(xplan)
    p.run("apply -auto-approve", 0)
    backend = 'terraform {\n backend "local" {\n path = "elsewhere/x.tfstate"\n }\n}\n'
    p.write("main.tf", CONFIG % (STATE % "") + backend)
    p.run("init -force-copy", 0, "Successfully configured")
    assert SECRET in compact(p.state("elsewhere/x.tfstate"))
    p.leaks()
    plain = States(xplan, "")
    plain.run("apply -auto-approve", 0)
    plain.write("main.tf", CONFIG % (STATE % "") + backend)
    plain.run("init -force-copy", 1, "encountered unencrypted payload")
    plain.write("main.tf", CONFIG % (STATE % UNENCRYPTED) + backend)
    plain.run("init -force-copy", 0, "Successfully configured")
    assert SECRET in compact(plain.state("elsewhere/x.tfstate"))
    plain.leaks()


def validating(xplan):
    p = States(xplan)
    p.run("validate", 0, "Success!", TF_VAR_pass=None)
    p.write("main.tf", CONFIG % (STATE % "").replace("aes_gcm.m", "aes_gcm.n"))
    p.run("validate", 1, "method.aes_gcm.n is not declared in the encryption block", TF_VAR_pass=None)
    p.write("main.tf", CONFIG.replace("200000", "10") % (STATE % ""))
    p.run("validate", 1, 'The argument "iterations" of key_provider.pbkdf2.k', TF_VAR_pass=None)
    # What TF_ENCRYPTION adds need not be there yet.
    p.write("main.tf", CONFIG.replace("passphrase = var.pass", "") % (STATE % ""))
    p.run("validate", 0, "Incomplete encryption configuration", 'The argument "passphrase" of key_provider.pbkdf2.k is not set',
          TF_VAR_pass=None)
    p.run("plan", 1, 'The argument "passphrase" of key_provider.pbkdf2.k is not set')
    p.run("plan", 0, TF_ENCRYPTION='key_provider "pbkdf2" "k" { passphrase = "%s" }' % PASSPHRASE)
    os.mkdir(p.path("child"))
    p.write("child/main.tf", "terraform {\n encryption {\n state {\n method = method.aes_gcm.m\n }\n }\n}\n")
    p.write("main.tf", CONFIG % "" + 'module "child" {\n source = "./child"\n}\n')
    p.run("init", 0)
    p.run("validate", 0, "Encryption configuration ignored", "on child/main.tf line 2")
    p.run("apply -auto-approve", 0, "Encryption configuration ignored")
    assert SECRET in p.read("terraform.tfstate").decode()


APPLIED = """
resource "terraform_data" "n" {
  count = 12
  input = "told to nobody ${count.index}"
  provisioner "local-exec" {
    command = "sleep 0.3; echo ${self.id} >> made.log"
  }
}
"""


def on_server(xplan, kind, block, text_of_all):
    """A run is killed in the middle of an apply, and another one goes on; whatever the server was told is looked at."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import case_server
    with tempfile.TemporaryDirectory() as work:
        try:
            server = case_server.KINDS[kind](os.path.join(work, "server"))
        except case_server.Absent as absent:
            print("skipped: %s" % absent)
            return
        try:
            p = States(xplan)
            env = dict(server.env, TF_IN_AUTOMATION="1")
            config = CONFIG.replace("terraform {", "terraform {\n" + block, 1)
            keys = STATE % "enforced = true"
            if kind == "s3":  # with keys of the server's own
                pbkdf2 = '"pbkdf2" "k" {\n      passphrase = var.pass\n      iterations = 200000\n'
                assert pbkdf2 in config
                kms = '"aws_kms" "k" {\n kms_key_id = "alias/state"\n key_spec = "AES_256"\n encryption_context = { of = "states" }\n'
                config = config.replace(pbkdf2, kms).replace("pbkdf2.k", "aws_kms.k")
            p.write("main.tf", config % keys + APPLIED)
            p.run("init", 0, "uccessfully initialized" if kind == "hcp" else "Successfully configured", **env)
            full = {k: v for k, v in os.environ.items() if not k.startswith("TF_")}
            full.update(env, TF_VAR_pass=PASSPHRASE)
            run = subprocess.Popen([xplan, "apply", "-auto-approve", "-parallelism=3"], cwd=p.folder.name, env=full, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
            while not os.path.exists(p.path("made.log")) or len(open(p.path("made.log")).readlines()) < 4:
                assert run.poll() is None, run.stdout.read().decode()
                time.sleep(0.02)
            run.kill()
            run.communicate()
            made = open(p.path("made.log")).read().split()
            assert SECRET not in text_of_all(server), "the server was told the secret"
            p.leaks()
            lock = subprocess.run([xplan, "plan"], cwd=p.folder.name, env=full, capture_output=True, text=True)
            ids = [line.split()[-1] for line in (lock.stdout + lock.stderr).splitlines() if " ID: " in line]
            if lock.returncode and ids:
                p.run("force-unlock -force " + ids[0], 0, **env)
            pulled = p.run("state pull", 0, **env)
            lost = [i for i in made if i not in pulled]
            assert made and not lost, "lost: %s" % lost
            p.run("apply -auto-approve", 0, "Apply complete!", **env)
            p.run("plan -detailed-exitcode", 0, **env)
            text = server.state("default").strip()
            if kind != "s3":
                assert len(unwrap_state(text)["resources"]) == 2
            assert json.loads(text)["encryption_version"] == "v0" and SECRET not in text_of_all(server)
            p.run("workspace new w", 1 if kind in ("http", "hcp") else 0, **env)
            p.run("apply -auto-approve -target=terraform_data.a", 0, **env)
            assert SECRET not in text_of_all(server), "the server was told the secret"
            p.leaks()
        finally:
            server.close()


def on_http(xplan):
    on_server(xplan, "http", 'backend "http" {}\n', lambda s: open(s.log).read())


def on_pg(xplan):
    on_server(xplan, "pg", 'backend "pg" {}\n',
              lambda s: subprocess.run(["pg_dump", s.url], check=True, capture_output=True, text=True).stdout)


def on_s3(xplan):
    block = 'backend "s3" {\n bucket = "tfb"\n key = "net/terraform.tfstate"\n use_path_style = true\n use_lockfile = true\n' \
        " skip_credentials_validation = true\n skip_requesting_account_id = true\n skip_region_validation = true\n}\n"
    on_server(xplan, "s3", block, lambda s: json.dumps(s.control()))


def on_cloud(xplan):
    """The server gets no JSON form of the state, either."""
    block = 'cloud {\n hostname = "app.example.test"\n organization = "acme"\n workspaces {\n name = "net"\n }\n}\n'
    on_server(xplan, "hcp", block, lambda s: json.dumps(s.control()))


CASES = {f.__name__: f for f in (there_and_back, wrong_files, migration, a_program_gives_keys, states, workspaces, wrong_states, migrating_states,
                                 remote_states, unreadable_files, keys_of_workspaces, moving_between_backends, keys_that_fail_are_named, validating, on_http, on_pg, on_s3, on_cloud)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xplan", required=True)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    given = parser.parse_args()
    failed = 0
    for name in given.cases:
        try:
            CASES[name](os.path.abspath(given.xplan))
        except AssertionError as e:
            failed += 1
            print("FAILED %s: %s" % (name, e))
    print("%d passed, %d failed" % (len(given.cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
