// Histories compared with the class itself (library_object.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "native/history_judge.h"
#include "native/library_object.h"
#include "native/recorded_calls.h"

namespace heddle::native {
namespace {

constexpr std::string_view waits_text = "\nwaits", fails_text = "\nfails";  // no result has such a text

class LibrarySpecification final : public Specification {
 public:
  LibrarySpecification(std::shared_ptr<LibraryObject> object, const Harness& harness)
      : object_(std::move(object)), harness_(harness) {}

  std::string_view name() const override { return "object"; }
  std::string_view usage() const override { return ""; }
  std::optional<std::string> reject(const RecordedHistory&, const RecordedOperation&) const override {
    return std::nullopt;
  }
  std::unique_ptr<heddle::Object> object(const RecordedHistory& history, std::span<const std::uint32_t>) const override;

 private:
  friend class RecordedObject;
  const std::shared_ptr<LibraryObject> object_;
  const Harness harness_;
};

class RecordedObject final : public heddle::Object {
 public:
  RecordedObject(const LibrarySpecification& specification, const RecordedHistory& history)
      : specification_(specification), history_(history) {}

  State initial() override { return specification_.object_->initial() + 1; }
  State apply(State state, const RecordedOperation& operation) override {
    LibraryObject& object = *specification_.object_;
    const std::uint32_t call = object.number_of(recorded_call(history_, operation, specification_.harness_));
    const auto applied = object.apply(state - 1, recorded_thread(history_, operation), call);
    if (applied.how != LibraryObject::Applied::How::Returns) return impossible;
    if (operation.outcome == Outcome::Ok &&
        values_.json(value_of_result(applied.result, values_)) != history_.values.json(operation.result)) {
      return impossible;
    }
    return applied.next + 1;
  }
  // The object is memory of a program, which says nothing to a person.
  StateText describe(State) const override { return {}; }

 private:
  const LibrarySpecification& specification_;
  const RecordedHistory& history_;
  ValueTable values_;
};

std::unique_ptr<heddle::Object> LibrarySpecification::object(const RecordedHistory& history,
                                                             std::span<const std::uint32_t>) const {
  return std::make_unique<RecordedObject>(*this, history);
}

class LibraryJudge final : public HistoryJudge {
 public:
  LibraryJudge(std::shared_ptr<LibraryObject> object, const Harness& harness)
      : object_(std::move(object)), harness_(harness) {}

  bool linearizable(const HistoryTable& table, std::uint32_t history) override {
    return is_linearizable(with_threads(table.decode(history)), sequential());
  }
  std::optional<bool> may_wait(const HistoryTable& table, std::uint32_t history) override {
    History calls = table.decode(history);
    std::vector<std::uint32_t> returned;
    for (const auto& thread : calls) {
      returned.push_back(static_cast<std::uint32_t>(std::ranges::count_if(thread, &HistoryOperation::returned)));
    }
    for (auto& thread : calls) {
      if (thread.empty() || thread.back().returned) continue;
      // It waits in the end, after all that has returned, and changes nothing.
      thread.back().returned = true;
      thread.back().result = waits_text;
      thread.back().completed_before = returned;
    }
    return is_linearizable(with_threads(std::move(calls)), sequential());
  }
  std::unique_ptr<ModelHistory> recorded(const HistoryTable& table, std::uint32_t history) override {
    auto out = std::make_unique<ModelHistory>();
    record_calls(table, history, harness_, out->history);
    out->specification = std::make_unique<LibrarySpecification>(object_, harness_);
    return out;
  }
  std::string object() const override { return "the class itself, one call at a time"; }

 private:
  // An operation is a thread and a call: the class may tell threads apart.
  static History with_threads(History history) {
    for (std::uint32_t t = 0; t < history.size(); ++t) {
      for (HistoryOperation& op : history[t]) op.operation.insert(op.operation.begin(), static_cast<char>(t + 1));
    }
    return history;
  }
  SequentialSpecification sequential() {
    const auto text_of = [](LibraryObject::State state) {
      return std::string(reinterpret_cast<const char*>(&state), sizeof state);
    };
    return {text_of(object_->initial()), [this, text_of](std::string& state, std::string_view operation) {
              LibraryObject::State before = 0;
              std::memcpy(&before, state.data(), sizeof before);
              const std::uint32_t call = object_->number_of(call_of_event(operation.substr(1), harness_));
              const auto applied = object_->apply(before, static_cast<std::uint32_t>(operation[0]), call);
              using enum LibraryObject::Applied::How;
              if (applied.how != Returns) return std::string(applied.how == Waits ? waits_text : fails_text);
              state = text_of(applied.next);
              return applied.result;
            }};
  }

  const std::shared_ptr<LibraryObject> object_;
  const Harness harness_;
};

}  // namespace

std::shared_ptr<HistoryJudge> judge_by_library(std::shared_ptr<const Image> image, const Harness& harness,
                                               const std::vector<Client>& clients) {
  std::uint32_t threads = 0;
  std::set<ClientCall> calls;
  for (const Client& client : clients) {
    threads = std::max(threads, static_cast<std::uint32_t>(client.threads.size()));
    for (const auto& thread : client.threads) calls.insert(thread.begin(), thread.end());
  }
  auto object =
      std::make_shared<LibraryObject>(std::move(image), threads, std::vector<ClientCall>(calls.begin(), calls.end()));
  return std::make_shared<LibraryJudge>(std::move(object), harness);
}

}  // namespace heddle::native
