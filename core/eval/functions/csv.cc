// csvdecode: an RFC 4180 reader for records and quoted fields, and the list of objects made of them.
#include "core/eval/functions/csv.h"

#include <algorithm>

namespace xplan::eval {

namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string& error) : rest_(text), error_(error) {}

  // The next record; false at the end and after an error.
  bool next(std::vector<std::string>& fields) {
    fields.clear();
    std::string_view line;
    do {
      if (!read_line(line)) return false;
    } while (line.empty() || line == "\n");
    record_line_ = line_;
    for (;;) {
      std::string field;
      bool more = false;
      if (line.empty() || line[0] != '"') {
        size_t comma = line.find(',');
        more = comma != std::string_view::npos;
        std::string_view body = more ? line.substr(0, comma) : strip_newline(line);
        if (body.find('"') != std::string_view::npos)
          return fail("there is a quote inside a field that does not begin with one");
        field = body;
        line.remove_prefix(more ? comma + 1 : line.size());
      } else if (!quoted(line, field, more)) {
        return false;
      }
      fields.push_back(std::move(field));
      if (!more) return true;
    }
  }
  bool fail(std::string_view what) {
    error_ = "line " + std::to_string(line_) + " of the CSV string: ";
    error_ += what;
    return false;
  }
  void report_at_record() { line_ = record_line_; }

 private:
  static std::string_view strip_newline(std::string_view s) {
    if (!s.empty() && s.back() == '\n') s.remove_suffix(1);
    return s;
  }

  // A line with its line feed; CR LF arrives as LF, and a CR that ends the text is dropped.
  bool read_line(std::string_view& line) {
    if (rest_.empty()) return false;
    size_t end = std::min(rest_.find('\n'), rest_.size() - 1) + 1;
    line = rest_.substr(0, end);
    rest_.remove_prefix(end);
    line_++;
    if (line.ends_with("\r\n")) {
      buffer_.assign(line, 0, line.size() - 2);
      buffer_ += '\n';
      line = buffer_;
    } else if (rest_.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    return true;
  }

  // `line` starts with the opening quote; moves behind the field and its comma.
  bool quoted(std::string_view& line, std::string& field, bool& more) {
    line.remove_prefix(1);
    for (;;) {
      size_t quote = line.find('"');
      if (quote == std::string_view::npos) {
        field += line;
        if (!read_line(line)) return fail("a quoted field is not closed");
        continue;
      }
      field += line.substr(0, quote);
      line.remove_prefix(quote + 1);
      if (line.starts_with('"')) {
        field += '"';
        line.remove_prefix(1);
      } else if (line.starts_with(',')) {
        line.remove_prefix(1);
        more = true;
        return true;
      } else if (strip_newline(line).empty()) {
        more = false;
        return true;
      } else {
        return fail("a closing quote is followed by something other than a comma");
      }
    }
  }

  std::string_view rest_;
  std::string& error_;
  std::string buffer_;
  int line_ = 0, record_line_ = 0;
};

}  // namespace

Value decode_csv(std::string_view text, std::string& error) {
  CsvReader reader(text, error);
  std::vector<std::string> fields;
  if (!reader.next(fields)) {
    if (error.empty()) error = "the CSV string has no header line";
    return {};
  }
  std::vector<std::pair<Symbol, Type>> attrs;
  std::vector<size_t> order(fields.size());  // column → place in the object
  for (const std::string& f : fields)
    attrs.emplace_back(Symbol(Value::string(f).as_string()), Type::string());
  std::vector<std::pair<Symbol, Type>> sorted = attrs;
  std::sort(sorted.begin(), sorted.end(),
            [](auto& a, auto& b) { return SymbolTextLess()(a.first, b.first); });
  for (size_t i = 1; i < sorted.size(); i++) {
    if (sorted[i].first == sorted[i - 1].first) {
      error = "the column name \"" + std::string(sorted[i].first.sv()) + "\" occurs twice in the header line";
      return {};
    }
  }
  Type row = Type::object(std::move(sorted));
  for (size_t i = 0; i < attrs.size(); i++) order[i] = size_t(row.find_attr(attrs[i].first));

  std::vector<Value> rows;
  while (reader.next(fields)) {
    if (fields.size() != order.size()) {
      reader.report_at_record();
      reader.fail("the record has " + std::to_string(fields.size()) + " fields, the header line has " +
                  std::to_string(order.size()));
      return {};
    }
    std::vector<Value> values(fields.size());
    for (size_t i = 0; i < fields.size(); i++) values[order[i]] = Value::string(fields[i]);
    rows.push_back(Value::object(row, std::move(values)));
  }
  if (!error.empty()) return {};
  return Value::list(row, std::move(rows));
}

}  // namespace xplan::eval
