// What a place answers that keeps no journal; contents that cannot be a state.
#include "core/state/place.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace xplan {
namespace {
const Error kNoSegments{"no journal can be kept there"};
}  // namespace

Result<bool> Place::exists() {
  const Result<std::optional<Content>> there = get();
  if (!there) return there.error();
  return *there && !(*there)->bytes.empty();
}
Result<bool> Place::is_still(const std::optional<std::string>& version) {
  const Result<std::optional<Content>> there = get();
  if (!there) return there.error();
  return version == (*there ? std::optional((*there)->version) : std::nullopt);
}
Result<void> Place::put_segment(const std::string&, std::string_view, const net::Ending&) {
  return kNoSegments;
}
Result<std::vector<std::string>> Place::segments(bool) {
  return std::vector<std::string>();
}
Result<std::string> Place::get_segment(const std::string&) {
  return kNoSegments;
}
Result<void> Place::remove_segment(const std::string&) {
  return kNoSegments;
}

bool is_forbidden(const Error& e) {
  return e.message.find("403 Forbidden") != std::string::npos ||
         e.message.find("permission denied for table") != std::string::npos;  // PostgreSQL
}

std::string journal_here_advice() {
  return "Grant the credentials that permission; or set the environment variable XPLAN_REMOTE_JOURNAL to off "
         "(-remote-journal=off of "
         "apply), which keeps journals on the machines that apply, where other machines do not see them";
}

Error journal_too_large() {
  return Error{fmt::format("its parts have more than {} bytes in total, which is more than any run writes",
                           kLargestJournal)};
}

Result<std::vector<std::string>> Place::get_segments(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  int64_t size = 0;
  for (const std::string& name : names) {
    Result<std::string> one = get_segment(name);
    if (!one) return one.error();
    if ((size += static_cast<int64_t>(one->size())) > kLargestJournal) return journal_too_large();
    out.push_back(std::move(*one));
  }
  return out;
}

bool may_name_segment(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
}

Result<std::vector<std::string>> journal_segments(Place& place, bool always) {
  Result<std::vector<std::string>> out = place.segments(always);
  if (!out) return out;
  const auto hexadecimal = [](std::string_view s) {
    return !s.empty() && s.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  std::erase_if(*out, [&](const std::string& name) {
    const size_t dash = name.find('-');
    return dash == name.npos || !hexadecimal(std::string_view(name).substr(0, dash)) ||
           !hexadecimal(std::string_view(name).substr(dash + 1));
  });
  std::sort(out->begin(), out->end());
  return out;
}

std::optional<Error> web_page(const Place& place, const Content& content) {
  const std::string_view text = trimmed(content.bytes);
  const bool tags = text.starts_with('<');
  if (text.empty() || text[0] == '{' || (!tags && content.type.empty())) return std::nullopt;
  std::string begin, type;
  for (const char c : text.substr(0, std::min<size_t>(tags ? text.find('>') + 1 : text.find('\n'), 40)))
    begin += c >= ' ' && c != 0x7f ? c : ' ';
  for (const char c : content.type.substr(0, std::min<size_t>(content.type.find(';'), 40)))
    if (c > ' ' && c < 0x7f) type += c;
  const std::string lower = ascii_lower(begin);
  const bool page = lower.starts_with("<!doctype html") || lower.starts_with("<html");
  const char* advice = place.name().starts_with("http")
                           ? "Check that this is the address of the state itself, and open it in a browser"
                           : "Check the arguments of the backend";
  return Error{fmt::format(
      "there is {} at \"{}\" instead of a state{}: it begins with \"{}\". {}: a login page, a proxy or an "
      "error page may answer instead of the server that keeps the state",
      page ? "a web page" : "a document", place.name(), type.empty() ? "" : " (Content-Type: " + type + ")",
      begin, advice)};
}

Result<void> Place::remove_segments(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (Result<void> ok = remove_segment(name); !ok) return ok;
  return {};
}

}  // namespace xplan
