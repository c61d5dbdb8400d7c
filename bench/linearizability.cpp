// Checks recorded histories in three ways, in one run: by the engine (monitors, partitions, search), by its
// search alone, and by Wing and Gong's search with Lowe's memoisation over the whole history
// (tests/support/plain_wgl.h). The histories are of 8 clients. Also shows how the cost grows from 10^4 to 10^6
// operations, and checks histories recorded from real servers, where there are any.
//
//   bench_linearizability [--quick] [FOLDER]
//
// FOLDER has histories and verdicts.tsv, which says for each its specification and its verdict. By default it is
// tests/history/recorded of the current folder: histories recorded from Redis and etcd.
//
// Times are processor time of one thread. Compare ratios: machines are noisy.
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "check/check_history.h"
#include "history/input_file.h"
#include "history/read_history.h"
#include "support/plain_wgl.h"
#include "support/reference_objects.h"

namespace {

using namespace heddle;
using Method = HistoryCheckOptions::Method;

// A check that takes longer than this, or needs more memory, is given up.
constexpr double patience = 20;
constexpr std::size_t memory = std::size_t{4} << 30;
constexpr std::size_t most_for_plain = 20'000;  // configurations; each has the set of all operations

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Workload {
  const char* title;
  std::string_view object;
  reference::Shape shape;
};

const Workload workloads[] = {
    {"register, 5 values", "register", {.values = 5, .functions = {"read", "write"}}},
    {"register, distinct", "register", {.distinct = true, .functions = {"read", "write"}}},
    {"cas_register", "cas_register", {.values = 5}},
    {"map, 100 keys", "map", {.keys = 100, .values = 5, .functions = {"get", "put", "delete", "cas"}}},
    {"set, 1000 elements", "set", {.values = 1000, .functions = {"add", "remove", "contains"}}},
    {"queue, distinct", "queue", {.distinct = true, .functions = {"enqueue", "dequeue"}}},
    {"stack, distinct", "stack", {.distinct = true, .functions = {"push", "pop"}}},
    {"priority_queue, distinct", "priority_queue", {.distinct = true, .functions = {"insert", "extract_min"}}},
};

struct Measured {
  double seconds = 0;
  HistoryResult result;
};

Measured check(const RecordedHistory& history, std::string_view object, const HistoryCheckOptions& options) {
  const double start = now();
  Measured m{0, check_history(history, *find_specification(object), options)};
  m.seconds = now() - start;
  return m;
}

std::optional<double> plain(const RecordedHistory& history, std::string_view object) {
  const Specification& specification = *find_specification(object);
  if (specification.partition(history).size() > 1) return std::nullopt;  // the plain search handles one object only
  std::vector<std::uint32_t> whole(history.operations.size());
  std::iota(whole.begin(), whole.end(), 0);
  const auto instance = specification.object(history, whole);
  const double start = now();
  if (!reference::PlainWgl(history, *instance).run(most_for_plain)) return std::nullopt;
  return now() - start;
}

std::string seconds(const Measured& m) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", m.seconds);
  return m.result.verdict == Verdict::Unknown ? "> " + std::string(text) : text;
}

void generated(bool quick) {
  const std::vector<std::size_t> sizes =
      quick ? std::vector<std::size_t>{1'000, 10'000} : std::vector<std::size_t>{10'000, 100'000, 1'000'000};
  std::printf("%-26s %9s %-12s %10s %10s %10s %10s %10s\n", "history of 8 clients", "ops", "method", "engine s",
              "search s", "textbook s", "ratio", "MB");
  for (const Workload& workload : workloads) {
    std::map<std::string, std::pair<double, double>> ends;  // time for the smallest and the largest size
    for (const std::size_t size : sizes) {
      RecordedHistory history;
      reference::Generator generator(workload.object, history, 5);
      reference::Shape shape = workload.shape;
      shape.operations = size;
      shape.processes = 8;
      shape.unknown_percent = shape.failed_percent = 0;
      generator.linearizable(shape);

      const Limits limits{.seconds = patience, .bytes = memory};
      const Measured engine = check(history, workload.object, {.limits = limits});
      const Measured search = check(history, workload.object, {.limits = limits, .method = Method::Wgl});
      const auto textbook = size <= 10'000 ? plain(history, workload.object) : std::nullopt;
      char ratio[32] = "", textbook_seconds[32] = "";
      if (textbook) {
        std::snprintf(textbook_seconds, sizeof textbook_seconds, "%.4f", *textbook);
        std::snprintf(ratio, sizeof ratio, "%.0fx", *textbook / engine.seconds);
      }
      std::printf("%-26s %9zu %-12s %10s %10s %10s %10s %10.1f\n", workload.title, size, engine.result.method.c_str(),
                  seconds(engine).c_str(), seconds(search).c_str(), textbook_seconds, ratio,
                  static_cast<double>(engine.result.peak_bytes) / 1e6);
      std::fflush(stdout);
      const auto note = [&](const char* what, const Measured& m) {
        if (m.result.verdict != Verdict::Holds) return;
        auto& end = ends.try_emplace(what, m.seconds, 0).first->second;
        if (size == sizes.back()) end.second = m.seconds;
      };
      note("engine", engine);
      note("search", search);
    }
    for (const auto& [what, end] : ends) {
      if (end.second == 0) continue;
      std::printf("%-26s growth exponent of the %s: %.2f\n", "", what.c_str(),
                  std::log(end.second / end.first) /
                      std::log(static_cast<double>(sizes.back()) / static_cast<double>(sizes.front())));
    }
  }
}

// Checks the histories of a folder that are of `object`, each often enough to be measured. Reading them is measured
// apart.
void recorded(const std::filesystem::path& folder, std::string_view object) {
  std::map<std::string, std::string> expected;
  std::ifstream verdicts(folder / "verdicts.tsv");
  for (std::string name, specification, verdict; verdicts >> name >> specification >> verdict;) {
    if (specification == object) expected[name] = verdict;
  }
  double with_engine = 0, with_textbook = 0, reading = 0;
  int logs = 0, wrong = 0, given_up = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto it = expected.find(entry.path().filename().string());
    if (it == expected.end()) continue;
    ++logs;
    RecordedHistory history;
    double start = now();
    const history::InputFile file(entry.path().string());
    history::ReadOptions options;
    options.failed_cas = history::FailedCas::Mismatch;
    history::read_history(file.text(), file.name(), options, history);
    reading += now() - start;

    constexpr int rounds = 20;
    start = now();
    HistoryResult result;
    for (int i = 0; i < rounds; ++i) result = check_history(history, *find_specification(object));
    with_engine += (now() - start) / rounds;
    if ((result.verdict == Verdict::Holds) != (it->second == "holds")) ++wrong;
    if (object == "map") continue;
    start = now();
    const auto instance =
        find_specification(object)->object(history, find_specification(object)->partition(history)[0]);
    if (!reference::PlainWgl(history, *instance).run(3'000'000)) ++given_up;
    with_textbook += now() - start;
  }
  std::printf("recorded, %-16s %9d logs, %d wrong: engine %.2f ms, reading %.2f ms", std::string(object).c_str(), logs,
              wrong, with_engine * 1e3, reading * 1e3);
  if (object != "map") {
    std::printf(", textbook %s%.0f ms (%.0fx)", given_up > 0 ? "> " : "", with_textbook * 1e3,
                with_textbook / with_engine);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  std::filesystem::path folder = "tests/history/recorded";
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      quick = true;
    } else {
      folder = argv[i];
    }
  }
  generated(quick);
  if (std::filesystem::exists(folder / "verdicts.tsv")) {
    recorded(folder, "cas_register");
    recorded(folder, "map");
  } else {
    std::printf("recorded logs: skipped, there are none in %s\n", folder.c_str());
  }
}
