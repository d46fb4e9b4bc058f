// Values and types as the console prints them. The form is that of the language's own console, which people
// paste back into configurations, so it is kept to the letter.
#include "core/base/quote.h"
#include "core/eval/eval.h"

namespace xplan::eval {

namespace {

// In messages about types: "list of string".
std::string type_phrase(Type t) {
  if (t.is_dynamic()) return "dynamic";
  if (!t.is_collection()) return t.friendly_name();
  return (t.is_list() ? "list of " : t.is_set() ? "set of " : "map of ") + type_phrase(t.element());
}

void new_line(std::string& out, int indent) {
  out += '\n';
  out.append(static_cast<size_t>(indent), ' ');
}

void write_type(std::string& out, Type t, int indent) {
  switch (t.kind()) {
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map: {
      out += t.is_list() ? "list(" : t.is_set() ? "set(" : "map(";
      bool tall = t.element().is_structural();
      if (tall) new_line(out, indent + 4);
      write_type(out, t.element(), tall ? indent + 4 : indent);
      if (tall) out += ',', new_line(out, indent);
      out += ')';
      return;
    }
    case TypeKind::Tuple:
      out += "tuple([";
      for (Type element : t.elements()) {
        new_line(out, indent + 4);
        write_type(out, element, indent + 4);
        out += ',';
      }
      if (!t.elements().empty()) new_line(out, indent);
      out += "])";
      return;
    case TypeKind::Object: {
      out += "object({";
      auto names = t.attr_names();
      for (size_t i = 0; i < names.size(); ++i) {
        new_line(out, indent + 4);
        out += names[i].sv();
        out += ": ";
        write_type(out, t.elements()[i], indent + 4);
        out += ',';
      }
      if (!names.empty()) new_line(out, indent);
      out += "})";
      return;
    }
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
    case TypeKind::Capsule:
      out += type_phrase(t);
  }
}

bool has_line(std::string_view text, std::string_view line) {
  for (size_t from = 0;;) {
    size_t end = text.find('\n', from);
    std::string_view part = text.substr(from, end == std::string_view::npos ? end : end - from);
    size_t first = part.find_first_not_of(" \t");
    if (first != std::string_view::npos && part.substr(first) == line) return true;
    if (end == std::string_view::npos) return false;
    from = end + 1;
  }
}

void write_text(std::string& out, std::string_view s, int indent) {
  if (s.find('\n') == std::string_view::npos) return append_quoted(out, s, Quoting::Debug);
  std::string mark = "EOT";
  while (has_line(s, mark)) mark += '_';
  out += indent > 0 ? "<<-" : "<<";
  out += mark;
  for (size_t from = 0;;) {
    size_t end = s.find('\n', from);
    new_line(out, indent);
    out += s.substr(from, end == std::string_view::npos ? end : end - from);
    if (end == std::string_view::npos) break;
    from = end + 1;
  }
  new_line(out, indent);
  out += mark;
}

void write_null(std::string& out, Type t) {
  switch (t.kind()) {
    case TypeKind::Dynamic:
      out += "null";
      return;
    case TypeKind::Bool:
      out += "tobool(null)";
      return;
    case TypeKind::Number:
      out += "tonumber(null)";
      return;
    case TypeKind::String:
      out += "tostring(null)";
      return;
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
      out += t.is_list() ? "tolist" : t.is_set() ? "toset" : "tomap";
      out += "(null) /* of " + type_phrase(t.element()) + " */";
      return;
    case TypeKind::Tuple:
    case TypeKind::Object:
    case TypeKind::Capsule:
      out += "null /* " + type_phrase(t) + " */";
      return;
  }
}

std::string number_text(const Number& n) {
  if (n.is_infinite()) return n.sign() < 0 ? "-Inf" : "+Inf";
  return n.text();
}

void write(std::string& out, const Value& v, int indent) {
  if (v.is_unknown()) {
    out += "(known after apply)";
    return;
  }
  if (v.has_mark(kSensitive)) {
    out += "(sensitive value)";
    return;
  }
  if (v.has_mark(kEphemeral)) {
    out += "(ephemeral value)";
    return;
  }
  switch (v.kind()) {
    case Kind::Null:
      return write_null(out, v.type());
    case Kind::Bool:
      out += v.as_bool() ? "true" : "false";
      return;
    case Kind::Int:
    case Kind::Num:
      out += number_text(v.as_number());
      return;
    case Kind::Str:
      return write_text(out, v.as_string(), indent);
    case Kind::TypeVal:
      return write_type(out, v.as_type(), indent);
    case Kind::Seq:
    case Kind::Set: {
      bool wrapped = !v.type().is_tuple();
      if (wrapped) out += v.kind() == Kind::Set ? "toset(" : "tolist(";
      out += '[';
      for (const Value& element : v.elements()) {
        new_line(out, indent + 2);
        write(out, element, indent + 2);
        out += ',';
      }
      if (v.length() > 0) new_line(out, indent);
      out += wrapped ? "])" : "]";
      return;
    }
    case Kind::Map:
    case Kind::Obj: {
      bool map = v.kind() == Kind::Map;
      out += map ? "tomap({" : "{";
      auto elements = v.elements();
      for (size_t i = 0; i < elements.size(); ++i) {
        new_line(out, indent + 2);
        write_text(out, map ? v.map_key(i) : v.type().attr_names()[i].sv(), indent + 2);
        out += " = ";
        write(out, elements[i], indent + 2);
      }
      if (!elements.empty()) new_line(out, indent);
      out += map ? "})" : "}";
      return;
    }
    case Kind::Unknown:
      return;
  }
}

}  // namespace

std::string console_text(const Value& v) {
  std::string out;
  write(out, v, 0);
  return out;
}

}  // namespace xplan::eval
