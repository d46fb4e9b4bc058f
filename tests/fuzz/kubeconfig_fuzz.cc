// Kubeconfig files.
#include "core/backend/kubernetes/kubeconfig.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

void run_kubeconfig(std::string_view bytes) {
  const std::string path = file_of(bytes);
  for (const char* context : {"", "c"}) {
    const auto access = backend::kubernetes::read_kubeconfig({path}, {context, "", ""});
    if (!access)
      must(access.error().message.find_first_of("\n\x1b") == std::string::npos, "an error is one line");
    else
      must(access->url.size() <= bytes.size(), "the URL is from the file");
  }
}

std::vector<std::string> kubeconfig_seeds() {
  return {
      "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts:\n- name: c\n  context: {cluster: k, user: "
      "u}\nclusters:\n- name: k\n  cluster:\n    server: https://k:6443/\n    "
      "certificate-authority-data: Q0E=\n    proxy-url: http://p\nusers:\n- name: u\n  user:\n    token: "
      "\"t\"\n",
      "contexts: [{name: c, context: {cluster: k, user: u}}]\nclusters: [{name: k, cluster: {server: "
      "http://k, "
      "insecure-skip-tls-verify: true, tls-server-name: n}}]\nusers:\n- name: u\n  user:\n    exec:\n      "
      "apiVersion: client.authentication.k8s.io/v1\n      command: x\n      args: [a, 'b']\n      env: "
      "[{name: "
      "E, value: |\n        v\n      }]\n      provideClusterInfo: true\n",
      "a: &x {b: *x}\n<<: *x\n? [k]\n: v\n--- \n...\n",
      R"({"current-context":"c","contexts":[{"name":"c","context":{"cluster":"k","user":"u"}}],"clusters":[{"name":"k","cluster":{"server":"http://k"}}],"users":[{"name":"u","user":{"username":"n","password":"p"}}]})"};
}

}  // namespace

const Target kubeconfig = {run_kubeconfig, kubeconfig_seeds};

}  // namespace xplan::fuzz
