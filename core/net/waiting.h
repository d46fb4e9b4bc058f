// Tells that a server does not answer and is asked again, so that nobody takes that for a program that hangs.
//
// Who calls it: the client (client.cc) tells, a front end listens.
// Contract: of all servers it is told once, and again after one has answered, or a while later; the text is a
// sentence without credentials. Cost: none while servers answer.  Thread-safety: any thread may tell; whoever
// listens is called from that one, and is set while no request is under way.
#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace xplan::net {

void tell_when_waiting(std::function<void(const std::string& text)> listener,  // null: nobody listens
                       std::chrono::milliseconds again = std::chrono::seconds(55));

}  // namespace xplan::net
