// The effect digest: the same for the same effects, however they were planned; another for every other
// effect; and the encoding as it is specified.
#include "core/review/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::review;

namespace {

std::string digest_of(const test::TestWorld& w, const Plan& p,
                      std::map<std::string, ProviderVersion> versions = {}) {
  Result<std::string> d = effect_digest({p, *w.config, *w.sources, std::move(versions)});
  REQUIRE(d.ok());
  REQUIRE(d->size() == 64);
  return *d;
}

std::string encoded(const Value& v) {
  return Encoder().value(v).bytes;
}

// A configuration whose blocks can be written in any order.
struct Thing {
  std::string name;
  int size = 0;
  bool sensitive = false, provisioner = false, repeated = false;
  std::vector<std::string> keys;  // of for_each
  std::string reads, after, trigger;
};
struct Model {
  std::vector<Thing> things;
  std::string secret = "s0", local = "l0", command = "c0";
  std::vector<std::string> outputs;  // names of things

  // Each digest with sensitive values costs a tenth of a second.
  static Model random(std::mt19937& rng, bool secrets) {
    Model m;
    const int n = 3 + static_cast<int>(rng() % 6);
    for (int i = 0; i < n; ++i) {
      Thing t;
      t.name = fmt::format("t{}", i);
      t.size = static_cast<int>(rng() % 1000);
      t.sensitive = secrets && rng() % 4 == 0, t.provisioner = rng() % 3 == 0, t.repeated = rng() % 3 == 0;
      for (unsigned k = 0, all = 1 + rng() % 4; t.repeated && k < all; ++k)
        t.keys.push_back(fmt::format("k{}", k));
      if (i && rng() % 2) t.reads = m.things[rng() % m.things.size()].name;
      if (i && rng() % 3 == 0) t.after = m.things[rng() % m.things.size()].name;
      t.trigger = fmt::format("r{}", rng() % 100);
      if (rng() % 3 == 0) m.outputs.push_back(t.name);
      m.things.push_back(std::move(t));
    }
    return m;
  }

  std::string text(std::mt19937& rng) const {
    std::vector<std::string> blocks;
    blocks.push_back(fmt::format("locals {{\n  note = \"{}\"\n}}\n", local));
    blocks.push_back(
        fmt::format("variable \"secret\" {{\n  default = \"{}\"\n  sensitive = true\n}}\n", secret));
    for (const Thing& t : things) {
      std::vector<std::string> keys = t.keys;
      std::shuffle(keys.begin(), keys.end(), rng);
      std::string b = fmt::format("resource \"terraform_data\" \"{}\" {{\n", t.name);
      if (t.repeated) {
        b += "  for_each = toset([";
        for (const std::string& k : keys) b += "\"" + k + "\", ";
        b += "])\n";
      }
      b += fmt::format("  input = {{ size = {}, read = [{}], secret = {} }}\n", t.size,
                       t.reads.empty() ? "" : "terraform_data." + t.reads,
                       t.sensitive ? "var.secret" : "null");
      b += fmt::format("  triggers_replace = \"{}\"\n", t.trigger);
      if (!t.after.empty()) b += fmt::format("  depends_on = [terraform_data.{}]\n", t.after);
      if (t.provisioner)
        b += fmt::format("  provisioner \"local-exec\" {{\n    command = \"{} ${{local.note}}\"\n  }}\n",
                         command);
      blocks.push_back(b + "}\n");
    }
    for (const std::string& name : outputs)
      blocks.push_back(fmt::format(
          "output \"{}\" {{\n  value = nonsensitive(jsonencode(terraform_data.{}))\n}}\n", name, name));
    std::shuffle(blocks.begin(), blocks.end(), rng);
    std::string out;
    for (const std::string& b : blocks) out += b;
    return out;
  }

  // One small change of what a plan from nothing would do. False: there is nothing of this kind.
  bool change(unsigned kind, std::mt19937& rng) {
    Thing& t = things[rng() % things.size()];
    const bool provisioned = std::any_of(things.begin(), things.end(), [](auto& x) { return x.provisioner; });
    const bool secrets = std::any_of(things.begin(), things.end(), [](auto& x) { return x.sensitive; });
    switch (kind) {
      case 0:
        return t.size += 1, true;
      case 1:
        return t.trigger += "x", true;
      case 2:
        return t.keys.push_back("new"), t.repeated;
      case 3:
        return t.provisioner = !t.provisioner, true;
      case 4:
        return command += " -v", provisioned;
      case 5:
        return local += "!", provisioned;
      case 6:
        return secret += "!", secrets;
      case 7:
        things.push_back({"added", 1});
        return true;
      case 8:
        return outputs.push_back(things.back().name), outputs.size() == 1;
      case 9: {
        Thing& last = things.back();
        return last.after.empty() && last.reads.empty() && things.size() > 1 &&
               (last.after = things.front().name, true);
      }
      default:
        return secrets && (t.sensitive = !t.sensitive, true);
    }
  }
};

struct Planned {
  std::string digest;
  size_t effects = 0;
};
Planned plan_of(const std::string& text, int parallelism, const State& state = {}) {
  test::TestWorld w(text);
  w.parallelism = parallelism;
  w.state = state;
  const Plan p = w.plan();
  INFO(text << w.problems());
  REQUIRE_FALSE(p.errored);
  return {digest_of(w, p), p.changes.size()};
}

}  // namespace

TEST_CASE("digest: values are encoded as the specification says") {
  const Type text = Type::string();
  struct Row {
    Value value;
    std::string bytes;
  };
  const Row rows[] = {
      {Value::null(text), "n"},
      {Value::boolean(true), "t"},
      {Value::boolean(false), "f"},
      {Value::unknown(text), "u"},
      {Value::number(-5), "d-5;"},
      {Value::number(*Number::parse("1.50")), "d1.5;"},
      {Value::number(*Number::parse("1e3")), "d1000;"},
      {Value::string(""), "s0:"},
      {Value::string("\xc3\xa4"), "s2:\xc3\xa4"},
      {Value::tuple({Value::string("a"), Value::boolean(true)}), "ls1:ate"},
      {Value::set(text, {Value::string("b"), Value::string("a")}), "ls1:as1:be"},
      {Value::map(text, {{"b", Value::string("x")}, {"a", Value::unknown(text)}}), "ms1:aus1:bs1:xe"},
      {Value::object({{Symbol("a"), Value::null(text)}}), "ms1:ane"},
      {Value::string("secret").with_marks(kSensitive), "h"},
      {Value::object({{Symbol("a"), Value::string("secret").with_marks(kSensitive)}}), "ms1:ahe"},
      {Value::unknown(text).with_marks(kSensitive), "x"},
  };
  for (const Row& r : rows) CHECK(encoded(r.value) == r.bytes);
  Encoder e;
  e.value(Value::object({{Symbol("a"), Value::string("secret")}}).with_marks(kSensitive));
  CHECK(e.bytes == "h");
  CHECK(e.secret == "ms1:as6:secrete");
}

// What an implementation of the specification must find, step by step.
TEST_CASE("digest: a small plan, put together by hand") {
  test::TestWorld w(R"(
resource "terraform_data" "a" { input = 5 }
resource "terraform_data" "b" { input = terraform_data.a.id }
output "o" { value = "x" }
)");
  const Plan p = w.plan();
  const std::string provider = "provider[\"terraform.io/builtin/terraform\"]";
  auto text = [](std::string_view s) { return Encoder().text(s).bytes; };
  auto change = [&](std::string_view name, std::string_view after, std::string_view input) {
    return "l" + text("change") + text(name) + "m" + text("action") + text("create") + std::string(after) +
           text("planned") + "m" + text("id") + "u" + text("input") + std::string(input) + text("output") +
           "u" + text("triggers_replace") + "ne" + text("provider") + text(provider) + "ee";
  };
  const std::string waits = text("after") + text(sha256_hex("l" + text("terraform_data.a") + "e"));
  auto read = [&](std::string_view name, const std::string& value) {
    return "l" + text("read") + text(name) + "m" + text("value") + value + "ee";
  };
  std::vector<std::string> effects = {
      read("terraform_data.b.input", text("terraform_data.a.id")),  // as its value is not known
      read("terraform_data.a.id", "me"),                            // of objects that stay as they are
      change("terraform_data.a", "", "d5;"),
      change("terraform_data.b", waits, "u"),
      "l" + text("output") + text("o") + "m" + text("action") + text("create") + text("planned") + text("x") +
          "ee",
      "l" + text("plan") + text("") + "m" + text("mode") + text("normal") + text("workspace") +
          text("default") + "ee",
      "l" + text("provider") + text("terraform.io/builtin/terraform") + "m" + text("hashes") + "le" +
          text("version") + text("") + "ee",
  };
  for (std::string& e : effects) e = digest(Digest::Sha256, e);
  std::sort(effects.begin(), effects.end());
  std::string all = "xplan-effects-2\n7\n";
  for (const std::string& e : effects) all += e;
  CHECK(digest_of(w, p) == sha256_hex(all));
}

TEST_CASE("digest: equal over re-plans, different over small changes") {
  std::mt19937 rng(20261125);
  size_t changes = 0;
  for (int i = 0; i < 200; ++i) {
    const Model m = Model::random(rng, i % 20 == 0);
    const std::string text = m.text(rng), again = m.text(rng);
    const Planned first = plan_of(text, 1);
    CHECK(first.digest == plan_of(again, 10).digest);
    for (int tries = 0; tries < 20; ++tries) {
      Model other = m;
      if (!other.change(rng() % 11, rng)) continue;
      INFO(text << "\n----\n" << other.text(rng));
      CHECK(first.digest != plan_of(other.text(rng), 10).digest);
      ++changes;
      break;
    }
  }
  CHECK(changes == 200);
}

TEST_CASE("digest: what a plan does to what there is") {
  const std::string before = R"(
resource "terraform_data" "a" { input = { size = 1, name = "n" } }
resource "terraform_data" "keep" { input = "k" }
)";
  test::TestWorld w(before);
  w.apply(w.plan());
  auto digest_with = [&](std::string text, const std::function<void(State&)>& edit = {}) {
    State s = w.state;
    if (edit) edit(s);
    return plan_of(text, 4, s).digest;
  };
  const std::string update = R"(
resource "terraform_data" "a" { input = { size = 2, name = "n" } }
resource "terraform_data" "keep" { input = "k" }
)";
  auto set = [&](std::string name, std::string attribute, Value v) {
    return [=](State& s) {
      const AbsInstance a = *parse_abs_instance("terraform_data." + name);
      Object o = *s.find(a)->current;
      o.value = path_update(*o.value, {PathStep::of_attr(attribute)}, [&](const Value&) { return v; });
      s.find(a)->current = std::make_shared<const Object>(std::move(o));
    };
  };
  auto input = [](int64_t size, std::string_view name) {
    return Value::object({{Symbol("size"), Value::number(size)}, {Symbol("name"), Value::string(name)}});
  };
  const std::string planned = digest_with(update);
  CHECK(planned == digest_with(update, [](State& s) { s.serial += 7; }));
  CHECK(planned == digest_with(update, [](State& s) { s.lineage = "another"; }));
  CHECK(planned == digest_with(update, set("keep", "output", Value::string("old"))));
  CHECK(planned != digest_with(update, set("a", "input", input(3, "n"))));    // it shrinks
  CHECK(planned != digest_with(update, set("a", "input", input(1, "m"))));    // something else changes, too
  CHECK(planned != digest_with(update, set("a", "id", Value::string("x"))));  // another object
  CHECK(planned != digest_with(before));
  CHECK(digest_with(before) == digest_with(before, [](State& s) { s.serial += 7; }));
}

TEST_CASE("digest: providers by version and hash") {
  test::TestWorld w("resource \"terraform_data\" \"a\" {}\n");
  const Plan p = w.plan();
  const std::string name = "terraform.io/builtin/terraform";
  const std::string one = digest_of(w, p, {{name, {"1.2.3", {"h1:a", "zh:b", "zh:c"}}}});
  CHECK(one == digest_of(w, p, {{name, {"1.2.3", {"zh:c", "h1:a", "zh:b"}}}}));
  CHECK(one != digest_of(w, p, {{name, {"1.2.3", {"h1:a", "h1:other", "zh:b", "zh:c"}}}}));
  CHECK(one != digest_of(w, p, {{name, {"1.2.4", {"h1:a", "zh:b", "zh:c"}}}}));
  CHECK(one != digest_of(w, p, {{name, {"1.2.3", {"h1:a", "zh:b"}}}}));
  CHECK(one == digest_of(w, p, {{name, {"1.2.3", {"h1:a", "zh:b", "zh:c"}}}, {"x.org/not/used", {"1", {}}}}));
}

TEST_CASE("digest: sensitive values count, and nobody can check a guess without the state") {
  auto digest_with = [](std::string_view value, std::string_view lineage) {
    test::TestWorld w(fmt::format(R"(
variable "p" {{
  default   = "{}"
  sensitive = true
}}
resource "terraform_data" "a" {{ input = var.p }}
)",
                                  value));
    w.state.lineage = lineage;
    return digest_of(w, w.plan());
  };
  CHECK(digest_with("p1", "l1") == digest_with("p1", "l1"));
  CHECK(digest_with("p1", "l1") != digest_with("p2", "l1"));
  CHECK(digest_with("p1", "l1") != digest_with("p1", "l2"));
}

TEST_CASE("digest: what is given stands for it by its beginning") {
  const std::string full(64, 'a');
  struct Row {
    std::string text;
    bool form, stands;
  };
  const Row rows[] = {
      {std::string(32, 'a'), true, true},
      {std::string(64, 'A'), true, true},
      {std::string(31, 'a'), false, false},
      {std::string(65, 'a'), false, false},
      {std::string(31, 'a') + "b", true, false},
      {std::string(31, 'a') + "g", false, false},
      {"", false, false},
      {"plan.bin", false, false},
  };
  for (const Row& r : rows) {
    INFO(r.text);
    CHECK(is_digest(r.text) == r.form);
    CHECK(stands_for(r.text, full) == r.stands);
  }
}
