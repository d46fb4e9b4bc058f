// The table of supported encodings and both conversions, by iconv where the mapping of the C library is
// right, with the corrections where it is not (GBK, HZ, single bytes).
#include "core/eval/functions/charset.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <string>
#include <unordered_map>

#include "core/base/utf8.h"

namespace xplan::eval {

struct Charset {
  enum class Form { Utf8, Ascii, Utf16, SingleByte, MultiByte, Gbk, Hz };

  const char* name;     // preferred name
  const char* library;  // the C library's name for the mapping
  Form form;
  bool no_c1;         // 0x80 to 0x9F are not defined
  const char* names;  // all names, lower case, separated by blanks
  // Where the registered mapping and the C library's differ: {byte, code point}.
  std::array<std::pair<int, char32_t>, 2> patches = {};
};

namespace {

using Form = Charset::Form;

constexpr Charset kCharsets[] = {
    {"UTF-8", "UTF-8", Form::Utf8, false, "utf-8 csutf8"},
    {"US-ASCII", "US-ASCII", Form::Ascii, false,
     "us-ascii ansi_x3.4-1968 ansi_x3.4-1986 cp367 csascii ibm367 iso-ir-6 iso646-us iso_646.irv:1991 us"},
    {"UTF-16", "UTF-16BE", Form::Utf16, false, "utf-16 csutf16"},
    {"UTF-16BE", "UTF-16BE", Form::MultiByte, false, "utf-16be csutf16be"},
    {"UTF-16LE", "UTF-16LE", Form::MultiByte, false, "utf-16le csutf16le"},
    {"IBM037", "IBM037", Form::SingleByte, false,
     "ibm037 cp037 csibm037 ebcdic-cp-ca ebcdic-cp-nl ebcdic-cp-us ebcdic-cp-wt"},
    {"IBM437", "IBM437", Form::SingleByte, false, "ibm437 437 cp437 cspc8codepage437"},
    {"IBM850", "IBM850", Form::SingleByte, false, "ibm850 850 cp850 cspc850multilingual"},
    {"IBM852", "IBM852", Form::SingleByte, false, "ibm852 852 cp852 cspcp852"},
    {"IBM855", "IBM855", Form::SingleByte, false, "ibm855 855 cp855 csibm855"},
    {"IBM00858", "IBM858", Form::SingleByte, false,
     "ibm00858 ccsid00858 cp00858 csibm00858 pc-multilingual-850+euro"},
    {"IBM860", "IBM860", Form::SingleByte, false, "ibm860 860 cp860 csibm860"},
    {"IBM862", "IBM862", Form::SingleByte, false, "ibm862 862 cp862 cspc862latinhebrew"},
    {"IBM863", "IBM863", Form::SingleByte, false, "ibm863 863 cp863 csibm863"},
    {"IBM865", "IBM865", Form::SingleByte, false, "ibm865 865 cp865 csibm865"},
    {"IBM866", "IBM866", Form::SingleByte, false, "ibm866 866 cp866 csibm866"},
    {"IBM1047", "IBM1047", Form::SingleByte, false, "ibm1047 csibm1047 ibm-1047"},
    {"IBM01140", "IBM1140", Form::SingleByte, false,
     "ibm01140 ccsid01140 cp01140 csibm01140 ebcdic-us-37+euro"},
    {"ISO-8859-1", "ISO-8859-1", Form::SingleByte, false,
     "iso-8859-1 cp819 csisolatin1 ibm819 iso-ir-100 iso_8859-1 iso_8859-1:1987 l1 latin1"},
    {"ISO-8859-2", "ISO-8859-2", Form::SingleByte, true,
     "iso-8859-2 csisolatin2 iso-ir-101 iso_8859-2 iso_8859-2:1987 l2 latin2"},
    {"ISO-8859-3", "ISO-8859-3", Form::SingleByte, true,
     "iso-8859-3 csisolatin3 iso-ir-109 iso_8859-3 iso_8859-3:1988 l3 latin3"},
    {"ISO-8859-4", "ISO-8859-4", Form::SingleByte, true,
     "iso-8859-4 csisolatin4 iso-ir-110 iso_8859-4 iso_8859-4:1988 l4 latin4"},
    {"ISO-8859-5", "ISO-8859-5", Form::SingleByte, true,
     "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso_8859-5 iso_8859-5:1988"},
    {"ISO-8859-6", "ISO-8859-6", Form::SingleByte, true,
     "iso-8859-6 arabic asmo-708 csisolatinarabic ecma-114 iso-ir-127 iso_8859-6 iso_8859-6:1987"},
    {"ISO-8859-6-E", "ISO-8859-6", Form::SingleByte, true, "iso-8859-6-e csiso88596e iso_8859-6-e"},
    {"ISO-8859-6-I", "ISO-8859-6", Form::SingleByte, true, "iso-8859-6-i csiso88596i iso_8859-6-i"},
    {"ISO-8859-7", "ISO-8859-7", Form::SingleByte, true,
     "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7 iso_8859-7:1987"},
    {"ISO-8859-8", "ISO-8859-8", Form::SingleByte, true,
     "iso-8859-8 csisolatinhebrew hebrew iso-ir-138 iso_8859-8 iso_8859-8:1988"},
    {"ISO-8859-8-E", "ISO-8859-8", Form::SingleByte, true, "iso-8859-8-e csiso88598e iso_8859-8-e"},
    {"ISO-8859-8-I", "ISO-8859-8", Form::SingleByte, true, "iso-8859-8-i csiso88598i iso_8859-8-i"},
    {"ISO-8859-9", "ISO-8859-9", Form::SingleByte, false,
     "iso-8859-9 csisolatin5 iso-ir-148 iso_8859-9 iso_8859-9:1989 l5 latin5"},
    {"ISO-8859-10", "ISO-8859-10", Form::SingleByte, true,
     "iso-8859-10 csisolatin6 iso-ir-157 iso_8859-10:1992 l6 latin6"},
    {"ISO-8859-13", "ISO-8859-13", Form::SingleByte, true, "iso-8859-13 csiso885913"},
    {"ISO-8859-14", "ISO-8859-14", Form::SingleByte, true,
     "iso-8859-14 csiso885914 iso-celtic iso-ir-199 iso_8859-14 iso_8859-14:1998 l8 latin8"},
    {"ISO-8859-15", "ISO-8859-15", Form::SingleByte, true, "iso-8859-15 csiso885915 iso_8859-15 latin-9"},
    {"ISO-8859-16", "ISO-8859-16", Form::SingleByte, true,
     "iso-8859-16 csiso885916 iso-ir-226 iso_8859-16 iso_8859-16:2001 l10 latin10"},
    {"KOI8-R", "KOI8-R", Form::SingleByte, false, "koi8-r cskoi8r"},
    {"KOI8-U", "KOI8-U", Form::SingleByte, false, "koi8-u cskoi8u", {{{0xAE, 0x45E}, {0xBE, 0x40E}}}},
    {"macintosh",
     "MACINTOSH",
     Form::SingleByte,
     false,
     "macintosh csmacintosh mac",
     {{{0xC6, 0x2206}, {0xF0, 0xF8FF}}}},
    {"windows-874", "CP874", Form::SingleByte, false, "windows-874 cswindows874"},
    {"windows-1250", "CP1250", Form::SingleByte, false, "windows-1250 cswindows1250"},
    {"windows-1251", "CP1251", Form::SingleByte, false, "windows-1251 cswindows1251"},
    {"windows-1252", "CP1252", Form::SingleByte, false, "windows-1252 cswindows1252"},
    {"windows-1253", "CP1253", Form::SingleByte, false, "windows-1253 cswindows1253"},
    {"windows-1254", "CP1254", Form::SingleByte, false, "windows-1254 cswindows1254"},
    {"windows-1255", "CP1255", Form::SingleByte, false, "windows-1255 cswindows1255", {{{0xCA, 0x5BA}}}},
    {"windows-1256", "CP1256", Form::SingleByte, false, "windows-1256 cswindows1256"},
    {"windows-1257", "CP1257", Form::SingleByte, false, "windows-1257 cswindows1257"},
    {"windows-1258", "CP1258", Form::SingleByte, false, "windows-1258 cswindows1258"},
    {"EUC-JP", "EUC-JP-MS", Form::MultiByte, true,
     "euc-jp cseucpkdfmtjapanese extended_unix_code_packed_format_for_japanese"},
    {"ISO-2022-JP", "ISO-2022-JP", Form::MultiByte, false, "iso-2022-jp csiso2022jp"},
    {"Shift_JIS", "CP932", Form::MultiByte, false, "shift_jis csshiftjis ms_kanji"},
    {"EUC-KR", "UHC", Form::MultiByte, false, "euc-kr cseuckr"},
    {"GB18030", "GB18030", Form::MultiByte, false, "gb18030 csgb18030"},
    {"GBK", "GB18030", Form::Gbk, false, "gbk cp936 csgbk ms936 windows-936"},
    {"HZ-GB-2312", "EUC-CN", Form::Hz, false, "hz-gb-2312"},
    {"Big5", "BIG5-HKSCS", Form::MultiByte, false, "big5 csbig5"},
};

// One iconv run over the whole input; strict.
bool run_iconv(const char* to, const char* from, std::string_view in, std::string& out) {
  iconv_t cd = iconv_open(to, from);
  if (cd == iconv_t(-1)) return false;
  out.resize(in.size() * 2 + 16);
  char* src = const_cast<char*>(in.data());
  size_t src_left = in.size(), done = 0;
  bool ok = true, flushing = false;
  for (;;) {
    char* dst = out.data() + done;
    size_t dst_left = out.size() - done;
    size_t r = iconv(cd, flushing ? nullptr : &src, flushing ? nullptr : &src_left, &dst, &dst_left);
    done = out.size() - dst_left;
    if (r == size_t(-1)) {
      if (errno != E2BIG) {
        ok = false;
        break;
      }
      out.resize(out.size() * 2);
    } else if (r != 0) {  // characters were replaced by something similar
      ok = false;
      break;
    } else if (flushing) {
      break;
    } else {
      flushing = true;  // shift states and held-back combining characters
    }
  }
  iconv_close(cd);
  out.resize(ok ? done : 0);
  return ok;
}

// Byte → code point; 0xFFFFFFFF where nothing is defined.
std::array<char32_t, 256> byte_table(const Charset& c) {
  std::array<char32_t, 256> table;
  for (int b = 0; b < 256; b++) {
    char byte = char(b);
    std::string text;
    bool defined = !(c.no_c1 && b >= 0x80 && b < 0xA0) && run_iconv("UTF-8", c.library, {&byte, 1}, text);
    size_t i = 0;
    table[b] = defined && !text.empty() ? utf8_decode(text, i) : char32_t(0xFFFFFFFF);
  }
  for (auto [byte, code] : c.patches) {
    if (byte) table[byte] = code;
  }
  return table;
}

// GBK is the one- and two-byte part of GB 18030 without its private-use characters.
bool gbk_only(std::string_view gb) {
  for (size_t i = 0; i < gb.size(); i++) {
    if (uint8_t(gb[i]) < 0x80) continue;
    if (i + 1 < gb.size() && gb[i + 1] >= '0' && gb[i + 1] <= '9') return false;
    i++;
  }
  return true;
}

bool has_private_use(std::string_view utf8) {
  for (size_t i = 0; i < utf8.size();) {
    char32_t c = utf8_decode(utf8, i);
    if (c >= 0xE000 && c <= 0xF8FF) return true;
  }
  return false;
}

// HZ (RFC 1843): ~{ starts two-byte characters of GB 2312 with the high bits off, ~} ends them, ~~ is a
// tilde. At the end of the text no ~} is written.
bool encode_hz(const char* library, std::string_view utf8, std::string& out) {
  bool wide = false;
  for (size_t i = 0; i < utf8.size();) {
    size_t from = i;
    char32_t c = utf8_decode(utf8, i);
    if (c < 0x80) {
      if (wide) out += "~}", wide = false;
      out += char(c);
      if (c == '~') out += '~';
      continue;
    }
    std::string pair;
    if (!run_iconv(library, "UTF-8", utf8.substr(from, i - from), pair) || pair.size() != 2) return false;
    if (!wide) out += "~{", wide = true;
    out += char(pair[0] & 0x7F);
    out += char(pair[1] & 0x7F);
  }
  return true;
}

bool decode_hz(const char* library, std::string_view bytes, std::string& out) {
  std::string euc;
  bool wide = false;
  for (size_t i = 0; i < bytes.size(); i++) {
    uint8_t c = uint8_t(bytes[i]);
    if (c >= 0x80) return false;
    if (c == '~') {
      if (++i >= bytes.size()) return false;
      switch (bytes[i]) {
        case '{':
          wide = true;
          break;
        case '}':
          wide = false;
          break;
        case '~':
          euc += '~';
          break;
        case '\n':
          break;
        default:
          return false;
      }
    } else if (wide && c != '\n') {
      if (++i >= bytes.size()) return false;
      euc += char(c | 0x80);
      euc += char(bytes[i] | 0x80);
    } else {
      if (c == '\n') wide = false;
      euc += char(c);
    }
  }
  return run_iconv("UTF-8", library, euc, out);
}

// Bytes 0x80 to 0x9F other than the two that switch character sets in EUC.
bool has_c1(std::string_view bytes) {
  for (char c : bytes) {
    uint8_t b = uint8_t(c);
    if (b >= 0x80 && b < 0xA0 && b != 0x8E && b != 0x8F) return true;
  }
  return false;
}

bool all_ascii(std::string_view s) {
  for (char c : s) {
    if (uint8_t(c) >= 0x80) return false;
  }
  return true;
}

}  // namespace

const Charset* find_charset(std::string_view name) {
  static const std::unordered_map<std::string_view, const Charset*> index = [] {
    std::unordered_map<std::string_view, const Charset*> m;
    for (const Charset& c : kCharsets) {
      std::string_view rest = c.names;
      while (!rest.empty()) {
        size_t end = std::min(rest.find(' '), rest.size());
        m.emplace(rest.substr(0, end), &c);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    return m;
  }();
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  auto it = index.find(lower);
  return it == index.end() ? nullptr : it->second;
}

std::string_view charset_name(const Charset& c) {
  return c.name;
}

bool to_charset(const Charset& c, std::string_view utf8, std::string& out) {
  out.clear();
  switch (c.form) {
    case Form::Utf8:
      out = utf8;
      return true;
    case Form::Ascii:
      out = utf8;
      return all_ascii(utf8);
    case Form::Utf16:  // big-endian with a byte order mark
      if (!run_iconv(c.library, "UTF-8", utf8, out)) return false;
      out.insert(0, "\xFE\xFF");
      return true;
    case Form::SingleByte: {
      std::unordered_map<char32_t, char> reverse;
      std::array<char32_t, 256> table = byte_table(c);
      for (int b = 255; b >= 0; b--) reverse[table[b]] = char(b);
      for (size_t i = 0; i < utf8.size();) {
        auto it = reverse.find(utf8_decode(utf8, i));
        if (it == reverse.end()) return false;
        out += it->second;
      }
      return true;
    }
    case Form::Gbk:
      return !has_private_use(utf8) && run_iconv(c.library, "UTF-8", utf8, out) && gbk_only(out);
    case Form::Hz:
      return encode_hz(c.library, utf8, out);
    case Form::MultiByte: {
      // What does not come back as it was is only something similar.
      std::string back;
      return run_iconv(c.library, "UTF-8", utf8, out) && from_charset(c, out, back) && back == utf8;
    }
  }
  return false;
}

bool from_charset(const Charset& c, std::string_view bytes, std::string& out) {
  out.clear();
  switch (c.form) {
    case Form::Utf8:
      out = bytes;
      return utf8_valid(bytes);
    case Form::Ascii:
      out = bytes;
      return all_ascii(bytes);
    case Form::Utf16: {
      const char* library = c.library;
      if (bytes.substr(0, 2) == "\xFF\xFE") library = "UTF-16LE";
      if (bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF") bytes.remove_prefix(2);
      return run_iconv("UTF-8", library, bytes, out);
    }
    case Form::SingleByte: {
      std::array<char32_t, 256> table = byte_table(c);
      for (char byte : bytes) {
        char32_t code = table[uint8_t(byte)];
        if (code == 0xFFFFFFFF) return false;
        utf8_append(out, code);
      }
      return true;
    }
    case Form::Gbk:
      return gbk_only(bytes) && run_iconv("UTF-8", c.library, bytes, out) && !has_private_use(out);
    case Form::Hz:
      return decode_hz(c.library, bytes, out);
    case Form::MultiByte:
      return !(c.no_c1 && has_c1(bytes)) && run_iconv("UTF-8", c.library, bytes, out);
  }
  return false;
}

}  // namespace xplan::eval
