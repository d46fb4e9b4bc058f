// State files: byte-for-byte round trips, optional and unknown members, errors with their position,
// truncated and damaged input, versions 1 to 3.
#include <catch2/catch.hpp>

#include <chrono>
#include <cstring>

#include "core/base/fs.h"
#include "core/state/state.h"
#include "core/value/json.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using store_test::no_types;

namespace {

std::shared_ptr<const std::string> shared(std::string s) {
  return std::make_shared<const std::string>(std::move(s));
}

State must_read(const std::string& text) {
  auto s = read_state(shared(text));
  INFO((s.ok() ? "" : s.error().message));
  REQUIRE(s.ok());
  return std::move(*s);
}

std::string recorded(const std::string& name) {
  auto text = real_fs().read(std::string(TESTDATA) + "/state/" + name);
  REQUIRE(text.ok());
  return *text;
}

std::string nested_modules(int levels) {
  std::string out = "module.m";
  while (--levels > 0) out += ".module.m";
  return out;
}

// A state with one instance object whose members are given, and one resource whose members may be replaced.
std::string with_instance(
    const std::string& instance,
    const std::string& resource =
        R"("mode":"managed","type":"t","name":"a","provider":"provider[\"hashicorp/t\"]")") {
  return R"({"version":4,"serial":5,"lineage":"l","resources":[{)" + resource + R"(,"instances":[)" +
         instance + "]}]}";
}

// A state of format 3 with one resource of this provider configuration.
std::string old_provider(const std::string& address) {
  return R"({"version":3,"modules":[{"path":["root"],"resources":{"t.n":{"primary":{"id":"x"},"provider":")" +
         address + R"("}}}]})";
}

std::string compact(const std::string& text) {  // whitespace outside of strings left out
  std::string out;
  bool in = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in && c == '\\') {
      out += c;
      out += text[++i];
      continue;
    }
    if (c == '"') in = !in;
    if (in || !std::strchr(" \n\t\r", c)) out += c;
  }
  return out;
}

}  // namespace

TEST_CASE("a recorded state file is written back byte for byte") {
  auto names = real_fs().list(std::string(TESTDATA) + "/state");
  REQUIRE(names.ok());
  size_t count = 0;
  for (const std::string& name : *names) {
    if (!name.ends_with(".tfstate")) continue;
    ++count;
    INFO(name);
    std::string text = recorded(name);
    State s = must_read(text);
    CHECK(write_state(s, no_types) == text);
    CHECK(same_content(s, must_read(compact(text)), no_types));
    CHECK(write_state(must_read(compact(text)), no_types) == text);
  }
  CHECK(count >= 5);
}

TEST_CASE("attributes that were decoded are written as they were read") {
  struct Terraform : TypeSource {
    std::optional<Type> type_of(const ProviderAddr&, Mode, Symbol) const override {
      auto d = Type::dynamic();
      return Type::object({{Symbol("id"), Type::string()},
                           {Symbol("input"), d},
                           {Symbol("output"), d},
                           {Symbol("triggers_replace"), d}});
    }
  } types;
  std::string text = recorded("marks_checks_modules.tfstate");
  State s = must_read(text), original = s;
  for (auto& [addr, r] : s.resources) {
    if (addr.resource.mode == Mode::Data) continue;
    for (auto& [key, i] : r.instances) {
      auto o = std::make_shared<Object>(*i.current);
      auto v = parse_json_as(o->attributes_json, *types.type_of({}, {}, {}));
      REQUIRE(v.ok());
      o->value = mark_at_paths(*v, o->sensitive_paths);
      o->attributes_json = {}, o->buffer = nullptr, o->sensitive_paths.clear();
      i.current = o;
    }
  }
  CHECK(same_content(s, original, types));
  CHECK(same_content(original, s, types));
  // The order of sensitive paths is not part of the format; it is the only difference.
  CHECK(write_state(s, types).size() == text.size());
  CHECK(write_state(must_read(write_state(s, types)), types) == write_state(s, types));
  s.outputs[Symbol("str")].sensitive = true;
  CHECK_FALSE(same_content(s, original, types));
}

TEST_CASE("any difference of content is seen") {
  std::string base = with_instance(
      R"({"schema_version":1,"attributes":{"id":"x","n":[1,{"k":true}]},"identity_schema_version":3,"identity":{"name":"who"},"private":"bnVsbA==","dependencies":["a.b"]})");
  struct {
    const char* from;
    const char* to;
    bool same;
  } rows[] = {
      {"\"serial\":5", "\"serial\":6", true},
      {"\"lineage\":\"l\"", "\"lineage\":\"m\"", true},
      {"[1,{", "[1, {", true},
      {"\"id\":\"x\"", "\"id\":\"y\"", false},
      {"true", "false", false},
      {"\"schema_version\":1", "\"schema_version\":2", false},
      {"bnVsbA==", "bnVsbAo=", false},
      {"\"who\"", "\"whom\"", false},
      {"{\"name\":", "{ \"name\": ", true},
      {"\"identity_schema_version\":3", "\"identity_schema_version\":4", false},
      {",\"identity\":{\"name\":\"who\"}", "", false},
      {"a.b", "a.c", false},
      {"\"name\":\"a\"", "\"name\":\"b\"", false},
      {"hashicorp/t", "hashicorp/u", false},
      {"\"schema_version\":1", "\"index_key\":0,\"schema_version\":1", false},
      {"\"schema_version\":1", "\"status\":\"tainted\",\"schema_version\":1", false},
      {"\"schema_version\":1", "\"deposed\":\"00000001\",\"schema_version\":1", false},
      {"\"schema_version\":1", "\"create_before_destroy\":true,\"schema_version\":1", false},
      {"\"schema_version\":1", "\"skip_destroy\":true,\"schema_version\":1", false},
      {"\"schema_version\":1",
       "\"sensitive_attributes\":[[{\"type\":\"get_attr\",\"value\":\"id\"}]],\"schema_version\":1", false},
      {"\"lineage\":\"l\"", "\"outputs\":{\"o\":{\"value\":1,\"type\":\"number\"}}", false},
      {"\"lineage\":\"l\"",
       "\"check_results\":[{\"object_kind\":\"check\",\"config_addr\":\"check.c\",\"status\":\"pass\","
       "\"objects\":null}]",
       false},
  };
  for (auto& r : rows) {
    std::string other = base;
    size_t at = other.find(r.from);
    REQUIRE(at != std::string::npos);
    other.replace(at, std::strlen(r.from), r.to);
    INFO(other);
    CHECK(same_content(must_read(base), must_read(other), no_types) == r.same);
    CHECK(same_content(must_read(other), must_read(base), no_types) == r.same);
  }
}

TEST_CASE("what a state file may leave out or hold besides") {
  struct {
    std::string text;
    const char* resources;
  } rows
      [] =
          {
              {R"({"version":4})", "[]"},
              {"\xEF\xBB\xBF"
               R"({"version":4})",
               "[]"},
              {R"({"version":4,"outputs":null,"resources":null,"check_results":null,"serial":null,"lineage":null,"x":{"y":[1]}})",
               "[]"},
              {R"({"version":4,"terraform_version":"99.0.0-beta1+x","check_results":[]})", "[]"},
              {with_instance(""),
               R"([{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.terraform.io/hashicorp/t\"]","instances":[]}])"},
              {with_instance(
                   R"({"identity":{"b":[1],"a":null},"identity_schema_version":2,"private":"AA=="})"),
               R"([{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.terraform.io/hashicorp/t\"]","instances":[{"schema_version":0,"attributes":{},"sensitive_attributes":[],"identity_schema_version":2,"identity":{"b":[1],"a":null},"private":"AA=="}]}])"},
              {with_instance("{}"),
               R"([{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.terraform.io/hashicorp/t\"]","instances":[{"schema_version":0,"attributes":{},"sensitive_attributes":[]}]}])"},
              {with_instance(
                   R"({"index_key":2,"new_member":{"a":1},"depends_on":["x"],"attributes":{ "z" : "<&>\u003c\u00e9)"
                   "\xE2\x80\xA8"
                   R"(" , "a":[ ], "n":1.50e3, "e":{ }, "z":1 }})"),
               R"([{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.terraform.io/hashicorp/t\"]","instances":[{"index_key":2,"schema_version":0,"attributes":{"z":"\u003c\u0026\u003e\u003c\u00e9\u2028","a":[],"n":1.50e3,"e":{},"z":1},"sensitive_attributes":[]}]}])"},
              {with_instance(
                   R"({"index_key":"k"},{"index_key":1e1},{"deposed":"0000000a"},{"deposed":"00000001"},{},{"index_key":-1})"),
               R"([{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.terraform.io/hashicorp/t\"]","instances":[{"schema_version":0,"attributes":{},"sensitive_attributes":[]},{"deposed":"00000001","schema_version":0,"attributes":{},"sensitive_attributes":[]},{"deposed":"0000000a","schema_version":0,"attributes":{},"sensitive_attributes":[]},{"index_key":-1,"schema_version":0,"attributes":{},"sensitive_attributes":[]},{"index_key":10,"schema_version":0,"attributes":{},"sensitive_attributes":[]},{"index_key":"k","schema_version":0,"attributes":{},"sensitive_attributes":[]}]}])"},
              {with_instance(R"({"attributes_flat":{"b":"1","a":"2"},"status":"tainted","private":"AA==","dependencies":["module.z.a.b","c.d","c.d","module.a.x.y"],"create_before_destroy":true})", R"("module":"module.m[\"k\"]","mode":"managed","type":"t","name":"a","each":"list","provider":"provider.aws.west")"), R"([{"module":"module.m[\"k\"]","mode":"managed","type":"t","name":"a","provider":"provider[\"registry.terraform.io/-/aws\"].west","instances":[{"status":"tainted","schema_version":0,"attributes_flat":{"a":"2","b":"1"},"sensitive_attributes":[],"private":"AA==","dependencies":["c.d","module.a.x.y","module.z.a.b"],"create_before_destroy":true}]}])"},
              {with_instance(
                   R"({"index_key":"a","provider":"provider[\"hashicorp/t\"].by[\"eu\"]"},{"index_key":"b","provider":"provider[\"hashicorp/t\"].by"})",
                   R"("mode":"managed","type":"t","name":"a")"),
               R"([{"mode":"managed","type":"t","name":"a","instances":[{"index_key":"a","provider":"provider[\"registry.terraform.io/hashicorp/t\"].by[\"eu\"]","schema_version":0,"attributes":{},"sensitive_attributes":[]},{"index_key":"b","provider":"provider[\"registry.terraform.io/hashicorp/t\"].by","schema_version":0,"attributes":{},"sensitive_attributes":[]}]}])"},
          };
  for (auto& r : rows) {
    INFO(r.text);
    std::string out = compact(write_state(must_read(r.text), no_types));
    std::string want = std::string("\"resources\":") + r.resources;
    INFO(out);
    CHECK(out.find(want) != std::string::npos);
  }
}

TEST_CASE("names with ill-formed bytes are read as they will be written") {
  const State s = must_read("{\"version\":4,\"outputs\":{\"\x90q\":{\"value\":\"0\",\"type\":\"string\"}}}");
  REQUIRE(s.outputs.size() == 1);
  CHECK(s.outputs.begin()->first.sv() == "\uFFFDq");
}

TEST_CASE("a text that is not a state file is refused with its place") {
  struct {
    std::string text;
    const char* says;
  } rows[] = {
      {"", "line 1, column 1"},
      {" ", "line 1, column 2"},
      {"{ not json", "line 1, column 3"},
      {"{}", "version"},
      {"[]", "object is expected"},
      {"null", "object is expected"},
      {R"({"version":"4"})", "whole number"},
      {R"({"version":4.0})", "whole number"},
      {R"({"version":0})", "whole number"},
      {R"({"version":null})", "version"},
      {R"({"version":5})", "newer"},
      {"{\"version\":4,\n<<<<<<< HEAD\n\"serial\":1\n=======\n\"serial\":2\n>>>>>>> x\n}",
       "unresolved merge conflicts, the first one on line 2."},
      {"<<<<<<< HEAD\n{\"version\":4}\n>>>>>>> x\n", "unresolved merge conflicts, the first one on line 1."},
      {R"({"version":4} x)", "after the end"},
      {R"({"version":4,"serial":-1})", "serial"},
      {R"({"version":4,"serial":"1"})", "serial"},
      {R"({"version":4,"serial":18446744073709551616})", "serial"},
      {R"({"version":4,"terraform_version":"x"})", "version"},
      {R"({"version":4,"lineage":5})", "string is expected"},
      {R"({"version":4,"outputs":[]})", "object is expected"},
      {R"({"version":4,"resources":[],"serial":1,"resources":[]})", "\"resources\" occurs more than once"},
      {R"({"version":4,"outputs":{"a":{"value":1,"value":2,"type":"number"}}})",
       "\"value\" occurs more than once"},
      {R"({"version":4,"outputs":{"a":{"value":1,"type":"number"},"a":{"value":1,"type":"number"}}})",
       "\"a\" occurs more than once"},
      {with_instance(R"({"schema_version":1,"schema_version":1})"),
       "\"schema_version\" occurs more than once"},
      {with_instance("{}",
                     R"("mode":"data","mode":"data","type":"t","name":"a","provider":"provider[\"a\"]")"),
       "\"mode\" occurs more than once"},
      {R"({"version":4,"outputs":{"a":{"value":1}}})", "\"a\""},
      {R"({"version":4,"outputs":{"a":{"value":"x","type":"number"}}})", "\"a\""},
      {R"({"version":4,"outputs":{"a":{"value":1,"type":["foo"]}}})", "\"a\""},
      {R"({"version":4,"resources":{}})", "array is expected"},
      {with_instance("{}", R"("type":"t","name":"a","provider":"provider[\"a\"]")"), "mode"},
      {with_instance("{}", R"("mode":"ephemeral","type":"t","name":"a","provider":"provider[\"a\"]")"),
       "mode"},
      {with_instance("{}", R"("mode":"data","name":"a","provider":"provider[\"a\"]")"), "type"},
      {with_instance("{}", R"("mode":"data","type":"t","name":"a")"), "provider"},
      {with_instance("{}", R"("mode":"data","type":"t","name":"a","provider":"zzz")"), "zzz"},
      {with_instance("{}",
                     R"("mode":"data","type":"t","name":"a","provider":"provider[\"a\"]","module":"m")"),
       "module"},
      {with_instance("{}", R"("mode":"data","type":"t\n","name":"a","provider":"provider[\"a\"]")"),
       "not valid names"},
      {with_instance("{}", R"("mode":"data","type":"t","name":"\u001b[31m","provider":"provider[\"a\"]")"),
       "not valid names"},
      {with_instance("{}", R"("mode":"data","type":"t","name":"a.b","provider":"provider[\"a\"]")"),
       "not valid names"},
      {with_instance("{}", R"("mode":"data","type":"t","name":"a","provider":"provider[\"a\"]","module":")" +
                               nested_modules(101) + '"'),
       "at most 100 levels"},
      {with_instance(R"({"index_key":1.5})"), "1.5"},
      {with_instance(R"({"index_key":true})"), "instance key"},
      {with_instance(R"({"status":"weird"})"), "weird"},
      {with_instance(R"({"deposed":"xyz"})"), "xyz"},
      {with_instance(R"({"schema_version":-1})"), "schema version"},
      {with_instance(R"({"attributes":[1]})"), "object"},
      {with_instance(R"({"attributes":{"a":}})"), "value is expected"},
      {with_instance("{\"attributes\":{\"a\":\"\n\"}}"), "on the next line"},
      {with_instance(R"({"attributes":{"a":01}})"), "leading zeros"},
      {with_instance(R"({"attributes":{"a":"\q"}})"), "escape"},
      {with_instance(R"({"attributes":{"a":1,}})"), "comma after the last"},
      {with_instance(R"({"attributes_flat":{"a":1}})"), "string"},
      {with_instance(R"({"private":"!!"})"), "base64"},
      {with_instance(R"({"dependencies":["zz"]})"), "zz"},
      {with_instance(R"({"dependencies":["a.b[0]"]})"), "a.b[0]"},
      {with_instance(R"({"sensitive_attributes":[[{"type":"foo"}]]})"), "foo"},
      {with_instance(R"({"sensitive_attributes":["x"]})"), "array"},
      {with_instance("{},{}"), "t.a"},
      {with_instance(R"({"deposed":"00000001"},{"deposed":"00000001"})"), "00000001"},
      {with_instance(R"({"attributes":{"a":)" + std::string(5000, '[') + std::string(5000, ']') + "}}"),
       "deep"},
      {R"({"version":3,"modules":[{"path":["root"],"resources":{"junk":{"type":"t","primary":{"id":"x"}}}}]})",
       "junk"},
      {R"({"version":3,"modules":[{"path":[]}]})", "root"},
      {R"({"version":3,"modules":[{"path":["root","a.b"]}]})", "consist of names"},
      {R"({"version":2,"terraform_version":"1.11/4"})", "\"1.11/4\" is not a valid version number"},
      {old_provider("provider.a b"), "t.n"},
      {old_provider("provider.a.west.b"), "t.n"},
      {old_provider("module.a[2].provider.a"), "t.n"},
      {old_provider("xmodule.a[2].module.b.a"), "t.n"},
      {R"({"version":3,"modules":[{"path":["root"],"resources":{"[.n":{"primary":{"id":"x"}}}}]})", "[.n"},
  };
  for (auto& r : rows) {
    INFO(r.text.substr(0, 300));
    auto s = read_state(shared(r.text));
    REQUIRE_FALSE(s.ok());
    INFO(s.error().message);
    CHECK(s.error().message.find(r.says) != std::string::npos);
  }
}

TEST_CASE("a state file that ends too early is refused wherever it ends") {
  std::string text = recorded("marks_checks_modules.tfstate");
  while (text.back() == '\n') text.pop_back();
  for (size_t n = 0; n < text.size(); n += n < 1000 || n > text.size() - 1000 ? 1 : 37) {
    if (read_state(shared(text.substr(0, n))).ok()) FAIL("read with " << n << " bytes");
  }
}

TEST_CASE("bytes changed at random never do worse than an error") {
  std::string text = recorded("deposed.tfstate");
  uint32_t seed = 1;
  auto next = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 8; };
  for (int i = 0; i < 3000; ++i) {
    std::string t = text;
    for (int k = 0; k < 3; ++k) t[next() % t.size()] = static_cast<char>(next());
    auto s = read_state(shared(t));
    if (s.ok()) (void)write_state(*s, no_types);
  }
}

TEST_CASE("files of the formats 1 to 3 are taken over") {
  std::string text = R"({"version":3,"terraform_version":"0.11.14","serial":3,"lineage":"l","modules":[
    {"path":["root"],"outputs":{"o":{"sensitive":true,"type":"list","value":["v","w"]},"m":{"type":"map","value":{"a":"b"}},"s":"plain"},
     "resources":{
      "aws_instance.a.0":{"type":"aws_instance","depends_on":["aws_x.y"],"primary":{"id":"x","attributes":{"id":"x","tags.%":"1"},
        "meta":{"schema_version":"2","e2":{"create":60}},"tainted":true},"deposed":[{"id":"old","attributes":{"id":"old"},"meta":{}}],"provider":"provider.aws.west"},
      "aws_instance.a.1":{"type":"aws_instance","primary":{"id":"y"},"deposed":[],"provider":"provider.aws.west"},
      "data.aws_ami.q":{"type":"aws_ami","primary":{"id":"ami","attributes":{"id":"ami"}},"provider":"module.child.provider.aws"},
      "terraform_x.n":{"type":"terraform_x","primary":null,"provider":""}}},
    {"path":["root","child","deep"],"outputs":{"x":"y"},"resources":{"aws_vpc.v":{"primary":{"id":"v","attributes":{"id":"v"}},"provider":""}}}]})";
  State s = must_read(text);
  CHECK(s.serial == 3);
  CHECK(s.lineage == "l");
  CHECK(s.outputs.size() == 3);
  CHECK(s.outputs[Symbol("o")].sensitive);
  CHECK(s.outputs[Symbol("o")].value.type() == Type::list(Type::string()));
  CHECK(s.outputs[Symbol("m")].value.type() == Type::map(Type::string()));
  CHECK(
      compact(write_state(s, no_types))
          .find(
              R"("resources":[{"mode":"data","type":"aws_ami","name":"q","provider":"module.child.provider[\"registry.terraform.io/-/aws\"]","instances":[{"schema_version":0,"attributes_flat":{"id":"ami"},"sensitive_attributes":[]}]},)"
              R"({"mode":"managed","type":"aws_instance","name":"a","provider":"provider[\"registry.terraform.io/-/aws\"].west","instances":[{"index_key":0,"status":"tainted","schema_version":2,"attributes_flat":{"id":"x","tags.%":"1"},"sensitive_attributes":[],"private":"eyJlMiI6eyJjcmVhdGUiOjYwfX0="},)"
              R"({"index_key":0,"deposed":"00000001","schema_version":0,"attributes_flat":{"id":"old"},"sensitive_attributes":[]},{"index_key":1,"schema_version":0,"attributes_flat":{"id":"y"},"sensitive_attributes":[]}]},)"
              R"({"mode":"managed","type":"terraform_x","name":"n","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[]},)"
              R"({"module":"module.child.module.deep","mode":"managed","type":"aws_vpc","name":"v","provider":"provider[\"registry.terraform.io/-/aws\"]","instances":[{"schema_version":0,"attributes_flat":{"id":"v"},"sensitive_attributes":[]}]}])") !=
      std::string::npos);
}

TEST_CASE("instances are found, made and taken away") {
  State s;
  auto a = *parse_abs_instance("module.m[0].t.a[\"k\"]"), b = *parse_abs_instance("module.m[0].t.a[\"l\"]");
  auto p = *parse_provider_config_addr("provider[\"hashicorp/t\"]");
  CHECK(s.find(a) == nullptr);
  s.ensure(a, p).current = std::make_shared<Object>();
  s.ensure(b, {}).deposed["00000001"] = std::make_shared<Object>();
  CHECK(s.resources.begin()->second.provider == p);
  CHECK(s.find(a)->current);
  s.erase_if_empty(a);
  CHECK(s.find(a));
  s.find(a)->current = nullptr;
  s.erase_if_empty(a);
  CHECK_FALSE(s.find(a));
  s.remove(b);
  CHECK(s.empty());
}

TEST_CASE("state: objects of very many members take no longer for each of them") {
  std::string text = R"({"version":4)";
  for (int n = 0; n < 60'000; ++n) text += ",\"unknown" + std::to_string(n) + "\":1";
  const auto begin = std::chrono::steady_clock::now();
  CHECK(read_state(std::make_shared<const std::string>(text + "}")));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
  for (const char* name : {"unknown3", "unknown59999"}) {
    const auto twice = read_state(std::make_shared<const std::string>(text + ",\"" + name + "\":1}"));
    REQUIRE(!twice);
    CHECK(twice.error().message.find(std::string(name) + "\" occurs more than once") != std::string::npos);
  }
}
