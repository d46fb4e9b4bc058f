// Plan data ↔ messages, one change at a time.
//
// Who calls it: write.cc, read.cc.  Private to this folder: no message type leaves it.
// Contract: encode_* never fail (a plan is well-formed); decode_* trust nothing and give one Error each.
// Which values a change carries depends on its action: create has `after`; delete and forget `before`; no-op
// one value when both are alike; all others both. Cost: linear.  Thread-safety: pure functions; a
// ChangeDecoder belongs to one thread.
#pragma once
#include <unordered_map>

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "planfile.pb.h"
#include "planfile/planfile.h"

namespace xplan::planfile {

void encode_path(const Path& path, proto::Steps& out);
Result<Path> decode_path(const proto::Steps& in);

void encode_change(const ResourceChange& c, proto::InstanceChange& out);
void encode_deferred(const DeferredChange& c, proto::Deferred& out);
void encode_output(const OutputChange& c, proto::OutputValueChange& out);
void encode_checks(const CheckResult& c, proto::CheckedObjects& out);
void encode_named(const NamedValue& v, proto::NamedList::Named& out);
void encode_repeated(const RepeatedChange& c, proto::NamedList::Repeated& out);
Result<NamedValue> decode_named(const proto::NamedList::Named& in);
Result<RepeatedChange> decode_repeated(const proto::NamedList::Repeated& in);
Result<OutputChange> decode_output(const proto::OutputValueChange& in);
Result<CheckResult> decode_checks(const proto::CheckedObjects& in);
Result<RelevantAttribute> decode_relevant(const proto::Relevant& in);

// Decodes changes; remembers the providers and schemas it has looked up.
class ChangeDecoder {
 public:
  explicit ChangeDecoder(schema::Lookup schemas) : schemas_(std::move(schemas)) {}
  Result<ResourceChange> decode(proto::InstanceChange& in);
  Result<DeferredChange> decode(proto::Deferred& in);

 private:
  Result<ResourceChange> decode(proto::InstanceChange& in, bool partial);
  struct Key {
    Symbol host, ns, type;
    Mode mode;
    Symbol resource_type;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return (k.type.id() * 31 + k.resource_type.id()) * 0x9E3779B97F4A7C15ull + static_cast<size_t>(k.mode) +
             k.ns.id() * 7 + k.host.id();
    }
  };
  const schema::Lookup schemas_;
  std::unordered_map<std::string, ProviderConfigAddr> providers_;
  std::unordered_map<Key, schema::SchemaPtr, KeyHash> known_;
};

}  // namespace xplan::planfile
