// Fetches an archive from a bucket, or makes a directory of the objects below a path.
#include "core/install/object_fetch.h"

#include <stdio.h>
#include <unistd.h>

#include <memory>

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/install/jobs.h"
#include "core/install/module_archive.h"
#include "core/install/object_store.h"
#include "core/install/package_dir.h"
#include "core/install/tree_writer.h"

namespace xplan::install {
namespace {

struct CloseFile {
  void operator()(FILE* f) const { ::fclose(f); }
};
using File = std::unique_ptr<FILE, CloseFile>;

Result<void> add_file(const std::string& from, const std::string& name, TreeWriter& tree) {
  const File file(::fopen(from.c_str(), "re"));
  if (!file) return Error{"the object " + in_quotes(name) + " cannot be read after its download"};
  if (Result<void> ok = tree.begin_file(name, false); !ok) return ok;
  char piece[65536];
  while (const size_t n = ::fread(piece, 1, sizeof piece, file.get()))
    if (Result<void> ok = tree.write({piece, n}); !ok) return ok;
  return tree.end_file();
}

// What is below a path: names in the bucket, and in the directory.
struct Objects {
  std::vector<std::string> keys, names;
};
Result<Objects> objects_below(ObjectStore& store, const std::string& path, const std::string& bucket,
                              const UnpackLimits& limits) {
  const std::string prefix = path + "/";
  Result<std::vector<std::string>> keys = store.list(prefix);
  if (!keys) return keys.error();
  Objects out;
  for (std::string& key : *keys) {
    if (key.ends_with('/')) continue;  // stands for a directory
    std::string name;
    if (const std::string_view why = name_problem(key.substr(prefix.size()), limits, name); !why.empty())
      return Error{"the object " + in_quotes(shown_text(key)) + " " + std::string(why)};
    if (is_of_git(name)) continue;
    out.keys.push_back(std::move(key));
    out.names.push_back(std::move(name));
  }
  if (out.keys.empty())
    return Error{"the bucket " + in_quotes(bucket) + " has no objects below " + in_quotes(prefix) +
                 ", and the path is not that of an archive"};
  if (out.keys.size() > limits.entries)
    return Error{"there are more than " + std::to_string(limits.entries) + " objects below " +
                 in_quotes(prefix)};
  return out;
}

Result<void> fetch_directory(ObjectStore& store, const config::BucketPlace& place, const std::string& work,
                             const std::string& target, Stop stop) {
  const UnpackLimits limits;
  const Result<Objects> objects = objects_below(store, place.path, place.bucket, limits);
  if (!objects) return objects.error();
  auto content = TemporaryDir::beside(target);
  if (!content) return content.error();
  TreeWriter tree(content->path(), limits.entries);
  std::atomic<int64_t> left{static_cast<int64_t>(limits.bytes)};
  std::atomic<bool> failed{false};
  Result<void> out;
  run_jobs(objects->keys.size(), [&](size_t i, const Tell& tell) {
    if (failed || stopped(stop)) return;
    const std::string file = work + "/" + std::to_string(i);
    Result<void> got = store.download(objects->keys[i], file, left);
    if (!got) failed = true;
    tell([&, file, i, got = std::move(got)]() mutable {
      if (got && out) got = add_file(file, objects->names[i], tree);
      ::unlink(file.c_str());
      if (!got && out) out = std::move(got), failed = true;
    });
  });
  if (!out) return out;
  if (stopped(stop)) return interrupted();
  return content->move_to(target);
}

}  // namespace

std::string beginning_of(const std::string& file) {
  std::string out(size_t{64} << 10, '\0');
  const File in(::fopen(file.c_str(), "re"));
  out.resize(in ? ::fread(out.data(), 1, out.size(), in.get()) : 0);
  return out;
}

Result<void> fetch_objects(const config::ModuleSource& source, const std::string& target, Stop stop) {
  const bool s3 = source.kind == config::ModuleSource::Kind::S3;
  const Result<config::BucketPlace> place = s3 ? config::s3_place(source.url) : config::gcs_place(source.url);
  if (!place) return place.error();
  Result<std::unique_ptr<ObjectStore>> store = s3 ? s3_store(source, *place, stop) : gcs_store(*place, stop);
  if (!store) return store.error();
  auto work = TemporaryDir::beside(target);
  if (!work) return work.error();
  const auto kind = archive_of(source);
  if (!kind) return fetch_directory(**store, *place, work->path(), target, stop);
  const std::string file = work->path() + "/package";
  std::atomic<int64_t> left{int64_t{2} << 30};
  if (Result<void> ok = (*store)->download(place->path, file, left); !ok) return ok;
  return place_archive(file, source, *kind, target, stop);
}

}  // namespace xplan::install
