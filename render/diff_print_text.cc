// Prints the scalars and strings of a diff: quoted, multi-line strings line by line, and strings that hold
// JSON as JSON.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "render/pairing.h"
#include "render/printer.h"

namespace xplan::render {

void Printer::scalar_value(const Item* i, const PrintOptions& o) {
  switch (i->kind) {
    case Item::Kind::Bool:
      out_ += i->truth ? "true" : "false";
      break;
    case Item::Kind::Number:
      out_ += i->text;
      break;
    case Item::Kind::String:
      append_quoted(out_, i->text, Quoting::Debug);
      break;
    case Item::Kind::Missing:
    case Item::Kind::Null:
    case Item::Kind::Array:
    case Item::Kind::Object:
      faint("null", o);
  }
}

namespace {

// Written otherwise, which only documents can do.
bool same_number(const Item& a, const Item& b) {
  if (a.kind != Item::Kind::Number || b.kind != Item::Kind::Number) return false;
  const Result<Number> x = Number::parse(a.text), y = Number::parse(b.text);
  return x && y && *x == *y;
}

}  // namespace

void Printer::scalar(const Diff& d, const PrintOptions& o) {
  if (d.act != Act::Create) scalar_value(d.before, o);
  if (d.act == Act::Update) arrow(o);
  if (d.act == Act::Update || d.act == Act::Create) scalar_value(d.after, o);
  null_suffix(d.act, o);
  replace_suffix(d.replace, o);
  if (o.smart() && d.act == Act::Update && same_number(*d.before, *d.after)) note("the same number", o);
}

namespace {

std::string_view trim(std::string_view s) {
  static constexpr std::string_view kSpace = " \t\n\v\f\r";
  while (!s.empty()) {
    if (kSpace.find(s.front()) != kSpace.npos)
      s.remove_prefix(1);
    else if (s.starts_with("\xc2\x85") || s.starts_with("\xc2\xa0"))
      s.remove_prefix(2);
    else
      break;
  }
  while (!s.empty()) {
    if (kSpace.find(s.back()) != kSpace.npos)
      s.remove_suffix(1);
    else if (s.ends_with("\xc2\x85") || s.ends_with("\xc2\xa0"))
      s.remove_suffix(2);
    else
      break;
  }
  return s;
}

}  // namespace

Printer::Words Printer::words(const Item* i) {
  Words w;
  if (i->kind != Item::Kind::String) {
    w.null = true;
    return w;
  }
  w.text = i->text;
  if ((w.json = parse_json_text(i->text, arena_))) return w;
  if (i->text.find('\n') != std::string_view::npos) {
    w.tall = true;
    w.text = trim(i->text);
  }
  return w;
}

void Printer::simple(const Words& w, const PrintOptions& o) {
  if (w.null)
    faint("null", o);
  else
    append_quoted(out_, w.text, Quoting::Debug);
}

void Printer::lines(std::string_view text, int indent, const PrintOptions& o) {
  for (size_t i = 0;;) {
    size_t end = std::min(text.find('\n', i), text.size());
    line_start(indent, Act::NoOp, o);
    out_ += text.substr(i, end - i);
    out_ += '\n';
    if (end == text.size()) return;
    i = end + 1;
  }
}

void Printer::changed_lines(std::string_view before, std::string_view after, int indent,
                            const PrintOptions& o) {
  std::vector<std::string_view> texts;
  std::unordered_map<std::string_view, uint32_t> known;
  auto split = [&](std::string_view text) {
    Sequence s;
    for (size_t i = 0;;) {
      size_t end = std::min(text.find('\n', i), text.size());
      auto [it, fresh] = known.emplace(text.substr(i, end - i), static_cast<uint32_t>(texts.size()));
      if (fresh) texts.push_back(it->first);
      s.classes.push_back(it->second);
      if (end == text.size()) return s;
      i = end + 1;
    }
  };
  Sequence olds = split(before), news = split(after);
  auto line = [&](Act act, uint32_t c) {
    line_start(indent, act, o);
    out_ += texts[c];
    out_ += '\n';
  };
  for (auto [i, j] : pair_up(olds, news)) {
    uint32_t old = i == kNone ? UINT32_MAX : olds.classes[static_cast<size_t>(i)];
    uint32_t now = j == kNone ? UINT32_MAX : news.classes[static_cast<size_t>(j)];
    if (old == now) {
      line(Act::NoOp, old);
      continue;
    }
    if (i != kNone) line(Act::Delete, old);
    if (j != kNone) line(Act::Create, now);
  }
}

void Printer::text(const Diff& d, int indent, const PrintOptions& o) {
  if (o.smart() && d.act == Act::Update && d.before->kind == Item::Kind::String &&
      d.after->kind == Item::Kind::String)
    return changed_text(d, indent, o);
  Words before, after;
  if (d.act == Act::Update || d.act == Act::Delete) before = words(d.before);
  if (d.act != Act::Delete) after = words(d.after);
  auto open = [&] {
    out_ += "<<-EOT";
    replace_suffix(d.replace, o);
    out_ += '\n';
  };
  auto close = [&] {
    line_start(indent, Act::NoOp, o);
    out_ += "EOT";
    null_suffix(d.act, o);
  };
  if (d.act != Act::Update) {
    const Words& w = d.act == Act::Delete ? before : after;
    if (w.json)
      return json(d, indent, o, d.act == Act::Create ? nullptr : w.json,
                  d.act == Act::Delete ? nullptr : w.json);
    if (w.tall) {
      open();
      lines(w.text, indent + 1, o);
      return close();
    }
    simple(w, o);
    if (!w.null) null_suffix(d.act, o);
    replace_suffix(d.replace, o);
    return;
  }
  if (before.json && after.json) return json(d, indent, o, before.json, after.json);
  if (before.json || after.json) {
    Diff old, now;
    old.form = now.form = Diff::Form::Text;
    old.act = Act::Delete, now.act = Act::Create;
    old.before = d.before, old.after = now.before = &kMissing, now.after = d.after;
    PrintOptions inner = o;
    inner.no_null = true;
    print(old, indent, inner);
    arrow(o);
    print(now, indent, inner);
    return;
  }
  if (!before.tall && !after.tall) {
    simple(before, o);
    arrow(o);
    simple(after, o);
    replace_suffix(d.replace, o);
    return;
  }
  open();
  changed_lines(before.null ? "null" : before.text, after.null ? "null" : after.text, indent + 1, o);
  close();
}

void Printer::json(const Diff& d, int indent, const PrintOptions& o, const Item* before, const Item* after) {
  const Diff* tree = Differ(arena_).json(before, after);
  PrintOptions inner = o.below();
  inner.no_null = true;
  bool spacing = tree->act == Act::NoOp && d.act == Act::Update;
  if (spacing) inner.show_unchanged = true;
  std::string note = !spacing    ? ""
                     : d.replace ? " # whitespace changes force replacement"
                                 : " # whitespace changes";
  std::string body;
  Printer(body, arena_).print(*tree, indent + 1, inner);
  out_ += "jsonencode(";
  if (body.find('\n') != std::string::npos) {
    out_ += note;
    out_ += '\n';
    line_start(indent + 1, d.act == Act::Update && !spacing ? Act::Update : Act::NoOp, o);
    out_ += body;
    if (!spacing) replace_suffix(d.replace, o);
    out_ += '\n';
    line_start(indent, Act::NoOp, o);
    out_ += ')';
    null_suffix(d.act, o);
    return;
  }
  out_ += body;
  out_ += ')';
  out_ += note;
  if (!spacing) replace_suffix(d.replace, o);
}

}  // namespace xplan::render
