// fs_file. The content comes from exactly one of content, sensitive_content, content_base64 and source; size
// and sha256 are known as soon as the content is, so that plans show them. What was edited by others shows as
// changed content (of `source`: as a changed sha256). Of sensitive_content both stay null: whoever reads a
// plan or a state could try out guesses with them. Of content that comes from a sensitive value, they are
// sensitive too.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "core/base/atomic_file.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/leftovers.h"
#include "core/base/system_text.h"
#include "core/provider/fs/content.h"
#include "core/provider/fs/place.h"
#include "core/provider/kit/modifiers.h"

namespace xplan::fs {
namespace {

constexpr const char* kContents[] = {"content", "sensitive_content", "content_base64", "source"};

class FileResource : public kit::Resource {
 public:
  explicit FileResource(PlacesPtr places) : places_(std::move(places)) {}

  kit::Schema schema() const override {
    return {{path_field(), kit::string("content").optional().describe("The content, as text."),
             kit::string("sensitive_content")
                 .optional()
                 .sensitive()
                 .describe("The content, as text that is not shown."),
             kit::string("content_base64").optional().describe("The content, as base64, for binary data."),
             kit::string("source").optional().describe("The path of a file to copy."), mode_field("0644"),
             parents_field(),
             kit::boolean("overwrite")
                 .with_default(Value::boolean(false))
                 .describe("Whether creating the file may replace an existing one."),
             kit::string("id").computed().modify(kit::use_state_for_unknown()).describe("The path."),
             kit::number("size")
                 .computed()
                 .derived_from({"content", "content_base64"})
                 .describe("Bytes; null with sensitive_content."),
             kit::string("sha256")
                 .computed()
                 .derived_from({"content", "content_base64"})
                 .describe("The SHA-256 of the content, in hexadecimal; null with sensitive_content.")},
            0,
            "A file.",
            ""};
  }

  void validate(const Value& config, ProviderDiags& diags) override {
    int set = 0, unknown = 0;  // what is not known yet may turn out to be null
    for (const char* name : kContents) {
      const Value& v = *config.find_attr(name);
      unknown += v.is_unknown(), set += !v.is_unknown() && !v.is_null();
    }
    if (set > 1 || set + unknown == 0)
      kit::add_error(diags, "Invalid file content",
                     "Exactly one of content, sensitive_content, content_base64 and source must be set.");
    const Value& coded = *config.find_attr("content_base64");
    std::string ignored;
    if (coded.is_string() && !base64_decode(coded.as_string(), ignored))
      kit::add_error(diags, "Invalid file content", "The value of content_base64 is not valid base64.",
                     kit::at("content_base64"));
  }

  void modify_plan(const kit::ModifyPlanRequest& r, kit::ModifyPlanResponse& out) override {
    if (r.destroying()) return;
    kit::Object plan(r.plan);
    if (r.creating() && plan.is_set("path")) {
      places_->find(plan.text("path"), false, kit::at("path"), out.diags);
      plan.set("id", plan.get("path"));
    }
    std::string bytes;
    if (content_of(plan, bytes, out.diags)) describe(plan, bytes);
    out.plan = plan.value();
  }

  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override { write(r, out, true); }
  void update(const kit::ChangeRequest& r, kit::StateResponse& out) override { write(r, out, false); }

  void read(const Value& current, const Value&, kit::StateResponse& out) override {
    kit::Object state(current);
    std::string place = places_->find(state.text("path"), false, kit::at("path"), out.diags);
    if (place.empty()) return;
    Content c = read_file(place, false);
    if (c.found == Found::Failed) {
      kit::add_error(out.diags, "File cannot be read", c.error + ".", kit::at("path"));
      return;
    }
    if (c.found != Found::File) {  // gone, or something else has taken its place
      out.state = Value();
      return;
    }
    bool held = false;
    for (const char* name : kContents) {
      if (!state.is_set(name)) continue;
      held = true;
      std::string_view attribute = name;
      if (attribute == "source") continue;
      std::string before;
      if (attribute == "content_base64") {
        // Another spelling of the same bytes is not a difference.
        if (!base64_decode(state.text(name), before) || before != c.bytes)
          state.set(name, base64_value(c.bytes));
      } else {
        state.set(name, text_value(c.bytes));
      }
    }
    if (!held) {  // after an import
      if (is_exact_text(c.bytes))
        state.set("content", text_value(c.bytes));
      else
        state.set("content_base64", base64_value(c.bytes));
    }
    for (const char* name : {"create_parents", "overwrite"})
      if (!state.is_set(name)) state.set(name, Value::boolean(std::string_view(name) == "create_parents"));
    state.set("id", state.get("path"));
    state.set("mode", mode_text(c.mode));
    describe(state, c.bytes);
    out.state = state.value();
  }

  void remove(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object state(r.prior);
    std::string place = places_->find(state.text("path"), false, kit::at("path"), out.diags);
    if (place.empty()) return;
    remove_leftovers(place, Look::Once);
    if (::unlink(place.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR)
      kit::add_error(out.diags, "File cannot be removed",
                     fmt::format("\"{}\" cannot be removed: {}.", place, system_text(errno)),
                     kit::at("path"));
  }

  void import(const std::string& id, kit::ImportResult& out) override {
    std::string place = places_->find(id, false, {}, out.diags);
    if (place.empty()) return;
    Content c = read_file(place, false);
    if (c.found != Found::File) {
      kit::add_error(out.diags, "File cannot be imported", c.error + ".");
      return;
    }
    kit::Object state(out.state);
    state.set("path", id);
    state.set("id", id);
    out.state = state.value();
  }

 private:
  // The bytes that a planned object asks for; false when they are not known yet or not available.
  bool content_of(const kit::Object& o, std::string& bytes, ProviderDiags& diags) const {
    for (const char* name : kContents)
      if (o.get(name).is_unknown()) return false;
    if (o.is_set("content_base64")) return base64_decode(o.text("content_base64"), bytes);
    if (o.is_set("source")) {
      std::string place = places_->find(o.text("source"), true, kit::at("source"), diags);
      if (place.empty()) return false;
      Content c = read_file(place, true);
      if (c.found != Found::File) {
        kit::add_error(diags, "Source cannot be read", c.error + ".", kit::at("source"));
        return false;
      }
      bytes = std::move(c.bytes);
      return true;
    }
    bytes = o.text(o.is_set("content") ? "content" : "sensitive_content");
    return true;
  }

  static std::string in_the_way(const std::string& place) {
    return fmt::format("\"{}\" already exists. Import it, or set overwrite to true to replace it", place);
  }

  // Fails where something is, also where it came to be at this moment.
  static Result<void> create_new(const std::string& place, std::string_view bytes) {
    Result<bool> done = write_new(place, bytes, 0600);
    if (!done) return done.error();
    if (!*done) return Error{in_the_way(place)};
    return {};
  }

  static void describe(kit::Object& o, std::string_view bytes) {
    const bool secret = o.is_set("sensitive_content");
    o.set("size", secret ? Value::null(Type::number()) : Value::number(static_cast<int64_t>(bytes.size())));
    o.set("sha256", secret ? Value::null(Type::string()) : Value::string_nfc(sha256_hex(bytes)));
  }

  void write(const kit::ChangeRequest& r, kit::StateResponse& out, bool create) {
    kit::Object plan(r.planned);
    auto fail = [&](std::string why, const char* at = "path") {
      kit::add_error(out.diags, "File cannot be written", why + ".", kit::at(at));
    };
    std::string place = places_->find(plan.text("path"), false, kit::at("path"), out.diags), bytes, error;
    if (place.empty() || !content_of(plan, bytes, out.diags)) return;
    if (plan.is_set("sha256") && plan.text("sha256") != sha256_hex(bytes))
      return fail(fmt::format("The source \"{}\" has changed since the plan was made", plan.text("source")),
                  "source");
    struct stat info;
    bool exists = ::lstat(place.c_str(), &info) == 0;
    if (create && exists && !plan.get("overwrite").is_true()) return fail(in_the_way(place));
    if (exists && S_ISDIR(info.st_mode)) return fail(fmt::format("\"{}\" is a directory", place));
    if (plan.get("create_parents").is_true() && !make_parents(place, error)) return fail(error);
    // Nobody else may read the content before the permissions are as they should be.
    const bool only_new = create && !plan.get("overwrite").is_true();
    Result<void> done = only_new ? create_new(place, bytes) : write_atomic(place, bytes, 0600);
    if (!done) return fail(done.error().message);
    plan.set("id", plan.get("path"));
    describe(plan, bytes);
    out.state = plan.value();
    if (::chmod(place.c_str(), static_cast<mode_t>(mode_bits(plan.text("mode")))) != 0)
      fail(fmt::format("the permissions of \"{}\" cannot be set: {}", place, system_text(errno)), "mode");
  }

  PlacesPtr places_;
};

}  // namespace

std::unique_ptr<kit::Resource> make_file(PlacesPtr places) {
  return std::make_unique<FileResource>(std::move(places));
}

}  // namespace xplan::fs
