// Date and time functions: timestamp, plantimestamp, formatdate, timeadd, timecmp. Calendar arithmetic is in
// timestamps.cc.
#include <cstdio>

#include "core/eval/function.h"
#include "core/eval/functions/timestamps.h"

namespace xplan::eval {

namespace {

bool timestamp_argument(const Value& v, int at, bool lenient, Timestamp& out, CallError& error) {
  std::string why;
  if (parse_timestamp(v.as_string(), lenient, out, why)) return true;
  error = {"a timestamp must be written as in RFC 3339, such as 2024-01-31T12:00:00Z, but " + why, at};
  return false;
}

constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};
constexpr const char* kWeekdays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                     "Thursday", "Friday", "Saturday"};

std::string padded(int64_t n, size_t digits) {
  std::string s = std::to_string(n);
  return s.size() < digits ? std::string(digits - s.size(), '0') + s : s;
}

// One verb: a letter, repeated. False: no such verb, `known` then lists what the letter can be.
bool append_verb(std::string& out, char letter, size_t n, const CivilTime& c, int offset,
                 const char*& known) {
  auto number = [&](int64_t value) {
    if (n > 2) return false;
    out += padded(value, n);
    return true;
  };
  auto word = [&](std::string_view w, size_t short_form) {
    if (n != short_form && n != short_form + 1) return false;
    out += n == short_form ? w.substr(0, 3) : w;
    return true;
  };
  switch (letter) {
    case 'Y':
      known = "YY and YYYY";
      if (n != 2 && n != 4) return false;
      out += n == 2 ? padded(c.year % 100, 2) : padded(c.year, 4);
      return true;
    case 'M':
      known = "M, MM, MMM and MMMM";
      return n <= 2 ? number(c.month) : word(kMonths[c.month - 1], 3);
    case 'D':
      known = "D and DD";
      return number(c.day);
    case 'E':
      known = "EEE and EEEE";
      return word(kWeekdays[c.weekday], 3);
    case 'h':
      known = "h and hh";
      return number(c.hour);
    case 'H':
      known = "H and HH";
      return number(c.hour % 12 == 0 ? 12 : c.hour % 12);
    case 'm':
      known = "m and mm";
      return number(c.minute);
    case 's':
      known = "s and ss";
      return number(c.second);
    case 'A':
    case 'a':
      known = letter == 'A' ? "AA" : "aa";
      if (n != 2) return false;
      out += letter == 'A' ? (c.hour < 12 ? "AM" : "PM") : (c.hour < 12 ? "am" : "pm");
      return true;
    case 'Z':
      known = "Z, ZZZ, ZZZZ and ZZZZZ";
      if (n == 2 || n > 5) return false;
      if (offset == 0 && n == 1)
        out += 'Z';
      else if (offset == 0 && n == 3)
        out += "UTC";
      else
        out += offset_text(offset, n == 1 || n == 5);
      return true;
    default:
      known = nullptr;
      return false;
  }
}

Value fn_formatdate(std::span<const Value> a, const CallContext&, CallError& error) {
  Timestamp t;
  if (!timestamp_argument(a[1], 1, false, t, error)) return {};
  CivilTime c = to_civil(t);
  std::string_view f = a[0].as_string();
  std::string out;
  for (size_t i = 0; i < f.size();) {
    char ch = f[i];
    if (ch == '\'') {  // quoted text; a doubled quote is a quote, also outside
      size_t start = i++;
      if (i < f.size() && f[i] == '\'') {
        out += '\'';
        i++;
        continue;
      }
      // Text that ends in a doubled quote counts as closed: its last quote closes it.
      for (; i < f.size(); i++) {
        if (f[i] != '\'') {
          out += f[i];
        } else if (i + 1 < f.size() && f[i + 1] == '\'') {
          out += '\'';
          i++;
        } else {
          break;
        }
      }
      if (i >= f.size() && !(f.back() == '\'' && f.size() - start > 1)) {
        error = {"the format has a quote that is not closed", 0};
        return {};
      }
      i++;
    } else if ((ch | 32) >= 'a' && (ch | 32) <= 'z') {
      size_t end = f.find_first_not_of(ch, i);
      if (end == std::string_view::npos) end = f.size();
      const char* known = nullptr;
      if (!append_verb(out, ch, end - i, c, t.offset, known)) {
        std::string where =
            "the letters at byte " + std::to_string(i + 1) + " of the format are not a date verb; ";
        error = {known ? where + "the verbs with this letter are " + known
                       : where + "other text must be in single quotes",
                 0};
        return {};
      }
      i = end;
    } else {
      out += ch;
      i++;
    }
  }
  return Value::string(out);
}

Value fn_timeadd(std::span<const Value> a, const CallContext&, CallError& error) {
  Timestamp t;
  int64_t nanos = 0;
  std::string why;
  if (!timestamp_argument(a[0], 0, false, t, error)) return {};
  if (!parse_duration(a[1].as_string(), nanos, why)) {
    error = {why, 1};
    return {};
  }
  return Value::string(timestamp_text(add_nanos(t, nanos)));
}

Value fn_timecmp(std::span<const Value> a, const CallContext&, CallError& error) {
  Timestamp x, y;
  if (!timestamp_argument(a[0], 0, true, x, error) || !timestamp_argument(a[1], 1, true, y, error)) return {};
  auto order = std::pair(x.seconds, x.nanos) <=> std::pair(y.seconds, y.nanos);
  return Value::number(int64_t(order < 0 ? -1 : order > 0 ? 1 : 0));
}

Value fn_timestamp(std::span<const Value>, const CallContext& ctx, CallError&) {
  if (ctx.pure || ctx.now.empty()) return Value::unknown(Type::string(), {.not_null = true});
  return Value::string(ctx.now);
}

Value fn_plantimestamp(std::span<const Value>, const CallContext& ctx, CallError& error) {
  if (!ctx.plan_time.empty()) return Value::string(ctx.plan_time);
  if (!ctx.pure) error = {"it is available only while a plan is created or applied", -1};
  return Value::unknown(Type::string());
}

}  // namespace

void register_datetime(FunctionTable& table) {
  const Type str = Type::string();
  table.add({.name = "formatdate",
             .params = {{"format", str}, {"time", str}},
             .returns = str,
             .impl = fn_formatdate,
             .description = "A timestamp in another notation."});
  table.add({.name = "timeadd",
             .params = {{"timestamp", str}, {"duration", str}},
             .returns = str,
             .impl = fn_timeadd,
             .description = "A timestamp moved by a duration."});
  table.add({.name = "timecmp",
             .params = {{"timestamp_a", str}, {"timestamp_b", str}},
             .returns = Type::number(),
             .impl = fn_timecmp,
             .description = "-1, 0 or 1: whether the first timestamp is before, at or after the second."});
  table.add({.name = "timestamp",
             .returns = str,
             .impl = fn_timestamp,
             .description = "The current time in UTC; known only after apply."});
  table.add({.name = "plantimestamp",
             .returns = str,
             .impl = fn_plantimestamp,
             .refine_not_null = false,
             .description = "The time of the plan in UTC."});
}

}  // namespace xplan::eval
