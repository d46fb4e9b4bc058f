// The expression tree: one tree for the native and the JSON syntax.
//
// Who calls it: parsers make it; config collects references from it; eval evaluates it; render/json_config
// describes it.
// Invariant: nodes are immutable after parsing, except the two `bound` slots that config fills in once while
// loading; they live in the File's arena and are never freed before it. Every node has an exact source range.
// Cost: a node is small and is visited with a switch over `kind`; nothing is virtual.
// Thread-safety: read-only after loading.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/json_reader.h"
#include "core/base/symbol.h"
#include "core/diag/source.h"
#include "core/value/value.h"

namespace xplan::syntax {

struct Expr;

// a.b["c"][0]: the static part of a reference. Steps with an index that is not a literal end it (an Index
// node around the traversal follows); a splat ends it too.
struct TraversalStep {
  bool is_attr = true;
  Symbol attr;  // is_attr: also for the legacy form a.0 when the text is not a number
  Value index;  // otherwise a literal string or number
  Range range;
};
struct Traversal {
  Symbol root;
  Range root_range;
  std::span<const TraversalStep> steps;
  Range range;
  mutable uint32_t bound = 0;  // set by config: index+1 of the parsed reference in its module; 0 = not bound
};

enum class ExprKind : uint8_t {
  Literal,       // value
  Traversal,     // traversal
  Template,      // parts: string; literal parts are Literal nodes; an interpolation is any other node
  TemplateWrap,  // "${expr}" alone: the value of `a` as it is
  TemplateIf,    // %{if a}b%{else}c%{endif}: b and c are Template nodes; c null when absent
  TemplateFor,   // %{for key, val in a}b%{endfor}
  Tuple,         // items
  Object,        // items: key, value, key, value, …; a key that is a bare name is a Literal string;
                 //   (expr) keys are Parens nodes
  Call,          // name, items = arguments; expand_final: last argument is followed by …
  Unary,         // op, a
  Binary,        // op, a, b
  Conditional,   // a ? b : c
  Index,         // a[b] with b not a literal
  RelTraversal,  // a, then traversal.steps (root empty): steps on a value that is not a traversal
  Splat,         // a[*] or a.*: `b` is evaluated for each element with SplatItem as its base
  SplatItem,     // the current element of the enclosing splat
  For,           // {for key, val in a : b => c if d…} or [for …: c if d]
  Parens,        // (a)
};
enum class Op : uint8_t { Add, Sub, Mul, Div, Mod, Neg, Not, And, Or, Eq, Ne, Lt, Le, Gt, Ge };

struct Expr {
  ExprKind kind = ExprKind::Literal;
  Op op = Op::Add;
  bool expand_final = false;   // Call
  bool is_object_for = false;  // For: braces
  bool grouping = false;       // For: … after the value
  bool legacy_splat = false;   // Splat: .* (only attribute steps belong to it)
  bool heredoc = false;        // Template or Literal written as a heredoc
  uint16_t height = 1;         // levels of the tree from here down, at most kMaxHeight
  Range range;
  Value value;  // Literal
  Traversal* traversal = nullptr;
  const Expr *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
  std::span<const Expr* const> items;
  Symbol name;                   // Call: "a" or "provider::x::f"; For/TemplateFor: value variable
  Symbol key_name;               // For/TemplateFor: key variable, empty when absent
  Range name_range, open_range;  // Call: the name; Object/Tuple/For/Call: the opening bracket
  const JsonNode* json =
      nullptr;  // made from this JSON node (JSON syntax): the raw form is wanted in the plan JSON
  mutable uint32_t bound = 0;  // Call: set by eval/config: index+1 of the function in its table
};

// Calls f for every node under and including e, parents first, siblings in source order. Iterative.
void walk(const Expr& e, const std::function<void(const Expr&)>& f);
// Whether a call is one of `convert`, whose second argument is not evaluated, but says a type.
bool takes_type(const Expr& call);
// Every traversal in e that is not local to it (loop variables of `for` are) and no word of a type, in source
// order. Steps on other values (RelTraversal) are not references and not listed.
void collect_traversals(const Expr& e, std::vector<const Traversal*>& out);
inline constexpr int kMaxDepth = 500;  // nesting of brackets, blocks and templates; deeper is a diagnostic
// Levels of one expression tree. It is more than kMaxDepth because a chain (a + b + c …) leans to the left:
// one level each. Whoever recurses over a tree can rely on it.
inline constexpr int kMaxHeight = 1000;

}  // namespace xplan::syntax
