// A gRPC connection to a plugin. The only header between gRPC and the rest: its own headers stay in
// channel.cc.
//
// Who calls it: Session. Contract: calls block until the answer is there, however long that takes, unless a
// time limit or a stop flag is given; any number of calls run concurrently on the one connection. With a
// certificate both sides prove who they are, and only that very certificate is accepted; without one the
// connection is plain. Proxies of the environment are not used. Messages may be as large as the wire allows
// (2 GiB). Cost: a thread for the drained stream; calls cost what gRPC's do.  Thread-safety: any thread.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "core/provider/plugin/handshake.h"
#include "core/provider/wire/certificate.h"

namespace google::protobuf {
class MessageLite;
}

namespace xplan::plugin {

struct CallStatus {
  enum Kind { Ok, Unimplemented, Unreachable, Malformed, Failed, NotMade } kind = Ok;
  std::string message;  // gRPC's or the plugin's words
  bool ok() const { return kind == Ok; }
};

class Channel {
 public:
  // identity: ours, used when the endpoint has a certificate.
  Channel(const Endpoint& endpoint, const wire::TlsIdentity& identity);
  ~Channel();
  // method: "/package.Service/Method", a string that outlives the call. timeout_millis 0: none. A call is
  // given up when `stop` becomes true.
  CallStatus call(const char* method, const google::protobuf::MessageLite& in,
                  google::protobuf::MessageLite& out, int timeout_millis = 0,
                  const std::atomic<bool>* stop = nullptr);
  // What the plugin prints and sends by way of the connection, if it offers that: stream 1 or 2, bytes.
  void drain(std::function<void(int, std::string_view)> sink);
  CallStatus ask_to_end(int timeout_millis);
  // Hangs up; there may be no calls under way. Later ones are answered with Unreachable.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::plugin
