// Files of executions: what is wrong is said with its place, and loops are seen from lines alone.
#include "run/executions_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "history/source_text.h"

namespace heddle::run::executions_file_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

ReadExecutions executions_of(const std::string& text, explain::StatementTree* tree = nullptr) {
  ExecutionFiles files(explain::RealTime::Ignored);
  history::LineReader lines(text, "x.jsonl");
  files.read(lines);
  if (tree != nullptr) *tree = files.tree();
  return files.executions(0);
}

std::string error_of(const std::string& text) {
  try {
    executions_of(text);
  } catch (const history::HistoryError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error: " << text;
  return "";
}

const std::string call = R"({"event": "call", "thread": 1, "invocation": 1, "function": "f"})"
                         "\n";

std::string access(int line, int address, const std::string& kind = "write", int thread = 1) {
  return fmt::format(R"({{"event": "{}", "thread": {}, "invocation": {}, "address": {}, "file": "f.cc", "line": {}}})",
                     kind, thread, thread, address, line) +
         "\n";
}

TEST(ExecutionsFile, SaysWhatIsWrongAndWhere) {
  const std::string body = R"({"statement": 0, "function": "f", "file": "f.cc", "first_line": 1, "last_line": 9})"
                           "\n";
  const auto statement = [](const char* function, const char* file) {
    return fmt::format(
        R"({{"statement": 1, "parent": 0, "function": "{}", "file": "{}", "first_line": 2, "last_line": 3}})", function,
        file);
  };
  const std::string elsewhere =
      R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "g.h", "line": 1})";
  const std::pair<std::string, std::string> wrong[] = {
      {"{]", "x.jsonl:1:1: this is not JSON"},
      {"[]", "one object a line"},
      {"{}", "\"event\", \"execution\" and \"statement\""},
      {R"({"event": 3})", "\"event\" is not a text"},
      {R"({"event": "call", "thread": 1, "invocation": 1})", "\"function\" is missing"},
      {R"({"event": "call", "invocation": 1, "function": "f"})", "\"thread\" is missing"},
      {R"({"event": "call", "thread": -1, "invocation": 1, "function": "f"})", "\"thread\" is not a number"},
      {R"({"event": "call", "thread": "1", "invocation": 1, "function": "f"})",
       "x.jsonl:1:1: \"thread\" is not a number from 0 on; write it without quotes"},
      {R"({"execution": "a"})", "x.jsonl:1:1: \"execution\" is not a number"},
      {R"({"execution": null})", "\"execution\" is not a number"},
      {R"({"event": "call", "thread": 1, "invocation": 1, "function": ""})", "\"function\" is empty"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "f.cc", "line": 0})",
       "x.jsonl:2:1: \"line\" is 0; lines are numbered from 1"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "f.cc", "line": "1"})",
       "\"line\" is not a number from 0 on; write it without quotes"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "", "line": 1})",
       "\"file\" is empty"},
      {body + statement("g", "f.cc"), "x.jsonl:2:1: \"function\" is \"g\" and that of the statement's parent \"f\""},
      {body + statement("f", "g.cc"), "x.jsonl:2:1: \"file\" is \"g.cc\" and that of the statement's parent"},
      {R"({"statement": 0, "function": "f", "file": "f.cc", "first_line": 0, "last_line": 9})", "\"first_line\" is 0"},
      {call + access(1, 1) + body, "x.jsonl:3:1: a statement is declared before the first access"},
      {call + access(1, 1) + elsewhere,
       "x.jsonl:3:1: the call of \"f\" has an access in \"g.h\" after one in \"f.cc\""},
      {"{\n  \"format\": \"heddle-trace\"", "if it is a trace of heddle check: heddle explain x.jsonl"},
      {R"({"format": "heddle-trace", "steps": []})", "heddle explain x.jsonl"},
      {"{\"execution\": 1}", "x.jsonl:1:1: no events follow this execution"},
      {R"({"event": "call", "thread": 1.5, "invocation": 1, "function": "f"})", "\"thread\" is not a number"},
      {call + call, "x.jsonl:2:1: the thread is in a call already"},
      {access(1, 1), "its call is missing"},
      {call + R"({"event": "jump", "thread": 1, "invocation": 1})", "is not call, return"},
      {call + R"({"event": "return", "thread": 2, "invocation": 1})", "thread 2 is not in the invocation 1"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": "x"})", "\"address\" is not a number"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "size": 0})", "\"size\" is 0"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": "0xffffffffffffffff", "size": 9})",
       "too high"},
      {call + R"({"event": "read", "thread": 1, "invocation": 1, "address": 1})", "\"file\" is missing"},
      {call + R"({"event": "enter", "thread": 1, "invocation": 1, "statement": 7})", "was not declared"},
      {call +
           R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "f.cc", "line": 1, "together": 1})",
       "true or false"},
      {call +
           R"({"event": "read", "thread": 1, "invocation": 1, "address": 1, "file": "f.cc", "line": 1, "together": true})",
       "is not an access of this thread"},
      {R"({"statement": 1, "parent": 7, "function": "f", "file": "f.cc", "first_line": 1, "last_line": 2})", "parent"},
      {R"({"statement": 1, "function": "f", "file": "f.cc", "first_line": 3, "last_line": 2})", "greater"},
      {"{\"execution\": 1}\n{\"execution\": 2}", "x.jsonl:1:1: no events follow this execution"},
  };
  for (const auto& [text, message] : wrong) EXPECT_THAT(error_of(text), HasSubstr(message)) << text;
  std::string deep;
  for (int i = 0; i < 300; ++i) {
    deep += fmt::format(
        R"({{"statement": {}, "parent": {}, "function": "f", "file": "f.cc", "first_line": 1, "last_line": 1}})", i,
        i == 0 ? "null" : std::to_string(i - 1));
    deep += "\n";
  }
  EXPECT_THAT(error_of(deep), HasSubstr("deep"));
}

TEST(ExecutionsFile, OnlyOneFileMayNotDeclareStatements) {
  ExecutionFiles files(explain::RealTime::Ignored);
  const std::string one = call,
                    two = R"({"statement": 0, "function": "f", "file": "f.cc", "first_line": 1, "last_line": 2})";
  history::LineReader first(one, "one"), second(two, "two");
  files.read(first);
  EXPECT_THROW(files.read(second), history::HistoryError);
}

// Functions of one name in several files are several, and each has its own lines.
TEST(ExecutionsFile, AFunctionIsInOneFile) {
  explain::StatementTree tree;
  const std::string in_another =
      R"({"event": "write", "thread": 2, "invocation": 2, "address": 2, "file": "g.cc", "line": 7})";
  const std::string text = call + access(3, 1) + access(5, 1) +
                           R"({"event": "call", "thread": 2, "invocation": 2, "function": "f"})" + "\n" + in_another;
  executions_of(text, &tree);
  std::vector<std::string> bodies;
  for (const explain::CodeStatement& one : tree) {
    if (one.parent == explain::nothing) {
      bodies.push_back(fmt::format("{} {}-{}", one.file, one.first_line, one.last_line));
    } else {
      EXPECT_EQ(one.file, tree[one.parent].file);
    }
  }
  EXPECT_THAT(bodies, testing::UnorderedElementsAre("f.cc 3-5", "g.cc 7-7"));
}

TEST(ExecutionsFile, AStepBackIsALoop) {
  explain::StatementTree tree;
  // Lines 1 2 3 2 3 5: a loop around lines 2 and 3.
  std::string text = call;
  for (const int line : {1, 2, 3, 2, 3, 5}) text += access(line, line);
  const ReadExecutions read = executions_of(text, &tree);
  ASSERT_EQ(tree.size(), 6u) << "the body, a loop, lines 1, 2, 3 and 5";
  const auto loop = std::ranges::find_if(tree, &explain::CodeStatement::loop);
  ASSERT_NE(loop, tree.end());
  EXPECT_EQ(loop->first_line, 2u);
  EXPECT_EQ(loop->last_line, 3u);
  ASSERT_EQ(read.list.size(), 1u);
  std::vector<std::uint32_t> iterations;
  for (const explain::Action& action : read.list[0].actions) {
    if (action.kind != explain::Action::Kind::Data) continue;
    iterations.push_back(read.list[0].instances[action.instance].iteration);
  }
  EXPECT_EQ(iterations, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 0}));
}

TEST(ExecutionsFile, LoopsThatOverlapAreOneAndNestedOnesAreTwo) {
  explain::StatementTree tree;
  std::string text = call;
  for (const int line : {1, 4, 2, 6, 3, 7}) text += access(line, line);  // back from 4 to 2 and from 6 to 3
  executions_of(text, &tree);
  EXPECT_EQ(std::ranges::count_if(tree, &explain::CodeStatement::loop), 1);
  text = call;
  for (const int line : {1, 3, 4, 3, 4, 6, 2, 3, 6, 7}) text += access(line, line);  // 3 to 4 inside 2 to 6
  executions_of(text, &tree);
  EXPECT_EQ(std::ranges::count_if(tree, &explain::CodeStatement::loop), 2);
}

TEST(ExecutionsFile, AnAccessAcrossALargeBoundaryIsOneAction) {
  std::string text = call + R"({"event": "call", "thread": 2, "invocation": 2, "function": "f"})" + "\n";
  text +=
      R"({"event": "write", "thread": 1, "invocation": 1, "address": 1048570, "size": 16, "file": "f.cc", "line": 1})"
      "\n";
  text += access(2, 1048569, "write", 2) + access(3, 1048576 + 9, "read", 2) + access(4, 1048576 + 10, "read", 2);
  const ReadExecutions read = executions_of(text);
  ASSERT_EQ(read.list.size(), 1u);
  const explain::ConflictGraph graph(read.list[0], explain::RealTime::Ignored);
  ASSERT_EQ(graph.frontier(0, 1).size(), 1u) << "byte 9 behind the boundary is written, byte 10 is not";
  EXPECT_EQ(read.list[0].actions[graph.frontier(0, 1)[0].to].line, 3u);
}

TEST(ExecutionsFile, ExecutionsThatDifferInIndependentStepsOnlyAreOne) {
  const std::string calls = call + R"({"event": "call", "thread": 2, "invocation": 2, "function": "f"})" + "\n";
  const std::string text = "{\"execution\": 1}\n" + calls + access(1, 1) + access(1, 2, "write", 2) +
                           "{\"execution\": 2}\n" + calls + access(1, 2, "write", 2) + access(1, 1);
  const ReadExecutions read = executions_of(text);
  EXPECT_EQ(read.read, 2u);
  EXPECT_EQ(read.list.size(), 1u);
}

}  // namespace
}  // namespace heddle::run::executions_file_test
