// Parses and prints clients, and finds the harness in an image's globals.
#include "native/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cstring>

namespace heddle::native {
namespace {

const Global* find_global(const Image& image, std::string_view name) {
  for (const Global& global : image.globals) {
    if (global.name != none && image.texts[global.name] == name) return &global;
  }
  return nullptr;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string signatures(const Harness& harness) {
  std::string out;
  for (const HarnessMethod& m : harness.methods) {
    out += (out.empty() ? "" : "; ") + m.name + "(";
    for (std::uint32_t i = 0; i < m.arity; ++i) out += i == 0 ? "1" : ", 1";
    out += ")";
  }
  return out;
}

// "at character 9 of 'push(1); pop('", of a part of the text.
std::string place_in_client(std::string_view part, std::string_view whole) {
  return fmt::format("at character {} of '{}'", part.data() - whole.data() + 1, whole);
}

ClientCall parse_call(std::string_view text, const Harness& harness, std::string_view whole) {
  const auto open = text.find('('), close = text.rfind(')');
  if (open == text.npos || close != text.size() - 1 || close < open) {
    throw ClientError(fmt::format("'{}', {}, is not a call; calls look like {}", text, place_in_client(text, whole),
                                  signatures(harness)));
  }
  const std::string_view name = trimmed(text.substr(0, open));
  ClientCall call;
  const auto method = std::ranges::find(harness.methods, name, &HarnessMethod::name);
  if (method == harness.methods.end()) {
    throw ClientError(fmt::format("the harness has no method '{}', {}; it has {}", name, place_in_client(name, whole),
                                  signatures(harness)));
  }
  call.method = static_cast<std::uint32_t>(method - harness.methods.begin());
  const std::string_view inside = trimmed(text.substr(open + 1, close - open - 1));
  if (!inside.empty()) {
    for (const std::string_view one : parts_of(inside, ',')) {
      std::int32_t value = 0;
      const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
      if (error != std::errc() || end != one.data() + one.size()) {
        throw ClientError(fmt::format("'{}', {}, is not a number of 32 bits; arguments are numbers: {}", one,
                                      place_in_client(one, whole), signatures(harness)));
      }
      call.arguments.push_back(value);
    }
  }
  if (call.arguments.size() != method->arity) {
    throw ClientError(fmt::format("{}, {}: {} takes {} argument{}; calls look like {}", text,
                                  place_in_client(text, whole), name, method->arity, method->arity == 1 ? "" : "s",
                                  signatures(harness)));
  }
  return call;
}

}  // namespace

std::int32_t Client::answer(std::uint32_t thread, std::uint32_t call, std::uint32_t what) const {
  if (what == 0) return static_cast<std::int32_t>(threads.size());
  if (thread >= threads.size()) return 0;
  if (what == 1) return static_cast<std::int32_t>(threads[thread].size());
  if (call >= threads[thread].size()) return 0;
  const ClientCall& one = threads[thread][call];
  if (what == 2) return static_cast<std::int32_t>(one.method);
  return what - 3 < one.arguments.size() ? one.arguments[what - 3] : 0;
}

std::optional<Harness> harness_of(const Image& image) {
  const Global* const names = find_global(image, "__heddle_methods");
  const Global* const arities = find_global(image, "__heddle_arities");
  if (names == nullptr || arities == nullptr) return std::nullopt;
  Harness harness;
  std::string_view list = names->bytes;
  if (const auto end = list.find('\0'); end != list.npos) list = list.substr(0, end);
  std::string numbers = arities->bytes;
  numbers.resize(arities->size);  // an image leaves zeros at the end out
  std::size_t at = 0;
  for (const std::string_view name : parts_of(list, ',')) {
    std::uint32_t arity = 0;
    if (at + sizeof arity <= numbers.size()) std::memcpy(&arity, numbers.data() + at, sizeof arity);
    at += sizeof arity;
    harness.methods.push_back({std::string(name), std::min(arity, Client::most_arguments)});
  }
  return harness;
}

Client parse_client(std::string_view text, const Harness& harness) {
  Client client;
  for (const std::string_view thread : parts_of(text, '|')) {
    std::vector<ClientCall>& calls = client.threads.emplace_back();
    for (const std::string_view call : parts_of(thread, ';')) {
      if (!call.empty()) calls.push_back(parse_call(call, harness, text));
    }
    if (calls.empty()) {
      throw ClientError(fmt::format("a thread, {}, calls nothing; a client looks like '{} | {}'",
                                    place_in_client(thread, text), signatures(harness), signatures(harness)));
    }
    if (calls.size() > Client::most_calls)
      throw ClientError(fmt::format("at most {} calls a thread", Client::most_calls));
  }
  if (client.threads.size() > Client::most_threads) {
    throw ClientError(fmt::format("at most {} threads", Client::most_threads));
  }
  return client;
}

ClientCall call_of_event(std::string_view event, const Harness& harness) {
  ClientCall call;
  std::array<std::int32_t, 1 + Client::most_arguments> words = {};
  assert(event.size() == sizeof words);
  std::memcpy(words.data(), event.data(), sizeof words);
  call.method = static_cast<std::uint32_t>(words[0]);
  call.arguments.assign(words.begin() + 1, words.begin() + 1 + harness.methods[call.method].arity);
  return call;
}

std::string event_of(const ClientCall& call) {
  std::array<std::int32_t, 1 + Client::most_arguments> words = {static_cast<std::int32_t>(call.method)};
  std::ranges::copy(call.arguments, words.begin() + 1);
  return {reinterpret_cast<const char*>(words.data()), sizeof words};
}

std::string text(const ClientCall& call, const Harness& harness) {
  std::string out = harness.methods[call.method].name + "(";
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    out += (i == 0 ? "" : ", ") + std::to_string(call.arguments[i]);
  return out + ")";
}

std::string text(const Client& client, const Harness& harness) {
  std::string out;
  for (const auto& thread : client.threads) {
    if (!out.empty()) out += " | ";
    for (std::size_t i = 0; i < thread.size(); ++i) out += (i == 0 ? "" : "; ") + text(thread[i], harness);
  }
  return out;
}

}  // namespace heddle::native
