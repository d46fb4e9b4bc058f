// The age and the process of a lock's holder.
#include "core/state/lock_holder.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "core/base/fs.h"
#include "core/cloud/time.h"
#include "core/state/lock.h"

namespace xplan {
namespace {

constexpr size_t kMostFiles = 20'000;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

// Calls f with the name of each entry until it returns false.
template <class F>
void each_entry(const std::string& dir, F&& f) {
  const std::unique_ptr<DIR, int (*)(DIR*)> d(::opendir(dir.c_str()), ::closedir);
  if (!d) return;
  while (const dirent* e = ::readdir(d.get()))
    if (e->d_name[0] != '.' && !f(std::string(e->d_name))) return;
}

// Whether this descriptor of the process has the lock: others may have the file open to wait for it.
bool locks(const std::string& process, const std::string& fd) {
  const Result<std::string> info = real_fs().read(process + "/fdinfo/" + fd);
  return info && info->find("\nlock:") != std::string::npos;
}

constexpr std::string_view kProcess = "process ", kSpace = " of ";

// Since when this machine runs: an ID that no other machine has, even one of the same name.
std::string boot() {
  const Result<std::string> id = real_fs().read("/proc/sys/kernel/random/boot_id");
  return id ? id->substr(0, 8) : std::string();
}

// The processes that can be seen from here are those of one namespace of one machine; it has a number, which
// is the same on all machines for the first.
std::string process_space() {
  std::array<char, 64> link{};
  const ssize_t n = ::readlink("/proc/self/ns/pid", link.data(), link.size());
  const std::string_view text(link.data(), static_cast<size_t>(std::max<ssize_t>(n, 0)));
  const size_t from = text.find('['), to = text.find(']');
  if (from == text.npos || to == text.npos) return {};
  return std::string(text.substr(from + 1, to - from - 1)) + "-" + boot();
}

// When the machine started, in seconds since 1970.
std::optional<int64_t> boot_time() {
  const Result<std::string> stat = real_fs().read("/proc/stat");
  const size_t at = stat ? stat->find("\nbtime ") : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  return std::atoll(stat->c_str() + at + 7);
}

// Whether the process of that number is one that ran at that time already: another one may have got its
// number. Of somebody else's, no more may be seen than that it is there.
bool runs_since(const std::string& pid, int64_t boot, int64_t then) {
  constexpr int64_t kClocksDiffer = 5;
  constexpr int kStartTime = 20;  // of the fields behind the name
  if (::kill(static_cast<pid_t>(std::atoi(pid.c_str())), 0) != 0 && errno == ESRCH) return false;
  const Result<std::string> stat = real_fs().read("/proc/" + pid + "/stat");
  size_t at = stat ? stat->rfind(')') : std::string::npos;  // names may have any characters
  if (at == std::string::npos) return true;
  if (stat->substr(at, 3) == ") Z") return false;
  for (int n = 0; n < kStartTime && at != std::string::npos; ++n) at = stat->find(' ', at + 1);
  return at == std::string::npos ||
         boot + std::atoll(stat->c_str() + at) / ::sysconf(_SC_CLK_TCK) <= then + kClocksDiffer;
}

// What process_note() says.
struct ProcessNote {
  std::string pid, space;
};
std::optional<ProcessNote> process_in(std::string_view note) {
  while (!note.empty() && !note.starts_with(kProcess)) {  // one of several notes
    const size_t end = note.find("; ");
    note.remove_prefix(end == note.npos ? note.size() : end + 2);
  }
  if (note.empty()) return std::nullopt;
  note.remove_prefix(kProcess.size());
  const std::string pid(note.substr(0, note.find_first_not_of("0123456789")));
  if (pid.empty() || pid.size() > 9 || pid[0] == '0') return std::nullopt;
  note.remove_prefix(pid.size());
  if (!note.starts_with(kSpace)) return std::nullopt;
  note = note.substr(kSpace.size(), note.find(';') - kSpace.size());
  return note.empty() ? std::nullopt : std::optional(ProcessNote{pid, std::string(note)});
}

// The process that the lock names, and what became of it.
struct Holder {
  std::string pid;
  bool runs;
};
std::optional<Holder> process_of(const LockInfo& info, const std::optional<int64_t>& created) {
  const std::optional<ProcessNote> noted = process_in(info.info);
  const std::optional<int64_t> boot = boot_time();
  if (!noted || noted->space != process_space() || !boot || !created) return std::nullopt;
  return Holder{noted->pid, runs_since(noted->pid, *boot, *created)};
}

bool on_this_machine(const LockInfo& info) {
  const size_t at = info.who.rfind('@');
  const std::string host = host_name();
  return at != std::string::npos && !host.empty() && info.who.substr(at + 1) == host;
}

}  // namespace

std::string process_note() {
  const std::string space = process_space();
  return space.empty() ? std::string()
                       : std::string(kProcess) + std::to_string(::getpid()) + std::string(kSpace) + space;
}

std::string noted_process(std::string_view note) {
  const std::optional<ProcessNote> noted = process_in(note);
  return noted ? std::string(kProcess) + noted->pid : std::string();
}

std::string ago_text(int64_t seconds) {
  struct Unit {
    int64_t seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
  for (const Unit& u : kUnits)
    if (const int64_t n = seconds / u.seconds; n > 0 && seconds >= 5)
      return std::to_string(n) + " " + u.name + (n == 1 ? "" : "s") + " ago";
  return "just now";
}

std::string lock_holder_text(const LockInfo& info, int64_t now) {
  if (info.who.empty()) return {};
  std::string out = shown_foreign(info.who) + " acquired it";
  const std::optional<int64_t> created = cloud::parse_timestamp(info.created);
  // Clocks differ, and some servers give no time at all.
  if (created && *created > 0 && *created <= now + 60) out += " " + ago_text(now - *created);
  if (!on_this_machine(info)) return out;
  out += ", on this machine";
  if (const std::optional<Holder> p = process_of(info, created))
    out += ", in process " + p->pid + ", which " + (p->runs ? "is still running" : "has ended");
  return out;
}

std::optional<bool> lock_holder_runs(const LockInfo& info) {
  if (!on_this_machine(info)) return std::nullopt;
  const std::optional<Holder> p = process_of(info, cloud::parse_timestamp(info.created));
  return p ? std::optional(p->runs) : std::nullopt;
}

constexpr std::string_view kJournalNote = "journal: ";

std::string journal_note(const std::string& path, const std::string& who) {
  return std::string(kJournalNote) + path + ", " + who;
}

static std::string advice_of(const std::string& where, const std::string& directory) {
  return "The run keeps its journal " + where +
         ", and the state may lack changes that only the journal has. If the run has ended, the first plan "
         "or apply after releasing the lock must be in " +
         directory;
}

std::string journal_advice(const LockInfo& info, const std::string& here) {
  const size_t at = info.info.find(kJournalNote);
  if (at == info.info.npos) return {};
  const std::string noted = info.info.substr(at + kJournalNote.size());
  if (!here.empty() && on_this_machine(info) && noted == here + ", " + info.who)
    return advice_of("in this directory (" + shown_foreign(here) + ")", "this directory");
  return advice_of("on its own machine (" + shown_foreign(noted) + ")", "the directory of that run");
}

std::string journal_advice() {
  return advice_of("on its own machine", "the directory of that run");
}

std::optional<pid_t> process_locking(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> wanted(::realpath(path.c_str(), nullptr), std::free);
  if (!wanted) return std::nullopt;
  std::optional<pid_t> out;
  size_t looked = 0;
  each_entry("/proc", [&](const std::string& name) {
    const pid_t pid = static_cast<pid_t>(std::atoi(name.c_str()));
    const std::string process = "/proc/" + name;
    if (pid <= 0 || pid == ::getpid()) return true;
    each_entry(process + "/fd", [&](const std::string& fd) {
      std::array<char, 4096> there{};
      const ssize_t n = ::readlink((process + "/fd/" + fd).c_str(), there.data(), there.size());
      if (n > 0 && std::string_view(there.data(), static_cast<size_t>(n)) == wanted.get() &&
          locks(process, fd))
        out = pid;
      return !out && ++looked < kMostFiles;
    });
    return !out && looked < kMostFiles;
  });
  return out;
}

}  // namespace xplan
