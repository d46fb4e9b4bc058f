// Writes a plan file as a zip with libzip: entries produced piece by piece, deterministic timestamps, the
// seal, encryption, atomic replacement.
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <deque>

#include "core/base/atomic_file.h"
#include "planfile/container.h"
#include "planfile/seal.h"

namespace xplan::planfile {
struct ZipWriter::Entry {
  ZipWriter::Impl* owner = nullptr;
  std::string name;
  std::function<Producer()> start;
  Producer producer;
  std::string piece;
  size_t at = 0;
  bool more = false;
  zip_error_t error;
};

struct ZipWriter::Impl {
  std::string path;
  int64_t time = 0;
  std::deque<Entry> entries;

  void open(Entry& e) {
    e.producer = e.start();
    e.piece.clear(), e.at = 0, e.more = true;
  }
  int64_t read(Entry& e, char* data, uint64_t size) {
    uint64_t done = 0;
    while (done < size) {
      if (e.at == e.piece.size()) {
        if (!e.more) break;
        e.piece.clear(), e.at = 0;
        e.more = e.producer(e.piece);
        continue;
      }
      size_t n = std::min<uint64_t>(size - done, e.piece.size() - e.at);
      std::memcpy(data + done, e.piece.data() + e.at, n);
      e.at += n, done += n;
    }
    return static_cast<int64_t>(done);
  }
  void close(Entry& e) {
    e.producer = nullptr;
    e.piece = {};
  }
};

namespace {

zip_int64_t source_callback(void* state, void* data, zip_uint64_t size, zip_source_cmd_t command) {
  auto& e = *static_cast<ZipWriter::Entry*>(state);
  auto& impl = *e.owner;
  switch (command) {
    case ZIP_SOURCE_OPEN:
      impl.open(e);
      return 0;
    case ZIP_SOURCE_READ:
      return impl.read(e, static_cast<char*>(data), size);
    case ZIP_SOURCE_CLOSE:
      impl.close(e);
      return 0;
    case ZIP_SOURCE_STAT: {
      auto* st = static_cast<zip_stat_t*>(data);
      zip_stat_init(st);
      st->valid |= ZIP_STAT_MTIME;
      st->mtime = static_cast<time_t>(impl.time);
      return sizeof *st;
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&e.error, data, size);
    case ZIP_SOURCE_FREE:
      return 0;
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    default:
      zip_error_set(&e.error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

using Buffer = std::unique_ptr<zip_source_t, void (*)(zip_source_t*)>;

// Moves the zip from the library's buffer into its file, piece by piece, and closes the seal on the way.
class Delivery {
 public:
  explicit Delivery(zip_source_t* buffer) : buffer_(buffer), open_(zip_source_open(buffer) == 0) {}
  ~Delivery() {
    if (open_) zip_source_close(buffer_);
  }
  Delivery(const Delivery&) = delete;
  bool not_encrypted = false;  // that is why
  Result<void> to(const std::string& path, bool sealed, int mode, crypt::Codec& codec) {
    zip_stat_t st;
    if (!open_ || zip_source_stat(buffer_, &st) != 0 || !(st.valid & ZIP_STAT_SIZE)) return cannot_read();
    SealCloser closer(st.size);
    auto next = [&, left = st.size](std::string& piece) mutable -> Result<bool> {
      piece.resize(std::min(left, kPiece));
      left -= piece.size();
      if (zip_source_read(buffer_, piece.data(), piece.size()) != static_cast<zip_int64_t>(piece.size()))
        return cannot_read();
      if (sealed) closer.pass(piece);
      return left > 0;
    };
    if (codec.encrypts()) return encrypted(path, next, mode, codec, not_encrypted);
    return write_atomic(path, next, mode);
  }

 private:
  static Result<void> encrypted(const std::string& path, const NextPiece& next, int mode, crypt::Codec& codec,
                                bool& not_encrypted) {
    std::string all, piece;
    for (bool more = true; more; all += piece) {
      const Result<bool> read = next(piece);
      if (!read) return read.error();
      more = *read;
    }
    Result<std::string> text = codec.encrypt(all);
    not_encrypted = !text;
    if (!text) return text.error();
    return write_atomic(
        path, [&](std::string& out) -> Result<bool> { return out.swap(*text), false; }, mode);
  }
  static constexpr zip_uint64_t kPiece = 256 << 10;
  static Error cannot_read() { return Error{"out of memory"}; }
  zip_source_t* const buffer_;
  const bool open_;
};

// The library takes no control bytes in UTF-8. Said to be of the old code page, a name stays as it is, too.
zip_flags_t encoding_of(const std::string& name) {
  const bool control =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 127; });
  return control ? ZIP_FL_ENC_CP437 : ZIP_FL_ENC_UTF_8;
}

}  // namespace

ZipWriter::ZipWriter(std::string path, int64_t unix_time) : impl_(std::make_unique<Impl>()) {
  impl_->path = std::move(path), impl_->time = unix_time;
}
ZipWriter::~ZipWriter() = default;

void ZipWriter::add(std::string name, std::function<Producer()> start) {
  Entry& e = impl_->entries.emplace_back();
  e.owner = impl_.get(), e.name = std::move(name), e.start = std::move(start);
  zip_error_init(&e.error);
}

void ZipWriter::add_text(std::string name, std::string text) {
  auto shared = std::make_shared<std::string>(std::move(text));
  add(std::move(name), [shared] { return [shared](std::string& piece) { return piece = *shared, false; }; });
}

Result<void> ZipWriter::close(bool sealed, crypt::Codec& codec) {
  auto failed = [&](std::string_view why) {
    return Error{"The plan file " + impl_->path + " cannot be written: " + std::string(why)};
  };
  struct stat st;
  const bool exists = ::stat(impl_->path.c_str(), &st) == 0;
  if (exists && !S_ISREG(st.st_mode))
    return Error{"The plan file " + impl_->path +
                 " cannot be written: it exists but is not a regular file. Choose another path, or plan "
                 "without -out if the plan is not to be saved"};
  Buffer buffer(zip_source_buffer_create(nullptr, 0, 0, nullptr), zip_source_free);
  zip_t* zip = buffer ? zip_open_from_source(buffer.get(), ZIP_CREATE | ZIP_TRUNCATE, nullptr) : nullptr;
  if (!zip) return failed("out of memory");
  zip_source_keep(buffer.get());  // closing the zip gives up one of the two
  auto discard = [&] {
    std::string why = zip_strerror(zip);
    zip_discard(zip);
    return failed(why);
  };
  const time_t t = static_cast<time_t>(impl_->time);
  struct tm utc {};
  gmtime_r(&t, &utc);
  // The time of day as the zip format counts it, always in UTC: equal plans give equal files everywhere.
  const auto date =
      static_cast<zip_uint16_t>((std::max(utc.tm_year - 80, 0) << 9) | ((utc.tm_mon + 1) << 5) | utc.tm_mday);
  const auto time = static_cast<zip_uint16_t>((utc.tm_hour << 11) | (utc.tm_min << 5) | (utc.tm_sec / 2));
  for (Entry& e : impl_->entries) {
    zip_source_t* source = zip_source_function(zip, source_callback, &e);
    if (!source) return discard();
    zip_int64_t index = zip_file_add(zip, e.name.c_str(), source, encoding_of(e.name));
    if (index < 0) {
      zip_source_free(source);
      return discard();
    }
    // Level 1: a plan is written once and mostly read once; better compression costs more than it saves.
    if (zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 1) < 0)
      return discard();
    if (zip_file_set_dostime(zip, static_cast<zip_uint64_t>(index), time, date, 0) < 0) return discard();
  }
  const std::string seal = sealed ? open_seal() : std::string();
  if (zip_set_archive_comment(zip, seal.data(), static_cast<zip_uint16_t>(seal.size())) < 0) return discard();
  if (zip_close(zip) < 0) return discard();
  // Secrets are in it. Who has made the file open to others meant it so.
  const int mode = exists ? static_cast<int>(st.st_mode & 0777) : 0600;
  Delivery delivery(buffer.get());
  if (Result<void> written = delivery.to(impl_->path, sealed, mode, codec); !written)
    return delivery.not_encrypted
               ? Error{"The plan file " + impl_->path + " cannot be encrypted: " + written.error().message}
               : failed(written.error().message);
  return {};
}

}  // namespace xplan::planfile
