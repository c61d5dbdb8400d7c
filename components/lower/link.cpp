#include "link.h"

#include <string>

#include "compile.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::lower {
namespace {

// The linker tells its errors to the context; the first one is kept.
struct LinkMessages : llvm::DiagnosticHandler {
  explicit LinkMessages(std::string& first) : first_error(first) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error && first_error.empty()) {
      llvm::raw_string_ostream stream(first_error);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
  std::string& first_error;
};

std::unique_ptr<llvm::Module> read(llvm::LLVMContext& context, const std::filesystem::path& file) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file.string(), problem, context);
  if (!module) throw LowerError("cannot read " + file.string() + ": " + problem.getMessage().str());
  return module;
}

}  // namespace

std::unique_ptr<llvm::Module> link_files(llvm::LLVMContext& context, const std::vector<std::filesystem::path>& files) {
  std::string problem;
  context.setDiagnosticHandler(std::make_unique<LinkMessages>(problem));
  std::unique_ptr<llvm::Module> module = read(context, files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (llvm::Linker::linkModules(*module, read(context, files[i]))) {
      throw LowerError("the files do not fit together: " + problem);
    }
  }
  return module;
}

void link_runtime(llvm::Module& module, const std::filesystem::path& runtime) {
  std::unique_ptr<llvm::Module> library = read(module.getContext(), runtime);
  for (llvm::Function& function : module) {
    const llvm::Function* ours = library->getFunction(function.getName());
    if (ours == nullptr || ours->isDeclaration() || !ours->hasExternalLinkage() || function.isDeclaration()) continue;
    if (function.hasLinkOnceLinkage() || function.hasWeakLinkage() || function.hasAvailableExternallyLinkage()) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  }
  std::string problem;
  module.getContext().setDiagnosticHandler(std::make_unique<LinkMessages>(problem));
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::Flags::LinkOnlyNeeded)) {
    throw LowerError("the program and Heddle's runtime do not fit together: " + problem);
  }
}

}  // namespace heddle::lower
