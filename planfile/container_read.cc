#include <fmt/format.h>
#include <zip.h>

#include <unordered_map>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "planfile/container.h"

namespace xplan::planfile {
namespace {

// A name that cannot lead out of a directory and means the same on every system.
bool plain_name(std::string_view name) {
  if (name.empty() || name.size() > 4096 || name.front() == '/' || name.find('\\') != name.npos ||
      name.find('\0') != name.npos)
    return false;
  for (size_t begin = 0; begin <= name.size();) {
    size_t end = std::min(name.find('/', begin), name.size());
    std::string_view part = name.substr(begin, end - begin);
    if (part == ".." || part == "." || (part.empty() && end != name.size())) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace

struct ZipReader::Impl {
  std::string path;
  zip_t* zip = nullptr;
  std::unordered_map<std::string, uint64_t> index;
  std::unordered_map<std::string, std::string> digests;

  Error damaged(std::string_view why) const {
    return {fmt::format(
        "The plan file {} cannot be read: {}. Plan files are made with plan -out=FILE; make this one anew",
        path, why)};
  }
};

ZipReader::ZipReader() : impl_(std::make_unique<Impl>()) {}
ZipReader::~ZipReader() {
  if (impl_->zip) zip_discard(impl_->zip);
}

Result<void> ZipReader::open(const std::string& path) {
  impl_->path = path;
  int code = 0;
  impl_->zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (!impl_->zip) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return impl_->damaged(why);
  }
  const zip_int64_t count = zip_get_num_entries(impl_->zip, 0);
  if (count < 0 || static_cast<uint64_t>(count) > kMaxEntries)
    return impl_->damaged("it has too many entries");
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t st;
    if (zip_stat_index(impl_->zip, static_cast<zip_uint64_t>(i), 0, &st) < 0)
      return impl_->damaged(zip_strerror(impl_->zip));
    const char* name = (st.valid & ZIP_STAT_NAME) ? st.name : nullptr;
    if (!name || !plain_name(name)) return impl_->damaged("the name of an entry is not a relative path");
    if (!impl_->index.emplace(name, i).second)
      return impl_->damaged(fmt::format("the entry {} is there twice", name));
    if (!(st.valid & ZIP_STAT_SIZE) || !(st.valid & ZIP_STAT_COMP_SIZE) || st.size > kMaxEntry ||
        (st.size > kFreeSize && st.size / kMaxRatio > st.comp_size))
      return impl_->damaged(fmt::format("the entry {} is larger than a plan can be", name));
    if ((st.valid & ZIP_STAT_ENCRYPTION_METHOD) && st.encryption_method != ZIP_EM_NONE)
      return impl_->damaged(fmt::format("the entry {} is encrypted", name));
  }
  return {};
}

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> out(impl_->index.size());
  zip_uint64_t n = static_cast<zip_uint64_t>(zip_get_num_entries(impl_->zip, 0));
  for (zip_uint64_t i = 0; i < n; ++i) out[i] = zip_get_name(impl_->zip, i, 0);
  return out;
}

bool ZipReader::has(std::string_view name) const {
  return impl_->index.contains(std::string(name));
}

Result<void> ZipReader::load_digests(const std::string& name) {
  Result<std::string> text = read(name, kMaxSmallEntry);
  if (!text) return text.error();
  for (size_t at = 0; at < text->size();) {
    size_t end = std::min(text->find('\n', at), text->size());
    std::string_view line = std::string_view(*text).substr(at, end - at);
    if (line.size() < 67 || line.substr(64, 2) != "  ")
      return impl_->damaged("its list of digests is damaged");
    impl_->digests.emplace(line.substr(66), line.substr(0, 64));
    at = end + 1;
  }
  // The list names every entry: none may be missing, added or renamed.
  for (const auto& [entry, i] : impl_->index)
    if (entry != name && !impl_->digests.contains(entry))
      return impl_->damaged(fmt::format("the entry {} was added to it", entry));
  for (const auto& [entry, d] : impl_->digests)
    if (!impl_->index.contains(entry)) return impl_->damaged(fmt::format("the entry {} is missing", entry));
  return {};
}

Result<void> ZipReader::stream(const std::string& name, const std::function<bool(std::string_view)>& sink) {
  auto it = impl_->index.find(name);
  if (it == impl_->index.end()) return impl_->damaged(fmt::format("it has no entry {}", name));
  zip_file_t* file = zip_fopen_index(impl_->zip, it->second, 0);
  if (!file) return impl_->damaged(fmt::format("the entry {}: {}", name, zip_strerror(impl_->zip)));
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> closer(file, zip_fclose);
  zip_stat_t st;
  if (zip_stat_index(impl_->zip, it->second, 0, &st) < 0) return impl_->damaged(zip_strerror(impl_->zip));
  auto wanted = impl_->digests.find(name);
  DigestStream digest;
  std::string buffer(256 << 10, '\0');
  uint64_t total = 0;
  for (;;) {
    zip_int64_t n = zip_fread(file, buffer.data(), buffer.size());
    if (n < 0) return impl_->damaged(fmt::format("the entry {}: {}", name, zip_file_strerror(file)));
    if (n == 0) break;
    total += static_cast<uint64_t>(n);
    if (total > st.size) return impl_->damaged(fmt::format("the entry {} is larger than it says", name));
    std::string_view piece(buffer.data(), static_cast<size_t>(n));
    if (wanted != impl_->digests.end()) digest.update(piece);
    if (!sink(piece)) return {};
  }
  if (total != st.size) return impl_->damaged(fmt::format("the entry {} is cut off", name));
  if (wanted != impl_->digests.end() && hex_encode(digest.finish()) != wanted->second)
    return impl_->damaged(fmt::format("the entry {} was changed after the plan was made", name));
  return {};
}

bool ZipReader::alike(const std::string& a, const std::string& b) const {
  auto x = impl_->digests.find(a), y = impl_->digests.find(b);
  return x != impl_->digests.end() && y != impl_->digests.end() && x->second == y->second;
}

Result<std::string> ZipReader::read(const std::string& name, uint64_t limit) {
  std::string out;
  bool too_large = false;
  Result<void> r = stream(name, [&](std::string_view piece) {
    too_large = out.size() + piece.size() > limit;
    if (!too_large) out += piece;
    return !too_large;
  });
  if (!r) return r.error();
  if (too_large) return impl_->damaged(fmt::format("the entry {} is larger than a plan can be", name));
  return out;
}

}  // namespace xplan::planfile
