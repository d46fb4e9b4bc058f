// The only file of the client that includes gRPC: connecting (TLS or plain), unary calls on serialized
// messages, the output stream, and asking the plugin to end.
#include "core/provider/plugin/channel.h"

#include <absl/synchronization/mutex.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/client_unary_call.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/log.h"
#include "core/base/threads.h"
#include "core/base/utf8.h"
#include "core/provider/proto/plumbing.grpc.pb.h"

namespace xplan::plugin {
namespace {

void log_quietly(gpr_log_func_args* a) {
  log_line(LogLevel::Debug, "provider", a->message);
}

std::shared_ptr<grpc::Channel> connect(const Endpoint& e, const wire::TlsIdentity& identity) {
  grpc::ChannelArguments args;
  args.SetMaxReceiveMessageSize(-1);
  args.SetMaxSendMessageSize(-1);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  args.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  args.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  args.SetInt(GRPC_ARG_MAX_METADATA_SIZE, 1 << 20);  // long error messages come as metadata
  if (e.certificate.empty()) {
    args.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    return grpc::CreateCustomChannel(e.target, grpc::InsecureChannelCredentials(), args);
  }
  args.SetSslTargetNameOverride("localhost");
  grpc::SslCredentialsOptions tls;
  tls.pem_root_certs = e.certificate;
  tls.pem_private_key = identity.key;
  tls.pem_cert_chain = identity.certificate;
  return grpc::CreateCustomChannel(e.target, grpc::SslCredentials(tls), args);
}

CallStatus status_of(const grpc::Status& s) {
  CallStatus out;
  if (s.ok()) return out;
  const std::string& text = s.error_message();
  for (size_t i = 0; i < text.size();) utf8_append(out.message, utf8_decode(text, i));
  switch (s.error_code()) {
    case grpc::StatusCode::UNIMPLEMENTED:
      // gRPC gives the same code when the bytes of an answer are not a message.
      out.kind =
          text == "No message returned for unary request" ? CallStatus::Malformed : CallStatus::Unimplemented;
      break;
    case grpc::StatusCode::UNAVAILABLE:
      out.kind = CallStatus::Unreachable;
      break;
    default:
      out.kind = CallStatus::Failed;
  }
  return out;
}

void limit(grpc::ClientContext& context, int millis) {
  if (millis) context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(millis));
}

// Cancels a call when the flag becomes true. A signal handler sets it, which cannot wake anybody.
class Canceller {
 public:
  Canceller(const std::atomic<bool>* stop, grpc::ClientContext& context) {
    if (stop) thread_ = optional_thread([this, stop, &context] { watch(*stop, context); });
  }
  ~Canceller() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void watch(const std::atomic<bool>& stop, grpc::ClientContext& context) {
    take_no_signals();
    std::unique_lock lock(mutex_);
    while (!over_ && !stop) wake_.wait_for(lock, std::chrono::milliseconds(50));
    if (stop) context.TryCancel();
  }
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace

struct Channel::Impl {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<grpc::ClientContext> drain_context;
  std::thread drainer;
};

Channel::Channel(const Endpoint& endpoint, const wire::TlsIdentity& identity)
    : impl_(std::make_unique<Impl>()) {
  // gRPC and protobuf write logs of their own to standard error; what matters comes back as a status.
  static const bool once = [] {
    gpr_set_log_function(log_quietly);
    google::protobuf::SetLogHandler(nullptr);
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);  // a tool for those who work on gRPC
    return true;
  }();
  (void)once;
  impl_->channel = connect(endpoint, identity);
}

Channel::~Channel() {
  close();
}

void Channel::close() {
  if (impl_->drain_context) impl_->drain_context->TryCancel();
  if (impl_->drainer.joinable()) impl_->drainer.join();
  impl_->drain_context.reset();  // it holds the channel, too
  impl_->channel.reset();
}

CallStatus Channel::call(const char* method, const google::protobuf::MessageLite& in,
                         google::protobuf::MessageLite& out, int timeout_millis,
                         const std::atomic<bool>* stop) {
  using Message = google::protobuf::MessageLite;
  if (!impl_->channel) return {CallStatus::Unreachable, "the connection was closed"};
  grpc::ClientContext context;
  limit(context, timeout_millis);
  const Canceller canceller(stop, context);
  grpc::internal::RpcMethod m(method, grpc::internal::RpcMethod::NORMAL_RPC);
  CallStatus status = status_of(grpc::internal::BlockingUnaryCall<Message, Message, Message, Message>(
      impl_->channel.get(), m, &context, in, &out));
  if (!status.ok() && stop && *stop) status = {CallStatus::Failed, "the run was interrupted"};
  return status;
}

void Channel::drain(std::function<void(int, std::string_view)> sink) {
  impl_->drain_context = std::make_unique<grpc::ClientContext>();
  impl_->drainer = optional_thread([this, sink = std::move(sink)] {
    take_no_signals();
    auto stub = ::plugin::GRPCStdio::NewStub(impl_->channel);
    auto reader = stub->StreamStdio(impl_->drain_context.get(), ::plugin::Empty());
    ::plugin::StdioData data;
    while (reader->Read(&data)) sink(static_cast<int>(data.channel()), data.data());
    (void)reader->Finish();  // not offered, or the end: nothing to do about either
  });
}

CallStatus Channel::ask_to_end(int timeout_millis) {
  ::plugin::Empty in, out;
  return call("/plugin.GRPCController/Shutdown", in, out, timeout_millis);
}

}  // namespace xplan::plugin
