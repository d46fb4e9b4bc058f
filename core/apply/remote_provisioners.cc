// The provisioners that work on another machine: remote-exec runs scripts there, file uploads.
#include <fmt/format.h>

#include "core/apply/connection.h"
#include "core/base/fs.h"
#include "core/remote/connect.h"
#include "core/remote/script.h"
#include "core/remote/upload.h"

namespace xplan::applying {
namespace {

enum class Announce : bool { No, Yes };

struct Machine {
  remote::Target target;
  std::unique_ptr<remote::Connection> connection;
  remote::Session& session() { return connection->session(); }
};

Result<Machine> reach(const ProvisionerCall& c, Announce how) {
  Result<remote::Target> t = target_of(c.connection);
  if (!t) return t.error();
  if (how == Announce::Yes) announce(*t, c);
  Result<std::unique_ptr<remote::Connection>> connection = remote::connect(
      *t, c.run.options.stop,
      [&](std::string_view problem) { c.tell(fmt::format("Not connected yet: {}", problem)); });
  if (!connection && stopped(c.run.options.stop))
    return Error{"the run was interrupted before a connection was established"};
  if (!connection) return connection.error();
  if (how == Announce::Yes) c.tell("Connected!");
  return Machine{std::move(*t), std::move(*connection)};
}

struct Script {
  std::string name;  // for messages
  std::string content;
};

std::string inline_script(const Value& commands, bool windows) {
  const std::string_view end = windows ? "\r\n" : "\n";
  std::string out;
  for (const Value& e : commands.elements()) out.append(e.as_string()).append(end);
  return windows || out.starts_with("#!") ? out : "#!/bin/sh\n" + out;
}

// All are read before anything runs.
Result<std::vector<Script>> scripts_of(const ProvisionerCall& c, bool windows) {
  std::vector<Script> out;
  auto read = [&](const std::string& path) -> Result<void> {
    Result<std::string> text = real_fs().read(path);
    if (!text) return text.error();
    out.push_back({fmt::format("The script \"{}\"", path), std::move(*text)});
    return {};
  };
  if (const Value& commands = *c.arguments.find_attr("inline"); !commands.is_null())
    out.push_back({"The script of \"inline\"", inline_script(commands, windows)});
  if (const std::string one = c.word("script"); !one.empty())
    if (Result<void> ok = read(one); !ok) return ok.error();
  if (const Value& all = *c.arguments.find_attr("scripts"); !all.is_null())
    for (const Value& e : all.elements())
      if (Result<void> ok = read(std::string(e.as_string())); !ok) return ok.error();
  return out;
}

std::string path_for_script(const ProvisionerCall& c, bool windows) {
  const Value& given = *c.connection.find_attr("script_path");
  if (given.is_string() && !given.as_string().empty())
    return remote::script_path(std::string(given.as_string()));
  return remote::script_path(windows ? "C:/windows/temp/terraform_%RAND%.cmd" : "/tmp/terraform_%RAND%.sh");
}

}  // namespace

std::string run_remote_exec(const ProvisionerCall& c) {
  const Value& platform = *c.connection.find_attr("target_platform");
  Result<std::vector<Script>> scripts =
      scripts_of(c, platform.is_string() && platform.as_string() == "windows");
  if (!scripts) return scripts.error().sentence();
  Result<Machine> m = reach(c, Announce::Yes);
  if (!m) return m.error().sentence();
  for (const Script& s : *scripts) {
    Tail tail;
    const Result<void> ok =
        remote::run_script(m->session(), s.content, path_for_script(c, m->target.windows), m->target.windows,
                           c.run.options.stop, [&](std::string_view line) {
                             c.tell(line);
                             if (!c.hides()) tail.add(line);
                           });
    if (ok) continue;
    if (c.hides())
      return fmt::format(
          "A script failed: {}. Its output is not shown, because it may contain a sensitive value.",
          ok.error().message);
    return fmt::format("{} failed: {}.{}", s.name, ok.error().message, tail.text());
  }
  return "";
}

std::string run_file(const ProvisionerCall& c) {
  const std::string source = c.word("source");
  if (!source.empty() && !real_fs().exists(source) && !real_fs().is_dir(source))
    return fmt::format("There is no file or directory \"{}\" to upload.", source);
  Result<Machine> m = reach(c, Announce::No);
  if (!m) return m.error().sentence();
  const remote::Upload to{c.word("destination"), 0644, m->target.windows};
  const remote::Patience patience = remote::endless(c.run.options.stop);
  const Result<void> ok = source.empty()
                              ? remote::upload_content(m->session(), c.word("content"), to, patience)
                              : remote::upload_path(m->session(), source, to, patience);
  if (ok) return "";
  return fmt::format("The upload to \"{}\" failed: {}.", to.destination, ok.error().message);
}

}  // namespace xplan::applying
