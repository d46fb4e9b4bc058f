// Channel: one command on the server of a session: what goes into it, what comes out of it, how it ended.
//
// Who calls it: upload.cc, script.cc.
// Contract: opening and sending wait no longer than there is patience. Output goes piece by piece to whoever
// asks for it, and is never kept; a server that sends faster than it is read has to wait.
// Cost: one channel.  Thread-safety: that of its session.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/remote/session.h"

namespace xplan::remote {

class Channel {
 public:
  enum class Terminal : bool { No, Yes };
  static Result<std::unique_ptr<Channel>> run(Session& s, const std::string& command, Terminal terminal,
                                              const Patience& patience);
  ~Channel();
  Channel(const Channel&) = delete;

  using Output = std::function<void(std::string_view piece, bool is_stderr)>;
  // Passes on what is there; false: nothing was.
  bool read(const Output& output);
  Result<void> write(std::string_view data, const Output& output, const Patience& patience);
  void end_input() { ssh().ssh_channel_send_eof(handle_); }
  bool interrupt() const { return ssh().ssh_channel_write(handle_, "\x03", 1) == 1; }  // of its terminal
  bool ended() const;  // ask when read() found nothing
  // How the command ended; nothing: well.
  std::optional<std::string> failure() const;
  Session& session() const { return session_; }

 private:
  explicit Channel(Session& s);
  static void on_signal(ssh_session, ssh_channel, const char* signal, int, const char*, const char*,
                        void* self);

  Session& session_;
  ssh_channel handle_;
  ssh_channel_callbacks_struct callbacks_{};
  std::string signal_;
  bool lost_ = false;
};

}  // namespace xplan::remote
