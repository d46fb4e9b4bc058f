// Values as providers send them: the first bytes make the type, the others are the value.
#include "core/value/json.h"
#include "core/value/msgpack.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

Type type_of(std::string_view& bytes, int depth) {
  if (bytes.empty() || depth == 0) return Type::dynamic();
  const unsigned b = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  auto next = [&] { return type_of(bytes, depth - 1); };
  const unsigned parts = b / 9 % 4;
  switch (b % 9) {
    case 0:
      return Type::dynamic();
    case 1:
      return Type::boolean();
    case 2:
      return Type::number();
    case 3:
      return Type::string();
    case 4:
      return Type::list(next());
    case 5:
      return Type::set(next());
    case 6:
      return Type::map(next());
    case 7: {
      std::vector<Type> elements;
      for (unsigned i = 0; i < parts; ++i) elements.push_back(next());
      return Type::tuple(elements);
    }
    default: {
      std::vector<std::pair<Symbol, Type>> attributes;
      for (unsigned i = 0; i < parts; ++i)
        attributes.emplace_back(Symbol(std::string(1, static_cast<char>('a' + i))), next());
      return Type::object(std::move(attributes));
    }
  }
}

void run(std::string_view bytes) {
  const Type declared = type_of(bytes, 6);
  Result<Value> v = decode_msgpack(bytes, declared);
  if (!v) return;
  Result<Value> again = decode_msgpack(to_msgpack(*v, declared), declared);
  must(again.ok() && again->raw_equal(*v), "what is sent comes back");
  if (!v->is_wholly_known()) return;
  Result<Value> stored = parse_json_as(to_json_as(*v, declared), declared);
  must(stored.ok() && to_json_as(*stored, declared) == to_json_as(*v, declared),
       "what is stored is read and stored alike");
}

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (const char* json : {"null", "true", "1.5", "-7", "1e300", "0.1", "\"text\"", "[]", "[1,\"a\",[true]]",
                           R"({"a":1,"b":{"c":[null]}})"}) {
    Result<Value> v = parse_json(json);
    must(v.ok(), json);
    out.push_back('\0' + to_msgpack(*v, Type::dynamic()));
  }
  const Type set = Type::set(Type::string()), map = Type::map(Type::number());
  out.push_back("\5\3" + to_msgpack(Value::unknown(set), set));
  out.push_back("\6\2" +
                to_msgpack(*parse_json_as(R"({"x":1,"y":123456789012345678901234567890})", map), map));
  out.push_back(
      "\3\xc7\x12\x0c\x82\x01\xc2\x02\xae"
      "example-prefix");  // unknown, not null, of this prefix
  return out;
}

}  // namespace

const Target msgpack = {run, seeds};

}  // namespace xplan::fuzz
