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

bool holds(const JsonNode& n, uint32_t offset) {
  return n.begin <= offset && offset < n.end;
}

// Keys and indexes on the way to the innermost object or array around the place.
std::string json_path(const JsonNode* n, uint32_t offset) {
  std::string path;
  while (n) {
    const JsonNode* next = nullptr;
    if (n->is_object()) {
      for (const JsonMember& m : n->members) {
        bool container = m.value->is_object() || m.value->is_array();
        if (!container || offset < m.key_begin || offset >= m.value->end) continue;
        if (!path.empty()) path += '.';
        path += m.key;
        next = m.value;
      }
    } else if (n->is_array()) {
      for (size_t i = 0; i < n->items.size(); ++i) {
        const JsonNode* e = n->items[i];
        if (!(e->is_object() || e->is_array()) || !holds(*e, offset)) continue;
        path += "[" + std::to_string(i) + "]";
        next = e;
      }
    }
    n = next;
  }
  return path;
}

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
  for (const syntax::Block* b : file->body.blocks) {
    uint32_t begin = b->type_range.begin - file->base, end = b->body.range.end - file->base;
    // What is said of the block as a whole stands at its very beginning, and needs no header to be
    // understood.
    if (b->body.range.valid() && begin < offset && offset <= end) return header(*b);
  }
  return {};
}

bool Snippets::find(const Diagnostic& d, Snippet& out) {
  ResolvedRange at;
  if (!sources_.resolve(d.subject, at)) return false;
  out.file = at.file;
  out.start = at.start;
  out.end = at.end;
  std::string_view text = sources_.text_of(d.subject.begin);
  size_t begin = static_cast<size_t>(at.start.byte), end = std::max(begin, static_cast<size_t>(at.end.byte));
  size_t mark_begin = begin, mark_end = std::max(end, begin + 1);  // an empty place is shown as one character
  ResolvedRange around;
  if (d.context.valid() && d.context.begin <= d.subject.begin && d.context.end >= d.subject.end &&
      sources_.resolve(d.context, around) && around.file == at.file) {
    begin = static_cast<size_t>(around.start.byte);
    end = std::max(end, static_cast<size_t>(around.end.byte));
  }
  begin = std::min(begin, text.size());
  end = std::min(end, text.size());
  size_t line = begin ? text.rfind('\n', begin - 1) : std::string_view::npos;
  line = line == std::string_view::npos ? 0 : line + 1;
  if (end > begin && text[end - 1] == '\n') --end;
  size_t stop = std::min(text.find('\n', end), text.size());
  out.code = text.substr(line, stop - line);
  if (out.code.ends_with('\r')) out.code.remove_suffix(1);
  out.first_line = at.start.line -
                   static_cast<int>(std::count(
                       text.begin() + static_cast<std::ptrdiff_t>(line),
                       text.begin() + static_cast<std::ptrdiff_t>(std::min(mark_begin, text.size())), '\n'));
  out.mark_begin = std::min(mark_begin - line, out.code.size());
  out.mark_end = std::min(mark_end - line, out.code.size());
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
