// The members that the options of single commands set: a struct for each command. The structs of options that several
// commands share are where they are used (run_arguments.h, output.h, ...). The initializers are the options' defaults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

// --time and --memory of a command, as texts that quantities.h reads. Empty: the user gave none.
struct BudgetArguments {
  std::string time = {}, memory = {};
};

struct CheckOptions {
  std::string bitstate_memory = {};
  std::string linearizable = {};  // the object that the user has in mind
  bool all = false, no_compression = false, classify = false, coverage = false, stress = false;
};

struct AuditOptions {
  std::string time = "60";
  bool infer = false;
};

struct SchedulesOptions {
  std::string harness = {}, scheduler = "all";
  bool verify_exclusions = false, unfolded = false;
};

struct ExplainOptions {
  bool all_repairs = false, no_verify = false;
  std::size_t most_repairs = 1'000, most_executions = 5'000;
  std::uint64_t seed = 1;
  std::string linearizable = {};
  std::string bad = {}, good = {};              // files of executions to read
  std::string write_bad = {}, write_good = {};  // ... and to write
};

struct SimulateOptions {
  std::size_t steps = 0;
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
  std::string strategy = {};
  std::uint32_t depth = 3;
  std::string trace_file = {};
};

struct ReplayOptions {
  std::string file = {};
  std::string model = {};
};

struct ReportOptions {
  std::vector<std::string> files = {};
  std::string html = "heddle-report.html";
};

struct ExploreOptions {
  std::uint32_t port = 0;  // 0: any that is free
  bool open = false;
};

struct LinOptions {
  std::vector<std::string> files = {};
  std::string spec = {};
  bool list_specs = false;
  std::string initial = {};
  unsigned threads = 0;  // 0: as many as the machine has
  bool no_partition = false;
  std::string witness = "heddle-witness.edn";
  bool no_witness = false;
};

struct SerializableOptions {
  std::string file = {};
  std::string level = {};
  std::string initial = {};
  std::string total = {};
  bool writes_follow_reads = false;
  bool explain = false;
  std::string dot = {};
  std::string witness = "heddle-witness.edn";
  bool no_witness = false;
};

struct RefineOptions {
  std::string file = {};
  std::string object = "qtree", spec = "strict";
  bool log_of_commands = false;
  std::vector<std::string> clients = {};
  std::string tree_dot = {};
};

struct ConvertOptions {
  std::string in = {}, out = {}, to = {};
};

struct ModelsOptions {
  std::string given = {};
  std::string model = {};
};

struct NewOptions {
  std::string name = {};
  bool force = false;
};

struct DoctorOptions {
  bool list_externals = false;
};

struct CacheOptions {
  bool clean = false;
};

struct HelpOptions {
  std::string topic = {};
};

struct ManOptions {
  std::string directory = {};
};

}  // namespace heddle::cli
