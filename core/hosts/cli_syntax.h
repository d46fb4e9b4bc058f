// The syntax of the CLI configuration file: names, labels, blocks, lists, strings; or JSON of the same shape.
//
// Who calls it: cli_config.cc.
// Why a reader of its own: this file has an older syntax than configurations. Its names may be quoted
// ("ns/type" = "dir"), blocks are written with or without an equals sign, and several arguments may share a
// line; the parser of the language refuses all three. There are no expressions here.
// Contract: reports the first syntax error with its place; depth is limited. Cost: linear. Thread-safety: one
// thread.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/diag/diagnostic.h"

namespace xplan::hosts {

struct CliItem;
struct CliValue {
  enum class Kind : uint8_t { Null, Text, Number, Bool, List, Object } kind = Kind::Null;
  std::string text;  // Text: decoded; Number and Bool: as written
  std::vector<CliValue> list;
  std::vector<CliItem> object;  // in source order, repeated names are kept
  Range range;
};
struct CliItem {
  std::string name;
  std::vector<std::string> labels;  // of a block: credentials "host" {…}
  bool block = false;               // written without an equals sign
  Range range;                      // the name and the labels
  CliValue value;
};

// The items of a file; nothing after an error. Files that begin with a brace are JSON.
std::unique_ptr<CliValue> parse_cli_file(SourceTable& sources, const std::string& path, std::string text,
                                         Diagnostics& diags);

}  // namespace xplan::hosts
