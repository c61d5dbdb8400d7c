// A trace is one concrete run as plain data. Every engine produces it; every explainer and every picture
// reads it. docs/trace-format.md documents its JSON form; report/ reads, writes and renders it. Values are
// JSON texts: core/ needs no JSON library, and a value keeps its structure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::trace {

// A column of the picture: one process, the network, or an abstract object.
struct Lane {
  std::string name;     // "acceptor 2"
  std::string role;     // "Acceptor"
  std::string process;  // co-located lanes share it; otherwise equal to name
};

struct Field {
  std::uint32_t lane = 0;
  std::string name;   // "promised"; empty for the whole lane
  std::string value;  // JSON text
};

struct Diff {
  std::uint32_t lane = 0;
  std::string name;
  std::string before, after;  // JSON texts
};

struct Message {
  std::string type;
  std::uint32_t from = 0, to = 0;  // lanes
  std::string body;                // JSON text, an object
};

// A client's operation begins or ends.
struct Operation {
  enum class Kind : std::uint8_t { Invoke, Return };
  Kind kind = Kind::Invoke;
  std::uint32_t lane = 0;
  std::string value;  // JSON text
};

// A call to the abstract object that the model refines, made by the step.
struct Call {
  std::string object;  // the refinement's name, "qtree"
  std::string call;    // "add(3, 7, 0)"
  std::string answer;  // accepted, stutter, rejected
};

// A place in the source.
struct Place {
  std::string file;                    // empty: there is no source, or it is not known
  std::uint32_t line = 0, column = 0;  // from 1; 0: not known
  std::string function;                // as a person writes it
  std::vector<Place> stack = {};       // the calls that it is in, the innermost first; without stacks of their own

  bool known() const { return !file.empty() && line != 0; }
};

// What a step does to something that threads share, in the order in which it happens.
struct Access {
  std::string object;  // "buf"
  std::string part;    // of the object: "+8"; empty for the whole
  // Memory: read, write, atomic read, atomic write, free. Locks and conditions: lock, unlock, try lock, wait, notify.
  // Threads, where `object` is one: start, join. Other kinds may be added.
  std::string kind;
  std::string before, after;  // JSON texts; a read has no `after`; empty: not known
  Place place;                // without a stack
};

struct Step {
  std::uint32_t lane = 0;
  std::string name;           // the transition
  std::string kind = "step";  // step, timeout, deliver, crash, recover, lose, duplicate, partition, heal, byzantine
  std::string choice;         // non-deterministic choices taken, JSON array text; empty if none
  std::vector<Message> received, sent;
  std::vector<Operation> operations;
  std::vector<Call> calls;
  std::vector<Diff> diffs;
  // Of doors that run source text.
  Place place;  // where the thread was when the step began
  std::vector<Access> accesses;
  std::string output;  // what the step printed, as it is
};

struct Trace {
  std::string model;
  std::map<std::string, std::string> parameters;
  std::string bug;                             // empty if none
  std::map<std::string, std::string> options;  // network and faults of the run, as on the command line
  std::vector<Lane> lanes;
  std::vector<Field> initial;
  std::vector<Step> steps;
  std::vector<Field> final;
  std::string verdict;             // holds, violated, unknown
  std::string property;            // the violated (or, for `sometimes`, witnessed) property
  std::vector<Field> explanation;  // the values that made it false
};

}  // namespace heddle::trace
