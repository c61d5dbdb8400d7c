// Writes threads, objects and endings as bytes in a fixed order, and reads them back.
#include "native/contents.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "native/mentions.h"

namespace heddle::native {
namespace {

class ContentWriter {
 public:
  template <class T>
  ContentWriter& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  ContentWriter& put_count(std::size_t count) { return put(static_cast<std::uint32_t>(count)); }
  ContentWriter& put_text(std::string_view text) {
    put_count(text.size());
    bytes_.append(text);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// REQUIRES: the bytes were made by a ContentWriter with the same calls.
class ContentReader {
 public:
  explicit ContentReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T get() {
    assert(bytes_.size() >= sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::uint32_t count() { return get<std::uint32_t>(); }
  std::string_view text() {
    const std::uint32_t size = count();
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return out;
  }

 private:
  std::string_view bytes_;
};

// Padding would make equal contents differ.
void put_rest(ContentWriter& out, const Rest& rest) {
  out.put(rest.status).put(rest.pending).put(rest.fresh).put(rest.choice);
  out.put(rest.latest).put(rest.after_acquire).put(rest.fails).put(rest.function).put(rest.at);
}

Rest get_rest(ContentReader& in) {
  Rest rest;
  rest.status = in.get<Rest::Status>();
  rest.pending = in.get<Pending>();
  rest.fresh = in.get<bool>();
  rest.choice = in.get<bool>();
  rest.latest = in.count();
  rest.after_acquire = in.get<bool>();
  rest.fails = in.count();
  rest.function = in.count();
  rest.at = in.count();
  return rest;
}

void put_object(ContentWriter& out, const Object& object) {
  out.put(object.kind).put(object.freed).put(object.made).put(object.type).put_text(object.bytes);
  const bool all_defined = object.undefined.find_first_not_of('\0') == std::string::npos;
  out.put_text(all_defined ? std::string_view() : object.undefined);
}

Object get_object(ContentReader& in) {
  Object object;
  object.kind = in.get<ObjectKind>();
  object.freed = in.get<bool>();
  object.made = in.get<Site>();
  object.type = in.get<std::uint32_t>();
  object.bytes = in.text();
  object.undefined = in.text();
  return object;
}

// The registers that matter in a frame that rests. A thread that has not begun rests before its first operation, about
// which liveness says nothing: all are kept.
std::vector<std::uint32_t> kept_registers(const Frame& frame, bool fresh, const Liveness& liveness) {
  if (const auto live = liveness.live(frame.function, frame.at); live && !fresh) return {live->begin(), live->end()};
  std::vector<std::uint32_t> all(frame.registers.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void add_mentions(std::string_view bytes, std::vector<Label>& out) {
  for_each_mention(bytes, [&](Label label) {
    if (label.owner < Label::max_threads) out.push_back(label);
  });
}

void sort_labels(std::vector<Label>& labels) {
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

}  // namespace

std::string encode(const Rest& rest, const ThreadState& thread, const Liveness& liveness) {
  ContentWriter out;
  put_rest(out, rest);
  out.put_text(thread.results);
  if (rest.status != Rest::Status::Running) {
    out.put_count(thread.published.size());
    for (const std::uint32_t index : thread.published) out.put(index);
    return out.take();
  }
  out.put(thread.self).put(thread.fresh).put(thread.spawned);
  out.put_count(thread.frames.size());
  for (const Frame& frame : thread.frames) {
    out.put(frame.function).put(frame.at);
    const std::vector<std::uint32_t> kept = kept_registers(frame, thread.fresh, liveness);
    for (const std::uint32_t r : kept) out.put(frame.registers[r]);
    const bool all_defined = frame.undefined.empty();
    out.put(all_defined);
    if (!all_defined) {
      for (const std::uint32_t r : kept) out.put(frame.undefined[r]);
    }
    out.put_count(frame.stack_objects.size());
    for (const std::uint32_t object : frame.stack_objects) out.put(object);
  }
  out.put_count(thread.objects.size());
  for (const auto& [index, object] : thread.objects) {
    out.put(index);
    put_object(out, object);
  }
  out.put_count(thread.published.size());
  for (const std::uint32_t index : thread.published) out.put(index);
  out.put_count(thread.locals.size());
  for (const auto& [global, index] : thread.locals) out.put(global).put(index);
  return out.take();
}

Rest rest_of(std::string_view content) {
  ContentReader in(content);
  return get_rest(in);
}

std::string_view results_of(std::string_view content) {
  ContentReader in(content);
  get_rest(in);
  return in.text();
}

std::vector<std::uint32_t> published_of(std::string_view content) {
  ContentReader in(content);
  get_rest(in);
  in.text();
  std::vector<std::uint32_t> published(in.count());
  for (std::uint32_t& index : published) index = in.count();
  return published;
}

ThreadState decode_thread(std::string_view content, const Image& image, const Liveness& liveness) {
  ContentReader in(content);
  get_rest(in);
  ThreadState thread;
  thread.results = in.text();
  thread.self = in.count();
  thread.fresh = in.get<bool>();
  thread.spawned = in.get<bool>();
  thread.frames.resize(in.count());
  for (Frame& frame : thread.frames) {
    frame.function = in.count();
    frame.at = in.count();
    frame.registers.resize(image.functions[frame.function].registers);
    const std::vector<std::uint32_t> kept = kept_registers(frame, thread.fresh, liveness);
    for (const std::uint32_t r : kept) frame.registers[r] = in.get<Word>();
    if (const auto all_defined = in.get<bool>(); !all_defined) {
      frame.undefined.resize(frame.registers.size());
      for (const std::uint32_t r : kept) frame.undefined[r] = in.get<Word>();
    }
    frame.stack_objects.resize(in.count());
    for (std::uint32_t& object : frame.stack_objects) object = in.count();
  }
  for (std::uint32_t n = in.count(); n > 0; --n) {
    const std::uint32_t index = in.count();
    thread.objects.emplace(index, get_object(in));
  }
  thread.published.resize(in.count());
  for (std::uint32_t& index : thread.published) index = in.count();
  for (std::uint32_t n = in.count(); n > 0; --n) {
    const std::uint32_t global = in.count();
    thread.locals.emplace(global, in.count());
  }
  return thread;
}

std::string encode(const Object& object) {
  ContentWriter out;
  put_object(out, object);
  return out.take();
}

Object decode_object(std::string_view content) {
  ContentReader in(content);
  return get_object(in);
}

std::string encode(const Ending& ending) {
  ContentWriter out;
  out.put(ending.kind).put(ending.code).put(ending.failure).put(ending.thread).put_text(ending.text);
  return out.take();
}

Ending decode_ending(std::string_view content) {
  ContentReader in(content);
  Ending ending;
  ending.kind = in.get<Ending::Kind>();
  ending.code = in.get<int>();
  ending.failure = in.get<Failure>();
  ending.thread = in.count();
  ending.text = in.text();
  return ending;
}

std::vector<Label> mentions(std::string_view bytes) {
  std::vector<Label> out;
  add_mentions(bytes, out);
  sort_labels(out);
  return out;
}

std::vector<Label> mentions(const ThreadState& thread) {
  std::vector<Label> out;
  for (const Frame& frame : thread.frames) {
    const auto* data = reinterpret_cast<const char*>(frame.registers.data());
    add_mentions({data, frame.registers.size() * sizeof(Word)}, out);
    for (const std::uint32_t index : frame.stack_objects) out.push_back({thread.self, index});
  }
  for (const auto& [index, object] : thread.objects) add_mentions(object.bytes, out);
  for (const auto& [global, index] : thread.locals) out.push_back({thread.self, index});
  sort_labels(out);
  return out;
}

}  // namespace heddle::native
