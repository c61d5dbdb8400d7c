// heddle-lower: compiles a program of C or C++ for `heddle check` (docs/components.md).
//
//   heddle-lower [--output IMAGE] [--depends FILE] [--dump | --statements | --list-externals]
//                FILE [--in FOLDER] [--with N FLAG...]... [-- FLAG...]
//
// Writes the image (src/native/image.h) to the file or to standard output; with --dump its text; with --statements the
// statements of its functions; with --list-externals the functions that neither the program nor Heddle's runtime
// defines, one a line; --list-runtime, without files, those that Heddle knows. --depends writes the files that were
// read, one a line. Flags are for clang: after --with those of the file before it, after -- those of all files; --in is
// the folder that clang runs in. Exit code 0, or 3 after an error, which is on stderr with its place, or 2 after
// SIGTERM.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "compile.h"
#include "entry.h"
#include "link.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "native/externals.h"
#include "native/image.h"
#include "native/statements.h"
#include "passes.h"
#include "places.h"
#include "translate.h"

namespace {

using heddle::lower::LowerError;

constexpr const char* usage =
    "heddle-lower [--output IMAGE] [--depends FILE] [--dump | --statements | --list-externals] "
    "FILE [--in FOLDER] [--with N FLAG...]... [-- FLAG...]";

struct Arguments {
  std::string output, depends, bitcode;
  bool dump = false, statements = false, list_externals = false, list_runtime = false, in_memory = false;
  std::vector<heddle::lower::Unit> units;

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const heddle::lower::Unit& unit : units) names.push_back(unit.file);
    return names;
  }
};

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw LowerError(word + " needs a value; " + usage);
      return std::string(argv[++i]);
    };
    const auto latest = [&]() -> heddle::lower::Unit& {
      if (out.units.empty()) throw LowerError(word + " stands behind a file; " + usage);
      return out.units.back();
    };
    if (word == "--") {
      for (heddle::lower::Unit& unit : out.units) unit.flags.insert(unit.flags.end(), argv + i + 1, argv + argc);
      break;
    }
    if (word == "--output") {
      out.output = value();
    } else if (word == "--depends") {
      out.depends = value();
    } else if (word == "--bitcode") {
      out.bitcode = value();  // for developers: the module before it is translated, as text
    } else if (word == "--dump") {
      out.dump = true;
    } else if (word == "--statements") {
      out.statements = true;
    } else if (word == "--in-memory") {
      out.in_memory = true;  // for developers: the program as clang -O0 has it, with all variables in memory
    } else if (word == "--list-externals") {
      out.list_externals = true;
    } else if (word == "--list-runtime") {
      out.list_runtime = true;
    } else if (word == "--in") {
      latest().folder = value();
    } else if (word == "--with") {
      for (int count = std::atoi(value().c_str()); count > 0; --count) latest().flags.push_back(value());
    } else if (word == "--time" || word == "--memory") {
      static_cast<void>(value());  // the caller's limits; it stops this program itself
    } else if (word.starts_with("-")) {
      throw LowerError("unknown argument " + word + "; " + usage);
    } else {
      out.units.push_back({.file = word});
    }
  }
  if (out.units.empty() && !out.list_runtime) throw LowerError(std::string("no file; ") + usage);
  return out;
}

// A folder that is gone when the program ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle-lower-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw LowerError("cannot make a folder in " + name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw LowerError("cannot write " + file);
}

// A file beside the program, <prefix>/bin/heddle-lower.
std::filesystem::path file_beside(const char* name) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path file = program.parent_path().parent_path() / name;
  if (!std::filesystem::exists(file)) throw LowerError("a part of Heddle is missing: there is no " + file.string());
  return file;
}

// The functions that a program may call though it does not define them.
std::string list_runtime() {
  std::set<std::string> names;
  for (const std::string& name : heddle::native::known_externals()) names.insert(name);
  llvm::LLVMContext context;
  const auto runtime = heddle::lower::link_files(context, {file_beside("share/heddle/native-runtime.bc")});
  for (const llvm::Function& function : *runtime) {
    if (function.isDeclaration() || !function.hasExternalLinkage() || function.getName().starts_with("__heddle_")) {
      continue;
    }
    names.insert(heddle::lower::readable(function.getName().str()));
  }
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out;
}

void run(const Arguments& arguments) {
  if (arguments.list_runtime) {
    std::cout << list_runtime() << std::flush;
    return;
  }
  const TemporaryFolder folder;
  const std::filesystem::path plugin = file_beside("lib/heddle/heddle-statements.so");
  const std::filesystem::path runtime = file_beside("share/heddle/native-runtime.bc");
  const std::vector<std::string> files = arguments.files();
  std::vector<std::filesystem::path> parts, statements;
  std::set<std::string> depends = {plugin.string(), runtime.string()};
  for (const heddle::lower::Unit& unit : arguments.units) {
    heddle::lower::Compiled compiled = heddle::lower::compile(unit, plugin, folder.path(), parts.size());
    parts.push_back(compiled.bitcode);
    statements.push_back(compiled.statements);
    depends.insert(compiled.depends.begin(), compiled.depends.end());
  }
  if (!arguments.depends.empty()) {
    std::string text;
    for (const std::string& file : depends) text += file + "\n";
    write_file(arguments.depends, text);
  }

  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = heddle::lower::link_files(context, parts);
  heddle::lower::prepare(*module);
  heddle::lower::PassSettings settings;
  settings.has_main = heddle::lower::add_entry(*module);
  heddle::lower::link_runtime(*module, runtime);
  heddle::native::Image scratch;
  const heddle::lower::Places places(scratch, files);
  settings.is_standard = [&](const llvm::Function& function) { return places.is_standard(function); };
  settings.make_registers = !arguments.in_memory;
  heddle::lower::check_interrupted();
  heddle::lower::run_passes(*module, settings);
  heddle::lower::check_interrupted();
  if (!arguments.bitcode.empty()) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, nullptr);
    write_file(arguments.bitcode, text);
  }
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*module, &stream)) throw LowerError("a mistake in heddle-lower: " + problem);

  const heddle::native::Image image = heddle::lower::translate(*module, files, statements);
  std::string answer;
  if (arguments.list_externals) {
    for (const std::uint32_t name : image.externals) answer += image.texts[name] + "\n";
  } else {
    answer = arguments.dump         ? heddle::native::dump(image)
             : arguments.statements ? heddle::native::dump_statements(image)
                                    : heddle::native::write_image(image);
  }
  if (arguments.output.empty()) {
    std::cout << answer << std::flush;
    if (!std::cout) throw LowerError("cannot write to standard output");
  } else {
    write_file(arguments.output, answer);
  }
}

}  // namespace

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  heddle::lower::catch_signals();
  try {
    run(read_arguments(argc, argv));
  } catch (const heddle::lower::Interrupted&) {
    return 2;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 3;
  }
  return 0;
}
