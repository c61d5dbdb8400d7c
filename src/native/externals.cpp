#include "native/externals.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <variant>

#include "native/memory.h"

namespace heddle::native {
namespace {

template <class Float>
using Unary = Float (*)(Float);
template <class Float>
using Binary = Float (*)(Float, Float);
template <class Float>
using Ternary = Float (*)(Float, Float, Float);
template <class Float>
using WithInt = Float (*)(Float, int);
template <class Float>
using ToInt = int (*)(Float);
template <class Float>
using ToLong = long (*)(Float);

using MathCall = std::variant<Unary<float>, Unary<double>, Unary<long double>, Binary<float>, Binary<double>,
                              Binary<long double>, Ternary<float>, Ternary<double>, Ternary<long double>,
                              WithInt<float>, WithInt<double>, WithInt<long double>, ToInt<float>, ToInt<double>,
                              ToInt<long double>, ToLong<float>, ToLong<double>, ToLong<long double>>;
using MathTable = std::map<std::string, MathCall, std::less<>>;

// The functions of <math.h> for one type; their names end with `suffix`.
template <class Float>
void add_functions(MathTable& table, std::string_view suffix) {
  const auto add = [&](std::string_view name, MathCall call) {
    table.emplace(fmt::format("{}{}", name, suffix), call);
  };
  using F = Float;
  add("sin", Unary<F>([](F x) { return std::sin(x); }));
  add("cos", Unary<F>([](F x) { return std::cos(x); }));
  add("tan", Unary<F>([](F x) { return std::tan(x); }));
  add("asin", Unary<F>([](F x) { return std::asin(x); }));
  add("acos", Unary<F>([](F x) { return std::acos(x); }));
  add("atan", Unary<F>([](F x) { return std::atan(x); }));
  add("sinh", Unary<F>([](F x) { return std::sinh(x); }));
  add("cosh", Unary<F>([](F x) { return std::cosh(x); }));
  add("tanh", Unary<F>([](F x) { return std::tanh(x); }));
  add("asinh", Unary<F>([](F x) { return std::asinh(x); }));
  add("acosh", Unary<F>([](F x) { return std::acosh(x); }));
  add("atanh", Unary<F>([](F x) { return std::atanh(x); }));
  add("exp", Unary<F>([](F x) { return std::exp(x); }));
  add("exp2", Unary<F>([](F x) { return std::exp2(x); }));
  add("expm1", Unary<F>([](F x) { return std::expm1(x); }));
  add("log", Unary<F>([](F x) { return std::log(x); }));
  add("log2", Unary<F>([](F x) { return std::log2(x); }));
  add("log10", Unary<F>([](F x) { return std::log10(x); }));
  add("log1p", Unary<F>([](F x) { return std::log1p(x); }));
  add("sqrt", Unary<F>([](F x) { return std::sqrt(x); }));
  add("cbrt", Unary<F>([](F x) { return std::cbrt(x); }));
  add("fabs", Unary<F>([](F x) { return std::fabs(x); }));
  add("floor", Unary<F>([](F x) { return std::floor(x); }));
  add("ceil", Unary<F>([](F x) { return std::ceil(x); }));
  add("trunc", Unary<F>([](F x) { return std::trunc(x); }));
  add("round", Unary<F>([](F x) { return std::round(x); }));
  add("rint", Unary<F>([](F x) { return std::rint(x); }));
  add("nearbyint", Unary<F>([](F x) { return std::nearbyint(x); }));
  add("erf", Unary<F>([](F x) { return std::erf(x); }));
  add("erfc", Unary<F>([](F x) { return std::erfc(x); }));
  add("tgamma", Unary<F>([](F x) { return std::tgamma(x); }));
  add("logb", Unary<F>([](F x) { return std::logb(x); }));
  add("pow", Binary<F>([](F x, F y) { return std::pow(x, y); }));
  add("atan2", Binary<F>([](F x, F y) { return std::atan2(x, y); }));
  add("hypot", Binary<F>([](F x, F y) { return std::hypot(x, y); }));
  add("fmod", Binary<F>([](F x, F y) { return std::fmod(x, y); }));
  add("remainder", Binary<F>([](F x, F y) { return std::remainder(x, y); }));
  add("fmin", Binary<F>([](F x, F y) { return std::fmin(x, y); }));
  add("fmax", Binary<F>([](F x, F y) { return std::fmax(x, y); }));
  add("fdim", Binary<F>([](F x, F y) { return std::fdim(x, y); }));
  add("copysign", Binary<F>([](F x, F y) { return std::copysign(x, y); }));
  add("nextafter", Binary<F>([](F x, F y) { return std::nextafter(x, y); }));
  add("fma", Ternary<F>([](F x, F y, F z) { return std::fma(x, y, z); }));
  add("ldexp", WithInt<F>([](F x, int y) { return std::ldexp(x, y); }));
  add("scalbn", WithInt<F>([](F x, int y) { return std::scalbn(x, y); }));
  add("ilogb", ToInt<F>([](F x) { return std::ilogb(x); }));
  add("lround", ToLong<F>([](F x) { return std::lround(x); }));
  add("llround", ToLong<F>([](F x) { return std::lround(x); }));  // long long is long on 64 bits
  add("lrint", ToLong<F>([](F x) { return std::lrint(x); }));
  add("llrint", ToLong<F>([](F x) { return std::lrint(x); }));
}

const MathTable& math_table() {
  static const MathTable table = [] {
    MathTable made;
    add_functions<float>(made, "f");
    add_functions<double>(made, "");
    if (has_extended) add_functions<long double>(made, "l");
    return made;
  }();
  return table;
}

const std::map<std::string_view, External>& calls_of_machine() {
  static const std::map<std::string_view, External> table = {
      {"__heddle_alloc", External::Alloc},
      {"__heddle_free", External::Free},
      {"__heddle_size", External::Size},
      {"__heddle_spawn", External::Spawn},
      {"__heddle_self", External::Self},
      {"__heddle_ended", External::Ended},
      {"__heddle_joined", External::Joined},
      {"__heddle_atomic_begin", External::AtomicBegin},
      {"__heddle_atomic_end", External::AtomicEnd},
      {"__heddle_call_begin", External::CallBegin},
      {"__heddle_call_end", External::CallEnd},
      {"__heddle_client", External::Client},
      {"__heddle_result", External::Result},
      {"__heddle_await", External::Await},
      {"__heddle_choose", External::Choose},
      {"__heddle_error", External::Error},
      {"__heddle_print", External::Print},
      {"__heddle_exit", External::Exit},
      {"__heddle_end", External::End},
      {"__heddle_yield", External::Yield},
      {"printf", External::Printf},
      {"fprintf", External::Fprintf},
      {"dprintf", External::Fprintf},
      {"snprintf", External::Snprintf},
      {"sprintf", External::Sprintf},
  };
  return table;
}

template <class T>
T argument_as(Wide bits) {
  if constexpr (std::is_floating_point_v<T>) return float_of<T>(bits);
  return static_cast<T>(static_cast<std::uint64_t>(bits));
}

template <class T>
Wide result_as(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return bits_of<T>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <class Result, class... Parameters, std::size_t... I>
Wide call_with(Result (*function)(Parameters...), std::span<const Wide> arguments, std::index_sequence<I...>) {
  if (arguments.size() < sizeof...(Parameters)) throw Fault{Failure::Unsupported, "a call with too few arguments"};
  return result_as<Result>(function(argument_as<Parameters>(arguments[I])...));
}

}  // namespace

External external_of(std::string_view symbol) {
  const auto& calls = calls_of_machine();
  if (const auto found = calls.find(symbol); found != calls.end()) return found->second;
  return math_table().contains(symbol) ? External::Mathematics : External::Unknown;
}

Wide call_mathematics(std::string_view symbol, std::span<const Wide> arguments) {
  return std::visit(
      [&]<class Result, class... Parameters>(Result (*function)(Parameters...)) {
        return call_with(function, arguments, std::index_sequence_for<Parameters...>());
      },
      math_table().find(symbol)->second);
}

}  // namespace heddle::native
