// Random histories of every shape the formats can carry: all kinds of values, keys, outcomes, reused processes, times.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::history {

inline Value random_value(ValueTable& values, int depth = 0) {
  switch (*rc::gen::inRange(0, depth < 2 ? 7 : 6)) {
    case 0:
      return nil;
    case 1:
      return values.boolean(*rc::gen::arbitrary<bool>());
    case 2:
      return values.integer(*rc::gen::arbitrary<std::int64_t>());
    case 3:
      return values.integer(*rc::gen::inRange(0, 5));
    case 4:
      return values.text(
          *rc::gen::container<std::string>(rc::gen::element('a', ':', '"', '\\', '\n', '\x01', ' ', ']', ';', '#')));
    case 5:
      return values.keyword(
          *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'z', '-', '/', '.', '1'))));
    default: {
      std::vector<Value> members(*rc::gen::inRange<std::size_t>(0, 4));
      for (Value& member : members) member = random_value(values, depth + 1);
      return values.list(members);
    }
  }
}

// With `keyed` every operation has a key, otherwise none.
inline void random_history(RecordedHistory& history, bool keyed) {
  const int events = *rc::gen::inRange(1, 30);
  const bool timed = *rc::gen::arbitrary<bool>();
  std::vector<std::size_t> open(4, static_cast<std::size_t>(-1));
  for (int i = 0; i < events; ++i) {
    const auto client = *rc::gen::inRange<std::size_t>(0, open.size());
    if (open[client] == static_cast<std::size_t>(-1)) {
      const std::string function = *rc::gen::element<std::string>("read", "write", "cas", "a name", "x/y");
      open[client] = history.invoke(history.process(std::to_string(client)), history.name(function),
                                    keyed ? random_value(history.values, 1) : no_key, random_value(history.values));
      if (timed) history.operations[open[client]].invoked_time = i;
    } else {
      const Outcome outcome = *rc::gen::element(Outcome::Ok, Outcome::Ok, Outcome::Failed, Outcome::Unknown);
      history.complete(open[client], outcome, random_value(history.values));
      if (timed) history.operations[open[client]].returned_time = i;
      open[client] = static_cast<std::size_t>(-1);
    }
  }
  if (history.operations.empty()) history.invoke(history.process("0"), history.name("read"), no_key, nil);
}

}  // namespace heddle::history
