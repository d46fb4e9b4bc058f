// A connection to one plugin: starts the process or attaches to one, its environment and TLS certificate,
// what an RPC failure means to a user, and the orderly end.
#include "core/provider/plugin/session.h"

#include <fmt/format.h>

#include <cstdlib>

extern char** environ;

namespace xplan::plugin {
namespace {

// Our side's certificate: one for all plugins of the run.
const Result<wire::TlsIdentity>& own_identity() {
  static const Result<wire::TlsIdentity> one = wire::make_tls_identity();
  return one;
}

std::vector<std::string> plugin_environment(const std::string& certificate, const std::string& socket_dir) {
  std::vector<std::string> out;
  for (char** e = environ; *e; ++e) {
    std::string_view s(*e);
    std::string_view name = s.substr(0, s.find('='));
    if (name != "TF_PLUGIN_MAGIC_COOKIE" && name != "PLUGIN_PROTOCOL_VERSIONS" && name != "PLUGIN_MIN_PORT" &&
        name != "PLUGIN_MAX_PORT" && name != "PLUGIN_CLIENT_CERT" &&
        (name != "PLUGIN_UNIX_SOCKET_DIR" || socket_dir.empty()))
      out.emplace_back(s);
  }
  out.emplace_back("TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");
  out.emplace_back("PLUGIN_PROTOCOL_VERSIONS=5,6");
  out.emplace_back("PLUGIN_MIN_PORT=10000");
  out.emplace_back("PLUGIN_MAX_PORT=25000");
  if (!certificate.empty()) out.push_back("PLUGIN_CLIENT_CERT=" + certificate);
  if (!socket_dir.empty()) out.push_back("PLUGIN_UNIX_SOCKET_DIR=" + socket_dir);
  return out;
}

bool tls_disabled() {
  const char* v = std::getenv("TF_DISABLE_PLUGIN_TLS");
  return v && *v;
}

std::string short_method(const char* method) {
  std::string_view m(method);
  return std::string(m.substr(m.rfind('/') + 1));
}

CallStatus not_made() {
  return {CallStatus::NotMade, "the plugin is being killed"};
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(const PluginProgram& program, const PluginOptions& options) {
  bool plain = tls_disabled();
  if (!plain && !own_identity()) return Error{own_identity().error().message + "."};
  std::unique_ptr<Session> s(new Session(options));
  s->name_ = program.addr.display();
  s->output_ = std::make_shared<Output>("provider." + std::string(program.addr.type.sv()));
  s->socket_dir_.emplace();
  auto p = Process::start(
      program.path, plugin_environment(plain ? "" : own_identity()->certificate, s->socket_dir_->path()),
      s->output_, options.start_seconds, options.stop, [raw = s.get()] { return raw->patience_.ends(); });
  if (!p) return p.error();
  s->process_ = std::move(*p);
  const Endpoint& e = s->process_->endpoint();
  s->protocol_ = e.protocol;
  s->channel_ = std::make_unique<Channel>(e, plain ? wire::TlsIdentity() : *own_identity());
  s->channel_->drain([out = s->output_](int stream, std::string_view bytes) {
    out->add(stream == 1 ? Output::kStdout : Output::kStderr, bytes);
  });
  return s;
}

std::unique_ptr<Session> Session::attach(const ProviderAddr& addr, const Endpoint& endpoint,
                                         const PluginOptions& options) {
  std::unique_ptr<Session> s(new Session(options));
  s->name_ = addr.display();
  s->output_ = std::make_shared<Output>("provider." + std::string(addr.type.sv()));
  s->protocol_ = endpoint.protocol;
  s->channel_ = std::make_unique<Channel>(endpoint, wire::TlsIdentity());
  return s;
}

Session::~Session() {
  if (process_) process_->kill();  // otherwise it could keep the channel from closing
  channel_.reset();                // before the output it drains into
}

CallStatus Session::call(const char* method, const google::protobuf::MessageLite& in,
                         google::protobuf::MessageLite& out) {
  const Patience::UnderWay call(patience_, Patience::Kind::Call);
  return call ? channel_->call(method, in, out) : not_made();
}

CallStatus Session::call_change(const char* method, const google::protobuf::MessageLite& in,
                                google::protobuf::MessageLite& out) {
  const Patience::UnderWay change(patience_, Patience::Kind::Change);
  return change ? channel_->call(method, in, out) : not_made();
}

CallStatus Session::call_until_stop(const char* method, const google::protobuf::MessageLite& in,
                                    google::protobuf::MessageLite& out) {
  const Patience::UnderWay call(patience_, Patience::Kind::Call);
  return call ? channel_->call(method, in, out, 0, stop_) : not_made();
}

void Session::call_stop(const char* method, const google::protobuf::MessageLite& in,
                        google::protobuf::MessageLite& out) {
  const Patience::UnderWay request(patience_, Patience::Kind::Stop);
  if (!request) return;
  const CallStatus status = channel_->call(method, in, out, static_cast<int>(Patience::kTime.count()));
  if (status.ok() || status.kind == CallStatus::Unimplemented) patience_.heard_stop();
}

bool Session::dead() {
  return process_ && process_->wait_for_end(0);
}

ProviderDiag Session::problem(const char* method, const std::string& subject, const CallStatus& status) {
  std::string call = short_method(method) + (subject.empty() ? "" : " for " + subject);
  ProviderDiag d;
  d.of_many = true;  // it is the plugin's problem, not that of one object
  if (status.kind == CallStatus::NotMade) {
    d.summary = "Provider call failed";
    d.detail = fmt::format("The run was interrupted before {}. The plugin of provider {} had been stopped.",
                           call, name_);
    return d;
  }
  if (const Patience::End end = patience_.end(); end != Patience::End::None) {
    d.summary = "Provider call failed";
    d.detail =
        fmt::format("The run was interrupted during {}. The plugin of provider {} {}.", call, name_,
                    end == Patience::End::Heard  ? "was asked to stop but did not, so it was killed"
                    : end == Patience::End::Told ? "did not respond to the request to stop, so it was killed"
                                                 : "had not yet responded, so it was stopped");
    return d;
  }
  switch (status.kind) {
    case CallStatus::Unimplemented:
      d.summary = "Provider does not support an operation";
      d.detail = fmt::format(
          "Provider {} has no {}: this version of it does not support the requested operation.", name_, call);
      return d;
    case CallStatus::Malformed:
      d.summary = "Invalid provider response";
      d.detail = fmt::format(
          "The response from provider {} to {} is not a message of provider protocol {}. This is a bug in "
          "the provider.",
          name_, call, protocol_);
      return d;
    case CallStatus::Unreachable: {
      // The connection breaks a moment before the end of the process is seen.
      if (process_ && process_->wait_for_end(1000)) {
        d.summary = "Provider exited unexpectedly";
        d.detail = fmt::format("The plugin of provider {} {} during {}. This is a bug in the provider.",
                               name_, process_->end_text(), call);
      } else {
        d.summary = "Provider cannot be reached";
        d.detail = fmt::format("The connection to the plugin of provider {} failed at {}: {}.", name_, call,
                               status.message);
      }
      std::string last = output_->last_lines();
      if (!last.empty()) d.detail += "\n\nIts last output:\n" + last;
      return d;
    }
    case CallStatus::NotMade:
    case CallStatus::Failed:
    case CallStatus::Ok:
      break;
  }
  d.summary = "Provider call failed";
  d.detail = fmt::format("Provider {} did not respond to {}: {}.", name_, call, status.message);
  return d;
}

void Session::end(int grace_millis) {
  if (!process_) return;
  if (!process_->wait_for_end(0)) {
    // A server that floods the connection keeps both of its calls from returning for as long as it lives.
    const Deadline deadline(*process_, grace_millis);
    channel_->ask_to_end(grace_millis);
    channel_->close();  // a server may wait for its clients to leave
    process_->wait_for_end(grace_millis + 5000);
  }
}

}  // namespace xplan::plugin
