// What a provider is asked to plan. Values are JSON; results are short texts, "-" null and "?" unknown.
#include <catch2/catch.hpp>

#include "core/schema/schema.h"
#include "core/value/json.h"

using namespace xplan;
using schema::Nesting;

namespace {

schema::Attribute attribute(const char* name, bool optional, bool computed) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = Type::string();
  a.optional = optional, a.computed = computed;
  return a;
}

// set: given by the configuration; id: by the provider; both: by either.
std::vector<schema::Attribute> leaves() {
  return {attribute("set", true, false), attribute("id", false, true), attribute("both", true, true)};
}

schema::Block with_nested(Nesting nesting, bool computed) {
  schema::Block b;
  schema::Attribute a = attribute("n", true, computed);
  a.nested = std::make_shared<schema::Object>();
  a.nested->nesting = nesting;
  a.nested->attributes = leaves();
  b.attributes.push_back(a);
  b.freeze();
  return b;
}

schema::Block with_block(Nesting nesting) {
  schema::Block b;
  schema::NestedBlock n;
  n.type_name = Symbol("n");
  n.nesting = nesting;
  n.block = std::make_shared<schema::Block>();
  n.block->attributes = leaves();
  b.blocks.push_back(n);
  b.freeze();
  return b;
}

std::string text(const Value& v) {
  if (v.is_unknown()) return "?";
  if (v.is_null()) return "-";
  if (v.is_string()) return std::string(v.as_string());
  std::string out;
  for (size_t i = 0; i < v.length(); ++i) {
    if (i) out += ' ';
    if (v.kind() == Kind::Obj) out += std::string(v.type().attr_names()[i].sv()) + "=";
    if (v.kind() == Kind::Map) out += std::string(v.map_key(i)) + ":";
    out += text(v.elements()[i]);
  }
  return v.kind() == Kind::Obj ? "{" + out + "}" : "[" + out + "]";
}

#define E(set, id, both) R"({"set":)" set R"(,"id":)" id R"(,"both":)" both "}"

struct Case {
  const char* about;
  schema::Block block;
  const char *prior, *config, *proposed;
};

}  // namespace

TEST_CASE("a proposed object takes from the prior one what the configuration leaves to the provider") {
  const char* config_one = R"({"n":[)" E(R"("s")", "null", "null") "]}";
  const Case cases[] = {
      {"list blocks pair by position", with_block(Nesting::List),
       R"({"n":[)" E(R"("x")", R"("1")", R"("b")") "]}", config_one, "{n=[{both=b id=1 set=s}]}"},
      {"set blocks pair when what is configured is the same", with_block(Nesting::Set),
       R"({"n":[)" E(R"("s")", R"("1")", R"("b")") "]}", config_one, "{n=[{both=b id=1 set=s}]}"},
      {"a changed element of a set is a new one", with_block(Nesting::Set),
       R"({"n":[)" E(R"("x")", R"("1")", R"("b")") "]}", config_one, "{n=[{both=- id=- set=s}]}"},
      {"nested attributes merge", with_nested(Nesting::Single, false),
       R"({"n":)" E(R"("x")", R"("1")", R"("b")") "}", R"({"n":)" E(R"("s")", "null", R"("c")") "}",
       "{n={both=c id=1 set=s}}"},
      {"a computed object that nobody configured stays", with_nested(Nesting::Single, true),
       R"({"n":)" E("null", R"("1")", R"("b")") "}", R"({"n":null})", "{n={both=b id=1 set=-}}"},
      {"a computed object that was configured goes with its configuration",
       with_nested(Nesting::Single, true), R"({"n":)" E(R"("s")", R"("1")", R"("b")") "}", R"({"n":null})",
       "{n=-}"},
      {"the same in a list", with_nested(Nesting::List, true),
       R"({"n":[)" E(R"("s")", R"("1")", R"("b")") "]}", R"({"n":null})", "{n=-}"},
      {"map elements pair by key", with_nested(Nesting::Map, false),
       R"({"n":{"a":)" E(R"("s")", R"("1")", R"("b")") "}}",
       R"({"n":{"a":)" E("null", "null", "null") R"(,"z":)" E("null", "null", "null") "}}",
       "{n=[a:{both=b id=1 set=-} z:{both=- id=- set=-}]}"},
      {"creation leaves computed values null", with_block(Nesting::List), nullptr, config_one,
       "{n=[{both=- id=- set=s}]}"},
  };
  for (const Case& c : cases) {
    INFO(c.about);
    Type t = c.block.implied_type();
    Value prior = c.prior ? *parse_json_as(c.prior, t) : Value::null(t);
    CHECK(text(schema::proposed_new(c.block, prior, *parse_json_as(c.config, t))) == c.proposed);
  }
}

TEST_CASE("a deferred read knows what is configured and nothing else") {
  struct {
    schema::Block block;
    const char *config, *planned;
  } cases[] = {
      {with_nested(Nesting::Single, false), R"({"n":)" E(R"("s")", "null", "null") "}",
       "{n={both=? id=? set=s}}"},
      {with_nested(Nesting::Single, true), R"({"n":null})", "{n=?}"},
      {with_nested(Nesting::List, false), R"({"n":[)" E(R"("s")", "null", R"("b")") "]}",
       "{n=[{both=b id=? set=s}]}"},
      {with_block(Nesting::List), R"({"n":[)" E(R"("s")", "null", "null") "]}", "{n=[{both=? id=? set=s}]}"},
      {with_block(Nesting::Set), R"({"n":[)" E(R"("s")", "null", "null") "]}", "{n=[{both=- id=- set=s}]}"},
      {with_block(Nesting::Single), R"({"n":null})", "{n=-}"},
  };
  for (const auto& c : cases) {
    INFO(c.planned);
    CHECK(text(schema::planned_unknown(c.block, *parse_json_as(c.config, c.block.implied_type()))) ==
          c.planned);
  }
}
