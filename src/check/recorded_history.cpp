// Interns values by their kinds and bytes, and notes operations as they are invoked and completed.
#include "check/recorded_history.h"

#include <xxhash.h>

#include <cstring>

#include "heddle/detail/shape.h"

namespace heddle {
namespace {

// A content is its kind and then its bytes; nil is number 0 and is not in the table.
std::string content(ValueTable::Kind kind, std::string_view bytes) {
  std::string out(1, static_cast<char>(kind));
  out += bytes;
  return out;
}

}  // namespace

Value ValueTable::boolean(bool value) { return contents_->intern(content(Kind::Boolean, value ? "1" : "0")); }

Value ValueTable::integer(std::int64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return contents_->intern(content(Kind::Integer, {bytes, sizeof bytes}));
}

Value ValueTable::text(std::string_view value) { return contents_->intern(content(Kind::Text, value)); }
Value ValueTable::keyword(std::string_view name) { return contents_->intern(content(Kind::Keyword, name)); }

Value ValueTable::list(std::span<const Value> members) {
  const std::string_view bytes(reinterpret_cast<const char*>(members.data()), members.size_bytes());
  return contents_->intern(content(Kind::List, bytes));
}

ValueTable::Kind ValueTable::kind(Value value) const {
  return value == nil ? Kind::Nil : static_cast<Kind>(contents_->content(value)[0]);
}
bool ValueTable::as_boolean(Value value) const { return contents_->content(value)[1] == '1'; }

std::int64_t ValueTable::as_integer(Value value) const {
  std::int64_t out = 0;
  std::memcpy(&out, contents_->content(value).data() + 1, sizeof out);
  return out;
}

std::string_view ValueTable::as_text(Value value) const { return contents_->content(value).substr(1); }

std::vector<Value> ValueTable::members(Value value) const {
  const std::string_view bytes = contents_->content(value).substr(1);
  std::vector<Value> out(bytes.size() / sizeof(Value));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

std::string ValueTable::json(Value value) const {
  std::string out;
  switch (kind(value)) {
    case Kind::Nil:
      return "null";
    case Kind::Boolean:
      return as_boolean(value) ? "true" : "false";
    case Kind::Integer:
      return std::to_string(as_integer(value));
    case Kind::Text:
      detail::put_json_string(out, as_text(value));
      return out;
    case Kind::Keyword:
      detail::put_json_string(out, ":" + std::string(as_text(value)));
      return out;
    case Kind::List:
      for (const Value member : members(value)) out += (out.empty() ? "" : ",") + json(member);
      return "[" + out + "]";
  }
  return out;
}

Value copy_value(const ValueTable& from, Value value, ValueTable& to) {
  if (value == no_key) return no_key;
  switch (from.kind(value)) {
    case ValueTable::Kind::Nil:
      break;
    case ValueTable::Kind::Boolean:
      return to.boolean(from.as_boolean(value));
    case ValueTable::Kind::Integer:
      return to.integer(from.as_integer(value));
    case ValueTable::Kind::Text:
      return to.text(from.as_text(value));
    case ValueTable::Kind::Keyword:
      return to.keyword(from.as_text(value));
    case ValueTable::Kind::List: {
      std::vector<Value> members = from.members(value);
      for (Value& member : members) member = copy_value(from, member, to);
      return to.list(members);
    }
  }
  return nil;
}

std::size_t NameIndex::Hash::operator()(std::string_view name) const noexcept {
  return XXH3_64bits(name.data(), name.size());
}

// The vector is public, so somebody may have appended to it directly: such names are indexed first.
std::uint32_t NameIndex::position(std::vector<std::string>& names, std::string_view name) {
  for (std::size_t i = positions_.size(); i < names.size(); ++i) {
    positions_.emplace(names[i], static_cast<std::uint32_t>(i));
  }
  if (const auto it = positions_.find(name); it != positions_.end()) return it->second;
  const auto number = static_cast<std::uint32_t>(names.size());
  positions_.emplace(names.emplace_back(name), number);
  return number;
}

std::uint32_t RecordedHistory::process(std::string_view name) { return process_index_.position(processes, name); }
std::uint32_t RecordedHistory::name(std::string_view function) { return function_index_.position(functions, function); }

std::size_t RecordedHistory::invoke(std::uint32_t process, std::uint32_t function, Value key, Value argument) {
  RecordedOperation& op = operations.emplace_back();
  op.process = process;
  op.function = function;
  op.key = key;
  op.argument = argument;
  op.invoked = events++;
  return operations.size() - 1;
}

void RecordedHistory::complete(std::size_t operation, Outcome outcome, Value result) {
  RecordedOperation& op = operations[operation];
  op.outcome = outcome;
  if (outcome == Outcome::Unknown) return;
  op.returned = events++;
  if (outcome == Outcome::Ok) op.result = result;
}

}  // namespace heddle
