// Histories compared with a specification of the library (check/specs): a queue, a stack, a set.
//
// Which operation of the specification a method is, its name says: push and try_push are push, containsKey is
// contains_key. Where operations have keys, the first argument is the key.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "check/check_history.h"
#include "core/model_error.h"
#include "native/history_judge.h"
#include "native/library_object.h"
#include "native/recorded_calls.h"

namespace heddle::native {
namespace {

// "tryPopFront" -> "try_pop_front"
std::string words_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0 && !out.empty() && out.back() != '_') out += '_';
    out += static_cast<char>(std::tolower(letter));
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

std::vector<std::string> candidates_of(const std::string& method) {
  std::vector<std::string> out = {method};
  std::string words = words_of(method);
  out.push_back(words);
  for (const std::string_view prefix : {"try_", "fetch_"}) {
    if (words.starts_with(prefix)) out.push_back(words.substr(prefix.size()));
  }
  if (words == "fetch_add") out.emplace_back("fetch_and_add");
  return out;
}

// How calls of a method are told to a specification.
struct Naming {
  std::string function;
  bool keyed = false;  // the first argument is the key
};

Value argument_of(std::span<const std::int32_t> arguments, const Naming& naming, ValueTable& values) {
  return value_of_arguments(naming.keyed ? arguments.subspan(1) : arguments, values);
}

Value key_of(std::span<const std::int32_t> arguments, const Naming& naming, ValueTable& values) {
  return naming.keyed ? values.integer(arguments[0]) : no_key;
}

std::optional<Naming> naming_of(const Specification& specification, const HarnessMethod& method) {
  const std::vector<std::int32_t> arguments(method.arity, 1);
  for (const std::string& function : candidates_of(method.name)) {
    for (const bool keyed : {false, true}) {
      if (keyed && method.arity == 0) continue;
      Naming naming{function, keyed};
      RecordedHistory history;
      history.invoke(history.process("thread 1"), history.name(function), key_of(arguments, naming, history.values),
                     argument_of(arguments, naming, history.values));
      if (!specification.reject(history, history.operations[0])) return naming;
    }
  }
  return std::nullopt;
}

class SpecificationJudge final : public HistoryJudge {
 public:
  SpecificationJudge(const Specification& specification, std::vector<Naming> names, const Harness& harness,
                     std::optional<std::string> initial)
      : specification_(specification), names_(std::move(names)), harness_(harness), initial_(std::move(initial)) {}

  bool linearizable(const HistoryTable& table, std::uint32_t history) override {
    const RecordedHistory calls = named(table, history);
    HistoryCheckOptions options;
    options.method = HistoryCheckOptions::Method::Wgl;
    const HistoryResult result = check_history(calls, specification_, options);
    if (result.verdict == Verdict::Error) {
      throw ModelError(fmt::format("--linearizable {}: {}", specification_.name(), result.error));
    }
    return result.verdict == Verdict::Holds;
  }
  // The specifications are total: whether a call may wait, only the class itself knows.
  std::optional<bool> may_wait(const HistoryTable&, std::uint32_t) override { return std::nullopt; }
  std::unique_ptr<ModelHistory> recorded(const HistoryTable& table, std::uint32_t history) override {
    auto out = std::make_unique<ModelHistory>();
    out->history = named(table, history);
    out->specification = std::make_unique<Borrowed>(specification_);
    return out;
  }
  std::string object() const override { return fmt::format("a {}", specification_.name()); }

 private:
  // A ModelHistory owns its specification; those of the library belong to themselves.
  class Borrowed final : public Specification {
   public:
    explicit Borrowed(const Specification& lent) : lent_(lent) {}
    std::string_view name() const override { return lent_.name(); }
    std::string_view usage() const override { return lent_.usage(); }
    std::optional<std::string> reject(const RecordedHistory& history,
                                      const RecordedOperation& operation) const override {
      return lent_.reject(history, operation);
    }
    std::vector<std::vector<std::uint32_t>> partition(const RecordedHistory& history) const override {
      return lent_.partition(history);
    }
    std::unique_ptr<heddle::Object> object(const RecordedHistory& history,
                                           std::span<const std::uint32_t> part) const override {
      return lent_.object(history, part);
    }

   private:
    const Specification& lent_;
  };

  RecordedHistory named(const HistoryTable& table, std::uint32_t history) const {
    RecordedHistory out;
    if (initial_) {
      const std::size_t first =
          out.invoke(out.process("the constructor"), out.name("write"), no_key, value_of_result(*initial_, out.values));
      out.complete(first, Outcome::Ok);
    }
    record_calls(table, history, harness_, out, [&](const ClientCall& call) {
      const Naming& naming = names_[call.method];
      return RecordedName{naming.function, key_of(call.arguments, naming, out.values),
                          argument_of(call.arguments, naming, out.values)};
    });
    return out;
  }

  const Specification& specification_;
  const std::vector<Naming> names_;  // by method
  const Harness harness_;
  const std::optional<std::string> initial_;  // what a register holds at first; none: nil
};

// A register of the library is nil at first; one of C++ holds what its constructor put there, and a read tells what.
std::optional<std::string> initial_value(const std::shared_ptr<const Image>& image, const Specification& specification,
                                         const std::vector<Naming>& names, const Harness& harness) {
  if (specification.name() != "register" && specification.name() != "cas_register") return std::nullopt;
  for (std::uint32_t m = 0; m < names.size(); ++m) {
    if (harness.methods[m].arity != 0) continue;
    const ClientCall read{m, {}};
    LibraryObject object(image, 1, {read});
    const LibraryObject::Applied applied = object.apply(object.initial(), 1, object.number_of(read));
    ValueTable values;
    if (applied.how == LibraryObject::Applied::How::Returns && value_of_result(applied.result, values) != nil) {
      return applied.result;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> methods_without(const Specification& specification, const Harness& harness) {
  std::vector<std::string> out;
  for (const HarnessMethod& method : harness.methods) {
    if (!naming_of(specification, method)) out.push_back(method.name);
  }
  return out;
}

std::shared_ptr<HistoryJudge> judge_by_specification(const std::shared_ptr<const Image>& image, const Harness& harness,
                                                     const Specification& specification) {
  std::vector<Naming> names;
  for (const HarnessMethod& method : harness.methods) names.push_back(naming_of(specification, method).value());
  std::optional<std::string> initial = initial_value(image, specification, names, harness);
  return std::make_shared<SpecificationJudge>(specification, std::move(names), harness, std::move(initial));
}

}  // namespace heddle::native
