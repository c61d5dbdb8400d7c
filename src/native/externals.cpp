// Two tables by symbol: functions of <math.h>, called on the host, and what the machine does itself.
#include "native/externals.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <variant>

#include "native/memory.h"

namespace heddle::native {
namespace {

template <class Float>
using UnaryCall = Float (*)(Float);
template <class Float>
using BinaryCall = Float (*)(Float, Float);
template <class Float>
using TernaryCall = Float (*)(Float, Float, Float);
template <class Float>
using WithIntCall = Float (*)(Float, int);
template <class Float>
using ToIntCall = int (*)(Float);
template <class Float>
using ToLongCall = long (*)(Float);

using MathCall =
    std::variant<UnaryCall<float>, UnaryCall<double>, UnaryCall<long double>, BinaryCall<float>, BinaryCall<double>,
                 BinaryCall<long double>, TernaryCall<float>, TernaryCall<double>, TernaryCall<long double>,
                 WithIntCall<float>, WithIntCall<double>, WithIntCall<long double>, ToIntCall<float>, ToIntCall<double>,
                 ToIntCall<long double>, ToLongCall<float>, ToLongCall<double>, ToLongCall<long double>>;
using MathTable = std::map<std::string, MathCall, std::less<>>;

// The functions of <math.h> for one type; their names end with `suffix`.
template <class Float>
void add_functions(MathTable& table, std::string_view suffix) {
  const auto add = [&](std::string_view name, MathCall call) {
    table.emplace(fmt::format("{}{}", name, suffix), call);
  };
  using F = Float;
  add("sin", UnaryCall<F>([](F x) { return std::sin(x); }));
  add("cos", UnaryCall<F>([](F x) { return std::cos(x); }));
  add("tan", UnaryCall<F>([](F x) { return std::tan(x); }));
  add("asin", UnaryCall<F>([](F x) { return std::asin(x); }));
  add("acos", UnaryCall<F>([](F x) { return std::acos(x); }));
  add("atan", UnaryCall<F>([](F x) { return std::atan(x); }));
  add("sinh", UnaryCall<F>([](F x) { return std::sinh(x); }));
  add("cosh", UnaryCall<F>([](F x) { return std::cosh(x); }));
  add("tanh", UnaryCall<F>([](F x) { return std::tanh(x); }));
  add("asinh", UnaryCall<F>([](F x) { return std::asinh(x); }));
  add("acosh", UnaryCall<F>([](F x) { return std::acosh(x); }));
  add("atanh", UnaryCall<F>([](F x) { return std::atanh(x); }));
  add("exp", UnaryCall<F>([](F x) { return std::exp(x); }));
  add("exp2", UnaryCall<F>([](F x) { return std::exp2(x); }));
  add("expm1", UnaryCall<F>([](F x) { return std::expm1(x); }));
  add("log", UnaryCall<F>([](F x) { return std::log(x); }));
  add("log2", UnaryCall<F>([](F x) { return std::log2(x); }));
  add("log10", UnaryCall<F>([](F x) { return std::log10(x); }));
  add("log1p", UnaryCall<F>([](F x) { return std::log1p(x); }));
  add("sqrt", UnaryCall<F>([](F x) { return std::sqrt(x); }));
  add("cbrt", UnaryCall<F>([](F x) { return std::cbrt(x); }));
  add("fabs", UnaryCall<F>([](F x) { return std::fabs(x); }));
  add("floor", UnaryCall<F>([](F x) { return std::floor(x); }));
  add("ceil", UnaryCall<F>([](F x) { return std::ceil(x); }));
  add("trunc", UnaryCall<F>([](F x) { return std::trunc(x); }));
  add("round", UnaryCall<F>([](F x) { return std::round(x); }));
  add("rint", UnaryCall<F>([](F x) { return std::rint(x); }));
  add("nearbyint", UnaryCall<F>([](F x) { return std::nearbyint(x); }));
  add("erf", UnaryCall<F>([](F x) { return std::erf(x); }));
  add("erfc", UnaryCall<F>([](F x) { return std::erfc(x); }));
  add("tgamma", UnaryCall<F>([](F x) { return std::tgamma(x); }));
  add("logb", UnaryCall<F>([](F x) { return std::logb(x); }));
  add("pow", BinaryCall<F>([](F x, F y) { return std::pow(x, y); }));
  add("atan2", BinaryCall<F>([](F x, F y) { return std::atan2(x, y); }));
  add("hypot", BinaryCall<F>([](F x, F y) { return std::hypot(x, y); }));
  add("cabs", BinaryCall<F>([](F x, F y) { return std::hypot(x, y); }));  // a complex number is two arguments
  add("fmod", BinaryCall<F>([](F x, F y) { return std::fmod(x, y); }));
  add("remainder", BinaryCall<F>([](F x, F y) { return std::remainder(x, y); }));
  add("fmin", BinaryCall<F>([](F x, F y) { return std::fmin(x, y); }));
  add("fmax", BinaryCall<F>([](F x, F y) { return std::fmax(x, y); }));
  add("fdim", BinaryCall<F>([](F x, F y) { return std::fdim(x, y); }));
  add("copysign", BinaryCall<F>([](F x, F y) { return std::copysign(x, y); }));
  add("nextafter", BinaryCall<F>([](F x, F y) { return std::nextafter(x, y); }));
  add("fma", TernaryCall<F>([](F x, F y, F z) { return std::fma(x, y, z); }));
  add("ldexp", WithIntCall<F>([](F x, int y) { return std::ldexp(x, y); }));
  add("scalbn", WithIntCall<F>([](F x, int y) { return std::scalbn(x, y); }));
  add("ilogb", ToIntCall<F>([](F x) { return std::ilogb(x); }));
  add("lround", ToLongCall<F>([](F x) { return std::lround(x); }));
  add("llround", ToLongCall<F>([](F x) { return std::lround(x); }));  // long long is long on 64 bits
  add("lrint", ToLongCall<F>([](F x) { return std::lrint(x); }));
  add("llrint", ToLongCall<F>([](F x) { return std::lrint(x); }));
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
      {"__heddle_me", External::Me},
      {"__heddle_only_me", External::OnlyMe},
      {"__heddle_ended", External::Ended},
      {"__heddle_joined", External::Joined},
      {"__heddle_atomic_begin", External::AtomicBegin},
      {"__heddle_atomic_end", External::AtomicEnd},
      {"__heddle_call_begin", External::CallBegin},
      {"__heddle_call_end", External::CallEnd},
      {"__heddle_client", External::Client},
      {"__heddle_result", External::Result},
      {"__heddle_await", External::Await},
      {"__heddle_await_thread", External::AwaitThread},
      {"__heddle_choose", External::Choose},
      {"__heddle_lock_word", External::LockWord},
      {"__heddle_nondet", External::Nondet},
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

std::vector<std::string> known_externals() {
  std::vector<std::string> names;
  for (const auto& [name, external] : calls_of_machine()) {
    if (!name.starts_with("__heddle_")) names.emplace_back(name);
  }
  for (const auto& [name, call] : math_table()) names.push_back(name);
  return names;
}

Wide call_mathematics(std::string_view symbol, std::span<const Wide> arguments) {
  return std::visit(
      [&]<class Result, class... Parameters>(Result (*function)(Parameters...)) {
        return call_with(function, arguments, std::index_sequence_for<Parameters...>());
      },
      math_table().find(symbol)->second);
}

}  // namespace heddle::native
