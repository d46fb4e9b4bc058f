// Encodes the records of a journal as checksummed lines.
#include <zlib.h>

#include <cstring>

#include "core/state/instance_json.h"
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/value/json.h"

namespace xplan {
namespace {

void append_hex8(std::string& out, uint32_t n) {
  for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[n >> shift & 15];
}

void write_address(JsonWriter& w, const AbsInstance& a) {
  // In parts, because the text of an address is not always read back as the same (a type named like a
  // keyword).
  w.begin_array();
  w.string(a.module.text());
  w.string(a.resource.mode == Mode::Data        ? "data"
           : a.resource.mode == Mode::Ephemeral ? "ephemeral"
                                                : "managed");
  w.string(a.resource.type.sv());
  w.string(a.resource.name.sv());
  if (a.key.kind == InstanceKey::Kind::Int) w.integer(a.key.number);
  if (a.key.kind == InstanceKey::Kind::String) w.string(a.key.string.sv());
  w.end_array();
}

}  // namespace

std::string record_json(const JournalRecord& r, const TypeSource& types) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", journal_kind_name(r.kind));
  if (!r.addr.resource.type.empty()) {
    w.key("address");
    write_address(w, r.addr);
  }
  if (r.kind == JournalRecord::Kind::Moving) {
    w.member("command", r.command);
    w.member("lineage", r.lineage);
    w.member("serial", std::to_string(r.serial));
  }
  if (r.kind == JournalRecord::Kind::Move || r.kind == JournalRecord::Kind::Moving) {
    w.key("moves");
    w.begin_array();
    for (const auto& [from, to] : r.moves) {
      w.begin_array();
      write_address(w, from);
      write_address(w, to);
      w.end_array();
    }
    w.end_array();
  }
  if (!r.deposed.empty()) w.member("deposed", r.deposed);
  if (!r.action.empty()) w.member("action", r.action);
  if (!r.provider.provider.empty()) w.member("provider", r.provider.text());
  if (r.object) {
    w.key("instance");
    std::optional<Type> declared;
    if (r.object->value)
      declared = types.type_of(r.provider.provider, r.addr.resource.mode, r.addr.resource.type);
    InstanceWriter(0, true).write(w, {}, {}, *r.object, declared);
  }
  w.end_object();
  return w.take();
}

std::string encode_begin(const JournalBase& base, const JournalPart& part) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", "begin");
  w.member("journal", 1);
  w.member("lineage", base.lineage);
  w.member("serial", std::to_string(base.serial));
  if (base.digest) w.member("digest", std::to_string(base.digest));
  if (!base.next_lineage.empty()) w.member("next_lineage", base.next_lineage);
  if (part.number) {
    w.member("key", part.key);
    w.member("run", part.run);
    w.member("segment", std::to_string(part.number));
    w.member("after", std::to_string(part.after));
    if (!part.beats.empty()) {
      w.key("beats");
      w.begin_array();
      for (const uint64_t number : part.beats) w.string(std::to_string(number));
      w.end_array();
    }
    if (!part.locks.empty()) w.member("locks", part.locks);
    if (!part.who.empty()) w.member("who", part.who);
    if (!part.process.empty()) w.member("process", part.process);
    if (!part.time.empty()) w.member("time", part.time);
  }
  w.end_object();
  return journal_line(w.text());
}

std::string encode_record(const JournalRecord& r, const TypeSource& types) {
  return journal_line(record_json(r, types));
}

std::string encode_commit(const JournalCommit& c) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", "commit");
  w.member("lineage", c.lineage);
  w.member("serial", std::to_string(c.serial));
  w.member("digest", std::to_string(c.digest));
  if (c.records) w.member("records", std::to_string(*c.records));
  w.end_object();
  return journal_line(w.text());
}

uint32_t checksum(std::string_view s) {
  return uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(s.data()), s.size()));
}

// Eight bytes at a time, because states may be large. Only this program compares these numbers, on one
// machine.
uint64_t text_digest(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325ull ^ text.size();
  auto mix = [&](uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
  };
  while (text.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, text.data(), 8);
    mix(word);
    text.remove_prefix(8);
  }
  for (char c : text) mix(static_cast<unsigned char>(c));
  return h;
}

std::string journal_line(std::string_view json) {
  std::string out;
  out.reserve(json.size() + 20);
  append_hex8(out, static_cast<uint32_t>(json.size()));
  out += ' ';
  append_hex8(out, checksum(json));
  out += ' ';
  out += json;
  out += '\n';
  return out;
}

}  // namespace xplan
