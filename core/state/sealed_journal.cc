// Seals and opens the lines of journals.
#include "core/state/sealed_journal.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "core/state/journal_line.h"

namespace xplan {
namespace {

// As lines of a journal begin that is not sealed: LENGTH CHECKSUM.
bool is_plain(std::string_view line) {
  auto hex8 = [](std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isxdigit(c); });
  };
  return line.size() >= 18 && line[8] == ' ' && line[17] == ' ' && hex8(line.substr(0, 8)) &&
         hex8(line.substr(9, 8));
}

// Only runs that died have several headers in one journal: their own, and of commits.
constexpr size_t kMostHeaders = 64;

// What a run adds that keeps states in another form than the one before it did.
bool is_commit(std::string_view line) {
  return line.size() > 18 && line.substr(18).starts_with(R"({"kind":"commit",)");
}

class Opener {
 public:
  explicit Opener(crypt::Codec& codec) : codec_(codec) {}

  Result<std::string> open(std::string_view text) {
    out_.reserve(text.size());
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const bool whole = end != std::string_view::npos;
      if (Result<void> ok = take(text.substr(0, end), whole); !ok) return ok.error();
      text.remove_prefix(whole ? end + 1 : text.size());
    }
    return std::move(out_);
  }

 private:
  enum class Form : uint8_t { None, Plain, Sealed };

  // Only what was opened gets out of here where plain lines are not accepted, whatever they look like.
  Result<void> take(std::string_view line, bool whole) {
    if (crypt::is_record_header(line)) return whole ? header(line) : Result<void>();
    if (line.empty()) return {};
    if (is_plain(line)) {
      Result<void> ok = codec_.accepts_plain();
      if (ok) ok = enter(Form::Plain, line);
      if (ok) put(line, whole);
      return ok;
    }
    Result<crypt::RecordReader::Record> record =
        whole && current_ ? journals_[*current_].reader.open(line) : Error{};
    // No run was interrupted in the middle of a first line of that length: then it counts as a whole one.
    if (!record) return put(kUnreadable, whole || line.size() > kMostOfFirst), Result<void>();
    if (Result<void> ok = enter(Form::Sealed, record->bytes); !ok) return ok;
    uint64_t& next = journals_[*current_].next;
    if (record->number < next)
      return Error{"its lines are not in the order in which they were written: it was changed since"};
    if (record->number > next) put(kMissingLines, true);
    next = record->number + 1;
    out_ += record->bytes;
    wipe(record->bytes);
    return {};
  }

  // A journal is encrypted or not. When the configuration has changed since, the next run commits it in the
  // form that it writes, and nothing is added in the former one after that.
  Result<void> enter(Form form, std::string_view line) {
    const bool first = form_ == Form::None;
    if (form_ == form) return {};
    form_ = form;
    const Form written = codec_.encrypts() ? Form::Sealed : Form::Plain;
    if (first || (form == written && is_commit(line))) return {};
    return Error{"some of its records are encrypted and others are not: it was changed since it was written"};
  }

  // Every segment of a journal begins with its header; whatever else it looks like, it is the key that
  // counts.
  Result<void> header(std::string_view line) {
    if (const auto known = headers_.find(line); known != headers_.end())
      return current_ = known->second, Result<void>();
    if (headers_.size() == kMostHeaders)
      return Error{"it has more headers than runs leave: it was changed since it was written"};
    Result<crypt::RecordReader> reader = codec_.read_records(line);
    if (!reader) return reader.error();
    size_t n = 0;
    while (n < journals_.size() && !journals_[n].reader.same_journal(*reader)) ++n;
    if (n == journals_.size()) journals_.push_back({std::move(*reader)});
    headers_[line] = n;
    current_ = n;
    return {};
  }
  void put(std::string_view line, bool whole) {
    out_ += line;
    if (whole) out_ += '\n';
  }

  crypt::Codec& codec_;
  struct Journal {
    crypt::RecordReader reader;
    uint64_t next = 0;
  };
  std::vector<Journal> journals_;
  std::optional<size_t> current_;
  std::map<std::string_view, size_t> headers_;  // that were opened, so that none is opened twice
  Form form_ = Form::None;                      // of the last line that could be read
  std::string out_;
};

}  // namespace

Result<JournalSeal> JournalSeal::begin(crypt::Codec& codec) {
  JournalSeal out;
  Result<std::unique_ptr<crypt::RecordWriter>> writer = codec.write_records();
  if (!writer) return Error{"the journal cannot be encrypted: " + writer.error().message};
  out.writer_ = std::move(*writer);
  return out;
}

Result<std::string> JournalSeal::line(std::string_view line) {
  if (!writer_) return std::string(line);
  Result<std::string> sealed = writer_->seal(line);
  if (sealed) *sealed += '\n';
  return sealed;
}

Result<std::string> seal_lines(crypt::Codec& codec, const std::vector<std::string>& lines) {
  Result<JournalSeal> seal = JournalSeal::begin(codec);
  if (!seal) return seal.error();
  std::string out = seal->header();
  for (const std::string& line : lines) {
    Result<std::string> sealed = seal->line(line);
    if (!sealed) return sealed;
    out += *sealed;
  }
  return out;
}

Result<std::shared_ptr<const std::string>> open_journal(std::shared_ptr<const std::string> text,
                                                        crypt::Codec& codec) {
  // The header of the first journal may be behind what one that was not encrypted has left.
  if (text->find("{\"meta\":") == std::string::npos && codec.accepts_plain()) return text;
  Result<std::string> opened = Opener(codec).open(*text);
  if (!opened) return opened.error();
  return std::make_shared<const std::string>(std::move(*opened));
}

}  // namespace xplan
