// Reads the arguments of the backend "consul" and the variables that Consul's own programs know.
#include "core/backend/consul/settings.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/backend/arguments.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::backend::consul {
namespace {

constexpr Argument kArguments[] = {
    {"access_token", Type::string, {}, {}, true},
    {"address", Type::string, "CONSUL_HTTP_ADDR", "127.0.0.1:8500"},
    {"ca_file", Type::string, "CONSUL_CACERT"},
    {"cert_file", Type::string, "CONSUL_CLIENT_CERT"},
    {"datacenter"},
    {"gzip", Type::boolean},
    {"http_auth", Type::string, "CONSUL_HTTP_AUTH", {}, true},
    {"key_file", Type::string, "CONSUL_CLIENT_KEY"},
    {"lock", Type::boolean, {}, "true"},
    {"path", Type::string, {}, {}, false, "The key of the state in Consul's key/value store"},
    {"scheme"},
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Reads arguments until the first that is wrong.
class Reader {
 public:
  explicit Reader(const Value& settings) : a_(kArguments, settings) {}

  Result<ConsulSettings> read() {
    out_.path = a_.text("path");
    if (out_.path.empty())
      wrong(a_.missing({"path"}) + ". It is the key of the state in Consul's key/value store");
    if (out_.path.starts_with('/')) wrong("the argument \"path\" must not begin with a slash");
    if (net::has_controls(out_.path)) wrong("the argument \"path\" must not contain control characters");
    out_.gzip = flag("gzip"), out_.lock = flag("lock");
    out_.datacenter = a_.text("datacenter");
    out_.name_space = variable("CONSUL_NAMESPACE"), out_.partition = variable("CONSUL_PARTITION");
    address();
    credentials();
    certificates();
    if (!problem_.empty()) return Error{problem_};
    return std::move(out_);
  }

 private:
  void wrong(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  bool flag(std::string_view name) {
    const Result<bool> on = a_.flag(name);
    if (!on) wrong(on.error().message);
    return on && *on;
  }
  bool variable_flag(const char* name, bool otherwise) {
    const std::string said = ascii_lower(variable(name));
    if (said.empty()) return otherwise;
    if (said == "1" || said == "t" || said == "true") return true;
    if (said != "0" && said != "f" && said != "false")
      wrong(fmt::format("the environment variable {} must be true or false", name));
    return false;
  }
  std::string file(std::string_view argument, const std::string& path) {
    if (path.empty()) return {};
    Result<std::string> text = real_fs().read(path);
    if (!text)
      wrong(fmt::format("the file named by the argument \"{}\" cannot be read: {}", argument,
                        text.error().message));
    if (!text) return {};
    if (text->find("-----BEGIN ") == text->npos)
      wrong(fmt::format("the argument \"{}\" must name a PEM file, but \"{}\" is not one", argument, path));
    return std::move(*text);
  }

  // HOST:PORT, or a URL, whose path is in front of the API's; or unix:///PATH.
  void address() {
    std::string address = a_.text("address"), scheme = a_.text("scheme");
    if (scheme.empty()) scheme = variable_flag("CONSUL_HTTP_SSL", false) ? "https" : "http";
    if (const size_t at = address.find("://"); at != address.npos) {
      const std::string said = ascii_lower(address.substr(0, at));
      address = address.substr(at + 3);
      if (said == "unix") {
        out_.client.unix_socket = address;
        out_.url = scheme + "://localhost";
        return;
      }
      scheme = said;
    }
    if (scheme != "http" && scheme != "https")
      wrong(fmt::format("the scheme of the Consul server must be http or https, not \"{}\"", scheme));
    out_.url = scheme + "://" + address;
    while (out_.url.ends_with('/')) out_.url.pop_back();
    if (net::host_and_port(out_.url).empty() || out_.url.find_first_of("?#") != out_.url.npos)
      wrong(
          fmt::format("the argument \"address\" must be the address of a Consul server, for example "
                      "127.0.0.1:8500, not \"{}\"",
                      net::shown_address(out_.url)));
  }

  // A file comes first, as in Consul's own programs.
  void credentials() {
    if (const std::string path = variable("CONSUL_HTTP_TOKEN_FILE"); !path.empty()) {
      const Result<std::string> text = real_fs().read(path);
      if (!text)
        wrong("the file named by the environment variable CONSUL_HTTP_TOKEN_FILE cannot be read: " +
              text.error().message);
      if (text) out_.token = trimmed(*text);
    }
    if (out_.token.empty()) out_.token = a_.text("access_token");
    if (out_.token.empty()) out_.token = variable("CONSUL_HTTP_TOKEN");
    const std::string both = a_.text("http_auth");
    const size_t colon = both.find(':');
    out_.user = both.substr(0, colon);
    if (colon != both.npos) out_.password = both.substr(colon + 1);
  }

  void certificates() {
    out_.client.authorities = file("ca_file", a_.text("ca_file"));
    out_.client.certificate = file("cert_file", a_.text("cert_file"));
    out_.client.private_key = file("key_file", a_.text("key_file"));
    if (a_.is_set("cert_file") != a_.is_set("key_file"))
      wrong("the arguments \"cert_file\" and \"key_file\" must be set together");
    if (const std::string dir = variable("CONSUL_CAPATH"); !dir.empty() && out_.client.authorities.empty()) {
      const Result<std::vector<std::string>> names = real_fs().list(dir);
      if (!names)
        wrong("the directory named by the environment variable CONSUL_CAPATH cannot be read: " +
              names.error().message);
      for (const std::string& name : names ? *names : std::vector<std::string>())
        out_.client.authorities += file("CONSUL_CAPATH", join_path(dir, name)) + "\n";
    }
    out_.client.verify = variable_flag("CONSUL_HTTP_SSL_VERIFY", true);
    out_.client.server_name = variable("CONSUL_TLS_SERVER_NAME");
  }

  const Arguments a_;
  ConsulSettings out_;
  std::string problem_;
};

}  // namespace

const schema::Block& consul_schema() {
  static const schema::Block block = schema_of(kArguments);
  return block;
}

Result<ConsulSettings> read_settings(const Value& settings) {
  return Reader(settings).read();
}

}  // namespace xplan::backend::consul
