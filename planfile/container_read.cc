// Opens a plan file as a zip with libzip: checks entry names, sizes and the seal, and reads entries whole or
// as a stream with limits. Hostile input.
#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/system_text.h"
#include "planfile/container.h"
#include "planfile/seal.h"

namespace xplan::planfile {
namespace {

// A name that cannot lead outside of a directory and means the same on every system.
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
  std::string decrypted;  // the bytes, where the file's are not the zip's
  zip_t* zip = nullptr;
  std::unordered_map<std::string, uint64_t> index;
  Seal seal = Seal::None;

  Error damaged(std::string_view why) const {
    return {fmt::format("The plan file {} cannot be read: {}. Create a new plan with {}", path, why,
                        own_command("plan -out=FILE"))};
  }
};

ZipReader::ZipReader() : impl_(std::make_unique<Impl>()) {}
ZipReader::~ZipReader() {
  if (impl_->zip) zip_discard(impl_->zip);
}

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// What has to go through the codec: all but a zip where nothing has to be encrypted.
bool is_for_codec(std::FILE* file, crypt::Codec& codec) {
  const int first = std::fgetc(file);
  std::rewind(file);
  return first == '{' || codec.encrypts();
}

}  // namespace

// The bytes of the zip; the path's own file where those are its bytes.
Result<void> ZipReader::decrypt(uint64_t size, crypt::Codec& codec) {
  auto failed = [&](std::string_view why) {
    return Error{fmt::format("The plan file {} cannot be read: {}", impl_->path, why)};
  };
  if (size > kMaxEntry) return failed("it is larger than a plan can be");
  Result<std::string> bytes = real_fs().read(impl_->path);
  if (!bytes) return failed(bytes.error().message);
  Result<crypt::Decrypted> plain = codec.decrypt(std::move(*bytes));
  if (!plain) return failed(plain.error().message);
  impl_->decrypted = std::move(plain->bytes);
  return {};
}

Result<void> ZipReader::open(const std::string& path, crypt::Codec& codec) {
  impl_->path = path;
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  struct stat about;
  if (!file || ::fstat(fileno(file.get()), &about) != 0) return impl_->damaged(system_text(errno));
  if (!S_ISREG(about.st_mode)) return impl_->damaged("it is not a regular file");
  const bool for_codec = is_for_codec(file.get(), codec);
  if (for_codec) {
    if (Result<void> ok = decrypt(static_cast<uint64_t>(about.st_size), codec); !ok) return ok;
    std::string& bytes = impl_->decrypted;
    file = File(bytes.empty() ? nullptr : ::fmemopen(bytes.data(), bytes.size(), "rb"), std::fclose);
    if (!file) return impl_->damaged("the file is incomplete or damaged");
  }
  impl_->seal = check_seal(file.get());
  if (impl_->seal == Seal::Broken) return impl_->damaged("it was changed after the plan was made");
  zip_error_t error;
  zip_error_init(&error);
  auto failed = [&] {
    const bool incomplete =
        zip_error_code_zip(&error) == ZIP_ER_NOZIP || zip_error_code_zip(&error) == ZIP_ER_INCONS;
    const std::string why =
        incomplete ? "the file is incomplete or damaged" : std::string(zip_error_strerror(&error));
    zip_error_fini(&error);
    return impl_->damaged(why);
  };
  zip_source_t* source =
      for_codec ? zip_source_buffer_create(impl_->decrypted.data(), impl_->decrypted.size(), 0, &error)
                : zip_source_filep_create(file.get(), 0, -1, &error);
  if (!source) return failed();
  if (!for_codec) file.release();  // the source's
  impl_->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (!impl_->zip) {
    zip_source_free(source);
    return failed();
  }
  zip_error_fini(&error);
  const zip_int64_t count = zip_get_num_entries(impl_->zip, 0);
  if (count < 0 || static_cast<uint64_t>(count) > kMaxEntries)
    return impl_->damaged("it has too many entries");
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t st;
    if (zip_stat_index(impl_->zip, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW, &st) < 0)
      return impl_->damaged(zip_strerror(impl_->zip));
    const char* name = (st.valid & ZIP_STAT_NAME) ? st.name : nullptr;
    if (!name || !plain_name(name)) return impl_->damaged("the name of an entry is not a relative path");
    if (!impl_->index.emplace(name, i).second)
      return impl_->damaged(fmt::format("the entry {} occurs more than once", name));
    if (impl_->seal == Seal::None && std::string_view(name).starts_with(kOwnPrefix))
      return impl_->damaged("its seal is missing, so it was changed after the plan was made");
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
  for (zip_uint64_t i = 0; i < n; ++i) out[i] = zip_get_name(impl_->zip, i, ZIP_FL_ENC_RAW);
  return out;
}

bool ZipReader::has(std::string_view name) const {
  return impl_->index.contains(std::string(name));
}

bool ZipReader::sealed() const {
  return impl_->seal == Seal::Good;
}

Result<void> ZipReader::stream(const std::string& name, const std::function<bool(std::string_view)>& sink) {
  auto it = impl_->index.find(name);
  if (it == impl_->index.end()) return impl_->damaged(fmt::format("it has no entry {}", name));
  zip_file_t* file = zip_fopen_index(impl_->zip, it->second, 0);
  if (!file) return impl_->damaged(fmt::format("the entry {}: {}", name, zip_strerror(impl_->zip)));
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> closer(file, zip_fclose);
  zip_stat_t st;
  if (zip_stat_index(impl_->zip, it->second, 0, &st) < 0) return impl_->damaged(zip_strerror(impl_->zip));
  std::string buffer(256 << 10, '\0');
  uint64_t total = 0;
  for (;;) {
    zip_int64_t n = zip_fread(file, buffer.data(), buffer.size());
    if (n < 0) return impl_->damaged(fmt::format("the entry {}: {}", name, zip_file_strerror(file)));
    if (n == 0) break;
    total += static_cast<uint64_t>(n);
    if (total > st.size)
      return impl_->damaged(fmt::format("the entry {} is larger than its stated size", name));
    std::string_view piece(buffer.data(), static_cast<size_t>(n));
    if (!sink(piece)) return {};
  }
  if (total != st.size) return impl_->damaged(fmt::format("the entry {} is truncated", name));
  return {};
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
