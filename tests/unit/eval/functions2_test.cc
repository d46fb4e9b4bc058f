// Functions of encodings, digests, files, templates and YAML: what the cases of expressions cannot show,
// because it is random, large, hostile, or depends on settings of the run.
#include <crypt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/eval/functions/gzip.h"
#include "core/syntax/body.h"
#include "tests/unit/eval/scope.h"

namespace {
using namespace xplan;
namespace fs = std::filesystem;

struct Answer {
  Value value;
  std::string errors;
};

struct Runner {
  eval::FunctionTable functions;
  eval::NamesScope scope{functions};
  fs::path dir;

  Runner() {
    eval::register_core_functions(functions);
    eval::register_builtin_provider_functions(functions, "mine");
    dir = fs::temp_directory_path() / ("xplan-functions-" + std::to_string(getpid()));
    fs::remove_all(dir);
    fs::create_directories(dir);
    functions.base_dir = dir.string();
    functions.now = functions.plan_time = "2024-05-06T07:08:09Z";
  }
  ~Runner() { fs::remove_all(dir); }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((dir / name).parent_path());
    std::ofstream(dir / name, std::ios::binary) << text;
  }
  void name(std::string_view n, Value v) { scope.names.emplace_back(Symbol(n), std::move(v)); }
  Answer operator()(const std::string& text) const {
    SourceTable sources;
    Diagnostics diags;
    const syntax::Expr* e = nullptr;
    auto file = syntax::parse_expression(sources, "test", text, e, diags);
    Answer a;
    if (e && !diags.has_errors()) a.value = eval::evaluate(*e, scope, diags);
    for (const Diagnostic& d : diags.all()) a.errors += d.summary + ": " + d.detail + "\n";
    return a;
  }
  std::string str(const std::string& text) const {
    Answer a = (*this)(text);
    INFO(text << "\n" << a.errors);
    CHECK(a.errors.empty());
    return a.value.is_string() ? std::string(a.value.as_string()) : eval::console_text(a.value);
  }
  std::string error(const std::string& text) const {
    Answer a = (*this)(text);
    INFO(text);
    CHECK(!a.errors.empty());
    return a.errors;
  }
};

// A repeatable stream of numbers.
struct Numbers {
  uint32_t state = 1;
  uint32_t operator()(uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  }
};
}  // namespace

TEST_CASE("gzip: the bytes are those of every earlier version") {
  std::string zeros(200000, 'a'), digits, words, skewed;
  Numbers next;
  while (digits.size() < 150000) digits += char('0' + next(10));
  const char* kWords[] = {"the ", "quick ", "brown ", "fox\n", "jumps "};
  while (words.size() < 150000) words += kWords[next(5)];
  for (int i = 0; i < 60000; i++) skewed += "aaaaaaaaaaaaaaaabbbbbcdefgh"[next(27)];
  struct Row {
    const char* name;
    std::string text;
    size_t size;
    const char* md5;
  };
  const Row kRows[] = {
      {"empty", "", 28, "af25f9c8f2e40dc0d20cdd434f481a43"},
      {"zeros", zeros, 239, "2b16f639586194b96b1b889bc6637f28"},
      {"digits", digits, 70196, "1d637b5ddf73e18bd79197e863a04ded"},
      {"words", words, 15425, "977e99550adf1dc1ac5432fb228b3830"},
      {"far repetition", digits.substr(0, 33000) + digits.substr(0, 33000), 31064,
       "5ce38305012a5628b28667da7a6fed2e"},
      {"skewed", skewed, 18786, "b08bafe65d767a855c62edc099dcc580"},
  };
  for (const Row& r : kRows) {
    std::string bytes = eval::gzip(r.text);
    INFO(r.name);
    CHECK(bytes.size() == r.size);
    CHECK(hex_encode(digest(Digest::Md5, bytes)) == r.md5);
  }
}

TEST_CASE("random functions: shapes, and unknown during a plan") {
  Runner run;
  std::string id = run.str("uuid()");
  CHECK(id.size() == 36);
  CHECK((id[8] == '-' && id[13] == '-' && id[18] == '-' && id[23] == '-'));
  CHECK(run.str("uuid()") != id);
  std::string hash = run.str("bcrypt(\"correct horse\", 4)");
  CHECK(hash.substr(0, 7) == "$2a$04$");
  CHECK(run.str("bcrypt(\"correct horse\", 4)") != hash);
  crypt_data scratch = {};
  CHECK(hash == crypt_r("correct horse", hash.c_str(), &scratch));
  CHECK(run.error("bcrypt(\"a\\u0000b\", 4)").find("NUL") != std::string::npos);
  CHECK(run.str("timestamp()") == "2024-05-06T07:08:09Z");
  CHECK(run.str("plantimestamp()") == "2024-05-06T07:08:09Z");
  run.functions.pure = true;
  run.functions.plan_time.clear();
  for (const char* call :
       {"timestamp()", "uuid()", "bcrypt(\"x\")", "bcrypt(\"x\", 99)", "plantimestamp()"}) {
    INFO(call);
    Answer a = run(call);
    CHECK(a.errors.empty());
    CHECK(a.value.is_unknown());
    CHECK(a.value.type() == Type::string());
    CHECK(a.value.is_definitely_not_null() == (std::string(call) != "plantimestamp()"));
  }
  run.functions.pure = false;
  run.error("plantimestamp()");
}

TEST_CASE("what is known of an unknown result") {
  Runner run;
  run.name("u", Value::unknown(Type::string(), {.not_null = true}));
  run.name("any", Value::unknown(Type::string()));
  auto prefix = [&](const char* e) { return run(e).value.refinement().prefix; };
  CHECK(prefix("jsonencode({ a = u })") == "{");
  CHECK(prefix("jsonencode([u])") == "[");
  CHECK(prefix("jsonencode(u)") == "\"");
  CHECK(prefix("jsonencode(any)") == "");
  CHECK(run("jsondecode(\"\\\"${u}\")").value.type() == Type::string());
  CHECK(run("regex(\"(?P<n>x)\", any)").value.type().is_object());
  CHECK(run("regexall(\"x\", any)").value.type() == Type::list(Type::string()));
  CHECK(run("regexall(any, \"x\")").value.type() == Type::list(Type::dynamic()));
  CHECK_FALSE(run("yamlencode([u])").value.is_definitely_not_null());
  CHECK(run("sha256(any)").value.is_definitely_not_null());
  CHECK_FALSE(run("provider::mine::encode_expr(any)").value.is_definitely_not_null());
}

TEST_CASE("files: what is not a regular file is refused at once") {
  Runner run;
  run.write("a.txt", "text");
  mkfifo((run.dir / "pipe").c_str(), 0600);
  fs::create_symlink("/dev/zero", run.dir / "zero");
  for (const char* f : {"file", "filebase64", "filemd5", "filebase64sha512", "fileexists"}) {
    for (const char* what : {"pipe", "zero", "."}) run.error(std::string(f) + "(\"" + what + "\")");
  }
  run.error("templatefile(\"zero\", {})");
  CHECK(run.str("fileset(\".\", \"*\")").find("pipe") == std::string::npos);
  CHECK(run.error("file(\"none\")").find("no file \\\"") == std::string::npos);
  CHECK(run.str("file(\"/dev/null\")").empty());
  CHECK(run.error("file(\"/dev/zero\")").find("a device") != std::string::npos);
}

TEST_CASE("files: paths start at the base directory") {
  Runner run;
  run.write("sub/a.txt", "text");
  run.functions.base_dir = (run.dir / "sub").string();
  CHECK(run.str("file(\"a.txt\")") == "text");
  CHECK(run.str("file(\"../sub/./a.txt\")") == "text");
  CHECK(run.str("abspath(\"a.txt\")") == (run.dir / "sub/a.txt").string());
  CHECK(run.str("join(\",\", fileset(\".\", \"**\"))") == "a.txt");
  CHECK(run.str("join(\",\", fileset(\"..\", \"**\"))") == "sub/a.txt");
  setenv("HOME", run.dir.c_str(), 1);
  CHECK(run.str("file(\"~/sub/a.txt\")") == "text");
  CHECK(run.str("pathexpand(\"~/x\")") == (run.dir / "x").string());
}

TEST_CASE("files: a secret path does not get into a message") {
  Runner run;
  run.name("secret", Value::string("hush-hush.txt").with_marks(kSensitive));
  for (const char* f : {"file", "filesha1", "filebase64"}) {
    CHECK(run.error(std::string(f) + "(secret)").find("hush") == std::string::npos);
  }
  CHECK(run.error("templatefile(secret, {})").find("hush") == std::string::npos);
  CHECK(run.error("rsadecrypt(\"eA==\", secret)").find("hush") == std::string::npos);
}

TEST_CASE("fileset: links that lead in a circle end") {
  Runner run;
  run.write("d/x.txt", "");
  run.write("d/e/y.txt", "");
  fs::create_symlink("..", run.dir / "d/e/up");
  fs::create_symlink(".", run.dir / "d/self");
  CHECK(run.str("join(\",\", fileset(\"d\", \"**\"))") == "e/y.txt,x.txt");
  CHECK(run.str("join(\",\", fileset(\"d\", \"**/y.txt\"))") == "e/y.txt");
}

TEST_CASE("fileset: patterns that could take forever are refused") {
  Runner run;
  run.write(std::string(200, 'a'), "");
  std::string stars, braces;
  for (int i = 0; i < 60; i++) stars += "*a", braces += "{a,aa}";
  CHECK(run.error("fileset(\".\", \"" + stars + "*b\")").find("too many") != std::string::npos);
  CHECK(run.error("fileset(\".\", \"" + braces + "b\")").find("too many") != std::string::npos);
}

TEST_CASE("templates: hostile ones end in a message") {
  Runner run;
  run.write("self.tpl", "${templatefile(\"self.tpl\", {})}");
  run.write("grow.tpl", "%{for a in r}${x}%{endfor}");
  run.write("deep.tpl", std::string(5000, '('));
  std::string nested;
  for (int i = 0; i < 3000; i++) nested += "%{if true}";
  run.write("nested.tpl", nested);
  std::string parens = "${" + std::string(20000, '(') + "1" + std::string(20000, ')') + "}";
  run.write("parens.tpl", parens);
  CHECK(run.error("templatefile(\"self.tpl\", {})").find("outside") != std::string::npos);
  run.error(
      "templatefile(\"grow.tpl\", { r = range(1000), x = join(\"\", [for i in range(100) : join(\"\", "
      "range(1000))]) })");
  CHECK(run.str("templatefile(\"deep.tpl\", {})").size() == 5000);
  run.error("templatefile(\"nested.tpl\", {})");
  run.error("templatefile(\"parens.tpl\", {})");
}

TEST_CASE("templates: problems name the place in the template") {
  Runner run;
  run.write("bad.tpl", "one\ntwo ${upper(1, 2)}\n");
  run.write("missing.tpl", "one\n  ${who}\n");
  std::string e = run.error("templatefile(\"bad.tpl\", {})");
  CHECK(e.find("bad.tpl line 2") != std::string::npos);
  e = run.error("templatefile(\"missing.tpl\", { other = 1 })");
  CHECK(e.find("\"who\" (missing.tpl line 2, column 5)") != std::string::npos);
}

TEST_CASE("templatestring: strings from elsewhere") {
  Runner run;
  run.name("t", Value::string("hello ${who}"));
  run.name("one", Value::string("${who}"));
  run.name("inner", Value::string("${templatefile(\"a.tpl\", {})}"));
  run.write("a.tpl", "x");
  CHECK(run.str("templatestring(t, { who = \"you\" })") == "hello you");
  CHECK(run.str("templatestring(one, { who = true })") == "true");
  CHECK(run("templatestring(t, { who = \"you\", z = sensitive(1) })").value.has_mark(kSensitive));
  for (const char* bad :
       {"templatestring(one, { who = [1] })", "templatestring(one, { who = null })", "templatestring(t, {})",
        "templatestring(t, null)", "templatestring(t, \"x\")", "templatestring(inner, {})",
        "templatestring(\"x\", {})", "templatestring(t, { \"a b\" = 1 })"}) {
    run.error(bad);
  }
}

TEST_CASE("decoders: deep and repetitive input ends in a message") {
  Runner run;
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; i++) {
    std::string prev = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [" + prev;
    for (int k = 0; k < 9; k++) bomb += ", " + prev;
    bomb += "]\n";
  }
  run.name("bomb", Value::string(bomb));
  CHECK(run.error("yamldecode(bomb)").find("too large") != std::string::npos);
  std::string merges = "z: &z\n";
  for (int i = 0; i < 10000; i++) merges += "  k" + std::to_string(i) + ": 1\n";
  merges += "all:\n";
  for (int i = 0; i < 1000; i++) merges += "  m" + std::to_string(i) + ": {<<: *z}\n";
  run.name("merges", Value::string(merges));
  CHECK(run.error("yamldecode(merges)").find("merge keys (<<) expanded, the document is too large") !=
        std::string::npos);
  run.name("brackets", Value::string(std::string(100000, '[') + std::string(100000, ']')));
  run.error("yamldecode(brackets)");
  run.error("jsondecode(brackets)");
  std::string dashes;
  for (int i = 0; i < 5000; i++) dashes += "- ";
  run.name("dashes", Value::string(dashes));
  run.error("yamldecode(dashes)");
  run.name("braces", Value::string("a = " + std::string(100000, '{')));
  run.error("provider::mine::decode_tfvars(braces)");
  run.name("groups", Value::string(std::string(100000, '(') + std::string(100000, ')')));
  run.error("regex(groups, \"\")");
  std::string many;
  for (int i = 0; i < 20000; i++) many += "()";
  run.name("many", Value::string(many));
  run.error("regex(many, \"\")");
  run.name("letters", Value::string(std::string(2000, 'a')));
  CHECK(run.str("length(regexall(\"(a*)*b|a\", letters))") == "2000");
}
