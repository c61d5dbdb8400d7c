// The history inside a trace of our own.
#include "history/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/reading.h"
#include "report/sample_traces.h"
#include "report/trace_json.h"

namespace heddle::history::trace_test {
namespace {

using testing::HasSubstr;

std::string trace_with(const std::string& initial, const std::string& operations) {
  return R"({"format": "heddle-trace", "version": 1, "model": "m", "verdict": "holds",
    "lanes": [{"name": "client 1", "role": "Client"}, {"name": "client 2", "role": "Client"}, {"name": "server", "role": "Server"}],
    "initial": [)" +
         initial + R"(], "steps": [{"lane": 0, "name": "s", "operations": [)" + operations + "]}]}";
}

TEST(Trace, OperationsOfSteps) {
  EXPECT_EQ(read(trace_with("", R"({"kind": "invoke", "lane": 0, "value": {"op": "write", "value": 3}},
                                   {"kind": "invoke", "lane": 1, "value": {"kind": "get", "key": "k"}},
                                   {"kind": "return", "lane": 1, "value": {"value": null}},
                                   {"kind": "return", "lane": 0, "value": true},
                                   {"kind": "invoke", "lane": 1, "value": {"kind": "put", "key": "k", "data": "x"}},
                                   {"kind": "invoke", "lane": 0, "value": "pop"})")),
            "client 1 write(3) ok true [0, 3]\n"
            "client 2 get(\"k\": nil) ok nil [1, 2]\n"
            "client 2 put(\"k\": \"x\") unknown [4, ...]\n"
            "client 1 pop(nil) unknown [5, ...]\n");
}

TEST(Trace, OperationsThatAreOpenInTheFirstState) {
  const std::string open = R"({"lane": 2, "name": "history", "value": [[[{"kind": "read"}, null]], []]})";
  EXPECT_EQ(read(trace_with(open, R"({"kind": "return", "lane": 0, "value": {"value": "nobody"}})")),
            "client 1 read(nil) ok nil [0, 1]\n");
  const std::string done = R"({"lane": 2, "name": "history", "value": [[[{"kind": "read"}, {"value": 1}]], []]})";
  EXPECT_THAT(complaint(trace_with(done, R"({"kind": "invoke", "lane": 0, "value": "read"})")),
              HasSubstr("have completed before the first state"));
}

// A client that crashed comes back as another: what it had asked for stays open. The server's crash is nothing to it.
TEST(Trace, WhatAClientHadAskedForWhenItCrashed) {
  const std::string lanes = R"({"format": "heddle-trace", "version": 1, "model": "m", "verdict": "holds",
    "lanes": [{"name": "client", "role": "Client", "process": "client"}, {"name": "cache", "role": "Cache", "process": "client"},
              {"name": "server", "role": "Server", "process": "server"}], "steps": [)";
  const auto step = [](int lane, const std::string& kind, const std::string& operation) {
    return R"({"lane": )" + std::to_string(lane) + R"(, "name": "s", "kind": ")" + kind + R"(", "operations": [)" +
           operation + "]}";
  };
  const std::string write = R"({"kind": "invoke", "lane": 0, "value": {"op": "write", "value": 3}})";
  const std::string read_it = R"({"kind": "invoke", "lane": 0, "value": {"op": "read"}})";
  const std::string answer = R"({"kind": "return", "lane": 0, "value": 3})";
  EXPECT_EQ(read(lanes + step(0, "step", write) + "," + step(1, "crash", "") + "," + step(0, "recover", "") + "," +
                 step(0, "crash", read_it) + "," + step(0, "recover", "") + "," + step(0, "step", read_it) + "," +
                 step(2, "crash", "") + "," + step(0, "step", answer) + "]}"),
            "client write(3) unknown [0, ...]\n"
            "client read(nil) unknown [1, ...]\n"
            "client read(nil) ok 3 [2, 3]\n");
}

TEST(Trace, OfTheSampleRegister) {
  EXPECT_THAT(read(report::to_json(report::samples::operations())), HasSubstr("write(1) "));
}

TEST(Trace, WithoutOperationsIsNoHistory) {
  EXPECT_THAT(complaint(trace_with("", "")), HasSubstr("there is no operation in this file"));
  EXPECT_THAT(complaint(trace_with("", R"({"kind": "invoke", "lane": 7, "value": "x"})")),
              HasSubstr("lane 7 does not exist"));
  EXPECT_THAT(complaint(trace_with("", R"({"kind": "invoke", "lane": 0, "value": 7})")),
              HasSubstr("does not say what it is called"));
}

}  // namespace
}  // namespace heddle::history::trace_test
