// Texts that grow by appending. Equal texts have the same number, and no text is stored as a whole.
//
// A text is empty, or an earlier text and a piece appended: the texts of a history that appends a million times take
// a few words each. Equal texts are found by a polynomial hash that can be computed from the parts. Then they are
// compared in full, once for each way in which a text comes about.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace heddle::specs {

class TextStates {
 public:
  using Text = std::uint32_t;
  static constexpr Text empty = 0;

  TextStates() : texts_(1) { by_hash_.emplace(0, empty); }

  // REQUIRES: `piece` is the caller's number for `appended` and always means the same text; `appended` stays valid.
  Text with(Text text, std::uint32_t piece, std::string_view appended) {
    if (appended.empty()) return text;
    const auto [known, is_new] = derived_.try_emplace(std::uint64_t{text} << 32 | piece, empty);
    if (!is_new) return known->second;
    Node node{text, appended, texts_[text].size + appended.size(), texts_[text].hash};
    for (const char c : appended) node.hash = node.hash * base + static_cast<unsigned char>(c) + 1;
    Text found = intern(node);
    known->second = found;
    return found;
  }

  std::string content(Text text) const {
    std::string result(texts_[text].size, '\0');
    for (; text != empty; text = texts_[text].before) {
      texts_[text].appended.copy(result.data() + texts_[texts_[text].before].size, texts_[text].appended.size());
    }
    return result;
  }

  std::size_t bytes() const {
    return texts_.capacity() * sizeof(Node) + (derived_.bucket_count() + by_hash_.bucket_count()) * 17;
  }

 private:
  static constexpr std::uint64_t base = 0x9e3779b97f4a7c15;
  struct Node {
    Text before = empty;
    std::string_view appended;
    std::size_t size = 0;
    std::uint64_t hash = 0;
    Text same_hash = empty;
  };

  Text intern(Node node) {
    const auto number = static_cast<Text>(texts_.size());
    texts_.push_back(node);
    const auto [it, is_new] = by_hash_.try_emplace(node.hash, number);
    if (is_new) return number;
    const std::string content = this->content(number);
    for (Text other = it->second; other != empty; other = texts_[other].same_hash) {
      if (texts_[other].size == node.size && this->content(other) == content) {
        texts_.pop_back();
        return other;
      }
    }
    texts_.back().same_hash = it->second;
    it->second = number;
    return number;
  }

  std::vector<Node> texts_;
  boost::unordered_flat_map<std::uint64_t, Text> derived_, by_hash_;
};

}  // namespace heddle::specs
