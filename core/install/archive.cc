// Unpacks and hashes archives: files first and symbolic links last, so that nothing is written through a
// link. Entries are checked in archive_reader.cc, link targets in archive_links.cc, paths in tree_writer.cc.
#include "core/install/archive.h"

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/install/archive_links.h"
#include "core/install/tree_writer.h"

namespace xplan::install {
namespace {

using Type = ArchiveEntry::Type;

constexpr std::pair<std::string_view, ArchiveKind> kEndings[] = {
    {"zip", ArchiveKind::Zip},          {"tar", ArchiveKind::Tar},         {"tar.gz", ArchiveKind::TarGzip},
    {"tgz", ArchiveKind::TarGzip},      {"tar.xz", ArchiveKind::TarXz},    {"txz", ArchiveKind::TarXz},
    {"tar.bz2", ArchiveKind::TarBzip2}, {"tbz2", ArchiveKind::TarBzip2},   {"tar.bz", ArchiveKind::TarBzip2},
    {"tbz", ArchiveKind::TarBzip2},     {"tar.zst", ArchiveKind::TarZstd}, {"tzst", ArchiveKind::TarZstd},
};

Error links_refused(const std::string& name) {
  return refused_entry(name, "is a link, which provider packages must not contain");
}

Result<void> copy_file(ArchiveReader& in, const ArchiveEntry& e, TreeWriter& out) {
  if (Result<void> ok = out.begin_file(e.name, (e.mode & 0111) != 0); !ok) return ok;
  for (;;) {
    Result<std::string_view> piece = in.data();
    if (!piece) return piece.error();
    if (piece->empty()) return out.end_file();
    if (Result<void> ok = out.write(*piece); !ok) return ok;
  }
}

// After all files, so that none is written through one.
Result<void> make_links(const ArchiveLinks& links, TreeWriter& out) {
  for (const auto& [name, target] : links.all()) {
    Result<std::string> end = links.end_of(name);
    if (!end) return end.error();
    if (!out.exists(*end)) continue;
    if (Result<void> ok = out.symbolic_link(name, target); !ok) return ok;
  }
  return {};
}

// Before anything is written: removing again what was written of too much takes longer than writing it. A zip
// has a directory, which is looked at when it is opened.
Result<void> read_through(const std::string& archive, ArchiveKind kind, Stop stop,
                          const UnpackLimits& limits) {
  ArchiveReader in(archive, kind, limits, stop);
  ArchiveEntry e;
  for (;;) {
    Result<bool> more = in.next(e);
    if (!more) return more.error();
    if (!*more) return {};
    for (bool data = e.type == Type::File; data;) {
      Result<std::string_view> piece = in.data();
      if (!piece) return piece.error();
      data = !piece->empty();
    }
  }
}

}  // namespace

std::optional<ArchiveKind> archive_kind(std::string_view name) {
  for (const auto& [ending, kind] : kEndings)
    if (name.ends_with(ending) && (name == ending || name[name.size() - ending.size() - 1] == '.'))
      return kind;
  return std::nullopt;
}

Result<void> unpack(const std::string& archive, ArchiveKind kind, ArchiveLinksMay may, const std::string& dir,
                    Stop stop, const UnpackLimits& limits) {
  if (kind != ArchiveKind::Zip)
    if (Result<void> ok = read_through(archive, kind, stop, limits); !ok) return ok;
  ArchiveReader in(archive, kind, limits, stop);
  TreeWriter out(dir, limits.entries);
  ArchiveLinks links;
  ArchiveEntry e;
  for (;;) {
    Result<bool> more = in.next(e);
    if (!more) return more.error();
    if (!*more) return make_links(links, out);
    if (may == ArchiveLinksMay::StayInside && is_of_git(e.name)) continue;
    const bool is_link = e.type == Type::HardLink || e.type == Type::SymbolicLink;
    if (is_link && may == ArchiveLinksMay::NotBe) return links_refused(e.name);
    Result<void> ok;
    switch (e.type) {
      case Type::File:
        ok = copy_file(in, e, out);
        break;
      case Type::Directory:
        ok = out.directory(e.name);
        break;
      case Type::HardLink:
        ok = out.hard_link(e.name, e.target);
        break;
      case Type::SymbolicLink:
        ok = links.add(e.name, e.target);
        break;
    }
    if (!ok) return ok;
  }
}

Result<std::map<std::string, std::string>> hash_files_in(const std::string& archive, Stop stop,
                                                         const UnpackLimits& limits) {
  std::map<std::string, std::string> out;
  ArchiveReader in(archive, ArchiveKind::Zip, limits, stop);
  ArchiveEntry e;
  for (;;) {
    Result<bool> more = in.next(e);
    if (!more) return more.error();
    if (!*more) return out;
    if (e.type == Type::Directory) continue;
    if (e.type != Type::File) return links_refused(e.name);
    DigestStream hash;
    for (;;) {
      Result<std::string_view> piece = in.data();
      if (!piece) return piece.error();
      if (piece->empty()) break;
      hash.update(*piece);
    }
    if (!out.emplace(e.name, hex_encode(hash.finish())).second)
      return refused_entry(e.name, "occurs more than once");
  }
}

}  // namespace xplan::install
