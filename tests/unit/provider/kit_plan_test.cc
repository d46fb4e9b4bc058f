// The process of plan modification, step by step.
#include <catch2/catch.hpp>

#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/provider.h"
#include "core/provider/kit/validators.h"
#include "core/schema/schema.h"
#include "core/value/json.h"
#include "core/value/path.h"

using namespace xplan;
using schema::Nesting;

namespace {

// JSON with "?" for unknown, of the schema's type.
Value value(const schema::Block& b, const char* json) {
  if (!json) return Value::null(b.implied_type());
  Result<Value> v = parse_json_as(json, b.implied_type());
  INFO(json);
  REQUIRE(v);
  return transform_value(*v, [](const Path&, const Value& x) {
    return x.is_string() && x.as_string() == "?" ? Value::unknown(x.type()) : x;
  });
}

std::string text(const Value& v) {
  if (v.is_null()) return "null";
  if (v.is_unknown()) return "?";
  switch (v.kind()) {
    case Kind::Obj: {
      std::string out;
      for (size_t i = 0; i < v.length(); ++i)
        if (!v.elements()[i].is_null())
          out += (out.empty() ? "" : " ") + std::string(v.type().attr_names()[i].sv()) + "=" +
                 text(v.elements()[i]);
      return "{" + out + "}";
    }
    case Kind::Map: {
      std::string out;
      for (size_t i = 0; i < v.length(); ++i)
        out += (i ? " " : "") + std::string(v.map_key(i)) + "=" + text(v.elements()[i]);
      return "{" + out + "}";
    }
    case Kind::Seq:
    case Kind::Set: {
      std::string out;
      for (const Value& e : v.elements()) out += (out.empty() ? "" : " ") + text(e);
      return "[" + out + "]";
    }
    default:
      return v.is_string() ? std::string(v.as_string()) : to_json(v);
  }
}

struct Planned {
  std::string plan, replace, diags;
};

Planned plan(std::vector<kit::Field> fields, const char* prior, const char* config,
             const kit::ModifyPlan& modify = {}) {
  kit::Schema s{std::move(fields), 0, "", ""};
  schema::Schema plain = kit::to_schema(s);
  plain.block.freeze();
  PlanRequest r;
  r.prior = value(plain.block, prior);
  r.config = value(plain.block, config);
  r.proposed = config ? schema::proposed_new(plain.block, r.prior, r.config) : r.config;
  PlanResponse out = kit::plan_change(s, plain.block.implied_type(), r, modify, false);
  Planned p;
  p.plan = text(out.planned);
  for (const Path& path : out.requires_replace) p.replace += (p.replace.empty() ? "" : " ") + path_text(path);
  for (const ProviderDiag& d : out.diags)
    p.diags += (p.diags.empty() ? "" : " ") + d.summary + "@" + path_text(d.path);
  return p;
}

kit::PlanModifier noting(std::vector<std::string>& log, const std::string& name,
                         const char* fails = nullptr) {
  return kit::modifier("Notes that it ran.",
                       [&log, name, fails](const kit::ModifyRequest& r, kit::ModifyResponse& out) {
                         log.push_back(name + path_text(r.path));
                         if (fails) out.diags.push_back({Severity::Error, fails, "", {}});
                       });
}

}  // namespace

TEST_CASE("each kind of attribute, in state or not, configured or not") {
  using kit::string;
  struct Case {
    const char* about;
    kit::Field field;
    const char *prior, *config, *planned;
  };
  auto optional = [] { return string("a").optional(); };
  auto defaulted = [] { return string("a").with_default(Value::string("d")); };
  auto both = [] { return string("a").optional().computed(); };
  auto kept = [] { return string("a").optional().computed().modify(kit::use_state_for_unknown()); };
  auto computed = [] { return string("a").computed(); };
  auto computed_kept = [] { return string("a").computed().modify(kit::use_state_for_unknown()); };
  const Case cases[] = {
      {"required: not in state", string("a").required(), nullptr, R"({"a":"x"})", "{a=x}"},
      {"required: equal", string("a").required(), R"({"a":"x"})", R"({"a":"x"})", "{a=x}"},
      {"required: different", string("a").required(), R"({"a":"x"})", R"({"a":"y"})", "{a=y}"},
      {"optional: neither", optional(), nullptr, "{}", "{}"},
      {"optional: configured", optional(), nullptr, R"({"a":"x"})", "{a=x}"},
      {"optional: no longer configured", optional(), R"({"a":"x"})", "{}", "{}"},
      {"optional: unknown", optional(), R"({"a":"x"})", R"({"a":"?"})", "{a=?}"},
      {"default: neither", defaulted(), nullptr, "{}", "{a=d}"},
      {"default: configured", defaulted(), nullptr, R"({"a":"x"})", "{a=x}"},
      {"default: equal to the state", defaulted(), R"({"a":"d"})", "{}", "{a=d}"},
      {"default: different from the state", defaulted(), R"({"a":"x"})", "{}", "{a=d}"},
      {"default: unknown is no null", defaulted(), R"({"a":"x"})", R"({"a":"?"})", "{a=?}"},
      {"optional and computed: neither", both(), nullptr, "{}", "{a=?}"},
      {"optional and computed: configured", both(), nullptr, R"({"a":"x"})", "{a=x}"},
      {"optional and computed: no longer configured", both(), R"({"a":"x"})", "{}", "{a=x}"},
      {"optional and computed: different", both(), R"({"a":"x"})", R"({"a":"y"})", "{a=y}"},
      {"optional and computed: in state, others differ", both(), R"({"a":"x","z":"1"})", R"({"z":"2"})",
       "{a=? z=2}"},
      {"the same, kept", kept(), R"({"a":"x","z":"1"})", R"({"z":"2"})", "{a=x z=2}"},
      {"the same, kept, but the configuration is unknown", kept(), R"({"a":"x"})", R"({"a":"?"})", "{a=?}"},
      {"kept: nothing in state to keep", kept(), R"({"z":"1"})", R"({"z":"2"})", "{a=? z=2}"},
      {"computed: not in state", computed(), nullptr, "{}", "{a=?}"},
      {"computed: in state", computed(), R"({"a":"x"})", "{}", "{a=x}"},
      {"computed: in state, others differ", computed(), R"({"a":"x","z":"1"})", R"({"z":"2"})", "{a=? z=2}"},
      {"computed and kept: others differ", computed_kept(), R"({"a":"x","z":"1"})", R"({"z":"2"})",
       "{a=x z=2}"},
      {"write-only: never planned", string("a").optional().write_only(), R"({"z":"1"})",
       R"({"a":"secret","z":"1"})", "{z=1}"},
      {"a default that differs makes computed ones unknown", string("a").with_default(Value::string("new")),
       R"({"a":"old","c":"x"})", "{}", "{a=new c=?}"},
  };
  for (const Case& c : cases) {
    INFO(c.about);
    std::vector<kit::Field> fields{c.field, string("z").optional()};
    if (std::string(c.about).find("makes computed") != std::string::npos)
      fields.push_back(string("c").computed());
    CHECK(plan(fields, c.prior, c.config).plan == c.planned);
  }
}

TEST_CASE("nested fields, as attributes and as blocks") {
  std::vector<kit::Field> inner{
      kit::string("n").required(), kit::string("d").with_default(Value::string("d")),
      kit::string("c").computed(), kit::string("k").computed().modify(kit::use_state_for_unknown())};
  struct Case {
    Nesting nesting;
    const char *prior, *config, *planned;
  };
  const Case cases[] = {
      {Nesting::Single, nullptr, R"({"b":{"n":"1"}})", "{b={c=? d=d k=? n=1}}"},
      {Nesting::Single, R"({"b":{"n":"1","d":"d","c":"x","k":"y"}})", R"({"b":{"n":"1"}})",
       "{b={c=x d=d k=y n=1}}"},
      {Nesting::Single, R"({"b":{"n":"1","d":"d","c":"x","k":"y"}})", R"({"b":{"n":"2"}})",
       "{b={c=? d=d k=y n=2}}"},
      {Nesting::List, R"({"b":[{"n":"1","d":"e","c":"x","k":"y"}]})",
       R"({"b":[{"n":"1"},{"n":"2","d":"f"}]})", "{b=[{c=? d=d k=y n=1} {c=? d=f k=? n=2}]}"},
      // Lists are not aligned: the element that is left gets the state of the first one.
      {Nesting::List,
       R"({"b":[{"n":"1","d":"d","c":"x","k":"first"},{"n":"2","d":"d","c":"x","k":"second"}]})",
       R"({"b":[{"n":"2"}]})", "{b=[{c=? d=d k=first n=2}]}"},
      {Nesting::Map, R"({"b":{"p":{"n":"1","d":"d","c":"x","k":"y"}}})",
       R"({"b":{"o":{"n":"0"},"p":{"n":"1"}}})", "{b={o={c=? d=d k=? n=0} p={c=? d=d k=y n=1}}}"},
      // Elements of sets find their state by what is not computed.
      {Nesting::Set, R"({"b":[{"n":"1","d":"d","c":"x","k":"one"},{"n":"2","d":"d","c":"x","k":"two"}]})",
       R"({"b":[{"n":"2"},{"n":"3"}]})", "{b=[{c=? d=d k=two n=2} {c=? d=d k=? n=3}]}"},
  };
  for (const Case& c : cases)
    for (bool as_block : {false, true}) {
      kit::Field f =
          as_block ? kit::block("b", c.nesting, inner) : kit::nested("b", c.nesting, inner).optional();
      INFO("nesting " << static_cast<int>(c.nesting) << (as_block ? ", block: " : ", attribute: ")
                      << c.config);
      std::string got = plan({f}, c.prior, c.config).plan;
      if (c.nesting != Nesting::Set) {
        CHECK(got == c.planned);
      } else {  // unknown values make the order of a set no matter
        CHECK(got.size() == std::string(c.planned).size());
        CHECK(got.find("{c=? d=d k=two n=2}") != std::string::npos);
        CHECK(got.find("{c=? d=d k=? n=3}") != std::string::npos);
      }
    }
}

TEST_CASE("a computed list of objects behaves as one attribute") {
  auto fields = [] {
    return std::vector<kit::Field>{
        kit::nested("b", Nesting::List, {kit::string("n").computed()}).optional().computed(),
        kit::string("z").optional()};
  };
  CHECK(plan(fields(), nullptr, "{}").plan == "{b=?}");
  CHECK(plan(fields(), nullptr, R"({"b":[]})").plan == "{b=[]}");
  CHECK(plan(fields(), R"({"b":[{"n":"1"}]})", "{}").plan == "{b=[{n=1}]}");
  CHECK(plan(fields(), R"({"b":[{"n":"1"}]})", R"({"z":"1"})").plan == "{b=? z=1}");
  CHECK(plan(fields(), R"({"b":[{"n":"1"}]})", R"({"b":[]})").plan == "{b=[]}");
}

TEST_CASE("what requires replacement") {
  auto only_to_y = kit::requires_replace_if(
      [](const kit::ModifyRequest& r) { return r.plan.is_string() && r.plan.as_string() == "y"; }, "To y.");
  struct Case {
    const char* about;
    kit::PlanModifier modifier;
    const char *prior, *config, *replace;
  };
  const Case cases[] = {
      {"created", kit::requires_replace(), nullptr, R"({"a":"x"})", ""},
      {"equal", kit::requires_replace(), R"({"a":"x"})", R"({"a":"x"})", ""},
      {"different", kit::requires_replace(), R"({"a":"x"})", R"({"a":"y"})", ".a"},
      {"to null", kit::requires_replace(), R"({"a":"x"})", "{}", ".a"},
      {"from null", kit::requires_replace(), "{}", R"({"a":"x"})", ".a"},
      {"to unknown", kit::requires_replace(), R"({"a":"x"})", R"({"a":"?"})", ".a"},
      {"destroyed", kit::requires_replace(), R"({"a":"x"})", nullptr, ""},
      {"the condition holds", only_to_y, R"({"a":"x"})", R"({"a":"y"})", ".a"},
      {"it does not", only_to_y, R"({"a":"x"})", R"({"a":"z"})", ""},
      {"configured", kit::requires_replace_if_configured(), R"({"a":"x"})", R"({"a":"y"})", ".a"},
      {"not configured any more", kit::requires_replace_if_configured(), R"({"a":"x"})", "{}", ""},
  };
  for (const Case& c : cases) {
    INFO(c.about);
    CHECK(plan({kit::string("a").optional().modify(c.modifier)}, c.prior, c.config).replace == c.replace);
    CHECK_FALSE(c.modifier.description.empty());
  }
  kit::Field in = kit::string("n").required().modify(kit::requires_replace());
  CHECK(plan({kit::nested("b", Nesting::List, {in}).optional()}, R"({"b":[{"n":"1"},{"n":"2"}]})",
             R"({"b":[{"n":"1"},{"n":"3"}]})")
            .replace == ".b[1].n");
  CHECK(plan({kit::block("b", Nesting::Map, {in})}, R"({"b":{"k":{"n":"1"}}})", R"({"b":{"k":{"n":"2"}}})")
            .replace == ".b[\"k\"].n");
  // A path cannot name an element of a set, so the set it is.
  CHECK(plan({kit::block("b", Nesting::Set, {in})}, R"({"b":[{"n":"1"}]})", R"({"b":[{"n":"2"}]})").replace ==
        ".b");
}

TEST_CASE("equivalent values keep the spelling of the state and are not differences") {
  struct Case {
    kit::Equivalence same;
    const char *prior, *config, *planned;
  };
  const Case cases[] = {
      {kit::same_ignoring_case, R"({"a":"ABC","c":"x"})", R"({"a":"abc"})", "{a=ABC c=x}"},
      {kit::same_ignoring_case, R"({"a":"ABC","c":"x"})", R"({"a":"abd"})", "{a=abd c=?}"},
      {kit::same_trimmed, R"({"a":"abc","c":"x"})", R"({"a":" abc\n"})", "{a=abc c=x}"},
      {kit::same_json, R"({"a":"{\"p\":1,\"q\":[2]}","c":"x"})", R"({"a":"{ \"q\":[2], \"p\": 1 }"})",
       R"({a={"p":1,"q":[2]} c=x})"},
      {kit::same_json, R"({"a":"[1,2]","c":"x"})", R"({"a":"[2,1]"})", "{a=[2,1] c=?}"},
      {kit::same_json, R"({"a":"no json","c":"x"})", R"({"a":"no  json"})", "{a=no  json c=?}"},
      {kit::same_ignoring_case, R"({"a":"ABC","c":"x"})", R"({"a":"?"})", "{a=? c=?}"},
      {kit::same_ignoring_case, nullptr, R"({"a":"abc"})", "{a=abc c=?}"},
  };
  for (const Case& c : cases) {
    INFO(c.config);
    CHECK(plan({kit::string("a").optional().equivalent_when(c.same), kit::string("c").computed()}, c.prior,
               c.config)
              .plan == c.planned);
  }
}

TEST_CASE("modifiers run outer before nested, and an error stops what is below") {
  std::vector<std::string> log;
  auto fields = [&](const char* outer_fails, const char* inner_fails) {
    return std::vector<kit::Field>{
        kit::nested(
            "o", Nesting::List,
            {kit::string("i").optional().modify(noting(log, "i1", inner_fails)).modify(noting(log, "i2")),
             kit::string("j").optional().modify(noting(log, "j"))})
            .optional()
            .modify(noting(log, "o1", outer_fails))
            .modify(noting(log, "o2")),
        kit::string("p").optional().modify(noting(log, "p"))};
  };
  const char* config = R"({"o":[{"i":"x"}]})";
  using Log = std::vector<std::string>;
  plan(fields(nullptr, nullptr), nullptr, config);
  CHECK(log == Log{"o1.o", "o2.o", "i1.o[0].i", "i2.o[0].i", "j.o[0].j", "p.p"});
  log.clear();
  CHECK(plan(fields("outer", nullptr), nullptr, config).diags == "outer@.o");
  CHECK(log == Log{"o1.o", "p.p"});
  log.clear();
  CHECK(plan(fields(nullptr, "inner"), nullptr, config).diags == "inner@.o[0].i");
  CHECK(log == Log{"o1.o", "o2.o", "i1.o[0].i", "j.o[0].j", "p.p"});
  log.clear();
  plan(fields(nullptr, nullptr), config, nullptr);  // destruction
  CHECK(log == Log{"o1.o", "o2.o", "p.p"});
}

TEST_CASE("a modifier sees the step before, and what it sets is seen by the next") {
  auto append = [](const char* suffix) {
    return kit::modifier("Appends.", [suffix](const kit::ModifyRequest& r, kit::ModifyResponse& out) {
      if (r.plan.is_string()) out.plan = Value::string(std::string(r.plan.as_string()) + suffix);
    });
  };
  CHECK(plan({kit::string("a").with_default(Value::string("d")).modify(append("1")).modify(append("2"))},
             nullptr, "{}")
            .plan == "{a=d12}");
}

TEST_CASE("the resource's own plan modification comes last and sees everything") {
  auto fields = [] {
    return std::vector<kit::Field>{kit::string("a").with_default(Value::string("d")),
                                   kit::string("c").computed()};
  };
  std::string seen;
  auto modify = [&](const kit::ModifyPlanRequest& r, kit::ModifyPlanResponse& out) {
    seen = std::string(r.creating() ? "create " : r.destroying() ? "destroy " : "update ") + text(r.plan);
    kit::add_warning(out.diags, "warned", "");
    out.requires_replace.push_back(kit::at("c"));
    if (r.destroying()) return;
    kit::Object o(out.plan);
    o.set("c", "known");
    out.plan = o.value();
  };
  Planned p = plan(fields(), nullptr, "{}", modify);
  CHECK(seen == "create {a=d c=?}");
  CHECK(p.plan == "{a=d c=known}");
  CHECK(p.diags == "warned@");
  CHECK(p.replace == "");  // nothing to replace
  p = plan(fields(), R"({"a":"x","c":"y"})", "{}", modify);
  CHECK(seen == "update {a=d c=?}");
  CHECK(p.replace == ".c");
  p = plan(fields(), R"({"a":"x","c":"y"})", nullptr, modify);
  CHECK(seen == "destroy null");
  CHECK(p.plan == "null");
  CHECK(p.diags == "warned@");

  SECTION("the plan of a destruction stays null, whatever is made of it") {
    Planned q = plan(fields(), R"({"a":"x"})", nullptr,
                     [](const auto& r, kit::ModifyPlanResponse& out) { out.plan = r.prior; });
    CHECK(q.plan == "null");
    CHECK(q.diags == "Invalid plan modification@");
  }
  SECTION("a plan does not become null either") {
    Planned q =
        plan(fields(), nullptr, "{}", [](const auto&, kit::ModifyPlanResponse& out) { out.plan = Value(); });
    CHECK(q.plan == "{a=d c=?}");
    CHECK(q.diags == "Invalid plan modification@");
  }
  SECTION("it is not asked when a field's modifier failed") {
    std::vector<std::string> log;
    seen.clear();
    plan({kit::string("a").optional().modify(noting(log, "a", "bad")), kit::string("c").computed()}, nullptr,
         "{}", modify);
    CHECK(seen == "");
  }
}
