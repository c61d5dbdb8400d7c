// Wraps a user's struct as a Specification: its states are interned bytes, and outcomes are remembered for each call.
#include "check/specs/user_specification.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <stdexcept>
#include <utility>

#include "core/transition_system.h"
#include "core/user_code.h"

namespace heddle {
namespace {

std::vector<detail::UserSpecificationInfo>& registered() {
  static std::vector<detail::UserSpecificationInfo> all;
  return all;
}

Any any_of(const ValueTable& values, Value value) {
  switch (values.kind(value)) {
    case ValueTable::Kind::Nil:
      break;
    case ValueTable::Kind::Boolean:
      return detail::to_any(values.as_boolean(value));
    case ValueTable::Kind::Integer:
      return detail::to_any(values.as_integer(value));
    case ValueTable::Kind::Text:
    case ValueTable::Kind::Keyword:
      return detail::to_any(std::string(values.as_text(value)));
    case ValueTable::Kind::List: {
      Any out{Any::Kind::List, 0, {}, {}};
      for (const Value member : values.members(value)) out.members.push_back(any_of(values, member));
      return out;
    }
  }
  return {};
}

class UserSpecification final : public Specification {
 public:
  explicit UserSpecification(detail::UserSpecificationInfo info) : info_(std::move(info)) {
    for (const detail::OperationInfo& op : info_.operations) {
      usage_ += (usage_.empty() ? "operations: " : ", ") + op.name + "/" + std::to_string(op.parameters);
    }
  }

  std::string_view name() const override { return info_.name; }
  std::string_view usage() const override { return usage_; }

  const detail::OperationInfo* find(std::string_view function) const {
    for (const detail::OperationInfo& op : info_.operations) {
      if (op.name == function) return &op;
    }
    return nullptr;
  }

  std::vector<Any> arguments(const RecordedHistory& history, const RecordedOperation& operation,
                             std::size_t parameters) const {
    std::vector<Any> out;
    if (!info_.per_key && operation.key != no_key) out.push_back(any_of(history.values, operation.key));
    const Any value = any_of(history.values, operation.argument);
    if (parameters == out.size()) return out;
    if (parameters == out.size() + 1) {
      out.push_back(value);
    } else if (value.kind == Any::Kind::List) {
      out.insert(out.end(), value.members.begin(), value.members.end());
    }
    return out;
  }

  std::optional<std::string> reject(const RecordedHistory& history, const RecordedOperation& operation) const override {
    const std::string& function = history.functions[operation.function];
    const detail::OperationInfo* op = find(function);
    if (op == nullptr) return info_.name + " has no operation '" + function + "'; it has " + usage_.substr(12);
    const std::vector<Any> given = arguments(history, operation, op->parameters);
    if (given.size() != op->parameters) {
      return info_.name + ": " + function + " takes " + std::to_string(op->parameters) +
             " values, but the history has " + history.values.json(operation.argument) +
             (operation.key == no_key ? "" : " and a key") + "; several values are a list";
    }
    if (operation.outcome == Outcome::Failed) return std::nullopt;  // it has not happened
    try {  // any object will do, because the types of the values do not depend on it
      detail::Bytes object = info_.initial;
      const auto failure = run_user_code(code(*op), [&] { op->apply(object, given); });
      if (failure && failure->kind == UserFailure::Kind::Crash) throw_crash(*op, *failure);
    } catch (const detail::DoesNotFit& e) {
      return info_.name + ": " + function + " of " + history.values.json(operation.argument) + ": " + e.expected +
             " is expected";
    } catch (const ModelError&) {
      throw;
    } catch (...) {
      return std::nullopt;  // a guard, or something that only this state rejects
    }
    return std::nullopt;
  }

  CodeName code(const detail::OperationInfo& op) const { return {"specification", info_.name, op.name}; }
  [[noreturn]] void throw_crash(const detail::OperationInfo& op, const UserFailure& failure) const {
    throw ModelError(code(op).text() + " " + failure.what);
  }

  std::vector<std::vector<std::uint32_t>> partition(const RecordedHistory& history) const override {
    if (info_.per_key) return Specification::partition(history);
    std::vector<std::vector<std::uint32_t>> whole(1);
    for (std::size_t i = 0; i < history.operations.size(); ++i) {
      if (history.operations[i].outcome != Outcome::Failed) whole[0].push_back(static_cast<std::uint32_t>(i));
    }
    if (whole[0].empty()) whole.clear();
    return whole;
  }

  std::unique_ptr<Object> object(const RecordedHistory& history, std::span<const std::uint32_t> part) const override;

  const detail::UserSpecificationInfo& info() const { return info_; }

 private:
  detail::UserSpecificationInfo info_;
  std::string usage_;
};

class UserObject final : public Object {
 public:
  UserObject(const UserSpecification& specification, const RecordedHistory& history)
      : specification_(specification), history_(history) {}

  State initial() override { return states_.intern(specification_.info().initial); }

  State apply(State state, const RecordedOperation& operation) override {
    const std::uint64_t call = call_of(operation);
    const auto [it, is_new] = outcomes_.try_emplace(call << 32 | state);
    if (is_new) it->second = run(state, operation);
    const Applied& outcome = it->second;
    if (outcome.next == impossible) return impossible;
    if (!outcome.answers || operation.outcome == Outcome::Unknown) return outcome.next;
    return answer_of(operation) == outcome.answer ? outcome.next : impossible;
  }

  StateText describe(State state) const override {
    StateText out;
    detail::put_json(*specification_.info().shape, states_.content(state), out.text);
    return out;
  }
  std::size_t bytes() const override { return states_.bytes() + outcomes_.size() * (sizeof(Applied) + 16); }

 private:
  struct Applied {
    State next = impossible;
    bool answers = false;
    std::uint32_t answer = 0;
  };

  // Calls that differ only in who made them have one number.
  std::uint32_t call_of(const RecordedOperation& op) {
    const auto words = {op.function, op.key, op.argument};
    return calls_.intern(std::span<const std::uint32_t>(words.begin(), words.size()));
  }
  std::uint32_t answer_of(const RecordedOperation& op) {
    const auto [it, is_new] = recorded_.try_emplace(op.result);
    if (is_new) it->second = number(any_of(history_.values, op.result));
    return it->second;
  }
  std::uint32_t number(const Any& any) {
    detail::Bytes bytes;
    put(any, bytes);
    return answers_.intern(bytes);
  }
  static void put(const Any& any, detail::Bytes& out) {
    out.push_back(static_cast<char>(any.kind));
    detail::encode(any.number, out);
    detail::encode(any.text, out);
    detail::put_varint(out, any.members.size());
    for (const Any& member : any.members) put(member, out);
  }

  Applied run(State state, const RecordedOperation& operation) {
    const detail::OperationInfo* op = specification_.find(history_.functions[operation.function]);
    detail::Bytes bytes(states_.content(state));
    const std::vector<Any> arguments = specification_.arguments(history_, operation, op->parameters);
    Any answer;
    std::optional<UserFailure> failure;
    try {
      failure = run_user_code(specification_.code(*op), [&] { answer = op->apply(bytes, arguments); });
      if (!failure && repeated_.wants()) {
        detail::Bytes again(states_.content(state));
        Any other;
        const auto failed = run_user_code(specification_.code(*op), [&] { other = op->apply(again, arguments); });
        if (failed || again != bytes || !(other == answer)) throw_impure(specification_.code(*op));
      }
    } catch (const detail::Rejected&) {
      return {};
    } catch (const ModelError&) {
      throw;
    } catch (const std::exception& e) {
      throw ModelError(specification_.code(*op).text() + " threw: " + one_line(e.what()));
    } catch (...) {
      throw ModelError(specification_.code(*op).text() + " threw something that is not a std::exception");
    }
    if (!failure) return {states_.intern(bytes), op->answers, number(answer)};
    if (failure->kind == UserFailure::Kind::Assertion) throw SpecificationAssertion{*failure};
    specification_.throw_crash(*op, *failure);
  }

  [[noreturn]] static void throw_impure(const CodeName& code) {
    throw ModelError(code.text() +
                     " is not a pure function: called twice with the same object and arguments, it gave two results");
  }

  const UserSpecification& specification_;
  const RecordedHistory& history_;
  RepeatedRuns repeated_;
  ContentTable states_, calls_, answers_;
  boost::unordered_flat_map<std::uint64_t, Applied> outcomes_;
  boost::unordered_flat_map<Value, std::uint32_t> recorded_;
};

std::unique_ptr<Object> UserSpecification::object(const RecordedHistory& history,
                                                  std::span<const std::uint32_t> part) const {
  static_cast<void>(part);
  return std::make_unique<UserObject>(*this, history);
}

}  // namespace

namespace detail {
void register_specification(UserSpecificationInfo info) { registered().push_back(std::move(info)); }
}  // namespace detail

std::unique_ptr<Specification> make_user_specification(detail::UserSpecificationInfo info) {
  return std::make_unique<UserSpecification>(std::move(info));
}

std::vector<detail::UserSpecificationInfo> take_registered_specifications() { return std::exchange(registered(), {}); }

}  // namespace heddle
