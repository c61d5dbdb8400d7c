// Messages and inboxes as numbers.
//
// A message is (type, sender, body). Its receiver is the process in whose inbox it lies, so a broadcast is one
// number. An inbox is a list of message numbers in a canonical order: sorted for the multiset and the soup,
// grouped by sender with the order of sending kept for FIFO. In the traffic models RM and GRM a message is first
// in transit and then, with the bit `delivered` set, in the input buffer.
// Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/content_table.h"
#include "core/reserved_array.h"
#include "heddle/handler.h"
#include "heddle/model.h"

namespace heddle::actor {

using MessageNumber = std::uint32_t;
using InboxNumber = std::uint32_t;

class Messages {
 public:
  explicit Messages(bool forget_auxiliary) : forget_auxiliary_(forget_auxiliary) {}

  struct Record {
    const detail::TypeInfo* type;
    std::uint32_t sender;  // process
    const char* body;
    std::uint32_t size;
    std::uint32_t type_number;
    std::string_view bytes() const { return {body, size}; }
  };

  MessageNumber intern(const detail::TypeInfo* type, std::uint32_t sender, std::string_view body);
  const Record& operator[](MessageNumber number) const { return records_[number]; }
  MessageNumber last() const { return contents_.last(); }
  std::size_t bytes() const { return contents_.bytes() + contents_.last() * sizeof(Record); }
  // Orders messages by content, independent of when they were numbered. Auxiliary data decides last, so that
  // whether a search forgets it cannot change which of two messages comes first.
  bool before(MessageNumber a, MessageNumber b) const;

  // For coverage: whether a message of this type was ever sent, and whether one ever arrived.
  bool sent(const detail::TypeInfo* type);
  bool arrived(const detail::TypeInfo* type);
  void note_arrival(MessageNumber number) {
    const std::uint32_t type = records_[number].type_number;
    if (type < watched_types && !arrived_[type].load(std::memory_order_relaxed)) arrived_[type] = true;
  }

 private:
  static constexpr std::size_t watched_types = 256;  // types beyond these count as arrived
  const bool forget_auxiliary_;
  std::mutex mutex_;
  std::unordered_map<const detail::TypeInfo*, std::uint32_t> types_;
  ContentTable contents_;
  ReservedArray<Record> records_;
  std::array<std::atomic<bool>, watched_types> arrived_{};
};

class Inboxes {
 public:
  static constexpr std::uint32_t delivered = std::uint32_t{1} << 31;

  Inboxes(const Network& network, Messages& messages) : network_(network), messages_(messages) {}

  InboxNumber empty() { return contents_.intern(std::span<const std::uint32_t>{}); }
  std::span<const std::uint32_t> operator[](InboxNumber inbox) const { return contents_.words(inbox); }

  // Returns the inbox after `message` was sent to it; 0 if the channel is full and sending blocks.
  InboxNumber append(InboxNumber inbox, MessageNumber message);
  // Returns the inbox without one copy of each of `entries`.
  InboxNumber remove(InboxNumber inbox, std::span<const std::uint32_t> removed);
  // Return the inbox without a message in transit, or with another copy of it. In FIFO, `place` tells which one
  // of its channel, counted from the front. `duplicate` returns 0 if there is no room for a copy.
  InboxNumber lose(InboxNumber inbox, MessageNumber message, std::size_t place);
  InboxNumber duplicate(InboxNumber inbox, MessageNumber message, std::size_t place);
  // Returns the inbox after one copy of `message` in transit moved to the input buffer.
  InboxNumber deliver(InboxNumber inbox, MessageNumber message);
  bool contains(InboxNumber inbox, MessageNumber message) const;
  InboxNumber intern(std::vector<std::uint32_t> entries);

  std::size_t bytes() const { return contents_.bytes(); }
  std::uint32_t last() const { return contents_.last(); }

 private:
  bool is_full(std::span<const std::uint32_t> entries, std::uint32_t sender) const;
  std::vector<std::uint32_t>::iterator find(std::vector<std::uint32_t>& entries, MessageNumber message,
                                            std::size_t place) const;

  const Network& network_;
  Messages& messages_;
  ContentTable contents_;
};

}  // namespace heddle::actor
