// Serves a provider as a plugin program: cookie, protocol negotiation, socket, TLS, handshake line, the gRPC
// services for protocols 5 and 6, health and shutdown. Each call is converted in calls.h.
#include <absl/synchronization/mutex.h>
#include <grpcpp/grpcpp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "core/provider/kit/server/calls.h"
#include "core/provider/kit/server/server.h"
#include "core/provider/proto/health.grpc.pb.h"
#include "core/provider/proto/plumbing.grpc.pb.h"
#include "core/provider/proto/tfplugin5.grpc.pb.h"
#include "core/provider/proto/tfplugin6.grpc.pb.h"
#include "core/provider/wire/certificate.h"
#include "core/value/json.h"

namespace xplan::kit {
namespace {

constexpr int kCallsAtOnce = 16;
constexpr const char* kCookie = "TF_PLUGIN_MAGIC_COOKIE";
constexpr const char* kCookieValue = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

using grpc::ServerContext;
using grpc::Status;

#define XPLAN_CALL(method, message, call)                                                         \
  Status method(ServerContext*, const M::message::Request* q, M::message::Response* a) override { \
    (void)q;                                                                                      \
    return calls_.call;                                                                           \
  }
#define XPLAN_SAME_CALLS                                                                   \
  XPLAN_CALL(GetMetadata, GetMetadata, metadata(*a))                                       \
  XPLAN_CALL(GetResourceIdentitySchemas, GetResourceIdentitySchemas, identity_schemas(*a)) \
  XPLAN_CALL(UpgradeResourceState, UpgradeResourceState, upgrade(*q, *a))                  \
  XPLAN_CALL(UpgradeResourceIdentity, UpgradeResourceIdentity, upgrade_identity(*q, *a))   \
  XPLAN_CALL(ReadResource, ReadResource, read(*q, *a))                                     \
  XPLAN_CALL(PlanResourceChange, PlanResourceChange, plan(*q, *a))                         \
  XPLAN_CALL(ApplyResourceChange, ApplyResourceChange, apply(*q, *a))                      \
  XPLAN_CALL(ImportResourceState, ImportResourceState, import(*q, *a))                     \
  XPLAN_CALL(MoveResourceState, MoveResourceState, move(*q, *a))                           \
  XPLAN_CALL(ReadDataSource, ReadDataSource, read_data(*q, *a))                            \
  XPLAN_CALL(ValidateEphemeralResourceConfig, ValidateEphemeralResourceConfig,             \
             validate<Mode::Ephemeral>(*q, *a))                                            \
  XPLAN_CALL(OpenEphemeralResource, OpenEphemeralResource, open(*q, *a))                   \
  XPLAN_CALL(RenewEphemeralResource, RenewEphemeralResource, renew(*q, *a))                \
  XPLAN_CALL(CloseEphemeralResource, CloseEphemeralResource, close(*q, *a))                \
  XPLAN_CALL(GetFunctions, GetFunctions, functions(*a))                                    \
  XPLAN_CALL(CallFunction, CallFunction, call_function(*q, *a))

class Service6 final : public tfplugin6::Provider::Service {
  using M = wire::P6;

 public:
  Service6(xplan::Provider& p, const ServeOptions& o) : calls_(p, o) {}
  XPLAN_SAME_CALLS
  XPLAN_CALL(GetProviderSchema, GetProviderSchema, get_schema(*a))
  XPLAN_CALL(ValidateProviderConfig, ValidateProvider, validate_provider(*q, *a))
  XPLAN_CALL(ValidateResourceConfig, ValidateResource, validate<Mode::Managed>(*q, *a))
  XPLAN_CALL(ValidateDataResourceConfig, ValidateData, validate<Mode::Data>(*q, *a))
  XPLAN_CALL(ConfigureProvider, Configure, configure(*q, *a))
  XPLAN_CALL(StopProvider, Stop, stop(*a))
 private:
  Calls<wire::P6> calls_;
};
class Service5 final : public tfplugin5::Provider::Service {
  using M = wire::P5;

 public:
  Service5(xplan::Provider& p, const ServeOptions& o) : calls_(p, o) {}
  XPLAN_SAME_CALLS
  XPLAN_CALL(GetSchema, GetProviderSchema, get_schema(*a))
  XPLAN_CALL(PrepareProviderConfig, ValidateProvider, validate_provider(*q, *a))
  XPLAN_CALL(ValidateResourceTypeConfig, ValidateResource, validate<Mode::Managed>(*q, *a))
  XPLAN_CALL(ValidateDataSourceConfig, ValidateData, validate<Mode::Data>(*q, *a))
  XPLAN_CALL(Configure, Configure, configure(*q, *a))
  XPLAN_CALL(Stop, Stop, stop(*a))
 private:
  Calls<wire::P5> calls_;
};

// Waits until the client says to leave, or is gone: then this process has another parent.
class Controller final : public plugin::GRPCController::Service {
 public:
  Status Shutdown(ServerContext*, const plugin::Empty*, plugin::Empty*) override {
    std::lock_guard lock(mutex_);
    told_ = true;
    changed_.notify_all();
    return Status::OK;
  }
  void wait(pid_t parent) {
    std::unique_lock lock(mutex_);
    while (!told_ && getppid() == parent) changed_.wait_for(lock, std::chrono::seconds(1));
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool told_ = false;
};

std::string env(const char* name) {
  const char* v = getenv(name);
  return v ? v : "";
}

int fail(const std::string& why) {
  fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

// The newest of `ours` that the client offers ("5,6", in any order); 0: none. Old clients offer nothing.
int negotiate(const std::string& offered, const std::vector<int>& ours) {
  if (offered.empty()) return ours.empty() ? 0 : *std::min_element(ours.begin(), ours.end());
  int best = 0;
  size_t from = 0;
  while (from <= offered.size()) {
    size_t to = std::min(offered.find(',', from), offered.size());
    int n = atoi(offered.substr(from, to - from).c_str());
    if (n > best && std::find(ours.begin(), ours.end(), n) != ours.end()) best = n;
    from = to + 1;
  }
  return best;
}

// gRPC brings such a service, but one that works through threads of its own, which then share all other
// calls.
class Health : public grpc::health::v1::Health::Service {
  grpc::Status Check(grpc::ServerContext*, const grpc::health::v1::HealthCheckRequest* in,
                     grpc::health::v1::HealthCheckResponse* out) override {
    if (!in->service().empty() && in->service() != "plugin")
      return {grpc::StatusCode::NOT_FOUND, "There is no service \"" + in->service() + "\" here."};
    out->set_status(grpc::health::v1::HealthCheckResponse::SERVING);
    return grpc::Status::OK;
  }
};

// A directory of our own for the socket: nobody else can put anything there.
class SocketDir {
 public:
  SocketDir() {
    std::string base = env("PLUGIN_UNIX_SOCKET_DIR");
    if (base.empty()) base = env("TMPDIR");
    if (base.empty()) base = "/tmp";
    if (base.size() > 80) base = "/tmp";  // the path of a socket must be shorter than 108 bytes
    dir_ = base + "/plugin-XXXXXX";
    if (!mkdtemp(dir_.data())) dir_.clear();
  }
  ~SocketDir() {
    std::error_code ignored;
    if (!dir_.empty()) std::filesystem::remove_all(dir_, ignored);
  }
  bool ok() const { return !dir_.empty(); }
  std::string socket() const { return dir_ + "/socket"; }

 private:
  std::string dir_;
};

}  // namespace

int serve(xplan::Provider& provider, int, char**, const ServeOptions& options) {
  const pid_t parent = getppid();  // first of all: it may be gone before we listen
  if (env(kCookie) != kCookieValue)
    return fail(options.name +
                " is a provider plugin. It is not meant to be run directly: xplan, Terraform and OpenTofu "
                "start it when a configuration requires it.");
  int protocol = negotiate(env("PLUGIN_PROTOCOL_VERSIONS"), options.protocols);
  if (!protocol)
    return fail("The client supports the protocol versions \"" + env("PLUGIN_PROTOCOL_VERSIONS") +
                "\", but this provider supports none of them.");
  signal(SIGINT, SIG_IGN);  // the client decides: it is in the same process group and gets the signal too
  signal(SIGPIPE, SIG_IGN);

  SocketDir dir;
  if (!dir.ok()) return fail("Failed to create a directory for the connection socket.");
  std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
  std::string certificate;
  if (std::string client = env("PLUGIN_CLIENT_CERT"); !client.empty()) {
    Result<wire::TlsIdentity> identity = wire::make_tls_identity();
    if (!identity) return fail("Failed to set up the connection: " + identity.error().message + ".");
    grpc::SslServerCredentialsOptions tls(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    tls.pem_root_certs = client;
    tls.pem_key_cert_pairs.push_back({identity->key, identity->certificate});
    credentials = grpc::SslServerCredentials(tls);
    certificate = wire::handshake_certificate(identity->certificate);
  }

  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);  // a tool for those who work on gRPC
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + dir.socket(), credentials);
  builder.SetMaxReceiveMessageSize(-1);
  builder.SetMaxSendMessageSize(-1);
  // Threads that stay, as many as the client makes calls at the same time: starting one costs more than a
  // call.
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, kCallsAtOnce);
  Controller controller;
  Health health;
  Service6 six(provider, options);
  Service5 five(provider, options);
  builder.RegisterService(&controller);
  builder.RegisterService(&health);
  if (protocol == 6)
    builder.RegisterService(&six);
  else
    builder.RegisterService(&five);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return fail("The connection at " + dir.socket() + " could not be opened.");

  printf("1|%d|unix|%s|grpc|%s\n", protocol, dir.socket().c_str(), certificate.c_str());
  fflush(stdout);
  controller.wait(parent);
  server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  return 0;
}

}  // namespace xplan::kit
