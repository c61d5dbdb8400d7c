// Counts in multisets of calls and threads, and draws a sample where there are too many.
#include "native/enumerate_clients.h"

#include <algorithm>
#include <random>
#include <set>

namespace heddle::native {
namespace {

// All calls: every method with every combination of values.
std::vector<ClientCall> all_calls(const Harness& harness, std::uint32_t values) {
  std::vector<ClientCall> calls;
  for (std::uint32_t m = 0; m < harness.methods.size(); ++m) {
    ClientCall call{m, std::vector<std::int32_t>(harness.methods[m].arity, 0)};
    for (;;) {
      calls.push_back(call);
      std::size_t i = call.arguments.size();
      while (i > 0 && call.arguments[i - 1] + 1 == static_cast<std::int32_t>(values)) call.arguments[--i] = 0;
      if (i == 0) break;
      ++call.arguments[i - 1];
    }
  }
  return calls;
}

// How many multisets of `size` members there are of `kinds` kinds.
double multisets(double kinds, std::uint32_t size) {
  double out = 1;
  for (std::uint32_t i = 0; i < size; ++i) out = out * (kinds + i) / (i + 1);
  return out;
}

std::size_t calls_of(const Client& client) {
  std::size_t n = 0;
  for (const auto& thread : client.threads) n += thread.size();
  return n;
}

class Enumeration {
 public:
  Enumeration(const std::vector<ClientCall>& calls, const ClientBounds& bounds) : calls_(calls), bounds_(bounds) {
    std::vector<ClientCall> none;
    add_threads(none);
  }
  std::vector<Client> all() {
    Client client;
    add_clients(client, 0);
    return std::move(clients_);
  }

 private:
  void add_threads(std::vector<ClientCall>& calls) {
    if (!calls.empty()) threads_.push_back(calls);
    if (calls.size() == bounds_.calls) return;
    for (const ClientCall& call : calls_) {
      calls.push_back(call);
      add_threads(calls);
      calls.pop_back();
    }
  }
  void add_clients(Client& client, std::size_t first) {
    if (client.threads.size() >= 2) clients_.push_back(client);
    if (client.threads.size() == bounds_.threads) return;
    for (std::size_t t = first; t < threads_.size(); ++t) {
      client.threads.push_back(threads_[t]);
      add_clients(client, t);
      client.threads.pop_back();
    }
  }

  const std::vector<ClientCall>& calls_;
  const ClientBounds& bounds_;
  std::vector<std::vector<ClientCall>> threads_;
  std::vector<Client> clients_;
};

std::vector<Client> sampled(const std::vector<ClientCall>& calls, const ClientBounds& bounds) {
  std::mt19937_64 random(bounds.seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::set<Client> found;
  // Small bounds may have fewer clients of some sizes than are asked for; then the loop ends early.
  for (std::uint64_t tries = 0; found.size() < bounds.most && tries < 20 * bounds.most; ++tries) {
    Client client;
    client.threads.resize(2 + below(bounds.threads - 1));
    for (auto& thread : client.threads) {
      thread.resize(1 + below(bounds.calls));
      for (ClientCall& call : thread) call = calls[below(calls.size())];
    }
    std::ranges::sort(client.threads);
    found.insert(std::move(client));
  }
  return {found.begin(), found.end()};
}

}  // namespace

Clients enumerate_clients(const Harness& harness, const ClientBounds& bounds) {
  const std::vector<ClientCall> calls = all_calls(harness, bounds.values);
  double threads = 0, sequences = 1;
  for (std::uint32_t c = 0; c < bounds.calls; ++c) threads += sequences *= static_cast<double>(calls.size());
  Clients clients;
  for (std::uint32_t t = 2; t <= bounds.threads; ++t) clients.all += multisets(threads, t);
  clients.list =
      clients.all <= static_cast<double>(bounds.most) ? Enumeration(calls, bounds).all() : sampled(calls, bounds);
  std::ranges::stable_sort(clients.list, {}, [](const Client& c) { return std::pair(calls_of(c), c.threads.size()); });
  return clients;
}

}  // namespace heddle::native
