// What slots of a native program hold, as bytes: threads, objects, and how the process ended.
//
// A thread's content begins with a Rest, which is what a search asks for most often. It is followed by the thread's
// state, of which only live registers are kept: two threads that differ in what they will never read again are equal.
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

// How a thread rests between two segments.
struct Rest {
  enum class Status : std::uint8_t { Running, Ended, Joined };
  Status status = Status::Running;
  Pending pending = Pending::Other;
  bool fresh = false;          // it has not begun
  bool choice = false;         // a choice is pending
  std::uint32_t latest = 0;    // plain accesses of its latest segment: a number of Footprints
  bool after_acquire = false;  // the segment of `latest` began by taking a lock
  // Not 0: the thread has failed, and the process ends so with its next segment (Ending, a number of Segments).
  std::uint32_t fails = 0;
  std::uint32_t function = none, at = none;  // the pending operation
};

// The results of a thread's calls (ThreadState::results), also of one that has ended.
std::string_view results_of(std::string_view content);

// What a thread that has ended had published (ThreadState::published).
std::vector<std::uint32_t> published_of(std::string_view content);

// REQUIRES: `thread` is tidy (Machine::tidy). Of a thread that has ended only results and `published` are kept.
std::string encode(const Rest& rest, const ThreadState& thread, const Liveness& liveness);
Rest rest_of(std::string_view content);
// REQUIRES: the content is that of a thread that runs.
ThreadState decode_thread(std::string_view content, const Image& image, const Liveness& liveness);

std::string encode(const Object& object);
Object decode_object(std::string_view content);

// How the process ended.
struct Ending {
  enum class Kind : std::uint8_t { Exit, Failure, Race };
  Kind kind = Kind::Exit;
  int code = 0;                          // of an exit; of a race: the alternative of the choice that was pending
  Failure failure = Failure::Assertion;  // of a failure
  std::uint32_t thread = 0;              // that ended it
  std::string text = {};
};
std::string encode(const Ending& ending);
Ending decode_ending(std::string_view content);

// The labels of objects of threads that the bytes, or the thread, mention; ascending, each once. Pointers are looked
// for at every byte: what looks like a pointer counts as one.
std::vector<Label> mentions(std::string_view bytes);
std::vector<Label> mentions(const ThreadState& thread);

}  // namespace heddle::native
