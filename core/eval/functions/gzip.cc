// The deflate compressor of base64gzip: match search, Huffman codes and block choice fixed so that the same
// input always gives the same bytes.
#include "core/eval/functions/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace xplan::eval {

namespace {

// Choices that the bytes of the result depend on.
constexpr size_t kWindow = 32768;
constexpr size_t kMinMatch = 4, kMaxMatch = 258;
constexpr size_t kLookahead = kMinMatch + kMaxMatch;  // with less than this in sight, wait for the next piece
constexpr size_t kFarMatch = 4096;                    // a match of kMinMatch is not worth a longer distance
constexpr size_t kLazy = 16, kNice = 128;
constexpr int kChain = 128;
constexpr size_t kBlockTokens = 1 << 14;
constexpr size_t kMaxStored = 65535;
constexpr int kHashBits = 17;
constexpr int kEndOfBlock = 256, kFirstLength = 257;
constexpr int kLiteralCodes = 286, kDistanceCodes = 30, kLengthCodes = 19;
constexpr std::array<uint8_t, kLengthCodes> kLengthOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                            11, 4,  12, 3, 13, 2, 14, 1, 15};

// RFC 1951: base and extra bits of a length (3 to 258) or distance (1 to 32768) code.
struct Coded {
  int code, extra_bits;
  uint32_t extra;
};

Coded length_code(uint32_t length) {
  if (length == kMaxMatch) return {kFirstLength + 28, 0, 0};
  uint32_t n = length - 3;
  if (n < 8) return {kFirstLength + int(n), 0, 0};
  int bits = 31 - __builtin_clz(n) - 2;
  return {kFirstLength + 4 * bits + int(n >> bits), bits, n & ((1u << bits) - 1)};
}

Coded distance_code(uint32_t distance) {
  uint32_t n = distance - 1;
  if (n < 4) return {int(n), 0, 0};
  int bits = 31 - __builtin_clz(n) - 1;
  return {2 * bits + int(n >> bits), bits, n & ((1u << bits) - 1)};
}

struct Token {
  uint16_t length;  // 0: a literal
  uint16_t value;   // the literal, or distance - 1
};

class BitWriter {
 public:
  void put(uint32_t value, int bits) {
    buffer_ |= uint64_t(value) << filled_;
    filled_ += bits;
    while (filled_ >= 8) {
      out += char(buffer_);
      buffer_ >>= 8;
      filled_ -= 8;
    }
  }
  // A stored block's header: type, padding to a whole byte, length and its complement.
  void stored_header(size_t length, bool last) {
    put(last, 3);
    if (filled_ > 0) put(0, 8 - filled_);
    put(uint32_t(length), 16);
    put(uint32_t(~length & 0xFFFF), 16);
  }
  std::string out;

 private:
  uint64_t buffer_ = 0;
  int filled_ = 0;
};

struct Huffman {
  std::vector<uint8_t> lengths;
  std::vector<uint16_t> codes;  // bits reversed, as they are written

  explicit Huffman(std::vector<uint8_t> l) : lengths(std::move(l)), codes(lengths.size()) {
    std::array<uint16_t, 17> next = {};
    for (uint8_t n : lengths) {
      if (n) next[n + 1]++;
    }
    for (int n = 1; n < 16; n++) next[n + 1] = uint16_t((next[n + 1] + next[n]) << 1);
    for (size_t i = 0; i < lengths.size(); i++) {
      int n = lengths[i];
      if (!n) continue;
      uint16_t code = next[n]++;
      for (int b = 0; b < n; b++) codes[i] |= (code >> b & 1) << (n - 1 - b);
    }
  }
  size_t cost(const std::vector<uint32_t>& freq) const {
    size_t bits = 0;
    for (size_t i = 0; i < freq.size(); i++) bits += size_t(freq[i]) * lengths[i];
    return bits;
  }
};

// Optimal code lengths of at most `limit` bits, by package-merge. Of equal weights a package goes before a
// symbol, and of symbols equally frequent the later one gets the shorter code.
std::vector<uint8_t> code_lengths(const std::vector<uint32_t>& freq, int limit) {
  std::vector<uint8_t> lengths(freq.size());
  std::vector<uint32_t> symbols;
  for (uint32_t i = 0; i < freq.size(); i++) {
    if (freq[i]) symbols.push_back(i);
  }
  if (symbols.size() <= 2) {
    for (uint32_t s : symbols) lengths[s] = 1;
    return lengths;
  }
  std::stable_sort(symbols.begin(), symbols.end(), [&](uint32_t a, uint32_t b) { return freq[a] < freq[b]; });
  limit = std::min(limit, int(symbols.size()) - 1);

  struct Item {
    uint64_t weight;
    bool package;
  };
  std::vector<std::vector<Item>> levels(static_cast<size_t>(limit));
  for (size_t level = 0; level < levels.size(); level++) {
    std::vector<Item>& items = levels[level];
    size_t leaf = 0, pair = 0;
    const std::vector<Item> none;
    const std::vector<Item>& below = level ? levels[level - 1] : none;
    while (leaf < symbols.size() || pair + 1 < below.size()) {
      bool has_pair = pair + 1 < below.size();
      uint64_t pair_weight = has_pair ? below[pair].weight + below[pair + 1].weight : 0;
      if (has_pair && (leaf == symbols.size() || pair_weight <= freq[symbols[leaf]])) {
        items.push_back({pair_weight, true});
        pair += 2;
      } else {
        items.push_back({freq[symbols[leaf++]], false});
      }
    }
  }
  size_t take = 2 * symbols.size() - 2;
  for (size_t level = levels.size(); level-- > 0;) {
    size_t leaves = 0;
    for (size_t i = 0; i < take; i++) leaves += !levels[level][i].package;
    for (size_t i = 0; i < leaves; i++) lengths[symbols[i]]++;
    take = 2 * (take - leaves);
  }
  return lengths;
}

const Huffman& fixed_literals() {
  static const Huffman h = [] {
    std::vector<uint8_t> l(288, 8);
    std::fill(l.begin() + 144, l.begin() + 256, 9);
    std::fill(l.begin() + 256, l.begin() + 280, 7);
    return Huffman(std::move(l));
  }();
  return h;
}
const Huffman& fixed_distances() {
  static const Huffman h(std::vector<uint8_t>(kDistanceCodes, 5));
  return h;
}

// The code lengths of a dynamic block, run-length coded.
struct LengthRun {
  uint8_t code, extra;
};
std::vector<LengthRun> run_lengths(const std::vector<uint8_t>& all) {
  std::vector<LengthRun> runs;
  for (size_t i = 0; i < all.size();) {
    uint8_t n = all[i];
    size_t count = 1;
    while (i + count < all.size() && all[i + count] == n) count++;
    i += count;
    if (n != 0) {
      runs.push_back({n, 0});
      count--;
      for (; count >= 3; count -= std::min<size_t>(count, 6))
        runs.push_back({16, uint8_t(std::min<size_t>(count, 6) - 3)});
    } else {
      for (; count >= 11; count -= std::min<size_t>(count, 138)) {
        runs.push_back({18, uint8_t(std::min<size_t>(count, 138) - 11)});
      }
      if (count >= 3) runs.push_back({17, uint8_t(count - 3)}), count = 0;
    }
    for (; count > 0; count--) runs.push_back({n, 0});
  }
  return runs;
}
int run_extra_bits(uint8_t code) {
  return code == 16 ? 2 : code == 17 ? 3 : code == 18 ? 7 : 0;
}

void write_tokens(BitWriter& w, const std::vector<Token>& tokens, const Huffman& literals,
                  const Huffman& distances) {
  for (Token t : tokens) {
    if (t.length == 0) {
      w.put(literals.codes[t.value], literals.lengths[t.value]);
      continue;
    }
    Coded l = length_code(t.length), d = distance_code(uint32_t(t.value) + 1);
    w.put(literals.codes[size_t(l.code)], literals.lengths[size_t(l.code)]);
    w.put(l.extra, l.extra_bits);
    w.put(distances.codes[size_t(d.code)], distances.lengths[size_t(d.code)]);
    w.put(d.extra, d.extra_bits);
  }
  w.put(literals.codes[kEndOfBlock], literals.lengths[kEndOfBlock]);
}

// Writes one block in the smallest of the three forms. `raw` is what the tokens stand for, if it is still at
// hand.
void write_block(BitWriter& w, const std::vector<Token>& tokens, std::string_view raw, bool raw_known) {
  std::vector<uint32_t> literal_freq(kLiteralCodes), distance_freq(kDistanceCodes);
  size_t extra_bits = 0;
  for (Token t : tokens) {
    if (t.length == 0) {
      literal_freq[t.value]++;
      continue;
    }
    Coded l = length_code(t.length), d = distance_code(uint32_t(t.value) + 1);
    literal_freq[size_t(l.code)]++;
    distance_freq[size_t(d.code)]++;
    extra_bits += size_t(l.extra_bits + d.extra_bits);
  }
  literal_freq[kEndOfBlock]++;
  auto used = [](const std::vector<uint32_t>& f) {
    size_t n = f.size();
    while (n > 0 && f[n - 1] == 0) n--;
    return n;
  };
  if (used(distance_freq) == 0) distance_freq[0] = 1;  // a dynamic block needs one distance code
  size_t literal_count = used(literal_freq), distance_count = used(distance_freq);
  Huffman literals(code_lengths(literal_freq, 15)), distances(code_lengths(distance_freq, 15));

  std::vector<uint8_t> all(literals.lengths.begin(), literals.lengths.begin() + long(literal_count));
  all.insert(all.end(), distances.lengths.begin(), distances.lengths.begin() + long(distance_count));
  std::vector<LengthRun> runs = run_lengths(all);
  std::vector<uint32_t> run_freq(kLengthCodes);
  size_t run_extra = 0;
  for (LengthRun r : runs) run_freq[r.code]++, run_extra += size_t(run_extra_bits(r.code));
  Huffman run_codes(code_lengths(run_freq, 7));
  size_t run_count = kLengthCodes;
  while (run_count > 4 && run_freq[kLengthOrder[run_count - 1]] == 0) run_count--;

  size_t fixed = 3 + fixed_literals().cost(literal_freq) + fixed_distances().cost(distance_freq) + extra_bits;
  size_t dynamic = 3 + 14 + 3 * run_count + run_codes.cost(run_freq) + run_extra +
                   literals.cost(literal_freq) + distances.cost(distance_freq) + extra_bits;
  if (raw_known && raw.size() <= kMaxStored && (raw.size() + 5) * 8 < std::min(fixed, dynamic)) {
    w.stored_header(raw.size(), false);
    w.out += raw;
    return;
  }
  if (dynamic >= fixed) {
    w.put(0b010, 3);
    write_tokens(w, tokens, fixed_literals(), fixed_distances());
    return;
  }
  w.put(0b100, 3);
  w.put(uint32_t(literal_count - 257), 5);
  w.put(uint32_t(distance_count - 1), 5);
  w.put(uint32_t(run_count - 4), 4);
  for (size_t i = 0; i < run_count; i++) w.put(run_codes.lengths[kLengthOrder[i]], 3);
  for (LengthRun r : runs) {
    w.put(run_codes.codes[r.code], run_codes.lengths[r.code]);
    w.put(r.extra, run_extra_bits(r.code));
  }
  write_tokens(w, tokens, literals, distances);
}

class Deflater {
 public:
  Deflater(std::string_view data, BitWriter& out)
      : data_(data), out_(out), head_(size_t(1) << kHashBits, kNone), previous_(kWindow, kNone) {}

  // The input is seen in pieces of two windows, as if it came through a buffer of that size: the window's
  // start moves on by one window whenever the next piece is due.
  void run() {
    size_t end = std::min(data_.size(), 2 * kWindow);
    for (;;) {
      bool last = end == data_.size();
      while (last ? at_ < end : end - at_ >= kLookahead) step(end);
      if (last) break;
      base_ += kWindow;
      end = std::min(data_.size(), base_ + 2 * kWindow);
    }
    if (pending_) tokens_.push_back({0, uint8_t(data_[at_ - 1])});
    if (!tokens_.empty()) flush(at_);
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  struct Match {
    size_t length = kMinMatch - 1, distance = 0;
  };

  size_t insert(size_t at) {
    uint32_t four = uint32_t(uint8_t(data_[at])) << 24 | uint32_t(uint8_t(data_[at + 1])) << 16 |
                    uint32_t(uint8_t(data_[at + 2])) << 8 | uint8_t(data_[at + 3]);
    size_t& head = head_[four * 0x1E35A7BDu >> (32 - kHashBits)];
    size_t before = head;
    previous_[at % kWindow] = before;
    head = at;
    return before;
  }

  Match longest(size_t candidate, size_t ahead) const {
    Match best;
    size_t most = std::min(ahead, kMaxMatch), enough = std::min(most, kNice);
    for (int tries = kChain; tries > 0; tries--) {
      if (data_[candidate + best.length] == data_[at_ + best.length]) {
        size_t n = 0;
        while (n < most && data_[candidate + n] == data_[at_ + n]) n++;
        if (n > best.length && (n > kMinMatch || at_ - candidate <= kFarMatch)) {
          best = {n, at_ - candidate};
          if (n >= enough) break;
        }
      }
      if (at_ - candidate == kWindow) break;  // its link has been overwritten
      candidate = previous_[candidate % kWindow];
      if (candidate == kNone || candidate < base_ || at_ - candidate > kWindow) break;
    }
    return best;
  }

  // Looks at one position. A match is only taken when the next position has no longer one.
  void step(size_t end) {
    size_t ahead = end - at_;
    size_t candidate = ahead >= kMinMatch ? insert(at_) : kNone;
    Match before = match_;
    match_ = {};
    bool reachable = candidate != kNone && candidate >= base_ && at_ - candidate <= kWindow;
    if (reachable && ahead > before.length && before.length < kLazy) match_ = longest(candidate, ahead);
    if (before.length >= kMinMatch && match_.length <= before.length) {
      tokens_.push_back({uint16_t(before.length), uint16_t(before.distance - 1)});
      size_t next = at_ + before.length - 1;
      for (at_++; at_ < next; at_++) {
        if (end - at_ >= kMinMatch) insert(at_);
      }
      pending_ = false;
      match_ = {};
      if (tokens_.size() == kBlockTokens) flush(at_);
      return;
    }
    if (pending_) {
      tokens_.push_back({0, uint8_t(data_[at_ - 1])});
      if (tokens_.size() == kBlockTokens) flush(at_);
    }
    at_++;
    pending_ = true;
  }

  void flush(size_t upto) {
    bool raw_known = block_start_ >= base_;
    write_block(out_, tokens_, data_.substr(block_start_, upto - block_start_), raw_known);
    block_start_ = upto;
    tokens_.clear();
  }

  std::string_view data_;
  BitWriter& out_;
  std::vector<size_t> head_, previous_;  // newest position per hash; older ones of the same hash
  std::vector<Token> tokens_;
  Match match_;  // found at the position before
  size_t at_ = 0, base_ = 0, block_start_ = 0;
  bool pending_ = false;  // the byte before at_ is not in tokens_ yet
};

void put_le32(std::string& out, uint32_t n) {
  for (int shift = 0; shift < 32; shift += 8) out += char(n >> shift);
}

}  // namespace

std::string gzip(std::string_view data) {
  BitWriter w;
  w.out.assign("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);  // no name, no time, unknown system
  Deflater(data, w).run();
  w.stored_header(0, false);
  w.stored_header(0, true);
  put_le32(w.out, uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size())));
  put_le32(w.out, uint32_t(data.size()));
  return std::move(w.out);
}

}  // namespace xplan::eval
