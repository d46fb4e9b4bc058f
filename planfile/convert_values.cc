// Paths, values, value changes, outputs and check results to and from protobuf messages.
#include <fmt/format.h>

#include "core/value/msgpack.h"
#include "planfile/convert.h"
#include "planfile/convert_values.h"

namespace xplan::planfile {
namespace {

// The type that the first byte of a key announces: keys of maps and lists stand without their type.
Type key_type(std::string_view bytes) {
  const uint8_t b = bytes.empty() ? 0xc0 : static_cast<uint8_t>(bytes[0]);
  if ((b >= 0xa0 && b <= 0xbf) || (b >= 0xd9 && b <= 0xdb)) return Type::string();
  if (b <= 0x7f || b >= 0xe0 || (b >= 0xca && b <= 0xd3)) return Type::number();
  if (b == 0xc2 || b == 0xc3) return Type::boolean();
  return Type::dynamic();
}

void encode_marks(const Value& v, google::protobuf::RepeatedPtrField<proto::Steps>& out) {
  if (!v.contains_marks()) return;
  for (const PathMarks& m : marked_paths(v))
    if (m.marks & kSensitive) encode_path(m.path, *out.Add());
}

Result<Value> with_sensitive(Value v, const google::protobuf::RepeatedPtrField<proto::Steps>& in) {
  if (in.empty()) return v;
  std::vector<PathMarks> marks;
  marks.reserve(static_cast<size_t>(in.size()));
  for (const proto::Steps& s : in) {
    Result<Path> p = decode_path(s);
    if (!p) return p.error();
    marks.push_back({std::move(*p), kSensitive});
  }
  return mark_at_paths(v, marks);
}

CheckStatus check_status(uint32_t n) {
  switch (n) {
    case 1:
      return CheckStatus::Pass;
    case 2:
      return CheckStatus::Fail;
    case 3:
      return CheckStatus::Error;
    default:
      return CheckStatus::Unknown;
  }
}
uint32_t check_number(CheckStatus s) {
  switch (s) {
    case CheckStatus::Unknown:
      return 0;
    case CheckStatus::Pass:
      return 1;
    case CheckStatus::Fail:
      return 2;
    case CheckStatus::Error:
      return 3;
  }
  return 0;
}

}  // namespace

void encode_path(const Path& path, proto::Steps& out) {
  for (const PathStep& s : path) {
    proto::Steps::Step& step = *out.add_steps();
    if (s.is_attr) {
      step.set_attribute(std::string(s.attr.sv()));
      continue;
    }
    Value plain = s.index.unmark_deep();
    encode_msgpack(*step.mutable_key()->mutable_msgpack(), plain,
                   plain.type().is_primitive() ? plain.type() : Type::dynamic());
  }
}

Result<Path> decode_path(const proto::Steps& in) {
  Path out;
  out.reserve(static_cast<size_t>(in.steps_size()));
  for (const proto::Steps::Step& s : in.steps()) {
    if (s.kind_case() == proto::Steps::Step::kAttribute) {
      out.push_back(PathStep::of_attr(s.attribute()));
    } else if (s.kind_case() == proto::Steps::Step::kKey) {
      Result<Value> key = decode_msgpack(s.key().msgpack(), key_type(s.key().msgpack()));
      if (!key) return key.error();
      if (key->is_null() || !key->is_wholly_known()) return Error{"a step of a path has no key"};
      out.push_back(PathStep::of_index(std::move(*key)));
    } else {
      return Error{"a step of a path is of an unknown kind"};
    }
  }
  return out;
}

void encode_values(const Change& c, Type declared, proto::ValueChange& out) {
  const ActionFacts action = facts(c.action);
  out.set_action(action.number);
  auto add = [&](const Value& v) {
    std::string* bytes = out.add_values()->mutable_msgpack();
    if (v.contains_marks())
      encode_msgpack(*bytes, v.unmark_deep(), declared);
    else
      encode_msgpack(*bytes, v, declared);
  };
  if (action.has_before) add(c.before);
  if (action.has_after) add(c.after);
  if (c.action == Action::NoOp && out.values(0).msgpack() == out.values(1).msgpack())
    out.mutable_values()->RemoveLast();
  encode_marks(c.before, *out.mutable_sensitive_before());
  encode_marks(c.after, *out.mutable_sensitive_after());
  if (c.importing) out.mutable_imported()->set_id(c.import_id);
  auto put = [](const Value& v, auto make) {
    if (!v.is_null()) encode_msgpack(*make()->mutable_msgpack(), v.unmark_deep(), Type::dynamic());
  };
  put(c.import_identity, [&] { return out.mutable_imported()->mutable_identity(); });
  put(c.before_identity, [&] { return out.mutable_identity_before(); });
  put(c.after_identity, [&] { return out.mutable_identity_after(); });
  if (!c.generated_config.empty()) out.set_generated_config(c.generated_config);
}

Result<Change> decode_values(const proto::ValueChange& in, Type declared) {
  Change c;
  const std::optional<Action> action = from_number<Action>(in.action());
  if (!action)
    return Error{fmt::format("the action number {} is not supported by this version", in.action())};
  c.action = *action;
  const ActionFacts sides = facts(c.action);
  const int wanted = sides.has_before + sides.has_after, given = in.values_size();
  if (given != wanted && !(c.action == Action::NoOp && given == 1))
    return Error{fmt::format("a change has {} values, but should have {}", given, wanted)};
  c.before = c.after = Value::null(declared);
  if (sides.has_before) {
    Result<Value> v = decode_msgpack(in.values(0).msgpack(), declared);
    if (!v) return v.error();
    c.before = std::move(*v);
  }
  if (sides.has_after && !(sides.has_before && given == 1)) {
    Result<Value> v = decode_msgpack(in.values(given - 1).msgpack(), declared);
    if (!v) return v.error();
    c.after = std::move(*v);
  } else if (sides.has_after) {
    c.after = c.before;
  }
  Result<Value> before = with_sensitive(std::move(c.before), in.sensitive_before());
  if (!before) return before.error();
  Result<Value> after = with_sensitive(std::move(c.after), in.sensitive_after());
  if (!after) return after.error();
  c.before = std::move(*before), c.after = std::move(*after);
  if (in.has_imported()) {
    c.importing = true;
    c.import_id = in.imported().id();
  }
  auto get = [](bool there, const proto::Bytes& from, Value& to) -> Result<void> {
    if (!there) return {};
    Result<Value> v = decode_msgpack(from.msgpack(), Type::dynamic());
    if (!v) return v.error();
    to = std::move(*v);
    return {};
  };
  for (Result<void> r : {get(in.imported().has_identity(), in.imported().identity(), c.import_identity),
                         get(in.has_identity_before(), in.identity_before(), c.before_identity),
                         get(in.has_identity_after(), in.identity_after(), c.after_identity)})
    if (!r) return r.error();
  c.generated_config = in.generated_config();
  return c;
}

void encode_output(const OutputChange& c, proto::OutputValueChange& out) {
  out.set_name(std::string(c.name.sv()));
  encode_values(c.change, Type::dynamic(), *out.mutable_change());
  out.set_sensitive(c.sensitive || c.was_sensitive);
  out.set_sensitive_now(c.sensitive);
  out.set_sensitive_then(c.was_sensitive);
}

Result<OutputChange> decode_output(const proto::OutputValueChange& in) {
  OutputChange c;
  if (in.name().empty()) return Error{"an output value has no name"};
  c.name = Symbol(in.name());
  Result<Change> change = decode_values(in.change(), Type::dynamic());
  if (!change) return change.error();
  c.change = std::move(*change);
  c.sensitive = in.sensitive_now(), c.was_sensitive = in.sensitive_then();
  // Other programs write only the first of the three.
  if (in.sensitive() && !c.sensitive && !c.was_sensitive) {
    c.sensitive = true;
    c.was_sensitive = c.change.action != Action::Create;
  }
  return c;
}

void encode_named(const NamedValue& v, proto::NamedList::Named& out) {
  out.set_kind(static_cast<uint32_t>(v.kind));
  out.set_module(v.module.text());
  out.set_name(std::string(v.name.sv()));
  Change c;
  c.action = v.before ? Action::Update : Action::Create;
  if (v.before) c.before = *v.before;
  c.after = v.value;
  encode_values(c, Type::dynamic(), *out.mutable_values());
}

Result<NamedValue> decode_named(const proto::NamedList::Named& in) {
  NamedValue v;
  if (in.kind() > static_cast<uint32_t>(NamedKind::Output) || in.name().empty())
    return Error{"the name of a value is damaged"};
  v.kind = static_cast<NamedKind>(in.kind());
  v.name = Symbol(in.name());
  if (!in.module().empty()) {
    std::optional<ModuleInstance> m = parse_module_instance(in.module());
    if (!m) return Error{fmt::format("\"{}\" is not a valid module address", in.module())};
    v.module = *m;
  }
  Result<Change> c = decode_values(in.values(), Type::dynamic());
  if (!c) return c.error();
  if (c->action == Action::Update) v.before = std::move(c->before);
  v.value = std::move(c->after);
  return v;
}

void encode_repeated(const RepeatedChange& c, proto::NamedList::Repeated& out) {
  out.set_address(c.addr.text());
  encode_path(c.path, *out.mutable_path());
  out.mutable_returned()->set_msgpack(to_msgpack(c.returned.unmark_deep(), Type::dynamic()));
}

Result<RepeatedChange> decode_repeated(const proto::NamedList::Repeated& in) {
  std::optional<AbsInstance> addr = parse_abs_instance(in.address());
  if (!addr) return Error{fmt::format("\"{}\" is not a valid address", in.address())};
  Result<Path> path = decode_path(in.path());
  if (!path) return path.error();
  Result<Value> returned = decode_msgpack(in.returned().msgpack(), Type::dynamic());
  if (!returned) return returned.error();
  return RepeatedChange{*addr, std::move(*path), std::move(*returned)};
}

void encode_checks(const CheckResult& c, proto::CheckedObjects& out) {
  switch (c.kind) {
    case CheckKind::Resource:
      out.set_kind(1);
      break;
    case CheckKind::Output:
      out.set_kind(2);
      break;
    case CheckKind::Check:
      out.set_kind(3);
      break;
    case CheckKind::Variable:
      out.set_kind(4);
      break;
  }
  out.set_address(c.config_addr);
  out.set_status(check_number(c.status));
  out.set_unexpanded(!c.expanded);
  for (const CheckObject& o : c.objects) {
    proto::CheckedObjects::Object& object = *out.add_objects();
    object.set_address(o.object_addr);
    object.set_status(check_number(o.status));
    for (const std::string& m : o.failure_messages) object.add_failure_messages(m);
  }
}

Result<CheckResult> decode_checks(const proto::CheckedObjects& in) {
  CheckResult c;
  switch (in.kind()) {
    case 1:
      c.kind = CheckKind::Resource;
      break;
    case 2:
      c.kind = CheckKind::Output;
      break;
    case 3:
      c.kind = CheckKind::Check;
      break;
    case 4:
      c.kind = CheckKind::Variable;
      break;
    default:
      return Error{fmt::format("the check kind number {} is not supported by this version", in.kind())};
  }
  c.config_addr = in.address();
  c.status = check_status(in.status());
  c.expanded = !in.unexpanded();
  for (const proto::CheckedObjects::Object& o : in.objects())
    c.objects.push_back(
        {o.address(), check_status(o.status()), {o.failure_messages().begin(), o.failure_messages().end()}});
  if (c.kind == CheckKind::Resource) {
    std::optional<ConfigResource> r = parse_config_resource(c.config_addr);
    if (!r) return Error{fmt::format("\"{}\" is not a valid resource address", c.config_addr)};
    c.resource = *r;
    return c;
  }
  // module.a.check.c: the path and the last name.
  std::string_view rest = c.config_addr;
  while (rest.starts_with("module.")) {
    size_t dot = rest.find('.', 7);
    if (dot == rest.npos) return Error{fmt::format("\"{}\" is not a valid address", c.config_addr)};
    c.module = c.module.child(Symbol(rest.substr(7, dot - 7)));
    rest.remove_prefix(dot + 1);
  }
  size_t dot = rest.find('.');
  if (dot == rest.npos) return Error{fmt::format("\"{}\" is not a valid address", c.config_addr)};
  c.name = Symbol(rest.substr(dot + 1));
  return c;
}

}  // namespace xplan::planfile
