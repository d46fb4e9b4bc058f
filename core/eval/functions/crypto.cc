// Digest functions of strings (md5, sha1, sha256, sha512 and their base64 forms), bcrypt, uuid, uuidv5 and
// rsadecrypt.
#include <openssl/rand.h>

#include <cstdio>
#include <cstring>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/eval/function.h"
#include "core/eval/functions/password_hash.h"
#include "core/eval/functions/rsa.h"

namespace xplan::eval {

namespace {

template <Digest kKind, bool kBase64>
Value fn_digest(std::span<const Value> a, const CallContext&, CallError& error) {
  std::string d = digest(kKind, a[0].as_string());
  if (d.empty()) error = {"this machine's cryptographic library does not support the digest", -1};
  return Value::string(kBase64 ? base64_encode(d) : hex_encode(d));
}

Value fn_uuid(std::span<const Value>, const CallContext& ctx, CallError& error) {
  if (ctx.pure) return Value::unknown(Type::string(), {.not_null = true});
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) {
    error = {"the system returned no random numbers", -1};
    return {};
  }
  return Value::string(uuid_text({reinterpret_cast<char*>(bytes), sizeof bytes}));
}

// The usual ways to write a UUID: plain, without dashes, in one pair of any brackets, or as urn:uuid:….
bool parse_uuid(std::string_view s, std::string& bytes) {
  if (s.size() == 45) {
    std::string head(s.substr(0, 9));
    for (char& c : head) c = char(c >= 'A' && c <= 'Z' ? c | 32 : c);
    if (head != "urn:uuid:") return false;
    s.remove_prefix(9);
  } else if (s.size() == 38) {
    s = s.substr(1, 36);
  }
  bool dashes = s.size() == 36;
  if (!dashes && s.size() != 32) return false;
  int nibble = -1;
  bytes.clear();
  for (size_t i = 0; i < s.size(); i++) {
    if (dashes && (i == 8 || i == 13 || i == 18 || i == 23)) {
      if (s[i] != '-') return false;
      continue;
    }
    int v = hex_digit(s[i]);
    if (v < 0) return false;
    if (nibble < 0) {
      nibble = v;
    } else {
      bytes += char(nibble << 4 | v);
      nibble = -1;
    }
  }
  return bytes.size() == 16;
}

Value fn_uuidv5(std::span<const Value> a, const CallContext&, CallError& error) {
  struct Known {
    std::string_view name, uuid;
  };
  constexpr Known kKnown[] = {{"dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
                              {"url", "6ba7b811-9dad-11d1-80b4-00c04fd430c8"},
                              {"oid", "6ba7b812-9dad-11d1-80b4-00c04fd430c8"},
                              {"x500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8"}};
  std::string_view space = a[0].as_string();
  for (const Known& k : kKnown) {
    if (space == k.name) space = k.uuid;
  }
  std::string bytes;
  if (!parse_uuid(space, bytes)) {
    error = {"the namespace must be \"dns\", \"url\", \"oid\", \"x500\" or a UUID", 0};
    return {};
  }
  bytes += a[1].as_string();
  std::string d = digest(Digest::Sha1, bytes).substr(0, 16);
  d[6] = char((d[6] & 0x0F) | 0x50);
  d[8] = char((d[8] & 0x3F) | 0x80);
  return Value::string(uuid_text(d));
}

Value fn_bcrypt(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  constexpr int64_t kDefaultCost = 10, kMinCost = 4, kMaxCost = 31;
  constexpr size_t kMaxPassword = 72;
  if (ctx.pure) return Value::unknown(Type::string(), {.not_null = true});
  int64_t cost = kDefaultCost;
  if (a.size() > 2) {
    error = {"at most a string and a cost can be passed", -1};
    return {};
  }
  if (a.size() == 2) {
    std::optional<int64_t> n = a[1].as_number().exact_int64();
    if (!n || *n > kMaxCost) {
      error = {"the cost must be a whole number of at most 31", 1};
      return {};
    }
    cost = *n < kMinCost ? kDefaultCost : *n;
  }
  std::string password(a[0].as_string());
  if (password.size() > kMaxPassword) {
    error = {"the string is longer than the 72 bytes that bcrypt can hash", 0};
    return {};
  }
  if (password.find('\0') != std::string::npos) {
    error = {"the string contains a NUL character, after which bcrypt would ignore the rest", 0};
    return {};
  }
  // 128 random bits in the alphabet of crypt(3); two of the 22 characters' last bits stay zero.
  constexpr char kAlphabet[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  unsigned char random[22];
  if (RAND_bytes(random, sizeof random) != 1) {
    error = {"the system returned no random numbers", -1};
    return {};
  }
  char setting[32];
  int n = std::snprintf(setting, sizeof setting, "$2a$%02d$", int(cost));
  for (size_t i = 0; i < sizeof random; i++)
    setting[n++] = kAlphabet[i == 21 ? random[i] & 48 : random[i] & 63];
  setting[n] = 0;
  constexpr int64_t kLongCost = 13;  // half a second
  std::string hash;
  switch (password_hash(password, setting, cost >= kLongCost, ctx, hash)) {
    case HashResult::Made:
      return Value::string(hash);
    case HashResult::Unsupported:
      error = {"this machine's password library does not support bcrypt", -1};
      break;
    case HashResult::Stopped:
      return give_up(error);
  }
  return {};
}

Value fn_rsadecrypt(std::span<const Value> a, const CallContext&, CallError& error) {
  std::string cipher, out, message;
  if (!base64_decode(a[0].as_string(), cipher)) {
    error = {"the string to decrypt is not valid base64", 0};
    return {};
  }
  switch (rsa_decrypt(cipher, a[1].as_string(), out, message)) {
    case RsaProblem::None:
      return Value::string(out);
    case RsaProblem::Key:
      error = {message, 1};
      break;
    case RsaProblem::Text:
      error = {message, 0};
      break;
  }
  return {};
}

}  // namespace

void register_crypto(FunctionTable& table) {
  const Type str = Type::string();
  struct Row {
    std::string_view name;
    Impl impl;
    std::string_view description;
  };
  constexpr Row kDigests[] = {
      {"md5", fn_digest<Digest::Md5, false>, "The MD5 digest of a string, in hexadecimal."},
      {"sha1", fn_digest<Digest::Sha1, false>, "The SHA-1 digest of a string, in hexadecimal."},
      {"sha256", fn_digest<Digest::Sha256, false>, "The SHA-256 digest of a string, in hexadecimal."},
      {"sha512", fn_digest<Digest::Sha512, false>, "The SHA-512 digest of a string, in hexadecimal."},
      {"base64sha256", fn_digest<Digest::Sha256, true>, "The SHA-256 digest of a string, in base64."},
      {"base64sha512", fn_digest<Digest::Sha512, true>, "The SHA-512 digest of a string, in base64."}};
  for (const Row& r : kDigests) {
    table.add({.name = r.name,
               .params = {{"str", str}},
               .returns = str,
               .impl = r.impl,
               .description = r.description});
  }
  table.add(
      {.name = "uuid", .returns = str, .impl = fn_uuid, .description = "A new random UUID for every call."});
  table.add({.name = "uuidv5",
             .params = {{"namespace", str}, {"name", str}},
             .returns = str,
             .impl = fn_uuidv5,
             .description = "The version 5 UUID of a name in a namespace."});
  table.add({.name = "bcrypt",
             .params = {{"str", str}},
             .variadic = Param{"cost", Type::number()},
             .returns = str,
             .impl = fn_bcrypt,
             .description = "A salted bcrypt hash of a string, different for every call."});
  table.add({.name = "rsadecrypt",
             .params = {{"ciphertext", str}, {"privatekey", str}},
             .returns = str,
             .impl = fn_rsadecrypt,
             .description = "Decrypts a base64 string with an RSA private key."});
}

}  // namespace xplan::eval
