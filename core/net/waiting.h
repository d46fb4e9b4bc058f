// Tells that a server does not answer and is asked again, so that nobody takes that for a program that hangs.
//
// Who calls it: the client (client.cc) tells, a front end listens.
// Contract: of all servers it is told once, and again only after one has answered; the text is a sentence
// without credentials. Cost: none while servers answer.  Thread-safety: any thread may tell; whoever listens
// is called from that one, and is set while no request is under way.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <string>

namespace xplan::net {

void tell_when_waiting(std::function<void(const std::string& text)> listener);  // null: nobody listens

// While one lives, requests of its thread that have no `stop` of their own end as well, but only `grace`
// after it has become true: of what may change something, the answer is waited for, though not for ever.
class EndsLate {
 public:
  EndsLate(const std::atomic<bool>* stop, std::chrono::milliseconds grace);
  ~EndsLate();
  EndsLate(const EndsLate&) = delete;
  EndsLate& operator=(const EndsLate&) = delete;
  const std::atomic<bool>* const stop;
  const std::chrono::milliseconds grace;

 private:
  const EndsLate* const outer_;
};

}  // namespace xplan::net
