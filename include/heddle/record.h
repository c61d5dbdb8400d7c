// Records what the clients of a program under test ask for and are answered, for `heddle lin` and `heddle serializable`.
// It needs only this file, C++17 and the standard library.
//
//   heddle::Recorder recorder;                                   // one for all threads
//   auto op = recorder.invoke(client, "write", "x", 3);          // before the call; client: 0, 1, ...
//   store.write("x", 3);
//   op.ok();                                                     // after it; or op.ok(result), op.fail(), op.unknown()
//   recorder.save("history.edn");                                // or .jsonl; then: heddle lin history.edn --spec map
//
//   auto transaction = recorder.transaction(client);             // before it begins
//   transaction.append("x", 3);                                  // or write("x", 3); before the statement
//   transaction.read("y", answer);                               // after it
//   transaction.ok();                                            // committed; or fail(), unknown()
//   recorder.save("history.edn");                                // then: heddle serializable history.edn
//
// Contracts
//   1. The recorded interval of an operation contains the real one: whatever is done between `invoke` and
//      `ok` took effect between the two time stamps, on every processor (argued at wait_for_memory below).
//      Two events with the same stamp count as overlapping.
//   2. `fail` is for what certainly did not happen. What may or may not have happened (a timeout, a broken
//      connection) is `unknown`, and so is an Operation destroyed without any of the three.
//   3. A client is sequential. After an unknown outcome it goes on under a fresh process number, as Jepsen's clients
//      do, and so do overlapping operations of one client. `save` chooses these numbers; the caller never counts.
//   4. The writes of a transaction are recorded before they are carried out. So whatever anybody has seen is in the
//      history, even if the transaction that wrote it never ends.
// Thread-safe: any thread may invoke, complete what another thread has invoked, and save, at any time. Each
// thread writes to a separate buffer without locks; only a thread's first operation takes a lock. REQUIRES: a
// Recorder outlives its Operations.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle {

class Recorder {
 public:
  enum class Format { Edn, JsonLines };
  class Value;
  class Operation;
  class Transaction;

  // Returns nanoseconds of a clock that is the same for all threads and never goes back.
  using ReadClock = std::int64_t (*)();
  // Programs that run in simulated time pass another clock than std::chrono::steady_clock.
  explicit Recorder(ReadClock clock = steady_clock);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // The client is about to call `function` with `argument` on the object named `key`, or on the only object.
  [[nodiscard]] Operation invoke(std::uint32_t client, std::string_view function, const Value& key,
                                 const Value& argument);
  [[nodiscard]] Operation invoke(std::uint32_t client, std::string_view function, const Value& argument);
  [[nodiscard]] Operation invoke(std::uint32_t client, std::string_view function);

  // The client is about to begin a transaction. Keys are lists that are appended to, or registers that are written:
  // one of the two in a recording.
  [[nodiscard]] Transaction transaction(std::uint32_t client);

  // Writes what has been recorded so far in the order of time, one event per line. Operations still open have
  // no completion. The name of the file determines the format: .edn or .jsonl. Throws std::runtime_error if
  // the file cannot be written.
  void save(const std::string& path) const;
  void write(std::ostream& out, Format format) const;

 private:
  struct Cell;
  struct Entry;
  struct Chunk;
  struct Step;
  struct Row;
  class Buffer;
  class Printer;
  enum class Kind : unsigned char { None, Nil, False, True, Integer, Text, List, Steps };
  enum class Outcome : unsigned char { Open, Ok, Failed, Unknown };

  // Time stamps. Recording an operation as shorter than it was turns correct programs into violations. So
  // both stamps must be taken outside the operation as other processors see it, not only in the order of the
  // source text. Reading a clock is not a memory access: neither the processor nor the C++ memory model
  // orders it with the loads and stores around it.
  //   before: the stamp is stored, and then a full fence is issued. A store cannot be visible before its
  //           value is known, and no later access may overtake the fence. So nothing of the operation happens
  //           before the clock was read.
  //   after:  a full fence, then the clock. When the clock is read, all stores of the operation are visible
  //           to everyone (not in a store buffer) and all its loads are done. Clocks of Linux keep the read
  //           from running ahead on x86 (lfence) and wait for the pipeline on ARM (isb). But on ARM only
  //           `dsb` waits for memory, and a fence is a weaker `dmb`.
  // The clock is steady and one for all processors: of two reads, the one that happened later is not smaller.
  static std::int64_t steady_clock() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  }
  static void fence() noexcept {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"  // the thread sanitizer does not understand fences, and needs none of these
#endif
    std::atomic_thread_fence(std::memory_order_seq_cst);
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#pragma GCC diagnostic pop
#endif
  }
  static void wait_for_memory() noexcept {
    fence();
#if defined(__aarch64__)
    asm volatile("dsb ish\n\tisb" ::: "memory");
#elif defined(__riscv)
    asm volatile("fence iorw, iorw" ::: "memory");  // there, reading a counter is device input
#endif
  }

  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  Buffer& buffer_of_this_thread();
  Buffer& find_buffer_of_this_thread();
  Operation begin(std::uint32_t client, std::string_view function, const Value* key, const Value& argument);
  Step* add_step(Step* last, const char* function, const Value& key, const Value& value);
  void complete(Entry& entry, Outcome outcome, const Value* result);
  std::vector<Row> rows() const;

  const std::uint64_t number_;  // never used again, so what a thread remembers of a dead recorder is harmless
  const ReadClock clock_;
  const std::int64_t origin_;  // times are written relative to it
  mutable std::mutex mutex_;   // for buffers_
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

// What operations carry: nothing (nullptr), booleans, integers of 64 bits, text, std::optional of these, and
// lists of these ({1, 2}, or any range). A Value is a view, only for passing arguments. REQUIRES: the text or
// list lives until the call returns.
class Recorder::Value {
  template <class T>
  static constexpr bool is_letter = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> ||
                                    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
  template <class T>
  static constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool> && !is_letter<T>;
  template <class T>
  static constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;
  template <class T, class = void>
  struct IsRange : std::false_type {};
  template <class T>
  struct IsRange<
      T, std::void_t<decltype(std::begin(std::declval<const T&>())), decltype(std::end(std::declval<const T&>()))>>
      : std::bool_constant<!is_text<T>> {};

 public:
  Value() = default;  // nil
  Value(std::nullptr_t) {}
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  Value(T value) : kind_(value ? Kind::True : Kind::False) {}
  template <class T, std::enable_if_t<is_integer<T>, int> = 0>
  Value(T value) : kind_(Kind::Integer), integer_(static_cast<std::int64_t>(value)) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t)) {
      if (value > static_cast<T>(std::numeric_limits<std::int64_t>::max()))
        throw std::out_of_range("heddle::Recorder: an integer above 2^63 - 1; record it as text");
    }
  }
  Value(const char* text) : Value(text == nullptr ? Value() : Value(std::string_view(text))) {}
  template <class T, std::enable_if_t<is_text<T>, int> = 0>
  Value(const T& text) : kind_(Kind::Text) {
    const std::string_view view = text;
    data_ = view.data();
    size_ = view.size();
  }
  template <class T>
  Value(const std::optional<T>& value) : Value(value ? Value(*value) : Value()) {}
  Value(std::initializer_list<Value> members)
      : kind_(Kind::List), data_(members.begin()), size_(members.size()), members_(append_members) {}
  template <class T, std::enable_if_t<IsRange<T>::value, int> = 0>
  Value(const T& range) : kind_(Kind::List), data_(&range), members_(append_range<T>) {}

  // A list that is not a C++ range: `append` calls append_to of each member and returns how many there are.
  using AppendMembers = std::int64_t (*)(const void* data, std::size_t size, std::string& bytes);
  static Value list(const void* data, std::size_t size, AppendMembers append) {
    Value value;
    value.kind_ = Kind::List;
    value.data_ = data;
    value.size_ = size;
    value.members_ = append;
    return value;
  }

  // Appends the value as bytes: the kind, and then eight bytes of an integer, the length and bytes of a text,
  // or the length and members of a list.
  void append_to(std::string& bytes) const {
    bytes.push_back(static_cast<char>(kind_));
    if (kind_ == Kind::Integer) append_number(bytes, integer_);
    if (kind_ == Kind::Text) {
      append_number(bytes, static_cast<std::int64_t>(size_));
      bytes.append(static_cast<const char*>(data_), size_);
    }
    if (kind_ == Kind::List) {
      const std::size_t at = bytes.size();
      append_number(bytes, 0);
      const std::int64_t count = members_(data_, size_, bytes);
      std::memcpy(&bytes[at], &count, sizeof count);
    }
  }

 private:
  friend class Recorder;

  static void append_number(std::string& bytes, std::int64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  static std::int64_t append_members(const void* members, std::size_t size, std::string& bytes) {
    for (std::size_t i = 0; i < size; ++i) static_cast<const Value*>(members)[i].append_to(bytes);
    return static_cast<std::int64_t>(size);
  }
  template <class T>
  static std::int64_t append_range(const void* range, std::size_t, std::string& bytes) {
    std::int64_t count = 0;
    for (const auto& member : *static_cast<const T*>(range)) {
      Value(member).append_to(bytes);
      ++count;
    }
    return count;
  }

  Kind kind_ = Kind::Nil;
  std::int64_t integer_ = 0;
  const void* data_ = nullptr;  // the bytes of a text, the range of a list
  std::size_t size_ = 0;
  AppendMembers members_ = nullptr;
};

// An operation under way. Call one of ok, fail and unknown when it has ended.
class Recorder::Operation {
 public:
  Operation(Operation&& other) noexcept : recorder_(other.recorder_), entry_(std::exchange(other.entry_, nullptr)) {}
  Operation& operator=(Operation&& other) noexcept {
    if (this != &other) {
      abandon();
      recorder_ = other.recorder_;
      entry_ = std::exchange(other.entry_, nullptr);
    }
    return *this;
  }
  ~Operation() { abandon(); }

  void ok();                     // it happened; its result is its argument, as Jepsen writes it for writes
  void ok(const Value& result);  // it happened and returned this
  void fail();                   // it did not happen, and never will; a cas that did not match is ok(false)
  void unknown();                // it may happen at any time after its invocation, or never

 private:
  friend class Recorder;
  friend class Transaction;
  Operation(Recorder& recorder, Entry& entry) : recorder_(&recorder), entry_(&entry) {}
  Entry& take() {
    if (entry_ == nullptr) throw std::logic_error("heddle::Recorder: an operation was completed twice");
    return *std::exchange(entry_, nullptr);
  }
  void abandon() noexcept;

  Recorder* recorder_;
  Entry* entry_;
};

// A transaction under way. Its operations are recorded as they come; nobody has to know them beforehand. Call one of
// ok, fail and unknown when it has ended. Used by one thread at a time.
class Recorder::Transaction {
 public:
  // It is about to append to the list, or to write the register, of this name. REQUIRES: no value is appended, or
  // written, to a key twice, by anybody.
  void append(const Value& key, const Value& element) { add("append", key, element); }
  void write(const Value& key, const Value& value) { add("w", key, value); }
  // It has read this: a list, or the value of a register; nullptr if there is none yet.
  void read(const Value& key, const Value& result) { add("r", key, result); }

  void ok() { operation_.ok(); }            // it is committed
  void fail() { operation_.fail(); }        // nothing of it happened, and never will
  void unknown() { operation_.unknown(); }  // it may be committed, or may still be

 private:
  friend class Recorder;
  Transaction(Operation operation, Step& begin) : operation_(std::move(operation)), last_(&begin) {}
  void add(const char* function, const Value& key, const Value& value) {
    if (operation_.entry_ == nullptr) throw std::logic_error("heddle::Recorder: the transaction has ended");
    last_ = operation_.recorder_->add_step(last_, function, key, value);
  }

  Operation operation_;
  Step* last_;
};

// A value as a buffer holds it. Text of up to eight bytes is inside. Longer text and lists are in the buffer's arena.
struct Recorder::Cell {
  Kind kind = Kind::None;
  bool inside = false;
  std::uint32_t size = 0;
  std::uint64_t content = 0;

  const char* bytes() const {
    const char* outside = nullptr;
    if (inside) return reinterpret_cast<const char*>(&content);
    std::memcpy(static_cast<void*>(&outside), &content, sizeof outside);
    return outside;
  }
};

// What a transaction does, one after the other: the first has no function. Each is complete before the one before it
// names it.
struct Recorder::Step {
  const char* function = nullptr;
  Cell key, value;
  std::atomic<const Step*> next{nullptr};
};

struct Recorder::Entry {
  std::int64_t invoked = 0, returned = 0;
  Cell function, key, argument, result;
  std::uint32_t client = 0;
  std::atomic<Outcome> outcome{Outcome::Open};  // set last: a thread that sees it sees `returned` and `result`
};

struct Recorder::Chunk {
  static constexpr std::size_t capacity = 512;
  std::atomic<std::size_t> used{0};
  std::atomic<Chunk*> next{nullptr};
  Entry entries[capacity];
};

// The operations that a thread invoked, and the bytes that it wrote. Only that thread writes; `save` follows
// `next` and `used`.
class Recorder::Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    for (Chunk* chunk = first_; chunk != nullptr;) delete std::exchange(chunk, chunk->next.load());
  }

  // Returns an entry that nobody else sees before `publish`.
  Entry& prepare() {
    if (last_->used.load(std::memory_order_relaxed) == Chunk::capacity) {
      auto* chunk = new Chunk;
      last_->next.store(chunk, std::memory_order_release);
      last_ = chunk;
    }
    return last_->entries[last_->used.load(std::memory_order_relaxed)];
  }
  void publish() { last_->used.store(last_->used.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  Cell keep(const Value& value) {
    Cell cell;
    cell.kind = value.kind_;
    if (value.kind_ == Kind::Integer) {
      std::memcpy(&cell.content, &value.integer_, sizeof cell.content);
    } else if (value.kind_ == Kind::Text) {
      keep_bytes(cell, {static_cast<const char*>(value.data_), value.size_});
    } else if (value.kind_ == Kind::List) {
      scratch_.clear();
      value.append_to(scratch_);
      keep_bytes(cell, scratch_);
    }
    return cell;
  }

  Step& step() {
    if (free_steps_ == 0) {
      free_steps_ = Chunk::capacity;
      steps_.push_back(std::make_unique<Step[]>(free_steps_));
    }
    return steps_.back()[--free_steps_];
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Chunk* chunk = first_; chunk != nullptr; chunk = chunk->next.load(std::memory_order_acquire)) {
      const std::size_t used = chunk->used.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < used; ++i) visit(chunk->entries[i]);
    }
  }

 private:
  void keep_bytes(Cell& cell, std::string_view bytes) {
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("heddle::Recorder: a value of 4 GB or more");
    cell.size = static_cast<std::uint32_t>(bytes.size());
    cell.inside = bytes.size() <= sizeof cell.content;
    if (cell.inside) {
      if (!bytes.empty()) std::memcpy(&cell.content, bytes.data(), bytes.size());
      return;
    }
    if (bytes.size() > free_size_) {
      free_size_ = std::max(bytes.size(), std::size_t{1} << 16);
      arena_.push_back(std::make_unique<char[]>(free_size_));
      free_ = arena_.back().get();
    }
    std::memcpy(free_, bytes.data(), bytes.size());
    std::memcpy(&cell.content, static_cast<const void*>(&free_), sizeof free_);
    free_ += bytes.size();
    free_size_ -= bytes.size();
  }

  Chunk* const first_ = new Chunk;
  Chunk* last_ = first_;
  std::vector<std::unique_ptr<char[]>> arena_;
  char* free_ = nullptr;
  std::size_t free_size_ = 0;
  std::vector<std::unique_ptr<Step[]>> steps_;
  std::size_t free_steps_ = 0;  // of the last
  std::string scratch_;
};

inline Recorder::Recorder(ReadClock clock) : number_(next_number()), clock_(clock), origin_(clock()) {}
inline Recorder::~Recorder() = default;

inline Recorder::Buffer& Recorder::buffer_of_this_thread() {
  // The recorder that this thread used last, which saves a look-up. Trivial, so that access needs no
  // initialisation check.
  struct Last {
    std::uint64_t recorder;
    Buffer* buffer;
  };
  static thread_local Last last{0, nullptr};
  if (last.recorder != number_) last = {number_, &find_buffer_of_this_thread()};
  return *last.buffer;
}

inline Recorder::Buffer& Recorder::find_buffer_of_this_thread() {
  static thread_local std::unordered_map<std::uint64_t, Buffer*> known;
  Buffer*& buffer = known[number_];
  if (buffer == nullptr) {
    const std::lock_guard<std::mutex> lock(mutex_);
    buffers_.push_back(std::make_unique<Buffer>());
    buffer = buffers_.back().get();
  }
  return *buffer;
}

inline Recorder::Operation Recorder::begin(std::uint32_t client, std::string_view function, const Value* key,
                                           const Value& argument) {
  Buffer& buffer = buffer_of_this_thread();
  Entry& entry = buffer.prepare();
  entry.client = client;
  entry.function = buffer.keep(function);
  entry.key = key == nullptr ? Cell{} : buffer.keep(*key);
  entry.argument = buffer.keep(argument);
  entry.invoked = clock_();
  buffer.publish();  // before the fence: see rows()
  fence();
  return Operation(*this, entry);
}

inline Recorder::Operation Recorder::invoke(std::uint32_t client, std::string_view function, const Value& key,
                                            const Value& argument) {
  return begin(client, function, &key, argument);
}
inline Recorder::Operation Recorder::invoke(std::uint32_t client, std::string_view function, const Value& argument) {
  return begin(client, function, nullptr, argument);
}
inline Recorder::Operation Recorder::invoke(std::uint32_t client, std::string_view function) {
  return begin(client, function, nullptr, Value());
}

// The operation of a transaction has a first step in place of an argument.
inline Recorder::Transaction Recorder::transaction(std::uint32_t client) {
  Buffer& buffer = buffer_of_this_thread();
  Step& first = buffer.step();
  Entry& entry = buffer.prepare();
  entry.client = client;
  entry.function = buffer.keep("txn");
  entry.key = Cell{};
  entry.argument = Cell{};
  entry.argument.kind = Kind::Steps;
  const Step* const begin = &first;
  std::memcpy(&entry.argument.content, static_cast<const void*>(&begin), sizeof begin);
  entry.invoked = clock_();
  buffer.publish();
  fence();
  return Transaction(Operation(*this, entry), first);
}

// Found by `save` before anybody can see what it does: see rows().
inline Recorder::Step* Recorder::add_step(Step* last, const char* function, const Value& key, const Value& value) {
  Buffer& buffer = buffer_of_this_thread();
  Step& step = buffer.step();
  step.function = function;
  step.key = buffer.keep(key);
  step.value = buffer.keep(value);
  last->next.store(&step, std::memory_order_release);
  fence();
  return &step;
}

inline void Recorder::complete(Entry& entry, Outcome outcome, const Value* result) {
  wait_for_memory();
  const std::int64_t returned = clock_();
  if (result != nullptr) entry.result = buffer_of_this_thread().keep(*result);
  entry.returned = returned;
  entry.outcome.store(outcome, std::memory_order_release);
}

inline void Recorder::Operation::ok() { recorder_->complete(take(), Outcome::Ok, nullptr); }
inline void Recorder::Operation::ok(const Value& result) { recorder_->complete(take(), Outcome::Ok, &result); }
inline void Recorder::Operation::fail() { recorder_->complete(take(), Outcome::Failed, nullptr); }
inline void Recorder::Operation::unknown() { recorder_->complete(take(), Outcome::Unknown, nullptr); }
inline void Recorder::Operation::abandon() noexcept {
  if (entry_ != nullptr) unknown();
}

// An operation and the process under which it is written.
struct Recorder::Row {
  const Entry* entry;
  Outcome outcome;
  std::int64_t returned;
  std::uint64_t process;
};

// Returns all operations in the order of their invocations. Threads may go on meanwhile: the result is the history
// up to the moment `cut`. An operation that took effect before `cut` was published before it, hence is found. An
// operation that completed after `cut` counts as open, because it may have seen others that are not found. The same is
// true of each step of a transaction.
inline std::vector<Recorder::Row> Recorder::rows() const {
  std::vector<Row> rows;
  std::uint64_t clients = 1;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::int64_t cut = clock_();
    fence();
    for (const auto& buffer : buffers_) {
      buffer->for_each([&](const Entry& entry) {
        if (entry.invoked > cut) return;
        Row row{&entry, entry.outcome.load(std::memory_order_acquire), 0, 0};
        if (row.outcome != Outcome::Open) row.returned = entry.returned;
        if (row.returned > cut) row.outcome = Outcome::Open;
        clients = std::max(clients, std::uint64_t{entry.client} + 1);
        rows.push_back(row);
      });
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.entry->invoked < b.entry->invoked; });

  // Process numbers as Jepsen counts them: client, client + clients, client + 2 * clients, ... A process
  // cannot take the next operation if its last one has not ended, or ended at the very moment of the next
  // invocation: the two may have overlapped.
  struct Processes {
    std::uint64_t used = 0;
    std::vector<std::pair<std::uint64_t, std::int64_t>> idle_after;
  };
  std::unordered_map<std::uint32_t, Processes> processes;
  for (Row& row : rows) {
    auto& [used, idle_after] = processes[row.entry->client];
    auto process = std::find_if(idle_after.begin(), idle_after.end(),
                                [&](const auto& known) { return known.second < row.entry->invoked; });
    if (process == idle_after.end())
      process = idle_after.insert(process, {row.entry->client + clients * used++, std::int64_t{0}});
    row.process = process->first;
    process->second = row.returned;
    if (row.outcome == Outcome::Open || row.outcome == Outcome::Unknown) idle_after.erase(process);
  }
  return rows;
}

// Events as lines of text.
class Recorder::Printer {
 public:
  explicit Printer(Format format) : edn_(format == Format::Edn) {}

  void line(std::string& out, const Row& row, bool completion, std::int64_t origin) {
    const Entry& entry = *row.entry;
    const bool has_result = completion && row.outcome == Outcome::Ok && entry.result.kind != Kind::None;
    out += edn_ ? "{:process " : "{\"process\":";
    out += std::to_string(row.process);
    field(out, "type");
    word(out, !completion                      ? "invoke"
              : row.outcome == Outcome::Ok     ? "ok"
              : row.outcome == Outcome::Failed ? "fail"
                                               : "info");
    field(out, "f");
    word(out, {entry.function.bytes(), entry.function.size});
    if (entry.key.kind != Kind::None) {
      field(out, "key");
      value(out, entry.key);
    }
    field(out, "value");
    if (entry.argument.kind == Kind::Steps) {
      steps(out, entry.argument, completion && row.outcome == Outcome::Ok);
    } else {
      value(out, has_result ? entry.result : entry.argument);
    }
    field(out, "time");
    out += std::to_string((completion ? row.returned : entry.invoked) - origin);
    if (completion && row.outcome == Outcome::Failed) {
      // Without a reason, a failed compare-and-set of Jepsen means that the comparison failed, which would be
      // an answer.
      field(out, "error");
      text(out, "did not happen");
    }
    out += "}\n";
  }

 private:
  void field(std::string& out, std::string_view name) const {
    out += edn_ ? ", :" : ",\"";
    out += name;
    out += edn_ ? " " : "\":";
  }

  // Writes a keyword in EDN if the name allows it, text otherwise.
  void word(std::string& out, std::string_view name) const {
    const auto is_plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '?' || c == '!';
    };
    if (edn_ && !name.empty() && std::all_of(name.begin(), name.end(), is_plain)) {
      out += ':';
      out += name;
    } else {
      text(out, name);
    }
  }

  void value(std::string& out, const Cell& cell) const {
    if (cell.kind == Kind::List) {
      const char* bytes = cell.bytes();
      encoded(out, bytes);
    } else if (cell.kind == Kind::Text) {
      text(out, {cell.bytes(), cell.size});
    } else {
      plain(out, cell.kind, static_cast<std::int64_t>(cell.content));
    }
  }

  // Writes the operations of a transaction: [[:append "x" 1] [:r "y" nil]].
  void steps(std::string& out, const Cell& cell, bool with_answers) const {
    const Step* step = nullptr;
    std::memcpy(static_cast<void*>(&step), &cell.content, sizeof step);
    out += '[';
    bool is_first = true;
    for (step = step->next.load(std::memory_order_acquire); step != nullptr;
         step = step->next.load(std::memory_order_acquire)) {
      if (!std::exchange(is_first, false)) out += edn_ ? " " : ",";
      out += '[';
      word(out, step->function);
      out += edn_ ? " " : ",";
      value(out, step->key);
      out += edn_ ? " " : ",";
      const bool is_read = std::strcmp(step->function, "r") == 0;
      is_read && !with_answers ? plain(out, Kind::Nil, 0) : value(out, step->value);
      out += ']';
    }
    out += ']';
  }

  // Writes the value at `bytes`, as Value::append_to wrote it, and moves `bytes` behind it.
  void encoded(std::string& out, const char*& bytes) const {
    const auto kind = static_cast<Kind>(*bytes++);
    std::int64_t number = 0;
    if (kind == Kind::Integer || kind == Kind::Text || kind == Kind::List) {
      std::memcpy(&number, bytes, sizeof number);
      bytes += sizeof number;
    }
    if (kind == Kind::List) {
      out += '[';
      for (std::int64_t i = 0; i < number; ++i) {
        if (i > 0) out += edn_ ? " " : ",";
        encoded(out, bytes);
      }
      out += ']';
    } else if (kind == Kind::Text) {
      text(out, {bytes, static_cast<std::size_t>(number)});
      bytes += number;
    } else {
      plain(out, kind, number);
    }
  }

  void plain(std::string& out, Kind kind, std::int64_t number) const {
    if (kind == Kind::Integer) {
      out += std::to_string(number);
    } else if (kind == Kind::True || kind == Kind::False) {
      out += kind == Kind::True ? "true" : "false";
    } else {
      out += edn_ ? "nil" : "null";
    }
  }

  // Bytes that are not UTF-8, which neither format can hold, become ["bytes", hexadecimal]. So different
  // values stay different.
  void text(std::string& out, std::string_view bytes) const {
    constexpr const char* digits = "0123456789abcdef";
    if (!is_utf8(bytes)) {
      out += edn_ ? "[\"bytes\" \"" : "[\"bytes\",\"";
      for (const char c : bytes) {
        out += digits[static_cast<unsigned char>(c) >> 4];
        out += digits[static_cast<unsigned char>(c) & 15];
      }
      out += "\"]";
      return;
    }
    out += '"';
    if (!edn_ && !bytes.empty() && bytes.front() == ':') out += ':';  // a single colon would make it a keyword
    for (const char c : bytes) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (c == '\n' || c == '\t' || c == '\r') {
        out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
      } else if (static_cast<unsigned char>(c) < 0x20) {
        out += "\\u00";
        out += digits[static_cast<unsigned char>(c) >> 4];
        out += digits[static_cast<unsigned char>(c) & 15];
      } else {
        out += c;
      }
    }
    out += '"';
  }

  static bool is_utf8(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
      const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(at < bytes.size() ? bytes[at] : 0); };
      const unsigned first = byte(i);
      const std::size_t more = first < 0x80   ? 0
                               : first < 0xc2 ? 9
                               : first < 0xe0 ? 1
                               : first < 0xf0 ? 2
                               : first < 0xf5 ? 3
                                              : 9;
      if (more == 9) return false;
      for (std::size_t k = 1; k <= more; ++k) {
        if ((byte(i + k) & 0xc0) != 0x80) return false;
      }
      // Overlong encodings, surrogates, and numbers beyond the last code point.
      const unsigned second = byte(i + 1);
      if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
          (first == 0xf4 && second >= 0x90))
        return false;
      i += more + 1;
    }
    return true;
  }

  bool edn_;
};

inline void Recorder::write(std::ostream& out, Format format) const {
  struct Event {
    std::int64_t time;
    bool completion;  // at the same time invocations come first: their operations overlap
    const Row* row;
  };
  const std::vector<Row> all = rows();
  std::vector<Event> events;
  events.reserve(2 * all.size());
  for (const Row& row : all) {
    events.push_back({row.entry->invoked, false, &row});
    if (row.outcome != Outcome::Open) events.push_back({row.returned, true, &row});
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.completion < b.completion;
  });
  Printer printer(format);
  std::string lines;
  for (const Event& event : events) {
    printer.line(lines, *event.row, event.completion, origin_);
    if (lines.size() > (std::size_t{1} << 16)) {
      out << lines;
      lines.clear();
    }
  }
  out << lines;
}

inline void Recorder::save(const std::string& path) const {
  const auto ends_with = [&](std::string_view end) {
    return path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  const bool edn = ends_with(".edn");
  if (!edn && !ends_with(".jsonl"))
    throw std::runtime_error("heddle::Recorder: cannot tell the format of '" + path + "'; name it .edn or .jsonl");
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (out) write(out, edn ? Format::Edn : Format::JsonLines);
  out.close();
  if (!out) throw std::runtime_error("heddle::Recorder: cannot write '" + path + "': " + std::strerror(errno));
}

}  // namespace heddle
