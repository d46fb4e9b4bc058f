// The table of source texts behind Range: registration, and translation of an offset range to file, line and
// column.
#include "core/diag/source.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/utf8.h"

namespace xplan {
namespace {

// Of long lines, as far as they were asked for: by the offset at which one starts, some offsets, and how many
// characters lie before them in their line.
using Columns = std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>>;

// Characters of the line that starts at `start`, up to the offset: many places in one line cost no more than
// going through it once.
uint32_t characters(std::string_view text, Columns& columns, uint32_t start, uint32_t offset) {
  constexpr uint32_t kStep = 256;
  if (offset - start < 2 * kStep)
    return static_cast<uint32_t>(graphemes(text.substr(start, offset - start)).size());
  auto& known = columns[start];
  if (known.empty()) known.emplace_back(start, 0);
  uint32_t step = kStep;
  while (offset > known.back().first + 2 * step) {
    const auto [at, before] = known.back();
    uint32_t end = at + step;
    while (end > at && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // whole code points
    const std::vector<uint32_t> lengths = graphemes(text.substr(at, end - at));
    if (lengths.size() < 2) {  // a character as long as that
      step *= 2;
      continue;
    }
    known.emplace_back(end - lengths.back(), before + static_cast<uint32_t>(lengths.size()) - 1);
  }
  auto it = std::upper_bound(known.begin(), known.end(), std::pair(offset, UINT32_MAX)) - 1;
  return it->second + static_cast<uint32_t>(graphemes(text.substr(it->first, offset - it->first)).size());
}

}  // namespace

struct SourceTable::Impl {
  struct File {
    std::string name, text;
    uint32_t base;
    std::vector<uint32_t> lines;  // offsets at which lines start; empty until first asked for
    Columns columns;
  };

  mutable std::mutex lock;
  std::deque<File> files;                               // elements never move
  std::unordered_map<std::string, const File*> latest;  // by name
  uint32_t next = 1;

  const File* find(uint32_t offset) const {
    auto it = std::upper_bound(files.begin(), files.end(), offset,
                               [](uint32_t o, const File& f) { return o < f.base; });
    return it == files.begin() ? nullptr : &*--it;
  }
  static Position position(File& f, uint32_t offset) {
    if (f.lines.empty()) {
      f.lines.push_back(0);
      for (uint32_t i = 0; i < f.text.size(); ++i)
        if (f.text[i] == '\n') f.lines.push_back(i + 1);
    }
    offset = std::min<uint32_t>(offset, static_cast<uint32_t>(f.text.size()));
    auto line = std::upper_bound(f.lines.begin(), f.lines.end(), offset) - f.lines.begin();
    uint32_t start = f.lines[static_cast<size_t>(line - 1)];
    Position p;
    p.line = static_cast<int>(line);
    p.byte = static_cast<int>(offset);
    p.column = 1 + static_cast<int>(characters(f.text, f.columns, start, offset));
    return p;
  }
};

SourceTable::SourceTable() : impl_(std::make_unique<Impl>()) {}
SourceTable::~SourceTable() = default;

uint32_t SourceTable::add(std::string name, std::string text) {
  std::lock_guard guard(impl_->lock);
  // What is read again is the same place: what is wrong there is one thing, found twice.
  auto [latest, fresh] = impl_->latest.try_emplace(name, nullptr);
  if (!fresh && latest->second->text == text) return latest->second->base;
  uint32_t base = impl_->next;
  // One offset more than the text has bytes, so that its end is a place of its own.
  impl_->next += static_cast<uint32_t>(text.size()) + 1;
  impl_->files.push_back({std::move(name), std::move(text), base, {}, {}});
  latest->second = &impl_->files.back();
  return base;
}

std::string_view SourceTable::text_of(uint32_t base) const {
  std::lock_guard guard(impl_->lock);
  const Impl::File* f = impl_->find(base);
  return f ? std::string_view(f->text) : std::string_view();
}

bool SourceTable::resolve(Range r, ResolvedRange& out) const {
  if (!r.valid()) return false;
  std::lock_guard guard(impl_->lock);
  Impl::File* f = const_cast<Impl::File*>(impl_->find(r.begin));
  if (!f) return false;
  uint32_t begin = r.begin - f->base, end = std::max(begin, r.end - f->base);
  out.file = f->name;
  out.start = Impl::position(*f, begin);
  out.end = Impl::position(*f, end);
  std::string_view text = f->text;
  out.text = text.substr(std::min<size_t>(begin, text.size()), end - begin);
  const size_t n = static_cast<size_t>(out.start.line), line = f->lines[n - 1];
  out.first_line = text.substr(line, (n < f->lines.size() ? f->lines[n] - 1 : text.size()) - line);
  return true;
}

size_t SourceTable::size() const {
  return impl_->files.size();
}
std::string_view SourceTable::name(size_t i) const {
  return impl_->files[i].name;
}
std::string_view SourceTable::text(size_t i) const {
  return impl_->files[i].text;
}

}  // namespace xplan
