// What a run of a segment reads, beyond contents of slots: numbers of decision trees (segments.h). They are smaller
// questions than "what is in the slot of thread u", so that the answer is rarely a new one.
#pragma once

#include <cstdint>

#include "native/client.h"
#include "native/image.h"

namespace heddle::native {

inline constexpr std::uint32_t read_choice = 1u << 29;
inline constexpr std::uint32_t read_ended = read_choice + 1;                     // + thread: has it ended?
inline constexpr std::uint32_t read_started = read_ended + Label::max_threads;   // + thread: was it started?
inline constexpr std::uint32_t read_joined = read_started + Label::max_threads;  // + thread: was it waited for?
inline constexpr std::uint32_t read_client = read_joined + Label::max_threads;   // + number of a question to the client

inline constexpr std::uint32_t client_questions = 3 + Client::most_arguments;
inline std::uint32_t client_question(std::uint32_t thread, std::uint32_t call, std::uint32_t what) {
  return read_client + (thread * Client::most_calls + call) * client_questions + what;
}

}  // namespace heddle::native
