// Reductions for threads on many clients of sets and maps: the experiments of Cirisci 2022, section 2.2.3, on the
// structures of examples/native.
//
//   bench_thread_sets --sets      75 clients of three threads, up to five calls each; every algorithm (the default)
//   bench_thread_sets --auto      what the trial of --reduce auto costs, next to each of its candidates
//   bench_thread_sets --orders    buggy clients, depth first: permutations of threads against seeds
//   bench_thread_sets --clients   how many of the bugs that three threads show two threads show already
//
//   --seconds 10     for one search          --only TEXT     structures and algorithms whose name has it
//   --take 20        so many clients         --csv FILE      a row for each search
//                                            --svg FILE      a quantile plot: how many clients end within which time
//
// Times are processor time of this process, memory is that of the tables. A search that does not end is not finished;
// two searches that end with different verdicts are an error. Ctrl-C prints what there is.
// Measured is the search alone (reduce/), below the call that checks models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/budget.h"
#include "native/client.h"
#include "native/system.h"
#include "processor_seconds.h"
#include "reduce/reduced_search.h"
#include "run/client_outcomes.h"
#include "run/lower_program.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Order = SearchOptions::Order;
using Store = SearchOptions::Store;
using Image = std::shared_ptr<const native::Image>;

struct Settings {
  std::string mode = "--sets", only, csv, svg;
  double seconds = 10;
  std::size_t take = ~std::size_t{0};
};

// A set or map, with the calls that put a key in and take it out.
struct Structure {
  const char* file;
  const char *add = "add({})", *remove = "remove({})";
};
// Those of Cirisci 2022, section 2.2.3.2, as far as they have a counterpart: lists with one lock and with many, a tree
// without locks, a queue as a set, hash maps with locks of bins, without locks, and with stripes.
const std::vector<Structure> structures = {
    {"reader_writer_list.cpp"},
    {"optimistic_list.cpp"},
    {"ellen_tree.cpp"},
    {"linked_queue_set.cpp"},
    {"bin_lock_map.cpp", "put({0}, {0})"},
    {"split_ordered_map.cpp", "put({0}, {0})"},
    {"striped_map.cpp", "put({0}, {0})"},
};

struct Algorithm {
  const char* name;
  ReductionPlan plan = {};
  Order order = Order::BreadthFirst;
  Store store = Store::Exact;
};

ReductionPlan without_safe_sets(ReductionPlan plan) {
  plan.source_sets.safe_sets = false;
  return plan;
}

const Algorithm unreduced{"unreduced"}, safe{"safe sets", {.safe = true}}, lazy{"lazy source sets", {.lazy = true}},
    futures{"thread futures", {.futures = true}};
const std::vector<Algorithm> algorithms = {
    unreduced,
    safe,
    {"safe sets, releases visible", {.spor = true}},
    futures,
    lazy,
    {"eager source sets", {.eager = true}},
    {"lazy by traversal", {.lazy = true, .traversal = true}},
    {"lazy without safe sets", without_safe_sets({.lazy = true})},
    {"eager without safe sets", without_safe_sets({.eager = true})},
    {"safe sets, stateless", {.safe = true}, Order::DepthFirst, Store::None},
    {"lazy, stateless", {.lazy = true}, Order::DepthFirst, Store::None},
    {"eager, stateless", {.eager = true}, Order::DepthFirst, Store::None},
    {"source-DPOR, stateless", {}, Order::Dpor, Store::None},
};

// What is searched: a program, perhaps with a client.
struct Subject {
  std::string name;
  Image image;
  native::SystemOptions options = {};
};

struct Measured {
  bool finished = false;
  Verdict verdict = Verdict::Unknown;
  std::uint64_t states = 0;
  double seconds = 0;
  double mebibytes = 0;
  std::string chosen;
};

Measured measure(const Subject& subject, const Algorithm& algorithm, double seconds, bool stop_at_violation = false,
                 const ThreadOrder& order = {}) {
  native::System system(subject.image, subject.options);
  SearchOptions options;
  options.stop_at_violation = stop_at_violation;
  options.order = algorithm.order;
  options.store = algorithm.store;
  options.limits.seconds = seconds;
  options.limits.bytes = std::size_t{3} << 30;
  ReductionPlan plan = algorithm.plan;
  plan.order = order;
  ReductionReport report;
  const double start = processor_seconds();
  const SearchResult result = reduced_search(system, options, plan, report);
  Measured out;
  out.seconds = processor_seconds() - start;
  out.finished = result.complete || (stop_at_violation && !result.violations.empty());
  out.verdict = result.verdict;
  out.states = result.counters.states + result.counters.nodes;
  out.mebibytes = static_cast<double>(result.counters.store_bytes + result.counters.door_bytes) / (1 << 20);
  out.chosen = report.applied.empty() ? "nothing" : report.applied[0];
  return out;
}

Image lowered(const fs::path& file, const std::vector<std::string>& flags = {}) {
  return run::lower_program({.sources = {file}, .flags = flags});
}
fs::path example(const std::string& file) { return fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native" / file; }

// The value below which a share of all values lies.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::llround(share * static_cast<double>(values.size() - 1)))];
}
double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Three threads with up to five calls each. The fewer keys there are, the more often threads meet.
std::string random_client(const Structure& structure, std::mt19937& random, std::uint32_t calls, std::uint32_t keys,
                          std::uint32_t threads = 3) {
  std::string text;
  for (std::uint32_t t = 0; t < threads; ++t) {
    const std::uint32_t own = std::max<std::uint32_t>(1, calls - random() % 2);
    for (std::uint32_t c = 0; c < own; ++c) {
      if (c > 0 || t > 0) text += c > 0 ? "; " : " | ";
      const std::uint32_t key = random() % keys;
      text += fmt::format(fmt::runtime(random() % 2 == 0 ? structure.add : structure.remove), key);
    }
  }
  return text;
}

// Set P: clients spread over the structures, with one to five calls and one to four keys.
std::vector<Subject> set_of_clients(const Settings& settings) {
  constexpr std::size_t wanted = 75;
  std::vector<Subject> out;
  std::map<std::string, Image> images;
  std::mt19937 random(2022);
  for (std::size_t i = 0; i < wanted && !Budget::interrupted(); ++i) {
    const Structure& s = structures[i % structures.size()];
    const auto round = static_cast<std::uint32_t>(i / structures.size());
    const std::string client = random_client(s, random, round % 5 + 1, std::uint32_t{1} << round % 3);
    const std::string name = fmt::format("{}: {}", fs::path(s.file).stem().string(), client);
    if (out.size() >= settings.take || !contains(name, settings.only)) continue;
    Image& image = images[s.file];
    if (!image) image = lowered(example(s.file));
    Subject subject{name, image};
    subject.options.clients = {native::parse_client(client, native::harness_of(*image).value())};
    out.push_back(std::move(subject));
  }
  std::cout << fmt::format("{} clients of {} structures, {} s each at most\n\n", out.size(), structures.size(),
                           settings.seconds);
  return out;
}

// How many clients end within which time, a line for each algorithm. Both axes as in the thesis: clients, log seconds.
void write_plot(const std::string& file, const std::map<std::string, std::vector<double>>& times, std::size_t clients) {
  constexpr double width = 640, height = 400, margin = 50, least = 1e-3;
  double most = least * 10;
  for (const auto& [name, all] : times) {
    for (const double t : all) most = std::max(most, t);
  }
  const auto x = [&](std::size_t n) {
    return margin +
           (width - 2 * margin) * static_cast<double>(n) / static_cast<double>(std::max<std::size_t>(clients, 1));
  };
  const auto y = [&](double t) {
    return height - margin - (height - 2 * margin) * std::log(std::max(t, least) / least) / std::log(most / least);
  };
  std::ofstream svg(file);
  svg << fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' font-family='sans-serif' "
      "font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n",
      width + 170, height);
  for (double t = least; t <= most * 1.001; t *= 10) {
    svg << fmt::format("<text x='{}' y='{}' text-anchor='end'>{} s</text><path d='M{} {}H{}' stroke='#ddd'/>\n",
                       margin - 4, y(t) + 4, t, margin, y(t), width - margin);
  }
  svg << fmt::format("<text x='{}' y='{}'>clients finished, of {}</text>\n", width / 2 - 60, height - 15, clients);
  std::size_t line = 0;
  for (auto [name, all] : times) {
    std::ranges::sort(all);
    const std::string colour = fmt::format("hsl({},70%,40%)", line * 360 / times.size());
    std::string points;
    for (std::size_t i = 0; i < all.size(); ++i) points += fmt::format("{:.1f},{:.1f} ", x(i + 1), y(all[i]));
    svg << fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.5'/>\n", points, colour);
    svg << fmt::format("<text x='{}' y='{}' fill='{}'>{} ({})</text>\n", width - margin + 8,
                       margin + 14 * static_cast<double>(line++), colour, name, all.size());
  }
  svg << "</svg>\n";
}

int print_sets(const Settings& settings) {
  const std::vector<Subject> subjects = set_of_clients(settings);
  std::ofstream csv;
  if (!settings.csv.empty()) csv.open(settings.csv);
  if (csv) csv << "client,algorithm,finished,verdict,states,seconds,mebibytes\n";
  std::map<std::string, std::vector<double>> times, memory;
  std::vector<double> ratios;
  bool agree = true;
  for (std::size_t i = 0; i < subjects.size() && !Budget::interrupted(); ++i) {
    std::optional<Verdict> verdict;
    std::map<std::string, Measured> all;
    for (const Algorithm& a : algorithms) {
      if (Budget::interrupted()) break;
      const Measured m = measure(subjects[i], a, settings.seconds);
      std::cerr << fmt::format("{}/{} {}, {}: {}{:.2f} s\n", i + 1, subjects.size(), subjects[i].name, a.name,
                               m.finished ? "" : "not finished, ", m.seconds);
      if (csv) {
        csv << fmt::format("\"{}\",{},{},{},{},{:.6f},{:.2f}\n", subjects[i].name, a.name, m.finished ? 1 : 0,
                           name(m.verdict), m.states, m.seconds, m.mebibytes);
      }
      if (!m.finished) continue;
      if (verdict && *verdict != m.verdict) {
        agree = false;
        std::cerr << subjects[i].name << ": " << a.name << " has another verdict\n";
      }
      verdict = m.verdict;
      times[a.name].push_back(m.seconds);
      memory[a.name].push_back(m.mebibytes);
      all[a.name] = m;
    }
    if (all.contains(safe.name) && all.contains(lazy.name)) {
      ratios.push_back(all[safe.name].seconds / std::max(1e-6, all[lazy.name].seconds));
    }
  }
  std::cout << "| algorithm | finished | seconds: quarter | half | three quarters | most | MiB: half | most |\n"
               "|---|---|---|---|---|---|---|---|\n";
  for (const Algorithm& a : algorithms) {
    const auto& t = times[a.name];
    std::cout << fmt::format("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.1f} | {:.1f} |\n", a.name, t.size(),
                             quantile(t, 0.25), quantile(t, 0.5), quantile(t, 0.75), quantile(t, 1),
                             quantile(memory[a.name], 0.5), quantile(memory[a.name], 1));
  }
  std::cout << fmt::format(
      "\nTime of safe sets / time of lazy source sets, per client: least {:.2f}, half {:.2f}, most {:.2f}, mean "
      "{:.2f}\n",
      quantile(ratios, 0), quantile(ratios, 0.5), quantile(ratios, 1), mean(ratios));
  if (!settings.svg.empty()) write_plot(settings.svg, times, subjects.size());
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Programs for the trial: those of bench_threads and of bench/peers, larger.
std::vector<Subject> trial_subjects(const Settings& settings) {
  struct Row {
    std::string name, file;
    std::vector<std::string> flags = {};
    std::string client = {};
  };
  std::vector<Row> rows;
  for (const int n : {5, 6, 7, 8}) {
    rows.push_back({fmt::format("last zero, {} counting threads", n), "lastzero.c", {fmt::format("-DN={}", n)}});
  }
  const std::vector<std::pair<std::string, std::string>> queues = {{"Michael-Scott queue", "michael_scott_queue.cpp"},
                                                                   {"two-lock queue", "two_lock_queue.cpp"}};
  for (const auto& [name, file] : queues) {
    rows.push_back(
        {name + ", 6 calls", file, {}, "enqueue(1); dequeue() | enqueue(2); dequeue() | enqueue(3); dequeue()"});
    rows.push_back({name + ", 9 calls",
                    file,
                    {},
                    "enqueue(1); dequeue(); enqueue(4) | enqueue(2); dequeue(); enqueue(5) | enqueue(3); dequeue(); "
                    "enqueue(6)"});
  }
  rows.push_back({"Treiber stack, 9 calls",
                  "treiber_stack.cpp",
                  {},
                  "push(1); pop(); push(4) | push(2); pop(); pop() | push(3); pop(); push(5)"});
  rows.push_back({"Treiber stack, 12 calls",
                  "treiber_stack.cpp",
                  {},
                  "push(1); pop(); push(4); pop() | push(2); pop(); pop(); push(6) | push(3); pop(); push(5); pop()"});
  for (const char* list : {"hand_over_hand_list", "optimistic_list", "lazy_list", "coarse_list"}) {
    rows.push_back({fmt::format("{}, 12 calls", list),
                    fmt::format("{}.cpp", list),
                    {},
                    "add(1); remove(2); add(2); remove(1) | add(2); remove(1); add(1); remove(2) | add(3); remove(3); "
                    "add(3); remove(1)"});
  }
  rows.push_back({"work queue", "work_queue.cpp"});
  rows.push_back({"striped map of bench/peers, 12 calls", "../../bench/peers/native/striped_map.c", {"-DCALLS=4"}});
  std::vector<Subject> out;
  for (const Row& row : rows) {
    if (!contains(row.name, settings.only) || Budget::interrupted() || out.size() >= settings.take) continue;
    Subject subject{row.name, lowered(example(row.file), row.flags)};
    if (!row.client.empty()) {
      subject.options.clients = {native::parse_client(row.client, native::harness_of(*subject.image).value())};
    }
    out.push_back(std::move(subject));
  }
  return out;
}

int print_auto(const Settings& settings) {
  const Algorithm automatic{"auto", {.partial_order = true}};
  std::cout << "| program | safe: states | s | futures: states | s | lazy: states | s | auto chooses | states | s | "
               "times the best |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  double worst = 0;
  for (const Subject& subject : trial_subjects(settings)) {
    std::string line = fmt::format("| {} |", subject.name);
    double best = 0;  // of those that end
    for (const Algorithm* a : {&safe, &futures, &lazy}) {
      const Measured m = measure(subject, *a, settings.seconds);
      if (m.finished && (best == 0 || m.seconds < best)) best = m.seconds;
      line += m.finished ? fmt::format(" {} | {:.3f} |", m.states, m.seconds) : " - | - |";
    }
    const Measured m = measure(subject, automatic, settings.seconds);
    if (Budget::interrupted()) break;
    const std::string ratio = best > 0 ? fmt::format("{:.2f}", m.seconds / best) : "-";
    std::cout << line << fmt::format(" {} | {} | {:.3f} | {} |", m.chosen, m.states, m.seconds, ratio) << std::endl;
    if (best > 0.1) worst = std::max(worst, m.seconds / best);
  }
  std::cout << fmt::format("\nWorst of those above 0.1 s: {:.2f} times the best.\n", worst);
  return EXIT_SUCCESS;
}

// Set Q. A call is buggy or not by its name; the file has both.
constexpr const char* buggy_file = "bench/programs/half_locked_lists.cpp";
struct Class {
  const char* name;
  int of;  // one of so many calls is buggy, by chance; 0: none is, -1: exactly one is
};
const std::vector<Class> classes = {{"all", 1}, {"half", 2}, {"one", -1}, {"none", 0}};

struct Buggy {
  std::size_t of_class;
  Subject subject;
};

std::string buggy_client(const Class& of, std::mt19937& random, std::uint32_t calls, std::uint32_t threads) {
  std::vector<std::vector<std::string>> text(threads);
  const std::uint32_t chosen = random() % (std::size_t{threads} * calls);
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (std::uint32_t c = 0; c < calls; ++c) {
      const bool bug =
          of.of == -1 ? t * calls + c == chosen : of.of > 0 && random() % static_cast<unsigned>(of.of) == 0;
      text[t].push_back(
          fmt::format("{}{}({})", bug ? "late_" : "", random() % 2 == 0 ? "add" : "remove", random() % 2));
    }
  }
  std::string out;
  for (std::uint32_t t = 0; t < threads; ++t) out += fmt::format("{}{}", t > 0 ? " | " : "", fmt::join(text[t], "; "));
  return out;
}

std::vector<Buggy> buggy_clients(const Settings& settings, std::uint32_t threads) {
  constexpr std::size_t wanted = 310;
  const Image images[] = {lowered(fs::path(HEDDLE_SOURCE_DIR) / buggy_file),
                          lowered(fs::path(HEDDLE_SOURCE_DIR) / buggy_file, {"-DMARKED"})};
  std::vector<Buggy> out;
  std::mt19937 random(31);
  for (std::size_t i = 0; i < std::min(wanted, settings.take) && !Budget::interrupted(); ++i) {
    const Image& image = images[i % 2];
    const std::string client =
        buggy_client(classes[i / 2 % 4], random, static_cast<std::uint32_t>(i / 8 % 4 + 1), threads);
    Subject subject{fmt::format("{}: {}", i % 2 == 0 ? "optimistic list" : "lazy list", client), image};
    subject.options.races = native::Races::Allow;
    subject.options.clients = {native::parse_client(client, native::harness_of(*image).value())};
    subject.options.admitted =
        std::make_shared<const std::vector<std::set<std::string>>>(run::sequential_outcomes(image, subject.options));
    out.push_back({i / 2 % 4, std::move(subject)});
  }
  return out;
}

int print_orders(const Settings& settings) {
  std::vector<ThreadOrder> permutations, seeds;
  for (std::vector<std::uint32_t> p = {1, 2, 3};;) {
    permutations.push_back({.first = p});
    if (!std::ranges::next_permutation(p).found) break;
  }
  for (const std::uint64_t seed : {1, 2, 3}) seeds.push_back({.seed = seed});
  const Algorithm depth_first_safe{"safe sets", {.safe = true}, Order::DepthFirst};
  struct Cell {
    std::vector<double> mean, least;
  };
  std::map<std::string, std::array<Cell, 2>> table;
  const std::vector<Buggy> clients = buggy_clients(settings, 3);
  for (std::size_t i = 0; i < clients.size() && !Budget::interrupted(); ++i) {
    const auto run = [&](const Algorithm& a, bool first_error, const char* what) {
      const std::string row = fmt::format("{} | {} | {}", a.name, what, classes[clients[i].of_class].name);
      for (const std::size_t by_chance : {0u, 1u}) {
        std::vector<double> seconds;
        for (const ThreadOrder& order : by_chance == 1 ? seeds : permutations) {
          if (Budget::interrupted()) return;
          seconds.push_back(measure(clients[i].subject, a, settings.seconds, first_error, order).seconds);
        }
        table[row][by_chance].mean.push_back(mean(seconds));
        table[row][by_chance].least.push_back(quantile(seconds, 0));
      }
    };
    run(lazy, false, "all states");
    const bool bugs = classes[clients[i].of_class].of != 0;
    if (bugs) run(depth_first_safe, true, "first error");
    if (bugs) run(lazy, true, "first error");
    std::cerr << fmt::format("{}/{} {}\n", i + 1, clients.size(), clients[i].subject.name);
  }
  std::cout
      << "| algorithm | until | buggy calls | clients | 6 permutations: mean ms | least ms | 3 seeds: mean ms | least "
         "ms |\n|---|---|---|---|---|---|---|---|\n";
  for (const auto& [row, cells] : table) {
    std::cout << fmt::format("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", row, cells[0].mean.size(),
                             mean(cells[0].mean) * 1e3, mean(cells[0].least) * 1e3, mean(cells[1].mean) * 1e3,
                             mean(cells[1].least) * 1e3);
  }
  return EXIT_SUCCESS;
}

// The same classes with two threads and with three.
int print_clients(const Settings& settings) {
  std::cout << "| threads | buggy calls | clients | with a violation |\n|---|---|---|---|\n";
  for (const std::uint32_t threads : {2u, 3u}) {
    std::array<std::size_t, 4> all{}, violated{};
    for (const Buggy& client : buggy_clients(settings, threads)) {
      if (Budget::interrupted()) break;
      const Measured m = measure(client.subject, safe, settings.seconds, true);
      ++all[client.of_class];
      if (m.verdict == Verdict::Violated) ++violated[client.of_class];
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      std::cout << fmt::format("| {} | {} | {} | {} |", threads, classes[c].name, all[c], violated[c]) << std::endl;
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--seconds") {
      settings.seconds = std::atof(value().c_str());
    } else if (word == "--take") {
      settings.take = std::strtoull(value().c_str(), nullptr, 10);
    } else if (word == "--only") {
      settings.only = value();
    } else if (word == "--csv") {
      settings.csv = value();
    } else if (word == "--svg") {
      settings.svg = value();
    } else {
      settings.mode = word;
    }
  }
  Budget::install_interrupt_handler();
  try {
    if (settings.mode == "--sets") return print_sets(settings);
    if (settings.mode == "--auto") return print_auto(settings);
    if (settings.mode == "--orders") return print_orders(settings);
    if (settings.mode == "--clients") return print_clients(settings);
    std::cerr << "bench_thread_sets: there is no mode " << settings.mode << "\n";
  } catch (const std::exception& error) {
    std::cerr << "bench_thread_sets: " << error.what() << "\n";
  }
  return 3;
}
