// Reads kubeconfig files into the access that a context names.
#include "core/backend/kubernetes/kubeconfig.h"

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/eval/yaml.h"

namespace xplan::backend::kubernetes {
namespace {

// A mapping of a file; look-ups never fail.
struct Entry {
  Value value;
  std::string path, directory;  // of the file

  const Value* find(std::string_view name) const {
    if (value.is_null() || !value.type().is_object()) return nullptr;
    return value.find_attr(name);
  }
  std::string text(std::string_view name) const {
    const Value* v = find(name);
    if (!v || v->is_null()) return {};
    if (v->is_number()) return v->as_number().text();
    if (v->is_bool()) return v->as_bool() ? "true" : "false";
    return v->is_string() ? std::string(v->as_string()) : std::string();
  }
  bool flag(std::string_view name) const {
    const Value* v = find(name);
    return v && v->is_bool() && v->as_bool();
  }
  Entry inner(std::string_view name) const {
    const Value* v = find(name);
    return {v ? *v : Value(), path, directory};
  }
  std::vector<Entry> list(std::string_view name) const {
    std::vector<Entry> out;
    const Value* v = find(name);
    if (v && !v->is_null() && v->type().is_tuple())
      for (const Value& e : v->elements()) out.push_back({e, path, directory});
    return out;
  }
  std::string file(const std::string& name) const {
    return name.empty() || name.starts_with('/') ? name : join_path(directory, name);
  }
};

class Files {
 public:
  Result<void> add(const std::string& path, bool may_be_missing) {
    if (may_be_missing && !real_fs().exists(path)) return {};
    const Result<std::string> text = real_fs().read(path);
    if (!text) return Error{"the kubeconfig file cannot be read: " + text.error().message};
    Result<Value> v = eval::decode_yaml(*text);
    if (!v)
      return Error{fmt::format("the kubeconfig file \"{}\" is not valid YAML: {}", path, v.error().message)};
    const size_t slash = path.rfind('/');
    files_.push_back({std::move(*v), path, slash == path.npos ? "." : path.substr(0, slash + 1)});
    return {};
  }
  bool empty() const { return files_.empty(); }
  std::string current_context() const {
    for (const Entry& file : files_)
      if (std::string name = file.text("current-context"); !name.empty()) return name;
    return {};
  }
  // Entries are lists of {name, KIND}.
  Result<Entry> find(const char* list, const char* kind, const std::string& name) const {
    std::string known;
    for (const Entry& file : files_)
      for (const Entry& e : file.list(list)) {
        if (e.text("name") == name) return e.inner(kind);
        known += (known.empty() ? "\"" : ", \"") + shown_text(e.text("name")) + '"';
      }
    return Error{fmt::format("the {} \"{}\" does not exist in the kubeconfig file{}", kind, shown_text(name),
                             known.empty() ? "" : ", which contains " + known)};
  }

 private:
  std::vector<Entry> files_;
};

// PEM text, which stands in the file, or in another one.
Result<std::string> pem(const Entry& e, std::string_view name) {
  const std::string data = e.text(std::string(name) + "-data");
  std::string out;
  if (!data.empty()) {
    if (base64_decode(data, out)) return out;
    return Error{fmt::format("\"{}-data\" in the kubeconfig file \"{}\" is not base64", name, e.path)};
  }
  const std::string path = e.file(e.text(name));
  if (path.empty()) return out;
  Result<std::string> text = real_fs().read(path);
  if (!text)
    return Error{fmt::format("\"{}\" in the kubeconfig file \"{}\": {}", name, e.path, text.error().message)};
  return text;
}

Result<void> add_cluster(const Entry& cluster, Access& out) {
  out.url = cluster.text("server");
  out.proxy = cluster.text("proxy-url");
  out.tls.server_name = cluster.text("tls-server-name");
  out.tls.verify = !cluster.flag("insecure-skip-tls-verify");
  Result<std::string> authorities = pem(cluster, "certificate-authority");
  if (!authorities) return authorities.error();
  out.tls.authorities = std::move(*authorities);
  return {};
}

Plugin plugin_of(const Entry& exec) {
  Plugin out{exec.text("apiVersion"), exec.text("command"), {}, {}, exec.flag("provideClusterInfo")};
  if (out.command.find('/') != out.command.npos) out.command = exec.file(out.command);
  for (const Entry& e : exec.list("args"))
    if (e.value.is_string()) out.arguments.emplace_back(e.value.as_string());
  for (const Entry& e : exec.list("env")) out.environment[e.text("name")] = e.text("value");
  return out;
}

Result<void> add_user(const Entry& user, Access& out) {
  out.token = user.text("token");
  out.token_file = user.file(user.text("tokenFile"));
  out.user = user.text("username"), out.password = user.text("password");
  for (const auto& [name, to] : {std::pair("client-certificate", &out.tls.certificate),
                                 std::pair("client-key", &out.tls.private_key)}) {
    Result<std::string> text = pem(user, name);
    if (!text) return text.error();
    *to = std::move(*text);
  }
  if (const Entry exec = user.inner("exec"); !exec.value.is_null()) out.plugin = plugin_of(exec);
  if (const Entry provider = user.inner("auth-provider"); !provider.value.is_null())
    return Error{
        fmt::format("the kubeconfig file \"{}\" uses \"auth-provider\", which Kubernetes has replaced by "
                    "\"exec\"; create "
                    "the entry again with the tool of your cluster",
                    user.path)};
  return {};
}

}  // namespace

Result<Access> read_kubeconfig(const std::vector<std::string>& paths, const Selection& selection) {
  Files files;
  for (const std::string& path : paths)
    if (Result<void> ok = files.add(path, paths.size() > 1); !ok) return ok.error();
  if (files.empty()) return Error{"none of the kubeconfig files exists"};
  Selection s = selection;
  const std::string context = s.context.empty() ? files.current_context() : s.context;
  if (!context.empty()) {
    const Result<Entry> entry = files.find("contexts", "context", context);
    if (!entry) return entry.error();
    if (s.cluster.empty()) s.cluster = entry->text("cluster");
    if (s.user.empty()) s.user = entry->text("user");
  }
  Access out;
  if (s.cluster.empty())
    return Error{"the kubeconfig file has no current context; set the argument \"config_context\""};
  const Result<Entry> cluster = files.find("clusters", "cluster", s.cluster);
  if (!cluster) return cluster.error();
  if (Result<void> ok = add_cluster(*cluster, out); !ok) return ok.error();
  if (s.user.empty()) return out;
  const Result<Entry> user = files.find("users", "user", s.user);
  if (!user) return user.error();
  if (Result<void> ok = add_user(*user, out); !ok) return ok.error();
  return out;
}

}  // namespace xplan::backend::kubernetes
