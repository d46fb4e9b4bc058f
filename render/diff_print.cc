// Prints a diff tree: symbols, alignment, hidden counts ("# (3 unchanged attributes hidden)"), containers,
// blocks, notes on sensitivity. Strings and scalars: diff_print_text.cc.
#include "render/diff_print.h"

#include <algorithm>
#include <vector>

#include "render/printer.h"

namespace xplan::render {

void Printer::symbol(Act act, const PrintOptions& o) {
  if (o.no_symbols) return;
  out_ += "  ";
  switch (act) {
    case Act::NoOp:
      out_ += ' ';
      break;
    case Act::Create:
      put(out_, "+", Style::Green, o.color);
      break;
    case Act::Update:
      put(out_, "~", Style::Yellow, o.color);
      break;
    case Act::Delete:
      put(out_, "-", Style::Red, o.color);
      break;
  }
  out_ += ' ';
}

// ----------------------------------------------------------------------------------------------------------
// containers

// Names are aligned by all attributes that exist, the hidden ones too.
void Printer::attributes(const Diff& d, int indent, const PrintOptions& o, const PrintOptions& below) {
  std::vector<std::string> names(d.keys.size());
  size_t width = 0, unchanged = 0, told = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    put_name(names[i], d.keys[i]);
    width = std::max(width, names[i].size());
  }
  PrintOptions important = below.below();
  important.show_unchanged = true;
  for (size_t i = 0; i < names.size(); ++i) {
    const Diff& child = *d.children[i];
    bool always = always_shown(d.keys[i]) && !o.masked;
    if (o.identify && !always && told < kMostTold && tells(child)) always = true, ++told;
    if (!always && child.act == Act::NoOp && !o.show_unchanged) {
      ++unchanged;
      continue;
    }
    warnings(child, indent + 1, always ? important : o);
    line_start(indent + 1, child.act, below);
    put_padded(out_, names[i], width);
    out_ += " = ";
    print(child, indent + 1, always ? important : below);
    out_ += '\n';
  }
  if (unchanged) hidden_count(indent + 1, "attribute", unchanged, o);
}

void Printer::object(const Diff& d, int indent, const PrintOptions& o) {
  if (d.children.empty()) {
    out_ += "{}";
    null_suffix(d.act, o);
    replace_suffix(d.replace, o);
    return;
  }
  out_ += '{';
  replace_suffix(d.replace, o);
  out_ += '\n';
  PrintOptions below = o.below();
  below.no_null = d.form == Diff::Form::Object;
  if (o.smart() && d.form == Diff::Form::Object && d.act == Act::Update && !o.show_unchanged)
    changed_members(d, indent, o, below);
  else
    attributes(d, indent, o, below);
  line_start(indent, Act::NoOp, o);
  out_ += '}';
  null_suffix(d.act, o);
}

void Printer::map(const Diff& d, int indent, const PrintOptions& o) {
  bool nested = d.form == Diff::Form::NestedMap;
  bool replace_self = d.replace && !nested, replace_kids = d.replace && nested;
  if (d.children.empty()) {
    out_ += "{}";
    null_suffix(d.act, o);
    replace_suffix(replace_self, o);
    return;
  }
  out_ += '{';
  replace_suffix(replace_self, o);
  out_ += '\n';
  std::vector<std::string> names(d.keys.size());
  size_t width = 0, unchanged = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    append_quoted(names[i], d.keys[i], Quoting::Debug);
    width = std::max(width, names[i].size());
  }
  PrintOptions below = o.below();
  below.no_null = d.act == Act::Delete || nested;
  below.force_replace = replace_kids;
  for (size_t i = 0; i < names.size(); ++i) {
    const Diff& child = *d.children[i];
    if (child.act == Act::NoOp && !o.show_unchanged) {
      ++unchanged;
      continue;
    }
    warnings(child, indent + 1, o);
    line_start(indent + 1, child.act, below);
    if (nested)
      out_ += names[i];
    else
      put_padded(out_, names[i], width);
    out_ += " = ";
    print(child, indent + 1, below);
    if (child.form == Diff::Form::Object || child.form == Diff::Form::NestedObject) out_ += ',';
    out_ += '\n';
  }
  if (unchanged) hidden_count(indent + 1, "element", unchanged, o);
  line_start(indent, Act::NoOp, o);
  out_ += '}';
  null_suffix(d.act, o);
}

void Printer::element(const Diff& d, int indent, const PrintOptions& o) {
  line_start(indent, d.act, o);
  print(d, indent, o);
  out_ += ",\n";
}

// One unchanged neighbour on each side of a change is shown, so that one sees where in the list it is.
void Printer::list(const Diff& d, int indent, const PrintOptions& o) {
  if (d.children.empty()) {
    out_ += "[]";
    null_suffix(d.act, o);
    replace_suffix(d.replace, o);
    return;
  }
  if (!d.places.empty() && d.act == Act::Update) return placed_list(d, indent, o);
  out_ += '[';
  replace_suffix(d.replace, o);
  out_ += '\n';
  bool with_neighbours = d.form == Diff::Form::List;
  PrintOptions changed = o.below(), unchanged = o.below();
  changed.no_null = true;
  unchanged.show_unchanged = true;
  const Diff* held = nullptr;  // the last one passed over
  size_t passed = 0;
  bool next_too = false;
  for (const Diff* child : d.children) {
    if (child->act == Act::NoOp && !next_too && !o.show_unchanged) {
      held = child;
      ++passed;
      continue;
    }
    next_too = false;
    const PrintOptions* how = &changed;
    if (with_neighbours) {
      if (passed > 1) hidden_count(indent + 1, "element", passed - 1, changed);
      if (passed) element(*held, indent + 1, unchanged);
      passed = 0;
      if (child->act == Act::NoOp)
        how = &unchanged;
      else
        next_too = true;
    }
    warnings(*child, indent + 1, *how);
    element(*child, indent + 1, *how);
  }
  if (passed) hidden_count(indent + 1, "element", passed, o);
  line_start(indent, Act::NoOp, o);
  out_ += ']';
  null_suffix(d.act, o);
}

void Printer::set(const Diff& d, int indent, const PrintOptions& o) {
  bool nested = d.form == Diff::Form::NestedSet;
  bool replace_self = d.replace && !nested;
  if (d.children.empty()) {
    out_ += "[]";
    null_suffix(d.act, o);
    replace_suffix(replace_self, o);
    return;
  }
  out_ += '[';
  replace_suffix(replace_self, o);
  out_ += '\n';
  PrintOptions below = o.below();
  below.no_null = true;
  below.force_replace = d.replace && nested;
  size_t unchanged = 0;
  for (const Diff* child : d.children) {
    if (child->act == Act::NoOp && !o.show_unchanged) {
      ++unchanged;
      continue;
    }
    warnings(*child, indent + 1, o);
    below.identify = o.smart() && child->act == Act::Update;
    element(*child, indent + 1, below);
  }
  if (unchanged) hidden_count(indent + 1, "element", unchanged, o);
  line_start(indent, Act::NoOp, o);
  out_ += ']';
  null_suffix(d.act, o);
}

// --------------------------------------------------------------------------------------------------------------
// blocks

void Printer::block(const Diff& d, int indent, const PrintOptions& o) {
  out_ += '{';
  if (d.children.empty() && d.groups.empty()) {
    out_ += '}';
    replace_suffix(d.replace, o);
    return;
  }
  replace_suffix(d.replace, o);
  out_ += '\n';
  attributes(d, indent, o, o.below());
  groups(d, indent, o);
  line_start(indent, Act::NoOp, o);
  out_ += '}';
}

void Printer::groups(const Diff& d, int indent, const PrintOptions& o) {
  size_t unchanged = 0;
  for (const BlockGroup& group : d.groups) {
    if (o.masked) {  // how many there are is part of the secret
      masked_group(group, !d.children.empty(), indent, o);
      continue;
    }
    bool first = true;
    for (size_t i = 0; i < group.blocks.size(); ++i) {
      const Diff& child = *group.blocks[i];
      bool hide = (child.act != Act::Delete && group.after_sensitive) ||
                  (child.act != Act::Create && group.before_sensitive);
      Act act = child.act;
      if (hide && act == Act::NoOp && group.before_sensitive != group.after_sensitive) act = Act::Update;
      const bool moved = !group.places.empty() && group.places[i].moved;
      if (act == Act::NoOp && !o.show_unchanged && !moved) {
        ++unchanged;
        continue;
      }
      if (first && !d.children.empty()) out_ += '\n';
      first = false;
      if (moved && !hide) {
        moved_block(group, i, indent + 1, o);
        if (act == Act::NoOp) continue;
      }
      PrintOptions below = o.below();
      below.force_replace = group.replace;
      below.identify = o.smart() && act == Act::Update && group.blocks.size() > 1;
      Diff cover;
      const Diff* hidden[] = {&child};
      if (hide) {
        cover.form = Diff::Form::SensitiveBlock;
        cover.act = act;
        cover.replace = child.replace;
        cover.before_sensitive = group.before_sensitive;
        cover.after_sensitive = group.after_sensitive;
        cover.children = hidden;
      }
      const Diff& shown = hide ? cover : child;
      warnings(shown, indent + 1, below);
      line_start(indent + 1, act, below);
      put_name(out_, group.name);
      size_t coming = group.blocks.size() - group.labels.size();  // an unknown number of blocks has no label
      if (!group.labels.empty() && i >= coming)
        out_ += ' ', append_quoted(out_, group.labels[i - coming], Quoting::Debug);
      out_ += ' ';
      print(shown, indent + 1, below);
      out_ += '\n';
    }
  }
  if (unchanged) {
    out_ += '\n';
    hidden_count(indent + 1, "block", unchanged, o);
  }
}

void Printer::sensitive_block(bool replace, int indent, const PrintOptions& o) {
  out_ += '{';
  replace_suffix(replace, o);
  for (std::string_view line : {"# At least one attribute in this block is (or was) sensitive,",
                                "# so its contents will not be displayed."}) {
    out_ += '\n';
    line_start(indent, Act::NoOp, o);
    out_ += "  ";
    out_ += line;
  }
  out_ += '\n';
  line_start(indent, Act::NoOp, o);
  out_ += '}';
}

// ------------------------------------------------------------------------------------------------------------
// the rest

void Printer::warnings(const Diff& d, int indent, const PrintOptions& o) {
  bool is_block = d.form == Diff::Form::SensitiveBlock;
  if ((d.form != Diff::Form::Sensitive && !is_block) || d.before_sensitive == d.after_sensitive) return;
  Act inner = d.children[0]->act;
  if (inner == Act::Create || inner == Act::Delete) return;
  auto line = [&](std::string_view lead, std::string_view rest) {
    margin(indent);
    out_ += "  # ";
    put(out_, lead, Style::Yellow, o.color);
    out_ += rest;
  };
  std::string what = is_block ? ": this block will " : ": this attribute value will ";
  if (d.before_sensitive) {
    line("Warning", what + "no longer be marked as sensitive\n");
    line("", "after applying this change.");
  } else {
    line("Warning", what + "be marked as sensitive and will not\n");
    line("", "display in UI output after applying this change.");
  }
  if (!is_block && inner == Act::NoOp) out_ += " The value is unchanged.";
  out_ += '\n';
}

void Printer::print(const Diff& d, int indent, const PrintOptions& o) {
  if (o.masked && !opens_masked(d)) {
    out_ += "(sensitive value)";
    null_suffix(d.act, o);
    replace_suffix(d.replace, o);
    return;
  }
  switch (d.form) {
    case Diff::Form::Scalar:
      return scalar(d, o);
    case Diff::Form::Text:
      return text(d, indent, o);
    case Diff::Form::Object:
    case Diff::Form::NestedObject:
      return object(d, indent, o);
    case Diff::Form::Map:
    case Diff::Form::NestedMap:
      return map(d, indent, o);
    case Diff::Form::List:
    case Diff::Form::NestedList:
      return list(d, indent, o);
    case Diff::Form::Set:
    case Diff::Form::NestedSet:
      return set(d, indent, o);
    case Diff::Form::Block:
      return block(d, indent, o);
    case Diff::Form::SensitiveBlock:
      if (o.show_sensitive) return print(*d.children[0], indent, o);
      if (o.smart() && d.before_sensitive && d.after_sensitive && opens_masked(*d.children[0]))
        return print(*d.children[0], indent, o.under_mark());
      return sensitive_block(d.replace, indent, o);
    case Diff::Form::Sensitive:
      if (o.show_sensitive) return print(*d.children[0], indent, o);
      if (o.smart() && d.before_sensitive && d.after_sensitive && opens_masked(*d.children[0]))
        return print(*d.children[0], indent, o.under_mark());
      out_ += "(sensitive value)";
      null_suffix(d.act, o);
      replace_suffix(d.replace, o);
      return;
    case Diff::Form::WriteOnly:
      out_ += "(write-only attribute)";
      replace_suffix(d.replace, o);
      null_suffix(d.act, o);
      return;
    case Diff::Form::Unknown:
      if (!d.children.empty() && d.act != Act::Create) {
        PrintOptions old = o;
        old.no_null = true;
        old.no_replace |= d.replace;
        if (!o.smart() || !elided(*d.children[0])) print(*d.children[0], indent, old);
        out_ += " -> ";
      }
      out_ += "(known after apply)";
      replace_suffix(d.replace, o);
      return;
    case Diff::Form::TypeChange: {
      PrintOptions plain = o;
      plain.no_null = true;
      print(*d.children[0], indent, plain);
      arrow(o);
      print(*d.children[1], indent, plain);
      return;
    }
  }
}

void print_diff(std::string& out, const Diff& d, int indent, const PrintOptions& options, Arena& arena) {
  Printer(out, arena).print(d, indent, options);
}
void print_symbol(std::string& out, Act act, const PrintOptions& options) {
  std::pmr::monotonic_buffer_resource unused;
  Printer(out, unused).symbol(act, options);
}
}  // namespace xplan::render
