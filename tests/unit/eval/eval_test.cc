// What cases of expressions cannot show: constraints of types, constants, the call protocol, limits.
#include <catch2/catch.hpp>
#include <deque>
#include <thread>

#include "core/eval/limits.h"
#include "core/syntax/body.h"
#include "tests/unit/eval/scope.h"

using namespace xplan;
using namespace xplan::eval;

namespace {

struct Parsed {
  SourceTable sources;
  Diagnostics diags;
  std::unique_ptr<syntax::File> file;
  const syntax::Expr* expr = nullptr;
  explicit Parsed(std::string text) {
    file = syntax::parse_expression(sources, "test", std::move(text), expr, diags);
  }
  std::string problems() const {
    std::string out;
    for (const auto& d : diags.all()) out += d.summary + ": " + d.detail + "\n";
    return out;
  }
};

std::string constraint_text(const TypeConstraint& c) {
  Type t = c.type;
  if (t.is_object()) {
    std::string out = "{";
    for (size_t i = 0; i < t.attr_names().size(); ++i) {
      out += (i ? "," : "") + std::string(t.attr_names()[i].sv()) + (c.optional[i] ? "?" : "") + ":" +
             constraint_text(c.children[i]);
      if (!c.defaults[i].is_null()) out += "=" + console_text(c.defaults[i]);
    }
    return out + "}";
  }
  if (t.is_tuple()) {
    std::string out = "[";
    for (const auto& child : c.children) out += constraint_text(child) + ",";
    return out + "]";
  }
  if (t.is_collection())
    return (t.is_list() ? "list:" : t.is_set() ? "set:" : "map:") + constraint_text(c.children[0]);
  return t.constraint_text();
}
}  // namespace

TEST_CASE("type constraints are read, with optional attributes and their defaults") {
  struct Row {
    const char* text;
    const char* want;
  };
  const Row rows[] = {
      {"string", "string"},
      {"any", "any"},
      {"list", "list:any"},
      {"map", "map:any"},
      {"list(string)", "list:string"},
      {"set(map(number))", "set:map:number"},
      {"tuple([])", "[]"},
      {"tuple([bool, list(any)])", "[bool,list:any,]"},
      {"object({})", "{}"},
      {"object({b = string, a = number})", "{a:number,b:string}"},
      {"object({a = optional(string)})", "{a?:string}"},
      {"object({a = optional(string, 1)})", "{a?:string=\"1\"}"},
      {"object({a = optional(object({b = optional(bool, true)}), {})})",
       "{a?:{b?:bool=true}={\n  \"b\" = true\n}}"},
      {"list(object({a = optional(number, \"5\")}))", "list:{a?:number=5}"},
  };
  for (const Row& row : rows) {
    Parsed p(row.text);
    REQUIRE(p.expr);
    TypeConstraint c = parse_type_constraint(*p.expr, true, p.diags);
    INFO(row.text << "\n" << p.problems());
    CHECK(constraint_text(c) == row.want);
    CHECK(!p.diags.has_errors());
  }
}

TEST_CASE("type constraints that are none are refused with a hint") {
  struct Row {
    const char* text;
    const char* hint;
    bool allow_optional = true;
  };
  const Row rows[] = {
      {"set", "set(string)"},
      {"tuple", "tuple(["},
      {"object", "object({"},
      {"list()", "one argument"},
      {"list(string, number)", "one argument"},
      {"object({\"a\" = string})", "without quotes"},
      {"object({(a) = string})", "without quotes"},
      {"object({a = string, a = number})", "declared twice"},
      {"object({a = optional()})", "takes the type"},
      {"object({a = optional(string, 1, 2)})", "takes the type"},
      {"object({a = optional(number, \"x\")})", "does not match"},
      {"object({a = optional(string, var.x)})", "\"var.x\" refers"},
      {"object({a = optional(string, upper(\"x\"))})", "\"upper\" cannot be called"},
      {"object({a = optional(string)})", "only in the type of an input variable", false},
      {"optional(string)", "can only be used around"},
      {"list(optional(string))", "can only be used around"},
      {"object([string])", "one argument"},
      {"tuple(string)", "one argument"},
      {"\"string\"", "without quotes"},
      {"\"list\"", "list(string)"},
      {"strng", "Did you mean \"string\"?"},
      {"lst(string)", "Did you mean \"list\"?"},
      {"string(1)", "no arguments"},
      {"null", "not a valid type"},
      {"a.b", "not a valid type"},
      {"1", "not a valid type"},
      {"[string]", "not a valid type"},
  };
  for (const Row& row : rows) {
    Parsed p(row.text);
    REQUIRE(p.expr);
    TypeConstraint c = parse_type_constraint(*p.expr, row.allow_optional, p.diags);
    INFO(row.text << "\n" << p.problems());
    CHECK(p.diags.error_count() == 1);
    CHECK(p.problems().find(row.hint) != std::string::npos);
    CHECK(c.type.is_dynamic());
  }
}

TEST_CASE("constants have no references and no calls") {
  Diagnostics none;
  Parsed good("{a = [1, \"x${2}\"], b = -1}");
  CHECK(console_text(evaluate_constant(*good.expr, good.diags)).find("\"x2\"") != std::string::npos);
  CHECK(!good.diags.has_errors());
  for (const char* text : {"var.a", "upper(\"x\")", "try(1)", "[for x in [1] : y]"}) {
    Parsed bad(text);
    evaluate_constant(*bad.expr, bad.diags);
    INFO(text);
    CHECK(bad.diags.error_count() == 1);
  }
  Parsed loop("[for x in [1, 2] : x + 1]");
  CHECK(evaluate_constant(*loop.expr, loop.diags).length() == 2);
}

TEST_CASE("a value that does not fit the wanted type is reported where the expression is") {
  FunctionTable functions;
  NamesScope scope = test_scope(functions);
  Parsed good("\"12\"");
  CHECK(evaluate_as(*good.expr, Type::number(), scope, good.diags).as_number().int64() == 12);
  Parsed bad("[1]");
  Value v = evaluate_as(*bad.expr, Type::number(), scope, bad.diags);
  CHECK(v.is_unknown());
  CHECK(v.type() == Type::number());
  REQUIRE(bad.diags.error_count() == 1);
  CHECK(bad.diags.all()[0].summary == "Incorrect value type");
  CHECK(bad.diags.all()[0].subject == bad.expr->range);
}

TEST_CASE("unknown names are reported with the nearest known one") {
  FunctionTable functions;
  NamesScope scope = test_scope(functions);
  Parsed p("locl.one");
  evaluate(*p.expr, scope, p.diags);
  CHECK(p.problems().find("Did you mean \"local\"?") != std::string::npos);
}

TEST_CASE("calls: what an implementation sees and what becomes of its result") {
  static std::vector<Value> seen;
  static int type_asked;
  FunctionTable table;
  Function f;
  f.name = "probe";
  f.params = {{"text", Type::string()}, {"list", Type::list(Type::dynamic()), true}};
  f.variadic = Param{"more", Type::dynamic(), false, true, false, true};
  f.returns = Type::number();
  f.impl = [](std::span<const Value> args, const CallContext& context, CallError& error) {
    seen.assign(args.begin(), args.end());
    if (args[0].as_string() == "fail") error = {"the text is wrong", 0};
    if (args[0].as_string() == "fall") error.message = "the call is wrong";
    if (args[0].as_string() == "depth") return Value::number(context.depth);
    return Value::number(5);
  };
  f.type_of = [](std::span<const Value>, CallError&) {
    ++type_asked;
    return Type::number();
  };
  table.add(f);
  NamesScope scope = test_scope(table);
  struct Row {
    const char* text;
    const char* answer;  // or a part of the problem after "!"
    bool called;
  };
  const Row rows[] = {
      {"probe(1, [1])", "5", true},
      {"core::probe(1, [1])", "5", true},
      {"probe(\"depth\", null)", "0", true},
      {"probe(1, null)", "5", true},
      {"probe(local.sens, [])", "(sensitive value)", true},
      {"probe(\"a\", [local.sens, local.eph])", "(sensitive value)", true},
      {"probe(\"a\", [], local.sens)", "5", true},
      {"probe(\"a\", [local.unk_string])", "5", true},
      {"probe(local.unk_string, [])", "(known after apply)", false},
      {"probe(local.unk, [])", "(known after apply)", false},
      {"probe(local.unk_string, []) == null", "false", false},
      {"probe(\"a\", [], local.unk_string)", "5", true},
      {"probe(\"a\", [], local.unk)", "(known after apply)", false},
      {"probe([\"a\", [1]]...)", "5", true},
      {"probe(\"fail\", [])", "!The argument \"text\" of \"probe\" is not suitable: the text is wrong.",
       true},
      {"probe(\"fall\", [])", "!The function \"probe\" failed: the call is wrong.", true},
      {"probe(\"fail\", [local.sens])", "!the reason is not shown, because an argument is sensitive.", true},
      {"probe(null, [])", "!is null", false},
      {"probe([], {})", "!\"text\" of", false},
      {"probe(local.unk, \"x\")", "!\"list\" of", false},
      {"probe(\"a\", [], null)", "!\"more\" of \"probe\" is null", false},
      {"probe(\"a\")", "!takes at least 2 arguments, but this call has only 1: \"list\" is missing", false},
      {"probe(local.none.x, [])", "!null", false},
      {"prob(1)", "!Did you mean \"probe\"?", false},
  };
  for (const Row& row : rows) {
    Parsed p(row.text);
    REQUIRE(p.expr);
    seen.clear();
    Value v = evaluate(*p.expr, scope, p.diags);
    INFO(row.text << "\n" << p.problems());
    if (row.answer[0] == '!') {
      CHECK(p.diags.has_errors());
      CHECK(p.problems().find(row.answer + 1) != std::string::npos);
      CHECK(p.problems().find("secret") == std::string::npos);
    } else {
      CHECK(!p.diags.has_errors());
      CHECK(console_text(v) == row.answer);
    }
    CHECK(seen.empty() == !row.called);
    for (size_t i = 0; i < 2 && i < seen.size(); ++i) CHECK(!seen[i].contains_marks());
  }
  CHECK(type_asked > 0);
}

namespace {
struct Nodes {
  std::deque<syntax::Expr> all;
  std::deque<std::vector<const syntax::Expr*>> lists;
  syntax::Expr& make(syntax::ExprKind kind) {
    all.emplace_back();
    all.back().kind = kind;
    return all.back();
  }
  const syntax::Expr* one() {
    auto& e = make(syntax::ExprKind::Literal);
    e.value = Value::number(1);
    return &e;
  }
};

template <class F>
void on_small_stack(F f) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, size_t{8} << 20);
  pthread_t thread;
  auto run = [](void* p) -> void* {
    (*static_cast<F*>(p))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attr, run, &f) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attr);
}
}  // namespace

TEST_CASE("long chains of operators need no stack") {
  Nodes nodes;
  const syntax::Expr* chain = nodes.one();
  for (int i = 0; i < 100000; ++i) {
    auto& e = nodes.make(syntax::ExprKind::Binary);
    e.op = syntax::Op::Add, e.a = chain, e.b = nodes.one();
    chain = &e;
  }
  std::string text;
  on_small_stack([&] {
    FunctionTable none;
    NamesScope scope(none);
    Diagnostics diags;
    text = console_text(evaluate(*chain, scope, diags));
  });
  CHECK(text == "100001");
}

TEST_CASE("values within each other are small in memory, and may be too large or deep to be written out") {
  FunctionTable none;
  auto problem = [&](int levels, size_t times) {
    NamesScope scope(none);
    Value v = Value::number(1);
    for (int i = 0; i < levels; ++i) v = Value::tuple(std::vector<Value>(times, v));
    Nodes nodes;
    auto& name = nodes.make(syntax::ExprKind::Literal);
    name.value = v;
    Diagnostics diags;
    evaluate(name, scope, diags);
    return diags.all().empty() ? "" : diags.all()[0].summary;
  };
  CHECK(problem(20, 2) == "");
  CHECK(problem(40, 2) == "Value too large");
  CHECK(problem(1000, 1) == "");
  CHECK(problem(1001, 1) == "Value nested too deeply");
}

TEST_CASE("nesting deeper than the limit is a diagnostic, whatever is nested") {
  using syntax::ExprKind;
  for (ExprKind kind :
       {ExprKind::Conditional, ExprKind::Tuple, ExprKind::Object, ExprKind::For, ExprKind::Template,
        ExprKind::Call, ExprKind::Binary, ExprKind::TemplateFor, ExprKind::TemplateIf, ExprKind::Splat}) {
    for (int levels : {kMaxEvalDepth - 5, 20 * kMaxEvalDepth}) {
      Nodes nodes;
      const syntax::Expr* inner = nodes.one();
      auto& names = nodes.make(ExprKind::Literal);
      names.value = Value::string("k");
      for (int i = 0; i < levels; ++i) {
        auto& e = nodes.make(kind);
        auto& first = nodes.make(ExprKind::Literal);
        e.name = Symbol(kind == ExprKind::Call ? "try" : "x");
        if (kind == ExprKind::Binary || kind == ExprKind::Splat) {
          e.a = nodes.one(), e.b = inner;
        } else if (kind == ExprKind::Conditional || kind == ExprKind::TemplateIf) {
          first.value = Value::boolean(true);
          e.a = &first, e.b = inner;
          if (kind == ExprKind::Conditional) e.c = nodes.one();
        } else if (kind == ExprKind::For || kind == ExprKind::TemplateFor) {
          first.value = Value::tuple({Value::number(1)});
          e.a = &first;
          (kind == ExprKind::For ? e.c : e.b) = inner;
        }
        if (kind == ExprKind::Template || kind == ExprKind::Tuple || kind == ExprKind::Call) {
          nodes.lists.push_back({inner});
          e.items = nodes.lists.back();
        } else if (kind == ExprKind::Object) {
          nodes.lists.push_back({&names, inner});
          e.items = nodes.lists.back();
        }
        inner = &e;
      }
      bool failed = false;
      on_small_stack([&] {
        FunctionTable functions;
        Function f;
        f.name = "f";
        functions.add(f);
        NamesScope scope(functions);
        Diagnostics diags;
        evaluate(*inner, scope, diags);
        failed = diags.has_errors();
      });
      INFO(static_cast<int>(kind) << " × " << levels);
      CHECK(failed == (levels > kMaxEvalDepth));
    }
  }
}

TEST_CASE("a template that grows too long is a diagnostic") {
  FunctionTable none;
  NamesScope scope(none);
  scope.names.emplace_back(Symbol("half"), Value::string(std::string(kMaxStringBytes / 2, 'x')));
  Parsed fits("\"${half}${half}\"");
  CHECK(evaluate(*fits.expr, scope, fits.diags).is_string());
  Parsed p("\"${half}${half}y\"");
  evaluate(*p.expr, scope, p.diags);
  CHECK(p.problems().rfind("String too long", 0) == 0);
  Parsed loop("\"%{for x in [1, 2, 3]}${half}%{endfor}\"");
  evaluate(*loop.expr, scope, loop.diags);
  CHECK(loop.problems().rfind("String too long", 0) == 0);
}

TEST_CASE("one evaluation of the tree may run on several threads at a time") {
  FunctionTable none;
  NamesScope scope = test_scope(none);
  Parsed p(
      "{a = [for x in local.list : \"${x}-${local.one}\"], b = local.objs[*].id, (local.text) = "
      "local.map.a}");
  std::string want = console_text(evaluate(*p.expr, scope, p.diags));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        Diagnostics diags;
        wrong[t] += console_text(evaluate(*p.expr, scope, diags)) != want;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}
