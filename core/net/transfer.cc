// One transfer through libcurl: the body and headers that come back, and what its failure means.
#include "core/net/transfer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>

#include "core/base/gunzip.h"
#include "core/base/system_text.h"
#include "core/base/text.h"
#include "core/net/setup.h"
#include "core/net/url.h"

namespace xplan::net {
namespace {

// One attempt: what is received, and where it goes.
struct Transfer {
  const Request& request;
  Answer answer{};
  std::FILE* file = nullptr;
  uint64_t arrived = 0, received = 0;     // bytes on the way, and of the body
  size_t headers = 0;                     // bytes
  std::optional<Gunzip> packed{};         // the body is compressed
  std::string rejected;                   // why no more is taken
  bool whole_head = false, good = false;  // good: the status is 200
  bool succeeds = true;                   // it is 2xx; of others, the body only says why
  uint64_t most() const {
    constexpr uint64_t kWhy = 1 << 20, kDocuments = 16 << 20;
    const uint64_t body = request.limits.body;
    return succeeds || body <= kDocuments ? body : kWhy;
  }
  bool short_of_memory = false;
  int write_error = 0;
  std::optional<std::chrono::steady_clock::time_point> answered{}, stopped{};
};

// What is written is not given up where somebody interrupts the run, so an answer to it must not last.
constexpr auto kLongestReply = std::chrono::seconds(60);

// Of a body that is compressed, only what it may come to is known; memory that is not needed is not taken.
void announce(Transfer& t) {
  constexpr uint64_t kMostlyUnpacked = 20;  // times its size
  const auto length = t.answer.headers.find("content-length");
  uint64_t size = 0;
  if (!t.request.arrival || !t.good || length == t.answer.headers.end()) return;
  const std::string& text = length->second;
  if (std::from_chars(text.data(), text.data() + text.size(), size).ec != std::errc()) return;
  const uint64_t most = t.request.limits.body;
  size = std::min(size, most);
  t.request.arrival->begin(t.packed ? std::min(size * kMostlyUnpacked, most) : size);
}

// Of an answer whose head is whole: unpacked is what was asked for, and nothing else.
bool begin_body(Transfer& t) {
  if (t.arrived > 0) return true;  // what may stand behind a body
  t.packed.reset();
  const auto header = t.answer.headers.find("content-encoding");
  const bool left = header == t.answer.headers.end() || !t.request.compressed;  // as it is
  const std::string how = left ? "" : ascii_lower(header->second);
  if (how == "gzip" || how == "x-gzip")
    t.packed.emplace();
  else if (!how.empty() && how != "identity")
    return false;
  return announce(t), true;
}

bool take(Transfer& t, std::string_view piece) {
  const Limits& limits = t.request.limits;
  t.received += piece.size();
  if (t.received > t.most())
    return t.rejected = "it is larger than " + std::to_string(t.most()) + " bytes", false;
  if (limits.together && (*limits.together -= static_cast<int64_t>(piece.size())) < 0)
    return t.rejected = "the responses so far are too large in total", false;
  if (t.request.arrival) t.request.arrival->append(piece);
  if (!t.file) return t.answer.body.append(piece), true;
  if (std::fwrite(piece.data(), 1, piece.size(), t.file) == piece.size()) return true;
  t.write_error = errno;
  return false;
}

// How much was taken; 0 ends the transfer. No exception may pass through libcurl.
template <size_t (*Take)(Transfer&, std::string_view)>
size_t on_data(char* data, size_t size, size_t count, void* user) {
  auto& t = *static_cast<Transfer*>(user);
  try {
    return Take(t, {data, size * count});
  } catch (const std::bad_alloc&) {
    return t.short_of_memory = true, 0;
  }
}

size_t take_body(Transfer& t, std::string_view piece) {
  t.arrived += piece.size();
  if (!t.packed) return take(t, piece) ? piece.size() : 0;
  // Pieces that nothing comes out of have no end otherwise.
  constexpr uint64_t kOverhead = 1 << 20;
  if (t.arrived > t.received + kOverhead && t.arrived > t.most())
    return t.rejected = "it is larger than " + std::to_string(t.most()) + " bytes", 0;
  const Gunzip::Status s = t.packed->take(piece, [&](std::string_view out) { return take(t, out); });
  if (s == Gunzip::Status::Damaged) t.rejected = "it is compressed, but is not valid gzip";
  return s == Gunzip::Status::More || s == Gunzip::Status::End ? piece.size() : 0;
}

// The connection may have stayed, and the length may be right, where somebody on the way cut it off.
bool ends_early(const Transfer& t) {
  return t.packed && t.arrived > 0 && t.packed->status() == Gunzip::Status::More;
}

// libcurl takes a length that it cannot count for none: then whatever came would be the whole body.
bool is_countable(std::string_view length) {
  int64_t n = 0;
  return std::from_chars(length.data(), length.data() + length.size(), n).ec !=
         std::errc::result_out_of_range;
}

size_t take_header(Transfer& t, std::string_view line) {
  // Also of answers before the last one, and of what stands behind a body.
  constexpr size_t kMostHeaders = 256 << 10;  // libcurl itself takes little more of some
  if ((t.headers += line.size()) > kMostHeaders) return t.rejected = "its headers are too large", 0;
  const bool first = line.starts_with("HTTP/"), last = trimmed(line).empty();
  if (first) {
    t.answered.reset();
    const size_t status = line.find(' ');  // 1xx: go on sending
    if (status != line.npos && line.substr(status).find(" 1") != 0)
      t.answered = std::chrono::steady_clock::now();
    t.good = status != line.npos && line.substr(status).starts_with(" 200");
    t.succeeds = status != line.npos && line.substr(status).starts_with(" 2");
  }
  if (first) t.answer.headers.clear();             // of the answer after a redirect
  if (t.whole_head && !first) return line.size();  // behind the body: nothing that is needed stands there
  t.whole_head = last;
  if (last && !begin_body(t)) return t.rejected = "it uses a compression that was not requested", 0;
  const size_t colon = line.find(':');
  const std::string name = ascii_lower(line.substr(0, std::min(colon, line.size())));
  if (name == "content-length" && !is_countable(trimmed(line.substr(colon + 1))))
    return t.rejected = "its Content-Length is too large", 0;
  if (colon != std::string_view::npos && (t.answer.headers.size() < 200 || name == "content-encoding")) {
    std::string& value = t.answer.headers[name];
    if (name == "content-encoding" && !value.empty())  // each is on top of the one before
      value += ", ";
    else
      value.clear();
    value += trimmed(line.substr(colon + 1));
  }
  return line.size();
}

int on_progress(void* user, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  Transfer& t = *static_cast<Transfer*>(user);
  const Request& r = t.request;
  if (r.method != "GET" && t.answered && std::chrono::steady_clock::now() - *t.answered > kLongestReply)
    return t.rejected = "it took too long to arrive", 1;
  if (r.progress) r.progress(static_cast<uint64_t>(done), static_cast<uint64_t>(total));
  if (!stopped(r.stop)) return 0;
  const auto now = std::chrono::steady_clock::now();
  if (!t.stopped) t.stopped = now;
  return now - *t.stopped >= r.stop.grace ? 1 : 0;
}

// Why libcurl speaks of a protocol that it does not support: that of the URL itself, or of one that the
// server redirects to; or an answer in none at all.
std::string refused_protocol(CURL* handle, const Request& r, std::string_view last) {
  long redirects = 0;
  curl().curl_easy_getinfo(handle, CURLINFO_REDIRECT_COUNT, &redirects);
  if (uses_https(last) || (uses_http(last) && (redirects == 0 || !uses_https(r.url))))
    return "the response is not HTTP";
  if (redirects == 0) return "only addresses with http and https are supported";
  return uses_https(r.url) ? "it redirects to an address without https"
                           : "it redirects to an address without http or https";
}

// What the library calls "out of memory", in its newer versions "too large": a header that is longer than it
// takes.
bool is_header_too_large(CURL* handle, CURLcode code, const Transfer& t) {
  constexpr int kTooLarge = 100;  // CURLE_TOO_LARGE, which older versions do not have
  curl_off_t first_byte = 0;
  curl().curl_easy_getinfo(handle, CURLINFO_STARTTRANSFER_TIME_T, &first_byte);
  return (code == CURLE_OUT_OF_MEMORY || static_cast<int>(code) == kTooLarge) && !t.whole_head &&
         first_byte > 0;
}

// What the library says, to stand inside a sentence: "Failed to connect to h port 9 after 0 ms: Couldn't
// connect to server" has the system's reason instead of the time.
std::string in_sentence(CURL* handle, CURLcode code, std::string text) {
  long failed = 0;
  curl().curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &failed);
  if (const size_t after = text.find(" after "); code == CURLE_COULDNT_CONNECT && after != text.npos)
    text = text.substr(0, after) + (failed != 0 ? ": " + system_text(static_cast<int>(failed)) : "");
  const size_t first = std::min(text.find_first_of(" /"), text.size());
  const bool word =
      first > 1 && std::all_of(text.begin() + 1, text.begin() + static_cast<int64_t>(first),
                               [](char c) { return c >= 'a' && c <= 'z'; });  // not SSL, OpenSSL
  if (const size_t last = text.find("transferred the last ");
      text.starts_with("Operation too slow") && last != text.npos)
    return "less than 1 KiB per second was transferred for " + text.substr(last + 21);
  if (text.find("wrong version number") != text.npos) text += " (perhaps the server speaks http, not https)";
  if (word && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

Result<Tried> attempt(CURL* handle, const Request& r, const ClientOptions& options,
                      const std::string& shown) {
  const Curl& c = curl();
  Transfer t{r};
  char detail[CURL_ERROR_SIZE] = "";
  Setup setup(handle, r, options);
  setup.set(CURLOPT_ERRORBUFFER, detail);
  setup.set(CURLOPT_WRITEFUNCTION, &on_data<take_body>);
  setup.set(CURLOPT_WRITEDATA, &t);
  setup.set(CURLOPT_HEADERFUNCTION, &on_data<take_header>);
  setup.set(CURLOPT_HEADERDATA, &t);
  setup.set(CURLOPT_NOPROGRESS, 0L);
  setup.set(CURLOPT_XFERINFOFUNCTION, &on_progress);
  setup.set(CURLOPT_XFERINFODATA, &t);
  if (const std::string problem = setup.problem(); !problem.empty())
    return Error{r.failure + " " + shown + ": " + problem};
  if (!r.to_file.empty() && !(t.file = std::fopen(r.to_file.c_str(), "we")))
    return Error{"cannot create \"" + r.to_file + "\": " + system_text(errno)};
  Tried out;
  out.code = c.curl_easy_perform(handle);
  if (t.file && std::fclose(t.file) != 0 && t.write_error == 0) t.write_error = errno;
  if (t.short_of_memory) throw std::bad_alloc();
  if (t.write_error != 0) return Error{"cannot write \"" + r.to_file + "\": " + system_text(t.write_error)};
  if (!t.rejected.empty()) return Error{"the response from " + shown + " was rejected because " + t.rejected};
  long status = 0;
  char *url = nullptr, *next = nullptr;
  c.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  c.curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url);
  c.curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &out.wait_told);
  long redirects = 0;
  c.curl_easy_getinfo(handle, CURLINFO_REDIRECT_COUNT, &redirects);
  c.curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &next);
  if (next) out.next = next;
  out.redirected = redirects > 0, out.received = t.received;
  out.answer = std::move(t.answer);
  out.answer.status = static_cast<int>(status);
  out.answer.url = url ? url : r.url;
  if (out.code == CURLE_UNSUPPORTED_PROTOCOL)
    out.detail = refused_protocol(handle, r, out.answer.url);
  else if (out.code == CURLE_OK && !t.whole_head)  // libcurl may take that for an empty body
    out.code = CURLE_PARTIAL_FILE, out.detail = "the connection was closed before the response was complete";
  else if (out.code == CURLE_OK && ends_early(t))
    out.code = CURLE_PARTIAL_FILE, out.detail = "the response is compressed, and ends too early";
  else if (is_header_too_large(handle, out.code, t))
    return Error{"the response from " + shown + " was rejected because its headers are too large"};
  else if (out.code != CURLE_OK)
    out.detail = in_sentence(handle, out.code, *detail ? detail : c.curl_easy_strerror(out.code));
  if (r.arrival && out.code == CURLE_OK)
    r.arrival->end();
  else if (r.arrival)
    r.arrival->abandon();
  return out;
}

}  // namespace xplan::net
