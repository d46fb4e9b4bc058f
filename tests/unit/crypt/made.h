// Encryption made of the text of a root module, as tests write it.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "core/config/inputs.h"
#include "core/config/module_files.h"
#include "core/crypt/encryption.h"

namespace xplan::test {

struct MadeEncryption {
  SourceTable sources;
  Diagnostics diags;
  MemoryFs files;
  std::unique_ptr<config::Module> root;
  std::optional<crypt::Encryption> encryption;

  // `tf` is the content of the encryption block; empty: there is none in main.tf.
  explicit MadeEncryption(const std::string& tf, crypt::Environment environment = {},
                          std::map<std::string, std::string> others = {}) {
    files.files = std::move(others);
    if (!tf.empty()) files.files["main.tf"] = "terraform {\n  encryption {\n" + tf + "\n  }\n}\n";
    std::vector<config::LayeredBody> layered;
    root = config::read_module(files, sources, ".", layered, diags);
    const crypt::Variables variables = config::finalize_inputs(*root, {}, diags);
    if (!diags.has_errors())
      encryption = crypt::Encryption::make(root.get(), variables, environment, sources, diags);
  }
  crypt::Codec& state() const { return *encryption->state(); }
  crypt::Codec& plan() const { return *encryption->plan(); }
  // "main.tf:3:5: Summary: detail", one line for each problem; [W] for a warning.
  std::string told() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) {
      ResolvedRange at;
      if (!out.empty()) out += '\n';
      if (d.severity == Severity::Warning) out += "[W] ";
      if (sources.resolve(d.subject, at))
        out += std::string(at.file) + ":" + std::to_string(at.start.line) + ":" +
               std::to_string(at.start.column) + ": ";
      out += d.summary + ": " + d.detail;
    }
    return out;
  }
};

inline const std::string kStateText =
    R"({"version":4,"terraform_version":"1.10.0","serial":7,"lineage":"11111111-2222-3333-4444-555555555555","outputs":{},"resources":[],"check_results":null})";

}  // namespace xplan::test
