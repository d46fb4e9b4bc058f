// Paths: text, look-up, update, marks, order, walking and transforming.
#include "core/value/path.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace xplan;

namespace {

const Type S = Type::string();

PathStep a(std::string_view name) {
  return PathStep::of_attr(name);
}
PathStep i(int64_t n) {
  return PathStep::of_index(Value::number(n));
}
PathStep k(std::string_view key) {
  return PathStep::of_index(Value::string(key));
}

Value s(std::string_view t) {
  return Value::string(t);
}
Value secret(std::string_view t) {
  return s(t).with_marks(kSensitive);
}

Value sample() {
  return Value::object(
      {{Symbol("name"), s("n")},
       {Symbol("tags"), Value::map(S, {{"x", s("1")}, {"y", secret("2")}})},
       {Symbol("rules"), Value::tuple({s("r0"), Value::object({{Symbol("port"), Value::number(80)}})})},
       {Symbol("zones"), Value::set(S, {s("a"), secret("b")})},
       {Symbol("later"), Value::unknown(Type::list(S))},
       {Symbol("none"), Value::null(S)}});
}

}  // namespace

TEST_CASE("a path is written as it would be in an expression") {
  CHECK(path_text({}) == "");
  CHECK(path_text({a("rules"), i(0), a("port")}) == ".rules[0].port");
  CHECK(path_text({a("tags"), k("a \"b\"")}) == ".tags[\"a \\\"b\\\"\"]");
  CHECK(path_text({a("zones"), PathStep::of_index(Value::tuple({s("a")}))}) == ".zones[...]");
  CHECK(path_text({PathStep::of_index(secret("k"))}) == "[...]");
}

TEST_CASE("a path leads to a value, to nothing, or into what is not known") {
  Value v = sample();
  auto get = [&](Path p) { return path_get(v, p); };
  CHECK(get({})->raw_equal(v));
  CHECK(get({a("name")})->as_string() == "n");
  CHECK(get({k("name")})->as_string() == "n");
  CHECK(get({a("tags"), k("x")})->as_string() == "1");
  CHECK(get({a("tags"), a("x")})->as_string() == "1");
  CHECK(get({a("rules"), i(1), a("port")})->as_number() == Number(80));
  CHECK(get({a("zones"), k("b")})->as_string() == "b");
  CHECK(get({a("zones"), k("b")})->marks() == kSensitive);
  CHECK(get({a("tags"), k("y")})->marks() == kSensitive);
  CHECK(path_get(v.with_marks(kEphemeral), {a("tags"), k("y")})->marks() == (kSensitive | kEphemeral));
  CHECK(get({a("later"), i(7)})->raw_equal(Value::unknown()));
  CHECK(get({a("none"), a("x")})->raw_equal(Value::null()));
  for (Path p : {Path{a("nix")},
                 {i(0)},
                 {a("tags"), k("z")},
                 {a("tags"), i(0)},
                 {a("rules"), i(2)},
                 {a("rules"), i(-1)},
                 {a("rules"), k("0")},
                 {a("name"), a("x")},
                 {a("zones"), k("c")},
                 {a("zones"), a("a")},
                 {a("rules"), PathStep::of_index(Value::number(*Number::parse("0.5")))}}) {
    INFO(path_text(p));
    CHECK_FALSE(get(p).has_value());
  }
}

TEST_CASE("an update replaces one place and shares the rest") {
  Value v = sample();
  auto to = [](Value w) { return [w](const Value&) { return w; }; };
  CHECK(path_get(path_update(v, {a("rules"), i(1), a("port")}, to(s("http"))), {a("rules"), i(1), a("port")})
            ->as_string() == "http");
  CHECK(path_update(v, {a("tags"), k("x")}, to(s("9"))).attr("tags").find_key("x")->as_string() == "9");
  CHECK(path_update(v, {a("zones"), k("b")}, to(s("0"))).attr("zones").elements()[0].as_string() == "0");
  CHECK(path_update(v, {a("nix"), i(1)}, to(s("9"))).raw_equal(v));
  CHECK(path_update(v, {}, to(s("all"))).as_string() == "all");
  CHECK(path_update(v, {a("name")}, to(s("m"))).type() == v.type());
  CHECK(path_update(v, {a("name")}, to(Value::number(1))).type() != v.type());
  CHECK(path_update(v, {a("name")}, [](const Value& old) { return old; }).cell() == v.cell());
}

TEST_CASE("marks go to paths and back") {
  Value v = sample();
  std::vector<PathMarks> marks = marked_paths(v);
  REQUIRE(marks.size() == 2);
  CHECK(path_text(marks[0].path) == ".tags[\"y\"]");
  CHECK(path_text(marks[1].path) == ".zones");
  std::vector<PathMarks> taken;
  Value open = unmark_with_paths(v, taken);
  CHECK_FALSE(open.contains_marks());
  CHECK(mark_at_paths(open, taken).raw_equal(v));
  CHECK(mark_at_paths(open, {{{a("zones"), k("a")}, kSensitive}}).attr("zones").marks() == kSensitive);
  CHECK(mark_at_paths(open, {{{a("nix"), i(3)}, kSensitive}, {{a("later"), i(3)}, kSensitive}})
            .raw_equal(open));
  CHECK(mark_at_paths(open, {{{}, kSensitive}}).marks() == kSensitive);
  Value twice = mark_at_paths(open, {{{a("rules")}, kSensitive}, {{a("rules"), i(0)}, kEphemeral}});
  CHECK(twice.attr("rules").marks() == kSensitive);
  CHECK(twice.attr("rules").elements()[0].marks() == kEphemeral);
  CHECK(marked_paths(s("x")).empty());
}

TEST_CASE("paths have one order") {
  std::vector<Path> paths = {{a("b")}, {a("a"), k("y")}, {a("a"), i(10)}, {a("a"), i(9)},
                             {},       {a("a")},         {a("a"), a("z")}};
  std::sort(paths.begin(), paths.end(), path_less);
  std::string all;
  for (const Path& p : paths) all += path_text(p) + " ";
  CHECK(all == " .a .a.z .a[9] .a[10] .a[\"y\"] .b ");
  for (const Path& p : paths) CHECK_FALSE(path_less(p, p));
}

TEST_CASE("walking visits containers before their elements and stops where told") {
  std::string seen;
  walk_value(sample(), [&](const Path& p, const Value&) {
    seen += path_text(p) + " ";
    return p.empty() || p[0].attr.sv() != "tags";
  });
  CHECK(seen ==
        " .later .name .none .rules .rules[0] .rules[1] .rules[1].port .tags .zones .zones[\"a\"] "
        ".zones[\"b\"] ");
}

TEST_CASE("a transformation rebuilds what it changes, marks and all") {
  Value v = sample();
  Value upper = transform_value(v, [](const Path&, const Value& x) {
    return x.is_string() ? Value::string(std::string(x.as_string()) + "!").with_marks(x.marks()) : x;
  });
  CHECK(upper.attr("tags").find_key("y")->as_string() == "2!");
  CHECK(upper.attr("tags").find_key("y")->marks() == kSensitive);
  CHECK(upper.attr("zones").marks() == kSensitive);
  CHECK(upper.attr("zones").elements()[1].as_string() == "b!");
  CHECK(upper.type() == v.type());
  CHECK(transform_value(v, [](const Path&, const Value& x) { return x; }).cell() == v.cell());
  Value typed = transform_value(
      v, [](const Path&, const Value& x) { return x.is_string() ? Value::boolean(true) : x; });
  CHECK(typed.attr("tags").type() == Type::map(Type::boolean()));
  CHECK(typed.attr("zones").length() == 1);
}
