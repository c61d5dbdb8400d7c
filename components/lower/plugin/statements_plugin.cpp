// A plugin of clang: writes the statements of the user's functions to a file while clang compiles them.
//
//   clang -fplugin=heddle-statements.so -Xclang -plugin-arg-heddle-statements -Xclang FILE ...
//
// Debug information knows where an instruction comes from, but not where its statement begins and ends. Only the
// syntax tree does. A plugin sees it in the same compilation, so nothing is parsed twice; templates are visited as they
// are written, once for all instantiations.
//
// A statement is a line of seven fields, separated by tabs, after those of its parent:
//   number   parent or -1   first line:column   last line:column   "loop" or "-"   file   function
// The first statement of a function is its body. What is spelled in a macro has the place where the macro is used, as
// in debug information. Conditions and increments belong to the statement that they steer.
#include <filesystem>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

namespace {

using namespace clang;

class StatementWriter : public RecursiveASTVisitor<StatementWriter> {
 public:
  StatementWriter(ASTContext& context, llvm::raw_ostream& out)
      : context_(context), sources_(context.getSourceManager()), out_(out) {}

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody()) write_function(*function, function->getBody());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr* lambda) {
    write_function(*lambda->getCallOperator(), lambda->getBody());
    return true;
  }

 private:
  void write_function(const FunctionDecl& function, const Stmt* body) {
    if (body == nullptr || function.isImplicit() || function.isDefaulted() || is_library(body->getBeginLoc())) return;
    function_ = function.getQualifiedNameAsString();
    if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function); method && method->getParent()->isLambda()) {
      function_ = "lambda";
    }
    walk(body, -1);
  }

  // Of the system or of Heddle, also if a macro of theirs stands in the user's file.
  bool is_library(SourceLocation location) const {
    const SourceLocation spelled = sources_.getSpellingLoc(location);
    const llvm::StringRef file = sources_.getFilename(spelled);
    return spelled.isInvalid() || sources_.isInSystemHeader(spelled) || file.starts_with("/usr/") ||
           file.ends_with("heddle/native.h");
  }

  void walk(const Stmt* statement, int parent) {
    if (statement == nullptr) return;
    // Labels stand before a statement.
    if (const auto* label = llvm::dyn_cast<SwitchCase>(statement)) return walk(label->getSubStmt(), parent);
    if (const auto* label = llvm::dyn_cast<LabelStmt>(statement)) return walk(label->getSubStmt(), parent);
    if (const auto* attributed = llvm::dyn_cast<AttributedStmt>(statement)) {
      return walk(attributed->getSubStmt(), parent);
    }
    const bool loop = llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
    const int number = write(*statement, parent, loop);
    if (const auto* block = llvm::dyn_cast<CompoundStmt>(statement)) {
      for (const Stmt* each : block->body()) walk(each, number);
    } else if (const auto* choice = llvm::dyn_cast<IfStmt>(statement)) {
      walk(choice->getThen(), number);
      walk(choice->getElse(), number);
    } else if (const auto* branches = llvm::dyn_cast<SwitchStmt>(statement)) {
      walk(branches->getBody(), number);
    } else if (const auto* counted = llvm::dyn_cast<ForStmt>(statement)) {
      walk(counted->getBody(), number);
    } else if (const auto* ranged = llvm::dyn_cast<CXXForRangeStmt>(statement)) {
      walk(ranged->getBody(), number);
    } else if (const auto* repeated = llvm::dyn_cast<WhileStmt>(statement)) {
      walk(repeated->getBody(), number);
    } else if (const auto* once = llvm::dyn_cast<DoStmt>(statement)) {
      walk(once->getBody(), number);
    } else if (const auto* attempt = llvm::dyn_cast<CXXTryStmt>(statement)) {
      walk(attempt->getTryBlock(), number);
      for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) walk(attempt->getHandler(i)->getHandlerBlock(), number);
    }
  }

  // Returns the number of the statement, or that of its parent where both have the same place: inside a macro.
  int write(const Stmt& statement, int parent, bool loop) {
    const CharSourceRange range = sources_.getExpansionRange(statement.getSourceRange());
    const PresumedLoc first = sources_.getPresumedLoc(range.getBegin());
    SourceLocation end = range.getEnd();
    // The semicolon is part of the statement, but not of the expression that it is. After a macro it is not that of
    // the statements inside.
    if (!llvm::isa<CompoundStmt>(statement) && !statement.getEndLoc().isMacroID()) {
      const auto next = Lexer::findNextToken(end, sources_, context_.getLangOpts());
      if (next && next->is(tok::semi)) end = next->getLocation();
    }
    const PresumedLoc last = sources_.getPresumedLoc(end);
    if (first.isInvalid() || last.isInvalid() || first.getFileID() != last.getFileID()) return parent;
    const unsigned length = Lexer::MeasureTokenLength(end, sources_, context_.getLangOpts());
    const unsigned last_column = last.getColumn() + (length == 0 ? 0 : length - 1);
    const std::string extent = std::to_string(first.getLine()) + ":" + std::to_string(first.getColumn()) + "\t" +
                               std::to_string(last.getLine()) + ":" + std::to_string(last_column);
    if (parent >= 0 && statement.getBeginLoc().isMacroID() && extent == extents_[parent]) return parent;
    extents_.push_back(extent);
    const std::string file = std::filesystem::absolute(first.getFilename()).lexically_normal().string();
    out_ << extents_.size() - 1 << "\t" << parent << "\t" << extent << "\t" << (loop ? "loop" : "-") << "\t" << file
         << "\t" << function_ << "\n";
    return static_cast<int>(extents_.size()) - 1;
  }

  ASTContext& context_;
  const SourceManager& sources_;
  llvm::raw_ostream& out_;
  std::string function_;
  std::vector<std::string> extents_;  // of the statements written
};

class StatementConsumer : public ASTConsumer {
 public:
  explicit StatementConsumer(std::string file) : file_(std::move(file)) {}
  void HandleTranslationUnit(ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    std::error_code problem;
    llvm::raw_fd_ostream out(file_, problem);
    if (problem) return;  // heddle-lower misses the file and says so
    StatementWriter(context, out).TraverseAST(context);
  }

 private:
  const std::string file_;
};

class StatementAction : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<StatementConsumer>(file_);
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>& arguments) override {
    if (arguments.size() != 1) return false;
    file_ = arguments.front();
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  std::string file_;
};

const FrontendPluginRegistry::Add<StatementAction> registered("heddle-statements", "the statements of functions");

}  // namespace
