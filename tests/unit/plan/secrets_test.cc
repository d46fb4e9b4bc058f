// Secrets in what providers and commands say.
#include "core/plan/secrets.h"

#include <catch2/catch.hpp>

using namespace xplan;

namespace {

Value marked_text(std::string_view s, Marks m = 0) {
  return Value::string(s).with_marks(m);
}

}  // namespace

TEST_CASE("secrets: what was told in confidence is taken out of what is said") {
  const Value told = Value::object({
      {Symbol("open"), marked_text("public")},
      {Symbol("password"), marked_text("hunter2", kSensitive)},
      {Symbol("token"), marked_text("hunter2-more", kEphemeral)},
      {Symbol("pin"), marked_text("42", kSensitive)},
      {Symbol("none"), marked_text("", kSensitive)},
      {Symbol("list"), Value::list(Type::string(), {marked_text("in a list"), marked_text("and more")})
                           .with_marks(kSensitive)},
      {Symbol("port"), Value::number(8080).with_marks(kSensitive)},
      {Symbol("flag"), Value::boolean(true).with_marks(kEphemeral)},
      {Symbol("null"), Value::null(Type::string()).with_marks(kSensitive)},
      {Symbol("later"), Value::unknown(Type::string()).with_marks(kSensitive)},
  });
  struct Row {
    const char *said, *shown;
  };
  for (const Row& r : std::vector<Row>{
           {"", ""},
           {"public", "public"},
           {"hunter2", "(sensitive value)"},
           {"no user \"hunter2\" at hunter2.example.com",
            "no user \"(sensitive value)\" at (sensitive value).example.com"},
           {"hunter2-more", "(sensitive value)"},  // not a part of it with the rest beside it
           {"hunter2hunter2", "(sensitive value)(sensitive value)"},
           {"PIN 42, line 420, 42", "PIN (sensitive value), line 420, (sensitive value)"},
           {"hunter2 is no sensitive value", "(sensitive value) is no sensitive value"},
           {"in a list: and more", "(sensitive value): (sensitive value)"},
       }) {
    CHECK(without_secrets(told, r.said) == r.shown);
    Diagnostics diags;
    diags.warn(r.said, r.said);
    hide_secrets(told, schema::Block(), diags);
    CHECK(diags.all()[0].summary == r.shown);
    CHECK(diags.all()[0].detail == r.shown);
  }
}

TEST_CASE("secrets: what the schema calls sensitive is not shown either") {
  schema::Block block;
  schema::Attribute a;
  a.name = Symbol("key"), a.type = Type::string(), a.optional = true, a.sensitive = true;
  block.attributes.push_back(a);
  block.freeze();
  Diagnostics diags;
  diags.error("Wrong", "The key hunter2 is not valid.");
  hide_secrets(Value::object({{Symbol("key"), marked_text("hunter2")}}), block, diags);
  CHECK(diags.all()[0].detail == "The key (sensitive value) is not valid.");
  for (const Value& nothing :
       {Value(), Value::null(block.implied_type()), Value::unknown(block.implied_type())})
    hide_secrets(nothing, block, diags);
}
