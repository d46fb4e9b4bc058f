// One connection to a running plugin: its process (none if xplan attached to it), its channel, its output.
//
// Who calls it: entry.cc makes and ends sessions; calls.cc talks through them. Contract: open() returns a
// session whose plugin has answered, or an Error in sentences. A call that fails because the plugin is gone
// says so, with the last lines it printed.  Cost: see Process and Channel.  Thread-safety: any thread; the
// owner's fields are guarded by the Entry.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "core/provider/plugin/channel.h"
#include "core/provider/plugin/output.h"
#include "core/provider/plugin/patience.h"
#include "core/provider/plugin/plugin.h"
#include "core/provider/plugin/process.h"
#include "core/provider/plugin/socket_dir.h"
#include "core/provider/provider.h"

namespace xplan::plugin {

class Session {
 public:
  static Result<std::unique_ptr<Session>> open(const PluginProgram& program, const PluginOptions& options);
  static std::unique_ptr<Session> attach(const ProviderAddr& addr, const Endpoint& endpoint,
                                         const PluginOptions& options);
  ~Session();

  int protocol() const { return protocol_; }
  CallStatus call(const char* method, const google::protobuf::MessageLite& in,
                  google::protobuf::MessageLite& out);
  // The same for a call that changes something, which is waited for. Once the plugin is to be killed, it is
  // not made (NotMade).
  CallStatus call_change(const char* method, const google::protobuf::MessageLite& in,
                         google::protobuf::MessageLite& out);
  // Gives up when the run is to end: for what StopProvider does not end.
  CallStatus call_until_stop(const char* method, const google::protobuf::MessageLite& in,
                             google::protobuf::MessageLite& out);
  // The request to end the calls that are under way.
  void call_stop(const char* method, const google::protobuf::MessageLite& in,
                 google::protobuf::MessageLite& out);
  // What went wrong with a call, for the user. `subject`: "resource type x_y", or empty.
  ProviderDiag problem(const char* method, const std::string& subject, const CallStatus& status);
  bool dead();  // the process has ended
  // Asks the process to end, and kills it when it has not after the grace, whatever keeps the connection
  // busy.
  void end(int grace_millis);

  // Owner's: which configuration it has got, if any, and how many Providers hold it.
  int holders = 0;
  bool configured = false, deferral_allowed = false;
  std::atomic<bool> stopped{false};  // of no use for another configuration
  Value config;

 private:
  explicit Session(const PluginOptions& options) : stop_(options.stop), patience_(options.stop) {}

  const std::atomic<bool>* const stop_;
  Patience patience_;
  std::string name_;
  std::shared_ptr<Output> output_;
  std::optional<SocketDir> socket_dir_;  // outlives the process
  std::unique_ptr<Process> process_;     // null: attached
  std::unique_ptr<Channel> channel_;
  int protocol_ = 0;
};

}  // namespace xplan::plugin
