// The review half of plans: no byte of a secret, in whatever form, and what is left still says what changes.
#include <catch2/catch.hpp>

#include "core/review/redact.h"
#include "core/review/redact_sources.h"
#include "core/value/json.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

const std::string kSecret = "hunter2 \"quoted\"\nand a second line";

Value hidden(Value v) {
  return v.with_marks(kSensitive);
}

}  // namespace

TEST_CASE("redaction: tokens have the type of what they stand for, and equal values equal tokens") {
  review::Redactor r("salt");
  const Type number_list = Type::list(Type::number());
  struct Row {
    Value secret;
    Type declared;
    Type expected;
  };
  const Row rows[] = {
      {Value::string("abcdef"), Type::string(), Type::string()},
      {Value::number(12), Type::number(), Type::number()},
      {Value::boolean(true), Type::boolean(), Type::boolean()},
      {Value::list(Type::number(), {Value::number(1)}), number_list, number_list},
      {Value::set(Type::boolean(), {Value::boolean(true)}), Type::set(Type::boolean()),
       Type::set(Type::boolean())},
      {Value::map(Type::string(), {{"key-of-map", Value::string("x")}}), Type::map(Type::string()),
       Type::map(Type::string())},
      {Value::object({{Symbol("user"), Value::string("u")}}), Type::dynamic(), Type::string()},
      {Value::number(12), Type::dynamic(), Type::string()},
  };
  for (const Row& row : rows) {
    const Value token = r.value(hidden(row.secret), row.declared);
    CAPTURE(row.secret.type().friendly_name(), to_json(token.unmark_deep()));
    CHECK(token.has_mark(kSensitive));
    CHECK(token.type() == row.expected);
    CHECK(token.raw_equal(r.value(hidden(row.secret), row.declared)));
    review::Redactor other("other salt");
    const bool few = row.expected == Type::boolean() || row.expected == Type::set(Type::boolean());
    if (!few) CHECK_FALSE(token.raw_equal(other.value(hidden(row.secret), row.declared)));
  }
  CHECK_FALSE(r.value(hidden(Value::string("a")), Type::string())
                  .raw_equal(r.value(hidden(Value::string("b")), Type::string())));
  CHECK_FALSE(r.value(hidden(Value::boolean(true)), Type::boolean())
                  .raw_equal(r.value(hidden(Value::boolean(false)), Type::boolean())));
  CHECK(r.value(hidden(Value::null(Type::string())), Type::string()).is_null());
  CHECK(r.value(hidden(Value::unknown(Type::string())), Type::string()).is_unknown());
  const Value plain = Value::object({{Symbol("a"), Value::string("kept")}});
  CHECK(r.value(plain, plain.type()).raw_equal(plain));
}

TEST_CASE("redaction: sources keep their meaning and their places, and lose their secrets") {
  TestWorld w(R"(
# written for hunter2-value
variable "pw" {
  default   = "other-default" /* not this one */
  sensitive = true
}
locals {
  copy     = "in front hunter2-value behind"
  address  = "https://me:my-token@example.com/${terraform_data.a.id}"
  hunter2x = { "hunter2-value" = 1 }
  text     = <<-EOT
    first
    hunter2-value
  EOT
}
resource "terraform_data" "a" { input = sensitive("hunter2-value") }
)");
  const Plan p = w.plan();
  INFO(w.problems());
  review::Redactor r;
  const Plan redacted = r.plan(p, *w.config, {});
  CHECK(redacted.review);
  const review::SourceMask mask(*w.config, r.secrets());
  const syntax::File& file = *w.config->root->module->files.at(0);
  const std::string text = mask.masked(file);
  CAPTURE(text);
  for (const char* secret : {"hunter2-value", "other-default", "my-token", "not this one"})
    CHECK(text.find(secret) == text.npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == std::count(file.text.begin(), file.text.end(), '\n'));
  CHECK(text.find("sensitive(\"********\")") != text.npos);
  CHECK(text.find("*********") == text.npos);  // nothing of how long they are
  CHECK(text.find("hunter2x") != text.npos);
  CHECK(text.find("${terraform_data.a.id}") != text.npos);
}

TEST_CASE("redaction: JSON sources") {
  TestWorld w("");
  w.fs.files.clear();
  w.fs.files["main.tf.json"] =
      R"({"//": "about hunter2-value", "variable": {"pw": {"default": "other-default", "sensitive": true}},
 "locals": {"a": "${upper(\"hunter2-value\")} and hunter2-value", "b": "${var.pw}"},
 "resource": {"terraform_data": {"a": {"input": "${sensitive(\"hunter2-value\")}"}}}})";
  const Plan p = w.plan();
  INFO(w.problems());
  review::Redactor r;
  (void)r.plan(p, *w.config, {});
  const std::string text =
      review::SourceMask(*w.config, r.secrets()).masked(*w.config->root->module->files.at(0));
  CAPTURE(text);
  CHECK(text.find("hunter2-value") == text.npos);
  CHECK(text.find("other-default") == text.npos);
  CHECK(text.find("${var.pw}") != text.npos);
  CHECK(text.find("${upper(\\\"") != text.npos);
}

TEST_CASE("redaction: names of keys and the number of elements of secrets") {
  struct Row {
    const char *name, *source;
    std::vector<const char*> stays;
  };
  const Row rows[] = {
      {"main.tf",
       R"t(variable "s" {
  sensitive = true
  type      = map(string)
  default   = {
    key_one   = "val-one"
    "key-two" = "val-two"
  }
})t",
       {R"t("********"   = "********")t", "type      = map(string)"}},
      {"main.tf",
       R"t(variable "s" {
  type      = map(object({ user = string, more = optional(list(string)) }))
  default   = { key_one = { user = "val-one", "more" = ["val-two", "val-three"] } }
  ephemeral = true
})t",
       {R"t({ "********" = { user = "********", "more" = ["********"             ] } })t"}},
      {"main.tf",
       R"t(variable "s" {
  type      = object({ user = string, pair = tuple([string, string]) })
  default   = { user = "val-one", pair = ["val-two", "val-three"] }
  sensitive = true
})t",
       {R"t({ user = "********", pair = ["********", "********"] })t"}},
      {"main.tf",
       R"t(locals {
  s = sensitive(jsonencode({ key_one = "val-one", key_two = { "key-three" = 77001 }}))
  t = "in front ${sensitive({ key_one = local.s, "key-two" = 77002, key_three = 77003 })} behind"
  u = sensitive(sensitive(merge({ key_one = 1 }, { (local.s) = "val-one" }, { key_two : 77004 })))
  v = sensitive([<<EOT
val-one
EOT
    , "val-two"])
  w = sensitive("val-one\\")
  x = { plain = 12345 }
})t",
       {R"t("********2" = local.s, "********3" = 1)t", "(local.s) =", "plain = 12345",
        "in front ${sensitive("}},
      {"main.tf",
       R"t(output "s" {
  value     = { key_one = "val-one", key_two = "val-two" }
  sensitive = true
})t",
       {R"t({ "********" = "********"                      })t"}},
      {"main.tf.json",
       R"t({"variable": {"s": {"sensitive": true, "type": "map(string)",
 "default": {"key_one": "val-one", "key-two": "val-two ${"}}},
 "output": {"o": [{"sensitive": true, "value": {"key_one": ["${var.s}", "val-one"], "key-two": 77005}}]}})t",
       {R"t("default": {"********": "********")t",
        R"t({"********2": ["${var.s}", "********"], "********3": 1})t"}},
      {"main.tf.json",
       R"t({"variable": {"s": {"sensitive": true, "type": "object({user = list(string)})",
 "default": {"user": ["val-one", "val-two"]}}}, "//": {"key_one": "val-one"}})t",
       {R"t({"user": ["********"           ]})t"}},
      {"main.tf.json",
       R"t({"locals": {"a": "${sensitive({key_one = \"val-one\", \"key-two\" = 77006})}",
 "b": "x ${sensitive(jsonencode({key_one = local.a, \u0022key-two\u0022 = \u0022val-one\u0022}))} y",
 "c": "${[\"x${sensitive(\"val-one\")}y\", \"<${local.b}>\"]}", "d": "${sensitive(<<EOT\nval-one\nEOT\n)}",
 "e": "${ {plain = 12345} }"}})t",
       {R"t("${sensitive({\"********\" = \"********\")t", "plain = 12345",
        R"t(\"********2\" = local.a, \u0022********3\u0022)t", R"t(\"<${local.b}>\")t"}},
      {"main.tf.json",
       R"t({"output": {"s": {"value": "${ {key_one = \"val-one\"} }", "sensitive": true}}})t",
       {R"t("${ {\"********\" = \"********\"} }")t"}},
  };
  for (const Row& row : rows) {
    TestWorld w("");
    w.fs.files.clear();
    w.fs.files[row.name] = row.source;
    (void)w.plan();
    INFO(w.problems());
    const review::SecretTexts none;
    const std::string text = review::SourceMask(*w.config, none).masked(*w.config->root->module->files.at(0));
    CAPTURE(row.source, text);
    for (const char* secret : {"key_one", "key-two", "key_two", "key_three", "key-three", "val-", "7700"})
      CHECK(text.find(secret) == text.npos);
    for (const char* stays : row.stays) CHECK_THAT(text, Catch::Contains(stays));
    const std::string_view source = row.source;
    CHECK(std::count(text.begin(), text.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
    w.fs.files[row.name] = text;
    (void)w.plan();
    CHECK(w.problems().find("Invalid default") == std::string::npos);
  }
}

TEST_CASE("redaction: texts of secrets are found in every form") {
  review::SecretTexts s;
  s.add(kSecret);
  s.add("abc");  // too short
  struct Row {
    const char* text;
    size_t found;
  };
  const Row rows[] = {{"x hunter2 \"quoted\"\nand a second line y", 1},
                      {R"(x hunter2 \"quoted\"\nand a second line y)", 1},
                      {"    and a second line", 1},
                      {"hunter2 alone", 0},
                      {"abc", 0},
                      {"", 0}};
  for (const Row& row : rows) {
    size_t found = 0;
    const std::string text = row.text;
    s.find(text, 0, text.size(), [&](size_t, size_t, std::string_view secret) {
      ++found;
      CHECK(secret == kSecret);
    });
    CAPTURE(row.text);
    CHECK(found == row.found);
  }
}
