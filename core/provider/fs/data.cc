// The data sources fs_file and fs_directory, and the ephemeral fs_file.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "core/base/digest.h"
#include "core/eval/eval.h"
#include "core/eval/functions/glob.h"
#include "core/provider/fs/content.h"
#include "core/provider/fs/place.h"
#include "core/provider/kit/validators.h"

namespace xplan::fs {
namespace {

kit::Field read_path() {
  return kit::string("path").required().describe("The path to read.");
}

std::vector<kit::Field> content_fields(bool sensitive) {
  kit::Field text = kit::string("content").computed().describe("The content; null if it is not text."),
             coded = kit::string("content_base64").computed().describe("The content as base64.");
  if (sensitive) text.sensitive(), coded.sensitive();
  return {read_path(),
          text,
          coded,
          kit::number("size").computed().describe("Bytes."),
          kit::string("sha256").computed().describe("The SHA-256 of the content, in hexadecimal."),
          kit::string("mode").computed().describe("Permissions as an octal number.")};
}

Value fill_content(const Places& places, const Value& config, ProviderDiags& diags) {
  kit::Object o(config);
  std::string place = places.find(o.text("path"), true, kit::at("path"), diags);
  if (place.empty()) return config;
  Content c = read_file(place, true);
  if (c.found != Found::File) {
    kit::add_error(diags, "File cannot be read", c.error + ".", kit::at("path"));
    return config;
  }
  if (is_exact_text(c.bytes)) o.set("content", text_value(c.bytes));
  o.set("content_base64", base64_value(c.bytes));
  o.set("size", Value::number(static_cast<int64_t>(c.bytes.size())));
  o.set("sha256", Value::string_nfc(sha256_hex(c.bytes)));
  o.set("mode", mode_text(c.mode));
  return o.value();
}

class FileData : public kit::DataSource {
 public:
  explicit FileData(PlacesPtr places) : places_(std::move(places)) {}
  kit::Schema schema() const override { return {content_fields(false), 0, "The content of a file.", ""}; }
  void read(const Value& config, const Value&, kit::StateResponse& out) override {
    out.state = fill_content(*places_, config, out.diags);
  }

 private:
  PlacesPtr places_;
};

class FileEphemeral : public kit::Ephemeral {
 public:
  explicit FileEphemeral(PlacesPtr places) : places_(std::move(places)) {}
  kit::Schema schema() const override {
    return {content_fields(true), 0, "The content of a file, which is not stored anywhere.", ""};
  }
  void open(const Value& config, kit::EphemeralResult& out) override {
    out.result = fill_content(*places_, config, out.diags);
  }

 private:
  PlacesPtr places_;
};

class DirectoryData : public kit::DataSource {
 public:
  explicit DirectoryData(PlacesPtr places) : places_(std::move(places)) {}
  kit::Schema schema() const override {
    return {{read_path(),
             kit::string("pattern").optional().describe(
                 "A pattern for the names to list: * and ? within a name, ** for any number of directories. "
                 "If not set, everything directly in the directory."),
             kit::list_of("files", Type::string()).computed().describe("Paths within the directory, sorted."),
             kit::list_of("directories", Type::string()).computed().describe("Likewise."),
             kit::nested("entries", schema::Nesting::List,
                         {kit::string("path").computed(), kit::string("type").computed(),
                          kit::number("size").computed()})
                 .computed()
                 .describe("All entries, with the type \"file\", \"directory\" or \"other\".")},
            0,
            "The entries of a directory.",
            ""};
  }
  void read(const Value& config, const Value&, kit::StateResponse& out) override {
    kit::Object o(config);
    std::string place = places_->find(o.text("path"), true, kit::at("path"), out.diags);
    if (place.empty()) return;
    std::error_code failed;
    if (!std::filesystem::is_directory(place, failed))
      return kit::add_error(out.diags, "Directory cannot be read",
                            fmt::format("\"{}\" is not a directory.", place), kit::at("path"));
    std::vector<std::string> names;
    std::string pattern = o.is_set("pattern") ? std::string(o.text("pattern")) : "*";
    if (pattern[0] == '/' || eval::glob(place, pattern, names) != eval::GlobStatus::Ok)
      return kit::add_error(out.diags, "Invalid pattern",
                            fmt::format("\"{}\" is not a valid name pattern.", pattern), kit::at("pattern"));
    std::sort(names.begin(), names.end());
    std::vector<Value> files, directories, entries;
    Type entry = type_.elements()[static_cast<size_t>(type_.find_attr("entries"))].element();
    for (const std::string& name : names) {
      ProviderDiags ignored;  // what leads outside of the root is not listed
      std::string path = place + "/" + name;
      if (places_->find(path, true, {}, ignored).empty()) continue;
      std::filesystem::file_status status = std::filesystem::status(path, failed);
      bool file = std::filesystem::is_regular_file(status), dir = std::filesystem::is_directory(status);
      if (file) files.push_back(text_value(name));
      if (dir) directories.push_back(text_value(name));
      kit::Object e = kit::Object::blank(entry);
      e.set("path", text_value(name));
      e.set("type", file ? "file" : dir ? "directory" : "other");
      if (file) {
        auto size = std::filesystem::file_size(path, failed);
        if (!failed) e.set("size", Value::number(static_cast<int64_t>(size)));
      }
      entries.push_back(e.value());
    }
    o.set("files", Value::list(Type::string(), std::move(files)));
    o.set("directories", Value::list(Type::string(), std::move(directories)));
    o.set("entries", Value::list(entry, std::move(entries)));
    out.state = o.value();
  }

 private:
  PlacesPtr places_;
};

}  // namespace

std::unique_ptr<kit::DataSource> make_file_data(PlacesPtr places) {
  return std::make_unique<FileData>(std::move(places));
}
std::unique_ptr<kit::DataSource> make_directory_data(PlacesPtr places) {
  return std::make_unique<DirectoryData>(std::move(places));
}
std::unique_ptr<kit::Ephemeral> make_file_ephemeral(PlacesPtr places) {
  return std::make_unique<FileEphemeral>(std::move(places));
}

}  // namespace xplan::fs
