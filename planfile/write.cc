// Writes a saved plan: the message "tfplan" piece by piece, both states, configuration, lock file, schemas
// and xplan's own entries. The reverse is read.cc.
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <sys/stat.h>

#include <cstdlib>
#include <ctime>

#include "core/backend/backend.h"
#include "core/config/version.h"
#include "core/value/json.h"
#include "core/value/msgpack.h"
#include "planfile/convert.h"
#include "planfile/entries.h"

namespace xplan::planfile {
namespace {

constexpr size_t kPiece = 256 << 10;

class StateTypes : public TypeSource {
 public:
  explicit StateTypes(const schema::Lookup& schemas) : schemas_(schemas) {}
  std::optional<Type> type_of(const ProviderAddr& p, Mode mode, Symbol type) const override {
    const schema::SchemaPtr s = schemas_ ? schemas_(p, mode, type) : nullptr;
    if (!s) return std::nullopt;
    return s->block.implied_type();
  }

 private:
  const schema::Lookup& schemas_;
};

void append_varint(std::string& out, uint64_t n) {
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  out += static_cast<char>(n);
}

template <class Message>
void append_message(std::string& out, const Message& m) {
  google::protobuf::io::StringOutputStream stream(&out);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);  // maps sorted by key
  m.SerializeToCodedStream(&coded);
}

// One element of a repeated field of PlanBody.
template <class Message>
void append_field(std::string& out, uint32_t number, const Message& m) {
  append_varint(out, number << 3 | 2);
  append_varint(out, m.ByteSizeLong());
  m.AppendToString(&out);
}

std::string backend_config(const Plan& plan) {
  Value v = Value::object({});
  if (backend::find_kind(plan.backend_type)) {
    auto settings = backend::parse_settings(plan.backend_type, plan.backend_config_json);
    if (settings) {
      const auto [values, shape] = settings->recorded();
      return to_msgpack(values, shape);
    }
  } else if (Result<Value> other = parse_json(plan.backend_config_json)) {
    v = std::move(*other);
  }
  return to_msgpack(v, v.type());
}

// The entry "tfplan", produced piece by piece.
class BodyProducer {
 public:
  explicit BodyProducer(const Plan& plan) : plan_(plan) {}

  bool next(std::string& out) {
    out.reserve(kPiece + (16 << 10));
    while (out.size() < kPiece) {
      switch (stage_) {
        case 0:
          head(out);
          break;
        case 1:
          each(out, plan_.changes, [&](const ResourceChange& c) { change(out, 3, c); });
          break;
        case 2:
          each(out, plan_.outputs, [&](const OutputChange& c) { output(out, c); });
          break;
        case 3:
          each(out, plan_.relevant_attributes, [&](const RelevantAttribute& r) { relevant(out, r); });
          break;
        case 4:
          each(out, plan_.drift, [&](const ResourceChange& c) { change(out, 18, c); });
          break;
        case 5:
          tail(out);
          break;
        default:
          return false;
      }
    }
    return true;
  }

 private:
  template <class T, class F>
  void each(std::string& out, const std::vector<T>& items, F f) {
    for (; at_ < items.size() && out.size() < kPiece; ++at_) f(items[at_]);
    if (at_ == items.size()) ++stage_, at_ = 0;
  }
  void change(std::string& out, uint32_t field, const ResourceChange& c) {
    change_.Clear();
    encode_change(c, change_);
    append_field(out, field, change_);
  }
  void output(std::string& out, const OutputChange& c) {
    proto::OutputValueChange m;
    encode_output(c, m);
    append_field(out, 4, m);
  }
  void relevant(std::string& out, const RelevantAttribute& r) {
    proto::Relevant m;
    m.set_resource(r.addr.text());
    encode_path(r.path, *m.mutable_path());
    append_field(out, 15, m);
  }
  void head(std::string& out) {
    proto::PlanBody b;
    b.set_version(kBodyVersion);
    for (const PlanVariable& v : plan_.variables) {
      if (v.ephemeral || v.from_default) continue;
      (*b.mutable_variables())[std::string(v.name.sv())].set_msgpack(
          to_msgpack(v.value.unmark_deep(), Type::dynamic()));
    }
    append_message(out, b);
    ++stage_;
  }
  void tail(std::string& out) {
    proto::PlanBody b;
    for (const std::string& t : plan_.targets) b.add_targets(t);
    for (const std::string& t : plan_.excludes) b.add_excludes(t);
    for (const std::string& t : plan_.force_replace) b.add_force_replace(t);
    b.mutable_backend()->set_type(plan_.backend_type);
    b.mutable_backend()->mutable_config()->set_msgpack(backend_config(plan_));
    b.mutable_backend()->set_workspace(plan_.workspace);
    b.set_made_by_version(std::string(kLanguageVersion));
    b.set_mode(static_cast<uint32_t>(plan_.mode));
    for (const CheckResult& c : plan_.checks) encode_checks(c, *b.add_checks());
    b.set_errored(plan_.errored);
    b.set_timestamp(plan_.timestamp);
    b.set_applyable(plan_.applyable);
    b.set_complete(plan_.complete);
    for (const PlanVariable& v : plan_.variables)
      if (v.ephemeral) b.add_ephemeral_variables(std::string(v.name.sv()));
    append_message(out, b);
    ++stage_;
  }

  const Plan& plan_;
  int stage_ = 0;
  size_t at_ = 0;
  proto::InstanceChange change_;  // kept to reuse its memory
};

std::string extra_entry(const Plan& plan) {
  proto::Extra e;
  e.set_format(kExtraFormat);
  e.set_workspace(plan.workspace);
  e.set_backend_type(plan.backend_type);
  e.set_backend_config_json(plan.backend_config_json);
  for (const PlanVariable& v : plan.variables) {
    proto::Extra::Variable& m = *e.add_variables();
    m.set_name(std::string(v.name.sv()));
    m.set_ephemeral(v.ephemeral);
    m.set_from_default(v.from_default);
    m.set_origin(v.origin);
    m.set_place(v.place);
    if (!v.ephemeral) m.mutable_value()->set_msgpack(to_msgpack(v.value.unmark_deep(), Type::dynamic()));
  }
  e.set_deferral_allowed(plan.deferral_allowed);
  e.set_review(plan.review.has_value());
  if (plan.review) e.set_review_digest(plan.review->digest);
  std::string out;
  append_message(out, e);
  return out;
}

std::string deferred_entry(const Plan& plan) {
  std::string out;
  proto::Deferred m;
  for (const DeferredChange& c : plan.deferred) {
    m.Clear();
    encode_deferred(c, m);
    append_field(out, 1, m);
  }
  return out;
}

std::string named_entry(const Plan& plan) {
  std::string out;
  proto::NamedList::Named m;
  for (const NamedValue& v : plan.named) {
    m.Clear();
    encode_named(v, m);
    append_field(out, 1, m);
  }
  proto::NamedList::Repeated r;
  for (const RepeatedChange& c : plan.repeated) {
    r.Clear();
    encode_repeated(c, r);
    append_field(out, 2, r);
  }
  proto::NamedList::FileRead f;
  for (const eval::FileRead& read : plan.file_reads) {
    f.set_kind(static_cast<uint32_t>(read.kind)), f.set_path(read.path);
    f.set_pattern(read.pattern), f.set_digest(read.digest);
    append_field(out, 3, f);
  }
  proto::NamedList::CallResult c;
  for (const eval::CallResult& r : plan.call_results) {
    c.set_call(r.call), c.set_result(r.result);
    append_field(out, 4, c);
  }
  return out;
}

// "2026-11-21T06:08:13Z"; 1980, where the calendar of zip begins, for anything else.
int64_t unix_time(const std::string& timestamp) {
  struct tm t {};
  const char* end = strptime(timestamp.c_str(), "%Y-%m-%dT%H:%M:%S", &t);
  return end ? static_cast<int64_t>(timegm(&t)) : 315532800;
}

// The header that the reference tools write into every dependency lock file.
constexpr std::string_view kEmptyLockFile =
    "# This file is maintained automatically by \"terraform init\".\n"
    "# Manual edits may be lost in future updates.\n";

}  // namespace

Result<void> write(const std::string& path, const Plan& plan, const ConfigSnapshot& config,
                   const schema::Lookup& schemas, crypt::Codec& codec) {
  // A link is followed, so that it stays a link.
  std::string target = path;
  if (char* real = ::realpath(path.c_str(), nullptr)) {
    target = real;
    std::free(real);
  }
  ZipWriter zip(std::move(target), unix_time(plan.timestamp));
  const StateTypes types(schemas);
  auto add_state = [&](std::string_view name, const State& s) {
    zip.add(std::string(name), [&types, &s] {
      return [&types, &s](std::string& piece) {
        if (!s.terraform_version.empty()) return piece = write_compact_state(s, types), false;
        State named = s;  // a state that was never stored has no version yet, but readers expect one
        named.terraform_version = std::string(kLanguageVersion);
        return piece = write_compact_state(named, types), false;
      };
    });
  };
  zip.add(std::string(kBodyEntry), [&plan] {
    return [producer = std::make_shared<BodyProducer>(plan)](std::string& piece) {
      return producer->next(piece);
    };
  });
  add_state(kStateEntry, plan.prior_state);
  add_state(kPrevStateEntry, plan.prev_run_state);
  add_snapshot(zip, config);
  zip.add_text(std::string(kLockEntry),
               config.lock_file.empty() ? std::string(kEmptyLockFile) : config.lock_file);
  zip.add_text(std::string(kExtraEntry), extra_entry(plan));
  if (!config.schemas.empty()) zip.add_text(std::string(kSchemasEntry), config.schemas.encode());
  if (!plan.deferred.empty()) zip.add_text(std::string(kDeferredEntry), deferred_entry(plan));
  if (!plan.named.empty() || !plan.repeated.empty() || !plan.file_reads.empty() || !plan.call_results.empty())
    zip.add_text(std::string(kNamedEntry), named_entry(plan));
  return zip.close(true, codec);
}

}  // namespace xplan::planfile
