// The resource types fs_directory and fs_symlink.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <iterator>
#include <set>

#include "core/base/leftovers.h"
#include "core/base/quote.h"
#include "core/base/system_text.h"
#include "core/provider/fs/place.h"
#include "core/provider/kit/modifiers.h"

namespace xplan::fs {
namespace {

void plan_id(const kit::ModifyPlanRequest& r, const Places& places, kit::ModifyPlanResponse& out) {
  if (r.destroying()) return;
  kit::Object plan(r.plan);
  if (!plan.is_set("path")) return;
  places.find(plan.text("path"), false, kit::at("path"), out.diags);
  plan.set("id", plan.get("path"));
  out.plan = plan.value();
}

void import_path(const Places& places, const std::string& id, mode_t wanted, const char* what,
                 kit::ImportResult& out) {
  std::string place = places.find(id, false, {}, out.diags);
  if (place.empty()) return;
  struct stat info;
  if (::lstat(place.c_str(), &info) != 0 || (info.st_mode & S_IFMT) != wanted) {
    kit::add_error(out.diags, "Object cannot be imported", fmt::format("\"{}\" is not {}.", place, what));
    return;
  }
  kit::Object state(out.state);
  state.set("path", id);
  state.set("id", id);
  out.state = state.value();
}

// The sentence that names what is still in a directory; empty when nothing is, or nobody may look.
std::string entries_left(const std::string& place) {
  constexpr size_t kNamed = 10;
  std::set<std::string> first;
  size_t count = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator it(place, failed), end; !failed && it != end;
       it.increment(failed)) {
    first.insert(it->path().filename().string());
    if (++count > kNamed) first.erase(std::prev(first.end()));
  }
  if (first.empty()) return "";
  std::string names;
  for (const std::string& name : first) {
    if (!names.empty()) names += ", ";
    append_quoted(names, name, Quoting::Debug);
  }
  if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
  return fmt::format(" It contains {}.", names);
}

class DirectoryResource : public kit::Resource {
 public:
  explicit DirectoryResource(PlacesPtr places) : places_(std::move(places)) {}

  kit::Schema schema() const override {
    return {{path_field(), mode_field("0755"), parents_field(),
             kit::boolean("force_destroy")
                 .with_default(Value::boolean(false))
                 .describe("Whether destroying the directory also removes its content."),
             kit::string("id").computed().modify(kit::use_state_for_unknown()).describe("The path.")},
            0,
            "A directory.",
            ""};
  }
  void modify_plan(const kit::ModifyPlanRequest& r, kit::ModifyPlanResponse& out) override {
    plan_id(r, *places_, out);
    if (r.destroying() && kit::Object(r.prior).get("force_destroy").is_true())
      kit::add_warning(
          out.diags, "Directory will be removed with its content",
          fmt::format("Destroying \"{}\" removes everything in it, including what is not managed here.",
                      kit::Object(r.prior).text("path")));
  }
  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object plan(r.planned);
    std::string place = places_->find(plan.text("path"), false, kit::at("path"), out.diags), error;
    if (place.empty()) return;
    if (plan.get("create_parents").is_true() && !make_parents(place, error))
      return kit::add_error(out.diags, "Directory cannot be created", error + ".", kit::at("path"));
    if (::mkdir(place.c_str(), 0700) != 0)
      return kit::add_error(out.diags, "Directory cannot be created", not_made(place, errno),
                            kit::at("path"));
    plan.set("id", plan.get("path"));
    set_mode(place, plan, out);
  }
  void update(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object plan(r.planned);
    std::string place = places_->find(plan.text("path"), false, kit::at("path"), out.diags);
    if (!place.empty()) set_mode(place, plan, out);
  }
  void read(const Value& current, const Value&, kit::StateResponse& out) override {
    kit::Object state(current);
    std::string place = places_->find(state.text("path"), false, kit::at("path"), out.diags);
    if (place.empty()) return;
    struct stat info;
    if (::lstat(place.c_str(), &info) != 0) {
      if (errno == ENOENT || errno == ENOTDIR)
        out.state = Value();
      else
        kit::add_error(out.diags, "Directory cannot be read",
                       fmt::format("\"{}\" cannot be read: {}.", place, system_text(errno)), kit::at("path"));
      return;
    }
    if (!S_ISDIR(info.st_mode)) {
      out.state = Value();
      return;
    }
    state.set("mode", mode_text(info.st_mode));
    if (!state.is_set("create_parents")) state.set("create_parents", Value::boolean(true));
    if (!state.is_set("force_destroy")) state.set("force_destroy", Value::boolean(false));
    out.state = state.value();
  }
  void remove(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object state(r.prior);
    std::string place = places_->find(state.text("path"), false, kit::at("path"), out.diags);
    if (place.empty()) return;
    std::error_code failed;
    if (state.get("force_destroy").is_true())
      std::filesystem::remove_all(place, failed);
    else if (::rmdir(place.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR)
      failed.assign(errno, std::generic_category());
    if (failed)
      kit::add_error(out.diags, "Directory cannot be removed",
                     fmt::format("\"{}\" cannot be removed: {}. A directory that is not empty is removed "
                                 "only if force_destroy is true in its state.{}",
                                 place, system_text(failed.value()), entries_left(place)),
                     kit::at("path"));
  }
  void import(const std::string& id, kit::ImportResult& out) override {
    import_path(*places_, id, S_IFDIR, "a directory", out);
  }

 private:
  static void set_mode(const std::string& place, kit::Object& plan, kit::StateResponse& out) {
    out.state = plan.value();
    if (::chmod(place.c_str(), static_cast<mode_t>(mode_bits(plan.text("mode")))) != 0)
      kit::add_error(out.diags, "Permissions cannot be set",
                     fmt::format("The permissions of \"{}\" cannot be set: {}.", place, system_text(errno)),
                     kit::at("mode"));
  }
  PlacesPtr places_;
};

class SymlinkResource : public kit::Resource {
 public:
  explicit SymlinkResource(PlacesPtr places) : places_(std::move(places)) {}

  kit::Schema schema() const override {
    return {{path_field(),
             kit::string("target").required().describe("The target of the link; it does not have to exist."),
             parents_field(),
             kit::string("id").computed().modify(kit::use_state_for_unknown()).describe("The path.")},
            0,
            "A symbolic link.",
            ""};
  }
  void modify_plan(const kit::ModifyPlanRequest& r, kit::ModifyPlanResponse& out) override {
    plan_id(r, *places_, out);
  }
  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object plan(r.planned);
    std::string place = places_->find(plan.text("path"), false, kit::at("path"), out.diags), error;
    if (place.empty()) return;
    if (plan.get("create_parents").is_true() && !make_parents(place, error))
      return kit::add_error(out.diags, "Link cannot be created", error + ".", kit::at("path"));
    if (::symlink(std::string(plan.text("target")).c_str(), place.c_str()) != 0) return fail(place, out);
    plan.set("id", plan.get("path"));
    out.state = plan.value();
  }
  void update(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    kit::Object plan(r.planned);
    std::string place = places_->find(plan.text("path"), false, kit::at("path"), out.diags);
    if (place.empty()) return;
    const std::string beside = temporary_beside(place);  // then renamed: never without a link
    if (::symlink(std::string(plan.text("target")).c_str(), beside.c_str()) != 0) return fail(place, out);
    if (::rename(beside.c_str(), place.c_str()) != 0) {
      fail(place, out);
      ::unlink(beside.c_str());
      return;
    }
    out.state = plan.value();
  }
  void read(const Value& current, const Value&, kit::StateResponse& out) override {
    kit::Object state(current);
    std::string place = places_->find(state.text("path"), false, kit::at("path"), out.diags);
    if (place.empty()) return;
    std::error_code failed;
    std::filesystem::path target = std::filesystem::read_symlink(place, failed);
    if (failed) {  // gone, or no link any more
      out.state = Value();
      return;
    }
    state.set("target", target.string());
    if (!state.is_set("create_parents")) state.set("create_parents", Value::boolean(true));
    out.state = state.value();
  }
  void remove(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    std::string place = places_->find(kit::Object(r.prior).text("path"), false, kit::at("path"), out.diags);
    if (!place.empty() && ::unlink(place.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR)
      kit::add_error(out.diags, "Link cannot be removed",
                     fmt::format("\"{}\" cannot be removed: {}.", place, system_text(errno)),
                     kit::at("path"));
  }
  void import(const std::string& id, kit::ImportResult& out) override {
    import_path(*places_, id, S_IFLNK, "a symbolic link", out);
  }

 private:
  static void fail(const std::string& place, kit::StateResponse& out) {
    kit::add_error(out.diags, "Link cannot be created", not_made(place, errno), kit::at("path"));
  }
  PlacesPtr places_;
};

}  // namespace

std::unique_ptr<kit::Resource> make_directory(PlacesPtr places) {
  return std::make_unique<DirectoryResource>(std::move(places));
}
std::unique_ptr<kit::Resource> make_symlink(PlacesPtr places) {
  return std::make_unique<SymlinkResource>(std::move(places));
}

}  // namespace xplan::fs
