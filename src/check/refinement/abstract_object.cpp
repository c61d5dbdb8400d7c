// Contents of the slot and lists of calls as interned bytes, and a table of what each list makes of each content.
#include "check/refinement/abstract_object.h"

#include <algorithm>

#include "core/user_code.h"

namespace heddle {

using detail::AbstractCall;
using detail::Bytes;
using detail::chain;
using detail::get_varint;
using detail::MethodInfo;
using detail::put_varint;

namespace {

void put_text(Bytes& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

std::string_view get_text(std::string_view& in) {
  const auto size = static_cast<std::size_t>(get_varint(in));
  const std::string_view text = in.substr(0, size);
  in.remove_prefix(size);
  return text;
}

}  // namespace

AbstractObject::AbstractObject(const Model::Refined& refined)
    : info_(refined.info), search_(refined.points == "search") {
  if (search_ && info_->candidates.empty()) {
    throw ModelError("--lp search: the refinement of " + info_->name +
                     " names no candidate calls; add Refinement::candidate, or use the annotations");
  }
}

Slot AbstractObject::initial() {
  if (search_) return number_of(set_content({info_->initial}));
  return number_of(object_mark + info_->initial);
}

std::uint32_t AbstractObject::method_number(const MethodInfo* method) {
  const auto find = [&]() -> std::uint32_t {
    const std::uint32_t count = method_count_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (methods_[i].load(std::memory_order_relaxed) == method) return i;
    }
    return count;
  };
  std::uint32_t number = find();
  if (number < method_count_.load(std::memory_order_acquire)) return number;
  const std::lock_guard lock(mutex_);
  number = find();
  if (number < method_count_.load(std::memory_order_relaxed)) return number;
  if (number >= methods_.size()) throw ModelError("an abstract object has more than 64 methods that are called");
  methods_[number].store(method, std::memory_order_relaxed);
  method_count_.store(number + 1, std::memory_order_release);
  return number;
}

Bytes AbstractObject::encode(const std::vector<AbstractCall>& calls) {
  Bytes out;
  for (const AbstractCall& call : calls) {
    put_varint(out, method_number(call.method));
    put_text(out, call.arguments);
  }
  return out;
}

std::vector<AbstractCall> AbstractObject::calls_of(std::string_view list) const {
  std::vector<AbstractCall> calls;
  while (!list.empty()) {
    const auto method = static_cast<std::size_t>(get_varint(list));
    calls.push_back({methods_[method].load(std::memory_order_relaxed), Bytes(get_text(list))});
  }
  return calls;
}

std::uint32_t AbstractObject::intern(const detail::CallList& list) {
  std::vector<AbstractCall> calls;
  if (!search_) calls = list.calls;
  calls.insert(calls.end(), list.observations.begin(), list.observations.end());
  return calls.empty() ? 0 : lists_.intern(encode(calls));
}

Slot AbstractObject::reject(std::string_view content, const AbstractCall& call) {
  Bytes out{rejection_mark};
  put_text(out, content);
  out += encode({call});
  return number_of(out);
}

void AbstractObject::count(const Bytes& object, const AbstractCall& call, const Answer& answer) {
  if (answer.kind == Answer::Kind::rejected) return;
  const std::uint32_t content = number_of(object_mark + object);
  const std::uint32_t one = lists_.intern(encode({call}));
  const std::lock_guard lock(mutex_);
  if (!counted_.emplace(content, one).second) return;
  ++counts_[answer.kind == Answer::Kind::stutter ? "stutters"
            : call.method->observation           ? "observations"
                                                 : std::string(call.method->name) + "s"];
  if (!info_->object->affected.empty()) counts_[std::string(info_->object->affected)] += answer.affected;
}

// A failed assertion in the object's code rejects the call.
Answer AbstractObject::apply(Bytes& object, const AbstractCall& call) const {
  Answer answer;
  const auto failure = run_named<ModelError>({"object", info_->name, call.method->name},
                                             [&] { answer = call.method->apply(object, call.arguments); });
  if (!failure) return answer;
  if (failure->kind == UserFailure::Kind::Crash) {
    throw ModelError(CodeName{"object", info_->name, call.method->name}.text() + " " + failure->what);
  }
  return Answer::rejects("assertion", "", failure->what);
}

Slot AbstractObject::compute(Slot content, std::uint32_t number) {
  if (rejected(content)) return content;
  const std::string_view now = content_of(content);
  const std::vector<AbstractCall> calls = calls_of(lists_.content(number));
  if (search_) return compute_set(content, calls);
  Bytes object(now.substr(1));
  for (const AbstractCall& call : calls) {
    const Bytes before = object;
    const Answer answer = apply(object, call);
    count(before, call, answer);
    if (answer.kind == Answer::Kind::rejected) return reject(object_mark + before, call);
  }
  return number_of(object_mark + object);
}

AbstractObject::Objects AbstractObject::objects_of(std::string_view content) {
  content.remove_prefix(1);
  Objects objects;
  while (!content.empty()) objects.emplace(get_text(content));
  return objects;
}

Bytes AbstractObject::set_content(const Objects& objects) {
  Bytes out{set_mark};
  for (const Bytes& object : objects) put_text(out, object);
  return out;
}

// Adds every object that candidate calls lead to from the given ones.
void AbstractObject::close(Objects& objects) const {
  std::vector<Bytes> todo(objects.begin(), objects.end());
  while (!todo.empty()) {
    const Bytes from = std::move(todo.back());
    todo.pop_back();
    for (const AbstractCall& call : info_->candidates) {
      Bytes object = from;
      if (apply(object, call).kind != Answer::Kind::accepted) continue;
      if (!objects.insert(object).second) continue;
      if (objects.size() > most_objects) {
        throw ModelError("--lp search: the candidate calls lead to more than 100,000 objects; name fewer candidates");
      }
      todo.push_back(std::move(object));
    }
  }
}

Slot AbstractObject::compute_set(Slot content, const std::vector<AbstractCall>& calls) {
  Objects objects = objects_of(content_of(content));
  for (const AbstractCall& call : calls) {
    close(objects);
    Objects after;
    for (const Bytes& from : objects) {
      Bytes object = from;
      const Answer answer = apply(object, call);
      count(from, call, answer);
      if (answer.kind != Answer::Kind::rejected) after.insert(std::move(object));
    }
    if (after.empty()) return reject(content_of(content), call);
    objects = std::move(after);
  }
  return number_of(set_content(objects));
}

Slot AbstractObject::renamed(Slot content, const detail::Renaming& renaming) {
  const auto rename = [&](auto&& self, std::string_view bytes) -> Bytes {
    if (bytes.front() == object_mark) return object_mark + info_->object->rename(bytes.substr(1), renaming);
    if (bytes.front() == set_mark) {
      Objects objects;
      for (const Bytes& object : objects_of(bytes)) objects.insert(info_->object->rename(object, renaming));
      return set_content(objects);
    }
    bytes.remove_prefix(1);
    Bytes out{rejection_mark};
    put_text(out, self(self, get_text(bytes)));
    std::vector<AbstractCall> calls = calls_of(bytes);
    for (AbstractCall& call : calls) call.arguments = call.method->rename(call.arguments, renaming);
    return out + encode(calls);
  };
  return number_of(rename(rename, content_of(content)));
}

std::uint32_t AbstractObject::renamed_calls(std::uint32_t number, const detail::Renaming& renaming) {
  std::vector<AbstractCall> calls = calls_of(lists_.content(number));
  for (AbstractCall& call : calls) call.arguments = call.method->rename(call.arguments, renaming);
  return lists_.intern(encode(calls));
}

std::uint64_t AbstractObject::fingerprint(Slot content, const detail::Colouring& colour) const {
  const auto look = [&](auto&& self, std::string_view bytes) -> std::uint64_t {
    if (bytes.front() == object_mark) return info_->object->fingerprint(bytes.substr(1), colour);
    if (bytes.front() == set_mark) {
      std::uint64_t sum = 7;
      for (const Bytes& object : objects_of(bytes)) sum += detail::scramble(info_->object->fingerprint(object, colour));
      return sum;
    }
    bytes.remove_prefix(1);
    std::uint64_t h = chain(11, self(self, get_text(bytes)));
    for (const AbstractCall& call : calls_of(bytes)) h = chain(h, call.method->fingerprint(call.arguments, colour));
    return h;
  };
  return look(look, content_of(content));
}

std::string_view AbstractObject::object(Slot content) const {
  if (search_) {
    throw ModelError("--lp search: an annotation for " + info_->name +
                     " takes the object, but there are several it could be; annotate observations without it");
  }
  return content_of(content).substr(1);
}

std::string AbstractObject::json(Slot content) const {
  std::string out;
  const auto put_one = [&](std::string_view object) {  // by the object's own function, if it has one
    run_or_throw<ModelError>({"json() of the object", info_->name}, [&] { info_->object->json(object, out); });
  };
  const auto put = [&](auto&& self, std::string_view bytes) -> void {
    if (bytes.front() == object_mark) return put_one(bytes.substr(1));
    if (bytes.front() == set_mark) {
      out += "[";
      bool first = true;
      for (const Bytes& object : objects_of(bytes)) {
        if (!std::exchange(first, false)) out += ",";
        put_one(object);
      }
      out += "]";
      return;
    }
    bytes.remove_prefix(1);
    self(self, get_text(bytes));
  };
  put(put, content_of(content));
  return out;
}

std::vector<trace::Call> AbstractObject::describe(Slot content, std::uint32_t number) {
  std::vector<trace::Call> out;
  if (number == 0 || rejected(content)) return out;
  const Slot after = next(content, number);
  Bytes object = search_ ? Bytes() : Bytes(content_of(content).substr(1));
  for (const AbstractCall& call : calls_of(lists_.content(number))) {
    trace::Call& shown = out.emplace_back();
    shown.object = info_->name;
    shown.call = call.method->text(call.arguments);
    shown.answer = "accepted";
    if (search_) {
      if (rejected(after) && failure(after).call == shown.call) {
        shown.answer = "rejected";
        break;
      }
      continue;
    }
    const Answer answer = apply(object, call);
    if (answer.kind == Answer::Kind::stutter) shown.answer = "stutter";
    if (answer.kind != Answer::Kind::rejected) continue;
    shown.answer = "rejected";
    break;
  }
  return out;
}

RefinementFailure AbstractObject::failure(Slot content) const {
  RefinementFailure out;
  std::string_view bytes = content_of(content);
  bytes.remove_prefix(1);
  const std::string_view before = get_text(bytes);
  const AbstractCall call = calls_of(bytes).front();
  out.call = call.method->text(call.arguments);
  out.object = json(content);
  if (search_) {
    out.clause = "no linearization";
    out.witness = "no insertion of the candidate calls makes the object accept it";
    return out;
  }
  Bytes object(before.substr(1));
  Answer answer = apply(object, call);
  out.clause = std::move(answer.clause);
  out.property = std::move(answer.property);
  out.witness = std::move(answer.witness);
  out.missing = answer.missing;
  return out;
}

std::map<std::string, std::uint64_t> AbstractObject::counts() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::uint64_t> out = counts_;
  out.try_emplace("stutters", 0);
  for (const std::string_view kind : info_->object->counted) out.try_emplace(std::string(kind), 0);
  return out;
}

}  // namespace heddle
