// The C ABI of the recorder (include/heddle/record_c.h), as libheddle_record: it needs nothing of Heddle but
// heddle/record.h.
//
// An operation is a small object on the heap, because C has no destructor that could complete a forgotten operation.
// As thread-safe as the recorder.
#include "heddle/record_c.h"

#include <exception>
#include <new>
#include <string>

#include "heddle/record.h"

using heddle::Recorder;

struct heddle_recorder {
  Recorder recorder;
};

struct heddle_operation {
  Recorder::Operation operation;
};

struct heddle_transaction {
  Recorder::Transaction transaction;
};

namespace {

thread_local std::string last_error;

void remember(const std::exception& error) noexcept {
  try {
    last_error = error.what();
  } catch (const std::exception&) {
    last_error.clear();
  }
}

Recorder::Value value_of(const heddle_value& value);

std::int64_t append_items(const void* items, std::size_t size, std::string& bytes) {
  for (std::size_t i = 0; i < size; ++i) value_of(static_cast<const heddle_value*>(items)[i]).append_to(bytes);
  return static_cast<std::int64_t>(size);
}

Recorder::Value value_of(const heddle_value& value) {
  switch (value.kind) {
    case HEDDLE_BOOLEAN:
      return value.integer != 0;
    case HEDDLE_INTEGER:
      return value.integer;
    case HEDDLE_TEXT:
      return std::string_view(value.text, value.text == nullptr ? 0 : value.size);
    case HEDDLE_LIST:
      return Recorder::Value::list(value.items, value.items == nullptr ? 0 : value.size, append_items);
    default:
      return nullptr;
  }
}

heddle_value of_kind(std::int32_t kind) { return {kind, 0, nullptr, nullptr, 0}; }

// Returns what `make` returns, on the heap. Its room is there before anything is recorded: if memory runs out, no
// invocation is left that nobody can complete.
template <class T, class Make>
T* on_the_heap(Make make) {
  try {
    void* room = ::operator new(sizeof(T));
    try {
      return new (room) T{make()};
    } catch (...) {
      ::operator delete(room);
      throw;
    }
  } catch (const std::exception&) {
    return nullptr;
  }
}

// Completes and forgets an operation.
template <class Complete>
void end(heddle_operation* operation, Complete complete) {
  if (operation == nullptr) return;
  try {
    complete(operation->operation);
  } catch (const std::exception& error) {
    remember(error);  // no memory for the result: no other result may be recorded, so the operation stays open
  }
  delete operation;
}

template <class Add>
int add(heddle_transaction* transaction, Add add) {
  if (transaction == nullptr) return -1;
  try {
    add(transaction->transaction);
    return 0;
  } catch (const std::exception& error) {
    remember(error);
    return -1;
  }
}

template <class Complete>
void end(heddle_transaction* transaction, Complete complete) {
  if (transaction == nullptr) return;
  complete(transaction->transaction);
  delete transaction;
}

}  // namespace

heddle_value heddle_nil(void) { return of_kind(HEDDLE_NIL); }

heddle_value heddle_boolean(int value) {
  heddle_value result = of_kind(HEDDLE_BOOLEAN);
  result.integer = value != 0 ? 1 : 0;
  return result;
}

heddle_value heddle_integer(int64_t value) {
  heddle_value result = of_kind(HEDDLE_INTEGER);
  result.integer = value;
  return result;
}

heddle_value heddle_text(const char* zero_terminated) {
  if (zero_terminated == nullptr) return heddle_nil();
  heddle_value result = of_kind(HEDDLE_TEXT);
  result.text = zero_terminated;
  result.size = std::strlen(zero_terminated);
  return result;
}

heddle_value heddle_list(const heddle_value* items, size_t size) {
  heddle_value result = of_kind(HEDDLE_LIST);
  result.items = items;
  result.size = size;
  return result;
}

heddle_recorder* heddle_recorder_new(void) {
  try {
    return new heddle_recorder;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void heddle_recorder_free(heddle_recorder* recorder) { delete recorder; }

heddle_operation* heddle_invoke(heddle_recorder* recorder, uint32_t client, const char* function,
                                const heddle_value* key, const heddle_value* value) {
  return on_the_heap<heddle_operation>([&] {
    const Recorder::Value argument = value == nullptr ? Recorder::Value() : value_of(*value);
    Recorder& into = recorder->recorder;
    return key == nullptr ? into.invoke(client, function, argument)
                          : into.invoke(client, function, value_of(*key), argument);
  });
}

void heddle_ok(heddle_operation* operation, const heddle_value* result) {
  end(operation, [&](Recorder::Operation& op) { result == nullptr ? op.ok() : op.ok(value_of(*result)); });
}
void heddle_fail(heddle_operation* operation) {
  end(operation, [](Recorder::Operation& op) { op.fail(); });
}
void heddle_unknown(heddle_operation* operation) {
  end(operation, [](Recorder::Operation& op) { op.unknown(); });
}

heddle_transaction* heddle_begin(heddle_recorder* recorder, uint32_t client) {
  return on_the_heap<heddle_transaction>([&] { return recorder->recorder.transaction(client); });
}
int heddle_append(heddle_transaction* transaction, const heddle_value* key, const heddle_value* element) {
  return add(transaction, [&](Recorder::Transaction& t) { t.append(value_of(*key), value_of(*element)); });
}
int heddle_write(heddle_transaction* transaction, const heddle_value* key, const heddle_value* value) {
  return add(transaction, [&](Recorder::Transaction& t) { t.write(value_of(*key), value_of(*value)); });
}
int heddle_read(heddle_transaction* transaction, const heddle_value* key, const heddle_value* result) {
  return add(transaction, [&](Recorder::Transaction& t) {
    t.read(value_of(*key), result == nullptr ? Recorder::Value() : value_of(*result));
  });
}
void heddle_committed(heddle_transaction* transaction) {
  end(transaction, [](Recorder::Transaction& t) { t.ok(); });
}
void heddle_aborted(heddle_transaction* transaction) {
  end(transaction, [](Recorder::Transaction& t) { t.fail(); });
}
void heddle_unknown_outcome(heddle_transaction* transaction) {
  end(transaction, [](Recorder::Transaction& t) { t.unknown(); });
}

int heddle_recorder_save(const heddle_recorder* recorder, const char* path) {
  try {
    recorder->recorder.save(path);
    return 0;
  } catch (const std::exception& error) {
    remember(error);
    return -1;
  }
}

const char* heddle_recorder_error(const heddle_recorder*) { return last_error.c_str(); }
