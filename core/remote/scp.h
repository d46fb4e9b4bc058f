// ScpSender: the sending side of the protocol of scp, over the channel of a command `scp -t`.
//
// Who calls it: upload.cc.
// Contract: begin(), then files and directories, then finish(); after an error nothing more. Files are read
// piece by piece; links are followed, but not in circles. What the other side says is part of the error, up
// to a few thousand bytes. Cost: linear in what is sent.  Thread-safety: that of the session.
#pragma once
#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/remote/channel.h"

namespace xplan::remote {

class ScpSender {
 public:
  ScpSender(std::unique_ptr<Channel> c, const Patience& patience);

  Result<void> begin() { return consent(); }
  Result<void> content(const std::string& name, std::string_view bytes, int mode);
  Result<void> file(const std::string& path, const std::string& name, int mode);
  Result<void> directory(const std::string& path, const std::string& name);
  Result<void> inside(const std::string& path);  // what is in a directory
  // Everything was sent: the command must agree by ending well.
  Result<void> finish();

 private:
  Result<void> line(std::string head, const std::string& name);
  Result<void> send(std::string_view bytes);
  Result<void> send_and_wait(std::string_view bytes);
  Result<void> wait(const std::function<bool()>& ready);
  // A byte 0; or 1 or 2 with a line of text.
  Result<void> consent();
  // What follows within a moment belongs to the reason.
  void read_rest();
  std::string problem(std::string text) const;

  std::unique_ptr<Channel> channel_;
  const Patience patience_;
  std::string said_, errors_;
  std::vector<std::pair<dev_t, ino_t>> way_;
  const Channel::Output output_;
};

}  // namespace xplan::remote
