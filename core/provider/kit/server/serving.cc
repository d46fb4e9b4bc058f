// Serves a provider at a socket of its own: the gRPC services for protocols 5 and 6, health and shutdown.
// Each call is converted in calls.h.
#include "core/provider/kit/server/serving.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/grpcpp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "core/provider/kit/server/calls.h"
#include "core/provider/proto/health.grpc.pb.h"
#include "core/provider/proto/plumbing.grpc.pb.h"
#include "core/provider/proto/tfplugin5.grpc.pb.h"
#include "core/provider/proto/tfplugin6.grpc.pb.h"
#include "core/provider/wire/certificate.h"
#include "core/value/json.h"

namespace xplan::kit {
namespace served {  // not anonymous: Serving::Impl is made of it

constexpr int kCallsAtOnce = 16;

using grpc::ServerContext;
using grpc::Status;

// The provider's own exceptions are errors of their calls already, see context.h; this is for what else there
// may be.
template <class F>
Status kept_alive(F&& call) {
  try {
    return call();
  } catch (const std::exception& e) {
    return {grpc::StatusCode::INTERNAL, std::string("the provider failed: ") + e.what()};
  }
}

#define XPLAN_CALL(method, message, call)                                                         \
  Status method(ServerContext*, const M::message::Request* q, M::message::Response* a) override { \
    (void)q;                                                                                      \
    return kept_alive([&] { return calls_.call; });                                               \
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
  XPLAN_CALL(GenerateResourceConfig, GenerateResourceConfig, generate_config(*q, *a))      \
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
  bool wait(pid_t parent) {
    std::unique_lock lock(mutex_);
    while (!told_ && getppid() == parent) changed_.wait_for(lock, std::chrono::seconds(1));
    return told_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool told_ = false;
};

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
    std::string base;
    for (const char* name : {"PLUGIN_UNIX_SOCKET_DIR", "TMPDIR"})
      if (const char* v = getenv(name); v && base.empty()) base = v;
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

}  // namespace served

struct Serving::Impl {
  Impl(xplan::Provider& p, const ServeOptions& o) : options(o), six(p, options), five(p, options) {}
  const ServeOptions options;
  served::SocketDir dir;
  std::string certificate;
  served::Controller controller;
  served::Health health;
  served::Service6 six;
  served::Service5 five;
  std::unique_ptr<grpc::Server> server;
};

Serving::Serving(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Serving::~Serving() {
  impl_->server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
}

Result<std::unique_ptr<Serving>> Serving::start(xplan::Provider& provider, const ServeOptions& options,
                                                int protocol, const std::string& client_certificate) {
  auto impl = std::make_unique<Impl>(provider, options);
  if (!impl->dir.ok()) return Error{"failed to create a directory for the connection socket"};
  std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
  if (!client_certificate.empty()) {
    Result<wire::TlsIdentity> identity = wire::make_tls_identity();
    if (!identity) return Error{"failed to set up the connection: " + identity.error().message};
    grpc::SslServerCredentialsOptions tls(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    tls.pem_root_certs = client_certificate;
    tls.pem_key_cert_pairs.push_back({identity->key, identity->certificate});
    credentials = grpc::SslServerCredentials(tls);
    impl->certificate = wire::handshake_certificate(identity->certificate);
  }
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);  // a tool for those who work on gRPC
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + impl->dir.socket(), credentials);
  builder.SetMaxReceiveMessageSize(-1);
  builder.SetMaxSendMessageSize(-1);
  // Threads that stay, as many as the client makes calls at the same time: starting one costs more than a
  // call.
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, served::kCallsAtOnce);
  builder.RegisterService(&impl->controller);
  builder.RegisterService(&impl->health);
  if (protocol == 6)
    builder.RegisterService(&impl->six);
  else
    builder.RegisterService(&impl->five);
  impl->server = builder.BuildAndStart();
  if (!impl->server) return Error{"the connection at " + impl->dir.socket() + " could not be opened"};
  return std::unique_ptr<Serving>(new Serving(std::move(impl)));
}

std::string Serving::socket() const {
  return impl_->dir.socket();
}
const std::string& Serving::certificate() const {
  return impl_->certificate;
}
bool Serving::wait(int parent) {
  return impl_->controller.wait(parent);
}

}  // namespace xplan::kit
