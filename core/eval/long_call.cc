// A call on a thread of its own, which owns all that the call uses, so that it can be left behind.
#include "core/eval/long_call.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "core/base/threads.h"
#include "core/eval/file_reads.h"
#include "core/eval/limits.h"

namespace xplan::eval {
namespace {

// What is shared between the call and whoever waits for it. Who is the last one frees it.
class Apart {
 public:
  Apart(const Function& f, std::span<const Value> args, const CallContext& ctx)
      : impl_(f.impl),
        args_(args.begin(), args.end()),
        base_dir_(ctx.base_dir),
        now_(ctx.now),
        plan_time_(ctx.plan_time),
        file_reads_(ctx.file_reads ? ctx.file_reads->shared_from_this() : nullptr),
        ctx_{base_dir_,      now_,      plan_time_,    ctx.pure,         nullptr,
             ctx.call_range, ctx.depth, &left_behind_, file_reads_.get()} {}
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  void run() {
    try {
      result_ = impl_(args_, ctx_, error_);
    } catch (...) {
      thrown_ = std::current_exception();
    }
    args_.clear();  // their memory may be much, and nobody else's here
    std::lock_guard guard(lock_);
    over_ = true;
    ended_.notify_one();
  }

  Value wait(const CallContext& ctx, CallError& error) {
    constexpr auto kLook = std::chrono::milliseconds(20);
    std::unique_lock guard(lock_);
    while (!ended_.wait_for(guard, kLook, [this] { return over_; })) {
      if (!ctx.stopped()) continue;
      left_behind_ = true;
      return give_up(error);
    }
    if (thrown_) std::rethrow_exception(thrown_);
    error = std::move(error_);
    return std::move(result_);
  }

 private:
  const Impl impl_;
  std::vector<Value> args_;
  const std::string base_dir_, now_, plan_time_;
  const std::shared_ptr<FileReads> file_reads_;
  std::atomic<bool> left_behind_{false};
  const CallContext ctx_;
  // Written by the call; read by who waits, once it is over.
  Value result_;
  CallError error_;
  std::exception_ptr thrown_;
  std::mutex lock_;
  std::condition_variable ended_;
  bool over_ = false;
};

}  // namespace

bool may_take_long(const Function& f, std::span<const Value> args, const CallContext& ctx) {
  if (!ctx.stop || !f.impl || f.closure || f.evaluates) return false;
  return std::any_of(args.begin(), args.end(), [](const Value& v) {
    if (v.is_string() && v.is_known() && !v.is_null()) return v.as_string().size() >= kLongText;
    return v.written_size() >= kLongCollection;
  });
}

Value call_apart(const Function& f, std::span<const Value> args, const CallContext& ctx, CallError& error) {
  auto call = std::make_shared<Apart>(f, args, ctx);
  std::thread thread = optional_thread([call] { call->run(); });
  if (!thread.joinable()) return f.impl(args, ctx, error);
  thread.detach();
  return call->wait(ctx, error);
}

}  // namespace xplan::eval
