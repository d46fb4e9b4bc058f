// Reads the arguments of the backend "kubernetes".
#include "core/backend/kubernetes/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/backend/arguments.h"
#include "core/backend/kubernetes/kubeconfig.h"
#include "core/backend/kubernetes/names.h"
#include "core/backend/workspace.h"
#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::backend::kubernetes {
namespace {

Type strings() {
  return Type::list(Type::string());
}
Type texts() {
  return Type::map(Type::string());
}

constexpr Argument kArguments[] = {
    {"client_certificate", Type::string, "KUBE_CLIENT_CERT_DATA"},
    {"client_key", Type::string, "KUBE_CLIENT_KEY_DATA", {}, true},
    {"cluster_ca_certificate", Type::string, "KUBE_CLUSTER_CA_CERT_DATA"},
    {"config_context", Type::string, "KUBE_CTX"},
    {"config_context_auth_info", Type::string, "KUBE_CTX_AUTH_INFO"},
    {"config_context_cluster", Type::string, "KUBE_CTX_CLUSTER"},
    {"config_path", Type::string, "KUBE_CONFIG_PATH"},
    {"config_paths", strings},
    {"host", Type::string, "KUBE_HOST"},
    {"in_cluster_config", Type::boolean, "KUBE_IN_CLUSTER_CONFIG"},
    {"insecure", Type::boolean, "KUBE_INSECURE"},
    {"labels", texts},
    {"load_config_file", Type::boolean, "KUBE_LOAD_CONFIG_FILE", "true"},
    {"namespace", Type::string, "KUBE_NAMESPACE", "default"},
    {"password", Type::string, "KUBE_PASSWORD", {}, true},
    {"proxy_url", Type::string, "KUBE_PROXY_URL"},
    {"secret_suffix",
     Type::string,
     {},
     {},
     false,
     "What the names of the secrets end with: tfstate-WORKSPACE-SUFFIX"},
    {"token", Type::string, "KUBE_TOKEN", {}, true},
    {"username", Type::string, "KUBE_USER"},
};

constexpr Argument kExec[] = {{"api_version"}, {"args", strings}, {"command"}, {"env", texts}};

std::map<std::string, std::string> map_in(const Value& v) {
  std::map<std::string, std::string> out;
  if (v.is_null()) return out;
  for (size_t i = 0; i < v.length(); ++i)
    if (const Value& e = v.elements()[i]; e.is_string())
      out.emplace(v.map_key(i), std::string(e.as_string()));
  return out;
}

// Of the user whose shell would have expanded it.
std::string expanded(const std::string& path) {
  const char* home = std::getenv("HOME");
  return home && (path == "~" || path.starts_with("~/")) ? home + path.substr(1) : path;
}

// Reads arguments until the first that is wrong.
class Reader {
 public:
  Reader(const Value& settings, const std::string& account)
      : settings_(settings), a_(kArguments, settings), account_(account) {}

  Result<KubeSettings> read() {
    names();
    if (problem_.empty()) cluster();
    if (problem_.empty()) overrides();
    if (problem_.empty()) connection();
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

  void names() {
    out_.suffix = a_.text("secret_suffix"), out_.name_space = a_.text("namespace");
    out_.labels = map_in(a_.value("labels"));
    if (out_.suffix.empty())
      return wrong(a_.missing({"secret_suffix"}) + ". States are secrets named tfstate-WORKSPACE-SUFFIX");
    // Such names are those of parts of a state.
    const size_t dash = out_.suffix.rfind('-');
    if (dash != std::string::npos && dash + 1 < out_.suffix.size() &&
        out_.suffix.find_first_not_of("0123456789", dash + 1) == std::string::npos)
      wrong(
          fmt::format("the argument \"secret_suffix\" must not end with a dash and a number, as \"{}\" does",
                      out_.suffix));
    if (const std::string why = name_problem(secret_name(std::string(kDefaultWorkspace), out_.suffix));
        !why.empty())
      wrong("the argument \"secret_suffix\" is not valid: " + why);
    if (const std::string why = name_problem(out_.name_space); !why.empty())
      wrong("the argument \"namespace\" is not valid: " + why);
    for (const auto& [name, value] : out_.labels)
      if (net::has_controls(name + value) || name.empty())
        wrong("the argument \"labels\" contains the label \"" + shown_text(name) + "\", which is not valid");
  }

  std::vector<std::string> config_paths() const {
    std::vector<std::string> out;
    if (const std::string one = a_.text("config_path"); !one.empty())
      out = {one};
    else
      out = a_.list("config_paths");
    if (out.empty())
      if (const char* all = std::getenv("KUBE_CONFIG_PATHS"); all && *all)
        for (std::string_view rest = all; !rest.empty();) {
          const size_t end = std::min(rest.find(':'), rest.size());
          if (end > 0) out.emplace_back(rest.substr(0, end));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    for (std::string& path : out) path = expanded(path);
    return out;
  }

  void cluster() {
    if (flag("in_cluster_config")) return in_cluster();
    const bool host = a_.is_set("host"), load = flag("load_config_file");
    const std::vector<std::string> paths = config_paths();
    if ((host && !load) || (host && paths.empty())) return;
    if (paths.empty())
      return wrong(
          "no cluster is configured; set the argument \"config_path\" or the environment variable "
          "KUBE_CONFIG_PATH to the path of a kubeconfig file, or set \"host\" or \"in_cluster_config\"");
    Result<Access> access = read_kubeconfig(
        paths,
        {a_.text("config_context"), a_.text("config_context_cluster"), a_.text("config_context_auth_info")});
    if (!access) return wrong(access.error().message);
    out_.access = std::move(*access);
  }

  void in_cluster() {
    const char *host = std::getenv("KUBERNETES_SERVICE_HOST"), *port = std::getenv("KUBERNETES_SERVICE_PORT");
    if (!host || !*host || !port || !*port)
      return wrong(
          "\"in_cluster_config\" is set, but this is not a pod of a cluster: the environment variables "
          "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
    const bool v6 = std::string_view(host).find(':') != std::string_view::npos;
    out_.access.url = fmt::format("https://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
    out_.access.token_file = account_ + "/token";
    Result<std::string> ca = real_fs().read(account_ + "/ca.crt");
    if (!ca) return wrong("the certificates of the cluster: " + ca.error().message);
    out_.access.tls.authorities = std::move(*ca);
  }

  void overrides() {
    Access& x = out_.access;
    // What a kubeconfig file says of a user is for TLS only, as everywhere.
    if (!x.url.empty() && !net::uses_https(with_scheme(x.url))) {
      x.token.clear(), x.token_file.clear(), x.user.clear(), x.password.clear();
      x.plugin.reset();
    }
    for (const auto& [name, to] : {std::pair("host", &x.url),
                                   {"proxy_url", &x.proxy},
                                   {"cluster_ca_certificate", &x.tls.authorities},
                                   {"client_certificate", &x.tls.certificate},
                                   {"client_key", &x.tls.private_key}})
      if (a_.is_set(name)) *to = a_.text(name);
    if (flag("insecure")) x.tls.verify = false;
    if (a_.is_set("token")) x.token = a_.text("token"), x.token_file.clear();
    if (a_.is_set("username")) x.user = a_.text("username");
    if (a_.is_set("password")) x.password = a_.text("password");
    if (!x.user.empty() && (!x.token.empty() || !x.token_file.empty()))
      wrong("\"token\" cannot be used together with \"username\" and \"password\"");
    exec();
  }

  void exec() {
    const Value& v = *settings_.find_attr("exec");
    if (v.is_null()) return;
    const Arguments e(kExec, v);
    Plugin p{e.text("api_version"), e.text("command"), e.list("args"), map_in(e.value("env"))};
    for (const char* name : {"api_version", "command"})
      if (!e.is_set(name)) wrong(fmt::format("the argument \"{}\" is required in \"exec\"", name));
    out_.access.plugin = std::move(p);
  }

  std::string with_scheme(const std::string& url) const {
    const Access& x = out_.access;
    if (url.find("://") != url.npos) return url;
    const bool tls = !x.tls.authorities.empty() || !x.tls.certificate.empty() || !x.tls.verify;
    return (tls || a_.is_set("cluster_ca_certificate") ? "https://" : "http://") + url;
  }

  void connection() {
    Access& x = out_.access;
    if (x.url.empty()) return wrong("the kubeconfig file does not say where the cluster is (\"server\")");
    x.url = with_scheme(x.url);
    while (x.url.ends_with('/')) x.url.pop_back();
    if ((!net::uses_https(x.url) && !net::uses_http(x.url)) || net::host_and_port(x.url).empty() ||
        x.url.find_first_of("?#") != x.url.npos)
      wrong(fmt::format(
          "the address of the cluster must be a URL that begins with https:// or http://, not \"{}\"",
          net::shown_address(x.url)));
    for (const auto& [name, text] : {std::pair("cluster_ca_certificate", &x.tls.authorities),
                                     {"client_certificate", &x.tls.certificate},
                                     {"client_key", &x.tls.private_key}})
      if (!text->empty() && text->find("-----BEGIN ") == text->npos)
        wrong(
            fmt::format("the argument \"{}\", or what the kubeconfig file has for it, must be PEM text "
                        "(-----BEGIN …)",
                        name));
    if (x.tls.certificate.empty() != x.tls.private_key.empty())
      wrong("the client's certificate and its key must be set together");
    if (!x.proxy.empty()) {
      if (!net::uses_https(x.proxy) && !net::uses_http(x.proxy) && !x.proxy.starts_with("socks5"))
        wrong("the argument \"proxy_url\" must be a URL that begins with http://, https:// or socks5://");
      x.tls.proxies = net::Proxies{x.proxy, x.proxy, ""};
    }
  }

  const Value& settings_;
  const Arguments a_;
  const std::string account_;
  KubeSettings out_;
  std::string problem_;
};

}  // namespace

const schema::Block& kubernetes_schema() {
  static const schema::Block block = schema_of(kArguments, {{"exec", kExec}});
  return block;
}

Result<KubeSettings> read_settings(const Value& settings, const std::string& account) {
  return Reader(settings, account).read();
}

}  // namespace xplan::backend::kubernetes
