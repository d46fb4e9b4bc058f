// Reads zip and tar entries through libarchive and checks each: name, kind, size, compression ratio, total.
// Open this to change what an archive may contain.
#include "core/install/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "core/base/library.h"
#include "core/base/quote.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/install/zip_directory.h"

namespace xplan::install {
namespace {

// clang-format off
#define XPLAN_ARCHIVE_FUNCTIONS(X) \
  X(archive_read_new) X(archive_read_free) X(archive_read_support_format_tar) \
  X(archive_read_support_format_zip_seekable) X(archive_read_support_filter_gzip) \
  X(archive_read_support_filter_bzip2) X(archive_read_support_filter_xz) X(archive_read_support_filter_zstd) \
  X(archive_read_open_filename) X(archive_read_next_header) X(archive_read_data) X(archive_filter_count) \
  X(archive_error_string) X(archive_entry_pathname) X(archive_entry_filetype) X(archive_entry_perm) \
  X(archive_entry_symlink) X(archive_entry_hardlink)
// clang-format on
XPLAN_LIBRARY_API("libarchive.so.13", XPLAN_ARCHIVE_FUNCTIONS)

using Step = decltype(Api::archive_read_support_format_tar);
struct Row {
  ArchiveKind kind;
  Step Api::*format;
  Step Api::*filter;  // null: none
};
constexpr Row kRows[] = {
    {ArchiveKind::Zip, &Api::archive_read_support_format_zip_seekable, nullptr},
    {ArchiveKind::Tar, &Api::archive_read_support_format_tar, nullptr},
    {ArchiveKind::TarGzip, &Api::archive_read_support_format_tar, &Api::archive_read_support_filter_gzip},
    {ArchiveKind::TarBzip2, &Api::archive_read_support_format_tar, &Api::archive_read_support_filter_bzip2},
    {ArchiveKind::TarXz, &Api::archive_read_support_format_tar, &Api::archive_read_support_filter_xz},
    {ArchiveKind::TarZstd, &Api::archive_read_support_format_tar, &Api::archive_read_support_filter_zstd},
};

// The library gives names in the encoding of the thread's locale: in the plain one, only ASCII.
class Utf8Names {
 public:
  Utf8Names() {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (utf8) before_ = ::uselocale(utf8);
  }
  ~Utf8Names() {
    if (before_) ::uselocale(before_);
  }
  Utf8Names(const Utf8Names&) = delete;

 private:
  locale_t before_ = nullptr;
};

Error refused(const std::string& why) {
  return Error{"the archive was rejected because " + why};
}

// Control characters, and what changes the direction of the text around it: names are shown and compared by
// people.
bool is_deceptive(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string_view name_problem(std::string_view name, const UnpackLimits& limits, std::string& clean) {
  clean.clear();
  if (name.empty()) return "has no name";
  if (name.size() > limits.name_bytes) return "has a name that is too long";
  if (name[0] == '/') return "has an absolute name";
  if (name.find('\\') != name.npos) return "has a backslash in its name";
  for (size_t i = 0; i < name.size();)
    if (is_deceptive(utf8_decode(name, i))) return "has control characters in its name";
  size_t depth = 0;
  for (size_t i = 0; i <= name.size();) {
    const size_t end = std::min(name.find('/', i), name.size());
    const std::string_view part = name.substr(i, end - i);
    i = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return "leads outside of the directory it is unpacked to";
    if (part.size() > 255) return "has a name that is too long";
    if (++depth > limits.depth) return "is nested too deeply";
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  if (clean.empty()) clean = ".";
  return {};
}

bool is_of_git(std::string_view name) {
  return ("/" + ascii_lower(name) + "/").find("/.git/") != std::string::npos;
}

Error refused_entry(std::string_view name, std::string_view why) {
  std::string shown;
  append_quoted(shown, name.substr(0, 300), Quoting::Debug);
  return refused("its entry " + shown + " " + std::string(why));
}

struct ArchiveReader::Impl {
  const Utf8Names utf8_names;
  const Api& a = api();
  const UnpackLimits limits;
  const Stop stop;
  archive* handle = nullptr;
  std::string problem;             // that is there from the start
  std::vector<std::string> names;  // of the entries of a zip, as its directory has them
  bool is_zip = false;
  uint64_t allowed = 0, bytes = 0, entries = 0, links = 0;
  std::vector<char> buffer = std::vector<char>(1 << 17);

  Impl(const UnpackLimits& l, Stop s) : limits(l), stop(s) {}
  ~Impl() {
    if (handle) a.archive_read_free(handle);
  }

  Error damaged() const {
    const char* why = a.archive_error_string(handle);
    return Error{"the archive is damaged: " + std::string(why ? why : "it ends too early")};
  }

  void open(const std::string& path, ArchiveKind kind) {
    if (!a.library.missing().empty()) {
      problem = "archives cannot be read on this system, because " + a.library.missing() +
                " (libarchive) is not available";
      return;
    }
    if (kind == ArchiveKind::Zip) {
      Result<std::vector<std::string>> directory = read_zip_directory(path, limits);
      if (!directory) return void(problem = directory.error().message);
      names = std::move(*directory);
    }
    struct stat st;
    const uint64_t size = ::stat(path.c_str(), &st) == 0 ? static_cast<uint64_t>(st.st_size) : 0;
    allowed = std::min(limits.bytes,
                       std::max(limits.bytes_at_any_ratio,
                                size > limits.bytes / limits.ratio ? limits.bytes : size * limits.ratio));
    is_zip = kind == ArchiveKind::Zip;
    const Row& row =
        *std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.kind == kind; });
    handle = a.archive_read_new();
    (a.*row.format)(handle);
    // Anything but OK means that the library would run a program for it.
    if (row.filter && (a.*row.filter)(handle) != ARCHIVE_OK) {
      problem = "archives with this compression are not supported on this system";
      return;
    }
    if (a.archive_read_open_filename(handle, path.c_str(), 1 << 18) != ARCHIVE_OK)
      problem = damaged().message;
    else if (a.archive_filter_count(handle) != (row.filter ? 2 : 1))  // with the one that reads the file
      problem = refused("its compression does not match its name").message;
  }
};

ArchiveReader::ArchiveReader(const std::string& path, ArchiveKind kind, const UnpackLimits& limits, Stop stop)
    : impl_(std::make_unique<Impl>(limits, stop)) {
  impl_->open(path, kind);
}
ArchiveReader::~ArchiveReader() = default;

Result<bool> ArchiveReader::next(ArchiveEntry& entry) {
  Impl& m = *impl_;
  if (!m.problem.empty()) return Error{m.problem};
  if (stopped(m.stop)) return interrupted();
  archive_entry* e = nullptr;
  const int r = m.a.archive_read_next_header(m.handle, &e);
  if (r == ARCHIVE_EOF && m.is_zip && m.entries < m.names.size()) return m.damaged();
  if (r == ARCHIVE_EOF) return m.entries ? Result<bool>(false) : Result<bool>(Error{"the archive is empty"});
  if (r != ARCHIVE_OK && (r != ARCHIVE_WARN || m.is_zip)) return m.damaged();
  if (++m.entries > m.limits.entries)
    return refused("it has more than " + std::to_string(m.limits.entries) + " entries");
  const char* raw = m.a.archive_entry_pathname(e);
  std::string_view name = raw ? raw : "";
  // The library composes characters; the file gets the name that the archive has.
  const std::string* own = m.is_zip && m.entries <= m.names.size() ? &m.names[m.entries - 1] : nullptr;
  if (own && nfc(*own) == nfc(name)) name = *own;
  if (auto why = name_problem(name, m.limits, entry.name); !why.empty()) return refused_entry(name, why);
  if (m.is_zip && (!own || *own != name))
    return refused_entry(name, "has a different name in the central directory");
  entry.target.clear();
  entry.mode = m.a.archive_entry_perm(e) & 0777;
  const auto type = m.a.archive_entry_filetype(e);
  if (const char* target = m.a.archive_entry_hardlink(e)) {
    if (!name_problem(target, m.limits, entry.target).empty())
      return refused_entry(name, "is a link that leads outside of the directory it is unpacked to");
    entry.type = ArchiveEntry::Type::HardLink;
  } else if (type == AE_IFLNK) {
    const char* to = m.a.archive_entry_symlink(e);
    entry.target = to ? to : "";
    if (entry.target.empty() || entry.target.size() > m.limits.name_bytes)
      return refused_entry(name, "is a link to an invalid name");
    entry.type = ArchiveEntry::Type::SymbolicLink;
  } else if (type == AE_IFREG || type == AE_IFDIR) {
    entry.type = type == AE_IFREG ? ArchiveEntry::Type::File : ArchiveEntry::Type::Directory;
    if (type == AE_IFREG && entry.name == ".") return refused_entry(name, "has no name");
    return true;
  } else {
    return refused_entry(name, "is neither a file nor a directory");
  }
  if (entry.name == ".") return refused_entry(name, "has no name");
  if (++m.links > m.limits.links)
    return refused("it has more than " + std::to_string(m.limits.links) + " links");
  return true;
}

Result<std::string_view> ArchiveReader::data() {
  Impl& m = *impl_;
  if (stopped(m.stop)) return interrupted();
  const auto n = m.a.archive_read_data(m.handle, m.buffer.data(), m.buffer.size());
  if (n < 0) return m.damaged();
  m.bytes += static_cast<uint64_t>(n);
  if (m.bytes > m.allowed)
    return refused("it unpacks to more than " + std::to_string(m.allowed) +
                   " bytes, which is more than an archive of its size may have");
  return std::string_view(m.buffer.data(), static_cast<size_t>(n));
}

}  // namespace xplan::install
