// Diagnostics as a list (adding, merging, counting errors) and did_you_mean(), the nearest name by edit
// distance.
#include "core/diag/diagnostic.h"

#include <algorithm>

namespace xplan {

namespace {

// What a provider or a server says can be of any length; nobody reads more of it than this.
void shorten(std::string& text, size_t most) {
  if (text.size() <= most) return;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  const size_t left = text.size() - end;
  text.resize(end);
  text += "… (" + std::to_string(left) + " more bytes)";
}

}  // namespace

Diagnostic& Diagnostics::add(Diagnostic d) {
  shorten(d.summary, 2 << 10);
  shorten(d.detail, 64 << 10);
  if (!list_) list_ = std::make_unique<std::vector<Diagnostic>>();
  if (d.severity == Severity::Error) ++errors_;
  list_->push_back(std::move(d));
  return list_->back();
}

Diagnostic& Diagnostics::error(std::string_view summary, std::string detail, Range subject, Range context) {
  Diagnostic d;
  d.summary = summary, d.detail = std::move(detail), d.subject = subject, d.context = context;
  return add(std::move(d));
}

Diagnostic& Diagnostics::warn(std::string_view summary, std::string detail, Range subject, Range context) {
  Diagnostic d;
  d.severity = Severity::Warning;
  d.summary = summary, d.detail = std::move(detail), d.subject = subject, d.context = context;
  return add(std::move(d));
}

void Diagnostics::append(Diagnostics&& other) {
  if (!other.list_) return;
  if (!list_) {
    list_ = std::move(other.list_);
  } else {
    list_->insert(list_->end(), std::make_move_iterator(other.list_->begin()),
                  std::make_move_iterator(other.list_->end()));
    other.list_.reset();
  }
  errors_ += other.errors_;
  other.errors_ = 0;
}

const std::vector<Diagnostic>& Diagnostics::all() const {
  static const std::vector<Diagnostic> none;
  return list_ ? *list_ : none;
}

std::vector<Diagnostic>& Diagnostics::mutable_all() {
  if (!list_) list_ = std::make_unique<std::vector<Diagnostic>>();
  return *list_;
}

void Diagnostics::recount() {
  errors_ = 0;
  for (const Diagnostic& d : all()) errors_ += d.severity == Severity::Error;
}

void Diagnostics::clear() {
  list_.reset();
  errors_ = 0;
}

std::string_view did_you_mean(std::string_view given, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  size_t best_distance = std::min<size_t>(4, (given.size() + 1) / 2);
  std::vector<size_t> before, above, row;  // distances of the last three prefixes of what was given
  for (std::string_view c : candidates) {
    size_t longer = std::max(c.size(), given.size()), shorter = std::min(c.size(), given.size());
    if (longer - shorter >= best_distance || longer > 200) continue;
    row.resize(c.size() + 1), above = before = row;
    for (size_t j = 0; j <= c.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= given.size(); ++i) {
      before.swap(above), above.swap(row);
      row[0] = i;
      for (size_t j = 1; j <= c.size(); ++j) {
        row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (given[i - 1] != c[j - 1])});
        if (i > 1 && j > 1 && given[i - 1] == c[j - 2] && given[i - 2] == c[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (row[c.size()] < best_distance) best_distance = row[c.size()], best = c;
  }
  return best;
}

}  // namespace xplan
