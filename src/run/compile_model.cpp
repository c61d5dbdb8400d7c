// Builds the compiler's command, looks in the cache, compiles and loads.
#include "run/compile_model.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "check/specs/user_specification.h"
#include "core/transition_system.h"
#include "core/user_code.h"
#include "heddle/version.h"
#include "heddle_paths.h"
#include "run/compiler_failure.h"
#include "run/errors.h"
#include "run/model_cache.h"
#include "run/precompiled_header.h"
#include "run/subprocess.h"
#include "run/words.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

// Installed headers lie next to the program; a program in a build tree uses those of the source tree.
fs::path header_directory() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path candidates[] = {program.parent_path().parent_path() / "include", fs::path(paths::source_include_dir),
                                 fs::path(paths::install_include_dir)};
  for (const fs::path& candidate : candidates) {
    if (fs::exists(candidate / "heddle" / "heddle.h", error)) return candidate;
  }
  throw UsageError(
      fmt::format("heddle/heddle.h is neither in {} nor in {}; install Heddle again with `cmake --install`",
                  candidates[0].string(), candidates[1].string()));
}

std::vector<std::string> compiler() {
  const char* wanted = std::getenv("CXX");
  std::vector<std::string> command = words_of(wanted != nullptr ? wanted : "");
  if (command.empty()) command.emplace_back(paths::cxx_compiler);
  return command;
}

// -O1: for a small model most of the time to an answer is the compiler's. For a large model most of the time is
// spent in the search, not in handlers.
std::vector<std::string> flags(const fs::path& headers) {
  std::vector<std::string> all = {"-std=c++20",          "-O1",   "-fPIC",
                                  "-fvisibility=hidden", "-Wall", "-I" + headers.string()};
  if (!paths::boost_include_dir.empty()) all.insert(all.end(), {"-isystem", std::string(paths::boost_include_dir)});
  all.push_back(fmt::format("-DHEDDLE_EXPECTED_API_VERSION={}", HEDDLE_API_VERSION));
  // A model is there to find mistakes, so its assertions and those of the standard library are on.
  all.insert(all.end(), {"-D_GLIBCXX_ASSERTIONS", "-UNDEBUG"});
  for (std::string& flag : words_of(paths::cxx_flags)) all.push_back(std::move(flag));
  return all;
}

// Compiles in a workplace of the cache and returns the object's path.
fs::path compile(const fs::path& source, const std::string& text, const std::vector<std::string>& common,
                 ModelCache& cache, const std::string& key, bool precompiled) {
  const auto start = fs::file_time_type::clock::now();
  // A user at a terminal wants to know what takes so long.
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (terminal) fmt::print(stderr, "compiling {} ...\n", source.string());
  const fs::path headers = header_directory();
  std::optional<PrecompiledHeader> header;
  if (precompiled && begins_with_heddle(text)) header = precompiled_header(cache, compiler(), common, headers);
  const fs::path place = cache.workplace();
  fs::path object = place / "model.so";
  const fs::path dependencies = place / "model.d";
  std::vector<std::string> command = compiler();
  command.insert(command.end(), common.begin(), common.end());
  command.insert(command.end(), {"-include", (header ? header->header : headers / "heddle" / "version.h").string()});
  command.insert(command.end(),
                 {"-shared", "-MMD", "-MF", dependencies.string(), "-o", object.string(), source.string()});
  const run::Finished finished = run::run_program(command);
  if (finished.exit_code != 0) {
    const bool disk_full = finished.output.find("No space left on device") != std::string::npos;
    if (disk_full && cache.persistent()) {
      cache.give_up();
      return compile(source, text, common, cache, key, false);
    }
    if (disk_full) throw ModelError("the disk is full; free some space, or set TMPDIR");
    // The precompiled header is damaged, or another run has just replaced it. The model is not at fault.
    const auto blames = [&](const std::string& what) { return finished.output.find(what) != std::string::npos; };
    if (header && (blames("cannot read PCH file") || blames(header->header.string() + ".gch") ||
                   blames(header->header.string() + ": No such file"))) {
      std::error_code ignored;
      fs::remove_all(header->header.parent_path(), ignored);
      return compile(source, text, common, cache, key, false);
    }
    fail_to_compile(source, text, finished.output, cache,
                    fmt::format("{}: '{}' failed with exit code {}", source.string(), command[0], finished.exit_code));
  }
  std::fwrite(finished.output.data(), 1, finished.output.size(), stderr);  // warnings
  std::ifstream file(dependencies, std::ios::binary);
  const std::string rule{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<fs::path> files = parse_dependencies(rule);
  if (files.empty()) return object;  // a compiler that does not say what it read cannot be cached
  if (header) {
    std::erase_if(files, [&](const fs::path& one) { return one.parent_path() == header->header.parent_path(); });
    files.insert(files.end(), header->files.begin(), header->files.end());
  }
  return cache.keep(key, object, files, start);
}

// Returns what dlerror() says, with the name of a missing function in readable form.
std::string load_error(const fs::path& source) {
  const char* raw = ::dlerror();
  std::string text = raw != nullptr ? raw : "unknown reason";
  const std::string marker = "undefined symbol: ";
  if (const auto at = text.find(marker); at != text.npos) {
    const std::string symbol = text.substr(at + marker.size());
    int status = symbol.starts_with("_Z") ? 0 : -1;  // without it, `i` would be a type
    const std::unique_ptr<char, void (*)(void*)> name(
        status == 0 ? abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status) : nullptr, std::free);
    text = fmt::format("{} is declared but not defined in it", status == 0 ? name.get() : symbol.c_str());
  }
  return fmt::format("{}: the compiled model cannot be loaded: {}", source.string(), text);
}

// The listener of on_loading().
std::function<void(const std::string& doing)>& loading_listener() {
  static std::function<void(const std::string&)> listener = [](const std::string&) {};
  return listener;
}

// Returns the models that register themselves while `object` is loaded. The library is emptied for that moment: a file
// may define a model of the same name as one of the library's, and neither must replace the other.
// An object that is already loaded does not register its models again, so they are remembered here.
std::vector<Definition> load(const fs::path& object, const fs::path& source) {
  static std::map<fs::path, std::vector<Definition>> loaded;
  if (const auto known = loaded.find(object); known != loaded.end()) return known->second;
  auto& registered = const_cast<std::vector<Definition>&>(library());
  std::vector<Definition> others = std::exchange(registered, {});
  const std::string threw = source.string() + ": a global variable threw while the model was loaded";
  loading_listener()(threw);
  void* handle = nullptr;
  std::optional<UserFailure> failure;
  try {
    failure = run_user_code({loading_part, source.native()},
                            [&] { handle = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL); });
  } catch (const std::exception& error) {
    throw ModelError(fmt::format("{}: {}", threw, one_line(error.what())));
  } catch (...) {
    throw ModelError(threw + ": something that is no std::exception");
  }
  std::vector<Definition> found = std::exchange(registered, std::move(others));
  loading_listener()(source.string());
  if (failure) throw ModelError(fmt::format("{}: while the model was loaded: {}", source.string(), failure->what));
  // The handle is never closed, because the definitions consist of its code.
  if (handle == nullptr) throw ModelError(load_error(source));
  return loaded[object] = std::move(found);
}

// Compiles the file, unless the cache has it, and loads it. Returns its models.
std::vector<Definition> load_file(const fs::path& source) {
  const std::string text = read_source(source);
  const std::vector<std::string> common = flags(header_directory());
  // $CXX is not part of the key: the objects of all compilers are equally good, and using one needs no compiler.
  const std::string key =
      hash_text(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", HEDDLE_API_VERSION, paths::version, paths::cxx_compiler_version,
                            fmt::join(common, "\n"), fs::absolute(source).string(), text));
  ModelCache cache;
  std::optional<fs::path> object = cache.find(key);
  if (object) {
    try {
      return load(*object, source);
    } catch (const ModelError&) {
      std::error_code ignored;
      if (fs::exists(*object, ignored)) throw;
      // Another process has just removed it from the cache.
    }
  }
  return load(compile(source, text, common, cache, key, true), source);
}

}  // namespace

void on_loading(std::function<void(const std::string& doing)> listener) { loading_listener() = std::move(listener); }

ModelCompiler model_compiler() {
  const fs::path headers = header_directory();
  return {compiler(), flags(headers), headers};
}

std::vector<Definition> load_models(const fs::path& source) {
  std::vector<Definition> models = load_file(source);
  if (models.empty()) {
    throw ModelError(
        fmt::format("{}: no model in this file; it needs a line such as `const heddle::Register my_model({{.name = "
                    "\"my_model\", .build = ...}});` (`heddle new NAME` writes an example)",
                    source.string()));
  }
  std::set<std::string> names;
  for (const Definition& model : models) {
    if (names.insert(model.name).second) continue;
    throw ModelError(
        fmt::format("{}: there are two models named '{}'; give one another name", source.string(), model.name));
  }
  return models;
}

std::vector<std::unique_ptr<Specification>> load_specifications(const fs::path& source) {
  take_registered_specifications();
  load_file(source);
  std::vector<std::unique_ptr<Specification>> found;
  for (auto& info : take_registered_specifications()) found.push_back(make_user_specification(std::move(info)));
  if (found.empty()) {
    throw ModelError(
        fmt::format("{}: no specification in this file; it needs a line such as `const "
                    "heddle::RegisterSpecification<Bank> bank(\"bank\");` (heddle/specification.h shows a whole one)",
                    source.string()));
  }
  return found;
}

}  // namespace heddle::run
