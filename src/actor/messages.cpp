// What the network does to an inbox, as functions from one interned list of messages to another.
#include "actor/messages.h"

#include <algorithm>

namespace heddle::actor {

MessageNumber Messages::intern(const detail::TypeInfo* type, std::uint32_t sender, std::string_view body) {
  detail::Bytes forgotten;
  if (forget_auxiliary_ && type->forget != nullptr) body = forgotten = type->forget(body);
  std::lock_guard lock(mutex_);
  const auto type_number = types_.try_emplace(type, static_cast<std::uint32_t>(types_.size())).first->second;
  detail::Bytes key;
  detail::put_varint(key, type_number);
  detail::put_varint(key, sender);
  const std::size_t prefix = key.size();
  key += body;
  const std::uint32_t known = contents_.last();
  const MessageNumber number = contents_.intern(key);
  if (number > known) {
    const std::string_view stored = contents_.content(number).substr(prefix);
    records_[number] = {type, sender, stored.data(), static_cast<std::uint32_t>(stored.size()), type_number};
  }
  return number;
}

bool Messages::sent(const detail::TypeInfo* type) {
  std::lock_guard lock(mutex_);
  return types_.contains(type);
}

bool Messages::arrived(const detail::TypeInfo* type) {
  std::lock_guard lock(mutex_);
  const auto known = types_.find(type);
  return known != types_.end() && (known->second >= watched_types || arrived_[known->second]);
}

bool Messages::before(MessageNumber a, MessageNumber b) const {
  const Record& x = records_[a];
  const Record& y = records_[b];
  if (x.sender != y.sender) return x.sender < y.sender;
  if (x.type != y.type) return x.type->name < y.type->name;
  if (!forget_auxiliary_ && x.type->forget != nullptr) {
    const detail::Bytes relevant_x = x.type->forget(x.bytes()), relevant_y = y.type->forget(y.bytes());
    if (relevant_x != relevant_y) return relevant_x < relevant_y;
  }
  return x.bytes() < y.bytes();
}

InboxNumber Inboxes::intern(std::vector<std::uint32_t> entries) {
  switch (network_.order) {
    case Network::Order::Multiset:
      std::sort(entries.begin(), entries.end());
      break;
    case Network::Order::Soup:
      std::sort(entries.begin(), entries.end());
      entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
      break;
    case Network::Order::Fifo:
      std::stable_sort(entries.begin(), entries.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return messages_[a].sender < messages_[b].sender; });
      break;
  }
  return contents_.intern(std::span<const std::uint32_t>(entries));
}

// Capacity is a property of channels. A message that was delivered is no longer in its channel.
bool Inboxes::is_full(std::span<const std::uint32_t> entries, std::uint32_t sender) const {
  if (network_.capacity == 0) return false;
  const auto in_channel = std::ranges::count_if(
      entries, [&](std::uint32_t e) { return (e & delivered) == 0 && messages_[e].sender == sender; });
  return static_cast<std::size_t>(in_channel) >= network_.capacity;
}

InboxNumber Inboxes::append(InboxNumber inbox, MessageNumber message) {
  const auto old = (*this)[inbox];
  std::vector<std::uint32_t> entries(old.begin(), old.end());
  const std::uint32_t sender = messages_[message].sender;
  if (is_full(entries, sender)) {
    if (network_.when_full == Network::WhenFull::Block) return 0;
    // Overwrite (in FIFO only): the newest message of that channel makes room.
    const auto same_sender = [&](std::uint32_t e) { return messages_[e].sender == sender; };
    entries.erase(std::find_if(entries.rbegin(), entries.rend(), same_sender).base() - 1);
  }
  entries.push_back(message);
  return intern(std::move(entries));
}

InboxNumber Inboxes::remove(InboxNumber inbox, std::span<const std::uint32_t> removed) {
  if (network_.order == Network::Order::Soup) return inbox;
  const auto old = (*this)[inbox];
  std::vector<std::uint32_t> entries(old.begin(), old.end());
  for (const std::uint32_t r : removed) entries.erase(std::find(entries.begin(), entries.end(), r));
  return intern(std::move(entries));
}

std::vector<std::uint32_t>::iterator Inboxes::find(std::vector<std::uint32_t>& entries, MessageNumber message,
                                                   std::size_t place) const {
  if (network_.order != Network::Order::Fifo) return std::find(entries.begin(), entries.end(), message);
  // The messages of one sender are neighbours, in their order.
  const auto same_sender = [&](std::uint32_t e) { return messages_[e].sender == messages_[message].sender; };
  return std::find_if(entries.begin(), entries.end(), same_sender) + static_cast<std::ptrdiff_t>(place);
}

InboxNumber Inboxes::lose(InboxNumber inbox, MessageNumber message, std::size_t place) {
  const auto old = (*this)[inbox];
  std::vector<std::uint32_t> entries(old.begin(), old.end());
  entries.erase(find(entries, message, place));
  return intern(std::move(entries));
}

InboxNumber Inboxes::duplicate(InboxNumber inbox, MessageNumber message, std::size_t place) {
  const auto old = (*this)[inbox];
  std::vector<std::uint32_t> entries(old.begin(), old.end());
  if (is_full(entries, messages_[message].sender)) return 0;
  entries.insert(find(entries, message, place), message);
  return intern(std::move(entries));
}

InboxNumber Inboxes::deliver(InboxNumber inbox, MessageNumber message) {
  const auto old = (*this)[inbox];
  std::vector<std::uint32_t> entries(old.begin(), old.end());
  *std::find(entries.begin(), entries.end(), message) |= delivered;
  return intern(std::move(entries));
}

bool Inboxes::contains(InboxNumber inbox, MessageNumber message) const {
  const auto entries = (*this)[inbox];
  return std::any_of(entries.begin(), entries.end(), [&](std::uint32_t e) { return (e & ~delivered) == message; });
}

}  // namespace heddle::actor
