// The printer behind print_diff(): one function a form.
//
// Who calls it: diff_print.cc (containers, blocks), diff_print_text.cc (scalars, strings), smart/print_*.cc.
// The smart style differs in what changes, and there in: objects (only the changed members, those of objects
// with one change by their path), lists (what moved), strings (kViews in smart/print_text.cc), and what is
// below a sensitive mark (which attributes change).
// Cost and thread-safety: as diff_print.h.
#pragma once
#include <string>

#include "render/diff_print.h"
#include "render/smart/words.h"

namespace xplan::render {

class Printer {
 public:
  Printer(std::string& out, Arena& arena) : out_(out), arena_(arena) {}

  void print(const Diff& d, int indent, const PrintOptions& o);
  void warnings(const Diff& d, int indent, const PrintOptions& o);
  void symbol(Act act, const PrintOptions& o);

 private:
  struct Words {  // a string or null, as it is to be shown
    bool null = false, tall = false;
    std::string_view text;
    const Item* json = nullptr;
  };
  void margin(int indent) { out_.append(static_cast<size_t>(indent) * 4, ' '); }
  void line_start(int indent, Act act, const PrintOptions& o) { margin(indent), symbol(act, o); }
  void faint(std::string_view s, const PrintOptions& o) { put(out_, s, Style::Faint, o.color); }
  void arrow(const PrintOptions& o) { out_ += ' ', put(out_, "->", Style::Yellow, o.color), out_ += ' '; }
  void null_suffix(Act act, const PrintOptions& o) {
    if (!o.no_null && act == Act::Delete) out_ += ' ', faint("-> null", o);
  }
  void replace_suffix(bool replace, const PrintOptions& o) {
    if (!o.no_replace && (replace || o.force_replace))
      out_ += ' ', put(out_, "# forces replacement", Style::Red, o.color);
  }
  void hidden_count(int indent, std::string_view what, size_t n, const PrintOptions& o) {
    line_start(indent, Act::NoOp, o);
    faint("# (" + std::to_string(n) + " unchanged " + std::string(what) + (n == 1 ? "" : "s") + " hidden)",
          o);
    out_ += '\n';
  }
  static constexpr size_t kMostTold = 4;  // unchanged attributes that are shown to identify an object
  static bool always_shown(std::string_view name) { return name == "id" || name == "name" || name == "tags"; }

  void scalar_value(const Item* i, const PrintOptions& o);
  void scalar(const Diff& d, const PrintOptions& o);
  Words words(const Item* i);
  void simple(const Words& w, const PrintOptions& o);
  void text(const Diff& d, int indent, const PrintOptions& o);
  void json(const Diff& d, int indent, const PrintOptions& o, const Item* before, const Item* after);
  void lines(std::string_view text, int indent, const PrintOptions& o);
  void changed_lines(std::string_view before, std::string_view after, int indent, const PrintOptions& o);
  void attributes(const Diff& d, int indent, const PrintOptions& o, const PrintOptions& below);
  void object(const Diff& d, int indent, const PrintOptions& o);
  void map(const Diff& d, int indent, const PrintOptions& o);
  void list(const Diff& d, int indent, const PrintOptions& o);
  void element(const Diff& d, int indent, const PrintOptions& o);
  void set(const Diff& d, int indent, const PrintOptions& o);
  void block(const Diff& d, int indent, const PrintOptions& o);
  void groups(const Diff& d, int indent, const PrintOptions& o);
  void sensitive_block(bool replace, int indent, const PrintOptions& o);

  // The smart style: objects, lists, blocks, what is masked (smart/print_tree.cc).
  static bool opens_masked(const Diff& d);
  static bool tells(const Diff& d);  // an unchanged attribute that may tell which object it belongs to
  void note(std::string_view text, const PrintOptions& o) { out_ += ' ', faint("# " + std::string(text), o); }
  void comment(int indent, std::string_view text, const PrintOptions& o);
  void moved_start(int indent, const PrintOptions& o);
  void brief(const Diff& d, const PrintOptions& o);
  bool elided(const Diff& d);
  const Diff& follow(const Diff& d, std::string& name, const PrintOptions& o);
  void changed_members(const Diff& d, int indent, const PrintOptions& o, const PrintOptions& below);
  void masked_group(const BlockGroup& group, bool apart, int indent, const PrintOptions& o);
  void moved_block(const BlockGroup& group, size_t i, int indent, const PrintOptions& o);
  void placed_list(const Diff& d, int indent, const PrintOptions& o);
  void placed_element(const Diff& child, const Placement& at, const std::string& label, int indent,
                      const PrintOptions& o);
  // Strings (smart/print_text.cc, smart/print_lines.cc).
  class Hunks;
  struct TextPair {
    const Diff& d;
    std::string_view before, after;
    std::string_view note = {};  // to be said of it where its text is shown
  };
  int columns_left(const PrintOptions& o) const;
  void changed_text(const Diff& d, int indent, const PrintOptions& o);
  bool as_json(TextPair& p, int indent, const PrintOptions& o);
  bool as_space(TextPair& p, int indent, const PrintOptions& o);
  bool as_yaml(TextPair& p, int indent, const PrintOptions& o);
  bool as_blob(TextPair& p, int indent, const PrintOptions& o);
  bool as_lines(TextPair& p, int indent, const PrintOptions& o);
  bool as_words(TextPair& p, int indent, const PrintOptions& o);
  void said(TextPair& p, std::string_view what, const PrintOptions& o);
  void document(TextPair& p, std::string_view function, size_t documents, const Diff& tree, int indent,
                const PrintOptions& o);
  void excerpts(std::string_view before, std::string_view after, const std::vector<Edit>& edits, int indent,
                const PrintOptions& o);

  std::string& out_;
  Arena& arena_;
};

}  // namespace xplan::render
