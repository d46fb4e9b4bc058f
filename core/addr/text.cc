// Text of addresses: instance keys with quoting, resources, absolute resources and resource instances. The
// reverse direction is parse.cc.
#include "core/addr/addr.h"
#include "core/base/quote.h"

namespace xplan {
namespace {

std::string with_module(const std::string& module, std::string rest) {
  return module.empty() ? rest : module + "." + rest;
}

}  // namespace

std::string InstanceKey::quoted(std::string_view s) {
  std::string out;
  append_quoted(out, s, Quoting::Config);
  return out;
}

std::string InstanceKey::text() const {
  switch (kind) {
    case Kind::None:
      return {};
    case Kind::Int:
      return "[" + std::to_string(number) + "]";
    case Kind::Unknown:
      return "[*]";
    case Kind::String:
      break;
  }
  std::string out = "[";
  append_quoted(out, string.sv(), Quoting::Config);
  out += ']';
  return out;
}

Value InstanceKey::value() const {
  switch (kind) {
    case Kind::None:
      return Value::null();
    case Kind::Int:
      return Value::number(number);
    case Kind::Unknown:
      return Value::unknown();
    case Kind::String:
      break;
  }
  return Value::string(string.sv());
}

std::string Resource::text() const {
  std::string out = mode == Mode::Data ? "data." : mode == Mode::Ephemeral ? "ephemeral." : "";
  out += type.sv();
  out += '.';
  out += name.sv();
  return out;
}
std::string ConfigResource::text() const {
  return with_module(module.text(), resource.text());
}
std::string AbsResource::text() const {
  return with_module(module.text(), resource.text());
}
std::string AbsInstance::text() const {
  return with_module(module.text(), resource.text()) + key.text();
}

}  // namespace xplan
