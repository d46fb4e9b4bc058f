// Opens a saved plan: version, entries, message fields, states, configuration, xplan's own entries; plans
// saved by the reference too. Every problem is one error that names the file.
#include <fmt/format.h>

#include <google/protobuf/stubs/logging.h>
#include <filesystem>

#include <cstdio>

#include "core/backend/backend.h"
#include "core/base/command_line.h"
#include "core/config/version.h"
#include "core/install/lock_file.h"
#include "core/value/json.h"
#include "core/value/msgpack.h"
#include "planfile/convert.h"
#include "planfile/entries.h"
#include "planfile/fields.h"

namespace xplan::planfile {
namespace {

class Opener {
 public:
  Opener(const std::string& path, const schema::Lookup& schemas, crypt::Codec& codec)
      : path_(path), schemas_(schemas), codec_(codec) {}

  Result<Opened> run() {
    google::protobuf::LogSilencer silencer;  // it would print to stderr what is reported here
    if (Result<void> r = zip_.open(path_, codec_); !r) return r.error();
    if (!zip_.has(kBodyEntry))
      return Error{"\"" + path_ + "\" is not a plan file: it has no entry tfplan. Create one with " +
                   own_command("plan -out=FILE")};
    const bool ours = zip_.sealed();
    if (ours)
      if (Result<void> r = saved_schemas(); !r) return r.error();
    decoder_.emplace(out_.schemas.lookup(schemas_));
    if (Result<void> r = body(); !r) return r.error();
    if (Result<void> r = ours ? extra() : derive_extra(); !r) return r.error();
    if (ours)
      for (Result<void> r : {deferred(), named()})
        if (!r) return r.error();
    if (Result<void> r = states(); !r) return r.error();
    out_.of_reference = !ours;
    if (!ours) {  // the reference counts versions in the other of the two states only
      out_.plan.prev_run_state.serial = out_.plan.prior_state.serial;
      out_.plan.prev_run_state.lineage = out_.plan.prior_state.lineage;
    }
    if (Result<void> r = read_snapshot(zip_, out_); !r) return r.error();
    out_.plan.build_index();
    return std::move(out_);
  }

 private:
  Error damaged(std::string_view why) const {
    return {fmt::format("The plan file {} cannot be read: {}. Create a new plan with {}", path_, why,
                        own_command("plan -out=FILE"))};
  }

  Result<void> saved_schemas() {
    if (!zip_.has(kSchemasEntry)) return {};
    Result<std::string> text = zip_.read(std::string(kSchemasEntry), kMaxSmallEntry);
    if (!text) return text.error();
    Result<SavedSchemas> s = SavedSchemas::decode(*text);
    if (!s) return damaged(s.error().message);
    out_.schemas = std::move(*s);
    return {};
  }

  Result<void> body() {
    Plan& plan = out_.plan;
    proto::InstanceChange change;
    Fields fields([&](uint32_t number, std::string_view bytes) -> Result<void> {
      const int size = static_cast<int>(bytes.size());
      if (number == 3 || number == 18) {
        if (!change.ParseFromArray(bytes.data(), size)) return Error{"a change in it is damaged"};
        Result<ResourceChange> c = decoder_->decode(change);
        if (!c) return c.error();
        (number == 3 ? plan.changes : plan.drift).push_back(std::move(*c));
      } else if (number == 4) {
        proto::OutputValueChange m;
        if (!m.ParseFromArray(bytes.data(), size))
          return Error{"a change of an output value in it is damaged"};
        Result<OutputChange> c = decode_output(m);
        if (!c) return c.error();
        plan.outputs.push_back(std::move(*c));
      } else {
        proto::Relevant m;
        if (!m.ParseFromArray(bytes.data(), size)) return Error{"a reference in it is damaged"};
        Result<RelevantAttribute> r = decode_relevant(m);
        if (!r) return r.error();
        plan.relevant_attributes.push_back(std::move(*r));
      }
      return {};
    });
    bool good = true;
    Result<void> r = zip_.stream(std::string(kBodyEntry),
                                 [&](std::string_view piece) { return good = fields.feed(piece); });
    if (!r) return r.error();
    // A version that is not known explains whatever else is wrong.
    const bool parsed = body_.ParseFromString(fields.rest());
    if (parsed) {
      if (Result<void> v = versions(good); !v) return v.error();
    }
    if (!good || !fields.finish()) return damaged(fields.error().message);
    if (!parsed) return damaged("the entry tfplan is damaged");
    return settings();
  }

  Result<void> versions(bool complete) {
    if (body_.version() != kBodyVersion && (complete || body_.version() != 0)) {
      return Error{fmt::format(
          "The plan file {} has format version {}, but this version reads only {}. Create a new plan", path_,
          body_.version(), kBodyVersion)};
    }
    out_.terraform_version = body_.made_by_version();
    if (complete && out_.terraform_version != kLanguageVersion) {
      return Error{
          fmt::format("The plan file {} was made by version {}, but this is {}; plan files cannot be "
                      "transferred between versions. Create a new plan",
                      path_, out_.terraform_version, kLanguageVersion)};
    }
    return {};
  }

  Result<void> settings() {
    Plan& plan = out_.plan;
    if (body_.mode() > static_cast<uint32_t>(PlanMode::RefreshOnly))
      return damaged("its mode is not supported by this version");
    plan.mode = static_cast<PlanMode>(body_.mode());
    plan.targets.assign(body_.targets().begin(), body_.targets().end());
    plan.excludes.assign(body_.excludes().begin(), body_.excludes().end());
    plan.force_replace.assign(body_.force_replace().begin(), body_.force_replace().end());
    plan.errored = body_.errored(), plan.complete = body_.complete(), plan.applyable = body_.applyable();
    plan.timestamp = body_.timestamp();
    plan.workspace = body_.backend().workspace();
    plan.backend_type = body_.backend().type();
    for (const proto::CheckedObjects& m : body_.checks()) {
      Result<CheckResult> c = decode_checks(m);
      if (!c) return damaged(c.error().message);
      plan.checks.push_back(std::move(*c));
    }
    return {};
  }

  Result<void> extra() {
    Result<std::string> text = zip_.read(std::string(kExtraEntry), kMaxSmallEntry);
    if (!text) return text.error();
    proto::Extra e;
    if (!e.ParseFromString(*text)) return damaged("the entry xplan/plan is damaged");
    if (e.format() != kExtraFormat) {
      return Error{fmt::format(
          "The plan file {} has xplan format {}, but this version reads only {}. Create a new plan", path_,
          e.format(), kExtraFormat)};
    }
    Plan& plan = out_.plan;
    plan.deferral_allowed = e.deferral_allowed();
    if (e.review()) plan.review = ReviewHalf{e.review_digest()};
    plan.workspace = e.workspace();
    plan.backend_type = e.backend_type();
    plan.backend_config_json = e.backend_config_json();
    for (const proto::Extra::Variable& m : e.variables()) {
      if (Result<void> r =
              variable(m.name(), m.ephemeral() ? nullptr : &m.value().msgpack(), m.from_default());
          !r)
        return r.error();
      plan.variables.back().origin = m.origin(), plan.variables.back().place = m.place();
    }
    return {};
  }

  Result<void> deferred() {
    if (!zip_.has(kDeferredEntry)) return {};
    Result<std::string> text = zip_.read(std::string(kDeferredEntry));
    if (!text) return text.error();
    proto::DeferredList list;
    if (!list.ParseFromString(*text)) return damaged("the entry xplan/deferred is damaged");
    for (proto::Deferred& m : *list.mutable_changes()) {
      Result<DeferredChange> c = decoder_->decode(m);
      if (!c) return damaged(c.error().message);
      out_.plan.deferred.push_back(std::move(*c));
    }
    return {};
  }

  Result<void> named() {
    if (!zip_.has(kNamedEntry)) return {};
    Result<std::string> text = zip_.read(std::string(kNamedEntry), kMaxSmallEntry);
    if (!text) return text.error();
    proto::NamedList list;
    if (!list.ParseFromString(*text)) return damaged("the entry xplan/named is damaged");
    for (const proto::NamedList::Named& m : list.named()) {
      Result<NamedValue> v = decode_named(m);
      if (!v) return damaged(v.error().message);
      out_.plan.named.push_back(std::move(*v));
    }
    for (const proto::NamedList::Repeated& m : list.repeated()) {
      Result<RepeatedChange> c = decode_repeated(m);
      if (!c) return damaged(c.error().message);
      out_.plan.repeated.push_back(std::move(*c));
    }
    for (const proto::NamedList::FileRead& m : list.file_reads()) {
      if (m.kind() > static_cast<uint32_t>(eval::FileRead::Kind::Names))
        return damaged("the entry xplan/named has an unknown kind of file");
      out_.plan.file_reads.push_back(
          {static_cast<eval::FileRead::Kind>(m.kind()), m.path(), m.pattern(), m.digest()});
    }
    for (const proto::NamedList::CallResult& m : list.call_results())
      out_.plan.call_results.push_back({m.call(), m.result()});
    return {};
  }

  Result<void> variable(const std::string& name, const std::string* bytes, bool from_default) {
    PlanVariable v;
    v.name = Symbol(name), v.ephemeral = !bytes, v.from_default = from_default;
    if (bytes) {
      Result<Value> value = decode_msgpack(*bytes, Type::dynamic());
      if (!value)
        return damaged(fmt::format("the value of the variable \"{}\": {}", name, value.error().message));
      v.value = std::move(*value);
    }
    out_.plan.variables.push_back(std::move(v));
    return {};
  }

  // Each tool has arguments of its own, so they are read by name; without them, the plan would be applied to
  // another state.
  Result<void> backend_settings() {
    const std::string& type = body_.backend().type();
    const backend::Kind* kind = backend::find_kind(type);
    if (!kind) return {};  // opening it says so
    const Type shape = kind->schema().implied_type();
    Result<Value> v = decode_msgpack(body_.backend().config().msgpack(), shape, Attributes::ByName);
    const std::string why = !v                                      ? v.error().message
                            : v->is_null() || !v->is_wholly_known() ? "they are not known"
                                                                    : "";
    if (!why.empty())
      return damaged(fmt::format("the settings of the backend \"{}\" cannot be used: {}", type, why));
    out_.plan.backend_config_json = to_json_as(*v, shape);
    return {};
  }

  // A plan of the reference: the same facts from where it has them.
  Result<void> derive_extra() {
    std::map<std::string, const std::string*> sorted;
    for (const auto& [name, value] : body_.variables()) sorted.emplace(name, &value.msgpack());
    for (const std::string& name : body_.ephemeral_variables()) sorted[name] = nullptr;
    for (const auto& [name, bytes] : sorted) {
      if (Result<void> r = variable(name, bytes, false); !r) return r.error();
    }
    if (Result<void> r = backend_settings(); !r) return r.error();
    sort_changes(out_.plan.changes);
    sort_changes(out_.plan.drift);
    std::sort(out_.plan.outputs.begin(), out_.plan.outputs.end(),
              [](const OutputChange& a, const OutputChange& b) { return a.name.sv() < b.name.sv(); });
    return {};
  }

  Result<void> states() {
    Result<std::string> prior = zip_.read(std::string(kStateEntry));
    if (!prior) return prior.error();
    Result<std::string> before = zip_.read(std::string(kPrevStateEntry));
    if (!before) return before.error();
    const bool alike = *prior == *before;  // mostly nothing was refreshed or moved
    auto state = [&](std::string_view entry, std::string text, State& into) -> Result<void> {
      Result<State> s = read_state(std::make_shared<const std::string>(std::move(text)));
      if (!s) return damaged(fmt::format("the entry {}: {}", entry, s.error().message));
      into = std::move(*s);
      return {};
    };
    if (Result<void> r = state(kStateEntry, std::move(*prior), out_.plan.prior_state); !r) return r.error();
    if (zip_.has(kLockEntry)) {
      Result<std::string> text = zip_.read(std::string(kLockEntry), kMaxSmallEntry);
      if (!text) return text.error();
      out_.lock_file = std::move(*text);
    }
    if (alike) return out_.plan.prev_run_state = out_.plan.prior_state, Result<void>();  // objects are shared
    return state(kPrevStateEntry, std::move(*before), out_.plan.prev_run_state);
  }

  const std::string& path_;
  ZipReader zip_;
  Opened out_;
  const schema::Lookup& schemas_;  // the caller's
  crypt::Codec& codec_;
  std::optional<ChangeDecoder> decoder_;  // by the schemas of the plan and, where it has none, the caller's
  proto::PlanBody body_;
};

}  // namespace

Result<Opened> read(const std::string& path, const schema::Lookup& schemas, crypt::Codec& codec) {
  return Opener(path, schemas, codec).run();
}

bool is_plan_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;  // what a pipe gives, it gives once
  std::FILE* f = std::fopen(path.c_str(), "rb");
  if (!f) return false;
  char head[8] = {};
  const std::string_view begin(head, std::fread(head, 1, sizeof head, f));
  std::fclose(f);
  constexpr std::string_view kBegins[] = {"PK\3\4", "PK\5\6", "{\"meta\":"};
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](std::string_view b) { return begin.starts_with(b); });
}

namespace {

Error refused(const std::string& path, std::string_view why, std::string_view option) {
  return Error{fmt::format("\"{}\" {}. Choose another file for -{}", path, why, option)};
}

Result<void> check_name(const std::string& path, std::string_view option) {
  const std::string name = path.substr(path.rfind('/') + 1);
  constexpr std::pair<std::string_view, std::string_view> kKept[] = {
      {".tfstate", "is the name of a state file"},
      {".tfstate.backup", "is the name of a state file"},
      {".tfstate.journal", "is the name of the journal of a state file"},
      {".tf", "is the name of a configuration file"},
      {".tf.json", "is the name of a configuration file"},
      {".tofu", "is the name of a configuration file"},
      {".tofu.json", "is the name of a configuration file"},
      {".tfvars", "is the name of a file with values of input variables"},
      {".tfvars.json", "is the name of a file with values of input variables"},
      {".tftest.hcl", "is the name of a test file"},
      {".tftest.json", "is the name of a test file"},
      {install::kLockFileName, "is the name of the dependency lock file"}};
  for (const auto& [ending, why] : kKept)
    if (name.ends_with(ending)) return refused(path, why, option);
  std::error_code unknown;
  const std::string parent = path.substr(0, path.size() - name.size());
  if (!parent.empty() && !std::filesystem::is_directory(parent, unknown))
    return refused(path, "is in a directory that does not exist", option);
  return {};
}

}  // namespace

Result<void> check_destination(const std::string& path, std::string_view option) {
  if (Result<void> ok = check_name(path, option); !ok) return ok;
  std::error_code unknown;
  if (std::filesystem::is_regular_file(path, unknown) && std::filesystem::file_size(path, unknown) > 0 &&
      !unknown && !is_plan_file(path))
    return refused(path, "exists and is not a plan file", option);
  return {};
}

Result<void> check_document(const std::string& path, std::string_view option) {
  if (Result<void> ok = check_name(path, option); !ok) return ok;
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) return refused(path, "is a directory", option);
  if (is_plan_file(path)) return refused(path, "is a plan file", option);
  return {};
}

}  // namespace xplan::planfile
