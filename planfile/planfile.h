// The saved plan: a Plan and the configuration it was made from, in one file.
//
// Who calls it: cmd (plan -out, apply FILE, show FILE).
// Form: a zip whose entries tfplan, tfstate, tfstate-prev, tfconfig/… and .terraform.lock.hcl have the names
// and the form that other tools read; what only xplan knows lies in entries xplan/…. Plans of the reference
// can be read too: whatever their file lacks is derived or left empty. A codec stands between all that and
// the bytes of the file. Contract of read(): the file is
// hostile input. The seal, sizes, counts, paths and checksums are verified before anything is believed;
// whatever is wrong gives one Error that says what, why and what to do. write() replaces the file in one
// step; nothing is left behind when it fails. Cost: linear; entries are deflated and inflated piece by piece.
// Writing holds the compressed file once, until it goes to the disk; reading never holds all of it.
// Thread-safety: one call per file; distinct files may be read and written concurrently.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/addr/addr.h"
#include "core/base/fs.h"
#include "core/base/result.h"
#include "core/config/config.h"
#include "core/crypt/codec.h"
#include "core/plan/plan.h"
#include "planfile/schemas.h"

namespace xplan::planfile {

// The configuration as text: the files of every module of the tree.
struct ConfigFile {
  std::string name;  // file name without directory
  std::string text;
};
struct ConfigModule {
  std::string key;  // "" for the root, "a.b" for module.a.module.b
  std::string dir;  // relative to the working directory, "." for it
  std::string source, version;
  std::vector<ConfigFile> files;
};
struct ConfigSnapshot {
  std::vector<ConfigModule> modules;  // parents before children, by key
  std::string lock_file;              // text of the dependency lock file; empty: one without providers
  SavedSchemas schemas;
};
// `text_of`: what to keep instead of a file's text.
ConfigSnapshot snapshot_of(const config::Config& config,
                           const std::function<std::string(const syntax::File&)>& text_of = nullptr);

struct Opened {
  Plan plan;
  // The configuration: config::load(fs, sources, {root_dir, data_dir}, …) sees it as it was when the plan was
  // made.
  MemoryFs fs;
  std::string root_dir, data_dir;
  std::string lock_file;          // text of the dependency lock file; empty: the plan has none
  std::string terraform_version;  // of the program that made the plan
  SavedSchemas schemas;           // none in a plan of the reference
  bool of_reference = false;
};

// `schemas` tells how objects of the states are stored; types it does not know are stored by the types of
// their values. When reading, what the plan brings of its own goes before them.
Result<void> write(const std::string& path, const Plan& plan, const ConfigSnapshot& config,
                   const schema::Lookup& schemas, crypt::Codec& codec = *crypt::Codec::plain_plan());
Result<Opened> read(const std::string& path, const schema::Lookup& schemas,
                    crypt::Codec& codec = *crypt::Codec::plain_plan());
// Whether the file begins as a plan file does: a zip, or an encrypted one. States and other texts do not, nor
// do encrypted states; nor do missing files.
bool is_plan_file(const std::string& path);
// Before planning: whether a plan may be written there. Not over a file with other content, nor under a name
// that states and configurations are looked for by.
Result<void> check_destination(const std::string& path, std::string_view option);
// Likewise for a document that another option names; it replaces an older one, but no plan file.
Result<void> check_document(const std::string& path, std::string_view option);

}  // namespace xplan::planfile
