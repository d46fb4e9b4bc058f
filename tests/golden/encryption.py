#!/usr/bin/env python3
"""Encrypted plan files, checked by an implementation that shares nothing with the program: Python's hashlib and the openssl command.

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
    wrong = "either the key is not the one that it was encrypted with, or it was changed since."
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
    p.run("show p.bin", 1, 'the program "./keys.sh" failed: it ended with exit status 7', TF_ENCRYPTION=block)


def states(xplan):
    p = Place(xplan)
    p.write("main.tf", CONFIG % (PLAN % "").replace("plan", "state"))
    p.run("plan", 1, "Encryption of states is not supported yet")
    for command in ("init", "apply -auto-approve", "state list", "state rm terraform_data.a", "import terraform_data.a x", "workspace new w",
                    "untaint terraform_data.a", "output"):
        p.run(command, 1, "Encryption of states is not supported yet")
    assert not os.path.exists(p.path("terraform.tfstate"))


CASES = {f.__name__: f for f in (there_and_back, wrong_files, migration, a_program_gives_keys, states)}


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
