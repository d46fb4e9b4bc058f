// Codecs: the chain of a target's methods, and the one of a target without any.
#include "core/crypt/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

namespace xplan::crypt {
namespace {

constexpr size_t kMostKeys = 8;

class Chain : public Codec {
 public:
  Chain(Payload payload, std::vector<Step> steps) : payload_(payload), steps_(std::move(steps)) {
    recovered_.resize(steps_.size());
  }
  bool encrypts() const override { return steps_[0].method != nullptr; }
  Result<void> prepare() override {
    std::lock_guard lock(mutex_);
    return fetch();
  }
  Result<std::string> encrypt(std::string_view bytes) override;
  Result<Decrypted> decrypt(std::string bytes) override;
  Result<void> accepts_plain() const override;
  Result<std::unique_ptr<RecordWriter>> write_records() override;
  Result<RecordReader> read_records(std::string_view header) override;

 private:
  Result<void> fetch();
  Result<std::string> seal(std::string_view plain, std::optional<StateIds> ids);
  struct Opened {
    std::string bytes;
    size_t step;
  };
  Result<Opened> open(const Envelope& e);
  Result<std::string> open_with(size_t step, const Envelope& e);
  size_t plain_step() const;  // steps_.size(): there is none

  const Payload payload_;
  const std::vector<Step> steps_;
  std::mutex mutex_;
  struct Keys {
    Metadata metadata;
    Secret key;
  };
  std::optional<Keys> own_;  // to encrypt with
  // To decrypt with: those that were asked for last, for each step, the latest behind. States and journals
  // of several runs have keys of their own.
  std::vector<std::vector<Keys>> recovered_;
};

Result<void> Chain::fetch() {
  if (own_ || !encrypts()) return {};
  Keys k;
  if (steps_[0].keys) {
    Result<Secret> key = steps_[0].keys->fresh(k.metadata);
    if (!key) return key.error();
    k.key = std::move(*key);
  }
  own_ = std::move(k);
  return {};
}

Result<std::string> Chain::seal(std::string_view plain, std::optional<StateIds> ids) {
  std::lock_guard lock(mutex_);
  if (Result<void> ok = fetch(); !ok) return ok.error();
  Result<std::string> data = steps_[0].method->seal(steps_[0].keys ? &own_->key : nullptr, plain);
  if (!data) return Error{fmt::format("{} cannot encrypt it: {}", steps_[0].name, data.error().message)};
  return write_envelope({std::move(ids), own_->metadata, std::move(*data)});
}

Result<std::string> Chain::encrypt(std::string_view bytes) {
  if (!encrypts()) return std::string(bytes);
  return seal(bytes, payload_ == Payload::State ? std::optional(ids_of_state(bytes)) : std::nullopt);
}

Result<std::string> Chain::open_with(size_t i, const Envelope& e) {
  const Step& s = steps_[i];
  if (!s.keys) return s.method->open(nullptr, e.data);
  std::vector<Keys>& known = recovered_[i];
  auto at = std::find_if(known.begin(), known.end(), [&](const Keys& k) { return k.metadata == e.metadata; });
  if (at == known.end()) {
    Result<Secret> key = s.keys->recover(e.metadata);
    if (!key) return key.error();
    if (known.size() == kMostKeys) known.erase(known.begin());
    at = known.insert(known.end(), Keys{e.metadata, std::move(*key)});
  }
  return s.method->open(&at->key, e.data);
}

Result<Chain::Opened> Chain::open(const Envelope& e) {
  std::lock_guard lock(mutex_);
  std::vector<std::string> problems;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].method) continue;
    Result<std::string> plain = open_with(i, e);
    if (plain) return Opened{std::move(*plain), i};
    const std::string& keys = steps_[i].key_source;
    problems.push_back(fmt::format("{} ({}){}{}: {}", steps_[i].name, steps_[i].place,
                                   keys.empty() ? "" : " and the key of ", keys, plain.error().message));
  }
  if (problems.empty())
    return Error{
        "it is encrypted, but the only configured method is unencrypted. Add a fallback with the method that "
        "it was encrypted with"};
  // Of states, whoever keeps them says what to do.
  const std::string advice =
      payload_ == Payload::Plan
          ? ". If it was encrypted with another key, use the encryption block and variables that it was "
            "written with; otherwise, create a new plan"
          : "";
  if (problems.size() == 1) return Error{"it cannot be decrypted with " + problems[0] + advice};
  std::string list = "it cannot be decrypted with any of the configured methods:";
  for (const std::string& p : problems) list += "\n  - " + p;
  return Error{advice.empty() ? list : list + "\n" + advice.substr(2)};
}

size_t Chain::plain_step() const {
  size_t i = 0;
  while (i < steps_.size() && steps_[i].method) ++i;
  return i;
}

Result<void> Chain::accepts_plain() const {
  if (plain_step() < steps_.size()) return {};
  return Error{fmt::format(
      "it is not encrypted (encountered unencrypted payload without unencrypted method configured), but the "
      "method at {} requires encryption. To encrypt it from now on, add a fallback with a method of type "
      "\"unencrypted\" there, and remove the fallback once it is encrypted",
      steps_[0].place)};
}

Result<Decrypted> Chain::decrypt(std::string bytes) {
  if (bytes.empty()) return Decrypted{};
  switch (form_of(payload_, bytes)) {
    case Form::Plain:
      if (Result<void> ok = accepts_plain(); !ok) return ok.error();
      return Decrypted{std::move(bytes), plain_step() != 0};
    case Form::Other:
      return Error{fmt::format("it is neither a {0} nor an encrypted {0}", noun(payload_))};
    case Form::Encrypted:
      break;
  }
  Result<Envelope> e = read_envelope(bytes);
  if (!e) return e.error();
  Result<Opened> plain = open(*e);
  if (!plain) return plain.error();
  if (payload_ == Payload::State && (!e->ids || !(*e->ids == ids_of_state(plain->bytes))))
    return Error{
        "the serial and lineage around it are not those of the state that is encrypted in it: it was "
        "changed since it was written"};
  return Decrypted{std::move(plain->bytes), plain->step != 0};
}

Result<std::unique_ptr<RecordWriter>> Chain::write_records() {
  if (!encrypts()) return std::unique_ptr<RecordWriter>();
  Secret key(random_bytes(32));
  if (key.empty()) return Error{"the system failed to provide random numbers"};
  Result<std::string> header = seal(key.bytes(), std::nullopt);
  if (!header) return header.error();
  return std::make_unique<RecordWriter>(std::move(*header), std::move(key));
}

Result<RecordReader> Chain::read_records(std::string_view header) {
  const Result<Envelope> e = read_envelope(header);
  if (!e) return e.error();
  Result<Opened> key = open(*e);
  if (!key) return key.error();
  if (key->bytes.size() != 32) return Error{"the key in the header of the journal does not have 32 bytes"};
  return RecordReader(Secret(std::move(key->bytes)));
}

class Plain : public Codec {
 public:
  explicit Plain(const char* advice) : advice_(advice) {}
  bool encrypts() const override { return false; }
  Result<void> prepare() override { return {}; }
  Result<std::string> encrypt(std::string_view bytes) override { return std::string(bytes); }
  Result<Decrypted> decrypt(std::string bytes) override {
    if (form_of(Payload::State, bytes) == Form::Encrypted) return unconfigured();
    return Decrypted{std::move(bytes), false};
  }
  Result<void> accepts_plain() const override { return {}; }
  Result<std::unique_ptr<RecordWriter>> write_records() override { return std::unique_ptr<RecordWriter>(); }
  Result<RecordReader> read_records(std::string_view) override { return unconfigured(); }

 private:
  Error unconfigured() const {
    return Error{fmt::format("it is encrypted, but no encryption is configured for it. {}", advice_)};
  }
  const char* const advice_;
};

}  // namespace

std::shared_ptr<Codec> codec_of(Payload payload, std::vector<Step> steps) {
  return std::make_shared<Chain>(payload, std::move(steps));
}

std::shared_ptr<Codec> codec_without(Payload payload) {
  static const auto of_plans = std::make_shared<Plain>(
      "The encryption block has no block for plan files: add \"plan { … }\" to it, with the method that it "
      "was "
      "written with");
  static const auto of_states = std::make_shared<Plain>(
      "The encryption block has no block for states: add \"state { … }\" to it, with the method that it was "
      "written with");
  return payload == Payload::Plan ? of_plans : of_states;
}

std::shared_ptr<Codec> Codec::plain_plan() {
  static const std::shared_ptr<Codec> codec = std::make_shared<Plain>(
      "If it was written with a passphrase, use -plan-key-file or XPLAN_PLAN_PASSPHRASE; otherwise, add the "
      "encryption block that it was written with to the terraform block of the root module, or set "
      "TF_ENCRYPTION");
  return codec;
}

std::shared_ptr<Codec> Codec::plain() {
  static const std::shared_ptr<Codec> codec = std::make_shared<Plain>(
      "Add the encryption block that it was written with to the terraform block of the root module, or set "
      "TF_ENCRYPTION");
  return codec;
}

std::shared_ptr<Codec> Codec::plain_remote() {
  static const std::shared_ptr<Codec> codec = std::make_shared<Plain>(
      "Add the block \"remote_state_data_sources\" with the method that it was written with to the "
      "encryption "
      "block of the root module, or to TF_ENCRYPTION");
  return codec;
}

bool is_encrypted_state(std::string_view bytes) {
  return form_of(Payload::State, bytes) == Form::Encrypted;
}

}  // namespace xplan::crypt
