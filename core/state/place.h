// Place: one state on a server, as bytes with compare-and-swap, with its lock and the segments of its
// journal.
//
// Who implements it: backends that keep states on servers (core/backend/NAME). Who calls it: RemoteStore,
// which knows about states, journals and messages, and is written once; tests. Contract: contents are whole
// and opaque, and so are versions: what the server compares (an ETag, a generation, an index). What is
// transient was tried again, with back-off, before an error is returned; an error is a phrase that says what
// failed, where and why, without credentials. Content of no bytes is no state. What asks for
// something ends soon after the run is told to stop, with an error; what writes, removes or releases does
// not, because a run that stops still has to record what it did; try_lock() ends after kLastAnswer more
// (core/net/ending.h), since the server may have given the lock by then. Cost: each call is one request
// unless it says otherwise.  Thread-safety: still_held() and concurrent_segments() + 1 calls of put_segment()
// may run beside each other and beside one of the others, is_still() and segments() among them, except that
// nobody asks still_held() beside try_lock() and unlock(); where it reads_concurrently(), segments() and
// get_segments() beside get(); the rest is called from one thread at a time.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arrival.h"
#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/net/ending.h"
#include "core/state/store.h"

namespace xplan {

struct Content {
  std::string bytes, version;
  std::string type = {};  // as the server calls it (text/html), for messages; empty: it does not say
};

// In bytes, of all segments. Nothing begins any more where that little is left of it: results have no limit.
inline constexpr int64_t kLargestJournal = int64_t{1} << 30, kEndOfJournal = kLargestJournal / 4;
Error journal_too_large();

class Place {
 public:
  virtual ~Place() = default;
  virtual std::string name() const = 0;  // as messages name it: s3://bucket/key
  // What its journal is bound to: which of the states there are on the server it is, however that is reached.
  virtual std::string key() const { return name(); }

  // Nothing: there is no state. `arrival`: where the server sends the state in one piece, and this run wants
  // it for itself, it is read there already while it arrives; null: nobody does that. `always`: also in a run
  // that is told to stop, as a part of writing.
  virtual Result<std::optional<Content>> get(Arrival* arrival = nullptr, bool always = false) = 0;
  // Whether there is a state: a look at it, where the server can give one without the state itself.
  virtual Result<bool> exists();
  // Of what is there, also where get() finds it damaged: for whoever replaces it whatever it is. Nothing:
  // there is none, or get() is the only way to tell.
  virtual Result<std::optional<std::string>> version() { return std::optional<std::string>(); }
  // Whether the state is that of this version: a look at it, where the server can give one without the state
  // itself.
  virtual Result<bool> is_still(const std::optional<std::string>& version);
  // Replaces the content of this version; nothing: what is not there yet. `conflict`: something else is
  // there, and stays. A server that cannot compare looks before it writes.
  struct Put {
    bool conflict = false;
    std::string version;
    std::string why = {};  // of a conflict, where more is known than that
  };
  virtual Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) = 0;

  // False: there is no lock, because the settings say so or the server has none; then nobody calls the
  // others.
  virtual bool locks() const { return true; }
  // Which kinds of locks it takes, apart by spaces: runs that have none in common do not hold off one
  // another.
  virtual std::string lock_kinds() const { return "lock"; }
  virtual bool has_other_locks() const { return false; }  // that these settings do not take
  // Whether the server ends a lock that nobody renews: then still_held() is asked for as long as it is held.
  virtual bool lock_expires() const { return false; }
  virtual bool lock_ends_with_run() const { return false; }  // however the run ends
  // One try. Sets in `info` what the server decides: the id that releases the lock, the path. `held`:
  // somebody else has it, `holder` as far as the server tells; `reason` begins the message.
  struct Locking {
    bool held = false;
    std::optional<LockInfo> holder;
    std::string reason;
    std::string advice = {};  // what to do, where waiting does not help
  };
  virtual Result<Locking> try_lock(LockInfo& info) = 0;
  // `stop`: of whoever does not wait for the answer for as long as the server takes.
  virtual Result<void> unlock(Stop stop = nullptr) = 0;
  // Whether the lock that try_lock() took is still ours, after renewing it where it must be. Nothing: the
  // server cannot tell.
  virtual Result<std::optional<bool>> still_held(Stop /*stop*/ = nullptr) { return std::optional<bool>(); }
  virtual bool tells_holder() const { return true; }  // false: only try_lock() does
  // A look; `late`: also in a run that is told to stop, which waits for the answer for a moment.
  virtual Result<std::optional<LockInfo>> holder(bool /*late*/ = false) { return std::optional<LockInfo>(); }
  // The same where only try_lock() tells, which then takes a free lock, and releases it at once.
  virtual Result<std::optional<LockInfo>> find_holder() { return holder(); }
  virtual Result<void> break_lock(const std::string& id) = 0;

  // How long to wait between two writes while changes are made, `wanted` unless the server has a say in that;
  // nothing: the state is written at the end only. May change with every answer.
  virtual std::optional<std::chrono::milliseconds> snapshots(std::chrono::milliseconds wanted) const {
    return wanted;
  }

  // Journals: small named contents that belong to the state, which other tools do not see. Names are of
  // [0-9a-z-]; listed in their order. False: the server keeps none.
  virtual bool keeps_segments() const { return false; }
  // Each in a request of its own that takes its time: several share that.
  virtual size_t concurrent_segments() const { return 1; }
  virtual bool reads_concurrently() const { return false; }
  virtual std::string journal_name() const { return name() + ".journal"; }  // as messages name it
  // `how`: of what need not arrive; what records something does not end.
  virtual Result<void> put_segment(const std::string& name, std::string_view bytes,
                                   const net::Ending& how = {});
  // `always`: also in a run that is told to stop, which has to remove them.
  virtual Result<std::vector<std::string>> segments(bool always = false);
  virtual Result<std::string> get_segment(const std::string& name);
  virtual Result<void> remove_segment(const std::string& name);  // fine if it is not there
  // The contents of `names` (each once), in their order, however they are asked for: where requests take
  // their time, several concurrently. More than kLargestJournal is an error.
  virtual Result<std::vector<std::string>> get_segments(const std::vector<std::string>& names);
  virtual Result<void> remove_segments(const std::vector<std::string>& names);
};

// Whether the server has refused something because the credentials do not permit it, as the error of any kind
// says.
bool is_forbidden(const Error& e);
// What whoever may only read and write the state itself can do, as a sentence without its full stop.
std::string journal_here_advice();

// Whether a name is made of what those of segments are. Others are not listed: somebody else has put them
// there, and they could mean something in a path or a statement.
bool may_name_segment(std::string_view name);
// The segments of journals, sorted: those whose names are RUN-NUMBER, both in hexadecimal digits.
Result<std::vector<std::string>> journal_segments(Place& place, bool always = false);

// What is wrong with a content that something else has sent than what keeps states, such as a page to log in;
// nothing: it may be a state. Those that are no objects of JSON are none.
std::optional<Error> web_page(const Place& place, const Content& content);

}  // namespace xplan
