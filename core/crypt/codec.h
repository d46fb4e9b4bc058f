// Codec: encrypts and decrypts the bytes of a state or a plan file, or leaves them as they are.
//
// Who calls it: stores of states and their journals, planfile, readers of other states. Who makes one:
// crypt/encryption.h, from a configuration; Codec::plain() where there is none.
// Contract: a codec knows keys and envelopes, not what is inside; only to tell plain bytes from encrypted
// ones, and for the serial and lineage that an envelope repeats, does it look at them. Encrypted is what
// OpenTofu writes and reads, to the byte. New keys are fetched once, by prepare() or the first encrypt(), and
// serve all that is encrypted after that. What cannot be decrypted is one error, a phrase that goes on from
// what is being read ("the state … cannot be read: …"); no error contains a key, or anything of the content.
// Hostile: whatever is decrypted. Before a run changes anything, prepare() should have succeeded: nothing
// that it does can be recorded otherwise.  Cost: fetching keys takes what their provider takes (half a second
// for a passphrase); everything else is linear, with a few copies.  Thread-safety: any thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/secret.h"

namespace xplan::crypt {

struct Decrypted {
  std::string bytes;
  // It was encrypted in another way than it would be now, or not at all: whoever keeps it writes it again,
  // even if nothing else changes.
  bool migrate = false;
};

// Encrypts the lines of one journal. Its key is made for it alone, and stands in the header, which the codec
// has encrypted; so a line costs no derivation and no program, and no nonce occurs twice with one key.
class RecordWriter {
 public:
  RecordWriter(std::string header, Secret key) : header_(std::move(header)), key_(std::move(key)) {}
  // What a reader needs first, in one line without its line break. It may be repeated, in each segment.
  const std::string& header() const { return header_; }
  // One record as one line of base64, without its line break. An error after 2³² of them.
  Result<std::string> seal(std::string_view record);

 private:
  const std::string header_;
  const Secret key_;
  std::atomic<uint64_t> next_{0};
};

class RecordReader {
 public:
  explicit RecordReader(Secret key) : key_(std::move(key)) {}
  struct Record {
    std::string bytes;
    uint64_t number = 0;  // as they were sealed: 0, 1, … (whether one is missing is for the caller to say)
  };
  Result<Record> open(std::string_view line) const;
  bool same_journal(const RecordReader& o) const { return key_.bytes() == o.key_.bytes(); }

 private:
  Secret key_;
};
bool is_record_header(std::string_view line);

class Codec {
 public:
  virtual ~Codec() = default;
  // False: encrypt() gives back what it is given, and so does write_records() nothing.
  virtual bool encrypts() const = 0;
  virtual Result<void> prepare() = 0;
  virtual Result<std::string> encrypt(std::string_view bytes) = 0;
  virtual Result<Decrypted> decrypt(std::string bytes) = 0;
  // An error where what is not encrypted must not be read.
  virtual Result<void> accepts_plain() const = 0;
  // For a new journal; null where encrypts() is false.
  virtual Result<std::unique_ptr<RecordWriter>> write_records() = 0;
  virtual Result<RecordReader> read_records(std::string_view header) = 0;

  // Where nothing is configured: bytes are what they are. What somebody encrypted is an error that says so.
  static std::shared_ptr<Codec> plain();
  static std::shared_ptr<Codec> plain_plan();    // for plan files
  static std::shared_ptr<Codec> plain_remote();  // for states that data sources read
};

// Of a state, or of what somebody says is one: it is in an envelope.
bool is_encrypted_state(std::string_view bytes);

}  // namespace xplan::crypt
