// Parses and checks the handshake line that a plugin prints: protocol, network, address, certificate.
#include "core/provider/plugin/handshake.h"

#include <fmt/format.h>
#include <vector>

#include "core/base/utf8.h"
#include "core/provider/wire/certificate.h"

namespace xplan::plugin {
namespace {

std::string shown(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size() && out.size() < 200;) {
    char32_t c = utf8_decode(s, i);
    utf8_append(out, c < 0x20 || c == 0x7f ? U'\uFFFD' : c);
  }
  return out;
}

// HOST:PORT, the host a name, an IPv4 address or an IPv6 address in brackets.
bool host_and_port(std::string_view address, std::string_view& host) {
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return false;
  host = address.substr(0, colon);
  const std::string_view port = address.substr(colon + 1);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string_view::npos ||
      std::stoi(std::string(port)) > 65535)
    return false;
  std::string_view name = host;
  std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
  if (name.starts_with('[') && name.ends_with(']'))
    name = name.substr(1, name.size() - 2), allowed = "0123456789abcdefABCDEF:.";
  return !name.empty() && name.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace

Result<std::string> grpc_target(std::string_view network, std::string_view address) {
  if (address.empty() || address.size() > 4096) return Error{"the address is empty or too long"};
  for (char c : address)
    if (static_cast<unsigned char>(c) <= ' ') return Error{"the address has spaces or control characters"};
  if (network == "unix") return (address[0] == '/' ? "unix://" : "unix:") + std::string(address);
  if (network == "tcp") {
    std::string_view host;
    if (!host_and_port(address, host))
      return Error{fmt::format("the address \"{}\" does not consist of a host and a port", shown(address))};
    // A name must not be taken for a scheme.
    const bool numeric = host[0] == '[' || host.find_first_not_of("0123456789.") == std::string_view::npos;
    return (numeric ? "" : "dns:///") + std::string(address);
  }
  return Error{fmt::format("the network \"{}\" is neither unix nor tcp", shown(network))};
}

Result<Endpoint> parse_handshake(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r' || line.back() == ' '))
    line.remove_suffix(1);
  std::vector<std::string_view> fields;
  for (size_t i = 0; i <= line.size();) {
    size_t end = std::min(line.find('|', i), line.size());
    fields.push_back(line.substr(i, end - i));
    i = end + 1;
  }
  bool number = fields[0].size() <= 3 && fields[0].find_first_not_of("0123456789") == std::string_view::npos;
  if (fields.size() < 4 || fields[0].empty() || !number)
    return Error{
        fmt::format("its first line of output is not a provider plugin handshake: \"{}\"", shown(line))};
  if (fields[0] != "1") return Error{fmt::format("it uses plugin core protocol {}, not 1", shown(fields[0]))};
  Endpoint out;
  if (fields[1] == "5" || fields[1] == "6") out.protocol = fields[1][0] - '0';
  if (!out.protocol)
    return Error{fmt::format("it uses provider protocol {}; only 5 and 6 are supported", shown(fields[1]))};
  if (fields.size() < 5 || fields[4] != "grpc")
    return Error{"it does not use gRPC; such old plugins are not supported"};
  Result<std::string> target = grpc_target(fields[2], fields[3]);
  if (!target) return target.error();
  if (fields[2] == "tcp" && !is_loopback(fields[3].substr(0, fields[3].rfind(':'))))
    return Error{
        fmt::format("it listens at \"{}\", which is not an address of this machine only", shown(fields[3]))};
  out.target = std::move(*target);
  if (fields.size() > 5 && fields[5].size() > 50) {
    Result<std::string> pem = wire::certificate_pem(fields[5]);
    if (!pem) return pem.error();
    out.certificate = std::move(*pem);
  }
  return out;
}

}  // namespace xplan::plugin
