// Numbers: text, precision, arithmetic, comparison; results recorded from the reference.
#include "core/value/number.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace xplan;

namespace {

// "12" or "0.5": as a literal; "n12": made from a machine integer; "d0.5": made from a double.
Number num(std::string_view s) {
  if (s[0] == 'n') return Number(static_cast<int64_t>(std::stoll(std::string(s.substr(1)))));
  if (s[0] == 'd') return Number::from_double(std::stod(std::string(s.substr(1))));
  Result<Number> r = Number::parse(s);
  INFO(s);
  REQUIRE(r.ok());
  return *r;
}

Number apply(char op, const Number& a, const Number& b) {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return Number::modulo(a, b);
  }
}

std::string nines(size_t n) {
  return std::string(n, '9');
}
const std::string k155 = std::string(154, '3');

}  // namespace

TEST_CASE("numbers are written as the reference console writes them") {
  struct Row {
    const char* a;
    char op;
    const char* b;
    std::string text;
  };
  const Row rows[] = {
      {"1", '/', "3",
       "0."
       "33333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"
       "333333333333333333333333333333333333333333333333333335"},
      {"2", '/', "3",
       "0."
       "66666666666666666666666666666666666666666666666666666666666666666666666666666666666666666666666666666"
       "66666666666666666666666666666666666666666666666666667"},
      {"1", '/', "7",
       "0."
       "14285714285714285714285714285714285714285714285714285714285714285714285714285714285714285714285714285"
       "714285714285714285714285714285714285714285714285714285"},
      {"1e-10", '/', "3",
       "0."
       "00000000003333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"
       "3333333333333333333333333333333333333333333333333333333333333333"},
      {"1e50", '/', "3",
       "33333333333333333333333333333333333333333333333333."
       "33333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"
       "3334"},
      {"123456789012345678901234567890", '*', "3", "370370367037037036703703703670"},
      {"123456789012345678901234567890", '/', "7", "17636684144620811271604938270"},
      {"0.1", '+', "0.2", "0.3"},
      {"0.1", '*', "3", "0.3"},
      {"1.005", '*', "100", "100.5"},
      {"10", '/', "4", "2.5"},
      {"9223372036854775807", '+', "1", "9223372036854775808"},
      {"-9223372036854775808", '-', "1", "-9223372036854775809"},
      {"-9223372036854775808", '/', "-1", "9223372036854775808"},
      {"9223372036854775807", '*', "9223372036854775807", "85070591730234615847396907784232501249"},
      {"1e1000", '/', "3", k155 + std::string(1000 - 154, '0')},
      {"1", '/', "1e300", "0." + std::string(299, '0') + "1"},
      {"1", '-', "0.9",
       "0."
       "10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
       "000000000000000000000000000000000000000000000000000003"},
      // machine integers have 64 bits
      {"n1", '/', "n3", "0.33333333333333333334"},
      {"n2", '/', "n3", "0.6666666666666666667"},
      {"n3", '/', "n7", "0.42857142857142857144"},
      {"n-1", '/', "n3", "-0.33333333333333333334"},
      {"n1", '/', "3",
       "0."
       "33333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"
       "333333333333333333333333333333333333333333333333333335"},
      {"n1", '+', "0.1", "1.1"},
      // doubles have 53, and a product keeps the bits that it needs
      {"d2", '/', "d3", "0.6666666666666666"},
      {"d9007199254740992", '+', "d1", "9007199254740992"},
      {"d1152921504606846976", '+', "d0", "1152921504606847000"},
      {"d1.4142135623730951", '*', "2", "2.828427124746190290949243717477656900882720947265625"},
      {"d1.4142135623730951", '*', "0.1", "0.14142135623730951454746218587388284504413604736328125"},
      {"d1.4142135623730951", '+', "n1", "2.4142135623730951455"},
      {"d1.4142135623730951", '/', "n3", "0.47140452079103171515"},
      // remainders: the sign of the dividend
      {"5", '%', "3", "2"},
      {"-5", '%', "3", "-2"},
      {"5", '%', "-3", "2"},
      {"-5.5", '%', "3", "-2.5"},
      {"5.5", '%', "2", "1.5"},
      {"7", '%', "2.5", "2"},
      {"-7", '%', "2.5", "-2"},
      {"7.3", '%', "-2",
       "1."
       "30000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
       "00000000000000000000000000000000000000000000000000002"},
      {"1e20", '%', "3", "1"},
      {"1e30", '%', "7", "1"},
      {"123456789012345678901234567890123456789012345678901234567890", '%', "97", "10"},
      {"0.7", '%', "0.1", "0"},
      {"1", '%', "0", "1"},
      {"-1", '%', "0", "-1"},
      {"1.5", '%', "0", "1.5"},
      {"0", '%', "0", "0"},
      {"Inf", '%', "0", "+Inf"},
      // zero has a sign, and division by it is infinite
      {"1", '/', "0", "+Inf"},
      {"-1", '/', "0", "-Inf"},
      {"0", '*', "-1", "-0"},
      {"0", '*', "-5", "-0"},
      {"0", '/', "-5", "-0"},
      {"-0", '+', "0", "0"},
      {"-0", '-', "0", "-0"},
      {"-5", '+', "5", "0"},
  };
  for (const Row& r : rows) {
    INFO(r.a << ' ' << r.op << ' ' << r.b);
    CHECK(apply(r.op, num(r.a), num(r.b)).text() == r.text);
  }
}

TEST_CASE("decimal text is read at 512 bits and written back in its shortest form") {
  struct Row {
    std::string in, out;
  };
  const Row rows[] = {
      {"0", "0"},
      {"-0", "-0"},
      {"-0.0", "-0"},
      {"1.0", "1"},
      {"100", "100"},
      {"01", "1"},
      {"+5", "5"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {"5.", "5"},
      {"1e5", "100000"},
      {"1E5", "100000"},
      {"1p5", "32"},
      {"3p-1", "1.5"},
      {"Inf", "+Inf"},
      {"-inf", "-Inf"},
      {"1e-10", "0.0000000001"},
      {"123.456e-5", "0.00123456"},
      {"1e100", "1" + std::string(100, '0')},
      {"1.5e300", "15" + std::string(299, '0')},
      {"12345678901234567890.123456789", "12345678901234567890.123456789"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854775808"},
      {"-9223372036854775808", "-9223372036854775808"},
      {nines(174), "1" + std::string(174, '0')},
  };
  for (const Row& r : rows) {
    INFO(r.in);
    CHECK(num(r.in).text() == r.out);
  }
  for (const char* bad : {"", "-", ".", "5e", "5e+", "0x10", "0b11", "0o17", " 5", "5 ", "1_000", "NaN",
                          "1e1e1", "--1", "1.2.3", "e5", "Infinity"}) {
    INFO(bad);
    CHECK_FALSE(Number::parse(bad).ok());
  }
}

TEST_CASE("the shortest text reads back to the same number") {
  uint64_t seed = 12345;
  auto random = [&] { return seed = seed * 6364136223846793005ull + 1442695040888963407ull; };
  for (int i = 0; i < 300; ++i) {
    Number a(static_cast<int64_t>(random()), false), b(static_cast<int64_t>(random() | 1), false);
    Number q = a / b * num("1e" + std::to_string(static_cast<int>(random() >> 40) % 80 - 40));
    INFO(q.text());
    bool same = (num(q.text()) <=> q) == 0;
    CHECK(same);
    double d = static_cast<double>(static_cast<int64_t>(random())) / 1e7;
    CHECK(std::stod(Number::from_double(d).text()) == d);
  }
}

TEST_CASE("formatted numbers agree with the reference's format function") {
  CHECK((num("1") / num("3")).text_fixed(3) == "0.333");
  CHECK(num("2.5").text_fixed(0) == "2");
  CHECK(num("3.5").text_fixed(0) == "4");
  CHECK(num("1e20").text_fixed(6) == "100000000000000000000.000000");
  struct Row {
    const char* n;
    char verb;
    int precision;
    const char* text;
  };
  const Row rows[] = {
      {"123456", 'e', 3, "1.235e+05"},
      {"0", 'e', 6, "0.000000e+00"},
      {"1234567", 'e', 6, "1.234567e+06"},
      {"1234567", 'g', -1, "1.234567e+06"},
      {"123456", 'g', -1, "123456"},
      {"1e30", 'g', -1, "1e+30"},
      {"0.1", 'g', -1, "0.1"},
      {"1234.5", 'g', 3, "1.23e+03"},
      {"1e21", 'g', -1, "1e+21"},
      {"0", 'g', -1, "0"},
      {"1e-7", 'G', -1, "1E-07"},
      {"0.00001", 'G', -1, "1E-05"},
      {"12345678901", 'g', 10, "1.23456789e+10"},
      {"1e10", 'g', 10, "1e+10"},
      {"100", 'g', 10, "100"},
      {"Inf", 'g', 10, "+Inf"},
  };
  for (const Row& r : rows) {
    INFO(r.n << ' ' << r.verb << ' ' << r.precision);
    CHECK(num(r.n).text_format(r.verb, r.precision) == r.text);
  }
  CHECK(num("255").text_base(16) == "ff");
  CHECK(num("-5").text_base(2) == "-101");
  CHECK(num("64").text_base(8) == "100");
  CHECK(num("0.5").text_base(10) == "0");
}

TEST_CASE("integers in other bases") {
  CHECK(Number::parse_base("ffffffffffffffffffffffffffffffff", 16)->text() ==
        "340282366920938463463374607431768211455");
  CHECK(Number::parse_base("-zz", 62)->text() == "-2205");
  CHECK(Number::parse_base("Zz", 62)->text() == "3817");
  CHECK(Number::parse_base("zz", 36)->text() == "1295");
  CHECK(Number::parse_base("ZZ", 36)->text() == "1295");
  CHECK((*Number::parse_base("zz", 36) / Number(3)).text() == "431.66666666666666666");
  for (auto [text, base] : {std::pair("", 10),
                            {"-", 10},
                            {"2", 2},
                            {"8", 8},
                            {"g", 16},
                            {"1.5", 10},
                            {" 1", 10},
                            {"1", 63},
                            {"1", 1}})
    CHECK_FALSE(Number::parse_base(text, base).ok());
}

TEST_CASE("rounding to whole numbers") {
  CHECK(num("-1.5").floor().text() == "-2");
  CHECK(num("-1.5").ceil().text() == "-1");
  CHECK(num("-0.5").ceil().text() == "0");
  CHECK(num("1.0000000000000000000001").ceil().text() == "2");
  CHECK(num("-0.0000001").floor().text() == "-1");
  CHECK(num("-1.9").truncate().text() == "-1");
  CHECK((num("7.5").floor() / Number(3)).text().size() > 100);  // keeps the precision of what was rounded
  CHECK(num("-12345678901234567890").absolute().text() == "12345678901234567890");
  CHECK(num("Inf").floor().text() == "+Inf");
  CHECK(num("5").negate().text() == "-5");
  CHECK(num("0").negate().text() == "-0");
  CHECK(Number(std::numeric_limits<int64_t>::min()).negate().text() == "9223372036854775808");
}

TEST_CASE("numbers that fit a machine integer are inline, whatever made them") {
  for (const char* n : {"5", "-3", "5.0", "1e3", "9223372036854775807", "d4"}) {
    INFO(n);
    CHECK(num(n).is_int64());
  }
  CHECK((num("0.5") + num("0.5")).is_int64());
  CHECK((num("9223372036854775808") - num("1")).is_int64());
  for (const char* n : {"0.5", "9223372036854775808", "Inf", "-0"}) CHECK_FALSE(num(n).is_int64());
  CHECK(num("-0").exact_int64() == 0);
  CHECK(num("1e30").is_integer());
  CHECK_FALSE(num("1e30").exact_int64());
  CHECK(num("0.5").fits_double_exactly());
  CHECK_FALSE(num("0.1").fits_double_exactly());
}

TEST_CASE("numbers that have the same text are equal and hash alike") {
  CHECK(Number::from_double(0.1) == num("0.1"));
  CHECK(Number::from_double(0.1).hash() == num("0.1").hash());
  CHECK(num("0.1") + num("0.2") == num("0.3"));
  CHECK(num("-0") == num("0"));
  CHECK(num("-0").hash() == num("0").hash());
  CHECK_FALSE(num("1") / num("3") == Number(1) / Number(3));
  CHECK(num("1e30") == num("10e29"));
  CHECK(num("1e30").hash() == num("10e29").hash());
  CHECK(bool(num("2") > num("1.5")));
  CHECK(bool(num("-Inf") < num("-1e300")));
}

TEST_CASE("operations without a result are told apart beforehand") {
  Number inf = num("Inf"), zero = num("0"), one = num("1");
  CHECK_FALSE(Number::add_defined(inf, inf.negate()));
  CHECK(Number::add_defined(inf, inf));
  CHECK_FALSE(Number::sub_defined(inf, inf));
  CHECK_FALSE(Number::mul_defined(zero, inf));
  CHECK_FALSE(Number::div_defined(zero, zero));
  CHECK_FALSE(Number::div_defined(inf, inf));
  CHECK(Number::div_defined(one, zero));
  CHECK_FALSE(Number::modulo_defined(inf, one));
  CHECK_FALSE(Number::modulo_defined(one, inf));
  CHECK(Number::modulo_defined(inf, zero));
}

TEST_CASE("an integer of any length that is allowed is written with all its digits") {
  std::mt19937 random(9);
  for (size_t length : {1, 15, 16, 17, 19, 20, 153, 154, 155, 156, 200, 1000, 99960}) {
    std::string digits(1, static_cast<char>('1' + random() % 9));
    while (digits.size() < length) digits += static_cast<char>('0' + random() % 10);
    for (size_t zeros : {0, 1, 40}) {
      const std::string text = digits + std::string(zeros, '0');
      CHECK(Number::parse_base(text, 10)->text() == text);
      CHECK(Number::parse_base("-" + text, 10)->text() == "-" + text);
    }
  }
  for (size_t length : {100002, 500000}) {
    const std::string text(length, '7');
    REQUIRE_FALSE(Number::parse_base(text, 10));
    CHECK(Number::parse_base(text, 10).error().message == kTooManyDigits);
    CHECK(Number::parse(text).error().message == kTooManyDigits);
  }
}
