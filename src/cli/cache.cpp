// heddle cache: what is kept between runs, and how to be rid of it.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/output.h"
#include "heddle_paths.h"
#include "report/json_text.h"
#include "report/numbers.h"
#include "run/cache_folder.h"
#include "run/errors.h"

namespace heddle::cli {
namespace {

using run::CacheEntry;

struct KindOfEntry {
  CacheEntry::Kind kind;
  const char* name;
  const char* what;
};
constexpr std::array kinds_of_entries = {
    KindOfEntry{CacheEntry::Kind::Model, "models", "compiled models"},
    KindOfEntry{CacheEntry::Kind::Program, "programs", "images of C and C++ programs"},
    KindOfEntry{CacheEntry::Kind::Header, "headers", "precompiled headers for models"},
    KindOfEntry{CacheEntry::Kind::Messages, "messages", "messages of compilers"},
    KindOfEntry{CacheEntry::Kind::Work, "work", "being compiled, or left by runs that were killed"},
};

struct Amount {
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
};

Amount amount_of(const std::vector<CacheEntry>& entries) {
  Amount sum{entries.size(), 0};
  for (const CacheEntry& entry : entries) sum.bytes += entry.bytes;
  return sum;
}
Amount amount_of(const std::vector<CacheEntry>& entries, CacheEntry::Kind kind) {
  Amount sum;
  for (const CacheEntry& entry : entries) {
    if (entry.kind != kind) continue;
    ++sum.entries;
    sum.bytes += entry.bytes;
  }
  return sum;
}

std::string words_of(const Amount& amount) {
  return fmt::format("{}, {}", amount.entries == 1 ? "1 entry" : report::with_separators(amount.entries) + " entries",
                     report::bytes_text(static_cast<double>(amount.bytes)));
}

std::string kinds_json(const std::vector<CacheEntry>& entries) {
  std::string out;
  for (const KindOfEntry& kind : kinds_of_entries) {
    const Amount amount = amount_of(entries, kind.kind);
    out += fmt::format("{}{}: {{\"entries\": {}, \"bytes\": {}}}", out.empty() ? "" : ", ", report::quoted(kind.name),
                       amount.entries, amount.bytes);
  }
  return out;
}

}  // namespace

int command_cache(const Arguments& given) {
  return run_plainly(Output(given.of<OutputOptions>()), "cache", [&](const Output& output) {
    const std::filesystem::path place = run::cache_directory();
    if (place.empty()) throw run::UsageError("there is no home for a cache; set XDG_CACHE_HOME");
    const run::CacheFolder folder(place);
    const std::uintmax_t limit = run::CacheFolder::limit();
    const bool clean = given.of<CacheOptions>().clean;
    const std::vector<CacheEntry> removed = clean ? folder.clean() : std::vector<CacheEntry>();
    const std::vector<CacheEntry> entries = folder.entries();
    const Amount all = amount_of(entries);
    if (!output.json()) {
      std::string text;
      for (const KindOfEntry& kind : kinds_of_entries) {
        const Amount amount = amount_of(entries, kind.kind);
        if (amount.entries != 0) text += fmt::format("  {:<9} {:<24} {}\n", kind.name, words_of(amount), kind.what);
      }
      output.say(
          fmt::format("{}, at most {}\n{}", place.string(), report::bytes_text(static_cast<double>(limit)), text));
    }
    const std::string line = clean ? "removed " + words_of(amount_of(removed)) : words_of(all);
    return output.finish(
        line, fmt::format("{{\n  \"place\": {},\n  \"entries\": {},\n  \"bytes\": {},\n  \"limit\": {},\n"
                          "  \"kinds\": {{{}}},\n  \"removed\": {},\n  \"command\": \"cache\",\n  \"version\": {}\n}}",
                          report::quoted(place.string()), all.entries, all.bytes, limit, kinds_json(entries),
                          removed.size(), report::quoted(paths::version)));
  });
}

}  // namespace heddle::cli
