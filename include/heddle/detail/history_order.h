// Which order of a history's operations a correct order of them has to keep.
#pragma once

#include <cstdint>

namespace heddle::detail {

enum class HistoryOrder : std::uint8_t {
  RealTime,  // linearizability: what returned before another operation was invoked comes before it
  Clients,   // sequential consistency: the operations of a client keep their order
  None,      // serializability: none
};

}  // namespace heddle::detail
