// Decoding bodies against a schema, in both syntaxes and in parts; literal JSON values.
#include <catch2/catch.hpp>
#include <thread>

#include "tests/unit/syntax/dump.h"

using namespace xplan;
using namespace xplan::syntax;

namespace {

struct Decoded {
  SourceTable sources;
  Diagnostics diags;
  std::unique_ptr<File> file;
  Content content;
  std::string text() const {
    std::string out;
    for (const Attribute& a : content.attributes)
      out += std::string(a.name.sv()) + "=" + dump(*a.expr, 0) + " ";
    for (const Block& b : content.blocks) {
      out += b.type.sv();
      for (Symbol l : b.labels) out += ":" + std::string(l.sv());
      out += b.body.is_json() ? "{" + std::to_string(b.body.objects.size()) + "} " : "{} ";
    }
    for (const Diagnostic& d : diags.all()) out += "!" + d.summary;
    return out;
  }
};

BodySchema schema() {
  return {{{"req", true}, {"opt"}, {"lit", false, true}},
          {{"blk", {}}, {"one", {"type"}}, {"two", {"type", "name"}}}};
}

}  // namespace

TEST_CASE("syntax: bodies against a schema") {
  struct {
    const char *text, *result;
  } rows[] = {
      // Native.
      {"req = 1\n", "req=1 "},
      {"opt = 1\n", "opt=1 !Missing required argument"},
      {"req = 1\nblk {}\none a {}\ntwo \"a\" b {}\nblk {}\n", "req=1 blk{} one:a{} two:a:b{} blk{} "},
      {"req = 1\nopts = 2\n", "req=1 !Unsupported argument"},
      {"req = 1\nblk = 2\n", "req=1 !Unsupported argument"},
      {"req = 1\nopt {}\n", "req=1 !Unsupported block type"},
      {"req = 1\none {}\n", "req=1 !Missing block label"},
      {"req = 1\none a b {}\n", "req=1 !Too many block labels"},
      {"req = 1\nlit = \"${a}\"\n", "req=1 lit=(wrap a) "},
      // JSON.
      {R"({"req": 1, "//": {"x": "${"}})", "req=1 "},
      {R"([{"req": 1}, {"opt": "${a}"}])", "req=1 opt=(wrap a) "},
      {R"({"req": null})", "req=null "},
      {R"({"req": 1, "req": 2})", "req=1 !Duplicate argument"},
      {R"([{"req": 1}, {"req": 2}])", "req=1 !Duplicate argument"},
      {R"({"req": 1, "lit": "${ %{"})", "req=1 lit=\"$${ %%{\" "},
      {R"({"req": 1, "x": 2})", "req=1 !Unsupported argument or block type"},
      {R"({"req": 1, "blk": {}})", "req=1 blk{1} "},
      {R"({"req": 1, "blk": []})", "req=1 "},
      {R"({"req": 1, "blk": null})", "req=1 "},
      {R"({"req": 1, "blk": [{}, {}], "blk": {}})", "req=1 blk{1} blk{1} blk{1} "},
      {R"({"req": 1, "blk": [[{}, {}]]})", "req=1 blk{2} "},
      {R"({"req": 1, "blk": 5})", "req=1 !Incorrect JSON value type"},
      {R"({"req": 1, "blk": [5, {}]})", "req=1 blk{1} !Incorrect JSON value type"},
      {R"({"req": 1, "one": {"a": {}, "b": [{}, {}], "a": {}}})",
       "req=1 one:a{1} one:b{1} one:b{1} one:a{1} "},
      {R"({"req": 1, "one": [{"a": {}}, {"b": {}}]})", "req=1 one:a{1} one:b{1} "},
      {R"({"req": 1, "two": {"a": [{"b": {}}, {"c": {}}]}, "blk": {}, "two": [{"d": {"e": {}}}]})",
       "req=1 two:a:b{1} two:a:c{1} blk{1} two:d:e{1} "},
      {R"({"req": 1, "one": {}})", "req=1 !Missing block label"},
      {R"({"req": 1, "one": null})", "req=1 !Missing block label"},
      {R"({"req": 1, "one": [{}, {"a": {}}]})", "req=1 one:a{1} "},
      {R"({"req": 1, "one": "x"})", "req=1 !Incorrect JSON value type"},
      {R"({"req": 1, "one": {"//": "x"}})", "req=1 !Incorrect JSON value type"},
      {R"({"req": {"a": [1, {"b": "${c}"}], "${d}": "x-${e}"}})",
       R"(req=(object "a" (tuple 1 (object "b" (wrap c))) (wrap d) (template "x-" e)) )"},
      {R"({"req": {"a": 1, "a": 2}})", "req=(object \"a\" 1) !Duplicate object key"},
      {R"({"req": "a\u00e9\ud83d\ude80\"\\ ${b["k"]}"})", "!Invalid JSON"},
      {R"({"req": "a\u00e9\ud83d\ude80\"\\ ${b[\"k\"]}"})", R"(req=(template "aé🚀\"\\ " b["k"]) )"},
      {R"({"req": 123456789012345678901234567890.5})", "req=123456789012345678901234567890.5 "},
      {R"({"req": -1e3})", "req=-1000 "},
  };
  for (auto& r : rows) {
    Decoded d;
    std::string text = r.text;
    d.file = text[0] == '{' || text[0] == '[' ? parse_json(d.sources, "x", text, d.diags)
                                              : parse_native(d.sources, "x", text, d.diags);
    if (!d.diags.has_errors()) d.content = decode(d.file->body, schema(), d.diags);
    INFO(r.text);
    CHECK(d.text() == r.result);
  }
}

TEST_CASE("syntax: a body decoded in parts") {
  for (const char* text :
       {"a = 1\nb = 2\nc = 3\nx {}\ny {}\n", R"({"a": 1, "b": 2, "c": 3, "x": {}, "y": {}})"}) {
    INFO(text);
    Decoded d;
    d.file = text[0] == '{' ? parse_json(d.sources, "x", text, d.diags)
                            : parse_native(d.sources, "x", text, d.diags);
    Rest rest, further;
    d.content = decode_partial(d.file->body, {{{"a"}}, {{"x", {}}}}, &rest, d.diags);
    CHECK(d.text().substr(0, 6) == "a=1 x{");
    d.content = decode_partial(rest, {{{"b"}}, {}}, &further, d.diags);
    CHECK(d.text() == "b=2 ");
    d.content = decode(further, {{{"c"}}, {{"y", {}}}}, d.diags);
    CHECK(d.text().substr(0, 6) == "c=3 y{");
    d.content = decode(further, {{}, {{"y", {}}}}, d.diags);
    CHECK(d.diags.error_count() == 1);
    d.diags.clear();
    CHECK(just_attributes(rest, d.diags).size() ==
          (text[0] == '{' ? 3 : 2));  // in JSON only a schema makes y a block
    CHECK(d.diags.error_count() == (text[0] == '{' ? 0 : 1));
  }
}

TEST_CASE("syntax: decoding the same JSON body again gives the same nodes, from any thread") {
  Decoded d;
  d.file = parse_json(d.sources, "x", R"({"req": {"a": "${b.c}"}, "opt": "${"})", d.diags);
  d.content = decode(d.file->body, schema(), d.diags);
  CHECK_FALSE(d.diags.has_errors());
  take_late(*d.file, d.diags);
  take_late(*d.file, d.diags);
  CHECK(d.diags.error_count() == 1);
  const Expr* first = d.content.find("req")->expr;
  std::vector<std::thread> threads;
  std::vector<const Expr*> seen(4);
  for (auto& slot : seen)
    threads.emplace_back([&] {
      Diagnostics diags;
      slot = decode(d.file->body, schema(), diags).find("req")->expr;
    });
  for (auto& t : threads) t.join();
  for (const Expr* e : seen) CHECK(e == first);
}

TEST_CASE("syntax: values taken literally from JSON") {
  Decoded d;
  d.file = parse_json(d.sources, "x", R"({"a": {"s": "${x}", "n": 1.50, "l": [true, null], "s": "last"}})",
                      d.diags);
  std::vector<Attribute> all = just_attributes(d.file->body, d.diags, true);
  REQUIRE(all.size() == 1);
  Value v = literal_json_value(*all[0].json);
  CHECK(v.attr("s").as_string() == "last");
  CHECK(v.attr("n").as_number().text() == "1.5");
  CHECK(v.attr("l").elements()[0].is_true());
  CHECK(v.attr("l").elements()[1].is_null());
}
