// What the containers of the standard library keep in its shared library: links of lists, numbers of buckets, hashes.
#include <bits/functional_hash.h>
#include <list>
#include <unordered_map>

namespace std {

namespace __detail {

void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  _M_next = position;
  _M_prev = position->_M_prev;
  position->_M_prev->_M_next = this;
  position->_M_prev = this;
}
void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}
void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  if (this == last) return;
  _List_node_base* const tail = last->_M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  first->_M_prev = _M_prev;
  tail->_M_next = this;
  _M_prev->_M_next = first;
  _M_prev = tail;
}
void _List_node_base::_M_reverse() noexcept {
  _List_node_base* node = this;
  do {
    _List_node_base* const next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}
void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  const bool a_empty = a._M_next == &a, b_empty = b._M_next == &b;
  const _List_node_base old_a = a, old_b = b;
  if (b_empty) {
    a._M_next = a._M_prev = &a;
  } else {
    a = old_b;
    a._M_next->_M_prev = a._M_prev->_M_next = &a;
  }
  if (a_empty) {
    b._M_next = b._M_prev = &b;
  } else {
    b = old_a;
    b._M_next->_M_prev = b._M_prev->_M_next = &b;
  }
}

static size_t prime_from(size_t number) {
  if (number <= 2) return 2;
  for (number |= 1;; number += 2) {
    bool prime = true;
    for (size_t by = 3; by * by <= number && prime; by += 2) prime = number % by != 0;
    if (prime) return number;
  }
}

// Prime numbers of buckets; the table grows to at least twice its size.
size_t _Prime_rehash_policy::_M_next_bkt(size_t number) const {
  const size_t prime = prime_from(number);
  _M_next_resize = static_cast<size_t>(static_cast<double>(prime) * static_cast<double>(_M_max_load_factor));
  return prime;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  size_t total = elements + more;
  if (total <= _M_next_resize) return {false, 0};
  constexpr size_t first_size = 11;
  if (_M_next_resize == 0 && total < first_size) total = first_size;
  const double least = static_cast<double>(total) / static_cast<double>(_M_max_load_factor);
  if (least >= static_cast<double>(buckets)) {
    const size_t wanted = static_cast<size_t>(least) + 1;
    return {true, _M_next_bkt(wanted < buckets * 2 ? buckets * 2 : wanted)};
  }
  _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * static_cast<double>(_M_max_load_factor));
  return {false, 0};
}

}  // namespace __detail

// FNV-1a.
static size_t hash_bytes(const void* bytes, size_t count, size_t seed) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  size_t hash = seed ^ 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; ++i) hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}
size_t _Hash_bytes(const void* bytes, size_t count, size_t seed) { return hash_bytes(bytes, count, seed); }
size_t _Fnv_hash_bytes(const void* bytes, size_t count, size_t seed) { return hash_bytes(bytes, count, seed); }

}  // namespace std
