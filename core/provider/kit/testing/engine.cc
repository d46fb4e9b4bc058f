// Runs the commands of an engine, and reads what it says of plans and states.
#include "core/provider/kit/testing/engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/base/system_text.h"
#include "core/value/json.h"

extern char** environ;

namespace xplan::kit::testing {
namespace {

const Value& member(const Value& v, std::string_view name) {
  static const Value none;
  const Value* found = v.kind() == Kind::Obj ? v.find_attr(name) : nullptr;
  return found ? *found : none;
}

std::string action_word(const Value& actions) {
  std::string out;
  if (actions.kind() == Kind::Seq)
    for (const Value& a : actions.elements())
      if (a.is_string()) out += (out.empty() ? "" : ",") + std::string(a.as_string());
  return out == "delete,create" || out == "create,delete" ? "replace" : out;
}

// The resources of a module and of those that it calls.
void each_resource(const Value& module, const std::function<void(const Value&)>& f) {
  if (const Value& list = member(module, "resources"); list.kind() == Kind::Seq)
    for (const Value& r : list.elements()) f(r);
  if (const Value& list = member(module, "child_modules"); list.kind() == Kind::Seq)
    for (const Value& m : list.elements()) each_resource(m, f);
}

}  // namespace

Engine::Engine(std::string program, std::string reattach)
    : program_(std::move(program)), reattach_(std::move(reattach)) {
  std::string dir = (std::filesystem::temp_directory_path() / "kit-test-XXXXXX").string();
  if (mkdtemp(dir.data())) dir_ = dir;
}
Engine::~Engine() {
  std::error_code ignored;
  if (!dir_.empty()) std::filesystem::remove_all(dir_, ignored);
}

Result<void> Engine::write(const std::string& name, const std::string& text) {
  if (dir_.empty()) return Error{"cannot create a temporary directory"};
  return write_atomic(dir_ + "/" + name, text);
}

Engine::Ended Engine::run(std::vector<std::string> arguments) {
  std::map<std::string, std::optional<std::string>> changes;
  for (char** e = environ; *e; ++e) {
    const std::string_view name(*e, std::string_view(*e).find('='));
    if (name.starts_with("TF_")) changes[std::string(name)] = std::nullopt;
  }
  changes["TF_REATTACH_PROVIDERS"] = reattach_;
  changes["TF_CLI_CONFIG_FILE"] = dir_ + "/cli.tfrc";
  changes["CHECKPOINT_DISABLE"] = "1";
  const std::string file = dir_ + "/output";
  const int out = open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (out < 0) return {-1, "cannot write " + file + ": " + system_text(errno)};
  SpawnRequest r;
  arguments.insert(arguments.begin(), program_);
  r.arguments = std::move(arguments);
  r.environment = environment_with(changes);
  r.directory = dir_;
  r.out = r.err = out;
  Result<pid_t> child = spawn(r);
  close(out);
  if (!child) return {-1, program_ + " cannot be executed: " + child.error().message};
  const int status = reap(*child, Rest::Killed);
  Result<std::string> text = real_fs().read(file);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text ? *text : text.error().message};
}

std::optional<Value> Engine::show(const std::string& plan_file, std::string& problem) {
  std::vector<std::string> arguments = {"show", "-json"};
  if (!plan_file.empty()) arguments.push_back(plan_file);
  const Ended e = run(arguments);
  Result<Value> v = e.code == 0 ? parse_json(e.output) : Error{"it failed"};
  if (v) return *v;
  problem = fmt::format("show -json: {}:\n{}", v.error().message, e.output);
  return std::nullopt;
}

std::vector<std::string> actions_of(const Value& plan, std::string_view list) {
  std::vector<std::string> out;
  const Value& changes = member(plan, list);
  if (changes.kind() != Kind::Seq) return out;
  for (const Value& c : changes.elements()) {
    const std::string action = action_word(member(member(c, "change"), "actions"));
    const Value& address = member(c, "address");
    if (action != "no-op" && address.is_string())
      out.push_back(fmt::format("{}: {}", address.as_string(), action));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string attribute_text(const Value& state, const std::string& path) {
  std::string out = "none";
  each_resource(member(member(state, "values"), "root_module"), [&](const Value& r) {
    const Value& address = member(r, "address");
    if (!address.is_string() || !path.starts_with(std::string(address.as_string()) + ".")) return;
    Value v = member(r, "values");
    std::string_view rest = std::string_view(path).substr(address.as_string().size());
    while (!rest.empty() && !v.is_null()) {
      rest.remove_prefix(1);
      const std::string_view step = rest.substr(0, std::min(rest.find('.'), rest.size()));
      rest.remove_prefix(step.size());
      if (v.kind() == Kind::Seq) {
        const size_t i = static_cast<size_t>(atoi(std::string(step).c_str()));
        v = i < v.length() ? Value(v.elements()[i]) : Value();
      } else {
        v = Value(member(v, step));
      }
    }
    out = to_json(v);
  });
  return out;
}

}  // namespace xplan::kit::testing
