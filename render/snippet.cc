// Finds the source lines of a diagnostic and the header of the block around them, in native and JSON files.
#include "render/snippet.h"

#include <algorithm>

#include "core/syntax/body.h"
#include "render/human_diag.h"
#include "render/text.h"

namespace xplan::render {

struct Snippets::Parsed {
  SourceTable sources;  // its own: parsing registers the text
  std::unique_ptr<syntax::File> file;
};

namespace {

constexpr size_t kWindow = 200;  // what is shown of a longer line on each side of the subject
constexpr std::string_view kEllipsis = "…";

// The last of the elements, which are in order, that begins at the place or before it; null: none does.
template <class Span, class Begin>
auto last_before(const Span& in_order, uint32_t place, Begin begin) {
  auto it = std::upper_bound(in_order.begin(), in_order.end(), place,
                             [&](uint32_t p, const auto& e) { return p < begin(e); });
  return it == in_order.begin() ? nullptr : &*--it;
}

// Keys and indexes on the way to the innermost object or array around the place.
std::string json_path(const JsonNode* n, uint32_t offset) {
  auto around = [&](const JsonNode* e) {
    return e && (e->is_object() || e->is_array()) && offset < e->end ? e : nullptr;
  };
  std::string path;
  while (n) {
    const JsonNode* next = nullptr;
    if (n->is_object()) {
      auto* m = last_before(n->members, offset, [](const JsonMember& e) { return e.key_begin; });
      if ((next = m ? around(m->value) : nullptr)) {
        if (!path.empty()) path += '.';
        path += m->key;
      }
    } else if (n->is_array()) {
      auto* e = last_before(n->items, offset, [](const JsonNode* i) { return i->begin; });
      if ((next = e ? around(*e) : nullptr)) path += "[" + std::to_string(e - n->items.data()) + "]";
    }
    n = next;
  }
  return path;
}

// Puts lines into a snippet, of long ones what is near the subject, and keeps track of that.
struct CodeWriter {
  Snippet& out;
  const size_t mark_begin, mark_end;  // in the file

  void add(std::string_view line, size_t start) {
    const size_t end = start + line.size();
    auto inside = [&](size_t place) { return place >= start && place <= end; };
    const size_t focus = mark_begin > end ? 0 : std::max(mark_begin, start) - start;
    const size_t focus_end = mark_begin > end ? 0 : std::clamp(mark_end, start, end) - start;
    size_t from = boundary(line, focus > kWindow ? focus - kWindow : 0);
    size_t to = boundary(line, std::min(focus_end, focus + kWindow) + kWindow);
    if (from <= kEllipsis.size()) from = 0;
    if (line.size() - to <= kEllipsis.size()) to = line.size();
    if (from > 0) out.code += kEllipsis;
    auto placed = [&](size_t place) { return out.code.size() + std::clamp(place - start, from, to) - from; };
    if (inside(mark_begin)) out.mark_begin = placed(mark_begin);
    if (mark_begin <= end && mark_end >= start) out.mark_end = placed(std::min(mark_end, end));
    out.code.append(line.substr(from, to - from));
    if (to < line.size()) out.code += kEllipsis;
  }
  static size_t boundary(std::string_view line, size_t i) {  // of a character, at it or before it
    if (i >= line.size()) return line.size();
    while (i > 0 && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80) --i;
    return i;
  }
};

std::string header(const syntax::Block& b) {
  std::string text(b.type.sv());
  for (Symbol label : b.labels) {
    text += ' ';
    append_quoted(text, label.sv(), Quoting::Debug);
  }
  return text;
}

}  // namespace

Snippets::Snippets(const SourceTable& sources) : sources_(sources) {}
Snippets::~Snippets() = default;

std::string Snippets::block_around(Range place) {
  ResolvedRange at;
  if (!sources_.resolve(place, at)) return {};
  auto& parsed = files_[at.file];
  if (!parsed) {
    parsed = std::make_unique<Parsed>();
    std::string_view text = sources_.text_of(place.begin);
    Diagnostics ignored;  // whoever loaded the file has reported them
    // What has no file name (an argument, an input line) has no blocks either.
    if (at.file.ends_with(".json"))
      parsed->file = syntax::parse_json(parsed->sources, std::string(at.file), std::string(text), ignored);
    else if (at.file.find('.') != std::string_view::npos && at.file[0] != '<')
      parsed->file = syntax::parse_native(parsed->sources, std::string(at.file), std::string(text), ignored);
  }
  const syntax::File* file = parsed->file.get();
  if (!file) return {};
  uint32_t offset = static_cast<uint32_t>(at.start.byte);
  if (file->document) return json_path(&file->document->root(), offset);
  auto begin = [&](const syntax::Block* b) { return b->type_range.begin - file->base; };
  auto* b = last_before(file->body.blocks, offset, begin);
  // What is said of the block as a whole stands at its very beginning, and needs no header to be understood.
  if (!b || !(*b)->body.range.valid() || begin(*b) == offset || offset > (*b)->body.range.end - file->base)
    return {};
  return header(**b);
}

bool Snippets::find(const Diagnostic& d, Snippet& out) {
  ResolvedRange at, around;
  if (!sources_.resolve(d.subject, at)) return false;
  out.file = at.file;
  out.start = at.start;
  out.end = at.end;
  const std::string_view text = sources_.text_of(d.subject.begin);
  size_t end = static_cast<size_t>(at.end.byte);
  const size_t mark = static_cast<size_t>(at.start.byte);
  ResolvedRange first = at, last;
  if (d.context.valid() && d.context.begin <= d.subject.begin && d.context.end >= d.subject.end &&
      sources_.resolve(d.context, around) && around.file == at.file) {
    first = around;
    end = std::max(end, static_cast<size_t>(around.end.byte));
  }
  if (end > static_cast<size_t>(first.start.byte) && text[end - 1] == '\n') --end;
  const uint32_t file = d.subject.begin - static_cast<uint32_t>(mark);
  if (!sources_.resolve({file + static_cast<uint32_t>(end), file + static_cast<uint32_t>(end)}, last))
    return false;
  out.first_line = first.start.line;
  out.mark_begin = out.mark_end = std::string::npos;  // unless they are found
  // An empty place is shown as one character.
  CodeWriter code{out, mark, std::max(static_cast<size_t>(at.end.byte), mark + 1)};
  auto start_of = [&](const ResolvedRange& r) {
    return static_cast<size_t>(r.first_line.data() - text.data());
  };
  size_t line = start_of(first);
  for (const size_t final = start_of(last); line < final; line = text.find('\n', line) + 1)
    code.add(text.substr(line, text.find('\n', line) - line), line), out.code += '\n';
  std::string_view rest = last.first_line;
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  code.add(rest, line);
  out.mark_begin = std::min(out.mark_begin, out.code.size());
  out.mark_end = std::min(out.mark_end, out.code.size());
  out.block = block_around(d.subject);
  return true;
}

const eval::Function* known_function(std::string_view name) {
  static const eval::FunctionTable* table = [] {
    auto* t = new eval::FunctionTable;
    eval::register_core_functions(*t);
    return t;
  }();
  return table->find(name);
}

std::string block_around(const SourceTable& sources, Range place) {
  return Snippets(sources).block_around(place);
}

}  // namespace xplan::render
