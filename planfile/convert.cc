// Resource changes, deferred changes and relevant attributes to and from protobuf messages; checks action,
// reason and address when decoding. Values and checks: convert_values.cc.
#include "planfile/convert.h"

#include <fmt/format.h>

#include "planfile/convert_values.h"

namespace xplan::planfile {
namespace {

Type declared_type(const ResourceChange& c) {
  return c.schema ? c.schema->block.implied_type() : Type::dynamic();
}

}  // namespace

void encode_change(const ResourceChange& c, proto::InstanceChange& out) {
  out.set_address(c.addr.text());
  if (c.moved()) out.set_previous_address(c.prev_addr.text());
  out.set_deposed(c.deposed);
  out.set_provider(c.provider.text());
  encode_values(c.change, declared_type(c), *out.mutable_change());
  if (!c.private_data.empty()) out.set_private_data(c.private_data);
  for (const Path& p : c.required_replace) encode_path(p, *out.add_required_replace());
  out.set_reason(facts(c.reason).number);
  out.set_create_before_destroy(c.create_before_destroy);
  if (c.unverified) out.set_unverified(true);
}

void encode_deferred(const DeferredChange& c, proto::Deferred& out) {
  out.set_reason(static_cast<uint32_t>(c.reason));
  encode_change(c.change, *out.mutable_change());
}

Result<ResourceChange> ChangeDecoder::decode(proto::InstanceChange& in) {
  return decode(in, false);
}

Result<DeferredChange> ChangeDecoder::decode(proto::Deferred& in) {
  if (in.reason() > static_cast<uint32_t>(DeferredReason::DeferredPrereq))
    return Error{fmt::format("{}: the deferral reason number {} is not supported by this version",
                             in.change().address(), in.reason())};
  Result<ResourceChange> c = decode(*in.mutable_change(), true);
  if (!c) return c.error();
  return DeferredChange{std::move(*c), static_cast<DeferredReason>(in.reason())};
}

Result<ResourceChange> ChangeDecoder::decode(proto::InstanceChange& in, bool partial) {
  ResourceChange c;
  std::string why;
  std::optional<AbsInstance> addr =
      partial ? parse_partial_instance(in.address(), &why) : parse_abs_instance(in.address(), &why);
  if (!addr) return Error{fmt::format("\"{}\" is not a valid resource instance address", in.address())};
  c.addr = c.prev_addr = *addr;
  if (!in.previous_address().empty()) {
    std::optional<AbsInstance> previous = parse_abs_instance(in.previous_address(), &why);
    if (!previous)
      return Error{fmt::format("\"{}\" is not a valid resource instance address", in.previous_address())};
    c.prev_addr = *previous;
  }
  auto [p, fresh] = providers_.try_emplace(in.provider());
  if (fresh) {
    std::optional<ProviderConfigAddr> provider = parse_provider_config_addr(in.provider());
    if (!provider) {
      providers_.erase(p);
      return Error{fmt::format("\"{}\" is not a valid provider address", in.provider())};
    }
    p->second = *provider;
  }
  c.provider = p->second;
  const ProviderAddr& provider = c.provider.provider;
  Key key{provider.host, provider.ns, provider.type, addr->resource.mode, addr->resource.type};
  auto [s, unseen] = known_.try_emplace(key, nullptr);
  if (unseen && schemas_) s->second = schemas_(provider, addr->resource.mode, addr->resource.type);
  if (!s->second) {
    return Error{fmt::format("the provider {} of {} has no schema for {} here, so its values cannot be read",
                             provider.display(), in.address(), addr->resource.type.sv())};
  }
  c.schema = s->second;
  Result<Change> change = decode_values(in.change(), c.schema->block.implied_type());
  if (!change) return Error{fmt::format("{}: {}", in.address(), change.error().message)};
  c.change = std::move(*change);
  c.deposed = std::move(*in.mutable_deposed());
  c.private_data = std::move(*in.mutable_private_data());
  for (const proto::Steps& s : in.required_replace()) {
    Result<Path> path = decode_path(s);
    if (!path) return Error{fmt::format("{}: {}", in.address(), path.error().message)};
    c.required_replace.push_back(std::move(*path));
  }
  const std::optional<Reason> reason = from_number<Reason>(in.reason());
  if (!reason)
    return Error{fmt::format("{}: the action reason number {} is not supported by this version", in.address(),
                             in.reason())};
  c.reason = *reason;
  // Other programs do not write this member; the action says it for replacements.
  c.create_before_destroy = in.create_before_destroy() || c.change.action == Action::CreateThenDelete;
  c.unverified = in.unverified();
  return c;
}

Result<RelevantAttribute> decode_relevant(const proto::Relevant& in) {
  RelevantAttribute out;
  std::optional<AbsInstance> addr = parse_abs_instance(in.resource());
  if (!addr) return Error{fmt::format("\"{}\" is not a valid resource address", in.resource())};
  Result<Path> path = decode_path(in.path());
  if (!path) return path.error();
  out.addr = *addr;
  out.path = std::move(*path);
  return out;
}

}  // namespace xplan::planfile
