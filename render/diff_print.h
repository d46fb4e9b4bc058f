// Printing a diff tree: the text between the braces of a change.
//
// Who calls it: human_change.cc, human_plan.cc, human_state.cc.
// Form: four columns an indent, a two-column symbol and a space in front of every line ("  + ", "  ~ "),
// names aligned within their block. The form is exact: people's eyes and tools depend on it. The smart style
// (printer.h says where it differs) is for people alone. Cost: linear in what is printed, but for texts of
// the smart style, which are bounded as smart/ says.  Thread-safety: pure functions.
#pragma once
#include <string>

#include "render/diff.h"
#include "render/text.h"

namespace xplan::render {

struct PrintOptions {
  bool color = false;
  bool show_sensitive = false;
  bool no_null = false;         // leave out " -> null"
  bool force_replace = false;   // say "# forces replacement" whatever the diff says; does not go down
  bool no_replace = false;      // never say it: what stands around it does
  bool show_unchanged = false;  // do not hide what is equal on both sides
  bool no_symbols = false;      // no room for symbols either
  DiffStyle style = DiffStyle::Compat;
  int width = 78;         // columns that lines of the smart style keep to; 0: no limit
  bool masked = false;    // below a sensitive mark: only names of attributes, never values
  bool document = false;  // inside a document: what does not change is not mentioned
  bool identify = false;  // one of several: with unchanged attributes that tell which; does not go down
  PrintOptions under_mark() const {
    PrintOptions o = *this;
    o.masked = true;
    o.show_unchanged = o.identify = false;
    return o;
  }
  bool smart() const { return style == DiffStyle::Smart; }
  PrintOptions below() const {
    PrintOptions o = *this;
    o.force_replace = o.identify = false;
    return o;
  }
};

// The value side of `name = …`; the first line is not indented.
void print_diff(std::string& out, const Diff& d, int indent, const PrintOptions& options, Arena& arena);
// "  + " and so on, with the space behind; nothing when there are to be no symbols.
void print_symbol(std::string& out, Act act, const PrintOptions& options);

}  // namespace xplan::render
