// Prints objects, lists and blocks in the smart style: changed members by their path, elements by whatever
// identifies them, what moved, and below a sensitive mark only which attributes change.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "render/printer.h"

namespace xplan::render {

namespace {

constexpr size_t kMostMoved = 12;    // elements that only moved, of one list
constexpr size_t kLongestPath = 60;  // columns, about: from there on, braces
constexpr size_t kLongestIdentity = 40, kLongestBrief = 50;

using Form = Diff::Form;

bool is_short_text(const Diff& d, size_t most) {
  return d.form == Form::Text && d.before->kind == Item::Kind::String && !d.before->text.empty() &&
         d.before->text.size() <= most && d.before->text.find('\n') == std::string_view::npos;
}

const Diff* member(const Diff& d, std::string_view key) {
  auto it = std::lower_bound(d.keys.begin(), d.keys.end(), key);
  return it == d.keys.end() || *it != key ? nullptr : d.children[static_cast<size_t>(it - d.keys.begin())];
}

// Of an object of Kubernetes "Deployment/web", of others what identifies() knows; empty: nothing does.
std::string identity(const Diff& d) {
  if (d.form != Form::Object && d.form != Form::NestedObject) return "";
  const Diff *kind = member(d, "kind"), *meta = member(d, "metadata");
  if (kind && meta && meta->form == Form::Object && kind->act == Act::NoOp &&
      is_short_text(*kind, kLongestIdentity)) {
    const Diff* name = member(*meta, "name");
    if (name && name->act == Act::NoOp && is_short_text(*name, kLongestIdentity)) {
      std::string out;
      append_quoted(out, std::string(kind->before->text) + "/" + std::string(name->before->text),
                    Quoting::Debug);
      return "[" + out + "]";
    }
  }
  for (size_t i = 0; i < d.keys.size(); ++i) {
    const Diff& child = *d.children[i];
    if (!identifies(d.keys[i]) || child.act != Act::NoOp || !is_short_text(child, kLongestIdentity)) continue;
    std::string out = "[";
    put_name(out, d.keys[i]);
    out += " = ";
    append_quoted(out, child.before->text, Quoting::Debug);
    return out + "]";
  }
  return "";
}

std::string index_text(int64_t i) {
  return "[" + std::to_string(i) + "]";
}

// How the elements of a list are called in paths.
std::vector<std::string> labels_of(const Diff& list) {
  std::vector<std::string> out;
  std::unordered_map<std::string, size_t> uses;
  for (const Diff* child : list.children) ++uses[out.emplace_back(identity(*child))];
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i].empty() || uses[out[i]] > 1) {
      const Placement& at = list.places[i];
      out[i] = index_text(at.to == kNone ? at.from : at.to);
    }
  return out;
}

bool still(const Diff& list, size_t i) {
  return list.children[i]->act == Act::NoOp && (list.places.empty() || !list.places[i].moved);
}

// The only child that changes; SIZE_MAX when several do.
size_t only_change(const Diff& d) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < d.children.size(); ++i) {
    if (still(d, i)) continue;
    if (found != SIZE_MAX) return SIZE_MAX;
    found = i;
  }
  return found;
}

}  // namespace

bool Printer::opens_masked(const Diff& d) {
  if (d.act != Act::Update) return false;
  return d.form == Form::NestedObject || d.form == Form::Block || (d.form == Form::Object && !d.keyed);
}

bool Printer::tells(const Diff& d) {
  if (d.act != Act::NoOp) return false;
  if (d.form == Form::Text) return is_short_text(d, kLongestIdentity);
  return d.form == Form::Scalar &&
         (d.before->kind == Item::Kind::Number || (d.before->kind == Item::Kind::Bool && d.before->truth));
}

void Printer::comment(int indent, std::string_view text, const PrintOptions& o) {
  line_start(indent, Act::NoOp, o);
  faint("# " + std::string(text), o);
  out_ += '\n';
}

void Printer::moved_start(int indent, const PrintOptions& o) {
  margin(indent);
  if (o.no_symbols) return;
  out_ += "  ";
  put(out_, ">", Style::Cyan, o.color);
  out_ += ' ';
}

// An unchanged element on one line: of an object what tells which it is.
void Printer::brief(const Diff& d, const PrintOptions& o) {
  if (d.form != Form::Object && d.form != Form::NestedObject && d.form != Form::Map &&
      d.form != Form::Block) {
    PrintOptions plain = o.below();
    plain.no_replace = true;
    if (d.form == Form::Text || d.form == Form::Scalar || d.form == Form::Sensitive)
      if (d.form != Form::Text || is_short_text(d, kLongestBrief)) return print(d, 0, plain);
    out_ += d.form == Form::Text ? "\"…\"" : d.children.empty() ? "[]" : "[…]";
    return;
  }
  std::vector<size_t> order;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < d.keys.size(); ++i)
      if (tells(*d.children[i]) && identifies(d.keys[i]) == (pass == 0)) order.push_back(i);
  out_ += '{';
  size_t used = 0, shown = 0;
  for (size_t i : order) {
    std::string text;
    put_name(text, d.keys[i]);
    text += " = ";
    if (d.children[i]->form == Form::Text)
      append_quoted(text, d.children[i]->before->text, Quoting::Debug);
    else
      text += d.children[i]->before->kind == Item::Kind::Bool ? "true" : d.children[i]->before->text;
    used += text.size() + 2;
    if (shown && used > kLongestBrief) break;
    out_ += shown++ ? ", " : " ";
    out_ += text;
  }
  out_ += shown < d.children.size() ? (shown ? ", … }" : "…}") : shown ? " }" : "}";
}

// Stands for a value of more than a line, of which nothing is known to stay; false: it is shorter.
bool Printer::elided(const Diff& d) {
  switch (d.form) {
    case Form::Text: {
      const bool json = d.before->kind == Item::Kind::String && parse_json_text(d.before->text, arena_);
      if (!json && (d.before->kind != Item::Kind::String || is_short_text(d, kLongestBrief))) return false;
      out_ += json ? "jsonencode(…)" : "\"…\"";
      return true;
    }
    case Form::Object:
    case Form::NestedObject:
    case Form::Map:
    case Form::NestedMap:
      if (!d.children.empty()) out_ += "{…}";
      return !d.children.empty();
    case Form::List:
    case Form::NestedList:
    case Form::Set:
    case Form::NestedSet:
      if (!d.children.empty()) out_ += "[…]";
      return !d.children.empty();
    case Form::Scalar:
    case Form::Block:
    case Form::Unknown:
    case Form::Sensitive:
    case Form::SensitiveBlock:
    case Form::TypeChange:
    case Form::WriteOnly:
      return false;
  }
  return false;
}

// Goes down through objects and lists in which only one thing changes, and adds the way to the name.
const Diff& Printer::follow(const Diff& d, std::string& name, const PrintOptions& o) {
  const Diff* at = &d;
  while (at->act == Act::Update && !at->replace && name.size() < kLongestPath) {
    const bool object = at->form == Form::Object && !(o.masked && at->keyed);
    const bool list = at->form == Form::List && !at->places.empty() && !o.masked;
    if (!object && !list) break;
    const size_t only = only_change(*at);
    if (only == SIZE_MAX) break;
    const Diff& next = *at->children[only];
    if (object) {
      if (!name.empty()) name += '.';
      put_name(name, at->keys[only]);
    } else {
      if (next.form != Form::Object || next.act != Act::Update || at->places[only].moved) break;
      name += labels_of(*at)[only];
    }
    at = &next;
  }
  return *at;
}

void Printer::changed_members(const Diff& d, int indent, const PrintOptions& o, const PrintOptions& below) {
  size_t unchanged = 0, told = 0;
  for (size_t i = 0; i < d.children.size(); ++i) {
    const Diff& child = *d.children[i];
    std::string name;
    put_name(name, d.keys[i]);
    if (child.act == Act::NoOp && !(o.identify && told < kMostTold && tells(child))) {
      ++unchanged;
      continue;
    }
    told += child.act == Act::NoOp;
    const Diff& shown = follow(child, name, below);
    warnings(shown, indent + 1, o);
    line_start(indent + 1, shown.act, below);
    out_ += name;
    out_ += " = ";
    print(shown, indent + 1, below);
    out_ += '\n';
  }
  if (unchanged && !o.document) hidden_count(indent + 1, "attribute", unchanged, o);
}

void Printer::placed_element(const Diff& child, const Placement& at, const std::string& label, int indent,
                             const PrintOptions& o) {
  if (child.act == Act::NoOp && at.moved) {
    moved_start(indent, o);
    if (label.starts_with("[\""))
      out_ += label;
    else
      brief(child, o);
    out_ += ',';
    note("moved from " + index_text(at.from) + " to " + index_text(at.to), o);
    out_ += '\n';
    return;
  }
  if (at.moved)
    comment(indent, "moved from " + index_text(at.from) + " to " + index_text(at.to) + ", and changed:", o);
  if (child.act != Act::Update || child.form != Form::Object) {
    PrintOptions element_options = o;
    element_options.identify = child.act == Act::Update;
    warnings(child, indent, o);
    return element(child, indent, element_options);
  }
  std::string name = label;
  const Diff& shown = follow(child, name, o);
  warnings(shown, indent, o);
  line_start(indent, shown.act, o);
  out_ += name;
  out_ += " = ";
  print(shown, indent, o);
  out_ += '\n';
}

// Of scalars one unchanged neighbour on each side of a change is shown, so that one sees where it is; objects
// are named instead.
void Printer::placed_list(const Diff& d, int indent, const PrintOptions& o) {
  out_ += '[';
  replace_suffix(d.replace, o);
  if (std::all_of(d.children.begin(), d.children.end(), [](const Diff* k) { return k->act == Act::NoOp; }))
    note("only the order changes", o);
  out_ += '\n';
  const std::vector<std::string> labels = labels_of(d);
  PrintOptions changed = o.below(), unchanged = o.below();
  changed.no_null = unchanged.show_unchanged = true;
  const Diff* held = nullptr;
  size_t passed = 0, moved = 0;
  bool next_too = false;
  auto pass = [&](bool all) {  // what was passed over; all of it counted, or its last one shown
    const bool shown = !all && passed && (held->form == Form::Scalar || is_short_text(*held, kLongestBrief));
    if (passed > size_t{shown}) hidden_count(indent + 1, "element", passed - size_t{shown}, changed);
    if (shown) element(*held, indent + 1, unchanged);
    passed = 0;
  };
  for (size_t i = 0; i < d.children.size(); ++i) {
    const Diff& child = *d.children[i];
    const bool neighbour = child.form == Form::Scalar || is_short_text(child, kLongestBrief);
    if (still(d, i) && !o.show_unchanged && !(next_too && neighbour)) {
      held = &child;
      ++passed;
      next_too = false;
      continue;
    }
    if (child.act == Act::NoOp && d.places[i].moved && ++moved > kMostMoved) continue;
    pass(false);
    next_too = !still(d, i);
    placed_element(child, d.places[i], labels[i], indent + 1, still(d, i) ? unchanged : changed);
  }
  if (moved > kMostMoved)
    comment(indent + 1, "(" + std::to_string(moved - kMostMoved) + " more moved elements hidden)", o);
  pass(true);
  line_start(indent, Act::NoOp, o);
  out_ += ']';
}

// Says whether anything in these blocks changes, and nothing else.
void Printer::masked_group(const BlockGroup& group, bool apart, int indent, const PrintOptions& o) {
  if (std::all_of(group.blocks.begin(), group.blocks.end(),
                  [](const Diff* b) { return b->act == Act::NoOp; }))
    return;
  if (apart) out_ += '\n';
  line_start(indent + 1, Act::Update, o);
  put_name(out_, group.name);
  out_ += " (sensitive value)\n";
}

void Printer::moved_block(const BlockGroup& group, size_t i, int indent, const PrintOptions& o) {
  const Placement& at = group.places[i];
  const std::string how = "moved from " + index_text(at.from) + " to " + index_text(at.to);
  if (group.blocks[i]->act != Act::NoOp) return comment(indent, how + ", and changed:", o);
  moved_start(indent, o);
  put_name(out_, group.name);
  out_ += ' ';
  brief(*group.blocks[i], o);
  note(how, o);
  out_ += '\n';
}

}  // namespace xplan::render
