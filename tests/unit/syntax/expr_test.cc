// Tables of expressions and templates with the tree or the problem each must give.
#include <catch2/catch.hpp>

#include "core/schema/decode.h"
#include "tests/unit/syntax/dump.h"

using namespace xplan;
using namespace xplan::syntax;

namespace {

struct Row {
  const char *text, *tree;
};

std::string tree_of(std::string text, bool as_template = false) {
  SourceTable sources;
  Diagnostics diags;
  const Expr* e = nullptr;
  auto file = as_template ? parse_template(sources, "t", std::move(text), e, diags)
                          : parse_expression(sources, "t", std::move(text), e, diags);
  std::string problems;
  for (const Diagnostic& d : diags.all()) problems += "!" + d.summary;
  return problems.empty() ? dump(*e, 0) : problems;
}

}  // namespace

TEST_CASE("syntax: expressions") {
  static const Row rows[] = {
      // Literals and names.
      {"1", "1"},
      {"1.50", "1.5"},
      {"1e3", "1000"},
      {"1E+2", "100"},
      {"1.e2", "100"},
      {"1.5e-1", "0.15"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"true", "true"},
      {"null", "null"},
      {"a-b", "a-b"},
      {"a -b", "(- a b)"},
      {"a- b", "!Extra characters after expression"},
      {"_x", "_x"},
      {"naïve_é", "naïve_é"},
      {"日本.x", "日本.x"},
      {"a # c", "a"},
      {"a // c", "a"},
      {"/* x */ a /* y\n */", "a"},
      {"\n a \n", "a"},
      // Operators.
      {"1 + 2 * 3", "(+ 1 (* 2 3))"},
      {"1 - 2 - 3", "(- (- 1 2) 3)"},
      {"a || b && c == d < e + f * g", "(|| a (&& b (== c (< d (+ e (* f g))))))"},
      {"a * b + c < d == e && f || g", "(|| (&& (== (< (+ (* a b) c) d) e) f) g)"},
      {"-a.b", "(neg a.b)"},
      {"!a == b", "(== (! a) b)"},
      {"- -1", "(neg (neg 1))"},
      {"--1", "(neg (neg 1))"},
      {"!!a", "(! (! a))"},
      {"a ? b : c ? d : e", "(? a b (? c d e))"},
      {"a ? b ? c : d : e", "(? a (? b c d) e)"},
      {"(1 + 2) % 3", "(% (parens (+ 1 2)) 3)"},
      {"a\n+\nb", "(+ a b)"},
      {"a >= b", "(>= a b)"},
      {"a != b", "(!= a b)"},
      {"a <= b", "(<= a b)"},
      {"a / b", "(/ a b)"},
      // Steps.
      {"a.b.c", "a.b.c"},
      {"a[0].b", "a[0].b"},
      {"a[\"k\"][1.5]", "a[\"k\"][1.5]"},
      {"a.0.b", "a[0].b"},
      {"a[b].c", "(steps (index a b) .c)"},
      {"a[-1]", "(index a (neg 1))"},
      {"a[(0)]", "(index a (parens 0))"},
      {"a[\"${b}\"]", "(index a (wrap b))"},
      {"a[true]", "(index a true)"},
      {"a[b][c]", "(index (index a b) c)"},
      {"a.b[c.d].e[0]", "(steps (index a.b c.d) .e[0])"},
      {"f(x).a[0]", "(steps (call f x) .a[0])"},
      {"(a).b", "(steps (parens a) .b)"},
      {"{a = 1}.a", "(steps (object \"a\" 1) .a)"},
      {"[1][0]", "(steps (tuple 1) [0])"},
      {"true.foo", "(steps true .foo)"},
      {"a . b", "a.b"},
      {"a\n.b", "a.b"},
      {"a[\n0\n]", "a[0]"},
      {"a.0.1", "!Invalid index"},
      {"a.", "!Missing attribute name"},
      {"a[", "!Invalid expression"},
      {"a[0", "!Unclosed index"},
      // Splats.
      {"a[*].b", "(splat a (steps it .b))"},
      {"a[*]", "(splat a it)"},
      {"a.*.b.c", "(splat.* a (steps it .b.c))"},
      {"a.*.b[0]", "(steps (splat.* a (steps it .b)) [0])"},
      {"a[*].b[0]", "(splat a (steps it .b[0]))"},
      {"a.*.b.0.c", "(splat.* a (steps it .b[0].c))"},
      {"a[*].b[*].c", "(splat a (splat (steps it .b) (steps it .c)))"},
      {"a[*].b.*.c", "(splat a (splat.* (steps it .b) (steps it .c)))"},
      {"a.*.*", "!Splat inside a splat"},
      {"a[*].b[c]", "(splat a (index (steps it .b) c))"},
      {"a[*]\n.b", "(splat a (steps it .b))"},
      {"a[* ]", "(splat a it)"},
      {"a[*", "!Missing closing bracket"},
      // Calls.
      {"f()", "(call f)"},
      {"f(a, b)", "(call f a b)"},
      {"f(a, b,)", "(call f a b)"},
      {"f(a...)", "(call... f a)"},
      {"f(\n a,\n b\n)", "(call f a b)"},
      {"provider::a::b(1)", "(call provider::a::b 1)"},
      {"core::f()", "(call core::f)"},
      {"a :: b()", "(call a::b)"},
      {"f(a... ,)", "!Misplaced \"...\""},
      {"f(a b)", "!Missing comma between arguments"},
      {"f(a", "!Unclosed function call"},
      {"a::b", "!Missing arguments of function call"},
      {"true()", "(call true)"},
      {"f(", "!Unclosed function call"},
      // Collections.
      {"[]", "(tuple)"},
      {"[1, 2,]", "(tuple 1 2)"},
      {"[\n1,\n2\n]", "(tuple 1 2)"},
      {"[1\n2]", "!Missing comma between list items"},
      {"{}", "(object)"},
      {"{a = 1, b : 2}", "(object \"a\" 1 \"b\" 2)"},
      {"{\na = 1\nb = 2\n\n}", "(object \"a\" 1 \"b\" 2)"},
      {"{(a) = 1}", "(object (parens a) 1)"},
      {"{\"a b\" = 1, 5 = 2, \"${x}y\" = 3}", "(object \"a b\" 1 5 2 (template x \"y\") 3)"},
      {"{null = 1, true = 2}", "(object \"null\" 1 \"true\" 2)"},
      {"{a.b = 1}", "(object a.b 1)"},
      {"{a = b ? c : d}", "(object \"a\" (? b c d))"},
      {"{a = 1 +\n2}", "!Invalid expression"},
      {"{a\n= 1}", "!Missing \"=\" after object key"},
      {"{a = 1 b = 2}", "!Missing separator between object elements"},
      {"{a {} }", "!Missing \"=\" after object key"},
      {"{a = (1 +\n2)}", "(object \"a\" (parens (+ 1 2)))"},
      {"[{a = 1\n}]", "(tuple (object \"a\" 1))"},
      {"{a = 1", "!Unclosed object"},
      {"[1", "!Unclosed list"},
      // Loops.
      {"[for x in y : x]", "(for[] x y - x)"},
      {"[for k, v in y : v if k]", "(for[] v key=k y - v k)"},
      {"{for k, v in y : k => v}", "(for{} v key=k y k v)"},
      {"{for v in y : v => v... if v}", "(for{...} v y v v v)"},
      {"{\nfor v in y :\n v => v\n}", "(for{} v y v v)"},
      {"[for x in y : x...]", "!Misplaced \"...\""},
      {"[for, a]", "!Invalid loop variables"},
      {"[(for), a]", "(tuple (parens for) a)"},
      {"{\"for\" = 1}", "(object \"for\" 1)"},
      {"[for x : y]", "!Missing \"in\" of a loop"},
      {"[for x in y : x => x]", "!Key in a list"},
      {"{for x in y : x}", "!Incomplete \"for\" expression"},
      {"[for x in y x]", "!Incomplete \"for\" expression"},
      {"[for x in y : {a = x\n}]", "(for[] x y - (object \"a\" x))"},
      // What is not a token, and hints.
      {"'a'", "!Invalid character"},
      {"“a”", "!Invalid character"},
      {"a & b", "!Invalid character"},
      {"a = b", "!Extra characters after expression"},
      {"", "!Invalid expression"},
      {"a b", "!Extra characters after expression"},
      {"1.2.3", "!Invalid number"},
      {"1..2", "!Invalid number"},
      {"(a", "!Unclosed parenthesis"},
      {"(a b)", "!Missing closing parenthesis"},
      {"a ? b", "!Incomplete conditional expression"},
      {"/* a", "!Unclosed comment"},
      {"<<", "!Invalid character"},
      {"a ^ b", "!Invalid character"},
      {"* 1", "!Invalid expression"},
  };
  for (const Row& r : rows) {
    INFO(r.text);
    CHECK(tree_of(r.text) == r.tree);
  }
}

TEST_CASE("syntax: templates") {
  static const Row rows[] = {
      {R"("")", R"("")"},
      {R"("abc")", R"("abc")"},
      {R"("a\n\t\"\\\u00e9\U0001F680")", R"("a\n\t\"\\é🚀")"},
      {R"("${a}")", "(wrap a)"},
      {R"("${"${a}"}")", "(wrap (wrap a))"},
      {R"("x${a}y")", R"((template "x" a "y"))"},
      {R"("${a}${b}")", "(template a b)"},
      {R"("$${a} %%{b} $ % $$ %% $x$")", R"("$${a} %%{b} $ % $$ %% $x$")"},
      {R"("$$${1} %%%{if")", R"("$$${1} %%%{if")"},
      {R"("a   ${~ b ~}   c")", R"((template "a" b "c"))"},
      {"\"${a~}\\n   b\"", R"((template a "b"))"},
      {R"("x \n  ${~a}")", R"((template "x" a))"},
      {R"("${"a"~}${" b"}")", R"((template "a" " b"))"},
      {R"("${~ a ~}")", "(wrap a)"},
      {"\"${\n a +\n b\n}\"", "(wrap (+ a b))"},
      {R"("${ {a = 1} }")", R"((wrap (object "a" 1)))"},
      {R"("%{if a}b%{else}c%{endif}")", R"((template (t-if a (template "b") (template "c"))))"},
      {R"("%{ if a ~} b %{~ endif }")", R"((template (t-if a (template "b"))))"},
      {R"("%{for x in y}${x},%{endfor}")", R"((template (t-for x y (template x ","))))"},
      {R"("%{for k, v in y}%{endfor}")", "(template (t-for v key=k y (template)))"},
      {R"("%{if a}%{if b}1%{endif}%{else}2%{endif}3")",
       R"((template (t-if a (template (t-if b (template "1"))) (template "2")) "3"))"},
      {R"("%{if a}")", "!Unclosed template directive"},
      {R"("%{endif}")", "!Unbalanced template directive"},
      {R"("%{if a}%{endfor}")", "!Unbalanced template directive!Unclosed template directive"},
      {R"("%{else}")", "!Unbalanced template directive"},
      {R"("%{esle}")", "!Invalid template directive"},
      {R"("%{}")", "!Invalid template directive"},
      {R"("%{for in y}%{endfor}")", "!Missing \"in\" of a loop"},
      {R"("${a")", "!Unclosed template sequence"},
      {R"("${a)", "!Unclosed template sequence"},
      {R"("${a b}")", "!Extra characters in template sequence"},
      {R"("${}")", "!Invalid expression"},
      {R"("a)", "!Unterminated string"},
      {"\"a\nb\"", "!Unterminated string"},
      {R"("\q")", "!Invalid escape sequence"},
      {R"("\u12")", "!Invalid escape sequence"},
      {R"("\ud800")", "!Invalid escape sequence"},
      {R"("\U00110000")", "!Invalid escape sequence"},
      {"\"e\\u0301\"", "\"é\""},
      {R"("a\${b}")", "!Invalid escape sequence"},
      // Heredocs.
      {"<<EOT\nEOT\n", R"(""heredoc)"},
      {"<<EOT\na\\n\"b\"\n  $${c}\nEOT", "\"a\\\\n\\\"b\\\"\\n  $${c}\\n\"heredoc"},
      {"<<EOT\na\n   EOT\n", R"("a\n"heredoc)"},
      {"<<EOT\n${a}\nEOT\n", R"((heredoc a "\n"))"},
      {"<<EOT\n${a~}\n    b\nEOT\n", R"((heredoc a "    b\n"))"},
      {"<<EOT\nx\n\n   ${~a}\nEOT\n", R"((heredoc "x\n\n" a "\n"))"},
      {"<<EOT\n${a~}\nEOT\n", "(heredoc a)"},
      {"<<EOT\r\na\r\nEOT\r\n", R"("a\r\n"heredoc)"},
      {"<<-EOT\n      six\n        eight\n    four\n\n      six\n    EOT\n",
       R"("  six\n    eight\nfour\n\n  six\n"heredoc)"},
      {"<<-EOT\n      a\n\tb\n    \n     c ${\"x\"\n}\n      d\n      EOT\n",
       R"((heredoc "     a\nb\n    \n    c " "x" "\n     d\n"))"},
      {"<<-EOT\n      a\n\n      \t b $\n      ${\"x\"} $${\"y\"}  %\n    ${~\"q\"} %\n      EOT\n",
       R"((heredoc "      a\n\n      \t b $\n      " "x" " $${\"y\"}  %\n" "q" " %\n"))"},
      {"<<-EOT\n  a\n  ${b}\n  EOT\n", R"((heredoc "a\n" b "\n"))"},
      {"<<-EOT\n\n  EOT\n", R"("\n"heredoc)"},
      {"<<-EOT\n    list:\n    %{for u in x~}\n    - ${u}\n    %{endfor~}\n    done\n  EOT\n",
       R"((heredoc "list:\n" (t-for u x (template "    - " u "\n")) "    done\n"))"},
      {"<<EOT\na\nEOT}", "!Unterminated heredoc"},
      {"<<EOT\n${a\nEOT\n", "!Extra characters in template sequence"},
      {"f(<<A\nx\nA\n, <<B\ny\nB\n)", R"((call f "x\n"heredoc "y\n"heredoc))"},
      {"[<<A\n${<<B\nb\nB\n}\nA\n]", R"((tuple (heredoc "b\n"heredoc "\n")))"},
  };
  for (const Row& r : rows) {
    INFO(r.text);
    CHECK(tree_of(r.text) == r.tree);
  }
}

TEST_CASE("syntax: templates on their own") {
  static const Row rows[] = {
      {"", R"("")"},
      {"a \"b\" \\n", R"("a \"b\" \\n")"},
      {"${[1]}", "(wrap (tuple 1))"},
      {"${a~}\n   b", R"((template a "   b"))"},
      {"x\n\n  ${~a}", R"((template "x\n\n" a))"},
      {"$", R"("$")"},
      {"%", R"("%")"},
      {"%{if a}\n x\n %{endif~}\n\n y $", R"((template (t-if a (template "\n x\n ")) "\n y $"))"},
      {"$${a}", R"("$${a}")"},
      {"${a}\n", R"((template a "\n"))"},
      {"${", "!Unclosed template sequence"},
      {"'", R"("'")"},
  };
  for (const Row& r : rows) {
    INFO(r.text);
    CHECK(tree_of(r.text, true) == r.tree);
  }
}

TEST_CASE("syntax: references leave out the names of loops") {
  struct {
    const char *text, *refs;
  } rows[] = {
      {"a.b + c", "a c "},
      {"[for a in a.x : a.y + b]", "a b "},
      {"{for k, v in m : k => v if c}", "m c "},
      {"[for x in y : [for y in x : y + z]]", "y z "},
      {"a[b[c]].d", "a b c "},
      {"f(a[*].b[c], \"${d}%{for e in f}${e}${g}%{endfor}\")", "a c d f g "},
      {"[[for x in y : x], x]", "y x "},
      {"{(a) = b, c = d}", "a b d "},
  };
  for (auto& r : rows) {
    SourceTable sources;
    Diagnostics diags;
    const Expr* e = nullptr;
    auto file = parse_expression(sources, "t", r.text, e, diags);
    std::vector<const Traversal*> found;
    collect_traversals(*e, found);
    std::string got;
    for (const Traversal* t : found) got += std::string(t->root.sv()) + " ";
    INFO(r.text);
    CHECK(got == r.refs);
  }
}

TEST_CASE("syntax: quoting as in addresses") {
  struct {
    std::string_view text, quoted;
  } rows[] = {
      {"a\"b", R"("a\"b")"},
      {"c\\d", R"("c\\d")"},
      {"e\nf\rg\th", R"("e\nf\rg\th")"},
      {"k\a", R"("k\u0007")"},
      {"\x7f", R"("\u007f")"},
      {"\u0085\u00a0\u200b\u2028", R"("\u0085\u00a0\u200b\u2028")"},
      {"${x}", R"("$${x}")"},
      {"%{y}", R"("%%{y}")"},
      {"$${z}", R"("$$${z}")"},
      {"$ $$ a$", R"("$ $$ a$")"},
      {"\U0001F680é", "\"\U0001F680é\""},
      {"\ufeff\u00ad\ue000\u0378", R"("\ufeff\u00ad\ue000\u0378")"},
      {"\U000e0001", R"("\U000e0001")"},
      {std::string_view("\0", 1), R"("\u0000")"},
      {"", "\"\""},
  };
  for (auto& r : rows) CHECK(quote(r.text) == r.quoted);
}

TEST_CASE("syntax: identifiers") {
  for (const char* s : {"a", "_", "a-b", "a1", "é", "日本", "A_9-", "ªx"}) CHECK(valid_identifier(s));
  for (const char* s : {"", "1a", "-a", "a b", "a.b", "a\n", "€", "\xff", "a\xff", "·a", "a!"})
    CHECK_FALSE(valid_identifier(s));
}

TEST_CASE("syntax: addresses, keywords and lists") {
  struct {
    const char *text, *result;
  } rows[] = {
      {"module.a[\"x\"].b.c[0]", "module.a[\"x\"].b.c[0]"},
      {"a.b[c]", "!Invalid reference"},
      {"a.b[*]", "!Invalid reference"},
      {"a +", "!Invalid expression"},
      {"f()", "!Invalid reference"},
      {"a.b c", "!Extra characters after expression"},
      {"", "!Invalid expression"},
  };
  for (auto& r : rows) {
    SourceTable sources;
    Diagnostics diags;
    const Traversal* t = nullptr;
    auto file = parse_traversal(sources, "t", r.text, t, diags);
    std::string got;
    if (t) {
      got = t->root.sv();
      for (const TraversalStep& s : t->steps)
        got += s.is_attr             ? "." + std::string(s.attr.sv())
               : s.index.is_string() ? "[" + quote(s.index.as_string()) + "]"
                                     : "[" + s.index.as_number().text() + "]";
    }
    for (const Diagnostic& d : diags.all()) got += "!" + d.summary;
    INFO(r.text);
    CHECK(got == r.result);
  }
  SourceTable sources;
  Diagnostics diags;
  auto file = parse_json(sources, "a.tf.json",
                         R"j({"x": ["a.b", "c[\"k\"]", "${d}", 5, "list(string)"], "k": "all"})j", diags);
  Content c = decode(file->body, {{{"x"}, {"k"}}, {}}, diags);
  std::vector<const Expr*> list;
  REQUIRE(as_list(*c.find("x")->expr, list));
  REQUIRE(list.size() == 5);
  CHECK(as_traversal(*file, *list[0], diags)->steps[0].attr.sv() == "b");
  const Traversal* t = as_traversal(*file, *list[1], diags);
  REQUIRE(t);
  CHECK(file->text.substr(t->steps[0].range.begin - file->base,
                          t->steps[0].range.end - t->steps[0].range.begin) == "[\\\"k\\\"]");
  CHECK_FALSE(diags.has_errors());
  CHECK_FALSE(as_traversal(*file, *list[2], diags));
  CHECK_FALSE(as_traversal(*file, *list[3], diags));
  CHECK(diags.error_count() == 2);
  CHECK(dump(*as_expression(*file, *list[4], diags), 0) == "(call list string)");
  CHECK(as_keyword(*c.find("k")->expr).sv() == "all");
  CHECK(as_keyword(*list[0]).empty());

  Diagnostics old;
  auto native = parse_native(sources, "a.tf", "x = [\"a.b\", a.c, {a = a.d, a.e = a.f}]\n", old);
  REQUIRE(as_list(*native->body.attributes[0].expr, list));
  CHECK(as_traversal(*native, *list[0], old)->steps[0].attr.sv() == "b");
  CHECK(old.size() == 1);
  CHECK_FALSE(old.has_errors());
  CHECK(as_traversal(*native, *list[2]->items[0], old)->root.sv() == "a");
  CHECK(as_traversal(*native, *list[2]->items[2], old)->steps.size() == 1);
  CHECK(old.size() == 1);
}
