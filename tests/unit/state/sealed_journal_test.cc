// Sealed journals: what is opened is what was written, and whatever was done to the lines is noticed.
#include "core/state/sealed_journal.h"

#include "core/state/journal_line.h"
#include "tests/unit/state/store_support.h"
#include "tests/unit/state/test_codec.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

using Lines = std::vector<std::string>;

const JournalBase kBase{"lineage-a", 4};

Lines plain_lines() {
  Lines out{encode_begin(kBase)};
  for (const char* name : {"t.a", "t.b", "t.c"})
    out.push_back(
        encode_record(record(Kind_::Result, name, object(std::string("secret of ") + name)), no_types));
  return out;
}
Lines split(const std::string& text) {
  Lines out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}
std::string joined(const Lines& lines) {
  std::string out;
  for (const std::string& l : lines) out += l;
  return out;
}
Lines sealed(crypt::Codec& c, const Lines& lines = plain_lines()) {
  const auto text = seal_lines(c, lines);
  REQUIRE(text);
  return split(*text);
}

// "3 records", with ", damaged"; or the error.
std::string told(crypt::Codec& c, const Lines& lines) {
  auto text = open_journal(std::make_shared<const std::string>(joined(lines)), c);
  if (!text) return text.error().message;
  auto j = read_journal(*text);
  if (!j) return j.error().message;
  if (j->empty) return "empty";
  return std::to_string(j->records.size()) + " records" + (j->damaged ? ", damaged" : "");
}

class Counting : public crypt::Codec {
 public:
  explicit Counting(crypt::Codec& of) : of_(of) {}
  bool encrypts() const override { return of_.encrypts(); }
  Result<void> prepare() override { return of_.prepare(); }
  Result<std::string> encrypt(std::string_view bytes) override { return of_.encrypt(bytes); }
  Result<crypt::Decrypted> decrypt(std::string bytes) override { return of_.decrypt(std::move(bytes)); }
  Result<void> accepts_plain() const override { return of_.accepts_plain(); }
  Result<std::unique_ptr<crypt::RecordWriter>> write_records() override { return of_.write_records(); }
  Result<crypt::RecordReader> read_records(std::string_view header) override {
    return ++opened, of_.read_records(header);
  }
  int opened = 0;

 private:
  crypt::Codec& of_;
};

}  // namespace

TEST_CASE("sealed journal: what is opened is what was written") {
  const auto c = codec("a");
  const Lines lines = sealed(*c);
  REQUIRE(lines.size() == 5);
  CHECK(crypt::is_record_header(lines[0]));
  CHECK(joined(lines).find("secret") == std::string::npos);
  CHECK(joined(lines).find("lineage") == std::string::npos);
  const auto text = open_journal(std::make_shared<const std::string>(joined(lines)), *codec("ba"));
  REQUIRE(text);
  CHECK(**text == joined(plain_lines()));
  // The header again, as segments have it.
  Lines segments = lines;
  segments.insert(segments.begin() + 3, lines[0]);
  CHECK(told(*c, segments) == "3 records");
}

TEST_CASE("sealed journal: whatever was done to the lines is noticed") {
  const auto c = codec("a");
  const Lines s = sealed(*c), other = sealed(*c);
  auto flipped = [](std::string line) {
    line[line.size() / 2] = line[line.size() / 2] == 'A' ? 'B' : 'A';
    return line;
  };
  const std::string order = "its lines are not in the order in which they were written: it was changed since";
  const struct {
    const char* what;
    Lines lines;
    std::string told;
  } rows[] = {
      {"whole", s, "3 records"},
      {"the last is not there yet", {s[0], s[1], s[2], s[3]}, "2 records"},
      {"the last is torn", {s[0], s[1], s[2], s[3].substr(0, 20)}, "1 records"},
      {"the last lacks its end", {s[0], s[1], s[2], s[3].substr(0, s[3].size() - 1)}, "1 records"},
      {"torn, then another run's commit",
       {s[0], s[1], s[2], s[3].substr(0, 20) + "\n", joined(sealed(*c, {encode_commit({"l", 5, 1})}))},
       "1 records, damaged"},
      {"only a part of the header", {s[0].substr(0, 40)}, "empty"},
      {"only the header", {s[0]}, "empty"},
      {"the first is torn", {s[0], s[1].substr(0, 30)}, "empty"},
      {"zeros behind the header", {s[0], std::string(40, '\0')}, "empty"},
      {"one changed", {s[0], s[1], flipped(s[2]), s[3], s[4]}, "2 records, damaged"},
      {"one dropped", {s[0], s[1], s[3], s[4]}, "2 records, damaged"},
      {"the first dropped",
       {s[0], s[2], s[3], s[4]},
       "its first record, which names the state it belongs to, is damaged"},
      {"two in another order", {s[0], s[1], s[3], s[2], s[4]}, order},
      {"one twice", {s[0], s[1], s[2], s[2], s[3], s[4]}, order},
      {"lines again behind the header in another form",
       {s[0], s[1], s[2], "{\"meta\": " + s[0].substr(8), s[2]},
       order},
      {"lines again behind another journal", {s[0], s[1], s[2], other[0], other[1], s[0], s[2]}, order},
      {"one of another journal", {s[0], s[1], other[2], s[3], s[4]}, "2 records, damaged"},
      {"lines behind another journal's header", {s[0], s[1], other[0], s[2], s[3]}, "0 records"},
      {"a line that is not encrypted",
       {s[0], s[1], plain_lines()[1]},
       "it is not encrypted (encountered unencrypted payload without unencrypted method configured), but the "
       "method at main.tf:7:5 requires encryption. To encrypt it from now on, add a fallback with a method "
       "of "
       "type \"unencrypted\" there, and remove the fallback once it is encrypted"},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    CHECK(told(*c, row.lines) == row.told);
  }
}

TEST_CASE("sealed journal: nothing that is not encrypted gets in, whatever it looks like") {
  const std::string refused = "it is not encrypted (encountered unencrypted payload";
  const Lines s = sealed(*codec("a")), p = plain_lines();
  // The JSON begins with a line break, so that the line ends behind its checksum.
  auto broken = [](const std::string& line) {
    return journal_line("\n" + line.substr(18, line.size() - 19));
  };
  Lines forged;
  for (const std::string& l : p) forged.push_back(broken(l));
  Lines inside = forged;
  for (std::string& l : inside) l = journal_line(" \n" + l.substr(19, l.size() - 20));
  const Lines before = {joined(forged), joined(s)}, behind = {joined(s), joined(forged)},
              between = {s[0], s[1], joined(forged), joined(s)};
  for (const char* keys : {"a", "ab"})
    for (const Lines& lines : {forged, inside, before, behind, between, Lines{joined(p), joined(s)}}) {
      INFO(joined(lines));
      CHECK(told(*codec(keys), lines).find(refused) == 0);
    }
  // Lines that nothing could take for plain: what stays of them cannot be read.
  for (const std::string& odd :
       {std::string("0000001 00000000 {}"), std::string("\t") + joined(p), "x" + joined(p)}) {
    INFO(odd);
    const std::string before_it = told(*codec("a"), {odd + "\n", joined(s)});
    CHECK((before_it == "3 records, damaged" || before_it.find(refused) == 0));
  }
  CHECK(told(*codec("a-"), forged).find("it is not a journal of an apply") == 0);
  CHECK(told(*crypt::Codec::plain(), forged).find("it is not a journal of an apply") == 0);
}

TEST_CASE("sealed journal: encrypted and plain records do not mix") {
  const std::string mixed =
      "some of its records are encrypted and others are not: it was changed since it was written";
  const Lines s = sealed(*codec("a")), p = plain_lines();
  const std::string commit = encode_commit({"lineage-a", 5, 1}),
                    sealed_commit = joined(sealed(*codec("a"), {commit}));
  CHECK(told(*codec("a-"), {joined(p), joined(s)}) == mixed);
  CHECK(told(*codec("a-"), {joined(s), joined(p)}) == mixed);
  CHECK(told(*codec("a-"), {s[0], s[1], p[1], s[2]}) == mixed);
  CHECK(told(*codec("-a"), {joined(p), joined(s)}) == mixed);
  CHECK(told(*codec("-a"), {joined(s), joined(p)}) == mixed);
  CHECK(told(*codec("a-"), {joined(s), commit}) == mixed);
  CHECK(told(*codec("-a"), {joined(p), sealed_commit}) == mixed);
  CHECK(told(*codec("a-"), {joined(p), sealed_commit}) == "3 records");
  CHECK(told(*codec("-a"), {joined(s), commit}) == "3 records");
  CHECK(told(*codec("a-"), {joined(p), sealed_commit, p[1]}) == mixed);
}

TEST_CASE("sealed journal: headers that come back") {
  const auto c = codec("a");
  const Lines a = sealed(*c), b = sealed(*c);
  const std::string order = "its lines are not in the order in which they were written: it was changed since";
  // A whole run, a segment of another with the same base, the first segments of the former again.
  CHECK(told(*c, {joined(a), b[0], b[1], b[2], a[0], a[1], a[2]}) == order);
  CHECK(told(*c, {a[0], a[1], b[0], b[1], b[2], a[0], a[2], b[0], b[3]}) == "3 records");
  // None is opened twice, and there is an end to them.
  Counting counting(*c);
  Lines many = {a[0], a[1]};
  for (int n = 0; n < 1000; ++n) many.insert(many.end(), {b[0], a[0]});
  CHECK(told(counting, many) == "0 records");
  CHECK(counting.opened == 2);
  Lines variants = {a[0], a[1]};
  for (int n = 1; n <= 1000; ++n)
    variants.push_back("{\"meta\":" + std::string(static_cast<size_t>(n), ' ') + a[0].substr(8));
  counting.opened = 0;
  CHECK(told(counting, variants) ==
        "it has more headers than runs leave: it was changed since it was written");
  CHECK(counting.opened == 64);
}

TEST_CASE("sealed journal: who reads it needs its key, or a fallback to it") {
  const Lines s = sealed(*codec("a")), plain = plain_lines();
  CHECK(told(*codec("a"), s) == "3 records");
  CHECK(told(*codec("ba"), s) == "3 records");
  CHECK(told(*codec("-a"), s) == "3 records");
  CHECK(told(*codec("b"), s).find("either the key is wrong") != std::string::npos);
  CHECK(told(*crypt::Codec::plain(), s).find("no encryption is configured") != std::string::npos);
  CHECK(told(*codec("a"), plain).find("it is not encrypted") == 0);
  CHECK(told(*codec("a-"), plain) == "3 records");
  // A journal of before, and what the first run that encrypts has added.
  Lines mixed = plain;
  for (const std::string& l : sealed(*codec("a"), {encode_commit({"lineage-a", 5, 1})})) mixed.push_back(l);
  CHECK(told(*codec("a-"), mixed) == "3 records");
  CHECK(told(*codec("-"), plain) == "3 records");
}
