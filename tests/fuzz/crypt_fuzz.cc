// Envelopes and sealed journals: what is read is written as it was read; what is decrypted is what was
// encrypted.
#include "core/crypt/target.h"
#include "core/state/sealed_journal.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

const std::string kPlain = R"({"version":4,"terraform_version":"1.11.4","serial":3,"lineage":"l"})";

// One key, for whatever metadata.
class OneKey : public crypt::KeyProvider {
 public:
  OneKey() : KeyProvider("key_provider.one.key") {}
  Result<Secret> fresh(crypt::Metadata& out) override {
    out[name()] = "{}";
    return Secret(std::string(32, 'k'));
  }
  Result<Secret> recover(const crypt::Metadata& stored) override {
    Result<std::string> own = own_metadata(stored);
    return own ? Result<Secret>(Secret(std::string(32, 'k'))) : own.error();
  }
};

crypt::Codec& codec(crypt::Payload payload) {
  auto made = [](crypt::Payload p) {
    Diagnostics none;
    std::vector<crypt::Step> steps;
    steps.push_back(
        {"method.aes_gcm.m", "main.tf:1:1",
         crypt::kAesGcm.make(crypt::Arguments("method.aes_gcm.m", {}, none), crypt::Environment()),
         std::make_shared<OneKey>()});
    return crypt::codec_of(p, std::move(steps));
  };
  static const auto state = made(crypt::Payload::State), plan = made(crypt::Payload::Plan);
  return payload == crypt::Payload::State ? *state : *plan;
}

void run_sealed_journal(std::string_view bytes) {
  const auto opened = open_journal(std::make_shared<const std::string>(bytes), codec(crypt::Payload::State));
  must(opened.ok() || !opened.error().message.empty(), "an error says something");
  if (!opened || !crypt::is_record_header(bytes)) return;
  const size_t one = (*opened)->find("one\n"), two = (*opened)->find("two\n");
  must(one == std::string::npos || two == std::string::npos || one < two, "lines are in their order");
}

void run_envelope(std::string_view bytes) {
  run_sealed_journal(bytes);
  for (crypt::Payload p : {crypt::Payload::State, crypt::Payload::Plan}) {
    const Result<crypt::Decrypted> plain = codec(p).decrypt(std::string(bytes));
    must(plain.ok() || !plain.error().message.empty(), "an error says something");
    if (!plain || bytes.empty()) continue;
    const bool header = codec(p).read_records(bytes).ok();  // of a sealed journal: an envelope with its key
    must(header || plain->bytes == kPlain, "what is decrypted is what was encrypted");
  }
  (void)crypt::Codec::plain()->decrypt(std::string(bytes));
  (void)codec(crypt::Payload::State).read_records(bytes);
  (void)crypt::RecordReader(Secret(std::string(32, 'k'))).open(bytes);
  crypt::ids_of_state(bytes);
  const Result<crypt::Envelope> e = crypt::read_envelope(bytes);
  if (!e) return;
  const Result<crypt::Envelope> again = crypt::read_envelope(crypt::write_envelope(*e));
  must(again && again->data == e->data && again->metadata == e->metadata && again->ids == e->ids,
       "an envelope that is written is read as the same");
}

std::vector<std::string> envelope_seeds() {
  return {*codec(crypt::Payload::State).encrypt(kPlain), *codec(crypt::Payload::Plan).encrypt(kPlain), kPlain,
          *seal_lines(codec(crypt::Payload::State), {"one\n", "two\n", "three\n"})};
}

}  // namespace

const Target envelope{run_envelope, envelope_seeds};

}  // namespace xplan::fuzz
