// Shared by init, get, providers lock and providers mirror: the provider sources made from the CLI
// configuration or -plugin-dir, download progress, module installation, and the remembered -plugin-dir.
#include "cmd/xplan/installation.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/json_writer.h"
#include "core/install/package_dir.h"

extern char** environ;

namespace xplan::cmd {

using install::InstallMethod;

Installation::Installation(Session& s, Messages messages)
    : settings(install::load_cli_config(s.sources, &std::getenv, environ, s.diags)),
      services(settings, http),
      s_(s),
      messages_(messages) {
  http.stop = &s.stop;
  http.retries = settings.limits.retries, http.seconds = settings.limits.seconds;
  hosts::forget_missing_cli_file(s.diags);
  if (s.io.out_is_terminal && !s.stream)
    http.progress = [this](uint64_t done, uint64_t total) { show_progress(done, total); };
}

// One line that is written over, and gone when the download is over.
void Installation::show_progress(uint64_t done, uint64_t total) {
  std::lock_guard lock(showing_);
  const auto now = std::chrono::steady_clock::now();
  if (done ? now - shown_at_ < std::chrono::milliseconds(100) : !shown_) return;
  shown_at_ = now;
  shown_ = done != 0;
  auto megabytes = [](uint64_t n) { return static_cast<double>(n) / 1e6; };
  std::string text = terminal_code("\r\x1b[K");
  if (done)
    text += total ? fmt::format("  {:.1f} of {:.1f} MB", megabytes(done), megabytes(total))
                  : fmt::format("  {:.1f} MB", megabytes(done));
  s_.io.out(text);
  s_.io.flush();
}

void Installation::add(InstallMethod m) {
  std::unique_ptr<install::ProviderSource> source =
      m.kind == InstallMethod::Kind::Filesystem ? install::filesystem_source(m.location)
      : m.kind == InstallMethod::Kind::Network  ? install::network_source(m.location, http, services)
      : m.kind == InstallMethod::Kind::Oci      ? install::oci_source(m.location, settings.oci, http)
                                                : install::registry_source(services);
  sources.add(std::move(m), std::move(source));
}

void Installation::use_settings() {
  // A block without methods means what it says: nothing is to be installed.
  for (InstallMethod& m : settings.has_installation ? std::vector<InstallMethod>(settings.methods)
                                                    : install::default_methods(&std::getenv))
    add(std::move(m));
}

void Installation::use_folders(const std::vector<std::string>& dirs) {
  for (const std::string& d : dirs) add({InstallMethod::Kind::Filesystem, d, {}, {}});
}

void Installation::tell(const std::string& text) {
  std::lock_guard lock(showing_);
  const size_t begin = std::min(text.find_first_not_of(" -"), text.size());
  for (const render::JsonStream* to : {s_.stream.get(), s_.into.get()})
    if (to)
      messages_ == Messages::Logged ? to->log(text)
                                    : to->message("info", text.substr(begin), [](JsonWriter&) {});
  if (s_.stream) return;
  s_.io.out((shown_ ? terminal_code("\r\x1b[K") : "") + text + "\n");
  shown_ = false;
}

bool Installation::modules(bool upgrade, const std::string& test_dir) {
  install::ModuleOptions o;
  o.data_dir = s_.data_dir;
  o.upgrade = upgrade;
  o.test_dir = test_dir;
  o.early = s_.context().early();
  o.event = [&](const install::ModuleEvent& e) {
    if (e.kind == install::ModuleEvent::Kind::Downloading)
      tell(
          fmt::format("Downloading {}{} for {}...", e.what, e.version.empty() ? "" : " " + e.version, e.key));
    else
      tell(fmt::format("- {} in {}", e.key, e.what));
    s_.io.flush();
  };
  return install::install_modules(s_.sources, o, http, services, s_.diags);
}

std::vector<std::string> remembered_plugin_dirs(Session& s) {
  std::vector<std::string> out;
  auto text = real_fs().read(s.data_dir + "/plugin_path");
  if (!text) return out;
  const auto doc = parse_list_document(*text);
  if (!doc) return out;
  for (const Json& dir : *doc)
    if (dir.is_string()) out.push_back(dir.get<std::string>());
  return out;
}

void remember_plugin_dirs(Session& s, const std::vector<std::string>& dirs) {
  const std::string path = s.data_dir + "/plugin_path";
  if (dirs.empty()) return install::remove_all(path);
  JsonWriter w(2);
  w.begin_array();
  for (const std::string& d : dirs) w.string(d);
  w.end_array();
  Result<void> ok = install::make_dirs(s.data_dir);
  if (ok) ok = write_atomic(path, w.text());
  if (!ok) s.diags.error("Failed to save the plugin directories", ok.error().sentence());
}

}  // namespace xplan::cmd
