// Reads the directory of a zip file, also in the form for large ones (zip64), and the header before the data
// of each entry; refuses the file where the two differ, or where anything stands between the entries.
#include "core/install/zip_directory.h"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "core/install/archive_reader.h"
#include "core/install/zip_end.h"

namespace xplan::install {
namespace {

constexpr uint64_t kEntryBytes = 46, kHeaderBytes = 30, kMaxDescriptorBytes = 24;
constexpr unsigned kEncrypted = 1, kDescriptor = 8;

struct Entry {
  std::string name;
  unsigned flags = 0, method = 0;
  uint64_t sum = 0, packed = 0, size = 0, at = 0;
};

// What stands in the zip64 field, in its order, for those numbers that are marked.
void take_large(std::string_view extra, std::initializer_list<uint64_t*> numbers) {
  for (size_t i = 0; i + 4 <= extra.size();) {
    const uint64_t kind = zip_number(extra, i, 2), bytes = zip_number(extra, i + 2, 2);
    if (kind == 1) {
      std::string_view field = extra.substr(i + 4, bytes);
      for (uint64_t* n : numbers) {
        if (*n != kZipElsewhere || field.size() < 8) continue;
        *n = zip_number(field, 0, 8);
        field.remove_prefix(8);
      }
      return;
    }
    i += 4 + bytes;
  }
}

bool kind_is_known(std::string_view entry) {
  const uint64_t system = zip_number(entry, 5, 1), kind = zip_number(entry, 40, 2) & S_IFMT;
  if (system != 3 && system != 19) return true;  // neither Unix nor macOS: there are no others
  return kind == 0 || kind == S_IFREG || kind == S_IFDIR || kind == S_IFLNK;
}

// An empty string, or why the header is not that of the entry. `begin` becomes where its content begins.
std::string_view difference(const ZipFile& file, const Entry& e, uint64_t& begin) {
  const std::string header = file.read(e.at, kHeaderBytes);
  if (header.size() < kHeaderBytes || !header.starts_with("PK\3\4")) return "is not in it";
  const uint64_t name = zip_number(header, 26, 2), extra = zip_number(header, 28, 2);
  const std::string more = file.read(e.at + kHeaderBytes, name + extra);
  begin = e.at + kHeaderBytes + name + extra;
  uint64_t sum = zip_number(header, 14, 4), packed = zip_number(header, 18, 4),
           size = zip_number(header, 22, 4);
  take_large(std::string_view(more).substr(std::min<size_t>(name, more.size())), {&size, &packed});
  if (more.substr(0, name) != e.name) return "has a different name in its local header";
  const unsigned flags = static_cast<unsigned>(zip_number(header, 6, 2));
  // Who did not know them yet leaves them out and writes them after the content.
  const bool later = (flags & kDescriptor) != 0;
  auto same = [&](uint64_t here, uint64_t there) { return here == there || (later && here == 0); };
  if (flags != e.flags || zip_number(header, 8, 2) != e.method || !same(sum, e.sum) ||
      !same(packed, e.packed) || !same(size, e.size))
    return "has a different size or checksum in its local header";
  return {};
}

// What may stand behind the content of an entry whose header did not know its sizes and checksum: these, the
// sizes in four or eight bytes, with or without a mark before.
bool is_descriptor(std::string_view s, const Entry& e) {
  if (s.size() != 12 && s.size() != 16 && s.size() != 20 && s.size() != 24) return false;
  const size_t mark = s.size() % 8 ? 0 : 4, bytes = s.size() < 20 ? 4 : 8;
  return (!mark || s.starts_with("PK\7\10")) && zip_number(s, mark, 4) == e.sum &&
         zip_number(s, mark + 4, bytes) == e.packed && zip_number(s, mark + 4 + bytes, bytes) == e.size;
}

}  // namespace

Result<std::vector<std::string>> read_zip_directory(const std::string& path, const UnpackLimits& limits) {
  const ZipFile file(path);
  if (!file.problem().empty()) return Error{"the archive cannot be opened: " + file.problem()};
  const Result<ZipDirectory> d = find_directory(file);
  if (!d) return d.error();
  if (d->entries > limits.entries)
    return Error{"the archive was rejected because it has more than " + std::to_string(limits.entries) +
                 " entries"};
  const std::string bytes = file.read(d->at, d->size);
  std::vector<Entry> entries;
  std::string_view left = bytes;
  for (uint64_t i = 0; i < d->entries; ++i) {
    const uint64_t name = zip_number(left, 28, 2), extra = zip_number(left, 30, 2),
                   comment = zip_number(left, 32, 2);
    if (!left.starts_with("PK\1\2") || left.size() < kEntryBytes + name + extra + comment)
      return damaged_zip("its central directory is incomplete");
    Entry e{std::string(left.substr(kEntryBytes, name)),
            static_cast<unsigned>(zip_number(left, 8, 2)),
            static_cast<unsigned>(zip_number(left, 10, 2)),
            zip_number(left, 16, 4),
            zip_number(left, 20, 4),
            zip_number(left, 24, 4),
            zip_number(left, 42, 4)};
    take_large(left.substr(kEntryBytes + name, extra), {&e.size, &e.packed, &e.at});
    if (name > limits.name_bytes) return refused_entry(e.name, "has a name that is too long");
    if (!kind_is_known(left)) return refused_entry(e.name, "is neither a file nor a directory");
    if (e.flags & kEncrypted) return refused_entry(e.name, "is encrypted");
    entries.push_back(std::move(e));
    left.remove_prefix(kEntryBytes + name + extra + comment);
  }
  if (!left.empty()) return damaged_zip("its central directory has more entries than it should");
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
  std::vector<std::string> names;
  uint64_t end = 0;
  const Entry* before = nullptr;
  // Nothing but entries: some tools look for headers where the directory names none.
  auto all_is_named = [&](uint64_t until) {
    const uint64_t more = until - end;
    return more == 0 || (before && before->flags & kDescriptor && more <= kMaxDescriptorBytes &&
                         is_descriptor(file.read(end, more), *before));
  };
  auto hidden = [&] {
    return Error{
        "the archive was rejected because it contains data that belongs to none of its entries, at byte " +
        std::to_string(end)};
  };
  for (Entry& e : entries) {
    if (e.at < end) return refused_entry(e.name, "overlaps with the one before it");
    uint64_t begin = 0;
    if (const auto why = difference(file, e, begin); !why.empty()) return refused_entry(e.name, why);
    if (begin > d->at || e.packed > d->at - begin) return damaged_zip("it ends too early");
    if (!all_is_named(e.at)) return hidden();
    end = begin + e.packed;
    names.push_back(std::move(e.name));
    before = &e;
  }
  if (!all_is_named(d->at)) return hidden();
  return names;
}

}  // namespace xplan::install
